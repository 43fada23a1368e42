"""Named subsets of a dataset: a JSON array of ids such as MM-Vet's `bard_set.json`, or a table.

question_key   the question's id
subset         the subset's name, unless --subset gives it; otherwise it is the file's stem
split          where the benchmark has several
"""

from __future__ import annotations

import duckdb

from ingest import staged_rows
from ingest.adapter import Adapter, Place
from ingest.checks import refuse_empty, refuse_rows
from ingest.facts.other_facts import Subset
from ingest.names import DatasetName, dataset_of_folder, read_dataset_name
from ingest.plain import long_cells
from ingest.reading.probe import Probe
from ingest.reading.raw import literal
from ingest.settings import Settings
from ingest.staged import Staged
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
        refuse_empty(con, probe.path, name, "subset")
    else:
        name = literal(settings.subset or probe.path.stem)
    staged_rows.select(con, "stage_subset", split=split, question_key=f"trim({key})", subset=name)
    refuse_rows(
        con,
        probe.path,
        f"lower(trim({name})) = '{subsets.RESERVED}'",
        "subset",
        lambda row: f"{row[1]!r} is the whole dataset; name the subset with --subset NAME",
        value=name,
    )
    of_name = read_dataset_name(probe.path.stem, tuple(settings.map))
    dataset = of_name or dataset_of_folder(probe.path)
    return Staged(
        dataset=DatasetName(dataset.benchmark) if dataset else None,
        inferred={"benchmark": "the file's name" if of_name else "the folder's name"},
        subset=Subset(),
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
