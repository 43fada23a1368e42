"""The papers' tables and figures: how views become what is printed and drawn."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest
from typer.testing import CliRunner

from evalhouse import EvalhouseError, UsageError, Warehouse
from evalhouse.cli import app
from queries import figure, render
from queries import release as releases
from queries.figure.marks import nice_top
from queries.paper_entry import KINDS, Entry, Figure, entries
from queries.paper_table import Dataset, PaperTable, list_tables, title_of
from tests.houses import QuickHouse
from tests.mmbench_random import MODELS, Small, small_house
from tests.oracle import Score

NAMES = sorted(entries())
# The abilities of the random data: L-3, L-2, L-1.
TREE = {
    "Image Style": ("CP", "Perception"),
    "Image Quality": ("CP", "Perception"),
    "OCR": ("FP-S", "Perception"),
    "Future Prediction": ("LR", "Reasoning"),
    "Social Relation": ("RR", "Reasoning"),
}
ODD = '<b>&"x'
EN = "MMBench/dev/en"


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    error: str


def say(*words: object) -> Done:
    """Run `evalhouse paper-table …` in this process."""
    done = CliRunner().invoke(app, ["paper-table", *map(str, words)])
    if isinstance(done.exception, EvalhouseError):
        return Done(done.exception.exit_code, done.stdout, str(done.exception))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(done.exit_code, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def small(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Warehouse, Small]:
    """Random answers of five models on small MMBench datasets, one of them with an awkward name."""
    house, data = small_house(empty_file, tmp_path_factory.mktemp("figures"), seed=5)
    for run in house.runs().filter(model="see1").iter_rows(named=True):
        house.rename_run(run["run_id"], model=ODD)
    return house, data


# The entries


def test_every_table_has_an_entry_and_every_entry_a_table() -> None:
    views = releases.load(releases.default_name()).views.values()
    assert [view.name for view in views if view.is_of_papers and view.name not in NAMES] == []
    of_papers = {view.name for view in views if view.is_of_papers}
    assert [name for name in NAMES if name not in of_papers] == []


def test_entries_name_columns_that_there_are(empty_file: Path) -> None:
    columns = dict(
        QuickHouse(empty_file)
        .sql("SELECT table_name, list(column_name) FROM duckdb_columns() WHERE schema_name = 'papers' GROUP BY ALL")
        .iter_rows()
    )  # fmt: skip
    for name, entry in entries().items():
        assert sorted(set(entry.columns) - set(columns[name])) == [], name
        assert "dataset" in columns[name], name
        assert entry.task is None or "judge" in columns[name], name
        assert entry.figure is None or entry.figure.kind in KINDS


def test_titles_begin_with_the_paper() -> None:
    listed = list_tables()
    assert sorted(listed["name"]) == NAMES
    for name, title in listed.select("name", "title").iter_rows():
        paper = name.partition("_")[0]
        begins = {
            "mmbench": "MMBench, ", "talk": "MMBench talk (2024), ", "mmvet": "MM-Vet, ",
            "seed1": "SEED-Bench, ", "seed2": "SEED-Bench-2, ",
        }[paper]  # fmt: skip
        assert title.startswith(begins), name
        number = re.fullmatch(r"\w+?_(t|fig)(\d+)", name)
        if number:
            word = {"t": "Table", "fig": "Figure"}[number[1]]
            assert f"{word} {number[2]}" in title, name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a]\ncolour = 'red'", r"\[a\] knows no colour; it knows task, order"),
        ("a = 3", r"\[a\] has to be a table"),
        ("[a]\ntask = 'guess'", "task has to be one of choice_extraction"),
        ("[a]\norder = 'model'", "order has to be a list of texts"),
        ("[a]\norder = ['model; DROP']", "order has to be a list of `column`"),
        ("[a]\norder = ['model down']", "order has to be a list of `column`"),
        ("[a]\ndigits = 1.5", "digits has to be a number from 0 to 9"),
        ("[a]\ndigits = true", "digits has to be a number"),
        ("[a]\ndigits_of = { x = 'one' }", "digits_of has to be a table of numbers"),
        ("[a]\ndigits_of = { x = 12 }", "digits_of.x is from 0 to 9"),
        ("[a]\nheadings = { x = 1 }", "headings has to be a table of texts"),
        ("[a]\nsection = ''", "section has to be a text"),
        ("[a]\nbest_places = 4", "best_places has to be a number from 1 to 3"),
        ("[a]\nrounding = 'half_even'", r"\[a\] knows no rounding"),
        ("[a.figure]\nkind = 'pie'\nlabel = 'l'", "figure needs kind, label and value"),
        ("[a.figure]\nkind = 'star'\nlabel = 'l'\nvalue = 'v'", "kind has to be one of radar"),
        ("[a.figure]\nkind = 'radar'\nlabel = 'l'\nvalue = 'v'", "needs series"),
        (
            "[a.figure]\nkind = 'pie'\nlabel = 'l'\nvalue = 'v'\ndark = 'low'",
            "dark is for a heatmap",
        ),
        ("[a]\nfigure = 'pie'", "figure has to be a table"),
        ("[a]\n[a]", "one.toml"),
    ],
)
def test_a_wrong_entry_is_an_error_that_names_it(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "one.toml").write_text(text)
    with pytest.raises(EvalhouseError, match=message) as caught:
        entries(tmp_path)
    assert "one.toml" in str(caught.value)


def test_a_name_stands_in_one_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text("[a]\ndigits = 2")
    with pytest.raises(EvalhouseError, match=r"two\.toml: \[a\] stands there twice"):
        entries(tmp_path)


# How a table is printed

FRAME = pl.DataFrame(
    {
        "dataset": ["D"] * 3,
        "size": ["small", "small", None],
        "model": ["a_b", "=c", "d"],
        "ranked": [True, False, False],
        "score": [50.25, 49.95, 49.95],
        "mark": [3.14159, None, -0.001],
        "n": [10, 20, 3],
        "coverage": [100.0, 100.0, 100.0],
    }
)
TABLE = PaperTable(
    "own_t1",
    "Own, Table 1: scores",
    "latest",
    Entry(
        "own_t1",
        digits_of={"mark": 2},
        headings={"mark": "Δ"},
        section="size",
        star={"score": "ranked"},
        note="* ranked",
        best=("score", "mark ASC"),
    ),
    FRAME,
)


def test_a_table_in_text() -> None:
    lines = render.render_paper(TABLE, "table").splitlines()
    assert lines[0] == "Own, Table 1: scores · D · release latest"
    assert [line.split() for line in lines[1:] if line.strip()] == [
        ["Model", "Score", "Δ", "N"],
        ["─" * len(lines[2].strip())],
        ["small"],
        ["a_b", "50.3*", "3.14", "10"],
        ["=c", "50.0", "-", "20"],
        ["-"],
        ["d", "50.0", "0.00", "3"],
        ["*", "ranked"],
    ]


def test_a_table_in_markdown_and_latex() -> None:
    markdown = re.sub(" +", " ", render.render_paper(TABLE, "markdown")).splitlines()
    assert markdown[4:] == [
        "| *small* | | | |",
        r"| a_b | **50.3**\* | <u>3.14</u> | 10 |",
        "| =c | <u>50.0</u> | - | 20 |",
        "| *-* | | | |",
        "| d | <u>50.0</u> | **0.00** | 3 |",
        "",
        r"\* ranked",
    ]
    latex = render.render_paper(TABLE, "latex", digits=0)
    assert r"a\_b" in latex
    assert r"\textbf{50}*" in latex
    assert r"$\Delta$" in latex
    assert r"\textit{small}" in latex


def test_a_table_in_csv_json_and_parquet() -> None:
    assert render.render_paper(TABLE, "csv").splitlines() == [
        "Dataset,Size,Model,Ranked,Score,Δ,N,Coverage",
        "D,small,a_b,yes,50.3,3.14,10,100.0",
        "D,small,'=c,no,50.0,,20,100.0",
        "D,,d,no,50.0,0.00,3,100.0",
    ]
    (written,) = json.loads(render.render_paper(TABLE, "json"))
    assert (written["name"], written["dataset"], written["rows"][0]["score"]) == (
        "own_t1",
        "D",
        50.25,
    )
    assert pl.read_parquet(render.pack_paper(TABLE, "parquet")).equals(FRAME)


def test_coverage_is_shown_where_something_is_missing() -> None:
    cut = FRAME.with_columns(coverage=pl.Series([100.0, 99.9, None]))
    shown = render.render_paper(replace(TABLE, frame=cut), "table")
    assert "Coverage" in shown
    assert "99.9" in shown


def test_rounding_as_the_benchmark_has_it() -> None:
    frame = pl.DataFrame({"dataset": ["D"], "total": [24.25]})
    half_up = PaperTable("t", "T", "latest", Entry("t"), frame)
    assert "24.3" in render.render_paper(half_up, "table")
    even = replace(half_up, datasets={"D": Dataset("half_even")})
    assert "24.2" in render.render_paper(even, "table")
    other = replace(half_up, datasets={"E": Dataset("half_even")})
    assert "24.3" in render.render_paper(other, "table")


def test_one_table_per_dataset_subset_and_strategy() -> None:
    frame = pl.DataFrame(
        {
            "dataset": ["D", "D", "E"],
            "subset": ["all", "bard", "all"],
            "strategy": ["graded"] * 3,
            "judge": ["J", "K", "L"],  # compared, since the entry has no task
            "score": [1.0, 2.0, 3.0],
        }
    )
    table = PaperTable("t", "T", "latest", Entry("t"), frame)
    assert [part.title for part in table.parts()] == [
        "T · D · graded · release latest",
        "T · D · subset bard · graded · release latest",
        "T · E · graded · release latest",
    ]
    assert "K" in render.render_paper(table, "table")
    by_subset = replace(table, entry=Entry("t", section="subset"))
    assert "\n bard" not in render.render_paper(by_subset, "table")
    by_judge = replace(table, entry=Entry("t", task="soft_score"))
    assert next(by_judge.parts()).title == "T · D · graded · judge J · release latest"


def test_a_title_is_the_comment_s_first_sentence() -> None:
    assert title_of("MM-Vet, Table 3: totals of 0.5. One row per run.") == "MM-Vet, Table 3: totals of 0.5"  # fmt: skip


# The command


def test_the_list_needs_no_warehouse(tmp_path: Path) -> None:
    listed = say("--list", "--db", tmp_path / "none.duckdb")
    assert listed.code == 0
    for words in (r"mmbench_fig1 +figure: radar", r"mmbench_t5 +table +MMBench, Table 5"):
        assert re.search(words, listed.out)
    rows = json.loads(say("--format", "json").out)
    names = [row["name"] for row in rows]
    assert names.index("mmbench_t2") < names.index("mmbench_t10") < names.index("talk_t1")
    (fig2,) = (row for row in rows if row["name"] == "mmbench_fig2")
    assert fig2["reads"] == "ability_tree, question_level"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["mbench_t5"], "no table or figure 'mbench_t5'; there is mmbench_t5"),
        (["zzz"], "no table or figure 'zzz'; none is like it"),
        (["mmbench_t6"], "mmbench_t6: nothing in this warehouse for judge none. It needs"),
        (["mmbench_fig1", "--dataset", "Other"], "It needs a run of MMBench, on questions"),
        (["mmbench_fig2", "--split", "test"], "nothing in this warehouse for split test"),
        (["mmbench_fig1", "--judge", "nobody"], "no judge 'nobody'; there are J, P, none"),
        (["mmbench_fig2", "--judge", "J"], "mmbench_fig2 has no judge to choose"),
        (["mmbench_fig2", "--subset", "hard"], "mmbench_fig2 has no subset to choose"),
        (["mmbench_t4", "--format", "svg"], "mmbench_t4 is a table and no figure"),
        (["mmbench_fig2", "--format", "pdf"], "--format is table, markdown"),
        (["mmbench_fig2", "--format", "png"], "png goes to a file: give -o FILE"),
        (["mmbench_fig2", "--format", "svg", "-o", "/nonexistent/x"], "cannot be written"),
        (["--format", "svg"], "--list goes without a name"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_said(
    small: tuple[Warehouse, Small], words: list[str], message: str
) -> None:
    more = ["--judge", "none"] if words[0] == "mmbench_t6" else []
    more += ["--judge", "J"] if words[-1] == "Other" else []
    done = say(*words, *more, "--db", small[0].path)
    assert (done.code, done.out, message in done.error) == (2, "", True), done.error


def test_without_a_judge_each_dataset_has_its_own(small: tuple[Warehouse, Small]) -> None:
    house, _ = small
    found = house.paper_table("mmbench_fig1").select("dataset", "judge").unique()
    boards = {board.dataset: board.judge for board in house.leaderboard("MMBench")}
    assert found.height
    assert {(name, boards[name]) for name in found["dataset"]} == set(found.rows())


def paper(house: Warehouse, name: str, judge: str | None) -> PaperTable | None:
    """None if it is said what it needs."""
    try:
        return house.paper(name, judge=judge)
    except UsageError as error:
        if not re.search("It needs|answers in words need one", str(error)):
            raise
    return None


@pytest.mark.papers
def test_every_table_is_printed_or_says_what_it_needs(small: tuple[Warehouse, Small]) -> None:
    """In every format, also with an awkward name; no view of a paper fails on a real warehouse."""
    printed = 0
    for name, entry in entries().items():
        judge = "J" if entry.task == "choice_extraction" else None
        table = paper(small[0], name, judge)
        if table is None:
            continue
        printed += 1
        assert render.render_paper(table, "table").startswith(f"{table.title} · MMBench/"), name
        for fmt in ("markdown", "csv", "json", "latex", "html"):
            text = render.render_paper(table, fmt)
            assert len(text) > 20, (name, fmt)
            assert fmt != "html" or "<b>" not in text
        for fmt in ("xlsx", "parquet"):
            assert len(render.pack_paper(table, fmt)) > 20, (name, fmt)
        if entry.figure:
            assert texts(figure.svg(table)), name
    assert printed >= 15


def test_from_python(small: tuple[Warehouse, Small]) -> None:
    house, _ = small
    frame = house.paper_table("mmbench_t4", judge="J", dataset=EN)
    assert frame["model"].to_list() == sorted([ODD, *MODELS], key=str)[:1] + sorted(
        model for model in MODELS if model != "see1"
    )
    with pytest.raises(UsageError, match="no judge"):
        house.paper_table("mmbench_t4", judge="nobody")


@pytest.mark.slow
def test_a_table_of_one_s_own(small: tuple[Warehouse, Small], tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    (folder / "papers").mkdir(parents=True)
    (folder / "release.toml").write_text('description = ""\nbuilds_on = "paper_v1"\n')
    view = "-- Mine, Table 1: models. One row per model.\nSELECT DISTINCT dataset, model FROM leaderboard"
    (folder / "papers" / "mine_t1.sql").write_text(view)
    done = say("mine_t1", "--db", small[0].path, "--release", folder)
    assert done.out.startswith("Mine, Table 1: models · MMBench/2/dev/cn · release mine\n")
    as_svg = say("mine_t1", "--db", small[0].path, "--release", folder, "--format", "svg")
    assert (as_svg.code, "mine_t1 is a table and no figure" in as_svg.error) == (2, True)
    assert "mine_t1" in say("--list", "--release", folder).out


# The two figures of this file's own


def percent(scores: list[Score]) -> float | None:
    """The mean over questions without a missing pass; None while a verdict is pending."""
    if any(score.low != score.high for score in scores):
        return None
    lows = [score.low for score in scores if score.n_missing == 0 and score.low is not None]
    return float(100 * sum(lows, Fraction()) / len(lows)) if lows else None


@pytest.mark.slow
@pytest.mark.parametrize("judge", ["none", "J", "P"])
def test_figure_1_against_plain_python(small: tuple[Warehouse, Small], judge: str) -> None:
    house, data = small
    frame = house.paper_table("mmbench_fig1", judge=judge, dataset=EN)
    want = {}
    for model in MODELS:
        scores = data.scores(model, judge)
        for short in {above[0] for above in TREE.values()}:
            here = [scores[k] for k, ability in data.ability.items() if TREE[ability][0] == short]
            want[ODD if model == "see1" else model, short] = percent(here)
    found = {(r["model"], r["abbreviation"]): r["score"] for r in frame.iter_rows(named=True)}
    assert found == pytest.approx(want, nan_ok=True)
    assert frame["abbreviation"][:4].to_list() == ["LR", "RR", "FP-S", "CP"]  # the paper's order
    if judge == "J":
        assert None in want.values()


def test_figure_2_against_plain_python(small: tuple[Warehouse, Small]) -> None:
    house, data = small
    frame = house.paper_table("mmbench_fig2", dataset=EN)
    want = Counter[tuple[str, str]]()
    for ability in data.ability.values():
        short, top = TREE[ability]
        want.update([("l3", ability), ("l2", short), ("l1", top)])
    found = {(r["level"], r["abbreviation"]): r["n"] for r in frame.iter_rows(named=True)}
    assert found == want
    for level in ("l1", "l2", "l3"):
        of_level = frame.filter(level=level)
        assert of_level["share"].sum() == pytest.approx(100)
        assert of_level["place"].to_list() == list(range(1, of_level.height + 1))
    # Each ability stands within the one that it belongs to, from ring to ring.
    names = dict(frame.filter(pl.col("level") != "l3").select("ability", "place").iter_rows())
    for level in ("l2", "l3"):
        above = [names[parent] for parent in frame.filter(level=level)["parent"]]
        assert above == sorted(above)


def test_figure_2_needs_no_run(house: Warehouse, tmp_path: Path) -> None:
    data = Small(1)
    data.fill(house, tmp_path / "data")
    for run in house.runs()["run_id"]:
        house.retract_run(run)
    assert say("mmbench_fig2", "--db", house.path).code == 0
    assert "It needs a run" in say("mmbench_fig1", "--judge", "none", "--db", house.path).error


# Pictures


def texts(svg: str) -> set[str]:
    """What is written in a picture, which has to be well formed and without references outwards."""
    tree = ElementTree.fromstring(svg)
    for node in tree.iter():
        assert node.tag.rpartition("}")[2] not in ("script", "image", "foreignObject", "a")
        for name, value in node.attrib.items():
            assert "href" not in name
            assert not re.search(r"https?:|url\((?!#)", value)
    return {"".join(node.itertext()) for node in tree.iter("{http://www.w3.org/2000/svg}text")}


@pytest.mark.slow
def test_figures_of_a_warehouse(small: tuple[Warehouse, Small], tmp_path: Path) -> None:
    db = small[0].path
    words = ("mmbench_fig1", "--judge", "P", "--dataset", EN, "--db", db, "--format")
    written = texts(say(*words, "svg").out)
    assert {ODD, "see2", "LR", "CP"} <= written
    assert any("MMBench, Figure 1" in text for text in written)
    page = say(*words, "html").out
    assert page.startswith("<!DOCTYPE html>")
    assert "<b>" not in page
    assert texts(page[page.index("<svg") : page.index("</svg>") + 6]) == written
    assert say(*words, "png", "-o", tmp_path / "f.png").code == 0
    assert (tmp_path / "f.png").read_bytes().startswith(b"\x89PNG")
    # All four datasets, below each other.
    pies = texts(say("mmbench_fig2", "--db", db, "--format", "svg").out)
    assert sum("MMBench/" in text for text in pies) == 4
    assert "OCR 4 (20.0 %)" in pies


def drawn(kind: str, rows: list[tuple[str, str, float | None]]) -> PaperTable:
    frame = pl.DataFrame(
        {
            "dataset": ["D"] * len(rows),
            "label": [row[0] for row in rows],
            "series": [row[1] for row in rows],
            "value": pl.Series([row[2] for row in rows], dtype=pl.Float64),
        }
    )
    entry = Entry("f", figure=Figure(kind, "label", "series", "value"))
    return PaperTable("f", "Paper, Figure 1", "latest", entry, frame)


ROWS = [
    (label, series, None if (label, series) == ("{{datum.x}}", "m1") else 10.0 + place)
    for place, label in enumerate((ODD, "{{datum.x}}", "a.b[0]\x01", "a very long name " * 4))
    for series in ("m1", "m2", "null")
]


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_draws_any_text_and_no_value(kind: str) -> None:
    written = texts(figure.svg(drawn(kind, ROWS)))
    assert any(ODD in text for text in written)
    assert any("{{datum.x}}" in text for text in written)
    assert any("a.b[0]␁" in text for text in written)
    assert any("null" in text for text in written) or kind == "pie"
    assert not any("…" in text for text in written)  # nothing is cut off


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_of_nothing_is_drawn(kind: str) -> None:
    assert "Paper, Figure 1" in "".join(texts(figure.svg(drawn(kind, [("a", "m", None)]))))


@pytest.mark.parametrize("kind", ["radar", "grouped_bar"])
def test_many_series_get_panels_of_their_own(kind: str) -> None:
    rows = [(label, f"model {n}", float(n)) for n in range(9) for label in "abc"]
    written = texts(figure.svg(drawn(kind, rows)))
    assert {f"model {n}" for n in range(9)} <= written


def test_a_missing_value_opens_the_polygon() -> None:
    rows = [(label, "m", None if label == "b" else 5.0) for label in "abcd"]
    spec = json.dumps(figure.spec(figure.pictures_of(drawn("radar", rows))))
    closed = json.dumps(
        figure.spec(figure.pictures_of(drawn("radar", [(a, m, 5.0) for a, m, _ in rows])))
    )
    assert closed.count('"series": "m"') - spec.count('"series": "m"') == 3  # 2 edges, 1 corner


def test_a_heat_map_shows_a_level_not_reached_as_an_empty_field() -> None:
    written = texts(figure.svg(drawn("heatmap", [("L1", "m", 12.5), ("L2", "m", None)])))
    assert {"12.5", "–", "L1", "L2", "m"} <= written


def test_a_heat_map_of_ranks_is_dark_where_they_are_low() -> None:
    table = drawn("heatmap", [("a", "m", 1.0), ("b", "m", 9.0)])
    assert table.entry.figure is not None
    low = replace(table, entry=replace(table.entry, figure=replace(table.entry.figure, dark="low")))
    fills = []
    for one in (table, low):
        tree = ElementTree.fromstring(figure.svg(one))
        fields = [n for n in tree.iter() if n.get("aria-roledescription") == "rect mark"]
        fills.append([field.get("fill") for field in fields])
    assert len(fills[0]) == 2
    assert fills[0] == fills[1][::-1]


@pytest.mark.parametrize(("values", "top"), [
    ([79.9], 80), ([99.3], 100), ([100.0], 100), ([25.4], 30), ([3.2], 3.5),
    ([1200000.0], 1500000), ([], 1), ([0.0], 1),
])  # fmt: skip
def test_axes_end_at_round_numbers(values: list[float], top: float) -> None:
    assert nice_top(values) == top
