"""Random tests see the same cases every time, and others each time under `make explore`."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

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
