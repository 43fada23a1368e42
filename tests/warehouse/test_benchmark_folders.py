"""Benchmarks as folders: what they say, what they cannot say, and a warehouse that needs no folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from evalhouse import InputError, UsageError, Warehouse
from evalhouse.transfer import export_parquet, import_parquet
from ingest.names import DatasetName, read_dataset_name
from tests.commands import run
from tests.hostile import IN_PLACE_OF_A_FILE, SECRET, in_time
from tests.houses import QuickHouse
from tests.tables import facts
from warehouse import benchmark, known_benchmarks, sources
from warehouse.check import run_checks
from warehouse.connection import transaction
from warehouse.errors import EvalhouseError

_SUMS = """
name = "MM-Sums"
task = "choice"
strategy = "vanilla"
average = "macro"
rounding = "half_even"
aliases = ["mmsums"]
splits = ["dev_val"]
languages = { ar = "ar" }

[[dataset]]
names = ["PICSUMS_IMG"]
version = "IMG"

[[level]]
name = "field"
columns = ["discipline"]

[[level]]
name = "subject"
columns = ["category"]

[[ability]]
level = "field"
name = "Arithmetic"

[[ability]]
level = "subject"
name = "Adding"
parent = "Arithmetic"
spellings = ["add"]
"""
_HEAD = 'name = "Own"\ntask = "choice"\nstrategy = "vanilla"\n'
_TSV = """index	question	A	B	answer	category	discipline	prediction
1	q1	a	b	A	add	arithmetic	A
2	q2	a	b	B	adding	Arithmetic	A
"""


@pytest.fixture
def sums(tmp_path: Path) -> Path:
    return _folder(tmp_path / "folders" / "sums", _SUMS)


def _folder(path: Path, text: str) -> Path:
    path.mkdir(parents=True)
    (path / "benchmark.toml").write_text(text, "utf-8")
    return path


def _refused(house: Warehouse, folder: Path, words: str) -> InputError:
    before = facts(house.path)
    with in_time(), pytest.raises(InputError, match=words) as caught:
        house.add_benchmark(folder)
    assert facts(house.path) == before
    return caught.value


# The package's own.


def test_no_name_of_a_shipped_benchmark_means_two() -> None:
    names = [name for one in known_benchmarks.shipped() for name in one.names]
    assert len(names) == len(set(names)) >= 20
    assert {one.origin for one in known_benchmarks.shipped()} == {"evalhouse"}
    for one in known_benchmarks.shipped():
        for name in (one.name, one.name.upper(), *one.aliases):
            assert known_benchmarks.find(name) == one
    for name in ("", ".", "../mmbench", "m" * 5_000, "mmbench\0", "\ud800"):
        assert known_benchmarks.find(name) is None
    with_splits = [one.name for one in known_benchmarks.shipped() if not one.is_one_set]
    assert {"MMBench", "MMMU", "ChartQA"} <= set(with_splits)
    assert not {"MM-Vet", "SEED-Bench", "SEED-Bench-2-Plus", "MMStar"} & set(with_splits)


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("MMBench_DEV_EN_V11", DatasetName("MMBench", "1.1", "dev", "en")),
        ("mmbench_en_dev_lite", DatasetName("MMBench", "lite", "dev", "en")),
        ("mmbench_dev_20230712", DatasetName("MMBench", "20230712", "dev", None)),
        ("SEEDBench_IMG", DatasetName("SEED-Bench", "IMG", None, None)),
        ("seedbench_2", DatasetName("SEED-Bench-2", None, None, None)),
        ("SEEDBench2_Plus", DatasetName("SEED-Bench-2-Plus", None, None, None)),
        ("MMBench-Video", DatasetName("MMBench-Video", None, None, None)),
        ("Video-MME_64frame", DatasetName("Video-MME", "64frame", None, None)),
        ("MMMU_DEV_VAL", DatasetName("MMMU", None, None, None)),
        ("MMMU_TEST", DatasetName("MMMU", None, "test", None)),
        ("MathVista_MINI", DatasetName("MathVista", None, "testmini", None)),
        ("GQA_TestDev_Balanced", DatasetName("GQA", None, "testdev_balanced", None)),
        ("MMT-Bench_VAL_MI", DatasetName("MMT-Bench", "MI", "val", None)),
        ("PICSUMS_IMG_DEV", None),
    ],
)
def test_what_names_of_datasets_tell(text: str, given: DatasetName | None) -> None:
    assert read_dataset_name(text) == given


# A folder of the user's.


def test_what_a_folder_has_that_is_not_read(house: Warehouse, sums: Path) -> None:
    (sums / "rule.sql").write_text("SELECT 1", "utf-8")
    (sums / "tables").mkdir()
    (sums / "README.md").write_text("Sums.", "utf-8")
    with pytest.warns(UserWarning, match=r"sums: not read: rule\.sql, tables; a benchmark is"):
        house.add_benchmark(sums)
    assert "MM-Sums" in house.benchmarks()["benchmark"].to_list()


def test_a_warehouse_that_a_benchmark_was_added_to(
    house: Warehouse, sums: Path, tmp_path: Path
) -> None:
    assert house.add_benchmark(sums).name == "MM-Sums"
    before = facts(house.path)
    house.add_benchmark(sums)
    assert facts(house.path) == before
    shutil.rmtree(sums)
    elsewhere = QuickHouse(shutil.copy(house.path, tmp_path / "elsewhere.duckdb"))
    file = tmp_path / "vlm_PICSUMS_IMG_DEV_VAL_AR.tsv"
    file.write_text(_TSV, "utf-8")
    (report,) = elsewhere.ingest(file)
    assert report.datasets == ["MM-Sums/IMG/dev_val/ar"]
    assert report.models == ["vlm"]
    filed = elsewhere.sql(
        "SELECT q.question_key, a.level, a.name FROM main.question_ability "
        "JOIN main.question AS q USING (question_id) JOIN main.ability AS a USING (ability_id) ORDER BY 1"
    )
    assert filed.rows() == [("1", "subject", "Adding"), ("2", "subject", "Adding")]
    (board,) = elsewhere.leaderboard("mm-sums", level="field")
    assert (board.strategy, board.average, board.rounding) == ("vanilla", "macro", "half_even")
    assert board.columns == ("Overall", "Arithmetic")
    assert elsewhere.benchmark("MMSUMS").abilities[1].spellings == ("add",)
    # What one warehouse knows, another does not.
    with pytest.raises(UsageError, match=r"no folder of a benchmark 'mmsums' is known; there are "):
        QuickHouse(tmp_path / "none.duckdb").benchmark("mmsums")
    assert known_benchmarks.find("mmsums") is None


def test_levels_that_questions_tell(house: Warehouse, tmp_path: Path) -> None:
    text = _SUMS.partition("[[ability]]")[0]
    house.add_benchmark(_folder(tmp_path / "open_levels", text))
    file = tmp_path / "vlm_MMSUMS_TEST.tsv"
    file.write_text(_TSV.replace("\tadd\t", "\tcounting\t"), "utf-8")
    house.ingest(file)
    given = house.sql(
        "SELECT a.level, a.name, p.name FROM main.ability AS a LEFT JOIN main.ability AS p "
        "ON a.parent_id = p.ability_id ORDER BY a.ordinal"
    )
    assert given.rows() == [
        ("field", "arithmetic", None),
        ("subject", "counting", "arithmetic"),
        ("subject", "adding", "arithmetic"),
    ]


def test_several_abilities_of_an_open_question(house: Warehouse, tmp_path: Path) -> None:
    text = (
        'name = "Say"\ntask = "open"\nstrategy = "graded"\n[[level]]\nname = "skill"\ncolumns '
        '= ["skills"]\nseparator = ";"\n'
    )
    house.add_benchmark(_folder(tmp_path / "say", text))
    questions = tmp_path / "q.csv"
    questions.write_text("question_key,question,reference,skills\n1,Q,yes,see; read\n2,R,no,see\n")
    house.ingest(questions, benchmark="Say")
    filed = house.sql(
        "SELECT q.question_key, a.name FROM main.question_ability JOIN main.question AS q "
        "USING (question_id) JOIN main.ability AS a USING (ability_id) ORDER BY ALL"
    )
    assert filed.rows() == [("1", "read"), ("1", "see"), ("2", "see")]


def test_the_same_benchmark_with_other_names(house: Warehouse, sums: Path, tmp_path: Path) -> None:
    house.add_benchmark(sums)
    more = _SUMS.replace('"mmsums"', '"mmsums", "summe"').replace('["add"]', '["add", "plus"]')
    house.add_benchmark(_folder(tmp_path / "more", more))
    assert house.benchmark("summe").name == "MM-Sums"
    house.add_benchmark(sums)
    assert house.benchmark("summe").aliases == ("mmsums", "summe")
    assert house.sql("SELECT count(*) FROM main.benchmark").item() == 1
    assert "plus" in house.sql("SELECT spelling FROM main.ability_spelling").to_series()
    for number, (text, words) in enumerate(
        [
            (_SUMS.replace('"macro"', '"micro"'), "field average: is 'micro', and 'macro' in the"),
            (_SUMS.replace('name = "Adding"', 'name = "Add"'), "field ability: 'Add' is not as in"),
            (_SUMS.replace('"Arithmetic"', '"Sums"'), "field ability: 'Sums' is not as in"),
        ]
    ):  # fmt: skip
        _refused(house, _folder(tmp_path / f"other{number}", text), words)


def test_a_benchmark_that_has_questions_already(
    house: Warehouse, sums: Path, tmp_path: Path
) -> None:
    questions = tmp_path / "q.csv"
    questions.write_text("question_key,question,A,B,answer\n1,Q,a,b,A\n")
    house.ingest(questions, benchmark="MM-Sums")
    _refused(house, sums, "field strategy: is 'vanilla', and 'circular' in the warehouse")
    (sums / "benchmark.toml").write_text(
        _SUMS.replace('"vanilla"', '"circular"').replace('"macro"', '"micro"')
    )
    _refused(house, sums, "field ability: MM-Sums has questions already, filed under no ability")


@pytest.mark.parametrize("key", ["name", "aliases", "dataset.names"])
def test_names_of_another_benchmark(house: Warehouse, sums: Path, tmp_path: Path, key: str) -> None:
    old = {"name": '"MM-Sums"', "aliases": '"mmsums"', "dataset.names": '"PICSUMS_IMG"'}[key]
    text = _SUMS.replace(old, '"MMBench"')
    _refused(house, _folder(tmp_path / "bad", text), f"field {key}: 'mmbench' is MMBench already")
    house.add_benchmark(sums)
    if key != "name":
        text = _HEAD + {"aliases": 'aliases = ["mm-sums"]'}.get(
            key, "[[dataset]]\nnames = ['mm-sums']"
        )
        _refused(house, _folder(tmp_path / "worse", text), f"field {key}: 'mm-sums' is MM-Sums")


@pytest.mark.slow
def test_a_benchmark_goes_with_merges_and_exports(
    make_house: Callable[[str], Warehouse], sums: Path, tmp_path: Path
) -> None:
    one, two = make_house("one"), make_house("two")
    one.add_benchmark(sums)
    other = _SUMS.replace('["mmsums"]', '["summen"]').replace('"PICSUMS_IMG"', '"Bildsummen"')
    two.add_benchmark(_folder(tmp_path / "other", other))
    done = run("evalhouse", "merge", one.path, "--db", two.path, cwd=tmp_path)
    assert done.code == 0, done.err
    assert two.benchmark("mmsums").average == "macro"
    assert set(two.benchmark("summen").names) == {
        "mm-sums", "mmsums", "summen", "picsums_img", "bildsummen"
    }  # fmt: skip
    assert two.sql("SELECT count(*) FROM main.benchmark").item() == 1
    with two.reading() as con:
        assert [found.check for found in run_checks(con) if found.n] == []
    with one.reading(folders=[tmp_path]) as con:
        export_parquet(con, tmp_path / "export")
    import_parquet(tmp_path / "export", tmp_path / "back.duckdb")
    assert QuickHouse(tmp_path / "back.duckdb").benchmark("mmsums").average == "macro"


def test_abilities_as_lists_are_those_of_tables() -> None:
    short = _SUMS.partition("[[ability]]")[0].replace(
        'columns = ["discipline"]', 'abilities = ["Arithmetic"]\ncolumns = ["discipline"]'
    )
    short += '[level.abilities]\nArithmetic = [["Adding", "", "add"], ["Taking away", "Take"]]\n'
    more = '[[ability]]\nlevel = "subject"\nname = "Taking away"\nabbreviation = "Take"\n'
    whole = benchmark.parse(_SUMS + more + 'parent = "Arithmetic"\n', "whole")
    assert benchmark.parse(short, "short") == whole


# What a folder cannot say.


@pytest.mark.parametrize("what", IN_PLACE_OF_A_FILE)
@pytest.mark.parametrize("name", ["benchmark.toml", "judge.toml"])
def test_hostile_folders(sums: Path, what: str, name: str, tmp_path: Path) -> None:
    damage, words = IN_PLACE_OF_A_FILE[what]
    (sums / name).unlink(missing_ok=True)
    damage(sums / name)
    with in_time(), pytest.raises(EvalhouseError, match=words) as caught:
        QuickHouse(tmp_path / "w.duckdb").add_benchmark(sums)
    assert name in str(caught.value)
    assert SECRET not in str(caught.value)
    assert not (tmp_path / "w.duckdb").exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "field task: is missing"),
        (_HEAD + "aliasses = []", "field aliasses: is not known here; there are ability, aliases,"),
        (_HEAD.replace('"choice"', '"chess"'), "field task: 'chess' is none of choice, open"),
        (_HEAD.replace('"vanilla"', '"graded"'), "field strategy: 'graded' is none of circular, van"),
        (_HEAD.replace('"Own"', "3"), "field name: 3 is no text"),
        (_HEAD.replace('"Own"', '" "'), "field name: .* is blank"),
        (_HEAD.replace('"Own"', '"a\\u001bb"'), "field name: .* signs that do not print"),
        (_HEAD.replace('"Own"', '"' + "x" * 201 + '"'), "field name: has 201 characters"),
        (_HEAD.replace('"Own"', '"a/b"'), "field name: 'a/b' has a slash"),
        (_HEAD + "average = 3", "field average: 3 is no text"),
        (_HEAD + 'rounding = "down"', "field rounding: 'down' is none of half_up, half_even"),
        (_HEAD + 'aliases = "own"', "field aliases: is no list of texts"),
        (_HEAD + 'aliases = ["own1", "OWN1"]', "field aliases: 'own1' stands twice"),
        (_HEAD + "aliases = [[]]", r"field aliases: \[\] is no text"),
        (_HEAD + "languages = []", "field languages: is no table of texts"),
        (_HEAD + 'level = "l1"', r"field level: is written \[\[level\]\]"),
        (_HEAD + "[[dataset]]\nversion = 'x'", "row 1, field dataset.names: is missing"),
        (_HEAD + "[[dataset]]\nnames = ['own']", "row 1, field dataset.names: 'own' is a name already"),
        (_HEAD + "splits = []\n[[dataset]]\nnames = ['x']\nsplit = 'dev'", "row 1, field dataset.split: has no"),
        (_HEAD + "[[level]]\nname = 'a'\n[[level]]\nname = 'a'", "field level: 'a' stands twice"),
        (_HEAD + "[[level]]\nname = 'Overall'", "field level: there are 4 at most, and overall"),
        (_HEAD + "".join(f"[[level]]\nname = '{n}'\n" for n in range(5)), "field level: there are 4 at"),
        (_HEAD + "[[level]]\nname = 'a'\ncolumns = ['c']\nseparator = "
                 "','", "row 1, field level.separator: is for open"),
        (_HEAD + "macro_level = 'a'", "field macro_level: 'a' is no level of it"),
        (_HEAD + "[[ability]]\nlevel = 'a'\nname = 'x'\ncolour = 'red'", "row 1, field ability.colour: is not known"),
        (_HEAD + "[[level]]\nname = 'a'\n[[ability]]\nlevel = 'b'\nname = "
                 "'x'", "row 1, field ability.level: 'b' is no level"),
        (_HEAD + "[[ability]]\nlevel = 'a'\nname = 'x'\nparent = "
                 "'x'", "row 1, field ability.parent: 'x' is no ability above"),
        (_HEAD + "[[ability]]\nlevel = 'a'\nname = 'x'\nparts = "
                 "['y']", "row 1, field ability.parts: 'y' is no ability above"),
        (_HEAD + "[[ability]]\nlevel = 'a'\nname = 'x'\n[[ability]]\nlevel = 'a'\nname = "
                 "'X'", "row 2, field ability.name: 'x' stands for 'x' already"),
        (_HEAD + "[[ability]]\nlevel = 'a'\nname = 'x'\n[[ability]]\nlevel = 'a'\nname = "
                 "'y'\nspellings = ['X']", "row 2, field ability.spellings: 'x' stands for 'x'"),
        (_HEAD + "[[level]]\nname = 'a'\n[[level]]\nname = 'b'\ncolumns = "
                 "['b']\n[[ability]]\nlevel = 'a'\nname = 'x'", "row 2, field level.columns: are given, and no"),
        (_HEAD + "[[level]]\nname = 'a'\nabilities = 3", "row 1, field level.abilities: is a list, or lists"),
        (_HEAD + "[[level]]\nname = 'a'\nabilities = [3]", "row 1, field level.abilities.name: 3 is no text"),
        (_HEAD + "[[level]]\nname = 'a'\nabilities = [[]]", r"row 1, field level.abilities.name: \[\] is no"),
        (_HEAD + "[[level]]\nname = 'a'\nabilities = [['x', 'y', '']]", "field level.abilities.spellings: '' is"),
        (_HEAD + "[[level]]\nname = 'a'\nabilities = ['x', ['y', 'X']]", "field level.abilities.spellings: 'x' st"),
        (_HEAD + "[[level]]\nname = 'a'\n[[level]]\nname = 'b'\nabilities = { c = ['x'] }",
         "row 2, field level.abilities.parent: 'c' is no ability above"),
        (_HEAD + "[[level]]\nname = 'a'\napart = 1", "row 1, field level.apart: is neither true nor false"),
        (_HEAD + "harness = 3", r"field harness: is written \[harness.NAME\]"),
        (_HEAD + "[harness.x]\nkeys = ['id']", "field harness.x.keys: is not known here"),
        (_HEAD + "[harness.x]\nreferences = 'all'", "field harness.x.references: 'all' is none of lists"),
        (_HEAD + "[harness.x]\nsplit = 'a'", "field harness.x.split: has no group"),
        (_HEAD + "[harness.x]\nsplit = '('", "field harness.x.split: is no pattern"),
        (_HEAD + "[harness.x]\nsplit = '(a+)+'", "field harness.x.split: may never end"),
        (_HEAD + "[[harness.x.field]]\nname = 'a'", "row 1, field harness.x.field.of: is missing"),
        (_HEAD + "[[harness.x.field]]\nname = 'a'\nof = 'b'\nvalue = '\\2'", "row 1, field harness.x.field.value"),
        (_HEAD + "[[harness.x.field]]\nname = 'a'\nof = 'b'\nvalues = 1", "row 1, field harness.x.field.values: is no"),
    ],
)  # fmt: skip
def test_what_a_folder_cannot_say(tmp_path: Path, text: str, words: str) -> None:
    folder = _folder(tmp_path / "own", text)
    with pytest.raises(InputError, match=words) as caught:
        benchmark.load(folder)
    assert str(caught.value).startswith(str(folder / "benchmark.toml"))


def test_a_folder_that_holds_none(house: Warehouse, tmp_path: Path) -> None:
    _refused(house, tmp_path / "nowhere", r"is no benchmark: a folder of one holds benchmark\.toml")


def test_the_template_of_its_judge(house: Warehouse, sums: Path) -> None:
    (sums / "judge.toml").write_text(
        'name = "j"\nversion = "1"\ntask = "mark"\nuser = "{prediction}"\n'
    )
    _refused(house, sums, "'mark' is no task of a benchmark of choice")
    (sums / "judge.toml").write_text("name = 3\n")
    with pytest.raises(UsageError, match=r"judge\.toml, field name"):
        house.add_benchmark(sums)
    (sums / "judge.toml").write_text(
        'name = "j"\nversion = "1"\ntask = "choice_extraction"\nuser = "{prediction}"\n'
    )
    house.add_benchmark(sums)
    shutil.rmtree(sums)
    given = run(
        "evalhouse", "benchmarks", "show", "mmsums", "--judge", "--db", house.path, cwd=sums.parent
    )
    assert given.out.startswith('name = "j"\n')
    none = run("evalhouse", "benchmarks", "show", "MM-Vet", "--judge", cwd=sums.parent)
    assert (none.code, "MM-Vet has no template of its own" in none.err) == (2, True)


@pytest.mark.parametrize(
    "files", [None, 3, {}, {"benchmark.toml": 3}, {"benchmark.toml": "name = 3"}]
)
def test_a_warehouse_that_holds_a_broken_one(
    house: Warehouse, files: object, tmp_path: Path
) -> None:
    with house.writing() as con, transaction(con):
        flags = {} if files is None else {"files": files}
        sources.add(
            con, sources.Source("own/benchmark.toml", "0", 1, "benchmark_toml", 1, flags, 0)
        )
    with pytest.raises(InputError, match=r"own/benchmark\.toml \(source 1 of the warehouse\)"):
        house.benchmark("MMBench")
    # What does not depend on it works.
    assert house.sql("SELECT count(*) FROM main.source").item() == 1


# The commands.


@pytest.mark.slow
def test_the_commands(sums: Path, tmp_path: Path) -> None:
    def said(*words: object, code: int = 0) -> str:
        done = run("evalhouse", "benchmarks", *words, cwd=tmp_path)
        assert done.code == code, done.err
        return done.out if code == 0 else done.err

    assert "MM-Sums" not in said()
    assert said("add", sums) == "MM-Sums is known: 2 abilities, 3 names\n"
    listed = said("list")
    assert ("MM-Sums" in listed, "the warehouse" in listed) == (True, True)
    shown = said("show", "mmsums")
    assert "picsums_img: MM-Sums/IMG" in shown
    assert "subject (columns category): Adding" in shown
    assert said("show", "mmsums", "--toml").strip() == _SUMS.strip()
    assert "no folder of a benchmark 'x' is known" in said("show", "x", code=2)
    assert "is no benchmark" in said("add", tmp_path, code=2)
