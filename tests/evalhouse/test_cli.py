"""The commands as a user runs them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import polars as pl
import pytest

from evalhouse import Warehouse
from tests.commands import run
from tests.oracle import Ask
from tests.tables import add_replies, question_rows, register_judge, write_jsonl

_QUESTIONS = [
    Ask(str(n), {0: {"A": "cat", "B": "dog"}, 1: {"A": "dog", "B": "cat"}}, {0: "A", 1: "B"})
    for n in range(1, 5)
]


@pytest.fixture
def lab(house: Warehouse, tmp_path: Path) -> Path:
    """A folder with warehouse.duckdb: two models, one of them with something for a judge."""
    rows = [
        row | {"ability_topic": "odd" if int(row["question_key"]) % 2 else "even"}
        for row in question_rows(_QUESTIONS)
    ]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="Own")
    said = [
        {"model": model, "question_key": q.key, "pass": p, "prediction": text}
        for model in ("alpha", "beta")
        for q in _QUESTIONS
        for p in (0, 1)
        for text in ["a [cat]?" if (model, q.key, p) == ("beta", "2", 1) else q.answers[p]]
        if (model, q.key, p) != ("alpha", "3", 0)
    ]
    house.ingest(write_jsonl(tmp_path / "said.jsonl", said), benchmark="Own")
    assert house.path == tmp_path / "warehouse.duckdb"
    return tmp_path


@pytest.mark.slow
def test_the_default_file_is_in_the_folder_or_the_environment(lab: Path, tmp_path: Path) -> None:
    assert run("evalhouse", "status", cwd=lab).code == 0
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    missing = run("evalhouse", "status", cwd=elsewhere)
    assert (missing.code, "no warehouse there" in missing.err) == (1, True)
    found = run("evalhouse", "status", cwd=elsewhere, env={"EVALHOUSE_DB": str(lab / "warehouse.duckdb")})  # fmt: skip
    assert found.code == 0
    assert "Own" in found.out


@pytest.mark.slow
def test_ingest_is_a_command_of_its_own(tmp_path: Path) -> None:
    file = write_jsonl(tmp_path / "q.jsonl", question_rows(_QUESTIONS))
    done = run("ingest", file, "--benchmark", "Own", "--db", "new.duckdb", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert "4 new questions, 8 new passes" in done.out
    again = run("evalhouse", "ingest", file, "--benchmark", "Own", "--db", "new.duckdb", cwd=tmp_path)  # fmt: skip
    assert "nothing to do" in again.out
    help_text = run("ingest", "--help", cwd=tmp_path).out
    for word in ("mmbench_questions", "llava_answers", "--on-duplicate", "--replace"):
        assert word in help_text


def test_bad_input_exits_with_2(lab: Path) -> None:
    (lab / "bad.csv").write_text("question_key,prediction\n9,A\n")
    done = run("ingest", "bad.csv", "--benchmark", "Own", "--model", "m", cwd=lab)
    assert done.code == 2
    assert "bad.csv, row 1, field question_key: the dataset has no question 9" in done.err
    assert "Traceback" not in done.err


def test_leaderboard_as_a_table(lab: Path) -> None:
    done = run("evalhouse", "leaderboard", "Own", cwd=lab)
    assert done.code == 0
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0] == ["Own,", "CircularEval,", "by", "topic"]
    assert ["Rank", "Model", "Overall", "odd", "even", "Right", "Coverage", "Unread"] in lines
    assert ["1", "alpha", "75.00", "50.00", "100.00", "3/4", "75.0", "-"] in lines
    assert ["1", "beta", "75.00", "100.00", "50.00", "3/4", "100.0", "1"] in lines


@pytest.mark.slow
def test_leaderboard_while_verdicts_are_pending(lab: Path) -> None:
    house = Warehouse(lab / "warehouse.duckdb")
    judge = register_judge(house, "J")
    assert "judge none" in run("evalhouse", "leaderboard", "Own", cwd=lab).out
    pending = run("evalhouse", "leaderboard", "Own", "--judge", "J", cwd=lab).out
    assert "judge J" in pending
    assert "75.00–100.00" in pending
    assert "Pending" in pending
    add_replies(house, judge, [(_QUESTIONS[1], 1, "a [cat]?", "B")])
    done = run("evalhouse", "leaderboard", "Own", "--format", "json", cwd=lab)
    (board,) = json.loads(done.out)
    scores = {row["model"]: (row["rank"], row["scores"]["Overall"]["score"]) for row in board["rows"]}  # fmt: skip
    assert scores == {"alpha": (2, 0.75), "beta": (1, 1.0)}
    register_judge(house, "K")
    assert "judge J" in run("evalhouse", "leaderboard", "Own", cwd=lab).out
    assert run("evalhouse", "leaderboard", "Own", "--judge", "none", cwd=lab).code == 0


@pytest.mark.slow
def test_leaderboard_in_other_formats(lab: Path) -> None:
    house = Warehouse(lab / "warehouse.duckdb")
    house.rename_run(2, model="be_ta|*&")
    rows = list(
        csv.DictReader(
            io.StringIO(run("evalhouse", "leaderboard", "Own", "--format", "csv", cwd=lab).out)
        )
    )
    assert [(row["Model"], row["Overall"], row["odd"]) for row in rows] == [
        ("alpha", "75.00", "50.00"),
        ("be_ta|*&", "75.00", "100.00"),
    ]
    markdown = run("evalhouse", "leaderboard", "Own", "--format", "markdown", cwd=lab).out
    assert r"be_ta\|\*&" in markdown
    assert "**100.00**" in markdown
    assert "<u>50.00</u>" in markdown
    latex = run(
        "evalhouse", "leaderboard", "Own", "--format", "latex", "--digits", "1", cwd=lab
    ).out
    assert r"be\_ta|*\&" in latex
    assert r"\textbf{100.0}" in latex
    out = run("evalhouse", "leaderboard", "Own", "--format", "latex", "-o", "board.tex", cwd=lab)
    assert (out.out, (lab / "board.tex").read_text()[:1]) == ("", "%")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Other"], "no benchmark 'Other' here; there are Own"),
        (["Own", "--level", "l9"], "no level 'l9'; there are overall, topic"),
        (["Own", "--strategy", "best"], "no strategy 'best'"),
        (["Own", "--judge", "nobody"], "no judge 'nobody'"),
        (["Own", "--split", "dev"], "no run of 'Own' fits"),
        (["Own", "--format", "pdf"], "--format is table"),
        (["Own", "--runs", "some"], "--runs is latest or all"),
        (["Own", "--release", "paper_v9"], "no release 'paper_v9'"),
    ],
)
def test_leaderboard_refuses_what_is_not_there(lab: Path, words: list[str], message: str) -> None:
    done = run("evalhouse", "leaderboard", *words, cwd=lab)
    assert (done.code, message in done.err) == (2, True), done.err


@pytest.mark.slow
def test_latest_and_all_runs(lab: Path) -> None:
    said = [{"model": "alpha", "question_key": "1", "prediction": "B"}]
    write_jsonl(lab / "later.jsonl", said)
    assert run("ingest", "later.jsonl", "--benchmark", "Own", cwd=lab).code == 0
    latest = run("evalhouse", "leaderboard", "Own", cwd=lab).out
    assert [line.split()[:3] for line in latest.splitlines()[4:6]] == [
        ["1", "beta", "75.00"],
        ["2", "alpha", "0.00"],
    ]
    everything = run("evalhouse", "leaderboard", "Own", "--runs", "all", cwd=lab).out
    assert [line.split()[:4] for line in everything.splitlines()[4:7]] == [
        ["1", "alpha", "said", "75.00"],
        ["1", "beta", "said", "75.00"],
        ["3", "alpha", "later", "0.00"],
    ]


@pytest.mark.slow
@pytest.mark.all_releases
def test_sql(lab: Path) -> None:
    query = (
        "SELECT model, score, NULL AS nothing FROM leaderboard WHERE level = 'overall' AND "
        "strategy = 'vanilla' AND average = 'micro' ORDER BY model"
    )
    table = run("evalhouse", "sql", query, cwd=lab).out
    assert [line.split() for line in table.splitlines()][2:] == [
        ["alpha", "0.75", "-"],
        ["beta", "1", "-"],
    ]
    assert json.loads(run("evalhouse", "sql", query, "--format", "json", cwd=lab).out)[0] == {
        "model": "alpha", "score": 0.75, "nothing": None,
    }  # fmt: skip
    lines = run("evalhouse", "sql", query, "--format", "jsonl", cwd=lab).out.splitlines()
    assert json.loads(lines[1])["model"] == "beta"
    assert run("evalhouse", "sql", query, "--format", "csv", cwd=lab).out.startswith("model,score")
    assert "| alpha" in run("evalhouse", "sql", query, "--format", "markdown", cwd=lab).out
    run("evalhouse", "sql", query, "--format", "parquet", "-o", "out.parquet", cwd=lab)
    assert pl.read_parquet(lab / "out.parquet")["model"].to_list() == ["alpha", "beta"]
    assert run("evalhouse", "sql", query, "--format", "parquet", cwd=lab).code == 2
    by_release = run(
        "evalhouse",
        "sql",
        "SELECT count(*) AS n FROM word_match",
        "--release",
        "vlmevalkit_0_0_20",
        cwd=lab,
    )
    assert by_release.code == 0


@pytest.mark.slow
def test_sql_shows_where_and_suggests(lab: Path) -> None:
    broken = run("evalhouse", "sql", "SELECT model FRM leaderboard", cwd=lab)
    assert broken.code == 2
    assert "LINE 1" in broken.err
    assert "^" in broken.err
    misspelt = run("evalhouse", "sql", "SELECT * FROM leaderbord", cwd=lab)
    assert "leaderboard" in misspelt.err.replace("leaderbord", "")
    column = run("evalhouse", "sql", "SELECT scor FROM leaderboard", cwd=lab)
    assert "score" in column.err.replace("scor ", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM main.run",
        "CREATE TABLE main.x (i INTEGER)",
        "SELECT * FROM read_csv('q.jsonl')",
        "COPY (SELECT 1) TO 'out.csv'",
        "ATTACH 'other.duckdb'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SET threads = 1",
        "SELECT 1; SELECT 2",
        "CREATE TEMP TABLE x AS SELECT 1",
        "",
    ],
)
def test_sql_is_confined(lab: Path, query: str) -> None:
    before = sorted(path.name for path in lab.iterdir())
    done = run("evalhouse", "sql", query, cwd=lab)
    assert (done.code, "error" in done.err) == (2, True), done.out
    assert sorted(path.name for path in lab.iterdir()) == before


@pytest.mark.slow
def test_what_cannot_be_written_is_said(lab: Path) -> None:
    for words in (("sql", "SELECT 1 AS one"), ("leaderboard", "Own")):
        done = run("evalhouse", *words, "-o", "/nonexistent/x", cwd=lab)
        assert (done.code, "/nonexistent/x: cannot be written" in done.err) == (2, True), done.err
    nested = run(
        "evalhouse", "sql", "SELECT ['a', 'b'] AS l, 'NaN'::DOUBLE AS n", "--format", "csv", cwd=lab
    )
    assert nested.out == 'l,n\n"[""a"", ""b""]",nan\n'
    not_a_number = run("evalhouse", "sql", "SELECT 'NaN'::DOUBLE AS n", "--format", "json", cwd=lab)
    assert json.loads(not_a_number.out) == [{"n": "nan"}]


@pytest.mark.slow
@pytest.mark.all_releases
def test_sql_alone_lists_the_views(lab: Path) -> None:
    first = run("evalhouse", "sql", cwd=lab).out
    assert "answer_sheet" in first
    assert "prediction" not in first.split()
    described = run("evalhouse", "sql", "--describe", "score", cwd=lab).out
    assert "n_judges" in described
    listed = run("evalhouse", "sql", "--all", cwd=lab).out
    for name in ("leaderboard", "pass_result", "prediction"):
        assert name in listed
    assert "From an answer to a verdict" in listed
    # What nobody queries is not among them.
    paper = run("evalhouse", "sql", "--all", "--release", "paper_v1", cwd=lab).out
    assert "pass_result" in paper
    names = [line.split()[1] for line in (listed + paper).splitlines() if len(line.split()) > 1]
    for name in ("half_line", "question_cluster", "stale_run", "computed_run", "default_judge"):
        assert name not in names


@pytest.mark.slow
def test_show(lab: Path) -> None:
    house = Warehouse(lab / "warehouse.duckdb")
    judge = register_judge(house, "J")
    add_replies(house, judge, [(_QUESTIONS[1], 1, "a [cat]?", "B.")], prompt="Which one?")
    done = run("evalhouse", "show", "2", "--model", "beta", cwd=lab)
    assert done.code == 0, done.err
    for words in (
        "Own · 2", "even", "Q 2", "cat ✓", "pass 1, judge J: B by judge, answer B, score 1",
        "prediction: “a [cat]?”", "match: A (rule label)", "judge's prompt: “Which one?”",
        "judge's reply: “B.”", "judge none: - by unresolved, answer B, score 0", "circular",
    ):  # fmt: skip
        assert words in done.out, words
    assert run("evalhouse", "show", "99", "--model", "beta", cwd=lab).code == 2
    unknown = run("evalhouse", "show", "2", "--model", "nobody", cwd=lab)
    assert "there are alpha, beta" in unknown.err


@pytest.mark.slow
def test_runs_rename_and_retract(lab: Path) -> None:
    listed = run("evalhouse", "runs", cwd=lab).out
    assert "alpha" in listed
    for _ in range(2):  # The second time nothing happens.
        assert (
            run(
                "evalhouse", "runs", "rename", "1", "--model", "gamma", "--label", "first", cwd=lab
            ).code
            == 0
        )
    listed = run("evalhouse", "runs", cwd=lab).out
    assert "gamma" in listed
    assert "alpha" not in listed
    taken = run("evalhouse", "runs", "rename", "1", "--model", "beta", "--label", "said", cwd=lab)
    assert (taken.code, "run 2 has that model and label already" in taken.err) == (2, True)
    assert run("evalhouse", "runs", "retract", "2", cwd=lab).code == 0
    assert run("evalhouse", "runs", "retract", "2", cwd=lab).code == 2
    board = run("evalhouse", "leaderboard", "Own", cwd=lab).out
    assert "gamma" in board
    assert "beta" not in board
    events = Warehouse(lab / "warehouse.duckdb").sql(
        "SELECT event, before, after FROM main.run_event ORDER BY ALL"
    )
    assert events.rows() == [
        ("rename_model", "alpha", "gamma"),
        ("rename_run", "said", "first"),
        ("retract", None, None),
    ]
    # The rows stay, and the file can be read again.
    again = run("ingest", "said.jsonl", "--benchmark", "Own", "--run", "again", cwd=lab)
    assert again.code == 0


@pytest.mark.slow
def test_releases(lab: Path) -> None:
    listed = run("evalhouse", "releases", cwd=lab).out
    for name in ("paper_v1", "vlmevalkit_0_0_20", "vlmevalkit_e8e78f0"):
        assert name in listed
    diff = run("evalhouse", "releases", "diff", "vlmevalkit_0_0_20", "vlmevalkit_e8e78f0", cwd=lab)
    assert diff.code == 0
    assert "label_match.sql differs" in diff.out
    assert "+WITH stated AS (" in diff.out
    assert "Verdicts that flip, judge none:\n  none" in diff.out
    flips = run("evalhouse", "releases", "diff", "paper_v1", "vlmevalkit_0_0_20", cwd=lab).out
    assert "- unresolved → B rule" in flips
    assert run("evalhouse", "releases", "install", cwd=lab).out == "all are installed as shipped\n"


@pytest.mark.slow
def test_status_check_and_migrate(lab: Path) -> None:
    status = run("evalhouse", "status", cwd=lab).out
    for words in ("predictions", "known", "field_v2 (frozen, latest)", "content hash"):
        assert words in status
    check = run("evalhouse", "check", cwd=lab)
    assert check.code == 0, check.out
    (lab / "said.jsonl").write_text("{}")
    check = run("evalhouse", "check", cwd=lab)
    assert (check.code, "source_files: A file on disk differs" in check.out) == (1, True)
    assert "schema version 16" in run("evalhouse", "migrate", cwd=lab).out


@pytest.mark.slow
def test_demo(tmp_path: Path) -> None:
    done = run("evalhouse", "demo", "here", cwd=tmp_path)
    assert done.code == 0, done.err
    first = "1 Kosmos-2 59.2 46.7 55.7 43.5 64.3 49.0 72.5 696/1,176 - perplexity"
    assert first.split() in [line.split() for line in done.out.splitlines()]
    assert (tmp_path / "here" / "demo.duckdb").exists()


def test_the_api_is_what_the_readme_says(lab: Path) -> None:
    house = Warehouse(lab / "warehouse.duckdb")
    frame = house.sql(
        "SELECT model, score FROM leaderboard WHERE level = 'overall' AND strategy = 'circular' AND average = 'micro'"
    )
    assert isinstance(frame, pl.DataFrame)
    assert sorted(frame.rows()) == [("alpha", 0.75), ("beta", 0.75)]
