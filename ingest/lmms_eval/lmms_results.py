"""The figures in a results file of lmms-eval, `{time}_results.json`: those of each of its tasks.

    results: {task: {"metric,filter": number, "metric_stderr,filter": number, "alias": text}}

Standard errors are no figures.
"""

from __future__ import annotations

import re
from pathlib import Path

from ingest import results_files
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
    return KIND if any(results_files.figures(path, found, _ERROR)) else None


def cells(path: Path) -> dict[str, list[str | None]]:
    """The figures as columns of text.

    Raises:
        InputError: a name that is no Unicode.
    """
    figures = list(results_files.figures(path, json_map.read_object(path), _ERROR))
    return {name: [figure[place] for figure in figures] for place, name in enumerate(COLUMNS)}
