"""Our long format for judgments: what people said, or what any cache of a judge's replies holds.

    question_key   the question's id
    verdict        a person's: a choice's label or X (none of them); for open questions a score from
                   0 to 1, or with --task mark a whole number from 1 to 5; or instead
    reply          what a model said, word for word
    judge          who said it, unless --judge gives it; one file may hold several
    judge_sample   0 unless given: which time the judge got the same prompt
    prediction     the text that was judged, where the file has it; else the run's own is meant
    model, pass, sample, split   as for predictions

A file with verdicts makes its judges humans, a file with replies makes them imports.
"""

from __future__ import annotations

import duckdb

from ingest import staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_empty
from ingest.facts.judgment_facts import Judgments
from ingest.names import DatasetName, read_dataset_name, timestamp_label
from ingest.plain import long_cells
from ingest.plain.long_table import row_place
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the judgments.

    Raises:
        InputError: the file has verdicts and replies, or a verdict is empty.
    """
    if probe.has("verdict", "reply"):
        raise InputError(
            probe.path, "stands next to verdict; a file has one or the other", row=0, field="reply"
        )
    value = "verdict" if probe.has("verdict") else "reply"
    reply = long_cells.text(probe, value)
    if value == "verdict":
        reply = f"trim({reply})"
        refuse_empty(con, probe.path, reply, "verdict")
    prediction = long_cells.text(probe, "prediction")
    if probe.kind in ("csv", "tsv", "xlsx"):
        prediction = f"nullif({prediction}, '')"
    judge_sample = long_cells.whole_number(con, probe, "judge_sample", "0", "SMALLINT")
    place = row_place(con, probe, settings)
    staged_rows.select(
        con,
        "stage_judgment",
        **place,
        judge=f"nullif(trim({long_cells.text(probe, 'judge')}), '')",
        judge_sample=judge_sample,
        prediction=prediction,
        reply=f"coalesce({reply}, '')",
    )
    name = read_dataset_name(probe.path.stem, tuple(settings.map))
    timed = timestamp_label(probe.path)
    return Staged(
        dataset=DatasetName(name.benchmark) if name else None,
        inferred={"benchmark": "the file's name"},
        judgments=Judgments(
            reply=value,
            judge="judge",
            model_column="model" if probe.has("model") else None,
            pass_column="pass",
            model=settings.model,
            run=timed[0] if timed else None,
            questions=None,
            kind="human" if value == "verdict" else "import",
            chooses_task=True,
        ),
    )


ADAPTER = Adapter(
    name="judgments",
    version=1,
    description="ours: `question_key`, and `verdict` (a person's: a label or X, 0–1, 1–5) or "
    "`reply` (a model's, raw); `judge, judge_sample, model, pass, sample, prediction, split`",
    needs=("question_key",),
    accepts=lambda probe: probe.has_any("verdict", "reply"),
    stage=stage,
    place=Place.REFERRING,
)
