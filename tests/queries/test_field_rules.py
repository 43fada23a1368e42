"""The rules of the field's benchmarks: as VLMEvalKit's verdicts, as plain Python, and alike on Spark."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlglot import parse_one

from queries import release as releases
from queries.plan import plan
from queries.spark import session
from queries.spark.translate import expand, translator, write
from tests import field_oracle as oracle
from tests.field_runs import FieldRow, field_rows

OURS, PEER = "field_v2", "vlmevalkit_field_e8e78f0"
Score = float | str | None


@pytest.fixture(scope="module")
def con() -> duckdb.DuckDBPyConnection:
    """The macros of both releases, without a warehouse."""
    connection = duckdb.connect()
    for name in (OURS, PEER):
        release = releases.load(name)
        connection.execute(f'CREATE SCHEMA "{name}"')
        for item in plan(release, files=release.macros.values()):
            connection.execute(item.sql)
    return connection


def _scores(
    con: duckdb.DuckDBPyConnection, call: str, rows: Sequence[dict[str, object]]
) -> list[Score]:
    frame = pl.DataFrame(
        list(rows),
        infer_schema_length=None,
        schema_overrides={"answers": pl.List(pl.String)} if "answers" in rows[0] else None,
    )
    con.register("case_row", frame.with_row_index("i").to_arrow())
    found = con.execute(f"SELECT {call} FROM case_row ORDER BY i").fetchall()
    con.unregister("case_row")
    return [score for (score,) in found]


def _is_same(one: Score, other: Score) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) < 1e-9
    return one == other


# The peer's verdicts.

_REFUSALS = (
    "Sorry, I can't help with images of people yet.",
    "I can't process this file.",
    "I'm sorry, but without the image provided",
    "Cannot determine the answer",
)


def _references(text: str) -> list[str]:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return [text]
    return [str(each) for each in value] if isinstance(value, list) else [text]


def _with_answers(row: FieldRow) -> dict[str, object]:
    answers = row.cells.get("answers") or row.cells["answer"]
    return {"text": row.cells["prediction"], "answers": _references(answers)}


def _ocrbench(row: FieldRow) -> dict[str, object]:
    is_math = row.cells["category"] == "Handwritten Mathematical Expression Recognition"
    return {**_with_answers(row), "normaliser": "math" if is_math else "lower"}


def _mvbench(row: FieldRow) -> dict[str, object]:
    options = _references(row.cells["candidates"])
    return {
        "text": row.cells["prediction"],
        "answer": row.cells["answer"],
        "label": chr(ord("A") + options.index(row.cells["answer"])),
        "matched": _match(row.cells["prediction"], options),
    }


def _match(text: str, options: Sequence[str]) -> str | None:
    """The peer's matcher: by label, by a stated answer, by the choice's text."""
    letters = [chr(ord("A") + i) for i in range(len(options))]
    words = text.translate(str.maketrans(dict.fromkeys(".()[],:;!*#{}", " "))).split()
    if "Failed to obtain answer via API" not in text:
        if any(refusal in text for refusal in _REFUSALS):
            return "Z"
        named = [letter for letter in letters if letter in words]
        if len(named) == 1 and words.index(named[0]) > len(words) - 5:
            return named[0]
        if not named and "Z" in words:
            return "Z"
        stated = re.search(r"(?i)answer\s+is\s+\**([ABCD])", text)
        if stated and stated[1].upper() in letters:
            return stated[1].upper()
    if len(text.lower()) > 2 * sum(map(len, options)):
        return None
    inside = [
        letter
        for letter, option in zip(letters, options, strict=True)
        if option.lower() in text.lower()
    ]
    return inside[0] if len(inside) == 1 else None


def _only(
    is_wanted: Callable[[FieldRow], bool], cells: Callable[[FieldRow], dict[str, object]]
) -> Callable[[FieldRow], dict[str, object] | None]:
    return lambda row: cells(row) if is_wanted(row) else None


def _of_text(*names: str) -> Callable[[FieldRow], dict[str, object]]:
    return lambda row: {"text": row.cells["prediction"], **{n: row.cells[n] for n in names}}


def _verdict(row: FieldRow) -> Score:
    return row.verdict


def _said(row: FieldRow) -> Score:
    return {"Yes": "yes", "No": "no", "Unknown": None}[str(row.detail)]


def _counts(row: FieldRow) -> Score:
    """MVBench counts what has no score, or -1, as right."""
    return 0.0 if row.verdict == 0 else 1.0


def _extracted(row: FieldRow) -> dict[str, object]:
    return {
        "text": row.cells["res"],
        "answers": [row.cells["answer"]],
        "kind": row.cells["answer_type"],
    }


NATURAL = (
    "CASE naturalbench_read(text, type) WHEN 'yes' THEN '1' WHEN 'A' THEN '1' WHEN 'no' "
    "THEN '0' WHEN 'B' THEN '0' ELSE '-1' END"
)
PEERS = {
    "POPE": ("yes_no_read(text)", _of_text(), _said),
    "HallusionBench": ("yes_no_read(text)", _of_text(), _said),
    "MME": ("yes_no_read(text)", _of_text(), _said),
    "AMBER": ("yes_no_read(text)", _of_text(), _said),
    "ChartQA_TEST": ("number_score(text, answers, 0.05)", _with_answers, _verdict),
    "DocVQA_VAL": ("anls_score(text, answers)", _with_answers, _verdict),
    "InfoVQA_VAL": ("anls_score(text, answers)", _with_answers, _verdict),
    "TextVQA_VAL": ("vqa_score(text, answers)", _with_answers, _verdict),
    "VizWiz": ("vqa_score(text, answers)", _with_answers, _verdict),
    "OCRVQA_TESTCORE": ("exact_score(text, answers, 'lower')", _with_answers, _verdict),
    "GQA_TestDev_Balanced": ("exact_score(text, answers, 'lower')", _with_answers, _verdict),
    "OCRBench": ("contains_score(text, answers, normaliser)", _ocrbench, _verdict),
    "NaturalBenchDataset": (NATURAL, _of_text("type"), lambda row: row.detail),
    "Video-MME": ("CAST(coalesce(video_choice_read(text) = answer, FALSE) AS DOUBLE)", _of_text("answer"), _verdict),
    "MVBench": ("mvbench_score(text, answer, label, matched)", _mvbench, _counts),
    # What its matcher does not read is a judge's, and wrong without one.
    "MMMU_DEV_VAL": ("coalesce(open_answer_score(text, answers), "
                     "0.0)", _only(lambda row: row.cells["A"] == "nan", _with_answers), _verdict),
    "MathVista_MINI": ("extracted_score(text, answers, kind, "
                       "1)", _only(lambda row: row.cells["question_type"] != "multi_choice", _extracted), _verdict),
}  # fmt: skip


@pytest.mark.parametrize("dataset", PEERS)
def test_the_peers_verdicts(con: duckdb.DuckDBPyConnection, shared: Path, dataset: str) -> None:
    call, cells, wanted = PEERS[dataset]
    stem = "_gpt-4o-mini" if dataset == "MathVista_MINI" else ""
    rows = [
        (row, made)
        for row in field_rows(shared / "formats/vlmevalkit_field", dataset, stem)
        if (made := cells(row)) is not None
    ]
    con.execute(f"SET schema = '{PEER}'")
    found = _scores(con, call, [made for _, made in rows])
    differ = [
        (row.model, row.index, made, wanted(row), score)
        for (row, made), score in zip(rows, found, strict=True)
        if not _is_same(wanted(row), score)
    ]
    assert len(rows) > 30
    assert differ == []


# Plain Python.

_PIECES = st.sampled_from(
    ["yes", "No", "not", "NO.", "Yes,", "the", "A", "an", "B", "is", "answer ", "so ", "=", "none", "Ten", "dont",
     "he's", "1,200", "12", "3.50", "0", "-7", "50%", "$ "
                                                      "5", "1e3", ".5", "7.", "...", "-", "a/b", "!?", "\n", "\t", "é",
     "é", "ß", "İ", "ΟΣ", "１２", "红色", "𝄞", "\u00a0", "\u3000", "_", "''", "I'm sorry, I cannot answer.",
     "Failed to obtain answer via API.", r"\frac{1}{2}", "<none>", "**C**", "(D)"]
)  # fmt: skip
_TEXTS = st.one_of(
    st.lists(_PIECES, max_size=6).map(" ".join),
    st.lists(_PIECES, max_size=4).map("".join),
    st.text(st.characters(max_codepoint=0x2FF, exclude_characters="\x00"), max_size=12),
    st.sampled_from(["", " ", "\n", "nan", "None"]),
    st.decimals(-2000, 2000, places=2).map(str),
    st.integers(-50, 50).map(str),
)


@st.composite
def _case(draw: st.DrawFn) -> dict[str, object]:
    text = draw(_TEXTS)
    near = st.sampled_from([text, text.upper(), f" {text}.", text[1:], text + "s", f"the {text}"])
    return {
        "text": text,
        "answers": draw(st.lists(st.one_of(_TEXTS, near), min_size=1, max_size=10)),
        "kind": draw(st.sampled_from(["integer", "float", "text", "list"])),
        "decimals": draw(st.integers(0, 3)),
    }


RULES: dict[str, Callable[[str, list[str], str, int], Score]] = {
    "yes_no_read(text)": lambda t, a, k, d: oracle.yes_no(t),
    "number_score(text, answers, 0.05)": lambda t, a, k, d: oracle.relaxed(t, a, 0.05),
    "anls_score(text, answers)": lambda t, a, k, d: oracle.anls(t, a),
    "vqa_score(text, answers)": lambda t, a, k, d: oracle.vqa(t, a),
    "exact_score(text, answers, 'lower')": lambda t, a, k, d: oracle.exact(t, a),
    "contains_score(text, answers, 'lower')": lambda t, a, k, d: oracle.contains(t, a, False),
    "contains_score(text, answers, 'math')": lambda t, a, k, d: oracle.contains(t, a, True),
    "open_answer_score(text, answers)": lambda t, a, k, d: oracle.open_answer(t, a),
    "video_choice_read(text)": lambda t, a, k, d: oracle.letter(t, "ABCD"),
    "naturalbench_read(text, 'yes_no')": lambda t, a, k, d: oracle.naturalbench(t, "yes_no"),
    "naturalbench_read(text, 'multiple_choice')": lambda t, a, k, d: oracle.naturalbench(t, "multiple_choice"),
    "extracted_score(text, answers, kind, decimals)": oracle.extracted,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("call", RULES)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(cases=st.lists(_case(), min_size=100, max_size=100))
def test_rules_are_as_plain_python(
    con: duckdb.DuckDBPyConnection, call: str, cases: list[dict[str, object]]
) -> None:
    con.execute(f"SET schema = '{OURS}'")
    found = _scores(con, call, cases)
    for case, score in zip(cases, found, strict=True):
        wanted = RULES[call](case["text"], case["answers"], case["kind"], case["decimals"])  # type: ignore[arg-type]
        assert _is_same(wanted, score), (case, wanted, score)


_MATH = st.sampled_from(
    ["12", "-3.5", "+7", ".5", "0", "1/2", "-3/4", "1/0", r"\frac{1}{2}", r"-\dfrac{3}{4}", r"\tfrac{2}{4}", "0.5",
     "2^{10}", "2^10", "2**10", "1024", "1024.0000001", r"2\times 3", r"2 \cdot 3", "2*3", "6", r"\sqrt{3}", r"16\pi",
     "(1,2)", "x^2+1", "A", "-.75", "7.", "0^2", "@", "|", ""]
)  # fmt: skip
_MATH_TEXTS = st.one_of(
    _MATH,
    *(
        _MATH.map(wrapper.__mod__)
        for wrapper in ("$%s$", r"\(%s\)", r"\boxed{%s}", r"$\boxed{%s}$", r"\left[ %s \right]")
    ),
    _TEXTS,
)


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(
    cases=st.lists(
        st.fixed_dictionaries(
            {"text": _MATH_TEXTS, "answers": st.lists(_MATH_TEXTS, min_size=1, max_size=2)}
        ),
        min_size=100,
        max_size=100,
    )
)
def test_mathematical_answers_are_as_plain_python(
    con: duckdb.DuckDBPyConnection, cases: list[dict[str, object]]
) -> None:
    con.execute(f"SET schema = '{OURS}'")
    for case, score in zip(cases, _scores(con, "math_score(text, answers)", cases), strict=True):
        assert _is_same(oracle.math(case["text"], case["answers"]), score), case  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("call", "said", "ours", "peers"),
    [
        ("pair_part(text, TRUE)", "8 6\nGood.", 0.8, 0.8),
        ("pair_part(text, FALSE)", "8,6.5", 0.65, 0.65),
        ("pair_part(text, FALSE)", "7, 8", None, None),
        ("pair_part(text, FALSE)", "8|6 5", None, None),
        ("points_share(text, 'points_3')", " 2 ", 2 / 3, 2 / 3),
        ("points_share(text, 'points_3')", "4", None, None),
        ("points_share(text, 'points_3')", "2.", None, None),
        # The peer's `if` takes a right 0 for none.
        (
            "extracted_at_once(text, 'integer', extracted_score(text, ['0'], 'integer', 0))",
            "0",
            1.0,
            None,
        ),
        (
            "extracted_at_once(text, 'integer', extracted_score(text, ['5'], 'integer', 0))",
            "7",
            0.0,
            None,
        ),
        (
            "extracted_at_once(text, 'text', extracted_score(text, ['red'], 'text', 0))",
            "Red",
            1.0,
            None,
        ),
        (
            "extracted_at_once(text, 'text', extracted_score(text, ['red'], 'text', 0))",
            "It is red",
            None,
            None,
        ),
        # The peer evaluates the letter A as the name of the other side, and roots not at all.
        ("math_score(text, ['2^{10}'])", "A", None, 1.0),
        ("math_score(text, ['$x$'])", r"\(x\)", 1.0, 0.0),
    ],
)
def test_what_judges_say(
    con: duckdb.DuckDBPyConnection, call: str, said: str, ours: Score, peers: Score
) -> None:
    for name, wanted in ((OURS, ours), (PEER, peers)):
        con.execute(f"SET schema = '{name}'")
        (found,) = _scores(con, call, [{"text": said}])
        assert _is_same(found, wanted), name


# Spark.

ODD_TEXTS = (
    "", " ", "nan", "Yes", "**No**", "Yes, no doubt", "It is not there. Yes", "No.2", "no-one", "Answer:Yes", "１２",
    "1_000", "1,250", "$5", "12%", "20%", "+3", "12.", ".5", "inf", "1e3", "-7", "0.0", "3.14159", "CAFÉ", "Cafe\u0301",
    "naïve ß", "ΟΣ", "İstanbul", "红色的车", "红车", "𝄞𝄞x", "A dog", "(B) because", "Based on A, B", "Best answer:C",
    "dont", "He's ten, none a/b "
            "50-60", "7." * 40 + "a. " * 40, "x\n y\tz", "so 5\nthe answer is 1,200.", "V", "$\\frac{1}{2}$",
    "a;b /c [d] \"e\" {f} "
    "(g)=h+i\\j_k-l>m<n@o`p,q?r!s", "Failed to obtain answer via API.", "\u3000 blank \u00a0", "[1, 2]",
    "8 6\nGood", "7,5", "2", r"\boxed{2^{10}}", "$-\\dfrac{3}{4}$", r"\(2 \times 3\)", "3/4", "1024", "6",
    "".join(map(chr, range(0x4E00, 0x4E00 + 130))), "".join(map(chr, range(0x4E05, 0x4E05 + 135))),
)  # fmt: skip
SPARK_CALLS = (
    "yes_no_read(text)", "number_score(text, answers, 0.05)", "anls_score(text, answers)",
    "character_distance(text, other)", "vqa_plain(text)", "vqa_score(text, answers)",
    "exact_score(text, answers, "
    "'lower')", "exact_score(text, answers, 'plain')", "contains_score(text, answers, 'lower')",
    "contains_score(text, answers, 'math')", "open_answer_score(text, answers)", "video_choice_read(text)",
    "naturalbench_read(text, "
    "'yes_no')", "naturalbench_read(text, 'multiple_choice')", "mvbench_score(text, other, 'B', 'A')",
    "extracted_score(text, answers, 'float', 2)", "extracted_score(text, answers, 'integer', 0)",
    "extracted_score(text, answers, 'list', "
    "0)", "extracted_at_once(text, 'float', extracted_score(text, answers, 'float', 2))",
    "math_score(text, answers)", "math_number(math_core(text))", "pair_part(text, TRUE)", "pair_part(text, FALSE)",
    "points_share(text, 'points_3')",
)  # fmt: skip


def _odd_rows() -> list[dict[str, object]]:
    return [
        {"text": one, "other": other, "answers": [other, *ODD_TEXTS[i % 7 : i % 7 + n]]}
        for i, one in enumerate(ODD_TEXTS)
        for n, other in enumerate(ODD_TEXTS[i % 3 :: 3])
        if n < 12
    ] + [{"text": one, "other": one, "answers": [one, one[:-1], f" {one}"]} for one in ODD_TEXTS]


@pytest.mark.spark
@pytest.mark.parametrize("name", [OURS, PEER])
def test_rules_are_the_same_on_spark(con: duckdb.DuckDBPyConnection, name: str) -> None:
    rows = _odd_rows()
    macros = translator(releases.load(name)).macros
    with session.running() as spark:
        spark.createDataFrame(
            [(i, r["text"], r["other"], r["answers"]) for i, r in enumerate(rows)],
            "i INT, text STRING, other STRING, answers ARRAY<STRING>",
        ).createOrReplaceTempView("case_row")
        con.execute(f"SET schema = '{name}'")
        for call in SPARK_CALLS:
            qualified = re.sub(r"(\w+)\(", r"release.\1(", call)
            query = parse_one(f"SELECT i, {qualified} AS score FROM case_row", read="duckdb")
            rows_there = spark.sql(write(expand(query, macros))).collect()
            found = [row.score for row in sorted(rows_there, key=lambda row: int(row.i))]
            wanted = _scores(con, call, rows)
            differ = [
                (row, one, other)
                for row, one, other in zip(rows, wanted, found, strict=True)
                if not _is_same(one, other)
            ]
            assert differ == [], call


# DuckDB 1.5.

_ASK = """
import duckdb, json, sys
given = json.load(sys.stdin)
con = duckdb.connect()
for statement in given["macros"]:
    con.execute(statement)
con.execute("CREATE TABLE case_row (i INTEGER, text VARCHAR, other VARCHAR, answers VARCHAR[])")
rows = [[i, row["text"], row["other"], row["answers"]] for i, row in enumerate(given["rows"])]
con.executemany("INSERT INTO case_row VALUES (?, ?, ?, ?)", rows)
asked = [f"SELECT {each} FROM case_row ORDER BY i" for each in given["calls"]]
scores = [[score for (score,) in con.execute(query).fetchall()] for query in asked]
print(json.dumps([duckdb.__version__, scores]))
"""


@pytest.mark.engines
@pytest.mark.parametrize("name", [OURS, PEER])
def test_rules_are_the_same_on_duckdb_1_5(con: duckdb.DuckDBPyConnection, name: str) -> None:
    python = os.environ.get("EVALHOUSE_OLDER_PYTHON")
    if not python:
        pytest.skip("needs a Python with duckdb 1.5 in EVALHOUSE_OLDER_PYTHON: `make test-engines`")
    release = releases.load(name)
    macros = [item.sql for item in plan(release, files=release.macros.values())]
    given = {
        "macros": [f'CREATE SCHEMA "{name}"', *macros, f"SET search_path = '{name},main'"],
        "rows": _odd_rows(),
        "calls": SPARK_CALLS,
    }
    done = subprocess.run(
        [python, "-I", "-c", _ASK], input=json.dumps(given), capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    version, found = json.loads(done.stdout)
    assert version.startswith("1.5.")
    con.execute(f"SET schema = '{name}'")
    for call, scores in zip(SPARK_CALLS, found, strict=True):
        assert scores == _scores(con, call, _odd_rows()), call
