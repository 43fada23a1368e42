"""From staged questions to facts: what is new is added, what is known is compared."""

from __future__ import annotations

from pathlib import Path

import duckdb

from ingest.checks import refuse_first
from ingest.facts import open_facts, question_abilities
from ingest.settings import Settings, Staged
from warehouse import sources, statements

_SQL = statements.of_module(__file__)


def load(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    staged: Staged,
    benchmark: tuple[int, str],
    source_id: int,
) -> tuple[list[str], list[str]]:
    """Store what is new about the questions; return what was loaded, and notes on differences.

    Raises:
        InputError: a question without text or choices, a pass out of range, an answer that is none
            of the choices, a question or pass that a complete dataset does not have, choices in
            another order, an answer or category that contradicts the dataset, an unknown category.
    """
    bind(con)
    _check(con, path, staged)
    if staged.task == "open":
        open_facts.check(con, path, staged)
    elif _are_some(con, "stage_to_check"):
        _check_choices(con, path, staged)
    _refuse_unknown(con, path, staged)
    completed = _complete(con, source_id)
    con.execute(
        _SQL["add_questions"],
        {"first_id": sources.next_id(con, "question"), "source_id": source_id},
    )
    bind(con)
    con.execute(_SQL["find_new_passes"])
    con.execute(_SQL["add_passes"], {"source_id": source_id})
    con.execute(_SQL["add_choices"], {"source_id": source_id})
    notes = _text_differences(con)
    if staged.task == "open":
        notes += open_facts.load_references(con, path, staged, source_id)
    else:
        if not staged.by_id_alone:
            notes += choice_differences(con, path, staged)
        notes += _answers(con, path, settings, staged, source_id)
        if _are_some(con, "stage_component"):
            _components(con, path, source_id)
    question_abilities.load(con, path, staged, benchmark, source_id)
    con.execute(_SQL["add_attributes"], {"source_id": source_id})
    con.execute(_SQL["add_images"], {"source_id": source_id})
    con.execute(_SQL["note_dataset_source"], {"source_id": source_id, "role": staged.role})
    loaded = _loaded(con, source_id, completed)
    if staged.by_id_alone:
        ((n,),) = con.execute(_SQL["count_known_by_id"], {"source_id": source_id}).fetchall()
        if n:
            notes.append(
                f"{n:,} questions are known by their ids alone, with the choices A to D; "
                "a question file adds their texts"
            )
    return loaded, notes


def bind(con: duckdb.DuckDBPyConnection) -> None:
    """Fill `stage_bound`: the question of each staged split and key, where it is known."""
    con.execute(_SQL["bind"])


def _are_some(con: duckdb.DuckDBPyConnection, staged: str) -> bool:
    ((found,),) = con.execute(f"SELECT EXISTS (FROM {staged})").fetchall()
    return bool(found)


def choice_differences(con: duckdb.DuckDBPyConnection, path: Path, staged: Staged) -> list[str]:
    """Compare staged choices with the dataset's; return a note on texts that differ.

    Raises:
        InputError: the same choices stand in another order, so that letters mean something else.
    """
    con.execute(_SQL["find_other_choices"])
    refuse_first(
        con,
        path,
        _SQL["choices_in_another_order"],
        staged.fields["label"],
        lambda row: (
            f"the choices of question {row[1]} stand in another order than in pass {row[2]} "
            "of the dataset, so the letters mean something else"
        ),
    )
    ((n, example),) = con.execute(_SQL["count_other_choices"]).fetchall()
    if not n:
        return []
    return [
        f"{n:,} choice texts differ from the dataset's (such as one of {example}); "
        "the dataset's hold"
    ]


def _check(con: duckdb.DuckDBPyConnection, path: Path, staged: Staged) -> None:
    """Refuse staged questions that are wrong in themselves.

    Those of a prediction file that the dataset knows already are not looked at: spreadsheets lose
    choices such as None, and the dataset's hold.
    """
    con.execute(_SQL["collect_rows_to_check"], {"role": staged.role})
    refuse_first(
        con,
        path,
        _SQL["questions_without_text"],
        staged.fields["text"],
        lambda row: f"question {row[1]} has no text",
    )


def _check_choices(con: duckdb.DuckDBPyConnection, path: Path, staged: Staged) -> None:
    fields = staged.fields
    con.execute(_SQL["collect_labels"])
    refuse_first(
        con,
        path,
        _SQL["questions_without_choices"],
        fields["label"],
        lambda row: f"question {row[1]} has {row[2]} choices; it takes two",
    )
    refuse_first(
        con,
        path,
        _SQL["choices_beyond_z"],
        fields["label"],
        lambda row: f"question {row[1]} has {row[2]} choices; there are labels for 26, A to Z",
    )
    refuse_first(
        con,
        path,
        _SQL["passes_beyond_choices"],
        fields["pass"],
        lambda row: (
            f"pass {row[2]} of question {row[1]} is out of range: "
            f"{row[3]} choices have passes 0 to {row[3] - 1}"
        ),
    )
    refuse_first(
        con,
        path,
        _SQL["answers_that_are_no_choice"],
        fields["answer"],
        lambda row: f"the answer {row[2]!r} of question {row[1]} is none of its choices ({row[3]})",
    )
    if staged.role == "questions" and (staged.part is None or staged.part[1] == 1):
        # Of a dataset in several files, the passes before may stand in another one.
        refuse_first(
            con,
            path,
            _SQL["passes_after_a_gap"],
            fields["pass"],
            lambda row: (
                f"pass {row[2]} of question {row[1]} is out of range: "
                f"the file has only {row[3]} of the passes before it"
            ),
        )


def _refuse_unknown(con: duckdb.DuckDBPyConnection, path: Path, staged: Staged) -> None:
    refuse_first(
        con,
        path,
        _SQL["questions_beyond_a_complete_dataset"],
        staged.fields["question_key"],
        lambda row: (
            f"the dataset has no question {row[1]}; if the file is of another dataset, say "
            "which with --split, --version or --language"
        ),
    )
    refuse_first(
        con,
        path,
        _SQL["passes_beyond_a_complete_dataset"],
        staged.fields["pass"],
        lambda row: (
            f"pass {row[2]} of question {row[1]} is out of range: the dataset has no such pass"
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


def _text_differences(con: duckdb.DuckDBPyConnection) -> list[str]:
    ((n, example),) = con.execute(_SQL["count_other_texts"]).fetchall()
    if not n:
        return []
    return [
        f"{n:,} question texts differ from the dataset's (such as {example}); the dataset's hold"
    ]


def _answers(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    staged: Staged,
    source_id: int,
) -> list[str]:
    """Add answers that are not known yet; with --replace a question file corrects known ones."""
    con.execute(_SQL["find_answers"])
    ((n, example),) = con.execute(_SQL["count_contradicted_answers"]).fetchall()
    notes = []
    if n and staged.role == "predictions":
        notes.append(
            f"{n:,} answers differ from the dataset's (such as that of {example}); "
            "the dataset's hold"
        )
    elif n and settings.replace:
        con.execute(_SQL["supersede_answers"], {"source_id": source_id})
        con.execute(_SQL["forget_superseded"])
        notes.append(f"{n:,} answers corrected; the former ones are superseded")
    elif n:
        refuse_first(
            con,
            path,
            _SQL["contradicted_answers"],
            staged.fields["answer"],
            lambda row: (
                f"says {row[3]} for question {row[1]}, pass {row[2]}, where the dataset has "
                f"{row[4]}; --replace corrects the dataset"
            ),
        )
    con.execute(_SQL["add_answers"], {"source_id": source_id})
    return notes


def _loaded(con: duckdb.DuckDBPyConnection, source_id: int, completed: int) -> list[str]:
    counts = {
        table: con.execute(
            f"SELECT count(*) FROM main.{table} WHERE source_id = ?", [source_id]
        ).fetchall()[0][0]
        for table in ("question", "question_pass", "answer", "reference_answer")
    }
    counts["question_ability"] = con.execute(
        "SELECT count(DISTINCT question_id) FROM main.question_ability WHERE source_id = ?",
        [source_id],
    ).fetchall()[0][0]
    counts["question"] -= completed
    loaded = []
    if completed:
        loaded.append(f"the texts of {completed:,} questions that were known by their ids alone")
    if counts["question"] or counts["question_pass"]:
        loaded.append(
            f"{counts['question']:,} new questions, {counts['question_pass']:,} new passes"
        )
    if counts["reference_answer"]:
        loaded.append(f"{counts['reference_answer']:,} references")
    if counts["answer"]:
        loaded.append(f"{counts['answer']:,} answers")
    if counts["question_ability"]:
        loaded.append(f"{counts['question_ability']:,} questions filed under their abilities")
    return loaded
