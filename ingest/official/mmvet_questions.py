"""MM-Vet's questions, `mm-vet.json`: one JSON object, an entry by id.

question     the text
answer       what is right, with <AND> and <OR> between several; one reference, as it stands
capability   a list of rec, ocr, know, gen, spat, math
imagename, imagesource and anything else are kept as attributes
"""

from __future__ import annotations

import duckdb

from ingest import capabilities, cells, open_rows
from ingest.adapter import Adapter, Place
from ingest.facts.question_facts import Questions
from ingest.names import read_dataset_name
from ingest.official import mmvet_version
from ingest.plain import long_cells
from ingest.reading.probe import Probe
from ingest.settings import Settings
from ingest.staged import Staged
from warehouse import known_benchmarks

_PLACE = "__row, NULL, trim(key)"
_OWN = {"key", "question", "answer", "capability"}


def stage(con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings) -> Staged:
    """Stage questions, references and capabilities.

    Raises:
        InputError: the capabilities of a question are no list.
    """
    open_rows.stage(con, "trim(key)", "question", "answer")
    listed = long_cells.text_list(con, probe, "capability")
    name = read_dataset_name(probe.path.stem, tuple(settings.map)) or mmvet_version.dataset(con)
    known = known_benchmarks.find(name.benchmark)
    capabilities.stage(
        con,
        "raw",
        _PLACE,
        listed,
        "capability",
        integrations=known is None or known.has_level("integration"),
    )
    others = {name: cells.text(name) for name in probe.columns if name not in _OWN}
    cells.attributes(con, _PLACE, "raw", others)
    is_named = read_dataset_name(probe.path.stem, tuple(settings.map)) is not None
    return Staged(
        dataset=name,
        questions=Questions(key="key", reference="answer", task="open"),
        inferred=dict.fromkeys(
            ("benchmark", "version", "split", "language"),
            "the file's name" if is_named else "the format",
        ),
    )


ADAPTER = Adapter(
    name="mmvet_questions",
    version=1,
    description="MM-Vet's `mm-vet.json`: `{id: {question, answer, capability: [], …}}`",
    needs=("key", "question", "answer", "capability"),
    accepts=lambda probe: probe.kind == "json_map",
    stage=stage,
    place=Place.QUESTIONS,
)
