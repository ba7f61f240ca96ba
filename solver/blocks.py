"""Room for what one call of the kernels finds, used again once that has been handed over."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Semaphore
from typing import Any, NamedTuple, TypeVar

from solver.integrate.plan import History
from solver.integrate.samples import Samples

MOST = 3
"""Blocks that are not copied, while what is in them is handed over."""

STEPS_AT_ONCE = 400
"""Steps after which kernels hand over what they have, if their time does not come before."""

STEPS_LATER = 4000
"""The same in a run that nobody follows: what is made of a block costs little more for a longer one."""

B = TypeVar("B", Samples, History)


class Block(NamedTuple):
    """Hold samples, and the steps between them."""

    samples: Samples
    history: History

    def first(self, count: int) -> Block:
        """Copy the first samples, and all steps."""
        return Block(_first(self.samples, count), _first(self.history, len(self.history.time)))


class Blocks:
    """Give blocks to kernels, and to those who take what was found: the very same, or a copy."""

    def __init__(self, make: Callable[[], Block]) -> None:
        self._make = make
        self._free = deque[Block]()
        self._may_lend = Semaphore(MOST)

    def take(self) -> Block:
        """Give a block that nobody reads or writes."""
        return self._free.popleft() if self._free else self._make()

    def put(self, block: Block) -> None:
        """Take back a block that kernels have filled with nothing."""
        self._free.append(block)

    def lend(self, block: Block, count: int) -> tuple[Block, Callable[[], None]]:
        """Give a block to be read, and what is to be called once it has been."""
        if self._may_lend.acquire(blocking=False):
            return block, lambda: self._back(block)
        self._free.append(block)
        return block.first(count), lambda: None

    def _back(self, block: Block) -> None:
        self._free.append(block)
        self._may_lend.release()


def _first(bundle: B, count: int) -> B:
    """Copy the first rows of all arrays."""
    made: Any = bundle
    out: B = made._make(one[:count].copy() for one in made)
    return out
