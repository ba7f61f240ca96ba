"""A rod that hangs from the ground, made by script: its period is that of the closed form."""

from __future__ import annotations

import math

import manikin as mk

LENGTH, RADIUS, MASS = 1.0, 0.02, 3.0

model = (
    mk.new("A rod hung from the ground", duration_s=4.0)
    .add_segment(
        "rod",
        mass_kg=MASS,
        shape={"kind": "cylinder", "radius_m": RADIUS, "length_m": LENGTH},
    )
    .add_joint(
        "pivot",
        kind="pin",
        parent="ground",
        child="rod",
        child_frame={"position_m": (0.0, 0.0, -LENGTH / 2.0)},
    )
    .start_joint("pivot", [0.02])
)
run = mk.run(model)
angle = run["joints/pivot/angle"]
found = angle.oscillation().frequency
about_pivot = MASS * (3.0 * RADIUS**2 + LENGTH**2) / 12.0 + MASS * (LENGTH / 2.0) ** 2
wanted = math.sqrt(MASS * 9.80665 * LENGTH / 2.0 / about_pivot) / (2.0 * math.pi)
assert abs(found / wanted - 1.0) < 1e-3, (found, wanted)
