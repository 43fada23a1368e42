"""What the comment at the top of a view's or macro's file declares."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile

from queries.release import SHIPPED, SqlFile

_TABLE = {
    "table per run": "per run",
    # As earlier releases of users have it.
    "kept per run": "per run",
    "table of all runs": "of all runs",
}
_HOOK = "hook"
_INTERNAL = "internal"
_RULES = "rules"
_JUDGMENTS_OF = "judgments_of"
_KEY = "key"
_ROWS_OF = "rows_of"
_STORED_IN = "stored_in"
_ENGINES = "engines"
BOTH, DUCKDB = "both", "duckdb"
"""What a head may name as engines."""
_CONTINUED = "--   "
"""How a line begins that goes on with the declaration above."""


@dataclass(frozen=True)
class Head:
    """The head of a file. An indented line (`--   text`) continues the declaration above it.

    Attributes:
        comment: what it says of the view, in one line.
        columns: comments of columns (`-- @column text`).
        table: `-- @table per run`: its rows are stored, each run's from facts and results of that run
            alone; `-- @table of all runs`: stored, and all made anew whenever a run is computed.
        hook: `-- @hook text`: the view is meant to be changed, and what a changed one must keep.
        is_internal: `-- @internal`: other views rest on it, and nobody queries it. `latest` does not
            have it.
        judgments_of: `-- @judgments_of VIEW ...`: results want of its rows those alone that are of the
            subjects of these views.
        rules: `-- @rules NAME ...`: it has rows of questions of these rules of benchmarks alone; None: it
            may have others.
        key: `-- @key COLUMN ...`: what tells the rows of a run apart.
        rows_of: `-- @rows_of VIEW`: it has rows where that view has some.
        stored_in: `-- @stored_in RESULT [CONDITION]`: that result has its rows, those of the condition, and
            a query of it reads them there; in what comes with the package alone.
        engines: `-- @engines both`: a macro of functions that the dialect translates, and of which a test
            shows that both engines agree; `-- @engines duckdb`: it cannot be had on Spark.
    """

    comment: str
    columns: dict[str, str] = field(default_factory=dict)
    table: str | None = None
    hook: str | None = None
    is_internal: bool = False
    rules: frozenset[str] | None = None
    judgments_of: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    rows_of: str | None = None
    stored_in: str | None = None
    engines: str | None = None


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
    table, is_internal, hook, rules, rows_of = None, False, None, None, None
    stored_in, engines = None, None
    judgments_of: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    for text in declared:
        name, _, rest = text.partition(" ")
        if text in _TABLE:
            table = _TABLE[text]
        elif text == _INTERNAL:
            is_internal = True
        elif name == _HOOK:
            hook = rest
        elif name == _RULES:
            rules = frozenset(rest.split())
        elif name == _JUDGMENTS_OF:
            judgments_of = tuple(rest.split())
        elif name == _KEY:
            key = tuple(rest.split())
        elif name == _ROWS_OF:
            rows_of = rest
        elif name == _STORED_IN:
            stored_in = rest
        elif name == _ENGINES:
            engines = rest.partition(" ")[0]
        else:
            columns[name] = rest
    return Head(
        " ".join(prose),
        columns,
        table,
        hook,
        is_internal,
        rules,
        judgments_of,
        key,
        rows_of,
        stored_in,
        engines,
    )


@lru_cache
def shared_column_comments() -> dict[str, str]:
    """Comments of the columns that mean the same in every view."""
    text = (SHIPPED / "columns.toml").read_text(encoding="utf-8")
    return dict(tomllib.loads(text)["columns"])
