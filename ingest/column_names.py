"""Columns that files call otherwise than we do: `--column`, remembered by benchmark."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

import duckdb

from ingest.reading.probe import Probe
from ingest.settings import Settings
from warehouse.errors import InputError, UsageError

_NOT_GIVEN = ("image",)
"""Read in a way of its own by this name."""


def parse(given: Iterable[str]) -> dict[str, str]:
    """`THEIRS=OURS[,THEIRS=OURS …]`, several times, as a mapping.

    Raises:
        UsageError: one is not written so, or a column is named twice.
    """
    found: dict[str, str] = {}
    for pair in (pair for words in given for pair in words.split(",")):
        theirs, equals, ours = (part.strip() for part in pair.partition("="))
        if not equals or not theirs or not ours:
            raise UsageError(f"--column {pair!r}: is written THEIRS=OURS, such as id=question_key")
        if theirs in found or ours in found.values():
            raise UsageError(f"--column {pair!r}: names a column for the second time")
        if ours in _NOT_GIVEN:
            raise UsageError(f"--column {pair!r}: {ours} cannot be said to be another column")
        found[theirs] = ours
    return found


def settled(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Probe:
    """The file with its columns under our names: as said now, or earlier for the same benchmark.

    Raises:
        InputError: it has none of the columns that were said, or one of our names already.
    """
    said = dict(settings.column) or _remembered(con, settings.benchmark)
    names = {theirs: ours for theirs, ours in said.items() if theirs in probe.columns}
    if settings.column and not names:
        raise InputError(
            probe.path,
            f"has no column {' or '.join(map(repr, said))}; it has {', '.join(probe.columns[:20])}",
        )
    for theirs, ours in list(names.items()):
        if ours in probe.columns and ours not in names:
            if settings.column:
                problem = f"{theirs} cannot be read as {ours}: it has both"
                raise InputError(probe.path, problem, row=0, field=ours)
            del names[theirs]
    if not names:
        return probe
    columns = tuple(names.get(name, name) for name in probe.columns)
    return replace(probe, columns=columns, called=probe.columns)


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
