"""Lead one law along a course of deflection, as a run would: force, energy held, modes.

The engine's own functions are called; nothing of a law is written a second time here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.forces.laws import (
    MEMORY,
    UNTOUCHED,
    Laws,
    next_mode,
    normal_force,
)
from solver.engine.jit.kernels import kernel
from solver.engine.maths.curve import Curves
from solver.model.functions import Numbered
from solver.model.surfaces import compile_laws
from solver.project.contact import StrapLaw
from solver.project.document import Project

PARTS = 200
"""Steps from one turn of the course to the next."""

_CREEP = 1e-6
"""Rate (m/s) that stands for none, and still has a direction."""

_TURNS = 4
"""A mode may change more than once at one place: loading, then turning."""


@dataclass(frozen=True, slots=True)
class LawPath:
    """Hold a course: deflection (m) or strain, force (N), energy held and put in, modes, turns.

    Energies are in J; for webbing in J for each metre of its length.
    """

    depth: Array
    force: Array
    held: Array
    work: Array
    mode: IntArray
    turn: tuple[int, ...]
    """Numbers of the places at which the course turns."""

    @property
    def absorbed(self) -> float:
        """Give the energy (J) that did not come back by the end."""
        return float(self.work[-1] - self.held[-1])


def law_path(
    project: Project, law: str, turns: tuple[float, ...], speed: float = 0.0, parts: int = PARTS
) -> LawPath:
    """Lead a law from no deflection through turning points, at a speed (m/s, or 1/s for webbing)."""
    functions = Numbered(project)
    laws, numbers = compile_laws(project, functions)
    depth, rate, places = _course(turns, speed, parts)
    force, held = np.zeros(len(depth)), np.zeros(len(depth))
    mode = np.zeros(len(depth), np.int64)
    follow(
        laws,
        functions.curves(),
        numbers[law],
        depth,
        rate,
        force,
        held,
        mode,
        np.zeros((1, MEMORY)),
    )
    steps = 0.5 * (force[1:] + force[:-1]) * np.diff(depth)
    work = np.concatenate([[0.0], np.cumsum(steps)])
    return LawPath(depth, force, held, work, mode, places)


def deepest_of(project: Project, law: str) -> float:
    """Give a deflection or strain that shows a law: the end of its base, else 0.1 m."""
    found = next(one for one in project.contact_laws if one.id == law)
    base = getattr(found, "base", None)
    if base is not None:
        end = Numbered(project)[base].start[-1]
        if end > 0.0:
            return float(end)
    return 0.1


def is_webbing(project: Project, law: str) -> bool:
    """Tell whether a law is one of webbing, whose deflection is a strain."""
    return any(one.id == law and isinstance(one, StrapLaw) for one in project.contact_laws)


def _course(
    turns: tuple[float, ...], speed: float, parts: int
) -> tuple[Array, Array, tuple[int, ...]]:
    """Give places and rates: as a mass on a spring, fastest where it is out and still where deepest.

    A place of turning is passed twice, with both directions of motion.
    """
    depth, rate, places, here = [np.zeros(1)], [np.array([max(speed, _CREEP)])], [0], 0.0
    for to in turns:
        share = np.linspace(0.0, 1.0, parts + 1)
        way = share if to >= here else 1.0 - share
        depth.append(here + (to - here) * share)
        size = np.maximum(speed * np.sqrt(1.0 - way * way), _CREEP)
        rate.append(size if to >= here else -size)
        places.append(places[-1] + parts + 1)
        here = to
    return np.concatenate(depth), np.concatenate(rate), tuple(places)


@kernel
def follow(
    laws: Laws, curves: Curves, n: int, depth: Array, rate: Array, force: Array, held: Array,
    mode: IntArray, memory: Array,
) -> None:  # fmt: skip
    """Fill force, energy held and mode along a course of deflection, as accepted steps would."""
    here = UNTOUCHED
    for i in range(len(depth)):
        for _ in range(_TURNS):
            after = next_mode(laws, curves, n, memory, 0, here, depth[i], rate[i])
            if after == here:
                break
            here = after
        mode[i] = here
        force[i], held[i] = normal_force(laws, curves, n, memory, 0, here, depth[i], rate[i])
