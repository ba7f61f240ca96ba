"""Modal bodies as they are seen: a beam's section swept along its axis, faces or lines between nodes of others, bent as these stand.

Of the amplitudes a pose tells only what they do at nodes; among all shapes that meet these the one of least strain is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.bending.shapes import data_of, is_whole, shapes_of, turned_by
from solver.project.document import Project
from solver.project.joints import Joint
from solver.project.modal import BeamShapes, GivenShapes, ModalBody, modes_of
from solver.project.pose import Placed, turn
from solver.scene.beams import swept
from solver.scene.meshes import Mesh, joined
from solver.scene.placing import Pose

SECTIONS = 25
"""Sections drawn along a beam."""

ROD, STIFF = 0.004, 1e-12
"""Radius of lines between nodes by the size of the body, and the least stiffness that counts by the largest."""


def modal_beams_of(project: Project, pose: Pose) -> Iterator[tuple[ModalBody, Mesh]]:
    """Each modal body that stands in the pose, with its mesh in ground axes."""
    if not project.modal_bodies:
        return
    joints = {joint.id: joint for joint in project.joints}
    for body in project.modal_bodies:
        if body.segment not in pose or not is_whole(body):
            # the checks say so; there is nothing to draw
            continue
        held = [joints[name] for name in body.nodes if name in joints]
        at, bends = pose[body.segment], shapes_of(body)
        q = _amplitudes(body, [one for one in held if one.child in pose], pose, at)
        s = body.shapes
        if isinstance(s, BeamShapes):
            axes, start = turn(s.frame.orientation), np.array(s.frame.position_m)
            rests = [start + axes[:, 0] * x for x in np.linspace(0.0, s.length_m, SECTIONS)]
            nodes = [node for rest in rests if (node := bends.node(rest)) is not None]
            places = [at.of(rest + node.moved(q)) for rest, node in zip(rests, nodes, strict=True)]
            turns = [at.R_WS @ turned_by(q @ node.turn) @ axes for node in nodes]
            yield body, swept(np.array(s.section.outline()), np.array(places), np.array(turns))
        else:
            rests = [np.array(one.position_m) for one in s.nodes]
            there = [node for rest in rests if (node := bends.node(rest)) is not None]
            moved = [at.of(rest + node.moved(q)) for rest, node in zip(rests, there, strict=True)]
            yield body, _between(np.array(moved), _drawn_faces(s))


def _between(points: Array, faces: Array) -> Mesh:
    """Draw triangles between points, and thin rods where two corners are one."""
    flat = faces[:, 1] == faces[:, 2]
    parts = [Mesh(points, faces[~flat])] if len(faces[~flat]) else []
    reach = float(np.linalg.norm(np.ptp(points, axis=0)))
    angles = np.linspace(0.0, 2.0 * np.pi, 6, endpoint=False)
    outline = ROD * reach * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    for a, b, _ in faces[flat]:
        way = points[b] - points[a]
        long = float(np.sqrt(way @ way))
        if long > 0.0:
            side = np.cross(way, np.eye(3)[int(np.argmin(np.abs(way)))])
            side = side / np.sqrt(side @ side)
            axes = np.stack([way / long, side, np.cross(way / long, side)], axis=1)
            parts.append(swept(outline, points[[a, b]], np.array([axes, axes])))
    return joined(*parts) if parts else Mesh(points)


@lru_cache(maxsize=32)
def _drawn_faces(shapes: GivenShapes) -> Array:
    """Give the faces of a body, or of one without lines that lead from node to nearest node."""
    if shapes.faces:
        faces: Array = np.array(shapes.faces).astype(int)
        return faces
    places = np.array([one.position_m for one in shapes.nodes])
    near, lines = {0: 0}, list[tuple[int, int, int]]()
    away = np.linalg.norm(places - places[0], axis=1)
    come = np.zeros(len(places), int)
    while len(near) < len(places):
        # the next node is the one that is nearest to those that hang together
        away[list(near)] = np.inf
        k = int(np.argmin(away))
        near[k] = k
        lines.append((int(come[k]), k, k))
        from_it = np.linalg.norm(places - places[k], axis=1)
        come, away = np.where(from_it < away, k, come), np.minimum(away, from_it)
    return np.array(lines, int).reshape(-1, 3)


def _amplitudes(body: ModalBody, held: list[Joint], pose: Pose, at: Placed) -> Array:
    """Give the amplitudes of least strain with which nodes are where the pose has what they hold."""
    bends = shapes_of(body)
    if not held:
        return np.zeros(modes_of(body))
    rows, off = [], []
    for joint in held:
        rest, child = np.array(joint.parent_frame.position_m), pose[joint.child]
        node = bends.node(rest)
        if node is None:
            continue
        there = at.R_WS.T @ (child.of(joint.child_frame.position_m) - at.p_W)
        held_as = turn(joint.parent_frame.orientation) @ turn(joint.child_frame.orientation).T
        R = at.R_WS.T @ child.R_WS @ held_as.T
        rows += [node.shift.T, node.turn.T]
        off += [
            there - rest,
            0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]),
        ]
    if not rows:
        return np.zeros(modes_of(body))
    # in amplitudes that are as stiff as each other the least of squares is the least strain
    stiff, ways = np.linalg.eigh(data_of(body).stiffness)
    soft = ways / np.sqrt(np.maximum(stiff, STIFF * stiff[-1]))
    found: Array = soft @ (np.linalg.pinv(np.vstack(rows) @ soft, rcond=1e-8) @ np.concatenate(off))
    return found
