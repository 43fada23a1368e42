"""A person judges answers one by one, blind to the model's name and to the judge's verdict."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from hmac import compare_digest
from typing import Any
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from evalhouse.pages import page_data
from evalhouse.pages.house import Label
from evalhouse.pages.site import Site
from queries import session
from warehouse.errors import EvalhouseError, UsageError

_MOST = 2_000
"""Answers of a judge that are offered, the first in the order of label_todo."""
_LONGEST_FORM = 16_384
_NONE = "X"
_SOFT = tuple(f"{n / 10:g}" for n in range(11))


def form(site: Site, request: Request) -> Response:
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


def posting(
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
