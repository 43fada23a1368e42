"""VLMEvalKit's whole work dir: every file, its own figures next to ours, and the Open VLM leaderboard."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import duckdb
import pytest

from evalhouse import Warehouse
from queries import install
from queries import release as releases
from queries.plan import plan
from tests import made
from tests.commands import run
from tests.houses import QuickHouse

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("field_figures")]

PEER = "vlmevalkit_field_e8e78f0"
Figures = dict[tuple[str, str, str, str], tuple[float, float | None, bool]]
"""By model, run, dataset and metric: published, ours, and whether they are the same."""
_WHOLE = {
    "A-OKVQA", "ChartQA_TEST", "DocVQA_VAL", "GQA_TestDev_Balanced", "InfoVQA_VAL", "NaturalBenchDataset",
    "OCRBench", "OCRVQA_TESTCORE", "RealWorldQA", "SEEDBench2_Plus", "SEEDBench_IMG", "ScienceQA_VAL",
    "TextVQA_VAL", "VStarBench", "VizWiz", "MMVP", "MMBench_DEV_EN_V11", "MMBench_TEST_EN_V11",
    "MMBench_TEST_CN_V11", "MMT-Bench_VAL", "CCBench", "AI2D_TEST", "MMMU_DEV_VAL", "BLINK", "MMStar",
    "MVBench", "MME", "HallusionBench", "AMBER", "POPE", "Video-MME", "MathVista_MINI", "MathVerse_MINI",
    "MathVision_MINI", "LLaVABench", "MMBench-Video",
}  # fmt: skip
"""The datasets whose figures are all the peer's, in the first runs: without a judge, or with one whose
words VLMEvalKit kept."""
_IN_PART = {
    # The peer counts a capability that is an integration too twice, and grades blanks and failed calls.
    "MMVet": 66,
}
_SCALES = {"MMBench-Video": 3, "LLaVABench": 10}
"""What VLMEvalKit multiplies the scores of single answers by, in the datasets that judges score."""
_JUDGED = ("MathVista_MINI", "MathVerse_MINI", "MathVision_MINI", *_SCALES)


@pytest.fixture(scope="module")
def kit(shared: Path) -> Path:
    return shared / "formats" / "vlmevalkit_field"


@pytest.fixture(scope="module")
def lab(kit: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Warehouse, str]:
    """Its warehouse, and what `ingest` printed."""

    def make(folder: Path) -> None:
        done = run("ingest", kit / "outputs", "--db", "lab.duckdb", cwd=folder)
        assert done.code == 0, done.err
        (folder / "printed.txt").write_text(done.out, "utf-8")
        house = QuickHouse(folder / "lab.duckdb")
        with house.writing() as con:
            for name in ("field_v2", PEER):
                install.install(con, releases.load(name))
        for name in ("field_v2", PEER):
            house.refresh(release=name)

    folder = made.once(tmp_path_factory, "field", make)
    own = tmp_path_factory.mktemp("lab") / "lab.duckdb"
    shutil.copy(folder / "lab.duckdb", own)
    return QuickHouse(own), (folder / "printed.txt").read_text("utf-8")


@pytest.fixture(scope="module")
def figures(
    lab: tuple[Warehouse, str],
) -> Figures:
    with duckdb.connect(str(lab[0].path), read_only=True) as con:
        rows = con.execute(
            f"SELECT model, run, dataset, metric, published, ours, is_same FROM {PEER}.published_difference"
        ).fetchall()
    return {(m, r, d, metric): (p, o, same) for m, r, d, metric, p, o, same in rows}


def test_no_file_fails(lab: tuple[Warehouse, str]) -> None:
    last = lab[1].strip().splitlines()[-1]
    assert last.startswith("567 files: ")
    assert last.endswith(" 0 failed")


@pytest.mark.parametrize(
    ("file", "month"), [("EXPECTED", "T202601"), ("EXPECTED_judged", "T202602")]
)
def test_each_published_figure_has_a_row(
    figures: Figures, kit: Path, file: str, month: str
) -> None:
    text = (kit / f"{file}.json").read_text("utf-8")
    wanted = {
        (model, dataset, metric): value
        for dataset, models in json.loads(text).items()
        for model, of_model in models.items()
        for metric, value in of_model.items()
    }
    found = {
        (m, d, metric): v[0] for (m, r, d, metric), v in figures.items() if r.startswith(month)
    }
    assert found.keys() == wanted.keys()
    assert all(found[key] == pytest.approx(wanted[key], abs=1e-12) for key in wanted)


def test_figures_of_runs_without_a_judge_are_the_peers(
    figures: Figures,
) -> None:
    first = {key: v for key, v in figures.items() if key[1].startswith("T202601")}
    assert {key[2] for key in first} == _WHOLE | _IN_PART.keys()
    different = [(key, v) for key, v in first.items() if key[2] in _WHOLE and not v[2]]
    assert different == []
    for dataset, n in _IN_PART.items():
        assert sum(v[2] for key, v in first.items() if key[2] == dataset) == n


def test_verdicts_on_single_answers_are_the_peers(lab: tuple[Warehouse, str], kit: Path) -> None:
    """In the datasets whose answers a judge extracted, compared or graded."""
    with duckdb.connect(str(lab[0].path), read_only=True) as con:
        ours = con.execute(
            "SELECT s.path, r.run, p.question_key, p.score "
            f"FROM {PEER}.answer_match AS p INNER JOIN {PEER}.current_run AS r USING (run_id) "
            "INNER JOIN main.run AS m USING (run_id) INNER JOIN main.source AS s USING (source_id) "
            "WHERE p.judge <> 'none'"
        ).fetchall()
        peers = con.execute(
            "SELECT dataset, run, CAST(index AS VARCHAR), verdict FROM read_parquet(?) "
            "WHERE list_contains(?, dataset)",
            [str(kit / "VERDICTS.parquet"), list(_JUDGED)],
        ).fetchall()
    found = {
        (dataset, label, key): score
        for path, label, key, score in ours
        for dataset in _JUDGED
        if Path(path).stem.endswith(f"_{dataset}")
    }
    assert len(peers) == 1_860
    for dataset, label, key, verdict in peers:
        # Points that cannot be read are -1, and count as none.
        wanted = max(verdict, 0) if dataset == "MMBench-Video" else verdict
        score = found[dataset, label, key] * _SCALES.get(dataset, 1)
        assert score == pytest.approx(wanted, abs=1e-9), (dataset, label, key)


def test_figures_of_judged_runs_are_the_peers(figures: Figures) -> None:
    """Every one: what the judge's files state without a reply decides, drawn letters too."""
    second = {key: v for key, v in figures.items() if key[1].startswith("T202602")}
    assert len(second) == 1_401
    assert [(key, v) for key, v in second.items() if not v[2]] == []


def test_verdicts_of_judged_runs_are_the_peers(lab: tuple[Warehouse, str], kit: Path) -> None:
    """Of single questions: circular ones by their question, all others by their answer.

    `_score.xlsx` of MVBench has no verdict of blank answers and failed calls, which the peer counts
    as right.
    """
    with duckdb.connect(str(lab[0].path), read_only=True) as con:
        rows = con.execute(
            f"""
            WITH graded AS (
                SELECT
                    m.name AS model,
                    r.label AS run,
                    parse_filename(s.path, true) AS file,
                    p.question_key,
                    p.score
                FROM {PEER}.question_result AS p
                INNER JOIN main.run AS r ON p.run_id = r.run_id
                INNER JOIN main.dataset AS d ON r.dataset_id = d.dataset_id
                INNER JOIN main.benchmark AS b ON d.benchmark_id = b.benchmark_id
                INNER JOIN main.model AS m ON r.model_id = m.model_id
                INNER JOIN main.source AS s ON r.source_id = s.source_id
                WHERE
                    p.judge = (SELECT name FROM main.judge WHERE task = 'choice_extraction')
                    AND r.label LIKE 'T202602%'
                    AND p.strategy = b.strategy
            )

            SELECT v.dataset, v.model, v."index", v.verdict, g.score
            FROM read_parquet(?) AS v
            LEFT JOIN graded AS g
                ON
                    v.model = g.model
                    AND v.run = g.run
                    AND v.model || '_' || v.dataset = g.file
                    AND v."index" = g.question_key
            WHERE v.run LIKE 'T202602%' AND v.verdict IN (0, 1)
            """,
            [str(kit / "VERDICTS.parquet")],
        ).fetchall()
    assert len({row[0] for row in rows}) == 14
    assert len(rows) > 6_500
    assert [row for row in rows if row[3] != row[4]] == []


def test_drawn_letters_decide_for_the_peer_alone(lab: tuple[Warehouse, str]) -> None:
    with duckdb.connect(str(lab[0].path), read_only=True) as con:
        assert con.execute(
            "SELECT count(*), count(score), count(reply) FROM main.judgment WHERE stated = 'drawn'"
        ).fetchall() == [(142, 142, 0)]
        for release in ("field_v2", PEER):
            found = con.execute(
                f"""
                SELECT p.resolved_by, count(*), count(CASE WHEN p.score <> v.score THEN 1 END)
                FROM {release}.pass_result AS p
                INNER JOIN {release}.stated_verdict AS v
                    ON
                        p.run_id = v.run_id
                        AND p.question_id = v.question_id
                        AND p.pass = v.pass
                        AND p.judge = v.judge
                WHERE v.stated = 'drawn'
                GROUP BY p.resolved_by
                """
            ).fetchall()
            by_state = {state: (n, n_different) for state, n, n_different in found}
            assert sum(n for n, _ in by_state.values()) == 142
            if release == PEER:
                assert by_state == {"random": (142, 0)}
            else:
                # Nothing is drawn for blank answers and failed calls, nor where a rule reads one, such as
                # the label after the thinking, or what an answer states.
                assert {state: n for state, (n, _) in by_state.items()} == {
                    "random": 59,
                    "rule": 62,
                    "unresolved": 11,
                    "missing": 10,
                }
                assert by_state["random"][1] > 0


def test_the_board_is_the_open_vlm_leaderboards(lab: tuple[Warehouse, str], kit: Path) -> None:
    """Choices under the model that extracted letters, which every run has; yes and no by the rules."""
    published = json.loads((kit / "LEADERBOARD.json").read_text("utf-8"))
    judged, wanted = (
        published[f"{judge} (unrounded inputs)"] for judge in ("gpt-4o-mini", "exact_matching")
    )
    board = lab[0].board("openvlm", release=PEER)
    names = [column.name for column in board.definition.columns]
    for line in board.lines:
        cells = dict(zip(names, line.entries, strict=True))
        for name in ("MMBench_V11", "MMStar", "MMMU_VAL", "AI2D"):
            assert cells[name].score == pytest.approx(judged[line.model][name], abs=0.0501)
        score = cells["HallusionBench"].score
        assert score == pytest.approx(wanted[line.model]["HallusionBench"], abs=0.0501)
        # The peer prints its sum; its board divides it by ten.
        assert cells["OCRBench"].score == pytest.approx(wanted[line.model]["OCRBench"] / 10)
        # Under the judge that extracted the answers, which is the only one.
        assert cells["MathVista"].score == pytest.approx(
            wanted[line.model]["MathVista"], abs=0.0501
        )


def test_views_have_rows_of_the_rules_that_they_declare(lab: tuple[Warehouse, str]) -> None:
    """A refresh leaves a view out where none of its rules can apply."""
    with duckdb.connect(str(lab[0].path), read_only=True) as con:
        for release in ("field_v2", PEER):
            declared = {
                item.file.name: item.rules
                for item in plan(releases.load(release))
                if item.rules is not None
            }
            assert set(declared) == {"rule_score", "extraction", "judged_rule_result"}
            for view, rules in declared.items():
                found = con.execute(
                    f"SELECT r.rule, count(*) FROM {release}.{view} AS v "
                    f"LEFT JOIN {release}_internal.question_rule AS r USING (question_id) GROUP BY ALL"
                ).fetchall()
                assert {rule for rule, _ in found} <= rules, view
                assert sum(n for _, n in found) > 1000, view


def test_runs_are_kept_alike_with_others_and_without(lab: tuple[Warehouse, str]) -> None:
    """Runs of one benchmark at a time, so that each leaves out what the others need."""
    house = lab[0]

    def kept() -> list[list[tuple[object, ...]]]:
        with house.reading() as con:
            return [
                con.execute(f"SELECT * FROM field_v2_internal.{view} ORDER BY ALL").fetchall()
                for view in ("pass_result", "question_result", "ability_sum", "benchmark_score")
            ]

    def numbers_of_runs() -> list[str]:
        with house.reading() as con:
            rows = con.execute(
                "SELECT string_agg(r.run_id, ', ') FROM main.run AS r "
                "JOIN main.dataset AS d USING (dataset_id) GROUP BY d.benchmark_id"
            ).fetchall()
        return [runs for (runs,) in rows]

    before = kept()
    benchmarks = numbers_of_runs()
    assert len(benchmarks) > 25
    for runs in benchmarks:
        with house.writing() as con:
            con.execute(f"DELETE FROM field_v2_internal.computed_run WHERE run_id IN ({runs})")
        assert house.refresh(release="field_v2").n_built == len(runs.split(", "))
    assert kept() == before


def test_kept_is_live(lab: tuple[Warehouse, str]) -> None:
    query = "SELECT * EXCLUDE (run_id) FROM field_v2.benchmark_score ORDER BY ALL"
    house = lab[0]
    kept = house.sql(query, release="field_v2")
    house.drop_kept(release="field_v2")
    assert house.sql(query, release="field_v2").equals(kept)
