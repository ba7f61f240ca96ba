"""Linear graphs: vertices, directed edges, a spanning tree, and the matrices that say how they are connected.

McPhee (On the use of linear graph theory in multibody system dynamics, 1993), section 2.1: edge j points from one vertex to another; in the
incidence matrix its column has -1 where it leaves and +1 where it ends. A cutset is a branch of the tree with the chords
that join what is left in two without it, a circuit a chord with the branches between its ends. Both matrices are orthogonal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.base.words import Refusal

Whole = NDArray[np.int64]


class GraphError(Refusal):
    """Say why edges are no connected graph."""

    __module__ = "manikin"


class Edge(NamedTuple):
    """A directed edge, from the vertex that it leaves to the one where it ends."""

    name: str
    tail: str
    head: str


class LinearGraph:
    """A connected graph of directed edges; the tree takes each edge that closes no circuit with those before it."""

    def __init__(self, vertices: Sequence[str], edges: Iterable[Edge]) -> None:
        self.vertices, self.edges = tuple(vertices), tuple(edges)
        number = {name: n for n, name in enumerate(self.vertices)}
        for edge in self.edges:
            for end in (edge.tail, edge.head):
                if end not in number:
                    raise GraphError("'{edge}' ends at '{end}', which is no vertex.", edge=edge.name, end=end)  # fmt: skip
        group, branches = dict(number), list[int]()
        for n, edge in enumerate(self.edges):
            a, b = group[edge.tail], group[edge.head]
            if a != b:
                branches.append(n)
                group = {name: a if one == b else one for name, one in group.items()}
        if len(set(group.values())) > 1:
            raise GraphError("The graph is in several parts: {count} of them.", count=len(set(group.values())))  # fmt: skip
        self.branches = tuple(branches)
        """Numbers of the edges of the spanning tree."""
        self.chords = tuple(n for n in range(len(self.edges)) if n not in set(branches))
        """Numbers of all others, each of which closes one circuit."""

    @cached_property
    def incidence(self) -> Whole:
        """The incidence matrix (vertices, edges), equation (1)."""
        number = {name: n for n, name in enumerate(self.vertices)}
        out = np.zeros((len(self.vertices), len(self.edges)), np.int64)
        for n, edge in enumerate(self.edges):
            out[number[edge.tail], n] -= 1
            out[number[edge.head], n] += 1
        return out

    def reduced(self, datum: str | None = None) -> Whole:
        """The incidence matrix without the row of a datum vertex, the first if none is named."""
        row = 0 if datum is None else self.vertices.index(datum)
        return np.delete(self.incidence, row, axis=0)

    @cached_property
    def path(self) -> Whole:
        """The path matrix (branches, vertices but the first): which branches lead from a vertex to the datum; T S = 1 for the tree's part S of -A.

        An entry is +1 where a branch points to the datum on that way, -1 where it points away from it.
        """
        return _whole(np.linalg.inv(-self.reduced()[:, self.branches].astype(float)))

    @cached_property
    def cutset(self) -> Whole:
        """The fundamental cutset matrix (branches, edges), equation (2): ones for the branches, in the order of the edges."""
        reduced = self.reduced()
        return _whole(np.linalg.solve(reduced[:, self.branches].astype(float), reduced))

    @cached_property
    def circuit(self) -> Whole:
        """The fundamental circuit matrix (chords, edges), equation (4), by B_T = -A_c^T (7)."""
        out = np.zeros((len(self.chords), len(self.edges)), np.int64)
        for row, chord in enumerate(self.chords):
            out[row, chord] = 1
            out[row, list(self.branches)] = -self.cutset[:, chord]
        return out

    def around(self, chord: int) -> tuple[str, ...]:
        """Name the edges of the circuit that a chord closes, the chord first."""
        row = self.circuit[self.chords.index(chord)]
        return (self.edges[chord].name, *(self.edges[n].name for n in self.branches if row[n]))


def _whole(values: NDArray[np.float64]) -> Whole:
    return np.rint(values).astype(np.int64)
