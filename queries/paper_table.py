"""The tables and figures of the papers: a view's rows, cut and ordered as the paper prints them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

import duckdb

from queries import attached, install, session
from queries import release as releases
from queries.board import hidden_note
from queries.choosing import NONE, WHOLE, default_judges, judges_of_task, require_among
from queries.heads import head
from queries.install import LATEST
from queries.options import PaperOptions
from queries.paper_entry import Entry, entries, split_order
from queries.plan import plan
from queries.release import PAPERS, Release
from warehouse import connection, statements
from warehouse.benchmark import HALF_UP
from warehouse.errors import EvalhouseError, UsageError
from warehouse.known_benchmarks import rounding_of
from warehouse.later import pl

_SQL = statements.of_module(__file__)
CONSTANT = ("dataset", "subset", "strategy", "judge")
"""Columns that make separate tables: their values stand in the title."""


@dataclass(frozen=True)
class Dataset:
    """What has to be known of a dataset to print its figures.

    Attributes:
        rounding: where a tie goes.
        n_hidden: questions with a hidden answer.
    """

    rounding: str = HALF_UP
    n_hidden: int = 0


@dataclass(frozen=True)
class Part:
    """One printed table: `about` holds what is the same in all of its rows, by column."""

    title: str
    entry: Entry
    about: dict[str, str]
    frame: pl.DataFrame
    dataset: Dataset = field(default_factory=Dataset)

    @property
    def notes(self) -> tuple[str, ...]:
        """Why figures are missing, where that is not the view's to say."""
        figures = self.frame.select(pl.col(pl.Float64, pl.Float32))
        is_missing = any(figures[name].null_count() for name in figures.columns)
        return (hidden_note(self.dataset.n_hidden),) if self.dataset.n_hidden and is_missing else ()


@dataclass(frozen=True)
class View:
    """Where a table's view is, qualified, and what it says of itself."""

    source: str
    comment: str


@dataclass(frozen=True)
class PaperTable:
    """A view's rows in the paper's order, all columns, unrounded.

    Attributes:
        title: the paper's name for it.
        release: whose view it is.
        datasets: by name.
    """

    name: str
    title: str
    release: str
    entry: Entry
    frame: pl.DataFrame
    datasets: Mapping[str, Dataset] = field(default_factory=dict)

    def parts(self) -> Iterator[Part]:
        """One per dataset, and subset, strategy and judge where the view has them."""
        keys = [key for key in CONSTANT if key in self.frame.columns]
        if self.entry.task is None and "judge" in keys:
            keys.remove("judge")  # it compares judges
        groups = self.frame.partition_by(keys, maintain_order=True) if keys else [self.frame]
        for group in groups:
            about = {key: str(group[key][0]) for key in keys if group[key][0] is not None}
            named = [
                f"{key} {text}" if key in ("subset", "judge") else text
                for key, text in about.items()
                if (key, text) != ("subset", WHOLE)
            ]
            title = " · ".join([self.title, *named, f"release {self.release}"])
            dataset = self.datasets.get(about.get("dataset", ""), Dataset())
            yield Part(title, self.entry, about, group, dataset)


def paper_table(con: duckdb.DuckDBPyConnection, options: PaperOptions) -> PaperTable:
    """A table or figure of a paper.

    The judge is by default each dataset's own; of marks the model's that gave most.

    Raises:
        UsageError: there is no such table, judge or subset, or the warehouse holds nothing for it.
        EvalhouseError: its entry names a column that the view does not have, or it does not bind
            upon the release as it is installed.
    """
    name, judge, subset = options.name, options.judge, options.subset
    release = session.use_release(con, options.release)
    entry, view = _known(con, name, options.release)
    columns = con.sql(f"SELECT * FROM {view.source}").columns
    missing = sorted({*entry.columns, *(["judge"] if entry.task else [])} - set(columns))
    if missing:
        raise EvalhouseError(f"the view {name} of {release} has no column {', '.join(missing)}")
    judges: dict[str, str] = {}
    if entry.task is not None:
        judge, judges = _judges(con, judge, entry.task)
        if judges and "dataset" not in columns:
            of_all = set(judges.values())
            judge, judges = of_all.pop() if len(of_all) == 1 else NONE, {}
    where: dict[str, object] = {"dataset": options.dataset, "judge": judge, "subset": subset}
    where = {column: value for column, value in where.items() if value is not None}
    for column in where:
        if column not in columns:
            raise UsageError(f"{name} has no {column} to choose")
    of_dataset = {
        "split": options.split,
        "version": options.version,
        "language": options.language,
    }
    frame = _rows(con, view.source, columns, where, of_dataset, entry.order, judges)
    if not frame.height:
        needs = entry.needs or f"what its view shows: {view.comment}"
        filters = [f"{key} {value}" for key, value in {**where, **of_dataset}.items() if value]
        chosen = f" for {', '.join(filters)}" if filters else ""
        raise UsageError(
            f"{name}: nothing in this warehouse{chosen}. It needs {needs.rstrip('.')}. "
            "`evalhouse status` shows what there is"
        )
    datasets = {
        dataset: Dataset(rounding_of(benchmark), n_hidden or 0)
        for dataset, benchmark, n_hidden in session.frame(con, "paper_datasets").iter_rows()
    }
    return PaperTable(name, title_of(view.comment) or name, release, entry, frame, datasets)


def list_tables(release: str = LATEST) -> pl.DataFrame:
    """Every table and figure of a release on disk: its name, kind, title, and the views it reads.

    Raises:
        UsageError: no such release.
    """
    found = releases.load(release)
    views = found.views
    known = entries()
    rows = []
    for item in plan(found):
        if item.file.kind != "view" or not item.file.is_of_papers:
            continue
        entry = known.get(item.file.name)
        rows.append(
            {
                "name": item.file.name,
                "kind": f"figure: {entry.figure.kind}" if entry and entry.figure else "table",
                "title": title_of(item.comment),
                "reads": ", ".join(name for name in item.depends_on if name in views) or None,
            }
        )
    return pl.DataFrame(sorted(rows, key=lambda row: _place(str(row["name"]))))


def title_of(comment: str) -> str:
    """A view's printed title: its comment up to the first end of a sentence."""
    return comment.partition(". ")[0].rstrip(".")


def _known(con: duckdb.DuckDBPyConnection, name: str, release: str) -> tuple[Entry, View]:
    """A view's entry, and where it is; a view of the user's own needs no entry.

    Args:
        release: the one in use, as it was requested.
    """
    known = entries()
    shipped = releases.load(releases.default_name()).views
    if name in known or name not in shipped:
        view = _installed(con, name, release) or _made(con, name, release)
        if view is not None:
            return known.get(name, Entry(name)), view
    if name in known:
        raise UsageError(f"the release {release} has no {name}")
    near = get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"there is {' or '.join(near)}" if near else "none is like it"
    raise UsageError(f"no table or figure {name!r}; {hint} (`evalhouse paper-table --list`)")


def _installed(con: duckdb.DuckDBPyConnection, name: str, release: str) -> View | None:
    """A view among those of the release in use, or of the papers where these rest on it."""
    ((catalog, schema),) = con.execute("SELECT current_database(), current_schema()").fetchall()
    schemas = [schema]
    if catalog != attached.CATALOG and release in (LATEST, releases.default_name()):
        schemas.append(PAPERS)
    there = {
        str(its_schema): str(comment or "")
        for its_schema, comment in con.execute(
            _SQL["comments_of_view"], {"catalog": catalog, "schemas": schemas, "name": name}
        ).fetchall()
    }
    for one in schemas:
        if one in there:
            comment = there[one] or _comment(release, name)
            return View(f'"{catalog}"."{one}"."{name}"', comment)
    return None


def _made(con: duckdb.DuckDBPyConnection, name: str, release: str) -> View | None:
    """A table that comes with evalhouse, as a view of this connection alone upon the release in
    use."""
    ((catalog, schema),) = con.execute("SELECT current_database(), current_schema()").fetchall()
    found = _with_papers(con, release)
    if name not in {file.name for file in found.paper_files}:
        return None
    if catalog == attached.CATALOG:
        there = {file.name: attached.inside(schema) for file in found.lasting_files}
    else:
        own = releases.default_name() if schema == LATEST else schema
        there = {
            item: f'{connection.CATALOG}"."{where}'
            for item, where in install.schemas_of(con, own).items()
        }
    comment = attached.make_paper(con, found, name, there)
    return View(f'"{attached.inside(PAPERS)}"."{name}"', comment)


def _with_papers(con: duckdb.DuckDBPyConnection, release: str) -> Release:
    """The release on disk whose tables of papers a release has: itself, or one that it builds
    on."""
    if release == LATEST:
        return releases.load(releases.default_name())
    here = install.installed(con)
    name = release
    while name in here and name not in releases.shipped_names() and not Path(name).is_dir():
        name = here[name].builds_on or releases.default_name()
    is_there = name in releases.shipped_names() or Path(name).is_dir()
    return releases.load(name if is_there else releases.default_name())


def _comment(release: str, name: str) -> str:
    """What a view says of itself, of a release on disk."""
    views = releases.load(release).views if Path(release).is_dir() else {}
    return head(views[name]).comment if name in views else ""


def _rows(
    con: duckdb.DuckDBPyConnection,
    source: str,
    columns: list[str],
    where: dict[str, object],
    of_dataset: dict[str, str | None],
    order: tuple[str, ...],
    judges: Mapping[str, str],
) -> pl.DataFrame:
    conditions = [f'"{column}" = ?' for column in where]
    values = list(where.values())
    if judges:
        conditions.append("judge = list_extract(?, list_position(?, dataset))")
        values += [list(judges.values()), list(judges)]
    if any(of_dataset.values()):
        wanted = {column: value for column, value in of_dataset.items() if value is not None}
        same = " AND ".join(f"{column} = ?" for column in wanted)
        conditions.append(f"dataset IN (SELECT name FROM main.dataset WHERE {same})")
        values += wanted.values()
    first = [key for key in CONSTANT if key in columns]
    ordered = [split_order(item) for item in order]
    # What the order leaves open is settled by the other columns, so that it is always the same one.
    rest = [column for column in columns if column not in (*first, *(key for key, _ in ordered))]
    keys = [(column, False) for column in first] + ordered + [(column, False) for column in rest]
    sql = f"SELECT * FROM {source}"
    if conditions:
        sql += " WHERE " + " AND ".join(conditions)
    sql += " ORDER BY " + ", ".join(
        f'"{column}" {"DESC" if down else "ASC"} NULLS LAST' for column, down in keys
    )
    return session.frame_of(con, sql, values)


def _judges(
    con: duckdb.DuckDBPyConnection, judge: str | None, task: str
) -> tuple[str | None, dict[str, str]]:
    """The judge that a table is under; or else those of each dataset.

    Raises:
        UsageError: there is no such judge; or nobody but people has done the task.
    """
    offered = judges_of_task(con, task)
    if judge is not None:
        require_among(judge, offered)
        return judge, {}
    kind = {"choice_extraction": "choice", "soft_score": "graded"}.get(task)
    found = {name: of[kind] for name, of in default_judges(con).items() if kind in of}
    if found:
        return None, found
    if NONE in offered:
        return NONE, {}
    models = [name for (name,) in con.execute(_SQL["models_of_task"], [task]).fetchall()]
    if models:
        return models[0], {}
    if not offered:
        raise UsageError(
            f"no judge gives a {task.replace('_', ' ')} in this warehouse: answers in words need one"
        )
    raise UsageError(f"people alone have judged: say --judge {' or '.join(offered)}")


def _place(name: str) -> tuple[int, list[tuple[int, str]]]:
    """Papers in the order of their years, numbers in their own order: t2 before t10."""
    papers = ("mmbench", "talk", "mmvet", "seed1", "seed2")
    paper = name.partition("_")[0]
    parts = [(int(p), "") if p.isdigit() else (-1, p) for p in re.split(r"(\d+)", name)]
    return (papers.index(paper) if paper in papers else len(papers), parts)
