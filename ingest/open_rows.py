"""Rows of open questions: a text, and one reference as it stands."""

from __future__ import annotations

import duckdb

from ingest import staged_rows


def stage(
    con: duckdb.DuckDBPyConnection,
    key: str,
    text: str,
    reference: str,
    *,
    image: str = "NULL",
    source: str = "raw",
    row: str = "__row",
    joined: str = "",
) -> None:
    """Stage questions, and their references where they are not empty.

    Args:
        key, text, reference, image: SQL for each column as text.
        source: what stands after FROM.
        row: SQL for the record's number.
        joined: what is joined to the source for the image.
    """
    staged_rows.select(
        con,
        "stage_question",
        source + joined,
        row=row,
        question_key=key,
        text=f"nullif({text}, '')",
        image=image,
    )
    references = f"{source} WHERE nullif({reference}, '') IS NOT NULL"
    staged_rows.select(
        con, "stage_reference", references, row=row, question_key=key, text=reference
    )
