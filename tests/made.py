"""What takes long to make is made by the first worker that needs it, for all of them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from tests import held


def common_folder(factory: pytest.TempPathFactory) -> Path:
    """The folder of this run of the tests, which its workers share."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that `make` fills once for all workers; it is to be read alone."""
    common = common_folder(factory)
    folder, is_whole = common / name, common / f"{name}.whole"
    with FileLock(common / f"{name}.lock"):
        if not is_whole.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            held.close()
            is_whole.touch()
    return folder
