"""Wind: areas of outlines, parts behind a plane, shields, drag; against closed forms and counting."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver.engine.dynamics.tree import Array
from solver.engine.forces.loads import RINGS, SPOKES
from tests.engine.test_contacts import function, run
from tests.models import base

SEMI = [0.3, 0.2, 0.1]


def blown(target: dict[str, Any], turn: list[float] | None = None, plane: float | None = None,
          shield: list[float] | None = None, **wind: Any) -> Any:  # fmt: skip
    """Give a body in a wind of 100 Pa along x, and perhaps one before it."""
    segments = [{"id": "body", "mass_kg": 10.0, "inertia_kgm2": [1.0] * 3,
                 "surfaces": [{"id": "skin", "kind": "ellipsoid", "semi_axes_m": SEMI}]}]  # fmt: skip
    roots: list[Any] = [{"segment": "body"}]
    attitudes = [{"segment": "body", "orientation": {"angles_rad": turn or [0.0] * 3}}]
    target = {"surface": {"segment": "body", "surface": "skin"}, **target}
    if shield is not None:
        segments.append({**segments[0], "id": "shield"})
        roots.append({"segment": "shield", "position_m": shield})
        target["shields"] = [{"segment": "shield", "surface": "skin"}]
    data = base(segments=segments, initial={"roots": roots, "attitudes": attitudes}, gravity_m_per_s2=[0.0, 0.0, 0.0],
                winds=[{"id": "wind", "pressure_x": 100.0, "targets": [target], **wind}])  # fmt: skip
    if plane is not None:
        # its front looks up: the body is in the wind where it is lower
        corners = {"p1_m": [-5, -5, plane], "p2_m": [5, -5, plane], "p3_m": [-5, 5, plane]}
        data["planes"] = [{"id": "sill", "placement": {"kind": "points", **corners}}]
        data["winds"][0]["plane"] = "sill"
    return data


def force(data: Any, duration: float = 1e-4) -> Array:
    out: Array = run(data, duration, 1 / duration).table("winds")["force"][-1, 0]
    return out


def outline(R: Array, way: Array) -> float:
    """Give the projected area by the sum over principal minors."""
    A = R @ np.diag(np.array(SEMI) ** -2.0) @ R.T
    B = A - np.outer(A @ way, A @ way) / (way @ A @ way)
    minors = sum(B[i, i] * B[j, j] - B[i, j] ** 2 for i, j in ((0, 1), (0, 2), (1, 2)))
    return math.pi / math.sqrt(minors)


@pytest.mark.parametrize("method", ["whole", "outline"])
def test_in_the_open_the_wind_meets_the_outline(method: str) -> None:
    for turn in ([0.0, 0.0, 0.0], [0.3, -0.8, 1.1]):
        R = Rotation.from_euler("ZYX", turn).as_matrix()
        found = force(blown({"method": method}, turn))
        assert found == pytest.approx(
            [100.0 * outline(R, np.array([1.0, 0, 0])), 0.0, 0.0], rel=1e-6
        )
    assert force(blown({"method": method})) == pytest.approx(
        [100.0 * math.pi * 0.02, 0, 0], rel=1e-6
    )


@pytest.mark.parametrize(("method", "within"), [("whole", 0.27), ("outline", 0.01)])
def test_behind_a_plane_only_that_part_is_met(method: str, within: float) -> None:
    # the whole area is shared as the later program does it: three quarters at half height
    rng = np.random.default_rng(0)
    turn = [0.4, 0.5, -0.3]
    R = Rotation.from_euler("ZYX", turn).as_matrix()
    # rays along x, counted
    y, z = rng.uniform(-0.35, 0.35, (2, 200_000))
    A = R @ np.diag(np.array(SEMI) ** -2.0) @ R.T
    b = A[0, 1] * y + A[0, 2] * z
    c = A[1, 1] * y**2 + 2 * A[1, 2] * y * z + A[2, 2] * z**2 - 1.0
    root = b**2 - A[0, 0] * c
    hit = root > 0.0
    for height in (-0.05, 0.0, 0.08):
        area = 0.7**2 * np.mean(hit & (z < height))
        found = force(blown({"method": method}, turn, plane=height))[0] / 100.0
        assert found == pytest.approx(area, abs=within * outline(R, np.array([1.0, 0, 0])))
    assert force(blown({"method": method}, turn, plane=-0.5))[0] == 0.0
    full = force(blown({"method": method}, turn, plane=0.5))[0] / 100.0
    assert full == pytest.approx(outline(R, np.array([1.0, 0, 0])), rel=1e-9)


def test_a_body_before_it_takes_the_wind_away() -> None:
    method = {"method": "outline"}
    free = force(blown(method))[0]
    assert force(blown(method, shield=[-1.0, 0, 0]))[0] < 0.06 * free
    # behind, and beside, it shields nothing
    assert force(blown(method, shield=[1.0, 0, 0]))[0] == pytest.approx(free)
    assert force(blown(method, shield=[-1.0, 0.5, 0]))[0] == pytest.approx(free, rel=1e-3)
    # half covered: two equal ellipses, shifted by half their width
    part = 2.0 / math.pi * (math.acos(0.5) - 0.5 * math.sqrt(0.75))
    assert force(blown(method, shield=[-1.0, 0.2, 0]))[0] == pytest.approx(
        (1.0 - part) * free, rel=0.02
    )


def test_the_clock_of_a_gust_starts_when_the_body_meets_its_plane() -> None:
    gust = {"id": "gust", "x_unit": "s", "y_unit": "Pa",
            "form": {"kind": "table", "x": [0.0, 0.01, 0.02], "y": [0.0, 1000.0, 0.0]}}  # fmt: skip
    data = blown({"method": "whole"}, plane=0.0, pressure_x="gust", pressure_z=0.0)
    data["functions"] = [gust]
    data["initial"]["roots"][0] |= {"position_m": [0, 0, 0.6], "velocity_m_per_s": [0, 0, -50.0]}
    out = run(data, 0.04, 10_000.0)
    pushed = np.flatnonzero(out.table("winds")["force"][:, 0, 0] > 0.0) / 10_000.0
    # the lower end meets it after half a metre
    assert pushed[0] == pytest.approx(0.01, abs=2e-4)
    assert pushed[-1] == pytest.approx(0.03, abs=2e-4)
    energy = out.table("energy")
    assert np.max(np.abs(energy["balance"])) < 1e-6
    assert energy["work_of_winds"][-1] == pytest.approx(
        energy["kinetic"][-1] - energy["kinetic"][0], abs=1e-6
    )


def test_a_short_gust_is_not_passed_over() -> None:
    """A free body, so that steps are as long as they may be."""
    data = blown({"method": "whole"}, pressure_x="gust")
    data["functions"] = [function("gust", [0.0311, 0.0312, 0.0313], [0.0, 1e5, 0.0], ("s", "Pa"))]
    out = run(data, 0.06, 1000.0)
    area = math.pi * SEMI[1] * SEMI[2]
    gained = out.table("segments")["velocity"][-1, 0, 0]
    assert gained == pytest.approx(1e5 * area * 1e-4 / 10.0, rel=1e-4)


def test_drag_brings_a_falling_body_to_its_speed() -> None:
    data = blown({"method": "whole"}, kind="speed", drag=0.8, air_velocity_m_per_s=[3.0, 0.0, 0.0])
    del data["winds"][0]["pressure_x"]
    data["gravity_m_per_s2"] = [0.0, 0.0, -9.81]
    # spheres do not care how they turn
    data["segments"][0]["surfaces"][0]["semi_axes_m"] = [0.3] * 3
    out = run(data, 30.0, 10.0)
    v = out.table("segments")["velocity"][-1, 0]
    area = math.pi * 0.09
    assert v[2] == pytest.approx(-math.sqrt(2 * 10.0 * 9.81 / (1.225 * 0.8 * area)), rel=1e-6)
    assert v[0] == pytest.approx(3.0, rel=1e-3)


def test_the_rays_cover_the_disk_evenly() -> None:
    r = np.sqrt((np.arange(RINGS) + 0.5) / RINGS)
    assert np.mean(r**2) == pytest.approx(0.5)
    assert SPOKES % 2 == 0
