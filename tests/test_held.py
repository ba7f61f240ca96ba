"""People beside measurements that nothing was fitted on: what the validation book says of them."""

from __future__ import annotations

import numpy as np
import pytest

import manikin as mk
from validation import gold_standard, near_side, rear_seat, side, slow


@pytest.fixture(scope="module")
def sled() -> gold_standard.Found:
    return gold_standard.found()


def test_the_sled_holds_what_the_book_says(sled: gold_standard.Found) -> None:
    """The pelvis stays inside forward, the head nearly; belts press and bear about as they did."""
    inside = {name: sled.inside(name, "x") for name in gold_standard.PATHS}
    assert inside["pelvis"] >= gold_standard.ASKED
    assert inside["head"] > 0.75
    assert all(part > 0.5 for part in inside.values())
    assert sled.path["head"][:, 0].max() == pytest.approx(454.0, abs=8.0)
    assert sled.pressed() >= 0.9
    assert 45.0 < -sled.sternum.min() < 60.0
    asked = gold_standard.measured()
    for belt in ("upper", "lower"):
        mean, sd = asked[f"{belt}_mean_kN"], asked[f"{belt}_sd_kN"]
        peak = int(np.argmax(mean))
        assert abs(sled.belt[belt].max() - mean[peak]) < 2.4 * sd[peak]


def test_the_trunk_does_not_rise_as_the_subjects_did(sled: gold_standard.Found) -> None:
    """What fails, fails as the book says; who mends it changes the page."""
    assert max(sled.inside(name, "z") for name in gold_standard.PATHS) < 0.7
    assert sled.path["T8"][:, 1].min() > -30.0


def test_the_measured_motion_is_that_of_the_readme() -> None:
    asked = gold_standard.measured()
    assert asked["head_x_mean_mm"].max() == pytest.approx(386.0, abs=1.0)
    assert asked["pelvis_z_mean_mm"].min() == pytest.approx(-47.0, abs=1.0)
    assert gold_standard.scene().motions[0].segment == "sled"


def test_a_strap_sinks_into_the_belly_and_lies_on_the_ribs() -> None:
    points = [p for s in gold_standard.scene().harnesses[0].straps for p in s.points if p.kind == "surface"]  # fmt: skip
    flesh = {p.surface.segment: p.flesh for p in points}
    assert flesh["p_centre_torso"] == "p_belt_abdomen"
    assert flesh["p_lower_torso"] == "p_belt_flesh"
    assert flesh["p_sternum"] is None
    assert flesh["p_lower_ribs"] is None


def test_a_slow_hub_and_a_bent_spine_bear_what_the_book_says() -> None:
    """Both too stiff: the chest by less than three times, the spine by what a load along it adds and a little more."""
    depth, force = slow.pressed()
    assert 1.2 < np.interp(30.0, depth, force) / slow._at(30.0, slow.kent()).mean() < 1.6
    angle, moment = slow.bent()
    found, specimens = np.interp(10.0, angle, moment), slow._at(10.0, slow.demetropoulos())
    assert specimens.mean() < found / 2.11 < 1.2 * specimens.max()


def test_the_side_bears_what_it_bore_at_speeds_that_nothing_was_fitted_on() -> None:
    thorax, _, pelvis = side.REGIONS
    slow_, fast = side.hit(thorax, 4.4), side.hit(pelvis, 9.8)
    assert abs(slow_.force.max() - 2.18) < 0.5
    assert abs(fast.force.max() - 11.65) < 1.2 * 1.55
    ms = np.arange(0.0, 45.0)
    asked = side.mean("thorax", "4.400", ms)
    assert np.sqrt(np.mean((np.interp(ms, 1e3 * slow_.time, slow_.force) - asked) ** 2)) < 0.5
    # nothing is lost: the hub's change of momentum is the force's
    moved = np.trapezoid(1e3 * slow_.force, slow_.time) / side.KG
    assert 2.0 < moved < 4.4 * 2.0
    # ribs give way by most of what the hub goes in, and along y alone; the ring hands on half of what the hip gets
    assert 0.8 < 1e3 * slow_.figures["right_rib_deflection"] / slow_.depth.max() < 1.25
    assert slow_.figures["left_rib_deflection"] < 0.02
    assert 0.35 < 1e-3 * fast.figures["right_pubic_load"] / fast.force.max() < 0.5


def test_at_twice_the_speed_the_walls_of_the_chest_come_together() -> None:
    """Nothing was fitted at 9.5 m/s; without that contact the side bears 1.5 SD less than subjects."""
    thorax = side.REGIONS[0]
    mean, sd = thorax.peaks[2]
    with_ = side.hit(thorax, 9.5)
    own = side.scene(thorax, 9.5)
    alone = mk.run(
        mk.Model(
            own.model_copy(
                update={
                    "contacts": tuple(c for c in own.contacts if c.id != "right_ribs-left_ribs")
                }
            )
        )
    )
    least = 1e-3 * float(np.abs(alone.trajectory.table("contacts")["force"]).max())
    assert abs(with_.force.max() - mean) < 1.1 * sd
    assert least < mean - 1.3 * sd
    assert with_.figures["right_rib_deflection"] < 0.125


def test_a_near_side_sled_finds_the_trunk_as_hard_as_cadavers_at_the_speed_that_is_told_whole() -> (
    None
):
    for name, most, _, asked, _ in near_side.figures("3"):
        if name.split(",")[0] in ("thorax", "abdomen", "pelvis") and "half" not in name:
            assert 0.8 < most / asked < 1.2, name
    # the plates take the man along, here and there
    assert 55.0 < near_side.carried_kg("3", here=True) < 90.0
    assert near_side.carried_kg("8", here=False) < 0.6 * near_side.carried_kg("3", here=False)


def test_the_rear_seat_shakes_her_as_hard_as_it_did_and_too_early() -> None:
    """Sizes of accelerations within 1.4 without any fit; the chest's deflection is not, and both chest and pelvis are early."""
    ratio = {one.name: one.ratio for one in rear_seat.figures()}
    assert {name for name, value in ratio.items() if value > 1.4} == {"Chest deflection"}
    assert all(rated > 0.5 for rated in rear_seat.ratings().values())
    time, chest = rear_seat.computed("chest")
    assert 0.055 < time[chest.argmax()] < 0.075
