"""What is in a warehouse file, as `evalhouse status` prints it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

from queries import install, session
from queries import release as releases
from queries.install import Installed
from queries.results import refresh as keeping
from queries.results.refresh import Kept
from warehouse.later import pl


@dataclass(frozen=True)
class Status:
    """What is in a warehouse file.

    Attributes:
        path: the file.
        bytes: its size.
        facts: how many rows there are of each kind.
        datasets: each with how complete it is.
        dropped: the questions that newer lists leave out, by dataset; they do not count.
        partial: the runs that their harness did not finish.
        subsets: of the datasets.
        judges: each with its judgments.
        releases: those that are installed, by name.
        groups: further views that are installed, such as those of the papers.
        kept: how many runs of each release have results that are up to date.
    """

    path: Path
    bytes: int
    facts: pl.DataFrame
    datasets: pl.DataFrame
    dropped: pl.DataFrame
    partial: pl.DataFrame
    subsets: pl.DataFrame
    judges: pl.DataFrame
    releases: Mapping[str, Installed]
    groups: tuple[str, ...]
    kept: tuple[Kept, ...]


def status_of(con: duckdb.DuckDBPyConnection, path: Path) -> Status:
    """The status of a warehouse that is open to be read."""
    session.use_release(con)
    here = install.installed(con)
    return Status(
        path=path,
        bytes=path.stat().st_size,
        facts=session.frame(con, "status_facts"),
        datasets=session.frame(con, "status_datasets"),
        dropped=session.frame(con, "status_dropped"),
        partial=session.frame(con, "status_partial"),
        subsets=session.frame(con, "subset_list"),
        judges=session.frame(con, "status_judges"),
        releases=here,
        groups=tuple(one for one in releases.GROUPS if install.installed_group(con, one)),
        kept=tuple(keeping.state(con, name) for name in here),
    )
