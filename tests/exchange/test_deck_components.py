"""Cards of decks that neither public deck has: what they say is held against what the old program would do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import manikin as mk
from solver.exchange.decks.importing import Imported, taken
from solver.exchange.decks.writing import given
from solver.project import ProjectError
from tests.decks import Small, card

INCH, G, DEGREE = 0.0254, 386.088 * 0.0254, np.pi / 180.0


def car(*rows: Any, **head: Any) -> Imported:
    """Make a deck whose car moves in six components."""
    deck = Small()
    deck.vehicle = [card("C.1", title="CAR"), card("C.2", **head), *rows]
    return deck.read(free=True)


def way(made: Imported) -> dict[str, Any]:
    """Run it and give the car's course: place (m), speed, and its axes in the ground's."""
    run = mk.run(mk.Model(made.project))
    told = {axis: run[f"segments/vehicle/position/{axis}"].value for axis in "xyz"}
    speed = {axis: run[f"segments/vehicle/velocity/{axis}"].value for axis in "xyz"}
    angles = [run[f"segments/vehicle/angle/{name}"].value for name in ("yaw", "pitch", "roll")]
    return {
        "t": run["segments/vehicle/position/x"].time,
        "x": np.array([told[a] for a in "xyz"]).T, "v": np.array([speed[a] for a in "xyz"]).T,
        "angles": np.array(angles).T,
    }  # fmt: skip


def axes_of(angles: Any) -> Any:
    y, p, r = angles
    cy, sy, cp, sp, cr, sr = np.cos(y), np.sin(y), np.cos(p), np.sin(p), np.cos(r), np.sin(r)
    return np.array([[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                     [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr], [-sp, cp * sr, cp * cr]])  # fmt: skip


def turned(R: Any, rate: Any, end: float) -> Any:
    """Follow axes whose body-fixed angular velocity is given."""

    def slope(t: float, flat: Any) -> Any:
        x, y, z = rate(t)
        return (flat.reshape(3, 3) @ np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])).ravel()

    return solve_ivp(slope, (0.0, end), R.ravel(), rtol=1e-11, atol=1e-13).y[:, -1].reshape(3, 3)


@pytest.mark.parametrize("several", [False, True])
def test_a_car_that_slows_and_turns_by_cards_c4(several: bool) -> None:
    linear = [(0, 1, 0), (10, 1, -2), (20, 0, -2), (5, 0, 0)]
    angular = [(0, 0, 1000), (0, 0, 3000), (0, 0, -8000), (0, 0, 0)]
    if several:
        angular = [
            (900, a, b) for (_, _, b), a in zip(angular, (0, 4000, -3000, 1000), strict=True)
        ]
    rows = [card("C.4", linear=a, angular=b) for a, b in zip(linear, angular, strict=True)]
    made = car(card("C.2.b", rate=(0, 0, 50)), *rows, angles=(30, 10, 0), speed=300, origin=(1, 2, 3),
               points=-4, interval=0.005)  # fmt: skip
    assert not made.lost
    told = way(made)
    times = 0.005 * np.arange(4)
    R = axes_of(np.array([30, 10, 0]) * DEGREE)
    fine = np.linspace(0, 0.02, 20001)
    a = np.array([-G * np.interp(fine, times, [row[k] for row in linear]) for k in range(3)])
    v = 300 * INCH * R[:, :1] + np.cumsum(a, axis=1) * (fine[1] - fine[0])
    assert told["v"][-1] == pytest.approx(v[:, -1], abs=2e-3)
    assert told["x"][-1] - told["x"][0] == pytest.approx(v.mean(axis=1) * 0.02, abs=1e-4)
    assert told["x"][0] == pytest.approx(np.array([1, 2, 3]) * INCH)
    w = np.array([np.interp(fine, times, [row[k] for row in angular]) for k in range(3)]) * DEGREE
    w = np.array([[0], [0], [50 * DEGREE]]) + np.cumsum(w, axis=1) * (fine[1] - fine[0])
    end = turned(R, lambda t: [np.interp(t, fine, one) for one in w], 0.02)
    assert np.abs(axes_of(told["angles"][-1]) - end).max() < 2e-5
    written = given(made.project, free=True)
    assert any("several angles" in str(why) for _, why in written.losses) == several
    if not several:
        back = way(taken("\n".join(written.text.lines).encode(), free=True))
        assert np.abs(back["x"] - told["x"]).max() < 1e-12
        assert np.abs(back["angles"] - told["angles"]).max() < 1e-12


def test_places_speeds_and_decelerations_of_cards_c5_are_the_same_car() -> None:
    t = np.array([0.0, 0.004, 0.009, 0.015, 0.02, 0.03])
    place = np.array([5 + 200 * t - 9e3 * t**2 + 8e4 * t**3, 0 * t, -20 - 4e3 * t**2]).T
    speed = np.array([200 - 18e3 * t + 24e4 * t**2, 0 * t, -8e3 * t]).T
    slowing = -np.array([-18e3 + 48e4 * t, 0 * t, -8e3 + 0 * t]).T / 386.088
    yaw = np.array([10 + 300 * t + 5e3 * t**2 - 1e5 * t**3, 0 * t, 0 * t]).T
    yawing = np.array([0 * t, 0 * t, 300 + 1e4 * t - 3e5 * t**2]).T
    hastening = np.array([0 * t, 0 * t, 1e4 - 6e5 * t]).T
    start = card("C.5", linear=place[0], angular=yaw[0])
    rate = card("C.5", linear=speed[0], angular=yawing[0])
    courses = []
    for gives, before, linear, angular in ((1, [], place, yaw), (2, [start], speed, yawing),
                                           (3, [start, rate], slowing, hastening)):  # fmt: skip
        rows = [
            card("C.5", time=at, linear=a, angular=b)
            for at, a, b in zip(t, linear, angular, strict=True)
        ]
        made = car(
            card("C.2.b", gives=gives, degree=3, points=len(t)),
            *before,
            *rows,
            points=-50,
            interval=0.001,
        )
        assert not made.lost
        courses.append(way(made))
    at = courses[0]["t"]
    exact = np.array([5 + 200 * at - 9e3 * at**2 + 8e4 * at**3, 0 * at, -20 - 4e3 * at**2]).T * INCH
    angle = (10 + 300 * at + 5e3 * at**2 - 1e5 * at**3) * DEGREE
    for one, near in zip(courses, (1e-12, 2e-6, 1e-12), strict=True):
        assert np.abs(one["x"] - exact).max() < near
        assert np.abs(one["angles"][:, 0] - angle).max() < near * 100


def test_a_motion_in_six_components_that_says_nothing_is_refused() -> None:
    for told, interval, was, becomes, said in (
        ({"gives": 1, "points": 3}, 0.1, "1 0 3", "4 0 3", "4 cannot be a count; 0 to 3 can"),
        ({}, 0.0, "", "", "the time between points is above zero"),
        ({"gives": 1, "points": 3}, 0.1, "", "", "times must increase"),
    ):
        deck = Small()
        rows = [card("C.5")] * (told["points"] + told["gives"] - 1) if told else [card("C.4")] * 3
        head = card("C.2", points=-3, interval=interval)
        deck.vehicle = [card("C.1", title="CAR"), head, card("C.2.b", **told), *rows]
        with pytest.raises(ProjectError, match=said):
            taken(deck.text(free=True).replace(was or "no", becomes or "no").encode(), free=True)


def test_heavy_strings_are_read_and_written() -> None:
    deck = Small()
    deck.shapes["D.6"] = [
        card("D.6", type=1, first=1, second=2, second_point=(0, 0, -5)),
        card("D.6", type=5, first=1, second=3, first_point=(1, 2, 3), second_point=(4, 5, 6)),
        card("D.6", type=5, first_point=(0.01, 0.02, 0.005), second_point=(30, 0.4, 9)),
    ]
    made = deck.read()
    (string,) = made.project.tension_elements
    assert (string.a.segment, string.b.segment) == ("S0", "vehicle")
    pound = 4.4482216152605
    assert string.mass_b_kg == pytest.approx(0.02 * pound / INCH)
    assert string.stiffness_n_per_m == pytest.approx(30 * pound / INCH)
    assert string.damping_ns_per_m == pytest.approx(0.4 * pound / INCH)
    assert string.damping_law == "printed"
    assert string.rest_length_m == pytest.approx(9 * INCH)
    assert len(made.project.constraints) == 1
    back = taken("\n".join(given(made.project).text.lines).encode()).project
    assert back.tension_elements[0].model_dump(exclude={"id", "source"}) == string.model_dump(
        exclude={"id", "source"}
    )
    deck.shapes["D.6"].pop()
    with pytest.raises(ProjectError, match="has two cards"):
        deck.read()


def chain(segments: int = 4) -> Small:
    """Make a chain of segments that bends as a flexible element."""
    deck = Small(segments)
    for row in deck.joints:
        row.values["inner"] *= -1
    rng = np.random.default_rng(5)
    deck.flexible = [card("B.7.a", count=segments - 2, segments=range(2, segments))]
    for _ in range(segments - 2):
        H = [(one + one.T).round(2) for one in rng.uniform(-0.2, 0.2, (3, 4, 4))]
        deck.flexible += [card("B.7.b", values=[v for one in H for v in one[j]]) for j in range(4)]
    return deck


@pytest.mark.parametrize("free", [False, True])
def test_flexible_elements_bend_as_their_matrices_say(free: bool) -> None:
    deck = chain()
    made = deck.read(free)
    assert not made.lost
    (element,) = made.project.flexible_elements
    assert element.segments == ("S0", "S1", "S2", "S3")
    end = np.array([0.3, -0.2, 0.1, 1.0])
    for bend, first in zip(element.bends, (1, 5), strict=True):
        rows = [one["values"] for one in deck.flexible[first : first + 4]]
        for i in range(3):
            H = np.array([row[4 * i : 4 * i + 4] for row in rows])
            x, y, z = end[:3]
            ours = (bend.bias_rad[i] + np.dot(bend.linear[i], end[:3]) + np.dot(bend.quadratic_per_rad[i], end[:3] ** 2)
                    + np.dot(bend.interaction_per_rad[i], [y * z, z * x, x * y]))  # fmt: skip
            assert ours == pytest.approx(0.5 * end @ H @ end, abs=1e-15)
    back = taken("\n".join(given(made.project, free).text.lines).encode(), free).project
    assert back.flexible_elements[0].bends == element.bends


def test_a_flexible_element_that_makes_no_sense_is_refused() -> None:
    odd = chain()
    odd.flexible[1].values["values"] = (0, 0.1, *[0] * 10)
    with pytest.raises(ProjectError, match="symmetric"):
        odd.read()
    other = chain()
    other.flexible[0].values["segments"] = (2, 4, *[0] * 15)
    with pytest.raises(ProjectError, match="segment 3 lies within a flexible element"):
        other.read()
