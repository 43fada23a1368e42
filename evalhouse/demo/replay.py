"""From published accuracies back to answers: what 16 models could have said to MMBench dev.

`mmbench_dev.csv` holds, for each model, how many questions of each L-3 ability it gets right under
CircularEval, and how many under pass 0 alone (MMBench, Tables 4, 5 and 8 to 13). Questions and
answers are made up so that they add up to just these. Which of them are right, and in what words,
is picked by a hash, so that the same files come out everywhere.

The answers are rotated right by one each pass, as the official files do.
"""

from __future__ import annotations

import csv
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import md5
from pathlib import Path

from evalhouse.demo.pictures import picture
from warehouse import known_benchmarks
from warehouse.judgment import choice_extraction_hash
from warehouse.later import pl

LABELS = "ABCD"
PASSES = 4
RANKED = "Kosmos-2"
"""Ranked by perplexity in the paper, so it comes as choice scores."""
_ADJECTIVES = [
    "amber",
    "brisk",
    "calm",
    "dusty",
    "early",
    "faded",
    "green",
    "hollow",
    "icy",
    "jagged",
]
_NOUNS = [
    "bridge",
    "candle",
    "door",
    "engine",
    "ferry",
    "garden",
    "harbor",
    "island",
    "kettle",
    "ladder",
]
_WORDINGS = ("{}", "{}.", "({})", "{})", "The answer is {}.", "Answer: {}")
_FREE_WORDINGS = ("It may be the {}.", "perhaps the {}", "It might be the {}, or so it seems.")


@dataclass(frozen=True)
class Question:
    """A question with the label of its answer in pass 0 and its four choices in that pass."""

    key: str
    ability: str
    answer: str
    choices: tuple[str, ...]

    @property
    def text(self) -> str:
        """The question's text."""
        return f"Replayed question {self.key} on {self.ability.lower()}: which one is it?"

    def shown(self, step: int) -> dict[str, str]:
        """The choices of a pass by label."""
        return {LABELS[(i + step) % PASSES]: text for i, text in enumerate(self.choices)}

    def answer_of(self, step: int) -> str:
        """The right label of a pass."""
        return LABELS[(LABELS.index(self.answer) + step) % PASSES]


@dataclass(frozen=True)
class Answer:
    """What a model said to a pass, and which label that means (`None`: none of the choices)."""

    model: str
    question: Question
    step: int
    text: str
    label: str | None
    is_free: bool


@lru_cache
def published() -> tuple[dict[str, int], dict[str, dict[str, int]], dict[str, int]]:
    """Questions per ability; right ones per model and ability; right in pass 0 per model."""
    with (Path(__file__).parent / "mmbench_dev.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    abilities = [name for name in rows[0] if name not in ("model", "pass_0_right")]
    counts = {name: int(rows[0][name]) for name in abilities}
    right = {row["model"]: {name: int(row[name]) for name in abilities} for row in rows[1:]}
    return counts, right, {row["model"]: int(row["pass_0_right"]) for row in rows[1:]}


@lru_cache
def questions() -> tuple[Question, ...]:
    """The 1,176 questions."""
    counts, _, _ = published()
    made: list[Question] = []
    for ability, count in counts.items():
        for _ in range(count):
            key = str(len(made) + 1)
            start = _pick(100, key, "choices")
            names = [
                f"{_ADJECTIVES[(start + 3 * i) % 10]} {_NOUNS[(start // 10 + 7 * i) % 10]}"
                for i in range(PASSES)
            ]
            made.append(Question(key, ability, LABELS[_pick(4, key, "answer")], tuple(names)))
    return tuple(made)


def question_table() -> pl.DataFrame:
    """The question file, in MMBench's own columns: one row per question and pass.

    The first question of each ability has a picture of its answer; the rows of its other passes name
    the row that holds it, as the official files do.
    """
    benchmark = known_benchmarks.find("MMBench")
    assert benchmark is not None
    by_name = {ability.name: ability for ability in benchmark.abilities}
    rows = []
    drawn = {question.ability: question for question in reversed(questions())}
    for step in range(PASSES):
        for number, question in enumerate(questions(), start=1):
            ability = by_name[question.ability]
            assert ability.parent is not None
            rows.append(
                {
                    "index": step * 1_000_000 + number,
                    "question": question.text,
                    **dict(sorted(question.shown(step).items())),
                    "answer": question.answer_of(step),
                    "category": ability.spellings[0],
                    "l2-category": by_name[ability.parent].spellings[0],
                    "split": "dev",
                    "comment": "replayed from published accuracies",
                    "image": _image(question, number, step) if question in drawn.values() else None,
                }
            )
    return pl.DataFrame(rows)


def _image(question: Question, number: int, step: int) -> str:
    if step:
        return str(number)
    text = question.choices[LABELS.index(question.answer)]
    return b64encode(picture(text, question.key)).decode()


def answers() -> Iterator[Answer]:
    """What every model but the ranked one says to every pass."""
    _, right, pass_0_right = published()
    for model, of_ability in right.items():
        if model == RANKED:
            continue
        lucky = pass_0_right[model] - sum(of_ability.values())
        for question, is_right in _right_ones(model, of_ability):
            if is_right:
                kind = "right"
            elif lucky > 0:
                kind, lucky = "lucky", lucky - 1
            else:
                kind = "wrong"
            yield from _passes(model, question, kind)


def prediction_table(said: list[Answer]) -> pl.DataFrame:
    """Answers in the long format."""
    return pl.DataFrame(
        {
            "model": [a.model for a in said],
            "question_key": [a.question.key for a in said],
            "pass": [a.step for a in said],
            "prediction": [a.text for a in said],
        }
    )


def judgment_rows(said: list[Answer]) -> list[dict[str, object]]:
    """A cached judgment for each distinct free text, as the judge would have given it."""
    rows: dict[str, dict[str, object]] = {}
    for answer in said:
        if answer.is_free:
            shown = answer.question.shown(answer.step)
            subject = choice_extraction_hash(answer.question.text, shown, answer.text)
            rows[subject] = {
                "subject_hash": subject,
                "labels": [*LABELS, "X"],
                "reply": answer.label or "X",
            }
    return list(rows.values())


def score_table() -> pl.DataFrame:
    """The ranked model's perplexities in the long format: lowest for the choice that it picks.

    Perplexity does not depend on the order of the choices, so a question is right in every pass or
    in none.
    """
    _, right, _ = published()
    rows = []
    for question, is_right in _right_ones(RANKED, right[RANKED]):
        picked = LABELS.index(question.answer)
        if not is_right:
            picked = (picked + 1 + _pick(3, RANKED, question.key)) % PASSES
        for step in range(PASSES):
            for i in range(PASSES):
                rows.append(
                    {
                        "model": RANKED,
                        "question_key": question.key,
                        "pass": step,
                        "label": LABELS[(i + step) % PASSES],
                        "score": 2.5 if i == picked else 3.0 + _pick(40, question.key, i) / 10,
                    }
                )
    return pl.DataFrame(rows)


def _right_ones(model: str, of_ability: Mapping[str, int]) -> Iterator[tuple[Question, bool]]:
    """Every question, and whether the model gets it right: as many of each ability as published."""
    by_ability: dict[str, list[Question]] = {}
    for question in questions():
        by_ability.setdefault(question.ability, []).append(question)
    for ability, members in by_ability.items():
        shuffled = sorted(members, key=lambda question: _digest(model, question.key))
        for place, question in enumerate(shuffled):
            yield question, place < of_ability[ability]


def _passes(model: str, question: Question, kind: str) -> Iterator[Answer]:
    """The four answers to a question: all right, right in pass 0 only, or wrong from there on."""
    miss = 1 + _pick(3, model, question.key, "miss")
    for step in range(PASSES):
        right = question.answer_of(step)
        wrong = LABELS[(LABELS.index(right) + 1 + _pick(3, model, question.key, step)) % PASSES]
        if kind == "wrong":
            label = wrong if step == 0 or _pick(2, model, question.key, step, "again") else right
        else:
            label = wrong if kind == "lucky" and step == miss else right
        is_free = _pick(60, model, question.key, step, "free") == 0
        wordings = _FREE_WORDINGS if is_free else _WORDINGS
        wording = wordings[_pick(len(wordings), model, question.key, step, "wording")]
        said = question.shown(step)[label] if is_free else label
        if is_free and label != right and _pick(3, model, question.key, step, "unclear") == 0:
            yield Answer(model, question, step, "I cannot tell from the picture.", None, True)
        else:
            yield Answer(model, question, step, wording.format(said), label, is_free)


def _pick(n: int, *parts: object) -> int:
    return int(_digest(*parts)[:8], 16) % n


def _digest(*parts: object) -> str:
    return md5("\x1f".join(map(str, parts)).encode()).hexdigest()
