"""Say what differs between two versions of the open project."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from solver.project import LISTS, Project


@dataclass(frozen=True)
class Change:
    """Hold two versions and the words of what was done; parts that are the same object are untouched."""

    before: Project
    after: Project
    text: str

    @cached_property
    def lists(self) -> frozenset[str]:
        """Name the lists, and 'initial' or 'gravity_m_per_s2' and their like, that differ."""
        return frozenset(
            name
            for name in Project.model_fields
            if getattr(self.before, name) is not getattr(self.after, name)
        )

    @cached_property
    def elements(self) -> frozenset[str]:
        """Give the paths of elements that were added, removed or changed."""
        out: set[str] = {name for name in self.lists if name not in LISTS}
        for name in self.lists & set(LISTS):
            old = {item.id: item for item in getattr(self.before, name)}
            new = {item.id: item for item in getattr(self.after, name)}
            out |= {
                f"{name}/{key}"
                for key in old.keys() | new.keys()
                if old.get(key) is not new.get(key)
            }
        return frozenset(out)

    @cached_property
    def added(self) -> tuple[str, ...]:
        """Give the paths of new elements, in the order of the document."""
        return tuple(
            f"{name}/{item.id}"
            for name in LISTS
            if name in self.lists
            for item in getattr(self.after, name)
            if item.id not in {one.id for one in getattr(self.before, name)}
        )
