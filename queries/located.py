"""Where a view or macro names views, tables and macros, so that its text can get their schemas."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from queries.lint import parse_file
from queries.sql_files import SqlFile
from warehouse.errors import EvalhouseError
from warehouse.later import exp


@dataclass(frozen=True)
class Mention:
    """A name in a text: where it begins; `schema` is "" where the text names none."""

    place: int
    schema: str
    name: str


@dataclass(frozen=True)
class Located:
    """What a file names, in the order of its text, and the names that its WITH gives."""

    mentions: tuple[Mention, ...]
    with_names: frozenset[str]


@lru_cache(maxsize=1024)
def located(file: SqlFile, macros: frozenset[str]) -> Located:
    """Find what a view's SELECT or a macro's body names; of a macro also its own name.

    Args:
        macros: what of its functions is a macro.

    Raises:
        EvalhouseError: the file is not allowed (see `queries.lint.parse_file`).
    """
    try:
        tree = parse_file(file, macros)
        with_names = frozenset(cte.alias for cte in tree.find_all(exp.CTE))
        # The head of a macro is a table to the parser.
        own = tree.this.this if file.kind == "macro" else None
        found = [
            Mention(_place(one.args.get("db") or one.this), one.db, one.name)
            for one in tree.find_all(exp.Table)
            if one is own or one.db or one.name not in with_names
        ]
        calls = [one for one in tree.find_all(exp.Anonymous) if one.name in macros]
        found += [Mention(_place(one), "", one.name) for one in calls]
    except RecursionError as error:
        raise EvalhouseError(f"{file.place}: is nested too deeply") from error
    return Located(tuple(sorted(found, key=lambda one: one.place)), with_names)


def _place(named: exp.Expr) -> int:
    return int(named.meta["start"])
