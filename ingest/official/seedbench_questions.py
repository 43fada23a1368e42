"""SEED-Bench's questions, `SEED-Bench.json` and `SEED-Bench_v2_level1_2_3.json`.

One JSON object: the list `questions`, and the map `question_type`, from the names of the
dimensions to their numbers. Also the records alone, in any kind of file; then the numbers are those
of the paper.

question_id         the key; SEED-Bench-2's is {dimension}_{number}
question            the text
choice_a, …         the choices; the files of an image task's options, which may be absent
answer              the right letter; may be absent
question_type_id    the dimension's number in `question_type`
data_type, data_id, segment, data_source, level, subpart, version and anything else are attributes

A question with data_type "Image & Text Generation" wants a text and an image.
"""

from __future__ import annotations

import duckdb

from ingest import cells, staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_empty, refuse_rows
from ingest.facts.question_facts import Questions
from ingest.names import DatasetName
from ingest.plain.long_cells import whole
from ingest.reading import json_rows
from ingest.reading.probe import Probe
from ingest.reading.raw import literal, quoted
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import known_benchmarks
from warehouse.errors import InputError

COMPONENTS = ("text", "image")
_CHOICES = tuple(f"choice_{chr(code)}" for code in range(ord("a"), ord("z") + 1))
_OWN = {"question_id", "question", "answer", "question_type_id", "image", *_CHOICES}
_FIRST, _SECOND = "SEED-Bench", "SEED-Bench-2"
_OPTIONS_ARE_IMAGES = "('Image Generation', 'Image & Text Generation')"


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
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
    benchmark, benchmark_source = _benchmark(probe, settings)
    notes = _stage_dimensions(con, probe, key, benchmark)
    if probe.has("data_type"):
        stage_components(con, key, "data_type", "data_type = 'Image & Text Generation'")
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


def stage_components(con: duckdb.DuckDBPyConnection, key: str, column: str, where: str) -> None:
    """Stage that the answers to some questions are a text and an image, as a column says."""
    staged_rows.select(
        con,
        "stage_component",
        f"raw WHERE {where}",
        question_key=key,
        field=literal(column),
        component=f"unnest({list(COMPONENTS)})",
    )


def _benchmark(probe: Probe, settings: Settings) -> tuple[str, str]:
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


ADAPTER = Adapter(
    name="seedbench_questions",
    version=1,
    description="SEED-Bench's questions, `SEED-Bench.json`, `SEED-Bench_v2_level1_2_3.json`: "
    "`{questions: [{question_id, question, choice_a…, answer, question_type_id, …}], question_type: {}}`",
    needs=("question_id", "question", "choice_a", "choice_b", "question_type_id"),
    accepts=lambda probe: not probe.has("prediction"),
    stage=stage,
    place=Place.QUESTIONS,
)
