"""Facts that are not about questions, runs or judgments: models, abilities, published scores, subsets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import duckdb

from ingest.checks import refuse_first
from ingest.facts import question_facts
from ingest.loading import Loading
from warehouse import statements, subsets
from warehouse.errors import InputError, UsageError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class Subset:
    """Ids of questions, in `stage_subset`, that make named subsets."""

    role: ClassVar[str] = "subset"
    key: str = "question_key"

    def load(self, con: duckdb.DuckDBPyConnection, loading: Loading) -> None:
        """Store the subsets.

        Raises:
            InputError: a question that the dataset does not have, or a name that has other
                questions.
        """
        question_facts.bind(con)
        refuse_first(
            con,
            loading.path,
            _SQL["unknown_questions"],
            self.key,
            lambda row: f"the dataset has no question {row[1]}",
        )
        replace = loading.settings.replace
        source_id = loading.source_id
        for name, dataset_id, dataset, row, ids in con.execute(_SQL["sets"]).fetchall():
            try:
                made = subsets.create(
                    con, name, dataset_id, ids, source_id=source_id, replace=replace
                )
            except UsageError as error:
                raise InputError(loading.path, str(error), row=row, field="subset") from error
            if made is None:
                loading.report.notes.append(
                    f"{dataset} has the subset {name} with the same questions already"
                )
            else:
                loading.report.loaded.append(
                    f"subset {name} of {dataset}: {counted(len(ids), 'question')}"
                )


@dataclass(frozen=True)
class Facts:
    """Facts that a format stores itself.

    Attributes:
        store: stores them for a source, by its id, and returns what was loaded.
        flags: further settings that the source keeps.
        harness: what wrote the file.
        is_staged: whether rows of the file may be in the staging tables.
    """

    role: ClassVar[str] = "facts"
    key: ClassVar[str] = "name"
    store: Callable[[int], list[str]]
    flags: Mapping[str, object] = field(default_factory=dict)
    harness: str = "unknown"
    is_staged: bool = True

    def load(self, con: duckdb.DuckDBPyConnection, loading: Loading) -> None:
        """Store the facts.

        Raises:
            InputError: as the format says.
        """
        loading.report.loaded.extend(self.store(loading.source_id))
        ((has_figures,),) = con.execute(
            "SELECT EXISTS (FROM main.harness_figure WHERE source_id = ?)", [loading.source_id]
        ).fetchall()
        loading.report.has_harness_facts = bool(has_figures)
