"""`-- @engines both|duckdb` in the head of a view or macro: what it may then call, and what Spark has."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
from sqlglot import exp

from evalhouse import EvalhouseError, UsageError, Warehouse
from queries import lint
from queries import release as releases
from queries.heads import head
from queries.lint import parse_file
from queries.plan import plan
from queries.release import SqlFile
from queries.spark.translate import Source, translator
from queries.spark.user_query import Known, user_query
from queries.spark.views import SparkHouse

NEVER = {
    "random()": "not on the allow-list",
    "uuid()": "not on the allow-list",
    "now()": "not on the allow-list",
    "today()": "not on the allow-list",
    "current_date": "not on the allow-list",
    "current_timestamp": "not on the allow-list",
    "nextval('s')": "not on the allow-list",
    "getvariable('a')": "not on the allow-list",
    "current_setting('threads')": "not on the allow-list",
    "current_database()": "not on the allow-list",
    "getenv('HOME')": "not on the allow-list",
    "sleep_ms(1)": "not on the allow-list",
    # That of this moment, where it has one argument.
    "age(text)": "not on the allow-list",
    # That of this version.
    "hash(text)": "not on the allow-list",
    "version()": "not on the allow-list",
    # Of rows in any order.
    "any_value(text)": "not on the allow-list",
    "arg_max(text, 1)": "not on the allow-list",
    "string_agg(text, ',')": "not on the allow-list",
    "lag(text) OVER (ORDER BY text)": "not on the allow-list",
    "row_number() OVER (PARTITION BY text)": "without ORDER BY",
    "my_python(text)": "my_python is not on the allow-list",
    "upper(text) || my_python(upper(text))": "not on the allow-list",
    "list_filter([text], lambda x: x = text)": "has to end in _",
    "(SELECT * FROM read_text('/etc/passwd'))": "allow-list|table functions",
    "(SELECT run_id FROM lab.main.run)": "names a catalog",
    "(SELECT run_id FROM main.run USING SAMPLE 10%)": "sample is not deterministic",
    "(SELECT run_id FROM main.run LIMIT 1)": "leaves open which rows",
    "(SELECT DISTINCT ON (run_id) run_id FROM main.run)": "leaves open which rows",
    "(SELECT rowid FROM main.run)": "the engine's own",
}
"""What no file may call, whatever its head says."""
OF_DUCKDB = {
    "jaro_winkler_similarity(text, 'a')": "not on the allow-list",
    "strip_accents(text)": "not on the allow-list",
    "upper(text)": "not on the allow-list",
    "concat(text, 'a')": "not on the allow-list",
    "list_reduce([text], lambda x_, y_: x_ || md5(y_) || chr(1), '')": "not on the allow-list",
    "regexp_replace(text, 'a', 'b')": "replaces all on Spark",
    r"regexp_replace(text, '\Aa|b', 'c')": "replaces all on Spark",
    r"regexp_replace(text, 'a*\z', 'c')": "replaces all on Spark",
    "regexp_replace(text, 'a', 'b', 'gi')": "no options but 'g'",
    "regexp_matches(text, 'a', 'i')": "no options",
    "TRY_CAST(text AS INTEGER)": "another type than DOUBLE",
    "list_reduce([text], lambda x_, y_: x_ || y_)": "wants its first value",
    "text[1]": "differs between engines",
    "text[1:2]": "differs between engines",
    "text ILIKE 'a'": "differs between engines",
    "text GLOB 'a'": "differs between engines",
    "list(text ORDER BY text)": "is lost on Spark",
    "string_split(text, text)": "literal mark",
    "substr(text, 0, 2)": "counts from 1",
}
"""What a file may call whose head says `-- @engines duckdb`, and no other."""
OF_BOTH = (
    "TRY_CAST(text AS DOUBLE)",
    "trim(lower(text), '.')",
    "reverse(text)",
    "regexp_replace(text, '[0-9]+', 'b', 'g')",
    r"regexp_replace(text, '\s+\z', '')",
    "regexp_extract_all(text, '.')",
    "regexp_extract(text, '(.).', 1)",
    "levenshtein(text, 'a')",
    "list_distinct(list_concat([text], ['a']))",
    "list_reduce([text], lambda x_, y_: x_ || y_, '')",
)
"""What a macro may call whose head says so."""


def _file(call: str, engines: str | None, kind: str = "macro") -> SqlFile:
    text = (
        f"CREATE MACRO m(text) AS {call}" if kind == "macro" else f"SELECT {call} FROM main.choice"
    )
    declared = "" if engines is None else f"-- @engines {engines}\n"
    return SqlFile(kind, "m", "own", "", Path("m.sql"), f"-- Mine.\n{declared}{text}\n")


@pytest.mark.parametrize("engines", [None, "both", "duckdb"])
@pytest.mark.parametrize("call", NEVER)
def test_what_no_file_may_call(call: str, engines: str | None) -> None:
    for kind in ("macro", *(("view",) if engines != "both" else ())):
        with pytest.raises(EvalhouseError, match=NEVER[call]):
            parse_file(_file(call, engines, kind), frozenset())


@pytest.mark.parametrize("call", OF_DUCKDB)
def test_what_a_file_for_duckdb_alone_may_call(call: str) -> None:
    for kind in ("macro", "view"):
        parse_file(_file(call, "duckdb", kind), frozenset())
        with pytest.raises(EvalhouseError, match=r"m\.sql: "):
            parse_file(_file(call, None, kind), frozenset())
    with pytest.raises(EvalhouseError, match=OF_DUCKDB[call]):
        parse_file(_file(call, "both"), frozenset())


@pytest.mark.parametrize("call", OF_BOTH)
def test_what_a_macro_for_both_engines_may_call(call: str) -> None:
    parse_file(_file(call, "both"), frozenset())
    parse_file(_file(call, "duckdb"), frozenset())
    for kind in ("macro", "view"):
        with pytest.raises(EvalhouseError, match=r"allow-list|spell character classes"):
            parse_file(_file(call, None, kind), frozenset())


@pytest.mark.parametrize(
    ("engines", "kind"),
    [("both", "view"), ("spark", "macro"), ("", "macro"), ("duckdb,spark", "view")],
)
def test_engines_that_a_head_cannot_name(engines: str, kind: str) -> None:
    with pytest.raises(EvalhouseError, match=r"m\.sql: its head says @engines duckdb, or"):
        parse_file(_file("md5(text)", engines, kind), frozenset())


def test_all_that_is_translated_is_called_by_what_is_tested() -> None:
    """`test_spark_macros.py` calls each shipped macro for both engines on each."""
    called = {
        node.name.lower() if isinstance(node, exp.Anonymous) else type(node).__name__
        for name in releases.shipped_names()
        for file in releases.load(name).macros.values()
        if head(file).engines == "both"
        for node in parse_file(file, frozenset(releases.load(name).macros)).walk()
    }
    assert called >= (lint._TRANSLATED - lint._ALLOWED) | lint._TRANSLATED_NAMES


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A user's release: a macro for DuckDB alone, one that calls it, and views on either."""
    folder = tmp_path / "own"
    (folder / "macros").mkdir(parents=True)
    for name, text in {
        "release.toml": 'description = "Mine"\n',
        "macros/twice.sql": "CREATE MACRO twice(text) AS\nreplace(text, 'a', text)\n",
        "macros/mirror.sql": "-- @engines both\nCREATE MACRO mirror(text) AS\nreverse(twice(text))\n",
        "macros/plain.sql": "-- @engines duckdb\nCREATE MACRO plain(text) AS\nstrip_accents(text)\n",
        "macros/further.sql": "CREATE MACRO further(text) AS\nreplace(plain(text), 'a', 'b')\n",
        "translated.sql": "SELECT mirror(c.text) AS said FROM main.choice AS c\n",
        "direct.sql": "SELECT plain(c.text) AS said FROM main.choice AS c\n",
        "through.sql": "SELECT further(c.text) AS said FROM main.choice AS c\n",
        "first_mark.sql": "-- Mine.\n-- @engines duckdb\nSELECT c.text[1] AS said FROM main.choice AS c\n",
        "above.sql": "SELECT s.said FROM first_mark AS s\n",
    }.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def test_a_macro_for_both_engines_is_translated(own: Path) -> None:
    release = releases.load(str(own))
    made = {item.file.name: item.sql for item in plan(release)}
    body = "".join(made["mirror"].split()).partition("AS")[2]
    assert body.lower() == 'reverse("own".twice(text))'
    on_spark = translator(release).view("translated").sql.upper()
    assert on_spark.index("REVERSE") < on_spark.index("REPLACE")
    before = release.macros["mirror"].sha256
    (own / "macros/mirror.sql").write_text("CREATE MACRO mirror(text) AS\ntwice(text)\n", "utf-8")
    assert releases.load(str(own)).macros["mirror"].sha256 != before


@pytest.mark.parametrize(
    ("view", "named"),
    [
        ("direct", "macros/plain.sql"),
        ("through", "macros/plain.sql"),
        ("first_mark", "first_mark.sql"),
        # What it rests on is refused, when that is wanted.
        ("above", "first_mark.sql"),
    ],
)
def test_what_is_for_duckdb_alone_is_refused_on_spark(own: Path, view: str, named: str) -> None:
    release = releases.load(str(own))
    house = SparkHouse(cast("Any", None), own, cast("Any", None), {"own": release})
    with pytest.raises(EvalhouseError) as caught:
        house.ensure([Source("own", view)])
    refused = "first_mark" if view == "above" else view
    assert str(caught.value) == (
        f"{own / f'{refused}.sql'}: cannot be had on Spark, as {own / named} says `-- @engines duckdb`"
    )
    # All others can be said.
    assert "REVERSE" in house.translator("own").view("translated").sql


@pytest.mark.slow
def test_a_result_for_duckdb_alone_is_refused_on_spark(own: Path) -> None:
    """As a table, as a view of it, and as a step; and so is all that rests on it."""
    (own / "release.toml").write_text('builds_on = "paper_v1"\n', "utf-8")
    text = releases.load("paper_v1").views["pass_result"].text
    (own / "pass_result.sql").write_text(f"-- @engines duckdb\n{text}", "utf-8")
    house = SparkHouse(cast("Any", None), own, cast("Any", None), {"own": releases.load(str(own))})
    for schema, view in {
        "own": "pass_result",
        "own_internal": "pass_result",
        "own_steps": "pass_result",
    }.items():
        with pytest.raises(EvalhouseError, match=r"pass_result\.sql: cannot be had on Spark"):
            house.translator("own").query(Source(schema, view))
    with pytest.raises(EvalhouseError, match=r"pass_result\.sql: cannot be had on Spark"):
        house.ensure([Source("own", "leaderboard")])


def test_a_query_that_calls_what_is_for_duckdb_alone_is_refused_on_spark(own: Path) -> None:
    release = releases.load(str(own))
    known = Known({"own": release}, release, translator(release).macros, frozenset(("choice",)))
    assert user_query("SELECT mirror(c.text) FROM main.choice AS c", known).query.reads
    for call in ("plain", "own.further", "mirror(plain", "upper(plain"):
        query = f"SELECT {call}(c.text{')' * call.count('(')}) FROM main.choice AS c"
        with pytest.raises(UsageError, match=r"cannot be had on Spark, as .*plain\.sql says"):
            user_query(query, known)


@pytest.mark.slow
def test_what_is_for_duckdb_alone_is_there_on_duckdb(own: Path, house: Warehouse) -> None:
    (own / "release.toml").write_text('builds_on = "paper_v1"\n', "utf-8")
    house.install_release(str(own))
    for view in ("translated", "direct", "through", "first_mark", "above"):
        assert house.sql(f"SELECT said FROM {view}", release="own").columns == ["said"]
    assert house.sql("SELECT further('é a') AS said", release="own")["said"].item() == "e b"


@pytest.mark.parametrize("engine", ["duckdb", "spark"])
@pytest.mark.parametrize("place", ["macros/mine", "mine", "board/mine"])
def test_a_file_for_each_engine_is_no_longer_one(own: Path, place: str, engine: str) -> None:
    file = own / f"{place}.{engine}.sql"
    file.parent.mkdir(exist_ok=True)
    file.write_text("CREATE MACRO mine(text) AS\nreverse(text)\n", "utf-8")
    with pytest.raises(EvalhouseError) as caught:
        releases.load(str(own))
    kind = "macro" if "macros" in place else "view"
    assert str(caught.value).startswith(
        f"{file}: a {kind} has one file for all engines: write mine.sql, in DuckDB's SQL"
    )
    assert "`-- @engines duckdb`" in str(caught.value)


def test_a_file_of_another_engine(own: Path) -> None:
    (own / "macros/mirror.other.sql").write_text("CREATE MACRO mirror(text) AS text\n", "utf-8")
    with pytest.raises(EvalhouseError, match=r"mirror\.other\.sql: a file names its macro"):
        releases.load(str(own))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("reflect(text)", "the function .* is not on the allow-list"),
        ("reverse(text) FROM main.run", r"Expect|Invalid|has to be|one CREATE MACRO"),
        ("reverse(text); SELECT 1", "exactly one statement"),
    ],
)
def test_bodies_that_cannot_be(own: Path, body: str, words: str) -> None:
    text = f"-- @engines both\nCREATE MACRO mirror(text) AS\n{body}\n"
    (own / "macros/mirror.sql").write_text(text, "utf-8")
    with pytest.raises(EvalhouseError, match=rf"(?s)mirror\.sql: .*({words})"):
        plan(releases.load(str(own)))


def test_a_macro_with_engines_is_frozen(own: Path) -> None:
    releases.freeze(releases.load(str(own)))
    text = (own / "macros/mirror.sql").read_text("utf-8")
    (own / "macros/mirror.sql").write_text(
        text.replace("reverse(twice(text))", "reverse(text)"), "utf-8"
    )
    with pytest.raises(EvalhouseError, match=r"frozen, but macros/mirror\.sql changed"):
        releases.load(str(own))
