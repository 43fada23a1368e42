"""Recognise a file: read before, nothing to read, or its format.

Files that harnesses write next to their answers and that hold nothing to read are skipped, with the reason.
Of the Hugging Face hub's cache (`datasets--OWNER--NAME/snapshots/COMMIT/…`, links to `blobs/SHA`) only the
link has the file's name, and with it the dataset and split that it holds. What files call our columns is
said by `--column`, and remembered by benchmark.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from ingest import formats, readers
from ingest.adapter import Adapter, ByProductError, Place
from ingest.facts import run_inputs
from ingest.names import read_dataset_name
from ingest.plain import aliases, unknown
from ingest.plain.aliases import Aliased
from ingest.reading.probe import Probe, require_file
from ingest.reading.probe import probe as probe_file
from ingest.settings import Report, Settings
from ingest.vlmevalkit import vlmevalkit_files
from warehouse import connection, sources
from warehouse.errors import FullDiskError, InputError, UsageError
from warehouse.files import writing
from warehouse.judges import RESERVED


def _readings(
    con: duckdb.DuckDBPyConnection, probe: Probe, settings: Settings
) -> Iterator[tuple[Probe, Aliased | None, tuple[str, ...]]]:
    """What the file's columns may mean, with notes; the first that a format fits counts.

    What --column says now comes first; then the file's own names; then what was said of earlier files of the same
    benchmark; then the names that we know tables of people's own to have.

    Raises:
        InputError: what --column says now cannot be.
    """
    if settings.column:
        yield from _as_said(probe, settings.column)
        return
    yield probe, None, ()
    remembered = _remembered(con, settings.benchmark)
    kept = {
        theirs: ours
        for theirs, ours in remembered.items()
        if theirs in probe.columns and (ours not in probe.columns or ours in remembered)
    }
    if kept:
        said = aliases.renamed(probe, kept)
        words = ", ".join(f"{theirs} is {ours}" for theirs, ours in kept.items())
        notes = (f"columns, as --column said of {settings.benchmark} before: {words}",)
        yield said, None, notes
        yield from _aliased(said, notes)
    yield from _aliased(probe, ())


def _as_said(
    probe: Probe, column: Mapping[str, str]
) -> Iterator[tuple[Probe, Aliased | None, tuple[str, ...]]]:
    """The same with what --column says now, and else as if it did not: it may be for other files."""
    words = ", ".join(f"{theirs}={ours}" for theirs, ours in column.items())
    names = {theirs: ours for theirs, ours in column.items() if theirs in probe.columns}
    taken = [ours for ours in names.values() if ours in probe.columns and ours not in names]
    if names and not taken:
        said = aliases.renamed(probe, names)
        yield said, None, ()
        yield from _aliased(said, ())
    notes = (f"--column {words} is not applied: the file is read without it",)
    yield probe, None, notes
    for ours in taken:
        theirs = next(name for name in names if names[name] == ours)
        problem = f"{theirs} cannot be read as {ours}: it has both"
        raise InputError(probe.path, problem, row=0, field=ours)
    more = [] if names else list(_aliased(probe, notes))
    # What --column names is not to be guessed.
    yield from (
        one
        for one in more
        if set(column.values()).isdisjoint(set(one[0].columns) - set(probe.columns))
    )


def _aliased(
    probe: Probe, notes: tuple[str, ...]
) -> Iterator[tuple[Probe, Aliased | None, tuple[str, ...]]]:
    if (found := aliases.of(probe)) is not None:
        yield found.probe, found, (*notes, *found.notes)


def _remembered(con: duckdb.DuckDBPyConnection, benchmark: str | None) -> Mapping[str, str]:
    """What files of a benchmark called our columns; of several that say it, the last."""
    if benchmark is None:
        return {}
    rows = con.execute(
        "SELECT flags FROM main.source WHERE contains(flags, '\"column\":') ORDER BY source_id"
    ).fetchall()
    found: dict[str, str] = {}
    for (flags,) in rows:
        read = json.loads(flags)
        given = read.get("given") or {}
        names = {str(of.get("benchmark") or "").lower() for of in (read, given)}
        if benchmark.lower() in names:
            found |= given.get("column") or {}
    return found


_BEGINS = ("datasets--", "models--", "spaces--")


def is_blob(path: Path) -> bool:
    """Whether a file lies where the cache keeps the content of its files."""
    return path.parent.name == "blobs" and path.parent.parent.name.startswith(_BEGINS)


def _is_of_hub(path: Path) -> str | None:
    """What a file of the cache is that holds no data: the commit that a branch is at."""
    for folder in list(path.absolute().parents)[:4]:
        if folder.name == "refs" and folder.parent.name.startswith(_BEGINS):
            return "the hub cache's note of a commit"
    return None


_RECOGNISERS: tuple[Callable[[Path], str | None], ...] = (
    vlmevalkit_files.is_sidecar,
    _is_of_hub,
    *(reader.sidecar for reader in readers.every()),
)


def describe_byproduct(path: Path) -> str | None:
    """What a by-product is, and why it is skipped; None: it may hold something to read."""
    return next(
        (words for words in (is_sidecar(path) for is_sidecar in _RECOGNISERS) if words), None
    )


def _refuse_byproduct(path: Path, probe: Probe | None = None) -> None:
    """Refuse a by-product.

    Args:
        probe: what its columns are, where that is known already.

    Raises:
        ByProductError: it is one.
    """
    words = describe_byproduct(path) if probe is None else vlmevalkit_files.is_verdicts(probe)
    if words is not None:
        raise ByProductError(path, words)


OF_THE_ENGINE = (
    duckdb.OutOfMemoryException,
    duckdb.InterruptException,
    duckdb.FatalException,
    duckdb.InternalException,
)


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_MISSING = re.compile(r'NOT NULL constraint failed: "?\w+"?\."?(\w+)')
_OBJECTS = 10
"""Objects take so many times the bytes of their pickle."""


@dataclass(frozen=True)
class Recognised:
    """A file whose format is known, not read yet."""

    probe: Probe
    adapter: Adapter
    named: bool = True
    """Outright, rather than found in a folder."""
    called: str | None = None
    """What its source is called; None: by its path."""
    notes: tuple[str, ...] = ()
    """What there is to say about its columns."""

    @property
    def source(self) -> str:
        """What stands for it in the warehouse and in reports."""
        return str(self.probe.path) if self.called is None else self.called

    def may_be_of_anything(self, settings: Settings) -> bool:
        """Whether its columns are not ours, and nothing says which benchmark it is of."""
        return (
            bool(self.notes)
            and settings.benchmark is None
            and read_dataset_name(self.probe.path.stem, tuple(settings.map)) is None
        )

    @property
    def place(self) -> Place:
        """When it is read among others."""
        return self.adapter.place_of(self.probe)

    @property
    def size_of_content(self) -> int:
        """About the bytes of a spreadsheet or pickle, which looking at it read."""
        if self.probe.records is not None:
            return self.probe.path.stat().st_size * _OBJECTS
        return 0 if self.probe.sheet is None else self.probe.sheet.size

    def sharing(
        self, columns: dict[tuple[str, ...], tuple[str, ...]], *, keeps_content: bool
    ) -> Recognised:
        """The same with equal columns shared, and what was read left out: thousands can wait."""
        probe = replace(
            self.probe, columns=columns.setdefault(self.probe.columns, self.probe.columns)
        )
        if not keeps_content:
            probe = replace(probe, sheet=None, records=None)
        return replace(self, probe=probe)


def look(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    settings: Settings,
    *,
    read_before: Collection[str] | None = None,
) -> Recognised | Report:
    """Recognise a file; a report instead if it was read before with the same settings.

    Args:
        read_before: the paths of all files that were; None: not looked up yet.

    Raises:
        ByProductError: it holds nothing to read.
        InputError: it is in no known format.
    """
    _check(settings)
    with attributing_errors(path):
        require_file(path)
        before = None
        # A full list drops what came after it was read first.
        may_be_there = not settings.drop_missing
        if may_be_there and (read_before is None or str(path) in read_before):
            before = sources.find_given(con, path, settings.given)
        if before is not None and formats.version_of(before[0]) == before[1]:
            report = Report(
                path=str(path), format=before[0], already=True, unopened=True, n_rows=before[2]
            )
            run_inputs.add_to_runs_there(con, path, settings, report)
            return report
        if settings.format is None:
            _refuse_byproduct(path)
        try:
            found = probe_file(path, settings.format)
        except InputError:
            if (of_package := formats.of_package(path, settings.format)) is None:
                raise
            return Recognised(*of_package)
        if settings.format is None:
            _refuse_byproduct(path, found)
        return _recognised(con, found, settings)


_OF_PEOPLE = ("questions", "predictions", "questions_and_predictions", "judgments", "choice_scores")
"""The formats that files with our names, or names that we know, may be in."""
_COMPLETED = ("questions", "predictions")
"""Of these, a file may have more to it under a name that we know."""


def _recognised(con: duckdb.DuckDBPyConnection, bare: Probe, settings: Settings) -> Recognised:
    """The format of a file, by the first reading of its columns that fits one.

    Raises:
        InputError: none does, or two columns could have the same meaning.
    """
    for probe, aliased, notes in _readings(con, bare, settings):
        adapter = formats.fitting(probe, settings.format)
        if adapter is None and probe.called is None:
            probe, adapter = formats.of_package(probe.path, settings.format) or (probe, None)
        if adapter is not None and adapter.reads_itself and probe.called is not None:
            adapter = None
        if adapter is None or (aliased is not None and adapter.name not in _OF_PEOPLE):
            continue
        if aliased is None and adapter.name in _COMPLETED and settings.format is None:
            more = aliases.of(probe)
            fitting = more and formats.fitting(more.probe, None)
            if more and fitting and fitting.name in (adapter.name, "questions_and_predictions"):
                probe, adapter, aliased, notes = more.probe, fitting, more, (*notes, *more.notes)
        if aliased is not None:
            aliases.refuse_unclear(aliased)
        if probe.called is not None or adapter.name in _OF_PEOPLE:
            unknown.refuse_nested(probe, settings)
        return Recognised(probe, adapter, notes=notes)
    said = settings.column
    if said and not any(theirs in bare.columns for theirs in said):
        raise InputError(
            bare.path,
            f"has no column {' or '.join(map(repr, said))}; it has {', '.join(bare.columns[:20])}",
        )
    formats.refuse(bare, settings)


class DefectError(InputError):
    """A file that evalhouse failed on through a defect of its own."""


@contextmanager
def attributing_errors(path: Path, probe: Probe | None = None) -> Iterator[None]:
    """Attribute unforeseen errors to a file, in the engine's own words.

    What is wrong in a column is said of it by the name that the file has for it, where `probe` is given.

    Any other error is a defect, and still of this file alone: others of a folder are read. A
    failure of the engine rather than the file ends everything: no other file would fare better.
    With EVALHOUSE_DEBUG=1 a defect is raised as it is.

    Raises:
        DefectError: an error that nothing here foresaw, or a panic of a library in Rust, which is
            no `Exception`.
    """
    try:
        yield
    except InputError as error:
        if probe is None or type(error) is not InputError:
            raise
        field = probe.name_in_file(error.field)
        if field == error.field:
            raise
        raise InputError(path, error.problem, row=error.row, field=field) from error
    except (UsageError, *OF_THE_ENGINE, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except (duckdb.Error, OSError, UnicodeError, RecursionError, MemoryError) as error:
        if isinstance(error, (duckdb.Error, OSError)) and writing.is_full(str(error)):
            raise FullDiskError(f"{path}: is not stored: the disk is full: {error}") from error
        if missing := _MISSING.search(str(error)):
            raise InputError(
                path, "is missing in a row of this format", field=missing[1]
            ) from error
        raise InputError(path, connection.first_line(error)) from error
    except BaseException as error:
        # What DuckDB makes of Ctrl-C while a query runs.
        if os.environ.get("EVALHOUSE_DEBUG") == "1" or "interrupted" in str(error):
            raise
        raise DefectError(
            path,
            f"evalhouse stumbled over it, which is a defect of evalhouse ({type(error).__name__}: "
            f"{connection.first_line(error)[:200]}); EVALHOUSE_DEBUG=1 shows where",
        ) from error


def _check(settings: Settings) -> None:
    named = (
        ("--model", settings.model),
        ("--run", settings.run),
        ("--judge", settings.judge),
        ("--subset", settings.subset),
    )
    for name, value in named:
        if value is not None and not value.strip():
            raise UsageError(f"{name} cannot be blank")
        if value is not None and _CONTROL.search(value):
            raise UsageError(f"{name} cannot have a control character in it: {value!r}")
    run_inputs.check(settings)
    if settings.judge in RESERVED:
        raise UsageError(f"--judge cannot be {settings.judge}: that is what views compute")
