"""Making subsets of datasets: of what a model answered, and small ones that are suggested."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import duckdb

from queries import answered, session
from queries.answered import Answered
from queries.suggest import Suggestion
from warehouse import sources, subsets
from warehouse.connection import transaction


@dataclass(frozen=True)
class Added:
    """A subset of what a model answered, and whether it was there already with the same questions."""

    name: str
    answered: Answered
    already: bool


def add_answered(
    con: duckdb.DuckDBPyConnection,
    name: str,
    benchmark: str,
    answered_by: str,
    *,
    run: str | None = None,
    split: str | None = None,
    version: str | None = None,
    language: str | None = None,
    replace: bool = False,
) -> Added:
    """Name the questions that a model answered, of a warehouse that is open for writing."""
    session.use_release(con)
    found = answered.find(
        con,
        answered_by,
        benchmark=benchmark,
        run=run,
        split=split,
        version=version,
        language=language,
    )
    source = _source(
        "add", "answered_questions", found.question_ids, {"subset": name} | found.counts
    )
    is_new = _store(con, name, found.dataset_id, found.question_ids, source, replace=replace)
    return Added(name, found, not is_new)


def add_suggested(con: duckdb.DuckDBPyConnection, name: str, found: Suggestion) -> bool:
    """Make a suggestion a subset of that name; False: it is there already, with the same questions."""
    flags = {"subset": name, "chosen_on": list(found.chosen_on), "judge": found.judge}
    source = _source("suggest", "suggested_questions", found.question_ids, flags)
    return _store(con, name, found.dataset_id, found.question_ids, source, replace=False)


def _store(
    con: duckdb.DuckDBPyConnection,
    name: str,
    dataset_id: int,
    question_ids: Sequence[int],
    source: sources.Source,
    *,
    replace: bool,
) -> bool:
    with transaction(con):
        made = subsets.create(
            con,
            name,
            dataset_id,
            question_ids,
            source_id=sources.next_id(con, "source"),
            replace=replace,
        )
        if made is not None:
            sources.add(con, source)
    return made is not None


def _source(
    command: str, form: str, question_ids: Sequence[int], flags: Mapping[str, object]
) -> sources.Source:
    content = json.dumps(question_ids).encode()
    return sources.Source(
        path=f"evalhouse:subsets {command}",
        sha256=sha256(content).hexdigest(),
        bytes=len(content),
        format=form,
        adapter_version=1,
        flags=flags,
        n_rows=len(question_ids),
    )
