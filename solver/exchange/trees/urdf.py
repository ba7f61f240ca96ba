"""URDF, the robot files of ROS: links, joints, inertia, simple shapes."""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import Array, from_angles
from solver.exchange.trees.bodies import Axis, Body, Model, ReadNotes, Shape, frame_of
from solver.exchange.trees.ties import mimicked
from solver.exchange.trees.xml import Element, TreeError

KINDS = {
    "revolute": "hinge",
    "continuous": "hinge",
    "prismatic": "slide",
    "spherical": "ball",
    "fixed": "",
    "floating": "",
    "planar": "",
}
"""Joints, and their axes; `spherical` is Bullet's own."""
GRAVITY = 9.80665
WORLD = "world"


def read_urdf(top: Element, read_notes: ReadNotes) -> Model:
    """Read a robot; its root link is fixed if it is called world, else free."""
    for one in (top, *top.children):
        if one.tag.startswith("xacro:"):
            raise TreeError("Line {line}: <{tag}> is a macro, and nothing is run here. Expand the file first: xacro FILE > robot.urdf.", line=one.line, tag=one.tag)  # fmt: skip
    links = _by_name(top, "link")
    if not links:
        raise TreeError("Line {line}: the robot has no link.", line=top.line)
    joints = dict[str, Element]()
    for one in _by_name(top, "joint").values():
        child = _named(one, "child", "link", links)
        if child in joints:
            raise TreeError(
                "Line {line}: joint '{joint}' carries '{link}', as does another one on line {other}; such a file is a tree. Close a loop here, by a constraint.",
                line=one.line, link=child, joint=one.given.get("name", ""), other=joints[child].line,
            )  # fmt: skip
        joints[child] = one
    _others(top, read_notes)
    bodies, number = list[Body](), dict[str, int]()
    order, below = {name: n for n, name in enumerate(links)}, dict[str, list[str]]()
    for child, joint in joints.items():
        below.setdefault(_named(joint, "parent", "link", links), []).append(child)
    ready = [name for name in links if name not in joints]
    while ready:
        for name in ready:
            number[name] = len(bodies)
            bodies.append(_body(links[name], joints.get(name), number, links, bodies, read_notes))
        ready = sorted((child for name in ready for child in below.get(name, ())), key=order.__getitem__)  # fmt: skip
    roots = [name for name in links if name not in joints]
    if len(roots) > 1:
        read_notes.say("The file has {count} trees, {names}; ROS takes files of one tree only.", count=len(roots), names=", ".join(roots[:5]))  # fmt: skip
    if len(bodies) < len(links):
        left = [name for name in links if name not in number]
        raise TreeError("Line {line}: the joints make a ring: {links}. Take one joint out, and close the ring here, by a constraint.", line=joints[left[0]].line, links=", ".join(left[:5]))  # fmt: skip
    ties = mimicked(list(joints.values()), bodies, read_notes)
    for one in (*links.values(), *joints.values()):
        _rest(one, read_notes)
    read_notes.say("Gravity is along -z, {g} m/s2: such files do not say.", g=GRAVITY)
    return Model(bodies, np.array([0.0, 0.0, -GRAVITY]), top.given.get("name", ""), ties=ties)


def _by_name(top: Element, tag: str) -> dict[str, Element]:
    found = dict[str, Element]()
    for one in top.all(tag):
        name = one.given.get("name", "")
        if not name:
            raise one.wrong("name", "it is missing")
        if name in found:
            raise TreeError("Line {line}: a {tag} on line {other} is called '{name}' already; give one another name.", line=one.line, tag=tag, other=found[name].line, name=name)  # fmt: skip
        found[name] = one
    return found


SIMULATORS = ("gazebo", "drake", "mujoco", "bullet")


def _others(top: Element, read_notes: ReadNotes) -> None:
    """Name what is neither link nor joint; of what is for a simulator, its parts."""
    for one in top.children:
        if one.tag in ("link", "joint", "material"):
            continue
        if one.tag not in SIMULATORS:
            read_notes.name(
                "Parts beside links and joints are left out ({count}): {names}.", one.tag
            )
            continue
        for part in one.children:
            read_notes.name("Told to a simulator, and left out here ({count}): {names}.", f"{one.tag} {part.tag}")  # fmt: skip


IDLE = {"fixed": {"axis", "limit", "dynamics", "mimic", "safety_controller"}}
"""Parts of a joint that do nothing, by its kind."""


def _rest(one: Element, read_notes: ReadNotes) -> None:
    """Note what nothing has read of a link or joint; what is drawn does nothing here."""
    kind = one.given.get("type", "") if one.tag == "joint" else ""
    idle = IDLE.get(kind, set())
    read_notes.rest(one, {"name", "dont_collapse"})
    read_notes.rest_within(one, {"visual"} | idle)
    limit = one.first("limit") if kind not in IDLE else None
    if limit is not None and {"effort", "velocity"} & set(limit.given):
        read_notes.name("Limits of effort and velocity are those of drives, of which the file has none ({count} joints): {names}.", one.given["name"])  # fmt: skip
    for child in (c for c in one.children if c.tag not in idle):
        lines = {"lower", "upper"} if kind == "continuous" and child.tag == "limit" else set()
        if child.seen and child.tag not in ("visual", "collision"):
            read_notes.rest(
                child, {"name", "effort", "velocity"} | lines, f"{one.tag}> <{child.tag}"
            )
            read_notes.rest_within(child, ())


def _named(joint: Element, tag: str, attribute: str, links: dict[str, Element]) -> str:
    child = joint.first(tag)
    if child is None:
        raise joint.wrong(tag, "it is missing")
    name = str(child.given.get(attribute, ""))
    if name not in links:
        raise child.wrong(attribute, Sentence("the file has no link '{name}'", name=name))
    return name


def _body(
    link: Element,
    joint: Element | None,
    number: dict[str, int],
    links: dict[str, Element],
    bodies: list[Body],
    read_notes: ReadNotes,
) -> Body:
    name = link.given.get("name", "")
    body = Body(name, -1)
    inertial = link.first("inertial")
    if inertial is not None:
        body.mass = _numbers(inertial, "mass", "value", 1)[0]
        body.centre, R = _origin(inertial)
        moments = inertial.first("inertia")
        if moments is None:
            raise inertial.wrong("inertia", "it is missing")
        xx, yy, zz = (moments.numbers(key, 1)[0] for key in ("ixx", "iyy", "izz"))
        if not {"ixy", "ixz", "iyz"} <= set(moments.given):
            read_notes.name("Products of inertia that are missing count as 0 ({count} links); the reader of ROS drops the whole inertia of such links: {names}.", name)  # fmt: skip
        xy, xz, yz = (moments.numbers(key, 1, (0.0,))[0] for key in ("ixy", "ixz", "iyz"))
        body.inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
    for n, one in enumerate(link.all("collision") or link.all("visual"), 1):
        shape = _shape(one, name, f"shape_{n}", read_notes)
        if shape:
            body.shapes.append(shape)
    if joint is None:
        # what has no mass at all can only stand
        body.is_free = name != WORLD and body.mass > 0.0
        if not body.is_free and body.mass == 0.0:
            body.mass, body.inertia = 1.0, np.eye(3)
            if name != WORLD:
                read_notes.say("Root link '{name}' has no mass: it is fixed to the ground. Give it an <inertial> with a small mass, such as 0.001 kg, to let the robot move freely.", name=name)  # fmt: skip
        return body
    body.parent = number[_named(joint, "parent", "link", links)]
    above: Body | None = bodies[body.parent]
    body.place, body.R = _origin(joint)
    kind = joint.given.get("type", "")
    if kind not in KINDS:
        raise joint.wrong("type", Sentence("'{kind}' is none of {kinds}", kind=kind, kinds=", ".join(KINDS)))  # fmt: skip
    if kind == "floating":
        # nothing acts between it and what carries it
        body.is_free, body.parent = True, -1
        while above is not None:
            body.place, body.R = above.place + above.R @ body.place, above.R @ body.R
            above = bodies[above.parent] if above.parent >= 0 else None
    elif kind == "planar":
        body.joints = _planar(joint)
    elif KINDS[kind]:
        body.joints = [_axis(joint, KINDS[kind], read_notes)]
    return body


def _planar(joint: Element) -> list[Axis]:
    """Two slides in the plane whose normal the file gives, and a turn about that; along x and y where it is z."""
    name, normal = joint.given["name"], _direction(joint)
    R = np.eye(3) if np.array_equal(normal, [0.0, 0.0, 1.0]) else frame_of(normal, 2)
    slides = [Axis(f"{name}_{x}", "slide", R[:, k]) for k, x in enumerate("xy")]
    return [*slides, Axis(name, "hinge", R[:, 2])]


SHORTEST = 1e-9
"""Length of an axis from which on it has a direction."""


def _direction(joint: Element) -> Array:
    given = joint.first("axis")
    axis = np.array(given.numbers("xyz", 3) if given else (1.0, 0.0, 0.0))
    if given is not None and not np.linalg.norm(axis) > SHORTEST:
        raise given.wrong("xyz", "it has no length")
    return axis


def _axis(joint: Element, motion: Any, read_notes: ReadNotes) -> Axis:
    name = joint.given["name"]
    if motion == "ball":
        return Axis(name, motion)
    axis = _direction(joint)
    rubs = joint.first("dynamics")
    limit, ends = joint.first("limit"), None
    if limit is not None and joint.given.get("type") != "continuous":
        (low,), (high,) = limit.ends("lower", (0.0,)), limit.ends("upper", (0.0,))
        if low < high:
            ends = low, high
        else:
            read_notes.name("Limits that leave no room are left out ({count} joints): {names}.", name)  # fmt: skip
    damping = rubs.numbers("damping", 1, (0.0,))[0] if rubs else 0.0
    friction = rubs.numbers("friction", 1, (0.0,))[0] if rubs else 0.0
    return Axis(name, motion, axis, damping=damping, friction=friction, ends=ends)


def _numbers(one: Element, tag: str, key: str, count: int) -> tuple[float, ...]:
    child = one.first(tag)
    if child is None:
        raise one.wrong(tag, "it is missing")
    return child.numbers(key, count)


def _origin(one: Element) -> tuple[Array, Array]:
    origin = one.first("origin")
    if origin is None:
        return np.zeros(3), np.eye(3)
    roll, pitch, yaw = origin.numbers("rpy", 3, (0.0, 0.0, 0.0))
    return np.array(origin.numbers("xyz", 3, (0.0, 0.0, 0.0))), from_angles(
        [yaw, pitch, roll], "zyx"
    )


def _shape(one: Element, link: str, name: str, read_notes: ReadNotes) -> Shape | None:
    place, R = _origin(one)
    geometry = one.first("geometry")
    child = geometry.children[0] if geometry and geometry.children else None
    name = one.given.get("name", name)
    match child.tag if child else "":
        case "box":
            x, y, z = child.numbers("size", 3)  # type: ignore[union-attr]
            return Shape(name, "box", (x / 2, y / 2, z / 2), place, R)
        case "sphere":
            (r,) = child.numbers("radius", 1)  # type: ignore[union-attr]
            return Shape(name, "ellipsoid", (r, r, r), place, R)
        case "cylinder" | "capsule" as kind:
            (r,), (length,) = child.numbers("radius", 1), child.numbers("length", 1)  # type: ignore[union-attr]
            told_kind: Any = kind
            return Shape(name, told_kind, (r, 0.0, length / 2), place, R)
    what = child.tag if child else "?"
    read_notes.name("Shapes of other kinds are left out ({count}): {names}.", f"{what} of {link}")
    return None
