"""`evalhouse releases`: listing, comparing, installing and freezing releases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse import blank
from evalhouse.api import Warehouse
from evalhouse.cli_shared import Db, NoRefresh, Wait, note_warnings, reader_of
from evalhouse.printing import note, out, shown
from queries import compare, definitions, hooks, install, render
from queries import release as releases
from warehouse.errors import EvalhouseError, UsageError
from warehouse.later import pl
from warehouse.wording import counted

releases_app = typer.Typer(
    help="The releases of scoring views: list, compare, install, freeze.",
    invoke_without_command=True,
)


_GROUPS = {
    releases.PAPERS: "the papers' tables and figures; `evalhouse paper-table` needs no installation",
    releases.STUDIES: "what scores are worth; `evalhouse study` needs no installation",
}


@releases_app.callback()
def releases_list(context: typer.Context, db: Db = None, wait: Wait = 0) -> None:
    """List the releases that come with evalhouse, and those installed in the warehouse."""
    if context.invoked_subcommand is not None:
        return
    house = reader_of(db, wait)
    here: dict[str, install.Installed] = {}
    groups: set[str] = set()
    differing: dict[str, list[str]] = {}
    if house.path.exists():
        with house.reading() as con:
            here, differing = install.installed(con), install.differing(con)
            groups = {one for one in releases.GROUPS if install.installed_group(con, one)}
            differing |= definitions.changed(con, blank.path())
    rows = []
    packages = releases.brought()
    for name in dict.fromkeys((*releases.shipped_names(), *packages.folders, *here)):
        known = name in releases.shipped_names() or name in packages.folders
        shipped = releases.load(name) if known else None
        found = here.get(name)
        rows.append(
            {
                "release": name,
                "state": shipped.state if shipped else found.state if found else None,
                "builds on": shipped.builds_on if shipped else found.builds_on if found else None,
                "own files": len(shipped.own_files) if shipped else None,
                "installed": ("differs" if name in differing else "yes") if found else "no",
                "latest": "yes" if found and found.is_default else None,
                "description": shipped.description if shipped else None,
            }
        )
    default = releases.load(releases.default_name())
    for group, what in _GROUPS.items():
        rows.append(
            {
                "release": group,
                "state": default.state,
                "builds on": default.name,
                "own files": len(default.files_of(group)),
                "installed": ("differs" if group in differing else "yes")
                if group in groups
                else "no",
                "description": what,
            }
        )
    shown(render.render_frame(pl.DataFrame(rows, infer_schema_length=None), "table"))
    for problem in packages.problems:
        note(problem)


@releases_app.command(name="install")
def releases_install(
    name: Annotated[
        str | None,
        typer.Argument(
            help="A release, a folder, `papers` or `studies`; without one, what is installed as it ships now."
        ),
    ] = None,
    no_refresh: NoRefresh = False,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Install releases into the warehouse, in place of earlier installations.

    A new warehouse has the default release, and `latest` that points at it. Commands compute the
    others, the papers' tables and the studies, without installing them; `evalhouse sql` and other
    clients ask for them as schemas, which have to be installed. `papers` are the papers' tables and
    figures, `studies` what `evalhouse study` prints.
    """
    house = Warehouse(db, wait=wait)
    release = None if name in (None, *releases.GROUPS) else releases.load(name)
    installed: tuple[str, ...]
    with house.changing(refresh=not no_refresh) as con:
        if name is None:
            installed = install.bring_up_to_date(con)
        elif release is None:
            install.install_group(con, name)
            installed = (name,)
        else:
            install.install(con, release)
            installed = (release.name,)
            note_warnings(release)
    out(f"installed {', '.join(installed)}" if installed else "all are installed as shipped")


@releases_app.command(name="uninstall")
def releases_uninstall(
    name: Annotated[
        str, typer.Argument(help="An installed release by name, `papers` or `studies`.")
    ],
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Take a release's views out of the warehouse, and what is kept of its results; facts stay."""
    house = Warehouse(db, wait=wait)
    if not house.path.exists():
        raise EvalhouseError(f"{house.path}: no warehouse there")
    with house.writing() as con:
        was_there = install.uninstall(con, name)
    out(f"uninstalled {name}" if was_there else f"{name} is not installed")


@releases_app.command(name="diff")
def releases_diff(
    before: Annotated[str, typer.Argument(help="A release or a folder.")],
    after: Annotated[str, typer.Argument(help="A release or a folder.")],
    benchmark: Annotated[
        str | None,
        typer.Option(help="Explain the difference of the two boards of one benchmark."),
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help="With --benchmark: the judge of the boards; else none.")
    ] = None,
    judge_after: Annotated[
        str | None,
        typer.Option(help="With --benchmark: the judge of the second board; else the first's."),
    ] = None,
    examples: Annotated[
        int, typer.Option(min=0, help="With --benchmark: how many of each kind.")
    ] = 2,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Which views differ, and on this warehouse which verdicts flip and which ranks change.

    With --benchmark: of each model's latest run the answers that the two decide differently, by how
    each decided, with examples; their points are the difference of the two boards.
    """
    one, two = releases.load(before), releases.load(after)
    note_warnings(one)
    note_warnings(two)
    if benchmark is not None:
        house = reader_of(db, wait)
        with house.reading() as con:
            why = compare.explain(
                con, one, two, benchmark, judge=judge, judge_after=judge_after, n_examples=examples
            )
        _explained(one.name, two.name, why)
        return
    if judge is not None or judge_after is not None:
        raise UsageError("--judge and --judge-after are for --benchmark")
    for name, text in compare.compare_sql(one, two).items():
        out(f"{name} differs:\n{text}\n")
    house = reader_of(db, wait)
    if not house.path.exists():
        out(f"{house.path}: no warehouse there, so nothing to compare verdicts on")
        return
    with house.reading() as con:
        found = compare.compare(con, one, two)
    for title, frame in (
        ("Verdicts that flip, judge none", found.flips),
        ("Examples", found.examples),
        ("Scores and ranks that change, judge none", found.ranks),
    ):
        out(f"{title}:")
        shown(render.render_frame(frame, "table") if frame.height else "  none")


def _explained(before: str, after: str, why: compare.Explanation) -> None:
    out(f"before: {before}, judge {why.judge_before}; after: {after}, judge {why.judge_after}")
    for title, frame in (
        ("Boards", why.boards),
        ("Answers decided differently", why.kinds),
        ("Examples", why.examples),
    ):
        out(f"{title}:")
        shown(render.render_frame(frame, "table") if frame.height else "  none")
    out(
        f"{counted(why.n_flips, 'answer has', 'answers have')} another score; one of the "
        f"two reads nothing in {why.n_judged:,} of "
        "them, which a judge would settle"
    )


@releases_app.command(name="freeze")
def releases_freeze(
    name: Annotated[str, typer.Argument(help="A release or a folder.")],
) -> None:
    """Record the hash of each of a release's statements; from then on none may change."""
    target = releases.freeze(releases.load(name))
    out(f"frozen: {target}")


@releases_app.command(name="hooks")
def releases_hooks(
    name: Annotated[str, typer.Argument(help="A release or a folder.")] = install.LATEST,
    markdown: Annotated[bool, typer.Option("--markdown", help="As a Markdown table.")] = False,
) -> None:
    """The views and macros that a release of your own is meant to change, lowest first."""
    release = releases.load(name)
    shown(render.render_frame(hooks.frame(release), "markdown" if markdown else "table"))


@releases_app.command(name="new")
def releases_new(
    folder: Annotated[Path, typer.Argument(help="A new folder; its name is the release's.")],
    hook: Annotated[
        list[str], typer.Option(help="A view or macro to change (see hooks); may be repeated.")
    ],
    builds_on: Annotated[
        str | None, typer.Option(help="The release that has everything else; by default latest.")
    ] = None,
) -> None:
    """Write a release of your own: copies of the hooks that it changes, to be edited."""
    for path in hooks.new(folder, hook, builds_on or releases.default_name()):
        out(str(path))
    out(f"edit these, then: evalhouse leaderboard BENCHMARK --release {folder}")
