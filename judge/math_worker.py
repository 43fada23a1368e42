"""A process that tells whether two expressions are equal: lines of JSON in, a verdict each out.

Started by `judge.program`, which ends it where it computes for too long. Only LaTeX is read, by
math-verify's grammar: its other reader, for plain expressions, evaluates them as code.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Sequence

SAME, OTHER, UNREADABLE = "1", "0", "unreadable"
_MOST_CHARACTERS = 20_000
_MOST_BARE = 200
_MOST_BYTES = 4 * 2**30
_MARKS = ("$", "\\(", "\\[", "\\boxed", "\\begin")
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_OTHER_LETTERS = re.compile(r"[^\W\d_]")
_SIGNS = {
    "π": r"\pi ",
    "×": r"\times ",
    "·": r"\cdot ",
    "÷": r"\div ",
    "−": "-",
    "²": "^2",
    "³": "^3",
    "°": r"^{\circ}",
}


def verdict(answer: str, references: Sequence[str]) -> str:
    """1: the answer is equal to a reference; 0: to none; unreadable: one side cannot be read."""
    from math_verify import verify

    said = _parsed(answer)
    wanted = [parsed for reference in references if (parsed := _parsed(reference))]
    if not said or not wanted:
        return UNREADABLE
    try:
        return SAME if any(_is_same(verify, one, said) for one in wanted) else OTHER
    except Exception:  # whatever the library comes upon, neither side has been compared
        return UNREADABLE


def _is_same(verify: object, wanted: object, said: object) -> bool:
    assert callable(verify)
    return bool(verify(wanted, said, timeout_seconds=None, raise_on_error=True))


def _parsed(text: str) -> list[object]:
    from math_verify import LatexExtractionConfig, parse

    text = text.strip()
    if not text or len(text) > _MOST_CHARACTERS:
        return []
    if not any(mark in text for mark in _MARKS):
        text = _last_expression(text)
        if not text:
            return []
        text = f"${text}$"
    try:
        return list(
            parse(
                text,
                extraction_config=[LatexExtractionConfig()],
                fallback_mode="no_fallback",
                parsing_timeout=None,
                raise_on_error=True,
            )
        )
    except Exception:  # the grammar's own errors, and those of what it builds
        return []


def _last_expression(text: str) -> str:
    """What follows the last word of a sentence without marks: its words would be read as products."""
    for sign, latex in _SIGNS.items():
        text = text.replace(sign, latex)
    text = _OTHER_LETTERS.sub(lambda found: found[0] if found[0].isascii() else "word ", text)
    kept: list[str] = []
    for part in reversed(text.rstrip(".,;:!? \n\t").split()):
        if _WORD.search(part):
            break
        kept.insert(0, part)
    found = " ".join(kept)
    return "" if len(found) > _MOST_BARE else found


def _limit_memory() -> None:
    """A power of powers fails before it takes the machine's memory."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))


def main() -> None:
    """Answer line by line until the input ends."""
    _limit_memory()
    # The library warns that it has no time limit of its own; the process that started this has one.
    logging.disable(logging.WARNING)
    for line in sys.stdin:
        given = json.loads(line)
        references = given["references"]
        if isinstance(references, str):
            references = [references]
        print(json.dumps(verdict(given["answer"], references)), flush=True)


if __name__ == "__main__":
    main()
