"""What the comment at the top of a view's or macro's file declares."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile

from queries.release import SHIPPED, SqlFile

_PER_RUN = "kept per run"
_HOOK = "hook"
_INTERNAL = "internal"
_RULES = "rules"
_CONTINUED = "--   "
"""How a line begins that goes on with the declaration above."""


@dataclass(frozen=True)
class Head:
    """The head of a file. An indented line (`--   text`) continues the declaration above it.

    Attributes:
        comment: what it says of the view, in one line.
        columns: comments of columns (`-- @column text`).
        is_per_run: `-- @kept per run`: a run's rows depend on that run's own facts alone.
        hook: `-- @hook text`: the view is meant to be changed, and what a changed one must keep.
        is_internal: `-- @internal`: other views rest on it, and nobody queries it. `latest` does not
            have it.
        rules: `-- @rules NAME ...`: it has rows of questions of these rules of benchmarks alone; None: it
            may have others.
    """

    comment: str
    columns: dict[str, str] = field(default_factory=dict)
    is_per_run: bool = False
    hook: str | None = None
    is_internal: bool = False
    rules: frozenset[str] | None = None


def head(file: SqlFile) -> Head:
    """The head of a file: its first lines, as far as they are comments."""
    prose: list[str] = []
    declared: list[str] = []
    for line in takewhile(lambda line: line.startswith("--"), file.text.splitlines()):
        text = line.removeprefix("--").strip()
        if text.startswith("@"):
            declared.append(text.removeprefix("@"))
        elif declared and line.startswith(_CONTINUED):
            declared[-1] += f" {text}"
        else:
            prose.append(text)
    columns: dict[str, str] = {}
    is_per_run, is_internal, hook, rules = False, False, None, None
    for text in declared:
        name, _, rest = text.partition(" ")
        if text == _PER_RUN:
            is_per_run = True
        elif text == _INTERNAL:
            is_internal = True
        elif name == _HOOK:
            hook = rest
        elif name == _RULES:
            rules = frozenset(rest.split())
        else:
            columns[name] = rest
    return Head(" ".join(prose), columns, is_per_run, hook, is_internal, rules)


@lru_cache
def shared_column_comments() -> dict[str, str]:
    """Comments of the columns that mean the same in every view."""
    text = (SHIPPED / "columns.toml").read_text(encoding="utf-8")
    return dict(tomllib.loads(text)["columns"])
