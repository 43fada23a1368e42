"""Files of scores in our long format (`choice_scores`), as Parquet."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

from warehouse.errors import UsageError
from warehouse.files import writing

_SCHEMA = {
    "model": pl.String,
    "split": pl.String,
    "question_key": pl.String,
    "pass": pl.Int16,
    "sample": pl.Int16,
    "component": pl.String,
    "label": pl.String,
    "score": pl.Float64,
    "n_tokens": pl.Int32,
    "scorer": pl.String,
}
"""The columns, in order. One that is empty throughout is left out."""


def default_path(warehouse: Path, *parts: str) -> Path:
    """The file next to a warehouse that is named by what it holds."""
    name = ".".join(re.sub(r"[^\w.@-]+", "-", part).strip("-.") for part in parts)
    return warehouse.with_name(f"{name}.parquet")


def require_free(path: Path, *, replace: bool) -> None:
    """Before hours of work: see that the file can be written.

    Raises:
        UsageError: it is there already, or its folder is not.
    """
    if not path.parent.is_dir():
        raise UsageError(f"{path}: the folder {path.parent} does not exist")
    if path.exists() and not replace:
        raise UsageError(
            f"{path}: is there already; `ingest` reads it, --replace writes it anew, -o FILE writes "
            "another one"
        )


def write(path: Path, rows: Sequence[Mapping[str, object]], settings: Mapping[str, object]) -> None:
    """Write rows by an atomic replace, whole or not at all.

    Args:
        rows: values by the names of the columns; a name that is absent is an empty cell.
        settings: how the scores came about, kept as JSON under the file's key `evalhouse`.

    Raises:
        UsageError: the file cannot be written.
    """
    frame = pl.DataFrame([dict(row) for row in rows], schema=_SCHEMA)
    frame = frame.select(column for column in frame if column.null_count() < frame.height)
    with writing.opened(path) as file:
        frame.write_parquet(file, metadata={"evalhouse": json.dumps(settings, sort_keys=True)})
