"""Make the channels that a project asks for from blocks of samples."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

import numpy as np

from solver.base.words import msgid
from solver.engine.dynamics.modes import FRAME
from solver.engine.dynamics.tree import Array
from solver.engine.integrate.samples import Samples
from solver.engine.maths.alike import arctan2, length
from solver.engine.maths.rotation import cross, followed, turns_of, unwrapped
from solver.model.compile import Model
from solver.project.document import may_touch
from solver.project.frames import Axes, axes_of, plain
from solver.project.outputs import (
    BodyOutput,
    ElementOutput,
    InjuryOutput,
    JointOutput,
    Output,
    PointOutput,
    RotationOutput,
    TouchOutput,
    WholeOutput,
)
from solver.results.layout import FRAME_GROUPS, ChannelSpec
from solver.results.quantities import PLACES, TURNED
from solver.results.selection import BODY_UNITS, MORE_GROUPS, UNITS
from solver.running.outputs.frames import Block, ids
from solver.running.outputs.joints import (
    angle_names,
    followed_motion,
    joint_load,
    joint_motion,
    joint_parts,
    lines_across,
    part_names,
    slide_names,
    slide_part_names,
    torque_beside,
)
from solver.running.outputs.kinematics import ZERO, Kinematics, along, quaternions
from solver.running.outputs.modal import ModalSums, modal_sums
from solver.running.outputs.restraints import bag_contacts

# Vectors of a block told in an own frame of the user.

XYZ = ("x", "y", "z")


def names_in(axes: Axes | None) -> tuple[str, ...]:
    """Name the components; parts along oblique axes have no resultant by their squares, so none is given."""
    return XYZ if axes is not None and axes.is_oblique else (*XYZ, "resultant")


def with_resultant(vectors: Array) -> Array:
    """Three rows of components and one of their size."""
    return np.vstack([vectors.T, np.linalg.norm(vectors, axis=1)])


def in_axes(
    axes: Axes, seen: Kinematics, vectors: Array, *, turning: bool = False, place: bool = False
) -> Array:
    """Rows of ground vectors (T, 3) along a frame's axes; places count from the carrier's mass centre."""
    local = along(seen.turn(axes.segment), vectors)
    if place:
        local = local - axes.origin_m
    parts = axes.axial_in(local) if turning else axes.vector_in(local)
    return parts.T if axes.is_oblique else with_resultant(parts)


ORDERS = {"yaw_pitch_roll": "zyx", "euler": "zxz"}
NAMES = {
    "yaw_pitch_roll": ("yaw", "pitch", "roll"),
    "euler": ("precession", "nutation", "spin"),
    "about_axis": ("angle",),
}
"""Names of the angles of a rotation, by their form."""
WORDS = (
    msgid("touch"), msgid("touch force"), msgid("kinetic energy"), msgid("spring"),
    msgid("flexure"), msgid("torsion"), msgid("contour"), msgid("first"), msgid("second"),
)  # fmt: skip
"""Words of channels that are no columns of results."""

Dense = PointOutput | RotationOutput | JointOutput | ElementOutput | BodyOutput | TouchOutput
"""Outputs with channels of their own; injury figures are made of these."""

Last = dict[str, Array]
"""What is followed on from block to block."""

Names = Mapping[str, tuple[str, ...]]
"""The elements of each group of results."""

Values = Callable[[Kinematics, Samples, Block, Last], Array]
"""Give one row of values for each of an output's channels."""


@dataclass(frozen=True, slots=True)
class Channels:
    """The channels of one output, and how their values are found."""

    specs: tuple[ChannelSpec, ...]
    values: Values
    groups: tuple[str, ...] = ()
    """Groups of the block that they are made of."""


def channels(
    model: Model, more: Sequence[Output | TouchOutput] = (), wanted: Collection[str] | None = None
) -> list[Channels]:
    """Give the channels of all outputs and of some more; injury figures are made of them at the end.

    With `wanted` only those of outputs that have a channel of such a name.
    """
    outputs = (*model.project.outputs, *more)
    names = ids(model)
    return [
        made
        for output in outputs
        if not isinstance(output, InjuryOutput)
        and (made := _made(model, output, names, wanted)) is not None
    ]


def _made(
    model: Model, output: Dense, names: Names, wanted: Collection[str] | None
) -> Channels | None:
    """The channels of an output; nothing if none of them is wanted."""
    made = _all_of(model, output, names)
    if wanted is None:
        return made
    if isinstance(output, JointOutput) and output.quantity == "angle":
        made = _joint_angle_alone(model, output, made.specs)
    elif isinstance(output, JointOutput):
        plain = _joint(model, output, with_parts=False)
        if not any(spec.name in wanted for spec in made.specs[len(plain.specs) :]):
            # parts take far longer than the whole
            made = plain
    return made if any(spec.name in wanted for spec in made.specs) else None


def _all_of(model: Model, output: Dense, names: Names) -> Channels:
    match output:
        case PointOutput():
            return _point(model, output)
        case RotationOutput():
            return _rotation(model, output)
        case JointOutput():
            return (
                _joint_angle(model, output, names)
                if output.quantity == "angle"
                else _joint(model, output)
            )
        case ElementOutput():
            return _element(model, output, names)
        case BodyOutput():
            return _body(model, output)
        case TouchOutput():
            return _touch(model, output)
        case _:
            assert_never(output)


def _specs(
    output: Output | TouchOutput, axes: tuple[str, ...], unit: str, quantity: str, segment: str = ""
) -> tuple[ChannelSpec, ...]:
    return tuple(
        ChannelSpec(f"{output.id}_{axis}", unit, quantity, segment, axis, output.cfc or 0)
        for axis in axes
    )


def _point(model: Model, output: PointOutput) -> Channels:
    gravity = model.system.gravity
    point, segment, frame = np.array(output.point_m), output.segment, _frame(model, output)
    other = output.relative_to if frame is None else frame.segment

    def values(seen: Kinematics, samples: Samples, block: Block, last: Last) -> Array:
        if output.quantity == "position":
            vectors = seen.place_from(segment, point, other)
        elif output.quantity == "velocity":
            vectors = seen.velocity_from(segment, point, other)
        else:
            vectors = seen.acceleration_from(segment, point, other)
            if output.with_gravity:
                vectors = vectors - gravity
        if frame is not None:
            return in_axes(frame, seen, vectors, place=output.quantity == "position")
        axes = segment if output.axes == "segment" else other
        return with_resultant(along(seen.turn(axes), vectors))

    unit = UNITS[("point", output.quantity)]
    return Channels(_specs(output, names_in(frame), unit, output.quantity, segment), values)


def _frame(
    model: Model, output: PointOutput | RotationOutput | JointOutput | ElementOutput
) -> Axes | None:
    """The own frame in which an output is told."""
    return axes_of(model.project.frames)[output.frame] if output.frame is not None else None


def _rotation(model: Model, output: RotationOutput) -> Channels:
    segment, frame = output.segment, _frame(model, output)
    other = output.relative_to if frame is None else frame.segment
    unit = UNITS[("rotation", output.quantity)]
    if output.quantity == "angle":
        return _angles(output, unit, frame or plain(other))

    def values(seen: Kinematics, samples: Samples, block: Block, last: Last) -> Array:
        vectors = seen.spin(segment) - seen.spin(other)
        if output.quantity == "acceleration":
            turning = cross(seen.spin(other), vectors)
            vectors = seen.spin_rate(segment) - seen.spin_rate(other) - turning
        if frame is not None:
            return in_axes(frame, seen, vectors, turning=True)
        return with_resultant(along(seen.turn(segment), vectors))

    quantity = f"angular {output.quantity}"
    return Channels(_specs(output, names_in(frame), unit, quantity, segment), values)


def _angles(output: RotationOutput, unit: str, frame: Axes) -> Channels:
    """The angles of a segment, followed on from block to block."""
    segment, other, order = output.segment, frame.segment, ORDERS.get(output.angles, "")
    axis = np.array(output.axis)
    names = NAMES[output.angles]

    def values(seen: Kinematics, samples: Samples, block: Block, last: Last) -> Array:
        R = frame.turn_in(seen.turn(other).transpose(0, 2, 1) @ seen.turn(segment))
        if order:
            angle, _ = followed(turns_of(R, order), order, last.get("angle"))
        else:
            q = quaternions(R)
            twist = 2.0 * arctan2(np.einsum("ti,i->t", q[:, 1:], axis) / length(axis), q[:, 0])
            before = last.get("angle", ZERO[:1])
            angle = unwrapped(np.append(before, twist))[1:, None]
        last["angle"] = angle[-1]
        return angle.T

    return Channels(_specs(output, names, unit, "angle", segment), values)


def _joint_angle(model: Model, output: JointOutput, names: Names) -> Channels:
    """Give angles, as they are followed in the rows of joints, and slides."""
    joint = next(j for j in model.project.joints if j.id == output.joint)
    row = names["joints"].index(joint.id)
    turns, ways = angle_names(joint), slide_names(joint)

    def values(seen: Kinematics, samples: Samples, block: Block, last: Last) -> Array:
        rows = block["joints"]["angle"][:, row, : len(turns)].T
        return np.vstack([rows, joint_motion(model, joint, seen, samples)[2].T])

    specs = _specs(output, turns, UNITS[("joint", "angle")], "angle", joint.child)
    specs += _specs(output, ways, "m", "slide", joint.child)
    return Channels(specs, values, ("joints",))


def _joint_angle_alone(
    model: Model, output: JointOutput, specs: tuple[ChannelSpec, ...]
) -> Channels:
    """The same where no other joint is asked for."""
    joint = next(j for j in model.project.joints if j.id == output.joint)
    turns = len(angle_names(joint))

    def values(seen: Kinematics, samples: Samples, block: Block, last: Last) -> Array:
        angle, _, slid = followed_motion(model, joint, seen, samples, last.get("angle"))
        last["angle"] = angle[-1]
        return np.vstack([angle[:, :turns].T, slid.T])

    return Channels(specs, values)


def _joint(model: Model, output: JointOutput, with_parts: bool = True) -> Channels:
    joint = next(j for j in model.project.joints if j.id == output.joint)
    is_torque = output.quantity == "torque"
    parts = part_names(joint) if is_torque else slide_part_names(joint)
    parts, frame = parts if with_parts else (), _frame(model, output)

    def values(seen: Kinematics, samples: Samples, block: Block, last: Last) -> Array:
        torque, force = joint_load(model, joint, seen, samples)
        if isinstance(output, WholeOutput):
            turning, pull = lines_across(model, joint, seen, samples)
            torque = torque + torque_beside(model, joint, seen, samples) + turning
            force = force + pull
        axes = {"ground": "ground", "parent": joint.parent, "child": joint.child}
        turn = seen.turn(axes[output.in_axes_of])
        load = torque if is_torque else force
        if frame is not None:
            whole = in_axes(frame, seen, load, turning=is_torque)
        else:
            whole = with_resultant(along(turn, load))
        if not parts:
            return whole
        found = joint_parts(model, joint, seen, samples)
        return np.vstack([whole, *(found[name] for name in parts)])

    unit = UNITS[("joint", output.quantity)]
    specs = _specs(output, (*names_in(frame), *parts), unit, output.quantity, joint.child)
    return Channels(specs, values)


def _element(model: Model, output: ElementOutput, names: Names) -> Channels:
    frame = _frame(model, output)
    groups: list[str] = [output.of]
    groups += [one for one in MORE_GROUPS.get(output.of, ()) if output.element in names[one]]
    parts = [_of_group(output, group, names[group], frame) for group in groups]
    specs = tuple(spec for part, _ in parts for spec in part)

    def values(seen: Kinematics, samples: Samples, block: Block, last: Last) -> Array:
        return np.vstack([make(seen, block) for _, make in parts])

    return Channels(specs, values, tuple(groups))


def _of_group(
    output: ElementOutput, group: str, names: tuple[str, ...], frame: Axes | None
) -> tuple[list[ChannelSpec], Callable[[Kinematics, Block], Array]]:
    """The channels of an element's rows in one group of results, and what makes their values."""
    # a harness has one row for each of its straps
    of_it = {
        n: name.removeprefix(output.element).replace(".", "") + "_"
        for n, name in enumerate(names)
        if name == output.element or name.startswith(f"{output.element}.")
    }
    specs: list[ChannelSpec] = []
    for part in of_it.values():
        for name, column in FRAME_GROUPS[group].columns.items():
            full = f"{part}{name}".lstrip("_")
            axes: tuple[str, ...] = (full,)
            if column.shape == (3,):
                turned = frame if (group, name) in PLACES or column.unit in TURNED else None
                axes = tuple(f"{full}_{axis}" for axis in names_in(turned))
            elif column.shape:
                axes = tuple(f"{full}_{k + 1}" for k in range(column.shape[0]))
            specs.extend(_specs(output, axes, column.unit, name))

    def values(seen: Kinematics, block: Block) -> Array:
        rows = []
        for row in of_it:
            for name, column in FRAME_GROUPS[group].columns.items():
                value = block[group][name][:, row]
                is_place = (group, name) in PLACES
                if (
                    column.shape == (3,)
                    and frame is not None
                    and (is_place or column.unit in TURNED)
                ):
                    if is_place:
                        value = value - seen.place(frame.segment, ZERO)
                    turning = column.unit.startswith("N*m")
                    rows.append(in_axes(frame, seen, value, turning=turning, place=is_place))
                elif column.shape == (3,):
                    rows.append(with_resultant(value))
                else:
                    rows.append(value.reshape(seen.rows, -1).T)
        return np.vstack(rows)

    return specs, values


def _touch(model: Model, output: TouchOutput) -> Channels:
    """The sum of the sizes of all forces by which a segment is touched."""
    contacts, touches = may_touch(model.project, output.segment)
    bags = np.array(touches, dtype=np.intp)

    def values(seen: Kinematics, samples: Samples, block: Block, last: Last) -> Array:
        force = np.zeros(seen.rows)
        if contacts:
            force += np.linalg.norm(block["contacts"]["force"][:, contacts], axis=2).sum(axis=1)
        if len(bags):
            pressed = bag_contacts(model, samples, np.arange(seen.rows), bags)["force"]
            force += np.linalg.norm(pressed, axis=2).sum(axis=1)
        return force[None]

    specs = _specs(output, ("force_resultant",), "N", "touch", output.segment)
    return Channels(specs, values, ("contacts",) if contacts else ())


def _bent(model: Model, seen: Kinematics, samples: Samples, name: str, b: int, other: str) -> ModalSums:  # fmt: skip
    """Sum up a modal body as another segment sees it: its mass centre, momentum and moment about that, ground axes."""
    R, at = seen.turn(name), model.trees.origin[name]
    v, w = seen.velocity_from(name, at, other), seen.spin(name) - seen.spin(other)
    v, w = (np.einsum("tji,tj->ti", R, one) for one in (v, w))
    made = modal_sums(model.system.tree.modals, model.trees.modal_rest, b, samples, np.arange(seen.rows), v, w)  # fmt: skip
    away = made.centre / made.mass
    about = made.moment - cross(away, made.momentum)
    centre, momentum, moment = (np.einsum("tij,tj->ti", R, x) for x in (away, made.momentum, about))
    centre = centre + seen.place_from(name, at, other)
    return made._replace(centre=centre, momentum=momentum, moment=moment)


def _body(model: Model, output: BodyOutput) -> Channels:
    parts = {s.id: s for s in model.project.segments if s.id in set(output.segments)}
    modals, rest, body_of = model.system.tree.modals, model.trees.modal_rest, model.trees.body_of
    bends = {n: int(modals.row[body_of[n]]) for n in parts if modals.role[body_of[n]] == FRAME}
    mass = sum(s.mass_kg for s in parts.values()) + sum(float(rest[b, 0]) for b in bends.values())
    inertia = {name: model.trees.inertia[name] for name in parts}
    other = output.relative_to

    def values(seen: Kinematics, samples: Samples, block: Block, last: Last) -> Array:
        weights = {
            n: s.mass_kg / mass if mass > 0.0 else 1.0 / len(parts) for n, s in parts.items()
        }
        place = sum((weights[n] * seen.place_from(n, ZERO, other) for n in parts), np.zeros(3))
        v = sum((weights[n] * seen.velocity_from(n, ZERO, other) for n in parts), np.zeros(3))
        bent = [_bent(model, seen, samples, n, b, other) for n, b in bends.items()]
        for one in bent:
            place, v = place + one.mass / mass * one.centre, v + one.momentum / mass
        spin = np.zeros((seen.rows, 3))
        energy = np.zeros(seen.rows)
        for n, segment in parts.items():
            R = seen.turn(n)
            w = seen.spin(n) - seen.spin(other)
            h = np.einsum("tij,jk,tlk,tl->ti", R, inertia[n], R, w)
            v_n = seen.velocity_from(n, ZERO, other)
            arm = seen.place_from(n, ZERO, other) - place
            spin += h + segment.mass_kg * cross(arm, v_n - v)
            energy += 0.5 * np.einsum("ti,ti->t", w, h)
            energy += 0.5 * segment.mass_kg * np.einsum("ti,ti->t", v_n, v_n)
        for one in bent:
            spin += one.moment + cross(one.centre - place, one.momentum - one.mass * v)
            energy += one.energy
        R_WM = seen.turn(other)
        vectors = (place, v, mass * v, spin)
        return np.vstack([*(with_resultant(along(R_WM, x)) for x in vectors), energy])

    specs = [
        spec
        for name, unit in BODY_UNITS.items()
        for spec in _specs(output, tuple(f"{name}_{a}" for a in (*XYZ, "resultant")), unit, name)
    ]
    specs += _specs(output, ("kinetic_energy",), "J", "kinetic energy")
    return Channels(tuple(specs), values)
