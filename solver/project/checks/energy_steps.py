"""Check whether a run may keep energy and momentum by its steps: what is elastic may, what loses, strikes or is driven may not."""

from __future__ import annotations

from collections.abc import Iterator

from solver.base.words import Sentence
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, finds, problem
from solver.project.fields import Part
from solver.project.problems import Problem
from solver.project.runs import EnergyMomentum

REFUSED = (
    "contacts", "belts", "harnesses", "airbags", "coordinate_forces", "tyres", "tension_elements", "constraints",
    "flexible_elements", "motions", "drivers", "frame_drivers", "winds", "symmetry",
)  # fmt: skip
"""Lists of what has events, loses energy, closes loops or is driven."""

LOSES = (
    "damp",
    "viscous",
    "coulomb",
    "coefficient",
    "energy_ratio",
    "returned",
    "restitution",
    "breakage",
    "lock",
    "release",
)
"""Parts of the names of fields by which joints, springs and beams lose energy or change at once."""


@finds(
    PHYSICS,
    error={"energy-steps": "Steps that keep energy are asked for where something loses it, strikes, closes a loop or is driven."},
)  # fmt: skip
def energy_steps(index: Index) -> Iterator[Problem]:
    """Find what steps that keep energy and momentum cannot follow."""
    runs = [
        path for one, path in index.elements("runs") if isinstance(one.integrator, EnergyMomentum)
    ]
    if not runs:
        return
    hint = "Choose the integrator 'implicit' or 'dopri', or leave this out."
    for name in REFUSED:
        for _, path in index.elements(name):
            sentence = Sentence(
                "Steps that keep energy and momentum are for segments, joints, springs and loads; '{path}' is none of these.",
                path=path,
            )
            yield problem("energy-steps", f"{runs[0]}/integrator", sentence, hint)
    for name in ("joints", "springs", "beams"):
        for item, path in index.elements(name):
            for where in _losses(item, path):
                sentence = Sentence(
                    "Steps that keep energy and momentum are for what loses nothing and changes nothing at once; '{path}' does.",
                    path=where,
                )
                yield problem("energy-steps", f"{runs[0]}/integrator", sentence, hint)


def _losses(part: Part, path: str) -> Iterator[str]:
    """Name the fields of a part by which energy is lost, where they are not at their default."""
    for name, field in type(part).model_fields.items():
        value = getattr(part, name)
        if any(word in name for word in LOSES):
            if value != field.default:
                yield f"{path}/{name}"
        elif isinstance(value, Part):
            yield from _losses(value, f"{path}/{name}")
        elif isinstance(value, tuple):
            for n, one in enumerate(value):
                if isinstance(one, Part):
                    yield from _losses(one, f"{path}/{name}/{n}")
