"""Named subsets of a dataset: from files, and from what a model answered."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from evalhouse import InputError, UsageError, Warehouse
from evalhouse.cli import app
from queries import answered, session
from tests.tables import facts, write_jsonl
from warehouse import subsets
from warehouse.check import run_checks
from warehouse.connection import transaction
from warehouse.errors import EvalhouseError


@pytest.fixture
def vet(house: Warehouse, tmp_path: Path) -> Warehouse:
    """A warehouse with four open questions."""
    entry = {"question": "What?", "answer": "x", "capability": ["rec"]}
    path = tmp_path / "mm-vet.json"
    path.write_text(json.dumps({f"v1_{n}": entry for n in range(4)}), "utf-8")
    house.ingest(path)
    return house


def _members(house: Warehouse) -> dict[str, list[str]]:
    rows = house.sql(
        "SELECT s.name, list(q.question_key ORDER BY q.question_key) FROM main.dataset_subset AS s "
        "JOIN main.subset_question AS m USING (subset_id) JOIN main.question AS q USING (question_id) "
        "WHERE s.superseded_by IS NULL GROUP BY 1"
    )
    return dict(rows.iter_rows())


def _ids(path: Path, ids: Any) -> Path:
    path.write_text(json.dumps(ids), "utf-8")
    return path


def _run(house: Warehouse, *words: str) -> str:
    result = CliRunner().invoke(app, [*words, "--db", str(house.path)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def test_the_bard_set(house: Warehouse, shared: Path) -> None:
    real = shared / "real/mmvet"
    _, report = house.ingest(real / "mm-vet.json", real / "bard_set.json")
    assert report.format == "subset"
    assert report.loaded == ["subset bard_set of MM-Vet: 168 questions"]
    assert sorted(_members(house)["bard_set"]) == sorted(json.loads((real / "bard_set.json").read_text()))  # fmt: skip
    assert house.ingest(real / "bard_set.json")[0].already
    (report,) = house.ingest(real / "bard_set.json", subset="bard")
    assert report.loaded == ["subset bard of MM-Vet: 168 questions"]
    with house.reading() as con:
        assert [finding for finding in run_checks(con) if finding.n] == []
        assert subsets.names(con, 1) == ("bard", "bard_set")


def test_several_subsets_in_a_table(vet: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "sets.csv"
    path.write_text("question_key,subset\nv1_0,even\nv1_1,odd\nv1_2,even\n", "utf-8")
    (report,) = vet.ingest(path)
    assert report.loaded == [
        "subset even of MM-Vet: 2 questions",
        "subset odd of MM-Vet: 1 question",
    ]
    assert _members(vet) == {"even": ["v1_0", "v1_2"], "odd": ["v1_1"]}
    other = tmp_path / "copy.csv"
    other.write_text("question_key,subset\nv1_1,odd\n", "utf-8")
    (report,) = vet.ingest(other)
    assert report.notes == ["MM-Vet has the subset odd with the same questions already"]


def test_subsets_of_two_splits(house: Warehouse, tmp_path: Path) -> None:
    row = {"question_key": 1, "question": "q", "A": "a", "B": "b", "answer": "A"}
    rows = [row | {"split": split} for split in ("dev", "test")]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="Own")
    with pytest.raises(InputError, match="could be of Own/dev, Own/test; say which with --split"):
        house.ingest(_ids(tmp_path / "one.json", [1]), benchmark="Own")
    house.ingest(_ids(tmp_path / "one.json", [1]), benchmark="Own", split="dev")
    both = write_jsonl(
        tmp_path / "two.jsonl", [{"question_key": "1", "split": s} for s in ("dev", "test")]
    )
    house.ingest(both, benchmark="Own")
    rows_ = house.sql(
        "SELECT s.name, d.split FROM main.dataset_subset AS s JOIN main.dataset AS d USING "
        "(dataset_id) ORDER BY ALL"
    )
    assert rows_.rows() == [("one", "dev"), ("two", "dev"), ("two", "test")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "flags", "row", "field", "words"),
    [
        (["v1_0", "v1_9"], {}, 2, "question_key", "no question v1_9"),
        (["v1_0", "v1_1", "v1_0"], {}, 3, "question_key", "question v1_0 stands in rows 1 and 3 with the same value"),
        (["v1_0", ""], {}, 2, "question_key", "is empty"),
        (["v1_0", None], {}, 2, None, "is no id"),
        (["v1_0", True], {}, 2, None, "is no id"),
        (["v1_0"], {"subset": "All"}, 1, "subset", "'All' is the whole dataset"),
        (["v1_0"], {"subset": "taken"}, 1, "subset", "a subset taken with 2 questions already"),
        (["v1_0"], {"subset": "Taken"}, 1, "subset", "--replace supersedes it"),
        (["v1_0"], {"benchmark": "MMBench"}, None, None, "ingest its question file first"),
        ([], {}, None, None, ""),
    ],
)  # fmt: skip
def test_bad_subsets(
    vet: Warehouse, tmp_path: Path, content: Any, flags: Any, row: Any, field: Any, words: str
) -> None:
    vet.ingest(_ids(tmp_path / "taken.json", ["v1_0", "v1_3"]))
    before = facts(vet.path)
    with pytest.raises(InputError) as caught:
        vet.ingest(_ids(tmp_path / "set.json", content), **flags)
    assert words in str(caught.value)
    assert (caught.value.row, caught.value.field) == (row, field)
    assert facts(vet.path) == before


def test_bad_tables_of_subsets(vet: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "sets.csv"
    path.write_text("question_key,subset\nv1_0,one\nv1_1,\n", "utf-8")
    before = facts(vet.path)
    with pytest.raises(InputError) as caught:
        vet.ingest(path)
    assert (caught.value.row, caught.value.field) == (2, "subset")
    with pytest.raises(InputError, match="names the subsets itself"):
        vet.ingest(path, subset="one")
    with pytest.raises(UsageError, match="--subset is for files of ids, not for mmvet_answers"):
        vet.ingest(_ids(tmp_path / "said.json", {"v1_0": "x"}), subset="one")
    path.write_text("question_key,subset\nv1_0,one\nv1_0,one\n", "utf-8")
    (report,) = vet.ingest(path, on_duplicate="first")
    assert report.notes[0].startswith("1 duplicate row left out")
    path.unlink()
    after = facts(vet.path)
    assert {name for name in before if before[name] != after[name]} == {
        "source",
        "dataset_subset",
        "subset_question",
    }


def test_a_subset_that_takes_anothers_place(vet: Warehouse, tmp_path: Path) -> None:
    vet.ingest(_ids(tmp_path / "small.json", ["v1_0"]))
    vet.ingest(_ids(tmp_path / "new.json", ["v1_1", "v1_2"]), subset="small", replace=True)
    assert _members(vet) == {"small": ["v1_1", "v1_2"]}
    rows = vet.sql("SELECT subset_id, superseded_by IS NULL FROM main.dataset_subset ORDER BY 1")
    assert rows.rows() == [(1, False), (2, True)]
    # And back again: the first file is no longer what holds.
    (report,) = vet.ingest(tmp_path / "small.json", replace=True)
    assert not report.already
    assert _members(vet) == {"small": ["v1_0"]}
    with vet.reading() as con:
        assert [finding for finding in run_checks(con) if finding.n] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "check"),
    [
        ("INSERT INTO main.subset_question SELECT * FROM main.subset_question", "duplicate_keys"),
        ("INSERT INTO main.dataset_subset VALUES (9, 1, 'Small', 1, NULL)", "duplicate_keys"),
        ("INSERT INTO main.dataset_subset VALUES (9, 1, 'empty', 1, NULL)", "foreign_subset_questions"),
        ("UPDATE main.dataset_subset SET dataset_id = 9", "foreign_subset_questions"),
        ("UPDATE main.dataset_subset SET superseded_by = 99", "dangling_references"),
        ("UPDATE main.dataset_subset SET name = 'all'", "unknown_words"),
        ("INSERT INTO main.question_component VALUES (1, 'sound', 1)", "unknown_words"),
        ("INSERT INTO main.question_component VALUES (99, 'text', 1)", "dangling_references"),
        ("INSERT INTO main.question_component SELECT 1, 'text', 1 FROM range(2)", "duplicate_keys"),
        ("INSERT INTO main.choice_score VALUES (1, 1, 0, 0, 'image', 'A', 1, NULL, NULL)", "foreign_components"),
        ("INSERT INTO main.ability_part VALUES (1, 999, 1)", "dangling_references"),
    ],
)  # fmt: skip
def test_check_finds_damage(vet: Warehouse, tmp_path: Path, damage: str, check: str) -> None:
    vet.ingest(_ids(tmp_path / "small.json", ["v1_0"]))
    with vet.writing() as con:
        con.execute(damage)
    with vet.reading() as con:
        assert check in {finding.check for finding in run_checks(con) if finding.n}


# What a model answered.


def _said(house: Warehouse, tmp_path: Path, **said: str | None) -> None:
    rows = [{"question_key": key, "prediction": text} for key, text in said.items()]
    rows.append({"question_key": "v1_3", "prediction": "x", "failed": True})
    house.ingest(write_jsonl(tmp_path / "said.jsonl", rows), model="bard")


def test_what_a_model_answered(vet: Warehouse, tmp_path: Path) -> None:
    _said(vet, tmp_path, v1_0="a cat", v1_1=" \n", v1_2="a dog")
    printed = _run(vet, "subsets", "add", "bard", "--benchmark", "mm-vet", "--answered-by", "bard")
    assert printed.startswith("bard (said) answered 2 of 4 questions; 1 missing, 1 blank")
    assert _members(vet) == {"bard": ["v1_0", "v1_2"]}
    source = vet.sql("SELECT path, format, flags, n_rows FROM main.source ORDER BY source_id").rows()[-1]  # fmt: skip
    assert (source[0], source[1], source[3]) == ("evalhouse:subsets add", "answered_questions", 2)
    flags = json.loads(source[2])
    assert (flags["subset"], flags["model"], flags["run"], flags["n_blank"]) == ("bard", "bard", "said", 1)  # fmt: skip
    before = facts(vet.path)
    again = _run(vet, "subsets", "add", "bard", "--benchmark", "MM-Vet", "--answered-by", "bard")
    assert "there already, with the same questions" in again
    assert facts(vet.path) == before
    for command in (["subsets", "list"], ["status"]):
        listed = _run(vet, *command)
        assert "answered by bard, said" in listed


def test_refusals_are_no_answers(vet: Warehouse, tmp_path: Path) -> None:
    """With whatever view of refusals the release has, a row a refusal or a row an answer."""
    _said(vet, tmp_path, v1_0="a cat", v1_1="no way", v1_2="a dog")
    every = "SELECT run_id, question_id, sample, text = 'no way' AS is_refusal FROM main.prediction"
    refused = f"SELECT run_id, question_id, sample FROM ({every}) WHERE is_refusal"
    vet.refresh()
    for view in (refused, every):
        with vet.writing() as con:
            con.execute("DROP VIEW IF EXISTS latest.refusal")
            con.execute(f"CREATE VIEW latest.refusal AS {view}")
            session.use_release(con)
            found = answered.find(con, "bard", benchmark="MM-Vet")
        assert (found.n_refused, found.n_missing, len(found.question_ids)) == (1, 1, 2)
    _run(vet, "subsets", "add", "kind", "--benchmark", "MM-Vet", "--answered-by", "bard")
    assert _members(vet) == {"kind": ["v1_0", "v1_2"]}


def test_what_a_model_answered_by_choice(house: Warehouse, tmp_path: Path) -> None:
    row = {"question": "q", "A": "a", "B": "b", "answer": "A"}
    questions = [row | {"question_key": n, "split": split} for n in range(3) for split in ("dev", "test")]  # fmt: skip
    house.ingest(write_jsonl(tmp_path / "q.jsonl", questions), benchmark="Own")
    for split in ("dev", "test"):
        said = [{"question_key": n, "prediction": text} for n, text in enumerate(["A", "hm"])]
        house.ingest(write_jsonl(tmp_path / "said.jsonl", said), benchmark="Own", model="m", split=split)  # fmt: skip
    scores = [
        {"question_key": key, "label": label, "score": 1}
        for key, label in ((0, "A"), (0, "B"), (1, "A"))
    ]
    house.ingest(
        write_jsonl(tmp_path / "scores.jsonl", scores),
        benchmark="Own",
        split="dev",
        model="s",
        method="clip",
    )

    def found(model: str, **flags: Any) -> answered.Answered:
        with house.reading() as con:
            session.use_release(con)
            return answered.find(con, model, benchmark="own", **flags)

    with pytest.raises(UsageError, match="has runs on Own/dev, Own/test; say which"):
        found("m")
    assert (len(found("m", split="dev").question_ids), found("m", split="dev").n_missing) == (2, 1)
    assert (len(found("s").question_ids), found("s").n_missing) == (1, 2)
    with pytest.raises(UsageError, match="no model 'x'"):
        found("x")
    with pytest.raises(UsageError, match="no run of 'm' on 'own' fits"):
        found("m", run="other")


def test_a_run_that_is_not_computed_has_answered_nothing_yet(
    vet: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too many answers to be computed next to the file: none of them is taken for missing."""
    rows = [{"question_key": "v1_0", "prediction": "a cat"}]
    file = write_jsonl(tmp_path / "late.jsonl", rows)
    vet.ingest(file, benchmark="MM-Vet", model="late", refresh=False)
    monkeypatch.setattr(session, "MOST_ATTACHED", 0)
    with vet.writing() as con:
        session.use_release(con)
        with pytest.raises(
            UsageError, match=r"the results of late on .* are out of date; `evalhouse refresh`"
        ):
            answered.find(con, "late", benchmark="MM-Vet")
        monkeypatch.undo()
        session.use_release(con)
        assert len(answered.find(con, "late", benchmark="MM-Vet").question_ids) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", [" ", "ALL", "taken"])
def test_names_that_cannot_be(vet: Warehouse, tmp_path: Path, name: str) -> None:
    vet.ingest(_ids(tmp_path / "taken.json", ["v1_0"]))
    _said(vet, tmp_path, v1_1="a cat")
    before = facts(vet.path)
    with pytest.raises(EvalhouseError):
        _run(vet, "subsets", "add", name, "--benchmark", "MM-Vet", "--answered-by", "bard")
    assert facts(vet.path) == before


def test_an_empty_set(make_house: Callable[[str], Warehouse]) -> None:
    with (
        make_house("empty").writing() as con,
        transaction(con),
        pytest.raises(UsageError, match="no questions"),
    ):
        subsets.create(con, "none", 1, [], source_id=1)
