"""What the benchmarks' servers take: MMBench's table of every pass, SEED-Bench's JSON lines.

VLMEvalKit's prediction file `{model}_{dataset}.xlsx`, `.tsv` or `.json`: a run as it came in.

The rows are those that the run has, pass by pass. The columns are those of the file that it came
from, in its order, if that had an index; else VLMEvalKit's own. What cannot come back as it was:

- images: the warehouse knows their hash alone;
- texts that differ from the dataset's, which hold, and questions, hints and other columns that
  differ from pass to pass: they are kept once per question, as its first pass has them;
- categories where no prediction file gave their spelling: they stand as question files spell them;
- white space around answers, splits and categories;
- the order of rows that did not stand pass by pass, and numbers other than the index, which are
  texts.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import duckdb

from queries import session
from queries.choosing import NONE, judges_of_task, require_among
from queries.export import chosen
from queries.export.chosen import Run
from queries.export.table import Table
from queries.install import LATEST
from warehouse.errors import UsageError
from warehouse.wording import counted

_HARNESS = "vlmevalkit"
_BEFORE = ("index", "question", "hint")
_BEHIND = ("answer", "category", "source", "l2-category", "comment")


def prediction_file(
    con: duckdb.DuckDBPyConnection, run_id: int, *, sample: int | None = None, release: str = LATEST
) -> Table:
    """A run's prediction file; the other splits that came from the same file are in it too.

    Args:
        run_id: the run's number.
        sample: which answer, where the run gave several to each question.
        release: a release by name or folder; it says which runs count.

    Raises:
        UsageError: no such run or sample, a run without answers in words, or an index that cannot
            be.
    """
    session.use_release(con, release)
    runs = chosen.find(con, run_id)
    run = runs[0]
    if run.method != "generation":
        raise UsageError(
            f"run {run_id} ranked the choices by {run.method} and has no answers in words, which are "
            "what a prediction file holds"
        )
    sample = chosen.require_sample(con, run, sample)
    known = chosen.facts(con, runs, sample)
    there = [one for one in known.passes if one["is_there"]]
    if not there:
        raise UsageError(f"run {run_id} has no answer to any question of {run.dataset}")
    rows = chosen.rows(known, there)
    columns = _vlmevalkit_columns(run, known, len(runs) > 1)
    unknown = [name for name in columns if not any(row.get(name) is not None for row in rows)]
    others = "".join(f" and {one.dataset}" for one in runs[1:])
    return Table(
        stem=f"{run.file_model}_{_declared_dataset(run) or run.file_dataset(split=len(runs) == 1)}",
        columns=columns,
        rows=tuple(tuple(row.get(name) for name in columns) for row in rows),
        summary=f"{run.model} ({run.run}) on {run.dataset}{others}: {counted(len(rows), 'row')}",
        notes=_vlmevalkit_notes(run, columns, unknown, len(known.passes) - len(there)),
    )


def _vlmevalkit_columns(run: Run, known: chosen.Facts, several: bool) -> tuple[str, ...]:
    if {"index", "prediction"} <= set(run.columns):
        return tuple(name for name in run.columns if name != "image")
    further = set(known.names) - {"image", "prediction", "split", "index", "question"}
    if known.abilities:
        further.add("category")
        if any(above for filed in known.abilities.values() for _, above in filed):
            further.add("l2-category")
    if any(one["answer"] is not None for one in known.passes):
        further.add("answer")
    behind = [name for name in _BEHIND if name in further]
    rest = sorted(further - {*_BEFORE, *_BEHIND, *known.labels})
    has_split = several or any(one["split"] is not None for one in known.passes)
    return (
        *(name for name in _BEFORE if name != "hint" or name in further),
        *known.labels,
        *behind,
        *rest,
        *(["split"] if has_split else []),
        "prediction",
    )


def _vlmevalkit_notes(
    run: Run, columns: tuple[str, ...], unknown: list[str], n_missing: int
) -> tuple[str, ...]:
    notes = []
    if "image" in run.columns:
        notes.append("the column image is left out: the warehouse keeps a hash of each image")
    if unknown:
        notes.append(f"empty in every row: {', '.join(unknown)}")
    if not {"index", "prediction"} <= set(run.columns):
        notes.append("the columns are VLMEvalKit's: those of the file it came from are not known")
    if n_missing:
        notes.append(
            f"{counted(n_missing, 'pass of the dataset has', 'passes of the dataset have')} no answer, and so no row"
        )
    if run.file_model != run.model:
        notes.append("the file's name cannot hold the model's name: read it back with --model")
    return tuple(notes)


def _declared_dataset(run: Run) -> str | None:
    """What the harness called the dataset, if the file that the run came from says so."""
    if run.harness != _HARNESS or not run.declared_model:
        return None
    name = run.stem.removeprefix(f"{run.declared_model}_")
    return name if name and name != run.stem else None


_OF_MMBENCH = ("MMBench", "CCBench")
_OF_SEEDBENCH = ("SEED-Bench", "SEED-Bench-2")


@dataclass(frozen=True)
class Lines:
    """A file of JSON lines, by name, and what it holds and does not hold."""

    name: str
    text: str
    summary: str
    notes: tuple[str, ...]


def mmbench(
    con: duckdb.DuckDBPyConnection,
    run_id: int,
    *,
    letters: bool = False,
    judge: str | None = None,
    sample: int | None = None,
    release: str = LATEST,
) -> Table:
    """MMBench's submission: a row for every pass of the dataset, also those without an answer.

    Args:
        letters: write the letter that the release read from each answer instead of the answer; runs
            that ranked the choices have nothing else.
        judge: the judge of the answers that the rules cannot read; by default none.
        sample: which answer, where the run gave several to each question.

    Raises:
        UsageError: no such run, a run of another benchmark, or one without a single answer.
    """
    run, sample = _chosen(con, run_id, _OF_MMBENCH, sample, release)
    known = chosen.facts(con, [run], sample)
    passes, notes = _answered(con, run, known.passes, sample, letters, judge)
    n_missing = sum(not one["is_there"] for one in passes)
    if n_missing:
        notes.append(
            f"{counted(n_missing, 'pass has', 'passes have')} no answer; the prediction is empty"
        )
    columns = ("index", "question", *known.labels, "prediction")
    rows = chosen.rows(known, passes)
    return Table(
        stem=f"{run.file_model}_{run.file_dataset()}",
        columns=columns,
        rows=tuple(tuple(row.get(name) for name in columns) for row in rows),
        summary=f"{run.model} ({run.run}) on {run.dataset}: {counted(len(rows), 'row')}",
        notes=tuple(notes),
    )


def seedbench(
    con: duckdb.DuckDBPyConnection,
    run_id: int,
    *,
    letters: bool = False,
    judge: str | None = None,
    sample: int | None = None,
    release: str = LATEST,
) -> Lines:
    """SEED-Bench's submission: `{"question_id", "prediction"}` a line, in the order of the
    questions.

    A question without an answer has no line. Arguments and errors are those of `mmbench`.
    """
    run, sample = _chosen(con, run_id, _OF_SEEDBENCH, sample, release)
    known = chosen.facts(con, [run], sample)
    of_first = [one for one in known.passes if one["pass"] == 0]
    passes, notes = _answered(con, run, of_first, sample, letters, judge)
    there = [one for one in passes if one["is_there"]]
    if len(there) < len(passes):
        notes.append(
            f"{counted(len(passes) - len(there), 'question has', 'questions have')} no answer, and so no line"
        )
    lines = [
        {"question_id": one["question_key"], "prediction": one["prediction"] or ""} for one in there
    ]
    return Lines(
        name=f"{run.benchmark}.{run.file_model}.jsonl",
        text="".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines),
        summary=f"{run.model} ({run.run}) on {run.dataset}: {counted(len(lines), 'line')}",
        notes=tuple(notes),
    )


def _chosen(
    con: duckdb.DuckDBPyConnection,
    run_id: int,
    benchmarks: tuple[str, ...],
    sample: int | None,
    release: str,
) -> tuple[Run, int]:
    session.use_release(con, release)
    run = chosen.find(con, run_id)[0]
    if run.benchmark not in benchmarks:
        raise UsageError(
            f"run {run_id} is of {run.benchmark}, and the submission is for {' or '.join(benchmarks)}"
        )
    return run, chosen.require_sample(con, run, sample)


def _answered(
    con: duckdb.DuckDBPyConnection,
    run: Run,
    passes: Any,
    sample: int,
    letters: bool,
    judge: str | None,
) -> tuple[list[dict[str, Any]], list[str]]:
    """The passes with what is to be submitted as their prediction, and notes on it."""
    ranked = run.method != "generation"
    if judge is not None and not letters:
        raise UsageError("--judge reads letters: it goes with --letters")
    notes = []
    made = list(passes)
    if ranked or letters:
        judge = judge or NONE
        require_among(judge, judges_of_task(con, "choice_extraction"))
        parameters = {"run_id": run.run_id, "sample": sample, "judge": judge}
        read = {
            (question, step): letter
            for question, step, letter in session.frame(
                con, "export_letters", parameters
            ).iter_rows()
        }
        made = [_lettered(one, read, ranked=ranked) for one in made]
        n_unread = sum(one["is_there"] and one["prediction"] is None for one in made)
        notes.append(f"predictions are letters, read under judge {judge}")
        if n_unread:
            notes.append(f"{counted(n_unread, 'answer')} gave no letter; the prediction is empty")
    if not any(one["is_there"] for one in made):
        raise UsageError(f"run {run.run_id} has no answer to any question of {run.dataset}")
    return made, notes


def _lettered(
    one: dict[str, Any], read: dict[tuple[int, int], str | None], *, ranked: bool
) -> dict[str, Any]:
    letter = read.get((one["question_id"], one["pass"]))
    is_there = letter is not None if ranked else one["is_there"]
    return {**one, "prediction": letter, "is_there": is_there}
