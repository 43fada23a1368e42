"""The names that tables of people's own have for our columns, where ours are absent.

question_key   question_id, qid, id, index: the first of these that is there
prediction     response, output
answer         target, gold, truth, ground_truth, correct_answer, label, of questions with choices; of
               others these are the reference, and so is answer
choices        options, a list
A, B, …        choice_a, option_a, optionA, …

Our own names count in any case, too (Question, Model). Two names for one meaning, keys apart, are for
the user to tell apart. What is read under another name is said, and `--column` says otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ingest.reading.probe import Probe
from warehouse.errors import InputError

KINDS = ("csv", "tsv", "json", "jsonl", "xlsx", "parquet", "jsonl_commas")
"""The kinds of files that have tables of people's own in them."""
KEYS = ("question_id", "qid", "id", "index")
PREDICTIONS = ("response", "output")
TRUTHS = ("target", "gold", "truth", "ground_truth", "correct_answer", "label")
_RIGHT = TRUTHS[:-1]
"""What a model's answer is compared with, where it is called answer."""
_CHOICE = re.compile("(?:choice|option)[ _-]?([A-Za-z])", re.IGNORECASE)
OURS = (
    "question_key", "question", "prediction", "answer", "reference", "references", "choices", "model",
    "pass", "sample", "split", "image", "category",
)  # fmt: skip


@dataclass(frozen=True)
class Aliased:
    """A file's columns under our names.

    Attributes:
        notes: what is read as what.
        unclear: each of our names that two columns could have, and these columns.
    """

    probe: Probe
    notes: tuple[str, ...]
    unclear: tuple[tuple[str, tuple[str, ...]], ...] = ()


def of(probe: Probe) -> Aliased | None:
    """The file with its columns under our names; None: it has none that are called otherwise."""
    if probe.kind not in KINDS:
        return None
    names: dict[str, str] = {}
    notes: list[str] = []
    unclear: list[tuple[str, tuple[str, ...]]] = []
    there = {name.lower(): name for name in probe.columns}
    for ours in OURS:
        if ours not in probe.columns and ours in there:
            names[there[ours]] = ours
    if not probe.has_any("A", "choices"):
        names |= _letters(probe)
    for ours, found in _meanings({*probe.columns, *names.values()}, there):
        names[found[0]] = ours
        if ours == "question_key" and len(found) > 1:
            notes.append(
                f"of {_listed(found)} the first is taken for question_key, which numbers the questions; "
                f"--column {found[1]}=question_key takes the other"
            )
        elif len(found) > 1:
            unclear.append((ours, tuple(found)))
    if not names:
        return None
    said = ", ".join(f"{theirs} is {ours}" for theirs, ours in names.items())
    theirs = max(names, key=lambda name: name.lower() != names[name])
    notes.insert(0, f"columns: {said} (--column says otherwise, such as --column {theirs}=note)")
    return Aliased(renamed(probe, names), tuple(notes), tuple(unclear))


def _meanings(known: set[str], there: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    """Each of our names that is absent, and the columns that stand for it, the first one first."""
    if "question_key" not in known and (found := _found(KEYS, there)):
        yield "question_key", found
    if "prediction" not in known and (found := _found(PREDICTIONS, there)):
        yield "prediction", found
    has_choices = "choices" in known or {"A", "B"} <= known
    if not has_choices and (found := _found(("options",), there)):
        has_choices = True
        yield "choices", found
    ours = "answer" if has_choices else "reference"
    if known.isdisjoint(("answer", "reference", "references")):
        # With scores of choices, a label is the choice.
        is_scored = "score" in known and not {"prediction", *PREDICTIONS} & there.keys()
        if not is_scored and (found := _found(TRUTHS, there)):
            yield ours, found
    elif ours == "reference" and known.isdisjoint(("reference", "references")):
        # Next to a truth, and without a prediction, it may be what the model said.
        is_whose = known.isdisjoint(("prediction",)) and not _found(PREDICTIONS, there)
        yield ours, [*(_found(_RIGHT, there) if is_whose else ()), there["answer"]]


def _letters(probe: Probe) -> dict[str, str]:
    """The columns of choices that are called by more than their letters; none where A or B is missing."""
    found = {
        name: matched[1].upper() for name in probe.columns if (matched := _CHOICE.fullmatch(name))
    }
    is_whole = {"A", "B"} <= set(found.values()) and len(set(found.values())) == len(found)
    return found if is_whole else {}


def _found(names: tuple[str, ...], there: dict[str, str]) -> list[str]:
    return [there[name] for name in names if name in there]


def renamed(probe: Probe, names: dict[str, str]) -> Probe:
    """The file with some columns under other names."""
    columns = tuple(names.get(name, name) for name in probe.columns)
    return replace(probe, columns=columns, called=probe.called or probe.columns)


def refuse_unclear(aliased: Aliased) -> None:
    """Refuse a file with two columns for one meaning.

    Raises:
        InputError: with the --column that tells them apart.
    """
    for ours, found in aliased.unclear:
        # What is not the right answer is the model's.
        others = {name: ",answer=prediction" for name in found if name.lower() in _RIGHT}
        is_either = any(name.lower() == "answer" for name in found)
        raise InputError(
            aliased.probe.path,
            f"could be {ours}, and so could {_listed(found[1:])}; "
            + " or ".join(
                f"--column {theirs}={ours}{others.get(theirs, '') if is_either else ''}"
                for theirs in found
            )
            + " says which one is",
            row=0,
            field=found[0],
        )


def _listed(names: list[str] | tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
