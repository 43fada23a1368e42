"""Files of one's own: mixed line ends, columns of other names, and the passes of CircularEval."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import polars as pl
import pytest

from evalhouse import InputError, UsageError, Warehouse
from ingest import rotating
from ingest.settings import read_columns
from tests.tables import facts, write_jsonl

_HEAD = "question_key,question,A,B,C,answer"
_ROWS = ['1,"Which, or ""what""?",cat,dog,emu,A', '2,"two\nlines",a,b,,B', "3,Where?,x,y,z,C"]


def test_lines_of_a_file_may_end_in_several_ways(house: Warehouse, tmp_path: Path) -> None:
    """Put together from parts of other machines, a CSV file is read as one of a single kind of ends."""
    expected = {("1", 'Which, or "what"?'), ("2", "two\nlines"), ("3", "Where?")}
    for n, (one, two) in enumerate(product(["\r\n", "\n", "\r"], repeat=2)):
        path = tmp_path / f"q{n}.csv"
        ends = [one, two, two, one]
        lines = [line + end for line, end in zip([_HEAD, *_ROWS], ends, strict=True)]
        path.write_bytes("".join(lines).encode())
        house.ingest(path, benchmark=f"Own{n}", refresh=False)
        with house.reading() as con:
            rows = con.execute(
                "SELECT q.question_key, q.text FROM main.question AS q JOIN main.dataset USING (dataset_id) "
                f"WHERE name = 'Own{n}'"
            ).fetchall()
        assert set(rows) == expected, (one, two)
    broken = tmp_path / "broken.csv"
    broken.write_bytes(f"{_HEAD}\r\n{_ROWS[0]}\n2,too,few\n".encode())
    with pytest.raises(InputError, match="row 2"):
        house.ingest(broken, benchmark="Broken")


def test_columns_of_other_names_are_remembered(house: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("\n".join([_HEAD.replace("question_key", "id"), *_ROWS]) + "\n")
    (tmp_path / "a.csv").write_text("id,model,response\n1,m,A\n2,m,B\n3,m,A\n")
    (tmp_path / "b.csv").write_text("id,model,response\n1,n,A\n2,n,B\n3,n,C\n")
    column = read_columns(["id=question_key", "response=prediction"])
    house.ingest(tmp_path / "q.csv", benchmark="Own", column=column)
    house.ingest(tmp_path / "a.csv", benchmark="Own", column=column)
    # Said once, it holds for the benchmark.
    house.ingest(tmp_path / "b.csv", benchmark="own")
    (board,) = house.leaderboard("Own", level="overall")
    assert [(line.model, line.cells[0] and line.cells[0].score) for line in board.lines] == [
        ("n", 1.0),
        ("m", pytest.approx(2 / 3)),
    ]
    before = facts(house.path)
    with pytest.raises(InputError):
        house.ingest(tmp_path / "b.csv", benchmark="Else")
    for given, message in (
        ({"key": "question_key"}, "has no column 'key'; it has id, model, response"),
        ({"id": "model"}, "id cannot be read as model: it has both"),
    ):
        with pytest.raises(InputError, match=message):
            house.ingest(tmp_path / "b.csv", benchmark="Own", run="again", column=given)
    assert facts(house.path) == before
    for words in ("id", "id=", "a=x,a=y", "a=x,b=x", "a=image"):
        with pytest.raises(UsageError, match="--column"):
            read_columns([words])


_COLUMN = {"question_id": "question_key", "text": "question", "label": "reference"}
_LABELS = [
    {"question_id": n, "text": f"Is picture {n} dark?", "label": word}
    for n, word in enumerate(["no", "yes", "no"])
]
_LLAVA = {"answer_id": "x", "model_id": "m", "metadata": {}}


def _answers(kind: str, folder: Path) -> tuple[Path, str]:
    """Answers in a known format with a column that the labels call otherwise, and that format."""
    said = [(n, row["text"]) for n, row in enumerate(_LABELS)]
    if kind == "llava":
        rows = [{"question_id": n, "prompt": text, "text": "Yes", **_LLAVA} for n, text in said]
        return write_jsonl(folder / "a.jsonl", rows), "llava_open_answers"
    if kind == "vlmevalkit":
        frame = pl.DataFrame(
            [{"index": n, "question": text, "text": "kept", "label": "kept", "answer": "yes",
              "category": "random", "prediction": "Yes"} for n, text in said]
        )  # fmt: skip
        frame.write_excel(folder / "m_POPE.xlsx")
        return folder / "m_POPE.xlsx", "vlmevalkit_open"
    if kind == "lmms":
        folder = folder / "m"
        folder.mkdir()
        rows = [
            {"doc_id": n, "target": "yes", "filtered_resps": ["Yes"], "label": "kept",
             "doc": {"question_id": n, "question": text, "answer": "yes"}}
            for n, text in said
        ]  # fmt: skip
        return write_jsonl(folder / "20260101_000000_samples_pope.jsonl", rows), "lmms_samples"
    frame = pl.DataFrame(
        [{"question_key": n, "prediction": "Yes", "model": "m", "label": "kept"} for n, _ in said]
    )
    frame.write_csv(folder / "a.csv")
    return folder / "a.csv", "predictions"


@pytest.mark.parametrize("kind", ["llava", "vlmevalkit", "lmms", "ours"])
@pytest.mark.parametrize("at_once", [False, True])
def test_a_column_of_other_names_is_for_files_that_need_it(
    house: Warehouse, tmp_path: Path, kind: str, at_once: bool
) -> None:
    labels = write_jsonl(tmp_path / "q.jsonl", _LABELS)
    path, wanted = _answers(kind, tmp_path)
    if kind == "ours":
        # Nothing of it is right: it says so outright.
        path.write_text(path.read_text().replace("label", "note"))
    if at_once:
        _, report = house.ingest(labels, path, benchmark="POPE", column=_COLUMN)
        # What is said now goes for any file that has the columns and stays what it is.
        assert any("is not applied" in line for line in report.lines())
    else:
        house.ingest(labels, benchmark="POPE", column=_COLUMN, format="questions")
        (report,) = house.ingest(path, benchmark="POPE")
        assert not any("columns" in line for line in report.lines())
    assert report.format == wanted
    assert house.sql("SELECT count(*) FROM main.prediction WHERE text = 'Yes'").item() == 3
    # Also where the format is said, and where a file needs the names it is read under them.
    if kind == "llava" and not at_once:
        again = house.ingest(path, benchmark="POPE", format=wanted, run="again")
        assert again[0].format == wanted
        more = [row | {"question_id": n + 3} for n, row in enumerate(_LABELS)]
        house.ingest(write_jsonl(tmp_path / "q2.jsonl", more), benchmark="POPE", version="2")
        assert house.sql("SELECT count(*) FROM main.reference_answer").item() == 6


def test_the_labels_and_answers_of_one_benchmark(house: Warehouse, shared: Path) -> None:
    field = shared / "field/28-column"
    house.ingest(field / "q.jsonl", benchmark="POPE", column=_COLUMN, format="questions")
    (llava,) = house.ingest(field / "a.jsonl", benchmark="POPE")
    (sheet,) = house.ingest(field / "m3_POPE.xlsx", benchmark="POPE")
    assert (llava.format, sheet.format) == ("llava_open_answers", "vlmevalkit_open")
    with pytest.raises(InputError, match=r"columns are question_id, text, model.*text=prediction"):
        house.ingest(field / "a2.csv", benchmark="POPE")
    house.ingest(field / "a2.csv", benchmark="POPE", column={"text": "prediction"})
    assert house.sql("SELECT count(*) FROM main.prediction").item() == 12


def test_a_misspelt_column_is_an_error_where_it_counts(house: Warehouse, tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text(f"{_HEAD}\n" + "\n".join(_ROWS[:1]) + "\n")
    (tmp_path / "a.csv").write_text("id,model,response,notes\n1,m,A,x\n")
    house.ingest(tmp_path / "q.csv", benchmark="Own")
    for ours in ("prediction", "question_key"):
        with pytest.raises(InputError, match="has no column 'responce'"):
            house.ingest(tmp_path / "a.csv", benchmark="Own", column={"responce": ours})
    # What is said of another file's columns does no harm.
    (report,) = house.ingest(tmp_path / "a.csv", benchmark="Own", column={"text": "question"})
    assert any("text=question is not applied" in line for line in report.lines())


def test_passes_of_circular_eval(house: Warehouse, tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text("\n".join([_HEAD, *_ROWS]) + "\n")
    frame = rotating.passes(path)
    texts = {"1": ["cat", "dog", "emu"], "2": ["a", "b"], "3": ["x", "y", "z"]}
    right = {"1": "cat", "2": "b", "3": "z"}
    expected = []
    for key, choices in texts.items():
        for step in range(len(choices)):
            turned = choices[len(choices) - step :] + choices[: len(choices) - step]
            padded = [*turned, None][:3]
            expected.append((key, step, *padded, "ABC"[turned.index(right[key])]))
    found = frame.select("question_key", "pass", "A", "B", "C", "answer").rows()
    assert [tuple(cell or None if cell != 0 else 0 for cell in row) for row in found] == expected
    written = tmp_path / "passes.csv"
    written.write_text(frame.write_csv())
    (report,) = house.ingest(written, benchmark="Turned")
    assert "8 new passes" in " ".join(report.loaded)
    for text, message in (
        (f"{_HEAD}\n1,Q,a,b,c,D\n", "'D' is none of A, B, C"),
        (f"{_HEAD}\n1,Q,a,,,A\n", "fewer than two choices"),
        (f"pass,{_HEAD}\n0,1,Q,a,b,,A\n", "has a column pass already"),
        ("question_key,question\n1,Q\n", "has no choices"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            rotating.passes(path)
