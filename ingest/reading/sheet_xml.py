"""The XML of a spreadsheet's first sheet: the cells that have a formula, or escaped characters.

It is read by expat as it is unpacked. A document type is refused, so that no entity is declared, and
`unpacked` has seen how large it is.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from warehouse.files import unpacked

_ESCAPED = re.compile("_x[0-9A-Fa-f]{4}_")
_PLACE = re.compile(r"([A-Za-z]{1,3})([0-9]{1,7})")
_CHAIN = "xl/calcChain.xml"
"""Only programs that compute formulas write it."""
_Attributes = Mapping[str, str]


@dataclass
class Cell:
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
class Contents:
    """What a sheet has: the special cells, and where the first cell is that is not empty."""

    cells: list[Cell] = field(default_factory=list)
    first_row: int = 0
    first_column: int = 0
    is_computed: bool = False


def first_sheet(archive: zipfile.ZipFile) -> Contents:
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


def _cells(archive: zipfile.ZipFile, member: str, shared: dict[str, str]) -> Contents:
    found, texts, formula = Contents(), _Text(), list[str]()
    cell = Cell(0, 0, "")
    is_formula = False

    def start(name: str, attributes: _Attributes) -> None:
        nonlocal cell, is_formula
        texts.start(name)
        if name == "row":
            row = int(attributes.get("r", cell.row + 1))
            cell = Cell(row, 0, "")
        elif name == "c":
            row, column = cell.row, cell.column + 1
            if place := _PLACE.fullmatch(attributes.get("r", "")):
                row, column = int(place[2]), unpacked.column_number(place[1].encode())
            cell = Cell(row, column, attributes.get("t", ""), "cm" in attributes)
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
