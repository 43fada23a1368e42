"""Whose a column is that stands next to answers: the question's, or each answer's.

A column that the dataset's question file has is the question's; where an answer's cell says something
else, it is kept with that answer. One that belongs to answers by its name or place is the answers'. Any
other is the question's for as long as all files of answers say the same of every question; once one
says otherwise, it is the answers' of all of them, whichever was read first.
"""

from __future__ import annotations

from collections.abc import Sequence

import duckdb

from ingest.loading import Columns, Loading
from warehouse import known_benchmarks, statements
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def hold_back(con: duckdb.DuckDBPyConnection, loading: Loading) -> None:
    """Leave these columns out of what the file says of questions: `settle` adds what is theirs."""
    names = _open(loading).every
    if names:
        con.execute(_SQL["hold_back"], {"names": names})


def settle(con: duckdb.DuckDBPyConnection, loading: Loading, staged: str) -> bool:
    """Store the questions' columns as theirs; leave in `stage_answer_attribute` what is the answers'.

    Questions are bound, and the runs of the file made.

    Args:
        staged: the table of answers.

    Returns:
        Whether anything may be left.
    """
    columns = _open(loading)
    if not loading.columns.every:
        return True
    con.execute(_SQL["keep_open"], {"names": columns.every})
    if not columns.every:
        return False
    names = {"names": columns.every}
    if not columns.own and con.execute(
        _SQL["are_known"].format(staged=staged), names
    ).fetchall() == [(True,)]:
        # As of each model but the first of a work dir.
        return False
    source = {"source_id": loading.source_id}
    con.execute(_SQL["collect_said"].format(staged=staged), names)
    con.execute(_SQL["collect_known"], names)
    con.execute(_SQL["collect_runs"], source)
    con.execute(_SQL["decide"].format(staged=staged), {"own": columns.own, **names})
    moved = _give_to_answers(con, "of_answers")
    con.execute(_SQL["add_to_questions"], source)
    con.execute(_SQL["drop_said"])
    shared = [name for name in moved if name in columns.shared]
    if shared:
        loading.report.notes.append(
            f"{counted(len(shared), 'column differs', 'columns differ')} between files of answers, and "
            f"{'is' if len(shared) == 1 else 'are'} kept with each answer: {', '.join(shared)}"
        )
    return True


def make_way(con: duckdb.DuckDBPyConnection, loading: Loading) -> None:
    """Let a question file's attributes take the place of those that stood next to answers.

    What answers said otherwise stays with them.
    """
    con.execute(_SQL["collect_attributes"])
    names = {"names": [name for (name,) in con.execute(_SQL["attribute_names"]).fetchall()]}
    if not names["names"]:
        return
    con.execute(_SQL["collect_known"], names)
    con.execute(_SQL["collect_runs"], {"source_id": loading.source_id})
    n = len(_give_to_answers(con, "other_than_questions"))
    con.execute(_SQL["remove_known"])
    con.execute(_SQL["forget_what_questions_say"])
    if n:
        loading.report.notes.append(
            f"{counted(n, 'column differs', 'columns differ')} from what stood next to answers, "
            "which is kept with them"
        )


def _give_to_answers(con: duckdb.DuckDBPyConnection, which: str) -> Sequence[str]:
    """Move attributes of questions to the answers that they came with; return their names."""
    con.execute(_SQL[which])
    names = [name for (name,) in con.execute(_SQL["moved_names"]).fetchall()]
    if names:
        con.execute(_SQL["move"])
        con.execute(_SQL["remove_moved"])
    return names


def _open(loading: Loading) -> Columns:
    """The columns without those that the benchmark has a use for: they are its questions'."""
    used = _used(loading.named_benchmark.name)
    own, shared = (
        tuple(name for name in names if name.lower() not in used)
        for names in (loading.columns.own, loading.columns.shared)
    )
    return Columns(own, shared)


def _used(benchmark: str) -> set[str]:
    found = known_benchmarks.find(benchmark)
    if found is None:
        return set()
    scoring = found.scoring
    names = [column for level in found.levels for column in level.columns]
    names += [rule.attribute for rule in scoring.rules if rule.attribute is not None]
    names += [
        part.attribute
        for group in scoring.groups
        for part in group.key
        if part.attribute is not None
    ]
    return {name.lower() for name in names}
