"""Where a query's time goes: the engine's profile as JSON, and a list of it that can be read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb

MOST = 40


def write(con: duckdb.DuckDBPyConnection, sql: str, path: Path) -> None:
    """Run a query once more under the profiler.

    Args:
        con: where.
        sql: the query.
        path: of the files, without an ending: .json is the engine's, .txt what is read from it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    ((_, text),) = con.execute(f"EXPLAIN (ANALYZE, FORMAT json) {sql}").fetchall()
    path.with_name(f"{path.name}.json").write_text(text, encoding="utf-8")
    readable = "\n".join(_lines(json.loads(text)))
    path.with_name(f"{path.name}.txt").write_text(f"{readable}\n", encoding="utf-8")


def _lines(profile: Mapping[str, Any]) -> Iterator[str]:
    """Totals, then the operators that took most; operators' seconds are summed over threads."""
    phases = {name: profile[name]["total_time"] for name in ("query", "planner", "optimizer")}
    yield ", ".join(f"{name} {seconds:.3f} s" for name, seconds in phases.items())
    yield (
        f"operators {profile['query']['cpu_time']:.3f} s of processor, "
        f"{profile['query']['total_rows_scanned']:,} rows scanned, "
        f"{profile['system']['peak_buffer_memory'] / 2**30:.2f} GiB of memory, "
        f"{profile['system']['peak_temp_dir_size'] / 2**30:.2f} GiB spilt"
    )
    found = sorted(_operators(profile["operator"]), key=lambda one: -one["timing"])
    yield f"{len(found):,} operators; the {min(MOST, len(found))} that took most:"
    total = sum(one["timing"] for one in found) or 1.0
    for one in found[:MOST]:
        about = " ".join(f"{name}: {value}" for name, value in one["extra_info"].items())
        yield (
            f"{one['timing']:10.3f} s {one['timing'] / total:6.1%} "
            f"{one['intermediate_rows']:>14,} rows  {one['type']}  {' '.join(about.split())[:300]}"
        )


def _operators(tree: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for operator in tree:
        yield operator
        yield from _operators(operator.get("children", []))
