"""Duplicate elements, carry them between projects as text on the clipboard, and give them another group or carrier."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from app.editing.grips import grips
from app.editing.naming import named
from app.elements import find, kind_word, name_of
from solver.base.words import msgid, tr
from solver.editing import copies
from solver.editing.copies import SHARED, Copied, items_of, put_in, start_of
from solver.engine.maths.rotation import Array
from solver.project import LISTS, SCHEMA_VERSION, Project, ProjectError
from solver.project.geometry import upright
from solver.project.pose import turn
from solver.project.problems import error
from solver.project.reading import parse
from solver.project.references import keys_in
from solver.project.saving import plain
from solver.project.segments import GROUND, PlaneFrame
from solver.scene.placing import in_ground, pose_at_start

FORMAT = "manikin-elements"
_GAP_M = 0.1


def duplicated(project: Project, paths: Sequence[str], by_W: Array | None = None) -> Copied:
    """Copy elements, shifted by a way in ground axes (m); without one they stand beside their originals, to the right."""
    way = np.array((0.0, _aside(project, paths), 0.0)) if by_W is None else by_W
    return copies.duplicated(project, paths, way)


def _aside(project: Project, paths: Sequence[str]) -> float:
    """How far to the right copies stand clear of some elements (m)."""
    pose, seen = pose_at_start(project), list[float]()
    for path in paths:
        item: Any = find(project, path)
        for grip in grips(project, pose, path):
            seen.append(float(grip.p_W[1]))
        for surface in getattr(item, "surfaces", ()) if item.id in pose else ():
            at = pose[item.id]
            R = at.R_WS @ turn(surface.orientation)
            half = float(np.linalg.norm(R[1] * np.array(surface.semi_axes_m)))
            seen += [float(at.of(surface.centre_m)[1]) + k * half for k in (-1.0, 1.0)]
    return round(max(seen) - min(seen) + _GAP_M, 3) if seen else 0.0


def to_clipboard(project: Project, paths: Sequence[str]) -> str:
    """Write elements, with the functions and laws that they need, as text."""
    bundle = {name: items_of(project, name, paths) for name in LISTS}
    waiting = [item for items in bundle.values() for item in items]
    while waiting:
        for key in keys_in(waiting.pop()):
            if key[0] in SHARED:
                item = find(project, f"{key[0]}/{key[1]}")
                if item is not None and item not in bundle[key[0]]:
                    bundle[key[0]].append(item)
                    waiting.append(item)
    chosen = [path for path in paths if find(project, path) is not None]
    data: dict[str, Any] = {"format": FORMAT, "schema_version": SCHEMA_VERSION, "chosen": chosen}
    data |= {
        name: [plain(item, embed_curves=True) for item in items]
        for name, items in bundle.items()
        if items
    }
    start = plain(start_of(project, bundle))
    if start:
        data["initial"] = start
    return json.dumps(data, indent=2, ensure_ascii=False)


def pasted(project: Project, text: str) -> Copied:
    """Put elements from the clipboard into a project; raises ProjectError where it holds none."""
    source, chosen = from_clipboard(text)
    bundle = {name: list(getattr(source, name)) for name in LISTS}
    return put_in(project, bundle, source.initial, share=True, chosen=chosen)


def from_clipboard(text: str) -> tuple[Project, tuple[str, ...]]:
    """Read copied elements, or a whole project, from text."""
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if not isinstance(data, dict) or data.get("format") not in (FORMAT, "manikin-project"):
        words = (tr("The clipboard holds no elements of a model."), tr("Copy some first."))
        raise ProjectError([error("format-unknown", "", *words)])
    chosen = data.pop("chosen", None)
    data["format"] = "manikin-project"
    source = parse(json.dumps(data)).project
    if not isinstance(chosen, list):
        chosen = [f"{name}/{item.id}" for name in LISTS for item in getattr(source, name)]
    return source, tuple(str(path) for path in chosen)


class CannotAttach(Exception):
    """Say in a sentence why this cannot go there."""


def grouped(project: Project, paths: Sequence[str], group: str) -> tuple[Project, str]:
    """Put elements under a heading of the outline; gives the project and what was done."""
    titles = {tr(str(Project.model_fields[name].title)) for name in LISTS}
    heading = group.rpartition("/")[0] if group.rpartition("/")[2] in titles else group
    out = project
    for path in paths:
        out = _with(out, path, group=heading)
    words = msgid("Put {name} under {group}") if heading else msgid("Put {name} out of their group")
    return out, tr(words, name=named(project, paths), group=heading)


def attached(project: Project, paths: Sequence[str], target: str) -> tuple[Project, str]:
    """Hang elements on a segment: segments by their joints, planes and points by their carrier.

    What is carried stays where it is in space. Raises CannotAttach.
    """
    if not target.startswith("segments/"):
        raise CannotAttach(tr("Drop on a segment to carry something, or on a heading to group it."))
    segment = target.split("/", 1)[1]
    out = project
    for path in paths:
        out = _attach(out, path, segment)
    to = name_of(find(project, target))
    return out, tr("Attach {name} to {target}", name=named(project, paths), target=to)


def _attach(project: Project, path: str, segment: str) -> Project:
    list_name, _, name = path.partition("/")
    item: Any = find(project, path)
    pose = pose_at_start(project)
    if list_name == "segments":
        joint = next((j for j in project.joints if j.child == name), None)
        if joint is None:
            raise CannotAttach(
                tr("'{name}' is attached to no joint: add a joint first.", name=name_of(item))
            )
        return _attach(project, f"joints/{joint.id}", segment)
    if list_name == "joints":
        if segment == item.child or _carries(project, item.child, segment):
            raise CannotAttach(tr("That would hang it on itself."))
        R_WF = pose[item.parent].R_WS @ turn(item.parent_frame.orientation)
        point = in_ground(pose, item.parent, item.parent_frame.position_m)
        frame = _frame(pose[segment], R_WF, point)
        return _with(project, path, parent=segment, parent_frame=frame)
    if list_name == "planes":
        if not isinstance(item.placement, PlaneFrame):
            names = ("p1_m", "p2_m", "p3_m")
            points = [in_ground(pose, item.segment, getattr(item.placement, n)) for n in names]
            update = {n: _local(pose[segment], p) for n, p in zip(names, points, strict=True)}
            placement = item.placement.model_copy(update=update)
        else:
            R_WF = pose[item.segment].R_WS @ turn(item.placement.frame.orientation)
            point = in_ground(pose, item.segment, item.placement.frame.position_m)
            frame = _frame(pose[segment], R_WF, point)
            placement = item.placement.model_copy(update={"frame": frame})
        return _with(project, path, segment=segment, placement=placement)
    if "segment" in type(item).model_fields:
        return _with(project, path, segment=segment)
    raise CannotAttach(tr("A {kind} is not carried by a segment.", kind=kind_word(path)))


def _carries(project: Project, ancestor: str, segment: str) -> bool:
    parent = {joint.child: joint.parent for joint in project.joints}
    seen: set[str] = set()
    here = segment
    while here in parent and here not in seen and here != GROUND:
        seen.add(here)
        here = parent[here]
        if here == ancestor:
            return True
    return False


def _frame(at: Any, R_WF: Any, point_W: Any) -> Any:
    from solver.project.geometry import Frame

    return Frame(position_m=_local(at, point_W), orientation=upright(at.R_WS.T @ R_WF))


def _local(at: Any, point_W: Any) -> tuple[float, ...]:
    return tuple(round(float(x), 9) + 0.0 for x in at.R_WS.T @ (np.asarray(point_W) - at.p_W))


def _with(project: Project, path: str, **fields: Any) -> Project:
    list_name, _, name = path.partition("/")
    items = tuple(
        item.model_copy(update=fields) if item.id == name else item
        for item in getattr(project, list_name)
    )
    return project.model_copy(update={list_name: items})
