"""Make a person's skin: one closed mesh for each garment, tied to the bones, which follows any pose."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, pairwise
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.engine.maths.rotation import Array
from solver.project.pose import Placed, turn
from solver.scene.meshes import ROWS, Indices, Mesh
from solver.scene.people.build import Bone, Build, Figure, build, painted
from solver.scene.people.garments import Piece, pieces
from solver.scene.people.hands import Fingers, Hold, fingers, tubes
from solver.scene.people.nets import normals_of

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix
    from scipy.spatial import cKDTree

Points = Array | NDArray[np.float32]

STEPS, _NEIGHBOURS, _FAR_M = 3, 3, 0.12
"""How often what lies below clothes is moved to their face, how many of their points tell where it is, and from how near."""
LIFT_M = 0.0085
"""How far the middle of webbing lies above clothes (m): half of what is drawn of it lies below."""
STRAIGHT, _SHARE = 2, 0.6
"""How often the middles between a ribbon's points are lifted, and how much of that its points take over."""
_HIP_M = 0.06
"""How far below its hem a shirt's trousers begin to follow legs."""
_EVEN = 7
"""How often the weights of neighbours are made alike."""
_LEAST = 0.03
"""What follows a bone less than this does not."""
_MOST = 3
"""Bones at most to which a point is tied."""


@dataclass(frozen=True, eq=False, slots=True)
class Skin:
    """Points, triangles and colours, and how much of each point follows which bone."""

    bones: tuple[Placed, ...]
    """Where the bones are for the points as they are."""
    fingers: Fingers
    """Bones that it has besides, after all others."""
    mesh: Mesh
    garments: tuple[slice, ...]
    """Which triangles are whose."""
    colours: Array
    """Red, green, blue of each point, 0 to 1."""
    owners: Indices
    """The bone that each point follows most."""
    weights: csr_matrix
    shares: csr_matrix
    """How much of each point follows which bone, those of fingers too."""
    cloth: Indices
    """The points of shirt and trousers that are seen."""
    tied: csr_matrix
    """Makes points of the rows of all bones' axes and places, one below the other."""
    turned: csr_matrix
    """Makes normals of the rows of their axes."""

    def posed(self, places: Sequence[Placed], holds: Sequence[Hold] = ()) -> tuple[Array, Array]:
        """Points and normals where the bones are elsewhere: each goes with the mean of its bones; hands that hold something are closed."""
        moves = self.rows(places, holds).astype(np.float32)
        points = self.tied @ moves.reshape(-1, 3)
        normals = self.turned @ moves[:, :3].reshape(-1, 3)
        return points, normals

    def rows(self, places: Sequence[Placed], holds: Sequence[Hold] = ()) -> Array:
        """Axes, one below the other, and place of each bone, those of fingers last (n, 4, 3)."""
        return self.fingers.beside(places, holds)

    @property
    def starts(self) -> list[Placed]:
        """Where all bones are for the points as they are, those of fingers too."""
        return [Placed(row[:3].T, row[3]) for row in self.rows(self.bones)]

    def clothes(self, points: Points, normals: Points) -> Clothes:
        """The clothes of the skin as it is posed."""
        at = points[self.cloth].astype(float)
        from scipy.spatial import cKDTree

        # one pose is asked for a few hundred places: a tree in balance takes longer to make than to ask
        near = cKDTree(at, balanced_tree=False)
        return Clothes(at, normals[self.cloth].astype(float), near)


@dataclass(frozen=True, eq=False, slots=True)
class Clothes:
    """The points of shirt and trousers in one pose, with their normals, and where to look for them."""

    _at: Array
    _way: Array
    _near: cKDTree

    def lifted(self, points: Array, gap: float, steps: int = STEPS) -> Array:
        """Move what lies below the clothes out to `gap` (m) above them, in so many steps."""
        points, low = np.array(points), np.arange(len(points))
        for _ in range(steps):
            # what lies high enough, or far away, stays, and need not be looked for again
            found = self._near.query(
                points[low], k=_NEIGHBOURS, distance_upper_bound=_FAR_M, workers=1
            )
            far, nearest = (np.asarray(each) for each in found)
            is_near = np.isfinite(far[:, -1])
            low, nearest = low[is_near], nearest[is_near]
            way = self._way[nearest]
            off = np.einsum("npi,npi->np", points[low][:, None] - self._at[nearest], way)
            lack = gap - off.mean(axis=1)
            is_low = lack > 0.0
            low = low[is_low]
            points[low] += lack[is_low, None] * way[is_low].mean(axis=1)
            if not len(low):
                break
        return points

    def laid(self, points: Array, count: int, steps: int = STEPS, times: int = STRAIGHT) -> Array:
        """Move a ribbon's points, `count` in each of its rows, onto the clothes where they lie below."""
        laid = self.lifted(points, LIFT_M, steps)
        rows = laid[: ROWS * count].reshape(ROWS, count, 3)
        for _ in range(times):
            # it is straight between its points, and clothes are round
            middles = 0.5 * (rows[:, 1:] + rows[:, :-1]).reshape(-1, 3)
            more = (self.lifted(middles, LIFT_M, steps) - middles).reshape(ROWS, -1, 3)
            rows[:, 1:] += _SHARE * more
            rows[:, :-1] += _SHARE * more
        return laid


_KEPT = 24
"""So many skins are kept."""
_made: OrderedDict[Figure, Skin] = OrderedDict()
_looking, _making = Lock(), Lock()


def known_skin(figure: Figure) -> Skin | None:
    """A skin that is made already; waits for nobody."""
    with _looking:
        if figure in _made:
            _made.move_to_end(figure)
        return _made.get(figure)


def skin_of(figure: Figure) -> Skin:
    """Make a skin once for each body; who asks in another thread meanwhile waits for the same."""
    skin = known_skin(figure)
    if skin is not None:
        return skin
    with _making:
        skin = known_skin(figure) or _skin(figure)
        with _looking:
            _made[figure] = skin
            while len(_made) > _KEPT:
                _made.popitem(last=False)
    return skin


def _skin(figure: Figure) -> Skin:
    b = build(figure)
    made = fingers(b)
    rows = made.beside(b.places)
    at_rest = [Placed(row[:3].T, row[3]) for row in rows]
    hands = [
        tubes(arm, rows[[on, *range(first, first + 15)]], b.places[on])
        for arm, on, first in zip(
            (arm for arm in b.arms if not arm.is_half), made.on, count(len(b.places), 15)
        )
    ]
    parts = [*pieces(b), *(Piece.of("hand", *own[:2]) for own in hands)]
    counts = [len(one.points) for one in parts]
    starts = np.concatenate([[0], np.cumsum(counts)])
    points = np.vstack([one.points for one in parts])
    faces = np.vstack([one.faces + start for one, start in zip(parts, starts, strict=False)])
    ends = np.concatenate([[0], np.cumsum([len(one.faces) for one in parts])])
    normals = np.vstack([normals_of(one.points, one.faces) for one in parts])
    weights, shares = _with_fingers(_weights(b, points, faces), made, [own[2] for own in hands])
    names, colours = np.concatenate([one.names for one in parts]), np.empty((len(points), 3))
    for name in sorted(set(names.tolist())):
        colours[names == name] = painted(b, name, points[names == name])
    return Skin(
        b.places,
        made,
        Mesh(points, faces, normals),
        tuple(slice(int(a), int(z)) for a, z in pairwise(ends)),
        colours,
        weights.toarray().argmax(axis=1),
        weights,
        shares,
        np.flatnonzero(np.concatenate([one.cloth for one in parts])),
        *_ties(at_rest, points, normals, shares),
    )


def _with_fingers(
    weights: csr_matrix, made: Fingers, hands: Sequence[Array]
) -> tuple[csr_matrix, csr_matrix]:
    """Let fingers, the last of the points, go with their hand; gives the same with their own bones after all others."""
    from scipy.sparse import csr_matrix

    rest, bones = weights.shape[0] - sum(map(len, hands)), weights.shape[1]
    whole = np.zeros((weights.shape[0], bones + made.count))
    whole[:rest, :bones] = weights[:rest].toarray()
    of_bones = weights.toarray()
    of_bones[rest:] = 0.0
    for n, (on, own) in enumerate(zip(made.on, hands, strict=True)):
        rows = slice(rest, rest + len(own))
        of_bones[rows, on] = 1.0
        whole[rows, on] = own[:, 0]
        whole[rows, bones + 15 * n : bones + 15 * (n + 1)] = own[:, 1:]
        rest += len(own)
    return csr_matrix(of_bones), csr_matrix(whole)


def _shared(bone: Bone) -> float:
    """The distance (m) over which a bone shares skin with others: more where it is thick."""
    return max([0.4 * float(np.median(one.semi_axes_m)) for one in bone.surfaces], default=0.01)


def _depths(figure: Figure, own: Array) -> Array:
    """How far points are outside of each bone's shapes; `own` (n, p, 3) are they in its axes."""
    away = np.full(own.shape[:2], np.inf)
    for n, bone in enumerate(figure.bones):
        # a sternum slides into the chest: what is drawn of it is the chest's
        for one in bone.surfaces if bone.part != "sternum" else ():
            a = np.array(one.semi_axes_m)
            u = (own[n] - np.array(one.centre_m)) @ turn(one.orientation) / a
            size = np.sqrt((u * u).sum(axis=1))
            away[n] = np.minimum(away[n], float(np.median(a)) * (size - 1.0))
    return away


def _weights(b: Build, points: Array, faces: Indices) -> csr_matrix:
    """Tie points to bones: to the nearest and those joined to it, softly, then alike among neighbours."""
    bones = b.figure.bones
    own = np.array([(points - place.p_W) @ place.R_WS for place in b.places])
    away = _depths(b.figure, own).T
    reach = np.array([_shared(bone) for bone in bones])
    joined = np.eye(len(bones), dtype=bool)
    real = _real(b.figure)
    for n in range(len(bones)):
        on = real[n]
        if on >= 0:
            joined[n, on] = joined[on, n] = True
    legs = np.array([bone.part.endswith(("upper_leg", "knee_block")) for bone in bones])
    below = points[:, 2] - b.hem
    away[:, legs] += np.maximum(_HIP_M - below, 0.0)[:, None]
    nearest = away.argmin(axis=1)
    away[~joined[nearest]] = np.inf
    first = away.min(axis=1, keepdims=True)
    weights = np.exp(-np.minimum((away - first) / reach, 60.0))
    weights[~np.isfinite(away)] = 0.0
    weights = _evened(weights, faces)
    # legs do not move the hem above them, each its own way
    weights[:, legs] *= np.clip(below / _HIP_M, 0.0, 1.0)[:, None]
    return _largest(weights)


def _real(figure: Figure) -> list[int]:
    """For each bone the next one below it that has shapes; below zero for none."""
    out = []
    for bone in figure.bones:
        on = bone.on
        while on >= 0 and (not figure.bones[on].surfaces or figure.bones[on].part == "sternum"):
            on = figure.bones[on].on
        out.append(on)
    return out


def _evened(weights: Array, faces: Indices) -> Array:
    """Make the weights of neighbours alike."""
    from scipy.sparse import csr_matrix

    count = len(weights)
    ends = np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    # each triangle's points are beside each other, both ways
    beside = csr_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(count, count))
    each = np.bincount(ends.ravel(), minlength=count)[:, None]
    for _ in range(_EVEN):
        around = np.asarray(beside @ weights) + np.asarray(beside.T @ weights)
        weights = 0.4 * weights + 0.6 * around / each
    return weights


def _largest(weights: Array) -> csr_matrix:
    """Keep the largest weights of each point."""
    from scipy.sparse import csr_matrix

    least = np.partition(weights, -_MOST, axis=1)[:, -_MOST][:, None]
    weights = np.where((weights >= least) & (weights > _LEAST), weights, 0.0)
    return csr_matrix(weights / weights.sum(axis=1, keepdims=True))


def _ties(
    places: Sequence[Placed], points: Array, normals: Array, weights: csr_matrix
) -> tuple[csr_matrix, csr_matrix]:
    """What makes points and normals of the rows of all bones' axes and places, one below the other."""
    from scipy.sparse import csr_matrix

    each = weights.tocoo()
    row, bone, part = each.row, each.col, each.data
    turns = np.array([place.R_WS for place in places])
    centres = np.array([place.p_W for place in places])
    own = np.einsum("ni,nij->nj", points[row] - centres[bone], turns[bone])
    way = np.einsum("ni,nij->nj", normals[row], turns[bone])
    rows, columns = np.repeat(row, 4), (4 * bone[:, None] + np.arange(4)).ravel()
    values = np.column_stack([own, np.ones(len(own))]) * part[:, None]
    size = len(points)
    tied = csr_matrix((values.ravel(), (rows, columns)), shape=(size, 4 * len(places)))
    rows, columns = np.repeat(row, 3), (3 * bone[:, None] + np.arange(3)).ravel()
    turned = csr_matrix(
        ((way * part[:, None]).ravel(), (rows, columns)), shape=(size, 3 * len(places))
    )
    return tied.astype(np.float32), turned.astype(np.float32)


# Where a skin is torn: bones that were joined have come apart, as those of broken legs do.

APART_M = 0.2
"""Bones that are farther apart than this, where they share skin, have come apart; cloth and flesh give so far (assumed)."""
_SHARED = 0.2

Pair = tuple[int, int]


class Tears:
    """Know where bones share skin, and which triangles hang between two of them."""

    def __init__(self, skin: Skin) -> None:
        self._skin = skin
        weights = skin.weights.toarray()
        both = weights > _SHARED
        count = len(skin.bones)
        found = [(a, b) for a in range(count) for b in range(a) if (both[:, a] & both[:, b]).any()]
        self.pairs = tuple(found)
        middles = [skin.mesh.points[both[:, a] & both[:, b]].mean(axis=0) for a, b in found]
        self._at = [np.array([_own(skin, pair[n], m) for pair, m in zip(found, middles, strict=True)]) for n in (0, 1)]  # fmt: skip

    def torn(self, places: Sequence[Placed]) -> tuple[Pair, ...]:
        """Name the pairs of bones that have come apart."""
        if not self.pairs:
            return ()
        turns = np.array([place.R_WS for place in places])
        centres = np.array([place.p_W for place in places])
        ends = []
        for n, own in enumerate(self._at):
            bones = [pair[n] for pair in self.pairs]
            ends.append(np.einsum("nij,nj->ni", turns[bones], own) + centres[bones])
        gap = np.linalg.norm(ends[0] - ends[1], axis=1)
        return tuple(pair for pair, far in zip(self.pairs, gap > APART_M, strict=True) if far)

    def between(self, torn: Sequence[Pair]) -> NDArray[np.bool_]:
        """Tell which triangles hang between bones that have come apart."""
        faces = self._skin.mesh.faces
        out = np.zeros(len(faces), bool)
        for a, b in torn:
            on = [self._skin.weights[:, [bone]].toarray().ravel()[faces] > 0.0 for bone in (a, b)]
            out |= on[0].any(axis=1) & on[1].any(axis=1)
        return out


@lru_cache(maxsize=24)
def tears_of(skin: Skin) -> Tears:
    """Look through a skin once, as it is made once for each body."""
    return Tears(skin)


def _own(skin: Skin, bone: int, point: Array) -> Array:
    place = skin.bones[bone]
    return np.asarray((point - place.p_W) @ place.R_WS)


# Make a skin with fewer points, for pictures that move: what lies in one cell of a grid becomes one point.

_CELL = 1.9
"""Size of a cell, over the length of a garment's edges."""
_FEW = 400
"""Garments with fewer triangles than this stay as they are, such as marks."""


@lru_cache(maxsize=24)
def coarse(skin: Skin) -> Skin:
    """A skin of about a quarter of the triangles; each of its points follows as the mean of those it stands for."""
    from scipy.sparse import csr_matrix

    number = _cells(skin)
    size = int(number.max()) + 1
    count = np.bincount(number, minlength=size)
    rows = csr_matrix(
        (1.0 / count[number], (number, np.arange(len(number)))), shape=(size, len(number))
    )
    tied, turned = (csr_matrix(rows @ each, dtype=np.float32) for each in (skin.tied, skin.turned))
    assert skin.mesh.normals is not None
    normals = np.asarray(rows @ skin.mesh.normals)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    faces, garments = _faces(skin, number)
    first = np.full(size, len(number))
    np.minimum.at(first, number, np.arange(len(number)))
    return Skin(
        skin.bones,
        skin.fingers,
        Mesh(np.asarray(rows @ skin.mesh.points), faces, normals),
        garments,
        np.asarray(rows @ skin.colours),
        skin.owners[first],
        csr_matrix(rows @ skin.weights),
        csr_matrix(rows @ skin.shares),
        np.unique(number[skin.cloth]),
        tied,
        turned,
    )


def _cells(skin: Skin) -> Indices:
    """For each point the number of the cell in which it lies; two sides of a cloth have two."""
    points, normals = skin.mesh.points, skin.mesh.normals
    assert normals is not None
    out = np.zeros(len(points), np.int64)
    begins = 0
    for part in skin.garments:
        faces = skin.mesh.faces[part]
        own = np.unique(faces)
        if len(faces) < _FEW:
            inside = np.arange(len(own))
        else:
            edge = float(np.linalg.norm(points[faces[:, 0]] - points[faces[:, 1]], axis=1).mean())
            place = np.floor(points[own] / (_CELL * edge)).astype(np.int64)
            _, cell = np.unique(place, axis=0, return_inverse=True)
            cell = cell.ravel()
            mean = np.zeros((int(cell.max()) + 1, 3))
            np.add.at(mean, cell, normals[own])
            other = np.einsum("ij,ij->i", normals[own], mean[cell]) < 0.0
            _, inside = np.unique(2 * cell + other, return_inverse=True)
        out[own] = begins + inside.ravel()
        begins += int(inside.max()) + 1
    return out


def _faces(skin: Skin, number: Indices) -> tuple[Indices, tuple[slice, ...]]:
    """The triangles whose points lie in three cells, each once, by garment."""
    each, garments, begins = [], [], 0
    for part in skin.garments:
        faces = number[skin.mesh.faces[part]]
        a, b, c = faces.T
        faces = faces[(a != b) & (b != c) & (c != a)]
        _, first = np.unique(np.sort(faces, axis=1), axis=0, return_index=True)
        each.append(faces[np.sort(first)])
        garments.append(slice(begins, begins + len(first)))
        begins += len(first)
    return np.vstack(each), tuple(garments)
