"""What VLMEvalKit's judges extracted, compared and graded: as judgments, and as verdicts of rules."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path

import pytest

from evalhouse import InputError, Warehouse

pytestmark = pytest.mark.all_releases
OURS, PEER = "field_v2", "vlmevalkit_field_e8e78f0"
_DOWN = "Failed to obtain answer via API."
_MATHVISTA = """index\tquestion\tanswer\tchoices\tprecision\tquestion_type\
\tanswer_type\tanswer_option\ttask\tskills\tprediction
1\tHow many?\t5\t\t\tfree_form\tinteger\t\tcounting\t['arithmetic']\tI count 5.
2\tHow long?\t1.5\t\t1\tfree_form\tfloat\t\tcounting\t['arithmetic']\t1.5
3\tWhich?\tcat\t['cat', 'dog']\t\tmulti_choice\ttext\tA\tvqa\t['arithmetic']\tB
4\tHow few?\t2\t\t\tfree_form\tinteger\t\tvqa\t['arithmetic']\t
5\tHow big?\t9\t\t\tfree_form\tinteger\t\tvqa\t['arithmetic']\tquite big
6\tWhose?\tZoe\t\t\tfree_form\ttext\t\tvqa\t['arithmetic']\tIt is Zoe's
"""


def _work_dir(folder: Path, name: str, answers: str, pickles: Mapping[str, object]) -> Path:
    run = folder / "out/m1/T20260101-000000"
    run.mkdir(parents=True)
    (run / f"m1_{name}.tsv").write_text(answers, encoding="utf-8")
    for ending, content in pickles.items():
        (run / f"m1_{name}_{ending}.pkl").write_bytes(pickle.dumps(content))
    return folder / "out"


def _verdicts(house: Warehouse, release: str, judge: str) -> dict[str, tuple[float | None, str]]:
    rows = house.sql(
        f"SELECT question_key, score, resolved_by FROM answer_match WHERE judge = '{judge}'",
        release=release,
    ).rows()
    return {key: (score, by) for key, score, by in rows}


@pytest.mark.slow
def test_extracted_answers(house: Warehouse, tmp_path: Path) -> None:
    said = {
        1: {"log": "Try 0: output is I count 5., failed to parse.\nSucceed", "res": "5"},
        2: {"log": "Prefetch succeed", "res": 1.5},
        3: {"log": "Prefetch succeed", "res": "B"},
        4: {"log": "Succeed", "res": "2"},
        5: {"log": "".join(f"Try {i}: output is quite big, failed to "
                           "parse.\n" for i in range(5)) + "All 5 retries failed.\n", "res": ""},
        6: {"log": "Succeed", "res": "zoe"},
    }  # fmt: skip
    out = _work_dir(tmp_path, "MathVista_MINI", _MATHVISTA, {"gpt-4o-mini": said})
    reports = [one.report for one in house.ingest_many(out)]
    assert all(reports)
    assert "2 verdicts left out: rules gave them, no judge was called" in [
        n for r in reports if r for n in r.notes
    ]
    rows = house.sql(
        "SELECT j.task, j.max_attempts, attempt, reply, error FROM main.judgment "
        "JOIN main.judge AS j USING (judge_id) WHERE attempt < 2 ORDER BY judgment_id"
    ).rows()
    assert rows == [
        ("answer_extraction", 5, 0, None, _DOWN), ("answer_extraction", 5, 1, "5", None),
        ("answer_extraction", 5, 0, "2", None), ("answer_extraction", 5, 0, None, _DOWN),
        ("answer_extraction", 5, 1, None, _DOWN), ("answer_extraction", 5, 0, "zoe", None),
    ]  # fmt: skip
    by_rule = {"2": (1.0, "rule"), "3": (0.0, "rule")}
    # A blank answer says nothing, whatever a judge makes of it; failed calls can be made again.
    assert _verdicts(house, OURS, "gpt-4o-mini") == by_rule | {
        "1": (1.0, "judge"), "4": (0.0, "unresolved"), "5": (None, "pending"), "6": (1.0, "judge"),
    }  # fmt: skip
    assert _verdicts(house, PEER, "gpt-4o-mini") == by_rule | {
        "1": (1.0, "judge"), "4": (1.0, "judge"), "5": (0.0, "unresolved"), "6": (0.0, "judge"),
    }  # fmt: skip
    assert _verdicts(house, OURS, "none") == by_rule | dict.fromkeys("1456", (0.0, "unresolved"))
    figures = house.sql(
        "SELECT figure, score, score_low, score_high FROM benchmark_score "
        "WHERE judge = 'gpt-4o-mini' AND level = 'overall' ORDER BY figure_ordinal",
        release=OURS,
    ).rows()
    assert figures[0] == ("Overall", None, pytest.approx(50), pytest.approx(400 / 6))
    peers = house.sql(
        "SELECT figure, score FROM benchmark_score "
        "WHERE judge = 'gpt-4o-mini' AND level = 'overall' ORDER BY figure_ordinal",
        release=PEER,
    ).rows()
    assert peers == [
        ("Overall", 50), ("hit", 3), ("n", 6), ("prefetch", 2), ("prefetch rate", pytest.approx(100 / 3)),
    ]  # fmt: skip


def test_reading_again_adds_nothing(house: Warehouse, tmp_path: Path) -> None:
    out = _work_dir(
        tmp_path,
        "MathVista_MINI",
        _MATHVISTA,
        {"gpt-4o-mini": {1: {"log": "Succeed", "res": "5"}}},
    )
    assert [one.error for one in house.ingest_many(out)] == [None, None]
    assert all(one.report and one.report.already for one in house.ingest_many(out))
    assert house.sql("SELECT count(*) FROM main.judgment").item() == 1


@pytest.mark.slow
def test_kept_results_follow_what_a_judge_extracted(house: Warehouse, tmp_path: Path) -> None:
    first = {1: {"log": "Succeed", "res": "5"}}
    out = _work_dir(tmp_path, "MathVista_MINI", _MATHVISTA, {"gpt-4o-mini": first})
    assert all(one.report for one in house.ingest_many(out))
    house.refresh(release=PEER)
    points = (
        "SELECT sum(points_low) FROM ability_sum JOIN main.ability USING (ability_id) "
        "WHERE strategy = 'vanilla' AND judge = 'gpt-4o-mini' AND level = 'task'"
    )
    with house.reading() as con:
        assert con.execute(f"SELECT count(*) FROM {PEER}_internal.stale_run").fetchall() == [(0,)]
    assert house.sql(points, release=PEER).item() == 2
    # The fourth answer is blank: the peer counts what a judge makes of it.
    (pickled,) = out.rglob("*.pkl")
    pickled.write_bytes(pickle.dumps(first | {4: {"log": "Succeed", "res": "2"}}))
    assert all(one.report for one in house.ingest_many(out, refresh=False))
    assert house.sql(points, release=PEER).item() == 3


@pytest.mark.slow
def test_what_a_judge_compared(house: Warehouse, tmp_path: Path) -> None:
    answers = "index\tquestion\tanswer\tproblem_version\tmetadata\tprediction\n" + "".join(
        f"{i}\tHow many {i}?\t{i}\tText Lite\t{{'subject': 'Algebra', 'subfield': '{field}'}}\tI say {i}\n"
        for i, field in ((1, "Sets"), (2, "Sets"), (3, "Sums"), (4, "Sums"))
    )
    unread = "Try 0: output is I say 3, res is Judgement: 1, failed to parse.\nSucceed"
    given = {
        "judge-1_extract": {i: {"log_extract": "Succeed", "extract": str(i)} for i in range(1, 5)},
        "judge-1_score": {
            1: {"log_score": "Prefetch succeed", "score": True},
            2: {"log_score": "Succeed", "score": True},
            3: {"log_score": unread, "score": False},
        },
    }
    # What was extracted from the fourth is not the reference, and nobody compared them.
    given["judge-1_extract"][4]["extract"] = "four"
    out = _work_dir(tmp_path, "MathVerse_MINI", answers, given)
    assert all(one.report for one in house.ingest_many(out))
    rows = house.sql(
        "SELECT reply FROM main.judgment JOIN main.judge USING (judge_id) "
        "WHERE task = 'equivalence' ORDER BY judgment_id"
    ).rows()
    assert rows == [("1",), ("Judgement: 1",), ("0",)]
    judge = "judge-1 equivalence"
    wanted = {"1": (1.0, "rule"), "2": (1.0, "judge"), "3": (0.0, "judge"), "4": (None, "pending")}
    assert _verdicts(house, OURS, judge) == wanted
    crossed = house.sql(
        "SELECT a.name, o.name, score, n FROM crossed_score AS c "
        "JOIN main.ability AS a USING (ability_id) "
        "JOIN main.ability AS o ON c.other_ability_id = o.ability_id "
        f"WHERE judge = '{judge}' AND c.level = 'subfield' ORDER BY 1",
        release=OURS,
    ).rows()
    assert crossed == [("Sets", "Text Lite", 100.0, 2), ("Sums", "Text Lite", None, 2)]


@pytest.mark.slow
def test_points(house: Warehouse, tmp_path: Path) -> None:
    answers = "index\tvideo\tquestion\tanswer\tdimensions\tprediction\n" + "".join(
        f"{i}\tv\tWhat {i}?\tA cat\t['OCR']\t{text}\n"
        for i, text in enumerate(("a cat", "a dog", "cats", "N/A", "a lion"))
    )
    said = {0: "3", 1: "0", 2: "Rating: 3", 4: _DOWN}
    out = _work_dir(tmp_path, "MMBench-Video", answers, {"gpt-4-turbo_tmp": said})
    assert all(one.report for one in house.ingest_many(out))
    read = {"0": (1.0, "graded"), "1": (0.0, "graded"), "2": (0.0, "unresolved")}
    assert _verdicts(house, OURS, "gpt-4-turbo") == read | dict.fromkeys("34", (None, "pending"))
    assert _verdicts(house, PEER, "gpt-4-turbo") == read | dict.fromkeys("34", (0.0, "unresolved"))
    figures = house.sql(
        "SELECT figure, score FROM benchmark_score WHERE ability = 'FP-S' OR abbreviation = 'FP-S' "
        "ORDER BY figure_ordinal",
        release=PEER,
    ).rows()
    assert figures == [("Overall", pytest.approx(0.6)), ("valid", pytest.approx(1.5))]


@pytest.mark.slow
def test_pairs(house: Warehouse, tmp_path: Path) -> None:
    rows = (("8", "6"), ("-1", "-1"), ("10", "9.5"))
    head = "index\tquestion\tcaption\tgpt4_ans\tcategory\tprediction"
    lines = [f"{i}\tWhat {i}?\tA cat.\tA red cat.\tconv\tcat {i}" for i in range(3)]
    out = _work_dir(tmp_path, "LLaVABench", "\n".join([head, *lines, ""]), {})
    graded = [f"{line}\t{a}\t{b}" for line, (a, b) in zip(lines, rows, strict=True)]
    result = out / "m1/T20260101-000000/m1_LLaVABench_openai_result.tsv"
    result.write_text("\n".join([f"{head}\tgpt4_score\tscore", *graded, ""]), encoding="utf-8")
    assert all(one.report for one in house.ingest_many(out))
    query = "SELECT figure, score FROM benchmark_score WHERE ability = 'Overall' ORDER BY figure_ordinal"
    ours = {"Relative Score": 100 * 15.5 / 18, "VLM Score": 77.5, "GPT4 Score": 90}
    assert dict(house.sql(query, release=OURS).rows()) == pytest.approx(ours)
    peers = {"Relative Score": 100 * 14.5 / 17, "VLM Score": 145 / 3, "GPT4 Score": 170 / 3}
    assert dict(house.sql(query, release=PEER).rows()) == pytest.approx(peers)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "content", "words"),
    [
        ("j-1", {1: {"log": "Succeed, more or less", "res": "5"}}, "row 1, log: is no log"),
        ("j-1", {77: {"log": "Succeed", "res": "5"}}, "has no question 77"),
        ("j-1_score", {1: {"log_score": "Succeed", "score": "x"}}, "row 1, score: 'x' is neither"),
    ],
)
def test_files_that_say_what_cannot_be(
    house: Warehouse, tmp_path: Path, ending: str, content: object, words: str
) -> None:
    out = _work_dir(tmp_path, "MathVista_MINI", _MATHVISTA, {ending: content})
    answers, judged = sorted((out / "m1/T20260101-000000").iterdir(), key=lambda p: p.suffix != ".tsv")  # fmt: skip
    house.ingest(answers)
    with pytest.raises(InputError, match="m1_MathVista_MINI") as caught:
        house.ingest(judged)
    assert words in str(caught.value).replace("field ", "")
    assert house.sql("SELECT count(*) FROM main.judgment").item() == 0
    assert house.sql("SELECT count(*) FROM main.judge").item() == 0
