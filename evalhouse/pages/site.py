"""What a server keeps between requests: the warehouse's door, and pages of the file as it is now."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar

import duckdb

from evalhouse.pages import asked
from evalhouse.pages.choices import CellChoices
from evalhouse.pages.drawing import page
from evalhouse.pages.house import House
from evalhouse.pages.links import LiveLinks

_T = TypeVar("_T")
_MOST_KEPT = 64


@dataclass
class Kept:
    """What was found last, for as long as nobody writes to the file."""

    stamp: object = None
    found: OrderedDict[Hashable, Any] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)

    def get(self, stamp: object, key: Hashable, make: Callable[[], _T]) -> _T:
        """What was found of a key, found now where the file has changed since."""
        with self.lock:
            if stamp != self.stamp:
                self.found.clear()
                self.stamp = stamp
            if key in self.found:
                self.found.move_to_end(key)
                there: _T = self.found[key]
                return there
        made = make()
        with self.lock:
            if stamp == self.stamp:
                self.found[key] = made
                while len(self.found) > _MOST_KEPT:
                    self.found.popitem(last=False)
        return made


@dataclass(frozen=True)
class Site:
    """A warehouse that is served.

    One request at a time has the file open: closing it for one would give up the lock that another
    one of this process has on it.
    """

    house: House
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    door: Lock = field(default_factory=Lock)
    kept: Kept = field(default_factory=Kept)

    @property
    def links(self) -> LiveLinks:
        """Where the pages are."""
        return LiveLinks(self.house.images)

    @contextmanager
    def reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The warehouse, open for this request alone."""
        with self.door, self.house.reading() as con:
            yield con

    def once(self, key: Hashable, make: Callable[[], _T]) -> _T:
        """The same as `make` gives, for as long as nobody writes to the file."""
        return self.kept.get(self.house.stamp(), key, make)

    def page(self, template: str, here: str, **values: object) -> str:
        """A page of HTML."""
        return page(
            template, self.links, {"here": here, "warehouse": self.house.path.name} | values
        )

    def questions(self, chosen: CellChoices) -> tuple[CellChoices, asked.Row, list[asked.Row]]:
        """The questions of a cell, with its strategy and what it is of."""

        def ask() -> tuple[CellChoices, asked.Row, list[asked.Row]]:
            with self.reading() as con:
                whole, of = asked.settled(con, chosen)
                return whole, of, asked.questions(con, whole)

        return self.once(("questions", chosen), ask)
