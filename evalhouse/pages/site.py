"""What a server keeps between requests: the warehouse's door, and pages of the file as it is now."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock, local
from typing import Any, TypeVar

import duckdb

from evalhouse.pages import page_data
from evalhouse.pages.choices import CellChoices
from evalhouse.pages.drawing import page
from evalhouse.pages.house import House
from evalhouse.pages.links import LiveLinks

_T = TypeVar("_T")
_MOST_KEPT = 64
BLOCK = 1_000
"""Questions of a cell that one query reads: several pages of them, as planning takes longer."""


@dataclass
class Kept:
    """What was found last, for as long as nobody writes to the file."""

    stamp: object = None
    found: OrderedDict[Hashable, Any] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def get(
        self,
        stamp: object,
        key: Hashable,
        make: Callable[[], _T],
        fits: Callable[[_T], bool] = lambda there: True,
    ) -> _T:
        """What was found of a key; found now where the file has changed since, or where it does not fit."""
        with self.lock:
            if stamp != self.stamp:
                self.found.clear()
                self.stamp = stamp
            if key in self.found:
                there: _T = self.found[key]
                if fits(there):
                    self.found.move_to_end(key)
                    return there
        made = make()
        with self.lock:
            if stamp == self.stamp and fits(made):
                self.found[key] = made
                while len(self.found) > _MOST_KEPT:
                    self.found.popitem(last=False)
        return made

    def has(self, stamp: object, key: Hashable) -> bool:
        """Whether it was found, and the file has not changed since."""
        with self.lock:
            return stamp == self.stamp and key in self.found


@dataclass(frozen=True)
class Site:
    """A warehouse that is served.

    One request at a time has the file open: closing it for one would give up the lock that another
    one of this process has on it. What it queries while it has it open runs on the same connection.
    """

    house: House
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    door: Lock = field(default_factory=Lock)
    open: local = field(default_factory=local)
    kept: Kept = field(default_factory=Kept)

    @property
    def links(self) -> LiveLinks:
        """Where the pages are."""
        return LiveLinks(self.house.images)

    @contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The warehouse, open for this request alone."""
        there: duckdb.DuckDBPyConnection | None = getattr(self.open, "con", None)
        if there is not None:
            yield there
            return
        with self.door, self.house.reading() as con:
            self.open.con = con
            try:
                yield con
            finally:
                self.open.con = None

    def once(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """The same as `make` gives, for as long as nobody writes to the file."""
        return self.kept.get(self.house.stamp(), key, make)

    def has(self, key: Hashable) -> bool:
        """Whether `once` has it already."""
        return self.kept.has(self.house.stamp(), key)

    def is_first(self, key: Hashable) -> bool:
        """Whether this is requested for the first time since somebody wrote to the file."""
        is_there = self.has(key)
        self.once(key, lambda: True)
        return not is_there

    def page(self, template: str, here: str, **values: object) -> str:
        """A page of HTML."""
        return page(
            template, self.links, {"here": here, "warehouse": self.house.path.name} | values
        )

    def questions(
        self, chosen: CellChoices, *, place: int = 1, around: int | None = None
    ) -> Listed:
        """Some questions of a cell, with its strategy and what it is of.

        They are kept for the next page and the next question; no cell is ever there as a whole.

        Args:
            place: in the cell, from 1; the last one where it has fewer.
            around: the question that has to be among them, instead of a place.
        """

        def ask() -> Listed:
            with self.reading() as con:
                whole, of = page_data.settled(con, chosen)
                page = (place - 1) // BLOCK + 1
                found = page_data.questions(con, whole, most=BLOCK, page=page, around=around)
                return Listed(whole, of, found)

        def fits(there: Listed) -> bool:
            return there.holds(place) if around is None else there.row(around) is not None

        def find() -> Listed:
            return self.kept.get(self.house.stamp(), ("questions", chosen), ask, fits)

        # Also where the cell has no such question, which is then known.
        return find() if around is None else self.once(("around", chosen, around), find)


@dataclass(frozen=True)
class Listed:
    """Some questions of a cell, one after the other.

    Attributes:
        chosen: the cell, with its strategy.
        of: its run and ability.
        found: the questions, each with its place among all of the cell, from 1.
    """

    chosen: CellChoices
    of: page_data.Row
    found: list[page_data.Row]

    @property
    def total(self) -> int:
        """How many the cell has."""
        return self.found[0]["n_all"] if self.found else 0

    def holds(self, place: int) -> bool:
        """Whether the question of a place is among them, or the last one where there is none."""
        if not self.found:
            return True
        first, last = self.found[0]["place"], self.found[-1]["place"]
        return bool(first <= min(place, self.total) <= last)

    def page(self, number: int, size: int) -> list[page_data.Row]:
        """Those of a page of that size, from 1."""
        return [row for row in self.found if (row["place"] - 1) // size == number - 1]

    def row(self, question_id: int) -> page_data.Row | None:
        """A question of them."""
        return next((row for row in self.found if row["question_id"] == question_id), None)
