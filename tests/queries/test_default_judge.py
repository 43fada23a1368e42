"""The judge that figures are under where nobody names one: model judges, programs and people."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from evalhouse import UsageError, Warehouse
from queries.render import render_boards
from tests import commands
from tests.oracle import Ask
from tests.queries.test_graded import OpenAsk, add_open
from tests.tables import question_rows, write_jsonl
from warehouse import judges, sources
from warehouse.connection import transaction
from warehouse.judgment import choice_extraction_hash

CHOICES = {"A": "a pear", "B": "an apple", "C": "a plum"}
OPEN = ("what is it?", "no idea", "who knows")
"""Answers that no rule reads: of the questions 3, 4 and 5."""
NOT_READ = {"3": OPEN[0], "4": OPEN[1], "5": OPEN[2]}
RULED = {"1": "A", "2": "C"}
MOST = {"1": "A", "2": "C", "3": "B", "4": "A", "5": "A"}
"""What somebody says who judges every answer; 4 is wrong."""


def _ask(house: Warehouse, folder: Path, benchmark: str = "Fruit") -> None:
    asks = [Ask(f"{benchmark} {key}", {0: CHOICES}, {0: "A"}) for key in "12345"]
    rows = [row | {"question_key": row["question_key"].split()[1]} for row in question_rows(asks)]
    house.ingest(write_jsonl(folder / f"{benchmark}.jsonl", rows), benchmark=benchmark)


def _answer(
    house: Warehouse,
    folder: Path,
    model: str = "vlm",
    *,
    answers: Mapping[str, str] = RULED | NOT_READ,
    benchmark: str = "Fruit",
    run: str = "first",
) -> None:
    rows = [
        {"model": model, "question_key": key, "prediction": said} for key, said in answers.items()
    ]
    path = write_jsonl(folder / f"{benchmark}-{model}-{run}.jsonl", rows)
    house.ingest(path, benchmark=benchmark, run=run)


def _say(
    house: Warehouse,
    folder: Path,
    judge: str,
    verdicts: Mapping[str, str],
    *,
    model: str = "vlm",
    benchmark: str = "Fruit",
    column: str = "reply",
    run: str | None = None,
) -> None:
    """What a judge's file says: a model's replies, or a person's verdicts."""
    rows = [
        {"model": model, "question_key": key, "judge": judge, column: said}
        for key, said in verdicts.items()
    ]
    path = write_jsonl(folder / f"{benchmark}-{judge}-{model}-{run}.jsonl", rows)
    house.ingest(path, benchmark=benchmark, **({"run": run} if run else {}))


def _label(
    house: Warehouse, folder: Path, person: str, verdicts: Mapping[str, str], **of: str
) -> None:
    _say(house, folder, person, verdicts, column="verdict", **of)


def _compute(house: Warehouse, name: str, benchmark: str = "Fruit") -> None:
    """Verdicts of a program on all that is not read."""
    with house.writing() as con, transaction(con):
        source_id = sources.add(con, sources.Source("test", "-", 0, "test", 1, {}, 0))
        judge = judges.Judge(name, "choice_extraction", "program", endpoint="program:letters")
        judge_id = judges.register(con, judge, source_id=source_id)
        said = [
            judges.Judgment(
                choice_extraction_hash(f"Q {benchmark} {key}", CHOICES, text),
                "A",
                labels=[*CHOICES, "X"],
                origin="local",
            )
            for key, text in NOT_READ.items()
        ]
        judges.store(con, judge_id, said, source_id=source_id)
    house.refresh()


def _judge(house: Warehouse, benchmark: str = "Fruit", *, release: str = "latest") -> str:
    """The judge of the board, which the view score has too."""
    (board,) = house.leaderboard(benchmark, release=release)
    assert f"judge {board.judge} ·" in render_boards([board], "table")
    if release == "latest":
        found = house.sql(f"SELECT DISTINCT judge FROM score WHERE dataset = '{board.dataset}'")
        assert found["judge"].to_list() == [board.judge]
    return board.judge


@pytest.fixture
def fruit(house: Warehouse, tmp_path: Path) -> Warehouse:
    """A data set, and a model's answers of which no rule reads three."""
    _ask(house, tmp_path)
    _answer(house, tmp_path)
    return house


def test_people_change_no_default(fruit: Warehouse, tmp_path: Path) -> None:
    assert _judge(fruit) == "none"
    before = fruit.leaderboard("Fruit")[0].to_polars()
    _label(fruit, tmp_path, "alice", {"3": "A"})
    assert _judge(fruit) == "none"
    assert fruit.leaderboard("Fruit")[0].to_polars().equals(before)
    _label(fruit, tmp_path, "bob", dict.fromkeys(NOT_READ, "A"))
    _label(fruit, tmp_path, "carol", MOST)
    assert _judge(fruit) == "none"
    (asked,) = fruit.leaderboard("Fruit", judge="bob")
    assert (asked.judge, asked.lines[0].cells[0].score) == ("bob", 0.8)  # type: ignore[union-attr]
    (partly,) = fruit.leaderboard("Fruit", judge="alice")
    cell = partly.lines[0].cells[0]
    assert cell is not None
    assert (cell.score, cell.low, cell.high) == (None, 0.4, 0.8)


def test_people_do_not_take_a_models_place(fruit: Warehouse, tmp_path: Path) -> None:
    _say(fruit, tmp_path, "openai", dict.fromkeys(NOT_READ, "B"))
    assert _judge(fruit) == "openai"
    _label(fruit, tmp_path, "alice", dict.fromkeys(NOT_READ, "A"))
    _label(fruit, tmp_path, "aaron", MOST)
    assert _judge(fruit) == "openai"


CASES: Mapping[str, tuple[Mapping[str, tuple[str, ...]], str]] = {
    "Whole": ({"gpt": ("3", "4", "5")}, "gpt"),
    "Partly": ({"gpt": ("3", "4")}, "none"),
    "Never": ({}, "none"),
    "OneOfTwo": ({"gpt": ("3", "4"), "zeta": ("3", "4", "5")}, "zeta"),
    "MostSaid": ({"gpt": ("3", "4", "5"), "zeta": ("2", "3", "4", "5")}, "zeta"),
    "ByName": ({"gpt": ("3", "4", "5"), "beta": ("3", "4", "5"), "zeta": ("1", "2", "3")}, "beta"),
    "Halves": ({"gpt": ("3",), "beta": ("4", "5")}, "none"),
}
"""By benchmark: the keys that each judge says something of, and whose the board is."""


def test_the_model_that_left_nothing_and_said_most(house: Warehouse, tmp_path: Path) -> None:
    for benchmark, (said, _) in CASES.items():
        _ask(house, tmp_path, benchmark)
        _answer(house, tmp_path, benchmark=benchmark)
        for name, keys in said.items():
            verdicts = {key: MOST[key] for key in keys}
            _say(house, tmp_path, name, verdicts, benchmark=benchmark)
    expected = {benchmark: judge for benchmark, (_, judge) in CASES.items()}
    found = house.sql("SELECT DISTINCT benchmark, judge FROM score")
    assert dict(found.rows()) == expected
    assert {name: house.leaderboard(name)[0].judge for name in expected} == expected
    many = house.board(None)
    columns = [column.name for column in many.definition.columns]
    assert dict(zip(columns, many.judges, strict=True)) == expected


def test_what_cannot_be_read_is_no_verdict(fruit: Warehouse, tmp_path: Path) -> None:
    _say(fruit, tmp_path, "alpha", {"3": "B", "4": "A", "5": "I cannot say."})
    assert _judge(fruit) == "alpha"
    _say(fruit, tmp_path, "omega", {"3": "B", "4": "A", "5": "A"})
    assert _judge(fruit) == "omega"


def test_a_program_is_the_default_where_no_model_judged(fruit: Warehouse, tmp_path: Path) -> None:
    _compute(fruit, "letters")
    assert _judge(fruit) == "letters"
    _label(fruit, tmp_path, "alice", MOST)
    assert _judge(fruit) == "letters"
    _say(fruit, tmp_path, "gpt", {"3": "A"})
    assert _judge(fruit) == "none"
    _say(fruit, tmp_path, "zeta", dict.fromkeys(NOT_READ, "B"))
    assert _judge(fruit) == "zeta"


def test_only_latest_runs_decide(fruit: Warehouse, tmp_path: Path) -> None:
    """An older run with pending verdicts does not matter; comparisons with it are by rules alone."""
    _answer(fruit, tmp_path, answers={**RULED, "3": "A", "4": "hm", "5": "oh"}, run="second")
    _answer(fruit, tmp_path, "other", answers={**RULED, "3": "C", "4": "B", "5": "A"})
    with fruit.reading() as con:
        latest = con.execute("SELECT run FROM latest.current_run WHERE is_latest AND model = 'vlm'")
        assert latest.fetchall() == [("second",)]
    _say(fruit, tmp_path, "gpt", {"4": "A", "5": "A"}, run="second")
    assert _judge(fruit) == "gpt"
    (board,) = fruit.leaderboard("Fruit", runs="all")
    assert board.judge == "gpt"
    assert [line.n_pending for line in board.lines if line.model == "vlm"] == [0, 3]
    assert fruit.compare("vlm", "other").judge == "gpt"
    assert fruit.compare("vlm/first", "other").judge == "none"
    _answer(fruit, tmp_path, "other", answers={**RULED, "3": "what?"}, run="second")
    assert _judge(fruit) == "none"


def test_each_data_set_has_its_own(house: Warehouse, tmp_path: Path) -> None:
    for benchmark in ("Fruit", "Trees", "Birds"):
        _ask(house, tmp_path, benchmark)
        for model in ("vlm", "other"):
            _answer(house, tmp_path, model, benchmark=benchmark)
    for model in ("vlm", "other"):
        _say(house, tmp_path, "gpt", dict.fromkeys(NOT_READ, "A"), model=model)
    _say(house, tmp_path, "gpt", {"3": "A"}, benchmark="Trees")
    _label(house, tmp_path, "alice", MOST, benchmark="Birds")
    found = {name: house.leaderboard(name)[0].judge for name in ("Fruit", "Trees", "Birds")}
    assert found == {"Fruit": "gpt", "Trees": "none", "Birds": "none"}
    many = house.board(None)
    columns = [column.name for column in many.definition.columns]
    assert dict(zip(columns, many.judges, strict=True)) == found
    over = house.compare_over("vlm", "other", "all")
    assert {part.a.dataset: part.judge for part in over.parts} == found


def test_data_sets_of_one_benchmark(house: Warehouse, tmp_path: Path) -> None:
    """Each board of a benchmark's has the judge of its own data set."""
    asks = [Ask(key, {0: CHOICES}, {0: "A"}) for key in "12345"]
    for split in ("dev", "test"):
        rows = [row | {"split": split} for row in question_rows(asks)]
        house.ingest(write_jsonl(tmp_path / f"{split}.jsonl", rows), benchmark="Fruit")
        said = [
            {"model": "vlm", "question_key": key, "prediction": text, "split": split}
            for key, text in (RULED | NOT_READ).items()
        ]
        house.ingest(write_jsonl(tmp_path / f"{split}-said.jsonl", said), benchmark="Fruit")
    rows = [
        {"model": "vlm", "question_key": key, "judge": "gpt", "reply": "A", "split": "test"}
        for key in NOT_READ
    ]
    # The other split's answers are the same texts, which one more makes different.
    house.ingest(write_jsonl(tmp_path / "gpt.jsonl", rows), benchmark="Fruit")
    boards = house.leaderboard("Fruit")
    assert [(board.dataset, board.judge) for board in boards] == [
        ("Fruit/dev", "gpt"), ("Fruit/test", "gpt"),
    ]  # fmt: skip
    more = [{"model": "late", "question_key": "1", "prediction": "hm?", "split": "dev"}]
    house.ingest(write_jsonl(tmp_path / "late.jsonl", more), benchmark="Fruit")
    boards = house.leaderboard("Fruit")
    assert [(board.dataset, board.judge) for board in boards] == [
        ("Fruit/dev", "none"), ("Fruit/test", "gpt"),
    ]  # fmt: skip
    assert [board.judge for board in house.leaderboard("Fruit", judge="gpt")] == ["gpt", "gpt"]


@pytest.mark.slow
@pytest.mark.all_releases
@pytest.mark.parametrize("release", ["paper_v1", "vlmevalkit_e8e78f0", "lmms_eval"])
def test_other_releases_choose_alike(house: Warehouse, tmp_path: Path, release: str) -> None:
    _ask(house, tmp_path)
    _answer(house, tmp_path)
    _label(house, tmp_path, "alice", MOST)
    _label(house, tmp_path, "bob", {"3": "A"})
    assert _judge(house, release=release) == "none"
    _say(house, tmp_path, "gpt", dict.fromkeys(NOT_READ, "A"))
    _say(house, tmp_path, "zeta", MOST)
    assert _judge(house, release=release) == "zeta"


@pytest.mark.slow
def test_commands_choose_alike_and_never_fail(fruit: Warehouse, tmp_path: Path) -> None:
    _answer(fruit, tmp_path, "other", answers={"1": "B", "2": "A", "3": "A"} | NOT_READ)
    for model in ("vlm", "other"):
        _label(fruit, tmp_path, "alice", MOST, model=model)
        _label(fruit, tmp_path, "bob", {"3": "B"}, model=model)
    for step, expected in enumerate(("none", "zeta")):
        for words in (
            ["leaderboard", "Fruit"],
            ["compare", "vlm", "other"],
            ["board", "--all"],
            ["errors", "vlm"],
            ["show", "3"],
            ["power", "--benchmark", "Fruit"],
            ["report", f"report-{step}"],
            ["export", "bundle", f"bundle-{step}"],
            ["status"],
        ):
            done = commands.run("evalhouse", *words, "--db", fruit.path, cwd=tmp_path)
            assert done.code == 0, (words, done.err)
            if words[0] in ("leaderboard", "compare", "board"):
                assert f"judge {expected}" in done.out
        if step:
            done = commands.run(
                "evalhouse", "leaderboard", "Fruit", "--corrected", "ppi", "--by", "alice",
                "--db", fruit.path, cwd=tmp_path,
            )  # fmt: skip
            assert "judge zeta corrected by alice" in done.out, done.err
        pages = sorted((tmp_path / f"report-{step}/board").iterdir())
        assert any(f"judge {expected}" in page.read_text("utf-8") for page in pages)
        if not step:
            for name in ("gpt", "zeta"):
                for model in ("vlm", "other"):
                    more = {"1": "A"} if name == "zeta" else {}
                    _say(fruit, tmp_path, name, dict.fromkeys(NOT_READ, "B") | more, model=model)


@pytest.mark.slow
def test_soft_scores_need_a_judge(house: Warehouse, tmp_path: Path) -> None:
    """There is no none: the model that leaves least pending, and never a person by default."""
    asks = [OpenAsk(key) for key in "abc"]
    add_open(house, asks, {"vlm": {(key, 0): (f"said {key}", False) for key in "abc"}})

    def grade(name: str, kind: str, keys: str) -> None:
        with house.writing() as con, transaction(con):
            source_id = sources.add(con, sources.Source("test", "-", 0, "test", 1, {}, 0))
            judge_id = judges.register(
                con, judges.Judge(name, "soft_score", kind), source_id=source_id
            )
            said = [
                judges.Judgment(ask.subject(f"said {ask.key}"), "0.5")
                for ask in asks
                if ask.key in keys
            ]
            judges.store(con, judge_id, said, source_id=source_id)

    def judge() -> str:
        (board,) = house.leaderboard("Words")
        assert house.board(None).judges == (board.judge,)
        return board.judge

    with pytest.raises(UsageError, match="no judge gives a soft score"):
        judge()
    grade("alice", "human", "abc")
    grade("bob", "human", "a")
    with pytest.raises(UsageError, match="people alone have judged"):
        judge()
    assert house.board(None).judges == (None,)
    assert house.leaderboard("Words", judge="bob")[0].judge == "bob"
    _ask(house, tmp_path)
    _answer(house, tmp_path)
    done = commands.run("evalhouse", "report", "pages", "--db", house.path, cwd=tmp_path)
    assert (done.code, "Words has no board: people alone" in done.err) == (0, True)
    done = commands.run("evalhouse", "report", "page", "Words", "--db", house.path, cwd=tmp_path)
    assert (done.code, "say --judge alice or bob" in done.err) == (2, True)
    grade("gpt", "llm", "a")
    grade("zeta", "import", "ab")
    assert house.leaderboard("Words")[0].judge == "zeta"
    grade("code", "program", "abc")
    assert house.leaderboard("Words")[0].judge == "zeta"
    grade("late", "llm", "abc")
    assert house.leaderboard("Words")[0].judge == "late"


@pytest.mark.slow
def test_what_reads_letters_in_inspect_is_a_program(fruit: Warehouse, tmp_path: Path) -> None:
    _say(fruit, tmp_path, "inspect:choice", MOST)
    assert _judge(fruit) == "inspect:choice"
    _say(fruit, tmp_path, "zeta", dict.fromkeys(NOT_READ, "B"))
    assert _judge(fruit) == "zeta"


@pytest.mark.slow
def test_a_report_of_two_data_sets(house: Warehouse, tmp_path: Path) -> None:
    """The page of a benchmark whose data sets have two defaults has both."""
    asks = [Ask(key, {0: CHOICES}, {0: "A"}) for key in "12345"]
    for split, model in (("dev", "vlm"), ("test", "other")):
        rows = [row | {"split": split} for row in question_rows(asks)]
        house.ingest(write_jsonl(tmp_path / f"{split}.jsonl", rows), benchmark="Fruit")
        said = [
            {"model": model, "question_key": key, "prediction": text, "split": split}
            for key, text in (
                RULED | {key: f"{text} {split}" for key, text in NOT_READ.items()}
            ).items()
        ]
        house.ingest(write_jsonl(tmp_path / f"{split}-said.jsonl", said), benchmark="Fruit")
    _say(house, tmp_path, "gpt", dict.fromkeys(NOT_READ, "A"))
    done = commands.run("evalhouse", "report", "pages", "--db", house.path, cwd=tmp_path)
    assert done.code == 0, done.err
    (page,) = (tmp_path / "pages/board").glob("fruit-overall-gpt-none*.html")
    text = page.read_text("utf-8")
    assert "judge gpt ·" in text
    assert "judge none ·" in text
    index = (tmp_path / "pages/index.html").read_text("utf-8")
    assert f"board/{page.name}" in index
    assert text.count("/questions/") > 1
