"""`kill -9` at moments of a command, and what is in the folder then."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing import connection as pipes
from pathlib import Path

import duckdb

from tests import steps
from tests.commands import Done, begin, ended, run

KILLS = int(os.environ.get("EVALHOUSE_KILLS", "20"))
"""Of each command."""
IN_A_ROW = 4
"""Kills of a command on what the one before it left; then it is let finish."""
_POLL = 0.001
_CLOCK = {
    "source.ingested_at",
    "run.retracted_at",
    "run_event.happened_at",
    "judge.retracted_at",
    "judge_event.happened_at",
    "judgment.judged_at",
    "judgment.latency_seconds",
    "schema_version.applied_at",
    "release.installed_at",
    "warehouse_identity.warehouse_uuid",
}
"""What is another value each time: of it counts only whether there is one."""
_BOARDS = ("ability_sum", "answered_ability", "subset_leaderboard")

Tree = Mapping[str, str]
"""What the files of a folder hold, by path: facts of a warehouse, replies of a cache, bytes of others."""


def facts(path: Path) -> str:
    """A hash of every row of every table of facts, in any order."""
    return _hash(path, "schema_name = 'main' AND NOT starts_with(table_name, 'kept_')")


def everything(path: Path) -> str:
    """A hash of every row of every table, and of every view and macro."""
    with duckdb.connect(str(path), read_only=True) as con:
        views = con.execute(
            "SELECT schema_name, view_name, sql FROM duckdb_views() WHERE NOT internal "
            "UNION ALL SELECT schema_name, function_name, macro_definition FROM duckdb_functions() "
            "WHERE NOT internal ORDER BY ALL"
        ).fetchall()
    return hashlib.sha256(repr((_hash(path, "true"), views)).encode()).hexdigest()


@dataclass(frozen=True)
class Case:
    """A command to kill.

    Attributes:
        words: the command.
        stages: what a warehouse may hold on the way, beside what it held before and holds after: the
            name of its file, and the hash of its facts.
        kept_whole: files that are there all or none; others each for itself.
        seen: what of a warehouse the command changes: its facts, or everything.
        again: exit codes of the command when it is given again after it has finished.
        kills: how often.
    """

    words: tuple[object, ...]
    stages: frozenset[tuple[str, str]] = frozenset()
    kept_whole: bool = False
    seen: Callable[[Path], str] = facts
    again: frozenset[int] = frozenset({0})
    kills: int = KILLS


@dataclass
class Found:
    """What was found after the kills of a command."""

    counts: Counter[str] = field(default_factory=Counter)
    strays: set[str] = field(default_factory=set)

    def told(self) -> str:
        """In one line."""
        return ", ".join(f"{n} {what}" for what, n in self.counts.items())


def kill_often(
    case: Case, base: Path, folder: Path, seed: int, look: Callable[[Path], None]
) -> Found:
    """Kill a command again and again, and hold what it leaves against before and after.

    Args:
        base: the folder in which it starts, copied each time.
        folder: where it runs; always the same, as facts name paths.
        seed: of the moments.
        look: given each warehouse that holds what none before it held.
    """
    chance, found = random.Random(seed), Found()
    reset(base, folder, case.words)
    before = tree(folder, case.seen)
    moments = Moments.of(case, folder)
    after = tree(folder, case.seen)
    assert before != after, "the command changes nothing"
    seen: set[str] = set()
    in_a_row = 0
    tries = 0
    reset(base, folder, case.words)
    while found.counts["kills"] < case.kills:
        tries += 1
        assert tries < 5 * case.kills, "it ends too early to be killed"
        done = one_life(case, folder, moments.one(chance, found.counts["kills"]))
        now = tree(folder, case.seen)
        held(case, before, after, now)
        if done is not None:
            # As every command now and then, this one was quicker than usual.
            assert done.code in {0} | case.again, done
        else:
            found.counts["kills"] += 1
            found.counts[_where(before, after, now)] += 1
            found.counts["left a log"] += any(folder.rglob("*.wal"))
            in_a_row += 1
        for name in (name for name in now if name.endswith(".duckdb")):
            whole = everything(folder / name)
            if whole not in seen:
                seen.add(whole)
                look(folder / name)
        if done is None and now != after and in_a_row < IN_A_ROW:
            continue
        done = run(*case.words, cwd=folder)
        assert done.code in ({0} if now != after else case.again), done
        assert "Traceback" not in done.err
        assert tree(folder, case.seen) == after, "given again, it ends elsewhere"
        found.strays |= {path.name for path in folder.rglob(".*")}
        in_a_row = 0
        reset(base, folder, case.words)
    return found


def held(case: Case, before: Tree, after: Tree, now: Tree) -> None:
    """Refuse what is neither before nor after."""
    if case.kept_whole:
        assert now in (before, after), sorted(now.items() ^ before.items())
    for name in now.keys() | before.keys() | after.keys():
        there = now.get(name)
        is_stage = (name, there) in case.stages
        assert is_stage or there in (before.get(name), after.get(name)), (name, there)


def _where(before: Tree, after: Tree, now: Tree) -> str:
    return "before" if now == before else "after" if now == after else "between"


def reset(base: Path, folder: Path, words: Sequence[object]) -> None:
    """Make the folder as the base is, as far as a command speaks of what is there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    spoken = [str(word).partition("/")[0] for word in words]
    spoken += [] if "--db" in spoken else ["warehouse.duckdb"]
    for path in base.iterdir():
        if any(path.name in (word, f"{word}.judge-cache") for word in spoken):
            (shutil.copytree if path.is_dir() else shutil.copy)(path, folder / path.name)


@dataclass(frozen=True)
class Moments:
    """What a command did when nobody killed it: seconds, changes seen from outside, steps."""

    seconds: float
    n_changes: int
    n_steps: int

    @classmethod
    def of(cls, case: Case, folder: Path) -> Moments:
        """Let it run to its end, twice as slowly as usual perhaps, and count."""
        with tempfile.TemporaryDirectory() as prints:
            count = Path(prints) / "count"
            env = {steps.COUNT: str(count)}
            process = begin(*case.words, cwd=folder, prints=Path(prints), env=env)
            started, n_changes, last = time.monotonic(), 0, _looks(folder)
            while not pipes.wait([process.sentinel], _POLL):
                looks = _looks(folder)
                n_changes += looks != last
                last = looks
            seconds = time.monotonic() - started
            process.join()
            done = ended(process, Path(prints))
            assert done.code == 0, done
            return cls(seconds, n_changes, int(count.read_text("ascii")))

    def one(self, chance: random.Random, n: int) -> Moment:
        """The n-th moment: by the clock, by a change, or by a step, in turn."""
        if n % 3 == 1 and self.n_changes:
            # Not only as it changes but also a moment later.
            return Moment(changes=chance.randint(1, self.n_changes), later=chance.uniform(0, 0.004))
        if n % 3 == 2 and self.n_steps:
            return Moment(step=chance.randint(1, self.n_steps))
        return Moment(later=chance.uniform(0, self.seconds))


@dataclass(frozen=True)
class Moment:
    """So many seconds after so many changes, or before a step."""

    later: float = 0.0
    changes: int = 0
    step: int | None = None


def one_life(case: Case, folder: Path, moment: Moment) -> Done | None:
    """Run a command and kill it at a moment; how it ended, if that was before."""
    with tempfile.TemporaryDirectory() as prints:
        env = {} if moment.step is None else {steps.DIE_AT: str(moment.step)}
        process = begin(*case.words, cwd=folder, prints=Path(prints), env=env)
        if moment.step is None:
            n, last, due = 0, _looks(folder), time.monotonic() + moment.later
            while not pipes.wait([process.sentinel], _POLL):
                if n < moment.changes:
                    looks = _looks(folder)
                    if looks == last:
                        continue
                    n, last, due = n + 1, looks, time.monotonic() + moment.later
                if n >= moment.changes and time.monotonic() >= due:
                    process.kill()
                    break
        process.join()
        done = ended(process, Path(prints))
        return None if done.code == -9 else done


def _looks(folder: Path) -> list[tuple[str, int, int]]:
    """Names, sizes and times of everything in a folder."""
    found = []
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                        found.append((entry.path, 0, 0))
                    else:
                        stat = entry.stat(follow_symlinks=False)
                        found.append((entry.path, stat.st_size, stat.st_mtime_ns))
        except FileNotFoundError:
            continue
    return found


def tree(folder: Path, seen: Callable[[Path], str] = facts) -> Tree:
    """What the files of a folder hold, but for those of unfinished work, which are hidden ones."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_dir() or any(part.startswith(".") for part in name.parts):
            continue
        if name.suffix == ".duckdb":
            found[str(name)] = seen(path)
        elif name.suffix == ".wal" or ".duckdb.tmp" in str(name):
            continue  # A part of the warehouse, and what the engine spills.
        elif ".judge-cache" in str(name):
            if name.name == "cache.db":
                found[str(name)] = replies(path)
        else:
            found[str(name)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def _hash(path: Path, which: str) -> str:
    with duckdb.connect(str(path), read_only=True) as con:
        columns: dict[str, list[str]] = {}
        for schema, table, column in con.execute(
            "SELECT schema_name, table_name, column_name FROM duckdb_columns() "
            "JOIN duckdb_tables() AS t USING (schema_name, table_name) "
            f"WHERE NOT t.internal AND {which} ORDER BY schema_name, table_name, column_index"
        ).fetchall():
            told = f"{column} IS NULL" if f"{table}.{column}" in _CLOCK else column
            columns.setdefault(f'"{schema}".{table}', []).append(told)
        queries = (
            f"SELECT '{table}', count(*), sum(CAST(hash({', '.join(told)}) AS HUGEINT)) FROM {table}"
            for table, told in columns.items()
        )
        rows = con.execute(" UNION ALL ".join(queries)).fetchall() if columns else []
    return hashlib.sha256(repr(sorted(rows)).encode()).hexdigest()


def replies(path: Path) -> str:
    """A hash of the replies of a cache."""
    with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=30) as con:
        try:
            rows = con.execute("SELECT key, value FROM Cache").fetchall()
        except sqlite3.OperationalError:
            rows = []  # Killed before it had a table.
    told: list[tuple[object, ...]] = []
    for key, value in rows:
        entry = json.loads(value)
        if not isinstance(entry, dict):
            # A claim. A batch's holds until it is dropped, a process' until that is gone.
            told += [(key, entry)] * entry.startswith("batch:")
            continue
        told.append((key, entry.get("request"), entry.get("response"), entry.get("template")))
    return hashlib.sha256(repr(sorted(told, key=repr)).encode()).hexdigest()


def look_at(path: Path, scratch: Path) -> None:
    """Refuse a warehouse that `check` refuses, or whose kept results are not what views compute."""
    done = run("evalhouse", "check", "--db", path, cwd=scratch)
    assert done.code == 0, done
    kept, live = boards(path, scratch)
    assert kept == live


def boards(path: Path, scratch: Path) -> tuple[list[object], list[object]]:
    """The rows of every release's boards with kept results, and without, of a copy."""
    copy = scratch / "copy.duckdb"
    shutil.copy(path, copy)
    log, its_log = (one.with_name(f"{one.name}.wal") for one in (path, copy))
    if log.exists():
        shutil.copy(log, its_log)
    try:
        with duckdb.connect(str(copy)) as con:
            releases = [name for (name,) in con.execute("SELECT name FROM main.release").fetchall()]
            kept = list(_rows(con, releases))
            for schema, table in con.execute(
                "SELECT schema_name, table_name FROM duckdb_tables() "
                "WHERE schema_name <> 'main' AND starts_with(table_name, 'kept_')"
            ).fetchall():
                con.execute(f'DELETE FROM "{schema}".{table}')
            return kept, list(_rows(con, releases))
    finally:
        copy.unlink()
        its_log.unlink(missing_ok=True)


def _rows(con: duckdb.DuckDBPyConnection, releases: Sequence[str]) -> Iterator[object]:
    for release in releases:
        for board in _BOARDS:
            yield sorted(map(repr, con.execute(f'SELECT * FROM "{release}".{board}').fetchall()))
