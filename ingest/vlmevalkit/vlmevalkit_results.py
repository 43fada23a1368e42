"""VLMEvalKit's verdicts, `{model}_{dataset}_{judge}_result.xlsx` (MM-Vet's without `_result`).

    index        the row, as in the prediction file
    hit, log     multiple choice: what the verdict came from; with `g_index` under CircularEval
    score, log   MM-Vet
    prediction   the text that was judged, unless the log holds another

`{model}_{dataset}_openai_result` has the judge `openai`; `exact_matching` in the judge's place
stands for none. The run is the one of the work dir's timestamp, or the model's only one.
"""

from __future__ import annotations

import duckdb

from ingest import indexed_rows
from ingest.adapter import Adapter, Place
from ingest.reading.probe import Probe
from ingest.settings import Settings, Staged
from ingest.vlmevalkit import vlmevalkit_verdicts


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the logs.

    Raises:
        InputError: an index that is none, a score out of range, or a name that does not say enough.
    """
    split = indexed_rows.split_expression(probe)
    prediction = "NULL"
    if probe.has("prediction"):
        prediction = "nullif(CAST(r.prediction AS VARCHAR), '')"
    log = "CAST(r.log AS VARCHAR)"
    if probe.has("score"):
        con.execute(
            f"INSERT INTO stage_log SELECT r.__row, NULL, {split}, trim(CAST(r.index AS VARCHAR)), "
            f"NULL, NULL, {prediction}, {log}, CAST(r.score AS VARCHAR) FROM raw AS r"
        )
    else:
        indexed_rows.check_index(con, probe)
        con.execute(
            f"INSERT INTO stage_log SELECT r.__row, NULL, {split}, r.__key, r.__pass, "
            f"NULL, {prediction}, {log}, NULL FROM stage_index AS r"
        )
    fields = dict.fromkeys(("question_key", "pass"), "index") | {"reply": "log", "split": "split"}
    return vlmevalkit_verdicts.stage(con, probe, settings, fields)


ADAPTER = Adapter(
    name="vlmevalkit_results",
    version=1,
    description="VLMEvalKit's verdicts, `{model}_{dataset}_{judge}_result.xlsx` (MM-Vet's without `_result`): `index, hit` or `score, log`",
    needs=("index", "log"),
    accepts=lambda probe: probe.has_any("hit", "score"),
    stage=stage,
    place=Place.REFERRING,
)
