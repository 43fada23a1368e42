"""lmms-eval's choices under any of their names, and what the answer means that goes with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evalhouse import Warehouse
from ingest import record_choices

_TEXTS = ("red", "blue", "grey")
_WAYS: dict[str, dict[str, Any]] = {
    "candidates": {"candidates": ["red", "blue", "grey"]},
    "a text": {"options": "['red', 'blue', 'grey']"},
    "letters": {"options": {"A": "red", "B": "blue", "C": "grey", "D": None}},
    "small letters": {"choices": {"a": "red", "b": "blue", "c": "grey"}},
    "numbers": {"candidates": {"1": "red", "2": "blue", "3": "grey"}},
    "option_a": {"option_a": "red", "option_b": "blue", "option_c": "grey", "option_d": ""},
    "choice_a": {"choice_a": "red", "choice_b": "blue", "choice_c": "grey"},
    "A": {"A": "red", "B": "blue", "C": "grey"},
    "a0": {"a0": "red", "a1": "blue", "a2": "grey"},
    "option1": {"option1": "red", "option2": "blue", "option3": "grey"},
}


@pytest.mark.parametrize("way", _WAYS)
def test_choices_are_read_under_any_name(way: str) -> None:
    found = record_choices.of_record({"question": "Which?", "video_id": "v1", **_WAYS[way]})
    assert found.texts == _TEXTS
    assert found.names == set(_WAYS[way])
    assert found.label_of("B") == found.label_of("blue") == found.label_of("(B)") == "B"
    assert found.label_of("pink") is None


@pytest.mark.parametrize(
    ("way", "given", "label"),
    [
        ("a0", 0, "A"), ("a0", "2", "C"), ("a0", 3, None), ("option1", 1, "A"), ("option1", "3", "C"),
        ("numbers", 2, "B"), ("numbers", "3", "C"), ("candidates", 0, "A"), ("option_a", "c", "C"),
        ("letters", 2, "C"), ("candidates", True, None), ("candidates", 1.5, None),
    ],
)  # fmt: skip
def test_a_number_means_a_key_or_a_place(way: str, given: object, label: str | None) -> None:
    assert record_choices.of_record(_WAYS[way]).label_of(given) == label


def test_places_count_from_one_where_the_answers_say_so() -> None:
    listed = record_choices.of_record(_WAYS["candidates"])
    assert record_choices.first_number([(listed, 1), (listed, "3")]) == 1
    assert record_choices.first_number([(listed, 1), (listed, 0)]) == 0
    assert record_choices.first_number([(listed, 1), (listed, 2)]) == 0
    assert listed.label_of(3, first=1) == "C"


@pytest.mark.parametrize(
    "record",
    [
        {"candidates": ["alone"]}, {"options": []}, {"answer": "x", "a": "y"}, {"option_b": "x"},
        {"options": {"x": "red", "y": "blue"}}, {"A": "red"}, {"i": "1", "j": "2"}, {"a0": "red"},
    ],
)  # fmt: skip
def test_what_is_no_list_of_choices_is_none(record: dict[str, Any]) -> None:
    found = record_choices.of_record(record)
    assert len(found.texts) < 2


def _samples(folder: Path, task: str, docs: list[dict[str, Any]], said: list[str]) -> Path:
    path = folder / "acme__vlm" / f"20260401_101010_samples_{task}.jsonl"
    path.parent.mkdir(exist_ok=True)
    lines = [
        {
            "doc_id": n,
            "doc": doc,
            "target": str(doc["answer"]),
            "input": f"{doc['question']}\nAnswer with a letter.",
            "resps": [[text]],
            "filtered_resps": [text],
            "doc_hash": "h",
        }
        for n, (doc, text) in enumerate(zip(docs, said, strict=True))
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    return path


def _scores(house: Warehouse) -> dict[str, tuple[float | None, int]]:
    with house.reading() as con:
        rows = con.execute(
            "SELECT dataset, score, n FROM latest.benchmark_score WHERE ability = 'Overall'"
        ).fetchall()
    return {str(dataset): (score, n) for dataset, score, n in rows}


@pytest.mark.slow
def test_every_way_is_scored_as_choices(house: Warehouse, tmp_path: Path) -> None:
    answers = {"candidates": [2, 0, 1], "letters": ["C", "A", "B"], "a0": ["C", "A", "B"]}
    answers |= {"option1": [3, 1, 2], "option_a": ["grey", "red", "blue"]}
    for way, right in answers.items():
        docs = [{"question": f"Q{n}?", **_WAYS[way], "answer": r} for n, r in enumerate(right)]
        task = f"colours_{way}"
        house.ingest(_samples(tmp_path, task, docs, ["The answer is C.", "red", "(C)"]))
    assert _scores(house) == {
        f"colours_{way}": (pytest.approx(2 / 3, abs=1e-9), 3) for way in answers
    }


@pytest.mark.slow
def test_a_question_whose_answer_is_no_choice_is_one_of_words(
    house: Warehouse, tmp_path: Path
) -> None:
    docs = [
        {"question": "Which?", "candidates": ["red", "blue"], "answer": "B"},
        {"question": "How many?", "candidates": ["x", "y"], "answer": "seventeen"},
    ]
    house.ingest(_samples(tmp_path, "mixed", docs, ["B", "seventeen"]))
    assert _scores(house) == {"mixed": (1.0, 2)}


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["out", "mlvu1", "mlvu2"])
def test_candidates_of_a_real_task_are_choices(house: Warehouse, shared: Path, folder: str) -> None:
    outcomes = list(house.ingest_many(shared / "field" / "16-lmms" / folder))
    assert [str(one.error) for one in outcomes if one.error] == []
    assert _scores(house)["mlvu_dev"] == (0.8, 5)
