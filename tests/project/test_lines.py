"""Lines that fit on a screen, and words that a newcomer knows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.conftest import ROOT

_PACKAGES = ("bench", "evalhouse", "ingest", "judge", "local_models", "queries", "warehouse")
_CODE = {".py", ".sql", ".html", ".css", ".js", ".toml"}
_TOP = ("Makefile", ".ci/run", "pyproject.toml", "mkdocs.yml")
_FROZEN = ROOT / "queries/releases"
"""No line of a release changes any more; test_releases has a rule for these."""
_PRIVATE = re.compile(r"(?<![a-z])(told|beside|whoever|ails)(?![a-z])", re.IGNORECASE)


def _code(*folders: str) -> Iterator[Path]:
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in _CODE and _FROZEN not in path.parents:
                yield path
    yield from (ROOT / name for name in _TOP)


def _lines(paths: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """All lines, each after its place."""
    for path in paths:
        for number, line in enumerate(path.read_text("utf-8").split("\n"), 1):
            yield f"{path.relative_to(ROOT)}:{number}", line


def _most(place: str, line: str) -> int:
    return 100 if ".sql:" in place and line.lstrip().startswith("--") else 120


def test_no_line_is_over_120() -> None:
    """Comments of SQL are wrapped at 100; in characters, not in bytes."""
    lines = [*_lines(_code(*_PACKAGES, "docs", "tests"))]
    assert len(lines) > 50_000
    assert [place for place, line in lines if len(line) > _most(place, line)] == []


def test_no_word_is_private() -> None:
    """In code with its comments and messages, on pages and in docs."""
    docs = [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*.md"))]
    lines = [*_lines([*_code(*_PACKAGES), *docs])]
    assert len(lines) > 50_000
    assert [place for place, line in lines if _PRIVATE.search(line)] == []
