"""The formats that are read, and which one a file is."""

from __future__ import annotations

from pathlib import Path

from ingest import (
    llava_answers,
    long_predictions,
    long_questions,
    long_scores,
    mmbench_questions,
    mmbench_submission,
    model_facts,
    taxonomy_table,
    vlmevalkit,
)
from ingest.adapter import Adapter
from ingest.probe import Probe
from warehouse.errors import InputError, UsageError

ADAPTERS: tuple[Adapter, ...] = (
    mmbench_submission.ADAPTER,
    vlmevalkit.ADAPTER,
    mmbench_questions.ADAPTER,
    llava_answers.ADAPTER,
    long_scores.ADAPTER,
    long_predictions.ADAPTER,
    long_questions.ADAPTER,
    model_facts.ADAPTER,
    taxonomy_table.ADAPTER,
)


def choose(probe: Probe, name: str | None) -> Adapter:
    """The format of a file: the one that was asked for, or the first that its columns fit.

    Raises:
        InputError: no format fits; the message names the nearest one and the column it lacks.
        UsageError: there is no format of that name.
    """
    if name is not None:
        for adapter in ADAPTERS:
            if adapter.name == name:
                _require(probe.path, adapter, probe)
                return adapter
        raise UsageError(f"no format {name!r}; there are {', '.join(a.name for a in ADAPTERS)}")
    for adapter in ADAPTERS:
        if probe.has(*adapter.needs) and adapter.accepts(probe):
            return adapter
    nearest = max(ADAPTERS, key=lambda a: len(set(a.needs) & set(probe.columns)) / len(a.needs))
    if set(nearest.needs) & set(probe.columns):
        _require(probe.path, nearest, probe)
    raise InputError(
        probe.path,
        f"is in no format that is known here: its columns are {', '.join(probe.columns[:8])}"
        + (" …" if len(probe.columns) > 8 else "")
        + "; `ingest --help` lists the formats",
    )


def _require(path: Path, adapter: Adapter, probe: Probe) -> None:
    for column in adapter.needs:
        if not probe.has(column):
            raise InputError(
                path, f"a file of the format {adapter.name} has this column", row=0, field=column
            )
