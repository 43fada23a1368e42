"""lm-evaluation-harness's `{model}/samples_{task}_{time}.jsonl`: a line per document and filter.

doc             the dataset's record; `lm_eval_docs` reads the question from it
arguments       the requests: prompts, and what a likelihood is of
resps           what the model said, once or several times
filter          the name of the filter, and in filtered_resps what it made of resps
filtered_resps  texts, or [log-likelihood, is greedy] as texts for each choice

Each filter is a run of its own, its name in the run's label. Where no filter leaves all that the
model said as it is, that is a run too (unfiltered), and the latest one. A log-likelihood is the sum
over the tokens of a choice; the harness's acc_norm and acc_bytes are in the view length_ranking.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import duckdb

from ingest import harness_results, staged_rows
from ingest.adapter import Adapter
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers, Scores
from ingest.harness_results import SamplesInfo
from ingest.lm_eval import lm_eval_records, lm_eval_scores
from ingest.lm_eval.lm_eval_records import Sample
from ingest.reading.probe import Probe, json_records
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError

_PLAIN = "none"
_UNFILTERED = "unfiltered"
_QUESTIONS = Questions(key="doc", text="doc", label="doc", answer="target", reference="target")


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the questions, and answers or likelihoods for each filter.

    Raises:
        InputError: a line that is not what it should be, with another kind of request than the
            first, or more lines than the results file lists.
    """
    path = probe.path
    info = harness_results.look(con, path, settings, harness_results.LM_EVAL)
    samples = [
        lm_eval_records.read(path, row, record)
        for row, record in enumerate(json_records(path, probe.kind), start=1)
        if isinstance(record, dict)
    ]
    by_filter: dict[str, list[Sample]] = defaultdict(list)
    for one in samples:
        by_filter[one.filter].append(one)
        if bool(one.values) != bool(samples[0].values):
            raise InputError(path, "is another kind of request than the first", row=one.row, field="arguments")  # fmt: skip
        if bool(one.question.choices) != bool(samples[0].question.choices):
            raise InputError(path, "has choices, where the first question has none, or the reverse", row=one.row, field="doc")  # fmt: skip
    notes: tuple[str, ...] = ()
    for lines in by_filter.values():
        notes = harness_results.check_number(path, info, settings, [one.row for one in lines])
    _stage_questions(con, samples)
    stage_answers = _stage_values if samples[0].values else _stage_texts
    answers, more = stage_answers(con, info, by_filter)
    for model, lines in zip(_variants(info, list(by_filter)), by_filter.values(), strict=True):
        staged_rows.add(
            con,
            "stage_harness_score",
            [row for one in lines for row in lm_eval_scores.rows(model, one)],
        )
    task = "choice" if samples[0].question.choices else "open"
    questions = replace(_QUESTIONS, task=task)
    return harness_results.staged(info, answers, questions=questions, notes=(*notes, *more))


def _stage_questions(con: duckdb.DuckDBPyConnection, samples: list[Sample]) -> None:
    """Stage each question once; lines of further filters say the same again."""
    filter_of: dict[tuple[str, int], str] = {}
    rows: dict[str, list[tuple[object, ...]]] = defaultdict(list)
    for one in samples:
        question = one.question
        if filter_of.setdefault((question.key, question.step), one.filter) != one.filter:
            continue
        place = (one.row, None, question.key)
        rows["stage_question"].append((*place, question.step, question.text, question.answer, None))
        rows["stage_choice"] += (
            (*place, question.step, label, n, text)
            for n, (label, text) in enumerate(question.choices.items())
        )
        rows["stage_reference"] += ((*place, n, text) for n, text in enumerate(question.references))
        if not question.step:
            rows["stage_attribute"] += ((*place, *pair) for pair in question.attributes.items())
        rows["stage_ability"] += (
            (*place, depth, level, f"doc.{name}", spelling)
            for depth, (level, name, spelling) in enumerate(question.abilities)
        )
    for table, of_table in rows.items():
        staged_rows.add(con, table, of_table)


def _stage_values(
    con: duckdb.DuckDBPyConnection, info: SamplesInfo, by_filter: dict[str, list[Sample]]
) -> tuple[Answers, list[str]]:
    variants = _variants(info, list(by_filter))
    scored = {one.scored for lines in by_filter.values() for one in lines}
    rows: list[tuple[object, ...]] = []
    for model, lines in zip(variants, by_filter.values(), strict=True):
        for one in lines:
            place = (one.row, model, None, one.question.key, one.question.step, 0, "answer")
            rows += ((*place, label, value, None, None) for label, value in one.values.items())
    staged_rows.add(con, "stage_score", rows)
    scores = Scores(
        key="doc",
        label="doc",
        variants=variants,
        method="loglik",
        reduction="sum",
        scored="letter" if scored == {"letter"} else "content",
    )
    return scores, []


def _stage_texts(
    con: duckdb.DuckDBPyConnection, info: SamplesInfo, by_filter: dict[str, list[Sample]]
) -> tuple[Answers, list[str]]:
    is_kept = any(all(one.filtered == one.said for one in lines) for lines in by_filter.values())
    raw_name = _UNFILTERED
    while raw_name in by_filter:
        raw_name += "_"
    variants = _variants(info, [*by_filter, *(() if is_kept else (raw_name,))])
    said = [(lines, False) for lines in by_filter.values()]
    if not is_kept:
        said.append((said[0][0], True))
    staged_rows.add(
        con,
        "stage_prediction",
        [
            (one.row, model, None, one.question.key, one.question.step, n, text, False)
            for model, (lines, is_raw) in zip(variants, said, strict=True)
            for one in lines
            for n, text in enumerate(one.said if is_raw else one.filtered)
        ],
    )
    notes = []
    if len(variants) > 1:
        notes.append(f"each filter is a run: {', '.join(by_filter)}")
    if not is_kept:
        notes.append(f"what the model said before any filter is the run that ends in {raw_name}")
    return Answers(key="doc", prediction="filtered_resps", variants=variants), notes


def _variants(info: SamplesInfo, filters: list[str]) -> dict[str, tuple[str, str]]:
    """By the model's name in the staging tables, the model and the label of each filter's run."""
    return {
        f"{info.model} ({name})": (
            info.model,
            info.label if name == _PLAIN else f"{info.label}_{name}",
        )
        for name in filters
    }


ADAPTER = Adapter(
    name="lm_eval_samples",
    version=1,
    description="lm-evaluation-harness's `{model}/samples_{task}_{time}.jsonl`: `doc, target, arguments, resps, filtered_resps, filter`; each filter is a run",
    needs=("doc_id", "doc", "target", "arguments", "filtered_resps", "filter"),
    accepts=lambda probe: probe.kind == "jsonl",
    stage=stage,
)
