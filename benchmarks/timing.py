"""How long a piece of work takes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def median_time(work: Callable[[], object], times: int = 3) -> float:
    """The median (s) of so many calls, after one that is not counted."""
    work()
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        spent.append(time.perf_counter() - start)
    return statistics.median(spent)
