"""HELM's runs, a folder each: `{scenario}:{arguments},model={model}`.

    scenario_state.json       adapter_spec (method, model, limits) and request_states, one for each
                              instance and trial: the instance with its references, the prompt, and
                              what the model said
    per_instance_stats.json   what HELM made of each: by instance and trial, means by metric
    stats.json                the figures, by metric, split and perturbation
    run_spec.json             the run's name, the scenario's arguments, the metrics
    scenario.json, instances.json, display_*.json    nothing else

A reference with the tag `correct` is right. Where the prompt shows the references as labelled choices
(multiple_choice_joint), output_mapping says which is which; else the right ones are the references of a
question that is answered in words. A trial, with other examples in the prompt, is a sample, and so is
each of several completions.

Where each choice is a request of its own (multiple_choice_separate_*), a state is a request:
`reference_index` says of which choice, and `request_mode` whether its question precedes it (original) or
no question does (calibration). The prompt ends in the choice, and the completion repeats it, token by
token with its log-probability. As in HELM the score of a choice is over the last tokens, those of a blank
and the choice: their mean, or where the method is calibrated the sum less the sum without the question.

Not read, and refused by name: methods that take the likelihood of whole texts, and rankings. Perturbed
instances are left, and counted. A figure is the mean of a metric, by split: `split=test|exact_match`, and
with `|perturbation=NAME` behind it where it is of perturbed instances.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ingest import fields
from ingest.fields import Field
from ingest.harness_metrics import Metric
from ingest.names import DatasetName
from ingest.prompts import LABELS
from ingest.reading import json_map
from ingest.reading.head import Format, Head, Seen
from ingest.reading.records import json_records
from ingest.sample import RIGHT_CHOICES, About, Answer, Figure, Sample, Score
from warehouse.errors import InputError
from warehouse.wording import counted

FORMATS = {
    "helm_states": Format(
        1,
        "HELM's `scenario_state.json`: questions, answers, and with `per_instance_stats.json` next to it "
        "what HELM made of each",
    ),
    "helm_figures": Format(
        1,
        "HELM's own figures, `stats.json` next to `scenario_state.json`: kept as written and compared "
        "with ours",
        "REFERRING",
    ),
}
HARNESS = "helm"
FIELDS = (
    Field("instance", dict, "instance"),
    Field("instance.id", (str, int), "key"),
    Field("instance.input.text", str, "text", required=False),
    Field("instance.split", str, "split", required=False),
    Field("instance.references", list, "target", required=False),
    Field("output_mapping", dict, "choices", required=False),
    Field("train_trial_index", int, "trial", required=False),
    Field("reference_index", int, "place", required=False),
    Field("request_mode", str, "mode", required=False),
    Field("request.prompt", str, "prompt", required=False),
    Field("result.completions", list, "said", required=False),
    Field("result.success", bool, "success", required=False),
    Field("result.error", str, "error", required=False),
    Field("result.request_time", float, "request_time", required=False),
)
_RUN = (
    Field("adapter_spec", dict, "adapter_spec"),
    Field("adapter_spec.model", str, "model", required=False),
    Field("request_states", list, "states"),
)
_OF_INSTANCE = (
    Field("instance_id", (str, int), "key"),
    Field("train_trial_index", int, "trial", required=False),
    Field("perturbation", dict, "perturbation", required=False),
    Field("stats", list, "stats"),
)
_STAT = (Field("name.name", str, "metric"), Field("mean", float, "mean", required=False))
_FIGURE = (
    *_STAT,
    Field("name.split", str, "split", required=False),
    Field("name.sub_split", str, "sub_split", required=False),
    Field("name.perturbation.name", str, "perturbation", required=False),
    Field("name.perturbation.computed_on", str, "computed_on", required=False),
)
_STATE, _SCORES = "scenario_state.json", "per_instance_stats.json"
_FIGURES, _SPEC = "stats.json", "run_spec.json"
_LEFT = {
    _SCORES: f"HELM's scores of single answers, read with {_STATE}",
    _SPEC: f"settings of HELM's run, read with {_STATE}",
    "scenario.json": "what HELM says of the scenario",
    "instances.json": f"the instances, which {_STATE} has too",
    "display_predictions.json": f"the answers as HELM's pages show them, which {_STATE} has too",
    "display_requests.json": f"the prompts as HELM's pages show them, which {_STATE} has too",
}
_BOOKKEEPING = re.compile(
    r"num_.*|training_.*|inference_.*|batch_size|finish_reason_.*|prompt_truncated|max_prob|logprob|"
    r"predicted_index|estimated_.*"
)
"""Statistics of the run itself: sizes, times and costs."""
_OF_RUN = frozenset(("method", "model", "model_deployment", "data_augmentation", "groups"))
"""Arguments in a run's name that are not the scenario's."""
_OF_SPEC = ("name", "metric_specs", "groups")
_OF_REQUEST = ("num_train_instances", "prompt_truncated", "num_conditioning_tokens")
_JOINT = "multiple_choice_joint"
_MEAN, _CALIBRATED = "multiple_choice_separate_original", "multiple_choice_separate_calibrated"
_ORIGINAL, _CALIBRATION = "original", "calibration"
_MODES = {_MEAN: (_ORIGINAL,), _CALIBRATED: (_ORIGINAL, _CALIBRATION)}
_METHODS = (_JOINT, *_MODES, "generation", "chat")


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file holds states, or figures."""
    if head.start.startswith(b'{"adapter_spec":'):
        return Seen("adapter_spec at its beginning", format="helm_states")
    if head.path.name == _FIGURES and re.match(rb'\[\{.*"sum_squared":', head.start):
        return Seen("its name, and sums of squares", are_figures=True, format="helm_figures")
    return None


def sidecar(path: Path) -> str | None:
    """Say why a file of a run's folder is no result."""
    return _LEFT.get(path.name) if path.with_name(_STATE).is_file() else None


def is_metric(name: str) -> bool:
    """Whether a statistic says how good an answer is."""
    return _BOOKKEEPING.fullmatch(name) is None


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read states or figures.

    Raises:
        InputError: a field is missing or of another type, the method is none that is read, or the
            figures' states are not next to them.
    """
    if path.name == _FIGURES and not Head(path).start.startswith(b"{"):
        return _figures(path), iter(())
    about, run = _run(path)
    method = run["adapter_spec"].get("method")
    if method not in _METHODS:
        problem = f"{method!r} is not read: answers are, of {', '.join(_METHODS)}"
        raise InputError(path, problem, field="adapter_spec.method")
    scores_path = path.with_name(_SCORES)
    scores = _scores(scores_path) if scores_path.is_file() else {}
    samples: list[Sample] = []
    asked: dict[tuple[str | None, str, int], _Asked] = {}
    n_perturbed = 0
    for row, state in enumerate(run["states"], start=1):
        found = fields.read(path, row, state, FIELDS)
        if found["instance"].get("perturbation") is not None:
            n_perturbed += 1
            continue
        sample, trial = _question(path, row, found, method), found["trial"] or 0
        sample = replace(sample, metrics=scores.get((sample.key, trial), {}))
        if method in _MODES:
            one = asked.setdefault((sample.split, sample.key, trial), _Asked(sample, trial))
            one.add(path, row, found, method)
        else:
            samples.append(replace(sample, answers=_answers(path, row, state, found)))
    remarks = []
    if method in _MODES:
        samples = [one.scored(path, method) for one in asked.values()]
        remarks += _of_likelihoods(path, samples)
    if n_perturbed:
        n = counted(
            n_perturbed, "answer to perturbed instances is", "answers to perturbed instances are"
        )
        remarks.append(f"{n} left")
    if several := {(one.split, one.key) for one in samples if one.attributes}:
        n = counted(len(several), "question has", "questions have")
        words = (
            "right choices (the attribute right_choices); they have no answer and are not scored"
        )
        remarks.append(f"{n} several {words}")
    if not scores:
        remarks.append(f"there is no {_SCORES} next to it, so HELM's scores are not known")
    return replace(
        about,
        reduction="mean" if method == _MEAN else None,
        questions="choice" if method in (_JOINT, *_MODES) else "open",
        remarks=tuple(remarks),
        n_rows=len(run["states"]),
    ), iter(samples)


def _run(path: Path) -> tuple[About, dict[str, Any]]:
    """What a run's folder says of it, and its states."""
    run = fields.read(path, None, json_map.read_object(path), _RUN)
    if not run["states"]:
        raise InputError(path, "is an empty list", field="request_states")
    spec_path = path.with_name(_SPEC)
    spec = json_map.read_object(spec_path) if spec_path.is_file() else {}
    name = str(spec.get("name") or path.absolute().parent.name)
    scenario, _, written = name.partition(":")
    parts = [part.partition("=") for part in written.split(",") if part]
    own = [(key, value) for key, _, value in parts if key not in _OF_RUN]
    kept = [f"{key}={value}" for key, _, value in parts if not key.startswith("model")]
    first = min(_times(run["states"]), default=None)
    moment = None if first is None else datetime.fromtimestamp(first, UTC)
    shown = f"{scenario}:{','.join(kept)}" if kept else scenario
    about = About(
        HARNESS,
        (run["model"] or "").strip(),
        f"{scenario}:{','.join(f'{key}={value}' for key, value in own)}" if own else scenario,
        f"{moment:%Y%m%dT%H%M%S}_{shown}" if moment else shown,
        produced_at=f"{moment:%Y-%m-%d %H:%M:%S}" if moment else None,
        dataset=DatasetName(scenario, "_".join(value for _, value in own if value) or None),
        said={"adapter_spec": run["adapter_spec"]} | {k: spec[k] for k in _OF_SPEC if k in spec},
        inferred=dict.fromkeys(
            ("model", "run", "benchmark", "version", "split"), f"{path.name} and {_SPEC}"
        ),
        has_own_keys=False,
    )
    return about, run


def _times(states: Sequence[object]) -> Iterator[float]:
    """When the requests were made that say it."""
    for state in states:
        result = state.get("result") if isinstance(state, dict) else None
        time = result.get("request_datetime") if isinstance(result, dict) else None
        if isinstance(time, int | float) and not isinstance(time, bool) and 0 < time < 1e11:
            yield float(time)


def _question(path: Path, row: int, found: Mapping[str, Any], method: str) -> Sample:
    key = str(found["key"]).strip()
    if not key:
        raise InputError(path, "is empty", row=row, field="instance.id")
    # In files of HELM 0.2 inputs and outputs are texts.
    bare = found["instance"].get("input")
    text = bare if isinstance(bare, str) else found["text"]
    if text is None:
        raise InputError(path, "is no text", row=row, field="instance.input.text")
    references = _references(path, row, found["target"] or [])
    right = [one for one, is_right in references if is_right]
    choices: dict[str, str] = {}
    labels: list[str] = []
    if method in (_JOINT, *_MODES):
        choices = _choices(path, row, found, method, [one for one, _ in references])
        labels = [label for label, its_text in choices.items() if its_text in right]
    return Sample(
        row=row,
        key=key,
        text=text,
        choices=choices,
        answer=labels[0] if len(labels) == 1 else None,
        references=() if choices else tuple(dict.fromkeys(right)),
        attributes={RIGHT_CHOICES: "".join(labels)} if len(labels) > 1 else {},
        split=(found["split"] or "").strip() or None,
    )


def _references(path: Path, row: int, every: Sequence[object]) -> list[tuple[str, bool]]:
    """The texts of an instance's references, and whether each is tagged as correct."""
    where, found = "instance.references", []
    for one in every:
        if not isinstance(one, dict):
            raise InputError(path, "has what is no object", row=row, field=where)
        output, tags = one.get("output"), one.get("tags") or []
        text = output.get("text") if isinstance(output, dict) else output
        if not isinstance(text, str):
            raise InputError(path, "is no text", row=row, field=f"{where}.output.text")
        if not isinstance(tags, list):
            raise InputError(path, "is no list", row=row, field=f"{where}.tags")
        found.append((text, "correct" in tags))
    return found


def _choices(
    path: Path, row: int, found: Mapping[str, Any], method: str, references: Sequence[str]
) -> dict[str, str]:
    """The choices by their labels, which are those in the prompt, or else A, B, C and so on."""
    mapping, name = found["choices"] or {}, "output_mapping"
    if method != _JOINT:
        name = "instance.references"
        if len(references) > len(LABELS):
            raise InputError(path, "are more than letters", row=row, field=name)
        mapping = dict(zip(LABELS, references, strict=False))
    if len(mapping) < 2:
        raise InputError(path, "has no two choices", row=row, field=name)
    if not all(isinstance(text, str) for text in mapping.values()):
        raise InputError(path, "has a choice that is no text", row=row, field=name)
    return mapping


def _answers(
    path: Path, row: int, state: Mapping[str, Any], found: Mapping[str, Any]
) -> tuple[Answer, ...]:
    said = _completions(path, row, found) or [{}]
    texts = [one.get("text") if isinstance(one, dict) else one for one in said]
    if not all(text is None or isinstance(text, str) for text in texts):
        raise InputError(path, "is no text", row=row, field="result.completions.text")
    first = (found["trial"] or 0) * len(texts)
    how = {name: state.get(name) for name in _OF_REQUEST} | {"request_time": found["request_time"]}
    attributes = {"prompt": found["prompt"]} if found["prompt"] else {}
    attributes |= {name: json.dumps(one) for name, one in how.items() if one is not None}
    error = (found["error"] or "") if found["success"] is False else None
    return tuple(
        Answer(
            text,
            sample=first + n,
            error=None if text else error,
            # They are of the request, and stand with its first answer.
            attributes={} if n else attributes,
        )
        for n, text in enumerate(texts)
    )


def _completions(path: Path, row: int, found: Mapping[str, Any]) -> list[Any]:
    if found["said"] is None:
        raise InputError(path, "is no list", row=row, field="result.completions")
    said: list[Any] = found["said"]
    return said


@dataclass
class _Asked:
    """The requests for the choices of an instance in a trial.

    Attributes:
        found: by mode and choice, the log-likelihood, and over how many tokens; None: the request
            failed, or its tokens are not those of the choice.
        prompts: those with the question, by choice.
    """

    sample: Sample
    trial: int
    found: dict[tuple[str, int], tuple[float, int] | None] = field(default_factory=dict)
    prompts: dict[int, str] = field(default_factory=dict)

    def add(self, path: Path, row: int, found: Mapping[str, Any], method: str) -> None:
        """Take in a request."""
        place, mode = found["place"], found["mode"]
        choices = [*self.sample.labelled.values()]
        if place is None or not 0 <= place < len(choices):
            problem = "is no reference of the instance"
            raise InputError(path, problem, row=row, field="reference_index")
        if mode not in _MODES[method]:
            problem = f"{mode!r} is none of {', '.join(_MODES[method])}"
            raise InputError(path, problem, row=row, field="request_mode")
        if (mode, place) in self.found:
            problem = f"the request for choice {place} ({mode}) is there already"
            raise InputError(path, problem, row=row, field="reference_index")
        self.found[mode, place] = _likelihood(path, row, found, choices[place])
        if mode == _ORIGINAL and found["prompt"] is not None:
            self.prompts[place] = found["prompt"]

    def scored(self, path: Path, method: str) -> Sample:
        """The sample with the score of each choice that has one, and how they came about."""
        n, scores = len(self.sample.choices), []
        for place in range(n):
            for mode in _MODES[method]:
                if (mode, place) not in self.found:
                    problem = f"its instance has no request for choice {place} ({mode})"
                    raise InputError(path, problem, row=self.sample.row, field="reference_index")
            own, alone = self.found[_ORIGINAL, place], self.found.get((_CALIBRATION, place))
            if own and method == _MEAN:
                scores.append(Score(LABELS[place], own[0] / own[1], own[1]))
            elif own and alone:
                scores.append(Score(LABELS[place], own[0] - alone[0]))
        kept = {}
        modes = {"loglik": _ORIGINAL, "loglik_without_question": _CALIBRATION}
        for name, mode in modes.items():
            totals = [(self.found.get((mode, place)) or (None,))[0] for place in range(n)]
            if any(one is not None for one in totals):
                kept[name] = json.dumps(totals)
        if self.prompts:
            prompts = [self.prompts.get(place) for place in range(n)]
            kept["prompt"] = json.dumps(prompts, ensure_ascii=False)
        answer = Answer(None, sample=self.trial, attributes=kept)
        return replace(self.sample, scores=tuple(scores), answers=(answer,))


def _likelihood(
    path: Path, row: int, found: Mapping[str, Any], choice: str
) -> tuple[float, int] | None:
    """The log-likelihood of a choice, summed, and the number of its tokens."""
    said, where = _completions(path, row, found), "result.completions"
    if found["success"] is False and not said:
        return None
    if len(said) != 1 or not isinstance(said[0], dict):
        raise InputError(path, "is not one completion", row=row, field=where)
    tokens = said[0].get("tokens")
    if not isinstance(tokens, list) or not all(isinstance(one, dict) for one in tokens):
        raise InputError(path, "is no list of tokens", row=row, field=f"{where}.tokens")
    n_tokens = _n_tokens([str(one.get("text") or "") for one in tokens], choice)
    if n_tokens is None:
        return None
    values = [one.get("logprob") for one in tokens[-n_tokens:]]
    for value in values:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not math.isfinite(value):
            problem = f"{value!r} is no number"
            raise InputError(path, problem, row=row, field=f"{where}.tokens.logprob")
    return sum(values, 0.0), n_tokens


def _n_tokens(texts: Sequence[str], choice: str) -> int | None:
    """How many of the last tokens are a blank and the choice; None: they are not."""
    wanted, joined = choice.strip(), ""
    if not wanted:
        return None
    for n, text in enumerate(reversed(texts), start=1):
        joined = text + joined
        if joined.strip() == wanted:
            # A tokenizer may have the blank by itself.
            is_blank_before = joined[:1].strip() and texts[: len(texts) - n][-1:] == [" "]
            return n + bool(is_blank_before)
        if len(joined.strip()) > len(wanted):
            return None
    return None


def _of_likelihoods(path: Path, samples: Sequence[Sample]) -> list[str]:
    """Say of how many choices the likelihood is not known."""
    n_choices = sum(len(one.choices) for one in samples)
    n_scores = sum(len(one.scores) for one in samples)
    if samples and not n_scores:
        problem = "no completion ends in the tokens of its choice with their log-probabilities"
        raise InputError(path, problem, field="result.completions.tokens")
    if n_scores == n_choices:
        return []
    return [
        f"{n_choices - n_scores:,} of {n_choices:,} choices have no likelihood: their request failed, "
        "or the completion's last tokens are not the choice; the answers to their questions are missing"
    ]


def _scores(path: Path) -> dict[tuple[str, int], dict[str | tuple[str, str | None], Metric]]:
    """What HELM made of each answer, by instance and trial; of perturbed instances nothing is kept."""
    scores: dict[tuple[str, int], dict[str | tuple[str, str | None], Metric]] = {}
    for row, record in enumerate(json_records(path, "json"), start=1):
        found = fields.read(path, row, record, _OF_INSTANCE)
        if found["perturbation"] is not None:
            continue
        of_answer = scores.setdefault((str(found["key"]), found["trial"] or 0), {})
        for stat in found["stats"]:
            one = fields.read(path, row, stat, _STAT, "stats.")
            name, mean = one["metric"], one["mean"]
            if mean is None or not is_metric(name):
                continue
            if name in of_answer:
                raise InputError(path, f"has the metric {name} twice", row=row, field="stats")
            of_answer[name] = Metric(repr(float(mean)), float(mean))
    return scores


def _figures(path: Path) -> About:
    state_path = path.with_name(_STATE)
    if not state_path.is_file():
        problem = f"there is no {_STATE} next to it, which says whose they are"
        raise InputError(path, problem)
    about, _ = _run(state_path)
    every = [
        fields.read(path, row, record, _FIGURE)
        for row, record in enumerate(json_records(path, "json"), start=1)
    ]
    figures = tuple(
        Figure(_named(one), repr(float(one["mean"])))
        for one in every
        if one["mean"] is not None and is_metric(one["metric"])
    )
    if not figures:
        raise InputError(path, "holds no figures")
    return replace(about, figures=figures, said={}, n_rows=len(every))


def _named(one: Mapping[str, Any]) -> str:
    """A figure's metric, with the split before it, and behind it of which instances it is."""
    name = f"split={one['split']}|{one['metric']}" if one["split"] else one["metric"]
    name += f"|sub_split={one['sub_split']}" if one["sub_split"] else ""
    if one["perturbation"]:
        on = f",{one['computed_on']}" if one["computed_on"] else ""
        name += f"|perturbation={one['perturbation']}{on}"
    return str(name)
