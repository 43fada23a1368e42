"""The page of words names what there is."""

from __future__ import annotations

import re

from tests.conftest import ROOT

_PAGE = ROOT / "docs/glossary.md"
_ROWS = re.findall(r"^\| ([a-z][^|]*) \|", _PAGE.read_text("utf-8"), re.MULTILINE)[1:]
_TERMS = [term.strip() for row in _ROWS for term in row.split(",")]


def test_each_word_is_used() -> None:
    """In code, views or another page."""
    places = [("docs", "*.md")] + [
        (package, kind)
        for package in ("evalhouse", "ingest", "judge", "queries", "warehouse")
        for kind in ("*.py", "*.sql", "*.toml")
    ]
    said = "\n".join(
        path.read_text(encoding="utf-8").lower()
        for package, kind in places
        for path in (ROOT / package).rglob(kind)
        if path != _PAGE
    )
    assert len(_TERMS) > 40
    assert [term for term in _TERMS if not re.search(rf"\b{re.escape(term)}", said)] == []


def test_the_words_stand_in_order_and_once() -> None:
    firsts = [row.split(",")[0] for row in _ROWS]
    assert firsts == sorted(firsts)
    assert len(set(_TERMS)) == len(_TERMS)
