#!/bin/sh
# DuckDB 2.0.1: the text of a view with `* EXCLUDE (a, b)` is another one after each time that it is
# read and written. The catalog shows the columns in the order opposite to the one they were given in,
# and a file that is opened again shows them turned once more, so that whoever compares or hashes
# `duckdb_views().sql` takes an unchanged view for a changed one. With one column nothing moves.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install --quiet duckdb==2.0.1
"$folder/env/bin/python" - "$folder/a.duckdb" <<'PYTHON'
import sys

import duckdb

TEXT = "SELECT sql FROM duckdb_views() WHERE view_name = '{}'"


def texts(name, select):
    seen = []
    with duckdb.connect(sys.argv[1]) as con:
        con.execute(f"CREATE VIEW {name} AS {select}")
        seen += con.execute(TEXT.format(name)).fetchone()
    for _ in range(2):
        with duckdb.connect(sys.argv[1]) as con:
            seen += con.execute(TEXT.format(name)).fetchone()
            # Writes the catalog anew.
            con.execute("CREATE OR REPLACE TABLE t AS SELECT 1 AS x")
            con.execute("CHECKPOINT")
    return [text.split("EXCLUDE ")[1].split(" FROM")[0] for text in seen]


print("duckdb", duckdb.__version__)
two = texts("two", "SELECT * EXCLUDE (a, b) FROM (SELECT 1 AS a, 2 AS b, 3 AS c)")
one = texts("one", "SELECT * EXCLUDE (a) FROM (SELECT 1 AS a, 2 AS b, 3 AS c)")
print("as made, opened again, and once more:", two)
print("with one column:", one)
assert len(set(two)) == 2, "the order no longer changes"
assert len(set(one)) == 1
PYTHON
