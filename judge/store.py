"""Registering judges and storing what they replied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import polars as pl

from warehouse import sources
from warehouse.errors import UsageError

TASKS = ("choice_extraction", "soft_score", "mark")
KINDS = ("llm", "human", "import", "keyword")


@dataclass(frozen=True)
class Judge:
    """A judge under its unique name. `max_attempts`: tries before the fallback holds."""

    name: str
    task: str
    kind: str
    model: str | None = None
    template: str | None = None
    max_attempts: int = 1


@dataclass(frozen=True)
class Judgment:
    """One attempt at one subject: the raw reply, or the error in its place.

    `labels` are those that the judge could choose from, X (none of them) included.
    """

    subject_hash: str
    reply: str | None
    labels: tuple[str, ...] | None = None
    judge_sample: int = 0
    attempt: int = 0
    run_id: int | None = None
    prompt: str | None = None
    error: str | None = None
    finish_reason: str | None = None


def register(con: duckdb.DuckDBPyConnection, judge: Judge, *, source_id: int) -> int:
    """The judge's id, stored first where the name is new.

    Raises:
        UsageError: the name is taken by a judge that differs, or is `none`; or there is no such
            task or kind.
    """
    if judge.name == "none":
        raise UsageError("the judge's name cannot be none: that stands for the rules alone")
    if judge.task not in TASKS or judge.kind not in KINDS:
        raise UsageError(f"a judge has a task of {TASKS} and a kind of {KINDS}")
    row = con.execute(
        "SELECT judge_id, task, kind, model, template, max_attempts FROM main.judge WHERE name = ?",
        [judge.name],
    ).fetchone()
    identity = (judge.task, judge.kind, judge.model, judge.template, judge.max_attempts)
    if row is not None:
        if tuple(row[1:]) != identity:
            raise UsageError(f"there is another judge named {judge.name}")
        return int(row[0])
    judge_id = sources.next_id(con, "judge")
    con.execute(
        "INSERT INTO main.judge (judge_id, name, task, kind, model, template, max_attempts, "
        "source_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [judge_id, judge.name, *identity, source_id],
    )
    return judge_id


def store(
    con: duckdb.DuckDBPyConnection,
    judge_id: int,
    judgments: Sequence[Judgment],
    *,
    source_id: int,
) -> None:
    """Append judgments of one judge."""
    frame = pl.DataFrame(
        {
            "subject_hash": [j.subject_hash for j in judgments],
            "labels": [None if j.labels is None else list(j.labels) for j in judgments],
            "judge_sample": [j.judge_sample for j in judgments],
            "attempt": [j.attempt for j in judgments],
            "run_id": [j.run_id for j in judgments],
            "prompt": [j.prompt for j in judgments],
            "reply": [j.reply for j in judgments],
            "error": [j.error for j in judgments],
            "finish_reason": [j.finish_reason for j in judgments],
        },
        schema={
            "subject_hash": pl.String,
            "labels": pl.List(pl.String),
            "judge_sample": pl.Int16,
            "attempt": pl.Int16,
            "run_id": pl.Int32,
            "prompt": pl.String,
            "reply": pl.String,
            "error": pl.String,
            "finish_reason": pl.String,
        },
    )
    first = sources.next_id(con, "judgment")
    con.register("new_judgments", frame.to_arrow())
    con.execute(
        "INSERT INTO main.judgment (judgment_id, judge_id, subject_hash, labels, judge_sample, "
        "attempt, run_id, prompt, reply, error, finish_reason, judged_at, source_id) "
        "SELECT ? - 1 + row_number() OVER (), ?, subject_hash, labels, judge_sample, attempt, "
        "run_id, prompt, reply, error, finish_reason, now() AT TIME ZONE 'UTC', ? "
        "FROM new_judgments",
        [first, judge_id, source_id],
    )
    con.unregister("new_judgments")
