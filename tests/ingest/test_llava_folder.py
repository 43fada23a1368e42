"""LLaVA's evaluation folder: MME's results, POPE's labels, MMBench's upload, and the answers to all of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evalhouse import InputError, Warehouse
from ingest.readers import mme
from ingest.reading.head import Head
from tests.tables import write_jsonl

_SHORT = "Answer the question using a single word or phrase."
_YES_NO = "Please answer yes or no."
_LABELS = ("yes", "no", "yes", "no")


def _mme(
    top: Path, model: str, category: str, said: Sequence[str | None], ending: str = "png"
) -> Path:
    """A category's file: two questions an image, the first of which is right."""
    path = top / model / f"{category}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "".join(
            "\t".join(
                [f"i{n // 2}.{ending}", f"Is it {'no' * (n % 2)}thing {n // 2}? {_YES_NO}", ("Yes", "No")[n % 2]]
                + ([] if text is None else [text])
            )
            + "\n"
            for n, text in enumerate(said)
        )
    )  # fmt: skip
    return path


def _answer(key: object, prompt: str, text: str, model: str = "vlm") -> dict[str, Any]:
    return {
        "question_id": key,
        "prompt": f"{prompt}\n{_SHORT}",
        "text": text,
        "answer_id": "x",
        "model_id": model,
        "metadata": {},
    }


def _mme_answers(path: Path, category: str, said: Sequence[str]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return write_jsonl(
        path,
        [
            _answer(f"{category}/images/i{n // 2}.png", f"Is it {'no' * (n % 2)}thing {n // 2}?", text)
            for n, text in enumerate(said)
        ],
    )  # fmt: skip


def _labels(path: Path, labels: Sequence[str] = _LABELS) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        {"question_id": n, "image": f"{n}.jpg", "text": _asked(path.stem, n), "label": label}
        for n, label in enumerate(labels, start=1)
    ]
    # POPE's own have the line ends of Windows.
    path.write_bytes("".join(json.dumps(row) + "\r\n" for row in rows).encode())
    return path


def _asked(name: str, n: int) -> str:
    return f"Is there a {name.replace('_', ' ')} {n} in the image?"


def _pope_answers(path: Path, of: Mapping[int, tuple[str, int]], said: str = "Yes") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [_answer(key, _asked(name, n), said) for key, (name, n) in of.items()]
    return write_jsonl(path, rows)


def _figures(house: Warehouse, figure: str, level: str) -> dict[tuple[str, str], float | None]:
    rows = house.sql(
        f"SELECT dataset, ability, score FROM benchmark_score WHERE figure = '{figure}' "
        f"AND level = '{level}' AND judge = 'none' AND is_latest"
    ).rows()
    return {(dataset, ability): score for dataset, ability, score in rows}


def _runs(house: Warehouse) -> list[tuple[str, str, str, int]]:
    return house.sql(
        "SELECT m.name, d.name, r.label, count(*) FROM main.run AS r JOIN main.model AS m USING (model_id) "
        "JOIN main.dataset AS d USING (dataset_id) JOIN main.prediction AS p USING (run_id) "
        "WHERE r.superseded_by IS NULL GROUP BY ALL ORDER BY ALL"
    ).rows()  # fmt: skip


@pytest.mark.slow
def test_the_folder_of_the_field(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    shutil.copytree(
        shared / "field/R2-llava-playground/eval", tmp_path / "eval", copy_function=shutil.copyfile
    )
    outcomes = list(house.ingest_many(tmp_path / "eval"))
    assert [str(one.error) for one in outcomes if one.error] == []
    left = {one.file.path.name for one in outcomes if one.left}
    assert left == {"POPE_results.txt", "llava_mme.jsonl"}
    assert _runs(house) == [
        ("vlm-a", "MMBench/20230712/dev", "vlm-a", 6),
        ("vlm-a", "MME/official", "vlm-a", 6),
        ("vlm-a", "POPE/coco", "vlm-a", 4),
    ]
    # 75 + 50 of OCR, 50 + 0 of color.
    assert _figures(house, "Overall", "group") == {("MME/official", "Perception"): 175}
    assert _figures(house, "acc_plus", "category")["MME/official", "OCR"] == 50
    pope = _figures(house, "Overall", "category")["POPE/coco", "random"]
    assert pope == pytest.approx(200 / 3)
    board = house.sql(
        "SELECT score FROM leaderboard WHERE benchmark = 'MMBench' AND level = 'overall' "
        "AND strategy = 'circular' AND average = 'micro' AND judge = 'none'"
    )
    assert board.rows() == [(1.0,)]


# MME.


@pytest.mark.slow
def test_the_files_of_a_folder_are_a_run(house: Warehouse, tmp_path: Path) -> None:
    _mme(tmp_path, "vlm", "existence", ["Yes", "No", "yes, it is", "Yes"])
    _mme(tmp_path, "vlm", "code_reasoning", ["No", "No"])
    _mme(tmp_path, "other", "existence", ["Yes", "Yes", "Yes", "Yes"])
    outcomes = list(house.ingest_many(tmp_path))
    assert [str(one.error) for one in outcomes if one.error] == []
    assert _runs(house) == [("other", "MME/official", "other", 4), ("vlm", "MME/official", "vlm", 6)]  # fmt: skip
    scores = house.sql(
        "SELECT model, ability, score FROM benchmark_score WHERE figure = 'score' AND level = 'category' "
        "AND judge = 'none' ORDER BY ALL"
    ).rows()  # fmt: skip
    assert scores == [
        ("other", "code_reasoning", 0),
        ("other", "existence", 50),
        ("vlm", "code_reasoning", 50),
        ("vlm", "existence", 125),
    ]
    # Once more, and nothing is new.
    again = list(house.ingest_many(tmp_path))
    assert all(one.report and one.report.already for one in again)


def test_other_answers_of_a_category(house: Warehouse, tmp_path: Path) -> None:
    """A file that was written anew takes the place of its own category alone."""
    for category in ("color", "OCR"):
        house.ingest(_mme(tmp_path, "vlm", category, ["Yes", "No"]))
    path = _mme(tmp_path, "vlm", "OCR", ["No", "No"])
    with pytest.raises(InputError, match="has another answer in an earlier part of run vlm"):
        house.ingest(path)
    house.ingest(path, replace=True)
    said = house.sql(
        "SELECT q.question_key, p.text FROM main.prediction AS p JOIN main.question AS q USING (question_id) "
        "JOIN main.run AS r USING (run_id) WHERE r.superseded_by IS NULL ORDER BY 1"
    ).rows()  # fmt: skip
    assert said == [
        ("OCR/i0 Is it nothing 0?", "No"),
        ("OCR/i0 Is it thing 0?", "No"),
        ("color/i0 Is it nothing 0?", "No"),
        ("color/i0 Is it thing 0?", "Yes"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("category", ["commonsense_reasoning", "ocr", "landmark"])
def test_a_template_without_answers_is_the_questions(
    house: Warehouse, tmp_path: Path, category: str
) -> None:
    _mme(tmp_path, "Your_Results", category, [None] * 4)
    _mme(tmp_path, "vlm", category, ["Yes", "No"], "jpg")
    assert not [one.error for one in house.ingest_many(tmp_path) if one.error]
    ((n, n_missing, ability),) = house.sql(
        "SELECT n, n_missing, ability FROM benchmark_score WHERE figure = 'acc' AND level = 'category' "
        "AND judge = 'none'"
    ).rows()  # fmt: skip
    assert (n, n_missing, ability.lower()) == (4, 2, category.lower())


@pytest.mark.slow
def test_what_llavas_script_wrote_is_a_dataset_of_its_own(house: Warehouse, tmp_path: Path) -> None:
    _mme(tmp_path / "tool", "Your_Results", "OCR", [None] * 6)
    _mme(tmp_path / "tool", "LaVIN", "OCR", ["Yes"] * 6)
    _mme(tmp_path / "tool/answers", "vlm", "OCR", ["Yes", "No"], "txt")
    _mme_answers(tmp_path / "MME/answers/vlm.jsonl", "OCR", ["Yes", "No"])
    assert not [one.error for one in house.ingest_many(tmp_path) if one.error]
    assert _runs(house) == [
        ("LaVIN", "MME/official", "LaVIN", 6), ("vlm", "MME/llava", "vlm", 2),
    ]  # fmt: skip
    assert _figures(house, "Overall", "group") == {
        ("MME/official", "Perception"): 50,
        ("MME/llava", "Perception"): 200,
    }


@pytest.mark.slow
def test_answers_whose_id_is_an_image(house: Warehouse, tmp_path: Path) -> None:
    _mme(tmp_path / "tool", "Your_Results", "color", [None] * 4, "jpg")
    answers = _mme_answers(
        tmp_path / "runs/vlm.jsonl", "color", ["No", "No", "Yes", "No", "No", "No"]
    )
    outcomes = list(house.ingest_many(tmp_path))
    assert not [one.error for one in outcomes if one.error]
    assert _figures(house, "Overall", "group") == {("MME/official", "Perception"): 125}
    (report,) = (one.report for one in outcomes if one.file.path == answers and one.report)
    assert "2 answers are left out: MME/official has no such question" in str(report.notes)
    prompts = house.sql("SELECT DISTINCT value FROM main.answer_attribute WHERE name = 'prompt'")
    assert prompts.height == 4


@pytest.mark.parametrize(
    "text",
    ["image\tquestion\ttruth\nx\ty\tz\n", "1\tIs it?\tYes\n", "a.png, b\tIs it?\tperhaps\n", "one line\n"],
)  # fmt: skip
def test_other_text_is_none_of_mmes(tmp_path: Path, text: str) -> None:
    path = tmp_path / "OCR.txt"
    path.write_text(text)
    assert mme.recognise(Head(path)) is None


# POPE.


_CATEGORIES = ("adversarial", "random", "popular")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("coco", [f"coco_pope_{name}" for name in _CATEGORIES]),
        ("gqa", [f"gqa_pope_seem_{name}" for name in _CATEGORIES]),
        ("aokvqa", [f"aokvqa_pope_seem_{name}" for name in _CATEGORIES]),
    ],
)
def test_answers_to_three_label_files(
    house: Warehouse, tmp_path: Path, source: str, names: list[str]
) -> None:
    """As LLaVA numbers them: on through the three files."""
    for name in names:
        _labels(tmp_path / f"pope/{source}/{name}.json")
    of = {
        place * 10_000_000 + n: (name, n)
        for place, name in enumerate(names)
        for n in range(1, len(_LABELS) + 1)
    }
    _pope_answers(tmp_path / "pope/answers/vlm.jsonl", of)
    outcomes = list(house.ingest_many(tmp_path))
    assert [str(one.error) for one in outcomes if one.error] == []
    assert _runs(house) == [("vlm", f"POPE/{source}", "vlm", 12)]
    dataset = f"POPE/{source}"
    found = _figures(house, "Overall", "category")
    assert found == {(dataset, name): pytest.approx(200 / 3) for name in _CATEGORIES}


@pytest.mark.parametrize("category", _CATEGORIES)
def test_answers_to_one_label_file(house: Warehouse, tmp_path: Path, category: str) -> None:
    """Numbered as that is; the other label files ask other things."""
    for name in _CATEGORIES:
        _labels(tmp_path / f"pope/coco/coco_pope_{name}.json")
    of = {n: (f"coco_pope_{category}", n) for n in (1, 2, 3, 4)}
    _pope_answers(tmp_path / "pope/answers/vlm.jsonl", of, "No")
    assert not [one.error for one in house.ingest_many(tmp_path) if one.error]
    keys = house.sql(
        "SELECT q.question_key FROM main.prediction JOIN main.question AS q USING (question_id) ORDER BY 1"
    ).rows()  # fmt: skip
    assert keys == [(f"{category}/{n}",) for n in (1, 2, 3, 4)]


def test_answers_that_may_be_of_two_label_files(house: Warehouse, tmp_path: Path) -> None:
    for name in ("random", "popular"):
        path = _labels(tmp_path / f"pope/coco/coco_pope_{name}.json")
        path.write_text(path.read_text().replace(name, "thing"))
    of = {n: ("coco_pope_thing", n) for n in (1, 2)}
    answers = _pope_answers(tmp_path / "pope/answers/vlm.jsonl", of)
    (problem,) = (str(one.error) for one in house.ingest_many(tmp_path) if one.error)
    assert "could be of POPE/coco (question random/1) or POPE/coco (question popular/1)" in problem
    answers.rename(answers.with_name("vlm_popular.jsonl"))
    assert not [one.error for one in house.ingest_many(tmp_path) if one.error]
    assert _runs(house) == [("vlm", "POPE/coco", "vlm_popular", 2)]


def test_answers_to_a_split_of_the_labels(house: Warehouse, tmp_path: Path) -> None:
    labels = _labels(tmp_path / "pope/coco/coco_pope_random.json")
    answers = _pope_answers(tmp_path / "pope/answers/vlm.jsonl", {1: ("coco_pope_random", 1)})
    house.ingest(labels)
    with pytest.raises(InputError, match="no question of it is in the warehouse"):
        house.ingest(answers, split="val")
    house.ingest(labels, split="val")
    with pytest.raises(InputError, match=r"could be of POPE/coco \(.*say --version or --split"):
        house.ingest(answers)
    house.ingest(answers, split="val")
    assert _runs(house) == [("vlm", "POPE/coco/val", "vlm", 1)]


def test_answers_beyond_the_labels_are_counted(house: Warehouse, tmp_path: Path) -> None:
    _labels(tmp_path / "pope/coco/coco_pope_adversarial.json")
    of = {n: ("coco_pope_adversarial", n) for n in (1, 2)} | {10_000_001: ("coco_pope_random", 1)}
    answers = _pope_answers(tmp_path / "pope/answers/vlm.jsonl", of)
    outcomes = list(house.ingest_many(tmp_path))
    (report,) = (one.report for one in outcomes if one.file.path == answers and one.report)
    assert "1 answer is left out" in str(report.alerts)
    assert _runs(house) == [("vlm", "POPE/coco", "vlm", 2)]


# The others.


def test_two_prompts_under_an_id(house: Warehouse, tmp_path: Path) -> None:
    """Neither of two questions may be left out, so no flag that does so is advised."""
    rows = [_answer("a.jpg", "What is it?", "a cat"), _answer("a.jpg", "Where is it?", "here")]
    own = [{"question_key": "1", "question": f"Q {n}?", "A": "a", "B": "b", "answer": "A"} for n in (1, 2)]  # fmt: skip
    both = [row | {"model": "m", "prediction": "A"} for row in own]
    for number, records in enumerate((rows, own, both)):
        with pytest.raises(InputError, match=r"rows 1 and 2|what row 1 says") as caught:
            house.ingest(write_jsonl(tmp_path / f"{number}.jsonl", records), benchmark="Own")
        assert "--on-duplicate" not in str(caught.value)
        assert "an id of its own" in str(caught.value)
    # The same question twice is another matter.
    with pytest.raises(InputError, match="--on-duplicate first or last"):
        house.ingest(write_jsonl(tmp_path / "same.jsonl", own[:1] * 2), benchmark="Own")


@pytest.mark.parametrize(
    ("place", "dataset"),
    [
        ("mmbench/answers_upload/mmbench_dev_20230712", "MMBench/20230712/dev"),
        ("mmbench_cn/answers_upload/mmbench_dev_cn_20231003", "MMBench/20231003/dev/cn"),
        ("answers/MMBench_TEST_EN", "MMBench/test/en"),
    ],
)
@pytest.mark.parametrize(
    "more", [{}, {"category": "image_style", "l2-category": "coarse_perception"}]
)
def test_an_upload_in_the_folder_of_its_dataset(
    house: Warehouse, tmp_path: Path, place: str, dataset: str, more: dict[str, str]
) -> None:
    path = tmp_path / place / "vlm-v1.5.xlsx"
    path.parent.mkdir(parents=True)
    row = {"index": 7, "question": "Which?", "A": "x", "B": "y", "answer": "A", "prediction": "A"}
    pl.DataFrame([row | more]).write_excel(path)
    assert [one.error for one in house.ingest_many(tmp_path) if one.error] == []
    assert _runs(house) == [("vlm-v1.5", dataset, "vlm-v1.5", 1)]


def test_answers_to_mmvet(house: Warehouse, tmp_path: Path) -> None:
    """LLaVA counts the questions from 0; what its script converted is read in that form."""
    top = tmp_path / "mm-vet"
    (top / "answers").mkdir(parents=True)
    questions = {
        f"v1_{n}": {
            "imagename": f"{n}.png",
            "question": f"Q {n}?",
            "answer": "a",
            "capability": ["ocr"],
        }
        for n in (0, 1)
    }
    (top / "mm-vet.json").write_text(json.dumps(questions))
    write_jsonl(top / "answers/vlm.jsonl", [_answer(n, f"Q {n}?", "a") for n in (0, 1)])
    assert [one.error for one in house.ingest_many(top) if one.error] == []
    assert _runs(house) == [("vlm", "MM-Vet", "vlm", 2)]
    (top / "results").mkdir()
    (top / "results/other.json").write_text('{"v1_0": "a", "v1_1": "b"}')
    write_jsonl(top / "answers/other.jsonl", [_answer(0, "Q 0?", "a", "other")])
    left = [one.left for one in house.ingest_many(top) if one.left]
    assert left == ["LLaVA's answers, which results/other.json holds as MM-Vet has them"]


@pytest.mark.parametrize(
    "name", ["MME/llava_mme.jsonl", "pope/llava_pope_test.jsonl", "vizwiz/llava_test.jsonl"]
)
def test_prompts_without_right_answers_are_left(
    house: Warehouse, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).parent.mkdir()
    row = {"question_id": 1, "image": "a.jpg", "text": f"Is it?\n{_SHORT}", "category": "random"}
    write_jsonl(tmp_path / name, [row])
    (outcome,) = house.ingest_many(tmp_path)
    assert (outcome.left or "").startswith("LLaVA's prompts of ")
