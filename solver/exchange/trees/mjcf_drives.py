"""Actuators of MuJoCo on single joints and on tendons: drives that go to a place, and motors with a control."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solver.engine.maths.rotation import matrix
from solver.exchange.trees.bodies import Axis, Motor, Numbers3, Push, ReadNotes, Servo, Tension
from solver.exchange.trees.tendons import muscle_law

Controls = tuple[Any, Any]
"""Controls, and what acts, of a key frame."""
Driven = tuple[Mapping[int, Axis], Mapping[int, Tension], Mapping[int, tuple[Axis, float]]]
"""Joints, tendons that are lines, and tendons that are one joint by a factor, by their numbers."""
NO_TIME = 1e-15
"""Time (s) that a lag has at least, as there."""


@dataclass(frozen=True)
class _Drive:
    """One actuator with one control and one load, as the compiled model says it."""

    number: int
    name: str
    axis: Axis | Tension
    zero: float
    """The joint's coordinate in the drawn pose."""
    control: float
    span: tuple[float, float] | None
    limits: tuple[float, float] | None
    gear: float
    gain: Numbers3
    bias: Numbers3


def drives(
    mujoco: Any, m: Any, driven: Driven, named: Callable[[str, int], str], read_notes: ReadNotes,
    key: Controls | None,
) -> list[Push]:  # fmt: skip
    """Give joints and tendons their drives, tendons their muscles, and those of sites as pushes; an actuator that is none is named."""
    left, motors, pushes = list[str](), list[str](), list[Push]()
    found = list[tuple[_Drive, Any]]()
    for n in range(m.nactuator):
        name = named("ACTUATOR", n)
        if int(m.opt.disableactuator) >> int(m.actuator_group[n]) & 1:
            read_notes.say("The file switches off the actuator '{name}'.", name=name)
            continue
        if _muscle(mujoco, m, driven[1], n, name, read_notes, key):
            continue
        push = _push(mujoco, m, n, name, key)
        if push is not None:
            pushes.append(push)
            continue
        one = _plain(mujoco, m, driven, n, name, key)
        follows = _follows(mujoco, m, n)
        if one is None or follows is None:
            left.append(name)
            continue
        if isinstance(one.axis, Tension) and one.axis.ends and m.actuator_armature[n]:
            read_notes.say(
                "Actuator '{name}': its inertia (armature) is left out on a line.", name=name
            )
        one.axis.armature += float(m.actuator_armature[n]) * one.gear**2
        one.axis.damping += float(m.actuator_damping[n]) * one.gear**2
        found.append((one, follows))
    _limited(mujoco, m, driven, found, named, read_notes)
    for one, follows in found:
        servo = _servo(one) if follows == "at_once" and one.axis.shared is None else None
        if servo is not None:
            one.axis.servos.append(servo)
            continue
        motors.append(one.name)
        one.axis.motors.append(_motor(m, one, follows, key))
    if motors:
        read_notes.say("Motors give what their control says, here a number that may be a function of time (block 'control' of the force on the coordinate): {names}.", names=", ".join(motors))  # fmt: skip
    if left:
        read_notes.say("Actuators are left out: {names}.", names=", ".join(left))
    coordinates: list[Axis | Tension] = [*driven[0].values(), *driven[1].values()]
    for of in coordinates:
        if of.shared is not None and of.motors:
            read_notes.name("Drives that share a limit are one law with a block 'control_NAME' for each ({count}): {names}.", of.name)  # fmt: skip
    for push in pushes:
        read_notes.name("Motors of sites ({count}) are loads on their bodies; the histories of these are what the control gives at the start, until you make them functions of time: {names}.", push.name)  # fmt: skip
    return pushes


def _push(mujoco: Any, m: Any, n: int, name: str, key: Controls | None) -> Push | None:
    """Give a motor that pushes on its site along the axes of that; none is another actuator."""
    site, beside = map(int, m.actuator_trnid[n])
    plain = (int(m.actuator_trntype[n]), int(m.actuator_gaintype[n]), int(m.actuator_biastype[n]), int(m.actuator_dyntype[n]))  # fmt: skip
    wanted = (mujoco.mjtTrn.mjTRN_SITE, mujoco.mjtGain.mjGAIN_FIXED, mujoco.mjtBias.mjBIAS_NONE, mujoco.mjtDyn.mjDYN_NONE)  # fmt: skip
    if plain != tuple(map(int, wanted)) or beside >= 0 or not m.site_bodyid[site]:
        return None
    if int(m.actuator_ctrlnum[n]) != 1 or int(m.actuator_outnum[n]) != 1 or float(m.actuator_delay[n]) > 0.0:  # fmt: skip
        return None
    at, out = int(m.actuator_ctrladr[n]), int(m.actuator_outadr[n])
    given = float(key[0][at]) if key is not None else 0.0
    if m.actuator_ctrllimited[at]:
        given = min(max(given, float(m.actuator_ctrlrange[at][0])), float(m.actuator_ctrlrange[at][1]))  # fmt: skip
    given *= float(m.actuator_gainprm[n][0])
    if m.actuator_forcelimited[out]:
        given = min(max(given, float(m.actuator_forcerange[out][0])), float(m.actuator_forcerange[out][1]))  # fmt: skip
    end = int(m.site_bodyid[site]) - 1, np.array(m.site_pos[site]), matrix(m.site_quat[site])
    gear = np.array(m.actuator_gear[n])
    return Push(name, end, gear[:3], gear[3:], given)


def _limited(
    mujoco: Any, m: Any, driven: Driven, found: list[tuple[_Drive, Any]], named: Callable[[str, int], str], read_notes: ReadNotes
) -> None:  # fmt: skip
    """Give the limit of what all drives of a joint, or of a tendon, give together to the one that there is, or to all as one."""
    axes, lines, _ = driven
    on_tendon = int(mujoco.mjtTrn.mjTRN_TENDON)
    of = {n: int(m.actuator_trnid[n][0]) for n in range(m.nactuator) if int(m.actuator_trntype[n]) == on_tendon}  # fmt: skip

    def narrow(k: int, low: float, high: float) -> None:
        one, follows = found[k]
        known = one.limits or (low, high)
        found[k] = replace(one, limits=(max(low, known[0]), min(high, known[1]))), follows

    for n in map(int, np.flatnonzero(m.tendon_actfrclimited)):
        own = [k for k, (one, _) in enumerate(found) if of.get(one.number) == n]
        low, high = map(float, m.tendon_actfrcrange[n])
        gears = {found[k][0].gear for k in own}
        if len(own) == 1:
            narrow(own[0], low, high)
        elif own and n in lines and len(gears) == 1:
            # there forces count before the gear
            gear = gears.pop()
            ends = sorted((gear * low, gear * high))
            lines[n].shared = ends[0], ends[1]
        elif own:
            read_notes.say("Tendon '{name}': the limit of what its actuators give together is left out.", name=named("TENDON", n))  # fmt: skip
    pulling = [one.axis for one, _ in found if isinstance(one.axis, Tension)]
    for n, axis in axes.items():
        own = [k for k, (one, _) in enumerate(found) if one.axis is axis]
        pulled = any(one.ends or any(axis is part for part, _, _ in one.total) for one in pulling)
        if not m.jnt_actfrclimited[n] or not (own or pulled):
            continue
        low, high = map(float, m.jnt_actfrcrange[n])
        if pulled:
            read_notes.say("Joint '{name}': the limit of what its drives give together is left out.", name=axis.name)  # fmt: skip
        elif len(own) == 1 and found[own[0]][0].gear:
            gear = found[own[0]][0].gear
            ends = sorted((low / gear, high / gear))
            narrow(own[0], ends[0], ends[1])
        else:
            axis.shared = low, high


def _muscle(
    mujoco: Any, m: Any, lines: Mapping[int, Tension], n: int, name: str, read_notes: ReadNotes, key: Controls | None
) -> bool:  # fmt: skip
    """Give a line its muscle, and say whether it is one."""
    line = lines.get(int(m.actuator_trnid[n][0])) if int(m.actuator_trntype[n]) == int(mujoco.mjtTrn.mjTRN_TENDON) else None  # fmt: skip
    kinds = (mujoco.mjtDyn.mjDYN_MUSCLE, mujoco.mjtGain.mjGAIN_MUSCLE, mujoco.mjtBias.mjBIAS_MUSCLE)
    own = (m.actuator_dyntype[n], m.actuator_gaintype[n], m.actuator_biastype[n])
    if line is None or tuple(map(int, own)) != tuple(map(int, kinds)):
        return False
    at = int(m.actuator_actadr[n])
    law = muscle_law(m, n, name, float(key[1][at]) if key is not None else 0.0, read_notes)
    if law is not None:
        line.laws.append(law)
    return law is not None


def _driven(
    mujoco: Any, m: Any, driven: Driven, n: int
) -> tuple[Axis | Tension, float, float] | None:
    """What an actuator acts on, its coordinate in the drawn pose, and by what factor."""
    kinds, number, kind = mujoco.mjtTrn, int(m.actuator_trnid[n][0]), int(m.actuator_trntype[n])
    axes, lines, single = driven
    if kind in (int(kinds.mjTRN_JOINT), int(kinds.mjTRN_JOINTINPARENT)):
        axis = axes.get(number)
        if axis is None or axis.motion == "ball":
            return None
        return axis, float(m.qpos0[m.jnt_qposadr[number]]), 1.0
    if kind != int(kinds.mjTRN_TENDON):
        return None
    if number in lines:
        return lines[number], 0.0, 1.0
    if number in single:
        axis, factor = single[number]
        joint = next(k for k, one in axes.items() if one is axis)
        return axis, float(m.qpos0[m.jnt_qposadr[joint]]), factor
    return None


def _plain(
    mujoco: Any, m: Any, driven: Driven, n: int, name: str, key: Controls | None
) -> _Drive | None:
    """Give an actuator of one joint, or of a tendon, by constant or affine gains; none is another one."""
    gains, biases, found = mujoco.mjtGain, mujoco.mjtBias, _driven(mujoco, m, driven, n)
    gain, bias = int(m.actuator_gaintype[n]), int(m.actuator_biastype[n])
    if found is None or int(m.actuator_ctrlnum[n]) != 1 or int(m.actuator_outnum[n]) != 1:  # fmt: skip
        return None
    if gain not in (int(gains.mjGAIN_FIXED), int(gains.mjGAIN_AFFINE)) or any(m.actuator_dampingpoly[n]):  # fmt: skip
        return None
    if bias not in (int(biases.mjBIAS_NONE), int(biases.mjBIAS_AFFINE)):
        return None
    at, out = int(m.actuator_ctrladr[n]), int(m.actuator_outadr[n])
    span = _pair(m.actuator_ctrlrange[at]) if m.actuator_ctrllimited[at] else None
    control = float(key[0][at]) if key is not None else 0.0
    if span is not None:
        control = min(max(control, span[0]), span[1])
    gains_of, bias_of = (tuple(map(float, one[n][:3])) for one in (m.actuator_gainprm, m.actuator_biasprm))  # fmt: skip
    return _Drive(
        n, name, found[0], found[1], control, span,
        _pair(m.actuator_forcerange[out]) if m.actuator_forcelimited[out] else None, found[2] * float(m.actuator_gear[n][0]),
        gains_of if gain else (gains_of[0], 0.0, 0.0),  # type: ignore[arg-type]
        bias_of if bias else (0.0, 0.0, 0.0),  # type: ignore[arg-type]
    )  # fmt: skip


def _pair(values: Any) -> tuple[float, float]:
    low, high = map(float, values)
    return low, high


def _follows(mujoco: Any, m: Any, n: int) -> Any:
    """Say how what acts follows the control; none where it does so in another way."""
    kinds = mujoco.mjtDyn
    early = bool(m.actuator_actearly[n])
    known = {int(kinds.mjDYN_NONE): "at_once"}
    if not early:
        known |= {int(kinds.mjDYN_INTEGRATOR): "integrator", int(kinds.mjDYN_FILTER): "lag", int(kinds.mjDYN_FILTEREXACT): "lag"}  # fmt: skip
    if float(m.actuator_delay[n]) > 0.0:
        return None
    return known.get(int(m.actuator_dyntype[n]))


def _servo(one: _Drive) -> Servo | None:
    """Give a drive to a place, whose gains no control changes; none is a motor."""
    (b0, b1, b2), held = one.bias, one.gain[0] * one.control
    gain, rate, push = -b1 * one.gear**2, -b2 * one.gear**2, one.gear * (held + b0)
    low, high = one.limits or (0.0, 0.0)
    if any(one.gain[1:]) or gain <= 0.0 or rate < 0.0 or low != -high:
        return None
    limit = abs(one.gear) * high if one.limits else None
    return Servo(one.name, push / gain - one.zero, gain, rate, limit)


def _motor(m: Any, one: _Drive, follows: Any, key: Controls | None) -> Motor:
    n = one.number
    at = int(m.actuator_actadr[n])
    begin = float(key[1][at]) if key is not None and at >= 0 else 0.0
    stays = _pair(m.actuator_actrange[n]) if m.actuator_actlimited[n] else None
    time = max(float(m.actuator_dynprm[n][0]), NO_TIME)
    return Motor(
        one.name, one.gear, one.control, one.span, follows, time, begin, stays, one.gain, one.bias, one.limits,
        one.gear * one.zero,
    )  # fmt: skip
