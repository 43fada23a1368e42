"""What the user says of a judge: model, template, price, backend, limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from judge import plan, price, program, template
from judge.plan import EVERYTHING, Scope
from judge.price import Price
from queries.install import LATEST
from warehouse.errors import UsageError
from warehouse.judges import EQUIVALENCE, IMPORTED_TASKS, TASKS

BACKENDS = ("openai", "transformers", program.NAME)
PROGRAM_TEMPLATE = "math_verify"


@dataclass(frozen=True)
class JudgeSettings:
    """Who is to judge, and within which limits.

    Attributes:
        model: the model to ask for; for transformers a path; for math-verify blank.
        backend: openai (any compatible server), transformers, or math-verify (a library).
        task: one of TASKS; None: those that the warehouse's runs need.
        template: a template file; None: the one that comes with the task.
        name: the judge's name; None: the model's.
        sampling: changes the template's parameters; None takes one out.
        samples: how often each subject is put to the judge.
        again: so many times more than before; old replies stay.
        need: circular or all, see `judge.plan.NEEDS`.
        scope: the benchmark, run and subset that is judged.
        extracted_by: of math-verify: the judge whose extracted answers it compares; None: it compares
            the answers themselves.
        release: whose views plan.
        cache: the cache's directory; None: EVALHOUSE_CACHE, else next to the warehouse.
        base_url: the server; None: OPENAI_BASE_URL, else the client's default.
        key_variable: the environment variable that holds the key.
        concurrency: calls at a time.
        timeout: seconds for one call.
        max_retries: tries of a call after the first one.
        max_calls, max_cost: limits that hold before a call; US dollars.
        price: US dollars per million tokens; None: the price list's.
        offline: send nothing.
        batch_size: subjects that a local model answers at a time.
        device: of a local model; None: the GPU if there is one.
    """

    model: str
    backend: str = "openai"
    task: str | None = None
    template: Path | None = None
    name: str | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict)
    samples: int = 1
    again: bool = False
    need: str = "circular"
    scope: Scope = EVERYTHING
    extracted_by: str | None = None
    release: str = LATEST
    cache: Path | None = None
    base_url: str | None = None
    key_variable: str = "OPENAI_API_KEY"
    concurrency: int = 16
    timeout: float = 60.0
    max_retries: int = 5
    max_calls: int | None = None
    max_cost: float | None = None
    price: Price | None = None
    offline: bool = False
    batch_size: int = 16
    device: str | None = None

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
        elif not self.model.strip():
            raise UsageError("--model cannot be blank")
        elif self.extracted_by is not None:
            raise UsageError(f"--extracted-by is for --backend {program.NAME}")
        if self.template is not None and self.task is not None:
            task = template.load(self.template).task
            if task != self.task:
                raise UsageError(f"{self.template}: is for {task}, not for {self.task}")

    @property
    def is_program(self) -> bool:
        """Whether a library judges, and no model."""
        return self.backend == program.NAME

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
            raise UsageError(f"--backend {program.NAME} takes no {flag}")
    if settings.again:
        raise UsageError(f"--backend {program.NAME} says the same each time: --again asks nothing")
    if settings.task not in (None, EQUIVALENCE):
        raise UsageError(f"--backend {program.NAME} is for the task {EQUIVALENCE}")
    if settings.samples > 1:
        raise UsageError(f"--backend {program.NAME} says the same each time: --samples is 1")
