"""docs/security.md names tests: each is there, and each holds what the page says it does."""

from __future__ import annotations

import ast
import re

import pytest

from tests.conftest import ROOT

_PAGE = (ROOT / "docs/security.md").read_text(encoding="utf-8")
_NAMED = sorted(set(re.findall(r"`(tests/\w+/\w+\.py)(?:::(\w+))?`", _PAGE)))


def test_every_promise_names_a_test() -> None:
    rows = [line for line in _PAGE.split("## Figures")[0].splitlines() if line[:2] == "| "]
    promises = [row for row in rows if not row.startswith("| promise ")]
    assert len(promises) > 20
    assert [row for row in promises if "`tests/" not in row] == []


@pytest.mark.parametrize(("file", "test"), _NAMED)
def test_the_tests_are_there(file: str, test: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    tests = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert test in tests if test else any(name.startswith("test_") for name in tests)
