"""The first sheet of a spreadsheet as text, with what the programs that write it do to texts.

A text that begins with `=` is written as a formula, whose value nobody has computed: 0, or nothing. Its
text is taken from the formula. A text longer than a cell may be is cut. What pandas reads, as harnesses
do, is kept where that is another text: the value of such a formula, `_x000D_` for a carriage return.

Cells that have a formula, or escaped characters, are found in the sheet's XML.

It is read by expat as it is unpacked. A document type is refused, so that no entity is declared, and
`unpacked` has seen how large it is.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

from warehouse.errors import InputError
from warehouse.files import unpacked
from warehouse.later import pl

_ESCAPED = re.compile("_x[0-9A-Fa-f]{4}_")
_PLACE = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
_CHAIN = "xl/calcChain.xml"
"""Only programs that compute formulas write it."""
_Attributes = Mapping[str, str]


@dataclass
class _Cell:
    """A cell: `text` is its value as it stands there, without what escapes mean.

    Attributes:
        kind: of the value; str, s and inlineStr are texts.
        formula: without the sign before it; None: there is none.
        is_array: its formula stands in braces.
        is_shared: its formula stands in another cell.
    """

    row: int
    column: int
    kind: str
    is_dynamic: bool = False
    text: str = ""
    formula: str | None = None
    is_array: bool = False
    is_shared: bool = False


@dataclass
class _Contents:
    """What a sheet has: the special cells, and where the first cell is that is not empty."""

    cells: list[_Cell] = field(default_factory=list)
    first_row: int = 0
    first_column: int = 0
    is_computed: bool = False


def _first_sheet(archive: zipfile.ZipFile) -> _Contents:
    """Look for the special cells of the first sheet.

    Raises:
        ValueError: the XML is broken, or declares a document type.
        KeyError: a member is missing.
    """
    sheets: list[str] = []
    targets: dict[str, str] = {}

    def sheet(name: str, attributes: _Attributes) -> None:
        if name == "sheet":
            sheets.extend(value for key, value in attributes.items() if key.endswith(":id"))

    def relation(name: str, attributes: _Attributes) -> None:
        if name == "Relationship":
            targets[attributes["Id"]] = attributes["Target"]

    _parse(archive, "xl/workbook.xml", sheet)
    _parse(archive, "xl/_rels/workbook.xml.rels", relation)
    member = posixpath.normpath(posixpath.join("/xl", targets[sheets[0]])).lstrip("/")
    shared = _escaped_texts(archive)
    found = _cells(archive, member, shared)
    found.is_computed = _CHAIN in archive.namelist()
    return found


def _escaped_texts(archive: zipfile.ZipFile) -> dict[str, str]:
    """The shared texts with escaped characters, by number, as pandas reads them."""
    found: dict[str, str] = {}
    if "xl/sharedStrings.xml" not in archive.namelist():
        return found
    texts, number = _Text(), 0

    def start(name: str, attributes: _Attributes) -> None:
        if name == "si":
            texts.said.clear()
        texts.start(name)

    def end(name: str) -> None:
        nonlocal number
        texts.end(name)
        if name == "si":
            text = "".join(texts.said)
            if _ESCAPED.search(text):
                found[str(number)] = text.replace("x005F_", "")
            number += 1

    _parse(archive, "xl/sharedStrings.xml", start, end, texts.add)
    return found


class _Text:
    """The characters of the elements that hold text, but for those on how it is pronounced."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.is_open = self.is_sound = False

    def start(self, name: str) -> None:
        self.is_sound = self.is_sound or name == "rPh"
        self.is_open = name in ("t", "v") and not self.is_sound

    def end(self, name: str) -> None:
        self.is_open = False
        self.is_sound = self.is_sound and name != "rPh"

    def add(self, text: str) -> None:
        if self.is_open:
            self.said.append(text)


def _cells(archive: zipfile.ZipFile, member: str, shared: dict[str, str]) -> _Contents:
    found, texts, formula = _Contents(), _Text(), list[str]()
    cell = _Cell(0, 0, "")
    is_formula = False

    def start(name: str, attributes: _Attributes) -> None:
        nonlocal cell, is_formula
        texts.start(name)
        if name == "row":
            row = int(attributes.get("r", cell.row + 1))
            cell = _Cell(row, 0, "")
        elif name == "c":
            row, column = cell.row, cell.column + 1
            if place := _PLACE.fullmatch(attributes.get("r", "")):
                row, column = int(place[2]), unpacked.column_number(place[1].encode())
            cell = _Cell(row, column, attributes.get("t", ""), "cm" in attributes)
            texts.said.clear()
            formula.clear()
        elif name == "f":
            is_formula = True
            cell.formula = ""
            cell.is_array = attributes.get("t") == "array" and not cell.is_dynamic
            cell.is_shared = attributes.get("t") in ("shared", "dataTable")

    def end(name: str) -> None:
        nonlocal is_formula
        texts.end(name)
        if name == "f":
            is_formula = False
            cell.formula = "".join(formula)
        elif name == "c":
            cell.text = "".join(texts.said)
            if cell.text or cell.kind == "inlineStr":
                found.first_row = min(found.first_row or cell.row, cell.row)
                found.first_column = min(found.first_column or cell.column, cell.column)
            if cell.kind == "s":
                cell.text = shared.get(cell.text, "")
            if cell.formula is not None or _ESCAPED.search(cell.text):
                found.cells.append(cell)

    def characters(text: str) -> None:
        if is_formula:
            formula.append(text)
        else:
            texts.add(text)

    _parse(archive, member, start, end, characters)
    return found


def _parse(
    archive: zipfile.ZipFile,
    member: str,
    start: Callable[[str, _Attributes], None],
    end: Callable[[str], None] | None = None,
    characters: Callable[[str], None] | None = None,
) -> None:
    """Read a member's elements, whose names come without their prefix."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse
    parser.StartElementHandler = lambda name, attributes: start(name.rpartition(":")[2], attributes)
    if end is not None:
        parser.EndElementHandler = lambda name: end(name.rpartition(":")[2])
    if characters is not None:
        parser.CharacterDataHandler = characters
    with unpacked.whole_member(archive, archive.getinfo(member)) as file:
        parser.ParseFile(file)


def _refuse(*args: object) -> None:
    raise ValueError("its XML declares a document type")


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
    "row": int, "name": str, "text": str, "state": str, "raw": str
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
            found = {} if is_plain else _special(frame, _first_sheet(archive))
        return _sheet(frame, found)
    except pl.exceptions.NoDataError as error:
        raise InputError(path, "the first sheet is empty") from error
    except InputError:
        raise
    except Exception as error:  # the reader's own errors have no common type
        kind = "xlsx" if path.suffix.lower() == ".xlsx" else "zip"
        raise InputError(path, f"not a whole {kind} file: {error}") from error


def _special(frame: pl.DataFrame, contents: _Contents) -> dict[tuple[int, int], _Found]:
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


def _of_formula(cell: _Cell, shown: str | None, is_computed: bool) -> _Found:
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
