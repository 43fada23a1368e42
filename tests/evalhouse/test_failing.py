"""Whatever goes wrong is one line and an exit code; EVALHOUSE_DEBUG=1 shows the traceback."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from evalhouse import Warehouse
from evalhouse.failing import run as run_command
from evalhouse.transfer import export_parquet
from tests.commands import CLOSED, run
from tests.tables import facts
from warehouse.connection import transaction
from warehouse.errors import EvalhouseError, FullDiskError, UsageError


class PanicException(BaseException):
    """What Rust's libraries raise: no Exception."""


def _fails(error: BaseException) -> Callable[[], None]:
    def command() -> None:
        raise error

    return command


def _unencodable() -> None:
    "\udcff".encode()


def _endless() -> None:
    _endless()


@pytest.mark.parametrize(
    ("command", "code", "line"),
    [
        (_fails(EvalhouseError("so [red]it\x1b[2J is")), 1, "error: so [red]it␛[2J is"),
        (_fails(UsageError(r"a\[b] :smile:")), 2, r"error: a\[b] :smile:"),
        (_fails(KeyError("x")), 70, "defect: KeyError: 'x'. This is a fault of evalhouse;"),
        (_fails(PanicException("at the disco")), 70, "defect: PanicException: at the disco. This"),
        (_fails(KeyError("y" * 9000)), 70, "defect: KeyError: 'yyyy"),
        (_fails(OSError(errno.ENAMETOOLONG, "File name too long", "f")), 1, "error: f: File name too long"),
        (_fails(OSError(errno.ENOSPC, "No space left on device", "f")), 1, "error: f: the disk is full (No space"),
        (_fails(duckdb.IOException("IO Error: No space left on device\nx")), 1, "error: the disk is full: IO Error"),
        (_fails(duckdb.IOException("IO Error: gone\nx")), 1, "error: IO Error: gone\n"),
        (_fails(duckdb.OutOfMemoryException("Out of 3\nx")), 1, "error: out of memory: Out of 3; a higher"),
        (_fails(MemoryError()), 1, "error: out of memory: the input, or"),
        (_endless, 1, "error: the input is nested too deeply\n"),
        (_unencodable, 2, "error: a name or a text is no Unicode"),
        (_fails(KeyboardInterrupt()), 130, "interrupted: what was not finished is not stored\n"),
        (_fails(duckdb.InterruptException("INTERRUPT")), 130, "interrupted: "),
    ],
)  # fmt: skip
def test_one_line_and_a_code(
    command: Callable[[], None],
    code: int,
    line: str,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("EVALHOUSE_DEBUG", raising=False)
    with pytest.raises(SystemExit) as ended:
        run_command(command)
    said = capfd.readouterr()
    assert (ended.value.code, said.out) == (code, "")
    assert said.err.startswith(line)
    assert said.err.count("\n") == 1
    assert len(said.err) < 2500
    monkeypatch.setenv("EVALHOUSE_DEBUG", "1")
    with pytest.raises(SystemExit) as ended:
        run_command(command)
    assert ended.value.code == code
    shown = capfd.readouterr().err
    assert shown.startswith("Traceback (most recent call last)")
    assert line.strip() in shown


@pytest.mark.parametrize("is_thread_alive", [False, True])
def test_a_process_ends_as_python_ends_one(tmp_path: Path, is_thread_alive: bool) -> None:
    wait = "threading.Thread(target=lambda: (time.sleep(0.3), print('thread'))).start()"
    program = [
        "import atexit, sys, threading, time",
        "from evalhouse.failing import end_at_once",
        "atexit.register(lambda: print('at exit'))",
        "def command():",
        "    print('command')",
        f"    {wait if is_thread_alive else 'pass'}",
        "    sys.exit(3)",
        "end_at_once(command)",
    ]
    with (tmp_path / "out").open("w") as out:
        ended = subprocess.run([sys.executable, "-c", "\n".join(program)], stdout=out, check=False)
    assert ended.returncode == 3
    middle = ["thread"] if is_thread_alive else []
    assert (tmp_path / "out").read_text().split("\n") == ["command", *middle, "at exit", ""]


def test_a_defect_of_a_command(house: Warehouse, tmp_path: Path) -> None:
    """A view that was taken away by hand is nobody's input: the line says so, and where to look."""
    with house.writing() as con:
        con.execute("DROP TABLE main.model CASCADE")
    done = run("evalhouse", "runs", "--db", house.path, cwd=tmp_path)
    assert done.code != 0
    assert "Traceback" not in done.err
    assert done.err.count("\n") == 1


@pytest.mark.slow
def test_standard_output_that_takes_nothing(house: Warehouse, tmp_path: Path) -> None:
    words = ("evalhouse", "sql", "FROM range(300000)", "--format", "csv", "--db", house.path)
    full = run(*words, cwd=tmp_path, stdout=Path("/dev/full"))
    assert (full.code, full.err) == (
        1,
        "error: standard output: the disk is full (No space left on device)\n",
    )
    short = run("evalhouse", "formats", cwd=tmp_path, stdout=Path("/dev/full"))
    assert (short.code, short.err.count("the disk is full"), short.err.count("\n")) == (1, 1, 1)
    closed = run(*words, cwd=tmp_path, stdout=CLOSED)
    assert (closed.code, closed.err) == (0, "")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: pipe.open("rb").close())
    reader.start()
    gone = run(*words, cwd=tmp_path, stdout=pipe)
    reader.join()
    assert (gone.code, gone.err) == (141, "")


def test_signs_that_cannot_be_printed(house: Warehouse, tmp_path: Path) -> None:
    words = ("evalhouse", "sql", "SELECT 1 AS é", "--db", house.path)
    shown = run(*words, cwd=tmp_path, env={"PYTHONIOENCODING": "ascii"})
    assert (shown.code, "\\xe9" in shown.out, shown.err) == (0, True, "")
    named = run("evalhouse", "leaderboard", "\udcff", "--db", house.path, cwd=tmp_path)
    assert (named.code, named.err.count("\n")) == (2, 1)
    assert named.err == "error: no benchmark '\\udcff' here; there are none\n"
    file = run("ingest", "\udcff.csv", "--db", house.path, cwd=tmp_path)
    assert (file.code, file.err) == (2, "error: \\udcff.csv: no such file\n")


def _out_of_room(house: Warehouse) -> None:
    with house.writing() as con, transaction(con):
        con.execute("DELETE FROM main.release")
        raise duckdb.IOException("Could not write file: No space left on device")


def test_a_full_disk_under_a_transaction(house: Warehouse) -> None:
    before = facts(house.path)
    with pytest.raises(FullDiskError, match="the disk is full, and nothing is stored: Could"):
        _out_of_room(house)
    assert facts(house.path) == before


@pytest.fixture
def filled(house: Warehouse, tmp_path: Path) -> Warehouse:
    """One with 20,000 questions and as many long answers, and their files q.csv and p.csv."""
    questions = "".join(f"{n},q {n},a,b,A\n" for n in range(20_000))
    said = "".join(f"m{n % 7},{n},{os.urandom(40).hex()}\n" for n in range(20_000))
    (tmp_path / "q.csv").write_text(f"question_key,question,A,B,answer\n{questions}", "utf-8")
    (tmp_path / "p.csv").write_text(f"model,question_key,prediction\n{said}", "utf-8")
    for name in ("q.csv", "p.csv"):
        house.ingest(tmp_path / name, benchmark="Own")
    (tmp_path / "old.csv").write_text("old", "utf-8")
    return house


def _files(folder: Path) -> list[str]:
    """Those that count: the engine's log can stay, empty."""
    return sorted(path.name for path in folder.iterdir() if path.suffix != ".wal")


def _refused(filled: Warehouse, small: Path, folder: Path, most_bytes: int, *words: object) -> None:
    """On a full disk a command ends with a line that says so, and everything is as it was."""
    before, names = facts(small), _files(folder)
    done = run(*words, cwd=folder, most_bytes=most_bytes)
    assert done.code in (1, 2), (words, done)
    assert "disk is full" in done.err, (words, done)
    assert "Traceback" not in done.err
    # `demo` says first what it is about to do.
    said = done.err.removeprefix("replaying published results as questions and answers\n")
    assert said.startswith("error: "), (words, done)
    assert said.count("\n") == 1, (words, done)
    assert _files(folder) == names, words
    assert facts(small) == before
    assert (folder / "old.csv").read_text("utf-8") == "old"


@pytest.mark.slow
def test_a_full_disk_under_a_merge_and_a_result(
    filled: Warehouse, make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    small, db = make_house("small").path, filled.path
    for words in (
        ("evalhouse", "merge", db, "--db", small),
        ("evalhouse", "sql", "FROM main.prediction", "--format", "csv", "-o", "old.csv", "--db", db),
    ):  # fmt: skip
        _refused(filled, small, tmp_path, 400_000, *words)


@pytest.mark.long
@pytest.mark.parametrize("most_bytes", [1_000, 100_000, 400_000])
def test_a_full_disk_under_every_command(
    filled: Warehouse, make_house: Callable[[str], Warehouse], tmp_path: Path, most_bytes: int
) -> None:
    small, db = make_house("small").path, filled.path
    with filled.reading(folders=[tmp_path]) as con:
        export_parquet(con, tmp_path / "exported")
    sql = ("evalhouse", "sql", "FROM main.prediction", "--db", db)
    for words in (
        ("evalhouse", "merge", db, "--db", small),
        ("ingest", "q.csv", "--benchmark", "Own", "--db", small),
        ("ingest", "q.csv", "--benchmark", "Own", "--db", small, "--strict"),
        ("ingest", "q.csv", "--benchmark", "Own", "--db", small, "--dry-run"),
        (*sql, "--format", "csv", "-o", "old.csv"),
        (*sql, "--format", "parquet", "-o", "new.parquet"),
        (*sql, "--format", "xlsx", "-o", "new.xlsx"),
        ("evalhouse", "export", "vlmevalkit", "1", "--as", "json", "-o", "made", "--db", db),
        ("evalhouse", "export", "--parquet", "folder", "--db", db),
        ("evalhouse", "import", "exported", "--db", "new.duckdb"),
        ("evalhouse", "demo", "demo"),
    ):  # fmt: skip
        _refused(filled, small, tmp_path, most_bytes, *words)
