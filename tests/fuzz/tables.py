"""Mutations of CSV and TSV that know cells, rows, headers and quoting."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable

from tests.fuzz import texts

Table = list[list[str]]


def mutate(pick: random.Random, content: bytes, delimiter: str, n: int) -> bytes:
    """The table with n mutations."""
    csv.field_size_limit(2**30)
    try:
        rows = list(csv.reader(io.StringIO(content.decode(), newline=""), delimiter=delimiter))
    except (UnicodeDecodeError, csv.Error):
        return texts.flip(pick, content)
    for _ in range(n):
        if rows and rows[0]:
            pick.choice(_OF_ROWS)(pick, rows)
    quoting = pick.choice(
        [csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]
    )
    out = io.StringIO(newline="")
    writer = csv.writer(
        out, delimiter=delimiter, quoting=quoting, lineterminator=pick.choice(["\n", "\n", "\r\n"])
    )
    writer.writerows(rows)
    text = out.getvalue()
    if pick.random() < 0.12:
        text = pick.choice(_OF_TEXT)(pick, text, delimiter)
    return text.encode("utf-8", "replace")


def _cell(pick: random.Random, rows: Table) -> None:
    row = pick.choice(rows[1:] or rows)
    if row:
        row[pick.randrange(len(row))] = texts.text(pick)


def _swap(pick: random.Random, rows: Table) -> None:
    one, other = pick.choice(rows), pick.choice(rows)
    if one and other:
        x, y = pick.randrange(len(one)), pick.randrange(len(other))
        one[x], other[y] = other[y], one[x]


def _empty_cell(pick: random.Random, rows: Table) -> None:
    row = pick.choice(rows)
    if row:
        row[pick.randrange(len(row))] = ""


def _number(pick: random.Random, rows: Table) -> None:
    row = pick.choice(rows[1:] or rows)
    if row:
        row[pick.randrange(len(row))] = texts.number(pick)


def _rename(pick: random.Random, rows: Table) -> None:
    place = pick.randrange(len(rows[0]))
    name = rows[0][place]
    rows[0][place] = pick.choice(
        [name.upper(), f" {name} ", name + "2", texts.text(pick)[:200], pick.choice(rows[0])]
    )


def _drop_column(pick: random.Random, rows: Table) -> None:
    place = pick.randrange(len(rows[0]))
    for row in rows:
        del row[place : place + 1]


def _add_column(pick: random.Random, rows: Table) -> None:
    name = pick.choice(
        [
            "extra",
            "model",
            "pass",
            "sample",
            "split",
            "failed",
            "image",
            "A",
            "Z",
            "answer",
            "hit",
            "log",
            "",
        ]
    )
    value = texts.text(pick)
    for n, row in enumerate(rows):
        row.append(value if n else name)


def _other_order(pick: random.Random, rows: Table) -> None:
    order = list(range(len(rows[0])))
    pick.shuffle(order)
    for row in rows:
        if len(row) == len(order):
            row[:] = [row[place] for place in order]


def _width(pick: random.Random, rows: Table) -> None:
    row = pick.choice(rows)
    if pick.random() < 0.5:
        row.append(texts.text(pick))
    elif row:
        row.pop()


def _again(pick: random.Random, rows: Table) -> None:
    rows.insert(pick.randrange(len(rows)) + 1, list(pick.choice(rows)))


def _drop(pick: random.Random, rows: Table) -> None:
    del rows[pick.randrange(len(rows))]


def _empty_row(pick: random.Random, rows: Table) -> None:
    rows.insert(pick.randrange(len(rows) + 1), pick.choice([[], [""] * len(rows[0]), [" "]]))


def _shuffle(pick: random.Random, rows: Table) -> None:
    rest = rows[1:]
    pick.shuffle(rest)
    rows[1:] = rest


def _many(pick: random.Random, rows: Table) -> None:
    if pick.random() < 0.2:
        rows[0] += [f"c{n}" for n in range(pick.choice([50, 600]))]


_OF_ROWS: tuple[Callable[[random.Random, Table], None], ...] = (
    _cell, _cell, _cell, _cell, _swap, _empty_cell, _number, _number, _rename, _drop_column, _add_column,
    _other_order, _width, _again, _drop, _empty_row, _shuffle, _many,
)  # fmt: skip


def _stray_quote(pick: random.Random, text: str, delimiter: str) -> str:
    place = pick.randrange(len(text) + 1)
    return text[:place] + pick.choice(['"', "'", '""', '"\n', "\\"]) + text[place:]


def _other_delimiter(pick: random.Random, text: str, delimiter: str) -> str:
    return text.replace(
        delimiter, pick.choice(["\t", ",", ";", "|", delimiter * 2]), pick.choice([1, -1])
    )


def _no_quotes(pick: random.Random, text: str, delimiter: str) -> str:
    return text.replace('"', "")


_OF_TEXT = (_stray_quote, _stray_quote, _other_delimiter, _no_quotes)
