"""A judge that is a library: math-verify compares answers with references (extra `math`).

It computes in processes of its own, each ended and replaced where an expression takes too long.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

from judge.answer import Answer, Ask
from judge.budget import Budget
from judge.request import Request
from warehouse.errors import EvalhouseError, UsageError

NAME = "math-verify"
TOO_LONG = "too long"
"""What is stored in place of a verdict that did not come in time."""
_LIBRARIES = ("latex2sympy2-extended", "sympy")
_SECONDS = 60.0
_MOST_BYTES = 2**26
_WORKER = "judge.math_worker"


class EndedError(EvalhouseError):
    """The library's process ended by itself; that comparison is a failed call."""


def versions() -> dict[str, str]:
    """The version of math-verify and of what it computes with.

    Raises:
        UsageError: the extra `math` is not installed.
    """
    try:
        return {name: metadata.version(name) for name in (NAME, *_LIBRARIES)}
    except metadata.PackageNotFoundError as error:
        raise UsageError(
            f"--backend {NAME} needs the extra math ({error.name} is not installed): "
            "pip install 'evalhouse[math]'"
        ) from error


def model() -> str:
    """The judge's model: the library with its version.

    Raises:
        UsageError: the extra `math` is not installed.
    """
    return f"{NAME} {versions()[NAME]}"


@asynccontextmanager
async def opened(budget: Budget, *, workers: int, seconds: float = _SECONDS) -> AsyncIterator[Ask]:
    """The library as a backend.

    Args:
        workers: processes at a time, each started when it is first needed.
        seconds: for one comparison; one that takes longer is unreadable.
    """
    name = model()
    idle: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
    every = [_Worker(seconds) for _ in range(workers)]
    for worker in every:
        idle.put_nowait(worker)

    async def ask(requests: Sequence[Request]) -> Sequence[Answer]:
        answers = []
        for request in requests:
            budget.take(0.0)
            worker = await idle.get()
            begun = time.perf_counter()
            reply = error = None
            try:
                reply = await worker.verdict(str(request.content["prompt"]))
            except EndedError as ended:
                # One expression must not keep the others from being compared.
                error = str(ended)
            finally:
                idle.put_nowait(worker)
                budget.settle(0.0, 0.0)
            answers.append(
                Answer(
                    request,
                    reply=reply,
                    error=error,
                    finish_reason=None if error else "stop",
                    returned_model=name,
                    cost_usd=0.0,
                    latency_seconds=round(time.perf_counter() - begun, 6),
                    judged_at=datetime.now(UTC).replace(tzinfo=None),
                )
            )
        return answers

    try:
        yield ask
    finally:
        for worker in every:
            await worker.end()


class _Worker:
    """A process that is started when it is first needed, and again after it was ended."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._process: asyncio.subprocess.Process | None = None

    async def verdict(self, prompt: str) -> str:
        """What the library says of a prompt; TOO_LONG where it does not in time.

        Raises:
            EndedError: the process ended by itself, twice.
        """
        line = json.dumps(json.loads(prompt)).encode() + b"\n"
        for _ in range(2):
            process = await self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                with suppress(ConnectionError):
                    process.stdin.write(line)
                    await process.stdin.drain()
                said = await asyncio.wait_for(process.stdout.readline(), self._seconds)
            except TimeoutError:
                await self.end()
                return TOO_LONG
            except asyncio.CancelledError:
                # Its reply would be taken for that of the next request.
                await self.end()
                raise
            if said:
                return str(json.loads(said))
            await self.end()
        raise EndedError(f"{NAME}: its process ended while it compared {prompt[:200]}")

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                _WORKER,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_MOST_BYTES,
                env=_environment(),
                # Ctrl-C is for the command, which waits for what is in flight.
                start_new_session=True,
            )
        return self._process

    async def end(self) -> None:
        """Kill the process, if it runs."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def _environment() -> dict[str, str]:
    """The environment without what the process has no need of, such as keys."""
    kept: dict[str, Any] = {
        name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ
    }
    return {**kept, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
