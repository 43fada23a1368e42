"""Verifying a warehouse file: what the engine does not enforce, the views, and results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import duckdb

from evalhouse import blank
from queries import definitions, install
from queries.results import refresh as keeping
from warehouse import connection
from warehouse.check import Finding, own_objects, run_checks
from warehouse.errors import EvalhouseError

_T = TypeVar("_T")
_MOST_RUNS = 10
"""So many are named."""


@dataclass(frozen=True)
class Checked:
    """What came of all checks; `own` are things in the schema main that are no part of evalhouse."""

    findings: tuple[Finding, ...]
    own: tuple[str, ...]

    @property
    def is_ok(self) -> bool:
        """Whether no check found anything."""
        return not any(finding.n for finding in self.findings)


def check(
    path: Path, *, wait: float = 0, found: Callable[[Finding], None] = lambda finding: None
) -> Checked:
    """Run every check of a warehouse file.

    Args:
        path: the file.
        wait: seconds to wait while another process holds it.
        found: callback, called with each finding as it is found.

    Raises:
        EvalhouseError: there is no such warehouse, or it cannot be opened.
    """
    # Opened as it is: what every other command reads first may be what is damaged.
    with (
        closing(connection.open_for_reading(path, wait=wait)) as con,
        connection.errors_naming(path),
    ):
        findings = []
        for finding in _findings(con):
            found(finding)
            findings.append(finding)
        return Checked(tuple(findings), own_objects(con))


def _findings(con: duckdb.DuckDBPyConnection) -> Iterator[Finding]:
    """Every check. One that meets what cannot be read says so in place of its rows."""
    yield from run_checks(con)
    yield _definitions(con)
    about = "a release's results"
    here = _or_why(partial(install.installed, con))
    if isinstance(here, str):
        yield Finding("results", about, 1, (here,))
        return
    for name in here:
        check = f"results of {name}"
        try:
            changed = _or_why(partial(keeping.changed_by_hand, con, name))
        except keeping.OlderInstallationError:
            continue
        if isinstance(changed, str):
            yield Finding(check, about, 1, (changed,))
            continue
        yield Finding(
            check,
            "runs whose facts or judgments were changed by hand after they were computed "
            f"(`evalhouse refresh --verify --release {name}` computes them anew)",
            len(changed),
            changed[:_MOST_RUNS],
        )
        yield _doubled(con, name)


def _doubled(con: duckdb.DuckDBPyConnection, name: str) -> Finding:
    check = f"rows of {name}"
    try:
        found = _or_why(partial(keeping.doubled, con, name))
    except EvalhouseError as error:
        # Somebody wrote something else into the table of definitions.
        found = str(error)
    if isinstance(found, str):
        return Finding(check, "what a release's results have once", 1, (found,))
    return Finding(
        check,
        "A result has two rows of one key (`evalhouse refresh --drop` and `evalhouse refresh` make them anew)",
        sum(n for _, n, _ in found),
        tuple(f"{view}: {first}" for view, _, first in found),
    )


def _definitions(con: duckdb.DuckDBPyConnection) -> Finding:
    changed = _or_why(partial(definitions.changed, con, blank.path()))
    if isinstance(changed, str):
        return Finding("definitions", "what a release says of its views", 1, (changed,))
    names = [f"{schema}.{name}" for schema, names in changed.items() for name in names]
    return Finding(
        "definitions",
        "A view, macro or table of a release is not what its release says (`evalhouse releases install "
        "RELEASE` puts it right)",
        len(names),
        tuple(names),
    )


def _or_why(check: Callable[[], _T]) -> _T | str:
    """What a check finds, or why it cannot: a damaged file still gets every other check."""
    try:
        return check()
    except (duckdb.OutOfMemoryException, duckdb.InterruptException):
        raise
    except duckdb.Error as error:
        return f"cannot be checked: {connection.first_line(error)}"
