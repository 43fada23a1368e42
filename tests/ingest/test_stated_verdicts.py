"""Verdicts that VLMEvalKit's files hold without the judge's reply: read, scored, merged."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from evalhouse import Warehouse
from evalhouse.transfer import export_parquet
from queries.spark import ask
from tests.houses import QuickHouse
from warehouse import merge
from warehouse.connection import with_logs
from warehouse.files import writing

pytestmark = pytest.mark.all_releases

OURS = "field_v2"
PEER = "vlmevalkit_field_e8e78f0"
_LABEL = "T20260301-120000"

_POPE = """index\tquestion\tanswer\tcategory\tprediction
0\tA dog?\tYes\trandom\tYes
1\tA cat?\tNo\trandom\thmm
2\tA cow?\tNo\tpopular\tmaybe
3\tA car?\tYes\tpopular\t
4\tA cup?\tYes\trandom\tNot so. Yes it is
"""
_AUXMATCH = """index\tquestion\tanswer\tcategory\tprediction\textracted\tscore
0\tA dog?\tYes\trandom\tYes\tYes\tTrue
1\tA cat?\tNo\trandom\thmm\tNo\tTrue
2\tA cow?\tNo\tpopular\tmaybe\tUnknown\tFalse
3\tA car?\tYes\tpopular\t\tYes\tTrue
4\tA cup?\tYes\trandom\tNot so. Yes it is\tYes\tTrue
"""
_WORDS = {1: "No", 2: "Unknown", 3: "Yes"}
# The same question, choices and answer twice, as of two images.
_STAR = """index\tquestion\tA\tB\tanswer\tcategory\tprediction
0\tWhich way?\tleft\tright\tA\tmath\thmm
1\tWhich way?\tleft\tright\tA\tmath\thmm
2\tWhat?\tsun\tmoon\tB\tmath\t
3\tWho?\tme\tyou\tB\tmath\tthe latter
"""
_DRAWN = "Match Log: Failed to predict, thus randomly generate one. . "
_RESULT = f"""index\tquestion\tA\tB\tanswer\tcategory\tprediction\thit\tlog
0\tWhich way?\tleft\tright\tA\tmath\thmm\t1\t{_DRAWN}
1\tWhich way?\tleft\tright\tA\tmath\thmm\t0\t{_DRAWN}
2\tWhat?\tsun\tmoon\tB\tmath\t\t1\t{_DRAWN}
3\tWho?\tme\tyou\tB\tmath\tthe latter\t1\tMatch Log: B.\x20
"""
_VIDEO = """index\ttask_type\tquestion\tanswer\tcandidates\tprediction
0\tAction\tWho?\tcat\t['cat', 'dog']\tit is the animal
1\tAction\tWho else?\tcat\t['cat', 'dog']\tit is an animal
2\tAction\tWhere?\tsea\t['sea', 'sky']\t
3\tAction\tWhen?\tday\t['day', 'night']\tnobody says when
"""
_VIDEO_SCORES = """index\ttask_type\tquestion\tanswer\tcandidates\tprediction\tscore
0\tAction\tWho?\tcat\t['cat', 'dog']\tit is the animal\t1
1\tAction\tWho else?\tcat\t['cat', 'dog']\tit is an animal\t0
2\tAction\tWhere?\tsea\t['sea', 'sky']\t\t
3\tAction\tWhen?\tday\t['day', 'night']\tnobody says when\t-1
"""


def _work_dir(folder: Path, *, label: str = _LABEL, judge: str = "gpt-x") -> Path:
    here = folder / "m1" / label
    here.mkdir(parents=True)
    texts = {
        "m1_POPE.tsv": _POPE,
        "m1_POPE_auxmatch.tsv": _AUXMATCH,
        "m1_MMStar.tsv": _STAR,
        f"m1_MMStar_{judge}_result.tsv": _RESULT,
        "m1_MVBench.tsv": _VIDEO,
        "m1_MVBench_score.tsv": _VIDEO_SCORES,
        "status.json": json.dumps(
            {
                "eval_id": label,
                "datasets": {
                    name: {"prediction_file": f"m1_{name}.tsv", "judge_model": judge}
                    for name in ("POPE", "MMStar", "MVBench")
                },
            }
        ),
    }
    for name, text in texts.items():
        (here / name).write_text(text, encoding="utf-8")
    (here / "m1_POPE_tmp.pkl").write_bytes(pickle.dumps(_WORDS))
    return here


def _ingest(house: Warehouse, folder: Path) -> dict[str, str | None]:
    """What became of each file that did not load: why it is left, or its error."""
    return {
        one.file.path.name: str(one.error or one.left)
        for one in house.ingest_many(folder)
        if one.report is None
    }


def _passes(house: Warehouse, release: str, dataset: str) -> list[tuple[object, ...]]:
    return house.sql(
        f"SELECT question_key, predicted, score, resolved_by FROM {release}.pass_result "
        f"WHERE judge = 'gpt-x' AND dataset = '{dataset}' AND run = '{_LABEL}' ORDER BY question_key"
    ).rows()


@pytest.fixture(scope="module")
def read_once(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with the work dir in it."""
    folder = tmp_path_factory.mktemp("read")
    house = QuickHouse(shutil.copy(empty_file, folder / "warehouse.duckdb"))
    found = _ingest(house, _work_dir(folder / "out"))
    assert found.keys() == {"m1_POPE_tmp.pkl", "status.json"}
    assert "which _auxmatch has with its verdicts" in str(found["m1_POPE_tmp.pkl"])
    return folder


@pytest.fixture
def judged(read_once: Path, tmp_path: Path) -> Warehouse:
    """The same, a test's own; the work dir is `out` of its folder."""
    shutil.copytree(read_once / "out", tmp_path / "out")
    return QuickHouse(shutil.copy(read_once / "warehouse.duckdb", tmp_path / "warehouse.duckdb"))


def test_they_are_judgments_of_one_answer(judged: Warehouse) -> None:
    found = judged.sql(
        "SELECT q.question_key, d.name, j.stated, j.score, j.word, j.reply, j.labels IS NULL "
        "FROM main.judgment AS j JOIN main.question AS q USING (question_id) "
        "JOIN main.dataset AS d USING (dataset_id) JOIN main.judge AS g USING (judge_id) "
        "JOIN main.run AS r ON j.run_id = r.run_id "
        "WHERE g.name = 'gpt-x' AND g.kind = 'import' ORDER BY d.name, q.question_key"
    ).rows()
    assert found == [
        ("0", "MMStar", "drawn", 1.0, None, None, False),
        ("1", "MMStar", "drawn", 0.0, None, None, False),
        ("2", "MMStar", "drawn", 1.0, None, None, False),
        ("0", "MVBench", "hit", 1.0, None, None, True),
        ("1", "MVBench", "hit", 0.0, None, None, True),
        # The words that the judge's file names; the others are what rules read.
        ("1", "POPE", "word", 1.0, "No", None, True),
        ("2", "POPE", "word", 0.0, "Unknown", None, True),
        ("3", "POPE", "word", 1.0, "Yes", None, True),
    ]
    (reply,) = judged.sql("SELECT reply FROM main.judgment WHERE stated IS NULL").rows()
    assert reply == ("B",)


def test_words_of_yes_and_no(judged: Warehouse) -> None:
    assert _passes(judged, PEER, "POPE") == [
        ("0", "yes", 1.0, "rule"),
        ("1", "no", 1.0, "judge"),
        ("2", None, 0.0, "unresolved"),
        ("3", "yes", 1.0, "judge"),
        ("4", "yes", 1.0, "rule"),
    ]
    assert _passes(judged, OURS, "POPE") == [
        ("0", "yes", 1.0, "rule"),
        ("1", "no", 1.0, "judge"),
        ("2", None, 0.0, "unresolved"),
        ("3", None, 0.0, "unresolved"),  # nothing was said
        ("4", "no", 0.0, "rule"),
    ]


def test_a_drawn_letter_decides_for_the_peer_alone(judged: Warehouse) -> None:
    assert _passes(judged, PEER, "MMStar") == [
        ("0", None, 1.0, "random"),
        ("1", None, 0.0, "random"),
        ("2", None, 1.0, "random"),
        ("3", "B", 1.0, "judge"),
    ]
    ours = _passes(judged, OURS, "MMStar")
    assert [row[3] for row in ours] == ["random", "random", "unresolved", "judge"]
    # Drawn as any other answer without a usable reply: a label, or X.
    assert all(row[1] in ("A", "B", "X") for row in ours[:2])


def test_right_or_wrong_without_a_label(judged: Warehouse) -> None:
    assert _passes(judged, OURS, "MVBench") == [
        ("0", None, 1.0, "judge"),
        ("1", None, 0.0, "judge"),
        ("2", None, 0.0, "unresolved"),
        ("3", None, None, "pending"),  # -1: a verdict of nobody
    ]
    todo = judged.sql(
        f"SELECT question_key FROM {OURS}.judge_todo WHERE judge = 'gpt-x' ORDER BY 1"
    ).rows()
    assert todo == [("3",)]


def test_older_releases_see_what_they_saw(judged: Warehouse) -> None:
    """A hit is no attempt that came back without a verdict: its answer stays pending."""
    states = judged.sql(
        "SELECT dataset, question_key, resolved_by FROM paper_v1.pass_result "
        "WHERE judge = 'gpt-x' AND resolved_by NOT IN ('rule', 'judge') ORDER BY ALL"
    ).rows()
    assert states == [
        ("MMStar", "0", "random"), ("MMStar", "1", "random"), ("MMStar", "2", "unresolved"),
        ("MVBench", "0", "pending"), ("MVBench", "1", "pending"), ("MVBench", "2", "unresolved"),
        ("MVBench", "3", "pending"),
    ]  # fmt: skip


def test_twice_is_once(judged: Warehouse, tmp_path: Path) -> None:
    before = judged.sql("SELECT * FROM main.judgment ORDER BY judgment_id")
    assert _ingest(judged, tmp_path / "out").keys() == {"m1_POPE_tmp.pkl", "status.json"}
    # The same verdicts in a file of another content: as a pickle.
    hits = {n: {"hit": hit, "log": _DRAWN} for n, hit in enumerate((1, 0, 1))}
    again = tmp_path / "out" / "m1" / _LABEL / "m1_MMStar_gpt-x_result.pkl"
    again.write_bytes(pickle.dumps(hits))
    judged.ingest(again)
    assert judged.sql("SELECT * FROM main.judgment ORDER BY judgment_id").equals(before)


@pytest.mark.slow
def test_other_runs_of_the_dataset_wait_for_the_judge(judged: Warehouse, tmp_path: Path) -> None:
    """A judge that gave one verdict of a dataset is a judge of all of its runs, kept results too."""
    judged.refresh(release=OURS)
    other = _work_dir(tmp_path / "other", label="T20260302-120000", judge="gpt-y")
    (other / "m1_POPE_auxmatch.tsv").rename(tmp_path / "m1_POPE_auxmatch.tsv")
    assert "m1_POPE_tmp.pkl" in _ingest(judged, other)
    judged.refresh(release=OURS)
    query = (
        "SELECT run, judge, n_pending, score_low, score_high FROM field_v2.ability_score "
        "WHERE benchmark = 'POPE' AND level = 'overall' AND average = 'micro' AND strategy = 'vanilla' "
        "AND judge <> 'none' ORDER BY ALL"
    )
    assert judged.sql(query).rows() == [
        (_LABEL, "gpt-x", 0, 0.4, 0.4),
        ("T20260302-120000", "gpt-x", 2, 0.2, 0.6),
    ]
    (tmp_path / "m1_POPE_auxmatch.tsv").rename(other / "m1_POPE_auxmatch.tsv")
    assert _ingest(judged, other).keys() == {"m1_POPE_tmp.pkl", "status.json"}
    now = judged.sql(query)
    assert [row[:2] for row in now.rows()] == [
        (_LABEL, "gpt-x"), (_LABEL, "gpt-y"),
        ("T20260302-120000", "gpt-x"), ("T20260302-120000", "gpt-y"),
    ]  # fmt: skip
    judged.drop_kept(release=OURS)
    assert judged.sql(query).equals(now)


@pytest.mark.slow
def test_verdicts_come_over_by_answer(
    judged: Warehouse, make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    """Two drawn verdicts of the same content are two, in a warehouse that numbers otherwise."""
    here = make_house("here")
    first = _work_dir(tmp_path / "first", label="T20260201-120000", judge="gpt-x")
    (first / "m1_MMStar_gpt-x_result.tsv").unlink()
    _ingest(here, first)
    with here.writing(files=with_logs(judged.path)) as con:
        merge.merge(con, judged.path)
    query = (
        "SELECT d.name, q.question_key, j.pass, j.sample, j.stated, j.score, j.word "
        "FROM main.judgment AS j JOIN main.question AS q USING (question_id) "
        "JOIN main.dataset AS d USING (dataset_id) JOIN main.run AS r ON j.run_id = r.run_id "
        f"WHERE j.stated IS NOT NULL AND r.label = '{_LABEL}' ORDER BY ALL"
    )
    assert len(judged.sql(query)) == 8
    assert here.sql(query).equals(judged.sql(query))
    n = here.sql("SELECT count(*) FROM main.judgment").item()
    with here.writing(files=with_logs(judged.path)) as con:
        merge.merge(con, judged.path)
    assert here.sql("SELECT count(*) FROM main.judgment").item() == n


@pytest.mark.slow
def test_answers_that_changed_since(house: Warehouse, tmp_path: Path) -> None:
    here = _work_dir(tmp_path / "out")
    (here / "m1_POPE.tsv").write_text(_POPE.replace("hmm", "oh"), encoding="utf-8")
    (here / "m1_MMStar.tsv").write_text(_STAR.replace("hmm", "oh"), encoding="utf-8")
    notes = [
        note
        for one in house.ingest_many(here)
        if one.report is not None
        for note in one.report.notes
        if "does not have (any more)" in note
    ]
    assert [note.split()[0] for note in notes] == ["2", "1"]
    for release in (OURS, PEER):
        assert _passes(house, release, "POPE")[1] == ("1", None, None, "pending")
        assert [row[3] for row in _passes(house, release, "MMStar")[:2]] == ["pending", "pending"]


def test_without_the_file_that_says_which_words_are_the_judges(
    house: Warehouse, tmp_path: Path
) -> None:
    here = _work_dir(tmp_path / "out")
    (here / "m1_POPE_tmp.pkl").unlink()
    notes = [note for one in house.ingest_many(here) if one.report for note in one.report.notes]
    assert any("no _tmp.pkl says which words are the judge's" in note for note in notes)
    assert house.sql("SELECT count(*) FROM main.judgment WHERE stated = 'word'").item() == 5
    # Where a rule reads the answer, that holds.
    assert _passes(house, OURS, "POPE")[4] == ("4", "no", 0.0, "rule")


@pytest.mark.slow
@pytest.mark.parametrize("judge", ["exact_matching", None])
def test_left_where_no_judge_had_a_part(
    house: Warehouse, tmp_path: Path, judge: str | None
) -> None:
    here = _work_dir(tmp_path / "out", judge=judge or "gpt-x")
    if judge is None:
        (here / "status.json").unlink()
    (here / "m1_MMStar_gpt-x_result.tsv").unlink(missing_ok=True)
    found = _ingest(house, here)
    assert "which the views compute" in str(found["m1_POPE_auxmatch.tsv"])
    assert "which the views compute" in str(found["m1_MVBench_score.tsv"])
    assert house.sql("SELECT count(*) FROM main.judgment").item() == 0
    if judge is None:
        house.ingest(here / "m1_POPE_auxmatch.tsv", format="vlmevalkit_stated", judge="gpt-x")
        assert _passes(house, OURS, "POPE")[1] == ("1", "no", 1.0, "judge")


def test_a_broken_file_of_words_is_named(house: Warehouse, tmp_path: Path) -> None:
    here = _work_dir(tmp_path / "out")
    (here / "m1_POPE_tmp.pkl").write_bytes(pickle.dumps({1: shutil.rmtree}))
    found = _ingest(house, here)
    assert "m1_POPE_tmp.pkl" in str(found["m1_POPE_auxmatch.tsv"])
    assert house.sql("SELECT count(*) FROM main.judgment WHERE stated = 'word'").item() == 0


@pytest.mark.spark
def test_the_same_on_spark(judged: Warehouse, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    with judged.reading(folders=[writing.place_of(folder)]) as con:
        export_parquet(con, folder)
    with ask.opened(folder) as exported:
        for release in (OURS, PEER):
            for view in ("stated_verdict", "pass_result"):
                query = f"SELECT * FROM {release}.{view} ORDER BY ALL"
                wanted = judged.sql(query)
                assert len(wanted) > 0
                found = ask.run_user_sql(exported, query, warn=lambda note: None)
                assert found.columns == wanted.columns
                assert [[str(v) for v in row] for row in found.rows()] == [
                    [str(v) for v in row] for row in wanted.rows()
                ], query
