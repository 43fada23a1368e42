"""Warehouses with flipped bytes and cut ends: one clear error each, and `check` names the damage."""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from evalhouse import EvalhouseError, Warehouse
from tests.commands import run
from tests.nasty import nasty_house
from tests.tables import facts, write_jsonl
from warehouse import connection
from warehouse.check import damage

_HEADERS = 3 * 4096
"""The file's headers; what comes after them are blocks, each with a checksum."""


@dataclass(frozen=True)
class Broken:
    """A damaged copy: where it was damaged, and how."""

    how: str
    content: bytes


def _damaged(whole: bytes, pick: random.Random) -> Broken:
    """Flip a bit, swap two pieces, or cut the end off."""
    place = pick.choice([pick.randrange(len(whole)), pick.randrange(_HEADERS)])
    how = pick.choice(["flip", "flip", "flip", "swap", "cut"])
    content = bytearray(whole)
    if how == "flip":
        content[place] ^= 1 << pick.randrange(8)
    elif how == "swap":
        other = pick.randrange(len(whole))
        n = min(512, len(whole) - max(place, other))
        content[place : place + n], content[other : other + n] = (
            whole[other : other + n],
            whole[place : place + n],
        )
    else:
        del content[place:]
    return Broken(f"{how} at {place:,}", bytes(content))


@pytest.fixture(scope="module")
def whole(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with facts, judgments and kept results."""
    house = nasty_house(new_file, tmp_path_factory.mktemp("whole") / "whole.duckdb")
    house.refresh()
    return house.path


def _found(path: Path) -> list[str]:
    """The damage that `check` names; of a file that cannot be opened, the error."""
    try:
        con = connection.open_for_reading(path)
    except EvalhouseError as error:
        return [str(error)]
    try:
        return list(damage(con).examples)
    finally:
        con.close()


def _is_found_or_harmless(whole: Path, broken: Broken, path: Path) -> bool:
    """Damage that is not found is of what the file does not use: every fact is as it was."""
    path.write_bytes(broken.content)
    found = _found(path)
    assert "\n" not in "".join(found), broken.how
    if not found:
        assert facts(path) == facts(whole), broken.how
    return bool(found)


@pytest.mark.slow
@pytest.mark.parametrize("n", [8, pytest.param(100, marks=pytest.mark.long)])
def test_damage_is_found_wherever_it_is(whole: Path, tmp_path: Path, n: int) -> None:
    pick = random.Random(n)
    content = whole.read_bytes()
    outcomes = [
        _is_found_or_harmless(whole, _damaged(content, pick), tmp_path / "broken.duckdb")
        for _ in range(n)
    ]
    assert outcomes.count(True) > n // 2


def _broken_data(whole: Path, pick: random.Random, path: Path) -> str:
    """Damage a file so that it opens, and some column cannot be read; return that column."""
    content = whole.read_bytes()
    for _ in range(100):
        copy = bytearray(content)
        copy[pick.randrange(_HEADERS, len(copy))] ^= 0xFF
        path.write_bytes(copy)
        found = _found(path)
        if found and not found[0].startswith(str(path)):
            return found[0].partition(":")[0]
    raise AssertionError("no byte of this file is a table's")


_COMMANDS: tuple[tuple[str, ...], ...] = (
    ("evalhouse", "status"),
    ("evalhouse", "runs"),
    ("evalhouse", "leaderboard", "Words"),
    ("evalhouse", "show", "o101", "--model", "one"),
    ("evalhouse", "compare", "one", "two"),
    ("evalhouse", "judges"),
    ("evalhouse", "releases"),
    ("evalhouse", "subsets", "list"),
    ("evalhouse", "sql", "SELECT count(*) FROM leaderboard"),
    ("evalhouse", "export", "--parquet", "export"),
    ("evalhouse", "migrate"),
    ("evalhouse", "refresh"),
    ("evalhouse", "releases", "install", "field_v2"),
    ("ingest", "more.jsonl", "--benchmark", "Words"),
    ("evalhouse", "merge", "whole.duckdb"),
)


def _one_clear_error_or_none(words: tuple[str, ...], folder: Path, path: Path) -> bool:
    """Run a command on a file; return whether it worked."""
    done = run(*words, "--db", path, cwd=folder)
    shown = f"{' '.join(words)} on {path}: {done.code}\n{done.out}\n{done.err}"
    assert "Traceback" not in done.err, shown
    assert "Stack Trace" not in done.err, shown
    assert done.code in (0, 1, 2), shown
    assert done.err.count("error: ") == (1 if done.code else 0), shown
    return not done.code


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "commands"),
    [(1, _COMMANDS[2:3] + _COMMANDS[11:14:2]), pytest.param(2, _COMMANDS, marks=pytest.mark.long)],
)
def test_every_command_on_a_damaged_file(
    whole: Path, tmp_path: Path, n: int, commands: tuple[tuple[str, ...], ...]
) -> None:
    pick = random.Random(n)
    row = {"model": "late", "question_key": "o101", "prediction": "A"}
    write_jsonl(tmp_path / "more.jsonl", [row])
    shutil.copy(whole, tmp_path / "whole.duckdb")
    for number in range(n):
        damaged = tmp_path / f"damaged-{number}.duckdb"
        column = _broken_data(whole, pick, damaged)
        check = run("evalhouse", "check", "--db", damaged, cwd=tmp_path)
        assert check.code == 1
        assert column in check.out
        assert "Traceback" not in check.err
        for words in commands:
            path = tmp_path / "copy.duckdb"
            shutil.copy(damaged, path)
            shutil.rmtree(tmp_path / "export", ignore_errors=True)
            _one_clear_error_or_none(words, tmp_path, path)
            path.unlink()
            Path(f"{path}.wal").unlink(missing_ok=True)
        # As the other side of a merge.
        ours = tmp_path / "ours.duckdb"
        shutil.copy(whole, ours)
        before = facts(ours)
        if not _one_clear_error_or_none(("evalhouse", "merge", str(damaged)), tmp_path, ours):
            assert facts(ours) == before
        damaged.unlink()


def test_one_line_for_a_file_that_cannot_be_opened(whole: Path, tmp_path: Path) -> None:
    content = whole.read_bytes()
    for size in (1, 100, 5000, _HEADERS, _HEADERS + 100_000):
        path = tmp_path / f"cut-{size}.duckdb"
        path.write_bytes(content[:size])
        for use in (Warehouse(path).reading, Warehouse(path).writing):
            with pytest.raises(EvalhouseError) as caught, use():
                pass
            assert str(caught.value).startswith(str(path))
            assert "\n" not in str(caught.value)
        assert path.read_bytes() == content[:size]
    # The engine may find all that it opens a file with in the first half.
    half = tmp_path / "half.duckdb"
    half.write_bytes(content[: len(content) // 2])
    assert _found(half)
