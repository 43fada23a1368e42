"""The vlmevalkit releases against VLMEvalKit's own verdicts, and against its rules retold in Python."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalhouse import Warehouse
from tests.oracle import peer_match

pytestmark = pytest.mark.all_releases


_RELEASES = {"vlmevalkit_e8e78f0": "verdict_e8e78f0", "vlmevalkit_0_0_20": "verdict_0_0_20"}
_LABELS = list("ABCDE")


def match_all(
    house: Warehouse, folder: Path, pairs: pl.DataFrame, releases: list[str]
) -> dict[str, dict[int, str | None]]:
    """Ingest pairs (id, answer, A…E) as questions with one answer each; the releases' matches."""
    questions = pairs.select(
        pl.col("id").alias("question_key"), pl.lit("q").alias("question"), *_LABELS
    )
    questions.write_parquet(folder / "pairs.parquet")
    pairs.select(
        pl.col("id").alias("question_key"), pl.col("answer").alias("prediction"), model=pl.lit("m")
    ).write_parquet(folder / "answers.parquet")
    house.ingest(folder / "pairs.parquet", benchmark="Pairs")
    house.ingest(folder / "answers.parquet", benchmark="Pairs")
    return {
        release: {
            int(key): matched
            for key, matched in house.sql(
                f"SELECT question_key, matched FROM {release}.choice_match"
            ).iter_rows()
        }
        for release in releases
    }


def test_every_pair(house: Warehouse, shared: Path, tmp_path: Path) -> None:
    pairs = pl.read_parquet(shared / "formats/vlmevalkit/match_pairs.parquet")
    matches = match_all(house, tmp_path, pairs, list(_RELEASES))
    for release, column in _RELEASES.items():
        expected = dict(pairs.select("id", column).iter_rows())
        assert len(expected) == 10_000
        assert matches[release] == expected
    for row in pairs.to_dicts():
        choices = {label: row[label] for label in _LABELS if row[label] is not None}
        for release, column in _RELEASES.items():
            retold = peer_match(row["answer"], choices, stated=release.endswith("e8e78f0"))
            assert retold == row[column], row


_BITS_LIST = [
    *"ABCDEZabdz",
    "answer is",
    "Answer  IS",
    "anſwer İs",
    "aNSWer ıs",
    "answer\u2003is **",
    "*",
    "correct",
    "cat",
    "the dog",
    "red",
    "ΑΣ",
    "ΟΔΟΣ",
    "σ",
    "ς",
    "İ",
    "i̇",
    "ß",
    "nan",
    "True",
    "4.0",
    ".",
    ")",
    "(",
    "{",
    "}",
    "#",
    "!",
    "、",
    " ",
    "  ",
    "\n",
    "\x1c",
    "\u00a0",
    "\u3000",
    "'",
    "Σ",
    "ΣΣ",
    "Σ.",
    "·",
    "\u0307",
    "\x00",
    "𐐀",
    "Failed to obtain answer via API",
    "Cannot determine the answer",
    "I can't process this file.",
]  # fmt: skip
_BITS = st.sampled_from(_BITS_LIST)
_ANSWERS = st.one_of(
    st.none(),
    st.lists(_BITS, max_size=10).map("".join),
    st.lists(_BITS, max_size=8).map(" ".join),
    st.text(st.characters(blacklist_categories=["Cs", "Cn"]), max_size=12),
)
_CHOICE = st.one_of(
    st.lists(_BITS, max_size=2).map(" ".join), st.sampled_from(["", "cat", "İ", "ς"])
)


@pytest.mark.long
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.large_base_example,
    ],
)
@given(
    st.lists(
        st.tuples(_ANSWERS, st.lists(_CHOICE, min_size=2, max_size=5)), min_size=40, max_size=80
    )
)
def test_fuzzed_pairs_against_the_rules_retold(
    make_house: Callable[[str], Warehouse],
    tmp_path: Path,
    pairs: list[tuple[str | None, list[str]]],
) -> None:
    frame = pl.DataFrame(
        [
            {"id": n, "answer": answer}
            | {label: (choices[i] if i < len(choices) else None) for i, label in enumerate(_LABELS)}
            for n, (answer, choices) in enumerate(pairs)
        ],
        schema={"id": pl.Int64, "answer": pl.String, **dict.fromkeys(_LABELS, pl.String)},
    )
    matches = match_all(make_house("fuzz"), tmp_path, frame, list(_RELEASES))
    for release, found in matches.items():
        for n, (answer, texts) in enumerate(pairs):
            choices = dict(zip(_LABELS, texts, strict=False))
            expected = peer_match(answer, choices, stated=release.endswith("e8e78f0"))
            assert found[n] == expected, (release, answer, choices)


def test_many_random_pairs_against_the_rules_retold(house: Warehouse, tmp_path: Path) -> None:
    pick = random.Random(20)
    bits = [*_BITS_LIST, "the", "a", "is", "blue", "it shows"]

    def text(most: int) -> str:
        return pick.choice(["", " "]).join(pick.choices(bits, k=pick.randrange(most)))

    pairs = []
    for n in range(20_000):
        row = dict.fromkeys(_LABELS) | {"id": n, "answer": text(11)}
        for label in _LABELS[: pick.randrange(2, 6)]:
            row[label] = text(4)
        pairs.append(row)
    frame = pl.DataFrame(
        pairs, schema={"id": pl.Int64, "answer": pl.String, **dict.fromkeys(_LABELS, pl.String)}
    )
    matches = match_all(house, tmp_path, frame, list(_RELEASES))
    for release, found in matches.items():
        wrong = [
            (row, found[row["id"]])
            for row in frame.to_dicts()
            if found[row["id"]]
            != peer_match(
                row["answer"],
                {label: row[label] for label in _LABELS if row[label] is not None},
                stated=release.endswith("e8e78f0"),
            )
        ]
        assert wrong == []
        assert len(set(found.values())) == 7


@pytest.fixture
def mixed(house: Warehouse, shared: Path) -> tuple[Warehouse, Path]:
    folder = shared / "formats/vlmevalkit/mixed600"
    house.ingest(folder / "MMBench_SYN.tsv")
    house.ingest(*sorted(folder.glob("synth-vlm-*_MMBench_SYN.tsv")))
    return house, folder


@pytest.mark.slow
def test_mixed600(mixed: tuple[Warehouse, Path]) -> None:
    house, folder = mixed
    rows = pl.read_parquet(folder / "peer_rows.parquet")
    ours = house.sql(
        "SELECT model, CAST(question_key AS BIGINT) + pass * 1000000 AS index, matched, rule "
        "FROM vlmevalkit_e8e78f0.choice_match"
    )
    joined = rows.join(ours, on=["model", "index"], how="full", coalesce=True)
    assert joined.height == rows.height == 6159
    assert joined.filter(pl.col("peer_extract").ne_missing(pl.col("matched"))).height == 0
    by_label = joined.filter(pl.col("rule").is_in(["word", "stated"]))
    assert by_label["peer_option"].to_list() == by_label["matched"].to_list()

    hits = pl.read_parquet(folder / "peer_hits.parquet")
    ours = house.sql(
        "SELECT model, CAST(question_key AS BIGINT) AS index, CAST(score AS BIGINT) AS score FROM "
        "vlmevalkit_e8e78f0.question_result WHERE strategy = 'circular' AND judge = 'none'"
    )
    joined = hits.join(ours, on=["model", "index"], how="full", coalesce=True)
    assert joined.height == 1800
    assert joined["hit"].to_list() == joined["score"].to_list()

    accuracies = pl.read_csv(folder / "peer_acc.csv")
    ours = house.sql(
        "SELECT DISTINCT a.model, a.split, s.spelling AS ability, a.score "
        "FROM vlmevalkit_e8e78f0.ability_score AS a JOIN ("
        "SELECT ability_id, spelling FROM main.ability_spelling UNION ALL SELECT 0, 'Overall') AS s "
        "USING (ability_id) WHERE a.strategy = 'circular' AND a.average = 'micro'"
    )
    joined = accuracies.join(ours, on=["model", "split", "ability"], how="left")
    assert joined.height == 162
    assert joined.filter((pl.col("acc") - pl.col("score")).abs().fill_null(1) > 1e-12).height == 0


@pytest.mark.slow
def test_the_same_from_xlsx(
    make_house: Callable[[str], Warehouse], mixed: tuple[Warehouse, Path]
) -> None:
    from_tsv, folder = mixed
    from_xlsx = make_house("xlsx")
    from_xlsx.ingest(folder / "MMBench_SYN.tsv", folder / "synth-vlm-00_MMBench_SYN.xlsx")
    query = (
        "SELECT question_key, pass, predicted, score FROM vlmevalkit_e8e78f0.pass_result "
        "WHERE model = 'synth-vlm-00' ORDER BY ALL"
    )
    assert from_xlsx.sql(query).equals(from_tsv.sql(query))


@pytest.mark.slow
def test_missing_passes_stay_visible(house: Warehouse, shared: Path) -> None:
    """The peer counts 3 missing passes of 4 as right; the paper does not, and both show them."""
    examples = shared / "formats/vlmevalkit/examples"
    house.ingest(examples / "LMUData/MMBench_EX.tsv")
    house.ingest(examples / "outputs/missing-vlm/T20260101-000000/missing-vlm_MMBench_EX.xlsx")
    found = {
        release: house.sql(
            "SELECT score, n_missing, n_expected FROM question_result "
            "WHERE question_key = '241' AND strategy = 'circular'",
            release=release,
        ).row(0)
        for release in ("paper_v1", "vlmevalkit_e8e78f0")
    }
    assert found == {"paper_v1": (0, 3, 4), "vlmevalkit_e8e78f0": (1, 3, 4)}
    (run,) = set(house.runs()["run"].to_list())
    assert run == "T20260101-000000"


@pytest.mark.slow
def test_a_question_whose_pass_0_is_missing_does_not_count_there(
    house: Warehouse, tmp_path: Path
) -> None:
    rows = [
        {"index": step * 1_000_000 + n, "question": f"q{n}", "A": "a", "B": "b", "answer": "A"}
        for n in (1, 2)
        for step in (0, 1)
    ]
    pl.DataFrame(rows).write_csv(tmp_path / "MMBench_X.tsv", separator="\t")
    house.ingest(tmp_path / "MMBench_X.tsv")
    said = [row | {"prediction": "A", "hint": ""} for row in rows if row["index"] != 2]
    pl.DataFrame(said).write_csv(tmp_path / "m_MMBench_X.tsv", separator="\t")
    house.ingest(tmp_path / "m_MMBench_X.tsv")
    query = "SELECT n, score FROM ability_score WHERE strategy = 'circular'"
    assert house.sql(query).row(0) == (2, 0.5)
    assert house.sql(query, release="vlmevalkit_e8e78f0").row(0) == (1, 1)
    counted = house.sql(
        "SELECT question_key, counted FROM vlmevalkit_0_0_20.question_result "
        "WHERE strategy = 'circular' ORDER BY 1"
    )
    assert counted.rows() == [("1", True), ("2", False)]


@pytest.mark.slow
def test_lower_case_is_pythons(house: Warehouse) -> None:
    """Every character in every place around a final sigma, but for letters newer than Python's."""
    known = [
        chr(n)
        for n in range(1, 0x110000)
        if not 0xD800 <= n < 0xE000 and unicodedata.category(chr(n)) != "Cn"
    ]
    with house.reading() as con:
        for shape in ("{}", "A{}ΣB", "AΣ{}B", "AΣ{}", "{}Σ", "x{}Σ", "AΣ{}Σ"):
            texts = [shape.format(character) for character in known]
            wrong = [
                text
                for start in range(0, len(texts), 50_000)
                for text, lowered in con.execute(
                    "SELECT text, vlmevalkit_0_0_20.python_lower(text) FROM "
                    "(SELECT unnest(?::VARCHAR[]) AS text)",
                    [texts[start : start + 50_000]],
                ).fetchall()
                if text.lower() != lowered
            ]
            assert wrong == [], shape
