"""What the commands share: options, the warehouse that they open, and where results go."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

import evalhouse
from evalhouse.printing import note, shown
from evalhouse.reader import Reader
from queries import hooks, render
from queries import release as releases
from warehouse import destination
from warehouse.errors import EvalhouseError, UsageError
from warehouse.files import writing
from warehouse.files.visible import visible
from warehouse.later import pl


def _plain(context: typer.Context, value: Path | None) -> Path | None:
    """Tables in files are whole and without styles, whatever standard output is."""
    if value is not None:
        context.with_resource(destination.a_file())
    return value


Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", "--out", callback=_plain, help="Write to a file."),
]
FrameFormat = Annotated[str, typer.Option("--format", help=" | ".join(render.FRAME_FORMATS))]

_STYLE = re.compile(r"\x1b\[[0-9;]*m")


def check_format(format: str, known: Sequence[str], output: Path | None) -> None:
    """Refuse a format before any work is done for it.

    Raises:
        UsageError: it is not one of those known, or it is bytes and there is no file for them.
    """
    if format not in known:
        raise UsageError(f"--format is {', '.join(known)}, not {format!r}")
    if format in render.BINARY and output is None:
        raise UsageError(f"{format} goes to a file: give -o FILE")


def deliver(result: str | bytes, output: Path | None) -> None:
    """Write a result to the file, or print it.

    Raises:
        UsageError: the file cannot be written.
    """
    if output is None:
        assert isinstance(result, str)
        shown(_for_terminal(result) if sys.stdout.isatty() else result)
        return
    writing.write(output, result if isinstance(result, bytes) else f"{result}\n")


def deliver_frame(frame: pl.DataFrame, format: str, output: Path | None) -> None:
    """Write a query's result to the file, or print it, in one of the formats that frames have."""
    if format in render.BINARY:
        deliver(render.pack_frame(frame, format), output)
    else:
        deliver(render.render_frame(frame, format), output)


def deliver_frames(
    titled: Sequence[tuple[str, pl.DataFrame, pl.DataFrame]], format: str, output: Path | None
) -> None:
    """Tables with a title each, as they are printed; json and parquet hold the unrounded rows.

    Args:
        titled: the title, the rows as they are printed, and the unrounded ones of the same columns in
            every table.

    Raises:
        UsageError: latex was asked for, which is for the papers' own tables.
    """
    if format == "latex":
        raise UsageError("this table has no latex")
    if format in ("table", "markdown", "csv", "html") and (len(titled) == 1 or format != "csv"):
        texts = [
            f"{title}\n{render.render_frame(wide, format)}" if format in ("table", "markdown")
            else render.render_frame(wide, format)
            for title, wide, _ in titled
        ]  # fmt: skip
        deliver("\n\n".join(texts), output)
        return
    long = pl.concat([rows for _, _, rows in titled])
    if format in render.BINARY:
        deliver(render.pack_frame(long, format), output)
    else:
        deliver(render.render_frame(long, format), output)


def _for_terminal(text: str) -> str:
    """Text whose control characters a terminal does not obey, except for the styles of tables."""
    parts = _STYLE.split(text)
    styles = [*_STYLE.findall(text), ""]
    return "".join(visible(part) + style for part, style in zip(parts, styles, strict=True))


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
NoRefresh = Annotated[
    bool,
    typer.Option(
        "--no-refresh",
        help="Leave results to a later command; boards compute meanwhile (see refresh).",
    ),
]


def _with_warnings(name: str) -> str:
    """Note what the folder of a user's release replaces that is no hook."""
    # Not Path.is_dir, which raises for names that cannot exist.
    if os.path.isdir(name) and name not in releases.shipped_names():  # noqa: PTH112
        # What is wrong with the folder is the command's to say.
        with suppress(EvalhouseError):
            note_warnings(releases.load(name))
    return name


ReleaseName = Annotated[
    str,
    typer.Option(
        "--release",
        help="A release by name, or the folder of one of your own.",
        callback=_with_warnings,
    ),
]


def note_warnings(release: releases.Release) -> None:
    """Note what a user's release replaces that is no hook."""
    for text in hooks.warnings(release):
        note(text)


def house_of(db: Path | None, wait: float) -> evalhouse.Warehouse:
    """The warehouse of a command; notes about it go to standard error."""
    # Imported here, with all that reads files and asks judges: a board needs none of it.
    return evalhouse.Warehouse(db, wait=wait, warn=note)


def reader_of(db: Path | None, wait: float) -> Reader:
    """The same for a command that only reads."""
    return Reader(db, wait=wait, warn=note)
