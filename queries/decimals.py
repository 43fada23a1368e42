"""Numbers as they are printed: percentages, decimals, and where ties go."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from math import isfinite

from warehouse.benchmark import HALF_EVEN, HALF_UP

NOTHING = "-"
MAX_DIGITS = 6
"""The most decimals that a double can round a fraction to."""
_TIES = {HALF_UP: ROUND_HALF_UP, HALF_EVEN: ROUND_HALF_EVEN}
_EXACT = Decimal("1e-12")
"""How exact a double is for a fraction in percent: what is left below it is noise of the
arithmetic, which reaches 1e-13, and fractions of fewer than 500,000 that are no tie at six decimals
are further from one."""
_WIDE = Context(prec=400)


def percent(fraction: float | None, digits: int, rounding: str = HALF_UP) -> str:
    """A fraction as percent, rounded as `rounded` does; - for nothing."""
    return NOTHING if fraction is None else decimals(fraction * 100, digits, rounding)


def decimals(value: float, digits: int, rounding: str = HALF_UP) -> str:
    """A number with so many decimals, rounded as `rounded` does; never -0."""
    return f"{rounded(value, digits, rounding):f}" if isfinite(value) else str(value)


def rounded(value: float, digits: int, rounding: str = HALF_UP) -> Decimal:
    """A finite number with so many decimals: the one rounding of every figure that is printed.

    What is rounded is the exact fraction that the double stands for, and not its noise: 24.25 is a
    tie however its last bits fell.

    Args:
        rounding: where a tie goes: half_up (away from zero), or half_even, as the benchmark has it
            (`warehouse.known_benchmarks.rounding_of`).
    """
    exact = Decimal(value).quantize(_EXACT, context=_WIDE)
    found = exact.quantize(Decimal(1).scaleb(-digits), _TIES[rounding], _WIDE)
    return abs(found) if found == 0 else found
