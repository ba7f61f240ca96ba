"""Arms hang beside the body, whatever its size and pose: clear of trunk and legs, and raised no more than that takes."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from solver.analysis.crash.build import crash, first, replace
from solver.analysis.crash.scenes import on_thighs
from solver.bodies import (
    DUMMIES,
    Body,
    Place,
    adult_dimensions,
    child_dimensions,
    generated,
    human,
    library_body,
    mirror_of,
    pose,
    with_hands,
)
from solver.bodies.body import mirrored_turn
from solver.bodies.insert import placed_at
from solver.bodies.own_contacts import own_pairs, solids_of
from solver.bodies.poses import MOST_DEG, STEP_DEG, with_clear_arms
from solver.engine.maths.rotation import about_axis
from solver.project.angles import angles_from
from solver.project.checks.shapes import gaps
from solver.project.geometry import Orientation
from solver.project.pose import start_pose, turn
from tests.bodies.lazily import Lazily
from tests.rows import rows

SIZES = {
    "three": child_dimensions(3.0), "six": child_dimensions(6.0), "fourteen": child_dimensions(14.0), "man": adult_dimensions("male"),
    "slim": adult_dimensions("male", weight_kg=60.0, height_m=2.0), "heavy": adult_dimensions("male", weight_kg=110.0, height_m=1.75),
    "stout": adult_dimensions("female", weight_kg=90.0, height_m=1.5), "small": adult_dimensions("female", percentile=5.0),
    "woman": adult_dimensions("female"),
}  # fmt: skip
BODIES: Lazily[Body] = Lazily({
    **{name: partial(library_body, name) for name in (*DUMMIES, "male-50")},
    **{name: partial(human, d) for name, d in SIZES.items()},
    **{f"{name}, 15": partial(generated, SIZES[name]) for name in ("three", "man", "woman")},
    "man, 17": lambda: with_hands(generated(SIZES["man"])),
})  # fmt: skip
STOUT = ("heavy", "stout")
"""Their upper arms lie on their ribs, raised as far as arms are."""
ARM = ("upper_arm", "forearm", "hand")
POSES = ("standing", "seated", "driving", "lying", "on thighs")


def posed(name: str, how: str) -> Body:
    if how == "on thighs":
        return with_clear_arms(pose(BODIES[name], "driving", on_thighs(BODIES[name])))
    return pose(BODIES[name], how)


def parts_beside(body: Body, arm: str) -> list[str]:
    """Name the shapes of trunk and legs that an arm's part can come to; a shoulder's own chest is none for what it carries."""
    here = {s.id for s in body.segments}
    with_ribs = not {"right_ribs", "right_rib_1"}.isdisjoint(here)
    found = [
        "lower_torso.core" if with_ribs else "lower_torso", "centre_torso", "lumbar_1", "lumbar_2", "lower_ribs.core", "right_ribs", "right_ilium", "right_rib_1", "right_rib_2", "right_rib_3",
        *(side + part for side in ("right_", "left_") for part in ("upper_leg", "knee_block", "lower_leg")),
    ]  # fmt: skip
    if not with_ribs and ("right_shoulder" in here or arm != "upper_arm"):
        found.append("upper_torso.jacket" if "right_shoulder" in here else "upper_torso")
    shown = {s.id for s in body.segments if s.surfaces}
    return [one for one in found if one.partition(".")[0] in shown]


def deepest(body: Body, in_armpit: bool = False) -> tuple[float, str]:
    """Give the least gap between the right arm and what is beside it (m)."""
    solids = solids_of(body, placed_at(body, Place()))
    pairs = [
        (f"right_{part}", other)
        for part in ARM
        if f"right_{part}" in solids
        for other in parts_beside(body, part)
        if not (in_armpit and (part, other) == ("upper_arm", "right_ribs"))
    ]
    found = gaps([solids[a] for a, _ in pairs], [solids[b] for _, b in pairs], [False] * len(pairs))
    at = int(np.argmin(found))
    return float(found[at]), "-".join(pairs[at])


@rows("how", POSES)
@rows("name", BODIES)
def test_arms_are_clear_of_trunk_and_legs(name: str, how: str) -> None:
    gap, pair = deepest(posed(name, how), name in STOUT)
    assert gap > 0.0, pair


@pytest.mark.parametrize("how", ["standing", "driving"])
@pytest.mark.parametrize("name", ["hybrid_iii_50m", "hybrid_iii_6y", "six", "man", "woman"])
def test_arms_are_raised_no_more_than_that_takes(name: str, how: str) -> None:
    body = posed(name, how)
    lowered = dict(body.attitudes)
    R = turn(lowered["right_upper_arm"])
    back = R @ about_axis("x", np.radians(STEP_DEG)) @ R.T
    for part in ARM:
        angles = angles_from(back @ turn(lowered[f"right_{part}"]), "zyx")
        lowered[f"right_{part}"] = Orientation(angles_rad=angles)
    assert deepest(replace(body, attitudes=lowered))[0] < 0.0


@pytest.mark.parametrize("name", STOUT)
def test_arms_of_stout_people_are_raised_no_further_than_theirs_are(name: str) -> None:
    for how in ("standing", "driving"):
        at = placed_at(posed(name, how), Place())
        raised = np.degrees(np.arcsin(at["right_upper_arm"].R_WS[1, 2]))
        assert raised == pytest.approx(MOST_DEG, abs=1.0)
    assert 2.0 * at["right_forearm"].p_W[1] < 0.75


@pytest.mark.parametrize("name", ["hybrid_iii_3y", "woman"])
def test_both_arms_are_raised_alike(name: str) -> None:
    at = posed(name, "driving").attitudes
    for id_, one in at.items():
        assert at[mirror_of(id_)] == mirrored_turn(one)


def test_hands_stay_as_far_from_the_middle_as_they_were() -> None:
    plain = {f"{side}_upper_arm": Orientation(angles_rad=(0, 0.9, 0)) for side in ("right", "left")}
    body = pose(BODIES["hybrid_iii_5f"], "driving", plain)
    before, after = (placed_at(one, Place()) for one in (body, with_clear_arms(body)))
    assert after["right_forearm"].p_W[1] - before["right_forearm"].p_W[1] > 0.01
    assert after["right_hand"].p_W[1] == pytest.approx(before["right_hand"].p_W[1], abs=1e-6)


def test_arms_that_are_turned_by_hand_stay_so() -> None:
    mine = Orientation(angles_rad=(0.0, 0.1, 0.0))
    body = pose(BODIES["man"], "driving", {"right_forearm": mine})
    assert body.attitudes["right_forearm"] == mine
    assert body.attitudes["right_upper_arm"].angles_rad == pytest.approx(
        (0.0, np.radians(50.0), 0.0)
    )
    assert abs(body.attitudes["left_upper_arm"].angles_rad[2]) > 0.2


def test_the_printed_men_sit_as_printed() -> None:
    at = pose(library_body("male-95"), "seated").attitudes
    assert at["right_upper_arm"].angles_rad == pytest.approx((0.0, np.radians(24.5), 0.0))


@pytest.mark.parametrize(
    ("name", "met"),
    [
        ("hybrid_iii_50m", {"upper_torso.jacket", "lower_torso", "right_upper_leg"}),
        ("six", {"right_ribs", "right_ilium", "right_upper_leg", "lower_torso.core"}),
    ],
)
def test_arms_that_are_clear_meet_what_is_beside_them(name: str, met: set[str]) -> None:
    body = posed(name, "standing")
    pairs = [set(pair) for pair in own_pairs(body, placed_at(body, Place()))]
    for other in met:
        assert any(
            other in pair and any(f"right_{part}" in pair for part in ARM) for pair in pairs
        ), other


def test_a_new_crash_begins_with_arms_beside_the_body() -> None:
    project = crash(replace(first("rear"), who=BODIES["woman"]), rest=False)
    at = {id_.removeprefix("driver_"): one for id_, one in start_pose(project).items()}
    solids = solids_of(BODIES["woman"], at)
    pairs = [
        (f"right_{part}", other)
        for part in ARM
        for other in ("right_ribs", "lumbar_2", "right_upper_leg")
    ]
    assert (
        gaps([solids[a] for a, _ in pairs], [solids[b] for _, b in pairs], [False] * 9).min() > 0.0
    )
