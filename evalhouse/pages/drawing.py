"""Pages from templates. Texts stay texts: nothing of a model's, a judge's or a file's is markup."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from evalhouse.pages.links import Links
from queries.decimals import NOTHING, percent
from warehouse.files.visible import visible

HERE = Path(__file__).parent
STATIC = HERE / "static"
LONGEST = 20_000
"""Characters of a text that a page shows; it says where it has more."""

_INVISIBLE = {
    code: f"\\u{code:04x}"
    for code in (0x00AD, 0x061C, *range(0x200B, 0x2010), *range(0x2060, 0x2065), 0xFEFF)
}
"""What is not seen and can still change how the text around it looks."""


def page(template: str, links: Links, values: Mapping[str, object]) -> str:
    """A page of HTML.

    Args:
        template: its file in templates.
        links: where the other pages are.
        values: what the template names.
    """
    return _environment().get_template(template).render(links=links, **values)


def seen(text: str) -> str:
    """Text whose control characters, and marks that turn or hide text, are seen."""
    return visible(text).translate(_INVISIBLE)


@lru_cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_final,
    )
    made.filters |= {
        "percent": lambda value, digits=1: percent(value, digits),
        "count": lambda value: NOTHING if value is None else f"{value:,}",
        "number": _number,
        "money": lambda value: NOTHING if value is None else f"${value:,.4f}",
        "day": _day,
        "cut": _cut,
        "bidi": _isolated,
    }
    return made


def _final(value: object) -> object:
    if value is None:
        return NOTHING
    return seen(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _number(value: object) -> str:
    if value is None:
        return NOTHING
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _day(value: datetime | None) -> str:
    return NOTHING if value is None else f"{value:%Y-%m-%d %H:%M}"


def _cut(text: str | None, most: int = LONGEST) -> str:
    if text is None:
        return NOTHING
    return text if len(text) <= most else f"{text[:most]} … ({len(text):,} characters)"


def _isolated(text: str | None) -> Markup:
    """A text from outside in an element of its own, whose direction changes nothing around it."""
    if text is None:
        return Markup(NOTHING)
    return Markup("<bdi>{}</bdi>").format(seen(text))
