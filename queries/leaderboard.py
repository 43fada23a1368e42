"""Leaderboards as the papers print them, from the views; also how runs ended, and their answers' cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import duckdb

from queries import session
from queries.board import Board, Cell, Line, Reading
from queries.choosing import (
    CAPABILITY_LEVEL,
    SOFT,
    WHOLE,
    choose_benchmark,
    choose_level,
    choose_strategy,
    groups_of,
    is_by_rules,
    judges_of_datasets,
    levels_of,
    require_subset,
)
from queries.chosen_lines import narrowed
from queries.install import LATEST
from queries.options import BoardOptions
from queries.release import default_name
from warehouse import known_benchmarks
from warehouse.errors import UsageError
from warehouse.later import pl


def _ended_with(con: duckdb.DuckDBPyConnection) -> dict[int, str]:
    """What harnesses say of runs that they did not finish."""
    return dict(
        con.execute(
            "SELECT run_id, status FROM main.run_status WHERE status <> 'success'"
        ).fetchall()
    )


def _cells_of_answers(con: duckdb.DuckDBPyConnection) -> dict[int, dict[str, int]]:
    """What became of the cells of a spreadsheet that answers of a run stood in, with how many each."""
    found: dict[int, dict[str, int]] = {}
    for run_id, state, n in session.rows(con, "board_answer_cells"):
        found.setdefault(run_id, {})[state] = n
    return found


_WHOLE_CELLS = "(SELECT l.*, 'all' AS subset FROM leaderboard AS l)"


class NoRulesError(UsageError):
    """The release has no rules for a benchmark of answers in words. Exit code 2."""


def boards(
    con: duckdb.DuckDBPyConnection,
    options: BoardOptions,
    *,
    records: Callable[..., list[dict[str, Any]]] | None = None,
) -> tuple[Board, ...]:
    """The leaderboards of a benchmark: one per dataset, and at the finest level one per parent.

    By default the level is the second one, as papers print, or the first where the second is no division
    of it; capability levels where there are any.

    Args:
        records: callback that runs the queries, those of scores for all levels alike; None: for this level alone.

    Raises:
        NoRulesError: the release does not score the benchmark's answers.
        UsageError: no such benchmark, level, strategy, judge or subset, or nobody but people has judged
            what needs a judge.
    """
    release = session.use_release(con, options.release)
    name, its_strategy, its_average, task, benchmark_id = choose_benchmark(con, options.benchmark)
    divides = levels_of(con, benchmark_id)
    tree = [each for place, each in enumerate(divides) if place == 0 or divides[each]]
    finest = tree[-1] if len(tree) >= 3 else None
    level = choose_level(options.level, divides)
    groups = groups_of(con, benchmark_id)
    strategy = choose_strategy(options.strategy or its_strategy, task, name, groups)
    average = options.average or its_average
    if average not in ("micro", "macro"):
        raise UsageError(f"no average {average!r}; there are micro and macro")
    if options.runs not in ("latest", "all"):
        raise UsageError(f"--runs is latest or all, not {options.runs!r}")
    if options.of not in ("all", "answered"):
        raise UsageError(f"scores are of all or of answered questions, not {options.of!r}")
    if options.intervals and options.of != "all":
        raise UsageError(
            "intervals are those of scores over all questions, and not over answered ones"
        )
    subset, all_runs = options.subset, options.runs == "all"
    require_subset(con, subset, benchmark_id, name)
    judges = judges_of_datasets(con, options.judge, benchmark_id, task, strategy)
    abilities = _abilities(con, benchmark_id)
    ability_ids = _shown_at(abilities, level) if records is None else None
    records = records or session.records
    by_dataset: dict[str, list[dict[str, Any]]] = {}
    totals: dict[tuple[int, int], tuple[float | None, ...]] = {}
    for its_judge in dict.fromkeys(judges.values()):
        rows = records(
            con,
            "board_cells",
            {
                "benchmark": name,
                "strategy": strategy,
                "judge": its_judge,
                "split": options.split,
                "version": options.version,
                "language": options.language,
                "all_runs": all_runs,
                "subset": subset,
                "answered": options.of == "answered",
                "ability_ids": ability_ids,
                # A macro average stands next to the micro ones of abilities that nothing divides.
                "micro_alone": ability_ids is not None and average == "micro",
            },
            source=_WHOLE_CELLS if subset == WHOLE else "subset_leaderboard",
        )
        rows = [row for row in rows if judges[row["dataset"]] == its_judge]
        if not rows:
            continue
        if options.intervals:
            parameters: dict[str, Any] = {
                "benchmark": name, "strategy": strategy, "judge": its_judge, "subset": subset,
                "all_runs": all_runs,
            }  # fmt: skip
            rows = _ranged(
                rows,
                session.frame(con, "board_ranges", parameters),
            )
        if strategy == SOFT and options.of == "all":
            # What the judge's samples add up to is over all questions.
            totals |= _totals(records, con, name, its_judge, subset)
        for cell in rows:
            by_dataset.setdefault(cell["dataset"], []).append(cell)
    if is_by_rules(task, strategy) and not by_dataset:
        if release in (LATEST, default_name()):
            raise NoRulesError(
                f"{name} has no rules for its answers, or no run has any; `evalhouse judge` asks a judge "
                "to grade them, for --strategy graded, and `evalhouse benchmarks edit` gives it a rule"
            )
        raise NoRulesError(
            f"the release {release} has no rules for {name}, or no run has answers; "
            f"--release {LATEST} has them"
        )
    divided = {
        dataset: _column_groups(cells, abilities, level, finest)
        for dataset, cells in sorted(by_dataset.items())
    }
    readings: dict[str, dict[tuple[int, int], Reading]] = {}
    if subset == WHOLE and strategy != SOFT:
        firsts = {columns[0][0] for groups in divided.values() for columns in groups}
        readings = {
            its_judge: _readings(records, con, name, its_judge, ability_ids and sorted(firsts))
            for its_judge in {judges[dataset] for dataset in divided}
        }
    ended, altered = _ended_with(con), _cells_of_answers(con)
    made = []
    for dataset, groups_of_columns in divided.items():
        of_dataset = by_dataset[dataset]
        for columns in groups_of_columns:
            made.append(
                Board(
                    benchmark=name,
                    dataset=dataset,
                    level=level,
                    strategy=strategy,
                    judge=judges[dataset],
                    release=release,
                    average=average,
                    columns=tuple(abbreviation for _, abbreviation in columns),
                    lines=_noted(
                        _lines(of_dataset, [key for key, _ in columns], average, totals),
                        columns[0][0],
                        readings.get(judges[dataset], {}),
                        ended,
                        altered,
                    ),
                    subset=subset,
                    of=options.of,
                    intervals=options.intervals,
                    rounding=known_benchmarks.rounding_of(name),
                    ability_ids=tuple(key for key, _ in columns),
                )
            )
    return narrowed(con, made, options)


def _totals(
    records: Callable[..., list[dict[str, Any]]],
    con: duckdb.DuckDBPyConnection,
    benchmark: str,
    judge: str,
    subset: str,
) -> dict[tuple[int, int], tuple[float | None, ...]]:
    """The fractions per judge sample by run and ability."""
    found: dict[tuple[int, int], tuple[float | None, ...]] = {}
    parameters = {"benchmark": benchmark, "judge": judge, "subset": subset}
    for row in records(con, "board_totals", parameters):
        key = row["run_id"], row["ability_id"]
        found[key] = (*found.get(key, ()), row["score"])
    return found


def _readings(
    records: Callable[..., list[dict[str, Any]]],
    con: duckdb.DuckDBPyConnection,
    benchmark: str,
    judge: str,
    ability_ids: Sequence[int] | None,
) -> dict[tuple[int, int], Reading]:
    """How answers were read, by run and ability (of some, or all), as far as the release counts it."""
    parameters = {"benchmark": benchmark, "judge": judge, "ability_ids": ability_ids}
    rows = records(con, "board_reading", parameters)
    n_answers: dict[tuple[int, int], int] = {}
    if any(row["n_unread"] for row in rows):
        # What so many were not read of.
        n_answers = {
            (row["run_id"], row["ability_id"]): row["n_answers"]
            for row in records(con, "board_answers", parameters)
        }
    return {
        (run_id, ability_id): Reading(
            n_answers.get((run_id, ability_id)),
            row["n_unread"],
            row.get("n_judged") or 0,
            row.get("n_none") or 0,
        )
        for row in rows
        for run_id, ability_id in [(row["run_id"], row["ability_id"])]
    }


def _noted(
    lines: tuple[Line, ...],
    first: int,
    readings: Mapping[tuple[int, int], Reading],
    ended: Mapping[int, str],
    altered: Mapping[int, Mapping[str, int]],
) -> tuple[Line, ...]:
    return tuple(
        line
        if line.run_id is None
        else replace(
            line,
            reading=readings.get((line.run_id, first)),
            ended_with=ended.get(line.run_id),
            cells_of_answers=altered.get(line.run_id, {}),
        )
        for line in lines
    )


def _ranged(cells: list[dict[str, Any]], ranges: pl.DataFrame) -> list[dict[str, Any]]:
    """The cells with their margins and ranges of ranks, where they have any."""
    found = {(row["run_id"], row["ability_id"], row["average"]): row for row in ranges.to_dicts()}
    return [
        cell | found.get((cell["run_id"], cell["ability_id"], cell["average"]), {})
        for cell in cells
    ]


def _abilities(
    con: duckdb.DuckDBPyConnection, benchmark_id: int
) -> dict[int, tuple[str, int | None, str]]:
    """Level, parent and abbreviation of each ability in the paper's order, also without
    questions."""
    rows = session.rows(con, "board_abilities", {"benchmark_id": benchmark_id})
    return {key: (level, parent, abbreviation) for key, level, parent, abbreviation in rows}


def _shown_at(abilities: Mapping[int, tuple[str, int | None, str]], level: str) -> list[int]:
    """The abilities whose cells the boards of a level have: its own, their parents, and overall."""
    own = {key: parent for key, (its_level, parent, _) in abilities.items() if its_level == level}
    return sorted({0, *own, *(parent for parent in own.values() if parent is not None)})


def _column_groups(
    cells: list[dict[str, Any]],
    abilities: Mapping[int, tuple[str, int | None, str]],
    level: str,
    finest: str | None,
) -> list[list[tuple[int, str]]]:
    """The columns of each board: Overall and the level's abilities, or a parent and its children.

    The finest of three or more levels makes one board per parent: it is too wide for one.
    """
    there = {cell["ability_id"] for cell in cells}
    of_level = [key for key, (its_level, _, _) in abilities.items() if its_level == level]
    if level == "overall" or there.isdisjoint(of_level):
        return [[(0, abilities[0][2])]]
    if level == CAPABILITY_LEVEL:
        # Each of them holds the one before; the last is Overall.
        return [[(key, abilities[key][2]) for key in of_level]]
    if level == finest:
        parents = [
            key for key in abilities if any(abilities[c][1] == key and c in there for c in of_level)
        ]
    else:
        parents = [0]
    return [
        [
            (key, abilities[key][2])
            for key in (
                parent,
                *(c for c in of_level if parent == 0 or abilities[c][1] == parent),
            )
        ]
        for parent in parents
    ]


def _lines(
    cells: list[dict[str, Any]],
    keys: Sequence[int],
    average: str,
    totals: Mapping[tuple[int, int], tuple[float | None, ...]],
) -> tuple[Line, ...]:
    by_run: dict[int, dict[int, dict[str, Any]]] = {}
    for cell in cells:
        of_run = by_run.setdefault(cell["run_id"], {})
        # The finest abilities have no level below: their average is over questions.
        if cell["average"] == average or cell["ability_id"] not in of_run:
            of_run[cell["ability_id"]] = cell
    places = [_places([of_run.get(key) for of_run in by_run.values()]) for key in keys]
    lines = []
    for of_run in by_run.values():
        # A dataset without a question of the first column has none of its ranks.
        first = of_run.get(keys[0], _unranked(of_run[0]))
        lines.append(
            Line(
                rank=first["rank"],
                model=first["model"],
                run=first["run"],
                method=first["method"],
                cells=tuple(
                    _cell(of_run.get(key), place) for key, place in zip(keys, places, strict=True)
                ),
                n_pending=first["n_pending"],
                n_fallback=first["n_fallback"],
                how=" ".join(filter(None, (first["method"], first["reduction"], first["scored"]))),
                totals=totals.get((first["run_id"], keys[0]), ()),
                ranks=(first["best_rank"], first["worst_rank"]) if "best_rank" in first else None,
                average=first["average"],
                run_id=first["run_id"],
            )
        )
    return tuple(
        sorted(lines, key=lambda line: (line.rank or len(lines) + 1, line.model, line.run))
    )


def _unranked(cell: dict[str, Any]) -> dict[str, Any]:
    return {name: cell[name] for name in cell if name not in ("best_rank", "worst_rank")} | {
        "rank": None
    }


def _places(cells: Sequence[dict[str, Any] | None]) -> dict[float, int]:
    """The two best scores of a column: 1 and 2 by score, to 12 decimals."""
    scores = {round(c["score"], 12) for c in cells if c is not None and c["score"] is not None}
    return {score: place for place, score in enumerate(sorted(scores, reverse=True)[:2], start=1)}


def _cell(cell: dict[str, Any] | None, places: dict[float, int]) -> Cell | None:
    if cell is None:
        return None
    score = cell["score"]
    return Cell(
        n=cell["n"],
        n_answered=cell["n_answered"],
        points=cell["points"],
        score=score,
        score_answered=cell["score_answered"],
        low=cell["score_low"],
        high=cell["score_high"],
        stderr=cell["stderr"],
        best=places.get(round(score, 12)) if score is not None else None,
        margin=cell.get("margin"),
        n_hidden=cell["n_hidden"],
    )
