"""Tables whose points are joined smoothly, and positions that follow them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import lagrange

from solver.engine.maths.curve import curve_area, curve_at, joined
from solver.project.checks import check
from solver.project.forms import cubics, samples, value_at, values_on
from solver.project.functions import Function, Table
from solver.project.histories import curve_of
from solver.running.simulation import simulate
from tests.models import EXACT, base, project, segment
from tests.rows import rows

SMOOTH = ("spline", "spline_at_rest", "four_points")


def table(between: str, x: Any, y: Any) -> Table:
    return Table.model_validate({"x": list(x), "y": list(y), "between": between})


def random_table(between: str, seed: int) -> Table:
    rng = np.random.default_rng(seed)
    x = np.cumsum(rng.uniform(0.2, 1.0, size=2 + seed % 9)) - 1.5
    return table(between, x, rng.normal(size=len(x)))


@rows("between", ["lines", *SMOOTH])
@rows("seed", range(9))
def test_the_kernels_and_the_checks_see_one_curve(between: str, seed: int) -> None:
    form = random_table(between, seed)
    curves = joined([curve_of(Function(id="f", x_unit="s", y_unit="m", form=form))])
    inside = np.linspace(form.x[0], form.x[-1], 97)
    for x in (form.x[0] - 1.0, *inside, form.x[-1] + 1.0):
        assert value_at(form, float(x)) == pytest.approx(curve_at(curves, 0, x)[0], abs=1e-12)
    assert values_on(form, inside) == pytest.approx([value_at(form, float(x)) for x in inside])
    x, y = samples(form)
    assert y == pytest.approx([value_at(form, float(one)) for one in x], abs=1e-12)
    assert set(form.x) <= set(x.tolist())


@pytest.mark.parametrize("seed", range(2, 11))
def test_splines_go_through_their_points_without_jumps_in_slope_or_curvature(seed: int) -> None:
    """What defines each of them: a not-a-knot spline has one cubic in its outer two intervals."""
    for between in ("spline", "spline_at_rest"):
        form = random_table(between, seed)
        x, c = np.array(form.x), cubics(form)
        h = np.diff(x)
        assert np.allclose(c[:, 0], form.y[:-1], atol=1e-12)
        value = c[:, 0] + h * (c[:, 1] + h * (c[:, 2] + h * c[:, 3]))
        slope = c[:, 1] + h * (2.0 * c[:, 2] + 3.0 * h * c[:, 3])
        curvature = 2.0 * c[:, 2] + 6.0 * h * c[:, 3]
        assert np.allclose(value, form.y[1:], atol=1e-11)
        assert np.allclose(slope[:-1], c[1:, 1], atol=1e-10)
        assert np.allclose(curvature[:-1], 2.0 * c[1:, 2], atol=1e-9)
        if between == "spline_at_rest":
            assert abs(c[0, 1]) + abs(slope[-1]) < 1e-10
        elif len(c) > 1:
            assert np.allclose(c[[0, -1], 3], c[[1, -2], 3], atol=1e-9)
        curves = joined([curve_of(Function(id="f", x_unit="s", y_unit="m", form=form))])
        area = np.sum(h * (c[:, 0] + h * (c[:, 1] / 2 + h * (c[:, 2] / 3 + h * c[:, 3] / 4))))
        whole = curve_area(curves, 0, form.x[-1]) - curve_area(curves, 0, form.x[0])
        assert whole == pytest.approx(area, abs=1e-11)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7])
def test_each_interval_has_the_polynomial_through_its_neighbours(count: int) -> None:
    rng = np.random.default_rng(count)
    x, y = np.cumsum(rng.uniform(0.2, 1.0, count)), rng.normal(size=count)
    form = table("four_points", x, y)
    for i in range(count - 1):
        first = min(max(i - 1, 0), max(count - 4, 0))
        exact = lagrange(x[first : first + 4] - x[i], y[first : first + 4])
        for s in np.linspace(0.0, x[i + 1] - x[i], 5, endpoint=False):
            assert value_at(form, float(x[i] + s)) == pytest.approx(exact(s), abs=1e-9)
    assert value_at(form, float(x[-1])) == y[-1]


def led(form: Any, duration: float = 1.0, **parts: Any) -> Any:
    """Give a car that follows places over time."""
    function = {"id": "way", "x_unit": "s", "y_unit": "m", "form": form}
    motion = {"id": "drive", "segment": "car", "components": [
        {"component": "x", "quantity": "position",
         "pulse": {"kind": "function", "function": "way"}}]}  # fmt: skip
    return base(duration, functions=[function], motions=[motion],
                **{"segments": [segment("car", 10.0)], **parts})  # fmt: skip


@pytest.mark.parametrize("between", ["spline", "four_points"])
def test_eleven_points_of_a_cubic_give_place_and_speed_exactly(between: str) -> None:
    t = np.linspace(0.0, 1.0, 11)
    scene = project(
        led({"kind": "table", "x": t.tolist(), "y": (t**3).tolist(), "between": between})
    )
    assert not [one for one in check(scene) if one.severity == "error"]
    run = simulate(scene)
    car, t = run.segment("car"), run.time
    assert car.position[:, 0] == pytest.approx(t**3, abs=1e-12)
    assert car.velocity[:, 0] == pytest.approx(3.0 * t**2, abs=1e-12)


def test_a_rod_swings_from_a_point_that_follows_measured_places() -> None:
    """Pivot x = 0.1 sin 6t, the rod hung at rest: -0.156216 rad after 1 s, 0.466575 rad after 2 s."""
    t = np.linspace(0.0, 2.0, 401)
    form = {
        "kind": "table",
        "x": t.tolist(),
        "y": (0.1 * np.sin(6.0 * t)).tolist(),
        "between": "spline",
    }
    pin = {"id": "pin", "kind": "pin", "parent": "car", "child": "rod",
           "child_frame": {"position_m": [0.0, 0.0, -0.5]}}  # fmt: skip
    scene = project(led(form, 2.0, segments=[segment("car", 10.0), segment("rod")], joints=[pin],
                        initial={"joints": [{"joint": "pin", "rates": [0.6 * 0.0]}]},
                        integrator=EXACT))  # fmt: skip
    w, _, y, _ = simulate(scene).segment("rod").quaternion_wxyz[[100, 200]].T
    angle = 2.0 * np.arctan2(y, w)
    assert np.abs(angle) == pytest.approx([0.156216, 0.466575], abs=2e-6)
    assert math.copysign(1.0, angle[0]) == -math.copysign(1.0, angle[1])


@pytest.mark.parametrize(
    ("form", "allowed"),
    [
        ({"x": [0.0, 0.5, 1.0], "y": [0.0, 1.0, 3.0]}, False),
        ({"x": [0.0, 1.0], "y": [0.0, 1.0]}, True),
        ({"x": [0.0, 1.2, 1.4], "y": [0.0, 1.0, 0.0]}, True),
        ({"x": [0.0, 0.5, 1.2], "y": [0.0, 1.0, 3.0], "between": "spline"}, True),
        ({"x": [0.0, 0.5, 0.8], "y": [0.0, 1.0, 3.0], "between": "spline"}, False),
        ({"x": [0.1, 0.5, 0.8], "y": [0.0, 1.0, 3.0], "between": "spline_at_rest"}, True),
    ],
)
def test_the_check_refuses_what_a_run_would_and_nothing_else(form: Any, allowed: bool) -> None:
    scene = project(led({"kind": "table", **form}))
    found = [one for one in check(scene) if one.severity == "error"]
    assert [one.code for one in found] == ([] if allowed else ["motion-jumps"])
    assert all(one.hint for one in found)
    if allowed:
        assert simulate(scene).status == "completed"
