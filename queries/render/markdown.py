"""Tables in Markdown (pipes)."""

from __future__ import annotations

import re

from tabulate import tabulate

from queries.decimals import NOTHING
from queries.render.printed import Printed, one_line, sections, styled
from warehouse.files.visible import visible

_STYLES = ("**{}**", "<u>{}</u>", "*{}*")
# What stands inside of a word is no emphasis: `llava_v1_5` stays as it is.
_MARKS = re.compile(
    r"""[\\`*\[\]|~$]
    | (?<![^\W_])_ | _(?![^\W_])
    | :(?=//) | (?<=\bwww)\. | (?<=\bmailto): | (?<=\bxmpp): | (?<=\S)@(?=\S)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BEGINNING = re.compile(r"(?:[#>+=-]|[0-9]{1,9}(?=[.)]))")
"""What makes a line a heading, a quotation, a list or an underline."""


def escaped(text: str) -> str:
    """Text that shows as it is in a cell, never as markup; lines are broken by <br>.

    Space around it goes: a style at its side would be none.
    """
    shown = _MARKS.sub(r"\\\g<0>", visible(text).strip().replace("&", "&amp;"))
    shown = shown.replace("<", "&lt;").replace(">", "&gt;").replace("\n", "<br>")
    # Alone, it needs no mark, and is often met.
    return re.sub("&amp;(?![#0-9A-Za-z])", "&", shown)


def paragraph(text: str) -> str:
    """Text that shows as it is in a separate paragraph, in one line."""
    shown = escaped(one_line(text).strip())
    found = _BEGINNING.match(shown)
    if found is None:
        return shown
    # A number is a list by the sign behind it.
    place = found.end() if found[0].isdigit() else 0
    return f"{shown[:place]}\\{shown[place:]}"


def markdown(table: Printed) -> str:
    """The table with its title above and its notes below; a divider is a separate row."""
    body = []
    for divider, row in sections(table):
        if divider is not None:
            body.append([f"*{escaped(divider) or NOTHING}*", *[""] * (len(table.columns) - 1)])
        body.append(styled(row, escaped, _STYLES, r"\*"))
    drawn = tabulate(
        body,
        [escaped(h) for h in table.headings],
        "pipe",
        disable_numparse=True,
        colalign=["left" if column.is_text else "right" for column in table.columns],
    )
    parts = [
        paragraph(table.title),
        paragraph(table.settings),
        drawn,
        *(paragraph(note) for note in table.notes),
    ]
    return "\n\n".join(part for part in parts if part)
