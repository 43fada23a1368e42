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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import connection as pipes
from pathlib import Path

import duckdb

from queries import install
from queries.results import refresh as keeping
from tests.commands import Done, run
from tests.results import rows_of_results
from tests.steps import begin, ended, taken
from warehouse import connection

SHARE = float(os.environ.get("EVALHOUSE_KILLS", "1"))
"""Of the kills; less for a first look."""
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
_KNOWN: dict[str, Content] = {}
"""By the bytes of a warehouse and its log."""
_LOOKED_AT: set[str] = set()
"""What boards were compared for already: equal rows have equal boards."""

Tree = Mapping[str, str]
"""What the files of a folder hold, by path: facts of a warehouse, replies of a cache, bytes of others."""


@dataclass(frozen=True)
class Content:
    """What a warehouse holds, as hashes of every row, in any order.

    Attributes:
        facts: of the tables of facts.
        all: of all tables, also those of kept results and of which views there are.
    """

    facts: str
    all: str


@dataclass(frozen=True)
class Case:
    """A command to kill.

    Attributes:
        words: the command.
        stages: what a warehouse may hold on the way, in addition to what it held before and holds after: the
            name of its file, and the hash of its facts.
        kept_whole: files that are there all or none; others each for itself.
        everything: whether the command changes more of a warehouse than facts.
        again: exit codes of the command when it is given again after it has finished.
        remedy: what an error says to do first where the command was killed; by default nothing has to be done.
        kills: how often.
    """

    words: tuple[object, ...]
    stages: frozenset[tuple[str, str]] = frozenset()
    kept_whole: bool = False
    everything: bool = False
    again: frozenset[int] = frozenset({0})
    remedy: tuple[object, ...] = ()
    kills: int = 12


def kill_often(
    case: Case, base: Path, folder: Path, seed: int, look: Callable[[Path], None]
) -> Counter[str]:
    """Kill a command again and again, and hold what it leaves against before and after.

    Args:
        base: the folder in which it starts, copied each time.
        folder: where it runs; always the same, as facts name paths.
        seed: of the moments.
        look: given each warehouse that holds what none before it held.

    Returns:
        how many kills there were, and what they left.
    """
    chance, found = random.Random(seed), Counter[str]()
    reset(base, folder, case.words)
    before = tree(folder, everything=case.everything)
    moments = Moments.of(case, folder)
    after = tree(folder, everything=case.everything)
    assert before != after, "the command changes nothing"
    _again(case, folder, after, finished=True)
    in_a_row = 0
    tries = 0
    reset(base, folder, case.words)
    while found["kills"] < case.kills * SHARE:
        tries += 1
        assert tries < 5 * case.kills, "it ends too early to be killed"
        done = one_life(case, folder, moments.one(chance, found["kills"]))
        now = tree(folder, everything=case.everything)
        held(case, before, after, now)
        if done is not None:
            # As every command now and then, this one was quicker than usual.
            assert done.code in {0} | case.again, done
        else:
            found["kills"] += 1
            found[_where(before, after, now)] += 1
            found["left a log"] += any(folder.rglob("*.wal"))
            found["left an unfinished file"] += any(folder.rglob(".*"))
            in_a_row += 1
        for name in (name for name in now if name.endswith(".duckdb")):
            whole = content_of(folder / name).all
            if whole not in _LOOKED_AT:
                _LOOKED_AT.add(whole)
                look(folder / name)
        if done is None and now != after and in_a_row < IN_A_ROW:
            continue
        _again(case, folder, after, finished=now == after)
        in_a_row = 0
        reset(base, folder, case.words)
    return found


def _again(case: Case, folder: Path, after: Tree, *, finished: bool) -> None:
    """Give a command again, after one that had finished or was killed before."""
    done = run(*case.words, cwd=folder)
    if case.remedy and done.code and not finished:
        assert " ".join(map(str, case.remedy)) in done.err
        assert run(*case.remedy, cwd=folder).code == 0
        done = run(*case.words, cwd=folder)
    assert done.code in (case.again if finished else {0}), done
    assert "Traceback" not in done.err
    assert tree(folder, everything=case.everything) == after, "given again, it ends elsewhere"


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
            process = begin(*case.words, cwd=folder, prints=Path(prints))
            started, n_changes, last = time.monotonic(), 0, _looks(folder)
            while not pipes.wait([process.sentinel], _POLL):
                looks = _looks(folder)
                n_changes += looks != last
                last = looks
            seconds = time.monotonic() - started
            done = ended(process, Path(prints))
            assert done.code == 0, done
            return cls(seconds, n_changes, taken(Path(prints)))

    def one(self, chance: random.Random, n: int) -> Moment:
        """The n-th moment: by the clock, by a change, or by a step, in turn."""
        if n % 3 == 1 and self.n_changes:
            # Not only as it changes but also a moment later.
            return Moment(changes=chance.randint(1, self.n_changes), later=chance.uniform(0, 0.004))
        if n in (2, 5) and self.n_steps:
            # The last one, which for most is after the deed, and the first one, which is before: of a command
            # that goes on for long after it has stored its facts, chance alone may find no moment before.
            return Moment(step=self.n_steps if n == 2 else 1)
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
        process = begin(*case.words, cwd=folder, prints=Path(prints), die_at=moment.step)
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


def tree(folder: Path, *, everything: bool = False) -> Tree:
    """What the files of a folder hold, except those of unfinished work, which are hidden ones."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_dir() or any(part.startswith(".") for part in name.parts):
            continue
        if name.suffix == ".duckdb":
            content = content_of(path)
            found[str(name)] = content.all if everything else content.facts
        elif name.suffix == ".wal" or ".duckdb.tmp" in str(name):
            continue  # A part of the warehouse, and what the engine spills.
        elif ".judge-cache" in str(name):
            if name.name == "cache.db" and (paid := replies(path)):
                found[str(name)] = _digest(paid)
        else:
            found[str(name)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def content_of(path: Path) -> Content:
    """What a warehouse holds, with what its log holds."""
    log = path.with_name(f"{path.name}.wal")
    stored = hashlib.sha256(path.read_bytes())
    stored.update(log.read_bytes() if log.exists() else b"")
    key = stored.hexdigest()
    if key not in _KNOWN:
        _KNOWN[key] = _content(path)
    return _KNOWN[key]


def _content(path: Path) -> Content:
    with duckdb.connect(str(path), read_only=True) as con:
        facts, more = [], []
        for schema, table in con.execute(
            "SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal"
        ).fetchall():
            name = f'"{schema}".{table}'
            columns = [
                f'"{column}" IS NULL' if f"{table}.{column}" in _CLOCK else f'"{column}"'
                for column, *_ in con.execute(f"DESCRIBE {name}").fetchall()
            ]
            (facts if schema == "main" else more).append(
                f"SELECT '{schema}.{table}', count(*), sum(CAST(hash({', '.join(columns)}) AS HUGEINT)) FROM {name}"
            )
        of_facts, of_more = (
            sorted(con.execute(" UNION ALL ".join(queries)).fetchall()) if queries else []
            for queries in (facts, more)
        )
    return Content(*(_digest(rows) for rows in (of_facts, of_facts + of_more)))


def _digest(rows: object) -> str:
    return hashlib.sha256(repr(rows).encode()).hexdigest()


def replies(path: Path) -> list[tuple[object, ...]]:
    """The replies of a cache, or what batches of one are out."""
    with sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=30) as con:
        try:
            rows = con.execute("SELECT key, value FROM Cache ORDER BY key").fetchall()
        except sqlite3.OperationalError:
            rows = []  # Killed before it had a table.
    found: list[tuple[object, ...]] = []
    for key, value in rows:
        entry = json.loads(value)
        if isinstance(entry, dict):
            # Else it is a template, which costs nothing.
            if "request" in entry:
                found.append((key, entry["request"], entry.get("response")))
        elif isinstance(entry, str) and entry.startswith("batch:"):
            # A batch's claim holds until it is dropped, a process' until that is gone.
            found.append((key, entry))
    return found


def look_at(path: Path, scratch: Path) -> None:
    """Refuse a warehouse that `check` refuses, or whose kept results are not what views compute."""
    done = run("evalhouse", "check", "--db", path, cwd=scratch)
    assert done.code == 0, done
    kept, live = boards(path, scratch)
    assert kept == live


def boards(path: Path, scratch: Path) -> tuple[list[object], list[object]]:
    """The rows of each release's results of runs that are not out of date, as they are and computed anew."""
    copy = scratch / "copy.duckdb"
    shutil.copy(path, copy)
    log, its_log = (one.with_name(f"{one.name}.wal") for one in (path, copy))
    if log.exists():
        shutil.copy(log, its_log)
    found: tuple[list[object], list[object]] = ([], [])
    try:
        with connection.open_for_writing(copy) as con:
            for release in install.installed(con):
                if keeping.is_of_now(con, release):
                    stale = keeping.stale(con, release)
                    for rows, one in zip(found, rows_of_results(con, release, stale), strict=True):
                        rows.append(one)
            return found
    finally:
        copy.unlink()
        its_log.unlink(missing_ok=True)
