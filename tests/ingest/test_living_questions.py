"""Questions that change, come and go: `ingest --replace` and `--drop-missing`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import duckdb
import pytest

from evalhouse import Warehouse
from queries import session
from queries.install import LATEST
from tests.houses import QuickHouse
from tests.tables import facts
from warehouse.errors import InputError, UsageError
from warehouse.merge import MergeConflictError

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
    rows = house.sql(
        "SELECT model, ability, score FROM leaderboard WHERE strategy = 'circular' AND average = 'micro' "
        "AND judge = 'none' AND rank_latest IS NOT NULL"
    ).rows()
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


@pytest.mark.slow
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
    assert "1 question that the file does not have stays (such as 3)" in report.notes[0]
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
    with pytest.raises(InputError, match=r"question 3 was dropped by .*; --replace brings it back"):
        rooms.ingest(first)

    # Answers to a dropped question are kept, and count once it is back.
    (report,) = rooms.ingest(tmp_path / "answers.csv", run="again")
    assert "kept without counting: 2 answers to 1 dropped question" in report.notes
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


_SEEN = (
    "answer_sheet",
    "benchmark_score",
    "dataset_summary",
    "leaderboard",
    "refusal_rate",
    "score",
)
_ABOUT_TEXTS = {
    "answer_text", "choice_set", "plain_choice", "said_text", "text_match", "text_reading",
    "question_history", "question_level", "subset_level", "run_stamp",
    # The ability of no question stays in its tree.
    "ability_above", "ability_base", "ability_reach", "ability_tree",
}  # fmt: skip
"""Views of all texts and abilities, of which others take those of questions that count."""


@pytest.mark.slow
@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)])
def test_views_are_as_if_a_dropped_question_had_never_been(
    new_file: Path, rooms: QuickHouse, tmp_path: Path, every: bool
) -> None:
    less = {key: _FIRST[key] for key in ("1", "2")}
    rooms.ingest(_write(tmp_path / "less.csv", less), replace=True, drop_missing=True)
    (tmp_path / "other.duckdb").write_bytes(new_file.read_bytes())
    other = QuickHouse(tmp_path / "other.duckdb")
    other.ingest(_write(tmp_path / "less.csv", less), benchmark="Rooms")
    rows = ["question_key,model,prediction"]
    rows += [f"{key},{m},{said[key]}" for m, said in _ANSWERS.items() for key in less]
    (tmp_path / "few.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    other.ingest(tmp_path / "few.csv", run="answers")
    found: list[dict[str, list[str]]] = []
    for house in (rooms, other):
        with house.reading() as con:
            session.use_release(con)
            listed = session.views_listed(con, LATEST).filter(schema=LATEST)["name"].to_list()
            views = listed if every else _SEEN
            found.append({name: _rows(con, name) for name in views})
    one, two = found
    assert {name for name in one if one[name] != two[name]} - _ABOUT_TEXTS == set()


def _rows(con: duckdb.DuckDBPyConnection, view: str) -> list[str]:
    """The rows of a view, in order, but for when files were read."""
    cursor = con.execute(f"FROM {view}")
    kept = [n for n, column in enumerate(cursor.description or ()) if column[0] != "ingested_at"]
    return sorted(repr([row[n] for n in kept]) for row in cursor.fetchall())


_ROTATED = """question_key,pass,question,A,B,answer,hint
1,0,Which?,cat,dog,A,look
1,1,Which?,dog,cat,B,look
2,0,Whose?,mine,yours,B,
"""


def _rotated(path: Path, *changes: tuple[str, str]) -> Path:
    text = _ROTATED
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.slow
def test_choices_change_as_a_whole(new_file: Path, tmp_path: Path) -> None:
    (tmp_path / "pets.duckdb").write_bytes(new_file.read_bytes())
    house = QuickHouse(tmp_path / "pets.duckdb")
    house.ingest(_rotated(tmp_path / "pets.csv"), benchmark="Pets")
    rows = "question_key,pass,prediction\n1,0,A\n1,1,B\n2,0,the cow\n"
    (tmp_path / "said.csv").write_text(rows, encoding="utf-8")
    house.ingest(tmp_path / "said.csv", model="m")
    before = facts(house.path)
    pass_1 = ("1,1,Which?,dog,cat,B,look\n", "")
    for changes, words, row, field in (
        ([("mine,", "his,")], "says 'his' for choice A of question 2, where the dataset has 'mine'", 3, "A"),
        ([("2,0,Whose", "3,0,Whose")], "has no question 3; --replace adds it", 3, "question_key"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=words) as caught:
            house.ingest(_rotated(tmp_path / "other.csv", *changes))
        assert (caught.value.row, caught.value.field) == (row, field)
    for changes, words in (
        ([("cat,dog", "cat,cow"), pass_1], "lacks its pass 1, which the dataset has"),
        ([("mine,yours,B", "mine,theirs,")], "has no answer to it, where the dataset has B"),
    ):
        with pytest.raises(InputError, match=words) as caught:
            house.ingest(_rotated(tmp_path / "other.csv", *changes), replace=True)
        assert caught.value.field == "A"
    assert facts(house.path) == before

    # Both passes of question 1, in another order; another attribute; the words of question 2.
    changes = [
        ("cat,dog,A,look", "dog,cat,B,see"),
        ("1,1,Which?,dog,cat,B,look", "1,1,Which?,cat,dog,A,see"),
        ("mine,yours", "mine,the cow"),
    ]
    (report,) = house.ingest(_rotated(tmp_path / "other.csv", *changes), replace=True)
    assert report.loaded == ["2 questions changed: 2 sets of choices, 1 answer, 1 attribute"]
    assert "3 answers of 1 run came before a text, choice or image changed" in report.notes[-1]
    assert house.sql(
        "SELECT question_key, pass, answer, predicted, score FROM pass_result ORDER BY ALL"
    ).rows() == [("1", 0, "B", "A", 0.0), ("1", 1, "A", "B", 0.0), ("2", 0, "B", "B", 1.0)]
    assert house.sql("SELECT value FROM main.question_attribute").to_series().to_list() == ["see"]
    (report,) = house.ingest(tmp_path / "pets.csv", replace=True)
    assert house.sql("SELECT sum(score) FROM pass_result").item() == 2
    assert house.check().is_ok


def test_references_change(new_file: Path, tmp_path: Path) -> None:
    (tmp_path / "open.duckdb").write_bytes(new_file.read_bytes())
    house = QuickHouse(tmp_path / "open.duckdb")
    first, second = tmp_path / "one.csv", tmp_path / "two.csv"
    first.write_text("question_key,question,reference\nq1,How many?,two\nq2,Which?,red\n", "utf-8")
    second.write_text(
        "question_key,question,reference\nq1,How many?,three\nq2,Which?,red\n", "utf-8"
    )
    house.ingest(first, benchmark="Words")
    (tmp_path / "said.csv").write_text("question_key,prediction\nq1,three\nq2,red\n", "utf-8")
    house.ingest(tmp_path / "said.csv", model="m")
    right = "SELECT question_key FROM exact_match WHERE score = 1 ORDER BY ALL"
    assert house.sql(right).to_series().to_list() == ["q2"]
    with pytest.raises(InputError, match="--replace takes the file's") as caught:
        house.ingest(second)
    assert (caught.value.row, caught.value.field) == (1, "reference")
    (report,) = house.ingest(second, replace=True)
    assert report.loaded == ["1 question changed: 1 set of references"]
    assert house.sql(right).to_series().to_list() == ["q1", "q2"]
    house.ingest(first, replace=True)
    assert house.sql(right).to_series().to_list() == ["q2"]


def test_a_full_list_is_one_file_of_questions(rooms: QuickHouse, tmp_path: Path) -> None:
    before = facts(rooms.path)
    first, second, answers = (tmp_path / f"{name}.csv" for name in ("first", "second", "answers"))
    with pytest.raises(UsageError, match="--drop-missing goes with --replace"):
        rooms.ingest(second, drop_missing=True)
    with pytest.raises(UsageError, match="--drop-missing is for one file"):
        rooms.ingest(first, second, replace=True, drop_missing=True)
    with pytest.raises(UsageError, match="of all of a dataset's questions, not for predictions"):
        rooms.ingest(answers, replace=True, drop_missing=True)
    # Of other questions it is another dataset's.
    _write(tmp_path / "third.csv", {f"x{key}": question for key, question in _FIRST.items()})
    with pytest.raises(InputError, match="fewer than half"):
        rooms.ingest(tmp_path / "third.csv", benchmark="Rooms", replace=True, drop_missing=True)
    assert facts(rooms.path) == before


@pytest.mark.slow
def test_a_merge_takes_dropped_questions_along(
    new_file: Path, rooms: QuickHouse, tmp_path: Path
) -> None:
    rooms.ingest(tmp_path / "second.csv", replace=True, drop_missing=True)
    (tmp_path / "other.duckdb").write_bytes(new_file.read_bytes())
    other = QuickHouse(tmp_path / "other.duckdb")
    _write(tmp_path / "elsewhere.csv", _FIRST)
    other.ingest(tmp_path / "elsewhere.csv", benchmark="Elsewhere")
    other.merge(rooms.path)
    assert _scores(other) == _oracle(_SECOND)
    assert other.status().dropped.rows() == [("Rooms", 1, "3", str(tmp_path / "second.csv"))]
    assert other.sql("SELECT count(*) FROM question_history").item() == len(
        rooms.sql("FROM question_history")
    )
    assert other.check().is_ok
    # Ids of dropped questions are not given to others.
    other.ingest(tmp_path / "first.csv", benchmark="Rooms", replace=True)
    assert other.check().is_ok
    assert other.status().dropped.is_empty()
    with pytest.raises(MergeConflictError) as caught:
        other.merge(rooms.path)
    assert "question 3 of Rooms: was dropped there" in caught.value.conflicts
