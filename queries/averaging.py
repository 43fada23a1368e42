"""Two runs compared by means of abilities, or clustered by an attribute of their questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import duckdb

from queries import session
from queries.choosing import GROUP
from warehouse import statements
from warehouse.errors import UsageError
from warehouse.later import pl

_SQL = statements.of_module(__file__)
AVERAGES = ("micro", "macro")


@dataclass(frozen=True)
class Averaging:
    """What a comparison averages over, and what clusters its questions; None: their images."""

    benchmark: str
    benchmark_id: int
    average: str
    cluster: str | None


def averaged(
    con: duckdb.DuckDBPyConnection, choices: Averaging, parameters: Mapping[str, object]
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
    if choices.average not in AVERAGES:
        raise UsageError(f"no average {choices.average!r}; there are {' and '.join(AVERAGES)}")
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


def _require_abilities(con: duckdb.DuckDBPyConnection, choices: Averaging) -> None:
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
