"""What installed packages bring by entry points: folders of benchmarks and releases, and formats.

    [project.entry-points."evalhouse.benchmarks"]
    sums = "my_package.benchmarks.sums"        # the folder my_package/benchmarks/sums

A folder is looked up and read as one of a user's is; nothing of its package runs. A format is code,
and its module is imported. What is broken is left out with a message that names the package, and
nothing else fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, EntryPoint, distributions
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from warehouse.errors import shown


@dataclass(frozen=True)
class Brought:
    """What a package brings; `origin` names the package and its version."""

    name: str
    origin: str
    value: Any


def brought(group: str, *, folders: bool) -> tuple[tuple[Brought, ...], tuple[str, ...]]:
    """The folders or modules of a group of entry points by name, and the errors of the others."""
    found: dict[str, Brought] = {}
    problems = []
    for origin, entry in _entries(group):
        try:
            value = _folder_of(entry.value) if folders else entry.load()
        except (Exception, SystemExit) as error:
            place = f"{entry.name} ({shown(entry.value)})"
            problems.append(f"{origin}: {place} cannot be loaded: {_said(error)}; left out")
            continue
        one = found.setdefault(entry.name, Brought(entry.name, origin, value))
        if one.value != value:
            problems.append(f"{origin}: {entry.name} is of {one.origin} already; left out")
    return tuple(found.values()), tuple(problems)


def _entries(group: str) -> Iterator[tuple[str, EntryPoint]]:
    """The entry points of a group with their package, in the order of names."""
    found: dict[tuple[str, str, str], tuple[str, EntryPoint]] = {}
    for package in distributions():
        try:
            of_group = package.entry_points.select(group=group)
        except Exception:
            continue  # what cannot be read as entry points at all is none of ours
        for entry in of_group:
            name = _name_of(package)
            found.setdefault((name, entry.name, entry.value), (name, entry))
    yield from (found[key] for key in sorted(found))


def _name_of(package: Distribution) -> str:
    try:
        return f"the package {shown(package.metadata['Name'])} {shown(package.version)}"
    except Exception:
        return f"a package at {package.locate_file('')}"


def _folder_of(value: str) -> Path:
    """The folder that a dotted name means. Finding a package's top folder imports nothing."""
    top, *below = value.split(".")
    if not all(part.isidentifier() for part in (top, *below)):
        raise ValueError("it is written package.folder")
    spec = find_spec(top)
    places = list((spec and spec.submodule_search_locations) or ())
    for place in places:
        folder = Path(place, *below)
        if folder.is_dir():
            return folder
    raise FileNotFoundError("there is no such folder" if places else f"there is no package {top}")


def _said(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return shown(f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__)
