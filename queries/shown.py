"""How results show themselves: as HTML in a notebook, and as a data frame.

The renderers import the kinds of results, so no kind can import its renderer. `queries.render` registers
them here.
"""

from __future__ import annotations

from functools import singledispatch
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl


@singledispatch
def html(found: object) -> str:
    """A result as HTML, in percent, with the decimals that the commands print.

    Raises:
        TypeError: nothing is registered for its kind; `import queries.render` does that.
    """
    raise TypeError(f"no renderer of {type(found).__name__} is registered")


@singledispatch
def frame(found: object) -> pl.DataFrame:
    """A result as a data frame, unrounded; errors as above."""
    raise TypeError(f"no data frame of {type(found).__name__} is registered")
