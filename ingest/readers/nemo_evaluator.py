"""nemo-evaluator's output (0.3): a folder for each benchmark.

    BENCHMARK/results.jsonl              a line for each problem and repeat
    BENCHMARK/eval-TIME-BENCHMARK.json   the model, the settings and the figures
    trajectories.jsonl, …_log.jsonl, model_traffic.jsonl, runtime_stats.json, failure_analysis.json,
    nel_run.json, checkpoint.json        the same again, or how the run went

A call that failed after all tries is a line with the reward 0, which counts there: here it is a failed
answer. `problem_idx` is the place in the data as they were shuffled, by the seed in the settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from ingest import fields, harness_metrics, prompts
from ingest.fields import Field
from ingest.harness_metrics import Metric
from ingest.reading import json_map
from ingest.reading.head import Head, Seen
from ingest.sample import About, Answer, Figure, Sample
from warehouse.errors import InputError
from warehouse.wording import counted

VERSION = 1
DESCRIPTION = "nemo-evaluator's `results.jsonl`, and the figures of `eval-{time}-{benchmark}.json`"
HARNESS = "nemo-evaluator"
FIELDS = (
    Field("problem_idx", int, "key"),
    Field("repeat", int, "sample"),
    Field("reward", float, "reward"),
    Field("prompt", str, "text"),
    Field("model_response", str, "said", required=False),
    Field("extracted_answer", str, "extracted", required=False),
    Field("expected_answer", (str, int, float), "target", required=False),
    Field("scoring_details.error", str, "error", required=False),
    Field("metadata", dict, "metadata", required=False),
    Field("tokens", int, "tokens", required=False),
    Field("latency_ms", float, "latency_ms", required=False),
)
_FIGURES = (
    Field("run_id", str, "label"),
    Field("timestamp", str, "time", required=False),
    Field("config.model", str, "model", required=False),
    Field("benchmark.name", str, "task"),
    Field("benchmark.scores", dict, "scores"),
    Field("benchmark.categories", dict, "categories", required=False),
    Field("config", dict, "config", required=False),
)
_LINE = {"problem_idx", "repeat", "reward", "model_response"}
_LEFT = {
    "trajectories.jsonl", "inference_log.jsonl", "verified_log.jsonl", "model_traffic.jsonl",
    "runtime_stats.json", "failure_analysis.json",
}  # fmt: skip
_ABOVE = {"nel_run.json", "checkpoint.json"}
_REWARD = "reward"
_OF_QUESTION = ("question", "answer", "source", "benchmark")


def recognise(head: Head) -> Seen | None:
    """Say what shows that a file holds answers, or figures."""
    if b'"problem_idx":' in head.start and head.line.keys() >= _LINE:
        return Seen("problem_idx, repeat and reward in its first line")
    if b'"config_hash":' in head.start and {"run_id", "benchmark"} <= head.document.keys():
        return Seen("run_id, config_hash and benchmark", are_figures=True)
    return None


def sidecar(path: Path) -> str | None:
    """Say why a file of nemo-evaluator's is no result."""
    is_of_benchmark = path.name in _LEFT and path.with_name("results.jsonl").is_file()
    is_above = path.name in _ABOVE and any(path.parent.glob("*/results.jsonl"))
    if is_of_benchmark or is_above:
        return "nemo-evaluator's logs and statistics, whose answers are in results.jsonl"
    return None


def read(path: Path) -> tuple[About, Iterator[Sample]]:
    """Read a file of answers or of figures.

    Raises:
        InputError: a field is missing or of another type, or a line is broken.
    """
    if path.suffix == ".json":
        return _about(path, with_figures=True), iter(())
    reports = sorted(path.parent.glob("eval-*.json"))
    if reports:
        about = _about(reports[-1])
    else:
        task = path.absolute().parent.name
        about = About(HARNESS, "", task, task, notes=("there is no eval-….json next to it",))
    return about, _samples(path)


def _samples(path: Path) -> Iterator[Sample]:
    for row, record in fields.records(path):
        found = fields.read(path, row, record, FIELDS)
        metadata = found["metadata"] or {}
        named = [metadata.get(label) for label in prompts.LABELS]
        choices = tuple(str(one) for one in named[: named.index(None)]) if None in named else ()
        text, in_text = prompts.choices_in(found["text"])
        choices = choices if len(choices) > 1 else in_text
        target = "" if found["target"] is None else str(found["target"])
        question = metadata.get("question")
        error = found["error"]
        reward = found["reward"]
        yield Sample(
            row=row,
            key=str(found["key"]),
            text=question if isinstance(question, str) and question else text,
            choices=choices,
            **prompts.right(target, len(choices)),
            attributes=_attributes(metadata),
            answers=(
                Answer(
                    None if error else found["said"],
                    sample=found["sample"],
                    error=error,
                    attributes={
                        name: str(value)
                        for name, value in (
                            ("prompt", found["text"]),
                            ("tokens", found["tokens"]),
                            ("latency_ms", found["latency_ms"]),
                        )
                        if value is not None
                    },
                ),
            ),
            metrics={
                _REWARD: Metric(repr(reward), harness_metrics.number(reward), found["extracted"])
            },
        )


def _attributes(metadata: Mapping[str, Any]) -> dict[str, str]:
    left = {*_OF_QUESTION, *prompts.LABELS}
    return fields.as_texts({name: one for name, one in metadata.items() if name not in left})


def _about(path: Path, *, with_figures: bool = False) -> About:
    """What the file of figures says of a run."""
    document = json_map.read_object(path)
    found = fields.read(path, None, document, _FIGURES)
    failures = found["scores"].get("failures")
    n = failures.get("total_failures") if isinstance(failures, dict) else None
    failed = counted(n, "call failed", "calls failed") if isinstance(n, int) and n else None
    figures = tuple(_figures(path, found)) if with_figures else ()
    if with_figures and not figures:
        raise InputError(path, "holds no figures", field="benchmark.scores")
    return About(
        HARNESS,
        found["model"] or "",
        found["task"],
        found["label"],
        produced_at=_time(found["time"]),
        figures=figures,
        said={"config": found["config"], **({"scores": found["scores"]} if with_figures else {})},
        notes=(f"{failed}, with the reward 0 there",) if failed else (),
    )


def _figures(path: Path, found: Mapping[str, Any]) -> Iterator[Figure]:
    for name, score in found["scores"].items():
        tries = name.removeprefix("pass@")
        if not name.startswith("pass@") or not tries.isdigit():
            continue
        value = score.get("value") if isinstance(score, dict) else score
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(path, "is no number", field=f"benchmark.scores.{name}.value")
        reducer = f"pass_at_{tries}" if int(tries) > 1 else None
        yield Figure(name, repr(value), _REWARD, reducer)
    for name, category in (found["categories"] or {}).items():
        where = f"benchmark.categories.{name}."
        mean = fields.read(path, None, category, (Field("mean_reward", float, "mean"),), where)[
            "mean"
        ]
        yield Figure(f"grouped|{name}", repr(mean), _REWARD)


def _time(written: str | None) -> str | None:
    try:
        return f"{datetime.fromisoformat(written or ''):%Y-%m-%d %H:%M:%S}"
    except ValueError:
        return None
