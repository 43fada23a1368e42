"""What a task's exact_match compares, from its settings in the results file.

    metric_list   [{metric, ignore_case, ignore_punctuation, ignore_numbers, regexes_to_ignore}]

Each expression is taken out of both texts, wherever it is found. Of a target that is a whole
solution (gsm8k) only the result is left so, and that is the reference here. Case, punctuation and
digits that are ignored are not taken out of it: they are the benchmark's rule (`rule`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ingest.messages import objects
from warehouse.benchmark_records import may_never_end

_EXACT = "exact_match"
_NUMBER = re.compile(r"\s*[-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)?(?:\.[0-9]*)?\s*")
_MOST = 20
"""Expressions of a metric; real ones have four at most."""
_LONGEST = 200
_LONGEST_TEXT = 50_000
"""Characters of a text that expressions are looked for in: `.*` takes their square."""


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

    def compared(self, text: str) -> str:
        """What is left of a text, as it stands where nothing is taken out."""
        for expression in self.expressions if len(text) <= _LONGEST_TEXT else ():
            text = expression.sub("", text)
        return text

    def rule(self, *, are_numbers: bool) -> dict[str, object]:
        """The rule of a benchmark that is scored so, as a benchmark.toml has it; empty: none.

        Args:
            are_numbers: every reference is a number, to be compared as one where expressions are
                taken out of both texts (gsm8k's commas and dollars).
        """
        if not self.is_known:
            return {}
        if self.expressions and are_numbers:
            return {"rule": "number", "tolerance": 0.0}
        return {"rule": "exact", "normaliser": "lower" if self.ignores_case else "none"}

    @property
    def ignored(self) -> list[str]:
        """What is ignored there, and not here, in words."""
        also = ["punctuation"] * self.ignores_punctuation + ["digits"] * self.ignores_numbers
        return [words for words in (", ".join(self.left), " and ".join(also)) if words]


def is_number(text: str) -> bool:
    """Whether a reference is a decimal number."""
    return _NUMBER.fullmatch(text) is not None and any(one.isdigit() for one in text)


def exact_match(config: Mapping[str, Any]) -> ExactMatch:
    """What the task's exact_match ignores, if it has one."""
    for one in objects(config.get("metric_list")):
        if one.get("metric") != _EXACT:
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
    if len(word) > _LONGEST or may_never_end(word):
        return None
    try:
        return re.compile(word)
    except (re.error, RecursionError, OverflowError):
        return None
