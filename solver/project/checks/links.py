"""Check springs, tension elements, constraints, and how they start."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, assert_never

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import Array, angle_between
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.checks.shapes import flat, gaps, shapes_of, solid, support
from solver.project.closures import CLOSURES, PointOnCurve
from solver.project.couplings import COUPLINGS
from solver.project.geometry import FrameRef, Hyperellipsoid
from solver.project.inertia import principal_moments
from solver.project.links import (
    Bushing,
    Disc,
    EdgeOnEdge,
    LinearSpring,
    PlanarSymmetry,
    RollSlide,
    Spring,
    TabulatedSpring,
    ZeroDistance,
)
from solver.project.motions import Load
from solver.project.pose import Placed, edge_of, turn
from solver.project.problems import Problem

EXACT_M, TOUCH_M, STRONGEST_N = 1e-6, 1e-4, 1e6
STRAINED = 0.5
"""Part of its height, or angle (rad), by which a disc may start deformed."""


@finds(
    TOPOLOGY,
    warning={
        "spring-same-segment": "A spring joins a segment to itself.",
        "spring-nothing": "A spring has neither stiffness nor damping.",
        "tension-same-segment": "A tension element joins a segment to itself.",
    },
    note={"tension-damps-across": "A tension element damps across its line, too."},
)
def springs(index: Index) -> Iterator[Problem]:
    """Find springs that cannot act."""
    for spring, path in index.elements("springs"):
        if spring.a.segment == spring.b.segment:
            sentence = Sentence(
                "Both ends are on '{segment}'; the spring does nothing.", segment=spring.a.segment
            )
            yield problem("spring-same-segment", f"{path}/b/segment", sentence, "Move one end.")
        if not _acts(spring):
            field = "force" if isinstance(spring, TabulatedSpring) else "stiffness_n_per_m"
            sentence = Sentence("It has neither stiffness nor damping.")
            yield problem("spring-nothing", f"{path}/{field}", sentence, "Give one of them.")
    for element, path in index.elements("tension_elements"):
        if element.a.segment == element.b.segment:
            sentence = Sentence(
                "Both ends are on '{segment}'; it never changes its length.",
                segment=element.a.segment,
            )
            yield problem("tension-same-segment", f"{path}/b/segment", sentence, "Move one end.")
        if element.damping_law == "printed" and element.damping_ns_per_m:
            sentence = Sentence(
                "It damps across its line, too, and while it is slack, as printed: what turns loses its spin."
            )
            hint = "Let it damp along its line, unless an older model or deck is to be met."
            yield problem("tension-damps-across", f"{path}/damping_law", sentence, hint)


def _acts(spring: Spring) -> bool:
    match spring:
        case TabulatedSpring():
            return spring.force is not None or spring.damping is not None
        case LinearSpring():
            return bool(
                spring.stiffness_n_per_m
                or spring.stiffness_n_per_m2
                or spring.damping_ns_per_m
                or spring.damping_ns2_per_m2
            )
        case Disc():
            return True
        case Bushing():
            parts = (
                *spring.stiffness_n_per_m,
                *spring.damping_ns_per_m,
                *spring.stiffness_nm_per_rad,
                *spring.damping_nms_per_rad,
                *spring.drag_ns2_per_m2,
                *spring.drag_nms2_per_rad2,
            )
            return any(parts)
        case _:
            assert_never(spring)


@finds(
    TOPOLOGY,
    error={
        "constraint-same-segment": "A constraint acts between points of one segment.",
        "constraint-rigid": "A constraint acts between segments that cannot move apart.",
        "roll-slide-partner": "A rolling surface needs exactly one partner.",
        "roll-slide-shape": "A hyperellipsoid is to roll or slide.",
        "roll-slide-inside": "A surface is to roll inside a plane.",
    },
    warning={
        "roll-slide-friction": "Sliding friction is larger than static friction.",
        "roll-slide-unused": "A rolling surface has a number that its friction does not use.",
        "edge-unused": "Edges have a number that their mode does not use.",
        "edge-friction": "Edges slide at a larger force than holds them.",
    },
)
def constraints(index: Index) -> Iterator[Problem]:
    """Find constraints that hold nothing or cannot be held."""
    for item, path in index.elements("constraints"):
        if isinstance(item, COUPLINGS):
            continue
        if isinstance(item, EdgeOnEdge):
            yield from _edges(index, item, path)
            continue
        if not isinstance(item, RollSlide):
            yield from _between(index, item.a.segment, item.b.segment, f"{path}/b/segment")
            continue
        if (item.plane is None) == (item.other is None):
            given = (
                Sentence("both are given")
                if item.plane is not None
                else Sentence("neither is given")
            )
            sentence = Sentence("It needs either a plane or another surface; {given}.", given=given)
            where = f"{path}/other" if item.plane is not None else f"{path}/plane"
            yield problem("roll-slide-partner", where, sentence, "Give exactly one.")
            continue
        partner = item.other.segment if item.other is not None else None
        if item.plane is not None and item.plane in index.by_id["planes"]:
            partner = index.by_id["planes"][item.plane].segment
        if partner is not None:
            where = f"{path}/plane" if item.other is None else f"{path}/other/segment"
            yield from _between(index, item.surface.segment, partner, where)
        for field in ("surface", "other"):
            ref = getattr(item, field)
            found = index.surfaces.get((ref.segment, ref.surface)) if ref is not None else None
            if isinstance(found, Hyperellipsoid):
                sentence = Sentence(
                    "'{surface}' is a hyperellipsoid; only ellipsoids roll and slide.",
                    surface=ref.surface,
                )
                hint = "Use an ellipsoid, or a contact instead."
                yield problem("roll-slide-shape", f"{path}/{field}", sentence, hint)
        if item.inside and item.plane is not None:
            sentence = Sentence("A plane has no inside to roll in.")
            yield problem("roll-slide-inside", f"{path}/inside", sentence, "Set it to false.")
        yield from _friction(item, path)


def _edges(index: Index, item: EdgeOnEdge, path: str) -> Iterator[Problem]:
    planes = index.by_id["planes"]
    if item.plane in planes and item.on in planes:
        yield from _between(
            index, planes[item.plane].segment, planes[item.on].segment, f"{path}/on"
        )
    never = {
        "auto": (),
        "held": ("static_force_n", "sliding_force_n", "viscous_ns_per_m"),
        "slide": ("static_force_n",),
    }[item.mode]
    for field in never:
        if getattr(item, field) != 0.0:
            sentence = Sentence("This number is not used in this mode.")
            yield problem("edge-unused", f"{path}/{field}", sentence, "Set it to 0.")
    if item.mode == "auto" and item.sliding_force_n > item.static_force_n:
        sentence = Sentence(
            "It slides at {moving:g} N and is held up to {rest:g} N.",
            moving=item.sliding_force_n,
            rest=item.static_force_n,
        )
        hint = "The static force is usually the larger one."
        yield problem("edge-friction", f"{path}/sliding_force_n", sentence, hint)


def _friction(item: RollSlide, path: str) -> Iterator[Problem]:
    by_force = item.friction_law == "force"
    static = "static_force_n" if by_force else "static_friction"
    sliding = "sliding_force_n" if by_force else "sliding_friction"
    rest, moving = getattr(item, static), getattr(item, sliding)
    if item.mode == "auto" and moving > rest:
        sentence = Sentence(
            "Sliding friction ({moving:g}) is larger than static friction ({rest:g}).",
            moving=moving,
            rest=rest,
        )
        hint = "Static friction is usually the larger one."
        yield problem("roll-slide-friction", f"{path}/{sliding}", sentence, hint)
    never = {"roll": (sliding, "viscous_ns_per_m"), "slide": (static,), "auto": ()}[item.mode]
    others = (
        ("static_friction", "sliding_friction")
        if by_force
        else ("static_force_n", "sliding_force_n")
    )
    for field in (*others, *never):
        if getattr(item, field) != 0.0:
            sentence = Sentence("This number is not used by friction of this law and mode.")
            yield problem("roll-slide-unused", f"{path}/{field}", sentence, "Set it to 0.")


def _between(index: Index, a: str, b: str, where: str) -> Iterator[Problem]:
    if a == b:
        sentence = Sentence("Both sides are on '{a}'; there is nothing to hold.", a=a)
        yield problem("constraint-same-segment", where, sentence, "Name another segment.")
    elif index.rigid_group.get(a, a) == index.rigid_group.get(b, b):
        sentence = Sentence(
            "'{a}' and '{b}' are locked together; there is nothing to hold.", a=a, b=b
        )
        yield problem("constraint-rigid", where, sentence, "Remove the constraint.")
    elif index.is_driven(a) and index.is_driven(b):
        sentence = Sentence(
            "'{a}' and '{b}' both move as prescribed; nothing can hold them.", a=a, b=b
        )
        yield problem("constraint-rigid", where, sentence, "Remove the constraint.")


@finds(
    PHYSICS,
    error={
        "points-apart": "Two points that are to stay together start apart.",
        "distance-start": "Two points do not start at the distance that is to be held.",
        "distance-none": "A distance of zero is to be held.",
        "roll-slide-apart": "A surface that is to roll or slide does not touch at the start.",
        "edges-apart": "Two edges do not lie along each other at the start.",
    },
)
def constraint_starts(index: Index) -> Iterator[Problem]:
    """Find constraints that are violated at time zero, and say by how much."""
    for item, path in index.elements("constraints"):
        if isinstance(item, (*COUPLINGS, *CLOSURES, PointOnCurve)):
            continue
        if isinstance(item, RollSlide):
            if item.starts == "at_once":
                yield from _rolling_start(index, item, path)
            continue
        if isinstance(item, EdgeOnEdge):
            yield from _edge_start(index, item, path)
            continue
        apart = float(np.linalg.norm(_end(index, item.a) - _end(index, item.b)))
        if isinstance(item, ZeroDistance):
            if apart > EXACT_M:
                sentence = Sentence("The points start {mm} mm apart.", mm=_mm(apart))
                hint = "Move a point, or turn the segments until they meet."
                yield problem("points-apart", path, sentence, hint)
        elif item.distance_m is None:
            if apart <= EXACT_M:
                sentence = Sentence("The points start in one place: there is no distance to hold.")
                hint = "Use kind zero_distance."
                yield problem("distance-none", f"{path}/distance_m", sentence, hint)
        elif abs(apart - item.distance_m) > EXACT_M:
            sentence = Sentence(
                "The points start {mm} mm apart, not {mm_2} mm.",
                mm=_mm(apart),
                mm_2=_mm(item.distance_m),
            )
            hint = "Leave the distance out to hold the one at the start."
            yield problem("distance-start", f"{path}/distance_m", sentence, hint)


def _edge_start(index: Index, item: EdgeOnEdge, path: str) -> Iterator[Problem]:
    lines = []
    for name, edge in ((item.plane, item.edge), (item.on, item.on_edge)):
        plane = index.by_id["planes"][name]
        begins, way = edge_of(plane, edge)
        at, size = index.pose[plane.segment], float(np.linalg.norm(way))
        if size == 0.0:
            return
        lines.append((at.p_W + at.R_WS @ (begins + 0.5 * way), at.R_WS @ way / size))
    (one, along), (other, line) = lines
    away = one - other
    off = float(np.linalg.norm(away - (away @ line) * line))
    turned = math.asin(min(1.0, float(np.linalg.norm(np.cross(along, line)))))
    if off > EXACT_M or turned > EXACT_M:
        sentence = Sentence(
            "The edges start {mm} mm apart, and {degrees:.3g} degrees from one direction.",
            mm=_mm(off),
            degrees=math.degrees(turned),
        )
        hint = "Move or turn a plane until one edge lies along the other."
        yield problem("edges-apart", path, sentence, hint)


def _mm(metres: float) -> str:
    return f"{metres * 1e3:.6g}"


def _end(index: Index, ref: Any) -> Any:
    position = ref.frame.position_m if hasattr(ref, "frame") else ref.position_m
    return index.point(ref.segment, position)


def _rolling_start(index: Index, item: Any, path: str) -> Iterator[Problem]:
    body = solid(index, item.surface.segment, item.surface.surface)
    if item.plane is not None:
        plane = flat(index, index.by_id["planes"][item.plane])
        if plane is None:
            return
        height = float((body.centre - plane.corner) @ plane.normal)
        gap = height - float(support(plane.normal[None, None, :], shapes_of([body]))[0, 0])
    else:
        other = solid(index, item.other.segment, item.other.surface)
        gap = float(gaps([body], [other], [item.inside])[0])
    if abs(gap) > TOUCH_M:
        how = Sentence("apart") if gap > 0 else Sentence("deep in each other")
        sentence = Sentence("The surfaces start {gap:.4g} mm {how}.", gap=abs(gap) * 1e3, how=how)
        hint = "Move them until they touch, or let it start 'on_touch'."
        yield problem("roll-slide-apart", f"{path}/starts", sentence, hint)


@finds(
    PHYSICS,
    error={"tension-masses": "The coupled mass of a tension element is too large."},
    warning={
        "spring-no-direction": "The ends of a spring start in one place.",
        "spring-strong-start": "A spring starts with a huge force.",
        "disc-strained": "A disc starts far from its own form.",
    },
)
def link_starts(index: Index) -> Iterator[Problem]:
    """Find springs that start without direction or with a huge force."""
    for spring, path in index.elements("springs"):
        if isinstance(spring, Disc):
            yield from _strained(index, spring, path)
        if isinstance(spring, Bushing | Disc) or spring.a.segment == spring.b.segment:
            continue
        length = float(np.linalg.norm(_end(index, spring.a) - _end(index, spring.b)))
        if length <= EXACT_M:
            sentence = Sentence("Both ends start in one place: the force has no direction.")
            hint = "Move one end, or use a bushing."
            yield problem("spring-no-direction", path, sentence, hint)
        elif isinstance(spring, LinearSpring) and spring.rest_length_m is not None:
            x = length - spring.rest_length_m
            if x < 0.0 and spring.tension_only:
                continue
            force = abs(x) * (spring.stiffness_n_per_m + spring.stiffness_n_per_m2 * abs(x))
            if force > STRONGEST_N:
                sentence = Sentence(
                    "It is {mm} mm long, at rest {mm_2} mm: a force of {force:.3g} N.",
                    mm=_mm(length),
                    mm_2=_mm(spring.rest_length_m),
                    force=force,
                )
                hint = "Leave the rest length out to start without force."
                yield problem("spring-strong-start", f"{path}/rest_length_m", sentence, hint)
    for element, path in index.elements("tension_elements"):
        if element.mass_ab_kg**2 > element.mass_a_kg * element.mass_b_kg * (1.0 + 1e-9):
            sentence = Sentence(
                "The square of M_AB is larger than M_A times M_B: no string is like that."
            )
            hint = "For an even string of mass m: M_A = M_B = m/3 and M_AB = m/6."
            yield problem("tension-masses", f"{path}/mass_ab_kg", sentence, hint)


def _strained(index: Index, disc: Disc, path: str) -> Iterator[Problem]:
    """Find a disc whose plates start otherwise than a height apart, along A's z and turned alike."""
    below, above = (index.pose[ref.segment] for ref in (disc.a, disc.b))
    axes = below.R_WS @ turn(disc.a.frame.orientation)
    way = axes.T @ (_end_of(above, disc.b) - _end_of(below, disc.a))
    off = float(np.linalg.norm(way - [0.0, 0.0, disc.height_m]))
    turned = angle_between(axes, above.R_WS @ turn(disc.b.frame.orientation))
    if off > STRAINED * disc.height_m or turned > STRAINED:
        sentence = Sentence(
            "Its plates start {off} mm and {degrees:.0f} degrees from where the disc is not deformed.",
            off=_mm(off),
            degrees=math.degrees(turned),
        )
        hint = "Put B a height along A's z from A, with the same axes."
        yield problem("disc-strained", path, sentence, hint)


def _end_of(at: Placed, ref: FrameRef) -> Array:
    place: Array = at.p_W + at.R_WS @ np.array(ref.frame.position_m)
    return place


@finds(PHYSICS, warning={"symmetry-unequal": "Two paired segments have different masses."})
def unequal_pairs(index: Index) -> Iterator[Problem]:
    """Find pairs whose segments are not alike."""
    for entry, path in index.elements("symmetry"):
        if isinstance(entry, PlanarSymmetry):
            continue
        first, second = index.segments[entry.first], index.segments[entry.second]
        if not np.allclose(
            (first.mass_kg, *principal_moments(first)),
            (second.mass_kg, *principal_moments(second)),
            rtol=1e-6,
        ):
            sentence = Sentence(
                "'{first}' and '{second}' have different mass or inertia.",
                first=first.id,
                second=second.id,
            )
            hint = "Paired segments should be alike."
            yield problem("symmetry-unequal", f"{path}/second", sentence, hint)


@finds(PHYSICS, error={"load-direction": "A load has no direction."})
def load_directions(index: Index) -> Iterator[Problem]:
    """Find loads whose direction is zero."""
    for load, path in index.of(Load):
        if not any(load.direction):
            sentence = "The direction is zero."
            yield problem("load-direction", f"{path}/direction", sentence, "Write 1, 0, 0 for x.")
