"""The address of each page. A page is its kind and what it shows; an address holds all of that."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Protocol
from urllib.parse import urlencode

Shown = tuple[str, tuple[tuple[str, str], ...]]
"""A page: its kind, and the names and values of what it shows, in the order of the names."""

_PLAIN = re.compile(r"[^A-Za-z0-9.]+")
_LONGEST = 60


class Links(Protocol):
    """Where pages are."""

    @property
    def is_live(self) -> bool:
        """Whether a server answers: then pages have forms."""
        ...

    def to(self, kind: str, **shown: object) -> str | None:
        """The address of a page; None: there is no such page."""
        ...

    def file(self, name: str) -> str:
        """The address of a style sheet or script."""
        ...

    def picture(self, sha256: str) -> str | None:
        """The address of a picture; None: it is not kept."""
        ...


def shown_of(kind: str, shown: Mapping[str, object]) -> Shown:
    """A page by what it shows; what is None or empty is left out."""
    pairs = ((name, str(value)) for name, value in shown.items() if value not in (None, ""))
    return kind, tuple(sorted(pairs))


@dataclass(frozen=True)
class LiveLinks:
    """Those of a server; `pictures` are the hashes of what is kept, looked up one by one."""

    pictures: PictureKeeper
    is_live: bool = True

    def to(self, kind: str, **shown: object) -> str | None:
        """The address of a page: what it shows stands behind the question mark."""
        _, pairs = shown_of(kind, shown)
        path = "/" if kind == "index" else f"/{kind}"
        return f"{path}?{urlencode(pairs)}" if pairs else path

    def file(self, name: str) -> str:
        """The address of a style sheet or script."""
        return f"/static/{name}"

    def picture(self, sha256: str) -> str | None:
        """The address of a picture that is kept."""
        return f"/picture/{sha256}" if self.pictures.has(sha256) else None


class PictureKeeper(Protocol):
    """Where pictures are kept."""

    def has(self, sha256: str) -> bool:
        """Whether it is kept."""
        ...


@dataclass
class FileLinks:
    """Those of a report: pages that it has, by what they show, under names that stay the same.

    Attributes:
        files: the path of each page inside the report.
        here: the path of the page that is being written.
        pictures: the path of each picture inside the report, by its hash.
    """

    files: dict[Shown, str] = field(default_factory=dict)
    here: str = "index.html"
    pictures: dict[str, str] = field(default_factory=dict)
    is_live: bool = False

    def add(self, kind: str, name: str, /, suffix: str = "html", **shown: object) -> str:
        """Give a page its file; return the path."""
        path = "index.html" if kind == "index" else f"{kind}/{name}.{suffix}"
        self.files[shown_of(kind, shown)] = path
        return path

    def to(self, kind: str, **shown: object) -> str | None:
        """The address of a page from the one that is being written."""
        found = self.files.get(shown_of(kind, shown))
        return None if found is None else self._from_here(found)

    def file(self, name: str) -> str:
        """The address of a style sheet or script."""
        return self._from_here(f"static/{name}")

    def picture(self, sha256: str) -> str | None:
        """The address of a picture that is in the report."""
        found = self.pictures.get(sha256)
        return None if found is None else self._from_here(found)

    def _from_here(self, path: str) -> str:
        return f"{'../' * self.here.count('/')}{path}"


def file_name(*parts: str) -> str:
    """A name for a file that says what it is, is the same in every report, and no other's.

    What is no plain letter or digit becomes a hyphen; then a hash of the whole keeps names apart.
    """
    whole = "\0".join(parts)
    plain = "-".join(_PLAIN.sub("-", part).strip("-.") for part in parts).lower()
    is_plain = all(_PLAIN.search(part) is None and part == part.lower() for part in parts)
    if is_plain and 0 < len(plain) <= _LONGEST:
        return plain
    return f"{plain[:_LONGEST].strip('-.')}-{sha256(whole.encode()).hexdigest()[:8]}".lstrip("-")
