"""The same key twice in a file: an error, or the first or last one counts (--on-duplicate)."""

from __future__ import annotations

from pathlib import Path

import duckdb

from ingest.settings import Staged
from warehouse.errors import InputError

_KEYS = {
    "stage_prediction": "model, split, question_key, pass, sample",
    "stage_score": "model, split, question_key, pass, sample, component, label",
    "stage_question": "split, question_key, pass",
    "stage_judgment": "judge, judge_sample, attempt, model, split, question_key, pass, sample",
    "stage_log": "model, split, question_key, pass",
    "stage_subset": "subset, split, question_key",
}
_VALUES = {
    "stage_prediction": "coalesce(text, chr(0))",
    "stage_score": "score",
    "stage_question": "row(text, answer, choices, refs)",
    "stage_judgment": "row(prediction, reply, error)",
    "stage_log": "row(prediction, log, score)",
    "stage_subset": "question_key",
}
_ROWS = {
    "stage_prediction": "stage_prediction",
    "stage_score": "stage_score",
    "stage_question": "(SELECT q.*, c.choices, r.refs FROM stage_question AS q LEFT JOIN ("
    "SELECT row, list(row(label, text) ORDER BY ordinal) AS choices FROM stage_choice GROUP BY row"
    ") AS c USING (row) LEFT JOIN ("
    "SELECT row, list(text ORDER BY ordinal) AS refs FROM stage_reference GROUP BY row"
    ") AS r USING (row))",
    "stage_judgment": "stage_judgment",
    "stage_log": "stage_log",
    "stage_subset": "stage_subset",
}
# A prediction file may carry the right answers too, and they can differ where predictions do not.
_ANSWERED = (
    "(SELECT p.*, q.answer FROM stage_prediction AS p LEFT JOIN stage_question AS q USING (row))"
)
_LINKED = (
    "stage_question",
    "stage_choice",
    "stage_reference",
    "stage_attribute",
    "stage_ability",
    "stage_component",
    "stage_prediction",
    "stage_score",
    "stage_judgment",
    "stage_prompt",
    "stage_error",
    "stage_log",
    "stage_subset",
)


def settle(
    con: duckdb.DuckDBPyConnection, path: Path, staged: Staged, on_duplicate: str
) -> str | None:
    """Settle duplicates as --on-duplicate says; return a note on the rows left out, None if none.

    Raises:
        InputError: there are some and on_duplicate is error; the message says whether they differ.
    """
    for table, columns in _KEYS.items():
        if not _has_duplicates(con, table, columns):
            continue
        value, rows = _VALUES[table], _ROWS[table]
        if table == "stage_prediction" and staged.carries_questions:
            value, rows = f"row({value}, answer)", _ANSWERED
        first = con.execute(
            f"SELECT {columns}, min(row), max(row), count(*), count(DISTINCT {value}) "
            f"FROM {rows} GROUP BY {columns} HAVING count(*) > 1 ORDER BY max(row) LIMIT 1"
        ).fetchone()
        assert first is not None
        names = columns.split(", ")
        question = first[names.index("question_key")]
        step = f", pass {first[names.index('pass')]}" if "pass" in names else ""
        low, high, _, n_values = first[-4:]
        if on_duplicate == "error":
            values = "with different values" if n_values > 1 else "with the same value"
            raise InputError(
                path,
                f"question {question}{step} stands in rows {low} and {high} {values}; "
                "--on-duplicate first or last says which one counts",
                row=high,
                field=staged.fields["question_key"],
            )
        counts = con.execute(
            f"SELECT sum(n - 1), count(*) FILTER (n_values > 1) FROM (SELECT count(*) AS n, "
            f"count(DISTINCT {value}) AS n_values FROM {rows} GROUP BY {columns})"
        ).fetchone()
        assert counts is not None
        keep = "min" if on_duplicate == "first" else "max"
        con.execute(
            "CREATE OR REPLACE TEMP TABLE stage_dropped AS SELECT row FROM ("
            f"SELECT row, {keep}(row) OVER (PARTITION BY {columns}) AS kept "
            f"FROM {table}) WHERE row <> kept"
        )
        for linked in _LINKED:
            con.execute(f"DELETE FROM {linked} WHERE row IN (SELECT row FROM stage_dropped)")
        return (
            f"{counts[0]:,} duplicate rows left out, the {on_duplicate} of each counts; "
            f"{counts[1]:,} keys had conflicting values"
        )
    return None


def _has_duplicates(con: duckdb.DuckDBPyConnection, table: str, columns: str) -> bool:
    """Counting keys is far cheaper than comparing their values."""
    ((found,),) = con.execute(
        f"SELECT count(*) <> (SELECT count(*) FROM (SELECT DISTINCT {columns} FROM {table})) "
        f"FROM {table}"
    ).fetchall()
    return bool(found)
