"""Spreadsheets that are small as files and large when unpacked: refused before they are read."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from pathlib import Path

import polars as pl
import pytest

from evalhouse import InputError, Warehouse
from ingest.reading import probe
from tests.tables import facts
from warehouse.files import unpacked

_SHEET = "xl/worksheets/sheet1.xml"


def _book(path: Path, *, blank: int = 0, more: int = 0, last: bytes = b"") -> Path:
    """A spreadsheet of one question, with so much white space in its sheet, and so many members next to it."""
    written = io.BytesIO()
    pl.DataFrame(
        {"index": ["1"], "question": ["Q"], "A": ["a"], "B": ["b"], "prediction": ["A"]}
    ).write_excel(written)
    with zipfile.ZipFile(written) as small, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:  # fmt: skip
        for name in small.namelist():
            content = small.read(name)
            if name == _SHEET:
                content = content.replace(b"</sheetData>", last + b"</sheetData>")
                content = content.replace(b"</worksheet>", b" " * blank + b"</worksheet>")
            book.writestr(name, content)
        for number in range(more):
            book.writestr(f"xl/media/{number}.png", b" " * 500_000)
    return path


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that take no gigabytes to pass."""
    monkeypatch.setattr(unpacked, "MAX_MEMBER_BYTES", 1_000_000)
    monkeypatch.setattr(unpacked, "MAX_BYTES", 3_000_000)


def _lie(path: Path, name: str, size: int) -> None:
    """Let the directory say that a member ends early, with the checksum of what comes until there."""
    with zipfile.ZipFile(path) as book:
        start = zlib.crc32(book.read(name)[:size])
    content = bytearray(path.read_bytes())
    at = content.rindex(name.encode())
    entry = content.rindex(b"PK\x01\x02", 0, at)
    struct.pack_into("<I", content, entry + 16, start)
    struct.pack_into("<I", content, entry + 24, size)
    path.write_bytes(bytes(content))


@pytest.mark.usefixtures("small")
def test_a_large_member(house: Warehouse, tmp_path: Path) -> None:
    path = _book(tmp_path / "bomb.xlsx", blank=1_000_000)
    assert path.stat().st_size < 20_000
    before = facts(house.path)
    with pytest.raises(InputError, match=f"field {_SHEET}: is larger than 1,000,000 bytes when"):
        house.ingest(path, benchmark="MMBench", model="m")
    assert facts(house.path) == before
    _book(path, blank=900_000)
    assert house.ingest(path, benchmark="MMBench", model="m")[0].n_rows == 1


@pytest.mark.usefixtures("small")
def test_many_members(tmp_path: Path) -> None:
    path = _book(tmp_path / "bomb.xlsx", more=6)
    with pytest.raises(InputError, match="the spreadsheet is larger than 3,000,000 bytes when") as caught:  # fmt: skip
        probe.probe(path)
    assert caught.value.field == "xl/media/5.png"
    assert probe.probe(_book(path, more=5)).kind == "xlsx"


@pytest.mark.usefixtures("small")
def test_a_directory_that_lies(tmp_path: Path) -> None:
    path = _book(tmp_path / "bomb.xlsx", blank=2_000_000)
    _lie(path, _SHEET, 100)
    with zipfile.ZipFile(path) as book:
        assert len(book.read(_SHEET)) == 100
    with pytest.raises(InputError, match=f"field {_SHEET}: is larger than 1,000,000 bytes when"):
        probe.probe(path)


@pytest.mark.parametrize(
    ("row", "place"), [("1048576", b"XFD1048576"), ("1048576", b"BZ1"), ("3053", b"xfd3053")]
)
def test_a_cell_far_away(tmp_path: Path, row: str, place: bytes) -> None:
    """A few bytes, for which the reader would make room for billions of cells, and end the process."""
    path = _book(
        tmp_path / "far.xlsx",
        last=b'<row r="%b"><c r="%b"><v>1</v></c></row>' % (row.encode(), place),
    )
    with pytest.raises(
        InputError,
        match=r"reaches to row [0-9,]+ and column [0-9,]+, which is more than 50,000,000 cells",
    ) as caught:
        probe.probe(path)
    assert caught.value.field == _SHEET


def test_a_cell_as_far_as_may_be(tmp_path: Path) -> None:
    path = _book(tmp_path / "far.xlsx", last=b'<row r="300000"><c r="AA300000"><v>1</v></c></row>')
    assert probe.probe(path).has("index", "prediction")


@pytest.mark.parametrize("blank", range(32))
def test_a_place_between_two_chunks(blank: int, monkeypatch: pytest.MonkeyPatch) -> None:
    book = io.BytesIO()
    with zipfile.ZipFile(book, "w") as made:
        made.writestr("a.xml", b" " * blank + b'<c r="XFD1048576"/>')
    monkeypatch.setattr(unpacked, "_CHUNK", 16)
    with (
        zipfile.ZipFile(book) as archive,
        pytest.raises(InputError, match="row 1,048,576 and column 16,384"),
    ):
        unpacked.refuse_large(Path("a.xlsx"), archive)


def test_a_member_that_is_broken(tmp_path: Path) -> None:
    path = _book(tmp_path / "rotten.xlsx")
    _lie(path, _SHEET, 100)
    with pytest.raises(InputError, match="not a whole xlsx file: Bad CRC-32"):
        probe.probe(path)
