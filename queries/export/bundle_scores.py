"""The named figures of a bundle: one table of `benchmark_score`, computed again by `verify`."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import duckdb

from queries import session
from queries.export.bundle_files import Cells
from queries.render.comma import csv_text
from warehouse.errors import UsageError

NAME = "benchmark_score.csv"
_CHOSEN = ("dataset", "judge", "strategy", "figure", "level")
_VALUES = (
    *("score", "score_low", "score_high"),
    *("n", "n_answered", "n_missing", "n_pending", "n_unread"),
)
_COLUMNS = ("model", "run", *_CHOSEN, "ability", *_VALUES)
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Chosen:
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
    chosen: Chosen


def rows(con: duckdb.DuckDBPyConnection, chosen: Mapping[str, Collection[str]], runs: str) -> Rows:
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


def content(found: Rows) -> bytes:
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


def chosen_of(found: Rows) -> Chosen:
    """The values that rows have in the columns of which the manifest lists them."""
    return Chosen(**{name: tuple(dict.fromkeys(row[name] for row in found)) for name in _CHOSEN})


def n_figures(found: Rows) -> int:
    """How many scores there are."""
    return sum(row["score"] is not None for row in found)


def _text(value: object) -> str:
    if value is None:
        return ""
    # The last digits of a sum depend on the order of its parts.
    return f"{value:.12g}" if isinstance(value, float) else str(value)
