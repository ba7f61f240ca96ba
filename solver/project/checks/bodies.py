"""Check masses, inertias and planes (third pass)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import Array
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.couplings import COUPLINGS
from solver.project.inertia import inertia_of, principal_moments, volume
from solver.project.joint_table import is_free, is_held, is_rigid, locks_of, row_of
from solver.project.joints import Joint
from solver.project.pose import turn
from solver.project.problems import Problem
from solver.project.segments import GROUND, Segment, ThreePoints, unpack

HEAVIEST_KG = 1e6
LIGHT_KG_PER_M3, DENSE_KG_PER_M3 = 20.0, 30_000.0
TRIANGLE_ROUNDING = 1e-4
STRAIGHT = 1e-9


@finds(PHYSICS, note={"no-segments": "The project has no segments."})
def anything(index: Index) -> Iterator[Problem]:
    """Say when there is nothing to move."""
    if not index.project.segments:
        hint = "Add a segment, or import a body."
        yield problem("no-segments", "segments", "The project has no segments.", hint)


@finds(
    PHYSICS,
    error={"inertia-negative": "Products of inertia leave a moment below zero about some axis."},
    warning={
        "inertia-triangle": "One moment of inertia is larger than the two others together.",
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
            sentence = Sentence(
                "{large:g} kg*m2 is {over:.4g} more than the two others together; no body is like that.",
                large=large,
                over=over,
            )
            hint = Sentence(
                "It runs as it is. Lower the largest to the limit, or look where the numbers come from."
            )
            yield problem("inertia-triangle", f"{path}/inertia_kgm2", sentence, hint)
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
    """Whether mass and surfaces are to make a density."""
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
    "tyres/",
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


# Find segments whose motion no mass determines (section 4.6), and what those count that are held.

SHARE = 1e-8
"""Part of the heaviest mass that a mechanism moves which stands for none in it: it moves nothing, and makes a motion that
constraints determine one that can be found. What constraints bear is off by the rounding of numbers, 1e-16, divided by this part:
with a tenth of it the steps of a mechanism of two bars no longer came to an end."""

HOLDING = ("constraints/", "tension_elements/", "flexible_elements/", "symmetry/")
"""Lists of what adds mass to segments, or holds them, besides joints."""

USUAL_M = 0.1
"""Size of a segment that says nothing of its own (assumed; it gives a stand-in its inertia)."""


@finds(
    PHYSICS,
    error={
        "mass-missing": "A massless segment can move without anything that says how.",
        "inertia-missing": "A segment can turn about an axis without any inertia about it.",
    },
    note={
        "massless-inside": "A segment inside a tree has no mass, or no inertia about an axis.",
        "massless-held": "Constraints hold a segment without mass or inertia; it counts a trace of it.",
    },
)
def missing_mass(index: Index) -> Iterator[Problem]:
    """Find segments whose motion no mass determines, and those that count a trace of it."""
    lacking = [one for one in index.elements("segments") if _lacks(index, one[0])]
    if not lacking:
        return
    held = _held_otherwise(index)
    traces = stand_ins(index)
    for segment, path in lacking:
        name = segment.id
        zero_mass = segment.mass_kg == 0.0
        if name in traces:
            one = traces[name]
            sentence = Sentence(
                "'{name}' has no mass, or none about an axis; constraints or drivers hold it. It counts {mass_kg:.2g} kg and {inertia_kgm2:.2g} kg m2.",
                name=name,
                mass_kg=one.mass_kg,
                inertia_kgm2=max(one.inertia_kgm2),
            )
            yield problem("massless-held", path, sentence)
        if name in traces:
            continue
        joint = index.joint_of.get(name)
        tree, sure = _subtree(index, name), _subtree(index, name, whole=False)
        what = Sentence("no mass") if zero_mass else Sentence("no inertia about an axis")
        if _weighs(index, name, sure):
            sentence = Sentence(
                "'{name}' has {what}; its neighbours must determine its motion.",
                name=name,
                what=what,
            )
            yield problem("massless-inside", path, sentence)
        elif any(one in held for one in sure):
            continue
        elif zero_mass and (joint is None or _lightest(segment, joint) <= 0.0):
            sentence = Sentence(
                "'{name}' has no mass, and nothing determines how it moves.", name=name
            )
            hint = "Give it mass and inertia, lock its joint, or hold it by a constraint."
            if _weighs(index, name, tree):
                sentence = Sentence(
                    "'{name}' has no mass: once what it carries has broken off, nothing determines how it moves.",
                    name=name,
                )
                hint = "Give it mass and inertia, lock its joint, or let no joint above it break."
            yield problem("mass-missing", f"{path}/mass_kg", sentence, hint)
        elif not zero_mass and len(sure) == 1 and _lightest(segment, joint) <= 0.0:
            sentence = Sentence(
                "'{name}' can turn about an axis about which it has no inertia.", name=name
            )
            hint = "Give it inertia, or a joint that does not turn about this axis."
            yield problem("inertia-missing", f"{path}/inertia_kgm2", sentence, hint)


def stand_ins(index: Index) -> Mapping[str, Segment]:
    """Give the segments that constraints hold without mass of their own, with the trace they count."""
    made: dict[str, Segment] = {}
    lacking = [segment for segment in index.project.segments if _lacks(index, segment)]
    if not lacking:
        return made
    held, linked = _held_otherwise(index), _linked(index)
    coupled = {name for names in _coupled(index).values() for name in names}
    for segment in lacking:
        name = segment.id
        sure = _subtree(index, name, whole=False)
        if not (name in held if _weighs(index, name, sure) else any(one in held for one in sure)):
            continue
        joint = index.joint_of.get(name)
        if segment.mass_kg > 0.0 and joint is not None and _lightest(segment, joint) > 0.0:
            continue
        mass = segment.mass_kg or SHARE * _heaviest(index, linked, name)
        share = SHARE if segment.mass_kg else 1.0
        trace = share * mass * _size(index, segment) ** 2
        if name in coupled:
            # what turns with others counts beside their inertia
            others = (index.segments[one] for one in linked.get(name, ()) if one in index.segments)
            trace = max(trace, 10.0 * SHARE * max((max(one.inertia_kgm2) for one in others), default=0.0))  # fmt: skip
        inertia = tuple(moment or trace for moment in segment.inertia_kgm2)
        made[name] = segment.model_copy(update={"mass_kg": mass, "inertia_kgm2": inertia})
    return made


def _lacks(index: Index, segment: Segment) -> bool:
    """Whether a segment that may move has no mass, or no inertia about an axis."""
    if segment.mass_kg > 0.0 and 0.0 not in segment.inertia_kgm2:
        return False
    if any(one.segment == segment.id for one in index.project.modal_bodies):
        return False
    joint = index.joint_of.get(segment.id)
    moves = joint is None or not (is_rigid(joint) or is_moved(index, joint))
    return moves and not index.is_driven(segment.id)


def is_moved(index: Index, joint: Joint) -> bool:
    """Whether drivers move every axis of a joint, from the start to the end."""
    drivers = [one for one in index.project.drivers if one.joint == joint.id and one.moves_always]
    return len({one.axis for one in drivers}) == row_of(joint).coordinates > 0


def _weighs(index: Index, name: str, tree: list[str]) -> bool:
    """Whether what a segment carries has mass."""
    heavy = {one.segment for one in index.project.modal_bodies}
    return any(index.segments[one].mass_kg > 0.0 or one in heavy for one in tree if one != name)


def _size(index: Index, segment: Segment) -> float:
    """How far (m) a segment reaches from its mass centre, by its points and surfaces."""
    joint = index.joint_of.get(segment.id)
    reach = [float(np.linalg.norm(joint.child_frame.position_m))] if joint is not None else []
    for tie in (*index.project.constraints, *index.project.tension_elements):
        for end in (getattr(tie, "a", None), getattr(tie, "b", None)):
            if end is not None and end.segment == segment.id:
                at = getattr(end, "frame", end).position_m
                reach.append(float(np.linalg.norm(at)))
    reach += [max(surface.semi_axes_m) for surface in segment.surfaces]
    # what counts from a segment pushes it where its own point is
    for driver in index.project.frame_drivers:
        if segment.id in (driver.moved.segment, driver.seen_from.segment):
            point = index.point(driver.moved.segment, driver.moved.frame.position_m)
            reach.append(float(np.linalg.norm(point - index.pose[segment.id].p_W)))
    return max(reach, default=0.0) or USUAL_M


def _held_otherwise(index: Index) -> set[str]:
    """Name the segments that something besides joints adds mass to or holds."""
    breaking = tuple(f"constraints/{c.id}/" for c in index.project.constraints if c.breakage)
    holding = {
        ref.value
        for ref in index.refs
        if ref.field.to == "segments"
        and ref.path.startswith(HOLDING)
        and not (breaking and ref.path.startswith(breaking))
    }
    driven: dict[tuple[str, str], set[str]] = {}
    for one in index.project.frame_drivers:
        if one.moves_always:
            ends = one.moved.segment, one.seen_from.segment
            driven.setdefault(ends, set()).add(one.component)
    holding |= {name for names in _coupled(index).values() for name in names}
    return holding | {moved for (moved, _), coordinates in driven.items() if len(coordinates) == 6}


def _coupled(index: Index) -> Mapping[str, set[str]]:
    """The segments that the joints of each coupling carry."""
    joints = index.by_id["joints"]
    return {
        f"constraints/{c.id}": {joints[axis.joint].child for axis in (c.first, c.second) if axis.joint in joints}
        for c in index.project.constraints
        if isinstance(c, COUPLINGS)
    }  # fmt: skip


def _linked(index: Index) -> Mapping[str, set[str]]:
    """For each segment those that joints and what holds besides them link to it."""
    groups: dict[str, set[str]] = {
        j.id: {j.parent, j.child} - {GROUND} for j in index.project.joints
    }
    for ref in index.refs:
        if ref.field.to == "segments" and ref.path.startswith((*HOLDING, "frame_drivers/")):
            groups.setdefault("/".join(ref.path.split("/")[:2]), set()).add(ref.value)
    groups |= _coupled(index)
    out: dict[str, set[str]] = {}
    for group in groups.values():
        for name in group:
            out.setdefault(name, set()).update(group)
    return out


def _heaviest(index: Index, linked: Mapping[str, set[str]], name: str) -> float:
    """The largest mass among all that moves with a segment by links; that of the lightest where none does."""
    found = [name]
    for one in found:
        if one == name or not index.is_driven(one):
            found += [
                other
                for other in linked.get(one, ())
                if other not in found and other in index.segments
            ]
    moved = [index.segments[one].mass_kg for one in found if not index.is_driven(one)]
    others = [one.mass_kg for one in index.project.segments if one.mass_kg > 0.0]
    return max(moved) or min(others, default=1.0)


def _subtree(index: Index, name: str, *, whole: bool = True) -> list[str]:
    """Name a segment and all that it carries; not whole: without what may break off."""
    found = [name]
    for one in found:
        below = index.joints_below.get(one, ())
        found.extend(joint.child for joint in below if whole or joint.breakage is None)
    return found


def _lightest(segment: Any, joint: Any) -> float:
    """Give the least inertia (or mass) that a segment at the end of a tree has in its freedoms."""
    carried = joint is not None and not is_free(joint)
    slides = carried and row_of(joint).slides and not _stays(joint)
    if segment.mass_kg == 0.0 and (not carried or slides):
        return 0.0
    order = row_of(joint).order if carried else "xyz"
    # three turns lead every way, also where two are about the same axis
    axes = "xyz" if len(order) == 3 else "".join(dict.fromkeys(order))
    if not axes or (joint is not None and _has_held_axis(joint)):
        return 1.0
    inertia = _inertia_about_joint(segment, joint if carried else None)
    rows = ["xyz".index(axis) for axis in axes]
    block = inertia[np.ix_(rows, rows)]
    least = float(np.linalg.eigvalsh(block)[0])
    return least if least > 1e-12 * float(np.trace(inertia)) else 0.0


def _stays(joint: Any) -> bool:
    """Whether a joint that only slides is held for good."""
    ends = (joint.slide.release_below_n, joint.slide.release_above_n) if is_held(joint) else (0.0,)
    return all(one is None for one in ends)


def _has_held_axis(joint: Any) -> bool:
    """Whether any axis of a joint is held for good."""
    return any(lock.locked and lock.unlock_torque_nm is None for lock in locks_of(joint))


def _inertia_about_joint(segment: Any, joint: Any) -> Array:
    """The inertia (kg*m2) about the joint's point, in the joint frame's axes."""
    inertia = inertia_of(segment)
    if joint is None:
        return inertia
    r = np.array(joint.child_frame.position_m)
    inertia = inertia + segment.mass_kg * (r @ r * np.eye(3) - np.outer(r, r))
    R_SC = turn(joint.child_frame.orientation)
    turned: Array = R_SC.T @ inertia @ R_SC
    return turned


# Check meshes of segments.


@finds(TOPOLOGY, error={"mesh-packed": "Points and faces of a mesh cannot be unpacked."})
def meshes(index: Index) -> Iterator[Problem]:
    """Find meshes that are none."""
    for one, path in index.elements("meshes"):
        if unpack(one.packed) is None:
            sentence = Sentence("Points and faces of '{mesh}' cannot be unpacked.", mesh=one.id)
            yield problem("mesh-packed", f"{path}/packed", sentence, "Import its file again.")
