"""verifiers' output (0.4): a folder for each run of `vf-eval`.

    RUN/traces.jsonl                 a line for each rollout, in the order in which they ended
    RUN/configs/resolved/eval.json   the model and the settings

A rollout has a trace for each agent, with the messages as a graph: what the model said is `sampled`. The
answer is the trace's `root_reply`, or the last message that was sampled; of several agents, the last's.
Rewards are what the environment made of it, each with a weight: the reward is their weighted sum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ingest import fields, harness_metrics, messages, prompts
from ingest.fields import Field
from ingest.harness_metrics import Metric
from ingest.messages import as_list, as_object, objects
from ingest.reading import json_map
from ingest.reading.head import Head, Seen
from ingest.sample import About, Answer, Sample
from warehouse.errors import InputError

VERSION = 1
DESCRIPTION = "verifiers' `{run}/traces.jsonl`: tasks, messages and rewards of rollouts"
HARNESS = "verifiers"
FIELDS = (
    Field("env.id", str, "env"),
    Field("task.data", dict, "data"),
    Field("task.data.id", str, "id", required=False),
    Field("task.data.idx", int, "place", required=False),
    Field("task.data.answer", (str, int, float), "target", required=False),
    Field("task.key", str, "hash", required=False),
    Field("run.name", str, "run", required=False),
    Field("errors", list, "errors", required=False),
    Field("traces", list, "traces"),
)
_TRACE = (
    Field("agent.config.model", str, "model", required=False),
    Field("nodes", list, "nodes"),
    Field("root_reply", str, "reply", required=False),
    Field("rewards", dict, "rewards", required=False),
    Field("metrics", dict, "metrics", required=False),
    Field("ok", bool, "ok"),
    Field("stop_condition", str, "stop_condition", required=False),
    Field("errors", list, "errors", required=False),
    Field("num_input_tokens", int, "input_tokens", required=False),
    Field("num_output_tokens", int, "output_tokens", required=False),
    Field("timing.start", float, "start", required=False),
)
_REWARD = (Field("score", float, "score"), Field("weight", float, "weight", required=False))
_LINE = {"env", "task", "traces", "ok"}
_TRACES, _SETTINGS = "traces.jsonl", "configs/resolved/eval.json"
_OF_RUN = ("env", "sampling", "num_rollouts", "select")
_OF_TASK = {
    "id", "idx", "answer", "prompt", "skills", "network_allow", "network_block", "artifacts",
    "artifact_max_bytes", "timeout", "resources",
}  # fmt: skip


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file holds rollouts."""
    if b'"traces":' in head.start and head.line.keys() >= _LINE:
        return Seen("env, task and traces in its first line")
    return None


def sidecar(path: Path) -> str | None:
    """Say why a file of verifiers' is no result."""
    if path.name == _TRACES and path.is_file() and not path.stat().st_size:
        return "holds no rollout: verifiers' run ended before the first"
    above = path.absolute().parents
    is_settings = path.match(_SETTINGS) or path.match("configs/*.json")
    if is_settings and any((one / _TRACES).is_file() for one in above[:3]):
        return f"verifiers' settings of a run, whose rollouts are in {_TRACES}"
    return None


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read the rollouts of a run.

    Raises:
        InputError: a field is missing or of another type, or a line is broken.
    """
    place = path.parent / _SETTINGS
    settings = json_map.read_object(place) if place.is_file() else {}
    row, record = next(fields.records(path))
    first = fields.read(path, row, record, FIELDS)
    traces = _traces(path, row, first["traces"])
    stated = settings.get("model")
    start = next((one["start"] for one in traces if one["start"]), None)
    about = About(
        HARNESS,
        stated if isinstance(stated, str) else next((one["model"] for one in traces), None) or "",
        first["env"],
        first["run"] or path.absolute().parent.name,
        produced_at=f"{datetime.fromtimestamp(start, UTC):%Y-%m-%d %H:%M:%S}" if start else None,
        said={name: fields.plain(settings[name]) for name in _OF_RUN if settings.get(name)},
        remarks=() if settings else (f"there is no {_SETTINGS}, so its settings are not known",),
    )
    return about, _samples(path, about)


def _traces(path: Path, row: int, traces: Sequence[object]) -> list[dict[str, Any]]:
    return [fields.read(path, row, one, _TRACE, f"traces.{n}.") for n, one in enumerate(traces)]


def _samples(path: Path, about: About) -> Iterator[Sample]:
    asked: Counter[str] = Counter()
    for row, record in fields.records(path):
        found = fields.read(path, row, record, FIELDS)
        if found["env"] != about.task:
            problem = f"is {found['env']}, and {about.task} in the first line"
            raise InputError(path, problem, row=row, field="env.id")
        place = None if found["place"] is None else str(found["place"])
        key = found["id"] or place or found["hash"]
        if not key:
            raise InputError(path, "is missing", row=row, field="task.data.idx")
        traces = _traces(path, row, found["traces"])
        last = traces[-1] if traces else None
        text, images = _prompt(path, found["data"], last)
        bare, choices = prompts.choices_in(text)
        target = "" if found["target"] is None else str(found["target"])
        left = {name: one for name, one in found["data"].items() if name not in _OF_TASK}
        yield Sample(
            row=row,
            key=key,
            text=bare,
            choices=choices,
            **prompts.right(target, len(choices)),
            images=images,
            attributes=fields.as_texts(left),
            answers=(_answer(found, last, len(traces), asked[key]),),
            metrics=dict(_metrics(path, row, len(traces) - 1, last)) if last else {},
        )
        asked[key] += 1


def _prompt(
    path: Path, data: Mapping[str, Any], trace: Mapping[str, Any] | None
) -> tuple[str, tuple[str, ...]]:
    """What was asked, and its images; of a task without a prompt it is in the trace's messages."""
    prompt = data.get("prompt")
    if isinstance(prompt, str):
        return prompt, ()
    asked = [as_object(one.get("message")) for one in objects(trace["nodes"] if trace else None)]
    return messages.prompt(as_list(prompt) or asked, path.parent)


def _answer(
    found: Mapping[str, Any], trace: Mapping[str, Any] | None, n_traces: int, sample: int
) -> Answer:
    errors = [*objects(found["errors"]), *objects(trace["errors"] if trace else None)]
    if trace is None:
        return Answer(None, sample=sample, error=_error(errors))
    sampled = [
        as_object(one.get("message")) for one in objects(trace["nodes"]) if one.get("sampled")
    ]
    message = sampled[-1] if sampled else {}
    said = trace["reply"] if trace["reply"] is not None else messages.texts(message)[0]
    facts = {
        "reasoning": message.get("reasoning_content"),
        "tool_calls": message.get("tool_calls"),
        **{name: trace[name] for name in ("stop_condition", "input_tokens", "output_tokens")},
        "agents": n_traces if n_traces > 1 else None,
    }
    error = None if trace["ok"] and said is not None else _error(errors)
    return Answer(said, sample=sample, error=error, attributes=fields.as_texts(facts))


def _error(errors: Sequence[Mapping[str, Any]]) -> str:
    """The last error; '': nothing says it."""
    last = errors[-1] if errors else {}
    return ": ".join(str(last[name]) for name in ("type", "message") if last.get(name))


def _metrics(
    path: Path, row: int, n: int, trace: Mapping[str, Any]
) -> Iterator[tuple[str, Metric]]:
    """The reward, what it is the sum of, and the metrics."""
    rewards, total = trace["rewards"] or {}, None
    for name, written in rewards.items():
        found = fields.read(path, row, written, _REWARD, f"traces.{n}.rewards.{name}.")
        weight = 1.0 if found["weight"] is None else found["weight"]
        total = (total or 0.0) + found["score"] * weight
        yield name, Metric(repr(found["score"]), harness_metrics.number(found["score"]))
    if total is not None:
        name = "reward|sum" if "reward" in rewards else "reward"
        yield name, Metric(repr(total), harness_metrics.number(total))
    for name, written in (trace["metrics"] or {}).items():
        is_taken = name == "reward" or name in rewards
        metric = Metric(harness_metrics.written(written), harness_metrics.number(written))
        yield f"metric|{name}" if is_taken else name, metric
