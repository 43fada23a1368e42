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

from ingest import indexed_rows, staged_rows
from ingest.adapter import Adapter, Place
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import vlmevalkit_verdicts, work_dir


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
        source = "raw AS r"
        place = {"question_key": "trim(CAST(r.index AS VARCHAR))"}
        place["score"] = "CAST(r.score AS VARCHAR)"
    else:
        indexed_rows.check_index(con, probe)
        source = "stage_index AS r"
        place = {"question_key": "r.__key", "pass_": "r.__pass", "score": "CAST(r.hit AS VARCHAR)"}
    staged_rows.select(
        con, "stage_log", source, split=split, prediction=prediction, log=log, **place
    )
    return vlmevalkit_verdicts.stage(con, probe, settings, "index")


ADAPTER = Adapter(
    name="vlmevalkit_results",
    version=3,
    description="VLMEvalKit's verdicts, `{model}_{dataset}_{judge}_result.xlsx` (MM-Vet's without "
    "`_result`): `index, hit` or `score, log`",
    needs=("index", "log"),
    accepts=lambda probe: probe.has_any("hit", "score") and not work_dir.are_lines_of_others(probe),
    stage=stage,
    place=Place.REFERRING,
    stages_ahead=True,
)
