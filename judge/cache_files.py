"""Cache directories as things to carry about: merge, export, verify."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from judge import entry as entries
from judge.cache import Replies, is_void
from judge.cache import entries as read_entries
from judge.json_lines import json_lines, parsed
from warehouse.errors import InputError, UsageError
from warehouse.files import writing

_AT_A_TIME = 1_000
_SHOWN = 5


@dataclass
class Verified:
    """What a check found: how many entries, and the errors of those that are damaged.

    `void`: servers' errors that earlier versions kept as replies; their subjects are judged again.
    """

    replies: int = 0
    templates: int = 0
    void: int = 0
    problems: list[str] = field(default_factory=list)


@dataclass
class Merged:
    """What a merge did.

    `conflicts`: keys that both have, with another reply; ours stays. `void`: servers' errors that
    earlier versions kept as replies; they are left there.
    """

    new: int = 0
    known: int = 0
    void: int = 0
    conflicts: list[str] = field(default_factory=list)


def verify(directory: Path) -> Verified:
    """Recompute every key from its request, and look at every field. Nothing is written.

    Raises:
        CacheError: there is no cache, or it holds what is pickled; nothing is unpickled.
    """
    done = Verified()
    for key, entry in read_entries(directory):
        problem = entries.problem(key, entry)
        if problem is not None:
            done.problems.append(f"key {key}: {problem}")
        elif "template" in entry:
            done.templates += 1
        elif is_void(entry):
            done.void += 1
        else:
            done.replies += 1
    return done


def merge_into(directory: Path, source: Path) -> Merged:
    """Add the entries of another cache directory or of an exported file, after checking all.

    They are stored a thousand at a time, so that a process which is paid for replies meanwhile can
    store them too. What is killed on the way leaves the first of them; given again, it adds the
    others.

    Raises:
        CacheError: it is no cache, or holds what is pickled.
        InputError: an entry is broken; the message names it. Nothing is added.
    """
    if source.exists() and directory.exists() and source.samefile(directory):
        raise UsageError(f"{source}: is the cache itself")
    for row, (key, entry) in enumerate(_entries(source), start=1):
        problem = entries.problem(key, entry)
        if problem is not None:
            raise InputError(source, f"key {key}: {problem}", row=row)
    done = Merged()
    with closing(Replies(directory)) as replies:
        replies.prepare()
        waiting = _entries(source)
        while read := dict(islice(waiting, _AT_A_TIME)):
            chunk = {key: entry for key, entry in read.items() if not is_void(entry)}
            done.void += len(read) - len(chunk)
            here = replies.get(list(chunk))
            new = replies.put(chunk)
            done.new += len(new)
            done.known += len(chunk) - len(new)
            done.conflicts += [
                key
                for key, entry in here.items()
                if entry.get("response") != chunk[key].get("response")
            ]
    return done


def export(directory: Path, file: Path) -> int:
    """Write every entry as a JSON line of key and entry; return how many.

    Raises:
        CacheError: there is no cache, or it holds what is pickled.
        UsageError: the file cannot be written.
    """
    n = 0
    with writing.opened(file) as lines:
        for key, entry in read_entries(directory):
            line = json.dumps({"key": key, **entry}, ensure_ascii=False)
            lines.write(f"{line}\n".encode())
            n += 1
    return n


def summary(problems: list[str]) -> str:
    """The first few of a list, and how many more there are."""
    more = len(problems) - _SHOWN
    return "\n".join(problems[:_SHOWN] + ([f"… and {more:,} more"] if more > 0 else []))


def _entries(source: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    if source.is_dir():
        yield from read_entries(source)
        return
    for row, line in json_lines(source):
        entry = parsed(source, row, line)
        if not isinstance(entry, dict) or not isinstance(entry.get("key"), str):
            raise InputError(source, "is missing, or no text", row=row, field="key")
        yield entry.pop("key"), entry
