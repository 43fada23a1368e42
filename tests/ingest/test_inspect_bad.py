"""Hostile Inspect logs: each an error that says where, and the warehouse as it was."""

from __future__ import annotations

import json
import shutil
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bench import measure
from evalhouse import InputError, UsageError, Warehouse
from ingest.reading import json_stream as inspect_archive
from tests.inspect_logs import header, read, sample, write, zipfile
from tests.tables import facts

Write = Callable[[Path], object]


def archive(**members: str | bytes) -> Write:
    """A zip of these members; `samples__a` stands for samples/a.json, and so on."""

    def make(path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_ZSTANDARD) as made:
            for name, content in members.items():
                made.writestr(name.replace("__", "/") + ".json", content)

    return make


def damaged(path: Path) -> None:
    """A byte in the middle of a member is another one."""
    write(path, [sample("a", "yes" * 500)], method=zipfile.ZIP_STORED)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"yesyesyes", b"yesyesyeZ", 1))


def damaged_inside(method: int) -> Write:
    """What is packed is no data of its method."""

    def make(path: Path) -> None:
        write(path, [sample("a", "yes" * 500)], method=method)
        with zipfile.ZipFile(path) as whole:
            info = whole.getinfo("samples/a_epoch_1.json")
        content = bytearray(path.read_bytes())
        begin = info.header_offset + 30 + len(info.filename)
        content[begin + 9 : begin + info.compress_size] = b"\xff" * (info.compress_size - 9)
        path.write_bytes(bytes(content))

    return make


def method_unknown(path: Path) -> None:
    """Compressed by a method that nobody knows."""
    write(path, [sample("a", "yes")], method=zipfile.ZIP_STORED)
    content = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        place = content.find(mark)
        while place >= 0:
            content[place + at : place + at + 2] = struct.pack("<H", 77)
            place = content.find(mark, place + 1)
    path.write_bytes(bytes(content))


@dataclass(frozen=True)
class Bad:
    """A file, and the place and words of its error."""

    name: str
    make: Write
    row: int | None
    field: str | None
    words: tuple[str, ...]
    flags: dict[str, Any] = field(default_factory=dict)


HEAD = json.dumps(header())
A = sample("a", "yes")
CASES = [
    Bad("damaged.eval", damaged, None, "samples/a_epoch_1.json", ("cannot be unpacked", "CRC")),
    Bad("method.eval", method_unknown, None, "header.json", ("cannot be unpacked", "compression")),
    *(
        Bad(
            f"packed-{method}.eval",
            damaged_inside(method),
            None,
            "samples/a_epoch_1.json",
            ("cannot be unpacked",),
        )
        for method in (
            zipfile.ZIP_DEFLATED,
            zipfile.ZIP_BZIP2,
            zipfile.ZIP_LZMA,
            zipfile.ZIP_ZSTANDARD,
        )
    ),
    Bad(
        "deep.eval",
        archive(header=HEAD, samples__a="[" * 200_000),
        None,
        "samples/a.json",
        ("not valid JSON",),
    ),
    Bad(
        "deep.json",
        lambda path: path.write_text(
            '{"version": 2, "status": "success", "eval": ' + "[" * 200_000
        ),
        None,
        None,
        ("not valid JSON",),
    ),
]


@pytest.fixture(scope="module")
def lab(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a warehouse that holds a log, which no test changes."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copy(new_file, folder / "warehouse.duckdb")
    good = write(folder / "good.eval", [A], header(dataset={"name": "other"}))
    Warehouse(folder / "warehouse.duckdb").ingest(good)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("bad", CASES, ids=lambda bad: bad.name)
def test_a_bad_log(lab: Path, bad: Bad) -> None:
    house = Warehouse(lab / "warehouse.duckdb")
    path = lab / bad.name
    bad.make(path)
    before = facts(house.path)
    with pytest.raises(UsageError) as caught:
        house.ingest(path, **bad.flags)
    error = caught.value
    if isinstance(error, InputError):
        text = str(error)
        assert text.startswith(str(path))
        place = text.removeprefix(str(path)).partition(": ")[0]
        wanted = "" if bad.row is None else f", row {bad.row}" if bad.row else ", header"
        assert place == wanted + (f", field {bad.field}" if bad.field else "")
    for words in bad.words:
        assert words in str(error)
    assert facts(house.path) == before


def test_a_member_is_read_up_to_the_limit_whatever_it_says(
    lab: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = Warehouse(lab / "warehouse.duckdb")
    before = facts(house.path)
    path = write(lab / "large.eval", [A, sample("b", "x" * 100_000)])
    monkeypatch.setattr(inspect_archive, "MAX_MEMBER_BYTES", 50_000)
    with pytest.raises(
        InputError,
        match=r"large\.eval, field samples/b_epoch_1\.json: is larger than 50,000 bytes when unpacked",
    ):
        house.ingest(path)
    # A directory that states a smaller size than there is gives no more than that, and no sample.
    with zipfile.ZipFile(path) as archive_:
        size = archive_.getinfo("samples/b_epoch_1.json").file_size
    path.write_bytes(path.read_bytes().replace(struct.pack("<I", size), struct.pack("<I", 2_000)))
    with pytest.raises(
        InputError, match=r"field samples/b_epoch_1\.json: (cannot be unpacked|not valid JSON)"
    ):
        house.ingest(path)
    monkeypatch.setattr(inspect_archive, "MAX_MEMBER_BYTES", 5_000)
    monkeypatch.setattr(inspect_archive, "_MAX_LOG_BYTES", 9_000)
    path = write(lab / "total.eval", [sample(f"k{n}", "x" * 900) for n in range(20)])
    with pytest.raises(InputError, match=r"the log is larger than 9,000 bytes when unpacked"):
        house.ingest(path)
    assert facts(house.path) == before


@pytest.mark.slow
def test_a_bomb_takes_neither_memory_nor_the_warehouse(lab: Path) -> None:
    """A gigabyte of spaces in a few kilobytes."""
    house = Warehouse(lab / "warehouse.duckdb")
    before = facts(house.path)
    bomb = lab / "bomb.eval"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_ZSTANDARD) as made:
        made.writestr("header.json", HEAD)
        with made.open("samples/a_epoch_1.json", "w", force_zip64=True) as member:
            for _ in range(4):
                member.write(b" " * 250_000_000)
    assert bomb.stat().st_size < 200_000
    command = ["sh", "-c", '"$@"; test $? = 2', "sh", *measure.EVALHOUSE, "ingest", bomb]
    ended = measure.process([*command, "--db", house.path])
    assert "is larger than 64,000,000 bytes when unpacked" in " ".join(ended.output.split())
    assert ended.peak < 500_000_000
    assert facts(house.path) == before


def test_one_bad_log_in_a_folder(house: Warehouse, tmp_path: Path, shared: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for n in range(3):
        write(folder / f"{n}.eval", [A], header(created=f"2026-01-0{n + 1}T00:00:00+00:00"))
    (real,) = (shared / "formats" / "inspect_error").iterdir()
    (folder / "cut.eval").write_bytes(real.read_bytes()[:-1000])
    outcomes = list(house.ingest_many(folder))
    assert [outcome.error is None for outcome in outcomes] == [True, True, True, False]
    assert "cut.eval: not a whole zip file" in str(outcomes[-1].error)
    assert house.sql("SELECT count(*) FROM main.run").item() == 3
    assert len(read(real)[1]) == 27
