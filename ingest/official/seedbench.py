"""SEED-Bench's own files: questions, and results.

`SEED-Bench.json` and `SEED-Bench_v2_level1_2_3.json` are one JSON object: the list `questions`,
and the map `question_type`, from the names of the dimensions to their numbers. Also the records
alone, in any kind of file; then the numbers are those of the paper.

question_id         the key; SEED-Bench-2's is {dimension}_{number}
question            the text
choice_a, …         the choices; the files of an image task's options, which may be absent
answer              the right letter; may be absent
question_type_id    the dimension's number in `question_type`
data_type, data_id, segment, data_source, level, subpart, version and anything else are attributes

A question with data_type "Image & Text Generation" wants a text and an image.

Results are `question_id, prediction`, one record a line, also with a comma at the end of each,
and with the ground truth in `gt_answer`. A file with the ground truth needs no question file: its
questions are known by their ids alone, with the choices A to D, until a question file adds their
texts. The script writes no model; the file's name has it; a column `model_id` or `model` that
others add has to name one alone.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

from ingest import cells, own_columns, staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_empty, refuse_rows
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers
from ingest.names import DatasetName, split_benchmark_and_model, timestamp_label
from ingest.plain import long_table
from ingest.plain.long_cells import whole
from ingest.reading import json_rows
from ingest.reading.probe import Probe
from ingest.reading.raw import literal, quoted
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import known_benchmarks
from warehouse.errors import InputError
from warehouse.wording import counted


def _only_model(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings, column: str
) -> str | None:
    """The model that a column names, whatever --model says; None: there is none, or it is empty.

    Raises:
        InputError: the column names several, and --model does not say what they are together.
    """
    if not probe.has(column):
        return None
    written = f"CAST({quoted(column)} AS VARCHAR)"
    models = [
        str(name)
        for (name,) in con.execute(
            f"SELECT DISTINCT {written} FROM raw WHERE nullif(trim({written}), '') IS NOT NULL ORDER BY 1"
        ).fetchall()
    ]
    if len(models) > 1 and settings.model is None:
        raise InputError(probe.path, f"mixes the models {', '.join(models)}", field=column)
    return models[0] if models else None


_COMPONENTS = ("text", "image")
_CHOICES = tuple(f"choice_{chr(code)}" for code in range(ord("a"), ord("z") + 1))
_OWN = {"question_id", "question", "answer", "question_type_id", "image", *_CHOICES}
_FIRST, _SECOND = "SEED-Bench", "SEED-Bench-2"
_OPTIONS_ARE_IMAGES = "('Image Generation', 'Image & Text Generation')"
_ID_OF_SECOND = r"^(\d+)_\d+$"
_MODEL_COLUMNS = ("model_id", "model")
_KINDS = ("json", "jsonl", "json_list", "jsonl_commas")
"""Of files that nothing but their columns says to be SEED-Bench's."""
_OF_OTHERS = (
    "model", "question", "A", "choices", "options", "answer", "reference", "references", "target",
    "gold", "label", "category", "pass", "sample",
)  # fmt: skip
_NO_MODEL = {"result", "results", "prediction", "predictions"}
_KNOWN_BY_ID = Questions(
    key="question_id", text="question_id", label="question_id", answer="gt_answer", by_id_alone=True
)


# Questions.


def stage_questions(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage questions, choices, answers, dimensions and components.

    Raises:
        InputError: an id, a choice or the dimension is missing, or `question_type` is no map from
            names to numbers, or does not have a question's number.
    """
    key = key_of(con, probe, "question_id")
    place = f"__row, NULL, {key}"
    staged_rows.select(
        con,
        "stage_question",
        question_key=key,
        text=f"nullif({cell(probe, 'question')}, '')",
        answer=f"nullif(trim({cell(probe, 'answer')}), '')",
        image=f"nullif({cell(probe, 'image')}, '')",
    )
    _stage_choices(con, probe, key)
    benchmark, benchmark_source = _benchmark_of_questions(probe, settings)
    notes = _stage_dimensions(con, probe, key, benchmark)
    if probe.has("data_type"):
        _stage_components(con, key, "data_type", "data_type = 'Image & Text Generation'")
    others = {name: cell(probe, name) for name in probe.columns if name not in _OWN}
    cells.attributes(con, place, "raw", others)
    return Staged(
        dataset=DatasetName(benchmark),
        inferred={"benchmark": benchmark_source},
        notes=notes,
        questions=Questions(key="question_id", label="choice_a"),
    )


def cell(probe: Probe, column: str) -> str:
    """SQL for a cell as text, JSON where it is a list; NULL where the file has no such column."""
    if not probe.has(column):
        return "CAST(NULL AS VARCHAR)"
    if probe.kind == "parquet":
        return f"(to_json({quoted(column)}) ->> '$')"
    return f"CAST({quoted(column)} AS VARCHAR)"


def key_of(con: duckdb.DuckDBPyConnection, probe: Probe, column: str) -> str:
    """SQL for the question's id, a number or a text.

    Raises:
        InputError: a cell is empty.
    """
    key = f"trim({cell(probe, column)})"
    refuse_empty(con, probe.path, key, column)
    return key


def _stage_components(con: duckdb.DuckDBPyConnection, key: str, column: str, where: str) -> None:
    """Stage that the answers to some questions are a text and an image, as a column says."""
    staged_rows.select(
        con,
        "stage_component",
        f"raw WHERE {where}",
        question_key=key,
        field=literal(column),
        component=f"unnest({list(_COMPONENTS)})",
    )


def _benchmark_of_questions(probe: Probe, settings: Settings) -> tuple[str, str]:
    if settings.benchmark is not None:
        known = known_benchmarks.find(settings.benchmark)
        return (known.name if known else settings.benchmark), "given"
    if probe.has("level", "subpart"):
        return _SECOND, "the columns level and subpart"
    return _FIRST, "the format"


def _stage_choices(con: duckdb.DuckDBPyConnection, probe: Probe, key: str) -> None:
    data_type = cell(probe, "data_type")
    # An empty cell of a table is nothing; JSON and Parquet distinguish an empty text from it.
    empty = "''" if probe.kind in ("csv", "tsv", "xlsx") else "NULL"
    for ordinal, column in enumerate(name for name in _CHOICES if probe.has(name)):
        text = f"nullif({cell(probe, column)}, {empty})"
        wrong = f"{text} IS NULL AND coalesce({data_type}, '') NOT IN {_OPTIONS_ARE_IMAGES}"
        refuse_rows(con, probe.path, wrong, column, lambda row: "is missing")
        staged_rows.select(
            con,
            "stage_choice",
            question_key=key,
            label=literal(column[-1].upper()),
            ordinal=str(ordinal),
            text=f"coalesce({text}, '')",
        )


def _stage_dimensions(
    con: duckdb.DuckDBPyConnection, probe: Probe, key: str, benchmark: str
) -> tuple[str, ...]:
    """Stage each question's dimension by the name that the file itself has for its number."""
    written = cell(probe, "question_type_id")
    number = f"coalesce(CAST({whole(written, 'INTEGER')} AS VARCHAR), trim({written}))"
    refuse_empty(con, probe.path, f"trim({written})", "question_type_id")
    names = _question_types(probe)
    con.execute("CREATE OR REPLACE TEMP TABLE stage_type (number VARCHAR, name VARCHAR)")
    if names is not None:
        con.executemany(
            "INSERT INTO stage_type VALUES (?, ?)", [list(one) for one in names.items()]
        )
        refuse_rows(
            con,
            probe.path,
            f"{number} NOT IN (SELECT number FROM stage_type)",
            "question_type_id",
            lambda row: f"{row[1]!r} is no number of the file's question_type",
            value=number,
        )
    staged_rows.select(
        con,
        "stage_ability",
        f"raw LEFT JOIN stage_type AS t ON t.number = {number}",
        question_key=key,
        level="'dimension'",
        field="'question_type_id'",
        spelling=f"coalesce(t.name, {number})",
    )
    con.execute("DROP TABLE stage_type")
    return _numbered_otherwise(names or {}, benchmark)


def _question_types(probe: Probe) -> dict[str, str] | None:
    """The names of the dimensions by number; None: the file has none."""
    if probe.kind != "json_list":
        return None
    numbers = json_rows.other_values(probe.path).get("question_type")
    if numbers is None:
        return None
    if not isinstance(numbers, dict) or not all(
        isinstance(number, int) and not isinstance(number, bool) for number in numbers.values()
    ):
        raise InputError(probe.path, "is no map from names to whole numbers", field="question_type")
    names = {str(number): name for name, number in numbers.items()}
    for name, number in numbers.items():
        if names[str(number)] != name:
            raise InputError(
                probe.path,
                f"{name} and {names[str(number)]} have the same number",
                field="question_type",
            )
    return names


def _numbered_otherwise(names: dict[str, str], benchmark: str) -> tuple[str, ...]:
    """A note on dimensions that the file numbers otherwise than the paper does."""
    known = known_benchmarks.find(benchmark)
    dimensions = [a for a in (known.abilities if known else ()) if a.level == "dimension"]
    papers = {
        spelling.lower(): ability.name
        for ability in dimensions
        for spelling in (ability.name, ability.abbreviation, *ability.spellings)
    }
    other = [
        f"{number} {name}"
        for number, name in names.items()
        if papers.get(name.lower(), "") != papers.get(number, "") and name.lower() in papers
    ]
    if not other:
        return ()
    return (
        f"question_type numbers {len(other)} dimensions otherwise than the paper "
        f"({', '.join(other)}); the file's names hold",
    )


# Results.


def _stage_results(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the predictions, and the questions by their ids if the file has the ground truth.

    Raises:
        InputError: an id is missing, or is none of SEED-Bench-2; nothing names the model, or the
            file mixes models.
    """
    key = key_of(con, probe, "question_id")
    model, model_source = _model(con, probe, settings)
    benchmark, benchmark_source = _benchmark_of_results(con, probe.path, settings, key)
    prediction = cell(probe, "prediction")
    text = f"nullif({prediction}, '')" if probe.kind in ("csv", "tsv", "xlsx") else prediction
    staged_rows.select(con, "stage_prediction", model=literal(model), question_key=key, text=text)
    further = own_columns.stage_named(con, probe, model, key)
    notes = _stray_spaces(con, prediction, "prediction", "stored with them")
    if probe.has("gt_answer"):
        notes += _stray_spaces(con, cell(probe, "gt_answer"), "answer", "stored without")
        _stage_known_by_id(con, probe, key, of_second=benchmark == _SECOND)
    timed = timestamp_label(probe.path)
    return Staged(
        dataset=DatasetName(benchmark) if benchmark else None,
        notes=notes,
        questions=_KNOWN_BY_ID if probe.has("gt_answer") else None,
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
    columns = {name: _only_model(con, probe, settings, name) for name in _MODEL_COLUMNS}
    if settings.model is not None:
        return settings.model, "given"
    for column, model in columns.items():
        if model is not None:
            return model, f"the column {column}"
    name = split_benchmark_and_model(probe.path.stem)[1]
    if name.lower() in _NO_MODEL:
        raise InputError(probe.path, "does not name the model; give it with --model")
    return name, "the file's name"


def _benchmark_of_results(
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


def _stage_known_by_id(
    con: duckdb.DuckDBPyConnection, probe: Probe, key: str, *, of_second: bool
) -> None:
    answer = f"nullif(trim({cell(probe, 'gt_answer')}), '')"
    staged_rows.select(con, "stage_question", question_key=key, text="''", answer=answer)
    long_table.stage_choices(con, f"__row, NULL, {key}", "0", "['', '', '', '']")
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
        _stage_components(con, key, "question_id", f"{dimension} = '27'")


def _stray_spaces(
    con: duckdb.DuckDBPyConnection, written: str, what: str, consequence: str
) -> tuple[str, ...]:
    ((n,),) = con.execute(f"SELECT count(*) FROM raw WHERE {written} <> trim({written})").fetchall()
    if not n:
        return ()
    return (f"{counted(n, f'{what} has', f'{what}s have')} stray spaces, {consequence}",)


def _are_results(probe: Probe) -> bool:
    """Not what another table has: questions and what is right, or a column of models."""
    if probe.has_any("round_id", "doc_id", "choice_a"):
        return False
    if probe.has("gt_answer") or _named_benchmark(probe.path, Settings())[0] is not None:
        return True
    return probe.kind in _KINDS and not probe.has_any(*_OF_OTHERS)


QUESTIONS = Adapter(
    name="seedbench_questions",
    version=1,
    description="SEED-Bench's questions, `SEED-Bench.json`, `SEED-Bench_v2_level1_2_3.json`: "
    "`{questions: [{question_id, question, choice_a…, answer, question_type_id, …}], "
    "question_type: {}}`",
    needs=("question_id", "question", "choice_a", "choice_b", "question_type_id"),
    accepts=lambda probe: not probe.has("prediction"),
    stage=stage_questions,
    place=Place.QUESTIONS,
)
RESULTS = Adapter(
    name="seedbench_results",
    version=2,
    description="SEED-Bench's result lines, with or without a comma at the end: `question_id, "
    "prediction`, perhaps `gt_answer`, which makes a question file needless",
    needs=("question_id", "prediction"),
    accepts=_are_results,
    stage=_stage_results,
    place=lambda probe: Place.ANSWERS if probe.has("gt_answer") else Place.BARE_ANSWERS,
)
