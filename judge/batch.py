"""OpenAI's batch files: the same requests and keys, at half the price.

An exported request is claimed by its batch until the batch is imported or dropped, so that no
`judge` pays for it meanwhile. What was exported is kept next to the cache, so that an output file,
which has no requests in it, is enough to import.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from judge import entry as entries
from judge import merge, price
from judge.answer import Answer
from judge.cache import Replies
from judge.claims import Claims
from judge.job import Job
from judge.json_lines import json_lines, parsed
from judge.reply import (
    MOST_OF_A_FAILURE,
    NoReplyError,
    error_text,
    read_completion,
    read_text,
    storable,
)
from judge.request import Request, body_of, judge_of
from judge.template import Template
from warehouse.errors import InputError, UsageError
from warehouse.files import writing
from warehouse.files.json_cache import open_store, transaction

MOST_REQUESTS = 50_000
"""OpenAI's limit for one file."""
MOST_BYTES = 190_000_000
_URL = "/v1/chat/completions"
_AT_A_TIME = 1_000


class _NothingToAskError(Exception):
    """Ends the writing of a file that would be empty."""


@dataclass
class Exported:
    """What an export wrote. `more`: the file is full, and there is more to ask."""

    written: int = 0
    cached: int = 0
    elsewhere: int = 0
    more: bool = False


@dataclass
class Imported:
    """What an import read. `errors` are the first few, by key."""

    replies: int = 0
    known: int = 0
    failed: int = 0
    cost: float = 0.0
    unpriced: int = 0
    errors: list[str] = field(default_factory=list)


def export(job: Job, requests: Sequence[Request], file: Path, *, most: int | None) -> Exported:
    """Write the requests to be sent as a batch's input file.

    Args:
        job: for whom.
        requests: what is needed.
        file: written whole or not at all.
        most: so many at most.

    Raises:
        UsageError: the file is there already, or one of its name is out, or it cannot be written.
        CacheError: the cache cannot be written to.
    """
    if file.exists():
        raise UsageError(f"{file}: is there already")
    limit = MOST_REQUESTS if most is None else min(most, MOST_REQUESTS)
    done = Exported()
    with closing(Replies(job.cache)) as replies, Claims(job.cache) as claims:
        if claims.of_batch(file.name):
            raise UsageError(
                f"a batch named {file.name} is out already: give this one another name, or free it with "
                f"`evalhouse judge drop-batch {file.name}` if its file was never sent, as after a kill"
            )
        replies.prepare()
        replies.put({job.template.sha256: {"template": job.template.text}})
        written: list[Request] = []
        try:
            with writing.opened(file) as lines:
                size = 0
                for chunk in _claimed(requests, replies, claims, done):
                    for place, request in enumerate(chunk):
                        line = _line(request, job.template).encode()
                        size += len(line)
                        if done.written >= limit or size > MOST_BYTES:
                            claims.release([spare.key for spare in chunk[place:]])
                            done.more = True
                            break
                        lines.write(line)
                        written.append(request)
                        done.written += 1
                    if done.more:
                        break
                if not written:
                    raise _NothingToAskError
                _remember(job.cache, written)
                claims.claim_for_batch([r.key for r in written], file.name)
        except _NothingToAskError:
            pass
        except BaseException:
            claims.release([request.key for request in written])
            raise
    return done


def read(
    path: Path, cache: Path, files: Sequence[Path], *, given: price.Price | None, wait: float
) -> Imported:
    """Read a batch's output and error files into the cache, and from there into the warehouse.

    Args:
        path: the warehouse.
        cache: the cache's directory, from which the batch was exported.
        files: what the provider gave back, in any order.
        given: the price of single calls; None: the price list's.

    Raises:
        InputError: a line is no batch result, or its request was not exported from here. Nothing is
            read.
    """
    done = Imported()
    with closing(Replies(cache)) as replies, Claims(cache) as claims, closing(_sent(cache)) as sent:
        answers: dict[str, Answer] = {}
        for file in files:
            for row, result in _results(file):
                try:
                    answer = _answer(file, row, result, sent, given)
                except RecursionError as error:
                    raise InputError(file, "is nested too deeply", row=row) from error
                known = answers.get(answer.request.key)
                if known is None or known.error is not None:
                    answers[answer.request.key] = answer
        warehouse = merge.identity_of(path, wait=wait)
        good = {}
        for key, answer in answers.items():
            if answer.error is None:
                good[key] = entries.of_answer(answer, warehouse=warehouse, origin="batch")
                done.cost += good[key]["call"]["cost_usd"] or 0.0
                done.unpriced += good[key]["call"]["cost_usd"] is None
            elif len(done.errors) < 3:
                done.errors.append(f"{key}: {answer.error}")
        replies.prepare()
        new = replies.put(good, tag=warehouse)
        done.replies, done.known = len(new), len(good) - len(new)
        bad = [answer for answer in answers.values() if answer.error is not None]
        done.failed = len(bad)
        failures = [
            (
                judge_of(a.request.content, str(a.request.content["model"])),
                entries.failed(a, origin="batch"),
            )
            for a in bad
        ]
        merge.into_warehouse(path, cache, replies.get(list(good)), failures, wait=wait)
        claims.release(list(answers))
    return done


def drop(cache: Path, name: str) -> int:
    """Give up a batch that will not come back; return how many requests are free again.

    Raises:
        UsageError: there is no such batch.
    """
    with Claims(cache) as claims:
        keys = claims.of_batch(name)
        if not keys:
            raise UsageError(f"no batch {name!r} is out in {cache}")
        claims.release(keys)
    return len(keys)


def _claimed(
    requests: Sequence[Request], replies: Replies, claims: Claims, done: Exported
) -> Iterator[list[Request]]:
    waiting = iter(requests)
    while chunk := list(islice(waiting, _AT_A_TIME)):
        found = replies.get([request.key for request in chunk])
        mine = claims.claim([request.key for request in chunk if request.key not in found])
        done.cached += len(found)
        done.elsewhere += len(chunk) - len(found) - len(mine)
        yield [request for request in chunk if request.key in mine]


def _line(request: Request, template: Template) -> str:
    body = body_of(request, template)
    line = {"custom_id": request.key, "method": "POST", "url": _URL, "body": body}
    return json.dumps(line, ensure_ascii=False) + "\n"


def _sent(cache: Path) -> Any:
    return open_store(cache / "batches", durable=True)


def _remember(cache: Path, requests: Sequence[Request]) -> None:
    with closing(_sent(cache)) as sent, transaction(sent):
        for request in requests:
            value = {"request": dict(request.content), "asked_run_id": request.asked_run_id}
            sent.set(request.key, value)


def _results(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for row, line in json_lines(file):
        if line.strip():
            result = parsed(file, row, line)
            if not isinstance(result, dict):
                raise InputError(file, "is not a JSON object", row=row)
            yield row, result


def _answer(
    file: Path, row: int, result: Mapping[str, Any], sent: Any, given: price.Price | None
) -> Answer:
    key = result.get("custom_id")
    if not isinstance(key, str):
        raise InputError(file, "is missing, or no text", row=row, field="custom_id")
    exported = sent.get(key) if key.isascii() else None
    if exported is None:
        raise InputError(
            file,
            f"the request {key[:16]!r}… was not exported with this cache",
            row=row,
            field="custom_id",
        )
    request = Request(key, exported["request"], exported["asked_run_id"])
    response = result.get("response")
    if result.get("error") or not isinstance(response, dict):
        return _failed(request, error_text(result.get("error") or "no response"), response)
    status, body = response.get("status_code"), response.get("body")
    if status != 200:
        said = body.get("error") if isinstance(body, dict) else None
        return _failed(request, f"HTTP {status}: {error_text(said or 'no response')}", body)
    listed = given or price.of_model(str(request.content["model"]))
    cost = None if listed is None else price.of_batch(listed)
    try:
        if isinstance(body, str):
            return read_text(request, body, cost)
        return read_completion(request, body, cost, text=_text(body))
    except NoReplyError as error:
        return _failed(request, str(error), body)


def _failed(request: Request, error: str, body: object) -> Answer:
    kept = None if body is None else storable(_text(body))[:MOST_OF_A_FAILURE]
    moment = datetime.now(UTC).replace(tzinfo=None)
    return Answer(request, error=storable(error)[:500], body=kept, judged_at=moment)


def _text(body: object) -> str:
    """A body as it stands in the file, except for its spaces."""
    if isinstance(body, str):
        return body
    text = json.dumps(body, ensure_ascii=False)
    return text if storable(text) == text else json.dumps(body)
