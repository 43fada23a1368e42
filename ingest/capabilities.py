"""MM-Vet's abilities: each capability that a question needs, and their combination."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from ingest.reading.raw import literal
from ingest.sample import Ability


def listed(written: Iterable[str], field: str) -> tuple[Ability, ...]:
    """The abilities of a question that lists its capabilities."""
    names = sorted({name.lower().strip() for name in written} - {""})
    capabilities = [Ability("capability", name, field) for name in names]
    return (*capabilities, *([Ability("integration", "_".join(names), field)] if names else ()))


def stage(
    con: duckdb.DuckDBPyConnection,
    source: str,
    place: str,
    written: str,
    field: str,
    *,
    integrations: bool = True,
) -> None:
    """Stage the capabilities and the integration of each row.

    Args:
        source: what stands after FROM.
        place: SQL for row, split and question_key.
        written: SQL for the list of capabilities as the file writes them.
        field: what the file calls them.
        integrations: whether the benchmark has a level of their combinations.
    """
    names = f"list_distinct(list_transform({written}, lambda name: lower(trim(name))))"
    listed = f"list_sort(list_filter({names}, lambda name: name <> ''))"
    levels = {
        "capability": f"unnest({listed})",
        "integration": f"nullif(array_to_string({listed}, '_'), '')",
    }
    if not integrations:
        del levels["integration"]
    for level, spelling in levels.items():
        cells = f"SELECT {place}, 0, '{level}', {literal(field)}, {spelling} AS name FROM {source}"
        con.execute(f"INSERT INTO stage_ability SELECT * FROM ({cells}) WHERE name IS NOT NULL")
