"""Thousands of servers' replies, each a completion with something wrong: none is lost or paid for twice.

A seed is a warehouse, which has AT_ONCE replies.
"""

from __future__ import annotations

import copy
import gzip
import json
import random
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evalhouse import Warehouse
from evalhouse.judging import cache_of
from judge.cache import entries
from tests.fuzz import CHUNKS, N, seeds
from tests.judging import fill, judged, rows
from tests.raw_server import good, http, raw_server

AT_ONCE = 125
"""Replies to one warehouse."""
SECONDS = 280.0
"""None of the replies is slow: a call that waits for its timeout hung."""
TEXTS = [
    "B",
    "The answer is B",
    "",
    " ",
    "nothing",
    "B\0",
    "B \ud83d",
    "é – B",
    "A or B",
    "𝔅",
    "b" * 5000,
]
SCALARS: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    7,
    1.5,
    10**400,
    -(10**25),
    float("nan"),
    float("inf"),
    "",
    "B",
    "\0",
    "\ud800",
    "error",
    "null",
    [],
    {},
    [[]],
    [None],
    ["B"],
    {"text": "B"},
    {"": ""},
    {"error": "x"},
    [{"type": "text", "text": "B"}],
]


@dataclass(frozen=True)
class Reply:
    """What is sent; and what has to come of it, where that is certain.

    Attributes:
        sent: the whole HTTP response.
        body: its text, if a paid reply that is kept whole has to be this.
        reply: the text that has to be read; None: it is not known.
        is_paid: whether it is a paid reply, or a failed call; None: it may be either.
    """

    sent: bytes
    what: str
    body: str
    reply: str | None = None
    is_paid: bool | None = None


def fuzz_replies(numbers: Sequence[int], n: int, folder: Path) -> Counter[str]:
    """Put fuzzed replies through the client, from a server on this machine to the warehouse.

    Args:
        numbers: seeds, each of n replies to one warehouse.
        folder: for the warehouses; a failure leaves the one that shows it.

    Returns:
        how many replies came of each kind.

    Raises:
        AssertionError: one was lost, paid for twice, or cost somebody a random draw; it names the seed.
    """
    seen: Counter[str] = Counter()
    for seed in numbers:
        part = folder / f"seed_{seed}"
        part.mkdir()
        seen += _round(n, seed, part)
    return seen


def _round(n: int, seed: int, folder: Path) -> Counter[str]:
    pick = random.Random(seed)
    replies = {f"s{seed}_{number}": made(pick) for number in range(n)}
    said = {name: [f"#{name}"] for name in replies}
    house = fill(Warehouse(folder / "warehouse.duckdb"), {"m": said})
    begun = time.monotonic()
    with raw_server({name: reply.sent for name, reply in replies.items()}) as server:
        # So many at a time that failures in a row do not end the run.
        progress = judged(house, server, max_retries=2, timeout=300.0, concurrency=n, price=None)
        assert (progress.error, progress.stopped, progress.failed) == (None, None, 0), seed
        bodies: dict[str, Counter[str]] = {}
        for tag, body, _ in server.requests:
            bodies.setdefault(tag, Counter())[body] += 1
    assert time.monotonic() - begun < SECONDS, seed
    kept = {
        entry["request"]["prompt"]: entry
        for _, entry in entries(cache_of(house.path, None))
        if "request" in entry and entry["request"]["attempt"] == 0
    }
    found = rows(
        house,
        "SELECT j.prompt, p.state, j.reply, j.refusal, j.body, j.error FROM main.judgment AS j "
        "JOIN parsed_reply AS p USING (judgment_id) WHERE j.attempt = 0",
    )
    assert len(found) == n, seed
    first = {name: row for row in found for name in replies if f'#{name}"' in row[0]}
    seen: Counter[str] = Counter()
    for name, reply in replies.items():
        prompt, state, *stored = first[name]
        where = (name, reply.what, reply.sent[-300:], state, stored)
        # The first body of requests is that of attempt 0.
        times = next(iter(bodies[name].values()))
        assert times in (1, 2), where
        is_paid = times == 1
        assert reply.is_paid in (None, is_paid), where
        # Nothing is paid for twice: every further request is another attempt.
        assert all(count == 1 for count in list(bodies[name].values())[1:]), where
        assert stored[3] is None, where
        if is_paid:
            assert kept[prompt]["response"].get("body") == stored[2], where
            # It is kept: what is read of it, or all of it.
            if stored[2] is not None:
                assert stored[2] == reply.body, where
            elif reply.reply is not None:
                assert stored[0] == reply.reply, where
            if reply.reply is not None:
                assert stored[0] == reply.reply.encode("utf-8", "replace").decode(), where
        else:
            assert state == "ok", where
        seen[f"{'paid' if is_paid else 'failed'}: {reply.what}"] += 1
    # Random draws are for replies that came and say nothing, three times; the server says something.
    drawn = rows(
        house, "SELECT count(*) FROM pass_result WHERE judge <> 'none' AND resolved_by <> 'judge'"
    )
    assert drawn == [(0,)], seed
    return seen


def made(pick: random.Random) -> Reply:
    """One reply, with something wrong."""
    return pick.choice(KINDS)(pick)


def _text(body: object) -> str:
    return json.dumps(body)


def _paid(pick: random.Random, what: str, body: object, reply: str | None) -> Reply:
    text = _text(body)
    return Reply(_sent(pick, text.encode()), what, text, reply, True)


def _sent(pick: random.Random, content: bytes) -> bytes:
    """In any of the ways in which a whole reply can come."""
    kind = pick.choice(
        ["application/json", "text/plain", "", "text/html; charset=hex", "x", "text/event-stream"]
    )
    coding = pick.choice(["", "", "gzip", "deflate", "identity", "gzip, deflate", "chunked"])
    if coding == "chunked":
        head = f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n\r\n".encode()
        size = pick.randrange(1, len(content) + 2)
        parts = [content[at : at + size] for at in range(0, len(content), size)]
        return head + b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in parts) + b"0\r\n\r\n"
    if "gzip" in coding:
        content = gzip.compress(content)
    if "deflate" in coding:
        content = zlib.compress(
            content, wbits=pick.choice([15, -15]) if coding == "deflate" else 15
        )
    return http(content, *([f"content-encoding: {coding}"] if coding else []), kind=kind)


def clean(pick: random.Random) -> Reply:
    text = pick.choice(TEXTS)
    return _paid(pick, "clean", good(text), text)


def error_too(pick: random.Random) -> Reply:
    """Something else changed, dropped or added: the message is there."""
    text = pick.choice(TEXTS[:2])
    body = good(text)
    for _ in range(pick.randrange(1, 4)):
        # An error next to a text is for the view to judge; the text came.
        part = pick.choice([body, body["choices"][0], body["choices"][0]["message"]])
        name = pick.choice(
            [*(k for k in part if k not in ("choices", "message", "content")), "x", "error"]
        )
        if pick.random() < 0.3:
            part.pop(name, None)
        else:
            part[name] = copy.deepcopy(pick.choice(SCALARS))
    return _paid(pick, "error too", body, text)


def parts(pick: random.Random) -> Reply:
    texts = [pick.choice(["B", "is", " ", ""]) for _ in range(pick.randrange(1, 5))]
    content: list[Any] = [
        pick.choice(
            [
                one,
                {"type": "text", "text": one},
                {"text": one},
                {"type": "output_text", "text": one},
            ]
        )
        for one in texts
    ]
    for _ in range(pick.randrange(3)):
        content.insert(
            pick.randrange(len(content) + 1),
            pick.choice(
                [None, 1, {}, [], {"type": "thinking", "thinking": "C"}, {"type": "image"}]
            ),
        )
    return _paid(pick, "parts", good(content), "".join(texts))


def content(pick: random.Random) -> Reply:
    """A content of any type: it has a finish reason, so it was paid for."""
    return _paid(pick, "content", good(copy.deepcopy(pick.choice(SCALARS))), None)


def twice(pick: random.Random) -> Reply:
    text = _text(good("B")).replace(
        '"content": "B"', f'"content": {json.dumps(pick.choice(TEXTS))}, "content": "B"'
    )
    return Reply(_sent(pick, text.encode()), "twice", text, "B", True)


def damaged_choice(pick: random.Random) -> Reply:
    """No message in it: nothing that was paid for."""
    body = good("B")
    wrong = [
        value
        for value in SCALARS
        if not (isinstance(value, dict) and "text" in value) and value != ["B"]
    ]
    value = copy.deepcopy(pick.choice(wrong))
    if isinstance(value, list) and value and isinstance(value[0], dict) and "text" in value[0]:
        value = [None]
    at = pick.randrange(4)
    if at == 0:
        body["choices"] = value
    elif at == 1:
        body["choices"] = [value]
    elif at == 2:
        body["choices"][0]["message"] = None if isinstance(value, dict) else value
    else:
        del body[pick.choice(["choices"])]
        body["error"] = pick.choice(["busy", {"message": "busy"}, {"code": 503}, ["busy"], 1])
    text = _text(body)
    return Reply(_sent(pick, text.encode()), "no message", text, None, False)


def no_object(pick: random.Random) -> Reply:
    text = pick.choice(
        [
            "[]",
            '"B"',
            "7",
            "null",
            "true",
            "",
            " ",
            "{}",
            "NaN",
            "B",
            "<html>",
            "data: {}\n\n",
            "[{}]",
        ]
    )
    return Reply(_sent(pick, text.encode()), "no object", text, None, False)


def deep(pick: random.Random) -> Reply:
    depth = pick.choice([10, 100, 5_000, 200_000])
    pair = pick.choice(["[]", "{}"])
    inside = "[" * depth + "]" * depth if pair == "[]" else '{"a":' * depth + "1" + "}" * depth
    text = _text(good("B"))[:-1] + f', "x": {inside}}}'
    is_paid = depth <= 100
    return Reply(_sent(pick, text.encode()), "deep", text, "B" if is_paid else None, is_paid)


def encoded(pick: random.Random) -> Reply:
    text = json.dumps(good("B"), ensure_ascii=False)
    encoding = pick.choice(["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
    return Reply(_sent(pick, text.encode(encoding)), "encoded", text, "B", True)


def flipped(pick: random.Random) -> Reply:
    """Any byte of it another: it may still be a reply, and is either kept or sent again."""
    raw = bytearray(_text(good("B")).encode())
    for _ in range(pick.randrange(1, 4)):
        raw[pick.randrange(len(raw))] = pick.randrange(256)
    try:
        text = raw.decode()
    except ValueError:
        text = raw.decode("latin-1")
    return Reply(http(bytes(raw)), "flipped", text)


def cut(pick: random.Random) -> Reply:
    raw = _text(good("B")).encode()
    raw = raw[: pick.randrange(len(raw) - 1)]
    how = pick.randrange(3)
    if how == 0:
        sent = http(raw)
    elif how == 1:
        packed = gzip.compress(_text(good("B")).encode())
        sent = http(packed[: pick.randrange(len(packed) - 30)], "content-encoding: gzip")
    else:
        sent = f"HTTP/1.1 200 OK\r\ncontent-length: {len(raw) + 9}\r\n\r\n".encode() + raw
    return Reply(sent, "cut", "", None, False)


def broken_http(pick: random.Random) -> Reply:
    raw = bytearray(http(_text(good("B")).encode()))
    head = raw.index(b"\r\n\r\n")
    how = pick.randrange(3)
    if how == 0:
        del raw[pick.randrange(1, head) :]
    elif how == 1:
        raw[:12] = bytes(pick.randrange(256) for _ in range(12))
    else:
        raw[:0] = b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" * pick.randrange(50)
        return Reply(bytes(raw), "early hints", _text(good("B")), "B", True)
    return Reply(bytes(raw), "broken HTTP", "", None, False)


KINDS: list[Callable[[random.Random], Reply]] = [
    clean,
    error_too,
    error_too,
    error_too,
    parts,
    content,
    twice,
    damaged_choice,
    damaged_choice,
    no_object,
    deep,
    encoded,
    flipped,
    flipped,
    cut,
    broken_http,
]


@pytest.mark.slow
def test_a_few_replies(tmp_path: Path) -> None:
    seen = fuzz_replies([1], 60, tmp_path)
    assert {word.partition(":")[0] for word in seen} == {"paid", "failed"}


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_replies(tmp_path: Path, chunk: int) -> None:
    numbers = seeds(chunk, begin=1000, n=-(-N // AT_ONCE))
    seen = fuzz_replies(numbers, AT_ONCE, tmp_path)
    print(*(f"{number:6,} {word}" for word, number in sorted(seen.items())), sep="\n")
    assert seen.total() == AT_ONCE * len(numbers)
