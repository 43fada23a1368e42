"""`warehouse/tables.toml` says of every table of facts what the engine does not enforce."""

import re
from collections.abc import Iterator

import duckdb
import pytest

from judge import entry
from judge.answer import Answer
from tests.conftest import ROOT
from warehouse import migrate, tables
from warehouse.benchmark import STRATEGIES_OF
from warehouse.check import run_checks
from warehouse.judgment import Judgment, columns, kinds_of

_WITHOUT_KEY = {
    "dataset_source",  # the same file in several roles
    "run_event",
    "judge_event",
    "published_score",  # the same model in several papers
    "schema_version",
    "warehouse_identity",
}
_OWN_CHECKS = {"prediction", "choice_score"}


@pytest.fixture
def con() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as con:
        migrate.create(con, migrate.available()[-1].version)
        yield con


def _facts() -> set[str]:
    return set(migrate.table_names())


def test_every_table_has_an_id_or_a_key() -> None:
    declared = tables.IDS.keys() | tables._DECLARED["keys"].keys() | _OWN_CHECKS
    assert declared <= _facts()
    assert _facts() - declared == _WITHOUT_KEY


def test_every_column_of_ids_refers_to_a_table(con: duckdb.DuckDBPyConnection) -> None:
    columns = {
        name
        for (name,) in con.execute(
            "SELECT column_name FROM duckdb_columns() WHERE NOT internal AND list_contains($1, table_name) "
            "AND ends_with(column_name, '_id')",
            [sorted(_facts())],
        ).fetchall()
    }
    assert columns <= tables.REFERENCES.keys()
    assert set(tables.REFERENCES.values()) == tables.IDS.keys()


@pytest.mark.parametrize(
    ("fact", "check", "example"),
    [
        (
            "INSERT INTO main.dataset_subset (subset_id, dataset_id, name) VALUES (1, 1, 'All')",
            "unknown_words",
            "place dataset_subset.name, word All",
        ),
        (
            "INSERT INTO main.run (run_id, method) VALUES (1, 'guess'), (2, 'guess')",
            "unknown_words",
            "place run.method, word guess",
        ),
        (
            "INSERT INTO main.published_score (ability_id) VALUES (0), (7)",
            "dangling_references",
            "table_name published_score, column_name ability_id, value 7",
        ),
        (
            "INSERT INTO main.model (model_id, name) VALUES (1, 'a'), (1, 'b')",
            "duplicate_ids",
            "table_name model, key 1, n 2",
        ),
        (
            "INSERT INTO main.answer (question_id, pass, label, superseded_by) "
            "VALUES (1, 0, 'A', NULL), (1, 0, 'B', NULL), (2, 0, 'A', NULL), (2, 0, 'B', 3)",
            "duplicate_keys",
            "table_name answer, key (1, 0), n 2",
        ),
    ],
)
def test_a_check_finds_what_the_table_says(
    con: duckdb.DuckDBPyConnection, fact: str, check: str, example: str
) -> None:
    table = fact.split()[2].removeprefix("main.")
    for name, is_nullable in con.execute(
        "SELECT column_name, is_nullable FROM duckdb_columns() WHERE table_name = $1", [table]
    ).fetchall():
        if not is_nullable:
            con.execute(f"ALTER TABLE main.{table} ALTER {name} DROP NOT NULL")
    con.execute(fact)
    (found,) = [one for one in run_checks(con) if one.check == check]
    assert found.examples == (example,)


def test_the_words_of_benchmarks_are_those_of_their_folders() -> None:
    tasks, strategies = (tables.WORDS[f"benchmark.{name}"] for name in ("task", "strategy"))
    assert set(tasks) == STRATEGIES_OF.keys()
    assert set(strategies) == {word for words in STRATEGIES_OF.values() for word in words}


_BY_STORE = {"judgment_id": "BIGINT", "judge_id": "INTEGER", "source_id": "INTEGER"}


def test_the_table_of_judgments_is_as_they_are_described(con: duckdb.DuckDBPyConnection) -> None:
    table = con.execute(
        "SELECT column_name, data_type FROM duckdb_columns() "
        "WHERE table_name = 'judgment' AND schema_name = 'main'"
    ).fetchall()
    assert dict(table) == _BY_STORE | {name: one.type for name, one in columns().items()}


def test_an_answer_has_the_fields_that_its_judgment_has() -> None:
    answer, judgment = kinds_of(Answer), kinds_of(Judgment)
    assert answer.keys() - judgment.keys() == {"request"}
    assert {name: judgment[name] for name in answer if name != "request"} == {
        name: kinds for name, kinds in answer.items() if name != "request"
    }


def test_the_docs_list_the_fields_of_a_cache_entry() -> None:
    docs = ROOT / "docs" / "judging.md"
    block = docs.read_text("utf-8").split("## The cache")[1].split("```")[1]
    listed = {
        part: set(re.findall(r"\w+", names))
        for part, names in re.findall(r'"(\w+)": \{([^{}]+)\}', block)
    }
    described = {part: set(fields) for part, fields in entry._FIELDS.items()}
    # A request has a version in addition, and only some have a language.
    assert described["request"] ^ listed["request"] == {"version", "language"}
    assert described | {"request": listed["request"]} == listed
