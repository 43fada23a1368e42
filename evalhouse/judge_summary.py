"""What a judge made of each run, printed after judging, and what looks wrong in it."""

from __future__ import annotations

from collections.abc import Sequence

from evalhouse.printing import note, out, shown
from evalhouse.reader import Reader
from queries import render, session
from warehouse.later import pl
from warehouse.wording import counted

_FEWEST = 5
"""So many verdicts make one letter for all of them suspicious."""
_MOST_RUNS = 20


def print_of(house: Reader, judges: Sequence[str], release: str) -> None:
    """Print a line per run that each judge has replied about, and a note where its verdicts are all one."""
    with house.reading() as con:
        session.use_release(con, release)
        found = {name: session.frame(con, "judge_summary", {"judge": name}) for name in judges}
    for name, frame in found.items():
        if frame.is_empty():
            continue
        out(f"\n{name}, run by run; changed: answers with another score than by the rules alone")
        columns = frame.drop("n_labels", "label", "run_id")
        shown(render.render_frame(columns.head(_MOST_RUNS), "table"))
        if frame.height > _MOST_RUNS:
            out(f"and {counted(frame.height - _MOST_RUNS, 'run')} more (view judged_pass)")
        warning = one_verdict(name, frame)
        if warning is not None:
            note(warning)


def one_verdict(judge: str, frame: pl.DataFrame) -> str | None:
    """What is to be said of a judge whose verdicts are all the same; None: they differ, or are few."""
    with_labels = frame.filter(pl.col("label").is_not_null())
    n_read = int(with_labels["read"].sum())
    labels = set(with_labels["label"])
    if n_read < _FEWEST or len(labels) != 1 or with_labels["n_labels"].max() != 1:
        return None
    label = labels.pop()
    what = "X (none of the choices)" if label == "X" else label
    return (
        f"every one of {judge}'s {n_read:,} verdicts is {what}: does it understand the template? "
        "`evalhouse show KEY --judge` prints prompts and replies"
    )
