"""A judgment's fields, each described once: by it a judgment is stored, cached, checked and merged.

The migrations make the table, main.judgment, and a test holds it against this description. Exports
write every column of the table, and so need none.

What is judged is known by a hash of its content, the same in Python and in SQL: sha256 over a
version tag and the parts, each as upper-case hexadecimal UTF-8, so that no text, whatever
separators it holds, reads as two. The views `subject` and `open_subject` compute the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import sha256
from types import UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints


def choice_extraction_hash(question: str, choices: Mapping[str, str], prediction: str) -> str:
    """The subject hash of MMBench's step 2.

    Args:
        question: the question's text.
        choices: text by label.
        prediction: the raw output that is judged.
    """
    listed = ",".join(sorted(f"{_hex(label)}={_hex(text)}" for label, text in choices.items()))
    return _digest(f"choice_extraction/1,{_hex(question)},[{listed}],{_hex(prediction)}")


def open_answer_hash(question: str, references: Iterable[str], prediction: str) -> str:
    """The subject hash of an answer in words, for soft scores and marks.

    Args:
        question: the question's text.
        references: the reference answers, in any order.
        prediction: the raw output that is judged.
    """
    listed = ",".join(sorted(_hex(text) for text in references))
    return _digest(f"open_answer/1,{_hex(question)},[{listed}],{_hex(prediction)}")


def stated_verdict_hash(question_key: str, pass_number: int, prediction: str) -> str:
    """The subject hash of a verdict that a harness stated without a reply.

    It is no subject that a judge could be asked about, so that what is stated of one answer never
    stands for a reply on another one.

    Args:
        question_key: the dataset's own id.
        pass_number: the pass.
        prediction: the raw output that was judged.
    """
    return _digest(f"stated_verdict/1,{_hex(question_key)},{pass_number},{_hex(prediction)}")


def _digest(content: str) -> str:
    return sha256(content.encode()).hexdigest()


def _hex(text: str) -> str:
    return text.encode().hex().upper()


REQUEST, RESPONSE, CALL = "request", "response", "call"
"""The parts of a cache entry, of fields that stand there too."""
OF, SAID = "of", "said"
"""What a judgment is of, and what was said: where all of these are equal, it is the same one."""
_SMALL = "SMALLINT"


@dataclass(frozen=True)
class Judgment:
    """One attempt at one subject: the raw reply, a refusal, or the error in its place; and what a
    server sent, verbatim, where that says more.

    `labels` are those that the judge could choose from, X (none of them) included. `run_id` is the
    run that an imported judgment graded. `origin` is call, batch, cache, local, import or human.
    From `question_id` on are those of a verdict without a reply, as a harness `stated` it.
    Costs are US dollars, times are UTC.
    """

    subject_hash: Annotated[str, REQUEST, OF]
    reply: Annotated[str | None, RESPONSE, SAID]
    labels: Annotated[Sequence[str] | None, REQUEST] = None
    judge_sample: Annotated[int, _SMALL, REQUEST, OF] = 0
    attempt: Annotated[int, _SMALL, REQUEST, OF] = 0
    prompt: Annotated[str | None, REQUEST] = None
    refusal: Annotated[str | None, RESPONSE, SAID] = None
    finish_reason: Annotated[str | None, RESPONSE] = None
    returned_model: Annotated[str | None, RESPONSE] = None
    prompt_tokens: Annotated[int | None, RESPONSE] = None
    completion_tokens: Annotated[int | None, RESPONSE] = None
    body: Annotated[str | None, RESPONSE, SAID] = None
    origin: Annotated[str, CALL] = "import"
    cost_usd: Annotated[float | None, CALL] = None
    latency_seconds: Annotated[float | None, CALL] = None
    judged_at: Annotated[datetime | None, CALL] = None
    asked_run_id: Annotated[int | None, CALL] = None
    request_key: str | None = None
    error: Annotated[str | None, SAID] = None
    run_id: Annotated[int | None, OF] = None
    log: str | None = None
    question_id: Annotated[int | None, OF] = None
    pass_: Annotated[int | None, _SMALL, OF] = None
    sample: Annotated[int | None, _SMALL, OF] = None
    stated: Annotated[str | None, SAID] = None
    score: Annotated[float | None, SAID] = None
    word: Annotated[str | None, SAID] = None


@dataclass(frozen=True)
class Column:
    """A field as main.judgment has it: its name in Judgment, the column's type, and its tags."""

    field: str
    type: str
    tags: frozenset[str]


@cache
def columns() -> Mapping[str, Column]:
    """The columns of main.judgment that a judgment fills, by name."""
    found = {}
    for name, hint in get_type_hints(Judgment, include_extras=True).items():
        tags = frozenset(getattr(hint, "__metadata__", ()))
        kind = _SMALL if _SMALL in tags else _TYPES[kinds_of(Judgment)[name][0]]
        found[name.rstrip("_")] = Column(name, kind, tags - {_SMALL})
    return found


def tagged(*tags: str) -> tuple[str, ...]:
    """The columns that have one of these tags, in order."""
    return tuple(name for name, one in columns().items() if not one.tags.isdisjoint(tags))


@cache
def kinds_of(described: type) -> Mapping[str, tuple[Any, ...]]:
    """What each field of a dataclass can be: `str | None` is str or NoneType."""
    found = {}
    for name, hint in get_type_hints(described).items():
        kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
        found[name] = tuple(get_origin(kind) or kind for kind in kinds)
    return found


_TYPES = {
    str: "VARCHAR",
    int: "INTEGER",
    float: "DOUBLE",
    datetime: "TIMESTAMP",
    Sequence: "VARCHAR[]",
}
