"""Mass and moments of evenly filled surfaces: closed forms, and points counted inside."""

from __future__ import annotations

import math

import numpy as np
import pytest

import manikin as mk
from solver.project import ProjectError, validated
from solver.project.inertia import filled, inertia_of, mean_squares, volume
from solver.project.segments import Segment
from tests.models import base, segment

BOX = {"kind": "hyperellipsoid", "id": "box", "semi_axes_m": [0.3, 0.2, 0.1], "powers": [2.5, 8.0, 3.0],
       "orientation": {"angles_rad": [0.4, -0.2, 0.7]}}  # fmt: skip
BALL = {"kind": "ellipsoid", "id": "ball", "semi_axes_m": [0.3, 0.2, 0.1]}


def of(surface: dict[str, object]) -> Segment:
    made = validated(base(segments=[segment("it", 3.0, (1.0, 1.0, 1.0)) | {"surfaces": [surface]}]))
    return made.segments[0]


def test_an_ellipsoid_has_a_fifth_of_its_squares() -> None:
    made = filled(of(BALL))
    a, b, c = 0.09, 0.04, 0.01
    assert made.mass_kg == 3.0
    assert made.inertia_kgm2 == pytest.approx(
        (0.6 * (b + c), 0.6 * (a + c), 0.6 * (a + b)), rel=1e-12
    )
    heavier = filled(of(BALL), 800.0)
    assert heavier.mass_kg == pytest.approx(800.0 * 4.0 / 3.0 * math.pi * 0.006, rel=1e-12)
    assert np.array(heavier.inertia_kgm2) / heavier.mass_kg == pytest.approx(
        np.array(made.inertia_kgm2) / 3.0
    )


def test_a_hyperellipsoid_has_what_points_inside_it_have() -> None:
    """A million points of a grid; turned as the surface lies in the segment."""
    one = of(BOX)
    surface = one.surfaces[0]
    axes = [(np.arange(101) + 0.5) / 101.0 * s for s in surface.semi_axes_m]
    x, y, z = np.meshgrid(*axes, indexing="ij")
    inside = (x / 0.3) ** 2.5 + (y / 0.2) ** 8.0 + (z / 0.1) ** 3.0 <= 1.0
    assert volume(surface) == pytest.approx(8.0 * 0.006 * inside.mean(), rel=2e-3)
    squares = [float(np.mean(u[inside] ** 2)) for u in (x, y, z)]
    assert mean_squares(surface) == pytest.approx(squares, rel=2e-3)
    yaw, pitch, roll = 0.4, -0.2, 0.7
    turn = np.array(
        [[math.cos(yaw), -math.sin(yaw), 0], [math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]]
    )
    turn = turn @ [
        [math.cos(pitch), 0, math.sin(pitch)],
        [0, 1, 0],
        [-math.sin(pitch), 0, math.cos(pitch)],
    ]
    turn = turn @ [
        [1, 0, 0],
        [0, math.cos(roll), -math.sin(roll)],
        [0, math.sin(roll), math.cos(roll)],
    ]
    wanted = turn @ np.diag(np.sum(squares) - np.array(squares)) @ turn.T
    assert inertia_of(filled(one)) == pytest.approx(3.0 * wanted, abs=2e-3 * 3.0 * np.max(wanted))


def test_models_fill_a_segment_or_say_why_not() -> None:
    model = mk.Model(validated(base(segments=[
        segment("it", 3.0, (1.0, 1.0, 1.0)) | {"surfaces": [BALL]}, segment("bare", 1.0, (1.0, 1.0, 1.0)),
    ])))  # fmt: skip
    made = model.fill("it", 1000.0).project.segments
    assert made[0] == filled(model.project.segments[0], 1000.0)
    assert made[1] == model.project.segments[1]
    with pytest.raises(ProjectError, match="no surface"):
        model.fill("bare")
    with pytest.raises(ProjectError, match="above zero"):
        model.fill("it", -1.0)
