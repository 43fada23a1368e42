"""What the model said in each of lmms-eval's samples, and what the harness's filters made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from ingest import staged_rows
from ingest.harness_results import SamplesInfo
from ingest.lmms_eval import lmms_attributes, lmms_scores
from warehouse.errors import InputError

_UNFILTERED = "unfiltered"


@dataclass(frozen=True)
class Place:
    """Which question and pass a sample is about."""

    split: str | None
    question_key: str
    step: int = 0


def stage(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    info: SamplesInfo,
    records: Sequence[Mapping[str, Any]],
    places: Mapping[int, Place],
) -> tuple[dict[str, tuple[str, str]], list[str]]:
    """Stage the answers of the records that have a place; return the runs' variants, and notes.

    Raises:
        InputError: responses that are no texts.
    """
    said = {row: _said(path, row, records[row - 1]) for row in places}
    is_changed = any(raw[: len(filtered)] != filtered for raw, filtered in said.values())
    most = max((len(raw) for raw, _ in said.values()), default=0)
    variants = {}
    unfiltered = f"{info.model} ({_UNFILTERED})"
    if is_changed:
        # What was scored is the model's latest run, as it is where nothing was changed.
        variants = {
            unfiltered: (info.model, f"{info.label}_{_UNFILTERED}"),
            info.model: (info.model, info.label),
        }
    rows: list[tuple[object, ...]] = []
    for row, (raw, filtered) in said.items():
        place = (places[row].split, places[row].question_key, places[row].step)
        scored = filtered if is_changed else raw
        rows += ((row, info.model, *place, n, text, False) for n, text in enumerate(scored))
        if is_changed:
            rows += ((row, unfiltered, *place, n, text, False) for n, text in enumerate(raw))
    staged_rows.add(con, "stage_prediction", rows)
    lmms_scores.stage(con, info, records, places)
    lmms_attributes.stage(con, records, places)
    notes = []
    if is_changed:
        notes.append(
            f"the harness changed answers before it scored them; what the model said is the run "
            f"{info.label}_{_UNFILTERED}"
        )
    if most > 1:
        notes.append(
            f"each question has up to {most} answers, which are samples; the harness scored the first"
        )
    elif info.repeats is not None and info.repeats > most:
        notes.append(
            f"{info.results} says that each question was put {info.repeats} times; the samples have "
            "one answer each"
        )
    return variants, notes


def _said(path: Path, row: int, record: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    filtered = texts(path, row, "filtered_resps", record.get("filtered_resps"))
    if record.get("resps") is None:
        return filtered, filtered
    return texts(path, row, "resps", record["resps"]), filtered


def texts(path: Path, row: int, field: str, value: object) -> list[str]:
    """The texts of a cell: one, or lists of them."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list) or not value:
        raise InputError(path, "is neither a text nor a list of texts", row=row, field=field)
    return [text for one in value for text in texts(path, row, field, one)]
