"""Models of OpenSim (.osim, versions 3 and 4): bodies, joints, simple shapes; forces stand in `osim_forces`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array, from_angles
from solver.exchange.trees.bodies import Axis, Body, End, Model, Motion, ReadNotes, Shape
from solver.exchange.trees.osim_contacts import TOUCHING, read_contacts
from solver.exchange.trees.osim_forces import read_forces
from solver.exchange.trees.osim_paths import read_wraps
from solver.exchange.trees.osim_ties import (
    Coordinate,
    Course,
    Following,
    course_of,
    follow,
    function_in,
    read_constraints,
    settle,
)
from solver.exchange.trees.xml import Element, TreeError

X, Y, Z = np.eye(3)
SIMPLE: dict[str, tuple[tuple[Motion, Array], ...]] = {
    "WeldJoint": (),
    "PinJoint": (("hinge", Z),),
    "SliderJoint": (("slide", X),),
    "UniversalJoint": (("hinge", X), ("hinge", Y)),
    "GimbalJoint": (("hinge", X), ("hinge", Y), ("hinge", Z)),
}
"""Joints by what their coordinates move, in their order."""
FREE = (("hinge", X), ("hinge", Y), ("hinge", Z), ("slide", X), ("slide", Y), ("slide", Z))
PLANAR = (("hinge", Z), ("slide", X), ("slide", Y))
MODEL = {
    "assembly_accuracy",
    "defaults",
    "connectors",
    "ground",
    "inertia",
    "ModelVisualPreferences",
    "socket_ground",
    "Ground",
    "AnalysisSet",
}
"""Parts of a model that are not read: they draw it, or solve and write in another program."""
SETS = {
    "ControllerSet": "Controllers",
    "ProbeSet": "Probes", "ComponentSet": "Further components",
}  # fmt: skip


IDLE = {
    "components", "connectors", "frame_geometry", "FrameGeometry", "display_preference", "display_geometry", "parent_body",
    "WrapObjectSet", "range", "clamped", "motion_type", "is_free_to_satisfy_constraints", "prescribed_function",
}  # fmt: skip
"""Properties that do nothing to a motion, in OpenSim or because another one says whether they count."""


@dataclass
class Reader:
    """What is known of a file's frames while it is read."""

    read_notes: ReadNotes
    bodies: list[Body] = field(default_factory=list)
    number: dict[str, int] = field(default_factory=dict)
    frames: dict[str, End] = field(default_factory=dict)
    coordinates: dict[str, Coordinate] = field(default_factory=dict)
    following: list[Following] = field(default_factory=list)

    def frame(self, path: str, where: Element, local: dict[str, End] | None = None) -> End:
        """Find a body or an offset frame by the last word of its path."""
        name = path.strip().rsplit("/", 1)[-1]
        found = (local or {}).get(name) or self.frames.get(name)
        if found is not None:
            return found
        if name == "ground" or name in self.number:
            return self.number.get(name, -1), np.zeros(3), np.eye(3)
        raise where.wrong(name[:80], "there is no frame of this name")

    def offsets(self, one: Element) -> dict[str, End]:
        """The offset frames that stand in an element."""
        waiting = [f for part in one.all("frames", "components") for f in part.all("PhysicalOffsetFrame")]  # fmt: skip
        found = dict[str, End]()
        for _ in range(len(waiting)):
            for made in list(waiting):
                parent = made.child_text("socket_parent") or made.child_text("socket_parent_frame")
                base = parent.rsplit("/", 1)[-1]
                if base in {w.given.get("name") for w in waiting if w is not made}:
                    continue
                body, place, R = self.frame(parent, made, found)
                by = np.array(made.values("translation", 3, (0.0, 0.0, 0.0)))
                turned = from_angles(made.values("orientation", 3, (0.0, 0.0, 0.0)), "xyz")
                found[made.given.get("name", "")] = (body, place + R @ by, R @ turned)
                waiting.remove(made)
        if waiting:
            raise waiting[0].wrong("socket_parent", "its frames stand in a ring")
        return found


def read_osim(top: Element, read_notes: ReadNotes) -> Model:
    """Read a model of OpenSim."""
    model = top.first("Model")
    if top.tag != "OpenSimDocument" or model is None:
        raise TreeError("Line {line}: <{tag}> is no model of OpenSim.", line=top.line, tag=top.tag)
    for unit, known in (("length_units", ("meters", "m")), ("force_units", ("N", "newtons"))):
        if model.child_text(unit, known[0]) not in known:
            raise model.wrong(
                unit, "only models in metres and newtons are read; scale it in OpenSim"
            )
    _plugged(model)
    reader = Reader(read_notes)
    parts = [one for one in objects(model, "BodySet") if one.given.get("name") != "ground"]
    for one in parts:
        _body(one, reader)
    if not parts:
        raise TreeError("The model has no body.")
    joints = objects(model, "JointSet") + [
        joint for one in parts for held in one.all("Joint") for joint in _old(held, one)
    ]
    _join(joints, reader)
    for part in (model, *joints):
        for name, end in reader.offsets(part).items():
            reader.frames.setdefault(name, end)
    for tag, what in SETS.items():
        if count := len(objects(model, tag)):
            read_notes.say("{what} are left out ({count}).", what=what, count=count)
    gravity = np.array(model.values("gravity", 3, (0.0, -9.80665, 0.0)))
    found = Model(reader.bodies, gravity, model.given.get("name", ""))
    ties = read_constraints(
        objects(model, "ConstraintSet"),
        reader.coordinates,
        reader.frame,
        reader.offsets,
        read_notes,
    )
    settle([*reader.coordinates.values(), *(one.second for one in reader.following)])
    found.ties = ties + follow(reader.following, read_notes)
    forces = _with_defaults(model, objects(model, "ForceSet"))
    found.planes, found.touches = read_contacts(
        objects(model, "ContactGeometrySet"),
        [one for one in forces if one.tag in TOUCHING],
        reader.frame,
        reader.bodies,
        read_notes,
    )
    found.links = read_forces(
        [one for one in forces if one.tag not in TOUCHING],
        reader.coordinates,
        reader.frame,
        reader.offsets,
        read_notes,
        read_wraps(_holders(model), reader.frame, read_notes),
    )
    found.markers = [_marker(one, reader) for one in objects(model, "MarkerSet")]
    found.note = " ".join(f"{model.child_text('credits')}\n{model.child_text('publications')}".split(" "))[:20_000].strip()  # fmt: skip
    read_notes.rest_within(model, MODEL)
    _order(found)
    return found


def _holders(model: Element) -> list[tuple[str, Element]]:
    """All that may hold wrap objects: ground, bodies and the frames in them, each with its name."""
    bodies = objects(model, "BodySet")
    frames = [f for one in (model, *bodies, *objects(model, "JointSet")) for part in one.all("frames", "components") for f in part.all("PhysicalOffsetFrame")]  # fmt: skip
    grounds = [("ground", one) for one in model.all("Ground", "ground")]
    return [*grounds, *((one.given.get("name", ""), one) for one in (*bodies, *frames))]


def _plugged(one: Element) -> None:
    """Give what the files of some versions say by connectors as if it stood there by its name."""
    for child in one.children:
        _plugged(child)
    for plug in [plug for held in one.all("connectors") for plug in held.children]:
        name, text = plug.given.get("name", ""), plug.child_text("connectee_name")
        for tag in (name, f"socket_{name}"):
            one.children.append(Element(tag, {}, plug.line, text=text, seen=True))


def _with_defaults(model: Element, forces: list[Element]) -> list[Element]:
    """Give forces what the file's defaults say of their kind and they do not."""
    usual = {one.tag: one for held in model.all("defaults") for one in held.children}
    for one in forces:
        own = {child.tag for child in one.children}
        given = usual[one.tag].children if one.tag in usual else []
        one.children += [child for child in given if child.tag not in own]
    return forces


def _marker(one: Element, reader: Reader) -> tuple[str, End]:
    at = one.child_text("socket_parent_frame") or one.child_text("body") or "ground"
    body, place, R = reader.frame(at, one)
    return one.given.get("name", ""), (body, place + R @ np.array(one.values("location", 3, (0.0, 0.0, 0.0))), R)  # fmt: skip


def objects(model: Element, tag: str) -> list[Element]:
    """The members of a set."""
    return [one for set_ in model.all(tag) for held in set_.all("objects") for one in held.children]


def _body(one: Element, reader: Reader) -> None:
    name = one.given.get("name", "")
    if name in reader.number:
        raise one.wrong("name", "two bodies have it")
    reader.number[name] = len(reader.bodies)
    body = Body(name, -1, is_free=True)
    body.mass = one.values("mass", 1)[0]
    body.centre = np.array(one.values("mass_center", 3, (0.0, 0.0, 0.0)))
    if one.first("inertia") is not None:
        xx, yy, zz, xy, xz, yz = one.values("inertia", 6)
    else:
        xx, yy, zz, xy, xz, yz = (one.values(f"inertia_{k}", 1, (0.0,))[0] for k in ("xx", "yy", "zz", "xy", "xz", "yz"))  # fmt: skip
    body.inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    for held in one.all("attached_geometry"):
        for n, shape in enumerate(held.children, 1):
            _shape(shape, n, body, reader.read_notes)
    if one.first("VisibleObject") is not None:
        reader.read_notes.say("Meshes and other drawn geometry of files are left out.")
    reader.read_notes.rest_within(one, {*IDLE, "Joint"})
    reader.bodies.append(body)


def _shape(one: Element, n: int, body: Body, read_notes: ReadNotes) -> None:
    kind: Any
    size: tuple[float, ...]
    along = np.eye(3)
    match one.tag:
        case "Sphere":
            (r,) = one.values("radius", 1)
            kind, size = "ellipsoid", (r, r, r)
        case "Ellipsoid":
            kind, size = "ellipsoid", one.values("radii", 3)
        case "Brick":
            kind, size = "box", one.values("half_lengths", 3)
        case "Cylinder":
            (r,), (half,) = one.values("radius", 1), one.values("half_height", 1)
            # its axis is y; ours is z
            kind, size, along = "cylinder", (r, 0.0, half), from_angles((-np.pi / 2.0, 0.0, 0.0), "xyz")  # fmt: skip
        case "Mesh":
            read_notes.say("Meshes and other drawn geometry of files are left out.")
            return
        case _:
            read_notes.say("Geometry of kind {kind} is left out.", kind=one.tag)
            return
    if one.child_text("socket_frame", "..") != "..":
        read_notes.say("Geometry in other frames than its body's is left out.")
        return
    scale = one.values("scale_factors", 3, (1.0, 1.0, 1.0))
    if kind == "ellipsoid" or kind == "box":
        size = tuple(s * abs(k) for s, k in zip(size, scale, strict=True))
    elif scale != (1.0, 1.0, 1.0):
        read_notes.say("Scale factors of cylinders are left out.")
    if min(s for s in (size if kind != "cylinder" else (size[0], size[2]))) <= 0.0:
        raise one.wrong("size", "it is not above zero")
    x, y, z = size
    body.shapes.append(Shape(one.given.get("name", f"shape_{n}"), kind, (x, y, z), R=along))


def _old(held: Element, body: Element) -> list[Element]:
    """Give the joint inside a body of version 3 as one that names its child."""
    for joint in held.children:
        joint.children.append(Element("child_body", {}, joint.line, text=body.given.get("name", "")))  # fmt: skip
    return held.children


def _join(joints: list[Element], reader: Reader) -> None:
    for one in joints:
        if one.tag not in (*SIMPLE, "BallJoint", "FreeJoint", "PlanarJoint", "CustomJoint"):
            raise one.wrong(
                one.tag[:60],
                "joints of this kind have no like here; make it a CustomJoint or a BallJoint",
            )
        if one.child_text("reverse", "false") == "true":
            raise one.wrong(
                "reverse",
                "joints that count from the child are not read; OpenSim 4 writes such a model without them",
            )
        parent, child = _ends(one, reader)
        if child[0] < 0 or not reader.bodies[child[0]].is_free:
            raise one.wrong("child", "it carries ground, or what another joint carries: of a ring make one joint a WeldConstraint or a PointConstraint")  # fmt: skip
        _joint(one, parent, child, reader)
        reader.read_notes.rest_within(one, IDLE)


def _ends(one: Element, reader: Reader) -> tuple[End, End]:
    if one.first("child_body") is not None:
        parent = reader.frame(one.child_text("parent_body"), one)
        child = reader.frame(one.child_text("child_body"), one)
        zero, behind = (0.0, 0.0, 0.0), "_in_child" if one.first("location_in_child") is not None else ""  # fmt: skip
        return (
            (parent[0], np.array(one.values("location_in_parent", 3, zero)), from_angles(one.values("orientation_in_parent", 3, zero), "xyz")),
            (child[0], np.array(one.values(f"location{behind}", 3, zero)), from_angles(one.values(f"orientation{behind}", 3, zero), "xyz")),
        )  # fmt: skip
    local = reader.offsets(one)
    names = (one.child_text("socket_parent_frame"), one.child_text("socket_child_frame"))
    first, second = (reader.frame(name, one, local) for name in names)
    return first, second


def _coordinates(one: Element, reader: Reader) -> list[Coordinate]:
    holders = one.all("coordinates") or [
        o for s in one.all("CoordinateSet") for o in s.all("objects")
    ]
    found = list[Coordinate]()
    for child in (c for held in holders for c in held.all("Coordinate")):
        name = child.given.get("name", "")
        if child.child_text("prescribed", "false") == "true":
            reader.read_notes.say("Coordinate '{name}' is free; its prescribed motion is left out.", name=name)  # fmt: skip
        made = Coordinate(
            name,
            child.values("default_value", 1, (0.0,))[0],
            child.values("default_speed_value", 1, (0.0,))[0],
            child.child_text("locked", "false") == "true",
        )
        if name in reader.coordinates:
            raise child.wrong("name", "two coordinates have it")
        reader.coordinates[name] = made
        reader.read_notes.rest_within(child, IDLE)
        found.append(made)
    return found


Move = tuple[Motion, Array, Coordinate | None, float, float]
"""Motion about or along an axis by factor q + shift; without a coordinate by the shift alone."""


def _joint(one: Element, parent: End, child: End, reader: Reader) -> None:
    body, coordinates = reader.bodies[child[0]], _coordinates(one, reader)
    name = one.given.get("name", f"{body.name}_joint")
    body.is_free = False
    moves: list[Move]
    if one.tag == "CustomJoint":
        moves = _custom(one, coordinates, reader)
    else:
        axes: Any = {"FreeJoint": FREE, "PlanarJoint": PLANAR, "BallJoint": FREE[:3]}.get(one.tag) or SIMPLE[one.tag]  # fmt: skip
        coordinates += [Coordinate(f"{name}_{n}", 0.0, 0.0, False) for n in range(len(coordinates) + 1, len(axes) + 1)]  # fmt: skip
        moves = [(m, a, q, 1.0, 0.0) for (m, a), q in zip(axes, coordinates, strict=False)]
    # what slides does so along the axes of the parent, whatever turns
    moves.sort(key=lambda move: move[0] != "slide")
    if one.tag in ("BallJoint", "FreeJoint") and any(q.is_locked for q in coordinates):
        reader.read_notes.say(
            "Joint '{name}': single locked coordinates of it are free here.", name=name
        )
    number, place, R = parent
    free = one.tag == "FreeJoint" and number < 0
    Q, shift = np.eye(3), np.zeros(3)
    for motion, axis, q, factor, by in moves:
        value = by + (factor * q.value if q is not None else 0.0)
        fixed = q is None or (q.is_locked and one.tag not in ("BallJoint", "FreeJoint"))
        if free or fixed:
            shift = shift + value * axis if motion == "slide" else shift
            Q = Q @ _about(axis, value) if motion == "hinge" else Q
            continue
        assert q is not None
        if one.tag == "BallJoint":
            continue
        sign = -1.0 if factor < 0.0 else 1.0
        q.factor, q.shift = abs(factor), sign * by
        q.axis = Axis(q.name, motion, sign * (Q @ axis), start=sign * value, speed=abs(factor) * q.speed)  # fmt: skip
        body.joints.append(q.axis)
    if free:
        body.is_free = True
        # speeds are no rates of the angles: they go along and about the axes of the parent's frame
        moved, spin = (R @ [q.speed for q in part] for part in (coordinates[3:], coordinates[:3]))
        body.spin = child[2] @ Q.T @ R.T @ spin
        body.velocity = moved + np.cross(spin, R @ Q @ child[2].T @ (body.centre - child[1]))
    elif one.tag == "BallJoint":
        turned = from_angles([q.value for q in coordinates[:3]], "xyz")
        made = Axis(name, "ball", place=child[1], turn=child[2] @ turned @ child[2].T)
        made.spin = child[2] @ [q.speed for q in coordinates[:3]]
        body.joints = [made]
    body.parent = number
    body.R = R @ Q @ child[2].T
    body.place = place + R @ shift - body.R @ child[1]
    for axis_ in body.joints:
        if axis_.motion != "ball":
            axis_.axis, axis_.place = child[2] @ Q.T @ axis_.axis, child[1]


def _custom(one: Element, coordinates: list[Coordinate], reader: Reader) -> list[Move]:
    """Read the axes of a joint by functions; each coordinate moves one axis, and what else it moves follows that one."""
    spatial = one.first("SpatialTransform")
    if spatial is None:
        raise one.wrong("SpatialTransform", "it is missing")
    by_name, used = {q.name: q for q in coordinates}, set[str]()
    name, moves = one.given.get("name", "joint"), list[Move]()
    axes = spatial.all("TransformAxis")
    # straight functions first: a spline of the same coordinate is what follows
    courses = [_course(axis) for axis in axes]
    order = sorted(range(len(axes)), key=lambda n: not courses[n].is_straight)
    made = dict[int, Move]()
    for n in order:
        axis, course = axes[n], courses[n]
        way = np.array(axis.values("axis", 3))
        size = float(np.linalg.norm(way))
        if size == 0.0:
            raise axis.wrong("axis", "it has no length")
        motion: Motion = "hinge" if n < 3 else "slide"
        names = axis.child_text("coordinates").split()
        q = by_name.get(names[0]) if len(names) == 1 else None
        if names and q is None:
            raise axis.wrong(
                "coordinates",
                "an axis follows one coordinate of its own joint; let the others lead by a CoordinateCouplerConstraint",
            )
        value = course.at(q.value if q else 0.0)
        if q is None or (course.is_straight and not any(course.numbers[1:])):
            made[n] = (motion, way / size, None, 0.0, value)
        elif course.is_straight and q.name not in used:
            used.add(q.name)
            made[n] = (motion, way / size, q, course.numbers[1], course.numbers[0])
        else:
            value_rate = course.at(q.value, 1) * q.speed
            title = f"{q.name}_{axis.given.get('name', n)}"
            second = Coordinate(title, value, value_rate, q.is_locked, leader=(q, course))
            reader.following.append(Following(name, q, second, course))
            made[n] = (motion, way / size, second, 1.0, 0.0)
    moves += [made[n] for n in sorted(made)]
    return moves


def _course(axis: Element) -> Course:
    course = course_of(function_in(axis))
    if course is None:
        raise axis.wrong(
            _kind(axis),
            "functions of this kind are not read; make it a SimmSpline through some of its points",
        )
    return course


def _kind(axis: Element) -> str:
    """Name the kind of function that an axis has."""
    held = function_in(axis)
    return "this" if held is None else held.tag[:60]


def _about(axis: Array, angle: float) -> Array:
    e = axis / np.linalg.norm(axis)
    K = np.array([[0.0, -e[2], e[1]], [e[2], 0.0, -e[0]], [-e[1], e[0], 0.0]])
    R: Array = np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K
    return R


def _order(model: Model) -> None:
    """Put bodies behind what carries them."""
    order, waiting = list[int](), list(range(len(model.bodies)))
    while waiting:
        ready = [n for n in waiting if model.bodies[n].parent in (-1, *order)]
        if not ready:
            names = ", ".join(model.bodies[n].name for n in waiting[:5])
            raise TreeError("The joints make a ring: {links}. Make one joint a WeldConstraint or a PointConstraint.", links=names)  # fmt: skip
        order += ready
        waiting = [n for n in waiting if n not in ready]
    at = {old: new for new, old in enumerate(order)} | {-1: -1}
    model.bodies = [model.bodies[n] for n in order]
    for body in model.bodies:
        body.parent = at[body.parent]
    model.markers = [(name, (at[n], place, R)) for name, (n, place, R) in model.markers]
    for ends in [one.ends for one in model.links] + [one.ends for one in model.ties]:
        ends[:] = [(at[n], place, R) for n, place, R in ends]
    for over in [over for one in model.links for over in one.line.over]:
        n, place, R = over.end
        over.end = at[n], place, R
    for touch in model.touches:
        touch.body, touch.other = at[touch.body], at[touch.other]
