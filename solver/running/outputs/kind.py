"""What a kind of element gives to the results: its rows of a group, block by block, and its events."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from solver.engine.dynamics.tree import Array
from solver.engine.integrate.samples import Samples
from solver.model.compile import Model
from solver.project.document import Project
from solver.running.outputs.kinematics import Kinematics

Columns = dict[str, Array]
"""Columns of a group, each an array (T, N, ...)."""

Source = Callable[[int, int], tuple[str, str, tuple[float, ...]]]
"""From the number of an event among those of its sort, and what happened: kind, element, values."""


class Kind(ABC):
    """Give the rows of one group of the results (`solver.results.layout`) for one run."""

    group: ClassVar[str]

    def __init__(self, model: Model) -> None:
        self.model = model

    @staticmethod
    @abstractmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the rows."""

    @abstractmethod
    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give all columns of the group at every sample of a block."""

    def memory(self) -> dict[str, Any]:
        """Give what is followed on from block to block: all that the kind keeps but the model."""
        return {name: value for name, value in vars(self).items() if name != "model"}

    def recall(self, memory: dict[str, Any]) -> None:
        """Follow on from there."""
        vars(self).update(memory)

    @classmethod
    def events(cls, project: Project) -> Mapping[int, Source]:
        """Read the events of the kind by their sort (entries of `System.first`); most kinds have none."""
        return {}
