"""Queries of a warehouse, repeated over one open connection, in a separate process.

    python -m bench.asking DB --queries leaderboard,bare --rounds 5

prints, as JSON, the seconds of each query of `queries.sql` in each round. Queries take turns. A
first round is not counted: it fills the engine's cache. With 0 rounds, that one alone is reported.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import duckdb

from bench import data, measure, profiling
from evalhouse import Warehouse
from warehouse import statements

SQL = statements.of_module(str(Path(__file__).with_name("queries.py")))
LIMITS: tuple[str, ...] = ("--memory-limit", data.MEMORY_LIMIT, "--threads", str(data.THREADS))
"""The limits as a command takes them."""


@dataclass(frozen=True)
class QueryCost:
    """What queries took.

    Attributes:
        seconds: of each query, round by round.
        n_rows: how many rows each gave.
        peak: the process's peak of memory, in bytes.
    """

    seconds: Mapping[str, list[float]]
    n_rows: Mapping[str, int]
    peak: int


def house(db: Path) -> Warehouse:
    """A warehouse within the limits of the measurements."""
    return Warehouse(db, memory_limit=data.MEMORY_LIMIT, threads=data.THREADS)


@contextmanager
def reading(db: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection within the same limits."""
    with house(db).reading() as con:
        yield con


def drop_results(db: Path) -> None:
    """Take kept results away; a warehouse of an earlier evalhouse gets the schema and views of
    today."""
    measure.evalhouse("migrate", "--no-refresh", "--db", db)
    measure.evalhouse("releases", "install", "--no-refresh", "--db", db)
    measure.evalhouse("refresh", "--drop", "--db", db)


def ask(
    db: Path, queries: Sequence[str], rounds: int, *, profiles: Path | None = None, suffix: str = ""
) -> QueryCost:
    """Run queries in a separate process.

    Args:
        db: the warehouse.
        queries: names in `queries.sql`.
        rounds: how often each is run and counted.
        profiles: where the engine's profiles go.
        suffix: for the names of the profiles.
    """
    words = [sys.executable, "-m", "bench.asking", str(db), "--rounds", str(rounds)]
    words += ["--queries", ",".join(queries)]
    cost = measure.process(words)
    times = json.loads(cost.output.splitlines()[-1])
    if profiles is not None:
        with reading(db) as con:
            for name in queries:
                profiling.write(con, SQL[name], profiles / f"{name}{suffix}")
    return QueryCost(times["seconds"], times["n_rows"], cost.peak)


def main() -> None:
    """Run the queries, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("db", type=Path)
    parser.add_argument("--queries", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    names = options.queries.split(",")
    n_rows: dict[str, int] = {}
    with reading(options.db) as con:

        def timed(name: str) -> float:
            def work() -> None:
                n_rows[name] = con.sql(SQL[name]).to_arrow_table().num_rows

            return measure.seconds(work)

        works = [partial(timed, name) for name in names]
        first = measure.in_turn(1, *works)
        found = measure.in_turn(options.rounds, *works) if options.rounds else first
    print(json.dumps({"seconds": dict(zip(names, found, strict=True)), "n_rows": n_rows}))


if __name__ == "__main__":
    main()
