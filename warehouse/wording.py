"""Numbers with their nouns, as messages say them."""

from __future__ import annotations


def counted(n: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun: `1 row`, `2 rows`, `1,000 rows`.

    Args:
        noun: of one.
        plural: of several or none; None: the noun with an s.
    """
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"
