"""`evalhouse dataset-diff`: where two datasets or question files disagree."""

from __future__ import annotations

from typing import Annotated

import typer

from evalhouse.cli_shared import Db, Output, ReleaseName, Wait, check_format, deliver, house_of
from evalhouse.differing import Side, side_by_side
from evalhouse.printing import note, out, shown
from queries import install, render, session
from warehouse.errors import UsageError
from warehouse.later import pl

_SHOWN = 20


def dataset_diff(
    one: Annotated[str, typer.Argument(help="A dataset, or a file with questions.")],
    other: Annotated[str, typer.Argument(help="Another one.")],
    db: Db = None,
    spelling: Annotated[
        bool,
        typer.Option(
            "--spelling", help="Also what differs only as spreadsheets change texts (4 and 4.0)."
        ),
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help=f"Print all of it, not the first {_SHOWN} of each.")
    ] = False,
    on_duplicate: Annotated[
        str, typer.Option(help="The same key twice in a file: error, or the first or last counts.")
    ] = "error",
    release: ReleaseName = install.LATEST,
    format: Annotated[str, typer.Option(help=", ".join(render.FRAME_FORMATS))] = "table",
    output: Output = None,
    wait: Wait = 0,
) -> None:
    """Where two datasets or files disagree about a question, its choices or its answer.

    Questions are the same by key, else by content. A file is read into a copy of the warehouse,
    which is thrown away; of several splits those of the same name are compared. The view is
    dataset_diff.
    """
    check_format(format, render.FRAME_FORMATS, output)
    if on_duplicate not in ("error", "first", "last"):
        raise UsageError(f"--on-duplicate is error, first or last, not {on_duplicate!r}")
    house = house_of(db, wait)
    compared = side_by_side(house, one, other, on_duplicate=on_duplicate, note=note)
    with compared as (con, pairs, rest):
        session.use_release(con, release)
        session.require_view(con, "dataset_diff")
        found = [
            (
                a,
                b,
                session.frame(con, "dataset_diff", {"one": a.dataset_id, "other": b.dataset_id}),
            )
            for a, b in pairs
        ]
    if format != "table" or output is not None:
        frame = pl.concat(
            [
                _chosen(rows, spelling).select(
                    pl.lit(a.name).alias("dataset"), pl.lit(b.name).alias("other dataset"), pl.all()
                )
                for a, b, rows in found
            ]
        )
        pack = render.pack_frame if format in render.BINARY else render.render_frame
        deliver(pack(frame, format), output)
        return
    for a, b, rows in found:
        _print(a, b, rows, spelling=spelling, every=every)
    for name in rest:
        out(f"{name}: has no counterpart")


def _chosen(rows: pl.DataFrame, spelling: bool) -> pl.DataFrame:
    return rows if spelling else rows.filter(~pl.col("spelling only"))


def _print(a: Side, b: Side, rows: pl.DataFrame, *, spelling: bool, every: bool) -> None:
    chosen = _chosen(rows, spelling)
    out(f"{a.name} and {b.name}: {_words(chosen) if chosen.height else 'no disagreement'}")
    hidden = rows.height - chosen.height
    if hidden:
        out(f"  {hidden:,} more differ in spelling only (--spelling)")
    if chosen.height:
        listed = chosen if every else chosen.group_by("field", maintain_order=True).head(_SHOWN)
        shown(render.render_frame(listed, "table"))
        if listed.height < chosen.height:
            out(f"  {chosen.height - listed.height:,} more (--all)")


def _words(rows: pl.DataFrame) -> str:
    counts = rows.group_by("field", maintain_order=True).len()
    return ", ".join(f"{n:,} × {field}" for field, n in counts.iter_rows())
