"""Chains of rods: a line for each, with its length (m) and its mass (kg), from the ceiling down."""

from __future__ import annotations

from pathlib import Path

import manikin as mk
from manikin.extensions import Exporter, Importer

RADIUS_M = 0.01


def read(file: Path) -> mk.Model:
    """Make a chain that hangs from the ground, its first rod turned by half a radian."""
    model = mk.new(file.stem, 0.5)
    above, end_m = "ground", 0.0
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        length, mass = map(float, line.split())
        across = mass * (length**2 / 12.0 + RADIUS_M**2 / 4.0)
        rod = f"rod_{number}"
        model = model.add_segment(
            rod, mass_kg=mass, inertia_kgm2=(across, across, 0.5 * mass * RADIUS_M**2)
        ).add_joint(
            f"joint_{number}",
            kind="pin",
            parent=above,
            child=rod,
            parent_frame={"position_m": (0.0, 0.0, end_m)},
            child_frame={"position_m": (0.0, 0.0, -0.5 * length)},
        )
        above, end_m = rod, 0.5 * length
    return model.start_joint("joint_1", [0.5])


def write(model: mk.Model, file: Path) -> list[str]:
    """Write a chain, and say what its file cannot say."""
    rods = {one.id: one for one in model.project.segments}
    lines: list[str] = []
    lost: list[str] = []
    for joint in model.project.joints:
        if joint.kind != "pin" or joint.child not in rods:
            lost.append(f"'{joint.id}' is no pin of a rod.")
            continue
        length = 2.0 * abs(joint.child_frame.position_m[2])
        lines.append(f"{length:.17g} {rods[joint.child].mass_kg:.17g}\n")
    file.write_text("".join(lines), encoding="utf-8")
    return lost


IMPORTER = Importer(title="Chain of rods", endings=(".chain",), read=read)
EXPORTER = Exporter(title="Chain of rods", endings=(".chain",), write=write)
