"""What a new warehouse has, and what comes on request; commands that read leave the file as it is."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import duckdb
import pytest

from evalhouse import EvalhouseError, UsageError, Warehouse, placing
from queries import attached, definitions, install, session
from queries import release as releases
from queries.plan import internal_schema, plan
from queries.release import PAPERS
from tests.commands import run
from tests.oracle import Ask
from tests.tables import question_rows, write_jsonl
from warehouse import connection
from warehouse.migrate import available

pytestmark = pytest.mark.all_releases


UNINSTALLED = "vlmevalkit_0_0_20"
"""A release that ships and that a new warehouse has not."""

_SCHEMAS = (
    "SELECT DISTINCT schema_name FROM duckdb_views() "
    "WHERE NOT internal AND database_name = current_database() ORDER BY 1"
)
_CATALOG = (
    "SELECT schema_name, view_name, sql, comment FROM duckdb_views() WHERE NOT internal",
    "SELECT schema_name, table_name, column_name, data_type, comment FROM duckdb_columns() WHERE NOT internal",
    "SELECT schema_name, function_name, macro_definition FROM duckdb_functions() WHERE NOT internal",
    "SELECT name, builds_on, state, is_default FROM main.release",
    "FROM main.release_object",
)


def catalog(house: Warehouse) -> list[list[tuple[object, ...]]]:
    with house.reading() as con:
        return [sorted(con.execute(query).fetchall(), key=repr) for query in _CATALOG]


def schemas(house: Warehouse) -> list[str]:
    with house.reading() as con:
        names = [name for (name,) in con.execute(_SCHEMAS).fetchall()]
        # Each release has two.
        here = set(install.installed(con))
    assert {name for name in names if name.endswith("_internal")} == set(map(internal_schema, here))
    return [name for name in names if not name.endswith("_internal")]


def hashes(folder: Path) -> dict[str, str]:
    """Every file below a folder by its content."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def new(new_file: Path, tmp_path: Path) -> Warehouse:
    """A warehouse as it is made, in its own folder, with two models' answers to one benchmark."""
    folder = tmp_path / "place"
    folder.mkdir()
    shutil.copy(new_file, folder / "new.duckdb")
    house = Warehouse(folder / "new.duckdb")
    asks = [Ask(str(n), {0: {"A": "cat", "B": "dog"}}, {0: "B"}) for n in range(4)]
    house.ingest(
        write_jsonl(tmp_path / "q.jsonl", question_rows(asks)), benchmark="MMBench", split="dev"
    )
    rows = [
        {"model": model, "question_key": str(n), "prediction": text}
        for model, text in (("right", "B"), ("wrong", "A"))
        for n in range(4)
    ]
    house.ingest(write_jsonl(tmp_path / "said.jsonl", rows), benchmark="MMBench", split="dev")
    return house


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A user's release: everything is right, and there is a paper's table more."""
    folder = tmp_path / "generous"
    (folder / "papers").mkdir(parents=True)
    (folder / "release.toml").write_text('builds_on = "field_v2"\n')
    text = releases.load("field_v2").views["leaderboard"].text
    (folder / "leaderboard.sql").write_text(text)
    (folder / "papers" / "own_t1.sql").write_text(
        "-- Table 1. A user's table.\nSELECT DISTINCT model FROM current_run"
    )
    return folder


@pytest.mark.slow
def test_a_new_warehouse_has_the_default_release_and_nothing_else(new_file: Path) -> None:
    house = Warehouse(new_file)
    assert schemas(house) == ["field_v2", "latest"]
    with house.reading() as con:
        assert list(install.installed(con)) == ["field_v2"]
        assert install.installed_group(con, install.PAPERS) is None
        assert install.differing(con) == {} == definitions.changed(con)
        assert definitions.changed(con, new_file) == {}
        ((n_views,), (n_macros,)) = con.execute(
            "SELECT count(*) FROM duckdb_views() WHERE NOT internal "
            "UNION ALL SELECT count(*) FROM duckdb_functions() WHERE NOT internal"
        ).fetchall()
        versions = con.execute("SELECT version, name FROM main.schema_version").fetchall()
        ((n_bytes,),) = con.execute(
            "SELECT block_size * used_blocks FROM pragma_database_size() "
            "WHERE database_name = current_database()"
        ).fetchall()
    papers = {file.name for file in releases.load("field_v2").paper_files}
    assert len(papers) > 50
    assert not papers & {name for _, name, *_ in catalog(house)[0]}
    # The release's views, those of `latest`, and the two that say which results are out of date; of the
    # results those that nobody queries are tables alone.
    planned = plan(releases.load("field_v2"), files=releases.load("field_v2").lasting_files)
    views = [item for item in planned if item.file.kind == "view"]
    shown = [item for item in views if not item.is_internal]
    hidden = [item for item in views if item.table is not None and item.is_internal]
    assert n_views == len(views) - len(hidden) + len(shown) + 2 < 260
    assert n_macros == len(releases.load("field_v2").macros)
    assert versions == [(step.version, step.name) for step in available()]
    # Without the blocks that a copy has left free.
    assert n_bytes < 5e6


def test_no_view_that_lasts_rests_on_a_paper_s() -> None:
    for name in releases.shipped_names():
        release = releases.load(name)
        planned = install.plan(release, files=release.lasting_files)
        assert {item.file for item in planned} == set(release.lasting_files)


READING = {
    "leaderboard": ("evalhouse", "leaderboard", "MMBench"),
    "show": ("evalhouse", "show", "1", "--model", "right"),
    "compare": ("evalhouse", "compare", "right", "wrong"),
    "paper-table": ("evalhouse", "paper-table", "mmbench_t5", "--judge", "none"),
    "export predictions": ("evalhouse", "export", "predictions", "1"),
    "export bundle": ("evalhouse", "export", "bundle", "../bundle"),
    "export eee": ("evalhouse", "export", "eee", "../eee", "--judge", "none"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", READING)
@pytest.mark.parametrize("which", ["shipped", "own"])
def test_commands_that_read_leave_the_file_as_it_was(
    new: Warehouse, own: Path, name: str, which: str
) -> None:
    release = UNINSTALLED if which == "shipped" else str(own)
    before = hashes(new.path.parent)
    words = (*READING[name], "--db", new.path, "--release", release)
    done = run(*words, cwd=new.path.parent)
    if name in ("leaderboard", "show", "compare", "export bundle"):
        assert done.code == 0, done.err
    else:
        # Where the tiny warehouse has no rows for it, it says so, and not that a release is missing.
        assert "install" not in done.err, done.err
    assert hashes(new.path.parent) == before


@pytest.mark.slow
def test_releases_that_are_not_installed_are_compared(new: Warehouse, own: Path) -> None:
    before = hashes(new.path.parent)
    for one in ("field_v2", "vlmevalkit_e8e78f0"):
        words = ("evalhouse", "releases", "diff", one, own, "--db", new.path)
        done = run(*words, cwd=new.path.parent)
        assert done.code == 0, done.err
        assert "Verdicts that flip, judge none:\n  none" in done.out
    assert hashes(new.path.parent) == before


@pytest.mark.slow
def test_scores_are_the_same_installed_or_not(new: Warehouse) -> None:
    live_board = new.leaderboard("MMBench", release=UNINSTALLED)
    assert [line.model for line in live_board[0].lines] == ["right", "wrong"]
    assert live_board[0].release == UNINSTALLED
    new.install_release(UNINSTALLED)
    assert new.leaderboard("MMBench", release=UNINSTALLED) == live_board
    assert schemas(new) == ["field_v2", "latest", UNINSTALLED]


@pytest.mark.long
def test_every_view_gives_the_same_installed_or_not(new: Warehouse) -> None:
    release = releases.load(UNINSTALLED)
    new.install_release(UNINSTALLED)
    n_rows = 0
    with new.reading() as con:
        there = install.schemas_of(con, UNINSTALLED)
        attached.make(con, release)
        for file in release.lasting_files:
            if file.kind != "view":
                continue
            one, other = (
                f'"{there[file.name]}".{file.name}',
                f'"{attached.inside(UNINSTALLED)}".{file.name}',
            )
            columns = [con.execute(f"DESCRIBE {each}").fetchall() for each in (one, other)]
            assert columns[0] == columns[1], file.name
            rows = [
                sorted(con.execute(f"FROM {each}").fetchall(), key=repr) for each in (one, other)
            ]
            assert rows[0] == rows[1], file.name
            n_rows += len(rows[0])
    assert n_rows > 100


@pytest.mark.slow
def test_a_folder_that_was_changed_is_computed_as_it_stands(new: Warehouse, own: Path) -> None:
    new.install_release(str(own))
    before = hashes(new.path.parent)
    text = (own / "leaderboard.sql").read_text()
    assert new.leaderboard("MMBench", release=str(own))[0].lines[1].cells[0].score == 0  # type: ignore[union-attr]
    changed = releases.load("field_v2").views["choice_match"].text
    assert "THEN matched END AS matched" in changed
    (own / "choice_match.sql").write_text(
        changed.replace("THEN matched END AS matched", "THEN 'B' END AS matched")
    )
    assert new.leaderboard("MMBench", release=str(own))[0].lines[1].cells[0].score == 1  # type: ignore[union-attr]
    with pytest.raises(
        UsageError, match="generous is not installed in this warehouse as the folder has it"
    ):
        new.sql("FROM leaderboard", release=str(own))
    assert text == (own / "leaderboard.sql").read_text()
    assert hashes(new.path.parent) == before
    # By its name it is the one that is installed.
    assert new.leaderboard("MMBench", release="generous")[0].lines[1].cells[0].score == 0  # type: ignore[union-attr]


def test_what_does_not_bind_names_its_file(new: Warehouse, own: Path) -> None:
    (own / "leaderboard.sql").write_text("SELECT nothing FROM main.run")
    with pytest.raises(EvalhouseError, match=r"leaderboard\.sql: .*nothing"):
        new.leaderboard("MMBench", release=str(own))
    with new.reading() as con:
        for _ in range(2):
            with pytest.raises(EvalhouseError, match=r"leaderboard\.sql"):
                session.use_release(con, str(own))
        assert session.use_release(con) == "latest"
        assert con.execute("SELECT count(*) FROM current_run").fetchall() == [(2,)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "release"),
    [
        (f"FROM {UNINSTALLED}.leaderboard", UNINSTALLED),
        (f"SELECT \"{UNINSTALLED}\".python_lower('A')", UNINSTALLED),
        ("FROM papers.mmbench_t2", PAPERS),
        ("FROM latest.mmbench_t2", PAPERS),
        ("FROM mmbench_t2", PAPERS),
        ("DESCRIBE field_v2.MMBench_T2", PAPERS),
    ],
)
def test_sql_names_the_command_that_installs(new: Warehouse, query: str, release: str) -> None:
    before = hashes(new.path.parent)
    done = run("evalhouse", "sql", query, "--db", new.path, cwd=new.path.parent)
    assert done.code == 2
    assert f"`evalhouse releases install {release}` installs" in done.err
    assert hashes(new.path.parent) == before


@pytest.mark.slow
def test_sql_asks_releases_that_are_installed(new: Warehouse, own: Path) -> None:
    for release, name in ((UNINSTALLED, UNINSTALLED), (str(own), "generous")):
        with pytest.raises(UsageError, match=f"the release {name} is not installed"):
            new.sql("FROM leaderboard", release=release)
        listed = run(
            "evalhouse", "sql", "--release", release, "--db", new.path, cwd=new.path.parent
        )
        assert f"`evalhouse releases install {release}` installs it" in listed.err
    with pytest.raises(UsageError, match="does not exist") as caught:
        new.sql("FROM nothing_of_the_kind")
    assert "releases install" not in str(caught.value)


@pytest.mark.slow
def test_installing_and_uninstalling_twice_is_as_once(new: Warehouse) -> None:
    def releases_do(*words: str) -> str:
        done = run("evalhouse", "releases", *words, "--db", new.path, cwd=new.path.parent)
        assert done.code == 0, done.err
        return done.out.strip()

    as_made = catalog(new)
    for name in (PAPERS, UNINSTALLED):
        assert releases_do("install", name) == f"installed {name}"
        once = catalog(new)
        assert releases_do("install", name) == f"installed {name}"
        assert catalog(new) == once
    assert schemas(new) == ["field_v2", "latest", PAPERS, UNINSTALLED]
    assert releases_do("install") == "all are installed as shipped"
    checked = run("evalhouse", "check", "--db", new.path, cwd=new.path.parent)
    assert checked.code == 0, checked.out
    for name in (UNINSTALLED, PAPERS):
        assert releases_do("uninstall", name) == f"uninstalled {name}"
        assert releases_do("uninstall", name) == f"{name} is not installed"
    assert catalog(new) == as_made
    done = run(
        "evalhouse", "releases", "uninstall", "field_v2", "--db", new.path, cwd=new.path.parent
    )
    assert (done.code, "latest points at" in done.err) == (2, True)


@pytest.mark.slow
def test_what_people_made_is_never_dropped(new: Warehouse) -> None:
    """The engine drops it with what it reads, where they let it record that."""
    with closing(duckdb.connect(str(new.path))) as con:
        con.execute("CREATE SCHEMA mine; CREATE VIEW mine.best AS FROM latest.score")
        con.execute("SET enable_view_dependencies = true")
        con.execute("CREATE VIEW mine.recorded AS FROM latest.score")
    made, install_again = catalog(new), ("releases", "install", "field_v2", "--db", new.path)
    done = run("evalhouse", *install_again, cwd=new.path.parent)
    assert done.code == 1
    assert "mine.recorded: made with enable_view_dependencies" in done.err
    assert catalog(new) == made
    with closing(duckdb.connect(str(new.path))) as con:
        con.execute("DROP VIEW mine.recorded")
    done = run("evalhouse", *install_again, cwd=new.path.parent)
    assert (done.code, done.out) == (0, "installed field_v2\n")
    assert "mine" in schemas(new)


@pytest.mark.slow
def test_the_papers_are_a_schema(new: Warehouse) -> None:
    papers = {file.name for file in releases.load("field_v2").paper_files}
    new.refresh()
    with new.writing() as con:
        install.install_group(con, install.PAPERS)
    with new.reading() as con:
        rows = con.execute(
            "SELECT view_name, comment FROM duckdb_views() WHERE schema_name = 'papers'"
        )
        comments = dict(rows.fetchall())
        assert comments.keys() == papers
        assert all(comments.values())
        assert list(install.installed(con)) == ["field_v2"]
        assert install.differing(con) == {} == definitions.changed(con)
    # Nothing that was kept is lost by it.
    assert [(kept.n_runs, kept.n_fresh) for kept in new.kept()] == [(2, 2)]
    assert (
        new.sql("SELECT count(*) FROM papers.mmbench_t2").item()
        == new.sql("SELECT count(*) FROM mmbench_t2").item()
    )
    with pytest.raises(UsageError, match=r"in the schema papers: papers\.mmbench_t2"):
        new.sql("FROM latest.mmbench_t2")
    status = run("evalhouse", "status", "--db", new.path, cwd=new.path.parent)
    assert "Releases: field_v2 (frozen, latest); papers" in status.out
    # One that was changed by hand is found.
    with new.writing() as con:
        con.execute("CREATE OR REPLACE VIEW papers.mmbench_t2 AS SELECT 1 AS forged")
    with new.reading() as con:
        assert definitions.changed(con) == {"papers": ["mmbench_t2"]}
    with new.writing() as con:
        con.execute("UPDATE main.release_object SET sha256 = 'x' WHERE name = 'mmbench_t2'")
        assert install.bring_up_to_date(con) == ("papers",)
    with new.reading() as con:
        assert definitions.changed(con) == {}


@pytest.mark.slow
def test_paper_tables_are_the_same_installed_or_not(new: Warehouse, own: Path) -> None:
    def table(name: str, release: str = "latest") -> list[tuple[object, ...]]:
        return new.paper_table(name, release=release).rows()

    before = hashes(new.path.parent)
    listed = [table("mmbench_t2"), table("mmbench_t2", UNINSTALLED), table("mmbench_t2", str(own))]
    assert listed[0]
    assert table("own_t1", str(own)) == [("right",), ("wrong",)]
    assert new.paper("own_t1", release=str(own)).title == "Table 1"
    assert hashes(new.path.parent) == before
    new.install_release(UNINSTALLED)
    new.install_release(str(own))
    with new.writing() as con:
        install.install_group(con, install.PAPERS)
    assert [
        table("mmbench_t2"),
        table("mmbench_t2", UNINSTALLED),
        table("mmbench_t2", "generous"),
    ] == listed
    assert table("own_t1", "generous") == [("right",), ("wrong",)]
    assert new.sql("FROM generous.own_t1 ORDER BY 1").rows() == [("right",), ("wrong",)]


@pytest.mark.long
def test_every_paper_table_gives_the_same_installed_or_not(new: Warehouse) -> None:
    release = releases.load("field_v2")
    with new.writing() as con:
        install.install_group(con, install.PAPERS)
    n_rows = 0
    with new.reading() as con:
        session.use_release(con)
        there = {
            name: f'{connection.CATALOG}"."{schema}'
            for name, schema in install.schemas_of(con, "field_v2").items()
        }
        for file in release.paper_files:
            attached.make_paper(con, release, file.name, there)
            one, other = f"papers.{file.name}", f'"{attached.inside(PAPERS)}".{file.name}'
            rows = [
                sorted(con.execute(f"FROM {each}").fetchall(), key=repr) for each in (one, other)
            ]
            assert rows[0] == rows[1], file.name
            n_rows += len(rows[0])
    assert n_rows > 5


@pytest.mark.slow
def test_a_file_of_an_earlier_evalhouse_goes_on(new: Warehouse) -> None:
    """It had every release, here three, each with the papers' tables inside."""
    had = ("field_v2", "paper_v1", "vlmevalkit_e8e78f0")
    with new.writing() as con:
        for name in had:
            release = releases.load(name)
            install.install(con, release, release.files)
    as_it_was = catalog(new)
    with new.reading() as con:
        assert install.differing(con) == {} == definitions.changed(con)
    rows = new.paper_table("mmbench_t2").rows()
    assert new.sql("SELECT count(*) FROM latest.mmbench_t2").item() == len(rows)
    with new.writing() as con:
        assert install.bring_up_to_date(con) == ()
    assert catalog(new) == as_it_was
    # What is upgraded comes as it is now, the papers apart; what is not there is not added.
    with new.writing() as con:
        install.uninstall(con, "vlmevalkit_e8e78f0")
        con.execute("UPDATE main.release_object SET sha256 = 'x' WHERE name = 'verdict'")
        assert install.bring_up_to_date(con) == had[:2]
    assert schemas(new) == sorted((*had[:2], "latest", PAPERS))
    assert new.sql("SELECT count(*) FROM papers.mmbench_t2").item() == len(rows)


@pytest.mark.slow
def test_the_papers_inside_a_release_and_next_to_it(new: Warehouse) -> None:
    release = releases.load("field_v2")
    with new.writing() as con:
        install.install_group(con, install.PAPERS)
        install.install(con, release, release.files)
        both = [
            con.execute(f"SELECT count(*) FROM {schema}.mmbench_t2").fetchall()
            for schema in ("papers", "field_v2")
        ]
    assert both[0] == both[1]
    assert schemas(new) == ["field_v2", "latest", PAPERS]


def test_what_a_warehouse_that_is_gone_left_is_not_the_new_one_s(tmp_path: Path) -> None:
    """The engine would replay it."""
    path = tmp_path / "warehouse.duckdb"
    path.with_name("warehouse.duckdb.wal").write_bytes(b"left")
    with (
        pytest.raises(
            EvalhouseError, match=r"warehouse\.duckdb\.wal: is what a warehouse that is gone"
        ),
        Warehouse(path).writing(),
    ):
        pass
    assert not path.exists()


@pytest.mark.long
def test_a_file_system_without_links(
    new_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_link(*_: object) -> None:
        raise PermissionError("links are not known here")

    monkeypatch.setattr(os, "link", no_link)
    house = Warehouse(tmp_path / "warehouse.duckdb")
    with house.writing():
        pass
    assert catalog(house)[0] == catalog(Warehouse(new_file))[0]
    assert [file.name for file in tmp_path.iterdir()] == ["warehouse.duckdb"]


def test_a_disk_that_is_full_leaves_no_half_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no room")

    new, place = tmp_path / "new", tmp_path / "place"
    new.write_bytes(b"whole")
    monkeypatch.setattr(os, "link", refuse)
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="no room"):
        placing.put(new, place)
    assert not place.exists()
