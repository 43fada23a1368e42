"""Measuring: whole processes with their time and memory, works in turn, and queries.

A whole process is what a user waits for: start, imports, work and end. Peaks of memory are the
kernel's, so each thing whose memory is reported runs in a separate process.

    python -m bench.measure DB QUERY RELEASE ROUNDS

prints, as JSON, how many rows a query of `measure.sql` gives, and its seconds in each round, over
one open connection. A first round is not counted: it fills the engine's cache, and runs that are
out of date are computed in it. With 0 rounds, that one alone is reported.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from evalhouse import Warehouse
from evalhouse.demo import replay
from queries import session
from queries.install import LATEST
from warehouse import statements

ROOT = Path(__file__).parent.parent
MEMORY_LIMIT, THREADS = "8GB", 2
LIMITS = ("--memory-limit", MEMORY_LIMIT, "--threads", str(THREADS))
"""The limits as a command takes them."""
EVALHOUSE = (sys.executable, "-c", "from evalhouse.cli import main; main()")
SQL = statements.of_module(__file__)
# A process begins with the peak of memory of the one that started it, so measured commands are
# started by one that imports next to nothing.
_LAUNCHER = """
import os, sys, time
begun = time.perf_counter()
pid = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
wall = time.perf_counter() - begun
with open(sys.argv[1], "w") as out:
    out.write(f"{wall} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss * 1024}")
sys.exit(os.waitstatus_to_exitcode(status) != 0)
"""
_ENVIRONMENTS: Mapping[str, Sequence[Sequence[str]]] = {
    "vlmevalkit": (
        # The last build of torch that is small: newer ones bring several GB for graphics cards.
        ("torch==2.13.0", "torchvision==0.28.0"),
        ("--no-deps", "ms-vlmeval==0.0.20"),
        # What it imports on the way to its evaluation, rather than all that it requires.
        (
            *("accelerate", "datasets", "decord", "huggingface_hub", "imageio", "jieba"),
            *("json_repair", "levenshtein", "math_verify", "matplotlib", "nltk", "num2words"),
            *("omegaconf>=2.4.0.dev4", "openai", "opencv-python-headless", "openpyxl", "pandas"),
            *("pillow", "portalocker", "pylatexenc", "python-dotenv", "qwen_vl_utils", "requests"),
            *("rich", "rouge", "scikit-learn", "sty", "tabulate", "termcolor", "timeout_decorator"),
            *("tqdm", "transformers", "validators", "xlsxwriter"),
        ),
    ),
    # And what samples_df needs in addition.
    "inspect": (("inspect-ai==0.3.285", "pandas", "pyarrow"),),
}


_DEMO = f"""
from evalhouse.demo import replay
replay._FREE_WORDINGS = {replay._FREE_WORDINGS!r}
from evalhouse.cli import main; main()
"""
"""What lets another revision's demo have the answers that it has now."""


Figure = TypeVar("Figure", float, "Cost")


class Failed(Exception):
    """A measured command did not succeed; its output is in the message."""


@dataclass(frozen=True)
class Cost:
    """What something took: seconds on the clock, seconds of processor, peak of memory in bytes."""

    wall: float
    cpu: float
    peak: int
    output: str = ""


def environment(**more: str) -> dict[str, str]:
    """Return this process's environment, without what would change what is measured."""
    left_out = ("LD_PRELOAD", "PYTHONDONTWRITEBYTECODE")
    return {name: value for name, value in os.environ.items() if name not in left_out} | more


def process(
    command: Sequence[object], *, env: Mapping[str, str] | None = None, cwd: Path = ROOT
) -> Cost:
    """Run a command as a separate process, in the checkout, whose packages Python finds there.

    Raises:
        Failed: it did not end with 0.
    """
    with tempfile.TemporaryDirectory() as name:
        cost, out = Path(name) / "cost", Path(name) / "out"
        words = [*(sys.executable, "-I", "-S", "-c", _LAUNCHER, str(cost)), *map(str, command)]
        with out.open("w", encoding="utf-8") as file:
            ended = subprocess.run(
                words,
                stdout=file,
                stderr=subprocess.STDOUT,
                env=environment(**(env or {})),
                cwd=cwd,
                check=False,
            )
        text = out.read_text(encoding="utf-8", errors="replace")
        if ended.returncode:
            raise Failed(f"{' '.join(map(str, command))} failed:\n{text[-4000:]}")
        wall, cpu, peak = cost.read_text(encoding="utf-8").split()
    return Cost(float(wall), float(cpu), int(peak), text)


def evalhouse(*words: str | Path) -> Cost:
    """Run an `evalhouse` command as a separate process."""
    return process([*EVALHOUSE, *words])


def seconds(work: Callable[[], object]) -> float:
    """How long a call takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def in_turn(n: int, *works: Callable[[], Figure]) -> list[list[Figure]]:
    """Each work's figures over n rounds; every round does all of them, in turning order.

    What disturbs the machine for a while so disturbs all of them, and none profits from being
    first.
    """
    figures: list[list[Figure]] = [[] for _ in works]
    for round_number in range(n):
        for place in range(len(works)):
            which = (place + round_number) % len(works)
            figures[which].append(works[which]())
    return figures


@dataclass(frozen=True)
class QueryCost:
    """What a query took: its rows, its seconds in each round, and the process's peak of memory."""

    n_rows: int
    seconds: list[float]
    peak: int


def house(db: Path) -> Warehouse:
    """A warehouse within the limits of the measurements."""
    return Warehouse(db, memory_limit=MEMORY_LIMIT, threads=THREADS)


def drop_results(db: Path) -> None:
    """Take kept results away; an earlier evalhouse's warehouse gets today's schema and views."""
    evalhouse("migrate", "--no-refresh", "--db", db)
    evalhouse("releases", "install", "--no-refresh", "--db", db)
    evalhouse("refresh", "--drop", "--db", db)


def ask(db: Path, query: str, rounds: int, release: str = LATEST) -> QueryCost:
    """Run a query of `measure.sql` on a release in a separate process, so often."""
    words = ("-m", "bench.measure", db, query, release, str(rounds))
    cost = process([sys.executable, *words])
    n_rows, found = json.loads(cost.output.splitlines()[-1])
    return QueryCost(n_rows, found, cost.peak)


def python_of(folder: Path, peer: str) -> Path:
    """The interpreter of a peer's environment, which is made in a folder where it is not there."""
    folder = folder.absolute() / peer / "venv"
    python = folder / "bin" / "python"
    if not (folder / ".ready").exists():
        print(f"installing {peer} into {folder} (minutes)", file=sys.stderr)
        venv.create(folder, with_pip=True, clear=True)
        for words in _ENVIRONMENTS[peer]:
            pip = (python, "-m", "pip", "install", "-q", "--disable-pip-version-check")
            process([*pip, *words])
        (folder / ".ready").touch()
    return python


class Side:
    """One of two revisions that are compared: a checkout with an environment of its own in `.venv`,
    and the folder where the files that it makes are to lie."""

    def __init__(self, checkout: Path, folder: Path) -> None:
        self.checkout = checkout.resolve()
        self.python = self.checkout / ".venv" / "bin" / "python"
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def command(self, *words: str | Path) -> Cost:
        """Run an `evalhouse` command in its folder."""
        return process([self.python.with_name("evalhouse"), *words], cwd=self.folder)

    def demo(self) -> Path:
        """Make the demo, where it is not there; return its warehouse."""
        db = self.folder / "evalhouse-demo" / "demo.duckdb"
        if not db.exists():
            process([self.python, "-P", "-c", _DEMO, "demo"], cwd=self.folder)
        return db

    def answers(self, million: float) -> Path:
        """Make so many million generated answers, and their results; return their warehouse."""

        def make(part: Path) -> None:
            words = ("--million", f"{million:g}", "--direct", "--db", part)
            process([self.python, "-m", "bench.data", *words], cwd=self.checkout)
            self.command("refresh", "--db", part)

        return kept(self.folder / f"{million:g}-million.duckdb", make)


def kept(path: Path, make: Callable[[Path], object]) -> Path:
    """A file, made under another name where it is not there: what is there is whole."""
    if not path.exists():
        part = path.with_name(f"part-{path.name}")
        part.parent.mkdir(parents=True, exist_ok=True)
        for left in (part, part.with_name(f"{part.name}.wal")):
            shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)
        make(part)
        part.rename(path)
    return path


def main() -> None:
    """Run the query, and print."""
    db, query, release, rounds = sys.argv[1:]
    n_rows = []
    with house(Path(db)).reading() as con:

        def work(*, is_first: bool = False) -> None:
            if is_first:
                session.use_release(con, release)
            n_rows.append(con.sql(SQL[query]).to_arrow_table().num_rows)

        first = seconds(partial(work, is_first=True))
        found = [seconds(work) for _ in range(int(rounds))] or [first]
    print(json.dumps([n_rows[-1], found]))


if __name__ == "__main__":
    main()
