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

from ingest.adapter import Adapter, Place
from ingest.checks import refuse_first
from ingest.names import read_dataset_name, timestamp_label
from ingest.plain import long_cells
from ingest.plain.long_predictions import row_place
from ingest.reading.probe import Probe
from ingest.settings import JudgeKind, Settings, Staged
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
        refuse_first(
            con,
            probe.path,
            f"SELECT __row FROM raw WHERE nullif({reply}, '') IS NULL ORDER BY __row LIMIT 1",
            "verdict",
            lambda row: "is empty",
        )
    prediction = long_cells.text(probe, "prediction")
    if probe.kind in ("csv", "tsv", "xlsx"):
        prediction = f"nullif({prediction}, '')"
    judge_sample = long_cells.whole_number(con, probe, "judge_sample", "0", "SMALLINT")
    place = row_place(con, probe, settings)
    con.execute(
        f"INSERT INTO stage_judgment SELECT {place}, "
        f"nullif(trim({long_cells.text(probe, 'judge')}), ''), {judge_sample}, 0, {prediction}, "
        f"coalesce({reply}, ''), NULL, NULL FROM raw"
    )
    name = read_dataset_name(probe.path.stem, tuple(settings.map))
    timed = timestamp_label(probe.path)
    fields = {
        "question_key": "question_key",
        "pass": "pass",
        "sample": "sample",
        "split": "split",
        "judge": "judge",
        "reply": value,
    }
    if probe.has("model"):
        fields["model"] = "model"
    return Staged(
        role="judgments",
        fields=fields,
        benchmark=name.benchmark if name else None,
        model=settings.model,
        run=timed[0] if timed else None,
        task=None,
        judge=JudgeKind("human" if value == "verdict" else "import", chooses_task=True),
        inferred={"benchmark": "the file's name"},
    )


ADAPTER = Adapter(
    name="judgments",
    version=1,
    description="ours: `question_key`, and `verdict` (a person's: a label or X, 0–1, 1–5) or `reply` (a model's, raw); `judge, judge_sample, model, pass, sample, prediction, split`",
    needs=("question_key",),
    accepts=lambda probe: probe.has_any("verdict", "reply"),
    stage=stage,
    place=Place.REFERRING,
)
