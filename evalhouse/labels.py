"""A person's labels: stored as the judgments of a judge of that person's name."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import duckdb

from evalhouse.pages.house import Label
from warehouse import judges, sources
from warehouse.connection import transaction
from warehouse.errors import UsageError

if TYPE_CHECKING:
    from evalhouse import Warehouse

FORMAT = "labels"
PLACE = "evalhouse:labels/"
"""What stands for the path of a person's labels, which are in no file."""


def store(house: Warehouse, label: Label) -> None:
    """Store a label at once. Kept results of the runs concerned are left to `evalhouse refresh`.

    Raises:
        UsageError: the name is that of a judge who is no person, or judges something else.
    """
    with house.changing(refresh=False) as con, transaction(con):
        source_id = _source_of(con, label.annotator)
        judge = judges.Judge(
            label.annotator, label.task, "human", model=label.annotator, template="unknown"
        )
        judge_id = judges.register(con, judge, source_id=source_id)
        there = con.execute(
            "SELECT 1 FROM main.judgment WHERE judge_id = ? AND subject_hash = ?",
            [judge_id, label.subject_hash],
        ).fetchall()
        if there:
            raise UsageError("that answer is labelled already")
        judges.plan_samples(con, judge_id, 1, source_id=source_id)
        judgment = judges.Judgment(
            label.subject_hash, label.reply, labels=label.labels, origin="human"
        )
        judges.store(con, judge_id, [judgment], source_id=source_id)


def _source_of(con: duckdb.DuckDBPyConnection, annotator: str) -> int:
    """The source of a person's labels, one for all of them: there is no file."""
    path = f"{PLACE}{annotator}"
    there = con.execute(
        "SELECT source_id FROM main.source WHERE path = ? AND format = ?", [path, FORMAT]
    ).fetchall()
    if there:
        return int(there[0][0])
    content = path.encode()
    return sources.add(
        con,
        sources.Source(
            path=path,
            sha256=sha256(content).hexdigest(),
            bytes=len(content),
            format=FORMAT,
            adapter_version=1,
            flags={"judge": annotator},
            n_rows=0,
        ),
    )
