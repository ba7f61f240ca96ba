"""Reduce matrices of finite-element programs to modes, and couple parts that were reduced one by one.

Craig and Bampton, Coupling of Substructures for Dynamic Analysis, AIAA Journal 6, 1968: the modes of a part whose
boundary is held, and the static shapes by a unit of each freedom of the boundary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.base.words import Refusal
from solver.project.bending.beams import lowest

Array = NDArray[np.float64]

RIGID = 1e-6
"""Part of the largest stiffness by mass below which a mode is that of a rigid body."""

TOGETHER_M = 1e-9
"""How near (m) nodes of two parts are that are one."""


class ModalError(Refusal):
    """Say in a sentence why matrices give no modes."""

    __module__ = "manikin"


@dataclass(frozen=True, slots=True)
class Matrices:
    """Hold a finite-element model: places of its nodes (n, 3), mass and stiffness over three or six freedoms of each.

    Freedoms of a node are displacements along x, y and z, then turns about these.
    """

    places: Array
    mass: Array
    stiffness: Array

    def __post_init__(self) -> None:
        """Refuse what does not fit together."""
        n = self.places.shape[0]
        for matrix in (self.mass, self.stiffness):
            if (
                matrix.shape not in ((3 * n, 3 * n), (6 * n, 6 * n))
                or matrix.shape != self.mass.shape
            ):
                raise ModalError(
                    "There are {count} nodes: matrices have three or six rows and columns for each.",
                    count=n,
                )
            if np.abs(matrix - matrix.T).max() > 1e-9 * np.abs(matrix).max():
                raise ModalError("Matrices of mass and stiffness must be symmetric.")

    @property
    def freedoms(self) -> int:
        """How many each node has."""
        return len(self.mass) // len(self.places)

    def of_nodes(self, nodes: Sequence[int]) -> Array:
        """Number the freedoms of some nodes."""
        for node in nodes:
            if not 0 <= node < len(self.places):
                raise ModalError(
                    "There is no node {node}: they go from 0 to {last}.", node=node, last=len(self.places) - 1
                )  # fmt: skip
        f = self.freedoms
        return np.array([f * n + k for n in nodes for k in range(f)], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Reduced:
    """Hold a part over the freedoms of its boundary and then its modes: matrices, and what they do to all freedoms."""

    part: Matrices
    boundary: tuple[int, ...]
    mass: Array
    stiffness: Array
    shapes: Array


def read_matrices(path: Path | str) -> tuple[Matrices, dict[str, Any]]:
    """Read a file of NumPy (.npz): `places` (n, 3), `mass`, `stiffness`, and `interfaces`, whole numbers of nodes, if it has them."""
    with np.load(path, allow_pickle=False) as data:
        for name in ("places", "mass", "stiffness"):
            if name not in data:
                raise ModalError("The file has no array '{name}'.", name=name)
        made = Matrices(*(np.asarray(data[n], float) for n in ("places", "mass", "stiffness")))
        more = {"interfaces": [int(n) for n in data["interfaces"]]} if "interfaces" in data else {}
    return made, more


def craig_bampton(
    part: Matrices, boundary: Sequence[int], modes: int, held: Sequence[int] = ()
) -> Reduced:
    """Reduce a part to its boundary and the lowest modes of what is within; `held` nodes stand still."""
    on, still = part.of_nodes(boundary), part.of_nodes(held)
    within = np.setdiff1d(np.arange(len(part.mass)), np.union1d(on, still))
    K, M = part.stiffness, part.mass
    shapes = np.zeros((len(K), len(on) + modes))
    shapes[on, : len(on)] = np.eye(len(on))
    if len(within):
        inner = K[np.ix_(within, within)]
        if modes > len(within):
            raise ModalError(
                "There are {count} freedoms within the boundary, and {modes} modes are asked for.",
                count=len(within), modes=modes,
            )  # fmt: skip
        try:
            if len(on):
                shapes[within, : len(on)] = -np.linalg.solve(inner, K[np.ix_(within, on)])
            if modes:
                shapes[within, len(on) :] = lowest(inner, M[np.ix_(within, within)], modes)[1]
        except np.linalg.LinAlgError:
            raise ModalError(
                "What is within the boundary moves without stiffness, or has freedoms without mass."
            ) from None
    return Reduced(part, tuple(boundary), shapes.T @ M @ shapes, shapes.T @ K @ shapes, shapes)


def coupled(parts: Sequence[Reduced]) -> tuple[Array, Array, list[Array]]:
    """Couple reduced parts at nodes of their boundaries that stand in one place (CMS): mass, stiffness, and each part's freedoms among these."""
    places: list[Array] = []
    starts: list[int] = []
    count = 0
    chosen: list[Array] = []
    for one in parts:
        f, mine = one.part.freedoms, list[int]()
        for node in one.boundary:
            at = one.part.places[node]
            same = [k for k, p in enumerate(places) if np.abs(p - at).max() <= TOGETHER_M]
            if not same:
                places.append(at)
                starts.append(count)
                count += f
            first = starts[same[0]] if same else starts[-1]
            mine += range(first, first + f)
        inside = one.mass.shape[0] - len(mine)
        mine += range(count, count + inside)
        count += inside
        chosen.append(np.array(mine))
    M, K = np.zeros((count, count)), np.zeros((count, count))
    for one, mine_at in zip(parts, chosen, strict=True):
        here = np.ix_(mine_at, mine_at)
        M[here] += one.mass
        K[here] += one.stiffness
    return M, K, chosen


def shapes_from(
    part: Matrices, interfaces: Sequence[int], modes: int, frame: int | None = None, within: int | None = None
) -> dict[str, Any]:  # fmt: skip
    """Give the shapes of a modal body, as a project has them, of a finite-element model.

    `frame` is the node that the segment goes with, none for the mean of its motion; `modes` are kept of all that the boundary and `within`
    modes of what is inside make (none: twice as many as are kept).
    """
    boundary = [n for n in interfaces if n != frame]
    held = [] if frame is None else [frame]
    free = len(part.mass) - len(part.of_nodes(boundary)) - len(part.of_nodes(held))
    inside = min(free, 2 * modes + 6 if within is None else within)
    if not boundary:
        inside = min(free, modes + 6)
    if frame is None and not boundary:
        raise ModalError(
            "A body that floats needs interfaces: nodes at which it is held while it is reduced."
        )
    one = craig_bampton(part, boundary, inside, held)
    rigid = 6 if frame is None else 0
    if modes + rigid > len(one.mass):
        raise ModalError(
            "The reduced matrices have {count} modes, {rigid} of them of a rigid body, and {modes} are asked for.",
            count=len(one.mass), rigid=rigid, modes=modes,
        )  # fmt: skip
    try:
        squares, vectors = lowest(one.stiffness, one.mass, modes + rigid)
    except np.linalg.LinAlgError:
        raise ModalError("The mass matrix has directions without mass.") from None
    if squares[rigid] <= RIGID * squares[-1]:
        raise ModalError("More modes of a rigid body are left than six: something is not held.")
    every = one.shapes @ vectors[:, rigid:]
    f = part.freedoms
    moved = every.reshape(len(part.places), f, modes)
    size = np.abs(moved[:, :3]).max(axis=(0, 1))
    moved = moved / np.where(size > 0.0, size, 1.0)
    every = moved.reshape(len(part.mass), modes)
    own = np.diag(every.T @ part.mass @ every)
    along = [np.arange(k, len(part.mass), f) for k in range(3)]
    lumps = np.mean([part.mass[np.ix_(at, at)].sum(axis=1) for at in along], axis=0)
    if (lumps < 0.0).any():
        raise ModalError(
            "The sum of a row of the mass matrix is below zero: a node would have less than no mass."
        )
    nodes = [
        {
            "position_m": place.tolist(),
            "mass_kg": float(mass),
            "shapes_m": moved[n, :3].T.tolist(),
            **({"turns_rad": moved[n, 3:].T.tolist()} if f == 6 else {}),
        }
        for n, (place, mass) in enumerate(zip(part.places, lumps, strict=True))
    ]
    stiffness = own * squares[rigid:]
    return {
        "kind": "nodes", "nodes": nodes, "modal_mass_kg": np.diag(own).tolist(),
        "modal_stiffness_n_per_m": np.diag(stiffness).tolist(),
    }  # fmt: skip
