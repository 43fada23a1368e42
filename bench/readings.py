"""How well each release reads answers whose readings are known.

    python -m bench.readings [FILE …] [--by style|language] [--peer PYTHON] [--time] [--misses]

Each line of a file is an answer: id, style, language, choices, text, and read (the label that a careful
person reads; null: it states none). Without files: those that the project was given, and those of
`tests/readings`. Printed are, for each release and each harness that PYTHON's environment has: the
share of stated choices that it reads right, the share of its readings that are wrong, the share of
answers that state none in which it reads one; with `--time` the processor time for 1,000 answers too,
planning apart.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from bench.data import ROOT
from bench.report import Report
from evalhouse import Warehouse
from queries import install

RELEASES = (
    "paper_v1",
    "vlmevalkit_0_0_20",
    "vlmevalkit_e8e78f0",
    "lmms_eval",
    "field_v1",
    "field_v2",
)
GIVEN = (
    Path(os.environ.get("EVALHOUSE_SHARED", ROOT / ".." / "shared")) / "field" / "readings.jsonl"
)
OWN = ROOT / "tests" / "readings"
_WORKER = Path(__file__).with_name("readings_worker.py")
_READ = "SELECT question_key, matched FROM {}.choice_match"
_COMPUTED = "SELECT sql FROM definition WHERE name = 'choice_match'"


@dataclass(frozen=True)
class Known:
    """An answer and what a careful person reads in it.

    Attributes:
        read: the label; None: it states none.
    """

    key: str
    style: str
    language: str
    choices: Mapping[str, str]
    text: str
    read: str | None


@dataclass(frozen=True)
class Quality:
    """How well answers were read, each a count."""

    stated: int
    right: int
    readings: int
    wrong: int
    unstated: int
    read_of_unstated: int

    @property
    def read(self) -> float:
        """The share of stated choices that are read right."""
        return _share(self.right, self.stated)

    @property
    def error(self) -> float:
        """The share of readings that are wrong."""
        return _share(self.wrong, self.readings)

    @property
    def made_up(self) -> float:
        """The share of answers that state nothing in which something is read."""
        return _share(self.read_of_unstated, self.unstated)

    def __str__(self) -> str:
        return f"read {self.read:6.1%}  wrong {self.error:6.1%}  of none {self.made_up:6.1%}"


def _share(part: int, whole: int) -> float:
    """Return a share; NaN: there is nothing to take it of."""
    return part / whole if whole else math.nan


def load(paths: Iterable[Path]) -> list[Known]:
    """Read the answers of files of known readings."""
    rows = [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]
    return [
        Known(row["id"], row["style"], row["language"], row["choices"], row["text"], row["read"])
        for row in rows
    ]


def quality(known: Sequence[Known], read: Mapping[str, str | None]) -> Quality:
    """Compare readings by key with what is known."""
    pairs = [(one.read, read.get(one.key)) for one in known]
    stated = [(wanted, found) for wanted, found in pairs if wanted is not None]
    readings = [(wanted, found) for wanted, found in pairs if found is not None]
    unstated = [found for wanted, found in pairs if wanted is None]
    return Quality(
        len(stated),
        sum(wanted == found for wanted, found in stated),
        len(readings),
        sum(wanted != found for wanted, found in readings),
        len(unstated),
        sum(found is not None for found in unstated),
    )


def warehouse(
    path: Path, known: Sequence[Known], names: Sequence[str] = ("field_v2",)
) -> Warehouse:
    """Make a warehouse of the answers as one run of a benchmark of their questions.

    Args:
        names: the releases to read them by.
    """
    house = Warehouse(path)
    questions, answers = path.with_name("questions.jsonl"), path.with_name("answers.jsonl")
    questions.write_text(
        "".join(
            json.dumps(
                {
                    "question_key": one.key,
                    "question": "?",
                    "answer": min(one.choices),
                    **one.choices,
                }
            )
            + "\n"
            for one in known
        ),
        "utf-8",
    )
    answers.write_text(
        "".join(
            json.dumps({"model": "m", "question_key": one.key, "prediction": one.text}) + "\n"
            for one in known
        ),
        "utf-8",
    )
    house.ingest(questions, benchmark="Readings", refresh=False)
    house.ingest(answers, benchmark="Readings")
    with house.writing() as con:
        missing = [name for name in names if name not in install.installed(con)]
    for name in missing:
        house.install_release(name)
    return house


def of_releases(path: Path, names: Sequence[str] = RELEASES) -> dict[str, dict[str, str | None]]:
    """Return what each release reads in the answers of a warehouse, by key."""
    with duckdb.connect(str(path), read_only=True) as con:
        return {name: dict(con.execute(_READ.format(name)).fetchall()) for name in names}


def seconds(folder: Path, known: Sequence[Known]) -> dict[str, float]:
    """Return the processor time that each release takes to read 1,000 answers, planning apart.

    The answers are put 20 times, each time with more white space at the end: no text is read twice.
    """
    many = [
        replace(one, key=f"{one.key} {n}", text=one.text + " " * n)
        for one in known
        for n in range(1, 21)
    ]
    path = warehouse(folder / "many.duckdb", many, RELEASES).path
    with duckdb.connect(str(path), read_only=True) as con:
        con.execute("SET enable_progress_bar = false")

        def spent(sql: str) -> float:
            begun = time.process_time()
            con.execute(sql).fetchall()
            return time.process_time() - begun

        def least(sql: str) -> float:
            return min(spent(sql) for _ in range(3))

        taken = {}
        for name in RELEASES:
            con.execute(f"SET search_path = '{name},{name}_internal,main'")
            # What is stored is read without being computed.
            ((made_by,),) = con.execute(_COMPUTED).fetchall()
            sql = f"SELECT question_key, matched FROM ({made_by})"
            taken[name] = 1000 * (least(sql) - least(f"EXPLAIN {sql}")) / len(many)
        return taken


def of_peers(python: str, known: Sequence[Known]) -> dict[str, dict[str, str | None]]:
    """Return what the harnesses of another environment read, by their names and the answers' keys.

    What one of them fails at is none, and is said on the standard error.
    """
    lines = "".join(
        json.dumps({"key": one.key, "choices": dict(one.choices), "text": one.text}) + "\n"
        for one in known
    )
    done = subprocess.run(
        [python, "-I", str(_WORKER)], input=lines, stdout=subprocess.PIPE, text=True, check=True
    )
    found: dict[str, dict[str, str | None]] = json.loads(done.stdout.splitlines()[-1])
    return found


def groups(known: Sequence[Known], by: str) -> dict[str, list[Known]]:
    """Group answers by style or language."""
    found: dict[str, list[Known]] = defaultdict(list)
    for one in known:
        found[getattr(one, by)].append(one)
    return dict(sorted(found.items()))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--by", choices=("style", "language"))
    parser.add_argument("--peer")
    parser.add_argument("--time", action="store_true", help="processor time for 1,000 answers")
    parser.add_argument("--misses", action="store_true", help="print what field_v2 reads otherwise")
    given = parser.parse_args()
    paths = given.files or [path for path in (GIVEN, *sorted(OWN.glob("*.jsonl"))) if path.exists()]
    report = Report("Answers whose readings are known")
    for path in paths:
        known = load([path])
        with tempfile.TemporaryDirectory() as folder:
            house = warehouse(Path(folder, "readings.duckdb"), known, RELEASES)
            read: dict[str, dict[str, str | None]] = of_releases(house.path)
            times = seconds(Path(folder), known) if given.time else {}
        if given.peer is not None:
            read |= of_peers(given.peer, known)
        report.section(f"{path.name}: {len(known)} answers")
        for name, its in read.items():
            took = f"  {1000 * times[name]:.0f} ms for 1,000" if name in times else ""
            report.figure(name, f"{quality(known, its)}{took}")
            for group, members in groups(known, given.by).items() if given.by else ():
                report.figure(f"  {group} ({len(members)})", str(quality(members, its)))
        for one in known if given.misses else ():
            found = read["field_v2"].get(one.key)
            if found != one.read:
                report.notes.append(f"{one.key} {one.style} {one.text!r}: {found}, not {one.read}")
    report.show()


if __name__ == "__main__":
    main()
