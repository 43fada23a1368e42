"""A question file that says otherwise than the dataset: with --replace its facts take their place.

What the file says holds, and what it leaves out stays. Former facts go to `main.superseded_fact`
(right labels are flagged in `main.answer`); questions that a full list leaves out go to
`main.dropped_question` where --drop-missing says so, and come back with a later file.
"""

from __future__ import annotations

from functools import partial

import duckdb

from ingest.checks import refuse_first
from ingest.loading import Loading
from warehouse import statements
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
REMEDY = "--replace takes the file's, and keeps the former as history"
"""What there is to do where a file of questions says otherwise than the dataset."""
_NOUNS = {
    "text": ("text", "texts"),
    "choice": ("set of choices", "sets of choices"),
    "answer": ("answer", "answers"),
    "reference": ("set of references", "sets of references"),
    "ability": ("ability", "abilities"),
    "attribute": ("attribute", "attributes"),
    "image": ("image", "images"),
}


def replaces(loading: Loading) -> bool:
    """Whether what a file says of questions takes the place of what is known."""
    return loading.settings.replace and loading.role == "questions"


def restore(con: duckdb.DuckDBPyConnection, loading: Loading, key: str) -> int:
    """Bring back the questions of a question file that were dropped; return how many.

    Raises:
        InputError: there are some, and the user did not say --replace.
    """
    if loading.role != "questions":
        return 0
    if not loading.settings.replace:
        refuse_first(
            con,
            loading.path,
            _SQL["dropped_in_file"],
            key,
            lambda row: f"question {row[1]} was dropped by {row[2]}; --replace brings it back",
        )
        return 0
    con.execute(_SQL["find_restored"])
    ((n,),) = con.execute("SELECT count(*) FROM stage_restored").fetchall()
    if n:
        con.execute(_SQL["restore"])
        con.execute(_SQL["note_restored"], {"source_id": loading.source_id})
    return int(n)


def apply(con: duckdb.DuckDBPyConnection, loading: Loading, label: str) -> None:
    """Let the file's texts, choices, references, attributes and images take the place of others.

    Args:
        label: what the file calls its choices.

    Raises:
        InputError: choices change, and the file leaves out another pass of the question or the
            answer; or a run scored a choice that would be gone.
    """
    source = {"source_id": loading.source_id}
    con.execute(_SQL["find_texts"])
    con.execute(_SQL["note_texts"])
    con.execute(_SQL["keep_texts"], source)
    con.execute(_SQL["replace_texts"], source)
    con.execute(_SQL["find_passes"])
    _refuse_halves(con, loading, label)
    con.execute(_SQL["find_choices"])
    con.execute(_SQL["keep_choices"], source)
    con.execute(_SQL["remove_choices"])
    con.execute(_SQL["replace_choices"], source)
    con.execute(_SQL["find_attributes"])
    con.execute(_SQL["note_attributes"])
    con.execute(_SQL["keep_attributes"], source)
    con.execute(_SQL["remove_attributes"])
    for fact in ("references", "images"):
        con.execute(_SQL[f"find_{fact}"])
        con.execute(_SQL[f"keep_{fact}"], source)
        con.execute(_SQL[f"remove_{fact}"])


def _refuse_halves(con: duckdb.DuckDBPyConnection, loading: Loading, label: str) -> None:
    refuse = partial(refuse_first, con, loading.path)
    refuse(
        _SQL["passes_left_behind"],
        label,
        lambda row: (
            f"the choices of question {row[1]} change, and the file lacks its pass {row[2]}, which "
            "the dataset has; give every pass of a question whose choices change"
        ),
    )
    refuse(
        _SQL["answers_left_behind"],
        label,
        lambda row: (
            f"the choices of question {row[1]} change, and the file has no answer to it, where the "
            f"dataset has {row[2]}; give the answer too"
        ),
    )
    refuse(
        _SQL["scored_choices"],
        label,
        lambda row: (
            f"question {row[1]} would lose its choice {row[2]}, which runs have scores for; give the "
            "question another key, or the dataset another --version"
        ),
    )


def apply_abilities(con: duckdb.DuckDBPyConnection, loading: Loading, task: str) -> None:
    """Take questions from under abilities that the file, in `stage_filed`, contradicts."""
    con.execute(_SQL["find_abilities"], {"is_open": task == "open"})
    con.execute(_SQL["note_abilities"])
    con.execute(_SQL["keep_abilities"], {"source_id": loading.source_id})
    con.execute(_SQL["remove_abilities"])


def note_answers(con: duckdb.DuckDBPyConnection) -> None:
    """Note the questions of which the file has another answer, in `stage_answer`."""
    con.execute(_SQL["note_answers"])


def note_attributes(con: duckdb.DuckDBPyConnection, loading: Loading) -> None:
    """Say which attributes differ, where the dataset's hold."""
    con.execute(_SQL["find_attributes"])
    ((n, example),) = con.execute(_SQL["count_other_attributes"]).fetchall()
    if n:
        key, name = example
        loading.report.notes.append(
            f"{counted(n, 'attribute differs', 'attributes differ')} from the dataset's (such as "
            f"{name} of question {key}); the dataset's hold; --replace takes the file's"
        )


def finish(
    con: duckdb.DuckDBPyConnection, loading: Loading, *, whole: bool, added: int, restored: int
) -> None:
    """Drop what the file leaves out, if that was said, and say in one line what changed.

    Args:
        whole: the file may be all of its dataset.
        added: how many questions it added.
        restored: how many it brought back.
    """
    dropped = _drop_missing(con, loading) if whole else 0
    cursor = con.execute(_SQL["counts"])
    names = [column[0] for column in cursor.description or ()]
    changed, *numbers = cursor.fetchall()[0]
    parts = []
    if changed:
        facts = [counted(n, *_NOUNS[name]) for name, n in zip(names[1:], numbers, strict=True) if n]
        parts.append(f"{counted(changed, 'question')} changed: {', '.join(facts)}")
    for n, done in ((added, "added"), (restored, "brought back"), (dropped, "dropped")):
        if n:
            parts.append(f"{f'{n:,}' if parts else counted(n, 'question')} {done}")
    if parts:
        loading.report.loaded.insert(0, "; ".join(parts))
    ((n, n_runs),) = con.execute(_SQL["count_former_answers"]).fetchall()
    if n:
        loading.report.notes.append(
            f"{counted(n, 'answer')} of {counted(n_runs, 'run')} came before a text, choice or "
            "image changed, and are scored by what holds now"
        )


def _drop_missing(con: duckdb.DuckDBPyConnection, loading: Loading) -> int:
    """Drop the questions that the file does not have, where the user said so; return how many."""
    con.execute(_SQL["find_missing"])
    ((n, example),) = con.execute(_SQL["count_missing"]).fetchall()
    if not n:
        return 0
    if not loading.settings.drop_missing:
        loading.report.notes.append(
            f"{counted(n, 'question that the file does not have stays', 'questions that the file does not have stay')} "
            f"(such as {example}); --drop-missing drops what a full list leaves out"
        )
        return 0
    con.execute(_SQL["drop_missing"], {"source_id": loading.source_id})
    con.execute(_SQL["remove_missing"])
    return int(n)


def note_answers_to_dropped(con: duckdb.DuckDBPyConnection, loading: Loading, staged: str) -> None:
    """Say how many answers in `staged` are to questions that were dropped."""
    ((n, n_questions),) = con.execute(
        _SQL["count_answers_to_dropped"].format(staged=staged)
    ).fetchall()
    if n:
        loading.report.notes.append(
            f"kept without counting: {counted(n, 'answer')} to {counted(n_questions, 'dropped question')}"
        )
