"""Benchmark questions from the Hugging Face hub: `…/MMBench_EN/data/dev-00000-of-00001.parquet`.

The folder is named after the dataset (also `datasets--lmms-lab--MMBench_EN/snapshots/…`), a folder
within it may name the language (`MMBench/cn/…`), and the file's name has the split and which part
it is: the parts of a split are one dataset. Three layouts of columns are known:

MMBench      index, question, hint, answer, A…, category, L2-category, source, image
SEED-Bench   question_id, question, choice_a…, answer, question_type_id, image (a list)
MM-Vet       question_id, question, answer, capability, image

Images are {bytes, path}; what is kept is the sha256 of the bytes. The hub's copies write `nan`
where a spreadsheet had nothing. MM-Vet and SEED-Bench are one set each; the hub calls it `test`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from ingest import capabilities, cells, staged_rows
from ingest.adapter import Adapter, Place
from ingest.facts.question_facts import Questions
from ingest.names import LANGUAGES, DatasetName, read_dataset_name
from ingest.official import mmbench, seedbench
from ingest.reading.probe import Probe
from ingest.reading.raw import quoted
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import known_benchmarks
from warehouse.errors import InputError

_PART = re.compile(r"(?P<split>.+?)-(?P<number>\d{5})-of-(?P<count>\d{5})(-[0-9a-f]{16})?")
_NO_CONFIGURATION = re.compile(r"data|default|snapshots|[0-9a-f]{40}")
_MAY_SAY_NAN = ("hint", "comment", "answer", "source", "category", "l2-category")
_MMVET = {"question_id", "question", "answer", "capability", "image"}


@dataclass(frozen=True)
class _Place:
    """What the path says."""

    name: DatasetName | None
    split: str
    part: tuple[int, int]


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the questions of one part.

    Raises:
        InputError: as the benchmark's own question file; or the file's name is none of the hub's.
    """
    place = _place(probe.path, settings)
    if probe.has("choice_a"):
        staged = seedbench.stage_questions(con, probe, settings)
    elif probe.has("capability"):
        staged = _stage_mmvet(con, probe)
    else:
        columns = tuple("l2-category" if c == "L2-category" else c for c in probe.columns)
        probe = replace(probe, columns=columns)
        _forget_nan(con, probe)
        staged = mmbench.stage_questions(con, probe, settings)
    name = place.name
    benchmark = name.benchmark if name else staged.benchmark
    has_splits = not known_benchmarks.is_one_set(benchmark)
    sources = (
        dict.fromkeys(("benchmark", "version", "language"), "the folder's name") if name else {}
    )
    notes = list(staged.notes)
    number, count = place.part
    if count > 1:
        notes.append(f"part {number + 1} of {count}; the parts are one dataset")
    if not has_splits:
        notes.append(f"{place.split} is the hub's name for all of {benchmark}, which has no splits")
    assert staged.questions is not None
    split = place.split if has_splits else None
    return replace(
        staged,
        dataset=replace(name or DatasetName(benchmark or ""), split=split),
        inferred=staged.inferred | sources | {"split": "the file's name"},
        notes=tuple(notes),
        questions=replace(staged.questions, part=place.part),
    )


def _place(path: Path, settings: Settings) -> _Place:
    found = _PART.fullmatch(path.stem)
    if found is None:
        raise InputError(
            path, "its name is none of the hub's, {split}-00000-of-00001, which has the split"
        )
    known = (settings.benchmark,) if settings.benchmark else ()
    below: list[str] = []
    name = None
    for folder in path.absolute().parents[:5]:
        # The hub's cache names a folder datasets--owner--name.
        name = read_dataset_name(folder.name.rpartition("--")[2], known)
        if name is not None:
            break
        if _NO_CONFIGURATION.fullmatch(folder.name) is None:
            below.append(folder.name)
    if name is not None:
        for configuration in below:
            language = LANGUAGES.get(configuration.lower())
            if language is None:
                name = replace(name, version=name.version or configuration)
            else:
                name = replace(name, language=name.language or language)
    return _Place(name, found["split"], (int(found["number"]), int(found["count"])))


def _forget_nan(con: duckdb.DuckDBPyConnection, probe: Probe) -> None:
    """Make nothing of the cells that say nan."""
    columns = [c for c in probe.columns if c in _MAY_SAY_NAN or c in probe.choice_columns]
    cells = ", ".join(
        f"nullif(CAST({quoted(c)} AS VARCHAR), 'nan') AS {quoted(c)}" for c in columns
    )
    con.execute(f"CREATE TEMP TABLE raw_cells AS SELECT * REPLACE ({cells}) FROM raw")
    con.execute("DROP VIEW temp.raw")
    con.execute("DROP TABLE IF EXISTS temp.raw_table")
    con.execute("ALTER TABLE temp.raw_cells RENAME TO raw_table")
    con.execute("CREATE TEMP VIEW raw AS SELECT * FROM temp.raw_table")


def _stage_mmvet(con: duckdb.DuckDBPyConnection, probe: Probe) -> Staged:
    key = seedbench.key_of(con, probe, "question_id")
    place = f"__row, NULL, {key}"
    image = "nullif(image, '')" if probe.has("image") else "NULL"
    staged_rows.stage_open(con, key, "question", "answer", image=image)
    ((kind,),) = con.execute("SELECT typeof(any_value(capability)) FROM raw").fetchall()
    is_list = str(kind).endswith("[]")
    written = "capability" if is_list else "string_split(coalesce(capability, ''), ',')"
    capabilities.stage(con, "raw", place, written, "capability")
    others = {c: seedbench.cell(probe, c) for c in probe.columns if c not in _MMVET}
    cells.attributes(con, place, "raw", others)
    return Staged(
        dataset=DatasetName("MM-Vet"),
        inferred={"benchmark": "the format"},
        questions=Questions(key="question_id", reference="answer", task="open"),
    )


def _is_layout(probe: Probe) -> bool:
    return (
        probe.has("index", "A", "B")
        or probe.has("question_id", "choice_a", "choice_b", "question_type_id")
        or probe.has("question_id", "answer", "capability")
    ) and not probe.has("prediction")


ADAPTER = Adapter(
    name="hf_questions",
    version=1,
    description="Parquet of a Hugging Face hub's snapshot with the questions of MMBench, "
    "SEED-Bench or MM-Vet: images are hashed, not stored",
    needs=("question",),
    accepts=lambda probe: (
        probe.kind == "parquet"
        and _PART.fullmatch(probe.path.stem) is not None
        and _is_layout(probe)
    ),
    stage=stage,
    place=Place.QUESTIONS,
)
