"""The state of a run: all that steps depend on, and what outputs follow on from block to block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from solver.dynamics.tree import Array
from solver.model.forces import Force
from solver.project.document import Project


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


def leaves(path: str, bundle: Any) -> Iterator[tuple[str, Array]]:
    """Give all arrays of a bundle by name, those of bundles in it too."""
    names = getattr(bundle, "_fields", range(len(bundle)))
    for name, part in zip(names, bundle, strict=True):
        if isinstance(part, tuple):
            yield from leaves(f"{path}/{name}", part)
        elif isinstance(part, np.ndarray):
            yield f"{path}/{name}", part
