"""Prompt templates: TOML files with a version, and what they make of a subject.

    name, version, task, rationale   what it is; task is choice_extraction, soft_score, mark,
                                     answer_extraction or equivalence
    quoting                          json (default): a field is a JSON string; line: as it is, in one line
    system, user                     texts with {question}, {choices}, {references}, {prediction}, {labels},
                                     {form} (of answer_extraction: how the answer is wanted)
    [[example]]                      the same fields, and the reply that is right; few-shot turns
    [sampling]                       parameters of the request, such as temperature, max_tokens
    [[attempt]]                      what changes from try to try: reminder (a line after the user's
                                     text), and any sampling parameter
    [language.cn]                    another wording for data sets in that language: system, user,
                                     [[language.cn.example]], [[language.cn.attempt]] with reminder

A prediction is untrusted. It is put in its place as a JSON string, or as one line, and places are filled
in one pass, so that no text can open another place or end its own. What looks like a model's own marks
(<|im_end|>) is spelt so that none is read: as JSON escapes, or with a space.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from warehouse.errors import UsageError
from warehouse.files import reading
from warehouse.judges import ANSWER_EXTRACTION, TASKS

_DIRECTORY = Path(__file__).parent / "templates"
MOST_BYTES = 2**20
_PLACE = re.compile(r"\{(question|choices|references|prediction|labels|form)\}")
_TAG = re.compile(r"<(?=[|/!｜\w])")
"""Where something like <|im_end|> or </s> begins: many servers read these also inside a message."""
_KNOWN = {
    "name", "version", "task", "rationale", "quoting", "system", "user", "example", "sampling", "attempt",
    "language",
}  # fmt: skip
_QUOTING = ("json", "line")


@dataclass(frozen=True)
class Subject:
    """What is judged. Choices by label for choice_extraction, else references; for answer_extraction
    the form that the question wants, and its choices where it has some. `language` is the dataset's.
    """

    question: str
    prediction: str
    choices: Mapping[str, str] | None = None
    references: Sequence[str] = ()
    form: str | None = None
    language: str | None = None

    @property
    def labels(self) -> tuple[str, ...] | None:
        """The labels that a judge can choose from, X (none of them) at the end."""
        if self.choices is None or self.form is not None:
            return None
        return (*sorted(self.choices), "X")


@dataclass(frozen=True)
class Template:
    """A template as it was read. `text` is the whole file, `sha256` its hash; `languages` has the
    template again with the wording for each language that has one of its own.
    """

    name: str
    version: str
    task: str
    quoting: str
    system: str
    user: str
    examples: tuple[Mapping[str, Any], ...]
    sampling: Mapping[str, Any]
    attempts: tuple[Mapping[str, Any], ...]
    text: str
    sha256: str
    languages: Mapping[str, Template] = field(default_factory=dict)
    # What is the same for all subjects with the same labels, so that it is made once.
    _turns: dict[tuple[str, ...] | None, list[dict[str, str]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def language_of(self, subject: Subject) -> str | None:
        """The language whose wording a subject gets; None: the wording for all."""
        return subject.language if subject.language in self.languages else None

    def prompt(self, subject: Subject, attempt: int) -> str:
        """What is said about a subject at a try, counted from 0."""
        language = self.language_of(subject)
        if language is not None:
            return self.languages[language].prompt(replace(subject, language=None), attempt)
        filled = self._fill(self.user, subject)
        reminder = self.attempts[attempt].get("reminder")
        return f"{filled}\n{self._fill(reminder, subject)}" if reminder else filled

    def messages(
        self, prompt: str, labels: Sequence[str] | None, language: str | None = None
    ) -> list[dict[str, str]]:
        """The whole conversation: system text, examples as turns, and the prompt."""
        if language is not None:
            return self.languages[language].messages(prompt, labels)
        known = None if labels is None else tuple(labels)
        if known not in self._turns:
            self._turns[known] = self._fixed_turns(known)
        return [*self._turns[known], {"role": "user", "content": prompt}]

    def _fixed_turns(self, labels: tuple[str, ...] | None) -> list[dict[str, str]]:
        shown = Subject("", "", choices=dict.fromkeys((labels or ())[:-1], "") if labels else None)
        turns = []
        if self.system:
            turns.append({"role": "system", "content": self._fill(self.system, shown)})
        for example in self.examples:
            subject = Subject(
                example["question"],
                example["prediction"],
                choices=example.get("choices"),
                references=example.get("references", ()),
                form=example.get("form"),
            )
            turns.append({"role": "user", "content": self._fill(self.user, subject)})
            turns.append({"role": "assistant", "content": example["reply"]})
        return turns

    def _fill(self, text: str, subject: Subject) -> str:
        values = {
            "question": self._quoted(subject.question),
            "prediction": self._untrusted(subject.prediction),
            "references": self._listed(subject.references),
            "choices": self._choices(subject.choices or {}),
            "labels": ", ".join(subject.labels or ()),
            "form": subject.form or "",
        }
        return _PLACE.sub(lambda found: values[found[1]], text)

    def _untrusted(self, text: str) -> str:
        """A text in its place, without anything that a chat template takes for the end of a turn."""
        if self.quoting == "json":
            return _TAG.sub("\\\\u003c", _json(text))
        return _TAG.sub("< ", _one_line(text))

    def _quoted(self, text: str) -> str:
        return _json(text) if self.quoting == "json" else _one_line(text)

    def _listed(self, texts: Sequence[str]) -> str:
        if self.quoting == "json":
            return _json(texts[0] if len(texts) == 1 else list(texts))
        return " <OR> ".join(_one_line(text) for text in texts)

    def _choices(self, choices: Mapping[str, str]) -> str:
        if self.quoting == "json":
            return _json(dict(sorted(choices.items())))
        return " ".join(f"{label}. {_one_line(text)}" for label, text in sorted(choices.items()))


def shipped(task: str) -> Template:
    """The template that comes with the package."""
    return load(_DIRECTORY / f"{task}.toml")


def load(path: Path) -> Template:
    """Read a template.

    Raises:
        UsageError: names the file and its error.
    """
    try:
        text = reading.content(path, most=MOST_BYTES).decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8") from error
    return parse(text, str(path))


def parse(text: str, name: str) -> Template:
    """A template from its text; `name` stands in messages.

    Raises:
        UsageError: names its error.
    """
    data = reading.toml_of(text, name)
    for key in ("name", "version", "task", "user"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            raise UsageError(f"{name}, field {key}: is missing, or no text")
    for key in data.keys() - _KNOWN:
        raise UsageError(f"{name}, field {key}: a template has no such field")
    if data["task"] not in TASKS:
        raise UsageError(f"{name}, field task: {data['task']!r} is none of {', '.join(TASKS)}")
    if data.get("quoting", "json") not in _QUOTING:
        raise UsageError(f"{name}, field quoting: is json or line")
    if "{prediction}" not in data["user"]:
        raise UsageError(f"{name}, field user: has no {{prediction}}")
    template = Template(
        name=data["name"],
        version=data["version"],
        task=data["task"],
        quoting=data.get("quoting", "json"),
        system=_text(data, "system", name).strip(),
        user=data["user"].strip(),
        examples=tuple(_tables(data, "example", name)),
        sampling=_sampling(data.get("sampling", {}), f"{name}, field sampling"),
        attempts=tuple(_tables(data, "attempt", name)) or ({},),
        text=text,
        sha256=sha256(text.encode()).hexdigest(),
    )
    _check_examples(template, name)
    for number, attempt in enumerate(template.attempts, start=1):
        _sampling(
            {k: v for k, v in attempt.items() if k != "reminder"}, f"{name}, attempt {number}"
        )
        if not isinstance(attempt.get("reminder", ""), str):
            raise UsageError(f"{name}, attempt {number}, field reminder: is no text")
    languages = data.get("language", {})
    if not isinstance(languages, dict):
        raise UsageError(f"{name}, field language: is written [language.NAME]")
    worded = {
        language: _worded(template, given, f"{name}, language {language}")
        for language, given in languages.items()
    }
    return replace(template, languages=worded)


def _worded(template: Template, given: object, where: str) -> Template:
    """The template with the wording of a language."""
    if not isinstance(given, dict):
        raise UsageError(f"{where}: is no table")
    for key in given.keys() - {"system", "user", "example", "attempt"}:
        raise UsageError(f"{where}, field {key}: a language has no such field")
    user = _text(given, "user", where).strip()
    if "{prediction}" not in user:
        raise UsageError(f"{where}, field user: has no {{prediction}}")
    reminders = _tables(given, "attempt", where)
    if len(reminders) > len(template.attempts):
        raise UsageError(f"{where}, field attempt: has more tries than the template")
    for number, one in enumerate(reminders, start=1):
        if one.keys() - {"reminder"} or not isinstance(one.get("reminder", ""), str):
            raise UsageError(f"{where}, attempt {number}: is a reminder, a text, and no more")
    attempts = []
    for number, attempt in enumerate(template.attempts):
        said = reminders[number] if number < len(reminders) else {}
        attempts.append({k: v for k, v in attempt.items() if k != "reminder"} | said)
    made = replace(
        template,
        system=_text(given, "system", where).strip(),
        user=user,
        examples=tuple(_tables(given, "example", where)),
        attempts=tuple(attempts),
    )
    _check_examples(made, where)
    return made


def _check_examples(template: Template, where: str) -> None:
    for number, example in enumerate(template.examples, start=1):
        _check_example(example, template.task, f"{where}, example {number}")


def _check_example(example: Mapping[str, Any], task: str, where: str) -> None:
    extracts = task == ANSWER_EXTRACTION
    for key in ("question", "prediction", "reply", *(["form"] if extracts else [])):
        if not isinstance(example.get(key), str):
            raise UsageError(f"{where}, field {key}: is missing, or no text")
    if extracts:
        return
    wanted = "choices" if task == "choice_extraction" else "references"
    given = example.get(wanted)
    if not isinstance(given, dict if wanted == "choices" else list):
        raise UsageError(f"{where}, field {wanted}: is missing, or of another type")
    texts = given.values() if isinstance(given, dict) else given
    if not given or not all(isinstance(one, str) for one in texts):
        raise UsageError(f"{where}, field {wanted}: is empty, or holds what is no text")


def _sampling(table: object, where: str) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise UsageError(f"{where}: is no table")
    for key, value in table.items():
        if key in ("model", "messages", "n", "stream"):
            raise UsageError(f"{where}, field {key}: is not for a template to set")
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise UsageError(f"{where}, field {key}: is no plain value: {error}") from error
    return table


def _tables(data: Mapping[str, Any], key: str, name: str) -> list[dict[str, Any]]:
    tables = data.get(key, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise UsageError(f"{name}, field {key}: is written [[{key}]]")
    return tables


def _text(data: Mapping[str, Any], key: str, name: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str):
        raise UsageError(f"{name}, field {key}: is no text")
    return value


def _json(value: object) -> str:
    # Line separators of Unicode are escaped too: some servers split messages at them.
    text = json.dumps(value, ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029]", lambda c: f"\\u{ord(c[0]):04x}", text)


def _one_line(text: str) -> str:
    return " ".join(text.split())
