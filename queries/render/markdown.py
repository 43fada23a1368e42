"""Tables in Markdown (pipes)."""

from __future__ import annotations

from tabulate import tabulate

from queries.render.printed import Printed, sections, styled, visible

_STYLES = ("**{}**", "<u>{}</u>", "*{}*")


def markdown(table: Printed) -> str:
    """The table with its title above and its notes below; a divider is a row of its own."""
    body = []
    for divider, row in sections(table):
        if divider is not None:
            body.append([f"*{_text(divider)}*", *[""] * (len(table.columns) - 1)])
        body.append(styled(row, _text, _STYLES, r"\*"))
    drawn = tabulate(body, [_text(h) for h in table.headings], "pipe", disable_numparse=True)
    parts = [visible(table.title), drawn, *(_text(note) for note in table.notes)]
    return "\n\n".join(part for part in parts if part)


def _text(text: str) -> str:
    text = visible(text).replace("\\", "\\\\").replace("|", "\\|")
    return text.replace("\n", "<br>").replace("*", "\\*")
