"""The toy of the definitions, literally: four options, answer B, rotated right by one each pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalhouse import Warehouse
from tests.oracle import Ask
from tests.tables import add_replies, question_rows, register_judge, write_jsonl

_TEXTS = ["dog", "cat", "bird", "fish"]
TOY = Ask(
    key="1",
    choices={p: {"ABCD"[(i + p) % 4]: t for i, t in enumerate(_TEXTS)} for p in range(4)},
    answers={0: "B", 1: "C", 2: "D", 3: "A"},
)
_SAID = {
    "A": ["B", "C.", "It may be the cat", "A"],
    "B": ["B", "C", None, "A"],
    "C": ["B", "A", "hmm", "A"],
}


@pytest.fixture
def toy(house: Warehouse, tmp_path: Path) -> Warehouse:
    house.ingest(write_jsonl(tmp_path / "questions.jsonl", question_rows([TOY])), benchmark="Toy")
    rows = [
        {"model": model, "question_key": "1", "pass": step, "prediction": text}
        for model, texts in _SAID.items()
        for step, text in enumerate(texts)
        if text is not None
    ]
    house.ingest(write_jsonl(tmp_path / "said.jsonl", rows), benchmark="Toy")
    return house


def circular(house: Warehouse, judge: str) -> dict[str, tuple[object, ...]]:
    rows = house.sql(
        "SELECT model, score_low, score, score_high, n_missing, n_pending FROM question_result "
        f"WHERE strategy = 'circular' AND judge = '{judge}' ORDER BY model"
    )
    return {row[0]: row[1:] for row in rows.iter_rows()}


def test_under_judge_none(toy: Warehouse) -> None:
    assert circular(toy, "none") == {
        "A": (0, 0, 0, 0, 0),
        "B": (0, 0, 0, 1, 0),
        "C": (0, 0, 0, 0, 0),
    }


@pytest.mark.slow
def test_registered_but_not_asked(toy: Warehouse) -> None:
    register_judge(toy, "J")
    assert circular(toy, "J") == {
        "A": (0, None, 1, 0, 1),
        "B": (0, 0, 0, 1, 0),
        "C": (0, 0, 0, 0, 0),
    }
    todo = toy.sql(
        "SELECT judge_todo.task, judge_sample, attempt, question_key, pass, r.model, prediction, n_answers "
        "FROM judge_todo INNER JOIN current_run AS r USING (run_id) WHERE judge = 'J'"
    )
    assert todo.rows() == [("choice_extraction", 0, 0, "1", 2, "A", "It may be the cat", 1)]
    every = toy.sql("SELECT pass, prediction FROM judge_todo_all WHERE judge = 'J' ORDER BY ALL")
    assert every.rows() == [(2, "It may be the cat"), (2, "hmm")]
    need = toy.sql(
        "SELECT r.model, is_alive, is_next FROM judge_need JOIN current_run AS r USING (run_id) ORDER BY ALL"
    )
    assert need.rows() == [("A", True, True), ("C", False, False)]


@pytest.mark.slow
def test_asked_about_the_one_answer(toy: Warehouse) -> None:
    add_replies(toy, register_judge(toy, "J"), [(TOY, 2, "It may be the cat", "D")])
    assert circular(toy, "J") == {
        "A": (1, 1, 1, 0, 0),
        "B": (0, 0, 0, 1, 0),
        "C": (0, 0, 0, 0, 0),
    }
    assert circular(toy, "none")["A"] == (0, 0, 0, 0, 0)
    assert toy.sql("SELECT * FROM judge_todo").height == 0
    resolved = toy.sql(
        "SELECT resolved_by FROM pass_result WHERE model = 'A' AND judge = 'J' ORDER BY pass"
    )
    assert resolved["resolved_by"].to_list() == ["rule", "rule", "judge", "rule"]


@pytest.mark.slow
def test_every_release_agrees_on_the_toy(toy: Warehouse) -> None:
    register_judge(toy, "J")
    toy.install_release("paper_v1")
    for release in ("paper_v1", "latest"):
        rows = toy.sql(
            "SELECT score_high FROM question_result WHERE strategy = 'circular' AND judge = 'J' "
            "AND model = 'A'",
            release=release,
        )
        assert rows.item() == 1
