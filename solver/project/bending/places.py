"""Nodes of their own for what pushes or is followed on a body that bends where no joint holds anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.project.geometry import Frame
from solver.project.joints import LockedJoint
from solver.project.modal import ModalBody
from solver.project.modal_motion import motion_at, moves
from solver.project.motions import Load
from solver.project.outputs import PointOutput
from solver.project.segments import Segment

ON = {"loads": Load, "outputs": PointOutput}
"""Lists whose elements get a node where they stand, and which of them do."""


@dataclass(frozen=True, slots=True)
class Places:
    """Hold massless segments, the locked joints by which they hold at modal bodies, and what is put onto them."""

    segments: tuple[Segment, ...]
    joints: tuple[LockedJoint, ...]
    modal_bodies: tuple[ModalBody, ...]
    loads: tuple[Any, ...]
    outputs: tuple[Any, ...]
    owner: dict[str, str]
    """Paths of what each is made for, by the segment's name."""
    starts: tuple[()] = ()


def places_on(project: Any) -> Places | None:
    """Put loads and followed points of modal bodies onto nodes of their own where shapes move them; none where there are no such."""
    bodies = {body.segment: body for body in project.modal_bodies}
    lists = {name: list(getattr(project, name)) for name in ON} if bodies else {}
    segments: list[Segment] = []
    joints: list[LockedJoint] = []
    owner: dict[str, str] = {}
    more: dict[str, list[str]] = {}
    for name, kind in ON.items():
        for n, one in enumerate(lists.get(name, ())):
            body = bodies.get(one.segment) if isinstance(one, kind) else None
            if body is None or not _is_moved(body, one):
                continue
            node = f"{body.id}#{one.id}" if name == "loads" else f"{body.id}#{one.id}+"
            at = Frame(position_m=one.point_m)
            segments.append(Segment(id=node, mass_kg=0.0, inertia_kgm2=(0.0, 0.0, 0.0)))
            joints.append(LockedJoint(id=node, parent=body.segment, child=node, parent_frame=at))
            more.setdefault(body.id, []).append(node)
            owner[node] = f"{name}/{one.id}"
            lists[name][n] = one.model_copy(update={"segment": node, "point_m": (0.0, 0.0, 0.0)})
    if not segments:
        return None
    changed = tuple(
        body.model_copy(update={"nodes": (*body.nodes, *more[body.id])})
        if body.id in more
        else body
        for body in project.modal_bodies
    )
    return Places(
        tuple(segments), tuple(joints), changed, tuple(lists["loads"]), tuple(lists["outputs"]), owner
    )  # fmt: skip


def put_back(whole: Any) -> tuple[set[str], dict[str, Any]]:
    """Name the places of an expanded project that were made for what is on modal bodies, and give its lists as they were before."""
    named = {
        name for body in whole.modal_bodies for name in body.nodes if name.startswith(f"{body.id}#")
    }
    on = {
        joint.id: joint for joint in whole.joints if joint.id in named and joint.child == joint.id
    }
    own = set(on)

    def back(one: Any) -> Any:
        joint = on.get(getattr(one, "segment", ""))
        if joint is None:
            return one
        return one.model_copy(
            update={"segment": joint.parent, "point_m": joint.parent_frame.position_m}
        )

    bodies = tuple(
        one.model_copy(update={"nodes": tuple(name for name in one.nodes if name not in own)})
        if own.intersection(one.nodes)
        else one
        for one in whole.modal_bodies
    )
    lists = {name: tuple(back(one) for one in getattr(whole, name)) for name in ON}
    return own, {"modal_bodies": bodies, **lists}


def _is_moved(body: ModalBody, one: Any) -> bool:
    if isinstance(one, PointOutput) and one.frame is not None:
        return False
    motion = motion_at(body, np.array(one.point_m))
    return moves(motion.turn if getattr(one, "kind", "") == "torque" else motion.shift)
