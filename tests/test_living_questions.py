"""Questions that change, come and go: `ingest --replace` and `--drop-missing`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from evalhouse import Warehouse
from tests.houses import QuickHouse
from tests.tables import facts
from warehouse.errors import InputError, UsageError

_ANSWERS = {
    "m": {"1": "B", "2": "A", "3": "C"},
    "n": {"1": "A", "2": "B", "3": "C"},
}
_Question = tuple[str, Mapping[str, str], str, str]
"""Its text, choices, answer and ability."""
_FIRST: dict[str, _Question] = {
    "1": ("What is on the table?", {"A": "pear", "B": "apple", "C": "plum"}, "B", "objects"),
    "2": ("How many chairs?", {"A": "two", "B": "three", "C": "four"}, "A", "counting"),
    "3": ("What does the sign say?", {"A": "stop", "B": "go", "C": "exit"}, "C", "text"),
}
_SECOND: dict[str, _Question] = {
    # Another key; another text and ability; one that is gone; one that is new, of a new ability.
    "1": ("What is on the table?", {"A": "pear", "B": "apple", "C": "plum"}, "A", "objects"),
    "2": ("How many chairs are there?", {"A": "two", "B": "three", "C": "four"}, "A", "text"),
    "4": ("Where is it?", {"A": "here", "B": "there", "C": "away"}, "C", "places"),
}


def _write(path: Path, questions: Mapping[str, _Question]) -> Path:
    lines = ["question_key,question,A,B,C,answer,ability_topic"]
    for key, (text, choices, answer, ability) in questions.items():
        lines.append(",".join((key, text, *choices.values(), answer, ability)))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _oracle(questions: Mapping[str, _Question]) -> dict[tuple[str, str], float]:
    """Each model's share of right answers by ability; a question without an answer is wrong."""
    scores = {}
    for model, said in _ANSWERS.items():
        by_ability: dict[str, list[bool]] = {"Overall": []}
        for key, (_, _, answer, ability) in questions.items():
            is_right = said.get(key) == answer
            by_ability["Overall"].append(is_right)
            by_ability.setdefault(ability, []).append(is_right)
        for ability, rights in by_ability.items():
            scores[model, ability] = sum(rights) / len(rights)
    return scores


def _scores(house: Warehouse) -> dict[tuple[str, str], float]:
    rows = house.sql("SELECT model, ability, score FROM score").rows()
    return {(model, ability): pytest.approx(score) for model, ability, score in rows}


@pytest.fixture
def rooms(new_file: Path, tmp_path: Path) -> QuickHouse:
    (tmp_path / "rooms.duckdb").write_bytes(new_file.read_bytes())
    house = QuickHouse(tmp_path / "rooms.duckdb")
    answers = ["question_key,model,prediction"]
    answers += [f"{key},{m},{text}" for m, said in _ANSWERS.items() for key, text in said.items()]
    (tmp_path / "answers.csv").write_text("\n".join(answers) + "\n", encoding="utf-8")
    _write(tmp_path / "second.csv", _SECOND)
    house.ingest(_write(tmp_path / "first.csv", _FIRST), benchmark="Rooms")
    house.ingest(tmp_path / "answers.csv")
    return house


def test_scores_follow_and_history_stays(rooms: QuickHouse, tmp_path: Path) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    assert _scores(rooms) == _oracle(_FIRST)
    before = facts(rooms.path)
    with pytest.raises(InputError, match="--replace takes the file's") as caught:
        rooms.ingest(second)
    assert (caught.value.row, caught.value.field) == (2, "question")
    assert facts(rooms.path) == before

    (report,) = rooms.ingest(second, replace=True)
    assert report.loaded[0] == "2 questions changed: 1 text, 1 answer, 1 ability; 1 added"
    assert "1 question of the dataset stays that the file does not have" in report.notes[0]
    assert _scores(rooms) == _oracle(_FIRST | _SECOND)
    (report,) = rooms.ingest(second, replace=True)
    assert report.already

    (report,) = rooms.ingest(second, replace=True, drop_missing=True)
    assert report.loaded == ["1 question dropped"]
    assert _scores(rooms) == _oracle(_SECOND)
    assert rooms.status().dropped.rows() == [("Rooms", 1, "3", str(second))]
    changed = facts(rooms.path)
    (report,) = rooms.ingest(second, replace=True, drop_missing=True)
    assert report.already
    assert facts(rooms.path) == changed
    with pytest.raises(InputError, match="question 3 was dropped by .*; --replace brings it back"):
        rooms.ingest(first)

    # Answers to a dropped question are kept, and count once it is back.
    (report,) = rooms.ingest(tmp_path / "answers.csv", run="again")
    assert "2 answers to 1 dropped question are kept and do not count" in report.notes
    assert _scores(rooms) == _oracle(_SECOND)
    assert rooms.check().is_ok

    (report,) = rooms.ingest(first, replace=True, drop_missing=True)
    assert report.loaded == [
        "2 questions changed: 1 text, 1 answer, 1 ability; 1 brought back; 1 dropped"
    ]
    assert _scores(rooms) == _oracle(_FIRST)
    history = rooms.sql(
        "SELECT question_key, fact, value, state, regexp_extract(said_by, '[a-z]+.csv$') "
        "FROM question_history ORDER BY question_key, fact, said_at, state"
    ).rows()
    assert history == [
        ("1", "answer", "B", "superseded", "first.csv"),
        ("1", "answer", "A", "superseded", "second.csv"),
        ("1", "answer", "B", "holds", "first.csv"),
        ("2", "ability", "counting", "superseded", "first.csv"),
        ("2", "ability", "text", "superseded", "second.csv"),
        ("2", "ability", "counting", "holds", "first.csv"),
        ("2", "text", "How many chairs?", "superseded", "first.csv"),
        ("2", "text", "How many chairs are there?", "superseded", "second.csv"),
        ("2", "text", "How many chairs?", "holds", "first.csv"),
        ("3", "dropped", None, "superseded", "second.csv"),
        ("4", "dropped", None, "holds", "first.csv"),
    ]
    # And once more: a list that was read before is news where another one came after it.
    rooms.ingest(second, replace=True, drop_missing=True)
    assert _scores(rooms) == _oracle(_SECOND)
    rooms.ingest(first, replace=True, drop_missing=True)
    assert _scores(rooms) == _oracle(_FIRST)
    assert rooms.check().is_ok


def test_every_view_is_as_if_a_dropped_question_had_never_been(
    new_file: Path, rooms: QuickHouse, tmp_path: Path
) -> None:
    """Of the releases that are frozen too: none looks at a question that is dropped."""
    less = {key: _FIRST[key] for key in ("1", "2")}
    rooms.ingest(_write(tmp_path / "less.csv", less), replace=True, drop_missing=True)
    (tmp_path / "other.duckdb").write_bytes(new_file.read_bytes())
    other = QuickHouse(tmp_path / "other.duckdb")
    other.ingest(_write(tmp_path / "less.csv", less), benchmark="Rooms")
    rows = ["question_key,model,prediction"]
    rows += [
        f"{key},{m},{text}" for m, said in _ANSWERS.items() for key, text in said.items() if key in less
    ]
    (tmp_path / "few.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    other.ingest(tmp_path / "few.csv", run="answers")
    views = rooms.sql("SELECT DISTINCT view_name FROM duckdb_views() WHERE schema_name = 'field_v1'")
    differing = []
    for (name,) in sorted(views.rows()):
        # Ids of questions and abilities are the same here; times and paths are not.
        columns = (
            "* EXCLUDE (ingested_at)"
            if "ingested_at" in rooms.sql(f"FROM {name} LIMIT 0").columns
            else "*"
        )
        one, two = (
            sorted(map(repr, house.sql(f"SELECT {columns} FROM {name}").rows()))
            for house in (rooms, other)
        )
        if one != two:
            differing.append(name)
    assert differing == ["question_history"]
