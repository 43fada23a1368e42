"""The formats that are read, and which one a file is."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NoReturn, cast

import duckdb

from ingest import readers, sample_writer
from ingest.adapter import Adapter, ByProductError, Place
from ingest.fields import Field
from ingest.official import (
    hf_questions,
    lmms_submission,
    mmbench,
    seedbench,
)
from ingest.plain import judgments, long_table, model_facts, subset, taxonomy_table, unknown
from ingest.readers import Reader
from ingest.reading.head import Format, Seen
from ingest.reading.probe import Probe
from ingest.sample import About
from ingest.settings import Settings
from ingest.staged import Staged
from ingest.vlmevalkit import (
    vlmevalkit_figures,
    vlmevalkit_judged,
    vlmevalkit_open,
    vlmevalkit_pairs,
    vlmevalkit_shard,
    vlmevalkit_stated,
    vlmevalkit_verdicts,
)
from warehouse.errors import EvalhouseError, InputError, UsageError
from warehouse.files import packaged

ADAPTERS: tuple[Adapter, ...] = (
    vlmevalkit_verdicts.ADAPTER,
    vlmevalkit_stated.ADAPTER,
    vlmevalkit_pairs.ADAPTER,
    vlmevalkit_figures.ADAPTER,
    lmms_submission.ADAPTER,
    mmbench.SUBMISSION,
    vlmevalkit_open.MMVET,
    vlmevalkit_open.PREDICTIONS,
    vlmevalkit_open.ADAPTER,
    hf_questions.ADAPTER,
    mmbench.QUESTIONS,
    vlmevalkit_judged.LOGS,
    vlmevalkit_judged.ADAPTER,
    vlmevalkit_shard.ADAPTER,
    seedbench.QUESTIONS,
    seedbench.RESULTS,
    judgments.ADAPTER,
    long_table.SCORES,
    long_table.ADAPTER,
    long_table.PREDICTIONS,
    long_table.QUESTIONS,
    model_facts.ADAPTER,
    taxonomy_table.ADAPTER,
    subset.ADAPTER,
    *sample_writer.adapters(readers.every()),
)


_NAME = re.compile("[a-z][a-z0-9_]*")
_PAGE = "; docs/adding-a-format.md has one"
_RETURNED = {"recognise": (Seen | None,), "sidecar": (str | None,), "read": (About, Iterator)}
"""What each function of a reader returns."""


@cache
def brought() -> tuple[tuple[Reader, ...], Mapping[str, Adapter], tuple[str, ...]]:
    """The readers of installed packages, their formats, and the defects of what is left out.

    None takes a shipped one's name, and a file that a shipped one accepts is read as that.
    """
    entry_points, problems = packaged.brought("evalhouse.formats", folders=False)
    found, formats, said = list[Reader](), dict[str, Adapter](), list(problems)
    for one in entry_points:
        taken = {*formats, *(adapter.name for adapter in ADAPTERS)}
        if problem := next(_defects(one.name, one.value, taken), None):
            said.append(f"{one.origin}: its format {one.name} is left out: {problem}")
            continue
        blame = partial(_blaming, f"the format {one.name} of {one.origin}")
        its = vars(one.value) | {"__name__": one.name}
        its |= {name: blame(its[name], *returned) for name, returned in _RETURNED.items()}
        found.append(cast("Reader", SimpleNamespace(**its)))
        for adapter in sample_writer.adapters(found[-1:]):
            words = f"{adapter.description} ({one.origin})"
            stage = blame(adapter.stage, Staged)
            formats[adapter.name] = replace(adapter, description=words, stage=stage)
    return tuple(found), formats, tuple(said)


def _defects(name: str, module: object, taken: Collection[str]) -> Iterator[str]:
    """What makes something no reader; what comes later rests on what comes first."""
    if not isinstance(module, ModuleType):
        yield f"it is no module, but {type(module).__name__}: name the module of a reader{_PAGE}"
    its = vars(module)
    yield from (f"it has no function {one}" for one in _RETURNED if not callable(its.get(one)))
    declared = its.get("FIELDS")
    if not isinstance(declared, tuple) or not all(isinstance(one, Field) for one in declared):
        yield "its FIELDS are no tuple of Field"
    own = Format(cast("int", its.get("VERSION")), cast("str", its.get("DESCRIPTION")))
    formats = its.get("FORMATS") or {name: own}
    for format_name, one in formats.items() if isinstance(formats, dict) else [(name, formats)]:
        if not isinstance(one, Format) or one.place not in (None, *Place.__members__):
            yield f"{format_name} is no Format, or its place none of {', '.join(Place.__members__)}"
        if type(one.version) is not int or not isinstance(one.description, str):
            yield "its VERSION is no whole number, or its DESCRIPTION no text"
        if not _NAME.fullmatch(str(format_name)):
            yield "its name is not of lower-case letters, digits and _"
        if format_name in taken:
            yield f"there is a format {format_name} already"


def _blaming(words: str, work: Callable[..., Any], *returned: Any) -> Callable[..., Any]:
    """The same function, whose errors name its package; so does a result that is something else."""

    def run(*given: Any) -> Any:
        try:
            found = work(*given)
            every = found if isinstance(found, tuple) else (found,)
            if not all(map(isinstance, every, returned)):
                names = ", ".join(type(one).__name__ for one in every)
                raise TypeError(f"{work.__name__} returned {names}{_PAGE}")
            return found
        except (EvalhouseError, duckdb.Error, OSError):
            raise
        except Exception as error:
            if os.environ.get("EVALHOUSE_DEBUG") == "1":
                raise
            paths = (getattr(one, "path", one) for one in given)
            raise InputError(
                next(one for one in paths if isinstance(one, Path)),
                f"{words} stumbled: {type(error).__name__}: {error}; EVALHOUSE_DEBUG=1 shows where",
            ) from error

    return run


def named(name: str) -> Adapter | None:
    """The format of that name; None if there is none."""
    shipped = next((adapter for adapter in ADAPTERS if adapter.name == name), None)
    return shipped or brought()[1].get(name)


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
            names = [*(adapter.name for adapter in ADAPTERS), *brought()[1]]
            raise UsageError(f"no format {name!r}; there are {', '.join(names)}")
        return found if probe.has(*found.needs) else None
    return next((one for one in ADAPTERS if probe.has(*one.needs) and one.accepts(probe)), None)


def of_package(path: Path, wanted: str | None) -> tuple[Probe, Adapter] | None:
    """The format of a package for a file that no shipped one fits; None: it has none.

    Their modules are imported now, and not before.

    Raises:
        ByProductError: a package's reader says that it is no result.
        InputError: several recognise it, or one names a format that it does not have.
    """
    found, formats, _ = brought()
    for reader in found if wanted is None else ():
        if words := reader.sidecar(path):
            raise ByProductError(path, words)
    seen = readers.recognised(path, wanted, found) if found else None
    if seen is None or (name := seen.format) is None:
        return None
    if name not in formats:
        raise InputError(path, f"a package's reader takes it for {name}, which is no format of it")
    return Probe(path, name, (name,), is_guess=seen.is_guess), formats[name]


def refuse(probe: Probe, settings: Settings) -> NoReturn:
    """Say why a file is in no format, and what would do.

    Raises:
        InputError: it lacks a column of the requested format, or it is a table of results whose
            columns are not understood.
        UnknownFormatError: nothing says that it holds results.
    """
    if settings.format is not None and (found := named(settings.format)) is not None:
        _require(probe.path, found, probe)
    unknown.refuse(probe, settings, tuple(f"; {problem}" for problem in brought()[2]))


def _require(path: Path, adapter: Adapter, probe: Probe) -> None:
    if adapter.needs == (adapter.name,) and not probe.has(adapter.name):
        raise InputError(path, f"is no file of the format {adapter.name}: {adapter.description}")
    for column in adapter.needs:
        if not probe.has(column):
            raise InputError(
                path, f"is missing: a file of the format {adapter.name} has it", row=0, field=column
            )
