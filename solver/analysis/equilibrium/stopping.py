"""Stop what is being worked out at rest, wherever in it the next evaluation is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from solver.analysis.equilibrium.refusal import SettleError

_CANCEL: ContextVar[Callable[[], bool] | None] = ContextVar("cancel", default=None)
_COMPILED: ContextVar[Callable[[int, int], object] | None] = ContextVar("compiled", default=None)


class Cancelled(SettleError):
    """Say that somebody wanted no answer any more."""


@contextmanager
def may_stop(cancel: Callable[[], bool] | None) -> Iterator[None]:
    """Let all evaluations in here, and compiling, look whether they are still wanted."""
    token = _CANCEL.set(cancel)
    try:
        yield
    finally:
        _CANCEL.reset(token)


def is_asked() -> bool:
    """Say whether the work in hand is not wanted any more."""
    cancel = _CANCEL.get()
    return cancel is not None and cancel()


def look() -> None:
    """Raise Cancelled where the work in hand is not wanted any more."""
    if is_asked():
        raise Cancelled("Settling was cancelled.")


@contextmanager
def telling(compiled: Callable[[int, int], object]) -> Iterator[None]:
    """Let whoever waits in here be told how many parts of the solver are compiled, and of how many."""
    token = _COMPILED.set(compiled)
    try:
        yield
    finally:
        _COMPILED.reset(token)


def tell_compiled(done: int, of: int) -> None:
    """Tell it, if somebody wants to know."""
    tell = _COMPILED.get()
    if tell is not None:
        tell(done, of)
