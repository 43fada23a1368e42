"""The run that goes out: found by its number, with the file that it came from."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import duckdb

from queries import session
from queries.mmvet_export import file_name
from warehouse import known_benchmarks
from warehouse.errors import UsageError


@dataclass(frozen=True)
class Run:
    """A run that counts.

    Attributes:
        columns: those of the file it came from, in its order; empty: not known.
        stem: that file's name, without the folder and what is behind the dot.
        declared_model: what the model was called there.
    """

    run_id: int
    model: str
    run: str
    dataset: str
    benchmark: str
    task: str
    version: str | None
    split: str | None
    language: str | None
    harness: str
    method: str
    columns: tuple[str, ...]
    stem: str
    declared_model: str | None

    @property
    def file_model(self) -> str:
        """The model's name as a part of a file's name."""
        return file_name(self.model)

    def file_dataset(self, *, split: bool = True) -> str:
        """The dataset's name as VLMEvalKit would call it, such as MMBench_DEV_EN_V11.

        Args:
            split: whether to name the split.
        """
        aliases = {one.name: one.aliases for one in known_benchmarks.known()}
        plain = self.benchmark.replace("-", "")
        name = plain if plain.lower() in aliases.get(self.benchmark, ()) else self.benchmark
        version = self.version
        if version is not None and re.fullmatch(r"\d\.\d", version):
            version = f"V{version[0]}{version[2]}"
        parts = (
            name,
            self.split.upper() if split and self.split else None,
            self.language.upper() if self.language else None,
            version,
        )
        return file_name("_".join(part for part in parts if part))


def find(con: duckdb.DuckDBPyConnection, run_id: int) -> tuple[Run, ...]:
    """A run and, behind it, the other splits of the same file's rows.

    Args:
        con: a connection with a release in use.
        run_id: its number.

    Raises:
        UsageError: there is no such run, or it does not count.
    """
    rows = session.frame(con, "export_runs", {"run_id": run_id}).to_dicts()
    if rows:
        return tuple(_run(row) for row in rows)
    there = con.execute("SELECT 1 FROM main.run WHERE run_id = ?", [run_id]).fetchall()
    if there:
        raise UsageError(f"run {run_id} is superseded or retracted: it is out of every view")
    raise UsageError(f"there is no run {run_id}; `evalhouse runs` lists them")


def require_sample(con: duckdb.DuckDBPyConnection, run: Run, sample: int | None) -> int:
    """The sample to write: the requested one, or the only one.

    Raises:
        UsageError: the run has no such sample, or several to choose from.
    """
    found = con.execute(
        "SELECT sample FROM main.run_sample WHERE run_id = ? ORDER BY 1", [run.run_id]
    ).fetchall()
    known = [int(one) for (one,) in found]
    if sample is None and len(known) == 1:
        return known[0]
    if sample in known:
        return int(sample or 0)
    listed = ", ".join(map(str, known)) or "none"
    if sample is None and known:
        raise UsageError(
            f"run {run.run_id} answered each question {len(known)} times, and the file holds one "
            f"answer: say --sample {listed}"
        )
    raise UsageError(f"run {run.run_id} has no sample {sample or 0}; there are {listed}")


def _run(row: dict[str, Any]) -> Run:
    flags = json.loads(row["flags"])
    columns, declared_model = flags.get("columns"), flags.get("model")
    return Run(
        run_id=row["run_id"],
        model=row["model"],
        run=row["run"],
        dataset=row["dataset"],
        benchmark=row["benchmark"],
        task=row["task"],
        version=row["version"],
        split=row["split"],
        language=row["language"],
        harness=row["harness"],
        method=row["method"],
        columns=tuple(columns) if isinstance(columns, list) else (),
        # Paths are kept as they were given, with either system's separators.
        stem=PurePath(row["path"].replace("\\", "/")).stem,
        declared_model=declared_model if isinstance(declared_model, str) else None,
    )
