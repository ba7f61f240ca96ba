"""Torques and forces of springs, stops and friction in a joint, each by itself, on the child about its axes."""

from __future__ import annotations

from typing import assert_never

import numpy as np

from solver.engine.dynamics.tree import FREE, SLIDE, Array
from solver.engine.forces.joints.kernels import ball_parts, resisted
from solver.engine.forces.joints.relaxing import COMPONENTS
from solver.engine.integrate.samples import Samples
from solver.model.compile import Model
from solver.project.joint_table import ball_of, contour_of, row_of
from solver.project.joints import Joint
from solver.running.outputs.contours import contour_torque, relative_turn
from solver.running.outputs.joint_motion import angle_names, joint_motion, slide_names
from solver.running.outputs.kinematics import Kinematics, quaternions

Parts = dict[str, Array]
"""Name of a part, and its torque at each sample."""


def part_names(joint: Joint) -> tuple[str, ...]:
    """Name the parts of a joint: spring and friction of each axis, and the stop of a contour."""
    ball = ball_of(joint) is not None
    axes = ("flexure", "torsion") if ball else angle_names(joint)
    names = [f"spring_{axis}" for axis in axes]
    names += ["friction"] if ball else [f"friction_{axis}" for axis in axes]
    if contour_of(joint) is not None:
        names.append("spring_contour")
    if getattr(joint, "by_azimuth", None) is not None:
        names.append("spring_azimuth")
    return tuple(names)


def slide_part_names(joint: Joint) -> tuple[str, ...]:
    """Name the forces along the slides of a joint: spring and friction of each."""
    names = slide_names(joint)
    return (*(f"spring_{name}" for name in names), *(f"friction_{name}" for name in names))


def joint_parts(model: Model, joint: Joint, seen: Kinematics, samples: Samples) -> Parts:
    """Give all parts, torques first, in the order of their names; of a ball's friction the size."""
    names = (*part_names(joint), *slide_part_names(joint))
    out = {name: np.zeros(seen.rows) for name in names}
    if seen.modes.kind[model.trees.joints[joint.id].bodies[-1]] == FREE:
        # broken
        return out
    _slides(model, joint, seen, samples, out)
    match row_of(joint).acts:
        case "ball":
            _ball(model, joint, seen, samples, out)
        case "euler":
            _euler(model, joint, seen, samples, out)
        case "axes" if model.trees.joints[joint.id].start:
            _euler(model, joint, seen, samples, out)
        case "axes":
            _axes(model, joint, seen, samples, out)
        case "nothing":
            pass
        case never:
            assert_never(never)
    if "spring_contour" in out:
        out["spring_contour"] = np.linalg.norm(contour_torque(model, joint, seen), axis=1)
    return out


def _axes(model: Model, joint: Joint, seen: Kinematics, samples: Samples, out: Parts) -> None:
    """Fill in the parts of axes that stand one behind the other; nothing acts about one without a law."""
    angle, rate, _ = joint_motion(model, joint, seen, samples)
    row = row_of(joint)
    bodies = row.turned(model.trees.joints[joint.id].bodies)
    for n, (turn, body) in enumerate(zip(row.turns, bodies, strict=True)):
        _freedom(model, out, turn.name, body, samples, angle[:, n], rate[:, n])


def _slides(model: Model, joint: Joint, seen: Kinematics, samples: Samples, out: Parts) -> None:
    """Fill in the parts of slides."""
    way = joint_motion(model, joint, seen, samples)[2]
    bodies = row_of(joint).slid(model.trees.joints[joint.id].bodies)
    for n, (name, body) in enumerate(zip(slide_names(joint), bodies, strict=False)):
        rate = samples.v[: seen.rows, model.system.tree.at_v[body]]
        _freedom(model, out, name, body, samples, way[:, n], rate)


def _freedom(
    model: Model, out: Parts, name: str, body: int, samples: Samples, value: Array, rate: Array
) -> None:
    """Fill in the parts of one freedom."""
    axes = model.system.joints.axes
    out[f"friction_{name}"] -= _relaxing(model, body, samples, len(rate))[:, 0]
    for k in np.flatnonzero(axes.body == body):
        _axis(
            model,
            out,
            name,
            value - axes.centre[k],
            rate,
            int(axes.spring[k]),
            int(axes.friction[k]),
        )
        out[f"friction_{name}"] -= _borne(model, body, samples, rate)


def _axis(
    model: Model, out: Parts, name: str, angle: Array, rate: Array, spring: int, friction: int
) -> None:
    """Add the parts of one axis."""
    rows = _along(model, spring, friction, angle, rate)
    out[f"spring_{name}"] += rows[0]
    out[f"friction_{name}"] += rows[1]


def _relaxing(model: Model, body: int, samples: Samples, rows: int) -> Array:
    """Give the load of a joint's damper that has a spring in a row: three parts in the child's axes, or the first alone."""
    laws, out = model.system.relaxings, np.zeros((rows, COMPONENTS))
    for k in np.flatnonzero(laws.body == body):
        out += samples.z[:rows, laws.first[k] : laws.first[k] + COMPONENTS]
    return out


def _borne(model: Model, body: int, samples: Samples, rate: Array, axis: int = -1) -> Array:
    """Give friction by the reaction that a joint bears, with the sign of the rate, at all samples."""
    bearings, out = model.system.joints.bearings, np.zeros(len(rate))
    laws = model.system.joints.eulers
    for k in range(len(bearings.body)):
        n = bearings.euler[k]
        last = laws.body[n, 2] if n >= 0 else bearings.body[k]
        if last != body or bearings.axis[k] != axis:
            continue
        force = samples.load[: len(rate), body, 3:]
        if model.system.tree.kind[body] == SLIDE:
            force = force - _along_slide(model, body, samples, force)
        speed, full = np.abs(rate), bearings.full_rate[k]
        ramped = np.where(speed < full, full / (2.0 - np.minimum(speed, full) / full), speed)
        out += bearings.ratio[k] * np.linalg.norm(force, axis=1) * rate / ramped
    return out


def _along_slide(model: Model, body: int, samples: Samples, force: Array) -> Array:
    """Give the part of a force along a slide's axis, which is fixed in the parent."""
    axis, parent = model.system.tree.axis[body], model.system.tree.parent[body]
    along = np.tile(axis, (len(force), 1))
    if parent >= 0:
        along = samples.R[: len(force), parent].reshape(-1, 3, 3) @ axis
    out: Array = np.einsum("ti,ti->t", force, along)[:, None] * along
    return out


def _along(model: Model, spring: int, friction: int, angle: Array, rate: Array) -> Array:
    """Give the torques of a spring and of friction at all samples (2, T); -1 stands for none."""
    out = np.zeros((2, len(angle)))
    at, by = np.ascontiguousarray(angle), np.ascontiguousarray(rate)
    resisted(model.system.joints, model.system.curves, spring, friction, at, by, out)
    return out


def _ball(model: Model, joint: Joint, seen: Kinematics, samples: Samples, out: Parts) -> None:
    laws = model.system.joints
    body = model.trees.joints[joint.id].bodies[-1]
    found = np.flatnonzero(laws.balls.body == body)
    if len(found) == 0:
        return
    k, (R, rate) = int(found[0]), relative_turn(model, joint, seen)
    parts = np.zeros((4, seen.rows))
    attitude = np.ascontiguousarray(quaternions(R))
    ball_parts(laws, model.system.curves, k, attitude, np.ascontiguousarray(rate), parts)
    out["spring_flexure"], out["spring_torsion"] = parts[:2]
    speed = np.linalg.norm(rate, axis=1)
    size = parts[2] + _borne(model, body, samples, speed)
    along = rate * (size / np.where(speed > 0.0, speed, 1.0))[:, None]
    slow = _relaxing(model, body, samples, seen.rows) @ laws.balls.R_BC[k].reshape(3, 3)
    out["friction"] = np.linalg.norm(along + slow, axis=1)
    if "spring_azimuth" in out:
        out["spring_azimuth"] = parts[3]


def _euler(model: Model, joint: Joint, seen: Kinematics, samples: Samples, out: Parts) -> None:
    laws = model.system.joints.eulers
    body = model.trees.joints[joint.id].bodies[-1]
    found = np.flatnonzero(laws.body[:, 2] == body)
    if len(found) == 0:
        return
    k = int(found[0])
    angle, rates, _ = joint_motion(model, joint, seen, samples)
    for n, name in enumerate(angle_names(joint)):
        off = angle[:, n] - laws.centre[k, n]
        _axis(model, out, name, off, rates[:, n], int(laws.spring[k, n]), int(laws.friction[k, n]))
        out[f"friction_{name}"] -= _borne(model, body, samples, rates[:, n], n)
