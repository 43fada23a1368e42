"""`evalhouse serve` and `report`: the warehouse as pages, in a browser or as files.

A person's labels are stored as the judgments of a judge of that person's name.
"""

from __future__ import annotations

import secrets
import socket
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated

import duckdb
import typer

import evalhouse
from evalhouse.cli_shared import Db, reader_of
from evalhouse.pages.house import House, Label
from evalhouse.printing import out
from evalhouse.reader import Reader
from warehouse import judges, sources
from warehouse.connection import transaction
from warehouse.errors import UsageError
from warehouse.images import Images

if TYPE_CHECKING:
    from evalhouse import Warehouse
from importlib.util import find_spec
from pathlib import Path

from evalhouse.cli_shared import Wait, house_of
from evalhouse.pages.report import Report, Wanted, write
from evalhouse.printing import console, escaped
from warehouse.files import writing
from warehouse.wording import counted


def report(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A folder, new or empty.")],
    benchmarks: Annotated[
        list[str] | None, typer.Argument(help="Such as MMBench; by default all that have runs.")
    ] = None,
    db: Db = None,
    judge: Annotated[
        str | None, typer.Option(help="Whose verdicts questions are seen under, or none.")
    ] = None,
    questions: Annotated[
        int, typer.Option("--questions", help="Of each cell, so many that are not right.", min=0)
    ] = 5,
    thumbnail: Annotated[
        int | None,
        typer.Option(
            "--thumbnail", metavar="N", min=16, help="Scale pictures down to N pixels at most."
        ),
    ] = None,
    wait: Wait = 0,
) -> None:
    """Write the pages of a warehouse as files that open from disk, without a server or a network.

    Boards of every level and judge, the first questions of each cell that are not right, with their
    pictures, models, the first run of each board compared with those after it, and judges. Equal
    warehouses give equal files.
    """
    if thumbnail is not None and find_spec("PIL") is None:
        raise UsageError(
            "--thumbnail wants pillow: pip install 'evalhouse[web]' brings what it needs"
        )
    writing.require_room(directory, "a report")
    house = house_of(db, wait)
    wanted = Wanted(tuple(benchmarks or ()), judge, questions, thumbnail)
    with console.status("asking") as status, writing.folder(directory, last="index.html") as new:
        made = Report(house.path.name, Images.of(house.path), new, wanted)
        with house.reading() as con:
            write(con, made, step=lambda text: status.update(escaped(text)))
    for line in made.left_out:
        console.print(f"[yellow]note[/yellow]: {escaped(line)}", soft_wrap=True)
    out(
        f"{directory / 'index.html'}: {counted(made.n_pages, 'page')} and {counted(made.n_pictures, 'picture')} of "
        f"{house.path}"
    )


FORMAT = "labels"
PLACE = "evalhouse:labels/"
"""What stands for the path of a person's labels, which are in no file."""


def store_label(house: Warehouse, label: Label) -> None:
    """Store a label at once. Kept results of the runs concerned are left to `evalhouse refresh`.

    Raises:
        UsageError: the name is that of a judge who is no person, or judges something else.
    """
    with house.changing(refresh=False) as con, transaction(con):
        source_id = _source_of(con, label.annotator)
        judge = judges.Judge(
            label.annotator, label.task, "human", model=label.annotator, template="unknown"
        )
        judge_id = judges.register(con, judge, source_id=source_id)
        there = con.execute(
            "SELECT 1 FROM main.judgment WHERE judge_id = ? AND subject_hash = ?",
            [judge_id, label.subject_hash],
        ).fetchall()
        if there:
            raise UsageError("that answer is labelled already")
        judges.plan_samples(con, judge_id, 1, source_id=source_id)
        judgment = judges.Judgment(
            label.subject_hash, label.reply, labels=label.labels, origin="human"
        )
        judges.store(con, judge_id, [judgment], source_id=source_id)


def _source_of(con: duckdb.DuckDBPyConnection, annotator: str) -> int:
    """The source of a person's labels, one for all of them: there is no file."""
    path = f"{PLACE}{annotator}"
    there = con.execute(
        "SELECT source_id FROM main.source WHERE path = ? AND format = ?", [path, FORMAT]
    ).fetchall()
    if there:
        return int(there[0][0])
    content = path.encode()
    return sources.add(
        con,
        sources.Source(
            path=path,
            sha256=sha256(content).hexdigest(),
            bytes=len(content),
            format=FORMAT,
            adapter_version=1,
            flags={"judge": annotator},
            n_rows=0,
        ),
    )


_TIMEOUT, _MAX_ROWS = 30.0, 1_000_000
"""Seconds that a query of the page SQL may take, and rows that it may have."""


def serve(
    db: Db = None,
    host: Annotated[
        str, typer.Option(help="Where to listen. On another address, a token is wanted.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0: any free one.", min=0, max=65535)] = 8321,
    wait: Annotated[
        float,
        typer.Option(
            "--wait", metavar="SECONDS", min=0, help="Wait while another process holds the file."
        ),
    ] = 20,
) -> None:
    """Show the warehouse in a browser: boards, answers, comparisons, judges, SQL, labels.

    The file is opened for each page and closed again, so that other commands can write meanwhile.
    A request from this machine is answered; on another address than 127.0.0.1 a token is wanted,
    which is in the address that is printed. Ctrl-C ends it.
    """
    # Other commands do without the server.
    import uvicorn

    from evalhouse.pages.guard import Door, is_own
    from evalhouse.pages.live import app
    from evalhouse.pages.site import Site

    house = reader_of(db, wait)
    with house.reading():
        pass
    try:
        listening = socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET
        )
    except OSError as error:
        raise UsageError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
    with listening:
        secret = None if is_own(host) else secrets.token_urlsafe(24)
        door = Door(host, listening.getsockname()[1], secret)
        out(f"{house.path}: {door.address}")
        out("Ctrl-C ends it.")
        config = uvicorn.Config(
            app(Site(pages_of(house)), door),
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=3,
        )
        uvicorn.Server(config).run(sockets=[listening])


def pages_of(house: Reader) -> House:
    """A warehouse as pages see it."""
    return House(
        path=house.path,
        reading=house.reading,
        sql=partial(house.sql, timeout=_TIMEOUT, max_rows=_MAX_ROWS),
        store=partial(_store, house),
        images=Images.of(house.path),
    )


def _store(house: Reader, label: Label) -> None:
    # What writes is imported for the first label: most pages only read.
    store_label(evalhouse.Warehouse(house.path, wait=house.wait, warn=house.note), label)
