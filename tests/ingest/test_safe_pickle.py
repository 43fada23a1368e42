"""A pickle is read as data: what it holds comes back, and nothing that it says is run."""

from __future__ import annotations

import builtins
import math
import os
import pickle
import struct
import sys
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalhouse import Warehouse
from ingest.reading import safe_pickle
from ingest.reading.safe_pickle import MAX_BYTES, load
from tests.tables import facts
from warehouse.errors import InputError

_PLAIN = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.integers(min_value=2**70)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.dictionaries(st.one_of(st.text(), st.integers()), inner, max_size=4),
    ),
    max_leaves=12,
)  # fmt: skip


def _write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@given(_PLAIN, st.sampled_from([2, 3, 4, 5]))
def test_plain_values_come_back(
    tmp_path_factory: pytest.TempPathFactory, value: object, protocol: int
) -> None:
    content = pickle.dumps(value, protocol)
    path = _write(tmp_path_factory.getbasetemp() / "plain.pkl", content)
    assert repr(load(path)) == repr(value)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = _write(tmp_path_factory.getbasetemp() / "bytes.pkl", b"\x80\x04" + content)
    with suppress(InputError):
        load(path)


def _scalar(code: str, data: bytes, order: str = "<", module: str = "numpy._core.multiarray") -> bytes:  # fmt: skip
    """A NumPy scalar as NumPy pickles it."""
    state = pickle.dumps((3, order, None, None, None, -1, -1, 0), 2)[2:-1]
    return (
        b"\x80\x04"
        + _text(module) + _text("scalar") + b"\x93"
        + _text("numpy") + _text("dtype") + b"\x93" + _text(code) + b"\x89\x88\x87R" + state + b"b"
        + b"C" + bytes([len(data)]) + data + b"\x86R."
    )  # fmt: skip


def _text(text: str) -> bytes:
    return b"\x8c" + bytes([len(text)]) + text.encode()


@pytest.mark.parametrize(
    ("code", "data", "order", "expected"),
    [
        ("i8", struct.pack("<q", -241), "<", -241),
        ("i8", struct.pack(">q", 252), ">", 252),
        ("u1", b"\xff", "|", 255),
        ("f8", struct.pack("<d", 0.1), "<", 0.1),
        ("f4", struct.pack("<f", 0.5), "<", 0.5),
        ("b1", b"\x01", "|", True),
    ],
)
def test_numpy_scalars_become_numbers_without_numpy(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    code: str,
    data: bytes,
    order: str,
    expected: object,
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "numpy"]:
        monkeypatch.setitem(sys.modules, name, None)
    for module in ("numpy._core.multiarray", "numpy.core.multiarray"):
        value = load(_write(tmp_path / "scalar.pkl", _scalar(code, data, order, module)))
        assert (value, type(value)) == (expected, type(expected))


def test_real_scalars_of_numpy(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    value = {numpy.int64(7): {"hit": numpy.int32(1), "score": numpy.float64("nan")}}
    found = load(_write(tmp_path / "numpy.pkl", pickle.dumps(value)))
    assert isinstance(found, dict)
    assert type(next(iter(found))) is int
    assert found[7]["hit"] == 1
    assert math.isnan(found[7]["score"])


class _Run:
    """Pickles as a call."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.call = (function, arguments)

    def __reduce__(self) -> Any:
        return self.call


_MARK = "evalhouse_pickle_was_run"
_CODE = f"setattr(__import__('builtins'), '{_MARK}', True)"
_GLOBAL_DTYPE = _text("numpy") + _text("dtype") + b"\x93"
_GLOBAL_SCALAR = _text("numpy._core.multiarray") + _text("scalar") + b"\x93"
_DTYPE = _GLOBAL_DTYPE + _text("i8") + b"\x89\x88\x87R"

ATTACKS = {
    "a system command": pickle.dumps(_Run(os.system, "touch was-run")),
    "eval": pickle.dumps({"a": _Run(eval, _CODE)}),
    "exec in protocol 2": pickle.dumps(_Run(exec, _CODE), 2),
    "getattr": b"\x80\x04" + _text("builtins") + _text("getattr") + b"\x93.",
    "a dotted name": b"\x80\x04" + _text("numpy") + _text("dtype.__class__.__base__") + b"\x93.",
    "another name of the module": b"\x80\x04" + _text("numpy") + _text("load") + b"\x93.",
    "an old global": b"\x80\x02cos\nsystem\n(X\x04\x00\x00\x00truetR.",
    "the registry's constructor": pickle.dumps(Path("x")),
    "a class of the library": pickle.dumps(OrderedDict(a=1)),
    "an instance": b"\x80\x02(i__builtin__\nlist\n.",
    "an object": b"\x80\x04(" + _GLOBAL_DTYPE + b"o.",
    "a new object": b"\x80\x04" + _GLOBAL_DTYPE + b")\x81.",
    "an extension code": b"\x80\x04\x82\x01.",
    "a persistent id": b"\x80\x04" + _text("id") + b"Q.",
    "a persistent id as text": b"\x80\x04Pid\n.",
    "a state for a global": b"\x80\x04" + _GLOBAL_SCALAR + b"}" + _text("__call__") + _GLOBAL_DTYPE + b"sb.",
    "slots for a global": b"\x80\x04" + _GLOBAL_SCALAR + b"N}" + _text("__class__") + b"Ns\x86b.",
    "a state for a type": b"\x80\x04" + _DTYPE + b"}" + _text("order") + b"Nsb.",
    "an object type": _scalar("O8", b"12345678", "|"),
    "a type of texts": _scalar("U1", b"1234"),
    "a scalar of too few bytes": _scalar("i8", b"1234"),
    "an order of bytes that is code": _scalar("i8", b"12345678", "100000s"),
    "a scalar without a type": b"\x80\x04" + _GLOBAL_SCALAR + b"NC\x01x\x86R.",
    "a global alone": b"\x80\x04" + _GLOBAL_DTYPE + b".",
    "a type alone": b"\x80\x04" + _DTYPE + b".",
    "items for a global": b"\x80\x04" + _GLOBAL_DTYPE + b"NNs.",
    "an entry for a global": b"\x80\x04" + _GLOBAL_DTYPE + b"Na.",
    "a huge memo": b"\x80\x04Nr\xff\xff\xff\x7f.",
    "a huge memo as text": b"\x80\x02Np99999999999\n.",
    "a memo that is not there": b"\x80\x04h\x05.",
    "a huge text": b"\x80\x04\x8d" + b"\xff" * 7 + b"\x7f.",
    "a huge array of bytes": b"\x80\x05\x96" + b"\xff" * 5 + b"\x00" * 3 + b".",
    "bytes": pickle.dumps({"a": b"x"}),
    "a set": pickle.dumps({1, 2}),
    "deep tuples as a key": b"\x80\x04})" + b"\x85" * 1_000_000 + b"Ns.",
    "deep pairs as a key": b"\x80\x04})" + b"N\x86" * 1_000_000 + b"Ns.",
    "pairs of pairs as a key": b"\x80\x04})\x94" + b"".join(b"h%c\x86\x94" % n for n in range(40)) + b"Ns.",
    "deep lists": b"\x80\x04" + b"]" * 100_000 + b"a" * 99_999 + b".",
    "a list that holds itself": b"\x80\x04]\x94h\x00a.",
    "a tree of doubles": b"\x80\x04]\x94" + b"".join(b"](h%ch%ce\x94" % (n, n) for n in range(60)) + b".",
    "many times a long "
    "text": b"\x80\x04](" + b"X\x40\x42\x0f\x00" + b"x" * 1_000_000 + b"\x94" + b"h\x00" * 100_000 + b"e.",
    "half a character": b"\x80\x04\x8c\x03\xed\xa0\x80.",
    "a mapping that cannot be": b"\x80\x04}]Ns.",
    "nothing": b"\x80\x04",
    "no end": b"\x80\x04]",
    "an empty stack": b"\x80\x04.",
    "a mark alone": b"\x80\x04(.",
    "a protocol to come": b"\x80\xff.",
    "a long number": b"\x80\x02I" + b"9" * 10_000 + b"\n.",
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_that_a_pickle_says_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attack: str
) -> None:
    path = _write(tmp_path / "bad.pkl", ATTACKS[attack])
    monkeypatch.chdir(tmp_path)
    modules = set(sys.modules)
    with pytest.raises(InputError) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert not hasattr(builtins, _MARK)
    assert [file.name for file in tmp_path.iterdir()] == ["bad.pkl"]
    assert set(sys.modules) == modules


def test_stand_ins_are_as_they_were() -> None:
    """No attack above has changed what later files are read with."""
    for stand_in in safe_pickle._GLOBALS.values():
        assert not hasattr(stand_in, "__dict__")
    assert [type(one).__name__ for one in safe_pickle._GLOBALS.values()] == [
        "_DtypeMaker",
        "_ScalarMaker",
        "_ScalarMaker",
    ]


def test_a_large_pickle_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.pkl"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(InputError, match="up to 64,000,000 are read"):
        load(path)


def test_a_bad_pickle_leaves_the_warehouse_as_it_was(house: Warehouse, tmp_path: Path) -> None:
    path = _write(tmp_path / "m_MMBench_J_result.pkl", ATTACKS["a system command"])
    before = facts(house.path)
    with pytest.raises(InputError, match=r"needs (posix|nt)\.system"):
        house.ingest(path)
    assert facts(house.path) == before
