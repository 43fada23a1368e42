"""Mutations of Parquet: other types and cells, and bytes."""

from __future__ import annotations

import io
import random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.fuzz import texts


def mutate(pick: random.Random, content: bytes, n: int) -> bytes:
    """The file with n mutations."""
    if pick.random() < 0.3:
        for _ in range(n):
            content = _broken(pick, content)
        return content
    table = pq.read_table(io.BytesIO(content))
    for _ in range(n):
        table = _other(pick, table)
    out = io.BytesIO()
    try:
        pq.write_table(
            table,
            out,
            compression=pick.choice(["snappy", "zstd", "none", "gzip"]),
            row_group_size=pick.choice([1, 5, 1000]),
            use_dictionary=pick.random() < 0.5,
        )
    except pa.ArrowException:
        return _broken(pick, content)
    return out.getvalue()


def _broken(pick: random.Random, content: bytes) -> bytes:
    """Bytes of the data, or of the footer, which says what is where."""
    if pick.random() < 0.5:
        return pick.choice([texts.flip, texts.cut, texts.splice])(pick, content)
    footer = min(len(content) - 8, int.from_bytes(content[-8:-4], "little"))
    place = max(0, len(content) - 8 - footer)
    if pick.random() < 0.2:
        return content[:-8] + pick.randbytes(4) + content[-4:]
    return content[:place] + texts.flip(pick, content[place:-8]) + content[-8:]


def _other(pick: random.Random, table: pa.Table) -> pa.Table:
    if not table.num_columns:
        return table
    place = pick.randrange(table.num_columns)
    name, values = table.column_names[place], table.column(place).to_pylist()
    kind = pick.randrange(9)
    if kind == 0:
        return table.remove_column(place)
    if kind == 1:
        names = list(table.column_names)
        names[place] = pick.choice([name.upper(), texts.text(pick)[:200], *names])
        return table.rename_columns(names)
    if kind == 2:
        return pa.concat_tables([table, table.slice(pick.randrange(table.num_rows + 1), 2)])
    if kind == 3:
        return table.slice(0, pick.choice([0, 1, 3]))
    try:
        return table.set_column(place, name, _retyped(pick, values))
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        return table


def _retyped(pick: random.Random, values: list[Any]) -> pa.Array:
    whole = [n for n, _ in enumerate(values)]
    if pick.random() < 0.4:
        made = [str(value) if value is not None else None for value in values]
        if made:
            made[pick.randrange(len(made))] = pick.choice(
                [None, texts.text(pick), texts.number(pick)]
            )
        return pa.array(made, pa.string())
    made_of: list[Any] = [
        lambda: pa.array([[value] for value in map(str, values)]),
        lambda: pa.array([{"a": str(value), "b": None} for value in values]),
        lambda: pa.array([str(value) for value in values]).dictionary_encode(),
        lambda: pa.array(whole, pa.decimal128(38, 3)),
        lambda: pa.array(whole, pa.timestamp("ns", "UTC")),
        lambda: pa.array([str(value).encode() + b"\xff" for value in values], pa.binary()),
        lambda: pa.array([float(n) for n in whole[:-1]] + [float("nan")] * bool(whole)),
        lambda: pa.array([n / 3 for n in whole], pa.float32()),
        lambda: pa.array(whole, pa.int8()),
        lambda: pa.array([2**63 + n for n in whole], pa.uint64()),
        lambda: pa.array([n % 2 == 0 for n in whole]),
        lambda: pa.array([None] * len(whole), pa.null()),
        lambda: pa.array([[[None, str(n)]] for n in whole]),
        lambda: pa.array([[("k", str(n))] for n in whole], pa.map_(pa.string(), pa.string())),
        lambda: pa.array(whole, pa.time64("us")),
        lambda: pa.array(whole, pa.duration("s")),
        lambda: pa.array([{"bytes": b"\x89PNG" + bytes([n]), "path": None} for n in whole]),
        lambda: pa.array([str(value) for value in values], pa.large_string()),
    ]
    return pick.choice(made_of)()
