"""Modal bodies as they are seen: a beam's section swept along its axis, bent as its nodes stand.

Of the amplitudes a pose tells only what they do at nodes; among all shapes that meet these the one of least strain is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.bending.shapes import OfBeam, turned_by
from solver.project.document import Project
from solver.project.joints import Joint
from solver.project.modal import BeamShapes, ModalBody
from solver.project.pose import Placed, turn
from solver.scene.beams import swept
from solver.scene.meshes import Mesh
from solver.scene.placing import Pose

SECTIONS = 25
"""Sections drawn along a beam."""


def modal_beams_of(project: Project, pose: Pose) -> Iterator[tuple[ModalBody, Mesh]]:
    """Each modal body that is a beam and stands in the pose, with its mesh in ground axes."""
    if not project.modal_bodies:
        return
    joints = {joint.id: joint for joint in project.joints}
    for body in project.modal_bodies:
        shapes = body.shapes
        if not isinstance(shapes, BeamShapes) or body.segment not in pose:
            continue
        if not shapes.has_modes:
            # the checks say so; there is nothing to draw
            continue
        held = [joints[name] for name in body.nodes if name in joints]
        at, axes = pose[body.segment], turn(shapes.frame.orientation)
        bends = _shapes(shapes)
        q = _amplitudes(bends, [one for one in held if one.child in pose], pose, at)
        start = np.array(shapes.frame.position_m)
        places, turns = [], []
        for s in np.linspace(0.0, shapes.length_m, SECTIONS):
            rest = start + axes[:, 0] * s
            node = bends.node(rest)
            places.append(at.of(rest + node.moved(q)))
            turns.append(at.R_WS @ turned_by(q @ node.turn) @ axes)
        outline = np.array(shapes.section.outline())
        yield body, swept(outline, np.array(places), np.array(turns))


@lru_cache(maxsize=32)
def _shapes(shapes: BeamShapes) -> OfBeam:
    return OfBeam(shapes)


def _amplitudes(bends: OfBeam, held: list[Joint], pose: Pose, at: Placed) -> Array:
    """Give the amplitudes of least strain with which nodes are where the pose has what they hold."""
    modes = bends.modes
    if not held:
        return np.zeros(len(modes.way))
    rows, off = [], []
    for joint in held:
        rest, child = np.array(joint.parent_frame.position_m), pose[joint.child]
        node = bends.node(rest)
        there = at.R_WS.T @ (child.of(joint.child_frame.position_m) - at.p_W)
        held_as = turn(joint.parent_frame.orientation) @ turn(joint.child_frame.orientation).T
        R = at.R_WS.T @ child.R_WS @ held_as.T
        rows += [node.shift.T, node.turn.T]
        off += [
            there - rest,
            0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]),
        ]
    # modes as stiff as each other: the least of their squares is the least strain
    soft = 1.0 / modes.frequency
    found: Array = soft * (np.linalg.pinv(np.vstack(rows) * soft, rcond=1e-8) @ np.concatenate(off))
    return found
