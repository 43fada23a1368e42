"""The commands as a user runs them: each in a process of its own, forked from one that is warm.

Importing what the commands need takes longer than most of them do; the processes forked are as clean as
new ones otherwise.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
from dataclasses import dataclass
from multiprocessing import forkserver
from pathlib import Path
from unittest.mock import patch

from evalhouse.cli import ingest_main, main

_PLAIN = {"NO_COLOR": "1", "COLUMNS": "200"}
_WARM = multiprocessing.get_context("forkserver")
_WARM.set_forkserver_preload(["__main__", "tests.commands"])


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


def run(*words: object, cwd: Path, env: dict[str, str] | None = None) -> Done:
    """Run `evalhouse …` or `ingest …` in a folder."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        told = os.environ | _PLAIN | (env or {})
        with patch.dict(os.environ, _PLAIN):
            # What is imported already looks at the environment once.
            forkserver.ensure_running()
        process = _WARM.Process(
            target=_command, args=(*map(str, (cwd, out, err)), told, *map(str, words))
        )
        process.start()
        process.join()
        assert process.exitcode is not None
        return Done(process.exitcode, out.read_text("utf-8"), err.read_text("utf-8"))


def _command(cwd: str, out: str, err: str, env: dict[str, str], name: str, *words: str) -> None:
    for number, path in ((1, out), (2, err)):
        file = os.open(path, os.O_WRONLY | os.O_CREAT)
        os.dup2(file, number)
        os.close(file)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = [name, *words]
    (main if name == "evalhouse" else ingest_main)()
