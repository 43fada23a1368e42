"""The identity of what is judged: a hash of its content, the same in Python and in SQL."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256


def choice_extraction_hash(question: str, choices: Mapping[str, str], prediction: str) -> str:
    """The subject hash of MMBench's step 2, as the view `subject` computes it.

    sha256 over a version tag and the parts, each as upper-case hexadecimal UTF-8, so that no text,
    whatever separators it holds, reads as two.

    Args:
        question: the question's text.
        choices: text by label.
        prediction: the raw output that is judged.
    """
    listed = ",".join(sorted(f"{_hex(label)}={_hex(text)}" for label, text in choices.items()))
    content = f"choice_extraction/1,{_hex(question)},[{listed}],{_hex(prediction)}"
    return sha256(content.encode()).hexdigest()


def _hex(text: str) -> str:
    return text.encode().hex().upper()
