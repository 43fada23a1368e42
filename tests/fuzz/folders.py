"""Whole result folders with something wrong in them: files that changed places, links, pipes, names."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

from ingest.settings import Settings
from tests.fuzz.corpus import Case
from tests.fuzz.mutate import mutate

_MOST = 6


def make(
    pick: random.Random, groups: dict[str, list[Case]], files: Path, inside: Path
) -> tuple[Case, Settings, list[Path]]:
    """Some files of one or two folders below `inside`, some mutated, and the folder changed."""
    every = [case for name in sorted(groups) for case in groups[name]]
    case = pick.choice(every)
    folder = (files / case.path).parent
    alike = [one for one in every if (files / one.path).parent == folder]
    chosen = pick.sample(alike, min(len(alike), _MOST)) + pick.sample(every, pick.choice([0, 1, 2]))
    for one in chosen:
        target = inside / one.path
        target.parent.mkdir(parents=True, exist_ok=True)
        content = (files / one.path).read_bytes()
        target.write_bytes(mutate(pick, target.name, content) if pick.random() < 0.3 else content)
    for _ in range(pick.choice([1, 1, 2, 4])):
        pick.choice(_CHANGES)(pick, inside)
    flags = dict(case.flags) | pick.choice([{}, {}, {"run": "fuzz"}, {"replace": True}])
    return Case(str(Path(case.path).parent), "folder"), Settings(**flags), [inside]


def _files(inside: Path) -> list[Path]:
    return sorted(path for path in inside.rglob("*") if path.is_file() and not path.is_symlink())


def _swap(pick: random.Random, inside: Path) -> None:
    one, other = pick.choice(_files(inside)), pick.choice(_files(inside))
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)


def _rename(pick: random.Random, inside: Path) -> None:
    one = pick.choice(_files(inside))
    model, _, rest = one.name.partition("_")
    name = pick.choice(
        [
            f"other-vlm_{rest}",
            f"{model}_MMBench_DEV_EN{one.suffix}",
            f"x{one.suffix}",
            one.stem,
            f"{one.stem}.csv",
            f"a\nb{one.suffix}",
            f"é{one.suffix}",
            "[x]*?" + one.suffix,
            "'; --" + one.suffix,
            "_results.json",
            "samples_x.jsonl",
        ]
    )
    one.rename(one.with_name(name))


def _link(pick: random.Random, inside: Path) -> None:
    one = pick.choice(_files(inside))
    target = pick.choice([one, one.parent, Path("nowhere"), inside, Path(one.name + "-link")])
    link = one.with_name(one.name + "-link")
    if not link.is_symlink():
        link.symlink_to(target)


def _pipe(pick: random.Random, inside: Path) -> None:
    path = inside / f"pipe{pick.randrange(99)}.csv"
    if not path.exists():
        os.mkfifo(path)


def _empty(pick: random.Random, inside: Path) -> None:
    pick.choice(_files(inside)).write_bytes(b"")


def _copy(pick: random.Random, inside: Path) -> None:
    one = pick.choice(_files(inside))
    folder = inside / pick.choice(["again", "m/T20260101-000000", "outputs/x"])
    folder.mkdir(parents=True, exist_ok=True)
    if one.parent != folder:
        shutil.copy(one, folder / one.name)


def _folder_for_file(pick: random.Random, inside: Path) -> None:
    one = pick.choice(_files(inside))
    content = one.read_bytes()
    one.unlink()
    one.mkdir()
    (one / one.name).write_bytes(content)


_CHANGES = (_swap, _rename, _link, _pipe, _empty, _copy, _folder_for_file)
