"""`evalhouse study`: what scores are worth."""

from __future__ import annotations

from typing import Annotated

import typer

from evalhouse.cli_output import Output, check_format, deliver
from evalhouse.cli_shared import Db, ReleaseName, Wait, house_of
from evalhouse.printing import out
from evalhouse.reader import Reader
from queries import install, release_ranks, render, studies
from warehouse.errors import UsageError
from warehouse.later import pl


def study_command(
    name: Annotated[
        str | None, typer.Argument(help="Such as judge_calibration; without one, all are listed.")
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where", metavar="COLUMN=VALUE", help="Only rows with that value; may be repeated."
        ),
    ] = None,
    columns: Annotated[
        str | None, typer.Option(help="Only these columns, with commas between, in this order.")
    ] = None,
    top: Annotated[int | None, typer.Option(min=1, help="Only so many rows.")] = None,
    release: ReleaseName = install.LATEST,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RELEASE",
            help="Of rank_agreement: how far this release ranks models as --release does; may be repeated.",
        ),
    ] = None,
    format: Annotated[
        str, typer.Option("--format", help=" | ".join(render.FRAME_FORMATS))
    ] = "table",
    output: Output = None,
    db: Db = None,
    wait: Wait = 0,
) -> None:
    """What scores are worth: judges checked by people, noise, questions, ranks.

    `evalhouse releases install studies` puts all of them into the file, as the schema studies, for
    `evalhouse sql` and other clients.
    """
    check_format(format, render.FRAME_FORMATS, output)
    if against and name != release_ranks.STUDY:
        raise UsageError(f"--against is for the study {release_ranks.STUDY}")
    if name is None:
        frame = studies.listed(release)
    elif against:
        frame = studies.chosen(
            _unchosen(house_of(db, wait), name, release, against),
            name,
            studies.conditions(where or ()),
        )
    else:
        with house_of(db, wait).reading() as con:
            frame = studies.rows(con, name, studies.conditions(where or ()), release=release)
    if columns is not None:
        wanted = [one.strip() for one in columns.split(",")]
        unknown = [one for one in wanted if one not in frame.columns]
        if unknown:
            raise UsageError(
                f"there is no column {unknown[0]!r}; there are {', '.join(frame.columns)}"
            )
        frame = frame.select(wanted)
    if top is not None:
        frame = frame.head(top)
    if format == "table":
        # Columns that say nothing make a table too wide to read.
        frame = frame.select(
            one for one in frame.columns if frame[one].is_not_null().any() or not frame.height
        )
    if format in render.BINARY:
        deliver(render.pack_frame(frame, format), output)
    elif frame.height or format != "table":
        deliver(render.render_frame(frame, format), output)
    elif where and (there := _unchosen(house_of(db, wait), name or "", release, against)).height:
        out(f"{name}: {studies.none_chosen(there, studies.conditions(where))}")
    else:
        out(f"{name}: nothing in this warehouse; {studies.needs(name or '', release)}")


def _unchosen(house: Reader, name: str, release: str, against: list[str] | None) -> pl.DataFrame:
    """All rows of a study."""
    with house.reading() as con:
        if against:
            return release_ranks.rows(con, [release, *against])
        return studies.rows(con, name, release=release)
