"""Give the figure that matters while an element is placed: lengths of webbing and links, sizes.

Straps of a harness are as long as the solver takes them: straight from point to point.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app import texts
from app.elements import find
from app.scene.placing import Pose, in_ground, pose_at_start
from app.scene.shapes import surfaces_of
from app.scene.webbing import belt_line, strap_stops
from solver.maths.rotation import Array
from solver.project import Project
from solver.project.pose import plane_corners
from solver.units import display_unit, show


def measure(project: Project, element: str, system: str) -> str:
    """Say how long, or how large, an element is at the start; empty for what has no such figure."""
    item: Any = find(project, element)
    list_name = element.partition("/")[0]
    if item is None:
        return ""
    pose = pose_at_start(project)
    if list_name == "belts":
        return _long(_length(belt_line(item, surfaces_of(project), pose), system))
    if list_name == "harnesses":
        surfaces = surfaces_of(project)
        said = []
        for strap in item.straps:
            stops = strap_stops(strap, surfaces, pose)
            line = None if stops is None else np.array([place for place, _ in stops])
            said.append((strap.id, _length(line, system)))
        if len(said) == 1:
            return _long(said[0][1])
        return ",  ".join(f"{name} {length}" for name, length in said[:4])
    if list_name == "planes":
        _, edge, other = plane_corners(item)
        sizes = (_said(float(np.linalg.norm(way)), system) for way in (edge, other))
        return " × ".join(sizes)
    if list_name in ("springs", "tension_elements", "constraints"):
        return _apart(item, pose, system)
    return ""


def _length(line: Array | None, system: str) -> str:
    if line is None:
        return ""
    steps = np.linalg.norm(np.diff(line, axis=0), axis=1)
    return _said(float(steps.sum()), system)


def _apart(item: Any, pose: Pose, system: str) -> str:
    ends = [getattr(item, name, None) for name in ("a", "b")]
    if any(end is None or end.segment not in pose for end in ends):
        return ""
    places = []
    for end in ends:
        assert end is not None
        frame = getattr(end, "frame", None)
        local = end.position_m if frame is None else frame.position_m
        places.append(in_ground(pose, end.segment, local))
    apart = float(np.linalg.norm(places[1] - places[0]))
    return _long(_said(apart, system))


def _long(length: str) -> str:
    return texts.scene.LENGTH.format(length=length) if length else ""


def _said(metres: float, system: str) -> str:
    return show(round(metres, 3), "m", display_unit("m", system), digits=5)
