"""MM-Vet's tables: the published figures from grades, the real files, and what is left against plain Python."""

from __future__ import annotations

import csv
import itertools
import json
import random
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import fmean, pstdev
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from evalhouse import Warehouse
from tests.houses import QuickHouse
from tests.mmbench_replay import headings, printed, read, require_equal, shown
from tests.tables import write_jsonl

pytestmark = [pytest.mark.papers, pytest.mark.all_releases]

JUDGE = "gpt-4"
SAMPLES = 5
CAPABILITIES = ("Rec", "OCR", "Know", "Gen", "Spat", "Math")
# Table 6 calls the two models of Table 5 by the name of their language model.
TABLE_6_NAMES = {
    "Vicuna-13B (LLaMA-2)": "LLaVA-13B (LLaMA-2)",
    "Vicuna-13B (V1.3, 336px)": "LLaVA-13B (V1.3, 336px)",
}
Sums = dict[str, int]
"""The grades that a model's answers add up to over all samples, in tenths, by integration."""
AllSums = Mapping[str, tuple[Sums | None, Sums | None]]
"""By model: over the whole set and over the Bard set; None: nothing is published."""
Cells = dict[tuple[str, ...], str]
Known = dict[tuple[str, ...], tuple[str, str]]

REPLAYED = {
    "mmvet_t3": "mmvet_t3_capability",
    "mmvet_t4": "mmvet_t4_integration",
    "mmvet_t5": "mmvet_t5_bard_capability",
    "mmvet_t6": "mmvet_t6_bard_integration",
}


def integration(capabilities: Sequence[str]) -> str:
    return "_".join(sorted(name.lower() for name in capabilities))


class Questions:
    """The 218 questions by integration, those of the Bard set first."""

    def __init__(self, real: Path) -> None:
        self.bard = set(json.loads((real / "bard_set.json").read_text()))
        self.keys: dict[str, list[str]] = {}
        filed = json.loads((real / "mm-vet.json").read_text())
        for key in sorted(filed, key=lambda key: key not in self.bard):
            self.keys.setdefault(integration(filed[key]["capability"]), []).append(key)

    def counts(self, *, bard: bool = False) -> dict[str, int]:
        found = {
            n: sum(k in self.bard for k in keys) if bard else len(keys)
            for n, keys in self.keys.items()
        }
        return {name: n for name, n in found.items() if n}


def percent(tenths: int, n: int) -> Fraction:
    return Fraction(10 * tenths, n * SAMPLES)


def inside_of(heading: str, name: str, level: str) -> bool:
    """Whether an integration counts for a heading of the tables by capability, or by integration."""
    if heading == "total":
        return True
    if level == "capability":
        return heading.lower() in name.split("_")
    return integration(heading.split("_")) == name


def is_printed(exact: Fraction, cell: str) -> bool:
    return abs(exact - Fraction(cell)) <= Fraction(1, 20)


def possible_sums(
    by_integration: Mapping[str, str], by_capability: Mapping[str, str], counts: Mapping[str, int]
) -> Iterator[Sums]:
    """All sums of grades that are printed as these two rows: integrations, capabilities, total."""
    cells = {
        integration(name.split("_")): cell
        for name, cell in by_integration.items()
        if "_" in name or name in CAPABILITIES
    }
    choices = [
        [k for k in range(10 * SAMPLES * n + 1) if is_printed(percent(k, n), cells[name])]
        for name, n in counts.items()
    ]
    for ks in itertools.product(*choices):
        sums = dict(zip(counts, ks, strict=True))
        for heading in (*CAPABILITIES, "total"):
            inside = [n for n in counts if inside_of(heading, n, "capability")]
            of = sum(counts[name] for name in inside)
            if not is_printed(percent(sum(sums[n] for n in inside), of), by_capability[heading]):
                break
        else:
            yield sums


def sums_of_models(tables: Path, questions: Questions) -> AllSums:
    """What each model's grades add up to; a model in both sets has the same grades in both."""
    rows: dict[str, list[Sums]] = {}
    bard_rows: dict[str, list[Sums]] = {}
    for number, found, bard in ((3, rows, False), (5, bard_rows, True)):
        names = (
            ("t5_bard_capability", "t6_bard_integration")
            if bard
            else ("t3_capability", "t4_integration")
        )
        first, second = (read(tables / f"mmvet_{name}.csv") for name in names)
        for row, other in zip(first, second, strict=True):
            assert TABLE_6_NAMES.get(other["model"], other["model"]) == row["model"], number
            found[row["model"]] = list(possible_sums(other, row, questions.counts(bard=bard)))
    full, half = questions.counts(), questions.counts(bard=True)
    chosen: dict[str, tuple[Sums | None, Sums | None]] = {}
    for model in dict.fromkeys([*rows, *bard_rows]):
        pairs = itertools.product(rows.get(model) or [None], bard_rows.get(model) or [None])
        chosen[model] = next(
            (a, b)
            for a, b in pairs
            if a is None
            or b is None
            or all(0 <= a[n] - b.get(n, 0) <= 50 * (full[n] - half.get(n, 0)) for n in full)
        )
    return chosen


def by_sample(total: int, start: int) -> list[int]:
    """A sum divided over the samples as evenly as can be."""
    return [total // SAMPLES + ((s - start) % SAMPLES < total % SAMPLES) for s in range(SAMPLES)]


def grades(
    questions: Questions, sums: tuple[Sums | None, Sums | None], deviations: tuple[str, str]
) -> dict[tuple[str, int], float]:
    """Grades by question and sample with these sums, whose totals deviate as printed."""
    full, bard = sums
    parts: dict[tuple[str, bool], int] = {}
    for name, keys in questions.keys.items():
        in_bard = sum(key in questions.bard for key in keys)
        if bard is not None:
            parts[name, True] = bard.get(name, 0)
        else:
            assert full is not None
            parts[name, True] = full[name] * in_bard // len(keys)
        if full is not None:
            parts[name, False] = full[name] - parts[name, True]
    divided = {part: by_sample(k, i) for i, (part, k) in enumerate(parts.items())}

    def deviates(inside: Sequence[bool], cell: str) -> bool:
        n = sum((key in questions.bard) in inside for keys in questions.keys.values() for key in keys)  # fmt: skip
        totals = [sum(ks[s] for part, ks in divided.items() if part[1] in inside) for s in range(SAMPLES)]  # fmt: skip
        return shown(pstdev(10 * total / n for total in totals)) == cell

    def shift(part: tuple[str, bool]) -> None:
        divided[part][0] += 1
        divided[part][1] -= 1

    while bard is not None and not deviates([True], deviations[1]):
        shift(("rec", True))
    while full is not None and not deviates([True, False], deviations[0]):
        shift(("rec", bard is None))
    scores = {}
    for (name, is_bard), ks in divided.items():
        keys = [key for key in questions.keys[name] if (key in questions.bard) == is_bard]
        for sample, k in enumerate(ks):
            assert 0 <= k <= 10 * len(keys)
            for i, key in enumerate(keys):
                scores[key, sample] = (k // len(keys) + (i < k % len(keys))) / 10
    return scores


def deviations_of(tables: Path, model: str) -> tuple[str, str]:
    found = [
        {row["model"]: row["std"] for row in read(tables / f"mmvet_{name}.csv")}
        for name in ("t3_capability", "t5_bard_capability")
    ]
    return found[0].get(model, ""), found[1].get(model, "")


@pytest.fixture(scope="module")
def tables(shared: Path) -> Path:
    return shared / "paper_tables"


@pytest.fixture(scope="module")
def questions(shared: Path) -> Questions:
    return Questions(shared / "real/mmvet")


@pytest.fixture(scope="module")
def sums(tables: Path, questions: Questions) -> AllSums:
    return sums_of_models(tables, questions)


@pytest.fixture(scope="module")
def house(
    shared: Path,
    tables: Path,
    questions: Questions,
    sums: AllSums,
    empty_file: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Warehouse:
    """All 17 models of Tables 3 to 6, graded five times; Bard answered the Bard set alone."""
    folder = tmp_path_factory.mktemp("papers")
    said, judged = [], []
    for model, of_model in sums.items():
        scores = grades(questions, of_model, deviations_of(tables, model))
        said += [
            {"model": model, "question_key": key, "prediction": f"{model} on {key}"}
            for key in dict.fromkeys(key for key, _ in scores)
        ]
        judged += [
            {"model": model, "question_key": key, "judge": JUDGE, "judge_sample": sample, "reply": str(score)}
            for (key, sample), score in scores.items()
        ]  # fmt: skip
    pl.DataFrame(said).write_parquet(folder / "said.parquet")
    pl.DataFrame(judged).write_parquet(folder / "judged.parquet")
    shutil.copy(empty_file, folder / "papers.duckdb")
    made = QuickHouse(folder / "papers.duckdb")
    real = shared / "real/mmvet"
    made.ingest(real / "mm-vet.json", real / "bard_set.json")
    made.ingest(folder / "said.parquet", folder / "judged.parquet", benchmark="MM-Vet")
    return made


def cells(frame: pl.DataFrame, columns: Mapping[str, str]) -> Cells:
    return {
        (row["model"], heading): shown(row[column])
        for row in frame.iter_rows(named=True)
        for column, heading in columns.items()
    }


def lower_halves(view: str, questions: Questions, sums: AllSums, paper: Cells) -> Known:
    """The cells that lie exactly between two printed ones and are printed as the lower one.

    The official script rounds a sum of floats, which can lie on either side.
    """
    bard = view in ("mmvet_t5", "mmvet_t6")
    level = "capability" if view in ("mmvet_t3", "mmvet_t5") else "integration"
    counts = questions.counts(bard=bard)
    known: Known = {}
    for (model, heading), cell in paper.items():
        of_model = sums[model][bard]
        inside = [n for n in counts if inside_of(heading, n, level)]
        if of_model is None or not inside or heading == "std":
            continue
        exact = percent(sum(of_model[n] for n in inside), sum(counts[n] for n in inside))
        if exact - Fraction(cell) == Fraction(1, 20):
            known[model, heading] = (shown(exact), cell)
    return known


def require_table(
    house: Warehouse, view: str, tables: Path, questions: Questions, sums: AllSums
) -> None:
    """Every cell of a published table comes out of the view, exact halves aside."""
    rows = read(tables / f"{REPLAYED[view]}.csv")
    names = [name for name in rows[0] if name not in ("model", "std")]
    paper = {
        (TABLE_6_NAMES.get(row["model"], row["model"]), name): row[name] or "-"
        for row in rows
        for name in (*names, "std")
    }
    frame = printed(house, view, JUDGE)
    in_paper = frame.filter(pl.col("model").is_in(sorted({model for model, _ in paper})))
    columns = {name.lower(): name for name in names} | {"spread": "std"}
    require_equal(cells(in_paper, columns), paper, lower_halves(view, questions, sums, paper))


@pytest.mark.parametrize("view", REPLAYED)
def test_published_tables(
    house: Warehouse, tables: Path, questions: Questions, sums: AllSums, view: str
) -> None:
    require_table(house, view, tables, questions, sums)
    frame = printed(house, view, JUDGE)
    header = list(read(tables / f"{REPLAYED[view]}.csv")[0])
    ours = [name.replace(" ", "_") for name in headings(frame, view) if name != "Subset"]
    assert [name.lower() for name in ours[:-1]] == [name.lower() for name in header[:-1]]
    assert ours[-1] == "±"
    assert frame["total"].to_list() == sorted(frame["total"])
    # Both sets have all models: who published nothing on one of them, answered all the same, but Bard.
    assert len(frame) == 17
    of_bard = frame.filter(pl.col("model") == "Bard")["coverage"].item()
    assert shown(of_bard, 2) == ("77.06" if view in ("mmvet_t3", "mmvet_t4") else "100.00")
    assert set(frame.filter(pl.col("model") != "Bard")["coverage"]) == {100.0}


def test_the_leaderboard_is_both_tables(house: Warehouse) -> None:
    board = printed(house, "mmvet_leaderboard", JUDGE)
    assert set(board["n_samples"]) == {SAMPLES}
    for subset, view in (("all", "mmvet_t3"), ("bard_set", "mmvet_t5")):
        here = board.filter(pl.col("subset") == subset)
        table = printed(house, view, JUDGE)
        shared_columns = [name for name in table.columns if name not in ("subset", "judge")]
        assert_frame_equal(
            here.sort("run_id").select(shared_columns), table.sort("run_id").select(shared_columns)
        )
        totals = here["total"].to_list()
        assert here["rank"].to_list() == [1 + sum(t > total for t in totals) for total in totals]
        for row in here.iter_rows(named=True):
            assert row["low"] <= row["total"] <= row["high"]
            assert row["spread"] <= (row["high"] - row["low"]) / 2 + 1e-9


def flip(house: Warehouse, folder: Path, seed: int) -> Warehouse:
    """A copy in which one grade on the Bard set is another."""
    shutil.copy(house.path, folder / "flipped.duckdb")
    flipped = QuickHouse(folder / "flipped.duckdb")
    with flipped.writing() as con:
        judgment_id, reply = random.Random(seed).choice(
            con.execute(
                "SELECT judgment_id, reply FROM main.judgment AS j JOIN main.run USING (run_id) "
                "JOIN main.model AS m USING (model_id) WHERE m.name <> 'Bard' ORDER BY ALL"
            ).fetchall()
        )
        other = "0.0" if float(reply) >= 0.5 else "1.0"
        con.execute("UPDATE main.judgment SET reply = ? WHERE judgment_id = ?", [other, judgment_id])  # fmt: skip
    # By hand: boards show it once it is verified.
    flipped.refresh(verify=True)
    return flipped


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_one_other_grade_breaks_the_replay(
    house: Warehouse, tables: Path, questions: Questions, sums: AllSums, tmp_path: Path, seed: int
) -> None:
    flipped = flip(house, tmp_path, seed)
    with pytest.raises(AssertionError):
        require_table(flipped, "mmvet_t4", tables, questions, sums)


def test_best_in(house: Warehouse, questions: Questions, sums: AllSums) -> None:
    """Ties count for every winner, and an integration without questions for nobody."""
    won: Counter[tuple[str, str, str]] = Counter()
    exact: dict[tuple[str, str], dict[str, Fraction]] = {}
    counts = questions.counts()
    for model, (full, bard) in sums.items():
        of_model, of = (full, counts) if full is not None else (bard, questions.counts(bard=True))
        assert of_model is not None
        for name in counts:
            if name in of:
                exact.setdefault(("integration", name), {})[model] = percent(of_model[name], of[name])  # fmt: skip
        for capability in CAPABILITIES:
            inside = [name for name in of if capability.lower() in name.split("_")]
            exact.setdefault(("capability", capability), {})[model] = percent(
                sum(of_model[name] for name in inside), sum(of[name] for name in inside)
            )
    for (level, _), shares in exact.items():
        for model, share in shares.items():
            won["all", level, model] += share == max(shares.values())
    ours = printed(house, "mmvet_best_in", JUDGE)
    found = {
        row["level"]: row["n"]
        for row in ours.filter(pl.col("subset") == "bard_set").iter_rows(named=True)
    }
    assert found == {"capability": 6, "integration": 15}
    here = ours.filter(pl.col("subset") == "all")
    assert {(r["subset"], r["level"], r["model"]): r["n_best"] for r in here.iter_rows(named=True)} == won  # fmt: skip
    assert {
        row["level"]: row["n"]
        for row in here.filter(pl.col("model") != "Bard").iter_rows(named=True)
    } == {"capability": 6, "integration": 16}
    assert any(sum(s == max(shares.values()) for s in shares.values()) > 1 for shares in exact.values())  # fmt: skip


def test_proportions(house: Warehouse, tables: Path, questions: Questions) -> None:
    figure = house.sql("SELECT * FROM mmvet_fig2 WHERE subset = 'all'")
    ours = {(row["level"], row["abbreviation"].lower()): row["n"] for row in figure.iter_rows(named=True)}  # fmt: skip
    paper = {
        (row["kind"], integration(row["name"].split("_"))): int(row["n"])
        for row in read(tables / "mmvet_counts.csv")
    }
    assert ours == paper
    for row in figure.iter_rows(named=True):
        assert row["share"] == pytest.approx(100 * row["n"] / 218, abs=1e-9)
    bard = house.sql(
        "SELECT ability, n FROM mmvet_fig2 WHERE subset = 'bard_set' AND level = 'integration'"
    )
    assert dict(bard.iter_rows()) == questions.counts(bard=True)
    named = {
        integration(r["integration"].split("_")): int(r["n_bard"])
        for r in read(tables / "mmvet_bard_inferred_counts.csv")
    }
    assert {name: n for name, n in named.items() if n} == questions.counts(bard=True)


def test_the_real_files(make_house: Any, shared: Path) -> None:
    """LLaVA-1.5-7B as GPT-4 graded it: the official CSVs, rounded as the official script rounds."""
    real = shared / "real/mmvet"
    llava: Warehouse = make_house("llava")
    llava.ingest(
        *(
            real / f"{name}.json"
            for name in ("mm-vet", "bard_set", "llava-v1.5-7b", "llava-v1.5-7b_gpt-4-grade-3runs")
        )
    )
    (judge,) = llava.sql("SELECT DISTINCT judge FROM mmvet_cell")["judge"]
    for view, suffix in (("mmvet_leaderboard", "cap"), ("mmvet_t3", "cap"), ("mmvet_t4", "cap-int")):  # fmt: skip
        row = printed(llava, view, judge).row(0, named=True)
        with (real / f"llava-v1.5-7b_gpt-4-{suffix}-score-3runs.csv").open() as lines:
            (official,) = csv.DictReader(lines)
        assert official.pop("") == row["model"]
        runs = json.loads(official.pop("runs"))
        ours = {
            integration(name.split("_")): value
            for name, value in row.items()
            if name in ("ocr",) or isinstance(value, float)
        }
        ours["std"] = row["spread"]
        for name, cell in official.items():
            assert str(round(ours[integration(name.split("_"))], 1)) == cell, name
        if view == "mmvet_leaderboard":
            assert (row["n_samples"], round(row["low"], 1), round(row["high"], 1)) == (
                3,
                min(runs),
                max(runs),
            )
    graded = json.loads((real / "llava-v1.5-7b_gpt-4-grade-3runs.json").read_text())
    said = json.loads((real / "llava-v1.5-7b.json").read_text())
    examples = printed(llava, "mmvet_examples", judge)
    assert len(examples) == 218
    for row in examples.iter_rows(named=True):
        of_key = graded[row["question_key"]]
        assert row["prediction"] == said[row["question_key"]]
        assert row["score"] == pytest.approx(fmean(of_key["score"]), abs=1e-12)
        assert [float(word) for word in row["sample_scores"].split(", ")] == of_key["score"]
    assert examples["references_text"][0] == "-1<AND>-5"


def test_what_is_not_there(make_house: Any, tmp_path: Path) -> None:
    """A grade that is pending, an answer that is missing, a subset that nothing is answered of."""
    own: Warehouse = make_house("own")
    entry = {"question": "What?", "answer": "x", "capability": ["rec"]}
    (tmp_path / "mm-vet.json").write_text(json.dumps({str(n): entry for n in range(4)}))
    own.ingest(tmp_path / "mm-vet.json")
    (tmp_path / "last.json").write_text('["3"]')
    own.ingest(tmp_path / "last.json", benchmark="MM-Vet")
    scores = {"open": [[1, 1, 1, None], [0, 1, 1, 1]], "part": [[1, 0, 0.5], [1, 1, 1]]}
    said = [
        {"model": model, "question_key": str(n), "prediction": f"{model} {n}"}
        for model, by_time in scores.items()
        for n in range(len(by_time[0]))
    ]
    judged = [
        {"model": model, "question_key": str(n), "judge": JUDGE, "judge_sample": sample, "reply": str(score)}
        for model, by_time in scores.items()
        for sample, of_sample in enumerate(by_time)
        for n, score in enumerate(of_sample)
        if score is not None
    ]  # fmt: skip
    own.ingest(write_jsonl(tmp_path / "p.jsonl", said), benchmark="MM-Vet")
    own.ingest(write_jsonl(tmp_path / "j.jsonl", judged), benchmark="MM-Vet")
    board = own.sql(
        "SELECT subset, model, rank, rec, total, spread, low, high, n_samples, coverage "
        "FROM mmvet_leaderboard ORDER BY ALL"
    ).rows()
    assert board == [
        ("all", "open", None, None, None, None, None, None, 2, 100.0),
        ("all", "part", 1, 75.0, 75.0, 25.0, 50.0, 100.0, 2, 75.0),
        ("last", "open", None, None, None, None, None, None, 2, 100.0),
        ("last", "part", None, None, None, None, None, None, 2, 0.0),
    ]
    examples = own.sql(
        "SELECT model, question_key, score, sample_scores FROM mmvet_examples ORDER BY ALL"
    ).rows()
    assert examples[3] == ("open", "3", None, "-, 1")
    assert examples[4:] == [
        ("part", "0", 1.0, "1, 1"),
        ("part", "1", 0.5, "0, 1"),
        ("part", "2", 0.75, "0.5, 1"),
    ]
