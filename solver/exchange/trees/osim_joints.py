"""Joints of OpenSim's models: which way each counts, the axes of each in a row, and what closes a ring of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from solver.base.words import msgid
from solver.engine.maths.rotation import Array, from_angles
from solver.exchange.trees.bodies import Axis, Body, End, Motion, ReadNotes, Tie, frame_of
from solver.exchange.trees.osim_ties import Coordinate, Course, Following, course_of, function_in
from solver.exchange.trees.osim_times import form_of
from solver.exchange.trees.xml import Element
from solver.project.forms import value_at
from solver.project.functions import Sum

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


def inside(held: Element, body: Element) -> list[Element]:
    """Give the joint inside a body of version 3 as one that names its child."""
    for joint in held.children:
        joint.children.append(Element("child_body", {}, joint.line, text=body.given.get("name", "")))  # fmt: skip
    return held.children


CLOSING: dict[str, Any] = {
    "WeldJoint": "weld", "BallJoint": "zero_distance", "GimbalJoint": "zero_distance",
    "PinJoint": "revolute", "SliderJoint": "prismatic", "UniversalJoint": "universal_closure",
}  # fmt: skip
"""Joints that may close a ring, and the constraint that each then is."""
ROUND = ("EllipsoidJoint", "ScapulothoracicJoint")
"""Joints by which a body goes round an ellipsoid."""
Row = tuple[Element, End, End]


def join(joints: Sequence[Element], reader: Reader) -> list[Tie]:
    """Join the bodies as a tree that grows from ground; what is left closes rings, as constraints."""
    rows = list[Row]()
    for one in joints:
        if one.tag not in (
            *SIMPLE,
            "BallJoint",
            "FreeJoint",
            "PlanarJoint",
            "CustomJoint",
            *ROUND,
        ):
            raise one.wrong(
                one.tag[:60],
                "joints of this kind have no like here; make it a CustomJoint or a BallJoint",
            )
        parent, child = _ends(one, reader)
        if one.child_text("reverse", "false") == "true":
            parent, child = child, parent
        if parent[0] == child[0]:
            raise one.wrong("child", "it is fixed to the joint's parent: a joint joins two bodies")
        rows.append((one, parent, child))
    ways, ties = _ways(rows, len(reader.bodies)), list[Tie]()
    for n, (one, parent, child) in enumerate(rows):
        if n in ways and one.tag in ROUND:
            ties += _round(one, parent, child, ways[n], reader)
        elif n in ways:
            _joint(one, parent, child, ways[n], reader)
        else:
            ties.append(_closing(one, parent, child, reader))
        reader.read_notes.rest_within(one, IDLE)
    return ties


def _ways(rows: Sequence[Row], bodies: int) -> dict[int, bool]:
    """Tell which joints make the tree, and whether each carries its parent: last choice for rings are those that can close one."""
    group = {n: n for n in range(-1, bodies)}

    def top(n: int) -> int:
        while group[n] != n:
            group[n] = n = group[group[n]]
        return n

    beside: dict[int, list[tuple[int, int, bool]]] = {n: [] for n in group}
    below = set[int]()
    for k in sorted(range(len(rows)), key=lambda k: rows[k][0].tag in CLOSING):
        one, (a, _, _), (b, _, _) = rows[k]
        if top(a) != top(b):
            group[top(b)] = top(a)
            beside[a].append((k, b, False))
            beside[b].append((k, a, True))
            below.add(b)
        elif one.tag not in CLOSING:
            raise one.wrong("child", "it closes a ring of joints none of which can be a constraint: make one of them a WeldConstraint, a PointConstraint, or a Weld, Ball, Pin, Slider or Universal joint")  # fmt: skip
    ways, done = dict[int, bool](), set[int]()
    # from ground, then from what no joint carries, then from anything
    for start in (-1, *(n for n in range(bodies) if n not in below), *range(bodies)):
        waiting = [start] if start not in done else []
        done.add(start)
        while waiting:
            for k, n, is_back in beside[waiting.pop()]:
                if n not in done:
                    ways[k] = is_back
                    done.add(n)
                    waiting.append(n)
    return ways


def _closing(one: Element, parent: End, child: End, reader: Reader) -> Tie:
    """Make the constraint that a joint is which closes a ring."""
    coordinates, kind = _coordinates(one, reader), CLOSING[one.tag]
    name, (number, place, R) = one.given.get("name", "joint"), parent
    if len(coordinates) == 1 and coordinates[0].is_locked:
        q, kind = coordinates[0].value, "weld"
        (motion, axis), *_ = SIMPLE[one.tag]
        place, R = (place, R @ _about(axis, q)) if motion == "hinge" else (place + R @ axis * q, R)
    elif any(q.is_locked for q in coordinates):
        reader.read_notes.say(LOCKED, name=name)
    turned = frame_of(X, 2) if kind == "prismatic" else np.eye(3)
    reader.read_notes.say("Joint '{name}' closes a ring of joints: it is a constraint ({kind}), and its coordinates are found from those of the other joints.", name=name, kind=kind)  # fmt: skip
    return Tie(name, kind, ends=[(number, place, R @ turned), (child[0], child[1], child[2] @ turned)])  # fmt: skip


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
        made = Coordinate(
            name,
            child.values("default_value", 1, (0.0,))[0],
            child.values("default_speed_value", 1, (0.0,))[0],
            child.child_text("locked", "false") == "true",
        )
        if child.child_text("prescribed", "false") == "true" and not made.is_locked:
            _prescribe(made, child, reader)
        if child.child_text("clamped", "false") == "true" and child.first("range") is not None:
            low, high = child.values("range", 2)
            made.range = min(low, high), max(low, high)
        if name in reader.coordinates:
            raise child.wrong("name", "two coordinates have it")
        reader.coordinates[name] = made
        reader.read_notes.rest_within(child, IDLE)
        found.append(made)
    return found


H = 1e-5
"""Time (s) by which the rate of a prescribed coordinate at the start is found."""


def _prescribe(q: Coordinate, one: Element, reader: Reader) -> None:
    """Let a coordinate start where its function of time says."""
    held = one.first("prescribed_function")
    inner = held.children[0] if held is not None and held.children else None
    form = form_of(inner) if inner is not None else None
    if inner is None or form is None:
        reader.read_notes.say(UNPRESCRIBED, name=q.name)
        return
    terms = Sum.model_validate({"kind": "sum", "terms": form.get("terms", [form])})
    before, q.value, after = (value_at(terms, t) or 0.0 for t in (-H, 0.0, H))
    q.prescribed, q.speed = inner, (after - before) / (2.0 * H)


UNPRESCRIBED = msgid(
    "Coordinate '{name}' is free; its prescribed motion is left out: such a motion drives a single axis, by a constant, a line, a polynomial of the fifth degree at most, a sine, a step or a spline."
)


def prescribed(reader: Reader) -> None:
    """Drive what functions of time move."""
    for q in reader.coordinates.values():
        if q.prescribed is None:
            continue
        if q.axis is None or q.axis.is_held:
            reader.read_notes.say(UNPRESCRIBED, name=q.name)
        else:
            q.axis.driven = form_of(q.prescribed, q.factor, q.shift)


Move = tuple[Motion, Array, Coordinate | None, float, float]
"""Motion about or along an axis by factor q + shift; without a coordinate by the shift alone."""


LOCKED = msgid("Joint '{name}': single locked coordinates of it are free here.")


def _joint(one: Element, parent: End, child: End, is_back: bool, reader: Reader) -> None:
    """Give a body the axes of the joint that carries it; where it carries the joint's parent, in turn and the other way."""
    coordinates = _coordinates(one, reader)
    name = one.given.get("name", f"{reader.bodies[max(child[0], 0)].name}_joint")
    moves: list[Move]
    if one.tag == "CustomJoint":
        moves = _custom(one, coordinates, reader)
    else:
        axes: Any = {"FreeJoint": FREE, "PlanarJoint": PLANAR, "BallJoint": FREE[:3]}.get(one.tag) or SIMPLE[one.tag]  # fmt: skip
        coordinates += [Coordinate(f"{name}_{n}", 0.0, 0.0, False) for n in range(len(coordinates) + 1, len(axes) + 1)]  # fmt: skip
        moves = [(m, a, q, 1.0, 0.0) for (m, a), q in zip(axes, coordinates, strict=False)]
    # what slides does so along the axes of the parent, whatever turns
    moves.sort(key=lambda move: move[0] != "slide")
    if is_back:
        parent, child = child, parent
        moves = [(m, a, q, -factor, -by) for m, a, q, factor, by in reversed(moves)]
    body = reader.bodies[child[0]]
    body.is_free = False
    if one.tag in ("BallJoint", "FreeJoint") and any(q.is_locked for q in coordinates):
        reader.read_notes.say(LOCKED, name=name)
    number, place, R = parent
    free = one.tag == "FreeJoint" and number < 0
    Q, shift, there = np.eye(3), np.zeros(3), list[Array]()
    for motion, axis, q, factor, by in moves:
        value = by + (factor * q.value if q is not None else 0.0)
        fixed = q is None or (q.is_locked and one.tag not in ("BallJoint", "FreeJoint"))
        if free or fixed:
            shift = shift + value * Q @ axis if motion == "slide" else shift
            Q = Q @ _about(axis, value) if motion == "hinge" else Q
            continue
        assert q is not None
        if one.tag == "BallJoint":
            continue
        sign = -1.0 if factor < 0.0 else 1.0
        q.factor, q.shift = abs(factor), sign * by
        q.axis = Axis(q.name, motion, sign * (Q @ axis), start=sign * value, speed=abs(factor) * q.speed)  # fmt: skip
        body.joints.append(q.axis)
        there.append(shift)
    body.parent = number
    body.R = R @ Q @ child[2].T
    body.place = place + R @ shift - body.R @ child[1]
    for axis_, at in zip(body.joints, there, strict=True):
        axis_.axis = child[2] @ Q.T @ axis_.axis
        axis_.place = child[1] + child[2] @ Q.T @ (at - shift)
    speeds = np.array([q.speed for q in coordinates])
    if free:
        body.is_free = True
        # speeds are no rates of the angles: they go along and about the axes of the joint's parent
        turning, moving = speeds[:3], speeds[3:]
        if is_back:
            turning, moving = -Q @ turning, -Q @ (moving + np.cross(turning, Q.T @ shift))
        body.spin = child[2] @ Q.T @ turning
        body.velocity = R @ moving + np.cross(R @ turning, R @ Q @ child[2].T @ (body.centre - child[1]))  # fmt: skip
    elif one.tag == "BallJoint":
        turned = from_angles([q.value for q in coordinates[:3]], "xyz")
        spin = speeds[:3]
        if is_back:
            turned, spin = turned.T, -turned.T @ spin
        made = Axis(name, "ball", place=child[1], turn=child[2] @ turned @ child[2].T)
        made.spin = child[2] @ spin
        body.joints = [made]


def _round(one: Element, parent: End, child: End, is_back: bool, reader: Reader) -> list[Tie]:
    """Let a body go round an ellipsoid; a scapula does so by a link without mass, on which it turns about its winging axis."""
    if is_back:
        raise one.wrong("child", "a body that carries the ellipsoid on which it goes is not read; change parent and child round")  # fmt: skip
    coordinates, name = _coordinates(one, reader), one.given.get("name", "joint")
    coordinates += [Coordinate("", 0.0, 0.0, False) for _ in range(len(coordinates), 4)]
    if any(q.is_locked for q in coordinates[:3]):
        reader.read_notes.say(LOCKED, name=name)
    if one.tag == "EllipsoidJoint":
        radii = np.array(one.values("radii_x_y_z", 3))
        return _on_ellipsoid(name, coordinates[:3], radii, parent, child, reader)
    radii = np.array(one.values("thoracic_ellipsoid_radii_x_y_z", 3))[[1, 0, 2]]
    way = one.values("scapula_winging_axis_direction", 1, (0.0,))[0]
    x, y = one.values("scapula_winging_axis_origin", 2, (0.0, 0.0))
    # abduction is about y, elevation about - x
    (number, place, R), between, quarter = parent, len(reader.bodies), _about(Z, np.pi / 2.0)
    reader.bodies.append(Body(f"{name}_before_winging", -1))
    ties = _on_ellipsoid(name, coordinates[:3], radii, (number, place, R @ quarter), (between, np.zeros(3), quarter), reader)  # fmt: skip
    body, q = reader.bodies[child[0]], coordinates[3]
    body.is_free, body.parent, body.R, body.place = False, between, child[2].T, -child[2].T @ child[1]  # fmt: skip
    axis, at = child[2] @ (-np.sin(way), np.cos(way), 0.0), child[1] + child[2] @ (x, y, 0.0)
    made = Axis(q.name or f"{name}_winging", "hinge", axis, at, start=q.value, speed=q.speed)
    if q.is_locked:
        made.is_held, made.speed = True, 0.0
    else:
        q.axis = made
    body.joints.append(made)
    return ties


def _on_ellipsoid(
    name: str, coordinates: Sequence[Coordinate], radii: Array, parent: End, child: End, reader: Reader
) -> list[Tie]:  # fmt: skip
    """Let a body turn freely with its origin on an ellipsoid: at (a, b, c) by the components of its z axis n.

    A ball carries that origin at c n. It slides along x and y by (a - c) n_x and (b - c) n_y: points at - (a - c) n and - (b - c) n
    from the ball then stay in the planes x = 0 and y = 0, which two constraints hold, as in an ellipsograph.
    """
    body = reader.bodies[child[0]]
    turned, spin = from_angles([q.value for q in coordinates], "xyz"), np.array([q.speed for q in coordinates])  # fmt: skip
    n, rate = turned[:, 2], np.cross(spin, turned[:, 2])
    number, place, R = parent
    ball = child[1] - child[2] @ (radii[2] * Z)
    body.is_free, body.parent, ties = False, number, list[Tie]()
    body.R = R @ child[2].T
    body.place = place - body.R @ ball
    for k, way in enumerate((X, Y)):
        more = float(radii[k] - radii[2])
        if more:
            title = f"{name}_{'xy'[k]}"
            body.joints.append(Axis(title, "slide", child[2] @ way, ball, start=more * n[k], speed=more * rate[k]))  # fmt: skip
            at = child[1] - child[2] @ ((radii[2] + more) * Z)
            ties.append(Tie(title, "point_on_plane", ends=[(number, place, R @ frame_of(way, 2)), (child[0], at, np.eye(3))]))  # fmt: skip
    made = Axis(name, "ball", place=ball, turn=child[2] @ turned @ child[2].T)
    made.spin = child[2] @ spin
    body.joints.append(made)
    return ties


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
