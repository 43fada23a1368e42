"""Settings in YAML, of which the names of the first level are read, and the rest is left as text."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from ingest.reading.lines import whole_text
from warehouse.errors import InputError

_BLOCK = re.compile(r"^(\w+):(.*(?:\n(?:[ -].*|$))*)", re.MULTILINE)


def read(path: Path) -> dict[str, str]:
    """What stands below each name of the first level, as text; empty: it cannot be read."""
    try:
        text = whole_text(path)
    except (InputError, OSError):
        return {}
    blocks = {name: textwrap.dedent(block).strip() for name, block in _BLOCK.findall(text)}
    return {name: block.strip("'\"") for name, block in blocks.items() if block not in ("", "null")}
