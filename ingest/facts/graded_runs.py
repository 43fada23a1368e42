"""Which run the judgments of a file graded: what --run or the folder says, or else the only one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import duckdb

from ingest.checks import refuse_first
from ingest.facts import run_facts
from ingest.names import is_timestamp
from ingest.settings import Settings
from warehouse import statements
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class Graded:
    """What a file calls the columns that say what was judged, and the run that it names.

    Attributes:
        key: the question's id.
        model_column: the model that answered; None: the file has no such column.
        run: the label of the run that its folder is named after; None: it is not.
    """

    key: str
    model_column: str | None
    run: str | None


@dataclass(frozen=True)
class GradedRun:
    """A run that judgments of a file are of."""

    run_id: int
    model: str
    dataset: str
    label: str


def bind(
    con: duckdb.DuckDBPyConnection, path: Path, graded: Graded, settings: Settings | None = None
) -> list[GradedRun]:
    """Fill `stage_graded`: the question and run of each row with judgments; return the runs by id.

    Args:
        settings: how to find the runs in the warehouse; None: they are those that the file's own
            predictions have just become (`stage_run`), and are not returned.

    Raises:
        InputError: an unknown question, a run that is not there, or several that may be meant.
    """
    refuse = partial(refuse_first, con, path)

    def refuse_unknown() -> None:
        refuse(
            _SQL["unknown_questions"],
            graded.key,
            lambda row: f"the dataset has no question {row[1]}",
        )

    con.execute(_SQL["bind_rows"])
    found: list[GradedRun] = []
    if settings is not None:
        try:
            found = _find_runs(con, path, settings, graded)
        except InputError:
            # An unknown question says more: the file may be of another dataset.
            refuse_unknown()
            raise
    con.execute(_SQL["bind"])
    if con.execute(_SQL["is_each_of_one_run"]).fetchall() != [(True,)]:
        refuse_unknown()
        refuse(
            _SQL["questions_without_run"],
            graded.key,
            lambda row: f"there is no run of {row[2]} on the dataset of question {row[1]}",
        )
        refuse(
            _SQL["questions_of_several_datasets"],
            graded.key,
            lambda row: (
                f"question {row[1]} is one of several datasets; say which with --version, --split or "
                "--language"
            ),
        )
    return found


def _find_runs(
    con: duckdb.DuckDBPyConnection, path: Path, settings: Settings, graded: Graded
) -> list[GradedRun]:
    """Find the run of each model and dataset of the file; fill `stage_run`."""
    rows = con.execute(_SQL["live_runs"]).fetchall()
    pairs = [(key, list(runs)) for key, runs in groupby(rows, key=itemgetter(0, 1, 2, 3, 4))]
    found: dict[int, GradedRun] = {}
    places = []
    for (_, model, split_key, dataset_id, dataset), runs in pairs:
        live = [
            GradedRun(run_id, name, dataset, label)
            for *_, name, run_id, label in runs
            if run_id is not None
        ]
        picked = _pick(path, settings, graded.run, (model, dataset), live)
        if picked is not None:
            found[picked.run_id] = picked
            places.append((picked.run_id, model, split_key, dataset_id))
    there = {(model, split_key) for _, model, split_key, _ in places}
    for (row, model, split_key, _, dataset), _ in pairs:
        if (model, split_key) not in there:
            label = f" {settings.run}" if settings.run else ""
            raise InputError(
                path,
                f"there is no run{label} of {model} on {dataset}; ingest its predictions first"
                if not label
                else f"there is no run{label} of {model} on {dataset}",
                row=row if graded.model_column else None,
                field=graded.model_column,
            )
    run_facts.note_runs(con, places)
    return [found[run_id] for run_id in sorted(found)]


def _pick(
    path: Path, settings: Settings, run: str | None, of: tuple[str, str], live: list[GradedRun]
) -> GradedRun | None:
    """The run that is meant of those of a model and dataset; None: there is none."""
    model, dataset = of
    wanted = settings.run or run
    named = [one for one in live if one.label == wanted]
    if named or settings.run is not None:
        return named[0] if named else None
    if wanted is not None and len(live) == 1 and is_timestamp(live[0].label):
        # Two work dirs of the same model: the folder's own run is not here.
        raise InputError(
            path,
            f"lies in the work dir of run {wanted} of {model}, which is not here ({live[0].label} "
            "is); ingest its predictions first, or say which run with --run LABEL",
        )
    if len(live) > 1:
        labels = ", ".join(one.label for one in live)
        raise InputError(
            path, f"{model} has several runs on {dataset} ({labels}); say which with --run LABEL"
        )
    return live[0] if live else None
