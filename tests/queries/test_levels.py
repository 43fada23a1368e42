"""Levels that overlap, levels that a run does not reach, subsets, and answers in two parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from evalhouse import UsageError, Warehouse
from queries import render
from tests.tables import write_jsonl
from warehouse import known_benchmarks, sources, subsets
from warehouse.connection import transaction

_SEED_2 = known_benchmarks.find("SEED-Bench-2")
assert _SEED_2 is not None
_DIMENSIONS = [a.name for a in _SEED_2.abilities if a.level == "dimension"]
_LEVELS = {"L1": 22, "L2": 24, "L3": 27}
# Questions in each dimension: of different number, so that micro and macro differ.
_COUNTS = [2 + place % 3 for place in range(27)]


def _questions() -> Iterator[dict[str, Any]]:
    for place, dimension in enumerate(_DIMENSIONS, start=1):
        for n in range(_COUNTS[place - 1]):
            yield {
                "question_key": f"{place}_{n}",
                "question": f"Q {place} {n}",
                "A": "a", "B": "b", "C": "c", "D": "d",
                "answer": "B",
                "ability_dimension": dimension,
            }  # fmt: skip


def _answers(model: str, right: Sequence[int]) -> list[dict[str, str]]:
    """`right[i]` right answers in dimension i + 1, and wrong ones else; dimensions beyond are not answered."""
    return [
        {
            "model": model,
            "question_key": f"{place}_{n}",
            "prediction": "B" if n < right[place - 1] else "C",
        }
        for place in range(1, len(right) + 1)
        for n in range(_COUNTS[place - 1])
    ]


_RIGHT = {
    "reads": [place % 3 for place in range(22)],
    "interleaves": [(place * 2) % 3 for place in range(24)],
    "draws": [(place + 1) % 3 for place in range(27)],
    "declared": [1] * 22,
}


@pytest.fixture
def leveled(house: Warehouse, tmp_path: Path) -> Warehouse:
    house.ingest(write_jsonl(tmp_path / "q.jsonl", _questions()), benchmark="SEED-Bench-2")
    rows = [row for model, right in _RIGHT.items() for row in _answers(model, right)]
    house.ingest(write_jsonl(tmp_path / "p.jsonl", rows), benchmark="SEED-Bench-2")
    facts = [{"name": "declared", "capability_level": "L2"}]
    house.ingest(write_jsonl(tmp_path / "m.jsonl", facts))
    return house


def _scores(house: Warehouse, average: str) -> dict[tuple[str, str], tuple[Any, ...]]:
    rows = house.sql(
        "SELECT model, ability, score, score_answered, rank, is_reached FROM leaderboard "
        f"WHERE level IN ('capability_level', 'part', 'overall') AND average = '{average}' "
        "AND strategy = 'vanilla' AND judge = 'none'"
    ).rows()
    return {(model, ability): tuple(rest) for model, ability, *rest in rows}


def _mean(shares: Sequence[Fraction]) -> float:
    return float(sum(shares) / len(shares))


def test_levels_are_macro_over_dimensions_and_unreached_ones_are_empty(leveled: Warehouse) -> None:
    scores = _scores(leveled, "macro")
    for model, right in _RIGHT.items():
        shares = [
            Fraction(right[place] if place < len(right) else 0, _COUNTS[place])
            for place in range(27)
        ]
        parts = {"Part-1": shares[:22], "Part-2": shares[22:24], "Part-3": shares[24:]}
        parts |= {level: shares[:end] for level, end in _LEVELS.items()} | {"Overall": shares}
        # What a model's facts declare is reached with any answers: here L2, with two empty
        # dimensions that count as wrong.
        n_reached = 24 if model == "declared" else len(right)
        ends = {"Part-1": 22, "Part-2": 24, "Part-3": 27, "Overall": 27} | _LEVELS
        for ability, members in parts.items():
            score, _, rank, is_reached = scores[model, ability]
            assert is_reached == (ends[ability] <= n_reached), (model, ability)
            if is_reached:
                assert score == pytest.approx(_mean(members), abs=1e-12)
                assert rank is not None
            else:
                assert (score, rank) == (None, None)
    l1 = {model: scores[model, "L1"][0] for model in _RIGHT}
    for model in _RIGHT:
        assert scores[model, "L1"][2] == 1 + sum(other > l1[model] for other in l1.values())


def test_a_declared_level_wants_questions_of_every_dimension(
    house: Warehouse, tmp_path: Path
) -> None:
    """What a dataset has no question of is not reached, even if the model's facts declare it."""
    some = [row for row in _questions() if row["question_key"].startswith(("1_", "23_"))]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", some), benchmark="SEED-Bench-2")
    said = [{"model": "m", "question_key": row["question_key"], "prediction": "B"} for row in some]
    house.ingest(write_jsonl(tmp_path / "p.jsonl", said), benchmark="SEED-Bench-2")
    house.ingest(write_jsonl(tmp_path / "m.jsonl", [{"name": "m", "capability_level": "L2"}]))
    scores = _scores(house, "macro")
    assert {ability: scores["m", ability][0] for ability in ("L1", "L2", "Part-1")} == {
        "L1": None, "L2": None, "Part-1": None,
    }  # fmt: skip
    (board,) = house.leaderboard("SEED-Bench-2")
    assert (board.columns, board.lines[0].rank) == (("L1", "L2", "L3"), None)
    validity = house.sql(
        "SELECT ability, score FROM response_validity WHERE level IN ('capability_level', 'dimension')"
    ).rows()
    assert dict(validity) == {
        "Scene Understanding": 1.0, "In-Context Captioning": 1.0, "L1": None, "L2": None, "L3": None,
    }  # fmt: skip


def test_micro_counts_questions(leveled: Warehouse) -> None:
    scores = _scores(leveled, "micro")
    for level, end in _LEVELS.items():
        expected = Fraction(sum(_RIGHT["draws"][:end]), sum(_COUNTS[:end]))
        assert scores["draws", level][0] == pytest.approx(float(expected), abs=1e-12)
    assert scores["reads", "L2"][0] is None
    assert scores["reads", "L1"][0] == scores["reads", "L1"][1]


def test_the_board_prints_nothing_for_levels_not_reached(leveled: Warehouse) -> None:
    (board,) = leveled.leaderboard("SEED-Bench-2")
    assert board.columns == ("L1", "L2", "L3")
    cells = {line.model: [cell and cell.score for cell in line.cells] for line in board.lines}
    assert cells["reads"][1:] == [None, None]
    assert [line.rank for line in board.lines] == [1, 2, 3, 4]
    assert [b.columns[0] for b in leveled.leaderboard("SEED-Bench-2", level="part")] == ["Overall"]


def _subset(house: Warehouse, name: str, keys: Sequence[str], *, replace: bool = False) -> None:
    with house.writing() as con, transaction(con):
        source_id = sources.add(con, sources.Source("test", "-", 0, "test", 1, {}, len(keys)))
        ids = con.execute(
            "SELECT question_id FROM main.question WHERE list_contains(?, question_key)",
            [list(keys)],
        ).fetchall()
        subsets.create(con, name, 1, [i for (i,) in ids], source_id=source_id, replace=replace)


@pytest.fixture
def small(house: Warehouse, tmp_path: Path) -> Warehouse:
    """Four questions of two skills, one model, all of it right but the second."""
    rows = [
        {"question_key": str(n), "question": f"Q {n}", "A": "a", "B": "b", "answer": "A",
         "ability_skill": "odd" if n % 2 else "even"}
        for n in range(1, 5)
    ]  # fmt: skip
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="Own")
    said = [
        {"model": "m", "question_key": str(n), "prediction": "B" if n == 2 else "A"}
        for n in range(1, 5)
    ]
    house.ingest(write_jsonl(tmp_path / "p.jsonl", said), benchmark="Own")
    return house


@pytest.mark.slow
def test_subsets_have_boards_of_their_own(small: Warehouse) -> None:
    _subset(small, "first", ["1", "2"])
    (board,) = small.leaderboard("Own", subset="first")
    assert (board.lines[0].cells[0].n, board.lines[0].cells[0].score) == (2, 0.5)  # type: ignore[union-attr]
    assert "subset first" in board.title
    (whole,) = small.leaderboard("Own")
    assert (whole.lines[0].cells[0].n, whole.lines[0].cells[0].score) == (4, 0.75)  # type: ignore[union-attr]
    by_subset = small.sql(
        "SELECT subset, ability, n, score FROM subset_score WHERE strategy = 'circular' "
        "AND average = 'micro' AND level <> 'overall' ORDER BY ALL"
    ).rows()
    assert by_subset == [
        ("all", "even", 2, 0.5),
        ("all", "odd", 2, 1.0),
        ("first", "even", 1, 0.0),
        ("first", "odd", 1, 1.0),
    ]
    _subset(small, "odd", ["1", "3"])
    (board,) = small.leaderboard("Own", subset="odd", level="skill")
    assert board.columns == ("Overall", "odd", "even")
    assert [cell and cell.score for cell in board.lines[0].cells] == [1.0, 1.0, None]
    with pytest.raises(UsageError, match="no subset 'second'; there are all, first, odd"):
        small.leaderboard("Own", subset="second")
    _subset(small, "first", ["1", "3"], replace=True)
    (board,) = small.leaderboard("Own", subset="first")
    assert (board.lines[0].cells[0].n, board.lines[0].cells[0].score) == (2, 1.0)  # type: ignore[union-attr]


def test_boards_of_answered_questions(small: Warehouse, tmp_path: Path) -> None:
    said = [{"model": "half", "question_key": key, "prediction": "A"} for key in "13"]
    small.ingest(write_jsonl(tmp_path / "h.jsonl", said), benchmark="Own")
    shown = {}
    for of in ("all", "answered"):
        (board,) = small.leaderboard("Own", of=of)
        shown[of] = {line.model: (line.rank, line.cells[0].score) for line in board.lines}  # type: ignore[union-attr]
    assert shown["all"] == {"m": (1, 0.75), "half": (2, 0.5)}
    assert shown["answered"] == {"half": (1, 1.0), "m": (2, 0.75)}
    assert "of answered questions" in board.settings
    printed = {of: render.render_boards(small.leaderboard("Own", of=of), "table") for of in shown}
    assert "Right" in printed["all"]
    assert "of all questions" in printed["all"]
    assert "Right" not in printed["answered"]


def _score_rows(key: str, component: str, scores: Mapping[str, float], **more: Any) -> list[Any]:
    return [
        (key, component, label, score, more.get("n_tokens"), more.get("scorer"))
        for label, score in scores.items()
    ]


def _ranked(
    house: Warehouse, method: str, rows: Sequence[Any], *, reduction: str | None = None
) -> None:
    """A run of choice scores, put into the tables as they are."""
    with house.writing() as con, transaction(con):
        source_id = sources.add(con, sources.Source("test", "-", 0, "test", 1, {}, len(rows)))
        model_id = sources.next_id(con, "model")
        run_id = sources.next_id(con, "run")
        con.execute("INSERT INTO main.model VALUES (?, ?, ?)", [model_id, f"{method}", source_id])
        con.execute(
            "INSERT INTO main.run SELECT ?, ?, dataset_id, 'r', 'test', ?, ?, 'content', NULL, ?, "
            "NULL, NULL FROM main.dataset",
            [run_id, model_id, method, reduction, source_id],
        )
        con.execute("INSERT INTO main.run_sample VALUES (?, 0)", [run_id])
        con.executemany(
            "INSERT INTO main.choice_score SELECT ?, question_id, 0, 0, ?, ?, ?, ?, ? "
            "FROM main.question WHERE question_key = ?",
            [
                [run_id, component, label, score, n_tokens, scorer, key]
                for key, component, label, score, n_tokens, scorer in rows
            ],
        )


def test_a_text_and_an_image_both_have_to_be_right(small: Warehouse) -> None:
    with small.writing() as con:
        con.execute(
            "INSERT INTO main.question_component SELECT question_id, unnest(['text', 'image']), 1 "
            "FROM main.question"
        )
    right, wrong = {"A": -1.0, "B": -2.0}, {"A": -2.0, "B": -1.0}
    rows = [
        *_score_rows("1", "text", right), *_score_rows("1", "image", right, scorer="clip"),
        *_score_rows("2", "text", right), *_score_rows("2", "image", wrong, scorer="clip"),
        *_score_rows("3", "text", wrong), *_score_rows("3", "image", right, scorer="clip"),
        *_score_rows("4", "text", right),
    ]  # fmt: skip
    _ranked(small, "loglik", rows, reduction="sum")
    passes = small.sql(
        "SELECT question_key, component, score, resolved_by FROM pass_result WHERE model = 'loglik' "
        "ORDER BY ALL"
    ).rows()
    assert passes == [
        ("1", "image", 1.0, "ranked"), ("1", "text", 1.0, "ranked"),
        ("2", "image", 0.0, "ranked"), ("2", "text", 1.0, "ranked"),
        ("3", "image", 1.0, "ranked"), ("3", "text", 0.0, "ranked"),
        ("4", "image", 0.0, "missing"), ("4", "text", 1.0, "ranked"),
    ]  # fmt: skip
    questions = small.sql(
        "SELECT question_key, score, n_passes, n_missing FROM question_result "
        "WHERE model = 'loglik' AND strategy = 'vanilla' ORDER BY ALL"
    ).rows()
    assert questions == [("1", 1.0, 1, 0), ("2", 0.0, 1, 0), ("3", 0.0, 1, 0), ("4", 0.0, 0, 1)]
    assert small.sql("SELECT n, n_text_right, n_right, text_score, score FROM component_score "
                     "WHERE model = 'loglik'").rows() == [
        (4, 3, 1, 0.75, 0.25)
    ]  # fmt: skip


def test_the_pick_under_either_reduction(small: Warehouse) -> None:
    """A is likelier in all, B per token; question 2 is a tie of sums, question 3 incomplete."""
    rows = [
        ("1", "answer", "A", -3.0, 2, None), ("1", "answer", "B", -4.0, 4, None),
        ("2", "answer", "A", -4.0, 2, None), ("2", "answer", "B", -4.0, 4, None),
        ("3", "answer", "A", -1.0, 1, None),
        ("4", "answer", "A", float("-inf"), 1, None), ("4", "answer", "B", -9.0, None, None),
    ]  # fmt: skip
    _ranked(small, "loglik", rows, reduction="sum")
    shown = small.sql(
        "SELECT question_key, picked, n_best, picked_sum, picked_mean, is_same FROM choice_ranking "
        "ORDER BY ALL"
    ).rows()
    assert shown == [
        ("1", "A", 1, "A", "B", False),
        ("2", "A", 2, "A", "B", False),
        ("3", None, 1, None, None, None),
        ("4", "B", 1, "B", None, None),
    ]
    (board,) = small.leaderboard("Own")
    assert {line.model: line.how for line in board.lines} == {
        "m": "generation",
        "loglik": "loglik sum content",
    }
    printed = render.render_boards([board], "table")
    assert "Method" in printed
    assert "loglik sum content" in printed
    own = small.sql("SELECT count(*) FROM choice_ranking WHERE picked IS DISTINCT FROM picked_sum")
    assert own.item() == 0
    ties = small.sql("SELECT n, n_incomplete, n_tied, n_differ FROM ranking_ties").rows()
    assert ties == [(4, 1, 1, 2)]


def test_a_perplexity_does_not_depend_on_the_order(house: Warehouse, tmp_path: Path) -> None:
    """Scored in pass 0 alone: the same choice is the pick in the other passes, so circular is vanilla."""
    rows = [
        {"question_key": key, "pass": step, "question": f"Q {key}",
         "A": texts[step], "B": texts[1 - step], "answer": "AB"[step]}
        for key, texts in {"1": "xy", "2": "zw"}.items()
        for step in (0, 1)
    ]  # fmt: skip
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="Own")
    scores = [("1", "answer", "A", 5.0, None, None), ("1", "answer", "B", 9.0, None, None),
              ("2", "answer", "A", 9.0, None, None), ("2", "answer", "B", 5.0, None, None)]  # fmt: skip
    _ranked(house, "perplexity", scores)
    picks = house.sql("SELECT question_key, pass, picked, is_carried FROM ranked_pick ORDER BY ALL")
    assert picks.rows() == [
        ("1", 0, "A", False), ("1", 1, "B", True), ("2", 0, "B", False), ("2", 1, "A", True),
    ]  # fmt: skip
    by_strategy = house.sql(
        "SELECT strategy, score, n_missing FROM ability_score WHERE average = 'micro'"
    ).rows()
    assert set(by_strategy) == {(s, 0.5, 0) for s in ("vanilla", "circular", "vanilla_all")}


def test_valid_responses(small: Warehouse, tmp_path: Path) -> None:
    """An ability counts with valid responses to half of its questions, and not with fewer."""
    said = [
        {"model": "mumbles", "question_key": key, "prediction": text}
        for key, text in {"1": "A", "2": "hm", "3": "hm", "4": "hm"}.items()
    ]
    small.ingest(write_jsonl(tmp_path / "p2.jsonl", said), benchmark="Own")
    rows = small.sql(
        "SELECT ability, n, n_valid, is_valid, score FROM response_validity "
        "WHERE model = 'mumbles' ORDER BY ALL"
    ).rows()
    assert rows == [
        ("Overall", 4, 1, False, None), ("even", 2, 0, False, None), ("odd", 2, 1, True, 0.5),
    ]  # fmt: skip
