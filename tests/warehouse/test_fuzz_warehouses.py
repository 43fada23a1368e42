"""Strange and damaged warehouses through the commands: one line where one fails, and facts left alone."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from evalhouse import Warehouse
from tests.damaged import Damage, forget_what_is_read, through_bytes, through_sql
from tests.fuzz import CHUNKS, N, seeds
from tests.giving import Went, give
from tests.tables import add_replies, question_rows, register_judge, write_jsonl
from tests.warehouse.test_merge import _QUESTIONS

_N_WAREHOUSES = max(min(N, 500), N // 4)
"""Each goes through four commands, so that `make fuzz` gives 10,000."""
_READING = (
    ("status",),
    ("runs",),
    ("judges",),
    ("releases",),
    ("subsets", "list"),
    ("leaderboard", "Own"),
    ("leaderboard", "Own", "--judge", "J", "--runs", "all", "--format", "json"),
    ("compare", "one", "two"),
    ("show", "1", "--model", "one"),
    ("sql", "SELECT * FROM leaderboard"),
    ("sql", "SELECT * FROM main.prediction"),
    ("sql",),
    ("export", "--parquet", "parquet"),
    ("export", "bundle", "bundle", "Own"),
    ("export", "vlmevalkit", "1", "-o", "files"),
)
_WRITING = (
    ("ingest", "new.jsonl", "--benchmark", "Own"),
    ("ingest", "new.jsonl", "--benchmark", "Own", "--strict"),
    ("refresh",),
    ("refresh", "--drop"),
    ("migrate",),
    ("runs", "rename", "1", "--label", "other"),
    ("runs", "retract", "1"),
    ("judges", "retract", "J"),
    ("merge", "sound.duckdb"),
    ("releases", "install"),
    ("merge", "damaged.duckdb", "--db", "sound.duckdb"),
)


@pytest.fixture(scope="module")
def sound(new_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small warehouse, and a file to ingest."""
    folder = tmp_path_factory.mktemp("sound")
    shutil.copy(new_file, folder / "sound.duckdb")
    house = Warehouse(folder / "sound.duckdb")
    house.ingest(write_jsonl(folder / "q.jsonl", question_rows(_QUESTIONS)), benchmark="Own")
    for model in ("one", "two", "three"):
        rows = [
            {"model": model, "question_key": q.key, "pass": p, "prediction": f"{model} A {p}"}
            for q in _QUESTIONS
            for p in (0, 1)
        ]
        file = write_jsonl(folder / ("new.jsonl" if model == "three" else f"{model}.jsonl"), rows)
        if model != "three":
            house.ingest(file, benchmark="Own")
    judge = register_judge(house, "J")
    add_replies(
        house,
        judge,
        [(q, p, f"{m} A {p}", "B") for q in _QUESTIONS for p in (0, 1) for m in ("one", "two")],
    )
    house.refresh()
    forget_what_is_read(folder / "sound.duckdb")
    (folder / "secret.txt").write_text("a,b\n1,2\n", "utf-8")
    return folder


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_strange_warehouses(
    sound: Path, tmp_path: Path, record_property: Callable[[str, object], None], chunk: int
) -> None:
    escaped: Counter[str] = Counter()
    numbers = seeds(chunk, n=_N_WAREHOUSES)
    n_commands = 0
    for seed in numbers:
        damage, went = one(sound, tmp_path / "work", seed)
        n_commands += len(went) if isinstance(went, list) else 1
        for problem in problems(damage, went):
            escaped[problem] += 1
            print(f"seed {seed}: {damage.what[:150]!r}: {problem}")
    record_property(
        "fuzz",
        f"warehouses: {len(numbers)} inputs, {n_commands} commands, {escaped.total()} escaped",
    )
    assert not escaped, "\n".join(f"{n}: {what}" for what, n in escaped.most_common())


def one(sound: Path, folder: Path, seed: int) -> tuple[Damage, list[Went] | str]:
    """Damage a copy and give it to a few commands."""
    pick = random.Random(seed)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(sound, folder)
    path = folder / "damaged.duckdb"
    shutil.copy(folder / "sound.duckdb", path)
    damage = (through_bytes if seed % 3 == 0 else through_sql)(path, pick)
    commands = [("check",), *pick.sample(_READING, 2), pick.choice(_WRITING)]
    return damage, give(folder, commands)


def problems(damage: Damage, went: list[Went] | str) -> list[str]:
    """What is not as it should be."""
    if isinstance(went, str):
        return [went]
    found = []
    for one in went:
        words = " ".join(one.words[:2])
        if one.code is None:
            found.append(f"{words}: traceback: {one.err}")
        elif one.code not in (0, 1, 2):
            found.append(f"{words}: exit code {one.code}")
        elif one.code and one.words[0] != "check" and one.n_lines != 1:
            found.append(f"{words}: {one.n_lines} lines of error: {one.err}")
        elif one.code and one.has_kept is False:
            found.append(f"{words}: failed, and changed facts: {one.err}")
    if damage.is_wrong and went[0].code == 0:
        found.append("check does not name it")
    return found
