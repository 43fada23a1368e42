"""VLMEvalKit's judge cache, `{model}_{dataset}_{judge}_result.pkl`: `{index: {hit or score, log}}`.

The names are those of result files, and MM-Vet's lacks `_result`. Texts are in the logs only, so
the run's own predictions are meant. The pickle is read as data, see `safe_pickle`; the same as a
JSON object is read too.
"""

from __future__ import annotations

import duckdb

from ingest.adapter import Adapter, Place
from ingest.checks import refuse_first
from ingest.indexed_rows import PASS_STEP
from ingest.plain.long_cells import whole
from ingest.reading.probe import Probe
from ingest.settings import Settings, Staged
from ingest.vlmevalkit import vlmevalkit_verdicts


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the logs.

    Raises:
        InputError: a key that is no index, a score out of range, or a name that does not say
            enough.
    """
    if probe.has("score"):
        con.execute(
            "INSERT INTO stage_log SELECT __row, NULL, NULL, trim(key), NULL, NULL, NULL, log, score "
            "FROM raw"
        )
    else:
        number = whole("key", "INTEGER")
        refuse_first(
            con,
            probe.path,
            f"SELECT __row, key FROM raw WHERE {number} IS NULL ORDER BY __row LIMIT 1",
            "key",
            lambda row: f"{row[1]!r} is no whole number from 0, or too large",
        )
        con.execute(
            f"INSERT INTO stage_log SELECT __row, NULL, NULL, CAST({number} % {PASS_STEP} AS VARCHAR), "
            f"{number} // {PASS_STEP}, NULL, NULL, log, NULL FROM raw"
        )
    fields = dict.fromkeys(("question_key", "pass"), "key") | {"reply": "log"}
    return vlmevalkit_verdicts.stage(con, probe, settings, fields)


ADAPTER = Adapter(
    name="vlmevalkit_pickle",
    version=1,
    description="VLMEvalKit's verdicts as `.pkl`, through an unpickler that knows plain containers, strings and numbers and nothing else",
    needs=("key", "log"),
    accepts=lambda probe: probe.kind in ("pickle", "json_map") and probe.has_any("hit", "score"),
    stage=stage,
    place=Place.REFERRING,
)
