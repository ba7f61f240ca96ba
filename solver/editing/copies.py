"""Copy elements: shifted, in rows, or out of another project, under free ids and with what refers among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.base.words import Refusal
from solver.editing.elements import find
from solver.editing.naming import free_id, free_name, taken
from solver.engine.maths.rotation import Array
from solver.project import LISTS, Project
from solver.project.belts import Belt, Harness
from solver.project.joint_table import carrying
from solver.project.merging import shifted
from solver.project.motions import Initial, RootStart
from solver.project.pose import Placed
from solver.project.references import Key, keys_in, redirected_part
from solver.scene.placing import pose_at_start

SHARED = ("functions", "contact_laws")
"""What is copied along because elements need it; pasting reuses what is already there."""
Bundle = Mapping[str, Sequence[Any]]
"""Elements by their lists."""


class CannotCopy(Refusal, ValueError):
    """Say in a sentence why something is not copied."""


@dataclass(frozen=True, slots=True)
class Copied:
    """The project with copies in it, the paths of the copies, and how many came along."""

    project: Project
    paths: tuple[str, ...]
    with_it: tuple[str, ...] = ()


def with_joints(project: Project, paths: Sequence[str]) -> tuple[str, ...]:
    """Add the joint that carries each segment: a copy without it would fall off."""
    out = list(paths)
    for joint in project.joints:
        if f"segments/{joint.child}" in paths and f"joints/{joint.id}" not in out:
            out.append(f"joints/{joint.id}")
    return tuple(out)


def duplicated(project: Project, paths: Sequence[str], by_W: Array) -> Copied:
    """Copy elements under free ids, segments with their joints and start, shifted by a way in ground axes (m)."""
    for path in paths:
        if find(project, path) is None or path.partition("/")[0] not in LISTS:
            raise CannotCopy("There is no element '{path}' that could be copied.", path=path)
    everything = with_joints(project, paths)
    bundle = {name: items_of(project, name, everything) for name in LISTS}
    own = {one.id for one in bundle["segments"]}
    held = {joint.child for joint in carrying(tuple(bundle["joints"]))}
    known = {root.segment for root in project.initial.roots}
    start = start_of(project, bundle)
    more = (RootStart(segment=one) for one in own - held - known)
    start = start.model_copy(update={"roots": (*start.roots, *more)})
    pose = pose_at_start(project)
    on = {name: Placed(np.eye(3), at.R_WS.T @ by_W) for name, at in pose.items() if name not in own}
    piece = Project(initial=start).model_copy(update={n: tuple(v) for n, v in bundle.items()})
    piece = shifted(piece, on)
    for name in LISTS:
        # what lies on somebody who is not copied stays where it is
        pairs = zip(bundle[name], getattr(piece, name), strict=True)
        bundle[name] = [old if _lies_on_others(old, own) else new for old, new in pairs]
    done = put_in(project, bundle, piece.initial, share=False)
    return Copied(done.project, done.paths, ())


def _lies_on_others(item: Any, own: set[str]) -> bool:
    return isinstance(item, Belt | Harness) and any(
        key[0] == "surfaces" and key[1].partition("/")[0] not in own for key in keys_in(item)
    )


def arrayed(project: Project, paths: Sequence[str], count: int, step_W: Array) -> Copied:
    """A row of `count` of some elements, those that are there the first, one step (m, ground axes) after the other."""
    if count < 2:
        raise CannotCopy(
            "A row has two or more, with the one that is there; {count} are too few.", count=count
        )
    out, new = project, list[str]()
    for number in range(1, count):
        done = duplicated(project, paths, number * step_W)
        # each copy is of the originals, under ids that are free beside the copies before
        made = _again(out, done)
        out = made.project
        new += made.paths
    return Copied(out, tuple(new), ())


def _again(out: Project, done: Copied) -> Copied:
    """Put what was copied into another version of the project."""
    bundle = {name: items_of(done.project, name, done.paths) for name in LISTS}
    return put_in(out, bundle, start_of(done.project, bundle), share=False)


def items_of(project: Project, list_name: str, paths: Iterable[str]) -> list[Any]:
    """Those of a list that have one of these paths."""
    wanted = set(paths)
    return [item for item in getattr(project, list_name) if f"{list_name}/{item.id}" in wanted]


def start_of(project: Project, bundle: Bundle) -> Initial:
    """The starts of the segments and joints in a bundle."""
    segments = {item.id for item in bundle["segments"]}
    joints = {item.id for item in bundle["joints"]}
    initial = project.initial
    return Initial(
        roots=tuple(r for r in initial.roots if r.segment in segments),
        attitudes=tuple(a for a in initial.attitudes if a.segment in segments),
        joints=tuple(j for j in initial.joints if j.joint in joints),
    )


def put_in(
    project: Project,
    bundle: Bundle,
    start: Initial,
    *,
    share: bool,
    chosen: Sequence[str] | None = None,
) -> Copied:
    """Append the elements of a bundle under free ids, their references among each other followed."""
    ways: dict[Key, Key] = {}
    used = {name: taken(project, name) for name in LISTS}
    fresh: list[tuple[str, Any]] = []
    for name in LISTS:
        for item in bundle[name]:
            there = find(project, f"{name}/{item.id}")
            if (
                share
                and name in SHARED
                and f"{name}/{item.id}" not in (chosen or ())
                and (there == item)
            ):
                continue
            id_ = free_id(item.id, used[name])
            used[name].add(id_)
            ways[name, item.id] = (name, id_)
            fresh.append((name, item))
    lists: dict[str, list[Any]] = {}
    paths: list[str] = []
    along: list[str] = []
    for name, item in fresh:
        id_ = ways[name, item.id][1]
        copy = redirected_part(item, ways).model_copy(update={"id": id_})
        if id_ != item.id and item.name and item.name in _names(project, name):
            copy = copy.model_copy(update={"name": free_name(item.name, _names(project, name))})
        lists.setdefault(name, list(getattr(project, name))).append(copy)
        wanted = chosen is None or f"{name}/{item.id}" in chosen
        (paths if wanted else along).append(f"{name}/{id_}")
    update: dict[str, Any] = {name: tuple(items) for name, items in lists.items()}
    update["initial"] = _joined(project.initial, redirected_part(start, ways), ways)
    return Copied(project.model_copy(update=update), tuple(paths), tuple(along))


def _joined(initial: Initial, more: Initial, ways: dict[Key, Key]) -> Initial:
    """Add the starts of what is new."""
    new = set(ways.values())
    update: dict[str, Any] = {
        name: (
            *getattr(initial, name),
            *(one for one in getattr(more, name) if (to, getattr(one, field)) in new),
        )
        for name, to, field in (
            ("roots", "segments", "segment"),
            ("attitudes", "segments", "segment"),
            ("joints", "joints", "joint"),
        )
        if getattr(more, name)
    }
    return initial.model_copy(update=update) if update else initial


def _names(project: Project, list_name: str) -> set[str]:
    return {item.name for item in getattr(project, list_name)}
