"""What calls of the kernels have found, gathered until it is worth handing over."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from solver.integrate.plan import History
from solver.integrate.samples import Samples
from solver.model.compile import Modes
from solver.outputs.instants import Instants

ENOUGH = 128
"""Samples from which on what was found is handed over: what is made of fewer costs nearly as much."""

SOON_S = 0.1
"""Time after which it is handed over, however little it is."""


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
        taken = len(self.due.times)
        counts = [
            self.events if name.startswith("event") else self.steps for name in History._fields
        ]
        return self._replace(
            samples=Samples(*(one[:taken].copy() for one in self.samples)),
            history=History(*(one[:n].copy() for one, n in zip(self.history, counts, strict=True))),
        )


class Gathered:
    """Hold what waits: finds of calls that came back for an event alone, while bodies stay of their kinds."""

    def __init__(self) -> None:
        self._waiting: list[Found] = []
        self._since = 0.0

    def fits(self, found: Found) -> bool:
        """Say whether this may be handed over together with what waits."""
        return not self._waiting or np.array_equal(self._waiting[-1].modes.kind, found.modes.kind)

    @property
    def holds_any(self) -> bool:
        """Say whether anything waits."""
        return bool(self._waiting)

    def add(self, found: Found) -> None:
        """Let it wait."""
        if not self._waiting:
            self._since = time.perf_counter()
        self._waiting.append(found.copied())

    @property
    def is_worth_it(self) -> bool:
        """Say whether enough waits, or something for long enough."""
        taken = sum(len(one.due.times) for one in self._waiting)
        return taken >= ENOUGH or time.perf_counter() - self._since > SOON_S

    def taken(self) -> list[Found]:
        """Give what waits, and wait for more."""
        waiting, self._waiting = self._waiting, []
        return waiting


def joined(found: Sequence[Found]) -> Found:
    """Give as one what follows each other, none longer than its arrays; its bodies are of the same kinds."""
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
