"""Two runs compared: what a comparison holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from queries import shown
from queries.choosing import GROUP
from queries.decimals import decimals, percent
from warehouse.benchmark import HALF_UP
from warehouse.later import pl


@dataclass(frozen=True)
class Side:
    """One of the two runs."""

    run_id: int
    model: str
    run: str
    dataset: str
    dataset_id: int
    benchmark: str
    benchmark_id: int
    task: str


@dataclass(frozen=True)
class Alike:
    """Of the questions that two datasets have the keys of, those that seem not to be the same
    ones."""

    n_common: int
    n_other_answers: int
    n_other_images: int


@dataclass(frozen=True)
class Comparison:
    """Run `a` compared with run `b`: a row of `paired_difference` per ability, Overall first.

    `alike` is None where both runs are of one dataset. `board_average` is what the benchmark's
    board averages over. `rounding` is where ties go.
    `margin` is what the two were also tested to be equal within, as a fraction. `average` is micro (over
    questions) or macro (over abilities), and `cluster` the attribute of a question that clusters it; None:
    its images do. `apart` is what each question that one of the two alone has right adds to Overall's
    difference, where it is over right and wrong and they are five at most; None: else. `on_boards` are
    Overall's scores of the two on boards, where a user's release has a rule for boards that scores the
    same questions otherwise; None: they are the scores here.
    """

    a: Side
    b: Side
    level: str
    strategy: str
    judge: str
    subset: str
    release: str
    frame: pl.DataFrame
    alike: Alike | None
    board_average: str = "micro"
    rounding: str = HALF_UP
    margin: float | None = None
    average: str = "micro"
    cluster: str | None = None
    apart: Sequence[float] | None = None
    on_boards: tuple[float | None, float | None] | None = None

    def __repr__(self) -> str:
        one, two = self.names
        where = " and ".join(dict.fromkeys((self.a.dataset, self.b.dataset)))
        return (
            f"<Comparison {one} less {two} · {where} · {self.strategy} · judge {self.judge}: "
            f"{difference(self.frame.row(0, named=True), self.rounding)}>"
        )

    def _repr_html_(self) -> str:
        return shown.html(self)

    def to_polars(self) -> pl.DataFrame:
        """The rows of `paired_difference`, one per ability, Overall first; unrounded fractions."""
        return self.frame

    @property
    def group(self) -> str | None:
        """The kind of group that is compared; None: questions are."""
        return self.strategy.removeprefix(GROUP) if self.strategy.startswith(GROUP) else None

    @property
    def names(self) -> tuple[str, str]:
        """What distinguishes the two sides: the models, else the datasets, else the runs'
        labels."""
        if self.a.model != self.b.model:
            return self.a.model, self.b.model
        if self.a.dataset != self.b.dataset:
            return self.a.dataset, self.b.dataset
        return self.a.run, self.b.run


def difference(row: Mapping[str, Any], rounding: str) -> str:
    """A row of `paired_difference` in short: the difference in percentage points, its interval and p."""
    if row["difference"] is None:
        return "no difference yet"
    sign = "+" if row["difference"] > 0 else ""
    found = f"{sign}{percent(row['difference'], 2, rounding)}"
    if row["low"] is not None:
        low, high = (percent(row[side], 2, rounding) for side in ("low", "high"))
        found += f" (95 % from {low} to {high})"
    return found if row["p_value"] is None else f"{found}, p {decimals(row['p_value'], 4)}"
