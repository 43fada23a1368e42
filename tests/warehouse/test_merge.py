"""Two warehouses become one: the same facts once, contradictions named, nothing half-merged."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from evalhouse import EvalhouseError, UsageError, Warehouse
from tests.commands import run
from tests.conftest import ROOT
from tests.houses import QuickHouse
from tests.oracle import Ask
from tests.tables import add_replies, facts, question_rows, register_judge, write_jsonl
from warehouse import judges, merge, migrate
from warehouse.check import run_checks
from warehouse.connection import transaction, with_logs
from warehouse.merge import MergeConflictError, Merged
from warehouse.merge_tables import LEFT, TABLES

_QUESTIONS = [
    Ask(str(n), {p: {"A": f"cat {n}", "B": f"dog {n}"} for p in (0, 1)}, {0: "A", 1: "B"})
    for n in range(1, 5)
]


def _merge(house: Warehouse, other: Warehouse, *, dry_run: bool = False) -> Merged:
    with house.writing(files=with_logs(other.path)) as con:
        return merge.merge(con, other.path, dry_run=dry_run)


def _sound(house: Warehouse) -> None:
    with house.reading() as con:
        wrong = {one.check: one.examples for one in run_checks(con) if one.n}
    assert not wrong


def _conflicts(house: Warehouse, other: Warehouse) -> list[str]:
    """The conflicts of a merge, which changes neither."""
    before, there = facts(house.path), facts(other.path)
    with pytest.raises(MergeConflictError, match="nothing is merged") as caught:
        _merge(house, other)
    assert facts(house.path) == before
    assert facts(other.path) == there
    return caught.value.conflicts


def _answers(model: str, text: str = "A", **more: object) -> list[dict[str, object]]:
    return [
        {"model": model, "question_key": q.key, "pass": p, "prediction": text} | more
        for q in _QUESTIONS
        for p in (0, 1)
    ]


def _own(house: Warehouse, folder: Path, change: dict[str, Any] | None = None) -> Warehouse:
    """The questions of the benchmark Own; `change` is to the row of question 2, pass 1."""
    rows = question_rows(_QUESTIONS)
    rows[3] = rows[3] | (change or {})
    house.ingest(write_jsonl(folder / f"{house.path.stem}-q.jsonl", rows), benchmark="Own")
    return house


def _say(house: Warehouse, folder: Path, rows: list[dict[str, object]], **flags: Any) -> None:
    path = write_jsonl(folder / f"{house.path.stem}-{len(list(folder.iterdir()))}.jsonl", rows)
    house.ingest(path, benchmark="Own", **({"run": "r"} | flags))


@pytest.fixture
def pair(make_house: Callable[[str], Warehouse], tmp_path: Path) -> tuple[Warehouse, Warehouse]:
    """Two warehouses that know the same questions."""
    return _own(make_house("here"), tmp_path), _own(make_house("there"), tmp_path)


def _boards(house: Warehouse) -> list[tuple[Any, ...]]:
    """What is scored, by names."""
    with house.reading() as con:
        con.execute("SET search_path = 'field_v2,main'")
        scores = con.execute(
            "SELECT model, run, dataset, strategy, judge, level, ability, average, n, score, "
            "score_low, score_high, n_missing, n_pending, n_fallback FROM ability_score ORDER BY ALL"
        ).fetchall()
        hashes = con.execute(
            "SELECT dataset, n_questions, n_passes, n_abilities, content_hash, answer_hash "
            "FROM dataset_summary ORDER BY ALL"
        ).fetchall()
        judged = con.execute(
            "SELECT j.name, m.name, r.label, d.name, g.subject_hash, g.labels, g.judge_sample, "
            "g.attempt, g.reply, g.error, g.log, s.path FROM main.judgment AS g "
            "JOIN main.judge AS j USING (judge_id) JOIN main.source AS s ON g.source_id = s.source_id "
            "LEFT JOIN main.run AS r USING (run_id) LEFT JOIN main.model AS m USING (model_id) "
            "LEFT JOIN main.dataset AS d USING (dataset_id)"
        ).fetchall()
    return [*scores, *hashes, *sorted(judged, key=str)]


@pytest.mark.long
def test_halves_of_a_folder_make_the_whole(
    make_house: Callable[[str], Warehouse], shared: Path
) -> None:
    """VLMEvalKit's examples, ingested apart and merged, score as if ingested in one warehouse."""
    kit = shared / "formats/vlmevalkit/examples"
    models = sorted(kit.glob("outputs/*"))
    one, other, whole = (make_house(name) for name in ("one", "other", "whole"))
    first, second = models[:5], models[3:]
    list(one.ingest_many(kit / "LMUData", *first))
    list(other.ingest_many(*second, kit / "LMUData"))
    list(whole.ingest_many(kit / "LMUData", *models))
    assert _boards(one) != _boards(whole) != _boards(other)
    merged = _merge(one, other)
    assert merged.counts["same_runs"] > 0
    assert merged.counts["new_runs"] > 0
    assert merged.notes == []
    _sound(one)
    assert _boards(one) == _boards(whole)
    # Sources are those of the whole, with their paths; runs lead to theirs.
    with one.reading() as con, whole.reading() as con_whole:
        for ask in (
            "SELECT DISTINCT path, sha256, format, n_rows FROM main.source ORDER BY ALL",
            "SELECT m.name, d.name, r.label, r.produced_at, s.path FROM main.run AS r JOIN main.source AS s "
            "USING (source_id) JOIN main.model AS m ON r.model_id = m.model_id "
            "JOIN main.dataset AS d ON r.dataset_id = d.dataset_id ORDER BY ALL",
        ):
            assert con.execute(ask).fetchall() == con_whole.execute(ask).fetchall()
    # The same again, the other way round, and its files once more change nothing.
    before = facts(one.path)
    again = _merge(one, other)
    assert {name: n for name, n in again.counts.items() if name.startswith("new_")} == {
        "new_runs": 0, "new_questions": 0, "new_datasets": 0, "new_judgments": 0, "new_sources": 0
    }  # fmt: skip
    assert facts(one.path) == before
    outcomes = list(one.ingest_many(kit / "LMUData", *models))
    assert all(o.left or (o.report and o.report.already) for o in outcomes)
    assert facts(one.path) == before


@pytest.mark.long
def test_into_an_empty_warehouse(
    pair: tuple[Warehouse, Warehouse], make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    _, there = pair
    _say(there, tmp_path, _answers("alpha") + _answers("beta", "B"))
    (tmp_path / "m.csv").write_text("name,aliases,family\nalpha,a;al,greek\n", "utf-8")
    (tmp_path / "s.json").write_text('["1", "3"]', "utf-8")
    there.ingest(tmp_path / "m.csv")
    there.ingest(tmp_path / "s.json", benchmark="Own", subset="odd")
    there.rename_run(2, label="better")
    judge = register_judge(there, "J")
    add_replies(there, judge, [(_QUESTIONS[0], 0, "A", "B")], asked_run_id=1)
    empty = make_house("empty")
    _merge(empty, there)
    _sound(empty)
    assert _boards(empty) == _boards(there)
    for table in ("model", "model_alias", "model_fact", "run_event", "run_sample", "dataset_subset",
                  "subset_question", "judge", "judge_sample", "prediction", "question"):  # fmt: skip
        assert facts(empty.path)[table] == facts(there.path)[table], table


@pytest.mark.slow
def test_dry_run_and_the_command(pair: tuple[Warehouse, Warehouse], tmp_path: Path) -> None:
    here, there = pair
    _say(here, tmp_path, _answers("alpha"))
    _say(there, tmp_path, _answers("alpha"))
    _say(there, tmp_path, _answers("beta"))
    before = facts(here.path)
    words = ("evalhouse", "merge", there.path, "--db", here.path)
    dry = run(*words, "--dry-run", cwd=tmp_path)
    assert dry.out.splitlines() == [
        "1 run, 1 there already",
        "0 questions (0 new datasets), 4 there already",
        "0 judgments, 0 there already",
        "2 sources",
        "dry run: nothing is stored",
    ]
    assert facts(here.path) == before
    assert run(*words, cwd=tmp_path).out.splitlines() == dry.out.splitlines()[:-1]
    assert [r["model"] for r in here.runs().to_dicts()] == ["beta", "alpha"]
    _say(here, tmp_path, _answers("gamma"))
    _say(there, tmp_path, _answers("gamma", "B"))
    failed = run(*words, cwd=tmp_path)
    assert (failed.code, failed.out) == (1, "")
    assert failed.err.splitlines() == [
        "conflict: run r of gamma on Own: has other content there (run 3 here, run 3 there); "
        "`evalhouse runs rename` gives one of them another label",
        f"error: {there.path}: 1 conflict; nothing is merged",
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"answer": "A"}, ["question 2 of Own: the answer of pass 1 is B here and A there"]),
        ({"A": "emu"}, ["question 2 of Own: pass 1 has other choices there"]),
        ({"A": "dog 2", "B": "cat 2"}, ["question 2 of Own: pass 1 has other choices there"]),
        ({"C": "emu"}, ["question 2 of Own: pass 1 has other choices there"]),
        ({"question_key": "3", "pass": 2, "C": "x"}, None),
    ],
)  # fmt: skip
def test_questions_that_contradict(
    make_house: Callable[[str], Warehouse], tmp_path: Path, change: dict[str, Any], words: list[str] | None
) -> None:  # fmt: skip
    here = _own(make_house("here"), tmp_path)
    if words is None:
        rows = [row for row in question_rows(_QUESTIONS) if (row["question_key"], row["pass"]) != ("2", 1)]  # fmt: skip
        there = make_house("there")
        there.ingest(write_jsonl(tmp_path / "t.jsonl", rows), benchmark="Own")
        words = ["question 2 of Own: pass 1 is not in the dataset, which is complete, there"]
    else:
        there = _own(make_house("there"), tmp_path, change)
    _say(there, tmp_path, _answers("alpha")[:2])
    assert _conflicts(here, there) == words


@pytest.mark.parametrize("where", ["here", "there"])
def test_a_warehouse_that_is_none_of_its_own(
    make_house: Callable[[str], Warehouse], tmp_path: Path, where: str
) -> None:
    """Without an identity nobody can say whether what one paid for the other did."""
    houses = {name: _own(make_house(name), tmp_path) for name in ("here", "there")}
    with houses[where].writing() as con:
        con.execute("DELETE FROM main.warehouse_identity")
    before = facts(houses["here"].path)
    words = re.escape(
        f"{houses[where].path}: has 0 rows in main.warehouse_identity in place of one"
    )
    with pytest.raises(EvalhouseError, match=words):
        houses["here"].merge(houses["there"].path)
    assert facts(houses["here"].path) == before


@pytest.mark.slow
def test_texts_that_differ(make_house: Callable[[str], Warehouse], tmp_path: Path) -> None:
    rows = question_rows(_QUESTIONS)
    here = _own(make_house("here"), tmp_path)
    for changed, conflicts in (
        (" q 2_x000D_", None),
        ("Q two", ["question 2 of Own: has another text there"]),
    ):
        there = make_house(f"there-{conflicts is None}")
        changed_rows = [r | {"question": changed} if r["question_key"] == "2" else r for r in rows]
        there.ingest(write_jsonl(tmp_path / "t.jsonl", changed_rows), benchmark="Own")
        if conflicts is None:
            assert _merge(here, there).notes == [
                "spelled otherwise there, and those here hold: 1 question text"
            ]
        else:
            assert _conflicts(here, there) == conflicts


@pytest.mark.slow
def test_what_one_knows_better(make_house: Callable[[str], Warehouse], tmp_path: Path) -> None:
    """Hidden answers, abilities and attributes that the other one knows come over."""
    rows = question_rows(_QUESTIONS)
    here, there = make_house("here"), make_house("there")
    hidden = [{k: v for k, v in row.items() if k != "answer"} for row in rows]
    here.ingest(write_jsonl(tmp_path / "h.jsonl", hidden), benchmark="Own")
    more = [row | {"ability_topic": "odd", "source": "web"} for row in rows]
    there.ingest(write_jsonl(tmp_path / "t.jsonl", more), benchmark="Own")
    _say(here, tmp_path, _answers("alpha"))
    _say(there, tmp_path, _answers("alpha"))
    _merge(here, there)
    _sound(here)
    assert _boards(here) == _boards(there)
    assert here.sql("SELECT DISTINCT name, value FROM main.question_attribute").rows() == [
        ("source", "web")
    ]


@pytest.mark.slow
def test_questions_known_by_id_alone(
    make_house: Callable[[str], Warehouse], shared: Path, tmp_path: Path
) -> None:
    """SEED-Bench's results state ids and answers; a warehouse with the texts completes them, and the reverse."""
    lines = [f'{{"question_id": "{n}", "prediction": "A", "gt_answer": "B"}}\n' for n in (101669, 101670)]  # fmt: skip
    results = tmp_path / "SEED-Bench.m.jsonl"
    results.write_text("".join(lines), "utf-8")
    changed_rows = [
        {"question_key": str(n), "question": f"Q {n}", "A": "cat", "B": "dog", "C": "emu", "D": "ape", "answer": "B"}
        for n in (101669, 101670)
    ]  # fmt: skip
    bare, full = make_house("bare"), make_house("full")
    bare.ingest(results, benchmark="SEED-Bench", model="m")
    full.ingest(write_jsonl(tmp_path / "q.jsonl", changed_rows), benchmark="SEED-Bench")
    copy = QuickHouse(shutil.copy(full.path, tmp_path / "copy.duckdb"))
    _merge(copy, bare)
    _merge(bare, full)
    for house in (bare, copy):
        _sound(house)
        assert house.sql("SELECT DISTINCT text FROM main.question ORDER BY 1")[
            "text"
        ].to_list() == ["Q 101669", "Q 101670"]
        assert house.sql("SELECT DISTINCT text FROM main.choice ORDER BY 1")["text"].to_list() == [
            "ape",
            "cat",
            "dog",
            "emu",
        ]
        assert house.runs().height == 1


@pytest.mark.slow
def test_models_by_any_of_their_names(pair: tuple[Warehouse, Warehouse], tmp_path: Path) -> None:
    here, there = pair
    _say(here, tmp_path, _answers("alpha-1"))
    _say(there, tmp_path, _answers("alpha"))
    _say(there, tmp_path, _answers("beta"))
    (tmp_path / "m.csv").write_text("name,aliases\nalpha,alpha-1\n", "utf-8")
    there.ingest(tmp_path / "m.csv")
    merged = _merge(here, there)
    assert merged.counts["same_runs"] == 1
    _sound(here)
    names = here.sql("SELECT name FROM main.model ORDER BY 1")["name"].to_list()
    assert names == ["alpha-1", "beta"]
    assert here.sql("SELECT alias FROM main.model_alias ORDER BY 1")["alias"].to_list() == [
        "alpha",
        "alpha-1",
    ]


@pytest.mark.slow
def test_models_that_are_one_there_and_two_here(
    pair: tuple[Warehouse, Warehouse], tmp_path: Path
) -> None:
    here, there = pair
    _say(here, tmp_path, _answers("alpha") + _answers("alpha-1", "B"))
    _say(there, tmp_path, _answers("alpha"))
    (tmp_path / "m.csv").write_text("name,aliases\nalpha,alpha-1\n", "utf-8")
    there.ingest(tmp_path / "m.csv")
    assert _conflicts(here, there) == ["model alpha: by its names it is several models here"]
    # The reverse: two models' runs of one label would be one run's.
    conflicts = _conflicts(there, here)
    assert "run r of alpha: there are several of it there, of models that are one here" in conflicts


@pytest.mark.slow
def test_runs_that_were_taken_out(pair: tuple[Warehouse, Warehouse], tmp_path: Path) -> None:
    here, there = pair
    for house in pair:
        _say(house, tmp_path, _answers("alpha"))
    here.retract_run(1)
    _say(there, tmp_path, _answers("beta"))
    _say(there, tmp_path, _answers("beta", "B"), replace=True)
    merged = _merge(here, there)
    assert merged.notes == ["run r of alpha on Own: is there already, and out of the views here"]
    _sound(here)
    states = here.sql(
        "SELECT m.name, superseded_by IS NULL, retracted_at IS NULL FROM main.run JOIN main.model AS m "
        "USING (model_id) ORDER BY run_id"
    )
    assert states.rows() == [("alpha", True, False), ("beta", False, True), ("beta", True, True)]
    # What superseded it is the other run's source.
    ids = here.sql("SELECT superseded_by, source_id FROM main.run ORDER BY run_id").rows()
    assert ids[1][0] == ids[2][1]


@pytest.mark.long
def test_judges_and_what_they_said(pair: tuple[Warehouse, Warehouse], tmp_path: Path) -> None:
    here, there = pair
    for house in pair:
        _say(house, tmp_path, _answers("alpha", "hm"))
    with there.writing() as con:
        # The tests' warehouses are copies of one file, and these are not.
        con.execute("UPDATE main.warehouse_identity SET warehouse_uuid = 'another'")
    here_j, there_j = (register_judge(house, "J") for house in pair)

    def call(house: Warehouse, judge: int, number: int, reply: str) -> None:
        judged = [(_QUESTIONS[number], 0, "hm", reply)]
        add_replies(house, judge, judged, origin="call", cost_usd=1.0, request_key=f"key {number}")

    for number in (0, 1, 2):
        call(here, here_j, number, "B")
    # The same call said the same, said otherwise, and was made there alone.
    for number, reply in ((1, "B"), (0, "A"), (3, "B")):
        call(there, there_j, number, reply)
    counts = _merge(here, there).counts
    assert (counts["new_judgments"], counts["same_judgments"]) == (1, 2)
    _sound(here)
    paid = here.sql("SELECT origin, count(*) FROM main.judgment GROUP BY 1 ORDER BY 1").rows()
    assert paid == [("cache", 1), ("call", 3)]
    first = here.sql(
        "SELECT predicted FROM pass_result WHERE judge = 'J' AND question_key = '1' AND pass = 0"
    )
    assert first.item() == "B"
    # A copy of this very file paid with the same money.
    copy = QuickHouse(shutil.copy(here.path, tmp_path / "copy.duckdb"))
    add_replies(copy, here_j, [(_QUESTIONS[3], 1, "hm", "A")], origin="call", cost_usd=1.0)
    _merge(here, copy)
    assert here.sql("SELECT count(*) FROM main.judgment WHERE origin = 'call'").item() == 4


@pytest.mark.slow
def test_judges_and_verdicts_that_contradict(
    pair: tuple[Warehouse, Warehouse], tmp_path: Path
) -> None:
    here, there = pair
    for house, verdict in zip(pair, "AB", strict=True):
        _say(house, tmp_path, _answers("alpha", "hm"))
        path = tmp_path / f"{verdict}.csv"
        path.write_text(f"question_key,verdict\n1,{verdict}\n2,A\n", "utf-8")
        house.ingest(path, benchmark="Own", model="alpha", judge="Ann")
    assert _conflicts(here, there) == [
        "judge Ann: says otherwise there of 1 answers of run r of alpha on Own"
    ]
    with there.writing() as con:
        judges.rename(con, "Ann", "Bob")
    # The same person by another name is the same judge; another kind of judge is not.
    assert len(_conflicts(here, there)) == 1
    with there.writing() as con, transaction(con):
        con.execute("DELETE FROM main.judgment")
        con.execute("UPDATE main.judge SET name = 'Ann', kind = 'llm', fingerprint = 'x'")
    assert _conflicts(here, there) == [
        "judge Ann: is another one there; `evalhouse judges rename` gives one of them another name"
    ]


@pytest.mark.slow
def test_subsets_and_benchmarks_that_contradict(
    pair: tuple[Warehouse, Warehouse], make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    here, there = pair
    for house, ids in zip(pair, ('["1"]', '["2"]'), strict=True):
        (tmp_path / "s.json").write_text(ids, "utf-8")
        house.ingest(tmp_path / "s.json", benchmark="Own", subset="few")
    assert _conflicts(here, there) == ["subset few of Own: holds other questions there"]
    words = make_house("words")
    rows = [{"question_key": "1", "question": "Q 1", "reference": "cat"}]
    words.ingest(write_jsonl(tmp_path / "w.jsonl", rows), benchmark="Own")
    assert _conflicts(here, words)[0] == (
        "benchmark Own: its questions are of the kind choice here and open there"
    )


@pytest.mark.slow
def test_what_is_no_other_warehouse(house: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n", "utf-8")
    with duckdb.connect(str(tmp_path / "plain.duckdb")) as con:
        con.execute("CREATE TABLE t (x INTEGER)")
    old = tmp_path / "old.duckdb"
    shutil.copy(house.path, old)
    with duckdb.connect(str(old)) as con:
        con.execute("UPDATE main.schema_version SET version = 1")
    before = facts(house.path)
    for name, words in {
        "none.duckdb": "no such file",
        "x.csv": "x.csv",
        "plain.duckdb": "not a warehouse of evalhouse",
        "old.duckdb": "has schema version 1",
        "warehouse.duckdb": "is the warehouse itself",
    }.items():
        done = run("evalhouse", "merge", name, "--db", "warehouse.duckdb", cwd=tmp_path)
        assert done.code in (1, 2), name
        assert done.err.startswith("error: "), done.err
        assert words in done.err
    with pytest.raises(UsageError, match="is the warehouse itself"):
        _merge(house, house)
    assert facts(house.path) == before


@pytest.mark.slow
def test_a_killed_merge_left_nothing(pair: tuple[Warehouse, Warehouse], tmp_path: Path) -> None:
    here, there = pair
    rows = [row for n in range(2000) for row in _answers(f"m{n}")]
    _say(there, tmp_path, rows)
    before = facts(here.path)
    script = (
        "import sys, warehouse.merge as m\nfrom pathlib import Path\nfrom evalhouse import Warehouse\n"
        "from warehouse.connection import with_logs\n"
        "sql = m.insert_sql\n"
        "def slow(name, *rest, **more):\n"
        "    if name == 'judge': print('now', flush=True); sys.stdin.read()\n"
        "    return sql(name, *rest, **more)\n"
        "m.insert_sql = slow\n"
        f"there = Path({str(there.path)!r})\n"
        f"with Warehouse({str(here.path)!r}).writing(files=with_logs(there)) as con: m.merge(con, there)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == "now\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdin.close()
    process.stdout.close()
    assert facts(here.path) == before
    assert _merge(here, there).counts["new_runs"] == 2000
    _sound(here)


def test_every_table_is_merged_or_left(house: Warehouse) -> None:
    """A migration that adds a table has to say how its rows are merged."""
    with house.reading() as con:
        names = {
            name
            for (name,) in con.execute(
                "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'main'"
            ).fetchall()
        }
    assert names == set(TABLES) | LEFT
    assert migrate.available()
