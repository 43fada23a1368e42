"""LLaVA-1.5-13B on MMBench dev: the published figure, and every verdict against the oracle."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from evalhouse import Warehouse
from queries.render import percent
from tests.oracle import Ask, pass_state, question_scores


@pytest.fixture
def llava(house: Warehouse, shared: Path) -> Warehouse:
    house.ingest(shared / "real/mmbench/llava-v1.5-13b.xlsx", benchmark="MMBench")
    return house


def test_the_published_figures(llava: Warehouse) -> None:
    for strategy, points, shown in (("circular", 796, "67.69"), ("vanilla", 887, "75.43")):
        (board,) = llava.leaderboard("MMBench", strategy=strategy)
        (line,) = board.lines
        (cell,) = line.cells
        assert cell is not None
        assert (line.model, line.rank, cell.points, cell.n) == ("llava-v1.5-13b", 1, points, 1176)
        assert percent(cell.score, 2) == shown


def test_the_view_holds_every_question(llava: Warehouse) -> None:
    rows = llava.sql(
        "SELECT count(*), sum(score) FROM latest.question_result WHERE strategy = 'circular'"
    )
    assert rows.row(0) == (1176, 796)


def test_per_pass(llava: Warehouse) -> None:
    rows = llava.sql(
        "SELECT pass, sum(score), count(*) FROM latest.pass_result GROUP BY pass ORDER BY pass"
    )
    assert rows.rows() == [(0, 887, 1176), (1, 894, 1176), (2, 829, 1087), (3, 736, 938)]


def test_fixed_last_options_are_taken_as_they_stand(llava: Warehouse) -> None:
    rows = llava.sql(
        "SELECT count(*) FROM (SELECT question_id, max(pass) AS last FROM main.question_pass GROUP "
        "BY 1) JOIN (SELECT question_id, count(*) AS n FROM main.choice WHERE pass = 0 GROUP BY 1) "
        "USING (question_id) WHERE n = 4 AND last = 2"
    )
    assert rows.item() == 53


def rewritten(frame: pl.DataFrame, seed: int) -> pl.DataFrame:
    """The same file, its letters turned into sentences, blanks, option texts, and dropped rows."""
    pick = random.Random(seed)
    rows = []
    for row in frame.to_dicts():
        letter = row["prediction"]
        chosen = row.get(letter) or "nothing"
        kind = pick.randrange(14)
        if kind == 0:
            continue
        row["prediction"] = [
            letter,
            f"{letter}.",
            f"The answer is {letter}.",
            f"({letter}) {chosen}",
            chosen,
            "",
            None,
            "   ",
            f"{letter} or B",
            "A cat, I think",
            f"Option {letter} because it fits",
            "Failed to obtain answer via API.",
            f"I choose {letter}; {letter}!",
            letter.lower(),
        ][kind]
        rows.append(row)
    return pl.DataFrame(rows, schema=frame.schema)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_rewritten_predictions_against_the_oracle(
    make_house: Callable[[str], Warehouse], shared: Path, tmp_path: Path, seed: int
) -> None:
    original = pl.read_excel(shared / "real/mmbench/llava-v1.5-13b.xlsx", infer_schema_length=0)
    questions = tmp_path / "MMBench_DEV.csv"
    original.drop("prediction").write_csv(questions)
    changed = rewritten(original, seed)
    changed.write_excel(tmp_path / "changed.xlsx")
    house = make_house("rewritten")
    house.ingest(questions)
    house.ingest(tmp_path / "changed.xlsx", benchmark="MMBench")
    house.install_release("field_v1")

    asks: dict[str, Ask] = {}
    for row in original.to_dicts():
        key, step = str(int(row["index"]) % 1_000_000), int(row["index"]) // 1_000_000
        ask = asks.setdefault(key, Ask(key, {}, {}))
        ask.choices[step] = {c: row[c] for c in "ABCD" if row[c] is not None}  # type: ignore[index]
        ask.answers[step] = row["answer"]  # type: ignore[index]
    answered = {
        (str(int(row["index"]) % 1_000_000), int(row["index"]) // 1_000_000): (
            row["prediction"],
            False,
        )
        for row in changed.to_dicts()
    }
    expected_passes = {}
    expected_questions = {}
    for key, ask in asks.items():
        states = {step: pass_state(ask, step, answered, None) for step in ask.choices}
        for step, (resolved_by, predicted) in states.items():
            expected_passes[key, step] = (
                resolved_by,
                predicted,
                float(predicted == ask.answers[step]),
            )
        for strategy, score in question_scores(ask, states).items():
            assert score.low is not None
            expected_questions[key, strategy] = (float(score.low), score.n_missing)
    # The oracle reads as field_v1 does.
    passes = house.sql(
        "SELECT question_key, pass, resolved_by, predicted, score FROM pass_result",
        release="field_v1",
    )
    assert {(r[0], r[1]): r[2:] for r in passes.iter_rows()} == expected_passes
    results = house.sql(
        "SELECT question_key, strategy, score, n_missing FROM question_result",
        release="field_v1",
    )
    assert {
        (r[0], r[1]): (pytest.approx(r[2], abs=1e-12), r[3]) for r in results.iter_rows()
    } == expected_questions
    kinds = {state for state, _, _ in expected_passes.values()}
    assert kinds == {"rule", "unresolved", "missing"}


def test_stopping_at_the_first_wrong_pass(llava: Warehouse) -> None:
    rows = llava.sql(
        "SELECT count(*) FILTER (pass <= coalesce(stop, 9)), count(*) FROM pass_result "
        "LEFT JOIN (SELECT question_id, min(pass) AS stop FROM pass_result WHERE score = 0 "
        "GROUP BY question_id) USING (question_id)"
    )
    assert rows.row(0) == (3495, 4377)
