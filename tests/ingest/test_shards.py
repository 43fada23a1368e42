"""`ingest --part`: several files make one run."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from evalhouse import InputError, Warehouse
from tests.commands import run
from tests.judging import fill, rows
from tests.tables import facts, write_jsonl
from warehouse import merge
from warehouse.check import run_checks
from warehouse.connection import with_logs


@pytest.fixture
def questions(house: Warehouse) -> Warehouse:
    """Six questions, and a run of another model over all of them."""
    return fill(house, {"whole": {str(key): ["A"] for key in range(6)}})


def _shard(folder: Path, name: str, answers: Mapping[int, str], model: str = "m") -> Path:
    return write_jsonl(
        folder / name,
        [
            {"model": model, "question_key": str(key), "pass": 0, "prediction": text}
            for key, text in answers.items()
        ],
    )


def _scores(house: Warehouse, model: str = "m") -> list[tuple[int, int, int, float]]:
    """For each run of a model that counts: questions, right, missing, and the overall score."""
    found = rows(
        house,
        "SELECT count(*), sum(q.score)::INTEGER, sum(q.n_missing)::INTEGER, avg(q.score) "
        "FROM question_result AS q JOIN current_run AS r USING (run_id) "
        "WHERE r.model = ? AND q.strategy = 'vanilla' AND q.judge = 'none' GROUP BY r.run_id",
        model,
    )
    return [tuple(row) for row in found]  # type: ignore[misc]


@pytest.mark.slow
def test_parts_make_one_run(questions: Warehouse, tmp_path: Path) -> None:
    parts = [{0: "A", 3: "B"}, {1: "A", 4: "A"}, {2: "B", 5: "A"}]
    for rank, answers in enumerate(parts):
        path = _shard(tmp_path, f"rank{rank}.jsonl", answers)
        done = run(
            "ingest", path, "--benchmark", "Own", "--run", "one", "--part",
            "--db", questions.path, cwd=tmp_path,
        )  # fmt: skip
        assert done.code == 0, done.err
        # What is not there yet is missing, and the run says so.
        assert _scores(questions)[0][2] == 4 - 2 * rank
    assert _scores(questions) == [(6, 4, 0, pytest.approx(4 / 6))]
    listed = questions.runs().filter(model="m")
    assert listed.filter(label="one").height if "label" in listed.columns else listed.height
    with questions.reading() as con:
        assert [found for found in run_checks(con) if found.n] == []


@pytest.mark.slow
def test_the_board_of_parts_is_that_of_the_whole_file(
    questions: Warehouse, make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    said = {0: "A", 1: "C", 2: "hmm", 3: "A", 4: "B"}
    whole = fill(make_house("other"), {"whole": {str(key): ["A"] for key in range(6)}})
    whole.ingest(_shard(tmp_path, "all.jsonl", said), benchmark="Own", run="one")
    for n in range(2):
        part = {key: text for key, text in said.items() if key % 2 == n}
        path = _shard(tmp_path, f"part{n}.jsonl", part)
        questions.ingest(path, benchmark="Own", run="one", part=True)
    assert _scores(questions) == _scores(whole)
    # Kept results are those of the run with all of its parts.
    boards = [
        [replace(line, run_id=None) for line in one.leaderboard("Own", judge="none")[0].lines]
        for one in (questions, whole)
    ]
    assert boards[0] == boards[1]


def test_the_same_part_again_is_there_already(questions: Warehouse, tmp_path: Path) -> None:
    paths = [_shard(tmp_path, f"{n}.jsonl", {n: "A", n + 1: "A"}) for n in (0, 2)]
    for path in paths:
        questions.ingest(path, benchmark="Own", run="one", part=True)
    before = facts(questions.path)
    for path in paths:
        (report,) = questions.ingest(path, benchmark="Own", run="one", part=True)
        assert report.already
    assert facts(questions.path) == before


def test_parts_may_overlap_where_they_agree(questions: Warehouse, tmp_path: Path) -> None:
    for name, answers in (("a.jsonl", {0: "A", 1: "B"}), ("b.jsonl", {1: "B", 2: "A"})):
        questions.ingest(_shard(tmp_path, name, answers), benchmark="Own", run="one", part=True)
    assert _scores(questions) == [(6, 2, 3, pytest.approx(2 / 6))]


def test_a_part_that_contradicts_an_earlier_one_is_refused(
    questions: Warehouse, tmp_path: Path
) -> None:
    first = _shard(tmp_path, "a.jsonl", {0: "A", 1: "B"})
    questions.ingest(first, benchmark="Own", run="one", part=True)
    before = facts(questions.path)
    other = _shard(tmp_path, "b.jsonl", {2: "A", 1: "C"})
    message = "b.jsonl, row 2, field 'prediction': question 1 has another answer in an earlier part"
    with pytest.raises(InputError, match=re.escape("another answer in an earlier part")) as caught:
        questions.ingest(other, benchmark="Own", run="one", part=True)
    assert (caught.value.row, caught.value.field) == (2, "prediction"), message
    assert facts(questions.path) == before
    # Without --part, what it could be is named.
    with pytest.raises(InputError, match="--part adds to it"):
        questions.ingest(other, benchmark="Own", run="one")


def test_likelihoods_come_in_parts_too(questions: Warehouse, tmp_path: Path) -> None:
    for n in (0, 1):
        scores = [
            {"model": "m", "question_key": str(key), "label": label, "score": -1.0 * place}
            for key in range(n, 6, 2)
            for place, label in enumerate("ABC")
        ]
        path = write_jsonl(tmp_path / f"scores{n}.jsonl", scores)
        questions.ingest(
            path, benchmark="Own", run="ll", method="loglik", reduction="sum", scored="content",
            part=True,
        )  # fmt: skip
    assert _scores(questions) == [(6, 6, 0, 1.0)]


@pytest.mark.slow
def test_merge_joins_parts(
    questions: Warehouse, make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    """Each machine of a cluster has a part in a warehouse of its own."""
    other = fill(make_house("other"), {"whole": {str(key): ["A"] for key in range(6)}})
    questions.ingest(
        _shard(tmp_path, "a.jsonl", {0: "A", 1: "A", 2: "B"}), benchmark="Own", run="r"
    )
    other.ingest(_shard(tmp_path, "b.jsonl", {2: "B", 3: "A", 5: "C"}), benchmark="Own", run="r")
    with questions.writing(files=with_logs(other.path)) as con:
        done = merge.merge(con, other.path)
    assert "run r of m on Own: run 3 joins the answers of run 2 here and run 2 there" in done.notes
    questions.refresh_kept()
    assert _scores(questions) == [(6, 3, 1, pytest.approx(3 / 6))]
    with questions.reading() as con:
        assert [found for found in run_checks(con) if found.n] == []
    before = facts(questions.path)
    with questions.writing(files=with_logs(other.path)) as con:
        again = merge.merge(con, other.path)
    assert facts(questions.path) == before
    assert again.counts["new_runs"] == 0


def test_merge_refuses_parts_that_contradict_each_other(
    questions: Warehouse, make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    other = fill(make_house("other"), {"whole": {str(key): ["A"] for key in range(6)}})
    questions.ingest(_shard(tmp_path, "a.jsonl", {0: "A", 1: "A"}), benchmark="Own", run="r")
    other.ingest(_shard(tmp_path, "b.jsonl", {1: "B", 2: "B"}), benchmark="Own", run="r")
    before = facts(questions.path)
    with (
        pytest.raises(merge.MergeConflictError) as caught,
        questions.writing(files=with_logs(other.path)) as con,
    ):
        merge.merge(con, other.path)
    assert "run r of m on Own: has other content there" in caught.value.conflicts[0]
    assert facts(questions.path) == before


def test_part_and_replace_exclude_each_other(questions: Warehouse, tmp_path: Path) -> None:
    path = _shard(tmp_path, "a.jsonl", {0: "A"})
    done = run(
        "ingest", path, "--benchmark", "Own", "--part", "--replace", "--db", questions.path,
        cwd=tmp_path,
    )  # fmt: skip
    assert (done.code, "say one of them" in done.err) == (2, True)


def _unfinished(folder: Path, name: str, said: Mapping[int, object]) -> Path:
    path = folder / "out" / "vlm-7b" / "T20260301-101010" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(dict(said)))
    return path


def _known(house: Warehouse, folder: Path) -> None:
    """The questions of two datasets, by another model: one in rotated passes, one in words."""
    done = folder / "out" / "whole" / "T20260301-090909"
    done.mkdir(parents=True)
    head = "index\tquestion\thint\tA\tB\tanswer\tcategory\tprediction"
    rotated = [
        f"{n + 1_000_000 * turn}\tq{n}\t\t{'xy'[turn]}\t{'yx'[turn]}\t{'AB'[turn]}\taction_recognition\tA"
        for n in (1, 2)
        for turn in (0, 1)
    ]
    (done / "whole_MMBench_DEV_EN.tsv").write_text(
        "\n".join([head, *rotated]) + "\n", encoding="utf-8"
    )
    words = [f"{n}\tq{n}\t{n}0\t{n}0" for n in (1_000_001, 1_000_002, 1_000_003)]
    (done / "whole_ChartQA_TEST.tsv").write_text(
        "\n".join(["index\tquestion\tanswer\tprediction", *words]) + "\n", encoding="utf-8"
    )
    for path in sorted(done.iterdir()):
        house.ingest(path)


def _answers(house: Warehouse, model: str = "vlm-7b") -> set[tuple[str, str, int, str]]:
    return set(
        rows(
            house,
            "SELECT r.dataset, q.question_key, p.pass, p.text FROM current_run AS r "
            "JOIN main.prediction AS p USING (run_id) JOIN main.question AS q USING (question_id) "
            "WHERE r.model = ? AND r.run = 'T20260301-101010'",
            model,
        )
    )


@pytest.mark.slow
def test_what_the_processes_of_an_unfinished_run_wrote_is_one_run(
    house: Warehouse, tmp_path: Path
) -> None:
    """Keys are passes where the benchmark rotates its choices, and questions where it has none."""
    _known(house, tmp_path)
    for name, said in (
        ("02_MMBench_DEV_EN.pkl", {1: "A", 1_000_001: "B"}),
        ("12_MMBench_DEV_EN.pkl", {2: "C"}),
        ("02_ChartQA_TEST.pkl", {1_000_001: "10"}),
        ("12_ChartQA_TEST.pkl", {1_000_002: {"prediction": "7", "extra": [1]}}),
    ):
        _unfinished(tmp_path, name, said)
    _unfinished(tmp_path, "02_Unheard.pkl", {1: "A"})
    _unfinished(tmp_path, "02_GenEval.pkl", {1: {"size": 3}})
    done = run("ingest", "out", "--db", house.path, cwd=tmp_path)
    assert done.code == 0, done.err
    assert done.out.rstrip().endswith(
        "8 files: 4 loaded (5 rows), 2 there already, 2 left, 0 failed"
    )
    assert "answers to Unheard, whose questions are not known here" in done.out
    assert "no texts, in a file named as one process" in done.out
    assert _answers(house) == {
        ("MMBench/dev/en", "1", 0, "A"),
        ("MMBench/dev/en", "1", 1, "B"),
        ("MMBench/dev/en", "2", 0, "C"),
        ("ChartQA/test", "1000001", 0, "10"),
        ("ChartQA/test", "1000002", 0, "7"),
    }
    with house.reading() as con:
        assert [found for found in run_checks(con) if found.n] == []


def test_a_process_goes_on_and_the_run_with_it(house: Warehouse, tmp_path: Path) -> None:
    _known(house, tmp_path)
    house.ingest(_unfinished(tmp_path, "02_ChartQA_TEST.pkl", {1_000_001: "10"}))
    house.ingest(_unfinished(tmp_path, "02_ChartQA_TEST.pkl", {1_000_001: "10", 1_000_003: "9"}))
    assert {key for _, key, _, _ in _answers(house)} == {"1000001", "1000003"}
    changed = _unfinished(tmp_path, "02_ChartQA_TEST.pkl", {1_000_001: "11"})
    with pytest.raises(InputError, match="another answer in an earlier part"):
        house.ingest(changed)


def test_next_to_the_finished_answers_it_is_left(house: Warehouse, tmp_path: Path) -> None:
    _known(house, tmp_path)
    shard = _unfinished(tmp_path, "02_ChartQA_TEST.pkl", {1_000_001: "10"})
    text = "index\tquestion\tanswer\tprediction\n1000001\tq1000001\t10000010\t10\n"
    shard.with_name("vlm-7b_ChartQA_TEST.tsv").write_text(text, encoding="utf-8")
    done = run("ingest", "out", "--db", house.path, cwd=tmp_path)
    assert "which the file of the whole run holds too" in done.out
    assert done.out.rstrip().endswith(
        "4 files: 1 loaded (1 row), 2 there already, 1 left, 0 failed"
    )
