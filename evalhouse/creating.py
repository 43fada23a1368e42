"""A warehouse file that is new."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from evalhouse import blank
from evalhouse.placing import put, sibling
from warehouse import connection
from warehouse.errors import EvalhouseError


def create(path: Path) -> None:
    """Make the file with its views next to its place, then move it there: never half of one.

    Raises:
        EvalhouseError: its folder does not exist, or what is left of another warehouse is there.
    """
    if not path.parent.is_dir():
        raise EvalhouseError(f"{path}: the folder {path.parent} does not exist")
    refuse_left_log(path)
    with sibling(path, "new") as new:
        blank.put(new)
        # A file that another process made meanwhile stays.
        with suppress(FileExistsError):
            put(new, path)


def refuse_left_log(path: Path) -> None:
    """Refuse a place with the log of a warehouse that is gone.

    Raises:
        EvalhouseError: there is one.
    """
    log = connection.log_of(path)
    if log.exists() and not path.exists():
        raise EvalhouseError(
            f"{log}: is what a warehouse that is gone had not stored yet; a new one would take it for "
            "its own. Bring that warehouse back, or remove the file"
        )
