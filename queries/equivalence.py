"""Whether two runs are as good as each other: two one-sided t tests at a margin (Schuirmann 1987)."""

from __future__ import annotations

import math

import duckdb

from queries import session
from warehouse.errors import UsageError
from warehouse.later import pl

COLUMN = "equivalence_p_value"


def with_equivalence(
    con: duckdb.DuckDBPyConnection, frame: pl.DataFrame, margin: float
) -> pl.DataFrame:
    """Rows of paired_difference with how likely a difference so well within the margin is by chance alone, if
    the true one is as large as the margin.

    Args:
        con: with the release in use that the rows are of.
        frame: difference, stderr and degrees, as fractions.
        margin: a fraction above 0, on either side.

    Raises:
        UsageError: the margin is no such fraction.
    """
    if not (math.isfinite(margin) and 0 < margin < 1):
        raise UsageError("--margin is in percentage points, above 0 and below 100")
    rows = frame.select("difference", "stderr", "degrees").to_dicts()
    tests = [
        (number, (row["difference"] + sign * margin) / row["stderr"], row["degrees"])
        for number, row in enumerate(rows)
        for sign in (1, -1)
        if row["difference"] is not None and row["stderr"] and row["degrees"]
    ]
    places, values, degrees = ([test[part] for test in tests] for part in range(3))
    found = session.frame(
        con, "equivalence", {"places": places, "values": values, "degrees": degrees}
    )
    two_sided = {(place, t): chance for place, t, chance, _ in found.iter_rows()}
    chances: dict[int, float] = {}
    for number, (place, t, _) in enumerate(tests):
        # The first of a pair is right where t is far above 0, the second where it is far below.
        is_supported = t > 0 if number % 2 == 0 else t < 0
        half = two_sided[place, t] / 2
        chances[place] = max(chances.get(place, 0.0), half if is_supported else 1 - half)
    for number, row in enumerate(rows):
        if row["stderr"] == 0 and row["difference"] is not None:
            chances[number] = 0.0 if abs(row["difference"]) < margin else 1.0
    values_ = [chances.get(number) for number in range(len(rows))]
    return frame.with_columns(pl.Series(COLUMN, values_, dtype=pl.Float64))
