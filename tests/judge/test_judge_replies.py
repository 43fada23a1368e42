"""What servers send under HTTP 200: what is a reply is kept, whatever its shape; what is none is sent again."""

from __future__ import annotations

import asyncio
import gzip
import json
import sys
import time
import tracemalloc
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

import pytest

from tests.houses import QuickHouse

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from evalhouse import Warehouse
from evalhouse.judging import cache_of
from judge.client import MOST_BYTES, BoundedClient, OversizedError, UnpackingError
from judge.job import Progress
from tests.judging import KEY, command, fill, finished, judged, rows, unclear
from tests.raw_server import RawServer, good, http, raw_server

MESSAGE = {"role": "assistant"}
BOMB_BLOCK = 2**20


def choice(message: object = None, **more: Any) -> dict[str, Any]:
    return {"index": 0, **({} if message is None else {"message": message}), **more}


def wire(body: object, *headers: str, **more: str) -> bytes:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return http(content, *headers, **more)


def bomb(gigabytes: int) -> bytes:
    """A gzip stream of so many gigabytes of spaces, made of one small block over and over."""
    pack = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = pack.compress(b" " * BOMB_BLOCK) + pack.flush(zlib.Z_FULL_FLUSH)
    again = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = again.compress(b" " * BOMB_BLOCK) + again.flush(zlib.Z_FULL_FLUSH)
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + first + block * (gigabytes * 1024) + b"\x03\0"


FAILED: dict[str, bytes] = {
    "error_object": wire({"error": {"message": "overloaded", "type": "server_error"}}),
    "error_text": wire({"error": "overloaded"}),
    "error_and_choices": wire({"error": {"message": "x"}, "choices": None}),
    "error_in_choice": wire({"choices": [choice({**MESSAGE, "content": None}, error={"code": 502})]}),
    "error_finish": wire(good(None, finish_reason="error")),
    "error_in_list": wire([{"error": {"code": 503, "message": "busy"}}]),
    "object_error": wire({"object": "error", "message": "no GPU", "code": 500}),
    "choices_null": wire(good("B", choices=None)),
    "choices_empty": wire(good("B", choices=[])),
    "choices_missing": wire({"id": "x", "model": "judge-1", "usage": {"prompt_tokens": 4}}),
    "choices_object": wire(good("B", choices={"0": choice({"content": "B"})})),
    "choices_text": wire(good("B", choices="B")),
    "choice_null": wire(good("B", choices=[None])),
    "no_message": wire(good("B", choices=[choice(finish_reason="stop")])),
    "message_null": wire(good("B", choices=[{"message": None}])),
    "message_text": wire(good("B", choices=[{"message": "B"}])),
    "message_empty": wire({"choices": [{"message": {}}]}),
    "nothing_generated": wire(
        {"choices": [choice({**MESSAGE, "content": None})], "usage": {"completion_tokens": 0}}
    ),
    "other_content": wire({"content": []}),
    "other_candidates": wire({"candidates": [{"content": {}}]}),
    "other_output": wire({"output": [1, {"type": "error"}], "status": "failed"}),
    "other_message": wire({"message": {"content": ""}, "done": False}),
    "a_list": wire([good("B")]),
    "a_number": wire(7),
    "a_text": wire("B"),
    "null": wire(b"null"),
    "nothing": wire(b""),
    "blank": wire(b" \n"),
    "html": wire(b"<html>proxy</html>", kind="text/html"),
    "streamed": wire(
        b'data: {"choices": [{"delta": {"content": "B"}}]}\n\ndata: [DONE]\n\n', kind="text/event-stream"
    ),
    "cut": wire(json.dumps(good("B")).encode()[:-9]),
    "deep": wire(b'{"choices": ' + b"[" * 90_000 + b"]" * 90_000 + b"}"),
    "cut_gzip": wire(gzip.compress(json.dumps(good("B")).encode())[:-40], "content-encoding: gzip"),
    "damaged_gzip": wire(b"\x1f\x8b\x08\0" + json.dumps(good("B")).encode(), "content-encoding: gzip"),
    "brotli": wire(good("B"), "content-encoding: br"),
    "no_content": b"HTTP/1.1 204 No Content\r\n\r\n",
    "garbage_status": b"HTTP/1.1 abc\r\n\r\n",
    "garbage_header": b"HTTP/1.1 200 OK\r\n\x00\xff: \x01\r\ncontent-length: 2\r\n\r\n{}",
    "huge_header": b"HTTP/1.1 200 OK\r\nx: " + b"y" * 300_000 + b"\r\n\r\n",
    "not_http": b"SSH-2.0-OpenSSH_9.6\r\n",
    "closed": b"",
    "cut_chunk": b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"cho",
    "bad_chunk": b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n",
    "short_body": b"HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{}",
    "bad_length": b"HTTP/1.1 200 OK\r\ncontent-length: -4\r\n\r\n{}",
}  # fmt: skip
"""What is no reply: kept as a failed call's error, sent again, and never an attempt."""

PARTS = [{"type": "text", "text": "The answer "}, {"type": "text", "text": "is B"}]
PAID: dict[str, tuple[bytes, str | None, str, bool]] = {
    "plain": (wire(good("B")), "B", "ok", False),
    "text_plain": (wire(good("B"), kind="text/plain"), "B", "ok", False),
    "no_type": (wire(good("B"), kind=""), "B", "ok", False),
    "odd_charset": (wire(good("B"), kind="text/html; charset=hex"), "B", "ok", False),
    "bom": (wire(b"\xef\xbb\xbf" + json.dumps(good("B")).encode()), "B", "ok", False),
    "utf_16": (wire(json.dumps(good("B")).encode("utf-16")), "B", "ok", False),
    "latin_1": (
        wire(json.dumps(good("B – né"), ensure_ascii=False).replace("–", "-").encode("latin-1")),
        "B - né",
        "ok",
        False,
    ),
    "gzip": (
        wire(gzip.compress(json.dumps(good("B")).encode()), "content-encoding: gzip"),
        "B",
        "ok",
        False,
    ),
    "deflate": (
        wire(zlib.compress(json.dumps(good("B")).encode()), "content-encoding: deflate"),
        "B",
        "ok",
        False,
    ),
    "raw_deflate": (
        wire(zlib.compress(json.dumps(good("B")).encode(), wbits=-15), "content-encoding: deflate"),
        "B",
        "ok",
        False,
    ),
    "twice": (
        wire(
            zlib.compress(gzip.compress(json.dumps(good("B")).encode())),
            "content-encoding: gzip, deflate",
        ),
        "B",
        "ok",
        False,
    ),
    "unpacked_gzip": (wire(good("B"), "content-encoding: gzip"), "B", "ok", False),
    "zstd": (
        wire(zstd.compress(json.dumps(good("B")).encode()), "content-encoding: zstd"),
        "B",
        "ok",
        False,
    ),
    "parts": (wire(good(PARTS)), "The answer is B", "ok", True),
    "part_texts": (wire(good(["The answer ", "is B"])), "The answer is B", "ok", True),
    "thoughts_and_text": (
        wire(good([{"type": "thinking", "thinking": "A?"}, *PARTS])),
        "The answer is B",
        "ok",
        True,
    ),
    "refusal_part": (wire(good([{"type": "refusal", "refusal": "no"}])), None, "refused", True),
    "pictures": (
        wire(good([{"type": "image_url", "image_url": {"url": "x"}}])),
        None,
        "unread",
        True,
    ),
    "object": (wire(good({"answer": "B"})), None, "unread", True),
    "object_text": (wire(good({"type": "text", "text": "B"})), "B", "ok", True),
    "number": (wire(good(2)), None, "unread", True),
    "thoughts": (
        wire(
            good("x", choices=[choice({**MESSAGE, "content": "B", "reasoning_content": "I think"})])
        ),
        "B",
        "ok",
        True,
    ),
    "only_thoughts": (
        wire(
            good(
                "x",
                choices=[
                    choice(
                        {**MESSAGE, "content": None, "reasoning_content": "B"}, finish_reason="stop"
                    )
                ],
            )
        ),
        None,
        "unread",
        True,
    ),
    "thoughts_cut": (
        wire(
            good(
                "x",
                choices=[
                    choice(
                        {**MESSAGE, "content": None, "reasoning_content": "B"},
                        finish_reason="length",
                    )
                ],
            )
        ),
        None,
        "truncated",
        True,
    ),
    "tool_calls": (
        wire(
            good(
                "x",
                choices=[
                    choice(
                        {**MESSAGE, "content": None, "tool_calls": [{"id": "1"}]},
                        finish_reason="tool_calls",
                    )
                ],
            )
        ),
        None,
        "unread",
        True,
    ),
    "null_content": (wire(good(None)), None, "unparsable", False),
    "empty_content": (wire(good("")), "", "unparsable", False),
    "filtered": (wire(good(None, finish_reason="content_filter")), None, "refused", False),
    "refusal": (wire(good(None, refusal="I cannot")), None, "refused", False),
    "error_beside": (wire(good("B", error={"message": "late"})), "B", "ok", True),
    "two_choices": (
        wire(good("B", choices=[choice({"content": "B"}), choice({"content": "C"})])),
        "B",
        "ok",
        True,
    ),
    "other_choice": (wire(good("B", choices=[None, choice({"content": "B"})])), "B", "ok", True),
    "legacy": (
        wire({"choices": [{"text": "B", "finish_reason": "stop"}], "model": "judge-1"}),
        "B",
        "ok",
        True,
    ),
    "responses": (
        wire(
            {
                "output": [
                    {"type": "reasoning", "summary": []},
                    {"type": "message", "content": [{"type": "output_text", "text": "B"}]},
                ],
                "status": "completed",
                "usage": {"input_tokens": 4, "output_tokens": 1},
            }
        ),
        "B",
        "ok",
        True,
    ),
    "output_text": (wire({"output_text": "B"}), "B", "ok", True),
    "anthropic": (
        wire(
            {
                "type": "message",
                "content": [{"type": "text", "text": "B"}],
                "stop_reason": "end_turn",
            }
        ),
        "B",
        "ok",
        True,
    ),
    "anthropic_cut": (
        wire({"content": [{"type": "text", "text": "So"}], "stop_reason": "max_tokens"}),
        "So",
        "truncated",
        True,
    ),
    "gemini": (
        wire(
            {
                "candidates": [{"content": {"parts": [{"text": "B"}]}, "finishReason": "STOP"}],
                "modelVersion": "judge-1",
            }
        ),
        "B",
        "ok",
        True,
    ),
    "gemini_blocked": (wire({"candidates": [{"finishReason": "SAFETY"}]}), None, "refused", True),
    "ollama": (
        wire({"model": "judge-1", "message": {"role": "assistant", "content": "B"}, "done": True}),
        "B",
        "ok",
        True,
    ),
    "ollama_generate": (wire({"model": "judge-1", "response": "B", "done": True}), "B", "ok", True),
    "huge_number": (
        wire(json.dumps(good("B")).replace('"created": 1', '"created": 1' + "0" * 5000).encode()),
        "B",
        "ok",
        False,
    ),
    "nan": (wire(json.dumps(good("B")).replace("400", "NaN").encode()), "B", "ok", True),
    "nul": (wire(good("B \0")), "B \0", "ok", False),
    "half_a_pair": (wire(good("B \ud83d")), "B ?", "ok", True),
    "content_twice": (
        wire(
            json.dumps(good("B"))
            .replace('"content": "B"', '"content": "A", "content": "B"')
            .encode()
        ),
        "B",
        "ok",
        True,
    ),
    "odd_finish": (wire(good("B", finish_reason={"why": 1})), "B", "ok", True),
    "odd_usage": (wire(good("B", usage={"prompt_tokens": "many"})), "B", "ok", True),
}
"""What is paid for: (what is sent, the reply that is read, its state, whether the body is kept)."""


@dataclass
class Sent:
    """One run against all of that."""

    house: Warehouse
    progress: Progress
    server: RawServer


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sent]:
    folder = tmp_path_factory.mktemp("replies")
    names = [*FAILED, *PAID]
    house = fill(
        QuickHouse(folder / "warehouse.duckdb"), {"m": {name: [f"#{name}"] for name in names}}
    )
    responses = FAILED | {name: paid[0] for name, paid in PAID.items()}
    with pytest.MonkeyPatch.context() as patch, raw_server(responses) as server:
        patch.setenv("OPENAI_API_KEY", KEY)
        progress = judged(house, server, max_retries=1, price=None, concurrency=len(names))
        yield Sent(house, progress, server)


def of(house: Warehouse, name: str) -> list[tuple[Any, ...]]:
    return rows(
        house,
        "SELECT j.attempt, p.state, j.reply, j.body, j.error FROM main.judgment AS j "
        "JOIN parsed_reply AS p USING (judgment_id) WHERE contains(j.prompt, '#' || ? || '\"') "
        "ORDER BY j.judgment_id",
        name,
    )


@pytest.mark.slow
def test_all_of_it_was_survived(sent: Sent) -> None:
    assert (sent.progress.error, sent.progress.stopped, sent.progress.failed) == (None, None, 0)
    assert rows(sent.house, "SELECT count(*) FROM judge_todo") == [(0,)]
    # A failed call costs nobody a random draw.
    assert rows(
        sent.house, "SELECT DISTINCT resolved_by FROM pass_result WHERE judge <> 'none'"
    ) == [("judge",)]


@pytest.mark.parametrize("name", FAILED)
def test_no_reply_is_asked_again_and_is_no_attempt(sent: Sent, name: str) -> None:
    (judgment,) = of(sent.house, name)
    assert judgment[:2] == (0, "ok")
    assert sent.server.by_tag()[name] == 2


@pytest.mark.parametrize("name", PAID)
def test_a_paid_reply_is_kept_and_asked_for_once(sent: Sent, name: str) -> None:
    raw, reply, state, is_kept = PAID[name]
    first = of(sent.house, name)[0]
    assert first[:3] == (0, state, reply)
    assert (first[3] is not None, first[4]) == (is_kept, None)
    if is_kept:
        assert first[3] == raw.partition(b"\r\n\r\n")[2].decode()
    # The next attempt has another prompt, or another temperature; the same is never sent twice.
    bodies = [body for tag, body, _ in sent.server.requests if tag == name]
    assert len(set(bodies)) == len(bodies) == (1 if state == "ok" else 2)


@pytest.mark.slow
def test_a_server_of_nothing_but_errors_under_200(house: Warehouse) -> None:
    """It stops the run, leaves every subject to be judged, and a healthy server is called then."""
    fill(house, {"m": unclear(40)})
    bodies = [
        {"error": {"message": "overloaded"}},
        {"error": "overloaded"},
        {"choices": [], "detail": "overloaded"},
        ["overloaded"],
    ]
    spoiled = {str(n): wire(bodies[n % 4]) for n in range(40)}
    with raw_server(spoiled, always=True) as server:
        words = (
            "judge",
            "--model",
            "judge-1",
            "--max-retries",
            0,
            "--concurrency",
            4,
            "--base-url",
        )
        code, out, err = finished(command(*words, server.url, cwd=house.path.parent))
        assert (code, "Traceback" in err) == (1, False)
        assert "calls in a row came to nothing" in err
        assert "overloaded" in err
        assert 20 <= len(server.requests) < 30
    failed = rows(
        house,
        "SELECT state, j.body, j.reply FROM parsed_reply JOIN main.judgment AS j USING (judgment_id)",
    )
    assert set(failed) == {("failed", json.dumps(body), None) for body in bodies}
    assert rows(house, "SELECT DISTINCT resolved_by FROM pass_result WHERE judge <> 'none'") == [
        ("pending",)
    ]
    with raw_server({}) as healthy:
        code, out, err = finished(command(*words, healthy.url, cwd=house.path.parent))
        assert (code, len(healthy.requests)) == (0, 40), out + err
    assert rows(house, "SELECT DISTINCT resolved_by FROM pass_result WHERE judge <> 'none'") == [
        ("judge",)
    ]


def test_a_server_of_another_language_is_not_paid_for_all_subjects(house: Warehouse) -> None:
    fill(house, {"m": unclear(60)})
    spoiled = {str(n): wire(good({"answer": "B"})) for n in range(60)}
    with raw_server(spoiled, always=True) as server:
        progress = judged(house, server, concurrency=4)
        assert "replies in a row hold nothing that is read as their text" in str(progress.error)
        assert 20 <= len(server.requests) < 30
        n = len(server.requests)
    assert rows(house, "SELECT state, count(*) FROM parsed_reply GROUP BY ALL") == [("unread", n)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("error", "message"),
    [
        ({"code": "insufficient_quota", "message": "none left"}, "none left"),
        ({"code": 401, "message": "who are you"}, "who are you"),
    ],
)
def test_an_error_under_200_that_says_that_it_is_final(
    house: Warehouse, error: dict[str, Any], message: str
) -> None:
    fill(house, {"m": unclear(30)})
    with raw_server({str(n): wire({"error": error}) for n in range(30)}, always=True) as server:
        progress = judged(house, server, concurrency=2)
        assert str(progress.error) == f"HTTP 200 with an error: {message}"
        assert len(server.requests) <= 2


def test_the_key_is_in_no_body(house: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    """However JSON spells it."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    spelled = "".join(f"\\u{ord(c):04x}" for c in KEY)
    said = good([{"type": "text", "text": "B"}, {"type": "text", "text": "KEY"}])
    text = json.dumps(said)
    responses = {
        "0": wire(text.replace("KEY", KEY).encode()),
        "1": wire(text.replace("KEY", spelled).encode()),
        "2": wire(b'{"error": "' + spelled.encode() + b'"}'),
        "3": wire(b'{"error": "' + KEY.encode() + b'"}', status="500 Oh"),
    }
    fill(house, {"m": unclear(4)})
    with raw_server(responses, always=True) as server:
        judged(house, server, max_retries=0)
    bodies = [body for (body,) in rows(house, "SELECT body FROM main.judgment ORDER BY prompt")]
    assert (
        json.loads(bodies[0]) == json.loads(bodies[1]) == json.loads(text.replace("KEY", "[key]"))
    )
    assert bodies[2:] == ['{"error": "[key]"}'] * 2
    assert not any(
        KEY.encode() in file.read_bytes() for file in house.path.parent.rglob("*") if file.is_file()
    )
    assert not any(
        b"\\u0073\\u006b" in file.read_bytes()
        for file in house.path.parent.rglob("*")
        if file.is_file()
    )


# --- how much, how long, and from where


def received(server: RawServer) -> Any:
    """The response to one request, as our client takes it."""

    async def ask() -> Any:
        async with BoundedClient() as client:
            body = {"model": "m", "messages": [{"content": "#0"}]}
            return await client.post(f"{server.url}/chat/completions", json=body)

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("coding", "content"),
    [
        ("gzip", bomb(10)),
        ("gzip", gzip.compress(b" " * MOST_BYTES) * 2),
        ("deflate", bomb(1)[10:]),
        ("zstd", zstd.compress(b" " * (MOST_BYTES + 1))),
        ("gzip, gzip", gzip.compress(bomb(10))),
        ("", b" " * (MOST_BYTES + 1)),
    ],
    ids=["gzip", "members", "deflate", "zstd", "nested", "plain"],
)
def test_a_reply_has_a_size(coding: str, content: bytes) -> None:
    headers = [f"content-encoding: {coding}"] if coding else []
    with raw_server({"0": wire(content, *headers)}, always=True) as server:
        tracemalloc.start()
        with pytest.raises(OversizedError, match="larger than 16 MiB unpacked"):
            received(server)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 5 * MOST_BYTES


def test_it_is_packed_a_few_times_at_most() -> None:
    """Each packing can be a thousand times smaller than what is in it."""
    response = wire(good("B"), "content-encoding: gzip, gzip, gzip, gzip")
    message = "packed 4 times over"
    with raw_server({"0": response}) as server, pytest.raises(UnpackingError, match=message):
        received(server)


@pytest.mark.slow
def test_an_oversized_reply_is_a_failed_call(house: Warehouse) -> None:
    """It could have been paid for: asking again would pay again."""
    fill(house, {"m": unclear(1)})
    with raw_server({"0": wire(bomb(1), "content-encoding: gzip")}, always=True) as server:
        progress = judged(house, server, max_retries=3)
        assert progress.first_failure == "the reply is larger than 16 MiB unpacked; it is not read"
        assert (progress.failed, len(server.requests)) == (1, 1)


def test_an_error_has_a_size_too() -> None:
    response = wire(bomb(1), "content-encoding: gzip", status="500 Oh")
    with raw_server({"0": response}, always=True) as server, pytest.raises(OversizedError):
        received(server)


@pytest.mark.slow
@pytest.mark.parametrize(
    "pieces",
    [
        repeat(b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
        chain([b"HTTP/1.1 200 OK\r\n"], repeat(b"x: y\r\n" * 100)),
        chain([b"HTTP/1.1 200 OK\r\n\r\n"], repeat(b"\n" * 20_000)),
    ],
    ids=["1xx", "headers", "body"],
)
def test_what_has_no_end_ends(house: Warehouse, pieces: Any) -> None:
    fill(house, {"m": unclear(1)})
    with raw_server({"0": pieces}, always=True) as server:
        begun = time.monotonic()
        progress = judged(house, server, max_retries=0, timeout=1.0)
        assert time.monotonic() - begun < 60
    assert progress.failed == 1


@pytest.mark.slow
@pytest.mark.parametrize("status", ["302 Found", "307 Temporary"])
def test_no_redirect_is_followed(
    house: Warehouse, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key would go along."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    fill(house, {"m": unclear(30)})
    with raw_server({}) as other:
        there = f"http://localhost:{other.port}/v1/chat/completions"
        response = wire({}, f"location: {there}", status=status)
        with raw_server({str(n): response for n in range(30)}, always=True) as server:
            progress = judged(house, server, concurrency=2)
            assert f"the server redirects to '{there}'; no redirect is followed" in str(
                progress.error
            )
            assert len(server.requests) <= 2
        assert other.requests == []


@pytest.mark.slow
def test_the_size_of_what_is_kept_of_a_failure(house: Warehouse) -> None:
    fill(house, {"m": unclear(1)})
    with raw_server({"0": wire(b"x" * 1_000_000)}, always=True) as server:
        judged(house, server, max_retries=0)
    assert rows(house, "SELECT length(body), error FROM main.judgment")[0][0] == 65_536


@pytest.mark.slow
def test_a_body_is_in_the_cache_and_survives_it(house: Warehouse) -> None:
    """What is merged from the cache alone has it too."""
    fill(house, {"m": unclear(1)})
    with raw_server({"0": wire(good(PARTS))}) as server:
        judged(house, server)
    (key,) = rows(house, "SELECT request_key FROM main.judgment")[0]
    other = fill(
        QuickHouse(house.path.with_name("other.duckdb")),
        {"m": unclear(1)},
        folder=house.path.parent,
    )
    judged(other, None, offline=True, cache=cache_of(house.path, None))
    assert rows(other, "SELECT request_key, reply, body FROM main.judgment") == [
        (key, "The answer is B", json.dumps(good(PARTS)))
    ]
