"""The formats that are read, and which one a file is."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb

from ingest.adapter import Adapter, Place
from ingest.every_eval_ever import eee_records, eee_scores
from ingest.helm import helm_figures, helm_states
from ingest.inspect_ai import inspect_log
from ingest.llava import (
    llava_answers,
    llava_open_answers,
    llava_questions,
    llava_reviews,
    llava_texts,
)
from ingest.lm_eval import lm_eval_figures, lm_eval_samples
from ingest.lmms_eval import lmms_figures, lmms_mmvet, lmms_records, lmms_samples, lmms_submission
from ingest.official import (
    hf_questions,
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
    model_facts,
    subset,
    taxonomy_table,
)
from ingest.reading.probe import Probe
from ingest.reading.unknown import UnknownFormatError
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
    lmms_figures.ADAPTER,
    lmms_records.ADAPTER,
    lm_eval_figures.ADAPTER,
    lmms_submission.ADAPTER,
    mmbench_submission.ADAPTER,
    vlmevalkit_mmvet.ADAPTER,
    vlmevalkit_predictions.ADAPTER,
    vlmevalkit_open.ADAPTER,
    hf_questions.ADAPTER,
    mmbench_questions.ADAPTER,
    mme_results.ADAPTER,
    pope_labels.ADAPTER,
    llava_answers.ADAPTER,
    llava_open_answers.ADAPTER,
    llava_questions.ADAPTER,
    llava_texts.ADAPTER,
    llava_reviews.ADAPTER,
    mmvet_questions.ADAPTER,
    mmvet_answers.ADAPTER,
    mmvet_grades.ADAPTER,
    mmvet_scores.ADAPTER,
    vlmevalkit_pickle.ADAPTER,
    vlmevalkit_judged.ADAPTER,
    vlmevalkit_shard.ADAPTER,
    lmms_mmvet.ADAPTER,
    lmms_samples.ADAPTER,
    lm_eval_samples.ADAPTER,
    helm_states.ADAPTER,
    helm_figures.ADAPTER,
    seedbench_questions.ADAPTER,
    seedbench_results.ADAPTER,
    eee_records.ADAPTER,
    eee_scores.ADAPTER,
    judgments.ADAPTER,
    long_scores.ADAPTER,
    long_predictions.ADAPTER,
    long_questions.ADAPTER,
    inspect_log.ADAPTER,
    model_facts.ADAPTER,
    taxonomy_table.ADAPTER,
    subset.ADAPTER,
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


def choose(probe: Probe, name: str | None) -> Adapter:
    """The format of a file: the requested one, or the first that its columns fit.

    Raises:
        InputError: no format fits; the message names the nearest one and the column it lacks.
        UsageError: there is no format of that name.
    """
    if name is not None:
        found = named(name)
        if found is None:
            names = [adapter.name for adapter in (*ADAPTERS, *(one for one, _ in brought()[0]))]
            raise UsageError(f"no format {name!r}; there are {', '.join(names)}")
        _require(probe.path, found, probe)
        return found
    for adapter in chain(ADAPTERS, _of_packages()):
        if probe.has(*adapter.needs) and adapter.accepts(probe):
            return adapter
    _name_missing_column(probe)
    raise UnknownFormatError(
        probe.path,
        f"is in no format that is known here: its columns are {', '.join(probe.columns[:8])}"
        + (" …" if len(probe.columns) > 8 else "")
        + "; `ingest --help` lists the formats"
        + "".join(f"; {problem}" for problem in brought()[1]),
    )


def _of_packages() -> Iterator[Adapter]:
    """Only looked for where no shipped format fits: their modules are imported then."""
    yield from (adapter for adapter, _ in brought()[0])


_OF_SETTINGS = {"model", "key", "name", "value", "count", "log"}
"""Names that stand in files of settings, of which every folder has some."""


def _name_missing_column(probe: Probe) -> None:
    """If the columns come near to a format, raise an error that names the one it lacks.

    Raises:
        UnknownFormatError: all that it has of the format is a column that settings have too.
        InputError: it has more.
    """
    shares = {
        adapter: len(set(adapter.needs) & set(probe.columns)) / len(adapter.needs)
        for adapter in ADAPTERS
        if len(adapter.needs) > 1
    }
    nearest = [a for a in shares if 0 < shares[a] < 1 and shares[a] == max(shares.values())]
    missing = {next(c for c in a.needs if not probe.has(c)): a.name for a in nearest}
    if missing:
        formats, fields = " or ".join(missing.values()), " or ".join(missing)
        shared = {column for a in nearest for column in a.needs if probe.has(column)}
        if shared <= _OF_SETTINGS:
            raise UnknownFormatError(
                probe.path,
                f"is in no format that is known here; the nearest is {formats}, which has {fields} too",
            )
        raise InputError(
            probe.path, f"is missing: a file of the format {formats} has it", row=0, field=fields
        )


def _require(path: Path, adapter: Adapter, probe: Probe) -> None:
    for column in adapter.needs:
        if not probe.has(column):
            raise InputError(
                path, f"is missing: a file of the format {adapter.name} has it", row=0, field=column
            )
