"""The named figures of a bundle: one table of `benchmark_score`, computed again by `verify`."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import duckdb

from queries import session
from queries.render.comma import csv_text
from warehouse.errors import UsageError

NAME = "benchmark_score.csv"
CHOSEN = ("dataset", "judge", "strategy", "figure", "level")
"""The columns whose values the manifest lists: what is added to the warehouse later is no difference."""
_KEY = ("model", "run", *CHOSEN, "ability")
_VALUES = (
    *("score", "score_low", "score_high"),
    *("n", "n_answered", "n_missing", "n_pending", "n_unread"),
)
DATASET = _KEY.index("dataset")
_COLUMNS = (*_KEY, *_VALUES)
Rows = dict[tuple[str, ...], dict[str, str]]
"""By the columns of _KEY, the others."""


@dataclass(frozen=True)
class Scores:
    """What the manifest says of the table.

    Attributes:
        chosen: by the names in CHOSEN, the values that its rows have.
        runs: latest (each model's) or all.
    """

    name: str
    sha256: str
    n_figures: int
    runs: str
    chosen: Mapping[str, tuple[str, ...]]


def rows(con: duckdb.DuckDBPyConnection, chosen: Mapping[str, Collection[str]], runs: str) -> Rows:
    """The named figures of the release in use; a column that is not in `chosen` can have any value.

    Raises:
        UsageError: the release has none.
    """
    parameters = {"all_runs": runs == "all"}
    wanted = {name: frozenset(values) for name, values in chosen.items()}
    try:
        found = session.records(con, "bundle_scores", parameters)
    except duckdb.CatalogException as error:
        raise UsageError("the release has no named figures") from error
    return {
        tuple(str(row[name]) for name in _KEY): {name: _text(row[name]) for name in _VALUES}
        for row in found
        if all(row[name] in values for name, values in wanted.items())
    }


def content(found: Rows) -> bytes:
    """The rows as a file."""
    lines = [(*key, *(row[name] for name in _VALUES)) for key, row in found.items()]
    return (csv_text([_COLUMNS, *lines]) + "\n").encode()


def read(said: bytes) -> Rows:
    """The rows of a file.

    Raises:
        ValueError: it is no such table.
    """
    try:
        header, *lines = csv.reader(io.StringIO(said.decode(), newline=""), strict=True)
        if tuple(header) != _COLUMNS:
            raise ValueError("its columns are others")
        n_keys = len(_KEY)
        found = {
            tuple(line[:n_keys]): dict(zip(_VALUES, line[n_keys:], strict=True)) for line in lines
        }
        if len(found) != len(lines):
            raise ValueError("a row stands twice")
    except (ValueError, csv.Error) as error:
        raise ValueError(f"is no table of named figures: {error}") from error
    return found


def chosen_of(found: Rows) -> dict[str, tuple[str, ...]]:
    """The values that rows have in the columns of CHOSEN."""
    return {
        name: tuple(dict.fromkeys(key[place] for key in found))
        for place, name in enumerate(_KEY)
        if name in CHOSEN
    }


def n_figures(found: Rows) -> int:
    """How many scores there are."""
    return sum(bool(row["score"]) for row in found.values())


def named(key: tuple[str, ...]) -> tuple[str, str, str]:
    """The dataset, row and column by which a difference names a figure."""
    model, run, dataset, judge, strategy, figure, level, ability = key
    place = "" if level == "overall" else f" of {level} {ability}"
    return dataset, f"{model} ({run})", f"{figure}{place} (judge {judge}, {strategy})"


def _text(value: object) -> str:
    if value is None:
        return ""
    # The last digits of a sum depend on the order of its parts.
    return f"{value:.12g}" if isinstance(value, float) else str(value)
