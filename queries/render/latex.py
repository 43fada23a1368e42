"""Tables in LaTeX (tabular)."""

from __future__ import annotations

from tabulate import tabulate

from queries.render.printed import Printed, one_line, sections, styled
from warehouse.files.visible import visible

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
    """The table with its title in a comment above; notes follow, a divider is a separate row."""
    body = []
    for divider, row in sections(table):
        if divider is not None:
            body.append([rf"\textit{{{_text(divider)}}}", *[""] * (len(table.columns) - 1)])
        body.append(_guarded(styled(row, _text, _STYLES)))
    drawn = tabulate(
        body, _guarded([_text(h) for h in table.headings]), "latex_raw", disable_numparse=True
    )
    title = f"% {one_line(visible(table.title))}\n" if table.title else ""
    return title + "\n\n".join([drawn, *(_text(note) for note in table.notes)])


def _guarded(row: list[str]) -> list[str]:
    """A row of which the line's end before it takes nothing for its own: \\\\[…] and \\\\*."""
    return [f"{{}}{row[0]}", *row[1:]] if row and row[0].startswith(("[", "*")) else row


def _text(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in one_line(visible(text)))
