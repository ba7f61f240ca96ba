"""Look the document through once, so that every check finds what it needs at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, TypeVar

import numpy as np

from solver.maths.rotation import Array
from solver.project.document import LISTS, Project
from solver.project.fields import Part
from solver.project.functions import Function
from solver.project.geometry import Orientation, Surface, SurfaceRef
from solver.project.joint_table import is_rigid
from solver.project.joints import Joint
from solver.project.motions import Motion
from solver.project.pose import Placed, start_pose, turn
from solver.project.segments import GROUND, Segment

P = TypeVar("P", bound=Part)


@dataclass(frozen=True, slots=True)
class RefField:
    """Hold what the schema says of a field that refers to something."""

    name: str
    to: str
    x_unit: str
    y_unit: str


@dataclass(frozen=True, slots=True)
class Ref:
    """Hold one reference: the id that is written, where, and in which part."""

    value: str
    path: str
    field: RefField
    holder: Part


@dataclass(frozen=True, slots=True)
class Plan:
    """Hold which fields of a model refer to something and which may hold parts."""

    refs: tuple[RefField, ...]
    inner: tuple[str, ...]


@cache
def plan(model: type[Part]) -> Plan:
    """Read from the schema, once for each model, where its references and parts stand."""
    refs: list[RefField] = []
    inner: list[str] = []
    for name, field in model.model_fields.items():
        extra = field.json_schema_extra
        if isinstance(extra, dict) and "refers_to" in extra:
            units = (str(extra.get("x_unit", "")), str(extra.get("y_unit", "")))
            refs.append(RefField(name, str(extra["refers_to"]), *units))
        elif _may_hold_parts(field.annotation):
            inner.append(name)
    return Plan(tuple(refs), tuple(inner))


def _may_hold_parts(annotation: Any) -> bool:
    if isinstance(annotation, type):
        return issubclass(annotation, Part)
    inner = getattr(annotation, "__args__", ())
    return any(_may_hold_parts(argument) for argument in inner)


class Index:
    """Hold the document's elements by id, its references, its trees, and its start pose."""

    def __init__(self, project: Project) -> None:
        """Look through a document that has passed the first pass."""
        self.project = project
        self.by_id: dict[str, dict[str, Any]] = {}
        for name in LISTS:
            items: dict[str, Any] = {}
            for item in getattr(project, name):
                items.setdefault(item.id, item)
            self.by_id[name] = items
        self.segments: dict[str, Segment] = self.by_id["segments"]
        self.functions: dict[str, Function] = self.by_id["functions"]
        self.surfaces: dict[tuple[str, str], Surface] = {}
        for segment in project.segments:
            for surface in segment.surfaces:
                self.surfaces.setdefault((segment.id, surface.id), surface)
        self.joint_of: dict[str, Joint] = {}
        self.joints_below: dict[str, list[Joint]] = defaultdict(list)
        for joint in project.joints:
            self.joint_of.setdefault(joint.child, joint)
            self.joints_below[joint.parent].append(joint)
        self.motion_of: dict[str, Motion] = {}
        for motion in project.motions:
            self.motion_of.setdefault(motion.segment, motion)
        self.refs: list[Ref] = []
        self.surface_refs: list[tuple[SurfaceRef, str]] = []
        self.parts: dict[type[Part], list[tuple[Any, str]]] = defaultdict(list)
        self._walk()
        self._turns: dict[Orientation, Array] = {}
        self.measured: dict[Any, Any] = {}
        """Surfaces and planes at the start, each measured once (`shapes`)."""

    def _walk(self) -> None:
        """Collect every part with its path, and every reference, in document order."""
        stack: list[tuple[Part, str]] = [(self.project, "")]
        while stack:
            part, path = stack.pop()
            model = type(part)
            self.parts[model].append((part, path))
            if model is SurfaceRef:
                self.surface_refs.append((part, path))  # type: ignore[arg-type]
            ahead = f"{path}/" if path else ""
            fields = plan(model)
            for field in fields.refs:
                value = getattr(part, field.name)
                where = f"{ahead}{field.name}"
                if isinstance(value, str):
                    self.refs.append(Ref(value, where, field, part))
                elif isinstance(value, tuple):
                    self.refs.extend(
                        Ref(one, f"{where}/{i}", field, part) for i, one in enumerate(value)
                    )
            below: list[tuple[Part, str]] = []
            for name in fields.inner:
                value = getattr(part, name)
                if isinstance(value, Part):
                    below.append((value, f"{ahead}{name}"))
                elif isinstance(value, tuple):
                    below.extend(
                        (one, f"{ahead}{name}/{getattr(one, 'id', i)}")
                        for i, one in enumerate(value)
                        if isinstance(one, Part)
                    )
            stack.extend(reversed(below))

    def of(self, model: type[P]) -> Iterator[tuple[P, str]]:
        """Give every part of just this model, with its path."""
        yield from self.parts.get(model, ())

    def elements(self, list_name: str) -> Iterator[tuple[Any, str]]:
        """Give every element of a list with its path."""
        for item in getattr(self.project, list_name):
            yield item, f"{list_name}/{item.id}"

    def turn(self, orientation: Orientation) -> Array:
        """Give the rotation matrix of an orientation, worked out once."""
        R = self._turns.get(orientation)
        if R is None:
            R = self._turns[orientation] = turn(orientation)
        return R

    @cached_property
    def pose(self) -> dict[str, Placed]:
        """Place everything at time zero; only for a project whose references are sound."""
        return start_pose(self.project)

    def point(self, segment: str, position: tuple[float, float, float]) -> Array:
        """Give a point of a segment in ground axes (m) at time zero."""
        placed = self.pose[segment]
        p_W: Array = placed.p_W + placed.R_WS @ np.array(position)
        return p_W

    @cached_property
    def rigid_group(self) -> dict[str, str]:
        """Name for every segment the lowest one to which locked joints hold it."""
        group: dict[str, str] = {GROUND: GROUND}
        for name in self.segments:
            chain: dict[str, None] = {}
            here = name
            while here not in group and here not in chain:
                chain[here] = None
                joint = self.joint_of.get(here)
                if joint is None or not _holds(joint):
                    group[here] = here
                    break
                here = joint.parent
            lowest = group.get(here, here)
            group.update(dict.fromkeys(chain, lowest))
        return group

    @cached_property
    def root_of(self) -> dict[str, str]:
        """Name for every segment the lowest segment of its tree, which may be ground."""
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
        """Tell whether a segment is ground, moves as prescribed, or is locked to such a one."""
        lowest = self.rigid_group.get(segment, segment)
        return lowest == GROUND or (lowest in self.motion_of and lowest not in self.joint_of)

    @cached_property
    def longest_run_s(self) -> float | None:
        """Give the duration of the longest run, None without runs."""
        return max((run.duration_s for run in self.project.runs), default=None)


def _holds(joint: Joint) -> bool:
    return is_rigid(joint) and joint.breakage is None
