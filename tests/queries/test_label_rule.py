"""Step 1 of field_v2 against an independent few lines of Python."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.houses import QuickHouse
from tests.oracle import is_blank, label_rule


@pytest.fixture(scope="module")
def rule(new_file: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with QuickHouse(new_file).reading() as con:
        yield con


def matched(con: duckdb.DuckDBPyConnection, text: str, labels: list[str]) -> str | None:
    (found,) = con.execute(
        "SELECT CASE WHEN array_length(c) = 1 THEN array_to_string(c, '') END FROM "
        "(SELECT field_v2.named_labels(?, w) AS c FROM (SELECT field_v2.words(?) AS w))",
        [labels, text],
    ).fetchone()  # type: ignore[misc]
    return found  # type: ignore[no-any-return]


@pytest.mark.slow
@pytest.mark.parametrize(
    "wording",
    [
        "{}",
        "{}.",
        "{})",
        "{},",
        "{}).",
        "({})",
        "({}).",
        "{}:",
        " {} ",
        "**{}**",
        "\\boxed{{{}}}",
        "'{}'",
        "“{}”",
        "The answer is {}.",
        "Answer: {}",
        "{}. a cat",
        "({}) the red one",
        "The answer is {} because it is red",
        "{}\n",
        "\t{}",
        "{}。",
        "The answer is\u3000{}",
        "{}\nThe cat sits",
        "{}\r\nBecause",
        "{} - a cat",
        "{} → cat",
        "'{}' cat",
    ],
)
@pytest.mark.parametrize("label", ["A", "B", "C", "D"])
def test_a_label_with_the_usual_punctuation(
    rule: duckdb.DuckDBPyConnection, wording: str, label: str
) -> None:
    assert matched(rule, wording.format(label), list("ABCD")) == label


@pytest.mark.parametrize(
    "text",
    [
        "A cat sits on the mat.",
        "It is A red car",
        "A or B",
        "A, B",
        "B and C",
        "Both A and B",
        "b",
        "Because",
        "ABC",
        "E",
        "Plan-B",
        "B1",
        "",
        " ",
        "It is the cat",
    ],
)
def test_no_match(rule: duckdb.DuckDBPyConnection, text: str) -> None:
    assert matched(rule, text, list("ABCD")) is None


def test_only_labels_that_the_question_has(rule: duckdb.DuckDBPyConnection) -> None:
    assert matched(rule, "C", ["A", "B"]) is None
    assert matched(rule, "C or B", ["A", "B"]) == "B"
    assert matched(rule, "A dog: B", ["A", "B"]) == "B"
    assert matched(rule, "I think so", list("ABCDEFGHI")) is None
    assert matched(rule, "I.", list("ABCDEFGHI")) == "I"


_PIECES = st.sampled_from(
    [
        *"ABCDEIX",
        "a",
        "cat",
        "is",
        "or",
        "and",
        "the",
        "answer",
        "dog's",
        "1",
        "it",
        *"().,:;!?'\"*`",
        "'",
        "''",
        " ",
        "  ",
        "\n",
        "\t",
        "\u00a0",
        "\u3000",
        "\x1c",
        "\x85",
        "。",
        "（",
        "）",
        "“",
        "-",
        "_",
        "=",
        "\\",
        "$",
        "ß",
        "İ",
        "𝐀",
        "А",
        "\x00",
        "_x000D_",
    ]
)
_TEXTS = st.one_of(
    st.lists(_PIECES, max_size=12).map("".join),
    st.lists(_PIECES, max_size=8).map(" ".join),
    st.text(st.characters(blacklist_categories=["Cs"]), max_size=20),
)


@pytest.mark.long
@settings(
    max_examples=3000, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(_TEXTS, st.sampled_from(["AB", "ABCD", "ABCDE", "ABCDEFGHI"]))
def test_same_as_plain_python(rule: duckdb.DuckDBPyConnection, text: str, labels: str) -> None:
    assert matched(rule, text, list(labels)) == label_rule(text, labels), text


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(st.characters(blacklist_categories=["Cs"]), max_size=5))
def test_blank_is_what_python_calls_white_space(rule: duckdb.DuckDBPyConnection, text: str) -> None:
    (blank,) = rule.execute("SELECT replace(field_v2.spaced(?), ' ', '') = ''", [text]).fetchone()  # type: ignore[misc]
    assert blank == is_blank(text)


def test_the_white_space_is_all_of_it(rule: duckdb.DuckDBPyConnection) -> None:
    spaces = [chr(n) for n in range(0x110000) if chr(n).isspace()]
    (spaced,) = rule.execute("SELECT field_v2.spaced(?)", ["".join(spaces)]).fetchone()  # type: ignore[misc]
    assert (len(spaces), spaced) == (29, " " * 29)
