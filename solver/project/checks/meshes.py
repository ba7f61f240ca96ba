"""Check meshes of segments."""

from __future__ import annotations

from collections.abc import Iterator

from solver.base.words import Sentence
from solver.project.checks.index import Index
from solver.project.checks.registry import TOPOLOGY, finds, problem
from solver.project.meshes import unpack
from solver.project.problems import Problem


@finds(TOPOLOGY, error={"mesh-packed": "Points and faces of a mesh cannot be unpacked."})
def meshes(index: Index) -> Iterator[Problem]:
    """Find meshes that are none."""
    for one, path in index.elements("meshes"):
        if unpack(one.packed) is None:
            sentence = Sentence("Points and faces of '{mesh}' cannot be unpacked.", mesh=one.id)
            yield problem("mesh-packed", f"{path}/packed", sentence, "Import its file again.")
