"""MJCF, the model files of MuJoCo, both ways: bodies, joints, inertia, geoms of simple shapes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array, from_angles, matrix, quaternion
from solver.exchange.trees.mjcf_options import (
    CONTACT,
    DRAWN,
    IDLE,
    Axis,
    Body,
    End,
    Model,
    Motion,
    Options,
    ReadNotes,
    Shape,
    moved_inertia,
    solid,
    spring_up,
)
from solver.exchange.trees.ties import Equality, equality_lines
from solver.exchange.trees.xml import Element, TreeError, escaped

# MJCF, the model files of MuJoCo: bodies, joints, inertia, geoms of simple shapes.

DENSITY = 1000.0
MOTIONS = {"hinge", "slide", "ball"}
PARTIAL = {"size", "solreflimit"}
"""Attributes of which an element may give the first numbers only; its class gives the others."""
ON_FREE = ("stiffness", "damping", "springdamper", "frictionloss", "armature")
KINDS = {"sphere", "ellipsoid", "capsule", "cylinder", "box", "plane"}


def read_mjcf(top: Element, read_notes: ReadNotes) -> Model:
    """Read a model of MuJoCo."""
    if top.tag != "mujoco":
        raise TreeError("Line {line}: <{tag}> is no model of MuJoCo.", line=top.line, tag=top.tag)
    return _Reader(top, read_notes).read()


class _Reader:
    def __init__(self, top: Element, read_notes: ReadNotes) -> None:
        self.top, self.read_notes = top, read_notes
        self.all = Options(top, read_notes)
        self.degree = self.all.degree
        self.classes: dict[str, dict[str, dict[str, str]]] = {"main": {}}
        for one in top.all("default"):
            self._defaults(one, one.given.get("class", "main"), {})
        self.bodies, self.planes = list[Body](), list[Shape]()
        self.touches = False
        self.sites = dict[str, tuple[int, Element]]()

    def read(self) -> Model:
        """Read all of it."""
        for one in self._walk(self.top):
            if one.tag == "include":
                raise TreeError(
                    "Line {line}: other files are not opened; put <include> in place first.",
                    line=one.line,
                )
        for world in self.top.all("worldbody"):
            class_ = world.given.get("childclass", "main")
            self._mark_sites(world, -1, class_)
            self._inside(world, -1, class_)
            self._on_ground([shape for shape, _ in self._shapes(world, class_)])
        if not self.bodies:
            raise TreeError("The model has no body.")
        spring_up(self.bodies)
        for axis in (axis for body in self.bodies for axis in body.joints):
            self._switch_off(axis)
        if self.touches:
            self.read_notes.say(
                "In the file shapes touch each other; here nothing does before contacts are allowed."
            )
        parts = [part for held in self.top.all("equality") for part in held.children]
        equality = Equality(self.top, self.bodies, self._site, self.read_notes)
        ties = equality.ties(parts if self.all.equal else [], self.classes["main"].get("equality", {}))  # fmt: skip
        title = self.top.given.get("model", "")
        return Model(self.bodies, self.all.gravity, title, self.planes, ties=ties)

    def _mark_sites(self, one: Element, number: int, class_: str) -> None:
        for site in one.all("site"):
            if "name" in site.given:
                self.sites[site.given["name"]] = (number, self._with_defaults(site, class_))

    def _site(self, one: Element, attribute: str) -> End:
        """The body, place and axes of the site that an attribute names."""
        number, site = self.sites.get(one.given.get(attribute, ""), (-1, None))
        if site is None:
            raise one.wrong(attribute, "there is no site of this name")
        if "fromto" not in site.given:
            return (number, *self._pose(site))
        six = np.array(site.numbers("fromto", 6))
        return number, (six[:3] + six[3:]) / 2.0, _to_z(six[:3] - six[3:], site)

    def _switch_off(self, axis: Axis) -> None:
        """Take off a joint what the file's flags switch off."""
        flags = self.all
        axis.stiffness *= flags.springs
        axis.damping *= flags.dampers
        axis.friction *= flags.friction
        axis.ends = axis.ends if flags.limits else None

    def _on_ground(self, shapes: list[Shape]) -> None:
        self.planes += [one for one in shapes if one.kind == "plane"]
        solids = [one for one in shapes if one.kind != "plane"]
        if solids:
            self.read_notes.say("Shapes of the world are on a fixed body of 1 kg.")
            self.bodies.append(Body("world", -1, shapes=solids, mass=1.0, inertia=np.eye(3)))

    def _walk(self, one: Element) -> list[Element]:
        found, waiting = list[Element](), [one]
        while waiting:
            here = waiting.pop()
            found.append(here)
            waiting += here.children
        return found

    def _defaults(self, one: Element, name: str, above: dict[str, dict[str, str]]) -> None:
        here = {tag: dict(given) for tag, given in above.items()}
        for child in one.children:
            if child.tag != "default":
                here[child.tag] = {**here.get(child.tag, {}), **child.given}
        self.classes[name] = {**self.classes.get(name, {}), **here}
        for child in one.all("default"):
            self._defaults(child, child.given.get("class", f"{name}+"), here)

    def _with_defaults(self, one: Element, class_: str) -> Element:
        name = one.given.get("class", class_)
        if name not in self.classes:
            raise one.wrong("class", "there is no default class of this name")
        usual = self.classes[name].get(one.tag, {})
        if "fromto" in one.given or any(
            k in one.given for k in ("quat", "euler", "axisangle", "xyaxes", "zaxis")
        ):
            usual = {
                k: v
                for k, v in usual.items()
                if k not in ("quat", "euler", "axisangle", "xyaxes", "zaxis", "fromto")
            }
        given = {**usual, **one.given}
        for name in PARTIAL & usual.keys() & one.given.keys():
            more = usual[name].split()[len(one.given[name].split()) :]
            given[name] = " ".join((given[name], *more))
        return Element(one.tag, given, one.line, one.children)

    def _inside(self, one: Element, number: int, class_: str) -> None:
        for child in one.all("body", "frame", "replicate", "composite", "flexcomp", "attach"):
            if child.tag != "body":
                raise TreeError(
                    "Line {line}: <{tag}> is not read; let MuJoCo write the model out first.",
                    line=child.line,
                    tag=child.tag,
                )
            self._body(child, number, child.given.get("childclass", class_))

    def _body(self, one: Element, parent: int, class_: str) -> None:
        body = Body(one.given.get("name", f"body_{len(self.bodies) + 1}"), parent, *self._pose(one))
        number = len(self.bodies)
        self.bodies.append(body)
        if one.given.get("mocap") == "true":
            self.read_notes.say(
                "Body '{name}' moves as a mocap body; here it is fixed.", name=body.name
            )
        if one.numbers("gravcomp", 1, (0.0,))[0]:
            self.read_notes.say(
                "Body '{name}': compensation of gravity is left out.", name=body.name
            )
        self.read_notes.rest(one, IDLE["body"])
        driven = list[Element]()
        for bare in one.all("freejoint", "joint"):
            joint = bare if bare.tag == "freejoint" else self._with_defaults(bare, class_)
            if joint.tag == "freejoint" or joint.given.get("type") == "free":
                if parent >= 0:
                    raise joint.wrong("type", "only a body of the world is free")
                body.is_free = True
                if any(any(joint.numbers(name, 0, (0.0,))) for name in ON_FREE):
                    self.read_notes.say("Body '{name}': springs, dampers, friction and armature of its free joint are left out.", name=body.name)  # fmt: skip
            else:
                driven.append(joint)
                body.joints.append(self._joint(joint, body))
        shapes = self._shapes(one, class_)
        body.shapes = [shape for shape, _ in shapes]
        self._inertia(one, body, shapes)
        self._add_armature(body)
        for joint in driven:
            self.read_notes.rest(joint, IDLE["joint"])
        self._mark_sites(one, number, class_)
        self._inside(one, number, class_)
        self.read_notes.rest_within(one, DRAWN)

    def _joint(self, one: Element, body: Body) -> Axis:
        motion: Any = one.given.get("type", "hinge")
        if motion not in MOTIONS:
            raise one.wrong("type", "it is none of hinge, slide, ball and free")
        name = one.given.get("name", f"{body.name}_joint")
        axis = np.array(one.numbers("axis", 3, (0.0, 0.0, 1.0)))
        if not axis.any():
            raise one.wrong("axis", "it has no length")
        turns = self.degree if motion == "hinge" else 1.0
        (reference,), (rest,) = one.numbers("ref", 1, (0.0,)), one.numbers("springref", 1, (0.0,))
        ends = self._ends(one, name, motion, reference, turns)
        stiff, damping = one.numbers("stiffness", 0, (0.0,)), one.numbers("damping", 0, (0.0,))
        if any(stiff[1:]) or any(damping[1:]):
            self.read_notes.say(
                "Joint '{name}': only the linear part of stiffness and damping is taken.", name=name
            )
        made = Axis(
            name, motion, axis, np.array(one.numbers("pos", 3, (0.0, 0.0, 0.0))), damping[0],
            one.numbers("frictionloss", 1, (0.0,))[0], stiff[0], (rest - reference) * turns, ends=ends,
            armature=one.numbers("armature", 1, (0.0,))[0],
        )  # fmt: skip
        period, share = one.numbers("springdamper", 2, (0.0, 0.0))
        if period or share:
            if min(period, share) <= 0.0:
                raise one.wrong("springdamper", "its two numbers are above zero")
            made.springdamper = period, share
        time, ratio = one.some("solreflimit", (0.02, 1.0))
        # below zero it is a stiffness by the inertia
        made.end_time = time * ratio if time > 0.0 else 1.0 / math.sqrt(max(-time, 1e-9))
        made.end_time = max(made.end_time, 1e-4)
        return made

    def _ends(
        self, one: Element, name: str, motion: Motion, reference: float, turns: float
    ) -> tuple[float, float] | None:
        """The range of a joint, counted from the drawn pose."""
        low, high = one.ends("range", (0.0, 0.0))
        limited = one.given.get("limited", "auto")
        if limited == "false" or (limited == "auto" and not (self.all.auto_limits and "range" in one.given)):  # fmt: skip
            return None
        if motion == "ball":
            self.read_notes.say("Joint '{name}': the limit of a ball joint is left out.", name=name)
            return None
        if low >= high:
            raise one.wrong("range", "its ends are not in order")
        return (low - reference) * turns, (high - reference) * turns

    def _add_armature(self, body: Body) -> None:
        """Add the inertia of a drive to what it turns, where that is the same: about a fixed axis."""
        for axis in body.joints:
            more = axis.armature
            if more and axis.motion == "hinge" and body.parent < 0 and len(body.joints) == 1:
                e = axis.axis / np.linalg.norm(axis.axis)
                # a disc about the axis: what it has across does nothing where the axis is fixed
                body.inertia = body.inertia + 0.5 * more * (np.eye(3) + np.outer(e, e))
            elif more:
                self.read_notes.say("Joint '{name}': the inertia of its drive (armature) is left out; it is taken of a single hinge on the ground.", name=axis.name)  # fmt: skip

    def _pose(self, one: Element) -> tuple[Array, Array]:
        place = np.array(one.numbers("pos", 3, (0.0, 0.0, 0.0)))
        given = one.given
        if "quat" in given:
            q = np.array(one.numbers("quat", 4))
            if not q.any():
                raise one.wrong("quat", "it has no length")
            return place, matrix(q / np.linalg.norm(q))
        if "axisangle" in given:
            x, y, z, angle = one.numbers("axisangle", 4)
            return place, _about(np.array([x, y, z]), angle * self.degree, one)
        if "euler" in given:
            angles = [a * self.degree for a in one.numbers("euler", 3)]
            if len(self.all.order) != 3 or set(self.all.order.lower()) - set("xyz"):
                raise one.wrong("euler", "the compiler's eulerseq is no order of axes")
            # capital letters: about axes that stay; the same turns the other way round about axes that move
            if self.all.order.isupper():
                return place, from_angles(angles[::-1], self.all.order[::-1].lower())
            return place, from_angles(angles, self.all.order.lower())
        if "xyaxes" in given:
            six = np.array(one.numbers("xyaxes", 6))
            return place, _from_axes(six[:3], six[3:], one)
        if "zaxis" in given:
            return place, _to_z(np.array(one.numbers("zaxis", 3)), one)
        return place, np.eye(3)

    def _shapes(self, one: Element, class_: str) -> list[tuple[Shape, float]]:
        found = list[tuple[Shape, float]]()
        for n, bare in enumerate(one.all("geom"), 1):
            geom = self._with_defaults(bare, class_)
            made = self._shape(geom, bare.given.get("name", f"geom_{n}"))
            self.read_notes.rest(geom, IDLE["geom"])
            if made is not None:
                found.append(made)
        return found

    def _shape(self, geom: Element, name: str) -> tuple[Shape, float] | None:
        contact = [geom.given.get(name) for name in CONTACT]
        self.touches = self.touches or contact[:2] != ["0", "0"]
        kind: Any = geom.given.get("type", "sphere" if "mesh" not in geom.given else "mesh")
        if kind not in KINDS:
            self.read_notes.say("Geoms of kind {kind} are left out.", kind=kind)
            if self.all.from_geom != "false":
                self.read_notes.say("Their mass is missing where a body has no <inertial>.")
            return None
        size = list(geom.numbers("size", 0, (0.0,)))
        place, R = self._pose(geom)
        if "fromto" in geom.given:
            six = np.array(geom.numbers("fromto", 6))
            place, way = (six[:3] + six[3:]) / 2.0, six[3:] - six[:3]
            half = float(np.linalg.norm(way)) / 2.0
            R = _to_z(-way, geom)
            size = [size[0], half] if kind in ("capsule", "cylinder") else [size[0], size[0], half]
        size += [0.0] * (3 - len(size))
        shape: Any = {
            "sphere": ("ellipsoid", (size[0], size[0], size[0])), "capsule": ("capsule", (size[0], 0.0, size[1])),
            "cylinder": ("cylinder", (size[0], 0.0, size[1])),
        }.get(kind, (kind, tuple(size[:3])))  # fmt: skip
        needed = shape[1] if kind in ("sphere", "ellipsoid", "box") else (size[0], size[1])
        if kind != "plane" and min(needed) <= 0.0:
            raise geom.wrong("size", "it is not above zero")
        volume, _ = solid(shape[0], shape[1])
        mass, density = (
            geom.numbers("mass", 1, (-1.0,))[0],
            geom.numbers("density", 1, (DENSITY,))[0],
        )
        if mass < 0.0:
            mass = density * volume
        low, high = self.all.groups
        if not low <= geom.numbers("group", 1, (0.0,))[0] <= high:
            mass = 0.0
        if geom.given.get("shellinertia") == "true":
            self.read_notes.say(
                "Geom '{name}' is hollow in the file; here its mass fills it.", name=name
            )
        return Shape(name, shape[0], shape[1], place, R), mass

    def _inertia(self, one: Element, body: Body, shapes: list[tuple[Shape, float]]) -> None:
        given = one.first("inertial")
        if given is not None and self.all.from_geom != "true":
            place, R = self._pose(given)
            body.mass, body.centre = given.numbers("mass", 1)[0], place
            if "fullinertia" in given.given:
                xx, yy, zz, xy, xz, yz = given.numbers("fullinertia", 6)
                inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            else:
                inertia = np.diag(given.numbers("diaginertia", 3, (0.0, 0.0, 0.0)))
            self.read_notes.rest(given, IDLE["inertial"])
            body.inertia = R @ inertia @ R.T
            return
        if self.all.from_geom == "false":
            return
        total = sum(mass for _, mass in shapes)
        body.mass = total
        if total <= 0.0:
            return
        body.centre = sum((mass * shape.place for shape, mass in shapes), np.zeros(3)) / total
        for shape, mass in shapes:
            _, moments = solid(shape.kind, shape.size)
            own = shape.R @ np.diag(mass * moments) @ shape.R.T
            body.inertia = body.inertia + moved_inertia(mass, own, shape.place - body.centre)


def _about(axis: Array, angle: float, one: Element) -> Array:
    size = float(np.linalg.norm(axis))
    if size == 0.0:
        raise one.wrong("axisangle", "its axis has no length")
    half = 0.5 * angle
    return matrix(np.array([math.cos(half), *(math.sin(half) * axis / size)]))


def _from_axes(x: Array, y: Array, one: Element) -> Array:
    x = x / max(float(np.linalg.norm(x)), 1e-300)
    y = y - (x @ y) * x
    size = float(np.linalg.norm(y))
    if not math.isfinite(size) or size < 1e-12:
        raise one.wrong("xyaxes", "its axes lie along each other")
    y = y / size
    R: Array = np.column_stack([x, y, np.cross(x, y)])
    return R


def _to_z(axis: Array, one: Element) -> Array:
    """The smallest turn that brings z along an axis."""
    size = float(np.linalg.norm(axis))
    if size == 0.0:
        raise one.wrong("zaxis", "it has no length")
    e = axis / size
    cross = np.cross([0.0, 0.0, 1.0], e)
    if float(np.linalg.norm(cross)) < 1e-12:
        return np.eye(3) if e[2] > 0.0 else np.diag([1.0, -1.0, -1.0])
    return _about(cross, math.atan2(float(np.linalg.norm(cross)), float(e[2])), one)


# Bodies as a model of MuJoCo: the way back of `mjcf`.


def write_mjcf(model: Model, read_notes: ReadNotes) -> list[str]:
    """Write bodies as a model of MuJoCo; the start stands in a key frame."""
    bodies, gravity, title = model.bodies, model.gravity, model.title
    sites, behind = equality_lines(model.ties, bodies, read_notes)
    out = [f'<mujoco model="{escaped(title) or "model"}">', '  <compiler angle="radian" autolimits="true"/>',
           f'  <option gravity="{_row(gravity)}"/>', "  <worldbody>"]  # fmt: skip
    out += [_geom_line(plane, plane.name, "    ") for plane in model.planes]
    out += [f"    {site}" for site in sites.get(-1, ())]
    children: dict[int, list[int]] = {}
    for number, body in enumerate(bodies):
        children.setdefault(body.parent, []).append(number)
    start = list[float]()
    waiting: list[tuple[int, int] | str] = [(n, 2) for n in reversed(children.get(-1, []))]
    while waiting:
        here = waiting.pop()
        if isinstance(here, str):
            out.append(here)
            continue
        number, depth = here
        body, lead = bodies[number], "  " * depth
        out.append(
            f'{lead}<body name="{escaped(body.name)}" pos="{_row(body.place)}" quat="{_row(quaternion(body.R))}">'
        )
        out += _body_lines(body, lead + "  ", start)
        out += [f"{lead}  {site}" for site in sites.get(number, ())]
        waiting.append(f"{lead}</body>")
        waiting += [(n, depth + 1) for n in reversed(children.get(number, []))]
    out += [
        "  </worldbody>",
        *behind,
        "  <keyframe>",
        f'    <key name="start" qpos="{_row(start)}"/>',
        "  </keyframe>",
        "</mujoco>",
    ]
    return out


def _body_lines(body: Body, lead: str, start: list[float]) -> list[str]:
    out = list[str]()
    if body.is_free:
        out.append(f"{lead}<freejoint/>")
        start += [*map(float, body.place), *map(float, quaternion(body.R))]
    for one in body.joints:
        more = f' damping="{one.damping!r}"' if one.damping else ""
        more += f' frictionloss="{one.friction!r}"' if one.friction else ""
        more += f' stiffness="{one.stiffness!r}" springref="{one.rest!r}"' if one.stiffness else ""
        axis = "" if one.motion == "ball" else f' axis="{_row(one.axis)}"'
        out.append(
            f'{lead}<joint name="{escaped(one.name)}" type="{one.motion}" pos="{_row(one.place)}"{axis}{more}/>'
        )
        start += [float(v) for v in quaternion(one.turn)] if one.motion == "ball" else [one.start]
    if body.mass > 0.0:
        J = body.inertia
        full = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
        out.append(
            f'{lead}<inertial pos="{_row(body.centre)}" mass="{body.mass!r}" fullinertia="{_row(full)}"/>'
        )
    out += [_geom_line(shape, f"{body.name}.{shape.name}", lead) for shape in body.shapes]
    return out


def _geom_line(shape: Shape, name: str, lead: str) -> str:
    size = (shape.size[0], shape.size[2]) if shape.kind in ("capsule", "cylinder") else shape.size
    return (
        f'{lead}<geom name="{escaped(name)}" type="{shape.kind}" size="{_row(size)}" pos="{_row(shape.place)}" '
        f'quat="{_row(quaternion(shape.R))}" contype="0" conaffinity="0"/>'
    )


def _row(values: Any) -> str:
    return " ".join(repr(float(v)) for v in values)
