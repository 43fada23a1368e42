"""Making a judge known to a warehouse: its name, its template, and how many samples it gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from judge import merge
from judge.template import Template, parse, shipped
from warehouse import connection, judges, statements
from warehouse.connection import transaction
from warehouse.errors import UsageError
from warehouse.judges import Judge

_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class Enrolled:
    """A judge as a warehouse knows it."""

    judge: Judge
    judge_id: int


def describe(
    template: Template,
    *,
    model: str,
    endpoint: str,
    sampling: Mapping[str, Any],
    name: str | None = None,
    kind: str = "llm",
) -> Judge:
    """A judge with a template. `sampling` changes the template's parameters; None takes one out.

    Args:
        template: its wording, task and schedule.
        model: the model to ask for.
        endpoint: chat_completions, transformers or program.
        sampling: parameters of the request.
        name: by default the model's.
        kind: llm or program.
    """
    merged = {**template.sampling, **sampling}
    return Judge(
        name=name or model,
        task=template.task,
        kind=kind,
        model=model,
        endpoint=endpoint,
        template=f"{template.name} {template.version}",
        template_sha256=template.sha256,
        sampling={key: value for key, value in merged.items() if value is not None},
        retry_schedule=[dict(attempt) for attempt in template.attempts],
        max_attempts=len(template.attempts),
    )


def enrol(
    path: Path,
    judge: Judge,
    template: Template,
    *,
    named: bool,
    samples: int,
    cache: Path,
    wait: float,
    again: bool = False,
) -> Enrolled:
    """The judge's entry in a warehouse, made first where it is new. Written to only where need be.

    Args:
        named: whether the judge's name is the user's wish, or may give way.
        samples: how often each subject is to be put to it.
        cache: the directory that its replies come through.
        again: put each subject to it `samples` times more than it was or is to be; old replies stay.

    Raises:
        UsageError: the name is another judge's, or the judge has another name.
    """
    with closing(connection.open_for_reading(path, wait=wait)) as con:
        found = _planned(con, judge, named=named, samples=samples, again=again)
    if found is not None:
        return found
    with closing(connection.open_for_writing(path, wait=wait)) as con, transaction(con):
        return _store(con, judge, template, named=named, samples=samples, cache=cache, again=again)


@contextmanager
def for_now(
    path: Path,
    judge: Judge,
    template: Template,
    *,
    named: bool,
    samples: int,
    cache: Path,
    wait: float,
    again: bool = False,
) -> Iterator[tuple[duckdb.DuckDBPyConnection, Enrolled]]:
    """A connection in which the judge has an entry, to plan with. One that is new is gone in the end.

    Raises:
        UsageError: as `enrol`.
    """
    with closing(connection.open_for_reading(path, wait=wait)) as con:
        found = _planned(con, judge, named=named, samples=samples, again=again)
        if found is not None:
            yield con, found
            return
    with closing(connection.open_for_writing(path, wait=wait)) as con:
        con.execute("BEGIN TRANSACTION")
        try:
            yield (
                con,
                _store(
                    con, judge, template, named=named, samples=samples, cache=cache, again=again
                ),
            )
        finally:
            con.execute("ROLLBACK")


def _planned(
    con: duckdb.DuckDBPyConnection, judge: Judge, *, named: bool, samples: int, again: bool
) -> Enrolled | None:
    """The judge's entry with at least that many samples; None: it is still to be made."""
    known = judges.find_same(con, judge)
    if known is None:
        return None
    if named and known != judge.name:
        raise UsageError(
            f"this judge is named {known!r}; `evalhouse judges rename` gives it another name"
        )
    if again:
        samples += _n_samples(con, known)
    judge_id, n_planned = con.execute(
        _SQL["planned_samples"], {"name": known, "samples": samples}
    ).fetchall()[0]
    return Enrolled(judge.named(known), int(judge_id)) if n_planned >= samples else None


def _n_samples(con: duckdb.DuckDBPyConnection, name: str) -> int:
    """How many times subjects were put to a judge, or are to be."""
    ((last,),) = con.execute(_SQL["last_sample"], {"name": name}).fetchall()
    return 0 if last is None else int(last) + 1


def recall(path: Path, name: str, *, wait: float) -> tuple[Enrolled, Template]:
    """A judge that a warehouse knows, by its name, and its template; where that is not stored, as
    for people and imports, the one that comes with the task, so that its subjects can be found.

    Raises:
        UsageError: there is no such judge, or one of a task that imports alone have.
    """
    con = connection.open_for_reading(path, wait=wait)
    try:
        judge_id, judge = judges.known(con, name)
        judges.require_asking(judge)
        texts = con.execute(
            "SELECT text FROM main.judge_template WHERE template_sha256 = ?",
            [judge.template_sha256],
        ).fetchall()
    finally:
        con.close()
    template = parse(texts[0][0], name) if texts else shipped(judge.task)
    return Enrolled(judge, judge_id), template


def _store(
    con: duckdb.DuckDBPyConnection,
    judge: Judge,
    template: Template,
    *,
    named: bool,
    samples: int,
    cache: Path,
    again: bool,
) -> Enrolled:
    source_id = merge.source_of(con, cache)
    known = judges.find_same(con, judge)
    if known is not None and again:
        samples += _n_samples(con, known)
    name = known or (
        judge.name
        if named
        else judges.free_name(
            con, judge.name, judge.task, f"{judge.task} {str(judge.template_sha256)[:8]}"
        )
    )
    if known is None and judges.free_name(con, name) != name:
        # Also one of schema version 1, of which nobody knows what it was.
        raise UsageError(f"there is another judge named {name!r}, or the name is reserved")
    enrolled = judge.named(name)
    judge_id = judges.register(con, enrolled, source_id=source_id)
    judges.plan_samples(con, judge_id, samples, source_id=source_id)
    con.execute(
        _SQL["add_template"],
        {
            "sha256": template.sha256,
            "name": template.name,
            "version": template.version,
            "task": template.task,
            "text": template.text,
            "source_id": source_id,
        },
    )
    return Enrolled(enrolled, judge_id)
