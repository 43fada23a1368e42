"""Names that look like markup show as they are, in every format: Markdown is read by a parser to see it."""

from __future__ import annotations

import csv
import io
from html.parser import HTMLParser

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from queries import render
from queries.render.printed import Cell, Column, Printed, Row
from queries.show import QuestionView
from queries.show import render as show
from warehouse.files.visible import visible

NASTY = (
    "# heading", "1. item", "- item", "> quote", "*a* **b** _c_ __d__", "a_b_c", "`code` ```", "~~gone~~", "$x$",
    "[text](http://x.example)", "![i](https://x.example/i.png)", "<b>bold</b>", "<script>alert(1)</script>",
    "http://x.example/?a=1&b=2", "www.x.example", "a@b.example", "&amp; &lt; & &#35;", "a|b", "a\\|b", "\\", "a\\",
    "\\*", "two\nlines", "|---|", "===", "[red]bold[/red]", "[/]", ":smile:", "\x1b[2J\x1b]0;t\x07", "\x9b31m",
    "\u202eevil", "'\"", "=1+1", "＝1+1", "\n=1", "{{a^2}}", "*", "[1]", "%&$#_{}~^\\", "<!-- -->", "]]>", "  x  ",
)  # fmt: skip
_READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_TEXT = st.lists(
    st.sampled_from(
        [
            "a",
            "B7",
            " ",
            "_",
            "*",
            "\\",
            "|",
            "`",
            "<",
            ">",
            "[",
            "]",
            "(",
            ")",
            "!",
            "#",
            "~",
            "&",
            ";",
            "amp",
            "-",
            "+",
            "1.",
            "=",
            ":",
            "//",
            "www.",
            "http",
            "@",
            "$",
            "\n",
            "é",
            "b",
            "/",
            "'",
            '"',
            "{",
            "}",
            "^",
            "%",
            "\t",
        ]
    ),
    max_size=9,
).map("".join)


def _printed(text: str, title: str = "") -> Printed:
    return Printed(
        name=text,
        title=title,
        columns=(Column(f"h {text}", is_text=True), Column("n")),
        rows=(
            Row((Cell(text, text), Cell("1", 1)), section=text),
            Row((Cell(text, text, place=1, star=True), Cell("2", 2)), section=text),
        ),
        notes=(title,) if title else (),
    )


def _said(token: Token) -> str:
    """What a reader shows of a line; a piece that is markup is seen by its name."""
    shown = ""
    for piece in token.children or []:
        if piece.type == "text":
            shown += piece.content
        elif piece.type == "html_inline" and piece.content == "<br>":
            shown += "\n"
        else:
            shown += f"‹{piece.type}›"
    return _plain(shown)


def _plain(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.split("\n")).strip()


@pytest.mark.parametrize("text", NASTY)
def test_markdown_shows_names_as_they_are(text: str) -> None:
    _require_shown(text)


@settings(max_examples=100, deadline=None)
@given(_TEXT)
def test_markdown_shows_any_name_as_it_is(text: str) -> None:
    _require_shown(text)


def _require_shown(text: str) -> None:
    tokens = _READER.parse(render.render_tables([_printed(text, f"{text} t")], "markdown"))
    lines = [_said(token) for token in tokens if token.type == "inline"]
    wanted = _plain(visible(text))
    title = " ".join(f"{visible(text)} t".split())
    assert [token.type for token in tokens if token.level == 0 and token.nesting == 1] == [
        "paragraph_open", "table_open", "paragraph_open",
    ]  # fmt: skip
    cells = [
        title,
        _plain(f"h {visible(text)}"),
        "n",
        f"‹em_open›{wanted or '-'}‹em_close›",
        "",
        wanted,
        "1",
        f"‹strong_open›{wanted}‹strong_close›*" if wanted else None,
        "2",
        title,
    ]
    assert len(lines) == len(cells)
    for found, one in zip(lines, cells, strict=True):
        assert one is None or found == one


class _Texts(HTMLParser):
    """The texts and tags of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize("text", NASTY)
def test_other_formats_show_names_as_they_are(text: str) -> None:
    table = _printed(text, f"{text} t")
    page = _Texts()
    page.feed(render.render_tables([table], "html"))
    assert page.tags <= {
        "html",
        "head",
        "meta",
        "title",
        "body",
        "div",
        "style",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "tfoot",
        "colgroup",
        "col",
        "p",
        "span",
    }
    assert visible(text).strip() in "".join(page.texts)
    for fmt in ("table", "latex", "html", "markdown"):
        drawn = render.render_tables([table], fmt)
        assert not {"\x1b", "\x9b", "\x07", "\u202e"} & set(drawn), fmt
    plain = render.render_tables([table], "table")
    first = visible(text).strip().split("\n")[0]
    assert first in plain
    (row, *_) = list(csv.reader(io.StringIO(render.render_tables([table], "csv"), newline="")))[1:]
    assert not row[0].startswith(("=", "+", "@", "＝", "\t", "\r", "\n"))
    assert row[0].removeprefix("'") == text.removeprefix("'")
    lines = [line for line in render.render_tables([table], "latex").splitlines() if "&" in line]
    assert len(lines) >= 3
    assert not any(line.lstrip().startswith(("[", "*")) for line in lines)
    content = io.BytesIO(render.pack_tables([table], "xlsx"))
    book = pl.read_excel(content, has_header=False, infer_schema_length=0)
    assert any(text.strip()[:3] in (cell or "") for line in book.rows() for cell in line)


def test_a_terminal_does_not_obey_a_question() -> None:
    evil = "\x1b[2J[red]x[/red] :smile:"
    question = {
        "dataset": evil,
        "question_key": evil,
        "abilities": evil,
        "text": evil,
        "attributes": evil,
        "references": evil,
    }
    result = {
        "run_id": 1, "model": evil, "run": evil, "pass": 0, "sample": 0, "judge": evil, "judge_sample": 0,
        "score": 1.0, "resolved_by": evil,
        "prediction": evil, "prompt": evil, "reply": evil, "error": evil, "matched": evil, "rule": None,
        "predicted": None, "answer": None, "attributes": [{"name": evil, "value": evil}],
    }  # fmt: skip
    shown = show(QuestionView(question, [], [result], []))
    assert "\x1b" not in shown
    assert shown.count("␛[2J[red]x[/red] :smile:") == 15
