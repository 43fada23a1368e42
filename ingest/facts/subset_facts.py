"""From staged ids to named subsets."""

from __future__ import annotations

from pathlib import Path

import duckdb

from ingest.checks import refuse_first
from ingest.facts import question_facts
from ingest.settings import Settings, Staged
from warehouse import statements, subsets
from warehouse.errors import InputError, UsageError

_SQL = statements.of_module(__file__)


def load(
    con: duckdb.DuckDBPyConnection, path: Path, settings: Settings, staged: Staged, source_id: int
) -> tuple[list[str], list[str]]:
    """Store the subsets; return what was loaded, and notes.

    Raises:
        InputError: a question that the dataset does not have, or a name that has other questions.
    """
    question_facts.bind(con)
    refuse_first(
        con,
        path,
        _SQL["unknown_questions"],
        staged.fields["question_key"],
        lambda row: f"the dataset has no question {row[1]}",
    )
    loaded, notes = [], []
    for name, dataset_id, dataset, row, question_ids in con.execute(_SQL["sets"]).fetchall():
        try:
            made = subsets.create(
                con, name, dataset_id, question_ids, source_id=source_id, replace=settings.replace
            )
        except UsageError as error:
            raise InputError(path, str(error), row=row, field="subset") from error
        if made is None:
            notes.append(f"{dataset} has the subset {name} with the same questions already")
        else:
            loaded.append(f"subset {name} of {dataset}: {len(question_ids):,} questions")
    return loaded, notes
