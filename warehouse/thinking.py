"""How answers mark a model's thinking, which rules do not read, where their marks are not the usual ones."""

from __future__ import annotations

from warehouse.errors import UsageError

NONE, KNOWN = "none", "known"
"""Answers are read whole; the marks that a release knows, and no others."""
_BETWEEN = "..."


def settled(given: str, *, of_run: bool = False) -> str:
    """What somebody says of marks, as it is stored: none, `OPEN ... CLOSE`, of a run also known.

    Raises:
        UsageError: it is neither.
    """
    word = given.strip()
    if word == NONE or (of_run and word == KNOWN):
        return word
    opens, between, closes = (part.strip() for part in word.partition(_BETWEEN))
    if not between or not closes or _BETWEEN in closes or opens == closes:
        words = f"{NONE}, {KNOWN}" if of_run else NONE
        raise UsageError(
            f"thinking is {words} or OPEN {_BETWEEN} CLOSE, such as '<reason> {_BETWEEN} </reason>', "
            f"not {given!r}"
        )
    return f"{opens} {_BETWEEN} {closes}".strip()
