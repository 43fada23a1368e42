"""The field's runs that VLMEvalKit scored: its prediction files as pandas reads them, and its verdicts."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import duckdb
import fastexcel
import polars as pl

_NOTHING = frozenset(
    [
        "#N/A",
        "#N/A N/A",
        "#NA",
        "-1.#IND",
        "-1.#QNAN",
        "-NaN",
        "-nan",
        "1.#IND",
        "1.#QNAN",
        "<NA>",
        "N/A",
        "NA",
        "NULL",
        "NaN",
        "None",
        "n/a",
        "nan",
        "null",
    ]
) | {""}
"""What pandas reads as no value."""


@dataclass(frozen=True)
class FieldRow:
    """A row of a prediction file, and what VLMEvalKit made of it; NaN is None."""

    model: str
    index: str
    cells: dict[str, str]
    verdict: float | None
    detail: str | None


def field_rows(folder: Path, dataset: str, stem: str = "") -> Iterator[FieldRow]:
    """The rows of a dataset's first runs.

    Args:
        folder: shared/formats/vlmevalkit_field.
        dataset: such as POPE.
        stem: what follows the dataset in the file's name; by default it is the prediction file.
    """
    manifest = json.loads((folder / "manifest.json").read_text())[dataset]["runs"]
    verdicts = {
        (model, index): (verdict, detail)
        for model, index, verdict, detail in duckdb.execute(
            "SELECT model, index, verdict, detail FROM read_parquet(?) WHERE dataset = ? AND run LIKE 'T2026011%'",
            [str(folder / "VERDICTS.parquet"), dataset],
        ).fetchall()
    }
    for model, run in manifest.items():
        if "@" in model:
            continue
        path = folder / "outputs" / model / run["T"] / run["pred"]
        if stem:
            path = path.with_name(f"{model}_{dataset}{stem}{path.suffix}")
        for cells in _as_pandas(_table(path)):
            verdict, detail = verdicts[model, cells["index"]]
            yield FieldRow(model, cells["index"], cells, verdict, detail)


def _table(path: Path) -> list[dict[str, str]]:
    """All cells as texts."""
    if path.suffix == ".tsv":
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file, delimiter="\t"))
    sheet = fastexcel.read_excel(path).load_sheet(0, dtypes="string")
    frame = pl.DataFrame(sheet)
    return [{k: v or "" for k, v in row.items()} for row in frame.iter_rows(named=True)]


def _as_pandas(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """As str() has pandas' cells: a column of numbers alone is numbers."""
    columns = {}
    for name in rows[0]:
        cells = [row[name] for row in rows]
        columns[name] = _column(cells)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _column(cells: list[str]) -> list[str]:
    there = [cell for cell in cells if cell not in _NOTHING]
    for kind in (int, float):
        try:
            if kind is int and len(there) < len(cells):
                continue
            return ["nan" if cell in _NOTHING else str(kind(cell)) for cell in cells]
        except ValueError:
            continue
    return ["nan" if cell in _NOTHING else cell for cell in cells]
