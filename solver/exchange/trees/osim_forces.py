"""Forces of OpenSim's models: bushings, springs, limits of coordinates, ligaments, springs along paths, muscles."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from solver.engine.maths.rotation import from_angles
from solver.exchange.trees.bodies import MOST_POINTS, End, Limit, Line, Link, Over, ReadNotes
from solver.exchange.trees.osim_paths import Paths
from solver.exchange.trees.osim_ties import Coordinate
from solver.exchange.trees.xml import Element

Frames = Callable[..., End]
DEGREE = math.pi / 180.0
ZERO = (0.0, 0.0, 0.0)
IDLE = {
    "Appearance",
    "components",
    "compute_dissipation_energy",
    "max_force",
    "min_force",
    "optimal_force",
    "dissipation",
}
"""Properties of forces that draw them or steer optimizers, or of which a sentence of their own tells."""


def read_forces(
    forces: list[Element],
    coordinates: Mapping[str, Coordinate],
    frame: Frames,
    offsets: Callable[[Element], dict[str, End]],
    read_notes: ReadNotes,
    wraps: Mapping[str, Over],
    controls: Mapping[str, dict[str, Any]],
) -> list[Link]:
    """What joins bodies; springs, dampers and limits of coordinates go to their axes."""
    links, left = list[Link](), Counter[str]()
    paths = Paths(wraps, coordinates, frame, read_notes)
    for one in forces:
        if (
            "true" in (one.child_text("isDisabled"),)
            or one.child_text("appliesForce", "true") == "false"
        ):
            read_notes.say(
                "Force '{name}' is switched off in the file and left out.", name=_name(one)
            )
            continue
        match one.tag:
            case "BushingForce":
                links.append(_bushing(one, frame, offsets(one)))
            case "PointToPointSpring":
                links.append(_between(one, frame))
            case "SpringGeneralizedForce" | "CoordinateLimitForce":
                _on_coordinate(one, coordinates, read_notes)
            case "Ligament" | "PathSpring":
                made = _path(one, paths)
                links += [made] if made else []
            case (
                "Thelen2003Muscle" | "Millard2012EquilibriumMuscle" | "Schutte1993Muscle_Deprecated"
            ):
                muscle = _muscle(one, paths)
                if muscle:
                    muscle.control = controls.get(_name(one), controls.get("ALL"))
                    links.append(muscle)
                continue
            case _:
                left[one.tag] += 1
                continue
        read_notes.rest_within(one, IDLE)
    for tag, count in left.items():
        read_notes.say("Forces of kind {kind} are left out ({count}).", kind=tag, count=count)
    return links


def _name(one: Element) -> str:
    return str(one.given.get("name", one.tag))


def _bushing(one: Element, frame: Frames, local: dict[str, End]) -> Link:
    if one.first("body_1") is not None:
        ends = [
            (frame(one.child_text(f"body_{n}"), one)[0], np.array(one.values(f"location_body_{n}", 3, ZERO)),
             from_angles(one.values(f"orientation_body_{n}", 3, ZERO), "xyz"))
            for n in (1, 2)
        ]  # fmt: skip
    else:
        ends = [frame(one.child_text(f"socket_frame{n}"), one, local) for n in (1, 2)]
    stiff, damped = (
        (*one.values(f"translational_{what}", 3, ZERO), *one.values(f"rotational_{what}", 3, ZERO))
        for what in ("stiffness", "damping")
    )
    return Link(_name(one), "bushing", ends, stiff, damped)


def _between(one: Element, frame: Frames) -> Link:
    ends = list[End]()
    for n in (1, 2):
        body, place, R = frame(one.child_text(f"socket_body{n}") or one.child_text(f"body{n}"), one)
        ends.append((body, place + R @ np.array(one.values(f"point{n}", 3, ZERO)), R))
    return Link(_name(one), "spring", ends, one.values("stiffness", 1), rest=one.values("rest_length", 1, (0.0,))[0])  # fmt: skip


def _on_coordinate(one: Element, coordinates: Mapping[str, Any], read_notes: ReadNotes) -> None:
    q = coordinates.get(one.child_text("coordinate").rsplit("/", 1)[-1])
    if q is None:
        raise one.wrong("coordinate", "there is no coordinate of this name")
    if q.axis is None:
        read_notes.say("'{name}': coordinate '{coordinate}' is held or not single; the force is left out.", name=_name(one), coordinate=q.name)  # fmt: skip
        return
    by = 1.0 / q.factor**2
    if one.tag == "SpringGeneralizedForce":
        stiff = by * one.values("stiffness", 1, (0.0,))[0]
        rest = q.factor * one.values("rest_length", 1, (0.0,))[0] + q.shift
        if q.axis.stiffness and rest != q.axis.rest:
            read_notes.say("'{name}': a second spring on coordinate '{coordinate}' is left out.", name=_name(one), coordinate=q.name)  # fmt: skip
        else:
            q.axis.stiffness, q.axis.rest = q.axis.stiffness + stiff, rest
        q.axis.damping += by * one.values("viscosity", 1, (0.0,))[0]
        return
    turns = q.axis.motion == "hinge"
    unit = DEGREE if turns else 1.0
    transition = q.factor * unit * one.values("transition", 1, (0.1,))[0]
    if not transition > 0.0:
        raise one.wrong("transition", "it is not above zero; OpenSim takes no such step either")
    damping = by * one.values("damping", 1, (0.001,))[0] / unit
    for side in ("upper", "lower"):
        stiff = by * one.values(f"{side}_stiffness", 1, (1.0,))[0] / unit
        if stiff > 0.0:
            at = q.factor * unit * one.values(f"{side}_limit", 1, (0.0,))[0] + q.shift
            q.axis.limits.append(Limit(at, side == "upper", stiff, damping, transition))


USUAL_STRAIN = {"Thelen2003Muscle": 0.6, "Millard2012EquilibriumMuscle": 0.7}
"""Stretch beyond the best length at which fibres at rest pull as strongly as they can (both programs' own)."""
USUAL_TIMES = {"Thelen2003Muscle": (0.015, 0.05), "Millard2012EquilibriumMuscle": (0.01, 0.04)}


def _muscle(one: Element, paths: Paths) -> Link | None:
    """Read a muscle along its path: its tendon does not give, its fibres lean as at their best length."""
    read_notes, (ends, beside) = paths.read_notes, paths.read(one)
    if not 2 <= len(ends) <= MOST_POINTS:
        read_notes.say("Muscle '{name}' is left out: its line has {count} points; 2 to {most} are taken.", name=_name(one), count=len(ends), most=MOST_POINTS)  # fmt: skip
        return None

    def given(tag: str, usual: float) -> float:
        held = next((part for part in (one, *one.children) if part.first(tag) is not None), one)
        return held.values(tag, 1, (usual,))[0]

    fibre, tendon = one.values("optimal_fiber_length", 1, (0.1,))[0], one.values("tendon_slack_length", 1, (0.2,))[0]  # fmt: skip
    lean = math.cos(one.values("pennation_angle_at_optimal", 1, (0.0,))[0])
    strength = one.values("max_isometric_force", 1, (1000.0,))[0]
    if not (min(fibre, strength) > 0.0 and lean > 1e-3):
        raise one.wrong("optimal_fiber_length", "fibres and their force must be above zero, and lean by less than a right angle")  # fmt: skip
    rise, fall = USUAL_TIMES.get(one.tag, (0.015, 0.05))
    strain = given("strain_at_one_norm_force", USUAL_STRAIN.get(one.tag, 0.6))
    numbers = {
        "strength": strength * lean, "fibre": fibre / lean, "stretch": 1.0,
        "speed_per_s": one.values("max_contraction_velocity", 1, (10.0,))[0],
        "passive_strain": one.values("FmaxMuscleStrain", 1, (strain,))[0],
        "activation": min(max(given("default_activation", 0.05), 0.0), 1.0),
        "rise_s": given("activation_time_constant", rise), "fall_s": given("deactivation_time_constant", fall),
    }  # fmt: skip
    read_notes.say("Muscles are laws by activation, length and speed with Thelen's shapes; their tendons do not give, the lean of their fibres stays, and they keep the file's activation until you give them another.")  # fmt: skip
    return Link(_name(one), "muscle", ends, rest=tendon + fibre * lean, muscle=numbers, line=beside)


def _path(one: Element, paths: Paths) -> Link | None:
    ends, beside = paths.read(one)
    if len(ends) < 2:
        raise one.wrong("GeometryPath", "it has less than two points")
    if len(ends) > MOST_POINTS:
        raise one.wrong("GeometryPath", "it has more than 22 points; leave some out")
    rest = one.values("resting_length", 1)[0]
    if not rest > 0.0:
        raise one.wrong("resting_length", "it is not above zero")
    loses = 0.0
    if one.tag == "PathSpring":
        loses = one.values("dissipation", 1, (0.0,))[0]
        pull = [(10.0, 10.0 * rest * one.values("stiffness", 1)[0])]
    else:
        pull = _curve(one, paths.read_notes)
    is_plain = len(ends) == 2 and beside == Line() and not loses
    kind: Any = "spring" if is_plain else "path"
    return Link(_name(one), kind, ends, rest=rest, pull=pull, line=beside, dissipation=loses)


def _curve(one: Element, read_notes: ReadNotes) -> list[tuple[float, float]]:
    """Give strain and force of a ligament: its curve is of length and force in parts of its own."""
    force = one.values("pcsa_force", 1)[0]
    held = one.first("force_length_curve")
    curve = next(iter(held.children), None) if held is not None else None
    curve = curve or next((c for c in one.children if c.given.get("name") == "force_length_curve"), None)  # fmt: skip
    if curve is None:
        raise one.wrong("force_length_curve", "it is missing")
    curve.seen = True
    if curve.tag != "PiecewiseLinearFunction":
        read_notes.say("'{name}': the points of its curve ({kind}) are joined by lines.", name=_name(one), kind=curve.tag)  # fmt: skip
    x, y = curve.values("x", 0, ()), curve.values("y", 0, ())
    if len(x) < 2 or len(x) != len(y) or any(b <= a for a, b in itertools.pairwise(x)):
        raise curve.wrong("x", "its points cannot be read")
    return [(a - 1.0, force * b) for a, b in zip(x, y, strict=True)]
