"""The files that names, folders and patterns mean, also through links; each file once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path

from ingest.official import hub_cache
from ingest.reading import contents
from warehouse.connection import log_of
from warehouse.errors import InputError

_KEPT = frozenset({".bak", ".backup", ".old", ".orig"})


@dataclass(frozen=True)
class File:
    """A file to read. `named`: outright, so that it has to be one that can be read."""

    path: Path
    named: bool


def expand(words: Sequence[Path], warehouse: Path) -> list[File]:
    """The files that are meant, each path once.

    A folder means all files below it and a pattern the files and folders that it fits, sorted and
    without hidden ones, but for the files of a hidden folder; the warehouse itself is never meant.
    Links that lead nowhere and folders that cannot be opened are among them, so that they are named.

    Raises:
        InputError: a folder or a pattern without any file.
    """
    files: dict[Path, File] = {}
    house = _real(warehouse)
    own = {house, log_of(house)}
    for word in words:
        if word.is_dir():
            found = _below(word)
        elif has_magic(str(word)) and not word.exists():
            # Path.glob fits no absolute pattern, and ** only folders.
            fitting = map(Path, glob(str(word), recursive=True))  # noqa: PTH207
            found = [one for path in fitting for one in (_below(path) if path.is_dir() else [path])]
        else:
            files[word] = File(word, named=True)
            continue
        found = [path for path in found if _real(path) not in own]
        if not found:
            raise InputError(word, "no file there" if word.is_dir() else "fits no file")
        for path in sorted(found):
            files.setdefault(path, File(path, named=False))
    return list(files.values())


def repeated(files: Sequence[File]) -> dict[Path, str]:
    """Of a file that has several paths, all paths except one; each with what it is.

    What counts is the file itself rather than a link to it, such as VLMEvalKit makes next to its
    work dirs; but of the hub's cache the link, which has the name.
    """
    by_target: dict[Path, list[Path]] = {}
    for file in files:
        by_target.setdefault(_real(file.path), []).append(file.path)
    left = {}
    for target, paths in by_target.items():
        if len(paths) == 1:
            continue
        own = [path for path in paths if not path.is_symlink()]
        if hub_cache.is_blob(target):
            kept = next((path for path in paths if path not in own), own[0])
        else:
            # The file by its own path rather than through a linked folder.
            kept = min(own or paths, key=lambda path: path.absolute() != target)
        for path in paths:
            if path != kept:
                word = "a link to" if path.is_symlink() else "the same file as"
                left[path] = f"{word} {kept}"
    return left


def aside(files: Sequence[File]) -> dict[Path, str]:
    """What lies in folders and is no result whatever it is called, each with what it is.

    A link that leads nowhere, such as VLMEvalKit's in a work dir that was moved; a copy that was
    kept of a file; Excel's note of who has one open.
    """
    left = {}
    for file in files:
        path = file.path
        if path.is_symlink() and not path.is_file():
            left[path] = _lost(path)
        elif path.name.startswith("~$"):
            left[path] = "Excel's note of who has the file open"
        elif path.suffix.lower() in _KEPT and contents.may_hold_results(path.with_suffix("")):
            left[path] = f"a copy that was kept of {path.stem}"
    return left


def _lost(path: Path) -> str:
    """What a link is that leads nowhere, and where its file lies now: below it as it was elsewhere."""
    target = path.readlink()
    words = f"is a link to {target}, where no file is"
    for n in range(len(target.parts) - 1, 0, -1):
        here = Path(*target.parts[-n:])
        if (path.parent / here).is_file():
            return f"{words}; the file itself lies in {here}"
    return words


def _below(top: Path) -> list[Path]:
    """All files below a folder, also in folders that are linked to; hidden ones apart.

    Who names a hidden folder means its hidden files too, such as all that deepeval writes.
    No folder is looked into twice, which ends loops; its own path is taken rather than a link to
    it.
    """
    found: list[Path] = []
    seen: set[Path] = set()
    folders, links = [top], list[Path]()
    is_hidden = _real(top).name.startswith(".")
    while folders or links:
        folder = folders.pop() if folders else links.pop(0)
        if _real(folder) in seen:
            continue
        seen.add(_real(folder))
        try:
            there = sorted(folder.iterdir())
        except OSError:
            found.append(folder)
            continue
        for path in there:
            is_meant = folder == top and is_hidden and path.is_file()
            if path.name.startswith(".") and not is_meant:
                continue
            if path.is_dir():
                (links if path.is_symlink() else folders).append(path)
            elif path.is_file() or path.is_symlink():
                found.append(path)
    return found


def _real(path: Path) -> Path:
    # Path.resolve raises where links go in a circle.
    return Path(os.path.realpath(path))
