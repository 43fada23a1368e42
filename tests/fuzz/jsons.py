"""Mutations of JSON and JSON lines that know records, keys, values and how they are written."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from tests.fuzz import texts

_RAW = "\x02{}\x03"
"""What stands for a value that is written as it is, since `json` would not write it."""
_UNWRITTEN = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1e400",
    "-1e400",
    "9" * 1000,
    "-" + "9" * 5000,
    "1.",
    "01",
    "'a'",
    "undefined",
    "",
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '"\\u0000"',
    '"a\\u0000b"',
    "[" * 2000 + "]" * 2000,
    '{"a":' * 2000 + "1" + "}" * 2000,
    "[" * 20000,
    "{" * 3,
    '"',
    '{"a":1,"a":2}',
    "1e5",
    "1.0",
    "-0",
    "12345678901234567890",
    "0.1e-7",
    "True",
    '"\t"',
    "[1,]",
)
_KEYS = (
    "a\x00b",
    "",
    " ",
    "\x00",
    "rowid",
    "__row",
    "é",
    '"',
    "a.b",
    "$",
    "__proto__",
    "k" * 70_000,
    "\ud800",
)


def mutate(pick: random.Random, content: bytes, n: int, *, lines: bool) -> bytes:
    """The file with n mutations of its values or of how they are written."""
    try:
        text = content.decode()
        # SEED-Bench's results are lines with a comma at the end, and named .json.
        lines = lines or text.split("\n", 1)[0].endswith("},")
        data = _lines(text) if lines else json.loads(text)
    except (ValueError, RecursionError):
        return texts.flip(pick, content)
    raw: list[str] = []
    for _ in range(n):
        _step(pick, data, raw)
    text = _write(pick, data, lines=lines)
    for number, raw_text in enumerate(raw):
        text = text.replace(json.dumps(_RAW.format(number)), raw_text)
    if pick.random() < 0.12:
        text = pick.choice(_OF_TEXT)(pick, text)
    return text.encode("utf-8", "surrogatepass" if pick.random() < 0.3 else "replace")


def _lines(text: str) -> list[Any]:
    return [json.loads(line.removesuffix(",")) for line in text.split("\n") if line.strip()]


def _write(pick: random.Random, data: Any, *, lines: bool) -> str:
    as_ascii = pick.random() < 0.3
    indent = pick.choice([None, None, 1])
    if lines != (pick.random() < 0.06) and isinstance(data, list):
        # Now and then an array as lines, and lines as an array.
        return "".join(json.dumps(row, ensure_ascii=as_ascii) + "\n" for row in data)
    return json.dumps(data, ensure_ascii=as_ascii, indent=indent)


def _containers(value: Any, found: list[Any], depth: int = 0) -> list[Any]:
    """Every object and list within that is not empty, the outer ones more often."""
    if isinstance(value, dict | list) and value and depth < 8:
        found.extend([value] * (3 if depth < 2 else 1))
        for member in list(value.values() if isinstance(value, dict) else value):
            _containers(member, found, depth + 1)
    return found


def _step(pick: random.Random, data: Any, raw: list[str]) -> None:
    found = _containers(data, [])
    if not found:
        return
    one = pick.choice(found)
    if isinstance(one, dict):
        pick.choice(_OF_OBJECTS)(pick, one, raw)
    else:
        pick.choice(_OF_LISTS)(pick, one, raw)


def _value(pick: random.Random, raw: list[str], before: Any = None) -> Any:
    kind = pick.random()
    if kind < 0.3:
        raw.append(pick.choice(_UNWRITTEN))
        return _RAW.format(len(raw) - 1)
    if kind < 0.6:
        return texts.text(pick)
    if kind < 0.75:
        return pick.choice([str(before), [before], {"a": before}, None])
    return pick.choice(
        [None, True, False, 0, 1, -1, 1.5, 2**40, [], {}, [[]], [None], ["a", 1, None], {"": None}]
    )


def _set(pick: random.Random, one: dict[str, Any], raw: list[str]) -> None:
    key = pick.choice(list(one))
    one[key] = _value(pick, raw, one[key])


def _drop_key(pick: random.Random, one: dict[str, Any], raw: list[str]) -> None:
    del one[pick.choice(list(one))]


def _rename_key(pick: random.Random, one: dict[str, Any], raw: list[str]) -> None:
    key = pick.choice(list(one))
    name = pick.choice(
        [key.upper(), key + " ", "x" + key, pick.choice(_KEYS), texts.text(pick)[:100]]
    )
    one[name] = one.pop(key)


def _add_key(pick: random.Random, one: dict[str, Any], raw: list[str]) -> None:
    one[
        pick.choice([*_KEYS, "model", "pass", "sample", "split", "failed", "image", "score", "id"])
    ] = _value(pick, raw)


def _key_twice(pick: random.Random, one: dict[str, Any], raw: list[str]) -> None:
    key = pick.choice(list(one))
    raw.append(
        f"{json.dumps(one[key])}, {json.dumps(key)}: {json.dumps(pick.choice([one[key], None, 'x', 1]))}"
    )
    one[key] = _RAW.format(len(raw) - 1)


def _swap_values(pick: random.Random, one: dict[str, Any], raw: list[str]) -> None:
    x, y = pick.choice(list(one)), pick.choice(list(one))
    one[x], one[y] = one[y], one[x]


def _set_in(pick: random.Random, one: list[Any], raw: list[str]) -> None:
    place = pick.randrange(len(one))
    one[place] = _value(pick, raw, one[place])


def _drop_in(pick: random.Random, one: list[Any], raw: list[str]) -> None:
    del one[pick.randrange(len(one))]


def _again(pick: random.Random, one: list[Any], raw: list[str]) -> None:
    one.insert(pick.randrange(len(one) + 1), json.loads(json.dumps(pick.choice(one))))


def _shuffle(pick: random.Random, one: list[Any], raw: list[str]) -> None:
    pick.shuffle(one)


_OF_OBJECTS: tuple[Callable[[random.Random, dict[str, Any], list[str]], None], ...] = (
    _set, _set, _set, _set, _drop_key, _rename_key, _add_key, _key_twice, _swap_values,
)  # fmt: skip
_OF_LISTS: tuple[Callable[[random.Random, list[Any], list[str]], None], ...] = (
    _set_in, _set_in, _drop_in, _again, _shuffle,
)  # fmt: skip


def _trailing_comma(pick: random.Random, text: str) -> str:
    return text.replace("}", ",}", 1) if pick.random() < 0.5 else text.replace("}\n", "},\n")


def _two_documents(pick: random.Random, text: str) -> str:
    return text + pick.choice([text, "{}", "[]", "null", "\n\n", "}", "]", "\x00", "# end"])


def _wrapped(pick: random.Random, text: str) -> str:
    return pick.choice(
        ["[{}]", "[{}", '{{"questions": {}}}', "({})", "\n\n{}", "[" * 5000 + "{}"]
    ).format(text)


def _blank_lines(pick: random.Random, text: str) -> str:
    return text.replace("\n", pick.choice(["\n\n", "\n \n", "\n\t\n"]))


def _split_line(pick: random.Random, text: str) -> str:
    place = pick.randrange(len(text) + 1)
    return text[:place] + "\n" + text[place:]


_OF_TEXT: tuple[Callable[[random.Random, str], str], ...] = (
    _trailing_comma, _two_documents, _wrapped, _blank_lines, _split_line,
)  # fmt: skip
