"""Bodies made from dimensions."""

from __future__ import annotations

import math
from typing import Literal

from solver.bodies.body import Body, BodyError, read, tidy, tidy3
from solver.bodies.dimensions import NECK_PART, Dimensions, density, shares
from solver.bodies.from_measured import Scale, skeleton_of_measured, stretched_inertia
from solver.bodies.from_measured import skeleton_of_measured as _adult
from solver.bodies.from_solids import skeleton_of_solids
from solver.bodies.from_solids import skeleton_of_solids as _child
from solver.bodies.skeleton import Figures, Skeleton, assemble

# A skeleton with the masses of published tables: places of the older methods, sections that suit mass and density.
#
# Joints stand where the printed man's do, stretched (adults), or where the outer dimensions put them (children). Each
# part weighs what the tables say (`solver.bodies.dimensions`) and is as thick as that mass asks for, so that bodies of all
# ages are as dense as people are. The head's ellipsoid, which the printed man has 56 mm behind its mass centre, is
# centred on it fore and aft.

TRUNK = ("lower_torso", "centre_torso", "upper_torso")
HEAD_RADII = (0.0689, 0.0718, 0.0585)
"""Radii of gyration of a head (m): Beier and others (1980), fresh heads of adults; they go with its size."""
BEIER_M = 0.196
"""Length of a head with those radii (m): a man's, assumed."""


def skeleton_of_tables(d: Dimensions) -> Skeleton:
    """Make the skeleton; masses add up to the weight."""
    base = _child(d) if d.sex == "child" else _adult(d)
    parts = shares(d)
    trunk = sum(base.figures[name].mass_kg for name in TRUNK)
    figures = {}
    for name, was in base.figures.items():
        if name in TRUNK:
            mass = parts["trunk"] * was.mass_kg / trunk
        elif name == "neck":
            mass = NECK_PART * parts["head"]
        elif name == "head":
            mass = (1.0 - NECK_PART) * parts["head"]
        else:
            mass = parts[name]
        figures[name] = _head(was, mass, d) if name == "head" else _thick(name, was, mass)
    return Skeleton(figures, base.points)


def _thick(name: str, was: Figures, mass: float) -> Figures:
    """Keep a part's length and make it as thick as its mass asks for."""
    a, b, c = was.semi_axes_m
    # a foot fills little of the ellipsoid on which it stands: that stays
    wide = (
        1.0
        if name == "foot"
        else math.sqrt(mass / density(name) / (4.0 / 3.0 * math.pi * a * b * c))
    )
    scale: Scale = (wide, wide, 1.0)
    moments, axes = stretched_inertia(
        was.inertia_kgm2, was.principal_axes, scale, mass / was.mass_kg
    )
    x, y, z = was.centre_m
    return Figures(
        mass_kg=tidy(mass),
        inertia_kgm2=moments,
        semi_axes_m=tidy3((a * wide, b * wide, c)),
        centre_m=tidy3((x, y, z)),
        principal_axes=axes,
    )


def _head(was: Figures, mass: float, d: Dimensions) -> Figures:
    """Give a head of its length and breadth, as high as its mass asks for, its crown where it was."""
    a, b = d["head_length_m"] / 2.0, d["head_breadth_m"] / 2.0
    c = mass / density("head") / (4.0 / 3.0 * math.pi * a * b)
    crown = was.centre_m[2] - was.semi_axes_m[2]
    grown = d["head_length_m"] / BEIER_M
    return Figures(
        mass_kg=tidy(mass),
        inertia_kgm2=tidy3([mass * (k * grown) ** 2 for k in HEAD_RADII]),
        semi_axes_m=tidy3((a, b, c)),
        centre_m=tidy3((0.0, 0.0, crown + c)),
    )


Method = Literal["tables", "measured", "solids"]
METHODS: tuple[Method, ...] = ("tables", "measured", "solids")

_MAKE = {
    "tables": skeleton_of_tables,
    "measured": skeleton_of_measured,
    "solids": skeleton_of_solids,
}
_SAID = {
    "tables": "lengths of the generator's dimensions, masses of published tables of segments",
    "measured": "scaled segment by segment from the measured 50th-percentile man",
    "solids": "homogeneous solids by the rules of the 95th-percentile man of the sled test",
}


def generated(
    dimensions: Dimensions,
    *,
    method: Method | None = None,
    torque_factor: float = 1.0,
    title: str = "",
) -> Body:
    """Make a body of 15 segments, standing.

    `tables`, taken if nothing is said, has the masses of published tables and sections that suit them. `measured`
    stretches the printed 50th-percentile man; `solids` follows from the dimensions alone: both as the old generator had
    it. `torque_factor` multiplies the torques of all joints: the printed ones do not change with the size of the body,
    which is too stiff for a child.
    """
    method = method or "tables"
    if method not in METHODS:
        raise BodyError(
            "There is no method '{method}'. There are: {methods}.",
            method=method,
            methods=", ".join(METHODS),
        )
    if torque_factor < 0.0:
        raise BodyError(
            "The factor of joint torques is {torque_factor:g}; it cannot be negative.",
            torque_factor=torque_factor,
        )
    text = dimensions.said[0].upper() + dimensions.said[1:]
    return assemble(
        _MAKE[method](dimensions),
        title=title or text,
        source=f"Generated: {dimensions.said}; {_SAID[method]}; {read('dimensions')['source']}",
        note="Joint stops and torques are those of the printed adult male"
        + ("." if torque_factor == 1.0 else f", torques times {torque_factor:g}."),
        torque_factor=torque_factor,
        dimensions=dict(dimensions.values),
        sex=dimensions.sex,
    )
