"""Data sets in which some questions have choices and others are answered in words."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from evalhouse import UsageError, Warehouse
from evalhouse.judging import JudgeSettings, assign
from judge.budget import Budget
from queries.render.boards import many_table
from tests.judging import KEY, MODEL, JudgeServer
from tests.tables import set_benchmark

pytestmark = pytest.mark.slow


def _near(score: float) -> object:
    return pytest.approx(score, abs=1e-9)


def _figures(house: Warehouse, judge: str = "none") -> dict[str, tuple[float | None, int, int]]:
    """Of each data set the score, the questions and the answers that nothing read."""
    with house.reading() as con:
        rows = con.execute(
            "SELECT dataset, score, n, n_unread FROM latest.benchmark_score "
            "WHERE ability = 'Overall' AND judge = ?",
            [judge],
        ).fetchall()
    return {str(dataset): (score, n, n_unread) for dataset, score, n, n_unread in rows}


def _work_dir(folder: Path, dataset: str, rows: dict[str, list[object]], kind: str = "tsv") -> Path:
    path = folder / "vlm" / f"vlm_{dataset}.{kind}"
    path.parent.mkdir(exist_ok=True)
    frame = pl.DataFrame(rows, strict=False)
    frame.write_excel(path) if kind == "xlsx" else frame.write_csv(path, separator="\t")
    return path.parent


def _asked(house: Warehouse, server: JudgeServer | None = None) -> dict[str, int]:
    """How many calls each task of judges has; they are made where there is a server."""
    settings = JudgeSettings(model=MODEL, base_url=None if server is None else server.url)
    counts = {}
    for assignment in assign(house.path, settings):
        counts[assignment.template.task] = len(list(assignment.requests()))
        if server is not None:
            assert assignment.run(Budget()).error is None
    return counts


@pytest.mark.parametrize("case", ["new", "cmmmu", "mmmu"])
def test_words_beside_choices_are_scored(house: Warehouse, shared: Path, case: str) -> None:
    outcomes = list(house.ingest_many(shared / "field" / "05-open" / case / "m"))
    assert [str(one.error) for one in outcomes if one.error] == []
    ((score, n, n_unread),) = _figures(house).values()
    # What states another number is read, and no judge is asked of it.
    assert (score, n, n_unread) == (0.6, 5, 0)
    assert _asked(house).get("equivalence", 0) == 0


def test_own_questions_without_choices_are_of_words(house: Warehouse, shared: Path) -> None:
    place = shared / "field" / "05-open" / "own"
    house.ingest(place / "q.csv", benchmark="mine")
    house.ingest(place / "p.csv", benchmark="mine")
    assert _figures(house) == {"mine": (1.0, 2, 0)}


def test_an_answer_without_choices_is_the_reference(house: Warehouse, tmp_path: Path) -> None:
    questions = [
        {"question_key": "1", "question": "Which?", "choices": ["x", "y"], "answer": "B"},
        {"question_key": "2", "question": "How many?", "choices": None, "answer": "7"},
        {"question_key": "3", "question": "Who?", "choices": [], "references": ["Ann", "Anna"]},
    ]
    answers = [
        {"question_key": key, "model": "m", "prediction": said}
        for key, said in (("1", "B"), ("2", "8"), ("3", "anna."))
    ]
    for name, rows in (("questions", questions), ("answers", answers)):
        lines = "".join(json.dumps(one) + "\n" for one in rows)
        (tmp_path / f"{name}.jsonl").write_text(lines, encoding="utf-8")
        house.ingest(tmp_path / f"{name}.jsonl", benchmark="mine")
    assert _figures(house) == {"mine": (_near(2 / 3), 3, 0)}


def test_choices_blanks_and_true_or_false(house: Warehouse, tmp_path: Path) -> None:
    rows: dict[str, list[object]] = {
        "index": [1, 2, 3, 4, 5, 6],
        "question": ["a?", "b?", "c?", "d?", "e?", "f?"],
        "A": ["x", None, None, None, None, None],
        "B": ["y", None, None, None, None, None],
        "answer": ["A", "B", "对", "错", "True", "12"],
        "category": ["pick", "picture", "judge", "judge", "judge", "fill"],
        "prediction": ["A", "B", "对", "对", "It is not true", "答案是12"],
    }
    assert all(
        one.error is None for one in house.ingest_many(_work_dir(tmp_path, "Mixed", rows, "xlsx"))
    )
    # Question 4 is read and wrong; nobody knows what question 5 says.
    assert _figures(house) == {"Mixed": (_near(4 / 6), 6, 1)}


def test_lists_of_choices_beside_words(house: Warehouse, tmp_path: Path) -> None:
    rows: dict[str, list[object]] = {
        "index": [1, 2, 3],
        "question": ["a?", "b?", "c?"],
        "candidates": ["['x', 'y']", None, "['u', 'v']"],
        "answer": ["x", "cat", "v"],
        "prediction": ["A", "dog", "B"],
    }
    list(house.ingest_many(_work_dir(tmp_path, "Listed", rows)))
    assert _figures(house) == {"Listed": (_near(2 / 3), 3, 0)}


def test_only_what_has_no_answer_is_hidden(house: Warehouse, tmp_path: Path) -> None:
    rows: dict[str, list[object]] = {
        "index": [1, 2, 3],
        "question": ["a?", "b?", "c?"],
        "A": ["x", None, None],
        "B": ["y", None, None],
        "answer": ["A", "cat", None],
        "prediction": ["A", "cat", "dog"],
    }
    list(house.ingest_many(_work_dir(tmp_path, "Part", rows)))
    assert _figures(house) == {"Part": (None, 3, 0)}
    notes = many_table(house.board(None), digits=1).notes
    assert any("no figure of Part: 1 question has no right answer" in note for note in notes)


def test_a_board_names_what_nothing_has_scored(house: Warehouse, tmp_path: Path) -> None:
    sentence = "a long sentence about a picture that nobody would say in the same words"
    rows: dict[str, list[object]] = {
        "index": [1, 2],
        "question": ["a?", "b?"],
        "answer": [sentence, sentence],
        "prediction": ["one", "two"],
    }
    list(house.ingest_many(_work_dir(tmp_path, "Tales", rows)))
    with pytest.raises(UsageError, match=r"the answers to Tales; `evalhouse judge`"):
        house.board(None)
    with pytest.raises(UsageError, match=r"no rules for its answers.*`evalhouse judge`"):
        house.leaderboard("Tales")
    rows["answer"] = ["red", "blue"]
    list(house.ingest_many(_work_dir(tmp_path, "Hues", rows)))
    notes = many_table(house.board(None), digits=1).notes
    assert any(
        note.endswith("the answers to Tales; `evalhouse judge` asks a judge") for note in notes
    )


def test_every_pass_and_every_word_count(house: Warehouse, tmp_path: Path) -> None:
    rows: dict[str, list[object]] = {
        "index": [1, 1_000_001, 2, 3],
        "question": ["a?", "a?", "b?", "c?"],
        "A": ["x", "y", None, None],
        "B": ["y", "x", None, None],
        "answer": ["A", "B", "cat", "7"],
        "category": ["p", "p", "p", "q"],
        "prediction": ["A", "A", "cat", "7"],
    }
    list(house.ingest_many(_work_dir(tmp_path, "Turned", rows)))
    with house.reading() as con:
        rows_of = con.execute(
            "SELECT strategy, n, score FROM latest.ability_score "
            "WHERE ability_id = 0 AND average = 'micro' ORDER BY 1"
        ).fetchall()
    found = {strategy: (n, score) for strategy, n, score in rows_of}
    assert found["vanilla"] == (3, 1.0)
    assert found["circular"] == (3, pytest.approx(2 / 3))


def test_a_rule_of_ones_own_is_for_words_alone(house: Warehouse, tmp_path: Path) -> None:
    rows: dict[str, list[object]] = {
        "index": [1, 2],
        "question": ["a?", "b?"],
        "A": ["x", None],
        "B": ["y", None],
        "answer": ["A", "kitten"],
        "prediction": ["A", "sitten"],
    }
    list(house.ingest_many(_work_dir(tmp_path, "Own", rows)))
    set_benchmark(house, "Own", rule=[{"rule": "anls"}])
    assert _figures(house) == {"Own": (_near((1 + 5 / 6) / 2), 2, 0)}


def test_a_model_judges_choices_and_words_of_one_board(
    house: Warehouse, tmp_path: Path, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    rows: dict[str, list[object]] = {
        "index": [1, 2, 3, 4],
        "question": ["a?", "b?", "c?", "d?"],
        "A": ["xylophone", "x", None, None],
        "B": ["yellow", "y", None, None],
        "answer": ["A", "B", "cat", "mint"],
        "prediction": [
            "the one of wood, fault=say_a", "B", "some kitten, fault=say_1", "a herb, fault=say_0",
        ],
    }  # fmt: skip
    list(house.ingest_many(_work_dir(tmp_path, "Judged", rows)))
    assert _figures(house) == {"Judged": (0.25, 4, 3)}
    assert _asked(house, server) == {"choice_extraction": 1, "equivalence": 2}
    assert _figures(house, MODEL) == {"Judged": (0.75, 4, 0)}
    # What it compares stands under the judge of choices: alone it would be of some questions.
    assert _figures(house, f"{MODEL} equivalence") == {}
