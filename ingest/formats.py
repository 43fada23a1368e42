"""The formats that are read, and which one a file is."""

from __future__ import annotations

from pathlib import Path

from ingest.adapter import Adapter
from ingest.every_eval_ever import eee_records, eee_scores
from ingest.inspect_ai import inspect_log
from ingest.llava import llava_answers, llava_open_answers, llava_questions, llava_reviews
from ingest.lm_eval import lm_eval_samples
from ingest.lmms_eval import lmms_mmvet, lmms_samples, lmms_submission
from ingest.official import (
    hf_questions,
    mmbench_questions,
    mmbench_submission,
    mmvet_answers,
    mmvet_grades,
    mmvet_questions,
    mmvet_scores,
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
from ingest.vlmevalkit import (
    vlmevalkit_mmvet,
    vlmevalkit_pickle,
    vlmevalkit_predictions,
    vlmevalkit_results,
)
from warehouse.errors import InputError, UsageError

ADAPTERS: tuple[Adapter, ...] = (
    vlmevalkit_results.ADAPTER,
    lmms_submission.ADAPTER,
    mmbench_submission.ADAPTER,
    vlmevalkit_mmvet.ADAPTER,
    vlmevalkit_predictions.ADAPTER,
    hf_questions.ADAPTER,
    mmbench_questions.ADAPTER,
    llava_answers.ADAPTER,
    llava_open_answers.ADAPTER,
    llava_questions.ADAPTER,
    llava_reviews.ADAPTER,
    mmvet_questions.ADAPTER,
    mmvet_answers.ADAPTER,
    mmvet_grades.ADAPTER,
    mmvet_scores.ADAPTER,
    vlmevalkit_pickle.ADAPTER,
    lmms_mmvet.ADAPTER,
    lmms_samples.ADAPTER,
    lm_eval_samples.ADAPTER,
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


def version_of(name: str) -> int | None:
    """The version of a format's adapter; None if there is no such format."""
    return next((adapter.version for adapter in ADAPTERS if adapter.name == name), None)


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
    _name_missing_column(probe)
    raise InputError(
        probe.path,
        f"is in no format that is known here: its columns are {', '.join(probe.columns[:8])}"
        + (" …" if len(probe.columns) > 8 else "")
        + "; `ingest --help` lists the formats",
    )


def _name_missing_column(probe: Probe) -> None:
    """If the columns come near to a format, raise an error that names the one it lacks."""
    shares = {
        adapter: len(set(adapter.needs) & set(probe.columns)) / len(adapter.needs)
        for adapter in ADAPTERS
        if len(adapter.needs) > 1
    }
    nearest = [a for a in shares if 0 < shares[a] < 1 and shares[a] == max(shares.values())]
    missing = {next(c for c in a.needs if not probe.has(c)): a.name for a in nearest}
    if missing:
        raise InputError(
            probe.path,
            f"is missing: a file of the format {' or '.join(missing.values())} has it",
            row=0,
            field=" or ".join(missing),
        )


def _require(path: Path, adapter: Adapter, probe: Probe) -> None:
    for column in adapter.needs:
        if not probe.has(column):
            raise InputError(
                path,
                f"is missing: a file of the format {adapter.name} has it",
                row=0,
                field=column,
            )
