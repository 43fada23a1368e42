"""Reading a pickle as data: plain containers, texts and numbers, and nothing that could run.

A pickle is a program. This one is read through an allow-list, three times over: of its opcodes,
before anything is loaded (no extension codes, no persistent ids, no making of instances; memo
places, nesting and repetition within bounds); of its globals, where only NumPy's scalars have a
meaning, given by stand-ins of our own, so that NumPy is never imported; and of the types in what it
made.
"""

from __future__ import annotations

import io
import pickle
import pickletools
import struct
from pathlib import Path
from typing import Any, NamedTuple

from warehouse.errors import InputError

MAX_BYTES = 64_000_000
"""The largest pickle that is read. VLMEvalKit's hold some hundred bytes for each question."""

_MAX_DEPTH = 50
_MAX_TEXT_PER_BYTE = 16
_MAX_AGAIN_PER_BYTE = 16
_UNFOLDS = "it unfolds into far more than the file's own size"
_PLAIN = (bool, int, float, str, type(None))
_GROWING = {"APPEND", "APPENDS", "SETITEM", "SETITEMS", "BUILD"}
_PUTS = {"PUT", "BINPUT", "LONG_BINPUT"}
_GETS = {"GET", "BINGET", "LONG_BINGET"}
# As pickletools prints them.
_OPCODES = frozenset(
    """PROTO FRAME STOP MARK MEMOIZE PUT BINPUT LONG_BINPUT GET BINGET LONG_BINGET
    NONE NEWTRUE NEWFALSE INT BININT BININT1 BININT2 LONG1 BINFLOAT
    BINUNICODE SHORT_BINUNICODE BINUNICODE8 BINBYTES SHORT_BINBYTES
    EMPTY_DICT EMPTY_LIST EMPTY_TUPLE LIST DICT TUPLE TUPLE1 TUPLE2 TUPLE3
    APPEND APPENDS SETITEM SETITEMS GLOBAL STACK_GLOBAL REDUCE BUILD""".split()  # noqa: SIM905
)


def load(path: Path) -> object:
    """What a pickle holds: dict, list, tuple, str, int, float, bool and None.

    Raises:
        InputError: it is too large or broken, or needs anything else. Nothing of it has run.
    """
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise InputError(path, f"is a pickle of {size:,} bytes; up to {MAX_BYTES:,} are read")
    data = path.read_bytes()
    try:
        _scan(data)
        value = _Unpickler(io.BytesIO(data)).load()
        _check(value, len(data))
    except Exception as error:  # a broken program can fail in any way
        raise InputError(
            path,
            "is no pickle of plain containers, texts and numbers, and nothing else is read: "
            f"{error or type(error).__name__}",
        ) from error
    return value


class _Extent(NamedTuple):
    """How deep a value nests, and how many values it unfolds into."""

    depth: int
    n_values: int


_PLAIN_EXTENT = _Extent(0, 1)


def _scan(data: bytes) -> None:
    """Go through the program without running it.

    Follows how deep values nest and how often they stand there again, since hashing a deeply nested
    tuple would overflow the stack, and hashing pairs of pairs of the same would not end.
    """
    stack: list[_Extent | None] = []  # None: a mark
    memo: dict[int, _Extent] = {}
    n_again = 0
    for opcode, argument, _ in pickletools.genops(data):
        name = opcode.name
        if name not in _OPCODES:
            raise pickle.UnpicklingError(f"the opcode {name} has no place here")
        if name in _PUTS or name == "MEMOIZE":
            place = len(memo) if argument is None else int(argument)
            if place > len(data):
                raise pickle.UnpicklingError("a memo place beyond the file's own length")
            memo[place] = stack[-1] or _PLAIN_EXTENT
        elif name in _GETS:
            again = memo[int(argument or 0)]
            n_again += again.n_values
            if n_again > _MAX_AGAIN_PER_BYTE * len(data):
                raise pickle.UnpicklingError(_UNFOLDS)
            stack.append(again)
        elif name == "MARK":
            stack.append(None)
        elif name not in ("PROTO", "FRAME", "STOP"):
            _follow(stack, opcode)
        if stack and (stack[-1] or _PLAIN_EXTENT).depth > _MAX_DEPTH:
            raise pickle.UnpicklingError(f"nested more than {_MAX_DEPTH} deep")


def _follow(stack: list[_Extent | None], opcode: pickletools.OpcodeInfo) -> None:
    """Do to the extents what an opcode does to the values."""
    taken: list[_Extent] = []
    n_before = len(opcode.stack_before)
    if pickletools.markobject in opcode.stack_before:
        while (extent := stack.pop()) is not None:
            taken.append(extent)
        n_before = opcode.stack_before.index(pickletools.markobject)
    taken += [stack.pop() or _PLAIN_EXTENT for _ in range(n_before)]
    if opcode.name in _GROWING:
        *added, container = taken
    elif opcode.stack_after:
        added, container = taken, _PLAIN_EXTENT
    else:
        return
    stack.append(
        _Extent(
            max([container.depth, *(1 + one.depth for one in added)]),
            container.n_values + sum(one.n_values for one in added),
        )
    )


class _StandIn:
    """What a global's name stands for: it can be called, and nothing else.

    `__setstate__` is there so that the opcode BUILD cannot set attributes.
    """

    __slots__ = ()

    def __setstate__(self, state: object) -> None:
        raise pickle.UnpicklingError("a global cannot be given a state")


class _DtypeMaker(_StandIn):
    __slots__ = ()

    def __call__(self, code: object, align: object = False, copy: object = True) -> _Dtype:
        return _Dtype(code)


class _ScalarMaker(_StandIn):
    __slots__ = ()

    def __call__(self, dtype: object, data: object) -> int | float | bool:
        if not isinstance(dtype, _Dtype) or not isinstance(data, bytes):
            raise pickle.UnpicklingError("a NumPy scalar of no plain kind")
        (value,) = struct.unpack(dtype.order + _STRUCT_CODES[dtype.code], data)
        assert isinstance(value, int | float)
        return value


class _Dtype:
    """A NumPy dtype of whole numbers, floating-point numbers or truth values."""

    __slots__ = ("code", "order")

    def __init__(self, code: object) -> None:
        if not isinstance(code, str) or code not in _STRUCT_CODES:
            raise pickle.UnpicklingError(f"the NumPy type {code!r} is no plain number")
        self.code = code
        self.order = "<"

    def __setstate__(self, state: object) -> None:
        if not isinstance(state, tuple) or len(state) != 8 or any(state[2:5]):
            raise pickle.UnpicklingError("a NumPy type of no plain kind")
        if state[1] not in ("<", ">", "|"):
            raise pickle.UnpicklingError(f"no order of bytes: {state[1]!r}")
        self.order = ">" if state[1] == ">" else "<"


_STRUCT_CODES = {
    "b1": "?", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I", "u8": "Q",
    "f2": "e", "f4": "f", "f8": "d",
}  # fmt: skip

_GLOBALS: dict[tuple[str, str], _StandIn] = {
    ("numpy", "dtype"): _DtypeMaker(),
    ("numpy._core.multiarray", "scalar"): _ScalarMaker(),
    ("numpy.core.multiarray", "scalar"): _ScalarMaker(),
}


class _Unpickler(pickle.Unpickler):
    """Knows the globals above and imports nothing."""

    def find_class(self, module: str, name: str) -> Any:
        try:
            return _GLOBALS[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"it needs {module}.{name}") from None

    def persistent_load(self, pid: object) -> Any:
        raise pickle.UnpicklingError("it needs something outside the file")


def _check(value: object, size: int) -> None:
    """Refuse anything but plain values, and what is much larger than the file (or without end)."""
    waiting = [value]
    n_seen = n_characters = 0
    while waiting:
        one = waiting.pop()
        n_seen += 1
        if type(one) is dict:
            waiting.extend(one.keys())
            waiting.extend(one.values())
        elif type(one) is list or type(one) is tuple:
            waiting.extend(one)
        elif type(one) is str:
            n_characters += len(one.encode())
        elif type(one) not in _PLAIN:
            raise pickle.UnpicklingError(f"it holds a {type(one).__name__.lstrip('_')}")
        if n_seen > size or n_characters > _MAX_TEXT_PER_BYTE * size:
            raise pickle.UnpicklingError(_UNFOLDS)
