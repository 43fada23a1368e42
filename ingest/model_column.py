"""The column in which a file names the model that answered, of files that are of one model."""

from __future__ import annotations

import duckdb

from ingest.reading.probe import Probe
from ingest.reading.raw import quoted
from ingest.settings import Settings
from warehouse.errors import InputError


def only(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings, column: str
) -> str | None:
    """The model that a column names, whatever --model says; None: there is none, or it is empty.

    Raises:
        InputError: the column names several, and --model does not say what they are together.
    """
    if not probe.has(column):
        return None
    written = f"CAST({quoted(column)} AS VARCHAR)"
    models = [
        str(name)
        for (name,) in con.execute(
            f"SELECT DISTINCT {written} FROM raw WHERE nullif(trim({written}), '') IS NOT NULL ORDER BY 1"
        ).fetchall()
    ]
    if len(models) > 1 and settings.model is None:
        raise InputError(probe.path, f"mixes the models {', '.join(models)}", field=column)
    return models[0] if models else None
