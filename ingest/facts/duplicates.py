"""The same key twice in a file: an error, or the first or last one counts (--on-duplicate)."""

from __future__ import annotations

from pathlib import Path

import duckdb

from ingest.staged import Staged
from warehouse import statements
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
_ASKING = ("question", "prompt")
"""Columns with what was asked, of files whose questions are not staged."""
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
    "stage_judgment": "row(prediction, reply, error, score, word)",
    "stage_log": "row(prediction, log, score)",
    "stage_subset": "question_key",
}
_LINKED = (
    "stage_question",
    "stage_choice",
    "stage_reference",
    "stage_attribute",
    "stage_ability",
    "stage_component",
    "stage_prediction",
    "stage_score",
    "stage_harness_score",
    "stage_answer_attribute",
    "stage_judgment",
    "stage_prompt",
    "stage_error",
    "stage_log",
    "stage_subset",
)


def _may_be_filled(staged: Staged, table: str) -> bool:
    """Whether a file that has these parts stages rows there."""
    if table == "stage_question":
        return staged.questions is not None
    if table in ("stage_prediction", "stage_score"):
        return staged.answers is not None and staged.answers.table == table
    if table == "stage_subset":
        return staged.subset is not None
    return staged.judgments is not None and not staged.judgments.is_empty


def settle(
    con: duckdb.DuckDBPyConnection, path: Path, staged: Staged, on_duplicate: str
) -> list[str]:
    """Settle duplicates as --on-duplicate says; return a note on the rows left out, if any.

    Raises:
        InputError: there are some and on_duplicate is error; the message says whether they differ.
    """
    for table, columns in _KEYS.items():
        if not _may_be_filled(staged, table):
            continue
        names = {"table": table, "columns": columns, "value": _VALUES[table], "rows": table}
        if con.execute(_SQL["has_duplicates"].format(**names)).fetchall() == [(False,)]:
            continue
        if table == "stage_question":
            names["rows"] = _SQL["questions_with_choices"]
        elif table == "stage_prediction" and staged.questions is not None:
            names["rows"] = _SQL["predictions_with_answers"]
            names["value"] = f"row({names['value']}, answer)"
        (first,) = con.execute(_SQL["first_duplicate"].format(**names)).fetchall()
        keys = dict(zip(columns.split(", "), first, strict=False))
        step = f", pass {keys['pass']}" if "pass" in keys else ""
        low, high, n_values = first[-3:]
        if on_duplicate == "error" and _are_two_questions(con, low, high):
            raise InputError(
                path,
                f"question {keys['question_key']}{step} stands in rows {low} and {high}, which ask two "
                "things, so that it is the id of neither; each question takes an id of its own",
                row=high,
                field=staged.key,
            )
        if on_duplicate == "error":
            values = "with different values" if n_values > 1 else "with the same value"
            raise InputError(
                path,
                f"question {keys['question_key']}{step} stands in rows {low} and {high} {values}; "
                "--on-duplicate first or last says which one counts",
                row=high,
                field=staged.key,
            )
        ((n_rows, n_differing),) = con.execute(_SQL["count_duplicates"].format(**names)).fetchall()
        keep = "min" if on_duplicate == "first" else "max"
        con.execute(_SQL["drop_duplicates"].format(**names, keep=keep))
        if table == "stage_prediction":
            con.execute(_SQL["keep_texts"])
        for linked in _LINKED:
            con.execute(f"DELETE FROM {linked} WHERE row IN (SELECT row FROM stage_dropped)")
        return [
            f"{counted(n_rows, 'duplicate row')} left out, the {on_duplicate} of each counts; "
            f"{counted(n_differing, 'key')} had conflicting values"
        ]
    return []


def _are_two_questions(con: duckdb.DuckDBPyConnection, *rows: int) -> bool:
    """Whether the rows ask different things, so that leaving one out would drop a question."""
    there = {name for (name,) in con.execute(_SQL["columns_of_raw"]).fetchall()}
    sources = ["SELECT row, text FROM stage_question"] + [
        f"SELECT __row, CAST({name} AS VARCHAR) FROM raw" for name in _ASKING if name in there
    ]
    return any(
        con.execute(_SQL["asks_two"].format(asked=source), {"rows": list(rows)}).fetchall()
        == [(True,)]
        for source in sources
    )
