"""Scores corrected by people: plans of labels, calibration, Rogan-Gladen and prediction-powered."""

from __future__ import annotations

import random
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import duckdb
import polars as pl
import pytest
import statsmodels.stats.inter_rater
import statsmodels.stats.proportion

from evalhouse import UsageError, Warehouse
from queries import corrected, label_frame, session, studies
from queries import release as releases
from tests import study_oracle
from tests.commands import run
from tests.houses import QuickHouse
from tests.study_oracle import Estimate
from tests.tables import write_jsonl
from warehouse import labels, merge
from warehouse.connection import with_logs
from warehouse.labels import Stratum

# One warehouse for all of them takes seconds to make.
pytestmark = pytest.mark.slow

CHOICES = {"A": "cat", "B": "dog", "C": "emu"}
MODELS = ("one", "two")
KEYS = [str(number) for number in range(240)]
N_ANIMALS = 90
Unit = tuple[str, str]


def _said(model: str, key: str, step: int) -> str:
    """Every third answer is one that a rule reads, as right: a wrong one would decide its question."""
    if (int(key) + step + MODELS.index(model)) % 3 == 0:
        return "A"
    return f"unclear {model} {key} {step}"


def _is_open(text: str) -> bool:
    return text.startswith("unclear")


class World:
    """What is true, what the judge says, and what the person says, of the answers that no rule reads."""

    def __init__(self, seed: int, keys: Sequence[str] = KEYS) -> None:
        drawn = random.Random(seed)
        self.keys = keys
        self.truth = {
            (model, key, step): drawn.random() < 0.7 + 0.1 * MODELS.index(model)
            for model in MODELS
            for key in keys
            for step in (0, 1)
        }
        self.judge = {
            place: drawn.random() < (0.9 if is_right else 0.2)
            for place, is_right in self.truth.items()
        }

    def score(self, verdicts: Mapping[tuple[str, str, int], bool], model: str, key: str) -> float:
        """A question under CircularEval: every pass is right."""
        return float(
            all(
                verdicts[model, key, step] if _is_open(text) else text == "A"
                for step in (0, 1)
                for text in [_said(model, key, step)]
            )
        )

    def rows(
        self, verdicts: Mapping[tuple[str, str, int], bool], judge: str, field: str
    ) -> list[dict[str, Any]]:
        return [
            {
                "model": m,
                "question_key": k,
                "pass": s,
                "judge": judge,
                field: "A" if is_right else "B",
            }
            for (m, k, s), is_right in verdicts.items()
            if _is_open(_said(m, k, s))
        ]


def fill(house: Warehouse, folder: Path, benchmark: str, world: World) -> None:
    questions = [
        {
            "question_key": key,
            "pass": step,
            "question": f"{benchmark} {key}",
            **CHOICES,
            "answer": "A",
            "ability_topic": "animals" if int(key) < N_ANIMALS else "birds",
        }
        for key in world.keys
        for step in (0, 1)
    ]
    said = [
        {"model": m, "question_key": k, "pass": s, "prediction": _said(m, k, s)}
        for m in MODELS
        for k in world.keys
        for s in (0, 1)
    ]
    for name, rows in (
        ("questions", questions),
        ("said", said),
        ("J", world.rows(world.judge, "J", "reply")),
    ):
        house.ingest(write_jsonl(folder / f"{benchmark}-{name}.jsonl", rows), benchmark=benchmark)


@pytest.fixture(scope="module")
def worlds() -> dict[str, World]:
    return {"Chance": World(1), "Planned": World(2)}


@pytest.fixture(scope="module")
def house(
    new_file: Path, tmp_path_factory: pytest.TempPathFactory, worlds: dict[str, World]
) -> Warehouse:
    """Two benchmarks under one judge: a person labelled some of the one by chance, of the other what was drawn."""
    folder = tmp_path_factory.mktemp("corrected")
    shutil.copy(new_file, folder / "house.duckdb")
    house = QuickHouse(folder / "house.duckdb")
    for name, world in worlds.items():
        fill(house, folder, name, world)
    chance = worlds["Chance"]
    # All of a question's answers that no rule reads, or none.
    some = {place: is_right for place, is_right in chance.truth.items() if int(place[1]) % 4 == 1}
    house.ingest(
        write_jsonl(folder / "ann.jsonl", chance.rows(some, "ann", "verdict")), benchmark="Chance"
    )
    plan = _run(
        house,
        "label",
        "plan",
        "--judge",
        "J",
        "--benchmark",
        "Planned",
        "--n",
        "120",
        "--by",
        "model,verdict",
    )
    assert (
        "plan 1: 120 of 480 questions of runs of Planned that J decides, 4 strata (proportional)"
        in plan
    )
    todo = house.sql("SELECT model, question_key, pass FROM label_todo WHERE dataset = 'Planned'")
    drawn = {place: worlds["Planned"].truth[place] for place in todo.iter_rows()}
    house.ingest(
        write_jsonl(folder / "drawn.jsonl", worlds["Planned"].rows(drawn, "ann", "verdict")),
        benchmark="Planned",
    )
    return house


def _run(house: Warehouse, *words: object) -> str:
    done = run("evalhouse", *words, "--db", house.path, cwd=house.path.parent)
    assert done.code == 0, done.err
    return done.out


Tables = Mapping[str, list[dict[str, Any]]]


def _tables(house: Warehouse) -> Tables:
    """The studies, computed at once."""
    names = ("corrected_score", "judge_calibration", "corrected_difference", "label_cell")
    with house.reading() as con:
        return {name: studies.rows(con, name).to_dicts() for name in names}


@pytest.fixture(scope="module")
def tables(house: Warehouse) -> Tables:
    return _tables(house)


def _rows(tables: Tables, name: str, **where: object) -> list[dict[str, Any]]:
    return [row for row in tables[name] if where.items() <= row.items()]


def _ppi(
    world: World,
    model: str,
    keys: list[str],
    labelled: Mapping[str, str],
    strata: Mapping[str, str],
) -> Estimate:
    """The oracle: `labelled` and `strata` by question; a question without a stratum is not judged."""
    parts = []
    ruled = [world.score(world.judge, model, key) for key in keys if key not in strata]
    names = sorted({strata[key] for key in keys if key in strata})
    for name in names:
        of = [key for key in keys if strata.get(key) == name]
        known = [key for key in of if key in labelled]
        y = [world.score(world.truth, model, key) for key in known]
        f = [world.score(world.judge, model, key) for key in known]
        other = [world.score(world.judge, model, key) for key in of if key not in labelled]
        parts.append((len(of), study_oracle.ppi(y, f, other, unbiased=len(names) > 1)))
    if ruled:
        mean = fmean(ruled)
        parts.append((len(ruled), Estimate(mean, mean * (1 - mean) / len(ruled))))
    return study_oracle.stratified(parts)


def _judged(model: str) -> list[str]:
    return [key for key in KEYS if any(_is_open(_said(model, key, step)) for step in (0, 1))]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("ability", ["Overall", "animals", "birds"])
def test_prediction_powered_by_chance(
    tables: Tables, worlds: dict[str, World], model: str, ability: str
) -> None:
    keys = [
        key for key in KEYS if ability == "Overall" or (int(key) < 90) == (ability == "animals")
    ]
    strata = dict.fromkeys(_judged(model), "all")
    labelled = {key: key for key in KEYS if int(key) % 4 == 1}
    found = _ppi(worlds["Chance"], model, keys, labelled, strata)
    (row,) = _rows(
        tables,
        "corrected_score",
        benchmark="Chance",
        model=model,
        ability=ability,
        correction="ppi",
        average="micro",
    )
    assert row["estimate"] == pytest.approx(found.value, abs=1e-9)
    assert (row["low"], row["high"]) == pytest.approx(found.ends, abs=1e-9)
    assert row["score"] == pytest.approx(
        fmean(worlds["Chance"].score(worlds["Chance"].judge, model, key) for key in keys)
    )
    assert row["n_labelled"] == len([key for key in keys if key in labelled and key in strata])


def test_against_the_authors_own_library(tables: Tables, worlds: dict[str, World]) -> None:
    """One stratum of judged questions is what ppi_py estimates; the library wants numba and scikit-learn."""
    ppi_py = pytest.importorskip(
        "ppi_py", reason="ppi-python, 150 MB with what it needs, is not installed"
    )
    import numpy as np

    world = worlds["Chance"]
    cells = {
        row["run_id"]: (row["estimate"], row["variance"])
        for row in sorted(
            _rows(tables, "label_cell", ability_id=0, is_judged=True, stratum="all"),
            key=lambda row: int(row["run_id"]),
        )
    }
    for model, (estimate, variance) in zip(MODELS, cells.values(), strict=True):
        known = [key for key in _judged(model) if int(key) % 4 == 1]
        y, f = (
            np.array([world.score(said, model, key) for key in known])
            for said in (world.truth, world.judge)
        )
        other = np.array(
            [world.score(world.judge, model, key) for key in _judged(model) if key not in known]
        )
        low, high = ppi_py.ppi_mean_ci(y, f, other, alpha=0.05)
        half = study_oracle.Z * variance**0.5
        assert (estimate - half, estimate + half) == pytest.approx(
            (float(low[0]), float(high[0])), abs=1e-9
        )


@pytest.fixture(scope="module")
def units(house: Warehouse) -> dict[Unit, tuple[str, float, bool]]:
    rows = house.sql(
        "SELECT r.model, q.question_key, u.stratum, u.chance, u.is_drawn FROM main.label_unit AS u "
        "JOIN latest.current_run AS r USING (run_id) JOIN main.question AS q USING (question_id)"
    )
    return {
        (model, key): (stratum, chance, is_drawn)
        for model, key, stratum, chance, is_drawn in rows.iter_rows()
    }


def test_a_plan_draws_from_each_stratum_with_one_chance(
    units: dict[Unit, tuple[str, float, bool]], worlds: dict[str, World]
) -> None:
    world = worlds["Planned"]
    assert units.keys() == {(model, key) for model in MODELS for key in _judged(model)}
    for model in MODELS:
        for verdict, score in (("right", 1.0), ("wrong", 0.0)):
            of = {
                unit
                for unit in units
                if unit[0] == model and world.score(world.judge, *unit) == score
            }
            assert {units[unit][0] for unit in of} == {f"{model}/{verdict}"}
            drawn = [unit for unit in of if units[unit][2]]
            assert {units[unit][1] for unit in of} == {len(drawn) / len(of)}
            assert len(drawn) == pytest.approx(120 * len(of) / len(units), abs=1)


@pytest.mark.parametrize("model", MODELS)
def test_prediction_powered_by_strata(
    tables: Tables,
    units: dict[Unit, tuple[str, float, bool]],
    worlds: dict[str, World],
    model: str,
) -> None:
    strata = {key: stratum for (of, key), (stratum, _, _) in units.items() if of == model}
    labelled = {
        key: key for (of, key), (_, _, is_drawn) in units.items() if of == model and is_drawn
    }
    found = _ppi(worlds["Planned"], model, KEYS, labelled, strata)
    (row,) = _rows(
        tables,
        "corrected_score",
        benchmark="Planned",
        model=model,
        level="overall",
        correction="ppi",
        average="micro",
    )
    assert row["estimate"] == pytest.approx(found.value, abs=1e-9)
    assert (row["low"], row["high"]) == pytest.approx(found.ends, abs=1e-9)


@pytest.mark.parametrize("benchmark", ["Chance", "Planned"])
def test_calibration_by_weights(
    tables: Tables,
    units: dict[Unit, tuple[str, float, bool]],
    worlds: dict[str, World],
    benchmark: str,
) -> None:
    world = worlds[benchmark]
    cells = {(f, y): 0.0 for f in (0.0, 1.0) for y in (0.0, 1.0)}
    squares, counts = dict(cells), dict(cells)
    for model in MODELS:
        for key in _judged(model):
            if int(key) % 4 != 1 if benchmark == "Chance" else not units[model, key][2]:
                continue
            weight = 1.0 if benchmark == "Chance" else 1 / units[model, key][1]
            cell = world.score(world.judge, model, key), world.score(world.truth, model, key)
            cells[cell] += weight
            squares[cell] += weight**2
            counts[cell] += 1
    (row,) = _rows(tables, "judge_calibration", benchmark=benchmark, scope="benchmark")
    assert (row["task"], row["release"]) == ("choice_extraction", releases.default_name())
    named = (row["n_both_right"], row["n_judge_alone"], row["n_person_alone"], row["n_neither"])
    assert named == (counts[1, 1], counts[1, 0], counts[0, 1], counts[0, 0])
    right, wrong = cells[1, 1] + cells[0, 1], cells[0, 0] + cells[1, 0]
    n_right = right**2 / (squares[1, 1] + squares[0, 1])
    n_wrong = wrong**2 / (squares[0, 0] + squares[1, 0])
    assert row["sensitivity"] == pytest.approx(cells[1, 1] / right, abs=1e-9)
    assert row["specificity"] == pytest.approx(cells[0, 0] / wrong, abs=1e-9)
    table = [[cells[0, 0], cells[0, 1]], [cells[1, 0], cells[1, 1]]]
    kappa = statsmodels.stats.inter_rater.cohens_kappa(table, return_results=False)
    assert row["kappa"] == pytest.approx(kappa, abs=1e-9)
    for name, n in (("sensitivity", n_right), ("specificity", n_wrong)):
        ends = statsmodels.stats.proportion.proportion_confint(row[name] * n, n, method="wilson")
        assert (row[f"{name}_low"], row[f"{name}_high"]) == pytest.approx(ends, abs=1e-9)


@pytest.mark.parametrize("benchmark", ["Chance", "Planned"])
def test_rogan_and_gladen(
    tables: Tables,
    units: dict[Unit, tuple[str, float, bool]],
    worlds: dict[str, World],
    benchmark: str,
) -> None:
    """By the run's own labels, over all its questions and over those of an ability; by chance and by strata."""
    world = worlds[benchmark]

    def said(model: str, key: str) -> tuple[float, float]:
        return world.score(world.truth, model, key), world.score(world.judge, model, key)

    for model in MODELS:
        keys = _judged(model)
        strata: dict[str, list[str]] = {}
        for key in keys:
            name = "all" if benchmark == "Chance" else units[model, key][0]
            strata.setdefault(name, []).append(key)
        known = {
            key
            for key in keys
            if (int(key) % 4 == 1 if benchmark == "Chance" else units[model, key][2])
        }
        run = study_oracle.OwnLabels(
            [(len(of), [said(model, key) for key in of if key in known]) for of in strata.values()],
            fmean(said(model, key)[1] for key in keys),
        )
        (rates,) = (
            row
            for row in _rows(tables, "judge_calibration", benchmark=benchmark, scope="model")
            if row["name"] == model
        )
        for ability in ("Overall", "animals", "birds"):
            of = [
                said(model, key)[1]
                for key in keys
                if ability == "Overall" or (ability == "animals") == (int(key) < N_ANIMALS)
            ]
            value, low, high = run.rogan_gladen(
                fmean(of),
                len(of),
                rates["specificity"],
                rates["n_wrong_effective"],
                rates["sensitivity"],
                rates["n_right_effective"],
            )
            (row,) = _rows(
                tables,
                "corrected_score",
                benchmark=benchmark,
                model=model,
                ability=ability,
                correction="rg",
                average="micro",
            )
            assert row["calibrated_on"] == "model"
            # Every question has an answer that the judge decides.
            assert row["n_judged"] == row["n"] == len(of)
            assert (row["estimate"], row["low"], row["high"]) == pytest.approx(
                (value, low, high), abs=1e-9
            )


def test_rogan_and_gladen_by_the_labels_of_another_run(make_house: Any, tmp_path: Path) -> None:
    house = make_house("others")
    world = World(4)
    fill(house, tmp_path, "Own", world)
    some = {place: is_right for place, is_right in world.truth.items() if place[0] == "one"}
    house.ingest(
        write_jsonl(tmp_path / "some.jsonl", world.rows(some, "ann", "verdict")), benchmark="Own"
    )
    pairs = [
        (world.score(world.truth, "one", key), world.score(world.judge, "one", key))
        for key in _judged("one")
    ]
    right, wrong = ([f for y, f in pairs if y == kind] for kind in (1.0, 0.0))
    judged = [world.score(world.judge, "two", key) for key in _judged("two")]
    expected = study_oracle.rogan_gladen(
        fmean(judged), len(judged), 1 - fmean(wrong), len(wrong), fmean(right), len(right)
    )
    (row,) = _rows(
        _tables(house), "corrected_score", model="two", level="overall", correction="rg", average="micro"
    )  # fmt: skip
    assert row["calibrated_on"] == "benchmark"
    assert (row["estimate"], row["low"], row["high"]) == pytest.approx(expected, abs=1e-9)


def test_macro_averages_are_of_the_abilities(tables: Tables) -> None:
    rows = _rows(tables, "corrected_score", benchmark="Chance", model="one")
    of = {(row["ability"], row["average"], row["correction"]): row for row in rows}
    parts = [of[name, "micro", "ppi"] for name in ("animals", "birds")]
    whole = of["Overall", "macro", "ppi"]
    assert whole["estimate"] == pytest.approx(fmean(one["estimate"] for one in parts), abs=1e-9)
    assert whole["stderr"] == pytest.approx(
        sum(one["stderr"] ** 2 for one in parts) ** 0.5 / 2, abs=1e-9
    )
    rg = of["Overall", "macro", "rg"]
    assert rg["low"] is None
    assert "share one calibration" in rg["reason"]


@pytest.mark.parametrize("ability", ["Overall", "animals", "birds"])
def test_two_runs_are_paired(tables: Tables, worlds: dict[str, World], ability: str) -> None:
    """Both ways round; and with the influence of each question the error is that of the board's interval."""
    there, back = _rows(tables, "corrected_difference", dataset="Chance", ability=ability)
    assert there["difference"] == pytest.approx(-back["difference"], abs=1e-12)
    scores = {
        row["model"]: row
        for row in _rows(
            tables,
            "corrected_score",
            benchmark="Chance",
            ability=ability,
            correction="ppi",
            average="micro",
        )
    }
    assert there["difference"] == pytest.approx(
        scores["one"]["estimate"] - scores["two"]["estimate"], abs=1e-12
    )
    unpaired = sum(row["stderr"] ** 2 for row in scores.values()) ** 0.5
    assert there["stderr_unpaired"] == pytest.approx(unpaired, abs=1e-12)
    world = worlds["Chance"]
    keys = [
        key
        for key in KEYS
        if ability == "Overall" or (ability == "animals") == (int(key) < N_ANIMALS)
    ]
    assert there["n"] == len(keys)
    shares = {}
    for model in MODELS:
        of = [
            (
                world.score(world.judge, model, key),
                world.score(world.truth, model, key),
                int(key) % 4 == 1,
            )
            for key in keys
        ]
        y = [truth for _, truth, known in of if known]
        f = [said for said, _, known in of if known]
        other = [said for said, _, known in of if not known]
        weight = study_oracle.tuned(y, f, other)
        rectifier = fmean(a - weight * b for a, b in zip(y, f, strict=True))
        shares[model] = [
            (truth - weight * said - rectifier) / len(y)
            if known
            else weight * (said - fmean(other)) / len(other)
            for said, truth, known in of
        ]
    squares = sum((a - b) ** 2 for a, b in zip(shares["one"], shares["two"], strict=True))
    assert there["stderr"] == pytest.approx(squares**0.5, abs=1e-9)


def test_few_labels_and_a_poor_judge_have_a_reason(make_house: Any, tmp_path: Path) -> None:
    house = make_house("few")
    world = World(3)
    # The judge says the opposite.
    world.judge = {place: not is_right for place, is_right in world.truth.items()}
    fill(house, tmp_path, "Own", world)
    few = {
        place: is_right
        for place, is_right in world.truth.items()
        if place[0] == "one" and int(place[1]) < 6
    }
    house.ingest(
        write_jsonl(tmp_path / "few.jsonl", world.rows(few, "ann", "verdict")), benchmark="Own"
    )
    rows = _rows(_tables(house), "corrected_score", level="overall", average="micro")
    assert {(row["model"], row["correction"], row["reason"]) for row in rows} == {
        ("one", "ppi", "fewer than 10 labels"),
        ("two", "ppi", "fewer than 10 labels"),
        ("one", "rg", "fewer than 5 labels right or wrong"),
        ("two", "rg", "fewer than 5 labels right or wrong"),
    }
    assert all(row["estimate"] is None and row["score"] is not None for row in rows)
    house.ingest(
        write_jsonl(tmp_path / "all.jsonl", world.rows(world.truth, "bob", "verdict")),
        benchmark="Own",
    )
    tables = _tables(house)
    rows = _rows(
        tables, "corrected_score", level="overall", average="micro", person="bob", correction="rg"
    )
    assert {row["reason"] for row in rows} == {"the judge is no better than chance"}
    # Where all is labelled, the score is the person's own.
    for row in _rows(
        tables, "corrected_score", level="overall", average="micro", person="bob", correction="ppi"
    ):
        ours = [world.score(world.truth, row["model"], key) for key in KEYS]
        assert row["estimate"] == pytest.approx(fmean(ours), abs=1e-12)


def test_the_board_and_its_errors(house: Warehouse) -> None:
    printed = _run(house, "leaderboard", "Planned", "--corrected", "ppi", "--by", "ann")
    lines = printed.splitlines()
    assert (
        lines[0]
        == "Planned · circular · judge J corrected by ann (prediction-powered) · micro · release latest"
    )
    assert lines[1].split("   ")[0].strip() == "Rank"
    assert "Overall, corrected" in lines[1]
    assert "Labels" in lines[1]
    with house.reading() as con:
        with pytest.raises(UsageError, match="no person 'eve' has judged; there are ann"):
            corrected.boards(con, "Planned", person="eve")
        with pytest.raises(UsageError, match="--corrected is ppi or rg"):
            corrected.boards(con, "Planned", person="ann", correction="mle")
        with pytest.raises(UsageError, match="ann is a person"):
            label_frame.make(con, "ann", n=10)
        with pytest.raises(
            UsageError, match="several benchmarks: say --benchmark, one of Chance, Planned"
        ):
            label_frame.make(con, "J", n=10)
        with pytest.raises(UsageError, match="4 strata want at least 8 labels"):
            label_frame.make(con, "J", n=7, benchmark="Planned", divided_by=("model", "verdict"))


def test_what_is_left_to_label(house: Warehouse) -> None:
    """All that was drawn of Planned is labelled; of Chance, which has no plan, the judge's verdicts are left."""
    left = house.sql(
        "SELECT dataset, count(*) AS n FROM label_todo WHERE NOT list_contains(labelled_by, 'ann') GROUP BY ALL"
    )
    labelled = house.sql(
        "SELECT count(DISTINCT subject_hash) FROM main.judgment WHERE origin = 'human' AND subject_hash IN "
        "(SELECT subject_hash FROM latest.subject JOIN main.question USING (question_id) WHERE dataset_id = 1)"
    ).item()
    n = sum(
        _is_open(_said(model, key, step)) for model in MODELS for key in KEYS for step in (0, 1)
    )
    assert left.rows() == [("Chance", n - labelled)]
    # A second person has all of it to label.
    for_bob = house.sql(
        "SELECT dataset, count(*) AS n, min(len(labelled_by)) AS least, max(labelled_by) AS people "
        "FROM label_todo WHERE NOT list_contains(labelled_by, 'bob') GROUP BY ALL ORDER BY ALL"
    ).rows()
    assert [(row[0], row[3]) for row in for_bob] == [("Chance", ["ann"]), ("Planned", ["ann"])]
    assert for_bob[0][1:3] == (n, 0)
    assert for_bob[1][2] == 1
    listed = _run(house, "label", "todo", "--judge", "J", "--by", "bob", "--format", "csv")
    assert len(listed.splitlines()) == 1 + for_bob[0][1] + for_bob[1][1]
    # What a person chooses from.
    assert listed.count(",A. cat | B. dog | C. emu,") == len(listed.splitlines()) - 1
    assert "nothing is left to label" in _run(
        house, "label", "todo", "--judge", "J", "--benchmark", "Planned"
    )
    again = _run(
        house,
        "label",
        "plan",
        "--judge",
        "J",
        "--benchmark",
        "Planned",
        "--n",
        "120",
        "--by",
        "model,verdict",
    )
    assert again.strip() == "the same plan is there already, and holds"


def test_a_plan_that_is_drawn_again_holds_again(make_house: Any, tmp_path: Path) -> None:
    """Another draw came in between; what is left to label is that of the plan that was asked for last."""
    house = make_house("again")
    fill(house, tmp_path, "Own", World(3, KEYS[:30]))
    added = []
    with house.writing() as con:
        for n in (20, 30, 20, 20):
            frame = label_frame.make(con, "J", n=n)
            added.append(labels.add(con, frame.plan, frame.drawn, rows=frame.rows))
    assert added == [(1, 20), (2, 30), (3, 20), None]
    assert house.sql("SELECT DISTINCT plan_id FROM label_todo").rows() == [(3,)]
    done = run("evalhouse", "label", "todo", "--judge", "J", "--benchmark", "Owm", "--db", house.path,
               cwd=tmp_path)  # fmt: skip
    assert (done.code, done.err.strip()) == (2, "error: no benchmark 'Owm' here; there is Own")


def test_plans_go_along_when_warehouses_merge(house: Warehouse, make_house: Any) -> None:
    into = make_house("into")
    for _ in range(2):
        with into.writing(files=with_logs(house.path)) as con:
            merge.merge(con, house.path)
        for table, columns in (
            ("label_plan", "plan_id, n, divided_by, allocation, seed"),
            ("label_unit", "plan_id, stratum, chance, is_drawn"),
        ):
            ours, theirs = (
                one.sql(f"SELECT {columns} FROM main.{table} ORDER BY ALL").rows()
                for one in (into, house)
            )
            assert ours == theirs != []


def test_allocation() -> None:
    strata = [Stratum("even", 300, 0.5), Stratum("sure", 100, 0.0), Stratum("tiny", 1, 0.0)]
    assert labels.allocate(strata, 41, "proportional") == {"even": 30, "sure": 10, "tiny": 1}
    # 300 × 0.5 to 100 × 0.1: fifteen to one.
    assert labels.allocate(strata, 41, "neyman") == {"even": 38, "sure": 2, "tiny": 1}
    # What a stratum cannot give goes to the others.
    assert labels.allocate(strata, 10_000, "proportional") == {"even": 300, "sure": 100, "tiny": 1}
    with pytest.raises(UsageError, match="3 strata want at least 5 labels"):
        labels.allocate(strata, 4, "neyman")


def test_ranks_and_reasons_of_a_board() -> None:
    """Ties share a rank and the next one is left out, as on every board; abilities say why they have no estimate."""
    few = "fewer than 10 labels"
    cells = pl.DataFrame(
        [
            (run_id, f"m{run_id}", ability_id, estimate if reason is None else None, reason)
            for run_id, estimate, why in ((1, 0.5, few), (2, 0.5, None), (3, 0.4, few), (4, None, few))
            for ability_id in (0, 7, 8)
            for reason in [why if ability_id or estimate is None else None]
        ],
        schema=("run_id", "model", "ability_id", "estimate", "reason"),
        orient="row",
    ).with_columns(
        pl.lit("D").alias("dataset"), pl.lit("B").alias("benchmark"), pl.lit("J").alias("judge"),
        pl.lit("ann").alias("person"), pl.lit("ppi").alias("correction"), pl.lit("topic").alias("level"),
        pl.lit("micro").alias("average"), pl.lit(True).alias("is_latest"), pl.lit("r").alias("run"),
        pl.lit("normal").alias("interval_kind"),
        pl.format("a{}", "ability_id").alias("ability"), pl.format("a{}", "ability_id").alias("abbreviation"),
        pl.col("ability_id").alias("ability_ordinal"),
        *(pl.lit(0.5).alias(name) for name in ("n", "n_judged", "n_labelled", "score", "stderr", "low", "high")),
    )  # fmt: skip
    with duckdb.connect() as con:
        con.register("cells", cells.to_arrow())
        chosen = {"benchmark": "B", "judge": "J", "person": "ann", "correction": "ppi", "level": "topic",
                  "average": "micro", "all_runs": False, "datasets": ["D"], "judges": ["none"]}  # fmt: skip
        frame = session.frame_of(con, corrected._SQL["cells"].format(source="cells"), chosen)
    wide = corrected.CorrectedBoard("", frame).wide(1)
    assert wide.select("Rank", "Model", "Why not").rows() == [
        (1, "m1", f"a7, a8: {few}"),
        (1, "m2", None),
        (3, "m3", f"a7, a8: {few}"),
        (None, "m4", few),
    ]
