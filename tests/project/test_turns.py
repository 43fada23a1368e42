"""What CI leaves out for want of time, and in which order files come."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests import conftest


@pytest.mark.parametrize(("until", "is_run"), [(-1, False), (60, True), (None, True)])
def test_what_begins_too_late_is_skipped(
    until: int | None, is_run: bool, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    if until is None:
        monkeypatch.delenv("EVALHOUSE_UNTIL", raising=False)
    else:
        monkeypatch.setenv("EVALHOUSE_UNTIL", str(time.time() + until))
    if is_run:
        conftest.pytest_runtest_setup(request.node)
    else:
        with pytest.raises(pytest.skip.Exception, match="EVALHOUSE_UNTIL"):
            conftest.pytest_runtest_setup(request.node)


def test_files_come_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """All tests stay, those of a file in order; the first file is another one with other texts."""
    config = cast("pytest.Config", None)
    tests = [_test(f"test_{file}.py", n) for file in "abcdefgh" for n in range(3)]
    firsts = set()
    for turn in ("", "1", "2", "3", "4"):
        monkeypatch.setenv("EVALHOUSE_TURN", turn)
        items = tests.copy()
        conftest.pytest_collection_modifyitems(config, items)
        assert sorted(items, key=tests.index) == tests
        for at in range(0, len(items), 3):
            start = tests.index(items[at])
            assert items[at : at + 3] == tests[start : start + 3]
        if not turn:
            assert items == tests
        firsts.add(items[0].path.name)
    assert len(firsts) > 2


def _test(file: str, n: int) -> Any:
    return SimpleNamespace(
        path=Path(file), nodeid=f"{file}::test_{n}", get_closest_marker=lambda _: None
    )
