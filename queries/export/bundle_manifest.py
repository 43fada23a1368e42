"""The manifest of a leaderboard bundle: what its tables rest on, and how to make them again.

It names no path outside of the bundle and nothing of the machine. What is read is checked before it
is believed: a bundle can come from anywhere.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from queries.decimals import MAX_DIGITS
from queries.export.bundle_scores import CHOSEN, Scores
from warehouse.errors import InputError
from warehouse.files import reading, writing

NAME = "manifest.json"
KIND = "evalhouse leaderboard bundle"
FORMAT = 1
QUERY: Mapping[str, type] = {
    "benchmark": str,
    "level": str,
    "strategy": str,
    "judge": str,
    "average": str,
    "runs": str,
    "subset": str,
    "of": str,
}
"""The parameters of a table's boards in addition to the release; each has a value."""

_T = TypeVar("_T")


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
class Basis:
    """What a bundle's figures rest on.

    Attributes:
        facts: by table of facts, its rows and their hash.
        datasets: by name, the hashes of its content and of its answers.
        release: the name of the views.
        views: by file of the release, its sha256.
        judges: by name, who each of them is.
    """

    evalhouse: str
    duckdb: str
    schema_version: int
    facts: Mapping[str, str]
    datasets: Mapping[str, Mapping[str, str | None]]
    release: str
    views: Mapping[str, str]
    judges: Mapping[str, Mapping[str, Any]]


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


def digest(hashes: Mapping[str, str]) -> str:
    """One hash of several, by name."""
    listed = "".join(f"{name} {hashes[name]}\n" for name in sorted(hashes))
    return sha256(listed.encode()).hexdigest()


def write(folder: Path, manifest: Manifest) -> None:
    """Put the manifest into a bundle that is being written (`warehouse.files.writing.folder`)."""
    basis = asdict(manifest.basis)
    content = {
        "kind": KIND,
        "format": FORMAT,
        **{name: basis[name] for name in ("evalhouse", "duckdb", "schema_version")},
        "warehouse": {"content": digest(manifest.basis.facts), "tables": basis["facts"]},
        "datasets": basis["datasets"],
        "release": {
            "name": basis["release"],
            "content": digest(manifest.basis.views),
            "files": basis["views"],
        },
        "judges": basis["judges"],
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
        raise InputError(
            path,
            f"is of format {content.get('format')!r}, this evalhouse reads {FORMAT}",
            field="format",
        )
    warehouse, release = (_get(path, content, key, dict) for key in ("warehouse", "release"))
    datasets, judges = (_get(path, content, key, dict) for key in ("datasets", "judges"))
    for name, of_one in (("datasets", datasets), ("judges", judges)):
        for key in of_one:
            _get(path, of_one, key, dict, name)
    basis = Basis(
        evalhouse=_get(path, content, "evalhouse", str),
        duckdb=_get(path, content, "duckdb", str),
        schema_version=_get(path, content, "schema_version", int),
        facts=_texts(path, warehouse, "tables", "warehouse"),
        datasets=datasets,
        release=_get(path, release, "name", str, "release"),
        views=_texts(path, release, "files", "release"),
        judges=judges,
    )
    listed = _some(path, content, "tables")
    tables = tuple(_table(path, n, one) for n, one in enumerate(listed))
    scores = None
    if content.get("scores") is not None:
        scores = _scores(path, _get(path, content, "scores", dict))
    its_file = [scores.name] if scores else []
    for what, names in (
        ("file", [*(file.name for table in tables for file in table.files), *its_file]),
        ("table", [table.name for table in tables]),
    ):
        twice = next((name for name, n in Counter(names).items() if n > 1), None)
        if twice is not None:
            raise InputError(path, f"has the {what} {twice!r} twice", field="tables")
    return Manifest(basis, tables, scores, says_of_scores="scores" in content)


def _scores(path: Path, entry: dict[str, object]) -> Scores:
    chosen = _get(path, entry, "chosen", dict, "scores")
    lists = {name: _some(path, chosen, name, "scores.chosen") for name in CHOSEN}
    for name, values in lists.items():
        if not all(isinstance(value, str) for value in values):
            raise InputError(path, "is no list of texts", field=f"scores.chosen.{name}")
    return Scores(
        name=_file(path, "scores", entry | {"format": "csv"}).name,
        sha256=_get(path, entry, "sha256", str, "scores"),
        n_figures=_get(path, entry, "n_figures", int, "scores"),
        runs=_get(path, entry, "runs", str, "scores"),
        chosen={name: tuple(map(str, values)) for name, values in lists.items()},
    )


def _table(path: Path, number: int, entry: object) -> Table:
    place = f"tables.{number}"
    query = _get(path, entry, "query", dict, place)
    for name, kind in QUERY.items():
        _get(path, query, name, kind, f"{place}.query")
    for name in query:
        if name not in QUERY:
            raise InputError(path, "boards have no such parameter", field=f"{place}.query.{name}")
    datasets = _some(path, entry, "datasets", place)
    if not all(isinstance(name, str) for name in datasets):
        raise InputError(path, "a dataset's name is a text", field=f"{place}.datasets")
    digits = _get(path, entry, "digits", int, place)
    if not 0 <= digits <= MAX_DIGITS:
        raise InputError(path, f"is not from 0 to {MAX_DIGITS}", field=f"{place}.digits")
    files = _some(path, entry, "files", place)
    return Table(
        name=_get(path, entry, "name", str, place),
        query=query,
        digits=digits,
        datasets=tuple(map(str, datasets)),
        n_figures=_get(path, entry, "n_figures", int, place),
        files=tuple(_file(path, f"{place}.files.{n}", one) for n, one in enumerate(files)),
    )


def _file(path: Path, place: str, entry: object) -> File:
    name = _get(path, entry, "name", str, place)
    # Wherever the bundle came from, only files inside of it are opened.
    inside = path.parent / name
    if (
        name in ("", ".", "..")
        or any(mark in name for mark in "/\\\x00:")
        or os.path.dirname(os.path.realpath(inside)) != os.path.realpath(path.parent)  # noqa: PTH120
    ):
        raise InputError(path, f"{name!r} is no file in this folder", field=f"{place}.name")
    return File(
        name=name,
        format=_get(path, entry, "format", str, place),
        sha256=_get(path, entry, "sha256", str, place),
    )


def _some(path: Path, fields: object, key: str, place: str = "") -> list[object]:
    """A list that is not empty: an empty one would verify nothing."""
    found = _get(path, fields, key, list, place)
    if not found:
        raise InputError(path, "is empty", field=f"{place}.{key}" if place else key)
    return found


def _texts(path: Path, fields: object, key: str, place: str) -> dict[str, str]:
    found = _get(path, fields, key, dict, place)
    for name in found:
        _get(path, found, name, str, f"{place}.{key}")
    return found


def _get(path: Path, fields: Any, key: str, kind: type[_T], place: str = "") -> _T:
    value = fields.get(key) if isinstance(fields, dict) else None
    # True is an int to Python.
    is_bad = isinstance(value, int) and (isinstance(value, bool) or abs(value) >= 2**63)
    if not isinstance(value, kind) or is_bad:
        field = f"{place}.{key}" if place else key
        raise InputError(path, f"the manifest has no {kind.__name__} there", field=field)
    return value
