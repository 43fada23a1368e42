"""What judges' replies say, and what the judges are worth: agreement, error, stability, gain, cost."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalhouse import Warehouse
from queries import release as releases
from queries.lint import parse_file
from queries.plan import plan
from queries.release import SqlFile
from tests.oracle import Ask
from tests.queries.test_graded import OpenAsk, add_judge, add_judgments, add_open
from tests.tables import add_replies, question_rows, register_judge, write_jsonl
from warehouse.errors import EvalhouseError
from warehouse.judges import Judgment, retract

# The parser.

_SOFT = {
    "0": 0, "1": 1, "0.7": 0.7, ".5": 0.5, "1.0": 1, "0.": 0, "1.": 1, " 0.5\n": 0.5, "0.50 as": 0.5,
    "1.000 ": 1, "\u30000.2": 0.2, "1.5": None, "0.5.": None, "Score: 0.5": None, "nan": None, "-0": None,
    "5e-1": None, "+1": None, "1.01": None, "00": None, "0,5": None, "½": None, "٠": None, ".": None,
    "": None, "  ": None, "inf": None, "0.5/1": None, "1_0": None, "2": None, "0.5a": None,
}  # fmt: skip
_MARKS = {
    "1": 1, "5": 5, "4.": 4, "4,": 4, "3; so": 3, "2:": 2, "(4)": None, "4)": 4, "4/5": 4, "4.0": 4,
    "4.00": 4, "4.5": None, "0": None, "6": None, "10": None, "4/10": None, "4/5.": None, "44": None,
    "Mark: 4": None, "": None, "-4": None, "４": None, "4.0.": None, "\n5 stars": 5,
}  # fmt: skip


@pytest.mark.parametrize(("task", "replies"), [("soft_score", _SOFT), ("mark", _MARKS)])
def test_what_a_reply_says(house: Warehouse, task: str, replies: dict[str, float | None]) -> None:
    judge = add_judge(house, "J", task)
    add_judgments(house, judge, [Judgment(reply, reply) for reply in replies])
    found = house.sql("SELECT reply, verdict_score, verdict IS NOT NULL, state FROM parsed_reply")
    for reply, score, has_verdict, state in found.iter_rows():
        assert (score, has_verdict) == (replies[reply], replies[reply] is not None), reply
        assert state == ("unparsable" if score is None else "ok"), reply


def test_every_state_of_a_reply(house: Warehouse) -> None:
    judge = add_judge(house, "J", "soft_score")
    cases: list[tuple[dict[str, Any], tuple[float | None, str]]] = [
        ({"reply": "0.5"}, (0.5, "ok")),
        ({"reply": "0.5", "finish_reason": "length"}, (0.5, "ok")),
        ({"reply": "0.", "finish_reason": "length"}, (None, "truncated")),
        ({"reply": "1.", "finish_reason": "stop"}, (1, "ok")),
        ({"reply": "The", "finish_reason": "length"}, (None, "truncated")),
        ({"reply": "no", "finish_reason": "content_filter"}, (None, "refused")),
        ({"reply": None, "refusal": "I will not"}, (None, "refused")),
        ({"reply": "1", "refusal": "I will not"}, (1, "ok")),
        ({"reply": None}, (None, "unparsable")),
        ({"reply": None, "error": "timed out"}, (None, "failed")),
        ({"reply": "1", "error": "cut off"}, (None, "failed")),
    ]
    add_judgments(house, judge, [Judgment(str(n), **fields) for n, (fields, _) in enumerate(cases)])
    found = house.sql("SELECT subject_hash, verdict_score, state FROM parsed_reply")
    assert {row[0]: row[1:] for row in found.iter_rows()} == {
        str(n): said for n, (_, said) in enumerate(cases)
    }
    marks = add_judge(house, "M", "mark")
    add_judgments(house, marks, [Judgment("cut", "4.", finish_reason="length"), Judgment("whole", "4.")])  # fmt: skip
    found = house.sql("SELECT subject_hash, state FROM parsed_reply WHERE judge = 'M' ORDER BY 1")
    assert found.rows() == [("cut", "truncated"), ("whole", "ok")]


@pytest.fixture(scope="module")
def macros() -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the macros of paper_v1."""
    with duckdb.connect() as con:
        con.execute("CREATE SCHEMA paper_v1")
        for item in plan(releases.load("paper_v1")):
            if item.file.kind == "macro":
                con.execute(item.sql)
        con.execute("SET search_path = 'paper_v1'")
        yield con


_NASTY = st.text(st.sampled_from("0123456789.,;:)/5-+e \t\n\u2003AaBXI'\"٣½ıs")) | st.text()


@settings(max_examples=300, deadline=None)
@given(reply=_NASTY, is_cut=st.booleans())
def test_only_numbers_of_the_scale_are_ever_a_verdict(
    macros: duckdb.DuckDBPyConnection, reply: str, is_cut: bool
) -> None:
    found = macros.execute(
        "SELECT soft_score_word(first_word($reply), $is_cut), mark_word(first_word($reply), $is_cut)",
        {"reply": reply, "is_cut": is_cut},
    ).fetchone()
    assert found is not None
    word = (reply.split() or [""])[0]
    soft = re.fullmatch(r"0|1|0?\.[0-9]+|1\.0+" + ("" if is_cut else r"|[01]\."), word)
    mark = re.fullmatch(r"([1-5])(?:[,;:)]|/5|\.0+" + ("" if is_cut else r"|\.") + ")?", word)
    assert found == (soft and soft[0], mark and mark[1])
    if found[0] is not None:
        assert 0 <= float(found[0]) <= 1
        assert macros.execute("SELECT CAST(? AS DOUBLE)", [found[0]]).fetchone() == (float(found[0]),)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(reply=_NASTY, labels=st.sets(st.sampled_from("ABCDIX"), min_size=1))
def test_only_the_labels_are_ever_a_choice(
    macros: duckdb.DuckDBPyConnection, reply: str, labels: set[str]
) -> None:
    (found,) = macros.execute(
        "SELECT named_labels($labels, words($reply))", {"labels": sorted(labels), "reply": reply}
    ).fetchall()
    assert set(found[0]) <= labels
    assert all(label in reply for label in found[0])


def test_splitting_wants_a_literal_mark() -> None:
    for mark in ("text", "''", "'a\\b'"):
        file = SqlFile(
            "view",
            "own",
            "own",
            "",
            Path("own.sql"),
            f"SELECT string_split(text, {mark}) AS parts FROM main.question",
        )
        with pytest.raises(EvalhouseError, match="literal mark"):
            parse_file(file, frozenset())


# Agreement.


def agreement(pairs: list[tuple[Any, Any]]) -> tuple[int, int, float, float | None]:
    """n, how many agree, the share, and Cohen's kappa by its formula."""
    n = len(pairs)
    agree = sum(a == b for a, b in pairs)
    ours, theirs = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(ours[label] * theirs[label] for label in ours) / n**2
    observed = agree / n
    return n, agree, observed, None if chance == 1 else (observed - chance) / (1 - chance)


def _choices(house: Warehouse, said: dict[str, list[str]]) -> None:
    for name, replies in said.items():
        judge = add_judge(house, name, "choice_extraction")
        add_judgments(
            house,
            judge,
            [Judgment(f"s{n}", reply, labels="ABCDX") for n, reply in enumerate(replies)],
        )


def test_agreement_of_the_textbook(house: Warehouse) -> None:
    pairs = [("A", "A")] * 20 + [("A", "X")] * 5 + [("B", "A")] * 10 + [("X", "X")] * 15
    _choices(house, {"one": [a for a, _ in pairs], "two": [b for _, b in pairs]})
    found = house.sql("SELECT * EXCLUDE kappa FROM judge_agreement")
    assert found.rows() == [("one", "two", "choice_extraction", 50, 35, 0.7, 5, 10)]
    assert house.sql("SELECT kappa FROM judge_agreement").item() == pytest.approx(agreement(pairs)[3])  # fmt: skip


def test_kappa_is_undefined_where_nothing_varies(house: Warehouse) -> None:
    _choices(house, {"one": ["A", "A"], "two": ["A", "A"], "three": ["hm", "hm"]})
    found = house.sql("SELECT judge_a, judge_b, n, agreement, kappa FROM judge_agreement")
    assert found.rows() == [("one", "two", 2, 1.0, None)]


@pytest.mark.parametrize("seed", [1, 2])
def test_agreement_against_plain_python(house: Warehouse, seed: int) -> None:
    pick = random.Random(seed)
    said = {name: [pick.choice(["A", "B", "X", "hm"]) for _ in range(40)] for name in ("p", "q", "r")}  # fmt: skip
    _choices(house, said)
    scores = {
        name: [pick.choice(["0", "0.5", ".5", "1.0", "1"]) for _ in range(30)]
        for name in ("s", "t")
    }
    for name, replies in scores.items():
        judge = add_judge(house, name, "soft_score")
        # The second sample does not count.
        add_judgments(
            house,
            judge,
            [
                Judgment(f"s{n}", reply, judge_sample=sample)
                for n, reply in enumerate(replies)
                for sample in (1, 2)
            ],
        )
    found = house.sql(
        "SELECT judge_a, judge_b, n, n_agree, agreement, kappa, n_case_1, n_case_2 FROM judge_agreement"
    )
    expected: dict[tuple[str, str], tuple[Any, ...]] = {}
    for one, two in (("p", "q"), ("p", "r"), ("q", "r")):
        pairs = [(a, b) for a, b in zip(said[one], said[two], strict=True) if "hm" not in (a, b)]
        case_1 = sum((a == "X") != (b == "X") for a, b in pairs)
        expected[one, two] = (*agreement(pairs), case_1, sum(a != b for a, b in pairs) - case_1)
    numbers = [(float(a), float(b)) for a, b in zip(scores["s"], scores["t"], strict=True)]
    expected["s", "t"] = (*agreement(numbers), None, None)
    assert found.height == 4
    for row in found.iter_rows():
        assert row[2:] == pytest.approx(expected[row[:2]]), row[:2]


# Error and stability.


@pytest.mark.parametrize("seed", [1, 2])
def test_error_and_stability_against_plain_python(house: Warehouse, seed: int) -> None:
    pick = random.Random(seed)
    question = OpenAsk("1", ("cat<AND>black <OR> dark",))
    texts = {f"a {n} {'cat ' * (n % 2)}{'DARK' * (n % 3)}": n for n in range(12)}
    add_open(house, [question], {"m": {("1", n): (text, False) for text, n in texts.items()}})
    keyword = {
        question.subject(text): ((n % 2 == 1) + (n % 3 > 0)) / 2 for text, n in texts.items()
    }
    found = house.sql("SELECT subject_hash, score, n_parts FROM keyword_score")
    assert {row[0]: row[1] for row in found.iter_rows()} == keyword
    assert set(found["n_parts"]) == {2}

    said: dict[str, dict[str, list[float]]] = {}
    for name in ("s", "t"):
        judge = add_judge(house, name, "soft_score")
        rows = []
        for subject in keyword:
            for sample in range(pick.randrange(4)):
                reply = pick.choice(["0", "0.5", "0.7", "1", "?"])
                rows.append(Judgment(subject, reply, judge_sample=sample))
                if reply != "?":
                    said.setdefault(name, {}).setdefault(subject, []).append(float(reply))
        add_judgments(house, judge, rows)
    measured = {"keyword": {key: [score] for key, score in keyword.items()}, **said}
    found = house.sql("SELECT judge, reference_judge, task, n, mean_abs_error FROM judge_error")
    expected = {}
    for judge_name in measured:
        for reference in said:
            both = measured[judge_name].keys() & said[reference].keys()
            if judge_name != reference:
                gaps = [abs(fmean(measured[judge_name][k]) - fmean(said[reference][k])) for k in both]  # fmt: skip
                expected[judge_name, reference, "soft_score"] = (len(both), pytest.approx(fmean(gaps)))  # fmt: skip
    assert {row[:3]: row[3:] for row in found.iter_rows()} == expected

    subjects = house.sql(
        "SELECT judge, subject_hash, n_samples, lowest, highest, spread, stddev, changes FROM subject_stability"
    )
    several = {(j, k): scores for j, by in said.items() for k, scores in by.items() if len(scores) > 1}  # fmt: skip
    assert subjects.height == len(several)
    for judge_name, subject, *figures in subjects.iter_rows():
        scores = several[judge_name, subject]
        low, high = min(scores), max(scores)
        assert figures == [
            len(scores),
            low,
            high,
            pytest.approx(high - low),
            pytest.approx(pstdev(scores)),
            low < high,
        ]
    stable = house.sql(
        "SELECT judge, task, n_subjects, n_samples, mean_spread, max_spread, mean_stddev, "
        "share_changed FROM judge_stability"
    )
    for judge_name, task, *figures in stable.iter_rows():
        of_judge = [scores for (name, _), scores in several.items() if name == judge_name]
        spreads = [max(scores) - min(scores) for scores in of_judge]
        assert task == "soft_score"
        assert figures == [
            len(of_judge), max(map(len, of_judge)), pytest.approx(fmean(spreads)),
            pytest.approx(max(spreads)), pytest.approx(fmean(map(pstdev, of_judge))),
            pytest.approx(fmean(map(bool, spreads))),
        ]  # fmt: skip
    assert stable.height == 2


def test_stability_of_labels(house: Warehouse) -> None:
    judge = add_judge(house, "J", "choice_extraction")
    said = {"same": ["A", "A."], "other": ["A", "B"], "once": ["A", "hm"]}
    add_judgments(
        house,
        judge,
        [
            Judgment(key, reply, labels="ABX", judge_sample=n)
            for key, replies in said.items()
            for n, reply in enumerate(replies)
        ],
    )
    found = house.sql("SELECT subject_hash, spread, changes FROM subject_stability ORDER BY 1")
    assert found.rows() == [("other", None, True), ("same", None, False)]
    assert house.sql("SELECT mean_spread, share_changed FROM judge_stability").row(0) == (None, 0.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("references", "answer", "score"),
    [
        (["-1<AND>-5"], "x is -5", 0.5),
        (["12<OR>=12"], "it is =12", 1.0),
        (["a<OR>b<AND>c"], "B only", 0.5),
        (["no such", "Yes"], "yes", 1.0),
        (["ΣΑΣ"], "σας", 1.0),
        (["cat<AND>"], "cat", 1.0),
        (["x <AND> y"], "xy", 1.0),
        (["<OR>"], "anything", None),
        ([], "anything", None),
    ],
)
def test_keywords(
    house: Warehouse, references: list[str], answer: str, score: float | None
) -> None:
    add_open(house, [OpenAsk("1", references)], {"m": {("1", 0): (answer, False)}})
    assert house.sql("SELECT score FROM keyword_score").rows() == ([] if score is None else [(score,)])  # fmt: skip


# What a judge adds, and what it costs.


def test_match_rate(house: Warehouse, tmp_path: Path) -> None:
    questions = [
        Ask(str(n), {p: {"A": f"a{n}{p}", "B": f"b{n}{p}"} for p in (0, 1)}, {0: "A", 1: "B"})
        for n in range(4)
    ]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows(questions)), benchmark="Own")
    texts = [("A", "B"), ("hm", "B"), ("hm", "well"), (None, "B")]
    rows = [
        {"model": "m", "question_key": q.key, "pass": step, "prediction": text}
        for q, said in zip(questions, texts, strict=True)
        for step, text in enumerate(said)
    ]
    house.ingest(write_jsonl(tmp_path / "p.jsonl", rows), benchmark="Own")
    judge = register_judge(house, "J")
    add_replies(
        house,
        judge,
        [
            (questions[1], 0, "hm", "A"),
            (questions[2], 0, "hm", "hm"),
            (questions[2], 1, "well", None),
        ],
    )
    add_judge(house, "Z", "choice_extraction")
    found = house.sql(
        "SELECT strategy, n_answers, n_matched, match_rate, n_asked, n_extracted, extraction_rate, "
        "rules_score, score, judge_gain FROM match_rate WHERE judge = 'J' ORDER BY strategy"
    ).rows()
    circular, vanilla, _ = found
    assert vanilla[:7] == ("vanilla", 3, 1, pytest.approx(1 / 3), 2, 1, 0.5)
    assert vanilla[7] == 0.25
    assert circular[:7] == ("circular", 7, 4, pytest.approx(4 / 7), 2, 1, 0.5)
    assert circular[7] == 0.25
    scores = house.sql(
        "SELECT strategy, score FROM ability_score WHERE judge = 'J' AND level = 'overall' AND average = 'micro'"
    )
    assert {row[0]: row[8] for row in found} == dict(scores.iter_rows())
    for row in found:
        assert row[9] == (None if row[8] is None else row[8] - row[7])
    silent = house.sql(
        "SELECT DISTINCT n_asked, n_extracted, extraction_rate FROM match_rate WHERE judge = 'Z'"
    )
    assert silent.rows() == [(0, 0, None)]


def test_cost(house: Warehouse) -> None:
    judge = add_judge(house, "J", "soft_score")
    day, next_day = datetime(2026, 3, 1, 23, 59), datetime(2026, 3, 2)
    rows = [
        Judgment(
            "a",
            "1",
            origin="call",
            cost_usd=0.25,
            prompt_tokens=10,
            completion_tokens=1,
            judged_at=day,
            asked_run_id=7,
        ),
        Judgment(
            "b",
            "1",
            origin="call",
            cost_usd=0.5,
            prompt_tokens=20,
            completion_tokens=2,
            judged_at=day,
            asked_run_id=7,
        ),
        Judgment("c", None, error="no", origin="call", judged_at=day, asked_run_id=7),
        Judgment("d", "1", origin="cache", cost_usd=0.75, judged_at=day, asked_run_id=7),
        Judgment("e", "1", origin="batch", cost_usd=0.125, judged_at=next_day, asked_run_id=7),
        Judgment("f", "1", origin="call", judged_at=next_day, asked_run_id=8),
        Judgment("g", "1", origin="import", judged_at=next_day, run_id=9),
    ]
    add_judgments(house, judge, rows)
    query = (
        "SELECT run_id, CAST(day AS VARCHAR), origin, n_judgments, n_calls, n_cached, n_failed, prompt_tokens, "
        "completion_tokens, cost_usd, original_cost_usd FROM judge_cost ORDER BY ALL"
    )
    assert house.sql(query).rows() == [
        (7, "2026-03-01", "cache", 1, 0, 1, 0, None, None, 0.0, 0.75),
        (7, "2026-03-01", "call", 2, 2, 0, 1, 30, 3, 0.75, 0.75),
        (7, "2026-03-02", "batch", 1, 1, 0, 0, None, None, 0.125, 0.125),
        (8, "2026-03-02", "call", 1, 1, 0, 0, None, None, None, None),
        (9, "2026-03-02", "import", 1, 0, 0, 0, None, None, 0.0, None),
    ]
    with house.writing() as con:
        retract(con, "J")
    assert house.sql(query).rows() == []


# What is next.


@pytest.mark.slow
def test_vanilla_boards_ask_for_pass_0_alone(house: Warehouse, tmp_path: Path) -> None:
    question = Ask(
        "1", {p: {"A": "a", "B": "b", "C": "c"} for p in range(3)}, dict.fromkeys(range(3), "A")
    )
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows([question])), benchmark="Own")
    rows = [{"model": "m", "question_key": "1", "pass": p, "prediction": f"hm {p}"} for p in range(3)]  # fmt: skip
    house.ingest(write_jsonl(tmp_path / "p.jsonl", rows), benchmark="Own")
    judge = register_judge(house, "J", max_attempts=2)
    query = "SELECT pass, attempt FROM {} ORDER BY pass"
    for strategy, passes in (("circular", [0]), ("vanilla", [0]), ("vanilla_all", [0, 1, 2])):
        with house.writing() as con:
            con.execute("UPDATE main.benchmark SET strategy = ? WHERE name = 'Own'", [strategy])
        assert house.sql(query.format("judge_todo")).rows() == [(step, 0) for step in passes]
        assert house.sql(query.format("judge_todo_all")).rows() == [(0, 0), (1, 0), (2, 0)]
    with house.writing() as con:
        con.execute("UPDATE main.benchmark SET strategy = 'circular' WHERE name = 'Own'")
    # Failed calls do not count; an unusable reply does; after the last attempt a draw holds.
    add_replies(house, judge, [(question, 0, "hm 0", [None, None, "?"])])
    assert house.sql(query.format("judge_todo")).rows() == [(0, 1)]
    add_replies(house, judge, [(question, 0, "hm 0", "A")])
    assert house.sql(query.format("judge_todo")).rows() == [(1, 0)]
    add_replies(house, judge, [(question, 1, "hm 1", ["?", "?"])])
    drawn = house.sql("SELECT resolved_by, score FROM pass_result WHERE judge = 'J' AND pass = 1").row(0)  # fmt: skip
    assert drawn[0] == "random"
    assert house.sql(query.format("judge_todo")).rows() == ([(2, 0)] if drawn[1] else [])
    assert house.sql(query.format("judge_todo_all")).rows() == [(2, 0)]


def test_what_is_shared_helps_where_the_own_import_says_nothing(
    house: Warehouse, tmp_path: Path
) -> None:
    question = Ask("1", {0: {"A": "a", "B": "b"}}, {0: "A"})
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows([question])), benchmark="Own")
    house.ingest(
        write_jsonl(
            tmp_path / "p.jsonl", [{"model": "m", "question_key": "1", "prediction": "hm"}]
        ),
        benchmark="Own",
    )
    judge = register_judge(house, "J", max_attempts=2)
    add_replies(house, judge, [(question, 0, "hm", "?")], run_id=1)
    assert house.sql("SELECT attempt FROM judge_todo").rows() == [(1,)]
    add_replies(house, judge, [(question, 0, "hm", "A")])
    assert house.sql("SELECT resolved_by, score FROM pass_result WHERE judge = 'J'").rows() == [
        ("judge", 1)
    ]
    assert house.sql("SELECT * FROM judge_todo").height == 0
