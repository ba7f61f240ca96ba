"""Numbers as users give them: tuples, lists or arrays of numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Numbers: TypeAlias = "Sequence[float] | NDArray[np.float64]"
Vec3: TypeAlias = "tuple[float, float, float] | list[float] | NDArray[np.float64]"
Matrix3: TypeAlias = (
    "tuple[Vec3, Vec3, Vec3] | list[Vec3] | list[list[float]] | NDArray[np.float64]"
)
