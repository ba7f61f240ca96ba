"""Inertia given with its products: the tensor, the motion, the checks and the mirror image."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from solver.editing.mirroring import mirrored
from solver.engine.maths.rotation import from_angles, matrix
from solver.project import Project
from solver.project.checks import check
from solver.project.geometry import Orientation
from solver.project.inertia import balanced, inertia_of, principal_moments
from solver.project.segments import Segment
from solver.results import Trajectory
from solver.running.simulation import simulate
from tests.models import EXACT, base, project


def cloud(seed: int) -> tuple[Any, Any, float]:
    """Give points about their mass centre with masses: a body to integrate over."""
    rng = np.random.default_rng(seed)
    masses = rng.uniform(0.2, 1.0, 7)
    points = rng.normal(size=(7, 3)) * (0.3, 0.2, 0.1)
    return points - masses @ points / masses.sum(), masses, float(masses.sum())


def given(
    points: Any, masses: Any, order: str = "zyx", angles: Any = (), **more: Any
) -> dict[str, Any]:
    """Describe a cloud by its moments and the integrals of its products about turned axes."""
    angles = tuple(angles) or (0.0, 0.0, 0.0)
    x, y, z = (points @ from_angles(angles, order)).T
    moments = [masses @ (y * y + z * z), masses @ (x * x + z * z), masses @ (x * x + y * y)]
    integrals = [masses @ (x * y), masses @ (x * z), masses @ (y * z)]
    return {
        "id": "body",
        "mass_kg": float(masses.sum()),
        "inertia_kgm2": [float(v) for v in moments],
        "principal_axes": {"angles_rad": list(angles), "order": order},
        "products_kgm2": [float(v) for v in integrals],
        "products_are": "integrals",
        **more,
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_the_tensor_is_that_of_the_points(seed: int) -> None:
    points, masses, _ = cloud(seed)
    angles = np.random.default_rng(100 + seed).uniform(-1.0, 1.0, 3)
    expected = sum(
        m * (p @ p * np.eye(3) - np.outer(p, p)) for m, p in zip(masses, points, strict=True)
    )
    as_integrals = given(points, masses, "zxz", angles)
    as_entries = {
        **as_integrals,
        "products_kgm2": [-v for v in as_integrals["products_kgm2"]],
        "products_are": "entries",
    }  # fmt: skip
    for data in (as_integrals, as_entries):
        assert np.allclose(inertia_of(Segment.model_validate(data)), expected, atol=1e-14)


def tumbling(body: dict[str, Any]) -> Project:
    turning = {"segment": "body", "angular_velocity_rad_per_s": [7.0, -4.0, 2.0]}
    return project(
        base(0.4, segments=[body], initial={"attitudes": [turning]}, gravity_m_per_s2=[0.0, 0.0, 0.0],
             integrator={**EXACT, "relative_tolerance": 1e-11})
    )  # fmt: skip


def turns(run: Trajectory) -> Any:
    return run.table("segments")["quaternion_wxyz"]


def test_a_body_tumbles_as_with_its_principal_axes() -> None:
    points, masses, _ = cloud(11)
    data = given(points, masses)
    moments, R = np.linalg.eigh(inertia_of(Segment.model_validate(data)))
    R[:, 2] *= np.linalg.det(R)
    pitch = -math.asin(R[2, 0])
    angles = [math.atan2(R[1, 0], R[0, 0]), pitch, math.atan2(R[2, 1], R[2, 2])]
    principal = {
        "id": "body", "mass_kg": data["mass_kg"], "inertia_kgm2": moments.tolist(),
        "principal_axes": {"angles_rad": angles},
    }  # fmt: skip
    one, other = (simulate(tumbling(body)) for body in (data, principal))
    assert np.allclose(turns(one), turns(other), atol=1e-8)
    wrong = simulate(tumbling({**data, "products_are": "entries"}))
    assert abs(turns(wrong) - turns(one)).max() > 0.1, "the sign is seen in the motion"


def problems(**body: Any) -> list[str]:
    data = {"id": "body", "mass_kg": 1.0, "inertia_kgm2": [0.1, 0.1, 0.1], **body}
    found = check(project(base(0.1, segments=[data])))
    return [one.code for one in found if "inertia" in one.code]


@pytest.mark.parametrize("products", [[0.0, 0.0, 0.0], [0.01, 0.0, -0.02]])
def test_what_no_body_has_runs_as_it_is_and_keeps_energy_and_momentum(
    products: list[float],
) -> None:
    data = {"id": "body", "mass_kg": 2.0, "inertia_kgm2": [0.19, 0.12, 0.45], "products_kgm2": products}  # fmt: skip
    seen = check(tumbling(data))
    assert [one.severity for one in seen if one.code == "inertia-triangle"] == ["warning"]
    run, J = simulate(tumbling(data)), inertia_of(Segment.model_validate(data))
    table = run.table("segments")
    R = np.array([matrix(q) for q in table["quaternion_wxyz"][:, 0]])
    own = table["angular_velocity"][:, 0]
    energy, momentum = np.einsum("ti,ij,tj->t", own, J, own), np.einsum("tij,jk,tk->ti", R, J, own)
    assert np.allclose(energy, energy[0], rtol=1e-8)
    assert np.allclose(momentum, momentum[0], atol=1e-8 * np.linalg.norm(momentum[0]))
    small, middle, large = principal_moments(balanced(Segment.model_validate(data)))
    assert large == pytest.approx(small + middle)
    first = principal_moments(Segment.model_validate(data))
    assert (small, middle) == pytest.approx(first[:2])


def test_products_that_no_body_has_are_told() -> None:
    assert problems(products_kgm2=[0.0, 0.0, 0.04]) == []
    assert problems(products_kgm2=[0.0, 0.0, 0.07]) == ["inertia-triangle"]
    assert problems(products_kgm2=[0.0, 0.11, 0.0]) == ["inertia-negative"]


def test_what_fits_about_the_given_axes_may_not_about_the_principal_ones() -> None:
    assert problems(inertia_kgm2=[0.1, 0.1, 0.15], products_kgm2=[0.03, 0.0, 0.0]) == []
    assert problems(inertia_kgm2=[0.1, 0.1, 0.19], products_kgm2=[0.0, 0.0, 0.03]) == [
        "inertia-triangle"
    ]


def test_the_twin_has_the_mirrored_tensor() -> None:
    points, masses, _ = cloud(5)
    body = given(points, masses, angles=(0.3, -0.5, 0.8), id="arm_left")
    made = mirrored(
        Project.model_validate(base(0.1, segments=[body])), ["segments/arm_left"]
    ).project
    left, right = (
        next(s for s in made.segments if s.id == f"arm_{side}") for side in ("left", "right")
    )
    M = np.diag([1.0, -1.0, 1.0])
    assert isinstance(right.principal_axes, Orientation)
    assert np.allclose(inertia_of(right), M @ inertia_of(left) @ M, atol=1e-14)
