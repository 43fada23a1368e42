"""A chat-completions server on this machine that misbehaves on purpose.

    python -m tests.judge_server --log server.jsonl --latency 0.05

It prints its port. A prediction that says `fault=NAME*N` gets the fault on the first N requests with
that body (all of them without `*N`), and an answer after that; with `~N` on the first N requests with the
prompt's tag, a word `#TAG`, whatever the attempt. Each request leaves two lines in the log: when it came,
and when its reply had been handed to the system, with a digest of its body, the tag, and who asked (a
digest of the key).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, TextIO

_FAULT = re.compile(r"fault=([a-z0-9_]+)(?:([*~])(\d+))?")
_TAG = re.compile(r"#(\w+)")
_LABELS = re.compile(r"one of ([A-Z](?:, [A-Z])*)")
BIG_REPLY = "B " + "blah " * 20_000


@dataclass
class Server:
    """What the server does and has seen."""

    latency: float
    log: TextIO
    seen: Counter[str] = field(default_factory=Counter)

    def note(self, event: str, digest: str, **more: object) -> None:
        self.log.write(
            json.dumps({"event": event, "digest": digest, "t": time.time(), **more}) + "\n"
        )
        self.log.flush()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        headers = head.decode("latin-1").lower()
        length = re.search(r"content-length: (\d+)", headers)
        body = await reader.readexactly(int(length[1])) if length else b""
        request = json.loads(body)
        digest = sha256(body).hexdigest()[:16]
        self.seen[digest] += 1
        prompt = request["messages"][-1]["content"]
        tag = found[1] if (found := _TAG.search(prompt)) else ""
        self.seen[f"#{tag}"] += 1
        fault = _FAULT.search(prompt)
        key = re.search(r"authorization: bearer (\S+)", head.decode("latin-1"), re.IGNORECASE)
        who = sha256(key[1].encode()).hexdigest()[:8] if key else ""
        self.note("request", digest, n=self.seen[digest], tag=tag, who=who)
        n_seen = self.seen[f"#{tag}" if fault and fault[2] == "~" else digest]
        if fault and (fault[3] is None or n_seen <= int(fault[3])):
            keep = await FAULTS[fault[1]](writer, request, key[1] if key else "")
        else:
            if self.latency:
                # Not all alike, or calls that began together would end together for ever.
                await asyncio.sleep(self.latency * random.uniform(0.8, 1.2))
            keep = await _send(writer, 200, completion(request, answer_to(prompt)))
        self.note("replied", digest, tag=tag, who=who)
        return keep


def answer_to(prompt: str) -> str:
    """The same answer to the same prompt: a label, or a grade where there are no labels."""
    number = int(sha256(prompt.encode()).hexdigest()[:8], 16)
    labels = _LABELS.search(prompt)
    if labels is None:
        return f"{number % 11 / 10}"
    known = labels[1].split(", ")
    return known[number % len(known)]


def completion(request: dict[str, Any], content: str | None, **changes: Any) -> dict[str, Any]:
    """A chat completion; `changes` go into its only choice, or (model, choices, …) into itself."""
    choice: dict[str, Any] = {
        "index": 0,
        "finish_reason": changes.pop("finish_reason", "stop"),
        "message": {
            "role": "assistant",
            "content": content,
            "refusal": changes.pop("refusal", None),
        },
    }
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": request["model"],
        "choices": [choice],
        "usage": {"prompt_tokens": 400, "completion_tokens": 2, "total_tokens": 402},
        **changes,
    }


async def _send(
    writer: asyncio.StreamWriter, status: int, body: object, headers: str = "", close: bool = False
) -> bool:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    writer.write(
        f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {len(content)}\r\n"
        f"{headers}\r\n".encode()
        + content
    )
    await writer.drain()
    return not close


def _error(status: int, message: str, code: str | None = None, headers: str = "") -> Any:
    async def fault(writer: asyncio.StreamWriter, request: dict[str, Any], key: str) -> bool:
        text = message.replace("{key}", key)
        body = {"error": {"message": text, "type": code or "error", "code": code}}
        return await _send(writer, status, body, headers)

    return fault


def _reply(content: str | None, **changes: Any) -> Any:
    async def fault(writer: asyncio.StreamWriter, request: dict[str, Any], key: str) -> bool:
        return await _send(writer, 200, completion(request, content, **changes))

    return fault


async def _timeout(writer: asyncio.StreamWriter, request: dict[str, Any], key: str) -> bool:
    await asyncio.sleep(20)
    return False


async def _dropped(writer: asyncio.StreamWriter, request: dict[str, Any], key: str) -> bool:
    content = json.dumps(completion(request, "B")).encode()
    writer.write(
        f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n".encode()
        + content[: len(content) // 2]
    )
    await writer.drain()
    return False


async def _drip(writer: asyncio.StreamWriter, request: dict[str, Any], key: str) -> bool:
    content = json.dumps(completion(request, "B")).encode()
    writer.write(
        f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(content)}\r\n\r\n".encode()
    )
    step = len(content) // 10 + 1
    for start in range(0, len(content), step):
        writer.write(content[start : start + step])
        await writer.drain()
        await asyncio.sleep(0.05)
    return True


async def _broken_json(writer: asyncio.StreamWriter, request: dict[str, Any], key: str) -> bool:
    return await _send(writer, 200, json.dumps(completion(request, "B")).encode()[:-20])


async def _html(writer: asyncio.StreamWriter, request: dict[str, Any], key: str) -> bool:
    return await _send(writer, 200, b"<html>proxy</html>")


async def _reset(writer: asyncio.StreamWriter, request: dict[str, Any], key: str) -> bool:
    writer.transport.abort()
    return False


async def _drip_for_ever(writer: asyncio.StreamWriter, request: dict[str, Any], key: str) -> bool:
    writer.write(
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 999\r\n\r\n"
    )
    for _ in range(200):
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.1)
    return False


async def _deep(writer: asyncio.StreamWriter, request: dict[str, Any], key: str) -> bool:
    return await _send(writer, 200, b'{"choices": ' + b"[" * 100_000 + b"]" * 100_000 + b"}")


async def _half_a_pair(writer: asyncio.StreamWriter, request: dict[str, Any], key: str) -> bool:
    return await _send(writer, 200, completion(request, "B \ud83d", model="m\ud83d"))


async def _odd_error(writer: asyncio.StreamWriter, request: dict[str, Any], key: str) -> bool:
    error = {"message": ["\ud83d"], "type": {"a": 1}, "code": {"b": []}}
    return await _send(writer, 503, {"error": error})


async def _echo_key(writer: asyncio.StreamWriter, request: dict[str, Any], key: str) -> bool:
    return await _send(writer, 200, completion(request, f"B, and your key is {key}"))


FAULTS: dict[str, Callable[..., Any]] = {
    "429": _error(429, "slow down"),
    "429_wait": _error(429, "slow down", headers="retry-after: 1\r\n"),
    "429_date": _error(429, "slow down", headers="retry-after: Wed, 21 Oct 2015 07:28:00 GMT\r\n"),
    "429_nodate": _error(429, "slow", headers="retry-after: Wed, 99 Foo 99999 07:28:00 GMT\r\n"),
    "429_negative": _error(429, "slow down", headers="retry-after: -5\r\n"),
    "429_nan": _error(429, "slow down", headers="retry-after: nan\r\n"),
    "429_zero": _error(429, "slow down", headers="retry-after: 0\r\n"),
    "429_long": _error(429, "come back tomorrow", headers="retry-after: 86400\r\n"),
    "408": _error(408, "request timed out"),
    "409": _error(409, "conflict"),
    "500": _error(500, "internal error"),
    "502": _error(502, "bad gateway"),
    "400": _error(400, "this prompt is too long", "context_length_exceeded"),
    "400_key": _error(400, "malformed, your key is {key}"),
    "400_filter": _error(400, "the prompt was filtered", "content_filter"),
    "401": _error(401, "Incorrect API key provided: {key}", "invalid_api_key"),
    "404": _error(404, "The model does not exist", "model_not_found"),
    "quota": _error(429, "You exceeded your current quota", "insufficient_quota"),
    "timeout": _timeout,
    "dropped": _dropped,
    "drip": _drip,
    "drip_for_ever": _drip_for_ever,
    "reset": _reset,
    "deep": _deep,
    "half_a_pair": _half_a_pair,
    "odd_error": _odd_error,
    "broken_json": _broken_json,
    "html": _html,
    "no_choices": _reply("B", choices=[]),
    "null_choices": _reply("B", choices=None),
    "null_content": _reply(None),
    "refusal": _reply(None, refusal="I cannot help with that."),
    "filtered": _reply(None, finish_reason="content_filter"),
    "truncated": _reply("The answer, as far as", finish_reason="length"),
    "unparsable": _reply("I would rather not say"),
    "big": _reply(BIG_REPLY),
    "other_model": _reply("B", model="some-other-model"),
    "no_usage": _reply("B", usage=None),
    "echo_key": _echo_key,
    **{
        f"say_{word.lower()}": _reply(word)
        for word in ("A", "B", "C", "D", "X", "0", "1", "14", "None", "dog")
    },
    "say_root_12": _reply(r"$\sqrt{12}$"),
    "say_root_13": _reply(r"$\sqrt{13}$"),
}


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    with options.log.open("a", encoding="utf-8") as log:
        handler = Server(options.latency, log)
        server = await asyncio.start_server(handler.serve, "127.0.0.1", options.port, backlog=1024)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
