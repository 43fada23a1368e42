"""How the score files of MM-Vet that were read are laid out, so that one written again is the same
file.

The official script joins Python sets, whose order is another in each process: a published file's
order and spelling follow from nothing, and are taken from it. A file may also hold several models'
rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath

import duckdb

from queries import session

_TOTALS = ("total", "std", "runs")


@dataclass(frozen=True)
class Shape:
    """A score file that was read: its name, the abilities of its header, and the models of its
    rows."""

    name: str
    columns: tuple[str, ...]
    models: tuple[str, ...]


def shapes(con: duckdb.DuckDBPyConnection) -> tuple[Shape, ...]:
    """Those of the files that were read, the newest first."""
    found = []
    for path, flags, names in session.frame(con, "mmvet_published").iter_rows():
        # A file that an earlier evalhouse read has no header noted.
        header = (json.loads(flags).get("columns") or [])[1:]
        columns = tuple(column for column in header if column not in _TOTALS)
        found.append(Shape(PurePath(path.replace("\\", "/")).name, columns, tuple(names)))
    return tuple(found)


def spelled(columns: Sequence[str], shape: Shape | None) -> dict[str, str]:
    """The columns of a file, in its order, and what stands above each.

    Args:
        columns: ours, in the order and the spelling of the taxonomy.
        shape: a file with columns of these, in any order and spelling; None: there is none.
    """
    if shape is None:
        return {column: column for column in columns}
    ours = {_set(column): column for column in columns}
    theirs = {ours[_set(one)]: one for one in shape.columns if _set(one) in ours}
    if len(theirs) == len(columns):
        return theirs
    return {column: theirs.get(column, column) for column in columns}


def like(shapes: Iterable[Shape], columns: Sequence[str], model: str) -> Shape | None:
    """The newest file of these abilities that has the model's row."""
    wanted = {_set(column) for column in columns}
    return next(
        (
            shape
            for shape in shapes
            if model in shape.models and wanted <= {_set(one) for one in shape.columns}
        ),
        None,
    )


def _set(column: str) -> tuple[str, ...]:
    return tuple(sorted(column.lower().split("_")))
