"""The formats that are read, and which one a file is."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

import duckdb

from ingest import sample_writer
from ingest.adapter import Adapter, Place
from ingest.official import (
    hf_questions,
    lmms_submission,
    mmbench_questions,
    mmbench_submission,
    mme_results,
    mmvet_answers,
    mmvet_grades,
    mmvet_questions,
    mmvet_scores,
    pope_labels,
    seedbench_questions,
    seedbench_results,
)
from ingest.plain import (
    judgments,
    long_predictions,
    long_questions,
    long_scores,
    long_table,
    model_facts,
    subset,
    taxonomy_table,
    unknown,
)
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import (
    vlmevalkit_figures,
    vlmevalkit_judged,
    vlmevalkit_mmvet,
    vlmevalkit_open,
    vlmevalkit_pairs,
    vlmevalkit_pickle,
    vlmevalkit_predictions,
    vlmevalkit_results,
    vlmevalkit_shard,
    vlmevalkit_stated,
)
from warehouse.errors import EvalhouseError, InputError, UsageError, shown
from warehouse.files import packaged

ADAPTERS: tuple[Adapter, ...] = (
    vlmevalkit_results.ADAPTER,
    vlmevalkit_stated.ADAPTER,
    vlmevalkit_pairs.ADAPTER,
    vlmevalkit_figures.ADAPTER,
    lmms_submission.ADAPTER,
    mmbench_submission.ADAPTER,
    vlmevalkit_mmvet.ADAPTER,
    vlmevalkit_predictions.ADAPTER,
    vlmevalkit_open.ADAPTER,
    hf_questions.ADAPTER,
    mmbench_questions.ADAPTER,
    mme_results.ADAPTER,
    pope_labels.ADAPTER,
    mmvet_questions.ADAPTER,
    mmvet_answers.ADAPTER,
    mmvet_grades.ADAPTER,
    mmvet_scores.ADAPTER,
    vlmevalkit_pickle.ADAPTER,
    vlmevalkit_judged.ADAPTER,
    vlmevalkit_shard.ADAPTER,
    seedbench_questions.ADAPTER,
    seedbench_results.ADAPTER,
    judgments.ADAPTER,
    long_scores.ADAPTER,
    long_table.ADAPTER,
    long_predictions.ADAPTER,
    long_questions.ADAPTER,
    model_facts.ADAPTER,
    taxonomy_table.ADAPTER,
    subset.ADAPTER,
    *sample_writer.adapters(),
)


_NAME = re.compile("[a-z][a-z0-9_]*")


@cache
def brought() -> tuple[tuple[tuple[Adapter, str], ...], tuple[str, ...]]:
    """The formats of installed packages, each with its package, and the defects of others.

    None takes a shipped one's name, and a file that a shipped one accepts is read as that.
    """
    entry_points, problems = packaged.code("evalhouse.formats")
    found: dict[str, tuple[Adapter, str]] = {}
    said = list(problems)
    for one in entry_points:
        problem = _defect(one.value)
        if isinstance(one.value, Adapter) and problem is None:
            taken = one.value.name in found or any(a.name == one.value.name for a in ADAPTERS)
            problem = f"there is a format {one.value.name} already" if taken else None
        if isinstance(one.value, Adapter) and problem is None:
            found[one.value.name] = (_blaming(one.value, one.origin), one.origin)
        else:
            said.append(f"{one.origin}: its format {one.name} is left out: {problem}")
    return tuple(found.values()), tuple(said)


def _defect(value: object) -> str | None:
    """What makes something no adapter; None: it is one."""
    if not isinstance(value, Adapter):
        return f"it is no Adapter, but {type(value).__name__}"
    if not isinstance(value.name, str) or not _NAME.fullmatch(value.name):
        return "its name is not of lower-case letters, digits and _"
    if type(value.version) is not int or not isinstance(value.description, str):
        return "its version is no whole number, or its description no text"
    needs = value.needs
    if not isinstance(needs, tuple) or not needs or not all(isinstance(c, str) for c in needs):
        return "needs is no tuple of columns"
    if not callable(value.accepts) or not callable(value.stage):
        return "accepts or stage cannot be called"
    is_place = isinstance(value.place, Place) or callable(value.place)
    return None if is_place else "place is no Place"


def _blaming(adapter: Adapter, origin: str) -> Adapter:
    """The same adapter, whose errors name its package."""

    def guarded(work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*words: Any) -> Any:
            try:
                return work(*words)
            except (EvalhouseError, duckdb.Error, OSError):
                raise
            except Exception as error:
                if os.environ.get("EVALHOUSE_DEBUG") == "1":
                    raise
                raise UsageError(
                    f"the format {adapter.name} of {origin} stumbled: {type(error).__name__}: "
                    f"{shown(str(error))}"
                ) from error

        return run

    def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
        found = guarded(adapter.stage)(con, probe, settings)
        if not isinstance(found, Staged):
            raise UsageError(f"the format {adapter.name} of {origin} returned no Staged")
        if not found.parts:
            raise UsageError(f"the format {adapter.name} of {origin} staged nothing")
        return found

    return replace(
        adapter,
        accepts=guarded(adapter.accepts),
        stage=stage,
        place=adapter.place if isinstance(adapter.place, Place) else guarded(adapter.place),
    )


def named(name: str) -> Adapter | None:
    """The format of that name; None if there is none."""
    shipped = next((adapter for adapter in ADAPTERS if adapter.name == name), None)
    return shipped or next((one for one, _ in brought()[0] if one.name == name), None)


def version_of(name: str) -> int | None:
    """The version of a format's adapter; None if there is no such format."""
    found = named(name)
    return found.version if found else None


def fitting(probe: Probe, name: str | None) -> Adapter | None:
    """The format of a file: the requested one, or the first that its columns fit; None: it has none.

    Raises:
        UsageError: there is no format of that name.
    """
    if name is not None:
        found = named(name)
        if found is None:
            names = [adapter.name for adapter in (*ADAPTERS, *(one for one, _ in brought()[0]))]
            raise UsageError(f"no format {name!r}; there are {', '.join(names)}")
        return found if probe.has(*found.needs) else None
    for adapter in chain(ADAPTERS, _of_packages()):
        if probe.has(*adapter.needs) and adapter.accepts(probe):
            return adapter
    return None


def _of_packages() -> Iterator[Adapter]:
    """Only looked for where no shipped format fits: their modules are imported then."""
    yield from (adapter for adapter, _ in brought()[0])


def refuse(probe: Probe, settings: Settings) -> NoReturn:
    """Say why a file is in no format, and what would do.

    Raises:
        InputError: it lacks a column of the requested format, or it is a table of results whose
            columns are not understood.
        UnknownFormatError: nothing says that it holds results.
    """
    if settings.format is not None and (found := named(settings.format)) is not None:
        _require(probe.path, found, probe)
    unknown.refuse(probe, settings, tuple(f"; {problem}" for problem in brought()[1]))


def _require(path: Path, adapter: Adapter, probe: Probe) -> None:
    if adapter.needs == (adapter.name,) and not probe.has(adapter.name):
        raise InputError(path, f"is no file of the format {adapter.name}: {adapter.description}")
    for column in adapter.needs:
        if not probe.has(column):
            raise InputError(
                path, f"is missing: a file of the format {adapter.name} has it", row=0, field=column
            )
