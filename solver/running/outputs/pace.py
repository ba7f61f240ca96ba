"""Follow the steps of a run, and say what held it up where they became very short."""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.base.words import Sentence, msgid
from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.integrate.flow import LOOKED, STEPS, STIFF
from solver.engine.integrate.implicit import OFTEN, SINCE, TAKEN_OVER, Implicit
from solver.model.compile import Model

SHORT = 0.05
"""Length of a step, in parts of the time between samples, below which it is short."""

MANY, MOST = 1000, 0.5
"""Short steps, and their part of all, from which a run was held up."""

HELD_UP = msgid(
    "note: {short} of {steps} steps were shorter than {limit:.2g} s, most of them between "
    "{first:.4g} and {last:.4g} s; the motion of '{segment}' limited {share:.0%} of them: "
    "look at what touches and holds it there"
)


STIFF_RUN, STIFF_PART = 1000, 0.8
"""Steps, and the part of those asked that stiffness keeps short, from which it is worth a word."""

KEPT_SHORT = msgid(
    "note: stiffness or damping, not error, kept {share:.0%} of the steps short (about {step:.2g} s); "
    "the integrator 'implicit' is not bound by it"
)
TOOK_OVER = msgid(
    "note: stiffness or damping, not error, kept steps short; from {since:.4g} s on the integrator "
    "'implicit' went on, which is not bound by it"
)
WAS_WEIGHED = msgid(
    "note: stiffness or damping, not error, kept steps short; from {since:.4g} s on the integrator "
    "'implicit', which is not bound by it, went on wherever it was quicker"
)


class Pace:
    """Count short steps, when they were, and whose error limited them."""

    def __init__(self, model: Model, between_samples_s: float) -> None:
        self._model = model
        self._limit = SHORT * between_samples_s
        self._steps, self._length = 0, 0.0
        self._times: list[Array] = []
        self._of_body = np.zeros(len(model.system.tree.parent), np.int64)

    def memory(self) -> tuple[Any, ...]:
        """Give what has been followed."""
        return self._steps, self._length, self._times, self._of_body

    def recall(self, memory: tuple[Any, ...]) -> None:
        """Follow on from there."""
        self._steps, self._length, self._times, self._of_body = memory

    def take(self, time: Array, step: Array, worst: IntArray) -> None:
        """Take the next steps: their ends, lengths, and the bodies with the largest errors."""
        self._steps += len(step)
        self._length += float(np.sum(step))
        short = step < self._limit
        if np.any(short):
            self._times.append(time[short])
            self._of_body += np.bincount(worst[short], minlength=len(self._of_body))

    def told(self, counters: IntArray, implicit: Implicit) -> list[Sentence]:
        """Say what held the run up, if it was held up."""
        if often := implicit.counts[OFTEN]:
            for_good = often == 1 and implicit.counts[TAKEN_OVER]
            said = TOOK_OVER if for_good else WAS_WEIGHED
            return [Sentence(said, since=float(implicit.numbers[SINCE]))]
        looked, stiff = int(counters[LOOKED]), int(counters[STIFF])
        if counters[STEPS] >= STIFF_RUN and stiff > STIFF_PART * looked:
            return [Sentence(KEPT_SHORT, share=stiff / looked, step=self._length / self._steps)]
        count = sum(map(len, self._times))
        if count < MANY or count < MOST * self._steps:
            return []
        first, last = np.quantile(np.concatenate(self._times), (0.05, 0.95))
        body = int(np.argmax(self._of_body))
        return [
            Sentence(
                HELD_UP,
                short=count,
                steps=self._steps,
                limit=self._limit,
                first=float(first),
                last=float(last),
                segment=self._model.segment_of(body),
                share=float(self._of_body[body] / count),
            )
        ]
