"""Judges that a benchmark's rules need: who extracts an answer, compares it, or a library that does."""

from __future__ import annotations

import asyncio
import json
from importlib import metadata
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalhouse import UsageError, Warehouse
from evalhouse.judging import JudgeSettings, assign
from judge import math_worker, plan, program
from judge.budget import Budget
from judge.request import Request
from queries.install import LATEST
from queries.plan import internal_schema
from queries.release import default_name
from tests.commands import Done, run
from tests.judging import KEY, MODEL, JudgeServer

_TOML = """
name = "MathPics"
task = "open"
strategy = "vanilla"
average = "micro"
aliases = ["mathpics"]
splits = []

[[level]]
name = "kind"
columns = ["kind"]

[[rule]]
rule = "extracted"
normaliser = "equivalence"
where = { attribute = "kind", value = "same" }

[[rule]]
rule = "extracted"
normaliser = "math"
where = { attribute = "kind", value = "math" }

[[rule]]
rule = "extracted"

[[figure]]
name = "Overall"
aggregate = "micro"
scale = 100
"""
_ROWS = [
    # index, kind, answer_type, precision, answer, prediction
    (1, "pull", "integer", "", "14", "14"),
    (2, "pull", "integer", "", "14", "It has 3 rows, fault=say_14"),
    (3, "pull", "integer", "", "15", "It has 4 rows, fault=say_14"),
    (4, "pull", "float", "2", "0.5", "I cannot say, fault=say_none"),
    (5, "same", "", "", "two cats", "a pair of cats, fault=say_1"),
    (6, "same", "", "", "two cats", "a pair of dogs, fault=say_0"),
    (7, "same", "", "", "two cats", "well, fault=unparsable"),
    (8, "same", "", "", "two cats", ""),
    (9, "math", "", "", r"2\sqrt{3}", r"so it is $\sqrt{12}$"),
    (10, "math", "", "", r"\pi/2", r"the answer is \frac{\pi}{2}."),
    (11, "math", "", "", r"x+1", "that would be 1-x"),
    (12, "math", "", "", r"\sqrt{2}", "I cannot see a picture"),
]


@pytest.fixture
def pics(house: Warehouse, tmp_path: Path) -> Warehouse:
    _add(house, tmp_path, _TOML)
    for model in ("vlm", "copy"):
        _ingest(house, tmp_path, model)
    return house


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def _add(house: Warehouse, folder: Path, text: str) -> None:
    place = folder / "mathpics"
    place.mkdir()
    (place / "benchmark.toml").write_text(text, encoding="utf-8")
    house.add_benchmark(place)


def _ingest(house: Warehouse, folder: Path, model: str) -> None:
    path = folder / f"{model}_MathPics.tsv"
    head = "index\tkind\tanswer_type\tprecision\tquestion\tanswer\tprediction\n"
    body = "".join(
        f"{index}\t{kind}\t{form}\t{precision}\tq{index}\t{answer}\t{said}\n"
        for index, kind, form, precision, answer, said in _ROWS
    )
    path.write_text(head + body, encoding="utf-8")
    house.ingest(path)


def _verdicts(house: Warehouse, judge: str) -> dict[int, tuple[str, float | None]]:
    """How each question is resolved under a judge, and its score."""
    with house.reading() as con:
        rows = con.execute(
            f"SELECT CAST(p.question_key AS INTEGER), p.resolved_by, p.score FROM {LATEST}.pass_result AS p "
            f"JOIN {LATEST}.current_run AS r USING (run_id) WHERE r.model = 'copy' AND p.judge = ?",
            [judge],
        ).fetchall()
    return {key: (resolved_by, score) for key, resolved_by, score in rows}


def _judge(house: Warehouse, server: JudgeServer | None, **settings: Any) -> dict[str, int]:
    """How many replies each judge was asked for."""
    asked = {}
    given_settings = {
        "model": MODEL,
        "base_url": None if server is None else server.url,
        **settings,
    }
    for assignment in assign(house.path, JudgeSettings(**given_settings)):
        progress = assignment.run(Budget())
        assert progress.error is None
        assert progress.failed == 0
        asked[assignment.enrolled.judge.name] = progress.asked
    return asked


@pytest.mark.slow
def test_rules_say_which_judges_are_needed(pics: Warehouse, server: JudgeServer) -> None:
    """Each distinct answer once, over both models; nothing again; what a rule reads or a blank never."""
    # What reads LaTeX needs somebody to extract it too, where no program compares.
    assert _judge(pics, server) == {MODEL: 3 + 4, f"{MODEL} equivalence": 2 + 3}
    assert _judge(pics, server) == {MODEL: 0, f"{MODEL} equivalence": 0}
    extracted = _verdicts(pics, MODEL)
    assert {key: extracted[key] for key in (1, 2, 3, 4)} == {
        1: ("rule", 1.0),
        2: ("judge", 1.0),
        3: ("judge", 0.0),
        4: ("unresolved", 0.0),
    }
    compared = _verdicts(pics, f"{MODEL} equivalence")
    assert compared == {
        5: ("judge", 1.0),
        6: ("judge", 0.0),
        7: ("unresolved", 0.0),
        8: ("unresolved", 0.0),
    }


def test_an_extracting_judge_sees_no_reference(pics: Warehouse) -> None:
    asked = {
        assignment.template.task: [
            (request.place.split(",")[1].strip(), assignment.template.prompt, request)
            for request in assignment.requests()
        ]
        for assignment in assign(pics.path, JudgeSettings(model=MODEL))
    }
    prompts = {place: request.content["prompt"] for place, _, request in asked["answer_extraction"]}
    assert "15" not in prompts["question 3"]
    assert "Form: an integer" in prompts["question 3"]
    assert "Form: a number with 2 decimals" in prompts["question 4"]
    assert "Form: a number, a word" in prompts["question 9"]
    compared = [request.content["prompt"] for _, _, request in asked["equivalence"]]
    assert all('Reference: "two cats"' in prompt for prompt in compared)
    assert all(request.content["labels"] is None for _, _, request in asked["equivalence"])


@pytest.mark.slow
def test_a_reply_that_cannot_be_read_is_asked_for_again_and_then_counted(
    pics: Warehouse, server: JudgeServer
) -> None:
    _judge(pics, server, task="equivalence")
    with pics.reading() as con:
        attempts = con.execute(
            f"SELECT attempt, state FROM {LATEST}.parsed_reply WHERE reply LIKE 'I would rather%' ORDER BY 1"
        ).fetchall()
        unread = con.execute(
            f"SELECT n_unread FROM {LATEST}.benchmark_score "
            "WHERE judge = ? AND figure = 'Overall' AND ability = 'same' AND model = 'vlm'",
            [MODEL],
        ).fetchall()
    assert attempts == [(0, "unparsable"), (1, "unparsable"), (2, "unparsable")]
    assert unread == [(2,)]


@pytest.mark.slow
def test_a_library_compares_what_no_rule_reads(pics: Warehouse) -> None:
    name = program.model()
    settings = {"model": "", "backend": program.NAME}
    # Those of the rule math, and those that a judge would compare.
    assert _judge(pics, None, **settings) == {name: 4 + 3}
    assert _judge(pics, None, **settings) == {name: 0}
    assert {key: found for key, found in _verdicts(pics, name).items() if key >= 9} == {
        9: ("judge", 1.0),
        10: ("judge", 1.0),
        11: ("judge", 0.0),
        12: ("unresolved", 0.0),
    }
    # Without it, they are unresolved, and counted.
    assert _verdicts(pics, "none")[9] == ("unresolved", 0.0)
    with pics.reading() as con:
        assert con.execute(
            "SELECT kind, task, model, json_extract_string(sampling, '$.sympy') FROM main.judge"
        ).fetchall() == [("program", "equivalence", name, metadata.version("sympy"))]
        replies = con.execute(
            "SELECT DISTINCT reply, origin FROM main.judgment ORDER BY 1"
        ).fetchall()
    assert replies == [("0", "local"), ("1", "local"), ("unreadable", "local")]


@pytest.mark.slow
def test_a_library_compares_what_a_judge_extracted(
    house: Warehouse, server: JudgeServer, tmp_path: Path
) -> None:
    """Two commands: the judge extracts, and what SQL cannot read of that goes to the library."""
    _add(house, tmp_path, _TOML)
    more = tmp_path / "vlm_MathPics.tsv"
    rows = [
        # index, answer, prediction; how it is resolved under both, and the score
        (20, r"2\sqrt{3}", r"It is 5, then fault=say_root_12", "judge", 1.0),
        (21, r"2\sqrt{3}", r"so $\sqrt{12}$ it is, no: fault=say_root_13", "judge", 0.0),
        (22, "14", "I counted twice: fault=say_14", "judge", 1.0),
        (23, r"\sqrt{2}", "I cannot see it: fault=say_none", "unresolved", 0.0),
        (24, "14", "14", "rule", 1.0),
    ]
    head = "index\tkind\tanswer_type\tprecision\tquestion\tanswer\tprediction\n"
    more.write_text(
        head + "".join(f"{n}\tmath\t\t\tq{n}\t{a}\t{p}\n" for n, a, p, _, _ in rows),
        encoding="utf-8",
    )
    house.ingest(more, model="chained")
    chain = f"{MODEL} + {program.model()}"
    settings = {"model": "", "backend": program.NAME, "extracted_by": MODEL}
    with pytest.raises(
        UsageError, match=f"no judge '{MODEL}' extracts answers; `evalhouse judge --model"
    ):
        _judge(house, None, **settings)
    _judge(house, server, task="answer_extraction")
    assert _chained(house, MODEL)[20] == ("unresolved", 0.0)
    assert _chained(house, MODEL)[22] == ("judge", 1.0)
    with pytest.raises(UsageError, match=f"no judge 'me' extracts answers; there are {MODEL}"):
        _judge(house, None, **settings | {"extracted_by": "me"})
    todo = f"SELECT prediction FROM {LATEST}.judge_todo WHERE judge = ? ORDER BY question_key"
    (assignment,) = assign(house.path, JudgeSettings(**settings))  # type: ignore[arg-type]
    house.refresh(release=LATEST)
    with house.reading() as con:
        waiting = [text for (text,) in con.execute(todo, [chain]).fetchall()]
    # It gets what was extracted, and of that what SQL cannot read.
    assert waiting == [r"$\sqrt{12}$", r"$\sqrt{13}$", "None"]
    assert _chained(house, chain)[20] == ("pending", None)
    progress = assignment.run(Budget())
    assert (progress.asked, progress.failed) == (len(waiting), 0)
    assert _judge(house, None, **settings) == {chain: 0}
    assert _chained(house, chain) == {n: (how, score) for n, _, _, how, score in rows}
    # Under the library alone the raw answer counts, whose only formula is the right one.
    _judge(house, None, model="", backend=program.NAME)
    assert _chained(house, program.model())[21] == ("judge", 1.0)
    with house.reading() as con:
        judges = con.execute(
            "SELECT p.name, p.endpoint = 'program:' || e.fingerprint FROM main.judge AS p, main.judge AS e "
            "WHERE p.kind = 'program' AND e.name = ? ORDER BY p.judge_id",
            [MODEL],
        ).fetchall()
    assert judges == [(chain, True), (program.model(), False)]


def _chained(house: Warehouse, judge: str) -> dict[int, tuple[str, float | None]]:
    with house.reading() as con:
        rows = con.execute(
            f"SELECT CAST(p.question_key AS INTEGER), p.resolved_by, p.score FROM {LATEST}.pass_result AS p "
            f"JOIN {LATEST}.current_run AS r USING (run_id) WHERE r.model = 'chained' AND p.judge = ? "
            "AND CAST(p.question_key AS INTEGER) >= 20",
            [judge],
        ).fetchall()
    return {key: (resolved_by, score) for key, resolved_by, score in rows}


@pytest.mark.slow
def test_kept_results_follow_a_chain(pics: Warehouse, server: JudgeServer) -> None:
    """What the library says of an extracted text is in the results, of both runs, when it has judged."""
    chain = f"{MODEL} + {program.model()}"
    _judge(pics, server, task="answer_extraction")
    (assignment,) = assign(
        pics.path, JudgeSettings(model="", backend=program.NAME, extracted_by=MODEL)
    )
    pics.refresh(release=LATEST)
    stale = f"SELECT count(*) FROM {internal_schema(default_name())}.stale_run"
    with pics.reading() as con:
        assert con.execute(stale).fetchall() == [(0,)]
    assert assignment.run(Budget()).asked > 0
    with duckdb.connect(pics.path, read_only=True) as con:
        assert con.execute(stale).fetchall() == [(0,)]
        assert con.execute(
            f"SELECT count(*) FROM {LATEST}.judge_todo WHERE judge = ?", [chain]
        ).fetchall() == [(0,)]


@pytest.mark.slow
def test_boards_are_under_these_judges(pics: Warehouse, server: JudgeServer) -> None:
    """Under a program where no model judged; else under the model that left nothing and said most."""
    _judge(pics, None, model="", backend=program.NAME)
    name = program.model()
    (board,) = pics.leaderboard("MathPics", release=LATEST, level="overall")
    assert board.judge == name
    found = pics.compare("vlm", "copy", release=LATEST)
    assert (found.judge, found.frame["difference"][0]) == (name, 0.0)
    _judge(pics, server)
    (board,) = pics.leaderboard("MathPics", release=LATEST, level="overall")
    assert board.judge == MODEL
    (board,) = pics.leaderboard("MathPics", release=LATEST, judge="none", level="overall")
    assert board.judge == "none"


@pytest.mark.slow
def test_a_choice_is_named_by_its_label_or_its_text(
    house: Warehouse, server: JudgeServer, tmp_path: Path
) -> None:
    """In an answer, and in what a judge extracted; a text that two choices have names neither."""
    _add(house, tmp_path, _TOML)
    rows = [
        # index, choices, right, prediction; how it is resolved, and the label
        (1, "['cat', 'dog']", "dog", " Dog ", "rule", "B"),
        (2, "['cat', 'dog']", "dog", "B.", "rule", "B"),
        (3, "['cat', 'dog']", "dog", "the animal, fault=say_b", "judge", "B"),
        (4, "['cat', 'dog']", "cat", "the animal, fault=say_dog", "judge", "B"),
        (5, "['dog', 'dog ', 'cat']", "cat", "dog", "unresolved", None),
        (6, "['cat', 'dog']", "dog", "the animal, fault=say_none", "unresolved", None),
    ]
    path = tmp_path / "vlm_MathPics.tsv"
    head = "index\tkind\tquestion\tcandidates\tanswer\tprediction\n"
    body = "".join(f"{n}\tpull\tq{n}\t{c}\t{a}\t{p}\n" for n, c, a, p, _, _ in rows)
    path.write_text(head + body, encoding="utf-8")
    house.ingest(path)
    _judge(house, server)
    with house.reading() as con:
        found = con.execute(
            f"SELECT question_key, resolved_by, predicted, score FROM {LATEST}.pass_result "
            "WHERE judge = ? ORDER BY question_key",
            [MODEL],
        ).fetchall()
    assert [row[1:3] for row in found] == [row[4:] for row in rows]
    assert [row[3] for row in found] == [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]


@pytest.mark.slow
def test_commands(pics: Warehouse, tmp_path: Path) -> None:
    def command(*words: object) -> Done:
        return run("evalhouse", *words, "--db", str(pics.path), cwd=tmp_path)

    done = command("judge", "--backend", "math-verify")
    assert f"{program.model()} (equivalence): 7 asked" in done.out
    assert "program" in command("judges").out
    for words, problem in (
        (["--model", "m"], "--backend math-verify takes no --model"),
        (["--sampling", "seed=1"], "--backend math-verify takes no --sampling"),
        (["--task", "soft_score"], "--backend math-verify is for the task equivalence"),
        (["--samples", "2"], "--samples is 1"),
        (["--extracted-by", "me"], "no judge 'me' extracts answers"),
    ):
        failed = command("judge", "--backend", "math-verify", *words)
        assert failed.code == 2
        assert problem in failed.err


def test_without_the_extra(pics: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(program.metadata, "version", missing)
    with pytest.raises(UsageError, match=r"needs the extra math \(math-verify is not installed\)"):
        assign(pics.path, JudgeSettings(model="", backend=program.NAME))


def test_rules_that_need_no_judge(house: Warehouse, tmp_path: Path) -> None:
    _add(house, tmp_path, _TOML[: _TOML.index("[[rule]]")] + '[[rule]]\nrule = "exact"\n')
    _ingest(house, tmp_path, "vlm")
    with pytest.raises(UsageError, match="no rule of these benchmarks needs a judge"):
        assign(house.path, JudgeSettings(model=MODEL))


@pytest.mark.parametrize(
    ("said", "reference", "verdict"),
    [
        (r"The answer is \frac{2}{3}.", "2/3", "1"),
        ("so the result is 2π", r"2\pi", "1"),
        ("答案为14", "14", "1"),
        ("Sorry, I cannot tell.", "14", "unreadable"),
        (r"$\boxed{\sqrt{12}}$", r"2\sqrt{3}", "1"),
        ("first $x=3$, then $y=4$", "4", "1"),
        ("(-2, 1)", "(-2,1)", "1"),
        ("(1, -2)", "(-2,1)", "0"),
        ("", "4", "unreadable"),
        ("4", "", "unreadable"),
        ("4", "nothing to compare with", "unreadable"),
    ],
)
def test_what_the_library_reads(said: str, reference: str, verdict: str) -> None:
    assert math_worker.verdict(said, [reference]) == verdict


@given(st.integers(-999, 999), st.integers(1, 99), st.integers(1, 9))
def test_equal_fractions_are_equal(over: int, under: int, times: int) -> None:
    said = rf"that makes $\frac{{{over * times}}}{{{under * times}}}$"
    assert math_worker.verdict(said, [f"{over}/{under}"]) == "1"
    assert math_worker.verdict(said, [f"{over + 1}/{under}"]) == "0"


@pytest.mark.parametrize("quote", ["{}", "${}$", r"\boxed{{{}}}", "the answer is {}"])
def test_no_text_is_run_as_code(
    quote: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither by the library's reader of plain expressions nor by sympy's."""
    import sympy.parsing.sympy_parser as parser

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a text was evaluated")

    monkeypatch.setattr(parser, "eval_expr", refused)
    trap = tmp_path / "ran"
    for code in (f"__import__('pathlib').Path('{trap}').touch()", f"open('{trap}','w')", "2**3"):
        math_worker.verdict(quote.format(code), [quote.format(code), "8"])
    assert not trap.exists()


@pytest.mark.slow
def test_a_process_that_ends_is_a_failed_call(
    pics: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named, nothing is stored for good, and the next command compares again."""
    settings = JudgeSettings(model="", backend=program.NAME)
    with monkeypatch.context() as patched:
        patched.setattr(program, "_WORKER", "judge.no_such_module")
        (assignment,) = assign(pics.path, settings)
        progress = assignment.run(Budget())
    assert (progress.asked, progress.failed, progress.error) == (0, 7, None)
    assert "its process ended while it compared" in (progress.first_failure or "")
    assert _judge(pics, None, model="", backend=program.NAME) == {program.model(): 7}


def test_the_right_choice_is_meant_by_label_and_text() -> None:
    row = {"question": "q", "prediction": "p", "language": None, "labels": ["A", "B", "C"]}
    row |= {"texts": ["3", "4", "3"], "reference_texts": ["A"]}
    assert plan._subject("equivalence", row).references == ("A", "3")


@pytest.mark.slow
def test_what_takes_too_long_is_ended_and_the_next_is_compared() -> None:
    async def ask(*said: str) -> list[str | None]:
        async with program.opened(Budget(), workers=1, seconds=5.0) as opened:
            prompts = [json.dumps({"references": "5", "answer": text}) for text in said]
            answers = await opened([Request("", {"prompt": prompt}) for prompt in prompts])
        return [answer.reply for answer in answers]

    endless = "$" + "9^{" * 6 + "9" + "}" * 6 + "$"
    assert asyncio.run(ask(r"$\frac{10}{2}$", endless, "$4+1$")) == ["1", program.TOO_LONG, "1"]
