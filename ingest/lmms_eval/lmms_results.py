"""The figures in a results file of lmms-eval, `{time}_results.json`: those of each of its tasks.

    results: {task: {"metric,filter": number, "metric_stderr,filter": number, "alias": text}}

Standard errors are no figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.reading import json_map
from ingest.reading.lines import beginning
from warehouse.errors import InputError

KIND = "lmms_results"
COLUMNS = ("task", "metric", "value")

_NAME = re.compile(r"(?P<time>\d{8}_\d{4}(?:\d\d)?)_results\.json")
_ERROR = re.compile(r"_stderr(_\w+)?,")


def time_of(path: Path) -> str | None:
    """The time in the name of a results file; None: it is not named as one."""
    named = _NAME.fullmatch(path.name)
    return named["time"] if named else None


def kind_of_text(path: Path) -> str | None:
    """`lmms_results` if a file is one with figures of tasks in it."""
    if time_of(path) is None or not beginning(path).startswith("{"):
        return None
    try:
        found = json_map.read_object(path)
    except InputError:
        return None
    is_one = isinstance(found.get("results"), dict) and isinstance(found.get("configs"), dict)
    return KIND if is_one and any(True for _ in _figures(found)) else None


def cells(path: Path) -> dict[str, list[str | None]]:
    """The figures as columns of text.

    Raises:
        InputError: a name that is no Unicode.
    """
    figures = list(_figures(json_map.read_object(path)))
    for task, metric, _ in figures:
        try:
            f"{task}{metric}".encode()
        except UnicodeEncodeError as error:
            raise InputError(path, f"cannot be read: {error}", field="results") from error
    return {name: [figure[place] for figure in figures] for place, name in enumerate(COLUMNS)}


def _figures(found: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for task, of_task in found["results"].items():
        for metric, value in of_task.items() if isinstance(of_task, dict) else ():
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if is_number and value == value and not _ERROR.search(metric):
                yield task, metric, repr(value)
