"""Contacts of OpenSim's models: spheres and half spaces by Hunt and Crossley's law as Simbody has it.

Simbody (`HuntCrossleyForce`; Sherman, Seth and Delp 2011, Procedia IUTAM 2, 241): of two materials with stiffness E and loss c,
each counts with k = E^(2/3) and 1/k = 1/k1 + 1/k2 in a row, the loss is c = (c1 k2 + c2 k1) / (k1 + k2), and with the radius
1/R = 1/R1 + 1/R2 the force is 4/3 sqrt(R) k^(3/2) d^(3/2) (1 + 3/2 c d').
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.engine.maths.rotation import from_angles
from solver.exchange.trees.bodies import Body, ReadNotes, Shape, Touch
from solver.exchange.trees.osim_ties import Frames
from solver.exchange.trees.xml import Element

TOUCHING = ("HuntCrossleyForce", "SmoothSphereHalfSpaceForce")
"""Forces between contact geometry that are read."""
ZERO = (0.0, 0.0, 0.0)
IDLE = {"Appearance", "components", "display_preference", "groups", "body_name", "color", "frames"}
OUT_OF = np.column_stack(((0.0, 1.0, 0.0), (0.0, 0.0, -1.0), (-1.0, 0.0, 0.0)))
"""Axes of a plane in those of a half space, which fills x > 0: its z points out of it."""
MOST_LAW = 10.0
"""Largest ratio of friction at rest to that of sliding that a law here takes."""


@dataclass
class Ball:
    """A sphere or half space of a file as a shape of a body (-1 is the ground); a half space has no radius."""

    name: str
    body: int
    shape: Shape
    radius: float | None


@dataclass
class Material:
    """What a file says of a surface."""

    stiffness: float
    loss: float
    still: float
    sliding: float
    viscous: float


def read_contacts(
    geometry: list[Element],
    forces: list[Element],
    frame: Frames,
    bodies: list[Body],
    read_notes: ReadNotes,
) -> tuple[list[Shape], list[Touch]]:
    """Give the planes of the ground and what touches; shapes go to their bodies."""

    def whole(n: int) -> int:
        """The first of the bodies that are fixed to each other."""
        while n >= 0 and not (bodies[n].joints or bodies[n].is_free):
            n = bodies[n].parent
        return n

    known = {one.name: one for one in (_ball(g, frame, read_notes) for g in geometry) if one}
    touches, used = list[Touch](), dict[str, Ball]()
    for force in forces:
        if "true" in (force.child_text("isDisabled"),) or force.child_text("appliesForce", "true") == "false":  # fmt: skip
            read_notes.say("Force '{name}' is switched off in the file and left out.", name=force.given.get("name", force.tag))  # fmt: skip
            continue
        creeps = force.values("transition_velocity", 1, (0.01,))[0]
        sides = list(_sides(force, known, read_notes))
        read_notes.rest_within(force, IDLE | {"hertz_smoothing", "hunt_crossley_smoothing", "constant_contact_force"})  # fmt: skip
        before = len(touches)
        for (one, of), (other, of_other) in itertools.combinations(sides, 2):
            if whole(one.body) == whole(other.body) or one.radius is None is other.radius:
                continue
            ball, on = (one, other) if other.radius is None or one.radius is not None else (other, one)  # fmt: skip
            grounded = [b.name for b in (ball, on) if b.body < 0 and b.radius is not None]
            for name in grounded:
                read_notes.name("Contact spheres of the ground are left out ({count}): {names}; weld a body to it that carries them.", name)  # fmt: skip
            if grounded:
                continue
            law = _law(ball.radius or 0.0, on.radius, of, of_other, creeps, read_notes)
            touches.append(Touch(ball.body, ball.shape, on.body, on.shape, law, force.given.get("name", "contact")))  # fmt: skip
            used |= {on.name: on, ball.name: ball}
        if len(touches) == before:
            read_notes.name("Contact forces of which nothing can touch are left out ({count}): {names}.", force.given.get("name", force.tag))  # fmt: skip
    for one in used.values():
        if one.body >= 0:
            bodies[one.body].shapes.append(one.shape)
    if idle := [name for name in known if name not in used]:
        read_notes.say("Contact geometry that no force uses is left out ({count}).", count=len(idle))  # fmt: skip
    if touches:
        read_notes.say("Contacts press as Hunt and Crossley's law does in OpenSim; friction there creeps up to its transition velocity, here what rests stays where it is.")  # fmt: skip
    return [one.shape for one in used.values() if one.body < 0], touches


def _ball(one: Element, frame: Frames, read_notes: ReadNotes) -> Ball | None:
    name = one.given.get("name", "")
    if one.tag not in ("ContactSphere", "ContactHalfSpace"):
        read_notes.name("Contact geometry that is neither a sphere nor a half space is left out ({count}): {names}.", name)  # fmt: skip
        return None
    at = one.child_text("socket_frame") or one.child_text("body_name") or "ground"
    body, place, R = frame(at, one)
    place = place + R @ np.array(one.values("location", 3, ZERO))
    R = R @ from_angles(one.values("orientation", 3, ZERO), "xyz")
    radius = 1.0 if one.tag == "ContactHalfSpace" else one.values("radius", 1)[0]
    read_notes.rest_within(one, IDLE)
    if one.tag == "ContactHalfSpace":
        return Ball(name, body, Shape(name, "plane", ZERO, place, R @ OUT_OF), None)
    if radius <= 0.0:
        raise one.wrong("radius", "it is not above zero")
    return Ball(name, body, Shape(name, "ellipsoid", (radius,) * 3, place, R), radius)


def _sides(
    force: Element, known: dict[str, Ball], read_notes: ReadNotes
) -> Iterator[tuple[Ball, Material]]:
    """Give the surfaces of a force, each with its material."""
    if force.tag == "SmoothSphereHalfSpaceForce":
        material = _material(force)
        names = [force.child_text(f"socket_{what}") for what in ("sphere", "half_space")]
        groups = [(force, names, material)]
    else:
        sets = force.all(f"{force.tag}::ContactParametersSet") or force.all("contact_parameters")
        groups = [
            (p, p.child_text("geometry").split(), _material(p))
            for s in sets
            for held in s.all("objects")
            for p in held.children
        ]
    for where, paths, material in groups:
        for path in paths:
            name = path.rsplit("/", 1)[-1]
            if name in known:
                yield known[name], material
            else:
                read_notes.name("Contact geometry that a force names is not there, or left out ({count}): {names}.", name)  # fmt: skip
        if where is not force:
            read_notes.rest_within(where, IDLE)


def _material(one: Element) -> Material:
    names = ("stiffness", "dissipation", "static_friction", "dynamic_friction", "viscous_friction")
    made = Material(*(one.values(name, 1, (0.0,))[0] for name in names))
    if made.stiffness <= 0.0:
        raise one.wrong("stiffness", "it is not above zero")
    return made


def _law(
    radius: float,
    other: float | None,
    a: Material,
    b: Material,
    creeps: float,
    read_notes: ReadNotes,
) -> dict[str, Any]:
    """Make the law of two surfaces; without a radius the other one is flat."""
    curved = radius if other is None else radius * other / (radius + other)
    k, k2 = a.stiffness ** (2.0 / 3.0), b.stiffness ** (2.0 / 3.0)
    still, sliding, viscous = (
        2.0 * x * y / (x + y) if x + y > 0.0 else 0.0
        for x, y in ((a.still, b.still), (a.sliding, b.sliding), (a.viscous, b.viscous))
    )
    if viscous:
        read_notes.say("Friction that grows with the speed is left out.")
    law: dict[str, Any] = {
        "kind": "hunt_crossley",
        "stiffness_n_per_mn": 4.0 / 3.0 * math.sqrt(curved) * (k * k2 / (k + k2)) ** 1.5,
        "exponent": 1.5,
        "damping_s_per_m": 1.5 * (a.loss * k2 + b.loss * k) / (k + k2),
        "friction": sliding,
        "friction_law": "bristle",
    }
    if sliding and still > sliding:
        law |= {
            "static_friction_ratio": min(still / sliding, MOST_LAW),
            # 2 / (1 + (v / creeps)^2) is down to 37 % there
            "static_friction_speed_m_per_s": 2.1 * creeps,
        }
    return law
