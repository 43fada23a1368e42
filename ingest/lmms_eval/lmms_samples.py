"""lmms-eval's samples, `{model}/{time}_samples_{task}.jsonl`.

A sample's fields decide its form, whatever the task's name is: MMBench's (`lmms_mmbench`),
SEED-Bench's (`lmms_seed`), likelihoods of choices (`lmms_likelihoods`), or any other (`lmms_tasks`).

filtered_resps is what was scored; resps, absent where it is the same, all that the model said:
several texts where each question was put several times. If the harness changed what it scored, what
the model said is a run of its own (unfiltered). doc_hash is the same on every line, and no key.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import duckdb

from ingest import harness_results
from ingest.adapter import Adapter, Place
from ingest.lmms_eval import lmms_likelihoods, lmms_mmbench, lmms_seed, lmms_tasks
from ingest.reading.probe import Probe, json_records
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the questions as far as the samples have them, and answers or likelihoods.

    Raises:
        InputError: samples of no form that is known, one of another form than the first or with a
            cell that is not what it should be, or more than the results file lists.
    """
    path = probe.path
    info = harness_results.look(con, path, settings)
    records: list[dict[str, Any]] = [
        record for record in json_records(path, probe.kind) if isinstance(record, dict)
    ]
    rows = list(range(1, len(records) + 1))
    notes = harness_results.check_number(path, info, settings, rows)
    info = replace(info, notes=info.notes + notes)
    if lmms_likelihoods.has(records[0]):
        return lmms_likelihoods.stage(con, path, settings, info, records)
    if lmms_seed.has(records[0]):
        return lmms_seed.stage(con, path, settings, info, records)
    if lmms_mmbench.has(records[0]):
        return lmms_mmbench.stage(con, path, info, records)
    if lmms_tasks.has(records[0]):
        return lmms_tasks.stage(con, path, settings, info, records)
    raise InputError(
        path,
        f"the samples of the task {info.task} are in no form that is known here: they have neither "
        "MMBench's gpt_eval_score or submission, nor SEED-Bench's seed_all, nor likelihoods of choices, "
        "nor the prompt in input",
        row=1,
    )


ADAPTER = Adapter(
    name="lmms_samples",
    version=3,
    description="lmms-eval's `{model}/{time}_samples_{task}.jsonl` of any task: `doc_id, target, filtered_resps`",
    needs=("doc_id", "target", "filtered_resps"),
    accepts=lambda probe: (
        probe.kind == "jsonl"
        and (not probe.has_any("arguments", "doc", "filter") or harness_results.is_lmms(probe.path))
    ),
    stage=stage,
    place=Place.BARE_ANSWERS,
)
