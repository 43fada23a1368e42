"""Whether every view gives what another revision gives: row by row, column by column.

    python -m bench.compare_views --before CHECKOUT --demo --shared ../shared --million 0.1
    python -m bench.compare_views BEFORE.duckdb NOW.duckdb

CHECKOUT is a checkout of the other revision with its own environment in `.venv`: it makes its own
warehouses of the same inputs, with all releases. Releases are compared by name, never as `latest`, and
rows without the numbers that a file gives to runs, questions and the like. Printed are views, rows and
differences; it ends with 1 where there are any, or where a view that the docs or a command name is gone.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from bench import data
from bench.measure import Failed
from bench.side import Side
from queries import create
from queries import release as releases

ROOT = data.ROOT
_OF_A_FILE = re.compile(r"\w+_id|\w*ingested_at|stamp|judge_set")
"""Columns whose values are of a file alone, and of the time when it was made."""
_TOO_MANY = 40
"""With more runs, views of pairs of runs are compared over the pairs of the first few alone."""
_FEW = 3
_DIGITS = 12


@dataclass
class Tally:
    """What was compared."""

    views: int = 0
    empty: int = 0
    rows: int = 0
    differences: int = 0

    def add(self, other: Tally) -> None:
        """Add what another one counted."""
        self.views += other.views
        self.empty += other.empty
        self.rows += other.rows
        self.differences += other.differences

    def __str__(self) -> str:
        return (
            f"{self.views:,} views ({self.empty:,} without rows), {self.rows:,} rows, "
            f"{self.differences} differences"
        )


def main() -> None:
    """Compare, print, and end with 1 where there is a difference."""
    given = _options()
    total = Tally()
    with tempfile.TemporaryDirectory(prefix="compare-views-") as name:
        for before, now in _pairs(given, Path(name)):
            begun = time.perf_counter()
            tally = compared(before, now, given.release)
            print(f"{now.stem}: {tally}; {time.perf_counter() - begun:.0f} s", flush=True)
            total.add(tally)
    print(f"in all: {total}")
    sys.exit(1 if total.differences else 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", type=Path, help="the checkout of the other revision")
    parser.add_argument("--release", action="append", help="one alone; by default all shipped ones")
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--shared", type=Path, help="the folder of real and example files")
    parser.add_argument("--million", type=float, action="append", default=[])
    parser.add_argument("warehouses", type=Path, nargs="*", help="of before and of now")
    return parser.parse_args()


def _pairs(given: argparse.Namespace, work: Path) -> Iterator[tuple[Path, Path]]:
    """Warehouses of the same inputs, of before and of now."""
    yield from zip(given.warehouses[::2], given.warehouses[1::2], strict=True)
    if given.before is None:
        return
    names = given.release or releases.shipped_names()
    sides = [Side(given.before, work / "before"), Side(ROOT, work / "now")]
    if given.demo:
        yield _both([_with_releases(side, side.demo(), names) for side in sides])
    for folder in _folders(given.shared) if given.shared else ():
        try:
            made = [_of_folder(side, folder, names) for side in sides]
        except Failed as error:
            # Some inputs are there to be refused.
            print(f"{folder}: {str(error).splitlines()[-1]}", flush=True)
            continue
        yield _both(made)
    for million in given.million:
        yield _both([_with_releases(side, side.answers(million), names) for side in sides])


def _both(made: Sequence[Path]) -> tuple[Path, Path]:
    before, now = made
    return before, now


def _folders(shared: Path) -> Iterator[Path]:
    """Return each folder of inputs: one of a harness, of a paper, of a report."""
    for part in ("real", "formats", "field", "wild"):
        yield from sorted(path for path in (shared / part).iterdir() if path.is_dir())


def _of_folder(side: Side, folder: Path, names: Sequence[str]) -> Path:
    """Let a side ingest a folder of inputs; return its warehouse."""
    db = side.folder / f"{folder.parent.name}-{folder.name}.duckdb"
    side.command("ingest", folder.resolve(), "--db", db)
    return _with_releases(side, db, names)


def _with_releases(side: Side, db: Path, names: Sequence[str]) -> Path:
    for name in (*names, releases.PAPERS):
        side.command("releases", "install", name, "--db", db)
    for name in names:
        side.command("refresh", "--release", name, "--db", db)
    return db


def compared(before: Path, now: Path, names: Sequence[str] | None = None) -> Tally:
    """Compare every view of two files' releases; print what differs.

    Args:
        names: of releases; None: all that are shipped.
    """
    tally = Tally()
    schemas = [*(names or releases.shipped_names()), releases.PAPERS]
    with duckdb.connect() as con:
        con.execute(f"SET memory_limit = '{data.MEMORY_LIMIT}'")
        for name, file in (("before", before), ("now", now)):
            con.execute(f"ATTACH '{file}' AS {name} (READ_ONLY)")
        ((n_runs,),) = con.execute("SELECT count(*) FROM now.main.run").fetchall()
        there = {name: _views(con, name) for name in ("before", "now")}
        for schema, view in sorted(there["before"]):
            release = schema.removesuffix(releases.INTERNAL)
            if release not in schemas:
                continue
            what = ""
            if (schema, view) in there["now"]:
                rows, what = _differ(con, f'"{schema}"."{view}"', few=n_runs > _TOO_MANY)
                tally.views += 1
                tally.empty += rows == 0
                tally.rows += rows
            elif view in _documented():
                what = "gone, and named in the docs or by a command"
            if what:
                tally.differences += 1
                print(f"  {schema}.{view}: {what}", flush=True)
    return tally


def _views(con: duckdb.DuckDBPyConnection, database: str) -> set[tuple[str, str]]:
    """The views and tables of a database by schema and name."""
    sql = "SELECT table_schema, table_name FROM information_schema.tables WHERE table_catalog = ?"
    found = con.execute(sql, [database]).fetchall()
    return {(schema, name) for schema, name in found if schema not in {"main", releases.LATEST}}


def _documented() -> frozenset[str]:
    """Words of the docs and commands; a view that is none of them is machinery, and may change."""
    texts = [
        path.read_text(encoding="utf-8")
        for pattern in ("README.md", "docs/*.md", "queries/commands/*.sql", "queries/papers/*.toml")
        for path in ROOT.glob(pattern)
    ]
    return frozenset(re.findall(r"\w+", "\n".join(texts))) | create.RELIED_ON.keys()


def _differ(con: duckdb.DuckDBPyConnection, view: str, *, few: bool) -> tuple[int, str]:
    """Compare a view; return its rows now, and how it differs: "" where it does not."""
    columns = [
        {name: kind for name, kind, *_ in con.execute(f"DESCRIBE {side}.{view}").fetchall()}
        for side in ("before", "now")
    ]
    if columns[0].items() - columns[1].items():
        gone = ", ".join(name for name, _ in columns[0].items() - columns[1].items())
        return 0, f"no more, or of another type: {gone}"
    # The last bits of a mean depend on the order in which an engine adds up.
    names = ", ".join(
        f'round("{name}", {_DIGITS}) AS "{name}"' if kind in {"DOUBLE", "FLOAT"} else f'"{name}"'
        for name, kind in columns[0].items()
        if not _OF_A_FILE.fullmatch(name)
    )
    if not names:
        names = "1 AS row"
    where = f" WHERE run_a <= {_FEW} AND run_b <= {_FEW}" if few and "run_a" in columns[0] else ""
    for side in ("before", "now"):
        sql = f"SELECT {names} FROM {side}.{view}{where}"
        con.execute(f"CREATE OR REPLACE TEMP TABLE {side}_rows AS {sql}")
    ((rows, gone, new),) = con.execute(
        "SELECT (SELECT count(*) FROM now_rows), "
        "(SELECT count(*) FROM (FROM before_rows EXCEPT ALL FROM now_rows)), "
        "(SELECT count(*) FROM (FROM now_rows EXCEPT ALL FROM before_rows))"
    ).fetchall()
    return rows, f"{gone:,} rows only before, {new:,} only now" if gone or new else ""


if __name__ == "__main__":
    main()
