"""Reduce matrices of finite-element programs to modes, and couple parts that were reduced one by one.

Craig and Bampton, Coupling of Substructures for Dynamic Analysis, AIAA Journal 6, 1968: the modes of a part whose
boundary is held, and the static shapes by a unit of each freedom of the boundary.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.base.words import Refusal
from solver.project.bending.beams import lowest, slopes

Array = NDArray[np.float64]

RIGID = 1e-6
"""Part of the largest stiffness by mass below which a mode is that of a rigid body."""

STRAIGHT = 1e-6
"""Part of its length by which nodes of a line may stand beside it."""

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


OPTIONAL = ("lines", "faces", "loads", "geometric")
"""Arrays that a file need not have."""


def read_matrices(path: Path | str) -> tuple[Matrices, dict[str, Any]]:
    """Read a file of NumPy (.npz): `places` (n, 3), `mass`, `stiffness`, and what else it has of `interfaces`, whole numbers of nodes, and `OPTIONAL`."""
    with np.load(path, allow_pickle=False) as data:
        for name in ("places", "mass", "stiffness"):
            if name not in data:
                raise ModalError("The file has no array '{name}'.", name=name)
        made = Matrices(*(np.asarray(data[n], float) for n in ("places", "mass", "stiffness")))
        more: dict[str, Any] = {n: np.asarray(data[n]) for n in OPTIONAL if n in data}
        if "interfaces" in data:
            more["interfaces"] = [int(n) for n in data["interfaces"]]
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
    part: Matrices, interfaces: Sequence[int], modes: int, frame: int | None = None,
    more: Mapping[str, Any] | None = None, within: int | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Give the shapes of a modal body, as a project has them, of a finite-element model.

    `frame` is the node that the segment goes with, none for the mean of its motion; `modes` are kept of all that the boundary and `within`
    modes of what is inside make (none: twice as many as are kept). `more` has what is `OPTIONAL`.
    """
    more = more or {}
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
    drawn = _pairs(part, every, more, frame)
    if drawn is not None and frame is None:
        drawn = _unmoved(part.places, lumps, drawn)
    above = np.triu_indices(modes)
    nodes = [
        {
            "position_m": place.tolist(),
            "mass_kg": float(mass),
            "shapes_m": moved[n, :3].T.tolist(),
            **({"turns_rad": moved[n, 3:].T.tolist()} if f == 6 else {}),
            **({} if drawn is None else {"pairs_m": drawn[n][above].tolist()}),
        }
        for n, (place, mass) in enumerate(zip(part.places, lumps, strict=True))
    ]
    stiffness = own * squares[rigid:]
    return {
        "kind": "nodes", "nodes": nodes, "modal_mass_kg": np.diag(own).tolist(),
        "modal_stiffness_n_per_m": np.diag(stiffness).tolist(),
        **({"faces": faces} if (faces := _faces(part, more)) else {}),
    }  # fmt: skip


# How pairs of modes move nodes: by geometric stiffness, or as lines keep their lengths.


def _pairs(
    part: Matrices, every: Array, more: Mapping[str, Any], frame: int | None
) -> Array | None:
    """Give the displacements of second order of all nodes (n, modes, modes, 3), or none where nothing tells them."""
    if "geometric" in more:
        if frame is None:
            raise ModalError(
                "A geometric stiffness needs a frame: a node that holds against its loads."
            )
        return _by_loads(part, every, more, frame)
    lines = _lines(part, more)
    return None if lines is None else _by_lines(part, every, lines, 0 if frame is None else frame)


def _by_loads(part: Matrices, every: Array, more: Mapping[str, Any], frame: int) -> Array:
    """Find them so that each load's work on them is what its geometric stiffness holds, along the displacements by these loads.

    Wallrapp and Schwertassek 1999: the geometric stiffness by a load f is -f . g, whatever the load.
    """
    size = len(part.mass)
    loads = np.atleast_2d(np.asarray(more.get("loads", np.zeros((0, size))), float))
    stiff = np.asarray(more["geometric"], float).reshape(-1, size, size)
    if loads.shape != (len(stiff), size):
        raise ModalError(
            "There are {count} geometric stiffnesses: 'loads' has a row of forces on all freedoms for each.", count=len(stiff)
        )  # fmt: skip
    free = np.setdiff1d(np.arange(size), part.of_nodes([frame]))
    moved = np.zeros((size, len(loads)))
    moved[free] = np.linalg.solve(part.stiffness[np.ix_(free, free)], loads[:, free].T)
    soft = loads @ moved
    if np.linalg.matrix_rank(soft, hermitian=True) < len(soft):
        raise ModalError(
            "Of the loads with a geometric stiffness one is a sum of others, or does nothing."
        )
    held = np.einsum("aj,kab,bl->kjl", every, stiff, every)
    part_of = -np.linalg.solve(soft, held.reshape(len(soft), -1)).reshape(held.shape)
    along = moved.reshape(len(part.places), part.freedoms, -1)[:, :3]
    out: Array = np.einsum("nck,kjl->njlc", along, 0.5 * (part_of + part_of.transpose(0, 2, 1)))
    return out


def _lines(part: Matrices, more: Mapping[str, Any]) -> list[tuple[int, int]] | None:
    """Give the lines between nodes that a file has; of nodes that stand in one line, those from each to the next; else none."""
    count, given = len(part.places), np.asarray(more.get("lines", np.zeros((0, 2))))
    if len(given):
        if given.ndim != 2 or given.shape[1] != 2 or not ((given >= 0) & (given < count)).all():
            raise ModalError("Lines have the numbers of two nodes each.")
        return [(int(a), int(b)) for a, b in given]
    away = part.places - part.places.mean(axis=0)
    _, sizes, ways = np.linalg.svd(away, full_matrices=False)
    if count < 2 or (sizes[1:] > STRAIGHT * sizes[0]).any():
        return None
    order = np.argsort(away @ ways[0])
    return [(int(a), int(b)) for a, b in itertools.pairwise(order)]


def _by_lines(
    part: Matrices, every: Array, lines: Sequence[tuple[int, int]], start: int
) -> Array | None:
    """Draw nodes nearer so that lines, which bend by cubics where nodes turn, keep their lengths; none where lines form rings, or miss nodes."""
    n, modes = len(part.places), every.shape[1]
    if len(lines) != n - 1:
        return None
    moved = every.reshape(n, part.freedoms, modes).transpose(0, 2, 1)
    out = np.full((n, modes, modes, 3), np.nan)
    out[start] = 0.0
    left = list(lines)
    while left:
        ready = [one for one in left if np.isnan(out[list(one), 0, 0, 0]).sum() == 1]
        if not ready:
            return None
        for a, b in ready:
            left.remove((a, b))
            known, new = (a, b) if np.isnan(out[b, 0, 0, 0]) else (b, a)
            if not np.isnan(out[new, 0, 0, 0]):
                return None
            way = part.places[new] - part.places[known]
            h = float(np.sqrt(way @ way))
            e = way / h
            across = moved[new, :, :3] - moved[known, :, :3]
            across = across - (across @ e)[:, None] * e
            if part.freedoms == 6:
                ends = [0.0 * across, *(np.cross(moved[k, :, 3:], e) for k in (known, new))]
                bent = np.array([ends[0], ends[1], across, ends[2]])
                shorter = np.einsum("ab,ajc,blc->jl", slopes(h), bent, bent)
            else:
                shorter = across @ across.T / h
            out[new] = out[known] - shorter[:, :, None] * e
    return out


def _unmoved(places: Array, mass: Array, drawn: Array) -> Array:
    """Take the motion of a rigid body out of displacements, by masses."""
    rigid = np.zeros((len(places), 3, 6))
    rigid[:, :, :3] = np.eye(3)
    rigid[:, :, 3:] = np.cross(np.eye(3), places[:, None]).transpose(0, 2, 1)
    own = np.einsum("n,nci,ncj->ij", mass, rigid, rigid)
    parts = np.linalg.pinv(own) @ np.einsum("n,nci,njlc->ijl", mass, rigid, drawn).reshape(6, -1)
    out: Array = drawn - np.einsum("nci,ijl->njlc", rigid, parts.reshape(6, *drawn.shape[1:3]))
    return out


def _faces(part: Matrices, more: Mapping[str, Any]) -> list[list[float]]:
    """Give triangles to draw; lines between two nodes have the second twice."""
    given = np.asarray(more.get("faces", np.zeros((0, 3))))
    if len(given) and (given.ndim != 2 or given.shape[1] != 3):
        raise ModalError("Faces have the numbers of three nodes each.")
    lines = _lines(part, more) if "lines" in more or not len(given) else []
    faces = [[float(k) for k in one] for one in given]
    return faces + [[float(a), float(b), float(b)] for a, b in lines or []]
