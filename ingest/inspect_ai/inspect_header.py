"""What the header of an Inspect log says: the dataset, and the time."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ingest.names import DatasetName, is_beyond, known_names, read_dataset_name
from ingest.settings import Settings
from warehouse import known_benchmarks
from warehouse.errors import InputError

_ID = 8
"""Characters of an id that tell logs of the same second apart."""


def spec(path: Path, header: dict[str, Any]) -> dict[str, Any]:
    """What was to be run.

    Raises:
        InputError: the header does not say.
    """
    found = header.get("eval")
    if not isinstance(found, dict):
        raise InputError(path, "is no object in the log's header", row=0, field="eval")
    return found


def dataset(run_spec: dict[str, Any], settings: Settings) -> tuple[str, DatasetName, str | None]:
    """The field that named the dataset, and the dataset: known by its name or the task's, or new.

    Last comes the dataset's or task's name of which --map says what it is here; None: of neither.
    """
    of_data = run_spec.get("dataset")
    of_data = of_data if isinstance(of_data, dict) else {}
    written = {
        f"eval.{key}": str(value).rstrip("/")
        for key, value in (
            ("dataset.name", of_data.get("name")),
            ("dataset.location", of_data.get("location")),
            ("task", run_spec.get("task")),
        )
        if value
    }
    names = {key: name.rpartition("/")[2] for key, name in written.items()}
    # A dataset or a task may be called by its whole name, owner/name.
    mapped = next((n for n in (*written.values(), *names.values()) if n in settings.map), None)
    for key, name in names.items():
        found = read_dataset_name(name, known_names(settings))
        if found is not None and not is_beyond(known_benchmarks.find(found.benchmark), found):
            return key, found, mapped
    key, name = next(iter(names.items()), ("", ""))
    return key, DatasetName(settings.benchmark or name), mapped


def task(run_spec: dict[str, Any]) -> str:
    """What the log calls its task, without the owner; '' if it does not say."""
    return str(run_spec.get("task") or "").rstrip("/").rpartition("/")[2]


def label(begun: datetime, run_spec: dict[str, Any]) -> str:
    """The run's label: when it was begun, the task, and the beginning of the log's own id.

    Several tasks may begin within a second, and the same task twice.
    """
    own = next((run_spec[name] for name in ("eval_id", "task_id", "run_id") if run_spec.get(name)), "")  # fmt: skip
    parts = (f"{begun:%Y%m%dT%H%M%S}", task(run_spec), str(own)[:_ID])
    return "_".join(part for part in parts if part)


def created(path: Path, run_spec: dict[str, Any]) -> datetime:
    """When the log was begun, UTC.

    Raises:
        InputError: the header does not say.
    """
    written = run_spec.get("created")
    try:
        found = datetime.fromisoformat(str(written))
    except ValueError as error:
        raise InputError(path, f"{written!r} is no time", row=0, field="eval.created") from error
    return found.astimezone(UTC) if found.tzinfo else found
