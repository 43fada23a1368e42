"""A file as the temporary view `raw`: its columns, and `__row`, the record's number from 1.

Text formats and spreadsheets come as text; Parquet keeps its types. The cells of a column named
`image` come as the sha256 of the image, also where the cell is a path, except for short ones, which
refer to another row; several images of a row come as their hashes with a space between. `raw_cell` has
the cells of a spreadsheet that say something else than was written, if any (see `spreadsheet`).
"""

from __future__ import annotations

import codecs
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import IO

import duckdb

from ingest.reading import json_map, json_rows, lines, named_images, spreadsheet
from ingest.reading.limits import MAX_RECORD_BYTES
from ingest.reading.lines import text_lines
from ingest.reading.probe import Probe, file_literal
from ingest.reading.records import csv_records, json_records
from ingest.vlmevalkit import figure_rows
from warehouse import statements
from warehouse.errors import InputError
from warehouse.later import pl

_SQL = statements.of_module(__file__)
_SHORT_IMAGE = 16
_IMAGE = re.compile(r'STRUCT\((.*, )?"?bytes"? BLOB(, .*)?\)')


def read(con: duckdb.DuckDBPyConnection, probe: Probe) -> int:
    """Read the file into `raw` and return how many records it has.

    Raises:
        InputError: a record is broken (it is named), or there is none.
    """
    if probe.called is not None:
        n_rows = read(con, replace(probe, columns=probe.called, called=None))
        names = ", ".join(
            f"{quoted(theirs)} AS {quoted(ours)}"
            for theirs, ours in zip(probe.called, probe.columns, strict=True)
        )
        con.execute("ALTER VIEW raw RENAME TO raw_as_called")
        con.execute(f"CREATE TEMP VIEW raw AS SELECT __row, {names} FROM raw_as_called")
        return n_rows
    n: int | None = None
    if probe.kind == "parquet":
        _read_parquet(con, probe)
    else:
        if probe.kind == "xlsx":
            _read_xlsx(con, probe)
        elif probe.kind in ("json_map", "pickle"):
            found = probe.records
            if found is None:
                found = json_map.read(probe.path, probe.kind)
            n = _read_cells(con, probe, json_map.cells(probe.path, found, probe.columns))
        elif probe.kind == figure_rows.KIND:
            n = _read_cells(con, probe, figure_rows.cells(probe.path))
        elif probe.kind in json_rows.KINDS:
            records = json_rows.read(probe.path, probe.kind)
            n = _read_cells(con, probe, json_rows.cells(probe.path, records, probe.columns))
        else:
            _read_text(con, probe)
        if probe.has("image"):
            named_images.find(con, probe.path.parent)
        view = "CREATE TEMP VIEW raw AS SELECT rowid + 1 AS __row, * FROM temp.raw_table"
        if probe.kind == "xlsx":
            # Spreadsheets end in rows without a cell, and may have some between.
            cells = ", ".join(quoted(name) for name in probe.columns)
            view += f" WHERE coalesce({cells}) IS NOT NULL"
        con.execute(view)
    if n is None:
        ((n,),) = con.execute("SELECT count(*) FROM raw").fetchall()
    if not n:
        raise InputError(probe.path, "has a header, but no rows")
    return int(n)


def quoted(name: str) -> str:
    """A column's name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def _select_list(columns: tuple[str, ...]) -> str:
    return ", ".join(
        _SQL["image"].format(
            short=_SHORT_IMAGE, is_named=named_images.IS_NAMED, listed=named_images.LISTED
        )
        if name == "image"
        else quoted(name)
        for name in columns
    )


def _read_parquet(con: duckdb.DuckDBPyConnection, probe: Probe) -> None:
    try:
        images = _images(con, probe)
        if images:
            _read_images(con, probe, images)
            return
        if probe.has("image"):
            _keep(con, probe)
            named_images.find(con, probe.path.parent)
            return
        con.execute(
            _SQL["show_parquet"].format(
                columns=_select_list(probe.columns), file=file_literal(probe.path)
            )
        )
        con.execute("SELECT count(COLUMNS(*)) FROM raw").fetchone()
    except duckdb.Error as error:
        raise InputError(probe.path, f"not a whole Parquet file: {_first_line(error)}") from error


def _keep(con: duckdb.DuckDBPyConnection, probe: Probe) -> None:
    con.execute(
        _SQL["keep_parquet"].format(
            columns=_select_list(probe.columns), file=file_literal(probe.path)
        )
    )
    con.execute("CREATE TEMP VIEW raw AS SELECT * FROM temp.raw_table")


def _images(con: duckdb.DuckDBPyConnection, probe: Probe) -> dict[str, str]:
    """SQL for the sha256 of the images in columns of {bytes, path}, lists of these, or bytes."""
    hashes = {}
    columns = con.execute(f"DESCRIBE FROM read_parquet({file_literal(probe.path)})").fetchall()
    for column, its_type, *_ in columns:
        name = quoted(column)
        if its_type == "BLOB" and column == "image":
            hashes[column] = f"sha256({name})"
        elif _IMAGE.fullmatch(its_type):
            hashes[column] = f"sha256({name}.bytes)"
        elif _IMAGE.fullmatch(its_type.removesuffix("[]")):
            each = f"list_transform({name}, lambda one: sha256(one.bytes))"
            hashes[column] = f"nullif(array_to_string({each}, ' '), '')"
    return hashes


def _read_images(con: duckdb.DuckDBPyConnection, probe: Probe, images: dict[str, str]) -> None:
    """Read a file with images in it once: they are hashed on the way and not kept."""
    cells = ", ".join(f"{sha256} AS {quoted(name)}" for name, sha256 in images.items())
    con.execute(_SQL["hash_images"].format(cells=cells, file=file_literal(probe.path)))
    con.execute("CREATE TEMP VIEW raw AS SELECT * FROM temp.raw_table")


def _read_xlsx(con: duckdb.DuckDBPyConnection, probe: Probe) -> None:
    sheet = spreadsheet.read(probe.path) if probe.sheet is None else probe.sheet
    _keep_frame(con, sheet.frame, "raw_table", _select_list(tuple(sheet.frame.columns)))
    if sheet.cells.height:
        _keep_frame(con, sheet.cells, "raw_cell", "*")


def _keep_frame(
    con: duckdb.DuckDBPyConnection, frame: pl.DataFrame, table: str, cells: str
) -> None:
    con.register("frame", frame.to_arrow())
    con.execute(f"CREATE TEMP TABLE {table} AS SELECT {cells} FROM frame")
    con.unregister("frame")


def _read_cells(
    con: duckdb.DuckDBPyConnection, probe: Probe, table: dict[str, list[str | None]]
) -> int:
    frame = pl.DataFrame(table, schema=dict.fromkeys(table, pl.String))
    _keep_frame(con, frame, "raw_table", _select_list(probe.columns))
    return frame.height


def _read_text(con: duckdb.DuckDBPyConnection, probe: Probe) -> None:
    try:
        with _without_mark(con, probe) as path:
            for exact in (False, True):
                con.execute(
                    _SQL["keep_text"].format(
                        columns=_select_list(probe.columns),
                        reader=_reader(probe, file_literal(path), exact=exact),
                    )
                )
                if probe.kind in ("csv", "tsv") or not _says_nan(con, probe):
                    break
    except duckdb.Error as error:
        if probe.kind in ("csv", "tsv") and _read_mixed(con, probe):
            return
        _name_broken_record(probe)
        raise InputError(probe.path, _first_line(error)) from error


def _read_mixed(con: duckdb.DuckDBPyConnection, probe: Probe) -> bool:
    """Read a file whose rows end in several ways, which the engine refuses; return whether it is one."""
    with _temporary(con) as copy:
        if not lines.write_alike(probe.path, copy):
            return False
        reader = _reader(probe, file_literal(Path(copy.name)), exact=False)
        try:
            con.execute(
                f"CREATE OR REPLACE TEMP TABLE raw_table AS SELECT {_select_list(probe.columns)} FROM {reader}"
            )
        except duckdb.Error:
            return False
    return True


def _says_nan(con: duckdb.DuckDBPyConnection, probe: Probe) -> bool:
    """Whether a cell is NaN, which Python writes for a missing value, or the text of that name."""
    cells = " OR ".join(f"bool_or({quoted(name)} = 'NaN')" for name in probe.columns)
    ((found,),) = con.execute(f"SELECT {cells} FROM raw_table").fetchall()
    return bool(found)


def _reader(probe: Probe, path: str, *, exact: bool) -> str:
    """SQL that reads every column as text.

    Args:
        exact: distinguish a JSON text "NaN" from NaN, which is slower.
    """
    if probe.kind in ("csv", "tsv"):
        delimiter = "," if probe.kind == "csv" else "\t"
        types = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in probe.columns)
        return _SQL["csv_reader"].format(
            path=path, delimiter=delimiter, types=types, most=MAX_RECORD_BYTES
        )
    layout = "array" if probe.kind == "json" else "newline_delimited"
    its_type = "JSON" if exact else "VARCHAR"
    types = ", ".join(f"{literal(name)}: '{its_type}'" for name in probe.columns)
    records = _SQL["json_reader"].format(
        path=path, layout=layout, types=types, most=MAX_RECORD_BYTES
    )
    if not exact:
        return records
    texts = ", ".join(_SQL["exact_text"].format(name=quoted(name)) for name in probe.columns)
    return f"(SELECT {texts} FROM {records})"


@contextmanager
def _without_mark(con: duckdb.DuckDBPyConnection, probe: Probe) -> Iterator[Path]:
    """The file, or a copy of it without the byte order mark that the JSON reader stumbles over.

    The copy lies where the connection has its temporary files: it reads nothing else of what is not
    the file.
    """
    with probe.path.open("rb") as file:
        if probe.kind not in ("json", "jsonl") or file.read(3) != codecs.BOM_UTF8:
            yield probe.path
            return
        with _temporary(con) as copy:
            shutil.copyfileobj(file, copy)
            copy.flush()
            yield Path(copy.name)


@contextmanager
def _temporary(con: duckdb.DuckDBPyConnection) -> Iterator[IO[bytes]]:
    """A file where the connection has its temporary ones."""
    ((folder,),) = con.execute("SELECT current_setting('temp_directory')").fetchall()
    Path(folder).mkdir(exist_ok=True)
    try:
        with tempfile.NamedTemporaryFile(dir=folder) as file:
            yield file
    finally:
        # The engine takes it away where it has files of its own there.
        with suppress(OSError):
            Path(folder).rmdir()


def _name_broken_record(probe: Probe) -> None:
    """Find the record that the fast reader stumbled over, and raise an error that names it."""
    for _ in text_lines(probe.path):
        pass
    if probe.kind in ("json", "jsonl"):
        for row, record in enumerate(json_records(probe.path, probe.kind), start=1):
            if not isinstance(record, dict):
                raise InputError(probe.path, "is not a JSON object", row=row)
            if isinstance(record, json_map.Repeated):
                raise InputError(probe.path, "the key stands twice", row=row, field=record.key)
        return
    for _ in csv_records(probe.path, probe.columns, "," if probe.kind == "csv" else "\t"):
        pass


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]
