"""Random tests see the same cases every time, and others each time under `make explore`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

from hypothesis import HealthCheck, settings

Case = TypeVar("Case")

SEED = int(os.environ.get("MANIKIN_EXPLORE", "0"))
"""What tests marked `seeded` add to their own seeds: nothing, but in exploring."""


def choose_profile() -> None:
    """Let Hypothesis look at the same cases every time, and at its own choice in exploring."""
    settings.register_profile(
        "gate", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.register_profile(
        "explore", settings.get_profile("gate"), derandomize=False, print_blob=True
    )
    settings.load_profile("explore" if SEED else "gate")


def further(cases: Iterable[Case]) -> list[Case]:
    """Give cases of a test marked `seeded` that only exploring tries: the others reach the same code."""
    return list(cases) if SEED else []


def often(times: int) -> int:
    """Give how many random cases a test that is random looks at: all of them in exploring, else a third."""
    return times if SEED else -(-times // 3)
