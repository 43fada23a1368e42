"""VLMEvalKit's predictions, `{model}_{dataset}.xlsx`, `.tsv` or `.json`, and questions without columns A, B ….

A prediction file lies alone or in its work dir, and has the dataset's columns next to `prediction`. The
run's label is the work dir's timestamp (`{model}/T20260101-000000/…`) or else the file's stem. Without
columns A, B … it has:

    index                   the question's key, whatever it is
    answer, answers         the reference, or several as a list: `['hello', 'helo']`
    gpt4_ans                the same in LLaVA-Bench's
    candidates, choices     the choices as a list of texts (`A. text` too), where there are some
    answer_option           the right choice's letter, where `answer` is its text

Every other column stays an attribute of the question, or of the answer next to it; a table in one
cell, `metadata`, becomes an attribute for each of its keys. A list among the answers stays an
attribute as it was written.

MM-Vet's files have `index, image, question, answer, category`: `category` holds the capabilities with
commas between, and `answer` is one reference, as it stands.
"""

from __future__ import annotations

import duckdb

from ingest import capabilities, cells, indexed_rows, new_benchmark, own_columns, staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_empty, refuse_first
from ingest.facts.question_facts import Questions
from ingest.loading import Columns
from ingest.names import (
    read_dataset_name,
    split_model_and_dataset,
)
from ingest.reading import python_lists
from ingest.reading.probe import Probe
from ingest.reading.raw import literal, quoted
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import vlmevalkit_run
from warehouse import statements
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)


def _stage_predictions(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the predictions, and the questions if the file carries them.

    Raises:
        InputError: neither the file's name nor a flag names the model.
    """
    if probe.has("hit", "log"):
        raise InputError(
            probe.path,
            "holds VLMEvalKit's verdicts (columns hit and log), which the format vlmevalkit_results "
            "reads",
            row=0,
            field="hit",
        )
    about = vlmevalkit_run.read(probe, settings)
    model = about.model
    assert model is not None
    indexed_rows.check_index(con, probe)
    has_questions = probe.has("question", "A", "B")
    if has_questions:
        about = vlmevalkit_run.with_new_benchmark(con, probe, settings, about)
        indexed_rows.stage_questions(
            con, probe, splits_by_level=about.splits_by_level, mixes_words=about.mixes_words
        )
    indexed_rows.stage_predictions(con, probe, model, splits_by_level=about.splits_by_level)
    further = indexed_rows.stage_further(con, probe, model, splits_by_level=about.splits_by_level)
    questions = indexed_rows.questions(mixes_words=about.mixes_words) if has_questions else None
    return vlmevalkit_run.staged(probe, settings, about, questions, further)


def _accepts_predictions(probe: Probe) -> bool:
    if not probe.has("question", "A", "B"):
        if vlmevalkit_run.is_of_others(probe):
            return False
        return not probe.has("question") or not ADAPTER.accepts(probe)
    has_own = probe.has_any("hint", "category", "l2-category", "source", "comment")
    return has_own or vlmevalkit_run.of(probe.path) is not None


PREDICTIONS = Adapter(
    name="vlmevalkit",
    version=2,
    description="VLMEvalKit's answers, `{model}_{dataset}.xlsx`, `.tsv` or `.json`, alone or in "
    "its work dir: `index, prediction` and the dataset's columns",
    needs=("index", "prediction"),
    accepts=_accepts_predictions,
    stage=_stage_predictions,
    place=lambda probe: Place.ANSWERS if probe.has("question") else Place.BARE_ANSWERS,
    stages_ahead=True,
)


_KEY = "trim(CAST(r.index AS VARCHAR))"
_PLACE = f"r.__row, NULL, {_KEY}"
_OWN = {"index", "image", "question", "answer", "category", "prediction"}
_QUESTIONS = Questions(key="index", reference="answer", task="open")


def _stage_mmvet(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the questions, and the predictions if the file has them.

    Raises:
        InputError: an index is empty, or nothing names the model of predictions.
    """
    about = vlmevalkit_run.read(probe, settings)
    refuse_empty(con, probe.path, _KEY, "index", source="raw AS r")
    _stage_mmvet_questions(con, probe)
    further = Columns()
    if about.model is not None:
        model = literal(about.model)
        text = "CAST(r.prediction AS VARCHAR)"
        if probe.kind in ("tsv", "csv", "xlsx"):
            text = f"nullif({text}, '')"
        staged_rows.select(
            con,
            "stage_prediction",
            "raw AS r",
            row="r.__row",
            model=model,
            question_key=_KEY,
            text=text,
        )
        further = own_columns.of(probe)
        own_columns.stage(con, further, {"model": model, "question_key": _KEY}, "raw AS r")
    return vlmevalkit_run.staged(probe, settings, about, _QUESTIONS, further)


def _stage_mmvet_questions(con: duckdb.DuckDBPyConnection, probe: Probe) -> None:
    image, joined = "NULL", ""
    if probe.has("image"):
        # A short cell is the index of the row that has the image.
        image = "coalesce(j.image, CASE WHEN length(r.image) = 64 THEN r.image END)"
        joined = " LEFT JOIN raw AS j ON r.image = CAST(j.index AS VARCHAR)"
    question, answer = "CAST(r.question AS VARCHAR)", "CAST(r.answer AS VARCHAR)"
    staged_rows.stage_open(
        con,
        _KEY,
        question,
        answer,
        image=image,
        source="raw AS r",
        row="r.__row",
        joined=joined,
    )
    written = "string_split(coalesce(CAST(r.category AS VARCHAR), ''), ',')"
    capabilities.stage(con, "raw AS r", _PLACE, written, "category")
    attributes = {
        column: cells.text(column, of="r.")
        for column in probe.columns
        # Predictions can go out again as they came in: with the capabilities in their order.
        if column not in _OWN or (column == "category" and probe.has("prediction"))
    }
    cells.attributes(con, _PLACE, "raw AS r", attributes)


def _accepts_mmvet(probe: Probe) -> bool:
    """Not what is of another benchmark by its name, and nothing of a work dir by its columns alone."""
    if probe.has_any("A", "B", "hit", "score") or vlmevalkit_run.is_of_others(probe):
        return False
    placed = vlmevalkit_run.of(probe.path)
    if placed is not None:
        name = read_dataset_name(placed.dataset)
        return name is not None and name.benchmark == "MM-Vet"
    stem = probe.path.stem
    found = split_model_and_dataset(stem) if probe.has("prediction") else None
    name = found[1] if found else read_dataset_name(stem)
    return name is None or name.benchmark == "MM-Vet"


MMVET = Adapter(
    name="vlmevalkit_mmvet",
    version=2,
    description="MM-Vet as VLMEvalKit writes it, questions or predictions: `index, question, "
    "answer, category`, no `A, B`",
    needs=("index", "question", "answer", "category"),
    accepts=_accepts_mmvet,
    stage=_stage_mmvet,
    place=lambda probe: Place.ANSWERS if probe.has("prediction") else Place.QUESTIONS,
    stages_ahead=True,
)


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
        return _stage_mmvet(con, probe, settings)
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
    if probe.has_any("A", "B", "hit", "score", "log") or vlmevalkit_run.is_of_others(probe):
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
