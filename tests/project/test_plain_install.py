"""What a plain `pip install evalhouse` can do: nothing but an extra's own subject wants more."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import urllib.request
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from evalhouse import Warehouse
from tests.conftest import ROOT
from tests.tables import write_jsonl

_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
_OF_EXTRAS = {
    "accelerate", "gguf", "latex2sympy2_extended", "math_verify", "PIL", "pyspark", "sympy", "torch",
    "torchvision", "transformers",
}  # fmt: skip
"""What extras bring. Those who import it say which extra is wanted, or pass it over."""
_GUARD = """
import sys
refused = {names!r}
class Guard:
    def __init__(self, finder):
        self.finder = finder
    def __getattr__(self, name):
        return getattr(self.finder, name)
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in refused:
            return self.finder.find_spec(name, path, target)
sys.meta_path[:] = map(Guard, sys.meta_path)
from evalhouse.cli import main
main()
"""


@cache
def _brought(wanted: tuple[str, ...]) -> frozenset[str]:
    """The distributions that some requirements bring, with all that these require."""
    found: set[str] = set()
    left = list(wanted)
    while left:
        need = Requirement(left.pop())
        name = re.sub(r"[-_.]+", "-", need.name).lower()
        if name in found or (need.marker and not need.marker.evaluate({"extra": ""})):
            continue
        found.add(name)
        left += metadata.requires(need.name) or []
    return frozenset(found)


def _missing() -> set[str]:
    """Modules that are installed here, and would not be after a plain install."""
    plain = _brought(tuple(_PROJECT["dependencies"]))
    return {
        module
        for module, of in metadata.packages_distributions().items()
        if not {re.sub(r"[-_.]+", "-", name).lower() for name in of} & (plain | {"evalhouse"})
    }


def _imported(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {one.name.partition(".")[0] for one in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(str(node.module).partition(".")[0])
    return names


@pytest.mark.parametrize("package", ["evalhouse", "ingest", "judge", "queries", "warehouse"])
def test_what_is_imported_is_a_dependency(package: str) -> None:
    missing = _missing() - _OF_EXTRAS
    found = {
        (file.name, name)
        for file in (ROOT / package).rglob("*.py")
        for name in _imported(file) & missing
    }
    assert found == set()


@pytest.fixture
def guarded(tmp_path: Path) -> list[str]:
    """`evalhouse` in a process that has no module but those of a plain install."""
    house = Warehouse(tmp_path / "own.duckdb")
    rows = [{"question_key": "1", "question": "Which?", "A": "x", "B": "y", "answer": "B"}]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="Own")
    said = [{"question_key": "1", "model": "m", "prediction": "A"}]
    house.ingest(write_jsonl(tmp_path / "a.jsonl", said), benchmark="Own")
    names = _missing()
    assert {"pytest", "PIL"} <= names
    return [sys.executable, "-c", _GUARD.format(names=names)]


@pytest.mark.slow
@pytest.mark.parametrize("page", ["/", "/board?benchmark=Own", "/sql?q=SELECT+41+%2B+1+AS+n"])
def test_pages_are_served(guarded: list[str], tmp_path: Path, page: str) -> None:
    process = subprocess.Popen(
        [*guarded, "serve", "--db", "own.duckdb", "--port", "0"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        printed = process.stdout.readline()
        found = re.search(r"http://\S+", printed)
        assert found, process.communicate(timeout=30)
        with urllib.request.urlopen(found[0].rstrip("/") + page, timeout=60) as answer:
            assert answer.status == 200
            text = answer.read().decode()
        assert "Own" in text or "42" in text
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_a_report_is_written_and_thumbnails_say_what_they_want(
    guarded: list[str], tmp_path: Path
) -> None:
    def said(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*guarded, "report", "pages", "--db", "own.duckdb", *words],
            cwd=tmp_path, capture_output=True, text=True, timeout=120,
        )  # fmt: skip

    refused = said("--thumbnail", "64")
    assert refused.returncode == 2
    assert "pip install 'evalhouse[web]'" in refused.stderr
    done = said()
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "pages" / "index.html").is_file()
