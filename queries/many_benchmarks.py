"""Boards of many benchmarks: models by figures, their mean and mean rank.

A board is a TOML file: `title`, names for the columns `mean` and `rank` (left out: none), and for
each `[[column]]` a `name`, a `scale` and the figures `of` which it is the mean, each with a
`benchmark`, and `version`, `split`, `language` and `figure` where there are several.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from queries import session, shown
from queries.choosing import NONE, default_judges
from queries.install import LATEST
from warehouse.errors import UsageError
from warehouse.files import reading
from warehouse.later import pl
from warehouse.toml_table import Table

SHIPPED = Path(__file__).parent / "boards"
UNSCORED = "no rule reads, and no judge has graded, the answers to"
ASK = "`evalhouse judge` asks a judge"
_PLACE = ("version", "split", "language")


@dataclass(frozen=True)
class Figure:
    """A benchmark's figure that a column takes in; None: any version, split and so on."""

    benchmark: str
    version: str | None = None
    split: str | None = None
    language: str | None = None
    figure: str | None = None


@dataclass(frozen=True)
class Column:
    """A column: the mean of figures, times the scale."""

    name: str
    of: tuple[Figure, ...]
    scale: float = 1.0


@dataclass(frozen=True)
class Definition:
    """A board as its file declares it; `mean` and `rank` head columns of their own, or are None."""

    title: str
    columns: tuple[Column, ...]
    mean: str | None = None
    rank: str | None = None


@dataclass(frozen=True)
class Entry:
    """A cell.

    Attributes:
        score: the figure; NULL while pending.
        low, high: its bounds while verdicts are pending.
        n, n_answered: questions of its datasets, and those with an answer.
        n_unread: answers that no rule and no judge could read; they count 0.
    """

    score: float | None
    low: float
    high: float
    n: int
    n_answered: int
    n_unread: int


@dataclass(frozen=True)
class Line:
    """A model: an entry per column, None where it has no run; the mean and mean rank over all
    columns, None where one is missing or pending; the mean's bounds while verdicts are pending."""

    model: str
    entries: tuple[Entry | None, ...]
    mean: float | None
    mean_rank: float | None
    mean_low: float | None
    mean_high: float | None


@dataclass(frozen=True)
class ManyBoard:
    """A board with its lines, best mean first.

    Attributes:
        judges: the judge of each column, or those of its figures with commas between; None: no run.
        hidden: of each column that has no figure for it, the questions without a right answer here.
        unscored: data sets, or columns, with answers that no rule reads and no judge has graded.
    """

    definition: Definition
    release: str
    judges: tuple[str | None, ...]
    lines: tuple[Line, ...]
    hidden: tuple[int, ...]
    unscored: tuple[str, ...] = ()

    def __repr__(self) -> str:
        n, m = len(self.lines), len(self.definition.columns)
        return (
            f"<ManyBoard {self.definition.title} · release {self.release}: "
            f"{n:,} {'model' if n == 1 else 'models'}, {m:,} {'column' if m == 1 else 'columns'}>"
        )

    def _repr_html_(self) -> str:
        return shown.html(self)

    def to_polars(self) -> pl.DataFrame:
        """A row per model and column, unrounded: `score`, its bounds, the judge and what it rests on."""
        return shown.frame(self)


def shipped_names() -> tuple[str, ...]:
    """The boards that come with the package."""
    return tuple(sorted(path.stem for path in SHIPPED.glob("*.toml")))


def load(name_or_file: str) -> Definition:
    """A shipped board by name, or a user's own by its file.

    Raises:
        UsageError: there is no such board or file.
        InputError: the file says what cannot be; the message names the key and the row.
    """
    path = SHIPPED / f"{name_or_file}.toml" if name_or_file in shipped_names() else None
    if path is None:
        path = Path(name_or_file)
        if path.suffix != ".toml" or not path.is_file():
            raise UsageError(
                f"no board {name_or_file!r}: neither one of {', '.join(shipped_names())} nor a .toml file"
            )
    given = Table(reading.toml_table(path, inside=path.parent), str(path))
    given.allow({"title", "mean", "rank", "column"})
    columns = tuple(_column(one) for one in given.tables("column"))
    if not columns:
        raise given.error("column", "is missing: a board has at least one [[column]]")
    return Definition(given.word("title"), columns, given.word_if("mean"), given.word_if("rank"))


def _column(given: Table) -> Column:
    given.allow({"name", "of", "scale"})
    of = tuple(_figure(one) for one in given.tables("of"))
    if not of:
        raise given.error("of", "is missing: the figures of which the column is the mean")
    scale = given.number("scale", at_least=0)
    return Column(given.word("name"), of, 1.0 if scale is None else scale)


def _figure(given: Table) -> Figure:
    given.allow({"benchmark", "version", "split", "language", "figure"})
    return Figure(
        given.word("benchmark"),
        given.word_if("version"),
        given.word_if("split"),
        given.word_if("language"),
        given.word_if("figure"),
    )


def board(
    con: duckdb.DuckDBPyConnection,
    name_or_file: str | None,
    *,
    release: str = LATEST,
    judge: str | None = None,
) -> ManyBoard:
    """Models by figures, of each model's latest run of each dataset.

    Args:
        name_or_file: of a board; None: a column for the main figure of every dataset there is, shares
            in percent.
        judge: for the columns that have figures under it; the others are under their datasets' own
            (default_judge).

    Raises:
        UsageError: no such board or judge.
    """
    release = session.use_release(con, release)
    rows = session.frame(con, "benchmark_scores").to_dicts()
    scored = {row["dataset"] for row in rows}
    datasets = session.frame(con, "board_datasets").rows()
    unscored = [(benchmark, name) for benchmark, name in datasets if name not in scored]
    if name_or_file is None and not rows and unscored:
        raise UsageError(f"{UNSCORED} {', '.join(name for _, name in unscored)}; {ASK}")
    definition = load(name_or_file) if name_or_file is not None else _of_everything(con, rows)
    if judge is not None and not any(row["judge"] == judge for row in rows):
        known = sorted({str(row["judge"]) for row in rows})
        raise UsageError(f"no judge {judge!r}; there are {', '.join(known)}")
    defaults = default_judges(con)
    judges = []
    columns = []
    for column in definition.columns:
        chosen, entries = _entries(column, rows, judge, defaults)
        judges.append(chosen)
        columns.append(entries)
    models = sorted({model for entries in columns for model in entries})
    ranks = [_ranks(entries) for entries in columns]
    lines = []
    for model in models:
        cells = tuple(entries.get(model) for entries in columns)
        scores = [cell.score for cell in cells if cell is not None and cell.score is not None]
        places = [of_column[model] for of_column in ranks if model in of_column]
        is_whole = len(scores) == len(cells)
        there = [cell for cell in cells if cell is not None]
        has_all = len(there) == len(cells)
        lines.append(
            Line(
                model,
                cells,
                sum(scores) / len(scores) if is_whole else None,
                sum(places) / len(places) if is_whole else None,
                sum(cell.low for cell in there) / len(there) if has_all else None,
                sum(cell.high for cell in there) / len(there) if has_all else None,
            )
        )
    lines.sort(key=lambda line: (line.mean_low is None, -(line.mean_low or 0), line.model))
    hidden = tuple(_hidden(column, rows) for column in definition.columns)
    if name_or_file is None:
        without = tuple(name for _, name in unscored)
    else:
        benchmarks = {benchmark.lower() for benchmark, _ in unscored}
        without = tuple(
            column.name
            for column, chosen in zip(definition.columns, judges, strict=True)
            if chosen is None and any(one.benchmark.lower() in benchmarks for one in column.of)
        )
    return ManyBoard(definition, release, tuple(judges), tuple(lines), hidden, without)


def _of_everything(con: duckdb.DuckDBPyConnection, rows: Sequence[dict[str, Any]]) -> Definition:
    """A column per dataset: its main figure as declared, and a share in percent."""
    others = set(session.frame(con, "other_figures").rows())
    datasets: dict[str, Column] = {}
    for row in rows:
        if row["figure"] == _main(rows, row["benchmark"]) and row["dataset"] not in datasets:
            place = {key: row[key] for key in _PLACE}
            datasets[row["dataset"]] = Column(
                row["dataset"],
                (Figure(row["benchmark"], **place, figure=row["figure"]),),
                1.0 if (row["benchmark"], row["figure"]) in others else 100.0,
            )
    if not datasets:
        raise UsageError("no run in this warehouse has a figure; ingest answers first")
    return Definition("Every benchmark", tuple(datasets.values()))


def _main(rows: Sequence[dict[str, Any]], benchmark: str) -> str:
    """A benchmark's main figure: the one called Overall, or the first."""
    figures = [row["figure"] for row in rows if row["benchmark"] == benchmark]
    return "Overall" if "Overall" in figures else str(figures[0])


def _entries(
    column: Column,
    rows: Sequence[dict[str, Any]],
    judge: str | None,
    defaults: Mapping[str, Mapping[str, str]],
) -> tuple[str | None, dict[str, Entry]]:
    """The judges of a column, and the cell of each model that has all its figures."""
    found: list[list[dict[str, Any]]] = []
    for figure in column.of:
        fitting = [row for row in rows if _fits(row, figure, rows)]
        datasets = sorted({str(row["dataset"]) for row in fitting})
        if len(datasets) > 1:
            raise UsageError(
                f"column {column.name}: {figure.benchmark} means {' and '.join(datasets)} here; its board "
                "has to say version, split or language"
            )
        found.append(fitting)
    judges = [{str(row["judge"]) for row in fitting} for fitting in found]
    if judge not in set.intersection(*judges):
        judge = None
    chosen: list[str] = []
    by_model: dict[str, list[dict[str, Any]]] = {}
    for fitting, offered in zip(found, judges, strict=True):
        its = judge or _judge(fitting, offered, defaults)
        chosen += [] if its is None else [its]
        for row in (row for row in fitting if row["judge"] == its):
            by_model.setdefault(str(row["model"]), []).append(row)
    return ", ".join(dict.fromkeys(chosen)) or None, {
        model: _entry(column, of_model)
        for model, of_model in by_model.items()
        if len(of_model) == len(column.of) and all(r["score_low"] is not None for r in of_model)
    }


def _hidden(column: Column, rows: Sequence[dict[str, Any]]) -> int:
    """Questions without a right answer, where a column has no figures for them; else 0."""
    found = [row for row in rows if any(_fits(row, figure, rows) for figure in column.of)]
    if any(row["score_low"] is not None for row in found):
        return 0
    return sum({str(row["dataset"]): int(row["n_hidden"]) for row in found}.values())


def _fits(row: dict[str, Any], figure: Figure, rows: Sequence[dict[str, Any]]) -> bool:
    wanted = figure.figure or _main(rows, row["benchmark"])
    return (
        row["benchmark"].lower() == figure.benchmark.lower()
        and row["figure"] == wanted
        and all(getattr(figure, key) in (None, row[key]) for key in _PLACE)
    )


def _judge(
    fitting: Sequence[dict[str, Any]],
    offered: set[str],
    defaults: Mapping[str, Mapping[str, str]],
) -> str | None:
    """The judge of a figure: a default one of its dataset that it has a value under, or none."""
    its = defaults.get(fitting[0]["dataset"], {}).values() if fitting else ()
    return next((name for name in (*its, NONE) if name in offered), None)


def _entry(column: Column, rows: Sequence[dict[str, Any]]) -> Entry:
    low = column.scale * sum(row["score_low"] for row in rows) / len(rows)
    high = column.scale * sum(row["score_high"] for row in rows) / len(rows)
    return Entry(
        low if all(row["score"] is not None for row in rows) else None,
        low,
        high,
        sum(row["n"] for row in rows),
        sum(row["n_answered"] for row in rows),
        sum(row["n_unread"] for row in rows),
    )


def _ranks(entries: dict[str, Entry]) -> dict[str, int]:
    """Each model's place; those that score alike share the better one."""
    scores = {m: round(one.score, 9) for m, one in entries.items() if one.score is not None}
    return {
        model: 1 + sum(other > score for other in scores.values())
        for model, score in scores.items()
    }
