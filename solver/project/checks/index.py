"""Look the document through once, so that every check finds what it needs at once."""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.checks.walk import Ref, Walk, walk
from solver.project.document import LISTS, Project
from solver.project.fields import Part
from solver.project.functions import Function
from solver.project.geometry import Orientation, Surface, SurfaceRef
from solver.project.joint_table import is_rigid
from solver.project.joints import Joint
from solver.project.memo import tracked
from solver.project.motions import Motion
from solver.project.pose import Placed, start_pose, turn
from solver.project.segments import GROUND, Segment

P = TypeVar("P", bound=Part)
M = TypeVar("M")

Reads = dict[Any, Any]
"""What was read of a document: lists by name, parts by model, and the whole of it."""

WHOLE, REFERRING = object(), object()


class Entry(NamedTuple):
    """Name one entry of a list, or ask whether there is one."""

    list_: str
    id: str
    is_asked: bool = False


class _Functions(Mapping[str, Function]):
    """Give functions by id; each is noted by itself: many are shared, and few of them change."""

    def __init__(self, index: Index) -> None:
        self._index, self._by_id = index, index.raw("functions")

    def __getitem__(self, id_: str) -> Function:
        self._index.note(Entry("functions", id_), self._by_id.get(id_))
        found: Function = self._by_id[id_]
        return found

    def __contains__(self, id_: object) -> bool:
        is_there = id_ in self._by_id
        self._index.note(Entry("functions", str(id_), True), is_there)
        return is_there

    def __iter__(self) -> Iterator[str]:
        self._index.note("functions", self._index.whole.functions)
        return iter(self._by_id)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class _Lists(Mapping[str, Mapping[str, Any]]):
    """Give the elements of a list by id; those of each list are looked through once."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def __getitem__(self, list_: str) -> Mapping[str, Any]:
        if list_ == "functions":
            return self._index.functions
        self._index.note(list_, getattr(self._index.whole, list_))
        return self._index.raw(list_)

    def __iter__(self) -> Iterator[str]:
        return iter(LISTS)

    def __len__(self) -> int:
        return len(LISTS)


class Index:
    """Hold the document's elements by id, its references, its trees, and its start pose.

    What is read of the document is noted, so that a check need not look again at what is still the very
    same (`noting`, `is_same`).
    """

    def __init__(self, project: Project) -> None:
        """Look through a document that has passed the first pass."""
        self.whole = project
        self._reads: Reads = {}
        self._made: dict[Hashable, tuple[Any, Reads]] = {}
        self.project = tracked(project, lambda: self._reads)
        self.by_id: Mapping[str, Mapping[str, Any]] = _Lists(self)
        self._raw: dict[str, dict[str, Any]] = {}
        self._turns: dict[Orientation, Array] = {}

    def once(self, key: Hashable, make: Callable[[], M]) -> M:
        """Make something of the document once; anyone who takes it is noted to have read what it is made of."""
        if key not in self._made:
            outer, self._reads = self._reads, {}
            try:
                self._made[key] = make(), self._reads
            finally:
                self._reads = outer
        made, reads = self._made[key]
        self._reads.update(reads)
        out: M = made
        return out

    def raw(self, list_: str) -> dict[str, Any]:
        """The elements of a list by id; that they are read is not noted."""
        if list_ not in self._raw:
            items = self._raw[list_] = dict[str, Any]()
            for item in getattr(self.whole, list_):
                items.setdefault(item.id, item)
        return self._raw[list_]

    def note(self, key: Hashable, value: Any) -> None:
        """Note what was read."""
        self._reads[key] = value

    def noting(self) -> Reads:
        """Note from now on what is read, and give where."""
        self._reads = {}
        return self._reads

    @contextmanager
    def noting_apart(self) -> Iterator[Reads]:
        """Note apart what is read meanwhile, and behind it as read by anyone who was noted before."""
        outer, self._reads = self._reads, {}
        inner = self._reads
        try:
            yield inner
        finally:
            self._reads = outer
            outer.update(inner)

    def note_all(self, reads: Reads) -> None:
        """Note all that was read at another time."""
        self._reads.update(reads)

    def is_same(self, reads: Reads) -> bool:
        """Whether all that was read of another document stands in this one, the very same."""
        return all(self._holds(key, value) for key, value in reads.items())

    def _holds(self, key: Hashable, value: Any) -> bool:
        if isinstance(key, str):
            return getattr(self.whole, key) is value
        if isinstance(key, Entry):
            entries = self.raw(key.list_)
            return (key.id in entries) is value if key.is_asked else entries.get(key.id) is value
        if key is WHOLE:
            return self.whole is value
        if key is REFERRING:
            now = self._referring
            return len(now) == len(value) and all(map(operator.is_, now, value))
        here = self._walked.parts.get(key, ())  # type: ignore[call-overload]
        return len(here) == len(value) and all(
            a is b and at == there for (a, at), (b, there) in zip(here, value, strict=True)
        )

    @cached_property
    def _walked(self) -> Walk:
        return walk(self.whole)

    @cached_property
    def _referring(self) -> list[Walk]:
        return self._walked.referring

    @property
    def refs(self) -> list[Ref]:
        """Every reference, in document order."""
        self._reads[REFERRING] = self._referring
        return self._walked.refs

    @property
    def surface_refs(self) -> list[tuple[SurfaceRef, str]]:
        """Give every reference to a surface with its path, in document order."""
        self._reads[REFERRING] = self._referring
        return self._walked.surface_refs

    @property
    def walks(self) -> list[Walk]:
        """What is in each list of elements, in document order."""
        self._reads[WHOLE] = self.whole
        return self._walked.elements

    @property
    def segments(self) -> Mapping[str, Segment]:
        """The segments by id."""
        return self.by_id["segments"]

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        """The functions by id."""
        return _Functions(self)

    @property
    def surfaces(self) -> dict[tuple[str, str], Surface]:
        """The surfaces by segment and id."""
        return self.once("surfaces", self._surfaces)

    def _surfaces(self) -> dict[tuple[str, str], Surface]:
        found: dict[tuple[str, str], Surface] = {}
        for segment in self.project.segments:
            for surface in segment.surfaces:
                found.setdefault((segment.id, surface.id), surface)
        return found

    @property
    def joint_of(self) -> dict[str, Joint]:
        """The joint that carries each segment."""
        return self.once("joint of", self._joint_of)

    def _joint_of(self) -> dict[str, Joint]:
        found: dict[str, Joint] = {}
        for joint in self.project.joints:
            found.setdefault(joint.child, joint)
        return found

    @property
    def joints_below(self) -> Mapping[str, list[Joint]]:
        """The joints whose parent a segment is."""
        return self.once("joints below", self._joints_below)

    def _joints_below(self) -> Mapping[str, list[Joint]]:
        found: dict[str, list[Joint]] = defaultdict(list)
        for joint in self.project.joints:
            found[joint.parent].append(joint)
        return found

    @property
    def motion_of(self) -> dict[str, Motion]:
        """The motion of each segment that has one."""
        return self.once("motion of", self._motion_of)

    def _motion_of(self) -> dict[str, Motion]:
        found: dict[str, Motion] = {}
        for motion in self.project.motions:
            found.setdefault(motion.segment, motion)
        return found

    def of(self, model: type[P]) -> Iterator[tuple[P, str]]:
        """Every part of just this model, with its path."""
        found = self._walked.parts.get(model, [])
        self._reads[model] = found
        yield from found

    def elements(self, list_name: str) -> Iterator[tuple[Any, str]]:
        """Give every element of a list with its path."""
        for item in getattr(self.project, list_name):
            yield item, f"{list_name}/{item.id}"

    def turn(self, orientation: Orientation) -> Array:
        """The rotation matrix of an orientation, worked out once."""
        R = self._turns.get(orientation)
        if R is None:
            R = self._turns[orientation] = turn(orientation)
        return R

    @property
    def pose(self) -> dict[str, Placed]:
        """Place everything at time zero; only for a project whose references are sound."""
        return self.once("pose", lambda: start_pose(self.project))

    def point(self, segment: str, position: tuple[float, float, float]) -> Array:
        """A point of a segment in ground axes (m) at time zero."""
        placed = self.pose[segment]
        p_W: Array = placed.p_W + placed.R_WS @ np.array(position)
        return p_W

    @property
    def rigid_group(self) -> dict[str, str]:
        """Name for every segment the lowest one to which locked joints hold it, other than those at nodes of modal bodies."""
        return self.once("rigid group", self._rigid_group)

    def _rigid_group(self) -> dict[str, str]:
        # what holds at a node moves with the shapes
        nodes = {name for body in self.project.modal_bodies for name in body.nodes}
        group: dict[str, str] = {GROUND: GROUND}
        for name in self.segments:
            chain: dict[str, None] = {}
            here = name
            while here not in group and here not in chain:
                chain[here] = None
                joint = self.joint_of.get(here)
                if joint is None or joint.id in nodes or not _holds(joint):
                    group[here] = here
                    break
                here = joint.parent
            lowest = group.get(here, here)
            group.update(dict.fromkeys(chain, lowest))
        return group

    @property
    def root_of(self) -> dict[str, str]:
        """Name for every segment the lowest segment of its tree, which may be ground."""
        return self.once("root of", self._root_of)

    def _root_of(self) -> dict[str, str]:
        root: dict[str, str] = {GROUND: GROUND}
        for name in self.segments:
            chain: dict[str, None] = {}
            here = name
            while here not in root and here in self.joint_of and here not in chain:
                chain[here] = None
                here = self.joint_of[here].parent
            lowest = root.setdefault(here, here)
            root.update(dict.fromkeys(chain, lowest))
        return root

    def is_driven(self, segment: str) -> bool:
        """Whether a segment is ground, moves as prescribed, or is locked to such a one."""
        lowest = self.rigid_group.get(segment, segment)
        return lowest == GROUND or (lowest in self.motion_of and lowest not in self.joint_of)

    @property
    def longest_run_s(self) -> float | None:
        """The duration of the longest run, None without runs."""
        return max((run.duration_s for run in self.project.runs), default=None)


def _holds(joint: Joint) -> bool:
    return is_rigid(joint) and joint.breakage is None
