"""Questions that stand next to the answers of several models are compared once, with the same result."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalhouse import Warehouse
from ingest.facts import question_facts
from tests.tables import facts

_HEAD = "index\tquestion\tA\tB\tcategory\thint\tanswer\tprediction\n"
_ROWS = [
    "1\tOne?\tx\ty\tadd\tthink\tA",
    "2\tTwo?\tx\ty\tadd\t\tB",
    "3\tThree?\tx\ty\tsub\t\tA",
]


def _file(folder: Path, model: str, rows: list[str], said: str) -> Path:
    path = folder / model / f"{model}_Own.tsv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_HEAD + "".join(f"{row}\t{said}\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether the questions of each file that was loaded had been seen."""
    found: list[bool] = []
    load = question_facts.Questions.load

    def noting(self: question_facts.Questions, con: object, loading: object) -> None:
        found.append(loading.questions_are_seen)  # type: ignore[attr-defined]
        load(self, con, loading)  # type: ignore[arg-type]

    monkeypatch.setattr(question_facts.Questions, "load", noting)
    return found


@pytest.mark.slow
def test_a_folder_is_as_its_files_one_by_one(
    house: Warehouse, tmp_path: Path, compared: list[bool], blank: Path
) -> None:
    """The same, fewer, and more rows; another text; and the same again after that."""
    folder = tmp_path / "out"
    changed = [_ROWS[0], _ROWS[1].replace("Two?", "Deux?"), _ROWS[2]]
    more = [*_ROWS, "4\tFour?\tx\ty\tmul\t\tB"]
    files = [
        _file(folder, name, rows, said)
        for name, rows, said in (
            ("a", _ROWS, "A"), ("b", _ROWS, "B"), ("c", _ROWS[1:], "A"), ("d", changed, "A"),
            ("e", more, "A"), ("f", changed, "B"), ("g", more, "B"), ("h", _ROWS, "C"),
        )
    ]  # fmt: skip
    reports = [one.report for one in house.ingest_many(folder)]
    # What differs is compared, and so is what comes next.
    assert compared == [False, True, True, False, False, False, False, True]
    other = Warehouse(tmp_path / "other.duckdb")
    other.path.write_bytes(blank.read_bytes())
    alone = [report for path in files for report in other.ingest(path)]
    assert not any(compared[8:])
    assert [one.notes for one in reports if one] == [one.notes for one in alone]
    ours, theirs = facts(house.path), facts(other.path)
    for table in ours:
        if table not in ("source", "warehouse_identity"):
            assert ours[table] == theirs[table], table


def test_what_failed_was_not_seen(house: Warehouse, tmp_path: Path, compared: list[bool]) -> None:
    """A file is whole or not there: nor is what was seen of it."""
    folder = tmp_path / "out"
    _file(folder, "a", [_ROWS[0], _ROWS[1].replace("\tB", "\tC")], "A")
    _file(folder, "b", _ROWS[:1], "A")
    outcomes = list(house.ingest_many(folder))
    assert [one.error is None for one in outcomes] == [False, True]
    assert compared == [False, False]
    assert house.sql("SELECT count(*) FROM main.question").item() == 1
