"""A server that allows so many calls in so much time: it is waited for, and nobody's answer is given up."""

from __future__ import annotations

import asyncio
import email.utils
import json
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from evalhouse import Warehouse
from judge import client
from judge.budget import Budget
from judge.client import Pause, asked_for
from tests.judging import JudgeServer, assigned, fill, rows, unclear
from tests.raw_server import good, http, in_thread

pytestmark = pytest.mark.slow


@dataclass
class Gate:
    """A server that answers `most` calls in any `seconds`, and tells the others when to come again."""

    most: int
    seconds: float
    status: str
    said: str
    """The header, with {left} for the seconds, {ms} for milliseconds and {date} for the time."""
    port: int = 0
    times: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                await reader.readexactly(int(head.split("content-length: ")[1].split("\r\n")[0]))
                writer.write(self.answer())
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def answer(self) -> bytes:
        now = time.monotonic()
        self.times.append(now)
        recent = [one for one in self.answered if one > now - self.seconds]
        if len(recent) < self.most:
            self.answered.append(now)
            return http(json.dumps(good("B")).encode())
        left = (recent[0] + self.seconds - now) if recent else self.seconds
        header = self.said.format(
            left=f"{left:.3f}",
            floor=math.floor(left),
            ms=math.ceil(1000 * left),
            date=email.utils.formatdate(math.ceil(time.time() + left), usegmt=True),
        )
        return http(b'{"error": {"message": "slow down"}}', header, status=self.status)


@contextmanager
def gate(
    most: int, seconds: float, said: str, status: str = "429 Too Many Requests"
) -> Iterator[Gate]:
    """In a thread of its own, for as long as the `with` lasts."""
    served = Gate(most, seconds, status, said)
    with in_thread(served):
        yield served


def judge(house: Warehouse, served: Gate, n: int, **settings: Any) -> Any:
    fill(house, {"m": unclear(n)})
    return assigned(house, JudgeServer(served.url, house.path), **settings).run(Budget())


@pytest.mark.parametrize(
    ("said", "status", "seconds", "tries"),
    [
        ("retry-after: {left}", "429 Too Many Requests", 0.6, 2),
        ("retry-after-ms: {ms}", "429 Too Many Requests", 0.6, 0),
        # Milliseconds say it better than the whole seconds beside them.
        ("retry-after-ms: {ms}\r\nretry-after: 9000", "429 Too Many Requests", 0.6, 0),
        ("retry-after: {date}", "429 Too Many Requests", 1.0, 0),
        ("Retry-After: {left}", "503 Service Unavailable", 0.6, 0),
        # Too early: it rounds down, and then says that nothing is to be waited for.
        ("retry-after: {floor}", "429 Too Many Requests", 1.2, 0),
    ],
)
def test_nothing_is_given_up(
    house: Warehouse, said: str, status: str, seconds: float, tries: int
) -> None:
    """22 answers, 4 calls at a time: waits are no tries, however few there are."""
    with gate(4, seconds, said, status) as served:
        progress = judge(house, served, 22, max_retries=tries, concurrency=16)
    assert (progress.asked, progress.failed, progress.stopped) == (22, 0, None)
    assert rows(house, "SELECT count(*), count(error) FROM main.judgment") == [(22, 0)]
    assert len(served.answered) == 22
    # Of sixteen at a time four get through, and twelve come again.
    at_most = 22 + 5 * 12 if "floor" not in said else 22 + 15 * 12
    assert 22 < len(served.times) <= at_most


def test_all_calls_pause_and_those_who_were_first_go_first(house: Warehouse) -> None:
    """Between two bursts no call is sent, and no call is put off much more often than others."""
    with gate(2, 0.5, "retry-after: {left}") as served:
        progress = judge(house, served, 20, max_retries=0, concurrency=10)
    assert (progress.asked, progress.failed) == (20, 0)
    bursts = [[served.times[0]]]
    for one in served.times[1:]:
        if one - bursts[-1][-1] > 0.25:
            bursts.append([])
        bursts[-1].append(one)
    assert len(bursts) >= 10
    assert max(len(burst) for burst in bursts) <= 2 * 10
    # In the pauses of others nobody else tried.
    for burst in bursts:
        assert burst[-1] - burst[0] < 0.25


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
def test_a_wait_that_is_absurd_is_said_and_not_waited(house: Warehouse, status: str) -> None:
    begun = time.monotonic()
    with gate(0, 1.0, "retry-after: 86400", status) as served:
        progress = judge(house, served, 3, concurrency=1)
    assert time.monotonic() - begun < 60
    assert (progress.asked, progress.failed) == (0, 3)
    assert len(served.times) == 3
    assert progress.first_failure == (
        f"HTTP {status[:3]}: slow down; it asks to wait 86,400 s, and no more than 300 s are waited"
    )


def test_a_server_that_never_answers_is_not_waited_for_for_ever(
    house: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "_LONGEST", 1.0)
    with gate(0, 0.1, "retry-after: 0.1") as served:
        progress = judge(house, served, 4, concurrency=4)
    assert (progress.asked, progress.failed) == (0, 4)
    assert "slow down; it asks to wait again and again, and has answered nothing for" in str(
        progress.first_failure
    )
    # Asked less and less often: at 0, 0.1, 0.6 and 1.6 s.
    assert len(served.times) <= 5 * 4


def test_what_is_no_wait_is_a_try(house: Warehouse) -> None:
    with gate(0, 1.0, "retry-after: soon") as served:
        progress = judge(house, served, 1, max_retries=1)
    assert progress.failed == 1
    assert len(served.times) == 2
    assert progress.first_failure == "HTTP 429: slow down"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "1e999"}, None),
        ({"retry-after": "tomorrow"}, None),
        ({"retry-after": "Wed, 99 Foo 99999 07:28:00 GMT"}, None),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after-ms": "?", "retry-after": "1"}, 1.0),
    ],
)
def test_the_forms_of_a_wait(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_for(headers) == seconds


@pytest.mark.parametrize("zone", ["GMT", "+0000", "-0000", ""])
def test_a_date_is_in_utc(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    time.tzset()
    try:
        date = email.utils.formatdate(time.time() + 100, usegmt=True).replace("GMT", zone).strip()
        assert asked_for({"retry-after": date}) == pytest.approx(100, abs=2)
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_call_that_is_always_put_off_while_others_are_answered() -> None:
    """It is what the server does not take, and no matter of how many there are."""

    async def slept(seconds: float) -> None:
        raise AssertionError

    paused = Pause(2, slept)
    for turns in range(20):
        assert paused.put_off(0.0, sent=time.monotonic(), turns=turns) is None
        paused.answered()
    reason = paused.put_off(0.0, sent=time.monotonic(), turns=20)
    assert reason == "it was put off 20 times, while other calls had their turn"
