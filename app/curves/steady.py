"""Keep the axes of a plot still while its curves grow."""

from __future__ import annotations

from typing import Any

import numpy as np

_ROOM = 0.3
"""What is left free above and below, as a part of the curves' height."""
_LEAST = 0.4
"""Curves that fill less than this part of the height get another range."""


class Steady:
    """Hold the range of one view box, unless people have chosen one by hand."""

    def __init__(self, box: Any) -> None:
        self._box = box
        self.is_held = False
        box.sigRangeChangedManually.connect(self._on_hand)

    def hold(self, until_ms: float | None, items: list[Any]) -> None:
        """Show all of the time up to an instant (ms), and the items; the height changes seldom."""
        box = self._box
        if not self.is_held and not all(box.autoRangeEnabled()):
            return
        bounds = [item.dataBounds(1) for item in items if hasattr(item, "dataBounds")]
        ends = np.array([pair for pair in bounds if pair[0] is not None], float)
        if not len(ends):
            return
        low, high = float(ends[:, 0].min()), float(ends[:, 1].max())
        size = max(high - low, 1e-12)
        bottom, top = box.viewRange()[1]
        is_new = not self.is_held
        self.is_held = True
        if is_new and until_ms is not None:
            box.setXRange(0.0, until_ms, padding=0.02)
        if is_new or low < bottom or high > top or size < _LEAST * (top - bottom):
            box.setYRange(low - _ROOM * size, high + _ROOM * size, padding=0.0)

    def release(self) -> None:
        """Let the range follow the curves again."""
        if self.is_held:
            self.is_held = False
            self._box.enableAutoRange()

    def _on_hand(self, *_: object) -> None:
        self.is_held = False
