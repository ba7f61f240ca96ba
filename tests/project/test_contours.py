"""The nine printed joint contours."""

from __future__ import annotations

import math
import typing

import numpy as np
import pytest

from solver.project.azimuths import ContourName, library, stop_angle


def test_the_library_has_the_names_of_the_schema() -> None:
    assert set(library()) == set(typing.get_args(ContourName))
    printed = {
        "shoulder": 9, "wrist": 6, "elbow": 7, "ankle": 7, "knee": 10, "hip": 9, "lumbar": 5,
        "collar_bone": 10, "neck": 5,
    }  # fmt: skip
    assert {name: len(c) for name, c in library().items()} == printed


def test_exponents_were_read_as_printed() -> None:
    assert library()["shoulder"][0] == 1.178192746
    assert library()["shoulder"][1] == 0.05256826831
    assert library()["hip"][4] == 0.3609323951
    assert library()["neck"][2] == 0.0004716935001
    assert library()["neck"][4] == 0.1740819131


@pytest.mark.parametrize("name", typing.get_args(ContourName))
def test_a_contour_lies_between_the_poles(name: str) -> None:
    theta = stop_angle(library()[name], np.linspace(0, 2 * math.pi, 721))
    assert theta.min() > 0
    assert theta.max() < math.pi


@pytest.mark.parametrize("name", typing.get_args(ContourName))
def test_the_sum_is_that_of_section_6_2_6(name: str) -> None:
    c = library()[name]
    for phi in (0.0, 0.7, math.pi / 2, 3.0, 5.5):
        by_hand = 0.0
        for n in range(1, (len(c) + 1) // 2 + 1):
            pair = c[2 * n - 2] + (c[2 * n - 1] * math.sin(phi) if 2 * n <= len(c) else 0.0)
            by_hand += math.cos(phi) ** (n - 1) * pair
        assert float(stop_angle(c, phi)) == pytest.approx(by_hand, abs=1e-14)


def test_at_a_right_angle_only_the_first_pair_counts() -> None:
    for c in library().values():
        assert float(stop_angle(c, math.pi / 2)) == pytest.approx(c[0] + c[1], abs=1e-15)
