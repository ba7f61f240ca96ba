"""Check masses, inertias and planes (third pass)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from solver.base.words import Sentence
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, finds, problem
from solver.project.filling import volume
from solver.project.inertia import principal_moments
from solver.project.problems import Problem
from solver.project.segments import GROUND, Segment, ThreePoints

HEAVIEST_KG = 1e6
LIGHT_KG_PER_M3, DENSE_KG_PER_M3 = 20.0, 30_000.0
TRIANGLE_SLIP, TRIANGLE_ROUNDING = 1e-2, 1e-4
STRAIGHT = 1e-9


@finds(PHYSICS, note={"no-segments": "The project has no segments."})
def anything(index: Index) -> Iterator[Problem]:
    """Say when there is nothing to move."""
    if not index.project.segments:
        hint = "Add a segment, or import a body."
        yield problem("no-segments", "segments", "The project has no segments.", hint)


@finds(
    PHYSICS,
    error={
        "inertia-triangle": "One moment of inertia is larger than the two others together.",
        "inertia-negative": "Products of inertia leave a moment below zero about some axis.",
    },
    warning={
        "inertia-triangle-slightly": "One moment of inertia is slightly too large.",
        "mass-huge": "A mass is above a million kilograms.",
        "density": "Mass and surfaces give a density that no material has.",
    },
)
def masses(index: Index) -> Iterator[Problem]:
    """Find masses and moments of inertia that no body has."""
    for segment, path in index.elements("segments"):
        small, middle, large = principal_moments(segment)
        if small < -TRIANGLE_ROUNDING * large:
            sentence = Sentence(
                "With its products of inertia the body has {small:g} kg*m2 about a principal axis.",
                small=small,
            )
            yield problem(
                "inertia-negative",
                f"{path}/products_kgm2",
                sentence,
                "Of any body the product xy is at most half of the moment about z, and so on.",
            )
            continue
        over = large - small - middle
        if over > TRIANGLE_ROUNDING * large:
            code = (
                "inertia-triangle" if over > TRIANGLE_SLIP * large else "inertia-triangle-slightly"
            )
            sentence = Sentence(
                "{large:g} kg*m2 is more than the two others together, {middle:g}; no body is like that.",
                large=large,
                middle=small + middle,
            )
            hint = Sentence("The largest can be {middle:g} at most.", middle=small + middle)
            yield problem(code, f"{path}/inertia_kgm2", sentence, hint)
        if segment.mass_kg > HEAVIEST_KG:
            sentence = Sentence(
                "'{segment}' has {mass_kg:g} kg.", segment=segment.id, mass_kg=segment.mass_kg
            )
            yield problem("mass-huge", f"{path}/mass_kg", sentence, "Masses are in kilograms.")
        elif _is_judged(segment) and not index.is_driven(segment.id):
            density = segment.mass_kg / sum(volume(surface) for surface in segment.surfaces)
            if not LIGHT_KG_PER_M3 <= density <= DENSE_KG_PER_M3:
                sentence = Sentence(
                    "Mass and surfaces give a density of {density:.3g} kg/m3; water has 1000.",
                    density=density,
                )
                hint = Sentence("Masses are in kilograms and semi-axes in metres.")
                yield problem("density", f"{path}/mass_kg", sentence, hint)


def _is_judged(segment: Segment) -> bool:
    """Tell whether mass and surfaces are to make a density."""
    return segment.mass_kg > 0.0 and bool(segment.surfaces) and segment.surfaces_are == "whole"


@finds(
    PHYSICS,
    error={"plane-degenerate": "The corners of a plane lie on one line."},
    note={"plane-oblique": "The edges of a plane are not at right angles."},
    warning={"plane-ends-idle": "A plane without edges says in which directions it ends."},
)
def plane_corners(index: Index) -> Iterator[Problem]:
    """Find corners that give no plane, or a parallelogram."""
    for plane, path in index.elements("planes"):
        if not plane.bounded and plane.ends != "both":
            sentence = Sentence("'{plane}' is not bounded: it ends nowhere.", plane=plane.id)
            hint = "Set 'bounded', or take this away."
            yield problem("plane-ends-idle", f"{path}/ends", sentence, hint)
        if not isinstance(plane.placement, ThreePoints):
            continue
        p1, p2, p3 = (np.array(getattr(plane.placement, f"p{i}_m")) for i in (1, 2, 3))
        a, b = p2 - p1, p3 - p1
        size = float(np.linalg.norm(a) * np.linalg.norm(b))
        if float(np.linalg.norm(np.cross(a, b))) <= STRAIGHT * size:
            sentence = Sentence("The three corners lie on one line or in one point.")
            yield problem("plane-degenerate", f"{path}/placement", sentence, "Move one of them.")
        elif plane.bounded and abs(float(a @ b)) > 0.01 * size:
            angle = math.degrees(math.acos(float(a @ b) / size))
            sentence = Sentence(
                "The edges meet at {angle:.1f} degrees: the plane is a parallelogram.", angle=angle
            )
            yield problem("plane-oblique", f"{path}/placement", sentence)


@finds(
    PHYSICS,
    warning={"gravity-large": "Gravity is ten times stronger than on Earth."},
    note={"gravity-none": "There is no gravity, though there are planes."},
)
def gravity(index: Index) -> Iterator[Problem]:
    """Find a gravity that looks like a slip."""
    size = math.hypot(*index.project.gravity_m_per_s2)
    if size > 100.0:
        sentence = Sentence("Gravity is {size:.4g} m/s2; on Earth it is 9.81.", size=size)
        yield problem("gravity-large", "gravity_m_per_s2", sentence, "It is given in m/s2.")
    elif size == 0.0 and index.project.planes:
        hint = "On Earth it is 9.81 m/s2 downwards."
        yield problem("gravity-none", "gravity_m_per_s2", "There is no gravity.", hint)


LINKS = (
    "contacts/",
    "belts/",
    "harnesses/",
    "airbags/",
    "springs/",
    "tension_elements/",
    "constraints/",
    "winds/",
    "loads/",
    "motions/",
    "frame_drivers/",
    "initial/roots/",
)


@finds(PHYSICS, note={"tree-loose": "A part of the model has no link to anything else."})
def loose_trees(index: Index) -> Iterator[Problem]:
    """Find trees that nothing touches, drives or places."""
    linked: set[str] = set()
    for ref in index.refs:
        if ref.path.startswith(LINKS):
            if ref.field.to == "segments":
                linked.add(index.root_of.get(ref.value, ref.value))
            elif ref.field.to == "planes":
                carrier = index.by_id["planes"][ref.value].segment
                linked.add(index.root_of.get(carrier, carrier))
    trees = dict.fromkeys(index.root_of[name] for name in index.segments)
    for root in trees:
        if root != GROUND and root not in linked and len(trees) > 1:
            sentence = Sentence(
                "Nothing touches, drives or places '{root}' and what it carries.", root=root
            )
            hint = "Allow contacts, give it a start, or join it to something."
            yield problem("tree-loose", f"segments/{root}", sentence, hint)
