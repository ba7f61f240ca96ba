"""Cars on four wheels against the closed forms of the bicycle model and of the quarter car."""

from __future__ import annotations

import math

import numpy as np
import pytest

import manikin as mk
from solver.bodies.vehicles import Car, resting
from solver.project.checks import check

G = 9.80665
M, L, H, FRONT = 1400.0, 2.65, 0.55, 0.58


def test_a_car_rests_and_rolls_without_loss_from_the_start() -> None:
    model = mk.car(speed_m_per_s=20.0)
    assert [one.severity for one in check(model.project)] == ["note"]
    run = mk.run(model, until=1.0)
    assert np.ptp(run["segments/car/velocity/x"].value) < 1e-8
    assert np.ptp(run["segments/car/position/z"].value) < 1e-9
    assert abs(run["energy/lost_in_tyres"].value[-1]) < 1e-6
    loads = [run[f"tyres/car_{name}/normal"].value[-1] for name in ("front_left", "rear_right")]
    assert loads == pytest.approx([0.5 * FRONT * M * G, 0.5 * (1.0 - FRONT) * M * G], rel=1e-9)


@pytest.mark.parametrize(("front", "rear"), [(50e3, 60e3), (60e3, 60e3)])
def test_yaw_gain_and_side_slip_are_those_of_the_bicycle_model(front: float, rear: float) -> None:
    speed, steer = 20.0, 0.001
    model = mk.car(
        speed_m_per_s=speed, steer_rad=steer, tyre={"patch_m": 1e-4},
        front_tyre={"cornering_n_per_rad": front}, rear_tyre={"cornering_n_per_rad": rear},
    )  # fmt: skip
    run = mk.run(model, until=4.0)
    yaw = run["segments/car/angular_velocity/z"].value[-1]
    v = run["segments/car/velocity/resultant"].value[-1]
    gradient = M * (FRONT / (2.0 * front) - (1.0 - FRONT) / (2.0 * rear))
    assert yaw / steer == pytest.approx(v / (L + gradient * v * v), rel=0.01)
    pushed = [run[f"tyres/car_{name}/across"].value[-1] for name in ("front_left", "front_right", "rear_left", "rear_right")]  # fmt: skip
    assert sum(pushed) == pytest.approx(M * v * yaw, rel=0.01)
    assert sum(pushed[:2]) == pytest.approx(FRONT * M * v * yaw, rel=0.01)
    slip = [run[f"tyres/car_{name}/slip_angle"].value[-1] for name in ("front_left", "rear_left")]
    understeer = gradient * v * yaw
    assert slip[0] - slip[1] == pytest.approx(understeer, rel=0.02, abs=2e-6)


def test_a_car_with_locked_wheels_stops_by_friction_and_leans_on_its_front() -> None:
    speed, mu = 30.0, 0.8
    model = mk.car(
        speed_m_per_s=speed, front_brake_nm=8000.0, rear_brake_nm=8000.0, tyre={"friction": mu}
    )
    run = mk.run(model, until=4.2)
    went = run["segments/car/position/x"].value
    assert went[-1] - went[0] == pytest.approx(speed**2 / (2.0 * mu * G), rel=0.01)
    assert abs(run["segments/car/velocity/x"].value[-1]) < 0.05
    time = run["segments/car/velocity/x"].time
    while_braking = (time > 1.5) & (time < 3.5)
    front = sum(run[f"tyres/car_front_{side}/normal"].value for side in ("left", "right"))
    assert np.mean(front[while_braking]) == pytest.approx(FRONT * M * G + M * mu * G * H / L, rel=0.01)  # fmt: skip
    slows = -np.gradient(run["segments/car/velocity/x"].value, time)
    assert np.mean(slows[while_braking]) == pytest.approx(mu * G, rel=0.001)
    lost, kinetic = run["energy/lost_in_tyres"].value[-1], run["energy/kinetic"].value[0]
    assert lost == pytest.approx(kinetic, rel=0.003)
    assert abs(run["energy/balance"].value[-1]) < 1e-4 * kinetic


def test_a_bouncing_car_has_the_modes_of_a_quarter_car() -> None:
    shape = Car(front_ratio=0.5, front_hz=1.1, rear_hz=1.1, damping_ratio=0.206)
    rest = resting(shape)
    found = mk.linearise(mk.car(front_ratio=0.5, front_hz=1.1, rear_hz=1.1, damping_ratio=0.206), at=0.0)  # fmt: skip
    m, mw, k, c = 0.25 * rest.body_kg, shape.wheel_kg, rest.spring[0], rest.damper[0]
    kt, ct = 210_000.0, 300.0
    inverse = np.diag([1.0 / m, 1.0 / mw])
    stiff, damp = np.array([[k, -k], [-k, k + kt]]), np.array([[c, -c], [-c, c + ct]])
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-inverse @ stiff, -inverse @ damp]])
    for eigen in np.linalg.eigvals(A):
        if eigen.imag > 0.0:
            hz, ratio = abs(eigen) / (2.0 * math.pi), -eigen.real / abs(eigen)
            near = min(found.modes, key=lambda one: abs(one.frequency_hz - hz) + abs(one.damping - ratio))  # fmt: skip
            assert near.frequency_hz == pytest.approx(hz, rel=1e-3)
            assert near.damping == pytest.approx(ratio, rel=1e-3)


def test_what_cannot_be_a_car_is_refused() -> None:
    with pytest.raises(mk.VehicleError, match="heavier than its wheels"):
        mk.car(mass_kg=70.0)
    with pytest.raises(mk.VehicleError, match="less than its wheels weigh"):
        mk.car(front_ratio=0.98)
