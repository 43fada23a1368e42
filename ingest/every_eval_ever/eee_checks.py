"""What is refused of the records of Every Eval Ever (`eee_records`), each by its row and field."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import duckdb

from ingest.checks import refuse_first
from ingest.every_eval_ever.eee_aggregate import Aggregate
from warehouse import statements
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
_SIMPLE = (
    ("ids_that_are_empty", "sample_id", "is empty"),
    ("inputs_without_text", "input.raw", "is no text"),
    ("references_that_are_no_texts", "input.reference", "is no list of texts"),
    ("choices_that_are_no_texts", "input.choices", "is no list of texts"),
    ("outputs_that_are_no_texts", "output.raw", "is no list of texts"),
    ("talks_without_messages", "messages", "is no list"),
    ("details_that_are_no_json", None, "is no JSON"),
)


def check(con: duckdb.DuckDBPyConnection, path: Path, aggregate: Aggregate) -> None:
    """Refuse records that are none, or of another evaluation than the aggregate's.

    Raises:
        InputError: naming the first one.
    """
    refuse = partial(refuse_first, con, path)
    aggregate_name = aggregate.path.name
    refuse(
        _SQL["unknown_interactions"],
        "interaction_type",
        lambda row: f"{row[1]!r} is none of single_turn, multi_turn, agentic",
    )
    for name, field, words in _SIMPLE:
        refuse(_SQL[name], field, lambda row, words=words: words)  # type: ignore[misc]
    refuse(
        _SQL["numbers_that_are_none"],
        None,
        lambda row: f"{row[2]!r} is no whole number from 0, or too large",
    )
    refuse(
        _SQL["foreign_evaluations"],
        "evaluation_id",
        lambda row: (
            f"{row[1]!r} is not the evaluation of {aggregate_name}, {aggregate.evaluation_id}"
        ),
        {"evaluation_id": aggregate.evaluation_id},
    )
    refuse(
        _SQL["foreign_models"],
        "model_id",
        lambda row: f"{row[1]!r} is not the model of {aggregate_name}, {aggregate.model}",
        {"model": aggregate.model},
    )
    ((n_records,),) = con.execute("SELECT count(*) FROM stage_eee").fetchall()
    stated = aggregate.detail.get("total_rows")
    if stated is not None and stated != n_records:
        raise InputError(
            path, f"has {counted(n_records, 'record')}, and {aggregate_name} says {stated}"
        )


def check_variants(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Refuse answers that differ by metric: they are of several runs, such as one per filter.

    Raises:
        InputError: naming the first one.
    """
    refuse_first(
        con,
        path,
        _SQL["variants"],
        "output.raw",
        lambda row: (
            f"the answer to {row[1]} under {row[2]} is not that under {row[3]}: these are two runs; "
            f"--run {row[3]} or --run {row[2]} says which"
        ),
    )


def check_choices(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Refuse questions without choices among those with some, and references that are none of them.

    Raises:
        InputError: naming the first one.
    """
    refuse = partial(refuse_first, con, path)
    refuse(
        _SQL["records_without_choices"],
        "input.choices",
        lambda row: "is missing, where other records have choices",
    )
    refuse(
        _SQL["references_that_are_no_choice"],
        "input.reference",
        lambda row: f"{row[1]!r} is no choice's text, letter or number",
    )


def check_scores(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Refuse choice scores that are none.

    Raises:
        InputError: naming the first one.
    """
    refuse_first(
        con,
        path,
        _SQL["scores_that_are_none"],
        "metadata.evalhouse_scores",
        lambda row: f"{row[1]!r} is no component, label, number, tokens and scorer",
    )
