"""Numbers as users give them: tuples, lists or arrays of numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

Array: TypeAlias = "NDArray[np.floating[Any] | np.integer[Any]]"
Numbers: TypeAlias = "Sequence[float] | Array"
Vec3: TypeAlias = "tuple[float, float, float] | list[float] | Array"
Matrix3: TypeAlias = "tuple[Vec3, Vec3, Vec3] | list[Vec3] | list[list[float]] | Array"
