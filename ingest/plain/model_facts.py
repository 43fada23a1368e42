"""Facts about models, `models.csv` (or JSONL, Parquet, xlsx): one row per model.

    name               the name that tables print
    aliases            other names in files, with ; between
    family, vision_backbone, language_backbone, kind, capability_level
    parameters_billion a number
    access             open or proprietary
    released_on        a date, YYYY-MM-DD

Later facts supersede earlier ones. An alias under which there are runs already becomes
the same model.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import duckdb

from ingest.adapter import Adapter, Place
from ingest.checks import refuse_empty, refuse_first, refuse_rows
from ingest.facts.other_facts import Facts
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import models, statements
from warehouse.errors import InputError
from warehouse.wording import counted

_SQL = statements.of_module(__file__)
_TEXTS = ("family", "vision_backbone", "language_backbone", "access", "kind", "capability_level")
_FACTS = (*_TEXTS, "parameters_billion", "released_on")


def load(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings, source_id: int
) -> list[str]:
    """Store models, aliases and facts; return what was loaded.

    Raises:
        InputError: a name is missing or stands twice, or a number, date or access is not one.
    """
    _check(con, probe)
    columns = ", ".join(
        f"nullif(trim(CAST({column} AS VARCHAR)), '')" if probe.has(column) else "NULL"
        for column in ("name", "aliases", *_FACTS)
    )
    rows = con.execute(f"SELECT __row, {columns} FROM raw ORDER BY __row").fetchall()
    for row, name, aliases, *facts in rows:
        others = [part.strip() for part in (aliases or "").split(";") if part.strip()]
        model_id = _one_model(con, probe, row, name, others, source_id)
        known = dict(zip(_FACTS, facts, strict=True))
        if any(value is not None for value in facts):
            con.execute(_SQL["supersede"], [source_id, model_id])
            con.execute(
                "INSERT INTO main.model_fact VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
                [
                    model_id,
                    known["family"],
                    known["vision_backbone"],
                    known["language_backbone"],
                    known["parameters_billion"],
                    known["access"],
                    known["released_on"],
                    known["kind"],
                    known["capability_level"],
                    source_id,
                ],
            )
    return [f"{counted(len(rows), 'model')}"]


def _check(con: duckdb.DuckDBPyConnection, probe: Probe) -> None:
    refuse_empty(con, probe.path, "trim(CAST(name AS VARCHAR))", "name")
    refuse_first(
        con,
        probe.path,
        "SELECT max(__row), trim(CAST(name AS VARCHAR)) FROM raw GROUP BY 2 HAVING count(*) > 1 ORDER BY 1 LIMIT 1",
        "name",
        lambda row: f"{row[1]} stands twice",
    )
    for column, sql_type, what in (
        ("parameters_billion", "DOUBLE", "number"),
        ("released_on", "DATE", "date (YYYY-MM-DD)"),
    ):
        if probe.has(column):
            written = f"nullif(trim(CAST({column} AS VARCHAR)), '')"
            is_finite = f"coalesce(isfinite(TRY_CAST({written} AS {sql_type})), false)"
            wrong = f"{written} IS NOT NULL AND NOT {is_finite}"
            problem = partial(_is_no, what)
            refuse_rows(con, probe.path, wrong, column, problem, value=written)
    if probe.has("access"):
        refuse_rows(
            con,
            probe.path,
            "trim(CAST(access AS VARCHAR)) NOT IN ('', 'open', 'proprietary')",
            "access",
            lambda row: f"{row[1]!r} is neither open nor proprietary",
            value="access",
        )


def _is_no(what: str, row: tuple[Any, ...]) -> str:
    return f"{row[1]!r} is no {what}"


def _one_model(
    con: duckdb.DuckDBPyConnection,
    probe: Probe,
    row: int,
    name: str,
    others: list[str],
    source_id: int,
) -> int:
    known = {
        str(model): int(model_id)
        for model, model_id in con.execute("SELECT name, model_id FROM main.model").fetchall()
    }
    same = [other for other in others if other in known and other != name]
    if len({known[other] for other in same} | ({known[name]} if name in known else set())) > 1:
        raise InputError(
            probe.path,
            f"{name} and {', '.join(same)} are different models in the warehouse; "
            "`evalhouse runs rename` gives their runs to one of them first",
            row=row,
            field="aliases",
        )
    if same and name not in known:
        con.execute("UPDATE main.model SET name = ? WHERE model_id = ?", [name, known[same[0]]])
    model_id = models.ensure(con, name, source_id=source_id)
    for other in others:
        if other != name and other in known and known[other] != model_id:
            raise InputError(probe.path, f"{other} is a model of its own", row=row, field="aliases")
        taken = con.execute(
            "SELECT model_id FROM main.model_alias WHERE alias = ?", [other]
        ).fetchone()
        if taken is None:
            con.execute(
                "INSERT INTO main.model_alias VALUES (?, ?, ?)", [model_id, other, source_id]
            )
        elif taken[0] != model_id:
            raise InputError(
                probe.path, f"{other} is an alias of another model", row=row, field="aliases"
            )
    return model_id


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage nothing; `load` stores the facts."""
    return Staged(facts=Facts(partial(load, con, probe, settings)))


ADAPTER = Adapter(
    name="models",
    version=1,
    description="facts about models: `name, aliases` (with `;` between), `family, vision_backbone, "
    "language_backbone, parameters_billion, access, released_on, kind, capability_level`",
    needs=("name",),
    accepts=lambda probe: probe.has_any("aliases", *_FACTS),
    stage=stage,
    place=Place.CONVENTIONS,
)
