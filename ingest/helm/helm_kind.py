"""What HELM's `scenario_state.json` is known by."""

from __future__ import annotations

import re
from pathlib import Path

KIND = "helm_state"
COLUMNS = ("adapter_spec", "request_states")

_BEGINS = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"adapter_spec"\s*:')


def kind_of_text(path: Path) -> str | None:
    """`helm_state` if a file begins as a run's states do."""
    with path.open("rb") as file:
        return KIND if _BEGINS.match(file.read(1_000)) else None
