"""The hash of a subject: the same in Python and in SQL, and of one content only."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalhouse import UsageError, Warehouse
from warehouse.judges import Judge, register
from warehouse.judgment import choice_extraction_hash

_TEXT = st.text(
    st.one_of(st.sampled_from("',=[]-\x00\"\\ \n𐀀"), st.characters(blacklist_categories=["Cs"])),
    max_size=6,
)
_PARTS = st.tuples(_TEXT, st.dictionaries(st.sampled_from("ABCD="), _TEXT, max_size=3), _TEXT)


@given(_PARTS, _PARTS)
def test_different_subjects_never_share_a_hash(
    one: tuple[str, dict[str, str], str], two: tuple[str, dict[str, str], str]
) -> None:
    assert (choice_extraction_hash(*one) == choice_extraction_hash(*two)) == (one == two)


def test_a_separator_inside_a_text_is_no_separator() -> None:
    one = choice_extraction_hash("q", {"A": "x,42=y"}, "p")
    two = choice_extraction_hash("q", {"A": "x", "B": "y"}, "p")
    assert one != two


def test_sql_and_python_agree(house: Warehouse, tmp_path: Path) -> None:
    nasty = [
        "hm,m",
        "it's",
        'a "b"',
        "x=y]",
        "[",
        "-",
        "ünï𐀀",
        "new\nline",
        "back\\slash",
        "nul\x00",
    ]
    rows = [
        {"question_key": str(n), "question": f"Q{text}", "A": text, "B": f"{text},{text}", "answer": "A"}
        for n, text in enumerate(nasty)
    ]  # fmt: skip
    pl.DataFrame(rows).write_parquet(tmp_path / "q.parquet")
    house.ingest(tmp_path / "q.parquet", benchmark="Own")
    said = [{"question_key": r["question_key"], "prediction": f"maybe {r['A']}"} for r in rows]
    pl.DataFrame(said).write_parquet(tmp_path / "p.parquet")
    house.ingest(tmp_path / "p.parquet", benchmark="Own", model="m")
    found = house.sql(
        "SELECT q.question_key, s.subject_hash FROM subject AS s JOIN main.question AS q USING "
        "(question_id)"
    )
    assert dict(found.iter_rows()) == {
        row["question_key"]: choice_extraction_hash(
            row["question"], {"A": row["A"], "B": row["B"]}, f"maybe {row['A']}"
        )
        for row in rows
    }


def test_a_judges_name_is_its_own(house: Warehouse) -> None:
    with house.writing() as con:
        judge = Judge("J", "choice_extraction", "llm", model="x")
        first = register(con, judge, source_id=1)
        assert register(con, judge, source_id=1) == first
        with pytest.raises(UsageError, match="another judge named 'J'"):
            register(con, Judge("J", "choice_extraction", "llm", model="y"), source_id=1)
        with pytest.raises(UsageError, match="cannot be none"):
            register(con, Judge("none", "choice_extraction", "llm"), source_id=1)
        with pytest.raises(UsageError, match="a task of"):
            register(con, Judge("K", "guessing", "llm"), source_id=1)
