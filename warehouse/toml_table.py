"""A table of a TOML file that is read key by key, with errors that name file, row and key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from warehouse.errors import InputError, shown

LONGEST_WORD = 200


@dataclass(frozen=True)
class Table:
    """A table of the file, read key by key. `place` and `row` say where it stands in a list."""

    given: Mapping[str, Any]
    path: str
    place: str | None = None
    row: int | None = None

    def error(self, key: str, problem: str) -> InputError:
        """The error of a key."""
        name = f"{self.place}.{key}" if self.place else key
        return InputError(self.path, problem, row=self.row, field=name)

    def allow(self, keys: set[str]) -> None:
        for key in self.given:
            if key not in keys:
                raise self.error(key, f"is not known here; there are {', '.join(sorted(keys))}")

    def word_if(self, key: str) -> str | None:
        return self._word(key, self.given[key]) if key in self.given else None

    def word(self, key: str) -> str:
        if key not in self.given:
            raise self.error(key, "is missing")
        return self._word(key, self.given[key])

    def flag(self, key: str) -> bool:
        """True or false; False: the key is not there."""
        found = self.given.get(key, False)
        if not isinstance(found, bool):
            raise self.error(key, "is neither true nor false")
        return found

    def choice(self, key: str, choices: Sequence[str], default: str | None = None) -> str:
        found = self.word(key) if default is None else self.word_if(key) or default
        if found not in choices:
            raise self.error(key, f"{shown(found)!r} is none of {', '.join(choices)}")
        return found

    def words(self, key: str) -> tuple[str, ...] | None:
        if key not in self.given:
            return None
        found = self.given[key]
        if not isinstance(found, list):
            raise self.error(key, "is no list of texts")
        return tuple(self._word(key, one) for one in found)

    def lowered(self, key: str) -> tuple[str, ...] | None:
        """Texts in lower case, each once."""
        found = self.words(key)
        if found is None:
            return None
        lowered = tuple(one.lower() for one in found)
        repeated = twice(lowered)
        if repeated is not None:
            raise self.error(key, f"{repeated!r} stands twice")
        return lowered

    def number(self, key: str, *, at_least: float) -> float | None:
        """A number that is not smaller than `at_least`; None: the key is not there."""
        if key not in self.given:
            return None
        found = self.given[key]
        if isinstance(found, bool) or not isinstance(found, int | float) or not isfinite(found):
            raise self.error(key, f"{shown(repr(found))} is no number")
        if found < at_least:
            raise self.error(key, f"{found} is below {at_least:g}")
        return float(found)

    def whole(self, key: str, *, at_least: int) -> int | None:
        """A whole number of at most 30,000; None: the key is not there."""
        found = self.number(key, at_least=at_least)
        if found is not None and (found != int(found) or found > 30_000):
            raise self.error(key, f"{found:g} is no whole number of at most 30,000")
        return None if found is None else int(found)

    def words_by_word(self, key: str) -> Mapping[str, str]:
        found = self.given.get(key, {})
        if not isinstance(found, dict):
            raise self.error(key, "is no table of texts")
        return {self._word(key, name).lower(): self._word(key, one) for name, one in found.items()}

    def tables(self, key: str) -> tuple[Table, ...]:
        found = self.given.get(key, [])
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise self.error(key, f"is written [[{key}]]")
        return tuple(Table(one, self.path, key, row) for row, one in enumerate(found, start=1))

    def _word(self, key: str, value: object) -> str:
        if not isinstance(value, str):
            raise self.error(key, f"{shown(repr(value))} is no text")
        if not value.strip() or value != value.strip() or not value.isprintable():
            raise self.error(
                key,
                f"{shown(repr(value))} is blank, has blanks around it, or signs that do not print",
            )
        if len(value) > LONGEST_WORD:
            raise self.error(key, f"has {len(value):,} characters, at most {LONGEST_WORD} can be")
        return value


def twice(words: Sequence[str]) -> str | None:
    """The first word that stands twice; None: each stands once."""
    return next((word for n, word in enumerate(words) if word in words[:n]), None)
