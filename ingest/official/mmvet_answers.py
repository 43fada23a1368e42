"""MM-Vet's answers, `{model}.json`: one JSON object, `{id: what the model said}`.

The model and the run's label are the file's stem unless given.
"""

from __future__ import annotations

import duckdb

from ingest.adapter import Adapter, Place
from ingest.names import timestamp_label
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings, Staged


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the answers."""
    model = settings.model or probe.path.stem
    con.execute(
        f"INSERT INTO stage_prediction SELECT __row, {literal(model)}, NULL, trim(key), 0, 0, value, "
        "false FROM raw"
    )
    timed = timestamp_label(probe.path)
    return Staged(
        role="predictions",
        fields={
            "question_key": "key",
            "pass": "key",
            "text": "key",
            "label": "key",
            "prediction": "value",
        },
        benchmark="MM-Vet",
        model=model,
        run=timed[0] if timed else probe.path.stem,
        produced_at=timed[1] if timed else None,
        harness="mmvet",
        task="open",
        inferred={
            "model": "the file's name",
            "run": "the folder's name" if timed else "the file's name",
            "benchmark": "the format",
        },
    )


ADAPTER = Adapter(
    name="mmvet_answers",
    version=1,
    description="MM-Vet's answers, `{model}.json`: `{id: text}`",
    needs=("key", "value"),
    accepts=lambda probe: probe.kind == "json_map",
    stage=stage,
    place=Place.BARE_ANSWERS,
)
