"""Which packages may import which, no circles, and no file that cannot be read in one sitting."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter

import pytest

from tests.conftest import ROOT

_MAY_IMPORT = {
    "warehouse": set(),
    "ingest": {"warehouse"},
    "judge": {"warehouse"},
    "local_models": {"warehouse"},
    "queries": {"warehouse"},
    "evalhouse": {"warehouse", "ingest", "judge", "local_models", "queries"},
}


@cache
def _modules() -> dict[str, ast.Module]:
    found = {}
    for package in _MAY_IMPORT:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = ast.parse(path.read_text("utf-8"), str(path))
    assert len(found) > 300
    return found


def _run(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of what runs, in functions too: not what type checkers alone read."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for other in node.orelse:
                yield other
                yield from _run(other)
            continue
        yield node
        yield from _run(node)


@cache
def _imports() -> dict[str, set[str]]:
    """The modules of ours that each imports."""
    known = _modules()
    found: dict[str, set[str]] = {}
    for name, tree in known.items():
        found[name] = set()
        for node in _run(tree):
            if isinstance(node, ast.Import):
                named = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{name}: a relative import"
                inner = [f"{node.module}.{alias.name}" for alias in node.names]
                named = [each if each in known else str(node.module) for each in inner]
            else:
                continue
            found[name] |= {each for each in named if each in known} - {name}
    return found


@pytest.mark.parametrize("package", _MAY_IMPORT)
def test_a_package_imports_those_below_it(package: str) -> None:
    allowed = {package, *_MAY_IMPORT[package]}
    wrong = [
        f"{name} imports {other}"
        for name, imported in _imports().items()
        for other in sorted(imported)
        if name.partition(".")[0] == package and other.partition(".")[0] not in allowed
    ]
    assert wrong == []


def test_there_is_no_circle() -> None:
    TopologicalSorter(_imports()).prepare()


def test_no_file_has_over_800_lines() -> None:
    long = [
        str(path.relative_to(ROOT))
        for package in _MAY_IMPORT
        for path in sorted((ROOT / package).rglob("*.py"))
        if path.read_text("utf-8").count("\n") > 800
    ]
    assert long == []


def test_tests_lie_as_the_packages_do() -> None:
    """Next to each other: what tests share, and folders of tests."""
    folders = {"benchmarks", "docs", "project"}.union(_MAY_IMPORT) - {"local_models"}
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    assert len(files) > 150
    assert {path.parent.relative_to(ROOT / "tests").as_posix() for path in files} == folders


def test_one_function_writes_results() -> None:
    """Results lie in a schema that code names by a placeholder; nothing but `_store` adds rows there."""
    added = re.compile(r"INSERT\s+INTO\s+(\{target\}|\S*internal\S*\.\S+)", re.IGNORECASE)
    found = {
        (path.relative_to(ROOT).as_posix(), target)
        for package in _MAY_IMPORT
        for ending in ("py", "sql")
        for path in (ROOT / package).rglob(f"*.{ending}")
        for target in added.findall(path.read_text("utf-8"))
    }
    place = "queries/results/refresh"
    assert found == {
        ("queries/results/compute.sql", "{internal}.definition"),
        (f"{place}.py", "{target}"),
        (f"{place}.py", "{both['internal']}.computed_judging"),
        (f"{place}.sql", "{internal}.judge_set"),
        (f"{place}.sql", "{internal}.computed_run"),
    }
    functions = [
        node.name
        for node in ast.walk(_modules()["queries.results.refresh"])
        if isinstance(node, ast.FunctionDef) and "INSERT INTO {target}" in ast.unparse(node)
    ]
    assert functions == ["_store"]
