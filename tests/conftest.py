"""What the tests share: the data in ../shared, and warehouses that are quick to make."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import duckdb
import pytest
from filelock import FileLock
from hypothesis import settings
from tabulate import tabulate

from evalhouse import Warehouse
from queries import install
from queries import release as releases
from tests import held, made
from tests.houses import QuickHouse
from warehouse import migrate

if TYPE_CHECKING:
    from tests.judging import JudgeServer

held.watch()

# How long one input takes depends on what else the machine does.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")

ROOT = Path(__file__).parent.parent


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where tests of one marker are asked for, import no file that has none: importing all takes 5 s."""
    marker = config.option.markexpr
    if not marker.isidentifier() or not collection_path.name.startswith("test_"):
        return None
    return not re.search(rf"\bmark\.{marker}\b", collection_path.read_text("utf-8")) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the tests that take long leave out all but a share (EVALHOUSE_LONG), always the same ones.

    With EVALHOUSE_TURN, any text, files come in an order that depends on it, so that it is not always
    the same ones for which there is no time (EVALHOUSE_UNTIL).
    """
    share = float(os.environ.get("EVALHOUSE_LONG") or 1)
    left = [
        item
        for item in items
        if item.get_closest_marker("long") and crc32(item.nodeid.encode()) >= share * 2**32
    ]
    if left:
        config.hook.pytest_deselected(items=left)
        out = set(left)
        items[:] = [item for item in items if item not in out]
    turn = os.environ.get("EVALHOUSE_TURN")
    if turn:
        # A file's tests stay together and in order.
        items.sort(key=lambda item: crc32(f"{turn} {item.path.name}".encode()))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip what has not begun when the time for all is over (EVALHOUSE_UNTIL, in seconds since 1970)."""
    until = os.environ.get("EVALHOUSE_UNTIL")
    if until and time.time() > float(until):
        pytest.skip("the time for this target was over (EVALHOUSE_UNTIL)")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what the kills left, as docs/security.md quotes it."""
    rows = [
        value
        for report in [one for of_kind in terminalreporter.stats.values() for one in of_kind]
        if getattr(report, "when", None) == "call"
        for name, value in report.user_properties
        if name == "kills"
    ]
    if rows:
        rows.append({"command": "all", "kills": sum(row["kills"] for row in rows)})
        terminalreporter.write_line(tabulate(rows, headers="keys"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data; its tests are skipped, saying so, where it is absent."""
    path = Path(os.environ.get("EVALHOUSE_SHARED") or ROOT.parent / "shared")
    if not (path / "real").is_dir():
        pytest.skip(f"needs the shared data, which is not at {path} (EVALHOUSE_SHARED)")
    return path


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Spark, started once: what tests open in this process are sessions on it."""
    from queries.spark import session

    with session.running(has_few_rows=True) as started:
        yield started


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """An empty warehouse with all releases and the papers.

    Making one takes 14 s. The first worker that needs it makes it for all, and for later runs of the
    tests by the same code.
    """
    own = tmp_path_factory.getbasetemp()
    folder = made.common_folder(tmp_path_factory)
    if hasattr(pytestconfig, "cache"):
        folder = pytestconfig.cache.mkdir("evalhouse")
    path = folder / f"empty-{_made_by()}.duckdb"
    with FileLock(folder / "empty.lock"):
        if not path.exists():
            new = own / "empty.duckdb.new"
            with Warehouse(new).writing() as con:
                for name in releases.shipped_names()[1:]:
                    install.install(con, releases.load(name))
                install.install_group(con, install.PAPERS)
            held.close()
            for older in folder.glob("empty-*.duckdb"):
                older.unlink()
            shutil.move(new, path)
    return path


def _made_by() -> str:
    """What an empty warehouse follows from: the code and SQL that make it, and the engine."""
    files = sorted(
        file
        for room in ("queries", "warehouse")
        for file in (ROOT / room).rglob("*.*")
        if file.suffix in (".py", ".sql", ".toml")
    )
    content = [sha256(file.read_bytes()).hexdigest() for file in files]
    return sha256(repr([duckdb.__version__, files, content]).encode()).hexdigest()[:16]


@pytest.fixture(scope="session")
def new_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty warehouse as it is made."""
    path = tmp_path_factory.mktemp("new") / "new.duckdb"
    with Warehouse(path).writing():
        pass
    return path


@pytest.fixture
def blank(request: pytest.FixtureRequest) -> Path:
    """The empty warehouse that a test copies: as it is made, or with all releases (marker all_releases)."""
    marked = request.node.get_closest_marker("all_releases")
    return request.getfixturevalue("empty_file" if marked else "new_file")  # type: ignore[no-any-return]


@pytest.fixture
def make_house(
    request: pytest.FixtureRequest, blank: Path, tmp_path: Path
) -> Callable[[str], Warehouse]:
    """Several empty warehouses, by name."""
    kind = Warehouse if request.node.get_closest_marker("as_users") else QuickHouse

    def make(name: str) -> Warehouse:
        path = tmp_path / f"{name}.duckdb"
        shutil.copy(blank, path)
        return kind(path)

    return make


@pytest.fixture
def house(make_house: Callable[[str], Warehouse]) -> Warehouse:
    """An empty warehouse of the test's own."""
    return make_house("warehouse")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[JudgeServer]:
    """A chat-completions server that misbehaves where a prediction tells it to."""
    from tests.judging import serving

    with serving(tmp_path) as running:
        yield running


@pytest.fixture
def next_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A future evalhouse: one migration more than now."""
    folder = tmp_path / "migrations"
    shutil.copytree(ROOT / "warehouse" / "migrations", folder)
    (folder / f"{migrate.available()[-1].version + 1:04}_more.sql").write_text(
        "ALTER TABLE main.model ADD COLUMN nickname VARCHAR;\n"
        "UPDATE main.model SET nickname = lower(name);\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(migrate, "_DIRECTORY", folder)
    return folder
