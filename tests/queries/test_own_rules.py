"""A benchmark of one's own with rules, groups and figures: one TOML file, and no code."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evalhouse import InputError, UsageError, Warehouse
from queries import eee_export
from queries.export import bundle, verify
from queries.install import LATEST
from queries.release import default_name
from warehouse import benchmark, merge
from warehouse.check import run_checks
from warehouse.connection import with_logs

_TOML = """
name = "PicFacts"
task = "open"
strategy = "vanilla"
average = "micro"
aliases = ["picfacts"]
splits = []

[[level]]
name = "kind"
columns = ["category"]

[[rule]]
rule = "yes_no"

[[group]]
name = "image"
key = [{ attribute = "image_path" }]

[[figure]]
name = "Overall"
aggregate = "f1"
scale = 100

[[figure]]
name = "acc"
aggregate = "micro"
scale = 100

[[figure]]
name = "image"
aggregate = "micro"
strategy = "group:image"
scale = 100

[[figure]]
name = "both"
aggregate = "mean"
parts = ["acc", "image"]

[[figure]]
name = "kinds"
aggregate = "sum"
level = "kind"
parts = ["acc"]
"""
_ROWS = [
    # index, image_path, category, answer, prediction, what it says
    (1, "a.png", "colour", "Yes", "Yes, it is.", "yes"),
    (2, "a.png", "colour", "No", "no", "no"),
    (3, "b.png", "colour", "Yes", "No.", "no"),
    (4, "b.png", "shape", "No", "I cannot see it", None),
    (5, "c.png", "shape", "Yes", "yes", "yes"),
    (6, "c.png", "shape", "No", "Yes!", "yes"),
]


def _file(folder: Path) -> Path:
    path = folder / "vlm_PicFacts.tsv"
    head = "index\timage_path\tcategory\tquestion\tanswer\tprediction\n"
    path.write_text(
        head + "".join(f"{i}\t{p}\t{c}\tq{i}\t{a}\t{t}\n" for i, p, c, a, t, _ in _ROWS),
        encoding="utf-8",
    )
    return path


@pytest.fixture
def scored(house: Warehouse, tmp_path: Path) -> Warehouse:
    folder = tmp_path / "picfacts"
    folder.mkdir()
    (folder / "benchmark.toml").write_text(_TOML, encoding="utf-8")
    house.add_benchmark(folder)
    house.ingest(_file(tmp_path))
    return house


def _figures(house: Warehouse, ability: str = "Overall") -> dict[str, float]:
    with house.reading() as con:
        rows = con.execute(
            f"SELECT figure, score FROM {LATEST}.benchmark_score WHERE ability = ?", [ability]
        ).fetchall()
    return dict(rows)


def _oracle(kind: str | None = None) -> dict[str, float]:
    rows = [row for row in _ROWS if kind in (None, row[2])]
    right = [said == answer.lower() for *_, answer, _, said in rows]
    both = sum(said == "yes" and answer == "Yes" for *_, answer, _, said in rows)
    said, wanted = (sum(row[5] == "yes" for row in rows), sum(row[3] == "Yes" for row in rows))
    images: dict[str, bool] = {}
    for row, is_right in zip(rows, right, strict=True):
        images[row[1]] = images.get(row[1], True) and is_right
    acc = 100 * sum(right) / len(right)
    image = 100 * sum(images.values()) / len(images)
    found = {
        "Overall": 100 * 2 * both / (said + wanted),
        "acc": acc,
        "image": image,
        "both": (acc + image) / 2,
    }
    if kind is None:
        found["kinds"] = _oracle("colour")["acc"] + _oracle("shape")["acc"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", [None, "colour", "shape"])
def test_figures_are_those_of_plain_python(scored: Warehouse, kind: str | None) -> None:
    assert _figures(scored, kind or "Overall") == pytest.approx(_oracle(kind))


def test_what_cannot_be_read_is_seen_and_wrong(scored: Warehouse) -> None:
    with scored.reading() as con:
        rows = con.execute(
            f"SELECT question_key, predicted, resolved_by, score FROM {LATEST}.pass_result "
            "ORDER BY question_key"
        ).fetchall()
    assert rows == [
        ("1", "yes", "rule", 1.0),
        ("2", "no", "rule", 1.0),
        ("3", "no", "rule", 0.0),
        ("4", None, "unresolved", 0.0),
        ("5", "yes", "rule", 1.0),
        ("6", "yes", "rule", 0.0),
    ]


@pytest.mark.slow
def test_kept_is_live(scored: Warehouse) -> None:
    live = _figures(scored)
    scored.refresh(release=LATEST)
    assert _figures(scored) == live
    assert next(found for found in scored.kept() if found.release == default_name()).n_fresh == 1


@pytest.mark.slow
@pytest.mark.all_releases
def test_a_missing_question_is_wrong_here_and_left_out_there(
    house: Warehouse, tmp_path: Path
) -> None:
    folder = tmp_path / "picfacts"
    folder.mkdir()
    (folder / "benchmark.toml").write_text(_TOML, encoding="utf-8")
    house.add_benchmark(folder)
    path = _file(tmp_path)
    house.ingest(path)
    part = tmp_path / "other_PicFacts.tsv"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    part.write_text("".join(lines[:-1]), encoding="utf-8")
    house.ingest(part)
    with house.reading() as con:
        for release, acc, image, n in (
            (LATEST, 50.0, 100 / 3, 6),
            ("vlmevalkit_field_e8e78f0", 60.0, 200 / 3, 5),
        ):
            rows = con.execute(
                f"SELECT figure, score, n FROM {release}.benchmark_score "
                "WHERE model = 'other' AND ability = 'Overall' AND figure IN ('acc', 'image') ORDER BY 1"
            ).fetchall()
            assert [row[1] for row in rows] == pytest.approx([acc, image])
            assert rows[0][2] == n


def test_rules_can_change_and_the_former_stay(scored: Warehouse, tmp_path: Path) -> None:
    folder = tmp_path / "changed"
    folder.mkdir()
    changed = _TOML.replace('rule = "yes_no"', 'rule = "exact"')
    (folder / "benchmark.toml").write_text(changed, encoding="utf-8")
    scored.add_benchmark(folder)
    with scored.reading() as con:
        rows = con.execute(
            "SELECT rule, superseded_by IS NULL FROM main.benchmark_rule AS r "
            "JOIN main.benchmark AS b USING (benchmark_id) WHERE b.name = 'PicFacts' ORDER BY r.source_id"
        ).fetchall()
        assert rows == [("yes_no", False), ("exact", True)]
        assert [found for found in run_checks(con) if found.n] == []
    assert _figures(scored)["acc"] == pytest.approx(100 * 2 / 6)


_BAD: list[tuple[str, str, str]] = [
    ('rule = "yes_no"', 'rule = "guess"', "field rule.rule: 'guess' is none of choice, yes_no"),
    ('rule = '
     '"yes_no"', 'rule = "yes_no"\nwhere = { attribute = "x" }', "rule.where: is a table of attribute and value"),
    ('rule = "yes_no"', 'rule = "number"\ntolerance = -1', "rule.tolerance: -1 is below 0"),
    ('rule = "yes_no"', 'rule = "number"\ntolerance = nan', "rule.tolerance: nan is no number"),
    ("key = [{ attribute", "keys = [{ attribute", "group.keys: is not known here"),
    ('key = [{ attribute = "image_path" }]', 'key = [{ pattern = "(" }]', "key.pattern: is no regular expression"),
    ('key = [{ attribute = "image_path" }]', 'key = [{ pattern = "a" }]', "key.pattern: has no (…) around the part"),
    ('key = [{ attribute = "image_path" }]', "key = [{ size = 1 }]", "key.size: 1 is below 2"),
    ('key = [{ attribute = "image_path" }]', "key = [{}]", "key.attribute: is missing"),
    ('strategy = "group:image"', 'strategy = "group:pair"', "figure.strategy: 'group:pair' is none of"),
    ('parts = ["acc", "image"]', 'parts = ["acc", "none"]', "figure.parts: 'none' is no figure above this one"),
    ('parts = ["acc", "image"]', "", "figure.parts: are for mean and total"),
    ('level = "kind"\nparts', 'level = "sort"\nparts', "figure.level: 'sort' is no level; there are kind"),
    ('name = "acc"', 'name = "Overall"', "figure.name: 'Overall' is a figure already"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "error"), _BAD)
def test_what_cannot_be(before: str, after: str, error: str) -> None:
    assert before in _TOML
    with pytest.raises(InputError) as raised:
        benchmark.parse(_TOML.replace(before, after, 1), "benchmark.toml")
    assert error in str(raised.value)
    assert "row " in str(raised.value)


@pytest.mark.slow
def test_merged_and_exported_it_scores_alike(
    scored: Warehouse, make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    other = make_house("other")
    with other.writing(files=with_logs(scored.path)) as con:
        merge.merge(con, scored.path)
    assert _figures(other) == _figures(scored)


def test_boards_and_comparisons_take_it(scored: Warehouse, tmp_path: Path) -> None:
    other = tmp_path / "other_PicFacts.tsv"
    text = _file(tmp_path).read_text(encoding="utf-8")
    other.write_text(text.replace("I cannot see it", "No"), encoding="utf-8")
    scored.ingest(other)
    (board,) = scored.leaderboard("PicFacts", release=LATEST)
    totals = {line.model: line.cells[0] for line in board.lines}
    assert {model: cell.score for model, cell in totals.items() if cell} == pytest.approx(
        {"vlm": 3 / 6, "other": 4 / 6}
    )
    (groups,) = scored.leaderboard("PicFacts", release=LATEST, strategy="group:image")
    assert {line.model: line.cells[0].score for line in groups.lines if line.cells[0]} == {
        "vlm": pytest.approx(1 / 3),
        "other": pytest.approx(1 / 3),
    }
    found = scored.compare("other", "vlm", release=LATEST)
    overall = found.frame.row(0, named=True)
    assert (overall["score_a"], overall["score_b"]) == pytest.approx((4 / 6, 3 / 6))


def test_a_release_without_rules_says_so(scored: Warehouse) -> None:
    with pytest.raises(UsageError, match=r"paper_v1 has no rules for PicFacts.*--release latest"):
        scored.leaderboard("PicFacts", release="paper_v1")
    with pytest.raises(UsageError, match=r"there are graded, vanilla, group:image"):
        scored.leaderboard("PicFacts", release=LATEST, strategy="group:pair")


def _others(house: Warehouse, folder: Path) -> None:
    """A second model, which says yes to everything."""
    path = folder / "eager_PicFacts.tsv"
    head = "index\timage_path\tcategory\tquestion\tanswer\tprediction\n"
    path.write_text(
        head + "".join(f"{i}\t{p}\t{c}\tq{i}\t{a}\tyes\n" for i, p, c, a, _, _ in _ROWS),
        encoding="utf-8",
    )
    house.ingest(path, model="eager")


@pytest.mark.slow
def test_a_bundle_has_the_named_figures(scored: Warehouse, tmp_path: Path) -> None:
    """Each is computed again; a bundle of before they were in bundles still holds, and it is said."""
    folder = tmp_path / "b"
    with scored.reading() as con:
        choice = bundle.Choice(levels=("overall",))
        made = bundle.write(con, folder, choice, evalhouse="0", release=LATEST)
        stored = con.execute(
            "SELECT model, strategy, figure, score FROM latest.benchmark_score WHERE level = 'overall'"
        ).fetchall()

    def differences() -> list[str]:
        with scored.reading() as con:
            verdict = verify.verify(con, folder, evalhouse="0")
        assert verdict.n_named == len(stored)
        return [one.line() for one in verdict.differences]

    path = folder / "benchmark_score.csv"
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    figures = [(row["model"], row["strategy"], row["figure"], float(row["score"])) for row in rows]
    assert [row[:3] for row in sorted(figures)] == [row[:3] for row in sorted(stored)]
    assert [row[3] for row in sorted(figures)] == pytest.approx([row[3] for row in sorted(stored)])
    assert made.scores is not None
    assert made.scores.n_figures == len(stored) > len({row["strategy"] for row in rows}) > 1
    assert differences() == []
    whole, manifest = (
        path.read_text("utf-8"),
        json.loads((folder / "manifest.json").read_text("utf-8")),
    )
    first, last = rows[0], whole.splitlines()[-1]
    score = f",overall,Overall,{first['score']},"
    path.write_text(whole.replace(score, ",overall,Overall,99,", 1), "utf-8")
    assert differences() == [
        f"named figures, {first['dataset']}, row {first['model']} ({first['run']}), column {first['figure']} "
        f"(judge none, {first['strategy']}) score: the bundle says 99, the warehouse {first['score']} "
        "(benchmark_score.csv)"
    ]
    path.write_text(whole.replace(f"{last}\n", "", 1), "utf-8")
    (line,) = differences()
    assert line.endswith("the bundle says nothing, the warehouse there (benchmark_score.csv)")
    for text, problem in (
        ("a,b\n", "is no table of named figures: its columns are others"),
        (f"{whole}{last}\n", "is no table of named figures: a row stands twice"),
        (f"{whole}\n".replace("\n", "\r\n"), "is not the file that was written (its sha256)"),
        (whole.replace("\n", "\r\n"), "is not the file that was written (its sha256)"),
    ):
        path.write_bytes(text.encode())
        (line,) = differences()
        assert line.startswith(f"named figures: {problem}")
    path.unlink()
    del manifest["scores"]
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    with scored.reading() as con:
        verdict = verify.verify(con, folder, evalhouse="0")
    assert (verdict.differences, verdict.n_named) == ((), 0)
    assert verdict.notes == (
        "an earlier evalhouse wrote it, without named figures (benchmark_score.csv)",
    )


@pytest.mark.slow
def test_two_runs_are_compared_by_question(scored: Warehouse, tmp_path: Path) -> None:
    _others(scored, tmp_path)
    alone = scored.compare("vlm", "eager", release=LATEST).frame.row(0, named=True)
    # Question 4 has an answer, though none that can be read; 2 is right for one, and 3 for the other.
    assert (alone["n"], alone["difference"]) == (6, 0.0)
    images = scored.compare("vlm", "eager", release=LATEST, strategy="group:image").frame
    (whole,) = images.filter(level="overall").to_dicts()
    board = dict(
        scored.sql(
            "SELECT model, score FROM latest.ability_score WHERE strategy = 'group:image' "
            "AND level = 'overall' AND judge = 'none' AND average = 'micro'"
        ).rows()
    )
    assert (whole["score_a"], whole["score_b"]) == (board["vlm"], board["eager"])
    assert 0 < whole["n"] < alone["n"]


@pytest.mark.slow
def test_a_run_goes_out_as_every_eval_ever_records(scored: Warehouse) -> None:
    with scored.reading() as con:
        ((run_id,),) = con.execute("SELECT run_id FROM main.run").fetchall()
        made = eee_export.eee_files(con, run_id, release=LATEST)
        with pytest.raises(UsageError, match=f"has no rules for it; --release {LATEST} has them"):
            eee_export.eee_files(con, run_id, release="paper_v1")
    aggregate = next(
        json.loads(text) for name, text in made.files.items() if name.endswith(".json")
    )
    scores = {
        one["evaluation_result_id"]: (
            one["metric_config"]["metric_id"],
            one["score_details"]["score"],
        )
        for one in aggregate["evaluation_results"]
    }
    assert scores["vanilla/micro/overall/Overall"] == ("mean_score", pytest.approx(3 / 6))
    assert scores["group:image/micro/overall/Overall"] == ("group_accuracy", pytest.approx(1 / 3))
    records = next(text for name, text in made.files.items() if name.endswith(".jsonl"))
    assert [json.loads(line)["evaluation"]["score"] for line in records.splitlines()] == [
        1.0, 1.0, 0.0, 0.0, 1.0, 0.0,
    ]  # fmt: skip


@pytest.mark.slow
def test_a_bundle_has_the_boards_of_the_rules(scored: Warehouse, tmp_path: Path) -> None:
    with scored.reading() as con:
        made = bundle.write(con, tmp_path / "b", bundle.Choice(), evalhouse="0", release=LATEST)
        # A release without rules has no board of it, and nothing else is there.
        with pytest.raises(UsageError, match="has no rules for PicFacts, or no run has answers"):
            bundle.write(con, tmp_path / "c", bundle.Choice(), evalhouse="0", release="paper_v1")
    assert {table.query["level"] for table in made.tables} == {"overall", "kind"}
    assert {table.query["strategy"] for table in made.tables} == {"vanilla", "group:image"}
    assert "50.0" in (tmp_path / "b" / "picfacts-overall-vanilla-none.csv").read_text("utf-8")
