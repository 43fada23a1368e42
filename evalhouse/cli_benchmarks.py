"""`evalhouse benchmarks`: those that are known, one of them, adding and changing one."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Annotated

import typer

from evalhouse import benchmarks
from evalhouse.api import Warehouse
from evalhouse.cli_shared import Db, Wait, house_of
from evalhouse.printing import note, out, shown
from queries import render
from warehouse import benchmark, benchmark_changes
from warehouse.errors import EvalhouseError, UsageError
from warehouse.files import reading, writing
from warehouse.wording import counted

benchmarks_app = typer.Typer(
    help="The benchmarks that are known: list, show, add, edit, set.", invoke_without_command=True
)

_Own = Annotated[str, typer.Argument(help="A benchmark of the warehouse's own.")]


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


@benchmarks_app.command(name="edit")
def benchmarks_edit(name: _Own, db: Db = None, wait: Wait = 0) -> None:
    """Open a benchmark's TOML in $EDITOR, and put what is saved in its place (as set does)."""
    try:
        editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")
    except ValueError as error:
        raise UsageError(f"EDITOR is no command: {error}; {benchmarks.NEW_WAY}") from error
    if not editor:
        raise UsageError(f"EDITOR names no editor; {benchmarks.NEW_WAY}")
    with house_of(db, wait).reading() as con:
        text = benchmark_changes.find(con, name).text
    with TemporaryDirectory(prefix="benchmark-") as folder:
        file = Path(folder, "benchmark.toml")
        writing.fill(file, text)
        try:
            subprocess.run([*editor, file], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise UsageError(f"the editor: {error}; {name} stays as it is") from error
        edited = reading.text(file, most=benchmark.MOST_BYTES)
    if edited == text:
        note(f"{name} stays as it is: nothing was changed")
        return
    try:
        found = house_of(db, wait).set_benchmark(name, edited)
    except EvalhouseError:
        kept = Path(mkdtemp(prefix="benchmark-"), "benchmark.toml")
        writing.fill(kept, edited)
        note(f"the text is kept: mend {kept}, then `evalhouse benchmarks set {name} {kept}`")
        raise
    out(benchmarks.described(found))


@benchmarks_app.command(name="set")
def benchmarks_set(
    name: _Own,
    file: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Its TOML from now on (show NAME --toml).")
    ],
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """Put a file in the place of a benchmark's TOML, without reading its answers again.

    What comes with evalhouse stays as it is. What held before is kept, superseded.
    """
    if len(file) > 1 or ("=" in file[0] and not os.path.lexists(file[0])):
        raise UsageError(benchmarks.NEW_WAY)
    text = reading.text(Path(file[0]), most=benchmark.MOST_BYTES)
    found = house_of(db, wait).set_benchmark(name, text, path=file[0])
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
