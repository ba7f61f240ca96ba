"""Check tyres and their roads."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import Array
from solver.project.checks.index import Index
from solver.project.checks.laws import range_of
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.functions import Table
from solver.project.pose import plane_corners, start_pose, turn
from solver.project.problems import Problem
from solver.project.segments import GROUND, SegmentMesh, unpack
from solver.project.tyres import Tyre

DEEP = 0.5
"""Part of its radius by which a tyre may be pressed in at the start (*assumed*)."""


LOOKED = 0.05
"""Part of its radius between places at which a tyre looks for the nearest of a profile."""


@finds(
    TOPOLOGY,
    error={
        "tyre-axle": "The axle of a tyre has no direction.",
        "tyre-no-road": "A tyre has no road.",
        "tyre-own-road": "A tyre rolls on a plane or a mesh of its own wheel.",
        "tyre-carrier": "The brake of a wheel reacts on the wheel itself.",
        "tyre-crown": "A tyre is rounder from side to side than around.",
    },
    warning={
        "tyre-reacts-on-ground": "Brake or drive of a wheel react on the ground, as no joint holds it.",
        "tyre-peak-ignored": "A load of the peak is given without a nominal load.",
        "tyre-road-twice": "A tyre names a road twice.",
        "tyre-profile-narrow": "A profile has a bump or a dip that a tyre may miss.",
        "tyre-rigid": "A tyre cannot move against a road that it rolls on.",
        "tyre-rim-unused": "A rim never strikes through, or does nothing where it does.",
    },
)
def tyres(index: Index) -> Iterator[Problem]:
    """Find tyres whose wheels, roads or numbers cannot be meant so."""
    held = {joint.child for joint in index.project.joints}
    for tyre, path in index.elements("tyres"):
        if not math.hypot(*tyre.axle) > 1e-9:
            sentence = Sentence("The axle has no direction.")
            yield problem("tyre-axle", f"{path}/axle", sentence, "It is 0, 1, 0 in most wheels.")
        yield from _roads(index, tyre, path)
        if tyre.carrier == tyre.wheel:
            sentence = Sentence("Brake and drive would turn the wheel against itself.")
            hint = "Name the segment that carries the wheel."
            yield problem("tyre-carrier", f"{path}/carrier", sentence, hint)
        if tyre.crown_m > tyre.radius_m:
            sentence = Sentence("The crown's radius is larger than the tyre's.")
            hint = "It is at most half of the tyre's width."
            yield problem("tyre-crown", f"{path}/crown_m", sentence, hint)
        if tyre.peak_load_n is not None and tyre.load_n is None:
            sentence = Sentence(
                "Without a nominal load the cornering stiffness is the same at any load."
            )
            hint = "Give the nominal load, or leave this out."
            yield problem("tyre-peak-ignored", f"{path}/peak_load_n", sentence, hint)
        yield from _rim(tyre, path)
        form = getattr(index.functions.get(tyre.profile or ""), "form", None)
        wide = _narrowest(form) if isinstance(form, Table) else math.inf
        if wide < LOOKED * tyre.radius_m:
            sentence = Sentence(
                "A bump or dip of the profile is {wide:.3g} mm wide; the tyre looks every {step:.3g} mm.",
                wide=1e3 * wide,
                step=1e3 * LOOKED * tyre.radius_m,
            )
            hint = "Make it wider, or leave it out: it may be missed."
            yield problem("tyre-profile-narrow", f"{path}/profile", sentence, hint)
        turned = [name for name in ("brake_nm", "drive_nm") if getattr(tyre, name) != 0.0]
        if turned and tyre.carrier is None and tyre.wheel not in held:
            sentence = Sentence("No joint holds the wheel '{wheel}'.", wheel=tyre.wheel)
            hint = "Name what carries it, or hold it by a joint."
            yield problem("tyre-reacts-on-ground", f"{path}/{turned[0]}", sentence, hint)


def _is_rigid(index: Index, one: str, other: str) -> bool:
    group = index.rigid_group
    return group.get(one, one) == group.get(other, other)


def _rim(tyre: Tyre, path: str) -> Iterator[Problem]:
    """Find rims that never strike, or push with nothing."""
    usual = Tyre.model_fields["rim_stiffness_n_per_m"].default
    if tyre.rim_at_m is None:
        if tyre.rim_stiffness_n_per_m != usual:
            sentence = Sentence("No deflection is given at which the rim strikes through.")
            yield problem("tyre-rim-unused", f"{path}/rim_stiffness_n_per_m", sentence, "Say where it does.")  # fmt: skip
    elif tyre.rim_stiffness_n_per_m == 0.0:
        sentence = Sentence("The rim adds nothing where it strikes through.")
        yield problem("tyre-rim-unused", f"{path}/rim_stiffness_n_per_m", sentence, "Give its stiffness, or leave out where it strikes.")  # fmt: skip
    elif tyre.rim_at_m >= tyre.radius_m:
        sentence = Sentence("The rim would strike at {at:.3g} m, beyond the middle of the wheel.", at=tyre.rim_at_m)  # fmt: skip
        yield problem("tyre-rim-unused", f"{path}/rim_at_m", sentence, "It is less than the tyre's radius.")  # fmt: skip


def _roads(index: Index, tyre: Tyre, path: str) -> Iterator[Problem]:
    """Find roads of a tyre that are none."""
    if not tyre.roads and not tyre.meshes:
        sentence = Sentence("It has neither a plane nor a mesh to roll on.")
        yield problem("tyre-no-road", f"{path}/roads", sentence, "Name a plane or a mesh.")
    planes = {one.id: one.segment for one in index.project.planes}
    meshes = {one.id: one.segment for one in index.project.meshes}
    for list_, names, carried in (("roads", tyre.roads, planes), ("meshes", tyre.meshes, meshes)):
        for n, road in enumerate(names):
            if carried.get(road) == tyre.wheel:
                sentence = Sentence("'{road}' belongs to the wheel itself.", road=road)
                hint = "Name a plane or a mesh of the ground, or of what it rolls on."
                yield problem("tyre-own-road", f"{path}/{list_}/{n}", sentence, hint)
            elif road in carried and _is_rigid(index, carried[road], tyre.wheel):
                sentence = Sentence("The wheel cannot move against the road '{road}'.", road=road)
                hint = "Let the wheel move, or name another road."
                yield problem("tyre-rigid", f"{path}/{list_}/{n}", sentence, hint)
            if road in names[:n]:
                sentence = Sentence("'{road}' stands more than once.", road=road)
                yield problem("tyre-road-twice", f"{path}/{list_}/{n}", sentence, "Keep one.")


def _narrowest(form: Table) -> float:
    """The least distance of the points beside a bump or dip of a table."""
    x, y = np.asarray(form.x), np.asarray(form.y)
    turns = np.flatnonzero(np.diff(y)[:-1] * np.diff(y)[1:] < 0.0)
    return float(np.min(x[turns + 2] - x[turns], initial=math.inf))


@finds(
    PHYSICS,
    error={"tyre-brake-negative": "A brake would drive its wheel."},
    warning={"tyre-deep": "A tyre starts deep within a road."},
)
def deep(index: Index) -> Iterator[Problem]:
    """Find tyres that start far within their roads, as they do on the back of a plane, and brakes that drive."""
    project = index.project
    if not project.tyres:
        return
    for tyre, path in index.elements("tyres"):
        least, _ = range_of(index, tyre.brake_nm)
        if least < 0.0:
            sentence = Sentence("The brake holds {least:g} N*m, less than nothing.", least=least)
            hint = "A brake holds zero or more either way; what drives is the drive."
            yield problem("tyre-brake-negative", f"{path}/brake_nm", sentence, hint)
    pose = start_pose(project)
    planes = {plane.id: plane for plane in project.planes}
    meshes = {mesh.id: mesh for mesh in project.meshes}
    for tyre, path in index.elements("tyres"):
        at = pose[tyre.wheel]
        centre = at.p_W + at.R_WS @ np.array(tyre.centre_m)
        for n, road in enumerate(tyre.roads):
            plane = planes[road]
            corner, one, two = plane_corners(plane)
            front = np.cross(one, two) / np.linalg.norm(np.cross(one, two))
            if plane.segment != GROUND:
                corner = pose[plane.segment].p_W + pose[plane.segment].R_WS @ corner
                front = pose[plane.segment].R_WS @ front
            height = float((centre - corner) @ front)
            if tyre.profile is None and not plane.bounded and height < (1.0 - DEEP) * tyre.radius_m:
                sentence = Sentence(
                    "The middle of the wheel is {height:.3g} m above '{road}', its radius is {radius:.3g} m.",
                    height=height,
                    road=road,
                    radius=tyre.radius_m,
                )
                hint = "Lift it, or turn the plane so that its front looks up."
                yield problem("tyre-deep", f"{path}/roads/{n}", sentence, hint)
        for n, name in enumerate(tyre.meshes):
            on = pose[meshes[name].segment]
            height = _over(meshes[name], on.R_WS.T @ (centre - on.p_W), tyre.radius_m)
            if height < (1.0 - DEEP) * tyre.radius_m:
                sentence = Sentence(
                    "The middle of the wheel is {height:.3g} m before the front of the nearest triangle of '{road}', its radius is {radius:.3g} m.",
                    height=height,
                    road=name,
                    radius=tyre.radius_m,
                )
                hint = "Lift it, or turn the mesh so that its front looks at the wheel."
                yield problem("tyre-deep", f"{path}/meshes/{n}", sentence, hint)


def _over(mesh: SegmentMesh, place: Array, radius: float) -> float:
    """How far a place of a mesh's segment is before the nearest of the triangles that it is over or under; the radius where it is that far from all."""
    whole = unpack(mesh.packed)
    if whole is None or not len(whole.faces):
        return radius
    corner = np.array(mesh.frame.position_m) + whole.points @ turn(mesh.frame.orientation).T
    a, b, c = (corner[whole.faces[:, k]] for k in range(3))
    front = np.cross(b - a, c - a)
    size = np.maximum(np.linalg.norm(front, axis=1), 1e-300)
    height = np.einsum("ij,ij->i", place - a, front) / size
    foot = place - height[:, None] * front / size[:, None]
    ends = ((a, b), (b, c), (c, a))
    inside = [np.einsum("ij,ij->i", np.cross(q - p, foot - p), front) >= 0.0 for p, q in ends]
    near = np.where(np.all(inside, axis=0) & (size > 1e-12), np.abs(height), np.inf)
    nearest = int(np.argmin(near))
    return float(height[nearest]) if near[nearest] < radius else radius
