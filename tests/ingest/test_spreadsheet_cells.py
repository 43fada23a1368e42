"""Cells of spreadsheets that do not say what was written: formulas, cut texts, carriage returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from evalhouse import InputError, Warehouse
from ingest.reading import spreadsheet
from tests import books
from tests.books import text
from warehouse.files import unpacked

_Write = Callable[[Path, Sequence[books.Row]], Path]
_BOTH = pytest.mark.parametrize("write", [books.by_xlsxwriter, books.by_openpyxl])
_FORMULA, _CUT = spreadsheet.FORMULA, spreadsheet.CUT
_WHOLE = "x" * 32_767


def _cells(path: Path) -> list[tuple[Any, ...]]:
    """Row, column, text, state and what pandas reads, of each special cell."""
    return sorted(spreadsheet.read(path).cells.rows())


def _cell(path: Path) -> tuple[Any, ...]:
    ((_, _, *cell),) = _cells(path)
    return tuple(cell)


@pytest.mark.parametrize("said", ["=A", "=B (copper)", "=1+2", "=<b> & \"C\"", "==D", "=xé😀"])  # fmt: skip
@pytest.mark.parametrize(("write", "raw"), [(books.by_xlsxwriter, "0"), (books.by_openpyxl, "")])
def test_a_text_as_a_formula(tmp_path: Path, said: str, write: _Write, raw: str) -> None:
    path = write(tmp_path / "a.xlsx", [["index", "said"], [1, said], [2, "whole"]])
    assert _cells(path) == [(1, "said", said, _FORMULA, raw)]
    assert spreadsheet.read(path).frame["said"].to_list() == [said, "whole"]


@pytest.mark.parametrize(
    ("said", "text", "state"),
    [
        ('={"answer": "D"}', '={"answer": "D"', spreadsheet.NO_BRACE),
        (r"=\boxed{A}", r"=\boxed{A", spreadsheet.NO_BRACE),
        ("={{B}}", "={{B}", spreadsheet.NO_BRACE),
        ("={A} or {B}?", "={A} or {B}?", _FORMULA),
        ("{=C}", "{=C}", _FORMULA),
        ("=SORT(C)", "=SORT(C)", _FORMULA),
        ("=UNIQUE(A, B)", "=UNIQUE(A, B)", _FORMULA),
        ("=" + "y" * 32_766, "=" + "y" * 32_766, f"{_FORMULA}; {_CUT}"),
    ],
)
def test_what_xlsxwriter_changes(tmp_path: Path, said: str, text: str, state: str) -> None:
    path = books.by_xlsxwriter(tmp_path / "a.xlsx", [["index", "said"], [1, said]])
    assert _cell(path) == (text, state, "0")


def test_openpyxl_keeps_the_brace(tmp_path: Path) -> None:
    rows = [["index", "said"], [1, '={"answer": "D"}']]
    path = books.by_openpyxl(tmp_path / "a.xlsx", rows)
    assert _cell(path) == ('={"answer": "D"}', _FORMULA, "")


@pytest.mark.parametrize(
    ("cell", "more", "expected"),
    [
        # What a program has computed holds, and is said to be a value.
        ("<c{r}><f>1+2</f><v>3</v></c>", [], ("3", spreadsheet.VALUE, None)),
        ('<c{r} t="str"><f>A1&amp;"x"</f><v>Bx</v></c>', [], ("Bx", spreadsheet.VALUE, None)),
        ('<c{r} t="str"><f>A1</f><v></v></c>', [], ("", spreadsheet.VALUE, None)),
        ("<c{r}><f>A1-A2</f><v>0</v></c>", ["xl/calcChain.xml"], ("0", spreadsheet.VALUE, None)),
        # A program that knows no such name says so in its place.
        ('<c{r} t="e"><f>A</f><v>#NAME?</v></c>', ["xl/calcChain.xml"], ("=A", _FORMULA, "")),
        ("<c{r}><f>A</f><v>0</v></c>", [], ("=A", _FORMULA, "0")),
    ],
)  # fmt: skip
def test_values_of_formulas(
    tmp_path: Path, cell: str, more: list[str], expected: tuple[Any, ...]
) -> None:
    rows = [[text("index"), text("said")], [text("1"), cell], [text("2"), text("B")]]
    path = books.of_xml(tmp_path / "a.xlsx", rows, more=more)
    assert _cell(path) == expected


@pytest.mark.parametrize(
    ("said", "is_cut"),
    [
        (_WHOLE, True),
        (_WHOLE[1:], False),
        # In UTF-16 units: one of them for x, two for the face.
        ("😀" * 16_383 + "x", True),
        ("😀" * 16_383, True),
        ("😀" * 16_382, False),
        ("é" * 32_767, True),
        ("é" * 20_000, False),
    ],
)
def test_what_is_cut(said: str, is_cut: bool) -> None:
    assert spreadsheet.is_cut(said) == is_cut


@_BOTH
def test_a_cut_text(tmp_path: Path, write: _Write) -> None:
    rows = [["index", "said"], [1, _WHOLE], [2, _WHOLE[1:]]]
    assert _cells(write(tmp_path / "a.xlsx", rows)) == [(1, "said", _WHOLE, _CUT, None)]


@pytest.mark.parametrize(
    ("said", "raw"),
    [("C\r\n", "C_x000D_\n"), ("\rD", "_x000D_D"), ("A\x07", "A_x0007_"), ("A_x000D_", None)],
)
def test_what_pandas_reads_of_escapes(tmp_path: Path, said: str, raw: str | None) -> None:
    path = books.by_xlsxwriter(tmp_path / "a.xlsx", [["index", "said"], [1, said], [2, "B"]])
    sheet = spreadsheet.read(path)
    assert sheet.frame["said"].to_list() == [said, "B"]
    assert _cells(path) == ([] if raw is None else [(1, "said", said, None, raw)])


@pytest.mark.parametrize("at", [(0, 0), (3, 2), (0, 5)])
def test_where_the_sheet_begins(tmp_path: Path, at: tuple[int, int]) -> None:
    rows = [["index", "", "said"], [1, "", "B"], ["", "", ""], [3, "", "=C"]]
    path = books.by_xlsxwriter(tmp_path / "a.xlsx", rows, at=at)
    assert _cells(path) == [(3, "said", "=C", _FORMULA, "0")]
    assert spreadsheet.read(path).frame.columns == ["index", "said"]


def test_names_with_a_prefix(tmp_path: Path) -> None:
    rows = [[text("index"), text("said")], [text("1"), "<c{r}><f>B</f><v>0</v></c>"]]
    path = books.of_xml(tmp_path / "a.xlsx", rows, prefix="x")
    assert _cells(path) == [(1, "said", "=B", _FORMULA, "0")]


def test_plain_files_are_not_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreadsheet, "_first_sheet", pytest.fail)
    rows = [["index", "said"], [1, "A = B"], [2, "<f>C</f>"], [3, "x_x"]]
    assert _cells(books.by_xlsxwriter(tmp_path / "a.xlsx", rows)) == []


def test_a_document_type(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    rows = [[text("index"), text("said")], [text("1"), "<c{r}><f>&b;</f><v>0</v></c>"]]
    path = books.of_xml(tmp_path / "a.xlsx", rows, head=bomb)
    with pytest.raises(InputError, match="not a whole xlsx file: its XML declares a document type"):
        spreadsheet.read(path)


def test_a_large_sheet_is_refused_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacked, "MAX_MEMBER_BYTES", 100_000)
    monkeypatch.setattr(spreadsheet, "_first_sheet", pytest.fail)
    path = books.by_openpyxl(tmp_path / "a.xlsx", [["index", "said"], [1, "=" + "A" * 200_000]])
    with pytest.raises(InputError, match="larger than 100,000 bytes when unpacked"):
        spreadsheet.read(path)


def test_a_formula_that_cells_share(tmp_path: Path) -> None:
    shared = '<c{r}><f t="shared" si="0"%s<v>0</v></c>'
    rows = [
        [text("index"), text("said")],
        [text("1"), shared % ' ref="B2:B3">A1-1</f>'],
        [text("2"), shared % "/>"],
    ]
    path = books.of_xml(tmp_path / "a.xlsx", rows)
    value = spreadsheet.VALUE
    assert _cells(path) == [(1, "said", "0", value, None), (2, "said", "0", value, None)]


_QUESTION = ["index", "question", "A", "B", "C", "D", "answer", "category", "prediction"]
_SUM = [1, "1 + 1?", "=1+1", "=1+2", "=1+3", "=1+4", "A", "sums", "=1+1"]
_LONG = [2, "Copy it", "a", "b", "c", "d", "B", "copies", _WHOLE]
_PLAIN = [3, "Two?", "a", "b", "c", "d", "B", "copies", "B"]


_TEXTS = "SELECT text FROM main.choice WHERE question_id = 1 ORDER BY label"
_ATTRIBUTES = (
    "SELECT question_id, value FROM main.question_attribute WHERE name = 'spreadsheet cells'"
)


@pytest.mark.slow
@_BOTH
def test_answers_and_choices(house: Warehouse, tmp_path: Path, write: _Write) -> None:
    path = write(tmp_path / "out/m/m_MMStar.xlsx", [_QUESTION, _SUM, _LONG, _PLAIN])
    (one,) = house.ingest_many(tmp_path / "out")
    assert one.report is not None
    notes = [note for note in one.report.notes if "such as" in note]
    assert notes == [
        f"1 answer {_CUT} (such as in row 2, prediction)",
        f"1 answer {_FORMULA} (such as in row 1, prediction)",
        f"4 cells {_FORMULA} (such as in row 1, A)",
    ]
    assert house.sql(_TEXTS).to_series().to_list() == _SUM[2:6]
    sheet = house.sql("SELECT question_key, prediction, cell, verdict FROM answer_sheet ORDER BY 1")
    assert sheet.rows() == [
        ("1", "=1+1", _FORMULA, "A"),
        ("2", _WHOLE, _CUT, None),
        ("3", "B", None, "B"),
    ]
    cells = ", ".join(f"{letter}: {_FORMULA}" for letter in "ABCD")
    assert house.sql(_ATTRIBUTES).rows() == [(1, cells)]
    (board,) = house.leaderboard("MMStar", level="overall")
    assert f"Answers in cells of a spreadsheet, {_FORMULA}: 1 of m's." in board.notes
    assert f"Answers in cells of a spreadsheet, {_CUT}: 1 of m's." in board.notes
    assert [report.already for report in house.ingest(path)] == [True]


@pytest.mark.slow
def test_references(house: Warehouse, tmp_path: Path) -> None:
    head = ["index", "question", "answer", "prediction"]
    rows = [head, [1, "Sum?", "=12", "=12"], [2, "Total?", "12", "12"]]
    books.by_xlsxwriter(tmp_path / "out/m/m_OCRVQA_TESTCORE.xlsx", rows)
    assert [one.error for one in house.ingest_many(tmp_path / "out")] == [None]
    sheet = "SELECT prediction, answer_text, cell, score FROM answer_sheet ORDER BY question_key"
    assert house.sql(sheet).rows() == [("=12", "=12", _FORMULA, 1.0), ("12", "12", None, 1.0)]
    assert house.sql(_ATTRIBUTES).rows() == [(1, f"answer: {_FORMULA}")]


@pytest.mark.slow
def test_own_files(house: Warehouse, tmp_path: Path) -> None:
    """In the long format, whose answers are else stored without being staged."""
    ask = [["question_key", "question", "A", "B", "answer"], ["1", "Q", "=x", "=y", "A"]]
    house.ingest(books.by_xlsxwriter(tmp_path / "ask.xlsx", ask), benchmark="Own")
    assert house.sql(_TEXTS).to_series().to_list() == ["=x", "=y"]
    said = [["question_key", "model", "prediction"], ["1", "m", "=x"]]
    house.ingest(books.by_xlsxwriter(tmp_path / "said.xlsx", said), benchmark="Own")
    sheet = house.sql("SELECT model, prediction, cell, verdict FROM answer_sheet")
    assert sheet.rows() == [("m", "=x", _FORMULA, "A")]


@pytest.mark.slow
def test_the_case_of_the_field(house: Warehouse, shared: Path) -> None:
    outcomes = list(house.ingest_many(shared / "field/03-url/m"))
    assert [one.error for one in outcomes] == [None]
    rows = house.sql("SELECT question_key, prediction, cell FROM answer_sheet ORDER BY 1").rows()
    found = {key: (said and said[:21], cell) for key, said, cell in rows}
    assert found == {
        "1": ("http://shop.example/a", None),
        "2": (None, None),
        "3": ("=12", _FORMULA),
        "4": ("12", None),
        "5": ("y" * 21, _CUT),
        "6": ("Blue Door", None),
    }
    assert house.sql("SELECT score FROM answer_sheet WHERE question_key = '3'").item() == 1.0
