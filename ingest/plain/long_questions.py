"""Our long format for questions: one row per question and pass, in Parquet, CSV or JSONL.

question_key   the question's id, as text or number
question       its text
A, B, …        the choices, or
choices        the choices as a list (JSON array in CSV and JSONL), labelled A, B, … in order
references     instead of choices, for an open question: what is right, as a list, or
reference      as one text
answer         the right label (leave it out where answers are hidden); of a question without choices
               among others that have some, the reference where no other is given
pass           0 unless said
split          one file may hold several
components     what an answer consists of, as a list, where it is a text and an image: ["text","image"]
ability_*      the abilities, coarse to fine: ability_<level>, in the order of the columns; where there is
               none, category
image          the image as base64, or any text that identifies it; hashed, not stored
anything else  kept as an attribute of the question
"""

from __future__ import annotations

import duckdb

from ingest import cells, staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_rows
from ingest.facts.question_facts import Questions
from ingest.names import read_dataset_name
from ingest.plain import bare_truths, long_cells
from ingest.reading.probe import Probe
from ingest.reading.raw import literal, quoted
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import statements

_SQL = statements.of_module(__file__)
_ABILITY = "ability_"
_CATEGORY = "category"
_OWN = {"question_key", "question", "pass", "split", "image"}
_CHOICE = _OWN | {"choices", "answer", "components"}
_OPEN = _OWN | {"reference", "references"}
_OF_LIST = {"row": "r.row", "split": "r.split", "question_key": "r.key"}


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage questions, choices, answers or references, and abilities."""
    found = bare_truths.look(con, probe, settings)
    is_open = found.is_open
    key = long_cells.key(con, probe)
    step = long_cells.whole_number(con, probe, "pass", "0", "SMALLINT")
    split = f"nullif({long_cells.text(probe, 'split')}, '')"
    place = f"__row, {split}, {key}"
    answer = f"nullif(trim({long_cells.text(probe, found.truth)}), '')" if not is_open else "NULL"
    text = f"nullif({long_cells.text(probe, 'question')}, '')" if probe.has("question") else "''"
    listed = None
    if found.labels and not is_open:
        listed = str([""] * found.labels)
    elif probe.has("choices"):
        listed = long_cells.text_list(con, probe, "choices")
    has_choices = "false" if is_open else "true" if found.labels else _has_choices(probe, listed)
    staged_rows.select(
        con,
        "stage_question",
        split=split,
        question_key=key,
        pass_=step,
        text=text,
        answer=f"CASE WHEN {has_choices} THEN {answer} END",
        image=f"nullif({long_cells.text(probe, 'image')}, '')",
    )
    _stage_references(con, probe, place, has_choices, answer, lists=found.lists)
    if listed is not None:
        stage_choices(con, place, step, listed)
    else:
        for ordinal, column in enumerate([] if is_open else probe.choice_columns):
            staged_rows.select(
                con,
                "stage_choice",
                f"raw WHERE {quoted(column)} IS NOT NULL",
                split=split,
                question_key=key,
                pass_=step,
                label=literal(column),
                ordinal=str(ordinal),
                text=cells.text(column),
            )
    if probe.has("components") and not is_open:
        _stage_components(con, probe, place)
    abilities = [name for name in probe.columns if name.startswith(_ABILITY)]
    notes = found.notes
    if not abilities and bare_truths.are_abilities(con, probe, settings, _CATEGORY):
        abilities = [_CATEGORY]
        notes += ("the column category is read as abilities; --column category=note leaves it",)
    levels = [
        (
            (str(depth), literal(column.removeprefix(_ABILITY)), literal(column)),
            f"trim({cells.text(column)})",
        )
        for depth, column in enumerate(abilities)
    ]
    cells.stage(con, "stage_ability", place, "raw", levels)
    meant = {*abilities, *(_OPEN if is_open else {*_CHOICE, *probe.choice_columns}), found.truth}
    others = {name: cells.text(name) for name in probe.columns if name not in meant}
    # Of a question with choices what is called its reference says nothing more than its answer.
    given = [name for name in others if name in ("reference", "references")]
    unread = {name: others.pop(name) for name in given}
    cells.attributes(con, place, "raw", others)
    cells.attributes(con, place, f"raw WHERE {has_choices}", unread)
    name = read_dataset_name(probe.path.stem, tuple(settings.map))
    sources = dict.fromkeys(("benchmark", "version", "split", "language"), "the file's name")
    label = found.truth if found.labels else "choices" if probe.has("choices") else "A"
    return Staged(
        dataset=name,
        inferred=sources if name else {},
        questions=Questions(
            label=label,
            answer=found.truth,
            reference="references" if probe.has("references") else "reference",
            pass_column="pass",
            task="open" if is_open else "choice",
            by_id_alone=found.labels > 0,
            labels=bare_truths.written_as(found.labels),
        ),
        new_benchmark=bare_truths.new_benchmark(con, probe, settings) if is_open else None,
        notes=notes,
    )


def means(probe: Probe, column: str) -> bool:
    """Whether a column says something of a question."""
    return (
        column in _CHOICE | _OPEN
        or column in probe.choice_columns
        or column.startswith(_ABILITY)
        or column == _CATEGORY
    )


def stage_choices(con: duckdb.DuckDBPyConnection, place: str, step: str, texts: str) -> None:
    """Stage a list of texts as choices A, B, C …

    What has no label any more is refused with the number of choices, not for its label.

    Args:
        place: SQL for row, split and question_key.
        step: SQL for the pass.
        texts: SQL for the list.
    """
    staged_rows.select(
        con,
        "stage_choice",
        f"{_listed(place, step, texts)} WHERE r.texts[n.place] IS NOT NULL",
        **_OF_LIST,
        pass_="r.step",
        label="chr(64 + least(n.place, 99)::INTEGER)",
        ordinal="n.place - 1",
        text="r.texts[n.place]",
    )


def _listed(place: str, step: str, texts: str) -> str:
    """What stands after FROM for each text of a list and its place.

    None of the file's other columns is there, whose names may be these.
    """
    return _SQL["listed"].format(place=place, step=step, texts=texts)


def _stage_components(con: duckdb.DuckDBPyConnection, probe: Probe, place: str) -> None:
    """Stage what answers consist of.

    Raises:
        InputError: something else than text and image.
    """
    listed = long_cells.text_list(con, probe, "components")
    refuse_rows(
        con,
        probe.path,
        f"NOT list_has_all(['text', 'image'], {listed})",
        "components",
        lambda row: f"{row[1]!r}: an answer consists of text and image, or has no components",
        value=listed,
    )
    staged_rows.select(
        con,
        "stage_component",
        _listed(place, "0", f"list_distinct({listed})"),
        **_OF_LIST,
        field="'components'",
        component="r.texts[n.place]",
    )


def _has_choices(probe: Probe, listed: str | None) -> str:
    """SQL: whether a row has choices, in columns or in a list of texts."""
    if listed is not None:
        return f"coalesce(len(list_filter({listed}, lambda t: t IS NOT NULL)), 0) > 0"
    return f"coalesce({', '.join(cells.text(name) for name in probe.choice_columns)}) IS NOT NULL"


def _stage_references(
    con: duckdb.DuckDBPyConnection,
    probe: Probe,
    place: str,
    has_choices: str,
    answer: str,
    *,
    lists: bool,
) -> None:
    """Stage the references of the questions without choices; without any, the answer is one.

    Args:
        lists: a cell of the column `reference` may be a list, whose texts `stage_listed_reference` has.
    """
    written = long_cells.text(probe, "reference")
    texts = f"[{written}]"
    if probe.has("references"):
        texts = long_cells.text_list(con, probe, "references")
    elif lists:
        texts = _SQL["listed_or_alone"].format(written=written)
    are_some = f"len(list_filter({texts}, lambda t: nullif(trim(t), '') IS NOT NULL)) > 0"
    given = f"CASE WHEN {has_choices} THEN [] WHEN {are_some} THEN {texts} ELSE [{answer}] END"
    staged_rows.select(
        con,
        "stage_reference",
        f"{_listed(place, '0', given)} WHERE nullif(trim(r.texts[n.place]), '') IS NOT NULL",
        **_OF_LIST,
        ordinal="n.place - 1",
        text="r.texts[n.place]",
    )


ADAPTER = Adapter(
    name="questions",
    version=2,
    description="ours: `question_key, question`, choices as `A, B, …` or as a list in `choices`, "
    "or for questions that are answered in words `reference` or a list in "
    "`references`; `answer, pass, split, image, components, ability_<level>…` or `category`, anything else is kept",
    needs=("question_key", "question"),
    accepts=lambda probe: probe.has_any("choices", "A", "references", "reference"),
    stage=stage,
    place=Place.QUESTIONS,
)
