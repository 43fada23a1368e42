"""Results: after every change the stored rows are those that are computed anew from the facts."""

from __future__ import annotations

import math
import random
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

import duckdb
import pytest

from evalhouse import EvalhouseError, Warehouse
from queries import release, session
from queries.heads import head
from queries.plan import internal_schema, plan
from queries.results import compute, tables
from queries.results import refresh as keeping
from tests.commands import run
from tests.each_once import rows
from tests.houses import QuickHouse
from tests.oracle import Ask
from tests.queries.test_graded import OpenAsk, add_judge, add_judgments, add_open
from tests.results import as_compared
from tests.tables import add_replies, question_rows, register_judge, write_jsonl
from warehouse import connection, judges, migrate

_TEXTS = ["A", "B.", "(C)", "The answer is B", "hmm", "no idea", "A or B", "", None, "dog", "cat"]
_BOARDS = (
    "pass_result",
    "question_result",
    "ability_sum",
    "answered_ability",
    "judge_need",
    "subset_leaderboard",
)  # fmt: skip


def _busy(house: Warehouse, folder: Path) -> None:
    """Choice questions with abilities and a subset, three models (one with samples), judges; open ones."""
    pick = random.Random(7)
    questions = []
    for number in range(24):
        labels = "ABCD"[: 2 + number % 3]
        hidden = number == 5
        questions.append(
            Ask(
                str(number),
                {
                    p: {label: f"choice {label} {p}" for label in labels}
                    for p in range(1 + number % 3)
                },
                {p: None if hidden else pick.choice(labels) for p in range(1 + number % 3)},
            )
        )
    house.ingest(
        write_jsonl(folder / "q.jsonl", question_rows(questions)), benchmark="Own", refresh=False
    )
    rows = [
        {"model": model, "question_key": q.key, "pass": step, "sample": sample, "prediction": text}
        for model, n_samples in (("one", 1), ("two", 2), ("three", 1))
        for sample in range(n_samples)
        for q in questions
        for step in q.choices
        for text in [(q.answers[step] or "A") if pick.random() < 0.5 else pick.choice(_TEXTS)]
        if pick.random() < 0.9 or q.key == "0"
    ]
    house.ingest(write_jsonl(folder / "p.jsonl", rows), benchmark="Own", run="r1", refresh=False)
    eager = register_judge(house, "eager", max_attempts=1)
    slow = register_judge(house, "slow", max_attempts=2)
    by_key = {q.key: q for q in questions}
    subjects = sorted(
        {(r["question_key"], r["pass"], r["prediction"]) for r in rows if r["prediction"]}
    )
    for judge, share in ((eager, 0.9), (slow, 0.4)):
        for judge_sample in (0, 1):
            add_replies(
                house,
                judge,
                [
                    (by_key[key], step, text, pick.choice(["A", "B", "X", "??", None]))
                    for key, step, text in subjects
                    if pick.random() < share
                ],
                judge_sample=judge_sample,
            )
    open_questions = [
        OpenAsk(str(n), abilities=[("capability", "Rec" if n % 2 else "OCR")]) for n in range(4)
    ]
    said = {(str(n), 0): (f"four {n % 2}", False) for n in range(3)}
    runs = add_open(house, open_questions, {"four": said})
    soft = add_judge(house, "soft", "soft_score", n_samples=2)
    add_judgments(
        house,
        soft,
        [
            judges.Judgment(
                q.subject(f"four {int(q.key) % 2}"), reply, judge_sample=n, run_id=runs["four"]
            )
            for q in open_questions[:3]
            for n, reply in enumerate(["0.3", "1"])
        ],
    )
    with house.writing() as con:
        con.execute(
            "UPDATE main.benchmark SET macro_level = 'l2' WHERE name = 'Own';"
            "INSERT INTO main.ability SELECT 900 + n, b.benchmark_id, CASE WHEN n = 0 THEN 'l1' ELSE 'l2' END, "
            "'ability ' || n, 'a' || n, n, CASE WHEN n > 0 THEN 900 END, 1, NULL "
            "FROM range(4) AS t (n), main.benchmark AS b WHERE b.name = 'Own';"
            "INSERT INTO main.question_ability SELECT q.question_id, 901 + q.question_id % 3, 1 "
            "FROM main.question AS q JOIN main.dataset AS d USING (dataset_id) WHERE d.name = 'Own';"
            "INSERT INTO main.dataset_subset SELECT 1, dataset_id, 'odd', 1, NULL FROM main.dataset WHERE name = 'Own';"
            "INSERT INTO main.subset_question SELECT 1, question_id, 1 FROM main.question WHERE question_id % 2 = 1"
        )


@pytest.fixture(scope="module")
def busy_file(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse in which every release's results are kept."""
    folder = tmp_path_factory.mktemp("busy")
    path = folder / "busy.duckdb"
    shutil.copy(empty_file, path)
    house = QuickHouse(path)
    _busy(house, folder)
    with house.writing() as con:
        for name in release.shipped_names():
            keeping.drop(con, name)
            kept = keeping.refresh(con, name)
            assert kept.n_fresh == kept.n_runs == kept.n_built == 4
    return path


@pytest.fixture
def busy(busy_file: Path, tmp_path: Path) -> Path:
    """A copy of it for a test to change."""
    return shutil.copy(busy_file, tmp_path / "busy.duckdb")


def _rows(con: duckdb.DuckDBPyConnection, schema: str) -> dict[str, list[str]]:
    return {
        view: as_compared(con.execute(f"SELECT * FROM {schema}.{view}").fetchall())
        for view in _BOARDS
    }


def _anew(path: Path, schema: str) -> dict[str, list[str]]:
    """The rows where every result was dropped, and computed of all runs at once."""
    with connection.open_for_writing(path) as con:
        keeping.drop(con, schema)
        assert keeping.state(con, schema).n_fresh == 0
        keeping.refresh(con, schema)
        return _rows(con, schema)


def test_facts_alone_are_in_main(empty_file: Path) -> None:
    """And what nobody queries is next to a release's views, not among them."""
    with duckdb.connect(str(empty_file), read_only=True) as con:
        objects = con.execute(
            "SELECT schema_name, table_name FROM duckdb_tables() "
            "UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal"
        ).fetchall()
    found: dict[str, set[str]] = {}
    for schema, name in objects:
        found.setdefault(schema, set()).add(name)
    assert found.keys() - {"papers"} == {
        "main",
        "latest",
        *release.shipped_names(),
        *map(internal_schema, release.shipped_names()),
    }
    assert found["main"] == migrate.table_names()
    for name in release.shipped_names():
        views = release.load(name).lasting_files
        internal = {one.name for one in views if one.kind == "view" and head(one).is_internal}
        results = {one.file.name for one in tables.results(plan(release.load(name), files=views))}
        made = {*tables.STATE, *tables.VIEWS, *results}
        assert found[internal_schema(name)] == internal | made
        assert found[name] == {one.name for one in views if one.kind == "view"} - internal


@pytest.mark.slow
@pytest.mark.parametrize("schema", release.shipped_names())
def test_results_that_are_dropped_come_back(busy: Path, schema: str) -> None:
    with connection.open_for_writing(busy) as con:
        kept = _rows(con, schema)
    assert len(kept["ability_sum"]) > 100
    assert _anew(busy, schema) == kept


@pytest.mark.slow
def test_any_client_runs_what_made_a_result(busy: Path) -> None:
    """The SELECT in the file gives the rows that are stored, of all runs, without evalhouse."""
    with duckdb.connect(str(busy), read_only=True) as con:
        definitions = con.execute(
            'SELECT name, sql FROM field_v2_internal.definition WHERE "table" IS NOT NULL '
            "OR name IN ('choice_match', 'answer_match', 'rule_need') ORDER BY ordinal"
        ).fetchall()
        assert {name for name, _ in definitions} > set(_BOARDS) - {"subset_leaderboard"}
        con.execute("SET search_path = 'field_v2,field_v2_internal'")
        for name, sql in definitions:
            if name != "judged_subject":
                assert rows(con, f"({sql})", digits=12) == rows(con, name, digits=12), name


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1; DELETE FROM main.prediction",
        "DELETE FROM main.prediction",
        "SELECT",
        "COPY main.run TO 'x'",
    ],
)
def test_a_definition_of_a_stranger_is_one_select(busy: Path, sql: str) -> None:
    with connection.open_for_writing(busy) as con:
        ((n,),) = con.execute("SELECT count(*) FROM main.prediction").fetchall()
        con.execute(
            "UPDATE field_v2_internal.definition SET sql = ? WHERE name = 'pass_result'", [sql]
        )
        keeping_before = keeping.state(con, "field_v2")
        con.execute("UPDATE main.run SET label = 'other' WHERE run_id = 1")
        with pytest.raises(EvalhouseError, match="'pass_result' in this file is no query"):
            keeping.refresh(con, "field_v2")
        assert con.execute("SELECT count(*) FROM main.prediction").fetchall() == [(n,)]
        assert keeping_before.n_fresh == 4


@pytest.mark.slow
def test_a_judge_that_is_new_waits_for_every_open_answer(busy: Path) -> None:
    """A command that reads computes what is out of date next to the file."""
    house = Warehouse(busy)
    register_judge(house, "new")
    query = "SELECT * FROM judge_todo_all WHERE judge = 'new' ORDER BY ALL"
    live = house.sql(query)
    waiting = house.sql(
        "SELECT DISTINCT s.subject_hash FROM choice_match AS c "
        "INNER JOIN subject AS s ON c.question_id = s.question_id AND c.pass = s.pass "
        "AND c.prediction = s.text "
        "INNER JOIN dataset_pass AS d ON c.question_id = d.question_id AND c.pass = d.pass "
        "WHERE c.state = 'open' AND d.answer IS NOT NULL"
    )
    assert set(live["subject_hash"]) == set(waiting["subject_hash"]) != set()
    assert house.refresh().n_built == 4
    assert house.sql(query).equals(live)


# What changes → (the SQL, how many of the four runs may still be fresh). Each by hand, through a bare client.
_CHANGES: dict[str, tuple[str, int]] = {
    "an answer in place": (
        "UPDATE main.prediction SET text = 'B' WHERE run_id = 1 AND question_id < 9",
        3,
    ),
    "two answers swapped": (
        "UPDATE main.prediction SET question_id = CASE question_id WHEN 3 THEN 6 ELSE 3 END "
        "WHERE run_id = 1 AND question_id IN (3, 6) AND pass = 0",
        3,
    ),
    "an answer failed": (
        "UPDATE main.prediction SET failed = TRUE WHERE run_id = 3 AND question_id = 1",
        3,
    ),
    "an answer taken out": ("DELETE FROM main.prediction WHERE run_id = 2 AND question_id = 1", 3),
    "all answers of a run taken out": ("DELETE FROM main.prediction WHERE run_id = 1", 3),
    "an answer added": (
        "INSERT INTO main.prediction SELECT 1, q.question_id, p.pass, 0, 'A', FALSE FROM main.question AS q "
        "JOIN main.question_pass AS p USING (question_id) WHERE NOT EXISTS (SELECT 1 FROM main.prediction AS a "
        "WHERE a.run_id = 1 AND a.question_id = q.question_id AND a.pass = p.pass) AND q.dataset_id = 1",
        3,
    ),
    "a sample added": ("INSERT INTO main.run_sample VALUES (1, 1)", 3),
    "a choice score added": (
        "INSERT INTO main.choice_score SELECT 3, c.question_id, c.pass, 0, 'answer', c.label, c.ordinal, NULL, NULL "
        "FROM main.choice AS c; UPDATE main.run SET method = 'loglik' WHERE run_id = 3",
        3,
    ),
    "a run superseded": ("UPDATE main.run SET superseded_by = 1 WHERE run_id = 2", 3),
    "a run retracted": (
        "UPDATE main.run SET retracted_at = TIMESTAMP '2026-01-01' WHERE run_id = 1",
        3,
    ),
    "a run renamed": ("UPDATE main.run SET label = 'other' WHERE run_id = 1", 3),
    "a model renamed": ("UPDATE main.model SET name = 'someone' WHERE name = 'two'", 3),
    "a run added": (
        "INSERT INTO main.run SELECT 77, model_id, dataset_id, 'r2', harness, method, reduction, scored, produced_at, "
        "source_id, NULL, NULL FROM main.run WHERE run_id = 1; INSERT INTO main.run_sample VALUES (77, 0); "
        "INSERT INTO main.prediction SELECT 77, question_id, pass, 0, 'B', FALSE FROM main.question_pass "
        "WHERE question_id < 9",
        4,
    ),
    "an answer key corrected": (
        "UPDATE main.answer SET label = 'B' WHERE question_id = 2 AND pass = 0",
        1,
    ),
    "an answer key superseded": (
        "UPDATE main.answer SET superseded_by = 1 WHERE question_id = 2",
        1,
    ),
    "a choice taken out": ("DELETE FROM main.choice WHERE label = 'A' AND question_id < 9", 1),
    "a question added": (
        "INSERT INTO main.question VALUES (500, 1, 'new', 'new?', 1); "
        "INSERT INTO main.question_pass VALUES (500, 0, 1); INSERT INTO main.answer VALUES (500, 0, 'A', 1, NULL); "
        "INSERT INTO main.choice VALUES (500, 0, 'A', 0, 'a', 1), (500, 0, 'B', 1, 'b', 1)",
        1,
    ),
    "a question filed elsewhere": (
        "UPDATE main.question_ability SET ability_id = 903 WHERE question_id = 1",
        1,
    ),
    "an ability moved": ("UPDATE main.ability SET parent_id = NULL WHERE ability_id = 902", 1),
    "a subset grown": ("INSERT INTO main.subset_question VALUES (1, 2, 1)", 1),
    "a subset superseded": ("UPDATE main.dataset_subset SET superseded_by = 1", 1),
    "a component added": (
        "INSERT INTO main.question_component SELECT question_id, c, 1 FROM main.question, (VALUES "
        "('text'), ('image')) AS t (c) WHERE question_id < 9",
        1,
    ),
    "a reference changed": ("UPDATE main.reference_answer SET text = 'no' WHERE ordinal = 0", 3),
    "a level declared": (
        "INSERT INTO main.model_fact (model_id, capability_level, source_id) VALUES (1, 'L1', 1)",
        4,
    ),
    "a reply changed": (
        "UPDATE main.judgment SET reply = 'A' WHERE judgment_id % 3 = 0 AND error IS NULL",
        0,
    ),
    "replies taken out": ("DELETE FROM main.judgment WHERE judgment_id % 2 = 0", 0),
    "a reply about an open answer": (
        "INSERT INTO main.judgment (judgment_id, judge_id, subject_hash, judge_sample, attempt, "
        "reply, source_id, origin) "
        "SELECT 9000, j.judge_id, min(g.subject_hash), 0, -1, '0.9', 1, 'import' FROM main.judge AS j "
        "JOIN main.judgment AS g USING (judge_id) WHERE j.name = 'soft' GROUP BY j.judge_id; "
        "UPDATE main.judgment SET run_id = 4 WHERE judgment_id = 9000",
        3,
    ),
    "replies about choices": (
        "INSERT INTO main.judgment (judgment_id, judge_id, subject_hash, labels, judge_sample, "
        "attempt, reply, source_id, origin) "
        "SELECT 9000 + row_number() OVER (ORDER BY t.subject_hash), t.judge_id, t.subject_hash, "
        "['A', 'B', 'X'], 0, t.attempt, 'A', 1, 'import' "
        "FROM latest.judge_todo AS t WHERE t.task = 'choice_extraction'",
        1,
    ),
    "a judge retracted": (
        "UPDATE main.judge SET retracted_at = TIMESTAMP '2026-01-01' WHERE name = 'eager'",
        0,
    ),
    "a strategy changed": (
        "UPDATE main.benchmark SET strategy = 'vanilla' WHERE name = 'Own'",
        1,
    ),
    "a judge renamed": ("UPDATE main.judge SET name = 'keen' WHERE name = 'eager'", 0),
    "a judge more patient": ("UPDATE main.judge SET max_attempts = 3 WHERE name = 'eager'", 0),
    "a judge sample planned": (
        "INSERT INTO main.judge_sample SELECT judge_id, 7, 1 FROM main.judge WHERE name = 'slow'",
        0,
    ),
}


_NO_MATTER = ("a level declared",)
_AT_ONCE = ("an answer in place", "a run added", "a reply about an open answer", "a level declared")
"""Tried by the ordinary tests; the others take ten seconds each, too."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "what",
    [what if what in _AT_ONCE else pytest.param(what, marks=pytest.mark.long) for what in _CHANGES],
)
def test_whatever_changes_is_found_and_computed_anew(busy: Path, what: str) -> None:
    change, most_fresh = _CHANGES[what]
    with connection.open_for_writing(busy) as con:
        unchanged = _rows(con, "latest")
        con.execute(change)
        n_fresh = keeping.state(con, "field_v2").n_fresh
        assert n_fresh - len(keeping.changed_by_hand(con, "field_v2")) <= most_fresh
        keeping.refresh(con, "field_v2", verify=True)
        assert keeping.changed_by_hand(con, "field_v2") == ()
        changed = _rows(con, "field_v2")
        latest = _rows(con, "latest")
    assert changed == latest == _anew(busy, "field_v2")
    assert (changed != unchanged) == (what not in _NO_MATTER)


@pytest.mark.slow
def test_runs_are_computed_a_few_at_a_time(busy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is interrupted leaves the later ones to the next refresh, also if judgments were changed by hand."""
    names = [*_BOARDS[:-1], "judged_subject"]
    groups: list[int] = []

    def counted(con: duckdb.DuckDBPyConnection, *args: Any, **more: Any) -> Any:
        groups.append(len(args[2]))
        if len(groups) == 2:
            raise KeyboardInterrupt
        return computed(con, *args, **more)

    def rows(con: duckdb.DuckDBPyConnection) -> list[list[str]]:
        con.execute("SET search_path = 'field_v2,field_v2_internal'")
        return [as_compared(con.execute(f"FROM {one}").fetchall()) for one in names]

    computed = compute.computed
    with connection.open_for_writing(busy) as con:
        con.execute("UPDATE main.judgment SET reply = 'A' WHERE judgment_id = 1; CHECKPOINT")
    copy = busy.with_name("copy.duckdb")
    shutil.copy(busy, copy)
    with connection.open_for_writing(busy) as con:
        assert keeping.refresh(con, "field_v2", verify=True).n_built == 4
        whole = rows(con)
    monkeypatch.setattr(compute, "computed", counted)
    monkeypatch.setattr(keeping, "MOST_ANSWERS", 1)
    with connection.open_for_writing(copy) as con:
        with pytest.raises(KeyboardInterrupt):
            keeping.refresh(con, "field_v2", verify=True)
        assert keeping.state(con, "field_v2").n_fresh == 1
        assert keeping.refresh(con, "field_v2").n_built == 3
        assert groups == [1, 1, 1, 1, 1]
        assert rows(con) == whole


@pytest.mark.long
def test_refresh_computes_what_changed_and_no_more(busy: Path) -> None:
    for what in ("an answer in place", "a run added", "a reply about an open answer"):
        with duckdb.connect(str(busy)) as con:
            con.execute(_CHANGES[what][0])
        kept = QuickHouse(busy).refresh(verify=True)
        assert (kept.n_fresh, kept.n_built) == (kept.n_runs, 1)


@pytest.mark.long
def test_another_release_has_results_of_its_own(busy: Path, tmp_path: Path) -> None:
    """A changed view is installed: what was kept of the former one is gone with it."""
    folder = tmp_path / "mine"
    (folder / "macros").mkdir(parents=True)
    (folder / "release.toml").write_text('description = "Mine."\nbuilds_on = "field_v2"\n')
    macro = folder / "macros" / "is_failed.sql"
    macro.write_text("-- None.\nCREATE MACRO is_failed(failed_flag) AS failed_flag\n")
    house = QuickHouse(busy)
    assert house.refresh(release=str(folder)).n_built == 4
    with duckdb.connect(str(busy)) as con:
        same = _rows(con, "mine")
        assert same == _rows(con, "field_v2")
        con.execute("UPDATE main.prediction SET failed = TRUE WHERE run_id = 1 AND question_id < 9")
    macro.write_text("-- All of them count.\nCREATE MACRO is_failed(failed_flag) AS FALSE\n")
    house.refresh(release=str(folder))
    assert house.refresh(verify=True).n_built == 1
    with duckdb.connect(str(busy)) as con:
        assert _rows(con, "mine") == same
        assert _rows(con, "field_v2") != same
        assert keeping.state(con, "mine").n_fresh == 4


@pytest.mark.as_users
def test_figures_of_before_are_said(
    house: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader computes what is out of date; where that is too much, it says so, once."""
    questions = [Ask(str(k), {0: {"A": "cat", "B": "dog"}}, {0: "A"}) for k in range(3)]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows(questions)), benchmark="Own")
    said = [{"question_key": str(k), "prediction": "A"} for k in range(3)]
    notes: list[str] = []
    mine = Warehouse(house.path, warn=notes.append)
    mine.ingest(write_jsonl(tmp_path / "p.jsonl", said), benchmark="Own", model="m", refresh=False)
    (board,) = mine.leaderboard("Own")
    assert (board.lines[0].cells[0].score, notes) == (1, [])
    monkeypatch.setattr(session, "MOST_ATTACHED", 2)
    mine = Warehouse(house.path, warn=notes.append)
    for _ in range(2):
        assert mine.sql("SELECT count(*) FROM score").item() == 0
    (note,) = notes
    assert "figures of 1 run under field_v2 are of before" in note
    assert note.endswith("`evalhouse refresh --release field_v2` computes them")
    mine.refresh()
    assert mine.sql("SELECT score FROM score WHERE ability = 'Overall'").item() == 1


@pytest.mark.slow
def test_sums_are_those_over_question_result(busy: Path) -> None:
    """Retold in Python, for every strategy, judge and ability: question_result is the definition."""
    with duckdb.connect(str(busy), read_only=True) as con:
        levels = defaultdict(list)
        for question, subset, ability in con.execute(
            "SELECT question_id, subset, ability_id FROM field_v2_internal.subset_level"
        ).fetchall():
            levels[question].append((subset, ability))
        expected: dict[tuple[Any, ...], list[tuple[Any, ...]]] = defaultdict(list)
        for run, question, strategy, judge, *scores in con.execute(
            "SELECT run_id, question_id, strategy, judge, score_low, score_high, n_expected, n_missing, "
            "n_pending, n_fallback FROM latest.question_result WHERE n_expected > 0 AND counted"
        ).fetchall():
            for subset, ability in levels[question]:
                expected[run, strategy, judge, subset, ability].append(tuple(scores))
        found = con.execute("SELECT * FROM latest.ability_sum").fetchall()
    assert {row[:5] for row in found} == set(expected)
    for row in found:
        rows = expected[row[:5]]
        known = [r for r in rows if r[0] is not None]
        weights = [r[2] if row[1] == "vanilla_all" else 1 for r in known]
        whole = [r[2] if row[1] == "vanilla_all" else 1 for r in rows]
        values = [
            len(rows),
            sum(r[3] == 0 for r in rows),
            len(rows) - len(known),
            math.fsum(r[0] for r in known) if known else None,
            math.fsum(r[1] for r in known) if known else None,
            math.fsum(r[0] ** 2 for r in known) if known else None,
            sum(whole),
            math.fsum(r[0] * w for r, w in zip(known, weights, strict=True)) if known else None,
            math.fsum(r[1] * w for r, w in zip(known, weights, strict=True)) if known else None,
            sum(w for r, w in zip(rows, whole, strict=True) if r[3] == 0),
            math.fsum(r[0] * w for r, w in zip(known, weights, strict=True) if r[3] == 0),
            *(sum(r[n] for r in rows) for n in (4, 5, 3)),
        ]
        assert list(row[5:]) == [v if v is None else pytest.approx(v, abs=1e-12) for v in values], (
            row
        )


@pytest.mark.slow
def test_what_was_changed_by_hand_is_found_and_named(busy: Path) -> None:
    """The promise is the same at every size: no query looks for it, check and refresh --verify do."""
    with connection.open_for_writing(busy) as con:
        con.execute("UPDATE main.prediction SET text = 'B' WHERE run_id = 1")
        assert keeping.state(con, "field_v2").n_fresh == 4
        assert keeping.refresh(con, "field_v2").n_built == 0
        (named,) = keeping.changed_by_hand(con, "field_v2")
        assert named.startswith("run 1: ")
    said = run("evalhouse", "check", "--db", str(busy), cwd=busy.parent)
    assert said.code == 1
    assert f"  {named}\n" in said.out
    done = run("evalhouse", "refresh", "--verify", "--db", str(busy), cwd=busy.parent)
    assert done.out.startswith("field_v2: 1 run computed in ")
    assert f"  changed by hand: {named}\n" in done.out
    with connection.open_for_writing(busy) as con:
        assert keeping.changed_by_hand(con, "field_v2") == ()
        con.execute("UPDATE main.judgment SET reply = 'A' WHERE reply = 'B'")
        ((n_asking,),) = con.execute(
            "SELECT count(DISTINCT run_id) FROM field_v2_internal.judged_subject"
        ).fetchall()
        assert keeping.state(con, "field_v2").n_fresh == 4
        # A judgment more does not make those that were there true.
        con.execute(
            "INSERT INTO main.judgment (judgment_id, judge_id, subject_hash, judge_sample, attempt, "
            "source_id) SELECT max(judgment_id) + 1, 1, 'of nothing', 0, 0, 1 FROM main.judgment"
        )
        keeping.refresh(con, "field_v2")
        assert len(keeping.changed_by_hand(con, "field_v2")) == n_asking > 2
        kept = keeping.refresh(con, "field_v2", verify=True)
        assert len(kept.changed) == kept.n_built == n_asking
        assert keeping.changed_by_hand(con, "field_v2") == ()


@pytest.mark.slow
def test_renamed_and_attached_under_another_name_it_says_the_same(busy: Path) -> None:
    with duckdb.connect(str(busy), read_only=True) as con:
        expected = _rows(con, "latest")
    other = busy.rename(busy.with_name("moved.duckdb"))
    with duckdb.connect() as con:
        con.execute(f"ATTACH '{other}' AS elsewhere (READ_ONLY)")
        assert _rows(con, "elsewhere.latest") == expected


@pytest.mark.long
def test_the_commands(busy: Path) -> None:
    def evalhouse(*words: str) -> str:
        done = run("evalhouse", *words, "--db", str(busy), cwd=busy.parent)
        assert done.code == 0, done.err
        return done.out

    def kept() -> set[str]:
        return set(evalhouse("status").partition("Results: ")[2].strip().split("; "))

    assert {"field_v2 4 of 4 runs", "vlmevalkit_0_0_20 4 of 4 runs"} <= kept()
    board = evalhouse("leaderboard", "Own", "--judge", "eager")
    with duckdb.connect(str(busy)) as con:
        con.execute(_CHANGES["a run added"][0])
    assert "field_v2 4 of 5 runs" in kept()
    assert evalhouse("refresh").startswith("field_v2: 1 run computed in ")
    assert evalhouse("refresh", "--drop") == "latest: no results are left\n"
    assert {"field_v2 none", "vlmevalkit_0_0_20 4 of 5 runs"} <= kept()
    assert len(evalhouse("refresh", "--all").splitlines()) == len(kept())
    assert evalhouse("leaderboard", "Own", "--judge", "eager", "--runs", "all") != board
    assert (
        "results of field_v2: ok"
        in run("evalhouse", "check", "--db", str(busy), cwd=busy.parent).out
    )
    done = run("evalhouse", "refresh", "--db", "nowhere.duckdb", cwd=busy.parent)
    assert done.code != 0
    assert "nowhere.duckdb: no warehouse there" in done.err
