"""evalhouse: an offline warehouse for vision-language model evaluations.

from evalhouse import Warehouse

house = Warehouse("lab.duckdb")
house.ingest("answers.xlsx", benchmark="MMBench")
house.sql("SELECT model, score FROM leaderboard WHERE level = 'overall'")
"""

from evalhouse.api import Warehouse
from warehouse.errors import BusyError, EvalhouseError, InputError, SchemaVersionError, UsageError

__all__ = [
    "BusyError",
    "EvalhouseError",
    "InputError",
    "SchemaVersionError",
    "UsageError",
    "Warehouse",
]
__version__ = "0.1.0"
