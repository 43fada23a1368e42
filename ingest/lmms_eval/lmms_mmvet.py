"""lmms-eval's `{model}/{time}_samples_mmvet.jsonl`: MM-Vet's questions, answers and grades.

All of it is in `gpt_eval_score: {question_id, question, gt_answer, capabilities, pred_answer,
score, eval_model}`. The harness keeps the score alone, so the judge's reply is the score as
written. A grade that names no judge model comes from a call that failed; the file says no more of
it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import duckdb

from ingest import capabilities, harness_results
from ingest.adapter import Adapter
from ingest.checks import refuse_first
from ingest.lmms_eval import lmms_responses
from ingest.lmms_eval.lmms_responses import Place
from ingest.reading.probe import Probe, json_records
from ingest.reading.raw import literal
from ingest.settings import JudgeKind, Settings, Staged

_PLACE = "__row, NULL, question_id"
_GRADE = "gpt_eval_score"
_FIELDS = {
    "question_key": f"{_GRADE}.question_id",
    "pass": f"{_GRADE}.question_id",
    "text": f"{_GRADE}.question",
    "reference": f"{_GRADE}.gt_answer",
    "label": f"{_GRADE}.question_id",
    "prediction": "filtered_resps",
    "judge": f"{_GRADE}.eval_model",
    "reply": f"{_GRADE}.score",
}


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage questions, references, capabilities, predictions and grades.

    Raises:
        InputError: a sample has no question id, or a score that is none.
    """
    names = ("question_id", "question", "gt_answer", "capabilities", "score", "eval_model")
    cells = ", ".join(f"try({_GRADE}::JSON) ->> '$.{name}' AS {name}" for name in names)
    con.execute(f"CREATE OR REPLACE TEMP TABLE stage_sample AS SELECT __row, {cells} FROM raw")
    refuse_first(
        con,
        probe.path,
        "SELECT __row FROM stage_sample WHERE nullif(question_id, '') IS NULL ORDER BY 1 LIMIT 1",
        f"{_GRADE}.question_id",
        lambda row: "is empty",
    )
    refuse_first(
        con,
        probe.path,
        "SELECT __row, score FROM stage_sample WHERE nullif(trim(eval_model), '') IS NOT NULL "
        "AND NOT coalesce(TRY_CAST(score AS DOUBLE) BETWEEN 0 AND 1, false) ORDER BY 1 LIMIT 1",
        f"{_GRADE}.score",
        lambda row: f"{row[1]!r} is no score from 0 to 1",
    )
    con.execute(
        f"INSERT INTO stage_question SELECT {_PLACE}, 0, nullif(question, ''), NULL, NULL "
        "FROM stage_sample"
    )
    con.execute(
        f"INSERT INTO stage_reference SELECT {_PLACE}, 0, gt_answer FROM stage_sample "
        "WHERE nullif(gt_answer, '') IS NOT NULL"
    )
    written = "string_split(coalesce(capabilities, ''), ',')"
    capabilities.stage(con, "stage_sample", _PLACE, written, f"{_GRADE}.capabilities")
    staged = _stage_answers(con, probe, settings)
    model = literal(staged.model or "")
    con.execute(
        f"INSERT INTO stage_judgment SELECT __row, {model}, NULL, question_id, 0, 0, eval_model, 0, "
        "0, NULL, score, NULL, NULL FROM stage_sample WHERE nullif(trim(eval_model), '') IS NOT NULL"
    )
    ((n_unnamed,),) = con.execute(
        "SELECT count(*) FROM stage_sample WHERE nullif(trim(eval_model), '') IS NULL"
    ).fetchall()
    notes = (f"{n_unnamed:,} grades left out: they name no judge model",) if n_unnamed else ()
    return replace(
        staged,
        fields=_FIELDS,
        benchmark=staged.benchmark or "MM-Vet",
        inferred=staged.inferred
        if staged.benchmark
        else {**staged.inferred, "benchmark": "the format"},
        task="open",
        carries_questions=True,
        judge=JudgeKind("import"),
        notes=staged.notes + notes,
    )


def _stage_answers(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    path = probe.path
    info = harness_results.look(con, path, settings, harness_results.LMMS_EVAL)
    records: list[dict[str, Any]] = [
        record for record in json_records(path, probe.kind) if isinstance(record, dict)
    ]
    rows = con.execute("SELECT __row, question_id FROM stage_sample ORDER BY 1").fetchall()
    notes = harness_results.check_number(path, info, settings, [row for row, _ in rows])
    staged = harness_results.staged(info, harness_results.LMMS_EVAL, notes)
    places = {row: Place(None, key) for row, key in rows}
    return lmms_responses.stage(con, path, info, staged, records, places)


ADAPTER = Adapter(
    name="lmms_mmvet",
    version=2,
    description="lmms-eval's `{model}/{time}_samples_mmvet.jsonl`: questions, answers and grades",
    needs=("filtered_resps", "gpt_eval_score"),
    accepts=lambda probe: probe.kind == "jsonl" and not probe.has("submission"),
    stage=stage,
)
