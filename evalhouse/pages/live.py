"""The pages, served: one function a page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import duckdb
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from evalhouse.pages import console, labelling, page_data
from evalhouse.pages.board_view import board_view
from evalhouse.pages.choices import (
    SHOWS,
    SIDES,
    CellChoices,
    address_of,
    board_choices,
    cell_choices,
    number,
)
from evalhouse.pages.computing import Work, work_of_boards, work_of_lines, work_of_studies
from evalhouse.pages.drawing import STATIC
from evalhouse.pages.figures import figure as figure_of
from evalhouse.pages.figures import figures_of
from evalhouse.pages.guard import Door, Guard
from evalhouse.pages.question_page import WHY, passes_of
from evalhouse.pages.site import Site
from queries.board import Board
from queries.install import LATEST
from queries.options import CompareOptions
from warehouse.errors import BusyError, EvalhouseError, UsageError
from warehouse.images import kind_of

PER_PAGE = 100
LINES = 200
"""Of a board, or of the list of runs, on a page."""
AT_ONCE = 40
"""Questions whose details one query reads, so that the next one is there."""
Page = Callable[[Site, Request], Response]


def app(site: Site, door: Door) -> Starlette:
    """The server's application.

    Args:
        site: the warehouse that is served.
        door: where it listens, and to whom.
    """
    pages: dict[str, Page] = {
        "/": index,
        "/board": board,
        "/figure": figure,
        "/questions": questions,
        "/question": question,
        "/suspects": suspects,
        "/model": model,
        "/compare": compare,
        "/judges": judges,
        "/disagreements": disagreements,
        "/sql": console.sql,
        "/sql.csv": partial(console.download, fmt="csv"),
        "/sql.parquet": partial(console.download, fmt="parquet"),
        "/label": labelling.form,
        "/picture/{sha256}": picture,
    }
    return Starlette(
        routes=[
            *(Route(path, _answering(site, one), methods=["GET"]) for path, one in pages.items()),
            Route("/label", labelling.posting(site, partial(_failed, site)), methods=["POST"]),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[Middleware(Guard, door=door)],
    )


def _answering(site: Site, one: Page) -> Callable[[Request], Response]:
    def answer(request: Request) -> Response:
        try:
            return one(site, request)
        except EvalhouseError as error:
            return _failed(site, error)

    return answer


def _failed(site: Site, error: EvalhouseError) -> Response:
    if isinstance(error, BusyError):
        status, title = 503, "Another process is writing"
    elif isinstance(error, UsageError):
        status, title = 404, "There is no such page"
    else:
        status, title = 500, "This page cannot be shown"
    text = site.page("error.html", "", status=status, title=title, message=str(error))
    return HTMLResponse(text, status, {"Retry-After": "5"} if status == 503 else None)


def _kept(
    site: Site,
    request: Request,
    make: Callable[[], str],
    work: Callable[[duckdb.DuckDBPyConnection], Work] | None = None,
) -> Response:
    """A page as it was made last, for as long as nobody writes to the file.

    Where there is long work to do for it, it says so first, and asks for itself again.
    """
    address = (str(request.url.path), request.url.query)
    if site.has(("page", *address)):
        return HTMLResponse(site.once(("page", *address), make))
    with site.reading() as con:
        if work is not None:
            found = site.once(("work", *address), lambda: work(con))
            if found.is_long and site.is_first(("said", *address)):
                text = site.page("computing.html", "", why=found.why)
                return HTMLResponse(text, headers={"Cache-Control": "no-store"})
        return HTMLResponse(site.once(("page", *address), make))


def index(site: Site, request: Request) -> Response:
    """Benchmarks, runs, what is pending, what it cost."""
    page = max(1, number(request.query_params, "page", 1))

    def make() -> str:
        with site.reading() as con:
            found = page_data.overview(con, lines_from=(page - 1) * LINES, most=LINES)
        if page > 1 and not found["runs"]:
            raise UsageError(f"the list of runs has no page {page}")
        return site.page(
            "index.html",
            "index",
            found=found,
            page=page,
            pages=max(1, -(-found["n_lines"] // LINES)),
            page_link=lambda n: site.links.to("index", page=n),
        )

    return _kept(site, request, make, work_of_boards)


def board(site: Site, request: Request) -> Response:
    """A benchmark's leaderboard under the options of the address."""
    release = request.query_params.get("release") or LATEST

    def make() -> str:
        chosen = board_choices(request.query_params)
        page = max(1, number(request.query_params, "page", 1))
        error = None
        found: tuple[Board, ...] = ()
        with site.reading() as con:
            options = page_data.board_options(con, chosen.benchmark)
            try:
                found = site.once(("boards", chosen), lambda: page_data.boards(con, chosen))
            except UsageError as refused:
                # Such as people alone who judged, of whom one has to be chosen: the controls stay.
                error = str(refused)
            note = work_of_boards(con, chosen.release).why
        pages = max([1, *(-(-len(one.lines) // LINES) for one in found)])
        page = min(page, pages)
        lines = slice((page - 1) * LINES, page * LINES)
        return site.page(
            "board.html",
            "board",
            options=options,
            chosen=chosen,
            boards=[board_view(one, all_runs=chosen.runs == "all", lines=lines) for one in found],
            page=page,
            pages=pages,
            page_link=lambda n: site.links.to("board", **address_of(chosen), page=n),
            sorts=list(dict.fromkeys(["Model", *(name for one in found for name in one.columns)])),
            sort_link=lambda column: site.links.to(
                "board", **address_of(chosen) | {"sort": column}
            ),
            error=error,
            kept_note=note,
            figures=figures_of(site.links, chosen, found),
            comparisons=(),
        )

    return _kept(site, request, make, lambda con: work_of_lines(con, release))


def figure(site: Site, request: Request) -> Response:
    """A board of the page with the same address, as a picture."""
    chosen = board_choices(request.query_params)
    place = number(request.query_params, "place", 0)
    drawn = request.query_params.get("drawn", "")

    def ask() -> tuple[Board, ...]:
        with site.reading() as con:
            return page_data.boards(con, chosen)

    def make() -> str:
        return figure_of(site.once(("boards", chosen), ask), place, drawn)

    svg = site.once(("figure", chosen, place, drawn), make)
    return Response(svg, media_type="image/svg+xml")


def questions(site: Site, request: Request) -> Response:
    """The questions of a cell, filtered."""
    choices = cell_choices(request.query_params)
    page = max(1, number(request.query_params, "page", 1))
    links = site.links

    def make() -> str:
        listed = site.questions(choices, place=(page - 1) * PER_PAGE + 1)
        chosen, of, total = listed.chosen, listed.of, listed.total
        pages = max(1, -(-total // PER_PAGE))
        here = min(page, pages)
        with site.reading() as con:
            options = page_data.board_options(con, of["benchmark"])
            runs = page_data.runs(con, dataset=of["dataset"], most=page_data.MOST_OFFERED + 1)
        return site.page(
            "questions.html",
            "questions",
            chosen=chosen,
            of=of,
            options=options,
            runs=runs,
            most_offered=page_data.MOST_OFFERED,
            shows=SHOWS,
            sides=SIDES,
            total=total,
            note=None,
            found=listed.page(here, PER_PAGE),
            pages=pages,
            page=here,
            page_link=lambda n: links.to("questions", **address_of(chosen), page=n),
            question_link=lambda row: _question_link(site, chosen, row["question_id"]),
        )

    return _kept(site, request, make)


def _question_link(site: Site, chosen: CellChoices, question_id: int | None) -> str | None:
    if question_id is None:
        return None
    return site.links.to("question", question=question_id, **address_of(chosen))


def question(site: Site, request: Request) -> Response:
    """A question, and what a run made of it; the address holds the list that it is one of."""
    choices = cell_choices(request.query_params)
    question_id = number(request.query_params, "question")

    def make() -> str:
        listed = site.questions(choices, around=question_id)
        chosen, of = listed.chosen, listed.of
        row = listed.row(question_id)
        near = listed.page((row["place"] - 1) // AT_ONCE + 1, AT_ONCE) if row else []
        ids = [one["question_id"] for one in near] or [question_id]

        def ask() -> dict[int, page_data.Row]:
            with site.reading() as con:
                page_data.settled(con, chosen)
                return page_data.details(con, of["task"], [chosen.run], ids)

        there = site.once(("details", chosen.run, chosen.release, tuple(ids)), ask).get(question_id)
        if there is None:
            raise UsageError(f"no question {question_id}")
        to = partial(_question_link, site, chosen)
        return site.page(
            "question.html",
            "question",
            question=there,
            of=of,
            passes=passes_of(there, chosen.run, chosen.judge),
            row=row,
            chosen=chosen,
            why=WHY,
            up=site.links.to("questions", **address_of(chosen)),
            previous=to(row["previous"]) if row else None,
            next=to(row["next"]) if row else None,
            next_wrong=to(row["next_wrong"]) if row else None,
            place=row["place"] if row else None,
            total=listed.total,
        )

    return _kept(site, request, make)


def suspects(site: Site, request: Request) -> Response:
    """Questions of a run's dataset whose key is probably wrong, with the run's answers behind them."""

    def make() -> str:
        said = cell_choices(request.query_params)
        with site.reading() as con:
            found = page_data.suspects(con, said)
        chosen = found["chosen"]
        return site.page(
            "suspects.html",
            "questions",
            **found,
            question_link=lambda row: _question_link(site, chosen, row["question_id"]),
        )

    return _kept(site, request, make, work_of_studies)


def model(site: Site, request: Request) -> Response:
    """A model, next to another one."""

    def make() -> str:
        said = request.query_params
        with site.reading() as con:
            found = page_data.model(con, said.get("name", ""), said.get("with") or None)
        return site.page("model.html", "model", found=found)

    return _kept(site, request, make, work_of_lines)


def compare(site: Site, request: Request) -> Response:
    """Two runs, side by side."""

    def make() -> str:
        said: dict[str, Any] = dict.fromkeys(("a", "b", "dataset"), "") | dict(request.query_params)
        if not said["a"] or not said["b"]:
            raise UsageError("the address does not say which two runs (a and b)")
        options = {
            name: said[name]
            for name in ("dataset", "level", "strategy", "judge", "subset")
            if said.get(name)
        }
        with site.reading() as con:
            found = page_data.compared(con, CompareOptions(said["a"], said["b"], **options))
            offered = page_data.board_options(con, found["found"].a.benchmark)
        pair = found["found"]
        return site.page(
            "compare.html",
            "compare",
            found=found,
            said=said,
            options=offered,
            names=pair.names,
            error=None,
            side_link=lambda side: site.links.to(
                "questions",
                run=pair.a.run_id,
                strategy=pair.strategy,
                judge=None if pair.judge == "none" else pair.judge,
                vs=pair.b.run_id,
                side=side,
            ),
        )

    return _kept(site, request, make)


def judges(site: Site, request: Request) -> Response:
    """Agreement, error, stability and cost."""

    def make() -> str:
        with site.reading() as con:
            found = page_data.judges(con)
        return site.page("judges.html", "judges", found=found)

    return _kept(site, request, make, work_of_boards)


def disagreements(site: Site, request: Request) -> Response:
    """Where two judges say different things."""

    def make() -> str:
        a, b = (request.query_params.get(name, "") for name in ("a", "b"))
        with site.reading() as con:
            found = page_data.disagreements(con, a, b)
        most = page_data.MOST_DISAGREEMENTS
        return site.page("disagreements.html", "judges", found=found, a=a, b=b, most=most)

    return _kept(site, request, make)


def picture(site: Site, request: Request) -> Response:
    """A picture that is kept, verified by its hash."""
    content = site.house.images.read(request.path_params["sha256"])
    kind = None if content is None else kind_of(content)
    if content is None or kind is None:
        raise UsageError("the picture is not kept, or is none that a browser can show")
    return Response(content, media_type=f"image/{kind}", headers={"Cache-Control": "max-age=86400"})
