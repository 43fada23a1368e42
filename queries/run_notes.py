"""What a board says of runs besides their scores: how they ended, and the cells of their answers."""

from __future__ import annotations

import duckdb

from queries import session


def ended_with(con: duckdb.DuckDBPyConnection) -> dict[int, str]:
    """What harnesses say of runs that they did not finish."""
    return dict(
        con.execute(
            "SELECT run_id, status FROM main.run_status WHERE status <> 'success'"
        ).fetchall()
    )


def cells_of_answers(con: duckdb.DuckDBPyConnection) -> dict[int, dict[str, int]]:
    """What became of the cells of a spreadsheet that answers of a run stood in, with how many each."""
    found: dict[int, dict[str, int]] = {}
    for run_id, state, n in session.rows(con, "board_answer_cells"):
        found.setdefault(run_id, {})[state] = n
    return found
