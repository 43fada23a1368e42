"""From staged questions to facts: what is new is added, what is known is compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import duckdb

from ingest.checks import refuse_first
from ingest.facts import (
    answer_columns,
    open_facts,
    question_abilities,
    question_changes,
    unknown_choices,
)
from ingest.loading import Loading
from warehouse import sources, statements
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
_LONGEST = 80
"""Characters of a text in a message."""


@dataclass(frozen=True)
class Questions:
    """Questions that a file holds, in `stage_question` and the tables that belong to it.

    The first attributes are what the file calls its columns, for messages.

    Attributes:
        key: the question's id.
        text: its text.
        label: its choices, or the first of them.
        answer: the right label.
        reference: the references of an open question.
        pass_column: the pass; None: it is in the key.
        task: choice or open.
        by_id_alone: questions and choices have no texts, so that texts are not compared.
        labels: the choices that they are taken to have then.
        may_be_hidden: an open question, or one without choices among those with some, may have no
            reference, as that of a hidden test set.
        samples: the file may hold any sample of the dataset, with the choices in any order.
        has_own_keys: a dataset with other keys is another one, whatever it asks.
        part: which of how many files it is that hold the dataset together, from 0.
    """

    role: ClassVar[str] = "questions"
    key: str = "question_key"
    text: str = "question"
    label: str = "choices"
    answer: str = "answer"
    reference: str = "reference"
    pass_column: str | None = None
    task: str = "choice"
    by_id_alone: bool = False
    labels: str = "A to D"
    may_be_hidden: bool = False
    samples: bool = False
    has_own_keys: bool = False
    part: tuple[int, int] | None = None

    @property
    def pass_name(self) -> str:
        """What the file calls the pass, or what has it."""
        return self.pass_column or self.key

    @property
    def is_whole(self) -> bool:
        """Whether the file may hold all questions of its dataset."""
        return not self.samples and (self.part is None or self.part[1] == 1)

    def load(self, con: duckdb.DuckDBPyConnection, loading: Loading) -> None:
        """Store what is new about the questions; with --replace, what a question file says otherwise.

        Else note differences from the dataset.

        Raises:
            InputError: a question without text or choices, a pass out of range, an answer that is
                none of the choices; without --replace also a question or pass that a complete dataset
                does not have, one that was dropped, and what contradicts the dataset.
        """
        source = {"source_id": loading.source_id}
        if loading.questions_are_seen:
            con.execute(_SQL["note_dataset_source"], source | {"role": loading.role})
            return
        bind(con)
        restored = question_changes.restore(con, loading, self.key)
        if loading.role == "questions" and not self.samples:
            answer_columns.make_way(con, loading)
        is_changing = question_changes.replaces(loading) and _are_some(con, "stage_bound")
        _check_all(con, loading, self, may_grow=is_changing)
        completed = _complete(con, loading.source_id)
        if is_changing:
            question_changes.apply(con, loading, self.label)
        first_id = sources.next_id(con, "question")
        con.execute(_SQL["add_questions"], source | {"first_id": first_id})
        bind(con)
        con.execute(_SQL["find_new_passes"])
        con.execute(_SQL["add_passes"], source)
        con.execute(_SQL["add_choices"], source)
        if _are_some(con, "stage_choice"):
            unknown_choices.settle(con, loading)
        _other_facts(con, loading, self)
        con.execute(_SQL["note_dataset_source"], source | {"role": loading.role})
        added = _report(con, loading, completed, is_changing=is_changing)
        if is_changing:
            question_changes.finish(
                con, loading, whole=self.is_whole, added=added, restored=restored
            )
        if self.by_id_alone:
            ((n,),) = con.execute(_SQL["count_known_by_id"], source).fetchall()
            if n:
                loading.report.notes.append(
                    counted(
                        n,
                        "question is known by its id alone",
                        "questions are known by their ids alone",
                    )
                    + (f", with the choices {self.labels}" if self.task == "choice" else "")
                    + "; a question file adds their texts"
                )


def _check_all(
    con: duckdb.DuckDBPyConnection, loading: Loading, questions: Questions, *, may_grow: bool
) -> None:
    """Refuse what is wrong in the file, and what a complete dataset does not have."""
    path = loading.path
    _check(con, loading, questions)
    if questions.task == "open":
        open_facts.check(
            con,
            path,
            None if questions.may_be_hidden else questions.reference,
            questions.pass_name,
        )
    if (questions.task == "choice" or _are_some(con, "stage_choice")) and _are_some(
        con, "stage_to_check"
    ):
        _check_choices(con, loading, questions)
    if not may_grow:
        _refuse_unknown(con, loading, questions)


def _other_facts(con: duckdb.DuckDBPyConnection, loading: Loading, questions: Questions) -> None:
    """Store references, answers, components, abilities, attributes and images; compare texts."""
    source, notes = {"source_id": loading.source_id}, loading.report.notes
    is_refused = loading.role == "questions" and not questions.samples
    notes += _text_differences(con, loading, questions.text, is_refused=is_refused)
    if questions.task == "open" or _are_some(con, "stage_reference"):
        open_facts.load_references(con, loading, questions.reference)
    if questions.task == "choice" or _are_some(con, "stage_choice"):
        if not questions.by_id_alone:
            notes += choice_differences(con, loading.path, questions.label, is_refused=is_refused)
        _answers(con, loading, questions)
        if _are_some(con, "stage_component"):
            _components(con, loading.path, loading.source_id)
    question_abilities.load(con, loading, questions.task, extends=questions.samples)
    if is_refused:
        question_changes.note_attributes(con, loading)
    answer_columns.hold_back(con, loading)
    con.execute(_SQL["add_attributes"], source)
    con.execute(_SQL["add_images"], source)


def bind(con: duckdb.DuckDBPyConnection) -> None:
    """Fill `stage_bound`: the question of each staged split and key, where it is known."""
    con.execute(_SQL["bind"])


def _are_some(con: duckdb.DuckDBPyConnection, staged: str) -> bool:
    ((found,),) = con.execute(f"SELECT EXISTS (FROM {staged})").fetchall()
    return bool(found)


def choice_differences(
    con: duckdb.DuckDBPyConnection, path: Path, label: str, *, is_refused: bool = False
) -> list[str]:
    """Compare staged choices with the dataset's; return a note on texts that differ.

    Args:
        is_refused: they are refused, as the file is of questions.

    Raises:
        InputError: the same choices stand in another order, so that letters mean something else; or
            their texts differ and are refused.
    """
    con.execute(_SQL["find_other_choices"])
    remedy = f"; {question_changes.REMEDY}" if is_refused else ""
    refuse_first(
        con,
        path,
        _SQL["choices_in_another_order"],
        label,
        lambda row: (
            f"the choices of question {row[1]} stand in another order than in pass {row[2]} "
            f"of the dataset, so the letters mean something else{remedy}"
        ),
    )
    if is_refused:
        refuse_first(con, path, _SQL["other_choices"], label, _says_of_choice)
    ((n, example),) = con.execute(_SQL["count_other_choices"]).fetchall()
    if not n:
        return []
    return [
        f"{counted(n, 'choice text differs', 'choice texts differ')} from the dataset's (such as one of {example}); "
        "the dataset's hold"
    ]


def _says_of_choice(row: tuple[Any, ...]) -> str:
    known = f"{row[4]!r}" if row[4] is not None else "no such choice"
    return (
        f"says {row[3]!r} for choice {row[2]} of question {row[1]}, where the dataset has {known}; "
        f"{question_changes.REMEDY}"
    )


def _check(con: duckdb.DuckDBPyConnection, loading: Loading, questions: Questions) -> None:
    """Refuse staged questions that are wrong in themselves.

    Those of a prediction file that the dataset knows already are not looked at: spreadsheets lose
    choices such as None, and the dataset's hold.
    """
    con.execute(_SQL["collect_rows_to_check"], {"role": loading.role})
    refuse_first(
        con,
        loading.path,
        _SQL["questions_without_text"],
        questions.text,
        lambda row: f"question {row[1]} has no text",
    )


def _check_choices(con: duckdb.DuckDBPyConnection, loading: Loading, questions: Questions) -> None:
    path = loading.path
    refuse = partial(refuse_first, con, path)
    con.execute(_SQL["collect_labels"])
    refuse(
        _SQL["questions_without_choices"].format(
            least=1 if questions.task == "open" or questions.may_be_hidden else 0,
        ),
        questions.label,
        lambda row: f"question {row[1]} has {counted(row[2], 'choice')}; it takes two",
    )
    refuse(
        _SQL["choices_beyond_z"],
        questions.label,
        lambda row: (
            f"question {row[1]} has {counted(row[2], 'choice')}; there are labels for 26, A to Z"
        ),
    )
    refuse(
        _SQL["passes_beyond_choices"],
        questions.pass_name,
        lambda row: (
            f"pass {row[2]} of question {row[1]} is out of range: "
            f"{counted(row[3], 'choice has', 'choices have')} passes 0 to {row[3] - 1}"
        ),
    )
    refuse(
        _SQL["answers_that_are_no_choice"],
        questions.answer,
        lambda row: f"the answer {row[2]!r} of question {row[1]} is none of its choices ({row[3]})",
    )
    if loading.role == "questions" and (questions.part is None or questions.part[1] == 1):
        # Of a dataset in several files, the passes before may stand in another one.
        refuse(
            _SQL["passes_after_a_gap"],
            questions.pass_name,
            lambda row: (
                f"pass {row[2]} of question {row[1]} is out of range: "
                f"the file has only {row[3]} of the passes before it"
            ),
        )


def _refuse_unknown(con: duckdb.DuckDBPyConnection, loading: Loading, questions: Questions) -> None:
    refuse = partial(refuse_first, con, loading.path)
    remedy = "; --replace adds it" if loading.role == "questions" else ""
    refuse(
        _SQL["questions_beyond_a_complete_dataset"],
        questions.key,
        lambda row: (
            f"the dataset has no question {row[1]}{remedy}; if the file is of another dataset, say "
            "which with --split, --version or --language"
        ),
    )
    refuse(
        _SQL["passes_beyond_a_complete_dataset"],
        questions.pass_name,
        lambda row: (
            f"pass {row[2]} of question {row[1]} is out of range: the dataset has no such pass{remedy}"
        ),
    )


def _complete(con: duckdb.DuckDBPyConnection, source_id: int) -> int:
    """Add the texts of questions that were known by their ids alone; return how many there are.

    Their choices were assumed, and give way to the file's.
    """
    con.execute(_SQL["find_completed"])
    ((n,),) = con.execute("SELECT count(*) FROM stage_completed").fetchall()
    if n:
        con.execute(_SQL["complete_questions"], {"source_id": source_id})
        con.execute(_SQL["forget_assumed_choices"])
        con.execute(_SQL["add_completed_choices"], {"source_id": source_id})
    return int(n)


def _components(con: duckdb.DuckDBPyConnection, path: Path, source_id: int) -> None:
    """Store what the answers to new questions consist of.

    Raises:
        InputError: a question wants something else in the dataset, or in another pass.
    """
    con.execute(_SQL["add_components"], {"source_id": source_id})
    refuse_first(
        con,
        path,
        _SQL["other_components"],
        None,
        lambda row: (
            f"an answer to question {row[2]} consists of {row[3]} here, and of {row[4]} in the dataset"
        ),
    )


def _text_differences(
    con: duckdb.DuckDBPyConnection, loading: Loading, field: str, *, is_refused: bool
) -> list[str]:
    if is_refused:
        refuse_first(
            con,
            loading.path,
            _SQL["other_texts"],
            field,
            lambda row: (
                f"says {shown(row[2])} for question {row[1]}, where the dataset has {shown(row[3])}; "
                f"{question_changes.REMEDY}"
            ),
        )
    ((n, example),) = con.execute(_SQL["count_other_texts"]).fetchall()
    if not n:
        return []
    return [
        f"{counted(n, 'question text differs', 'question texts differ')} from the dataset's (such as {example}); "
        "the dataset's hold"
    ]


def shown(text: str) -> str:
    """A text in quotes, cut where it is long."""
    return repr(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")


def _answers(con: duckdb.DuckDBPyConnection, loading: Loading, questions: Questions) -> None:
    """Add answers that are not known yet; with --replace a question file corrects known ones."""
    con.execute(_SQL["find_answers"])
    ((n, example),) = con.execute(_SQL["count_contradicted_answers"]).fetchall()
    source_id = loading.source_id
    if n and loading.role != "questions":
        loading.report.notes.append(
            f"{counted(n, 'answer differs', 'answers differ')} from the dataset's (such as that of {example}); "
            "the dataset's hold"
        )
    elif n and loading.settings.replace:
        question_changes.note_answers(con)
        con.execute(_SQL["supersede_answers"], {"source_id": source_id})
        con.execute(_SQL["forget_superseded"])
    elif n:
        refuse_first(
            con,
            loading.path,
            _SQL["contradicted_answers"],
            questions.answer,
            lambda row: (
                f"says {row[3]} for question {row[1]}, pass {row[2]}, where the dataset has "
                f"{row[4]}; {question_changes.REMEDY}"
            ),
        )
    con.execute(_SQL["add_answers"], {"source_id": source_id})


def _report(
    con: duckdb.DuckDBPyConnection, loading: Loading, completed: int, *, is_changing: bool
) -> int:
    """Say what is new; return how many questions are, which a change says in its own words."""
    counts = dict(con.execute(_SQL["new_facts"], {"source_id": loading.source_id}).fetchall())
    added = counts["question"] - completed
    loaded = []
    if completed:
        loaded.append(
            f"the texts of {counted(completed, 'question')} that were known by their ids alone"
        )
    if (added or counts["pass"]) and not is_changing:
        loaded.append(
            f"{counted(added, 'new question')}, {counted(counts['pass'], 'new pass', 'new passes')}"
        )
    for name in ("reference", "answer"):
        if counts[name]:
            loaded.append(counted(counts[name], name))
    if counts["ability"]:
        filed, its = counted(counts["ability"], "question"), counts["ability"] == 1
        loaded.append(f"{filed} filed under {'its' if its else 'their'} abilities")
    loading.report.loaded += loaded
    return int(added)
