"""From the cache into the warehouse: replies become judgments, each once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from judge import entry as entries
from judge.cache import Replies
from judge.claims import Claims
from judge.request import judge_of
from warehouse import connection, identity, judges, sources
from warehouse.connection import transaction
from warehouse.errors import EvalhouseError, FullDiskError
from warehouse.files.json_cache import CacheError
from warehouse.judges import Judge
from warehouse.judgment import Judgment

_AT_A_TIME = 2_000


def identity_of(path: Path, *, wait: float) -> str:
    """The uuid of a warehouse file."""
    con = connection.open_for_reading(path, wait=wait)
    try:
        return identity.of(con)
    finally:
        con.close()


def into_warehouse(
    path: Path,
    cache: Path,
    found: Mapping[str, Mapping[str, Any]],
    failures: Sequence[tuple[Judge, Judgment]] = (),
    *,
    wait: float,
) -> int:
    """Store cache entries and failed calls as judgments; return how many were new.

    The warehouse is open for as long as this takes. Entries of judges that it does not know
    register them.

    Raises:
        BusyError: another process holds the warehouse.
        EvalhouseError: it cannot be written.
    """
    if not found and not failures:
        return 0
    con = connection.open_for_writing(path, wait=wait)
    try:
        with transaction(con):
            source_id = source_of(con, cache)
            warehouse = identity.of(con)
            n_new = 0
            for judge, of_judge in _by_judge(cache, found, failures, warehouse):
                name = judges.find_same(con, judge) or judges.free_name(con, judge.name)
                judge_id = judges.register(con, judge.named(name), source_id=source_id)
                n_new += judges.store(con, judge_id, of_judge, source_id=source_id)
        return n_new
    except (duckdb.Error, FullDiskError) as error:
        raise EvalhouseError(
            f"{path}: judgments cannot be stored: {connection.first_line(error)}. "
            f"Replies are kept in {cache}; the next command merges them."
        ) from error
    finally:
        con.close()


def recover(path: Path, replies: Replies, claims: Claims, *, wait: float) -> int:
    """Merge what this warehouse paid for and has not got: a process died in between.

    Raises:
        BusyError: another process holds the warehouse.
    """
    con = connection.open_for_reading(path, wait=wait)
    try:
        warehouse = identity.of(con)
        keys, last = replies.tagged_since(warehouse, claims.merged_up_to(warehouse))
        missing = _missing(con, keys)
    finally:
        con.close()
    n_new = 0
    for start in range(0, len(missing), _AT_A_TIME):
        found = replies.get(missing[start : start + _AT_A_TIME])
        n_new += into_warehouse(path, replies.directory, found, wait=wait)
    claims.set_merged_up_to(warehouse, last)
    return n_new


def source_of(con: duckdb.DuckDBPyConnection, cache: Path) -> int:
    """The source that judgments of a cache directory have: the directory, once."""
    rows = con.execute(
        "SELECT source_id FROM main.source WHERE format = 'judge_cache' AND path = ?", [str(cache)]
    ).fetchall()
    if rows:
        return int(rows[0][0])
    return sources.add(con, sources.Source(str(cache), "-", 0, "judge_cache", 1, {}, 0))


def _missing(con: duckdb.DuckDBPyConnection, keys: Sequence[str]) -> list[str]:
    if not keys:
        return []
    known = {
        key
        for (key,) in con.execute(
            "SELECT request_key FROM main.judgment WHERE error IS NULL AND request_key IS NOT NULL"
        ).fetchall()
    }
    return [key for key in keys if key not in known]


def _by_judge(
    cache: Path,
    found: Mapping[str, Mapping[str, Any]],
    failures: Iterable[tuple[Judge, Judgment]],
    warehouse: str,
) -> Iterable[tuple[Judge, list[Judgment]]]:
    grouped: dict[str, tuple[Judge, list[Judgment]]] = {}
    for key, entry in found.items():
        if "request" not in entry:
            continue  # a template
        problem = entries.unfit(entry)
        if problem is not None:
            raise CacheError(f"{cache}, key {key}: {problem}")
        judge = judge_of(entry["request"], str(entry["request"]["model"]))
        judgment = entries.to_judgment(key, entry, warehouse=warehouse)
        grouped.setdefault(judge.fingerprint, (judge, []))[1].append(judgment)
    for judge, judgment in failures:
        grouped.setdefault(judge.fingerprint, (judge, []))[1].append(judgment)
    return grouped.values()
