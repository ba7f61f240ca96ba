"""Check masses, inertias and planes (third pass)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from solver.maths.rotation import Array
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, finds, problem
from solver.project.checks.shapes import volume
from solver.project.pose import turn
from solver.project.problems import Problem
from solver.project.segments import GROUND

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
    error={"inertia-triangle": "One moment of inertia is larger than the two others together."},
    warning={
        "inertia-triangle-slightly": "One moment of inertia is slightly too large.",
        "mass-huge": "A mass is above a million kilograms.",
        "density": "Mass and surfaces give a density that no material has.",
    },
)
def masses(index: Index) -> Iterator[Problem]:
    """Find masses and moments of inertia that no body has."""
    for segment, path in index.elements("segments"):
        small, middle, large = sorted(segment.inertia_kgm2)
        over = large - small - middle
        if over > TRIANGLE_ROUNDING * large:
            code = (
                "inertia-triangle" if over > TRIANGLE_SLIP * large else "inertia-triangle-slightly"
            )
            sentence = (
                f"{large:g} kg*m2 is more than the two others together, {small + middle:g}; "
                "no body is like that."
            )
            hint = f"The largest can be {small + middle:g} at most."
            yield problem(code, f"{path}/inertia_kgm2", sentence, hint)
        if segment.mass_kg > HEAVIEST_KG:
            sentence = f"'{segment.id}' has {segment.mass_kg:g} kg."
            yield problem("mass-huge", f"{path}/mass_kg", sentence, "Masses are in kilograms.")
        elif segment.mass_kg > 0.0 and segment.surfaces and not index.is_driven(segment.id):
            density = segment.mass_kg / sum(volume(surface) for surface in segment.surfaces)
            if not LIGHT_KG_PER_M3 <= density <= DENSE_KG_PER_M3:
                sentence = (
                    f"Mass and surfaces give a density of {density:.3g} kg/m3; water has 1000."
                )
                hint = "Masses are in kilograms and semi-axes in metres."
                yield problem("density", f"{path}/mass_kg", sentence, hint)


@finds(
    PHYSICS,
    error={
        "mass-missing": "A massless segment can move without anything that says how.",
        "inertia-missing": "A segment can turn about an axis without any inertia about it.",
    },
    note={"massless-inside": "A segment inside a tree has no mass, or no inertia about an axis."},
)
def missing_mass(index: Index) -> Iterator[Problem]:
    """Find segments whose motion no mass determines (section 4.6)."""
    held = _held_otherwise(index)
    for segment, path in index.elements("segments"):
        name = segment.id
        zero_mass = segment.mass_kg == 0.0
        if not (zero_mass or 0.0 in segment.inertia_kgm2) or index.is_driven(name):
            continue
        joint = index.joint_of.get(name)
        if joint is not None and joint.kind == "locked":
            continue
        tree = _subtree(index, name)
        if len(tree) > 1 and any(index.segments[one].mass_kg > 0.0 for one in tree if one != name):
            what = "no mass" if zero_mass else "no inertia about an axis"
            sentence = f"'{name}' has {what}; its neighbours must determine its motion."
            yield problem("massless-inside", path, sentence)
        elif any(one in held for one in tree):
            continue
        elif zero_mass and (joint is None or _lightest(segment, joint) <= 0.0):
            sentence = f"'{name}' has no mass, and nothing determines how it moves."
            hint = "Give it mass and inertia, lock its joint, or hold it by a constraint."
            yield problem("mass-missing", f"{path}/mass_kg", sentence, hint)
        elif not zero_mass and len(tree) == 1 and _lightest(segment, joint) <= 0.0:
            sentence = f"'{name}' can turn about an axis about which it has no inertia."
            hint = "Give it inertia, or a joint that does not turn about this axis."
            yield problem("inertia-missing", f"{path}/inertia_kgm2", sentence, hint)


def _held_otherwise(index: Index) -> set[str]:
    """Name the segments that something besides joints adds mass to or holds."""
    lists = ("constraints/", "tension_elements/", "flexible_elements/", "symmetry/")
    return {
        ref.value for ref in index.refs if ref.field.to == "segments" and ref.path.startswith(lists)
    }


def _subtree(index: Index, name: str) -> list[str]:
    """Name a segment and all that it carries."""
    found = [name]
    for one in found:
        found.extend(joint.child for joint in index.joints_below.get(one, ()))
    return found


def _lightest(segment: Any, joint: Any) -> float:
    """Give the least inertia (or mass) that a segment at the end of a tree has in its freedoms."""
    freedom = "free" if joint is None else joint.kind
    if freedom == "slip":
        if segment.mass_kg == 0.0:
            return 0.0
        freedom = joint.rotation
        if joint.lock.locked and joint.lock.unlock_torque_nm is None:
            freedom = "none"
    axes = {"pin": "y", "pin_y": "y", "pin_z": "z", "none": "", "universal": "xy"}.get(
        freedom, "xyz"
    )
    if _has_held_axis(joint):
        axes = ""
    if not axes:
        return 1.0
    if freedom == "free" and segment.mass_kg == 0.0:
        return 0.0
    inertia = _inertia_about_joint(segment, None if freedom == "free" else joint)
    rows = ["xyz".index(axis) for axis in axes]
    block = inertia[np.ix_(rows, rows)]
    least = float(np.linalg.eigvalsh(block)[0])
    return least if least > 1e-12 * float(np.trace(inertia)) else 0.0


def _has_held_axis(joint: Any) -> bool:
    """Tell whether any axis of a joint is held for good."""
    if joint is None:
        return False
    axes = [
        getattr(joint, name, None) for name in ("first", "second", "precession", "nutation", "spin")
    ]
    locks = [getattr(joint, "lock", None), *(axis.lock for axis in axes if axis is not None)]
    return any(lock is not None and lock.locked and lock.unlock_torque_nm is None for lock in locks)


def _inertia_about_joint(segment: Any, joint: Any) -> Array:
    """Give the inertia (kg*m2) about the joint's point, in the joint frame's axes."""
    R_SP = turn(segment.principal_axes)
    inertia: Array = R_SP @ np.diag(segment.inertia_kgm2) @ R_SP.T
    if joint is None:
        return inertia
    r = np.array(joint.child_frame.position_m)
    inertia = inertia + segment.mass_kg * (r @ r * np.eye(3) - np.outer(r, r))
    R_SC = turn(joint.child_frame.orientation)
    turned: Array = R_SC.T @ inertia @ R_SC
    return turned


@finds(
    PHYSICS,
    error={"plane-degenerate": "The corners of a plane lie on one line."},
    note={"plane-oblique": "The edges of a plane are not at right angles."},
)
def plane_corners(index: Index) -> Iterator[Problem]:
    """Find corners that give no plane, or a parallelogram."""
    for plane, path in index.elements("planes"):
        if plane.placement.kind != "points":
            continue
        p1, p2, p3 = (np.array(getattr(plane.placement, f"p{i}_m")) for i in (1, 2, 3))
        a, b = p2 - p1, p3 - p1
        size = float(np.linalg.norm(a) * np.linalg.norm(b))
        if float(np.linalg.norm(np.cross(a, b))) <= STRAIGHT * size:
            sentence = "The three corners lie on one line or in one point."
            yield problem("plane-degenerate", f"{path}/placement", sentence, "Move one of them.")
        elif plane.bounded and abs(float(a @ b)) > 0.01 * size:
            angle = math.degrees(math.acos(float(a @ b) / size))
            sentence = f"The edges meet at {angle:.1f} degrees: the plane is a parallelogram."
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
        sentence = f"Gravity is {size:.4g} m/s2; on Earth it is 9.81."
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
            sentence = f"Nothing touches, drives or places '{root}' and what it carries."
            hint = "Allow contacts, give it a start, or join it to something."
            yield problem("tree-loose", f"segments/{root}", sentence, hint)
