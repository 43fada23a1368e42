"""What a harness's scorers, graders and people said of answers, as judgments and metrics.

A scorer gives each answer a value, and may say what it read in it. A grader is a model that a scorer
asked, alone or in a panel; its reply is a judgment of that model. A label that a scorer read without
asking a model is a judgment of `HARNESS:SCORER`. Who changed a score is a judge, a person.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from ingest.harness_metrics import Metric, number, written
from ingest.prompts import LABELS
from ingest.sample import Judge, Judgment, Sample
from warehouse.errors import InputError
from warehouse.wording import counted

CHOICE = "choice"
"""The scorer that reads labels, whatever it reads."""
_NONE = "X"
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, in part, incorrect, no answer."""
_TRUTHS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_LETTERS = {'"C"', '"P"', '"I"', '"N"', "NaN", "null"}
"""The values, as JSON, of scorers whose graders reply by letter."""
_RIGHT = {'"C"', "1", "1.0", "true"}

Options = Mapping[str, Mapping[str, Any]]
"""What each scorer was given."""
ByRow = dict[int, list[Judgment]]


class Scored(NamedTuple):
    """What a scorer says of an answer, or a person who changed that.

    Attributes:
        place: 0 for what the scorer said, then each change; the last one holds.
        part: the part of a value that has several; None: it is all of the value.
        answer: what was taken for the answer.
        author: who changed it; None: the scorer said so.
        says: for a change, when it was made and why.
        explanation: what the scorer says for its value.
    """

    scorer: str
    place: int
    part: str | None
    value: Any
    answer: str | None
    author: str | None = None
    says: str | None = None
    explanation: str | None = None


class Call(NamedTuple):
    """What a grader said.

    Attributes:
        place: its number among those that the scorer called; -1: it stands with the score.
        judge: the grader's model; None: the file does not say here.
        reply: None: the file has its vote alone.
        value: the score's value as JSON.
        vote: as JSON, where it was one of several.
    """

    scorer: str
    place: int
    judge: str | None
    prompt: str | None
    reply: str | None
    value: str
    vote: str | None = None


@dataclass
class Said:
    """An answer, as the first one of a sample, and what was said of it.

    Attributes:
        is_open: its question has no choices.
        right: the right label.
    """

    sample: Sample
    scored: Sequence[Scored]
    calls: Sequence[Call]
    is_open: bool
    right: str | None = None

    @property
    def row(self) -> int:
        """The record's number."""
        return self.sample.row

    @property
    def question(self) -> tuple[str | None, str]:
        """What its question is known by."""
        return self.sample.split, self.sample.key

    @property
    def text(self) -> str:
        """The answer; '' if there is none."""
        return self.sample.answers[0].text or ""

    @property
    def has_text(self) -> bool:
        """Whether it is no blank."""
        return bool(self.text.strip(" "))

    @property
    def labels(self) -> str:
        """Those of the choices; '' of an open question."""
        return LABELS[: len(self.sample.choices)]


@dataclass(frozen=True)
class Judged:
    """What came of it.

    Attributes:
        judges: all who judged.
        by_scorer: the judge that a scorer's figures rest on; None: people changed its scores.
        notes: what there is to say about it.
    """

    samples: tuple[Sample, ...]
    judges: tuple[Judge, ...]
    by_scorer: Mapping[str, str | None]
    notes: tuple[str, ...]


def judged(path: Path, harness: str, answers: Sequence[Said], options: Options) -> Judged:
    """Make judgments and metrics of what was said.

    Args:
        answers: the first one to a question before others, all with choices or none.

    Raises:
        InputError: an answer has a metric twice.
    """
    first: dict[tuple[str | None, str], str | None] = {}
    for one in answers:
        # Several epochs put the same question; the first one stands for it.
        one.right = first.setdefault(one.question, one.sample.answer)
    is_open = answers[0].is_open
    graders, grades = _graded(harness, answers, options)
    readers, letters = ([], {}) if is_open else _lettered(harness, answers, options, graders)
    people, changes, notes = _changed(harness, answers, is_open=is_open)
    if n := sum(one.word is not None for each in grades.values() for one in each):
        votes = f"of {n:,} votes of graders the log does not have the replies; they are kept, and"
        notes.insert(0, f"{votes} no view scores them")
    changed = {score.scorer for one in answers for score in one.scored if score.author is not None}
    names: dict[str, list[str]] = defaultdict(list)
    for judge in (*graders, *readers):
        names[judge.scorer].append(judge.name)
    return Judged(
        tuple(
            replace(
                one.sample,
                metrics=_all_metrics(path, one),
                judgments=tuple(
                    said
                    for by_row in (grades, letters, changes)
                    for said in by_row.get(one.row, ())
                ),
            )
            for one in answers
        ),
        (*graders, *readers, *people),
        {
            scorer: None if scorer in changed else each[0]
            for scorer, each in names.items()
            if len(each) == 1
        },
        tuple(notes),
    )


def as_json(value: object) -> str:
    """A value as JSON, with all characters as they are."""
    return json.dumps(value, ensure_ascii=False)


def _graded(harness: str, answers: Sequence[Said], options: Options) -> tuple[list[Judge], ByRow]:
    """Say who graded, and what each said.

    A judge is the model with the scorer that called it and the scorer's options: other instructions
    make another judge. Of a panel each member is one. The same answer to the same question, graded
    again, is the same subject, put to the judge twice.
    """
    calls = {one.row: _voted(one.calls, options) for one in answers}
    are_letters: dict[tuple[str, str], bool] = {}
    for each in calls.values():
        for call in each:
            who = (call.scorer, str(call.judge))
            are_letters[who] = are_letters.get(who, True) and call.value in _LETTERS
    several = Counter(model for _, model in are_letters)
    judges = {
        (scorer, model): Judge(
            model if several[model] == 1 else f"{model} {scorer}",
            model=model,
            scorer=scorer,
            task="letter_grade" if are_letters[scorer, model] else "soft_score",
            **_how_asked(harness, scorer, model, options),
        )
        for scorer, model in sorted(are_letters)
    }
    before = Counter[tuple[object, ...]]()
    by_row: ByRow = defaultdict(list)
    for one in answers:
        for call in sorted(calls[one.row], key=lambda call: call.place):
            judge = judges[call.scorer, str(call.judge)]
            subject = (judge.name, one.question, one.text)
            has_reply = call.reply is not None
            votes = f", of the votes {call.vote}" if call.vote is not None and has_reply else ""
            by_row[one.row].append(
                Judgment(
                    judge.name,
                    reply=call.reply,
                    request=call.prompt,
                    judge_sample=before[subject] if judge.task == "letter_grade" else 0,
                    log=f"{call.scorer}: {call.value}{votes}",
                    word=None if has_reply or call.vote is None else call.vote.strip('"'),
                )
            )
            before[subject] += 1
    return [*judges.values()], by_row


def _voted(calls: Sequence[Call], options: Options) -> list[Call]:
    """The same with names for the members of panels that have none; no vote where the reply is there."""
    named = [
        call if call.judge is not None else call._replace(judge=_voter(call, options))
        for call in calls
    ]
    replied = {(call.scorer, call.judge) for call in named if call.reply is not None}
    return [
        call for call in named if call.reply is not None or (call.scorer, call.judge) not in replied
    ]


def _voter(call: Call, options: Options) -> str:
    listed = options.get(call.scorer, {}).get("model")
    known = listed[call.place : call.place + 1] if isinstance(listed, list) else []
    name = _model(known[0]) if known else None
    return name or f"{call.scorer} grader {call.place + 1}"


def _model(grader: object) -> str | None:
    name = grader.get("model") if isinstance(grader, dict) else grader
    return name if isinstance(name, str) else None


def _how_asked(harness: str, scorer: str, model: str, options: Options) -> dict[str, str]:
    """The prompt's name and the sampling of a grader."""
    given = dict(options.get(scorer, {}))
    grader = given.pop("model", None)
    if isinstance(grader, list):
        # How a panel is summed up says nothing of its members.
        given.pop("reducer", None)
        grader = next((one for one in grader if _model(one) == model), None)
    is_it = isinstance(grader, dict) and grader.get("model") == model
    sampling = grader.get("config") if is_it else None
    return {
        "template": _template(harness, scorer, given),
        "sampling": json.dumps(sampling if isinstance(sampling, dict) else {}, sort_keys=True),
    }


def _template(harness: str, scorer: str, options: Mapping[str, Any]) -> str:
    """A name for a prompt: equal options, equal name."""
    if not options:
        return f"{harness} {scorer}"
    text = json.dumps(options, sort_keys=True, ensure_ascii=False)
    short = text if len(text) <= 100 else sha256(text.encode()).hexdigest()[:12]
    return f"{harness} {scorer} {short}"


def _lettered(
    harness: str, answers: Sequence[Said], options: Options, graders: Sequence[Judge]
) -> tuple[list[Judge], ByRow]:
    """Say which scorers read labels, and what each read; none of those that asked a model.

    The scorer `choice` does; another one does where each of its answers is a label or nothing, and
    right just where that is the right one.
    """
    asked = {judge.scorer for judge in graders}
    read: dict[str, list[tuple[Said, str, str]]] = defaultdict(list)
    for one in answers:
        for score in one.scored:
            if score.place == 0 and score.part is None and score.scorer not in asked:
                answer = (score.answer or "").strip(" ")
                read[score.scorer].append((one, answer, as_json(score.value)))
    judges = []
    by_row: ByRow = defaultdict(list)
    for scorer in sorted(read):
        if scorer != CHOICE and not _reads_labels(read[scorer]):
            continue
        judge = f"{harness}:{scorer}"
        template = _template(harness, scorer, options.get(scorer, {}))
        judges.append(Judge(judge, judge, scorer, "choice_extraction", template))
        # The same answer in several epochs is read once.
        before = set()
        for one, answer, value in read[scorer]:
            is_label = _is_label(one, answer)
            # Several labels are none of the choices where one alone is right; where several are, or
            # X is a label, only a label is a verdict.
            says_none = (
                _NONE not in one.labels
                and (one.right is not None or not answer)
                and value not in _RIGHT
            )
            subject = (one.question, one.text)
            if one.has_text and (is_label or says_none) and subject not in before:
                before.add(subject)
                for_ = "" if is_label or not answer else f" for {answer}"
                reply = answer if is_label else _NONE
                by_row[one.row].append(Judgment(judge, reply, log=f"{scorer}: {value}{for_}"))
    return judges, by_row


def _is_label(one: Said, answer: str) -> bool:
    return len(answer) == 1 and answer in one.labels


def _reads_labels(read: Sequence[tuple[Said, str, str]]) -> bool:
    return any(_is_label(one, answer) for one, answer, _ in read) and all(
        (not answer or _is_label(one, answer))
        and (one.right is None or (value in _RIGHT) == (answer == one.right))
        for one, answer, value in read
    )


def _changed(
    harness: str, answers: Sequence[Said], *, is_open: bool
) -> tuple[list[Judge], ByRow, list[str]]:
    """Say who changed scores, and what the last change of each says of the answer.

    On a choice it is the label that it gives, or else whether it says that the answer is right; on an
    open question its score.

    Returns:
        the people, their judgments, and notes.
    """
    last: dict[tuple[str, str, int], tuple[Said, Scored, bool]] = {}
    for one in answers:
        answer: dict[str, str | None] = {}
        for score in one.scored:
            if score.part is None:
                if score.author is not None:
                    is_new = score.answer != answer.get(score.scorer)
                    last[score.author, score.scorer, one.row] = (one, score, is_new)
                answer[score.scorer] = score.answer
    replies = {who: _reply(*found, is_open=is_open) for who, found in last.items()}
    people = sorted({who[:2] for who, reply in replies.items() if reply is not None})
    several = Counter(author for author, _ in people)
    task = "soft_score" if is_open else "choice_extraction"
    judges = {
        (author, scorer): Judge(
            author if several[author] == 1 else f"{author} {scorer}",
            author,
            scorer,
            task,
            f"{harness} {scorer}",
            kind="human",
        )
        for author, scorer in people
    }
    by_row: ByRow = defaultdict(list)
    for (author, scorer, row), reply in replies.items():
        if reply is not None:
            score = last[author, scorer, row][1]
            why = f" ({score.says})" if score.says else ""
            log = f"{scorer}: {as_json(score.value)}{why}"
            by_row[row].append(Judgment(judges[author, scorer].name, reply, log=log))
    notes = []
    if last:
        authors = ", ".join(sorted({author for author, _, _ in last}))
        notes.append(
            f"{counted(len(last), 'score was', 'scores were')} changed by {authors}; each is a judgment "
            "of that person"
        )
    if n := [*replies.values()].count(None):
        notes.append(
            f"{n:,} of these changes give no score of an answer from 0 to 1, or no answer is there; "
            "they are no judgments"
        )
    return [*judges.values()], by_row, notes


def _reply(one: Said, score: Scored, is_new: bool, *, is_open: bool) -> str | None:
    value = score.value
    points = _GRADES.get(value) if isinstance(value, str) else number(value)
    answer = (score.answer or "").strip(" ")
    if not one.has_text:
        return None
    if is_open:
        if points is None or not 0 <= points <= 1:
            return None
        return str(int(points)) if points in (0, 1) else f"{points:.6f}"
    if is_new and _is_label(one, answer):
        return answer
    if points == 1:
        return one.right
    return _NONE if points == 0 and _NONE not in one.labels else None


def _all_metrics(path: Path, one: Said) -> dict[str | tuple[str, str | None], Metric]:
    found = dict(one.sample.metrics)
    explained = (
        (f"{score.scorer}|explanation", None, Metric(score.explanation, None))
        for score in one.scored
        if score.explanation is not None
    )
    for name, by, metric in (*_metrics(one), *explained):
        if (name, by) in found:
            problem = f"question {one.sample.key} has the metric {name} twice"
            raise InputError(path, problem, row=one.row, field="metric")
        found[name, by] = metric
    return found


def _metrics(one: Said) -> Iterator[tuple[str, str | None, Metric]]:
    """What scorers, and people who changed it, made of an answer: the metric, its filter, the value.

    An answer that is the whole text, in any case, says nothing of what was read in it. Several changes
    of one person are kept apart by number.
    """
    who = [(score.scorer, score.part, score.author) for score in one.scored]
    several, before = Counter(who), Counter[tuple[str | None, ...]]()
    text = one.text.strip(" ").lower()
    for score, by in zip(one.scored, who, strict=True):
        before[by] += 1
        number_ = f" ({before[by]})" if several[by] > 1 else ""
        answer = score.answer
        yield (
            score.scorer if score.part is None else f"{score.scorer}|{score.part}",
            None if score.author is None else f"changed by {score.author}{number_}",
            Metric(
                None if score.value is None else written(score.value),
                _points(score.value),
                None if answer is None or answer.strip(" ").lower() == text else answer,
            ),
        )


def _points(value: object) -> float | None:
    if isinstance(value, str):
        found = _GRADES.get(value, _TRUTHS.get(value.lower()))
        if found is not None:
            return found
    return number(value)
