"""The table of formats in the docs is what the adapters say."""

from __future__ import annotations

from pathlib import Path

from evalhouse.cli_formats import as_markdown
from ingest.formats import ADAPTERS
from tests.commands import run
from tests.conftest import ROOT


def test_the_docs_have_the_table_of_the_adapters(tmp_path: Path) -> None:
    text = (ROOT / "docs/reading-results.md").read_text("utf-8")
    begin, end = "<!-- formats: `evalhouse formats --markdown` -->", "<!-- end of formats -->"
    assert (text.count(begin), text.count(end)) == (1, 1)
    table = text.partition(begin)[2].partition(end)[0].strip()
    assert table == as_markdown(), "write it anew with `evalhouse formats --markdown`"
    assert run("evalhouse", "formats", "--markdown", cwd=tmp_path).out.strip() == table
    assert table.count("\n") == 1 + len(ADAPTERS)


def test_every_format_is_listed_once(tmp_path: Path) -> None:
    first = [
        line.split()[0]
        for line in run("evalhouse", "formats", cwd=tmp_path).out.splitlines()
        if line.strip()
    ]
    names = [adapter.name for adapter in ADAPTERS]
    assert len(set(names)) == len(names)
    assert [name for name in first if name in names].count("vlmevalkit") == 1
    assert set(names) <= set(first)
