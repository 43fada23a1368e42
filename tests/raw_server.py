"""A server in this process that sends exactly the bytes that a test wants, and good completions else."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.judge_server import answer_to, completion

_TAG = re.compile(r"#(\w+)")


def http(
    body: bytes, *headers: str, status: str = "200 OK", kind: str = "application/json"
) -> bytes:
    """A whole HTTP response. An empty `kind` sends no content type."""
    kinds = [f"content-type: {kind}"] if kind else []
    lines = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", *kinds, *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def good(content: Any = "A", **changes: Any) -> dict[str, Any]:
    """A completion as a judge would send it."""
    return completion({"model": "judge-1"}, content, **changes)


@dataclass
class RawServer:
    """What the server sends first to a request with a tag, and the requests that came.

    A response that is no bytes is sent piece by piece, for as long as there are pieces.
    """

    responses: Mapping[str, bytes | Iterable[bytes]]
    always: bool = False
    port: int = 0
    requests: list[tuple[str, str, str]] = field(default_factory=list)
    """Tag, body, and headers, in order of arrival."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def by_tag(self) -> Counter[str]:
        return Counter(tag for tag, _, _ in list(self.requests))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while await self._one(reader, writer):
                pass
        writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        body = (await reader.readexactly(int(length[1]) if length else 0)).decode()
        request = json.loads(body) if body else {"messages": [{"content": ""}], "model": "m"}
        prompt = request["messages"][-1]["content"]
        tag = found[1] if (found := _TAG.search(prompt)) else ""
        is_first = tag not in self.by_tag()
        self.requests.append((tag, body, head))
        response = self.responses.get(tag)
        if response is None or not (is_first or self.always):
            content = json.dumps(completion(request, answer_to(prompt))).encode()
            writer.write(http(content))
            await writer.drain()
            return True
        for piece in [response] if isinstance(response, bytes) else response:
            writer.write(piece)
            await writer.drain()
        return False


class Handler(Protocol):
    """Answers connections; `port` is where it is found."""

    port: int

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer what one connection asks."""


@contextmanager
def in_thread(handler: Handler) -> Iterator[None]:
    """Serve in a thread of its own, for as long as the `with` lasts."""
    loop = asyncio.new_event_loop()
    ready = threading.Event()

    async def start() -> None:
        server = await asyncio.start_server(
            handler.serve, "127.0.0.1", 0, limit=2**22, backlog=1024
        )
        handler.port = server.sockets[0].getsockname()[1]
        ready.set()

    def work() -> None:
        starting = loop.create_task(start())
        loop.run_forever()
        assert starting.done()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert ready.wait(10)
        yield
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


@contextmanager
def raw_server(
    responses: Mapping[str, bytes | Iterable[bytes]], *, always: bool = False
) -> Iterator[RawServer]:
    """A server of these responses. With `always`, it never sends a good completion to these tags."""
    handler = RawServer(responses, always)
    with in_thread(handler):
        yield handler
