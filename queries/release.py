"""Releases on disk: named sets of views, one `.sql` file a view, that can build on one another.

A release is a folder with a `release.toml`, its views (`*.sql`, there or in folders of any name
below it; those in `papers` are tables and figures of the papers) and its macros (`macros/*.sql`).
Views that differ in their lists of columns alone can be declared in a folder's
`pivots.toml`, and are made from a template (`queries/sql_files.py`). A release holds only what differs from the
release that it builds on (`builds_on`) and from another's files that lie over those (`takes_from`).
Frozen, it has a `frozen.toml` with the hash of each statement, its own and those that it inherits, and
none of them may change again; comments, layout and folders may, and views of new names may be added.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path

from queries.sql_files import GROUPS as GROUPS
from queries.sql_files import NAME, files_of
from queries.sql_files import PAPERS as PAPERS
from queries.sql_files import SHIPPED as SHIPPED
from queries.sql_files import STUDIES as STUDIES
from queries.sql_files import SqlFile as SqlFile
from warehouse.errors import EvalhouseError, InputError, UsageError, shown
from warehouse.files import packaged, reading, writing

LATEST = "latest"
INTERNAL = "_internal"
"""How the schema of what nobody queries ends, behind the release's name."""
_FREEZE_FILE = "frozen.toml"
_STATEMENTS = "statements"
"""Its table of hashes; earlier ones had another, of the files' texts."""
_MOST_ABOVE = 20
_RESERVED = (
    "main", "latest", "temp", "system", "memory", "the_other", "information_schema", "pg_catalog", *GROUPS
)  # fmt: skip


@dataclass(frozen=True)
class Release:
    """A release with everything that it builds on resolved: each name once, its own files first.

    `replaced` has, by name, the view at the bottom of those that its files and those of the releases that
    it builds on replace.
    """

    name: str
    description: str
    builds_on: str | None
    is_default: bool
    directory: Path
    is_frozen: bool
    files: tuple[SqlFile, ...]
    replaced: Mapping[str, SqlFile] = field(default_factory=dict)

    @property
    def state(self) -> str:
        """draft or frozen."""
        return "frozen" if self.is_frozen else "draft"

    @cached_property
    def frozen(self) -> dict[str, str] | None:
        """The hashes of a frozen release's statements, by file; None for a draft. They are read when they are
        asked for: to look at a file takes none.

        Raises:
            EvalhouseError: there is no such table in its file.
        """
        return _frozen(self.directory) if self.is_frozen else None

    @property
    def own_files(self) -> tuple[SqlFile, ...]:
        """The files in this release's own folder."""
        return tuple(file for file in self.files if file.origin == self.name)

    @property
    def lasting_files(self) -> tuple[SqlFile, ...]:
        """The files that an installation has: all but the papers' tables and the studies that come
        with evalhouse."""
        return tuple(file for file in self.files if file.group is None)

    @property
    def paper_files(self) -> tuple[SqlFile, ...]:
        """The papers' tables and figures that come with evalhouse."""
        return self.files_of(PAPERS)

    def files_of(self, group: str) -> tuple[SqlFile, ...]:
        """The files of one of GROUPS."""
        return tuple(file for file in self.files if file.group == group)

    @cached_property
    def views(self) -> dict[str, SqlFile]:
        """The views by name."""
        return {file.name: file for file in self.files if file.kind == "view"}

    @cached_property
    def macros(self) -> dict[str, SqlFile]:
        """The macros by name."""
        return {file.name: file for file in self.files if file.kind == "macro"}


@cache
def shipped_names() -> tuple[str, ...]:
    """The releases that come with the package, the default one first. Their views are not read for it."""
    settings = {
        path.parent.name: reading.toml_table(path) for path in SHIPPED.glob("*/release.toml")
    }
    return tuple(
        sorted(settings, key=lambda name: (not settings[name].get("default", False), name))
    )


@dataclass(frozen=True)
class Brought:
    """The releases that installed packages bring; none takes a shipped one's name.

    Attributes:
        folders: by name, each with its package.
        left_out: by name, why one is left out.
        broken: the entry points without a folder.
    """

    folders: dict[str, tuple[Path, str]]
    left_out: dict[str, str]
    broken: tuple[str, ...]

    @property
    def problems(self) -> tuple[str, ...]:
        """All that is wrong."""
        return (*self.broken, *self.left_out.values())


@cache
def brought() -> Brought:
    """What the packages of this environment bring."""
    folders, problems = packaged.brought("evalhouse.releases", folders=True)
    found = {}
    left_out = {}
    for one in folders:
        try:
            if one.name != one.value.name:
                raise UsageError(f"a release is called as its folder, {one.value.name}")
            _read(one.value)
        except EvalhouseError as error:
            left_out[one.name] = f"{one.origin}: its release {shown(one.name)} is left out: {error}"
        else:
            found[one.name] = (one.value, one.origin)
    return Brought(found, left_out, problems)


def is_name(name: str) -> bool:
    """Whether a release can be called so: its schema's name, without quotes."""
    return (
        name not in _RESERVED and not name.endswith(INTERNAL) and NAME.fullmatch(name) is not None
    )


def default_name() -> str:
    """The release that the schema `latest` points at."""
    return shipped_names()[0]


def load(name_or_directory: str) -> Release:
    """A shipped release (latest is the default one) or one of an installed package by name, or a
    user's own by its folder.

    Raises:
        UsageError: no such release or folder.
        EvalhouseError: the folder is not a release, or a frozen statement of one that does not ship
            has changed.
    """
    if name_or_directory == LATEST:
        name_or_directory = default_name()
    if name_or_directory.isidentifier() and (SHIPPED / name_or_directory).is_dir():
        return _load(SHIPPED / name_or_directory)
    packages = brought()
    if name_or_directory in packages.folders:
        return _load(packages.folders[name_or_directory][0])
    # Not Path.is_dir, which raises for names that cannot exist.
    if os.path.isdir(name_or_directory):  # noqa: PTH112
        return _read(Path(name_or_directory).resolve())
    if name_or_directory in packages.left_out:
        raise UsageError(packages.left_out[name_or_directory])
    raise UsageError(
        f"no release {name_or_directory!r}: neither one of "
        f"{', '.join((*shipped_names(), *packages.folders))} nor a folder"
    )


@lru_cache
def _load(directory: Path) -> Release:
    return _read(directory)


def _read(directory: Path, above: tuple[str, ...] = ()) -> Release:
    settings_file = directory / "release.toml"
    if not os.path.lexists(settings_file):
        raise EvalhouseError(
            f"{directory}: not a release; it needs a release.toml with `description` and, to build "
            "on another, `builds_on`"
        )
    settings = reading.toml_table(settings_file, inside=directory)
    name = directory.name
    is_shipped = directory.parent == SHIPPED
    taken = not is_shipped and (SHIPPED / name).is_dir()
    if taken or not is_name(name):
        raise EvalhouseError(
            f"{directory}: a release's folder names its schema: lower-case letters, digits and _, and "
            f"not the name of one that is there already, nor with {INTERNAL} at its end; {name!r} cannot be"
        )
    own = files_of(directory, name)
    views: dict[str, SqlFile] = {}
    for file in own:
        if file.kind == "view" and views.setdefault(file.name, file) is not file:
            raise EvalhouseError(
                f"{directory}: the view {file.name} stands there twice: "
                f"{views[file.name].path.relative_to(directory)}, {file.path.relative_to(directory)}"
            )
    builds_on = settings.get("builds_on")
    taken_from = settings.get("takes_from")
    inherited: tuple[SqlFile, ...] = ()
    replaced: dict[str, SqlFile] = {}
    if taken_from is not None and builds_on is None:
        raise EvalhouseError(f"{settings_file}: takes_from is for a release with builds_on")
    if builds_on is not None:
        base = _base(settings_file, "builds_on", builds_on, above)
        below = {(file.kind, file.name): file for file in base.files}
        if taken_from is not None:
            other = _base(settings_file, "takes_from", taken_from, above)
            origins = {file.origin for file in base.files}
            below |= {(f.kind, f.name): f for f in other.files if f.origin not in origins}
            replaced |= other.replaced
        replaced |= base.replaced
        for file in own:
            old = below.pop((file.kind, file.name), None)
            if old is not None and old.kind == "view":
                replaced.setdefault(file.name, old)
        inherited = tuple(below.values())
    description = settings.get("description", "")
    if not isinstance(description, str):
        raise EvalhouseError(f"{settings_file}: description is a text")
    release = Release(
        name=name,
        description=description,
        builds_on=builds_on,
        # What `latest` means is not for a user's own release to say.
        is_default=is_shipped and bool(settings.get("default", False)),
        directory=directory,
        is_frozen=os.path.lexists(directory / _FREEZE_FILE),
        files=own + inherited,
        replaced=replaced,
    )
    # Hashing all that ships takes a third of a second: only who makes its views asks that.
    if not is_shipped:
        require_frozen(release)
    return release


def _base(settings_file: Path, key: str, wanted: object, above: tuple[str, ...]) -> Release:
    """The release that another names: shipped, of a package, or in the folder next to it.

    Raises:
        EvalhouseError: there is none, it goes back to the one that names it, or the chain is long.
    """
    directory = settings_file.parent
    if not isinstance(wanted, str) or wanted in (directory.name, *above):
        raise EvalhouseError(f"{settings_file}: {key} has to name another release")
    if not NAME.fullmatch(wanted):
        raise EvalhouseError(
            f"{settings_file}: {key} is the name of a release that is shipped, or of the folder next "
            f"to this one; {wanted!r} cannot be"
        )
    if len(above) >= _MOST_ABOVE:
        raise EvalhouseError(f"{settings_file}: is the {_MOST_ABOVE}th to build on another")
    sibling = directory.parent / wanted
    if directory.parent != SHIPPED and (sibling / "release.toml").exists():
        return _read(sibling, (*above, directory.name))
    return load(wanted)


def _frozen(directory: Path) -> dict[str, str]:
    """The hashes of a frozen release, by file."""
    path = directory / _FREEZE_FILE
    hashes = reading.toml_table(path, inside=directory).get(_STATEMENTS)
    if not isinstance(hashes, dict) or not all(isinstance(sha, str) for sha in hashes.values()):
        raise InputError(
            path,
            "has no table of hashes, each a text by its file's name; `evalhouse releases freeze` writes "
            "it, and without the file the release is a draft",
            field=_STATEMENTS,
        )
    return hashes


def changed_since_freeze(release: Release) -> list[str]:
    """List the files of a frozen release whose statement was changed or removed since; [] for a draft.

    A view of a new name may be added: it changes none that is there.
    """
    if release.frozen is None:
        return []
    now = {file.key: file.statement_sha256 for file in release.files}
    return sorted(key for key, sha256 in release.frozen.items() if now.get(key) != sha256)


def require_frozen(release: Release) -> None:
    """Raise an EvalhouseError if a frozen statement has changed."""
    changed = changed_since_freeze(release)
    if changed:
        raise EvalhouseError(
            f"release {release.name} is frozen, but {', '.join(changed)} changed: "
            "put the change into a new release"
        )


def freeze(release: Release) -> Path:
    """Record the hash of each statement in the release's folder; from now on none of them may change.

    Those of the releases it builds on are recorded too, since its views rest on them.

    Raises:
        EvalhouseError: it is frozen already.
    """
    if release.frozen is not None:
        raise EvalhouseError(f"release {release.name} is frozen already")
    lines = [
        "# Written by `evalhouse releases freeze`. A statement with a hash here never changes.",
        "",
    ]
    lines.append(f"[{_STATEMENTS}]")
    lines += [
        f'"{file.key}" = "{file.statement_sha256}"'
        for file in sorted(release.files, key=lambda file: file.key)
    ]
    target = release.directory / _FREEZE_FILE
    writing.write(target, "\n".join(lines) + "\n")
    _load.cache_clear()
    return target
