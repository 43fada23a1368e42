"""The reader of choices, on answers whose readings are known, and by properties of its own."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from bench import answers
from bench.answers import Known
from queries import release as releases
from tests.tables import set_benchmark

_LEAST = {
    "given": (0.97, 0.005, 0.02),
    "english": (0.91, 0.035, 0.05),
    "languages": (0.93, 0.02, 0.06),
    "mixed": (0.95, 0.01, 0.02),
    "more": (0.94, 0.01, 0.02),
    "last": (0.91, 0.03, 0.04),
    "rounds": (0.95, 0.015, 0.03),
}
"""Of each file the least share of stated choices that is read, and the most that is read wrong: of
readings, and of answers that state none."""
_NEUTRAL = "The picture is quite sharp."


@pytest.fixture(scope="module")
def given(shared: Path) -> list[Known]:
    """The answers that the project was given."""
    return answers.load([shared / "field" / "readings.jsonl"])


def _read(folder: Path, known: Iterable[Known]) -> dict[str, str | None]:
    """What field_v2 reads in some answers, by their keys."""
    house = answers.warehouse(folder / "readings.duckdb", list(known))
    return answers.of_releases(house.path, ["field_v2"])["field_v2"]


@pytest.mark.parametrize("name", _LEAST)
def test_it_reads_what_is_stated(name: str, shared: Path, tmp_path: Path) -> None:
    own = answers.OWN / f"{name}.jsonl"
    known = answers.load([shared / "field" / "readings.jsonl" if name == "given" else own])
    found = answers.quality(known, _read(tmp_path, known))
    read, error, made_up = _LEAST[name]
    assert found.read >= read, found
    assert found.error <= error, found
    assert found.made_up <= made_up, found


@pytest.mark.slow
def test_no_other_release_reads_better(given: list[Known], tmp_path: Path) -> None:
    house = answers.warehouse(tmp_path / "readings.duckdb", given, answers.RELEASES)
    found = {
        name: answers.quality(given, its) for name, its in answers.of_releases(house.path).items()
    }
    best = found.pop("field_v2")
    assert all(other.read < best.read and other.error > best.error for other in found.values())


_ANIMALS = {"A": "cat", "B": "dog", "C": "bird", "D": "fish"}
_NUMBERS = {"A": "2", "B": "3", "C": "4", "D": "5"}
_TWO = {"A": "cat", "B": "dog"}
_SEVERAL = [
    # A number is a choice's text before it counts choices.
    (_NUMBERS, "The answer is 3.", "B"),
    (_NUMBERS, "Final answer: **4**.", "C"),
    ({"A": "4", "B": "6", "C": "8", "D": "10"}, "The answer is 8.", "C"),
    (_ANIMALS, "The answer is 3.", "C"),
    (_ANIMALS, "First, let's look at the image. It has feathers, so it is a bird.", "C"),
    (_ANIMALS, "First, let me describe the image.", None),
    # What is denied of a thing rules it out as little as what is said of another choice states it.
    (_TWO, "The cat is not sleeping.", "A"),
    (_TWO, "There is no doubt that it is a cat.", "A"),
    (_TWO, "It is nothing but a dog.", "B"),
    (_TWO, "It's not a cat.", "B"),
    (_ANIMALS, "It looks like the dog to me.", "B"),
    (_ANIMALS, "The answer is B. The cat on the right is asleep.", "B"),
    (_ANIMALS, "My answer is B, though A is also a correct description.", "B"),
    (_ANIMALS, "One might think the answer is A, but it's actually B.", "B"),
    (_ANIMALS, "Let's check whether the answer is B.", None),
    (_ANIMALS, "如果答案是A，那么…", None),
    (_ANIMALS, "A - incorrect\nB - incorrect\nC - incorrect\nD - correct", "D"),
    ({"A": "10", "B": "20", "C": "30", "D": "40"}, "图中有三十个苹果。", None),
    ({"A": "5", "B": "50", "C": "500", "D": "5000"}, "There are five hundred seats.", "C"),
    (_ANIMALS, "The White House is in Washington, D.C.", None),
]  # fmt: skip


def test_what_readers_stumbled_over(tmp_path: Path) -> None:
    known = [
        Known(str(n), "", "", choices, text, wanted)
        for n, (choices, text, wanted) in enumerate(_SEVERAL)
    ]
    read = _read(tmp_path, known)
    assert [(one.text, read[one.key]) for one in known] == [(one.text, one.read) for one in known]


def test_a_sentence_that_states_nothing_changes_no_reading(
    given: list[Known], tmp_path: Path
) -> None:
    """A line of its own, before or after it; but not within JSON, a table, or thinking that never ends."""
    # A single sentence that denies answers a question of yes or no, and only where it stands alone.
    whole = [
        one
        for one in given
        if not one.text.lstrip().startswith(("{", "|", "<think>", "```"))
        and one.key not in ("A0020", "A0083", "A0199")
    ]
    read = _read(
        tmp_path,
        [
            replace(one, key=f"{one.key} {place}", text=text)
            for one in whole
            for place, text in (
                ("alone", one.text),
                ("before", f"{_NEUTRAL}\n{one.text}"),
                ("after", f"{one.text}\n{_NEUTRAL}"),
            )
        ],
    )
    changed = [
        (one.key, place, read[f"{one.key} alone"], read[f"{one.key} {place}"])
        for one in whole
        for place in ("before", "after")
        if read[f"{one.key} {place}"] != read[f"{one.key} alone"]
    ]
    assert len(whole) > 400
    assert changed == []


def test_other_orders_of_the_choices_are_read_alike(given: list[Known], tmp_path: Path) -> None:
    """Where an answer names no label and counts no choices, its reading goes with the choice's text."""
    chance = random.Random(46)
    plain = [
        one
        for one in given
        if one.style in ("choice_text", "word_letters", "loop", "typo", "negation", "hedge")
        and not any(f"{word}." in _spaced(one.text) for word in one.choices)
        and len(set(one.choices.values())) == len(one.choices)
    ]

    def shuffled(one: Known) -> Known:
        texts = list(one.choices.values())
        chance.shuffle(texts)
        return replace(
            one, key=f"{one.key} other", choices=dict(zip(one.choices, texts, strict=True))
        )

    others = [shuffled(one) for one in plain]
    read = _read(tmp_path, [*plain, *others])
    moved = [
        (one.key, one.text)
        for one, other in zip(plain, others, strict=True)
        if _text(one, read[one.key]) != _text(other, read[other.key])
    ]
    assert len(plain) > 40
    assert moved == []


def _spaced(text: str) -> str:
    """A text whose words are followed by a full stop each, to look for labels among them."""
    words = "".join(c if c.isalnum() else " " for c in text).split()
    return ". ".join(["", *words, ""])


def _text(one: Known, label: str | None) -> str | None:
    return None if label is None else one.choices[label]


def phrases() -> list[tuple[str, str, str, str]]:
    """The rows of the table of phrases: kind, language, phrase, example."""
    text = (releases.SHIPPED / "field_v2" / "macros" / "phrases_listed.sql").read_text("utf-8")
    rows = [line.removeprefix("§").replace("''", "'") for line in text.splitlines() if "¦" in line]
    return [
        (kind, language, phrase, example)
        for kind, language, phrase, example in (
            row.split("¦") for row in rows if row.count("¦") == 3
        )
    ]


def test_each_phrase_is_found_in_its_example(tmp_path: Path, given: list[Known]) -> None:
    """There are 150 at most, and none is a sentence of the answers that were given."""
    found = phrases()
    assert 100 < len(found) <= 150
    said = {one.text.strip().lower() for one in given}
    assert not said & {text.lower() for _, _, *texts in found for text in texts}
    choices = {"A": "crow", "B": "raven"}
    known = [Known(str(n), "", "", choices, row[3], None) for n, row in enumerate(found)]
    house = answers.warehouse(tmp_path / "phrases.duckdb", known)
    with duckdb.connect(str(house.path), read_only=True) as con:
        con.execute("SET search_path = 'field_v2,field_v2_internal,main'")
        signs = con.execute(
            "WITH worded AS (SELECT q.question_key, f.forms, reading_places(reading_units(reading_numbers("
            "reading_ordinals(reading_labels(reading_tokens(reading_plain(p.text))))))) AS tokens "
            "FROM main.prediction AS p JOIN main.question AS q USING (question_id) "
            # All have the same choices; those of answers that are read at once are in no form.
            "CROSS JOIN (SELECT min(forms) AS forms FROM choice_form) AS f) "
            "SELECT question_key, reading_statements(reading_cues(reading_ticks("
            "choices_marked(' ¶ ' || tokens || ' ¶ ', forms)))) FROM worded"
        ).fetchall()
    of_key = dict(signs)
    assert [row for n, row in enumerate(found) if row[0][0] not in of_key[str(n)]] == []


def test_a_reading_says_what_it_rests_on(given: list[Known], tmp_path: Path) -> None:
    house = answers.warehouse(tmp_path / "readings.duckdb", given)
    house.refresh()
    with duckdb.connect(str(house.path), read_only=True) as con:
        rows = con.execute(
            "SELECT question_key, matched, rule, evidence FROM field_v2.choice_match WHERE matched IS NOT NULL"
        ).fetchall()
        sheet = con.execute(
            "SELECT question_key, reading, rule, evidence FROM field_v2.answer_sheet WHERE reading IS NOT NULL"
        ).fetchall()
    assert sorted(rows) == sorted(sheet)
    assert {rule for _, _, rule, _ in rows} >= {
        "stated",
        "boxed",
        "field",
        "text",
        "label",
        "marked",
        "left",
    }
    # An answer that is the choice, or the label, rests on all of it; no words name what is left or denied.
    whole = {rule.removesuffix("_after_thinking") for _, _, rule, words in rows if words is None}
    assert whole == {"text", "label", "stated", "left", "denied"}
    of_key = {key: (label, rule, words) for key, label, rule, words in rows}
    assert of_key["A0030"] == (
        "B",
        "stated",
        "while A was tempting because of pointed ears , answer is B",
    )
    assert of_key["A0383"] == ("B", "marked", "B spleen ← this 1")


def test_words_are_no_reason_for_a_reading_of_another_rule(tmp_path: Path) -> None:
    """Video-MME's own rule takes the first letter, whatever is stated."""
    choices = {"A": "a cat", "B": "a dog", "C": "a hen", "D": "a pig"}
    said = {"1": "B is wrong. The answer is C.", "2": "It flies, so the answer is D."}
    known = [Known(key, "", "", choices, text, None) for key, text in said.items()]
    house = answers.warehouse(tmp_path / "readings.duckdb", known)
    set_benchmark(house, "Readings", rule=[{"rule": "choice", "normaliser": "video_mme"}])
    house.refresh()
    with duckdb.connect(str(house.path), read_only=True) as con:
        for column, view in (("matched", "choice_match"), ("reading", "answer_sheet")):
            rows = con.execute(
                f"SELECT {column}, evidence FROM field_v2.{view} ORDER BY question_key"
            ).fetchall()
            assert rows == [("B", None), ("D", "it flies , so answer is D")], view
