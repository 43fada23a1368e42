"""Which questions a run answered: for subsets of those that a model did not refuse (MM-Vet's Bard
set)."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import duckdb

from queries import attached
from queries.install import LATEST
from queries.release import default_name
from queries.results import refresh
from warehouse import models, statements
from warehouse.errors import UsageError

_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class Answered:
    """A run, the questions that it answered, and how many it did not, by the first reason that
    holds.

    `n_refused` is None where the release does not recognise refusals.
    """

    run_id: int
    model: str
    run: str
    dataset: str
    dataset_id: int
    n_questions: int
    n_missing: int
    n_blank: int
    n_refused: int | None
    question_ids: tuple[int, ...]

    @property
    def counts(self) -> dict[str, object]:
        """Everything but the questions themselves."""
        return {name: value for name, value in asdict(self).items() if name != "question_ids"}


def find(
    con: duckdb.DuckDBPyConnection,
    model: str,
    *,
    benchmark: str,
    run: str | None = None,
    split: str | None = None,
    version: str | None = None,
    language: str | None = None,
) -> Answered:
    """The questions that a model's run answered in every sample and pass that is there.

    Args:
        con: a connection that may make temporary tables, with a release in use.
        model: its name or alias.
        run: the run's label; None: the model's latest.

    Raises:
        UsageError: no such model or run, several datasets fit, or the run's results are out of date and not
            computed next to the file.
    """
    model_id = models.find(con, model)
    if model_id is None:
        raise UsageError(f"no model {model!r}; `evalhouse runs` lists them")
    parameters = {
        "model_id": model_id,
        "benchmark": benchmark,
        "run": run,
        "split": split,
        "version": version,
        "language": language,
    }
    runs = con.execute(_SQL["runs"], parameters).fetchall()
    if not runs:
        raise UsageError(f"no run of {model!r} on {benchmark!r} fits; `evalhouse runs` lists them")
    if len(runs) > 1:
        raise UsageError(
            f"{model} has runs on {', '.join(row[3] for row in runs)}; say which dataset with "
            "--split, --version or --language"
        )
    run_id, name, label, dataset, dataset_id = runs[0]
    _require_computed(con, run_id, f"{name} on {dataset}")
    knows_refusals = _find_refused(con, run_id)
    con.execute(_SQL["find_answers"], {"run_id": run_id, "dataset_id": dataset_id})
    rows = con.execute(_SQL["states"]).fetchall()
    counts = {state: len(ids) for state, ids in rows}
    return Answered(
        run_id=run_id,
        model=name,
        run=label,
        dataset=dataset,
        dataset_id=dataset_id,
        n_questions=sum(counts.values()),
        n_missing=counts.get("missing", 0),
        n_blank=counts.get("blank", 0),
        n_refused=counts.get("refused", 0) if knows_refusals else None,
        question_ids=tuple(sorted(dict(rows).get("answered", ()))),
    )


def _require_computed(con: duckdb.DuckDBPyConnection, run_id: int, called: str) -> None:
    """Refuse a run of which the results do not say what its answers are."""
    name = default_name()
    if name in attached.schemas(con) or not refresh.is_of_now(con, name):
        return
    if run_id in refresh.stale(con, name):
        raise UsageError(
            f"the results of {called} are out of date; `evalhouse refresh` computes them"
        )


def _find_refused(con: duckdb.DuckDBPyConnection, run_id: int) -> bool:
    """Fill `refused` from the release's view of refusals; return whether it has one."""
    columns = {
        name for (name,) in con.execute(_SQL["refusal_columns"], {"schema": LATEST}).fetchall()
    }
    con.execute(_SQL["no_refusals"])
    if columns:
        condition = "is_refusal" if "is_refusal" in columns else "true"
        con.execute(_SQL["add_refusals"].format(is_refusal=condition), {"run_id": run_id})
    return bool(columns)
