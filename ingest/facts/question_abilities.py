"""From staged categories to the abilities that questions count for."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import duckdb

from ingest.checks import refuse_first
from ingest.facts import open_facts, question_changes
from ingest.loading import Loading, OfBenchmark
from ingest.reading import python_lists
from ingest.reading.raw import literal
from warehouse import known_benchmarks, statements, taxonomy
from warehouse.benchmark import Ability

_SQL = statements.of_module(__file__)


def load(
    con: duckdb.DuckDBPyConnection, loading: Loading, task: str, *, extends: bool = False
) -> None:
    """File staged questions under their abilities; make the taxonomy where the benchmark has none.

    Args:
        extends: the file may have abilities of a benchmark of its own that others did not have.

    Raises:
        InputError: a category that the benchmark does not have, or has elsewhere in its tree, or
            that contradicts the dataset.
    """
    path, benchmark, source_id = loading.path, loading.named_benchmark, loading.source_id
    refuse = partial(refuse_first, con, path)
    remedy = f"; {question_changes.REMEDY}" if loading.role == "questions" else ""
    _take_declared_columns(con, benchmark.name)
    con.execute(_SQL["leave_levels"], {"benchmark_id": benchmark.benchmark_id})
    known = con.execute(
        "SELECT count(*) FROM main.ability WHERE benchmark_id = ?", [benchmark.benchmark_id]
    ).fetchall()
    replaces = question_changes.replaces(loading)
    declared = known_benchmarks.find(benchmark.name)
    is_named = declared is None or (declared.is_inferred and not declared.levels)
    is_own = (extends or replaces) and is_named
    is_made = known == [(0,)] or is_own or _is_open_ended(benchmark.name)
    con.execute(_SQL["tell_apart"], {"benchmark_id": benchmark.benchmark_id, "is_made": is_made})
    if is_made:
        _make_taxonomy(con, path, benchmark, source_id)
    elif task == "open":
        open_facts.add_integrations(con, benchmark.benchmark_id, source_id)
    con.execute(_SQL["name_finest_level"], {"benchmark_id": benchmark.benchmark_id})
    con.execute(_SQL["find_abilities"], {"benchmark_id": benchmark.benchmark_id})
    refuse(
        _SQL["unknown_categories"],
        None,
        lambda row: (
            f"unknown category {row[2]!r}: it is no ability of {benchmark.name}"
            + ("; --replace adds it" if remedy and is_named else "")
        ),
    )
    refuse(
        _SQL["misplaced_categories"],
        None,
        lambda row: (
            f"the category {row[2]!r} is not one of {row[3]!r} in the taxonomy of {benchmark.name}"
        ),
    )
    if replaces:
        question_changes.apply_abilities(con, loading, task)
    if task == "open":
        open_facts.file_questions(con, path, source_id, remedy)
        return
    con.execute(
        _SQL["add_question_abilities"],
        {"source_id": source_id, "benchmark_id": benchmark.benchmark_id},
    )
    refuse(
        _SQL["contradicted_abilities"],
        None,
        lambda row: f"question {row[3]} is filed under another ability than {row[2]!r}{remedy}",
    )


def _take_declared_columns(con: duckdb.DuckDBPyConnection, name: str) -> None:
    """File questions on the levels that their benchmark's folder names columns for.

    A column that an adapter took for an ability is put on that level; a column that it kept as an
    attribute becomes an ability too.
    """
    known = known_benchmarks.find(name)
    if known is None:
        return
    depths = known.depths()
    for level in known.levels:
        for column in level.columns:
            parameters = {"column": column, "level": level.name, "depth": depths[level.name]}
            con.execute(_SQL["put_on_level"], parameters)
            _find_lists(con, column, level.separator)
            con.execute(_SQL["take_attribute"], {**parameters, "separator": level.separator})
    if known.levels and not known.abilities:
        con.execute(_SQL["put_apart"], {"levels": list(depths), "n_levels": len(depths)})


def _find_lists(con: duckdb.DuckDBPyConnection, column: str, separator: str | None) -> None:
    """Fill `stage_listed` with the abilities of cells that hold several, written as a list."""
    cells = "SELECT value FROM stage_attribute WHERE false"
    if separator is not None:
        cells = f"SELECT value FROM stage_attribute WHERE lower(name) = {literal(column)}"
    python_lists.stage(con, "stage_listed", cells)


def _is_open_ended(name: str) -> bool:
    """Whether a benchmark declares levels without abilities, so that its questions state them."""
    known = known_benchmarks.find(name)
    return known is not None and bool(known.levels) and not known.abilities


def _make_taxonomy(
    con: duckdb.DuckDBPyConnection, path: Path, benchmark: OfBenchmark, source_id: int
) -> None:
    """The taxonomy of a benchmark from its question file's columns, or what is new of it.

    Files of the same benchmark may hold different questions, and so different abilities.
    """
    refuse = partial(refuse_first, con, path)
    refuse(
        _SQL["abilities_under_two_parents"],
        None,
        lambda row: (
            f"the ability {row[2]!r} stands under {row[3]} different ones; abilities are a tree"
        ),
    )
    refuse(
        _SQL["levels_too_deep"],
        None,
        lambda row: (
            f"the level {row[2]!r} cannot be: there are four at most, and overall is above all"
        ),
    )
    rows = con.execute(
        _SQL["taxonomy_of_the_file"], {"benchmark_id": benchmark.benchmark_id}
    ).fetchall()
    known = known_benchmarks.find(benchmark.name)
    short = {level.name: level.abbreviations for level in known.levels} if known else {}
    taxonomy.add_abilities(
        con,
        benchmark.benchmark_id,
        [
            Ability(level, name, short.get(level, {}).get(name.lower(), name), parent, ())
            for level, name, parent in rows
        ],
        source_id=source_id,
    )
