"""Facts of mechanisms: McPhee's printed matrices (seed 001, p. 136 to 144), Huston's array (002), redundant rows, and loops that are closed."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

import manikin as mk
from solver.analysis.mechanism import Edge, LinearGraph
from validation.case import Case

INCIDENCE = [
    [-1, 0, 0, 0, 0, 0, 1], [1, 0, 1, 1, 0, 0, 0], [0, 0, -1, 0, 0, -1, 0],
    [0, 1, 0, 0, 0, 1, 0], [0, -1, 0, -1, 1, 0, 0], [0, 0, 0, 0, -1, 0, -1],
]  # fmt: skip
CUTSET = [
    [1, 0, 0, 0, 0, 0, -1], [0, 1, 0, 0, 0, 1, 0], [0, 0, 1, 0, 0, 1, 0],
    [0, 0, 0, 1, 0, -1, 1], [0, 0, 0, 0, 1, 0, 1],
]  # fmt: skip
EDGES = (
    Edge("L1", "a", "b"), Edge("L2", "e", "d"), Edge("R3", "c", "b"), Edge("R4", "e", "b"),
    Edge("R5", "f", "e"), Edge("C6", "c", "d"), Edge("V7", "f", "a"),
)  # fmt: skip


def cases() -> Iterator[Case]:
    """All cases."""
    graph = LinearGraph("abcdef", EDGES)
    apart = np.abs(graph.incidence - INCIDENCE).sum() + np.abs(graph.cutset - CUTSET).sum()
    yield Case("McPhee's graph of seven edges", "001, eq. (1) and (3)",
               "entries of incidence and cutset matrix that differ", 0.0, float(apart), 0.0)  # fmt: skip
    crossed = np.abs(graph.circuit @ graph.cutset.T).sum()
    yield Case("McPhee's graph of seven edges", "001, eq. (6)",
               "circuits times cutsets", 0.0, float(crossed), 0.0)  # fmt: skip
    model = mk.sample("four_bar")
    once = model.facts()
    yield Case("Four-bar linkage", "3 turns less 2 independent rows", "mobility by rank", 1.0, float(once.mobility), 0.0)  # fmt: skip
    yield Case("Four-bar linkage", "Grübler: 18 - 15 - 3", "mobility by count", 0.0, float(once.gruebler), 0.0)  # fmt: skip
    yield Case("Four-bar linkage", "the row across its plane", "redundant rows", 1.0, float(len(once.redundant)), 0.0)  # fmt: skip
    closure = model.value("constraints/closure")
    again = closure.model_copy(update={"id": "again"})
    twice = model.with_value("constraints", (closure, again)).facts()
    yield Case("Four-bar linkage closed twice", "6 rows less 2", "redundant rows", 4.0, float(len(twice.redundant)), 0.0)  # fmt: skip
    yield _assembled(model)


def _assembled(model: mk.Model) -> Case:
    """A coupler that is a tenth longer, with the crank held: the output angle by the cosine rule."""
    crank, coupler, output, ground = 0.11, 0.44, 0.375, 0.3
    long = model.with_value("constraints/closure/a/position_m", (0.24, 0.0, 0.0))
    angle = long.assembled(hold=["crank_pin"]).joint_at_start("output_pin")[0]
    across, lean = math.hypot(ground, crank), math.atan2(crank, ground)
    wanted = math.pi - lean - math.acos((across**2 + output**2 - coupler**2) / (2.0 * across * output))  # fmt: skip
    return Case("Four-bar linkage with a longer coupler, assembled", "cosine rule",
                "output angle", wanted, angle, 1e-8, "rad")  # fmt: skip
