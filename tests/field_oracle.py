"""The rules of the field's benchmarks in a few lines of plain Python, from their papers and scripts."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Sequence

_MARKS = ';/[]"{}()=+\\_-><@`,?!'
_DIGITS = dict(
    zip(
        [
            "none",
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
        ],
        [0, *range(11)],
        strict=True,
    )
)
_CONTRACTIONS = {"dont": "don't", "hes": "he's", "youre": "you're", "somebody'd": "somebodyd"}
"""Those that the tests write."""
_NUMBER = re.compile(
    r"[+-]?([$€£¥₹] ?)?([0-9]{1,3}(,[0-9]{3})+|[0-9]+)([.][0-9]*)?([eE][+-]?[0-9]{1,3})? ?%?"
    r"|[+-]?[.][0-9]+([eE][+-]?[0-9]{1,3})? ?%?"
)


def words(text: str) -> list[str]:
    """Runs of letters, marks and digits, in lower case."""
    apart = "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in text.lower())
    return apart.split(" ")


def yes_no(text: str) -> str | None:
    """The head of the answer (MME), or the words of its first sentence (POPE)."""
    found = [word for word in words(text.split(".")[0]) if word]
    if found[:1] == ["yes"] or found[:1] == ["no"]:
        return found[0]
    said_no, said_yes = "no" in found or "not" in found, "yes" in found
    return None if said_no == said_yes else "no" if said_no else "yes"


def number(text: str) -> float | None:
    """A plain number, perhaps with a currency before it or a percent sign after it."""
    text = text.strip()
    if not _NUMBER.fullmatch(text):
        return None
    return float(re.sub("[$€£¥₹,% ]", "", text)) / (100.0 if "%" in text else 1.0)


def relaxed(text: str, answers: Sequence[str], tolerance: float) -> float | None:
    """ChartQA's relaxed accuracy."""
    if not text.strip():
        return None

    def right(answer: str) -> bool:
        if text.strip().lower() == answer.strip().lower():
            return True
        mine, its = number(text), number(answer)
        if mine is None or its is None:
            return False
        return mine == 0 if its == 0 else abs(mine - its) / abs(its) <= tolerance

    return float(any(map(right, answers)))


def distance(one: str, other: str) -> int:
    """Levenshtein's, row by row."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        above, row = row, [i]
        for j, b in enumerate(other, 1):
            row.append(min(above[j - 1] + (a != b), above[j] + 1, row[-1] + 1))
    return row[-1]


def anls(text: str, answers: Sequence[str]) -> float | None:
    """DocVQA's ANLS."""
    if not text.strip():
        return None

    def similarity(answer: str) -> float:
        one, other = (" ".join(each.lower().split()) for each in (answer, text))
        share = distance(one, other) / max(len(one), len(other))
        return 1 - share if share < 0.5 else 0.0

    return max(map(similarity, answers))


def vqa_plain(text: str) -> str:
    """VQA v2's processPunctuation and processDigitArticle."""
    text = text.replace("\n", " ").replace("\t", " ").strip()
    out = text
    comma = re.search(r"\d,\d", text)
    for mark in _MARKS:
        stands_apart = f"{mark} " in text or f" {mark}" in text or comma
        out = out.replace(mark, "" if stands_apart else " ")
    out = re.sub(r"\.(?!\d)", "", out)
    found = [str(_DIGITS.get(word, word)) for word in out.lower().split()]
    return " ".join(_CONTRACTIONS.get(w, w) for w in found if w not in ("a", "an", "the"))


def vqa(text: str, answers: Sequence[str]) -> float | None:
    """Agreement with the annotators, each left out in turn."""
    if not text.strip():
        return None
    mine, theirs = vqa_plain(text), [vqa_plain(answer) for answer in answers]
    if len(theirs) == 1:
        return float(mine == theirs[0])
    equal = [
        sum(theirs[other] == mine for other in range(len(theirs)) if other != left_out)
        for left_out in range(len(theirs))
    ]
    return sum(min(1, each / 3) for each in equal) / len(equal)


def exact(text: str, answers: Sequence[str]) -> float | None:
    """Equality without regard to case and to blanks at the ends."""
    return (
        float(text.strip().lower() in {a.strip().lower() for a in answers})
        if text.strip()
        else None
    )


def contains(text: str, answers: Sequence[str], is_math: bool) -> float | None:
    """OCRBench's containment."""
    if not text.strip():
        return None

    def plain(each: str) -> str:
        if is_math:
            return each.strip().replace("\n", "").replace(" ", "")
        return each.lower().strip().replace("\n", " ")

    return float(any(plain(answer) and plain(answer) in plain(text) for answer in answers))


def _apart(text: str) -> list[str]:
    """Words, and a full stop for what else is between them and at the end."""
    out = "".join(c if unicodedata.category(c)[0] in "LMN" or c.isspace() else " . " for c in text)
    return [*out.split(), "."]


def letter(text: str, letters: str) -> str | None:
    """The first of some capitals that is a word, A unless it is the article."""
    found = _apart(text)
    follow = {"and", "or", "is", "was", "because"}
    for word, after in itertools.pairwise(found):
        if word in list(letters) and (
            word != "A" or after in follow or re.match("[.A-Z0-9]", after)
        ):
            return word
    return None


def naturalbench(text: str, kind: str) -> str | None:
    """Whichever stands first."""
    if kind == "multiple_choice":
        return letter(text, "AB")
    return next((word for word in words(text) if word in ("yes", "no")), None)


def extracted(text: str, answers: Sequence[str], kind: str, decimals: int) -> float | None:
    """MathVista's comparison of what was extracted."""
    if not text.strip():
        return None
    if kind not in ("integer", "float"):
        bare = "".join(text.lower().split())
        return float(any("".join(answer.lower().split()) == bare for answer in answers))
    mine = number(text)
    if mine is None:
        return None
    near = 0.50000001 * 10.0**-decimals if kind == "float" else 0
    theirs = [number(answer) for answer in answers]
    return float(any(its is not None and abs(its - mine) <= near for its in theirs))


def open_answer(text: str, answers: Sequence[str]) -> float | None:
    """MMMU's parse_open_response and eval_open."""
    if not text.strip():
        return None
    response = text.strip().strip(".").lower()
    keys = []
    for line in response.split("\n"):
        tails = [
            line.rsplit(word, 1)[1].strip()
            for word in ("could be ", "so ", "is ", "thus ", "therefore ", "final ", "answer ", "result ", "=")
            if word in line
        ]  # fmt: skip
        tail = min(filter(None, tails), key=len, default="")
        keys += [tail] if tail and tail not in list(":,.!?;'") else []

    def hundredths(each: str) -> float | None:
        its = number(each)
        return None if its is None else float(int(abs(its * 100) + 0.5)) * (1 if its > 0 else -1)

    def is_in(answer: str, key: str) -> bool:
        answer = answer.strip()
        if number(answer) is not None:
            without_commas = re.sub("([0-9]),([0-9]{3})", r"\1\2", key)
            texts = re.findall(
                r"-?(?:[0-9]+(?:[.][0-9]+)?(?:[eE][+-]?[0-9]{1,3})?|[.][0-9]+)", without_commas
            )
            return hundredths(answer) in [hundredths(each) for each in [*texts, key]]
        answer = answer.lower()
        if len(answer) == 1:
            return key == answer or f" {answer}" in key or f"{answer} " in key
        return answer != "" and answer in key

    return float(any(is_in(answer, key) for answer in answers for key in keys or [response]))


def _bare(text: str) -> str:
    bare = "".join(text.split()).replace("$", "")
    for mark in (r"\left", r"\right", r"\(", r"\)", r"\[", r"\]", r"\,", r"\!"):
        bare = bare.replace(mark, "")
    bare = bare.replace(r"\dfrac", r"\frac").replace(r"\tfrac", r"\frac")
    boxed = re.fullmatch(r"\\boxed\{([^|]+)\}", bare)
    return boxed[1] if boxed else bare


def math_value(text: str) -> float | None:
    """A decimal number, a fraction, a power of whole numbers or a product, without LaTeX around it."""
    bare = _bare(text)
    if found := re.fullmatch(r"\+?(-?(?:[0-9]+\.?[0-9]*|\.[0-9]+))", bare):
        return float(found[1])
    if found := re.fullmatch(r"\+?(-?[0-9]+\.?[0-9]*)/([0-9]+\.?[0-9]*)", bare):
        return float(found[1]) / float(found[2]) if float(found[2]) else None
    if found := re.fullmatch(r"([+-]?)\\frac\{(-?[0-9]+\.?[0-9]*)\}\{([0-9]+\.?[0-9]*)\}", bare):
        share = float(found[2]) / float(found[3]) if float(found[3]) else None
        return None if share is None else -share if found[1] == "-" else share
    if found := re.fullmatch(r"([0-9]+)(?:\*\*|\^)\{?([0-9]{1,2})\}?", bare):
        return float(int(found[1]) ** int(found[2])) if int(found[1]) else None
    if found := re.fullmatch(r"(-?[0-9]+\.?[0-9]*)(?:\\times|\\cdot|\*)([0-9]+\.?[0-9]*)", bare):
        return float(found[1]) * float(found[2])
    return None


def math(text: str, answers: Sequence[str]) -> float | None:
    """MATH-Vision's comparison, as far as it can be made without a program."""
    if not text.strip():
        return None
    mine = math_value(text)
    for answer in answers:
        its = math_value(answer)
        if _bare(answer).lower() == _bare(text).lower():
            return 1.0
        if mine is not None and its is not None and abs(mine - its) < 1e-6:
            return 1.0
    is_read = mine is not None and all(math_value(answer) is not None for answer in answers)
    return 0.0 if is_read else None
