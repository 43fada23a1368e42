"""Inspect itself, in its own environment: making a log, and reading one.

    python inspect_worker.py make FOLDER N     a log of N samples that a model graded; prints its path
    python inspect_worker.py read LOG          prints, as JSON, the seconds of import and of samples_df

The models are mocks, whose replies are computed from their prompts.
"""

import json
import sys
import time
import zlib
from typing import Any

begun = time.perf_counter()
from inspect_ai import Task, eval  # noqa: E402  # timed
from inspect_ai.analysis import samples_df  # noqa: E402
from inspect_ai.dataset import MemoryDataset, Sample  # noqa: E402
from inspect_ai.model import ModelOutput, ModelUsage, get_model  # noqa: E402
from inspect_ai.scorer import model_graded_qa  # noqa: E402
from inspect_ai.solver import generate  # noqa: E402

imported = time.perf_counter()
_WORDS = [
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
    "the",
    "quiet",
    "street",
]


def said(model: str, text: str) -> ModelOutput:
    # Without its use of tokens a mock's output is counted with a table that is fetched.
    output = ModelOutput.from_content(model, text)
    output.usage = ModelUsage(input_tokens=100, output_tokens=20, total_tokens=120)
    return output


def drawn(text: str, n: int) -> int:
    return zlib.crc32(text.encode()) % n


def answer(messages: list[Any], *_: object) -> ModelOutput:
    text = messages[-1].text
    words = [_WORDS[drawn(f"{text}{n}", len(_WORDS))] for n in range(5 + drawn(text, 20))]
    return said("mockllm/model", " ".join(words))


def grade(messages: list[Any], *_: object) -> ModelOutput:
    text = messages[-1].text
    reasons = " ".join(_WORDS[drawn(f"{n}{text}", len(_WORDS))] for n in range(30))
    return said("mockllm/judge", f"1. {reasons}.\n\nGRADE: {'CPI'[drawn(text, 3)]}")


if sys.argv[1] == "make":
    dataset = MemoryDataset(
        [
            Sample(id=n, input="What can be seen in picture "
                               f"{n}?", target=f"thing {n}", metadata={"category": f"c{n % 20}"})
            for n in range(int(sys.argv[3]))
        ],
        name="pictures",
    )  # fmt: skip
    judge = get_model("mockllm/judge", custom_outputs=grade)
    task = Task(
        dataset, solver=generate(), scorer=model_graded_qa(partial_credit=True, model=judge)
    )
    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = eval(task, model=model, log_dir=sys.argv[2], display="none", log_format="eval")
    if log.status != "success":
        sys.exit(f"the log's status is {log.status}: {log.error}")
    print()
    print(log.location)
else:
    begun_reading = time.perf_counter()
    frame = samples_df(sys.argv[2], full=True, quiet=True)
    done = time.perf_counter()
    print()
    print(
        json.dumps({"import": imported - begun, "read": done - begun_reading, "rows": len(frame)})
    )
