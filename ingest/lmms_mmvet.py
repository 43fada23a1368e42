"""lmms-eval's samples of MM-Vet, `{model}/{time}_samples_mmvet.jsonl`: questions, answers and grades.

All of it is in `gpt_eval_score: {question_id, question, gt_answer, capabilities, pred_answer, score,
eval_model}`. The harness keeps the score alone, so the judge's reply is the score as written. A grade
that names no judge model comes from a call that failed; the file says no more of it.
"""

from __future__ import annotations

import duckdb

from ingest import capabilities
from ingest.adapter import Adapter
from ingest.checks import refuse_first
from ingest.names import file_time, read_dataset_name
from ingest.probe import Probe
from ingest.raw import literal
from ingest.settings import JudgeKind, Settings, Staged

_PLACE = "__row, NULL, question_id"
_GRADE = "gpt_eval_score"


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage questions, references, capabilities, predictions and grades.

    Raises:
        InputError: a sample has no question id, or a score that is none.
    """
    names = ("question_id", "question", "gt_answer", "capabilities", "pred_answer", "score", "eval_model")  # fmt: skip
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
    model = literal(settings.model or probe.path.absolute().parent.name)
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
    con.execute(
        f"INSERT INTO stage_prediction SELECT __row, {model}, NULL, question_id, 0, 0, pred_answer, "
        "false FROM stage_sample"
    )
    con.execute(
        f"INSERT INTO stage_judgment SELECT __row, {model}, NULL, question_id, 0, 0, eval_model, 0, "
        "0, NULL, score, NULL, NULL FROM stage_sample WHERE nullif(trim(eval_model), '') IS NOT NULL"
    )
    ((n_unnamed,),) = con.execute(
        "SELECT count(*) FROM stage_sample WHERE nullif(trim(eval_model), '') IS NULL"
    ).fetchall()
    name = read_dataset_name(probe.path.stem.partition("samples_")[2])
    timed = file_time(probe.path)
    return Staged(
        role="predictions",
        fields={
            "question_key": f"{_GRADE}.question_id",
            "pass": f"{_GRADE}.question_id",
            "text": f"{_GRADE}.question",
            "reference": f"{_GRADE}.gt_answer",
            "label": f"{_GRADE}.question_id",
            "prediction": f"{_GRADE}.pred_answer",
            "judge": f"{_GRADE}.eval_model",
            "reply": f"{_GRADE}.score",
        },
        benchmark=name.benchmark if name else "MM-Vet",
        version=name.version if name else None,
        model=settings.model or probe.path.absolute().parent.name,
        run=timed[0] if timed else probe.path.stem,
        produced_at=timed[1] if timed else None,
        harness="lmms-eval",
        task="open",
        carries_questions=True,
        judge=JudgeKind("import"),
        inferred={
            "model": "the folder's name",
            **dict.fromkeys(("run", "benchmark", "version"), "the file's name"),
        },
        notes=(f"{n_unnamed:,} grades left out: they name no judge model",) if n_unnamed else (),
    )


ADAPTER = Adapter(
    name="lmms_mmvet",
    version=1,
    description="lmms-eval's `{model}/{time}_samples_mmvet.jsonl`: questions, answers and grades",
    needs=("gpt_eval_score",),
    accepts=lambda probe: probe.kind == "jsonl",
    stage=stage,
)
