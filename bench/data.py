"""The benchmarks' data: MMBench-like questions, predictions in files, and warehouses of them.

    python -m bench.data --million 20 --db FILE [--direct]

makes a warehouse of so many million predictions (220: 20,000 submissions of 11,000 rows each):
Parquet files of 1,000 runs, 11 million rows in no order, which are ingested one by one. `--direct`
puts the same rows into the tables by SQL instead, which is quicker and measures nothing. Files stay
next to the warehouse, and are used again; they take about 7 bytes a prediction.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from evalhouse import Warehouse
from warehouse import benchmark, sources, statements
from warehouse.connection import transaction

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / ".bench"
MEMORY_LIMIT = "8GB"
THREADS = 2
RUNS_PER_FILE = 1_000
_SQL = statements.of_module(__file__)
TAXONOMY = ROOT / "warehouse" / "benchmarks" / "mmbench"


@dataclass(frozen=True)
class Shape:
    """What the questions are like.

    Attributes:
        n_questions: how many.
        mixed: whether some have 2 or 3 choices; else all have 4.
        circular: whether each has a pass per choice; else one pass.
        seed: other seeds give other answers.
    """

    n_questions: int = 2_974
    mixed: bool = True
    circular: bool = True
    seed: int = 1


MMBENCH = Shape()
PASSES = 11_000
"""Rows of one submission of MMBENCH."""


@contextmanager
def maker(shape: Shape = MMBENCH, temp: Path | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection of the engine alone, with the questions in `item` and `item_pass`."""
    settings: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": MEMORY_LIMIT,
        "threads": THREADS,
        "temp_directory": str(temp or FOLDER / "temp"),
    }
    with duckdb.connect(config=settings) as con:
        con.execute("SET enable_progress_bar = false")
        make_items(con, shape)
        yield con


def make_items(con: duckdb.DuckDBPyConnection, shape: Shape) -> None:
    """Make the temporary tables that predictions are drawn from."""
    abilities = benchmark.load(TAXONOMY).abilities
    spelling = {one.name: one.spellings[0] for one in abilities if one.spellings}
    leaves = [one for one in abilities if one.level == "l3"]
    con.execute(
        "CREATE OR REPLACE TEMP TABLE leaf (ordinal INTEGER, spelling VARCHAR, parent VARCHAR)"
    )
    con.executemany(
        "INSERT INTO leaf VALUES (?, ?, ?)",
        [[i, spelling[one.name], spelling[str(one.parent)]] for i, one in enumerate(leaves)],
    )
    con.execute(
        _SQL["make_items"],
        {"n_questions": shape.n_questions, "mixed": shape.mixed, "seed": shape.seed},
    )
    con.execute(_SQL["make_passes"], {"circular": shape.circular})


def write_questions(path: Path, shape: Shape = MMBENCH) -> Path:
    """The question TSV, in MMBench's own columns."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with maker(shape, path.parent / "temp") as con:
            _copy(con, _SQL["question_rows"], path)
    return path


def write_predictions(path: Path, first_run: int, n_runs: int, shape: Shape = MMBENCH) -> Path:
    """The predictions of some runs in one file, whose ending says of which kind.

    Args:
        path: .parquet, .csv, .tsv or .jsonl; left as it is where it exists.
        first_run: the first run's number, from 1; it is in the model's name, `model-00001`.
        n_runs: how many runs.
        shape: what the questions are like.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with maker(shape, path.parent / "temp") as con:
            _copy(con, _numbers(_SQL["file_rows"], first_run, n_runs, shape), path)
    return path


def n_runs(million: float) -> int:
    """How many runs make so many million predictions, at least one."""
    return max(1, round(million * 1e6 / PASSES))


def run_ranges(n: int, per_file: int = RUNS_PER_FILE) -> list[tuple[int, int]]:
    """First run and number of runs of each file."""
    return [(first, min(per_file, n - first + 1)) for first in range(1, n + 1, per_file)]


def prediction_files(folder: Path, n: int) -> list[Path]:
    """The files of the first n runs."""
    return [
        write_predictions(
            folder / f"runs-{first:05d}-{first + count - 1:05d}.parquet", first, count
        )
        for first, count in run_ranges(n)
    ]


def fill(house: Warehouse, folder: Path, n: int, *, direct: bool = False) -> None:
    """Put the questions and the first n runs into a warehouse that has none.

    Args:
        house: the warehouse.
        folder: where files are written, or are already.
        n: how many runs.
        direct: by SQL rather than by ingesting files.
    """
    house.ingest(write_questions(folder / "mmbench.tsv"), benchmark="MMBench", refresh=False)
    if not direct:
        for file in prediction_files(folder, n):
            house.ingest(file, benchmark="MMBench", refresh=False)
        return
    with house.writing() as con:
        con.execute(f"SET memory_limit = '{MEMORY_LIMIT}'")
        con.execute(f"SET threads = {THREADS}")
        make_items(con, MMBENCH)
        for first, count in run_ranges(n):
            _insert(con, first, count)


def _insert(con: duckdb.DuckDBPyConnection, first_run: int, count: int) -> None:
    with transaction(con):
        source = sources.Source(
            f"evalhouse:bench/{first_run}", "-", 0, "bench", 1, {}, count * PASSES
        )
        numbers = {
            "source_id": sources.add(con, source),
            "first_run": first_run,
            "end_run": first_run + count,
        }
        con.execute(_SQL["insert_models"], numbers)
        con.execute(_SQL["insert_runs"], numbers)
        con.execute(_SQL["insert_samples"], numbers)
        con.execute(_numbers(_SQL["insert_predictions"], first_run, count, MMBENCH))


def _numbers(sql: str, first_run: int, count: int, shape: Shape) -> str:
    """A statement with its numbers in place: COPY takes no parameters."""
    numbers = {"first_run": first_run, "end_run": first_run + count, "seed": shape.seed}
    sql = sql.replace("{prediction_rows}", _SQL["prediction_rows"])
    for name, number in numbers.items():
        sql = sql.replace(f"${name}", str(number))
    return sql


def _copy(con: duckdb.DuckDBPyConnection, query: str, path: Path) -> None:
    """Write a query's result, and give the file its name when it is whole."""
    options = {
        ".parquet": "FORMAT parquet, COMPRESSION zstd",
        ".csv": "FORMAT csv, HEADER",
        ".tsv": "FORMAT csv, HEADER, DELIMITER '\t'",
        ".jsonl": "FORMAT json",
    }
    part = path.with_name(f".{path.name}.part")
    con.execute(f"COPY ({query}) TO '{part}' ({options[path.suffix]})")
    part.rename(path)


def main() -> None:
    """Make a warehouse."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--million", type=float, required=True)
    parser.add_argument("--db", type=Path, required=True)
    parser.add_argument("--direct", action="store_true")
    options = parser.parse_args()
    begun = time.perf_counter()
    n = n_runs(options.million)
    fill(Warehouse(options.db), options.db.parent, n, direct=options.direct)
    print(
        f"{options.db}: {n:,} runs, {n * PASSES:,} predictions, "
        f"{options.db.stat().st_size / 1e9:,.2f} GB, {time.perf_counter() - begun:,.0f} s"
    )


if __name__ == "__main__":
    main()
