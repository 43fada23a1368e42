"""Facts that are not about questions, runs or judgments: models, abilities, published scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import duckdb

from ingest.loading import Loading


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
