"""The question in a record of one of lmms-eval's datasets.

Records differ from dataset to dataset. What is looked for:

text      question; MathVista's query, which is what VLMEvalKit has for its question
choices   in a list or fields of their own (`lmms_choices`); else those in the text, as lines `A. …`
          or, as MMStar has them, after `Options:`
answer    answer, answers: a label, a choice's text, its key or its place where they are not in the
          text; else references

Every other field is an attribute of the question. A few benchmarks have names of their own for what
VLMEvalKit's files call otherwise; those get its names, so that both are of the same abilities.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ingest import prompts
from ingest.lmms_eval import lmms_choices
from ingest.lmms_eval.lmms_choices import Choices, as_texts, written
from ingest.prompts import LABELS

_ANSWERS = ("answer", "answers")
_NO_ATTRIBUTE = {
    "question",
    "query",
    "options",
    "choices",
    *_ANSWERS,
    "image",
    "images",
    "decoded_image",
    "video",
}
_KEYS = {"MMMU": ("id",), "MMStar": ("index", "question_id"), "MathVista": ("pid", "question_id")}
_TEXTS = {"ChartQA", "MathVista"}
"""Benchmarks with one reference a question, which may look like a list."""
_MME_REQUEST = " Please answer yes or no."
_DISCIPLINES = {
    "Art & Design": "Art Art_Theory Design Music",
    "Business": "Accounting Economics Finance Manage Marketing",
    "Science": "Biology Chemistry Geography Math Physics",
    "Health & Medicine": "Basic_Medical_Science Clinical_Medicine "
    "Diagnostics_and_Laboratory_Medicine Pharmacy Public_Health",
    "Humanities & Social Science": "History Literature Psychology Sociology",
    "Tech & Engineering": "Agriculture Architecture_and_Engineering Computer_Science Electronics "
    "Energy_and_Power Materials Mechanical_Engineering",
}
"""MMMU's subjects by discipline, as VLMEvalKit's files call those (arXiv 2311.16502, Figure 3)."""
_DISCIPLINE_OF = {
    subject: discipline for discipline, some in _DISCIPLINES.items() for subject in some.split()
}


@dataclass(frozen=True)
class Question:
    """A question.

    Attributes:
        choices: texts, of the labels A, B, …; none: it is answered in words.
        answer: the right label; None: there are no choices, or it is not given.
        split: the dataset's split, where the question says it.
    """

    key: str
    text: str
    choices: tuple[str, ...]
    answer: str | None
    references: tuple[str, ...]
    attributes: dict[str, str] = field(default_factory=dict)
    split: str | None = None

    @property
    def labelled(self) -> list[tuple[str, str]]:
        """Its choices with their labels."""
        return list(zip(LABELS, self.choices, strict=False))


def read(
    benchmark: str | None,
    doc: Mapping[str, Any],
    number: object,
    *,
    first: int = 0,
    may_be_words: bool = False,
) -> Question:
    """The question of a record.

    Args:
        benchmark: what it is of; None: nobody has heard of it.
        doc: the record.
        number: its place in the dataset, which is its key where it has none of its own.
        first: the number that answers have for the first of listed choices.
        may_be_words: a question whose answer is none of its choices is one of words.
    """
    keys = _KEYS.get(benchmark or "", ())
    key = next((str(doc[name]).strip() for name in keys if doc.get(name) is not None), str(number))
    text = str(doc["query"] if benchmark == "MathVista" and doc.get("query") else doc["question"])
    given = answer_of(doc)
    found = lmms_choices.of_record(doc)
    if not found.texts:
        bare, texts = prompts.choices_in(text)
        if texts and Choices(texts).label_of(given) is not None:
            text, found = bare, Choices(texts)
    answer = found.label_of(given, first=first) if found.texts else None
    if may_be_words and answer is None and given not in (None, ""):
        found = Choices()
    choices = found.texts
    may_be_list = benchmark not in _TEXTS
    references = _texts(given) if isinstance(given, list) else _references(given, may_be_list)
    if choices and benchmark != "MathVista":
        references = ()
    if benchmark == "RealWorldQA":
        text = prompts.REQUEST.sub("", text)
    if benchmark == "MME" and not text.endswith(_MME_REQUEST):
        # The harness takes these words out of the prompt, and asks with its own.
        text += _MME_REQUEST
    attributes = _attributes(doc, {*keys, *found.names})
    split = None
    if benchmark in ("MMMU", "RealWorldQA") and not choices:
        attributes["question_type"] = "open"
    if benchmark == "MMMU":
        split, _, rest = key.partition("_")
        subject = rest.rpartition("_")[0]
        attributes["category"] = subject
        attributes["l2-category"] = _DISCIPLINE_OF.get(subject, subject)
    if benchmark == "MME" and "question_id" in attributes:
        attributes.setdefault("image_path", attributes["question_id"])
    if benchmark == "OCRBench" and "question_type" in attributes:
        attributes["category"] = attributes["question_type"]
    if benchmark == "ChartQA" and "type" in attributes:
        kind, _, _ = attributes["type"].partition("_")
        attributes["split"] = f"test_{kind}"
    return Question(key, text.strip(), choices, answer, references, attributes, split)


def _attributes(doc: Mapping[str, Any], keys: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in doc.items():
        if name == "metadata" and isinstance(value, dict):
            found |= {n: v for n, v in _attributes(value, {"split"}).items() if n not in doc}
        elif name not in _NO_ATTRIBUTE | keys and value is not None and value not in ("", [], {}):
            found[name] = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return found


def answer_of(doc: Mapping[str, Any]) -> object:
    """What a record has for right; None: nothing."""
    return next((doc[name] for name in _ANSWERS if doc.get(name) is not None), None)


def _texts(value: object) -> tuple[str, ...]:
    """A list of texts, or one written as Python writes it."""
    return as_texts(written(value))


def _references(given: object, may_be_list: bool) -> tuple[str, ...]:
    if given is None or given == "":
        return ()
    texts = _texts(given) if isinstance(given, str) and may_be_list else ()
    return tuple(one for one in texts if one) or (str(given),)
