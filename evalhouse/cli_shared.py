"""What the commands share: options, messages, and printing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import duckdb
import typer
from rich.console import Console

from evalhouse.api import Warehouse
from warehouse.errors import EvalhouseError

console = Console(stderr=True, highlight=False)

Db = Annotated[
    Path | None,
    typer.Option(
        "--db", help="The warehouse file; by default EVALHOUSE_DB, else warehouse.duckdb."
    ),
]
Wait = Annotated[
    float,
    typer.Option(
        "--wait", metavar="SECONDS", min=0, help="Wait while another process holds the file."
    ),
]
ReleaseName = Annotated[
    str, typer.Option("--release", help="A release by name, or the folder of one of your own.")
]


def run(command: Callable[[], Any]) -> None:
    """Run a command; an error that the user can mend is one line and an exit code."""
    try:
        command()
    except EvalhouseError as error:
        console.print(f"[red]error[/red]: {escaped(str(error))}", soft_wrap=True)
        sys.exit(error.exit_code)
    except duckdb.OutOfMemoryException as error:
        console.print(
            f"[red]error[/red]: out of memory: {escaped(str(error).splitlines()[0])}; a higher "
            "--memory-limit or fewer --threads may do",
            soft_wrap=True,
        )
        sys.exit(1)
    except (KeyboardInterrupt, duckdb.InterruptException):
        _interrupted()
    except RuntimeError as error:
        # What DuckDB makes of Ctrl-C while a query runs.
        if "interrupted" not in str(error):
            raise
        _interrupted()


def _interrupted() -> None:
    console.print("[red]interrupted[/red]: what was not finished is not stored")
    sys.exit(130)


def house_of(db: Path | None, wait: float) -> Warehouse:
    """The warehouse of a command; notes about it go to standard error."""
    return Warehouse(db, wait=wait, warn=warn)


def warn(text: str) -> None:
    """Tell what is no result on standard error."""
    console.print(f"[yellow]note[/yellow]: {escaped(text)}", soft_wrap=True)


def out(text: str) -> None:
    """Print a result."""
    sys.stdout.write(text + "\n")


def escaped(text: str) -> str:
    """Text in which brackets are no markup."""
    return text.replace("[", r"\[")
