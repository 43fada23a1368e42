"""Whether the views of the checkout give what those of another revision give: row by row, every
column.

    python -m bench.compare_views --before HEAD --demo FILE.duckdb FOLDER

puts the releases as they are at a revision of git (or in a folder of releases) into copies of
warehouses, as a user's releases, next to those of the checkout, and compares every view that both
have: the number of its rows and the sum of their hashes, and where these differ its rows, by EXCEPT
ALL both ways. Printed are views, rows and differences; it ends with 1 where there are any, or where a
view that the docs or a command name is gone.

Warehouses are those named (of a folder every *.duckdb below it), and, if requested, the demo
(`--demo`), the real and example files (`--shared FOLDER`), so many million generated answers
(`--million N`), and what tests make (`--tests`, followed by what pytest is to run).
"""

from __future__ import annotations

import argparse
import io
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb

from bench import data
from evalhouse import EvalhouseError, Warehouse
from queries import create, install, lint
from queries import release as releases
from queries.plan import PlannedObject, plan
from queries.results import refresh
from warehouse import connection

ROOT = data.ROOT
_OLD = "before_"
_MANY_RUNS = 12
"""With more runs, views of pairs of runs are compared over the first few alone: they have too
many."""
_FEW = 3
_DIGITS = 12


@dataclass(frozen=True)
class Difference:
    """A view that is not the same: how many rows only one side has, or what else differs."""

    warehouse: str
    release: str
    view: str
    what: str


@dataclass
class Tally:
    """What was compared."""

    views: int = 0
    rows: int = 0
    empty: int = 0


def main() -> None:
    """Compare, print, and end with 1 where there is a difference."""
    chosen = _options()
    # What a release may hold has become stricter since then, and what it has to have more.
    lint._check = lambda *_: None
    create._require_columns = lambda *_: None
    with tempfile.TemporaryDirectory(prefix="compare-views-") as name:
        work = Path(name)
        old = _old_releases(chosen.before, work / "releases")
        differences = [*_gone(old)]
        total = Tally()
        for house in _warehouses(chosen, work):
            begun = time.perf_counter()
            copy = work / "copy.duckdb"
            shutil.copy(house, copy)
            tally, found = _compared(copy, house.name, old, chosen.release)
            copy.unlink()
            differences += found
            print(
                f"{house}: {tally.views} views ({tally.empty} without rows), {tally.rows:,} rows, "
                f"{len(found)} differences; {time.perf_counter() - begun:.0f} s",
                flush=True,
            )
            for each in found:
                print(f"  {each.release}.{each.view}: {each.what}", flush=True)
            total.views += tally.views
            total.rows += tally.rows
            total.empty += tally.empty
    print(
        f"in all: {total.views:,} views ({total.empty:,} without rows), {total.rows:,} rows, "
        f"{len(differences)} differences"
    )
    sys.exit(1 if differences else 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--before", default="HEAD", help="a git revision, or a folder of releases")
    parser.add_argument("--release", action="append", help="one alone; by default all shipped ones")
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--shared", type=Path, help="the folder of real and example files")
    parser.add_argument("--million", type=float, action="append", default=[])
    parser.add_argument("--tests", nargs="+", default=[], help="what pytest is to run")
    parser.add_argument("--folder", type=Path, default=data.FOLDER / "compare")
    parser.add_argument("warehouses", type=Path, nargs="*")
    return parser.parse_args()


def _old_releases(before: str, folder: Path) -> dict[str, releases.Release]:
    """The releases of a revision, by the name of that release now, each as a user's own.

    Their freezing is left out: they have other names here.
    """
    if Path(before).is_dir():
        shutil.copytree(before, folder)
    else:
        packed = subprocess.run(
            ["git", "archive", f"{before}:queries/releases"],
            cwd=ROOT,
            capture_output=True,
            check=True,
        )
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as tar:
            tar.extractall(folder, filter="data")
    names = sorted(path.parent.name for path in folder.glob("*/release.toml"))
    for name in names:
        directory = folder / f"{_OLD}{name}"
        (folder / name).rename(directory)
        (directory / "frozen.toml").unlink(missing_ok=True)
        settings = directory / "release.toml"
        text = settings.read_text(encoding="utf-8")
        settings.write_text(
            re.sub(r'((?:builds_on|takes_from) = ")', rf"\1{_OLD}", text).replace(
                "default = true", ""
            ),
            "utf-8",
        )
    return {name: releases.load(str(folder / f"{_OLD}{name}")) for name in names}


def _gone(old: dict[str, releases.Release]) -> Iterator[Difference]:
    """Views of before that are no more, printed; those that something names are differences."""
    words = _documented()
    for name, release in old.items():
        now = releases.load(name).views
        gone = sorted(release.views.keys() - now.keys())
        added = sorted(now.keys() - release.views.keys())
        print(f"{name}: no more: {', '.join(gone) or '-'}; new: {', '.join(added) or '-'}")
        for view in gone:
            if view in words:
                yield Difference("-", name, view, "named in the docs or by a command, and gone")


def _documented() -> frozenset[str]:
    """Words of the docs and commands; a view that is none of them is machinery, and may change."""
    texts = [
        path.read_text(encoding="utf-8")
        for pattern in ("README.md", "docs/*.md", "queries/commands/*.sql", "queries/papers/*.toml")
        for path in ROOT.glob(pattern)
    ]
    return frozenset(re.findall(r"\w+", "\n".join(texts))) | create.RELIED_ON.keys()


def _warehouses(chosen: argparse.Namespace, work: Path) -> Iterator[Path]:
    for path in chosen.warehouses:
        yield from sorted(path.rglob("*.duckdb")) if path.is_dir() else [path]
    if chosen.demo:
        _run("-c", "from evalhouse.cli import main; main()", "demo", work / "demo")
        yield from (work / "demo").glob("*.duckdb")
    if chosen.shared:
        yield from _of_files(chosen.shared, work)
    if chosen.tests:
        made = work / "tests"
        _run("-m", "pytest", "-q", "-p", "no:cacheprovider", f"--basetemp={made}",
             "-o", "tmp_path_retention_policy=all", *chosen.tests)  # fmt: skip
        yield from sorted(path for path in made.rglob("*.duckdb") if path.is_file())
    for million in chosen.million:
        db = chosen.folder / f"{million:g}-million" / "answers.duckdb"
        if not db.exists():
            db.parent.mkdir(parents=True, exist_ok=True)
            data.fill(Warehouse(db), db.parent, data.n_runs(million), direct=True)
        yield db


def _of_files(shared: Path, work: Path) -> Iterator[Path]:
    """Warehouses of the real files, and of each harness's examples, as far as each file is read."""
    parts = {
        "mmbench": ["real/mmbench"],
        "mmvet": ["real/mmvet"],
        "seedbench": ["real/seedbench"],
        "vlmevalkit": [
            "formats/vlmevalkit/examples/LMUData",
            "formats/vlmevalkit/examples/outputs",
        ],
        "inspect": ["formats/inspect_eval", "formats/inspect_json", "formats/inspect_big"],
        "lm_eval": ["formats/lm_eval_out"],
        "lmms": ["formats/lmms_out"],
    }
    settings: dict[str, dict[str, Any]] = {
        "mmbench": {"benchmark": "MMBench"},
        "seedbench": {"on_duplicate": "first"},
    }
    for name, folders in parts.items():
        house = Warehouse(work / f"{name}.duckdb")
        n_read = 0
        for folder in folders:
            files = (file for file in sorted((shared / folder).rglob("*")) if file.is_file())
            for file in files:
                try:
                    house.ingest(file, refresh=False, **settings.get(name, {}))
                    n_read += 1
                except EvalhouseError:
                    continue  # no file of results, or it needs more options
        print(f"{name}: {n_read} files read")
        if n_read:
            yield house.path


def _run(*words: object) -> None:
    done = subprocess.run(
        [sys.executable, *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))} failed:\n{done.stdout}{done.stderr}")


def _compared(
    db: Path, name: str, old: dict[str, releases.Release], chosen: Sequence[str] | None
) -> tuple[Tally, list[Difference]]:
    """Compare every view of every release over one warehouse, which is written into."""
    house = Warehouse(db, memory_limit=data.MEMORY_LIMIT, threads=data.THREADS)
    tally, found = Tally(), []
    words = _documented()
    with house.writing() as con:
        ((n_runs,),) = con.execute("SELECT count(*) FROM main.run").fetchall()
        for release, before in old.items():
            if chosen and release not in chosen:
                continue
            _create(con, before)
            # With the papers' tables, which are not installed with it else.
            now = releases.load(release)
            install.install(con, now, now.files)
            refresh.refresh(con, release)
            sides = (_views(before, before.name), plan(now))
            pairs = _store(con, sides, n_runs)
            old_place, new_place = (_places(side) for side in sides)
            shared = sorted(old_place.keys() & new_place.keys())
            first_of_pairs = min(pairs.intersection(shared), default=None)
            for view in sorted(shared, key=pairs.__contains__):
                if view == first_of_pairs:
                    _leave_few_runs(con, [*old_place.values(), *new_place.values()])
                places = (old_place[view], new_place[view])
                if view not in words and _columns(con, places[0]) != _columns(con, places[1]):
                    continue
                n_rows, what = _differ(con, *places)
                tally.views += 1
                tally.rows += n_rows
                tally.empty += n_rows == 0
                if what:
                    found.append(Difference(name, release, view, what))
            con.execute(f'DROP SCHEMA "{before.name}" CASCADE')
            print(
                f"  {release}: {tally.views} views, {tally.rows:,} rows, {len(found)} differences so far",
                flush=True,
            )
    return tally, found


def _create(con: duckdb.DuckDBPyConnection, release: releases.Release) -> None:
    """A release's views as its files have them: it may lack those whose rows are kept."""
    planned = _views(release, release.name)
    with connection.transaction(con):
        create.schemas(con, release.name)
        create.stand_in(con, planned)
        create.put_views(con, planned, comments=False)


def _views(release: releases.Release, schema: str) -> tuple[PlannedObject, ...]:
    """A release's objects, of which none is stored."""
    return tuple(replace(item, table=None) for item in plan(release, schema))


def _places(planned: Sequence[PlannedObject]) -> dict[str, str]:
    """Where each view is, as a statement names it."""
    return {item.file.name: item.qualified for item in planned if item.file.kind == "view"}


def _store(
    con: duckdb.DuckDBPyConnection, sides: Sequence[Sequence[PlannedObject]], n_runs: int
) -> frozenset[str]:
    """Put tables in the place of views, each before those that rest on it, so that none is computed twice.

    Returns:
        the views of pairs of runs that stay views, because there are many runs.
    """
    pairs = set()
    for planned in sides:
        for item in planned:
            if item.file.kind != "view":
                continue
            if item.table is not None and item.is_internal:
                continue
            if n_runs > _MANY_RUNS and _columns(con, item.qualified)[0][0] == "run_a":
                pairs.add(item.file.name)
            else:
                _put_table(con, item)
    return frozenset(pairs)


def _put_table(con: duckdb.DuckDBPyConnection, item: PlannedObject) -> None:
    """Put a table with its rows in the place of a view."""
    name, schema, view = item.qualified, item.schema, item.file.name
    con.execute(f'CREATE TABLE "{schema}"."{view}_stored" AS FROM {name}')
    con.execute(f"DROP VIEW {name}")
    con.execute(f'ALTER TABLE "{schema}"."{view}_stored" RENAME TO "{view}"')


def _leave_few_runs(con: duckdb.DuckDBPyConnection, places: Sequence[str]) -> None:
    """Take the rows of all but a few runs out of the tables that stand in the place of views."""
    of_runs = con.execute(
        "SELECT t.schema_name, t.table_name FROM duckdb_tables() AS t "
        "INNER JOIN duckdb_columns() AS c ON t.table_oid = c.table_oid WHERE c.column_name = 'run_id'"
    ).fetchall()
    for place in {f'"{schema}"."{table}"' for schema, table in of_runs}.intersection(places):
        con.execute(
            f"DELETE FROM {place} WHERE run_id NOT IN "
            f"(SELECT run_id FROM main.run ORDER BY run_id LIMIT {_FEW})"
        )


def _columns(con: duckdb.DuckDBPyConnection, place: str) -> list[tuple[str, str]]:
    """Names and types."""
    return [row[:2] for row in con.execute(f"DESCRIBE {place}").fetchall()]


def _differ(con: duckdb.DuckDBPyConnection, before: str, now: str) -> tuple[int, str]:
    """Rows of a view as it is now, and in what it differs; nothing where it does not.

    Columns that are new are not compared.
    """
    columns = [_columns(con, one) for one in (before, now)]
    lacking = [column for column in columns[0] if column not in columns[1]]
    if lacking:
        return 0, f"no more, or of another type: {', '.join(name for name, _ in lacking)}"
    # The last bits of a mean depend on the order in which an engine adds up.
    names = ", ".join(
        f'round("{name}", {_DIGITS}) AS "{name}"' if kind == "DOUBLE" else f'"{name}"'
        for name, kind in columns[0]
    )
    rows = {one: f"SELECT {names} FROM {one}" for one in (before, now)}
    sums = [
        con.execute(f"SELECT count(*), sum(hash(r)) FROM ({sql}) AS r").fetchall()
        for sql in rows.values()
    ]
    if sums[0] == sums[1]:
        return sums[1][0][0], ""
    for table, sql in zip(("rows_before", "rows_now"), rows.values(), strict=True):
        con.execute(f"CREATE OR REPLACE TEMP TABLE {table} AS {sql}")
    ((n_rows, gone, new),) = con.execute(
        "SELECT (SELECT count(*) FROM rows_now), "
        "(SELECT count(*) FROM (FROM rows_before EXCEPT ALL FROM rows_now)), "
        "(SELECT count(*) FROM (FROM rows_now EXCEPT ALL FROM rows_before))"
    ).fetchall()
    con.execute("DROP TABLE rows_before; DROP TABLE rows_now")
    return n_rows, f"{gone:,} rows only before, {new:,} only now" if gone or new else ""


if __name__ == "__main__":
    main()
