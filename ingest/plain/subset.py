"""Named subsets of a dataset: a JSON array of ids such as MM-Vet's `bard_set.json`, or a table.

question_key   the question's id
subset         the subset's name, unless --subset gives it; otherwise it is the file's stem
split          where the benchmark has several
"""

from __future__ import annotations

import duckdb

from ingest.adapter import Adapter, Place
from ingest.checks import refuse_first
from ingest.names import read_dataset_name
from ingest.plain import long_cells
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings, Staged
from warehouse import subsets
from warehouse.errors import InputError

_COLUMNS = {"question_key", "subset", "split"}


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage the ids.

    Raises:
        InputError: an id or a name is missing, or a name is reserved.
    """
    key = long_cells.key(con, probe)
    split = f"nullif(trim({long_cells.text(probe, 'split')}), '')"
    if probe.has("subset"):
        if settings.subset is not None:
            raise InputError(
                probe.path, "names the subsets itself; leave out --subset", field="subset"
            )
        name = "trim(CAST(subset AS VARCHAR))"
        refuse_first(
            con,
            probe.path,
            f"SELECT __row FROM raw WHERE nullif({name}, '') IS NULL ORDER BY __row LIMIT 1",
            "subset",
            lambda row: "is empty",
        )
    else:
        name = literal(settings.subset or probe.path.stem)
    con.execute(f"INSERT INTO stage_subset SELECT __row, {split}, trim({key}), {name} FROM raw")
    refuse_first(
        con,
        probe.path,
        f"SELECT row, subset FROM stage_subset WHERE lower(trim(subset)) = '{subsets.RESERVED}' "
        "ORDER BY row LIMIT 1",
        "subset",
        lambda row: f"{row[1]!r} is the whole dataset; name the subset with --subset NAME",
    )
    dataset = read_dataset_name(probe.path.stem, tuple(settings.map))
    return Staged(
        role="subset",
        fields={"question_key": "question_key", "split": "split", "subset": "subset"},
        benchmark=dataset.benchmark if dataset else None,
        task=None,
        inferred={"benchmark": "the file's name"},
    )


ADAPTER = Adapter(
    name="subset",
    version=1,
    description="a named set of questions: a JSON array of ids, or `question_key`; `subset, split`",
    needs=("question_key",),
    accepts=lambda probe: set(probe.columns) <= _COLUMNS,
    stage=stage,
    place=Place.REFERRING,
)
