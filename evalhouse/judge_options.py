"""What `Warehouse.judge` takes: the fields of `JudgeSettings` as the options of a call."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from judge.plan import Scope
    from judge.price import Price


class JudgeOptions(TypedDict, total=False):
    """Who is to judge, and within which limits; see `evalhouse.judging.JudgeSettings`."""

    backend: str
    task: str | None
    template: Path | None
    name: str | None
    sampling: Mapping[str, Any]
    samples: int
    again: bool
    need: str
    scope: Scope
    extracted_by: str | None
    release: str
    cache: Path | None
    base_url: str | None
    key_variable: str
    concurrency: int
    timeout: float
    max_retries: int
    max_calls: int | None
    max_cost: float | None
    price: Price | None
    offline: bool
    batch_size: int
    device: str | None
