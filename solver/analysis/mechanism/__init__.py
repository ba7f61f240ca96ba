"""What a model is as a mechanism: freedoms, tree, loops, rows that say nothing new, and what an evaluation takes."""

from solver.analysis.mechanism.facts import Facts, Loop, RowFact, facts
from solver.analysis.mechanism.graph import Edge, GraphError, LinearGraph

__all__ = ["Edge", "Facts", "GraphError", "LinearGraph", "Loop", "RowFact", "facts"]
