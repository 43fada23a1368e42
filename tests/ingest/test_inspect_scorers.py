"""The rules of Inspect's scorers includes, match, exact and f1, against plain Python and in its figures."""

from __future__ import annotations

import random
import re
import shutil
import statistics
import string
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from evalhouse import Warehouse
from tests.houses import QuickHouse
from tests.inspect_logs import figures, head, load, sample, scored
from tests.inspect_readings import READ, load_readings

_MARKS = string.whitespace + string.punctuation
_WORDS = (
    "the",
    "cat",
    "Cat,",
    "(5.0)",
    "a",
    "dog.",
    "5",
    "5.0",
    "$1,000",
    "1000",
    "STRASSE",
    "straße",
    "well-known",
    "\n",
    "é",
    "Σς",
    "(",
    "!",
)
_RANDOM = random.Random(17)


def _text(most: int) -> str:
    return " ".join(_RANDOM.choice(_WORDS) for _ in range(_RANDOM.randint(1, most)))


def _number(text: str) -> str | None:
    try:
        return str(float(text))
    except ValueError:
        return None


def _words(text: str, *, is_new: bool) -> list[str]:
    """As Inspect documents it: between spaces and hyphens, no marks, no articles, numbers as numbers."""
    found: list[str] = []
    for part in re.split("[ -]", text.casefold()):
        bare = "".join(one for one in part if one not in string.punctuation)
        inner = _number(part.strip(_MARKS)) if is_new else None
        found += (_number(part) or inner or _number(bare) or bare).split()
    return [word for word in found if word not in ("a", "an", "the")]


def _f1(text: str, target: str, *, is_new: bool) -> float:
    """Words count as often as they stand there since 0.3.270, and once before."""
    ours, theirs = (Counter(_words(one, is_new=is_new)) for one in (text, target))
    if not is_new:
        ours, theirs = Counter(set(ours)), Counter(set(theirs))
    elif not theirs:
        return 0.0
    common = (ours & theirs).total()
    precision = common / ours.total() if ours else 1.0
    recall = common / theirs.total() if theirs else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _exact(text: str, target: str, *, is_new: bool) -> float:
    """The words in order since 0.3.253, as sets before."""
    ours, theirs = (_words(one, is_new=is_new) for one in (text, target))
    return float(bool(theirs) and ours == theirs if is_new else set(ours) == set(theirs))


def _match(text: str, target: str, location: str) -> bool:
    text, target = (one.strip().casefold().strip(_MARKS) for one in (text, target))
    return {
        "begin": text.startswith(target),
        "end": text.endswith(target),
        "any": target in text,
        "exact": text == target,
    }[location]


def _log(
    name: str, location: str | None, said: list[tuple[str, list[str]]]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A log with the scores that plain Python gives."""
    is_new = name != "old"
    rules: dict[str, Callable[[str, str], float]] = {
        "includes": lambda text, target: float(target.casefold() in text.casefold()),
        "exact": partial(_exact, is_new=is_new),
        "f1": partial(_f1, is_new=is_new),
        "match": lambda text, target: float(_match(text, target, location or "end")),
    }
    samples, values = [], {rule: [] for rule in rules}  # type: ignore[var-annotated]
    for n, (text, targets) in enumerate(said):
        for rule, score in rules.items():
            values[rule].append(round(max(score(text, one) for one in targets), 2))
        scores = {rule: scored(values[rule][-1]) for rule in rules}
        samples.append(sample(f"{name}{n}", text, target=targets, scores=scores))
    results = figures(*((rule, None, {"mean": statistics.mean(of)}) for rule, of in values.items()))
    options = {"location": location} if location else {}
    scorers = [{"name": rule, "options": options if rule == "match" else {}} for rule in rules]
    version = {} if is_new else {"packages": {"inspect_ai": "0.3.138"}}
    return samples, head(name, scorers=scorers, log_results=results, **version)


@pytest.fixture(scope="module")
def ruled(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    path = tmp_path_factory.mktemp("ruled") / "warehouse.duckdb"
    shutil.copy(new_file, path)
    house = QuickHouse(path)
    for name, location in (("usual", None), ("old", "begin"), ("any", "any"), ("exact", "exact")):
        said = [(_text(5), [_text(2) for _ in range(_RANDOM.randint(1, 2))]) for _ in range(60)]
        said += [
            ("a cat", ["The Cat!"]),
            ("x", ["the"]),
            ("It is 1,000", ["1000"]),
            ("cat dog", ["dog cat"]),
            ("(3.14)", ["314"]),
            ("dog dog dog", ["dog"]),
        ]
        load(house, f"{name}.eval", *_log(name, location, said))
    return house


@pytest.mark.slow
def test_answers_are_scored_as_plain_python_does(ruled: Warehouse) -> None:
    rows = ruled.sql(
        "SELECT metric, dataset, question, published, ours, reason FROM harness_sample_difference "
        "WHERE NOT is_same"
    ).rows()
    assert rows == []
    kinds = ruled.sql(
        "SELECT metric, scorer_rule, count(*), count(DISTINCT ours) FROM harness_sample_difference "
        "GROUP BY ALL ORDER BY 1"
    ).rows()
    assert [row[:3] for row in kinds] == [
        (name, name, 264) for name in ("exact", "f1", "includes", "match")
    ]
    # Each gives right and wrong, and f1 what is between.
    assert (kinds[0][3], kinds[2][3], kinds[3][3]) == (2, 2, 2)
    assert kinds[1][3] > 4


@pytest.mark.slow
def test_figures_are_the_same_and_say_what_the_own_rule_makes_of_them(ruled: Warehouse) -> None:
    found = ruled.differences()
    assert found.height == 16
    assert found["is_same"].all()
    notes = found.filter(metric="mean", filter="includes")["note"].to_list()
    own = ruled.sql(
        "SELECT run_id, count(*) FROM harness_sample_difference "
        "WHERE metric = 'includes' AND abs(by_rules - ours) > 1e-6 GROUP BY run_id"
    ).rows()
    said = {f"the rule of the benchmark scores {n} of 66 samples otherwise" for _, n in own}
    assert {note for note in notes if note} == said


@pytest.mark.slow
def test_what_no_rule_here_follows_has_a_reason(house: Warehouse) -> None:
    scores = {"f1": scored(0.5), "pattern": scored("C", "yes")}
    scorers = [
        {"name": "f1", "options": {"answer_fn": "last_line"}},
        {"name": "pattern", "options": {"pattern": "(a) (b)", "match_all": True}},
    ]
    results = figures(*((name, None, {"mean": 1.0}) for name in scores))
    load(
        house,
        "other.eval",
        [sample("a", "it is 5", target="five", scores=scores)],
        head("other", scorers=scorers, log_results=results),
    )
    found = {row["filter"]: row for row in house.differences().filter(metric="mean").to_dicts()}
    samples = {row["metric"]: row["reason_kind"] for row in house.sample_differences().to_dicts()}
    assert samples == {"f1": "scorer_settings", "pattern": "scorer_settings"}
    assert set(found) == set(samples)
    assert not any(row["is_same"] for row in found.values())


@pytest.mark.slow
def test_what_scorers_read_is_compared_with_their_settings(house: Warehouse) -> None:
    load_readings(house)
    rows = house.sql(
        "SELECT dataset, ours, is_same FROM harness_sample_difference ORDER BY run_id"
    ).rows()
    assert rows == [(f"task{n}", value, True) for n, (*_, value) in enumerate(READ)]
    assert house.differences()["is_same"].all()
