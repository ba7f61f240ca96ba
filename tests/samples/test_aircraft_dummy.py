"""The Hybrid III 50th man in an aircraft seat: the motion of both tests of 14 CFR 25.562, and the belt that stays on his pelvis."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import manikin as mk
from solver.engine.maths.rotation import matrices
from solver.project.pose import start_pose
from solver.running.outputs.submarining import submarining
from tests.solved import solved

Array = NDArray[np.float64]
ABOVE = {"head", "neck", "centre_torso", "upper_torso", "sternum", "shoulder", "upper_arm", "forearm", "hand"}  # fmt: skip
"""What stands on the lumbar spine."""


def pitch(name: str, part: str) -> Array:
    """Give how far a part has turned forward since the start (degrees)."""
    R = matrices(solved(name).trajectory.segment(f"occupant_{part}").quaternion_wxyz)
    turned = np.degrees(np.unwrap(np.arctan2(R[:, 2, 0], R[:, 0, 0])))
    return np.asarray(turned - turned[0])


def way(name: str, part: str) -> Array:
    x = solved(name).trajectory.channel(f"occupant_{part}_position_in_vehicle_x").value
    return np.asarray(x - x[0])


def figures(name: str) -> dict[str, float]:
    return {one.name: float(one.value) for one in solved(name).injury.figures}


def test_the_lap_belt_stays_on_the_pelvis() -> None:
    """It bears until he is back, lets go at no instant, and lies under the iliac spines; thighs bear what it pulls down."""
    run = solved("aircraft_dummy")
    project, points = run.model.project, run.trajectory.table("strap_points")
    tension = np.asarray(points["tension"]).max(axis=1)
    most = int(np.argmax(tension))
    assert 6000.0 < tension[most] < 9000.0
    assert 0.13 < run.trajectory.time[most] < 0.17
    assert np.abs(np.diff(tension)).max() < 500.0, "in a millisecond"
    assert tension[run.trajectory.time > 0.1].min() > 2000.0
    assert submarining(project, run.trajectory) == ()
    strap = project.harnesses[0].straps[0]
    on = [p.surface.segment if p.kind == "surface" else "" for p in strap.points]
    R = matrices(run.trajectory.segment("occupant_lower_torso").quaternion_wxyz)
    force = np.einsum("tji,tnj->tni", R, points["force"])
    pelvis = force[:, [k for k, one in enumerate(on) if one == "occupant_lower_torso"]].sum(axis=1)
    thighs = force[:, [k for k, one in enumerate(on) if one.endswith("upper_leg")]].sum(axis=1)
    loaded = tension > 1000.0
    assert pelvis[loaded, 0].max() < 0.0
    assert (pelvis + thighs)[loaded, 2].min() > 0.0
    assert thighs[most, 2] > 5000.0


def test_he_folds_over_the_belt() -> None:
    time = np.asarray(solved("aircraft_dummy").trajectory.time)
    chest, pelvis = pitch("aircraft_dummy", "upper_torso"), pitch("aircraft_dummy", "lower_torso")
    assert (chest - pelvis)[time > 0.08].min() > 2.0
    assert 20.0 < (chest - pelvis).max() < 80.0
    assert 40.0 < pelvis.max() < 80.0, "it went on to 100 degrees where the belt let go"
    assert 0.06 < way("aircraft_dummy", "lower_torso").max() < 0.15
    assert way("aircraft_dummy", "head").max() > 0.7
    head = solved("aircraft_dummy").trajectory.channel("occupant_head.touch_force_resultant")
    touch = float(head.time[np.argmax(head.value > 50.0)])
    assert 0.11 < touch < 0.14
    found = {one.name: one for one in solved("aircraft_dummy").injury.figures}
    assert found["contact_HIC"].t1 >= touch - 1e-3
    assert 200.0 < found["contact_HIC"].value < 1000.0
    assert max(found[f"femur_compression_{side}"].value for side in ("left", "right")) < 2000.0


def deepest(name: str, contact: str) -> float:
    table = solved(name).trajectory.table("contacts")
    return float(np.max(table["penetration"][:, table.ids.index(contact)]))


def loads(name: str, contact: str) -> Array:
    table = solved(name).trajectory.table("contacts")
    return np.asarray(np.linalg.norm(table["force"][:, table.ids.index(contact)], axis=1))


@pytest.mark.parametrize("name", ["aircraft_dummy", "aircraft_14g", "aircraft_16g"])
def test_he_begins_with_level_soles_on_the_floor_and_shanks_that_lean_a_little(name: str) -> None:
    at = start_pose(mk.sample(name).project)
    for side in ("left", "right"):
        assert at[f"occupant_{side}_foot"].R_WS[2, 2] == pytest.approx(0.0, abs=0.03), (
            "he sinks a little as he settles"
        )
        assert 5.0 < loads(name, f"seat_{side}_foot-floor")[0] < 60.0
        shank = at[f"occupant_{side}_lower_leg"].R_WS[:, 2]
        assert 10.0 < np.degrees(np.arctan2(shank[0], shank[2])) < 30.0


def test_feet_leave_the_floor_as_he_slides_and_stay_on_it_as_the_cabin_drops() -> None:
    forward, down = (loads(n, "seat_right_foot-floor") for n in ("aircraft_dummy", "aircraft_14g"))
    time = np.asarray(solved("aircraft_dummy").trajectory.time)
    assert forward[(time > 0.06) & (time < 0.15)].max() == 0.0
    assert down.min() > 0.0


def test_hands_and_forearms_stay_before_the_row_in_front() -> None:
    """They strike it near its hinge, where it does not fold: no hand comes out behind it, and none slips past its side."""
    for side in ("left", "right"):
        hand = deepest("aircraft_dummy", f"{side}_hand-row_in_front")
        assert 0.01 < hand < 0.04, "a hand is 40 mm thick"
        assert deepest("aircraft_dummy", f"{side}_forearm-row_in_front") < 0.035
    assert 0.1 < deepest("aircraft_dummy", "head-row_in_front") < 0.25, "higher up the back folds"


def test_the_lumbar_spine_bears_what_stands_on_it() -> None:
    """The largest load is that of the mass above at what the pelvis has then, and it is there before the cabin's peak is long past."""
    run, name = solved("aircraft_14g"), "aircraft_14g"
    one = next(f for f in run.injury.figures if f.name == "lumbar_compression")
    assert one.t1 is not None
    assert 0.075 < one.t1 < 0.1
    above = sum(
        s.mass_kg for s in run.model.project.segments
        if s.id.removeprefix("occupant_").removeprefix("right_").removeprefix("left_").rstrip("_1234") in ABOVE
    )  # fmt: skip
    assert above == pytest.approx(34.6, abs=0.3)
    assert one.value == pytest.approx(above * figures(name)["pelvis_3ms"] * 9.80665, rel=0.12)
    assert 5000.0 < one.value < 8000.0
    assert figures(name)["contact_HIC"] == 0.0
