"""From bodies of a tree to a project."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array
from solver.exchange.trees.body import Axis, Body, Model, Shape, frame_of
from solver.exchange.trees.linking import stop_at_ends, stops, turn, with_links
from solver.exchange.trees.told import Told
from solver.exchange.trees.xml import TreeError
from solver.project.angles import angles_from
from solver.project.document import Project
from solver.project.reading import validated

BOX_POWER = 20.0
ENDLESS = 20.0
"""Edge (m) of a plane that has no end in the file."""
MOST_BODIES = 10_000
"""Bodies of a file that are taken."""
FRICTION_RATE = 0.01
"""Rate (rad/s, m/s) at which dry friction is full."""


def project_of(model: Model, source: str, told: Told) -> Project:
    """Make a project of a file's bodies."""
    if len(model.bodies) > MOST_BODIES:
        raise TreeError(
            "The file has {count} bodies; at most {most} are taken.",
            count=len(model.bodies),
            most=MOST_BODIES,
        )
    stop_at_ends(model.bodies, told)
    taking = _Taking(model, told)
    project = validated(taking.data(source))
    return with_links(project, model.links, model.bodies, taking.of, taking.free)


class _Taking:
    """Make segments and joints of bodies, one after the other."""

    def __init__(self, model: Model, told: Told) -> None:
        self.model, self.bodies, self.told = model, model.bodies, told
        bodies = model.bodies
        self.names = dict[str, set[str]]()
        self.of = [
            self._named("segments", one.name, f"body_{n}") for n, one in enumerate(bodies, 1)
        ]
        self.segments = list[dict[str, Any]]()
        self.joints = list[dict[str, Any]]()
        self.planes = list[dict[str, Any]]()
        self.forces = list[dict[str, Any]]()
        self.functions = list[dict[str, Any]]()
        self.starts = list[dict[str, Any]]()
        self.roots = list[dict[str, Any]]()
        self.attitudes = list[dict[str, Any]]()
        self.where: list[tuple[Array, Array]] = []

    def free(self, kind: str, wanted: str, otherwise: str) -> str:
        """Give an id that nothing of a list has yet."""
        return self._named(kind, wanted, otherwise)

    def _named(self, kind: str, wanted: str, otherwise: str) -> str:
        base = re.sub(r"[^\w+-]+", "_", wanted).strip("_")[:70] or otherwise
        taken = self.names.setdefault(kind, {"ground"})
        name, number = base, 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        taken.add(name)
        return name

    def data(self, source: str) -> dict[str, Any]:
        """Give the document."""
        for plane in self.model.planes:
            self._plane(plane, "ground", np.zeros(3))
        for number, body in enumerate(self.bodies):
            self._body(number, body)
        return {
            "title": self.model.title, "note": self.model.note, "source": source, "gravity_m_per_s2": [float(g) for g in self.model.gravity],
            "segments": self.segments, "joints": self.joints, "planes": self.planes,
            "coordinate_forces": self.forces, "functions": self.functions,
            "initial": {"roots": self.roots, "attitudes": self.attitudes, "joints": self.starts},
            "runs": [{"id": "run", "duration_s": 1.0}],
        }  # fmt: skip

    def _body(self, number: int, body: Body) -> None:
        name = self.of[number]
        moments, R = np.linalg.eigh(body.inertia)
        if np.linalg.det(R) < 0.0:
            R[:, 0] = -R[:, 0]
        if np.array_equal(body.inertia, np.diag(np.diag(body.inertia))):
            moments, R = np.diag(body.inertia), np.eye(3)
        self.segments.append({
            "id": name, "name": body.name, "mass_kg": float(body.mass),
            "inertia_kgm2": [max(float(m), 0.0) for m in moments], "principal_axes": turn(R),
            "surfaces": [s for s in (self._shape(body, one, name) for one in body.shapes) if s],
        })  # fmt: skip
        R_p, p_p = self.where[body.parent] if body.parent >= 0 else (np.eye(3), np.zeros(3))
        self.where.append((R_p @ body.R, p_p + R_p @ body.place))
        if body.is_free:
            R_w, p_w = self.where[-1]
            self.roots.append(
                {"segment": name, "position_m": list(map(float, p_w + R_w @ body.centre))}
            )
            self.attitudes.append({"segment": name, "orientation": turn(R_w)})
            return
        parent, centre = self._parent(body.parent)
        if not body.joints:
            self.joints.append({
                "id": self._named("joints", f"{name}_fixed", "joint"), "kind": "locked", "parent": parent, "child": name,
                "parent_frame": frame(body.place - centre, body.R), "child_frame": frame(-body.centre, np.eye(3)),
            })  # fmt: skip
            return
        R_here, place, centre_here = body.R, body.place, centre
        for k, axis in enumerate(body.joints):
            is_last = k == len(body.joints) - 1
            child = name if is_last else self._named("segments", f"{name}_{k + 1}", "link")
            if not is_last:
                self.segments.append(
                    {"id": child, "mass_kg": 0.0, "inertia_kgm2": [0.0, 0.0, 0.0], "surfaces": []}
                )
            self._joint(
                axis,
                parent,
                child,
                (place, R_here, centre_here),
                body.centre if is_last else np.zeros(3),
            )
            parent, R_here, place, centre_here = child, np.eye(3), np.zeros(3), np.zeros(3)

    def _parent(self, number: int) -> tuple[str, Array]:
        return (
            ("ground", np.zeros(3)) if number < 0 else (self.of[number], self.bodies[number].centre)
        )

    def _joint(
        self, axis: Axis, parent: str, child: str, there: tuple[Array, Array, Array], centre: Array
    ) -> None:
        place, R, centre_p = there
        along = (
            frame_of(axis.axis, 2 if axis.motion == "slide" else 1)
            if axis.motion != "ball"
            else np.eye(3)
        )
        name = self._named("joints", axis.name, f"{child}_joint")
        made: dict[str, Any] = {
            "id": name, "name": axis.name, "parent": parent, "child": child,
            "parent_frame": frame(place + R @ axis.place - centre_p, R @ along),
            "child_frame": frame(axis.place - centre, along),
        }  # fmt: skip
        if axis.motion == "slide":
            slide: dict[str, Any] = {"viscous_ns_per_m": axis.damping, "coulomb_n": axis.friction}
            if axis.friction:
                slide["full_rate_m_per_s"] = FRICTION_RATE
            made |= {"kind": "slip", "slide": slide}
        else:
            rubs: dict[str, Any] = {
                "viscous_nms_per_rad": axis.damping,
                "coulomb_nm": axis.friction,
            }
            if axis.friction:
                rubs["full_rate_rad_per_s"] = FRICTION_RATE
            made |= {"kind": "pin" if axis.motion == "hinge" else "ball", "friction": rubs}
        self.joints.append(made)
        if axis.friction:
            self.told.say(
                "Dry friction is full from a rate of {rate:g} on; it does not hold at rest.",
                rate=FRICTION_RATE,
            )
        if axis.stiffness and axis.motion != "ball":
            which = "slide" if axis.motion == "slide" else "angle"
            self.forces.append({
                "id": self._named("forces", f"{name}_spring", "spring"), "zero": axis.rest,
                "coordinate": {"kind": "joint", "joint": name, "axis": which},
                "laws": [{"kind": "linear", "stiffness": axis.stiffness}],
            })  # fmt: skip
        elif axis.stiffness:
            self.told.say("Joint '{name}': the spring of a ball joint is left out.", name=axis.name)
        functions, forces = stops(axis, name, self._named)
        self.functions += functions
        self.forces += forces
        if axis.motion == "ball" and not np.array_equal(axis.turn, np.eye(3)):
            self.starts.append(
                {"joint": name, "values": [float(v) for v in angles_from(axis.turn, "zyx")]}
            )
        elif axis.start or axis.speed:
            start: dict[str, Any] = {"joint": name, "values": [axis.start]}
            self.starts.append(start | ({"rates": [axis.speed]} if axis.speed else {}))

    def _plane(self, one: Shape, segment: str, centre: Array) -> None:
        length, width = (2.0 * half if half > 0.0 else ENDLESS for half in one.size[:2])
        self.planes.append({
            "id": self._named("planes", one.name, "plane"), "name": one.name, "segment": segment,
            "placement": {"kind": "frame", "frame": frame(one.place - centre, one.R), "length_m": length, "width_m": width},
        })  # fmt: skip

    def _shape(self, body: Body, one: Shape, segment: str) -> dict[str, Any] | None:
        if one.kind == "plane":
            self._plane(one, segment, body.centre)
            return None
        return surface(
            one,
            one.place - body.centre,
            self._named(f"surfaces of {segment}", one.name, "shape"),
            self.told,
        )


def surface(one: Shape, place: Array, name: str, told: Told) -> dict[str, Any]:
    """Make a surface of a shape: boxes and cylinders as hyperellipsoids, capsules as ellipsoids."""
    a, b, c = one.size
    made: dict[str, Any] = {
        "id": name,
        "kind": "ellipsoid",
        "centre_m": list(map(float, place)),
        "orientation": turn(one.R),
    }
    if one.kind == "capsule":
        told.say(
            "Capsules are shown and touched as ellipsoids of the same length and width; their mass is that of the capsule."
        )
        return made | {"semi_axes_m": [a, a, a + c]}
    if one.kind == "box":
        told.say("Boxes are hyperellipsoids of power {power:g}.", power=BOX_POWER)
        return made | {
            "kind": "hyperellipsoid",
            "semi_axes_m": [a, b, c],
            "powers": [BOX_POWER] * 3,
        }
    if one.kind == "cylinder":
        told.say("Cylinders are hyperellipsoids: powers 2, 2 and {power:g}.", power=BOX_POWER)
        return made | {
            "kind": "hyperellipsoid",
            "semi_axes_m": [a, a, c],
            "powers": [2.0, 2.0, BOX_POWER],
        }
    return made | {"semi_axes_m": [a, b, c]}


def frame(place: Array, R: Array) -> dict[str, Any]:
    """Write a frame."""
    return {"position_m": [float(v) for v in place], "orientation": turn(R)}
