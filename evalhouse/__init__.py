"""evalhouse: an offline warehouse for vision-language model evaluations.

from evalhouse import Warehouse

house = Warehouse("lab.duckdb")
house.ingest("answers.xlsx", benchmark="MMBench")
house.sql("SELECT model, score FROM leaderboard WHERE level = 'overall'")
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from warehouse.errors import BusyError, EvalhouseError, InputError, SchemaVersionError, UsageError

__all__ = [
    "BusyError",
    "EvalhouseError",
    "InputError",
    "SchemaVersionError",
    "UsageError",
    "Warehouse",
]
__version__ = "0.2.0"

if TYPE_CHECKING:
    from evalhouse.api import Warehouse


def __getattr__(name: str) -> Any:
    """`Warehouse`, imported when it is first used: `evalhouse --help` has no use for an engine."""
    if name == "Warehouse":
        return import_module("evalhouse.api").Warehouse
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
