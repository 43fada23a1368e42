"""A mutation of a file by what kind it is: two thirds are light, of a single place, the others heavy."""

from __future__ import annotations

import random
import zipfile

from tests.fuzz import archives, columns, jsons, pickles, tables, texts


def mutate(pick: random.Random, name: str, content: bytes) -> bytes:
    """The file's content, mutated."""
    n = 1 if pick.random() < 2 / 3 else pick.choice([2, 3, 5, 12])
    if pick.random() < 0.08:
        for _ in range(n):
            content = pick.choice(texts.ANY)(pick, content)
        return content
    suffix = name.rpartition(".")[2]
    if suffix == "tsv":
        return tables.mutate(pick, content, "\t", n)
    if suffix == "csv":
        return tables.mutate(pick, content, ",", n)
    if suffix in ("json", "jsonl"):
        return jsons.mutate(pick, content, n, lines=suffix == "jsonl")
    if suffix == "parquet":
        return columns.mutate(pick, content, n)
    if suffix == "pkl":
        return pickles.mutate(pick, content, n)
    try:
        if suffix == "xlsx":
            return archives.sheet(pick, content, n)
        if suffix == "eval":
            return archives.log(pick, content, n)
    except zipfile.BadZipFile:
        pass
    return pick.choice(texts.ANY)(pick, content)
