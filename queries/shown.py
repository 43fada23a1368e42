"""How results show themselves: as HTML in a notebook, and as a data frame.

The renderers import the kinds of results, so no kind can import its renderer. `queries.render` registers
them here, and is imported when the first result shows itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl


@singledispatch
def html(found: object) -> str:
    """A result as HTML, in percent, with the decimals that the commands print.

    Raises:
        TypeError: there is no renderer of its kind.
    """
    return str(_registered(html, found)(found))


@singledispatch
def frame(found: object) -> pl.DataFrame:
    """A result as a data frame, unrounded; errors as above."""
    made: pl.DataFrame = _registered(frame, found)(found)
    return made


def _registered(of: Any, found: object) -> Callable[[object], Any]:
    import_module("queries.render")
    renderer: Callable[[object], Any] = of.dispatch(type(found))
    if renderer is of.dispatch(object):
        raise TypeError(f"there is no renderer of {type(found).__name__}")
    return renderer
