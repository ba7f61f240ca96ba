"""Contacts slide, go over edges, and end behind planes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from solver.results.trajectory import Trajectory
from tests.balls_and_floors import FLOOR, balanced, ball, run


def test_a_block_slides_until_friction_has_stopped_it() -> None:
    mu, g, v, ramp = 0.4, 9.81, 3.0, 0.01
    law = {
        "kind": "kelvin_voigt",
        "stiffness_n_per_m": 1e5,
        "friction": mu,
        "friction_ramp_m_per_s": ramp,
    }
    m = 2.0
    data = ball(law, 0.0, height=0.1 - m * g / 1e5, velocity=[v, 0.0, 0.0])
    data["gravity_m_per_s2"] = [0.0, 0.0, -g]
    # it must not roll
    data["segments"][0]["inertia_kgm2"] = [1e6] * 3
    out = run(data, 1.2, 1000.0)
    way = out.table("segments")["position"][-1, 0, 0]
    exact = v * v / (2.0 * mu * g)
    # within the ramp it creeps on: v' = -mu g v (2 - v / v0) / v0
    assert way == pytest.approx(
        exact + 0.5 * ramp**2 / (mu * g) * (2.0 * math.log(2.0) - 1.0), rel=1e-4
    )
    energy = out.table("energy")
    assert energy["lost_in_contact_friction"][-1] == pytest.approx(0.5 * m * v * v, rel=1e-4)
    balanced(out)


def test_what_stands_behind_a_plane_is_left_alone_unless_it_is_to_be_held() -> None:
    law = {"kind": "kelvin_voigt", "stiffness_n_per_m": 1e4}
    for holds in (False, True):
        data = ball(law, 0.0, height=-0.15)
        data["contacts"][0]["holds_when_behind"] = holds
        out = run(data, 0.02, 1000.0)
        assert bool(np.any(out.table("contacts")["force"])) == holds


def test_a_ball_shot_through_a_plane_loses_its_force_once_wholly_behind() -> None:
    law = {"kind": "kelvin_voigt", "stiffness_n_per_m": 1e3}
    out = run(ball(law, 10.0), 0.06)
    force, z = out.table("contacts")["force"][:, 0, 2], out.table("segments")["position"][:, 0, 2]
    assert np.all(force[z < -0.1 - 1e-9] == 0.0)
    assert np.all(force[(z < 0.1 - 1e-6) & (z > -0.1 + 1e-6)] > 0.0)
    # 2 m: the energy of 0.2 m of spring is gone
    v = out.table("segments")["velocity"][-1, 0, 2]
    assert v**2 == pytest.approx(100.0 - 1e3 * 0.2**2 / 2.0, rel=1e-6)
    balanced(out)


def test_what_comes_back_from_behind_is_not_pressed_until_it_has_been_in_front() -> None:
    law = {"kind": "kelvin_voigt", "stiffness_n_per_m": 1e3}
    ceiling = {"kind": "points", "p1_m": [-5, -5, 0.5], "p2_m": [-5, 5, 0.5], "p3_m": [5, -5, 0.5]}
    data = ball(law, 8.0, gravity_m_per_s2=[0.0, 0.0, 50.0])
    # a ceiling throws it back, down through the floor again
    data["planes"].append({"id": "ceiling", "placement": ceiling})
    data["contact_laws"].append(law | {"id": "hard", "stiffness_n_per_m": 1e5})
    data["contacts"].append(
        {**data["contacts"][0], "id": "above", "plane": "ceiling", "law": "hard"}
    )
    out = run(data, 0.45)
    force, z = out.table("contacts")["force"][:, 0, 2], out.table("segments")["position"][:, 0, 2]
    v = out.table("segments")["velocity"][:, 0, 2]
    inside = np.abs(z) < 0.1 - 1e-6
    lowest = int(np.argmin(z))
    assert z[lowest] < -0.15
    bounced = lowest + int(np.argmax(z[lowest:] > 0.35))
    back, again = np.arange(len(z)) > lowest, np.arange(len(z)) > bounced
    # down: pressed; up from behind: not; down from the front: pressed again
    assert np.all(force[inside & ~back] > 0.0)
    assert np.any(inside & back & ~again)
    assert np.all(force[inside & back & ~again] == 0.0)
    down = inside & again & (v < 0.0)
    assert np.any(down)
    assert np.all(force[down] > 0.0)
    balanced(out)


def beside_a_narrow_floor(x: float, velocity: list[float]) -> Trajectory:
    """Start a ball behind a floor that ends at x = 0.1 m."""
    data = ball({"kind": "kelvin_voigt", "stiffness_n_per_m": 1e3}, 0.0, height=-0.12)
    data["initial"]["roots"][0] |= {
        "position_m": [x, 0.0, -0.12],
        "velocity_m_per_s": velocity,
    }
    data["planes"][0] = {**FLOOR, "placement": {"kind": "frame", "length_m": 0.2, "width_m": 1.0}}
    data["contacts"][0]["edge"] = "fade"
    return run(data, 0.25, 2000.0)


def test_what_comes_from_behind_beside_an_edge_is_not_pressed_as_it_widens() -> None:
    """Its cut begins beside the floor and grows over the edge: it has not been in front yet."""
    out = beside_a_narrow_floor(0.13, [0.0, 0.0, 1.0])
    assert not np.any(out.table("contacts")["force"])


def test_what_has_gone_around_an_edge_is_pressed_as_it_comes_over_it() -> None:
    """Its centre was in front while it was beside the floor."""
    out = beside_a_narrow_floor(0.5, [-2.0, 0.0, 1.0])
    force, x = out.table("contacts")["force"][:, 0, 2], out.table("segments")["position"][:, 0, 0]
    assert np.all(force[x > 0.21] == 0.0)
    assert force.max() > 1.0


def from_beside(height: float, z: float = 0.0) -> Trajectory:
    """Let a ball come at a floor that ends at x = 0.1 m from beside it, rising or sinking by z (m/s)."""
    data = ball({"kind": "kelvin_voigt", "stiffness_n_per_m": 1e4}, 0.0, height=height)
    data["initial"]["roots"][0] |= {
        "position_m": [0.35, 0.0, height],
        "velocity_m_per_s": [-2.0, 0.0, z],
    }
    data["planes"][0] = {**FLOOR, "placement": {"kind": "frame", "length_m": 0.2, "width_m": 1.0}}
    data["contacts"][0]["edge"] = "fade"
    return run(data, 0.3, 2000.0)


def test_what_is_sunk_beside_a_plane_is_not_pressed_from_there() -> None:
    """A ball whose centre is below the floor as it comes in under it is not thrown up, as a hand beside a cushion."""
    for height, z in ((-0.02, 0.0), (0.03, -0.6)):
        out = from_beside(height, z)
        assert not np.any(out.table("contacts")["force"])
        assert out.table("energy")["work_of_contact_geometry"][-1] == 0.0


def test_what_rises_beside_a_plane_is_pressed_as_it_comes_over_it() -> None:
    """Sunk at first, its centre is in front before it is over the floor."""
    out = from_beside(-0.02, 0.4)
    assert out.table("contacts")["force"][:, 0, 2].max() > 10.0


@pytest.mark.parametrize("edge", ["sharp", "fade"])
def test_a_ball_that_slides_over_an_edge_is_let_go(edge: str) -> None:
    law = {
        "kind": "kelvin_voigt",
        "stiffness_n_per_m": 1e4,
        "damping_ns_per_m": 50.0,
        "friction": 0.1,
    }
    data = ball(law, 0.0, height=0.098, velocity=[2.0, 0.0, 0.0])
    data["planes"][0] = {**FLOOR, "placement": {"kind": "frame", "length_m": 0.2, "width_m": 1.0}}
    data["contacts"][0]["edge"] = edge
    data["gravity_m_per_s2"] = [0.0, 0.0, -9.81]
    out = run(data, 0.3, 2000.0)
    x = out.table("segments")["position"][:, 0, 0]
    force = out.table("contacts")["force"][:, 0, 2]
    assert np.all(force[x > 0.13] == 0.0)
    assert np.all(force[x < 0.08] > 0.0)
    balanced(out, 1e-4)


def test_what_comes_in_over_a_fading_edge_is_told_apart_from_the_law() -> None:
    """An elastic ball rolls in from the side and is thrown up: the law gives nothing, the edge does."""
    data = ball({"kind": "kelvin_voigt", "stiffness_n_per_m": 1e4}, 0.0, height=0.06)
    data["initial"]["roots"][0] |= {
        "position_m": [0.25, 0.0, 0.06],
        "velocity_m_per_s": [-3.0, 0, 0],
    }
    data["planes"][0] = {**FLOOR, "placement": {"kind": "frame", "length_m": 0.2, "width_m": 1.0}}
    data["contacts"][0]["edge"] = "fade"
    out = run(data, 0.15, 2000.0)
    energy = out.table("energy")
    assert out.table("contacts")["force"][-1, 0, 2] == 0.0
    gained = energy["kinetic"][-1] - energy["kinetic"][0]
    assert gained > 1.0
    assert energy["work_of_contact_geometry"][-1] == pytest.approx(gained, rel=1e-5)
    assert np.max(np.abs(energy["lost_in_contacts"])) < 1e-5 * gained
    assert any("contact geometry gave" in line for line in out.log)
    balanced(out)


def test_a_ball_born_inside_a_plane_is_pushed_out_with_what_the_law_holds() -> None:
    law = {"kind": "lankarani_nikravesh", "stiffness_n_per_mn": 1e5, "loss_restitution": 0.5}
    out = run(ball(law, 0.0, height=0.08), 0.2, 1000.0)
    # it began at rest: no rate at impact, and so no damping
    energy = 1e5 * 0.02**2.5 / 2.5
    assert out.table("segments")["velocity"][-1, 0, 2] == pytest.approx(math.sqrt(energy), rel=1e-6)


@pytest.mark.parametrize("ends", ["first", "second"])
def test_a_plane_may_end_in_one_direction_alone(ends: str) -> None:
    """As one with corners far away in the other direction; section 7.1 leaves that check out there."""
    law = {"kind": "kelvin_voigt", "stiffness_n_per_m": 1e4}
    found = []
    for extent in ("said", "drawn"):
        # it slides off the end at x = 0.3, thirty metres aside; the front is up, or down
        up = 1.0 if ends == "first" else -1.0
        data = ball(law, 0.0, height=0.099 * up, velocity=[2.0, 0.0, 0.0])
        data["initial"]["roots"][0]["position_m"][1] = 30.0
        x, y = ([-1.0, 0.3], [-0.2, 0.2]) if extent == "said" else ([-1.0, 0.3], [-80.0, 80.0])
        across, along = [x[0], y[1], 0.0], [x[1], y[0], 0.0]
        corners = [along, across] if ends == "first" else [across, along]
        plane = data["planes"][0]
        plane["placement"] = {"kind": "points", "p1_m": [x[0], y[0], 0.0], "p2_m": corners[0], "p3_m": corners[1]}  # fmt: skip
        plane["bounded"] = True
        if extent == "said":
            plane["ends"] = ends
        data["gravity_m_per_s2"] = [0.0, 0.0, -9.81 * up]
        out = run(data, 0.25, 1000.0)
        balanced(out)
        found.append(out.table("contacts")["force"][:, 0, 2])
    assert np.abs(found[0]).max() > 5.0
    assert found[0][-1] == 0.0
    assert found[0] == pytest.approx(found[1], abs=1e-4)


@pytest.mark.parametrize("at", [(4.9, 4.95), (4.99, 0.0), (0.0, 0.0), (5.1, 4.8)])
def test_the_depth_below_the_centroid_is_that_of_the_surface_there(at: tuple[float, float]) -> None:
    """A leaning ellipsoid on a corner, on an edge and far from both: by sampling its cut with the plane's area."""
    semi, height, ratio = np.array([0.12, 0.2, 0.3]), 0.17, 0.25
    law = {"kind": "kelvin_voigt", "stiffness_n_per_m": 1e4, "application_ratio": ratio}
    data = ball(law, 0.0, height=height, velocity=[0.3, 0.2, -0.1])
    data["segments"][0]["surfaces"][0]["semi_axes_m"] = semi.tolist()
    data["initial"]["roots"][0]["position_m"] = [*at, height]
    angles = [0.3, 0.5, -0.4]
    data["initial"]["attitudes"] = [
        {"segment": "ball", "orientation": {"order": "zyx", "angles_rad": angles}}
    ]
    data["contacts"][0]["edge"] = "below"
    out = run(data, 0.02, 1000.0)
    w, x, y, z = out.table("segments")["quaternion_wxyz"][0, 0]
    R = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                  [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                  [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])  # fmt: skip
    E = R @ np.diag(semi**-2.0) @ R.T
    # cells of which none lies across an edge
    side = (np.arange(1400) + 0.5) * 5e-4 - 0.35
    u, v = np.meshgrid(side, side)
    way = np.stack([u, v, np.full_like(u, -height)], axis=-1)
    inside = np.einsum("...i,ij,...j->...", way, E, way) <= 1.0
    inside &= (np.abs(u + at[0]) <= 5.0) & (np.abs(v + at[1]) <= 5.0)
    q = way[inside].mean(axis=0)
    # down from q along the plane's normal to the surface
    a, b, c = E[2, 2], E[2] @ q, q @ E @ q - 1.0
    depth = (b + math.sqrt(b * b - a * c)) / a
    found = out.table("contacts")
    assert found["penetration"][0, 0] == pytest.approx(depth, abs=1e-5)
    point = np.array([*at, height]) + q - [0.0, 0.0, (1.0 - ratio) * depth]
    assert found["point"][0, 0] == pytest.approx(point, abs=2e-4)
    balanced(out)
