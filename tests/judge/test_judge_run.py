"""What is sent, how often, within which limits, and by whom."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evalhouse import Warehouse
from evalhouse.cli import app
from evalhouse.demo.build import JUDGE, build
from evalhouse.judging import JudgeSettings, assign, cache_of
from judge import price, template
from judge.budget import Budget
from judge.enrol import describe
from judge.reply import is_version_of
from judge.request import make
from judge.template import Subject
from queries import render, session
from tests.conftest import ROOT
from tests.houses import QuickHouse
from tests.judging import (
    KEY,
    MODEL,
    JudgeServer,
    assigned,
    fill,
    judged,
    judgments,
    rows,
    unclear,
)
from tests.queries.test_graded import OpenAsk, add_open
from tests.tables import write_jsonl
from warehouse.errors import EvalhouseError, UsageError

# Three passes; the cat is right, and stands at A, B, C.
TURNED = (
    {"A": "cat", "B": "dog", "C": "emu"},
    {"A": "emu", "B": "cat", "C": "dog"},
    {"A": "dog", "B": "emu", "C": "cat"},
)
RIGHT = ("A", "B", "C")
SAID = {
    "right": ["fault=say_a #r0", "fault=say_b #r1", "fault=say_c #r2"],
    "wrong": ["#w0", "A", "#w2"],  # a rule says so
    "judged wrong": ["fault=say_x #j0", "#j1", "#j2"],
    "wrong at last": ["fault=say_a #l0", "B", "fault=say_a #l2"],
    "clear": ["A", "B", "C"],
    "blank": ["", "#b1", "#b2"],  # a blank answer is none of the choices, and not judged
}


def tags(server: JudgeServer) -> list[str]:
    return sorted(server.by_tag().elements())


@pytest.mark.slow
def test_one_pass_of_a_question_at_a_time(house: Warehouse, server: JudgeServer) -> None:
    fill(house, {"m": SAID}, choices=TURNED, correct=RIGHT)
    progress = judged(house, server)
    assert tags(server) == ["j0", "l0", "l2", "r0", "r1", "r2"]
    assert (progress.waves, progress.asked) == (3, 6)
    order = [line["tag"] for line in server.lines()]
    assert order.index("r0") < order.index("r1") < order.index("r2")
    scores = dict(
        rows(
            house,
            "SELECT question_key, score FROM question_result "
            "WHERE strategy = 'circular' AND judge = 'judge-1'",
        )
    )
    assert scores == {
        "right": 1.0, "wrong": 0.0, "judged wrong": 0.0, "wrong at last": 0.0, "clear": 1.0, "blank": 0.0,
    }  # fmt: skip


@pytest.mark.slow
def test_need_all_asks_about_every_answer_at_once(house: Warehouse, server: JudgeServer) -> None:
    fill(house, {"m": SAID}, choices=TURNED, correct=RIGHT)
    progress = judged(house, server, need="all")
    assert progress.waves == 1
    assert tags(server) == ["b1", "b2", "j0", "j1", "j2", "l0", "l2", "r0", "r1", "r2", "w0", "w2"]
    assert rows(house, "SELECT count(*) FROM judge_todo_all") == [(0,)]


@pytest.mark.slow
def test_the_same_content_is_judged_once(house: Warehouse, server: JudgeServer) -> None:
    """From another model, pass or run; what that saved is reported."""
    same = [TURNED[0], TURNED[0]]
    said = {str(n): [f"fault=say_a cannot tell #{n}"] * 2 for n in range(4)}
    fill(house, {"one": said, "two": said, "three": said}, choices=same, correct=("A", "A"))
    rows_of = [
        {"model": "one", "question_key": "0", "pass": n, "prediction": "fault=say_a cannot tell #0"}
        for n in (0, 1)
    ]
    again = house.path.with_name("again.jsonl")
    again.write_text("".join(json.dumps(row) + "\n" for row in rows_of))
    house.ingest(again, benchmark="Own", run="another")
    progress = judged(house, server, need="all")
    assert (progress.asked, len(server)) == (4, 4)
    n_answers = 3 * 4 * 2 + 2
    assert progress.shared == n_answers - 4
    assert rows(
        house, "SELECT count(*), count(DISTINCT judgment_id) FROM judged_pass WHERE score = 1"
    ) == [(n_answers, 4)]
    assert rows(house, "SELECT DISTINCT asked_run_id FROM main.judgment") == [(1,)]


@pytest.mark.slow
def test_five_samples_are_five_judgments(house: Warehouse, server: JudgeServer) -> None:
    fill(house, {"m": unclear(3)})
    assert judged(house, server).asked == 3
    progress = judged(house, server, samples=5)
    assert (progress.asked, progress.cached) == (12, 0)
    assert len(server) == 15
    # The same words to the server, five times over, at temperature 0.
    assert len({line["digest"] for line in server.lines()}) == 3
    assert rows(
        house,
        "SELECT judge_sample, count(*), count(DISTINCT request_key) FROM main.judgment GROUP BY 1 ORDER BY 1",
    ) == [(n, 3, 3) for n in range(5)]
    assert judged(house, server, samples=5).asked == 0
    assert judged(house, server, samples=2).asked == 0
    assert rows(house, "SELECT DISTINCT judge FROM leaderboard WHERE judge <> 'none'") == [(MODEL,)]


@pytest.mark.slow
def test_after_all_attempts_it_is_not_asked_again(house: Warehouse, server: JudgeServer) -> None:
    fill(house, {"m": unclear(2, "fault=unparsable")})
    first = judged(house, server)
    assert (first.asked, first.waves) == (6, 3)
    second = judged(house, server)
    assert (second.asked, second.planned) == (0, 0)
    assert rows(house, "SELECT DISTINCT resolved_by FROM judged_pass") == [("random",)]
    bodies = {line["digest"] for line in server.lines()}
    assert len(bodies) == 6  # each attempt says something else


@pytest.mark.slow
def test_x_is_a_verdict(house: Warehouse, server: JudgeServer) -> None:
    fill(house, {"m": unclear(1, "fault=say_x")})
    assert judged(house, server).asked == 1
    assert rows(house, "SELECT predicted, score, resolved_by FROM judged_pass") == [
        ("X", 0.0, "judge")
    ]


@pytest.mark.slow
def test_a_failed_subject_is_asked_about_by_the_next_command(
    house: Warehouse, server: JudgeServer
) -> None:
    fill(house, {"m": unclear(1, "fault=500*2")})
    assert (first := judged(house, server, max_retries=1)).failed == 1
    assert first.first_failure == "HTTP 500: internal error"
    assert rows(house, "SELECT resolved_by FROM judged_pass") == [("pending",)]
    assert judged(house, server, max_retries=1).asked == 1
    assert rows(house, "SELECT state FROM parsed_reply ORDER BY judgment_id") == [
        ("failed",),
        ("ok",),
    ]


def test_soft_scores(house: Warehouse, server: JudgeServer) -> None:
    """The task is what the runs need."""
    asks = [OpenAsk(str(n), references=("yes", "of course")) for n in range(3)]
    add_open(house, asks, {"m": {(ask.key, 0): (f"perhaps #{ask.key}", False) for ask in asks}})
    progress = judged(house, server, samples=2)
    assert progress.asked == len(server) == 6
    found = rows(house, "SELECT verdict_score, state FROM parsed_reply")
    assert {state for _, state in found} == {"ok"}
    assert all(0 <= score <= 1 for score, _ in found)
    assert rows(house, "SELECT task, name FROM main.judge") == [("soft_score", MODEL)]


@pytest.mark.slow
def test_both_tasks_at_once(house: Warehouse, server: JudgeServer) -> None:
    """Each has a judge of its own, under a name of its own."""
    fill(house, {"m": unclear(2)})
    add_open(house, [OpenAsk("1", references=("yes",))], {"m": {("1", 0): ("perhaps #1", False)}})
    with pytest.raises(UsageError, match="say --task too"):
        assign(house.path, JudgeSettings(model=MODEL, name="J"))
    assert rows(house, "SELECT name FROM main.judge") == []
    outcomes = house.judge(MODEL, base_url=server.url)
    assert [outcome.asked for outcome in outcomes] == [2, 1]
    assert rows(house, "SELECT task, name FROM main.judge ORDER BY judge_id") == [
        ("choice_extraction", MODEL),
        ("soft_score", f"{MODEL} soft_score"),
    ]


def test_a_warehouse_without_an_identity_pays_for_nothing(
    house: Warehouse, server: JudgeServer
) -> None:
    fill(house, {"m": unclear(2)})
    with house.writing() as con:
        con.execute("DELETE FROM main.warehouse_identity")
    with pytest.raises(EvalhouseError, match=r"has 0 rows in main\.warehouse_identity"):
        house.judge(MODEL, base_url=server.url)
    assert len(server) == 0


# --- a full cache


_WATCHED = """
import socket, sys
opened = []
def watch(event, args):
    # The event loop wakes itself up through a pair of local sockets.
    if event == "socket.__new__" and args[1] != socket.AF_UNIX or event in ("socket.connect", "socket.getaddrinfo"):
        opened.append((event, args[1:]))
sys.addaudithook(watch)
from evalhouse.cli import main
try:
    main()
finally:
    assert not opened, opened
    assert "judge.client" not in sys.modules
    print("no socket")
"""


def offline(*words: object, cwd: Path) -> tuple[int, str, str]:
    """A command in a process that reports every socket, without a key."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("OPENAI")}
    done = subprocess.run(
        [sys.executable, "-c", _WATCHED, *map(str, words)],
        cwd=cwd, capture_output=True, text=True, check=False,
        env=env | {"PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "200"},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
def test_a_full_cache_needs_no_network_and_no_key(
    house: Warehouse, server: JudgeServer, tmp_path: Path
) -> None:
    fill(house, {"m": SAID}, choices=TURNED, correct=RIGHT)
    judged(house, server)
    before, n_sent = judgments(house), len(server)
    with house.writing() as con:
        con.execute("DELETE FROM main.judgment")
    code, out, err = offline("judge", "--model", MODEL, cwd=tmp_path)
    assert (code, err) == (0, "")
    assert out.startswith("judge-1 (choice_extraction): 0 asked, 6 from the cache; $0.0000\n")
    assert out.endswith("no socket\n")
    assert judgments(house) == before
    assert len(server) == n_sent


@pytest.mark.slow
@pytest.mark.as_users
def test_offline_names_what_is_missing(
    house: Warehouse, server: JudgeServer, tmp_path: Path
) -> None:
    fill(house, {"m": unclear(3)})
    judged(house, server)
    cache = cache_of(house.path, None)
    (first, _), *_ = judgments(house)
    ((subject,),) = rows(
        house, "SELECT subject_hash FROM main.judgment WHERE request_key = ?", first
    )
    with house.writing() as con:
        con.execute("DELETE FROM main.judgment WHERE request_key = ?", [first])
    # Nothing else finds what was changed by hand.
    house.refresh(verify=True)
    kept = cache.rename(tmp_path / "kept")
    code, out, err = offline("judge", "--model", MODEL, "--offline", cwd=tmp_path)
    assert code == 3
    assert f"1 judgment is missing, of subject {subject} (Own, question " in err
    assert out.endswith("no socket\n")
    assert not cache.exists()
    kept.rename(cache)
    assert offline("judge", "--model", MODEL, "--offline", cwd=tmp_path)[0] == 0
    assert len(judgments(house)) == 3


@pytest.mark.slow
def test_what_an_imported_judge_lacks(house: Warehouse, tmp_path: Path) -> None:
    """Any judge can be looked up by its name alone: a person's labels, an imported cache."""
    fill(house, {"m": unclear(2)})
    labels = [{"question_key": str(n), "model": "m", "verdict": "B"} for n in range(2)]
    house.ingest(write_jsonl(tmp_path / "labels.jsonl", labels), benchmark="Own", judge="ann")
    words = ("judge", "--offline", "--name", "ann", "--db", house.path)
    assert invoke(*words)[0] == 0
    with house.writing() as con:
        ((subject,),) = con.execute(
            "DELETE FROM main.judgment WHERE judgment_id = 1 RETURNING subject_hash"
        ).fetchall()
    # Taken out by hand, which kept rows do not show.
    house.refresh(verify=True)
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 3
    assert subject in done.stderr
    # It is looked at, not called, and nobody else is made.
    assert rows(house, "SELECT name FROM main.judge") == [("ann",)]
    with pytest.raises(UsageError, match="for --offline"):
        invoke("judge", "--name", "ann", "--db", house.path)
    with pytest.raises(UsageError, match="no judge 'bob'; there are ann"):
        invoke("judge", "--offline", "--name", "bob", "--db", house.path)


@pytest.mark.slow
def test_another_warehouse_on_the_same_cache(
    house: Warehouse, server: JudgeServer, make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    """It pays nothing, and says so in its costs."""
    cost = price.parse("1,1")
    shared = tmp_path / "shared"
    judged(fill(house, {"m": unclear(3)}), server, cache=shared, price=cost)
    other = fill(make_house("other"), {"n": unclear(4)})
    with other.writing() as con:  # the fixture's warehouses are copies of one
        con.execute("UPDATE main.warehouse_identity SET warehouse_uuid = 'other'")
    progress = judged(other, server, cache=shared, price=cost)
    assert (progress.asked, progress.cached) == (1, 3)
    assert len(server) == 4
    one = 402 / 1e6
    assert rows(
        other,
        "SELECT origin, n_cached, round(cost_usd, 9), round(original_cost_usd, 9), run_id "
        "FROM judge_cost ORDER BY origin",
    ) == [
        ("cache", 3, 0.0, round(3 * one, 9), 1),
        ("call", 0, round(one, 9), round(one, 9), 1),
    ]


@pytest.mark.slow
def test_a_copy_elsewhere_is_the_same(
    house: Warehouse, server: JudgeServer, tmp_path: Path
) -> None:
    fill(house, {"m": SAID, "n": unclear(2) | SAID}, choices=TURNED, correct=RIGHT)
    judged(house, server)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    copy = QuickHouse(folder / "copy.duckdb")
    copy.path.write_bytes(house.path.read_bytes())
    assert copy.leaderboard("Own") == house.leaderboard("Own")
    with copy.reading() as con:
        session.use_release(con)
        assert con.execute("SELECT count(*) FROM judge_todo").fetchall() == [(0,)]
    assert judged(copy, None, offline=True).missing == []


@pytest.mark.long
def test_the_demo_elsewhere(server: JudgeServer, tmp_path: Path) -> None:
    """Judged, copied without its cache: the same boards; with a judgment less, offline says which."""
    demo = build(tmp_path / "demo")
    progress = judged(demo, server, concurrency=32)
    assert progress.asked == len(server) > 100
    copy = QuickHouse(tmp_path / "copy.duckdb")
    copy.path.write_bytes(demo.path.read_bytes())
    for level in ("l2", "l3"):
        for judge in (MODEL, JUDGE):
            # As they are printed: a standard error's last bit depends on the order of a sum.
            boards = [
                render.render_boards(h.leaderboard("MMBench", level=level, judge=judge), "csv")
                for h in (copy, demo)
            ]
            assert boards[0] == boards[1]
            assert len(boards[0].splitlines()) > 10
    words = ("judge", "--model", MODEL, "--db", copy.path, "--offline")
    assert invoke(*words)[0] == 0
    # One on which a question's score rests: the only wrong pass of it that is known.
    (subject,) = rows(
        copy,
        "SELECT subject_hash FROM judged_pass WHERE judge = ? AND score = 0 ORDER BY 1 LIMIT 1",
        MODEL,
    )[0]
    with copy.writing() as con:
        con.execute(
            "DELETE FROM main.judgment WHERE subject_hash = ? AND judge_id = "
            "(SELECT judge_id FROM main.judge WHERE name = ?)",
            [subject, MODEL],
        )
    # Taken out by hand, which kept rows do not show.
    copy.refresh(verify=True)
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 3
    assert judged(copy, None, offline=True).missing[0].content["subject_hash"] == subject


# --- dry run and limits


def invoke(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, [str(word) for word in words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout


@pytest.mark.slow
def test_dry_run(house: Warehouse, server: JudgeServer) -> None:
    fill(house, {"one": SAID, "two": SAID | {"right": ["B", "#x1", "#x2"]}}, choices=TURNED, correct=RIGHT)  # fmt: skip
    judged(house, server, Budget(max_calls=1), concurrency=1)
    n_sent = len(server)
    code, out = invoke("judge", "--model", MODEL, "--db", house.path, "--dry-run")
    assert code == 0
    assert len(server) == n_sent == 1
    assert "The price list does not know judge-1: --price IN,OUT gives its price" in out
    assert "price not known" in out
    found = assigned(house, server).preview()
    per_run = {
        run.model: (run.pending, run.decided, run.later, run.needed, run.calls, run.shared)
        for run in found.runs
    }
    ((first,),) = rows(house, "SELECT prompt FROM main.judgment")
    assert "#r0" in first or "#j0" in first or "#l0" in first
    todo = rows(house, "SELECT run_id, n_answers FROM judge_todo")
    assert sum(calls for *_, calls, _ in per_run.values()) == len(todo)
    assert sum(shared for *_, shared in per_run.values()) == sum(n - 1 for _, n in todo)
    for pending, decided, later, needed, _, _ in per_run.values():
        assert pending == decided + later + needed
    # w0, w2, b1, b2 of both, x1, x2 of the second: decided by a wrong pass.
    assert per_run["two"][1] >= per_run["one"][1] + 2
    code, out = invoke("judge", "--model", MODEL, "--db", house.path, "--dry-run", "--price", "1,2")
    assert f"In all: {len(todo)} calls now, about" in out
    assert "tokens, $0.00" in out
    assert "by early stopping" in out
    assert "by deduplication" in out
    assert "0 by the cache" in out
    # The cache's part: forget a judgment that it has.
    with house.writing() as con:
        con.execute("DELETE FROM main.judgment")
    assert sum(run.cached for run in assigned(house, server).preview().runs) == 1


@pytest.mark.slow
@pytest.mark.as_users
def test_a_dry_run_leaves_the_warehouse_as_it_is(house: Warehouse) -> None:
    fill(house, {"m": unclear(3)})
    house.refresh_kept()
    before, words = house.path.read_bytes(), ("judge", "--db", house.path, "--dry-run")
    for given in ((), ("--samples", 2), ("--name", "J"), ("--backend", "math-verify")):
        model = () if "math-verify" in given else ("--model", "never-asked")
        code, out = invoke(*words, *model, *given)
        assert code == 0
        n = {"--samples": 6, "--backend": 0}.get(str(given[0]) if given else "", 3)
        assert f"In all: {n} calls now" in out
        assert house.path.read_bytes() == before
    with pytest.raises(UsageError, match="a dry run installs nothing"):
        invoke(*words, "--model", "never-asked", "--release", "lmms_eval")
    assert house.path.read_bytes() == before
    assert [path.name for path in house.path.parent.glob("*.wal")] == []


def test_a_known_model_has_a_price(house: Warehouse) -> None:
    fill(house, {"m": unclear(3)})
    code, out = invoke("judge", "--model", "gpt-4o-mini", "--db", house.path, "--dry-run")
    assert code == 0
    assert "Price: $0.15 and $0.6 per million tokens" in out
    assert "In all: 3 calls now" in out


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0, 1, 7])
def test_max_calls_stops_before_one_more(house: Warehouse, server: JudgeServer, limit: int) -> None:
    """Tries count as well, and what came is kept."""
    fill(house, {"m": unclear(20) | {str(n): [f"fault=500*1 cannot tell #{n}"] for n in range(3)}})
    progress = judged(house, server, Budget(max_calls=limit))
    assert len(server) == limit
    assert f"--max-calls {limit}" in str(progress.error)
    assert len(judgments(house)) == progress.asked
    rest = judged(house, server)
    assert len(judgments(house)) == 20
    assert progress.asked + rest.asked == 20


def test_max_cost_is_never_exceeded(house: Warehouse, server: JudgeServer) -> None:
    """Whatever is in flight: the most that it could cost is reserved."""
    fill(house, {"m": unclear(40)})
    cost = price.parse("1,1")
    budget = Budget(max_cost=0.006)
    progress = judged(house, server, budget, price=cost, max_cost=0.006, concurrency=8)
    assert "--max-cost 0.006" in str(progress.error)
    assert 0 < len(server) * 402 / 1e6 <= 0.006
    assert budget.spent == pytest.approx(len(server) * 402 / 1e6)
    assert budget._reserved == pytest.approx(0.0)
    assert len(judgments(house)) == len(server)


@pytest.mark.slow
def test_budget_never_leaks(house: Warehouse, server: JudgeServer) -> None:
    """Each call that was taken is settled, whatever became of it."""
    said = {
        name: [f"fault={name} #{name}"] for name in ("400", "500", "dropped", "html", "timeout")
    }
    fill(house, {"m": said | unclear(3)})
    budget = Budget(max_cost=1.0)
    judged(
        house, server, budget, price=price.parse("1,1"), max_cost=1.0, timeout=0.5, max_retries=1
    )
    assert budget._reserved == pytest.approx(0.0)
    assert budget.calls == len(server)


def test_max_cost_needs_a_price(house: Warehouse) -> None:
    fill(house, {"m": unclear(1)})
    with pytest.raises(UsageError, match="--max-cost needs a price"):
        assign(house.path, JudgeSettings(model="unheard-of", max_cost=1.0))


# --- who judges


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes", [{"sampling": {"temperature": 0.7}}, {"sampling": {"max_tokens": None}}, {"model": "judge-2"}]
)  # fmt: skip
def test_another_judge_shares_no_judgment(
    house: Warehouse, server: JudgeServer, changes: dict[str, object]
) -> None:
    fill(house, {"m": unclear(3)})
    judged(house, server)
    progress = judged(house, server, **changes)
    assert (progress.asked, progress.cached) == (3, 0)
    assert rows(
        house,
        "SELECT count(*), count(DISTINCT judge_id), count(DISTINCT request_key) FROM main.judgment",
    ) == [(6, 2, 6)]


def test_the_key_of_a_request_holds_everything_but_names() -> None:
    wording = template.shipped("choice_extraction")
    judge = describe(wording, model="m", endpoint="chat_completions", sampling={})
    subject = Subject("q", "a", choices={"A": "x", "B": "y"})

    def key(who: object = judge, what: Subject = subject, n: int = 0, attempt: int = 0) -> str:
        return make(who, wording, what, subject_hash="h", judge_sample=n, attempt=attempt).key  # type: ignore[arg-type]

    assert key(judge.named("other")) == key()
    others = [
        key(replace(judge, model="n")),
        key(replace(judge, endpoint="transformers")),
        key(replace(judge, template_sha256="0")),
        key(replace(judge, sampling={**judge.sampling, "seed": 1})),
        key(replace(judge, retry_schedule=[{}])),
        key(replace(judge, max_attempts=9)),
        key(n=1),
        key(attempt=1),
        key(what=Subject("q", "b", choices={"A": "x", "B": "y"})),
    ]
    assert len({key(), *others}) == 1 + len(others)


@pytest.mark.slow
def test_a_named_judge(house: Warehouse, server: JudgeServer) -> None:
    fill(house, {"m": unclear(1)})
    judged(house, server, name="mine")
    with pytest.raises(UsageError, match="this judge is named 'mine'"):
        judged(house, server, name="yours")
    with pytest.raises(UsageError, match="another judge named 'mine'"):
        judged(house, server, name="mine", sampling={"seed": 1})
    with pytest.raises(UsageError, match="reserved"):
        judged(house, server, name="keyword", sampling={"seed": 2})
    # Unnamed it is found by what it is.
    assert judged(house, server).asked == 0


@pytest.mark.slow
def test_judges_are_listed_renamed_and_retracted(house: Warehouse, server: JudgeServer) -> None:
    fill(house, {"m": unclear(2, "fault=other_model")})
    judged(house, server)
    db = ("--db", house.path)
    code, out = invoke("judges", *db)
    assert code == 0
    for word in (MODEL, "some-other-model", "choice_extraction 2", "temperature"):
        assert word in out
    assert invoke("judges", "rename", MODEL, "better [name]", *db)[0] == 0
    assert "better [name]" in invoke("judges", *db)[1]
    # It is the same judge: nothing is sent again.
    assert judged(house, server).asked == 0
    assert invoke("judges", "retract", "better [name]", *db)[0] == 0
    assert "retracted" in invoke("judges", *db)[1]
    assert rows(house, "SELECT DISTINCT judge FROM judge_scope") == [("none",)]
    assert rows(house, "SELECT count(*) FROM main.judgment") == [(2,)]
    # Taken up again under another entry: from the cache, without a call.
    again = judged(house, server)
    assert (again.asked, again.cached) == (0, 2)
    assert len(server) == 2
    with pytest.raises(UsageError, match="no judge 'nobody'"):
        invoke("judges", "rename", "nobody", "x", *db)


@pytest.mark.parametrize(
    ("requested", "returned", "same"),
    [
        ("gpt-4o-mini", "gpt-4o-mini-2024-07-18", True),
        ("gpt-4o", "gpt-4o-mini", False),
        ("gpt-4o", "gpt-4o-mini-2024-07-18", False),
        ("gpt-4", "gpt-4-0613", True),
        ("gpt-4", "gpt-4o", False),
        ("gpt-4", "gpt-4.1", False),
        ("openai/gpt-4o", "gpt-4o-2024-08-06", True),
        ("claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022", True),
        ("models/Qwen2.gguf", "qwen2.gguf", True),
        ("a", "b", False),
    ],
)
def test_which_model_answered(requested: str, returned: str, same: bool) -> None:
    assert is_version_of(returned, requested) is same


@pytest.mark.slow
def test_names_with_odd_characters(house: Warehouse, server: JudgeServer) -> None:
    fill(house, {"m [x]\n'\"": unclear(2)})
    name = "org/[bold]mödel'; DROP--"
    code, out = invoke("judge", "--model", name, "--db", house.path, "--base-url", server.url)
    assert code == 0
    assert f"{name} (choice_extraction): 2 asked" in out
    assert rows(house, "SELECT name, model FROM main.judge") == [(name, name)]
    assert name in invoke("judges", "--db", house.path)[1]


@pytest.mark.slow
def test_sampling_on_the_command_line(house: Warehouse, server: JudgeServer) -> None:
    fill(house, {"m": unclear(1)})
    code, _ = invoke(
        "judge", "--model", MODEL, "--db", house.path, "--base-url", server.url,
        "--sampling", "seed=7", "--sampling", "max_tokens=", "--sampling", "reasoning_effort=low",
    )  # fmt: skip
    assert code == 0
    ((sampling,),) = rows(house, "SELECT sampling FROM main.judge")
    assert json.loads(sampling) == {"reasoning_effort": "low", "seed": 7, "temperature": 0.0}
    for bad in ("seed", "=1", "model=x", "stream=true"):
        with pytest.raises(UsageError, match="--sampling"):
            invoke("judge", "--model", MODEL, "--db", house.path, "--sampling", bad)


@pytest.mark.slow
def test_no_key(house: Warehouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    fill(house, {"m": unclear(1)})
    progress = judged(house, None)
    assert str(progress.error) == "the environment variable OPENAI_API_KEY holds no key"
    monkeypatch.setenv("OTHER", f"{KEY}é")
    progress = judged(house, None, key_variable="OTHER")
    assert "holds characters that no key has" in str(progress.error)


def test_nothing_to_judge(house: Warehouse) -> None:
    with pytest.raises(UsageError, match="has no run to judge"):
        assign(house.path, JudgeSettings(model="m"))


# --- a judge of a warehouse that schema version 1 made


@pytest.mark.long
def test_a_judge_without_a_fingerprint_keeps_its_verdicts(
    house: Warehouse, server: JudgeServer
) -> None:
    fill(house, {"m": unclear(2)})
    (subject, *_) = rows(house, "SELECT subject_hash FROM subject ORDER BY 1")
    with house.writing() as con:
        con.execute(
            "INSERT INTO main.judge (judge_id, name, task, kind, model, sampling, retry_schedule, max_attempts, "
            "source_id) VALUES (1, 'gpt-4', 'choice_extraction', 'import', 'gpt-4', '{}', '[]', 1, 1)"
        )
        con.execute(
            "INSERT INTO main.judgment (judgment_id, judge_id, subject_hash, judge_sample, attempt, labels, reply, "
            "source_id, judged_at, origin) VALUES (1, 1, ?, 0, 0, ['A', 'B', 'C', 'X'], 'A', 1, "
            "TIMESTAMP '2024-01-01', 'import')",
            subject,
        )
    assert rows(house, "SELECT judge, verdict, state FROM verdict") == [("gpt-4", "A", "ok")]
    # Another judge of that model does not take the old one's place, nor its judgments.
    progress = judged(house, server, model="gpt-4")
    assert (progress.asked, progress.recovered) == (2, 0)
    names = rows(house, "SELECT name FROM main.judge ORDER BY judge_id")
    assert names == [("gpt-4",), ("gpt-4 choice_extraction",)]
    with pytest.raises(UsageError, match="another judge named 'gpt-4'"):
        judged(house, server, model="gpt-4", name="gpt-4", sampling={"seed": 1})
