"""How far the checkout is from the targets of stored results, next to another revision.

    python -m bench.targets --before CHECKOUT [--older-python PYTHON] [--shell DUCKDB] [--million 2]
        [--rounds 5]

CHECKOUT is a checkout of the other revision with its own environment in `.venv`. Each makes its own demo
and its own generated answers, and the same is asked of both in turn. Printed are medians of processor
time, as ratios to the other's; a query's is its own, on a connection that was opened before, in a process
without evalhouse. DUCKDB is DuckDB's own command, for what is asked from a shell; without it Python's client
stands for it, of which most is starting Python.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

import duckdb

from bench import measure
from bench.data import ROOT
from bench.report import Report
from bench.side import Side

_README = "SELECT model, score FROM latest.score WHERE ability = 'Overall' ORDER BY rank"
_PAIR = (
    "FROM latest.paired_difference WHERE model_a = 'OpenFlamingo' AND model_b = 'OpenFlamingo v2'"
)
QUERIES = {
    "FROM latest.score": ("FROM latest.score", 1 / 200),
    "the README's query": (_README, 1 / 200),
    "latest.benchmark_score": ("FROM latest.benchmark_score", 1 / 60),
    "latest.leaderboard": ("FROM latest.leaderboard", 1 / 30),
    "answer_sheet WHERE score = 0 LIMIT 100": (
        "FROM latest.answer_sheet WHERE score = 0 LIMIT 100",
        1 / 40,
    ),
    "question_result of one model": ("FROM latest.question_result WHERE model = 'Shikra'", 1 / 40),
    "paired_difference of two models": (_PAIR, 1 / 40),
}
"""What a plain client asks of the demo, and the most that it may take of what it took."""
_ASK = """
import sys, time, duckdb
con = duckdb.connect(sys.argv[1], read_only=True)
if sys.argv[2]:
    con.execute("SET enable_progress_bar = false")
    begun = time.process_time()
    con.execute(sys.argv[2]).fetchall()
    print(time.process_time() - begun)
"""


_COMPUTE_OFTEN = """
import sys
from evalhouse import Warehouse
from queries.release import default_name
from queries.results import refresh
release = default_name()
with Warehouse(sys.argv[1]).writing() as con:
    runs = [run_id for (run_id,) in con.execute("SELECT run_id FROM main.run").fetchall()]
    for n in range(220):
        among = runs if n < 20 else runs[n % len(runs):][:1]
        con.execute(f"DELETE FROM {release}_internal.computed_run WHERE run_id IN ({','.join(map(str, among))})")
        assert refresh.refresh(con, release).n_built == len(among)
"""


class Measured(Side):
    """A side with its demo and generated answers."""

    def __init__(self, checkout: Path, folder: Path, million: int, shell: Path | None) -> None:
        super().__init__(checkout, folder)
        self.shell = shell
        self.of_demo = self.demo()
        self.many = self.answers(million)
        self.n_more = 0

    def query(self, sql: str, python: Path | None = None, db: Path | None = None) -> float:
        """The processor time of a query alone, of the demo."""
        command: list[str | Path] = [
            python or self.python, "-I", "-c", _ASK, db or self.of_demo, sql,
        ]  # fmt: skip
        return float(measure.process(command, cwd=self.folder).output)

    def client(self, sql: str) -> float:
        """The processor time of a whole plain client; without a query it opens the file."""
        if self.shell is not None:
            return measure.process([self.shell, "-readonly", self.of_demo, sql or "SELECT 1"]).cpu
        return measure.process([self.python, "-I", "-c", _ASK, self.of_demo, sql]).cpu

    def asked(self, words: Sequence[str]) -> float:
        """The processor time of a command on the demo."""
        return self.command(*words, "--db", self.of_demo).cpu

    def refresh(self) -> float:
        """The processor time of computing all runs of the generated answers."""
        self.command("refresh", "--drop", "--db", self.many)
        return self.command("refresh", "--db", self.many).cpu

    def one_more(self, which: str) -> float:
        """The processor time of reading one run of 100 answers more, with its results."""
        db: Path = getattr(self, which)
        self.n_more += 1
        sql = "SELECT question_key FROM main.question ORDER BY question_id LIMIT 100"
        with duckdb.connect(str(db), read_only=True) as con:
            keys = [key for (key,) in con.execute(sql).fetchall()]
            (dataset,) = con.execute("SELECT version, split FROM main.dataset").fetchall()
        rows = "".join(f"model {self.n_more},{key},A\n" for key in keys)
        file = self.folder / f"more{self.n_more}.csv"
        file.write_text(f"model,question_key,prediction\n{rows}", encoding="utf-8")
        options = [
            word
            for option, value in zip(("--version", "--split"), dataset, strict=True)
            if value is not None
            for word in (option, value)
        ]
        return self.command("ingest", file, "--benchmark", "MMBench", *options, "--db", db).cpu


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, required=True)
    parser.add_argument("--older-python", type=Path)
    parser.add_argument("--shell", type=Path)
    parser.add_argument("--million", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    report = Report("Results as tables: processor time, and the ratio to the revision before")
    with tempfile.TemporaryDirectory(prefix="targets-") as name:
        before = Measured(given.before, Path(name, "before"), given.million, given.shell)
        now = Measured(ROOT, Path(name, "now"), given.million, given.shell)

        def compare(what: str, work: Callable[[Measured], float], target: float) -> None:
            theirs, ours = measure.in_turn(given.rounds, lambda: work(before), lambda: work(now))
            ratio = median(ours) / median(theirs)
            figure = f"{measure.spread(ours)}, was {measure.spread(theirs)}: {ratio:.4f} ×"
            report.at_most(what, figure, ratio, target)

        report.section("a plain client, the query alone")
        for what, (sql, target) in QUERIES.items():
            compare(what, partial(Measured.query, sql=sql), target)
            if given.older_python is not None:
                older = median(now.query(sql, given.older_python) for _ in range(given.rounds))
                report.figure(f"{what}, the older DuckDB", f"{older:.3f} s")
        report.section("files")
        for what, sizes, target in (
            ("the demo", (now.of_demo, before.of_demo), 1.4),
            (f"{given.million} million", (now.many, before.many), 1.4),
        ):
            ours, theirs = (file.stat().st_size for file in sizes)
            figure = f"{ours / 1e6:.1f} MB, was {theirs / 1e6:.1f} MB"
            report.at_most(what, figure, ours / theirs, target)
        report.section("whole processes")
        compare("opening the file", lambda side: side.client(""), 0.5)
        compare("a client with the README's query", lambda side: side.client(_README), 1 / 40)
        for words in (["leaderboard", "MMBench"], ["sql", _README.replace("latest.", "")]):
            what = f"evalhouse {words[0]}"
            compare(what, partial(Measured.asked, words=words), 1 / 1.5)
        compare(f"refresh, {given.million} million", Measured.refresh, 0.5)
        for what in ("of_demo", "many"):
            compare(f"one run more, {what}", partial(Measured.one_more, which=what), 0.6)
        board = "FROM latest.leaderboard WHERE benchmark = 'MMBench' AND level = 'overall'"
        plain = [now.query(board, db=now.many) for _ in range(given.rounds)]
        whole = [now.command("leaderboard", "MMBench", "--db", now.many).cpu for _ in plain]
        report.at_most(
            f"leaderboard of {given.million} million, to the whole process of the command",
            f"{measure.spread(plain)} to {measure.spread(whole)}",
            median(plain) / median(whole),
            0.35,
        )
        fresh = now.of_demo.stat().st_size
        measure.process([now.python, "-c", _COMPUTE_OFTEN, now.of_demo])
        size = now.of_demo.stat().st_size
        report.at_most(
            "the demo after 20 computes of all runs and 200 of one",
            f"{size / 1e6:.1f} MB, was {fresh / 1e6:.1f} MB",
            size / fresh,
            1.5,
        )
    report.show()


if __name__ == "__main__":
    main()
