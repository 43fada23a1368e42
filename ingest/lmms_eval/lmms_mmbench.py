"""MMBench in lmms-eval's files: an object or a row with the question, its choices and the answer.

The columns are those of VLMEvalKit's files except for `L2-category`, and the text nan stands for a
missing value: a fifth choice, a hint, an answer that is hidden.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import polars as pl

from ingest import harness_results, indexed_rows
from ingest.harness_results import SamplesInfo
from ingest.lmms_eval import lmms_responses
from ingest.lmms_eval.lmms_responses import Place
from ingest.reading import json_rows
from ingest.reading.probe import Probe
from ingest.reading.raw import quoted
from ingest.staged import Staged
from warehouse import statements
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)
_FORMS = ("gpt_eval_score", "submission")
_NEEDS = ("index", "question", "A", "B")


def has(record: Mapping[str, Any]) -> bool:
    """Whether a sample is of this form."""
    return _question(record) is not None


def stage(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    info: SamplesInfo,
    records: Sequence[Mapping[str, Any]],
) -> Staged:
    """Stage questions, choices, answers, categories, and what the model said.

    Raises:
        InputError: a sample without its question, or with an index that is none.
    """
    found = []
    for row, record in enumerate(records, start=1):
        question = _question(record)
        if question is None:
            raise InputError(path, "is no object with a question", row=row, field=_FORMS[0])
        for name in _NEEDS:
            if name not in question:
                raise InputError(path, "is missing", row=row, field=f"{_FORMS[0]}.{name}")
        found.append({name: value for name, value in question.items() if name != "prediction"})
    names = json_rows.columns(found)
    cells = json_rows.cells(path, found, names)
    con.register(
        "question_cells", pl.DataFrame(cells, schema=dict.fromkeys(cells, pl.String)).to_arrow()
    )
    con.execute("CREATE OR REPLACE TEMP TABLE raw_table AS SELECT * FROM question_cells")
    con.unregister("question_cells")
    stage_questions(con, Probe(path, "jsonl", names), info.way)
    split = "nullif(trim(split), '')" if "split" in names else "NULL"
    rows = con.execute(
        f"SELECT __row, {split}, __key, __pass FROM stage_index ORDER BY 1"
    ).fetchall()
    places = {row: Place(its_split, key, number) for row, its_split, key, number in rows}
    variants, notes = lmms_responses.stage(con, path, info, records, places)
    answers = replace(indexed_rows.ANSWERS, prediction="filtered_resps", variants=variants)
    return harness_results.staged(info, answers, questions=indexed_rows.QUESTIONS, notes=notes)


def stage_questions(con: duckdb.DuckDBPyConnection, probe: Probe, way: str | None) -> Probe:
    """Stage questions from `raw_table`, and leave `raw` as a file of MMBench's; return its columns.

    Args:
        way: in what way the questions were put. Where the model had to reason, the answer read from
            its output may stand in place of the right answer, and is not taken for it.
    """
    names = tuple(
        name for name in probe.columns if name != "answer" or "reasoning" not in (way or "")
    )
    cells = ", ".join(
        f"{quoted(name)}"
        if name == "prediction"
        else f"nullif({quoted(name)}, 'nan') AS {quoted(name.lower() if len(name) > 1 else name)}"
        for name in names
    )
    some = ", ".join(quoted(name) for name in probe.columns)
    con.execute(_SQL["show_rows"].format(cells=cells, some=some))
    flat = Probe(
        probe.path, probe.kind, tuple(name.lower() if len(name) > 1 else name for name in names)
    )
    indexed_rows.check_index(con, flat)
    indexed_rows.stage_questions(con, flat)
    return flat


def _question(record: Mapping[str, Any]) -> Mapping[str, Any] | None:
    for name in _FORMS:
        found = record.get(name)
        if isinstance(found, dict) and "index" in found:
            return found
    return None
