"""Modal bodies of a project as arrays: their modes as bodies of the tree, and what the kernels ask of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solver.engine.dynamics.modes import FRAME, MODE, NODE, Modals, no_modals
from solver.engine.dynamics.tree import SLIDE, Tree
from solver.engine.maths.rotation import from_angles
from solver.model.modal.beams import Section, Way, beam_modes
from solver.model.modal.data import Beam, Cloud, ModalData, Node, summed
from solver.project.geometry import Frame
from solver.project.joints import Joint
from solver.project.modal import BeamShapes, GivenShapes, ModalBody

Array = NDArray[np.float64]

NEAR_M = 1e-6
"""How far (m) the point of a joint may be from a node of given shapes."""


class Shaped(Protocol):
    """Give the data of a modal body in segment axes, and the motion of its points."""

    def data(self, origin: Array, damping: Sequence[float]) -> ModalData:
        """Make the sums about the origin O of the frame's body."""

    def node(self, place: Array) -> Node | None:
        """Give the motion of a point (segment axes, from the mass centre), or none where there is no node."""


def shapes_of(body: ModalBody) -> Shaped:
    """Give the shapes of a modal body."""
    return OfBeam(body.shapes) if isinstance(body.shapes, BeamShapes) else OfNodes(body.shapes)


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
        """Give the motion of the node at a place."""
        away = np.sqrt(((self._places - place) ** 2).sum(axis=1))
        n = int(np.argmin(away))
        return self._node(n, np.zeros(3)) if away[n] <= NEAR_M else None

    def _node(self, n: int, off: Array) -> Node:
        one = self._shapes.nodes[n]
        shift = np.array(one.shapes_m)
        turn = np.array(one.turns_rad) if one.turns_rad else np.zeros_like(shift)
        twice = np.cross(turn[:, None], np.cross(turn[None], off))
        by_two = 0.5 * (twice + np.swapaxes(twice, 0, 1))
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


class Building(Protocol):
    """Take on bodies of a tree."""

    inertia: list[Array]

    def add(
        self, parent: int, kind: int, q: Array | float, R0: Array, axis: Array, at: Array
    ) -> int:  # fmt: skip
        """Add a body without mass."""

    def attach(self, body: int, mass: float, at: Array) -> None:
        """Add a point mass to a body."""


class ModalBodies:
    """Collect the modal bodies of a project while its tree is built."""

    def __init__(self, bodies: Sequence[ModalBody]) -> None:
        self._of = {one.segment: one for one in bodies}
        self._made: list[tuple[ModalBody, Shaped, ModalData, int, list[int]]] = []

    def add(self, build: Building, segment: str, body: int, origin: Array) -> None:
        """Give a segment's body the mass at rest of its modal body, if it has one, and a body for each mode."""
        one = self._of.get(segment)
        if one is None:
            return
        shaped = shapes_of(one)
        data = shaped.data(origin, one.damping)
        build.attach(body, data.mass, data.centre)
        build.inertia[body] = build.inertia[body] + data.inertia
        modes = [
            build.add(body, SLIDE, start, np.eye(3), np.zeros(3), np.zeros(3))
            for start in one.start_m or [0.0] * data.modes
        ]
        self._made.append((one, shaped, data, body, modes))

    def rest(self) -> Array:
        """Give of each its mass, first moment and inertia at rest about the origin O."""
        out = np.zeros((len(self._made), 10))
        for row, (_, _, data, _, _) in zip(out, self._made, strict=True):
            x, y, z = c = data.centre
            point = np.array([y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z])
            row[0], row[1:4], row[4:] = data.mass, data.mass * c, data.inertia + data.mass * point
        return out

    def modals(self, tree: Tree, joints: Mapping[str, Joint], body_of: Mapping[str, int]) -> Modals:
        """Give the arrays for a tree."""
        modals = no_modals(len(tree.parent))
        if not self._made:
            return modals
        role, row = modals.role, modals.row
        bodies = [body for *_, modes in self._made for body in modes]
        counts = np.array([data.modes for _, _, data, _, _ in self._made])
        nodes: list[tuple[int, Node]] = []
        for b, (one, shaped, _, body, modes) in enumerate(self._made):
            role[body], row[body] = FRAME, b
            for mode in modes:
                role[mode], row[mode] = MODE, bodies.index(mode)
            for name in one.nodes:
                node = shaped.node(np.array(joints[name].parent_frame.position_m))
                assert node is not None
                held = body_of[joints[name].child]
                role[held], row[held] = NODE, len(nodes)
                nodes.append((b, node))
        of = np.array([b for b, _ in nodes], np.int64)
        bent = np.array([len(node.by_three) for _, node in nodes], np.int64)

        def rows(name: str, width: int) -> Array:
            return np.concatenate(
                [getattr(d, name).reshape(-1, width) for _, _, d, _, _ in self._made]
            )

        def flat(name: str) -> Array:
            return np.concatenate([getattr(d, name).ravel() for _, _, d, _, _ in self._made])

        def of_nodes(name: str) -> Array:
            return np.concatenate(
                [np.zeros((0, 3)), *(getattr(n, name).reshape(-1, 3) for _, n in nodes)]
            )

        return Modals(
            frame=np.array([body for *_, body, _ in self._made], np.int64),
            role=role, row=row,
            first=_firsts(counts), pair=_firsts(counts**2),
            body=np.array(bodies, np.int64), at_q=tree.at_q[bodies], at_v=tree.at_v[bodies],
            shift=rows("shift", 3), couple=rows("couple", 3), turning_by=rows("turning_by", 6),
            centre_by_two=rows("centre_by_two", 3), couple_by=rows("couple_by", 3), gyro=rows("gyro", 3),
            turning_by_two=rows("turning_by_two", 6),
            own=flat("own"), stiffness=flat("stiffness"), damping=flat("damping"),
            node_of=of, node_first=_firsts(counts[of]), node_pair=_firsts(counts[of] ** 2),
            node_triple=_firsts(bent**3), node_bent=bent,
            node_shift=of_nodes("shift"), node_turn=of_nodes("turn"), node_by_two=of_nodes("by_two"), node_by_three=of_nodes("by_three"),
        )  # fmt: skip


def _firsts(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
