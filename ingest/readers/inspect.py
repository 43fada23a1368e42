"""Inspect's logs, `.eval` or `.json`, read without inspect-ai.

    .eval    a zip: header.json, or _journal/start.json while the log has not ended, and
             samples/ID_epoch_N.json
    .json    one object: what the header has, and the list `samples`

The header has the model, the dataset, the time and how the log ended; an epoch is a sample of the run.
Texts and images that stand in several places are kept once, under `attachments`. `scores` of a sample,
by scorer:

    value, answer   what the scorer made of it; a value may have parts
    metadata        `grading`: the messages of the grader, the first one of several; `panel.votes`:
                    what each of several said; `events` of the sample has all their calls
    history         what it was, then each change by a person: a value, or UNCHANGED
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ingest import fields, scorers
from ingest.fields import Field
from ingest.harness_metrics import Metric
from ingest.messages import Attachments, as_list, as_object, objects
from ingest.prompts import LABELS
from ingest.reading import json_map, json_stream
from ingest.reading.head import Head, Seen
from ingest.reading.json_stream import JsonZip
from ingest.sample import About, Answer, Figure, Rule, Sample
from ingest.scorers import Call, Said, Scored, as_json
from warehouse.errors import InputError
from warehouse.wording import counted

VERSION = 2
DESCRIPTION = (
    "Inspect's logs, `.eval` or `.json`: questions, answers by epoch, and what grading models said"
)
HARNESS = "inspect"
FIELDS = (
    Field("id", (int, str), "key"),
    Field("epoch", int, "epoch"),
    Field("input", (str, list), "text"),
    Field("target", (str, list), "target", required=False),
    Field("choices", list, "choices", required=False),
    *(
        Field(name, dict, name, required=False)
        for name in ("output", "attachments", "metadata", "scores", "error", "invalidation")
    ),
    Field("output.completion", str, "said", required=False),
    Field("output.model", str, "answered_by", required=False),
    Field("metadata.split", str, "split", required=False),
    Field("scores.metadata.grading", list, "attempts", required=False),
    Field("eval.model", str, "model", required=False),
)
_WORDS = {
    "id": "number or text",
    "epoch": "whole number",
    "input": "text or list of messages",
    "target": "text or list",
    "choices": "list",
}
"""What fields of a sample have to be; all others are objects."""
_BEGINS = re.compile(rb'\{"version":\d+,"status":')
_HEADER, _START, _STARTED = "header.json", "_journal/start.json", {"status": "started"}
_OF_HEADER = (
    "version", "status", "eval", "error", "results", "plan", "stats", "invalidated", "tags", "metadata",
)  # fmt: skip
_UNCHANGED = "UNCHANGED"
_NO_MODEL = (None, "", "none", "none/none")
_MOST_EPOCHS = 32_767
_COST = ("model_usage", "total_time", "working_time", "started_at", "completed_at", "turn_count", "limit")  # fmt: skip
_OF_EVAL = (
    "eval_id", "run_id", "task_id", "task", "task_registry_name", "task_version", "task_args",
    "solver", "solver_args", "model_args", "model_generate_config", "model_base_url",
    "model_roles", "config", "revision", "packages", "scorers", "metadata", "tags",
)  # fmt: skip
_OF_LOG = ("results", "plan", "stats", "invalidated", "tags", "metadata")
_ERRORS = ("stderr", "bootstrap_stderr")
"""Metrics that are standard errors; they are kept with the settings."""
_EXACT = Rule("the scorers of its first log", {"rule": "exact", "normaliser": "plain"})
_CONTAINS = replace(_EXACT, settings={"rule": "contains", "normaliser": "lower"})


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file is a log."""
    if _BEGINS.match(head.start):
        return Seen("version and status at its beginning")
    if not head.start.startswith(b"PK"):
        return None
    # A log that the harness wrote while it ran begins so, and a large directory takes time.
    if _START.encode() in head.start[:64]:
        return Seen(_START)
    try:
        with JsonZip(head.path) as archive:
            return Seen(_HEADER) if {_HEADER, _START} & {*archive.names} else None
    except InputError:
        return None


def sidecar(path: Path) -> str | None:
    """Say why a file of Inspect's is no result: it writes none that is not."""
    return None


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read a log.

    Raises:
        InputError: it is broken or has no samples, a sample is not as samples are, only some have
            choices, or the header lacks a needed field.
    """
    header, found = _read_all(path)
    spec = header.get("eval")
    if not isinstance(spec, dict):
        raise InputError(path, "is no object in the log's header", row=0, field="eval")
    created = _created(path, spec)
    for one in found:
        if one.is_open != found[0].is_open:
            problem = "has choices where the first sample has none, or the reverse"
            raise InputError(path, problem, row=one.row, field="choices")
    found.sort(key=lambda one: one.sample.answers[0].sample)
    options = dict(reversed([*_scorers(spec)]))
    judged = scorers.judged(path, HARNESS, found, options)
    error, model = header.get("error"), spec.get("model")
    about = About(
        harness=HARNESS,
        model=model if isinstance(model, str) and model not in _NO_MODEL else "",
        task=_task(spec),
        label=_label(created, spec),
        produced_at=f"{created:%Y-%m-%d %H:%M:%S}",
        figures=tuple(_figures(header, judged.by_scorer)),
        status=str(header.get("status", "success")),
        status_error=str(error.get("message", error)) if isinstance(error, dict) else None,
        said=_settings(header, spec),
        notes=(*_notes(header, spec, judged.samples), *judged.notes),
        names=_names(spec),
        inferred={"run": "eval.created, eval.task and eval.eval_id"},
        judges=judged.judges,
        questions="open" if found[0].is_open else "choice",
        keys=frozenset(map(str, as_list(as_object(spec.get("dataset")).get("sample_ids")))),
        rule=next((rule for one in _scorers(spec) if (rule := _rule(*one))), None),
        has_own_keys=False,
    )
    return about, iter(judged.samples)


def _read_all(path: Path) -> tuple[dict[str, Any], list[Said]]:
    """The header, and the samples in their order."""
    header: dict[str, Any] = {}
    found: list[Said] = []
    for where, content in _parts(path):
        if where:
            found.append(_read(path, len(found) + 1, where, content))
        else:
            header = content
    if not found:
        raise InputError(path, "is a log without samples")
    has_splits, only = all(one.sample.split for one in found), _only_scorer(header)
    for one in found:
        if one.sample.split and not has_splits:
            one.sample = replace(one.sample, split=None)
        one.scored = [each._replace(scorer=each.scorer or only) for each in one.scored]
        one.calls = [each._replace(scorer=each.scorer or only) for each in one.calls]
    return header, found


def _parts(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the log says about itself, named '', and the samples, each with its place.

    Of a log that has not ended it is what was to be run.
    """
    if not Head(path).start.startswith(b"PK"):
        yield from json_stream.parts(path, "samples", _OF_HEADER)
        return
    with JsonZip(path) as archive:
        has_ended = _HEADER in archive.names
        yield "", archive.read(_HEADER) if has_ended else _STARTED | archive.read(_START)
        for name in archive.names:
            if name.startswith("samples/") and name.endswith(".json"):
                yield name, archive.read(name)


def _read(path: Path, row: int, where: str, sample: dict[str, Any]) -> Said:
    """A sample taken apart."""
    found: dict[str, Any] = {}
    for field in FIELDS:
        value = sample.get(field.path)
        is_right = isinstance(value, field.type) and not isinstance(value, bool)
        if not is_right and (field.required or value is not None) and "." not in field.path:
            words = _WORDS.get(field.path, "object")
            raise InputError(path, f"is no {words} in {where}", row=row, field=field.path)
        found[field.to] = value
    epoch, key = found["epoch"], str(found["key"]).strip()
    if not 1 <= epoch <= _MOST_EPOCHS:
        raise InputError(path, f"{epoch} is no epoch in {where}", row=row, field="epoch")
    if not key:
        raise InputError(path, f"is empty in {where}", row=row, field="id")
    said, output = Attachments(found["attachments"] or {}), found["output"] or {}
    target, choices = found["target"], tuple(said.text(one) for one in found["choices"] or ())
    targets = tuple(said.text(one) for one in (target if isinstance(target, list) else [target]))
    metadata = {k: json_map.text(value) for k, value in (found["metadata"] or {}).items()}
    split = metadata.pop("split", None)
    scores = found["scores"] or {}
    if not scores and isinstance(sample.get("score"), dict):
        # In the first versions; its scorer stands in the header.
        scores = {"": sample["score"]}
    calls = [call for one in scores.items() for call in _calls(said, sample, *one)]
    asked, answer = said.text(found["text"], "user"), said.answer(output)
    by, cost = output.get("model"), _cost(sample, output)
    error = found["error"] or found["invalidation"] or {}
    reason = error.get("message") or error.get("reason") or error
    known = {asked, answer, *(call.reply for call in calls)}
    return Said(
        Sample(
            row=row,
            key=key,
            text=asked or None,
            choices=choices,
            answer=None if found["choices"] is None else _right(choices, targets),
            references=targets,
            images=said.first_image(found["text"]),
            attributes={name: one for name, one in metadata.items() if one and one.strip(" ")},
            answers=(
                Answer(
                    answer,
                    sample=epoch - 1,
                    error=str(reason) if reason else None,
                    model=by if isinstance(by, str) and by.strip(" ") else None,
                ),
            ),
            metrics={("sample", None): Metric(cost, None)} if cost else {},
            split=split or None,
        ),
        [score for one in scores.items() for score in _scored(said, known, *one)],
        calls,
        is_open=found["choices"] is None,
    )


def _right(choices: tuple[str, ...], target: tuple[str, ...]) -> str | None:
    """The right label, which may be given as its choice's text; several right ones are no label."""
    if len(target) != 1:
        return None
    labels, text = LABELS[: len(choices)], target[0].strip(" ")
    if len(text) == 1 and text.upper() in labels:
        return text.upper()
    place = choices.index(target[0]) if target[0] in choices else len(labels)
    return labels[place : place + 1] or text or None


def _calls(said: Attachments, sample: Mapping[str, Any], scorer: str, score: object) -> list[Call]:
    """What graders said to a scorer."""
    if not isinstance(score, dict):
        return []
    # A change may have taken the grader's messages away; what was there first has them.
    versions = [*as_list(score.get("history"))[:1], score]
    first = next((one for one in versions if _grading(one)), score)
    value = as_json(first.get("value"))
    votes = as_list(as_object(as_object(first.get("metadata")).get("panel")).get("votes"))
    grading = _grading(first)
    own = [
        Call(
            scorer,
            -1,
            str(one.get("model") or scorer),
            said.text(grading[:n]),
            said.text([one]),
            value,
        )
        for n, one in enumerate(grading)
        if one.get("role") == "assistant"
    ][-1:]
    if not own and not votes:
        return []
    made = [*_made(said, sample, scorer)]
    models = {model: (model, prompt, reply) for model, prompt, reply in made}
    if len(votes) < 2 and len(models) < 2:
        return own
    if len(made) == len(votes) or len(models) > 1:
        # The same model may have been called again where its reply could not be used.
        kept = made if len(made) == len(votes) else [*models.values()]
        cast = as_json(votes) if votes else None
        return [Call(scorer, place, *one, value, cast) for place, one in enumerate(kept)]
    return own + [
        Call(scorer, place, None, None, None, value, as_json(vote))
        for place, vote in enumerate(votes)
        if vote is not None
    ]


def _grading(score: object) -> list[dict[str, Any]]:
    return [*objects(as_object(as_object(score).get("metadata")).get("grading"))]


def _made(
    said: Attachments, sample: Mapping[str, Any], scorer: str
) -> Iterator[tuple[str, str, str]]:
    """The calls that a scorer made: the model, what was said to it, and its reply.

    They stand between the scorer's begin and its end; older logs call its span a step.
    """
    pool = as_list(as_object(sample.get("events_data")).get("messages"))
    span, is_inside = None, False
    for event in objects(sample.get("events")):
        kind, model = event.get("event"), event.get("model")
        is_it = event.get("type") == "scorer" and event.get("name") == scorer
        if is_it and (kind, event.get("action")) in (("span_begin", None), ("step", "begin")):
            span, is_inside = event.get("id"), True
        elif (kind == "span_end" and is_inside and event.get("id") == span) or (
            is_it and event.get("action") == "end"
        ):
            is_inside = False
        elif is_inside and kind == "model" and isinstance(model, str):
            reply = said.answer(as_object(event.get("output")))
            asked = as_list(event.get("input")) or [
                one
                for place in as_list(event.get("input_refs"))
                if isinstance(place, list) and [type(one) for one in place] == [int, int]
                for one in pool[slice(*place)]
            ]
            if reply:
                yield model, said.text(asked), reply


def _scored(
    said: Attachments, known: set[str | None], scorer: str, score: object
) -> Iterator[Scored]:
    """What a scorer said of a sample and for its score, with the changes by people.

    Args:
        known: what the sample says elsewhere.
    """
    if not isinstance(score, dict):
        return
    value, answer = score.get("value"), score.get("answer")
    changes = [*objects(score.get("history"))]
    first = next(iter(as_list(score.get("history"))), score)
    first = first if isinstance(first, dict) and not first.get("provenance") else score
    words = said.text(first.get("explanation"))
    explanation = words if words.strip() and words not in known else None
    if not any(isinstance(one.get("provenance"), dict) for one in changes):
        changes = []
    for place, one in enumerate(changes or [score]):
        value = one["value"] if one.get("value", _UNCHANGED) != _UNCHANGED else value
        answer = one["answer"] if one.get("answer", _UNCHANGED) != _UNCHANGED else answer
        by = as_object(one.get("provenance")) if changes else {}
        why = (by.get("timestamp"), by.get("reason"), one.get("explanation"))
        read = said.text(answer) if isinstance(answer, str) else as_json(answer)
        parts = value if isinstance(value, dict) and value else {None: value}
        for part, of_part in parts.items():
            yield Scored(
                scorer,
                # A score that a person added has nothing before it.
                place + (bool(by) and place == 0),
                part,
                of_part,
                None if answer is None else read,
                str(by.get("author") or "unknown") if by else None,
                ": ".join(str(each) for each in why if each not in (None, "", _UNCHANGED)),
                explanation,
            )
            explanation = None


def _cost(sample: Mapping[str, Any], output: Mapping[str, Any]) -> str | None:
    """What the log says of a sample's tokens, times, limit and end, as JSON."""
    first = next(objects(output.get("choices")), {})
    found: dict[str, object] = {name: sample.get(name) for name in _COST}
    found |= {"stop_reason": first.get("stop_reason"), "usage": output.get("usage")}
    found["error_retries"] = len(as_list(sample.get("error_retries")))
    found = {name: value for name, value in found.items() if value not in (None, "", {}, 0)}
    return as_json(fields.plain(found)) if found else None


def _names(spec: Mapping[str, Any]) -> dict[str, str]:
    """What names the dataset, by field, with the owner."""
    of_data = as_object(spec.get("dataset"))
    named = {f"eval.dataset.{name}": of_data.get(name) for name in ("name", "location")}
    named["eval.task"] = spec.get("task")
    return {field: str(name).rstrip("/") for field, name in named.items() if name}


def _task(spec: Mapping[str, Any]) -> str:
    """What the log calls its task, without the owner; '' if it does not say."""
    return str(spec.get("task") or "").rstrip("/").rpartition("/")[2]


def _label(begun: datetime, spec: Mapping[str, Any]) -> str:
    """The run's: when it was begun, the task, and the beginning of the log's own id.

    Several tasks may begin within a second, and the same task twice.
    """
    own = next((spec[name] for name in ("eval_id", "task_id", "run_id") if spec.get(name)), "")
    return "_".join(filter(None, (f"{begun:%Y%m%dT%H%M%S}", _task(spec), str(own)[:8])))


def _created(path: Path, spec: Mapping[str, Any]) -> datetime:
    """When the log was begun, UTC."""
    text = spec.get("created")
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError as error:
        raise InputError(path, f"{text!r} is no time", row=0, field="eval.created") from error
    return found.astimezone(UTC) if found.tzinfo else found


def _scorers(spec: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The scorers in the header, by name, with their options."""
    for one in objects(spec.get("scorers")):
        yield str(one.get("name")).rpartition("/")[2], as_object(one.get("options"))


def _rule(scorer: str, options: Mapping[str, Any]) -> Rule | None:
    """The rule that a scorer stands for; None: it looks for something else."""
    if options.get("numeric") or options.get("ignore_case") is False:
        return None
    if scorer == "match":
        return _EXACT if options.get("location") == "exact" else _CONTAINS
    return {"includes": _CONTAINS, "exact": _EXACT}.get(scorer)


def _only_scorer(header: Mapping[str, Any]) -> str:
    """The scorer of a log whose samples do not name it."""
    results = as_object(header.get("results"))
    listed = objects([results.get("scorer"), *as_list(results.get("scores"))])
    return next((str(one["name"]) for one in listed if one.get("name")), "scorer")


def _figures(header: Mapping[str, Any], judges: Mapping[str, str | None]) -> Iterator[Figure]:
    """The figures of the log, each with its scorer as the filter, and the judge that it rests on."""
    results = as_object(fields.plain(header.get("results")))
    listed, only = results.get("scores"), results.get("scorer")
    if listed is None and isinstance(only, dict):
        # Of Inspect's first versions: one scorer.
        listed = [{"name": only.get("name"), "metrics": results.get("metrics")}]
    for score in objects(listed):
        scorer = str(score.get("scorer") or score.get("name"))
        name, reducer = str(score.get("name") or scorer), score.get("reducer")
        for key, metric in as_object(score.get("metrics")).items():
            value, group = as_object(metric).get("value"), as_object(metric).get("group")
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            if key not in _ERRORS:
                yield Figure(
                    f"{group}|{key}" if isinstance(group, str) else key,
                    json.dumps(value) if is_number else None,
                    filter=name if name == scorer else f"{scorer}|{name}",
                    reducer=reducer if isinstance(reducer, str) else None,
                    judge=judges.get(scorer),
                )


def _settings(header: Mapping[str, Any], spec: Mapping[str, Any]) -> dict[str, object]:
    """How the log came about, as the header says: what was run, with which settings and limits."""
    found = {name: spec.get(name) for name in _OF_EVAL}
    of_data = as_object(spec.get("dataset"))
    found["dataset"] = {name: value for name, value in of_data.items() if name != "sample_ids"}
    for name in _OF_LOG:
        found[name] = header.get(name) or found.get(name)
    kept = {name: value for name, value in found.items() if value not in (None, {}, [])}
    return {name: fields.shortened(fields.plain(value)) for name, value in kept.items()}


def _notes(
    header: Mapping[str, Any], spec: Mapping[str, Any], found: Sequence[Sample]
) -> Iterator[str]:
    status, error = str(header.get("status", "success")), as_object(header.get("error"))
    if status != "success":
        line = next(iter(str(error.get("message") or "").splitlines()), "")
        yield f"the log's status is {status}" + (f": {line[:200]}" if line else "")
    if header.get("invalidated"):
        yield "somebody has invalidated the log"
    # `samples` counts them all, and those listed are left after --limit and --sample-id.
    of_data, epochs = as_object(spec.get("dataset")), as_object(spec.get("config")).get("epochs")
    n_of_data = of_data.get("samples")
    planned = len(as_list(of_data.get("sample_ids"))) or n_of_data
    if isinstance(planned, int):
        planned *= epochs if isinstance(epochs, int) else 1
        if len(found) < planned:
            yield f"{len(found):,} of {planned:,} samples are there"
        if isinstance(n_of_data, int) and planned < n_of_data:
            yield f"{planned:,} of the dataset's {n_of_data:,} samples were to be run"
    failed = [one.answers[0] for one in found if one.answers[0].error is not None]
    if failed:
        n = sum(not one.text for one in failed)
        yield f"{counted(len(failed), 'sample')} ended in an error, {n:,} of them without an answer"
    first = {(one.split, one.key): one for one in reversed(found)}.values()
    if n := sum(bool(one.choices) and len(one.references) > 1 for one in first):
        of = counted(n, "question has", "questions have")
        yield f"{of} several right choices; they stay without an answer"
    if n := sum(not any(text.strip(" ") for text in one.references) for one in first):
        yield (
            f"{counted(n, 'question has', 'questions have')} no target; their answers are not "
            "scored here, and the harness's scores are in main.harness_score"
        )
