"""Recomputing a bundle: every table from the warehouse again, its files drawn again and compared."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb

from queries import leaderboard, session
from queries.export import bundle, bundle_files, bundle_manifest
from queries.export import bundle_manifest as manifests
from queries.export.bundle_files import Cells, Place
from queries.export.bundle_manifest import Basis, File, Manifest, Table
from queries.install import installed, objects
from queries.options import BoardOptions
from queries.release import default_name, load, shipped_names
from queries.render.printed import one_line
from warehouse.errors import InputError, UsageError
from warehouse.files import reading
from warehouse.files.visible import visible

_FIGURES = "figures"
_EXACT = ("json", _FIGURES)
"""Formats that hold every cell, unrounded."""
_MOST_SHOWN = 300
_SLACK = 64 * 2**10


@dataclass(frozen=True)
class Difference:
    """A figure that does not hold, or a file that is not what it should be.

    Attributes:
        files: those of the table that are not what the warehouse gives.
        board, row, column: where; empty: the whole table or file.
        said: what the bundle has there; None: nothing.
        found: what the warehouse gives; None: nothing.
        problem: the problem, where it is no figure.
    """

    table: str
    files: tuple[str, ...]
    board: str = ""
    row: str = ""
    column: str = ""
    said: str | None = None
    found: str | None = None
    problem: str = ""

    def line(self) -> str:
        """The difference in one line."""
        row, column = self.row and f"row {self.row}", self.column and f"column {self.column}"
        where = ", ".join(filter(None, (self.table, self.board, row, column)))
        said, found = (_cut(text) if text else "nothing" for text in (self.said, self.found))
        text = self.problem or f"the bundle says {said}, the warehouse {found}"
        files = f" ({', '.join(self.files)})" if self.files else ""
        # A bundle can come from anywhere: what it says is seen and never obeyed by a terminal.
        return one_line(visible(f"{where}: {text}{files}"))


@dataclass(frozen=True)
class Verdict:
    """What came of it: how many figures were computed, `n_named` of them named, and what does not hold.

    `notes` are what the figures rest on and is another here.
    """

    n_figures: int
    n_tables: int
    n_named: int
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]


def verify(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    *,
    evalhouse: str,
    release: str | None = None,
    step: Callable[[str], None] = lambda text: None,
) -> Verdict:
    """Recompute a bundle's tables from a warehouse.

    Args:
        evalhouse: this evalhouse's version.
        release: one to compute with, by name or folder; by default the bundle's.
        step: callback, called with what is being computed.

    Raises:
        InputError: the folder is no bundle.
        UsageError: its release is not installed.
    """
    manifest = manifests.read(folder)
    its_release = manifest.basis.release.name
    release = release or its_release
    if release not in (*installed(con), *shipped_names()) and release == its_release:
        raise UsageError(
            f"{folder}: is of the release {release}, which is not installed in this warehouse and does not "
            "come with evalhouse; --release FOLDER computes with one of your own"
        )
    name = session.use_facts(con, release)
    differences: list[Difference] = []
    notes: list[str] = []
    n_figures = n_named = 0
    records = session.remembering()
    for table in manifest.tables:
        step(table.name)
        query: Mapping[str, Any] = table.query
        try:
            options = BoardOptions(release=release, **query)
            computed = leaderboard.boards(con, options, records=records)
        except UsageError as error:
            differences.append(_unmade(table.name, error))
            continue
        boards = [board for board in computed if board.dataset in table.datasets]
        all_runs = query["runs"] == "all"
        n_here = bundle.n_figures(boards)
        n_figures += n_here
        found, anew = _compared(
            folder,
            table,
            {board.dataset for board in boards},
            n_here,
            bundle_files.rendered(boards, table.digits, all_runs=all_runs) if boards else {},
            partial(bundle_files.cells, all_runs=all_runs),
            partial(bundle_files.difference, boards=boards, digits=table.digits, all_runs=all_runs),
        )
        differences += found
        notes += anew
    if (scores := manifest.scores) is not None:
        step("named figures")
        try:
            rows = bundle_manifest.rows(con, asdict(scores.chosen), scores.runs)
        except UsageError as error:
            differences.append(_unmade("named figures", error))
        else:
            n_named = bundle_manifest.n_figures(rows)
            file = File(scores.name, _FIGURES, scores.sha256)
            found, anew = _compared(
                folder,
                Table("named figures", {}, 0, scores.chosen.dataset, scores.n_figures, (file,)),
                {row["dataset"] for row in rows},
                n_named,
                {_FIGURES: bundle_manifest.content(rows)},
                bundle_manifest.cells,
            )
            differences += found
            notes += anew
    step("what the figures rest on")
    judges = bundle.judges_of(manifest.tables, manifest.scores)
    here = bundle.basis(con, name, objects(con, release), judges, evalhouse=evalhouse)
    if not manifest.says_of_scores:
        no_figures = f"without named figures ({bundle_manifest.SCORES})"
        notes.append(f"an earlier evalhouse wrote it, {no_figures}")
    notes += [*_changed(manifest.basis, here), *_foreign(folder, manifest)]
    shown = tuple(map(visible, notes))
    return Verdict(n_figures, len(manifest.tables), n_named, tuple(differences), shown)


def _unmade(name: str, error: UsageError) -> Difference:
    return Difference(name, (), problem=f"cannot be recomputed: {error}")


def _compared(
    folder: Path,
    table: Table,
    here: Collection[str],
    n_here: int,
    ours: Mapping[str, bytes],
    cells: Callable[[bytes], Cells],
    first: Callable[[bytes, bytes, str], tuple[Place, str, str] | None] = lambda *of: None,
) -> tuple[list[Difference], list[str]]:
    """What does not hold of a table's files, and a note on each in which all does in other bytes.

    Args:
        here: the datasets that have runs here.
        n_here: its figures here.
        ours: its files as they are written here, by format.
        cells: callback, the cells of a file of a format in _EXACT.
        first: callback, the first difference of another: its content, ours and the format.
    """
    whole = Difference(table.name, ())
    gone = [name for name in table.datasets if name not in here]
    found = [replace(whole, board=name, problem="has no run here") for name in gone]
    if not gone and n_here != table.n_figures:
        problem = f"has {table.n_figures:,} figures by its manifest, and {n_here:,} here"
        found.append(replace(whole, problem=problem))
    others: dict[File, bytes] = {}
    for file in table.files:
        # What says the same is about as long.
        most = 2 * len(ours.get(file.format, b"")) + _SLACK
        try:
            content = reading.content(folder / file.name, inside=folder, most=most)
        except InputError as error:
            found.append(replace(whole, files=(file.name,), problem=error.problem))
            continue
        if ours and file.format not in ours:
            problem = f"is of a format {file.format!r}, which no table has"
            found.append(replace(whole, files=(file.name,), problem=problem))
        elif ours and content != ours[file.format]:
            others[file] = content
    as_written = [one for one in others if sha256(others[one]).hexdigest() == one.sha256]
    differing: dict[Difference, tuple[str, ...]] = {}
    named: list[File] = []
    anew = []
    for file in sorted(others, key=lambda one: one.format not in _EXACT):
        if file in named:
            continue
        content, our_content, files = others[file], ours[file.format], [file]
        try:
            if file.format in _EXACT:
                places = list(_differing(cells(content), cells(our_content), gone))
                # The files that were written with it show the same figures.
                files = [one for one in others if places and (one is file or one in as_written)]
                named += files
            else:
                places = list(filter(None, [first(content, our_content, file.format)]))
        except ValueError as error:
            found.append(replace(whole, files=(file.name,), problem=str(error)))
            continue
        names = tuple(one.name for one in files)
        for place, said, there in places:
            one = Difference(table.name, (), *place, said, there)
            differing[one] = differing.get(one, ()) + names
        if not places and not gone and file in as_written:
            held = "its bytes are not those that are written here; every figure that was found in it holds"
            anew.append(f"{file.name}: {held}")
        elif not places and not gone:
            problem = "is not the file that was written (its sha256), though every figure holds"
            found.append(replace(whole, files=(file.name,), problem=problem))
    return [*found, *(replace(one, files=files) for one, files in differing.items())], anew


def _differing(said: Cells, ours: Cells, gone: Iterable[str]) -> Iterator[tuple[Place, Any, Any]]:
    """Where cells differ, and what either has there; of boards that are gone, it was said."""
    for place in dict.fromkeys((*said, *ours)):
        board, row, of = place
        one, other = said.get(place), ours.get(place)
        if board in gone:
            continue
        if one is None or other is None:
            yield place, one and "there", other and "there"
            continue
        for column in dict.fromkeys((*one, *other)):
            if one.get(column) != other.get(column):
                yield (board, row, f"{of} {column}".strip()), one.get(column), other.get(column)


def _changed(stated: Basis, here: Basis) -> Iterator[str]:
    """What the bundle rests on and is another here, in words."""
    if tables := _others(stated.warehouse.tables, here.warehouse.tables):
        yield f"the warehouse's content is another: its hashes differ for {', '.join(tables)}"
    for name in _others(stated.datasets, here.datasets):
        one, other = stated.datasets.get(name), here.datasets.get(name)
        if one is None or other is None:
            yield f"dataset {name}: {'only here' if one is None else 'not here'}"
            continue
        for kind in ("content", "answers"):
            if one.get(kind) != other.get(kind):
                yield f"dataset {name}: the hash of its {kind} is another"
    if stated.release.name != here.release.name:
        with_release = f"computed with the release {here.release.name}"
        yield f"{with_release}, the bundle with {stated.release.name}"
    # Earlier bundles name the papers' tables too, which no board rests on.
    papers = {f"{file.kind} {file.name}" for file in load(default_name()).paper_files}
    files = [
        file for file in _others(stated.release.files, here.release.files) if file not in papers
    ]
    if files:
        yield f"release {here.release.name}: other files than the bundle's: {', '.join(files)}"
    for name in _others(stated.judges, here.judges):
        yield f"judge {name}: {'not the same' if name in here.judges else 'not here'}"
    for what in ("evalhouse", "duckdb", "schema_version"):
        one, other = getattr(stated, what), getattr(here, what)
        if one != other:
            yield f"{what.replace('_', ' ')}: {one} wrote the bundle, here is {other}"
    for name in _others(stated.libraries, here.libraries) if stated.libraries else ():
        wrote, installed_here = stated.libraries.get(name, "none"), here.libraries.get(name, "none")
        yield f"{name}: {wrote} wrote the bundle, here is {installed_here}, which may write other bytes"


def _foreign(folder: Path, manifest: Manifest) -> Iterator[str]:
    known = {manifests.NAME, *(file.name for table in manifest.tables for file in table.files)}
    known |= {manifest.scores.name} if manifest.scores else set()
    more = sorted(path.name for path in folder.iterdir() if path.name not in known)
    if more:
        yield f"not of the bundle, and not looked at: {', '.join(more)}"


def _others(one: Mapping[str, object], other: Mapping[str, object]) -> list[str]:
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"
