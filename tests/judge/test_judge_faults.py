"""A server that misbehaves: nothing is lost, nothing is sent in vain, and no key gets out."""

from __future__ import annotations

import json
import socket
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from evalhouse import Warehouse
from judge import price
from judge.budget import Budget
from judge.job import Progress
from tests.houses import QuickHouse
from tests.judge_server import BIG_REPLY
from tests.judging import (
    KEY,
    JudgeServer,
    command,
    fill,
    finished,
    judged,
    rows,
    serving,
    unclear,
)

ONCE = [
    "429", "429_wait", "429_date", "429_nodate", "429_negative", "429_nan", "429_zero", "408", "409", "500",
    "502", "timeout", "dropped", "reset", "broken_json", "html", "deep", "odd_error", "drip_for_ever",
    "no_choices", "null_choices",
]  # fmt: skip
"""What goes wrong on a call's first try, and right on the second."""
UNUSABLE = {
    "null_content": "unparsable",
    "unparsable": "unparsable",
    "refusal": "refused",
    "filtered": "refused",
    "400_filter": "refused",
    "truncated": "truncated",
}
"""Replies without a verdict; the next attempt has one."""
READ = ["big", "other_model", "no_usage", "drip", "half_a_pair", "echo_key"]
"""Odd replies that have a verdict."""
FAILED = {"400": 1, "429_long": 1, "400_key": 1}
"""What stays an error, and the calls that it takes."""


@dataclass
class Storm:
    """One run against all of that."""

    house: Warehouse
    folder: Path
    progress: Progress
    requests: Counter[str]
    seconds: float


@pytest.fixture(scope="module")
def storm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Storm]:
    folder = tmp_path_factory.mktemp("storm")
    said = {
        f"{name}": [f"fault={name}{often} #f_{name}"]
        for often, names in (("*1", ONCE), ("~1", UNUSABLE), ("", READ), ("", FAILED))
        for name in names
    }
    said |= {"always_500": ["fault=500 #f_always_500"], "calm": ["#f_calm"]}
    house = fill(QuickHouse(folder / "warehouse.duckdb"), {"m": said})
    with pytest.MonkeyPatch.context() as patch, serving(folder) as server:
        patch.setenv("OPENAI_API_KEY", KEY)
        begun = time.monotonic()
        # Twice the concurrency, so that the failures in a row are not many enough to stop the run.
        progress = judged(
            house, server, timeout=4.0, max_retries=2, price=None, concurrency=len(said)
        )
        seconds = time.monotonic() - begun
        requests = Counter({tag.removeprefix("f_"): n for tag, n in server.by_tag().items()})
        yield Storm(house, folder, progress, requests, seconds)


def of(storm: Storm, name: str) -> list[tuple[Any, ...]]:
    return rows(
        storm.house,
        "SELECT j.attempt, p.state, p.verdict, j.reply, j.error, j.refusal FROM main.judgment AS j "
        "JOIN parsed_reply AS p USING (judgment_id) WHERE j.prompt LIKE '%#f\\_' || ? || '\"%' ESCAPE '\\' "
        "ORDER BY j.judgment_id",
        name,
    )


@pytest.mark.long
class TestStorm:
    def test_it_was_survived(self, storm: Storm) -> None:
        assert storm.progress.stopped is None
        assert storm.progress.error is None
        assert storm.progress.failed == len(FAILED) + 1
        # The pauses that servers ask for, and timeouts, are waited for side by side.
        assert storm.seconds < 60

    @pytest.mark.parametrize("name", ONCE)
    def test_asked_again_until_it_answers(self, storm: Storm, name: str) -> None:
        (judgment,) = of(storm, name)
        assert judgment[:2] == (0, "ok")
        assert storm.requests[name] == 2

    @pytest.mark.parametrize(("name", "state"), UNUSABLE.items())
    def test_an_unusable_reply_is_stored_and_the_schedule_goes_on(
        self, storm: Storm, name: str, state: str
    ) -> None:
        first, second = of(storm, name)
        assert first[:3] == (0, state, None)
        assert second[:2] == (1, "ok")
        assert storm.requests[name] == 2

    @pytest.mark.parametrize("name", READ)
    def test_an_odd_reply_is_read(self, storm: Storm, name: str) -> None:
        (judgment,) = of(storm, name)
        assert judgment[:3] == (0, "ok", "B")
        assert storm.requests[name] == 1

    @pytest.mark.parametrize(("name", "calls"), FAILED.items())
    def test_an_error_is_stored_as_one(self, storm: Storm, name: str, calls: int) -> None:
        (judgment,) = of(storm, name)
        assert judgment[:4] == (0, "failed", None, None)
        assert judgment[4].startswith(f"HTTP {name[:3]}: ")
        assert storm.requests[name] == calls

    def test_tries_are_bounded(self, storm: Storm) -> None:
        (judgment,) = of(storm, "always_500")
        assert judgment[1] == "failed"
        assert "HTTP 500: internal error" in judgment[4]
        assert storm.requests["always_500"] == 3

    def test_what_the_server_said_is_verbatim(self, storm: Storm) -> None:
        assert of(storm, "big")[0][3] == BIG_REPLY
        assert len(BIG_REPLY) > 100_000
        assert of(storm, "unparsable")[0][3] == "I would rather not say"
        assert of(storm, "truncated")[0][3] == "The answer, as far as"
        assert of(storm, "refusal")[0][3:] == (None, None, "I cannot help with that.")
        # Half of a surrogate pair can be spelt in JSON, and stored nowhere.
        assert of(storm, "half_a_pair")[0][3] == "B ?"

    def test_who_answered_and_what_it_took_is_stored(self, storm: Storm) -> None:
        stored = rows(
            storm.house,
            "SELECT returned_model, finish_reason, prompt_tokens, completion_tokens, "
            "latency_seconds > 0, judged_at IS NOT NULL, attempt, origin, cost_usd, asked_run_id "
            "FROM main.judgment WHERE prompt LIKE '%other\\_model%' ESCAPE '\\'",
        )
        assert stored == [("some-other-model", "stop", 400, 2, True, True, 0, "call", None, 1)]
        assert storm.progress.other_models == {"some-other-model": 1, "m?": 1}
        (usage,) = rows(
            storm.house,
            "SELECT prompt_tokens, completion_tokens, cost_usd FROM main.judgment "
            "WHERE prompt LIKE '%no\\_usage%' ESCAPE '\\'",
        )
        assert usage == (None, None, None)

    def test_nothing_is_needed_any_more_but_what_failed(self, storm: Storm) -> None:
        left = rows(storm.house, "SELECT prediction FROM judge_todo ORDER BY 1")
        names = sorted([*FAILED, "always_500"])
        assert [p.split("#f_")[1] for (p,) in left] == names
        assert rows(storm.house, "SELECT count(*) FROM verdict WHERE state = 'ok'") == [
            (len(ONCE) + len(UNUSABLE) + len(READ) + 1,)
        ]

    def test_a_large_reply_stands_in_the_synced_database(self, storm: Storm) -> None:
        cache = storm.folder / "warehouse.duckdb.judge-cache"
        files = {path.name for path in cache.iterdir()}
        assert files <= {"cache.db", "cache.db-wal", "cache.db-shm", "reserve", "claims"}

    def test_the_key_is_nowhere(self, storm: Storm) -> None:
        (echoed,) = of(storm, "echo_key")
        assert echoed[3] == "B, and your key is [key]"
        assert "your key is [key]" in of(storm, "400_key")[0][4]
        assert KEY not in repr(storm.progress)
        assert hits(storm.folder, KEY) == []
        assert hits(storm.folder, "your key is [key]") != []  # such a search would find it


def hits(folder: Path, text: str) -> list[Path]:
    """The files under a folder in which a text stands."""
    return [p for p in folder.rglob("*") if p.is_file() and text.encode() in p.read_bytes()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("401", "HTTP 401: Incorrect API key provided: [key]"),
        ("404", "HTTP 404: The model does not exist"),
        ("quota", "HTTP 429: You exceeded your current quota"),
    ],
)
def test_a_fatal_answer_stops_at_once(
    house: Warehouse, server: JudgeServer, monkeypatch: pytest.MonkeyPatch, fault: str, message: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    fill(house, {"m": unclear(60, f"fault={fault}")})
    progress = judged(house, server, concurrency=4)
    assert str(progress.error) == message
    assert progress.stopped == message
    assert len(server) <= 4
    # It says nothing about any subject, so none of them failed.
    assert rows(house, "SELECT count(*) FROM main.judgment") == [(0,)]
    assert hits(house.path.parent, KEY) == []


@pytest.mark.slow
def test_the_key_is_in_no_message_of_the_command(
    house: Warehouse, server: JudgeServer, tmp_path: Path
) -> None:
    fill(house, {"m": unclear(3, "fault=401")})
    words = ("judge", "--model", "m", "--base-url", server.url)
    code, out, err = finished(command(*words, cwd=tmp_path))
    assert (code, err.strip()) == (1, "error: HTTP 401: Incorrect API key provided: [key]")
    assert KEY not in out + err
    # A key that the HTTP library would refuse, and repeat in its error message.
    code, out, err = finished(command(*words, cwd=tmp_path, OPENAI_API_KEY=f"{KEY}\x01"))
    assert (code, out) == (2, f"m (choice_extraction): 0 asked, 0 from the cache; ${0:.4f}\n")
    assert "OPENAI_API_KEY holds characters that no key has" in err
    assert hits(tmp_path, KEY) == []


def test_a_dead_server_ends_the_run(house: Warehouse) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    fill(house, {"m": unclear(100)})
    dead = JudgeServer(url, house.path)
    progress = judged(house, dead, max_retries=0, concurrency=4)
    assert "calls in a row came to nothing" in str(progress.error)
    assert "the connection failed" in str(progress.error)
    assert 20 <= progress.failed < 30


@pytest.mark.slow
def test_a_pause_that_one_call_is_asked_for_holds_for_all(
    house: Warehouse, server: JudgeServer
) -> None:
    """Else fifteen other connections go on storming the server."""
    fill(house, {"m": unclear(6) | {"0": ["fault=429_wait*1 #0"]}})
    judged(house, server, concurrency=1)
    times = [line["t"] for line in server.lines()]
    assert len(times) == 7
    assert max(b - a for a, b in pairwise(times)) >= 0.95


def test_unknown_usage_counts_as_the_most_it_can_have_cost(
    house: Warehouse, server: JudgeServer
) -> None:
    fill(house, {"m": unclear(10, "fault=no_usage")})
    budget = Budget(max_cost=0.01)
    progress = judged(house, server, budget, price=price.parse("1,1"), max_cost=0.01, concurrency=2)
    assert "--max-cost 0.01" in str(progress.error)
    assert 0 < len(server) < 10
    assert 0 < budget.spent <= 0.01
    assert progress.spent == 0.0


@pytest.mark.slow
def test_the_servers_log_has_who_asked(house: Warehouse, server: JudgeServer) -> None:
    """Other tests tell processes apart by it."""
    fill(house, {"m": unclear(1)})
    judged(house, server)
    (request,), (reply,) = server.lines(), server.lines("replied")
    assert json.dumps(request["who"]) == json.dumps(reply["who"])
    assert (request["tag"], request["n"]) == ("0", 1)
