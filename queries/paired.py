"""Two runs compared question by question: what `evalhouse compare` prints.

Also by means of abilities, or clustered by an attribute of their questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import duckdb

from queries import release as releases
from queries import session
from queries.choosing import (
    GROUP,
    WHOLE,
    choose_judge_of_runs,
    choose_level,
    choose_strategy,
    groups_of,
    levels_of,
    require_subset,
)
from queries.comparison import Alike, Comparison, Side
from queries.equivalence import with_equivalence
from queries.install import LATEST
from queries.options import CompareOptions
from warehouse import models, statements
from warehouse.errors import UsageError
from warehouse.known_benchmarks import rounding_of
from warehouse.later import pl

_SQL = statements.of_module(__file__)

_AVERAGES = ("micro", "macro")


@dataclass(frozen=True)
class _Averaging:
    """What a comparison averages over, and what clusters its questions; None: their images."""

    benchmark: str
    benchmark_id: int
    average: str
    cluster: str | None


def _averaged(
    con: duckdb.DuckDBPyConnection, choices: _Averaging, parameters: Mapping[str, object]
) -> pl.DataFrame:
    """Rows with the columns of paired_difference that are of such a comparison, Overall first, and in `apart`
    what each question that one run alone has right adds to the difference (as Comparison has it).

    Args:
        con: with the release in use.
        parameters: run_a, run_b, subset, strategy, judge and level.

    Raises:
        UsageError: no such average or attribute, or nothing to average over.
    """
    strategy = str(parameters["strategy"])
    if choices.average not in _AVERAGES:
        raise UsageError(f"no average {choices.average!r}; there are {' and '.join(_AVERAGES)}")
    if strategy.startswith(GROUP):
        raise UsageError(
            f"{strategy} compares groups; --average macro and --cluster are for questions"
        )
    if choices.average == "macro":
        _require_abilities(con, choices)
    if choices.cluster is not None:
        _require_attribute(con, choices.cluster, int(str(parameters["run_a"])))
    return session.frame(
        con,
        "compare_averaged",
        {
            **parameters,
            "benchmark_id": choices.benchmark_id,
            "average": choices.average,
            "cluster": choices.cluster,
        },
    )


def _require_abilities(con: duckdb.DuckDBPyConnection, choices: _Averaging) -> None:
    ((n,),) = con.execute(
        "SELECT count(*) FROM ability_base WHERE benchmark_id = ? AND ability_id = 0",
        [choices.benchmark_id],
    ).fetchall()
    if not n:
        raise UsageError(f"{choices.benchmark} has no abilities to average over")


def _require_attribute(con: duckdb.DuckDBPyConnection, name: str, run_id: int) -> None:
    ((dataset,),) = con.execute(
        "SELECT dataset FROM current_run WHERE run_id = ?", [run_id]
    ).fetchall()
    known = con.execute(_SQL["attributes"], {"run_id": run_id}).fetchall()
    names = [str(each) for (each,) in known]
    if name not in names:
        raise UsageError(
            f"no question of {dataset} has the attribute {name!r}; there are {', '.join(names) or 'none'}"
        )


MOST_APART = 5
"""Of so many questions that one of two runs alone has right, no t can tell."""
_SCORES = (("score", "n"), ("score_answered", "n_answered"))
"""A board's scores, and the column that says over how many questions each is."""
_SAME = 1e-9


def compare(con: duckdb.DuckDBPyConnection, options: CompareOptions) -> Comparison:
    """Compare two runs over the questions that both answered, or over groups of questions.

    In a group a missing answer is wrong, so that the scores are those of the board. Where the dataset's own
    judge leaves verdicts of the two pending, it is none.

    Raises:
        UsageError: no such model, run, dataset, level, strategy, judge, subset, average or attribute; or
            there is nothing to compare, or not yet.
    """
    options = replace(options, release=session.use_release(con, options.release))
    for name in (options.dataset, options.dataset_b):
        _require_dataset(con, name)
    a, b = sides(con, options)
    return compare_sides(con, a, b, options)


def compare_sides(
    con: duckdb.DuckDBPyConnection,
    a: Side,
    b: Side,
    options: CompareOptions,
    *,
    may_wait: bool = False,
) -> Comparison:
    """The same of two runs that are found already, under the release in use.

    Args:
        may_wait: whether there may be no difference yet, as verdicts are pending or answers hidden.
    """
    release, subset, cluster = options.release, options.subset, options.cluster
    average = options.average or _AVERAGES[0]
    ((its_strategy, its_average),) = con.execute(
        "SELECT strategy, average FROM main.benchmark WHERE benchmark_id = ?", [a.benchmark_id]
    ).fetchall()
    groups = groups_of(con, a.benchmark_id)
    strategy = choose_strategy(options.strategy or its_strategy, a.task, a.benchmark, groups)
    level = choose_level(options.level, levels_of(con, a.benchmark_id))
    require_subset(con, subset, a.benchmark_id, a.benchmark)
    judge = choose_judge_of_runs(
        con,
        options.judge,
        a.benchmark_id,
        a.task,
        strategy,
        {side.run_id: side.dataset for side in (a, b)},
    )
    parameters = {"run_a": a.run_id, "run_b": b.run_id, "subset": subset, "strategy": strategy}
    parameters |= {"judge": judge, "level": level}
    if average == "micro" and cluster is None:
        frame = session.frame(con, "compare_abilities", parameters)
        apart = None if frame.is_empty() else _additions(frame.row(0, named=True))
    else:
        choices = _Averaging(a.benchmark, a.benchmark_id, average, cluster)
        frame = _averaged(con, choices, parameters)
        apart = None if frame.is_empty() else frame.row(0, named=True)["apart"]
        frame = frame.drop("apart")
    if options.margin is not None:
        frame = with_equivalence(con, frame, options.margin)
    found = Comparison(
        a=a,
        b=b,
        level=level,
        strategy=strategy,
        judge=judge,
        subset=subset,
        release=release,
        frame=frame,
        alike=_alike(con, a, b),
        board_average=its_average,
        rounding=rounding_of(a.benchmark),
        margin=options.margin,
        average=average,
        cluster=cluster,
        apart=apart,
        on_boards=None
        if average != "micro" or frame.is_empty()
        else on_boards(con, release, parameters, frame),
    )
    if found.frame.is_empty() or not may_wait:
        _require_something(found)
    return found


def on_boards(
    con: duckdb.DuckDBPyConnection,
    release: str,
    parameters: Mapping[str, Any],
    frame: pl.DataFrame,
) -> tuple[float | None, float | None] | None:
    """What boards have of two runs, where that is another score of the same questions than is compared.

    A comparison rests on the scores of questions; a rule for sums or boards stands above them, and a
    user's release may have one.

    Args:
        con: with the release in use.
        release: its name.
        parameters: those of `compare_abilities.sql`.
        frame: its rows.
    """
    if release in (LATEST, *releases.shipped_names()):
        return None
    overall = frame.row(0, named=True)
    wanted = {name: value for name, value in parameters.items() if name != "level"}
    boards = {row["run_id"]: row for row in session.frame(con, "compare_boards", wanted).to_dicts()}
    found: list[float | None] = []
    differ = False
    for side in ("a", "b"):
        here = overall[f"score_{side}"]
        board = boards.get(parameters[f"run_{side}"])
        if board is None or here is None:
            return None
        # What is over other questions is another figure, not another rule.
        scores = [board[name] for name, n in _SCORES if board[n] == overall["n"]]
        other = [one for one in scores if one is None or abs(one - here) > _SAME]
        differ = differ or bool(other)
        found.append(other[0] if other else here)
    return (found[0], found[1]) if differ else None


def _additions(row: Mapping[str, Any]) -> list[float] | None:
    """What each question that one of the two alone has right adds to a difference over questions."""
    alone = [row["n_a_alone"], row["n_b_alone"]]
    if None in alone or sum(alone) > MOST_APART:
        return None
    return [sign / row["n"] for n, sign in zip(alone, (1, -1), strict=True) for _ in range(int(n))]


def _require_dataset(con: duckdb.DuckDBPyConnection, name: str | None) -> None:
    rows = con.execute(_SQL["datasets"]).fetchall()
    if name is not None and not any(_is_named(name, *row) for row in rows):
        raise UsageError(
            f"no dataset {name!r} here; there are {', '.join(row[0] for row in rows) or 'none'}"
        )


def _is_named(name: str, dataset: str, benchmark: str) -> bool:
    return name == dataset or name.lower() == benchmark.lower()


def sides(con: duckdb.DuckDBPyConnection, options: CompareOptions) -> tuple[Side, Side]:
    """The two runs that are meant.

    Raises:
        UsageError: none, or several, or the same one.
    """
    model_a, model_b, dataset_b = options.model_a, options.model_b, options.dataset_b
    of_a = runs_of(con, model_a, options.dataset)
    of_b = runs_of(con, model_b, dataset_b or options.dataset)
    if dataset_b is None:
        shared = {side.dataset_id for side in of_a} & {side.dataset_id for side in of_b}
        if not shared:
            raise UsageError(
                f"no dataset has runs of both: {model_a!r} is on {_datasets(of_a)}, {model_b!r} on "
                f"{_datasets(of_b)}; --dataset-b compares two datasets whose questions have the same keys"
            )
        of_a = [side for side in of_a if side.dataset_id in shared]
        of_b = [side for side in of_b if side.dataset_id in shared]
    a = _only(of_a, model_a, "--dataset")
    b = _only(of_b, model_b, "--dataset-b" if dataset_b is not None else "--dataset")
    if a.run_id == b.run_id:
        raise UsageError(f"{model_a!r} and {model_b!r} are the same run, {a.run} of {a.model}")
    if a.benchmark_id != b.benchmark_id:
        raise UsageError(
            f"{a.dataset} and {b.dataset} are of two benchmarks; questions are paired by their keys "
            "within one"
        )
    return a, b


def runs_of(con: duckdb.DuckDBPyConnection, name: str, dataset: str | None) -> list[Side]:
    """The runs that a name means, one a dataset where it is a model's."""
    parameters: dict[str, Any] = {"model_id": models.find(con, name), "name": name}
    rows = session.frame(con, "compare_runs", parameters).to_dicts()
    if not rows:
        raise UsageError(
            f"no run of {name!r}"
            if parameters["model_id"] is not None
            else f"no model or run {name!r}; `evalhouse runs` lists them"
        )
    sides = [Side(**row) for row in rows]
    fitting = [side for side in sides if dataset is None or side.dataset == dataset]
    # A dataset may be named as its benchmark is, which stands for all of its datasets.
    fitting = fitting or [side for side in sides if side.benchmark.lower() == str(dataset).lower()]
    if not fitting:
        raise UsageError(f"{name!r} has no run on {dataset!r}, only on {_datasets(sides)}")
    return fitting


def _only(sides: list[Side], name: str, option: str) -> Side:
    if len({side.dataset_id for side in sides}) > 1:
        raise UsageError(f"{name!r} has runs on {_datasets(sides)}: say which with {option}")
    if len(sides) > 1:
        raise UsageError(
            f"{name!r} is the label of several runs, of {', '.join(side.model for side in sides)}: "
            "say which as MODEL/LABEL"
        )
    return sides[0]


def _datasets(sides: list[Side]) -> str:
    return ", ".join(dict.fromkeys(side.dataset for side in sides))


def _alike(con: duckdb.DuckDBPyConnection, a: Side, b: Side) -> Alike | None:
    if a.dataset_id == b.dataset_id:
        return None
    parameters = {"dataset_a": a.dataset_id, "dataset_b": b.dataset_id}
    return Alike(*session.frame(con, "compare_alike", parameters).row(0))


def _require_something(found: Comparison) -> None:
    """Refuse a comparison without a single figure, saying why there is none.

    Raises:
        UsageError: in every case but where some ability has a difference.
    """
    if found.frame["difference"].is_not_null().any():
        return
    where = " and ".join(dict.fromkeys((found.a.dataset, found.b.dataset)))
    if found.frame.is_empty():
        within = "" if found.subset == WHOLE else f" in the subset {found.subset}"
        if found.group is not None and where == found.a.dataset:
            raise UsageError(f"{found.release} counts no groups {found.group} of {where}{within}")
        raise UsageError(f"{where} have no question in common{within} under {found.strategy}")
    overall = found.frame.row(0, named=True)
    if overall["n_pending"]:
        units = "questions" if found.group is None else f"groups ({found.group})"
        raise UsageError(
            f"of {overall['n_common']:,} {units} {overall['n_pending']:,} wait for verdicts of "
            f"{found.judge}: `evalhouse judge` asks for them, or compare under another --judge"
        )
    if overall["n_hidden"]:
        if overall["n_hidden"] == overall["n_common"]:
            raise UsageError(f"the answers of {where} are hidden, so nothing has a score")
        raise UsageError(
            f"the answers to {overall['n_hidden']:,} of {overall['n_common']:,} questions of {where} are "
            "hidden, so nothing that can be compared has a score"
        )
    raise UsageError(
        f"no question was answered by both: of {overall['n_common']:,}, {overall['n_missing_a']:,} "
        f"have no answer by {found.names[0]} and {overall['n_missing_b']:,} none by {found.names[1]}"
    )
