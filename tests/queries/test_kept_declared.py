"""What is kept per run is what declares it: a rule that looks at other runs is computed in each query."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalhouse import Warehouse
from queries import release as releases
from queries.heads import head
from queries.kept import build, compose
from queries.plan import plan
from tests.commands import run
from tests.oracle import Ask
from tests.tables import question_rows, write_jsonl
from warehouse.benchmark_rules import RULES

_MODELS = {"one": "AAAB", "two": "AABB", "three": "ABBA"}
_COLUMNS = (
    "run_id model run dataset question_id question_key pass sample component judge "
    "judge_sample predicted answer score resolved_by task"
)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A release by which an answer is right if another model says the same."""
    folder = tmp_path / "same"
    folder.mkdir()
    (folder / "release.toml").write_text('builds_on = "paper_v1"\n')
    shipped = releases.load("paper_v1").views["pass_result"].text
    says = (
        "sum(CASE WHEN predicted IS NOT NULL THEN 1 ELSE 0 END) OVER (PARTITION BY "
        "question_id, pass, judge, predicted) > 1"
    )
    columns = ", ".join(
        f"CASE WHEN {says} THEN 1.0 ELSE 0.0 END AS score" if name == "score" else name
        for name in _COLUMNS.split()
    )
    (folder / "pass_result.sql").write_text(
        f"-- Right if another model says the same.\nWITH shipped AS (\n{shipped}\n)\nSELECT {columns} FROM shipped\n",
        "utf-8",
    )
    return folder


def _answers(folder: Path, model: str) -> Path:
    rows = [
        {"model": model, "question_key": str(k), "prediction": text}
        for k, text in enumerate(_MODELS[model])
    ]
    return write_jsonl(folder / f"{model}.jsonl", rows)


def _expected(models: list[str]) -> dict[str, float]:
    """The rule in plain Python."""
    found = {}
    for model in models:
        others = [_MODELS[other] for other in models if other != model]
        n_right = sum(
            any(other[k] == says for other in others) for k, says in enumerate(_MODELS[model])
        )
        found[model] = n_right / 4
    return found


def _scores(house: Warehouse, release: str) -> dict[str, float]:
    frame = house.sql(
        "SELECT model, score FROM leaderboard WHERE level = 'overall' AND average = 'micro' "
        "AND strategy = 'vanilla' AND judge = 'none'",
        release=release,
    )
    return dict(frame.iter_rows())


@pytest.mark.slow
def test_a_rule_that_looks_at_other_runs(house: Warehouse, own: Path, tmp_path: Path) -> None:
    choices = {"A": "cat", "B": "dog"}
    questions = [Ask(str(k), {0: choices}, {0: "B"}) for k in range(4)]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows(questions)), benchmark="Own")
    name = house.install_release(str(own))
    there: list[str] = []
    for model in _MODELS:
        house.ingest(_answers(tmp_path, model), benchmark="Own")
        there.append(model)
        assert _scores(house, name) == _expected(there)
        kept = house.refresh(release=name)
        assert (kept.n_fresh, kept.undeclared) == (0, ("pass_result",))
        assert _scores(house, name) == _expected(there)
    said = run("evalhouse", "refresh", "--db", house.path, "--release", "same", cwd=tmp_path)
    assert "pass_result may look at other runs" in said.out
    state = run("evalhouse", "status", "--db", house.path, cwd=tmp_path)
    assert "pass_result may look at other runs" in state.out
    # The shipped release keeps what it kept.
    assert house.refresh().n_fresh == len(_MODELS)


@pytest.mark.slow
def test_a_rule_that_declares_it_is_kept(house: Warehouse, own: Path, tmp_path: Path) -> None:
    file = own / "pass_result.sql"
    shipped = releases.load("paper_v1").views["pass_result"].text
    file.write_text(f"-- As shipped.\n-- @kept per run\n{shipped.split(chr(10), 1)[1]}", "utf-8")
    choices = {"A": "cat", "B": "dog"}
    questions = [Ask(str(k), {0: choices}, {0: "B"}) for k in range(4)]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows(questions)), benchmark="Own")
    house.ingest(_answers(tmp_path, "two"), benchmark="Own")
    kept = house.refresh(release=house.install_release(str(own)))
    assert (kept.n_fresh, kept.undeclared) == (1, ())


def test_a_release_that_an_earlier_evalhouse_installed(house: Warehouse) -> None:
    with house.writing() as con:
        con.execute("DROP TABLE field_v1_internal.kept_judging")
    assert [one.undeclared for one in house.kept()] == [()] * len(house.kept())
    assert house.refresh().undeclared == ()


def test_heads_name_rules_that_there_are() -> None:
    named = {
        (name, file.name): rules
        for name in releases.shipped_names()
        for file in releases.load(name).files
        if (rules := head(file).rules) is not None
    }
    assert ("field_v1", "rule_score") in named
    assert all(rules and rules <= set(RULES) for rules in named.values()), named


@pytest.mark.parametrize("dropped", [False, True])
def test_rules_that_no_run_has_are_left_out(
    house: Warehouse, tmp_path: Path, dropped: bool
) -> None:
    """Where another client dropped their view it is computed, as every other one is."""
    questions = [Ask(str(k), {0: {"A": "cat", "B": "dog"}}, {0: "B"}) for k in range(4)]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows(questions)), benchmark="Own")
    house.ingest(_answers(tmp_path, "two"), benchmark="Own")
    with house.writing() as con:
        wanted = {
            view: con.execute(f"SELECT * FROM field_v1.{view} ORDER BY ALL").fetchall()
            for view in compose.KEPT
        }
        assert wanted["ability_sum"]
        if dropped:
            con.execute("DROP VIEW field_v1.judged_rule_result")
        con.execute("CREATE TEMP TABLE stale_run AS SELECT run_id FROM main.run")
        made = build.tables(con, "field_v1", plan(releases.load("field_v1")), compose.KEPT)
        for view, rows in wanted.items():
            found = con.execute(f"SELECT * FROM {made[view]} AS v ORDER BY ALL").fetchall()
            assert found == rows, view
        tables = con.execute("SELECT table_name FROM duckdb_tables() WHERE temporary").fetchall()
        # What judges said is read for those rules alone.
        assert (("built_judged_reply",) in tables) is dropped
        build.drop(con)
