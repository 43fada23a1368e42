"""Studies: what scores are worth, as views of the folder `studies` that no board needs.

They are installed as the schema `studies` on request (`evalhouse releases install studies`); commands
compute them on their connection.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

import duckdb

from queries import attached, install, session
from queries import release as releases
from queries.heads import head
from queries.install import LATEST
from queries.release import STUDIES
from warehouse import connection, statements
from warehouse.errors import UsageError
from warehouse.later import pl

_SQL = statements.of_module(__file__)
_MOST_VALUES = 12
"""So many values of a column are named."""


def listed(release: str = LATEST) -> pl.DataFrame:
    """Every study that can be asked for: its name, and what it says."""
    rows = [
        {"study": file.name, "what": head(file).comment.partition(". ")[0].rstrip(".")}
        for file in releases.load(release).files_of(STUDIES)
        if file.kind == "view" and not head(file).is_internal
    ]
    return pl.DataFrame(rows, schema={"study": pl.String, "what": pl.String}).sort("study")


def sources(
    con: duckdb.DuckDBPyConnection, names: Sequence[str], release: str = LATEST
) -> dict[str, str]:
    """Make studies upon a release on this connection; return where each is, to stand in a query.

    Raises:
        UsageError: there is no such study or release.
    """
    used = session.use_release(con, release)
    own = releases.default_name() if used == LATEST else used
    shipped = releases.load(own if own in releases.shipped_names() else release)
    known = {file.name for file in shipped.files_of(STUDIES)}
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=3, cutoff=0.5)
            hint = f"there is {' or '.join(near)}" if near else "`evalhouse study` lists them"
            raise UsageError(f"no study {name!r}; {hint}")
    ((catalog,),) = con.execute("SELECT current_database()").fetchall()
    if catalog == attached.CATALOG:
        there = {file.name: attached.inside(own) for file in shipped.lasting_files}
    else:
        there = {
            item: f'{connection.CATALOG}"."{where}'
            for item, where in install.schemas_of(con, own).items()
        }
    return attached.make_studies(con, shipped, names, there)


def rows(
    con: duckdb.DuckDBPyConnection,
    name: str,
    where: Mapping[str, object | None] | None = None,
    *,
    release: str = LATEST,
) -> pl.DataFrame:
    """The rows of a study, ordered by its columns from the left.

    Args:
        where: values of columns; None: all.

    Raises:
        UsageError: there is no such study, or it has no such column.
    """
    (source,) = sources(con, [name], release).values()
    columns = con.sql(f"SELECT * FROM {source}").columns
    chosen = {column: value for column, value in (where or {}).items() if value is not None}
    for column in chosen:
        if column not in columns:
            raise UsageError(f"{name} has no {column} to choose")
    sql = f"SELECT * FROM {source}"
    if chosen:
        same = (f'lower(CAST("{column}" AS VARCHAR)) = lower(?)' for column in chosen)
        sql += " WHERE " + " AND ".join(same)
    first = [one for one in ("place", "dataset", "model") if one in columns]
    order = ", ".join(f'"{one}"' for one in (*first, *(c for c in columns if c not in first)))
    return session.frame_of(con, f"{sql} ORDER BY {order}", [str(one) for one in chosen.values()])


def suspects(
    con: duckdb.DuckDBPyConnection, dataset: str, judge: str, *, most: int, release: str = LATEST
) -> tuple[int, list[dict[str, object]]]:
    """The questions of a dataset whose key is probably wrong, most so first: how many, and the first of them.

    Args:
        dataset: its name.
        judge: whose verdicts the models' labels are seen under.
        most: how many are given.
        release: a release by name, or the folder of one.
    """
    (source,) = sources(con, ["suspect_answer"], release).values()
    found = session.frame_of(
        con, _SQL["suspect_answers"].format(source=source), [dataset, judge, most]
    ).to_dicts()
    return (found[0]["n_all"] if found else 0), found


def chosen(frame: pl.DataFrame, name: str, where: Mapping[str, object | None]) -> pl.DataFrame:
    """Those rows of a study that have these values, as `rows` chooses them.

    Raises:
        UsageError: it has no such column.
    """
    for column, value in where.items():
        if column not in frame.columns:
            raise UsageError(f"{name} has no {column} to choose")
        if value is not None:
            frame = frame.filter(
                pl.col(column).cast(pl.String).str.to_lowercase() == str(value).lower()
            )
    return frame


def none_chosen(frame: pl.DataFrame, where: Mapping[str, object]) -> str:
    """That no row of a study has these values, and what there is of those that none has."""
    said = [f"no row with {' and '.join(f'{column}={value}' for column, value in where.items())}"]
    for column, value in where.items():
        there = frame[column].drop_nulls().cast(pl.String).unique().sort().to_list()
        if str(value).lower() not in (one.lower() for one in there):
            more = f" and {len(there) - _MOST_VALUES:,} more" if len(there) > _MOST_VALUES else ""
            said.append(f"{column} is {', '.join(there[:_MOST_VALUES]) or 'not known'}{more}")
    return "; ".join(said)


def conditions(given: Sequence[str]) -> dict[str, str]:
    """COLUMN=VALUE as they were given, by column.

    Raises:
        UsageError: one is not of that form.
    """
    found = {}
    for one in given:
        column, mark, value = one.partition("=")
        if not (mark and column.isidentifier()):
            raise UsageError(f"--where is COLUMN=VALUE, not {one!r}")
        found[column] = value
    return found


def needs(name: str, release: str = LATEST) -> str:
    """What a study says of itself."""
    return head(releases.load(release).views[name]).comment
