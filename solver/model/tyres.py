"""Make tyres and their roads, planes and meshes, into arrays."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from solver.engine.forces.roads import Ground, no_ground
from solver.engine.forces.tyres import TYRE_COLUMNS, TYRE_CURVES, TYRE_NUMBERS, TYRE_STATES, Tyres
from solver.engine.maths.alike import length
from solver.engine.maths.rotation import Array, cross
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered, stops
from solver.model.tree import Trees, point_on
from solver.project.document import Project
from solver.project.pose import plane_corners, turn
from solver.project.segments import GROUND, Plane, SegmentMesh, unpack
from solver.project.tyres import Tyre

NEVER = 1e30
"""A deflection (m) that is never reached."""

ENDS = {"both": (1, 1), "first": (1, 0), "second": (0, 1)}


def carrier_of(project: Project, tyre: Tyre) -> str:
    """The segment that brake and drive of a wheel react on."""
    if tyre.carrier is not None:
        return tyre.carrier
    return next((one.parent for one in project.joints if one.child == tyre.wheel), GROUND)


def compile_tyres(
    project: Project, trees: Trees, functions: Numbered, first: int
) -> tuple[Tyres, list[float]]:
    """All tyres, and the times at which steps end for them; their states stand from `first` on."""
    rows, planes = project.tyres, {plane.id: plane for plane in project.planes}
    roads = [_road(planes[road], trees) for one in rows for road in one.roads]
    rolled = sorted({name for one in rows for name in one.meshes})
    meshes = {one.id: one for one in project.meshes}
    centres = [point_on(trees, one.wheel, one.centre_m) for one in rows]
    carriers = (carrier_of(project, one) for one in rows)
    tyres = Tyres(
        wheel=wholes(body for body, _ in centres),
        carrier=wholes(-1 if name == GROUND else trees.body_of[name] for name in carriers),
        at=reals((at for _, at in centres), 3),
        axle=reals((np.array(one.axle) / length(np.array(one.axle)) for one in rows), 3),
        number=reals((_numbers(one) for one in rows), TYRE_NUMBERS),
        curve=wholes(
            (
                [
                    functions.number(c)
                    for c in (one.friction, one.profile, one.brake_nm, one.drive_nm)
                ]
                for one in rows
            ),
            TYRE_CURVES,
        ),
        state=first + TYRE_STATES * np.arange(len(rows)),
        first=wholes(itertools.accumulate((len(one.roads) for one in rows), initial=0)),
        road=wholes(road[0] for road in roads),
        road_at=reals((road[1] for road in roads), 3),
        normal=reals((road[2] for road in roads), 3),
        along=reals((road[3] for road in roads), 3),
        duals=reals((dual for road in roads for dual in road[4]), 3),
        ends=wholes((road[5] for road in roads), 2),
        first_mesh=wholes(itertools.accumulate((len(one.meshes) for one in rows), initial=0)),
        mesh=wholes(rolled.index(name) for one in rows for name in one.meshes),
        ground=_ground([meshes[name] for name in rolled], trees),
        seen=np.zeros((len(rows), TYRE_COLUMNS)),
    )
    named = {name for one in rows for name in (one.brake_nm, one.drive_nm) if isinstance(name, str)}
    return tyres, [t for name in sorted(named) for t in stops(functions[name])]


def _road(plane: Plane, trees: Trees) -> tuple[Any, ...]:
    """Body, first corner, normal, direction of the first edge, duals of the edges, and along which of them it ends."""
    corner, one, two = plane_corners(plane)
    body, at = point_on(trees, plane.segment, corner)
    normal = cross(one, two)
    area = length(normal)
    normal = normal / area
    duals = cross(two, normal) / area, cross(normal, one) / area
    ends = ENDS[plane.ends] if plane.bounded else (0, 0)
    return body, at, normal, one / length(one), duals, ends


def _numbers(one: Tyre) -> list[float]:
    """The numbers of a tyre, in the order of its kernel."""
    load = one.load_n or 0.0
    return [
        one.radius_m, min(one.crown_m, one.radius_m), one.stiffness_n_per_m, one.damping_ns_per_m,
        NEVER if one.rim_at_m is None else one.rim_at_m, one.rim_stiffness_n_per_m, one.slip_stiffness_n, one.cornering_n_per_rad,
        load, one.peak_load_n or 0.0, one.slip_stiffness_n / one.relaxation_along_m, one.cornering_n_per_rad / one.relaxation_m,
        one.carcass_damping_s, one.across_ratio, one.friction_falls_s_per_m, one.patch_m or 0.0, one.rolling_resistance, one.camber_n_per_rad,
    ]  # fmt: skip


# Meshes that tyres roll on.

CELLS = 250_000
"""Most cells of the grid of a mesh."""


def _ground(meshes: list[SegmentMesh], trees: Trees) -> Ground:
    """The meshes that tyres roll on, in the order in which they are given."""
    found = [_mesh(one, trees) for one in meshes]
    if not found:
        return no_ground()
    faces = np.cumsum([0, *(len(one["front"]) for one in found)])
    cells = np.cumsum([0, *(len(one["first"]) - 1 for one in found)])
    entries = np.cumsum([0, *(len(one["triangle"]) for one in found)])

    def stacked(name: str) -> Any:
        return np.concatenate([one[name] for one in found])

    return Ground(
        corner=stacked("corner"), front=stacked("front"), beside=stacked("beside"),
        body=np.array([one["body"] for one in found], np.int64), at=np.array([one["at"] for one in found]),
        along=np.array([one["along"] for one in found]), spread=np.array([one["spread"] for one in found], np.int64),
        low=np.array([[*one["low"], 0.0] for one in found]), size=np.array([one["size"] for one in found]),
        cells=np.array([one["count"] for one in found], np.int64), cell=cells[:-1].astype(np.int64),
        first=np.concatenate([*(one["first"][:-1] + start for one, start in zip(found, entries, strict=False)), entries[-1:]]).astype(np.int64),
        triangle=np.concatenate([one["triangle"] + start for one, start in zip(found, faces, strict=False)]).astype(np.int64),
    )  # fmt: skip


def faces_of(mesh: SegmentMesh) -> tuple[Array, Array, Any]:
    """Corners of the triangles of a mesh that have an area, in the axes of its segment, their fronts, and the numbers of their points."""
    whole = unpack(mesh.packed)
    assert whole is not None
    points = np.array(mesh.frame.position_m) + whole.points @ turn(mesh.frame.orientation).T
    corners = points[whole.faces]
    front = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(front, axis=1)
    kept = area > 1e-12
    return corners[kept], front[kept] / area[kept, None], whole.faces[kept]


def _mesh(mesh: SegmentMesh, trees: Trees) -> dict[str, Any]:
    corners, front, _ = faces_of(mesh)
    body, origin = point_on(trees, mesh.segment, (0.0, 0.0, 0.0))
    corners = corners + np.array(origin)
    R = turn(mesh.frame.orientation)
    # over the two axes that its fronts look along least
    looks = np.abs(front).sum(axis=0)
    u, v = sorted(np.argsort(looks, kind="stable")[:2])
    flat = corners[:, :, [u, v]]
    low, high = flat.min(axis=(0, 1)), flat.max(axis=(0, 1))
    lengths = flat.max(axis=1) - flat.min(axis=1)
    size = max(float(np.median(lengths)), 1e-3, float(np.sqrt(np.prod(high - low + 1e-3) / CELLS)))
    count = np.floor((high - low) / size).astype(np.int64) + 1
    begin = np.floor((flat.min(axis=1) - low) / size).astype(np.int64)
    end = np.floor((flat.max(axis=1) - low) / size).astype(np.int64)
    pairs = [
        (row * count[1] + column, t)
        for t in range(len(front))
        for row in range(begin[t, 0], end[t, 0] + 1)
        for column in range(begin[t, 1], end[t, 1] + 1)
    ]
    listed = np.array(sorted(pairs), np.int64).reshape(-1, 2)
    first = np.searchsorted(listed[:, 0], np.arange(int(count[0] * count[1]) + 1))
    return {
        "corner": corners.reshape(-1, 3), "front": front, "beside": _beside(corners, front), "body": body,
        "at": np.array(origin) + np.array(mesh.frame.position_m), "along": R[:, 0], "spread": (u, v), "low": low, "size": size,
        "count": count, "first": first, "triangle": listed[:, 1],
    }  # fmt: skip


def _beside(corners: Array, front: Array) -> Array:
    """By triangle and edge the way into the triangle beyond it, square to the edge; nought where there is none."""
    found = np.zeros((len(front), 3, 3))
    edges = dict[tuple[bytes, bytes], int]()
    keys = [[(corner + 0.0).tobytes() for corner in three] for three in corners]
    for t, three in enumerate(keys):
        for k in range(3):
            edges.setdefault((three[k], three[(k + 1) % 3]), t)
    for t, three in enumerate(keys):
        for k in range(3):
            other = edges.get((three[(k + 1) % 3], three[k]))
            if other is not None:
                # its edge runs the other way round, with its inside to the left
                edge = corners[t, k] - corners[t, (k + 1) % 3]
                found[t, k] = np.cross(front[other], edge / np.linalg.norm(edge))
    return found.reshape(-1, 3)
