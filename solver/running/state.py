"""The state of a run: all that steps depend on, and what outputs follow on from block to block."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces.system import System, Work
from solver.engine.integrate.flow import Flow
from solver.engine.integrate.plan import Method
from solver.model.forces import Force
from solver.project.document import Project
from solver.running.fitting_state import is_finite


@dataclass(frozen=True, eq=False)
class State:
    """Hold all that a run knows at one instant, to go on from it, also in another program.

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


class Held:
    """Hold all arrays that the kernels of a run read and write, but the wish of others and what follows from the rest."""

    def __init__(self, start: System, work: Work, flow: Flow, method: Method) -> None:
        e = method.implicit.equations
        # factors follow from derivatives
        self._start = start
        self._left_out = [flow.wish, e.single, e.pair_real, e.pair_imag]
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
        """Say whether all numbers are such that a run could be taken up with them."""
        return all(
            one.dtype.kind != "f" or is_finite(name, one, self.start)
            for name, one in self.named(system)
        )

    @cached_property
    def layout(self) -> str:
        """Tell the model at its start, in this version of the program, from all others."""
        words = [f"{name} {one.dtype.str} {one.ndim}" for name, one in self.named(self._start)]
        sum_ = hashlib.sha256("\n".join(words).encode())
        for _, one in leaves("", self._start):
            sum_.update(one.tobytes())
        return sum_.hexdigest()

    def named(self, system: System) -> Iterator[tuple[str, Array]]:
        """Give all arrays by name, in the order of `arrays`."""
        for bundle in (system, *self._beside):
            for name, one in leaves(type(bundle).__name__, bundle):
                if id(one) not in self._ids:
                    yield name, one


def leaves(path: str, bundle: Any) -> Iterator[tuple[str, Array]]:
    """Give all arrays of a bundle by name, those of bundles in it too."""
    names = getattr(bundle, "_fields", range(len(bundle)))
    for name, part in zip(names, bundle, strict=True):
        if isinstance(part, tuple):
            yield from leaves(f"{path}/{name}", part)
        elif isinstance(part, np.ndarray):
            yield f"{path}/{name}", part


def _flat(bundle: Any) -> list[Array]:
    """Give all arrays of a bundle in the same order."""
    found: list[Array] = []
    for part in bundle:
        if isinstance(part, np.ndarray):
            found.append(part)
        elif isinstance(part, tuple):
            found += _flat(part)
    return found


def lasting(project: Project) -> Project:
    """Give the model without its ways to solve it, which states do not depend on."""
    return project.model_copy(update={"runs": (), "studies": ()})
