"""`kill -9` of `judge`, fifty times: what was paid for is kept, and is not paid for again."""

from __future__ import annotations

import json
import random
import re
import sqlite3
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pytest

from evalhouse import Warehouse
from tests.judging import JudgeServer, command, fill, finished, opens, rows, serving, unclear
from tests.killing import SHARE, boards

KILLS = max(10, round(50 * SHARE))
SUBJECTS = 500
CONNECTIONS = 16
LATENCY = 0.2
_TAG = re.compile(r"#(\d+)")


@dataclass
class Watch:
    """What was found after the kills so far.

    Attributes:
        in_flight: kills that came while the server was answering.
        before_the_merge: kills after which the cache had replies that the warehouse had not.
        acknowledged: tags of replies in the cache, with the requests that there had been by then.
        lost: requests of each killed process whose reply is not in the cache.
        paid_again: what was sent again although its reply was in the cache.
    """

    in_flight: int = 0
    before_the_merge: int = 0
    acknowledged: dict[str, int] = field(default_factory=dict)
    lost: list[int] = field(default_factory=list)
    paid_again: set[str] = field(default_factory=set)
    _n_requests: int = 0

    def look(self, house: Warehouse, cache: Path, server: JudgeServer, noted: bytes) -> None:
        """After a kill, at which the server had noted so much. It goes on answering for a moment."""
        self.in_flight += noted.count(b'"request"') > noted.count(b'"replied"')
        now = cached(cache)
        assert opens(house.path)
        self.before_the_merge += bool(now - merged(house.path))
        assert waited(lambda: len(server.lines("replied")) == len(server), 10)
        sent = server.by_tag()
        self.paid_again |= {tag for tag, n in self.acknowledged.items() if sent[tag] > n}
        new = now - self.acknowledged.keys()
        self.lost.append(sent.total() - self._n_requests - len(new))
        self.acknowledged |= {tag: sent[tag] for tag in new}
        self._n_requests = sent.total()


def cached(cache: Path) -> set[str]:
    """Tags of the replies that are in the cache: acknowledged, whatever becomes of the process."""
    if not (cache / "cache.db").exists():
        return set()
    with sqlite3.connect(f"{(cache / 'cache.db').as_uri()}?mode=ro", uri=True, timeout=30) as con:
        try:
            values = con.execute("SELECT value FROM Cache").fetchall()
        except sqlite3.OperationalError:
            return set()  # killed before it had a table
    entries = [json.loads(value) for (value,) in values]
    return {
        _TAG.search(entry["request"]["prompt"])[1]  # type: ignore[index]
        for entry in entries
        if "request" in entry
    }


def merged(path: Path) -> set[str]:
    """Tags of the judgments that are in the warehouse."""
    with duckdb.connect(str(path), read_only=True) as con:
        prompts = con.execute("SELECT prompt FROM main.judgment").fetchall()
    return {_TAG.search(prompt)[1] for (prompt,) in prompts}  # type: ignore[index]


def waited(until: Callable[[], bool], seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not until():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def one_life(process: subprocess.Popen[str], server: JudgeServer, seconds: float | None) -> bytes:
    """Kill a command so long after its first request; None: while it still starts.

    Returns what the server had noted by then.
    """
    before = server.log.stat().st_size
    try:
        if seconds is None:
            time.sleep(1.0)
        else:
            assert waited(lambda: server.log.stat().st_size > before, 60), process.poll()
            time.sleep(seconds)
        assert process.poll() is None
        process.kill()
        return server.log.read_bytes()
    finally:
        process.kill()
        process.communicate()


@pytest.mark.kills
def test_kills_while_it_judges(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    house = fill(Warehouse(tmp_path / "warehouse.duckdb"), {"m": unclear(SUBJECTS)})
    # What is kept from before must not hold once there are judgments.
    assert house.refresh().n_fresh == 1
    cache = tmp_path / "warehouse.duckdb.judge-cache"
    chance = random.Random(20240609)
    watch = Watch()
    with serving(tmp_path, latency=LATENCY) as server:
        words = (
            "judge", "--model", "j", "--base-url", server.url, "--concurrency", CONNECTIONS, "--timeout", 10,
        )  # fmt: skip
        for life in range(KILLS):
            moment = None if life % 17 == 5 else chance.uniform(0.0, 0.3)
            noted = one_life(command(*words, cwd=tmp_path), server, moment)
            watch.look(house, cache, server, noted)
        code, out, err = finished(command(*words, cwd=tmp_path), timeout=240)
        assert (code, err) == (0, ""), out
        requests = server.by_tag()
    found = {
        "kills with calls in flight": watch.in_flight,
        "kills between cache and merge": watch.before_the_merge,
        "subjects judged by processes that were killed": len(watch.acknowledged),
        "requests repeated": requests.total() - SUBJECTS,
        "most of them in one kill": max(watch.lost),
    }
    for name, number in found.items():
        print(f"{name}: {number}")
        record_property(name, number)
    # Every subject is judged, and stored once.
    assert set(requests) == {str(n) for n in range(SUBJECTS)}
    assert rows(house, "SELECT count(*), count(DISTINCT subject_hash) FROM main.judgment") == [
        (SUBJECTS, SUBJECTS)
    ]
    assert rows(house, "SELECT count(*) FROM judge_todo") == [(0,)]
    assert opens(house.path)
    # Nothing that had been acknowledged was paid for again, and of the rest no more than was in flight.
    assert watch.paid_again == set()
    assert {tag: n for tag, n in watch.acknowledged.items() if requests[tag] > n} == {}
    assert max(watch.lost) <= CONNECTIONS
    assert requests.total() - SUBJECTS == sum(watch.lost)
    kept, live = boards(house.path, tmp_path)
    assert kept == live
    record_property("kills", {
        "command": "judge", "kills": KILLS, "before": "", "between": watch.in_flight, "after": "",
        "replies lost": len(watch.acknowledged.keys() - set(requests)), "paid twice": len(watch.paid_again),
    })  # fmt: skip
    # The kills hit where it hurts.
    assert watch.in_flight >= 0.8 * KILLS
    if KILLS >= 50:
        # Of fewer chance may let none fall there.
        assert watch.before_the_merge >= 5
