"""Data frames as files that `ingest` reads: Parquet in a temporary folder, called what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import pyarrow as pa

from ingest.settings import Settings
from warehouse.errors import EvalhouseError, InputError, UsageError
from warehouse.later import pl

CALLED = "<DataFrame>"
"""The path of a data frame's source, and what errors call it."""
_STEM = "DataFrame"
"""What a run of one is called, as that of a file is by the file's name."""
_INDEX = re.compile(r"__index_level_\d+__")
"""How Arrow calls a pandas index without a name."""
_ROW_GROUP = 100_000


class ArrowStream(Protocol):
    """A data frame of polars, pandas, pyarrow or DuckDB."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class ToArrow(Protocol):
    """A data frame that can be made an Arrow table."""

    def to_arrow(self) -> Any: ...


Frame = ArrowStream | ToArrow | Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]]
"""What `Warehouse.ingest` takes in place of a file: a data frame, or columns or rows for one."""


@contextmanager
def as_file(data: Frame, settings: Settings) -> Iterator[Path]:
    """A data frame as a Parquet file while it is read; the same content is the same bytes.

    Raises:
        InputError: it is no table, or a column is of no type that a file can have.
    """
    frame = _writable(_as_polars(data))
    ours = {settings.column.get(name, name) for name in frame.columns}
    if "prediction" in ours and "model" not in ours and settings.model is None:
        # A file without one may be called after its model.
        raise InputError(
            CALLED, "does not name the model; add a column or give model=NAME", field="model"
        )
    with TemporaryDirectory(prefix="evalhouse-") as folder:
        path = Path(folder) / f"{_STEM}.parquet"
        frame.rechunk().write_parquet(path, compression="zstd", row_group_size=_ROW_GROUP)
        try:
            yield path
        except InputError as error:
            if error.path != str(path):
                raise
            problem = error.problem.replace(str(path), CALLED)
            raise InputError(CALLED, problem, row=error.row, field=error.field) from error
        except EvalhouseError as error:
            if str(path) not in str(error):
                raise
            raise UsageError(str(error).replace(str(path), CALLED)) from error


def _as_polars(data: Any) -> pl.DataFrame:
    if isinstance(data, pl.DataFrame):
        return data
    try:
        if hasattr(data, "__arrow_c_stream__"):
            # The index of pandas is a column where it has a name.
            table = pa.table(data)
        elif hasattr(data, "to_arrow"):
            table = data.to_arrow()
        else:
            return pl.DataFrame(data)
        kept = [name for name in table.column_names if not _INDEX.fullmatch(name)]
        return pl.DataFrame(table.select(kept))
    except (TypeError, ValueError, pa.ArrowException, pl.exceptions.PolarsError) as error:
        what = f"{type(data).__module__.partition('.')[0]}.{type(data).__name__}"
        raise InputError(CALLED, f"a {what} cannot be read as a table: {error}") from error


def _writable(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame in types that mean the same in a file."""
    for name, kind in frame.schema.items():
        if kind == pl.Object:
            raise InputError(CALLED, "is of Python objects, which no file can hold", field=name)
    texts = (pl.Categorical, pl.Enum, pl.Null)
    return frame.with_columns(
        pl.col(name).cast(pl.String) for name, kind in frame.schema.items() if kind in texts
    )
