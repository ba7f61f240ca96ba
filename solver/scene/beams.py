"""Beams as they are seen: their section swept along the stations, bent and twisted as these are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.beams import Beam
from solver.project.document import Project
from solver.project.expanding import cuts, frames
from solver.scene.meshes import Mesh, joined
from solver.scene.placing import Pose

BETWEEN = 3
"""Sections drawn for each piece."""

COLOURS = ("metal", "bone", "wood", "plastic")
"""What beams are drawn as, in the order of their tones."""


def beams_of(project: Project, pose: Pose) -> Iterator[tuple[Beam, Mesh]]:
    """Each beam whose stations are placed, with its mesh in ground axes."""
    for beam, _, pieces, _ in cuts(project) if project.beams else ():
        if all(name in pose for name in beam.stations):
            at = [pose[name] for name in beam.stations]
            places = np.array([one.of(axis) for one, axis in zip(at, pieces.axis, strict=True)])
            turns = np.array([one.R_WS for one in at])
            yield beam, swept(np.array(beam.section.outline()), *_finer(places, turns))


def folded_frames(project: Project, pose: Pose) -> Iterator[tuple[str, Mesh]]:
    """Each frame of plastic hinges whose nodes are placed: its members from node to node, in ground axes."""
    for frame in project.crash_frames:
        if frame.id not in frames(project) or any(frame.called(one.id) not in pose for one in frame.nodes):  # fmt: skip
            continue
        parts = []
        for member in frame.members:
            ends = np.array([pose[frame.called(one)].p_W for one in (member.a, member.b)])
            body = pose.get(frame.called(member.id))
            if body is not None:
                parts.append(swept(np.array(member.section.outline()), ends, np.array([body.R_WS] * 2)))  # fmt: skip
        yield frame.id, joined(*parts)


def _finer(places: Array, turns: Array) -> tuple[Array, Array]:
    """Sections between the stations: on curves along their x axes, turned from one to the next."""
    share = (np.arange(BETWEEN) / BETWEEN)[:, None]
    p0, p1 = places[:-1, None], places[1:, None]
    size = np.linalg.norm(p1 - p0, axis=2, keepdims=True)
    t0, t1 = turns[:-1, None, :, 0] * size, turns[1:, None, :, 0] * size
    s2, s3 = share**2, share**3
    line = (2 * s3 - 3 * s2 + 1) * p0 + (s3 - 2 * s2 + share) * t0 + (3 * s2 - 2 * s3) * p1 + (s3 - s2) * t1  # fmt: skip
    slope = 6 * (s2 - share) * p0 + (3 * s2 - 4 * share + 1) * t0 + 6 * (share - s2) * p1 + (3 * s2 - 2 * share) * t1  # fmt: skip
    up = (1 - share) * turns[:-1, None, :, 2] + share * turns[1:, None, :, 2]
    line = np.vstack([line.reshape(-1, 3), places[-1:]])
    slope = np.vstack([slope.reshape(-1, 3), turns[-1:, :, 0]])
    up = np.vstack([up.reshape(-1, 3), turns[-1:, :, 2]])
    x = slope / np.maximum(np.linalg.norm(slope, axis=1), 1e-12)[:, None]
    y = np.cross(up, x)
    y /= np.maximum(np.linalg.norm(y, axis=1), 1e-12)[:, None]
    return line, np.stack([x, y, np.cross(x, y)], axis=2)


def swept(outline: Array, places: Array, turns: Array) -> Mesh:
    """A section carried along places (n, 3), across the x of turns (n, 3, 3), closed at both ends."""
    around, count = len(outline), len(places)
    rings = places[:, None] + np.einsum("nij,kj->nki", turns[:, :, 1:], outline)
    one = np.arange(around)
    next_ = (one + 1) % around
    faces = []
    for k in range(count - 1):
        a, b = k * around, (k + 1) * around
        faces += [np.column_stack([a + one, a + next_, b + one]), np.column_stack([a + next_, b + next_, b + one])]  # fmt: skip
    ends = count * around
    faces.append(np.column_stack([next_, one, np.full(around, ends)]))
    last = (count - 1) * around
    faces.append(np.column_stack([last + one, last + next_, np.full(around, ends + 1)]))
    points = np.vstack([rings.reshape(-1, 3), places[:1], places[-1:]])
    edges = tuple(tuple(range(k, ends, around)) for k in (0, around // 2))
    return Mesh(points, np.vstack(faces), lines=edges)
