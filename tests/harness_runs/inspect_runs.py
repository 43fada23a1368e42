"""Inspect itself, in an environment of its own: runs with each of its scorers, reducers and groupings.

    python inspect_runs.py FOLDER

The models are mocks, whose replies are computed from their prompts.
"""

import sys
import zlib
from collections import Counter
from typing import Any

from inspect_ai import Epochs, Task
from inspect_ai import eval as run
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import (
    accuracy,
    answer,
    at_least,
    bootstrap_stderr,
    choice,
    exact,
    f1,
    grouped,
    includes,
    match,
    mean,
    model_graded_fact,
    model_graded_qa,
    multi_scorer,
    pattern,
    std,
    stderr,
    var,
)
from inspect_ai.solver import generate, multiple_choice

WORDS = [
    "the",
    "cat",
    "sits",
    "on",
    "a",
    "red",
    "mat",
    "near",
    "an",
    "open",
    "window",
    "while",
    "rain",
    "falls",
    "in",
    "quiet",
    "street",
]
N = 24


def said(model: str, text: str) -> ModelOutput:
    # Without its use of tokens a mock's output is counted with a table that is fetched.
    output = ModelOutput.from_content(model, text)
    output.usage = ModelUsage(input_tokens=100, output_tokens=20, total_tokens=120)
    return output


def drawn(text: str, n: int) -> int:
    return zlib.crc32(text.encode()) % n


# The same prompt comes once in each epoch.
calls: Counter[str] = Counter()


def nth(text: str) -> str:
    calls[text] += 1
    return f"{text} {calls[text]}"


def words(messages: list[Any], *_: object) -> ModelOutput:
    """Some words, one of them perhaps a number; other words in each epoch."""
    text = nth(messages[-1].text)
    chosen = [WORDS[drawn(f"{text}{n}", len(WORDS))] for n in range(1 + drawn(text, 6))]
    if drawn(text + "number", 2):
        chosen.append(
            ["5", "5.0", "$1,000", "1000.", "(12)", "seven", "5%", "-5"][drawn(text + "which", 8)]
        )
    if drawn(text + "mark", 3) == 0:
        chosen.append(".")
    if drawn(text + "refuse", 17) == 0:
        chosen = []
    return said("mockllm/words", " ".join(chosen))


def letters(messages: list[Any], *_: object) -> ModelOutput:
    """A letter, as models write it, or what nobody reads."""
    text = nth(messages[-1].text)
    letter = "ABCD"[drawn(text, 4)]
    forms = [
        "ANSWER: {}",
        "ANSWER: {}",
        "ANSWER: {}",
        "The answer is {}.",
        "{}",
        "({})",
        "answer: {}",
        "I cannot say",
        "ANSWER: {}, maybe",
        "Answer: **{}**",
        "ANSWER: E",
        "",
    ]
    return said("mockllm/letters", forms[drawn(text + "form", len(forms))].format(letter))


def several_letters(messages: list[Any], *_: object) -> ModelOutput:
    text = messages[-1].text
    return said(
        "mockllm/letters",
        ["ANSWER: A,C", "ANSWER: A, B", "ANSWER: C", "ANSWER: AC", "none"][drawn(text, 5)],
    )


def lines(messages: list[Any], *_: object) -> ModelOutput:
    text = messages[-1].text
    word = WORDS[drawn(text, 4)]
    return said(
        "mockllm/lines",
        [
            f"I think.\nANSWER: {word}",
            f"ANSWER: {word} indeed",
            word,
            f"ANSWER: {word.upper()}",
            "no",
        ][drawn(text + "form", 5)],
    )


def grade(messages: list[Any], *_: object) -> ModelOutput:
    text = messages[-1].text
    return said(
        "mockllm/grader",
        ["GRADE: C", "It is right.\nGRADE: C", "GRADE: I", "GRADE: P", "no grade here"][
            drawn(text, 5)
        ],
    )


def model(name: str, reply: Any) -> Any:
    return get_model(f"mockllm/{name}", custom_outputs=reply, memoize=False)


def open_samples(targets: list[str | list[str]], name: str) -> list[Sample]:
    return [
        Sample(
            id=f"{name}-{n}",
            input=f"Say something of {name} {n}.",
            target=targets[n % len(targets)],
            metadata={"category": "xyz"[n % 3], "level": n % 2},
        )
        for n in range(N)
    ]


def choice_samples(name: str, target: Any = None) -> list[Sample]:
    return [
        Sample(
            id=f"{name}-{n}",
            input=f"Which of {name} {n}?",
            choices=[f"{WORDS[(n + k) % len(WORDS)]} {n}" for k in range(4)],
            target=target or "ABCD"[n % 4],
            metadata={"category": "xyz"[n % 3]},
        )
        for n in range(N)
    ]


TEXTS: list[str | list[str]] = ["the cat", "5", "mat", ["red", "open window"], "1000", "a"]
NUMBERS: list[str | list[str]] = ["5", "1000", "12", ["5", "12"]]


def task(name: str, samples: list[Sample], scorer: Any, **more: Any) -> Task:
    solver = more.pop("solver", None) or generate()
    return Task(
        name=name, dataset=MemoryDataset(samples, name=name), solver=solver, scorer=scorer, **more
    )


def main(folder: str) -> None:
    talk, spell, say_lines = model("words", words), model("letters", letters), model("lines", lines)
    many = model("letters", several_letters)
    judge, other = model("grader", grade), model("grader2", grade)
    runs: list[tuple[Task, Any, dict[str, Any]]] = []

    def add(name: str, samples: list[Sample], scorer: Any, by: Any, **more: Any) -> None:
        options = more.pop("options", {})
        runs.append((task(name, samples, scorer, **more), by, options))

    for location in ("begin", "end", "any", "exact"):
        add(f"match_{location}", open_samples(TEXTS, "match"), match(location), talk)
        add(
            f"match_{location}_numeric",
            open_samples(NUMBERS, "numeric"),
            match(location, numeric=True),
            talk,
        )
    add(
        "match_case",
        open_samples(["The cat", "Mat"], "case"),
        match("any", ignore_case=False),
        talk,
    )
    add(
        "includes_case",
        open_samples(["The cat", "mat"], "case2"),
        includes(ignore_case=False),
        talk,
    )
    add("words", open_samples(TEXTS, "words"), [includes(), exact(), f1()], talk)
    add("f1_stop", open_samples(TEXTS, "stop"), f1(stop_words=["cat", "mat"]), talk)
    add("pattern_one", open_samples(["cat", "mat"], "pattern"), pattern(r"the (\w+)"), talk)
    add(
        "pattern_all",
        open_samples(["cat", "mat"], "pattern2"),
        pattern(r"(\w+) (\w+)", match_all=True),
        talk,
    )
    for kind in ("letter", "word", "line"):
        target: list[str | list[str]] = (
            ["A", "B"] if kind == "letter" else ["the", "cat", "sits indeed"]
        )
        add(
            f"answer_{kind}",
            open_samples(target, f"answer-{kind}"),
            answer(kind),
            spell if kind == "letter" else say_lines,
        )
    add("choices", choice_samples("plain"), choice(), spell, solver=multiple_choice())
    add("choices_cot", choice_samples("cot"), choice(), spell, solver=multiple_choice(cot=True))
    add(
        "choices_many",
        choice_samples("many", ["A", "C"]),
        choice(),
        many,
        solver=multiple_choice(multiple_correct=True),
    )
    shuffled = MemoryDataset(choice_samples("shuffled"), name="choices_shuffled")
    shuffled.shuffle_choices(seed=7)
    runs.append(
        (
            Task(
                name="choices_shuffled", dataset=shuffled, solver=multiple_choice(), scorer=choice()
            ),
            spell,
            {},
        )
    )
    add("graded", open_samples(TEXTS, "graded"), model_graded_qa(model=judge), talk)
    add(
        "graded_partial",
        open_samples(TEXTS, "partial"),
        model_graded_qa(model=judge, partial_credit=True),
        talk,
    )
    add("graded_fact", open_samples(TEXTS, "fact"), model_graded_fact(model=judge), talk)
    add("panel", open_samples(TEXTS, "panel"), model_graded_qa(model=[judge, other, judge]), talk)
    add(
        "multi",
        open_samples(TEXTS, "multi"),
        multi_scorer([includes(), match("any")], "mode"),
        talk,
    )
    reducers = ["mean", "median", "mode", "max", "at_least_2", "pass_at_2", "pass_k_2"]
    add(
        "reduced",
        choice_samples("reduced"),
        choice(),
        spell,
        solver=multiple_choice(),
        epochs=Epochs(4, reducers),
    )
    add(
        "reduced_words",
        open_samples(TEXTS, "reducedwords"),
        f1(),
        talk,
        epochs=Epochs(3, [*reducers[:4], at_least(2, 0.3)]),
    )
    add(
        "graded_epochs",
        open_samples(TEXTS, "gradedepochs"),
        model_graded_qa(model=judge, partial_credit=True),
        talk,
        epochs=Epochs(3, reducers),
    )
    add("default_epochs", open_samples(TEXTS, "defaultepochs"), includes(), talk, epochs=3)
    spreads = [accuracy(), mean(), std(), var(), stderr(), bootstrap_stderr()]
    add("spread", open_samples(TEXTS, "spread"), includes(), talk, metrics=spreads)
    add(
        "grouped",
        choice_samples("grouped"),
        choice(),
        spell,
        solver=multiple_choice(),
        metrics=[
            accuracy(),
            grouped(accuracy(), "category"),
            grouped(mean(), "category", all="groups"),
        ],
    )
    add(
        "clustered",
        open_samples(TEXTS, "clustered"),
        includes(),
        talk,
        metrics=[accuracy(), stderr(cluster="category")],
    )
    add("limited", open_samples(TEXTS, "limited"), includes(), talk, options={"limit": 10})
    add("unscored", open_samples(TEXTS, "unscored"), includes(), talk, options={"score": False})
    add("no_target", [Sample(id=f"nt-{n}", input=f"Speak {n}") for n in range(N)], includes(), talk)
    for one, by, options in runs:
        (log,) = run(one, model=by, log_dir=folder, display="none", log_format="eval", **options)
        if log.status != "success":
            raise SystemExit(f"{one.name}: {log.error}")


main(sys.argv[1])
