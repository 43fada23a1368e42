"""What there is to ask a judge: the view `judge_todo`, as requests."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import duckdb
import polars as pl

from judge.request import Request, make
from judge.template import Subject, Template
from warehouse import statements
from warehouse.judges import Judge

NEEDS = {"circular": "judge_todo", "all": "judge_todo_all"}
"""What `--need` means: the view that is queried."""
MOST = 100_000
"""Subjects of one wave; the next one is planned when they are judged."""

_SQL = statements.of_module(__file__)


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
            if row["labels"] is not None:
                subject = Subject(
                    row["question"],
                    row["prediction"],
                    choices=dict(zip(row["labels"], row["texts"], strict=True)),
                )
            else:
                subject = Subject(
                    row["question"], row["prediction"], references=row["reference_texts"] or ()
                )
            yield make(
                judge,
                template,
                subject,
                subject_hash=row["subject_hash"],
                judge_sample=row["judge_sample"],
                attempt=row["attempt"],
                asked_run_id=row["run_id"],
                place=f"{row['dataset']}, question {row['question_key']}, pass {row['pass']}",
            )


def wave(
    con: duckdb.DuckDBPyConnection,
    judge_id: int,
    *,
    release: str,
    need: str,
    given_up: Collection[tuple[str, int]] = (),
    most: int = MOST,
) -> Wave:
    """What can be judged now.

    Args:
        con: a warehouse.
        judge_id: whom.
        release: whose views plan.
        need: a key of NEEDS.
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
        table = con.sql(
            _SQL["wave"].format(todo=NEEDS[need]), params={"judge_id": judge_id, "most": most}
        ).to_arrow_table()
    finally:
        con.unregister("given_up")
    rows = pl.from_arrow(table)
    assert isinstance(rows, pl.DataFrame)
    return Wave(rows)


def per_run(
    con: duckdb.DuckDBPyConnection, judge_id: int, *, release: str, need: str
) -> pl.DataFrame:
    """Answers without a verdict, per run: all of them, and how many are decided already, have to
    wait for an earlier pass, or are needed now.
    """
    con.execute(f"SET search_path = '{release},main'")
    table = con.sql(
        _SQL["per_run"], params={"judge_id": judge_id, "all": need == "all"}
    ).to_arrow_table()
    rows = pl.from_arrow(table)
    assert isinstance(rows, pl.DataFrame)
    return rows
