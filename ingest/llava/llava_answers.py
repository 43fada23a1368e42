"""LLaVA's answers JSONL: `question_id, round_id, prompt, text, options, option_char, model_id`.

`question_id` is MMBench's index. A file of all rounds counts them in `round_id`, and rotates the
options itself, so each round is the pass whose options stand in the same order. There are no
answers in it, so the dataset has to be known.
"""

from __future__ import annotations

import duckdb

from ingest import model_column, own_columns, staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import no_whole_number, refuse_rows
from ingest.facts.run_facts import Answers
from ingest.indexed_rows import PASS_STEP
from ingest.llava import llava_questions
from ingest.plain import long_questions
from ingest.plain.long_cells import text_list, whole
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the answers, and the options that were shown, to be compared with the dataset's.

    Raises:
        InputError: an id or round is no whole number, or the file mixes models.
    """
    for field in ("question_id", "round_id"):
        wrong = f"{whole(field, 'INTEGER')} IS NULL"
        refuse_rows(con, probe.path, wrong, field, no_whole_number, value=field)
    model = model_of(con, probe, settings)
    number = whole("question_id", "INTEGER")
    key = f"CAST({number} % {PASS_STEP} AS VARCHAR)"
    step = f"CAST({number} // {PASS_STEP} + {whole('round_id', 'INTEGER')} AS INTEGER)"
    staged_rows.select(
        con, "stage_prediction", model=literal(model), question_key=key, pass_=step, text="text"
    )
    further = own_columns.stage_named(con, probe, model, key, step)
    if probe.has("options"):
        options = text_list(con, probe, "options")
        long_questions.stage_choices(con, f"__row, NULL, {key}", step, options)
    return Staged(
        dataset=llava_questions.dataset_of(probe.path),
        inferred={
            "model": "model_id",
            "run": "the file's name",
            **dict.fromkeys(("benchmark", "version", "split", "language"), "the path"),
        },
        answers=Answers(
            key="question_id",
            prediction="text",
            label="options",
            model=model,
            run=probe.path.stem,
            harness="llava",
            further=further,
        ),
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
    version=2,
    description="LLaVA's JSONL: `question_id, round_id, prompt, text, options, model_id`",
    needs=("question_id", "round_id", "text"),
    accepts=lambda probe: probe.kind == "jsonl",
    stage=stage,
    place=Place.BARE_ANSWERS,
)
