"""Libraries that take long to import and that most commands need nothing of: imported when first used.

A module that names one of these at its top, as any other import, costs the commands that never use it nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair as alt
    import polars as pl
    import sqlglot
    import vl_convert
    from sqlglot import exp

__all__ = ["Later", "alt", "exp", "pl", "sqlglot", "vl_convert"]


class Later:
    """A module, imported when something of it is first used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(import_module(self._name), attribute)
        if not attribute.startswith("__"):
            setattr(self, attribute, found)
        return found


if not TYPE_CHECKING:
    alt = Later("altair")
    exp = Later("sqlglot.expressions")
    pl = Later("polars")
    sqlglot = Later("sqlglot")
    vl_convert = Later("vl_convert")
