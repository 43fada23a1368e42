"""Where field_v2 begins to read: after an answer's thinking, and at the choices' own words."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from evalhouse import Warehouse
from queries import release as releases
from queries.plan import plan
from tests import oracle
from tests.oracle import Ask
from tests.tables import question_rows, write_jsonl

_CHOICES = {"A": "Vitamin C", "B": "a cat.", "C": "N/A", "D": "b", "E": "A  Cat"}
_MARKS = [
    "<think>", "</think>", "<thinking>", "</thinking>", "<thought>", "</thought>", "<seed:think>",
    "</seed:think>", "[THINK]", "[/THINK]", "◁think▷", "◁/think▷", "<|begin_of_thought|>",
    "<|end_of_thought|>", "<|channel|>analysis<|message|>", "<|channel|>final<|message|>",
]  # fmt: skip
_WORDS = [
    "A",
    "B or C",
    "the answer is D",
    "vitamin c.",
    "N/A",
    "b",
    "a cat",
    " ",
    "\n\n",
    "<|return|>",
    "<|end|>",
]


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    """The macros of field_v2 and lmms_eval, without a warehouse."""
    connection = duckdb.connect()
    for name in ("field_v2", "lmms_eval"):
        release = releases.load(name)
        connection.execute(f'CREATE SCHEMA "{name}"')
        for item in plan(release, files=release.macros.values()):
            connection.execute(item.sql)
    return connection


@pytest.mark.slow
@settings(
    max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(st.lists(st.sampled_from([*_MARKS, *_WORDS]) | st.text(max_size=4), max_size=7).map("".join))
@example("<think>A or B? A.</think>\n\nB")
@example("A, surely.</think>\nC")
@example("<think>It may be A, or")
@example("B <think>was that right?</think>")
@example("A</think>B<think>C</think>")
@example("<thinking about it> B")
@example("\x1e<think>A</think> B")
def test_what_is_said_after_thinking(con: duckdb.DuckDBPyConnection, text: str) -> None:
    query = "SELECT field_v2.after_thinking($1), field_v2.rule_text($1), lmms_eval.rule_text($1)"
    assert con.execute(query, [text]).fetchone() == (*[oracle.after_thinking(text)] * 2, text)


def test_nothing_is_said_where_nothing_is(con: duckdb.DuckDBPyConnection) -> None:
    assert con.execute("SELECT field_v2.after_thinking(NULL)").fetchone() == (None,)


_SAID = {
    "Vitamin C": ("A", "choice"),
    "vitamin  c.": ("A", "choice"),
    "N/A": ("C", "choice"),
    # The text of one choice, and the label of another.
    "B": ("B", "label"),
    "b": (None, None),
    # The text of two.
    "a cat": (None, None),
    "Vitamin C, or A": (None, None),
    "<think>A or C?</think> B": ("B", "label_after_thinking"),
    "Not A.</think>vitamin C": ("A", "choice_after_thinking"),
    "<think>A or B, or": (None, None),
    "<think>A</think>": (None, None),
    "The answer is C": ("C", "label"),
    "Vitamin C" + " " * 200: ("A", "choice"),
    "Failed to obtain answer via API. N/A": (None, None),
}


def test_a_choice_word_for_word_comes_before_labels(house: Warehouse, tmp_path: Path) -> None:
    ask = Ask("1", {0: _CHOICES}, {0: "A"})
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows([ask])), benchmark="Own")
    said = [
        {"model": f"m{n:02}", "question_key": "1", "prediction": text}
        for n, text in enumerate(_SAID)
    ]
    house.ingest(write_jsonl(tmp_path / "said.jsonl", said), benchmark="Own")
    house.install_release("field_v1")
    found = house.sql(
        "SELECT prediction, matched, rule, state FROM choice_match ORDER BY model",
        release="field_v1",
    ).rows()
    assert {text: (label, rule) for text, label, rule, _ in found} == _SAID
    assert {state for *_, label, rule, state in found if rule is None} == {"open", "failed"}
    assert [label for _, label, *_ in found] == [
        oracle.choice_rule(text, _CHOICES) for text in _SAID
    ]
    thought = house.sql(
        "SELECT said, is_finished, n_characters FROM answer_thinking ORDER BY model"
    )
    assert thought.rows() == [
        ("B", True, 23),
        ("vitamin C", True, 14),
        ("", False, 17),
        ("", False, 16),
    ]


def test_an_answer_in_words_is_compared_after_its_thinking(
    house: Warehouse, tmp_path: Path
) -> None:
    said = {
        "Two": 1,
        "<think>One or three?</think> two.": 1,
        "<think>two</think> three": 0,
        "<think>It is two, or": 0,
        "two <think>was that right?</think>": 1,
    }
    asked = [{"question_key": "1", "question": "How many?", "reference": "two"}]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", asked), benchmark="Words")
    rows = [
        {"model": f"m{n}", "question_key": "1", "prediction": text} for n, text in enumerate(said)
    ]
    house.ingest(write_jsonl(tmp_path / "said.jsonl", rows), benchmark="Words")
    found = house.sql("SELECT prediction, score, state FROM exact_match").rows()
    assert {text: score for text, score, _ in found} == said
    assert [
        int(oracle.after_thinking(text).strip().rstrip(".").lower() == "two") for text in said
    ] == list(said.values())
    assert {state for *_, state in found} == {"open"}
