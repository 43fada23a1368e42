"""What harnesses of this environment read in answers to questions with choices.

Answers come as JSON lines (key, choices, text) on the standard input; out goes one JSON object: for each
harness that is installed, the label it reads in each answer by its key, null where it reads none.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from types import SimpleNamespace

Reader = Callable[[dict[str, str], str], "str | None"]


def _inspect() -> Reader:
    from inspect_ai.model import ModelName, ModelOutput
    from inspect_ai.solver import TaskState
    from inspect_ai.solver._multiple_choice import parse_answers

    def read(choices: dict[str, str], text: str) -> str | None:
        state = TaskState(
            model=ModelName("none/none"),
            sample_id=1,
            epoch=1,
            input="?",
            messages=[],
            choices=list(choices.values()),
            output=ModelOutput.from_content("none", text),
        )
        found = sorted(parse_answers(state, multiple_correct=False))
        return found[0] if len(found) == 1 else None

    return read


def _lm_eval() -> Reader:
    from lm_eval.filters.extraction import MultiChoiceRegexFilter

    # As its tasks of chain of thought have it, such as bbh and mmlu_flan_cot_zeroshot.
    flexible = MultiChoiceRegexFilter(
        regex_pattern=r"(\([A-Z]\))", group_select=-1, ignore_case=True, ignore_punctuation=True
    )

    def read(choices: dict[str, str], text: str) -> str | None:
        doc = {"choices": list(choices.values())}
        ((found, *_), *_) = flexible.apply([[text]], [doc])
        label = str(found).strip("()")
        return label if label in choices else None

    return read


def _evalscope() -> Reader:
    from evalscope.utils.multi_choices import parse_answers

    def read(choices: dict[str, str], text: str) -> str | None:
        state = SimpleNamespace(
            output=SimpleNamespace(completion=text), choices=list(choices.values())
        )
        found = sorted(parse_answers(state))
        return found[0] if len(found) == 1 and found[0] in choices else None

    return read


def main() -> None:
    """Print what each harness reads."""
    asked = [json.loads(line) for line in sys.stdin]
    found: dict[str, dict[str, str | None]] = {}
    for name, make in (("Inspect", _inspect), ("lm-eval", _lm_eval), ("evalscope", _evalscope)):
        try:
            read = make()
        except ImportError as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        found[name] = {}
        for one in asked:
            try:
                found[name][one["key"]] = read(one["choices"], one["text"])
            except Exception as error:  # what a harness makes of it is its own
                print(f"{name}, {one['key']}: {error}", file=sys.stderr)
                found[name][one["key"]] = None
    print(json.dumps(found))


if __name__ == "__main__":
    main()
