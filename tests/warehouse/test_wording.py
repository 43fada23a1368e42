"""Numbers with their nouns."""

import re

import pytest

from tests.conftest import ROOT
from warehouse.wording import counted

_NOUNS = (
    "answers|calls|cells|choices|datasets|entries|figures|files|judgments|models|passes|predictions|"
    "questions|records|references|replies|requests|rows|runs|samples|scores|subjects|texts|verdicts"
)
_BARE = re.compile(rf"(?<!of )\{{[^{{}}]*:,\}} (?:{_NOUNS})\b")
"""A number and a plural, unless it is a part of a whole (3 of 1,000 rows)."""
_OF_SEVERAL = {
    # There are several, it is said of a whole or a limit, or it is compared with another number.
    "evalhouse/cli_ingest.py": 5,
    "evalhouse/cli_judge.py": 1,
    "ingest/readers/inspect.py": 1,
    "queries/board.py": 1,
    "queries/confined/worker.py": 1,
    "queries/export/verify.py": 1,
    "queries/render/pairs.py": 3,
    "queries/render/xlsx.py": 1,
    "warehouse/files/unpacked.py": 1,
    "warehouse/parquet.py": 1,
}


@pytest.mark.parametrize(
    ("n", "words", "said"),
    [
        (1, ("row",), "1 row"),
        (0, ("row",), "0 rows"),
        (12345, ("row",), "12,345 rows"),
        (1, ("reply", "replies"), "1 reply"),
        (2, ("question has", "questions have"), "2 questions have"),
    ],
)
def test_one_and_several(n: int, words: tuple[str, ...], said: str) -> None:
    assert counted(n, *words) == said


def test_messages_count_with_it() -> None:
    found = {
        str(path.relative_to(ROOT)): n
        for package in ("evalhouse", "ingest", "judge", "local_models", "queries", "warehouse")
        for path in (ROOT / package).rglob("*.py")
        if (n := len(_BARE.findall(path.read_text(encoding="utf-8"))))
    }
    assert found == _OF_SEVERAL
