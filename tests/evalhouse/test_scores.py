"""The prompts of local models, and the manifests of images; the models themselves are in test_local_scores."""

from __future__ import annotations

import csv
import io
import json
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import diskcache
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from evalhouse import EvalhouseError, InputError, UsageError, Warehouse
from evalhouse.cli import app
from evalhouse.cli_score import Declared, Target
from local_models import output
from local_models.embeddings import Embeddings, key_of
from local_models.manifest import read_manifest, read_table
from local_models.parts import read_scores
from local_models.prompts import has_pictures, prompt
from local_models.questions import Dataset, Question, find_dataset, read_questions
from tests.conftest import ROOT
from tests.tables import facts, write_jsonl
from warehouse.files.json_cache import CacheError

_IMAGE = b"an image, as far as manifests go"
_DATASET = Dataset(1, "Own/dev", "Own", None, "dev", None)


def run(*words: object) -> str:
    """Run a command in this process; an error that the user can mend is raised."""
    done = CliRunner().invoke(app, list(map(str, words)), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


# What a language model is shown


def question(text: str, *choices: str, components: frozenset[str] = frozenset({"answer"})) -> Question:  # fmt: skip
    return Question("1", 0, text, tuple(zip("ABCD", choices, strict=False)), components)


def test_prompts() -> None:
    item = question("Which?", "a cat ", "a dog")
    assert prompt(item, "content") == "Question: Which?\nAnswer:"
    assert prompt(item, "letter") == "Question: Which?\nA. a cat\nB. a dog\nAnswer:"


@pytest.mark.parametrize(
    ("choices", "expected"),
    [
        (["a.png", "sub/b.JPEG"], True),
        (["a.png", "none of them"], False),
        ([".png", "b.png"], False),
        (['["a.jpg", "b.jpg"]', "c.jpg"], True),
        (['["a.jpg", 1]', "c.jpg"], False),
        (["[]", "c.jpg"], False),
        (["[a.jpg", "c.jpg"], False),
        (["version 1.5", "b.tiff.txt"], False),
    ],
)
def test_choices_that_are_pictures(choices: list[str], expected: bool) -> None:
    assert has_pictures(question("Which?", *choices)) is expected


def test_questions_as_they_stand_in_the_warehouse(house: Warehouse, tmp_path: Path) -> None:
    rows = [
        {"question_key": key, "pass": step, "question": "Which?", "A": one, "B": other, "answer": "A",
         "split": split, **({"hint": "Look up."} if key == "1" else {})}
        for split in ("dev", "test")
        for key in ("2", "1")
        for step, (one, other) in enumerate((("cat", "dog"), ("dog", "cat")))
    ]  # fmt: skip
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="Own")
    with house.reading() as con:
        with pytest.raises(UsageError, match=r"could be of Own/dev, Own/test; say which"):
            find_dataset(con)
        with pytest.raises(UsageError, match=r"no such dataset in the warehouse; it has Own/dev"):
            find_dataset(con, benchmark="Other")
        dev = find_dataset(con, benchmark="own", split="dev")
        assert (dev.name, dev.benchmark, dev.split) == ("Own/dev", "Own", "dev")
        first = read_questions(con, dev, every_pass=False)
        every = read_questions(con, dev, every_pass=True)
    assert [(one.key, one.step, one.text, one.choices) for one in first] == [
        ("2", 0, "Which?", (("A", "cat"), ("B", "dog"))),
        ("1", 0, "Look up.\nWhich?", (("A", "cat"), ("B", "dog"))),
    ]
    assert [(one.key, one.step, one.choices[0][1]) for one in every] == [
        ("2", 0, "cat"), ("2", 1, "dog"), ("1", 0, "cat"), ("1", 1, "dog"),
    ]  # fmt: skip


def test_open_questions_have_no_choices(house: Warehouse, tmp_path: Path) -> None:
    rows = [{"question_key": "1", "question": "What?", "reference": "a cat"}]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="Own")
    with house.reading() as con, pytest.raises(UsageError, match="answered in words"):
        find_dataset(con)


# The commands before any model is loaded


@pytest.fixture
def lab(house: Warehouse, tmp_path: Path) -> Path:
    """A warehouse with two questions, images for both, and manifests."""
    rows = [
        {"question_key": key, "question": "Q", "A": "a.png", "B": "b.png", "answer": "A"}
        for key in "12"
    ]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="Own")
    for name in ("g1.png", "g2.png", "a.png", "b.png"):
        (tmp_path / name).write_bytes(_IMAGE)
    write_jsonl(
        tmp_path / "generated.jsonl",
        [{"question_key": key, "image": f"g{key}.png"} for key in "12"],
    )
    write_jsonl(
        tmp_path / "choices.jsonl",
        [{"question_key": key, "label": label, "image": f"{label.lower()}.png"} for key in "12" for label in "AB"],
    )  # fmt: skip
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--scored", "both"], "--scored is content or letter, not 'both'"),
        (["--reduction", "max"], "--reduction is sum or mean, not 'max'"),
        (["--passes", "1"], "--passes is first or all, not '1'"),
        (["--dtype", "int8"], "--dtype is float32"),
        (["--name", " "], "--name cannot be blank"),
        (["--run", ""], "--run cannot be blank"),
        (["--benchmark", "Other"], "no such dataset"),
        (["-o", "nowhere/x.parquet"], "the folder nowhere does not exist"),
    ],
)
def test_options_of_score_choices(lab: Path, words: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run("score-choices", "--model", "any", "--db", lab / "warehouse.duckdb", *words)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--component", "text"], "--component is answer or image, not 'text'"),
        (["--method", "loglik"], "--method is for the scores of --with FILE"),
        (["--with", "x"], "--with needs --method loglik"),
        (["--with", "x", "--method", "loglik"], "--method loglik needs --reduction sum"),
        (["--with", "x", "--method", "perplexity", "--scored", "letter"], "--scored is for --method loglik"),
        (["--model", " "], "--model cannot be blank"),
        (["--component", "image"], "consists of answer, not of image"),
        (["--split", "dev"], "no such dataset"),
    ],
)  # fmt: skip
def test_options_of_score_images(lab: Path, words: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run(
            "score-images", "--generated", lab / "generated.jsonl", "--choices", lab / "choices.jsonl",
            "--clip", "any", "--model", "m", "--db", lab / "warehouse.duckdb", *words,
        )  # fmt: skip


def test_a_file_or_run_that_is_there_stays(lab: Path, house: Warehouse) -> None:
    file = lab / "any.Own.loglik-content-mean.parquet"
    file.write_bytes(b"mine")
    command = ["score-choices", "--model", "any", "--db", str(house.path)]
    with pytest.raises(UsageError, match="is there already; `ingest` reads it"):
        run(*command)
    assert file.read_bytes() == b"mine"
    scores = [{"question_key": "1", "label": "A", "score": -1, "model": "any"}]
    house.ingest(
        write_jsonl(lab / "s.jsonl", scores), benchmark="Own", run="loglik-content-mean",
        method="loglik", reduction="mean", scored="content",
    )  # fmt: skip
    with pytest.raises(UsageError, match=r"a run loglik-content-mean of any on Own already \(run 1\)"):  # fmt: skip
        run(*command, "-o", lab / "x.parquet")


def test_the_extra_is_named_where_it_is_missing(lab: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    before = facts(lab / "warehouse.duckdb")
    words = (
        r"needs the extra local \((torch|PIL) is not installed\): pip install 'evalhouse\[local\]'"
    )
    with pytest.raises(UsageError, match=f"score-choices {words}"):
        run("score-choices", "--model", "any", "--db", lab / "warehouse.duckdb")
    with pytest.raises(UsageError, match=f"score-images {words}"):
        run(
            "score-images", "--generated", lab / "generated.jsonl", "--choices", lab / "choices.jsonl",
            "--clip", "any", "--model", "m", "--db", lab / "warehouse.duckdb",
        )  # fmt: skip
    assert facts(lab / "warehouse.duckdb") == before
    assert not list(lab.glob("*.parquet"))


# Manifests


_TEXT = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=12).filter(
    lambda text: text.strip() == text
)


@settings(deadline=None, max_examples=50)
@given(
    st.lists(st.tuples(_TEXT, _TEXT), min_size=1, max_size=6),
    st.sampled_from(["csv", "tsv", "json", "jsonl", "parquet"]),
)
def test_a_table_is_the_same_in_every_kind(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]], kind: str
) -> None:
    path = tmp_path_factory.mktemp("tables") / f"t.{kind}"
    rows = [{"question_key": key, "image": image} for key, image in pairs]
    if kind == "parquet":
        pl.DataFrame(rows).write_parquet(path)
    elif kind == "json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    elif kind == "jsonl":
        write_jsonl(path, rows)
    else:
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, ["question_key", "image"], delimiter="," if kind == "csv" else "\t")  # fmt: skip
        writer.writeheader()
        writer.writerows(rows)
        path.write_text(text.getvalue(), encoding="utf-8", newline="")
    table = read_table(path)
    assert table.columns == ("question_key", "image")
    assert [row.cells for row in table.rows] == rows
    assert [row.number for row in table.rows] == list(range(1, len(rows) + 1))


def test_numbers_are_keys_too(tmp_path: Path) -> None:
    frame = pl.DataFrame({"question_key": [1.0, None], "image": ["a", "b"]})
    frame.write_parquet(tmp_path / "t.parquet")
    assert [row.cells["question_key"] for row in read_table(tmp_path / "t.parquet").rows] == ["1", None]  # fmt: skip
    frame.write_excel(tmp_path / "t.xlsx")
    assert [row.cells["question_key"] for row in read_table(tmp_path / "t.xlsx").rows] == ["1", None]  # fmt: skip


def test_two_files(lab: Path) -> None:
    write_jsonl(lab / "one.jsonl", [{"question_key": 1, "image": "g1.png", "model": "m"}])
    found = read_manifest(lab / "one.jsonl", lab / "choices.jsonl")
    assert [(one.question_key, one.model, one.label) for one in found.comparisons] == [
        ("1", "m", "A"),
        ("1", "m", "B"),
    ]
    assert [one.choice.path.name for one in found.comparisons] == ["a.png", "b.png"]
    assert found.unanswered == {"2"}
    named = read_manifest(lab / "generated.jsonl", lab / "choices.jsonl", model="x")
    assert {one.model for one in named.comparisons} == {"x"}
    assert named.unanswered == frozenset()


def test_paths_are_relative_to_the_file_or_to_the_folder(lab: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    moved = write_jsonl(
        folder / "g.jsonl", [{"question_key": "1", "image": "g1.png", "label": "A", "choice_image": str(lab / "a.png")}]
    )  # fmt: skip
    with pytest.raises(InputError, match="no such image file"):
        read_manifest(moved, model="m")
    (one,) = read_manifest(moved, model="m", images=lab).comparisons
    assert (one.generated.path, one.choice.path) == (lab / "g1.png", lab / "a.png")


@dataclass(frozen=True)
class Bad:
    """A manifest that cannot be read, and what the error says."""

    file: str
    content: str | bytes
    row: int | None
    column: str | None
    words: str
    given: dict[str, Any] = field(default_factory=lambda: {"model": "m"})


_HEAD = "question_key,image,label,choice_image\n"
_PAIR = {"model": "m", "choices": "choices.jsonl"}
_BAD = [
    Bad("empty.csv", "", None, None, "the file is empty"),
    Bad("head.csv", _HEAD, None, None, "has no rows"),
    Bad("column.csv", "question_key,label\n1,A\n", 0, "image", "is missing"),
    Bad("one-file.csv", "question_key,image\n1,g1.png\n", 0, "label", "is missing"),
    Bad("model.csv", _HEAD + "1,g1.png,A,a.png\n", 0, "model", "give --model", {}),
    Bad("no-model.jsonl", '{"question_key": 1, "image": "g1.png", "label": "A", "choice_image": '
                          '"a.png", "model": null}', 1, "model", "is empty", {}),
    Bad("key.csv", _HEAD + "1,g1.png,A,a.png\n ,g1.png,A,a.png\n", 2, "question_key", "is empty"),
    Bad("image.csv", _HEAD + "1,,A,a.png\n", 1, "image", "is empty"),
    Bad("gone.csv", _HEAD + "1,g1.png,A,a.png\n2,g3.png,A,a.png\n", 2, "image", "g3.png: no such image file"),
    Bad("folder.csv", _HEAD + "1,.,A,a.png\n", 1, "image", "no such image file"),
    Bad("null.jsonl", '{"question_key": "1", "image": "g1\\u0000.png", "label": "A", '
                      '"choice_image": "a.png"}', 1, "image", "no such image file"),
    Bad("choice.csv", _HEAD + "1,g1.png,A,c.png\n", 1, "choice_image", "c.png: no such image file"),
    Bad("twice.csv", _HEAD + "1,g1.png,A,a.png\n1,g1.png,A,b.png\n", 2, "label", "stands there twice"),
    Bad("other.csv", _HEAD + "1,g1.png,A,a.png\n1,g2.png,B,b.png\n", 2, "image", "another image of m in row 1"),
    Bad("short.csv", _HEAD + "1,g1.png,A,a.png\n1,g1.png\n", 2, None, "has 2 fields where the header names 4"),
    Bad("quotes.csv", _HEAD + '1,"g1.png,A,a.png\n', 1, None, "broken quoting, or cut off"),
    Bad("twins.csv", "image,image\n1,2\n", 0, None, "two columns of one name"),
    Bad("cut.json", '[{"question_key": "1"', None, None, "not valid JSON, or cut off"),
    Bad("cut.jsonl", '{"question_key": "1"}\n{"question', 2, None, "not valid JSON, or cut off"),
    Bad("list.jsonl", '{"question_key": "1"}\n[1]', 2, None, "is not a JSON object"),
    Bad("latin.csv", _HEAD.encode() + b"1,\xe9.png,A,a.png\n", None, None, "is not text in UTF-8"),
    Bad("cut.parquet", b"PAR1\x00\x00", None, None, "not a whole file"),
    Bad("cut.xlsx", b"PK\x03\x04", None, None, "not a whole file"),
    Bad("pair.csv", "question_key,image\n1,g1.png\n1,g2.png\n", 2, "question_key", "question 1 has "
                                                                                   "two images of m", _PAIR),
    Bad("unknown.csv", "question_key,image\n9,g1.png\n", 1, "question_key", "choices.jsonl has no "
                                                                            "image of question 9", _PAIR),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("bad", _BAD, ids=[bad.file for bad in _BAD])
def test_a_manifest_that_cannot_be_read(lab: Path, bad: Bad) -> None:
    path = lab / bad.file
    path.write_bytes(bad.content if isinstance(bad.content, bytes) else bad.content.encode())
    given = {name: lab / value if name == "choices" else value for name, value in bad.given.items()}
    with pytest.raises(InputError) as caught:
        read_manifest(path, **given)
    error = caught.value
    assert (error.path, error.row, error.field) == (str(path), bad.row, bad.column)
    assert bad.words in error.problem


def test_choices_that_cannot_be_read(lab: Path) -> None:
    rows = [{"question_key": "1", "label": "A", "image": "a.png"}] * 2
    choices = write_jsonl(lab / "bad.jsonl", rows)
    with pytest.raises(InputError, match=r"bad.jsonl, row 2, field label: choice A of question 1 stands"):  # fmt: skip
        read_manifest(lab / "generated.jsonl", choices, model="m")
    with pytest.raises(InputError, match=r"nowhere.csv: no such file"):
        read_manifest(lab / "generated.jsonl", lab / "nowhere.csv", model="m")


@pytest.mark.parametrize(
    ("generated", "choices", "message"),
    [
        ({"question_key": "9"}, {"question_key": "9"}, r"generated.jsonl, row 1, field "
                                                       r"question_key: Own has no question 9"),
        ({}, {"label": "C"}, r"choices.jsonl, row 1, field label: 'C' is no choice of question 1"),
    ],
)  # fmt: skip
def test_what_the_dataset_does_not_have(
    lab: Path, generated: dict[str, str], choices: dict[str, str], message: str
) -> None:
    write_jsonl(lab / "generated.jsonl", [{"question_key": "1", "image": "g1.png"} | generated])
    write_jsonl(lab / "choices.jsonl", [{"question_key": "1", "label": "A", "image": "a.png"} | choices])  # fmt: skip
    with pytest.raises(InputError, match=message):
        run(
            "score-images", "--generated", lab / "generated.jsonl", "--choices", lab / "choices.jsonl",
            "--clip", "any", "--model", "m", "--db", lab / "warehouse.duckdb",
        )  # fmt: skip


# Scores of another method in addition


_QUESTIONS = {
    "1": question("One?", "x", "y"),
    "2": question("Two?", "x", "y", components=frozenset({"text", "image"})),
}


def test_scores_that_join_the_images(tmp_path: Path) -> None:
    rows = [
        {"question_key": "1", "label": "A", "score": "-0.5", "pass": 1, "n_tokens": 3},
        {"question_key": "2", "label": "B", "score": -2, "model": "m", "split": "dev"},
    ]
    rows[0]["model"] = "m"
    one, two = read_scores(write_jsonl(tmp_path / "s.jsonl", rows), _QUESTIONS, _DATASET, ["m"])
    assert one == {
        "model": "m", "split": "dev", "question_key": "1", "pass": 1, "sample": 0, "component": "answer",
        "label": "A", "score": -0.5, "n_tokens": 3, "scorer": None,
    }  # fmt: skip
    assert (two["component"], two["pass"], two["score"]) == ("text", 0, -2.0)


@pytest.mark.parametrize(
    ("row", "column", "words"),
    [
        ({"score": "low"}, "score", "'low' is no finite number"),
        ({"score": "NaN"}, "score", "'NaN' is no finite number"),
        ({"score": None}, "score", "is empty"),
        ({"label": ""}, "label", "is empty"),
        ({"pass": "-1"}, "pass", "is no whole number"),
        ({"n_tokens": "2.5"}, "n_tokens", "is no whole number"),
        ({"question_key": "7"}, "question_key", "has no question 7"),
        ({"model": "other"}, "model", "the images are of m, not of other"),
        ({"split": "test"}, "split", "is not that of Own/dev"),
    ],
)
def test_scores_that_cannot_join(
    tmp_path: Path, row: dict[str, object], column: str, words: str
) -> None:
    rows = [{"question_key": "1", "label": "A", "score": -1} | row]
    with pytest.raises(InputError, match=words) as caught:
        read_scores(write_jsonl(tmp_path / "s.jsonl", rows), _QUESTIONS, _DATASET, ["m"])
    assert (caught.value.row, caught.value.field) == (1, column)


def test_a_choice_is_not_scored_twice(lab: Path) -> None:
    rows = [
        {"question_key": "2", "label": "A", "score": 1, "component": "text"},
        {"question_key": "2", "label": "A", "score": 1},
    ]
    with pytest.raises(InputError, match=r"s.jsonl, row 2, field component: the answer of question 2"):  # fmt: skip
        run(
            "score-images", "--generated", lab / "generated.jsonl", "--choices", lab / "choices.jsonl",
            "--clip", "any", "--model", "m", "--db", lab / "warehouse.duckdb",
            "--with", write_jsonl(lab / "s.jsonl", rows), "--method", "perplexity",
        )  # fmt: skip


# Embeddings and files


@settings(deadline=None, max_examples=10)
@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1, max_size=8))
def test_embeddings_come_back_to_the_bit(
    tmp_path_factory: pytest.TempPathFactory, floats: list[float]
) -> None:
    directory = tmp_path_factory.mktemp("cache")
    cache = Embeddings(directory, "clip@1")
    cache.put({"aa": floats})
    assert cache.get(["aa", "bb"]) == {"aa": tuple(floats)}
    cache.close()
    other = Embeddings(directory, "clip@2")
    assert other.get(["aa"]) == {}
    other.close()


def test_a_foreign_embedding_is_refused(tmp_path: Path) -> None:
    for name, value in (
        ("pickled", ["a", "list"]),
        ("shape", '{"float64": "AAAA"}'),
        ("base64", '{"float32": "?"}'),
    ):
        directory = tmp_path / name
        Embeddings(directory, "m").close()
        with diskcache.Cache(str(directory)) as foreign:
            foreign.set(key_of("aa", "m"), value)
        cache = Embeddings(directory, "m")
        with pytest.raises(CacheError, match=str(directory)):
            cache.get(["aa"])
        cache.close()


def test_a_file_of_scores(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    rows = [{"model": "m", "question_key": "1", "label": "A", "score": -1.0}]
    output.write(path, rows, {"wording": "w"})
    assert pl.read_parquet(path).to_dicts() == rows
    assert json.loads(pl.read_parquet_metadata(path)["evalhouse"]) == {"wording": "w"}
    with pytest.raises(EvalhouseError, match="cannot be written"):
        output.write(tmp_path / "gone" / "x.parquet", rows, {})
    assert sorted(tmp_path.iterdir()) == [path]
    name = output.default_path(tmp_path / "w.duckdb", "org/model v1", "SEED-Bench/dev", "r:1")
    assert name == tmp_path / "org-model-v1.SEED-Bench-dev.r-1.parquet"


def test_scores_that_cannot_be_read_in_are_not_lost(
    lab: Path, house: Warehouse, capsys: pytest.CaptureFixture[str]
) -> None:
    """Such as where another process was quicker by then."""
    own = Dataset(1, "Own", "Own", None, None, None)
    file = lab / "my scores.parquet"
    target = Target(house, own, Declared("loglik", "sum", "letter"), "r 1", file, replace=False)
    rows = [{"model": "m", "question_key": "1", "label": "A", "score": -1.0}]
    other = write_jsonl(lab / "s.jsonl", [rows[0] | {"score": -2.0}])
    house.ingest(other, benchmark="Own", run="r 1", method="clip")
    with pytest.raises(InputError, match="there is a run r 1 of m on Own already"):
        target.finish(rows, {}, ingest=True, refresh=True)
    output = capsys.readouterr().out
    _, _, line = output.partition("to read it: ")
    assert line == (
        f"ingest '{file}' --benchmark Own --method loglik --reduction sum --scored letter --run 'r 1'\n"
    )
    run(*shlex.split(line), "--db", house.path, "--replace")
    assert house.sql("SELECT run, method FROM current_run").rows() == [("r 1", "loglik")]


def test_no_package_of_the_lower_ones_knows_another() -> None:
    """local_models depends on warehouse alone."""
    others = ("evalhouse", "ingest", "judge", "queries")
    lines = [
        line
        for file in (ROOT / "local_models").glob("*.py")
        for line in file.read_text("utf-8").splitlines()
    ]
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    assert len(imports) > 20
    assert not [line for line in imports if line.split()[1].split(".")[0] in others]
