"""Shapes of modal bodies: what their masses ask for, and how a point goes with their modes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.engine.maths.rotation import from_angles
from solver.project.bending.beams import Section, Way, beam_modes
from solver.project.bending.data import Beam, Cloud, ModalData, Node, summed
from solver.project.geometry import Frame
from solver.project.modal import BESIDE, BeamShapes, GivenShapes, ModalBody, modes_of

Array = NDArray[np.float64]

NEAR_M = 1e-6
"""How near (m) a place is to a node of given shapes that is that node's."""

NEAREST = 4
"""With how many of the nodes near it a place between them goes."""


class Shaped(Protocol):
    """Give the data of a modal body in segment axes, and the motion of its points."""

    def data(self, origin: Array, damping: Sequence[float]) -> ModalData:
        """Make the sums about the origin O of the frame's body."""

    def node(self, place: Array) -> Node | None:
        """Give the motion of a point (segment axes, from the mass centre), or none where there is no node."""


def shapes_of(body: ModalBody) -> Shaped:
    """Give the shapes of a modal body."""
    return _shapes(body.shapes)


@lru_cache(maxsize=32)
def _shapes(shapes: BeamShapes | GivenShapes) -> Shaped:
    return OfBeam(shapes) if isinstance(shapes, BeamShapes) else OfNodes(shapes)


@lru_cache(maxsize=32)
def data_of(body: ModalBody) -> ModalData:
    """Give the sums of a modal body about its segment's mass centre."""
    return shapes_of(body).data(np.zeros(3), body.damping)


class Bent(NamedTuple):
    """Hold how a node stands against its place at rest: turn and displacement, axes of the segment."""

    R: Array
    shift: Array


def bent_at_start(body: ModalBody, place: Sequence[float]) -> Bent | None:
    """How a place of a body stands at the start; none of a body that starts unbent, or that is not as the checks want it."""
    q = np.array(body.start_m)
    if not q.any() or len(q) != modes_of(body) or not np.isfinite(q).all() or not is_whole(body):
        return None
    node = shapes_of(body).node(np.array(place))
    return None if node is None else Bent(turned_by(q @ node.turn), node.moved(q))


def is_whole(body: ModalBody) -> bool:
    """Whether shapes can be found: those of a beam, or as many at each node as there are modes."""
    s = body.shapes
    if isinstance(s, BeamShapes):
        return s.has_modes
    count = modes_of(body)
    pairs = (0, count * (count + 1) // 2)
    return all(
        len(n.shapes_m) == count and len(n.turns_rad) in (0, count) and len(n.pairs_m) in pairs
        for n in s.nodes
    )


def turned_by(t: Array) -> Array:
    """The turn by a rotation vector."""
    angle = float(np.sqrt(t @ t))
    K = np.array([[0.0, -t[2], t[1]], [t[2], 0.0, -t[0]], [-t[1], t[0], 0.0]])
    out: Array = (
        np.eye(3) + np.sinc(angle / np.pi) * K + 0.5 * np.sinc(0.5 * angle / np.pi) ** 2 * K @ K
    )
    return out


class OfBeam:
    """The shapes of a straight beam."""

    def __init__(self, shapes: BeamShapes) -> None:
        s, (R, self._at) = shapes, _frame(shapes.frame)
        # elements go along z, with x and y across
        self._R = R[:, [1, 2, 0]]
        across = s.section.numbers(s.elastic_pa / (2.0 * s.shear_pa) - 1.0)
        section = Section(
            across.area, across.moment_z, across.moment_y, across.torsion, s.elastic_pa, s.shear_pa, s.density_kg_per_m3
        )  # fmt: skip
        counts: dict[Way, int] = {
            "x": s.bending_y, "y": s.bending_z, "twist": s.twist, "stretch": s.stretch
        }  # fmt: skip
        self.modes = beam_modes(section, s.length_m, s.pieces, s.ends, counts, s.static)
        self.beam = Beam(section, s.length_m, s.pieces, self.modes, floats=s.ends == "free")

    def data(self, origin: Array, damping: Sequence[float]) -> ModalData:
        """Make the sums."""
        cloud = self.beam.cloud()
        own = np.einsum("p,pja,pla->jl", cloud.mass, cloud.shape, cloud.shape)
        own = np.diag(np.diag(own))
        stiffness = own * self.modes.frequency**2
        turned = Cloud(
            cloud.place @ self._R.T + self._at - origin, cloud.mass, cloud.shape @ self._R.T,
            cloud.by_two @ self._R.T,
        )  # fmt: skip
        return summed(turned, own, stiffness, damped(own, stiffness, damping))

    def node(self, place: Array) -> Node:
        """Give the motion of a point of a section."""
        one, R = self.beam.node((place - self._at) @ self._R), self._R
        return Node(one.shift @ R.T, one.turn @ R.T, one.by_two @ R.T, one.by_three @ R.T)


class OfNodes:
    """The shapes of nodes with masses."""

    def __init__(self, shapes: GivenShapes) -> None:
        self._shapes = shapes
        self._places = np.array([n.position_m for n in shapes.nodes])

    def data(self, origin: Array, damping: Sequence[float]) -> ModalData:
        """Make the sums."""
        places: list[Array] = []
        masses: list[float] = []
        moved: list[Array] = []
        twice: list[Array] = []
        for n, one in enumerate(self._shapes.nodes):
            offsets = _six_points(one.mass_kg, one.inertia_kgm2)
            for off in offsets:
                node = self._node(n, off)
                places.append(self._places[n] + off - origin)
                masses.append(one.mass_kg / len(offsets))
                moved.append(node.shift)
                twice.append(node.by_two)
        cloud = Cloud(np.array(places), np.array(masses), np.array(moved), np.array(twice))
        own, stiffness = (
            np.array(self._shapes.modal_mass_kg),
            np.array(self._shapes.modal_stiffness_n_per_m),
        )
        return summed(cloud, own, stiffness, damped(own, stiffness, damping))

    def node(self, place: Array) -> Node | None:
        """Give the motion of a place: of the node there, or as a rigid body goes with the nearest ones; none far from all."""
        away = np.sqrt(((self._places - place) ** 2).sum(axis=1))
        n = int(np.argmin(away))
        if away[n] <= NEAR_M:
            return self._node(n, np.zeros(3))
        if away[n] > BESIDE * float(np.sqrt((np.ptp(self._places, axis=0) ** 2).sum())):
            return None
        return self._between(np.argsort(away, kind="stable")[:NEAREST], place)

    def _between(self, near: NDArray[np.intp], place: Array) -> Node:
        """Fit the motion of a rigid body to that of some nodes, the nearer the more it counts; loads go to these as they came."""
        arms = self._places[near] - place
        square = (arms**2).sum(axis=1)
        made = [self._node(int(n), np.zeros(3)) for n in near]
        turns = [bool(self._shapes.nodes[int(n)].turns_rad) for n in near]
        rows = []
        for arm, far, has_turn in zip(arms, square, turns, strict=True):
            x, y, z = arm
            # shift + turn x arm; a node's own turn counts at its arm
            crossed = np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])
            rows.append(np.hstack([np.eye(3), crossed]) / np.sqrt(far))
            rows.append(float(has_turn) * np.hstack([np.zeros((3, 3)), np.eye(3)]))
        fit = np.linalg.pinv(np.vstack(rows), rcond=1e-9).reshape(6, len(near), 2, 3)

        def fitted(shifts: Array, own: Array) -> Array:
            # (nodes, ..., 3)
            both = np.stack([(shifts.T / np.sqrt(square)).T, own], axis=1)
            out: Array = np.einsum("rnkc,nk...c->...r", fit, both)
            return out

        first = fitted(np.array([one.shift for one in made]), np.array([one.turn for one in made]))
        shift, turn = first[:, :3], first[:, 3:]
        twice = np.cross(turn[:, None], np.cross(turn, arms[:, None])[:, None])
        round_them = 0.5 * (twice + np.swapaxes(twice, 1, 2))
        by_two = np.array([one.by_two for one in made]) - round_them
        second = fitted(by_two, np.zeros_like(by_two))[..., :3]
        return Node(shift, turn, second, np.zeros((0, 0, 0, 3)))

    def _node(self, n: int, off: Array) -> Node:
        one = self._shapes.nodes[n]
        shift = np.array(one.shapes_m)
        turn = np.array(one.turns_rad) if one.turns_rad else np.zeros_like(shift)
        twice = np.cross(turn[:, None], np.cross(turn[None], off))
        by_two = 0.5 * (twice + np.swapaxes(twice, 0, 1))
        if one.pairs_m:
            above = np.triu_indices(len(shift))
            by_two[above] += one.pairs_m
            by_two[above[::-1]] = by_two[above]
        return Node(shift + np.cross(turn, off), turn, by_two, np.zeros((0, 0, 0, 3)))


def _six_points(mass: float, inertia: Sequence[float]) -> list[Array]:
    """Give the places of six equal masses that have a node's inertia, or one that has none."""
    x, y, z = inertia
    moments = np.array([y + z - x, x + z - y, x + y - z]) / 2.0
    if mass == 0.0 or not moments.any():
        return [np.zeros(3)]
    reach = np.sqrt(3.0 * np.maximum(moments, 0.0) / mass)
    return [sign * reach[k] * np.eye(3)[k] for k in range(3) for sign in (1.0, -1.0)]


def damped(own: Array, stiffness: Array, ratios: Sequence[float]) -> Array:
    """Give the damping matrix in which each mode has its part of critical damping."""
    from scipy.linalg import eigh

    count = len(own)
    given = np.array([*ratios, *[ratios[-1]] * count][:count])
    if not given.any():
        return np.zeros_like(own)
    squares, vectors = eigh(stiffness, own)
    each = 2.0 * given * np.sqrt(np.maximum(squares, 0.0))
    back = own @ vectors
    out: Array = (back * each) @ back.T
    return out


def _frame(frame: Frame) -> tuple[Array, Array]:
    """Give the turn of a frame from segment axes, and its place."""
    o = frame.orientation
    return from_angles(o.angles_rad, o.order), np.array(frame.position_m)
