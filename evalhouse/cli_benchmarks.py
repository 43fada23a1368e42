"""`evalhouse benchmarks`: those that are known, one of them, and adding one by its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from evalhouse import benchmarks
from evalhouse.api import Warehouse
from evalhouse.cli_shared import Db, Wait, house_of
from evalhouse.printing import note, out, shown
from queries import render
from warehouse.benchmark_changes import KEYS, read_pairs
from warehouse.errors import UsageError
from warehouse.wording import counted

benchmarks_app = typer.Typer(
    help="The benchmarks that are known: list, show, add, set.", invoke_without_command=True
)


@benchmarks_app.callback()
def benchmarks_default(context: typer.Context, db: Db = None, wait: Wait = 0) -> None:
    """List the benchmarks that are known here."""
    if context.invoked_subcommand is None:
        benchmarks_list(db, wait)


@benchmarks_app.command(name="list")
def benchmarks_list(db: Db = None, wait: Wait = 0) -> None:
    """List the benchmarks that come with evalhouse or with a package, and the warehouse's own."""
    house = house_of(db, wait)
    shown(render.render_frame(house.benchmarks(), "table"))
    for problem in house.left_out():
        note(problem)


@benchmarks_app.command(name="show")
def benchmarks_show(
    name: Annotated[str, typer.Argument(help="Such as MMBench, or another name of it.")],
    toml: Annotated[bool, typer.Option("--toml", help="The text of its benchmark.toml.")] = False,
    judge: Annotated[bool, typer.Option("--judge", help="The text of its judge.toml.")] = False,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """What is known of a benchmark: conventions, names of datasets, levels and abilities."""
    found = house_of(db, wait).benchmark(name)
    if judge and found.judge_template is None:
        raise UsageError(f"{found.name} has no template of its own for a judge")
    given = found.text if toml else benchmarks.described(found)
    out(str(found.judge_template if judge else given).rstrip("\n"))


@benchmarks_app.command(name="set")
def benchmarks_set(
    name: Annotated[str, typer.Argument(help="A benchmark of the warehouse's own.")],
    changes: Annotated[
        list[str],
        typer.Argument(
            metavar="KEY=VALUE…",
            help=f"{', '.join(KEYS)}; such as rule=anls, level=topic.",
        ),
    ],
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Change what was inferred or declared of a benchmark, without reading its files again.

    What comes with evalhouse stays as it is. What held before is kept, superseded.
    """
    found = house_of(db, wait).set_benchmark(name, read_pairs(changes))
    out(benchmarks.described(found))


@benchmarks_app.command(name="add")
def benchmarks_add(
    folder: Annotated[Path, typer.Argument(help="A folder with a benchmark.toml.")],
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Add a folder's benchmark to the warehouse, which knows it from then on without the folder."""
    found = Warehouse(db, wait=wait).add_benchmark(folder)
    out(
        f"{found.name} is known: {counted(len(found.abilities), 'ability', 'abilities')}, "
        f"{counted(len(found.names), 'name')}"
    )
