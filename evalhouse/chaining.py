"""A program that compares what another judge extracted: a judge whose identity names both."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from judge import program
from warehouse import connection, judges
from warehouse.errors import UsageError
from warehouse.judges import ANSWER_EXTRACTION

PROGRAM = "program"
"""The endpoint of a library."""


@dataclass(frozen=True)
class Extractor:
    """A judge whose extracted answers a program compares.

    Attributes:
        endpoint: of such a program; the judge's fingerprint in it makes it another judge, and views
            find the two by it.
        chain: what both are called together.
    """

    endpoint: str
    chain: str


def find(path: Path, name: str, *, wait: float) -> Extractor:
    """The judge of that name.

    Raises:
        UsageError: there is none, or it does not extract answers; the message names those that do.
    """
    with closing(connection.open_for_reading(path, wait=wait)) as con:
        there = judges.of_task(con, ANSWER_EXTRACTION)
        if name not in there:
            known = (
                f"there are {', '.join(there)}" if there else "`evalhouse judge --model` makes one"
            )
            raise UsageError(f"--extracted-by: no judge {name!r} extracts answers; {known}")
        _, found = judges.known(con, name)
    return Extractor(f"{PROGRAM}:{found.fingerprint}", f"{name} + {program.model()}")
