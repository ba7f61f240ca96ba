"""The machine code of a kernel, called without a look at the types of what it is given.

Numba looks at each of the hundreds of arrays of a model at every call, which takes ten times as long as to hand them over.
Who calls again and again with arrays of the same types asks for the code once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def entry_of(kernel: Any, given: tuple[Any, ...]) -> Callable[..., Any]:
    """The code for these arguments, once it has been called with them.

    It trusts that all later ones are of the same types: number and order of dimensions, and kind of numbers.
    """
    import numba

    typeof: Any = numba.typeof
    overloads = kernel.dispatcher.overloads
    # where there is one code, it is the one that has just been called
    made = next(iter(overloads.values())) if len(overloads) == 1 else overloads[tuple(map(typeof, given))]  # fmt: skip
    found: Callable[..., Any] = made.entry_point
    return found
