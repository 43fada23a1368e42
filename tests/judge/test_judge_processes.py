"""Several processes, a busy file, and Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from evalhouse import Warehouse
from evalhouse.judging import cache_of
from judge import runner, unmerged
from judge.budget import Budget
from judge.cache import Replies
from judge.claims import Claims
from judge.job import Progress
from tests.judging import (
    MODEL,
    JudgeServer,
    assigned,
    command,
    fill,
    finished,
    held,
    judged,
    judgments,
    opens,
    rows,
    serving,
    unclear,
)
from warehouse.errors import BusyError
from warehouse.files.json_cache import CacheError

pytestmark = pytest.mark.long


def who(key: str) -> str:
    """How the server's log shows a key."""
    return sha256(key.encode()).hexdigest()[:8]


@contextmanager
def both(first: subprocess.Popen[str], second: subprocess.Popen[str]) -> Iterator[None]:
    try:
        yield
    finally:
        for process in (first, second):
            process.kill()
            process.wait()


@pytest.mark.parametrize("n_warehouses", [1, 2])
def test_two_processes_pay_for_no_request_twice(
    make_house: Callable[[str], Warehouse], tmp_path: Path, n_warehouses: int
) -> None:
    """On one warehouse, and on two that share a cache: they divide the work between them."""
    n = 1000 if n_warehouses == 1 else 300
    houses = [fill(make_house(f"h{i}"), {"m": unclear(n)}) for i in range(n_warehouses)]
    if n_warehouses == 2:
        with houses[1].writing() as con:  # the fixture's warehouses are copies of one
            con.execute("UPDATE main.warehouse_identity SET warehouse_uuid = 'other'")
    for house in houses:
        assigned(house, None)  # so that neither waits for the other to be enrolled
    cache = tmp_path / "cache"
    with serving(tmp_path, latency=0.15) as server:
        words = ("judge", "--model", MODEL, "--base-url", server.url, "--cache", cache)
        running = [
            command(
                *words, "--db", houses[i % n_warehouses].path, "--wait", 60,
                cwd=tmp_path, OPENAI_API_KEY=f"key-of-process-{i}",
            )
            for i in range(2)
        ]  # fmt: skip
        with both(*running):
            ends = [finished(process) for process in running]
        assert [code for code, _, _ in ends] == [0, 0], ends
        requests = server.lines()
    shares = Counter(line["who"] for line in requests)
    times = {
        name: [line["t"] for line in requests if line["who"] == name]
        for name in (who("key-of-process-0"), who("key-of-process-1"))
    }
    overlap = min(max(t) for t in times.values()) - max(min(t) for t in times.values())
    print(f"shares {dict(shares)}, {overlap:.1f} s together")
    assert len(requests) == n
    assert Counter(line["digest"] for line in requests).most_common(1)[0][1] == 1
    if n_warehouses == 1:
        assert min(shares.values()) >= 0.3 * n
    assert overlap > 0
    for house in houses:
        assert rows(house, "SELECT count(*), count(DISTINCT request_key) FROM main.judgment") == [
            (n, n)
        ]
    if n_warehouses == 2:
        paid = [
            rows(house, "SELECT count(*) FROM main.judgment WHERE origin = 'call'")[0][0]
            for house in houses
        ]
        assert sum(paid) == n
        assert sorted(paid) == sorted(shares.values())


def test_a_subject_that_another_process_asks_about_is_waited_for(
    house: Warehouse, server: JudgeServer
) -> None:
    """Until its reply is there, or the other one gives it up."""
    fill(house, {"m": unclear(2)})
    found = assigned(house, server)
    one, two = found.requests()
    cache = cache_of(house.path, None)
    with closing(Replies(cache)), Claims(cache) as other:
        assert len(other.claim([one.key, two.key])) == 2

        def give_up() -> None:
            time.sleep(1.0)
            other.release([one.key, two.key])

        thread = threading.Thread(target=give_up)
        begun = time.monotonic()
        thread.start()
        progress = found.run(Budget())
        thread.join()
    assert (progress.asked, len(server)) == (2, 2)
    assert time.monotonic() - begun > 1.0
    assert min(line["t"] for line in server.lines()) > 0


def test_a_busy_warehouse_does_not_stop_the_judging(
    house: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Replies go on into the cache, which is said; the next command merges them."""
    monkeypatch.setattr(runner, "BUSY_SECONDS", 0.5)
    monkeypatch.setattr(unmerged, "BUSY_SECONDS", 0.5)
    monkeypatch.setattr(unmerged, "_MERGE_REPLIES", 20)
    monkeypatch.setattr(unmerged, "_SHORT_SECONDS", 0.1)
    fill(house, {"m": unclear(60)})
    with serving(tmp_path, latency=0.1) as server:
        found = assigned(house, server, concurrency=4)
        holding: list[Any] = []

        def look(progress: Progress) -> None:
            if progress.asked >= 5 and not holding:
                holder = held(house.path)
                holder.__enter__()
                holding.append(holder)

        try:
            progress = found.run(Budget(), look)
        finally:
            for holder in holding:
                holder.__exit__(None, None, None)
        assert progress.asked == len(server) == 60
        assert progress.unmerged > 0
        assert progress.error is None
        (note,) = progress.notes
        assert "in use by" in note
        assert "the next command merges them" in note
        assert len(judgments(house)) < 60
        after = judged(house, None, offline=True)
        assert after.recovered + after.cached == progress.unmerged
        assert len(judgments(house)) == 60
        assert len(server) == 60


def test_a_warehouse_that_is_busy_when_the_next_wave_is_planned(
    house: Warehouse, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What came is reported and kept; it ends with the reason."""
    fill(house, {"m": unclear(3)})
    found = assigned(house, server)
    plan, calls = runner._Run._plan, []

    def busy_later(self: runner._Run) -> Any:
        calls.append(1)
        if len(calls) > 1:
            raise BusyError("in use")
        return plan(self)

    monkeypatch.setattr(runner._Run, "_plan", busy_later)
    progress = found.run(Budget())
    assert (progress.asked, str(progress.error)) == (3, "in use")
    assert len(judgments(house)) == 3


def test_a_failure_while_feeding_waits_for_what_is_in_flight(
    house: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With more to feed than there is room in the queue, which no worker empties any more."""
    fill(house, {"m": unclear(200)})
    with serving(tmp_path, latency=0.2) as server:
        get, calls = Replies.get, []

        def fail_later(self: Replies, keys: Any) -> Any:
            calls.append(1)
            if len(calls) > 4:
                raise CacheError("the cache is gone")
            return get(self, keys)

        found = assigned(house, server, concurrency=4)
        monkeypatch.setattr(Replies, "get", fail_later)
        progress = found.run(Budget())
        assert str(progress.error) == "the cache is gone"
        assert progress.asked == len(server) == len(judgments(house)) > 0


def test_a_fault_of_our_own_ends_the_run_and_hangs_nowhere(
    house: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(house, {"m": unclear(200)})
    with serving(tmp_path, latency=0.2) as server:

        async def broken(self: runner._Run, answers: Any) -> None:
            raise AssertionError("a fault")

        monkeypatch.setattr(runner._Run, "_keep", broken)
        with pytest.raises(ExceptionGroup):
            judged(house, server, concurrency=4)
        assert len(server) < 20


# --- Ctrl-C


def interrupted(process: subprocess.Popen[str], server: JudgeServer, n: int) -> None:
    """Ctrl-C once the server has seen so many requests."""
    end = time.monotonic() + 60
    while len(server) < n:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)


def test_ctrl_c_keeps_what_is_in_flight(house: Warehouse, tmp_path: Path) -> None:
    fill(house, {"m": unclear(200)})
    with serving(tmp_path, latency=0.5) as server:
        words = ("judge", "--model", MODEL, "--base-url", server.url, "--concurrency", 8)
        process = command(*words, cwd=tmp_path)
        interrupted(process, server, 12)
        code, out, err = finished(process)
        assert code == 130, out + err
        assert "what was in flight is kept" in err
        assert "Traceback" not in err
        n = len(server)
        assert 12 <= n < 200
        assert len(judgments(house)) == n
        assert f"{n} asked" in out
        with Claims(cache_of(house.path, None)) as claims:
            assert [k for k in claims._store.iterkeys() if not k.startswith("merged:")] == []
        # The same command goes on.
        assert judged(house, server).asked == 200 - n
        assert set(server.by_tag().values()) == {1}


def test_a_second_ctrl_c_does_not_wait(house: Warehouse, tmp_path: Path) -> None:
    """What had arrived is in the cache all the same."""
    fill(
        house,
        {"m": unclear(40) | {str(n): [f"fault=timeout cannot tell #{n}"] for n in range(8, 16)}},
    )
    with serving(tmp_path) as server:
        words = ("judge", "--model", MODEL, "--base-url", server.url, "--concurrency", 16)
        process = command(*words, cwd=tmp_path)
        interrupted(process, server, 40)
        time.sleep(0.5)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        code, _, err = finished(process)
        # The server would have answered after 20 seconds.
        assert time.monotonic() - begun < 8
        assert code == 130, err
        assert "Traceback" not in err
        after = judged(house, None, offline=True)
        assert len(judgments(house)) == 32
        assert len(after.missing) == 8


def test_ctrl_c_in_a_pause_that_the_server_asked_for(house: Warehouse, tmp_path: Path) -> None:
    fill(house, {"m": unclear(4, "fault=429_wait")})
    with serving(tmp_path) as server:
        words = ("judge", "--model", MODEL, "--base-url", server.url, "--max-retries", 60)
        process = command(*words, cwd=tmp_path)
        interrupted(process, server, 4)
        begun = time.monotonic()
        code, _, err = finished(process)
        assert code == 130, err
        assert time.monotonic() - begun < 8
    assert opens(house.path)
    # It was nobody's fault, so nothing failed.
    assert rows(house, "SELECT count(*) FROM main.judgment") == [(0,)]
