"""Every Eval Ever's aggregate JSON: whose run of which dataset, and the results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ingest import fields
from ingest.fields import Field
from ingest.messages import as_object
from ingest.names import DatasetName, read_dataset_name
from ingest.reading import json_map
from warehouse import known_benchmarks
from warehouse.errors import InputError
from warehouse.every_eval_ever import OURS

RESULTS = "evaluation_results"
_FIELDS = (
    Field("evaluation_id", str, "evaluation_id"),
    Field("model_info.id", str, "model"),
    Field("eval_library.name", str, "harness", required=False),
    Field(RESULTS, list, "results"),
)


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
    document = json_map.read_object(path)
    found = fields.read(path, None, document, _FIELDS)
    for field in _FIELDS[:3]:
        # Schema 0.2.0 does not say the library.
        is_stated = field.required or document.get("eval_library") is not None
        if is_stated and not (found[field.to] or "").strip():
            raise InputError(path, "is missing, or empty", field=field.path)
    if not found["results"]:
        raise InputError(path, "is no list of results", field=RESULTS)
    for row, result in enumerate(found["results"], start=1):
        if not isinstance(result, dict):
            raise InputError(path, "is not a JSON object", row=row, field=RESULTS)
        if isinstance(result, json_map.Repeated):
            raise InputError(path, "the key stands twice", row=row, field=result.key)
    return Aggregate(
        path,
        found["evaluation_id"].strip(),
        found["model"].strip(),
        (found["harness"] or "unknown").strip(),
        _moment(document.get("evaluation_timestamp")),
        own_details(part(document, "source_metadata").get("additional_details")),
        tuple(found["results"]),
        part(document, "detailed_evaluation_results"),
    )


def part(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """An object within another one; empty: it has none of that name."""
    return as_object(found.get(name))


def own_details(details: object) -> dict[str, str]:
    """What evalhouse wrote into free-text details, without the prefix."""
    return {
        name.removeprefix(OURS): text
        for name, value in (details.items() if isinstance(details, dict) else ())
        if name.startswith(OURS) and (text := json_map.text(value)) is not None
    }


def dataset_of(result: Mapping[str, Any], known: tuple[str, ...]) -> DatasetName | None:
    """The dataset of a result, as far as its name says; None: its benchmark is unknown here.

    Args:
        known: names of benchmarks in addition to those with a folder.
    """
    source = part(result, "source_data")
    own = own_details(source.get("additional_details"))
    if "benchmark" in own:
        return DatasetName(
            own["benchmark"], own.get("version"), own.get("split"), own.get("language")
        )
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
    return str(part(result, "source_data").get("dataset_name") or "")


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
