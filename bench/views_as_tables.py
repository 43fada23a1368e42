"""Put releases' views into tables, each before those that rest on it: quicker than to plan all.

    python views_as_tables.py DB [--groups] [--seconds N] RELEASE ...

runs with the Python of any revision since releases have two schemas, and writes into DB: for each
release its own two schemas anew, with the rows of what its files' SELECTs say, in order.
`--groups`: the release stays as it is installed, and the papers' tables and studies alone are
added to it. What takes longer, or more disk, stays a view, and is named.
"""

from __future__ import annotations

import argparse
import threading
import time

import duckdb

from queries.plan import PlannedObject, plan
from queries.release import INTERNAL, load

_MOST_SPILLED = "15GB"


def main() -> None:
    """Put the rows of each release into tables; print what stays a view."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("db")
    parser.add_argument("--groups", action="store_true")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("release", nargs="+")
    given = parser.parse_args()

    with duckdb.connect(given.db, config={"memory_limit": "8GB", "threads": 2}) as con:
        con.execute("SET enable_progress_bar = false")
        con.execute(f"SET max_temp_directory_size = '{_MOST_SPILLED}'")
        for name in given.release:
            begun = time.perf_counter()
            planned = [
                item for item in plan(load(name)) if not given.groups or item.file.group is not None
            ]
            if not given.groups:
                for schema in (name, f"{name}{INTERNAL}"):
                    con.execute(
                        f'DROP SCHEMA IF EXISTS "{schema}" CASCADE; CREATE SCHEMA "{schema}"'
                    )
            n = sum(_put(con, item, given.seconds) for item in planned)
            print(f"{name}: {n} tables, {time.perf_counter() - begun:.0f} s", flush=True)


def _put(con: duckdb.DuckDBPyConnection, item: PlannedObject, seconds: float) -> bool:
    """Make a macro, or store a view's rows; return whether it is a table now, and print why not."""
    if item.file.kind == "macro":
        con.execute(item.sql)
        return False
    con.execute(f"DROP VIEW IF EXISTS {item.qualified}")
    timer = threading.Timer(seconds, con.interrupt)
    timer.start()
    try:
        con.execute(f"CREATE TABLE {item.qualified} AS {item.sql}")
        return True
    except duckdb.Error as error:
        print(f"  {item.qualified} stays a view: {str(error).splitlines()[0]}", flush=True)
    finally:
        timer.cancel()
        timer.join()
    con.execute(f"CREATE VIEW {item.qualified} AS {item.sql}")
    return False


if __name__ == "__main__":
    main()
