"""`score-choices` and `score-images` with real libraries, against what the models say one by one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

from evalhouse import InputError, UsageError, Warehouse
from evalhouse.cli import app
from local_models import image_model
from local_models.choices import Outcome, score_choices
from local_models.language_model import LanguageModel
from local_models.prompts import prompt
from local_models.questions import Question
from tests.local_models import smollm2, tiny_causal, tiny_clip, tiny_t5
from tests.tables import write_jsonl
from warehouse.files.weights import model_name

pytestmark = pytest.mark.local

_QUESTIONS = [
    ("What is the capital of France?", ["Rome", "Paris", "New York City", "the city of Berlin"], "B"),
    ("Which animal barks?", ["A dog.", "A cat.", "No animal at all does", "猫"], "A"),
    ("Grass is …", ["red", "green", "3", "I'm not sure"], "B"),
    ("The picture shows a long street with many houses, some of them red and some blue. How many?",
     ["8", "108", "more than a thousand", "<|im_end|>"], "A"),
]  # fmt: skip
_ANSWER = frozenset({"answer"})


def questions() -> list[Question]:
    return [
        Question(str(n), 0, text, tuple(zip("ABCD", choices, strict=False)), _ANSWER)
        for n, (text, choices, _) in enumerate(_QUESTIONS)
    ]


def score(model: LanguageModel, inputs: list[Question], **changed: Any) -> Outcome:
    return score_choices(
        inputs, model, **({"scored": "content", "reduction": "sum", "batch_size": 3} | changed)
    )


def run(*words: object) -> str:
    """Run a command in this process; an error that the user can mend is raised."""
    done = CliRunner().invoke(app, list(map(str, words)), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture(scope="module")
def gguf() -> Path:
    return smollm2()


@pytest.fixture(scope="module")
def real(gguf: Path) -> LanguageModel:
    return LanguageModel(str(gguf), device="cpu")


@pytest.fixture(scope="module")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_causal(tmp_path_factory.mktemp("causal"))


@pytest.fixture(scope="module")
def t5_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_t5(tmp_path_factory.mktemp("t5"))


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_clip(tmp_path_factory.mktemp("clip") / "tiny-clip")


@pytest.mark.parametrize("scored", ["content", "letter"])
@pytest.mark.parametrize("reduction", ["sum", "mean"])
def test_a_real_model_against_transformers_one_choice_at_a_time(
    real: LanguageModel, scored: str, reduction: str
) -> None:
    """Tokenised, padded and batched by us; and by nobody, one by one."""
    import torch

    tokenizer, model = real._tokenizer, real._model
    found = score(real, questions(), scored=scored, reduction=reduction)
    expected = []
    for n, (text, choices, _) in enumerate(_QUESTIONS):
        before = f"Question: {text}\nAnswer:"
        if scored == "letter":
            listed = "\n".join(
                f"{label}. {choice}" for label, choice in zip("ABCD", choices, strict=False)
            )
            before = f"Question: {text}\n{listed}\nAnswer:"
        for label, choice in zip("ABCD", choices, strict=False):
            after = f" {label if scored == 'letter' else choice}"
            start = tokenizer(before, split_special_tokens=True)["input_ids"]
            whole = tokenizer(before + after, split_special_tokens=True)["input_ids"]
            assert whole[: len(start)] == start
            with torch.inference_mode():
                logs = model(torch.tensor([whole])).logits[0].log_softmax(-1)
            values = [float(logs[at - 1, whole[at]]) for at in range(len(start), len(whole))]
            total = sum(values) / (len(values) if reduction == "mean" else 1)
            expected.append((str(n), label, len(values), total))
    assert [(one.question_key, one.label, one.n_tokens) for one in found.scores] == [
        row[:3] for row in expected
    ]
    assert [one.score for one in found.scores] == pytest.approx([row[3] for row in expected], abs=1e-4)  # fmt: skip
    assert len({round(value, 3) for *_, value in expected}) > 12
    assert (found.skipped, found.n_blank, found.n_tied) == ({}, 0, 0)


@pytest.mark.parametrize("scored", ["content", "letter"])
def test_the_batch_size_changes_nothing(real: LanguageModel, scored: str) -> None:
    one, *others = (
        [row.score for row in score(real, questions(), scored=scored, batch_size=size).scores]
        for size in (1, 3, 16)
    )
    for other in others:
        assert other == pytest.approx(one, abs=1e-4)


def test_a_token_across_the_boundary_is_the_choices_and_no_mark_is_scored(
    tiny_folder: Path,
) -> None:
    """ ": " is one token; the prompt alone ends in ":". <s> is before everything, </s> nowhere."""
    model = LanguageModel(str(tiny_folder), device="cpu")
    ids = model._tokenizer.convert_tokens_to_ids
    (cat,) = model.encode("Answer:", ["cat"])
    assert cat.targets == tuple(ids([": ", "c", "a", "t"]))
    assert cat.decoder == tuple(ids(["<s>", *"Answer", ": ", "c", "a"]))
    # The mark is spelt in letters, and not read as one.
    (spelt,) = model.encode("Answer:", ["</s>"])
    assert spelt.targets == tuple(ids([": ", "<", "/", "s", ">"]))


def test_a_causal_model_that_is_all_characters(tiny_folder: Path) -> None:
    import torch

    model = LanguageModel(str(tiny_folder), device="cpu")
    ids = model._tokenizer.convert_tokens_to_ids
    found = score(model, questions()[:1], batch_size=2)
    for (_, choice), one in zip(questions()[0].choices, found.scores, strict=True):
        start = ids(["<s>", *"Question", ": ", *"What is the capital of France?\nAnswer"])
        end = ids([": ", *choice])
        with torch.inference_mode():
            logs = model._model(torch.tensor([start + end])).logits[0].log_softmax(-1)
        expected = sum(float(logs[len(start) + n - 1, token]) for n, token in enumerate(end))
        assert one.score == pytest.approx(expected, abs=1e-4)
        assert one.n_tokens == len(end)


def test_an_encoder_decoder(t5_folder: Path) -> None:
    """The prompt with EOS goes in; the choice's words are scored after the start token, EOS is not."""
    import torch

    model = LanguageModel(str(t5_folder), device="cpu")
    assert model.is_encoder_decoder
    choices = (("A", "cat"), ("B", "the deep blue dog"), ("C", "cow"))
    inputs = [
        Question("1", 0, "Which animal is it?", choices, _ANSWER),
        Question("2", 0, "What is the colour of the grass?", choices[1:], _ANSWER),
    ]
    for scored in ("content", "letter"):
        found = iter(score(model, inputs, scored=scored, reduction="mean").scores)
        for question in inputs:
            encoder = model._tokenizer(prompt(question, scored), return_tensors="pt")["input_ids"]
            assert int(encoder[0, -1]) == model._tokenizer.eos_token_id
            for label, text in question.choices:
                labels = model._tokenizer(
                    label if scored == "letter" else text, add_special_tokens=False
                )["input_ids"]
                with torch.inference_mode():
                    logs = (
                        model._model(input_ids=encoder, labels=torch.tensor([labels]))
                        .logits[0]
                        .log_softmax(-1)
                    )
                values = [float(logs[n, token]) for n, token in enumerate(labels)]
                one = next(found)
                assert (one.question_key, one.label, one.n_tokens) == (question.key, label, len(labels))  # fmt: skip
                assert one.score == pytest.approx(sum(values) / len(values), abs=1e-4)


def test_what_cannot_be_scored_is_counted(tmp_path: Path) -> None:
    model = LanguageModel(str(tiny_causal(tmp_path / "short", longest=40)), device="cpu")
    pair = (("A", "cat"), ("B", "dog"))
    inputs = [
        Question("kept", 0, "Which?", pair, _ANSWER),
        Question("no-text", 0, "", pair, _ANSWER),
        Question("long", 0, "Which?", (("A", "cat"), ("B", "c" * 40)), _ANSWER),
        Question("pictures", 0, "Which?", (("A", "a.png"), ("B", "x/b.JPG")), _ANSWER),
        Question("empty", 0, "Which?", (("A", ""), ("B", " ")), _ANSWER),
        Question("image", 0, "Draw.", pair, frozenset({"image"})),
        Question("blank", 0, "Which?", (("A", "cat"), ("B", " ")), _ANSWER),
        Question("tie", 0, "Which?", (("A", "cow"), ("B", "cow")), _ANSWER),
        Question("two", 0, "Which?", pair, frozenset({"text", "image"})),
    ]
    found = score(model, inputs)
    assert found.skipped == {
        "without a text": 1,
        "longer than the model's 40 tokens": 1,
        "whose choices are images": 1,
        "whose answer is no text": 1,
        "whose choices are blank": 1,
    }
    assert (found.n_blank, found.n_tied) == (1, 1)
    assert [(one.question_key, one.label, one.component) for one in found.scores] == [
        ("kept", "A", "answer"), ("kept", "B", "answer"), ("blank", "A", "answer"),
        ("tie", "A", "answer"), ("tie", "B", "answer"), ("two", "A", "text"), ("two", "B", "text"),
    ]  # fmt: skip


def test_letters_after_one_prompt_are_computed_once(tiny_folder: Path) -> None:
    model = LanguageModel(str(tiny_folder), device="cpu")
    totals = []
    score(model, questions(), scored="letter", on_progress=lambda done, total: totals.append(total))
    # ": A" is two tokens here, of which the first is common.
    assert set(totals) == {len(_QUESTIONS)}


def test_from_questions_to_a_leaderboard(house: Warehouse, gguf: Path, tmp_path: Path) -> None:
    rows = [
        {
            "question_key": str(n),
            "pass": step,
            "question": text,
            "choices": turned,
            "answer": "ABCD"[turned.index(choices["ABCD".index(answer)])],
            "split": "dev",
            "ability_dimension": f"D{n % 2}",
        }
        for n, (text, choices, answer) in enumerate([*_QUESTIONS, ("Same?", ["one", "one"], "A")])
        for step in (0, 1)
        for turned in [choices[step:] + choices[:step]]
    ]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="SEED-like")
    shown = run(
        "score-choices", "--model", gguf, "--db", house.path, "--passes", "all", "--name", "smol",
        "--device", "cpu", "--scored", "letter", "--reduction", "sum",
    )  # fmt: skip
    assert "smol on SEED-like/dev: 36 choices of 10 question passes, letter, sum" in shown
    file = tmp_path / "smol.SEED-like-dev.loglik-letter-sum.parquet"
    assert pl.read_parquet(file).columns == [
        "model",
        "split",
        "question_key",
        "pass",
        "component",
        "label",
        "score",
        "n_tokens",
    ]
    settings = json.loads(pl.read_parquet_metadata(file)["evalhouse"])
    assert settings["model"] == model_name(str(gguf))
    facts = house.sql(
        "SELECT method, reduction, scored, label, path FROM main.run JOIN main.source USING (source_id)"
    )
    assert facts.row(0) == ("loglik", "sum", "letter", "loglik-letter-sum", str(file))
    # The same picks and the same score from the file in plain Python.
    answers = {(row["question_key"], row["pass"]): row["answer"] for row in rows}
    best: dict[tuple[str, int], tuple[float, str]] = {}
    for row in pl.read_parquet(file).iter_rows(named=True):
        place = (row["question_key"], row["pass"])
        if place not in best or row["score"] > best[place][0]:
            best[place] = (row["score"], row["label"])
    picked = house.sql("SELECT question_key, pass, picked FROM ranked_pick").rows()
    assert {row[:2]: row[2] for row in picked} == {place: label for place, (_, label) in best.items()}  # fmt: skip
    right = sum(best[key, 0][1] == answers[key, 0] for key in {row["question_key"] for row in rows})
    (board,) = house.leaderboard("SEED-like", strategy="vanilla", level="overall")
    (line,) = board.lines
    assert line.cells[0] is not None
    assert (line.rank, line.model, line.cells[0].points, line.cells[0].n) == (1, "smol", right, 5)
    with pytest.raises(UsageError, match=r"there is a run loglik-letter-sum of smol on SEED-like/dev"):  # fmt: skip
        run(
            "score-choices",
            "--model",
            gguf,
            "--db",
            house.path,
            "--name",
            "smol",
            "--scored",
            "letter",
            "--reduction",
            "sum",
        )


def test_ties_are_reported_and_the_first_one_counts(
    house: Warehouse, tiny_folder: Path, tmp_path: Path
) -> None:
    rows = [
        {
            "question_key": "1",
            "question": "Same?",
            "A": "one",
            "B": "one",
            "C": "x" * 30,
            "answer": "A",
        }
    ]
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="Own")
    shown = run(
        "score-choices",
        "--model",
        tiny_folder,
        "--db",
        house.path,
        "--reduction",
        "sum",
        "--device",
        "cpu",
    )
    assert "1 have several best choices, of which the first counts" in shown
    assert house.sql("SELECT picked, n_best FROM ranked_pick").rows() == [("A", 2)]


# Images


def draw(path: Path, seed: int, **options: Any) -> Path:
    """A picture of coloured stripes."""
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    picture = Image.new("RGB", (40 + seed, 50))
    picture.putdata(
        [((x * seed) % 256, (y * 5 * seed) % 256, 40 * seed % 256) for y in range(50) for x in range(40 + seed)]
    )  # fmt: skip
    picture.save(path, **options)
    return path


@pytest.fixture
def drawn(house: Warehouse, tmp_path: Path) -> Path:
    """Two questions with images for choices, the model's images, and two manifests."""
    rows = [
        {"question_key": key, "question": "What comes next?", "A": "a.png", "B": "b.png", "answer": "B"}
        for key in ("q1", "q2")
    ]  # fmt: skip
    house.ingest(write_jsonl(tmp_path / "q.jsonl", rows), benchmark="Own")
    choices, generated = [], []
    for n, key in enumerate(("q1", "q2")):
        generated.append({"question_key": key, "image": f"out/{key}.png"})
        draw(tmp_path / "out" / f"{key}.png", 7 + n)
        for place, label in enumerate("AB"):
            draw(tmp_path / f"{key}{label}.png", 1 + 2 * n + place)
            choices.append({"question_key": key, "label": label, "image": f"{key}{label}.png"})
    write_jsonl(tmp_path / "choices.jsonl", choices)
    write_jsonl(tmp_path / "generated.jsonl", generated)
    return tmp_path


@pytest.fixture
def compare(house: Warehouse, drawn: Path, clip: Path) -> Callable[..., str]:
    """`score-images` of the two manifests."""

    def call(*more: object, model: Path = clip) -> str:
        return run(
            "score-images", "--db", house.path, "--generated", drawn / "generated.jsonl",
            "--choices", drawn / "choices.jsonl", "--clip", model, "--model", "painter", "--device", "cpu", *more,
        )  # fmt: skip

    return call


def direct(clip: Path, one: Path, other: Path) -> float:
    """The similarity of two images by transformers alone."""
    import torch
    from PIL import Image
    from transformers import AutoImageProcessor, CLIPModel

    processor: Any = AutoImageProcessor.from_pretrained(clip, backend="pil")
    model = CLIPModel.from_pretrained(clip).eval()
    with torch.inference_mode():
        found = [
            model.get_image_features(
                **processor(images=Image.open(path), return_tensors="pt")
            ).pooler_output[0]
            for path in (one, other)
        ]
    return float(torch.nn.functional.cosine_similarity(found[0], found[1], dim=0))


def test_images_against_transformers_and_on_the_board(
    house: Warehouse, drawn: Path, clip: Path, compare: Callable[..., str]
) -> None:
    shown = compare("--batch-size", 4)
    assert "painter on Own: 4 similarities of 2 generated images; 6 embedded" in shown
    frame = pl.read_parquet(drawn / "painter.Own.clip.parquet")
    assert frame["scorer"].unique().to_list() == [model_name(str(clip))]
    best = {}
    for key in ("q1", "q2"):
        values = {
            label: direct(clip, drawn / "out" / f"{key}.png", drawn / f"{key}{label}.png")
            for label in "AB"
        }
        assert abs(values["A"] - values["B"]) > 1e-3
        stored = frame.filter(pl.col("question_key") == key)
        assert dict(stored.select("label", "score").rows()) == pytest.approx(values, abs=1e-5)
        best[key] = max(values, key=lambda label: values[label])
    assert dict(house.sql("SELECT question_key, picked FROM ranked_pick").rows()) == best
    assert house.sql("SELECT method, label FROM main.run").rows() == [("clip", "clip")]
    (board,) = house.leaderboard("Own", strategy="vanilla", level="overall")
    cell = board.lines[0].cells[0]
    assert cell is not None
    assert cell.points == sum(label == "B" for label in best.values())


def test_the_same_images_are_not_embedded_twice(
    drawn: Path, compare: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_images: list[int] = []
    original = image_model.ImageModel.embed

    def counted(self: image_model.ImageModel, images: Any) -> list[tuple[float, ...]]:
        n_images.append(len(images))
        return original(self, images)

    monkeypatch.setattr(image_model.ImageModel, "embed", counted)
    first, again, third = drawn / "1.parquet", drawn / "2.parquet", drawn / "3.parquet"
    compare("--no-ingest", "-o", first, "--batch-size", 4)
    assert n_images == [4, 2]
    assert "0 embedded" in compare("--no-ingest", "-o", again)
    assert n_images == [4, 2]
    assert first.read_bytes() == again.read_bytes()
    # Another picture under the same name is another key, and so is another model.
    draw(drawn / "q1A.png", 11)
    compare("--no-ingest", "-o", third)
    assert n_images == [4, 2, 1]
    before, after = (pl.read_parquet(file)["score"].to_list() for file in (first, third))
    assert [one != other for one, other in zip(before, after, strict=True)] == [True, False, False, False]  # fmt: skip
    other = tiny_clip(tmp_path / "other" / "tiny-clip", seed=9)
    compare("--no-ingest", "-o", drawn / "4.parquet", model=other)
    assert n_images == [4, 2, 1, 6]


def test_a_text_and_an_image_in_one_run(
    house: Warehouse, drawn: Path, compare: Callable[..., str]
) -> None:
    """As SEED-Bench-2's task 27: likelihoods of the text, similarities of the image, one file."""
    with house.writing() as con:
        con.execute(
            "INSERT INTO main.question_component SELECT question_id, c, source_id "
            "FROM main.question, unnest(['text', 'image']) AS t(c) WHERE question_key = 'q2'"
        )
    texts = [
        {"question_key": "q2", "label": label, "score": score, "n_tokens": 2}
        for label, score in (("A", -1.5), ("B", -2.5))
    ]
    file = drawn / "both.parquet"
    shown = compare(
        "--no-ingest", "-o", file, "--with", write_jsonl(drawn / "texts.jsonl", texts),
        "--method", "loglik", "--reduction", "mean", "--scored", "content",
    )  # fmt: skip
    assert "--method loglik --reduction mean --scored content --run loglik-content-mean" in shown
    rows = (
        pl.read_parquet(file)
        .select("question_key", "component", "label", pl.col("scorer").is_null(), "n_tokens")
        .rows()
    )
    assert rows == [
        ("q2", "text", "A", True, 2), ("q2", "text", "B", True, 2),
        ("q1", "answer", "A", False, None), ("q1", "answer", "B", False, None),
        ("q2", "image", "A", False, None), ("q2", "image", "B", False, None),
    ]  # fmt: skip
    with pytest.raises(InputError, match="consists of image and text, not of answer"):
        compare("--component", "answer", "--no-ingest", "-o", drawn / "no.parquet")


def test_one_manifest_and_several_models(house: Warehouse, drawn: Path, clip: Path) -> None:
    rows = [
        {
            "question_key": "q1",
            "model": model,
            "image": f"out/{image}.png",
            "label": label,
            "choice_image": f"q1{label}.png",
        }
        for model, image in (("one", "q1"), ("two", "q2"))
        for label in "AB"
    ]
    shown = run(
        "score-images",
        "--db",
        house.path,
        "--generated",
        write_jsonl(drawn / "all.jsonl", rows),
        "--clip",
        clip,
    )
    assert "one, two on Own: 4 similarities of 2 generated images; 4 embedded" in shown
    found = house.sql("SELECT model, count(*) AS n FROM ranked_pick GROUP BY ALL ORDER BY ALL")
    assert found.rows() == [("one", 1), ("two", 1)]


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: path.write_bytes(b"no image"), "it is none of BMP, GIF"),
        (lambda path: path.write_bytes(path.read_bytes()[:60]), "cannot be read as an image"),
        (lambda path: path.write_bytes(b""), "cannot be read as an image"),
        (lambda path: path.write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n"), "it is none of"),
        (lambda path: _bomb(path), "too many pixels"),
    ],
    ids=["text", "cut", "empty", "eps", "bomb"],
)  # fmt: skip
def test_an_image_that_cannot_be_read(
    house: Warehouse, drawn: Path, compare: Callable[..., str],
    spoil: Callable[[Path], object], message: str,
) -> None:  # fmt: skip
    spoil(drawn / "q2A.png")
    with pytest.raises(InputError, match=message) as caught:
        compare()
    assert (caught.value.row, caught.value.field) == (3, "image")
    assert str(drawn / "choices.jsonl") in str(caught.value)
    assert str(drawn / "q2A.png") in str(caught.value)
    assert not list(drawn.glob("*.parquet"))
    assert house.sql("SELECT 1 FROM main.run").height == 0


def _bomb(path: Path) -> None:
    from PIL import Image

    Image.new("1", (20_000, 10_000)).save(path)


def test_a_folder_without_a_model_is_a_clear_error(tmp_path: Path, t5_folder: Path) -> None:
    with pytest.raises(UsageError, match="cannot be loaded"):
        LanguageModel(str(tmp_path))
    with pytest.raises(UsageError, match="cannot be loaded"):
        image_model.ImageModel(str(tmp_path))
    with pytest.raises(UsageError, match="cannot be loaded"):
        image_model.ImageModel(str(t5_folder))
