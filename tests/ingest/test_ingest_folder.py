"""A folder in one command: a thousand files with a bad one, order, --strict and --dry-run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evalhouse import InputError, UsageError, Warehouse
from evalhouse.cli_ingest import ingest_all_or_nothing, rehearse
from ingest.adapter import Place
from ingest.formats import ADAPTERS
from ingest.many import Outcome
from ingest.settings import Settings
from tests import held
from tests.commands import run
from tests.conftest import ROOT
from tests.houses import QuickHouse
from tests.oracle import Ask
from tests.tables import facts, question_rows, write_jsonl

_QUESTIONS = [Ask(str(n), {0: {"A": f"cat {n}", "B": f"dog {n}"}}, {0: "A"}) for n in range(1, 4)]
_N = 1000


def _answers(path: Path, model: str, *, key: str = "1") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"model,question_key,prediction\n{model},{key},A\n{model},2,B\n", "utf-8")
    return path


def _settings(**more: Any) -> Settings:
    return Settings(**{"benchmark": "Own", **more})


def _outcomes(outcomes: list[Outcome]) -> list[tuple[str, object]]:
    """Each file's name with its report's lines or its error."""
    return [
        (one.file.path.name, one.report.lines() if one.report else one.left or str(one.error))
        for one in outcomes
    ]


def _unchanged(house: Warehouse) -> tuple[object, ...]:
    """Everything about the file that a look may not change, and the files next to it."""
    held.close()
    stat = house.path.stat()
    siblings = sorted(path.name for path in house.path.parent.glob("*duckdb*"))
    hidden = sorted(path.name for path in house.path.parent.glob(".*duckdb*"))
    return stat.st_ino, stat.st_mtime_ns, house.path.read_bytes(), siblings, hidden


@pytest.fixture
def own(house: Warehouse, tmp_path: Path) -> Warehouse:
    """A warehouse that knows the questions of the benchmark Own."""
    house.ingest(write_jsonl(tmp_path / "own.jsonl", question_rows(_QUESTIONS)), benchmark="Own")
    return house


@pytest.mark.long
def test_a_thousand_files_and_a_bad_one(own: Warehouse, tmp_path: Path) -> None:
    for n in range(_N):
        _answers(tmp_path / f"runs/{n // 100}/{n:04d}.csv", f"m{n}")
    _answers(tmp_path / "runs/5/0512.csv", "m512", key="99")
    (tmp_path / "runs/m_Own_acc.csv").write_text("split,Overall\nnone,0.5\n")
    words = ("ingest", "runs", "--benchmark", "Own")
    done = run(*words, cwd=tmp_path)
    assert done.code == 1
    assert [line.split() for line in done.out.splitlines()[2:3]] == [
        ["long", "predictions", "Own", "999", "models", "999", "999", "1998"]
    ]
    assert done.out.splitlines()[3:] == [
        "left: runs/m_Own_acc.csv: VLMEvalKit's figures, of no model and dataset that the name and "
        "the files next to it say",
        "1,001 files: 999 loaded (1,998 rows), 0 there already, 1 left, 1 failed",
    ]
    assert (
        done.err
        == "failed: runs/5/0512.csv, row 1, field question_key: the dataset has no question 99\n"
    )
    assert own.sql("SELECT count(*), count(DISTINCT run_id) FROM main.prediction").row(0) == (1998, 999)  # fmt: skip
    # Mended, the same command reads that file alone.
    _answers(tmp_path / "runs/5/0512.csv", "m512")
    again = run(*words, cwd=tmp_path)
    assert (again.code, again.err) == (0, "")
    assert (
        again.out.splitlines()[-1]
        == "1,001 files: 1 loaded (2 rows), 999 there already, 1 left, 0 failed"
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files whose names say the wrong order, of all kinds, one of them bad."""
    runs = tmp_path / "runs"
    runs.mkdir()
    (runs / "0-grades.csv").write_text("question_key,verdict,model,judge\n1,A,alpha,Ann\n", "utf-8")
    (runs / "1-few.json").write_text('["1", "2"]', "utf-8")
    _answers(runs / "2-said.csv", "a")
    _answers(runs / "3-bad.csv", "beta", key="99")
    (runs / "4-status.md").write_text("nothing of note\n", "utf-8")
    write_jsonl(runs / "8-own.jsonl", question_rows(_QUESTIONS))
    (runs / "9-models.csv").write_text("name,aliases\nalpha,a\n", "utf-8")
    return runs


def test_order_is_by_what_files_are(house: Warehouse, folder: Path) -> None:
    (folder / "3-bad.csv").unlink()
    (folder / "4-status.md").unlink()
    outcomes = list(house.ingest_many(folder, benchmark="Own"))
    assert [one.file.path.name for one in outcomes] == [
        "9-models.csv", "8-own.jsonl", "2-said.csv", "0-grades.csv", "1-few.json"
    ]  # fmt: skip
    assert not [one.error for one in outcomes if one.error]
    assert house.runs()["model"].to_list() == ["alpha"]
    # Files that are named are read in their order, and folders where they stand.
    with pytest.raises(InputError, match="there is no dataset 'Other'"):
        list(house.ingest_many(folder / "0-grades.csv", folder, benchmark="Other"))


def test_every_format_of_questions_is_read_before_answers() -> None:
    for adapter in ADAPTERS:
        if adapter.name.endswith("_questions") or adapter.name == "questions":
            assert adapter.place is Place.QUESTIONS, adapter.name


@pytest.mark.slow
def test_strict_loads_all_or_nothing(
    house: Warehouse, make_house: Callable[[str], Warehouse], folder: Path, tmp_path: Path
) -> None:
    before = facts(house.path)
    words = ("ingest", folder, "--benchmark", "Own", "--db", house.path)
    done = run(*words, "--strict", cwd=tmp_path)
    assert done.code == 1
    assert done.out.splitlines()[-2:] == [
        "7 files: 5 loaded (9 rows), 0 there already, 1 left, 1 failed",
        "--strict: nothing is stored",
    ]
    assert [line.split(": ")[0] for line in done.err.splitlines()] == ["failed"]
    assert "3-bad.csv, row 1, field question_key" in done.err
    assert facts(house.path) == before
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    (folder / "3-bad.csv").unlink()
    good = run(*words, "--strict", cwd=tmp_path)
    assert (good.code, good.err) == (0, "")
    assert house.runs().height == 1
    # The same as without it, but for the time.
    other = make_house("other")
    list(other.ingest_many(folder, benchmark="Own"))
    for table in ("question", "run", "prediction", "judge", "dataset_subset", "model_alias"):
        assert facts(house.path)[table] == facts(other.path)[table]
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    again = run(*words, "--strict", cwd=tmp_path)
    assert again.out.splitlines()[-1] == "6 files: 0 loaded (0 rows), 5 there already, 1 left, 0 failed"  # fmt: skip


def test_strict_with_a_named_file(own: Warehouse, tmp_path: Path) -> None:
    good, bad = _answers(tmp_path / "a.csv", "a"), _answers(tmp_path / "b.csv", "b", key="99")
    before = facts(own.path)
    with pytest.raises(InputError, match="no question 99"):
        list(ingest_all_or_nothing(own, [good, bad], _settings()))
    assert facts(own.path) == before
    assert not own.runs().height


def test_strict_keeps_others_out_and_the_lock_until_the_end(own: Warehouse, folder: Path) -> None:
    """While the copy is worked on, nobody else writes what the copy would then overwrite."""
    seen: list[int] = []
    script = f"import duckdb; duckdb.connect({str(own.path)!r})"

    def look(text: str) -> None:
        if "storing" in text and not seen:
            done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
            seen.append(done.returncode)
            assert "lock" in done.stderr

    list(ingest_all_or_nothing(own, [folder / "2-said.csv"], _settings(), step=look))
    assert seen == [1]
    assert own.runs().height == 1
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


def test_strict_through_a_link(own: Warehouse, folder: Path, tmp_path: Path) -> None:
    real = tmp_path / "deep/real.duckdb"
    real.parent.mkdir()
    shutil.move(own.path, real)
    own.path.symlink_to(real)
    real.chmod(0o640)
    list(ingest_all_or_nothing(own, [folder / "2-said.csv"], _settings()))
    assert own.path.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert QuickHouse(real).runs().height == 1


@pytest.fixture
def other_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on another file system."""
    memory = Path("/dev/shm")
    if not memory.is_dir() or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("needs a second file system at /dev/shm")
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


def test_strict_through_a_link_to_another_disk(
    own: Warehouse, folder: Path, other_disk: Path
) -> None:
    real = Path(shutil.move(own.path, other_disk / "real.duckdb"))
    own.path.symlink_to(real)
    list(ingest_all_or_nothing(own, [folder / "2-said.csv"], _settings()))
    assert own.path.is_symlink()
    assert QuickHouse(real).runs().height == 1
    assert [path.name for path in other_disk.iterdir()] == ["real.duckdb"]


@pytest.mark.as_users
def test_a_rehearsal_through_a_link(own: Warehouse, folder: Path, tmp_path: Path) -> None:
    """The log of a killed process lies next to the file itself, and so does the copy."""
    real = tmp_path / "deep/real.duckdb"
    real.parent.mkdir()
    shutil.move(own.path, real)
    own.path.symlink_to(real)
    script = (
        "import os, duckdb\n"
        f"con = duckdb.connect({str(own.path)!r})\n"
        "con.execute('UPDATE main.benchmark SET name = ?', ['Renamed'])\n"
        "os._exit(9)\n"
    )
    subprocess.run([sys.executable, "-c", script], env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert Path(f"{real}.wal").exists()
    seen: list[set[Path]] = []
    (outcome,) = rehearse(
        own,
        [folder / "2-said.csv"],
        Settings(benchmark="Renamed"),
        step=lambda text: seen.append(set(tmp_path.rglob("*.rehearsal"))),
    )
    assert outcome.report
    assert {path.parent for found in seen for path in found} == {real.parent}
    assert sorted(path.name for path in real.parent.iterdir()) == ["real.duckdb", "real.duckdb.wal"]


@pytest.mark.slow
def test_a_rehearsal_tells_what_comes_and_changes_nothing(
    house: Warehouse, make_house: Callable[[str], Warehouse], folder: Path, tmp_path: Path
) -> None:
    before = _unchanged(house)
    outcomes = list(rehearse(house, [folder], _settings()))
    assert _unchanged(house) == before
    done = run(
        "ingest", folder, "--benchmark", "Own", "--db", house.path, "--dry-run", cwd=tmp_path
    )
    assert done.code == 1
    assert done.out.splitlines()[-1] == "dry run: nothing is stored"
    assert done.err.count("failed: ") == 1
    assert _unchanged(house) == before
    # Exactly what then happens.
    real = run("ingest", folder, "--benchmark", "Own", "--db", house.path, cwd=tmp_path)
    assert (real.out.splitlines(), real.err) == (done.out.splitlines()[:-1], done.err)
    copy = make_house("copy")
    assert _outcomes(list(copy.ingest_many(folder, benchmark="Own"))) == _outcomes(outcomes)


@pytest.mark.slow
def test_a_rehearsal_of_single_files(own: Warehouse, folder: Path, tmp_path: Path) -> None:
    before = _unchanged(own)
    words = ("ingest", folder / "2-said.csv", "--benchmark", "Own", "--db", own.path)
    dry = run(*words, "--dry-run", cwd=tmp_path)
    assert (dry.code, dry.err) == (0, "")
    assert _unchanged(own) == before
    real = run(*words, cwd=tmp_path)
    assert dry.out.splitlines() == [*real.out.splitlines(), "dry run: nothing is stored"]
    bad = run(
        "ingest",
        folder / "3-bad.csv",
        "--benchmark",
        "Own",
        "--db",
        own.path,
        "--dry-run",
        cwd=tmp_path,
    )
    assert (bad.code, bad.out) == (2, "")
    # There need not be a warehouse, and there is none afterwards.
    none = run(
        "ingest",
        folder / "8-own.jsonl",
        "--benchmark",
        "Own",
        "--db",
        "none.duckdb",
        "--dry-run",
        cwd=tmp_path,
    )
    assert (none.code, none.err) == (0, "")
    assert "3 new questions, 3 new passes" in none.out
    assert not list(tmp_path.glob("*none.duckdb*"))


def test_a_rehearsal_sees_what_is_not_in_the_tables_yet(own: Warehouse, folder: Path) -> None:
    """What a killed process left in the log next to the warehouse is part of it."""
    script = (
        "import os, duckdb\n"
        f"con = duckdb.connect({str(own.path)!r})\n"
        "con.execute('UPDATE main.benchmark SET name = ?', ['Renamed'])\n"
        "os._exit(9)\n"
    )
    subprocess.run([sys.executable, "-c", script], env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert Path(f"{own.path}.wal").exists()
    (outcome,) = rehearse(own, [folder / "2-said.csv"], Settings(benchmark="Renamed"))
    assert outcome.report
    assert "dataset Own" in outcome.report.inferred


def test_settings_that_are_wrong_stop_everything(own: Warehouse, folder: Path) -> None:
    with pytest.raises(UsageError, match="--run cannot be blank"):
        list(own.ingest_many(folder / "2-said.csv", benchmark="Own", run=" "))


def test_what_killed_processes_left_is_removed(
    own: Warehouse, folder: Path, tmp_path: Path
) -> None:
    """A copy is as large as the warehouse; that of a process that lives stays."""
    script = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from evalhouse.placing import sibling\n"
        f"with sibling(Path({str(own.path)!r}), sys.argv[1]) as new:\n"
        "    new.write_bytes(b'copy')\n"
        "    new.with_name(f'{new.name}.wal').write_bytes(b'log')\n"
        "    print(flush=True)\n"
        "    input()\n"
    )
    lives, killed, other = (
        subprocess.Popen(
            [sys.executable, "-c", script, word],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for word in ("rehearsal", "rehearsal", "new")
    )
    for process in (lives, killed, other):
        assert process.stdout is not None
        process.stdout.readline()
    for process in (killed, other):
        process.kill()
        process.communicate()

    def left(process: subprocess.Popen[bytes]) -> int:
        return len(list(tmp_path.rglob(f".{own.path.name}.{process.pid}.*")))

    assert [left(process) for process in (lives, killed, other)] == [3, 3, 3]
    list(rehearse(own, [folder / "2-said.csv"], _settings()))
    assert [left(process) for process in (lives, killed, other)] == [3, 0, 3]
    list(ingest_all_or_nothing(own, [folder / "2-said.csv"], _settings()))
    assert left(other) == 0
    lives.communicate(b"\n")
    assert not list(tmp_path.rglob(f".{own.path.name}.*"))
