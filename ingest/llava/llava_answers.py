"""LLaVA's answers JSONL: `question_id, round_id, prompt, text, options, option_char, model_id`.

`question_id` is MMBench's index. A file of all rounds counts them in `round_id`, and rotates the
options itself, so each round is the pass whose options stand in the same order. There are no
answers in it, so the dataset has to be known.
"""

from __future__ import annotations

import duckdb

from ingest import model_column
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_first
from ingest.indexed_rows import PASS_STEP
from ingest.plain.long_cells import text_list, whole
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings, Staged
from warehouse.errors import InputError

_FIELDS = {
    "question_key": "question_id",
    "pass": "question_id",
    "text": "prompt",
    "label": "options",
    "prediction": "text",
}


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the answers, and the options that were shown, to be compared with the dataset's.

    Raises:
        InputError: an id or round is no whole number, or the file mixes models.
    """
    for field in ("question_id", "round_id"):
        refuse_first(
            con,
            probe.path,
            f"SELECT __row, {field} FROM raw "
            f"WHERE {whole(field, 'INTEGER')} IS NULL ORDER BY __row LIMIT 1",
            field,
            lambda row: f"{row[1]!r} is no whole number from 0, or too large",
        )
    model = model_of(con, probe, settings)
    number = whole("question_id", "INTEGER")
    key = f"CAST({number} % {PASS_STEP} AS VARCHAR)"
    step = f"CAST({number} // {PASS_STEP} + {whole('round_id', 'INTEGER')} AS INTEGER)"
    con.execute(
        f"INSERT INTO stage_prediction SELECT __row, {literal(model)}, NULL, {key}, {step}, 0, text, "
        "false FROM raw"
    )
    if probe.has("options"):
        options = text_list(con, probe, "options")
        con.execute(
            "INSERT INTO stage_choice SELECT r.row, NULL, r.key, r.step, "
            "chr(64 + least(n.place, 99)::INTEGER), n.place - 1, r.texts[n.place] FROM ("
            f"SELECT __row AS row, {key} AS key, {step} AS step, {options} AS texts FROM raw) AS r, "
            "unnest(range(1, len(r.texts) + 1)) AS n(place)"
        )
    return Staged(
        role="predictions",
        fields=_FIELDS,
        model=model,
        run=probe.path.stem,
        harness="llava",
        inferred={"model": "model_id", "run": "the file's name"},
    )


def model_of(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> str:
    """The model that the file or --model names.

    Raises:
        InputError: neither does, or the file mixes models.
    """
    named = model_column.only(con, probe, settings, "model_id")
    model = settings.model or named
    if model is None:
        raise InputError(
            probe.path, "does not name the model; give it with --model", field="model_id"
        )
    return model


ADAPTER = Adapter(
    name="llava_answers",
    version=1,
    description="LLaVA's JSONL: `question_id, round_id, prompt, text, options, model_id`",
    needs=("question_id", "round_id", "text"),
    accepts=lambda probe: probe.kind == "jsonl",
    stage=stage,
    place=Place.BARE_ANSWERS,
)
