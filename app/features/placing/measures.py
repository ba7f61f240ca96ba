"""Give the figure that matters while an element is placed: lengths of webbing and links, sizes.

Straps of a harness are as long as the solver takes them: straight from point to point.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app import texts
from app.elements import find
from solver.base.units import display_unit, show
from solver.base.words import msgid, tr
from solver.project import Project
from solver.project.coordinates import (
    DistanceCoordinate,
)
from solver.project.kinds import links
from solver.project.pose import plane_corners
from solver.scene.placing import Pose, in_ground, pose_at_start
from solver.scene.shapes import surfaces_of
from solver.scene.webbing import belt_line, strap_stops


def measure(
    project: Project,
    element: str,
    system: str,
    path: str = "",
    before: Project | None = None,
) -> str:
    """Say how long, or how large, an element is at the start; empty for what has no such figure.

    Where a point of a strap is held, `path` leads to it: that strap alone is told. `before` is the
    project to compare with: by how much webbing grows longer or shorter.
    """
    item: Any = find(project, element)
    list_name = element.partition("/")[0]
    if item is None:
        return ""
    if list_name in ("belts", "harnesses"):
        lengths = _lengths(project, element)
        held = path.split("/")[1] if path.startswith("straps/") else None
        if held is not None and 0 <= int(held) < len(item.straps):
            lengths = {n: m for n, m in lengths.items() if n == item.straps[int(held)].id}
        old = {} if before is None else _lengths(before, element)
        said = {name: _long_by(m, old.get(name, m), system) for name, m in lengths.items()}
        if len(said) == 1:
            return _long(next(iter(said.values())))
        return ",  ".join(f"{name} {length}" for name, length in list(said.items())[:4])
    if list_name == "planes":
        _, edge, other = plane_corners(item)
        sizes = (_said(float(np.linalg.norm(way)), system) for way in (edge, other))
        return " × ".join(sizes)
    if list_name in links():
        return _apart((item.a, item.b), pose_at_start(project), system)
    if list_name == "coordinate_forces" and isinstance(item.coordinate, DistanceCoordinate):
        at = item.coordinate
        return _apart((at.a, *at.via, at.b), pose_at_start(project), system)
    return ""


def _lengths(project: Project, element: str) -> dict[str, float]:
    """Give the lengths (m) of a belt, or of the straps of a harness by their ids."""
    item: Any = find(project, element)
    surfaces, pose = surfaces_of(project), pose_at_start(project)
    if item is None:
        return {}
    if element.startswith("belts/"):
        lines = {item.id: belt_line(item, surfaces, pose)}
    else:
        lines = {}
        for strap in item.straps:
            stops = strap_stops(strap, surfaces, pose)
            lines[strap.id] = None if stops is None else np.array([place for place, _ in stops])
    return {
        name: float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
        for name, line in lines.items()
        if line is not None
    }


def _long_by(metres: float, before: float, system: str) -> str:
    """Say a length, and by how much it has changed."""
    by = round(metres, 3) - round(before, 3)
    if abs(by) < 5e-4:
        return _said(metres, system)
    words = msgid("{length}, {by} longer") if by > 0.0 else msgid("{length}, {by} shorter")
    return tr(words, length=_said(metres, system), by=_said(abs(by), system))


def _apart(ends: tuple[Any, ...], pose: Pose, system: str) -> str:
    if any(end is None or end.segment not in pose for end in ends):
        return ""
    places = []
    for end in ends:
        assert end is not None
        frame = getattr(end, "frame", None)
        local = end.position_m if frame is None else frame.position_m
        places.append(in_ground(pose, end.segment, local))
    apart = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())
    return _long(_said(apart, system))


def _long(length: str) -> str:
    return tr(texts.scene.LENGTH, length=length) if length else ""


def _said(metres: float, system: str) -> str:
    return show(round(metres, 3), "m", display_unit("m", system), digits=5)
