"""What a table of one's own leaves to be found out: whether what is right is a letter, and its rule."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

from ingest import cells
from ingest import new_benchmark as new_benchmarks
from ingest.names import read_dataset_name
from ingest.plain import long_cells
from ingest.reading import python_lists
from ingest.reading.probe import Probe
from ingest.settings import Settings
from warehouse import known_benchmarks, statements
from warehouse.benchmark import Benchmark

_SQL = statements.of_module(__file__)
_FEWEST_LABELS = 4


@dataclass(frozen=True)
class Truths:
    """What is right in a file's questions.

    Attributes:
        is_open: they are answered in words.
        truth: the column that has it.
        labels: how many choices they have where the file names none and what is right are letters.
        lists: cells of the column `reference` may be lists, which `stage_listed_reference` has.
        notes: what there is to say about it.
    """

    is_open: bool
    truth: str = "answer"
    labels: int = 0
    lists: bool = False
    notes: tuple[str, ...] = ()


def look(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Truths:
    """Find out what is right in the questions in `raw`.

    A file in our own names says it outright. Where its names are others, or answers stand next to
    what is right, references that are single capital letters are those of choices.
    """
    if not probe.has_any("reference", "references") or probe.has_any("choices", "A"):
        return Truths(is_open=False)
    if probe.called is None or probe.has("references"):
        return Truths(is_open=True, truth="reference")
    written = long_cells.text(probe, "reference")
    ((n, n_letters, last),) = con.execute(_SQL["look_at_letters"].format(cell=written)).fetchall()
    if n and n == n_letters and _task(con, probe, settings) != "open":
        labels = max(_FEWEST_LABELS, ord(last) - ord("A") + 1)
        note = f"no choices stand in the file: {written_as(labels)} are taken, without their texts"
        # Of questions without a text, the same is said when they are stored.
        notes = (note,) if probe.has("question") else ()
        return Truths(is_open=False, truth="reference", labels=labels, notes=notes)
    python_lists.stage(
        con,
        "stage_listed_reference",
        f"SELECT {written} FROM raw WHERE starts_with(ltrim({written}), '[')",
    )
    return Truths(is_open=True, truth="reference", lists=True)


def written_as(labels: int) -> str:
    """So many labels, in words."""
    return f"A to {chr(ord('A') + labels - 1)}"


def new_benchmark(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings
) -> Benchmark | None:
    """The benchmark that a first file's staged references make; None: it is known, or has no rule."""
    name = settings.benchmark
    if name is None or probe.called is None or known_benchmarks.find(name) is not None:
        return None
    if con.execute(_SQL["benchmark"], {"name": name}).fetchall():
        return None
    return new_benchmarks.of_references(con, probe.path, name)


def are_abilities(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings, column: str
) -> bool:
    """Whether a column's values are abilities of a benchmark that declares none in another way."""
    if not probe.has(column):
        return False
    name = _benchmark(con, probe, settings)
    known = known_benchmarks.find(name) if name else None
    if known is not None and (known.levels or known.abilities):
        # Its levels say which columns they are of.
        return False
    levels = con.execute(_SQL["levels"], {"name": name}).fetchall()
    if levels and (column,) not in levels:
        return False
    return new_benchmarks.may_be_level(con, cells.text(column), fewest=1)


def _benchmark(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> str | None:
    """The benchmark that the file is of, as far as that is known before it is looked for."""
    if settings.benchmark is not None:
        return settings.benchmark
    named = read_dataset_name(probe.path.stem, tuple(settings.map))
    if named is not None:
        return named.benchmark
    there = con.execute("SELECT name FROM main.benchmark").fetchall()
    return str(there[0][0]) if len(there) == 1 else None


def _task(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> str | None:
    """The task of the benchmark that the file is of; None: its first questions decide."""
    name = _benchmark(con, probe, settings)
    known = known_benchmarks.find(name) if name else None
    if known is not None:
        return known.task
    rows = con.execute(_SQL["task"], {"name": name}).fetchall()
    return str(rows[0][0]) if rows else None
