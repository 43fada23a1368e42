"""Asking a judge over the network: the `openai` client against any compatible server.

A pause that a server asks for (Retry-After) is one for all calls, which then go on in their order. A
reply is received whole, up to a size after unpacking, and without redirects.
"""

from __future__ import annotations

import asyncio
import email.utils
import math
import re
import sys
import time
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import httpx2
import openai
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt

from judge.answer import Answer, FatalAnswerError, StoppedError
from judge.budget import Budget
from judge.price import Price, most_tokens
from judge.reply import MOST_OF_A_FAILURE, NoReplyError, decoded, read_text, storable
from judge.request import Request, body_of
from judge.template import Template
from warehouse.wording import counted

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MOST_BYTES = 16 * 2**20
"""What a reply may have, unpacked. A hundred thousand tokens with their probabilities are less."""
_MOST_CODINGS = 3
_GZIP, _ZLIB, _RAW = 31, 15, -15
_GZIP_MAGIC = b"\x1f\x8b"
_MAGIC = {"gzip": _GZIP_MAGIC, "x-gzip": _GZIP_MAGIC, "zstd": b"\x28\xb5\x2f\xfd"}
_KEPT_HEADERS = ("retry-after", "retry-after-ms", "x-request-id", "location")


class OversizedError(Exception):
    """A reply is larger than it may be; it is not read to its end."""


class UnpackingError(Exception):
    """A reply cannot be unpacked: it is damaged, or packed in a way that was not requested."""


class BoundedClient(openai.DefaultAsyncHttpxClient):
    """An HTTP client whose responses are whole when they come, and never larger than `most` bytes.

    Redirects are not followed, since the key would go along.

    Args:
        most: bytes of a body, packed and unpacked.
        more: what the HTTP library's client takes.
    """

    def __init__(self, most: int = MOST_BYTES, **more: Any) -> None:
        super().__init__(**more, follow_redirects=False)
        self._most = most
        self.headers["accept-encoding"] = "gzip, deflate, zstd"

    async def send(self, request: Any, **more: Any) -> Any:
        """The response with its body.

        Raises:
            OversizedError, UnpackingError: it cannot be had.
        """
        response = await super().send(request, **{**more, "stream": True})
        try:
            packed = bytearray()
            async for chunk in response.aiter_raw():
                packed += chunk
                if len(packed) > self._most:
                    raise _oversized(self._most)
        finally:
            await response.aclose()
        written = response.headers.get("content-encoding", "")
        codings = [coding.strip().lower() for coding in written.split(",") if coding.strip()]
        if len(codings) > _MOST_CODINGS:
            raise UnpackingError(f"the reply is packed {len(codings)} times over")
        content = bytes(packed)
        for coding in reversed(codings):
            content = _unpacked(content, coding, self._most)
        headers = [(n, v) for n in _KEPT_HEADERS if (v := response.headers.get(n)) is not None]
        return type(response)(
            response.status_code,
            # Of its type nothing: completions come as text/plain too, and charsets that are none.
            headers=headers,
            content=content,
            request=request,
        )


def _unpacked(content: bytes, coding: str, most: int) -> bytes:
    """A body without one of its content codings.

    Args:
        content: as it was sent.
        coding: gzip, deflate, zstd or identity.
        most: bytes that it may have.

    Raises:
        OversizedError: it has more.
        UnpackingError: it is not what it says, or is cut off.
    """
    # What is said to be packed and is not was unpacked on its way, by a proxy.
    if coding == "identity" or not content.startswith(_MAGIC.get(coding, b"")):
        return content
    try:
        if coding in ("gzip", "x-gzip"):
            return _inflated(content, _GZIP, most)
        if coding == "deflate":
            try:
                return _inflated(content, _ZLIB, most)
            except zlib.error:
                return _inflated(content, _RAW, most)
        if coding == "zstd":
            return _of_zstd(content, most)
    except (zlib.error, zstd.ZstdError) as error:
        raise UnpackingError(f"the reply cannot be unpacked ({coding}): {error}") from error
    raise UnpackingError(f"the reply is packed as {coding[:40]!r}, which was not asked for")


def _inflated(content: bytes, window: int, most: int) -> bytes:
    # What is cut off is returned as far as it goes: whether that is a reply shows when it is read.
    done = bytearray()
    while content:
        inflate = zlib.decompressobj(window)
        done += inflate.decompress(content, most + 1 - len(done))
        if len(done) > most:
            raise _oversized(most)
        # Several members are one text; anything else that follows is none of it.
        rest = inflate.unused_data
        content = rest if window == _GZIP and rest.startswith(_GZIP_MAGIC) else b""
    return bytes(done)


def _of_zstd(content: bytes, most: int) -> bytes:
    done = bytearray()
    while content:
        inflate = zstd.ZstdDecompressor()
        done += inflate.decompress(content, most + 1 - len(done))
        if len(done) > most:
            raise _oversized(most)
        content = inflate.unused_data if inflate.eof else b""
    return bytes(done)


def _oversized(most: int) -> OversizedError:
    return OversizedError(f"the reply is larger than {most / 2**20:g} MiB unpacked; it is not read")


_LONGEST = 300.0
"""Seconds that are waited at most: at a time, and with nothing answered meanwhile."""
_FIRST, _LAST = 0.5, 30.0
_FEWEST_TURNS = 20


def asked_for(headers: Mapping[str, str]) -> float | None:
    """The seconds that a server asks to wait, in any form of Retry-After; None: it does not."""
    for name, part in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        written = headers.get(name, "")
        try:
            seconds = float(written) * part
        except ValueError:
            try:
                until = email.utils.parsedate_to_datetime(written)
                # A date without a zone is in UTC, as all of HTTP is.
                until = until if until.tzinfo else until.replace(tzinfo=UTC)
                seconds = until.timestamp() - time.time()
            except (ValueError, OverflowError):
                continue
        if math.isfinite(seconds):
            return max(seconds, 0.0)
    return None


def _backoff(n: int) -> float:
    """The seconds to wait after the nth time in vain, where a server names none."""
    return min(_FIRST * 2.0 ** (n - 1), _LAST)


class Pause:
    """When calls may go on. A call that is put off has not failed, so that it is no try.

    Args:
        calls: at a time.
        sleep: waits for so many seconds, or raises where the run is being stopped.
    """

    def __init__(self, calls: int, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._sleep = sleep
        self._most_turns = max(_FEWEST_TURNS, 2 * calls)
        self._order = asyncio.Lock()
        self._begun = self._over = -math.inf
        self._in_vain = 0
        self._since = 0.0

    async def passed(self) -> None:
        """Wait until it is over. Who came first goes first, so that each has its turn."""
        async with self._order:
            while (left := self._over - time.monotonic()) > 0:
                await self._sleep(left)

    def answered(self) -> None:
        """Note that the server answered a call."""
        self._in_vain = 0

    def put_off(self, seconds: float, *, sent: float, turns: int) -> str | None:
        """Pause all calls, for a call that is to wait; why it is given up in place of that, or None.

        Args:
            seconds: that the server asks for.
            sent: when the call was, by the monotonic clock.
            turns: how often this call was put off before.
        """
        now = time.monotonic()
        if seconds > _LONGEST:
            return (
                f"it asks to wait {seconds:,.0f} s, and no more than {_LONGEST:,.0f} s are waited"
            )
        if turns >= self._most_turns:
            # More often than there are calls before it: it is not their number that is too much.
            return f"it was put off {counted(turns, 'time')}, while other calls had their turn"
        if not self._in_vain:
            self._since = now
        # Calls that were sent together are put off together: that is one pause.
        if sent >= self._begun:
            self._begun = now
            self._in_vain += 1
        if now - self._since > _LONGEST:
            return f"it asks to wait again and again, and has answered nothing for {now - self._since:,.0f} s"
        # One that puts off again and again is asked less and less often.
        if self._in_vain > 1:
            seconds = max(seconds, _backoff(self._in_vain - 1))
        self._over = max(self._over, now + seconds)
        return None


_TRANSIENT = {408, 409, 425, 429}
_PUTS_OFF = {429, 503, 529}
"""With a time to wait, they say nothing of the call, but that there are too many."""
_FATAL = {401, 402, 403, 404, 405}
_REDIRECTS = {301, 302, 303, 307, 308}
_NO_QUOTA = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}
_ERROR_CHARACTERS = 500
_SHORTEST_KEY = 8
_KEY_LIKE = re.compile(r"\bsk-[A-Za-z0-9_*-]{8,}")
"""Servers repeat a wrong key with stars in its middle."""
_SPELLED = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u00([2-7][0-9a-fA-F])|/)")
"""What JSON can write otherwise, of the characters that keys are made of."""
_UNHAD = (OversizedError, UnpackingError)
_UNREADABLE = (ValueError, TypeError, RecursionError)
"""What the client's library raises where it reads an error that is not as it should be."""


@dataclass(frozen=True)
class Connection:
    """How a server is reached. The key is never stored, and shows in no message.

    Attributes:
        base_url: None: the client's own default.
        api_key: from the environment.
        timeout: seconds for one call.
        max_retries: tries after the first one.
        concurrency: calls at a time.
    """

    base_url: str | None
    api_key: str
    timeout: float
    max_retries: int
    concurrency: int

    def __repr__(self) -> str:
        return f"Connection(timeout={self.timeout}, concurrency={self.concurrency})"


class ChatClient:
    """A client for chat completions, for as long as the `async with` lasts.

    Args:
        connection: how the server is reached.
        template: what requests are worded with.
        budget: taken from before each call.
        price: None: not known.
        stop: once set, no call is made any more, not even one that would be made again.
    """

    def __init__(
        self,
        connection: Connection,
        template: Template,
        budget: Budget,
        price: Price | None,
        stop: asyncio.Event,
    ) -> None:
        self._connection = connection
        self._template = template
        self._budget = budget
        self._price = price
        self._stop = stop
        self._pause = Pause(connection.concurrency, self._sleep)
        self._fixed_tokens: dict[tuple[str, ...], int] = {}
        http_client = BoundedClient(
            limits=openai.DEFAULT_CONNECTION_LIMITS.__class__(
                max_connections=connection.concurrency,
                max_keepalive_connections=connection.concurrency,
            )
        )
        self._client = openai.AsyncOpenAI(
            api_key=connection.api_key,
            base_url=connection.base_url,
            timeout=connection.timeout,
            # Retries are ours: each is counted against the budget, and a fatal answer is none.
            max_retries=0,
            http_client=http_client,
        )
        self._retrying = AsyncRetrying(
            retry=retry_if_exception(_is_transient),
            stop=stop_after_attempt(connection.max_retries + 1),
            wait=_before_the_next_try,
            sleep=self._sleep,
            reraise=True,
        )

    async def __aenter__(self) -> ChatClient:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._client.close()

    async def ask(self, requests: Sequence[Request]) -> Sequence[Answer]:
        """The answers to some requests, one call each.

        Raises:
            FatalAnswerError: the server refuses all of them.
            OutOfBudgetError: the next call could go beyond the budget.
        """
        return [await self._ask(request) for request in requests]

    async def _ask(self, request: Request) -> Answer:
        body = body_of(request, self._template)
        try:
            return await self._retrying.copy()(self._call, request, body)
        except openai.APIStatusError as error:
            if _is_fatal(error):
                raise FatalAnswerError(self._described(error)) from None
            if error.status_code == 400 and error.code == "content_filter":
                # Azure's filter refuses the prompt with an error; it is the judge's answer.
                return Answer(
                    request,
                    body=self._kept(decoded(error.response.content)),
                    refusal=self._scrubbed(storable(str(error.message))),
                    finish_reason="content_filter",
                    cost_usd=0.0,
                    judged_at=_now(),
                )
            return self._failed(request, error, decoded(error.response.content))
        except _PutOffError as error:
            text = decoded(error.error.response.content)
            return self._failed(request, error.error, text, f"; {error.reason}")
        except _EmptyHandedError as error:
            if error.is_fatal:
                raise FatalAnswerError(self._described(error)) from None
            return self._failed(request, error, error.body)
        except (openai.OpenAIError, *_UNREADABLE, *_UNHAD, TimeoutError) as error:
            return self._failed(request, error)

    async def _call(self, request: Request, body: dict[str, Any]) -> Answer:
        """One try, sent anew as often as the server puts it off."""
        turns = 0
        while True:
            await self._pause.passed()
            sent = time.monotonic()
            try:
                answer = await self._send(request, body)
            except openai.APIStatusError as error:
                wait = _asked_wait(error)
                if wait is None or error.status_code not in _PUTS_OFF or _is_fatal(error):
                    raise
                reason = self._pause.put_off(wait, sent=sent, turns=turns)
                if reason is not None:
                    raise _PutOffError(error, reason) from None
                turns += 1
            else:
                self._pause.answered()
                return answer

    async def _send(self, request: Request, body: dict[str, Any]) -> Answer:
        most = self._most(request, body)
        self._budget.take(most)
        cost: float | None = None
        begun = time.perf_counter()
        try:
            # The typed method would walk through every message of the prompt's examples on each
            # call, which takes longer than all else that is done for it. Its timeout is for each
            # read: a server that drips would hold a connection for ever.
            async with asyncio.timeout(self._connection.timeout):
                response = await self._client.post(
                    "/chat/completions", body=body, cast_to=httpx2.Response
                )
            seconds = time.perf_counter() - begun
            text = decoded(response.content)
            try:
                answer = read_text(request, text, self._price, seconds=seconds)
            except NoReplyError as error:
                cost = None if error.is_charged else 0.0
                raise _EmptyHandedError(error, text) from None
            cost = answer.cost_usd
            return self._without_key(answer)
        except openai.APIStatusError:
            # What a server answers with an error is not charged.
            cost = 0.0
            raise
        finally:
            self._budget.settle(most, cost)

    def _most(self, request: Request, body: dict[str, Any]) -> float | None:
        """What a call can cost at most; None: the price is not known."""
        if self._price is None:
            return None
        labels = tuple(request.content["labels"] or ())
        if labels not in self._fixed_tokens:
            fixed = body["messages"][:-1]
            self._fixed_tokens[labels] = sum(most_tokens(m["content"]) + 16 for m in fixed) + 32
        prompt = self._fixed_tokens[labels] + most_tokens(request.content["prompt"])
        completion = int(body.get("max_completion_tokens") or body.get("max_tokens") or 4096)
        return self._price.most(prompt, completion)

    async def _sleep(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), seconds)
        if self._stop.is_set():
            raise StoppedError("stopped while waiting to ask again")

    def _failed(
        self, request: Request, error: Exception, body: str = "", reason: str = ""
    ) -> Answer:
        kept = self._kept(body)
        return Answer(request, error=self._described(error) + reason, body=kept, judged_at=_now())

    def _kept(self, body: str) -> str | None:
        """What is kept of an error's body."""
        text = _KEY_LIKE.sub("[key]", storable(self._scrubbed(body)))
        return text[:MOST_OF_A_FAILURE] or None

    def _described(self, error: BaseException) -> str:
        if isinstance(error, openai.APIStatusError):
            text = f"HTTP {error.status_code}: {_message_of(error)}"
        elif isinstance(error, (openai.APITimeoutError, TimeoutError)):
            text = f"no answer within {self._connection.timeout:g} s"
        elif isinstance(error, openai.APIConnectionError):
            cause = error.__cause__ or error
            text = f"the connection failed: {type(cause).__name__}: {cause}"
        elif isinstance(error, _UNREADABLE):
            text = f"the reply cannot be read: {type(error).__name__}: {error}"
        else:
            text = str(error)
        return _KEY_LIKE.sub("[key]", self._scrubbed(storable(text)))[:_ERROR_CHARACTERS]

    def _without_key(self, answer: Answer) -> Answer:
        reply, refusal, finish, model, body = (
            None if text is None else self._scrubbed(text)
            for text in (
                answer.reply,
                answer.refusal,
                answer.finish_reason,
                answer.returned_model,
                answer.body,
            )
        )
        return replace(
            answer,
            reply=reply,
            refusal=refusal,
            finish_reason=finish,
            returned_model=model,
            body=body,
        )

    def _scrubbed(self, text: str) -> str:
        """A server's text without the key, should it repeat that, also as JSON spells it."""
        key = self._connection.api_key
        if len(key) < _SHORTEST_KEY:
            return text
        spelled = _SPELLED.sub(_plainly, text) if "\\" in text else text
        return spelled.replace(key, "[key]") if key in spelled else text.replace(key, "[key]")


class _EmptyHandedError(Exception):
    """What came under HTTP 200 is no reply; sent again like after a broken connection."""

    def __init__(self, error: NoReplyError, body: str) -> None:
        super().__init__(str(error))
        self.body = body
        self.status = error.status
        self.is_fatal = bool(error.words & _NO_QUOTA) or error.status in _FATAL


class _PutOffError(Exception):
    """The server puts a call off for longer, or more often, than is waited for it."""

    def __init__(self, error: openai.APIStatusError, reason: str) -> None:
        super().__init__(reason)
        self.error = error
        self.reason = reason


def _plainly(match: re.Match[str]) -> str:
    character = chr(int(match[2], 16)) if match[2] else "/"
    return match[0] if character in '"\\' else f"{match[1]}{character}"


def _is_transient(error: BaseException) -> bool:
    if isinstance(error, openai.APIStatusError):
        if _is_fatal(error):
            return False
        wait = _asked_wait(error)
        if wait is not None and wait > _LONGEST:
            return False
        return _is_passing(error.status_code)
    if isinstance(error, _EmptyHandedError):
        return not error.is_fatal and _is_passing(error.status or 500)
    return isinstance(
        error, (openai.APIConnectionError, *_UNREADABLE, UnpackingError, TimeoutError)
    )


def _is_passing(status: int) -> bool:
    return status in _TRANSIENT or status >= 500


def _is_fatal(error: openai.APIStatusError) -> bool:
    # As text: a server may put anything there.
    return error.status_code in _FATAL | _REDIRECTS or bool(
        {str(error.code), str(error.type)} & _NO_QUOTA
    )


def _asked_wait(error: BaseException | None) -> float | None:
    """The seconds that a server asks to wait; None: it does not."""
    if not isinstance(error, openai.APIStatusError):
        return None
    return asked_for(error.response.headers)


def _before_the_next_try(state: RetryCallState) -> float:
    wait = _asked_wait(state.outcome.exception() if state.outcome else None)
    if wait:
        return wait
    # Spread, so that calls which failed together do not come back together.
    return _backoff(state.attempt_number) * (0.5 + (time.perf_counter_ns() % 1000) / 2000)


def _message_of(error: openai.APIStatusError) -> str:
    if error.status_code in _REDIRECTS:
        place = error.response.headers.get("location", "nowhere")
        return (
            f"the server redirects to {place[:200]!r}; no redirect is followed, since the key would go "
            "along: if that is the server, give its address as --base-url"
        )
    body = error.body
    message = body.get("message") if isinstance(body, dict) else None
    return " ".join(str(message or error.message).split())


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)
