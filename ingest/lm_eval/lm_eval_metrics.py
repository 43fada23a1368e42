"""What lm-evaluation-harness's exact_match compares, from the task's settings in the results file.

    metric_list   [{metric, ignore_case, ignore_punctuation, ignore_numbers, regexes_to_ignore}]

Each expression is taken out of both texts, wherever it is found. Of a target that is a whole
solution (gsm8k) only the result is left so, and that is the reference here. Case, punctuation and
digits that are ignored are not taken out of it: they are the benchmark's rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

_EXACT = "exact_match"
_MOST = 20
"""Expressions of a metric; real ones have four at most."""
_LONGEST = 200
_LONGEST_TEXT = 50_000
"""Characters of a text that expressions are looked for in: `.*` takes their square."""
_REPEATED = re.compile(r"[*+}]\)?[*+{]|\([^)]*[*+][^)]*\)[*+{]")
"""A repetition of what repeats, which can take for ever on some texts."""


@dataclass(frozen=True)
class ExactMatch:
    """What exact_match ignores.

    Attributes:
        is_known: whether the results file says so.
        left: expressions that are not applied here, since they cannot be read or may never end.
    """

    is_known: bool = False
    expressions: tuple[re.Pattern[str], ...] = ()
    ignores_case: bool = False
    ignores_punctuation: bool = False
    ignores_numbers: bool = False
    left: tuple[str, ...] = ()

    @property
    def compared(self) -> Callable[[str], str]:
        """What is left of a text, as it stands where nothing is taken out."""
        return self._without if self.expressions else str

    def _without(self, text: str) -> str:
        if len(text) > _LONGEST_TEXT:
            return text
        for expression in self.expressions:
            text = expression.sub("", text)
        return text


def exact_match(config: Mapping[str, Any]) -> ExactMatch:
    """What the task's exact_match ignores, if it has one."""
    listed = config.get("metric_list")
    for one in listed if isinstance(listed, list) else ():
        if not isinstance(one, dict) or one.get("metric") != _EXACT:
            continue
        written = one.get("regexes_to_ignore")
        words = [word for word in written if isinstance(word, str)] if isinstance(written, list) else []  # fmt: skip
        read = [(word, _expression(word)) for word in words[:_MOST]]
        return ExactMatch(
            is_known=True,
            expressions=tuple(found for _, found in read if found is not None),
            ignores_case=one.get("ignore_case") is True,
            ignores_punctuation=one.get("ignore_punctuation") is True,
            ignores_numbers=one.get("ignore_numbers") is True,
            left=(*(word for word, found in read if found is None), *words[_MOST:]),
        )
    return ExactMatch()


def _expression(word: str) -> re.Pattern[str] | None:
    if len(word) > _LONGEST or _REPEATED.search(word):
        return None
    try:
        return re.compile(word)
    except (re.error, RecursionError, OverflowError):
        return None
