"""Where a run leaves the finite numbers: it ends there, and what came before is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.dynamics.tree import Array
from solver.outputs.frames import Block
from solver.results.layout import ChannelSpec
from solver.words import tr


class Lost(NamedTuple):
    """Hold the first row of a block that is no longer finite, and a sentence about it."""

    row: int
    said: str


def first_lost(
    time: Array,
    block: Block,
    bodies: Block,
    frames: NDArray[np.intp],
    channels: Sequence[tuple[Sequence[ChannelSpec], Array]],
) -> Lost | None:
    """Find the first instant at which anything is not finite; `bodies` stand at `frames` alone."""
    rows, everywhere = len(time), np.arange(len(time))
    first, what = rows, ""
    found = [
        *((name, group, value, everywhere) for group, of in block.items() for name, value in of.items()),
        *((name, group, value, frames) for group, of in bodies.items() for name, value in of.items()),
        *((specs[0].name, "channels", values.T, everywhere) for specs, values in channels if specs),
    ]  # fmt: skip
    for name, group, value, at in found:
        if value.dtype.kind != "f" or np.isfinite(value).all():
            continue
        bad = ~np.isfinite(value).reshape(len(value), -1).all(axis=1)
        row = int(at[int(np.argmax(bad))])
        if row < first:
            first, what = row, f"{name.replace('_', ' ')} ({group})"
    if first == rows:
        return None
    return Lost(
        first,
        tr(
            "At {time:.6g} ms {what} is no finite number: something in the model is far too large or too small. What came before is kept.",
            time=1e3 * float(time[first]),
            what=what,
        ),
    )
