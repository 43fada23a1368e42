"""A rule that looks at other runs says so, and is computed of all of them; one that does not is refused."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest

from evalhouse import EvalhouseError, Warehouse
from queries import release as releases
from queries.heads import head
from queries.results import compute, other_runs
from queries.results import refresh as keeping
from queries.sql_files import SqlFile
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
    file = own / "pass_result.sql"
    with pytest.raises(
        EvalhouseError,
        match=r"pass_result\.sql: looks at other runs \(a window without run_id .*`-- @table of all runs`",
    ):
        house.install_release(str(own))
    file.write_text(f"-- @table of all runs\n{file.read_text('utf-8')}", "utf-8")
    name = house.install_release(str(own))
    there: list[str] = []
    for model in _MODELS:
        house.ingest(_answers(tmp_path, model), benchmark="Own")
        there.append(model)
        kept = house.refresh(release=name)
        assert (kept.n_fresh, kept.n_runs) == (len(there), len(there))
        assert _scores(house, name) == _expected(there)
    # The shipped release is as it was.
    assert house.refresh().n_fresh == len(_MODELS)


SPANNING = {
    "a window": "SELECT *, rank() OVER (PARTITION BY question_id ORDER BY score) AS place FROM pass_result",
    "an aggregate": "SELECT question_id, avg(score) AS score FROM pass_result GROUP BY question_id",
    "a whole": "SELECT max(run_id) AS run_id FROM main.prediction",
    "a join": "SELECT a.run_id, b.predicted FROM pass_result AS a "
    "INNER JOIN pass_result AS b ON a.question_id = b.question_id",
    "a join in WITH": "WITH other AS (SELECT run_id, question_id FROM main.prediction) "
    "SELECT p.run_id FROM pass_result AS p, other AS o WHERE p.question_id = o.question_id",
}
OF_ONE = {
    "a window": "SELECT *, rank() OVER (PARTITION BY run_id, question_id ORDER BY pass) AS place FROM pass_result",
    "an aggregate": "SELECT run_id, avg(score) AS score FROM pass_result GROUP BY run_id",
    "a join": "SELECT a.run_id FROM pass_result AS a INNER JOIN current_run AS b ON b.run_id = a.run_id",
    "using": "SELECT run_id FROM pass_result INNER JOIN current_run USING (run_id)",
    "distinct texts": "SELECT question_id, text FROM main.prediction GROUP BY question_id, text",
    "facts of questions": "SELECT question_id, max(label) AS label FROM main.answer GROUP BY question_id",
}


@pytest.mark.parametrize("what", [*SPANNING, *(f"{one} of one run" for one in OF_ONE)])
def test_what_spans_runs(tmp_path: Path, what: str) -> None:
    sql = SPANNING.get(what) or OF_ONE[what.removesuffix(" of one run")]
    release = releases.load("field_v2")
    file = SqlFile("view", "mine", "own", "", tmp_path / "mine.sql", sql)
    refused = (
        pytest.raises(EvalhouseError, match=r"mine\.sql: looks at other runs \(")
        if what in SPANNING
        else nullcontext()
    )
    with refused:
        other_runs.require_one(release, file, {"pass_result", "current_run"})


@pytest.mark.parametrize(
    "lacking",
    [
        "DROP TABLE field_v2_internal.computed_judging CASCADE",
        "ALTER TABLE field_v2_internal.definition DROP COLUMN rows_of",
    ],
)
def test_a_release_that_an_earlier_evalhouse_installed(house: Warehouse, lacking: str) -> None:
    with house.writing() as con:
        con.execute(lacking)
    assert [one.n_fresh for one in house.kept()] == [0]
    assert house.refresh().n_fresh == 0
    findings = house.check().findings
    assert not [one for one in findings if "cannot be checked" in "".join(one.examples)]


def test_heads_name_rules_that_there_are() -> None:
    named = {
        (name, file.name): rules
        for name in releases.shipped_names()
        for file in releases.load(name).files
        if (rules := head(file).rules) is not None
    }
    assert ("field_v2", "rule_score") in named
    assert all(rules and rules <= set(RULES) for rules in named.values()), named


def test_rows_of_a_view_that_is_not_read_are_refused(house: Warehouse, tmp_path: Path) -> None:
    own = tmp_path / "mine"
    own.mkdir()
    (own / "release.toml").write_text('builds_on = "field_v2"\n', "utf-8")
    text = releases.load("field_v2").views["choice_reader"].text
    (own / "choice_reader.sql").write_text(
        text.replace("@rows_of unread_choice", "@rows_of question_rule"), "utf-8"
    )
    with pytest.raises(
        EvalhouseError, match=r"choice_reader\.sql: @rows_of question_rule: it does not"
    ):
        house.install_release(str(own))
    assert [one.release for one in house.kept()] == ["field_v2"]


def test_rules_that_no_run_has_are_left_out(house: Warehouse, tmp_path: Path) -> None:
    questions = [Ask(str(k), {0: {"A": "cat", "B": "dog"}}, {0: "B"}) for k in range(4)]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows(questions)), benchmark="Own")
    house.ingest(_answers(tmp_path, "two"), benchmark="Own")
    house.refresh()
    with house.writing() as con:
        definitions = compute.read(con, "field_v2")
        stored = con.execute("FROM field_v2.ability_sum ORDER BY ALL").fetchall()
        with compute.computed(con, "field_v2", definitions, None) as steps:
            # A step of another rule is an empty table, which takes no planning.
            kinds = dict(
                con.execute(
                    "SELECT table_name, estimated_size FROM duckdb_tables() "
                    "WHERE database_name = ?",
                    [steps],
                ).fetchall()
            )
            assert kinds["rule_score"] == kinds["extraction"] == 0
            assert con.execute(f"FROM {steps}.ability_sum ORDER BY ALL").fetchall() == stored
        assert keeping.state(con, "field_v2").n_fresh == 1
