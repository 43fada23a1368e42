"""Labels that Inspect read in answers, and what people changed, as judgments.

What a scorer read is a judgment of the judge `inspect:SCORER`: the label, or X where it read none.
The scorer `choice` reads labels; another one does where each of its answers is a label or nothing,
and right just where that is the right one. Who changed a score is a judge, a person.
"""

from __future__ import annotations

from typing import Any

import duckdb

from ingest.inspect_ai import inspect_grades
from warehouse import statements
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def stage_letters(con: duckdb.DuckDBPyConnection, spec: dict[str, Any], model: str) -> list[str]:
    """Stage the labels that scorers read; return those scorers."""
    con.execute(_SQL["find_letters"])
    scorers = [str(name) for (name,) in con.execute(_SQL["letter_scorers"]).fetchall()]
    for scorer in scorers:
        judge = f"inspect:{scorer}"
        options = inspect_grades.options_of(spec, scorer)
        con.execute(
            _SQL["add_judge"],
            {
                "judge": judge,
                "model": judge,
                "scorer": scorer,
                "task": "choice_extraction",
                "template": inspect_grades.template(scorer, options),
                "kind": "import",
            },
        )
        con.execute(_SQL["stage_letters"], {"scorer": scorer, "judge": judge, "model": model})
    return scorers


def stage_changes(
    con: duckdb.DuckDBPyConnection, model: str, *, is_open: bool
) -> tuple[int, list[str]]:
    """Stage what people changed; return how many did, and notes."""
    con.execute(_SQL["find_changes"], {"is_open": is_open})
    people = con.execute(_SQL["people"]).fetchall()
    names = [author for author, _ in people]
    for author, scorer in people:
        judge = author if names.count(author) == 1 else f"{author} {scorer}"
        con.execute(
            _SQL["add_judge"],
            {
                "judge": judge,
                "model": author,
                "scorer": scorer,
                "task": "soft_score" if is_open else "choice_extraction",
                "template": f"inspect {scorer}",
                "kind": "human",
            },
        )
        con.execute(
            _SQL["stage_changes"],
            {"author": author, "scorer": scorer, "judge": judge, "model": model},
        )
    notes = []
    ((n, n_unsaid, authors),) = con.execute(_SQL["count_changes"]).fetchall()
    if n:
        notes.append(
            f"{counted(n, 'score was', 'scores were')} changed by {', '.join(authors)}; "
            "each is a judgment of that person"
        )
    if n_unsaid:
        notes.append(
            f"{n_unsaid:,} of these changes give no score of an answer from 0 to 1, or no answer "
            "is there; they are no judgments"
        )
    return len(people), notes
