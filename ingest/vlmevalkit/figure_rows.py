"""The figures in VLMEvalKit's score files, flattened as its own `status.json` has them.

A table, CSV or a JSON array of records, has columns of numbers, whose cells are the figures, and
others, which say what a row is about: `split=val|Overall`. Elsewhere in JSON the keys are the path
to a figure, and so are places in lists: `short|domain|Knowledge`, `overall|0`. A path that comes
again ends in `#` and the row's number from 0 in a table, and elsewhere in `#dup`.

A score file is named `{model}_{dataset}[_{judge}]_acc.csv`. Which part is the dataset, that is
known from `status.json` next to it, from the file of answers of that name, or from the benchmarks
that are known. What stands behind it is the judge, or else the name of one of several score files
of that dataset.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ingest.names import read_dataset_name, timestamp_label
from ingest.reading.json_map import Repeated, pairs
from ingest.reading.lines import text_lines, whole_text
from warehouse import known_benchmarks
from warehouse.errors import InputError

READ = frozenset(("acc", "score", "score_fine", "rating"))
"""The endings of the files that are read."""

_ENDING = re.compile(
    r"_(?P<ending>acc|acc_all|score|score_fine|rating|metrics|detailed_metrics)\.(csv|tsv|json)"
)
_ANSWERS = (".xlsx", ".tsv", ".json")
_JUDGES = frozenset(("exact_matching", "openai", "chatgpt", "deepseek", "gemini"))
"""Judges, and what stands in their place, that are no name with a number or a hyphen in it."""
STATUS = "status.json"
_MAX_STATUS_BYTES = 64_000_000


@dataclass(frozen=True)
class FigureName:
    """A score file's name taken apart.

    Attributes:
        dataset: what VLMEvalKit calls it.
        judge: as `status.json` or else the name has it; None: neither says.
        label: the run's, by the work dir's timestamp or else the stem of its file of answers.
        part: which of the dataset's score files it is, such as fine; '': the only one.
    """

    model: str
    dataset: str
    judge: str | None
    label: str
    part: str


def ending(path: Path) -> str | None:
    """How the name of a score file ends, such as acc; None: it is not named as one."""
    found = _ENDING.search(path.name)
    return found["ending"] if found and found.end() == len(path.name) else None


def read(path: Path, model: str | None = None, known: tuple[str, ...] = ()) -> FigureName | None:
    """Take a name apart; None if it does not say of which model and dataset the figures are.

    Args:
        model: what the user said; None: nothing.
        known: names of benchmarks in addition to those with a folder.
    """
    its_ending = ending(path)
    return None if its_ending is None else of_ending(path, its_ending, model, known)


def of_ending(
    path: Path, its_ending: str, model: str | None = None, known: tuple[str, ...] = ()
) -> FigureName | None:
    """The same for any file whose name ends so; None too if it does not."""
    if not path.stem.endswith(f"_{its_ending}"):
        return None
    stem = path.stem.removesuffix(f"_{its_ending}")
    for its_model, rest in _models(path, stem, model, known):
        found = _dataset_and_rest(path, its_model, rest, known)
        if found is not None:
            dataset, behind = found
            break
    else:
        return None
    stated = _judge_in_status(path, dataset)
    named = behind if behind in (stated, *_JUDGES) or re.search(r"[-\d]", behind) else ""
    parts = ["" if named else behind, "fine" if its_ending == "score_fine" else ""]
    timed = timestamp_label(path)
    return FigureName(
        model=model or its_model,
        dataset=dataset,
        judge=named or stated,
        label=timed[0] if timed else f"{its_model}_{dataset}",
        part=":".join(part for part in parts if part),
    )


def _models(
    path: Path, stem: str, model: str | None, known: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """What may be the model, and the rest of the name: a folder's name comes first."""
    for name in (model, *(folder.name for folder in path.absolute().parents[:2])):
        if name and stem.startswith(f"{name}_"):
            yield name, stem.removeprefix(f"{name}_")
    for place in (place for place, character in enumerate(stem) if character == "_" and place):
        rest = stem[place + 1 :]
        if read_dataset_name(rest, known) is not None:
            yield stem[:place], rest


def _dataset_and_rest(
    path: Path, model: str, rest: str, known: tuple[str, ...]
) -> tuple[str, str] | None:
    places = [place for place, character in enumerate(rest) if character == "_"]
    parted = [(rest, ""), *((rest[:at], rest[at + 1 :]) for at in reversed(places))]
    in_status = _datasets(path)
    for dataset, behind in parted:
        if dataset in in_status:
            return dataset, behind
    for dataset, behind in parted:
        if dataset and _is_answered(path, model, dataset):
            return dataset, behind
    if timestamp_label(path) is None and read_dataset_name(rest, known) is None:
        return None
    last = rest.rpartition("_")[2]
    judge = next((one for one in _JUDGES if rest.endswith(f"_{one}")), last)
    is_judge = judge in _JUDGES or "-" in judge
    if not is_judge or judge == rest or rest.lower() in known_benchmarks.named():
        return rest, ""
    return rest.removesuffix(f"_{judge}"), judge


def _is_answered(path: Path, model: str, dataset: str) -> bool:
    return any(path.with_name(f"{model}_{dataset}{kind}").is_file() for kind in _ANSWERS)


def _datasets(path: Path) -> Mapping[str, Any]:
    """What `status.json` next to a file says of each dataset; nothing where it cannot be read."""
    status = path.with_name(STATUS)
    try:
        stat = status.stat()
    except OSError:
        return {}
    if stat.st_size > _MAX_STATUS_BYTES:
        return {}
    return _read_status(status, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=8)
def _read_status(status: Path, _changed: int, _size: int) -> Mapping[str, Any]:
    try:
        content = json.loads(status.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    datasets = content.get("datasets") if isinstance(content, dict) else None
    return datasets if isinstance(datasets, dict) else {}


def _judge_in_status(path: Path, dataset: str) -> str | None:
    of_dataset = _datasets(path).get(dataset)
    judge = of_dataset.get("judge_model") if isinstance(of_dataset, dict) else None
    return judge.strip() or None if isinstance(judge, str) else None


KIND = "vlmevalkit_figures"
COLUMNS = ("metric", "value")

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_MISSING = frozenset(("", "nan", "NaN", "None", "NA", "N/A", "n/a", "null", "NULL", "<NA>"))
"""What pandas takes for no value at all."""
_HEAD = 4096
_ROWS = frozenset(("index", "question_id", "question_key", "question", "prediction", "log"))
"""Columns of which a file of a row per question has one."""
_ABOUT = frozenset(("overall", "category", "split", "task"))
"""Columns by which a table of figures is known, whatever its name."""


def kind_of_text(path: Path) -> str | None:
    """`vlmevalkit_figures` if a file is named as a score file and holds no row per question.

    Any map by id is JSON like that of figures, so there the name has to say of which run they are.
    """
    if ending(path) not in READ or not holds_figures(path):
        return None
    return KIND if path.suffix != ".json" or read(path) is not None else None


def holds_figures(path: Path) -> bool:
    """Whether a file whose name ends as a score file's holds figures, by its beginning."""
    begin = head(path).lstrip()
    if not begin:
        return False
    if path.suffix == ".json":
        return not any(f'"{name}"' in begin for name in _ROWS)
    line = begin.splitlines()[0]
    header = {
        cell.strip().lower() for cell in next(csv.reader([line], delimiter=_delimiter(path)), [])
    }
    return not header & _ROWS and (bool(header & _ABOUT) or read(path) is not None)


def cells(path: Path) -> dict[str, list[str | None]]:
    """The figures as columns of text; a value of None is a cell without a number.

    Raises:
        InputError: the file is broken, or no cell of it is a number.
    """
    found = _of_json(path) if path.suffix == ".json" else _of_table(path, *_csv(path))
    if all(value is None for value in found.values()):
        raise InputError(path, "holds no figure: nothing in it is a number")
    for row, metric in enumerate(found, start=1):
        try:
            metric.encode()
        except UnicodeEncodeError as error:
            raise InputError(path, f"cannot be read: {error}", row=row, field="metric") from error
    return {"metric": list(found), "value": list(found.values())}


def head(path: Path) -> str:
    """The beginning of a text file; '' if it cannot be opened."""
    try:
        with path.open("rb") as file:
            return file.read(_HEAD).decode("utf-8-sig", errors="replace")
    except OSError:
        return ""


def _delimiter(path: Path) -> str:
    return "\t" if path.suffix == ".tsv" else ","


def _csv(path: Path) -> tuple[list[str], list[list[str]]]:
    """The header and the rows of a table."""
    csv.field_size_limit(sys.maxsize)
    rows: list[list[str]] = []
    try:
        for cells_of_row in csv.reader(text_lines(path), delimiter=_delimiter(path), strict=True):
            if cells_of_row:
                rows.append(cells_of_row)
    except csv.Error as error:
        raise InputError(path, f"broken quoting, or cut off: {error}", row=len(rows)) from error
    if len(rows) < 2:
        raise InputError(path, "has a header, but no rows")
    header = [name.strip() for name in rows.pop(0)]
    for place, name in enumerate(header):
        if name in header[:place]:
            raise InputError(path, "the column stands twice in the header", row=0, field=name)
    for row, cells_of_row in enumerate(rows, start=1):
        if len(cells_of_row) != len(header):
            missing = header[len(cells_of_row) :]
            raise InputError(
                path,
                f"has {len(cells_of_row)} fields where the header names {len(header)}",
                row=row,
                field=missing[0] if missing else None,
            )
    return header, rows


def _of_table(
    path: Path, header: Sequence[str], rows: Sequence[Sequence[Any]]
) -> dict[str, str | None]:
    columns = list(zip(*rows, strict=True))
    numeric = [any(_number(cell) is not None for cell in column) for column in columns]
    found: dict[str, str | None] = {}
    for number, row in enumerate(rows):
        about = [
            f"{_key(name)}={str(cell).strip()}"
            for name, is_numeric, cell in zip(header, numeric, row, strict=True)
            if not is_numeric and not _is_missing(cell) and str(cell).strip()
        ]
        for name, is_numeric, cell in zip(header, numeric, row, strict=True):
            # A column of numbers without a name is pandas' own count of the rows.
            if is_numeric and name:
                metric = "|".join((*about, _key(name)))
                found[f"{metric}#{number}" if metric in found else metric] = _number(cell)
    return found


def _of_json(path: Path) -> dict[str, str | None]:
    try:
        content = json.loads(
            whole_text(path),
            object_pairs_hook=pairs,
            parse_int=_Written,
            parse_float=_Written,
            parse_constant=lambda _: None,
        )
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"not valid JSON, or cut off: {error}") from error
    _refuse_repeated(path, content, 1)
    if _is_table(content):
        names = list(dict.fromkeys(name for record in content for name in record))
        return _of_table(path, names, [[one.get(name) for name in names] for one in content])
    if not isinstance(content, dict | list):
        raise InputError(path, "is JSON, but neither an object nor an array")
    found: dict[str, str | None] = {}
    for metric, value in _leaves(content, ""):
        found[f"{metric}#dup" if metric in found else metric] = value
    return found


class _Written(str):
    """A number of a JSON file as it is written there."""

    __slots__ = ()


def _is_table(content: object) -> bool:
    return (
        isinstance(content, list)
        and bool(content)
        and all(isinstance(record, dict) for record in content)
        and not any(isinstance(v, dict | list) for record in content for v in record.values())
    )


def _refuse_repeated(path: Path, content: object, row: int) -> None:
    """Refuse an object in which a key stands twice; `row` is the place in the outermost one."""
    if isinstance(content, Repeated):
        raise InputError(path, "the key stands twice", row=row, field=content.key)
    parts: Sequence[object] = ()
    if isinstance(content, Mapping):
        parts = list(content.values())
    elif isinstance(content, list):
        parts = content
    for part in parts:
        _refuse_repeated(path, part, row)


def _leaves(content: object, prefix: str) -> Iterator[tuple[str, str | None]]:
    if isinstance(content, Mapping):
        for name, value in content.items():
            yield from _leaves(value, _joined(prefix, _key(name)))
    elif isinstance(content, list):
        only = len(content) == 1 and _number(content[0]) is not None
        for place, value in enumerate(content):
            yield from _leaves(value, prefix if only else _joined(prefix, str(place)))
    else:
        yield prefix or "value", _number(content)


def _joined(prefix: str, name: str) -> str:
    return f"{prefix}|{name}" if prefix else name


def _key(name: str) -> str:
    return name.strip() or "value"


def _is_missing(cell: object) -> bool:
    return cell is None or (isinstance(cell, str) and cell in _MISSING)


def _number(cell: object) -> str | None:
    """A cell as it is written, if it is a number."""
    text = cell.strip() if isinstance(cell, str) else ""
    return text if _NUMBER.fullmatch(text) else None
