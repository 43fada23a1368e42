"""The site's pages of reference, made from the code: commands, views with their columns, hooks, Python."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import click
import typer
import typer.cli
from mkdocs.structure.files import File, Files

from evalhouse import Warehouse
from evalhouse.cli import app
from queries import hooks, listed, render
from queries import release as releases
from queries.install import LATEST

_PYTHON = """# Python

The commands' own functions, for scripts and notebooks.

::: evalhouse.Warehouse

## Exports

::: evalhouse.exporting.Exporter

## Boards and comparisons

::: queries.board.Board

::: queries.comparison.Comparison

## Errors

::: warehouse.errors
"""


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that no file holds."""
    pages = {"commands": commands(), "views": views(), "hooks": rules(), "python": _PYTHON}
    for name, content in pages.items():
        files.append(File.generated(config, f"reference/{name}.md", content=content))
    return files


def commands() -> str:
    """Every command with its options, as `--help` has them."""
    command = typer.main.get_command(app)
    context = click.Context(command, info_name="evalhouse")
    return typer.cli.get_docs_for_click(obj=command, ctx=context, name="evalhouse")


def views() -> str:
    """Every view of the default release, the dozen that matter first, with their columns."""
    with tempfile.TemporaryDirectory() as folder:
        house = Warehouse(Path(folder) / "empty.duckdb")
        with house.writing():
            pass
        parts = ["# Views\n\nThose of the default release, in the schema `latest`.\n"]
        with house.reading() as con:
            frame = listed.views(con, LATEST, every=True)
            for schema, view, *_ in frame.rows():
                what, columns = listed.described(con, LATEST, f"{schema}.{view}")
                parts.append(f"## {view}\n\n{_safe(what.partition(': ')[2])}\n")
                parts.append("| column | type | |\n|:--|:--|:--|")
                parts += [
                    f"| `{column}` | `{kind}` | {_safe(comment or '')} |"
                    for column, kind, comment in columns.rows()
                ]
                parts.append("")
    return "\n".join(parts)


def rules() -> str:
    """The views and macros that a release of one's own is meant to change."""
    frame = hooks.frame(releases.load(LATEST))
    table = render.render_frame(frame, "markdown")
    return f"# Hooks\n\nThe rules that are meant to be changed, lowest first.\n\n{table}"


def _safe(text: str) -> str:
    """A comment in Markdown: as it stands."""
    return text.replace("|", "&#124;").replace("<", "&lt;").replace("\n", " ")
