"""Show another project whole, although it is laid out in several turns of the event loop."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from app.jobs.turns import Turns


class Curtain:
    """Leave on the screen what was seen until all is there; keys and the mouse are heard meanwhile."""

    def __init__(self, hold: Callable[[bool], object], turns: Turns) -> None:
        """Begin open; `hold` leaves the screen as it is, or lets it be painted again."""
        self._hold, self._turns = hold, turns
        self._falls = 0

    def fall(self) -> None:
        """Leave the screen as it is from now on; what another fall still had to do is left away."""
        self._falls += 1
        self._hold(True)

    def rise_after(
        self, *steps: Callable[[], object], once: Callable[[], bool] = lambda: True
    ) -> None:
        """Do some steps `once` all is ready for them, in turns behind those that wait, and let the screen be painted."""
        fall = self._falls
        rise: Callable[[], object] = partial(self._hold, False)
        self._turns.wait_until(lambda: fall != self._falls or once())
        for step in (*steps, rise):
            self._turns.add(partial(self._do, step, self._falls))

    def _do(self, step: Callable[[], object], fall: int) -> None:
        if fall == self._falls:
            step()
