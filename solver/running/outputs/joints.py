"""Joints: how they stand and move, what they carry, and each part of it by itself."""

from __future__ import annotations

from typing import assert_never

import numpy as np

from solver.engine.dynamics.tree import BALL, FREE, HELD, SLIDE, TURN, Array, IntArray
from solver.engine.forces.coordinates.arrays import SEEN_LOAD
from solver.engine.forces.joints.contours import contour_load
from solver.engine.forces.joints.eulers import STRAIGHT
from solver.engine.forces.joints.kernels import ball_parts, resisted
from solver.engine.forces.joints.springs import COMPONENTS
from solver.engine.integrate.samples import Samples
from solver.engine.maths.rotation import cross, followed, turns_of
from solver.model.compile import Model, Modes
from solver.project.coordinate_forces import across, beside
from solver.project.document import Project
from solver.project.joint_table import (
    ball_of,
    carrying,
    contour_of,
    is_rigid,
    is_sliding,
    row_of,
    slides_of,
)
from solver.project.joints import Joint
from solver.running.outputs.kinematics import Columns, Kind, Kinematics, along, quaternions

# Torques of globographic stops at samples (section 6.2).


def relative_turn(model: Model, joint: Joint, seen: Kinematics) -> tuple[Array, Array]:
    """The turn of the child's frame in the parent's, and its rate along the child's frame."""
    return seen.once("turn", joint.id, lambda: _relative_turn(model, joint, seen))


def _relative_turn(model: Model, joint: Joint, seen: Kinematics) -> tuple[Array, Array]:
    made = model.trees.joints[joint.id]
    R_WP, R_WC = seen.turn(joint.parent) @ made.R_PF, seen.turn(joint.child) @ made.R_CF
    rate = along(R_WC, seen.spin(joint.child) - seen.spin(joint.parent))
    return R_WP.transpose(0, 2, 1) @ R_WC, rate


def contour_torque(model: Model, joint: Joint, seen: Kinematics) -> Array:
    """The torque of a joint's contour on the child, ground axes."""
    return seen.once("contour", joint.id, lambda: _contour_torque(model, joint, seen))


def _contour_torque(model: Model, joint: Joint, seen: Kinematics) -> Array:
    contours, curves = model.system.joints.contours, model.system.curves
    body, R_PF = model.trees.joints[joint.id].bodies[-1], model.trees.joints[joint.id].R_PF
    k, (R, rate) = int(np.flatnonzero(contours.body == body)[0]), relative_turn(model, joint, seen)
    out = np.zeros((seen.rows, 3))
    for t in range(seen.rows):
        axis, turning = tuple(R[t, :, 2].tolist()), tuple((R[t] @ rate[t]).tolist())
        _, gradient, _, size, _ = contour_load(contours, curves, k, axis, turning)
        out[t] = seen.turn(joint.parent)[t] @ R_PF @ (-size * np.array(gradient))
    return out


# How joints stand and move: their state, angles, rates and slides from samples.


def hanging(model: Model, modes: Modes, body: int) -> IntArray:
    """Whether the joint of a body has broken, and its parts stay together: of each sample 0 or 1."""
    found = np.flatnonzero(model.system.joints.balls.body == body)
    hangs: IntArray = modes.hanging[:, found].sum(axis=1)
    return hangs


def state_of(modes: Modes, bodies: tuple[int, ...], hangs: IntArray) -> IntArray:
    """A joint's states: bits 0 to 2, and 4 to 6 of one with more, for held axes, bit 3 once it is broken."""
    state, kind = 8 * hangs, modes.kind[bodies[-1]]
    if kind == FREE:
        return state + 8
    if len(bodies) >= 3 and kind == BALL:
        # three turns that are a ball, all of them open
        bodies = bodies[:-3]
    for k, body in enumerate(bodies):
        state |= (modes.locked[:, body] == HELD).astype(np.int64) << (k if k < 3 else k + 1)
    return state


def order_of(joint: Joint) -> str:
    """Name the axes of the three successive turns that a joint's angles are, its own first.

    Those of a ball, and of a joint without turns of its own, are yaw, pitch and roll.
    """
    row = row_of(joint)
    # about one axis twice: once it is broken, the turn of both together
    order = row.order[:1] if row.leading else row.order if has_rates(joint) else "zyx"
    return order + "".join(axis for axis in "xyz" if axis not in order)[: 3 - len(order)]


def has_rates(joint: Joint) -> bool:
    """Whether a joint's rates are those of its angles; of others they are the angular velocity."""
    return row_of(joint).acts in ("axes", "euler")


def joint_motion(
    model: Model, joint: Joint, seen: Kinematics, samples: Samples
) -> tuple[Array, Array, Array]:
    """A joint's angles and rates (T, 3), and the distances slid (T, slides).

    The angles are its own, those of a ball yaw, pitch and roll of the child's frame in the parent's.
    The rates are those of the angles, of a ball the relative angular velocity along the child's frame.
    An Euler joint's are as its laws see them, followed on. Once it is broken, the turns that its own angles begin are counted on.
    """
    made, tree, kind = model.trees.joints[joint.id], model.system.tree, seen.modes.kind
    angle, rate = np.zeros((seen.rows, 3)), np.zeros((seen.rows, 3))
    slides, n = [], 0
    for body in made.bodies:
        q = samples.q[: seen.rows, tree.at_q[body]]
        if kind[body] == SLIDE:
            slides.append(q)
        elif kind[body] == TURN and kind[made.bodies[-1]] != BALL and not is_rigid(joint):
            angle[:, n], rate[:, n] = q, samples.v[: seen.rows, tree.at_v[body]]
            n += 1
    if kind[made.bodies[-1]] == BALL and has_rates(joint):
        k = int(np.flatnonzero(model.system.joints.eulers.body[:, 2] == made.bodies[-1])[0])
        turns = samples.eulers[: seen.rows, k]
        angle, rate = turns[:, :3].copy(), turns[:, 3:].copy()
    elif kind[made.bodies[-1]] in (BALL, FREE):
        R, rate = relative_turn(model, joint, seen)
        angle = turns_of(R, order_of(joint))
        if has_rates(joint):
            rate = rates_of_turns(R, rate, order_of(joint))
    slid = np.zeros((seen.rows, len(slides_of(joint))))
    if slides:
        slid = np.stack(slides, axis=1)
    return angle, rate, slid


def rates_of_turns(R: Array, spin: Array, order: str) -> Array:
    """The rates (T, 3) of the angles of `turns_of` from the angular velocity along the child's axes.

    Near the attitude at which the outer two are one they are told apart less and less.
    """
    i, j, k = ("xyz".index(axis) for axis in order)
    first, last = R[:, i, :], np.eye(3)[k]
    node = cross(first, last) if i == k else cross(last, first) * (1 if (j - i) % 3 == 1 else -1)
    sine = np.linalg.norm(node, axis=1)
    about, cosine = np.einsum("ti,ti->t", first, spin), first[:, k]
    damp = 1.0 / np.maximum(sine**2, STRAIGHT**2)
    middle = np.einsum("ti,ti->t", node, spin) / np.maximum(sine, 1e-12)
    return np.stack(
        [(about - cosine * spin[:, k]) * damp, middle, (spin[:, k] - cosine * about) * damp], axis=1
    )


def slide_names(joint: Joint) -> tuple[str, ...]:
    """Name the ways that a joint slides."""
    return tuple(slide.name for slide, _ in slides_of(joint))


def angle_names(joint: Joint) -> tuple[str, ...]:
    """Name a joint's own angles."""
    return tuple(turn.name for turn in row_of(joint).turns)


# Joints: angles, rates, slides, and what they carry.


class Joints(Kind):
    """What joints do; free ones hold nothing and have no row."""

    group = "joints"

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._last: dict[str, Array] = {}

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the joints."""
        return tuple(j.id for j in carrying(project.joints))

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give motion, loads and state; angles are followed on from block to block."""
        joints = carrying(self.model.project.joints)
        columns: dict[str, list[Array]] = {
            name: [] for name in ("angle", "rate", "slide", "torque", "force", "state")
        }
        for joint in joints:
            made = self.model.trees.joints[joint.id]
            before = self._last.get(joint.id)
            angle, rate, slide = followed_motion(self.model, joint, seen, samples, before)
            self._last[joint.id] = angle[-1]
            columns["angle"].append(angle)
            columns["rate"].append(rate)
            columns["slide"].append(
                slide[:, 0] if is_sliding(joint) else np.linalg.norm(slide, axis=1)
            )
            torque, force = joint_load(self.model, joint, seen, samples)
            columns["torque"].append(torque)
            columns["force"].append(force)
            hangs = hanging(self.model, seen.modes, made.bodies[-1])
            columns["state"].append(state_of(seen.modes, made.bodies, hangs).astype(np.int8))
        return {name: np.stack(values, axis=1) for name, values in columns.items()}


def followed_motion(
    model: Model, joint: Joint, seen: Kinematics, samples: Samples, before: Array | None
) -> tuple[Array, Array, Array]:
    """A joint's angles, followed on from the last ones, their rates, and the distances slid."""
    angle, rate, slide = joint_motion(model, joint, seen, samples)
    kind = seen.modes.kind[model.trees.joints[joint.id].bodies[-1]]
    if kind != FREE and has_rates(joint):
        # coordinates as they are, and angles that the laws have followed
        return angle, rate, slide
    angle, turned = followed(angle, order_of(joint), before)
    if has_rates(joint):
        # the other way to write a turn has its middle angle the other way round
        rate[turned, 1] *= -1.0
    return angle, rate, slide


def joint_load(
    model: Model, joint: Joint, seen: Kinematics, samples: Samples
) -> tuple[Array, Array]:
    """Give torque and force (T, 3) of a joint on its child, ground axes."""
    bodies = model.trees.joints[joint.id].bodies
    load = samples.load[: seen.rows, bodies[-1]]
    torque = load[:, :3]
    if contour_of(joint) is not None and seen.modes.kind[bodies[-1]] != FREE:
        # a contour's torque acts on the bodies, beside what the joint carries
        torque = torque + contour_torque(model, joint, seen)
    return torque, load[:, 3:]


def torque_beside(model: Model, joint: Joint, seen: Kinematics, samples: Samples) -> Array:
    """The torque (T, 3) on the child of what bears about a ball joint's turns beside it, ground axes."""
    turned = relative_turn(model, joint, seen)[0]
    w, v = np.split(quaternions(turned), [1], axis=1)
    sine = np.linalg.norm(v, axis=1, keepdims=True)
    angle = 2.0 * np.arctan2(sine * np.where(w < 0.0, -1.0, 1.0), np.abs(w))
    phi = v * np.divide(angle, sine, out=np.full_like(sine, 2.0), where=sine > 1e-12)
    # a component t . phi grows along J^-T t = t + phi x t / 2 + j2 phi x (phi x t)
    squared = np.maximum(angle * angle, 1e-8)
    j2 = np.where(
        squared < 1e-4,
        1.0 / 12.0 + squared / 720.0,
        (1.0 - 0.5 * angle / np.tan(0.5 * angle + (angle == 0.0))) / squared,
    )
    torque = np.zeros((seen.rows, 3))
    for row, axis in beside(model.project.coordinate_forces, joint.id):
        across = np.cross(phi, np.eye(3)[axis])
        along_ = np.eye(3)[axis] + 0.5 * across + j2 * np.cross(phi, across)
        torque -= samples.coordinates[: seen.rows, row, SEEN_LOAD, None] * along_
    R_WP = seen.turn(joint.parent) @ model.trees.joints[joint.id].R_PF
    return np.asarray(np.einsum("tij,tj->ti", R_WP, torque))


def lines_across(
    model: Model, joint: Joint, seen: Kinematics, samples: Samples
) -> tuple[Array, Array]:
    """The torque about a joint's point and the force (T, 3) with which lines, as muscles are, pull what it carries across it, ground axes."""
    above, torque, force = (
        _carried(model.project, joint),
        np.zeros((seen.rows, 3)),
        np.zeros((seen.rows, 3)),
    )
    point = seen.place(joint.child, np.asarray(joint.child_frame.position_m))
    for row, upper, lower in across(model.project.coordinate_forces, above):
        at, other = (seen.place(one.segment, np.asarray(one.position_m)) for one in (upper, lower))
        way = other - at
        pull = (
            samples.coordinates[: seen.rows, row, SEEN_LOAD, None]
            * way
            / np.linalg.norm(way, axis=1, keepdims=True)
        )
        force += pull
        torque += cross(at - point, pull)
    return torque, force


def _carried(project: Project, joint: Joint) -> set[str]:
    """Name the segments that a joint carries."""
    above, joints = {joint.child}, carrying(project.joints)
    while more := {one.child for one in joints if one.parent in above} - above:
        above |= more
    return above


# Torques and forces of springs, stops and friction in a joint, each by itself, on the child about its axes.

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
    """All parts, torques first, in the order of their names; of a ball's friction the size."""
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
    """The load of a joint's damper that has a spring in a row: three parts in the child's axes, or the first alone."""
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
    """The part of a force along a slide's axis, which is fixed in the parent."""
    axis, parent = model.system.tree.axis[body], model.system.tree.parent[body]
    along = np.tile(axis, (len(force), 1))
    if parent >= 0:
        along = samples.R[: len(force), parent].reshape(-1, 3, 3) @ axis
    out: Array = np.einsum("ti,ti->t", force, along)[:, None] * along
    return out


def _along(model: Model, spring: int, friction: int, angle: Array, rate: Array) -> Array:
    """The torques of a spring and of friction at all samples (2, T); -1 stands for none."""
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
    speed, hangs = np.linalg.norm(rate, axis=1), seen.modes.hanging[:, k] > 0
    if hangs.any():
        left = _along(model, -1, int(laws.balls.left[k]), speed, speed)[1]
        parts = np.where(hangs, [[0.0], [0.0], [1.0], [0.0]] * -left, parts)
    out["spring_flexure"], out["spring_torsion"] = parts[:2]
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
