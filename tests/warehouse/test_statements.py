"""SQL in files: all that is more than a line, and an error of the engine names the file and the line."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests.conftest import ROOT
from warehouse import connection, statements
from warehouse.errors import EvalhouseError

_WORDS = re.compile(
    r"\b(SELECT|FROM|WHERE|JOIN|INSERT|DELETE|UPDATE|CREATE|ALTER|WITH|COPY|CASE|AND|OR)\b"
)
_SQL = """-- Two queries.

-- name: cast_it
SELECT
    CAST('no number' AS INTEGER) AS a,
    {more}

-- name: bind_it
SELECT 1 AS b,
    no_such_column AS c
FROM range(3)

-- name: common
-- Under a head of its own.
SELECT
    no_such_name
FROM range(3)

-- name: again
SELECT
    'the line', -- that another one has too
    no_such_name
FROM range(3)
"""


@pytest.fixture
def sql(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setattr(statements, "_loaded", {})
    (tmp_path / "queries.sql").write_text(_SQL, "utf-8")
    return statements.of_module(str(tmp_path / "queries.py"))


@pytest.mark.parametrize(
    ("name", "line"), [("cast_it", 5), ("bind_it", 10), ("common", 16), ("again", 22)]
)
def test_an_error_names_file_and_line(sql: dict[str, str], name: str, line: int) -> None:
    with (
        duckdb.connect() as con,
        pytest.raises(EvalhouseError, match=rf"^w: .+ \(queries\.sql, line {line}\)$"),
        connection.errors_naming(Path("w")),
    ):
        con.execute(sql[name].format(more="2 AS filled")).fetchall()


def test_a_line_that_several_files_have_names_none(sql: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "others.sql").write_text(_SQL, "utf-8")
    statements.read(tmp_path / "others.sql")
    with duckdb.connect() as con, pytest.raises(duckdb.BinderException) as caught:
        con.execute(sql["bind_it"])
    assert statements.place_of(caught.value) is None


def test_an_error_of_other_sql_names_no_place(sql: dict[str, str]) -> None:
    with duckdb.connect() as con, pytest.raises(duckdb.BinderException) as caught:
        con.execute("SELECT a_users_own_column FROM range(4)")
    assert statements.place_of(caught.value) is None


def test_two_statements_of_one_name(tmp_path: Path) -> None:
    (tmp_path / "twice.sql").write_text("-- name: a\nSELECT 1\n-- name: a\nSELECT 2\n", "utf-8")
    with pytest.raises(ValueError, match="two statements named a"):
        statements.of_module(str(tmp_path / "twice.py"))


def test_sql_of_more_than_a_line_is_in_files() -> None:
    found = {
        str(path.relative_to(ROOT)): texts
        for package in ("evalhouse", "ingest", "judge", "local_models", "queries", "warehouse")
        for path in (ROOT / package).rglob("*.py")
        if (texts := [text for text in _of_several_lines(path) if _WORDS.search(text)])
    }
    # It recognises what a library has stored, and is a pattern.
    (pattern,) = found.pop("warehouse/files/json_cache.py")
    assert pattern.startswith(r"CREATE TRIGGER Settings_(count|size)_\w+ AFTER")
    assert found == {}


def _of_several_lines(path: Path) -> Iterator[str]:
    """The texts of a module over several of its lines, in one piece or in parts, except docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    statements_alone = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = node.values
        elif isinstance(node, ast.Constant) and node not in statements_alone:
            parts = [node]
        else:
            continue
        if node.end_lineno != node.lineno:
            yield "".join(str(one.value) for one in parts if isinstance(one, ast.Constant))
