"""Columns of a file's own that are called like something of ours: kept, and nothing else changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from evalhouse import InputError, Warehouse
from tests.tables import write_jsonl

_OURS = {
    name: ["x", "y", "z"]
    for name in ("texts", "number", "numbers", "place", "places", "row", "key", "step", "r", "n", "s")
}  # fmt: skip
_CHOICES = {"question_key": "1", "question": "Q", "choices": ["cat", "dog"], "answer": "B"}


def _kept(house: Warehouse) -> set[str]:
    return set(house.sql("SELECT DISTINCT name FROM main.question_attribute").to_series())


def _choices(house: Warehouse) -> list[tuple[Any, ...]]:
    return house.sql("SELECT label, text FROM main.choice ORDER BY label").rows()


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_choices(house: Warehouse, tmp_path: Path, suffix: str) -> None:
    path = write_jsonl(tmp_path / "own.jsonl", [_CHOICES | _OURS])
    if suffix == "parquet":
        pl.DataFrame([_CHOICES | _OURS]).write_parquet(path := tmp_path / "own.parquet")
    house.ingest(path, benchmark="Own")
    assert _choices(house) == [("A", "cat"), ("B", "dog")]
    assert _kept(house) == set(_OURS)


def test_components(house: Warehouse, tmp_path: Path) -> None:
    question = _CHOICES | {"components": ["text", "image"]} | _OURS
    house.ingest(write_jsonl(tmp_path / "own.jsonl", [question]), benchmark="Own")
    assert house.sql("SELECT count(*) FROM main.question_component").item() == 2


@pytest.mark.parametrize("references", [{"references": ["cat", "dog"]}, {"reference": "cat"}])
def test_references(house: Warehouse, tmp_path: Path, references: dict[str, Any]) -> None:
    question = {"question_key": "1", "question": "Q"} | references
    house.ingest(write_jsonl(tmp_path / "own.jsonl", [question | _OURS]), benchmark="Own")
    found = house.sql("SELECT text FROM main.reference_answer ORDER BY ordinal").to_series()
    assert found.to_list() == ["cat", "dog"][: len(found)]
    assert len(found) == len(references.get("references", ["cat"]))
    assert _kept(house) == set(_OURS)


def test_the_options_of_llava(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(write_jsonl(tmp_path / "own.jsonl", [_CHOICES]), benchmark="Own")
    said = {"question_id": 1, "round_id": 0, "text": "B", "model_id": "m", "options": ["cat", "dog"]}  # fmt: skip
    house.ingest(write_jsonl(tmp_path / "said.jsonl", [said | _OURS]), benchmark="Own")
    assert house.sql("SELECT predicted FROM pass_result").item() == "B"
    # Ours are compared, not those that are called so.
    turned = write_jsonl(tmp_path / "turned.jsonl", [said | {"options": ["dog", "cat"]} | _OURS])
    with pytest.raises(InputError, match="another order"):
        house.ingest(turned, benchmark="Own")
    broken = write_jsonl(tmp_path / "broken.jsonl", [said, said | {"options": "cat"}])
    with pytest.raises(InputError, match="row 2, field options: 'cat' is no JSON array"):
        house.ingest(broken, benchmark="Own")


def test_llava_answers_without_a_model(house: Warehouse, tmp_path: Path) -> None:
    house.ingest(write_jsonl(tmp_path / "own.jsonl", [_CHOICES]), benchmark="Own")
    said = write_jsonl(tmp_path / "said.jsonl", [{"question_id": 1, "round_id": 0, "text": "B"}])
    with pytest.raises(InputError, match="does not name the model; give it with --model"):
        house.ingest(said, benchmark="Own")
    assert house.ingest(said, benchmark="Own", model="m")[0].models == ["m"]


@pytest.mark.parametrize("name", ["__row", "__number", "__Key", "__pass"])
def test_names_that_no_file_can_have(house: Warehouse, tmp_path: Path, name: str) -> None:
    path = tmp_path / "own.csv"
    path.write_text(f"index,question,A,B,prediction,{name}\n1,Q,cat,dog,A,x\n", "utf-8")
    with pytest.raises(InputError, match=f"header, field {name}: cannot be a column's name here"):
        house.ingest(path, benchmark="Own")
