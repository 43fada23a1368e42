"""What an adapter is: a format's name, how to recognise it, and how to stage its rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import duckdb

from ingest.probe import Probe
from ingest.settings import Settings, Staged


@dataclass(frozen=True)
class Adapter:
    """One format.

    Attributes:
        name: what `--format` takes and `source.format` holds.
        version: raised when the same file would be read otherwise than before.
        description: one line for the list of formats.
        needs: the columns without which it cannot be this format.
        accepts: whether a file with all of these columns is this format rather than another.
        stage: fills the staging tables from `raw`.
        load: for formats that are not about questions or runs: stores the facts of `raw` and
            returns what was loaded.
    """

    name: str
    version: int
    description: str
    needs: tuple[str, ...]
    accepts: Callable[[Probe], bool]
    stage: Callable[[duckdb.DuckDBPyConnection, Probe, Settings], Staged]
    load: Callable[[duckdb.DuckDBPyConnection, Probe, Settings, int], list[str]] | None = None
