"""What scorers said of a sample of an Inspect log, what graders said to them, and who changed it.

scores       by scorer: `value`, `answer`, `metadata`, and `history` where a person changed one
history      what it was, then each change: a value, or UNCHANGED; `provenance` has the person
metadata     `grading`: the messages of the grader, the first one of several; `panel.votes`: what
             each of several said
events       every call of a model, those of a scorer between its begin and its end
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ingest.inspect_ai import inspect_messages as messages

_UNCHANGED = "UNCHANGED"


ONLY = "\x1fonly"
"""In place of the scorer's name, which stands behind the samples in the log."""


@dataclass(frozen=True)
class Scored:
    """What a scorer says of a sample, or a person who changed that.

    Attributes:
        scorer: the scorer.
        place: 0 for what the scorer said, then each change; the last one holds.
        part: the part of a value that has several; None: it is all of the value.
        value: the score's value as JSON.
        answer: what was taken for the answer.
        author: who changed it; None: the scorer said so.
        says: for a change, when it was made and why.
    """

    scorer: str
    place: int
    part: str | None
    value: str
    answer: str | None
    author: str | None
    says: str | None


@dataclass(frozen=True)
class Said:
    """What a grader said.

    Attributes:
        scorer: the scorer that called it.
        place: its number among those that the scorer called.
        judge: the grader's model; None: the log does not say here.
        prompt: what was said to it; None: the log does not have it.
        reply: its reply; None: the log has its vote alone.
        value: the score's value as JSON.
        vote: its vote, where it was one of several.
    """

    scorer: str
    place: int
    judge: str | None
    prompt: str | None
    reply: str | None
    value: str
    vote: str | None = None


def only_scorer(header: Mapping[str, Any]) -> str:
    """The scorer of a log of Inspect's first versions, whose samples have one `score` without a name."""
    results = header.get("results")
    results = results if isinstance(results, dict) else {}
    listed = results.get("scores")
    for one in (results.get("scorer"), *(listed if isinstance(listed, list) else ())):
        if isinstance(one, dict) and isinstance(one.get("name"), str) and one["name"]:
            return str(one["name"])
    return "scorer"


def scored(attachments: Mapping[str, str], scores: Mapping[str, Any]) -> list[Scored]:
    """What each scorer said of a sample, with its changes."""
    found: list[Scored] = []
    for scorer, score in scores.items():
        if not isinstance(score, dict):
            continue
        value, answer = score.get("value"), score.get("answer")
        changes = [one for one in _list(score.get("history")) if isinstance(one, dict)]
        if not any(isinstance(one.get("provenance"), dict) for one in changes):
            changes = []
        for place, one in enumerate(changes or [score]):
            value = one["value"] if one.get("value", _UNCHANGED) != _UNCHANGED else value
            answer = one["answer"] if one.get("answer", _UNCHANGED) != _UNCHANGED else answer
            by = one.get("provenance") if changes else None
            by = by if isinstance(by, dict) else {}
            parts = value if isinstance(value, dict) and value else {None: value}
            found += (
                Scored(
                    scorer,
                    # A score that a person added has nothing before it.
                    place + (bool(by) and place == 0),
                    part,
                    _json(of_part),
                    _read(attachments, answer),
                    str(by.get("author") or "unknown") if by else None,
                    _says(by, one.get("explanation")) if by else None,
                )
                for part, of_part in parts.items()
            )
    return found


def explained(
    attachments: Mapping[str, str], scores: Mapping[str, Any], known: set[str | None]
) -> list[tuple[str, str]]:
    """What scorers say for their scores, where that is not known from elsewhere."""
    found = []
    for scorer, score in scores.items():
        history = _list(score.get("history")) if isinstance(score, dict) else []
        first = history[0] if history else score
        first = first if isinstance(first, dict) and not first.get("provenance") else score
        explanation = first.get("explanation") if isinstance(first, dict) else None
        words = messages.text(attachments, explanation)
        if words.strip() and words not in known:
            found.append((scorer, words))
    return found


def said(
    attachments: Mapping[str, str], sample: Mapping[str, Any], scores: Mapping[str, Any]
) -> list[Said]:
    """What was said to graders and what they said, for each scorer that called any."""
    found: list[Said] = []
    for scorer, score in scores.items():
        if not isinstance(score, dict):
            continue
        # A change may have taken the grader's messages away; what was there first has them.
        versions = [*_list(score.get("history"))[:1], score]
        first = next((one for one in versions if _grading(one)), score)
        metadata, value = first.get("metadata"), _json(first.get("value"))
        panel = metadata.get("panel") if isinstance(metadata, dict) else None
        votes = _list(panel.get("votes")) if isinstance(panel, dict) else []
        own = _own(attachments, scorer, first, value)
        if not own and not votes:
            continue
        calls = _calls(attachments, sample, scorer) if votes or own else []
        if len(votes) < 2 and len({model for model, _, _ in calls}) < 2:
            found += own
        elif len(calls) == len(votes) or len({model for model, _, _ in calls}) > 1:
            # The same model may have been called again where its reply could not be used.
            kept = calls if len(calls) == len(votes) else list({one[0]: one for one in calls}.values())  # fmt: skip
            cast = _json(votes) if votes else None
            found += (
                Said(scorer, place, model, prompt, reply, value, cast)
                for place, (model, prompt, reply) in enumerate(kept)
            )
        else:
            found += own
            found += (
                Said(scorer, place, None, None, None, value, _json(vote))
                for place, vote in enumerate(votes)
                if vote is not None
            )
    return found


def _own(attachments: Mapping[str, str], scorer: str, score: Mapping[str, Any], value: str) -> list[Said]:  # fmt: skip
    """What the grader said whose messages stand with the score."""
    grading = _grading(score)
    replies = [one for one in grading if one.get("role") == "assistant"]
    if not replies:
        return []
    return [
        Said(
            scorer,
            # Behind those of a panel, which are numbered from 0.
            -1,
            str(replies[-1].get("model") or scorer),
            messages.text(attachments, grading[: grading.index(replies[-1])]),
            messages.text(attachments, [replies[-1]]),
            value,
        )
    ]


def _grading(score: object) -> list[dict[str, Any]]:
    metadata = score.get("metadata") if isinstance(score, dict) else None
    listed = metadata.get("grading") if isinstance(metadata, dict) else None
    return [one for one in _list(listed) if isinstance(one, dict)]


def _calls(
    attachments: Mapping[str, str], sample: Mapping[str, Any], scorer: str
) -> list[tuple[str, str, str]]:
    """The calls that a scorer made: the model, what was said to it, and its reply."""
    data = sample.get("events_data")
    pool = _list(data.get("messages")) if isinstance(data, dict) else []
    found = []
    for event in _events_of(sample, scorer):
        output = event.get("output")
        reply = messages.answer(attachments, output) if isinstance(output, dict) else None
        if event.get("event") == "model" and isinstance(event.get("model"), str) and reply:
            prompt = _list(event.get("input")) or [
                one
                for span in _list(event.get("input_refs"))
                if isinstance(span, list) and [type(one) for one in span] == [int, int]
                for one in pool[slice(*span)]
            ]
            found.append((str(event["model"]), messages.text(attachments, prompt), reply))
    return found


def _events_of(sample: Mapping[str, Any], scorer: str) -> Iterator[dict[str, Any]]:
    """The events between a scorer's begin and its end; older logs call its span a step."""
    span, is_inside = None, False
    for event in _list(sample.get("events")):
        if not isinstance(event, dict):
            continue
        is_it = event.get("type") == "scorer" and event.get("name") == scorer
        if is_it and (event.get("event"), event.get("action")) in (
            ("span_begin", None),
            ("step", "begin"),
        ):
            span, is_inside = event.get("id"), True
        elif (event.get("event") == "span_end" and is_inside and event.get("id") == span) or (
            is_it and event.get("action") == "end"
        ):
            is_inside = False
        elif is_inside:
            yield event


def _read(attachments: Mapping[str, str], answer: object) -> str | None:
    """What was read in an answer; a scorer may give a number."""
    if answer is None or isinstance(answer, str):
        return None if answer is None else messages.text(attachments, answer)
    return _json(answer)


def _says(by: Mapping[str, Any], explanation: object) -> str:
    words = [by.get("timestamp"), by.get("reason"), explanation]
    return ": ".join(str(one) for one in words if one not in (None, "", _UNCHANGED))


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
