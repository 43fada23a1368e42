"""Runs as Every Eval Ever has them: an aggregate JSON with the scores, and a JSONL file with a record for
each question, pass and sample.

The records point at the result that their scores average to: the share of right passes, or the mean
soft score. What the schema cannot say is not written: a score that is pending or hidden.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import PurePosixPath
from string import ascii_uppercase
from typing import Any
from uuid import UUID

import duckdb

from queries import session
from queries.choosing import choose_judge_of_runs, is_by_rules, is_soft
from queries.install import LATEST
from warehouse import statements
from warehouse.errors import UsageError
from warehouse.every_eval_ever import FAILED, MISSING, OURS, VERSION, samples_of
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class _Link:
    """What every record of a file has in common: which aggregate and which of its results it is
    of."""

    evaluation_id: str
    model: str
    dataset: str
    result_id: str


def _records(
    rows: Sequence[Mapping[str, Any]], facts: Mapping[int, Mapping[str, Any]], link: _Link
) -> Iterator[dict[str, Any]]:
    """The records in the order of the rows (`commands/eee_records.sql`).

    Args:
        facts: what else is known of each question, by its id; stands in the first record of each.
    """
    seen: set[int] = set()
    for row in rows:
        question_id = row["question_id"]
        facts_of = facts[question_id]
        first = question_id not in seen
        seen.add(question_id)
        yield _record(row, facts_of, link, first)


def _record(
    row: Mapping[str, Any], facts: Mapping[str, Any], link: _Link, first: bool
) -> dict[str, Any]:
    state = _state(row)
    # Labels alone are not references of an answer in words, and answers in words have no labels.
    reference = [row["answer"]] if row["answer"] is not None else list(facts["refs"] or ())
    predicted = row["predicted"]
    return {
        "schema_version": VERSION,
        "evaluation_id": link.evaluation_id,
        "model_id": link.model,
        "evaluation_name": link.dataset,
        "evaluation_result_id": link.result_id,
        "sample_id": row["question_key"],
        "sample_hash": sha256("".join((row["question"], *reference)).encode()).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": row["question"], "reference": reference, "choices": row["texts"]},
        "output": {"raw": [] if row["prediction"] is None else [row["prediction"]]},
        "answer_attribution": []
        if predicted is None
        else [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extracted_value": predicted,
                "extraction_method": row["resolved_by"],
                "is_terminal": True,
            }
        ],
        "evaluation": {"score": row["score"], "is_correct": row["score"] == 1},
        "error": _ERRORS.get(state) if state else None,
        "metadata": _metadata(row, facts, state, first),
    }


_ERRORS = {MISSING: "no answer", FAILED: "inference failed"}


def _state(row: Mapping[str, Any]) -> str | None:
    if not row["has_answer"] and row["scores"] is None:
        return MISSING
    return FAILED if row["failed"] else None


def _score(one: Mapping[str, Any]) -> list[object]:
    # As text: JSON has no infinite numbers.
    return [one["component"], one["label"], repr(one["score"]), one["n_tokens"], one["scorer"]]


def _metadata(
    row: Mapping[str, Any], facts: Mapping[str, Any], state: str | None, first: bool
) -> dict[str, str]:
    metadata: dict[str, object] = {
        "pass": row["pass"],
        "sample": row["sample"],
        "resolved_by": row["resolved_by"],
    }
    if state is not None:
        metadata["state"] = state
    if row["answer"] is not None:
        metadata["answer"] = row["answer"]
    labels = row["labels"]
    usual = [list(ascii_uppercase[: len(labels or ())]), list(range(len(labels or ())))]
    if labels is not None and [labels, row["ordinals"]] != usual:
        # Where the columns of choices have gaps.
        metadata |= {"labels": labels, "ordinals": row["ordinals"]}
    if row["scores"] is not None:
        metadata["scores"] = [_score(one) for one in row["scores"]]
    if first:
        names = ("abilities", "attributes", "images", "components")
        known = {name: facts[name] for name in names if facts[name]}
        if known:
            metadata["question"] = known
    return {
        f"{OURS}{name}": value if isinstance(value, str) else json.dumps(value)
        for name, value in metadata.items()
    }


RELATIONSHIPS = ("first_party", "third_party", "collaborative", "other")
_METRICS = {
    "vanilla": ("accuracy", "Accuracy of the first pass"),
    "circular": ("circular_accuracy", "CircularEval: every pass of a question is right"),
    "vanilla_all": ("pass_accuracy", "Share of the passes that are right"),
    "graded": ("mean_soft_score", "Mean soft score of the judge"),
}
_ACCESS = {"open": "open_weights", "proprietary": "closed_weights"}
_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f]|[. ]$')


@dataclass(frozen=True)
class Publisher:
    """The publisher: what a record must state and no warehouse knows."""

    organization: str = "unknown"
    relationship: str = "other"
    developer: str = "unknown"


@dataclass(frozen=True)
class Export:
    """The two files of a run, by path from the folder."""

    summary: str
    files: Mapping[str, str]


def eee_files(
    con: duckdb.DuckDBPyConnection,
    run_id: int,
    *,
    judge: str | None = None,
    release: str = LATEST,
    publisher: Publisher = Publisher(),
) -> Export:
    """The aggregate and the records of a run.

    Args:
        judge: by default the dataset's own (default_judge), or none where it leaves verdicts of the run pending.
        release: a release by name, or the folder of one.

    Raises:
        UsageError: there is no such run, or it has answers without a score.
    """
    release = session.use_release(con, release)
    found = session.frame(con, "eee_run", {"run_id": run_id}).to_dicts()
    if not found:
        raise UsageError(
            f"there is no run {run_id}, or it is superseded or retracted; `evalhouse runs` lists them"
        )
    run = found[0]
    strategy = "vanilla_all" if run["task"] == "choice" else str(run["strategy"])
    judge = choose_judge_of_runs(
        con, judge, run["benchmark_id"], run["task"], strategy, {run_id: run["dataset"]}
    )
    is_graded = is_soft(run["task"], strategy)
    parameters = {"run_id": run_id, "judge": judge}
    rows = session.frame(
        con, "eee_records", {**parameters, "is_graded": is_graded, "dataset_id": run["dataset_id"]}
    ).to_dicts()
    _require_scores(run, judge, rows)
    results = session.frame(
        con, "eee_results", {**parameters, "average": run["average"]}
    ).to_dicts()
    facts = {
        one["question_id"]: one
        for one in session.frame(con, "eee_questions", {"dataset_id": run["dataset_id"]}).to_dicts()
    }
    retrieved = f"{run['ingested_at'].replace(tzinfo=UTC).timestamp():.6f}"
    evaluation_id = f"{run['dataset']}/{run['model']}/{retrieved}"
    path = _path(run, evaluation_id, publisher)
    link = _Link(evaluation_id, run["model"], run["dataset"], f"{strategy}/micro/overall/Overall")
    # Readers cut files at every line end of Unicode, so only ASCII is written.
    lines = "".join(json.dumps(one) + "\n" for one in _records(rows, facts, link))
    template = _judge_template(con, judge)
    scored = [_result(run, judge, template, one) for one in results if one["score"] is not None]
    aggregate = {
        "schema_version": VERSION,
        "evaluation_id": evaluation_id,
        "retrieved_timestamp": retrieved,
        **_produced(run),
        "source_metadata": {
            "source_name": "evalhouse",
            "source_type": "evaluation_run",
            "source_organization_name": publisher.organization,
            "evaluator_relationship": publisher.relationship,
            "additional_details": _run_details(run, judge, release),
        },
        "eval_library": {"name": run["harness"], "version": "unknown"},
        "model_info": _model_info(run["model"], publisher, _ACCESS.get(run["access"], "unknown")),
        "evaluation_results": scored,
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": str(samples_of(path)),
            "hash_algorithm": "sha256",
            "checksum": sha256(lines.encode()).hexdigest(),
            "total_rows": len(rows),
        },
    }
    summary = (
        f"run {run_id}: {run['model']} on {run['dataset']}, {run['run']}: {counted(len(rows), 'record')}, "
        f"{len(scored):,} results under judge {judge}"
    )
    text = json.dumps(aggregate, indent=2, allow_nan=False) + "\n"
    return Export(summary, {str(path): text, str(samples_of(path)): lines})


def _require_scores(run: Mapping[str, Any], judge: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a run with records that have no score, which the schema cannot say."""
    named = f"run {run['run_id']} ({run['model']} on {run['dataset']})"
    n_pending = sum(row["resolved_by"] == "pending" for row in rows)
    if n_pending:
        raise UsageError(
            f"{named}: "
            f"{counted(n_pending, f'verdict of {judge} is', f'verdicts of {judge} are')} "
            "pending, and a record needs a score; judge "
            "first" + (", or say --judge none" if run["task"] == "choice" else "")
        )
    n_hidden = sum(row["score"] is None for row in rows)
    if n_hidden:
        raise UsageError(
            f"{named}: the answers of {n_hidden:,} passes are hidden, and a record needs a score"
        )
    if not rows and is_by_rules(run["task"], run["strategy"]):
        raise UsageError(f"{named}: this release has no rules for it; --release {LATEST} has them")
    if not rows:
        raise UsageError(f"{named}: {judge} gives it no scores")


def _path(run: Mapping[str, Any], evaluation_id: str, publisher: Publisher) -> PurePosixPath:
    """Where the datastore files the aggregate: collection, developer, model, and a name made of
    what it is."""
    developer, slash, model = str(run["model"]).partition("/")
    if not slash:
        developer, model = publisher.developer, developer
    digest = sha256(f"{evaluation_id}/{run['run']}".encode()).digest()
    name = UUID(bytes=digest[:16], version=4)
    return PurePosixPath("data", *map(_safe, (run["dataset"], developer, model)), f"{name}.json")


def _safe(name: str) -> str:
    """A name as one part of a path, on any system."""
    made = _UNSAFE.sub("_", name)
    return f"{made}_" if made in ("", "data") else made


def _produced(run: Mapping[str, Any]) -> dict[str, str]:
    produced: datetime | None = run["produced_at"]
    if produced is None:
        return {}
    return {"evaluation_timestamp": f"{produced.replace(tzinfo=UTC).timestamp():.6f}"}


def _run_details(run: Mapping[str, Any], judge: str, release: str) -> dict[str, str]:
    details = {
        "run": run["run"],
        "method": run["method"],
        "reduction": run["reduction"],
        "scored": run["scored"],
        "judge": judge,
        "release": release,
    }
    return {f"{OURS}{name}": value for name, value in details.items() if value is not None}


def _model_info(name: str, publisher: Publisher, availability: str) -> dict[str, Any]:
    developer = name.partition("/")[0] if "/" in name else publisher.developer
    return {
        "name": name,
        "id": name,
        **({} if developer == "unknown" else {"developer": developer}),
        "additional_details": {
            "deployment_type": "unknown",
            "model_availability": availability,
        },
    }


def _metric(strategy: str, task: str) -> tuple[str, str]:
    """What a strategy's score is called, and in words."""
    if strategy.startswith("group:"):
        name = strategy.removeprefix("group:")
        return "group_accuracy", f"Share of the groups by {name} that count"
    if is_by_rules(task, strategy):
        return "mean_score", "Mean score of the answers by the benchmark's rules"
    return _METRICS[strategy]


def _result(
    run: Mapping[str, Any], judge: str, template: str | None, result: Mapping[str, Any]
) -> dict[str, Any]:
    place = {name: result[name] for name in ("strategy", "average", "level", "ability")}
    metric, words = _metric(result["strategy"], run["task"])
    name = run["dataset"]
    if result["level"] != "overall":
        name += f"/{result['level']}/{result['ability']}"
    dataset = {name: run[name] for name in ("benchmark", "version", "split", "language")}
    counts: tuple[str, ...] = ("n", "n_answered", "n_missing", "n_fallback")
    if result["strategy"] == "vanilla_all":
        # What the score is over: passes.
        counts = (*counts, "weight")
    uncertainty: dict[str, Any] = {"num_samples": result["n"]}
    if result["stderr"] is not None:
        uncertainty["standard_error"] = {"value": result["stderr"], "method": "analytic"}
    return {
        "evaluation_result_id": "/".join(place.values()),
        "evaluation_name": name,
        "source_data": {
            "dataset_name": run["dataset"],
            "source_type": "other",
            "additional_details": {
                f"{OURS}{key}": value for key, value in dataset.items() if value is not None
            },
        },
        "metric_config": {
            "evaluation_description": f"{words}; {result['average']} average",
            "metric_id": metric,
            "metric_name": metric,
            "metric_kind": "accuracy" if run["task"] == "choice" else "score",
            "metric_unit": "proportion",
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0.0,
            "max_score": 1.0,
            **_llm_scoring(judge, template),
            "additional_details": {f"{OURS}{key}": value for key, value in place.items()},
        },
        "score_details": {
            "score": result["score"],
            "details": {key: str(result[key]) for key in counts},
            "uncertainty": uncertainty,
        },
    }


def _llm_scoring(judge: str, template: str | None) -> dict[str, Any]:
    if judge == "none":
        return {}
    model = _model_info(judge, Publisher(), "unknown")
    return {
        "llm_scoring": {"judges": [{"model_info": model}], "input_prompt": template or "unknown"}
    }


def _judge_template(con: duckdb.DuckDBPyConnection, judge: str) -> str | None:
    rows = con.execute(_SQL["template"], {"judge": judge}).fetchall()
    return str(rows[0][0]) if rows else None
