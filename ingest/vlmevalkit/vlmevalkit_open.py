"""VLMEvalKit's files without columns A, B …: questions or predictions of any other dataset.

    index                   the question's key, whatever it is
    answer, answers         the reference, or several as a list: `['hello', 'helo']`
    gpt4_ans                the same in LLaVA-Bench's
    candidates, choices     the choices as a list of texts (`A. text` too), where there are some
    answer_option           the right choice's letter, where `answer` is its text

Every other column stays an attribute of the question, or of the answer next to it; a table in one
cell, `metadata`, becomes an attribute for each of its keys. A list among the answers stays an
attribute as it was written.
"""

from __future__ import annotations

import duckdb

from ingest import cells, new_benchmark, own_columns, staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_empty, refuse_first
from ingest.facts.question_facts import Questions
from ingest.loading import Columns
from ingest.reading import python_lists
from ingest.reading.probe import Probe
from ingest.reading.raw import literal, quoted
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import vlmevalkit_mmvet, vlmevalkit_run, work_dir
from warehouse import statements

_SQL = statements.of_module(__file__)
_KEY = "trim(CAST(r.index AS VARCHAR))"
_CHOICES = ("candidates", "choices")
_NO_ATTRIBUTE = {"index", "image", "question", "prediction", "gpt4_ans"}
_MMVET = "MM-Vet"


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the questions, and the predictions if the file has them.

    Raises:
        InputError: an index is empty, an answer is none of its choices, or nothing names the model of
            predictions.
    """
    about = vlmevalkit_run.read(probe, settings)
    if about.benchmark is not None and about.benchmark.name == _MMVET and probe.has("category"):
        return vlmevalkit_mmvet.stage(con, probe, settings)
    refuse_empty(con, probe.path, _KEY, "index", source="raw AS r")
    about = vlmevalkit_run.with_new_benchmark(con, probe, settings, about)
    reference = next((name for name in new_benchmark.REFERENCES if probe.has(name)), None)
    listed = next((name for name in _CHOICES if probe.has(name)), None)
    split = "NULL"
    if probe.has("split") and not about.splits_by_level:
        split = "nullif(trim(CAST(r.split AS VARCHAR)), '')"
    _stage_choices(con, listed)
    _stage_lists(con, probe, reference)
    task = about.benchmark.task if about.benchmark else None
    if task is None:
        task = "choice" if listed else "open"
    _stage_questions(con, probe, split, reference, listed, task == "choice")
    _stage_attributes(con, probe, split, reference, about.splits_by_level)
    further = Columns()
    if about.model is not None:
        further = own_columns.of(probe)
        place = {"model": literal(about.model), "split": split, "question_key": _KEY}
        own_columns.stage(con, further, place, "raw AS r")
        text = "CAST(r.prediction AS VARCHAR)"
        if probe.kind in ("tsv", "csv", "xlsx"):
            text = f"nullif({text}, '')"
        staged_rows.select(
            con,
            "stage_prediction",
            "raw AS r",
            row="r.__row",
            model=literal(about.model),
            split=split,
            question_key=_KEY,
            text=text,
        )
    questions = Questions(
        key="index",
        label=listed or "choices",
        answer=reference or "answer",
        reference=reference or "answer",
        task=task,
        may_be_hidden=True,
    )
    if listed is not None:
        refuse_first(
            con,
            probe.path,
            _SQL["answers_among_no_choice"],
            reference,
            lambda row: f"the answer {row[1]!r} of question {row[2]} is none of its {listed}",
            {"is_choice": task == "choice"},
        )
    return vlmevalkit_run.staged(probe, settings, about, questions, further)


def _stage_choices(con: duckdb.DuckDBPyConnection, listed: str | None) -> None:
    """Fill `stage_listed_choice` with the choices of each cell that is a list of them."""
    cell = "SELECT NULL WHERE false" if listed is None else f"SELECT {cells.text(listed)} FROM raw"
    python_lists.stage(con, "stage_choice_list", cell)
    con.execute(_SQL["label_choices"])


def _stage_lists(con: duckdb.DuckDBPyConnection, probe: Probe, reference: str | None) -> None:
    """Fill `stage_listed_reference` with the lists among the references.

    Where a question's answer is a list itself (`answer_type`), the list is one reference; so are
    numbers in round brackets, such as the coordinates of a point.
    """
    cell = "SELECT NULL WHERE false"
    if reference is not None:
        text = cells.text(reference)
        cell = f"SELECT {text} FROM raw WHERE starts_with(ltrim({text}), '[')"
        if probe.has("answer_type"):
            cell += " AND CAST(answer_type AS VARCHAR) IS DISTINCT FROM 'list'"
    python_lists.stage(con, "stage_listed_reference", cell)


def _stage_questions(
    con: duckdb.DuckDBPyConnection,
    probe: Probe,
    split: str,
    reference: str | None,
    listed: str | None,
    is_choice: bool,
) -> None:
    image, joined = "NULL", ""
    if probe.has("image"):
        # A short cell is the index of the row that has the image.
        image = "coalesce(j.image, CASE WHEN length(r.image) = 64 THEN r.image END)"
        joined = (
            " LEFT JOIN raw AS j ON r.image = CAST(j.index AS VARCHAR) AND length(j.image) = 64"
        )
    is_list = "false"
    if probe.has("answer_type"):
        is_list = "CAST(r.answer_type AS VARCHAR) IS NOT DISTINCT FROM 'list'"
    option = "NULL"
    if probe.has("answer_option"):
        option = "nullif(trim(CAST(r.answer_option AS VARCHAR)), '')"
    con.execute(
        _SQL["read_rows"].format(
            split=split,
            key=_KEY,
            image=image,
            joined=joined,
            is_list=is_list,
            option=option,
            reference="NULL" if reference is None else f"r.{quoted(reference)}",
            listed="NULL" if listed is None else f"r.{quoted(listed)}",
        )
    )
    con.execute(_SQL["stage_questions"])
    con.execute(_SQL["stage_choices"])
    con.execute(_SQL["stage_references"], {"is_choice": is_choice})


def _stage_attributes(
    con: duckdb.DuckDBPyConnection,
    probe: Probe,
    split: str,
    reference: str | None,
    splits_by_level: bool,
) -> None:
    place = f"r.__row, {split}, {_KEY}"
    columns = {
        name: cells.text(name, of="r.")
        for name in probe.columns
        if name not in _NO_ATTRIBUTE and (name != "split" or splits_by_level) and name != "answer"
    }
    cells.attributes(con, place, "raw AS r", columns)
    if reference == "answer":
        is_list = "(SELECT cell FROM stage_listed_reference)"
        source = f"raw AS r WHERE {cells.text('answer', of='r.')} IN {is_list}"
        cells.attributes(con, place, source, {"answer": cells.text("answer", of="r.")})
    if probe.has("metadata"):
        python_lists.stage_entries(con, "stage_entry", f"SELECT {cells.text('metadata')} FROM raw")
        con.execute(_SQL["stage_entries"].format(place=place))


def _accepts(probe: Probe) -> bool:
    if probe.has_any("A", "B", "hit", "score", "log") or work_dir.is_of_others(probe):
        return False
    return probe.has("prediction") or probe.has_any(*new_benchmark.REFERENCES, *_CHOICES)


ADAPTER = Adapter(
    name="vlmevalkit_open",
    version=2,
    description="VLMEvalKit's questions or answers without columns `A, B`: `index, question`, "
    "references in `answer` or `answers`, choices as a list in `candidates` or `choices`",
    needs=("index", "question"),
    accepts=_accepts,
    stage=stage,
    place=lambda probe: Place.ANSWERS if probe.has("prediction") else Place.QUESTIONS,
    stages_ahead=True,
)
