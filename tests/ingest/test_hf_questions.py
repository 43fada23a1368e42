"""Questions as the Hugging Face hub has them: Parquet in parts, with the images inside."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evalhouse import InputError, Warehouse
from tests.tables import facts, write_jsonl

_IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
_BYTES = [name * 5 for name in (b"\x89PNG one", b"\xff\xd8 two", b"\x89PNG three")]


def _write(path: Path, rows: list[dict[str, Any]], **types: pa.DataType) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    inferred = pa.Table.from_pylist(
        [{k: v for k, v in row.items() if k not in types} for row in rows]
    )
    for name, its_type in types.items():
        inferred = inferred.append_column(name, pa.array([row[name] for row in rows], its_type))
    pq.write_table(inferred, path)
    return path


def _mmbench(index: int, image: bytes, **more: Any) -> dict[str, Any]:
    """A row as the hub's copy has it: `nan` where there is nothing."""
    turned = index // 1_000_000
    options = ["cat", "dog", "emu"][turned:] + ["cat", "dog", "emu"][:turned]
    return {
        "index": index,
        "question": f"Q {index % 1_000_000}?",
        "hint": "nan",
        "answer": "ACB"[turned],
        **dict(zip("ABC", options, strict=True)),
        "D": "nan",
        "category": "ocr",
        "image": {"bytes": image, "path": None},
        "source": "web",
        "L2-category": "finegrained_perception (instance-level)",
        "comment": "nan",
        "split": "dev",
        **more,
    }


def _parts(folder: Path) -> list[Path]:
    """Two questions of three passes, cut where the second part has passes of the first one's."""
    rows = [_mmbench(5, _BYTES[0]), _mmbench(7, _BYTES[1])]
    rows += [_mmbench(one + 1_000_000, _BYTES[one == 7]) for one in (5, 7)]
    rows += [_mmbench(one + 2_000_000, _BYTES[one == 7]) for one in (5, 7)] + [
        _mmbench(9, _BYTES[2])
    ]
    data = folder / "MMBench_EN/data"
    return [
        _write(data / f"dev-{number:05d}-of-00002.parquet", part, image=_IMAGE)
        for number, part in enumerate((rows[:3], rows[3:]))
    ]


def test_two_parts_are_one_dataset(
    house: Warehouse, make_house: Callable[[str], Warehouse], tmp_path: Path
) -> None:
    parts = _parts(tmp_path / "lmms-lab")
    first, second = house.ingest(*parts)
    assert "dataset MMBench/dev/en (new)" in first.inferred
    assert "part 2 of 2; the parts are one dataset" in second.notes
    # The same as the benchmark's own file in one piece, images in base64 and empty cells.
    rows = [row for part in parts for row in pq.read_table(part).to_pylist()]
    lines = ["\t".join(name.lower() if "-" in name else name for name in rows[0])]
    for row in rows:
        row["image"] = b64encode(row["image"]["bytes"]).decode()
        lines.append("\t".join("" if cell == "nan" else str(cell) for cell in row.values()))
    whole = tmp_path / "MMBench_DEV_EN.tsv"
    whole.write_text("\n".join(lines), "utf-8")
    other = make_house("other")
    other.ingest(whole)
    queries = {
        "dataset": "SELECT name, version, split, language FROM main.dataset",
        "passes": "SELECT question_key, text, pass, answer, choices, images FROM ("
        "SELECT q.*, p.pass, a.label AS answer, "
        "(SELECT list(label || text ORDER BY ordinal) FROM main.choice AS c "
        "WHERE c.question_id = q.question_id AND c.pass = p.pass) AS choices, "
        "(SELECT list(sha256 ORDER BY ordinal) FROM main.question_image AS i "
        "WHERE i.question_id = q.question_id) AS images "
        "FROM main.question AS q JOIN main.question_pass AS p USING (question_id) "
        "JOIN main.answer AS a USING (question_id, pass)) ORDER BY ALL",
        "attributes": "SELECT question_key, name, value FROM main.question_attribute "
        "JOIN main.question USING (question_id) ORDER BY ALL",
        "abilities": "SELECT question_key, name FROM main.question_ability "
        "JOIN main.ability USING (ability_id) JOIN main.question USING (question_id) ORDER BY ALL",
    }
    for name, sql in queries.items():
        assert house.sql(sql).rows() == other.sql(sql).rows(), name
    assert house.sql(queries["passes"]).height == 7
    stored = {one for (one,) in house.sql("SELECT sha256 FROM main.question_image").rows()}
    assert stored == {sha256(image).hexdigest() for image in _BYTES}
    # Answers find their questions in both parts, and a dataset of parts takes no others.
    answers = [{"question_key": key, "prediction": "A"} for key in ("5", "9")]
    house.ingest(write_jsonl(tmp_path / "m.jsonl", answers), model="m", benchmark="MMBench")
    answers.append({"question_key": "8", "prediction": "A"})
    with pytest.raises(
        InputError, match=r"row 3, field question_key: the dataset has no question 8"
    ):
        house.ingest(write_jsonl(tmp_path / "n.jsonl", answers), model="n", benchmark="MMBench")
    assert house.ingest(*parts)[1].already


def test_the_path_tells_the_dataset(house: Warehouse, tmp_path: Path) -> None:
    cache = tmp_path / f"datasets--lmms-lab--MMBench/snapshots/{'0f' * 20}"
    rows = [_mmbench(1, _BYTES[0])]
    rows[0].pop("split")
    rows[0]["answer"] = "nan"
    inferred = [
        house.ingest(_write(cache / path, rows, image=_IMAGE))[0].inferred[-1]
        for path in (
            "cn/test-00000-of-00001.parquet",
            "cc/test-00000-of-00001.parquet",
            "en/dev-00000-of-00001-0123456789abcdef.parquet",
        )
    ]
    assert inferred == [
        f"dataset MMBench/{name} (new)" for name in ("test/cn", "cc/test", "dev/en")
    ]
    assert house.sql("SELECT count(*) FROM main.answer").item() == 0


def test_several_images_of_a_question(house: Warehouse, tmp_path: Path) -> None:
    rows = [
        {
            "question_id": key,
            "question": f"Q {key}?",
            **{f"choice_{letter}": f"{letter} of {key}" for letter in "abcd"},
            "answer": "B",
            "question_type_id": number,
            "data_id": f"{key}.jpg",
            "data_type": "image",
            "segment": [1, 2],
            "image": [{"bytes": image, "path": None} for image in images],
        }
        for key, number, images in (("101669_1", 1, _BYTES[:2]), ("102_2", 2, _BYTES[2:]))
    ]
    path = tmp_path / "SEED-Bench/data/test-00000-of-00001.parquet"
    (report,) = house.ingest(_write(path, rows, image=pa.list_(_IMAGE)))
    assert "dataset SEED-Bench (new)" in report.inferred
    images = house.sql(
        "SELECT question_key, ordinal, sha256 FROM main.question_image "
        "JOIN main.question USING (question_id) ORDER BY ALL"
    ).rows()
    hashes = [sha256(image).hexdigest() for image in _BYTES]
    assert images == [
        ("101669_1", 0, hashes[0]),
        ("101669_1", 1, hashes[1]),
        ("102_2", 0, hashes[2]),
    ]
    dimensions = house.sql(
        "SELECT name FROM main.question_ability JOIN main.ability USING (ability_id) ORDER BY 1"
    ).rows()
    assert dimensions == [("Instance Identity",), ("Scene Understanding",)]


@pytest.mark.parametrize("capability", ["ocr,math", ["math", "ocr"]])
def test_mmvet(house: Warehouse, tmp_path: Path, capability: object) -> None:
    row = {
        "question_id": "v1_0",
        "question": "What is x?",
        "answer": "-1<AND>-5",
        "image_source": "web",
        "capability": capability,
        "image": {"bytes": _BYTES[0], "path": "v1_0.png"},
    }
    path = tmp_path / "MMVet/data/test-00000-of-00001.parquet"
    (report,) = house.ingest(_write(path, [row], image=_IMAGE))
    assert "dataset MM-Vet (new)" in report.inferred
    abilities = house.sql(
        "SELECT level, name FROM main.question_ability JOIN main.ability USING (ability_id) ORDER BY ALL"
    ).rows()
    assert [level for level, _ in abilities] == ["capability", "capability", "integration"]
    assert (
        house.sql("SELECT sha256 FROM main.question_image").item() == sha256(_BYTES[0]).hexdigest()
    )
    assert house.sql("SELECT name, value FROM main.question_attribute").rows() == [
        ("image_source", "web")
    ]


def test_bad_parts_leave_the_warehouse_as_it_was(house: Warehouse, tmp_path: Path) -> None:
    first, second = _parts(tmp_path / "lmms-lab")
    house.ingest(first)
    before = facts(house.path)

    def refused(path: Path, words: str) -> None:
        with pytest.raises(InputError, match=words):
            house.ingest(path)
        assert facts(house.path) == before

    whole = second.read_bytes()
    second.write_bytes(whole[: len(whole) // 2])
    refused(second, "not a whole Parquet file")
    wrong = [_mmbench(11, _BYTES[0], answer="E")]
    refused(
        _write(second, wrong, image=_IMAGE),
        "row 1, field answer: the answer 'E' of question 11 is none of its choices",
    )
    wrong = [_mmbench(11, _BYTES[0], question=None)]
    refused(_write(second, wrong, image=_IMAGE), "row 1, field question: question 11 has no text")
    # The same part with other content, and another cut of the split, are no further parts.
    other = [_mmbench(21, _BYTES[0]), _mmbench(22, _BYTES[0])]
    refused(_write(first, other, image=_IMAGE), "fewer than half of its questions are those of MMB")
    third = second.with_name("dev-00002-of-00003.parquet")
    refused(_write(third, other, image=_IMAGE), "fewer than half of its questions are those of MMB")
