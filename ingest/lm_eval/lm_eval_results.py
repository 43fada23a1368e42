"""The figures in a results file of lm-evaluation-harness, `results_{time}.json`, by task and group.

    results: {task: {"metric,filter": number, "metric_stderr,filter": number, "alias": text, …}}

Standard errors, names and numbers of samples are no figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ingest.reading import json_map
from ingest.reading.lines import beginning
from warehouse.errors import InputError

KIND = "lm_eval_results"
COLUMNS = ("task", "metric", "filter", "value")

_NAME = re.compile(r".+_(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.json")
_ERROR = re.compile(r"_stderr\b")
_OTHER = ("alias", "name", "sample_len", "samples", " ")
_NO_FILTER = "none"


def time_of(path: Path) -> str | None:
    """The time in the name of a results file; None: it is not named as one."""
    named = _NAME.fullmatch(path.name)
    return named["time"] if named else None


def kind_of_text(path: Path) -> str | None:
    """`lm_eval_results` if a file is one with figures of tasks in it."""
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
    for task, metric, *_ in figures:
        try:
            f"{task}{metric}".encode()
        except UnicodeEncodeError as error:
            raise InputError(path, f"cannot be read: {error}", field="results") from error
    return {name: [figure[place] for figure in figures] for place, name in enumerate(COLUMNS)}


def _figures(found: dict[str, Any]) -> Iterator[tuple[str, str, str | None, str]]:
    for task, of_task in found["results"].items():
        for written, value in of_task.items() if isinstance(of_task, dict) else ():
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            metric, comma, name = written.rpartition(",")
            if not is_number or value != value or _ERROR.search(written) or written in _OTHER:
                continue
            if not comma:
                metric, name = written, _NO_FILTER
            yield task, metric, None if name == _NO_FILTER else name, repr(value)


def tasks_of_groups(found: dict[str, Any]) -> dict[str, str]:
    """The tasks of each group with the number of their documents: `first:10|second:14`.

    Groups may be of groups; the tasks are those at the end. Without the numbers of all, the group is
    left out.
    """
    groups = found.get("group_subtasks")
    groups = groups if isinstance(groups, dict) else {}
    counts = found.get("n-samples")
    counts = counts if isinstance(counts, dict) else {}
    said: dict[str, str] = {}
    for group in groups:
        sizes = {
            task: size.get("effective") if isinstance(size := counts.get(task), dict) else None
            for task in _tasks(groups, group, ())
        }
        if sizes and all(type(size) is int and size > 0 for size in sizes.values()):
            said[group] = "|".join(f"{task}:{size}" for task, size in sizes.items())
    return said


def _tasks(groups: dict[str, Any], name: str, above: tuple[str, ...]) -> Iterator[str]:
    members = groups.get(name)
    if not isinstance(members, list) or not members:
        yield name
        return
    for one in members:
        if isinstance(one, str) and one not in (*above, name):
            yield from _tasks(groups, one, (*above, name))
