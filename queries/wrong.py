"""From a number to its wrong answers: those of one model, and the questions that two do not score alike."""

from __future__ import annotations

from difflib import get_close_matches

import duckdb

from queries import session
from queries.comparison import Comparison
from queries.install import LATEST
from warehouse import models
from warehouse.errors import UsageError
from warehouse.later import pl


def wrong_answers(
    con: duckdb.DuckDBPyConnection,
    model: str,
    *,
    dataset: str | None = None,
    ability: str | None = None,
    judge: str | None = None,
    release: str = LATEST,
) -> pl.DataFrame:
    """The answers of a model's latest runs that are not wholly right; none of those is pending.

    Args:
        model: by name or alias.
        dataset: a dataset, or a benchmark; None: all.
        ability: by its name or abbreviation, in any case; None: all.
        judge: by default the one that the view `score` is under.

    Raises:
        UsageError: no such model, dataset, ability or judge.
    """
    session.use_release(con, release)
    model_id = models.find(con, model)
    if model_id is None:
        known = [name for (name,) in con.execute("SELECT name FROM main.model").fetchall()]
        raise unknown("model", model, known)
    for what, name, sql in (
        ("dataset", dataset, "SELECT name FROM main.dataset UNION SELECT name FROM main.benchmark"),
        (
            "ability",
            ability,
            "SELECT name FROM main.ability UNION SELECT abbreviation FROM main.ability",
        ),
        ("judge", judge, "SELECT name FROM main.judge UNION SELECT 'none'"),
    ):
        _require(con, what, name, sql)
    parameters = {
        "model_id": model_id, "dataset": dataset, "ability": ability, "judge": judge,
    }  # fmt: skip
    return session.frame(con, "wrong_answers", parameters)


def differing_questions(con: duckdb.DuckDBPyConnection, found: Comparison) -> pl.DataFrame:
    """The questions that the two runs of a comparison do not score alike.

    Raises:
        UsageError: the comparison is over groups of questions.
    """
    if found.group is not None:
        raise UsageError(
            f"--questions is of questions, and {found.strategy} compares groups of them"
        )
    session.use_release(con, found.release)
    parameters = {
        "run_a": found.a.run_id, "run_b": found.b.run_id,
        "strategy": found.strategy, "judge": found.judge,
    }  # fmt: skip
    frame = session.frame(con, "compare_questions", parameters)
    one, two = found.names
    renamed = {
        f"{what}_{side}": f"{what} of {name}"
        for what in ("score", "verdict", "prediction")
        for side, name in (("a", one), ("b", two))
    }
    return frame.rename(renamed)


def _require(con: duckdb.DuckDBPyConnection, what: str, name: str | None, sql: str) -> None:
    if name is None:
        return
    known = [str(one) for (one,) in con.execute(sql).fetchall()]
    if name.lower() not in {one.lower() for one in known}:
        raise unknown(what, name, known)


def unknown(what: str, name: str, known: list[str]) -> UsageError:
    """The error for a name that is not there, with those that are like it, or else some of all."""
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    some = near or sorted(known)[:10]
    more = "" if near or len(known) <= len(some) else " …"
    return UsageError(f"no {what} {name!r} here; there is {', '.join(some) or 'none'}{more}")
