"""The instants of a run that are sampled, and what the kernels have found at them until it is handed over."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.engine.dynamics.tree import Array
from solver.engine.integrate.plan import History
from solver.engine.integrate.samples import Samples
from solver.model.compile import Modes
from solver.project.runs import Run

# The instants of a run that are sampled: frames, samples of channels, and the very end.

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


# What calls of the kernels have found, gathered until it is worth handing over.

ENOUGH = 128
"""Samples from which on what was found is handed over: what is made of fewer costs nearly as much."""

SOON_S = 0.1
"""Time after which it is handed over, however little it is."""

STEPS_AT_ONCE = 400
"""Steps after which kernels hand over what they have, if their time does not come before."""

STEPS_LATER = 4000
"""The same in a run that nobody follows: what is made of a block costs little more for a longer one."""


class OutputBlock(NamedTuple):
    """Hold samples at these instants, the modes at each of them, and steps and events in between."""

    due: Instants
    modes: Modes
    samples: Samples
    history: History
    steps: int
    events: int

    def copied(self) -> OutputBlock:
        """Give the same in arrays of its own, as long as they have to be."""
        samples: Any = self.samples
        history: Any = self.history
        taken = len(self.due.times)
        counts = [self.events if n.startswith("event") else self.steps for n in History._fields]
        return self._replace(
            samples=samples._make(one[:taken].copy() for one in samples),
            history=history._make(one[:n].copy() for one, n in zip(history, counts, strict=True)),
        )


class OutputBuffer:
    """Hold what waits: finds of calls that came back for an event alone, while bodies stay of their kinds."""

    def __init__(self) -> None:
        self._waiting: list[OutputBlock] = []
        self._since = 0.0

    def offer(self, found: OutputBlock, may_wait: bool) -> Iterator[list[OutputBlock]]:
        """Copy what was found, and give what is to be handed over now, each together."""
        if self._waiting and not np.array_equal(self._waiting[-1].modes.kind, found.modes.kind):
            yield self.taken()
        if not self._waiting:
            self._since = time.perf_counter()
        self._waiting.append(found.copied())
        taken = sum(len(one.due.times) for one in self._waiting)
        if not may_wait or taken >= ENOUGH or time.perf_counter() - self._since > SOON_S:
            yield self.taken()

    def taken(self) -> list[OutputBlock]:
        """Give what waits, and wait for more."""
        waiting, self._waiting = self._waiting, []
        return waiting


def joined(found: Sequence[OutputBlock]) -> OutputBlock:
    """Give copies that follow each other as one; their bodies are of the same kinds."""
    if len(found) == 1:
        return found[0]
    due, modes, samples, histories, steps, events = zip(*found, strict=True)
    return OutputBlock(
        Instants(*_rows([(one.times, one.is_frame, one.is_sample) for one in due])),
        Modes(modes[0].kind, *_rows([one[1:] for one in modes])),
        Samples(*_rows(samples)), History(*_rows(histories)), sum(steps), sum(events),
    )  # fmt: skip


def _rows(parts: Sequence[Sequence[Any]]) -> list[Any]:
    """Put arrays of one name behind each other."""
    return [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]
