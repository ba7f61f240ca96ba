"""Forces that users' functions give at fixed times, as another program would that runs beside this one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from solver.model.set_forces import Force, three
from solver.running.outside import Outside

Between = Literal["held", "linear"]


@dataclass
class Exchange:
    """A function that is asked for a force every so many seconds."""

    name: str
    made: Force
    ask: Callable[[], Iterable[float]]
    every: float
    start: float
    between: Between
    count: int = 0
    last: NDArray[np.float64] | None = field(default=None, repr=False)

    @property
    def due(self) -> float:
        """When it is asked next (s)."""
        return self.start + self.count * self.every

    def take(self, given: Iterable[float], outside: Outside) -> None:
        """Let what it gave act from now on: held, or going on as it went from the last time to this one."""
        value = np.array(three(given, f"The {self.made.kind} on '{self.made.segment}'"))
        outside.push(self.name, self.made.of(value.tolist()))
        if self.between == "linear" and self.last is not None:
            rate = (value - self.last) / self.every
            grows = Force(
                self.made.segment,
                (0.0, 0.0, 0.0),
                self.made.point,
                self.made.axes,
                self.made.kind,
                self.due,
            )
            outside.push(f"{self.name} grows", grows.of(rate.tolist()))
        self.last, self.count = value, self.count + 1


class Exchanges:
    """All such functions of a run."""

    def __init__(self, near: float) -> None:
        self._near, self._all = near, dict[str, Exchange]()

    def add(self, one: Exchange) -> None:
        """Begin to ask it."""
        self._all[one.name] = one

    def drop(self, name: str, outside: Outside) -> None:
        """Ask it no more."""
        self._all.pop(name, None)
        # a state may hold how it went on, though nobody is asked any more
        outside.push(f"{name} grows", None)

    def clear(self) -> None:
        """Forget all of them."""
        self._all.clear()

    @property
    def next(self) -> float | None:
        """The next time at which one is asked (s)."""
        return min((one.due for one in self._all.values()), default=None)

    def take(self, now: float, outside: Outside) -> None:
        """Ask all that are due."""
        for one in list(self._all.values()):
            if one.due <= now + self._near:
                value = one.ask()
                # it may have taken itself away
                if self._all.get(one.name) is one:
                    one.take(value, outside)

    def before(self, time: float) -> float | None:
        """The next time before another at which one is asked; what differs from it by rounding alone is not before."""
        due = self.next
        return None if due is None or due >= time - self._near else due
