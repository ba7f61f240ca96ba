"""What calls of the kernels have found, gathered until it is worth handing over."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from solver.engine.integrate.plan import History
from solver.engine.integrate.samples import Samples
from solver.model.compile import Modes
from solver.running.outputs.instants import Instants

ENOUGH = 128
"""Samples from which on what was found is handed over: what is made of fewer costs nearly as much."""

SOON_S = 0.1
"""Time after which it is handed over, however little it is."""

STEPS_AT_ONCE = 400
"""Steps after which kernels hand over what they have, if their time does not come before."""

STEPS_LATER = 4000
"""The same in a run that nobody follows: what is made of a block costs little more for a longer one."""


class Found(NamedTuple):
    """Hold samples at these instants, the modes at each of them, and steps and events in between."""

    due: Instants
    modes: Modes
    samples: Samples
    history: History
    steps: int
    events: int

    def copied(self) -> Found:
        """Give the same in arrays of its own, as long as they have to be."""
        samples: Any = self.samples
        history: Any = self.history
        taken = len(self.due.times)
        counts = [self.events if n.startswith("event") else self.steps for n in History._fields]
        return self._replace(
            samples=samples._make(one[:taken].copy() for one in samples),
            history=history._make(one[:n].copy() for one, n in zip(history, counts, strict=True)),
        )


class Gathered:
    """Hold what waits: finds of calls that came back for an event alone, while bodies stay of their kinds."""

    def __init__(self) -> None:
        self._waiting: list[Found] = []
        self._since = 0.0

    def offer(self, found: Found, may_wait: bool) -> Iterator[list[Found]]:
        """Copy what was found, and give what is to be handed over now, each together."""
        if self._waiting and not np.array_equal(self._waiting[-1].modes.kind, found.modes.kind):
            yield self.taken()
        if not self._waiting:
            self._since = time.perf_counter()
        self._waiting.append(found.copied())
        taken = sum(len(one.due.times) for one in self._waiting)
        if not may_wait or taken >= ENOUGH or time.perf_counter() - self._since > SOON_S:
            yield self.taken()

    def taken(self) -> list[Found]:
        """Give what waits, and wait for more."""
        waiting, self._waiting = self._waiting, []
        return waiting


def joined(found: Sequence[Found]) -> Found:
    """Give copies that follow each other as one; their bodies are of the same kinds."""
    if len(found) == 1:
        return found[0]
    due, modes, samples, histories, steps, events = zip(*found, strict=True)
    return Found(
        Instants(*_rows([(one.times, one.is_frame, one.is_sample) for one in due])),
        Modes(modes[0].kind, *_rows([one[1:] for one in modes])),
        Samples(*_rows(samples)), History(*_rows(histories)), sum(steps), sum(events),
    )  # fmt: skip


def _rows(parts: Sequence[Sequence[Any]]) -> list[Any]:
    """Put arrays of one name behind each other."""
    return [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]
