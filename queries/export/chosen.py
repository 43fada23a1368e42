"""The run that goes out, found by its number, and the cells of its file row by row."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import duckdb

from queries import session
from queries.mmvet_export import file_name
from warehouse import known_benchmarks
from warehouse.errors import UsageError

_PASS_STEP = 1_000_000
"""Between the indexes of a question's passes."""

_Row = Mapping[str, int | str | None]


@dataclass(frozen=True)
class Facts:
    """What the columns of a prediction file are made of, by question, or question and pass."""

    passes: tuple[dict[str, Any], ...]
    choices: Mapping[tuple[int, int], Mapping[str, str]]
    attributes: Mapping[int, Mapping[str, str]]
    abilities: Mapping[int, Sequence[tuple[str, str | None]]]
    of_answers: Mapping[tuple[int, int, int], Mapping[str, str]]
    """What stood next to each answer, by run, question and pass."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Every label that a choice has, in the order of the alphabet."""
        return tuple(sorted({label for of_pass in self.choices.values() for label in of_pass}))

    @property
    def names(self) -> tuple[str, ...]:
        """Every name of an attribute."""
        return tuple(dict.fromkeys(name for of_one in self.attributes.values() for name in of_one))


def facts(con: duckdb.DuckDBPyConnection, runs: Sequence[Run], sample: int) -> Facts:
    """Read what is known of the runs' questions and what they answered."""
    parameters = {"run_ids": [run.run_id for run in runs]}
    choices: dict[tuple[int, int], dict[str, str]] = {}
    for question, step, label, text in session.frame(con, "export_choices", parameters).iter_rows():
        choices.setdefault((question, step), {})[label] = text
    attributes: dict[int, dict[str, str]] = {}
    for question, name, value in session.frame(con, "export_attributes", parameters).iter_rows():
        attributes.setdefault(question, {})[name] = value
    abilities: dict[int, list[tuple[str, str | None]]] = {}
    for question, _, name, above in session.frame(con, "export_abilities", parameters).iter_rows():
        abilities.setdefault(question, []).append((name, above))
    of_sample = {**parameters, "sample": sample}
    of_answers: dict[tuple[int, int, int], dict[str, str]] = {}
    for *place, name, value in session.frame(con, "export_answer_columns", of_sample).iter_rows():
        run, question, step = place
        of_answers.setdefault((run, question, step), {})[name] = value
    passes = session.frame(con, "export_passes", of_sample).to_dicts()
    return Facts(tuple(passes), choices, attributes, abilities, of_answers)


def rows(known: Facts, passes: Sequence[dict[str, Any]]) -> list[_Row]:
    """Each pass as a row by column; what is not known has no column in it.

    Raises:
        UsageError: an index cannot say which question and pass it is.
    """
    made: list[_Row] = []
    for one in passes:
        question, step = one["question_id"], one["pass"]
        filed = known.abilities.get(question, ())
        above = [name for _, name in filed if name is not None]
        made.append(
            {
                # Filed together, they stand with commas between, as MM-Vet's do.
                "category": ",".join(name for name, _ in filed) or None,
                "l2-category": above[0] if above else None,
                **known.attributes.get(question, {}),
                **known.of_answers.get((one["run_id"], question, step), {}),
                "index": _index(one["question_key"], step),
                "question": one["question"],
                "split": one["split"],
                **({} if one["answer"] is None else {"answer": one["answer"]}),
                **known.choices.get((question, step), {}),
                "prediction": one["prediction"],
            }
        )
    return made


def _index(key: str, step: int) -> int | str:
    """The index of a question's pass: the key plus a million for each pass before it.

    Raises:
        UsageError: the key is no number, or too large to number the passes.
    """
    is_number = key.isascii() and key.isdigit() and str(int(key)) == key
    if is_number and (int(key) < _PASS_STEP or step == 0):
        return int(key) + step * _PASS_STEP
    if step == 0:
        return key
    raise UsageError(
        f"pass {step} of question {key} has no index: that is the key plus {_PASS_STEP:,} for each "
        "pass, and so wants keys that are whole numbers below it"
    )


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
