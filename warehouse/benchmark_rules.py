"""What scoring knows of a benchmark: rules, groups and named figures, in its `benchmark.toml`.

[[rule]]      rule, normaliser, tolerance; where = { attribute, value }: the questions it is for
[[group]]     name, counts (all or mean); key: a list of parts, each an attribute (or the question's
              own key) and a pattern, or size or modulo of the question's place
[[figure]]    name, aggregate, strategy, level, scale, parts; metrics: what harnesses call it
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from warehouse.errors import shown
from warehouse.tables import WORDS
from warehouse.toml_table import Table, twice

RULES = tuple(WORDS["benchmark_rule.rule"])
_STRATEGIES = ("vanilla", "circular", "vanilla_all", "graded")
_OF_GROUP = "group:"
_LONGEST_PATTERN = 200


@dataclass(frozen=True)
class Rule:
    """How an answer becomes a verdict, for the questions whose attribute has a value."""

    rule: str
    attribute: str | None = None
    value: str | None = None
    normaliser: str | None = None
    tolerance: float | None = None


@dataclass(frozen=True)
class KeyPart:
    """A part of a group's key; see the table benchmark_group."""

    attribute: str | None = None
    pattern: str | None = None
    size: int | None = None
    modulo: int | None = None


@dataclass(frozen=True)
class Group:
    """Questions that count together: those with the same key."""

    name: str
    counts: str
    key: tuple[KeyPart, ...]


@dataclass(frozen=True)
class Figure:
    """A named figure; see the table benchmark_figure."""

    name: str
    aggregate: str
    strategy: str | None = None
    level: str | None = None
    scale: float = 1.0
    parts: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scoring:
    """All that a benchmark says of how it is scored; empty: by its strategy and average alone."""

    rules: tuple[Rule, ...] = ()
    groups: tuple[Group, ...] = ()
    figures: tuple[Figure, ...] = ()


UNSAID = Scoring()
"""Of a benchmark that says nothing of it."""


def scoring(given: Table, levels: Sequence[str]) -> Scoring:
    """What a benchmark's file says of its scoring.

    Args:
        levels: the names of its levels.

    Raises:
        InputError: it says what cannot be; the message names the key and the row.
    """
    rules = tuple(_rule(one) for one in given.tables("rule"))
    groups = tuple(_group(one) for one in given.tables("group"))
    repeated = twice([group.name for group in groups])
    if repeated is not None:
        raise given.error("group", f"{repeated!r} stands twice")
    figures: list[Figure] = []
    for one in given.tables("figure"):
        figures.append(_figure(one, levels, [group.name for group in groups], figures))
    return Scoring(rules, groups, tuple(figures))


def _rule(given: Table) -> Rule:
    given.allow({"rule", "normaliser", "tolerance", "where"})
    where = given.given.get("where", {})
    if not isinstance(where, dict) or (where and set(where) != {"attribute", "value"}):
        raise given.error("where", "is a table of attribute and value")
    of_questions = Table(where, given.path, f"{given.place}.where", given.row)
    return Rule(
        rule=given.choice("rule", RULES),
        attribute=of_questions.word_if("attribute"),
        value=of_questions.word_if("value"),
        normaliser=given.word_if("normaliser"),
        tolerance=given.number("tolerance", at_least=0),
    )


def _group(given: Table) -> Group:
    given.allow({"name", "counts", "key"})
    parts = given.tables("key")
    if not parts:
        raise given.error("key", "is missing: what questions of one group have in common")
    return Group(
        given.word("name"),
        given.choice("counts", tuple(WORDS["benchmark_group.counts"]), "all"),
        tuple(_key_part(one) for one in parts),
    )


def _key_part(given: Table) -> KeyPart:
    given.allow({"attribute", "pattern", "size", "modulo"})
    if not given.given:
        raise given.error("attribute", "is missing, and so are pattern, size and modulo")
    pattern = given.word_if("pattern")
    if pattern is not None:
        try:
            n_groups = re.compile(pattern).groups
        except (re.error, OverflowError, RecursionError) as error:
            raise given.error("pattern", f"is no regular expression: {error}") from error
        if n_groups < 1 or len(pattern) > _LONGEST_PATTERN:
            raise given.error(
                "pattern", f"has no (…) around the part, or more than {_LONGEST_PATTERN} characters"
            )
    return KeyPart(
        given.word_if("attribute"),
        pattern,
        given.whole("size", at_least=2),
        given.whole("modulo", at_least=2),
    )


def _figure(
    given: Table, levels: Sequence[str], groups: Sequence[str], before: Sequence[Figure]
) -> Figure:
    given.allow({"name", "aggregate", "strategy", "level", "scale", "parts", "metrics"})
    name = given.word("name")
    if any(figure.name == name for figure in before):
        raise given.error("name", f"{shown(name)!r} is a figure already")
    strategy = given.word_if("strategy")
    of_group = strategy is not None and strategy.startswith(_OF_GROUP)
    if strategy is not None and (
        strategy.removeprefix(_OF_GROUP) not in groups if of_group else strategy not in _STRATEGIES
    ):
        known = (*_STRATEGIES, *(f"{_OF_GROUP}{group}" for group in groups))
        raise given.error("strategy", f"{shown(strategy)!r} is none of {', '.join(known)}")
    level = given.word_if("level")
    if level is not None and level not in levels:
        raise given.error("level", f"{shown(level)!r} is no level; there are {', '.join(levels)}")
    parts = given.words("parts") or ()
    for part in parts:
        if not any(figure.name == part for figure in before):
            raise given.error("parts", f"{shown(part)!r} is no figure above this one")
    aggregate = given.choice("aggregate", tuple(WORDS["benchmark_figure.aggregate"]))
    needs_parts = aggregate in ("mean", "total")
    can_have_parts = needs_parts or (aggregate in ("macro", "sum") and level is not None)
    if (needs_parts and (not parts or level)) or (parts and not can_have_parts):
        raise given.error("parts", "are for mean and total, and for macro and sum over a level")
    scale = given.number("scale", at_least=0)
    metrics = given.words("metrics") or ()
    factor = 1.0 if scale is None else scale
    return Figure(name, aggregate, strategy, level, factor, parts, metrics)
