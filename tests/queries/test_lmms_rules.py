"""The macros of the release lmms_eval against plain Python, on texts made of what they look for."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from evalhouse import Warehouse
from queries import install
from queries import release as releases

_PIECES = (
    "A", "B", "C", "D", "E", "a", "I", "(A)", "(B)", "(D", "C)", "B.", "D:", " ", " ", "\n", ".", ",", "!", "'", '"',
    "The answer "
    "is", "the correct option "
          "is", "option is", "best choice is", "I choose", "my choice is", "답은", "선택", "选", "é", "中", "dog",
          "Answer",
    "red bus", "Blue", "yes", "no", "No", "y", "N", "Yes.", "**", "1", ":", ";", "?", "[", "$",
)  # fmt: skip
_PREFIXES = {
    "answer is": ("", "the ", "correct ", "the correct ", "best ", "the best ", "my "),
    "option is": ("correct ", "the correct ", "best ", "the best "),
    "choice is": ("", "the ", "correct ", "the correct ", "my "),
}
_PHRASES = [
    *(prefix + words for words, prefixes in _PREFIXES.items() for prefix in prefixes),
    "i choose", "i select", "i pick", "옵션", "정답은", "답은", "답:", "答案是", "答案为", "选", "答えは",
]  # fmt: skip


@pytest.fixture(scope="module")
def texts() -> list[str]:
    draw = random.Random(11)
    made = ["".join(draw.choices(_PIECES, k=draw.randint(0, 9))) for _ in range(1_500)]
    return list(
        dict.fromkeys(
            (
                *made,
                *_PIECES,
                "",
                "A",
                "(C)",
                "A dog",
                "None of them is D",
                "B or A. The answer is B",
            )
        )
    )


@pytest.fixture(scope="module")
def con(
    new_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[duckdb.DuckDBPyConnection]:
    house = Warehouse(tmp_path_factory.mktemp("rules") / "rules.duckdb")
    house.path.write_bytes(new_file.read_bytes())
    with house.writing() as writing:
        install.install(writing, releases.load("lmms_eval"))
    with duckdb.connect(str(house.path), read_only=True) as found:
        found.execute("USE lmms_eval")
        yield found


def _read(con: duckdb.DuckDBPyConnection, sql: str, texts: list[str]) -> list[str | None]:
    rows = con.execute(
        f"SELECT {sql} FROM (SELECT unnest($texts) AS text, unnest(range(len($texts))) AS place) ORDER BY place",
        {"texts": texts},
    ).fetchall()
    return [value for (value,) in rows]


def _bare(text: str, marks: str) -> str:
    for mark in marks:
        text = text.strip(mark)
    return f" {text} "


def _letter(text: str) -> str | None:
    """As tasks/_task_utils/mcq_extract.py says, for A to D."""
    if not text.strip():
        return None
    padded = _bare(text.strip(), ",.!?;:'\"")
    word, low = padded.strip(), padded.lower()
    if word[:1] and word[0] in "ABCD" and not word[1:2].isalpha():
        return word[0]
    if word and word[-1] in "ABCD" and (len(word) == 1 or not word[-2].isalpha()):
        return word[-1]
    places = [
        padded.find(letter, low.find(phrase) + len(phrase))
        for phrase in _PHRASES
        if phrase in low
        for letter in "ABCD"
    ]
    if places and max(places) >= 0:
        return padded[max(places)]
    for form in ("({})", "{}.", "{}:", "{})", "{} ", "{}"):
        found = {padded.rfind(form.format(letter)): letter for letter in "ABCD"}
        if max(found) >= 0:
            return found[max(found)]
    return None


def _label(text: str, labels: str) -> str | None:
    """As tasks/_task_utils/mmmu_mcq_utils.py says, before it looks for choices' texts."""
    padded = _bare(text, ",.!?;:'")
    for form, place in (("({})", "({})"), ("{} ", " {} "), ("{}.", " {} ")):
        found = [one for one in labels if form.format(one) in padded]
        if found:
            return max(found, key=lambda one: (padded.rfind(place.format(one)), -labels.index(one)))
    return None


@pytest.mark.slow
def test_letters(con: duckdb.DuckDBPyConnection, texts: list[str]) -> None:
    found = _read(con, "letter_of(text)", texts)
    wrong = [(t, f, _letter(t)) for t, f in zip(texts, found, strict=True) if f != _letter(t)]
    assert wrong == []
    assert sum(one is not None for one in found) > 500


def test_labels_of_mmmu(con: duckdb.DuckDBPyConnection, texts: list[str]) -> None:
    found = _read(con, "label_in(' ' || unmarked(text) || ' ', ['A', 'B', 'C', 'D', 'E'])", texts)
    wrong = [
        (t, f, _label(t, "ABCDE"))
        for t, f in zip(texts, found, strict=True)
        if f != _label(t, "ABCDE")
    ]
    assert wrong == []
    assert sum(one is None for one in found) > 100


def test_yes_and_no(con: duckdb.DuckDBPyConnection, texts: list[str]) -> None:
    def mme(text: str) -> str | None:
        said = text.lower().strip().replace(".", "")
        if len(said) == 1:
            return {"y": "yes", "n": "no"}.get(said)
        return "yes" if "yes" in said[:4] else "no" if "no" in said[:4] else None

    assert _read(con, "harness_yes_no('MME', text)", texts) == [mme(t) for t in texts]
    pope = [t.lower().strip() if t.lower().strip() in ("yes", "no") else None for t in texts]
    assert _read(con, "harness_yes_no('POPE', text)", texts) == pope


def test_other_rules(con: duckdb.DuckDBPyConnection) -> None:
    said = [
        ("diagram_letter('b.', ['A', 'B'])", "B"),
        ("diagram_letter(' C. dog', ['A', 'B'])", None),
        ("diagram_letter('A dog', ['A', 'B'])", None),
        ("number_score('5%', ['0.05'], 0.05)", 1.0),
        ("number_score('0', ['0.0'], 0.05)", 0.0),
        ("number_score(' Blue', ['blue'], 0.05)", 0.0),
        ("direct_answer_score('Seven..', ['seven'])", 1.0),
        ("contains_score('ＡＢＣ!', ['abc'], 'lower')", 1.0),
        ("contains_score('x + Y', ['x+Y'], 'math')", 1.0),
        ("vqa_score('dog''s', ['dog ''s', 'dog ''s', 'dog ''s', 'dog ''s'])", 1.0),
        ("open_answer_score('It is 7', ['7'])", 1.0),
        ("open_answer_score('It is 7', ['7', 'seven'])", 0.0),
        ("harness_extracted_score('7.9', ['7'], 'integer', NULL)", 1.0),
        ("harness_extracted_score('7.9', ['7.9'], 'float', '1.0')", 0.0),
        ("harness_extracted_score('7.9', ['7.9'], 'float', '1')", 1.0),
        ("harness_extracted_score(' [1, 2]', ['[1, 2]'], 'list', NULL)", 1.0),
    ]
    for sql, wanted in said:
        assert con.execute(f"SELECT {sql}").fetchall() == [(wanted,)], sql
