"""`evalhouse releases diff A B --benchmark NAME`: why two harnesses' rules disagree about a model."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from evalhouse import UsageError, Warehouse
from queries import compare
from queries import release as releases
from tests.commands import run
from tests.conftest import ROOT
from tests.houses import QuickHouse

KIT, LMMS = "vlmevalkit_field_e8e78f0", "lmms_eval"
_BENCHMARKS = ("MMMU", "MMStar", "POPE", "ChartQA")
_OF_KIT = {"MMMU": "MMMU_DEV_VAL", "ChartQA": "ChartQA_TEST"}


@pytest.fixture(scope="module")
def houses(
    shared: Path, new_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Warehouse]:
    """Answers that each of the harnesses wrote, of all four benchmarks."""
    folder = tmp_path_factory.mktemp("explain")
    formats = shared / "formats"
    names = [_OF_KIT.get(name, name) for name in _BENCHMARKS]
    for name in names:
        for path in (formats / "vlmevalkit_field/outputs").glob(f"*/T202601*/*_{name}.*"):
            if path.suffix in (".xlsx", ".tsv", ".json"):
                target = folder / "kit" / path.parent.parent.name / path.parent.name
                target.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
    for name in ("mmmu_val", "mmstar", "pope", "chartqa"):
        for path in (formats / "lmms_field/lmms_out").glob(f"*/*_samples_{name}.jsonl"):
            target = folder / "lmms" / path.parent.name
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    found: dict[str, Warehouse] = {}
    for name in ("kit", "lmms"):
        shutil.copy(new_file, folder / f"{name}.duckdb")
        found[name] = QuickHouse(folder / f"{name}.duckdb")
        outcomes = list(found[name].ingest_many(folder / name))
        assert [str(one.error) for one in outcomes if one.error] == []
    return found


@pytest.mark.slow
@pytest.mark.parametrize("files", ["kit", "lmms"])
def test_flips_add_up_to_what_the_boards_differ_by(
    houses: dict[str, Warehouse], files: str
) -> None:
    one, other = releases.load(KIT), releases.load(LMMS)
    n_flips = 0
    with houses[files].reading() as con:
        for name in _BENCHMARKS:
            why = compare.explain(con, one, other, name)
            assert why.boards.height >= 2
            for row in why.boards.rows(named=True):
                whole = row["points after"] - row["points before"]
                assert row["points"] == pytest.approx(whole, abs=1e-9), (name, row)
                if row["before"] is None or row["after"] is None:
                    # VLMEvalKit gives the reference nan to questions that have none.
                    assert (files, name) in {("kit", "MMMU"), ("kit", "ChartQA")}
                    continue
                assert row["before"] * row["of"] == pytest.approx(row["points before"], abs=1e-9)
                assert row["after"] * row["of after"] == pytest.approx(
                    row["points after"], abs=1e-9
                )
                assert row["of"] == row["of after"]
                assert row["difference"] == pytest.approx(whole / row["of"], abs=1e-9)
            total = sum(why.boards["points"].to_list())
            assert sum(why.kinds["points"].to_list()) == pytest.approx(total, abs=1e-9)
            assert 0 <= why.n_judged <= why.n_flips
            scored = why.kinds.filter(why.kinds["change"] != "same score")
            assert sum(scored["answers"].to_list()) == why.n_flips
            assert why.examples.height > 0 or why.n_flips == 0
            n_flips += why.n_flips
    assert n_flips > 20


@pytest.mark.slow
def test_a_release_is_as_itself(houses: dict[str, Warehouse]) -> None:
    with houses["lmms"].reading() as con:
        why = compare.explain(con, releases.load(LMMS), releases.load(LMMS), "pope")
    assert (why.n_flips, why.kinds.height, why.examples.height) == (0, 0, 0)
    assert why.boards["difference"].to_list() == [0, 0]


@pytest.mark.slow
def test_the_letters_that_a_harness_drew(houses: dict[str, Warehouse]) -> None:
    """Under the harness's own release they decide, where its judge is asked for."""
    with houses["lmms"].reading() as con:
        why = compare.explain(
            con,
            releases.load("field_v2"),
            releases.load(LMMS),
            "MMMU",
            judge="none",
            judge_after="lmms-eval draw",
        )
        with pytest.raises(UsageError, match="no judge 'nobody'"):
            compare.explain(
                con, releases.load("field_v2"), releases.load(LMMS), "MMMU", judge="nobody"
            )
        with pytest.raises(UsageError, match="no benchmark 'Nothing'"):
            compare.explain(con, releases.load("field_v2"), releases.load(LMMS), "Nothing")
    assert [round(score, 9) for score in why.boards["after"].to_list()] == [0.36, 0.6]
    assert "random" in why.kinds["how_after"].to_list()


@pytest.mark.slow
def test_the_command(houses: dict[str, Warehouse], tmp_path: Path) -> None:
    words = ("evalhouse", "releases", "diff", "field_v2", LMMS, "--db", houses["lmms"].path)
    done = run(*words, "--benchmark", "ChartQA", "--examples", "1", cwd=tmp_path)
    assert done.code == 0, done.err
    assert "before: field_v2, judge none; after: lmms_eval, judge none" in done.out
    assert "3 answers have another score; one of the two reads nothing in 0 of them" in done.out
    assert "$553" in done.out
    refused = run(*words, "--judge", "x", cwd=tmp_path)
    assert refused.code != 0
    assert "--judge and --judge-after are for --benchmark" in refused.err


@pytest.mark.slow
def test_the_commands_of_the_pages(shared: Path, tmp_path: Path) -> None:
    """As a reader does what they say; `lmms_out` is one model's folder here."""
    source = shared / "formats/lmms_field/lmms_out/acme__Lynx-VL-2B"
    for path in (*source.glob("*_samples_mmstar.jsonl"), *source.glob("*_041630_results.json")):
        (tmp_path / "lmms_out" / source.name).mkdir(parents=True, exist_ok=True)
        shutil.copy(path, tmp_path / "lmms_out" / source.name)
    said = []
    for page in ("harnesses.md", "releases.md"):
        text = (ROOT / "docs" / page).read_text("utf-8")
        for line in re.findall(r"^\$ (.* --db field\.duckdb)$", text, re.MULTILINE):
            done = run(*shlex.split(line), cwd=tmp_path)
            assert done.code == 0, (line, done.err)
            said.append(done.out)
    assert len(said) == 5
    assert re.search(r"mmstar +average,none +0\.278664 +0\.278664 +True", said[2])
    assert re.search(r"MMStar +acme/Lynx-VL-2B +20261123_041630 +0\.3 +0\.29 +-0\.01", said[4])
