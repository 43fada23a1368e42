"""The first sheet of a spreadsheet as text, with what the programs that write it do to texts.

A text that begins with `=` is written as a formula, whose value nobody has computed: 0, or nothing. Its
text is taken from the formula. A text longer than a cell may be is cut. What pandas reads, as harnesses
do, is kept where that is another text: the value of such a formula, `_x000D_` for a carriage return.
"""

from __future__ import annotations

import re
import zipfile
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ingest.reading import sheet_xml
from ingest.reading.sheet_xml import Cell
from warehouse.errors import InputError
from warehouse.files import unpacked

FORMULA = "recovered from a formula"
NO_BRACE = "recovered from a formula, without its last brace"
VALUE = "value of a formula"
CUT = "cut at 32,767 characters"
_MOST = 32_767
"""Characters that a cell takes, which some programs count in UTF-16 units."""
_EXPANDED = re.compile(r"_xlfn\.(?:_xlws\.)?")
"""What XlsxWriter puts before the names of newer functions."""
_UNNAMED = re.compile(r"((_duplicated_|__UNNAMED__)\d+)?")
_SCHEMA = {
    "row": pl.Int64, "name": pl.String, "text": pl.String, "state": pl.String, "raw": pl.String
}  # fmt: skip


@dataclass(frozen=True)
class Sheet:
    """A sheet as text, and those of its cells whose text is not simply what was written.

    `cells` has their row from 1, the column's name, the text, its state (NULL: it is whole), and `raw`,
    what pandas reads (empty: nothing; NULL: the same text).
    """

    frame: pl.DataFrame
    cells: pl.DataFrame

    @property
    def size(self) -> int:
        """About its bytes."""
        return int(self.frame.estimated_size() + self.cells.estimated_size())


@dataclass
class _Found:
    text: str | None
    state: str | None = None
    raw: str | None = None


def read(path: Path) -> Sheet:
    """Read the first sheet.

    Raises:
        InputError: it is empty, no whole spreadsheet, or too large when unpacked.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if "xl/workbook.xml" not in archive.namelist():
                raise InputError(
                    path, "is a zip file, but not a spreadsheet and not an Inspect log"
                )
            is_plain = unpacked.refuse_large(path, archive)
            frame = pl.read_excel(
                path, infer_schema_length=0, drop_empty_rows=False, drop_empty_cols=False
            )
            found = {} if is_plain else _special(frame, sheet_xml.first_sheet(archive))
        return _sheet(frame, found)
    except pl.exceptions.NoDataError as error:
        raise InputError(path, "the first sheet is empty") from error
    except InputError:
        raise
    except Exception as error:  # the reader's own errors have no common type
        kind = "xlsx" if path.suffix.lower() == ".xlsx" else "zip"
        raise InputError(path, f"not a whole {kind} file: {error}") from error


def _special(frame: pl.DataFrame, contents: sheet_xml.Contents) -> dict[tuple[int, int], _Found]:
    """The cells with a formula or an escaped character, by column and row of the frame."""
    found = {}
    for cell in contents.cells:
        # The row before the first is the header.
        row, column = cell.row - contents.first_row - 1, cell.column - contents.first_column
        if 0 <= row < frame.height and 0 <= column < frame.width:
            shown = frame[row, column]
            if cell.formula is None:
                found[column, row] = _Found(shown, raw=cell.text)
            else:
                found[column, row] = _of_formula(cell, shown, contents.is_computed)
    return found


def _of_formula(cell: Cell, shown: str | None, is_computed: bool) -> _Found:
    """What a cell with a formula says: the formula, unless a program has computed its value."""
    is_written = (
        cell.text == "#NAME?"
        or (cell.text == "" and cell.kind != "str")
        or (cell.text == "0" and cell.kind in ("", "n") and not is_computed)
    )
    if not is_written or cell.is_shared:
        return _Found(shown, VALUE)
    text = _EXPANDED.sub("", cell.formula or "")
    if cell.is_array:
        return _Found("{=" + text + "}", FORMULA, shown or "")
    lost = cell.text == "0" and text.count("{") > text.count("}")
    return _Found("=" + text, NO_BRACE if lost else FORMULA, shown or "")


def _sheet(frame: pl.DataFrame, found: dict[tuple[int, int], _Found]) -> Sheet:
    """The sheet with the texts that were found; those that were cut are found here."""
    recovered: dict[int, list[tuple[int, str | None]]] = {}
    for (column, row), one in found.items():
        recovered.setdefault(column, []).append((row, one.text))
    for column, texts in recovered.items():
        rows, new = zip(*texts, strict=True)
        cells = frame.to_series(column).scatter(list(rows), pl.Series(new, dtype=pl.String))
        frame = frame.with_columns(cells)
    for column, cells in enumerate(frame.iter_columns()):
        for row in (cells.str.len_bytes() >= _MOST - 1).arg_true().to_list():
            if is_cut(cells[row]):
                one = found.setdefault((column, row), _Found(cells[row]))
                one.state = CUT if one.state is None else f"{one.state}; {CUT}"
    # Columns without a name and cells are none.
    blank = [
        name
        for name in frame.columns
        if _UNNAMED.fullmatch(name) and frame[name].null_count() == frame.height
    ]
    listed = [
        (row + 1, frame.columns[column], one.text, one.state, one.raw)
        for (column, row), one in found.items()
        if one.state is not None or one.raw != one.text
    ]
    frame = frame.drop(blank)
    if not frame.width:
        raise pl.exceptions.NoDataError
    return Sheet(frame, pl.DataFrame(listed, schema=_SCHEMA, orient="row"))


def is_cut(text: str) -> bool:
    """Whether a text is as long as a cell may be.

    Programs count characters or UTF-16 units; of the latter, one less where half of a character would
    be left.
    """
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    return _MOST in (len(text), units) or (units == _MOST - 1 and units > len(text))
