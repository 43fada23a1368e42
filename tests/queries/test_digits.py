"""Every printed digit: one rounding per benchmark, figures that belong together, and no silent dash."""

from __future__ import annotations

import csv
import io
import json
import random
import zipfile
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import fastexcel
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalhouse import UsageError, Warehouse
from queries import figure, leaderboard, mmvet_export, render
from queries.board import Board
from queries.decimals import decimals, percent, rounded
from queries.mmvet_export import mmvet_files
from queries.options import BoardOptions, CompareOptions, PaperOptions
from queries.paired import compare
from queries.paper_table import paper_table
from queries.release import default_name, load
from tests.commands import run
from tests.houses import QuickHouse
from tests.oracle import Ask
from tests.tables import question_rows, write_jsonl
from warehouse.known_benchmarks import rounding_of

TIES = {"half_up": ROUND_HALF_UP, "half_even": ROUND_HALF_EVEN}


def exactly(fraction: Fraction, digits: int, rounding: str) -> Fraction:
    """A fraction in percent rounded without a float anywhere."""
    tenths = 100 * fraction * 10**digits
    if rounding == "half_even":
        return Fraction(round(tenths), 10**digits)
    return Fraction((2 * tenths.numerator + tenths.denominator) // (2 * tenths.denominator), 10**digits)  # fmt: skip


# One rounding


def test_which_benchmark_rounds_how() -> None:
    assert rounding_of("MM-Vet") == rounding_of("mmvet") == "half_even"
    for name in ("MMBench", "SEED-Bench", "SEED-Bench-2", "LLaVA-Bench", "Own", None):
        assert rounding_of(name) == "half_up"


@given(st.integers(1, 400_000), st.data(), st.integers(0, 6), st.sampled_from(sorted(TIES)))
def test_a_share_is_rounded_as_the_exact_fraction(
    n: int, data: st.DataObject, digits: int, rounding: str
) -> None:
    k = data.draw(st.integers(0, n))
    wanted = exactly(Fraction(k, n), digits, rounding)
    for noisy in (k / n, float(np.nextafter(k / n, 2)), float(np.nextafter(k / n, -1))):
        assert Fraction(percent(noisy, digits, rounding)) == max(wanted, Fraction(0))


@given(st.integers(-20_000, 20_000), st.integers(0, 6), st.sampled_from(sorted(TIES)))
def test_ties_whatever_their_noise(halves: int, digits: int, rounding: str) -> None:
    """Each odd number of halves of the last digit is a tie."""
    tie = Decimal(halves) / 2 / 10**digits
    wanted = tie.quantize(Decimal(1).scaleb(-digits), TIES[rounding])
    for noisy in (float(tie), float(tie) + 2e-14, float(tie) - 2e-14):
        assert rounded(noisy, digits, rounding) == wanted
        assert not decimals(noisy, digits, rounding).startswith("-0.") or wanted < 0


def test_any_double_can_be_printed() -> None:
    assert decimals(1e300, 1).endswith(".0")
    assert [decimals(0.0, 9), decimals(-0.0, 2), decimals(-1e-13, 1)] == ["0.000000000", "0.00", "0.0"]  # fmt: skip
    assert (decimals(float("inf"), 1), percent(None, 1)) == ("inf", "-")


# MM-Vet, of 80 questions: ties are a habit


def tenths(total: int, n: int) -> list[float]:
    """Grades that add up to so many tenths."""
    return [1.0] * (total // 10) + [total % 10 / 10] * bool(total % 10) + [0.0] * (n - -(-total // 10))  # fmt: skip


def vet(
    house: Warehouse, folder: Path, grades: dict[str, list[list[float]]], capability: Any = ("ocr",)
) -> None:
    """MM-Vet with as many questions as there are grades, and each model's grades by judge sample."""
    keys = [f"v1_{n}" for n in range(len(next(iter(grades.values()))[0]))]
    questions = {k: {"question": f"Q {k}", "answer": "yes", "capability": list(capability)} for k in keys}  # fmt: skip
    (folder / "mm-vet.json").write_text(json.dumps(questions))
    house.ingest(folder / "mm-vet.json")
    for model, samples in grades.items():
        (folder / f"{model}.json").write_text(json.dumps({k: f"{model} {k}" for k in keys}))
        content = {
            k: {
                "model": ["gpt-4"] * len(samples),
                "content": [str(s[n]) for s in samples],
                "score": [s[n] for s in samples],
            }
            for n, k in enumerate(keys)
        }
        path = folder / f"{model}_gpt-4-grade-{len(samples)}runs.json"
        path.write_text(json.dumps(content))
        house.ingest(folder / f"{model}.json", path)


@pytest.fixture(scope="module")
def tied(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Models of 24.25 and 24.75 by one sample, and one of 24.25 by two whose totals are ties too."""
    folder = tmp_path_factory.mktemp("tied")
    house = QuickHouse(folder / "tied.duckdb")
    house.path.write_bytes(empty_file.read_bytes())
    one, two = tenths(194, 80), tenths(198, 80)
    vet(house, folder, {"even": [one[::-1]], "odd": [two], "both": [tenths(193, 80), tenths(195, 80)]})  # fmt: skip
    return house


SHOWN = {"even": "24.2", "odd": "24.8", "both": "24.2"}


@pytest.mark.slow
def test_ties_on_boards_and_tables(tied: Warehouse) -> None:
    boards = tied.leaderboard("MM-Vet")
    with tied.reading() as con:
        table = paper_table(con, PaperOptions("mmvet_t3"))
    for fmt in ("table", "markdown", "csv", "latex", "html"):
        board = render.render_boards(boards, fmt, digits=1)
        for text in (board, render.render_paper(table, fmt)):
            assert "24.2" in text, fmt
            assert "24.8" in text, fmt
            assert "24.3" not in text, fmt
            assert "24.7" not in text, fmt
        # Its totals 24.125 and 24.375, to two decimals, are ties of their own.
        assert "24.12, 24.38" in render.render_boards(boards, fmt), fmt


def numbers(content: bytes) -> list[float]:
    """The numbers of a workbook's first sheet, as it holds them."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    cells = [cell for cell in sheet.iter(f"{space}c") if cell.get("t", "n") == "n" and len(cell)]
    return [float(cell.findtext(f"{space}v") or "nan") for cell in cells]


@pytest.mark.slow
def test_ties_in_a_workbook(tied: Warehouse) -> None:
    """A spreadsheet shows 24.25 with one decimal as 24.3."""
    with tied.reading() as con:
        table = paper_table(con, PaperOptions("mmvet_t3"))
    for content in (
        render.pack_boards(tied.leaderboard("MM-Vet"), "xlsx", digits=1),
        render.pack_paper(table, "xlsx"),
    ):
        found = set(numbers(content))
        assert {24.2, 24.75} <= found  # 24.75 is shown as 24.8 of itself
        assert 24.25 not in found


def test_ties_compared_and_in_figures(tied: Warehouse) -> None:
    with tied.reading() as con:
        found = compare(con, CompareOptions("even", "odd"))
        drawn = figure.svg(paper_table(con, PaperOptions("mmvet_fig2")))
    assert "24.2" in render.render_comparison(found, "csv", digits=1)
    assert "24.3" not in render.render_comparison(found, "csv", digits=1)
    assert ElementTree.fromstring(drawn) is not None


def test_ties_in_the_export_and_on_the_board_are_the_same(tied: Warehouse) -> None:
    with tied.reading() as con:
        made = mmvet_files(con)
    assert {one.model: str(one.total) for one in made} == SHOWN
    for one in made:
        for name, text in one.files.items():
            if name.endswith(".csv"):
                _, row = csv.reader(text.splitlines())
                assert row[1:3] == [SHOWN[one.model]] * 2
    (both,) = (one for one in made if one.model == "both")
    assert "both,24.2,24.2,0.1," in both.files["both_gpt-4-cap-score-2runs.csv"]


@pytest.mark.parametrize("seed", range(60))
def test_what_the_script_would_print(seed: int) -> None:
    """Its own lines, with its own library; and the exact figures without a float."""
    pick = random.Random(seed)
    n, n_runs = pick.choice([3, 8, 16, 20, 80]), pick.choice([1, 3, 5, 9])
    scores = {key: [pick.randrange(11) / 10 for _ in range(n_runs)] for key in range(n)}
    added = [0.0] * n_runs
    for of_question in scores.values():
        for place in range(n_runs):
            added[place] += of_question[place]
    totals = np.array(added) / n * 100
    theirs = mmvet_export.script(mmvet_export.script_totals(scores, set(scores), n_runs))
    assert theirs.mean == round(totals.mean(), 1)
    assert theirs.spread == round(totals.std(), 1)
    assert list(theirs.runs) == list(np.round(totals, 1))
    ours = mmvet_export.exact(mmvet_export.exact_totals(scores, set(scores), n_runs))
    sums = [sum(int(10 * one[place] + 0.5) for one in scores.values()) for place in range(n_runs)]
    mean = Fraction(sum(sums), 10 * n * n_runs)
    assert Fraction(str(ours.mean)) == exactly(mean, 1, "half_even")
    assert [Fraction(str(one)) for one in ours.runs] == [
        exactly(Fraction(one, 10 * n), 1, "half_even") for one in sums
    ]
    variance = sum((Fraction(100 * one, 10 * n) - 100 * mean) ** 2 for one in sums) / n_runs
    low, high = Fraction(str(ours.spread)) - Fraction(1, 20), Fraction(str(ours.spread)) + Fraction(1, 20)  # fmt: skip
    assert max(low, Fraction(0)) ** 2 <= variance <= high**2


@pytest.mark.slow
def test_where_the_script_falls_the_other_way_a_note_says_so(
    house: Warehouse, tmp_path: Path
) -> None:
    scores = [0.1, 0.8, 0.2, 0.7, 0.0, 0.7, 0.7, 0.9]
    vet(house, tmp_path, {"vlm": [scores], "plain": [[0.5] * 8]})
    with house.reading() as con:
        made = {one.model: one for one in mmvet_files(con)}
    assert made["plain"].otherwise == ()
    content = {(one.column, one.printed, one.script) for one in made["vlm"].otherwise}
    assert content == {("ocr", "51.2", "51.3"), ("total", "51.2", "51.3"), ("runs", "[51.2]", "[51.3]")}  # fmt: skip
    (board,) = house.leaderboard("MM-Vet")
    assert "51.2" in render.render_boards([board], "csv", digits=1)
    done = run("evalhouse", "export", "mmvet", "--db", house.path, "-o", "out", cwd=tmp_path)
    assert "NOTE: MM-Vet's own script adds up floats" in done.out
    assert "total 51.3 (here 51.2)" in done.out
    assert done.out.count("NOTE") == 1


@pytest.mark.slow
def test_a_published_file_is_written_again_to_the_byte(
    house: Warehouse, tmp_path: Path, shared: Path
) -> None:
    """Sets in another order and spelling, and the rows of two models with other numbers of runs."""
    real = shared / "real/mmvet"
    files = [
        real / f"{name}.json"
        for name in ("mm-vet", "llava-v1.5-7b", "llava-v1.5-7b_gpt-4-grade-3runs")
    ]
    house.ingest(*files)
    grades = json.loads(files[2].read_text())
    answers = json.loads(files[1].read_text())
    second = {
        key: {part: content[:1] for part, content in grade.items()} for key, grade in grades.items()
    }
    (tmp_path / "second.json").write_text(json.dumps({k: f"{v}!" for k, v in answers.items()}))
    (tmp_path / "second_gpt-4-grade-1runs.json").write_text(json.dumps(second))
    house.ingest(tmp_path / "second.json", tmp_path / "second_gpt-4-grade-1runs.json")
    name = "llava-v1.5-7b_gpt-4-cap-int-score-3runs.csv"
    header, row = (real / name).read_text().splitlines()
    with house.reading() as con:
        before = {one.model: one.files for one in mmvet_files(con)}
    assert before["llava-v1.5-7b"][name] == (real / name).read_text()
    other = before["second"]["second_gpt-4-cap-int-score-1runs.csv"].splitlines()[1]
    header = header.replace("know_gen_rec,rec,", "rec,gen_rec_know,", 1)
    swapped = []
    for line in (other, row):
        cells = line.split(",")
        cells[1], cells[2] = cells[2], cells[1]
        swapped.append(",".join(cells))
    published = "\n".join([header, *swapped]) + "\n"
    (tmp_path / name).write_text(published)
    house.ingest(tmp_path / name)
    with house.reading() as con:
        again = {one.model: one for one in mmvet_files(con)}
        alone = mmvet_files(con, model="llava-v1.5-7b")[0]
    assert again["llava-v1.5-7b"].files[name] == published
    assert again["llava-v1.5-7b"].other_models == alone.other_models == ("second",)
    # Of a model that is not exported there is no row; the other model's own file has the spelling.
    assert alone.files[name] == "\n".join([header, swapped[1]]) + "\n"
    own = again["second"].files["second_gpt-4-cap-int-score-1runs.csv"]
    assert own == "\n".join([header, swapped[0]]) + "\n"


# What stands next to a score


@pytest.fixture(scope="module")
def mixed(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Questions of two to four passes; the dataset `dark` hides the answer of one."""
    folder = tmp_path_factory.mktemp("mixed")
    house = QuickHouse(folder / "mixed.duckdb")
    house.path.write_bytes(empty_file.read_bytes())
    pick = random.Random(3)
    for version in ("light", "dark"):
        asks = [
            Ask(
                str(n),
                {p: {x: f"{x}{p}" for x in "ABCD"} for p in range(2 + n % 3)},
                {
                    p: None if version == "dark" and n == 4 else "ABCD"[(n + p) % 4]
                    for p in range(2 + n % 3)
                },
            )
            for n in range(12)
        ]
        rows = [
            r | {"ability_topic": "odd" if int(r["question_key"]) % 2 else "even"}
            for r in question_rows(asks)
        ]
        house.ingest(write_jsonl(folder / f"{version}.jsonl", rows), benchmark="Own", version=version)  # fmt: skip
        said = [
            {
                "model": model,
                "question_key": ask.key,
                "pass": p,
                "prediction": "ABCD"[(int(ask.key) + p) % 4]
                if pick.random() < share
                else "none of it",
            }
            for model, share in (("a", 0.7), ("b", 0.4))
            for ask in asks
            for p in ask.choices
            if model == "a" or ask.key != "11"
        ]
        house.ingest(write_jsonl(folder / f"said-{version}.jsonl", said), benchmark="Own", version=version)  # fmt: skip
    return house


def passes(house: Warehouse) -> dict[str, tuple[int, int]]:
    """Right passes and all passes of each model on `light`."""
    rows = house.sql(
        "SELECT r.model, CAST(sum(p.score) AS INTEGER), count(*) FROM pass_result AS p "
        "JOIN current_run AS r USING (run_id) WHERE r.version = 'light' GROUP BY 1"
    )
    return {model: (right, n) for model, right, n in rows.iter_rows()}


def test_right_and_n_are_those_of_the_score(mixed: Warehouse) -> None:
    wanted = passes(mixed)
    assert {n for _, n in wanted.values()} == {36}
    (board,) = mixed.leaderboard("Own", version="light", strategy="vanilla_all")
    for line in board.lines:
        first = line.cells[0]
        assert first is not None
        assert (round(first.points or 0, 9), first.n) == wanted[line.model]
        for cell in line.cells:
            assert cell is not None
            assert cell.score == pytest.approx((cell.points or 0) / cell.n, abs=1e-12)
    b = next(line for line in board.lines if line.model == "b")
    assert b.cells[0] is not None
    assert (b.cells[0].n_answered, b.coverage) == (32, 32 / 36)
    for fmt in ("table", "csv", "markdown", "latex", "html"):
        text = render.render_boards([board], fmt)
        for right, n in wanted.values():
            assert f"{right}/{n}" in text
    rows = json.loads(render.render_boards([board], "json"))[0]["rows"]
    assert {row["scores"]["Overall"]["n"] for row in rows} == {36}
    rows = mixed.sql("SELECT score, weighted_points, weight, average FROM leaderboard").rows()
    assert all(
        average == "macro" or score is None or abs(score - points / weight) < 1e-12
        for score, points, weight, average in rows
    )


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["vanilla", "circular", "vanilla_all"])
def test_a_comparison_shows_the_boards_scores(mixed: Warehouse, strategy: str) -> None:
    (board,) = mixed.leaderboard("Own", version="light", strategy=strategy, of="answered")
    scores = {line.model: line.cells[0].score for line in board.lines if line.cells[0]}
    with mixed.reading() as con:
        found = compare(con, CompareOptions("a", "b", dataset="Own/light", strategy=strategy))
        # The questions that both answered, which are all that b did.
        row = found.frame.row(0, named=True)
    assert row["score_b"] == pytest.approx(scores["b"], abs=1e-12)
    assert row["difference"] == pytest.approx(row["score_a"] - row["score_b"], abs=1e-12)
    text = render.render_comparison(found, "csv")
    assert ("Passes" in text) is (strategy == "vanilla_all")
    assert row["weight_a"] == row["weight_b"] == (32 if strategy == "vanilla_all" else 11)


def _but_for_unread(board: Board) -> list[str]:
    """A board's notes but for the one about answers that nothing read, which these models have."""
    return [note for note in board.notes if not note.startswith("Not read, and counted as wrong: ")]


def test_a_macro_board_says_what_right_counts(mixed: Warehouse) -> None:
    for average, strategy, said in (
        ("macro", "circular", "Right counts questions; Overall is a mean over abilities"),
        ("macro", "vanilla_all", "Right counts passes; Overall is a mean"),
        ("micro", "circular", None),
    ):
        (board,) = mixed.leaderboard("Own", version="light", average=average, strategy=strategy)
        assert [note for note in board.notes if "Right" in note] == [
            note for note in board.notes if said and said in note
        ]
        assert bool(_but_for_unread(board)) is (said is not None)
        assert board.of == "all"
    (answered,) = mixed.leaderboard("Own", version="light", average="macro", of="answered")
    assert _but_for_unread(answered) == []


# Hidden answers


def test_a_board_says_how_many_answers_are_hidden(mixed: Warehouse) -> None:
    (board,) = mixed.leaderboard("Own", version="dark")
    assert [line.n_hidden for line in board.lines] == [1, 1]
    assert board.lines[0].cells[0] is not None
    assert board.lines[0].cells[0].score is None
    for fmt in ("table", "markdown", "latex", "html"):
        assert "1 question has a hidden answer" in render.render_boards([board], fmt), fmt
    header, line, _ = csv.reader(render.render_boards([board], "csv").splitlines())
    assert dict(zip(header, line, strict=True))["Hidden"] == "1"
    (content,) = json.loads(render.render_boards([board], "json"))
    assert "1 question has a hidden answer" in content["notes"][0]
    assert content["rows"][0]["scores"]["Overall"]["n_hidden"] == 1
    book = fastexcel.read_excel(render.pack_boards([board], "xlsx"))
    sheet = book.load_sheet(0, header_row=None, dtypes="string").to_polars()
    assert any("has a hidden answer" in str(value) for row in sheet.iter_rows() for value in row)
    (clear,) = mixed.leaderboard("Own", version="light")
    assert _but_for_unread(clear) == []
    assert "Hidden" not in render.render_boards([clear], "csv")
    # An ability without the hidden question has its scores.
    (level,) = mixed.leaderboard("Own", version="dark", level="topic")
    assert [cell.score is None for cell in level.lines[0].cells if cell] == [True, True, False]


def test_a_comparison_says_how_many_answers_are_hidden(mixed: Warehouse) -> None:
    with mixed.reading() as con:
        found = compare(con, CompareOptions("a", "b", dataset="Own/dark"))
        assert "1 question has a hidden answer" in render.render_comparison(found, "table")
        with pytest.raises(UsageError, match="the answers to 1 of 12 questions of Own/dark are hidden"):  # fmt: skip
            compare(con, CompareOptions("a", "b", dataset="Own/dark", level="overall"))


@pytest.mark.slow
def test_a_papers_table_says_how_many_answers_are_hidden(house: Warehouse, tmp_path: Path) -> None:
    asks = [Ask(str(n), {0: {"A": "a", "B": "b"}}, {0: None if n < 2 else "A"}) for n in range(5)]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", question_rows(asks)), benchmark="MMBench")
    said = [{"question_key": a.key, "model": "m", "prediction": "A"} for a in asks]
    house.ingest(write_jsonl(tmp_path / "p.jsonl", said), benchmark="MMBench")
    with house.reading() as con:
        table = paper_table(con, PaperOptions("mmbench_t4"))
        counts = paper_table(con, PaperOptions("mmbench_t2"))
    for fmt in ("table", "markdown", "latex", "html"):
        assert "2 questions have a hidden answer" in render.render_paper(table, fmt), fmt
        # It counts what was matched, which needs no answer.
        assert ("hidden" in render.render_paper(counts, fmt)) is counts.frame["step_2"].has_nulls()
    assert "2 questions have" in json.loads(render.render_paper(table, "json"))[0]["notes"][0]
    rows = [r | {"ability_dimension": "Scene Understanding"} for r in question_rows(asks)]
    house.ingest(write_jsonl(tmp_path / "s.jsonl", rows), benchmark="SEED-Bench")
    house.ingest(tmp_path / "p.jsonl", benchmark="SEED-Bench")
    with house.reading() as con:
        assert "2 questions have a hidden answer" in figure.svg(
            paper_table(con, PaperOptions("seed1_fig1"))
        )


# The papers' views


@pytest.mark.slow
@pytest.mark.all_releases
def test_figures_of_the_questions_need_no_run(house: Warehouse, tmp_path: Path) -> None:
    counts = {
        "SEED-Bench": {"Scene Understanding": 3, "Action Prediction": 1},
        "SEED-Bench-2": {"Scene Understanding": 2, "Text-Image Creation": 1},
    }
    for benchmark, of_dimension in counts.items():
        rows = [
            {"question_key": f"{name} "
                             f"{n}", "question": "Q", "A": "a", "B": "b", "answer": "A", "ability_dimension": name}
            for name, count in of_dimension.items()
            for n in range(count)
        ]  # fmt: skip
        house.ingest(write_jsonl(tmp_path / f"{benchmark}.jsonl", rows), benchmark=benchmark)
    with house.reading() as con:
        one, two = (
            paper_table(con, PaperOptions("seed1_fig1")),
            paper_table(con, PaperOptions("seed2_fig6")),
        )
    for table, (benchmark, of_dimension) in zip((one, two), counts.items(), strict=True):
        assert dict(table.frame.select("dimension", "n").iter_rows()) == of_dimension
        assert set(table.frame["dataset"]) == {benchmark}
        for fmt in ("table", "csv", "json", "html"):
            assert "Scene Understanding" in render.render_paper(table, fmt)
        assert ElementTree.fromstring(figure.svg(table)) is not None
    assert two.frame["share"].to_list() == pytest.approx([200 / 3, 100 / 3])
    # With a run, there are the model's rows alone.
    said = [{"question_key": "Scene Understanding 0", "model": "m", "prediction": "A"}]
    house.ingest(write_jsonl(tmp_path / "said.jsonl", said), benchmark="SEED-Bench")
    assert set(house.sql("SELECT model FROM seed1_fig1")["model"]) == {"m"}


def test_sections_that_titles_name() -> None:
    views = load(default_name()).views
    for name, section in (
        ("seed2_gap", "4.3"), ("seed2_text_image", "3.4"), ("seed1_wins", "4.3"), ("seed1_gain", "4.3"),
    ):  # fmt: skip
        assert f"Section {section}" in views[name].text.splitlines()[0]


def test_llava_counted_in_passes(house: Warehouse, shared: Path) -> None:
    """The real file: 3,346 of 4,377 passes are 76.45 %, and not 896.2 of 1,176 questions."""
    house.ingest(shared / "real/mmbench/llava-v1.5-13b.xlsx", benchmark="MMBench")
    with house.reading() as con:
        (board,) = leaderboard.boards(
            con, BoardOptions("MMBench", strategy="vanilla_all", level="overall")
        )
        assert render.render_boards([board], "csv").splitlines()[1].endswith('76.45,"3,346/4,377"')
        for strategy, shown in (("circular", "67.69,796/1,176"), ("vanilla", "75.43,887/1,176")):
            (board,) = leaderboard.boards(
                con, BoardOptions("MMBench", strategy=strategy, level="overall")
            )
            line = render.render_boards([board], "csv").splitlines()[1]
            assert line.replace('"', "").endswith(shown)
