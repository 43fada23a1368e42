"""SQL in the browser: over the confined connection of `evalhouse sql`, which cannot write."""

from __future__ import annotations

from math import isfinite
from typing import Any

import polars as pl
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from evalhouse.pages import page_data
from evalhouse.pages.guard import may_run
from evalhouse.pages.site import Site
from queries import install, render, session
from warehouse import statements
from warehouse.errors import BusyError, EvalhouseError

_SQL = statements.of_module(__file__)
_MOST_SHOWN = 500
_MOST_BARS = 60
_TYPES = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}


def sql(site: Site, request: Request) -> Response:
    """The console; the query is in the address."""
    query = request.query_params.get("q", "")
    is_ours = may_run(request.headers)
    frame, error = None, None
    if query.strip() and is_ours:
        try:
            frame = _result(site, query)
        except EvalhouseError as refused:
            error = str(refused)
    links = site.links
    bars = _bars(frame)
    text = site.page(
        "sql.html",
        "sql",
        query=query or _SQL["first"],
        waiting=bool(query.strip()) and not is_ours,
        error=error,
        frame=frame,
        shown=[] if frame is None else frame.head(_MOST_SHOWN).rows(),
        bars=bars,
        bars_of=() if frame is None else frame.columns[:2],
        downloads={fmt: links.to(f"sql.{fmt}", q=query) for fmt in _TYPES},
        here_link=links.to("sql", q=query),
        views=site.once(("views",), lambda: _views(site)),
        view_link=lambda row: links.to("sql", q=_look_at(row)),
    )
    return HTMLResponse(text, 200 if error is None else 400)


def download(site: Site, request: Request, *, fmt: str) -> Response:
    """The whole result as a file."""
    if not may_run(request.headers):
        return PlainTextResponse("A query in a link from another site does not run.\n", 403)
    try:
        frame = _result(site, request.query_params.get("q", ""))
    except BusyError:
        raise
    except EvalhouseError as refused:
        return PlainTextResponse(f"{refused}\n", 400)
    content = (
        render.pack_frame(frame, fmt) if fmt in render.BINARY else render.render_frame(frame, fmt)
    )
    return Response(
        content,
        media_type=_TYPES[fmt],
        headers={"Content-Disposition": f'attachment; filename="result.{fmt}"'},
    )


def _result(site: Site, query: str) -> pl.DataFrame:
    def run() -> pl.DataFrame:
        with site.door:
            return site.house.sql(query)

    return site.once(("sql", query), run)


def _views(site: Site) -> list[page_data.Row]:
    with site.reading() as con:
        return session.views_listed(con, install.LATEST).rows(named=True)


def _look_at(row: page_data.Row) -> str:
    name = row["name"] if row["schema"] != "main" else f"main.{row['name']}"
    return f"FROM {name} LIMIT 20"


def _bars(frame: pl.DataFrame | None) -> list[tuple[str, Any, str]]:
    """A bar for each row, where the first column names and the second counts; of 100 in width."""
    if frame is None or frame.width < 2 or not 1 < frame.height <= _MOST_BARS:
        return []
    names, values = frame.columns[:2]
    if frame[names].dtype != pl.String or not frame[values].dtype.is_numeric():
        return []
    pairs = [(name, value) for name, value in frame.select(names, values).rows()]
    known = [float(v) for _, v in pairs if v is not None and isfinite(v)]
    top = max(known, default=0.0)
    if top <= 0 or min(known) < 0:
        return []
    return [
        (
            name,
            value,
            f"{100 * float(value) / top:.2f}" if value is not None and isfinite(value) else "0",
        )
        for name, value in pairs
    ]
