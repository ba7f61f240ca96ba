"""Write bodies as a model of MuJoCo: the way back of `mjcf`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array, quaternion
from solver.exchange.trees.bodies import Body, Model, ReadNotes, Shape
from solver.exchange.trees.ties import equality_lines
from solver.exchange.trees.xml import escaped

LEAST = 1e-12
"""Moment of inertia (kg m2) that a body has at least there; its own least is 1e-15."""
ROUNDING = 1e-6
"""By how much of the greatest moment the two others may fall short of it; what is more is told."""


def write_mjcf(model: Model, read_notes: ReadNotes) -> list[str]:
    """Write bodies as a model of MuJoCo; the start stands in a key frame."""
    bodies, gravity, title = _renamed(model.bodies, read_notes), model.gravity, model.title
    sites, behind = equality_lines(model.ties, bodies, read_notes)
    out = [f'<mujoco model="{escaped(title) or "model"}">', '  <compiler angle="radian" autolimits="true"/>',
           f'  <option gravity="{_row(gravity)}"/>', "  <worldbody>"]  # fmt: skip
    out += [_geom_line(plane, plane.name, "    ") for plane in model.planes]
    out += [f"    {site}" for site in sites.get(-1, ())]
    children: dict[int, list[int]] = {}
    for number, body in enumerate(bodies):
        children.setdefault(body.parent, []).append(number)
    start, rates = list[float](), list[float]()
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
        out += _body_lines(body, lead + "  ", start, rates)
        out += [f"{lead}  {site}" for site in sites.get(number, ())]
        waiting.append(f"{lead}</body>")
        waiting += [(n, depth + 1) for n in reversed(children.get(number, []))]
    out += [
        "  </worldbody>",
        *behind,
        *_drive_lines(bodies),
        "  <keyframe>",
        f'    <key name="start" qpos="{_row(start)}" qvel="{_row(rates)}"/>',
        "  </keyframe>",
        "</mujoco>",
    ]
    return out


def _renamed(bodies: list[Body], read_notes: ReadNotes) -> list[Body]:
    """Give a body another name that is called as MuJoCo calls the ground."""
    names = {one.name for one in bodies}
    if "world" not in names:
        return bodies
    name = next(one for one in ("world_body", *(f"world_body_{n}" for n in range(2, 10**6))) if one not in names)  # fmt: skip
    read_notes.say("Segment 'world' is called '{name}' there: MuJoCo calls the ground so.", name=name)  # fmt: skip
    return [replace(one, name=name) if one.name == "world" else one for one in bodies]


def _drive_lines(bodies: list[Body]) -> list[str]:
    """Write drives that go to a place: their force is gain (target - q) - rate gain q', whatever the control."""
    out = list[str]()
    drives = [(axis, one) for body in bodies for axis in body.joints for one in axis.servos]
    for of, one in drives:
        limit = (
            ""
            if one.limit is None
            else f' forcelimited="true" forcerange="{-one.limit!r} {one.limit!r}"'
        )
        out.append(
            f'    <general name="{escaped(one.name)}" joint="{escaped(of.name)}" gainprm="{one.gain!r}" biastype="affine" '
            f'biasprm="{one.gain * one.target!r} {-one.gain!r} {-one.rate_gain!r}"{limit}/>'
        )
    return ["  <actuator>", *out, "  </actuator>"] if out else []


def _body_lines(body: Body, lead: str, start: list[float], rates: list[float]) -> list[str]:
    out = list[str]()
    if body.is_free:
        out.append(f"{lead}<freejoint/>")
        start += [*map(float, body.place), *map(float, quaternion(body.R))]
        velocity = body.velocity - body.R @ np.cross(body.spin, body.centre)
        rates += [*map(float, velocity), *map(float, body.spin)]
    for one in body.joints:
        more = f' damping="{one.damping!r}"' if one.damping else ""
        more += f' frictionloss="{one.friction!r}"' if one.friction else ""
        more += f' armature="{one.armature!r}"' if one.armature else ""
        more += f' stiffness="{one.stiffness!r}" springref="{one.rest!r}"' if one.stiffness else ""
        if one.ends is not None:
            more += f' range="{_row(one.ends)}" solreflimit="{one.end_time!r} 1"'
        axis = "" if one.motion == "ball" else f' axis="{_row(one.axis)}"'
        out.append(
            f'{lead}<joint name="{escaped(one.name)}" type="{one.motion}" pos="{_row(one.place)}"{axis}{more}/>'
        )
        start += [float(v) for v in quaternion(one.turn)] if one.motion == "ball" else [one.start]
        rates += [0.0, 0.0, 0.0] if one.motion == "ball" else [one.speed]
    if body.mass > 0.0:
        out.append(f'{lead}<inertial pos="{_row(body.centre)}" mass="{body.mass!r}" {_inertia(body.inertia)}/>')  # fmt: skip
    out += [_geom_line(shape, f"{body.name}.{shape.name}", lead) for shape in body.shapes]
    return out


def _inertia(J: Array) -> str:
    """Write an inertia; what has none about an axis, which MuJoCo refuses, counts its least, and what misses its sum by a rounding is rounded."""
    moments, R = np.linalg.eigh(J)
    lacks = moments[2] - moments[0] - moments[1]
    if 0.0 < lacks <= ROUNDING * moments[2]:
        moments[:2] += 0.5 * lacks + 1e-12 * moments[2]
    elif moments[0] > LEAST:
        full = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
        return f'fullinertia="{_row(full)}"'
    R[:, 2] *= np.sign(np.linalg.det(R))
    return f'quat="{_row(quaternion(R))}" diaginertia="{_row(np.maximum(moments, LEAST))}"'


def _geom_line(shape: Shape, name: str, lead: str) -> str:
    size = (shape.size[0], shape.size[2]) if shape.kind in ("capsule", "cylinder") else shape.size
    return (
        f'{lead}<geom name="{escaped(name)}" type="{shape.kind}" size="{_row(size)}" pos="{_row(shape.place)}" '
        f'quat="{_row(quaternion(shape.R))}" mass="0" contype="0" conaffinity="0"/>'
    )


def _row(values: Any) -> str:
    return " ".join(repr(float(v)) for v in values)
