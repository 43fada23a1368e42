"""VLMEvalKit's judge cache, `{model}_{dataset}_{judge}_result.pkl`: `{index: {hit or score, log}}`.

The names are those of result files, and MM-Vet's lacks `_result`. Texts are in the logs only, so
the run's own predictions are meant. The pickle is read as data, see `safe_pickle`; the same as a
JSON object is read too.
"""

from __future__ import annotations

import duckdb

from ingest import staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import no_whole_number, refuse_rows
from ingest.indexed_rows import PASS_STEP
from ingest.plain.long_cells import whole
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import vlmevalkit_verdicts


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the logs.

    Raises:
        InputError: a key that is no index, a score out of range, or a name that does not say
            enough.
    """
    if probe.has("score"):
        staged_rows.select(con, "stage_log", question_key="trim(key)", log="log", score="score")
    else:
        number = whole("key", "INTEGER")
        wrong = f"{number} IS NULL"
        refuse_rows(con, probe.path, wrong, "key", no_whole_number, value="key")
        staged_rows.select(
            con,
            "stage_log",
            question_key=f"CAST({number} % {PASS_STEP} AS VARCHAR)",
            pass_=f"{number} // {PASS_STEP}",
            log="log",
            score="hit",
        )
    return vlmevalkit_verdicts.stage(con, probe, settings, "key")


ADAPTER = Adapter(
    name="vlmevalkit_pickle",
    version=2,
    description="VLMEvalKit's verdicts as `.pkl`, through an unpickler that knows plain "
    "containers, strings and numbers and nothing else",
    needs=("key", "log"),
    accepts=lambda probe: probe.kind in ("pickle", "json_map") and probe.has_any("hit", "score"),
    stage=stage,
    place=Place.REFERRING,
    stages_ahead=True,
)
