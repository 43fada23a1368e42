"""The manifest of a leaderboard bundle: what its tables rest on, and how to make them again.

It names no path outside of the bundle and nothing of the machine. What is read is checked before it
is believed: a bundle can come from anywhere. The named figures are one table of `benchmark_score`.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from itertools import count
from pathlib import Path
from typing import Any, cast, get_args, get_origin, get_type_hints

import duckdb

from queries import session
from queries.decimals import MAX_DIGITS
from queries.export.bundle_files import Cells
from queries.render.comma import csv_text
from warehouse.errors import InputError, UsageError
from warehouse.files import reading, writing

SCORES = "benchmark_score.csv"
_CHOSEN = ("dataset", "judge", "strategy", "figure", "level")
_VALUES = (
    *("score", "score_low", "score_high"),
    *("n", "n_answered", "n_missing", "n_pending", "n_unread"),
)
_COLUMNS = ("model", "run", *_CHOSEN, "ability", *_VALUES)
_Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class _Chosen:
    """The values that rows have: what is added to the warehouse later is no difference."""

    dataset: tuple[str, ...]
    judge: tuple[str, ...]
    strategy: tuple[str, ...]
    figure: tuple[str, ...]
    level: tuple[str, ...]


@dataclass(frozen=True)
class Scores:
    """What the manifest says of the table; `runs` is latest (each model's) or all."""

    name: str
    sha256: str
    n_figures: int
    runs: str
    chosen: _Chosen


def rows(con: duckdb.DuckDBPyConnection, chosen: Mapping[str, Collection[str]], runs: str) -> _Rows:
    """The named figures of the release in use; a column that is not in `chosen` can have any value.

    Raises:
        UsageError: the release has none.
    """
    try:
        found = session.records(con, "bundle_scores", {"all_runs": runs == "all"})
    except duckdb.CatalogException as error:
        raise UsageError("the release has no named figures") from error
    wanted = {name: frozenset(values) for name, values in chosen.items()}
    return [row for row in found if all(row[name] in values for name, values in wanted.items())]


def content(found: _Rows) -> bytes:
    """The rows as a file."""
    lines = [[_text(row[name]) for name in _COLUMNS] for row in found]
    return (csv_text([_COLUMNS, *lines]) + "\n").encode()


def cells(said: bytes) -> Cells:
    """The figures of a file by dataset, run and figure.

    Raises:
        ValueError: it is no such table.
    """
    found: Cells = {}
    try:
        read = csv.DictReader(io.StringIO(said.decode(), newline=""), strict=True)
        if tuple(read.fieldnames or ()) != _COLUMNS:
            raise ValueError("its columns are others")
        for row in read:
            place = "" if row["level"] == "overall" else f" of {row['level']} {row['ability']}"
            figure = f"{row['figure']}{place} (judge {row['judge']}, {row['strategy']})"
            key = row["dataset"], f"{row['model']} ({row['run']})", figure
            if key in found:
                raise ValueError("a row stands twice")
            found[key] = {name: row[name] for name in _VALUES}
    except (ValueError, csv.Error) as error:
        raise ValueError(f"is no table of named figures: {error}") from error
    return found


def chosen_of(found: _Rows) -> _Chosen:
    """The values that rows have in the columns of which the manifest lists them."""
    return _Chosen(**{name: tuple(dict.fromkeys(row[name] for row in found)) for name in _CHOSEN})


def n_figures(found: _Rows) -> int:
    """How many scores there are."""
    return sum(row["score"] is not None for row in found)


def _text(value: object) -> str:
    if value is None:
        return ""
    # The last digits of a sum depend on the order of its parts.
    return f"{value:.12g}" if isinstance(value, float) else str(value)


NAME = "manifest.json"
KIND = "evalhouse leaderboard bundle"
FORMAT = 1
QUERY = ("benchmark", "level", "strategy", "judge", "average", "runs", "subset", "of")
"""The parameters of a table's boards in addition to the release; each has a value."""


@dataclass(frozen=True)
class File:
    """A file of a table: its name in the bundle, one of `queries.render.FORMATS`, its bytes'
    sha256."""

    name: str
    format: str
    sha256: str


@dataclass(frozen=True)
class Table:
    """The boards of one query, and the files that show them.

    Attributes:
        query: the arguments of `queries.leaderboard.boards`, by the names in QUERY.
        digits: decimals of percentages.
        datasets: of whose boards it consists.
        n_figures: scores that it shows.
    """

    name: str
    query: Mapping[str, str]
    digits: int
    datasets: tuple[str, ...]
    n_figures: int
    files: tuple[File, ...]


@dataclass(frozen=True)
class Facts:
    """By table of facts, its rows and their hash."""

    tables: Mapping[str, str]


@dataclass(frozen=True)
class Views:
    """A release: its name, and by file its sha256."""

    name: str
    files: Mapping[str, str]


@dataclass(frozen=True)
class Basis:
    """What a bundle's figures rest on, and what wrote its files.

    Attributes:
        datasets: by name, the hashes of its content and of its answers.
        judges: by name, who each of them is.
        libraries: by name, the version of each that files are written with; bundles of an earlier
            evalhouse do not say so.
    """

    evalhouse: str
    duckdb: str
    schema_version: int
    warehouse: Facts
    datasets: Mapping[str, Mapping[str, Any]]
    release: Views
    judges: Mapping[str, Mapping[str, Any]]
    libraries: Mapping[str, str]


@dataclass(frozen=True)
class Manifest:
    """A bundle.

    Attributes:
        scores: its named figures; None: it has none.
        says_of_scores: whether it says so; bundles of an earlier evalhouse do not.
    """

    basis: Basis
    tables: tuple[Table, ...]
    scores: Scores | None = None
    says_of_scores: bool = True


def write(folder: Path, manifest: Manifest) -> None:
    """Put the manifest into a bundle that is being written (`warehouse.files.writing.folder`)."""
    content = {
        "kind": KIND,
        "format": FORMAT,
        **asdict(manifest.basis),
        "tables": [asdict(table) for table in manifest.tables],
        "scores": asdict(manifest.scores) if manifest.scores else None,
    }
    writing.fill(folder / NAME, json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def read(folder: Path) -> Manifest:
    """The manifest of a bundle.

    Raises:
        InputError: there is none, it is not whole, or it names a file outside of the bundle.
    """
    path = folder / NAME
    if not os.path.lexists(path):
        raise InputError(folder, f"is no bundle: it has no {NAME}")
    content = reading.json_value(path, inside=folder)
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise InputError(path, f"is no manifest of an {KIND}", field="kind")
    if content.get("format") != FORMAT:
        problem = f"is of format {content.get('format')!r}, this evalhouse reads {FORMAT}"
        wrote = content.get("evalhouse")
        by = f"; evalhouse {wrote}, which wrote it, verifies it" if wrote else ""
        raise InputError(path, problem + by, field="format")
    content.setdefault("libraries", {})
    scores = content.get("scores")
    found = Manifest(
        _built(Basis, content, path, ""),
        _built(tuple[Table, ...], content.get("tables"), path, "tables"),
        None if scores is None else _built(Scores, scores, path, "scores"),
        says_of_scores="scores" in content,
    )
    named = {"scores.name": found.scores.name} if found.scores else {}
    for n, table in enumerate(found.tables):
        for name in QUERY:
            _built(str, table.query.get(name), path, f"tables.{n}.query.{name}")
        for name in table.query.keys() - set(QUERY):
            place = f"tables.{n}.query.{name}"
            raise InputError(path, "boards have no such parameter", field=place)
        if not 0 <= table.digits <= MAX_DIGITS:
            raise InputError(path, f"is not from 0 to {MAX_DIGITS}", field=f"tables.{n}.digits")
        named |= {f"tables.{n}.files.{m}.name": file.name for m, file in enumerate(table.files)}
    for place, name in named.items():
        _require_inside(path, name, place)
    for what, names in ("file", named.values()), ("table", [one.name for one in found.tables]):
        twice = next((name for name, n in Counter(names).items() if n > 1), None)
        if twice is not None:
            raise InputError(path, f"has the {what} {twice!r} twice", field="tables")
    return found


def _require_inside(path: Path, name: str, place: str) -> None:
    """Wherever the bundle came from, only files inside of it are opened."""
    if (
        name in ("", ".", "..")
        or any(mark in name for mark in "/\\\x00:")
        or os.path.dirname(os.path.realpath(path.parent / name)) != os.path.realpath(path.parent)  # noqa: PTH120
    ):
        raise InputError(path, f"{name!r} is no file in this folder", field=place)


def _built(kind: Any, value: Any, path: Path, place: str) -> Any:
    """A value as its annotation says: a dataclass, a mapping, a tuple, a text or a number."""
    if kind is Any:
        return value
    shape = {Mapping: dict, tuple: list}.get(get_origin(kind), dict if is_dataclass(kind) else kind)
    # True is an int to Python.
    is_bad = isinstance(value, int) and (isinstance(value, bool) or abs(value) >= 2**63)
    if not isinstance(value, shape) or is_bad:
        raise InputError(path, f"the manifest has no {shape.__name__} there", field=place)
    dot = f"{place}." if place else ""
    if is_dataclass(kind):
        hints = get_type_hints(kind).items()
        return cast(type, kind)(**{n: _built(t, value.get(n), path, dot + n) for n, t in hints})
    if shape is dict:
        return {n: _built(get_args(kind)[1], each, path, dot + n) for n, each in value.items()}
    if shape is list and not value:
        # An empty one would verify nothing.
        raise InputError(path, "is empty", field=place)
    if shape is list:
        of = get_args(kind)[0]
        places = (place if of is str else f"{dot}{n}" for n in count())
        return tuple(_built(of, each, path, one) for each, one in zip(value, places, strict=False))
    return value
