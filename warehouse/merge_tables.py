"""How each table of facts goes from one warehouse to another: which rows, and under which ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from warehouse import statements
from warehouse.tables import IDS, REFERENCES

_SQL = statements.of_module(__file__)
LEFT = frozenset({"schema_version", "warehouse_identity", "release", "release_object"})
"""Tables that are about the file and not about evaluations."""

MAPS = {column: f"merge_{IDS[table].removesuffix('_id')}" for column, table in REFERENCES.items()}
"""The table with the new values of a column that refers to a row."""


@dataclass(frozen=True)
class _Rows:
    """The rows of a table that come over.

    Attributes:
        of_new: the column whose row has to be new here.
        unless: columns by which a row is there already, and does not come.
        instead: SQL for columns that do not come as they are; `t` is the other table.
        where: SQL that has to be true of a row, in addition.
    """

    of_new: str | None = None
    unless: tuple[str, ...] = ()
    instead: Mapping[str, str] = field(default_factory=dict)
    where: str | None = None


def _declared(table: str, name: str = "t.name") -> str:
    """What a benchmark declares: all of a new one, and of one that is here what merge_benchmarks chose."""
    return _SQL["is_declared"].format(table=table, name=name)


_ALL_OF_A_FACT = (
    "question_id",
    "fact",
    "pass",
    "ordinal",
    "name",
    "value",
    "ability_id",
    "source_id",
    "superseded_by",
)

TABLES: Mapping[str, _Rows] = {
    "source": _Rows("source_id", instead={"flags": "by_source_id.flags"}),
    "benchmark": _Rows("benchmark_id"),
    "ability": _Rows("ability_id", instead={"ordinal": _SQL["after_abilities_here"]}),
    "ability_spelling": _Rows(unless=("ability_id", "spelling")),
    "ability_part": _Rows(unless=("ability_id", "part_id")),
    "dataset": _Rows("dataset_id"),
    "dataset_source": _Rows(unless=("dataset_id", "source_id", "role")),
    "question": _Rows("question_id"),
    "dropped_question": _Rows("question_id"),
    "superseded_fact": _Rows(unless=_ALL_OF_A_FACT),
    "question_attribute": _Rows(unless=("question_id", "name")),
    "question_image": _Rows(unless=("question_id",)),
    "question_pass": _Rows(unless=("question_id", "pass")),
    "choice": _Rows(unless=("question_id", "pass")),
    "answer": _Rows(unless=("question_id", "pass")),
    "reference_answer": _Rows(unless=("question_id",)),
    "question_ability": _Rows(where=_SQL["is_not_filed_in_tree"]),
    "question_component": _Rows(unless=("question_id",)),
    "dataset_subset": _Rows("subset_id"),
    "subset_question": _Rows("subset_id"),
    "model": _Rows("model_id"),
    "model_alias": _Rows(unless=("alias",)),
    "model_fact": _Rows(unless=("model_id",)),
    "run": _Rows("run_id"),
    "run_sample": _Rows("run_id"),
    "run_event": _Rows("run_id"),
    "run_status": _Rows("run_id"),
    "prediction": _Rows("run_id"),
    "choice_score": _Rows("run_id"),
    "sample_error": _Rows("run_id"),
    "answer_attribute": _Rows("run_id"),
    # Of a run that is here already too: its answers may have come without them.
    "harness_score": _Rows(unless=("run_id", "question_id", "pass", "sample", "metric", "filter")),
    "judge": _Rows("judge_id"),
    "judge_sample": _Rows(unless=("judge_id", "judge_sample")),
    "judge_template": _Rows(unless=("template_sha256",)),
    "judge_event": _Rows("judge_id"),
    "judgment": _Rows("judgment_id", instead={"subject_hash": "by_judgment_id.subject_hash"}),
    "label_plan": _Rows("plan_id"),
    "label_unit": _Rows("plan_id"),
    # Of a run that is here already too: what it was shown can have been said there alone.
    "run_input": _Rows(unless=("run_id",)),
    "run_thinking": _Rows(unless=("run_id",)),
    "benchmark_rule": _Rows(where=_declared("benchmark_rule", "''")),
    "benchmark_group": _Rows(where=_declared("benchmark_group")),
    "benchmark_figure": _Rows(
        where=_declared("benchmark_figure"), instead={"ordinal": _SQL["after_figures_here"]}
    ),
    "harness_figure": _Rows(
        unless=(
            "model_id",
            "benchmark_id",
            "task",
            "label",
            "judge",
            "metric",
            "filter",
            "reducer",
            "value",
        )
    ),
    "published_score": _Rows(
        unless=("benchmark_id", "model_id", "ability_id", "total", "spread", "sample_totals")
    ),
}
"""Every table of facts, in the order in which rows refer to each other."""

# What another warehouse paid for is no cost of this one.
_PAID_ELSEWHERE = "CASE WHEN t.origin IN ('call', 'batch') THEN 'cache' ELSE t.origin END"


def insert_sql(table: str, columns: Sequence[str], *, same_payer: bool) -> str:
    """The statement that brings a table's rows over.

    Args:
        columns: all of them, in order.
        same_payer: both files go back to one, so that what one paid for the other did.
    """
    rows = TABLES[table]
    instead = dict(rows.instead)
    if table == "judgment" and not same_payer:
        instead["origin"] = _PAID_ELSEWHERE
    values = {column: instead.get(column) or _mapped(column) for column in columns}
    joins = "".join(
        f" LEFT JOIN {MAPS[column]} AS by_{column} ON t.{column} = by_{column}.other_id"
        for column in columns
        if column in MAPS
    )
    conditions = [f"by_{rows.of_new}.is_new"] if rows.of_new else []
    if rows.unless:
        same = " AND ".join(
            f"k.{column} IS NOT DISTINCT FROM {values[column]}" for column in rows.unless
        )
        conditions.append(f"NOT EXISTS (SELECT 1 FROM main.{table} AS k WHERE {same})")
    if rows.where:
        conditions.append(rows.where)
    return _SQL["bring_over"].format(
        table=table,
        columns=", ".join(columns),
        values=", ".join(values.values()),
        joins=joins,
        conditions=" AND ".join(conditions),
    )


def _mapped(column: str) -> str:
    # An ability of 0 stands for Overall, and is 0 everywhere.
    return f"coalesce(by_{column}.id, t.{column})" if column in MAPS else f"t.{column}"
