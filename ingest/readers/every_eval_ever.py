"""Every Eval Ever's records of instances, `{uuid}_samples.jsonl` next to `{uuid}.json`.

A record is an answer: `sample_id` the question, `input.raw` its text, `input.choices` and
`input.reference`, `output.raw` what the model said, several times perhaps, or its last words in
`messages`. A harness writes a record per metric; the answer is one. The epochs of Inspect are
samples, and where their records have the mean of a question's epochs as the score of each, that is
said of the score (`mean of 3 epochs`, in the place of a filter). Answers that differ by metric, such as
those of lm-eval's filters, are runs of their own: --run says which. Scores and what was extracted are
kept as what the harness made of the answers (`main.harness_score`), and never scored from. evalhouse's
own records say more (`OURS`): passes, likelihoods, what else is known of a question, and that an
answer is missing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from ingest import eee_aggregate, fields, harness_metrics
from ingest.eee_aggregate import Aggregate, own_details, part
from ingest.fields import Field
from ingest.harness_metrics import Metric, written
from ingest.indexed_rows import PASS_STEP
from ingest.names import DatasetName
from ingest.prompts import LABELS
from ingest.reading import json_map
from ingest.reading.head import Format, Head, Seen
from ingest.sample import Ability, About, Answer, Context, Sample, Score
from warehouse.errors import InputError
from warehouse.every_eval_ever import FAILED, MISSING, OURS, aggregate_of
from warehouse.wording import counted

FORMATS = {
    "eee_records": Format(
        2,
        "Every Eval Ever's records, `{uuid}_samples.jsonl` next to `{uuid}.json`: `sample_id, input, output`",
    ),
}
_PLAIN = (
    Field("evaluation_id", (str, float), "evaluation"),
    Field("model_id", (str, float), "of_model"),
    Field("sample_id", (str, float), "key"),
    Field("interaction_type", str, "interaction"),
    Field("input.raw", str, "text", required=False),
)
FIELDS = (
    *_PLAIN,
    Field("input.reference", list, "target"),
    Field("input.choices", list, "choices", required=False),
    Field("output.raw", list, "said", required=False),
    Field("messages", list, "messages", required=False),
)
_NEEDED = {"evaluation_id", "model_id", "sample_id", "input", "evaluation"}
_INTERACTIONS = ("single_turn", "multi_turn", "agentic")
_SAID = ("model", "run", "benchmark", "version", "split", "language")
_FACTS = f"metadata.{OURS}question"
_GENERATED = "generation"
_Metrics = dict[tuple[str, int, int], dict[str | tuple[str, str | None], Metric]]
"""What a harness made of each answer, by metric."""


@dataclass(frozen=True)
class _Record:
    """A record.

    Attributes:
        said: the texts of the answer; empty: none came.
        result: what its score is of.
        own: what evalhouse adds of its own, without the prefix.
        sample: its number; None: it is not stated.
        epoch: so; `sample` is by it then.
    """

    row: int
    key: str
    text: str
    references: list[str]
    choices: list[str]
    said: list[str]
    result: str
    error: str | None
    score: object
    extracted: object
    own: Mapping[str, str]
    pass_: int
    sample: int | None
    epoch: int | None

    @property
    def answer(self) -> tuple[str, int, int]:
        """Which answer it is of."""
        return self.key, self.pass_, self.sample or 0

    @property
    def is_own(self) -> bool:
        """Whether evalhouse wrote it."""
        return "pass" in self.own


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file holds records; one of the fields may be missing in the first."""
    if len(_NEEDED & head.line.keys()) >= len(_NEEDED) - 1:
        return Seen("sample_id, input and evaluation in its first line", format="eee_records")
    return None


def sidecar(path: Path) -> str | None:
    """Say nothing: every file of records is read."""
    return None


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read records.

    Raises:
        InputError: the aggregate is not there, or lacks what is needed of it, or describes another file.
    """
    aggregate = _aggregate_of(path)
    first = aggregate.results[0]
    own = DatasetName(eee_aggregate.dataset_name(first) or aggregate.path.stem)
    return About(
        aggregate.harness,
        aggregate.model,
        "",
        aggregate.own.get("run", aggregate.path.stem),
        produced_at=aggregate.produced_at,
        dataset=lambda known: eee_aggregate.dataset_of(first, known) or own,
        inferred=dict.fromkeys(_SAID, f"the aggregate {aggregate.path.name}"),
        columns={"components": _FACTS},
        has_own_keys=False,
        are_whole=True,
        with_context=partial(_with_context, path, aggregate),
    ), iter(())


def _aggregate_of(path: Path) -> Aggregate:
    """The aggregate of records, from the same folder."""
    aggregate_path = aggregate_of(path)
    if aggregate_path == path or not aggregate_path.is_file():
        raise InputError(
            path, f"is no run without its aggregate, {aggregate_path.name}, in the same folder"
        )
    aggregate = eee_aggregate.read(aggregate_path)
    algorithm, checksum = (aggregate.detail.get(key) for key in ("hash_algorithm", "checksum"))
    if algorithm in ("sha256", "md5") and checksum is not None:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, str(algorithm)).hexdigest()
        if found != str(checksum).lower():
            raise InputError(
                path,
                f"is not the file that {aggregate_path.name} describes, or not all of it: its "
                f"{algorithm} is another",
            )
    return aggregate


def _with_context(
    path: Path, aggregate: Aggregate, about: About, context: Context
) -> tuple[About, Iterator[Sample]]:
    """Read the records of the run that is meant, as the benchmark's questions are.

    Raises:
        InputError: a record is none, or records of several datasets or variants are mixed.
    """
    names = {eee_aggregate.dataset_name(result) for result in aggregate.results}
    if len(names) > 1 and context.settings.benchmark is None:
        raise InputError(
            aggregate.path,
            f"mixes the datasets {', '.join(sorted(names))}; give each a file of its own, or say "
            "--benchmark",
            field="evaluation_results.source_data.dataset_name",
        )
    known, task = context.benchmark, context.task
    is_circular = known is not None and known.strategy == "circular" and not aggregate.own
    every = [
        _record(path, row, record, aggregate, is_circular=is_circular)
        for row, record in fields.records(path)
    ]
    stated = aggregate.detail.get("total_rows")
    if stated is not None and stated != len(every):
        n = counted(len(every), "record")
        raise InputError(path, f"has {n}, and {aggregate.path.name} says {stated}")
    meant = _numbered([one for one in every if one.result == context.settings.run] or every)
    firsts: dict[object, _Record] = {}
    for one in meant:
        first = firsts.setdefault(one.answer, one)
        if one.result != first.result and one.said != first.said:
            raise InputError(
                path,
                f"the answer to {one.key} under {one.result} is not that under {first.result}: these "
                f"are two runs; --run {first.result} or --run {one.result} says which",
                row=one.row,
                field="output.raw",
            )
    kept = [one for one in meant if one.result == firsts[one.answer].result]
    are_some = any(one.choices for one in kept)
    is_open = task == "open" if task is not None else not are_some
    left = counted(len(meant) - len(kept), "record")
    method = aggregate.own.get("method", _GENERATED)
    about = replace(
        about,
        questions="open" if is_open else "choice",
        # Choices in the prompt alone: the dataset has to be known.
        are_answers=not is_open and not are_some,
        remarks=(f"{left} left out: other metrics of the same answers",) * (kept != meant),
        method=method,
        reduction=aggregate.own.get("reduction"),
        scored=aggregate.own.get("scored"),
        n_rows=len(every),
    )
    metrics = {} if aggregate.own else _metrics(meant, aggregate.harness)
    most = max([1, *(len(one.said) for one in kept)])
    return about, iter([_sample(path, one, about, metrics, most) for one in kept])


def _record(
    path: Path, row: int, record: Mapping[str, Any], aggregate: Aggregate, *, is_circular: bool
) -> _Record:
    found = fields.read(path, row, record, _PLAIN)
    wrong = partial(InputError, path, row=row)
    key, interaction = written(found["key"]).strip(" "), found["interaction"]
    if not key:
        raise wrong("is empty", field="sample_id")
    if interaction not in _INTERACTIONS:
        problem = f"{interaction!r} is none of {', '.join(_INTERACTIONS)}"
        raise wrong(problem, field="interaction_type")
    of = {
        "evaluation_id": ("evaluation", found["evaluation"], aggregate.evaluation_id),
        "model_id": ("model", found["of_model"], aggregate.model),
    }
    for name, (what, value, wanted) in of.items():
        if written(value).strip(" ") != wanted:
            problem = f"{value!r} is not the {what} of {aggregate.path.name}, {wanted}"
            raise wrong(problem, field=name)
    if found["text"] is None:
        raise wrong("is no text", field="input.raw")
    asked, metadata = part(record, "input"), part(record, "metadata")
    own = own_details(metadata)
    numbers = {
        name: _number(path, row, name, metadata.get(name))
        for name in (f"{OURS}pass", f"{OURS}sample", "epoch")
    }
    number = int(key) if is_circular and re.fullmatch("[0-9]{1,9}", key) else None
    pass_ = numbers[f"{OURS}pass"]
    said = _last_words(path, row, record)
    if interaction == "single_turn":
        said = _texts(path, row, "output.raw", part(record, "output").get("raw"))
    attributed = record.get("answer_attribution")
    last = attributed[-1] if isinstance(attributed, list) and attributed else None
    return _Record(
        row,
        key if number is None else str(number % PASS_STEP),
        found["text"],
        _texts(path, row, "input.reference", asked.get("reference")),
        _texts(path, row, "input.choices", asked.get("choices") or []),
        said,
        json_map.text(record.get("evaluation_result_id") or record.get("evaluation_name")) or "",
        (json_map.text(record.get("error")) or "").strip(" ") or None,
        part(record, "evaluation").get("score"),
        last.get("extracted_value") if isinstance(last, dict) else None,
        own,
        (number or 0) // PASS_STEP if pass_ is None else pass_,
        numbers[f"{OURS}sample"],
        numbers["epoch"],
    )


def _texts(path: Path, row: int, field: str, value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise InputError(path, "is no list of texts", row=row, field=field)
    return value


def _last_words(path: Path, row: int, record: Mapping[str, Any]) -> list[str]:
    """What the model said last in a talk; none: the record is of none."""
    if record["interaction_type"] == "single_turn":
        return []
    messages = record.get("messages")
    if not isinstance(messages, list):
        raise InputError(path, "is no list", row=row, field="messages")
    turns = (one for one in messages if isinstance(one, dict) and one.get("role") == "assistant")
    texts = (json_map.text(one.get("content")) for one in turns)
    return [text for text in texts if text is not None][-1:]


def _number(path: Path, row: int, name: str, value: object) -> int | None:
    text = json_map.text(value)
    if text is not None and not re.fullmatch("[0-9]{1,4}", text):
        problem = f"{text!r} is no whole number from 0, or too large"
        raise InputError(path, problem, row=row, field=f"metadata.{name}")
    return None if text is None else int(text)


def _numbered(records: Sequence[_Record]) -> list[_Record]:
    """The same with a sample's number where epochs have one, counted from the first."""
    first = min((one.epoch for one in records if one.epoch is not None), default=0)
    return [
        replace(one, sample=one.epoch - first)
        if one.sample is None and one.epoch is not None
        else one
        for one in records
    ]


def _metrics(records: Sequence[_Record], harness: str) -> _Metrics:
    """What the harness made of each answer, by metric, and what it read in it last.

    Several texts of a record have one score, which is of the first of them. An answer that ended in an
    error has none. Where the records of Inspect's epochs have one score for each question, that is the
    mean of its epochs.
    """
    scored = [
        (one, json_map.text(one.score))
        for one in records
        if one.result and one.score is not None and one.error is None
        if one.own.get("state") != MISSING
    ]
    epochs: dict[tuple[str, str, int], dict[int, str | None]] = defaultdict(dict)
    for one, value in scored:
        epochs[one.result, one.key, one.pass_][one.sample or 0] = value
    most: dict[str, int] = {}
    for (result, *_), by_epoch in epochs.items():
        most[result] = max(len(by_epoch), most.get(result, 0))
    single = most.keys() - {of[0] for of, values in epochs.items() if len({*values.values()}) > 1}
    is_inspect = harness.lower().startswith("inspect")
    filters = {one: f"mean of {most[one]} epochs" for one in single if is_inspect and most[one] > 1}
    found: _Metrics = defaultdict(dict)
    for one, value in scored:
        metric = Metric(value, harness_metrics.number(value), json_map.text(one.extracted))
        found[one.answer].setdefault((one.result, filters.get(one.result)), metric)
    return found


def _sample(path: Path, one: _Record, about: About, metrics: _Metrics, most: int) -> Sample:
    """A record as a sample.

    Args:
        most: texts of a record.
    """
    is_open = about.questions == "open"
    state, first = one.own.get("state"), one.sample or 0
    answers: list[Answer] = []
    scores: tuple[Score, ...] = ()
    if about.method != _GENERATED:
        scores = _scores(path, one)
    elif state != MISSING:
        first *= most
        is_lost = not one.is_own and one.error is not None
        for n, text in enumerate(one.said or [None]):
            is_failed = state == FAILED or (is_lost and not (text or "").strip(" "))
            answers.append(Answer(text, first + n, is_failed=is_failed))
    asked = {} if is_open or about.are_answers else _choices(path, one)
    return Sample(
        row=one.row,
        key=one.key,
        text=one.text or None,
        pass_=one.pass_,
        references=tuple(text for text in one.references if text.strip(" ")) if is_open else (),
        answers=tuple(answers),
        scores=scores,
        metrics=metrics.get(one.answer, {}) if about.method == _GENERATED else {},
        sample=first,
        **asked,
        **_facts(path, one),
    )


def _detail(path: Path, one: _Record, name: str) -> Any:
    """What evalhouse wrote of a record as JSON; None: nothing."""
    try:
        return json.loads(one.own[name]) if name in one.own else None
    except (ValueError, RecursionError) as error:
        field = f"metadata.{OURS}{name}"
        raise InputError(path, "is no JSON", row=one.row, field=field) from error


def _facts(path: Path, one: _Record) -> dict[str, Any]:
    """What evalhouse wrote of a record's question, as fields of a `Sample`."""
    facts = _detail(path, one, "question") or {}
    try:
        return {
            "images": tuple(map(str, facts.get("images", ()))),
            "attributes": {str(name): str(value) for name, value in facts.get("attributes", ())},
            "abilities": tuple(
                Ability(str(level), str(name), _FACTS, depth)
                for branch in facts.get("abilities", ())
                for depth, (level, name) in enumerate(branch)
                if name is not None
            ),
            "components": tuple(map(str, facts.get("components", ()))),
        }
    except (AttributeError, TypeError, ValueError) as error:
        problem = "is not what evalhouse writes of a question"
        raise InputError(path, problem, row=one.row, field=_FACTS) from error


def _choices(path: Path, one: _Record) -> dict[str, Any]:
    """A record's choices and the right one, as fields of a `Sample`.

    The right choice is what evalhouse says, or the reference: a choice's text, its letter, or its
    number from 0.
    """
    wrong = partial(InputError, path, row=one.row)
    n = len(one.choices)
    if not n:
        raise wrong("is missing, where other records have choices", field="input.choices")
    if n > len(LABELS):
        problem = f"question {one.key} has {n} choices; there are labels for {len(LABELS)}, A to Z"
        raise wrong(problem, field="input.choices")
    labels, ordinals = (_detail(path, one, name) for name in ("labels", "ordinals"))
    if not _is_list_of(str, labels, n) or not all(re.fullmatch("[A-Z]", label) for label in labels):
        labels, ordinals = [*LABELS[:n]], None
    reference = one.references[0] if len(one.references) == 1 else ""
    answer = None
    if one.is_own:
        answer = one.own.get("answer")
    elif one.choices.count(reference) == 1 and one.references:
        answer = labels[one.choices.index(reference)]
    elif reference.strip(" ") in labels:
        answer = reference.strip(" ")
    elif re.fullmatch("[0-9]{1,2}", reference) and int(reference) < n:
        answer = labels[int(reference)]
    elif one.references:
        problem = f"{', '.join(one.references)!r} is no choice's text, letter or number"
        raise wrong(problem, field="input.reference")
    return {
        "choices": dict(zip(labels, one.choices, strict=True)),
        "places": tuple(ordinals) if _is_list_of(int, ordinals, n) else (),
        "answer": answer,
    }


def _is_list_of(kind: type, value: object, n: int) -> bool:
    return (
        isinstance(value, list) and len(value) == n and all(isinstance(one, kind) for one in value)
    )


def _scores(path: Path, one: _Record) -> tuple[Score, ...]:
    scores = []
    for stated in _detail(path, one, "scores") or []:
        try:
            component, label, value, n_tokens, scorer = stated
            scores.append(Score(label, float(value), n_tokens, component, scorer))
        except (TypeError, ValueError) as error:
            problem = f"{stated!r} is no component, label, number, tokens and scorer"
            field = f"metadata.{OURS}scores"
            raise InputError(path, problem, row=one.row, field=field) from error
    return tuple(scores)
