"""From staged questions to facts: what is new is added, what is known is compared.

Open questions have references, and several abilities on the same level. A choice whose text a results
file lost (pandas reads None, NA and the like as nothing) is stored with an empty text; its letter counts
as any, and a file that has the text mends it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import duckdb

from ingest.checks import refuse_first
from ingest.facts import answer_columns, question_changes
from ingest.loading import Loading, OfBenchmark
from ingest.reading import python_lists
from ingest.reading.raw import literal
from warehouse import known_benchmarks, sources, statements, taxonomy
from warehouse.benchmark import Ability
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def _load_abilities(
    con: duckdb.DuckDBPyConnection, loading: Loading, task: str, *, extends: bool = False
) -> None:
    """File staged questions under their abilities; make the taxonomy where the benchmark has none.

    Args:
        extends: the file may have abilities of a benchmark of its own that others did not have.

    Raises:
        InputError: a category that the benchmark does not have, or has elsewhere in its tree, or
            that contradicts the dataset.
    """
    path, benchmark, source_id = loading.path, loading.named_benchmark, loading.source_id
    refuse = partial(refuse_first, con, path)
    remedy = f"; {question_changes.REMEDY}" if loading.role == "questions" else ""
    _take_declared_columns(con, benchmark.name)
    con.execute(_SQL["leave_levels"], {"benchmark_id": benchmark.benchmark_id})
    known = con.execute(
        "SELECT count(*) FROM main.ability WHERE benchmark_id = ?", [benchmark.benchmark_id]
    ).fetchall()
    replaces = question_changes.replaces(loading)
    declared = known_benchmarks.find(benchmark.name)
    is_named = declared is None or (declared.is_inferred and not declared.levels)
    is_own = (extends or replaces) and is_named
    is_made = known == [(0,)] or is_own or _is_open_ended(benchmark.name)
    con.execute(_SQL["tell_apart"], {"benchmark_id": benchmark.benchmark_id, "is_made": is_made})
    if is_made:
        _make_taxonomy(con, path, benchmark, source_id)
    elif task == "open":
        _add_integrations(con, benchmark.benchmark_id, source_id)
    con.execute(_SQL["name_finest_level"], {"benchmark_id": benchmark.benchmark_id})
    con.execute(_SQL["find_abilities"], {"benchmark_id": benchmark.benchmark_id})
    refuse(
        _SQL["unknown_categories"],
        None,
        lambda row: (
            f"unknown category {row[2]!r}: it is no ability of {benchmark.name}"
            + ("; --replace adds it" if remedy and is_named else "")
        ),
    )
    refuse(
        _SQL["misplaced_categories"],
        None,
        lambda row: (
            f"the category {row[2]!r} is not one of {row[3]!r} in the taxonomy of {benchmark.name}"
        ),
    )
    if replaces:
        question_changes.apply_abilities(con, loading, task)
    if task == "open":
        _file_open_questions(con, path, source_id, remedy)
        return
    con.execute(
        _SQL["file_questions"],
        {"source_id": source_id, "benchmark_id": benchmark.benchmark_id},
    )
    refuse(
        _SQL["contradicted_abilities"],
        None,
        lambda row: f"question {row[3]} is filed under another ability than {row[2]!r}{remedy}",
    )


def _take_declared_columns(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """File questions on the levels that their benchmark's folder names columns for.

    A column that an adapter took for an ability is put on that level; a column that it kept as an
    attribute becomes an ability too.
    """
    known = known_benchmarks.find(name)
    if known is None:
        return
    depths = known.depths()
    for level in known.levels:
        for column in level.columns:
            parameters = {"column": column, "level": level.name, "depth": depths[level.name]}
            con.execute(_SQL["put_on_level"], parameters)
            _find_lists(con, column, level.separator)
            con.execute(_SQL["take_attribute"], {**parameters, "separator": level.separator})
    if known.levels and not known.abilities:
        con.execute(_SQL["put_apart"], {"levels": list(depths), "n_levels": len(depths)})


def _find_lists(con: duckdb.DuckDBPyConnection, column: str, separator: str | None) -> None:
    """Fill `stage_listed` with the abilities of cells that hold several, written as a list."""
    cells = "SELECT value FROM stage_attribute WHERE false"
    if separator is not None:
        cells = f"SELECT value FROM stage_attribute WHERE lower(name) = {literal(column)}"
    python_lists.stage(con, "stage_listed", cells)


def _is_open_ended(name: str) -> bool:
    """Whether a benchmark declares levels without abilities, so that its questions state them."""
    known = known_benchmarks.find(name)
    return known is not None and bool(known.levels) and not known.abilities


def _make_taxonomy(
    con: duckdb.DuckDBPyConnection, path: Path, benchmark: OfBenchmark, source_id: int
) -> None:
    """The taxonomy of a benchmark from its question file's columns, or what is new of it.

    Files of the same benchmark may hold different questions, and so different abilities.
    """
    refuse = partial(refuse_first, con, path)
    refuse(
        _SQL["abilities_under_two_parents"],
        None,
        lambda row: (
            f"the ability {row[2]!r} stands under {row[3]} different ones; abilities are a tree"
        ),
    )
    refuse(
        _SQL["levels_too_deep"],
        None,
        lambda row: (
            f"the level {row[2]!r} cannot be: there are four at most, and overall is above all"
        ),
    )
    rows = con.execute(
        _SQL["taxonomy_of_the_file"], {"benchmark_id": benchmark.benchmark_id}
    ).fetchall()
    known = known_benchmarks.find(benchmark.name)
    short = {level.name: level.abbreviations for level in known.levels} if known else {}
    taxonomy.add_abilities(
        con,
        benchmark.benchmark_id,
        [
            Ability(level, name, short.get(level, {}).get(name.lower(), name), parent, ())
            for level, name, parent in rows
        ],
        source_id=source_id,
    )


def _settle_unknown_choices(con: duckdb.DuckDBPyConnection, loading: Loading) -> None:
    """Give choices without a text the file's, where it has one, and say which new ones have none."""
    source = {"source_id": loading.source_id}
    con.execute(_SQL["find_mended"])
    ((n,),) = con.execute("SELECT count(*) FROM stage_mended").fetchall()
    if n:
        con.execute(_SQL["forget_blank"])
        con.execute(_SQL["add_mended"], source)
        loading.report.loaded.append(
            counted(n, "choice that was unknown", "choices that were unknown")
        )
    ((n, example),) = con.execute(_SQL["count_unknown"], source).fetchall()
    if n:
        key, label = example
        loading.report.alerts.append(
            f"{counted(n, 'choice is', 'choices are')} unknown (such as {label} of question {key}): the "
            "file has an empty cell, as pandas makes of None, NA and the like; the letter counts, and "
            "the dataset's question file mends it"
        )


def _check_open(
    con: duckdb.DuckDBPyConnection, path: Path, reference: str | None, pass_number: str
) -> None:
    """Refuse staged open questions that are wrong in themselves.

    Args:
        reference: what the file calls the references; None: they may be hidden.
        pass_number: what the file calls the pass.

    Raises:
        InputError: a question without a reference, or with another pass than 0.
    """
    refuse = partial(refuse_first, con, path)
    if reference is not None:
        refuse(
            _SQL["questions_without_reference"],
            reference,
            lambda row: f"question {row[1]} has no reference",
        )
    refuse(
        _SQL["further_passes"],
        pass_number,
        lambda row: (
            f"pass {row[2]} of question {row[1]} is out of range: open questions have pass 0"
        ),
    )


def _load_references(con: duckdb.DuckDBPyConnection, loading: Loading, reference: str) -> None:
    """Add the references of new questions and compare the others; note differences.

    Raises:
        InputError: a question file has other references than the dataset.
    """
    con.execute(_SQL["find_other_references"])
    if loading.role == "questions":
        refuse_first(
            con,
            loading.path,
            _SQL["other_references"],
            reference,
            lambda row: (
                f"the references of question {row[1]} are not the dataset's; --replace takes the "
                "file's, and what was graded against the former no longer counts; a --version of "
                "their own keeps both"
            ),
        )
    con.execute(_SQL["add_references"], {"source_id": loading.source_id})
    ((n, example),) = con.execute(_SQL["count_other_references"]).fetchall()
    if n:
        loading.report.notes.append(
            f"{counted(n, 'reference differs', 'references differ')} from the dataset's (such as {example}'s); "
            "the dataset's hold"
        )


def _add_integrations(con: duckdb.DuckDBPyConnection, benchmark: int, source_id: int) -> None:
    """Name every staged integration by its capabilities in order, and add those that are new.

    An integration is a set of capabilities, written with _ between them in any order. Any other
    spelling is left as it is, to be refused as unknown.
    """
    rows = con.execute(_SQL["staged_integrations"]).fetchall()
    spellings = con.execute(_SQL["known_spellings"], {"benchmark_id": benchmark}).fetchall()
    capabilities = {spelling for level, spelling in spellings if level == "capability"}
    known = {spelling for level, spelling in spellings if level == "integration"}
    added = []
    for (written,) in rows:
        parts = {part.strip().lower() for part in written.split("_")}
        name = "_".join(sorted(parts))
        if not known or not parts <= capabilities:
            continue
        con.execute(_SQL["name_integration"], {"written": written, "name": name})
        if name not in known:
            known.add(name)
            added.append(Ability("integration", name, name, None, ()))
    taxonomy.add_abilities(con, benchmark, added, source_id=source_id)


def _file_open_questions(
    con: duckdb.DuckDBPyConnection, path: Path, source_id: int, remedy: str
) -> None:
    """File each question under every ability that the file gives it, on every level.

    Raises:
        InputError: a question is filed under other abilities of that level already.
    """
    con.execute(_SQL["collect_abilities"])
    refuse_first(
        con,
        path,
        _SQL["other_abilities"],
        None,
        lambda row: f"question {row[2]} is filed under other abilities than {row[3]!r}{remedy}",
    )
    con.execute(_SQL["add_question_abilities"], {"source_id": source_id})


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
            _settle_unknown_choices(con, loading)
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
        _check_open(
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
        _load_references(con, loading, questions.reference)
    if questions.task == "choice" or _are_some(con, "stage_choice"):
        if not questions.by_id_alone:
            notes += choice_differences(con, loading.path, questions.label, is_refused=is_refused)
        _answers(con, loading, questions)
        if _are_some(con, "stage_component"):
            _components(con, loading.path, loading.source_id)
    _load_abilities(con, loading, questions.task, extends=questions.samples)
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
