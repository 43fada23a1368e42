"""lmms-eval's MMBench submission, `submissions/{task}_results.xlsx`: it does not name its model.

The folder holds those of the last model alone. The columns are those of VLMEvalKit's files except
for `L2-category`, and the text nan stands for a missing value: a fifth choice, a hint, an answer
that is hidden.
"""

from __future__ import annotations

import re
from dataclasses import replace

import duckdb

from ingest import indexed_rows, results_files
from ingest.adapter import Adapter
from ingest.names import read_dataset_name
from ingest.reading.probe import Probe
from ingest.reading.raw import quoted
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import statements
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)
_NAME = re.compile(r"(?P<task>\w+)_results")


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the questions and the answers.

    Raises:
        InputError: the model is not given.
    """
    if settings.model is None:
        raise InputError(probe.path, "does not name the model; give it with --model")
    named = _NAME.fullmatch(probe.path.stem)
    task = named["task"] if named else probe.path.stem
    plain, way = results_files.without_way(task)
    known = con.execute("SELECT name FROM main.benchmark").fetchall()
    given = (settings.benchmark,) if settings.benchmark else ()
    flat = _flat(con, probe, reasoned="reasoning" in (way or ""))
    indexed_rows.check_index(con, flat)
    indexed_rows.stage_questions(con, flat)
    indexed_rows.stage_predictions(con, flat, settings.model)
    answers = replace(
        indexed_rows.ANSWERS, model=settings.model, run=probe.path.stem, harness="lmms-eval"
    )
    return Staged(
        dataset=read_dataset_name(plain, (*(str(name) for (name,) in known), *given)),
        task_name=task,
        questions=indexed_rows.QUESTIONS,
        answers=answers,
        inferred=dict.fromkeys(
            ("run", "benchmark", "version", "split", "language"), "the file's name"
        ),
    )


def _flat(con: duckdb.DuckDBPyConnection, probe: Probe, *, reasoned: bool) -> Probe:
    """Leave `raw` as a file of MMBench's; return its columns.

    Args:
        reasoned: the model had to reason. What was read from its output may stand in place of the right
            answer then, and is not taken for it.
    """
    names = tuple(name for name in probe.columns if name != "answer" or not reasoned)
    flat = tuple(name.lower() if len(name) > 1 else name for name in names)
    cells = ", ".join(
        quoted(name)
        if name == "prediction"
        else f"nullif({quoted(name)}, 'nan') AS {quoted(other)}"
        for name, other in zip(names, flat, strict=True)
    )
    some = ", ".join(quoted(name) for name in probe.columns)
    con.execute(_SQL["show_rows"].format(cells=cells, some=some))
    return Probe(probe.path, probe.kind, flat)


ADAPTER = Adapter(
    name="lmms_submission",
    version=1,
    description="lmms-eval's submissions of MMBench, `{task}_results.xlsx`: `index, question, A…, "
    "l2-category, prediction`; with `--model`",
    needs=("index", "question", "A", "B", "L2-category", "prediction"),
    accepts=lambda probe: True,
    stage=stage,
)
