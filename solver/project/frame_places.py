"""Places of segments in own frames, and back: within a segment at any time, across segments at the start."""

from __future__ import annotations

import numpy as np

from solver.base.words import Refusal, Sentence
from solver.project.changes import value_at, words_of
from solver.project.document import Project
from solver.project.fields import Part
from solver.project.frames import Axes, OwnFrame, axes_of
from solver.project.pose import start_pose
from solver.project.problems import did_you_mean
from solver.project.segments import GROUND
from solver.project.start import RootStart

_NO_PLACES = ("semi_axes_m", "centre_offset_m", "deployment_point_m")


class FrameError(Refusal, ValueError):
    """Say in one sentence why a place cannot be told in a frame."""


def axes_in(project: Project, frame: str, segment: str) -> Axes:
    """Give an own frame as it stands in a segment; in another than its own as both are at the start."""
    found = axes_of(project.frames).get(frame)
    if found is None:
        hint = did_you_mean(frame, [one.id for one in project.frames]) or Sentence("")
        raise FrameError("There is no frame '{frame}' that can be used. {hint}", frame=frame, hint=hint)  # fmt: skip
    if found.segment == segment:
        return found
    pose = start_pose(project)
    for name in (segment, found.segment):
        if name not in pose:
            raise FrameError("There is no segment '{segment}'.", segment=name)
    here, there = pose[segment], pose[found.segment]
    R = here.R_WS.T @ there.R_WS
    origin = here.R_WS.T @ (there.of(found.origin_m) - here.p_W)
    return Axes(segment, origin, R @ found.square, R @ found.axes, found.mirror)


def carrier_of(project: Project, path: str) -> str | None:
    """Name the segment in whose axes the place at a path is given; none for what is no place of a segment."""
    words = words_of(path)
    name = words[-1]
    if not name.endswith("_m") or name in _NO_PLACES:
        return None
    for end in range(len(words) - 1, 0, -1):
        holder = value_at(project, "/".join(words[:end]))
        if not isinstance(holder, Part):
            continue
        if isinstance(holder, OwnFrame):
            return None
        if isinstance(holder, RootStart):
            return holder.relative_to
        if words[end - 1] in ("parent_frame", "child_frame") and end > 1:
            joint = value_at(project, "/".join(words[: end - 1]))
            return str(getattr(joint, words[end - 1].removesuffix("_frame")))
        if words[0] == "segments" and end == 2:
            return words[1]
        if hasattr(holder, "surface"):
            on = getattr(holder.surface, "segment", None)
            return GROUND if holder.surface is None else on
        if isinstance(getattr(holder, "segment", None), str):
            return str(holder.segment)  # type: ignore[attr-defined]
    return None


def place_in(project: Project, frame: str, path: str) -> tuple[float, float, float]:
    """Give the place at a path in an own frame (m)."""
    found = _axes_at(project, frame, path).place_in(value_at(project, path))
    x, y, z = (float(v) for v in found)
    return x, y, z


def place_from(project: Project, frame: str, path: str, place: object) -> tuple[float, float, float]:  # fmt: skip
    """Give in the axes of its segment (m) what the place at a path becomes by a place in an own frame."""
    x, y, z = (float(v) for v in _axes_at(project, frame, path).place_of(np.array(place, float)))
    return x, y, z


def _axes_at(project: Project, frame: str, path: str) -> Axes:
    segment = carrier_of(project, path)
    if segment is None:
        raise FrameError("'{path}' is no place of a segment.", path=path)
    return axes_in(project, frame, segment)
