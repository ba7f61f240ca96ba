"""Forces of OpenSim: bushings, springs, limits of coordinates, ligaments and springs along paths."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from solver.engine.maths.rotation import from_angles
from solver.exchange.trees.body import End, Limit, Link, ReadNotes
from solver.exchange.trees.xml import Element

Frames = Callable[[str, Element], End]
DEGREE = math.pi / 180.0
ZERO = (0.0, 0.0, 0.0)
IDLE = {
    "Appearance",
    "components",
    "compute_dissipation_energy",
    "max_force",
    "min_force",
    "optimal_force",
    "transition",
    "damping",
    "dissipation",
}
"""Properties of forces that draw them or steer optimizers, or of which a sentence of their own tells."""


def read_forces(
    forces: list[Element], coordinates: Mapping[str, Any], frame: Frames, told: ReadNotes
) -> list[Link]:
    """Give what joins bodies; springs, dampers and limits of coordinates go to their axes."""
    links, left = list[Link](), Counter[str]()
    for one in forces:
        if "true" in (one.told("isDisabled"),) or one.told("appliesForce", "true") == "false":
            told.say("Force '{name}' is switched off in the file and left out.", name=_name(one))
            continue
        match one.tag:
            case "BushingForce":
                links.append(_bushing(one, frame))
            case "PointToPointSpring":
                links.append(_between(one, frame))
            case "SpringGeneralizedForce" | "CoordinateLimitForce":
                _on_coordinate(one, coordinates, told)
            case "Ligament" | "PathSpring":
                made = _path(one, frame, told)
                links += [made] if made else []
            case _:
                left[one.tag] += 1
                continue
        told.rest_within(one, IDLE)
    for tag, count in left.items():
        told.say("Forces of kind {kind} are left out ({count}).", kind=tag, count=count)
    return links


def _name(one: Element) -> str:
    return str(one.given.get("name", one.tag))


def _bushing(one: Element, frame: Frames) -> Link:
    if one.first("body_1") is not None:
        ends = [
            (frame(one.told(f"body_{n}"), one)[0], np.array(one.values(f"location_body_{n}", 3, ZERO)),
             from_angles(one.values(f"orientation_body_{n}", 3, ZERO), "xyz"))
            for n in (1, 2)
        ]  # fmt: skip
    else:
        ends = [frame(one.told(f"socket_frame{n}"), one) for n in (1, 2)]
    stiff, damped = (
        (*one.values(f"translational_{what}", 3, ZERO), *one.values(f"rotational_{what}", 3, ZERO))
        for what in ("stiffness", "damping")
    )
    return Link(_name(one), "bushing", ends, stiff, damped)


def _between(one: Element, frame: Frames) -> Link:
    ends = list[End]()
    for n in (1, 2):
        body, place, R = frame(one.told(f"socket_body{n}") or one.told(f"body{n}"), one)
        ends.append((body, place + R @ np.array(one.values(f"point{n}", 3, ZERO)), R))
    return Link(_name(one), "spring", ends, one.values("stiffness", 1), rest=one.values("rest_length", 1, (0.0,))[0])  # fmt: skip


def _on_coordinate(one: Element, coordinates: Mapping[str, Any], told: ReadNotes) -> None:
    q = coordinates.get(one.told("coordinate").rsplit("/", 1)[-1])
    if q is None:
        raise one.wrong("coordinate", "there is no coordinate of this name")
    if q.axis is None:
        told.say("'{name}': coordinate '{coordinate}' is held or not single; the force is left out.", name=_name(one), coordinate=q.name)  # fmt: skip
        return
    by = 1.0 / q.factor**2
    if one.tag == "SpringGeneralizedForce":
        stiff = by * one.values("stiffness", 1, (0.0,))[0]
        rest = q.factor * one.values("rest_length", 1, (0.0,))[0] + q.shift
        if q.axis.stiffness and rest != q.axis.rest:
            told.say("'{name}': a second spring on coordinate '{coordinate}' is left out.", name=_name(one), coordinate=q.name)  # fmt: skip
        else:
            q.axis.stiffness, q.axis.rest = q.axis.stiffness + stiff, rest
        q.axis.damping += by * one.values("viscosity", 1, (0.0,))[0]
        return
    turns = q.axis.motion == "hinge"
    unit = DEGREE if turns else 1.0
    for side in ("upper", "lower"):
        stiff = by * one.values(f"{side}_stiffness", 1, (0.0,))[0] / unit
        if stiff > 0.0:
            at = q.factor * unit * one.values(f"{side}_limit", 1)[0] + q.shift
            q.axis.limits.append(Limit(at, side == "upper", stiff))
    told.say("Limits of coordinates push in proportion from the limit on: their transition and damping are left out.")  # fmt: skip


def _path(one: Element, frame: Frames, told: ReadNotes) -> Link | None:
    path = one.first("GeometryPath") or (one.first("path") or one).first("GeometryPath")
    held = [] if path is None else [o for s in path.all("PathPointSet") for o in s.all("objects")]
    points = [p for o in held for p in o.children]
    if len(points) < 2:
        raise one.wrong("GeometryPath", "it has less than two points")
    if any(p.tag != "PathPoint" for p in points):
        told.say("'{name}': paths with points that move or come and go are left out.", name=_name(one))  # fmt: skip
        return None
    if path is not None and any(o.children for s in path.all("PathWrapSet") for o in s.all("objects")):  # fmt: skip
        told.say("Wrap objects are left out; paths run straight from point to point.")
    ends = list[End]()
    for p in points:
        body, place, R = frame(p.told("socket_parent_frame") or p.told("body"), p)
        ends.append((body, place + R @ np.array(p.values("location", 3, ZERO)), R))
    rest = one.values("resting_length", 1)[0]
    if not rest > 0.0:
        raise one.wrong("resting_length", "it is not above zero")
    if one.tag == "PathSpring":
        if one.values("dissipation", 1, (0.0,))[0]:
            told.say("Dissipation of springs along paths is left out.")
        pull = [(10.0, 10.0 * rest * one.values("stiffness", 1)[0])]
    else:
        pull = _curve(one, told)
    kind: Any = "spring" if len(ends) == 2 else "path"
    return Link(_name(one), kind, ends, rest=rest, pull=pull)


def _curve(one: Element, told: ReadNotes) -> list[tuple[float, float]]:
    """Give strain and force of a ligament: its curve is of length and force in parts of its own."""
    force = one.values("pcsa_force", 1)[0]
    held = one.first("force_length_curve")
    curve = next(iter(held.children), None) if held is not None else None
    curve = curve or next((c for c in one.children if c.given.get("name") == "force_length_curve"), None)  # fmt: skip
    if curve is None:
        raise one.wrong("force_length_curve", "it is missing")
    curve.seen = True
    if curve.tag != "PiecewiseLinearFunction":
        told.say("'{name}': the points of its curve ({kind}) are joined by lines.", name=_name(one), kind=curve.tag)  # fmt: skip
    x, y = curve.values("x", 0, ()), curve.values("y", 0, ())
    if len(x) < 2 or len(x) != len(y) or any(b <= a for a, b in itertools.pairwise(x)):
        raise curve.wrong("x", "its points cannot be read")
    return [(a - 1.0, force * b) for a, b in zip(x, y, strict=True)]
