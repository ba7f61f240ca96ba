"""What several samples share: a vehicle, a man in it, and the settled start; all of it is the solver's."""

from __future__ import annotations

from solver.analysis.crash.scenes import (
    DOOR,
    KMH,
    OCCUPANT,
    PUSHED_SEAT,
    UNUSED,
    VEHICLE,
    Vector,
    following,
    free_body,
    in_vehicle,
    on_thighs,
    on_wheel,
    pitched,
    run_of,
    seated,
    settled,
    spread,
    struck_on_the_left,
    vehicle,
    without_unused,
)

__all__ = [
    "DOOR",
    "KMH",
    "OCCUPANT",
    "PUSHED_SEAT",
    "UNUSED",
    "VEHICLE",
    "Vector",
    "following",
    "free_body",
    "in_vehicle",
    "on_thighs",
    "on_wheel",
    "pitched",
    "run_of",
    "seated",
    "settled",
    "spread",
    "struck_on_the_left",
    "vehicle",
    "without_unused",
]
