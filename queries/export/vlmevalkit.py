"""VLMEvalKit's prediction file `{model}_{dataset}.xlsx`, `.tsv` or `.json`: a run as it came in.

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

import duckdb

from queries import session
from queries.export import cells, chosen
from queries.export.chosen import Run
from queries.export.table import Table
from queries.install import LATEST
from warehouse.errors import UsageError
from warehouse.wording import counted

HARNESS = "vlmevalkit"
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
    known = cells.facts(con, runs, sample)
    there = [one for one in known.passes if one["is_there"]]
    if not there:
        raise UsageError(f"run {run_id} has no answer to any question of {run.dataset}")
    rows = cells.rows(known, there)
    columns = _columns(run, known, len(runs) > 1)
    unknown = [name for name in columns if not any(row.get(name) is not None for row in rows)]
    others = "".join(f" and {one.dataset}" for one in runs[1:])
    return Table(
        stem=f"{run.file_model}_{_declared_dataset(run) or run.file_dataset(split=len(runs) == 1)}",
        columns=columns,
        rows=tuple(tuple(row.get(name) for name in columns) for row in rows),
        summary=f"{run.model} ({run.run}) on {run.dataset}{others}: {counted(len(rows), 'row')}",
        notes=_notes(run, columns, unknown, len(known.passes) - len(there)),
    )


def _columns(run: Run, known: cells.Facts, several: bool) -> tuple[str, ...]:
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


def _notes(
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
    if run.harness != HARNESS or not run.declared_model:
        return None
    name = run.stem.removeprefix(f"{run.declared_model}_")
    return name if name and name != run.stem else None
