"""What the comment at the top of a view's or macro's file declares."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile

from queries.release import SHIPPED, SqlFile

_PER_RUN = "kept per run"
_HOOK = "hook"


@dataclass(frozen=True)
class Head:
    """The head of a file.

    Attributes:
        comment: what it says of the view, in one line.
        columns: comments of columns (`-- @column text`).
        is_per_run: `-- @kept per run`: a run's rows depend on that run's own facts alone.
        hook: `-- @hook text`: the view is meant to be changed, and what a changed one must keep.
    """

    comment: str
    columns: dict[str, str] = field(default_factory=dict)
    is_per_run: bool = False
    hook: str | None = None


def head(file: SqlFile) -> Head:
    """The head of a file: its first lines, as far as they are comments."""
    prose: list[str] = []
    columns: dict[str, str] = {}
    is_per_run, hook = False, None
    for line in takewhile(lambda line: line.startswith("--"), file.text.splitlines()):
        text = line.removeprefix("--").strip()
        name, _, rest = text.removeprefix("@").partition(" ")
        if text == f"@{_PER_RUN}":
            is_per_run = True
        elif not text.startswith("@"):
            prose.append(text)
        elif name == _HOOK:
            hook = rest
        else:
            columns[name] = rest
    return Head(" ".join(prose), columns, is_per_run, hook)


@lru_cache
def shared_column_comments() -> dict[str, str]:
    """Comments of the columns that mean the same in every view."""
    text = (SHIPPED / "columns.toml").read_text(encoding="utf-8")
    return dict(tomllib.loads(text)["columns"])
