"""The files of one of HELM's runs, a folder each: `{scenario}:{arguments},model={model}`.

scenario_state.json         adapter_spec (method, model, limits) and request_states, one for each
                            instance and trial: the instance with its references, the prompt, and
                            what the model said
per_instance_stats.json     what HELM made of each: by instance and trial, means by metric
stats.json                  the figures, by metric, split and perturbation
run_spec.json               the run's name, the scenario's arguments, the metrics
scenario.json, instances.json, display_*.json      nothing else
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from ingest.names import DatasetName
from ingest.reading import json_map
from ingest.reading.probe import json_records
from warehouse.errors import InputError

HARNESS = "helm"
STATE, SCORES, FIGURES, SPEC = (
    "scenario_state.json",
    "per_instance_stats.json",
    "stats.json",
    "run_spec.json",
)

_LEFT = {
    SCORES: f"HELM's scores of single answers, read with {STATE}",
    SPEC: f"settings of HELM's run, read with {STATE}",
    "scenario.json": "what HELM says of the scenario",
    "instances.json": f"the instances, which {STATE} has too",
    "display_predictions.json": f"the answers as HELM's pages show them, which {STATE} has too",
    "display_requests.json": f"the prompts as HELM's pages show them, which {STATE} has too",
}
# Statistics of the run itself: sizes, times and costs.
_BOOKKEEPING = re.compile(
    r"num_.*|training_.*|inference_.*|batch_size|finish_reason_.*|prompt_truncated|max_prob|logprob|"
    r"predicted_index|estimated_.*"
)
# Arguments in a run's name that are not the scenario's.
_OF_RUN = frozenset(("method", "model", "model_deployment", "data_augmentation", "groups"))


@dataclass(frozen=True)
class Run:
    """What a run's folder says of it.

    Attributes:
        task: the scenario with its arguments, such as `mmlu:subject=philosophy`.
        label: the time of the first request, and the run's name without the model.
        produced_at: that time, as ISO text (UTC).
    """

    model: str
    task: str
    dataset: DatasetName
    label: str
    produced_at: str | None
    spec: Mapping[str, Any]


def is_sidecar(path: Path) -> str | None:
    """What a file of a run's folder is, if it holds nothing that is read by itself."""
    if path.name not in _LEFT or not path.with_name(STATE).is_file():
        return None
    return _LEFT[path.name]


def is_metric(name: str) -> bool:
    """Whether a statistic says how good an answer is."""
    return _BOOKKEEPING.fullmatch(name) is None


def run_of(state_path: Path) -> Run:
    """The run whose folder has these states.

    Raises:
        InputError: they are broken, or name no model.
    """
    return _run_of(state_path, state_path.stat().st_mtime_ns)


@cache
def _run_of(state_path: Path, _: int) -> Run:
    return run(state_path, read_state(state_path))


def read_state(path: Path) -> dict[str, Any]:
    """The states of a run.

    Raises:
        InputError: the file is broken, or holds no states.
    """
    found = json_map.read_object(path)
    states = found.get("request_states")
    if not isinstance(states, list) or not states:
        raise InputError(path, "is no list of states", field="request_states")
    if not isinstance(found.get("adapter_spec"), dict):
        raise InputError(path, "is no object", field="adapter_spec")
    return found


def run(path: Path, found: Mapping[str, Any]) -> Run:
    """What a run is.

    Raises:
        InputError: it names no model.
    """
    spec_path = path.with_name(SPEC)
    spec = json_map.read_object(spec_path) if spec_path.is_file() else {}
    model = found["adapter_spec"].get("model")
    if not isinstance(model, str) or not model.strip():
        raise InputError(path, "is empty; --model names it", field="adapter_spec.model")
    named = spec.get("name")
    name = named if isinstance(named, str) and named else path.absolute().parent.name
    scenario, _, written = name.partition(":")
    parts = [part.partition("=") for part in written.split(",") if part]
    own = [(key, value) for key, _, value in parts if key not in _OF_RUN]
    kept = [f"{key}={value}" for key, _, value in parts if not key.startswith("model")]
    task = scenario + (":" + ",".join(f"{k}={v}" for k, v in own) if own else "")
    times = [_time(one) for one in found["request_states"]]
    first = min((one for one in times if one is not None), default=None)
    moment = datetime.fromtimestamp(first, UTC) if first is not None else None
    shown = ":".join((scenario, ",".join(kept))) if kept else scenario
    return Run(
        model=model.strip(),
        task=task,
        dataset=DatasetName(scenario, "_".join(value for _, value in own if value) or None),
        label=f"{moment:%Y%m%dT%H%M%S}_{shown}" if moment else shown,
        produced_at=f"{moment:%Y-%m-%d %H:%M:%S}" if moment else None,
        spec=spec,
    )


def scores(path: Path) -> dict[tuple[str, int], list[tuple[str, float]]]:
    """What HELM made of each answer, by instance and trial: metrics with their means.

    Those of perturbed instances are left.

    Raises:
        InputError: the file is broken.
    """
    found: dict[tuple[str, int], list[tuple[str, float]]] = {}
    for row, record in enumerate(json_records(path, "json"), start=1):
        stats = record.get("stats") if isinstance(record, dict) else None
        if not isinstance(record, dict) or not isinstance(stats, list):
            raise InputError(path, "is no list", row=row, field="stats")
        if record.get("perturbation") is not None:
            continue
        key = (str(record.get("instance_id")), _number(record.get("train_trial_index")))
        for stat in stats:
            name = stat.get("name") if isinstance(stat, dict) else None
            mean = stat.get("mean") if isinstance(stat, dict) else None
            metric = name.get("name") if isinstance(name, dict) else None
            if isinstance(metric, str) and isinstance(mean, int | float) and is_metric(metric):
                found.setdefault(key, []).append((metric, float(mean)))
    return found


def text_of(content: object) -> str | None:
    """The text of an input or output: an object with it, or the text itself in files of HELM 0.2."""
    found = content.get("text") if isinstance(content, dict) else content
    return found if isinstance(found, str) else None


def _number(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _time(state: object) -> float | None:
    result = state.get("result") if isinstance(state, dict) else None
    time = result.get("request_datetime") if isinstance(result, dict) else None
    is_time = isinstance(time, int | float) and not isinstance(time, bool) and 0 < time < 1e11
    return float(time) if is_time and time is not None else None
