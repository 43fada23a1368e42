"""What VLMEvalKit's logs say, as its code at commit e8e78f0 writes them.

It stores a random letter as if the judge had said it, and matching by its rules under the judge's
name, so only the log shows what happened. What cannot be distinguished in it:

- a vanilla log holds the judge's reply or the text that the rules matched. The latter is known by
  being the prediction itself; where predictions changed since, an old one looks like a reply, so
  that logs count only with something that ties them to predictions;
- a circular log does not say whether a letter that was right had been drawn at random.

Texts stand in a log as they are, so that they can look like parts of it. A log that can be read in
several ways is not read, unless the run's own texts settle it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

RANDOM = "Failed to predict, thus randomly"
DOWN = "Failed in Prefetch, no GPT-based"
_API_FAILURE = "Failed to obtain answer via API."
_MAX_TRIES = 50
_FAILED_TRY = re.compile(r", (?:failed to parse|invalid score: [^\n]*)\.\n")
_TAIL = r"(?:\n|\Z)"
_LETTER = "([A-Z])"


@dataclass(frozen=True)
class Said:
    """One attempt of the judge on one pass.

    Attributes:
        text: the prediction as the log has it; None: the log does not have it.
        reply: what the judge said; None with an error: the call failed; None without: the letter
            was drawn at random.
        maybe_random: whether the log leaves open that the letter was drawn at random.
    """

    pass_number: int
    attempt: int
    text: str | None
    reply: str | None
    error: str | None
    log: str
    maybe_random: bool = False


@dataclass(frozen=True)
class Unread:
    """Why a log gives no judgment: rules (no judge was called), down (none could be), unclear.

    `former` in place of rules: they read another text than the run has; `untied`: nothing says of
    which text it is.
    """

    why: str


@dataclass(frozen=True)
class Row:
    """A pass in the prediction file, in its order: the text, and the right label if known."""

    pass_number: int
    text: str | None
    answer: str | None


def vanilla(log: str, pass_number: int, texts: Sequence[str | None]) -> Said | Unread:
    """Read `Match Log: …`.

    Args:
        log: the cell `log`.
        pass_number: the pass that the row is about.
        texts: what is known to be the prediction: the run's, and the file's own.
    """
    said = shown(log)
    if said is None:
        return Unread("unclear")
    if said.startswith(DOWN):
        return Unread("down")
    if said.startswith(RANDOM):
        return Said(pass_number, 0, None, None, None, log)
    if _plain(said) in {_plain(text) for text in texts}:
        return Unread("rules")
    return Said(pass_number, 0, None, said, None, log)


def shown(log: str) -> str | None:
    """What `Match Log: …` shows: the judge's reply, or the text that rules read; None: it is none."""
    found = re.fullmatch(r"Match Log: (.*)\.\s?", log, re.DOTALL)
    return found[1] if found else None


def circular(log: str, rows: Sequence[Row]) -> list[Said] | Unread:
    """Read the log of a whole question.

    Args:
        log: the cell `log`.
        rows: the passes of the question in the prediction file; `Rolling i` is the i-th.
    """
    if log.startswith(DOWN):
        return Unread("down")
    if log.strip() == "Succeed During Pre-fetching" or log.startswith("Failed in Prefetching"):
        return Unread("rules")
    readings = _readings(log, rows, own_texts=True) or _readings(log, rows, own_texts=False)
    if len(readings) != 1:
        return Unread("unclear")
    said = list(readings[0])
    return said or Unread("rules")


def graded(log: str, score: str | None) -> list[Said] | Unread:
    """Read the log of a soft score: attempts that failed, then `Succeed` or that all have failed.

    Where an output looks like the log itself, the reading with the shortest outputs holds.

    Args:
        log: the cell `log`.
        score: the cell `score`; None stands for nan.
    """

    @cache
    def from_attempt(place: int, number: int) -> tuple[Said, ...] | None:
        if log[place:].strip() == "Succeed":
            grade = "nan" if score is None else str(float(score))
            return (Said(0, number, None, grade, None, log[place:].strip()),)
        if log[place:].strip() == f"All {number} retries failed.":
            return ()
        head = f"Try {number}: output is "
        if number > _MAX_TRIES or not log.startswith(head, place):
            return None
        for end in _FAILED_TRY.finditer(log, place + len(head)):
            rest = from_attempt(end.end(), number + 1)
            if rest is not None:
                output = log[place + len(head) : end.start()]
                failed = _API_FAILURE in output
                reply, error = (None if failed else output), (output if failed else None)
                line = log[place : end.end()].rstrip("\n")
                return (Said(0, number, None, reply, error, line), *rest)
        return None

    found = from_attempt(0, 0)
    return list(found) if found else Unread("unclear")


def _readings(log: str, rows: Sequence[Row], *, own_texts: bool) -> list[tuple[Said, ...]]:
    """The ways to read a circular log, two at most.

    Args:
        own_texts: only with the run's own texts in their places.
    """

    @cache
    def from_row(place: int, number: int) -> tuple[tuple[Said, ...], ...]:
        if number == len(rows):
            return ((),) if not log[place:].strip() else ()
        found: list[tuple[Said, ...]] = []
        matched = re.compile(rf"Rolling {number} Matched\.{_TAIL}").match(log, place)
        if matched:
            found += from_row(matched.end(), number + 1)
        row = rows[number]
        text = re.escape("nan" if row.text is None else row.text) if own_texts else None
        for said, end in _rolling(log, place, number, row, text):
            found += [(said, *rest) for rest in from_row(end, number + 1)]
            if len(found) > 1:
                return tuple(found[:2])
        # The first wrong letter is the log's last word.
        found += [(said,) for said in _failed_rolling(log, place, number, row, text)]
        return tuple(found[:2])

    return list(from_row(0, 0))


def _rolling(
    log: str, place: int, number: int, row: Row, text: str | None
) -> Iterator[tuple[Said, int]]:
    head = rf"Rolling {number}: Answer is {row.answer or '[A-Z]'}, Prediction is "
    for before, letter, end in _splits(
        log, place, head, text, rf", Pre-fetched is {_LETTER}\.{_TAIL}"
    ):
        line = log[place:end].rstrip("\n")
        reply = "X" if letter == "Z" else letter
        yield Said(row.pass_number, 0, before, reply, None, line, maybe_random=True), end


def _failed_rolling(
    log: str, place: int, number: int, row: Row, text: str | None
) -> Iterator[Said]:
    head = rf"Failed in Rolling {number}: Answer is {row.answer or '[A-Z]'}; Prediction is "
    tail = rf"; Pre-fetched is {_LETTER}; Match Log is "
    for before, _, end in _splits(log, place, head, text, tail):
        match_log = re.sub(r"\.\s*\Z", "", log[end:])
        if match_log.startswith(DOWN):
            continue
        reply = None if match_log.startswith(RANDOM) else match_log
        yield Said(row.pass_number, 0, before, reply, None, log[place:].rstrip("\n"))


def _splits(
    log: str, place: int, head: str, text: str | None, tail: str
) -> Iterator[tuple[str, str, int]]:
    """The ways to split a log into a head, a text and a tail with a letter; and the tail's end."""
    begun = re.compile(head).match(log, place)
    if begun is None:
        return
    if text is not None:
        found = re.compile(f"({text}){tail}").match(log, begun.end())
        if found:
            yield found[1], found[2], found.end()
        return
    for found in re.compile(tail).finditer(log, begun.end()):
        yield log[begun.end() : found.start()], found[1], found.end()


def are_same(one: str | None, other: str | None) -> bool:
    """Whether two texts, or logs, differ by nothing but what spreadsheets make of one."""
    return _plain(one) == _plain(other)


def _plain(text: str | None) -> str:
    """A text for comparison: spreadsheets change white space, and pandas writes nan for nothing."""
    return " ".join((text or "nan").replace("_x000D_", " ").split()) or "nan"
