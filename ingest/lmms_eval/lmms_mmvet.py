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

from ingest import capabilities, harness_results, open_rows, staged_rows
from ingest.adapter import Adapter
from ingest.checks import refuse_empty, refuse_rows
from ingest.facts.judgment_facts import Judgments
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers
from ingest.harness_results import SamplesInfo
from ingest.lmms_eval import lmms_responses
from ingest.lmms_eval.lmms_responses import Place
from ingest.names import DatasetName
from ingest.reading.probe import Probe, json_records
from ingest.reading.raw import literal
from ingest.settings import Settings
from ingest.staged import Staged

_PLACE = "__row, NULL, question_id"
_GRADE = "gpt_eval_score"
_IS_GRADED = "(nullif(trim(eval_model), '') IS NOT NULL)"
_KEY = f"{_GRADE}.question_id"
_QUESTIONS = Questions(
    key=_KEY, text=f"{_GRADE}.question", reference=f"{_GRADE}.gt_answer", task="open"
)
_JUDGMENTS = Judgments(key=_KEY, reply=f"{_GRADE}.score", judge=f"{_GRADE}.eval_model")


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage questions, references, capabilities, predictions and grades.

    Raises:
        InputError: a sample has no question id, or a score that is none.
    """
    names = ("question_id", "question", "gt_answer", "capabilities", "score", "eval_model")
    cells = ", ".join(f"try({_GRADE}::JSON) ->> '$.{name}' AS {name}" for name in names)
    con.execute(f"CREATE OR REPLACE TEMP TABLE stage_sample AS SELECT __row, {cells} FROM raw")
    refuse_empty(con, probe.path, "question_id", _KEY, source="stage_sample")
    refuse_rows(
        con,
        probe.path,
        "NOT coalesce(TRY_CAST(score AS DOUBLE) BETWEEN 0 AND 1, false)",
        f"{_GRADE}.score",
        lambda row: f"{row[1]!r} is no score from 0 to 1",
        value="score",
        source=f"(FROM stage_sample WHERE {_IS_GRADED})",
    )
    open_rows.stage(con, "question_id", "question", "gt_answer", source="stage_sample")
    written = "string_split(coalesce(capabilities, ''), ',')"
    capabilities.stage(con, "stage_sample", _PLACE, written, f"{_GRADE}.capabilities")
    info, variants, notes = _stage_answers(con, probe, settings)
    staged_rows.select(
        con,
        "stage_judgment",
        f"stage_sample WHERE {_IS_GRADED}",
        model=literal(info.model),
        question_key="question_id",
        judge="eval_model",
        reply="score",
    )
    ((n_unnamed,),) = con.execute(
        f"SELECT count(*) FROM stage_sample WHERE NOT {_IS_GRADED}"
    ).fetchall()
    if n_unnamed:
        notes.append(f"{n_unnamed:,} grades left out: they name no judge model")
    if info.dataset is None:
        inferred = {**info.inferred, "benchmark": "the format"}
        info = replace(info, dataset=DatasetName("MM-Vet"), inferred=inferred)
    answers = Answers(key=_KEY, prediction="filtered_resps", variants=variants)
    return harness_results.staged(
        info, answers, questions=_QUESTIONS, judgments=_JUDGMENTS, notes=notes
    )


def _stage_answers(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings
) -> tuple[SamplesInfo, dict[str, tuple[str, str]], list[str]]:
    path = probe.path
    info = harness_results.look(con, path, settings)
    records: list[dict[str, Any]] = [
        record for record in json_records(path, probe.kind) if isinstance(record, dict)
    ]
    rows = con.execute("SELECT __row, question_id FROM stage_sample ORDER BY 1").fetchall()
    notes = harness_results.check_number(path, info, settings, [row for row, _ in rows])
    places = {row: Place(None, key) for row, key in rows}
    variants, more = lmms_responses.stage(con, path, info, records, places)
    return info, variants, [*notes, *more]


ADAPTER = Adapter(
    name="lmms_mmvet",
    version=3,
    description="lmms-eval's `{model}/{time}_samples_mmvet.jsonl`: questions, answers and grades",
    needs=("filtered_resps", "gpt_eval_score"),
    accepts=lambda probe: probe.kind == "jsonl" and not probe.has("submission"),
    stage=stage,
)
