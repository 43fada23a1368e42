"""Which questions LLaVA's answers to MME and POPE are of, whose ids are not those of the official files.

Of MME the id is an image, of which two questions are asked, so the prompt says which. Of POPE it counts
the questions of three label files on: `adversarial` from 1, `random` from 10,000,001, `popular` from
20,000,001. A file that numbers the questions of one label file as that does is read too. In both, what
is asked has to be the question's text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import duckdb

from ingest import yes_no_keys
from ingest.names import DatasetName
from ingest.reading.probe import Probe
from ingest.settings import Settings
from warehouse import known_benchmarks, statements
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
_STEP = 10_000_000
_LLAVAS = "llava"
"""The version of MME that LLaVA's script makes."""
_OFFSETS = ("adversarial", "random", "popular")
_LABELS = {
    yes_no_keys.MME: "MME's result files (OCR.txt …: image, question, truth and answer)",
    yes_no_keys.POPE: "POPE's label files (coco_pope_random.json …)",
}

_Row = tuple[int, str, str]
"""A record's number, its id and its prompt."""
_Numbering = Callable[[str, str], str | None]
"""From an id and a prompt to the key that a question would have; None: it can have none."""


@dataclass(frozen=True)
class Found:
    """The dataset, the key of each record whose question it has, and what to say of the others."""

    dataset: DatasetName
    keys: Mapping[int, str]
    notes: tuple[str, ...]


def find(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings, named: DatasetName | None
) -> Found | None:
    """The questions of a file's answers; None: it is of another benchmark, or of somebody's own questions of
    this one, under the ids as they are.

    Args:
        named: the dataset that the path names.

    Raises:
        InputError: no question is in the warehouse, or it may be several.
    """
    benchmark = _benchmark(settings, named)
    if benchmark not in (None, *_LABELS) or not probe.has("prompt"):
        return None
    rows: list[_Row] = con.execute(
        "SELECT __row, trim(question_id), coalesce(prompt, '') FROM raw ORDER BY __row"
    ).fetchall()
    if benchmark is None and rows and all(_category(key) for _, key, _ in rows):
        benchmark = yes_no_keys.MME
    if benchmark is None:
        return None
    there: dict[str, dict[str, str]] = defaultdict(dict)
    for version, key, text in con.execute(
        _SQL["questions"], {"benchmark": benchmark, "version": settings.version}
    ).fetchall():
        there[version][key] = yes_no_keys.asked(text or "").lower()
    fitting = [
        (len(keys), -rank, version == _LLAVAS, version, keys)
        for rank, numbering in _numberings(benchmark, probe.path.stem)
        for version, texts in there.items()
        if (keys := _keys(rows, texts, numbering))
    ]
    if not fitting:
        keys_there = {"benchmark": benchmark, "keys": [key for _, key, _ in rows]}
        if con.execute(_SQL["has_own_questions"], keys_there).fetchall() == [(True,)]:
            return None
        raise InputError(
            probe.path,
            f"no question of it is in the warehouse by id and text, as {_LABELS[benchmark]} have them, "
            "with the right answers; ingest those first",
        )
    best = max(one[:3] for one in fitting)
    (version, keys), *others = (one[3:] for one in fitting if one[:3] == best)
    if others:
        other = others[0]
        raise InputError(
            probe.path,
            f"could be of {benchmark}/{version} (question {next(iter(keys.values()))}) or "
            f"{benchmark}/{other[0]} (question {next(iter(other[1].values()))}); say --version, or name "
            "random, popular or adversarial in the file's name",
        )
    notes: tuple[str, ...] = ()
    if left := [key for row, key, _ in rows if row not in keys]:
        notes = (
            f"{counted(len(left), 'answer is', 'answers are')} left out: {benchmark}/{version} has no "
            f"such question (the first is {left[0]})",
        )
    return Found(DatasetName(benchmark, version), keys, notes)


def _benchmark(settings: Settings, named: DatasetName | None) -> str | None:
    name = settings.benchmark or (named.benchmark if named else None)
    known = known_benchmarks.find(name) if name else None
    return known.name if known else name


def _numberings(benchmark: str, stem: str) -> list[tuple[int, _Numbering]]:
    """How ids may stand for keys; of those that fit equally, the one of the lowest number holds."""
    if benchmark == yes_no_keys.MME:
        return [(0, _mme_key)]
    words = re.split(r"[\W_]+", stem.lower())
    return [
        (1, _pope_key),
        *(
            (2 * (name not in words), partial(_in_category, name))
            for name in yes_no_keys.POPE_CATEGORIES
        ),
    ]


def _keys(rows: Sequence[_Row], texts: Mapping[str, str], numbering: _Numbering) -> dict[int, str]:
    """The key of each record whose question is there; none where one asks something else."""
    found = {}
    for row, number, prompt in rows:
        key = numbering(number, prompt)
        if key is None or key not in texts:
            continue
        if texts[key] != yes_no_keys.asked(prompt).lower():
            return {}
        found[row] = key
    return found


def _mme_key(number: str, prompt: str) -> str | None:
    category = _category(number)
    return None if category is None else yes_no_keys.key_of(category, number, prompt)


def _category(number: str) -> str | None:
    """The category of an id that is an image's path."""
    category, _, image = number.partition("/")
    return yes_no_keys.category_of(category) if image else None


def _pope_key(number: str, prompt: str) -> str | None:
    if not number.isdecimal() or int(number) // _STEP >= len(_OFFSETS):
        return None
    return f"{_OFFSETS[int(number) // _STEP]}/{int(number) % _STEP}"


def _in_category(category: str, number: str, prompt: str) -> str | None:
    return f"{category}/{number}"
