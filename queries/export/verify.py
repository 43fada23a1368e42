"""Recomputing a bundle: every figure from the warehouse again, and what it rests on compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb

from queries import leaderboard, session
from queries.board import Board
from queries.export import bundle, bundle_cells, bundle_scores
from queries.export import bundle_manifest as manifests
from queries.export.bundle_manifest import Basis, Manifest, Table
from queries.export.bundle_scores import Scores
from queries.install import installed, objects
from queries.options import BoardOptions
from queries.release import default_name, load, shipped_names
from queries.render.printed import one_line
from warehouse.errors import InputError, UsageError
from warehouse.files import reading
from warehouse.files.visible import visible

_SLACK = 64 * 2**10


@dataclass(frozen=True)
class Difference:
    """A figure that does not hold, or a file that is not what it should be.

    Attributes:
        files: those that say so; they show the same board in several formats.
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
        where = ", ".join(
            part
            for part in (
                self.board,
                f"row {self.row}" if self.row else "",
                f"column {self.column}" if self.column else "",
            )
            if part
        )
        text = self.problem or (
            f"the bundle says {_shown(self.said)}, the warehouse {_shown(self.found)}"
        )
        files = f" ({', '.join(self.files)})" if self.files else ""
        # A bundle can come from anywhere: what it says is seen and never obeyed by a terminal.
        return one_line(visible(f"{self.table}{f', {where}' if where else ''}: {text}{files}"))


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
    release = release or manifest.basis.release
    if release not in (*installed(con), *shipped_names()) and release == manifest.basis.release:
        raise UsageError(
            f"{folder}: is of the release {release}, which is not installed in this warehouse and does not "
            "come with evalhouse; --release FOLDER computes with one of your own"
        )
    name = session.use_facts(con, release)
    differences: list[Difference] = []
    written_anew: list[str] = []
    records, n_figures = session.remembering(), 0
    for table in manifest.tables:
        step(table.name)
        query: Mapping[str, Any] = table.query
        try:
            options = BoardOptions(release=release, **query)
            computed = leaderboard.boards(con, options, records=records)
        except UsageError as error:
            differences.append(Difference(table.name, (), problem=f"cannot be recomputed: {error}"))
            continue
        boards = tuple(board for board in computed if board.dataset in table.datasets)
        n_figures += bundle.n_figures(boards)
        found, anew = _table(folder, table, boards)
        differences += found
        written_anew += anew
    n_named = 0
    if manifest.scores is not None:
        step("named figures")
        n_named, found, anew = _scores(con, folder, manifest.scores)
        differences += found
        written_anew += anew
    step("what the figures rest on")
    judges = bundle.judges_of(manifest.tables, manifest.scores)
    here = bundle.basis(con, name, objects(con, release), judges, evalhouse=evalhouse)
    return Verdict(
        n_figures=n_figures,
        n_tables=len(manifest.tables),
        n_named=n_named,
        differences=tuple(differences),
        notes=tuple(
            map(
                visible,
                (
                    *(
                        f"{name}: its bytes are not those that are written here; every figure that was found "
                        "in it holds"
                        for name in written_anew
                    ),
                    *(
                        ()
                        if manifest.says_of_scores
                        else (
                            f"an earlier evalhouse wrote it, without named figures ({bundle_scores.NAME})",
                        )
                    ),
                    *_changed(manifest.basis, here),
                    *_foreign(folder, manifest),
                ),
            )
        ),
    )


def _table(
    folder: Path, table: Table, boards: tuple[Board, ...]
) -> tuple[list[Difference], list[str]]:
    """What does not hold of a table's files, and the files in which all does whose bytes are
    others."""
    all_runs = table.query["runs"] == "all"
    ours = bundle.rendered(boards, table.digits, all_runs=all_runs) if boards else {}
    gone = [name for name in table.datasets if all(board.dataset != name for board in boards)]
    found = [Difference(table.name, (), board=name, problem="has no run here") for name in gone]
    n_figures = bundle.n_figures(boards)
    if not gone and n_figures != table.n_figures:
        problem = f"has {table.n_figures:,} figures by its manifest, and {n_figures:,} here"
        found.append(Difference(table.name, (), problem=problem))
    written_anew: list[str] = []
    by_place: dict[tuple[str, str, str], Difference] = {}
    for file in table.files:
        # What says the same is about as long, and what is far longer is not taken apart.
        most = 2 * len(ours.get(file.format, b"")) + _SLACK
        try:
            content = reading.content(folder / file.name, inside=folder, most=most)
        except InputError as error:
            problem = error.problem
            found.append(Difference(table.name, (file.name,), problem=problem))
            continue
        if file.format not in ours:
            if boards:
                problem = f"is of a format {file.format!r}, which no table has"
                found.append(Difference(table.name, (file.name,), problem=problem))
            continue
        if content == ours[file.format]:
            continue
        try:
            differing = list(_cells(content, ours[file.format], file.format, boards, all_runs))
        except ValueError as error:
            found.append(Difference(table.name, (file.name,), problem=str(error)))
            continue
        for place, said, here in differing:
            known = by_place.get(place)
            by_place[place] = (
                replace(known, files=(*known.files, file.name))
                if known
                else Difference(table.name, (file.name,), *place, said=said, found=here)
            )
        if differing:
            continue
        if sha256(content).hexdigest() == file.sha256:
            written_anew.append(file.name)
        else:
            problem = "is not the file that was written (its sha256), though every figure holds"
            found.append(Difference(table.name, (file.name,), problem=problem))
    return [*found, *by_place.values()], written_anew


def _scores(
    con: duckdb.DuckDBPyConnection, folder: Path, scores: Scores
) -> tuple[int, list[Difference], list[str]]:
    """How many named figures were computed, what does not hold, and whether the bytes alone do not."""

    def wrong(problem: str) -> Difference:
        return Difference("named figures", (scores.name,), problem=problem)

    try:
        ours = bundle_scores.rows(con, scores.chosen, scores.runs)
    except UsageError as error:
        return 0, [wrong(f"cannot be recomputed: {error}")], []
    n_figures = bundle_scores.n_figures(ours)
    here = bundle_scores.chosen_of(ours)["dataset"]
    gone = [name for name in scores.chosen["dataset"] if name not in here]
    found = [
        Difference("named figures", (), board=name, problem="has no run here") for name in gone
    ]
    if not gone and n_figures != scores.n_figures:
        counts = f"{scores.n_figures:,} figures by its manifest, and {n_figures:,} here"
        found.append(wrong(f"has {counts}"))
    anew = bundle_scores.content(ours)
    try:
        content = reading.content(folder / scores.name, inside=folder, most=2 * len(anew) + _SLACK)
        if content == anew:
            return n_figures, found, []
        # As a spreadsheet program gets them, on both sides.
        theirs, ours = bundle_scores.read(content), bundle_scores.read(anew)
    except InputError as error:
        return n_figures, [*found, wrong(error.problem)], []
    except ValueError as error:
        return n_figures, [*found, wrong(str(error))], []
    differing = []
    for key in dict.fromkeys((*theirs, *ours)):
        one, other = theirs.get(key), ours.get(key)
        if one == other or key[bundle_scores.DATASET] in gone:
            continue
        board, row, column = bundle_scores.named(key)
        of_figure = Difference("named figures", (scores.name,), board, row, column)
        if one is None or other is None:
            is_said = other is None
            differing.append(
                replace(
                    of_figure,
                    said="there" if is_said else None,
                    found=None if is_said else "there",
                )
            )
            continue
        differing += [
            replace(of_figure, column=f"{column} {name}", said=one[name], found=other[name])
            for name in one
            if one[name] != other[name]
        ]
    if differing:
        return n_figures, [*found, *differing], []
    if gone:
        return n_figures, found, []
    if sha256(content).hexdigest() == scores.sha256:
        return n_figures, found, [scores.name]
    problem = "is not the file that was written (its sha256), though every figure holds"
    return n_figures, [*found, wrong(problem)], []


def _cells(
    said: bytes, found: bytes, fmt: str, boards: tuple[Board, ...], all_runs: bool
) -> Iterator[tuple[tuple[str, str, str], str | None, str | None]]:
    """Where two files of a format differ: board, row and column, and what either has there."""
    theirs, ours = (
        bundle_cells.cells(content, fmt, boards, all_runs=all_runs) for content in (said, found)
    )
    for board, row in dict.fromkeys((*theirs, *ours)):
        one, other = theirs.get((board, row)), ours.get((board, row))
        if one is None or other is None:
            there = "there", None
            yield (board, row, ""), *(there if other is None else there[::-1])
            continue
        for column in dict.fromkeys((*one, *other)):
            if one.get(column) != other.get(column):
                yield (board, row, column), one.get(column), other.get(column)


def _changed(stated: Basis, here: Basis) -> Iterator[str]:
    """What the bundle rests on and is another here, in words."""
    if manifests.digest(stated.facts) != manifests.digest(here.facts):
        tables = ", ".join(_differing(stated.facts, here.facts))
        yield f"the warehouse's content is another: its hashes differ for {tables}"
    for name in sorted(stated.datasets.keys() | here.datasets.keys()):
        one, other = stated.datasets.get(name), here.datasets.get(name)
        if one is None or other is None:
            yield f"dataset {name}: {'only here' if one is None else 'not here'}"
            continue
        for kind in ("content", "answers"):
            if one.get(kind) != other.get(kind):
                yield f"dataset {name}: the hash of its {kind} is another"
    if stated.release != here.release:
        yield f"computed with the release {here.release}, the bundle with {stated.release}"
    # Earlier bundles name the papers' tables too, which no board rests on.
    papers = {f"{file.kind} {file.name}" for file in load(default_name()).paper_files}
    files = [file for file in _differing(stated.views, here.views) if file not in papers]
    if files:
        yield f"release {here.release}: other files than the bundle's: {', '.join(files)}"
    for name in _differing(stated.judges, here.judges):
        yield f"judge {name}: {'not the same' if name in here.judges else 'not here'}"
    for what in ("evalhouse", "duckdb", "schema_version"):
        one, other = getattr(stated, what), getattr(here, what)
        if one != other:
            yield f"{what.replace('_', ' ')}: {one} wrote the bundle, here is {other}"


def _foreign(folder: Path, manifest: Manifest) -> Iterator[str]:
    known = {manifests.NAME, *(file.name for table in manifest.tables for file in table.files)}
    known |= {manifest.scores.name} if manifest.scores else set()
    more = sorted(path.name for path in folder.iterdir() if path.name not in known)
    if more:
        yield f"not of the bundle, and not looked at: {', '.join(more)}"


def _differing(one: Mapping[str, object], other: Mapping[str, object]) -> list[str]:
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def _shown(text: str | None) -> str:
    return "nothing" if text is None else text
