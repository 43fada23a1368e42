"""Columns that files call otherwise than we do: `--column`, remembered by benchmark."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import duckdb

from ingest.plain import aliases
from ingest.plain.aliases import Aliased
from ingest.reading.probe import Probe
from ingest.settings import Settings
from warehouse.errors import InputError


def readings(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings
) -> Iterator[tuple[Probe, Aliased | None, tuple[str, ...]]]:
    """What the file's columns may mean, with notes; the first that a format fits counts.

    What --column says now comes first; then the file's own names; then what was said of earlier files of the same
    benchmark; then the names that we know tables of people's own to have.

    Raises:
        InputError: what --column says now cannot be.
    """
    if settings.column:
        yield from _as_said(probe, settings.column)
        return
    yield probe, None, ()
    remembered = _remembered(con, settings.benchmark)
    kept = {
        theirs: ours
        for theirs, ours in remembered.items()
        if theirs in probe.columns and (ours not in probe.columns or ours in remembered)
    }
    if kept:
        said = aliases.renamed(probe, kept)
        words = ", ".join(f"{theirs} is {ours}" for theirs, ours in kept.items())
        notes = (f"columns, as --column said of {settings.benchmark} before: {words}",)
        yield said, None, notes
        yield from _aliased(said, notes)
    yield from _aliased(probe, ())


def _as_said(
    probe: Probe, column: Mapping[str, str]
) -> Iterator[tuple[Probe, Aliased | None, tuple[str, ...]]]:
    """The same with what --column says now, and else as if it did not: it may be for other files."""
    words = ", ".join(f"{theirs}={ours}" for theirs, ours in column.items())
    names = {theirs: ours for theirs, ours in column.items() if theirs in probe.columns}
    taken = [ours for ours in names.values() if ours in probe.columns and ours not in names]
    if names and not taken:
        said = aliases.renamed(probe, names)
        yield said, None, ()
        yield from _aliased(said, ())
    notes = (f"--column {words} is not applied: the file is read without it",)
    yield probe, None, notes
    for ours in taken:
        theirs = next(name for name in names if names[name] == ours)
        problem = f"{theirs} cannot be read as {ours}: it has both"
        raise InputError(probe.path, problem, row=0, field=ours)
    more = [] if names else list(_aliased(probe, notes))
    # What --column names is not to be guessed.
    yield from (
        one
        for one in more
        if set(column.values()).isdisjoint(set(one[0].columns) - set(probe.columns))
    )


def _aliased(
    probe: Probe, notes: tuple[str, ...]
) -> Iterator[tuple[Probe, Aliased | None, tuple[str, ...]]]:
    if (found := aliases.of(probe)) is not None:
        yield found.probe, found, (*notes, *found.notes)


def _remembered(con: duckdb.DuckDBPyConnection, benchmark: str | None) -> Mapping[str, str]:
    """What files of a benchmark called our columns; of several that say it, the last."""
    if benchmark is None:
        return {}
    rows = con.execute(
        "SELECT flags FROM main.source WHERE contains(flags, '\"column\":') ORDER BY source_id"
    ).fetchall()
    found: dict[str, str] = {}
    for (flags,) in rows:
        read = json.loads(flags)
        given = read.get("given") or {}
        names = {str(of.get("benchmark") or "").lower() for of in (read, given)}
        if benchmark.lower() in names:
            found |= given.get("column") or {}
    return found
