"""A few pictures for the demo, drawn here: a place with a bridge, a harbor, a ladder, in flat colours.

Each is a PNG of 240 by 160 pixels, the same bytes everywhere but for the compression's version.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from functools import lru_cache
from hashlib import md5

WIDTH, HEIGHT = 240, 160
_COLOURS = {
    "amber": (232, 163, 23),
    "brisk": (38, 148, 196),
    "calm": (120, 170, 190),
    "dusty": (178, 152, 120),
    "early": (242, 190, 150),
    "faded": (176, 176, 168),
    "green": (74, 148, 84),
    "hollow": (88, 96, 112),
    "icy": (176, 216, 236),
    "jagged": (160, 78, 66),
}
_INK = (44, 48, 56)
_WATER = (92, 140, 186)
_Colour = tuple[int, int, int]


@lru_cache(maxsize=64)
def picture(text: str, question: str) -> bytes:
    """A picture of what a choice names, such as `amber bridge`, no two questions' the same.

    Args:
        text: an adjective, which is the colour, and a noun, which is the thing.
        question: decides the sky and the time of day.
    """
    adjective, _, noun = text.partition(" ")
    colour = _COLOURS.get(adjective, (150, 150, 150))
    digest = md5(question.encode(), usedforsecurity=False).digest()
    sky = (200 + digest[0] % 50, 210 + digest[1] % 40, 225 + digest[2] % 30)
    sun = (20 + digest[3] % 200, 18 + digest[4] % 24)
    thing = _THINGS.get(noun, _door)

    def at(x: int, y: int) -> _Colour:
        if thing(x, y):
            return colour
        if thing(x - 3, y - 3):
            return _INK
        if (x - sun[0]) ** 2 + (y - sun[1]) ** 2 < 121:
            return (252, 236, 170)
        if y > 118:
            shore = noun in ("bridge", "ferry", "harbor", "island")
            return _WATER if shore else (150 + digest[5] % 30, 160, 130)
        return sky

    # Every second point is computed, and drawn twice each way.
    rows = (
        b"\0" + b"".join(bytes(at(x, y)) * 2 for x in range(0, WIDTH, 2))
        for y in range(0, HEIGHT, 2)
    )
    return _png(b"".join(row * 2 for row in rows))


def _png(rows: bytes) -> bytes:
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content))
        + name
        + content
        + struct.pack(">I", zlib.crc32(name + content))
        for name, content in parts
    )


def _bridge(x: int, y: int) -> bool:
    arch = (x - 120) ** 2 / 5184 + (y - 122) ** 2 / 1600
    return 12 < x < 228 and (70 <= y < 84 or (84 <= y < 122 and arch > 1 and x % 108 < 78))


def _candle(x: int, y: int) -> bool:
    flame = (x - 120) ** 2 / 49 + (y - 48) ** 2 / 169 < 1
    return flame or (106 <= x < 134 and 64 <= y < 126) or (84 <= x < 156 and 126 <= y < 134)


def _door(x: int, y: int) -> bool:
    return 92 <= x < 148 and 36 <= y < 130 and not (136 <= x < 141 and 80 <= y < 86)


def _engine(x: int, y: int) -> bool:
    wheel = any((x - c) ** 2 + (y - 116) ** 2 < 196 for c in (76, 116, 156))
    return (
        wheel
        or (56 <= x < 180 and 76 <= y < 104)
        or (146 <= x < 180 and 48 <= y < 76)
        or (70 <= x < 84 and 52 <= y < 76)
    )


def _ferry(x: int, y: int) -> bool:
    return (100 <= y < 124 and 40 + (y - 100) < x < 200 - (y - 100)) or (
        84 <= x < 156 and 78 <= y < 100
    )


def _garden(x: int, y: int) -> bool:
    return any(
        (x - c) ** 2 + (y - 84) ** 2 < 240 or (abs(x - c) < 3 and 84 <= y < 126)
        for c in (56, 120, 184)
    )


def _harbor(x: int, y: int) -> bool:
    return (
        (110 <= y < 120 and x < 200)
        or (x % 48 < 6 and 96 <= y < 134 and x < 200)
        or (170 <= x < 188 and 50 <= y < 110)
    )


def _island(x: int, y: int) -> bool:
    return (x - 120) ** 2 / 6400 + (y - 124) ** 2 / 700 < 1 and y < 124


def _kettle(x: int, y: int) -> bool:
    ring = 900 < (x - 120) ** 2 + (y - 62) ** 2 < 1300 and y < 62
    body = (x - 120) ** 2 / 2200 + (y - 100) ** 2 / 900 < 1
    spout = 150 <= x < 186 and abs(y - 92 + (x - 150) // 2) < 6
    return ring or body or spout


def _ladder(x: int, y: int) -> bool:
    return 24 <= y < 130 and (94 <= x < 102 or 138 <= x < 146 or (94 <= x < 146 and y % 18 < 6))


_THINGS: dict[str, Callable[[int, int], bool]] = {
    "bridge": _bridge,
    "candle": _candle,
    "door": _door,
    "engine": _engine,
    "ferry": _ferry,
    "garden": _garden,
    "harbor": _harbor,
    "island": _island,
    "kettle": _kettle,
    "ladder": _ladder,
}
