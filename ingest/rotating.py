"""The passes of CircularEval: each question once for each of its choices, which move on by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ingest.reading import raw
from ingest.reading.probe import probe, require_file
from warehouse import connection
from warehouse.errors import InputError
from warehouse.later import pl

_KEY, _PASS, _ANSWER = "question_key", "pass", "answer"
_OWN = "__row"


def passes(path: Path) -> pl.DataFrame:
    """The questions of a file in every pass, right below each other, with the column `pass`.

    In pass n a choice stands n places further to the right, and the last ones in front, as in
    MMBench's files; pass 0 is the question as it is.

    Raises:
        InputError: the file cannot be read, has passes already, no choices in columns A, B, …, or a
            choice, key or answer that cannot be.
    """
    require_file(path)
    found = probe(path)
    labels = found.choice_columns
    for problem, is_so in (
        (f"has no column {_KEY}", not found.has(_KEY)),
        (f"has a column {_PASS} already", found.has(_PASS)),
        ("has no choices in columns A, B and so on", len(labels) < 2),
    ):
        if is_so:
            raise InputError(path, problem)
    with connection.in_memory([path]) as con:
        raw.read(con, found)
        result = con.execute(f"SELECT * FROM raw ORDER BY {_OWN}")
        names = [column[0] for column in result.description or ()]
        rows = [dict(zip(names, row, strict=True)) for row in result.fetchall()]
    rotated = [one for row in rows for one in _rotations(path, row, labels)]
    first = [_KEY, _PASS]
    rest = [name for name in found.columns if name != _KEY]
    return pl.DataFrame(rotated, infer_schema_length=None).select(*first, *rest)


def _rotations(path: Path, row: dict[str, Any], labels: tuple[str, ...]) -> list[dict[str, Any]]:
    number = row.pop(_OWN)
    if row[_KEY] in (None, ""):
        raise InputError(path, "is blank", row=number, field=_KEY)
    there = [label for label in labels if row[label] not in (None, "")]
    if len(there) < 2:
        raise InputError(path, "has fewer than two choices", row=number, field=labels[0])
    answer = row.get(_ANSWER)
    if answer not in (None, "", *there):
        raise InputError(
            path, f"{answer!r} is none of {', '.join(there)}", row=number, field=_ANSWER
        )
    n = len(there)
    rotations = []
    for step in range(n):
        texts = {there[(place + step) % n]: row[label] for place, label in enumerate(there)}
        moved = {} if not answer else {_ANSWER: there[(there.index(answer) + step) % n]}
        rotations.append(row | texts | moved | {_PASS: step})
    return rotations
