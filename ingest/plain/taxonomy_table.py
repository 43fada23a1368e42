"""The taxonomy of a user's benchmark, where its question file does not say enough.

    level          such as skill; the levels from coarse to fine, in the order of the rows
    ability        the name; a parent stands before its children
    parent         the name of the ability above
    abbreviation   what tables print
    spellings      how question files write it, with ; between

Rows are in the order in which tables print the abilities. Ingested before the question file.
"""

from __future__ import annotations

from functools import partial

import duckdb

from ingest.adapter import Adapter, Place
from ingest.checks import refuse_empty, refuse_first
from ingest.facts.other_facts import Facts
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import statements, taxonomy
from warehouse.benchmark import Ability
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def load(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings, source_id: int
) -> list[str]:
    """Store the abilities; return what was loaded.

    Raises:
        InputError: a level or name is missing, an ability stands twice, a parent is unknown, or
            the benchmark has a taxonomy already.
    """
    if settings.benchmark is None:
        raise InputError(probe.path, "does not name its benchmark; give it with --benchmark NAME")
    for column in ("level", "ability"):
        refuse_empty(con, probe.path, f"trim(CAST({column} AS VARCHAR))", column)
    refuse_first(
        con,
        probe.path,
        _SQL["repeated"],
        "ability",
        lambda row: f"{row[1]} stands twice",
    )
    benchmark_id, name = taxonomy.ensure_benchmark(con, settings.benchmark, source_id=source_id)
    known = con.execute(
        "SELECT count(*) FROM main.ability WHERE benchmark_id = ?", [benchmark_id]
    ).fetchone()
    if known and known[0]:
        raise InputError(probe.path, f"{name} has a taxonomy already")
    columns = ", ".join(
        f"nullif(trim(CAST({column} AS VARCHAR)), '')" if probe.has(column) else "NULL"
        for column in ("level", "ability", "parent", "abbreviation", "spellings")
    )
    rows = con.execute(f"SELECT __row, {columns} FROM raw ORDER BY __row").fetchall()
    seen: dict[str, set[str]] = {}
    abilities = []
    for row, level, ability, parent, abbreviation, spellings in rows:
        above = [names for its_level, names in seen.items() if its_level != level]
        if parent is not None and not any(parent in names for names in above):
            raise InputError(
                probe.path, f"{parent!r} is no ability above this row", row=row, field="parent"
            )
        seen.setdefault(level, set()).add(ability)
        if len(seen) > 4 or level.lower() == "overall":
            raise InputError(
                probe.path,
                f"the level {level!r} cannot be: there are four at most, and overall is above all",
                row=row,
                field="level",
            )
        others = tuple(part.strip() for part in (spellings or "").split(";") if part.strip())
        abilities.append(Ability(level, ability, abbreviation or ability, parent, others))
    taxonomy.add_abilities(con, benchmark_id, abilities, source_id=source_id)
    return [f"{counted(len(abilities), 'ability', 'abilities')} of {name}"]


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage nothing; `load` stores the facts."""
    return Staged(facts=Facts(partial(load, con, probe, settings)))


ADAPTER = Adapter(
    name="taxonomy",
    version=1,
    description="abilities of a benchmark of your own: `level, ability, parent, abbreviation, spellings`",
    needs=("level", "ability"),
    accepts=lambda probe: not probe.has("question_key"),
    stage=stage,
    place=Place.CONVENTIONS,
)
