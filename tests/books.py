"""Spreadsheets as the programs write them that harnesses use."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import xlsxwriter

_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Default Extension="rels" ContentType='
    '"application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/xl/workbook.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>'
)
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

Row = Sequence[object]


def by_xlsxwriter(path: Path, rows: Sequence[Row], *, at: tuple[int, int] = (0, 0)) -> Path:
    """As pandas and VLMEvalKit write by default: a text that begins with = is a formula of value 0.

    Args:
        at: where the header begins.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet()
    for y, row in enumerate(rows, start=at[0]):
        for x, cell in enumerate(row, start=at[1]):
            sheet.write(y, x, cell)
    book.close()
    return path


def by_openpyxl(path: Path, rows: Sequence[Row]) -> Path:
    """As openpyxl writes: texts in their cells, and formulas without a value."""
    cells = [[_openpyxl_cell(cell) for cell in row] for row in rows]
    return of_xml(path, cells)


def _openpyxl_cell(cell: object) -> str:
    if isinstance(cell, str) and len(cell) > 1 and cell.startswith("="):
        return f"<c{{r}}><f>{escape(cell[1:])}</f><v></v></c>"
    if isinstance(cell, str) and cell:
        text = escape(cell, {"\r": "&#13;"})
        return f'<c{{r}} t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
    return "" if cell in ("", None) else f'<c{{r}} t="n"><v>{cell}</v></c>'


def of_xml(
    path: Path,
    rows: Sequence[Sequence[str]],
    *,
    head: str = "",
    more: Sequence[str] = (),
    prefix: str = "",
) -> Path:
    """A book of cells in XML, with {r} where the place stands.

    Args:
        head: what stands before the sheet's root.
        more: names of further, empty members.
        prefix: of the names of the sheet's elements.
    """
    written = "".join(
        f'<row r="{y}">'
        + "".join(
            cell.replace("{r}", f' r="{chr(64 + x)}{y}"') for x, cell in enumerate(row, start=1)
        )
        + "</row>"
        for y, row in enumerate(rows, start=1)
    )
    sheet = f'<worksheet xmlns="{_MAIN}"><sheetData>{written}</sheetData></worksheet>'
    if prefix:
        sheet = re.sub(r"<(/?)(?=[a-z])", rf"<\1{prefix}:", sheet)
        sheet = sheet.replace("xmlns=", f"xmlns:{prefix}=")
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("[Content_Types].xml", _TYPES)
        book.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="rId1" '
            f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        book.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
            '<sheet name="one" sheetId="1" r:id="rId1"/></sheets></workbook>',
        )
        book.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="rId1" '
            f'Type="{_OFFICE}/worksheet" Target="/xl/worksheets/sheet1.xml"/></Relationships>',
        )
        book.writestr("xl/worksheets/sheet1.xml", head + sheet)
        for name in more:
            book.writestr(name, "")
    return path


def text(cell: str) -> str:
    """A text as XML of a cell, for `of_xml`."""
    return f'<c{{r}} t="inlineStr"><is><t>{escape(cell)}</t></is></c>'
