"""What comes of asking: a reply, or the error in its place, and what it cost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.request import Request
from warehouse.errors import EvalhouseError

_ENDINGS = ("length", "content_filter")
"""Finish reasons that say why there is no text."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request came to. With `error` there is no reply, and nothing to store for good.

    `body` is what the server sent, verbatim, where that says more than the other fields do: an
    error, or a reply in another shape than a plain chat completion. `cost_usd` is None where the
    price is not known; `judged_at` is UTC.
    """

    request: Request
    reply: str | None = None
    refusal: str | None = None
    error: str | None = None
    finish_reason: str | None = None
    returned_model: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    latency_seconds: float | None = None
    judged_at: datetime | None = None
    body: str | None = None

    @property
    def is_unread(self) -> bool:
        """Whether it is a paid reply in which nothing was found that could be read as its text."""
        is_silent = self.error is None and self.reply is None and self.refusal is None
        return is_silent and self.body is not None and self.finish_reason not in _ENDINGS


class FatalAnswerError(EvalhouseError):
    """The server will never answer: a wrong key, an unknown model, no quota. Exit code 1."""


class OutOfBudgetError(EvalhouseError):
    """The next call could go beyond what was allowed; it was not made. Exit code 1."""


class StoppedError(EvalhouseError):
    """The run is being stopped; the call was not made. Exit code 1."""


Ask = Callable[[Sequence[Request]], Awaitable[Sequence[Answer]]]
"""A backend: the answers to some requests, in order."""
