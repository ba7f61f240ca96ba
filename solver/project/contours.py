"""Joint sinuses: the angle at which a globographic stop begins, by azimuth (section 6.2.6)."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.base.places import resources


@functools.cache
def library() -> dict[str, tuple[float, ...]]:
    """Give the coefficients (rad) of the nine printed contours by joint (Figures 6.6 to 6.14)."""
    data = json.loads((resources() / "contours.json").read_text(encoding="utf-8"))
    return {name: tuple(entry["coefficients_rad"]) for name, entry in data.items()}


def stop_angle(coefficients: Sequence[float], azimuth: ArrayLike) -> NDArray[np.float64]:
    """Give the stop angle (rad) at an azimuth (rad).

    The sum over n of cos^(n-1) (C[2n-1] + C[2n] sin); an odd set ends with a zero.
    """
    phi = np.asarray(azimuth, dtype=float)
    even = (*coefficients, 0.0)[: len(coefficients) + len(coefficients) % 2]
    theta = np.zeros_like(phi)
    for c_cos, c_sin in reversed(list(zip(even[0::2], even[1::2], strict=True))):
        theta = theta * np.cos(phi) + (c_cos + c_sin * np.sin(phi))
    return theta
