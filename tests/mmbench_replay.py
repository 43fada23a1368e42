"""Answers that add up to printed percentages, and what the views of `papers/` print of them."""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import polars as pl

from evalhouse import Warehouse
from tests.conftest import ROOT
from tests.houses import QuickHouse

CHOICES = {"A": "cat", "B": "dog", "C": "emu", "D": "fox"}
ANSWERS = "AB"
"""The right label of pass 0 and of pass 1."""

L2 = {"LR": "lr", "AR": "ar", "RR": "rr", "FP-S": "fp_s", "FP-C": "fp_c", "CP": "cp"}
NAMES = {
    "LR": "Logic Reasoning",
    "AR": "Attribute Reasoning",
    "RR": "Relation Reasoning",
    "FP-S": "Fine-grained Perception (single-instance)",
    "FP-C": "Fine-grained Perception (cross-instance)",
    "CP": "Coarse Perception",
}

Cells = dict[tuple[str, ...], str]
"""What a table prints: by dataset's split, model and column."""


@dataclass(frozen=True)
class Group:
    """Questions of one ability: how many a split has."""

    split: str
    l2: str | None
    l3: str | None
    n: int

    @property
    def keys(self) -> list[str]:
        """The questions' keys."""
        return [f"{self.split}-{self.l3 or self.l2 or 'any'}-{i}" for i in range(self.n)]


def read(file: Path) -> list[dict[str, str]]:
    """The rows of a published table; the star behind a name is dropped."""
    with file.open(encoding="utf-8", newline="") as lines:
        return [{k: v.rstrip("*") for k, v in row.items()} for row in csv.DictReader(lines)]


def shown(percent: float | Fraction | None, digits: int = 1) -> str:
    """A percentage as tables print it, halves up."""
    if percent is None:
        return "-"
    exact = Decimal(str(round(float(percent), 9)))
    return str(exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


def counts_of(cell: str, n: int) -> list[int]:
    """Every k of which k/n can be printed as this cell; a half may have gone either way."""
    target = Fraction(cell)
    nearest = int(target * n / 100)
    return [
        k
        for k in range(max(nearest - 2, 0), min(nearest + 3, n) + 1)
        if abs(Fraction(100 * k, n) - target) <= Fraction(1, 20)
    ]


def question_file(path: Path, groups: Iterable[Group], passes: Mapping[str, int]) -> Path:
    """The questions in the long format, `passes` of each by split."""
    rows = [
        {
            "question_key": key,
            "question": f"Q {key}",
            "pass": step,
            **CHOICES,
            "answer": ANSWERS[step],
            "split": group.split,
            "ability_l2": group.l2,
            "ability_l3": group.l3,
        }
        for group in groups
        for key in group.keys
        for step in range(passes[group.split])
    ]
    pl.DataFrame(rows, infer_schema_length=None).write_parquet(path)
    return path


def answer_rows(
    model: str,
    group: Group,
    n_right: int,
    passes: int,
    *,
    n_lucky: int = 0,
    n_absent: int = 0,
) -> list[dict[str, Any]]:
    """A model's labels: the first `n_right` right in every pass, then `n_lucky` in pass 0 alone.

    The last `n_absent` questions are not answered.
    """
    rows = []
    for i, key in enumerate(group.keys[: group.n - n_absent]):
        for step in range(passes):
            is_right = i < n_right or (step == 0 and i < n_right + n_lucky)
            rows.append(
                {
                    "model": model,
                    "split": group.split,
                    "question_key": key,
                    "pass": step,
                    "prediction": ANSWERS[step] if is_right else "C",
                }
            )
    return rows


def model_file(path: Path, facts: Iterable[Mapping[str, Any]]) -> Path:
    """Facts about models."""
    pl.DataFrame(list(facts), infer_schema_length=None).write_csv(path)
    return path


def how_printed(paper: str, view: str) -> dict[str, Any]:
    """The entry of a view in `queries/papers/{paper}.toml`."""
    text = (ROOT / "queries" / "papers" / f"{paper}.toml").read_text(encoding="utf-8")
    entry = tomllib.loads(text)[view]
    assert isinstance(entry, dict)
    return entry


def printed(house: Warehouse, view: str, judge: str = "none") -> pl.DataFrame:
    """A view's rows under a judge, in the order that its entry asks for.

    A view is queried once for all judges: the warehouse does not change after it was made.
    """
    return _whole_view(house.path, view).filter(pl.col("judge") == judge)


@lru_cache
def _whole_view(path: Path, view: str) -> pl.DataFrame:
    order = ", ".join(how_printed(view.split("_")[0], view)["order"])
    return QuickHouse(path).sql(f"SELECT * FROM {view} ORDER BY dataset, judge, {order}")


def headings(frame: pl.DataFrame, view: str) -> list[str]:
    """The columns that are printed, as they are headed; without what is one for the whole table."""
    entry = how_printed(view.split("_")[0], view)
    aside = {"dataset", "judge", "coverage", entry.get("section"), *entry.get("hidden", ())}
    aside |= set(entry.get("star", {}).values())
    given = entry.get("headings", {})
    return [
        given.get(column, column.replace("_", " ").capitalize())
        for column in frame.columns
        if column not in aside
    ]


def cells(frame: pl.DataFrame, columns: Mapping[str, str]) -> Cells:
    """The printed cells of some columns of a view, by split, model and the paper's heading."""
    return {
        (row["dataset"].split("/")[-1], row["model"], heading): shown(row[column])
        for row in frame.iter_rows(named=True)
        for column, heading in columns.items()
    }


def published(rows: Sequence[Mapping[str, str]], names: Iterable[str], split: str | None) -> Cells:
    """The cells of a published table, in the same form."""
    return {
        (split or row["split"], row.get("vlm") or row["model"], name): row[name]
        for row in rows
        for name in names
    }


def require_equal(
    ours: Cells, paper: Cells, known: Mapping[tuple[str, ...], tuple[str, str]]
) -> None:
    """Every published cell comes out, but those that are known to differ: (ours, the paper's)."""
    assert ours.keys() == paper.keys(), ours.keys() ^ paper.keys()
    found = {k: (ours[k], paper[k]) for k in ours if ours[k] != paper[k]}
    assert found == dict(known), (found, known)
