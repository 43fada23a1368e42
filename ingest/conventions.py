"""Conventions of MMBench and MM-Vet that tasks of their questions keep: passes in ids, categories.

An id is a question's own plus a million times the pass of CircularEval. `l2-category` and `category` are
levels of abilities of choices, `capability` those of open questions, of which `category` is the level
`category` otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import partial
from pathlib import Path

from ingest.indexed_rows import PASS_STEP
from ingest.sample import Ability, Sample
from warehouse.benchmark import Benchmark
from warehouse.errors import InputError

_CAPABILITIES = ("capability", "capabilities")
_MOST_PASSES = 32_767
_File = Callable[[str | None], Iterator[Ability]]
"""From an attribute's value to the abilities that it names."""


def settled(
    path: Path,
    keys: Set[str],
    field: str,
    known: Benchmark | None,
    samples: Sequence[Sample],
    *,
    is_open: bool,
) -> list[Sample]:
    """The samples with passes taken out of their ids, and their questions' categories as abilities.

    Args:
        keys: all that were to be asked; those of the samples may be a part of them.
        field: what the file calls a key.
        known: the benchmark; None: nobody has heard of it.
        is_open: the questions have no choices.

    Raises:
        InputError: a pass is out of range.
    """
    found = list(samples)
    if not is_open and _is_circular(keys | {one.key for one in samples}, known):
        found = [_with_pass(path, field, one) for one in samples]
        found.sort(key=lambda one: one.pass_)
    base: dict[tuple[str | None, str], int] = {}
    for place, one in enumerate(found):
        base.setdefault((one.split, one.key), place)
    every = [found[place].attributes for place in base.values()]
    filed = _filed(every, known, is_open=is_open)
    for place in base.values():
        one = found[place]
        found[place] = replace(
            one,
            abilities=tuple(
                ability for name, how in filed.items() for ability in how(one.attributes.get(name))
            ),
            attributes={k: value for k, value in one.attributes.items() if k not in filed},
        )
    return found


def _is_circular(ids: Set[str], known: Benchmark | None) -> bool:
    """Whether ids are a question's plus a million times the pass.

    They are if for each id from a million on, the id a million below is there too. A benchmark with
    passes is known to have such ids.
    """
    if not all(one.isascii() and one.isdigit() and len(one) < 16 for one in ids):
        return False
    if known is not None and known.strategy == "circular":
        return True
    numbers = {int(one) for one in ids}
    later = [one for one in numbers if one >= PASS_STEP]
    return bool(later) and all(one - PASS_STEP in numbers for one in later)


def _with_pass(path: Path, field: str, one: Sample) -> Sample:
    pass_, key = divmod(int(one.key), PASS_STEP)
    if pass_ > _MOST_PASSES:
        problem = f"pass {pass_} of question {key} is out of range"
        raise InputError(path, problem, row=one.row, field=field)
    return replace(one, key=str(key), pass_=pass_)


def _filed(
    every: Sequence[Mapping[str, str]], known: Benchmark | None, *, is_open: bool
) -> dict[str, _File]:
    """The attributes of questions that are their categories, each with how it files a question."""
    names = {name for one in every for name in one}
    if is_open:
        has_capabilities = known is not None and known.has_level("capability")
        listed = (*_CAPABILITIES, *["category"] * has_capabilities)
        capability = next((name for name in listed if name in names), None)
        if capability is not None:
            return {capability: partial(_capabilities, f"metadata.{capability}")}
        return {"category": partial(_category, "category", "category", 0)}
    above: dict[str, set[str]] = {}
    for one in every:
        if "category" in one and "l2-category" in one:
            above.setdefault(one["category"].lower(), set()).add(one["l2-category"].lower())
    is_tree = all(len(each) == 1 for each in above.values())
    found: dict[str, _File] = {"category": partial(_category, "category", "l3", 1)}
    if is_tree or known is not None:
        found["l2-category"] = partial(_category, "l2-category", "l2", 0)
    return found


def _category(field: str, level: str, depth: int, value: str | None) -> Iterator[Ability]:
    if value is not None:
        yield Ability(level, value, field, depth)


def _capabilities(field: str, value: str | None) -> Iterator[Ability]:
    """MM-Vet's: each capability, and their combination. A list comes as JSON."""
    listed = re.sub(r'[\[\]"]', "", value or "").split(",")
    found = sorted({name.strip(" ").lower() for name in listed} - {""})
    yield from (Ability("capability", name, field) for name in found)
    if found:
        yield Ability("integration", "_".join(found), field)
