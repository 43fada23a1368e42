"""Peers, each in its own environment, by `python -I peers.py …`; the last line printed is JSON.

    scores DATASET FILE…     VLMEvalKit: the seconds of its import, of reading the dataset and
                             of all evaluations, and the accuracies
    inspect_make FOLDER N    Inspect: a log of N samples that a model graded; prints its path
    inspect_read LOG         Inspect: how many rows samples_df makes
    readings                 Inspect, lm-eval, evalscope, as far as they are there: the label that
                             each reads in the answers (key, choices, text) that come as JSON lines,
                             by the answers' keys; null where it reads none

VLMEvalKit rewrites the files and leaves its results next to them, so each run needs fresh ones; the
questions lie in its folder LMUData.
"""

import json
import sys
import time
import zlib
from types import SimpleNamespace
from typing import Any


def scores(dataset: str, *files: str) -> object:
    import torch

    try:
        import torchvision  # noqa: F401
    except RuntimeError:
        # Built for graphics cards, with a torch that is not: its compiled operators, which no text
        # needs, do not load. Its Python wants two of them declared.
        for name in ("nms", "qnms"):
            torch.library.define(
                f"torchvision::{name}", "(Tensor dets, Tensor scores, float n) -> Tensor"
            )
    begun = time.perf_counter()
    # What `build_dataset` makes of the names of MMBench's and SEED-Bench's datasets.
    from vlmeval.dataset.image_mcq import ImageMCQDataset

    imported = time.perf_counter()
    built_of = ImageMCQDataset(dataset)
    built = time.perf_counter()
    found = {}
    for path in files:
        table = built_of.evaluate(path, model="exact_matching")
        found[path] = {str(name): float(table[name][0]) for name in table if name != "split"}
    done = time.perf_counter()
    seconds = {"import": imported - begun, "dataset": built - imported, "evaluate": done - built}
    return {"seconds": seconds, "accuracy": found}


_WORDS = (
    *("the", "cat", "sits", "on", "a", "red", "mat", "near", "an", "open", "window", "while"),
    *("rain", "falls", "in", "the", "quiet", "street"),
)


def _drawn(text: str, n: int) -> int:
    return zlib.crc32(text.encode()) % n


def inspect_make(folder: str, n_samples: str) -> object:
    from inspect_ai import Task, eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import model_graded_qa
    from inspect_ai.solver import generate

    def said(model: str, text: str) -> ModelOutput:
        # Without its use of tokens a mock's output is counted with a table that is fetched.
        output = ModelOutput.from_content(model, text)
        output.usage = ModelUsage(input_tokens=100, output_tokens=20, total_tokens=120)
        return output

    def answer(messages: list[Any], *_: object) -> ModelOutput:
        text = messages[-1].text
        words = [_WORDS[_drawn(f"{text}{n}", len(_WORDS))] for n in range(5 + _drawn(text, 20))]
        return said("mockllm/model", " ".join(words))

    def grade(messages: list[Any], *_: object) -> ModelOutput:
        text = messages[-1].text
        reasons = " ".join(_WORDS[_drawn(f"{n}{text}", len(_WORDS))] for n in range(30))
        return said("mockllm/judge", f"1. {reasons}.\n\nGRADE: {'CPI'[_drawn(text, 3)]}")

    samples = [
        Sample(
            f"What can be seen in picture {n}?",
            id=n,
            target=f"thing {n}",
            metadata={"category": f"c{n % 20}"},
        )
        for n in range(int(n_samples))
    ]
    judge = get_model("mockllm/judge", custom_outputs=grade)
    scorer = model_graded_qa(partial_credit=True, model=judge)
    task = Task(MemoryDataset(samples, name="pictures"), solver=generate(), scorer=scorer)
    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = eval(task, model=model, log_dir=folder, display="none", log_format="eval")
    if log.status != "success":
        sys.exit(f"the log's status is {log.status}: {log.error}")
    return log.location


def inspect_read(log: str) -> object:
    from inspect_ai.analysis import samples_df

    return len(samples_df(log, full=True, quiet=True))


def _inspect() -> Any:
    from inspect_ai.model import ModelName, ModelOutput
    from inspect_ai.solver import TaskState
    from inspect_ai.solver._multiple_choice import parse_answers

    def read(choices: dict[str, str], text: str) -> object:
        output, labels = ModelOutput.from_content("none", text), list(choices.values())
        about = {"model": ModelName("none/none"), "sample_id": 1, "epoch": 1, "input": "?"}
        state = TaskState(**about, messages=[], choices=labels, output=output)
        return _single(parse_answers(state, multiple_correct=False))

    return read


def _lm_eval() -> Any:
    from lm_eval.filters.extraction import MultiChoiceRegexFilter

    # As its tasks of chain of thought have it, such as bbh and mmlu_flan_cot_zeroshot.
    flexible = MultiChoiceRegexFilter(
        regex_pattern=r"(\([A-Z]\))", group_select=-1, ignore_case=True, ignore_punctuation=True
    )

    def read(choices: dict[str, str], text: str) -> object:
        ((found, *_), *_) = flexible.apply([[text]], [{"choices": list(choices.values())}])
        return str(found).strip("()")

    return read


def _evalscope() -> Any:
    from evalscope.utils.multi_choices import parse_answers

    def read(choices: dict[str, str], text: str) -> object:
        output = SimpleNamespace(completion=text)
        state = SimpleNamespace(output=output, choices=list(choices.values()))
        return _single(parse_answers(state))

    return read


def _single(found: Any) -> object:
    return next(iter(found)) if len(found) == 1 else None


def readings() -> object:
    asked = [json.loads(line) for line in sys.stdin]
    found: dict[str, dict[str, object]] = {}
    for name, make in (("Inspect", _inspect), ("lm-eval", _lm_eval), ("evalscope", _evalscope)):
        try:
            read = make()
        except ImportError as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        found[name] = {}
        for one in asked:
            try:
                label = read(one["choices"], one["text"])
            except Exception as error:  # what a harness makes of it is its own
                print(f"{name}, {one['key']}: {error}", file=sys.stderr)
                label = None
            found[name][one["key"]] = label if label in one["choices"] else None
    return found


if __name__ == "__main__":
    made = {one.__name__: one for one in (scores, inspect_make, inspect_read, readings)}
    result = made[sys.argv[1]](*sys.argv[2:])
    print()
    print(json.dumps(result))
