"""The pause that a server asks for (Retry-After): one for all calls, which then go on in their order."""

from __future__ import annotations

import asyncio
import email.utils
import math
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC

from warehouse.wording import counted

LONGEST = 300.0
"""Seconds that are waited at most: at a time, and with nothing answered meanwhile."""
_FIRST, _LAST = 0.5, 30.0
_FEWEST_TURNS = 20


def asked_for(headers: Mapping[str, str]) -> float | None:
    """The seconds that a server asks to wait, in any form of Retry-After; None: it does not."""
    for name, part in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        written = headers.get(name, "")
        try:
            seconds = float(written) * part
        except ValueError:
            try:
                until = email.utils.parsedate_to_datetime(written)
                # A date without a zone is in UTC, as all of HTTP is.
                until = until if until.tzinfo else until.replace(tzinfo=UTC)
                seconds = until.timestamp() - time.time()
            except (ValueError, OverflowError):
                continue
        if math.isfinite(seconds):
            return max(seconds, 0.0)
    return None


def backoff(n: int) -> float:
    """The seconds to wait after the nth time in vain, where a server names none."""
    return min(_FIRST * 2.0 ** (n - 1), _LAST)


class Pause:
    """When calls may go on. A call that is put off has not failed, so that it is no try.

    Args:
        calls: at a time.
        sleep: waits for so many seconds, or raises where the run is being stopped.
    """

    def __init__(self, calls: int, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._sleep = sleep
        self._most_turns = max(_FEWEST_TURNS, 2 * calls)
        self._order = asyncio.Lock()
        self._begun = self._over = -math.inf
        self._in_vain = 0
        self._since = 0.0

    async def passed(self) -> None:
        """Wait until it is over. Who came first goes first, so that each has its turn."""
        async with self._order:
            while (left := self._over - time.monotonic()) > 0:
                await self._sleep(left)

    def answered(self) -> None:
        """Note that the server answered a call."""
        self._in_vain = 0

    def put_off(self, seconds: float, *, sent: float, turns: int) -> str | None:
        """Pause all calls, for a call that is to wait; why it is given up in place of that, or None.

        Args:
            seconds: that the server asks for.
            sent: when the call was, by the monotonic clock.
            turns: how often this call was put off before.
        """
        now = time.monotonic()
        if seconds > LONGEST:
            return f"it asks to wait {seconds:,.0f} s, and no more than {LONGEST:,.0f} s are waited"
        if turns >= self._most_turns:
            # More often than there are calls before it: it is not their number that is too much.
            return f"it was put off {counted(turns, 'time')}, while other calls had their turn"
        if not self._in_vain:
            self._since = now
        # Calls that were sent together are put off together: that is one pause.
        if sent >= self._begun:
            self._begun = now
            self._in_vain += 1
        if now - self._since > LONGEST:
            return f"it asks to wait again and again, and has answered nothing for {now - self._since:,.0f} s"
        # One that puts off again and again is asked less and less often.
        if self._in_vain > 1:
            seconds = max(seconds, backoff(self._in_vain - 1))
        self._over = max(self._over, now + seconds)
        return None
