"""Check belts and harnesses: how they are threaded (second pass), and how they lie (third pass)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any, assert_never

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import Array
from solver.project.belts import (
    AnchorPoint,
    JunctionPoint,
    LoadLimiter,
    Pretensioner,
    Retractor,
    RingPoint,
    Strap,
    StrapEnd,
    StrapPoint,
    SurfacePoint,
)
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.checks.shapes import radial_gap
from solver.project.contact import LankaraniLaw
from solver.project.forms import samples
from solver.project.geometry import Hyperellipsoid, Surface
from solver.project.pose import turn
from solver.project.problems import Problem

SAME_M = 1e-6
ON_ELLIPSOID_M = 1e-3
MOVED_M = 0.01
PRETENSION = 0.1


@finds(TOPOLOGY, error={"belt-shape": "A simple belt lies on a hyperellipsoid."})
def belts(index: Index) -> Iterator[Problem]:
    """Find simple belts over anything but an ellipsoid."""
    for belt, path in index.elements("belts"):
        found = index.surfaces.get((belt.surface.segment, belt.surface.surface))
        if isinstance(found, Hyperellipsoid):
            sentence = Sentence(
                "'{surface}' is a hyperellipsoid; a simple belt needs an ellipsoid.",
                surface=belt.surface.surface,
            )
            hint = "Use an ellipsoid, or a harness."
            yield problem("belt-shape", f"{path}/surface", sentence, hint)


@finds(
    TOPOLOGY,
    error={
        "strap-end": "A strap ends at something that does not hold it.",
        "strap-anchor-inside": "A strap is anchored between its ends.",
        "junction-end": "A strap ends at a junction that no other strap reaches.",
        "junction-twice": "A strap runs through the same junction twice.",
        "junction-surface": "A junction lies on different surfaces, or rubs or sinks in differently.",
        "junction-place": "A junction is given in different places.",
        "device-place": "A device is fitted to an end that is no anchor.",
        "device-history": "A history and something else drive the end of a strap.",
    },
    warning={
        "junction-alone": "A junction joins nothing.",
        "junction-idle": "A junction without surface has friction or flesh.",
        "device-empty": "An end is fitted with no device.",
        "retractor-never-locks": "A retractor has nothing that locks it.",
    },
)
def straps(index: Index) -> Iterator[Problem]:
    """Find straps that hang loose, and junctions and devices that cannot be."""
    for harness, path in index.elements("harnesses"):
        junctions: dict[str, list[tuple[Any, str, bool]]] = defaultdict(list)
        for strap in harness.straps:
            where = f"{path}/straps/{strap.id}"
            yield from _threading(strap, where)
            yield from _devices(strap, where)
            last = len(strap.points) - 1
            for i, point in enumerate(strap.points):
                if isinstance(point, JunctionPoint):
                    place = (point, f"{where}/points/{i}", i in (0, last))
                    junctions[point.junction].append(place)
        yield from _junctions(junctions)
    for end, path in index.of(StrapEnd):
        fitted = any((end.retractor, end.pretensioner, end.load_limiter))
        if not fitted and not end.given:
            yield problem("device-empty", path, "No device is given.", "Add one, or remove this.")
        if end.given and (fitted or None not in (end.given_tension, end.given_payout)):
            sentence = "A history drives the end, and something else is given for it."
            hint = "Keep the tension, the pull-out, or the devices."
            yield problem("device-history", path, sentence, hint)
    for retractor, path in index.of(Retractor):
        locks = ("acceleration_m_per_s2", "payout_m", "payout_rate_m_per_s")
        if all(getattr(retractor, f"lock_{name}") is None for name in locks):
            sentence = "Nothing locks the retractor; it only winds."
            hint = "Give a lock acceleration, a pull-out or a pull-out speed."
            yield problem("retractor-never-locks", path, sentence, hint)


NAMES = {
    "anchor": Sentence("an anchor"),
    "ring": Sentence("a ring"),
    "junction": Sentence("a junction"),
    "surface": Sentence("a surface"),
}


def _threading(strap: Strap, path: str) -> Iterator[Problem]:
    last = len(strap.points) - 1
    seen: set[str] = set()
    for i, point in enumerate(strap.points):
        where = f"{path}/points/{i}"
        if i in (0, last) and isinstance(point, RingPoint | SurfacePoint):
            sentence = Sentence(
                "'{strap}' ends at {names}, which does not hold it.",
                strap=strap.id,
                names=NAMES[point.kind],
            )
            yield problem("strap-end", where, sentence, "End it at an anchor or a junction.")
        elif 0 < i < last and isinstance(point, AnchorPoint):
            sentence = Sentence("'{strap}' is anchored between its ends.", strap=strap.id)
            hint = "Use a ring to run it through, or split it into two straps."
            yield problem("strap-anchor-inside", where, sentence, hint)
        elif isinstance(point, JunctionPoint):
            if point.junction in seen:
                sentence = Sentence(
                    "'{strap}' runs through '{junction}' twice.",
                    strap=strap.id,
                    junction=point.junction,
                )
                yield problem("junction-twice", where, sentence, "Split it into two straps.")
            seen.add(point.junction)


def _devices(strap: Strap, path: str) -> Iterator[Problem]:
    for field, point in (("start_device", strap.points[0]), ("end_device", strap.points[-1])):
        if getattr(strap, field) is not None and not isinstance(point, AnchorPoint):
            sentence = Sentence(
                "This end of '{strap}' is {names}, no anchor.",
                strap=strap.id,
                names=NAMES[point.kind],
            )
            hint = "Devices stand between an anchor and the webbing."
            yield problem("device-place", f"{path}/{field}", sentence, hint)


def _junctions(junctions: dict[str, list[tuple[Any, str, bool]]]) -> Iterator[Problem]:
    for name, places in junctions.items():
        first, where, is_end = places[0]
        if len(places) == 1 and is_end:
            sentence = Sentence("No other strap reaches '{name}': this one hangs loose.", name=name)
            hint = "Let another strap reach it, or end this one at an anchor."
            yield problem("junction-end", where, sentence, hint)
        elif len(places) == 1:
            sentence = Sentence("No other strap reaches '{name}'.", name=name)
            yield problem("junction-alone", where, sentence, "A junction joins two straps or more.")
        if first.surface is None and (first.friction != 0.0 or first.flesh is not None):
            sentence = Sentence(
                "'{name}' lies on no surface: it neither rubs nor sinks in.", name=name
            )
            hint = "Name the surface, or take friction and flesh away."
            yield problem("junction-idle", where, sentence, hint)
        for point, path, _ in places[1:]:
            if point.surface != first.surface:
                sentence = Sentence(
                    "'{name}' lies on a different surface elsewhere in the harness.", name=name
                )
                yield problem("junction-surface", f"{path}/surface", sentence, "Name the same one.")
            elif (point.friction, point.flesh) != (first.friction, first.flesh):
                sentence = Sentence(
                    "'{name}' has another friction or flesh elsewhere in the harness.", name=name
                )
                yield problem("junction-surface", f"{path}/friction", sentence, "Give both alike.")
            elif _apart(point.position_m, first.position_m) > SAME_M:
                sentence = Sentence(
                    "'{name}' stands in a different place elsewhere in the harness.", name=name
                )
                yield problem(
                    "junction-place", f"{path}/position_m", sentence, "Give it once alike."
                )


def _apart(a: Any, b: Any) -> float:
    return float(np.linalg.norm(np.subtract(a, b)))


@finds(
    PHYSICS,
    error={
        "belt-anchors": "The anchors of a belt are in one place.",
        "belt-anchor-inside": "An anchor of a belt is inside its ellipsoid.",
        "belt-plane": "The anchors and the fixed point of a belt span no plane.",
    },
    warning={
        "belt-point-off": "The fixed point of a belt is not on its ellipsoid.",
        "belt-pretension": "A belt starts with a large pretension.",
    },
)
def belt_starts(index: Index) -> Iterator[Problem]:
    """Find belts that cannot be laid at the start."""
    for belt, path in index.elements("belts"):
        surface = index.surfaces[belt.surface.segment, belt.surface.surface]
        R_SE = index.turn(surface.orientation)
        a = index.point(belt.anchor_a.segment, belt.anchor_a.position_m)
        b = index.point(belt.anchor_b.segment, belt.anchor_b.position_m)
        c = index.point(belt.surface.segment, belt.fixed_point_m)
        length = float(np.linalg.norm(c - a) + np.linalg.norm(c - b))
        if float(np.linalg.norm(a - b)) <= SAME_M:
            sentence = Sentence("Both anchors are in one place.")
            yield problem("belt-anchors", f"{path}/anchor_b", sentence, "Move one of them.")
        elif float(np.linalg.norm(np.cross(a - c, b - c))) <= 1e-6 * length**2:
            sentence = Sentence(
                "The anchors and the fixed point lie on one line: they span no plane."
            )
            yield problem("belt-plane", f"{path}/fixed_point_m", sentence, "Move the fixed point.")
        placed = index.pose[belt.surface.segment]
        for field, point in (("anchor_a", a), ("anchor_b", b)):
            gap = radial_gap(surface, R_SE, placed.R_WS.T @ (point - placed.p_W))
            if gap < -SAME_M:
                sentence = Sentence(
                    "The anchor is {gap:.1f} mm inside '{surface}'.",
                    gap=-gap * 1e3,
                    surface=surface.id,
                )
                yield problem("belt-anchor-inside", f"{path}/{field}", sentence, "Move it outside.")
        gap = radial_gap(surface, R_SE, belt.fixed_point_m)
        if abs(gap) > ON_ELLIPSOID_M:
            side = Sentence("outside") if gap > 0 else Sentence("inside")
            sentence = Sentence(
                "The fixed point is {gap:.1f} mm {side} '{surface}'.",
                gap=abs(gap) * 1e3,
                side=side,
                surface=surface.id,
            )
            hint = "It should lie on the ellipsoid."
            yield problem("belt-point-off", f"{path}/fixed_point_m", sentence, hint)
        if belt.slack_m < -PRETENSION * length:
            yield _pretension(belt.slack_m, length, path)


def _pretension(slack: float, length: float, path: str) -> Problem:
    sentence = Sentence(
        "It is {slack:.0f} mm too short for its {length:.0f} mm.",
        slack=-slack * 1e3,
        length=length * 1e3,
    )
    hint = "Slack is in metres; below zero it is pretension."
    return problem("belt-pretension", f"{path}/slack_m", sentence, hint)


@finds(
    PHYSICS,
    error={
        "strap-points-meet": "Neighbouring points of a strap are in one place.",
        "strap-direction": "The direction of a strap on a surface is zero.",
    },
    note={"strap-point-moved": "A point of a strap is moved far to lie on its surface."},
)
def strap_starts(index: Index) -> Iterator[Problem]:
    """Find straps whose points cannot be laid at the start."""
    for harness, path in index.elements("harnesses"):
        for strap in harness.straps:
            where = f"{path}/straps/{strap.id}"
            places = [_place(index, point) for point in strap.points]
            length = 0.0
            for i, (a, b) in enumerate(pairwise(places), 1):
                step = float(np.linalg.norm(a - b))
                length += step
                if step <= SAME_M:
                    sentence = Sentence(
                        "Points {i} and {i_2} of '{strap}' are in one place.",
                        i=i - 1,
                        i_2=i,
                        strap=strap.id,
                    )
                    yield problem("strap-points-meet", f"{where}/points/{i}", sentence, "Move one.")
            if strap.slack_m < -PRETENSION * length:
                yield _pretension(strap.slack_m, length, where)
    for point, path in index.of(SurfacePoint):
        if point.preferred_direction is not None and not any(point.preferred_direction):
            sentence = Sentence("The direction is zero.")
            hint = "Leave it out for the strap's own direction."
            yield problem("strap-direction", f"{path}/preferred_direction", sentence, hint)
        surface = index.surfaces[point.surface.segment, point.surface.surface]
        gap = _gap(surface, point.position_m)
        if abs(gap) > MOVED_M:
            sentence = Sentence(
                "The point is moved by {gap:.0f} mm onto '{surface}'.",
                gap=abs(gap) * 1e3,
                surface=surface.id,
            )
            yield problem("strap-point-moved", f"{path}/position_m", sentence)


@lru_cache(1024)
def _gap(surface: Surface, point: tuple[float, float, float]) -> float:
    """How far (m) a point lies outside a surface; most stay where they are when a model is changed."""
    return radial_gap(surface, turn(surface.orientation), point)


def _place(index: Index, point: StrapPoint) -> Array:
    """A strap point in ground axes (m), on its surface where it has one."""
    match point:
        case AnchorPoint() | RingPoint():
            return index.point(point.segment, point.position_m)
        case JunctionPoint():
            if point.surface is None:
                return np.array(point.position_m)
            return index.point(point.surface.segment, point.position_m)
        case SurfacePoint():
            ref = point.surface
        case _:
            assert_never(point)
    surface = index.surfaces[ref.segment, ref.surface]
    gap = _gap(surface, point.position_m)
    ray = np.array(point.position_m) - np.array(surface.centre_m)
    distance = float(np.linalg.norm(ray))
    moved = np.array(point.position_m) - (gap / distance * ray if distance > 0.0 else 0.0)
    x, y, z = moved.tolist()
    return index.point(ref.segment, (x, y, z))


@finds(
    PHYSICS,
    error={
        "flesh-rate": "The flesh under a strap has a law that asks for the rate at impact.",
        "device-falls": "A device's curve falls.",
    },
)
def strap_laws(index: Index) -> Iterator[Problem]:
    """Find laws and curves with which straps could not come to balance."""
    laws = {law.id: law for law, _ in index.elements("contact_laws")}
    fleshes = [(point.flesh, path) for point, path in index.of(SurfacePoint)]
    fleshes += [(point.flesh, path) for point, path in index.of(JunctionPoint)]
    for flesh, path in fleshes:
        law = laws.get(flesh or "")
        if isinstance(law, LankaraniLaw):
            sentence = Sentence(
                "'{law}' damps by the rate at impact; webbing without mass does not strike.",
                law=law.id,
            )
            hint = "Use another law, such as a hysteretic one or one with a dashpot."
            yield problem("flesh-rate", f"{path}/flesh", sentence, hint)
    curves = [(r.film_spool, f"{path}/film_spool") for r, path in index.of(Retractor)]
    curves += [(limiter.force, f"{path}/force") for limiter, path in index.of(LoadLimiter)]
    curves += [(tensioner.stroke, f"{path}/stroke") for tensioner, path in index.of(Pretensioner)]
    for name, path in curves:
        if name is None:
            continue
        x, y = samples(index.functions[name].form)
        if y.size < 2:
            continue
        falls = np.flatnonzero(np.diff(y) < -1e-9 * max(float(np.max(np.abs(y))), 1e-300))
        if falls.size:
            sentence = Sentence("'{name}' falls after {x:g}.", name=name, x=x[falls[0]])
            yield problem("device-falls", path, sentence, "Let it rise, or stay level.")
