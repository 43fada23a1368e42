"""Runs statements as a user's query would be run, but whatever they are; how each ended goes to a file.

Arguments: a JSON file with the request, the statements and the guards; where to write how they ended;
which statement to begin with.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

import duckdb

from queries.confined import worker
from queries.confined.wire import Request


def main() -> None:
    """Run them, each in a session of its own."""
    given = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    request = Request(**given["request"])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(sys.argv[2], "a", encoding="utf-8") as ends:  # noqa: PTH123
        if "kernel" in given["guards"]:
            assert worker.forbid_writing(request.folder)
        if "engine" in given["guards"]:
            con = worker.opened(request, guarded="kernel" in given["guards"])
        else:
            con = duckdb.connect(request.path, read_only=True)
        for sql in given["statements"][int(sys.argv[3]) :]:
            end = _end(con, sql)
            ends.write(json.dumps(end) + "\n")
            ends.flush()
            if "has been invalidated" in end:
                # Nothing that follows would be tried.
                return


def _end(con: duckdb.DuckDBPyConnection, sql: str) -> str:
    try:
        con.cursor().execute(sql).fetchmany(10)
    except (duckdb.Error, RuntimeError, ValueError) as error:
        return str(error) or type(error).__name__
    return ""


main()
