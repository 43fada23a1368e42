"""Text as HTML, and a page around what is HTML already."""

from __future__ import annotations

import html
from collections.abc import Sequence

from warehouse.files.visible import visible


def page(title: str, bodies: Sequence[str]) -> str:
    """A page of HTML. `title` is text, `bodies` are HTML."""
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            f'<head><meta charset="utf-8"><title>{text(title)}</title></head>',
            "<body>",
            *bodies,
            "</body>",
            "</html>",
        ]
    )


def text(plain: str) -> str:
    """Text as HTML."""
    return html.escape(visible(plain))
