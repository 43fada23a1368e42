"""Commands one after the other in a process that may die of them, each as `main` runs it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from multiprocessing import forkserver
from pathlib import Path
from unittest.mock import patch

import duckdb

from evalhouse.cli import main
from tests import commands
from tests.commands import _PLAIN
from tests.killing import content_of

_CPU_SECONDS = 40
"""For all of them; what takes longer hangs. By the processor's clock, as machines are busy."""
_SECONDS = 300


@dataclass(frozen=True)
class Went:
    """How a command went.

    Attributes:
        words: the command.
        code: its exit code; None: an error of Python came out of it.
        err: the last line of what it said, or of the traceback.
        n_lines: lines of what it said on standard error.
        has_kept: whether the facts of the warehouse that it writes are what they were; None: cannot be known.
    """

    words: list[str]
    code: int | None
    err: str
    n_lines: int
    has_kept: bool | None


def give(folder: Path, requested: Sequence[Sequence[str]]) -> list[Went] | str:
    """Run commands in a folder that has a `damaged.duckdb`; a text: they hang, or the process died."""
    with patch.dict(os.environ, _PLAIN):
        forkserver.ensure_running()
    process = commands._WARM.Process(target=_run_all, args=(str(folder), json.dumps(requested)))
    process.start()
    process.join(_SECONDS)
    if process.is_alive():
        process.kill()
        process.join()
    at = (folder / "at").read_text("utf-8") if (folder / "at").exists() else "the beginning"
    if process.exitcode != 0:
        return f"{at}: hangs, or the process died: {process.exitcode}"
    return [Went(**row) for row in json.loads((folder / "went.json").read_text("utf-8"))]


def _run_all(folder: str, requested: str) -> None:
    os.chdir(folder)
    os.environ.update(_PLAIN)
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
    went = [asdict(_run(words)) for words in json.loads(requested)]
    Path("went.json").write_text(json.dumps(went), "utf-8")


def _run(words: list[str]) -> Went:
    written = "sound.duckdb" if "--db" in words else "damaged.duckdb"
    before = _facts(Path(written))
    out, err = io.StringIO(), io.StringIO()
    code: int | None = 0
    sys.argv = ["evalhouse", *words, *([] if "--db" in words else ["--db", "damaged.duckdb"])]
    Path("at").write_text(" ".join(words[:2]), "utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 0
        except BaseException as error:
            code = None
            first = (str(error).splitlines() or [""])[0]
            err.write(f"\n{type(error).__name__}: {first}\n")
    lines = [line for line in err.getvalue().splitlines() if line.strip()]
    # A note that releases differ is no error.
    lines = [line for line in lines if not line.startswith("note:")]
    if words[0] == "merge":
        # They are counted by the error in the last line.
        lines = [line for line in lines if not line.startswith("conflict:")]
    if words[0] == "sql" and lines and lines[0].startswith("error:"):
        # What the engine says of a query follows its error.
        lines = [lines[0], *(line for line in lines[1:] if line.startswith(("error:", "defect:")))]
    after = _facts(Path(written)) if code else before
    kept = None if before is None else after == before
    return Went(words, code, (lines or [""])[-1][:160], len(lines), kept)


def _facts(path: Path) -> str | None:
    try:
        return content_of(path).facts
    except (duckdb.Error, RuntimeError):
        return None
