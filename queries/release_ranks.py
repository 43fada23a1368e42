"""How far releases rank models alike: what the study rank_agreement has of columns, between releases."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import duckdb

from queries import compare, session
from queries import release as releases
from warehouse.errors import UsageError
from warehouse.later import pl

STUDY = "rank_agreement"


def rows(con: duckdb.DuckDBPyConnection, names: Sequence[str]) -> pl.DataFrame:
    """Kendall's tau-b between each two releases, by dataset and judge: rows of rank_agreement of the kind release.

    Args:
        names: releases by name, or folders of them; those that are not installed are computed in the
            connection.

    Raises:
        UsageError: no such release, or fewer than two.
    """
    found = {one.name: one for one in (releases.load(name) for name in names)}
    if len(found) < 2:
        raise UsageError(
            f"{', '.join(found) or 'nothing'} is one release: a second one is to be compared with it"
        )
    frames = []
    for one, other in combinations(sorted(found), 2):
        schemas = compare.schemas(con, found[one], found[other])
        sql = compare.statement("release_ranks", schemas, found[one], found[other])
        frames.append(session.frame_of(con, sql, {"one": one, "other": other}))
    return pl.concat(frames)
