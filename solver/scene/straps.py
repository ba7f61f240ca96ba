"""Straps and airbags of a run as they are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.engine.maths.rotation import Array
from solver.project.airbags import Airbag
from solver.project.belts import Belt, RingPoint, Strap, StrapEnd
from solver.project.pose import Placed
from solver.scene.meshes import ACROSS, ROWS, Indices, Mesh, Round, arrow, body, crossed, joined
from solver.scene.placing import Pose, in_ground
from solver.scene.webbing import Lay

# Show webbing as it is woven: of one width and thickness, smooth along its way, sewn beside its edges.

# Make what a strap is held by: anchors, retractors with their pretensioners, guide rings, buckles.

_AROUND = 10
_SQUARE = (5.0, 5.0, 5.0)
_UNIT = body((1.0, 1.0, 1.0), _SQUARE, _AROUND)
_PARTS = 4
FACES = _PARTS * len(_UNIT.faces)
"""Triangles of each fitting."""

_Box = tuple[tuple[float, float, float], tuple[float, float, float]]
"""Middle and half lengths of a part, along the strap away from the webbing, across it and off its face, in widths."""

_ANCHOR: tuple[_Box, ...] = (
    ((0.45, 0.0, 0.0), (0.48, 0.56, 0.045)),
    ((0.06, 0.0, 0.0), (0.10, 0.62, 0.10)),
    ((0.62, 0.0, 0.05), (0.19, 0.19, 0.10)),
    ((0.62, 0.0, 0.0), (0.26, 0.26, 0.07)),
)
"""Plate, bar that the webbing is sewn around, head of the bolt and its washer."""
_RETRACTOR: tuple[_Box, ...] = (
    ((0.62, 0.0, 0.0), (0.58, 0.66, 0.46)),
    ((0.42, 0.0, 0.0), (0.40, 0.86, 0.40)),
    ((0.80, 0.0, -0.52), (0.78, 0.50, 0.05)),
)
"""Housing, spool, and the bracket that it is screwed on by."""
_SPRING: _Box = ((0.62, 0.86, 0.0), (0.44, 0.12, 0.44))
_PRETENSIONER: _Box = ((0.95, -0.80, 0.0), (1.10, 0.17, 0.17))
"""Cap of a retractor's spring; or the tube of a pretensioner, which takes its place."""
_GUIDE: tuple[_Box, ...] = (
    ((-0.06, 0.0, 0.0), (0.11, 0.66, 0.10)),
    ((0.52, 0.0, 0.0), (0.20, 0.50, 0.08)),
    ((0.22, 0.58, 0.0), (0.36, 0.10, 0.09)),
    ((0.22, -0.58, 0.0), (0.36, 0.10, 0.09)),
)
"""Four bars about a slot: the webbing goes over the first, the second is attached to the pillar."""
_BUCKLE: tuple[_Box, ...] = (
    ((0.02, 0.0, 0.0), (0.16, 0.62, 0.05)),
    ((0.95, 0.0, 0.0), (0.70, 0.40, 0.22)),
    ((0.30, 0.0, 0.0), (0.10, 0.30, 0.17)),
    ((2.10, 0.0, 0.0), (0.62, 0.22, 0.06)),
)
"""Tongue, buckle, its button, and the stalk that holds it."""


def fittings(strap: Belt | Strap, lay: Lay, width: float, pose: Pose) -> Iterator[Mesh]:
    """The fittings of both ends, then the rings and buckles on the way."""
    devices: tuple[StrapEnd | None, ...] = (None, None)
    if isinstance(strap, Strap):
        devices = (strap.start_device, strap.end_device)
    for device, (end, next_) in zip(devices, ((0, 1), (-1, -2)), strict=True):
        along = lay.line[end] - lay.line[next_]
        axes = _axes(along, crossed(along, lay.outward[end]))
        yield _made(_end(device), lay.line[end], axes, width)
    if not isinstance(strap, Strap):
        return
    for n, ring in enumerate(strap.points[1:-1], 1):
        if isinstance(ring, RingPoint) and ring.segment in pose:
            place = in_ground(pose, ring.segment, ring.position_m)
            # a guide stands beside an end; webbing leaves a tongue to both sides
            is_guide = n in (1, len(strap.points) - 2)
            yield _made(_GUIDE if is_guide else _BUCKLE, place, _at_ring(lay, place), width)


_TURNS_M = 0.35
"""Over how much of its way from a guide ring webbing turns to lie flat on somebody (m, assumed: about from a pillar to a shoulder)."""


def led(strap: Belt | Strap, lay: Lay, pose: Pose) -> Lay:
    """Let webbing lie flat over the bar of each guide ring, and come from what winds it up without a twist."""
    if not isinstance(strap, Strap):
        return lay
    line, outward = lay.line, lay.outward
    for n, way in ((1, 1), (len(strap.points) - 2, -1)):
        ring = strap.points[n] if len(strap.points) > 2 else None
        if not isinstance(ring, RingPoint) or ring.segment not in pose:
            continue
        place = in_ground(pose, ring.segment, ring.position_m)
        k = int(((line - place) ** 2).sum(axis=1).argmin())
        if not 0 < k < len(line) - 1:
            continue
        before, after = _unit(line[k - way] - line[k]), _unit(line[k + way] - line[k])
        bar = crossed(before, after)
        if float(np.linalg.norm(bar)) < _STRAIGHT:
            continue
        bar = _unit(bar)
        # in order away from the ring, over those who wear it
        on = line[k:] if way > 0 else line[k::-1]
        free = line[: k + 1] if way > 0 else line[k:]
        flat = crossed(np.tile(bar, (len(on), 1)), np.gradient(on, axis=0))
        flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-12)
        own = outward[k:] if way > 0 else outward[k::-1]
        # its face is the one that looks out where it lies on somebody
        sign = 1.0 if float((flat[: _PIECES + 1] * own[: _PIECES + 1]).sum()) >= 0.0 else -1.0
        far = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(on, axis=0), axis=1))])
        part = np.clip(far / _TURNS_M, 0.0, 1.0)[:, None]
        turned = (1.0 - part) * sign * flat + part * own
        wound = np.tile(crossed(bar, -before * sign), (len(free), 1))
        outward = np.vstack([wound[:-1], turned] if way > 0 else [turned[::-1], wound[1:]])
    return Lay(line, outward)


_STRAIGHT, _PIECES = 1e-3, 3
"""Sine of the bend up to which webbing goes straight through a ring, and the pieces that tell to which side its face looks."""


def _end(device: StrapEnd | None) -> tuple[_Box, ...]:
    if device is None:
        return _ANCHOR
    return (*_RETRACTOR, _SPRING if device.pretensioner is None else _PRETENSIONER)


def _at_ring(lay: Lay, place: Array) -> Array:
    """The axes at a ring: away from both legs of the webbing, and about what it bends."""
    near = int(((lay.line - place) ** 2).sum(axis=1).argmin())
    before, after = (
        _unit(lay.line[k] - lay.line[near])
        for k in (max(near - 1, 0), min(near + 1, len(lay.line) - 1))
    )
    away, about = -(before + after), crossed(before, after)
    if float(np.linalg.norm(about)) < 1e-3:
        about = crossed(after, lay.outward[near])
    if float(np.linalg.norm(away)) < 1e-3:
        away = crossed(about, after)
    return _axes(away, about)


def _axes(x: Array, y: Array) -> Array:
    """Give right-handed axes along one way, and as nearly as can be along another, in columns."""
    x = _unit(x)
    y = y - (y @ x) * x
    if float(np.linalg.norm(y)) < 1e-9:
        y = crossed(x, np.eye(3)[int(np.argmin(np.abs(x)))])
    y = _unit(y)
    return np.column_stack([x, y, crossed(x, y)])


def _unit(vector: Array) -> Array:
    out: Array = vector / max(float(np.linalg.norm(vector)), 1e-12)
    return out


def _made(boxes: tuple[_Box, ...], place: Array, axes: Array, width: float) -> Mesh:
    made = _boxes(boxes)
    return Mesh(place + made.points @ (width * axes.T), made.faces)


@lru_cache(maxsize=16)
def _boxes(boxes: tuple[_Box, ...]) -> Mesh:
    """A fitting for webbing of width one, in its own axes."""
    parts = (Mesh(_UNIT.points * half + middle, _UNIT.faces) for middle, half in boxes)
    return joined(*parts)


FINER = 3
"""Pieces that are drawn for each piece of a ribbon."""
THICK_M = 0.003
"""Thickness as drawn; what is woven has some 1.2 mm, which nobody would see."""
_SEWN_AT, _SEWN_LIFT_M = 0.40, 0.0006
"""Where the stitches are, in widths from the middle, and how far above the face."""
_BENT = 0.6
"""How much of what the middle stands out above both edges the edges follow: webbing is stiff across."""
_PASSES = 2
"""How often what lies on clothes is made even along its way."""
_SEAMS = 4
"""Rows of stitches: beside both edges of both faces."""
_RING = 8
"""Points around a station: three above, three below, one at each side."""


def dressed(
    ribbon: Mesh,
    points: Array,
    parts: int = FINER,
    over: Callable[[Array], Array] | None = None,
) -> Mesh:
    """Make webbing of a ribbon whose points are elsewhere; fittings behind them go with it as they are.

    Each piece of the ribbon is drawn as so many parts; `over` has the last word where its edges and ridge lie.
    """
    n = len(ribbon.lines[0])
    pieces = ACROSS * (n - 1)
    one, other, middle = (points[row * n : (row + 1) * n] for row in (0, 1, ROWS - 1))
    width = float(np.linalg.norm(ribbon.points[0] - ribbon.points[n]))
    lifted = np.abs(points - ribbon.points)[: ROWS * n].reshape(ROWS, n, 3).max(axis=(0, 2)) > 0.0
    left, right, ridge = straight(one, other, middle, width, lifted)
    if over is not None:
        left, right, ridge = over(np.vstack([left, right, ridge])).reshape(3, n, 3)
    woven, stitches = strap(*(finer(line, parts) for line in (left, right, ridge)))
    rest = points[ROWS * n :]
    start = len(woven.points)
    assert woven.normals is not None
    fittings = ribbon.faces[pieces:] - ROWS * n
    normals = np.vstack(
        [woven.normals, corner_normals(rest, fittings), np.zeros((len(stitches), 3))]
    )
    whole = np.vstack([woven.points, rest, stitches])
    faces = np.vstack([woven.faces, fittings + start]) if len(fittings) else woven.faces
    return Mesh(whole, faces, normals, _dashes(len(stitches) // _SEAMS, start + len(rest)))


def of_pieces(values: Array, n: int, parts: int = FINER) -> Array:
    """The value of each face of webbing by those of a ribbon's faces, of `n` stations."""
    each = values[: ACROSS * (n - 1) : ACROSS]
    return np.concatenate([np.repeat(each, parts * _RING * 2), values[ACROSS * (n - 1) :]])


def straight(
    one: Array, other: Array, middle: Array, width: float, lifted: NDArray[np.bool_]
) -> tuple[Array, Array, Array]:
    """Both edges and the ridge of webbing over lines (n, 3) that follow each bump: even, and of one width.

    What was not lifted onto clothes stays: there it is straight, or goes around what holds it.
    """
    base, across = 0.5 * (one + other), other - one
    high = middle - base
    for _ in range(_PASSES):
        base, high = _even(base, lifted), _even(high, lifted)
        across = _even(across, np.ones(len(across), bool))
    along = np.gradient(base, axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)
    across -= np.einsum("ij,ij->i", across, along)[:, None] * along
    across *= 0.5 * width / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12)
    edges = base + _BENT * high
    return edges - across, edges + across, base + high


def _even(line: Array, some: NDArray[np.bool_]) -> Array:
    out = line.copy()
    mean = 0.25 * (line[:-2] + line[2:]) + 0.5 * line[1:-1]
    out[1:-1] = np.where(some[1:-1, None], mean, line[1:-1])
    return out


def finer(line: Array, parts: int = FINER) -> Array:
    """Give a line through the same points with so many times the pieces, smooth (Catmull and Rom)."""
    if parts == 1:
        return line
    ends = np.vstack([2.0 * line[0] - line[1], line, 2.0 * line[-1] - line[-2]])
    t = (np.arange(parts) / parts)[:, None, None]
    a, b, c, d = ends[:-3], ends[1:-2], ends[2:-1], ends[3:]
    smooth = 0.5 * (
        2.0 * b
        + (c - a) * t
        + (2.0 * a - 5.0 * b + 4.0 * c - d) * t**2
        + (3.0 * b - a - 3.0 * c + d) * t**3
    )
    return np.vstack([smooth.transpose(1, 0, 2).reshape(-1, 3), line[-1:]])


def strap(left: Array, right: Array, ridge: Array) -> tuple[Mesh, Array]:
    """Make webbing about two edges and a ridge (n, 3): a tube; and the places of its stitches, `_SEAMS` rows."""
    n = len(left)
    along = np.gradient(ridge, axis=0)
    across = right - left
    up = crossed(along, across)
    up /= np.maximum(np.linalg.norm(up, axis=1, keepdims=True), 1e-12)
    side = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12)
    half = 0.5 * THICK_M * up
    over, under = ((left + off, ridge + off, right + off) for off in (half, -half))
    rows = (*over, right, *under[::-1], left)
    normals = (up, up, up, side, -up, -up, -up, -side)
    points, directions = (np.stack(each, axis=1) for each in (rows, normals))
    out = half + _SEWN_LIFT_M * up
    sewn = [
        ridge + 2.0 * _SEWN_AT * (edge - ridge) + off
        for off in (out, -out)
        for edge in (left, right)
    ]
    mesh = Mesh(points.reshape(-1, 3), _tube(n), directions.reshape(-1, 3))
    return mesh, np.vstack(sewn)


@cache
def _tube(n: int) -> Indices:
    """The faces around each piece."""
    i = _RING * np.arange(n - 1)[:, None]
    k = np.arange(_RING)
    a, b = i + k, i + (k + 1) % _RING
    c, d = a + _RING, b + _RING
    faces = np.stack([np.stack([a, c, b], axis=-1), np.stack([b, c, d], axis=-1)], axis=2)
    return faces.reshape(-1, 3).astype(np.int64)


@cache
def _dashes(n: int, start: int) -> tuple[tuple[int, ...], ...]:
    """Give stitches as short lines: every other piece of rows of points."""
    return tuple(
        (start + row * n + i, start + row * n + i + 1)
        for row in range(2)
        for i in range(0, n - 1, 2)
    )


def corner_normals(points: Array, faces: Indices) -> Array:
    """Give each point the mean normal of the faces at it."""
    normals = np.zeros_like(points)
    if len(faces):
        a, b, c = points[faces].transpose(1, 0, 2)
        each = crossed(b - a, c - a)
        for k in range(3):
            for axis in range(3):
                normals[:, axis] += np.bincount(faces[:, k], each[:, axis], len(points))
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    return normals


# Show airbags: the folded package with the way it bursts, and the full bag with its outline.

_PART, _LEAST_M, _MOST_M = 0.24, 0.03, 0.11
"""Half width of a package: this part of the full bag's, within what modules measure."""
_THICK_M = 0.018
"""Half of its depth."""
_BOX = (6.0, 6.0, 6.0)
_BAG_RING = 48
_FLATTEST = 0.05
"""A bag without gas is drawn with this part of its depth, so that it is still seen."""
_HANGS = 0.4
"""How far the front of an empty bag is drawn below its panel, of the bag's depth; results do not say."""


def stretched(
    bag: Airbag, full: Placed, placed: Placed, semi_axes: Array, left: float, down: Array
) -> tuple[Array, Array]:
    """What takes the full bag, in the axes of its segment, to the bag as a run has it: a matrix and a place.

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
    """The full bag and the folded package, both with their outlines, and the way out."""

    full: Mesh
    full_round: Round
    pack: Mesh
    pack_round: Round
    way_out: Mesh


def drawn_bag(bag: Airbag, full: Placed) -> DrawnBag:
    """What is drawn of a bag; the same objects as long as nothing of it is changed."""
    semi = bag.semi_axes_m
    point = full.p_W + full.R_WS[:, 0] * semi[0]
    place = (tuple(full.R_WS.ravel().tolist()), tuple(full.p_W.tolist()), tuple(point.tolist()))
    return _meshes((semi[0], semi[1], semi[2]), *place)


def package(semi_axes: tuple[float, float, float]) -> tuple[float, float, float]:
    """The half lengths (m) at which a folded bag is drawn; files do not hold them."""
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

    @lru_cache(maxsize=4)
    def full(around: int, along: int) -> Mesh:
        return body(semi, around=around, along=along).moved(R, middle)

    @lru_cache(maxsize=4)
    def pack(around: int, along: int) -> Mesh:
        return body(box, _BOX, around, along).moved(R, at)

    return DrawnBag(
        _outlined(body(semi), semi, tuple(_rings())).moved(R, middle),
        Round(middle, semi, full),
        _outlined(body(box, _BOX), box, tuple(_edges())).moved(R, at),
        Round(at, box, pack),
        arrow(at - deep * R[:, 0], -R[:, 0], 0.5 * (wide + high) + 0.05),
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
    """The three great rings of a unit sphere."""
    t = np.linspace(0.0, 2.0 * np.pi, _BAG_RING + 1)
    for axis in range(3):
        ring = np.zeros((_BAG_RING + 1, 3))
        ring[:, axis - 2], ring[:, axis - 1] = np.cos(t), np.sin(t)
        yield ring


def _edges() -> Iterator[Array]:
    """Give the outlines of front and back of a rounded box of unit size."""
    t = np.linspace(0.0, 2.0 * np.pi, _BAG_RING + 1)
    around = np.column_stack([np.cos(t), np.sin(t)])
    # a ring with rounded corners that lies on the body |x|^6 + |y|^6 + |z|^6 = 1
    around = around / (np.abs(around) ** 6).sum(axis=1, keepdims=True) ** (1.0 / 6.0)
    depth, size = 0.86, (1.0 - 0.86**6) ** (1.0 / 6.0)
    for x in (depth, -depth):
        yield np.column_stack([np.full(_BAG_RING + 1, x), size * around])
