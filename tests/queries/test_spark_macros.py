"""Macros whose heads say `-- @engines both` say the same of every text on DuckDB and on Spark."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from math import isnan
from pathlib import Path
from typing import Any

import duckdb
import pytest

from evalhouse import Warehouse
from evalhouse.transfer import export_parquet
from queries import release as releases
from queries import session
from queries.heads import head
from queries.release import SqlFile
from queries.spark import ask
from queries.spark.views import SparkHouse
from tests.trunk import two_models
from warehouse.files import writing

pytestmark = pytest.mark.spark

_TEXTS = (
    "", " ", "A", "b", "B.", "(C)", "The answer is B", "so it is 4.5.", "Answer: the cat; thus two dogs!", "a b\nc",
    "line one\n\nso it is 12\nthe final answer is (D).", "yes", "No, it isn't", "YES!", "noyes no", "ſ yeſ",
    "1", "-2", "+3.5", "1,234", "12,34", "1e3", "1_000", "0x10", "nan", "-inf", "Infinity", "٣", "३५", "１２", "½",
    "50%", "12.5 %", "%", "$1,000.50", "€ 3", "3.", ".5", "1.2.3", "--1", "1 2", "\\frac{1}{2}", "\\text{two} cm",
    "$x^2$", "\\boxed{7}", "ÄÖẞ", "ß", "İI", "ΑΣ.", "ŉ ǰ ﬀ", "ǅ", "Ⓐ Σ", "e\u0301té", "naïve café", "你好，世界。",
    "😀 ok", "1d", "2.5f", "3D ", "0x1p3", "1e5d", "1_0.5_5", "1__0", "_1", "1_", " 7 ", "\t8\n", "inf", "-Infinity",
    "+nan", " -NaN ", "'quoted'", '"quoted"', "it's", "don''t", "a-b_c/d", "\ttab\t", "\u00a0nbsp\u2003", "\u200bzero",
    "a.b.c", "3.14", "no. 5, and 6", "…", "[1, 2]", "{}", "a,b;c", "x = 3", "= 4 =", "A and B", "ab cd ef", "I can't",
    "the a an", "ten",
)  # fmt: skip
_PAIRS = (
    ("cat", "cat"), ("cat", "cart"), ("", "abc"), ("ab", ""), ("kitten", "sitting"), ("日本語", "日本"),
    ("é", "e\u0301"), ("A" * 30, "A" * 29 + "B"), ("😀a", "a😀"), ("flaw", "lawn"),
)  # fmt: skip
_LISTS = ((), ("",), ("a",), ("a", "a"), ("a", "b", "a", "ä"), ("2", "1", "2"))
_PATTERNS = ("(?s).*[(]([ABCD])[)]", "^([A-Z])[.]", "(?s)^(.*[^.])[.]*$", "([0-9]+)")
_REPLACED = (
    ("([0-9]+)", "<@1>"),
    (" +", "  "),
    ("([a-z])([A-Z.])?", "@2@1"),
    ("^ *(.*[^ ]|) *$", " @1 "),
    ("は|。", "-"),
)
_MARKED = (
    "ANSWER: B", "answer:\n**(C)** then", "Answer : $\\boxed{\\text{A}}$", "ANSWER: A or B", "(A, C)", "[D、 x]",
    "ANSWER: A\nANSWER: kettle", "AB", "B, not C", "D AND A", "ANSWER：C",
)  # fmt: skip
_WORDS = ("kitten", "sitting", "cats", "cart", "mitten")
_FLOATS = ("1.0", "0.5", "-0.0", "0.0", "'NaN'::DOUBLE", "1e300")


def _text(text: str | None) -> str:
    return "NULL::VARCHAR" if text is None else "'" + text.replace("'", "''") + "'"


def _list(texts: tuple[str, ...]) -> str:
    return f"[{', '.join(map(_text, texts))}]::VARCHAR[]"


def _calls(macro: str, parameters: tuple[str, ...]) -> list[tuple[str, ...]]:
    """What to call a macro with, as SQL; by the names of its parameters."""
    texts = [_text(text) for text in (*_TEXTS, None)]
    match parameters:
        case ("text" | "answer" | "line",):
            return [(text,) for text in texts]
        case ("items" | "texts",):
            return [(_list(each),) for each in _LISTS]
        case ("item", "items"):
            return [(_text("z"), _list(each)) for each in _LISTS]
        case ("one", "other") if macro == "is_same_float":
            return [(one, other) for one in _FLOATS for other in _FLOATS]
        case ("one", "other"):
            return [(_text(one), _text(other)) for one, other in _PAIRS]
        case ("text", "pattern"):
            return [(text, _text(pattern)) for text in texts for pattern in _PATTERNS]
        case ("text", "pattern", "new"):
            return [(text, _text(old), _text(new)) for text in texts for old, new in _REPLACED]
        case ("text", "forms"):
            return [(text, _list(("1¦a¦Ⓐ", "2¦the cat¦ⓒ", "3¦1¦"))) for text in texts]
        case ("word", "words"):
            return [
                (_text(one), _list(_WORDS)) for one in (*_WORDS, "kiten", "sittings", "Cats", "")
            ]
        case ("text", "part"):
            # It is in the text.
            return [(_text(f"{one}x{two}x{one}"), _text("x")) for one, two in _PAIRS]
        case ("text", "known", "mark"):
            return [(text, _text("abcAé你."), _text(mark)) for text in texts for mark in "~|"]
        case ("text", "kind"):
            return [(text, _text(kind)) for text in texts for kind in ("yes_no", "multiple_choice")]
        case ("text", "letters"):
            marked = map(_text, _MARKED)
            return [(text, _text("ABCD")) for text in (*texts, *marked)]
        case ("text", "marks"):
            return [(text, _text(marks)) for text in texts for marks in (".,!?;:", " ", "()")]
    raise AssertionError(f"{macro}{parameters}: what to call it with?")


def _parameters(macro: SqlFile) -> tuple[str, ...]:
    found = re.search(rf"CREATE MACRO {macro.name}\(([^)]*)\)", macro.text)
    assert found, macro.path
    return tuple(each.strip() for each in found[1].split(","))


@pytest.fixture(scope="module")
def engines(
    spark: Any, empty_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[duckdb.DuckDBPyConnection, SparkHouse]]:
    folder = tmp_path_factory.mktemp("macros")
    house: Warehouse = two_models(Path(shutil.copy(empty_file, folder / "macros.duckdb")))
    with house.reading(folders=[writing.place_of(folder / "export")]) as con:
        export_parquet(con, folder / "export")
    with house.reading() as con, ask.opened(folder / "export") as exported:
        yield con, exported


_RELEASES = {
    (file.name, file.sha256): (name, file)
    for name in reversed(releases.shipped_names())
    for file in releases.load(name).macros.values()
    if head(file).engines == "both"
}


@pytest.mark.parametrize(
    ("release", "macro"), [pytest.param(*each, id=f"{each[1].name}-{each[0]}") for each in _RELEASES.values()]
)  # fmt: skip
def test_both_engines_agree(
    engines: tuple[duckdb.DuckDBPyConnection, SparkHouse], release: str, macro: SqlFile
) -> None:
    con, spark = engines
    session.use_release(con, release)
    parameters = _parameters(macro)
    calls = _calls(macro.name, parameters)
    rows = ", ".join(f"({n}, {', '.join(call)})" for n, call in enumerate(calls))
    query = (
        f"SELECT n, {macro.name}({', '.join(f'v.{each}_' for each in parameters)}) AS said "
        f"FROM (VALUES {rows}) AS v(n, {', '.join(f'{each}_' for each in parameters)}) ORDER BY n"
    )
    wanted = con.execute(query).fetchall()
    found = ask.run_user_sql(spark, query, release=release).rows()
    assert len(wanted) == len(calls)
    assert len({repr(said) for _, said in wanted}) > 1, "these calls tell nothing"
    for call, here, there in zip(calls, wanted, found, strict=True):
        assert _comparable(here[1]) == _comparable(there[1]), call


def _comparable(value: object) -> object:
    """Lists in any order: that of distinct texts is each engine's own."""
    if isinstance(value, float) and isnan(value):
        return "nan"
    return sorted(map(repr, value)) if isinstance(value, list) else value
