"""Linear equations whose matrix has a band along the diagonal and a border: an arrow.

Entry (i, j) is in the band if i and j differ by no more than its half width. The last `border` rows
and columns are full.
"""

from __future__ import annotations

from numpy.typing import NDArray

from solver.engine.jit.kernels import kernel

WORTH = 0.1
"""Size of a pivot on the diagonal, in parts of the largest one, from which on rows are not exchanged."""


@kernel
def solve_arrow(a: NDArray, b: NDArray, n: int, border: int, half: int) -> bool:  # type: ignore[type-arg]
    """Solve a x = b by elimination with pivots from the band; both are overwritten, b with x.

    Says whether there is a solution.
    """
    size, far = n + border, half
    for k in range(size):
        low = min(k + half, n - 1) if k < n else size - 1
        pivot, worth = k, abs(a[k, k])
        for i in range(k + 1, low + 1):
            if abs(a[i, k]) > worth:
                pivot, worth = i, abs(a[i, k])
        if not worth > 0.0:
            return False
        if abs(a[k, k]) >= WORTH * worth:
            pivot = k
        # rows reach no further right than those that have been exchanged before
        far = max(far, pivot + half)
        right = min(far, n - 1) if k < n else size - 1
        if pivot != k:
            for j in range(k, right + 1):
                a[k, j], a[pivot, j] = a[pivot, j], a[k, j]
            for j in range(n, size):
                if j > right:
                    a[k, j], a[pivot, j] = a[pivot, j], a[k, j]
            b[k], b[pivot] = b[pivot], b[k]
        inverse = 1.0 / a[k, k]
        i = k
        while i + 1 < size:
            i = i + 1 if i < low else max(i + 1, n)
            if i >= size:
                break
            if a[i, k] == 0.0:
                continue
            factor = a[i, k] * inverse
            for j in range(k + 1, right + 1):
                a[i, j] -= factor * a[k, j]
            for j in range(max(n, right + 1), size):
                a[i, j] -= factor * a[k, j]
            b[i] -= factor * b[k]
    for k in range(size - 1, -1, -1):
        right = min(k + 2 * half, n - 1) if k < n else size - 1
        x = b[k]
        for j in range(k + 1, right + 1):
            x -= a[k, j] * b[j]
        for j in range(max(n, right + 1), size):
            x -= a[k, j] * b[j]
        b[k] = x / a[k, k]
    return True
