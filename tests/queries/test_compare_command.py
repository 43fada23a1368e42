"""`evalhouse compare` and `leaderboard --intervals`: what they print, and what they refuse."""

from __future__ import annotations

import json
import re
import shutil
from io import BytesIO
from pathlib import Path

import duckdb
import polars as pl
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from evalhouse import UsageError, Warehouse
from queries import render
from queries.comparison import Comparison
from tests.commands import run
from tests.houses import QuickHouse
from tests.mmbench_random import Small, small_house
from tests.oracle import Ask
from tests.queries.test_graded import OpenAsk, add_judge, add_judgments, add_open
from tests.tables import question_rows, register_judge, write_jsonl
from warehouse import judges


@pytest.fixture(scope="module")
def small(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Warehouse, Small]:
    return small_house(new_file, tmp_path_factory.mktemp("small"), seed=3)


EN, CN = "MMBench/dev/en", "MMBench/dev/cn"


def overall(found: Comparison) -> dict[str, object]:
    return found.frame.row(0, named=True)


@pytest.mark.long
def test_real_answers_as_the_peer_scored_them(house: Warehouse, shared: Path) -> None:
    """VLMEvalKit's own verdicts on 600 questions, all of which show one and the same image."""
    folder = shared / "formats/vlmevalkit/mixed600"
    house.ingest(folder / "MMBench_SYN.tsv")
    house.ingest(*sorted(folder.glob("synth-vlm-*_MMBench_SYN.tsv")))
    hits = pl.read_parquet(folder / "peer_hits.parquet").pivot(
        "model", index=["split", "index"], values="hit"
    )
    for split in ("dev", "test"):
        part = hits.filter(split=split)
        for one, two in (("synth-vlm-00", "synth-vlm-01"), ("synth-vlm-02", "synth-vlm-00")):
            a, b = part[one].to_numpy(), part[two].to_numpy()
            found = house.compare(
                one, two, dataset=f"MMBench/SYN/{split}", judge="none", release="vlmevalkit_e8e78f0"
            )
            row = overall(found)
            assert (row["n_common"], row["n_clusters"]) == (part.height, 1)
            assert row["n"] == part.height - row["n_missing_a"] - row["n_missing_b"] == part.height
            table = [[((a == i) & (b == j)).sum() for j in (1, 0)] for i in (1, 0)]
            assert row["difference"] == pytest.approx(a.mean() - b.mean(), rel=1e-12)
            assert row["mcnemar_p_value"] == pytest.approx(
                mcnemar(table, exact=True).pvalue, rel=1e-9
            )
            assert row["stderr_questions"] == pytest.approx(stats.sem(a - b), rel=1e-9)
            # One image does not show how far images differ.
            assert row["stderr"] is row["low"] is row["t_p_value"] is row["p_value"] is None
    lines = render.render_comparison(found, "csv").splitlines()
    assert lines[0].startswith(
        "Dataset,Ability,Questions,Images,synth-vlm-02,synth-vlm-00,Difference,95 % from,to,"
    )
    assert ",1," in lines[1]


@pytest.mark.long
def test_a_command(small: tuple[Warehouse, Small], tmp_path: Path) -> None:
    house, _ = small
    words = ("see1", "blind2", "--dataset", EN, "--judge", "P", "--db", house.path)
    done = run("evalhouse", "compare", *words, "--digits", "1", cwd=tmp_path)
    assert (done.code, done.err) == (0, "")
    title, heads, _, first, *rest = done.out.splitlines()
    assert title == f"{EN} · see1 less blind2 · circular · judge P · micro · release latest"
    assert heads.split("  ")[0].strip() == "Ability"
    found = house.compare("see1", "blind2", dataset=EN, judge="P")
    row = overall(found)
    assert first.split()[:2] == ["Overall", str(row["n"])]
    assert f"{render.percent(row['difference'], 1)}" in first  # type: ignore[arg-type]
    assert "McNemar's exact test; Holm's correction is over the level l2" in rest[-2]
    assert "questions are left out, as one of the two has no answer" in rest[-1]
    for fmt in ("parquet", "xlsx", "json"):
        done = run(
            "evalhouse", "compare", *words, "--format", fmt, "-o", f"out.{fmt}", cwd=tmp_path
        )
        assert (done.code, done.out, done.err) == (0, "", "")
    written = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert written["a"]["model"] == "see1"
    assert [r["ability"] for r in written["rows"]] == found.frame["ability"].to_list()
    assert pl.read_parquet(tmp_path / "out.parquet").equals(found.frame)
    sheet = pl.read_excel(BytesIO((tmp_path / "out.xlsx").read_bytes()), has_header=False)
    assert str(row["n"]) in [str(value) for line in sheet.rows() for value in line]
    for fmt in ("markdown", "csv", "latex", "html"):
        assert "Overall" in render.render_comparison(found, fmt)
    other = house.compare("blind2", "see1", dataset=EN, judge="P")
    assert overall(other)["difference"] == -row["difference"]  # type: ignore[operator]


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["circular", "vanilla"])
def test_two_languages(small: tuple[Warehouse, Small], strategy: str) -> None:
    house, data = small
    found = house.compare("see1", "see1", dataset=EN, dataset_b=CN, judge="P", strategy=strategy)
    en, cn = (d.scores("see1", "P", strategy) for d in (data, data.chinese))
    both = [k for k in en if en[k].n_missing == cn[k].n_missing == 0]
    row = overall(found)
    assert (row["n_common"], row["n"]) == (20, len(both))
    differences = [float(en[k].low - cn[k].low) for k in both]  # type: ignore[operator]
    assert row["difference"] == pytest.approx(sum(differences) / len(both), abs=1e-12)
    assert row["stderr"] == pytest.approx(stats.sem(differences), rel=1e-9)
    assert found.names == (EN, CN)
    assert found.alike is not None
    assert (found.alike.n_common, found.alike.n_other_answers, found.alike.n_other_images) == (20, 0, 0)  # fmt: skip


def test_questions_that_are_not_the_same(house: Warehouse, tmp_path: Path) -> None:
    for language, answer in (("en", "A"), ("cn", "B")):
        asks = [Ask(str(n), {0: {"A": "a", "B": "b"}}, {0: answer if n < 3 else "A"}) for n in range(5)]  # fmt: skip
        house.ingest(
            write_jsonl(tmp_path / f"{language}.jsonl", question_rows(asks)),
            benchmark="Own",
            language=language,
        )
        rows = [{"model": "m", "question_key": ask.key, "prediction": "A"} for ask in asks]
        house.ingest(
            write_jsonl(tmp_path / f"p-{language}.jsonl", rows), benchmark="Own", language=language
        )
    found = house.compare("m", "m", dataset="Own/en", dataset_b="Own/cn")
    assert overall(found)["n_a_alone"] == 3
    assert (
        "Of 5 questions with the same key, 3 have another right answer in pass 0"
        in render.render_comparison(found, "table")
    )


REFUSED = {
    ("nobody", "see1"): "no model or run 'nobody'; `evalhouse runs` lists them",
    ("see1", "see2", "--dataset", "MMBunch"): "no dataset 'MMBunch' here; there are "
                                              "MMBench/2/dev/cn, MMBench/dev/cn, MMBench/dev/en, MMBench/dev/fr",
    ("see1", "see2"): "'see1' has runs on MMBench/2/dev/cn, MMBench/dev/cn, MMBench/dev/en, "
                      "MMBench/dev/fr: say which with --dataset",
    ("see1", "see1", "--dataset", EN): "'see1' and 'see1' are the same run",
    ("see1", "see2", "--dataset", EN, "--judge", "K"): "no judge 'K'; there are J, P, none",
    ("see1", "see2", "--dataset", EN, "--level", "l9"): "no level 'l9'; there are overall, l1, l2, l3",
    ("see1", "see2", "--dataset", EN, "--strategy", "graded"): "no strategy 'graded' for MMBench",
    ("see1", "see2", "--dataset", EN, "--subset", "hard"): "'MMBench' has no subset 'hard'; there are all",
    ("see1", "lone", "--dataset", EN): "'lone' has no run on 'MMBench/dev/en', only on Other",
    ("see1", "lone"): "no dataset has runs of both: 'see1' is on MMBench/2/dev/cn, MMBench/dev/cn, "
                      "MMBench/dev/en, MMBench/dev/fr, 'lone' on Other; --dataset-b compares two",
    ("see1", "lone", "--dataset", EN, "--dataset-b", "Other"): "are of two benchmarks",
    ("lone", "same"): "'same' is the label of several runs, of first, second",
    ("lone", "mute"): "no question was answered by both: of 1, 0 have no answer by lone and 1 none by mute",
    ("lone", "first"): "of 1 questions 1 wait for verdicts of J: `evalhouse judge` asks for them, "
                       "or compare under another --judge",
}  # fmt: skip


@pytest.mark.long
def test_what_cannot_be_compared(small: tuple[Warehouse, Small], tmp_path: Path) -> None:
    house = QuickHouse(tmp_path / "more.duckdb")
    shutil.copy(small[0].path, house.path)
    ask = Ask("x", {0: {"A": "a", "B": "b"}}, {0: "A"})
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows([ask])), benchmark="Other")
    for model, label, text in (
        ("lone", "alone", "A"),
        ("first", "same", "what?"),
        ("second", "same", "A"),
        ("mute", "silent", None),
    ):
        rows = [{"model": model, "question_key": "x", "prediction": text, "failed": text is None}]
        house.ingest(write_jsonl(tmp_path / f"{model}.jsonl", rows), benchmark="Other", run=label)
    for words, message in REFUSED.items():
        options = dict(
            zip((w[2:].replace("-", "_") for w in words[2::2]), words[3::2], strict=True)
        )
        options.setdefault("judge", "J")
        with pytest.raises(UsageError, match=re.escape(message)):
            house.compare(*words[:2], **options)
    for words in (("lone", "nobody"), ("see1", "see2", "--dataset", EN, "--format", "svg")):
        done = run("evalhouse", "compare", *words, "--db", house.path, cwd=tmp_path)
        assert (done.code, done.out) == (2, "")
        assert "no model or run 'nobody'" in done.err or "--format is table, markdown" in done.err
    done = run("evalhouse", "compare", "lone", "second", "--judge", "J", "--db", house.path, cwd=tmp_path)  # fmt: skip
    assert done.code == 0
    # One question: too few for a standard error.
    assert done.out.splitlines()[3].split()[:7] == ["Overall", "1", "100.00", "100.00", "0.00", "-", "-"]  # fmt: skip


@pytest.mark.slow
def test_what_is_pending_or_hidden(house: Warehouse, tmp_path: Path) -> None:
    asks = [Ask(str(n), {0: {"A": "a", "B": "b"}}, {0: "A"}) for n in range(6)]
    rows = [
        r | {"ability_topic": "open" if r["question_key"] == "0" else "done"}
        for r in question_rows(asks)
    ]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="Own")
    for model, texts in (("a", "?AAABA"), ("b", "AABBAA")):
        said = [{"model": model, "question_key": str(n), "prediction": t} for n, t in enumerate(texts)]  # fmt: skip
        house.ingest(write_jsonl(tmp_path / f"{model}.jsonl", said), benchmark="Own")
    assert overall(house.compare("a", "b"))["difference"] == pytest.approx(0)
    register_judge(house, "J")
    found = house.compare("a", "b", judge="J")
    by_ability = {
        row["ability"]: (row["n_pending"], row["n"], row["difference"])
        for row in found.frame.to_dicts()
    }
    assert by_ability == {
        "Overall": (1, 5, None),
        "open": (1, 0, None),
        "done": (0, 5, pytest.approx(0.2)),
    }
    shown = render.render_comparison(found, "table").splitlines()
    assert shown[3].split()[-1] == "1"
    assert shown[-1] == "- where verdicts of J are pending."
    with house.writing() as con:
        con.execute("DELETE FROM main.answer")
    with pytest.raises(UsageError, match="the answers of Own are hidden, so nothing has a score"):
        house.compare("a", "b", judge="J")


def test_soft_scores(house: Warehouse) -> None:
    questions = [
        OpenAsk(str(n), abilities=(("capability", "rec" if n % 2 else "ocr"),)) for n in range(12)
    ]
    add_open(
        house,
        questions,
        {m: {(q.key, 0): (f"{m} {q.key}", False) for q in questions} for m in ("one", "two")},
    )
    judge = add_judge(house, "S", "soft_score", n_samples=2)
    said = {
        (m, q.key): [((7 * n + 3 * k + len(m) * i) % 11) / 10 for k in (0, 1)]
        for i, m in enumerate(("one", "two"))
        for n, q in enumerate(questions)
    }
    rows = [
        judges.Judgment(q.subject(f"{m} {q.key}"), str(said[m, q.key][k]), judge_sample=k)
        for m in ("one", "two")
        for q in questions
        for k in (0, 1)
    ]
    add_judgments(house, judge, rows)
    a, b = ([sum(said[m, q.key]) / 2 for q in questions] for m in ("one", "two"))
    found = house.compare("one", "two", level="capability")
    wanted = stats.ttest_rel(a, b)
    row = overall(found)
    assert row["test"] == "t"
    assert row["p_value"] == pytest.approx(wanted.pvalue, rel=1e-9)
    interval = wanted.confidence_interval(0.95)
    assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high), rel=1e-9)
    assert row["correlation"] == pytest.approx(stats.pearsonr(a, b)[0], rel=1e-9)
    assert found.frame["ability"].to_list()[0] == "Overall"
    assert found.frame.height == 3
    assert "p: a paired t test" in render.render_comparison(found, "table")


# Boards.


@pytest.mark.slow
def test_boards_with_intervals(small: tuple[Warehouse, Small], tmp_path: Path) -> None:
    house, _ = small
    (board,) = house.leaderboard("MMBench", language="en", judge="P", intervals=True)
    (plain,) = house.leaderboard("MMBench", language="en", judge="P")
    ranges = {row["model"]: row for row in house.sql(
        f"SELECT * FROM rank_range WHERE dataset = '{EN}' AND judge = 'P' AND strategy = "
        "'circular' AND level = 'overall' AND average = 'micro'"
    ).to_dicts()}  # fmt: skip
    assert [line.model for line in board.lines] == [line.model for line in plain.lines]
    for line in board.lines:
        row = ranges[line.model]
        cell = line.cells[0]
        assert cell is not None and cell.score is not None and line.rank is not None  # noqa: PT018
        assert line.ranks == (row["best_latest"], row["worst_latest"])
        assert row["best"] <= line.rank <= row["worst"]
        if row["stderr"]:
            assert cell.margin == pytest.approx(stats.t.ppf(0.975, 19) * row["stderr"], rel=1e-9)
        else:
            assert cell.margin is None
    text = render.render_boards([board], "table")
    assert " · ± 95 % · " in text.splitlines()[1]
    assert text.splitlines()[2].split()[:5] == ["Rank", "Ranks", "Model", "Overall", "Overall"]
    assert all(word not in render.render_boards([plain], "json") for word in ("margin", "best_rank"))  # fmt: skip
    written = json.loads(render.render_boards([board], "json"))
    assert written[0]["rows"][0]["best_rank"] == 1
    overall = written[0]["rows"][0]["scores"]["Overall"]
    assert overall["margin"] == board.lines[0].cells[0].margin  # type: ignore[union-attr]
    done = run(
        "evalhouse",
        "leaderboard",
        "MMBench",
        "--judge",
        "P",
        "--of",
        "answered",
        "--intervals",
        "--db",
        house.path,
        cwd=tmp_path,
    )
    assert (done.code, done.out) == (2, "")
    assert "intervals are those of scores over all questions" in done.err


@pytest.mark.long
def test_ranges_of_ranks_are_those_of_every_pair(small: tuple[Warehouse, Small]) -> None:
    rows = (
        small[0]
        .sql(
            "SELECT r.*, i.degrees, i.wilson_low, i.wilson_high FROM rank_range AS r JOIN "
            "score_interval AS i USING (run_id, subset, strategy, judge, ability_id, average)"
        )
        .to_dicts()
    )
    boards: dict[tuple[object, ...], list[tuple[float, float, dict[str, object]]]] = {}
    for row in rows:
        half = stats.t.ppf(0.975, row["degrees"]) * row["stderr"] / 2**0.5
        ends = (row["score"] - half, row["score"] + half)
        if row["stderr"] == 0 and row["wilson_low"] is not None:
            ends = (row["wilson_low"], row["wilson_high"])
        key = tuple(
            row[name]
            for name in ("dataset", "subset", "strategy", "judge", "ability_id", "average")
        )
        boards.setdefault(key, []).append((*ends, row))
    assert len(boards) > 100
    for board in boards.values():
        for least, most, row in board:
            assert row["best"] == 1 + sum(other > most + 1e-12 for other, _, _ in board)
            assert row["worst"] == sum(other >= least - 1e-12 for _, other, _ in board)
            assert (row["best_latest"], row["worst_latest"]) == (row["best"], row["worst"])


def test_older_installations_are_told(
    house: Warehouse, small: tuple[Warehouse, Small], tmp_path: Path
) -> None:
    old = QuickHouse(tmp_path / "old.duckdb")
    shutil.copy(small[0].path, old.path)
    with duckdb.connect(str(old.path)) as con:
        for view in ("paired_difference", "rank_range"):
            con.execute(f"DROP VIEW latest.{view}; DROP VIEW field_v2.{view}")
    lost = "paired_difference does not exist.*`evalhouse releases install` installs it anew"
    with pytest.raises(UsageError, match=lost):
        old.compare("see1", "see2", dataset=EN, judge="P")
    with pytest.raises(UsageError, match="rank_range does not exist"):
        old.leaderboard("MMBench", judge="P", intervals=True)


def test_only_the_two_runs_are_read(small: tuple[Warehouse, Small]) -> None:
    """What a pair costs does not grow with the pairs there could be."""
    with small[0].reading() as con:
        runs = con.execute(
            f"SELECT list(run_id ORDER BY run_id) FROM latest.current_run WHERE dataset = '{EN}'"
        ).fetchall()[0][0]
        plan = con.execute(
            "EXPLAIN (ANALYZE, FORMAT json) SELECT * FROM field_v2_internal.paired_test WHERE "
            f"run_a = {runs[0]} AND run_b = {runs[1]} AND strategy = 'circular' AND judge = 'P'"
        ).fetchall()[0][1]
    counts = re.findall(r'"(?:intermediate_rows|operator_cardinality)": ?(\d+)', plan)
    # 40 passes and 20 questions, however they are joined; all pairs of the five runs on each of four
    # datasets are 3,000 rows of questions.
    assert len(counts) > 100
    assert max(map(int, counts)) < 2500


@pytest.mark.slow
def test_names_that_mean_several_things(house: Warehouse, tmp_path: Path) -> None:
    """A dataset that is called as its benchmark is, and a label that two models' runs have."""
    rows = [
        {"question_key": str(n), "question": f"Q {n}", "A": "a", "B": "b", "answer": "A"}
        for n in range(4)
    ]
    said = [
        {"model": model, "question_key": str(n), "prediction": "AB"[(n + skill) % 2]}
        for skill, model in enumerate(("one", "two"))
        for n in range(4)
    ]
    for language in (None, "en"):
        folder = tmp_path / str(language)
        folder.mkdir()
        house.ingest(write_jsonl(folder / "q.jsonl", rows), benchmark="Own", language=language)
        house.ingest(write_jsonl(folder / "said.jsonl", said), benchmark="Own", language=language)
    later = write_jsonl(tmp_path / "later.jsonl", [one for one in said if one["model"] == "one"])
    house.ingest(later, benchmark="Own", language="en")
    assert house.compare("one", "two", dataset="Own").a.dataset == "Own"
    assert house.compare("one", "two", dataset="Own/en").a.run == "later"
    with pytest.raises(UsageError, match="say which as MODEL/LABEL"):
        house.compare("one", "said", dataset="Own/en")
    found = house.compare("one/said", "two/said", dataset="Own/en")
    assert (found.a.run, found.b.model) == ("said", "two")
