"""`evalhouse serve`: the warehouse as pages in a browser."""

from __future__ import annotations

import secrets
import socket
from functools import partial
from typing import Annotated

import typer

import evalhouse
from evalhouse import labels
from evalhouse.cli_shared import Db, reader_of
from evalhouse.pages.house import House, Label
from evalhouse.printing import out
from evalhouse.reader import Reader
from warehouse.errors import UsageError
from warehouse.images import Images

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
    labels.store(evalhouse.Warehouse(house.path, wait=house.wait, warn=house.note), label)
