"""A leaderboard as a value: models down, abilities across."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import pstdev

from queries import shown
from queries.choosing import CAPABILITY_LEVEL, WHOLE
from warehouse.benchmark import HALF_UP
from warehouse.later import pl

OVERALL = "Overall"
_MOST_NAMED = 3
_STRATEGIES = {
    "circular": "CircularEval",
    "vanilla": "",
    "vanilla_all": "every pass by itself",
    "graded": "graded answers",
}
"""How a person calls a strategy; a single pass is not worth a word."""


@dataclass(frozen=True)
class Cell:
    """One score: fractions, None where there is none. `best` is 1 or 2 in its column, ties
    included.

    `n` is what the score is over: questions, under vanilla_all their passes; `n_answered` those of
    them that are of questions without a missing pass, and `points` what of `n` is right, so that a
    micro average is points / n. `n_hidden` questions have no score because an answer is hidden.
    `low` and `high` differ while verdicts are pending. `margin` is half of the 95 % interval's
    width, where the board has intervals.
    """

    n: int
    n_answered: int
    points: float | None
    score: float | None
    score_answered: float | None
    low: float | None
    high: float | None
    stderr: float | None
    best: int | None = None
    margin: float | None = None
    n_hidden: int = 0


@dataclass(frozen=True)
class Reading:
    """How answers (passes) were read: how many there are (None: not counted), those that neither a rule
    nor a judge could read, those that a judge read, and those of these in which it found no choice."""

    n_answers: int | None
    n_unread: int
    n_judged: int = 0
    n_none: int = 0

    @property
    def share_none(self) -> float | None:
        """The share X of what the judge read; None: it read nothing."""
        return self.n_none / self.n_judged if self.n_judged else None


@dataclass(frozen=True)
class Line:
    """A model's run on a board, its cells in the order of the board's columns (None: empty).

    `how` is the method with what it depends on, such as `loglik sum content`. `totals` are the
    first column's fractions per judge sample (None: pending), on boards of soft scores. `ranks` are
    the best and the worst rank that the first column's sampling error leaves open, on boards with
    intervals. `average` is the first column's: an ability of the finest level has micro alone.
    `run_id` is the run's number, where the board has one run a line. `group` is the family or size of
    the model, on boards in groups. `reading` is how the answers of the first column were read, over
    whole datasets. `ended_with` is what a harness says that did not finish the run. `cells_of_answers` is
    what became of the cells of a spreadsheet that answers stood in, with how many each.
    """

    rank: int | None
    model: str
    run: str
    method: str
    cells: tuple[Cell | None, ...]
    n_pending: int
    n_fallback: int
    how: str = "generation"
    totals: tuple[float | None, ...] = ()
    ranks: tuple[int, int] | None = None
    average: str = "micro"
    run_id: int | None = None
    group: str | None = None
    reading: Reading | None = None
    ended_with: str | None = None
    cells_of_answers: Mapping[str, int] = field(default_factory=dict)

    @property
    def spread(self) -> float | None:
        """MM-Vet's ±: the population standard deviation of the totals per judge sample."""
        known = [total for total in self.totals if total is not None]
        return pstdev(known) if known and len(known) == len(self.totals) else None

    @property
    def coverage(self) -> float:
        """Share of the first column's questions that have no missing pass; under vanilla_all of
        passes."""
        cell = self.cells[0]
        return cell.n_answered / cell.n if cell else 0.0

    @property
    def n_hidden(self) -> int:
        """Questions of its columns that have no score because an answer is hidden."""
        return max((cell.n_hidden for cell in self.cells if cell is not None), default=0)


@dataclass(frozen=True)
class Board:
    """A wide table. `columns` are the abilities' abbreviations, `ability_ids` their numbers in that
    order; `rounding` is where ties go. `sorted_by` is the column that its ranks are of, where that is not
    the first; `by` is what its lines are grouped by; `n_models` how many lines it had before some of
    them were chosen (None: all are there)."""

    benchmark: str
    dataset: str
    level: str
    strategy: str
    judge: str
    release: str
    average: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...] = field(default=())
    subset: str = WHOLE
    of: str = "all"
    intervals: bool = False
    rounding: str = HALF_UP
    ability_ids: tuple[int, ...] = ()
    sorted_by: str | None = None
    by: str | None = None
    n_models: int | None = None

    def __repr__(self) -> str:
        n, m = len(self.lines), len(self.columns)
        return (
            f"<Board {self.title} · judge {self.judge}: {n:,} {'line' if n == 1 else 'lines'}, "
            f"{m:,} {'column' if m == 1 else 'columns'}>"
        )

    def _repr_html_(self) -> str:
        return shown.html(self)

    def to_polars(self) -> pl.DataFrame:
        """A row per run and column of the board: what it is under, `rank`, `model`, `run`, `column`,
        and the fields of `Cell`, unrounded fractions."""
        return shown.frame(self)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know to take its figures for what they are."""
        found = []
        n_hidden = max((line.n_hidden for line in self.lines), default=0)
        if n_hidden:
            found.append(hidden_note(n_hidden))
        if self.of == "all" and any(line.average == "macro" for line in self.lines):
            counted = "Points are of" if self.strategy == "graded" else "Right counts"
            what = "passes" if self.strategy == "vanilla_all" else "questions"
            found.append(
                f"{counted} {what}; {self.columns[0]} is a mean over abilities (macro), and no share "
                f"of them."
            )
        found += self._reading_notes()
        if self.n_models is not None and self.n_models > len(self.lines):
            found.append(
                f"{len(self.lines):,} of {self.n_models:,} models are shown; ranks are among all."
            )
        return tuple(found)

    def _reading_notes(self) -> list[str]:
        found = []
        unread = [
            (line, line.reading) for line in self.lines if line.reading and line.reading.n_unread
        ]
        if unread:
            unread.sort(key=lambda pair: -pair[1].n_unread)
            named = [
                f"{reading.n_unread:,} of {line.model}'s"
                + (f" {reading.n_answers:,} answers" if reading.n_answers else " answers")
                for line, reading in unread[:_MOST_NAMED]
            ]
            rest = len(unread) - len(named)
            more = f", and some of {rest:,} more" if rest > 0 else ""
            ask = " `evalhouse judge` asks a judge." if self.judge == "none" else ""
            found.append(f"Not read, and counted as wrong: {', '.join(named)}{more}.{ask}")
        judged = [line.reading for line in self.lines if line.reading and line.reading.n_judged]
        n_judged, n_none = sum(r.n_judged for r in judged), sum(r.n_none for r in judged)
        if n_none:
            found.append(
                f"{self.judge} found none of the choices (X) in {n_none:,} of {n_judged:,} answers."
            )
        partial = [line for line in self.lines if line.ended_with]
        if partial:
            named = [f"{line.model} ({line.ended_with})" for line in partial[:_MOST_NAMED]]
            more = f" and {len(partial) - len(named):,} more" if len(partial) > len(named) else ""
            found.append(f"Their harness did not finish the runs of {', '.join(named)}{more}.")
        return found + self._cell_notes()

    def _cell_notes(self) -> list[str]:
        """How many answers the cells of a spreadsheet did not hold as they were written."""
        found = []
        for state in sorted({state for line in self.lines for state in line.cells_of_answers}):
            named = [
                f"{line.cells_of_answers[state]:,} of {line.model}'s"
                for line in self.lines
                if state in line.cells_of_answers
            ]
            more = f", and of {len(named) - _MOST_NAMED:,} more" if len(named) > _MOST_NAMED else ""
            found.append(
                f"Answers in cells of a spreadsheet, {state}: {', '.join(named[:_MOST_NAMED])}{more}."
            )
        return found

    @property
    def title(self) -> str:
        """What the table shows, as a person would write it."""
        parts = [self.dataset.replace("/", " ")]
        if self.subset != WHOLE:
            parts.append(f"subset {self.subset}")
        name = _STRATEGIES.get(self.strategy, self.strategy.replace("group:", "groups by "))
        parts += [name] if name else []
        if self.level == CAPABILITY_LEVEL:
            parts.append("capability levels")
        elif len(self.columns) > 1:
            of = "" if self.columns[0] == OVERALL else f" of {self.columns[0]}"
            parts.append(f"{_abilities(self.level)}{of}")
        return ", ".join(parts)

    @property
    def settings(self) -> str:
        """What its figures are under, in one line."""
        # Said where it makes a difference.
        partial = any(line.coverage < 1 for line in self.lines)
        return " · ".join(
            [
                f"strategy {self.strategy}",
                f"judge {self.judge}",
                self.average,
                *([f"of {self.of} questions"] if partial or self.of != "all" else []),
                *(["± 95 %"] if self.intervals else []),
                *([f"ranks of {self.sorted_by}"] if self.is_ranked_otherwise else []),
                f"release {self.release}",
            ]
        )

    @property
    def is_ranked_otherwise(self) -> bool:
        """Whether its ranks are those of another column than the first."""
        return self.sorted_by in self.columns[1:]


def _abilities(level: str) -> str:
    number = re.fullmatch(r"l(\d+)", level)
    return f"L-{number[1]} abilities" if number else f"by {level.replace('_', ' ')}"


def hidden_note(n_questions: int) -> str:
    """Why there is a - where a score should be: so many questions have a hidden answer."""
    are = "question has a hidden answer" if n_questions == 1 else "questions have a hidden answer"
    return f"{n_questions:,} {are}: - is what they count for, which has no score."
