"""LLaVA-Bench in VLMEvalKit, `{model}_{dataset}_openai_result.xlsx`: `gpt4_score` and `score`.

The judge gave two scores in the first line of one reply, of the reference and of the model's answer.
The file has the scores and not the reply, so that the judgment's reply is the two of them; -1 is a
reply that VLMEvalKit could not read, and a judgment without a usable reply here.
"""

from __future__ import annotations

import re

import duckdb

from ingest import staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_empty
from ingest.facts.judgment_facts import Judgments
from ingest.names import timestamp_label
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.staged_rows import Grade
from ingest.vlmevalkit import vlmevalkit_verdicts
from warehouse import judges, statements
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)
_KEY = "trim(CAST(index AS VARCHAR))"
_SCORE = re.compile(r"\d+(\.\d*)?")
_UNREAD = ("-1", "-1.0")


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the pairs.

    Raises:
        InputError: an index is empty, a score is no number, or the name does not say enough.
    """
    refuse_empty(con, probe.path, _KEY, "index")
    name = vlmevalkit_verdicts.read_name(con, probe, settings)
    grades = []
    for row, key, prediction, *pair in con.execute(_SQL["pairs"].format(key=_KEY)).fetchall():
        is_read = not all(one in _UNREAD for one in pair)
        for field, one in zip(("gpt4_score", "score"), pair, strict=True):
            if is_read and not _SCORE.fullmatch(one or ""):
                raise InputError(probe.path, f"{one!r} is no score", row=row, field=field)
        reply = " ".join(pair) if is_read else None
        grades.append(
            Grade(
                row,
                name.model,
                None,
                key,
                0,
                name.judge,
                prediction=prediction,
                reply=reply,
                log=None if is_read else "gpt4_score -1, score -1",
            )
        )
    staged_rows.stage_grades(con, grades)
    timed = timestamp_label(probe.path)
    return Staged(
        dataset=name.dataset,
        task_name=name.task_name if name.task_name in settings.map else None,
        judgments=Judgments(
            key="index",
            reply="score",
            model=name.model,
            run=timed[0] if timed else None,
            harness="vlmevalkit",
            questions="open",
            task=judges.PAIR,
            keeps_blanks=True,
        ),
        inferred=dict.fromkeys(
            ("model", "benchmark", "version", "split", "language"), "the file's name"
        ),
    )


ADAPTER = Adapter(
    name="vlmevalkit_pairs",
    version=1,
    description="VLMEvalKit's pairs of LLaVA-Bench, `{model}_{dataset}_openai_result.xlsx`: "
    "`index, prediction, gpt4_score, score`",
    needs=("index", "prediction", "gpt4_score", "score"),
    accepts=lambda probe: not probe.has_any("log", "hit"),
    stage=stage,
    place=Place.REFERRING,
    stages_ahead=True,
)
