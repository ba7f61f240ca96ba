"""Modal bodies of a project as arrays: their modes as bodies of the tree, and what the kernels ask of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solver.engine.dynamics.modes import FRAME, MODE, NODE, Modals, no_modals
from solver.engine.dynamics.tree import SLIDE, Tree
from solver.project.bending.data import ModalData, Node
from solver.project.bending.shapes import Shaped, shapes_of
from solver.project.joints import Joint
from solver.project.modal import ModalBody

Array = NDArray[np.float64]


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
