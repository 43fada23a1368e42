"""The release evalscope_1_14: every figure of evalscope's reports that rests on rules, to its four digits."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalhouse import Warehouse
from queries import install
from queries import release as releases
from tests.houses import QuickHouse

_RELEASE = "evalscope_1_14"
_DRAWN = {
    ("heron-vl-7b", "物理/7"): 1.0,
    ("heron-vl-7b", "生物/4"): 0.0,
    ("heron-vl-7b", "艺术/2"): 1.0,
    ("heron-vl-7b", "设计/0"): 0.0,
    ("quarry-vision-32b", "生物/2"): 1.0,
}
"""Answers to cmmmu in which evalscope's rule finds nothing, so that it draws, and what its draw
scored; here they count 0."""
_REST_ON_DRAWS = {
    "heron-vl-7b": ("subset 物理", "subset 艺术", "category 科学", "category 科学 macro over subsets",
                    "category 艺术与设计", "category 艺术与设计 macro over subsets", "overall",
                    "macro over categories"),
    "quarry-vision-32b": ("subset 生物", "category 科学", "category 科学 macro over subsets", "overall",
                          "macro over categories"),
}  # fmt: skip
"""All figures that differ: those of cmmmu that have an answer in them which the draw got right."""
_PIECES = (
    "ANSWER:", "answer :", "Answer:**", "**", "A", "B", "C", "D", "E", "AB", "a", "and", "or", "OR", "not", "(", ")",
    "[", "]", "（", "】", "$", "\\(", "\\boxed{", "\\text{", "}", ",", "，", "、", "/", ".", " ", " ", "\n", "\u3000",
    "\u00a0", "I", "É", "Σ", "Ⓐ", "中", "oak", "1", "_", "-",
)  # fmt: skip
_WRAPPERS = ("$", "\\(", "\\boxed{", "\\text{")
_LETTERS = ("ABC", "ABCD", "ABCDE")


@pytest.fixture(scope="module")
def reports(shared: Path) -> dict[str, dict[str, dict[str, float]]]:
    """The figures of the reports, by data set and model."""
    text = (shared / "formats/evalscope/EXPECTED.json").read_text("utf-8")
    return {
        name: {
            model: {what: value for what, value in of.items() if ": " in what}
            for model, of in found.items()
        }
        for name, found in json.loads(text).items()
        if not name.startswith("_")
    }


@pytest.fixture(scope="module")
def lab(shared: Path, new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    path = tmp_path_factory.mktemp("evalscope") / "lab.duckdb"
    shutil.copy(new_file, path)
    house = QuickHouse(path)
    assert [
        str(one.error) for one in house.ingest_many(shared / "formats/evalscope/out") if one.error
    ] == []
    with house.writing() as con:
        install.install(con, releases.load(_RELEASE))
    return house


@pytest.mark.slow
def test_every_figure_that_rests_on_rules_has_its_four_digits(
    lab: Warehouse, reports: dict[str, dict[str, dict[str, float]]]
) -> None:
    rows = lab.sql(
        "SELECT run, model, metric, part, name, n, score, macro FROM evalscope_figure",
        release=_RELEASE,
    ).rows()
    ours: dict[tuple[str, str], dict[str, float]] = {}
    for run, model, metric, part, name, n, score, macro in rows:
        task = max((task for task in reports if run.endswith(f"_{task}")), key=len)
        of = ours.setdefault((task, model.rpartition("/")[2]), {})
        whole = part == "overall"
        of[f"{metric}: overall" if whole else f"{metric}: {part} {name}"] = score
        of[f"{metric}: num" if whole else f"{metric}: {part} {name} num"] = n
        if part != "subset":
            over = "macro over categories" if whole else f"category {name} macro over subsets"
            of[f"{metric}: {over}"] = macro
    wanted = {(task, model): of for task, found in reports.items() for model, of in found.items()}
    assert {place: set(of) for place, of in ours.items()} == {
        place: set(of) for place, of in wanted.items()
    }
    differing = {
        (*place, what)
        for place, of in wanted.items()
        for what, value in of.items()
        if ours[place][what] != value
    }
    assert differing == {
        ("cmmmu", model, f"accuracy/mean: {what}")
        for model, parts in _REST_ON_DRAWS.items()
        for what in parts
    }
    assert sum(map(len, wanted.values())) == 868


@pytest.mark.slow
def test_every_answer_has_evalscopes_score(lab: Warehouse) -> None:
    rows = lab.sql(
        "SELECT p.model, p.question_key, p.dataset, p.score, h.score FROM pass_result AS p "
        "JOIN main.harness_score AS h USING (run_id, question_id, pass, sample) "
        # A judge's verdicts are in those of the other two.
        "WHERE p.judge = 'none' AND p.dataset NOT IN ('RealWorldQA', 'simple_vqa')",
        release=_RELEASE,
    ).rows()
    assert len(rows) == 893
    differing = {
        (model.rpartition("/")[2], key): there
        for model, key, dataset, here, there in rows
        if abs(here - there) > 1e-9 and dataset == "cmmmu"
    }
    assert differing == {place: score for place, score in _DRAWN.items() if score}
    assert [row for row in rows if abs(row[3] - row[4]) > 1e-9 and row[2] != "cmmmu"] == []


@pytest.fixture(scope="module")
def con(
    new_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[duckdb.DuckDBPyConnection]:
    """The release's macros, without a run."""
    house = Warehouse(tmp_path_factory.mktemp("macros") / "macros.duckdb")
    house.path.write_bytes(new_file.read_bytes())
    with house.writing() as writing:
        install.install(writing, releases.load(_RELEASE))
    with duckdb.connect(str(house.path), read_only=True) as found:
        found.execute(f"USE {_RELEASE}")
        yield found


def _letter(text: str, letters: str) -> str:
    """What evalscope's rule for letters reads, in other words than the release's."""
    for mark in reversed([*re.finditer(r"(?i)answer\s*:\s*\**\s*", text)]):
        tail = text[mark.end() :]
        while wrapper := next(filter(tail.startswith, _WRAPPERS), None):
            tail = tail[len(wrapper) :].lstrip()
        one = r"\s*[A-Za-z0-9]\s*"
        listed = re.match(rf"[(\[（【]{one}([,，/、]{one})*[)\]）】]", tail) or re.match(
            "[A-Za-z0-9 ,，/、]+", tail
        )
        is_named = listed and not listed[0].startswith((" ", ",", "，", "/", "、"))
        first, *others = re.findall("[A-Za-z0-9]+", listed[0]) if listed and is_named else [""]
        if first and set(first) <= set(letters):
            if others and others[0].lower() in ("and", "or"):
                del others[0]
            is_alone = not (others and set(others[0]) <= set(letters))
            return first if len(first) == 1 and is_alone else ""
    last = next((each for each in reversed(text) if each.isupper()), "-")
    return last if last in letters else ""


def _read(con: duckdb.DuckDBPyConnection, texts: list[str], letters: str) -> list[str]:
    rows = con.execute(
        "SELECT marked_letter(text, $letters) FROM "
        "(SELECT unnest($texts) AS text, unnest(range(len($texts))) AS place) ORDER BY place",
        {"texts": texts, "letters": letters},
    ).fetchall()
    return [value for (value,) in rows]


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    made=st.lists(st.lists(st.sampled_from(_PIECES), max_size=9).map("".join), max_size=60),
    letters=st.sampled_from(_LETTERS),
)
def test_letters_of_made_up_replies(
    con: duckdb.DuckDBPyConnection, made: list[str], letters: str
) -> None:
    assert _read(con, made, letters) == [_letter(text, letters) for text in made]


def test_letters_of_real_replies(con: duckdb.DuckDBPyConnection, shared: Path) -> None:
    replies = sorted(
        {
            json.loads(line)["sample_score"]["score"]["prediction"]
            for path in (shared / "formats/evalscope/out").rglob("reviews/*/*.jsonl")
            for line in path.read_text("utf-8").splitlines()
        }
    )
    assert len(replies) > 400
    for letters in _LETTERS:
        assert _read(con, replies, letters) == [_letter(text, letters) for text in replies]


@pytest.mark.parametrize(
    ("text", "said"),
    [("Yes", "yes"), ("no.", "no"), ("NO!", "no"), ("I say yes", None), ("Yes or No?", None), ("Notes", None),
     ("There is nothing: No, I see no rake.", "no"), ("", None), ("YES_", None)],
)  # fmt: skip
def test_a_verdict_is_one_whole_word(
    con: duckdb.DuckDBPyConnection, text: str, said: str | None
) -> None:
    assert con.execute("SELECT whole_verdict($1)", [text]).fetchone() == (said,)


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    parts=st.lists(
        st.tuples(st.integers(0, 10_000).map(lambda n: n / 10_000), st.integers(1, 40)),
        min_size=1,
        max_size=4,
    )
)
def test_averages_are_rounded_as_python_rounds(
    con: duckdb.DuckDBPyConnection, parts: list[tuple[float, int]]
) -> None:
    mean = sum(score * n for score, n in parts) / sum(n for _, n in parts)
    assert con.execute("SELECT four_digits($1), four_digits(5 / 32)", [mean]).fetchone() == (
        round(mean, 4),
        round(5 / 32, 4),
    )
