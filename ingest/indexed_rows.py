"""Rows as MMBench and the harnesses around it write them: `index`, `question`, A, B, C …

`index` is the question's own id plus a million times the pass. Options are taken as they stand in
each row: some files rotate them to the right, some to the left, and some keep the last one in
place. An empty cell is nothing: spreadsheets and TSV files write no other way.
"""

from __future__ import annotations

from dataclasses import replace

import duckdb

from ingest import cells, own_columns, staged_rows
from ingest.checks import no_whole_number, refuse_rows
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers
from ingest.loading import Columns
from ingest.plain.long_cells import whole
from ingest.reading import python_lists
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from warehouse import statements

_SQL = statements.of_module(__file__)
PASS_STEP = 1_000_000

QUESTIONS = Questions(key="index", label="A")
ANSWERS = Answers(key="index")

_ABILITY_COLUMNS = (("l2-category", "l2"), ("category", "l3"))
_CATEGORIES = {column for column, _ in _ABILITY_COLUMNS}
_NO_ATTRIBUTE = {"index", "question", "answer", "image", "split", "prediction"}
_LABEL = "[A-Z]"


def questions(*, mixes_words: bool) -> Questions:
    """What a file has; where it mixes words with choices, a question may have neither and be hidden."""
    return replace(QUESTIONS, may_be_hidden=mixes_words)


def check_index(con: duckdb.DuckDBPyConnection, probe: Probe) -> None:
    """Copy `raw` into `stage_index`, with `index` read: `__number`, and `__key` and `__pass` of it.

    Raises:
        InputError: a cell is no whole number from 0.
    """
    con.execute(
        _SQL["read_index"].format(step=PASS_STEP, number=whole("CAST(index AS VARCHAR)", "INTEGER"))
    )
    refuse_rows(
        con,
        probe.path,
        "__number IS NULL",
        "index",
        no_whole_number,
        value="CAST(index AS VARCHAR)",
        source="stage_index",
    )


def stage_questions(
    con: duckdb.DuckDBPyConnection,
    probe: Probe,
    *,
    splits_by_level: bool = False,
    mixes_words: bool = False,
) -> None:
    """Stage the questions, choices, answers, categories and further columns of `stage_index`.

    A question without choices whose answer is no letter is answered in words, and its answer is a
    reference, or a list of them.

    Args:
        splits_by_level: the column `split` is a level of abilities, and no dataset's.
        mixes_words: a question without choices is of words, whatever its answer is. Else the choices
            of one whose answer is a letter are lost.
    """
    split = "NULL" if splits_by_level else split_expression(probe)
    answer = "NULL"
    if probe.has("answer"):
        is_open = _is_open(probe, mixes_words=mixes_words)
        _stage_references(con, probe, split, is_open)
        answer = f"CASE WHEN NOT ({is_open}) THEN nullif(trim(CAST(r.answer AS VARCHAR)), '') END"
    image = "NULL"
    joins = ""
    if probe.has("image"):
        # A prediction file may lack the row that has the image; a question file may not.
        image = "coalesce(j.image, CASE WHEN TRY_CAST(r.image AS BIGINT) IS NULL THEN r.image END)"
        joins = " " + _SQL["with_image_of_row"]
        if not probe.has("prediction"):
            refuse_rows(
                con,
                probe.path,
                "TRY_CAST(image AS BIGINT) NOT IN (SELECT __number FROM stage_index)",
                "image",
                lambda row: f"{row[1]!r} is not the index of a row in the file",
                value="image",
                source="stage_index",
            )
    staged_rows.select(
        con,
        "stage_question",
        f"stage_index AS r{joins}",
        row="r.__row",
        split=split,
        question_key="r.__key",
        pass_="r.__pass",
        text="nullif(CAST(r.question AS VARCHAR), '')",
        answer=answer,
        image=f"nullif({image}, '')",
    )
    place = f"r.__row, {split}, r.__key"
    cells.stage(
        con,
        "stage_choice",
        f"{place}, r.__pass",
        "stage_index AS r",
        [
            ((literal(column), str(ordinal)), cells.text(column, of="r."))
            for ordinal, column in enumerate(probe.choice_columns)
        ],
    )
    if probe.has("prediction"):
        _stage_unknown_choices(con, probe, split)
    cells.stage(
        con,
        "stage_ability",
        place,
        "stage_index AS r",
        [
            ((str(depth), literal(level), literal(column)), cells.text(column, of="r."))
            for depth, (column, level) in enumerate(_ABILITY_COLUMNS)
            if probe.has(column)
        ],
        blank="trim(cell)",
    )
    attributes = {
        column: cells.text(column, of="r.")
        for column in probe.columns
        if (column not in _NO_ATTRIBUTE or (column == "split" and splits_by_level))
        # Predictions can go out again as they came in: with the categories as they were spelt.
        and (column not in _CATEGORIES or probe.has("prediction"))
        and column not in probe.choice_columns
    }
    cells.attributes(con, place, f"stage_index AS r WHERE r.__number < {PASS_STEP}", attributes)


def _stage_unknown_choices(con: duckdb.DuckDBPyConnection, probe: Probe, split: str) -> None:
    """Stage the choices that pandas lost, without their text: up to the last one there is, or the right one."""
    labels = ", ".join(literal(label) for label in probe.choice_columns)
    answer = "trim(CAST(r.answer AS VARCHAR))" if probe.has("answer") else "NULL"
    con.execute(_SQL["unknown_choices"].format(split=split, labels=labels, answer=answer))


def _is_open(probe: Probe, *, mixes_words: bool) -> str:
    """SQL: whether a row of `stage_index AS r` is a question to be answered in words."""
    choices = ", ".join(f"nullif({cells.text(name, of='r.')}, '')" for name in probe.choice_columns)
    answer = "trim(CAST(r.answer AS VARCHAR))"
    is_word = f"NOT regexp_full_match({answer}, '{_LABEL}')"
    if mixes_words:
        is_word = "true"
    elif probe.has("question_type"):
        is_word = f"({is_word} OR lower(CAST(r.question_type AS VARCHAR)) = 'open')"
    return f"coalesce({choices}) IS NULL AND coalesce({answer}, '') <> '' AND {is_word}"


def _stage_references(
    con: duckdb.DuckDBPyConnection, probe: Probe, split: str, is_open: str
) -> None:
    written = cells.text("answer", of="r.")
    rows = f"stage_index AS r WHERE {is_open}"
    python_lists.stage(con, "stage_listed_reference", f"SELECT {written} FROM {rows}")
    staged_rows.select(
        con,
        "stage_reference",
        _SQL["references"].format(written=written, is_open=is_open),
        row="r.__row",
        split=split,
        question_key="r.__key",
        ordinal="coalesce(l.ordinal, 0)",
        text=f"coalesce(l.item, {written})",
    )
    lists = f"{rows} AND {written} IN (SELECT cell FROM stage_listed_reference)"
    cells.attributes(con, f"r.__row, {split}, r.__key", lists, {"answer": written})


def stage_predictions(
    con: duckdb.DuckDBPyConnection, probe: Probe, model: str, *, splits_by_level: bool = False
) -> None:
    """Stage the column `prediction`.

    An empty cell of a table is a prediction without text; JSON and Parquet distinguish the two.
    """
    text = "CAST(r.prediction AS VARCHAR)"
    if probe.kind in ("tsv", "csv", "xlsx"):
        text = f"nullif({text}, '')"
    staged_rows.select(
        con,
        "stage_prediction",
        "stage_index AS r",
        model=literal(model),
        split="NULL" if splits_by_level else split_expression(probe),
        question_key="__key",
        pass_="__pass",
        text=text,
    )


def stage_further(
    con: duckdb.DuckDBPyConnection, probe: Probe, model: str, *, splits_by_level: bool = False
) -> Columns:
    """Stage the further columns of answers, and return which they are."""
    further = own_columns.of(probe, are_all_own=not probe.has("question"))
    split = "NULL" if splits_by_level else split_expression(probe)
    place = {
        "model": literal(model),
        "split": split,
        "question_key": "r.__key",
        "pass_": "r.__pass",
    }
    own_columns.stage(con, further, place, "stage_index AS r")
    return further


def split_expression(probe: Probe) -> str:
    """The SQL that gives a row's split: its column, else NULL (the setting stands for all rows)."""
    return "nullif(trim(CAST(r.split AS VARCHAR)), '')" if probe.has("split") else "NULL"
