"""Choices whose text a results file lost: pandas reads None, NA and the like as nothing.

Such a choice is stored with an empty text; its letter counts as any. A file that has the text mends it.
"""

from __future__ import annotations

import duckdb

from ingest.loading import Loading
from warehouse import statements
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def settle(con: duckdb.DuckDBPyConnection, loading: Loading) -> None:
    """Give choices without a text the file's, where it has one, and say which new ones have none."""
    source = {"source_id": loading.source_id}
    con.execute(_SQL["find_mended"])
    ((n,),) = con.execute("SELECT count(*) FROM stage_mended").fetchall()
    if n:
        con.execute(_SQL["forget_blank"])
        con.execute(_SQL["add_mended"], source)
        loading.report.loaded.append(
            counted(n, "choice that was unknown", "choices that were unknown")
        )
    ((n, example),) = con.execute(_SQL["count_unknown"], source).fetchall()
    if n:
        key, label = example
        loading.report.alerts.append(
            f"{counted(n, 'choice is', 'choices are')} unknown (such as {label} of question {key}): the "
            "file has an empty cell, as pandas makes of None, NA and the like; the letter counts, and "
            "the dataset's question file mends it"
        )
