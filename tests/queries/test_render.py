"""Tables in every format: texts stay texts, numbers stay numbers, and nothing is fetched."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import zipfile
from html.parser import HTMLParser
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree

import fastexcel
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from evalhouse import UsageError, cli
from queries import render
from queries.board import Board, Line
from queries.board import Cell as Score
from queries.decimals import decimals, percent
from queries.render.comma import csv_text, guarded
from queries.render.printed import Cell, Column, Printed, Row
from queries.render.xlsx import sheet_names
from tests.commands import run
from tests.conftest import ROOT
from tests.evalhouse.test_cli import lab

__all__ = ["lab"]

NASTY = "<script>alert(\"1\")</script> & 'x' _*|"
_TEXTS = ("td", "th", "title")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def table(*texts: str, title: str = "", notes: tuple[str, ...] = ()) -> Printed:
    rows = tuple(Row((Cell(text, text), Cell("1.25", 1.25, place=1, star=True))) for text in texts)
    columns = (Column("Model", is_text=True), Column("Score", digits=2))
    return Printed("t", title, columns, rows, notes=notes)


class Read(HTMLParser):
    """What a browser would see: tags with their attributes, and the texts of cells and titles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.texts: list[str] = []
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "srcset")]
        if tag in _TEXTS:
            self.texts.append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag not in _TEXTS

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.texts[-1] += data


def sheets(content: bytes) -> dict[str, list[list[object]]]:
    """A workbook's cells, with the types that they have in it."""
    book = fastexcel.read_excel(content)
    read = {}
    for name in book.sheet_names:
        frame = book.load_sheet(name, header_row=None, dtypes="string").to_polars()
        read[name] = [list(row) for row in frame.iter_rows()]
    return read


def cell_types(content: bytes) -> list[str]:
    """The type of each filled cell of the first sheet in the file itself: s text, n number, f formula."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
        assert not [name for name in book.namelist() if "rels" in name and "sheet" in name]
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    assert not list(sheet.iter(f"{space}f"))
    assert not list(sheet.iter(f"{space}hyperlink"))
    return [cell.get("t", "n") for cell in sheet.iter(f"{space}c") if len(cell)]


# CSV


@given(TEXTS)
@example("=1+1")
@example("-")
@example("-5.2")
@example("-5_2")
@example("- a list")
@example("\t=1")
@example("a\r=1")
@example("\r")
@example("\n")
@example("＝1")
@example("+")
@example("@SUM(1)")
def test_no_text_in_a_csv_is_a_formula(text: str) -> None:
    (row,) = csv.reader(io.StringIO(csv_text([[text]]), newline=""))
    (back,) = row or [""]
    assert back in (text, f"'{text}")
    if back[:1] in ("=", "+", "-", "@", "\t", "\r", "\n"):
        assert back in ("+", "-") or re.fullmatch(
            r"[+-]([0-9.]+(e[+-]?[0-9]+)?|nan|inf|infinity)", back, re.IGNORECASE
        )
    else:
        assert (back == f"'{text}") == text.startswith(
            ("=", "+", "-", "@", "\t", "\r", "\n", *"＝＋－＠")
        )


@pytest.mark.parametrize("number", [-1, -0.5, 3.25, float("-inf"), None, True])
def test_what_is_no_text_is_left_alone(number: object) -> None:
    assert guarded(number) is number


def test_a_query_s_csv_is_safe_and_its_numbers_are_numbers() -> None:
    frame = pl.DataFrame({"=a": ["=1+1", "-2", "plain"], "n": [-1.5, 2.0, None]})
    assert render.render_frame(frame, "csv") == "'=a,n\n'=1+1,-1.5\n-2,2.0\nplain,"


# HTML


def test_texts_stay_texts_in_html() -> None:
    page = render.render_tables([table(NASTY, "µ", title=NASTY, notes=(NASTY,))], "html")
    read = Read(page)
    assert "script" not in read.tags
    assert read.texts.count(NASTY) == 4  # the page's title, the table's, the cell, the note
    assert read.texts.count("1.25*") == 2
    assert read.links == []
    assert not re.search(r"https?:|//|url\(|@import|javascript:", page)
    assert "font-weight: bold" in page


@settings(max_examples=20, deadline=None)
@given(TEXTS)
def test_any_text_stays_text_in_html(text: str) -> None:
    want = Read("<td>x</td>").texts
    assert want == ["x"]
    tags = Read(render.render_tables([table("plain", title="plain")], "html")).tags
    assert Read(render.render_tables([table(text, title=f"{text}.")], "html")).tags == tags


def test_headings_and_dividers_stay_texts_in_html() -> None:
    rows = tuple(Row((Cell("a", "a"),), section=NASTY) for _ in range(2))
    page = render.render_tables([Printed("t", "", (Column(NASTY),), rows)], "html")
    assert Read(page).texts.count(NASTY) == 2
    assert "script" not in Read(page).tags


# xlsx


def test_a_workbook_holds_numbers_as_numbers_and_texts_as_texts() -> None:
    texts = ("=1+1", "https://example.com", "42", "@x", "a\x01b_x0041_", "µ <b>", "{=1}")
    content = render.pack_tables([table(*texts)], "xlsx")
    assert cell_types(content) == ["s", "s", *(["s", "n"] * len(texts))]
    (rows,) = sheets(content).values()
    assert [row[0] for row in rows] == ["Model", *texts]
    assert {row[1] for row in rows[1:]} == {"1.25"}
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        styles = book.read("xl/styles.xml").decode()
    assert 'formatCode="0.00&quot;*&quot;"' in styles
    assert content == render.pack_tables([table(*texts)], "xlsx")


@given(st.lists(TEXTS | st.just("History") | st.just("Sheet"), max_size=12))
@example(["a" * 40, "A" * 40, "a" * 31, "[]:*?/\\", "'x'", ""])
def test_sheets_have_legal_names_each_once(names: list[str]) -> None:
    legal = sheet_names(names)
    assert len(legal) == len(names)
    assert len({name.lower() for name in legal}) == len(names)
    for name in legal:
        assert 1 <= len(name) <= 31
        assert not re.search(r"[\[\]:*?/\\]", name)
        assert not name.startswith("'") or name.endswith("'")
        assert name.lower() != "history"


def test_what_a_workbook_does_not_hold_is_said() -> None:
    with pytest.raises(UsageError, match=r"32,768 characters in row 2 does not fit"):
        render.pack_frame(pl.DataFrame({"text": ["x" * 32_768]}), "xlsx")
    wide = pl.DataFrame({f"c{n}": [n] for n in range(16_385)})
    with pytest.raises(UsageError, match="do not fit into a sheet"):
        render.pack_frame(wide, "xlsx")


def test_numbers_that_a_workbook_does_not_hold_are_texts() -> None:
    frame = pl.DataFrame({"n": [2**53 + 1, 7], "x": [float("nan"), float("inf")]})
    content = render.pack_frame(frame, "xlsx")
    assert cell_types(content) == ["s", "s", "s", "s", "n", "s"]
    (rows,) = sheets(content).values()
    assert rows[1:] == [["9007199254740993", "nan"], ["7", "inf"]]


# The other texts


def test_texts_cannot_leave_their_place() -> None:
    one = table("a\nb\x1b[31m|*", title="t\n\\input{x}")
    latex = render.render_tables([one], "latex")
    assert latex.startswith("% t \\input{x}\n")  # one comment
    assert "a b␛[31m|*" in latex
    assert r"a<br>b␛\[31m\|\*" in render.render_tables([one], "markdown")
    assert "\x1b" not in render.render_tables([one], "table")
    assert r"\textless{}b\textgreater{} $\leq$" in render.render_tables([table("<b> ≤")], "latex")


# Leaderboards


def score(fraction: float | None, *, low: float = 0, high: float = 1, best: int | None = None) -> Score:  # fmt: skip
    low, high = (low, high) if fraction is None else (fraction, fraction)
    return Score(
        8, 8, None if fraction is None else fraction * 8, fraction, fraction, low, high, 0.1, best
    )


def board(model: str) -> Board:
    lines = (
        Line(1, model, "r", "generation", (score(0.8125, best=1), None), 0, 0),
        Line(None, "-", "r", "generation", (score(None, high=0.25), score(0.5, best=1)), 2, 0),
    )
    return Board(
        "Own", "Own/dev", "topic", "circular", "none", "latest", "micro", ("Overall", "odd"), lines
    )


def test_a_board_in_files() -> None:
    made = board("=cmd")
    (rows,) = sheets(render.pack_boards([made], "xlsx", digits=1)).values()
    assert (rows[0][0], rows[1][0]) == (made.title, made.settings)
    assert rows[3:] == [
        ["Rank", "Model", "Overall", "odd", "Right", "Pending"],
        ["1", "=cmd", "81.25", None, "6.5/8", None],
        [None, "-", "0.0–25.0", "50", None, "2"],
    ]
    names = list(sheets(render.pack_boards([made, made], "xlsx")))
    assert names == ["Own dev Overall", "Own dev Overall (2)"]
    long = pl.read_parquet(render.pack_boards([made], "parquet"))
    assert long.select("model", "column", "score", "high").rows() == [
        ("=cmd", "Overall", 0.8125, 0.8125),
        ("-", "Overall", None, 0.25),
        ("-", "odd", 0.5, 0.5),
    ]
    rows = list(csv.reader(io.StringIO(render.render_boards([made], "csv", digits=1))))
    assert rows[1:] == [
        ["Own/dev", "1", "'=cmd", "r", "81.3", "", "6.5/8", ""],
        ["Own/dev", "", "-", "r", "0.0–25.0", "50.0", "", "2"],
    ]


def test_an_empty_board_is_a_table_in_every_format() -> None:
    empty = Board("Own", "Own", "topic", "circular", "none", "latest", "micro", ("Overall",))
    for fmt in render.FORMATS:
        made = render.pack_boards if fmt in render.BINARY else render.render_boards
        assert made([empty], fmt)


@pytest.mark.parametrize(("value", "digits", "shown"), [
    (0.05, 1, "0.1"), (-0.05, 1, "-0.1"), (-0.04, 1, "0.0"), (28.75, 1, "28.8"), (2.5, 0, "3"),
    (33.588, 1, "33.6"), (0.1 + 0.2, 9, "0.300000000"), (float("nan"), 1, "nan"),
])  # fmt: skip
def test_rounding(value: float, digits: int, shown: str) -> None:
    assert decimals(value, digits) == shown


@given(st.floats(0, 1), st.integers(0, 6))
def test_percent_is_near(fraction: float, digits: int) -> None:
    assert abs(float(percent(fraction, digits)) - 100 * fraction) <= 0.5 * 10**-digits + 1e-8


# The commands


@pytest.mark.slow
def test_leaderboards_go_to_files(lab: Path) -> None:
    for fmt, begins in (("html", b"<!DOCTYPE html>"), ("xlsx", b"PK"), ("parquet", b"PAR1")):
        done = run("evalhouse", "leaderboard", "Own", "--format", fmt, "-o", f"b.{fmt}", cwd=lab)
        assert (done.code, done.out, done.err) == (0, "", "")
        assert (lab / f"b.{fmt}").read_bytes().startswith(begins)
    long = pl.read_parquet(lab / "b.parquet")
    (written,) = json.loads(run("evalhouse", "leaderboard", "Own", "--format", "json", cwd=lab).out)
    cells = [
        (row["model"], name, cell["score"])
        for row in written["rows"]
        for name, cell in row["scores"].items()
    ]
    assert long.select("model", "column", "score").rows() == cells
    shown = run("evalhouse", "leaderboard", "Own", "--format", "html", cwd=lab).out
    assert shown.encode() == (lab / "b.html").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("fmt", ["xlsx", "parquet"])
@pytest.mark.parametrize("words", [["leaderboard", "Own"], ["sql", "SELECT 1 AS one"]])
def test_binary_formats_want_a_file(lab: Path, words: list[str], fmt: str) -> None:
    done = run("evalhouse", *words, "--format", fmt, cwd=lab)
    assert (done.code, done.out, f"{fmt} goes to a file: give -o FILE" in done.err) == (2, "", True)
    done = run("evalhouse", *words, "--format", fmt, "-o", "/nonexistent/x", cwd=lab)
    assert (done.code, "/nonexistent/x: cannot be written" in done.err) == (2, True)


def imported_by(module: str) -> set[str]:
    """The packages that importing a module imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", f"import {module}"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}


def test_start_up_imports_no_library_for_drawing() -> None:
    imported = imported_by("evalhouse.cli_query")
    assert "duckdb" in imported
    assert not imported & {"altair", "great_tables", "vl_convert", "xlsxwriter"}


def test_the_list_of_commands_needs_no_engine() -> None:
    imported = imported_by("evalhouse.cli")
    assert "typer" in imported
    assert not imported & {"duckdb", "polars", "numpy", "pyarrow", "sqlglot", "openai"}


def test_each_command_is_listed_with_its_own_help() -> None:
    listed = cli.app.info.cls(name="evalhouse").commands  # type: ignore[union-attr]
    assert list(listed) == list(cli.COMMANDS)
    for name, stub in listed.items():
        assert (stub.load().name, stub.load().get_short_help_str(200)) == (name, stub.help)


def test_files_are_named_alike_by_every_command() -> None:
    """-o, --output and --out are one option wherever one of them is; --version prints the version."""
    found = []
    group = cli.app.info.cls(name="evalhouse")  # type: ignore[union-attr]
    commands = [stub.load() for stub in group.commands.values()]
    while commands:
        command = commands.pop()
        commands += getattr(command, "commands", {}).values()
        for option in command.params:
            if {"-o", "--output", "--out"} & set(option.opts):
                found.append(command.name)
                assert {"-o", "--output", "--out"} <= set(option.opts), command.name
    assert len(found) > 10
    said = CliRunner().invoke(cli.app, ["--version"])
    assert said.output == f"evalhouse {version('evalhouse')}\n"
