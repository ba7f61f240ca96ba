"""Show airbags: the folded package with the way it bursts, and the full bag with its outline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.airbags import Airbag
from solver.project.pose import Placed
from solver.scene.meshes import Mesh, Round, arrow, body

_PART, _LEAST_M, _MOST_M = 0.24, 0.03, 0.11
"""Half width of a package: this part of the full bag's, within what modules measure."""
_THICK_M = 0.028
"""Half of its depth."""
_BOX = (6.0, 6.0, 6.0)
_RING = 48
_FLATTEST = 0.05
"""A bag without gas is drawn with this part of its depth, so that it is still seen."""
_HANGS = 0.4
"""How far the front of an empty bag is drawn below its panel, of the bag's depth; results do not say."""


def stretched(
    bag: Airbag, full: Placed, placed: Placed, semi_axes: Array, left: float, down: Array
) -> tuple[Array, Array]:
    """Give what takes the full bag, in the axes of its segment, to the bag as a run has it: a matrix and a place.

    `left` is how full it still is. A slack bag lies flat at its panel and hangs `down`, with the volume of the gas
    that is left.
    """
    whole = np.array(bag.semi_axes_m)
    left = max(_FLATTEST, left)
    if left >= 1.0:
        A = placed.R_WS @ np.diag(semi_axes / whole) @ full.R_WS.T
        return A, placed.p_W - A @ full.p_W
    out = placed.R_WS[:, 0]
    # the end of its x axis stays where it is held
    held = placed.p_W + float(whole[0]) * out
    hang = down - (down @ out) * out
    # flattened along x by `left`; what is farther from the panel hangs lower, which keeps the volume
    M = np.eye(3) - np.outer((1.0 - left) * out + _HANGS * (1.0 - left) * hang, out)
    A = M @ placed.R_WS @ full.R_WS.T
    return A, held + M @ (placed.p_W - held) - A @ full.p_W


@dataclass(frozen=True, eq=False, slots=True)
class DrawnBag:
    """Hold the full bag and the folded package, both with their outlines, and the way out."""

    full: Mesh
    full_round: Round
    pack: Mesh
    pack_round: Round
    way_out: Mesh


def drawn_bag(bag: Airbag, full: Placed) -> DrawnBag:
    """Give what is drawn of a bag; the same objects as long as nothing of it is changed."""
    semi = bag.semi_axes_m
    point = full.p_W + full.R_WS[:, 0] * semi[0]
    place = (tuple(full.R_WS.ravel().tolist()), tuple(full.p_W.tolist()), tuple(point.tolist()))
    return _meshes((semi[0], semi[1], semi[2]), *place)


def package(semi_axes: tuple[float, float, float]) -> tuple[float, float, float]:
    """Give the half lengths (m) at which a folded bag is drawn; files do not hold them."""
    wide, high = (min(max(_PART * axis, _LEAST_M), _MOST_M) for axis in semi_axes[1:])
    return _THICK_M, wide, high


@lru_cache(maxsize=64)
def _meshes(
    semi: tuple[float, float, float],
    turned: tuple[float, ...],
    centre: tuple[float, ...],
    point: tuple[float, ...],
) -> DrawnBag:
    R, at = np.array(turned).reshape(3, 3), np.array(point)
    middle, box = np.array(centre), package(semi)
    deep, wide, high = box
    behind = at - deep * R[:, 0]

    @lru_cache(maxsize=4)
    def full(around: int, along: int) -> Mesh:
        return body(semi, around=around, along=along).moved(R, middle)

    @lru_cache(maxsize=4)
    def pack(around: int, along: int) -> Mesh:
        return body(box, _BOX, around, along).moved(R, behind)

    return DrawnBag(
        _outlined(body(semi), semi, tuple(_rings())).moved(R, middle),
        Round(middle, semi, full),
        _outlined(body(box, _BOX), box, tuple(_edges())).moved(R, behind),
        Round(behind, box, pack),
        arrow(at - 2.0 * deep * R[:, 0], -R[:, 0], 0.5 * (wide + high) + 0.05),
    )


def _outlined(mesh: Mesh, semi: tuple[float, float, float], unit: tuple[Array, ...]) -> Mesh:
    """Add lines, given over the semi-axes, to a mesh."""
    lines, points, count = [], [mesh.points], len(mesh.points)
    for line in unit:
        lines.append(tuple(range(count, count + len(line))))
        points.append(line * semi)
        count += len(line)
    normals = mesh.normals
    if normals is not None:
        normals = np.vstack([normals, np.tile([1.0, 0.0, 0.0], (count - len(normals), 1))])
    return Mesh(np.vstack(points), mesh.faces, normals, tuple(lines))


def _rings() -> Iterator[Array]:
    """Give the three great rings of a unit sphere."""
    t = np.linspace(0.0, 2.0 * np.pi, _RING + 1)
    for axis in range(3):
        ring = np.zeros((_RING + 1, 3))
        ring[:, axis - 2], ring[:, axis - 1] = np.cos(t), np.sin(t)
        yield ring


def _edges() -> Iterator[Array]:
    """Give the outlines of front and back of a rounded box of unit size."""
    t = np.linspace(0.0, 2.0 * np.pi, _RING + 1)
    around = np.column_stack([np.cos(t), np.sin(t)])
    # a ring with rounded corners that lies on the body |x|^6 + |y|^6 + |z|^6 = 1
    around = around / (np.abs(around) ** 6).sum(axis=1, keepdims=True) ** (1.0 / 6.0)
    depth, size = 0.86, (1.0 - 0.86**6) ** (1.0 / 6.0)
    for x in (depth, -depth):
        yield np.column_stack([np.full(_RING + 1, x), size * around])
