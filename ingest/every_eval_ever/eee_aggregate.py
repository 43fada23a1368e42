"""Every Eval Ever's aggregate JSON: whose run of which dataset, and the results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb

from ingest.names import DatasetName, read_dataset_name
from ingest.reading import json_map
from ingest.settings import Settings
from warehouse import known_benchmarks, taxonomy
from warehouse.errors import InputError
from warehouse.every_eval_ever import OURS


@dataclass(frozen=True)
class Aggregate:
    """What an aggregate says.

    Attributes:
        produced_at: when the evaluation was run, as ISO text (UTC); None: not given, or in an
            unknown notation.
        own: what evalhouse adds of its own, without the prefix; empty where something else wrote
            it.
        detail: what it says of its file of records.
    """

    path: Path
    evaluation_id: str
    model: str
    harness: str
    produced_at: str | None
    own: Mapping[str, str]
    results: tuple[Mapping[str, Any], ...]
    detail: Mapping[str, Any]


def read(path: Path) -> Aggregate:
    """Read an aggregate.

    Raises:
        InputError: it is no JSON object, or lacks what is needed of it.
    """
    found = json_map.read_object(path)
    results = found.get("evaluation_results")
    if not isinstance(results, list) or not results:
        raise InputError(path, "is no list of results", field="evaluation_results")
    for row, result in enumerate(results, start=1):
        if not isinstance(result, dict):
            raise InputError(path, "is not a JSON object", row=row, field="evaluation_results")
    details = _object(found.get("source_metadata")).get("additional_details")
    return Aggregate(
        path=path,
        evaluation_id=_text(path, found, "evaluation_id"),
        model=_text(path, _object(found.get("model_info")), "id", "model_info"),
        harness=_library(path, found.get("eval_library")),
        produced_at=_moment(found.get("evaluation_timestamp")),
        own=own_details(details),
        results=tuple(results),
        detail=_object(found.get("detailed_evaluation_results")),
    )


def _library(path: Path, found: object) -> str:
    """What evaluated; schema 0.2.0 does not say."""
    return "unknown" if found is None else _text(path, _object(found), "name", "eval_library")


def own_details(details: object) -> dict[str, str]:
    """What evalhouse wrote into free-text details, without the prefix."""
    return {
        name.removeprefix(OURS): str(value)
        for name, value in _object(details).items()
        if name.startswith(OURS)
    }


def dataset_of(
    con: duckdb.DuckDBPyConnection, result: Mapping[str, Any], settings: Settings
) -> DatasetName | None:
    """The dataset of a result, as far as its name says; None: its benchmark is unknown here."""
    source = _object(result.get("source_data"))
    own = own_details(source.get("additional_details"))
    if "benchmark" in own:
        return DatasetName(
            own["benchmark"], own.get("version"), own.get("split"), own.get("language")
        )
    rows = con.execute("SELECT name FROM main.benchmark").fetchall()
    known = (*((settings.benchmark,) if settings.benchmark else ()), *(str(n) for (n,) in rows))
    repository = str(source.get("hf_repo") or "").rpartition("/")[2]
    for text in (source.get("dataset_name"), repository, result.get("evaluation_name")):
        found = read_dataset_name(str(text or ""), known)
        if found is not None:
            split = source.get("hf_split")
            if (
                isinstance(split, str)
                and found.split is None
                and not known_benchmarks.is_one_set(found.benchmark)
            ):
                found = replace(found, split=split)
            return found
    return None


def dataset_name(result: Mapping[str, Any]) -> str:
    """The name that a result gives its dataset, '' if none."""
    return str(_object(result.get("source_data")).get("dataset_name") or "")


def task_of(con: duckdb.DuckDBPyConnection, benchmark: str) -> str | None:
    """A benchmark's task, if it is known here or comes with the package."""
    shipped = known_benchmarks.find(benchmark)
    if shipped is not None:
        return shipped.task
    found = taxonomy.benchmark_id(con, benchmark)
    return None if found is None else taxonomy.task_of(con, found)


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(path: Path, found: Mapping[str, Any], name: str, within: str | None = None) -> str:
    value = found.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InputError(
            path, "is missing, or no text", field=f"{within}.{name}" if within else name
        )
    return value.strip()


def _moment(written: object) -> str | None:
    """A time in seconds since 1970 or as ISO text."""
    try:
        moment = datetime.fromtimestamp(float(str(written)), UTC)
    except (ValueError, OverflowError, OSError):
        try:
            moment = datetime.fromisoformat(str(written))
        except ValueError:
            return None
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return moment.isoformat(sep=" ")
