"""From bodies of a tree to a project."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array, from_angles
from solver.exchange.trees.ball_stops import ball_stops
from solver.exchange.trees.bodies import (
    Axis,
    Body,
    End,
    Model,
    Push,
    ReadNotes,
    Shape,
    Touch,
    frame_of,
)
from solver.exchange.trees.motors import motor_forces
from solver.exchange.trees.stopping import stops
from solver.project.angles import angles_from


def turn(R: Array) -> dict[str, Any]:
    """Write a rotation as yaw, pitch and roll."""
    if np.array_equal(R, np.eye(3)):
        return {}
    return {"angles_rad": [float(a) for a in angles_from(R, "zyx")]}


def _row(values: Array) -> list[float]:
    return [float(v) for v in values]


BOX_POWER = 20.0
ENDLESS = 20.0
"""Edge (m) of a plane that has no end in the file."""
FRICTION_RATE = 0.01
"""Rate (rad/s, m/s) at which dry friction is full."""


class Taking:
    """Make segments and joints of bodies, one after the other."""

    def __init__(self, model: Model, read_notes: ReadNotes) -> None:
        self.model, self.bodies, self.read_notes = model, model.bodies, read_notes
        bodies = model.bodies
        self.names = dict[str, set[str]]()
        self.of = [self.free("segments", one.name, f"body_{n}") for n, one in enumerate(bodies, 1)]
        self.segments = list[dict[str, Any]]()
        self.joints = list[dict[str, Any]]()
        self.planes = list[dict[str, Any]]()
        self.forces = list[dict[str, Any]]()
        self.functions = list[dict[str, Any]]()
        self.laws = list[dict[str, Any]]()
        self.loads = list[dict[str, Any]]()
        self.drivers = list[dict[str, Any]]()
        self.id_of = dict[int, str]()
        """Ids of planes and surfaces by the identity of their shapes."""
        self.starts = list[dict[str, Any]]()
        self.roots = list[dict[str, Any]]()
        self.attitudes = list[dict[str, Any]]()
        self.where: list[tuple[Array, Array]] = []
        self.joint_of = dict[int, str]()
        """Ids of joints by the identity of their axes."""

    def free(self, kind: str, wanted: str, otherwise: str) -> str:
        """An id that nothing of a list has yet."""
        base = re.sub(r"[^\w+-]+", "_", wanted).strip("_")[:70] or otherwise
        taken = self.names.setdefault(kind, {"ground"})
        """An id that nothing of a list has yet."""
        name, number = base, 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        taken.add(name)
        return name

    def data(self, source: str) -> dict[str, Any]:
        """The document."""
        for plane in self.model.planes:
            self._plane(plane, "ground", np.zeros(3))
        for number, body in enumerate(self.bodies):
            self._body(number, body)
        for push in self.model.pushes:
            self._push(push)
        return {
            "title": self.model.title, "note": self.model.note, "source": source, "gravity_m_per_s2": [float(g) for g in self.model.gravity],
            "segments": self.segments, "joints": self.joints, "planes": self.planes,
            "coordinate_forces": self.forces, "functions": self.functions, "loads": self.loads, "drivers": self.drivers,
            "initial": {"roots": self.roots, "attitudes": self.attitudes, "joints": self.starts},
            "motions": [self._led(*one) for one in self.model.led.items()],
            "markers": [self._marker(*one) for one in self.model.markers],
            "contacts": [self._touch(one) for one in self.model.touches], "contact_laws": self.laws,
            "runs": [{"id": "run", "duration_s": 1.0}],
        }  # fmt: skip

    def _led(self, number: int, velocity: Array) -> dict[str, Any]:
        """Let a free body go on, whatever acts on it."""
        still = [
            {"component": one, "quantity": "velocity", "pulse": {"kind": "constant", "value": rate}}
            for one, rate in zip(("x", "y", "z", "yaw", "pitch", "roll"), (*_row(velocity), 0.0, 0.0, 0.0), strict=True)
        ]  # fmt: skip
        name = self.of[number]
        return {"id": self.free("motions", name, "motion"), "segment": name, "components": still}

    def _push(self, one: Push) -> None:
        """Write a push and a turn along axes of the body; each has a history of its own, which anyone can make a function of time."""
        number, place, R = one.end
        segment, centre = self._parent(number)
        for kind, unit, along in (("force", "N", one.force), ("torque", "N*m", one.torque)):
            size = float(np.linalg.norm(along))
            if not size:
                continue
            curve = self.free("functions", f"{one.name}_{kind}", kind)
            axis = along / size
            if axis[np.argmax(np.abs(axis))] < 0.0:
                size, axis = -size, -axis
            self.functions.append({"id": curve, "x_unit": "s", "y_unit": unit, "form": {"kind": "constant", "value": size * one.control}})  # fmt: skip
            self.loads.append({
                "id": self.free("loads", f"{one.name}_{kind}", kind), "name": one.name, "kind": kind, "segment": segment, "history": curve,
                "point_m": _row(place - centre), "direction": _row(R @ axis),
            })  # fmt: skip

    def _touch(self, one: Touch) -> dict[str, Any]:
        """Allow a contact; those alike share a law."""
        known = next((k for k in self.laws if one.law == {n: v for n, v in k.items() if n != "id"}), None)  # fmt: skip
        if known is None:
            known = {"id": self.free("contact_laws", one.called, "law"), **one.law}
            self.laws.append(known)
        on, surface = self.id_of[id(one.on)], self.id_of[id(one.shape)]
        first = {"segment": self.of[one.body], "surface": surface}
        made = {"id": self.free("contacts", f"{surface}_{on}", "contact"), "law": known["id"]}
        if one.on.kind != "plane":
            return made | {"kind": "surfaces", "first": first, "second": {"segment": self.of[one.other], "surface": on}}  # fmt: skip
        return made | {"kind": "plane", "plane": on, "surface": first, "edge": "none" if not any(one.on.size[:2]) else "fade"}  # fmt: skip

    def _marker(self, name: str, at: End) -> dict[str, Any]:
        segment, centre = self._parent(at[0])
        return {
            "id": self.free("markers", name, "marker"), "name": name, "segment": segment,
            "point_m": [float(v) for v in at[1] - centre],
        }  # fmt: skip

    def _body(self, number: int, body: Body) -> None:
        name = self.of[number]
        moments, R = np.linalg.eigh(body.inertia)
        if np.linalg.det(R) < 0.0:
            R[:, 0] = -R[:, 0]
        if np.array_equal(body.inertia, np.diag(np.diag(body.inertia))):
            moments, R = np.diag(body.inertia), np.eye(3)
        if min(moments) < -1e-9 * max(abs(moments)):
            self.read_notes.name("No body has a moment of inertia below zero; here it is zero ({count} bodies): {names}.", name)  # fmt: skip
        self.segments.append({
            "id": name, "name": body.name, "mass_kg": float(body.mass),
            "inertia_kgm2": [max(float(m), 0.0) for m in moments], "principal_axes": turn(R),
            "surfaces": [s for s in (self._shape(body, one, name) for one in body.shapes) if s],
        })  # fmt: skip
        self._lift(body, name)
        R_p, p_p = self.where[body.parent] if body.parent >= 0 else (np.eye(3), np.zeros(3))
        self.where.append((R_p @ body.R, p_p + R_p @ body.place))
        if body.is_free:
            R_w, p_w = self.where[-1]
            root: dict[str, Any] = {"segment": name, "position_m": _row(p_w + R_w @ body.centre)}
            if body.velocity.any():
                root["velocity_m_per_s"] = _row(body.velocity)
            self.roots.append(root)
            attitude: dict[str, Any] = {"segment": name, "orientation": turn(R_w)}
            if body.spin.any():
                attitude["angular_velocity_rad_per_s"] = _row(body.spin)
            self.attitudes.append(attitude)
            return
        parent, centre = self._parent(body.parent)
        if not body.joints:
            self.joints.append({
                "id": self.free("joints", f"{name}_fixed", "joint"), "kind": "locked", "parent": parent, "child": name,
                "parent_frame": frame(body.place - centre, body.R), "child_frame": frame(-body.centre, np.eye(3)),
            })  # fmt: skip
            return
        R_here, place, centre_here = body.R, body.place, centre
        for k, axis in enumerate(body.joints):
            is_last = k == len(body.joints) - 1
            child = name if is_last else self.free("segments", f"{name}_{k + 1}", "link")
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
        name = self.free("joints", axis.name, f"{child}_joint")
        made: dict[str, Any] = {
            "id": name, "name": axis.name, "parent": parent, "child": child,
            "parent_frame": frame(place + R @ axis.place - centre_p, R @ along),
            "child_frame": frame(axis.place - centre, along),
        }  # fmt: skip
        slide = dict[str, Any]()
        if axis.motion == "slide":
            slide = {
                "viscous_ns_per_m": axis.damping,
                "coulomb_n": axis.friction,
                "drive_mass_kg": axis.armature,
            }
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
            made["drive_inertia_kgm2"] = axis.armature
        if axis.is_held:
            held = {"locked": True}
            made |= {"slide": slide | held} if axis.motion == "slide" else {"lock": held}
        self.joints.append(made)
        self.joint_of[id(axis)] = name
        if axis.friction:
            self.read_notes.say(
                "Dry friction is full from a rate of {rate:g} on; it does not hold at rest.",
                rate=FRICTION_RATE,
            )
        self._springs(axis, name)
        self._servos(axis, name)
        functions, forces = (ball_stops if axis.motion == "ball" else stops)(axis, name, self.free)
        self.functions += functions
        self.forces += forces
        if axis.motion == "ball":
            if axis.spin.any() or not np.array_equal(axis.turn, np.eye(3)):
                self._turned(axis, name)
        elif axis.driven is not None:
            self._driven(axis, name)
        elif axis.start or axis.speed:
            start: dict[str, Any] = {"joint": name, "values": [axis.start]}
            self.starts.append(start | ({"rates": [axis.speed]} if axis.speed else {}))

    def _driven(self, axis: Axis, joint: str) -> None:
        """Move it by a function of time."""
        slides = axis.motion == "slide"
        curve = self.free("functions", f"{joint}_motion", "motion")
        self.functions.append({"id": curve, "x_unit": "s", "y_unit": "m" if slides else "rad", "form": axis.driven})  # fmt: skip
        self.drivers.append({
            "id": self.free("drivers", f"{joint}_driven", "driver"), "joint": joint, "axis": "slide" if slides else "angle",
            "pulse": {"kind": "function", "function": curve},
        })  # fmt: skip

    def _turned(self, axis: Axis, joint: str) -> None:
        """Start a ball by yaw, pitch and roll, and their rates."""
        yaw, pitch, roll = (float(v) for v in angles_from(axis.turn, "zyx"))
        start: dict[str, Any] = {"joint": joint, "values": [yaw, pitch, roll]}
        if axis.spin.any():
            yawed, pitched = from_angles((yaw,), "z"), from_angles((yaw, pitch), "zy")
            about = np.column_stack((yawed[:, 2], yawed[:, 1], pitched[:, 0]))
            rates = [float(rate) for rate in np.linalg.lstsq(about, axis.spin)[0]]
            if not np.allclose(about @ rates, axis.spin, rtol=0.0, atol=1e-9):
                self.read_notes.say("Ball joint '{name}' starts upright, where yaw and roll are one: a part of its speed is left out.", name=axis.name)  # fmt: skip
            start["rates"] = rates
        self.starts.append(start)

    def _springs(self, axis: Axis, joint: str) -> None:
        """Write its spring: of a ball one for each component of its turn, which together pull it back straight."""
        if not axis.stiffness:
            return
        turns = ("turn_x", "turn_y", "turn_z")
        for which in turns if axis.motion == "ball" else ("slide" if axis.motion == "slide" else "angle",):  # fmt: skip
            self.forces.append({
                "id": self.free("forces", f"{joint}_spring", "spring"), "zero": axis.rest,
                "coordinate": {"kind": "joint", "joint": joint, "axis": which},
                "laws": [{"kind": "linear", "stiffness": axis.stiffness}],
            })  # fmt: skip

    def _servos(self, axis: Axis, joint: str) -> None:
        for one in axis.servos:
            law = {"kind": "actuator", "target": one.target, "proportional": one.gain, "derivative": one.rate_gain, "limit": one.limit}  # fmt: skip
            which = "slide" if axis.motion == "slide" else "angle"
            self.forces.append({
                "id": self.free("forces", one.name, "drive"), "name": one.name, "zero": 0.0, "laws": [law],
                "coordinate": {"kind": "joint", "joint": joint, "axis": which},
            })  # fmt: skip

        which = "slide" if axis.motion == "slide" else "angle"
        at = {"kind": "joint", "joint": joint, "axis": which}
        self.forces += motor_forces(axis, joint, at, self.free)

    def _lift(self, body: Body, name: str) -> None:
        """Let a steady force act at the mass centre."""
        functions, loads = lifted(name, body.lift, self.free)
        self.functions += functions
        self.loads += loads

    def _plane(self, one: Shape, segment: str, centre: Array) -> None:
        length, width = (2.0 * half if half > 0.0 else ENDLESS for half in one.size[:2])
        self.id_of[id(one)] = self.free("planes", one.name, "plane")
        self.planes.append({
            "id": self.id_of[id(one)], "name": one.name, "segment": segment,
            "placement": {"kind": "frame", "frame": frame(one.place - centre, one.R), "length_m": length, "width_m": width},
        })  # fmt: skip

    def _shape(self, body: Body, one: Shape, segment: str) -> dict[str, Any] | None:
        if one.kind == "plane":
            self._plane(one, segment, body.centre)
            return None
        self.id_of[id(one)] = self.free(f"surfaces of {segment}", one.name, "shape")
        return surface(one, one.place - body.centre, self.id_of[id(one)], self.read_notes)


def lifted(
    segment: str, force: Array, named: Callable[[str, str, str], str]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Write a steady force at a segment's mass centre: its function, and its load."""
    size = float(np.linalg.norm(force))
    if not size:
        return [], []
    curve = named("functions", f"{segment}_lift", "lift")
    form = {"kind": "constant", "value": size}
    return [{"id": curve, "x_unit": "s", "y_unit": "N", "form": form}], [{
        "id": named("loads", f"{segment}_lift", "lift"), "kind": "force", "segment": segment, "axes": "ground", "history": curve,
        "direction": [float(v) for v in force / size],
    }]  # fmt: skip


def surface(one: Shape, place: Array, name: str, read_notes: ReadNotes) -> dict[str, Any]:
    """Make a surface of a shape: boxes and cylinders as hyperellipsoids, capsules as ellipsoids."""
    a, b, c = one.size
    made: dict[str, Any] = {
        "id": name,
        "kind": "ellipsoid",
        "centre_m": list(map(float, place)),
        "orientation": turn(one.R),
    }
    if one.kind == "capsule":
        read_notes.say(
            "Capsules are shown and touched as ellipsoids of the same length and width; their mass is that of the capsule."
        )
        return made | {"semi_axes_m": [a, a, a + c]}
    if one.kind == "box":
        read_notes.say("Boxes are hyperellipsoids of power {power:g}.", power=BOX_POWER)
        return made | {
            "kind": "hyperellipsoid",
            "semi_axes_m": [a, b, c],
            "powers": [BOX_POWER] * 3,
        }
    if one.kind == "cylinder":
        read_notes.say("Cylinders are hyperellipsoids: powers 2, 2 and {power:g}.", power=BOX_POWER)
        return made | {
            "kind": "hyperellipsoid",
            "semi_axes_m": [a, a, c],
            "powers": [2.0, 2.0, BOX_POWER],
        }
    return made | {"semi_axes_m": [a, b, c]}


def frame(place: Array, R: Array) -> dict[str, Any]:
    """Write a frame."""
    return {"position_m": [float(v) for v in place], "orientation": turn(R)}
