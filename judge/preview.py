"""What a command would send, before it does: calls, tokens, cost, and what need not be sent."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import duckdb

from judge import plan
from judge.cache import Replies
from judge.price import Price, estimated_tokens
from judge.request import Request
from judge.template import Template
from warehouse.judges import Judge
from warehouse.later import pl

_AT_A_TIME = 1_000
_REPLY_TOKENS = 2
_Fixed = tuple[tuple[str, ...] | None, str | None]
"""The labels and the language that a conversation's first turns are the same for."""


@dataclass
class RunPreview:
    """What one run needs now.

    Attributes:
        pending: answers without a verdict.
        decided: those whose question is wrong already: early stopping saves them.
        later: those that may be needed when an earlier pass is judged right.
        needed: those needed now.
        calls: calls that are made for this run's sake.
        cached: judgments that are in the cache.
        shared: those that another answer of the same content brings: deduplication saves them.
        tokens: about so many, of prompts and replies.
        cost: US dollars; None: the price is not known.
    """

    run_id: int
    model: str
    dataset: str
    pending: int
    decided: int
    later: int
    needed: int
    calls: int = 0
    cached: int = 0
    tokens: int = 0
    cost: float | None = None

    @property
    def shared(self) -> int:
        """Answers that need no call of their own, since another one has the same content."""
        return self.needed - self.calls - self.cached


@dataclass
class Preview:
    """What a judge needs now, run by run."""

    price: Price | None
    runs: list[RunPreview] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """What a judge has to do: answers without a verdict by run, and the subjects to judge now."""

    per_run: pl.DataFrame
    wave: plan.Wave


def plan_all(
    con: duckdb.DuckDBPyConnection, judge_id: int, *, release: str, need: str, scope: plan.Scope
) -> Plan:
    """Plan without asking.

    Args:
        con: a warehouse.
        need: a key of `plan.NEEDS`.
        scope: for what alone.
    """
    rows = plan.per_run(con, judge_id, release=release, need=need, scope=scope)
    wave = plan.wave(con, judge_id, release=release, need=need, scope=scope, most=2**62)
    return Plan(rows, wave)


def preview(
    planned: Plan,
    judge: Judge,
    template: Template,
    *,
    cache: Path,
    price: Price | None,
    on_progress: Callable[[int], None] = lambda n: None,
) -> Preview:
    """What a plan would send, and what it costs. Nothing is written.

    Args:
        price: None: not known.
        on_progress: callback, called with how many subjects have been looked at.
    """
    rows, wave = planned.per_run, planned.wave
    runs = {row["run_id"]: RunPreview(**row) for row in rows.iter_rows(named=True)}
    if price is not None:
        for run in runs.values():
            run.cost = 0.0
    fixed: dict[_Fixed, int] = {}
    requests = wave.requests(judge, template)
    seen = 0
    with closing(Replies(cache)) if cache.is_dir() else closing(_NoReplies()) as replies:
        while chunk := list(islice(requests, _AT_A_TIME)):
            found = replies.get([request.key for request in chunk])
            for request in chunk:
                assert request.asked_run_id is not None
                run = runs[request.asked_run_id]
                if request.key in found:
                    run.cached += 1
                else:
                    _add_call(run, request, template, fixed, price)
            seen += len(chunk)
            on_progress(seen)
    return Preview(price, list(runs.values()))


def _add_call(
    run: RunPreview,
    request: Request,
    template: Template,
    fixed: dict[_Fixed, int],
    price: Price | None,
) -> None:
    content = request.content
    labels = None if content["labels"] is None else tuple(content["labels"])
    language = content.get("language")
    if (labels, language) not in fixed:
        messages = template.messages("", labels, language)
        fixed[labels, language] = sum(estimated_tokens(message["content"]) for message in messages)
    prompt = fixed[labels, language] + estimated_tokens(content["prompt"])
    run.calls += 1
    run.tokens += prompt + _REPLY_TOKENS
    if price is not None:
        assert run.cost is not None
        run.cost += price.cost(prompt, _REPLY_TOKENS)


class _NoReplies:
    """The cache of a warehouse that has none."""

    def get(self, keys: list[str]) -> dict[str, dict[str, object]]:
        """Nothing."""
        return {}

    def close(self) -> None:
        """Nothing."""
