"""Two datasets, or files as datasets, side by side for the view `dataset_diff`.

The facts of a warehouse hold one text of a question, so two files that state it differently are
read into a copy, each as a dataset of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from evalhouse.api import Warehouse
from evalhouse.placing import rehearsing
from ingest.pipeline import ingest_file, prepare
from ingest.settings import Settings
from warehouse import statements
from warehouse.errors import UsageError

_SQL = statements.of_module(__file__)
_SIDES = ("one side of a comparison", "the other side of a comparison")


@dataclass(frozen=True)
class Side:
    """A dataset to compare, by its id here; `name` is what the user called it."""

    dataset_id: int
    name: str
    split: str | None


@contextmanager
def side_by_side(
    house: Warehouse,
    one: str,
    other: str,
    *,
    on_duplicate: str = "error",
    note: Callable[[str], None] = lambda text: None,
) -> Iterator[tuple[duckdb.DuckDBPyConnection, list[tuple[Side, Side]], list[str]]]:
    """A connection that knows both, the pairs to compare, and the names that have no counterpart.

    Args:
        house: where datasets are looked for; it is not changed.
        one: a dataset's name, or a file with questions.
        other: the same.
        on_duplicate: the same key twice in a file: error, or the first or last counts.
        note: callback, called with notes about the files, such as rows that were left out.

    Raises:
        UsageError: a name is neither, or the two have no split in common.
        InputError: a file cannot be read.
    """
    words = (one, other)
    with ExitStack() as stack:
        if not any(Path(word).is_file() for word in words):
            con = stack.enter_context(house.reading())
            sides = [_datasets(con, word) for word in words]
        else:
            copy = stack.enter_context(rehearsing(house))
            files = [Path(word) for word in words if Path(word).is_file()]
            con = stack.enter_context(copy.writing(files=files))
            sides = [
                _read(
                    con, Path(word), Settings(benchmark=benchmark, on_duplicate=on_duplicate), note
                )
                if Path(word).is_file()
                else _datasets(con, word)
                for word, benchmark in zip(words, _SIDES, strict=True)
            ]
            _make_comparable(con, sides)
        pairs = _pairs(*sides)
        if not pairs:
            raise UsageError(f"{one} and {other} have no split in common")
        paired = {side for pair in pairs for side in pair}
        rest = [side.name for side in (*sides[0], *sides[1]) if side not in paired]
        yield con, pairs, rest


def _datasets(con: duckdb.DuckDBPyConnection, word: str) -> list[Side]:
    """The dataset of that name, or all whose names begin with it and a slash."""
    rows = con.execute("SELECT dataset_id, name, split FROM main.dataset ORDER BY name").fetchall()
    sides = [Side(*row) for row in rows]
    exact = [side for side in sides if side.name.lower() == word.lower()]
    found = exact or [side for side in sides if side.name.lower().startswith(f"{word.lower()}/")]
    if not found:
        there = ", ".join(side.name for side in sides)
        raise UsageError(
            f"{word}: neither a file nor a dataset; the warehouse has {there or 'no datasets'}"
        )
    return found


def _read(
    con: duckdb.DuckDBPyConnection, path: Path, settings: Settings, note: Callable[[str], None]
) -> list[Side]:
    prepare(con)
    # A file of predictions states its questions too; whose they are does not matter here.
    report = ingest_file(con, path, replace(settings, model="-", run="-"))
    for text in report.notes:
        note(f"{path}: {text}")
    rows = con.execute(
        "SELECT dataset_id, split FROM main.dataset WHERE list_contains(?, name) ORDER BY name",
        [report.datasets],
    ).fetchall()
    return [
        Side(dataset_id, f"{path}/{split}" if len(rows) > 1 else str(path), split)
        for dataset_id, split in rows
    ]


def _make_comparable(con: duckdb.DuckDBPyConnection, sides: list[list[Side]]) -> None:
    """Let all be of one benchmark, as the view wants them."""
    ids = [side.dataset_id for group in sides for side in group]
    con.execute(_SQL["make_comparable"], {"first": ids[0], "all": ids})


def _pairs(one: list[Side], other: list[Side]) -> list[tuple[Side, Side]]:
    if len(one) == len(other) == 1:
        return [(one[0], other[0])]
    return [(a, b) for a in one for b in other if a.split == b.split]
