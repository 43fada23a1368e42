"""The pages, served: one function a page.

SQL runs over the confined connection of `evalhouse sql`, which cannot write. A person who labels answers
sees neither the model's name nor the judge's verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from hmac import compare_digest
from math import isfinite
from typing import Any
from urllib.parse import parse_qs

import duckdb
import polars as pl
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from evalhouse.pages import page_data
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
from evalhouse.pages.drawing import STATIC, WHY, board_view, figures_of, passes_of
from evalhouse.pages.drawing import figure as figure_of
from evalhouse.pages.guard import Door, Guard, may_run
from evalhouse.pages.house import Label
from evalhouse.pages.site import Site
from queries import install, render, session
from queries.board import Board
from queries.install import LATEST
from queries.options import CompareOptions
from warehouse import statements
from warehouse.errors import BusyError, EvalhouseError, UsageError
from warehouse.images import kind_of

_SQL = statements.of_module(__file__)

_MOST = 2_000
"""Answers of a judge that are offered, the first in the order of label_todo."""
_LONGEST_FORM = 16_384
_NONE = "X"
_SOFT = tuple(f"{n / 10:g}" for n in range(11))


def label_form(site: Site, request: Request) -> Response:
    """The next answer to label, or who labels what."""
    said = request.query_params
    annotator, judge = said.get("annotator", "").strip(), said.get("judge", "")
    values: dict[str, Any] = {"annotator": annotator, "judge": judge, "token": site.token}
    values |= {"judges": [], "item": None, "done": 0, "left": 0}
    with site.reading() as con:
        session.use_release(con)
        if not annotator or not judge:
            values["judges"] = page_data.rows(con, "page_label_judges")
        else:
            todo = page_data.rows(
                con, "page_label_todo", judge=judge, annotator=annotator, most=_MOST
            )
            done = page_data.rows(con, "page_labelled", annotator=annotator)
            known = {row["subject_hash"] for row in done}
            left = [row for row in todo if row["subject_hash"] not in known]
            values |= {"done": len(known), "left": len(left)}
            if left:
                values |= _item(con, left[0])
    return HTMLResponse(site.page("label.html", "label", **values))


def _item(con: Any, item: page_data.Row) -> dict[str, Any]:
    question = page_data.details(con, item["task"], [], [item["question_id"]])[item["question_id"]]
    (answer,) = page_data.rows(
        con,
        "page_label_answer",
        run=item["run_id"],
        question=item["question_id"],
        **{"pass": item["pass"]},
    )
    choices = question["choices"].get(item["pass"], ()) if item["task"] == "choice" else ()
    replies = [(row["label"], row["text"]) for row in choices]
    return {
        "item": item,
        "question": question,
        "choices": choices,
        "prediction": answer["prediction"],
        "replies": (
            [*replies, (_NONE, "none of them, or several")] if choices else [(n, "") for n in _SOFT]
        ),
    }


def label_posting(
    site: Site, failed: Callable[[EvalhouseError], Response]
) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    """What stores a label that a page posts, and goes on to the next one."""

    async def post(request: Request) -> Response:
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > _LONGEST_FORM:
                return failed(UsageError("the form is too long"))
        fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True)
        said = {name: values[-1] for name, values in fields.items()}
        try:
            return await run_in_threadpool(_store, site, said)
        except EvalhouseError as error:
            return failed(error)

    return post


def _store(site: Site, said: dict[str, str]) -> Response:
    if not compare_digest(said.get("token", "").encode(), site.token.encode()):
        return HTMLResponse("the page's token is missing or old: load the page again\n", 403)
    if site.house.store is None:
        raise UsageError("nobody can label here")
    annotator, judge = said.get("annotator", "").strip(), said.get("judge", "")
    with site.reading() as con:
        session.use_release(con)
        todo = page_data.rows(con, "page_label_todo", judge=judge, annotator=annotator, most=_MOST)
        item = next((row for row in todo if row["subject_hash"] == said.get("subject")), None)
        if item is None or not annotator:
            raise UsageError("there is no such answer to label")
        values = _item(con, item)
    replies = [value for value, _ in values["replies"]]
    if said.get("reply") not in replies:
        raise UsageError(f"a label is one of {', '.join(replies)}")
    is_choice = bool(values["choices"])
    label = Label(
        annotator=annotator,
        task="choice_extraction" if is_choice else "soft_score",
        subject_hash=item["subject_hash"],
        reply=said["reply"],
        labels=tuple(replies) if is_choice else None,
    )
    with site.door:
        site.house.store(label)
    return RedirectResponse(site.links.to("label", annotator=annotator, judge=judge) or "/", 303)


_MOST_SHOWN = 500
_MOST_BARS = 60
_TYPES = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}


def console_sql(site: Site, request: Request) -> Response:
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
        views=site.once(("views",), lambda: _console_views(site)),
        view_link=lambda row: links.to("sql", q=_look_at(row)),
    )
    return HTMLResponse(text, 200 if error is None else 400)


def console_download(site: Site, request: Request, *, fmt: str) -> Response:
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


def _console_views(site: Site) -> list[page_data.Row]:
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
        "/sql": console_sql,
        "/sql.csv": partial(console_download, fmt="csv"),
        "/sql.parquet": partial(console_download, fmt="parquet"),
        "/label": label_form,
        "/picture/{sha256}": picture,
    }
    return Starlette(
        routes=[
            *(Route(path, _answering(site, one), methods=["GET"]) for path, one in pages.items()),
            Route("/label", label_posting(site, partial(_failed, site)), methods=["POST"]),
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
