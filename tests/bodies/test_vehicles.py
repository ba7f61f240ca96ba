"""Cars on four wheels against the closed forms of the bicycle model and of the quarter car."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest
from scipy.optimize import fsolve
from scipy.spatial.transform import Rotation

import manikin as mk
from solver.base.places import samples
from solver.bodies.suspension import bump_curves
from solver.bodies.vehicles import Car, VehicleError, resting
from solver.project import validated
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


A, B, WIDTH = 5.5e4, 5.0e5, 1.5


@pytest.mark.parametrize("restitution", [None, 0.1])
def test_a_barrier_crushes_a_car_as_its_coefficients_say(restitution: float | None) -> None:
    speed = 15.0
    wall = mk.schema.ThreePoints(kind="points", p1_m=(1.2, -3.0, 1.0), p2_m=(1.2, 3.0, 1.0), p3_m=(1.2, -3.0, -3.0))  # fmt: skip
    model = mk.car(speed_m_per_s=speed, blocks=True).add_crush("crush", A, B, WIDTH, restitution=restitution, friction=0.0)  # fmt: skip
    model = model.add_plane("wall", placement=wall).add_contact(
        "pair", kind="plane", plane="wall", law="crush",
        surface=mk.schema.SurfaceRef(segment="car", surface="nose"),
    )  # fmt: skip
    run = mk.run(model, until=0.4)
    depth = run["contacts/pair/penetration"].value
    # nearly one mass against a spring; the wheels' turning adds a little, and the body pitches
    most = speed * math.sqrt(M / (B * WIDTH))
    assert depth.max() == pytest.approx(most, rel=0.03)
    force = np.linalg.norm([run[f"contacts/pair/force/{axis}"].value for axis in "xyz"], axis=0)
    assert force.max() == pytest.approx(B * WIDTH * depth.max(), rel=1e-3)
    # residual crush: what CRASH3 measures
    crushed = depth.max() - A / B
    assert force.max() == pytest.approx((A + B * crushed) * WIDTH, rel=1e-3)
    lost = run["energy/lost_in_contacts"].value[-1]
    taken = WIDTH * (A * crushed + 0.5 * B * crushed**2 + 0.5 * A**2 / B)
    back = A / B / depth.max() if restitution is None else restitution**2
    assert lost == pytest.approx((1.0 - back) * taken, rel=0.01)


def test_two_cars_meet_with_one_momentum_and_share_the_crush_by_their_stiffness() -> None:
    model = mk.car(speed_m_per_s=12.0, blocks=True).add_car(
        "other",
        road="road",
        blocks=True,
        mass_kg=1000.0,
        at_m=(4.0, 0.0),
        yaw_rad=math.pi,
        speed_m_per_s=8.0,
    )
    model = model.add_crush("crush", A, B, WIDTH, other=(A, 0.5 * B, WIDTH), friction=0.0)
    model = model.add_contact(
        "pair", kind="plane", plane="other_nose_face", law="crush", edge="none",
        surface=mk.schema.SurfaceRef(segment="car", surface="nose"),
    )  # fmt: skip
    run = mk.run(model, until=0.5)
    total = run["energy/momentum/x"].value
    assert total[0] == pytest.approx(M * 12.0 - 1000.0 * 8.0, rel=1e-6)
    touched = run["contacts/pair/penetration"].value > 0.0
    assert total[np.flatnonzero(touched)[-1]] == pytest.approx(total[0], rel=0.03)
    stiffness = B * WIDTH / 3.0
    reduced = M * 1000.0 / (M + 1000.0)
    most = 20.0 * math.sqrt(reduced / stiffness)
    assert run["contacts/pair/penetration"].value.max() == pytest.approx(most, rel=0.04)


COSTA = (
    ((0.121, -0.447, -0.058), (0.966, 0.257, 0.029)), ((-0.016, -0.645, -0.143), (0.994, 0.0, -0.113)),
)  # fmt: skip
"""Table 1 of Costa and Jones, right wheels, front and rear, in our axes: the pin from the wheel, and its axis."""


@pytest.mark.parametrize(("pivot", "axis"), COSTA)
def test_a_swing_axle_follows_from_its_bump_curves(
    pivot: tuple[float, float, float], axis: tuple[float, float, float]
) -> None:
    # a pin of theirs stands across its arm, as the centre of a curve does, to the digits of the print
    assert abs(np.dot(pivot, axis)) < 0.001
    across = np.array(pivot) - np.dot(pivot, axis) * np.array(axis) / np.dot(axis, axis)
    axle = mk.SwingAxle(tuple(across), axis)
    travel = np.linspace(-0.08, 0.08, 81)
    ahead, outward = bump_curves(axle, travel)
    assert np.hypot(np.hypot(ahead - across[0], outward - across[1]), -travel - across[2]) == pytest.approx(np.linalg.norm(across), rel=1e-9)  # fmt: skip
    fits = [tuple(np.polynomial.polynomial.polyfit(travel, way, 5)[1:]) for way in (ahead, outward)]
    found = mk.swing_axle(mk.BumpCurves(*fits))
    assert found.pivot_m == pytest.approx(across, abs=1e-4)
    assert found.axis == pytest.approx(np.array(axis) / np.linalg.norm(axis), abs=1e-4)


def test_wheels_are_led_by_bump_curves_and_on_swing_axles() -> None:
    axle = mk.SwingAxle((0.0, -0.6, 0.05), (1.0, 0.0, 0.0))
    curves = mk.BumpCurves(outward=(-0.08, -0.5), camber=(-0.2,))
    model = mk.car(front_axle=curves, rear_axle=axle, speed_m_per_s=10.0)
    assert [one.code for one in check(model.project)] == ["no-outputs"]
    straight = mk.run(model, until=0.5)
    assert np.ptp(straight["segments/car/velocity/x"].value) < 1e-6
    assert np.ptp(straight["segments/car/position/z"].value) < 1e-6
    lifted = mk.run(mk.car(front_axle=curves, rear_axle=axle, lift_m=0.1), until=0.3)
    travel = -lifted["segments/car_front_right/position/z"].value
    body = lifted["segments/car/position/z"].value
    went = travel + body - (travel[0] + body[0])
    out = lifted["segments/car_front_right/position/y"].value
    assert np.ptp(went) > 0.05
    falls = lifted["segments/car/position/z"].time < 0.14
    assert (out - out[0])[falls] == pytest.approx((-0.08 * went - 0.5 * went**2)[falls], abs=5e-4)
    arm = np.hypot(
        lifted["segments/car_rear_right/position/y"].value - (0.76 - 0.6),
        lifted["segments/car_rear_right/position/z"].value
        - body
        - (lifted["segments/car_rear_right/position/z"].value[0] - body[0] + 0.05),
    )
    assert arm[falls] == pytest.approx(math.hypot(0.6, 0.05), rel=5e-4)
    assert abs(lifted["energy/balance"].value[-1]) < 0.1


PARALLEL = mk.DoubleWishbone(
    lower_ball=(0.0, -0.06, 0.1), lower_front=(0.15, -0.42, 0.1), lower_rear=(-0.15, -0.42, 0.1), upper_ball=(0.0, -0.06, -0.16),
    upper_front=(0.15, -0.42, -0.16), upper_rear=(-0.15, -0.42, -0.16), rod_outer=(-0.13, -0.06, 0.1), rod_inner=(-0.13, -0.42, 0.1),
)  # fmt: skip
"""Arms alike and level: the wheel goes on a circle, upright."""


def led_wheel(by: mk.DoubleWishbone, travel: float) -> tuple[np.ndarray, np.ndarray]:
    """Where the right wheel's middle is, and its turn, once it has gone up: from the lengths of arms and rod alone."""
    fixed = {name: np.array(getattr(by, name)) for name in ("lower_front", "lower_rear", "upper_front", "upper_rear", "rod_inner")}  # fmt: skip
    ends = {
        "lower": np.array(by.lower_ball),
        "upper": np.array(by.upper_ball),
        "rod": np.array(by.rod_outer),
    }
    pairs = [(name, name.split("_")[0]) for name in fixed]

    def apart(x: np.ndarray) -> list[float]:
        R = Rotation.from_rotvec(x[3:]).as_matrix()
        lengths = [
            np.linalg.norm(x[:3] + R @ ends[end] - fixed[name])
            - np.linalg.norm(ends[end] - fixed[name])
            for name, end in pairs
        ]
        return [*lengths, x[2] + travel]

    x = fsolve(apart, np.zeros(6), xtol=1e-13)
    assert np.max(np.abs(apart(x))) < 1e-11
    return x[:3], Rotation.from_rotvec(x[3:]).as_matrix()


def on_wishbones() -> tuple[mk.Run, np.ndarray, np.ndarray]:
    """Let a car fall and sink in; how far its right wheel goes, and is off from what lengths alone say, in place and in turn."""
    by = mk.DoubleWishbone()
    model = mk.car(front_axle=by, rear_axle=by, lift_m=0.12)
    assert [one.code for one in check(model.project)] == ["no-outputs"]
    run = mk.run(model, until=0.15)

    def seen(name: str) -> tuple[np.ndarray, Rotation]:
        place = [run[f"segments/{name}/position/{axis}"].value for axis in "xyz"]
        turn = [run[f"segments/{name}/angle/{axis}"].value for axis in ("yaw", "pitch", "roll")]
        return np.stack(place, 1), Rotation.from_euler("ZYX", np.stack(turn, 1))

    (body, turned), (wheel, tilted) = seen("car"), seen("car_front_right_carrier")
    place, tilt = turned.inv().apply(wheel - body), (turned.inv() * tilted).as_matrix()
    off = []
    for n in range(0, len(place), max(len(place) // 6, 1)):
        moved, R = led_wheel(by, place[0, 2] - place[n, 2])
        off.append([np.abs(place[n] - place[0] - moved).max(), np.abs(tilt[n] - R).max()])
    return run, place, np.array(off)


def test_wishbones_lead_a_wheel_as_their_lengths_say() -> None:
    """Camber, track and toe of a car that falls and sinks in, against a solution that knows lengths alone."""
    run, place, off = on_wishbones()
    assert np.ptp(place[:, 2]) > 0.03
    assert np.all(off < 1e-7)
    assert abs(run["energy/balance"].value[-1]) < 0.1


def bounce_on_arms() -> Iterator[tuple[float, float, float, float]]:
    """Bounce and hop of a car on level arms alike, each a frequency and a damping ratio in closed form and as found."""
    numbers = {"front_ratio": 0.5, "front_hz": 1.1, "rear_hz": 1.1, "damping_ratio": 0.206, "steer_rad": 0.0}  # fmt: skip
    rest = resting(Car(**numbers))
    found = mk.linearise(mk.car(**numbers, front_axle=PARALLEL, rear_axle=PARALLEL), at=0.0)
    arm, k, c = 0.05 * 20.0, rest.spring[0], rest.damper[0]
    # body with half a rack, and wheel; the arms between them
    M = np.array([[0.25 * rest.body_kg + 0.5 * arm, 0.0], [0.0, 20.0 - 2.5 * arm]])
    M += 2.0 * arm * np.array([[0.25, 0.25], [0.25, 0.25]]) + 2.0 * arm / 12.0 * np.array(
        [[1.0, -1.0], [-1.0, 1.0]]
    )
    stiff, damp = np.array([[k, -k], [-k, k + 210_000.0]]), np.array([[c, -c], [-c, c + 300.0]])
    A = np.block(
        [[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, stiff), -np.linalg.solve(M, damp)]]
    )
    for one in sorted((one for one in np.linalg.eigvals(A) if one.imag > 0.0), key=abs):
        hz, ratio = float(abs(one)) / (2.0 * math.pi), float(-one.real / abs(one))
        near = min(
            found.modes, key=lambda mode: abs(mode.frequency_hz - hz) + abs(mode.damping - ratio)
        )
        yield hz, near.frequency_hz, ratio, near.damping


def test_a_car_on_wishbones_bounces_as_a_quarter_car_with_arms() -> None:
    """Level arms alike: each turns by travel over its length, and counts so in the inertia of both."""
    for hz, found, ratio, damped in bounce_on_arms():
        # hubs differ by their racks: the hop is between both axles'
        near_enough = 3e-3 if hz < 5.0 else 0.02
        assert found == pytest.approx(hz, rel=near_enough)
        assert damped == pytest.approx(ratio, rel=2.0 * near_enough)


def test_wheels_on_wishbones_are_steered_by_racks() -> None:
    by = mk.DoubleWishbone()
    steer = 0.03
    model = mk.car(front_axle=by, speed_m_per_s=8.0, steer_rad=steer)
    assert [one.code for one in check(model.project)] == ["no-outputs"]
    run = mk.run(model, until=0.5)
    turns = [
        run[f"segments/car_front_{side}_carrier/angle/yaw"].value[0] for side in ("left", "right")
    ]
    assert turns == pytest.approx([steer, steer], rel=0.03)
    assert run["segments/car/angular_velocity/z"].value[-1] > 0.02
    with pytest.raises(VehicleError, match="steered by a rack"):
        mk.car(front_axle=by, steer_rad=None)
    with pytest.raises(VehicleError, match="not by 3"):
        mk.car(front_axle=by, steer_rad=3.0)
    with pytest.raises(VehicleError, match="one line"):
        mk.car(rear_axle=mk.DoubleWishbone(lower_rear=(0.14, -0.42, 0.09)))


def test_a_car_that_is_put_in_closes_its_own_loops_and_no_others() -> None:
    """A four-bar linkage that starts open stays as it was drawn, and open; the car closes as it does alone."""
    linkage = mk.load(samples() / "four_bar.json")
    crank = linkage.project.initial.joints[0]
    drawn = linkage.with_value("initial/joints/0/values", [crank.values[0] + 0.2])
    apart = [one.code for one in check(drawn.project) if one.severity == "error"]
    wishbones = {"front_axle": mk.DoubleWishbone(), "steer_rad": 0.03, "speed_m_per_s": 8.0}
    put = drawn.add_car("other", at_m=(8.0, 3.0), yaw_rad=0.7, **wishbones)
    assert len(apart) == 1
    assert [one.code for one in check(put.project) if one.severity == "error"] == apart
    starts = {one.joint: one for one in put.project.initial.joints}
    assert [starts[one.joint] for one in drawn.project.initial.joints] == list(drawn.project.initial.joints)  # fmt: skip
    alone = mk.car(**wishbones).project
    assert [starts[one.joint.replace("car", "other", 1)].values for one in alone.initial.joints] == [one.values for one in alone.initial.joints]  # fmt: skip
    # and its body stays where it was put
    placed = mk.car(**wishbones | {"steer_rad": 0.0}, at_m=(8.0, 3.0), yaw_rad=0.7).project
    assert put.project.initial.roots[-1].position_m == placed.initial.roots[0].position_m


def test_what_cannot_be_a_car_is_refused() -> None:
    with pytest.raises(mk.VehicleError, match="heavier than its wheels"):
        mk.car(mass_kg=70.0)
    with pytest.raises(mk.VehicleError, match="less than its wheels weigh"):
        mk.car(front_ratio=0.98)
    with pytest.raises(mk.VehicleError, match="no function 'wheel'"):
        mk.car(steer_rad="wheel")
    with pytest.raises(mk.VehicleError, match="axle has no direction"):
        mk.car(rear_axle=mk.SwingAxle((0.0, -0.5, 0.0), (0.0, 0.0, 0.0)))


def test_distance_along_the_road_of_a_car_is_the_way_that_it_goes() -> None:
    ice = {"id": "ice", "x_unit": "m", "y_unit": "1", "form": {"kind": "table", "x": [52.0, 52.5], "y": [0.9, 0.05]}}  # fmt: skip
    model = mk.car(speed_m_per_s=10.0, front_brake_nm=9000.0, rear_brake_nm=9000.0, tyre={"friction": "ice"})  # fmt: skip
    found = mk.run(model.add_function(**ice), until=1.0)
    # 2 m at 0.9 g and then hardly any: on the dry road it would be at 1.2 m/s
    assert found["segments/car/velocity/resultant"].value[-1] > 5.0


def test_numbers_that_no_car_has_are_refused() -> None:
    for odd in ({"track_m": 0.0}, {"front_hz": -1.0}, {"rear_hz": 0.0}, {"height_m": -1.0}):
        with pytest.raises(VehicleError, match=next(iter(odd))):
            mk.car(**odd)


def sloping(rise: float, at: float) -> dict[str, object]:
    """A road that falls ahead by a slope, from a height on."""
    corners = {"p1_m": [0.0, 4.0, at], "p2_m": [9.0, 4.0, at + 9.0 * rise], "p3_m": [0.0, -4.0, at]}  # fmt: skip
    return {"id": "hill", "bounded": False, "placement": {"kind": "points", **corners}}


def test_a_car_stands_where_its_road_is_and_rolls_down_its_slope() -> None:
    rise = 0.1
    made = mk.new().add_plane(**sloping(rise, -2.0))
    model = made.add_car(road="hill", at_m=(30.0, 1.0))
    run = mk.run(model, until=0.4)
    rest = resting(Car())
    for n, name in enumerate(("front_left", "front_right", "rear_left", "rear_right")):
        assert run[f"tyres/car_{name}/deflection"].value[0] == pytest.approx(rest.sunk[n], rel=1e-6)
    p, v = (np.stack([run[f"segments/car/{one}/{axis}"].value for axis in "xyz"], 1) for one in ("position", "velocity"))  # fmt: skip
    # the front axle stands over (30, 1): the mass centre lies behind it along the slope and above it
    n = np.array([rise, 0.0, -1.0]) / math.hypot(rise, 1.0)
    ahead = np.array([1.0, 0.0, rise]) / math.hypot(rise, 1.0)
    assert p[0] == pytest.approx(np.array([30.0, 1.0, 1.0]) - rest.behind * ahead + rest.high * n, abs=1e-9)  # fmt: skip
    spin = 0.6 * 20.0 * 0.315**2
    free = G * rise / math.hypot(rise, 1.0) / (1.0 + 4.0 * spin / (M * 0.315**2))
    assert v[-1] @ ahead == pytest.approx(free * 0.4, rel=0.02)
    turned = made.add_car("other", road="hill", yaw_rad=1.2, roll_rad=0.0, lift_m=0.1)
    start = mk.run(turned, until=1e-3)
    assert [start[f"tyres/other_{name}/deflection"].value[0] for name in ("front_left", "rear_right")] == [0.0, 0.0]  # fmt: skip


def test_a_road_that_is_none_is_refused() -> None:
    with pytest.raises(VehicleError, match="no plane 'rood'"):
        mk.car().add_car("other", road="rood")
    wall = {"kind": "points", "p1_m": [0.0, 0.0, 0.0], "p2_m": [0.0, 1.0, 0.0], "p3_m": [0.0, 0.0, 1.0]}  # fmt: skip
    with pytest.raises(VehicleError, match="does not look up"):
        mk.new().add_plane(id="wall", placement=wall).add_car(road="wall")
    # a car that rides gets a road of its own beside another one
    assert mk.car().add_car("other").project.tyres[4].roads == ("road",)


def test_corners_of_a_body_press_on_the_road_as_springs_that_stay_dented() -> None:
    """Thrown on its side without weight it lands on six corners at once: a mass on six springs, of whose energy e^2 comes back."""
    stiff, e, speed, gap, six = 1e6, 0.3, 2.0, 0.02, 6
    side = 0.5 * Car.width_m
    model = mk.car(
        corners_n_per_m=stiff, corners_restitution=e, corners_friction=0.0, roll_rad=0.5 * math.pi,
        lift_m=side + gap - resting(Car()).high, velocity_m_per_s=(0.0, 0.0, speed),
        # so heavy to turn that it hardly does
        inertia_kgm2=(1e6, 1e6, 1e6),
    ).with_values({"gravity_m_per_s2": (0.0, 0.0, 0.0), "runs/run/frame_interval_s": 1e-4})  # fmt: skip
    run = mk.run(model, until=0.08)
    force = run["contacts/car_sill_front_right/force/z"].value
    swing = math.sqrt(six * stiff / M)
    depth = speed / swing
    assert np.abs(force).max() == pytest.approx(stiff * depth, rel=0.01)
    # a quarter of a period down, and e times as long back
    pressed = run["contacts/car_sill_front_right/force/z"].time[np.abs(force) > 0.0]
    assert pressed[0] == pytest.approx(gap / speed, abs=2e-4)
    assert np.ptp(pressed) == pytest.approx(0.5 * math.pi * (1.0 + e) / swing, abs=3e-4)
    assert run["segments/car/velocity/z"].value[-1] == pytest.approx(-e * speed, rel=0.01)
    shut = [run[f"contacts/car_{name}_left/force/z"].value for name in ("roof_front", "belt_rear")]
    assert not np.any(shut)


def test_what_is_joined_to_a_car_counts_where_it_is() -> None:
    """A front of 160 kg ahead of the axle: the car of which it is a part stands level on its springs, with the axle loads that it is given."""
    model = mk.crash("pedestrian").ride("vehicle", behind_m=-0.6)
    run = mk.run(model, until=0.1)
    assert np.ptp(run["segments/car/position/z"].value) < 1e-9
    loads = [run[f"tyres/car_{name}/normal"].value[-1] for name in ("front_left", "rear_right")]
    assert loads == pytest.approx([0.5 * FRONT * M * G, 0.5 * (1.0 - FRONT) * M * G], rel=1e-9)
    # what else is put into it, without saying where, changes nothing of that
    laden = mk.crash("pedestrian").ride("vehicle", behind_m=-0.6, payload_kg=100.0)
    mass = {one.id: one.mass_kg for one in laden.project.segments}
    assert mass["car"] == pytest.approx(M - 80.0 - 160.0 - 100.0)
    places = [
        next(one for one in each.project.joints if one.id == "car_vehicle").parent_frame.position_m
        for each in (model, laden)
    ]
    assert places[0] == pytest.approx(places[1], abs=1e-12)


def test_what_rides_stays_as_it_is_turned() -> None:
    """A tub that looks along y has a load ahead of it: the car looks there, and stands level."""
    parts = [{"id": name, "mass_kg": 100.0, "inertia_kgm2": [5.0] * 3} for name in ("tub", "load")]
    held = {"id": "on", "kind": "locked", "parent": "tub", "child": "load", "parent_frame": {"position_m": [1.5, 0.0, 0.0]}}  # fmt: skip
    run = {"id": "run", "duration_s": 0.05, "frame_interval_s": 0.01, "channel_rate_hz": 1000.0}
    data = mk.new().project.model_dump() | {"segments": parts, "joints": [held], "runs": [run]}

    def riding(*angles: float) -> mk.Model:
        data["initial"] = {
            "roots": [{"segment": "tub", "position_m": [4.0, 3.0, -1.0]}],
            "attitudes": [{"segment": "tub", "orientation": {"angles_rad": list(angles)}}],
        }
        return mk.Model(validated(data)).ride("tub", behind_m=1.0)

    found = mk.run(riding(0.5 * math.pi, 0.0, 0.0))
    place = [found[f"segments/{name}/position/{axis}"].value for name in ("tub", "load") for axis in "xyz"]  # fmt: skip
    assert [one[0] for one in place] == pytest.approx([4.0, 3.0, -1.0, 4.0, 4.5, -1.0])
    assert max(map(np.ptp, place)) < 1e-9
    with pytest.raises(VehicleError, match="does not stand level"):
        riding(0.0, 0.1, 0.0)
