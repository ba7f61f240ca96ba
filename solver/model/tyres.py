"""Make tyres and their roads into arrays."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from solver.engine.forces.tyres import TYRE_COLUMNS, TYRE_CURVES, TYRE_NUMBERS, TYRE_STATES, Tyres
from solver.engine.maths.alike import length
from solver.engine.maths.rotation import cross
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered, stops
from solver.model.tree import Trees, point_on
from solver.project.document import Project
from solver.project.pose import plane_corners
from solver.project.segments import GROUND, Plane
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
        one.carcass_damping_s, one.across_ratio, one.friction_falls_s_per_m, one.patch_m or 0.0, one.rolling_resistance,
    ]  # fmt: skip
