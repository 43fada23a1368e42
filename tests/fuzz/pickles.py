"""Mutations of pickles: other values, opcodes that would run something, and bytes. None is ever loaded."""

from __future__ import annotations

import pickle
import pickletools
import random

from tests.fuzz import texts

_HOSTILE = (
    b"\x80\x04cos\nsystem\n(S'touch pwned'\ntR.",
    b'\x80\x04cbuiltins\neval\n(S\'open("pwned","w")\'\ntR.',
    b"\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x0btouch pwned\x85R.",
    b"\x80\x02}q\x00U\x01aq\x01h\x00s.",
    b"\x80\x04]\x94(h\x00h\x00h\x00e.",
    b"\x80\x04" + b"]" * 3000 + b"a" * 2999 + b".",
    b"\x80\x04(" + b"]\x94" + b"h\x00" * 9000 + b"l.",
    b"\x80\x04}\x94(I1\nI2\nu.",
    b"\x80\x04Pid\n.",
    b"\x80\x04\x82\x01.",
    b"\x80\x04}(\x8c\x01a}(\x8c\x03hitK\x01\x8c\x03logNuu.",
    b"\x80\xff.",
    b"\x80\x04.",
)
_EXTRA = (
    b"N",
    b"}",
    b"]",
    b")",
    b"(",
    b"0",
    b"2",
    b"1",
    b"R",
    b"b",
    b"\x81",
    b"o",
    b"\x94",
    b"h\x00",
    b"K\x01",
    b"cos\nsystem\n",
    b"a",
    b"s",
    b"u",
    b"\x85",
)


def mutate(pick: random.Random, content: bytes, n: int) -> bytes:
    """The pickle with n mutations."""
    if pick.random() < 0.12:
        return pick.choice(_HOSTILE)
    for _ in range(n):
        kind = pick.random()
        if kind < 0.35:
            content = _opcode(pick, content)
        elif kind < 0.6:
            content = _value(pick, content)
        else:
            content = pick.choice([texts.flip, texts.flip, texts.cut, texts.splice])(pick, content)
    return content


def _opcode(pick: random.Random, content: bytes) -> bytes:
    """An opcode more, one less, or two that change places."""
    try:
        places = [place for _, _, place in pickletools.genops(content) if place is not None]
    except Exception:  # what was mutated before is no pickle any more
        return texts.flip(pick, content)
    if len(places) < 4:
        return content
    at = pick.randrange(1, len(places) - 1)
    start, end = places[at], places[at + 1]
    kind = pick.randrange(3)
    if kind == 0:
        return content[:start] + content[end:]
    if kind == 1:
        return content[:start] + pick.choice(_EXTRA) + content[start:]
    other = places[pick.randrange(1, at + 1)]
    return content[:other] + content[start:end] + content[other:start] + content[end:]


def _value(pick: random.Random, content: bytes) -> bytes:
    """A text within that says something else, its length being right."""
    try:
        found = [
            (place, argument.encode())
            for opcode, argument, place in pickletools.genops(content)
            if opcode.name == "SHORT_BINUNICODE" and place is not None
        ]
    except Exception:  # as above
        return texts.cut(pick, content)
    if not found:
        return content
    place, said = pick.choice(found)
    new = texts.text(pick).encode("utf-8", "replace")
    # A pickle of protocol 4 in frames knows their length; without frames it needs none.
    body = (
        pickle.SHORT_BINUNICODE + bytes([len(new)]) + new
        if len(new) < 256
        else pickle.BINUNICODE + len(new).to_bytes(4, "little") + new
    )
    whole = content[:place] + body + content[place + 2 + len(said) :]
    if whole[2:3] == pickle.FRAME and pick.random() < 0.9:
        whole = whole[:2] + whole[11:]
    return whole
