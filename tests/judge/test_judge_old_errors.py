"""Servers' errors under HTTP 200 that earlier versions kept as replies: recognized, and sent again."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evalhouse import Warehouse
from evalhouse.judging import cache_of
from judge import cache_files, merge, request
from judge import entry as entries
from judge.answer import Answer
from judge.cache import Replies
from judge.request import Request
from tests.judging import JudgeServer, assigned, fill, judged, judgments, rows, unclear
from warehouse import judges

VOID: dict[str, dict[str, Any]] = {
    "no choice": {"finish_reason": "no choice"},
    "no choice, tokens": {"finish_reason": "no choice", "prompt_tokens": 4, "completion_tokens": 2},
    "no message": {},
    "no message, prompt": {"prompt_tokens": 400},
    "error": {"finish_reason": "error"},
}
"""What those versions stored of a body without a message."""
PAID: dict[str, dict[str, Any]] = {
    "reply": {"reply": "B"},
    "empty": {"reply": "", "finish_reason": "stop"},
    "null": {"finish_reason": "stop", "completion_tokens": 0},
    "tokens": {"completion_tokens": 5},
    "refusal": {"refusal": "no"},
    "filtered": {"finish_reason": "content_filter"},
    "cut": {"finish_reason": "length"},
    "body": {"body": '{"choices": [{"message": {"content": 1}}]}'},
    "body, no choice": {"finish_reason": "no choice", "body": "{}"},
}
"""What is a paid reply all the same."""
_UPGRADED = """
UPDATE main.judgment
SET error = 'the server sent no reply under HTTP 200 (an earlier version kept it as an empty one)'
WHERE error IS NULL AND reply IS NULL AND refusal IS NULL AND request_key IS NOT NULL AND origin = 'call'
    AND (
        finish_reason IN ('no choice', 'error')
        OR (finish_reason IS NULL AND coalesce(completion_tokens, 0) = 0)
    )
"""
"""What the upgrade did that the version 0.2.0 has; the cache stayed as it was."""


def at_attempt(house: Warehouse, key: str, attempt: int) -> Request:
    (first,) = [r for r in assigned(house, None).requests() if f"#{key}" in r.content["prompt"]]
    content = {**first.content, "attempt": attempt}
    return replace(first, key=request.key_of(content), content=content)


def keep(house: Warehouse, answers: list[Answer]) -> None:
    """Answers in cache and warehouse, as an earlier version stored them."""
    uuid = merge.identity_of(house.path, wait=0)
    kept = {a.request.key: entries.of_answer(a, warehouse=uuid, origin="call") for a in answers}
    with closing(Replies(cache_of(house.path, None))) as replies:
        replies.put(kept, tag=uuid)
    found = assigned(house, None).enrolled
    with house.writing() as con:
        rows_ = [entries.to_judgment(key, entry, warehouse=uuid) for key, entry in kept.items()]
        judges.store(con, found.judge_id, rows_, source_id=1)
        con.execute(_UPGRADED)


@pytest.mark.slow
def test_all_is_asked_again(house: Warehouse, server: JudgeServer) -> None:
    fill(house, {"m": unclear(len(VOID))})
    keep(
        house,
        [
            Answer(at_attempt(house, str(n), attempt), **fields)
            for n, fields in enumerate(VOID.values())
            for attempt in range(3)
        ],
    )
    assert rows(house, "SELECT DISTINCT state FROM parsed_reply") == [("failed",)]
    assert rows(house, "SELECT DISTINCT attempt FROM judge_todo") == [(0,)]
    assert assigned(house, None).preview().runs[0].calls == len(VOID)
    progress = judged(house, server)
    assert (progress.asked, progress.cached, len(server)) == (len(VOID), 0, len(VOID))
    assert rows(house, "SELECT count(*) FROM verdict WHERE state = 'ok'") == [(len(VOID),)]
    # Once: the cache has the replies now, and the old rows are where they were.
    assert judged(house, server).asked == 0
    assert rows(house, "SELECT count(*) FROM main.judgment WHERE error IS NOT NULL") == [(3 * len(VOID),)]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("made", [[1], [2], [1, 2]])
def test_an_attempt_is_not_made_twice(
    house: Warehouse, server: JudgeServer, made: list[int]
) -> None:
    """Where an early attempt turns out to have failed, and later ones were paid for."""
    fill(house, {"m": {"0": ["fault=unparsable #0"]}})
    keep(
        house,
        [
            Answer(
                at_attempt(house, "0", n),
                **({"reply": "hm", "finish_reason": "stop"} if n in made else VOID["no choice"]),
            )
            for n in range(3)
        ],
    )
    progress = judged(house, server)
    assert (progress.asked, len(server)) == (3 - len(made), 3 - len(made))
    attempts = rows(
        house,
        "SELECT attempt, count(*) FROM parsed_reply WHERE state = 'unparsable' GROUP BY ALL ORDER BY 1",
    )
    assert attempts == [(0, 1), (1, 1), (2, 1)]
    assert rows(house, "SELECT resolved_by FROM pass_result WHERE judge <> 'none'") == [("random",)]


@pytest.mark.slow
def test_what_takes_their_place_survives_a_crash(
    house: Warehouse, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row that is written over keeps its number, which is merged already."""
    fill(house, {"m": unclear(3)})
    answers = [Answer(at_attempt(house, str(n), 0), **VOID["no choice"]) for n in range(3)]
    keep(house, answers)
    judged(house, None, offline=True)  # notes the last row as merged
    with monkeypatch.context() as patch:

        def die(*args: object, **more: object) -> int:
            raise MemoryError

        patch.setattr(merge, "into_warehouse", die)
        with pytest.raises(MemoryError):
            judged(house, server)
    assert judgments(house) == []
    progress = judged(house, None, offline=True)
    assert (progress.recovered, len(judgments(house)), len(server)) == (3, 3, 3)


@pytest.mark.slow
def test_caches_are_merged_without_them(house: Warehouse, tmp_path: Path) -> None:
    fill(house, {"m": unclear(2)})
    void, paid = (at_attempt(house, key, 0) for key in "01")
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"

    def of(request: Request, **fields: Any) -> dict[str, Any]:
        return {
            request.key: entries.of_answer(Answer(request, **fields), warehouse="w", origin="call")
        }

    with closing(Replies(theirs)) as replies:
        replies.put(of(void, **VOID["no choice"]) | of(paid, reply="B"))
    done = cache_files.merge_into(ours, theirs)
    assert (done.new, done.known, done.void, done.conflicts) == (1, 0, 1, [])
    found = cache_files.verify(theirs)
    assert (found.replies, found.void, found.problems) == (1, 1, [])
    # Ours gives way to a reply.
    with closing(Replies(theirs)) as replies:
        replies.put(of(void, reply="C"))
        assert replies.get([void.key])[void.key]["response"]["reply"] == "C"
        replies.put(of(void, reply="D"))
        assert replies.get([void.key])[void.key]["response"]["reply"] == "C"
    done = cache_files.merge_into(ours, theirs)
    assert (done.new, done.known, done.void) == (1, 1, 0)
