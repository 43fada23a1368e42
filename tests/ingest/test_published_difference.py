"""What others wrote of a run, next to ours: harness figures and published scores in one view."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evalhouse import Warehouse
from tests.commands import run

pytestmark = pytest.mark.all_releases

_FIRST = ["model", "run", "dataset", "metric", "published", "ours", "is_same"]
_VIEW = "vlmevalkit_field_e8e78f0.published_difference"


def _work_dir(folder: Path, accuracy: str) -> Path:
    """Two of three answers are right."""
    run_dir = folder / "outputs/vlm_7b/T20260110-093000"
    run_dir.mkdir(parents=True, exist_ok=True)
    (run_dir / "vlm_7b_MMStar.tsv").write_text(
        "index\tquestion\tA\tB\tanswer\tcategory\tl2_category\tprediction\n"
        "1\tWhich?\tred\tblue\tA\tmath\tsums\tA\n"
        "2\tWhich?\tup\tdown\tB\tmath\tsums\tB\n"
        "3\tWhich?\tin\tout\tA\tmath\tsums\tB\n"
    )
    (run_dir / "vlm_7b_MMStar_acc.csv").write_text(f'"split","Overall"\n"none","{accuracy}"\n')
    return folder / "outputs"


def _overall(house: Warehouse) -> list[tuple[object, ...]]:
    return house.sql(
        f"SELECT model, run, dataset, published, round(ours, 4), is_same FROM {_VIEW} "
        "WHERE figure = 'Overall' AND ability = 'Overall'"
    ).rows()


@pytest.mark.slow
def test_a_run_under_another_name_keeps_its_figures(house: Warehouse, tmp_path: Path) -> None:
    list(house.ingest_many(_work_dir(tmp_path, "0.6666666666666666")))
    label = "T20260110-093000"
    assert _overall(house) == [("vlm_7b", label, "MMStar", 2 / 3, 0.6667, True)]
    for words in (("--label", "first"), ("--model", "vlm"), ("--label", "best")):
        done = run("evalhouse", "runs", "rename", "1", *words, "--db", house.path, cwd=tmp_path)
        assert done.code == 0, done.err
    assert _overall(house) == [("vlm", "best", "MMStar", 2 / 3, 0.6667, True)]


@pytest.mark.slow
def test_the_file_that_was_read_last_holds(house: Warehouse, tmp_path: Path) -> None:
    list(house.ingest_many(_work_dir(tmp_path, "0.6666666666666666")))
    list(house.ingest_many(_work_dir(tmp_path, "0.5")))
    ((*_, published, ours, is_same),) = _overall(house)
    assert (published, ours, is_same) == (0.5, 0.6667, False)


@pytest.mark.slow
def test_published_scores_stand_in_the_same_view(
    house: Warehouse, shared: Path, tmp_path: Path
) -> None:
    real = shared / "real/mmvet"
    names = ("mm-vet", "llava-v1.5-7b", "llava-v1.5-7b_gpt-4-grade-3runs")
    house.ingest(*(real / f"{name}.json" for name in names))
    for path in real.glob("llava-v1.5-7b_gpt-4-cap*-3runs.csv"):
        shutil.copy(path, tmp_path)
        house.ingest(tmp_path / path.name)
    shown = house.sql(f"SELECT * FROM {_VIEW}")
    assert shown.columns[: len(_FIRST)] == _FIRST
    rows = house.sql(
        f"SELECT model, run, metric, published, is_same, is_same_spread FROM {_VIEW} "
        "WHERE ability = 'Overall'"
    ).rows()
    assert rows == [("llava-v1.5-7b", "llava-v1.5-7b", "overall=Overall", 31.1, True, True)]
    assert shown.height == 1 + 6 + 16
    assert set(shown["is_same"]) == {True}
    assert set(house.sql("SELECT columns('is_same') FROM published_difference")["is_same"]) == {
        True
    }
