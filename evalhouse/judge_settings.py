"""What the user says of a judge: model, template, price, backend, limits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judge import price
from judge.price import Price
from queries.install import LATEST
from warehouse.errors import UsageError
from warehouse.judges import EQUIVALENCE, IMPORTED_TASKS, TASKS
from warehouse.later import Later
from warehouse.option import option, pairs

if TYPE_CHECKING:
    from judge import plan, template
else:
    # To read boards takes neither.
    plan = Later("judge.plan")
    template = Later("judge.template")

PROGRAM = "math-verify"
"""The backend that is a library, and no model: `judge.program`."""
BACKENDS = ("openai", "transformers", PROGRAM)
PROGRAM_TEMPLATE = "math_verify"


def read_sampling(words: list[str]) -> dict[str, Any]:
    """Read `KEY=VALUE`, several times; None takes a parameter out.

    Raises:
        UsageError: one is not written so, or cannot be set.
    """
    found: dict[str, Any] = {}
    for pair in words:
        key, equals, written = pair.partition("=")
        if not equals or not key:
            raise UsageError(f"--sampling {pair!r}: is written KEY=VALUE")
        if key in ("model", "messages", "n", "stream"):
            raise UsageError(f"--sampling {key}: is not to be set")
        try:
            found[key] = json.loads(written) if written else None
        except ValueError:
            found[key] = written
    return found


@dataclass(frozen=True)
class JudgeSettings:
    """Who is to judge, and within which limits."""

    model: str = option("", "The model to ask; for --backend transformers, its path.")
    _: KW_ONLY
    backend: str = option("openai", " | ".join(BACKENDS))
    extracted_by: str | None = option(
        None,
        "Of math-verify: compare what this judge extracted from answers.",
        metavar="JUDGE",
    )
    base_url: str | None = option(None, "Any compatible server; by default OPENAI_BASE_URL.")
    key_variable: str = option(
        "OPENAI_API_KEY", "The environment variable that holds the key.", flag="--key-env"
    )
    task: str | None = option(None, f"{' | '.join(TASKS)}; by default what the runs need.")
    template: Path | None = option(None, "A template file, such as a paper's own wording.")
    name: str | None = option(
        None, "The judge's name; by default the model's. With --offline alone, any judge there is."
    )
    sampling: Mapping[str, Any] = pairs(
        read_sampling, "A parameter of the request; KEY= takes one out.", "KEY=VALUE"
    )
    samples: int = option(1, "Judge each subject so often.", min=1, max=1000)
    again: bool = option(False, "Ask anew, as further samples of the same judge; old replies stay.")
    need: str = option(
        "circular", "circular: what the benchmark's strategy needs; all: every answer."
    )
    benchmark: str | None = option(None, "Judge answers to this benchmark alone.")
    run: str | None = option(None, "Of the runs with this label alone.")
    subset: str | None = option(None, "To the questions of this subset alone.")
    release: str = option(LATEST, "The release whose views plan.")
    cache: Path | None = option(
        None, "The cache's directory; by default EVALHOUSE_CACHE, or next to the file."
    )
    concurrency: int = option(16, "Calls at a time.", min=1, max=1000)
    timeout: float = option(60.0, "Seconds for one call.", min=0.1)
    max_retries: int = option(5, "Tries of a call after the first.", min=0)
    max_calls: int | None = option(None, "Stop before one call more.", min=0)
    max_cost: float | None = option(None, "Stop before it could cost more, in US dollars.", min=0)
    price: Price | None = option(
        None, "US dollars per million tokens.", metavar="IN,OUT", read=price.parse
    )
    offline: bool = option(False, "Open no socket; exit 3 if anything is missing.")
    batch_size: int = option(16, "Subjects a local model answers at a time.", min=1)
    device: str | None = option(None, "Of a local model: cpu, cuda, …")
    refresh: bool = option(True, "Keep the results of the runs concerned anew, once in the end.")

    @property
    def scope(self) -> plan.Scope:
        """What is judged."""
        return plan.Scope(self.benchmark, self.run, self.subset)

    def __post_init__(self) -> None:
        for name, value, known in (
            ("--backend", self.backend, BACKENDS),
            ("--need", self.need, plan.NEEDS),
            ("--task", self.task or TASKS[0], TASKS),
        ):
            if name == "--task" and value in IMPORTED_TASKS and value not in TASKS:
                raise UsageError(
                    f"--task {value}: such verdicts come with files, which `ingest` reads; there is "
                    f"nothing to ask. {name} is {', '.join(known)}"
                )
            if value not in known:
                raise UsageError(f"{name} is {', '.join(known)}, not {value!r}")
        if self.is_program:
            _check_program(self)
        elif self.model and not self.model.strip():
            raise UsageError("--model cannot be blank")
        elif self.extracted_by is not None:
            raise UsageError(f"--extracted-by is for --backend {PROGRAM}")
        if self.template is not None and self.task is not None:
            task = template.load(self.template).task
            if task != self.task:
                raise UsageError(f"{self.template}: is for {task}, not for {self.task}")

    @property
    def is_program(self) -> bool:
        """Whether a library judges, and no model."""
        return self.backend == PROGRAM

    @property
    def list_price(self) -> Price | None:
        """What calls cost; None: the price list does not know the model."""
        if self.backend != "openai":
            return Price(0.0, 0.0, "this machine")
        return self.price or price.of_model(self.model)


def _check_program(settings: JudgeSettings) -> None:
    for flag, given in (
        ("--model", settings.model.strip()),
        ("--template", settings.template),
        ("--sampling", settings.sampling),
    ):
        if given:
            raise UsageError(f"--backend {PROGRAM} takes no {flag}")
    if settings.again:
        raise UsageError(f"--backend {PROGRAM} says the same each time: --again asks nothing")
    if settings.task not in (None, EQUIVALENCE):
        raise UsageError(f"--backend {PROGRAM} is for the task {EQUIVALENCE}")
    if settings.samples > 1:
        raise UsageError(f"--backend {PROGRAM} says the same each time: --samples is 1")
