"""`--engine spark` of `evalhouse sql` and `evalhouse leaderboard`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from evalhouse.cli_shared import reader_of
from evalhouse.printing import console, escaped
from warehouse.errors import UsageError
from warehouse.files import writing

if TYPE_CHECKING:
    from queries.spark.views import SparkHouse

DUCKDB, SPARK = "duckdb", "spark"

Engine = Annotated[str, typer.Option("--engine", help=f"{DUCKDB} | {SPARK}")]
ParquetDir = Annotated[
    Path | None,
    typer.Option("--parquet", metavar="DIR", help="spark: an export in place of the warehouse."),
]
Master = Annotated[
    str | None,
    typer.Option("--master", metavar="URL", help="spark: a cluster; by default this machine."),
]


def wants_spark(engine: str, db: Path | None, parquet: Path | None, master: str | None) -> bool:
    """Whether a command goes to Spark.

    Raises:
        UsageError: there is no such engine, or the options are not its own.
    """
    if engine not in (DUCKDB, SPARK):
        raise UsageError(f"--engine is {DUCKDB} or {SPARK}, not {engine!r}")
    if engine == DUCKDB and (parquet is not None or master is not None):
        raise UsageError("--parquet and --master go with --engine spark")
    if parquet is not None and db is not None:
        raise UsageError("--db or --parquet, not both")
    return engine == SPARK


@contextmanager
def spark_house(
    db: Path | None, wait: float, *, parquet: Path | None, master: str | None, release: str
) -> Iterator[SparkHouse]:
    """An export on Spark; by default the warehouse, exported for as long as the `with` lasts."""
    from evalhouse.transfer import export_parquet
    from queries.spark import ask

    with TemporaryDirectory(prefix="evalhouse-") as temporary:
        folder = parquet
        if folder is None:
            folder = Path(temporary, "export")
            with reader_of(db, wait).reading(folders=[writing.place_of(folder)]) as con:
                export_parquet(con, folder)
        with ask.opened(folder, master=master, release=release) as house:
            yield house


def warn(text: str) -> None:
    """A note on standard error."""
    console.print(f"[yellow]note[/yellow]: {escaped(text)}", soft_wrap=True)
