"""Compare every view with what another revision gives: row by row, column by column.

    python -m bench.compare_views --before CHECKOUT --demo --shared ../shared --million 0.1
    python -m bench.compare_views BEFORE.duckdb NOW.duckdb

CHECKOUT is a checkout of the other revision with its own environment in `.venv`: it makes its own
warehouses of the same inputs, and the rows of each of its views, in tables, by its own SELECTs.
Now's views are read as they are installed. Releases that both have are compared by name, never as
`latest`, with the papers' tables and the studies over each of them; rows without the numbers that
a file gives to runs, questions and the like. Facts (`main`) are compared too: where they differ,
views may. Printed are views, rows and differences; it ends with 1 where there are any, or where a
view is gone that `_GONE` does not name.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import duckdb

from bench import measure
from bench.measure import ROOT, Side
from queries import release as releases

_OF_A_FILE = re.compile(r"\w+_id|\w+_at|stamp|judge_set")
"""Columns whose values are of a file alone, and of the time when it was made."""
_TOO_MANY = 40
"""With more runs, views of pairs of runs are compared over the pairs of the first few alone."""
_FEW = 3
_INEXACT = frozenset({"DOUBLE", "FLOAT"})
_DIGITS, _COARSE = 12, 9
"""Digits after the point that are compared; with the fewer, only whether all else is the same."""
_SECONDS = 300
"""What takes longer is not compared, and named."""
_TABLES = Path(__file__).with_name("views_as_tables.py")
_GONE = re.compile(r"kept_\w+|fresh_run|computed_live|harness_(group|reduction|sample_sum)")
"""What an earlier revision kept results with, next to each release; others have their rows. Three are
parts of `harness_figure` now."""
_NOT_FACTS = frozenset(
    {"release", "release_object", "schema_version", "source", "warehouse_identity"}
)
_IN_NO_ORDER = frozenset({("choice_set", "labels"), ("given_labels", "labels")})
"""Lists of which the views say that their order means nothing."""


def main() -> None:
    """Compare, print, and end with 1 where there is a difference."""
    given = _options()
    total: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="compare-views-") as name:
        for before, now in _pairs(given, given.work or Path(name)):
            begun = time.perf_counter()
            tally = compared(before, now, given.release)
            print(f"{now.stem}: {_said(tally)}; {time.perf_counter() - begun:.0f} s", flush=True)
            total += tally
    print(f"in all: {_said(total)}")
    sys.exit(1 if total["differences"] else 0)


def _said(tally: Counter[str]) -> str:
    views = f"{tally['views']:,} views ({tally['empty']:,} without rows)"
    return f"{views}, {tally['rows']:,} rows, {tally['differences']} differences"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--before", type=Path, help="the checkout of the other revision")
    add("--release", action="append", help="one alone; by default all shipped ones")
    add("--demo", action="store_true")
    add("--shared", type=Path, help="the folder of real and example files")
    add("--input", type=Path, action="append", default=[], help="one such folder")
    add("--together", action="store_true", help="the folders of a part in one warehouse")
    add("--million", type=float, action="append", default=[])
    add("--work", type=Path, help="where warehouses stay, and are used again")
    add("warehouses", type=Path, nargs="*", help="of before and of now")
    return parser.parse_args()


def _pairs(given: argparse.Namespace, work: Path) -> Iterator[tuple[Path, Path]]:
    """Warehouses of the same inputs, of before and of now."""
    yield from zip(given.warehouses[::2], given.warehouses[1::2], strict=True)
    if given.before is None:
        return
    before, now = Side(given.before, work / "before"), Side(ROOT, work / "now")
    shipped = before.checkout / "queries" / "releases"
    names = [name for name in releases.shipped_names() if (shipped / name).is_dir()]
    names = [name for name in names if not given.release or name in given.release]

    def made(*files: Path) -> tuple[Path, Path]:
        _as_tables(before, files[0], names)
        _as_tables(now, files[1], names, "--groups")
        return files[0], files[1]

    if given.demo:
        yield made(before.demo(), _with_releases(now, now.demo(), names))
    folders = [[folder] for folder in given.input]
    # By what they are of: harnesses, papers, reports.
    for part in ("real", "formats", "field", "wild") if given.shared else ():
        found = sorted(path for path in (given.shared / part).iterdir() if path.is_dir())
        folders += [found] if given.together else [[folder] for folder in found]
    empty = _with_releases(now, now.folder / "empty.duckdb", names) if folders else None
    for some in filter(None, folders):
        name = some[0].parent.name + ("" if given.together else f"-{some[0].name}")
        files = (_of_folders(before, name, some, None), _of_folders(now, name, some, empty))
        if _read(files, name):
            now.command("refresh", "--all", "--db", files[1])
            yield made(*files)
    for million in given.million:
        yield made(before.answers(million), _with_releases(now, now.answers(million), names))


def _with_releases(side: Side, db: Path, names: Sequence[str]) -> Path:
    """Install releases that a file has not, which computes their results."""
    for name in names:
        done = db.with_suffix(f".{name}.done")
        if not done.exists():
            side.command("releases", "install", name, "--db", db)
            done.touch()
    return db


def _as_tables(side: Side, db: Path, names: Iterable[str], *words: str) -> None:
    """Let a side put each release's rows into tables, once; print what it could not."""
    for name in names:
        done = db.with_suffix(f".{'-'.join((*words, name))}.done")
        if not done.exists():
            options = ("--seconds", str(_SECONDS), *words)
            made = measure.process(
                [side.python, "-P", _TABLES, db, *options, name], cwd=side.folder
            )
            done.write_text(made.output, encoding="utf-8")
        print(done.read_text(encoding="utf-8"), end="", flush=True)


def _of_folders(side: Side, name: str, folders: Iterable[Path], empty: Path | None) -> Path:
    """Let a side ingest folders of inputs at once, and note what it refuses; return its warehouse.

    Args:
        empty: the warehouse to begin with; None: a new one.

    Raises:
        Failed: the command broke off.
    """
    db = side.folder / f"{name}.duckdb"
    if not _refused(db).exists():
        db.unlink(missing_ok=True)
        if empty is not None:
            shutil.copy(empty, db)
        words = [folder.resolve() for folder in folders]
        done = subprocess.run(
            [side.python.with_name("evalhouse"), "ingest", *words, "--db", db, "--no-refresh"],
            capture_output=True, text=True, cwd=side.folder, check=False, env=measure.environment(),
        )  # fmt: skip
        if "Traceback" in done.stderr:
            raise measure.Failed(done.stderr)
        # Some inputs are there to be refused; the others are read.
        lines = f"{done.stdout}{done.stderr}".splitlines(keepends=True)
        refused = [line for line in lines if "failed: " in line]
        _refused(db).write_text("".join(refused), encoding="utf-8")
    return db


def _refused(db: Path) -> Path:
    return db.with_suffix(".refused")


def _read(files: Sequence[Path], name: str) -> bool:
    """Print what is not read; return whether both sides read something."""
    before, now = (_refused(file).read_text(encoding="utf-8").splitlines() for file in files)
    for line in sorted({*before, *now}):
        who = "both" if line in before and line in now else "before" if line in before else "now"
        print(f"{name}: refused by {who}: {line}", flush=True)
    is_read = all(file.exists() for file in files)
    if not is_read:
        print(f"{name}: not compared, as one side read nothing", flush=True)
    return is_read


def compared(before: Path, now: Path, names: Sequence[str] | None = None) -> Counter[str]:
    """Compare every view of two files' releases; print what differs.

    Args:
        names: of releases; None: all that are shipped.
    """
    tally: Counter[str] = Counter()
    known = {"main", *(names or releases.shipped_names())}
    with duckdb.connect() as con:
        con.execute(f"SET memory_limit = '{measure.MEMORY_LIMIT}'; SET threads = {measure.THREADS}")
        con.execute("SET enable_progress_bar = false")
        for name, file in (("before", before), ("now", now)):
            con.execute(f"ATTACH '{file}' AS {name} (READ_ONLY)")
        ((n_runs,),) = con.execute("SELECT count(*) FROM now.main.run").fetchall()
        there = {name: _views(con, name) for name in ("before", "now")}
        for schema, view in sorted(there["before"]):
            if schema.removesuffix(releases.INTERNAL) not in known:
                continue
            if (schema, view) in there["now"]:
                columns = [there[name][schema, view] for name in ("before", "now")]
                rows, what = _differ(con, schema, view, columns, few=n_runs > _TOO_MANY)
                tally.update(views=1, empty=int(rows == 0), rows=rows)
            else:
                what = (
                    "" if _GONE.fullmatch(view) and schema.endswith(releases.INTERNAL) else "gone"
                )
            if what:
                tally["differences"] += 1
                print(f"  {schema}.{view}: {what}", flush=True)
    return tally


def _views(con: duckdb.DuckDBPyConnection, database: str) -> dict[tuple[str, str], dict[str, str]]:
    """The views and tables of a database by schema and name: their columns with types."""
    sql = (
        "SELECT schema_name, table_name, column_name, data_type FROM duckdb_columns() "
        "WHERE database_name = ? ORDER BY column_index"
    )
    found: dict[tuple[str, str], dict[str, str]] = {}
    for schema, view, column, kind in con.execute(sql, [database]).fetchall():
        if schema != "main" or view not in _NOT_FACTS:
            found.setdefault((schema, view), {})[column] = kind
    return found


def _differ(
    con: duckdb.DuckDBPyConnection,
    schema: str,
    view: str,
    columns: Sequence[dict[str, str]],
    *,
    few: bool,
) -> tuple[int, str]:
    """Compare a view; return its rows now, and how it differs: "" where it does not.

    Args:
        columns: of before and of now, with types; values are compared as those of now.
        few: compare pairs of the first few runs alone.
    """
    before, now = columns
    if left_out := ", ".join(name for name in before if name not in now):
        return 0, f"no more: {left_out}"
    other = "".join(
        f"; {name} is {now[name]}, was {kind}" for name, kind in before.items() if kind != now[name]
    )
    # The last bits of a mean depend on the order in which an engine adds up.
    values = {
        name: f'round("{name}", {_DIGITS})' if now[name] in _INEXACT
        else f'list_sort("{name}")' if (view, name) in _IN_NO_ORDER
        else f'CAST("{name}" AS {now[name]})' if kind != now[name]
        else f'"{name}"'
        for name, kind in before.items()
        if not _OF_A_FILE.fullmatch(name)
    }  # fmt: skip
    names = ", ".join(f'{value} AS "{name}"' for name, value in values.items()) or "1 AS row"
    where = f" WHERE run_a <= {_FEW} AND run_b <= {_FEW}" if few and "run_a" in before else ""
    timer = threading.Timer(_SECONDS, con.interrupt)
    timer.start()
    try:
        sums = []
        for side in ("before", "now"):
            sql = f'SELECT {names} FROM {side}."{schema}"."{view}"{where}'
            con.execute(f"CREATE OR REPLACE TEMP TABLE {side}_rows AS {sql}")
            hashes = f"SELECT count(*), sum(hash(r)) FROM {side}_rows AS r"
            sums.append(con.execute(hashes).fetchall()[0])
        if sums[0] == sums[1]:
            return sums[1][0], other.removeprefix("; ")
        gone, new = _only(con)
        rounded = [
            f'round("{name}", {_COARSE}) AS "{name}"' for name in values if now[name] in _INEXACT
        ]
        last = bool(rounded and gone) and _only(con, f"REPLACE ({', '.join(rounded)})") == (0, 0)
    except duckdb.InterruptException:
        return 0, f"takes longer than {_SECONDS} s, not compared"
    finally:
        timer.cancel()
        timer.join()
    said = f"{gone:,} rows only before, {new:,} only now" if gone or new else ""
    said += f", which differ after the {_COARSE}th digit alone" if last else ""
    return sums[1][0], f"{said}{other}".removeprefix("; ")


def _only(con: duckdb.DuckDBPyConnection, replace: str = "") -> tuple[int, int]:
    """Count the compared rows that before has alone, and now."""
    before, now = (f"SELECT * {replace} FROM {side}_rows" for side in ("before", "now"))
    sql = "SELECT count(*) FROM ({} EXCEPT ALL {})"
    (gone,), (new,) = (
        con.execute(sql.format(*sides)).fetchall()[0] for sides in ((before, now), (now, before))
    )
    return gone, new


if __name__ == "__main__":
    main()
