"""`evalhouse differences`: what harnesses wrote of runs, next to ours."""

from __future__ import annotations

from typing import Annotated

import typer

from evalhouse.cli_output import Output, check_format, deliver
from evalhouse.cli_shared import Db, ReleaseName, Wait, reader_of
from queries import render
from queries.install import LATEST
from warehouse.later import pl

_SHORT = (
    "run_id",
    "model",
    "run",
    "dataset",
    "metric",
    "filter",
    "reducer",
    "published",
    "ours",
    "is_same",
    "reason",
    "note",
)
_SHORT_SAMPLES = (
    "question",
    "pass",
    "sample",
    "metric",
    "filter",
    "published",
    "read_there",
    "ours",
    "read_here",
    "reason",
)
_TEXTS = ("table", "markdown")


def differences_command(
    run: Annotated[
        str | None,
        typer.Argument(help="A run's number or label, as `evalhouse runs` lists them; else all."),
    ] = None,
    db: Db = None,
    samples: Annotated[
        bool,
        typer.Option("--samples", help="The answers that are scored otherwise, not the figures."),
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Of answers also those that are scored the same.")
    ] = False,
    release: ReleaseName = LATEST,
    format: Annotated[
        str, typer.Option("--format", help=" | ".join(render.FRAME_FORMATS))
    ] = "table",
    output: Output = None,
    wait: Wait = 0,
) -> None:
    """Compare the figures that harnesses wrote of runs with ours, and say why they differ.

    Of one run the answers that are scored otherwise follow; with --samples they come alone, of all
    runs too. Ours is the figure of that name, or the mean of our scores of the answers that the
    harness scored.
    """
    check_format(format, render.FRAME_FORMATS, output)
    house = reader_of(db, wait)
    if samples:
        found = house.sample_differences(run, release=release, every=everything)
    else:
        found = house.differences(run, release=release)
    if format in render.BINARY:
        deliver(render.pack_frame(found, format), output)
        return
    if format not in _TEXTS:
        deliver(render.render_frame(found, format), output)
        return
    names: tuple[str, ...] = _SHORT_SAMPLES if samples and run is not None else _SHORT
    if samples and run is None:
        names = ("run_id", *_SHORT_SAMPLES)
    parts = [render.render_frame(_short(found, names), format)]
    if run is not None and not samples and found["n_differ"].fill_null(0).sum():
        more = house.sample_differences(run, release=release)
        parts.append(render.render_frame(_short(more, _SHORT_SAMPLES), format))
    deliver("\n\n".join(parts), output)


def _short(frame: pl.DataFrame, names: tuple[str, ...]) -> pl.DataFrame:
    """The columns that fit on a terminal; of those that are there or not, those that are."""
    optional = {"pass", "sample", "note", "reducer"}
    return frame.select(
        name for name in names if name not in optional or frame[name].max() not in (None, 0)
    )
