"""The identity of what is judged: a hash of its content, the same in Python and in SQL.

sha256 over a version tag and the parts, each as upper-case hexadecimal UTF-8, so that no text,
whatever separators it holds, reads as two. The views `subject` and `open_subject` compute the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256


def choice_extraction_hash(question: str, choices: Mapping[str, str], prediction: str) -> str:
    """The subject hash of MMBench's step 2.

    Args:
        question: the question's text.
        choices: text by label.
        prediction: the raw output that is judged.
    """
    listed = ",".join(sorted(f"{_hex(label)}={_hex(text)}" for label, text in choices.items()))
    return _digest(f"choice_extraction/1,{_hex(question)},[{listed}],{_hex(prediction)}")


def open_answer_hash(question: str, references: Iterable[str], prediction: str) -> str:
    """The subject hash of an answer in words, for soft scores and marks.

    Args:
        question: the question's text.
        references: the reference answers, in any order.
        prediction: the raw output that is judged.
    """
    listed = ",".join(sorted(_hex(text) for text in references))
    return _digest(f"open_answer/1,{_hex(question)},[{listed}],{_hex(prediction)}")


def stated_verdict_hash(question_key: str, pass_number: int, prediction: str) -> str:
    """The subject hash of a verdict that a harness stated without a reply.

    It is no subject that a judge could be asked about, so that what is stated of one answer never
    stands for a reply on another one.

    Args:
        question_key: the dataset's own id.
        pass_number: the pass.
        prediction: the raw output that was judged.
    """
    return _digest(f"stated_verdict/1,{_hex(question_key)},{pass_number},{_hex(prediction)}")


def _digest(content: str) -> str:
    return sha256(content.encode()).hexdigest()


def _hex(text: str) -> str:
    return text.encode().hex().upper()
