"""Results of queries, as they are."""

from __future__ import annotations

import io
import json
from math import isfinite
from typing import Any

from queries.decimals import NOTHING
from queries.render.comma import csv_text
from queries.render.printed import KEPT, Cell, Column, Printed, Row
from warehouse.later import pl

_WEIGHTS = {
    "model": KEPT, "score": KEPT, "run_id": 8, "dataset": 7, "benchmark": 7, "judge": 7, "ability": 7,
    "question_key": 7, "judgments": 7, "verdicts": 7, "unusable": 6, "failed": 6, "cost, $": 6,
    "state": 6, "run": 6, "kind": 3, "said it was": 3, "template": 3, "ingested_at": 2, "sampling": 1,
    "path": 1,
}  # fmt: skip
"""What a narrow terminal keeps longest of a result, and what it leaves out first."""

_JSON: dict[str, Any] = {"ensure_ascii": False, "default": str}


def frame_table(frame: pl.DataFrame, name: str = "result") -> Printed:
    """A result as a table without a title."""
    columns = tuple(
        Column(
            heading=heading,
            is_text=not dtype.is_numeric(),
            wraps=True,
            weight=_WEIGHTS.get(heading, 5),
        )
        for heading, dtype in frame.schema.items()
    )
    rows = tuple(Row(tuple(Cell(plain(v), value_of(v)) for v in row)) for row in frame.iter_rows())
    return Printed(name=name, title="", columns=columns, rows=rows)


def plain(value: object) -> str:
    """A value as text for people, numbers with six digits that count."""
    if value is None or value == "":
        return NOTHING
    if isinstance(value, float):
        # The sign of a zero depends on the order in which an engine adds up.
        return f"{value:z.6g}"
    return str(value)


def value_of(value: object) -> bool | int | float | str | None:
    """What a spreadsheet gets: numbers and truths as they are, lists as JSON, the rest as text."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(_csv_cell(value))


def frame_csv(frame: pl.DataFrame) -> str:
    """A result as CSV, its texts guarded as `queries.render.comma.guarded` says; lists as JSON."""
    rows = ([_csv_cell(value) for value in row] for row in frame.iter_rows())
    return csv_text([frame.columns, *rows])


def frame_json(frame: pl.DataFrame) -> str:
    """A list of objects."""
    return json.dumps(json_rows(frame), indent=2, **_JSON)


def frame_jsonl(frame: pl.DataFrame) -> str:
    """One object a line."""
    return "\n".join(json.dumps(row, **_JSON) for row in json_rows(frame))


def json_rows(frame: pl.DataFrame) -> list[dict[str, object]]:
    """JSON knows no NaN and no infinity; they are written as text."""
    return [
        {
            name: str(value) if isinstance(value, float) and not isfinite(value) else value
            for name, value in row.items()
        }
        for row in frame.to_dicts()
    ]


def as_json(value: object) -> str:
    """Anything of these as JSON; dates and the like as text."""
    return json.dumps(value, indent=2, **_JSON)


def parquet(frame: pl.DataFrame) -> bytes:
    """A Parquet file's content."""
    out = io.BytesIO()
    frame.write_parquet(out)
    return out.getvalue()


def _csv_cell(value: object) -> object:
    return json.dumps(value, **_JSON) if isinstance(value, (list, dict)) else value
