"""Leaderboards as a folder: each in every table format, and a manifest to recompute them from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from itertools import count, product
from pathlib import Path
from typing import Any

import duckdb

from queries import leaderboard, session
from queries.board import Board
from queries.choosing import WHOLE, groups_of, judges_of_board
from queries.export import bundle_manifest
from queries.export import bundle_manifest as manifests
from queries.export.bundle_files import ENDINGS, rendered
from queries.export.bundle_manifest import Basis, Facts, File, Manifest, Scores, Table, Views
from queries.install import LATEST, objects
from queries.mmvet_export import file_name
from queries.options import BoardOptions
from queries.release import default_name
from warehouse import migrate, parquet
from warehouse.benchmark import require_task
from warehouse.errors import UsageError
from warehouse.files import writing

_LIBRARIES = ("great-tables", "polars", "pyarrow", "rich", "tabulate", "xlsxwriter")
"""What files are written with."""


@dataclass(frozen=True)
class Choice:
    """Which boards go into a bundle. Empty: every one there is.

    Attributes:
        strategy: by default each benchmark's own, and those of its groups.
        runs: latest (each model's) or all.
    """

    benchmarks: Sequence[str] = ()
    levels: Sequence[str] = ()
    judges: Sequence[str] = ()
    strategy: str | None = None
    subset: str = WHOLE
    runs: str = "latest"
    of: str = "all"
    digits: int = 2


def write(
    con: duckdb.DuckDBPyConnection,
    folder: Path,
    choice: Choice,
    *,
    evalhouse: str,
    release: str = LATEST,
    step: Callable[[str], None] = lambda text: None,
    left: Callable[[str], None] = lambda text: None,
) -> Manifest:
    """Write a bundle to a folder that is not there yet, or empty; the manifest comes last.

    Args:
        evalhouse: the version to note.
        release: a release by name, or the folder of one.
        step: callback, called with what is being computed.
        left: callback, called with each benchmark or board that is left out and why, where no
            benchmark was requested by name.

    Raises:
        UsageError: the folder holds something or cannot be written, or no board fits, be it of all
            or of a benchmark that was requested by name.
    """
    release = default_name() if release == LATEST else release
    its_name = session.use_release(con, release)
    writing.require_room(folder, "a bundle")
    with writing.folder(folder, last=manifests.NAME) as new:
        tables = []
        reasons: list[str] = []
        for name, query, boards in _tables(con, choice, release, step, reasons):
            files = []
            drawn = rendered(boards, choice.digits, all_runs=choice.runs == "all")
            for fmt, content in drawn.items():
                file = File(f"{name}.{ENDINGS[fmt]}", fmt, sha256(content).hexdigest())
                writing.fill(new / file.name, content)
                files.append(file)
            shown, n = tuple(dict.fromkeys(board.dataset for board in boards)), n_figures(boards)
            tables.append(Table(name, query, choice.digits, shown, n, tuple(files)))
        if not tables:
            raise UsageError(
                reasons[0].partition(": ")[2]
                if reasons
                else "no run fits, so there is no board; `evalhouse runs` lists the runs"
            )
        step("named figures")
        scores = _scores(con, choice, new, reasons)
        for reason in reasons:
            left(reason)
        step("what the figures rest on")
        judges = judges_of(tables, scores)
        rests_on = basis(con, its_name, objects(con, release), judges, evalhouse=evalhouse)
        made = Manifest(rests_on, tuple(tables), scores)
        manifests.write(new, made)
    return made


def basis(
    con: duckdb.DuckDBPyConnection,
    release: str,
    views: Mapping[tuple[str, str], str],
    judges: set[str],
    *,
    evalhouse: str,
) -> Basis:
    """What the figures of a warehouse rest on.

    Args:
        con: a connection with the release in use.
        release: its name.
        views: the hashes of its views and macros.
        judges: those to describe.
    """
    path = Path("the warehouse")
    return Basis(
        evalhouse=evalhouse,
        duckdb=duckdb.__version__,
        schema_version=migrate.installed_version(con, path),
        warehouse=Facts(
            {
                name: f"{n_rows} rows {content}"
                for name, (n_rows, content) in parquet.contents(con).items()
            }
        ),
        datasets={
            name: {"content": content, "answers": answers}
            for name, content, answers in session.frame(con, "bundle_datasets").iter_rows()
        },
        release=Views(
            release, {f"{kind} {name}": sha for (kind, name), sha in sorted(views.items())}
        ),
        judges={
            row["name"]: {key: value for key, value in row.items() if key != "name"}
            | {"model": _without_folder(row["model"])}
            for row in session.frame(con, "bundle_judges").to_dicts()
            if row["name"] in judges
        },
        libraries={name: version(name) for name in _LIBRARIES},
    )


def judges_of(tables: Sequence[Table], scores: Scores | None) -> set[str]:
    """The judges that a bundle's figures are under."""
    return {table.query["judge"] for table in tables} | set(scores.chosen.judge if scores else ())


def n_figures(boards: Sequence[Board]) -> int:
    """How many scores boards show."""
    return sum(cell is not None for board in boards for line in board.lines for cell in line.cells)


def _scores(
    con: duckdb.DuckDBPyConnection, choice: Choice, new: Path, reasons: list[str]
) -> Scores | None:
    """Write the named figures of what was chosen; `reasons` says why there are none."""
    if choice.subset != WHOLE or choice.of != "all":
        reasons.append("named figures: they are of all questions of whole datasets")
        return None
    chosen: dict[str, Sequence[str]] = {
        "benchmark": [row["benchmark"] for row in _benchmarks(con, choice.benchmarks)],
        "level": choice.levels,
        "judge": choice.judges,
        "strategy": [choice.strategy] if choice.strategy else [],
    }
    try:
        found = bundle_manifest.rows(con, {k: v for k, v in chosen.items() if v}, choice.runs)
    except UsageError as error:
        reasons.append(f"named figures: {error}")
        return None
    if not found:
        reasons.append("named figures: none fits")
        return None
    content = bundle_manifest.content(found)
    writing.fill(new / bundle_manifest.SCORES, content)
    return Scores(
        name=bundle_manifest.SCORES,
        sha256=sha256(content).hexdigest(),
        n_figures=bundle_manifest.n_figures(found),
        runs=choice.runs,
        chosen=bundle_manifest.chosen_of(found),
    )


def _tables(
    con: duckdb.DuckDBPyConnection,
    choice: Choice,
    release: str,
    step: Callable[[str], None],
    reasons: list[str],
) -> Iterator[tuple[str, dict[str, str], tuple[Board, ...]]]:
    """Each table's name, query and boards; `reasons` gets what is left out of all benchmarks."""
    taken: set[str] = set()
    records = session.remembering()
    for row in _benchmarks(con, choice.benchmarks):
        benchmark = row["benchmark"]
        require_task(row["task"], benchmark)
        groups = () if choice.strategy else groups_of(con, row["benchmark_id"])
        for strategy in (choice.strategy, *groups):
            # That a group has no such board is said, and is no reason to have none.
            is_named = bool(choice.benchmarks) and strategy not in groups
            judged = strategy or row["strategy"]
            judges = choice.judges or judges_of_board(con, row["benchmark_id"], row["task"], judged)
            shown: set[str] = set()
            missing: dict[str, None] = {}
            for judge, level in product(judges, choice.levels or ("overall", *row["levels"])):
                step(f"{benchmark}, {level}, judge {judge}")
                query: dict[str, Any] = {
                    "benchmark": benchmark,
                    "level": level,
                    "strategy": strategy,
                    "judge": judge,
                    "subset": choice.subset,
                    "runs": choice.runs,
                    "of": choice.of,
                }
                try:
                    boards = leaderboard.boards(
                        con, BoardOptions(release=release, **query), records=records
                    )
                except UsageError as error:
                    # Of all benchmarks, one that has no such board is no reason to have none.
                    if is_named:
                        raise
                    missing[str(error)] = None
                    continue
                # A level without questions would be Overall once more.
                if any(level == "overall" or len(board.columns) > 1 for board in boards):
                    shown.add(level)
                    query |= {"strategy": boards[0].strategy, "average": boards[0].average}
                    yield _name(query, taken), query, boards
            needs_judge = "answers in words need a judge, and there is none"
            why = "no run fits" if judges else needs_judge
            if is_named and not shown and not choice.levels:
                raise UsageError(f"{benchmark} has no board here: {why}")
            for level in choice.levels:
                if level not in shown and not missing:
                    said = f"{benchmark} has no board of the level {level!r} here"
                    if is_named:
                        raise UsageError(said)
                    missing[said] = None
            if not shown and not missing:
                missing[why] = None
            name = f"{benchmark}, {strategy}" if strategy in groups else benchmark
            reasons += [f"{name}: {reason}" for reason in missing]


def _benchmarks(con: duckdb.DuckDBPyConnection, wanted: Sequence[str]) -> list[dict[str, Any]]:
    found = session.frame(con, "bundle_benchmarks").to_dicts()
    known = {row["benchmark"].lower(): row for row in found}
    for name in wanted:
        if name.lower() not in known:
            there = ", ".join(row["benchmark"] for row in found) or "none"
            raise UsageError(f"no run of a benchmark {name!r} here; there are runs of {there}")
    return [known[name] for name in dict.fromkeys(map(str.lower, wanted))] if wanted else found


def _name(query: Mapping[str, str], taken: set[str]) -> str:
    """A file's name made from the query, unique even where case does not count."""
    parts = [query["benchmark"], query["level"], query["strategy"], query["judge"]]
    if query["subset"] != WHOLE:
        parts.append(query["subset"])
    plain = re.sub("[^a-z0-9.]+", "-", file_name(" ".join(parts)).lower()).strip("-.")
    names = (plain if number == 1 else f"{plain}-{number}" for number in count(1))
    name = next(name for name in names if name not in taken)
    taken.add(name)
    return name


def _without_folder(model: str | None) -> str | None:
    """A model's name; of one that is given by its path, the last part."""
    is_path = model is not None and re.match(r"[/\\~.]|[A-Za-z]:[/\\]", model)
    return re.split(r"[/\\]", model.rstrip("/\\"))[-1] if model and is_path else model
