"""Answers whose readings are known, what releases and harnesses read in them, and how well."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb

from bench import measure
from bench.measure import ROOT, SQL
from evalhouse import Warehouse
from queries import install

RELEASES = (
    *("paper_v1", "vlmevalkit_0_0_20", "vlmevalkit_e8e78f0", "lmms_eval"),
    *("field_v1", "field_v2"),
)
SHARED = Path(os.environ.get("EVALHOUSE_SHARED", ROOT.parent / "shared")).absolute()
"""The folder of real and example files."""
GIVEN = SHARED / "field" / "readings.jsonl"
OWN = ROOT / "tests" / "readings"
PEERS = Path(__file__).with_name("peers.py")
"""What runs in the environment of a peer."""
_READ = "SELECT question_key, matched FROM {}.choice_match"
_COMPUTED = "SELECT sql FROM definition WHERE name = 'choice_match'"
_OPTION = re.compile(r"^\(?([A-Z])[).:] ?(.+)$", re.MULTILINE)
_LABEL = re.compile(r"(?<![A-Za-z0-9])([A-Z])(?![A-Za-z0-9'])")


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
    """How well answers were read; None: there is nothing to take a share of.

    Attributes:
        read: the share of stated choices that are read right.
        error: the share of readings that are wrong.
        made_up: the share of answers that state nothing in which something is read.
    """

    read: float | None
    error: float | None
    made_up: float | None

    def __str__(self) -> str:
        shares = {"read": self.read, "wrong": self.error, "of none": self.made_up}
        return "  ".join(f"{n} {'-' if x is None else f'{x:.1%}':>6}" for n, x in shares.items())


def load(paths: Iterable[Path]) -> list[Known]:
    """Read the answers of files of known readings."""
    names = ("id", "style", "language", "choices", "text", "read")
    rows = [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]
    return [Known(*(row[name] for name in names)) for row in rows]


def quality(known: Sequence[Known], read: Mapping[str, str | None]) -> Quality:
    """Compare readings by key with what is known."""

    def share(hits: list[bool]) -> float | None:
        return sum(hits) / len(hits) if hits else None

    pairs = [(one.read, read.get(one.key)) for one in known]
    return Quality(
        share([wanted == found for wanted, found in pairs if wanted is not None]),
        share([wanted != found for wanted, found in pairs if found is not None]),
        share([found is not None for wanted, found in pairs if wanted is None]),
    )


def warehouse(
    path: Path, known: Sequence[Known], names: Sequence[str] = ("field_v2",)
) -> Warehouse:
    """Make a warehouse of the answers as one run of a benchmark of their questions.

    Args:
        names: the releases to read them by.
    """
    house = Warehouse(path)
    key, question = "question_key", {"question": "?"}
    files = {
        "questions": [
            {key: one.key, **question, "answer": min(one.choices), **one.choices} for one in known
        ],
        "answers": [{"model": "m", key: one.key, "prediction": one.text} for one in known],
    }
    for name, rows in files.items():
        file = path.with_name(f"{name}.jsonl")
        file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
        house.ingest(file, benchmark="Readings", refresh=name == "answers")
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
    rows = [{"key": one.key, "choices": dict(one.choices), "text": one.text} for one in known]
    done = subprocess.run(
        [python, "-I", PEERS, "readings"],
        input="".join(f"{json.dumps(row)}\n" for row in rows),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env=measure.environment(),
    )
    found: dict[str, dict[str, str | None]] = json.loads(done.stdout.splitlines()[-1])
    return found


def states(text: str, label: str) -> bool:
    """Return whether a label stands in a text for itself, and no other does."""
    return set(_LABEL.findall(text)) == {label}


def of_harnesses() -> Iterator[Known]:
    """Read the shared answers whose harness kept the letter that it read; it is their style."""
    for key, row in _lines("formats/evalscope/out/*/*/reviews/*/*.jsonl"):
        score = row["sample_score"]["score"]
        # Those whose prompt lists the choices.
        choices = dict(_OPTION.findall(_text(row["messages"][0]["content"])))
        read = score["extracted_prediction"]
        if read in choices and len(choices) > 1:
            yield Known(key, "evalscope", "", choices, score["prediction"], read)
    for key, row in _lines("wild/pyfade/tests/data/eval_*/samples_*.jsonl"):
        choices, (read, *_) = _labelled(row["doc"]["options"]), row["filtered_resps"]
        if read in choices:
            yield Known(key, "lm-eval", "", choices, row["resps"][0][0], read)
    for path in sorted(SHARED.glob("wild/eee/tests/data/inspect/*.json")):
        for sample in json.loads(path.read_text("utf-8")).get("samples") or ():
            read = sample["scores"].get("choice", {}).get("answer")
            choices = _labelled(sample["choices"] or [])
            if read in choices:
                said = _text(sample["output"]["choices"][0]["message"]["content"])
                key = f"{path.name} {sample['id']} {sample['epoch']}"
                yield Known(key, "Inspect", "", choices, said, read)


def of_judge(folder: Path) -> list[tuple[str, str, str | None, str]]:
    """Return the key, the judge's letter, what `field_v2` reads, and the text of judged answers of
    VLMEvalKit's work dir: those that `field_v1` left to the judge."""
    house = Warehouse(folder / "judged.duckdb")
    list(house.ingest_many(SHARED / "formats" / "vlmevalkit_field"))
    house.install_release("field_v1")
    with duckdb.connect(str(house.path), read_only=True) as con:
        return con.execute(SQL["judged_readings"]).fetchall()


def _lines(pattern: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read the JSON lines of files, each with a key."""
    for path in sorted(SHARED.glob(pattern)):
        for n, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            yield f"{path.relative_to(SHARED)}:{n}", json.loads(line)


def _labelled(choices: list[str]) -> dict[str, str]:
    return {chr(ord("A") + n): text for n, text in enumerate(choices)}


def _text(content: str | list[dict[str, Any]]) -> str:
    """Return the text of a message, which is one or has parts."""
    if isinstance(content, str):
        return content
    return "".join(part.get("text") or "" for part in content)
