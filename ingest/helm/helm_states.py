"""HELM's answers, `scenario_state.json`: questions, answers, and what HELM made of each.

A reference with the tag `correct` is right. Where the prompt shows the references as labelled
choices (multiple_choice_joint), output_mapping says which is which; else the right ones are the
references of a question that is answered in words. The splits of the instances are splits here.
A trial, with other examples in the prompt, is a sample, and so is each of several completions.
Where each choice is a request of its own (multiple_choice_separate_*), the references are the
choices, and the answers are likelihoods (`helm_likelihoods`).

Not read, and refused by name: methods that take the likelihood of whole texts, and rankings.
Perturbed instances are left, and counted.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb

from ingest import staged_rows
from ingest.adapter import Adapter
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers, Scores
from ingest.helm import helm_files, helm_kind, helm_likelihoods
from ingest.helm.helm_likelihoods import Instance
from ingest.reading.probe import Probe
from ingest.sample import RIGHT_CHOICES
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError
from warehouse.wording import counted

_JOINT = "multiple_choice_joint"
_METHODS = (_JOINT, *helm_likelihoods.METHODS, "generation", "chat")
_CHOICES = (_JOINT, *helm_likelihoods.METHODS)
Place = tuple[str | None, str, int]
"""The split, the question and the trial of an instance."""
_QUESTIONS = Questions(
    key="instance.id",
    text="instance.input.text",
    label="output_mapping",
    answer="references",
    reference="references",
    may_be_hidden=True,
)


@dataclass
class _Rows:
    """Rows for the staging tables, and what is to be said of them."""

    of: dict[str, list[tuple[object, ...]]] = field(default_factory=lambda: defaultdict(list))
    seen: set[tuple[str | None, str]] = field(default_factory=set)
    likely: dict[Place, Instance] = field(default_factory=dict)
    n_perturbed: int = 0
    n_several: int = 0


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage questions, answers and scores.

    Raises:
        InputError: a state is not as states are, or the method is none that is read.
    """
    path = probe.path
    found = helm_files.read_state(path)
    run = helm_files.run(path, found)
    method = found["adapter_spec"].get("method")
    if method not in _METHODS:
        raise InputError(
            path,
            f"{method!r} is not read: answers are, of {', '.join(_METHODS)}",
            field="adapter_spec.method",
        )
    model = settings.model or run.model
    rows = _Rows()
    scores_path = path.with_name(helm_files.SCORES)
    scores = helm_files.scores(scores_path) if scores_path.is_file() else {}
    for row, state in enumerate(found["request_states"], start=1):
        _read_state(path, row, state, rows, model, str(method), scores)
    notes = _likelihoods(path, rows, model, str(method))
    for table, of_table in rows.of.items():
        staged_rows.add(con, table, of_table)
    if rows.n_perturbed:
        notes.append(
            f"{counted(rows.n_perturbed, 'answer to perturbed instances is', 'answers to perturbed instances are')} "
            "left"
        )
    if rows.n_several:
        notes.append(
            f"{counted(rows.n_several, 'question has', 'questions have')} several right "
            f"choices (the attribute {RIGHT_CHOICES}); "
            "they have no answer and are not scored"
        )
    if not scores:
        notes.append(f"there is no {helm_files.SCORES} next to it, so HELM's scores are not known")
    answers = Answers(
        key="instance.id",
        prediction="result.completions",
        model=model,
        run=settings.run or run.label,
        harness=helm_files.HARNESS,
        produced_at=run.produced_at,
    )
    if rows.likely:
        answers = Scores(
            key=answers.key,
            label="reference_index",
            model=answers.model,
            run=answers.run,
            harness=answers.harness,
            produced_at=answers.produced_at,
            method="loglik",
            reduction=helm_likelihoods.REDUCTION[str(method)],
            scored="content",
        )
    return Staged(
        dataset=run.dataset,
        task_name=run.task,
        split_column="instance.split",
        inferred=dict.fromkeys(
            ("model", "run", "benchmark", "version", "split"), f"{path.name} and {helm_files.SPEC}"
        ),
        notes=tuple(notes),
        questions=replace(_QUESTIONS, task="choice" if method in _CHOICES else "open"),
        answers=answers,
        n_rows=len(found["request_states"]),
        said={"adapter_spec": found["adapter_spec"]} | _said(run.spec),
    )


def _said(spec: Mapping[str, Any]) -> dict[str, object]:
    return {name: spec[name] for name in ("name", "metric_specs", "groups") if name in spec}


def _read_state(
    path: Path,
    row: int,
    state: object,
    rows: _Rows,
    model: str,
    method: str,
    scores: Mapping[tuple[str, int], list[tuple[str, float]]],
) -> None:
    if not isinstance(state, dict) or not isinstance(state.get("instance"), dict):
        raise InputError(path, "is no object", row=row, field="instance")
    instance = state["instance"]
    if instance.get("perturbation") is not None:
        rows.n_perturbed += 1
        return
    key = str(instance.get("id") or "").strip()
    text = helm_files.text_of(instance.get("input"))
    if not key:
        raise InputError(path, "is empty", row=row, field="instance.id")
    if text is None:
        raise InputError(path, "is no text", row=row, field="instance.input.text")
    split = str(instance["split"]).strip() if instance.get("split") else None
    if (split, key) not in rows.seen:
        rows.seen.add((split, key))
        _question(path, row, state, rows, (row, split, key), text, method)
    trial = state.get("train_trial_index")
    trial = trial if isinstance(trial, int) else 0
    place = (row, model, split, key, 0)
    if method in helm_likelihoods.METHODS:
        instance_key = (split, key, trial)
        if instance_key not in rows.likely:
            choices = [one for one, _ in _references(path, row, instance)]
            rows.likely[instance_key] = Instance(row, choices)
            _add_scores(rows, place, trial, scores.get((key, trial), ()))
        helm_likelihoods.add(path, row, state, rows.likely[instance_key], method)
        return
    result = state.get("result")
    completions = result.get("completions") if isinstance(result, dict) else None
    if not isinstance(completions, list):
        raise InputError(path, "is no list", row=row, field="result.completions")
    n = max(len(completions), 1)
    for number, completion in enumerate(completions or [{}]):
        said = completion.get("text") if isinstance(completion, dict) else completion
        if said is not None and not isinstance(said, str):
            raise InputError(path, "is no text", row=row, field="result.completions.text")
        failed = isinstance(result, dict) and result.get("success") is False and not said
        rows.of["stage_prediction"].append((*place, trial * n + number, said, failed))
    rows.of["stage_answer_attribute"] += (
        (*place, trial * n, name, value)
        for name, value in _request_attributes(state, result).items()
    )
    _add_scores(rows, place, trial * n, scores.get((key, trial), ()))


def _add_scores(
    rows: _Rows, place: tuple[object, ...], sample: int, of_answer: Iterable[tuple[str, float]]
) -> None:
    rows.of["stage_harness_score"] += (
        (*place, sample, metric, None, repr(mean), mean, None) for metric, mean in of_answer
    )


def _likelihoods(path: Path, rows: _Rows, model: str, method: str) -> list[str]:
    """Stage the scores of choices; return what is to be said of them.

    Raises:
        InputError: a choice has no request, or none has a likelihood.
    """
    n_choices = n_scores = 0
    for (split, key, trial), instance in rows.likely.items():
        place = (instance.row, model, split, key, 0, trial)
        found = list(helm_likelihoods.scores(path, instance, method))
        n_choices += instance.n_choices
        n_scores += len(found)
        rows.of["stage_score"] += (
            (*place, "answer", label, value, n_tokens, None) for label, value, n_tokens in found
        )
        rows.of["stage_answer_attribute"] += (
            (*place, *pair) for pair in instance.attributes().items()
        )
    if rows.likely and not n_scores:
        raise InputError(
            path,
            "no completion ends in the tokens of its choice with their log-probabilities",
            field="result.completions.tokens",
        )
    if n_scores < n_choices:
        return [
            f"{n_choices - n_scores:,} of {n_choices:,} choices have no likelihood: their request failed, "
            "or the completion's last tokens are not the choice; the answers to their questions are missing"
        ]
    return []


_REQUEST_FIELDS = ("num_train_instances", "prompt_truncated", "num_conditioning_tokens")


def _request_attributes(state: Mapping[str, Any], result: object) -> dict[str, str]:
    """How an answer came about."""
    request = state.get("request")
    prompt = request.get("prompt") if isinstance(request, dict) else None
    seconds = result.get("request_time") if isinstance(result, dict) else None
    found = {name: state.get(name) for name in _REQUEST_FIELDS} | {"request_time": seconds}
    attributes = {name: json.dumps(value) for name, value in found.items() if value is not None}
    return {"prompt": prompt, **attributes} if isinstance(prompt, str) and prompt else attributes


def _question(
    path: Path,
    row: int,
    state: Mapping[str, Any],
    rows: _Rows,
    start: tuple[int, str | None, str],
    text: str,
    method: str,
) -> None:
    references = _references(path, row, state["instance"])
    right = [one for one, is_right in references if is_right]
    answer = None
    if method in _CHOICES:
        mapping = _mapping(path, row, state, method, [one for one, _ in references])
        labels = [label for label, its_text in mapping.items() if its_text in right]
        rows.of["stage_choice"] += (
            (*start, 0, label, n, its_text) for n, (label, its_text) in enumerate(mapping.items())
        )
        if len(labels) == 1:
            answer = labels[0]
        elif labels:
            rows.n_several += 1
            rows.of["stage_attribute"].append((*start, RIGHT_CHOICES, "".join(labels)))
    else:
        rows.of["stage_reference"] += (
            (*start, n, one) for n, one in enumerate(dict.fromkeys(right)) if one
        )
    rows.of["stage_question"].append((*start, 0, text, answer, None))


def _references(path: Path, row: int, instance: Mapping[str, Any]) -> list[tuple[str, bool]]:
    """The texts of an instance's references, and whether each is tagged as correct.

    Raises:
        InputError: they are no list of objects, or one has no text, or tags that are no list.
    """
    every = instance.get("references") or []
    if not isinstance(every, list):
        raise InputError(path, "is no list", row=row, field="instance.references")
    found = []
    for one in every:
        if not isinstance(one, dict):
            raise InputError(path, "has what is no object", row=row, field="instance.references")
        text, tags = helm_files.text_of(one.get("output")), one.get("tags") or []
        if text is None:
            field_name = "instance.references.output.text"
            raise InputError(path, "is no text", row=row, field=field_name)
        if not isinstance(tags, list):
            raise InputError(path, "is no list", row=row, field="instance.references.tags")
        found.append((text, "correct" in tags))
    return found


def _mapping(
    path: Path, row: int, state: Mapping[str, Any], method: str, references: list[str]
) -> dict[str, str]:
    """The choices by their labels, which are those in the prompt, or else A, B, C and so on.

    Raises:
        InputError: there are no two, or more than letters, or one is no text.
    """
    if method == _JOINT:
        mapping, name = state.get("output_mapping"), "output_mapping"
    else:
        name = "instance.references"
        if len(references) > len(helm_likelihoods.LABELS):
            raise InputError(path, "are more than letters", row=row, field=name)
        mapping = dict(zip(helm_likelihoods.LABELS, references, strict=False))
    if not isinstance(mapping, dict) or len(mapping) < 2:
        raise InputError(path, "has no two choices", row=row, field=name)
    if not all(isinstance(text, str) for text in mapping.values()):
        raise InputError(path, "has a choice that is no text", row=row, field=name)
    return mapping


ADAPTER = Adapter(
    name="helm_states",
    version=1,
    description="HELM's `scenario_state.json`: questions, answers, and with "
    "`per_instance_stats.json` next to it what HELM made of each",
    needs=helm_kind.COLUMNS,
    accepts=lambda probe: probe.kind == helm_kind.KIND,
    stage=stage,
    reads_itself=True,
)
