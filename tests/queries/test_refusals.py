"""Refusals: what is one and, as important, what is none; and the view over every kind of benchmark."""

from __future__ import annotations

import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalhouse import Warehouse
from tests.tables import write_jsonl

REFUSALS = {
    "cannot help": [
        "I can't help with images of people yet.",
        "Sorry, I can't help with images of people yet.",
        "I’m sorry, but I can’t assist with that.",
        "I'm sorry, I cannot help",
        "I am unable to help you with that, as I'm only a language model.",
        "I'm just a language model, so I can't help you with that.",
        "“I cannot help with that.”",
        "**I'M SORRY** I CANNOT ASSIST YOU.",
        "I won't be able to help with identifying people.",
        "Unfortunately I can't assist you with this.",
    ],
    "cannot answer": [
        "I  apologize,\nbut I'm not able to   answer that question.",
        "I can't process this file.",
        "I'm sorry, but I won't respond to that.",
    ],
    "cannot provide": [
        "I'm sorry, but I can’t provide assistance with that request.",
        "I cannot give medical advice.",
    ],
    "cannot identify people": [
        "I cannot identify the person in this image.",
        "It's against my rules, so I'm not allowed to identify real people in images.",
        "I can't tell you who this is.",
    ],
    "cannot see the image": [
        "As I am a model: I can not view the image.",
        "Sorry! I currently cannot view images directly.",
    ],
    "only a language model": [
        "That's not something I do. I'm a text-based AI, and that is outside of my capabilities.",
        "As an AI language model, I don't have the ability to look at it.",
    ],
    "outside what it may do": ["This request goes against OpenAI's usage policies."],
}

ANSWERS = [
    "",
    "B",
    "Sorry",
    "No, it can't.",
    "I can't see any cat in the image.",
    "I can't tell whether the door is open, but probably B.",
    "I cannot help but notice that the man smiles.",
    "There are many books in the image, but I cannot provide an exact number without more.",
    "The sign says: “I can't help with that.”",
    "The woman says, \"I'm sorry, but I can't help you.\"",
    "He is unable to help the woman with her bags.",
    "They say so, but they can't help with the move.",
    "I am not able to read the last word; the first is STOP.",
    "The language model is not capable of reasoning, according to the text.",
    "As an AI researcher she works on language models.",
    "The ball is beyond the fence, outside my view.",
    "Can I help you?",
    "Hi can't help with that",
    "The image shows a dog. " * 10 + "I can't help with that.",
]


@pytest.fixture(scope="module")
def macros(new_file: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect(str(new_file), read_only=True) as con:
        yield con


def _pattern(con: duckdb.DuckDBPyConnection, text: str) -> str | None:
    sql = "SELECT field_v2.refusal_pattern(field_v2.opening(?))"
    ((found,),) = con.execute(sql, [text]).fetchall()
    return None if found is None else str(found)


@pytest.mark.parametrize(
    ("pattern", "text"), [(name, text) for name, texts in REFUSALS.items() for text in texts]
)
def test_refusals(macros: duckdb.DuckDBPyConnection, pattern: str, text: str) -> None:
    assert _pattern(macros, text) == pattern
    # What comes after makes it no answer.
    assert _pattern(macros, f"{text}. But the picture is a nice one. " + "More. " * 200) is not None


@pytest.mark.parametrize("text", ANSWERS)
def test_answers(macros: duckdb.DuckDBPyConnection, text: str) -> None:
    assert _pattern(macros, text) is None


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@example("", 180)
@example(";;", 179)
@example("ab ", 182)
@example("", 185)
@given(st.text(string.ascii_letters + " ,;é\n'", max_size=150), st.integers(0, 250))
def test_the_first_200_characters_count(
    macros: duckdb.DuckDBPyConnection, before: str, padding: int
) -> None:
    """A refusal counts where all of it lies within them; the cut reads as the end of a sentence."""
    refused = " I can't help with that."
    lead = f"{before}{'x' * padding}."
    whole = f"{lead}{refused} And so on."
    at = whole.index(refused) + len(" I can't help with")
    alone = _pattern(macros, lead[:200])
    if alone is None:
        is_within = at <= 200 or whole[:200].rstrip().endswith("I can't help")
        assert (_pattern(macros, whole) is not None) == is_within, (at, whole)


_WHITE = st.text(" \t\n\u00a0\u3000", min_size=1, max_size=3)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([text for texts in REFUSALS.values() for text in texts] + ANSWERS),
    st.randoms(use_true_random=False),
    _WHITE,
)
def test_case_white_space_and_apostrophes_make_no_difference(
    macros: duckdb.DuckDBPyConnection, text: str, pick: Any, white: str
) -> None:
    if len(text) > 150:
        return
    other = "".join(pick.choice([c.upper(), c.lower()]) for c in text)
    other = other.replace("'", pick.choice("'’")).replace(" ", white, 1)
    assert _pattern(macros, other) == _pattern(macros, text)


def test_the_view_of_every_benchmark(house: Warehouse, tmp_path: Path) -> None:
    """Everything above as answers to choice and open questions: the view reads what the macros do."""
    texts = [text for of_pattern in REFUSALS.values() for text in of_pattern] + ANSWERS
    refused = {text: name for name, of_name in REFUSALS.items() for text in of_name}
    keys = [str(n) for n in range(len(texts))]
    choice = [{"question_key": k, "question": f"Q {k}", "A": "a", "B": "b", "answer": "A"} for k in keys]  # fmt: skip
    words = [{"question_key": k, "question": f"Q {k}", "reference": "yes"} for k in keys]
    said = [
        {"model": "m", "question_key": k, "sample": n, "prediction": text if n == 0 else "A", "failed": False}
        for k, text in zip(keys, texts, strict=True)
        for n in (0, 1)
    ]  # fmt: skip
    for name, rows in (("Choice", choice), ("Words", words)):
        house.ingest(write_jsonl(tmp_path / f"q_{name}.jsonl", rows), benchmark=name)
        house.ingest(write_jsonl(tmp_path / f"p_{name}.jsonl", said), benchmark=name)
    failed = [row | {"model": "down", "failed": True} for row in said]
    house.ingest(write_jsonl(tmp_path / "failed.jsonl", failed), benchmark="Choice")
    found = house.sql(
        "SELECT dataset, model, question_key, pass, sample, pattern, prediction FROM refusal"
    )
    assert set(found.iter_rows()) == {
        (dataset, "m", key, 0, 0, refused[text], text)
        for dataset in ("Choice", "Words")
        for key, text in zip(keys, texts, strict=True)
        if text in refused
    }
    assert found.height == 2 * len(refused)
    n_answers = 2 * len(texts) - 1  # one is blank
    rates = house.sql(
        "SELECT dataset, model, n_answers, n_refusals, refusal_rate FROM refusal_rate ORDER BY ALL"
    )
    assert rates.rows() == [
        ("Choice", "down", 0, 0, None),
        ("Choice", "m", n_answers, len(refused), len(refused) / n_answers),
        ("Words", "m", n_answers, len(refused), len(refused) / n_answers),
    ]


def test_real_answers_that_are_none(house: Warehouse, shared: Path) -> None:
    """LLaVA-1.5-7B on MM-Vet and LLaVA-1.5-13B on MMBench refuse nothing."""
    real = shared / "real"
    house.ingest(real / "mmvet/mm-vet.json", real / "mmvet/llava-v1.5-7b.json")
    house.ingest(real / "mmbench/llava-v1.5-13b.xlsx", benchmark="MMBench")
    rates = house.sql("SELECT model, n_answers, n_refusals FROM refusal_rate ORDER BY ALL")
    assert rates.rows() == [("llava-v1.5-13b", 4377, 0), ("llava-v1.5-7b", 218, 0)]
