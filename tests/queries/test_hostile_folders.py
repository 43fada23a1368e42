"""Folders and files that come from anywhere: one clear error, nothing hangs, nothing is changed."""

from __future__ import annotations

import json
import re
import shutil
from hashlib import sha256
from pathlib import Path

import pytest

from evalhouse import Warehouse
from evalhouse.transfer import export_parquet, import_parquet
from judge import template
from queries import release as releases
from queries.export import bundle, bundle_manifest
from queries.export import verify as verifying
from queries.plan import plan
from tests.commands import run
from tests.hostile import IN_PLACE_OF_A_FILE, SECRET, Damage, in_time
from tests.tables import facts, write_jsonl
from warehouse.errors import EvalhouseError, InputError
from warehouse.files import reading


@pytest.fixture(scope="module")
def house(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """A model's answers to two questions; not to be changed."""
    folder = tmp_path_factory.mktemp("small")
    made = Warehouse(shutil.copy(empty_file, folder / "small.duckdb"))
    rows = [{"question_key": k, "question": "Q", "A": "a", "B": "b", "answer": "A"} for k in "12"]
    made.ingest(write_jsonl(folder / "q.jsonl", rows), benchmark="Own")
    said = [{"question_key": k, "prediction": "A", "model": "m"} for k in "12"]
    made.ingest(write_jsonl(folder / "p.jsonl", said), benchmark="Own")
    return made


@pytest.fixture(scope="module")
def exported(house: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "export"
    with house.reading(folders=[folder.parent]) as con:
        export_parquet(con, folder)
    return folder


@pytest.fixture(scope="module")
def bundled(house: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundled") / "boards"
    with house.reading() as con:
        bundle.write(con, folder, bundle.Choice(levels=("overall",)), evalhouse="0")
    return folder


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "folder" / "own"
    (folder / "macros").mkdir(parents=True)
    (folder / "release.toml").write_text('description = "own"\nbuilds_on = "paper_v1"\n', "utf-8")
    (folder / "more.sql").write_text("SELECT 1 AS one", "utf-8")
    return folder


def _replace(path: Path, damage: Damage) -> None:
    path.unlink(missing_ok=True)
    damage(path)


@pytest.mark.parametrize("what", IN_PLACE_OF_A_FILE)
@pytest.mark.parametrize("name", ["release.toml", "frozen.toml", "more.sql", "macros/own.sql"])
def test_a_release(own: Path, what: str, name: str) -> None:
    damage, words = IN_PLACE_OF_A_FILE[what]
    _replace(own / name, damage)
    if (what, name) == ("nothing", "release.toml"):
        return  # it is one: without a description, of its own views
    with in_time(), pytest.raises(EvalhouseError, match=words) as caught:
        plan(releases.load(str(own)))
    assert name in str(caught.value) or what == "nothing"
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("frozen.toml", "", "has no table of hashes"),
        ("frozen.toml", "statements = 3", "has no table of hashes"),
        ("frozen.toml", "[statements]\na = 1", "has no table of hashes"),
        # As an earlier evalhouse wrote it.
        ("frozen.toml", "[sha256]\n'x.sql' = 'y'", "field statements: has no table of hashes"),
        ("frozen.toml", "[statements]\n'x.sql' = 'y'", r"frozen, but x\.sql changed"),
        ("frozen.toml", "[statements", "is not TOML"),
        ("release.toml", "description = 3", "description is a text"),
        ("release.toml", "builds_on = '../../etc'", "builds_on is the name"),
        ("release.toml", "builds_on = ['paper_v1']", "builds_on has to name"),
        ("release.toml", ".".join("a" * 20_000) + " = 1", "nested too deeply"),
        ("release.toml", "[" + " . ".join(['"a b"'] * 20_000) + "]", "nested too deeply"),
        ("release.toml", "a = " + "9" * 5000, "is not TOML"),
        ("Upper.sql", "SELECT 1 AS one", "a file names its view"),
        ("a b.sql", "SELECT 1 AS one", "a file names its view"),
        ('x AS SELECT 1; DROP TABLE main.run; --.sql', "SELECT 1 AS one", "a file names its view"),
        ("deep.sql", "SELECT " + "(" * 30_000 + "1" + ")" * 30_000, "nested too deeply"),
        ("deep.sql", "SELECT " + "NOT " * 30_000 + "1", "nested too deeply"),
        ("long.sql", "SELECT 1 -- " + "x" * 300_000, "has 300,012 bytes"),
        ("two.sql", "SELECT 1; DROP TABLE main.run", "exactly one statement"),
        ("drop.sql", "DROP TABLE main.run", "a SELECT and nothing else"),
        ("copy.sql", "COPY (SELECT 1) TO '/tmp/x'", "a SELECT and nothing else"),
        ("file.sql", "SELECT * FROM read_csv('/etc/passwd')", "table functions|allow-list"),
        ("file.sql", "SELECT * FROM '/etc/passwd'", "is no view"),
        ("set.sql", "SELECT getenv('HOME') AS h", "allow-list"),
        ("macros/none.sql", "CREATE MACRO none(x) AS -- x + 1", r"one CREATE MACRO none\("),
    ],
)  # fmt: skip
def test_what_a_release_says(own: Path, name: str, text: str, words: str) -> None:
    (own / "macros").mkdir(exist_ok=True)
    (own / name).write_text(text, "utf-8")
    with in_time(), pytest.raises(EvalhouseError, match=words) as caught:
        plan(releases.load(str(own)))
    assert name in str(caught.value) or "frozen, but" in str(caught.value)


def test_a_release_of_ten_thousand_files(own: Path) -> None:
    for number in range(10_000):
        (own / f"v{number}.sql").touch()
    with in_time(), pytest.raises(EvalhouseError, match="has 10,001 views and macros"):
        releases.load(str(own))


def test_releases_that_build_on_each_other_without_end(own: Path) -> None:
    for number in range(50):
        folder = own.parent / f"r{number}"
        folder.mkdir()
        (folder / "release.toml").write_text(f'builds_on = "r{number + 1}"', "utf-8")
    with pytest.raises(EvalhouseError, match="20th to build on another"):
        releases.load(str(own.parent / "r0"))


@pytest.mark.long
def test_names_that_are_words_of_sql(house: Warehouse, own: Path, tmp_path: Path) -> None:
    """A view may be called so, and none of its names is SQL: nor that of a column with a comment."""
    copy = Warehouse(shutil.copy(house.path, tmp_path / "copy.duckdb"))
    (own / "select.sql").write_text("SELECT 1 AS one", "utf-8")
    column = "x\"\"IS'a';DROP/**/TABLE/**/main.run;--"
    (own / "order.sql").write_text(
        f'-- @{column.replace(chr(34) * 2, chr(34))} a\nSELECT 1 AS "{column}"', "utf-8"
    )
    before = facts(copy.path)["run"]
    name = copy.install_release(str(own))
    assert copy.sql('SELECT one FROM "select"', release=name).item() == 1
    assert facts(copy.path)["run"] == before


# Templates.


@pytest.mark.parametrize("what", IN_PLACE_OF_A_FILE)
def test_a_template(tmp_path: Path, what: str) -> None:
    path = tmp_path / "folder" / "judge.toml"
    path.parent.mkdir()
    damage, _ = IN_PLACE_OF_A_FILE[what]
    damage(path)
    with in_time(), pytest.raises(EvalhouseError, match=r"judge\.toml"):
        template.load(path)


@pytest.mark.parametrize(
    "more",
    [
        "[sampling]\ntemperature = nan",
        "[sampling]\nx = [2020-01-01]",
        "[sampling]\nx." + ".".join("a" * 20_000) + " = 1",
        "[sampling]\nx = " + "[" * 3000 + "]" * 3000,
        "[[example]]\nquestion = 'q'\nprediction = 'p'\nreply = 'A'\nchoices = {A = 1}",
        "[[example]]\nquestion = 'q'\nprediction = 'p'\nreply = 'A'\nchoices = {}",
        "[[attempt]]\nreminder = 3",
    ],
)
def test_what_a_template_says(tmp_path: Path, more: str) -> None:
    path = tmp_path / "judge.toml"
    head = 'name = "x"\nversion = "1"\ntask = "choice_extraction"\nuser = "{prediction}"\n'
    path.write_text(head, "utf-8")
    template.load(path)
    path.write_text(head + more, "utf-8")
    with in_time(), pytest.raises(EvalhouseError, match=r"judge\.toml"):
        template.load(path)


# Exports.


def _refused(folder: Path, tmp_path: Path) -> InputError:
    with in_time(), pytest.raises(InputError) as caught:
        import_parquet(folder, tmp_path / "new.duckdb")
    assert not list(tmp_path.glob("*new.duckdb*"))
    assert SECRET not in str(caught.value)
    return caught.value


@pytest.mark.slow
@pytest.mark.parametrize("what", IN_PLACE_OF_A_FILE)
@pytest.mark.parametrize("name", ["manifest.json", "run/part-0.parquet"])
def test_an_export(exported: Path, tmp_path: Path, what: str, name: str) -> None:
    folder = Path(shutil.copytree(exported, tmp_path / "folder" / "copy"))
    damage, words = IN_PLACE_OF_A_FILE[what]
    _replace(folder / name, damage)
    if what == "10 GB of nothing" and name.endswith("parquet"):
        # Also where the manifest says so.
        written = json.loads((folder / "manifest.json").read_text("utf-8"))
        written["tables"]["run"]["files"][0]["bytes"] = 10 * 2**30
        (folder / "manifest.json").write_text(json.dumps(written), "utf-8")
    error = _refused(folder, tmp_path)
    assert name in str(error)
    assert what == "nothing" or re.search(words, str(error)), error


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"tables": {}, "tables": {}}', "names 'tables' twice"),
        ('{"format": 1, "schema_version": 1, "evalhouse": "\\ud800"}', "half of a sign"),
        ('{"format": 1, "schema_version": ' + "9" * 4000 + "}", "schema_version"),
        ('{"format": 1, "schema_version": ' + "9" * 5000 + "}", "is no whole JSON"),
        ('{"format": 1, "x": ' + "[" * 500 + "]" * 500 + "}", "nested too deeply"),
        ("[]", "schema_version"),
        ("null", "schema_version"),
    ],
)
def test_what_a_manifest_says(tmp_path: Path, text: str, words: str) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "manifest.json").write_text(text, "utf-8")
    assert words in str(_refused(folder, tmp_path))


# Bundles.


def _verified(house: Warehouse, folder: Path) -> verifying.Verdict:
    with in_time(), house.reading() as con:
        return verifying.verify(con, folder, evalhouse="0")


@pytest.mark.slow
@pytest.mark.parametrize("what", IN_PLACE_OF_A_FILE)
def test_a_bundle_s_manifest(house: Warehouse, bundled: Path, tmp_path: Path, what: str) -> None:
    folder = Path(shutil.copytree(bundled, tmp_path / "folder" / "copy"))
    _replace(folder / "manifest.json", IN_PLACE_OF_A_FILE[what][0])
    with pytest.raises(InputError, match=r"manifest\.json"):
        _verified(house, folder)


def test_a_bundle_s_files(house: Warehouse, bundled: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(bundled, tmp_path / "folder" / "copy"))
    (table,) = json.loads((folder / "manifest.json").read_text("utf-8"))["tables"]
    names = [file["name"] for file in table["files"]]
    damages = [what for what in IN_PLACE_OF_A_FILE if what not in ("a device", "nothing")]
    damages.remove("a link out of the folder")
    for name, what in zip(names, damages, strict=True):
        _replace(folder / name, IN_PLACE_OF_A_FILE[what][0])
    verdict = _verified(house, folder)
    assert {name for one in verdict.differences for name in one.files} == set(names)
    for what in ("a device", "a link out of the folder"):
        _replace(folder / names[0], IN_PLACE_OF_A_FILE[what][0])
        with pytest.raises(InputError, match="is no file in this folder"):
            bundle_manifest.read(folder)


def test_a_file_that_shows_something_else_is_named(
    house: Warehouse, bundled: Path, tmp_path: Path
) -> None:
    """Not only figures: here a page with a style, whose new hash stands in the manifest."""
    folder = Path(shutil.copytree(bundled, tmp_path / "copy"))
    name = "own-overall-circular-none.html"
    content = (folder / name).read_bytes().replace(b"<head>", b"<head><style>td {color: white}</style>")  # fmt: skip
    (folder / name).write_bytes(content)
    text = (folder / "manifest.json").read_text("utf-8")
    written = json.loads(text)
    (table,) = (one for one in written["tables"] if one["name"] == "own-overall-circular-none")
    (file,) = (one for one in table["files"] if one["name"] == name)
    (folder / "manifest.json").write_text(
        text.replace(file["sha256"], sha256(content).hexdigest()), "utf-8"
    )
    verdict = _verified(house, folder)
    (only,) = verdict.differences
    assert only.files == (name,)
    assert "the bundle says <head><style>td {color: white}</style>" in only.line()


@pytest.mark.slow
def test_the_commands(exported: Path, own: Path, tmp_path: Path) -> None:
    """As a user meets it: one line, and no traceback."""
    (own / "frozen.toml").write_text("", "utf-8")
    done = run("evalhouse", "releases", "diff", own, "paper_v1", cwd=tmp_path)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "frozen.toml, field statements: has no table of hashes" in done.err


def test_small_files(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 10)
    assert reading.content(tmp_path / "a", most=10) == b"x" * 10
    with pytest.raises(InputError, match="has 10 bytes; what it is to be has at most 9"):
        reading.content(tmp_path / "a", most=9)
    with pytest.raises(InputError, match="null byte"):
        reading.content(tmp_path / "a\0b")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "link").symlink_to("../a")
    assert reading.content(tmp_path / "inner" / "link", inside=tmp_path) == b"x" * 10
    with pytest.raises(InputError, match="leads out of"):
        reading.content(tmp_path / "inner" / "link", inside=tmp_path / "inner")
