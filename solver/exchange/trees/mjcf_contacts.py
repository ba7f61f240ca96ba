"""Contacts of MuJoCo's models: shapes on planes of the ground, and on each other where that is asked for."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np

from solver.exchange.trees.bodies import ReadNotes, Shape, Touch

MOST_TOUCHES = 400
"""Pairs of a shape and a plane of the ground, and pairs of two shapes, that touch in a project made of a model."""


class Contacts:
    """Say which shapes touch, by masks, exclusions, pairs and the filter for parents as MuJoCo documents them (Computation, Collision detection)."""

    def __init__(self, m: Any, shapes: Mapping[int, Shape], has_parents: bool, read_notes: ReadNotes) -> None:  # fmt: skip
        """Of a compiled model: shapes by numbers of geoms; whether parents are kept apart from children."""
        self.m, self.shapes, self.has_parents, self.read_notes = m, shapes, has_parents, read_notes
        self.apart = {(int(one) >> 16, int(one) & 0xFFFF) for one in m.exclude_signature}

    def touches(self, world: int, of_all: bool) -> list[Touch]:
        """Find them; `world` is the number of the body that has the world's solid shapes."""
        found, between = self._on_the_ground(), self._pairs(world) if of_all else []
        if len(found) > MOST_TOUCHES:
            self.read_notes.say("More than {most} pairs of a shape and the ground may touch in the file; here none does before it is allowed.", most=MOST_TOUCHES)  # fmt: skip
            found = []
        elif found:
            self.read_notes.say("Shapes press on planes of the ground by a spring and a dashpot that bring back the mass of their tree within the file's time.")  # fmt: skip
        if len(between) > MOST_TOUCHES:
            self.read_notes.say("More than {most} pairs of shapes may touch each other in the file; here none does before it is allowed.", most=MOST_TOUCHES)  # fmt: skip
            between = []
        elif between:
            self.read_notes.say("{count} pairs of shapes press on each other by a spring and a dashpot that bring back what both carry in the drawn pose within the file's time.", count=len(between))  # fmt: skip
        elif of_all:
            self.read_notes.say("No shapes of bodies touch each other in the file.")
        if found or between:
            self.read_notes.say("Shapes press by springs and dashpots; how forces grow with depth in the file (solimp, margin, gap) and friction of turning and rolling are left out.")  # fmt: skip
        return found + between

    def _on_the_ground(self) -> list[Touch]:
        m, found = self.m, list[Touch]()
        grounds = [n for n, one in self.shapes.items() if one.kind == "plane" and not m.geom_bodyid[n]]  # fmt: skip
        for n, shape in self.shapes.items():
            body = int(m.geom_bodyid[n])
            if shape.kind == "plane" or self._excluded(0, body) or not m.body_weldid[body]:
                continue
            mass = float(m.body_subtreemass[m.body_rootid[body]])
            found += [
                Touch(body - 1, shape, -1, self.shapes[k], self._law(mass, *self._both(n, k)), "on_the_ground")
                for k in grounds if self._masked(n, k)
            ]  # fmt: skip
        return found

    def _pairs(self, world: int) -> list[Touch]:
        """Shapes on shapes: those of the file's pairs, and those that its masks let touch."""
        m, found = self.m, list[Touch]()
        own = {tuple(sorted((int(m.pair_geom1[k]), int(m.pair_geom2[k])))): k for k in range(m.npair)}  # fmt: skip
        for n, k in sorted({*own, *islice(self._free_pairs(), MOST_TOUCHES + 1)}):
            if n not in self.shapes or k not in self.shapes or "plane" in (self.shapes[n].kind, self.shapes[k].kind):  # fmt: skip
                continue
            bodies = int(m.geom_bodyid[n]), int(m.geom_bodyid[k])
            if not any(m.body_weldid[b] for b in bodies):
                continue
            at = own.get((n, k))
            time, friction = self._both(n, k)
            if at is not None:
                time = time_of(m.pair_solref[at])
                friction = float(m.pair_friction[at][0]) if m.pair_dim[at] > 1 else 0.0
            first, second = (b - 1 if b else world for b in bodies)
            law = self._law(self._carried(bodies), time, friction)
            found.append(Touch(first, self.shapes[n], second, self.shapes[k], law, "on_each_other"))
        return found

    def _carried(self, bodies: tuple[int, int]) -> float:
        """What two bodies carry where they touch, in the drawn pose: no more than their trees weigh."""
        m = self.m
        eases = sum(float(m.body_invweight0[b][0]) for b in bodies)
        whole = max(float(m.body_subtreemass[m.body_rootid[b]]) for b in bodies if m.body_weldid[b])
        return min(1.0 / eases, whole) if eases > 0.0 else whole

    def _free_pairs(self) -> Iterator[tuple[int, int]]:
        """Pairs of geoms that no list names."""
        m = self.m
        ids = np.array(list(self.shapes), int)
        types, affine, bodies = m.geom_contype[ids], m.geom_conaffinity[ids], m.geom_bodyid[ids]
        for i, n in enumerate(ids):
            masked = (types[i] & affine[i + 1 :]) | (affine[i] & types[i + 1 :])
            for k in np.flatnonzero(masked) + i + 1:
                a, b = int(bodies[i]), int(bodies[k])
                if not self._excluded(a, b) and not self._one_part(a, b):
                    yield int(n), int(ids[k])

    def _one_part(self, a: int, b: int) -> bool:
        """Whether bodies are one, or welded to one, or parent and child; children of the world are no such."""
        m = self.m
        first, second = int(m.body_weldid[a]), int(m.body_weldid[b])
        if first == second:
            return True
        above = [int(m.body_weldid[m.body_parentid[one]]) for one in (first, second)]
        return self.has_parents and bool(first and second) and (first == above[1] or second == above[0])  # fmt: skip

    def _excluded(self, a: int, b: int) -> bool:
        return (a, b) in self.apart or (b, a) in self.apart

    def _masked(self, n: int, k: int) -> bool:
        m = self.m
        return bool(m.geom_contype[n] & m.geom_conaffinity[k] or m.geom_contype[k] & m.geom_conaffinity[n])  # fmt: skip

    def _both(self, n: int, k: int) -> tuple[float, float]:
        """Time and friction of two geoms: those of the one that goes first, or the mean time and the larger friction."""
        m = self.m
        first = n if m.geom_priority[n] > m.geom_priority[k] else k
        both = [n, k] if m.geom_priority[n] == m.geom_priority[k] else [first]
        time = float(np.mean([time_of(m.geom_solref[one]) for one in both]))
        slides = max(int(m.geom_condim[one]) for one in both) > 1
        return time, float(max(m.geom_friction[one][0] for one in both)) if slides else 0.0

    def _law(self, mass: float, time: float, friction: float) -> dict[str, Any]:
        stiff = mass / time**2
        return {"kind": "kelvin_voigt", "stiffness_n_per_m": stiff, "damping_ns_per_m": 2.0 * stiff * time, "friction": friction}  # fmt: skip


LEAST_TIME = 1e-4


def time_of(solref: Any) -> float:
    """The time (s) within which a limit or contact brings back; below zero a number is a stiffness by the inertia."""
    time, ratio = map(float, solref)
    return max(time * ratio if time > 0.0 else 1.0 / math.sqrt(max(-time, 1e-9)), LEAST_TIME)
