"""MM-Vet's answers, `{model}.json`: one JSON object, `{id: what the model said}`.

The model and the run's label are the file's stem unless given.
"""

from __future__ import annotations

import re

import duckdb

from ingest import staged_rows
from ingest.adapter import Adapter, Place
from ingest.facts.run_facts import Answers
from ingest.names import timestamp_label
from ingest.official import mmvet_version
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings
from ingest.staged import Staged

# Files of settings are maps as well; no question has one of these names.
_SETTING = re.compile(r'"(model|name|task|dataset|version|config)"\s*:')


def _head(probe: Probe) -> str:
    with probe.path.open(encoding="utf-8-sig", errors="replace") as file:
        return file.read(1_000)


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the answers."""
    model = settings.model or probe.path.stem
    staged_rows.select(
        con, "stage_prediction", model=literal(model), question_key="trim(key)", text="value"
    )
    timed = timestamp_label(probe.path)
    return Staged(
        dataset=mmvet_version.dataset(con),
        answers=Answers(
            key="key",
            prediction="value",
            model=model,
            run=timed[0] if timed else probe.path.stem,
            produced_at=timed[1] if timed else None,
            harness="mmvet",
        ),
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
    accepts=lambda probe: probe.kind == "json_map" and _SETTING.search(_head(probe)) is None,
    stage=stage,
    place=Place.BARE_ANSWERS,
)
