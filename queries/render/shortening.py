"""Names made shorter in the middle, so that they stay different."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.cells import cell_len

MARK = "…"


def shortened(names: Collection[str], width: int) -> dict[str, str]:
    """Each name as it is, or with its middle replaced by …, so that it takes at most `width`.

    Names that differ stay different: where both ends of some are the same, more of one end is
    shown, or what lies between the ends that all have, else a number.
    """
    found = _distinct(names, width)
    if found is not None:
        return found
    found = {name: name for name in names}
    taken = {name for name in names if cell_len(name) <= width}
    for name in sorted(name for name in found if name not in taken):
        short, place = _ends(name, (width + 1) // 2, width), 1
        while short in taken:
            place += 1
            short = _first(name, width - len(f"{MARK}~{place}")) + f"{MARK}~{place}"
        taken.add(short)
        found[name] = short
    return found


def least_width(names: Collection[str], low: int, high: int) -> int:
    """The smallest width from `low` to `high` at which no name needs a number, else `low`."""
    return next((width for width in range(low, high) if _distinct(names, width)), low)


def _distinct(names: Collection[str], width: int) -> dict[str, str] | None:
    long = sorted(name for name in set(names) if cell_len(name) > width)
    found = {name: name for name in names}
    if not long:
        return found
    taken = {name for name in names if cell_len(name) <= width}
    before, behind = _shared(long)
    cores = [name[before : len(name) - behind] for name in long]
    room = width - (before > 0) - (behind > 0)
    middle = (width + 1) // 2
    heads = sorted(range(1, width), key=lambda head: (abs(head - middle), -head))
    for tried in (
        *([_ends(name, head, width) for name in long] for head in heads),
        [_around(name, before, behind, width) for name in long]
        if all(cell_len(core) <= room for core in cores)
        else [],
    ):
        if tried and len(set(tried) | taken) == len(long) + len(taken):
            return found | dict(zip(long, tried, strict=True))
    return None


def _shared(names: Sequence[str]) -> tuple[int, int]:
    """How much all names have in common at their beginning, and behind that at their end."""
    if len(names) < 2:
        return 0, 0
    before = _n_shared(names)
    rests = [name[before:][::-1] for name in names]
    return before, _n_shared(rests)


def _n_shared(names: Sequence[str]) -> int:
    first, last = min(names), max(names)
    # Of sorted texts, what the first and the last begin with all others begin with.
    for place, character in enumerate(first):
        if character != last[place]:
            return place
    return len(first)


def _ends(name: str, head: int, width: int) -> str:
    return _first(name, head) + MARK + _last(name, width - 1 - head)


def _around(name: str, before: int, behind: int, width: int) -> str:
    """What a name has between the ends that all share, with as much of its beginning as fits."""
    core = name[before : len(name) - behind]
    end = name[len(name) - behind :]
    if cell_len(core) + (before > 0) + cell_len(end) <= width:
        core, end = core + end, ""
    rest = core + (MARK if end else "")
    if not before:
        return rest
    return _first(name[: before - 1], width - 1 - cell_len(rest)) + MARK + rest


def _first(text: str, width: int) -> str:
    taken = ""
    for character in text:
        if cell_len(taken + character) > width:
            break
        taken += character
    return taken


def _last(text: str, width: int) -> str:
    return _first(text[::-1], width)[::-1]
