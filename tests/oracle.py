"""The definitions of scoring in a few lines of plain Python, written apart from the SQL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

_MARKS = set('.,:;!?()[]{}<>*"`#$/|\\“”‘’。，、：；！？（）【】「」《》—–…→\n\r')
_AFTER_LABEL = {"and", "or", "nor", "is", "was", "because", "since"}


def label_rule(text: str | None, labels: Iterable[str]) -> str | None:
    """Step 1 of paper_v1: the one label of the question that stands as a word."""
    if text is None or "Failed to obtain answer via API" in text:
        return None
    words: list[str] = []
    word = ""
    for character in text.replace("''", ".") + " ":
        if character in _MARKS or character.isspace():
            words += [word] if word else []
            word = ""
            words += ["."] if character in _MARKS else []
        else:
            word += character
    tokens: list[str] = []
    for word in words:
        before, inside, after = word.startswith("'"), word.strip("'"), word.endswith("'")
        tokens += ["."] * before + [inside] * bool(inside and inside != "-") + ["."] * after
        tokens += ["."] * (inside == "-")
    tokens.append(".")
    found = set()
    for place, token in enumerate(tokens[:-1]):
        after_it = tokens[place + 1]
        may_follow = after_it == "." or after_it in _AFTER_LABEL or re.fullmatch("[A-Z]", after_it)
        if token in set(labels) and (token not in ("A", "I") or may_follow):
            found.add(token)
    return found.pop() if len(found) == 1 else None


_OPENS = (
    r"<think>|<thinking>|<thought>|<seed:think>|\[THINK\]|◁think▷|<\|begin_of_thought\|>"
    r"|<\|channel\|>analysis<\|message\|>"
)
_CLOSES = (
    r"</think>|</thinking>|</thought>|</seed:think>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>"
    r"|<\|channel\|>final<\|message\|>"
)


def after_thinking(text: str | None) -> str | None:
    """What an answer says after its thinking, by field_v2; before it, where nothing follows."""
    if text is not None and text.startswith("\x1e"):
        # How an answer is marked that is read whole.
        return text[1:]
    if text is None or not re.search(f"{_OPENS}|{_CLOSES}", text):
        return text
    text = re.sub(r"<\|(return|end)\|>", "", text)
    marks = [*re.finditer(f"(?P<opens>{_OPENS})|{_CLOSES}", text)]
    ends = [mark for mark in marks if not mark["opens"]]
    rest = text[ends[-1].end() :] if ends else text
    said = re.split(_OPENS, rest)[0]
    if is_blank(said):
        said = text[: marks[0].start()] if marks[0]["opens"] else ""
    return said.strip()


def choice_rule(text: str | None, choices: Mapping[str, str]) -> str | None:
    """Step 1 of field_v2: the choice that an answer is word for word, else the one label in it."""
    said = after_thinking(text)
    if text is not None and said is not None and "Failed to obtain answer via API" not in text:
        same = [label for label, choice in choices.items() if _plain(choice) == _plain(said) != ""]
        if len(same) == 1 and _plain(said) not in {label.lower() for label in choices}:
            return same[0]
    return label_rule(said, choices)


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).removesuffix(".").rstrip()


def is_blank(text: str | None) -> bool:
    """Nothing but white space."""
    return text is None or not text.split()


@dataclass(frozen=True)
class Ask:
    """A question: per pass the choices by label, and the answer (None: hidden)."""

    key: str
    choices: Mapping[int, Mapping[str, str]]
    answers: Mapping[int, str | None]


@dataclass
class Score:
    low: Fraction | None
    high: Fraction | None
    n_missing: int = 0
    n_pending: int = 0
    n_fallback: int = 0


@dataclass
class JudgeReplies:
    """What a judge said: (key, pass, text) → the replies' labels in order (None: unusable)."""

    replies: dict[tuple[str, int, str], list[str | None]] = field(default_factory=dict)
    max_attempts: int = 1


def pass_state(
    question: Ask,
    step: int,
    answered: Mapping[tuple[str, int], tuple[str | None, bool]],
    judge: JudgeReplies | None,
) -> tuple[str, str | None]:
    """(resolved_by, predicted) of one pass; a draw's label is left to the caller as '?'."""
    if (question.key, step) not in answered:
        return "missing", None
    text, failed = answered[question.key, step]
    if failed or "Failed to obtain answer via API" in (text or ""):
        return "missing", None
    label = choice_rule(text, question.choices[step])
    if label is not None:
        return "rule", label
    if judge is None or is_blank(text):
        return "unresolved", None
    assert text is not None
    replies = judge.replies.get((question.key, step, text), [])
    for reply in replies:
        if reply is not None:
            return "judge", reply
    if len(replies) >= judge.max_attempts:
        return "random", "?"
    return ("unresolved" if question.answers[step] is None else "pending"), None


def question_scores(
    question: Ask, states: Mapping[int, tuple[str, str | None]]
) -> dict[str, Score]:
    """The question's score under each strategy, for one sample and judge."""
    result = {}
    for strategy in ("vanilla", "circular", "vanilla_all"):
        steps = [0] if strategy == "vanilla" else sorted(question.choices)
        right = [states[s][1] == question.answers[s] for s in steps]
        pending = [states[s][0] == "pending" for s in steps]
        best = [r or p for r, p in zip(right, pending, strict=True)]
        if strategy == "vanilla_all":
            low, high = Fraction(sum(right), len(steps)), Fraction(sum(best), len(steps))
        else:
            low, high = Fraction(all(right)), Fraction(all(best))
        hidden = any(question.answers[s] is None for s in steps)
        result[strategy] = Score(
            low=None if hidden else low,
            high=None if hidden else high,
            n_missing=sum(states[s][0] == "missing" for s in steps),
            n_pending=0 if strategy == "circular" and not high else sum(pending),
            n_fallback=sum(states[s][0] == "random" for s in steps),
        )
    return result


_CHARS = ".()[],:;!*#{}"
_REFUSALS = (
    "Sorry, I can't help with images of people yet.",
    "I can't process this file.",
    "I'm sorry, but without the image provided",
    "Cannot determine the answer",
)


def peer_match(text: str | None, choices: Mapping[str, str], *, stated: bool) -> str | None:
    """VLMEvalKit's rules as shared/README.md states them; `stated`: with the newer one."""
    read = "nan" if text is None else text
    label = _peer_label(read, choices, stated=stated)
    if label is not None:
        return label
    lowered = read.lower()
    if len(lowered) > 2 * sum(map(len, choices.values())):
        return None
    inside = [name for name, choice in choices.items() if choice.lower() in lowered]
    return inside[0] if len(inside) == 1 else None


def _peer_label(read: str, choices: Mapping[str, str], *, stated: bool) -> str | None:
    if "Failed to obtain answer via API" in read:
        return None
    if any(refusal in read for refusal in _REFUSALS):
        return "Z"
    words = "".join(" " if c in _CHARS else c for c in read).split()
    named = [name for name in choices if name in words]
    if len(named) == 1 and words.index(named[0]) >= len(words) - 4:
        return named[0]
    if not named and "Z" in words:
        return "Z"
    if stated:
        found = re.search(r"(?i)answer\s+is\s+\**([ABCD])", read)
        if found and found[1].upper() in choices:
            return found[1].upper()
    return None
