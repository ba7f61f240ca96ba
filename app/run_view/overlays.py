"""What people want to see beside a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlays:
    """Say what is seen besides: forces, contact patches, loads by colour, the start, what selected joints may do."""

    forces: bool = False
    patches: bool = False
    loads: bool = False
    start: bool = False
    reach: bool = False
    system: str = "metric"
    """Of the units in which loads are written."""


NO_OVERLAYS = Overlays()
OVERLAYS = ("forces", "patches", "loads", "start", "reach")
"""Names of what can be switched on."""
