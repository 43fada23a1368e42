"""lm-evaluation-harness's `{model}/samples_{task}_{time}.jsonl`: a line per document and filter.

doc             the dataset's record; `lm_eval_docs` reads the question from it
arguments       the requests: prompts, and what a likelihood is of
resps           what the model said, once or several times
filter          the name of the filter, and in filtered_resps what it made of resps
filtered_resps  texts, or [log-likelihood, is greedy] as texts for each choice

Each filter is a run of its own, its name in the run's label. Where no filter leaves all that the
model said as it is, that is a run too (unfiltered), and not the latest one: boards show what the
harness scored. A log-likelihood is the sum over the tokens of a choice; the harness's acc_norm and
acc_bytes are in the view length_ranking, and its mass of several right choices in right_mass.

One continuation to each prompt (lambada) is an open question: the model's answer is that where it
was greedy, and else is not known. Likelihoods of whole texts (wikitext) are no answers.

Lines are read some hundred at a time, and are nowhere held as a whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

import duckdb

from ingest import harness_results, staged_rows
from ingest.adapter import Adapter, ByProductError
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers, Scores
from ingest.harness_results import SamplesInfo
from ingest.lm_eval import (
    lm_eval_benchmark,
    lm_eval_kind,
    lm_eval_metrics,
    lm_eval_records,
    lm_eval_scores,
)
from ingest.lm_eval.lm_eval_docs import RIGHT_CHOICES, TARGET
from ingest.lm_eval.lm_eval_metrics import ExactMatch
from ingest.lm_eval.lm_eval_records import Sample
from ingest.reading import json_map
from ingest.reading.probe import Probe, json_records
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError
from warehouse.wording import counted

_PLAIN = "none"
_UNFILTERED = "unfiltered"
_QUESTIONS = Questions(key="doc", text="doc", label="doc", answer="target", reference="target")
_AT_ONCE = 500
_KINDS = {
    "ranked": "likelihoods of choices",
    "greedy": "the likelihood of one continuation",
    "generated": "answers",
}


@dataclass
class _Seen:
    """What the lines said that were read so far.

    Attributes:
        filter_of: the filter under which each question came first; lines of others say it again.
        rows: the lines of each filter.
        changing: the filters that changed an answer.
        scored: content or letter.
        n_right: questions with several right choices.
        n_reduced: questions whose target was more than the reference.
        n_unknown: answers that are not known, as they were others than the continuation.
        n_numbers: references that are numbers, of n_references.
    """

    first: Sample | None = None
    filter_of: dict[tuple[str, int], str] = field(default_factory=dict)
    rows: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    changing: set[str] = field(default_factory=set)
    scored: set[str] = field(default_factory=set)
    n_right: int = 0
    n_reduced: int = 0
    n_unconditional: int = 0
    n_unknown: int = 0
    n_references: int = 0
    n_numbers: int = 0


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the questions, and answers or likelihoods for each filter.

    Raises:
        ByProductError: it holds likelihoods of whole texts.
        InputError: a line that is not what it should be, with another kind of request than the
            first, or more lines than the results file lists.
    """
    path = probe.path
    looked = harness_results.look(con, path, settings, harness_results.LM_EVAL)
    info = lm_eval_benchmark.named(settings, looked)
    metric = lm_eval_metrics.exact_match(info.config)
    seen = _Seen()
    lines = _samples(probe, metric)
    while chunk := list(islice(lines, _AT_ONCE)):
        for one in chunk:
            _look(probe, seen, one)
        _stage_questions(con, seen, chunk)
        _stage_answers(con, info, seen, chunk)
    first = seen.first
    if first is None:
        raise InputError(path, "the file is empty")
    notes = list(info.notes)
    for rows in seen.rows.values():
        of_number = harness_results.check_number(path, info, settings, rows)
    notes += of_number
    answers = _scores(info, seen) if first.values else _texts(con, info, seen, notes)
    notes += _notes(seen, metric)
    task = "choice" if first.question.choices else "open"
    found = harness_results.staged(
        replace(info, notes=()), answers, questions=replace(_QUESTIONS, task=task), notes=notes
    )
    made = lm_eval_benchmark.new(
        con,
        settings,
        found,
        # One continuation is said or not, to the letter.
        ExactMatch(is_known=True) if first.kind == "greedy" else metric,
        all_numbers=seen.n_numbers == seen.n_references,
        is_named_after_task=info is not looked,
    )
    n_rows = sum(map(len, seen.rows.values()))
    return replace(found, new_benchmark=made, n_rows=n_rows)


def _samples(probe: Probe, metric: ExactMatch) -> Iterator[Sample]:
    """The lines, one by one.

    Raises:
        ByProductError: they are of whole texts.
        InputError: one is not what it should be.
    """
    path = probe.path
    for row, record in enumerate(json_records(path, probe.kind), start=1):
        if not isinstance(record, dict):
            raise InputError(path, "is not a JSON object", row=row)
        if isinstance(record, json_map.Repeated):
            raise InputError(path, "the key stands twice", row=row, field=record.key)
        if row == 1 and lm_eval_records.is_of_whole_texts(record):
            raise ByProductError(path, lm_eval_records.WHOLE_TEXTS)
        yield lm_eval_records.read(path, row, record, metric)


def _look(probe: Probe, seen: _Seen, one: Sample) -> None:
    """Take note of a line.

    Raises:
        InputError: it is of another kind than the first.
    """
    first = seen.first = seen.first or one
    if one.kind != first.kind:
        raise InputError(
            probe.path,
            f"is another kind of request than the first: {_KINDS[one.kind]}, not {_KINDS[first.kind]}",
            row=one.row,
            field="arguments",
        )
    if bool(one.question.choices) != bool(first.question.choices):
        raise InputError(
            probe.path,
            "has choices, where the first question has none, or the reverse",
            row=one.row,
            field="doc",
        )
    seen.rows[one.filter].append(one.row)
    if one.values:
        seen.scored.add(one.scored)
    if one.filtered != one.said:
        seen.changing.add(one.filter)
    seen.n_unconditional += one.n_unconditional
    if one.kind == "greedy":
        seen.n_unknown += one.filtered[0] is None


def _stage_questions(con: duckdb.DuckDBPyConnection, seen: _Seen, chunk: list[Sample]) -> None:
    """Stage each question once; lines of further filters say the same again."""
    rows: dict[str, list[tuple[object, ...]]] = defaultdict(list)
    for one in chunk:
        question = one.question
        place = (question.key, question.step)
        if seen.filter_of.setdefault(place, one.filter) != one.filter:
            continue
        seen.n_right += RIGHT_CHOICES in question.attributes
        seen.n_reduced += TARGET in question.attributes
        seen.n_references += len(question.references)
        seen.n_numbers += sum(map(lm_eval_benchmark.is_number, question.references))
        start = (one.row, None, question.key)
        rows["stage_question"].append((*start, question.step, question.text, question.answer, None))
        rows["stage_choice"] += (
            (*start, question.step, label, n, text)
            for n, (label, text) in enumerate(question.choices.items())
        )
        rows["stage_reference"] += ((*start, n, text) for n, text in enumerate(question.references))
        if not question.step:
            rows["stage_attribute"] += ((*start, *pair) for pair in question.attributes.items())
        rows["stage_ability"] += (
            (*start, depth, level, f"doc.{name}", spelling)
            for depth, (level, name, spelling) in enumerate(question.abilities)
        )
    for table, of_table in rows.items():
        staged_rows.add(con, table, of_table)


def _stage_answers(
    con: duckdb.DuckDBPyConnection, info: SamplesInfo, seen: _Seen, chunk: list[Sample]
) -> None:
    """Stage the values or texts under each filter, and what was said before the first of them."""
    scores: list[tuple[object, ...]] = []
    texts: list[tuple[object, ...]] = []
    metrics: list[tuple[object, ...]] = []
    attributes: list[tuple[object, ...]] = []
    first_filter = next(iter(seen.rows))
    for one in chunk:
        place = (None, one.question.key, one.question.step)
        model = _staged_model(info, one.filter)
        metrics += lm_eval_scores.rows(model, one)
        scores += (
            (one.row, model, *place, 0, "answer", label, value, None, None)
            for label, value in one.values.items()
        )
        texts += ((one.row, model, *place, n, text, False) for n, text in enumerate(one.filtered))
        if one.filter == first_filter:
            model = _staged_model(info, None)
            texts += ((one.row, model, *place, n, text, False) for n, text in enumerate(one.said))
            # The prompt is the same for each filter's answer.
            attributes += ((one.row, None, *place, 0, *pair) for pair in one.attributes.items())
    staged_rows.add(con, "stage_score", scores)
    staged_rows.add(con, "stage_prediction", texts)
    staged_rows.add(con, "stage_harness_score", metrics)
    staged_rows.add(con, "stage_answer_attribute", attributes)


def _scores(info: SamplesInfo, seen: _Seen) -> Scores:
    return Scores(
        key="doc",
        label="doc",
        variants=_variants(info, seen),
        method="loglik",
        reduction="sum",
        scored="letter" if seen.scored == {"letter"} else "content",
    )


def _texts(
    con: duckdb.DuckDBPyConnection, info: SamplesInfo, seen: _Seen, notes: list[str]
) -> Answers:
    is_kept = seen.changing != set(seen.rows)
    if is_kept:
        # A filter's run is what was said.
        con.execute("DELETE FROM stage_prediction WHERE model = ?", [_staged_model(info, None)])
    variants = _variants(info, seen, said=not is_kept)
    if len(variants) > 1:
        notes.append(f"each filter is a run: {', '.join(seen.rows)}")
    if not is_kept:
        notes.append(
            f"what the model said before any filter is the run that ends in {_name_of_said(seen)}"
        )
    return Answers(key="doc", prediction="filtered_resps", variants=variants)


def _staged_model(info: SamplesInfo, filter_name: str | None) -> str:
    """The model's name in the staging tables; None: of what was said before any filter."""
    # No filter's name is empty.
    return f"{info.model} ({filter_name or ''})"


def _variants(info: SamplesInfo, seen: _Seen, *, said: bool = False) -> dict[str, tuple[str, str]]:
    """By the model's name in the staging tables, the model and the label of each filter's run.

    The last one is the latest run, which boards show: a filter's.
    """
    found = {}
    if said:
        found[_staged_model(info, None)] = (info.model, f"{info.label}_{_name_of_said(seen)}")
    for name in seen.rows:
        label = info.label if name == _PLAIN else f"{info.label}_{name}"
        found[_staged_model(info, name)] = (info.model, label)
    return found


def _name_of_said(seen: _Seen) -> str:
    name = _UNFILTERED
    while name in seen.rows:
        name += "_"
    return name


def _notes(seen: _Seen, metric: ExactMatch) -> list[str]:
    """What is not as the harness has it, and why."""
    notes = []
    if seen.n_right:
        notes.append(
            f"{counted(seen.n_right, 'question has', 'questions have')} several right "
            f"choices (the attribute {RIGHT_CHOICES}); "
            "they have no answer, and are scored in the view right_mass alone"
        )
    if seen.n_reduced:
        notes.append(
            f"{counted(seen.n_reduced, 'reference is', 'references are')} what "
            "exact_match leaves of the target, all of which "
            f"is the attribute {TARGET}"
        )
    if seen.n_unconditional:
        notes.append(
            f"{seen.n_unconditional:,} likelihoods of choices without their question are attributes of "
            "the answers (unconditional), from which acc_mutual_info is computed"
        )
    if seen.first is not None and seen.first.kind == "greedy":
        notes.append(
            "each question has one continuation: an answer is that where it was the model's greedy "
            f"choice, and empty where it was not ({seen.n_unknown:,}), since the file does not hold "
            "the other words; perplexity is not computed here"
        )
    if metric.left:
        notes.append(f"exact_match ignores {', '.join(metric.left)} there, and not here")
    ignored = ["punctuation"] * metric.ignores_punctuation + ["digits"] * metric.ignores_numbers
    if ignored:
        notes.append(f"exact_match ignores {' and '.join(ignored)} there, and not here")
    return notes


ADAPTER = Adapter(
    name="lm_eval_samples",
    version=2,
    description="lm-evaluation-harness's `{model}/samples_{task}_{time}.jsonl`: `doc, target, "
    "arguments, resps, filtered_resps, filter`; each filter is a run",
    needs=lm_eval_kind.NEEDS,
    accepts=lambda probe: probe.kind == "jsonl",
    stage=stage,
    reads_itself=True,
)
