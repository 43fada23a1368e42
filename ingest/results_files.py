"""What harnesses say of a task's samples in a results file next to them, and in names.

An object of it is of the whole run, or has a value for each task. Its figures are not taken for ours,
and its task_hashes are no keys: they depend on the number of documents alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ingest.names import read_dataset_name
from ingest.settings import Settings
from warehouse.errors import InputError

_WHOLE = ("config", "usage")
"""Objects of a results file that are of the whole run, and not by task."""
_FIGURES = ("results", "groups", "higher_is_better")
_ADDED = ("post_prompt", "multiple_choice_prompt", "open_ended_prompt")
_HINT = re.compile(r"\n(Answer (with|the question)|Hint:) [^\n]*\Z")
_LONG = ("pretty_env_info", "samples")
_OF_TASK = {"configs": "task", "versions": "version"}
# Ways to put the same questions, which harnesses write behind the dataset's name.
_WAYS = ("ppl", "gen", "mc", "cot", "reasoning", "static", "format", "solution")


def said_of(results: dict[str, Any], task: str) -> dict[str, Any]:
    """What a results file says of how a task's answers came about: not its figures.

    Settings of the task are under `task`, those of the whole run under their own names.
    """
    found: dict[str, Any] = {}
    for name, value in results.items():
        if isinstance(value, dict) and name not in _WHOLE:
            # What was computed of tokens is by task at another place.
            by_task = value.get("by_task")
            value = by_task if isinstance(by_task, dict) else value
            if name not in _FIGURES and task in value:
                found[_OF_TASK.get(name, name)] = value[task]
        elif name not in _LONG and value is not None and value != {}:
            found[name] = value
    return found


def is_results(found: Mapping[str, Any]) -> bool:
    """Whether an object is a results file's."""
    return isinstance(found.get("results"), dict) and isinstance(found.get("configs"), dict)


def figures(
    path: Path, found: Mapping[str, Any], left: re.Pattern[str]
) -> Iterator[tuple[str, str, str]]:
    """The numbers of each task or group: its name, the number's, and the value as text.

    Args:
        left: what is found in the names of numbers that are no figures, such as standard errors.

    Raises:
        InputError: a name that is no Unicode.
    """
    for task, of_task in found["results"].items() if is_results(found) else ():
        for name, value in of_task.items() if isinstance(of_task, dict) else ():
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if not is_number or value != value or left.search(name):
                continue
            try:
                f"{task}{name}".encode()
            except UnicodeEncodeError as error:
                raise InputError(path, f"cannot be read: {error}", field="results") from error
            yield task, name, repr(value)


def without_answers(found: Mapping[str, Any], harness: str) -> str:
    """Say why a results file without figures is no result."""
    tasks = ", ".join(sorted(map(str, found["results"])))
    return (
        f"holds no answers: it is a results file of {harness}, figures and settings of {tasks}, and is "
        "read with the samples files"
    )


def of_task(results: dict[str, Any], part: str, task: str) -> dict[str, Any]:
    """What an object of a results file has for a task; empty: nothing."""
    tasks = results.get(part)
    found = tasks.get(task) if isinstance(tasks, dict) else None
    return found if isinstance(found, dict) else {}


def metrics_of(config: Mapping[str, Any]) -> set[object]:
    """The metrics that a task's settings name; none: these are not known."""
    return {one.get("metric") for one in _objects(config.get("metric_list"))}


def filter_of(config: Mapping[str, Any]) -> str | None:
    """The name of a task's filter; None: there is none, or several."""
    names = [one.get("name") for one in _objects(config.get("filter_list"))]
    name = names[0] if len(names) == 1 else None
    return name if isinstance(name, str) and name != "none" else None


def without_prompt(config: Mapping[str, Any], text: str) -> str:
    """A prompt without what the task's settings add to a question."""
    ways = config.get("lmms_eval_specific_kwargs")
    given = _objects([ways, *ways.values()]) if isinstance(ways, dict) else []
    texts = [one.get(name) for one in given for name in _ADDED]
    added = {one.strip() for one in texts if isinstance(one, str)}
    for end in sorted(added - {""}, key=len, reverse=True):
        if text.rstrip().endswith(end):
            return text.rstrip().removesuffix(end).rstrip()
    return _HINT.sub("", text)


def _objects(value: object) -> list[dict[str, Any]]:
    """The objects of a list."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def n_documents(results: dict[str, Any], task: str) -> int | None:
    """How many documents of a task were evaluated; None: it does not say."""
    return count(of_task(results, "n-samples", task).get("effective"))


def tasks_of_groups(results: dict[str, Any]) -> dict[str, str]:
    """The tasks of each group with the number of their documents: `first:10|second:14`.

    Groups may be of groups; the tasks are those at the end. Without the numbers of all, the group is
    left out.
    """
    groups = results.get("group_subtasks")
    groups = groups if isinstance(groups, dict) else {}
    said = {}
    for group in groups:
        sizes = {task: n_documents(results, task) for task in _tasks(groups, group, ())}
        if sizes and all(sizes.values()):
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


def model_of(path: Path, results: dict[str, Any]) -> tuple[str, bool]:
    """The model, and whether the results file has its name; else the folder has, with __ for /."""
    stated = results.get("model_name")
    if isinstance(stated, str) and stated.strip():
        return stated.strip(), True
    folder = path.absolute().parent.name
    is_one = folder.strip("_").count("__") == 1
    return folder.replace("__", "/") if is_one else folder, False


def inferred(results: str | None) -> dict[str, str]:
    """Where each setting stands that the user did not give.

    Args:
        results: the results file that names the model; None: the folder does.
    """
    names = ("run", "benchmark", "version", "split", "language")
    model = "the folder's name" if results is None else f"the file {results}"
    return {"model": model, **dict.fromkeys(names, "the file's name")}


def without_way(task: str) -> tuple[str, str | None]:
    """A task's name without the way in which its questions are put, and that way."""
    parts = task.split("_")
    ways = [part for part in parts[1:] if part in _WAYS]
    plain = "_".join(part for place, part in enumerate(parts) if not place or part not in _WAYS)
    return plain, "_".join(ways) or None


def label_of(time: str, task: str) -> str:
    """The label of a task's run. Several tasks of the same time may be of the same data set.

    So the task is in it, or only the way of putting questions, where its name begins with that of a
    benchmark that comes with evalhouse.
    """
    plain, way = without_way(task)
    if read_dataset_name(plain, of_packages=False) is None:
        return f"{time}_{task}"
    return f"{time}_{way}" if way else time


def produced_at(time: str | None, date: object) -> str | None:
    """When answers were given, as ISO text (UTC).

    Args:
        time: in the name of a file, from the year to the minute or second.
        date: what a results file has for it, in seconds.
    """
    if isinstance(date, int | float) and not isinstance(date, bool):
        return f"{datetime.fromtimestamp(date, UTC):%Y-%m-%d %H:%M:%S}"
    digits = re.sub(r"\D", "", (time or "").split(".")[0])
    if not digits:
        return None
    numbers = [digits[:4], *(digits[place : place + 2] for place in range(4, len(digits), 2))]
    year, month, day, hour, minute, second = [*numbers, "00"][:6]
    return f"{year}-{month}-{day} {hour}:{minute}:{second}"


def count(value: object) -> int | None:
    """A number from 1; None: it is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def check_number(
    path: Path,
    rows: Sequence[int],
    wanted: int | None,
    settings: Settings,
    *,
    results: str | None,
    task: str,
    field: str = "doc_id",
) -> tuple[str, ...]:
    """Compare the number of records with the harness's; return a note if some are missing.

    Args:
        rows: the records that should be one for each document.
        wanted: the number of documents; None: the harness does not say.
        results: the results file that says so; and the task and the field, for messages.

    Raises:
        InputError: there are more, as where the samples of two models are in one file.
    """
    if wanted is None or len(rows) == wanted:
        return ()
    if len(rows) < wanted:
        return (
            f"{wanted - len(rows):,} of the {wanted:,} documents that {results} lists "
            "are not in the file",
        )
    if settings.on_duplicate != "error":
        return ()
    raise InputError(
        path,
        f"is one more than the {wanted:,} documents that {results} lists for {task}; "
        "the samples of one run of one model make a file (--on-duplicate first or last says which "
        "of the same documents count)",
        row=rows[wanted],
        field=field,
    )
