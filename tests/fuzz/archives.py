"""Mutations of zips, whose members are known: spreadsheets and Inspect logs."""

from __future__ import annotations

import io
import random
import re
import struct
import sys
from collections.abc import Callable
from datetime import datetime

import polars as pl
import xlsxwriter

from tests.fuzz import jsons, texts

if sys.version_info >= (3, 14):
    import zipfile
else:
    from backports.zstd import zipfile

Members = list[tuple[str, bytes]]


def sheet(pick: random.Random, content: bytes, n: int) -> bytes:
    """A spreadsheet with n mutations: of its cells, its XML, or its zip."""
    if pick.random() < 0.35:
        return _cells(pick, content, n)
    members = _members(content)
    if pick.random() < 0.75:
        for _ in range(n):
            place = pick.choice([n for n, (name, _) in enumerate(members) if name.endswith(".xml")])
            name, text = members[place]
            members[place] = (name, pick.choice(_OF_XML)(pick, text))
        return _zip(pick, members)
    return _of_zip(pick, members)


def log(pick: random.Random, content: bytes, n: int) -> bytes:
    """An Inspect log with n mutations: of its members' JSON, or of its zip."""
    members = _members(content)
    if pick.random() < 0.7:
        for _ in range(n):
            place = pick.randrange(len(members))
            name, text = members[place]
            members[place] = (name, jsons.mutate(pick, text, 1, lines=False))
        return _zip(pick, members)
    return _of_zip(pick, members)


def _members(content: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [(info.filename, archive.read(info)) for info in archive.infolist()]


def _zip(pick: random.Random, members: Members, methods: tuple[int, ...] = (8,)) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in members:
            archive.writestr(name, text, compress_type=pick.choice(methods))
    return out.getvalue()


def _of_zip(pick: random.Random, members: Members) -> bytes:
    """Members gone, twice, under other names, compressed otherwise; and the zip's own fields wrong."""
    place = pick.randrange(len(members))
    name, text = members[place]
    kind = pick.randrange(9)
    if kind == 0:
        del members[place]
    elif kind == 1:
        members.append((name, pick.choice(members)[1]))
    elif kind == 2:
        members[place] = (
            pick.choice(
                [
                    "../" * 9 + "tmp/x",
                    "/" + name,
                    name.upper(),
                    "",
                    name + "/",
                    "a\\b",
                    "samples/.json",
                    "samples/é.json",
                ]
            ),
            text,
        )
    elif kind == 3:
        members[place] = (
            name,
            b"\x00" * 80_000_000 if pick.random() < 0.3 else b" " * 3_000_000 + text,
        )
    elif kind == 4:
        members[place] = (name, texts.flip(pick, text))
    elif kind == 5:
        members[place] = (name, texts.cut(pick, text))
    whole = _zip(pick, members, pick.choice([(8,), (0,), (0, 8, 12, 14, 93)]))
    if kind == 6:
        return _wrong_field(pick, whole)
    if kind == 7:
        return pick.choice([texts.cut, texts.flip, texts.splice])(pick, whole)
    if kind == 8:
        return pick.choice([b"PK", b"MZ" * 30, b""]) + whole + pick.choice([b"", b"\x00" * 100])
    return whole


def _wrong_field(pick: random.Random, whole: bytes) -> bytes:
    """A field of the directory: encrypted, of an unknown method, of a wrong size, checksum or place."""
    data = bytearray(whole)
    places = [found.start() for found in re.finditer(b"PK\x01\x02", whole)]
    if not places:
        return texts.flip(pick, whole)
    place = pick.choice(places)
    offset, size = pick.choice([(8, 2), (10, 2), (16, 4), (20, 4), (24, 4), (28, 2), (42, 4)])
    value = pick.choice([0, 1, 99, 93, 0xFFFF, 0xFFFFFFFF, pick.randrange(2**32)])
    data[place + offset : place + offset + size] = struct.pack("<I", value)[:size]
    return bytes(data)


def _cells(pick: random.Random, content: bytes, n: int) -> bytes:
    """The first sheet with other cells, written anew: texts, numbers, dates, formulas, merged cells."""
    frame = pl.read_excel(io.BytesIO(content), infer_schema_length=0)
    rows = [list(row) for row in frame.rows()]
    header = [str(name) for name in frame.columns]
    for _ in range(n):
        kind = pick.random()
        if kind < 0.12 and header:
            header[pick.randrange(len(header))] = pick.choice(
                [texts.text(pick)[:200], "index", "A"]
            )
        elif kind < 0.2:
            rows.append(list(pick.choice(rows)) if rows else [])
        elif rows and rows[0]:
            row = pick.choice(rows)
            row[pick.randrange(len(row))] = texts.text(pick)[:32_000]
    return _written(pick, header, rows)


def _written(pick: random.Random, header: list[str], rows: list[list[object]]) -> bytes:

    out = io.BytesIO()
    options = {"strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": True}
    with xlsxwriter.Workbook(out, options) as book:
        page = book.add_worksheet()
        for y, row in enumerate([header, *rows]):
            for x, cell in enumerate(row):
                kind = pick.random()
                if kind < 0.002:
                    page.write_formula(y, x, "=1/0", value=pick.choice([1, "#DIV/0!", "A"]))
                elif kind < 0.004:
                    page.write_boolean(y, x, True)
                elif kind < 0.006:
                    page.write_datetime(y, x, _DATE, book.add_format({"num_format": "yyyy-mm-dd"}))
                elif kind < 0.008:
                    page.write_number(y, x, pick.choice([1e300, -0.0, 1e-300, 3.0, 1000001]))
                elif cell is not None:
                    page.write_string(y, x, str(cell).replace("\ud800", ""))
        if pick.random() < 0.1:
            page.merge_range(1, 0, 3, 1, "merged")
        if pick.random() < 0.1:
            book.add_worksheet("other").write_string(pick.randrange(9), 3, "x")
    return out.getvalue()


def _tag_gone(pick: random.Random, text: bytes) -> bytes:
    found = list(re.finditer(rb"<[^>]*>", text))
    if not found:
        return text
    one = pick.choice(found)
    return text[: one.start()] + text[one.end() :]


def _attribute(pick: random.Random, text: bytes) -> bytes:
    found = list(re.finditer(rb'="([^"]*)"', text))
    if not found:
        return text
    one = pick.choice(found)
    value = pick.choice(
        [
            "",
            "A1",
            "XFD1048576",
            "ZZZZ9",
            "A1:B2:C3",
            "-1",
            "9" * 30,
            "s",
            "inlineStr",
            "e",
            "d",
            "str",
            "b",
            "n",
            "0",
            texts.number(pick),
            "&#0;",
        ]
    )
    return text[: one.start(1)] + value.encode() + text[one.end(1) :]


def _content(pick: random.Random, text: bytes) -> bytes:
    found = list(re.finditer(rb">([^<]+)<", text))
    if not found:
        return text
    one = pick.choice(found)
    value = pick.choice(
        [
            texts.number(pick),
            "_x0000_",
            "_x000D_",
            "&bogus;",
            "&#1;",
            "<![CDATA[x]]>",
            "<f>1+1</f>",
            "",
            "99999",
            "A" * 40_000,
            "&lt;",
        ]
    )
    return text[: one.start(1)] + value.encode() + text[one.end(1) :]


def _doctype(pick: random.Random, text: bytes) -> bytes:
    """Entities that unfold, or name a file."""
    entity = pick.choice([
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
    ])  # fmt: skip
    return text.replace(b"?>", b"?>" + entity.encode(), 1).replace(b"<t>", b"<t>&a;", 1)


def _deep(pick: random.Random, text: bytes) -> bytes:
    place = text.find(b"<row") if b"<row" in text else len(text) // 2
    return text[:place] + b"<a>" * 3000 + text[place:]


_OF_XML: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    _tag_gone,
    _attribute,
    _attribute,
    _attribute,
    _content,
    _content,
    _doctype,
    _deep,
    texts.flip,
    texts.cut,
    texts.splice,
)
_DATE = datetime(2024, 2, 29)
