"""Limits on calls and cost that hold before a call, not after."""

from __future__ import annotations

from dataclasses import dataclass, field

from judge.answer import OutOfBudgetError


@dataclass
class Budget:
    """What may still be spent by one command.

    A call is taken with the most it could cost, and settled with what it did cost, so that what was
    spent never exceeds the limit, whatever is in flight.

    Attributes:
        max_calls: calls at most, retries included; None: no limit.
        max_cost: US dollars at most; None: no limit.
        calls: calls made.
        spent: US dollars, as far as prices are known.
    """

    max_calls: int | None = None
    max_cost: float | None = None
    calls: int = 0
    spent: float = 0.0
    _reserved: float = field(default=0.0, repr=False)

    def take(self, most: float | None) -> None:
        """Before a call that costs at most so much (None: not known).

        Raises:
            OutOfBudgetError: it could go beyond a limit.
        """
        if self.max_calls is not None and self.calls >= self.max_calls:
            raise OutOfBudgetError(
                f"stopped before call {self.calls + 1:,}: --max-calls {self.max_calls:,}"
            )
        if self.max_cost is not None:
            assert most is not None
            if self.spent + self._reserved + most > self.max_cost:
                raise OutOfBudgetError(
                    f"stopped at ${self.spent + self._reserved:.4f}: the next call could go beyond "
                    f"--max-cost {self.max_cost:g}"
                )
        self.calls += 1
        self._reserved += most or 0.0

    def settle(self, most: float | None, cost: float | None) -> None:
        """After a call: what it was taken with, and what it cost (None: perhaps all of it)."""
        self._reserved -= most or 0.0
        self.spent += (most or 0.0) if cost is None else cost
