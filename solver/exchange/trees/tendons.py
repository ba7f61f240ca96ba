"""Tendons of MuJoCo: lines through sites and round geoms, or one joint by a factor."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import matrix
from solver.exchange.trees.bodies import MOST_POINTS, Axis, End, Line, Over, ReadNotes, Tension
from solver.exchange.trees.mjcf_contacts import time_of

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
                parts = [(self.axes[k], k, c) for _, k, c in wraps if c and k in self.axes]
                if len(parts) == 1 and self._fits(n, *parts[0]):
                    single[n] = self._single(n, name, *parts[0])
                elif n not in held and self._acts(n):
                    lines[n] = self._total(n, name, parts)
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
            time = time_of(m.tendon_solref_lim[n])
            made.range = float(m.tendon_range[n][0]), float(m.tendon_range[n][1])
            made.range_stiffness = 1.0 / (eases * time**2)
            made.range_damping = 2.0 * made.range_stiffness * time
            self.read_notes.say("Limits of tendons are stops that bring back what they carry in the drawn pose within the time of the file, damped while they are pressed.")  # fmt: skip
        self._rest(n, name, stiff, bool(ends))
        return made

    def _rest(self, n: int, name: str, stiff: float, is_line: bool) -> None:
        """Name what else a tendon does."""
        m = self.m
        if any(m.tendon_stiffnesspoly[n]) or any(m.tendon_dampingpoly[n]):
            self.read_notes.say("Tendon '{name}': only the linear part of stiffness and damping is taken.", name=name)  # fmt: skip
        if m.tendon_springyield[n] and stiff:
            self.read_notes.say("Tendon '{name}': its spring yields in the file; here it does not.", name=name)  # fmt: skip
        if m.tendon_armature[n] and is_line:
            self.read_notes.say("Tendon '{name}': its inertia (armature) is left out.", name=name)

    def _acts(self, n: int) -> bool:
        """Whether anything acts on a tendon."""
        m = self.m
        moved = (m.actuator_trntype == int(self.mujoco.mjtTrn.mjTRN_TENDON)) & (m.actuator_trnid[:, 0] == n)  # fmt: skip
        own = (
            m.tendon_stiffness[n],
            m.tendon_damping[n],
            m.tendon_frictionloss[n],
            m.tendon_armature[n],
        )
        return bool(any(own) or m.tendon_limited[n] or moved.any())

    def _total(self, n: int, name: str, parts: list[tuple[Axis, int, float]]) -> Tension:
        """Let what acts on a tendon of several joints act on their sum."""
        made = self._line(n, name, [], Line())
        made.total = [(axis, c, c * float(self.m.qpos0[self.m.jnt_qposadr[k]])) for axis, k, c in parts]  # fmt: skip
        made.armature = float(self.m.tendon_armature[n])
        self.read_notes.name("Tendons that are sums of axes ({count}): links without mass that slide on each other follow each, and what pulls on it acts on the last one: {names}.", name)  # fmt: skip
        return made

    def _rests(self, n: int, k: int, c: float) -> tuple[float, float]:
        """Between which values of a joint's coordinate a tendon of it alone is slack."""
        zero = float(self.m.qpos0[self.m.jnt_qposadr[k]])
        low, high = (float(v) / c - zero for v in self.m.tendon_lengthspring[n])
        return low, high

    def _fits(self, n: int, axis: Axis, k: int, c: float) -> bool:
        """Whether a joint can have the spring of a tendon of it alone beside its own."""
        low, high = self._rests(n, k, c)
        stiff = self.has("spring") and self.m.tendon_stiffness[n]
        return not stiff or (low == high and (not axis.stiffness or axis.rest == low))

    def _single(self, n: int, name: str, axis: Axis, k: int, c: float) -> tuple[Axis, float]:
        """Let what acts on a tendon of one joint act on that joint."""
        m = self.m
        stiff = float(m.tendon_stiffness[n]) if self.has("spring") else 0.0
        rubs = float(m.tendon_damping[n]) if self.has("damper") else 0.0
        dry = float(m.tendon_frictionloss[n]) if self.has("frictionloss") else 0.0
        if stiff:
            axis.stiffness, axis.rest = axis.stiffness + stiff * c * c, self._rests(n, k, c)[0]
        axis.damping += rubs * c * c
        axis.friction += dry * abs(c)
        axis.armature += float(m.tendon_armature[n]) * c * c
        if m.tendon_limited[n] and self.has("limit"):
            zero = float(m.qpos0[m.jnt_qposadr[k]])
            near, far = sorted(float(v) / c - zero for v in m.tendon_range[n])
            known = axis.ends or (near, far)
            axis.ends = max(near, known[0]), min(far, known[1])
            axis.end_time = min(axis.end_time, time_of(m.tendon_solref_lim[n]))
        return axis, c


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
