"""Two harnesses that number the questions of one dataset in ways of their own."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from evalhouse import InputError, Warehouse
from tests import inspect_logs
from tests.tables import facts


@dataclass(frozen=True)
class Asked:
    """A question as a harness has it: its number there, and what it says."""

    key: str
    text: str
    choices: tuple[str, ...]
    answer: str
    said: str = "A"


ASKED = (
    Asked("241", "What is it?", ("cat", "dog"), "A"),
    Asked("243", "What is it?", ("emu", "dog"), "B", "B"),
    Asked("250", "Which colour?", ("red", "green", "blue"), "C"),
    Asked("251", "How many?", ("2", "4"), "A", "B"),
)


def table(path: Path, asked: Sequence[Asked], *, predictions: bool = True) -> Path:
    """A VLMEvalKit file, of predictions or of questions alone."""
    with path.open("w", newline="") as file:
        names = ["index", "question", "A", "B", "C", "answer"] + ["prediction"] * predictions
        writer = csv.writer(file, delimiter="\t")
        writer.writerow(names)
        for one in asked:
            choices = [*one.choices, "", ""][:3]
            writer.writerow([one.key, one.text, *choices, one.answer] + [one.said] * predictions)
    return path


def log(path: Path, asked: Sequence[Asked]) -> Path:
    """An Inspect log of the same."""
    samples = [
        inspect_logs.sample(one.key, one.said, input=one.text, choices=[*one.choices], target=one.answer)
        for one in asked
    ]  # fmt: skip
    head = inspect_logs.header(dataset={"name": "Own", "sample_ids": [one.key for one in asked]})
    return inspect_logs.write(path, samples, head)


def renumbered(asked: Sequence[Asked], first: int) -> list[Asked]:
    return [replace(one, key=str(number)) for number, one in enumerate(asked, start=first)]


def scored(house: Warehouse) -> list[tuple[object, ...]]:
    return house.sql(
        "SELECT model, question_key, predicted, score FROM pass_result "
        "WHERE judge = 'none' ORDER BY model, question_key"
    ).rows()


@pytest.fixture
def asked(house: Warehouse, tmp_path: Path) -> Warehouse:
    """A warehouse with the questions, under their dataset's own keys."""
    house.ingest(table(tmp_path / "questions.tsv", ASKED, predictions=False), benchmark="Own")
    return house


def test_questions_line_up_by_content_where_keys_differ(asked: Warehouse, tmp_path: Path) -> None:
    asked.ingest(table(tmp_path / "a_own.tsv", ASKED), benchmark="Own", model="one")
    # In another order too, so that no number says which it is.
    numbered = renumbered(ASKED[::-1], 1)
    (report,) = asked.ingest(log(tmp_path / "two.eval", numbered), benchmark="Own", model="two")

    assert any(note.startswith("4 questions have other keys in the dataset") for note in report.notes)  # fmt: skip
    rows = scored(asked)
    assert [row[1:] for row in rows if row[0] == "one"] == [
        row[1:] for row in rows if row[0] == "two"
    ]
    assert asked.sql("SELECT count(*) FROM main.question").item() == 4
    paired = asked.sql(
        "SELECT n, difference FROM paired_difference WHERE model_a = 'one' AND model_b = 'two' "
        "AND level = 'overall' AND judge = 'none' AND strategy = 'vanilla'"
    ).rows()
    assert (4, 0.0) in paired


def test_a_number_that_is_another_question_there_is_not_believed(
    asked: Warehouse, tmp_path: Path
) -> None:
    """Numbers that begin elsewhere: 241 here is 243 there, by text and choices."""
    keys = [one.key for one in ASKED]
    shifted = [replace(one, key=key) for one, key in zip(ASKED[1:], keys, strict=False)]
    asked.ingest(log(tmp_path / "log.eval", shifted), benchmark="Own", model="m")
    assert [row[1:] for row in scored(asked)] == [
        ("241", None, 0.0),
        ("243", "B", 1.0),
        ("250", "A", 0.0),
        ("251", "B", 0.0),
    ]


def test_a_key_holds_where_the_content_only_looks_otherwise(
    asked: Warehouse, tmp_path: Path
) -> None:
    """Texts with a hint, as some harnesses write them, are no other question."""
    hinted = [replace(one, text=f"Hint: look. {one.text}") for one in ASKED[:2]]
    (report,) = asked.ingest(
        table(tmp_path / "m.tsv", [*hinted, *ASKED[2:]]), benchmark="Own", model="m"
    )
    assert any("2 question texts differ" in note for note in report.notes)
    assert [row[1] for row in scored(asked)] == ["241", "243", "250", "251"]


def test_what_is_there_twice_is_not_guessed(house: Warehouse, tmp_path: Path) -> None:
    twins = [replace(ASKED[0], key="1"), replace(ASKED[0], key="2"), *ASKED[2:]]
    house.ingest(table(tmp_path / "questions.tsv", twins, predictions=False), benchmark="Own")
    before = facts(house.path)
    other = [replace(one, key=f"x{one.key}") for one in twins]
    with pytest.raises(InputError, match="question x1 is 2 of them by text and choices"):
        house.ingest(log(tmp_path / "m.eval", other), benchmark="Own", model="m")
    assert facts(house.path) == before


def test_no_key_is_believed_where_most_are_others(asked: Warehouse, tmp_path: Path) -> None:
    """250 is the dataset's, and here a question that the dataset has not."""
    answers = [
        replace(ASKED[0], key="243"),
        replace(ASKED[1], key="241"),
        Asked("250", "Something else?", ("yes", "no"), "A"),
    ]
    before = facts(asked.path)
    with pytest.raises(InputError, match="question 250 is none of them") as caught:
        asked.ingest(log(tmp_path / "m.eval", answers), benchmark="Own", model="m")
    assert caught.value.row == 3
    assert caught.value.field == "id"
    assert facts(asked.path) == before


def test_a_blank_text_is_not_taken_for_what_its_number_says(
    asked: Warehouse, tmp_path: Path
) -> None:
    """Spreadsheets lose cells; elsewhere numbers from 0 are others than the dataset's."""
    answers = [replace(one, key=key) for one, key in zip(ASKED, ("240", "241", "243", "250"), strict=True)]  # fmt: skip
    answers[2] = replace(answers[2], text="")
    before = facts(asked.path)
    with pytest.raises(InputError, match="question 243 is none of them"):
        asked.ingest(table(tmp_path / "m.tsv", answers), benchmark="Own", model="m")
    assert facts(asked.path) == before


def test_twins_are_not_told_apart_by_what_is_left(house: Warehouse, tmp_path: Path) -> None:
    """Two questions of the same words; the file numbers from 0, so that one twin has the other's number."""
    twins = [
        Asked("1", "First?", ("a", "b"), "A"),
        Asked("2", "Second?", ("a", "b"), "A"),
        Asked("3", "What is it?", ("cat", "dog"), "A"),
        Asked("4", "What is it?", ("cat", "dog"), "B"),
    ]
    house.ingest(table(tmp_path / "questions.tsv", twins, predictions=False), benchmark="Own")
    before = facts(house.path)
    with pytest.raises(InputError, match="question 2 is 2 of them"):
        house.ingest(log(tmp_path / "m.eval", renumbered(twins, 0)), benchmark="Own", model="m")
    assert facts(house.path) == before


def test_questions_that_differ_in_their_choices_alone(house: Warehouse, tmp_path: Path) -> None:
    alike = [
        Asked(str(n), "Which one?", (f"this {n}", f"that {n}"), "AB"[n % 2], "AB"[n % 2])
        for n in range(1, 5)
    ]
    house.ingest(table(tmp_path / "questions.tsv", alike, predictions=False), benchmark="Own")
    turned = [replace(one, key=str(5 - int(one.key))) for one in alike]
    house.ingest(log(tmp_path / "m.eval", turned), benchmark="Own", model="m")
    assert [row[1:] for row in scored(house)] == [
        ("1", "B", 1.0), ("2", "A", 1.0), ("3", "B", 1.0), ("4", "A", 1.0)
    ]  # fmt: skip


def test_judgments_come_under_the_keys_of_the_answers_that_they_judge(
    house: Warehouse, tmp_path: Path
) -> None:
    """A harness's verdicts have its own numbers, as its predictions had."""
    unclear = [replace(one, said="hard to say, one or the other") for one in ASKED]
    house.ingest(table(tmp_path / "questions.tsv", unclear, predictions=False), benchmark="Own")
    house.ingest(
        table(tmp_path / "m_Own.tsv", renumbered(unclear, 241)), benchmark="Own", model="m"
    )
    verdicts = [{"index": 241 + n, "verdict": one.answer} for n, one in enumerate(unclear)]
    path = tmp_path / "verdicts.csv"
    path.write_text(
        "question_key,verdict,model,judge\n"
        + "".join(f"{one['index']},{one['verdict']},m,Ann\n" for one in verdicts)
    )
    house.ingest(path, benchmark="Own")
    rows = house.sql(
        "SELECT question_key, resolved_by, score FROM pass_result WHERE judge = 'Ann' ORDER BY 1"
    ).rows()
    assert rows == [(one.key, "judge", 1.0) for one in unclear]

    before = facts(house.path)
    path.write_text("question_key,verdict,model,judge\n250,A,m,Bob\n")
    with pytest.raises(InputError, match="question 250 is none of the file") as caught:
        house.ingest(path, benchmark="Own")
    assert caught.value.field == "question_key"
    assert facts(house.path) == before


def test_choices_in_another_order_are_not_renamed_in_silence(
    asked: Warehouse, tmp_path: Path
) -> None:
    turned = [replace(one, choices=one.choices[::-1]) for one in renumbered(ASKED, 1)]
    before = facts(asked.path)
    with pytest.raises(InputError, match="stand in another order"):
        asked.ingest(log(tmp_path / "m.eval", turned), benchmark="Own", model="m")
    assert facts(asked.path) == before


def test_other_images_are_other_questions(house: Warehouse, tmp_path: Path) -> None:
    """The same words about another picture."""
    image = {"role": "user", "content": [{"type": "image", "image": "data:image/png;base64,AAAA"}]}

    def pictured(key: str, data: str) -> dict[str, object]:
        text = {"type": "text", "text": "What is it?"}
        picture = {"type": "image", "image": f"data:image/png;base64,{data}"}
        return inspect_logs.sample(
            key,
            "A",
            input=[{**image, "content": [picture, text]}],
            choices=["cat", "dog"],
            target="A",
        )

    def read(name: str, samples: list[dict[str, object]]) -> None:
        keys = [sample["id"] for sample in samples]
        head = inspect_logs.header(dataset={"name": "Own", "sample_ids": keys}, model=name)
        house.ingest(inspect_logs.write(tmp_path / f"{name}.eval", samples, head), benchmark="Own")

    read("one", [pictured("a", "AAAA"), pictured("b", "BBBB")])
    read("two", [pictured("y", "BBBB"), pictured("x", "AAAA")])
    assert [row[:2] for row in scored(house)] == [("one", "a"), ("one", "b"), ("two", "a"), ("two", "b")]  # fmt: skip
