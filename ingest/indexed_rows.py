"""Rows as MMBench and the harnesses around it write them: `index`, `question`, A, B, C …

`index` is the question's own id plus a million times the pass. Options are taken as they stand in
each row: some files rotate them to the right, some to the left, and some keep the last one in
place. An empty cell is nothing: spreadsheets and TSV files write no other way.
"""

from __future__ import annotations

import duckdb

from ingest import cells
from ingest.checks import refuse_first
from ingest.plain.long_cells import whole
from ingest.reading.probe import Probe
from ingest.reading.raw import literal

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
    """Copy `raw` into `stage_index`, with `index` read: `__number`, and `__key` and `__pass` of it.

    Raises:
        InputError: a cell is no whole number from 0.
    """
    con.execute(
        f"CREATE OR REPLACE TEMP TABLE stage_index AS SELECT __number, "
        f"CAST(__number % {PASS_STEP} AS VARCHAR) AS __key, "
        f"CAST(__number // {PASS_STEP} AS INTEGER) AS __pass, * EXCLUDE (__number) "
        f"FROM (SELECT {whole('CAST(index AS VARCHAR)', 'INTEGER')} AS __number, * FROM raw)"
    )
    refuse_first(
        con,
        probe.path,
        "SELECT __row, CAST(index AS VARCHAR) FROM stage_index WHERE __number IS NULL "
        "ORDER BY __row LIMIT 1",
        "index",
        lambda row: f"{row[1]!r} is no whole number from 0, or too large",
    )


def stage_questions(con: duckdb.DuckDBPyConnection, probe: Probe) -> None:
    """Stage the questions, choices, answers, categories and further columns of `stage_index`."""
    split = split_expression(probe)
    answer = "nullif(trim(CAST(r.answer AS VARCHAR)), '')" if probe.has("answer") else "NULL"
    image = "NULL"
    joins = ""
    if probe.has("image"):
        # A prediction file may lack the row that has the image; a question file may not.
        image = "coalesce(j.image, CASE WHEN TRY_CAST(r.image AS BIGINT) IS NULL THEN r.image END)"
        joins = (
            " LEFT JOIN (SELECT __number, arg_min(image, __row) AS image FROM stage_index "
            "GROUP BY __number) AS j ON TRY_CAST(r.image AS BIGINT) = j.__number"
        )
        if not probe.has("prediction"):
            refuse_first(
                con,
                probe.path,
                "SELECT r.__row, r.image FROM stage_index AS r ANTI JOIN stage_index AS i "
                "ON TRY_CAST(r.image AS BIGINT) = i.__number "
                "WHERE TRY_CAST(r.image AS BIGINT) IS NOT NULL "
                "ORDER BY r.__row LIMIT 1",
                "image",
                lambda row: f"{row[1]!r} is not the index of a row in the file",
            )
    con.execute(
        f"INSERT INTO stage_question SELECT r.__row, {split}, r.__key, r.__pass, "
        f"nullif(CAST(r.question AS VARCHAR), ''), {answer}, nullif({image}, '') "
        f"FROM stage_index AS r{joins}"
    )
    place = f"r.__row, {split}, r.__key"
    cells.stage(
        con,
        "stage_choice",
        f"{place}, r.__pass",
        "stage_index AS r",
        [
            ((literal(column), str(ordinal)), cells.text(column, of="r."))
            for ordinal, column in enumerate(probe.choice_columns)
        ],
    )
    cells.stage(
        con,
        "stage_ability",
        place,
        "stage_index AS r",
        [
            ((str(depth), literal(level), literal(column)), cells.text(column, of="r."))
            for depth, (column, level) in enumerate(_ABILITY_COLUMNS)
            if probe.has(column)
        ],
        blank="trim(cell)",
    )
    attributes = {
        column: cells.text(column, of="r.")
        for column in probe.columns
        if column not in _NO_ATTRIBUTE
        # Predictions can go out again as they came in: with the categories as they were spelt.
        and (column not in _CATEGORIES or probe.has("prediction"))
        and column not in probe.choice_columns
    }
    cells.attributes(con, place, f"stage_index AS r WHERE r.__number < {PASS_STEP}", attributes)


def stage_predictions(con: duckdb.DuckDBPyConnection, probe: Probe, model: str) -> None:
    """Stage the column `prediction`.

    An empty cell of a table is a prediction without text; JSON and Parquet distinguish the two.
    """
    text = "CAST(r.prediction AS VARCHAR)"
    if probe.kind in ("tsv", "csv", "xlsx"):
        text = f"nullif({text}, '')"
    con.execute(
        f"INSERT INTO stage_prediction SELECT r.__row, {literal(model)}, {split_expression(probe)}, "
        f"r.__key, r.__pass, 0, {text}, false FROM stage_index AS r"
    )


def split_expression(probe: Probe) -> str:
    """The SQL that gives a row's split: its column, else NULL (the setting stands for all rows)."""
    return "nullif(trim(CAST(r.split AS VARCHAR)), '')" if probe.has("split") else "NULL"
