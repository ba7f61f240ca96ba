"""Tendons of MuJoCo: lines through sites and round geoms, or one joint by a factor."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import matrix
from solver.exchange.trees.bodies import Axis, End, Line, Over, ReadNotes, Tension

MOST_POINTS = 22
"""Points of a line that are taken."""
LEAST_TIME = 1e-4

Numbered = tuple[dict[int, Tension], dict[int, tuple[Axis, float]]]
"""Tendons that are lines, and those that are one joint by a factor, by their numbers."""


class Tendons:
    """Read the tendons of a model that MuJoCo has compiled."""

    def __init__(
        self, mujoco: Any, m: Any, axes: Mapping[int, Axis], named: Callable[[str, int], str], has: Callable[[str], bool],
        read_notes: ReadNotes,
    ) -> None:  # fmt: skip
        self.mujoco, self.m, self.axes, self.named, self.has = mujoco, m, axes, named, has
        self.read_notes = read_notes

    def read(self, held: set[int]) -> Numbered:
        """Read them all; what is left out of one is named. Some are held by constraints."""
        m, lines, single = self.m, dict[int, Tension](), dict[int, tuple[Axis, float]]()
        joint = int(self.mujoco.mjtWrap.mjWRAP_JOINT)
        for n in range(m.ntendon):
            name = self.named("TENDON", n)
            wraps = self._wraps(n)
            if all(kind == joint for kind, _, _ in wraps):
                made = self._single(n, name, wraps, n in held)
                if made is not None:
                    single[n] = made
                continue
            laid, why = self._laid(wraps)
            if laid is None:
                self.read_notes.say("Tendon '{name}' is left out: {why}.", name=name, why=why)
                continue
            lines[n] = self._line(n, name, *laid)
        return lines, single

    def _wraps(self, n: int) -> list[tuple[int, int, float]]:
        """What a tendon goes through: kind, number, factor or side."""
        m, first = self.m, int(self.m.tendon_adr[n])
        parts = range(first, first + int(m.tendon_num[n]))
        return [(int(m.wrap_type[k]), int(m.wrap_objid[k]), float(m.wrap_prm[k])) for k in parts]

    def _laid(self, wraps: list[tuple[int, int, float]]) -> tuple[tuple[list[End], Line] | None, Sentence]:  # fmt: skip
        """Give points and obstacles, or why there are none."""
        m, kinds = self.m, self.mujoco.mjtWrap
        ends, beside = list[End](), Line()
        for kind, number, more in wraps:
            if kind == int(kinds.mjWRAP_SITE):
                ends.append((int(m.site_bodyid[number]) - 1, np.array(m.site_pos[number]), matrix(m.site_quat[number])))  # fmt: skip
                continue
            if kind not in (int(kinds.mjWRAP_SPHERE), int(kinds.mjWRAP_CYLINDER)):
                return None, Sentence(
                    "it branches at a pulley; make each branch a tendon of its own"
                )
            over = self._over(number, round(more), "sphere" if kind == int(kinds.mjWRAP_SPHERE) else "cylinder")  # fmt: skip
            if over is None:
                return None, Sentence(
                    "a side site is on another body than its geom; put it on the same"
                )
            over.first, over.last = len(ends) - 1, len(ends)
            beside.over.append(over)
        if not 2 <= len(ends) <= MOST_POINTS:
            return None, Sentence(
                "it has {count} sites; 2 to {most} are taken", count=len(ends), most=MOST_POINTS
            )
        return (ends, beside), Sentence("")

    def _over(self, geom: int, side: int, kind: Any) -> Over | None:
        m = self.m
        R, place, radius = matrix(m.geom_quat[geom]), np.array(m.geom_pos[geom]), float(m.geom_size[geom][0])  # fmt: skip
        end = (int(m.geom_bodyid[geom]) - 1, place, R)
        made = Over(self.named("GEOM", geom), kind, end, (radius,) * 3)
        if side < 0:
            return made
        if int(m.site_bodyid[side]) != int(m.geom_bodyid[geom]):
            return None
        local = R.T @ (np.array(m.site_pos[side]) - place)
        made.within = bool(np.linalg.norm(local) < radius)
        made.side = None if made.within else [float(v) for v in local]
        return made

    def _line(self, n: int, name: str, ends: list[End], beside: Line) -> Tension:
        m = self.m
        stiff = float(m.tendon_stiffness[n]) if self.has("spring") else 0.0
        rubs = float(m.tendon_damping[n]) if self.has("damper") else 0.0
        low, high = map(float, m.tendon_lengthspring[n])
        made = Tension(name, ends, stiff, rubs, (low, high), line=beside)
        if self.has("frictionloss"):
            made.friction = float(m.tendon_frictionloss[n])
        eases = float(m.tendon_invweight0[n])
        if m.tendon_limited[n] and self.has("limit") and eases > 0.0:
            time = _time(m.tendon_solref_lim[n])
            made.range = float(m.tendon_range[n][0]), float(m.tendon_range[n][1])
            made.range_stiffness = 1.0 / (eases * time**2)
            made.range_damping = 2.0 * made.range_stiffness * time
            self.read_notes.say("Limits of tendons are stops that bring back what they carry in the drawn pose within the time of the file, damped while they are pressed.")  # fmt: skip
        self._rest(n, name, stiff)
        return made

    def _rest(self, n: int, name: str, stiff: float) -> None:
        """Name what else a tendon does."""
        m = self.m
        if any(m.tendon_stiffnesspoly[n]) or any(m.tendon_dampingpoly[n]):
            self.read_notes.say("Tendon '{name}': only the linear part of stiffness and damping is taken.", name=name)  # fmt: skip
        if m.tendon_springyield[n] and stiff:
            self.read_notes.say("Tendon '{name}': its spring yields in the file; here it does not.", name=name)  # fmt: skip
        if m.tendon_armature[n]:
            self.read_notes.say("Tendon '{name}': its inertia (armature) is left out.", name=name)
        if m.tendon_actfrclimited[n]:
            self.read_notes.say("Tendon '{name}': the limit of what its actuators give together is left out.", name=name)  # fmt: skip

    def _single(
        self, n: int, name: str, wraps: list[tuple[int, int, float]], is_held: bool
    ) -> tuple[Axis, float] | None:
        """Let what acts on a tendon of one joint act on that joint; a sum of several carries nothing here."""
        m, parts = self.m, [(self.axes[k], k, c) for _, k, c in wraps if c and k in self.axes]
        stiff = float(m.tendon_stiffness[n]) if self.has("spring") else 0.0
        rubs = float(m.tendon_damping[n]) if self.has("damper") else 0.0
        dry = float(m.tendon_frictionloss[n]) if self.has("frictionloss") else 0.0
        limited = bool(m.tendon_limited[n]) and self.has("limit")
        if len(parts) != 1 or parts[0][0].motion == "ball":
            if stiff or rubs or dry or limited or (m.tendon_armature[n] and not is_held):
                self.read_notes.say("Tendon '{name}': springs, dampers, friction and limits of a sum of joints are left out; give each joint its own.", name=name)  # fmt: skip
            return None
        axis, k, c = parts[0]
        zero = float(m.qpos0[m.jnt_qposadr[k]])
        low, high = map(float, m.tendon_lengthspring[n])
        rest = low / c - zero
        if stiff and (low != high or (axis.stiffness and axis.rest != rest)):
            self.read_notes.say("Tendon '{name}': its spring is left out; its joint has one with another rest, or it is slack over a range.", name=name)  # fmt: skip
        elif stiff:
            axis.stiffness, axis.rest = axis.stiffness + stiff * c * c, rest
        axis.damping += rubs * c * c
        axis.friction += dry * abs(c)
        axis.armature += float(m.tendon_armature[n]) * c * c
        if limited:
            near, far = sorted(float(v) / c - zero for v in m.tendon_range[n])
            known = axis.ends or (near, far)
            axis.ends = max(near, known[0]), min(far, known[1])
            axis.end_time = min(axis.end_time, _time(m.tendon_solref_lim[n]))
        return axis, c


def _time(solref: Any) -> float:
    """The time (s) within which a limit brings back; below zero a number is a stiffness by the inertia."""
    time, ratio = map(float, solref)
    return max(time * ratio if time > 0.0 else 1.0 / math.sqrt(max(-time, 1e-9)), LEAST_TIME)


# Muscles.


def muscle_law(m: Any, n: int, name: str, act: float, read_notes: ReadNotes) -> dict[str, Any] | None:  # fmt: skip
    """Give the law of a muscle on a tendon: its strength, best length, speed and times; None where it has none."""
    near, far, force, scale, _, most, fastest, passive, _ = map(float, m.actuator_gainprm[n][:9])
    gear, (low, high) = float(m.actuator_gear[n][0]), map(float, m.actuator_lengthrange[n])
    if force < 0.0:
        force = scale / max(float(m.actuator_acc0[n]), 1e-15)
    best = (high - low) / max(far - near, 1e-15)
    rise, fall, smooth = map(float, m.actuator_dynprm[n][:3])
    if not (gear > 0.0 and best > 0.0 and force > 0.0 and fastest > 0.0 and min(rise, fall) > 0.0):
        return None
    # where its passive curve, half a parabola and a line, comes to its strength
    half = 0.5 * (most - 1.0)
    ways = math.sqrt(2.0 / passive) if passive >= 2.0 else 0.5 + 1.0 / max(passive, 1e-6)
    read_notes.say("Muscles are laws by activation, length and speed with Thelen's shapes, and MuJoCo's strength, best length, greatest speed, times, and stretch at which they pull by their strength at rest; between these their curves differ.")  # fmt: skip
    if smooth:
        read_notes.say("Muscle '{name}': the smoothing of its activation is left out.", name=name)
    out = int(m.actuator_outadr[n])
    if m.actuator_forcelimited[out] and abs(float(m.actuator_forcerange[out][0])) < force:
        read_notes.say("Muscle '{name}': the range of its force is left out.", name=name)
    return {
        "name": name, "zero": (low + (1.0 - near) * best) / gear, "kind": "hill", "strength": force * gear, "fibre": best / gear,
        "speed_per_s": fastest, "passive_strain": max(half * ways, 1e-6), "activation": min(max(act, 0.0), 1.0),
        "rise_s": rise, "fall_s": fall,
    }  # fmt: skip
