"""Inspect logs for tests: written small, in the harness's own layout, and read in plain Python."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalhouse import Warehouse
from ingest.settings import Report

if sys.version_info >= (3, 14):
    import zipfile
else:
    from backports.zstd import zipfile

PROMPT = "Does it meet the criterion? LETTER is one of CPI. Please choose."


def header(**changes: Any) -> dict[str, Any]:
    """A header; `eval` values are changed by name, the others with `log_` before theirs."""
    spec = {
        "created": "2026-01-02T03:04:05+01:00",
        "task": "words_task",
        "dataset": {"name": "words", "samples": 2, "sample_ids": ["a", "b"]},
        "model": "acme/vlm",
        "config": {"epochs": 1},
        "scorers": [],
    }
    log = {"version": 2, "status": "success", "eval": spec}
    for name, value in changes.items():
        if name.startswith("log_"):
            log[name.removeprefix("log_")] = value
        else:
            spec[name] = value
    return log


def grading(
    reply: str, value: object, *, prompt: str = PROMPT, judge: str = "acme/judge"
) -> dict[str, Any]:
    """A score by a model, as model_graded_qa writes it."""
    return {
        "value": value,
        "metadata": {
            "grading": [
                {"role": "user", "content": prompt},
                {"role": "assistant", "content": reply, "model": judge},
            ]
        },
    }


def sample(key: str | int, text: str | None, *, epoch: int = 1, **more: Any) -> dict[str, Any]:
    """A sample; None: it has no answer."""
    return {
        "id": key,
        "epoch": epoch,
        "input": f"Q {key}",
        "target": "yes",
        "output": {"model": "acme/vlm", "choices": [] if text is None else [{}], "completion": text or ""},
        "scores": {},
        "metadata": {},
        "attachments": {},
        **more,
    }  # fmt: skip


def write(
    path: Path,
    samples: Sequence[dict[str, Any]],
    head: dict[str, Any] | None = None,
    *,
    ended: bool = True,
    method: int = zipfile.ZIP_ZSTANDARD,
) -> Path:
    """A log: a zip for `.eval`, else one JSON object."""
    head = head or header()
    if path.suffix == ".json":
        log = {**head, "samples": list(samples), "reductions": []}
        path.write_text(json.dumps(log, indent=2, ensure_ascii=False), encoding="utf-8")
        return path
    with zipfile.ZipFile(path, "w", method) as archive:
        start = {"version": 2, "eval": head["eval"], "plan": {}}
        archive.writestr("_journal/start.json", json.dumps(start))
        for one in samples:
            archive.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
        if ended:
            archive.writestr("summaries.json", "[]")
            archive.writestr("header.json", json.dumps(head))
    return path


def read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A log's header and samples, as they are."""
    if path.suffix == ".json":
        log = json.loads(path.read_text(encoding="utf-8"))
        return log, log["samples"]
    with zipfile.ZipFile(path) as archive:
        samples = [
            json.loads(archive.read(name))
            for name in archive.namelist()
            if name.startswith("samples/")
        ]
        return json.loads(archive.read("header.json")), samples


def scored(value: object, answer: str | None = None, **more: Any) -> dict[str, Any]:
    """A score by a scorer that asks no model."""
    return {"value": value, "answer": answer, "history": [], **more}


def changed(score: dict[str, Any], author: str, **edit: Any) -> dict[str, Any]:
    """A score that a person changed, as edit_score does it."""
    unchanged = dict.fromkeys(("value", "answer", "explanation", "metadata"), "UNCHANGED")
    by = {"author": author, "timestamp": "2026-01-03T00:00:00Z", "reason": "misread"}
    first = {name: value for name, value in score.items() if name != "history"}
    before = score["history"] or [first]
    return {**score, **edit, "history": [*before, {**unchanged, **edit, "provenance": by}]}


def figures(*scores: tuple[str, str | None, dict[str, float]]) -> dict[str, Any]:
    """The figures of a log: for each score its scorer, the reducer and the metrics."""
    return {
        "scores": [
            {
                "name": name,
                "scorer": name,
                **({"reducer": reducer} if reducer else {}),
                "metrics": {key: {"name": key, "value": value} for key, value in metrics.items()},
            }
            for name, reducer, metrics in scores
        ]
    }


def calls(scorer: str, replies: dict[str, str]) -> dict[str, Any]:
    """The events of a scorer that asked several models: their replies by name."""
    span = {"id": "s1", "type": "scorer", "name": scorer}
    return {
        "events_data": {"messages": [{"role": "user", "content": "attachment://p"}]},
        "events": [
            {"event": "model", "model": "acme/vlm", "output": {"completion": "GRADE: I"}},
            {"event": "span_begin", **span},
            *(
                {
                    "event": "model",
                    "model": name,
                    "input": [],
                    "input_refs": [[0, 1]],
                    "output": {"completion": reply, "choices": [{}]},
                }
                for name, reply in replies.items()
            ),
            {"event": "span_end", "id": "s1"},
        ],
        "attachments": {"p": PROMPT},
    }


CHOICES = ["cat", "dog", "owl"]
SAID = {
    # Ours sees two letters, or none, where Inspect takes what stands behind ANSWER.
    "a": ("ANSWER: A or C", scored("C", "A")),
    "b": ("ANSWER: A or B", scored("C", "A")),
    "c": ("no idea", scored("I", "")),
    "d": ("Between A and B and C", scored("I", "A, B")),
}


def picked(key: str, **more: Any) -> dict[str, Any]:
    """A sample of a question of choice; A is right."""
    text, score = SAID[key]
    return sample(key, text, **{"choices": CHOICES, "target": "A", "scores": {"choice": score}} | more)  # fmt: skip


def head(name: str, task: str = "t", **more: Any) -> dict[str, Any]:
    """The header of a log about a dataset of that name."""
    return header(dataset={"name": name}, task=task, eval_id=f"{name}{task}", **more)


def load(lab: Warehouse, name: str, samples: list[dict[str, Any]], head_: dict[str, Any]) -> Report:
    """Ingest a log that is written for it; return the report."""
    path = lab.path.parent / name
    (report,) = lab.ingest(write(path, samples, head_))
    return report
