"""lm-evaluation-harness's output (0.4): a folder for each model, with __ for the slash in its name.

    MODEL/samples_TASK_TIME.jsonl   a line a document and filter
    MODEL/results_TIME.json         figures and settings of all tasks; or a name of the user's own

    doc             the dataset's record
    arguments       the requests: prompts, and what a likelihood is of
    resps           what the model said, once or several times
    filtered_resps  what `filter` made of it: texts, or [log-likelihood, is greedy] for each choice

Each filter is a run, its name in the label. Where none leaves all that was said as it is, that is a
run too (unfiltered), and not the latest: boards show what the harness scored. A log-likelihood is the
sum over the tokens of a choice. One continuation to each prompt (lambada) is an open question: the
answer is that where it was greedy, and else not known. Likelihoods of whole texts are no answers.

The question is in doc, as far as it says:

key       question_id, index (MMBench's: the pass is in it), id, qid; else the document's number
text      question; else the prompt
choices   as `record_choices` finds them; else what the likelihoods are of
answer    target, or the record's; several (`right_choices`) are none

An open question's reference is what is left of the target once exact_match has ignored what it ignores
(`exact_match`); where that is less, all of it is the attribute target.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from ingest import (
    exact_match,
    fields,
    filtered_samples,
    harness_metrics,
    record_choices,
    results_files,
)
from ingest.exact_match import ExactMatch
from ingest.fields import Field
from ingest.harness_metrics import Metric
from ingest.indexed_rows import PASS_STEP
from ingest.prompts import LABELS
from ingest.reading import json_map
from ingest.reading.head import Format, Head, Seen
from ingest.record_choices import NotRead
from ingest.sample import RIGHT_CHOICES, Ability, About, Answer, Figure, Rule, Sample
from warehouse.errors import InputError
from warehouse.images import listed
from warehouse.wording import counted

FORMATS = {
    "lm_eval_samples": Format(
        2,
        "lm-evaluation-harness's `{model}/samples_{task}_{time}.jsonl`: `doc, target, arguments, "
        "resps, filtered_resps, filter`; each filter is a run",
    ),
    "lm_eval_figures": Format(
        2,
        "lm-evaluation-harness's own figures, `{model}/results_{time}.json`: kept as written and "
        "compared with ours",
        "REFERRING",
    ),
}
HARNESS = "lm-evaluation-harness"
_LEVELS = {
    "question_type_id": "dimension", "L2-category": "l2", "l2-category": "l2", "category": "l3",
}  # fmt: skip
_LINE = (Field("doc", dict, "key"), Field("filter", str, "filter", required=False))
FIELDS = (
    *_LINE,
    *(Field("doc", dict, name) for name in ("text", "choices")),
    *(Field(f"doc.{name}", (str, int), level, required=False) for name, level in _LEVELS.items()),
    Field("doc_id", int, "number", required=False),
    Field("target", str, "target", required=False),
    Field("filtered_resps", list, "said", required=False),
)
_NEEDED = {"doc_id", "doc", "target", "arguments", "filtered_resps", "filter"}
_TIME = r"_(?P<time>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)"
_SAMPLES = re.compile(rf"samples_(?P<task>.+){_TIME}")
_RESULTS = re.compile(rf".+{_TIME}\.json")
_WHOLE_TEXTS = (
    "holds the log-likelihoods of whole texts, of which word_perplexity, byte_perplexity and "
    "bits_per_byte are made: no question and no answer, so nothing that is scored here"
)
_NO_FIGURE = re.compile(r"_stderr\b|^(alias|name|sample_len|samples| )$")
_PLAIN, _SAID = "none", ""
"""The filter that is none, and the variant that stands for what was said before any filter."""
_RANKED, _GREEDY = "likelihoods of choices", "the likelihood of one continuation"
_GENERATED = "answers"
_KEYS = ("question_id", "index", "id", "qid")
_OWN = {
    *_KEYS, *_LEVELS, *record_choices.LISTS, *record_choices.ANSWERS,
    "question", "image", "images", "video", "audio",
}  # fmt: skip


@dataclass(frozen=True)
class _Asked:
    """What the model was asked: a prompt with a continuation, or with settings, each.

    Attributes:
        kind: such as likelihoods of choices.
        words: the texts whose likelihoods were taken; none: answers were generated.
        follows: the words after each choice, where the choices stand in the prompts.
        options: the choices that the requests show, if any.
        n_left: requests for likelihoods without a question (`acc_mutual_info`), which are left.
    """

    prompts: Sequence[str]
    kind: str
    words: Sequence[str]
    follows: str | None
    options: Sequence[str]
    n_left: int


@dataclass
class _Lines:
    """What the lines say together.

    Attributes:
        first: the kind of the first one's requests, and whether it has choices.
        filters: whether each changed an answer.
        scored: content or letter.
        right: questions with several right choices.
        reduced: those whose target is more than the reference.
        n_unknown: answers that were others than the continuation.
    """

    metric: ExactMatch
    first: tuple[str, bool] | None = None
    filters: dict[str, bool] = field(default_factory=dict)
    scored: set[str] = field(default_factory=set)
    right: set[str] = field(default_factory=set)
    reduced: set[str] = field(default_factory=set)
    n_left: int = 0
    n_unknown: int = 0
    are_numbers: bool = True


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file holds samples, or figures."""
    if _is_samples(head):
        return Seen("doc, arguments and filter in its first line", format="lm_eval_samples")
    if _RESULTS.fullmatch(head.path.name) and any(_figures(head.path, head.document)):
        return Seen("results and configs", are_figures=True, format="lm_eval_figures")
    return None


def sidecar(path: Path) -> str | None:
    """Say why a file of lm-evaluation-harness's is no result."""
    head = Head(path)
    if _is_samples(head):
        return _WHOLE_TEXTS if _is_of_whole_texts(head.line) else None
    found = head.document if _RESULTS.fullmatch(path.name) else {}
    if not results_files.is_results(found) or any(_figures(path, found)):
        return None
    return results_files.without_answers(found, HARNESS)


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read samples, or figures.

    Raises:
        InputError: a field is missing or of another type, a line is broken, of another kind than the
            first, or of a whole text.
    """
    named = _RESULTS.fullmatch(path.name)
    if named is not None and results_files.is_results(Head(path).document):
        found, time = json_map.read_object(path), named["time"]
        groups = results_files.tasks_of_groups(found)
        said = {"tasks_of_groups": groups} if groups else {}
        model, figures = results_files.model_of(path, found)[0], tuple(_figures(path, found, time))
        return About(HARNESS, model, "", time, figures=figures, said=said), iter(())
    about, config = _about(path)
    lines = _Lines(exact_match.exact_match(config))
    samples = _samples(path, lines)
    first = next(samples, None)
    questions = "choice" if first is not None and first.choices else "open"
    about = replace(about, questions=questions, completed=lambda known: _completed(known, lines))
    return about, chain([first] if first else [], samples)


def _is_samples(head: Head) -> bool:
    # lmms-eval's lines, which can have all of these too, have the input.
    line = head.line if b'"doc_id":' in head.start else {}
    return line.keys() >= _NEEDED and "input" not in line


def _figures(path: Path, found: Mapping[str, Any], time: str = "") -> Iterator[Figure]:
    """The figures of tasks and groups; standard errors, names and numbers of samples are none."""
    for task, written, value in results_files.figures(path, found, _NO_FIGURE):
        metric, comma, name = written.rpartition(",")
        yield Figure(
            metric if comma else written,
            value,
            name if comma and name != _PLAIN else None,
            task=task,
            label=f"{time}_{task}",
            answers=f"samples_{task}_{time}.jsonl",
        )


def _about(path: Path) -> tuple[About, dict[str, Any]]:
    """What names and the results file next to it say of a file of samples, and the task's settings."""
    named = _SAMPLES.fullmatch(path.stem)
    task = named["task"] if named else path.stem.removeprefix("samples_")
    time = named["time"] if named else None
    name = f"results_{time}.json" if time else "results file"
    there = [path.with_name(name), *sorted(path.parent.glob(f"*_{time}.json"))]
    place = next((one for one in there if time and one.is_file()), None)
    name, results = (name, {}) if place is None else (place.name, json_map.read_object(place))
    model, is_stated = results_files.model_of(path, results)
    about = About(
        HARNESS,
        model,
        task,
        f"{time}_{task}" if time else path.stem,
        dataset=results_files.without_way(task)[0],
        has_own_keys=False,
        are_whole=True,
        n_documents=results_files.n_documents(results, task),
        listed_in=name,
        inferred=results_files.inferred(name if is_stated else None),
        produced_at=results_files.produced_at(time, results.get("date")),
        reduction="sum",
        said=results_files.said_of(results, task),
        remarks=() if place else (f"there is no {name} next to it, so its settings are not known",),
    )
    return about, results_files.of_task(results, "configs", task)


def _completed(about: About, lines: _Lines) -> About:
    """The same with the runs, the rule, and what there is to say."""
    names, notes = lines.filters, [*about.remarks]
    variants: dict[str | None, str] = {}
    if names and all(names.values()):
        ending = "_unfiltered"
        while ending.removeprefix("_") in names:
            ending += "_"
        variants[_SAID] = ending
    for name in names:
        variants |= {None: ""} if name == _PLAIN else {name: f"_{name}"}
    if len(variants) > 1 and not lines.scored:
        notes.append(f"each filter is a run: {', '.join(names)}")
    if _SAID in variants:
        words = "what the model said before any filter is the run that ends in"
        notes.append(f"{words} {variants[_SAID].removeprefix('_')}")
    right, reduced = len(lines.right), len(lines.reduced)
    kind, has_choices = lines.first or ("", False)
    is_greedy = kind == _GREEDY
    more = {
        f"{counted(right, 'question has', 'questions have')} several right choices (the attribute "
        f"{RIGHT_CHOICES}); they have no answer, and are scored in the view right_mass alone": right,
        f"{counted(reduced, 'reference is', 'references are')} what exact_match leaves of the target, "
        "all of which is the attribute target": reduced,
        f"{lines.n_left:,} likelihoods of choices without their question are attributes of the answers "
        "(unconditional), from which acc_mutual_info is computed": lines.n_left,
        "each question has one continuation: an answer is that where it was the model's greedy choice, "
        f"and empty where it was not ({lines.n_unknown:,}), since the file does not hold the other "
        "words; perplexity is not computed here": is_greedy,
        **{f"exact_match ignores {it} there, and not here": True for it in lines.metric.ignored},
    }
    # One continuation is said or not, to the letter.
    metric = ExactMatch(is_known=True) if is_greedy else lines.metric
    rule = {} if has_choices else metric.rule(are_numbers=lines.are_numbers)
    return replace(
        about,
        variants=variants,
        rule=Rule("the settings of its first run", rule, bool(rule), "the harness's settings"),
        scored="letter" if lines.scored == {"letter"} else "content",
        remarks=(*notes, *(text for text, is_so in more.items() if is_so)),
    )


def _samples(path: Path, lines: _Lines) -> Iterator[Sample]:
    for row, record in fields.records(path):
        if row == 1 and _is_of_whole_texts(record):
            raise InputError(path, _WHOLE_TEXTS)
        found = fields.read(path, row, record, _LINE)
        try:
            yield from _of_line(row, record, found["key"], found["filter"] or "", lines)
        except NotRead as error:
            raise InputError(path, error.problem, row=row, field=error.field) from error


def _of_line(
    row: int, record: Mapping[str, Any], doc: Mapping[str, Any], name: str, lines: _Lines
) -> Iterator[Sample]:
    """What a line's filter made of the answers; before that, what was said, where it is the first."""
    if not name.strip():
        raise NotRead("filter", "is empty")
    asked = _asked(record.get("arguments"))
    question = _question(record, doc, asked, lines)
    key, choices = question["key"], question["choices"]
    kind, has_choices = lines.first = lines.first or (asked.kind, bool(choices))
    if asked.kind != kind:
        words = f"{asked.kind}, not {kind}"
        raise NotRead("arguments", f"is another kind of request than the first: {words}")
    if bool(choices) != has_choices:
        raise NotRead("doc", "has choices, where the first question has none, or the reverse")
    attributes = {"prompt": _written([*dict.fromkeys(asked.prompts)])}
    cell, scores = record.get("filtered_resps"), {}
    pairs = cell if isinstance(cell, list) else []
    filtered: list[str | None] = [None]
    said = filtered
    if asked.kind == _GENERATED:
        filtered, said = (
            [*filtered_samples.texts("filtered_resps", cell)],
            [*filtered_samples.texts("resps", record.get("resps"))],
        )
    elif asked.kind == _GREEDY:
        filtered = said = [_greedy(pairs, asked.words[0])]
        lines.n_unknown += said[0] is None
        attributes["loglik"] = json.dumps(pairs)
    else:
        scores = _scores(pairs, key, choices, asked, lines)
        lines.n_left += asked.n_left
    if asked.n_left:
        attributes["unconditional"] = json.dumps(pairs[len(scores) :])
    is_first = name == next(iter(lines.filters), name)
    lines.filters[name] = lines.filters.get(name, False) or filtered != said
    names, variant = record.get("metrics"), None if name == _PLAIN else name
    metrics: dict[str | tuple[str, str | None], Metric] = {
        (metric, variant): Metric(
            found.value, found.score, filtered[0] if filtered != said else None
        )
        for metric in (names if isinstance(names, list) else ())
        if isinstance(metric, str) and (found := harness_metrics.read(record.get(metric)))
    }
    its = attributes if is_first else {}
    yield Sample(
        row=row,
        **question,
        variant=variant,
        answers=tuple(
            Answer(one, n, attributes={} if n else its) for n, one in enumerate(filtered)
        ),
        scores=scores,
        metrics=metrics,
    )
    if is_first and asked.kind == _GENERATED:
        answers = tuple(Answer(one, n) for n, one in enumerate(said))
        yield Sample(row=row, **question, variant=_SAID, answers=answers)


def _question(
    record: Mapping[str, Any], doc: Mapping[str, Any], asked: _Asked, lines: _Lines
) -> dict[str, Any]:
    """The line's question, as fields of a `Sample`."""
    found = record_choices.of_record(doc)
    choices = {} if asked.kind == _GREEDY else found.by_label
    if not choices and asked.options:
        choices = dict(zip(LABELS, (text.strip() for text in asked.options), strict=False))
    key, pass_ = _key(doc, record.get("doc_id"))
    attributes = {
        name: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in doc.items()
        if not (name in _OWN or name in found.names or value is None or value == "")
    }
    target = "" if record.get("target") is None else str(record["target"])
    right = [] if choices else _references(target)
    references = [lines.metric.compared(one) for one in right]
    lines.are_numbers &= all(map(exact_match.is_number, filter(None, references)))
    if references != right:
        attributes["target"] = target
        lines.reduced.add(key)
    target = record_choices.among_choices(target, asked.options, choices)
    several = record_choices.several_right(doc, target, choices)
    if several:
        attributes[RIGHT_CHOICES] = "".join(several)
        lines.right.add(key)
    if asked.follows is not None and target.strip() == asked.follows.strip():
        # What follows each choice says nothing.
        target = ""
    answer = record_choices.answer_of(doc, target, choices) if choices and not several else None
    text = doc.get("question")
    return {
        "key": key,
        "text": text if isinstance(text, str) and text.strip() else asked.prompts[0],
        "pass_": pass_,
        "choices": choices,
        "answer": answer,
        "references": tuple(dict.fromkeys(one for one in references if one)),
        "attributes": attributes,
        "abilities": tuple(_abilities(doc)),
    }


def _abilities(doc: Mapping[str, Any]) -> Iterator[Ability]:
    named = (
        (name, str(doc[name]).strip()) for name in _LEVELS if isinstance(doc.get(name), str | int)
    )
    for depth, (name, text) in enumerate(pair for pair in named if pair[1]):
        yield Ability(_LEVELS[name], text, f"doc.{name}", depth)


def _key(doc: Mapping[str, Any], number: object) -> tuple[str, int]:
    """The question's key, and the pass."""
    for name in _KEYS:
        value = doc.get(name)
        if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
            continue
        if name == "index" and "A" in doc and isinstance(value, int):
            return str(value % PASS_STEP), value // PASS_STEP
        return str(value).strip(), 0
    return str(number), 0


def _references(target: str) -> list[str]:
    """The references: a list, as Python writes one, or a text."""
    found = listed(target)
    if found and all(isinstance(one, str) for one in found):
        return list(dict.fromkeys(str(one) for one in found if one))
    return [target] if target else []


def _parts(arguments: object) -> list[list[Any]]:
    """Each request's parts; [] for one that is no request."""
    requests = [*arguments.values()] if isinstance(arguments, dict) else arguments
    return [
        [*one.values()] if isinstance(one, dict) else one if isinstance(one, list) else []
        for one in (requests if isinstance(requests, list) else ())
    ]


def _is_of_whole_texts(record: Mapping[str, Any]) -> bool:
    """Whether a line is a text's likelihood (`loglikelihood_rolling`), and no answer to anything."""
    found = _parts(record.get("arguments"))
    return len(found) == 1 and len(found[0]) == 1 and isinstance(found[0][0], str)


def _asked(arguments: object) -> _Asked:
    requests = _parts(arguments)
    if not requests:
        raise NotRead("arguments", "holds no request")
    if any(len(one) < 2 or not isinstance(one[1], str | dict) for one in requests):
        problem = "is neither a prompt with a continuation nor a prompt with settings"
        raise NotRead("arguments", problem)
    prompts = [_written(one[0]) for one in requests]
    words = [one[1] for one in requests if isinstance(one[1], str)]
    words = words if len(words) == len(prompts) else []
    half, bare = len(prompts) // 2, [str(one[1]).strip() for one in requests]
    # The continuation of the second half may lack the white space before it.
    n_left = half if not any(prompts[half:]) and bare[:half] == bare[half:] else 0
    if n_left:
        prompts, words = prompts[:half], words[:half]
    follows = words[0] if len({*words}) == 1 < len(words) else None
    kind = _RANKED if len(words) > 1 else _GREEDY if words else _GENERATED
    shown = words if follows is None else prompts
    return _Asked(prompts, kind, words, follows, shown if kind == _RANKED else (), n_left)


def _written(prompt: Any) -> str:
    """A prompt, or the only one of a list: a text as it is, or a talk as JSON."""
    is_only = isinstance(prompt, list) and len(prompt) == 1
    return harness_metrics.written(prompt[0] if is_only else prompt)


def _greedy(pairs: list[Any], continuation: str) -> str | None:
    """What the model says after the prompt, as far as it is known: the continuation, or not."""
    match pairs:
        case [[_, is_greedy]] if str(is_greedy) in ("True", "False", "1", "0"):
            return continuation if str(is_greedy) in ("True", "1") else None
    raise NotRead("filtered_resps", "is not one likelihood with True or False")


def _scores(
    pairs: list[Any], key: str, choices: Mapping[str, str], asked: _Asked, lines: _Lines
) -> dict[str, float]:
    """The log-likelihood of each choice by its label."""
    n = len(asked.options)
    if len(pairs) not in (n, 2 * n):
        raise NotRead("filtered_resps", f"has {len(pairs)} likelihoods for {n} continuations")
    found: dict[str, float] = {}
    kinds = set()
    is_prompt = asked.follows is not None
    for place, (pair, words) in enumerate(zip(pairs, asked.options, strict=False)):
        label, kind = record_choices.label_of(words, place, choices, key, is_prompt=is_prompt)
        if label in found:
            raise NotRead("arguments", f"scores the choice {label} twice")
        found[label] = filtered_samples.likelihood(pair)
        kinds.add(kind)
    lines.scored.add("letter" if kinds == {"letter"} else "content")
    return found
