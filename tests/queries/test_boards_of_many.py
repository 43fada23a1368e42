"""Boards of many benchmarks: models by figures, their mean and mean rank."""

from __future__ import annotations

import io
import json
from pathlib import Path

import polars as pl
import pytest

from evalhouse import InputError, UsageError, Warehouse
from evalhouse.judging import JudgeSettings, assign
from queries import install, many_benchmarks
from queries.render.boards import many_table
from tests.commands import run
from warehouse import known_benchmarks

_BOARD = """
title = "Two"
mean = "Mean"
rank = "Rank"

[[column]]
name = "Stars"
scale = 100
of = [{ benchmark = "MMStar" }]

[[column]]
name = "Both"
scale = 10
of = [{ benchmark = "MMStar" }, { benchmark = "RealWorldQA" }]
"""
_ANSWERS = {
    ("one", "MMStar"): "ABBA",
    ("two", "MMStar"): "AAAA",
    ("six", "MMStar"): "BBBB",
    ("one", "RealWorldQA"): "AB",
    ("two", "RealWorldQA"): "BB",
}
_RIGHT = "ABAB"


@pytest.fixture
def lab(house: Warehouse, tmp_path: Path) -> Warehouse:
    for (model, dataset), said in _ANSWERS.items():
        path = tmp_path / f"{model}_{dataset}.tsv"
        rows = [
            f"{n}\tq{n}\tx{n}\ty{n}\t{right}\tc\t{answer}"
            for n, (right, answer) in enumerate(zip(_RIGHT, said, strict=False), start=1)
        ]
        head = "index\tquestion\tA\tB\tanswer\tcategory\tprediction"
        path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
        house.ingest(path, model=model, refresh=False)
    house.refresh(release=install.LATEST)
    (tmp_path / "two.toml").write_text(_BOARD, encoding="utf-8")
    return house


def _share(model: str, dataset: str) -> float:
    said = _ANSWERS[model, dataset]
    return sum(a == b for a, b in zip(_RIGHT, said, strict=False)) / len(said)


def test_means_and_ranks_are_those_of_plain_python(lab: Warehouse, tmp_path: Path) -> None:
    board = lab.board(str(tmp_path / "two.toml"))
    stars = {model: 100 * _share(model, "MMStar") for model in ("one", "two", "six")}
    both = {m: 5 * (_share(m, "MMStar") + _share(m, "RealWorldQA")) for m in ("one", "two")}
    mean = {m: (stars[m] + both[m]) / 2 for m in both}
    assert [line.model for line in board.lines] == [*sorted(both, key=lambda m: -mean[m]), "six"]
    for line in board.lines:
        scores = [entry.score if entry else None for entry in line.entries]
        assert scores == pytest.approx([stars[line.model], both.get(line.model)])
        assert line.mean == (pytest.approx(mean[line.model]) if line.model in mean else None)
        ranks = [
            1 + sum(v > of[line.model] for v in of.values())
            for of in (stars, both)
            if line.model in of
        ]
        assert line.mean_rank == (pytest.approx(sum(ranks) / 2) if len(ranks) == 2 else None)
    assert board.judges == ("none", "none")


def test_what_is_missing_prints_a_dash(lab: Warehouse, tmp_path: Path) -> None:
    table = many_table(lab.board(str(tmp_path / "two.toml")), digits=1)
    six = next(row for row in table.rows if row.cells[0].text == "six")
    assert [cell.text for cell in six.cells] == ["six", "-", "-", "50.0", "-"]
    assert table.headings == ["Model", "Mean", "Rank", "Stars", "Both"]


@pytest.mark.slow
def test_answers_that_nothing_read_are_counted(house: Warehouse, tmp_path: Path) -> None:
    said = {"POPE": ["yes", "perhaps", "", "who knows"], "MMStar": ["A", "perhaps", "", "B or A"]}
    for dataset, answers in said.items():
        labels, choices, right = ("", "", "Yes") if dataset == "POPE" else ("A\tB\t", "x\ty\t", "A")
        rows = [f"{n}\tq{n}\t{choices}{right}\tc\t{one}" for n, one in enumerate(answers, start=1)]
        head = f"index\tquestion\t{labels}answer\tcategory\tprediction"
        path = tmp_path / f"one_{dataset}.tsv"
        path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
        house.ingest(path, model="one", refresh=False)
    states = house.sql(
        "SELECT dataset, count(*) FILTER (resolved_by = 'unresolved') FROM pass_result GROUP BY 1",
        release=install.LATEST,
    ).rows()
    board = house.board(None)
    names = [column.name for column in board.definition.columns]
    (line,) = board.lines
    shown = {name: entry.n_unread for name, entry in zip(names, line.entries, strict=True) if entry}
    assert shown == dict(states) == {"MMStar": 3, "POPE": 3}
    notes = many_table(board, digits=1).notes
    assert "one, answers that nothing read, counted 0: MMStar 3, POPE 3" in notes


@pytest.mark.slow
def test_a_mean_has_bounds_while_verdicts_are_pending(house: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "one_MathVista_MINI.tsv"
    head = "index\tquestion\tanswer_type\tanswer\tprediction"
    rows = ["1\tq\tinteger\t5\t5", "2\tr\tinteger\t6\tabout six"]
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    house.ingest(path, model="one", refresh=False)
    assign(house.path, JudgeSettings(model="j"))
    text = (
        'title = "M"\nmean = "Mean"\n[[column]]\nname = "MV"\nof = [{ benchmark = "MathVista" }]\n'
    )
    (tmp_path / "m.toml").write_text(text, encoding="utf-8")
    by_rules = house.board(str(tmp_path / "m.toml"))
    assert (by_rules.judges, by_rules.lines[0].mean) == (("none",), 50.0)
    board = house.board(str(tmp_path / "m.toml"), judge="j")
    (line,) = board.lines
    assert (line.mean, line.mean_low, line.mean_high) == (None, 50.0, 100.0)
    (row,) = many_table(board, digits=1).rows
    assert [cell.text for cell in row.cells] == ["one", "50.0–100.0", "50.0–100.0"]


def test_a_column_without_right_answers_says_so(house: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "one_ChartQA_TEST.tsv"
    rows = ["1\tq\t3\t3", "2\tr\t\t4"]
    path.write_text(
        "\n".join(["index\tquestion\tanswer\tprediction", *rows]) + "\n", encoding="utf-8"
    )
    house.ingest(path, model="one", refresh=False)
    board = house.board(None)
    assert board.lines == ()
    notes = many_table(board, digits=1).notes
    assert "no figure of ChartQA/test: 1 question has no right answer in the warehouse" in notes


@pytest.mark.slow
def test_the_command(lab: Warehouse, tmp_path: Path) -> None:
    done = run("evalhouse", "board", "two.toml", "--db", lab.path, "--format", "json", cwd=tmp_path)
    assert done.code == 0, done.err
    rows = json.loads(done.out)
    assert {(row["model"], row["column"]) for row in rows} == {
        (model, column) for model in ("one", "two", "six") for column in ("Stars", "Both")
    }
    every = run("evalhouse", "board", "--all", "--db", lab.path, "--format", "csv", cwd=tmp_path)
    assert "MMStar" in every.out
    assert "RealWorldQA" in every.out
    # A share is in percent there, as the leaderboard of the benchmark has it.
    (share,) = lab.sql(
        "SELECT max(score) FROM benchmark_score WHERE dataset = 'MMStar' AND figure = 'Overall' "
        "AND level = 'overall' AND is_latest"
    ).row(0)
    best = pl.read_csv(io.StringIO(every.out))["MMStar"].max()
    assert 0 < share <= 1
    assert best == pytest.approx(100 * share, abs=0.051)
    shipped = run("evalhouse", "board", "openvlm", "--db", lab.path, cwd=tmp_path)
    assert "no run here: MMBench_V11, MMMU_VAL" in shipped.out
    parquet = run(
        "evalhouse",
        "board",
        "openvlm",
        "--db",
        lab.path,
        "--format",
        "parquet",
        "-o",
        "b.parquet",
        cwd=tmp_path,
    )
    assert parquet.code == 0
    assert pl.read_parquet(tmp_path / "b.parquet").height == 3 * 8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "error"),
    [
        ((), "say which board (openvlm, or a .toml file), or --all"),
        (("openvlm", "--all"), "say which board"),
        (("no_such",), "no board 'no_such': neither one of openvlm nor a .toml file"),
        (("openvlm", "--judge", "nobody"), "no judge 'nobody'; there are none"),
    ],
)
def test_what_cannot_be_shown(lab: Warehouse, words: tuple[str, ...], error: str) -> None:
    done = run("evalhouse", "board", *words, "--db", lab.path, cwd=lab.path.parent)
    assert done.code == 2
    assert error in " ".join(done.err.split())


@pytest.mark.parametrize(
    ("before", "after", "error"),
    [
        ('title = "Two"', "", "field title: is missing"),
        ('mean = "Mean"', "means = 1", "field means: is not known here"),
        ('name = "Stars"\n', "", "row 1, field column.name: is missing"),
        ('of = [{ benchmark = "MMStar" }]\n', "", "row 1, field column.of: is missing"),
        ('{ benchmark = "RealWorldQA" }', '{ name = "x" }', "row 2, field of.name: is not known here"),
        ("scale = 100", 'scale = "x"', "row 1, field column.scale: \"'x'\" is no number"),
        ("[[column]]", "[[columns]]", "field columns: is not known here"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_board(tmp_path: Path, before: str, after: str, error: str) -> None:
    path = tmp_path / "own.toml"
    assert before in _BOARD
    path.write_text(_BOARD.replace(before, after), encoding="utf-8")
    with pytest.raises(InputError) as raised:
        many_benchmarks.load(str(path))
    assert error.replace("\"'x'\"", "'x'") in str(raised.value).replace("\"'x'\"", "'x'")


@pytest.mark.slow
def test_a_column_that_means_two_datasets(lab: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "one_ScienceQA_VAL.tsv"
    text = (tmp_path / "one_MMStar.tsv").read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    test = tmp_path / "one_ScienceQA_TEST.tsv"
    test.write_text(text, encoding="utf-8")
    lab.ingest(path, model="one")
    lab.ingest(test, model="one")
    own = tmp_path / "own.toml"
    own.write_text(
        'title = "Own"\n[[column]]\nname = "Sci"\nof = [{ benchmark = "ScienceQA" }]\n',
        encoding="utf-8",
    )
    with pytest.raises(
        UsageError, match=r"column Sci: ScienceQA means ScienceQA/test and ScienceQA/val here"
    ):
        lab.board(str(own))


def test_shipped_boards_name_benchmarks_that_are_known() -> None:
    for name in many_benchmarks.shipped_names():
        for column in many_benchmarks.load(name).columns:
            for figure in column.of:
                found = known_benchmarks.find(figure.benchmark)
                assert found is not None
                declared = [one.name for one in found.scoring.figures] or ["Overall"]
                assert figure.figure is None or figure.figure in declared
