"""The commands as a user runs them: each in a process of its own, forked from one that is warm.

Importing what the commands need takes longer than most of them do, and so does reading the files that
come with the package; the processes forked are as clean as new ones otherwise.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import forkserver
from pathlib import Path
from unittest.mock import patch

from evalhouse.cli import COMMANDS, ingest_main, main
from queries import release as releases
from queries.plan import plan
from warehouse import known_benchmarks

for place, _ in COMMANDS.values():
    import_module(f"evalhouse.{place.partition(':')[0]}")
known_benchmarks.shipped()
plan(releases.load(releases.LATEST))

CLOSED = Path("closed")
_PLAIN = {"NO_COLOR": "1", "COLUMNS": "200"}
_WARM = multiprocessing.get_context("forkserver")
# The last is what Typer imports when it reads a command's words; a Typer without it does no harm.
_WARM.set_forkserver_preload(["__main__", "tests.commands", "typer._adapters"])


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


def run(
    *words: object,
    cwd: Path,
    env: dict[str, str] | None = None,
    most_bytes: int | None = None,
    stdout: Path | None = None,
) -> Done:
    """Run `evalhouse …` or `ingest …` in a folder.

    Args:
        most_bytes: of each file that it writes, as if the disk were full then.
        stdout: where its standard output goes; CLOSED: nowhere, as after `>&-`.
    """
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        environment = os.environ | _PLAIN | (env or {})
        with patch.dict(os.environ, _PLAIN):
            # What is imported already looks at the environment once.
            forkserver.ensure_running()
        process = _WARM.Process(
            target=_command,
            args=(*map(str, (cwd, stdout or out, err)), environment, most_bytes, *map(str, words)),
        )
        process.start()
        process.join()
        assert process.exitcode is not None
        said = "" if stdout else out.read_text("utf-8")
        return Done(process.exitcode, said, err.read_text("utf-8"))


def _command(
    cwd: str,
    out: str,
    err: str,
    env: dict[str, str],
    most_bytes: int | None,
    name: str,
    *words: str,
) -> None:
    for number, path in ((1, out), (2, err)):
        if path == str(CLOSED):
            os.close(number)
            sys.stdout = None  # type: ignore[assignment]
            continue
        file = os.open(path, os.O_WRONLY | os.O_CREAT)
        os.dup2(file, number)
        os.close(file)
    if most_bytes is not None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
        # Else half a module stays in this installation, for every later test to fall over.
        sys.dont_write_bytecode = True
    if out != str(CLOSED):
        # The one there is was made for another kind of file, which can be sought in.
        sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", closefd=False), encoding="utf-8")
    if "PYTHONIOENCODING" in env and isinstance(sys.stdout, io.TextIOWrapper):
        # As a new interpreter reads it.
        sys.stdout.reconfigure(encoding=env["PYTHONIOENCODING"])
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = [name, *words]
    (main if name == "evalhouse" else ingest_main)()
