"""Releases, bundles and exports, changed at random where it hurts: an error of ours, or the same content.

A failure names its seed.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from evalhouse import Warehouse
from evalhouse.transfer import export_parquet
from queries import leaderboard, session
from queries import release as releases
from queries.export import bundle, bundle_files, verify
from queries.plan import plan
from tests.fuzz import CHUNKS, seeds
from tests.hostile import IN_PLACE_OF_A_FILE, in_time
from tests.tables import write_jsonl
from warehouse import connection, manifest, parquet
from warehouse.errors import EvalhouseError

_LARGE = 100_000_000
_VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    7,
    2**40,
    2**70,
    1.5,
    float("nan"),
    "",
    "x",
    "..",
    "../x",
    "/etc/passwd",
    "a/b",
    "a\0b",
    "\ud800",
    "\x1b[2J",
    "run",
    "RUN",
    "x" * 5000,
    [],
    {},
    [[]],
    {"": {}},
    ["x", 1],
]
_WORDS = [b"[" * 3000, b'"', b"\\", b"\0", b"\xff", b"\xe2\x80\xae", b"\n", b"{", b"}", b"'''", b"(" * 500, b";", b"--",
          b" UNION ALL ", b"9" * 5000, b"=", b"1e999", b"<", b"&", b"|"]  # fmt: skip


def _change(draw: random.Random, folder: Path) -> str:
    """Change something in a folder; what it was."""
    # Not what an earlier change put there that is too large to read.
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink() and path.stat().st_size < _LARGE
    )
    path = draw.choice(files)
    kinds = [_flip, _cut, _insert, _swap, _other_kind, _add, _take_away]
    if path.suffix == ".json":
        kinds += [_tell] * 12
    kind = draw.choice(kinds)
    kind(draw, path, files)
    return f"{kind.__name__} {path.relative_to(folder)}"


def _flip(draw: random.Random, path: Path, files: list[Path]) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(draw.choice([1, 1, 5, 50])):
        if content:
            content[draw.randrange(len(content))] ^= 1 << draw.randrange(8)
    path.write_bytes(content)


def _cut(draw: random.Random, path: Path, files: list[Path]) -> None:
    content = path.read_bytes()
    begin, end = sorted(draw.choices(range(len(content) + 1), k=2))
    path.write_bytes(draw.choice([content[:begin], content[end:], content[:begin] + content[end:]]))


def _insert(draw: random.Random, path: Path, files: list[Path]) -> None:
    content = path.read_bytes()
    place = draw.randrange(len(content) + 1)
    path.write_bytes(content[:place] + draw.choice(_WORDS) + content[place:])


def _swap(draw: random.Random, path: Path, files: list[Path]) -> None:
    path.write_bytes(draw.choice(files).read_bytes())


def _other_kind(draw: random.Random, path: Path, files: list[Path]) -> None:
    path.unlink()
    IN_PLACE_OF_A_FILE[draw.choice(sorted(IN_PLACE_OF_A_FILE))][0](path)


def _add(draw: random.Random, path: Path, files: list[Path]) -> None:
    name = draw.choice(
        [
            path.name.upper(),
            f"x{path.name}",
            f".{path.name}",
            f"a b{path.suffix}",
            "select.sql",
            "x.sql",
        ]
    )
    if not (path.parent / name).exists():
        shutil.copy(path, path.parent / name)


def _take_away(draw: random.Random, path: Path, files: list[Path]) -> None:
    path.unlink()


def _tell(draw: random.Random, path: Path, files: list[Path]) -> None:
    """Another value, none, or one twice, somewhere in JSON."""
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return
    place, inner = None, content
    while isinstance(inner, (dict, list)) and inner and (place is None or draw.random() < 0.8):
        key = draw.choice(sorted(inner)) if isinstance(inner, dict) else draw.randrange(len(inner))
        place, inner = (inner, key), inner[key]
    if place is None:
        return
    holder, key = place
    kind = draw.randrange(4)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.append(holder[key])
    elif kind == 2 and isinstance(holder, dict):
        holder[draw.choice(["x", "RUN", str(key).upper()])] = holder[key]
    else:
        holder[key] = draw.choice(_VALUES)
    path.write_text(json.dumps(content), "utf-8")


def _tried(
    numbers: range, whole: Path, tmp_path: Path, look: Callable[[Path, random.Random], bool]
) -> int:
    """Look at changed copies of a folder; how many were none that can be used."""
    n_refused = 0
    for seed in numbers:
        draw = random.Random(seed)
        folder = Path(shutil.copytree(whole, tmp_path / str(seed) / "a" / whole.name))
        changes = [_change(draw, folder) for _ in range(draw.choice([1, 1, 2, 3]))]
        try:
            with in_time(60):
                n_refused += look(folder, draw)
        except BaseException as error:
            error.add_note(f"seed {seed}: {changes}")
            raise
        shutil.rmtree(tmp_path / str(seed))
    return n_refused


@pytest.fixture(scope="module")
def house(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    folder = tmp_path_factory.mktemp("small")
    made = Warehouse(shutil.copy(new_file, folder / "small.duckdb"))
    rows = [{"question_key": k, "question": "Q", "A": "a", "B": "b", "answer": "A"} for k in "123"]
    made.ingest(write_jsonl(folder / "q.jsonl", rows), benchmark="Own")
    said = [
        {"question_key": k, "prediction": says, "model": m}
        for m, says in (("m", "A"), ("n|", "B"))
        for k in "123"
    ]
    made.ingest(write_jsonl(folder / "p.jsonl", said), benchmark="Own")
    return made


# Releases.


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release") / "own"
    (folder / "macros").mkdir(parents=True)
    (folder / "papers").mkdir()
    (folder / "release.toml").write_text('description = "own"\n', "utf-8")
    (folder / "one.sql").write_text(
        "-- One.\n-- @n a number\nSELECT count(*) AS n FROM main.run", "utf-8"
    )
    (folder / "two.sql").write_text(
        "WITH a AS (SELECT n FROM one WHERE half(n) > 1 OR n IN (1, 2)) SELECT n, CASE WHEN n = 1 "
        "THEN 'x' END AS c FROM a",
        "utf-8",
    )
    (folder / "papers" / "t1.sql").write_text("SELECT n FROM two ORDER BY n", "utf-8")
    (folder / "papers" / "pivots.toml").write_text(
        '[lists.both]\nlow = { of = "min", meaning = "The least" }\nhigh = "max"\n\n'
        '[views.t2]\ntemplate = "of"\nwhat = "Two."\ncolumns = "both"\n',
        "utf-8",
    )
    (folder / "papers" / "of.template.sql").write_text(
        "-- {what}\n-- @{columns.name} {columns.meaning}.\n"
        "SELECT\n    {columns.of}(n){break} AS {columns.name}{,}\nFROM two\n",
        "utf-8",
    )
    (folder / "macros" / "half.sql").write_text("CREATE MACRO half(x) AS coalesce(x, 0)", "utf-8")
    releases.freeze(releases.load(str(folder)))
    # Frozen, nearly every change is refused for that.
    shutil.copy(folder / "frozen.toml", folder / "notes.toml")
    (folder / "frozen.toml").unlink()
    return folder


def _planned(folder: Path, draw: random.Random) -> bool:
    if draw.random() < 0.2 and (folder / "notes.toml").is_file():
        (folder / "notes.toml").rename(folder / "frozen.toml")
    try:
        plan(releases.load(str(folder)))
    except EvalhouseError:
        return True
    return False


def test_releases(own: Path, tmp_path: Path) -> None:
    assert 0 < _tried(range(40), own, tmp_path, _planned) < 40


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_releases(own: Path, tmp_path: Path, chunk: int) -> None:
    _tried(seeds(chunk, begin=1000), own, tmp_path, _planned)


# Exports.


@pytest.fixture(scope="module")
def exported(house: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exported") / "export"
    with house.reading(folders=[folder.parent]) as con:
        export_parquet(con, folder)
    return folder


def _imported(house: Warehouse, blank: Path) -> Callable[[Path, random.Random], bool]:
    with house.reading() as con:
        wanted = parquet.contents(con)

    def look(folder: Path, draw: random.Random) -> bool:
        """What `import` does before it installs the views, which no folder has a say in."""
        new = folder.parent / "new.duckdb"
        try:
            declared = manifest.read(folder)
            parquet.require_known(folder, declared)
            shutil.copy(blank, new)
            con = connection.open_for_writing(new, schema_version=declared.schema_version)
            try:
                parquet.load(con, folder, declared)
                assert parquet.contents(con) == wanted
            finally:
                con.close()
        except EvalhouseError:
            return True
        return False

    return look


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("blank") / "blank.duckdb"
    connection.open_for_writing(path).close()
    return path


@pytest.mark.slow
def test_exports(house: Warehouse, exported: Path, blank: Path, tmp_path: Path) -> None:
    assert _tried(range(8), exported, tmp_path, _imported(house, blank)) > 4


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_many_exports(
    house: Warehouse, exported: Path, blank: Path, tmp_path: Path, chunk: int
) -> None:
    _tried(seeds(chunk, begin=1000), exported, tmp_path, _imported(house, blank))


# Bundles.


@pytest.fixture(scope="module")
def bundled(house: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundled") / "boards"
    with house.reading() as con:
        bundle.write(con, folder, bundle.Choice(levels=("overall",)), evalhouse="0")
    return folder


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same query runs once, and the same boards are drawn once."""
    boards, rendered, basis = leaderboard.boards, bundle_files.rendered, bundle.basis
    known: dict[str, Any] = {}

    def once(name: str, call: Callable[[], Any]) -> Any:
        if name not in known:
            known[name] = call()
        return known[name]

    monkeypatch.setattr(
        leaderboard,
        "boards",
        lambda con, options, **a: once(f"{options}", lambda: boards(con, options, **a)),
    )
    # Views of the connection's own take a second each time.
    monkeypatch.setattr(session, "use_facts", session.use_release)
    monkeypatch.setattr(
        bundle_files,
        "rendered",
        lambda *a, **k: once(f"rendered {a} {k}", lambda: rendered(*a, **k)),
    )
    monkeypatch.setattr(
        bundle,
        "basis",
        lambda con, release, views, judges, evalhouse: once(
            f"{release} {sorted(judges)}",
            lambda: basis(con, release, views, judges, evalhouse=evalhouse),
        ),
    )


def _verified(con: duckdb.DuckDBPyConnection, whole: Path) -> Callable[[Path, random.Random], bool]:
    before = {path.name: path.read_bytes() for path in whole.iterdir()}

    def look(folder: Path, draw: random.Random) -> bool:
        try:
            verdict = verify.verify(con, folder, evalhouse="0")
        except EvalhouseError:
            return True
        for difference in verdict.differences:
            assert "\n" not in difference.line()
        if verdict.differences:
            return True
        # Whatever is not as it was written is named.
        for name, content in before.items():
            path = folder / name
            if name != "manifest.json" and not (path.is_file() and path.read_bytes() == content):
                assert any(name in note for note in verdict.notes), name
        return False

    return look


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_bundles(house: Warehouse, bundled: Path, tmp_path: Path) -> None:
    with house.reading() as con:
        assert _tried(range(12), bundled, tmp_path, _verified(con, bundled)) > 6


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.usefixtures("quick")
def test_many_bundles(house: Warehouse, bundled: Path, tmp_path: Path, chunk: int) -> None:
    with house.reading() as con:
        _tried(seeds(chunk, begin=1000), bundled, tmp_path, _verified(con, bundled))
