"""Set a camera so that all who move are in the picture over a whole run, clear of what is written over it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from itertools import chain, product, takewhile
from typing import Any, Protocol

import numpy as np

from app.scene.lens import Lens, Margins, OrbitCamera
from solver.engine.maths.rotation import Array

Box = tuple[float, float, float, float]
"""Left, top, right and lower edge, in pixels of a picture."""
Size = tuple[float, float]
_EDGE_PX, _GAP_PX = 10.0, 5.0
"""Left free at the edges of a picture, and about what is written over it."""
_MOST = 0.45
"""Margins are no larger than such a part of the picture, both of a side together."""
_FARTHEST, _RIM = 4.0, 0.02
"""How many times farther one steps back for what moves, and the part of a picture at its edges in which nothing is to be."""
_VAST = 5.0
"""A plane so many times as large as all bodies is not held in the picture."""
_KEPT = 6
"""So many framings are known again."""
_FARTHER = 1.15
"""One goes no more than so much farther away for the sake of the key of colours and arrows."""


def held(places: Iterable[tuple[bool, Array]]) -> list[Array]:
    """What a camera is to hold of planes (True) and bodies, points (n, 3) of each: floors on which bodies were dots count for nothing."""
    every = list(places)
    bodies = [points for is_plane, points in every if not is_plane]
    most = _VAST * _extent(np.vstack(bodies)) if bodies else np.inf
    return [points for is_plane, points in every if not (is_plane and _extent(points) > most)]


def _extent(points: Array) -> float:
    return float(np.linalg.norm(np.ptp(points, axis=0)))


class OnScreen:
    """Where places are seen, worked out once for each view of them."""

    def __init__(self) -> None:
        self._last: tuple[Array, tuple[float, ...], Array] | None = None

    def pixels(self, places: Array, lens: Lens) -> Array:
        """The pixels (n, 2) of places (n, 3)."""
        camera = lens.camera
        stands = (*camera.target, camera.distance, camera.azimuth, camera.elevation)
        at = (*stands, camera.parallel, lens.width, lens.height)
        if self._last is None or self._last[0] is not places or self._last[1] != at:
            self._last = places, at, lens.pixels(places)
        return self._last[2]


class Framed:
    """How places were framed lately, so that a mood that is found again costs nothing."""

    def __init__(self) -> None:
        self._known: list[tuple[Array, tuple[object, ...], float, Array]] = []

    def frame(
        self,
        camera: OrbitCamera,
        size: Size,
        places: tuple[Array, Array],
        boxes: Sequence[Box],
        keys: Sequence[Box] = (),
    ) -> None:
        """Come so near that all is seen, as `frame` does."""
        turned = camera.azimuth, camera.elevation, camera.parallel, *camera.up
        how = (*turned, size, tuple(boxes), tuple(keys))
        found = next((one for one in self._known if one[0] is places[0] and one[1] == how), None)
        if found is None:
            frame(camera, size, places, boxes, keys)
            found = places[0], how, camera.distance, camera.target
            self._known = [found, *self._known[: _KEPT - 1]]
        _, _, camera.distance, camera.target = found


def frame(
    camera: OrbitCamera,
    size: Size,
    places: tuple[Array, Array],
    boxes: Sequence[Box],
    keys: Sequence[Box] = (),
) -> None:
    """Come so near that all `places` are seen; the second of them, ends of people, not below any of the boxes.

    Where it costs little, one of `keys`, where the key may stand, is left free of all.
    """
    everything, ends = places
    outermost, towards = _hull(everything), camera.axes()[2]
    behind = float((outermost.mean(axis=0) - everything.mean(axis=0)) @ towards)
    width, height = size
    tried: list[tuple[float, Array]] = []
    for left, right, above, below in product(*_margins(size, (*boxes, *keys))):
        if left + right > _MOST * width or above + below > _MOST * height:
            continue
        margins = Margins(left / width, right / width, above / height, below / height)
        camera.fit_within(outermost, width / height, margins)
        # one turns about the middle of all places, not of the outermost
        tried.append((camera.distance + behind, camera.target - behind * towards))
    if not tried:
        camera.fit(everything, width / height)
        return
    tried.sort(key=lambda one: one[0])
    lens = Lens(camera, width, height)

    def looks(one: tuple[float, Array]) -> None:
        camera.distance, camera.target = one

    def clear(one: tuple[float, Array]) -> bool:
        looks(one)
        return not (len(ends) and meet(lens.pixels(ends), boxes))

    def has_key(one: tuple[float, Array]) -> bool:
        looks(one)
        seen = lens.pixels(everything)
        return any(not meet(seen, (key,)) for key in keys)

    at = next((n for n, one in enumerate(tried) if clear(one)), None)
    first, others = tried[at or 0], iter(tried[1:])
    if at is not None:
        others = filter(clear, tried[at + 1 :])
    near = takewhile(lambda one: one[0] <= _FARTHER * first[0], chain([first], others))
    looks(next(filter(has_key, near), first) if keys else first)


def stepped_back(
    camera: OrbitCamera, points: Callable[[], Array], places: Array, aspect: float, below: float
) -> bool:
    """Whether one had to step back from all points, so that places (n, 3) are in the picture too.

    It is not done for what goes so far away that nothing would be told from anything.
    """
    seen = Lens(camera, aspect, 1.0).pixels(places) / (aspect, 1.0)
    if not len(places) or bool(np.all((seen > _RIM) & (seen < (1.0 - _RIM, 1.0 - _RIM - below)))):
        return False
    other = copy(camera)
    other.fit(np.vstack([points(), places]), aspect, below)
    if other.distance > _FARTHEST * camera.distance:
        return False
    camera.target, camera.distance = other.target, other.distance
    return True


def _hull(places: Array) -> Array:
    """The corners of the hull of places (n, 3): they alone reach the edges of a picture."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        return np.asarray(places[ConvexHull(places).vertices])
    except (QhullError, ValueError):
        return places


class Rect(Protocol):
    """A rectangle of Qt."""

    def getCoords(self) -> Any:
        """Give its left, top, right and lower edge."""


def box_of(rect: Rect) -> Box:
    """A rectangle of a picture as plain numbers."""
    left, top, right, low = rect.getCoords()
    return left, top, right, low


def meet(pixels: Array, boxes: Iterable[Box], gap: float = _GAP_PX) -> bool:
    """Whether any pixel (n, 2) lies in one of some boxes, or beside it."""
    x, y = pixels[:, 0], pixels[:, 1]
    return any(
        bool(np.any((x > left - gap) & (x < right + gap) & (y > top - gap) & (y < low + gap)))
        for left, top, right, low in boxes
    )


def _margins(size: Size, boxes: Iterable[Box]) -> tuple[list[float], ...]:
    """What may be left free at the left, the right, above and below: past each box that lies there, or none of them."""
    width, height = size
    found: tuple[set[float], ...] = tuple({_EDGE_PX} for _ in range(4))
    for left, top, right, low in boxes:
        for side, depth, most in zip(
            found,
            (right, width - left, low, height - top),
            (width, width, height, height),
            strict=True,
        ):
            if depth + _EDGE_PX <= _MOST * most:
                side.add(round(depth + _EDGE_PX))
    return tuple(sorted(side) for side in found)
