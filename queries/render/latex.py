"""Tables in LaTeX: a tabular with the rules of booktabs, its notes in it."""

from __future__ import annotations

import re
from textwrap import wrap

from tabulate import tabulate

from queries.decimals import NOTHING
from queries.render.printed import Printed, one_line, sections, styled
from warehouse.files.visible import visible

_NEGATIVE = re.compile(r"-[0-9.]")
_STYLES = (r"\textbf{{{}}}", r"\underline{{{}}}", r"\textit{{{}}}")
_ESCAPES = {
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    # Other signs in a font of seven bits, or in none.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "−": "$-$",
    "±": r"$\pm$",
    "→": r"$\rightarrow$",
    "Δ": r"$\Delta$",
}


def latex(table: Printed) -> str:
    """The table with its title in a comment above; its settings and notes are rows below the last rule.

    A divider is a row over all columns.
    """
    n = len(table.columns)
    body, dividers = [], []
    for divider, row in sections(table):
        dividers.append(divider)
        body.append(_guarded(styled(row, _cell, _STYLES)))
    drawn = tabulate(
        body,
        _guarded([_text(h) for h in table.headings]),
        "latex_raw",
        disable_numparse=True,
        colalign=["left" if column.is_text else "right" for column in table.columns],
    )
    rules = iter((r"\toprule", r"\midrule", r"\bottomrule"))
    drawn_lines = [next(rules) if line == r"\hline" else line for line in drawn.splitlines()]
    head, last = len(drawn_lines) - len(body) - 2, len(drawn_lines) - 2
    lines = drawn_lines[:head]
    for divider, line in zip(dividers, drawn_lines[head:last], strict=True):
        if divider is not None:
            lines += [r"\midrule"] if len(lines) > head else []
            lines.append(_across(n, rf"\textit{{{_text(divider)}}}"))
        lines.append(line)
    title = [f"% {one_line(visible(table.title))}"] if table.title else []
    return "\n".join(
        [
            *title,
            r"% \usepackage{booktabs}",
            *lines,
            drawn_lines[last],
            *(_across(n, rf"\footnotesize {_text(line)}") for line in _notes(table)),
            *drawn_lines[last + 1 :],
        ]
    )


def _notes(table: Printed) -> list[str]:
    """Settings and notes in lines about as long as the table is wide, so that they do not widen it."""
    cells = [row.cells for row in table.rows]
    widths = [
        max([len(column.heading), *(len(row[n].text) for row in cells)])
        for n, column in enumerate(table.columns)
    ]
    room = max(round(1.2 * sum(width + 2 for width in widths)), 40)
    said = [one_line(visible(note)) for note in (table.settings, *table.notes) if note]
    return [line for note in said for line in wrap(note, room)]


def _across(n: int, text: str) -> str:
    return rf"\multicolumn{{{n}}}{{l}}{{{text}}} \\"


def _cell(text: str) -> str:
    """A figure has a minus sign, and nothing is a dash."""
    if text == NOTHING:
        return "--"
    return f"$-${_text(text[1:])}" if _NEGATIVE.match(text) else _text(text)


def _guarded(row: list[str]) -> list[str]:
    """A row of which the line's end before it takes nothing for its own: \\\\[…] and \\\\*."""
    return [f"{{}}{row[0]}", *row[1:]] if row and row[0].startswith(("[", "*")) else row


def _text(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in one_line(visible(text)))
