"""Torque outputs of joints: springs, stops and friction by themselves, against their sum and its power."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver.engine.dynamics.tree import Array
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from tests.models import hung, project

SPRING = {
    "linear_nm_per_rad": 3.0,
    "stop_rad": 0.2,
    "quadratic_nm_per_rad2": 8.0,
    "returned_ratio": 0.6,
}
DRAG = {
    "viscous_nms_per_rad": 0.05, "coulomb_nm": 0.1, "full_rate_rad_per_s": 0.5, "coefficient": 0.3, "radius_m": 0.03,
}  # fmt: skip

SLOW = DRAG | {"relaxation_s": 0.02}


def moved(joint: dict[str, Any], values: list[float], rates: list[float]) -> Trajectory:
    """Let a rod swing; write its torque and turning along its own axes."""
    start = {"joints": [{"joint": "joint", "values": values, "rates": rates}]}
    data = hung(joint, initial=start, duration=0.3, gravity_m_per_s2=[2.0, 1.0, 9.0])
    data["segments"][0]["inertia_kgm2"] = [0.09, 0.08, 0.02]
    data["runs"][0] |= {"frame_interval_s": 1e-3, "channel_rate_hz": 1000.0}
    data["outputs"] = [
        {"id": "m", "kind": "joint", "joint": "joint", "quantity": "torque", "in_axes_of": "child"},
        {"id": "w", "kind": "rotation", "segment": "rod", "quantity": "velocity"},
    ]  # fmt: skip
    return simulate(project(data))


def values(out: Trajectory, *names: str) -> Array:
    return np.stack([out.channel(name).value for name in names], axis=1)


def power(out: Trajectory) -> Array:
    total: Array = np.sum(
        values(out, "m_x", "m_y", "m_z") * values(out, "w_x", "w_y", "w_z"), axis=1
    )
    return total


TURNING = [
    ({"kind": "pin", "spring": SPRING, "friction": DRAG}, [0.5], [2.0], ("angle",)),
    ({"kind": "universal", "first": {"spring": SPRING, "friction": DRAG, "centre_rad": 0.1},
      "second": {"spring": SPRING}}, [0.5, -0.4], [2.0, 1.0], ("first", "second")),
    ({"kind": "universal", "first": {"spring": SPRING, "friction": SLOW, "centre_rad": 0.1},
      "second": {"friction": SLOW}}, [0.5, -0.4], [2.0, 1.0], ("first", "second")),
    ({"kind": "slip", "rotation": "pin_y", "flexure": SPRING, "friction": DRAG,
      "slide": {"locked": True}}, [0.0, 0.5], [0.0, 2.0], ("angle",)),
    ({"kind": "six", "yaw": {"spring": SPRING}, "pitch": {"spring": SPRING, "friction": DRAG},
      "roll": {"friction": DRAG, "centre_rad": 0.2}, "x": {"locked": True}, "y": {"locked": True},
      "z": {"locked": True}}, [0.0, 0.0, 0.0, 0.3, 0.4, 0.2], [0.0, 0.0, 0.0, 1.0, -1.0, 3.0],
     ("yaw", "pitch", "roll")),
    ({"kind": "euler", "precession": {"spring": SPRING}, "nutation": {"spring": SPRING, "friction": DRAG},
      "spin": {"friction": DRAG, "centre_rad": 0.2}}, [0.3, 0.9, 0.2], [1.0, -1.0, 3.0],
     ("precession", "nutation", "spin")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("joint", "start", "rates", "axes"),
    TURNING,
    ids=[f"{n}-{t[0]['kind']}" for n, t in enumerate(TURNING)],
)
def test_the_parts_of_all_axes_do_the_work_of_the_whole(
    joint: dict[str, Any], start: list[float], rates: list[float], axes: tuple[str, ...]
) -> None:
    out = moved(joint, start, rates)
    parts = sum(values(out, f"m_spring_{a}", f"m_friction_{a}").sum(axis=1)
                * np.gradient(np.unwrap(out.table("joints")["angle"][:, 0, n]), 1e-3)
                for n, a in enumerate(axes))  # fmt: skip
    whole = power(out)
    assert np.max(np.abs(whole)) > 1.0
    # the rates are differences of the angles
    assert parts[3:150] == pytest.approx(whole[3:150], abs=2e-3 * np.max(np.abs(whole)))


def test_a_pin_shows_its_spring_and_its_friction() -> None:
    out = moved({"kind": "pin", "spring": {"linear_nm_per_rad": 3.0},
                 "friction": {"viscous_nms_per_rad": 0.05}}, [0.5], [2.0])  # fmt: skip
    joints = out.table("joints")
    assert values(out, "m_spring_angle")[:, 0] == pytest.approx(-3.0 * joints["angle"][:, 0, 0])
    assert values(out, "m_friction_angle")[:, 0] == pytest.approx(-0.05 * joints["rate"][:, 0, 0])


CONTOUR = {
    "contour": {"kind": "polynomial", "coefficients": [0.2, 0.05, 0.02, 0.0]},
    "torque": "stop",
}
SINGLE = [
    ({"kind": "ball", "flexure": SPRING}, "spring_flexure"),
    ({"kind": "ball", "torsion": SPRING}, "spring_torsion"),
    ({"kind": "ball", "friction": DRAG}, "friction"),
    ({"kind": "ball", "friction": {"viscous_nms_per_rad": 0.05, "relaxation_s": 0.02}}, "friction"),
    ({"kind": "ball", "friction": SLOW}, "friction"),
    ({"kind": "ball", "globographic": CONTOUR}, "spring_contour"),
]


@pytest.mark.parametrize(
    ("joint", "part"), SINGLE, ids=[f"{n}-{part}" for n, (_, part) in enumerate(SINGLE)]
)
def test_a_ball_s_only_part_is_its_whole_torque(
    joint: dict[str, Any], part: str, monkeypatch: Any
) -> None:
    import tests.results.test_joint_parts as here

    plain = here.hung

    def with_curve(*args: Any, **more: Any) -> Any:
        curve = {"id": "stop", "x_unit": "rad", "y_unit": "N*m",
                 "form": {"kind": "table", "x": [0.0, 1.0], "y": [0.0, 40.0]}}  # fmt: skip
        return plain(*args, **more) | {"functions": [curve]}

    monkeypatch.setattr(here, "hung", with_curve)
    out = moved(joint, [0.3, 0.4, -0.2], [1.0, 2.0, 3.0])
    whole, found = values(out, "m_resultant")[:, 0], values(out, f"m_{part}")[:, 0]
    assert np.max(whole) > 0.05
    if part == "spring_torsion":
        # the torque by the angle of torsion; along its gradient, which is longer in a bent joint
        w, _, _, z = out.segment("rod").quaternion_wxyz.T
        whole = whole * np.hypot(w, z)
    assert np.abs(found) == pytest.approx(whole, abs=1e-9)
