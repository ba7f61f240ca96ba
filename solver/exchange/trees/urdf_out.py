"""Write bodies as a robot of ROS: the way back of `urdf`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array
from solver.exchange.trees.bodies import Axis, Body, Model, ReadNotes, Shape
from solver.exchange.trees.stopping import FARTHEST
from solver.exchange.trees.ties import mimic_lines
from solver.exchange.trees.urdf import GRAVITY, WORLD
from solver.exchange.trees.xml import TreeError, escaped
from solver.project.angles import angles_from


def write_urdf(model: Model, read_notes: ReadNotes) -> list[str]:
    """Write bodies as a robot: one free tree as it is, all else on a link `world`; joints of one body in a row with links without mass between."""
    roots = [one for one in model.bodies if one.parent < 0]
    out = [f'<robot name="{escaped(model.title) or "robot"}">']
    if not np.allclose(model.gravity, [0.0, 0.0, -GRAVITY], rtol=0.0, atol=1e-9):
        gravity = " ".join(f"{one:g}" for one in model.gravity)
        read_notes.say("Gravity has no place in such a file; here it is {gravity} m/s2, programs that read it take some 9.81 m/s2 along -z.", gravity=gravity)  # fmt: skip
    taken = {one.name for one in model.bodies} | {
        a.name for one in model.bodies for a in one.joints
    }
    alone = roots[0] if len(roots) == 1 and roots[0].is_free else None
    world = next((one for one in roots if one.name == WORLD and not one.joints and not one.is_free and _is_here(one)), None)  # fmt: skip
    anchor = WORLD
    if alone is None and world is None:
        anchor = _free(WORLD, taken)
        out.append(f'  <link name="{anchor}"/>')
    if alone is not None and not _is_here(alone):
        read_notes.say("Where the root begins has no place in such a file.")
    elif alone is None and any(one.is_free for one in roots):
        read_notes.say("Floating joints join free bodies to '{link}'; not every program reads them.", link=anchor)  # fmt: skip
    for of in (axis for one in model.bodies for axis in one.joints):
        if of.start or of.speed:
            read_notes.name("Where and how fast joints begin has no place in such files ({count} joints): {names}.", of.name)  # fmt: skip
    if any(one.velocity.any() or one.spin.any() for one in roots):
        read_notes.say("How fast free bodies begin has no place in such files.")
    follows = mimic_lines(model.ties, read_notes)
    for body in model.bodies:
        out += _link(body, read_notes)
        if body is alone or body is world:
            continue
        parent = model.bodies[body.parent].name if body.parent >= 0 else anchor
        out += _joints(body, parent, follows, taken, read_notes)
    return [*out, "</robot>"]


def _is_here(body: Body) -> bool:
    return not body.place.any() and np.array_equal(body.R, np.eye(3))


def _link(body: Body, read_notes: ReadNotes) -> list[str]:
    J = body.inertia
    out = [
        f'  <link name="{escaped(body.name)}">',
        f'    <inertial><origin xyz="{_row(body.centre)}"/><mass value="{body.mass!r}"/>',
    ]
    names = (
        ("ixx", 0, 0),
        ("iyy", 1, 1),
        ("izz", 2, 2),
        ("ixy", 0, 1),
        ("ixz", 0, 2),
        ("iyz", 1, 2),
    )
    out.append(
        "      <inertia "
        + " ".join(f'{k}="{float(J[i, j])!r}"' for k, i, j in names)
        + "/></inertial>"
    )
    for one in body.shapes:
        a, b, c = one.size
        size = {"box": f'<box size="{2 * a!r} {2 * b!r} {2 * c!r}"/>', "cylinder": f'<cylinder radius="{a!r}" length="{2 * c!r}"/>',
                "capsule": f'<capsule radius="{a!r}" length="{2 * c!r}"/>'}.get(one.kind)  # fmt: skip
        if size is None:
            r = (a * b * c) ** (1 / 3)
            size = f'<sphere radius="{r!r}"/>'
            if not a == b == c:
                read_notes.name("Ellipsoids become spheres of the same volume ({count}): {names}.", f"{body.name}.{one.name}")  # fmt: skip
        out.append(
            f'    <collision name="{escaped(one.name)}">{_origin_text(one.place, one.R)}<geometry>{size}</geometry></collision>'
        )
    return [*out, "  </link>"]


def _joints(
    body: Body, parent: str, follows: Mapping[str, str], taken: set[str], read_notes: ReadNotes
) -> list[str]:
    if body.is_free:
        return _joint(_free(f"{body.name}_free", taken), "floating", (body.place, body.R), parent, body.name, [])  # fmt: skip
    if not body.joints:
        return _joint(_free(f"{body.name}_fixed", taken), "fixed", (body.place, body.R), parent, body.name, [])  # fmt: skip
    out = list[str]()
    at = body.place + body.R @ body.joints[0].place, body.R
    for k, one in enumerate(body.joints):
        is_last = k == len(body.joints) - 1
        if one.motion == "ball":
            raise TreeError("Joint '{joint}' is a ball joint, which such files have not. Write the model for MuJoCo (.xml), or give it pins.", joint=one.name)  # fmt: skip
        child = body.name if is_last else _free(f"{body.name}_{k + 1}", taken)
        if not is_last:
            out.append(f'  <link name="{escaped(child)}"/>')
            following = body.joints[k + 1].place - one.place
        turns = "continuous" if one.ends is None else "revolute"
        kind = turns if one.motion == "hinge" else "prismatic"
        rubs = f'<dynamics damping="{one.damping!r}" friction="{one.friction!r}"/>'
        parts = [f'    <axis xyz="{_row(one.axis)}"/>{rubs}']
        if one.ends is not None or one.motion == "slide":
            low, high = one.ends or (-FARTHEST, FARTHEST)
            parts.append(f'    <limit lower="{low!r}" upper="{high!r}" effort="1e9" velocity="1e9"/>')  # fmt: skip
        if one.stiffness or one.armature or one.servos:
            read_notes.name("Springs, drives and inertia of drives have no place in such files ({count} joints): {names}.", one.name)  # fmt: skip
        if one.ends is not None and one.end_time != Axis("", "hinge").end_time:
            read_notes.name("How stiff stops are has no place in such files ({count} joints): {names}.", one.name)  # fmt: skip
        parts += [follows[one.name]] if one.name in follows else []
        out += _joint(one.name, kind, at, parent, child, parts)
        parent = child
        if not is_last:
            at = following, np.eye(3)
    return out


def _joint(
    name: str, kind: str, at: tuple[Array, Array], parent: str, child: str, parts: list[str]
) -> list[str]:
    return [
        f'  <joint name="{escaped(name)}" type="{kind}">', f"    {_origin_text(*at)}",
        f'    <parent link="{escaped(parent)}"/><child link="{escaped(child)}"/>', *parts, "  </joint>",
    ]  # fmt: skip


def _free(wanted: str, taken: set[str]) -> str:
    """A name that no link and no joint has yet."""
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    taken.add(name)
    return name


def at_joints(bodies: list[Body]) -> list[Body]:
    """Move each body's frame to its last joint, where such files have it."""
    shift = [one.joints[-1].place.copy() if one.joints else np.zeros(3) for one in bodies]
    out = list[Body]()
    for body, by in zip(bodies, shift, strict=True):
        above = shift[body.parent] if body.parent >= 0 else np.zeros(3)
        out.append(Body(
            body.name, body.parent, body.place + body.R @ by - above, body.R, body.is_free,
            [replace(a, place=a.place - by) for a in body.joints],
            body.mass, body.centre - by, body.inertia, [Shape(s.name, s.kind, s.size, s.place - by, s.R) for s in body.shapes],
        ))  # fmt: skip
    return out


def _origin_text(place: Array, R: Array) -> str:
    yaw, pitch, roll = angles_from(R, "zyx")
    return f'<origin xyz="{_row(place)}" rpy="{float(roll)!r} {float(pitch)!r} {float(yaw)!r}"/>'


def _row(values: Any) -> str:
    return " ".join(repr(float(v)) for v in values)
