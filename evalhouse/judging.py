"""Putting a judge together from what the user said: model, template, price, backend, limits.

With `--extracted-by` the judge is a program that compares what another judge extracted; its identity
names both.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import duckdb

from evalhouse import installing
from evalhouse.judge_settings import BACKENDS, PROGRAM_TEMPLATE, JudgeSettings
from judge import enrol, local, plan, preview, program, runner, template, unmerged
from judge.answer import Ask
from judge.budget import Budget
from judge.cache import default_directory
from judge.enrol import Enrolled
from judge.job import Job, Progress
from judge.plan import EVERYTHING, Scope
from judge.preview import Plan, Preview
from judge.request import Request
from judge.template import Template
from queries.install import LATEST
from queries.release import default_name
from queries.results import refresh as keeping
from warehouse import connection, judges, known_benchmarks
from warehouse.errors import UsageError
from warehouse.files.weights import model_name
from warehouse.judges import ANSWER_EXTRACTION, Judge

_PROGRAM = "program"
"""The endpoint of a library."""


@dataclass(frozen=True)
class _Extractor:
    """A judge whose extracted answers a program compares.

    Attributes:
        endpoint: of such a program; the judge's fingerprint in it makes it another judge, and views
            find the two by it.
        chain: what both are called together.
    """

    endpoint: str
    chain: str


def find_extractor(path: Path, name: str, *, wait: float) -> _Extractor:
    """The judge of that name.

    Raises:
        UsageError: there is none, or it does not extract answers; the message names those that do.
    """
    with closing(connection.open_for_reading(path, wait=wait)) as con:
        there = judges.of_task(con, ANSWER_EXTRACTION)
        if name not in there:
            known = (
                f"there are {', '.join(there)}" if there else "`evalhouse judge --model` makes one"
            )
            raise UsageError(f"--extracted-by: no judge {name!r} extracts answers; {known}")
        _, found = judges.known(con, name)
    return _Extractor(f"{_PROGRAM}:{found.fingerprint}", f"{name} + {program.model()}")


__all__ = ["BACKENDS", "Assignment", "JudgeSettings", "assign", "cache_of", "recall", "rehearse"]
_ENDPOINT = {
    "openai": "chat_completions",
    "transformers": "transformers",
    program.NAME: _PROGRAM,
}


@dataclass(frozen=True)
class Assignment:
    """A judge with a task in a warehouse, ready to be previewed or run."""

    path: Path
    wait: float
    settings: JudgeSettings
    enrolled: Enrolled
    template: Template
    cache: Path

    @property
    def _release(self) -> str:
        """The schema of the views that plan."""
        return default_name() if self.settings.release == LATEST else self.settings.release

    def preview(self, on_progress: Callable[[int], None] = lambda n: None) -> Preview:
        """What it would send now; `on_progress` is a callback, called with how many were looked at."""
        with closing(connection.open_for_reading(self.path, wait=self.wait)) as con:
            planned = self.planned(con)
        return self.preview_of(planned, on_progress)

    def planned(self, con: duckdb.DuckDBPyConnection) -> Plan:
        """What the judge has to do, in a connection to the warehouse."""
        with keeping.needs(con, self._release):
            return preview.plan_all(
                con,
                self.enrolled.judge_id,
                release=self._release,
                need=self.settings.need,
                scope=self.settings.scope,
            )

    def preview_of(
        self, planned: Plan, on_progress: Callable[[int], None] = lambda n: None
    ) -> Preview:
        """What a plan would send now; `on_progress` is a callback, called with how many were looked at."""
        return preview.preview(
            planned,
            self.enrolled.judge,
            self.template,
            cache=self.cache,
            price=self.settings.list_price,
            on_progress=on_progress,
        )

    def requests(self) -> list[Request]:
        """What it would send now, whether or not the cache has it."""
        with (
            closing(connection.open_for_reading(self.path, wait=self.wait)) as con,
            keeping.needs(con, self._release),
        ):
            wave = plan.wave(
                con,
                self.enrolled.judge_id,
                release=self._release,
                need=self.settings.need,
                scope=self.settings.scope,
            )
        return list(wave.requests(self.enrolled.judge, self.template))

    def job(self) -> Job:
        """The settings of the runner."""
        workers, together = self.settings.concurrency, 1
        if self.settings.backend == "transformers":
            workers, together = 1, self.settings.batch_size
        elif self.settings.is_program:
            workers = _n_processes()
        return Job(
            path=self.path,
            wait=self.wait,
            cache=self.cache,
            judge=self.enrolled.judge,
            judge_id=self.enrolled.judge_id,
            template=self.template,
            release=self._release,
            bring_up=self._bring_up,
            need=self.settings.need,
            scope=self.settings.scope,
            origin="call" if self.settings.backend == "openai" else "local",
            workers=workers,
            together=together,
            offline=self.settings.offline,
        )

    def _bring_up(self) -> None:
        """Compute the results of runs out of date: what a judge is asked follows from these."""
        wait = max(self.wait, unmerged.BUSY_SECONDS)
        with closing(connection.open_for_reading(self.path, wait=wait)) as con:
            if not keeping.is_of_now(con, self._release) or not keeping.stale(con, self._release):
                return
        with closing(connection.open_for_writing(self.path, wait=wait)) as con:
            keeping.refresh(con, self._release)

    def run(
        self, budget: Budget, on_progress: Callable[[Progress], None] = lambda progress: None
    ) -> Progress:
        """Judge, with a callback for progress; see `judge.runner.run`."""

        def backend(stop: asyncio.Event) -> AbstractAsyncContextManager[Ask]:
            return _backend(self, budget, stop)

        return runner.run(self.job(), backend, on_progress=on_progress)


def assign(path: Path, settings: JudgeSettings, *, wait: float = 0) -> list[Assignment]:
    """One assignment per task: the requested one, or those that the warehouse's runs need.

    The judges are enrolled in the warehouse, which is how boards and `judge_todo` know them.

    Raises:
        UsageError: nothing in the warehouse needs a judge, a price is missing, or a name is taken.
    """
    # Another judge opens the file for moments at a time.
    wait = max(wait, unmerged.BUSY_SECONDS)
    settings = _settled(path, _installed(path, settings, wait), wait)
    cache = cache_of(path, settings.cache)
    assignments = []
    for judge, wording in _judges(path, settings, wait):
        enrolled = enrol.enrol(path, judge, wording, **_how(settings, cache, wait))
        assignments.append(Assignment(path, wait, settings, enrolled, wording, cache))
    return assignments


def rehearse(
    path: Path, settings: JudgeSettings, *, wait: float = 0
) -> Iterator[tuple[Assignment, Preview]]:
    """What `assign` would give now, with what each would send. The warehouse stays as it is.

    Raises:
        UsageError: as `assign`; or the release is not installed.
    """
    wait = max(wait, unmerged.BUSY_SECONDS)
    if settings.release != LATEST:
        name = installing.found(path, settings.release, wait=wait)
        if name is None:
            raise UsageError(
                f"the release {settings.release} is not installed, and a dry run installs nothing: "
                f"`evalhouse releases install {settings.release}` does"
            )
        settings = replace(settings, release=name)
    settings = _settled(path, settings, wait)
    cache = cache_of(path, settings.cache)
    for judge, wording in _judges(path, settings, wait):
        with enrol.for_now(path, judge, wording, **_how(settings, cache, wait)) as (con, enrolled):
            assignment = Assignment(path, wait, settings, enrolled, wording, cache)
            planned = assignment.planned(con)
        yield assignment, assignment.preview_of(planned)


def _how(settings: JudgeSettings, cache: Path, wait: float) -> dict[str, Any]:
    """How judges of these settings are enrolled."""
    return {
        "named": settings.name is not None,
        "samples": settings.samples,
        "cache": cache,
        "wait": wait,
        "again": settings.again,
    }


def _judges(path: Path, settings: JudgeSettings, wait: float) -> list[tuple[Judge, Template]]:
    """The judges that the settings mean, with their templates."""
    if not (settings.model or settings.is_program):
        raise UsageError("say which model judges: --model NAME")
    if settings.max_cost is not None and settings.list_price is None:
        raise UsageError(
            f"--max-cost needs a price, and the price list does not know {settings.model}: give "
            "--price IN,OUT (US dollars per million tokens)"
        )
    if settings.is_program:
        templates = [template.shipped(PROGRAM_TEMPLATE)]
    elif settings.template is not None:
        templates = [template.load(settings.template)]
    else:
        tasks = [settings.task] if settings.task else _tasks(path, settings.scope, wait)
        templates = [template.shipped(task) for task in tasks]
    if settings.name is not None and len(templates) > 1:
        needed = " or ".join(wording.task for wording in templates)
        raise UsageError(f"--name is for one judge, and the runs need {needed}: say --task too")
    extractor = None
    if settings.extracted_by is not None:
        extractor = find_extractor(path, settings.extracted_by, wait=wait)
    return [
        (
            enrol.describe(
                wording,
                model=_model(settings),
                endpoint=_ENDPOINT[settings.backend] if extractor is None else extractor.endpoint,
                sampling=program.versions() if settings.is_program else settings.sampling,
                name=settings.name or (None if extractor is None else extractor.chain),
                kind="program" if settings.is_program else "llm",
            ),
            wording,
        )
        for wording in templates
    ]


def recall(path: Path, name: str, settings: JudgeSettings, *, wait: float = 0) -> Assignment:
    """The assignment of any judge that the warehouse knows, to see what is missing.

    Raises:
        UsageError: there is no such judge, or it would be called.
    """
    if settings.again:
        raise UsageError("--again asks a --model")
    if not settings.offline:
        with closing(connection.open_for_reading(path, wait=wait)) as con:
            judges.require_asking(judges.known(con, name)[1])
        raise UsageError("--name alone is for --offline; to ask, say --model too")
    settings = _settled(path, _installed(path, settings, wait), wait)
    enrolled, wording = enrol.recall(path, name, wait=wait)
    return Assignment(path, wait, settings, enrolled, wording, cache_of(path, settings.cache))


def _installed(path: Path, settings: JudgeSettings, wait: float) -> JudgeSettings:
    """The settings with the name of their release, which is installed first if it is not."""
    if settings.release == LATEST:
        return settings
    return replace(settings, release=installing.install(path, settings.release, wait=wait))


def _model(settings: JudgeSettings) -> str:
    if settings.is_program:
        return program.model()
    return model_name(settings.model) if settings.backend == "transformers" else settings.model


def _n_processes() -> int:
    return os.cpu_count() or 1


def _settled(path: Path, settings: JudgeSettings, wait: float) -> JudgeSettings:
    """The settings with what is judged as the warehouse calls it.

    Raises:
        UsageError: there is no such benchmark, run or subset.
    """
    if settings.scope == EVERYTHING:
        return settings
    with (
        closing(connection.open_for_reading(path, wait=wait)) as con,
        known_benchmarks.of_warehouse(con),
    ):
        return replace(settings, **asdict(plan.settled(con, settings.scope)))


def cache_of(path: Path, given: Path | None) -> Path:
    """The cache's directory: as given, or EVALHOUSE_CACHE, or next to the warehouse."""
    variable = os.environ.get("EVALHOUSE_CACHE")
    return given or (Path(variable) if variable else default_directory(path))


def _tasks(path: Path, scope: Scope, wait: float) -> list[str]:
    with closing(connection.open_for_reading(path, wait=wait)) as con:
        found = plan.tasks(con, scope)
        imported = plan.imported_tasks(con, scope)
        has_runs = con.execute("SELECT count(*) FROM main.run").fetchall() != [(0,)]
    if not found and has_runs:
        names = " and ".join(f"{name} ({task})" for name, task in imported)
        raise UsageError(
            f"{path}: no rule of these benchmarks needs a judge that can be asked"
            + (f"; the verdicts on {names} come with files, which `ingest` reads" if names else "")
        )
    if not found:
        raise UsageError(f"{path}: has no run to judge; `ingest` reads predictions")
    return found


@asynccontextmanager
async def _backend(
    assignment: Assignment, budget: Budget, stop: asyncio.Event
) -> AsyncIterator[Ask]:
    settings = assignment.settings
    if settings.backend == "transformers":
        async with local.opened(
            settings.model, assignment.template, budget, device=settings.device
        ) as ask:
            yield ask
        return
    if settings.is_program:
        async with program.opened(budget, workers=_n_processes()) as ask:
            yield ask
        return
    # The client takes most of a second to import; a full cache does not need it.
    from judge.client import ChatClient, Connection

    connected = Connection(
        base_url=settings.base_url or os.environ.get("OPENAI_BASE_URL") or None,
        api_key=_api_key(settings),
        timeout=settings.timeout,
        max_retries=settings.max_retries,
        concurrency=settings.concurrency,
    )
    async with ChatClient(
        connected, assignment.template, budget, settings.list_price, stop
    ) as client:
        yield client.ask


def _api_key(settings: JudgeSettings) -> str:
    key = os.environ.get(settings.key_variable, "").strip()
    if key:
        if not (key.isascii() and key.isprintable()):
            # The HTTP library would repeat it in its error message.
            raise UsageError(
                f"the environment variable {settings.key_variable} holds characters that no key has"
            )
        return key
    if settings.base_url or os.environ.get("OPENAI_BASE_URL"):
        return "none"  # a local server takes any key
    raise UsageError(f"the environment variable {settings.key_variable} holds no key")
