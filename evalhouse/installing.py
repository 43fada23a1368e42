"""Installing a release in a warehouse that is not open yet."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from queries import install as installs
from queries import release as releases
from queries.results import refresh as keeping
from warehouse import connection


def found(path: Path, name_or_directory: str, *, wait: float) -> str | None:
    """The name of a release that is installed as it stands on disk; None: it is not."""
    with (
        closing(connection.open_for_reading(path, wait=wait)) as con,
        connection.errors_naming(path),
    ):
        name = installs.found_as(con, name_or_directory)
    return releases.default_name() if name == installs.LATEST else name


def install(path: Path, name_or_directory: str, *, wait: float, compute: bool = True) -> str:
    """Install a release where it is not there as it stands on disk; return its name.

    The file is opened for writing only then.

    Args:
        compute: whether with its results.

    Raises:
        UsageError: no such release or folder.
        EvalhouseError: the folder is not a release, or a view does not bind.
    """
    name = found(path, name_or_directory, wait=wait)
    if name is not None:
        return name
    release = releases.load(name_or_directory)
    there = connection.open_for_writing(path, wait=wait, then=installs.install_where_none_is)
    with closing(there) as con, connection.errors_naming(path):
        installs.install(con, release)
        if compute:
            keeping.refresh(con, release.name)
    return release.name
