"""What the table next to a pickle of VLMEvalKit's verdicts says of them: which answers were judged.

A pickle holds logs by index, and no predictions; VLMEvalKit reads it again where answers have
changed since. The table that it wrote with the pickle has the same name, and the predictions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ingest.plain.long_cells import whole
from ingest.reading import raw, spreadsheet
from ingest.reading.probe import probe
from warehouse import connection, statements
from warehouse.errors import InputError

_SQL = statements.of_module(__file__)
_KINDS = (".xlsx", ".tsv", ".csv", ".json", ".jsonl")


@dataclass(frozen=True)
class Judged:
    """A row of such a table.

    Attributes:
        prediction: the text that was judged; None: there is none, or it may have been cut.
        log: what it came from; None: the cell is blank.
    """

    prediction: str | None
    log: str | None


@dataclass(frozen=True)
class Table:
    """The table next to a pickle.

    Attributes:
        has_log: whether it says where its verdicts came from.
        rows: by index.
    """

    name: str
    has_log: bool
    rows: Mapping[str, Judged]


def next_to(path: Path, stem: str) -> Table | None:
    """The first table next to a file that has predictions; None: there is none that can be read.

    Args:
        stem: what it is called, without its ending.
    """
    for kind in _KINDS:
        there = path.with_name(f"{stem}{kind}")
        if there.name != path.name and there.is_file():
            found = _read(there)
            if found is not None:
                return found
    return None


def _read(path: Path) -> Table | None:
    try:
        its = probe(path)
        if not its.has("index", "prediction"):
            return None
        with connection.in_memory([path]) as con:
            raw.read(con, its)
            has_log = its.has("log")
            rows = con.execute(
                _SQL["rows"].format(
                    number=whole("CAST(index AS VARCHAR)", "BIGINT"),
                    log="log" if has_log else "NULL",
                )
            ).fetchall()
    except InputError:
        # Where the table itself is read, that is said of it.
        return None
    return Table(
        path.name, has_log, {key: Judged(_whole(text), its_log) for key, text, its_log in rows}
    )


def _whole(text: str | None) -> str | None:
    return None if not text or spreadsheet.is_cut(text) else text
