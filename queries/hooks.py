"""The views and macros of a release that are meant to be changed, and folders that change them.

A hook is declared in the head of its file (`-- @hook what it gets and must keep`). Anything else
can be replaced too, but is machinery, which a later version may arrange otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from queries import release as releases
from queries.heads import head
from queries.plan import PlannedObject, plan
from queries.release import Release
from warehouse.errors import UsageError
from warehouse.files import writing
from warehouse.later import pl

_FIRST_SENTENCE = re.compile(r"(?<=[.?]) (?=[A-Z])")


@dataclass(frozen=True)
class Hook:
    """A view or macro that is meant to be changed: its kind, name, meaning, and what it gets and
    must keep."""

    kind: str
    name: str
    comment: str
    keeps: str


def hooks(release: Release) -> tuple[Hook, ...]:
    """The hooks of a release, in the order in which one rests on the other."""
    found = []
    for item in plan(release):
        its_head = head(item.file)
        if its_head.hook is not None:
            found.append(Hook(item.file.kind, item.file.name, its_head.comment, its_head.hook))
    return tuple(found)


def frame(release: Release) -> pl.DataFrame:
    """The hooks as a table: hook, kind, meaning, what it gets and must keep."""
    rows = [
        (hook.name, hook.kind, _FIRST_SENTENCE.split(hook.comment)[0], hook.keeps)
        for hook in hooks(release)
    ]
    columns = ["hook", "kind", "what it is", "what it gets and must keep"]
    return pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row")


def warnings(release: Release) -> tuple[str, ...]:
    """What a user's release replaces that is no hook: file, line and which hooks would do
    instead."""
    if release.builds_on is None or release.name in releases.shipped_names():
        return ()
    below = _base(release)
    base = {(file.kind, file.name) for file in below.files}
    hooked = {(hook.kind, hook.name) for hook in hooks(below)}
    planned = plan(release)
    return tuple(
        f"{file.place}, line {_begin(file.text)}: {file.name} is machinery that a later evalhouse may "
        f"arrange otherwise; hooks that rest on it: {', '.join(_above(file.name, planned, hooked)) or 'none'}"
        for file in release.own_files
        if (file.kind, file.name) in base and (file.kind, file.name) not in hooked
    )


def new(folder: Path, names: Sequence[str], builds_on: str) -> tuple[Path, ...]:
    """Write a release that changes hooks: copies of their files, to be edited.

    Args:
        folder: new; its name is the release's.
        names: of hooks.
        builds_on: a shipped release.

    Returns:
        the files written.

    Raises:
        UsageError: no hook has that name, or the folder is there or cannot be a release.
    """
    own = folder.resolve().name
    if not releases.is_name(own) or own in releases.shipped_names():
        raise UsageError(
            f"{own!r} cannot be a release: small letters, digits and _, and no name that is taken"
        )
    if builds_on not in releases.shipped_names():
        raise UsageError(f"no shipped release {builds_on!r}: {', '.join(releases.shipped_names())}")
    base = releases.load(builds_on)
    known = {hook.name: hook.kind for hook in hooks(base)}
    for name in names:
        if name not in known:
            raise UsageError(f"no hook {name!r}: {', '.join(known)}")
    writing.require_room(folder, "a release")
    files = {(file.kind, file.name): file for file in base.files}
    made = []
    with writing.folder(folder, last="release.toml") as inside:
        for name in dict.fromkeys(names):
            file = files[known[name], name]
            place = Path("macros" if file.kind == "macro" else "", f"{name}.sql")
            writing.fill(inside / place, file.text)
            made.append(folder / place)
        writing.fill(inside / "release.toml", f'description = ""\nbuilds_on = "{builds_on}"\n')
    return (folder / "release.toml", *made)


def _begin(text: str) -> int:
    """The line in which the statement of a file begins, behind the comments of its head."""
    lines = text.splitlines()
    return next(n for n, line in enumerate(lines, 1) if line.strip() and not line.startswith("--"))


def _base(release: Release) -> Release:
    """What a user's release builds on."""
    assert release.builds_on is not None
    sibling = release.directory.parent / release.builds_on
    return releases.load(str(sibling) if sibling.is_dir() else release.builds_on)


def _above(name: str, planned: Sequence[PlannedObject], hooked: set[tuple[str, str]]) -> list[str]:
    """The nearest hooks that rest on a view or macro."""
    users: dict[str, list[PlannedObject]] = {}
    for item in planned:
        for below in item.depends_on:
            users.setdefault(below, []).append(item)
    found, seen, left = [], {name}, [name]
    while left:
        for item in users.get(left.pop(0), []):
            if item.file.name in seen:
                continue
            seen.add(item.file.name)
            if (item.file.kind, item.file.name) in hooked:
                found.append(item.file.name)
            else:
                left.append(item.file.name)
    return found
