"""The cache: durable, never a pickle, whole; and what it does where a disk is full or read-only."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import pickle
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import diskcache
import duckdb
import pytest
from typer.testing import CliRunner

from evalhouse import Warehouse
from evalhouse.cli import app
from evalhouse.judging import cache_of
from judge import batch, cache_files, merge
from judge.budget import Budget
from judge.cache import RESERVE_BYTES, Replies, entries
from judge.claims import Claims
from judge.runner import Writer
from tests.houses import QuickHouse
from tests.judging import (
    JudgeServer,
    assigned,
    command,
    fill,
    finished,
    judged,
    judgments,
    rows,
    serving,
    unclear,
)
from warehouse import judges
from warehouse.errors import InputError, UsageError
from warehouse.files.json_cache import CacheError, transaction


def key(text: object) -> str:
    return sha256(str(text).encode()).hexdigest()


class Marker:
    """A pickle that leaves a file behind when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.path,))


def in_database(directory: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(directory / "cache.db")) as con, con:
        con.execute(sql, values)


@pytest.fixture(scope="module")
def prepared(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a warehouse of three judgments and its cache."""
    folder = tmp_path_factory.mktemp("prepared")
    shutil.copy(new_file, folder / "warehouse.duckdb")
    house = fill(QuickHouse(folder / "warehouse.duckdb"), {"m": unclear(3)})
    with serving(folder) as server:
        judged(house, server)
    return folder


@pytest.fixture
def full(prepared: Path, house: Warehouse) -> Path:
    """The cache of a warehouse with three judgments; `house` is that warehouse."""
    shutil.copy(prepared / "warehouse.duckdb", house.path)
    cache = cache_of(house.path, None)
    shutil.copytree(cache_of(prepared / "warehouse.duckdb", None), cache)
    return cache


# --- pickles


def pickled_value(directory: Path, marker: Marker) -> None:
    in_database(
        directory, "UPDATE Cache SET mode = 4, value = ?", sqlite3.Binary(pickle.dumps(marker))
    )


def pickled_key(directory: Path, marker: Marker) -> None:
    in_database(
        directory, "UPDATE Cache SET raw = 0, key = ? WHERE rowid = (SELECT max(rowid) FROM Cache)",
        sqlite3.Binary(pickle.dumps(marker)),
    )  # fmt: skip


def pickled_file(directory: Path, marker: Marker) -> None:
    (directory / "aa.val").write_bytes(pickle.dumps(marker))
    in_database(directory, "UPDATE Cache SET mode = 4, filename = 'aa.val', value = NULL")


def hostile_setting(directory: Path, marker: Marker) -> None:
    in_database(
        directory,
        "INSERT INTO Settings VALUES ('sqlite_temp_store_directory = ''/tmp''; --', 'x')",
    )


def hostile_value(directory: Path, marker: Marker) -> None:
    in_database(
        directory, "UPDATE Settings SET value = '1; ATTACH ''x'' AS y' WHERE key LIKE '%mmap%'"
    )


ATTACKS = [pickled_value, pickled_key, pickled_file, hostile_setting, hostile_value]


def test_a_marker_would_tell(tmp_path: Path) -> None:
    pickle.loads(pickle.dumps(Marker(tmp_path / "marker")))  # noqa: S301
    assert (tmp_path / "marker").exists()


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_is_ever_unpickled(
    full: Path, house: Warehouse, tmp_path: Path, attack: Callable[[Path, Marker], None]
) -> None:
    """By no command that touches a directory which someone else wrote."""
    marker = Marker(tmp_path / "marker")
    theirs = tmp_path / "theirs"
    shutil.copytree(full, theirs)
    attack(theirs, marker)
    hidden = attack in (hostile_setting, hostile_value)  # a read-only look does not apply settings
    for act in (
        lambda: cache_files.verify(theirs),
        lambda: cache_files.export(theirs, tmp_path / "out.jsonl"),
        lambda: cache_files.merge_into(tmp_path / "ours", theirs),
    ):
        if not hidden:
            with pytest.raises(CacheError, match=r"pickled|no hash"):
                act()
    if not hidden:
        assert not (tmp_path / "ours").exists()
    # As the cache of a judge: the judgments have to come from it again.
    with house.writing() as con:
        con.execute("DELETE FROM main.judgment")
    if hidden:
        with pytest.raises(CacheError, match="setting"):
            judged(house, None, cache=theirs, offline=True)
    else:
        progress = judged(house, None, cache=theirs, offline=True)
        if attack is pickled_key:  # none that is requested
            assert (progress.cached, len(progress.missing)) == (2, 1)
        else:
            assert "pickled" in str(progress.error)
    assert not marker.path.exists()


def test_hostile_claims(full: Path, house: Warehouse, tmp_path: Path) -> None:
    marker = Marker(tmp_path / "marker")
    with diskcache.Cache(str(tmp_path / "plain")) as plain:
        plain["batch"] = marker
        plain[(1, 2)] = 3
    shutil.rmtree(full / "claims")
    shutil.copytree(tmp_path / "plain", full / "claims")
    with pytest.raises(CacheError, match="pickled"):
        batch.drop(full, "batch")
    assert not marker.path.exists()


def test_only_json_of_hex_keys(tmp_path: Path) -> None:
    with closing(Replies(tmp_path / "cache")) as replies:
        replies.put({key(1): {"a": "é\u2028\x00\"'", "n": None}})
        with pytest.raises(CacheError, match="is no key"):
            replies.put({"ключ": {}})
        with pytest.raises(TypeError):
            replies.put({key(2): {"a": object()}})
        with pytest.raises(ValueError, match="JSON"):
            replies.put({key(3): {"a": float("nan")}})
        assert replies.get([key(1), key(2), key(3)]) == {key(1): {"a": "é\u2028\x00\"'", "n": None}}
    with closing(sqlite3.connect(tmp_path / "cache/cache.db")) as con:
        ((stored, raw, mode, value),) = con.execute("SELECT key, raw, mode, value FROM Cache")
    assert (stored, raw, mode) == (key(1), 1, 1)
    assert json.loads(value) == {"a": "é\u2028\x00\"'", "n": None}


# --- durability


def test_settings_that_keep_replies(tmp_path: Path) -> None:
    with closing(Replies(tmp_path / "cache")) as replies:
        store = replies._store
        assert (store.eviction_policy, store.cull_limit) == ("none", 0)
        assert store.size_limit >= 2**50
        assert store.disk_min_file_size > 2**30


def test_nothing_is_evicted_or_expires(tmp_path: Path) -> None:
    """The library's default would have thrown these away: it culls ten rows on every write beyond its limit."""
    with diskcache.Cache(str(tmp_path / "default"), size_limit=1, cull_limit=10) as default:
        for n in range(100):
            default.set(key(n), "x" * 2000)
        assert len(default) < 100
    # A directory whose settings say so is ours once we have opened it.
    with diskcache.Cache(str(tmp_path / "cache"), size_limit=1, cull_limit=10):
        pass
    with closing(Replies(tmp_path / "cache")) as replies:
        for n in range(0, 500, 50):
            replies.put({key(m): {"text": "x" * 2000} for m in range(n, n + 50)})
        assert len(replies) == 500
        replies._store.cull()
        replies._store.expire(now=2e10)
        assert len(replies) == 500
        assert replies._store.volume() > 500 * 2000


def test_a_commit_is_on_disk_when_it_returns(tmp_path: Path) -> None:
    """On every connection that writes, those of other threads too; what is synced is all there is."""
    found: list[tuple[int, str]] = []

    class Watched(Replies):
        def put(self, entries: Any, *, tag: str | None = None) -> frozenset[str]:
            new = super().put(entries, tag=tag)
            ((level,),) = self._store._sql("PRAGMA synchronous").fetchall()
            ((mode,),) = self._store._sql("PRAGMA journal_mode").fetchall()
            found.append((level, mode))
            return new

    async def write(replies: Replies, claims: Claims) -> None:
        async with Writer(replies, claims, tag="t") as writer:
            await writer.keep({key(1): {"reply": "x" * 100_000}})

    with closing(Watched(tmp_path / "cache")) as replies, Claims(tmp_path / "cache") as claims:
        replies.put({key(0): {}})
        asyncio.run(write(replies, claims))
    assert found == [(2, "wal"), (2, "wal")]
    files = {path.name for path in (tmp_path / "cache").rglob("*") if path.is_file()}
    assert not [name for name in files if name.endswith(".val")]
    with closing(Replies(tmp_path / "cache")) as replies:
        assert len(replies.get([key(1)])[key(1)]["reply"]) == 100_000


def test_what_arrived_is_stored_though_its_bringer_was_cancelled(tmp_path: Path) -> None:
    async def write(replies: Replies, claims: Claims) -> None:
        async with Writer(replies, claims, tag="t") as writer:
            tasks = [asyncio.create_task(writer.keep({key(n): {"n": n}})) for n in range(50)]
            await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    with closing(Replies(tmp_path / "cache")) as replies, Claims(tmp_path / "cache") as claims:
        asyncio.run(write(replies, claims))
        assert len(replies) == 50


@pytest.mark.parametrize("name", ["with space", "a#b?c%41", "ünï", "~", "$NONE"])
def test_odd_paths(full: Path, tmp_path: Path, name: str) -> None:
    """Whether the library opens it, or SQLite by a URI."""
    cache = tmp_path / name
    assert cache_files.merge_into(cache, full).new == 4
    assert cache_files.verify(cache).replies == 3
    assert (cache / "cache.db").is_file()
    with Claims(cache) as claims:
        assert claims.claim(["a"]) == {"a"}


def test_a_cache_and_a_warehouse_at_odd_paths(full: Path, house: Warehouse, tmp_path: Path) -> None:
    # Without a question mark: DuckDB looks for its .wal file in front of one.
    folder = tmp_path / "a b#c%41é'"
    folder.mkdir()
    with house.writing() as con:
        con.execute("DELETE FROM main.judgment")
    copy = QuickHouse(folder / "w x.duckdb")
    shutil.copy(house.path, copy.path)
    full.rename(cache_of(copy.path, None))
    progress = judged(copy, None, offline=True)
    assert (progress.cached, progress.error, progress.notes) == (3, None, [])
    assert len(judgments(copy)) == 3


def test_a_variable_in_a_path_is_refused(tmp_path: Path) -> None:
    """The library would put it elsewhere than we look."""
    with pytest.raises(CacheError, match="variable"):
        Replies(tmp_path / "$HOME")


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_of(tmp_path / "w.duckdb", None) == tmp_path / "w.duckdb.judge-cache"
    monkeypatch.setenv("EVALHOUSE_CACHE", str(tmp_path / "elsewhere"))
    assert cache_of(tmp_path / "w.duckdb", None) == tmp_path / "elsewhere"
    assert cache_of(tmp_path / "w.duckdb", tmp_path / "given") == tmp_path / "given"


# --- merge, export, verify


def test_verify_recomputes_every_key(full: Path) -> None:
    fine = cache_files.verify(full)
    assert (fine.replies, fine.templates, fine.problems) == (3, 1, [])
    found = {k: e for k, e in entries(full) if "request" in e}
    first, second, third = found

    def write(name: str, entry: dict[str, Any]) -> None:
        in_database(full, "UPDATE Cache SET value = ? WHERE key = ?", json.dumps(entry), name)

    write(first, found[first] | {"request": found[first]["request"] | {"prompt": "other"}})
    assert cache_files.verify(full).problems == [
        f"key {first}: the key is not the hash of the request"
    ]
    write(first, found[second])  # a whole entry under another key
    assert len(cache_files.verify(full).problems) == 1
    write(first, {"request": {}, "response": {}, "call": {}})
    assert "request lacks" in cache_files.verify(full).problems[0]
    write(first, found[first])
    write(second, found[second] | {"response": found[second]["response"] | {"reply": 5}})
    assert "response.reply has another type" in cache_files.verify(full).problems[0]
    # A reply is not part of the request: another one is not seen.
    write(second, found[second] | {"response": found[second]["response"] | {"reply": "X"}})
    assert cache_files.verify(full).problems == []
    in_database(full, "UPDATE Cache SET key = ? WHERE key = ?", "0" * 64, third)
    assert len(cache_files.verify(full).problems) == 1
    in_database(full, "UPDATE Cache SET value = ? WHERE value LIKE '{\"template%'", '{"template": "x"}')  # fmt: skip
    assert "the key is not the hash of the template" in str(cache_files.verify(full).problems)


@pytest.mark.parametrize(
    ("part", "field", "value"),
    [
        ("call", "cost_usd", float("nan")),
        ("call", "judged_at", "yesterday"),
        ("call", "judged_at", "2024-01-01T00:00:00+02:00"),
        ("response", "reply", "\ud83d"),
        ("response", "prompt_tokens", 2**31),
        ("response", "completion_tokens", -1),
    ],
)
def test_no_entry_gets_in_that_no_judgment_can_be_made_of(
    full: Path, tmp_path: Path, part: str, field: str, value: object
) -> None:
    """It would stop every later command that meets it."""
    cache_files.export(full, tmp_path / "out.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    lines[-1][part][field] = value
    (tmp_path / "bad.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(InputError, match=f"row {len(lines)}: key {lines[-1]['key']}"):
        cache_files.merge_into(tmp_path / "other", tmp_path / "bad.jsonl")
    assert not (tmp_path / "other").exists()


@pytest.mark.long
def test_merging_a_directory_or_an_export(
    full: Path, house: Warehouse, make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    """Another warehouse judges with it, without a server; and its replies are not its own cost."""
    assert cache_files.export(full, tmp_path / "out.jsonl") == 4
    for n, source in enumerate((full, tmp_path / "out.jsonl")):
        other = fill(make_house(f"other{n}"), {"n": unclear(3)})
        with other.writing() as con:  # the fixture's warehouses are copies of one
            con.execute("UPDATE main.warehouse_identity SET warehouse_uuid = ?", [f"other{n}"])
        cache = cache_of(other.path, None)
        done = cache_files.merge_into(cache, source)
        assert (done.new, done.known, done.conflicts) == (4, 0, [])
        again = cache_files.merge_into(cache, source)
        assert (again.new, again.known, again.conflicts) == (0, 4, [])
        progress = judged(other, None, offline=True)
        assert (progress.cached, progress.missing) == (3, [])
        assert judgments(other) == judgments(house)
        assert rows(other, "SELECT DISTINCT origin, asked_run_id FROM main.judgment") == [
            ("cache", 1)
        ]
    with pytest.raises(UsageError, match="is the cache itself"):
        cache_files.merge_into(full, full)


def test_a_conflict_is_reported_and_ours_stays(full: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    shutil.copytree(full, theirs)
    ((name, entry),) = [(k, e) for k, e in entries(full) if "request" in e][:1]
    changed = entry | {"response": entry["response"] | {"reply": "Q"}}
    in_database(theirs, "UPDATE Cache SET value = ? WHERE key = ?", json.dumps(changed), name)
    assert cache_files.merge_into(full, theirs).conflicts == [name]
    assert dict(entries(full))[name] == entry


def test_cache_commands(full: Path, house: Warehouse, tmp_path: Path) -> None:
    run = CliRunner()
    out = tmp_path / "out.jsonl"
    db = ["--db", str(house.path)]
    assert "4 entries" in run.invoke(app, ["cache", "export", str(out), *db]).stdout
    shown = run.invoke(app, ["cache", "merge", str(out), "--cache", str(tmp_path / "new"), *db])
    assert "4 new, 0 there already" in shown.stdout
    shown = run.invoke(app, ["cache", "verify", str(tmp_path / "new")])
    assert (shown.exit_code, "3 replies and 1 template" in shown.stdout) == (0, True)
    in_database(tmp_path / "new", "UPDATE Cache SET key = ? WHERE rowid = 3", "0" * 64)
    shown = run.invoke(app, ["cache", "verify", str(tmp_path / "new")])
    assert (shown.exit_code, "1 are not" in shown.stdout) == (1, True)


# --- claims


def test_claims(tmp_path: Path) -> None:
    with Claims(tmp_path) as one, Claims(tmp_path) as two:
        assert one.claim(["a", "b"]) == {"a", "b"}
        assert two.claim(["b", "c"]) == {"c"}
        one.release(["b"])
        assert two.claim(["a", "b"]) == {"b"}
    with Claims(tmp_path) as three:
        # A process that ended without releasing is dead.
        assert three.claim(["a", "b", "c"]) == {"a", "b", "c"}
        assert len(list((tmp_path / "claims/owners").iterdir())) == 1


def test_a_dead_owners_claims_are_free(tmp_path: Path) -> None:
    script = f"""
import sys
from pathlib import Path
from judge.claims import Claims
claims = Claims(Path({str(tmp_path)!r}))
print(sorted(claims.claim(["a", "b"])), flush=True)
sys.stdin.read()
"""
    holder = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "['a', 'b']\n"
        with Claims(tmp_path) as mine:
            assert mine.claim(["a", "c"]) == {"c"}
            holder.kill()
            holder.wait()
            assert mine.claim(["a", "b"]) == {"a", "b"}
    finally:
        holder.kill()
        holder.wait()


def test_no_claim_is_left_behind(house: Warehouse, server: JudgeServer) -> None:
    """Neither by calls that came nor by those that failed, nor by those that were not made."""
    fill(house, {"m": unclear(6) | {str(n): [f"fault=400 cannot tell #{n}"] for n in range(2)}})
    judged(house, server, Budget(max_calls=4), concurrency=2)
    cache = cache_of(house.path, None)
    with Claims(cache) as claims:
        left = [k for k in claims._store.iterkeys() if not k.startswith("merged:")]
    assert left == []


# --- crash between cache and warehouse


@pytest.mark.slow
def test_what_is_in_the_cache_alone_is_merged_by_the_next_command(
    house: Warehouse, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(house, {"m": unclear(5)})
    with monkeypatch.context() as patch:

        def die(*args: object, **more: object) -> int:
            raise MemoryError

        patch.setattr(merge, "into_warehouse", die)
        with pytest.raises(MemoryError):
            judged(house, server)
    assert judgments(house) == []
    progress = judged(house, None, offline=True)
    assert (progress.recovered, progress.cached, progress.asked) == (5, 0, 0)
    assert len(judgments(house)) == len(server) == 5
    assert rows(house, "SELECT DISTINCT origin FROM main.judgment") == [("call",)]
    again = judged(house, None, offline=True)
    assert (again.recovered, again.cached) == (0, 0)
    assert len(judgments(house)) == 5


@pytest.mark.slow
def test_a_warehouse_that_cannot_be_written(
    house: Warehouse, server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its disk may be another one than the cache's: the replies stay in the cache, and it is said."""
    fill(house, {"m": unclear(3)})
    with monkeypatch.context() as patch:

        def full(*args: object, **more: object) -> int:
            raise duckdb.IOException("IO Error: No space left on device")

        patch.setattr(judges, "store", full)
        progress = judged(house, server)
    assert "No space left on device" in str(progress.error)
    assert "the next command merges them" in str(progress.error)
    assert (progress.asked, progress.unmerged) == (3, 3)
    after = judged(house, None, offline=True)
    assert (after.recovered, len(judgments(house)), len(server)) == (3, 3, 3)


# --- full and read-only disks


@contextmanager
def mounted(place: Path, size: str) -> Iterator[Path]:
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        pytest.skip(f"a small disk needs mount: {done.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", place], check=True)


def test_a_full_disk_is_reported_before_a_call(
    house: Warehouse, server: JudgeServer, tmp_path: Path
) -> None:
    fill(house, {"m": unclear(3)})
    with mounted(tmp_path / "small", "4m") as disk:
        with pytest.raises(CacheError, match="No space left on device") as caught:
            judged(house, server, cache=disk / "cache")
        assert "MB free" in str(caught.value)
        # What could not be kept back is given back.
        assert shutil.disk_usage(disk).free > 3e6
    assert len(server) == 0


@pytest.mark.slow
def test_a_read_only_disk_is_reported_before_a_call(
    house: Warehouse, server: JudgeServer, tmp_path: Path
) -> None:
    fill(house, {"m": unclear(3)})
    with mounted(tmp_path / "small", "32m") as disk:
        judged(house, server, Budget(max_calls=1), cache=disk / "cache")
        gc.collect()  # connections of threads that have ended
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        with pytest.raises(CacheError, match=r"cannot be written|readonly"):
            judged(house, server, cache=disk / "cache")
        with pytest.raises(CacheError):
            judged(house, server, cache=disk / "other")
    assert len(server) == 1


def test_a_directory_that_is_not_ours_to_write(house: Warehouse, server: JudgeServer) -> None:
    if os.geteuid() == 0:
        pytest.skip("root writes everywhere; the read-only disk stands for it")
    fill(house, {"m": unclear(3)})
    judged(house, server, Budget(max_calls=1))
    cache = cache_of(house.path, None)
    cache.chmod(0o555)
    try:
        with pytest.raises(CacheError):
            judged(house, server)
    finally:
        cache.chmod(0o755)
    assert len(server) == 1


@pytest.mark.slow
def test_a_disk_that_fills_up_keeps_what_was_in_flight(
    house: Warehouse, server: JudgeServer, tmp_path: Path
) -> None:
    """Replies of 100 kB, for which 24 MB are soon too little."""
    fill(house, {"m": unclear(400, "fault=big")})
    with mounted(tmp_path / "small", "24m") as disk:
        progress = judged(house, server, cache=disk / "cache", concurrency=8)
        assert "cannot be written" in str(progress.error)
        stored = {k for k, e in entries(disk / "cache") if "request" in e}
        assert progress.asked == len(stored)
        # Whatever the server has answered is there, and in the warehouse.
        assert len(stored) == len(server) == len(judgments(house))
        assert 20 < len(stored) < 400


def test_the_space_that_was_kept_back_holds_what_was_in_flight(tmp_path: Path) -> None:
    in_flight = {key(n): {"reply": "x" * 100_000} for n in range(16)}
    with mounted(tmp_path / "small", "16m") as disk, closing(Replies(disk / "cache")) as replies:
        replies.prepare()
        with suppress(OSError), (disk / "filler").open("wb", buffering=0) as filler:
            while filler.write(b"x" * 4096):
                pass
        with pytest.raises(CacheError, match="full"):
            replies.put(in_flight)
        assert replies.get(list(in_flight)) == in_flight
        assert not (disk / "cache/reserve").exists()
        # Without it, no further call is begun.
        with pytest.raises(CacheError, match="No space left"):
            replies.prepare()


@pytest.mark.long
def test_a_disk_that_others_fill_up(house: Warehouse, tmp_path: Path) -> None:
    """Between two commits, to the last byte: what the server has answered is kept all the same."""
    fill(house, {"m": unclear(300)})
    with serving(tmp_path, latency=0.1) as server, mounted(tmp_path / "small", "32m") as disk:
        words = ("judge", "--model", "j", "--base-url", server.url, "--cache", disk / "cache")
        process = command(*words, "--concurrency", 4, cwd=tmp_path)
        while not len(server):
            assert process.poll() is None
        with suppress(OSError), (disk / "filler").open("wb", buffering=0) as filler:
            while filler.write(b"x" * 4096):
                pass
        code, _, err = finished(process, timeout=60)
        assert code == 1
        assert "the cache cannot be written" in err
        assert "Traceback" not in err
        assert 0 < len(server) < 300
        assert len(judgments(house)) == len(server)
        (disk / "filler").unlink()
        again = finished(command(*words, cwd=tmp_path))
        assert again[0] == 0, again
        assert len(server) == len(judgments(house)) == 300


# --- a transaction that cannot begin


def test_what_cannot_be_locked_is_an_error(tmp_path: Path) -> None:
    """The library would try for ever."""
    with closing(Replies(tmp_path / "cache")) as replies:
        replies._store.close()
        replies._store._timeout = 0.1
        with closing(sqlite3.connect(tmp_path / "cache/cache.db")) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(CacheError, match="it is locked"), transaction(replies._store):
                pass


@pytest.mark.slow
def test_the_reserve_is_kept_back(house: Warehouse, server: JudgeServer) -> None:
    fill(house, {"m": unclear(2)})
    assigned(house, server).run(Budget())
    reserve = cache_of(house.path, None) / "reserve"
    assert reserve.stat().st_size == RESERVE_BYTES
