"""What an address of a page says, checked: a word for each option, or an error that names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from queries.options import BoardOptions
from warehouse.errors import UsageError

SHOWS = ("all", "wrong", "right", "partly", "pending")
SIDES = {
    "any": "scored otherwise",
    "a": "only this one is right",
    "b": "only the other one is right",
    "both": "both are right",
    "neither": "both are wrong",
}


@dataclass(frozen=True)
class CellChoices:
    """Which questions: of an ability in a run, under a strategy and a judge, and a filter.

    `vs` is another run, `vs_judge` another judge and `vs_release` another release: of the questions
    those alone are shown that the two score as `side` says.
    """

    run: int
    ability: int = 0
    strategy: str | None = None
    judge: str = "none"
    subset: str = "all"
    release: str = "latest"
    show: str = "all"
    by: str | None = None
    pattern: str | None = None
    text: str | None = None
    vs: int | None = None
    vs_judge: str | None = None
    vs_release: str | None = None
    side: str = "any"

    @property
    def is_compared(self) -> bool:
        """Whether it has another run, judge or release next to it."""
        return any(one is not None for one in (self.vs, self.vs_judge, self.vs_release))


def address_of(chosen: BoardOptions | CellChoices) -> dict[str, object]:
    """What an address says of choices; what is as it is anyhow is left out."""
    return {
        one.name: _said(getattr(chosen, one.name))
        for one in fields(chosen)
        if getattr(chosen, one.name) != one.default
    }


def _said(value: object) -> object:
    if isinstance(value, tuple):
        return ",".join(value)
    return "on" if value is True else value


def board_choices(said: Mapping[str, str]) -> BoardOptions:
    """The options of `evalhouse leaderboard` in an address: patterns of models have commas between.

    Raises:
        UsageError: it names no benchmark.
    """
    words: dict[str, Any] = {
        one.name: said[one.name] for one in fields(BoardOptions) if said.get(one.name)
    }
    _word(said, "benchmark")
    if "top" in words:
        words["top"] = number(said, "top")
    patterns = (one.strip() for one in said.get("models", "").split(","))
    words["models"] = tuple(one for one in patterns if one)
    words["intervals"] = said.get("intervals") == "on"
    return BoardOptions(**words)


def cell_choices(said: Mapping[str, str]) -> CellChoices:
    """Those of an address.

    Raises:
        UsageError: a number is none, or a word is not among those that there are.
    """
    words: dict[str, Any] = {
        name: value
        for name, value in said.items()
        if name in {one.name for one in fields(CellChoices)} and value
    }
    found = CellChoices(
        **words
        | {
            "run": number(said, "run"),
            "ability": number(said, "ability", 0),
            "vs": number(said, "vs") if said.get("vs") else None,
        }
    )
    for name, value, known in (("show", found.show, SHOWS), ("side", found.side, tuple(SIDES))):
        if value not in known:
            raise UsageError(f"no {name} {value!r}; there are {', '.join(known)}")
    return found


def number(said: Mapping[str, str], name: str, default: int | None = None) -> int:
    """A whole number of an address.

    Raises:
        UsageError: it is missing, or none.
    """
    value = said.get(name) or ("" if default is None else str(default))
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        raise UsageError(f"the address wants a whole number for {name}, not {value!r}")
    return int(value)


def _word(said: Mapping[str, str], name: str) -> str:
    if not said.get(name):
        raise UsageError(f"the address does not say which {name}")
    return said[name]
