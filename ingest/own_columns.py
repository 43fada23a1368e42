"""The columns of a file of answers that are about each answer, and not about its question.

Harnesses write a dataset's columns, then `prediction`, and behind it what else a model or its server
gave: thinking, times, tokens. What stands behind is the answer's, and so is what a name says to be;
of any other column one file does not tell. `facts.answer_columns` decides with what is known of the
dataset: what its question file has is the question's, and what differs between files is no question's.
"""

from __future__ import annotations

from collections.abc import Mapping

import duckdb

from ingest import cells
from ingest.loading import Columns
from ingest.reading.probe import Probe
from ingest.reading.raw import literal

_OF_QUESTIONS = frozenset(
    ("index", "question", "question_key", "question_id", "image", "images", "split", "pass", "sample",
     "model", "failed", "answer", "answers", "answer_option", "answer_type", "reference", "references",
     "gt", "target", "gold", "label", "gpt4_ans", "choices", "candidates", "options", "hint", "category", "l2-category",
     "l2_category", "metadata", "question_type", "precision", "unit", "prediction", "components")
)  # fmt: skip
"""What is read as something else, or may be in any question file of VLMEvalKit's."""
_ABILITY = "ability_"
REASONING = frozenset(
    ("thinking", "think", "thought", "thoughts", "reasoning", "reasoning_content", "reasoning_text",
     "reasoning_trace", "chain_of_thought", "cot", "scratchpad")
)  # fmt: skip
OF_ANSWERS = REASONING | {
    "extra_records", "raw_prediction", "raw_output", "raw_response", "raw_answer", "full_prediction",
    "response", "output", "generation", "completion", "time", "latency", "elapsed", "runtime",
    "seconds", "timestamp", "tokens", "n_tokens", "num_tokens", "input_tokens", "output_tokens",
    "prompt_tokens", "completion_tokens", "total_tokens", "reasoning_tokens", "usage", "cost",
    "finish_reason", "stop_reason", "error", "attempts", "retries", "seed", "temperature", "logprobs",
}  # fmt: skip


def of(probe: Probe, *, are_all_own: bool = False) -> Columns:
    """The further columns of a file of answers.

    Args:
        are_all_own: it has no questions, so that nothing of them stands in it.
    """
    further = [
        name
        for name in probe.columns
        if name.lower() not in _OF_QUESTIONS
        and name not in probe.choice_columns
        and not name.startswith(_ABILITY)
    ]
    behind = set(further) if are_all_own else _behind_prediction(probe)
    own = [name for name in further if name in behind or name.lower() in OF_ANSWERS]
    return Columns(tuple(own), tuple(name for name in further if name not in own))


def stage_named(
    con: duckdb.DuckDBPyConnection, probe: Probe, model: str, key: str, pass_: str = "0"
) -> Columns:
    """Stage and return the columns of `raw` whose names say that they are the answers'.

    Args:
        key: SQL for the question's key.
        pass_: SQL for the pass.
    """
    columns = Columns(tuple(name for name in probe.columns if name.lower() in OF_ANSWERS))
    place = {"model": literal(model), "question_key": key, "pass_": pass_}
    stage(con, columns, place, "raw AS r")
    return columns


def _behind_prediction(probe: Probe) -> set[str]:
    """The columns behind the prediction, where those of the question stand before it."""
    if not probe.has("prediction"):
        return set()
    place = probe.columns.index("prediction")
    behind = probe.columns[place + 1 :]
    questions = {"index", "question", *probe.choice_columns}
    return set() if questions & set(behind) else set(behind)


def stage(
    con: duckdb.DuckDBPyConnection, columns: Columns, place: Mapping[str, str], source: str
) -> None:
    """Stage their cells for each answer.

    Args:
        place: SQL for model, split, question_key, pass_ and sample, as `staged_rows.select` takes it.
        source: SQL that stands after FROM, in which the file's rows are `r`.
    """
    parts = ("NULL", "NULL", "NULL", "0", "0")
    names = ("model", "split", "question_key", "pass_", "sample")
    found = [place.get(name, default) for name, default in zip(names, parts, strict=True)]
    cells.stage(
        con,
        "stage_answer_attribute",
        f"r.__row, {', '.join(found)}",
        source,
        [((literal(name),), cells.text(name, of="r.")) for name in columns.every],
    )
