"""Fit an ellipsoid or a hyperellipsoid to a mesh: to its surface by least squares, or by its inertia."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from solver.engine.maths.rotation import Array
from solver.exchange.shapes.reading import MeshError, read_mesh
from solver.project.angles import angles_from
from solver.project.changes import with_value
from solver.project.document import Project
from solver.project.geometry import Orientation
from solver.project.pose import turn
from solver.project.segments import GROUND, SegmentMesh, Triangles, pack, unpack

Shape = Literal["ellipsoid", "hyperellipsoid"]
By = Literal["surface", "inertia"]
MOST = 2000
"""Points that a fit looks at; of more a part is drawn, always the same."""
EXACT = 1e-20
"""Half the mean square, by the size, at which nothing better is looked for."""
THIN = 1e-4
"""Ratio of thickness to length below which a mesh has no inside."""


@dataclass(frozen=True)
class Fitted:
    """A fitted surface (m, the mesh's axes), and how far off the mesh's points are."""

    centre: Array
    R: Array
    semi_axes: tuple[float, float, float]
    powers: tuple[float, float, float]
    rms_m: float
    worst_m: float
    volume_m3: float
    """Of the mesh; zero where it is not closed."""


def fit(mesh: Triangles, shape: Shape = "ellipsoid", by: By = "surface") -> Fitted:
    """Fit a surface; raises MeshError with a sentence where that cannot be done."""
    points, weights = _points(mesh)
    volume, centre, covariance = _solid(mesh)
    if by == "inertia" and shape != "ellipsoid":
        raise MeshError("By inertia only an ellipsoid is fitted; its powers would stay open.")
    if by == "inertia" and volume <= 0.0:
        raise MeshError("The mesh is not closed: it has no volume and no inertia. Fit to its surface.")  # fmt: skip
    if volume <= 0.0:
        centre = weights @ points / weights.sum()
        arms = points - centre
        # of a thin shell of an ellipsoid the mean square along an axis is near a third of the axis' square
        covariance = np.einsum("n,ni,nj->ij", weights / weights.sum(), arms, arms) * 3.0 / 5.0
    squares, R = np.linalg.eigh(covariance)
    if squares[0] <= THIN**2 * squares[2]:
        raise MeshError("The mesh is flat: no ellipsoid can be fitted to it.")
    if np.linalg.det(R) < 0.0:
        R[:, 0] = -R[:, 0]
    axes, powers = np.sqrt(5.0 * squares), np.full(3, 2.0)
    if by == "surface":
        centre, R, axes, powers = _least(points, weights, centre, R, axes, shape)
    R, axes, powers = _in_order(R, axes, powers)
    # also of the points that the fit did not look at
    off = _off(mesh.points[np.unique(mesh.faces)], centre, R, axes, powers)
    a, b, c = (float(v) for v in axes)
    p, q, r = (float(v) for v in powers)
    return Fitted(centre, R, (a, b, c), (p, q, r), float(np.sqrt(np.mean(off**2))), float(np.abs(off).max()), volume)  # fmt: skip


def _points(mesh: Triangles) -> tuple[Array, Array]:
    """The points with the areas that belong to them; of many points a part."""
    a, b, c = (mesh.points[mesh.faces[:, k]] for k in range(3))
    area = 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
    weights = np.zeros(len(mesh.points))
    for k in range(3):
        np.add.at(weights, mesh.faces[:, k], area / 3.0)
    used = np.flatnonzero(weights > 0.0)
    if len(used) < 12:
        raise MeshError("A fit needs 12 points or more; the mesh has {count}.", count=len(used))
    if len(used) > MOST:
        used = np.sort(np.random.default_rng(0).choice(used, MOST, replace=False))
    return mesh.points[used], weights[used]


def _solid(mesh: Triangles) -> tuple[float, Array, Array]:
    """Give volume, centroid and mean squares of the inside, by tetrahedra; no volume where it is open."""
    edges = np.sort(np.concatenate([mesh.faces[:, [0, 1]], mesh.faces[:, [1, 2]], mesh.faces[:, [2, 0]]]), axis=1)  # fmt: skip
    _, counts = np.unique(edges, axis=0, return_counts=True)
    middle = mesh.points.mean(axis=0)
    a, b, c = (mesh.points[mesh.faces[:, k]] - middle for k in range(3))
    six = np.einsum("ni,ni->n", a, np.cross(b, c))
    volume = float(six.sum()) / 6.0
    if (counts != 2).any() or abs(volume) < 1e-15:
        return 0.0, middle, np.eye(3)
    share = six / six.sum()
    centre = share @ (a + b + c) / 4.0
    total = a + b + c
    # a tetrahedron with one corner in the origin (F. Tonon, 2004): sums over pairs of its corners
    squares = sum(np.einsum("n,ni,nj->ij", share, v, v) for v in (a, b, c, total)) / 20.0
    return abs(volume), middle + centre, squares - np.outer(centre, centre)


def _least(points: Array, weights: Array, centre: Array, R: Array, axes: Array, shape: Shape) -> tuple[Array, Array, Array, Array]:  # fmt: skip
    """Bring the points' distances from a surface to their least squares, from a first one."""
    from scipy.optimize import least_squares
    from scipy.spatial.transform import Rotation

    size = float(axes.max())
    root = np.sqrt(weights / weights.sum())

    def read(v: Array) -> tuple[Array, Array, Array, Array]:
        turned = R @ Rotation.from_rotvec(v[3:6]).as_matrix()
        powers = 2.0 + 98.0 / (1.0 + np.exp(-v[9:12])) if len(v) > 9 else np.full(3, 2.0)
        return centre + size * v[:3], turned, axes * np.exp(v[6:9]), powers

    def residual(v: Array) -> Array:
        out: Array = root * _off(points, *read(v)) / size
        return out

    best = least_squares(residual, np.zeros(9), x_scale="jac", ftol=1e-15, xtol=1e-15, gtol=1e-15)
    if shape == "hyperellipsoid":
        tries = list[Any]()
        for p in (2.5, 5.0):
            begin = np.concatenate([best.x, np.full(3, np.log((p - 2.0) / (100.0 - p)))])
            tries.append(least_squares(residual, begin, x_scale="jac", ftol=1e-14, xtol=1e-14, gtol=1e-14, max_nfev=200))  # fmt: skip
            if tries[-1].cost < EXACT:
                break
        best = min(tries, key=lambda one: float(one.cost))
    return read(best.x)


def _off(points: Array, centre: Array, R: Array, axes: Array, powers: Array) -> Array:
    """How far points are beyond a surface, along the ray from its centre."""
    local = (points - centre) @ R
    far = np.linalg.norm(local, axis=1)
    x = np.abs(local) / axes + 1e-12
    # scale by which a point comes onto the surface: sum (s x)^p = 1, Newton's method in log s
    s = -np.log(np.max(x, axis=1))
    for _ in range(40):
        terms = np.exp(powers * (np.log(x) + s[:, None]))
        step = np.log(terms.sum(axis=1)) * terms.sum(axis=1) / (terms @ powers)
        s = s - step
        if np.abs(step).max() < 1e-12:  # the next step would be its square
            break
    out: Array = far * (1.0 - np.exp(s))
    return out


def _in_order(R: Array, axes: Array, powers: Array) -> tuple[Array, Array, Array]:
    """Name the axes so that each is nearest to the mesh's own, by quarter turns."""
    order, left = list[int](), [0, 1, 2]
    for k in range(3):
        nearest = max(left, key=lambda n: abs(R[k, n]))
        order.append(nearest)
        left.remove(nearest)
    R = R[:, order] * np.where(np.diag(R[:, order]) < 0.0, -1.0, 1.0)
    if np.linalg.det(R) < 0.0:
        R[:, int(np.argmin(np.diag(R)))] *= -1.0
    return R, axes[order], powers[order]


# Put a mesh of a file onto a segment, and a surface that is fitted to it.


def with_mesh(project: Project, segment: str, file: Path | str, unit: str = "m", id_: str = "", **fields: Any) -> tuple[Project, str]:  # fmt: skip
    """Put the mesh of a file onto a segment; the file itself is not needed any more. Raises MeshError."""
    if segment != GROUND and segment not in {one.id for one in project.segments}:
        raise MeshError("There is no segment '{segment}'.", segment=segment)
    found = read_mesh(file, unit)
    base = id_ or re.sub(r"[^\w+-]+", "_", Path(file).stem).strip("_")[:60] or "mesh"
    name, number, taken = base, 2, {one.id for one in project.meshes}
    while name in taken:
        name, number = f"{base}_{number}", number + 1
    record = {"source": Path(file).name} | fields
    made = SegmentMesh.model_validate({"id": name, "segment": segment, "packed": pack(*found), **record})  # fmt: skip
    return with_value(project, "meshes", (*project.meshes, made)), name


def fitted_to(project: Project, mesh: str, shape: Shape = "ellipsoid", by: By = "surface") -> tuple[Project, str, Fitted]:  # fmt: skip
    """The segment of a mesh a surface that is fitted to it; gives the surface's id, too. Raises MeshError."""
    one = next((m for m in project.meshes if m.id == mesh), None)
    triangles = unpack(one.packed) if one is not None else None
    if one is None or triangles is None:
        raise MeshError("There is no mesh '{mesh}' that can be unpacked.", mesh=mesh)
    segment = next((s for s in project.segments if s.id == one.segment), None)
    if segment is None:
        raise MeshError("'{mesh}' is on the ground, which has no surfaces: put it onto a segment.", mesh=mesh)  # fmt: skip
    found = fit(triangles, shape, by)
    name, number, taken = mesh, 2, {s.id for s in segment.surfaces}
    while name in taken:
        name, number = f"{mesh}_{number}", number + 1
    R = turn(one.frame.orientation)
    centre = np.array(one.frame.position_m) + R @ found.centre
    data: dict[str, Any] = {
        "kind": shape, "id": name, "source": f"fitted to {mesh}",
        "semi_axes_m": found.semi_axes, "centre_m": tuple(map(float, centre)),
        "orientation": Orientation(angles_rad=angles_from(R @ found.R, "zyx")),
    }  # fmt: skip
    if shape == "hyperellipsoid":
        data["powers"] = tuple(min(max(p, 2.0), 100.0) for p in found.powers)
    path = f"segments/{segment.id}/surfaces"
    kept = [s.model_dump() for s in segment.surfaces]
    return with_value(project, path, [*kept, data | {"orientation": data["orientation"].model_dump()}]), name, found  # fmt: skip
