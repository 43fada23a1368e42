"""What is particular to open questions: references, and several abilities on the same level."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import duckdb

from ingest.checks import refuse_first
from ingest.loading import Loading
from warehouse import statements, taxonomy
from warehouse.benchmark import Ability
from warehouse.wording import counted

_SQL = statements.of_module(__file__)


def check(
    con: duckdb.DuckDBPyConnection, path: Path, reference: str | None, pass_number: str
) -> None:
    """Refuse staged open questions that are wrong in themselves.

    Args:
        reference: what the file calls the references; None: they may be hidden.
        pass_number: what the file calls the pass.

    Raises:
        InputError: a question without a reference, or with another pass than 0.
    """
    refuse = partial(refuse_first, con, path)
    if reference is not None:
        refuse(
            _SQL["questions_without_reference"],
            reference,
            lambda row: f"question {row[1]} has no reference",
        )
    refuse(
        _SQL["further_passes"],
        pass_number,
        lambda row: (
            f"pass {row[2]} of question {row[1]} is out of range: open questions have pass 0"
        ),
    )


def load_references(con: duckdb.DuckDBPyConnection, loading: Loading, reference: str) -> None:
    """Add the references of new questions and compare the others; note differences.

    Raises:
        InputError: a question file has other references than the dataset.
    """
    con.execute(_SQL["find_other_references"])
    if loading.role == "questions":
        refuse_first(
            con,
            loading.path,
            _SQL["other_references"],
            reference,
            lambda row: (
                f"the references of question {row[1]} are not the dataset's; --replace takes the "
                "file's, and what was graded against the former no longer counts; a --version of "
                "their own keeps both"
            ),
        )
    con.execute(_SQL["add_references"], {"source_id": loading.source_id})
    ((n, example),) = con.execute(_SQL["count_other_references"]).fetchall()
    if n:
        loading.report.notes.append(
            f"{counted(n, 'reference differs', 'references differ')} from the dataset's (such as {example}'s); "
            "the dataset's hold"
        )


def add_integrations(con: duckdb.DuckDBPyConnection, benchmark: int, source_id: int) -> None:
    """Name every staged integration by its capabilities in order, and add those that are new.

    An integration is a set of capabilities, written with _ between them in any order. Any other
    spelling is left as it is, to be refused as unknown.
    """
    rows = con.execute(_SQL["staged_integrations"]).fetchall()
    spellings = con.execute(_SQL["known_spellings"], {"benchmark_id": benchmark}).fetchall()
    capabilities = {spelling for level, spelling in spellings if level == "capability"}
    known = {spelling for level, spelling in spellings if level == "integration"}
    added = []
    for (written,) in rows:
        parts = {part.strip().lower() for part in written.split("_")}
        name = "_".join(sorted(parts))
        if not known or not parts <= capabilities:
            continue
        con.execute(_SQL["name_integration"], {"written": written, "name": name})
        if name not in known:
            known.add(name)
            added.append(Ability("integration", name, name, None, ()))
    taxonomy.add_abilities(con, benchmark, added, source_id=source_id)


def file_questions(con: duckdb.DuckDBPyConnection, path: Path, source_id: int, remedy: str) -> None:
    """File each question under every ability that the file gives it, on every level.

    Raises:
        InputError: a question is filed under other abilities of that level already.
    """
    con.execute(_SQL["collect_abilities"])
    refuse_first(
        con,
        path,
        _SQL["other_abilities"],
        None,
        lambda row: f"question {row[2]} is filed under other abilities than {row[3]!r}{remedy}",
    )
    con.execute(_SQL["add_question_abilities"], {"source_id": source_id})
