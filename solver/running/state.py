"""The state of a run: all that steps depend on, and what outputs follow on from block to block.

Kernels trust their numbers: one that counts rows or names a body is not looked at again. So what no
kernel writes must be as the model has it, to the last bit; whole numbers must lie in their range, and
all others be finite. A state that does not fit is not written either (`stepper.py`), so that none is
refused that this program has made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from typing import Any

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces.own import OwnLaws
from solver.engine.forces.system import System, Work
from solver.engine.integrate.flow import (
    Flow,
)
from solver.engine.integrate.plan import Method
from solver.model.set_forces import Force
from solver.project.document import Project
from solver.running.inputs import Kept
from solver.running.state_fits import FAR, MARKS, is_finite


def alike(theirs: Any, ours: Any) -> bool:
    """Whether what outputs follow on from is made as the model has it at its start."""
    if ours is None or theirs is None:
        return True
    if isinstance(ours, np.ndarray):
        return isinstance(theirs, np.ndarray) and (theirs.dtype, theirs.shape) == (
            ours.dtype,
            ours.shape,
        )
    if isinstance(ours, Mapping):
        return isinstance(theirs, dict) and all(
            key in theirs and alike(theirs[key], one) for key, one in ours.items()
        )
    if isinstance(ours, list):
        return isinstance(theirs, list) and all(map(alike, theirs, ours))
    if isinstance(ours, tuple):
        return isinstance(theirs, tuple) and (
            not ours or (len(theirs) == len(ours) and all(map(alike, theirs, ours)))
        )
    if isinstance(ours, int | float | np.number) and not isinstance(ours, bool):
        return isinstance(theirs, int | float | np.number) and not isinstance(theirs, bool)
    if type(theirs) is not type(ours):
        return False
    return all(alike(getattr(theirs, name, None), one) for name, one in _parts(ours))


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    if is_dataclass(value):
        yield from ((one.name, getattr(value, one.name)) for one in fields(value))
    elif hasattr(value, "__dict__"):
        yield from vars(value).items()


@dataclass(frozen=True, eq=False)
class State:
    """All that a run knows at one instant, to go on from it, also in another program.

    `time` is the end of the last step (s), `q` and `v` are the coordinates and speeds of the tree's
    joints there (docs/engine.md); `sampled` is the last instant of frames and channels.
    """

    time: float
    sampled: float
    q: Array
    v: Array
    project: Project = field(repr=False)
    arrays: tuple[Array, ...] = field(repr=False)
    breaks: Array = field(repr=False)
    forces: Mapping[str, Force] = field(repr=False)
    wanted: Mapping[str, Force] = field(repr=False)
    memories: tuple[Any, ...] = field(repr=False)
    layout: str = field(repr=False)
    """Tells this model, in this version of the program, from all others."""
    inputs: tuple[Kept, ...] = field(default=(), repr=False)
    """Inputs that have been set, and what they hold."""
    asked: Mapping[str, float] = field(default_factory=dict, repr=False)
    """Inputs that are set for the step that begins."""


class RunArrays:
    """All arrays that the kernels of a run read and write, but the wish of others and what follows from the rest."""

    def __init__(self, start: System, own: OwnLaws, work: Work, flow: Flow, method: Method) -> None:
        e = method.implicit.equations
        # factors follow from derivatives
        self._start = self.at_start = start
        # where users' functions stand in memory is another place in each process
        self._left_out = [
            flow.wish,
            e.single,
            e.pair_real,
            e.pair_imag,
            start.own.address,
            own.address,
            # named and written down within one call, and read when it has come back
            work.impacts.number,
            work.impacts.place,
            *work.impacts.told,
        ]
        self._ids = frozenset(map(id, self._left_out))
        self._beside = (work, flow, method.vei, method.implicit)
        self._found: tuple[System, list[Array]] = start, []

    def arrays(self, system: System) -> list[Array]:
        """Give them, those of a system first."""
        of, found = self._found
        if of is not system or not found:
            parts = (one for bundle in (system, *self._beside) for one in _flat(bundle))
            found = [one for one in parts if id(one) not in self._ids]
            self._found = system, found
        return found

    @cached_property
    def start(self) -> dict[str, Array]:
        """Give the arrays of the model at its start by name, and of the rest how they are."""
        return dict(self.named(self._start))

    def is_finite(self, system: System) -> bool:
        """Whether all numbers are such that a run could be taken up with them."""
        plain, marked = self._reals
        arrays = self.arrays(system)
        # NaN is below nothing
        return bool(
            np.all(np.abs(np.concatenate([arrays[n].ravel() for n in plain])) <= FAR)
        ) and all(is_finite(name, arrays[n], self.start) for n, name in marked)

    @cached_property
    def _reals(self) -> tuple[list[int], list[tuple[int, str]]]:
        """Which arrays hold real numbers, and which of these may hold marks of what is never reached."""
        plain, marked = list[int](), list[tuple[int, str]]()
        for n, (name, one) in enumerate(self.named(self._start)):
            if one.dtype.kind != "f":
                continue
            if name in MARKS or name == "Flow/clock" or not np.all(np.abs(self.start[name]) <= FAR):
                marked.append((n, name))
            else:
                plain.append(n)
        return plain, marked

    @cached_property
    def layout(self) -> str:
        """Tell the model at its start, in this version of the program, from all others."""
        words = [f"{name} {one.dtype.str} {one.ndim}" for name, one in self.named(self._start)]
        sum_ = hashlib.sha256("\n".join(words).encode())
        for name, one in leaves("", self._start):
            if name != "/own/address":
                sum_.update(one.tobytes())
        return sum_.hexdigest()

    def named(self, system: System) -> Iterator[tuple[str, Array]]:
        """All arrays by name, in the order of `arrays`."""
        for bundle in (system, *self._beside):
            for name, one in leaves(type(bundle).__name__, bundle):
                if id(one) not in self._ids:
                    yield name, one


def leaves(path: str, bundle: Any) -> Iterator[tuple[str, Array]]:
    """All arrays of a bundle by name, those of bundles in it too."""
    names = getattr(bundle, "_fields", range(len(bundle)))
    for name, part in zip(names, bundle, strict=True):
        if isinstance(part, tuple):
            yield from leaves(f"{path}/{name}", part)
        elif isinstance(part, np.ndarray):
            yield f"{path}/{name}", part


def _flat(bundle: Any) -> list[Array]:
    """All arrays of a bundle in the same order."""
    found: list[Array] = []
    for part in bundle:
        if isinstance(part, np.ndarray):
            found.append(part)
        elif isinstance(part, tuple):
            found += _flat(part)
    return found


def lasting(project: Project) -> Project:
    """Give the model without its ways to solve it, which states do not depend on."""
    return project.model_copy(update={"runs": (), "studies": (), "assumed": (), "includes": ()})
