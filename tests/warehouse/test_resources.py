"""Limits of memory and threads: given, refused, and kept to with a warehouse that exceeds them."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import typer

from evalhouse import EvalhouseError, UsageError, Warehouse
from evalhouse.cli import app
from tests.attacks import kernel_guards
from tests.commands import run
from warehouse import connection
from warehouse.resources import Resources, current, using

_LIMIT = "90MB"
_ROWS = 1_200_000
_SORTED = (
    "SELECT count(*) AS n, max(place) AS last FROM "
    "(SELECT row_number() OVER (ORDER BY text) AS place, text FROM main.prediction)"
)


@pytest.fixture(scope="module")
def large_file(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse larger than the limit, of texts that do not compress."""
    path = tmp_path_factory.mktemp("large") / "large.duckdb"
    shutil.copy(new_file, path)
    with Warehouse(path).writing() as con:
        con.execute(
            "INSERT INTO main.prediction SELECT 1, range, 0, 0, "
            "sha256(range::VARCHAR) || sha256((-range)::VARCHAR) || sha256((range / 7)::VARCHAR), "
            "false FROM range(?)",
            [_ROWS],
        )
    assert path.stat().st_size > 1.2 * 90e6
    return path


@pytest.fixture
def large(large_file: Path) -> Iterator[Path]:
    yield large_file
    assert sorted(path.name for path in large_file.parent.iterdir()) == [large_file.name]


@contextmanager
def watching(folder: Path) -> Iterator[set[str]]:
    """The names of files that turn up in a folder meanwhile."""
    seen: set[str] = set()
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.005):
            with suppress(FileNotFoundError):
                seen.update(file.name for file in folder.rglob("*"))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield seen
    finally:
        done.set()
        watcher.join()


@pytest.mark.slow
def test_a_confined_query_spills_in_a_folder_of_its_own(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The `large` fixture sees that nothing is left next to the warehouse."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    house = Warehouse(large, memory_limit=_LIMIT, threads=2)
    with watching(tmp_path) as seen, watching(large.parent) as seen_beside:
        if kernel_guards():
            assert house.sql(_SORTED).rows() == [(_ROWS, _ROWS)]
            assert any("storage" in name for name in seen), seen
        else:
            with pytest.raises(EvalhouseError, match="--memory-limit"):
                house.sql(_SORTED)
    assert seen_beside == {large.name}
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_writer_spills_beside_the_warehouse(large: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.duckdb"
    shutil.copy(large, path)
    house = Warehouse(path, memory_limit=_LIMIT, threads=2)
    with watching(path.with_name("mine.duckdb.tmp")) as seen, house.writing() as con:
        assert con.execute(_SORTED).fetchall() == [(_ROWS, _ROWS)]
    assert any("storage" in name for name in seen), seen
    assert not path.with_name("mine.duckdb.tmp").exists()


def test_a_warehouse_larger_than_memory_is_read(large: Path) -> None:
    done = run(
        "evalhouse", "sql", "--db", large, "--memory-limit", _LIMIT, "--threads", 1, "--format",
        "csv", "SELECT count(DISTINCT text) AS n, sum(length(text)) AS size, "
        "current_setting('memory_limit') AS memory, current_setting('threads') AS threads "
        "FROM main.prediction", cwd=large.parent,
    )  # fmt: skip
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1] == f"{_ROWS},{_ROWS * 192},85.8 MiB,1"


def test_too_little_memory_is_one_line(large: Path) -> None:
    done = run("evalhouse", "sql", "SELECT 1", "--db", large, "--memory-limit", "1KB", cwd=large.parent)  # fmt: skip
    assert done.code == 1
    assert done.err.splitlines() == [
        f"error: {large}: cannot be opened with 1KB of memory (--memory-limit)"
    ]


@pytest.mark.parametrize("wrong", ["8", "GB", "-1GB", "0GB", "0.0 GB", "8 gigs", "80%", "", "8GB;"])
def test_a_limit_is_a_size_with_a_unit(wrong: str) -> None:
    with pytest.raises(UsageError, match="is a size such as 8GB"):
        Warehouse("x.duckdb", memory_limit=wrong)


@pytest.mark.parametrize("right", ["8GB", "512 MB", "0.5gib", "1.5GB", "100000KiB", "10TB"])
def test_sizes_that_are_understood(right: str, house: Warehouse) -> None:
    with Warehouse(house.path, memory_limit=right).reading() as con:
        assert con.execute("SELECT current_setting('threads') > 0").fetchall() == [(True,)]


@pytest.mark.parametrize("wrong", [0, -1])
def test_there_is_a_thread(wrong: int) -> None:
    with pytest.raises(UsageError, match="is 1 or more"):
        Warehouse("x.duckdb", threads=wrong)


def test_flags_are_refused_before_anything_is_opened(tmp_path: Path) -> None:
    for flag, value in (("--memory-limit", "lots"), ("--threads", 0)):
        done = run("ingest", "a.csv", "--db", "new.duckdb", flag, value, cwd=tmp_path)
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert str(value) in done.err
    assert not list(tmp_path.iterdir())


def test_the_environment_holds_where_nothing_is_given(
    house: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVALHOUSE_MEMORY_LIMIT", "300MB")
    monkeypatch.setenv("EVALHOUSE_THREADS", "3")
    ask = "SELECT current_setting('memory_limit'), current_setting('threads')"
    with house.reading() as con:
        assert con.execute(ask).fetchall() == [("286.1 MiB", 3)]
    with Warehouse(house.path, threads=2).writing() as con:
        assert con.execute(ask).fetchall() == [("286.1 MiB", 2)]
    monkeypatch.setenv("EVALHOUSE_THREADS", "many")
    with pytest.raises(UsageError, match="EVALHOUSE_THREADS is 1 or more, not 'many'"):
        house.runs()
    monkeypatch.setenv("EVALHOUSE_THREADS", "")
    monkeypatch.setenv("EVALHOUSE_MEMORY_LIMIT", "300")
    with pytest.raises(UsageError, match="EVALHOUSE_MEMORY_LIMIT is a size"):
        house.runs()


def test_the_inner_limit_counts(house: Warehouse) -> None:
    with using(Resources("1GB", 3)):
        with using(Resources(threads=1)):
            assert current() == Resources("1GB", 1)
            con = connection.open_for_reading(house.path)
            try:
                ((threads,),) = con.execute("SELECT current_setting('threads')").fetchall()
            finally:
                con.close()
            assert threads == 1
        assert current() == Resources("1GB", 3)


def test_every_command_with_a_warehouse_takes_the_limits() -> None:
    seen = 0
    for words, command in _commands(typer.main.get_command(app), ()):
        flags = {flag for option in command.params for flag in option.opts}
        if "--db" in flags:
            seen += 1
            assert {"--memory-limit", "--threads"} <= flags, words
    assert seen > 20


def _commands(
    command: object, words: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], typer.core.TyperCommand]]:
    yield words, command  # type: ignore[misc]
    for name in getattr(command, "commands", {}):
        yield from _commands(command.get_command(None, name), (*words, name))  # type: ignore[attr-defined]
