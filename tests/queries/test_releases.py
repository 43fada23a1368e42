"""Releases: overlays, installation, freezing, lint, comparison."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from evalhouse import EvalhouseError, UsageError, Warehouse
from queries import compare, install, sql_files
from queries import plan as planning
from queries import release as releases
from queries.heads import head
from queries.lint import parse_file
from queries.paper_entry import entries
from queries.plan import plan
from queries.release import SHIPPED, SqlFile
from tests.oracle import Ask
from tests.tables import question_rows, write_jsonl
from warehouse.errors import InputError

DECLARED = [
    file for file in releases.load("paper_v1").own_files if file.path.name == sql_files.FILE
]


def test_what_ships() -> None:
    assert releases.shipped_names() == (
        "field_v2",
        "evalscope_1_14",
        "field_v1",
        "lmms_eval",
        "paper_v1",
        "vlmevalkit_0_0_20",
        "vlmevalkit_e8e78f0",
        "vlmevalkit_field_e8e78f0",
    )
    assert releases.default_name() == "field_v2"


@pytest.mark.parametrize("name", releases.shipped_names())
def test_a_frozen_file_never_changes(name: str) -> None:
    """Nothing is made of a frozen release that differs from its hashes; a draft has none."""
    release = releases.load(name)
    assert releases.changed_since_freeze(release) == []
    if release.frozen is not None:
        changed = replace(release)
        vars(changed)["frozen"] = {**release.frozen, "score.sql": "0" * 64}
        with pytest.raises(
            EvalhouseError, match=rf"release {name} is frozen, but score\.sql changed"
        ):
            plan(changed)
    assert release.state == ("frozen" if (release.directory / "frozen.toml").exists() else "draft")


@pytest.mark.slow
@pytest.mark.parametrize("name", releases.shipped_names())
def test_every_shipped_file_passes_the_lint_and_stands_after_what_it_uses(name: str) -> None:
    release = releases.load(name)
    for file in release.files:
        parse_file(file, frozenset(release.macros))
    planned = plan(release)
    assert {item.file.name for item in planned} == {file.name for file in release.files}
    seen: set[str] = set()
    for item in planned:
        assert set(item.depends_on) <= seen
        seen.add(item.file.name)
    assert {
        "choice_match",
        "pass_result",
        "question_result",
        "ability_score",
        "leaderboard",
        "verdict",
        "judge_todo",
    } <= set(release.views)


def test_schemas_are_put_into_a_text_that_stays_as_it_was(tmp_path: Path) -> None:
    text = (
        "SELECT a.run_id, fold(a.text), 'FROM score' AS said, coalesce(b.day) -- FROM x\n"
        'FROM pass_result AS a, "question_result" AS b CROSS JOIN main.run AS r\n'
        "INNER JOIN (WITH best AS (SELECT run_id FROM score) SELECT * FROM best) AS c USING (run_id) -- x\n"
    )
    file = SqlFile("view", "own", "own", "", tmp_path / "own.sql", text)
    item, with_names = planning._qualified(file, frozenset({"fold"}))
    assert item.depends_on == ("fold", "pass_result", "question_result", "score")
    assert with_names == {"best"}
    put = f'"{planning._SCHEMA}".'
    assert item.sql.split(put) == [
        *re.split(r'(?=fold\(|pass_result|"question_result"|score\))', text)
    ]


def test_lines_of_sql_can_be_read() -> None:
    """Comments are wrapped at 100; a line is over 120 only for a literal, which cannot be wrapped."""
    texts = {str(path): path.read_text("utf-8") for path in SHIPPED.parent.rglob("*.sql")}
    made = {file.place: file.text for file in DECLARED}
    for name, text in [*texts.items(), *made.items()]:
        # A template's comments are wrapped where they are made.
        most_of_comment = 120 if name.endswith(sql_files.TEMPLATE) else 100
        for number, line in enumerate(text.splitlines(), 1):
            most = most_of_comment if line.startswith("--") else 120
            is_literal = line.startswith("§") or re.search(r"'[^']{40,}'", line)
            assert len(line) <= most or is_literal, f"{name}, line {number}"


def test_a_star_leaves_out_one_column_at_most() -> None:
    """DuckDB writes several in an order of its own, by which `check` takes a view for another one."""
    for path in SHIPPED.rglob("*.sql"):
        assert not re.search(r"EXCLUDE \([^)]*,", path.read_text("utf-8")), path


def test_an_overlay_holds_only_what_differs() -> None:
    base, overlay = releases.load("vlmevalkit_0_0_20"), releases.load("vlmevalkit_e8e78f0")
    assert [file.name for file in overlay.own_files] == ["label_match"]
    assert list(compare.compare_sql(base, overlay)) == ["label_match.sql"]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A user's release: over paper_v1, it takes option texts that are the whole answer."""
    folder = tmp_path / "lenient"
    folder.mkdir()
    (folder / "release.toml").write_text(
        'description = "Also the bare text of a choice."\nbuilds_on = "paper_v1"\n'
    )
    text = releases.load("paper_v1").views["choice_match"].text
    changes = {
        "THEN m.matched": "THEN coalesce(m.matched, c.label)",
        "WHEN w.run_id IS NULL THEN m.state": "WHEN c.label IS NOT NULL THEN 'matched' ELSE m.state",
        "        ELSE w.state\n": "",
        "WHERE r.task": "LEFT JOIN main.choice AS c\n"
        "    ON p.question_id = c.question_id AND p.pass = c.pass AND p.text = c.text\nWHERE r.task",
    }
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "choice_match.sql").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def said(house: Warehouse, tmp_path: Path) -> Warehouse:
    question = Ask("1", {0: {"A": "cat", "B": "dog"}}, {0: "B"})
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows([question])), benchmark="Own")
    rows = [
        {"model": model, "question_key": "1", "prediction": text}
        for model, text in (("bare", "dog"), ("letter", "B"), ("wrong", "A"))
    ]
    house.ingest(write_jsonl(tmp_path / "said.jsonl", rows), benchmark="Own")
    return house


def scores(house: Warehouse, release: str) -> dict[str, float]:
    name = house.install_release(release)
    rows = house.sql(
        "SELECT model, score FROM leaderboard WHERE strategy = 'circular' AND level = 'overall'",
        release=name,
    )
    return dict(rows.iter_rows())


@pytest.mark.slow
def test_a_release_of_ones_own(said: Warehouse, own: Path) -> None:
    assert scores(said, "paper_v1") == {"bare": 0, "letter": 1, "wrong": 0}
    assert scores(said, str(own)) == {"bare": 1, "letter": 1, "wrong": 0}
    (board,) = said.leaderboard("Own", release=str(own))
    assert (board.release, board.lines[0].cells[0].score) == ("lenient", 1)  # type: ignore[union-attr]
    # A changed file is another release: computed in the connection, and installed again on request.
    text = (own / "choice_match.sql").read_text(encoding="utf-8")
    (own / "choice_match.sql").write_text(text.replace("coalesce(m.matched, c.label)", "m.matched"))
    assert scores(said, str(own))["bare"] == 0


@pytest.mark.slow
def test_an_override_has_its_own_columns_and_texts(said: Warehouse, own: Path) -> None:
    """What results have of the shipped view is not shown in the place of a user's."""
    path = own / "choice_match.sql"
    before = path.read_text(encoding="utf-8")
    query = "SELECT model, prediction, matched FROM choice_match ORDER BY model"
    assert before.count("p.text AS prediction") == 1
    path.write_text(before.replace("p.text AS prediction", "p.text || '!' AS prediction"), "utf-8")
    name = said.install_release(str(own))
    assert said.sql(query, release=name).rows() == [
        ("bare", "dog!", "B"), ("letter", "B!", "B"), ("wrong", "A!", "A"),
    ]  # fmt: skip
    path.write_text(
        before.replace("p.text AS prediction", "p.text AS prediction, 7 AS more"), "utf-8"
    )
    said.install_release(str(own))
    assert said.sql("SELECT DISTINCT more FROM choice_match", release=name).item() == 7
    assert [row[1] for row in said.sql(query, release=name).iter_rows()] == ["dog", "B", "A"]


def test_where_rows_are_stored_is_for_no_user_to_say(said: Warehouse, own: Path) -> None:
    """What stands behind it is no SQL that was looked at."""
    (own / "mine.sql").write_text(
        "-- Mine.\n-- @stored_in pass_result TRUE; CREATE TABLE main.made AS SELECT 1 AS x; SELECT 1\n"
        "SELECT run_id, question_id FROM pass_result"
    )
    name = said.install_release(str(own))
    assert said.sql("SELECT count(*) FROM mine", release=name).item() == 3
    with said.reading() as con:
        assert (
            con.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'made'").fetchall() == []
        )
    shipped = releases.load("field_v2").views["answer_match"]
    changed = replace(shipped, text=shipped.text.replace("task = 'rule'", "score = 0"))
    assert changed.statement_sha256 != shipped.statement_sha256


def test_tables_of_the_papers_are_views_as_any_other(said: Warehouse, own: Path) -> None:
    papers = own / "papers"
    papers.mkdir()
    (papers / "own_t1.sql").write_text("SELECT model, score FROM leaderboard")
    release = releases.load(str(own))
    assert release.views["own_t1"].is_of_papers
    name = said.install_release(str(own))
    assert said.sql("SELECT count(*) FROM own_t1", release=name).item() > 0
    releases.freeze(release)
    (papers / "own_t1.sql").write_text("SELECT model FROM leaderboard")
    with pytest.raises(EvalhouseError, match=r"frozen, but own_t1\.sql changed"):
        releases.load(str(own))
    (own / "own_t1.sql").write_text("SELECT model FROM leaderboard")
    with pytest.raises(
        EvalhouseError, match=r"own_t1 stands there twice: own_t1\.sql, papers/own_t1\.sql"
    ):
        releases.load(str(own))


@pytest.mark.slow
def test_the_difference_on_a_warehouse(said: Warehouse, own: Path) -> None:
    said.install_release(str(own))
    with said.reading() as con:
        found = compare.compare(con, releases.load("paper_v1"), releases.load(str(own)))
    assert list(found.changed) == ["choice_match.sql"]
    assert "+" in found.changed["choice_match.sql"]
    assert found.flips.select("model", "change", "verdicts", "points").rows() == [
        ("bare", "- unresolved → B rule", 1, 1.0)
    ]
    assert found.examples.select("prediction", "before", "after").rows() == [("dog", None, "B")]
    moved = {
        row[0]: row[1:]
        for row in found.ranks.select(
            "model", "before", "after", "rank_before", "rank_after"
        ).iter_rows()
    }
    assert moved == {"bare": (0, 1, 2, 1), "wrong": (0, 0, 2, 3)}


def test_a_view_that_does_not_bind_changes_nothing(said: Warehouse, own: Path) -> None:
    (own / "choice_match.sql").write_text("SELECT nothing FROM main.prediction")
    before = said.sql("SELECT count(*) FROM main.release_object").item()
    with pytest.raises(EvalhouseError, match=r"choice_match\.sql.*nothing"):
        said.install_release(str(own))
    assert said.sql("SELECT count(*) FROM main.release_object").item() == before


def test_freezing(own: Path) -> None:
    releases.freeze(releases.load(str(own)))
    frozen = releases.load(str(own))
    assert frozen.state == "frozen"
    with pytest.raises(EvalhouseError, match="frozen already"):
        releases.freeze(frozen)
    path = own / "choice_match.sql"
    text = path.read_text("utf-8")
    folder = own / "anywhere"
    folder.mkdir()
    path.rename(folder / "choice_match.sql")
    (folder / "choice_match.sql").write_text(f"-- A remark.\n\n{text}  \n", "utf-8")
    assert releases.load(str(own)).state == "frozen"
    (folder / "choice_match.sql").write_text(text.replace("m.matched", "m.unmatched"), "utf-8")
    with pytest.raises(EvalhouseError, match=r"frozen, but choice_match\.sql changed"):
        releases.load(str(own))


STATEMENT = """SELECT 'it''s  B' AS said, "Two  words", x>=1.5 FROM main.run -- the end"""


@pytest.mark.parametrize(
    ("text", "is_same"),
    [
        ("-- A head's word.\nselect 'it''s  B' as said,\n\n \"Two  words\", x >= 1.5\nfrom main.run;\n", True),
        (STATEMENT.replace("'it''s  B'", "'it''s B'"), False),
        (STATEMENT.replace("'it''s  B'", "'it''s  b'"), False),
        (STATEMENT.replace("Two  words", "Two words"), False),
        (STATEMENT.replace("-- the end", "WHERE run_id > 1"), False),
        (STATEMENT.replace("-- the end", "-- WHERE run_id > 1"), True),
        (STATEMENT.replace(">=", ">"), False),
        # Of texts that are quoted otherwise every character counts.
        (STATEMENT.replace("x>=1.5", "$$a  b$$"), False),
    ],
)  # fmt: skip
def test_what_freezing_hashes(tmp_path: Path, text: str, is_same: bool) -> None:
    def hash_of(text: str) -> str:
        return SqlFile("view", "one", "own", "", tmp_path, text).statement_sha256

    assert (hash_of(text) == hash_of(STATEMENT)) == is_same
    for quoted in ("$$a  b$$", "E'it\\'s  B'", "$x$ -- $x$", "1 /* ' */"):
        changed = quoted.replace("  ", " ").replace("--", "- -").replace("/* '", "/*  '")
        assert hash_of(f"SELECT {quoted}") != hash_of(f"SELECT {changed}")


def test_a_view_may_be_added_to_a_frozen_release_but_not_in_place_of_another(own: Path) -> None:
    releases.freeze(releases.load(str(own)))
    (own / "mine.sql").write_text("SELECT run_id FROM current_run")
    assert "mine" in releases.load(str(own)).views
    (own / "leaderboard.sql").write_text("SELECT run_id FROM current_run")
    with pytest.raises(EvalhouseError, match=r"frozen, but leaderboard\.sql changed"):
        releases.load(str(own))


def test_the_shipped_releases_are_frozen() -> None:
    assert {releases.load(name).state for name in releases.shipped_names()} == {"frozen"}


def test_freezing_records_what_it_builds_on(own: Path, tmp_path: Path) -> None:
    base = tmp_path / "base"
    shutil.copytree(SHIPPED / "paper_v1", base)
    (own / "release.toml").write_text('description = ""\nbuilds_on = "base"\n')
    releases.freeze(releases.load(str(own)))
    (base / "board" / "leaderboard.sql").write_text("SELECT 1 AS one FROM current_run")
    with pytest.raises(EvalhouseError, match=r"leaderboard\.sql changed"):
        releases.load(str(own))


@pytest.mark.slow
def test_views_that_differ_from_the_shipped_ones_are_named(house: Warehouse) -> None:
    house.install_release("paper_v1")
    there = ("field_v2", "paper_v1")
    with house.writing() as con:
        con.execute("UPDATE main.release_object SET sha256 = 'x' WHERE name = 'verdict'")
    notes: list[str] = []
    Warehouse(house.path, warn=notes.append).sql("SELECT 1")
    assert len(notes) == 1
    assert f"{', '.join(there)}: not as they come" in notes[0]
    assert "(verdict)" in notes[0]
    assert "evalhouse releases install" in notes[0]
    with house.writing() as con:
        assert install.bring_up_to_date(con) == there
        assert install.bring_up_to_date(con) == ()
    notes.clear()
    Warehouse(house.path, warn=notes.append).sql("SELECT 1")
    assert notes == []


def test_latest_is_the_default_release(house: Warehouse) -> None:
    with house.reading() as con:
        rows = con.execute(
            "SELECT view_name, sql FROM duckdb_views() WHERE schema_name = 'latest'"
        ).fetchall()
    release = releases.load("field_v2")
    lasting = {file.name for file in release.lasting_files if file.kind == "view"}
    internal = lasting & {item.file.name for item in plan(release) if item.is_internal}
    assert 35 < len(internal) < 75
    assert {name for name, _ in rows} == lasting - internal
    # They are in a schema next to the release's own, where queries find them.
    assert house.sql("SELECT count(*) AS n FROM half_line")["n"].item() > 10
    assert all(f"FROM field_v2.{name}" in sql for name, sql in rows)


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("DELETE FROM main.run", "a SELECT and nothing else"),
        ("SELECT 1; SELECT 2", "exactly one statement"),
        ("CREATE TABLE x AS SELECT 1", "a SELECT and nothing else"),
        ("SELECT random() AS r", "not on the allow-list"),
        ("SELECT now() AS t", "not on the allow-list"),
        ("SELECT hash(text) AS h FROM main.prediction", "not on the allow-list"),
        ("SELECT lower(text) AS t FROM main.prediction", "not on the allow-list"),
        (
            "SELECT regexp_replace(text, 'a', 'b') AS t FROM main.prediction",
            "not on the allow-list",
        ),
        ("SELECT my_python(text) AS t FROM main.prediction", "my_python is not on the allow-list"),
        (
            "SELECT list_reduce(labels, lambda x_, y_: x_ || y_) AS l FROM choice_set",
            "not on the allow-list",
        ),
        ("SELECT * FROM read_csv('/etc/passwd')", "allow-list|table functions"),
        (r"SELECT regexp_matches(text, '\s') AS t FROM main.prediction", "spell character classes"),
        ("SELECT regexp_matches(text, 'a.b') AS t FROM main.prediction", "spell character classes"),
        ("SELECT regexp_matches(text, text) AS t FROM main.prediction", "plain literal"),
        ("SELECT row_number() OVER (PARTITION BY run_id) AS n FROM main.run", "without ORDER BY"),
        ("SELECT list_filter(labels, lambda x: x = 'A') AS l FROM choice_set", "has to end in _"),
        ("SELECT run_id FROM lab.main.run", "names a catalog"),
        ("SELECT run_id FROM main.run USING SAMPLE 10%", "sample is not deterministic"),
        ("SELECT run_id FROM main.run LIMIT 1", "leaves open which rows"),
        ("SELECT DISTINCT ON (run_id) run_id FROM main.run", "leaves open which rows"),
        ("SELECT substr(text, 0, 2) AS t FROM main.prediction", "counts from 1"),
        ("SELECT labels[1] AS t FROM choice_set", "differs between engines"),
        ("SELECT text ILIKE 'a' AS t FROM main.prediction", "differs between engines"),
        ("SELECT list(text ORDER BY pass) AS t FROM main.prediction", "is lost on Spark"),
        ("SELECT rowid AS r FROM main.run", "the engine's own"),
        ("WITH RECURSIVE t AS (SELECT 1 AS n) SELECT n FROM t", "recursive"),
        ("SELECT FROM WHERE", r"Expect|Invalid|required"),
    ],
)
def test_what_a_view_may_not_contain(tmp_path: Path, sql: str, words: str) -> None:
    file = SqlFile("view", "v", "own", "", tmp_path / "v.sql", sql)
    with pytest.raises(EvalhouseError, match=words):
        parse_file(file, frozenset())


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT run_id FROM nowhere", "nowhere is no view of the release"),
        ("SELECT run_id FROM other_schema.run", "is in another schema"),
        ("WITH leaderboard AS (SELECT 1 AS one) SELECT one FROM leaderboard", "hides the view"),
        ("SELECT run_id FROM leaderboard", "depend in a circle"),
    ],
)
def test_what_a_view_may_not_name(own: Path, sql: str, words: str) -> None:
    (own / "choice_match.sql").write_text(sql)
    with pytest.raises(EvalhouseError, match=words):
        plan(releases.load(str(own)))


@pytest.mark.parametrize("name", ["paper_v1", "latest", "Lenient", "main", "mine_internal"])
def test_names_that_a_release_of_ones_own_cannot_have(own: Path, name: str) -> None:
    """It would replace what others rely on."""
    renamed = own.parent / "sub" / name
    renamed.parent.mkdir()
    own.rename(renamed)
    with pytest.raises(EvalhouseError, match="names its schema"):
        releases.load(str(renamed))


def test_what_replaces_a_view_lies_where_that_one_does(own: Path) -> None:
    """Whatever its own head says, so that what rests on it is found; new names lie where theirs say."""
    shipped = releases.load("paper_v1").views
    (own / "judge_asked.sql").write_text(shipped["judge_asked"].text.replace("-- @internal\n", ""))
    (own / "pass_result.sql").write_text(f"-- Mine.\n-- @internal\n{shipped['pass_result'].text}")
    (own / "mine.sql").write_text("-- Mine.\n-- @internal\nSELECT judge_id FROM judge_asked\n")
    above = own.parent / "above"
    above.mkdir()
    (above / "release.toml").write_text('builds_on = "lenient"\n')
    (above / "judge_asked.sql").write_text("-- Nobody.\nSELECT * FROM main.judge WHERE FALSE\n")
    for folder in (own, above):
        made = {item.file.name: item for item in plan(releases.load(str(folder)))}
        its_name = folder.name
        assert made["judge_asked"].schema == made["mine"].schema == f"{its_name}_internal"
        assert made["pass_result"].schema == made["choice_match"].schema == its_name
        assert f'FROM "{its_name}_internal".judge_asked' in made["mine"].sql


def test_a_release_of_ones_own_never_becomes_latest(said: Warehouse, own: Path) -> None:
    with (own / "release.toml").open("a") as file:
        file.write("default = true\n")
    said.install_release(str(own))
    # The release of one's own has no rule there.
    rules = said.sql("SELECT rule FROM latest.choice_match ORDER BY model")
    assert rules.rows() == [("text",), ("label",), ("label",)]


@pytest.mark.slow
def test_by_bare_name_the_folder_comes_first(
    said: Warehouse, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(own.parent)
    assert scores(said, "lenient")["bare"] == 1
    text = (own / "choice_match.sql").read_text(encoding="utf-8")
    (own / "choice_match.sql").write_text(text.replace("coalesce(m.matched, c.label)", "m.matched"))
    assert scores(said, "lenient")["bare"] == 0
    monkeypatch.chdir("/")
    assert scores(said, "lenient")["bare"] == 0


def test_releases_that_build_on_each_other(own: Path) -> None:
    (own / "release.toml").write_text('description = ""\nbuilds_on = "lenient"\n')
    with pytest.raises(EvalhouseError, match="has to name another release"):
        releases.load(str(own))


def test_a_release_keeps_the_columns_that_users_rely_on(said: Warehouse, own: Path) -> None:
    (own / "leaderboard.sql").write_text("SELECT run_id, score FROM ability_score")
    with pytest.raises(EvalhouseError, match="view leaderboard has no column benchmark, dataset"):
        said.install_release(str(own))


def test_no_such_release(house: Warehouse, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="neither one of field_v2"):
        releases.load("paper_v9")
    with pytest.raises(UsageError, match="no release"):
        house.sql("SELECT 1", release="paper_v9")
    with pytest.raises(EvalhouseError, match=r"needs a release\.toml"):
        releases.load(str(tmp_path))


def test_declared_views_have_the_columns_that_are_printed() -> None:
    """Names stand in two places: what a view is of, and what stands above its columns."""
    assert [file.name for file in DECLARED] == [
        *(f"mmbench_t{number}" for number in (10, 11, 12, 13, 8, 9)),
        *(f"mmvet_t{number}" for number in (3, 4, 5, 6)),
        *("seed2_t3", "seed2_t4"),
    ]
    for file in DECLARED:
        entry, about = entries()[file.name], head(file)
        selected = parse_file(file, frozenset()).named_selects
        assert set(entry.columns) <= set(selected), file.name
        assert len(set(selected)) == len(selected), file.name
        # In the view's order, which the printed table keeps.
        shown = [column for column in selected if column in entry.headings]
        assert shown == list(entry.headings), file.name
        assert set(shown) <= set(about.columns), file.name


PIVOTS = """
[lists.shared]
n = "count"
low = { of = "min", meaning = "The least" }

[views.run_first]
template = "of_runs"
what = "it's"
columns = "shared"

[views.run_second]
template = "of_runs"
what = "something"
columns = { high_as_a_name_that_is_long_enough_for_another_line_to_begin_before_it_is_said_as_it_is = "max" }
"""
OF_RUNS = """\
-- {what}: a comment that goes on for so long, word after word, that it has to go on in another one.
-- @{columns.name} {columns.meaning}.
SELECT
    '{what}' AS what,
    {columns.of}(run_id){break} AS {columns.name}{,}
FROM current_run
"""


@pytest.fixture
def pivoted(own: Path) -> Path:
    """A user's release with views made from a template, in a folder of its own."""
    (own / "mine").mkdir()
    (own / "mine" / "pivots.toml").write_text(PIVOTS, "utf-8")
    (own / "mine" / "of_runs.template.sql").write_text(OF_RUNS, "utf-8")
    return own


def test_views_made_from_a_template(said: Warehouse, pivoted: Path) -> None:
    made = releases.load(str(pivoted))
    first, second = made.views["run_first"], made.views["run_second"]
    assert first.text == (
        "-- it's: a comment that goes on for so long, word after word, that it has to go on in another one.\n"
        "-- @n count.\n-- @low The least.\nSELECT\n    'it''s' AS what,\n    count(run_id) AS n,\n"
        "    min(run_id) AS low\nFROM current_run\n"
    )
    assert head(second).comment == (
        "something: a comment that goes on for so long, word after word, that it has to go on in another "
        "one."
    )
    long = "high_as_a_name_that_is_long_enough_for_another_line_to_begin_before_it_is_said_as_it_is"
    assert f"    max(run_id)\n        AS {long}\n" in second.text
    assert second.text.splitlines()[1] == "-- one."
    assert (second.key, second.folder, second.group) == ("run_second.sql", "mine", None)
    name = said.install_release(str(pivoted))
    rows = said.sql("SELECT what, n, low FROM run_first", release=name).rows()
    assert rows == [("it's", 3, 1)]


def test_a_template_is_frozen_with_what_is_made_of_it(pivoted: Path) -> None:
    releases.freeze(releases.load(str(pivoted)))
    assert releases.load(str(pivoted)).state == "frozen"
    template = pivoted / "mine" / "of_runs.template.sql"
    template.write_text(OF_RUNS.replace("current_run", "main.run"), "utf-8")
    with pytest.raises(
        EvalhouseError, match=r"frozen, but run_first\.sql, run_second\.sql changed"
    ):
        releases.load(str(pivoted))


def test_a_file_takes_the_place_of_a_view_that_is_made(own: Path) -> None:
    (own / "mmbench_t8.sql").write_text("SELECT run_id FROM current_run", "utf-8")
    views = releases.load(str(own)).views
    assert views["mmbench_t8"].text == "SELECT run_id FROM current_run"
    assert views["mmbench_t9"].origin == "paper_v1"


def test_errors_name_the_view_that_is_made(pivoted: Path) -> None:
    template = pivoted / "mine" / "of_runs.template.sql"
    template.write_text(OF_RUNS.replace("current_run", "no_such_view"), "utf-8")
    with pytest.raises(EvalhouseError, match=r"pivots\.toml, views\.run_second: no_such_view"):
        plan(releases.load(str(pivoted)))
    template.write_text(OF_RUNS, "utf-8")
    (pivoted / "run_first.sql").write_text("SELECT 1 AS one FROM current_run", "utf-8")
    with pytest.raises(
        EvalhouseError, match=r"run_first stands there twice: run_first\.sql, mine/pivots\.t"
    ):
        releases.load(str(pivoted))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            'template = "of_runs"',
            'template = "none"',
            r"views\.run_first\.template: .*none\.template\.sql",
        ),
        ('template = "of_runs"', 'template = "../x"', r"views\.run_first\.template: there is no"),
        ('template = "of_runs"', "", r"views\.run_first\.template: is missing"),
        ('template = "of_runs"', "template = 3", r"views\.run_first\.template: has to be a text"),
        ('what = "it\'s"', "", r"views\.run_first\.what: is missing"),
        (
            'what = "it\'s"',
            'what = "a\\nb"',
            r"views\.run_first\.what: has to be a text in one line",
        ),
        ('what = "it\'s"', 'what = ["a"]', r"views\.run_first\.what: has to be a text"),
        ('what = "it\'s"', f'what = "{"x" * 1001}"', r"views\.run_first\.what: .* at most 1,000"),
        (
            'what = "it\'s"',
            'what = "a"\nwhy = "b"',
            r"views\.run_first\.why: is not known; .*columns",
        ),
        ('columns = "shared"', "", r"views\.run_first\.columns: is missing: it is a table"),
        ('columns = "shared"', 'columns = "others"', r"first\.columns: .*no \[lists\.others\]"),
        ('columns = "shared"', "columns = [1]", r"views\.run_first\.columns: has to be a table"),
        (
            'columns = "shared"',
            "columns = { n = 1 }",
            r"views\.run_first\.columns\.n: has to be a text",
        ),
        (
            'columns = "shared"',
            'columns = { N = "a" }',
            r"first\.columns\.N: a name has lower-case",
        ),
        ('n = "count"', 'n = "count"\nn = "max"', r"pivots\.toml: is not TOML: .*line 4"),
        ('of = "min", ', "", r"lists\.shared\.low\.of: is missing"),
        ('of = "min"', 'of = "min", by = "x"', r"lists\.shared\.low\.by: is not known"),
        ("[lists.shared]", "[list.shared]", "field list: is not known; there are lists, views"),
        ("[views.run_first]", "[views.Run]", r"views\.Run: a name has lower-case"),
        ("[views.run_first]", "[[views.run_first]]", r"views\.run_first: has to be a table"),
    ],
)
def test_what_a_file_of_pivots_can_lack(pivoted: Path, old: str, new: str, words: str) -> None:
    path = pivoted / "mine" / "pivots.toml"
    path.write_text(PIVOTS.replace(old, new, 1), "utf-8")
    with pytest.raises(InputError, match=words) as raised:
        releases.load(str(pivoted))
    assert raised.value.path == str(path)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("{columns.of}", "{columns.kind}", r"of_runs\.template\.sql, row 5: .*name, of, meaning"),
        ("{columns.of}", "{others.of}", r"of_runs\.template\.sql, row 5: .*of one list"),
        ("{what}:", "{who}:", r"pivots\.toml, field views\.run_first\.who: is missing"),
        (
            "-- @{col",
            "-- @n x\n-- @{col",
            r"pivots\.toml, field views\.run_first: has the column n twice",
        ),
        (
            "SELECT",
            "-- {what}\n" * 20_000,
            r"field views\.run_first: has more than 262,144 characters",
        ),
    ],
)
def test_what_a_template_can_lack(pivoted: Path, old: str, new: str, words: str) -> None:
    template = pivoted / "mine" / "of_runs.template.sql"
    template.write_text(OF_RUNS.replace(old, new, 1), "utf-8")
    long = PIVOTS.replace("it's", "it's" * 5)
    (pivoted / "mine" / "pivots.toml").write_text(long, "utf-8")
    with pytest.raises(InputError, match=words):
        releases.load(str(pivoted))


def test_a_template_of_no_view_is_no_view(pivoted: Path) -> None:
    (pivoted / "mine" / "pivots.toml").unlink()
    with pytest.raises(EvalhouseError, match=r"of_runs\.template\.sql: a file names its view"):
        releases.load(str(pivoted))
