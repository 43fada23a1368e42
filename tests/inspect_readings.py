"""Logs of Inspect's scorers with settings, and what they read: for tests of more than one engine."""

from __future__ import annotations

from evalhouse import Warehouse
from tests.inspect_logs import figures, head, load, sample, scored

READ = [
    # A numeric match writes the number that it read with five digits.
    ("match", {"numeric": True}, "5", ["5.0"], 1.0),
    ("match", {"numeric": True}, "25", ["5"], 0.0),
    ("match", {"numeric": True}, "1e+05", ["$100,000"], 1.0),
    ("match", {"numeric": True}, "0.33333", ["0.333333333"], 1.0),
    ("match", {"numeric": True}, "0.33334", ["0.333333333"], 0.0),
    ("match", {"numeric": True}, "0", ["0"], 1.0),
    ("match", {"numeric": True}, "-5", ["(5)"], 0.0),
    ("match", {"numeric": True}, "", ["5"], 0.0),
    ("match", {"numeric": True}, "12", ["5", "12"], 1.0),
    ("match", {"numeric": True}, "said five", ["five"], 1.0),
    ("pattern", {}, "Yes", ["no", "yes"], 1.0),
    ("pattern", {}, None, ["yes"], 0.0),
    ("pattern", {"ignore_case": False}, "Yes", ["yes"], 0.0),
    ("answer", {"pattern": "line"}, "THE cat", ["the cat"], 1.0),
    ("answer", {"pattern": "line"}, "the cat", ["cat"], 0.0),
    ("f1", {"stop_words": ["is", "It"]}, "it is a cat", ["cat"], 1.0),
    ("f1", {"stop_words": []}, "it is a cat", ["cat"], 0.5),
]
"""A scorer, its options, what it read, the references, and its score."""

_REDUCERS = ("mean", "median", "mode", "max", "at_least_2", "pass_at_2", "pass_k_2")


def load_readings(house: Warehouse) -> None:
    """A log for each."""
    for n, (scorer, options, reading, target, value) in enumerate(READ):
        text = reading if scorer == "f1" or reading == "said five" else "said"
        of_sample = sample("a", text, target=target, scores={scorer: scored(value, reading)})
        results = figures((scorer, None, {"mean": value}))
        scorers = [{"name": scorer, "options": options}]
        load(
            house, f"{n}.eval", [of_sample], head(f"task{n}", scorers=scorers, log_results=results)
        )


def load_reduced_and_grouped(house: Warehouse) -> None:
    """A log with three epochs, each reducer and figures of groups; not all are what they would be."""
    samples = [
        sample(
            f"q{n}",
            "yes" if (n + epoch) % 3 else "no",
            epoch=epoch,
            scores={"includes": scored("C" if (n + epoch) % 3 else "I")},
            metadata={"category": "xy"[n % 2], "kind": "uvw"[n % 3]},
        )
        for n in range(6)
        for epoch in (1, 2, 3)
    ]
    scores = [("includes", one, {"accuracy": 0.5}) for one in _REDUCERS]
    results = figures(*scores, ("includes", None, {"x": 0.5, "u": 0.5, "x2": 0.5, "all": 0.5}))
    for metric in results["scores"][-1]["metrics"].values():
        metric["group"] = "grouped"
    load(house, "reduced.eval", samples, head("reduced", config={"epochs": 3}, log_results=results))
