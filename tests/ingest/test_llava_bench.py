"""LLaVA-Bench: questions with GPT-4's answers as references, answers, and reviews of two scores each."""

from __future__ import annotations

import math
import random
import re
from pathlib import Path
from statistics import fmean
from typing import Any

from evalhouse import Warehouse
from ingest.readers import llava
from tests.tables import write_jsonl
from warehouse.check import run_checks

_KINDS = ("conv", "detail", "complex")
_REPLIES = (
    "8 10\nBoth are right.",
    "9 6.5\nAssistant 1 is better.",
    "8,7\nA comma.",
    "7 7",
    "I would say 8 and 9.",
    "10 2\r\nLines as on Windows.",
)


def _script(content: str) -> list[float]:
    """What the official script reads of a reply."""
    first = content.split("\n")[0].replace(",", " ").split(" ")
    try:
        return [float(first[0]), float(first[1])] if len(first) == 2 else [-1, -1]
    except ValueError:
        return [-1, -1]


def _folder(
    parent: Path, replies: tuple[str, ...] = _REPLIES, name: str = "llava-bench-in-the-wild"
) -> Path:
    folder = parent / name
    (folder / "answers").mkdir(parents=True)
    (folder / "reviews").mkdir()
    ids = range(len(replies))
    write_jsonl(
        folder / "questions.jsonl",
        [
            {"question_id": n, "image": f"{n:03}.jpg", "text": f"Q {n}?", "category": _KINDS[n % 3]}
            for n in ids
        ],
    )
    answers = [("answers_gpt4", "gpt-4"), ("answers/vlm-13b", "vlm-13b")]
    for path, model in answers:
        write_jsonl(
            folder / f"{path}.jsonl",
            [
                {
                    "question_id": n,
                    **({} if model == "gpt-4" else {"prompt": f"Q {n}?"}),
                    "text": f"{model} says {n}",
                    "answer_id": f"{model}{n}",
                    "model_id": model,
                    "metadata": {},
                }
                for n in ids
            ],
        )
    _reviews(folder / "reviews/vlm-13b.jsonl", replies)
    return folder


def _reviews(path: Path, replies: tuple[str, ...], **more: Any) -> Path:
    return write_jsonl(
        path,
        [
            {
                "id": n + 1,
                "question_id": n,
                "answer1_id": f"gpt-4{n}",
                "answer2_id": f"vlm-13b{n}",
                "category": f"llava_bench_{_KINDS[n % 3]}",
                "content": reply,
                "tuple": _script(reply),
                **more,
            }
            for n, reply in enumerate(replies)
        ],
    )


def _load(house: Warehouse, folder: Path, *more: Path) -> list[Any]:
    names = ("questions", "answers_gpt4", "answers/vlm-13b", "reviews/vlm-13b")
    return house.ingest(*(folder / f"{name}.jsonl" for name in names), *more)


def test_scores_of_both_sides(house: Warehouse, tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    again = ("9 9\nOnce more.", *_REPLIES[1:])
    reports = _load(house, folder, _reviews(folder / "reviews/vlm-13b-eval2.jsonl", again))
    assert [report.format for report in reports] == [
        "llava_questions",
        "llava_open_answers",
        "llava_open_answers",
        "llava_reviews",
        "llava_reviews",
    ]
    assert (
        "judge gpt_review (import, pair): 6 judgments, 6 subjects × 1 judge sample"
        in reports[3].loaded
    )
    scores = house.sql(
        "SELECT question_key, judge_sample, reference_score, answer_score, state, reply "
        "FROM pair_score WHERE model = 'vlm-13b' ORDER BY judge_sample, question_key"
    ).rows()
    assert [row[5] for row in scores] == [*_REPLIES, *again]
    for key, _, first, second, state, reply in scores:
        read = _script(reply)
        assert (state, first, second) == (
            ("unparsable", None, None) if read[0] < 0 else ("ok", *read)
        ), key
    # The script's figures, but for the -1 that it counts for what it cannot read.
    totals = house.sql(
        "SELECT judge_sample, ability, n, n_unread, round(relative_score, 1) FROM pair_total "
        "ORDER BY judge_sample, ability_ordinal"
    ).rows()
    wanted = []
    for sample, replies in enumerate((_REPLIES, again)):
        for name, kind in (
            ("Overall", None),
            ("Conversation", 0),
            ("Detail description", 1),
            ("Complex reasoning", 2),
        ):
            pairs = [_script(r) for n, r in enumerate(replies) if kind in (None, n % 3)]
            read = [pair for pair in pairs if pair[0] >= 0]
            ratio = fmean(pair[1] for pair in read) / fmean(pair[0] for pair in read) * 100
            wanted.append((sample, name, len(read), len(pairs) - len(read), round(ratio, 1)))
    assert totals == wanted
    # GPT-4's answers are a run as well, and nothing here is a soft score.
    assert house.sql("SELECT model FROM current_run ORDER BY 1").rows() == [
        ("gpt-4",),
        ("vlm-13b",),
    ]
    assert house.sql("SELECT count(*) FROM open_judged").item() == 0
    with house.reading() as con:
        assert [finding for finding in run_checks(con) if finding.n] == []


_NASTY = (
    "8 9", "8  9", " 8 9", "8 9 ", "8. 9.", "8 .5", ".5 8", "8|9 9", "|8 9|", "-1 9", "8,9", "8, 9",
    "8 9,", "1|2 3|4", "8", "8 9 10", "8\n9", "", "\n8 9", "8 9\r", "8\r 9", "nan 8", "8 inf", "08 9", "8 1e1",
)  # fmt: skip


def test_the_view_reads_what_the_script_reads(house: Warehouse, tmp_path: Path) -> None:
    draw = random.Random(20)
    fuzzed = (
        "".join(draw.choices("0123456789., |-\n\r", k=draw.randint(2, 9))) for _ in range(400)
    )
    replies = (*_NASTY, *fuzzed)
    _load(house, _folder(tmp_path, replies))
    rows = house.sql("SELECT reply, reference_score, answer_score FROM pair_score").rows()
    assert sorted(reply for reply, _, _ in rows) == sorted(replies)
    n_read = 0
    for reply, first, second in rows:
        script = _script(reply)
        if not all(map(math.isfinite, script)):
            script = [-1, -1]
        assert llava.read_pair(reply) == script
        line = reply.split("\n")[0].replace(",", " ")
        # Python takes more for a number than digits with a point between or behind.
        if re.search(r"-|\r.|e| [.]|^[.]", line) and script[0] != -1:
            continue
        n_read += first is not None
        assert [first, second] == ([None, None] if script[0] < 0 else script), repr(reply)
    assert n_read > 20


def test_coco_is_a_dataset_of_its_own(house: Warehouse, tmp_path: Path) -> None:
    folder = _folder(tmp_path, name="coco")
    (folder / "answers_gpt4.jsonl").rename(folder / "qa90_gpt4_answer.jsonl")
    house.ingest((folder / "questions.jsonl").rename(folder / "qa90_questions.jsonl"))
    assert house.sql("SELECT name FROM main.dataset").rows() == [("LLaVA-Bench/COCO",)]
    words = [llava.sidecar(path) for path in sorted(folder.glob("*.jsonl"))]
    assert words == ["the references of qa90_questions.jsonl", None]
