"""SEED-Bench's result files: `question_id, prediction`, one record a line.

Also with a comma at the end of each line, and with the ground truth in `gt_answer`. A file with the
ground truth needs no question file: its questions are known by their ids alone, with the choices A
to D, until a question file adds their texts.

The script writes no model; the file's name has it; a column `model_id` or `model` that others
add has to name one alone.

SEED-Bench-2's ids begin with the number of the dimension: {dimension}_{number}.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

from ingest import model_column, own_columns, staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_rows
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers
from ingest.names import DatasetName, split_benchmark_and_model, timestamp_label
from ingest.official.seedbench_questions import cell, key_of, stage_components
from ingest.plain import long_questions
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import known_benchmarks
from warehouse.errors import InputError
from warehouse.wording import counted

_SECOND = "SEED-Bench-2"
_ID_OF_SECOND = r"^(\d+)_\d+$"
_MODEL_COLUMNS = ("model_id", "model")
_KINDS = ("json", "jsonl", "json_list", "jsonl_commas")
"""Of files that nothing but their columns says to be SEED-Bench's."""
_OF_OTHERS = (
    "model", "question", "A", "choices", "options", "answer", "reference", "references", "target",
    "gold", "label", "category", "pass", "sample",
)  # fmt: skip
_NO_MODEL = {"result", "results", "prediction", "predictions"}
_QUESTIONS = Questions(
    key="question_id", text="question_id", label="question_id", answer="gt_answer", by_id_alone=True
)


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the predictions, and the questions by their ids if the file has the ground truth.

    Raises:
        InputError: an id is missing, or is none of SEED-Bench-2; nothing names the model, or the
            file mixes models.
    """
    key = key_of(con, probe, "question_id")
    model, model_source = _model(con, probe, settings)
    benchmark, benchmark_source = _benchmark(con, probe.path, settings, key)
    prediction = cell(probe, "prediction")
    text = f"nullif({prediction}, '')" if probe.kind in ("csv", "tsv", "xlsx") else prediction
    staged_rows.select(con, "stage_prediction", model=literal(model), question_key=key, text=text)
    further = own_columns.stage_named(con, probe, model, key)
    notes = _stray_spaces(con, prediction, "prediction", "stored with them")
    if probe.has("gt_answer"):
        notes += _stray_spaces(con, cell(probe, "gt_answer"), "answer", "stored without")
        _stage_questions(con, probe, key, of_second=benchmark == _SECOND)
    timed = timestamp_label(probe.path)
    return Staged(
        dataset=DatasetName(benchmark) if benchmark else None,
        notes=notes,
        questions=_QUESTIONS if probe.has("gt_answer") else None,
        answers=Answers(
            key="question_id",
            label="question_id",
            model=model,
            run=timed[0] if timed else probe.path.stem,
            produced_at=timed[1] if timed else None,
            harness="seedbench",
            further=further,
        ),
        inferred={
            "model": model_source,
            "run": "the folder's name" if timed else "the file's name",
            "benchmark": benchmark_source,
        },
    )


def _model(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> tuple[str, str]:
    """The model, and where it is named: in a column, or else in the file's name."""
    columns = {name: model_column.only(con, probe, settings, name) for name in _MODEL_COLUMNS}
    if settings.model is not None:
        return settings.model, "given"
    for column, model in columns.items():
        if model is not None:
            return model, f"the column {column}"
    name = split_benchmark_and_model(probe.path.stem)[1]
    if name.lower() in _NO_MODEL:
        raise InputError(probe.path, "does not name the model; give it with --model")
    return name, "the file's name"


def _benchmark(
    con: duckdb.DuckDBPyConnection, path: Path, settings: Settings, key: str
) -> tuple[str | None, str]:
    """The benchmark in the flag, the file's or folder's name, or the ids; and which has it."""
    benchmark, benchmark_source = _named_benchmark(path, settings)
    if benchmark is None:
        ((all_numbered,),) = con.execute(
            f"SELECT bool_and(regexp_matches({key}, ?)) FROM raw", [_ID_OF_SECOND]
        ).fetchall()
        benchmark, benchmark_source = (_SECOND, "its ids") if all_numbered else (None, "")
    if benchmark == _SECOND:
        refuse_rows(
            con,
            path,
            f"NOT regexp_matches({key}, '{_ID_OF_SECOND}')",
            "question_id",
            lambda row: f"{row[1]!r} is no id of {_SECOND}: those are like 9_85, dimension first",
            value=key,
        )
    return benchmark, benchmark_source


def _named_benchmark(path: Path, settings: Settings) -> tuple[str | None, str]:
    if settings.benchmark is not None:
        known = known_benchmarks.find(settings.benchmark)
        return (known.name if known else settings.benchmark), "given"
    named, _ = split_benchmark_and_model(path.stem)
    if named is not None:
        return named, "the file's name"
    folder = known_benchmarks.find(path.absolute().parent.name)
    return (folder.name if folder else None), "the folder's name"


def _stage_questions(
    con: duckdb.DuckDBPyConnection, probe: Probe, key: str, *, of_second: bool
) -> None:
    answer = f"nullif(trim({cell(probe, 'gt_answer')}), '')"
    staged_rows.select(con, "stage_question", question_key=key, text="''", answer=answer)
    long_questions.stage_choices(con, f"__row, NULL, {key}", "0", "['', '', '', '']")
    if of_second:
        dimension = f"regexp_extract({key}, '{_ID_OF_SECOND}', 1)"
        staged_rows.select(
            con,
            "stage_ability",
            question_key=key,
            level="'dimension'",
            field="'question_id'",
            spelling=dimension,
        )
        stage_components(con, key, "question_id", f"{dimension} = '27'")


def _stray_spaces(
    con: duckdb.DuckDBPyConnection, written: str, what: str, consequence: str
) -> tuple[str, ...]:
    ((n,),) = con.execute(f"SELECT count(*) FROM raw WHERE {written} <> trim({written})").fetchall()
    if not n:
        return ()
    return (f"{counted(n, f'{what} has', f'{what}s have')} stray spaces, {consequence}",)


def _accepts(probe: Probe) -> bool:
    """Not what another table has: questions and what is right, or a column of models."""
    if probe.has_any("round_id", "doc_id", "choice_a"):
        return False
    if probe.has("gt_answer") or _named_benchmark(probe.path, Settings())[0] is not None:
        return True
    return probe.kind in _KINDS and not probe.has_any(*_OF_OTHERS)


ADAPTER = Adapter(
    name="seedbench_results",
    version=2,
    description="SEED-Bench's result lines, with or without a comma at the end: `question_id, "
    "prediction`, perhaps `gt_answer`, which makes a question file needless",
    needs=("question_id", "prediction"),
    accepts=_accepts,
    stage=stage,
    place=lambda probe: Place.ANSWERS if probe.has("gt_answer") else Place.BARE_ANSWERS,
)
