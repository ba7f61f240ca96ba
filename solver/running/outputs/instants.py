"""The instants of a run that are sampled: frames, samples of channels, and the very end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.engine.dynamics.tree import Array
from solver.project.runs import Run

ROWS = 256
"""Samples in a block."""


@dataclass(frozen=True)
class Instants:
    """Hold times to sample: which of them are frames, which are samples of channels."""

    times: Array
    is_frame: NDArray[np.bool_]
    is_sample: NDArray[np.bool_]

    def first(self, count: int) -> Instants:
        """Give the first of them."""
        return Instants(self.times[:count], self.is_frame[:count], self.is_sample[:count])

    def behind(self, time: float) -> Instants:
        """Give those behind a time."""
        n = int(np.searchsorted(self.times, time, side="right"))
        return Instants(self.times[n:], self.is_frame[n:], self.is_sample[n:])

    def with_frame_at_end(self, time: float) -> Instants:
        """Give the same with a frame at the last, whose time is told anew: it may be off by rounding."""
        times, is_frame = self.times.copy(), self.is_frame.copy()
        times[-1], is_frame[-1] = time, True
        return Instants(times, is_frame, self.is_sample)

    def and_frame(self, time: float) -> Instants:
        """Give the same and a frame behind them."""
        return Instants(
            np.append(self.times, time), np.append(self.is_frame, True), np.append(self.is_sample, False)
        )  # fmt: skip


def nearness(run: Run) -> float:
    """Give how near each other two instants of a run are one (s)."""
    return 1e-9 * float(min(1.0 / run.channel_rate_hz, run.frame_interval_s))


def instants(run: Run) -> Iterator[Instants]:
    """Give all times in blocks: the two grids merged, and the very end."""
    end, period, interval = run.duration_s, 1.0 / run.channel_rate_hz, run.frame_interval_s
    near = nearness(run)
    # of both grids no more than a block is made at once, however different they are
    span = (ROWS - 4) / (1.0 / period + 1.0 / interval)
    from_, last = 0.0, False
    while not last:
        to = from_ + span
        last = to >= end - near
        limit = end + near if last else to - near
        first_k, first_j = (int(np.ceil((from_ - near) / d)) for d in (period, interval))
        dense = np.arange(first_k, int(np.floor(limit / period)) + 1) * period
        frames = np.arange(first_j, int(np.floor(limit / interval)) + 1) * interval
        both = np.concatenate([dense, frames, [end] if last else []])
        both.sort()
        times = both[np.diff(both, prepend=-np.inf) > near]
        times = np.minimum(times, end)
        marks = [_on_grid(times, d, near) for d in (interval, period)]
        if last:
            marks[0][-1] = True
        for n in range(0, len(times), ROWS):
            part = slice(n, n + ROWS)
            yield Instants(times[part], marks[0][part], marks[1][part])
        from_ = to


def _on_grid(times: Array, period: float, near: float) -> NDArray[np.bool_]:
    out: NDArray[np.bool_] = np.abs(times - np.round(times / period) * period) <= near
    return out
