"""The default crash with a small woman close to the wheel."""

from __future__ import annotations

from solver.project.document import Project
from tools.samples.frontal import driver


def build() -> Project:
    """Build the sample."""
    return driver(
        "hybrid_iii_5f",
        "Frontal crash at 57 km/h: small woman close to the wheel",
        "The car, the belt and the bags of the default sample; the Hybrid III 5th-percentile woman has moved her seat forward, "
        "so that her chest is some 20 cm from the wheel (assumed). The bag reaches her while it still fills.",
        ahead=(0.11, -0.02),
        hands=(-0.06, 0.17, 0.03),
        elbows_rad=0.9,
        duration_s=0.14,
    )
