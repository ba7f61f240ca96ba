"""Place points and frames of segments on their bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.model.tree import Trees, turn
from solver.project.geometry import FrameRef, PointRef
from solver.project.pose import Placed
from solver.project.segments import GROUND


class Bodies(Protocol):
    """Say which body each segment is, and where its origin O is from the mass centre."""

    @property
    def body_of(self) -> Mapping[str, int]:
        """Give bodies by segment."""

    @property
    def origin(self) -> Mapping[str, Array]:
        """Give origins by segment, segment axes."""


class Places(NamedTuple):
    """Hold which body each segment is and where its origin is: what of trees most changes leave the same."""

    body_of: Mapping[str, int]
    origin: Mapping[str, Array]


def point_on(trees: Bodies, segment: str, position: Sequence[float] | Array) -> tuple[int, Array]:
    """Give a segment's body (-1 for ground) and a point of it from the body's origin O."""
    if segment == GROUND:
        return -1, np.array(position, float)
    return trees.body_of[segment], np.array(position, float) - trees.origin[segment]


def frame_on(trees: Trees, ref: FrameRef) -> tuple[int, Array, Array]:
    """Give a frame's body, its origin from O and its turn in the body."""
    body, at = point_on(trees, ref.segment, ref.frame.position_m)
    return body, at, turn(ref.frame.orientation)


def placed(pose: Mapping[str, Placed], point: PointRef) -> Array:
    """Give a point in ground axes at the start."""
    at = pose[point.segment]
    place: Array = at.p_W + at.R_WS @ np.array(point.position_m)
    return place
