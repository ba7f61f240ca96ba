"""Take pictures that are kept: as fine as asked for, without a ground, with what is near and far out of focus."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from app.scene.exposure import SHIFTS, Exposure, Pixels

Backdrop = Literal["scene", "white", "clear"]
"""What lies behind everything: ground and sky, white with shadows, or nothing: the picture is seen through there."""

Fineness = Literal["draft", "fine", "print"]
SAMPLES: dict[Fineness, int] = {"draft": 1, "fine": 8, "print": 32}
"""How many pictures make one, each moved by a part of a pixel."""

Blur = Literal["none", "gentle", "strong"]
LENSES: dict[Blur, float] = {"none": 0.0, "gentle": 0.008, "strong": 0.02}
"""Radius of the lens in parts of its distance to what is in focus; light through all of it makes one picture."""
_LEAST = 32
"""Pictures that a blur needs so that no edges are told apart in it."""
_GOLDEN = math.pi * (3.0 - math.sqrt(5.0))


@dataclass(frozen=True, slots=True)
class Still:
    """Say how a picture is taken, and the element that is in focus; empty for the middle of what is looked at."""

    fineness: Fineness = "fine"
    backdrop: Backdrop = "scene"
    blur: Blur = "none"
    focus: str = ""

    @property
    def samples(self) -> int:
        """How many pictures make it."""
        own = SAMPLES[self.fineness]
        return own if self.blur == "none" else max(own, _LEAST)


FINE = Still()
"""As fine as in the window at rest."""


def shifts(count: int) -> list[tuple[float, float]]:
    """Give by what parts of a pixel so many pictures are moved: evenly over it, no two in one row or column."""
    if count == 1:
        return [(0.0, 0.0)]
    if count == len(SHIFTS):
        return list(SHIFTS)
    return [((n + 0.5) / count - 0.5, _turned(n, count) - 0.5) for n in range(count)]


def _turned(n: int, count: int) -> float:
    """Give a number with its digits to base 2 behind the point, last first, in the middle of its part."""
    out, part = 0.0, 0.5
    while n:
        out, n, part = out + part * (n & 1), n >> 1, 0.5 * part
    return out + 0.5 / count


def lens(count: int, radius: float) -> list[tuple[float, float]]:
    """Places all over a round lens (m), each for as much of it as the others; their mean is its middle."""
    if radius == 0.0:
        return [(0.0, 0.0)] * count
    places = np.array(
        [
            (
                math.sqrt((n + 0.5) / count)
                * np.array([math.cos(n * _GOLDEN), math.sin(n * _GOLDEN)])
            )
            for n in range(count)
        ]
    )
    places -= places.mean(axis=0)
    # the order has nothing to do with that of the parts of a pixel
    order = [(7 * n) % count for n in range(count)] if count % 7 else range(count)
    return [(float(radius * places[n, 0]), float(radius * places[n, 1])) for n in order]


class Taking:
    """Take one picture of a stage in steps; a window stays alive between them."""

    def __init__(self, stage: Any, exposure: Exposure, still: Still, size: tuple[int, int]) -> None:
        self._stage, self._exposure, self._still, self._size = stage, exposure, still, size
        camera = stage.camera
        away = camera.distance
        place = stage.place_of(still.focus) if still.focus else None
        if place is not None:
            away = float((camera.eye() - place) @ camera.axes()[2])
        self._away = max(away, 1e-3)
        count = still.samples
        self._shifts = shifts(count)
        # through parallel rays all is in focus
        radius = 0.0 if camera.parallel else LENSES[still.blur] * self._away
        self._lens = lens(count, radius)
        grounds: dict[Backdrop, tuple[float | None, ...]] = {
            "scene": (None,), "white": (1.0,), "clear": (0.0, 1.0)
        }  # fmt: skip
        self._grounds = grounds[still.backdrop]
        width, height = size
        self._sums = [np.zeros((height, width, 4), np.uint16) for _ in self._grounds]
        self._taken = 0

    @property
    def part(self) -> float:
        """Where the next of the pictures lies in the time of all, from 0 to 1."""
        return (self._taken + 0.5) / (len(self._shifts) * len(self._grounds))

    def step(self) -> Pixels | None:
        """Draw one of the pictures; the last gives the whole: rows from below, red, green, blue, opacity."""
        n, ground = divmod(self._taken, len(self._grounds))
        stage = self._stage
        stage.stand_before(self._grounds[ground])
        stage.look_through(*self._lens[n], self._away)
        try:
            self._sums[ground] += self._exposure.moved(*self._size, self._shifts[n])
        finally:
            stage.stand_before(None)
            stage.look_through(0.0, 0.0, self._away)
        self._taken += 1
        if self._taken < len(self._shifts) * len(self._grounds):
            return None
        count = len(self._shifts)
        means = [np.asarray(each / np.float32(count), np.float32) for each in self._sums]
        if len(means) == 2:
            return unmixed(means[0][..., :3], means[1][..., :3])
        whole = np.round(means[0]).astype(np.uint8)
        whole[..., 3] = 255
        return whole

    def whole(self) -> Pixels:
        """Take it at once."""
        while True:
            picture = self.step()
            if picture is not None:
                return picture


def unmixed(on_black: NDArray[np.float32], on_white: NDArray[np.float32]) -> Pixels:
    """Tell colour and opacity from the same picture before black and before white (0 to 255).

    What is seen is c a before black, and c a + 255 (1 - a) before white.
    """
    opacity = np.clip(1.0 - (on_white - on_black).mean(axis=-1) / 255.0, 0.0, 1.0)
    colour = on_black / np.maximum(opacity, 1.0 / 255.0)[..., None]
    out = np.empty((*opacity.shape, 4), np.uint8)
    out[..., :3] = np.round(np.clip(colour, 0.0, 255.0))
    out[..., 3] = np.round(255.0 * opacity)
    return out
