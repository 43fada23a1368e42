"""What the tests of judging share: a server that misbehaves, and warehouses with something to judge."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from evalhouse import Warehouse
from evalhouse.judging import Assignment, JudgeSettings, assign
from judge.budget import Budget
from judge.job import Progress
from tests.conftest import ROOT
from tests.tables import write_jsonl

MODEL = "judge-1"
KEY = "sk-secret-0123456789abcdefghij"
_MAIN = "from evalhouse.cli import main; main()"


@dataclass
class JudgeServer:
    """A running `tests.judge_server` and its log."""

    url: str
    log: Path

    def lines(self, event: str = "request") -> list[dict[str, Any]]:
        """What the server noted: `request` or `replied`."""
        text = self.log.read_text("utf-8")
        # The last line may be half written.
        whole = text[: text.rfind("\n") + 1].splitlines()
        return [line for line in map(json.loads, whole) if line["event"] == event]

    def __len__(self) -> int:
        """Requests that came."""
        return len(self.lines())

    def by_tag(self) -> Counter[str]:
        """Requests that came, by the prompt's tag."""
        return Counter(line["tag"] for line in self.lines())


@contextmanager
def serving(folder: Path, *, latency: float = 0.0) -> Iterator[JudgeServer]:
    """A server for as long as the `with` lasts."""
    log = folder / "server.jsonl"
    log.touch()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.judge_server", "--log", log, "--latency", str(latency)],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        yield JudgeServer(f"http://127.0.0.1:{int(process.stdout.readline())}/v1", log)
    finally:
        process.kill()
        process.wait()


def fill(
    house: Warehouse,
    answers: Mapping[str, Mapping[str, Sequence[str]]],
    *,
    choices: Sequence[Mapping[str, str]] = ({"A": "cat", "B": "dog", "C": "emu"},),
    correct: Sequence[str] = ("A",),
    folder: Path | None = None,
) -> Warehouse:
    """Questions of a choice benchmark, and what models said.

    Args:
        answers: model, question key, and the raw output of each pass.
        choices: of each pass, the same for all questions; the texts of questions differ.
        correct: each pass's answer.
    """
    folder = folder or house.path.parent
    keys = list(dict.fromkeys(key for said in answers.values() for key in said))
    rows = [
        {"question_key": key, "pass": n, "question": f"Q {key}", **choices[n], "answer": correct[n]}
        for key in keys
        for n in range(len(choices))
    ]
    house.ingest(write_jsonl(folder / "questions.jsonl", rows), benchmark="Own")
    said = [
        {"model": model, "question_key": key, "pass": n, "prediction": text}
        for model, of_model in answers.items()
        for key, texts in of_model.items()
        for n, text in enumerate(texts)
    ]
    house.ingest(write_jsonl(folder / "said.jsonl", said), benchmark="Own")
    return house


def unclear(n: int, text: str = "hmm") -> dict[str, list[str]]:
    """So many questions with an answer each that no rule reads; its tag is the question's key."""
    return {str(key): [f"{text} cannot tell #{key}"] for key in range(n)}


def assigned(house: Warehouse, server: JudgeServer | None, **settings: Any) -> Assignment:
    """A judge with the only task there is."""
    settings = {"model": MODEL, "timeout": 5.0, **settings}
    if server is not None:
        settings["base_url"] = server.url
    (found,) = assign(house.path, JudgeSettings(**settings))
    return found


def judged(
    house: Warehouse, server: JudgeServer | None, budget: Budget | None = None, **settings: Any
) -> Progress:
    """Judge until nothing is needed any more."""
    return assigned(house, server, **settings).run(budget or Budget())


def rows(house: Warehouse, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Rows of a query under the newest release."""
    with house.reading() as con:
        con.execute("SET search_path = 'field_v2,main'")
        return con.execute(sql, list(values)).fetchall()


def judgments(house: Warehouse) -> list[tuple[Any, ...]]:
    """Key and raw reply of everything that was judged."""
    return rows(
        house, "SELECT request_key, reply FROM main.judgment WHERE error IS NULL ORDER BY ALL"
    )


def command(*words: object, cwd: Path, **env: str) -> subprocess.Popen[str]:
    """`evalhouse …` as a process of its own, with the key in the environment."""
    return subprocess.Popen(
        [sys.executable, "-c", _MAIN, *map(str, words)],
        cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT), "NO_COLOR": "1", "COLUMNS": "200", "OPENAI_API_KEY": KEY} | env,
    )  # fmt: skip


def finished(process: subprocess.Popen[str], *, timeout: float = 120) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of a command."""
    out, err = process.communicate(timeout=timeout)
    return process.returncode, out, err


@contextmanager
def held(path: Path, *, read_only: bool = False) -> Iterator[None]:
    """Another process has the warehouse open."""
    script = (
        "import duckdb, sys\n"
        f"con = duckdb.connect({str(path)!r}, read_only={read_only})\n"
        "print('open', flush=True)\nsys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        yield
    finally:
        holder.kill()
        holder.wait()


def opens(path: Path) -> bool:
    """Whether DuckDB opens the file and reads it."""
    with duckdb.connect(str(path), read_only=True) as con:
        return bool(con.execute("SELECT count(*) FROM main.judgment").fetchall())
