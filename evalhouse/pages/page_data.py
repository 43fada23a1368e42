"""What the pages show, read from the views: plain rows for templates, nothing computed here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import duckdb
import polars as pl

from evalhouse.pages.choices import CellChoices
from evalhouse.pages.computing import work_of_boards
from queries import choosing, install, leaderboard, many_benchmarks, paired, session, show, studies
from queries import release as releases
from queries.board import Board
from queries.options import BoardOptions, CompareOptions
from queries.render.boards import many_table
from queries.render.pairs import comparison_table
from queries.render.printed import Printed
from warehouse.benchmark import STRATEGIES_OF
from warehouse.errors import EvalhouseError, UsageError

Row = dict[str, Any]

_OTHER = {"question_key": pl.String, "score": pl.Float64}
MOST_DISAGREEMENTS = 500
MOST_SUSPECTS = 500
MOST_OFFERED = 500
"""Runs or models that a page offers in a list; of more, one is written."""


def overview(
    con: duckdb.DuckDBPyConnection, *, lines_from: int = 0, most: int | None = None
) -> Row:
    """Benchmarks, runs (`most` of them, and in `n_lines` how many there are), what is pending and what it
    cost."""
    session.use_release(con)
    its_runs = runs(con, lines_from=lines_from, most=most)
    benchmarks = rows(con, "page_benchmarks")
    return {
        "benchmarks": benchmarks,
        "runs": its_runs,
        "n_lines": its_runs[0]["n_lines"] if its_runs else 0,
        "pending": rows(con, "page_pending"),
        "facts": rows(con, "status_facts")[0],
        "costs": rows(con, "page_judge_cost"),
        "kept": work_of_boards(con).why,
        "all_benchmarks": _all_benchmarks(con, most) if len(benchmarks) > 1 else None,
    }


def runs(
    con: duckdb.DuckDBPyConnection,
    *,
    dataset: str | None = None,
    model: str | None = None,
    lines_from: int = 0,
    most: int | None = None,
) -> list[Row]:
    """The runs that count, of a dataset or model, or all; each says how many there are, as `n_lines`."""
    given = {"dataset": dataset, "model": model, "lines_from": lines_from, "most": most}
    return rows(con, "page_runs", **given)


def _all_benchmarks(con: duckdb.DuckDBPyConnection, most: int | None) -> Printed | None:
    """Models by benchmarks, the first `most` of them."""
    try:
        found = many_benchmarks.board(con, None)
    except UsageError:
        # Such as no figure at all.
        return None
    if not found.lines:
        return None
    table = many_table(found, digits=1)
    n = len(table.rows)
    if most is None or n <= most:
        return table
    note = f"{most:,} of {n:,} models are shown; `evalhouse board --all` prints all."
    return replace(table, rows=table.rows[:most], notes=(*table.notes, note))


def boards(con: duckdb.DuckDBPyConnection, chosen: BoardOptions) -> tuple[Board, ...]:
    """The boards of a benchmark, as the command has them.

    Raises:
        UsageError: no run fits.
    """
    found = leaderboard.boards(con, chosen)
    if not found:
        raise UsageError(f"no run of {chosen.benchmark} fits")
    return found


def board_options(con: duckdb.DuckDBPyConnection, benchmark: str) -> Row:
    """What a benchmark's board can be seen under."""
    name, strategy, average, task, benchmark_id = choosing.choose_benchmark(con, benchmark)
    session.use_release(con)
    datasets = rows(con, "page_subsets", benchmark=name)
    groups = choosing.groups_of(con, benchmark_id)
    return {
        "name": name,
        "task": task,
        "its_strategy": strategy,
        "its_average": average,
        "levels": ["overall", *choosing.levels_of(con, benchmark_id)],
        "strategies": [*STRATEGIES_OF[task], *groups],
        "judges": list(choosing.judges_of_board(con, benchmark_id, task, strategy)),
        "splits": _each(datasets, "split"),
        "versions": _each(datasets, "version"),
        "languages": _each(datasets, "language"),
        "subsets": list(
            dict.fromkeys(["all", *(one for row in datasets for one in row["subsets"] or ())])
        ),
        "releases": ["latest", *sorted({*install.installed(con), *releases.shipped_names()})],
    }


def _each(found: Sequence[Row], name: str) -> list[str]:
    return list(dict.fromkeys(row[name] for row in found if row[name] is not None))


def settled(con: duckdb.DuckDBPyConnection, chosen: CellChoices) -> tuple[CellChoices, Row]:
    """A cell with its strategy, and what it is of.

    Raises:
        UsageError: no such run or ability.
    """
    session.use_release(con, chosen.release)
    found = rows(con, "page_ability", run=chosen.run, ability=chosen.ability)
    if not found:
        raise UsageError(f"no run {chosen.run} with an ability {chosen.ability}")
    return replace(chosen, strategy=chosen.strategy or found[0]["strategy"]), found[0]


def questions(
    con: duckdb.DuckDBPyConnection,
    chosen: CellChoices,
    *,
    most: int,
    page: int = 1,
    around: int | None = None,
) -> list[Row]:
    """Some questions of a cell, in the dataset's order: each knows its place and those next to it.

    The release is in use, the strategy known.

    Args:
        most: how many there are on a page.
        page: which one; the last one where there are fewer.
        around: the question whose page it is instead; nothing where the cell has no such question.
    """
    _look_at_other(con, chosen)
    return rows(
        con,
        "page_questions",
        **_of_cell(chosen, [chosen.run], side=chosen.side if chosen.is_compared else None),
        most=most,
        page=page,
        question=around,
    )


def questions_of(
    con: duckdb.DuckDBPyConnection, chosen: CellChoices, runs: Sequence[int]
) -> list[Row]:
    """All of several runs, one after the other: they take about as long as one.

    Args:
        chosen: what is the same for all of them.
        runs: their numbers.
    """
    con.register("page_other", pl.DataFrame(schema=_OTHER))
    every = dict.fromkeys(("most", "page", "question"))
    return rows(con, "page_questions", **_of_cell(chosen, runs, side=None), **every)


def _look_at_other(con: duckdb.DuckDBPyConnection, chosen: CellChoices) -> None:
    """Let page_other be the scores that a cell's are compared with, which may be another release's."""
    found = pl.DataFrame(schema=_OTHER)
    if chosen.is_compared:
        session.use_release(con, chosen.vs_release or chosen.release)
        run = chosen.run if chosen.vs is None else chosen.vs
        its = {"run": run, "judge": chosen.vs_judge or chosen.judge, "strategy": chosen.strategy}
        found = session.frame(con, "page_scores", its)
        session.use_release(con, chosen.release)
    con.register("page_other", found)


def _of_cell(chosen: CellChoices, runs: Sequence[int], *, side: str | None) -> Row:
    return {
        **show.between(runs),
        "judge": chosen.judge,
        "strategy": chosen.strategy,
        "ability": chosen.ability,
        "subset": chosen.subset,
        "side": side,
        "show": chosen.show,
        "resolved_by": chosen.by,
        "pattern": chosen.pattern,
        "text": chosen.text,
    }


def details(
    con: duckdb.DuckDBPyConnection, task: str, runs: Sequence[int], question_ids: Sequence[int]
) -> dict[int, Row]:
    """Everything about some questions by their numbers, and what runs made of them: `answers`.

    The release is in use. Many questions and runs take about as long as one.

    Args:
        task: of their benchmark.
        runs: their numbers; none: the questions alone.
    """
    ids = list(question_ids)
    found = {row["question_id"]: row for row in rows(con, "page_question", questions=ids)}
    for row in found.values():
        row |= {"choices": {}, "hidden": set(), "answers": []}
    for choice in rows(con, "page_choices", questions=ids):
        its = found[choice["question_id"]]
        its["choices"].setdefault(choice["pass"], []).append(choice)
        if choice["is_hidden"]:
            its["hidden"].add(choice["pass"])
    with _of_this_release():
        said = show.of_runs(con, task, runs, ids)
    for answer in said:
        found[answer["question_id"]]["answers"].append(answer)
    return found


def model(
    con: duckdb.DuckDBPyConnection,
    name: str,
    other: str | None,
    *,
    readings: Sequence[Row] | None = None,
) -> Row:
    """A model: its scores next to another's, its runs, what is known of it, how it was read.

    Args:
        other: a model that it is shown next to; None: none.
        readings: those of all models (`page_model_reading`), where the pages of many are made.

    Raises:
        UsageError: no such model.
    """
    session.use_release(con)
    its_runs = runs(con, model=name)
    if not its_runs:
        raise UsageError(f"no model {name!r}")
    models = rows(con, "page_models", most=MOST_OFFERED + 1)
    facts = rows(con, "page_model_facts", model=name)
    return {
        "name": name,
        "other": other,
        "others": sorted({row["model"] for row in models} - {name}),
        "is_all": len(models) <= MOST_OFFERED,
        "runs": its_runs,
        "facts": facts[0] if facts else {},
        "scores": rows(con, "page_model", model=name, other=other),
        "reading": [
            row
            for row in readings or rows(con, "page_model_reading", model=name)
            if row["model"] == name
        ],
        "kept": work_of_boards(con).why,
    }


def compared(con: duckdb.DuckDBPyConnection, options: CompareOptions) -> Row:
    """Two runs: the table of `evalhouse compare`, and the four-field table."""
    found = paired.compare(con, options)
    sides = None
    if found.group is None:
        (sides,) = rows(
            con,
            "page_sides",
            run_a=found.a.run_id,
            run_b=found.b.run_id,
            strategy=found.strategy,
            judge=found.judge,
        )
    return {"found": found, "table": comparison_table(found, digits=2), "sides": sides}


def suspects(con: duckdb.DuckDBPyConnection, chosen: CellChoices) -> Row:
    """The questions of a run's dataset whose key is probably wrong."""
    whole, of = settled(con, chosen)
    total, found = studies.suspects(
        con, of["dataset"], chosen.judge, most=MOST_SUSPECTS, release=chosen.release
    )
    return {"chosen": whole, "of": of, "total": total, "found": found}


def judges(con: duckdb.DuckDBPyConnection) -> Row:
    """Agreement, error, stability and cost of the judges."""
    session.use_release(con)
    return {
        "judges": rows(con, "judge_list"),
        "costs": rows(con, "page_judge_cost"),
        "agreement": rows(con, "page_judge_agreement"),
        "error": rows(con, "page_judge_error"),
        "stability": rows(con, "page_judge_stability"),
        "kept": work_of_boards(con).why,
    }


def disagreements(con: duckdb.DuckDBPyConnection, a: str, b: str) -> list[Row]:
    """The answers of which two judges say different things."""
    session.use_release(con)
    return rows(con, "page_disagreements", judge_a=a, judge_b=b, most=MOST_DISAGREEMENTS)


def rows(con: duckdb.DuckDBPyConnection, query: str, **parameters: object) -> list[Row]:
    """The rows of a named query."""
    with _of_this_release():
        return session.frame(con, query, parameters or None).to_dicts()


@contextmanager
def _of_this_release() -> Iterator[None]:
    """Name what an installed release lacks, and how it is brought."""
    try:
        yield
    except duckdb.CatalogException as error:
        raise EvalhouseError(
            f"the release in this warehouse lacks what this page shows ({str(error).splitlines()[0]}); "
            "`evalhouse releases install` installs it as it comes with this evalhouse"
        ) from error
