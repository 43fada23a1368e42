"""Every Eval Ever: the version that is written, and how evalhouse's own facts are called in it.

The schema has no place for passes, samples, choices' labels or likelihoods. They stand in the
free-text details of a record, under names that begin with evalhouse_, and are read back from there.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import TypeVar

VERSION = "0.3.0"
OURS = "evalhouse_"
MISSING, FAILED = "missing", "failed"
"""States of a record without a usable answer."""
SAMPLES = "_samples"

AnyPath = TypeVar("AnyPath", bound=PurePath)


def samples_of(aggregate: AnyPath) -> AnyPath:
    """Where the records of an aggregate lie."""
    return aggregate.with_name(f"{aggregate.stem}{SAMPLES}.jsonl")


def aggregate_of(samples: AnyPath) -> AnyPath:
    """Where the aggregate of a file of records lies."""
    return samples.with_name(f"{samples.stem.removesuffix(SAMPLES)}.json")
