"""Nasty values of cells and keys, and mutations that any file can suffer: of its bytes and encoding."""

from __future__ import annotations

import random

from tests.nasty import nasty

_NUMBERS = [
    "0",
    "-1",
    "1.0",
    "1.5",
    "1e400",
    "-1e400",
    "1e-400",
    "NaN",
    "nan",
    "Infinity",
    "-inf",
    "00012",
    "+1",
    "1_000",
    "0x10",
    "１２",
    "9007199254740993",
    "2147483648",
    "9223372036854775808",
    "40000",
    "1000001",
    "3000001",
    "9000000000000001",
]
_WORDS = (
    "", " ", "\t", "None", "null", "NULL", "N/A", "true", "A", "a", "Z", "X", "\x00", "\ufeff", "\u202e", "é",
    "[]", "{}", '["a"]', '{"a": '
                         '1}', "[" * 3000, "=1+1", "'", '"', '""', "\\", "\\u0000", "a\nb", "a\r\nb", "rowid", "__row",
    "../../etc/passwd", "image", "index", "question_key", "prediction", "%s", "{0}", "$1", "; DROP "
                                                                                           "TABLE main.run", "--",
    "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"), "\U0010ffff", "x" * 70_000,
)  # fmt: skip


def text(pick: random.Random) -> str:
    """A text that something somewhere could stumble over."""
    kind = pick.random()
    if kind < 0.35:
        return pick.choice(_WORDS)
    if kind < 0.55:
        return number(pick)
    return nasty(pick)


def number(pick: random.Random) -> str:
    """A number as text, in or out of any range."""
    return "9" * pick.choice([20, 400, 5000]) if pick.random() < 0.1 else pick.choice(_NUMBERS)


def flip(pick: random.Random, content: bytes) -> bytes:
    """One to eight bytes changed."""
    data = bytearray(content)
    for _ in range(pick.choice([1, 1, 1, 2, 8]) if data else 0):
        data[pick.randrange(len(data))] = pick.choice([0, 255, 34, 44, 10, 13, pick.randrange(256)])
    return bytes(data)


def cut(pick: random.Random, content: bytes) -> bytes:
    """The end is missing, or the beginning."""
    place = pick.randrange(len(content) + 1)
    return content[:place] if pick.random() < 0.8 else content[place:]


def splice(pick: random.Random, content: bytes) -> bytes:
    """A piece twice, at another place, or gone."""
    if len(content) < 2:
        return content
    start, end = sorted(pick.randrange(len(content)) for _ in range(2))
    piece, place = content[start : min(end, start + 4000)], pick.randrange(len(content))
    if pick.random() < 0.5:
        return content[:start] + content[start + len(piece) :]
    return content[:place] + piece + content[place:]


def other_encoding(pick: random.Random, content: bytes) -> bytes:
    """The text in another encoding, or with a mark, other line ends or a NUL."""
    decoded = content.decode("utf-8", "replace")
    kind = pick.randrange(9)
    if kind < 4:
        return decoded.encode(("utf-16", "utf-16-le", "latin-1", "utf-32")[kind], "replace")
    if kind == 4:
        return b"\xef\xbb\xbf" * pick.choice([1, 2]) + content
    if kind == 5:
        return content.replace(
            b"\n", pick.choice([b"\r\n", b"\r", b"\n\n", b"\n\r", "\u2028".encode()])
        )
    if kind == 6:
        # Some lines alone.
        return b"".join(
            line + pick.choice([b"\n", b"\n", b"\r\n"])
            for line in content.rstrip(b"\n").split(b"\n")
        )
    place = pick.randrange(len(content) + 1)
    return (
        content[:place]
        + pick.choice([b"\x00", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\x1a"])
        + content[place:]
    )


ANY = (flip, cut, splice, other_encoding)
"""What can happen to any file."""
