"""What comes of asking: a reply, or the error in its place, and what it cost."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from judge.request import Request
from warehouse.errors import EvalhouseError


@dataclass(frozen=True, slots=True)
class Answer:
    """What a request came to. With `error` there is no reply, and nothing to store for good.

    `cost_usd` is None where the price is not known; `judged_at` is UTC.
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


class FatalAnswerError(EvalhouseError):
    """The server will never answer: a wrong key, an unknown model, no quota. Exit code 1."""


class OutOfBudgetError(EvalhouseError):
    """The next call could go beyond what was allowed; it was not made. Exit code 1."""


class StoppedError(EvalhouseError):
    """The run is being stopped; the call was not made. Exit code 1."""


Ask = Callable[[Sequence[Request]], Awaitable[Sequence[Answer]]]
"""A backend: the answers to some requests, in order."""
