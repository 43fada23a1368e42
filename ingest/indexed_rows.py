"""Rows as MMBench and the harnesses around it write them: `index`, `question`, A, B, C …

`index` is the question's own id plus a million times the pass. Options are taken as they stand in
each row: some files rotate them to the right, some to the left, and some keep the last one in place.
An empty cell is nothing: spreadsheets and TSV files write no other way.
"""

from __future__ import annotations

import duckdb

from ingest.checks import refuse_first
from ingest.long_cells import whole
from ingest.probe import Probe
from ingest.raw import literal, quoted

PASS_STEP = 1_000_000

FIELDS = {
    "question_key": "index",
    "pass": "index",
    "text": "question",
    "answer": "answer",
    "split": "split",
    "label": "A",
}

_ABILITY_COLUMNS = (("l2-category", "l2"), ("category", "l3"))
_CATEGORIES = {column for column, _ in _ABILITY_COLUMNS}
_NO_ATTRIBUTE = {"index", "question", "answer", "image", "split", "prediction"}


def check_index(con: duckdb.DuckDBPyConnection, probe: Probe) -> None:
    """Read `index` into the column that the rest builds on.

    Raises:
        InputError: a cell is no whole number from 0.
    """
    con.execute(
        "CREATE OR REPLACE TEMP TABLE stage_index AS "
        "SELECT __row, CAST(index AS VARCHAR) AS written, "
        f"{whole('CAST(index AS VARCHAR)', 'INTEGER')} AS number FROM raw"
    )
    refuse_first(
        con,
        probe.path,
        "SELECT __row, written FROM stage_index WHERE number IS NULL ORDER BY __row LIMIT 1",
        "index",
        lambda row: f"{row[1]!r} is no whole number from 0, or too large",
    )


def stage_questions(con: duckdb.DuckDBPyConnection, probe: Probe) -> None:
    """Stage the questions, choices, answers, categories and further columns of `raw`."""
    split = split_expression(probe)
    key = f"CAST(i.number % {PASS_STEP} AS VARCHAR)"
    step = f"CAST(i.number // {PASS_STEP} AS INTEGER)"
    source = "FROM raw AS r JOIN stage_index AS i ON r.__row = i.__row"
    answer = "nullif(trim(CAST(r.answer AS VARCHAR)), '')" if probe.has("answer") else "NULL"
    image = "NULL"
    joins = ""
    if probe.has("image"):
        # A prediction file may lack the row that has the image; a question file may not.
        image = "coalesce(j.image, CASE WHEN TRY_CAST(r.image AS BIGINT) IS NULL THEN r.image END)"
        joins = (
            " LEFT JOIN (SELECT number, min(__row) AS __row FROM stage_index GROUP BY number) AS ji"
            " ON TRY_CAST(r.image AS BIGINT) = ji.number LEFT JOIN raw AS j ON ji.__row = j.__row"
        )
        if not probe.has("prediction"):
            refuse_first(
                con,
                probe.path,
                "SELECT r.__row, r.image FROM raw AS r ANTI JOIN stage_index AS i "
                "ON TRY_CAST(r.image AS BIGINT) = i.number "
                "WHERE TRY_CAST(r.image AS BIGINT) IS NOT NULL "
                "ORDER BY r.__row LIMIT 1",
                "image",
                lambda row: f"{row[1]!r} is not the index of a row in the file",
            )
    con.execute(
        f"INSERT INTO stage_question SELECT r.__row, {split}, {key}, {step}, "
        f"nullif(CAST(r.question AS VARCHAR), ''), {answer}, nullif({image}, '') {source}{joins}"
    )
    for ordinal, column in enumerate(probe.choice_columns):
        con.execute(
            f"INSERT INTO stage_choice SELECT r.__row, {split}, {key}, {step}, '{column}', {ordinal}, "
            f"CAST(r.{quoted(column)} AS VARCHAR) {source} "
            f"WHERE nullif(CAST(r.{quoted(column)} AS VARCHAR), '') IS NOT NULL"
        )
    for depth, (column, level) in enumerate(_ABILITY_COLUMNS):
        if probe.has(column):
            con.execute(
                f"INSERT INTO stage_ability SELECT r.__row, {split}, {key}, {depth}, '{level}', "
                f"{literal(column)}, CAST(r.{quoted(column)} AS VARCHAR) {source} "
                f"WHERE nullif(trim(CAST(r.{quoted(column)} AS VARCHAR)), '') IS NOT NULL"
            )
    further = [
        column
        for column in probe.columns
        if column not in _NO_ATTRIBUTE
        # Predictions can go out again as they came in: with the categories as they were spelt.
        and (column not in _CATEGORIES or probe.has("prediction"))
        and column not in probe.choice_columns
    ]
    for column in further:
        con.execute(
            f"INSERT INTO stage_attribute SELECT r.__row, {split}, {key}, {literal(column)}, "
            f"CAST(r.{quoted(column)} AS VARCHAR) {source} "
            f"WHERE i.number < {PASS_STEP} "
            f"AND nullif(CAST(r.{quoted(column)} AS VARCHAR), '') IS NOT NULL"
        )


def stage_predictions(con: duckdb.DuckDBPyConnection, probe: Probe, model: str) -> None:
    """Stage the column `prediction`.

    An empty cell of a table is a prediction without text; JSON and Parquet tell one from the other.
    """
    text = "CAST(r.prediction AS VARCHAR)"
    if probe.kind in ("tsv", "csv", "xlsx"):
        text = f"nullif({text}, '')"
    split = split_expression(probe)
    con.execute(
        f"INSERT INTO stage_prediction SELECT r.__row, {literal(model)}, {split}, "
        f"CAST(i.number % {PASS_STEP} AS VARCHAR), CAST(i.number // {PASS_STEP} AS INTEGER), 0, "
        f"{text}, false "
        "FROM raw AS r JOIN stage_index AS i ON r.__row = i.__row"
    )


def split_expression(probe: Probe) -> str:
    """The SQL that gives a row's split: its column, else NULL (the setting stands for all rows)."""
    return "nullif(trim(CAST(r.split AS VARCHAR)), '')" if probe.has("split") else "NULL"
