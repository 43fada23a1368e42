"""HELM's answers, `scenario_state.json`: questions, answers, and what HELM made of each.

A reference with the tag `correct` is right. Where the prompt shows the references as labelled
choices (multiple_choice_joint), output_mapping says which is which; else the right ones are the
references of a question that is answered in words. The splits of the instances are splits here.
A trial, with other examples in the prompt, is a sample, and so is each of several completions.

Not read, and refused by name: methods that take the likelihood of each choice by itself, and of
whole texts. Perturbed instances are left, and counted.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb

from ingest import staged_rows
from ingest.adapter import Adapter
from ingest.facts.question_facts import Questions
from ingest.facts.run_facts import Answers
from ingest.helm import helm_files, helm_kind
from ingest.lm_eval.lm_eval_docs import RIGHT_CHOICES
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse.errors import InputError

_JOINT = "multiple_choice_joint"
_METHODS = (_JOINT, "generation", "chat")
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
        _read_state(path, row, state, rows, model, method == _JOINT, scores)
    for table, of_table in rows.of.items():
        staged_rows.add(con, table, of_table)
    notes = []
    if rows.n_perturbed:
        notes.append(f"{rows.n_perturbed:,} answers to perturbed instances are left")
    if rows.n_several:
        notes.append(
            f"{rows.n_several:,} questions have several right choices (the attribute {RIGHT_CHOICES}); "
            "they have no answer and are not scored"
        )
    if not scores:
        notes.append(f"there is no {helm_files.SCORES} next to it, so HELM's scores are not known")
    return Staged(
        dataset=run.dataset,
        task_name=run.task,
        split_column="instance.split",
        inferred=dict.fromkeys(
            ("model", "run", "benchmark", "version", "split"), f"{path.name} and {helm_files.SPEC}"
        ),
        notes=tuple(notes),
        questions=replace(_QUESTIONS, task="choice" if method == _JOINT else "open"),
        answers=Answers(
            key="instance.id",
            prediction="result.completions",
            model=model,
            run=settings.run or run.label,
            harness=helm_files.HARNESS,
            produced_at=run.produced_at,
        ),
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
    is_choice: bool,
    scores: Mapping[tuple[str, int], list[tuple[str, float]]],
) -> None:
    if not isinstance(state, dict) or not isinstance(state.get("instance"), dict):
        raise InputError(path, "is no object", row=row, field="instance")
    instance = state["instance"]
    if instance.get("perturbation") is not None:
        rows.n_perturbed += 1
        return
    key = str(instance.get("id") or "").strip()
    text = (instance.get("input") or {}).get("text") if isinstance(instance.get("input"), dict) else None  # fmt: skip
    if not key:
        raise InputError(path, "is empty", row=row, field="instance.id")
    if not isinstance(text, str):
        raise InputError(path, "is no text", row=row, field="instance.input.text")
    split = str(instance["split"]).strip() if instance.get("split") else None
    if (split, key) not in rows.seen:
        rows.seen.add((split, key))
        _question(path, row, state, rows, (row, split, key), text, is_choice)
    result = state.get("result")
    completions = result.get("completions") if isinstance(result, dict) else None
    if not isinstance(completions, list):
        raise InputError(path, "is no list", row=row, field="result.completions")
    trial = state.get("train_trial_index")
    trial = trial if isinstance(trial, int) else 0
    n = max(len(completions), 1)
    place = (row, model, split, key, 0)
    for number in range(n):
        said = completions[number].get("text") if number < len(completions) and isinstance(completions[number], dict) else None  # fmt: skip
        failed = isinstance(result, dict) and result.get("success") is False and not said
        rows.of["stage_prediction"].append((*place, trial * n + number, said, failed))
    rows.of["stage_answer_attribute"] += (
        (*place, trial * n, name, value) for name, value in _asked(state, result).items()
    )
    for metric, mean in scores.get((key, trial), ()):
        rows.of["stage_harness_score"].append(
            (*place, trial * n, metric, None, repr(mean), mean, None)
        )


_ASKED = ("num_train_instances", "prompt_truncated", "num_conditioning_tokens")


def _asked(state: Mapping[str, Any], result: object) -> dict[str, str]:
    """How an answer came about."""
    request = state.get("request")
    prompt = request.get("prompt") if isinstance(request, dict) else None
    seconds = result.get("request_time") if isinstance(result, dict) else None
    found = {name: state.get(name) for name in _ASKED} | {"request_time": seconds}
    asked = {name: json.dumps(value) for name, value in found.items() if value is not None}
    return {"prompt": prompt, **asked} if isinstance(prompt, str) and prompt else asked


def _question(
    path: Path,
    row: int,
    state: Mapping[str, Any],
    rows: _Rows,
    start: tuple[int, str | None, str],
    text: str,
    is_choice: bool,
) -> None:
    references = state["instance"].get("references") or []
    right = [
        str((one.get("output") or {}).get("text"))
        for one in references
        if isinstance(one, dict) and "correct" in (one.get("tags") or [])
    ]
    answer = None
    if is_choice:
        mapping = state.get("output_mapping")
        if not isinstance(mapping, dict) or len(mapping) < 2:
            raise InputError(path, "has no two choices", row=row, field="output_mapping")
        labels = [label for label, its_text in mapping.items() if its_text in right]
        rows.of["stage_choice"] += (
            (*start, 0, label, n, str(its_text))
            for n, (label, its_text) in enumerate(mapping.items())
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


ADAPTER = Adapter(
    name="helm_states",
    version=1,
    description="HELM's `scenario_state.json`: questions, answers, and with `per_instance_stats.json` next to it what HELM made of each",
    needs=helm_kind.COLUMNS,
    accepts=lambda probe: probe.kind == helm_kind.KIND,
    stage=stage,
    reads_itself=True,
)
