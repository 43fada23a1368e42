"""MM-Vet's official files, out and in: the real ones to the byte, and everything that they cannot say."""

from __future__ import annotations

import csv
import json
import random
import shutil
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import pytest
from typer.testing import CliRunner

from evalhouse import InputError, UsageError, Warehouse
from evalhouse.cli import app
from ingest import formats
from queries.mmvet_export import RunFiles, figures, file_name, mmvet_files
from tests.tables import facts, write_jsonl

_REAL = ("mm-vet", "llava-v1.5-7b", "llava-v1.5-7b_gpt-4-grade-3runs")


def _write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def _grades(scores: dict[str, list[float | str]], judge: str = "gpt-4") -> dict[str, Any]:
    """A grade file's content; a text is a reply that the official script could not read: 0.0."""
    return {
        key: {
            "model": [judge] * len(of_key),
            "content": [str(one) for one in of_key],
            "score": [0.0 if isinstance(one, str) else one for one in of_key],
        }
        for key, of_key in scores.items()
    }


def _small(
    house: Warehouse,
    folder: Path,
    scores: dict[str, list[float | str]],
    *,
    capabilities: dict[str, list[str]] | None = None,
    model: str = "vlm",
    answers: dict[str, str] | None = None,
) -> None:
    """A few questions of MM-Vet, a model's answers and its grades."""
    questions = {
        key: {
            "question": f"Q {key}",
            "answer": "yes",
            "capability": (capabilities or {}).get(key, ["ocr"]),
        }
        for key in scores
    }
    said = {key: f"so {key}" for key in scores} if answers is None else answers
    house.ingest(_write(folder / "mm-vet.json", questions))
    house.ingest(_write(folder / f"{file_name(model)}.json", said), model=model)
    graded = {key: of_key for key, of_key in scores.items() if of_key}
    house.ingest(
        _write(folder / f"{file_name(model)}_gpt-4-grade-9runs.json", _grades(graded)), model=model
    )


def _export(house: Warehouse, **choices: Any) -> tuple[RunFiles, ...]:
    with house.reading() as con:
        return mmvet_files(con, **choices)


def _totals(house: Warehouse) -> list[tuple[Any, ...]]:
    return house.sql(
        "SELECT model, judge, judge_sample, level, ability, n, round(total, 9) FROM sample_total ORDER BY ALL"
    ).rows()


# Out.


def test_the_real_files_to_the_byte(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    real = shared / "real/mmvet"
    house.ingest(*(real / f"{name}.json" for name in _REAL))
    folder = tmp_path / "out"
    done = CliRunner().invoke(app, ["export", "mmvet", "--db", str(house.path), "-o", str(folder)])
    assert done.exit_code == 0, done.output
    assert "31.1 ± 0.2, 218 questions × 3 judge samples" in done.output
    names = sorted(path.name for path in folder.iterdir())
    assert names == [
        "llava-v1.5-7b_gpt-4-cap-int-score-3runs.csv",
        "llava-v1.5-7b_gpt-4-cap-score-3runs.csv",
        "llava-v1.5-7b_gpt-4-grade-3runs.json",
    ]
    for name in names:
        assert (folder / name).read_bytes() == (real / name).read_bytes(), name


@pytest.mark.slow
def test_out_and_in_again(
    house: Warehouse, make_house: Callable[[str], Warehouse], shared: Path, tmp_path: Path
) -> None:
    real = shared / "real/mmvet"
    house.ingest(*(real / f"{name}.json" for name in _REAL))
    for one in _export(house):
        for name, text in one.files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
    again = make_house("again")
    again.ingest(real / "mm-vet.json", real / "llava-v1.5-7b.json", *tmp_path.glob("llava*"))
    assert _totals(again) == _totals(house)
    compared = again.sql(
        "SELECT is_same, coalesce(is_same_spread, true), abs(difference) <= 0.05 + 1e-9 "
        "FROM published_difference"
    )
    assert compared.rows() == [(True, True, True)] * (1 + 6 + 16)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_against_plain_python(house: Warehouse, tmp_path: Path, seed: int) -> None:
    """Random grades and capabilities: figures, order of columns, names of sets."""
    pick = random.Random(seed)
    n_runs = pick.choice([1, 3, 5])
    keys = [f"v1_{n}" for n in range(pick.choice([8, 12, 40]))]
    names = ["rec", "ocr", "know", "gen", "spat", "math"]
    filed = {key: pick.sample(names, pick.randrange(1, 4)) for key in keys}
    scores: dict[str, list[float | str]] = {
        key: [pick.randrange(11) / 10 for _ in range(n_runs)] for key in keys
    }
    _small(house, tmp_path, scores, capabilities=filed)
    ((made),) = _export(house)
    by_suffix = {name.split("-4-")[1]: text for name, text in made.files.items()}
    assert json.loads(by_suffix[f"grade-{n_runs}runs.json"]) == _grades(scores)
    exact = {key: [Decimal(str(one)) for one in of_key] for key, of_key in scores.items()}
    for suffix, ability_of in (
        ("cap-score", {key: set(of_key) for key, of_key in filed.items()}),
        ("cap-int-score", {key: {"_".join(sorted(of_key))} for key, of_key in filed.items()}),
    ):
        header, row = csv.reader(by_suffix[f"{suffix}-{n_runs}runs.csv"].splitlines())
        assert (header[0], header[-3:], row[0]) == ("", ["total", "std", "runs"], "vlm")
        columns = ["_".join(sorted(name.split("_"))) for name in header[1:-3]]
        counts = [sum(name in ability_of[key] for key in keys) for name in columns]
        assert counts == sorted(counts, reverse=True)
        assert set(columns) == set().union(*ability_of.values())
        for name, printed in zip([*columns, "total"], row[1:-2], strict=True):
            of_ability = [key for key in keys if name == "total" or name in ability_of[key]]
            mean = sum(one for key in of_ability for one in exact[key]) * 100 / len(of_ability) / n_runs  # fmt: skip
            near = abs(Decimal(printed) - mean)
            assert near <= Decimal("0.05") + Decimal("1e-9"), (name, printed, mean)
            if near < Decimal("0.0499999"):
                assert printed == str(mean.quantize(Decimal("0.1"), ROUND_HALF_EVEN))
        totals = [fmean(float(exact[key][place]) for key in keys) * 100 for place in range(n_runs)]
        assert float(row[-2]) == pytest.approx(pstdev(totals), abs=0.0501)
        assert json.loads(row[-1]) == [pytest.approx(one, abs=0.0501) for one in totals]


def test_ties_are_rounded_as_floats_are() -> None:
    assert figures([24.25]) == (24.2, 0.0)
    assert figures([46.5, 46.0, 46.25]) == (46.2, 0.2)
    assert figures([24.75]) == (24.8, 0.0)


@pytest.mark.slow
def test_pending_grades_are_no_zeros(house: Warehouse, tmp_path: Path) -> None:
    _small(house, tmp_path, {"a": [0.5, 1.0], "b": [1.0, "good"], "c": []})
    with pytest.raises(UsageError, match=r"vlm \(vlm\): 3 pending.*--pending-as-zero"):
        _export(house)
    (made,) = _export(house, pending_as_zero=True)
    assert made.n_pending == 3
    assert made.sample_totals == (1.5 / 3 * 100, 1.0 / 3 * 100)
    grades = json.loads(next(text for name, text in made.files.items() if "grade" in name))
    assert grades["b"] == {"model": ["gpt-4"] * 2, "content": ["1.0", "good"], "score": [1.0, 0.0]}
    assert grades["c"] == {"model": ["gpt-4"] * 2, "content": ["", ""], "score": [0.0, 0.0]}
    folder = str(tmp_path / "out")
    command = ["export", "mmvet", "--db", str(house.path), "-o", folder]
    refused = CliRunner().invoke(app, command)
    assert isinstance(refused.exception, UsageError)
    assert not Path(folder).exists()
    flagged = CliRunner().invoke(app, [*command, "--pending-as-zero"])
    assert "NOTE: 3 grades are not there and stand in the files as 0.0" in flagged.output


@pytest.mark.slow
def test_blank_and_missing_answers(house: Warehouse, tmp_path: Path) -> None:
    """They score 0 in the totals, and nobody judged them: they are not in the grade file."""
    scores: dict[str, list[float | str]] = {"a": [1.0], "b": [0.3], "c": [], "d": []}
    _small(house, tmp_path, scores, answers={"a": "so", "b": " ", "c": ""})
    (made,) = _export(house)
    assert (made.n_pending, made.n_missing, made.n_blank, made.sample_totals) == (0, 1, 2, (25.0,))
    grades = json.loads(next(text for name, text in made.files.items() if "grade" in name))
    assert grades == _grades({"a": [1.0]})
    done = CliRunner().invoke(app, ["export", "mmvet", "--db", str(house.path), "-o", str(tmp_path / "o")])  # fmt: skip
    assert "answers that score 0 without a judge: 1 missing, 2 blank" in done.output


@pytest.mark.slow
def test_file_names_are_safe(house: Warehouse, tmp_path: Path) -> None:
    _small(house, tmp_path, {"a": [0.5]}, model="../liuhaotian/llava:7b")
    (made,) = _export(house)
    assert all("/" not in name and not name.startswith(".") for name in made.files)
    assert made.is_renamed
    score_file = next(text for name, text in made.files.items() if "cap-score" in name)
    assert score_file.splitlines()[1].startswith("../liuhaotian/llava:7b,50.0,")
    assert [file_name(name) for name in ("..", "a b", "名", "x" * 300)] == ["_", "a_b", "名", "x" * 100]  # fmt: skip
    # Two models that would be written to the same file.
    _write(tmp_path / "other.json", {"a": "so too"})
    house.ingest(tmp_path / "other.json", model="._liuhaotian_LLaVA_7b")
    path = _write(tmp_path / "other_gpt-4-grade-1runs.json", _grades({"a": [0.5]}))
    house.ingest(path, model="._liuhaotian_LLaVA_7b")
    with pytest.raises(UsageError, match="would both be written"):
        _export(house)
    assert _export(house, model="../liuhaotian/llava:7b") == (made,)


@pytest.mark.slow
def test_a_file_with_other_content_stays(house: Warehouse, tmp_path: Path) -> None:
    _small(house, tmp_path, {"a": [0.5]})
    folder = tmp_path / "out"
    command = ["export", "mmvet", "--db", str(house.path), "-o", str(folder)]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert CliRunner().invoke(app, command).exit_code == 0
    paid = folder / "vlm_gpt-4-cap-score-1runs.csv"
    (folder / "vlm_gpt-4-cap-int-score-1runs.csv").unlink()
    paid.write_text("other", encoding="utf-8")
    refused = CliRunner().invoke(app, command)
    assert "is there with other content" in str(refused.exception)
    assert paid.read_text(encoding="utf-8") == "other"
    assert len(list(folder.iterdir())) == 2
    assert CliRunner().invoke(app, [*command, "--overwrite"]).exit_code == 0
    assert len(list(folder.iterdir())) == 3
    refused = CliRunner().invoke(app, [*command[:-1], str(paid)])
    assert "is no folder" in str(refused.exception)


@pytest.mark.slow
def test_which_runs_and_subsets(house: Warehouse, tmp_path: Path) -> None:
    scores: dict[str, list[float | str]] = {"a": [0.5], "b": [1.0], "c": [0.0]}
    _small(house, tmp_path, scores, capabilities={"a": ["math"], "b": ["ocr"], "c": ["ocr"]})
    house.ingest(_write(tmp_path / "2/vlm.json", dict.fromkeys("abc", "no")), run="second")
    path = _write(tmp_path / "2/vlm_gpt-4-grade-1runs.json", _grades({key: [1.0] for key in "abc"}))
    house.ingest(path, run="second")
    assert [(one.run, one.sample_totals) for one in _export(house)] == [("second", (100.0,))]
    (first,) = _export(house, run="vlm", model="vlm")
    assert first.sample_totals == (50.0,)
    for choices, words in (
        ({"model": "no"}, "no model 'no'"),
        ({"run": "third"}, "no run of MM-Vet fits"),
        ({"judge": "X"}, "no judge 'X'"),
        ({"subset": "bard_set"}, "has no subset 'bard_set'; there are none"),
    ):
        with pytest.raises(UsageError, match=words):
            _export(house, **choices)
    with house.writing() as con:
        con.execute(
            "INSERT INTO main.dataset_subset (subset_id, dataset_id, name, source_id) VALUES (1, 1, 'bard_set', 1)"
        )
        con.execute(
            "INSERT INTO main.subset_question (subset_id, question_id, source_id) "
            "SELECT 1, question_id, 1 FROM main.question WHERE question_key IN ('b', 'c')"
        )
    (part,) = _export(house, run="vlm", subset="bard_set")
    assert (part.n, part.sample_totals) == (2, (50.0,))
    assert part.files == {
        f"vlm_bardset_gpt-4-{kind}-1runs.csv": ",ocr,total,std,runs\nvlm,50.0,50.0,0.0,[50.0]\n"
        for kind in ("cap-score", "cap-int-score")
    }


def test_an_answer_asked_for_twice_has_no_place_in_the_files(
    house: Warehouse, tmp_path: Path
) -> None:
    _small(house, tmp_path, {"a": [0.5]})
    rows = [{"question_key": "a", "sample": n, "prediction": "so a"} for n in (0, 1)]
    house.ingest(write_jsonl(tmp_path / "twice.jsonl", rows), benchmark="MM-Vet", model="twice")
    with pytest.raises(UsageError, match="twice answered each question 2 times"):
        _export(house, pending_as_zero=True)


# In.


@pytest.mark.slow
def test_published_scores_beside_ours(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    real = shared / "real/mmvet"
    house.ingest(*(real / f"{name}.json" for name in _REAL))
    lines = (real / "llava-v1.5-7b_gpt-4-cap-score-3runs.csv").read_text().splitlines()
    copy = tmp_path / "llava-v1.5-7b_gpt-4-cap-score-3runs.csv"
    # Other models' rows with another number of runs; one that is off by a digit, in NumPy 2's words.
    wrong = lines[1].replace("36.8", "36.9").replace("31.1,0.2", "31.2,0.3")
    wrong = wrong.replace("[31.2, 30.8, 31.2]", "[np.float64(31.2), np.float64(31.2)]")
    copy.write_text(
        "\n".join([*lines, "other,1.0,2.0,3,4.0,5.0,,13.4,0.0,[13.4]"]) + "\n", encoding="utf-8"
    )
    (report,) = house.ingest(copy)
    assert report.format == "mmvet_scores"
    assert report.loaded == ["13 published scores of 2 models", "1 empty cell is no score"]
    assert house.ingest(copy)[0].already
    house.install_release("paper_v1")
    rows = house.sql(
        "SELECT abbreviation, published, published_spread, published_samples, judge, round(total, 4), "
        "round(difference, 4), is_same, is_same_spread FROM published_difference "
        "WHERE model = 'llava-v1.5-7b' ORDER BY ability_ordinal LIMIT 2",
        release="paper_v1",
    )
    assert rows.rows() == [
        ("Overall", "31.1", "0.2", "[31.2, 30.8, 31.2]", "gpt-4", 31.1009, 0.0009, True, True),
        ("Rec", "36.8", None, None, "gpt-4", 36.8222, 0.0222, True, None),
    ]
    other = house.sql(
        "SELECT published, dataset, run_id, total, is_same FROM published_difference WHERE model = "
        "'other' ORDER BY ability_ordinal",
        release="paper_v1",
    )
    assert other.rows() == [
        (one, None, None, None, None) for one in ("13.4", "1.0", "2.0", "3", "4.0", "5.0")
    ]
    changed = tmp_path / "changed.csv"
    changed.write_text(f"{lines[0]}\n{wrong}\n", encoding="utf-8")
    house.ingest(changed)
    differing = house.sql(
        "SELECT abbreviation, published, is_same, is_same_spread, published_samples FROM "
        "published_difference WHERE NOT is_same OR NOT is_same_spread ORDER BY ability_ordinal",
        release="paper_v1",
    )
    assert differing.rows() == [
        ("Overall", "31.2", False, False, "[31.2, 31.2]"),
        ("Rec", "36.9", False, None, None),
    ]


def test_sets_of_capabilities_have_no_order(house: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(",rec_ocr,rec,total,std,runs\nvlm,5,7.25,6.5,0,[6.5]\n", encoding="utf-8")
    house.ingest(path)
    house.install_release("paper_v1")
    rows = house.sql(
        "SELECT level, ability, published FROM published_difference ORDER BY ability_ordinal",
        release="paper_v1",
    )
    assert rows.rows() == [
        ("overall", "Overall", "6.5"),
        ("integration", "rec", "7.25"),
        ("integration", "ocr_rec", "5"),
    ]


_HEADER = ",rec,ocr,total,std,runs\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "row", "field", "words"),
    [
        (",rec,dancing,total,std,runs\nvlm,1,2,3,0,[3]\n", 0, "dancing", "is no capability"),
        (",rec,dancing_ocr,total,std,runs\nvlm,1,2,3,0,[3]\n", 0, "dancing_ocr", "is no set of"),
        (",ocr_rec,rec_ocr,total,std,runs\nvlm,1,2,3,0,[3]\n", 0, "rec_ocr", "same set as ocr_rec"),
        (_HEADER + "vlm,1,x,3,0,[3]\n", 1, "ocr", "'x' is no number"),
        (_HEADER + "vlm,1,٣٦,3,0,[3]\n", 1, "ocr", "'٣٦' is no number"),
        (_HEADER + "vlm,1,2,,0,[3]\n", 1, "total", "'' is no number"),
        (_HEADER + "vlm,1,2,nan,0,[3]\n", 1, "total", "'nan' is no number"),
        (_HEADER + "vlm,1,2,3,-1,[3]\n", 1, "std", "'-1' is no number"),
        (_HEADER + "vlm,1,200,3,0,[3]\n", 1, "ocr", "no number from 0 to 100"),
        (_HEADER + "vlm,1,2,3,0,3\n", 1, "runs", "'3' is no list"),
        (_HEADER + "vlm,1,2,3,0,[x]\n", 1, "runs", "no list of numbers"),
        (_HEADER + "vlm,1,2,3,0,[]\n", 1, "runs", "no list of numbers"),
        (_HEADER + "vlm,1,2,3,0,[3]\nvlm,1,2,3,0,[3]\n", 2, "model", "vlm stands twice"),
        (_HEADER + "vlm,1,2,3,0,[3]\nalias,1,2,3,0,[3]\n", 2, "model", "alias stands twice, as vlm"),
        (_HEADER + ",1,2,3,0,[3]\n", 1, "model", "is empty"),
        (_HEADER + "vlm,1,2,3,0\n", 1, "runs", "has 5 fields where the header names 6"),
        (",rec,rec,total,std,runs\nvlm,1,2,3,0,[3]\n", 0, "rec", "stands twice in the header"),
        (",rec,ocr,total,runs\nvlm,1,2,3,[3]\n", None, None, "is in no format that is known here"),
        (_HEADER, None, None, "no rows"),
    ],
)  # fmt: skip
def test_bad_score_files(
    house: Warehouse, tmp_path: Path, content: str, row: int | None, field: str | None, words: str
) -> None:
    known = tmp_path / "models.csv"
    known.write_text("name,aliases\nvlm,alias\n", encoding="utf-8")
    house.ingest(known)
    path = tmp_path / "scores.csv"
    path.write_text(content, encoding="utf-8")
    before = facts(house.path)
    with pytest.raises(InputError) as caught:
        house.ingest(path)
    assert words in str(caught.value)
    assert (caught.value.row, caught.value.field) == (row, field), str(caught.value)
    assert facts(house.path) == before


def test_score_files_that_are_of_something_else(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    real = shared / "real/mmvet/llava-v1.5-7b_gpt-4-cap-score-3runs.csv"
    subset = tmp_path / "llava-v1.5-7b_bardset_gpt-4-cap-score-3runs.csv"
    shutil.copy(real, subset)
    for path, choices, words in (
        (subset, {}, "of a subset"),
        (real, {"benchmark": "MMBench"}, "is a score file of MM-Vet"),
        (real, {"model": "vlm"}, "leave --model out"),
    ):
        with pytest.raises(InputError, match=words):
            house.ingest(path, **choices)
    assert house.sql("SELECT count(*) FROM main.published_score").item() == 0
    assert "mmvet_scores" in {adapter.name for adapter in formats.ADAPTERS}
