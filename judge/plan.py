"""What there is to ask a judge, as requests."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import duckdb

from judge.request import Request, make
from judge.template import Subject, Template
from warehouse import known_benchmarks, statements
from warehouse.errors import UsageError
from warehouse.judges import ANSWER_EXTRACTION, OF_ANSWERS, USUAL_TASK, Judge
from warehouse.later import pl

NEEDS = ("circular", "all")
"""What `--need` takes: what the strategy still needs, or every open answer."""
MOST = 100_000
"""Subjects of one wave; the next one is planned when they are judged."""

_MOST_NAMES = 20
_SQL = statements.of_module(__file__)


@dataclass(frozen=True)
class Scope:
    """What is judged: answers to a benchmark, of a run's label, to the questions of a subset.

    None is everything. The benchmark is written as the warehouse has it, once `settled`.
    """

    benchmark: str | None = None
    run: str | None = None
    subset: str | None = None


EVERYTHING = Scope()


def settled(con: duckdb.DuckDBPyConnection, scope: Scope) -> Scope:
    """The same with the benchmark's own name.

    Raises:
        UsageError: there is no such benchmark, run or subset; the message names those there are.
    """
    benchmark = None
    if scope.benchmark is not None:
        known = known_benchmarks.find(scope.benchmark)
        wanted = (known.name if known else scope.benchmark).lower()
        there = [str(name) for (name,) in con.execute(_SQL["benchmarks"]).fetchall()]
        benchmark = next((name for name in there if name.lower() == wanted), None)
        if benchmark is None:
            raise _nothing("--benchmark", "no benchmark", scope.benchmark, there)
    of = {"benchmark": benchmark}
    where = f"{benchmark} has" if benchmark else "the warehouse has"
    for flag, wanted_name, words in (
        ("run", scope.run, "no run"),
        ("subset", scope.subset, "no subset"),
    ):
        if wanted_name is not None:
            names = con.execute(_SQL["labels" if flag == "run" else "subsets"], of).fetchall()
            if (wanted_name,) not in names:
                given = [str(name) for (name,) in names]
                raise _nothing(f"--{flag}", f"{where} {words}", wanted_name, given)
    return replace(scope, benchmark=benchmark)


def _nothing(flag: str, words: str, wanted: str, there: list[str]) -> UsageError:
    shown = ", ".join(there[:_MOST_NAMES]) + (", …" if len(there) > _MOST_NAMES else "")
    return UsageError(f"{flag}: {words} {wanted!r}" + (f"; there are {shown}" if there else ""))


def tasks(con: duckdb.DuckDBPyConnection, scope: Scope) -> list[str]:
    """What the runs in scope need judges for."""
    given = {"benchmark": scope.benchmark, "run": scope.run, **USUAL_TASK}
    return [str(task) for (task,) in con.execute(_SQL["tasks"], given).fetchall()]


def imported_tasks(con: duckdb.DuckDBPyConnection, scope: Scope) -> list[tuple[str, str]]:
    """The benchmarks of the runs in scope whose verdicts come with files alone, and their tasks."""
    given = {"benchmark": scope.benchmark, "run": scope.run}
    rows = con.execute(_SQL["imported_tasks"], given).fetchall()
    return [(str(benchmark), str(task)) for benchmark, task in rows]


@dataclass(frozen=True)
class Wave:
    """Subjects that can be judged now, each once, as rows of `plan.sql`'s wave."""

    rows: pl.DataFrame

    def __len__(self) -> int:
        return self.rows.height

    @property
    def n_answers(self) -> int:
        """Answers that these subjects settle, in whatever runs."""
        return int(self.rows["n_answers"].sum())

    def requests(self, judge: Judge, template: Template) -> Iterator[Request]:
        """The requests, made one by one."""
        for row in self.rows.iter_rows(named=True):
            yield make(
                judge,
                template,
                _subject(judge.task, row),
                subject_hash=row["subject_hash"],
                judge_sample=row["judge_sample"],
                attempt=row["attempt"],
                asked_run_id=row["run_id"],
                place=f"{row['dataset']}, question {row['question_key']}, pass {row['pass']}",
            )


def _subject(task: str, row: Mapping[str, Any]) -> Subject:
    said = Subject(row["question"], row["prediction"], language=row["language"])
    choices = None
    if row["labels"] is not None:
        choices = dict(zip(row["labels"], row["texts"], strict=True))
    if task == ANSWER_EXTRACTION:
        return replace(said, choices=choices, form=row["form"])
    if choices is not None and task not in OF_ANSWERS:
        return replace(said, choices=choices)
    given = list(row["reference_texts"] or ())
    # The right choice is meant by its label and by its text.
    right = [pair for pair in (choices or {}).items() if any(one in given for one in pair)]
    references = dict.fromkeys([*given, *(one for pair in right for one in pair)])
    return replace(said, references=tuple(references))


def wave(
    con: duckdb.DuckDBPyConnection,
    judge_id: int,
    *,
    release: str,
    need: str,
    scope: Scope = EVERYTHING,
    given_up: Collection[tuple[str, int]] = (),
    most: int = MOST,
) -> Wave:
    """What can be judged now.

    Args:
        con: a warehouse.
        judge_id: whom.
        release: whose views plan.
        need: a key of NEEDS.
        scope: for what alone.
        given_up: subjects and judge samples that are not to be judged again.
        most: so many at most.
    """
    con.execute(f"SET search_path = '{release},main'")
    frame = pl.DataFrame(
        list(given_up),
        schema={"subject_hash": pl.String, "judge_sample": pl.Int16},
        orient="row",
    )
    con.register("given_up", frame.to_arrow())
    try:
        todo = _SQL["todo"].format(in_scope=_SQL["in_scope"])
        given = {"judge_id": judge_id, "most": most, "all": need == "all", **asdict(scope)}
        table = statements.table_of(con, _SQL["wave"].format(todo=todo), given)
    finally:
        con.unregister("given_up")
    rows = pl.from_arrow(table)
    assert isinstance(rows, pl.DataFrame)
    return Wave(rows)


def per_run(
    con: duckdb.DuckDBPyConnection,
    judge_id: int,
    *,
    release: str,
    need: str,
    scope: Scope = EVERYTHING,
) -> pl.DataFrame:
    """Answers without a verdict, per run: all of them, and how many are decided already, have to
    wait for an earlier pass, or are needed now.
    """
    con.execute(f"SET search_path = '{release},main'")
    table = statements.table_of(
        con,
        _SQL["per_run"].format(in_scope=_SQL["in_scope"]),
        {"judge_id": judge_id, "all": need == "all", **asdict(scope)},
    )
    rows = pl.from_arrow(table)
    assert isinstance(rows, pl.DataFrame)
    return rows
