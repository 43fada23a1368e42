"""A run of a judge: its settings and its progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from judge.plan import EVERYTHING, Scope
from judge.request import Request
from judge.template import Template
from warehouse.errors import EvalhouseError
from warehouse.judges import Judge


@dataclass(frozen=True)
class Job:
    """What to judge, and with whom.

    Attributes:
        path: the warehouse.
        wait: seconds to wait while another process holds it.
        cache: the cache's directory.
        judge: registered in the warehouse under judge_id.
        release: whose views plan.
        bring_up: computes what they rest on, as of now; called before each plan.
        need: a key of `plan.NEEDS`.
        scope: for what alone.
        origin: call or local, as judgments say it.
        workers: requests in flight at a time, each with up to `together` subjects.
        offline: nothing is sent.
    """

    path: Path
    wait: float
    cache: Path
    judge: Judge
    judge_id: int
    template: Template
    release: str
    bring_up: Callable[[], None]
    need: str
    scope: Scope = EVERYTHING
    origin: str = "call"
    workers: int = 16
    together: int = 1
    offline: bool = False


@dataclass
class Progress:
    """How far a run is; reported while it runs, and returned at its end.

    Attributes:
        planned: subjects of all waves so far.
        asked: requests that were sent and got a reply, each stored.
        cached: replies that were in the cache.
        recovered: replies of an earlier command that had not reached the warehouse.
        failed: calls that came to nothing.
        elsewhere: subjects that another process judged meanwhile.
        waves: how often it was planned.
        shared: answers that got their verdict from another answer of the same content.
        spent: US dollars of the replies that came, as far as prices are known.
        stopped: why it ended early; None: it did not.
        error: what made it end, to be raised when all is stored.
        first_failure: what the first failed call came to.
        in_batches: subjects that are out in a batch, by its file's name.
        missing: requests without a judgment, when offline.
        other_models: models that servers answered with instead of the requested one.
        unmerged: replies that are in the cache alone, since the warehouse was busy.
    """

    planned: int = 0
    asked: int = 0
    cached: int = 0
    recovered: int = 0
    failed: int = 0
    elsewhere: int = 0
    waves: int = 0
    shared: int = 0
    spent: float = 0.0
    stopped: str | None = None
    error: EvalhouseError | None = None
    first_failure: str | None = None
    in_batches: dict[str, int] = field(default_factory=dict)
    missing: list[Request] = field(default_factory=list)
    other_models: dict[str, int] = field(default_factory=dict)
    unmerged: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def done(self) -> int:
        """Subjects that are settled, in whatever way."""
        return self.asked + self.cached + self.failed + self.elsewhere
