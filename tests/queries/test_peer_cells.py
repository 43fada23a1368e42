"""What VLMEvalKit makes of cells that pandas reads as something else, and of rows that are there twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from evalhouse import Warehouse
from tests import books

pytestmark = [pytest.mark.slow, pytest.mark.all_releases]
_PEERS = ("vlmevalkit_0_0_20", "vlmevalkit_e8e78f0", "vlmevalkit_field_e8e78f0")
_HEAD = ["index", "question", "A", "B", "C", "D", "answer", "category", "prediction"]


def _right(house: Warehouse, release: str) -> list[str]:
    """The questions whose answers are right."""
    sql = "SELECT question_key FROM pass_result WHERE judge = 'none' AND score = 1"
    found = house.sql(sql, release=release)
    return sorted(found.to_series(), key=int)


def _ingest(house: Warehouse, folder: Path, **flags: str) -> None:
    outcomes = list(house.ingest_many(folder, **flags))  # type: ignore[arg-type]
    assert [str(one.error) for one in outcomes if one.error] == []


@pytest.mark.parametrize(("engine", "figure"), [("xlsxwriter", "10.00"), ("openpyxl", "15.00")])
def test_its_own_figures(
    house: Warehouse, shared: Path, tmp_path: Path, engine: str, figure: str
) -> None:
    """Each answer is as the peer has it, in the file of its verdicts."""
    folder = shared / "formats/vlmevalkit_xlsx"
    (theirs,) = (folder / engine).rglob("*_result.xlsx")
    hits = pl.read_excel(theirs, infer_schema_length=0).select("index", "hit").rows()
    expected = sorted((index for index, hit in hits if hit == "1"), key=int)
    _ingest(house, folder / "LMUData")
    _ingest(house, folder / engine)
    for release in _PEERS:
        assert _right(house, release) == expected
        (board,) = house.leaderboard("GardenCells", level="overall", release=release)
        assert board.lines[0].cells[0] is not None
        assert f"{100 * (board.lines[0].cells[0].score or 0):.2f}" == figure
    differences = house.sql("SELECT DISTINCT is_same FROM harness_difference", release=_PEERS[-1])
    assert differences.to_series().to_list() == [True]
    # Ours reads what was said: 7 and 19 under both, with or without the carriage return.
    assert {"7", "19"} <= set(_right(house, "latest"))


def _said(said: Sequence[str], right: Sequence[str]) -> list[list[object]]:
    choices = ["wicker", "copper", "oak", "clay"]
    return [
        [n, f"Q {n}", *choices, answer, "made of", text]
        for n, (text, answer) in enumerate(zip(said, right, strict=True), start=1)
    ]


def test_blanks_and_escapes(house: Warehouse, tmp_path: Path) -> None:
    said = ["=oak", "A\r", "B\r\nthat is", "B is my\rfinal answer", "\rC", "NA", "D", "_x000D_ A"]
    rows = _said(said, ["C", "A", "B", "B", "C", "A", "D", "A"])
    books.by_xlsxwriter(tmp_path / "out/m/m_MMStar.xlsx", [_HEAD, *rows])
    _ingest(house, tmp_path / "out")
    assert _right(house, "latest") == ["1", "2", "3", "4", "5", "7", "8"]
    for release in _PEERS:
        # A letter beside _x000D_ is a word of its own only with a space between.
        assert _right(house, release) == ["4", "7", "8"]


@pytest.mark.parametrize("kind", ["xlsx", "tsv"])
def test_yes_and_no(house: Warehouse, tmp_path: Path, kind: str) -> None:
    """A carriage return or a formula in a spreadsheet; a TSV file has neither."""
    head = ["index", "question", "answer", "category", "prediction"]
    said = ["=Yes", "Yes", "=No", "No"]
    rows = [[n, f"Q {n}?", text.strip("="), "random", text] for n, text in enumerate(said, start=1)]
    path = tmp_path / f"out/m/m_POPE.{kind}"
    if kind == "xlsx":
        books.by_xlsxwriter(path, [head, *rows])
    else:
        path.parent.mkdir(parents=True)
        lines = ["\t".join(map(str, row)) for row in [head, *rows]]
        path.write_text("\n".join(lines), encoding="utf-8")
    _ingest(house, tmp_path / "out")
    ours = _right(house, "latest")
    assert ours == ["1", "2", "3", "4"]
    assert _right(house, _PEERS[-1]) == (["2", "4"] if kind == "xlsx" else ours)


_HALF = 1_000_000


def _circular(answers: Sequence[tuple[int, str, str]]) -> list[list[object]]:
    """Rows of index, right label and answer."""
    return [
        [index, f"Q {index % _HALF}", "a", "b", "c", "d", right, "object_localization", said]
        for index, right, said in answers
    ]


_RIGHT_1 = [(1, "A", "A"), (1 + _HALF, "B", "B")]
_WRONG_2 = [(2, "A", "B"), (2 + _HALF, "B", "B")]


@pytest.mark.parametrize(
    ("which", "more", "theirs", "ours"),
    [
        # A question whose row of pass 0 is there twice counts twice.
        ("first", [(1, "A", "A")], 2 / 3, 0.5),
        ("last", [(1, "A", "A"), (1, "A", "A")], 3 / 4, 0.5),
        ("first", [(1 + _HALF, "B", "B")], 0.5, 0.5),
        # Each row has to be right.
        ("first", [(1, "A", "C")], 0.0, 0.5),
        ("last", [(1, "A", "C")], 0.0, 0.0),
        ("first", [(1 + _HALF, "B", "hm")], 0.0, 0.5),
        ("last", [(2, "A", "A")], 1 / 3, 1.0),
    ],
)
def test_doubled_rows(
    house: Warehouse,
    tmp_path: Path,
    which: str,
    more: list[tuple[int, str, str]],
    theirs: float,
    ours: float,
) -> None:
    rows = _circular([*_RIGHT_1, *_WRONG_2, *more])
    books.by_xlsxwriter(tmp_path / "out/m/m_MMBench_DEV_EN.xlsx", [_HEAD, *rows])
    _ingest(house, tmp_path / "out", on_duplicate=which)
    for release in ("latest", *_PEERS):
        boards = house.leaderboard("MMBench", level="overall", strategy="circular", release=release)
        (cell,) = boards[0].lines[0].cells
        assert cell is not None
        assert cell.score == pytest.approx(ours if release == "latest" else theirs), release
