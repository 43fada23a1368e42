"""Cache directories and files that mean harm: one clear error each, ours as it was, no waiting."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evalhouse.cli import app
from judge import entry as entries
from judge import json_lines
from judge.answer import Answer
from judge.cache import Replies
from judge.cache import entries as read_entries
from judge.request import Request, key_of
from warehouse.errors import EvalhouseError, InputError
from warehouse.files import json_cache

CONTENT: dict[str, Any] = {
    "version": 1, "task": "mark", "kind": "llm", "model": "m", "endpoint": "chat_completions", "template": "t 1",
    "template_sha256": "0" * 64, "sampling": {}, "retry_schedule": [{}], "max_attempts": 1, "subject_hash": "s",
    "labels": None, "judge_sample": 0, "attempt": 0, "prompt": "p",
}  # fmt: skip


def entry(n: int, **fields: Any) -> tuple[str, dict[str, Any]]:
    content = {**CONTENT, "subject_hash": str(n)}
    request = Request(key_of(content), content)
    said = Answer(request, reply="1", finish_reason="stop", **fields)
    return request.key, entries.of_answer(said, warehouse="w", origin="call")


def store(directory: Path, *numbers: int) -> Path:
    with closing(Replies(directory)) as replies:
        replies.put(dict(entry(n) for n in numbers))
    return directory


def in_database(directory: Path, *statements: str, values: tuple[object, ...] = ()) -> None:
    with closing(sqlite3.connect(directory / "cache.db")) as con, con:
        con.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            con.execute(statement, values)


def linked(cache: Path) -> None:
    (cache / "cache.db").rename(cache.parent / "elsewhere.db")
    (cache / "cache.db").symlink_to(cache.parent / "elsewhere.db")


def linked_up(cache: Path) -> None:
    (cache / "cache.db").rename(cache.parent / "elsewhere.db")
    (cache / "cache.db").symlink_to("../elsewhere.db")


def linked_log(cache: Path) -> None:
    (cache / "cache.db-wal").unlink(missing_ok=True)
    (cache / "cache.db-wal").symlink_to("/dev/zero")


def looped(cache: Path) -> None:
    (cache / "cache.db").unlink()
    (cache / "cache.db").symlink_to("cache.db")


def device(cache: Path) -> None:
    (cache / "cache.db").unlink()
    (cache / "cache.db").symlink_to("/dev/zero")


def pipe(cache: Path) -> None:
    (cache / "cache.db").unlink()
    os.mkfifo(cache / "cache.db")


def pipe_log(cache: Path) -> None:
    (cache / "cache.db-wal").unlink(missing_ok=True)
    os.mkfifo(cache / "cache.db-wal")


def folder(cache: Path) -> None:
    (cache / "cache.db").unlink()
    (cache / "cache.db").mkdir()


def plug(cache: Path) -> None:
    (cache / "cache.db").unlink()
    with closing(socket.socket(socket.AF_UNIX)) as end:
        end.bind(os.path.relpath(cache / "cache.db"))


def no_database(cache: Path) -> None:
    (cache / "cache.db").write_bytes(b"\x80\x04\x95" * 5000)


def emptied(cache: Path) -> None:
    (cache / "cache.db").write_bytes(b"")


def cut(cache: Path) -> None:
    file = cache / "cache.db"
    file.write_bytes(file.read_bytes()[:5000])


def flipped(cache: Path) -> None:
    file = cache / "cache.db"
    content = bytearray(file.read_bytes())
    content[100:] = bytes(byte ^ 0xFF for byte in content[100:])
    file.write_bytes(content)


def endless_view(cache: Path) -> None:
    in_database(
        cache,
        "ALTER TABLE Cache RENAME TO Real",
        "CREATE VIEW Cache AS WITH RECURSIVE n(rowid) AS (SELECT 1 UNION ALL SELECT rowid + 1 FROM n) "
        "SELECT rowid, 'k' AS key, 1 AS raw, 1 AS mode, NULL AS filename, '' AS value FROM n",
    )


def computed(cache: Path) -> None:
    in_database(cache, "ALTER TABLE Cache RENAME COLUMN value TO old",
                "ALTER TABLE Cache ADD COLUMN value GENERATED ALWAYS AS (zeroblob(1000000000)) VIRTUAL")  # fmt: skip


def no_table(cache: Path) -> None:
    in_database(cache, "DROP TABLE Cache")


def as_value(text: object) -> Callable[[Path], None]:
    def attack(cache: Path) -> None:
        in_database(cache, "UPDATE Cache SET value = ?", values=(text,))

    return attack


def changed(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def attack(cache: Path) -> None:
        key, fields = entry(5)
        change(fields)
        text = json.dumps(fields)
        key = key_of(fields["request"]) if isinstance(fields.get("request"), dict) else key
        in_database(
            cache, "UPDATE Cache SET key = ?, value = ? WHERE rowid = 1", values=(key, text)
        )

    return attack


def outside(cache: Path) -> None:
    in_database(cache, "UPDATE Cache SET filename = '../../secret', mode = 2, value = NULL")


def outside_text(cache: Path) -> None:
    in_database(cache, "UPDATE Cache SET filename = '../../secret'")


def bad_text(cache: Path) -> None:
    in_database(cache, "UPDATE Cache SET value = CAST(x'FF' AS TEXT)")


ATTACKS: dict[str, tuple[Callable[[Path], None], str]] = {
    "link": (linked, "is no regular file"),
    "link with ..": (linked_up, "is no regular file"),
    "link of the log": (linked_log, "is no regular file"),
    "link to itself": (looped, "no cache there"),
    "device": (device, "is no regular file"),
    "pipe": (pipe, "is no regular file"),
    "pipe for a log": (pipe_log, "is no regular file"),
    "folder": (folder, "is no regular file"),
    "socket": (plug, "is no regular file"),
    "no database": (no_database, "cannot be written or read"),
    "empty": (emptied, "no plain table Cache"),
    "cut": (cut, "cannot be written or read"),
    "flipped": (flipped, "cannot be written or read"),
    "endless view": (endless_view, "no plain table Cache"),
    "computed column": (computed, "no plain table Cache"),
    "no table": (no_table, "no plain table Cache"),
    "brackets": (as_value('{"request": ' + "[" * 100_000), "is nested too deeply"),
    "balanced brackets": (as_value("[" * 100_000 + "]" * 100_000), "is nested too deeply"),
    "objects": (as_value('{"a":' * 100_000), "is nested too deeply"),
    "digits": (as_value('{"a": ' + "1" * 10_000 + "}"), "is no JSON"),
    "a list": (as_value("[]"), "is no JSON object"),
    "a number": (as_value(7), "is pickled or in a file"),
    "bytes": (as_value(b"\x80\x04."), "is pickled or in a file"),
    "no value": (as_value(None), "is pickled or in a file"),
    "file outside": (outside, "is pickled or in a file"),
    "file outside, text": (outside_text, "is pickled or in a file"),
    "no UTF-8": (bad_text, "cannot be written or read"),
    "deep in a field": (changed(lambda e: e["request"]["sampling"].update(a=json.loads("[" * 400 + "]" * 400))), ""),
    "reply a list": (changed(lambda e: e["response"].update(reply=["B"])), "response.reply has another type"),
    "body a list": (changed(lambda e: e["response"].update(body=["B"])), "response.body has another type"),
    "half a pair": (changed(lambda e: e["response"].update(body="\ud800")), "cannot be stored"),
    "not a number": (changed(lambda e: e["call"].update(cost_usd=float("nan"))), "out of range"),
    "infinite": (changed(lambda e: e["call"].update(latency_seconds=float("inf"))), "out of range"),
    "dear": (changed(lambda e: e["call"].update(cost_usd=10**4000)), "out of range"),
    "origin": (changed(lambda e: e["call"].update(origin="human")), "call.origin is call, batch, local"),
    "time": (changed(lambda e: e["call"].update(judged_at="soon")), "cannot be stored"),
    "response a list": (changed(lambda e: e.update(response=[])), "response lacks"),
    "more fields": (changed(lambda e: e.update(evil=1)), "has the fields"),
}  # fmt: skip


def content_of(directory: Path) -> dict[str, Any]:
    return dict(read_entries(directory))


@pytest.mark.parametrize("name", ATTACKS)
def test_a_hostile_directory(tmp_path: Path, name: str) -> None:
    attack, message = ATTACKS[name]
    theirs, ours = store(tmp_path / "theirs", 1, 2), store(tmp_path / "ours", 3)
    before = content_of(ours)
    attack(theirs)
    for words in (["merge", str(theirs)], ["verify", str(theirs)]):
        result = CliRunner().invoke(app, ["cache", *words, "--cache", str(ours)])
        if not message:  # deep, and yet an entry
            assert result.exit_code == 0, result.output
            continue
        # `verify` prints the errors of entries; any other end is an error of ours.
        assert isinstance(result.exception, (EvalhouseError, SystemExit)), result.output
        assert result.exit_code == 1
        assert message in str(result.exception) or message in result.output
    if message:
        assert content_of(ours) == before


FILES: dict[str, tuple[Callable[[Path], object], str]] = {
    "pipe": (lambda file: os.mkfifo(file), "is no regular file"),
    "device": (lambda file: file.symlink_to("/dev/zero"), "is no regular file"),
    "itself": (lambda file: file.symlink_to(file), "cannot be read"),
    "brackets": (lambda file: file.write_text("[" * 100_000 + "]" * 100_000), "is nested too deeply"),
    "digits": (lambda file: file.write_text('{"key": ' + "1" * 10_000 + "}"), "not valid JSON"),
    "no text": (lambda file: file.write_bytes(b"\xff\xfe\0"), "is not UTF-8"),
    "long": (lambda file: file.write_text(" " * 5_000), "the line is longer than 4,000 characters"),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    make, message = FILES[name]
    ours = store(tmp_path / "ours", 3)
    before = content_of(ours)
    if name == "long":
        monkeypatch.setattr(json_lines, "MOST_CHARACTERS", 4_000)
    file = tmp_path / "export.jsonl"
    make(file)
    result = CliRunner().invoke(app, ["cache", "merge", str(file), "--cache", str(ours)])
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)
    assert content_of(ours) == before


def test_a_value_has_a_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = store(tmp_path / "theirs", 1)
    monkeypatch.setattr(json_cache, "MOST_BYTES", 100_000)
    in_database(theirs, "UPDATE Cache SET value = ?", values=('{"a": "' + "x" * 200_000 + '"}',))
    with pytest.raises(json_cache.CacheError, match="too big"):
        content_of(theirs)


def test_triggers_of_a_directory_that_is_used(tmp_path: Path) -> None:
    """They could throw away what was paid for; those of the library stay."""
    ours = store(tmp_path / "ours", 1)
    assert content_of(store(ours, 2)).keys() == {entry(n)[0] for n in (1, 2)}
    in_database(ours, "CREATE TRIGGER thief AFTER INSERT ON Cache BEGIN DELETE FROM Cache; END")
    with pytest.raises(json_cache.CacheError, match="trigger 'thief'"):
        store(ours, 3)
    # Their own are not run when they are read.
    assert len(content_of(ours)) == 2


def test_nothing_is_changed_where_it_is_read(tmp_path: Path) -> None:
    theirs = store(tmp_path / "theirs", 1)
    before = (theirs / "cache.db").read_bytes()
    content_of(theirs)
    assert (theirs / "cache.db").read_bytes() == before
