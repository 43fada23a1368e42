"""Writing results: whole or not at all, whatever happens, and one way of it for every writer."""

from __future__ import annotations

import ast
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import evalhouse
import ingest
import judge
import local_models
import queries
import warehouse
from warehouse.errors import UsageError
from warehouse.files import writing

_FULL = "cannot be written: the disk is full"


def _limited(size: int, call: Callable[[], None]) -> int:
    """Run a call in a process whose files have at most so many bytes; its exit code."""
    pid = os.fork()
    if pid == 0:
        code = 3
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            call()
            code = 0
        except UsageError as error:
            code = 1 if _FULL in str(error) else 2
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "result.csv"
    path.write_bytes(b"old")
    assert _limited(1000, lambda: writing.write(path, b"x" * 5000)) == 1
    assert path.read_bytes() == b"old"
    assert _limited(1000, lambda: writing.write(tmp_path / "new", "x" * 5000)) == 1
    assert _names(tmp_path) == ["result.csv"]
    assert _limited(9000, lambda: writing.write(path, b"x" * 5000)) == 0
    assert path.stat().st_size == 5000


def _broken_off(path: Path, error: BaseException) -> None:
    with writing.opened(path) as file:
        file.write(b"half")
        raise error


def test_an_error_while_writing_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "result"
    path.write_bytes(b"old")
    for error in (KeyboardInterrupt(), ValueError("of ours"), SystemExit(3)):
        with pytest.raises(type(error)):
            _broken_off(path, error)
    assert (path.read_bytes(), _names(tmp_path)) == (b"old", ["result"])


def test_a_kill_leaves_the_old_file(tmp_path: Path) -> None:
    """And at most a file whose name says what it is."""
    path = tmp_path / "result"
    path.write_bytes(b"old")
    pid = os.fork()
    if pid == 0:
        with writing.opened(path) as file:
            file.write(b"x" * 1_000_000)
            file.flush()
            os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -signal.SIGKILL
    (left,) = (name for name in _names(tmp_path) if name != "result")
    assert left.startswith(".evalhouse-")
    assert left.endswith(".part")
    assert path.read_bytes() == b"old"


def test_a_file_keeps_its_mode_and_a_link_stays_a_link(tmp_path: Path) -> None:
    path, link, dangling = tmp_path / "result", tmp_path / "link", tmp_path / "dangling"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    dangling.symlink_to(tmp_path / "to come")
    writing.write(link, b"new")
    writing.write(dangling, b"made")
    assert link.is_symlink()
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o640)
    assert (tmp_path / "to come").read_bytes() == b"made"
    assert dangling.is_symlink()


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        writing.write(tmp_path / "new", "text")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_what_is_no_regular_file_is_written_directly(tmp_path: Path) -> None:
    writing.write(Path("/dev/null"), b"x" * 100_000)
    with pytest.raises(UsageError, match=_FULL):
        writing.write(Path("/dev/full"), b"x" * 100_000)
    fifo, said = tmp_path / "fifo", []
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: said.append(fifo.read_bytes()))
    reader.start()
    writing.write(fifo, b"through")
    reader.join(timeout=10)
    assert said == [b"through"]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


@pytest.mark.parametrize("place", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_by_name(tmp_path: Path, place: str) -> None:
    """Also where it is a file, which `>>` wrote to before."""
    code = (
        "from warehouse.files import writing; from pathlib import Path; print('one'); "
        f"writing.write(Path('{place}'), 'two\\n'); print('three')"
    )
    with (tmp_path / "out").open("ab") as out:
        out.write(b"zero\n")
        out.flush()
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    text = (tmp_path / "out").read_text("utf-8")
    assert text == "zero\none\ntwo\nthree\n"


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda path: path.mkdir(), "Is a directory"),
        (lambda path: path.symlink_to(path), "Too many levels of symbolic links"),
        (lambda path: path.parent.rmdir(), "No such file or directory"),
    ],
)
def test_where_no_file_can_be(tmp_path: Path, make: Callable[[Path], None], why: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    make(folder / "result")
    with pytest.raises(UsageError, match=f"result: cannot be written: {why}"):
        writing.write(folder / "result", b"x")
    with pytest.raises(UsageError, match="File name too long"):
        writing.write(tmp_path / ("x" * 300), b"x")
    assert _names(tmp_path) in (["folder"], [])


# Folders.


def test_a_new_folder_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    folder = tmp_path / "above" / "made"

    def write() -> None:
        with writing.folder(folder) as new:
            writing.fill(new / "deep" / "a", b"a" * 10)
            assert not folder.exists()
            writing.fill(new / "b", b"b" * 5000)

    assert _limited(1000, write) == 1
    assert _names(tmp_path) == []
    write()
    assert _names(tmp_path / "above") == ["made"]
    assert (folder / "deep" / "a").read_bytes() == b"a" * 10


def test_an_empty_folder_is_replaced_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a kill between two files leaves a folder that the command given again refuses."""
    folder = tmp_path / "empty"
    folder.mkdir(0o750)
    with writing.folder(folder) as new:
        writing.fill(new / "deep" / "a", b"a")
        assert _names(folder) == []
    assert (folder / "deep" / "a").read_bytes() == b"a"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o750
    assert _names(tmp_path) == ["empty"]
    # The folder that the user stands in stays the same one.
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    with writing.folder(Path()) as new:
        writing.fill(new / "a", b"a")
    assert [path.name for path in Path().iterdir()] == ["a"]
    # What comes into it meanwhile stays, as in one that was not empty.
    (tmp_path / "busy").mkdir()
    with writing.folder(tmp_path / "busy") as new:
        writing.fill(new / "a", b"a")
        (tmp_path / "busy" / "b").write_bytes(b"b")
    assert _names(tmp_path / "busy") == ["a", "b"]
    assert _names(tmp_path) == ["busy", "empty", "here"]


def test_files_of_a_folder_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    (tmp_path / "old").chmod(0o600)

    def write() -> None:
        with writing.folder(tmp_path, last="a") as new:
            for name in ("a", "old", "z"):
                writing.fill(new / name, b"new" if name == "old" else b"x" * 2000)

    assert _limited(1000, write) == 1
    assert _names(tmp_path) == ["old"]
    assert (tmp_path / "old").read_bytes() == b"old"
    # What comes into the way of one file takes the others away again, except for what it replaced.
    (tmp_path / "a").mkdir()
    with pytest.raises(UsageError, match="cannot be written"):
        write()
    assert _names(tmp_path) == ["a", "old"]
    (tmp_path / "a").rmdir()
    write()
    assert _names(tmp_path) == ["a", "old", "z"]
    assert (tmp_path / "old").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "old").stat().st_mode) == 0o600


# Who writes.

_COPYING = {"copyfile", "copy", "copy2", "copytree", "move"}
_ALLOWED = {
    "warehouse/files/writing.py": "is the one",
    "evalhouse/placing.py": "copies a warehouse",
    "evalhouse/blank.py": "copies the empty warehouse next to the place of a new one",
    "judge/cache.py": "keeps space back in the cache, which holds nothing",
}


def test_no_module_writes_files_on_its_own() -> None:
    """Whatever opens a file to write to, or writes, goes through `warehouse.files.writing`."""
    found = {}
    for package in (evalhouse, ingest, judge, local_models, queries, warehouse):
        folder = Path(package.__path__[0])
        for path in sorted(folder.rglob("*.py")):
            calls = {
                f"{node.lineno}: {ast.unparse(node)}"
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
                if isinstance(node, ast.Call) and _writes(node)
            }
            if calls:
                found[path.relative_to(folder.parent).as_posix()] = calls
    assert {name: calls for name, calls in found.items() if name not in _ALLOWED} == {}
    assert found.keys() <= _ALLOWED.keys()


def _writes(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if name in ("write_bytes", "write_text"):
        return True
    if owner == "shutil":
        return name in _COPYING
    if name in ("write_csv", "write_parquet", "write_excel", "savefig"):
        # To a path, not to memory or to a file that is open.
        return bool(call.args) and isinstance(
            call.args[0], (ast.BinOp, ast.JoinedStr, ast.Constant)
        )
    modes = [*call.args, *(word.value for word in call.keywords if word.arg == "mode")]
    return name == "open" and any(
        isinstance(mode, ast.Constant)
        and isinstance(mode.value, str)
        and set(mode.value) <= set("rwxab+t")
        and bool(set(mode.value) & set("wxa+"))
        for mode in modes
    )
