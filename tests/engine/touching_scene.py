"""Surfaces that touch, and searches that know where, for tests."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from solver.engine.dynamics.tree import Applied, Array, Motion
from solver.engine.forces.contacts.arrays import ON_PLANE, Clearance, ContactModel, make_clearance
from solver.engine.forces.contacts.edges import NO_EDGES
from solver.engine.forces.contacts.kernels import contact_forces, make_contacts
from solver.engine.forces.laws import BY_RATE, LAW_CURVES, LAW_NUMBERS, LOADING, Laws
from solver.engine.forces.state import Around
from solver.engine.forces.surfaces import Planes, Surfaces, place_surfaces
from solver.engine.maths.curve import constant, joined
from solver.model.surfaces import NO_IMPULSE, rolling_ball


def never_clear() -> Clearance:
    """Give a pair whose bodies may always have moved too far."""
    return make_clearance(np.array([0, 1]), np.full(2, np.inf), np.array([0]), np.array([1]))


class Scene:
    """Hold one or two bodies with a surface each, and a plane on the second."""

    def __init__(self, kind: int, edge: int = NO_EDGES, ratio: float = 0.0) -> None:
        self.motion = Motion(np.zeros((2, 9)), np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 3)))
        self.motion.R[:] = np.eye(3).ravel()
        self.surfaces = Surfaces(
            body=np.array([0, 1]), at=np.zeros((2, 3)), R=np.tile(np.eye(3).ravel(), (2, 1)),
            semi=np.ones((2, 3)), power=np.full((2, 3), 2.0), is_hyper=np.zeros(2, np.int64),
            reach=np.ones(2), ball=np.ones(2), centre=np.zeros((2, 3)),
        )  # fmt: skip
        self.planes = Planes(
            body=np.array([1]), at=np.zeros((1, 3)), normal=np.array([[0.0, 0.0, 1.0]]),
            edges=np.zeros((2, 3)), duals=np.zeros((2, 3)), now=np.zeros((1, 6)),
        )  # fmt: skip
        self.laws = Laws(
            np.array([BY_RATE]), np.full((1, LAW_CURVES), -1), np.zeros((1, LAW_NUMBERS))
        )
        self.laws.number[0, :4] = 0.05, NO_IMPULSE, ratio, 1000.0
        pairs = ContactModel(
            kind=np.array([kind]), a=np.array([0]), b=np.array([0 if kind == ON_PLANE else 1]),
            law=np.array([0]), edge=np.array([edge]), behind=np.array([0]), normal=np.array([0]), mass=np.ones(1),
        )  # fmt: skip
        self.contacts = make_contacts(pairs, never_clear())
        self.contacts.memory.mode[0] = LOADING
        self.curves = joined([constant(0.0)])
        self.torque, self.force, self.g, self.sums = (
            np.zeros((2, 3)), np.zeros((2, 3)), np.zeros(1), np.zeros(5)
        )  # fmt: skip

    def shape(self, n: int, semi: Array, power: Array | None = None) -> None:
        """Set a surface."""
        self.surfaces.semi[n] = semi
        self.surfaces.reach[n] = np.max(semi) if power is None else np.linalg.norm(semi)
        self.surfaces.power[n] = 2.0 if power is None else power
        self.surfaces.ball[n] = rolling_ball(self.surfaces.semi[n], self.surfaces.power[n])
        self.surfaces.is_hyper[n] = power is not None

    def span(self, corner: Array, one: Array, two: Array) -> None:
        """Set the plane."""
        normal = np.cross(one, two)
        area = np.linalg.norm(normal)
        self.planes.at[0], self.planes.normal[0] = corner, normal / area
        self.planes.edges[:] = one, two
        self.planes.duals[:] = (
            np.cross(two, normal / area) / area, np.cross(normal / area, one) / area,
        )  # fmt: skip

    def place(
        self, n: int, p: Array, R: Array, v: Array | None = None, w: Array | None = None
    ) -> None:
        """Set a body's place and motion."""
        self.motion.p[n], self.motion.R[n] = p, R.ravel()
        self.motion.v[n] = 0.0 if v is None else v
        self.motion.w[n] = 0.0 if w is None else w

    def moved(self, h: float) -> None:
        """Move both bodies on for a time at constant speeds."""
        for n in range(2):
            turn = Rotation.from_rotvec(h * self.motion.w[n]).as_matrix()
            self.motion.R[n] = (turn @ self.motion.R[n].reshape(3, 3)).ravel()
            self.motion.p[n] += h * self.motion.v[n]

    def find(self) -> Array:
        """Look at the pair."""
        self.torque[:] = self.force[:] = 0.0
        place_surfaces(self.surfaces, self.planes, self.motion)
        around = Around(
            self.laws, self.curves, self.surfaces, self.planes, np.zeros(3), self.motion
        )
        applied = Applied(self.torque, self.force, np.zeros(0))
        contact_forces(self.contacts, around, applied, self.g, self.sums)
        found = self.contacts.workspace.touch.found.copy()
        assert np.all(np.isfinite(found))
        return found


def turned(rng: np.random.Generator) -> Array:
    out: Array = Rotation.random(rng=rng).as_matrix()
    return out
