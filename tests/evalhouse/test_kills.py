"""Every command that writes, killed at moments of all kinds: what it leaves is what was, or what is to be."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import duckdb
import pytest

from evalhouse import Warehouse
from evalhouse.cli_ingest import ingest_each
from evalhouse.demo import build as demo
from evalhouse.demo import replay
from ingest.settings import Settings
from tests import made
from tests.commands import run
from tests.judge_server import completion
from tests.killing import SHARE, Case, content_of, kill_often, look_at, reset
from tests.tables import write_jsonl
from warehouse import connection, judges, migrate, sources

pytestmark = pytest.mark.kills

_N_QUESTIONS = 200
_W = "warehouse.duckdb"
_RELEASES = ("paper_v1", "vlmevalkit_0_0_20")
"""Installed next to the default one."""
"""A schema of before there were kept results."""


def _stock(folder: Path, new_file: Path) -> None:
    """Fill a folder with a warehouse whose results are kept, and with what the commands want."""
    shutil.copy(new_file, folder / _W)
    house = Warehouse(folder / _W)
    for release in _RELEASES:
        house.install_release(release)
    keys = {question.key for question in replay.questions()[:_N_QUESTIONS]}
    table = replay.question_table()
    table.filter((table["index"] % 1_000_000).cast(str).is_in(keys)).write_csv(
        folder / "MMBench_DEV.tsv", separator="\t"
    )
    said: dict[str, list[replay.Answer]] = {}
    for answer in replay.answers():
        if answer.question.key in keys:
            said.setdefault(answer.model, []).append(answer)
    models = list(said)

    def answers(name: str, model: str) -> Path:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        replay.prediction_table(said[model]).write_csv(path)
        return path

    vet = {
        f"v1_{n}": {"question": f"Q {n}", "answer": "yes", "capability": ["ocr"]} for n in range(40)
    }
    grade = {"model": ["gpt-4"], "content": ["0.5"], "score": [0.5]}
    of_vet = {
        "mm-vet.json": vet,
        "vlm.json": {key: f"so {key}" for key in vet},
        "vlm_gpt-4-grade-1runs.json": dict.fromkeys(vet, grade),
    }
    for name, content in of_vet.items():
        (folder / name).write_text(json.dumps(content), "utf-8")
    seed = [
        {"question_key": str(n), "question": f"S {n}", "A": "a cat", "B": "a dog", "answer": "A"}
        for n in range(40)
    ]
    seed_said = [{"model": "vlm", "question_key": str(n), "prediction": "A"} for n in range(40)]
    house.ingest(folder / "MMBench_DEV.tsv")
    first = [answers(f"first/{n}.csv", model) for n, model in enumerate(models[:3])]
    house.ingest(*first, benchmark="MMBench", run="first")
    house.ingest(*(folder / name for name in of_vet))
    house.ingest(write_jsonl(folder / "seed.jsonl", seed), benchmark="SEED-Bench")
    house.ingest(write_jsonl(folder / "seed_said.jsonl", seed_said), benchmark="SEED-Bench")
    _judge(house, "eager", [*said[models[0]], *said[models[1]]])
    shutil.copy(house.path, folder / "other.duckdb")
    other = Warehouse(folder / "other.duckdb")
    other.ingest(answers("other.csv", models[8]), benchmark="MMBench")
    _judge(other, "second", said[models[8]])
    for release in _RELEASES:
        house.refresh(release=release)
    shutil.copy(house.path, folder / "stale.duckdb")
    stale = Warehouse(folder / "stale.duckdb")
    stale.ingest(answers("stale.csv", models[9]), benchmark="MMBench", refresh=False)
    _judge(stale, "third", said[models[9]])
    done = run("evalhouse", "export", "--parquet", "exported", cwd=folder)
    assert done.code == 0, done
    _make_bare(folder / "bare.duckdb", house.path)
    answers("new.csv", models[3])
    said["changed"] = [replace(answer, model=models[0]) for answer in said[models[7]]]
    answers("changed.csv", "changed")
    for n, model in enumerate(models[4:8]):
        answers(f"runs/{n}.csv", model)
    for name in (
        "out/board.xlsx",
        "out/found.json",
        "out/table.csv",
        "out/rows.csv",
        "replies.jsonl",
    ):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("what was here before\n", "utf-8")
    (folder / "room").mkdir()
    macros = folder / "mine/macros"
    macros.mkdir(parents=True)
    (folder / "mine/release.toml").write_text('description = "Mine."\nbuilds_on = "paper_v1"\n')
    (macros / "is_failed.sql").write_text(
        "-- None.\nCREATE MACRO is_failed(failed_flag) AS FALSE\n"
    )


def _judge(house: Warehouse, name: str, said: Sequence[replay.Answer]) -> None:
    """Give a warehouse a judge and what he said of these answers."""
    rows = [
        judges.Judgment(row["subject_hash"], row["reply"], labels=tuple(row["labels"]))  # type: ignore[arg-type]
        for row in replay.judgment_rows(list(said))
    ]
    with house.writing() as con, connection.transaction(con):
        source_id = sources.add(con, sources.Source("test", name, 0, "test", 1, {}, len(rows)))
        judge = judges.Judge(name, "choice_extraction", "import")
        judge_id = judges.register(con, judge, source_id=source_id)
        judges.store(con, judge_id, rows, source_id=source_id)


def _make_bare(path: Path, newer: Path) -> None:
    """A warehouse with the facts of another and no release."""
    connection.open_for_writing(path).close()
    with duckdb.connect(str(path)) as con:
        con.execute(f"ATTACH '{newer}' AS newer (READ_ONLY)")
        for table in sorted(
            migrate.table_names() - {"schema_version", "release", "release_object"}
        ):
            con.execute(f"DELETE FROM main.{table}")
            con.execute(f"INSERT INTO main.{table} FROM newer.main.{table}")


@pytest.fixture(scope="session")
def base(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that each command starts in, with a warehouse whose results are kept."""

    def make(folder: Path) -> None:
        _stock(folder, new_file)
        _batch(folder)

    return made.once(tmp_path_factory, "killed", make)


def _batch(folder: Path) -> None:
    """What `judge import-batch`, `cache merge` and `cache export` want."""
    batch = ("judge", "export-batch", "batch.jsonl", "--model", "j", "--task", "choice_extraction")
    batch = (*batch, "--db", "batch.duckdb")
    shutil.copy(folder / _W, folder / "batch.duckdb")
    done = run("evalhouse", *batch, cwd=folder)
    assert done.code == 0, done
    lines = [json.loads(line) for line in (folder / "batch.jsonl").open(encoding="utf-8")]
    replied = [
        {"id": "b", "custom_id": line["custom_id"], "error": None, "response": {
            "status_code": 200, "request_id": "r", "body": completion(line["body"], "B")}}
        for line in lines
    ]  # fmt: skip
    write_jsonl(folder / "batch.out.jsonl", replied)
    shutil.copytree(folder / "batch.duckdb.judge-cache", folder / "paid.judge-cache")
    shutil.copy(folder / _W, folder / "paid.duckdb")
    done = run(
        "evalhouse",
        "judge",
        "import-batch",
        "batch.out.jsonl",
        "--db",
        "paid.duckdb",
        "--cache",
        "paid.judge-cache",
        cwd=folder,
    )
    assert done.code == 0, done
    (folder / "paid.duckdb").unlink()


def _folder_stages(base: Path, folder: Path) -> frozenset[tuple[str, str]]:
    """The facts after each file of a folder."""
    reset(base, folder, _RUNS)
    house, found = Warehouse(folder / _W), set()
    for n in range(1, 4):
        shutil.copy(base / _W, house.path)
        files = ingest_each(house, [Path("runs")], Settings(benchmark="MMBench"))
        with contextlib.chdir(folder):
            assert len(list(islice(files, n))) == n
            files.close()
        found.add((_W, content_of(house.path).facts))
    return frozenset(found)


_DEMO: dict[str, dict[str, str]] = {
    "MMBench_replayed_DEV.tsv": {},
    "MMBench_replayed.csv": {"run": "replayed"},
    "MMBench_replayed_scores.csv": {"run": "replayed", "method": "perplexity"},
}
"""What the demo ingests."""


def _demo_stages(base: Path, folder: Path) -> frozenset[tuple[str, str]]:
    """The facts of the demo's warehouse as one step after the other is done."""
    folder.mkdir()
    with contextlib.chdir(folder):
        demo.build(Path("demo"))
        house, found = Warehouse(Path("demo/again.duckdb")), []
        with house.writing():
            pass
        found.append(content_of(house.path).facts)
        for name, choices in _DEMO.items():
            house.ingest(Path("demo") / name, **choices)
            found.append(content_of(house.path).facts)
        demo.store_judgments(house, Path("demo/judgments.jsonl"))
        assert content_of(house.path).facts == content_of(Path("demo/demo.duckdb")).facts
    return frozenset(("demo/demo.duckdb", one) for one in found)


def _refresh_stages(base: Path, folder: Path) -> frozenset[tuple[str, str]]:
    """What is kept after each release."""
    reset(base, folder, ["stale.duckdb", "--db"])
    house, found = Warehouse(folder / "stale.duckdb"), set()
    for kept in house.kept():
        house.refresh(release=kept.release)
        found.add((house.path.name, content_of(house.path).all))
    return frozenset(found)


_OWN = ("--benchmark", "MMBench")
_ONE = Case(("evalhouse", "ingest", "new.csv", *_OWN))
_RUNS = ("evalhouse", "ingest", "runs", *_OWN)
# Where everything is compared, the refresh is left out: it is a transaction of its own, and a case.
_CASES: dict[str, Case] = {
    "ingest a file": _ONE,
    "ingest a folder": Case(_RUNS),
    "ingest a folder --strict": Case((*_RUNS, "--strict"), kills=6),
    "ingest --replace": Case(("ingest", "changed.csv", *_OWN, "--run", "first", "--replace")),
    "ingest into a new file": Case(("ingest", "MMBench_DEV.tsv", "--db", "new.duckdb")),
    "refresh": Case(("evalhouse", "refresh", "--db", "stale.duckdb"), everything=True),
    "refresh --all": Case(
        ("evalhouse", "refresh", "--all", "--db", "stale.duckdb"), everything=True
    ),
    "refresh --drop": Case(("evalhouse", "refresh", "--drop"), everything=True),
    "merge": Case(("evalhouse", "merge", "other.duckdb")),
    "migrate": Case(
        ("evalhouse", "migrate", "--no-refresh", "--db", "bare.duckdb"), everything=True
    ),
    "runs retract": Case(("evalhouse", "runs", "retract", "1"), again=frozenset({0, 2})),
    "runs rename": Case(("evalhouse", "runs", "rename", "1", "--label", "l", "--model", "m")),
    "judges retract": Case(("evalhouse", "judges", "retract", "eager"), again=frozenset({0, 2})),
    "judges rename": Case(("evalhouse", "judges", "rename", "eager", "keen"), again=frozenset({2})),
    "subsets add": Case(
        ("evalhouse", "subsets", "add", "vlm_set", "--benchmark", "MM-Vet", "--answered-by", "vlm")
    ),
    "releases install": Case(
        ("evalhouse", "releases", "install", "--no-refresh", "mine"), everything=True
    ),
    "judge export-batch": Case(
        remedy=("evalhouse", "judge", "drop-batch", "out.jsonl"),
        words=(
            "evalhouse",
            "judge",
            "export-batch",
            "out.jsonl",
            "--model",
            "other",
            "--task",
            "soft_score",
        ),
        again=frozenset({2}),
    ),
    "judge import-batch": Case(
        ("evalhouse", "judge", "import-batch", "batch.out.jsonl", "--db", "batch.duckdb")
    ),
    "cache merge": Case(("evalhouse", "cache", "merge", "paid.judge-cache"), kills=6),
    "cache export": Case(
        ("evalhouse", "cache", "export", "replies.jsonl", "--cache", "paid.judge-cache"), kills=6
    ),
    "import": Case(
        ("evalhouse", "import", "exported", "--db", "new.duckdb"), kills=6, again=frozenset({2})
    ),
    "demo": Case(("evalhouse", "demo", "demo"), kills=6),
    "export --parquet": Case(
        ("evalhouse", "export", "--parquet", "whole"),
        kept_whole=True,
        kills=6,
        again=frozenset({2}),
    ),
    "export --parquet into an empty folder": Case(
        ("evalhouse", "export", "--parquet", "room"), kept_whole=True, kills=6, again=frozenset({2})
    ),
    "export bundle": Case(
        (
            "evalhouse",
            "export",
            "bundle",
            "whole",
            "MMBench",
            "--level",
            "overall",
            "--judge",
            "eager",
        ),
        kept_whole=True,
        kills=6,
        again=frozenset({2}),
    ),
    "export vlmevalkit": Case(
        ("evalhouse", "export", "vlmevalkit", "1", "-o", "out", "--overwrite"), kills=6
    ),
    "export mmbench-submission": Case(
        ("evalhouse", "export", "mmbench-submission", "1", "-o", "out", "--overwrite"), kills=6
    ),
    "export seedbench-submission": Case(
        ("evalhouse", "export", "seedbench-submission", "5", "-o", "out", "--overwrite"), kills=6
    ),
    "export mmvet": Case(("evalhouse", "export", "mmvet", "-o", "out", "--overwrite"), kills=6),
    "export eee": Case(("evalhouse", "export", "eee", "1", "--out", "out", "--overwrite"), kills=6),
    "leaderboard -o": Case(
        ("evalhouse", "leaderboard", "MMBench", "--format", "xlsx", "-o", "out/board.xlsx"), kills=6
    ),
    "compare -o": Case(
        (
            "evalhouse",
            "compare",
            "OpenFlamingo",
            "OpenFlamingo v2",
            "--format",
            "json",
            "-o",
            "out/found.json",
        ),
        kills=6,
    ),
    "paper-table -o": Case(
        ("evalhouse", "paper-table", "mmbench_t4", "--format", "csv", "-o", "out/table.csv"),
        kills=6,
    ),
    "sql -o": Case(
        (
            "evalhouse",
            "sql",
            "SELECT * FROM main.prediction ORDER BY ALL",
            "--format",
            "csv",
            "-o",
            "out/rows.csv",
        ),
        kills=6,
    ),
}
_STAGES: dict[str, Callable[[Path, Path], frozenset[tuple[str, str]]]] = {
    "ingest a folder": _folder_stages,
    "refresh --all": _refresh_stages,
    "demo": _demo_stages,
}


@pytest.mark.parametrize("name", _CASES, ids=lambda name: name.replace(" ", "_"))
def test_killed_at_any_moment(
    base: Path,
    new_file: Path,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
    name: str,
) -> None:
    case, folder = _CASES[name], tmp_path / "work"
    if name in _STAGES:
        case = replace(case, stages=_STAGES[name](base, folder))
    elif name == "ingest into a new file":
        case = replace(case, stages=frozenset({("new.duckdb", content_of(new_file).facts)}))
    found = kill_often(case, base, folder, sum(name.encode()), lambda path: look_at(path, tmp_path))
    record_property("kills", {"command": name} | found)
    if SHARE >= 1 and case.kills >= 10:
        # The kills hit where it matters: not all of them before anything was written, nor all after. Of
        # fewer kills chance may let all fall on one side.
        assert sum(found[where] > 0 for where in ("before", "between", "after")) > 1, found
