"""A new crash from a few choices: sound in every load case, at rest, and the default sample when asked for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import manikin as mk
from solver.bodies import BodyError, adult_dimensions, human
from solver.equilibrium import health
from solver.equilibrium.crash import CASES, crash, first, seat_for
from solver.library.reseating import hips_of
from solver.project.checks import check
from solver.project.document import LISTS
from solver.project.pose import start_pose


@pytest.mark.parametrize("case", CASES)
def test_every_case_is_sound(case: str) -> None:
    """Build each with the small woman: no error, nothing unused, everything on the vehicle, head and trunk may touch."""
    project = crash(replace(first(case), who="hybrid_iii_5f"), rest=False)
    found = check(project)
    assert not [p for p in found if p.severity == "error"]
    assert not [p for p in found if p.code in ("law-unused", "function-unused")]
    if case not in ("fall", "pedestrian"):
        assert {plane.segment for plane in project.planes} <= {"vehicle", "door_body"}
        assert {m.segment for m in project.motions} >= {"vehicle"}
        ends = [s.points[k].segment for h in project.harnesses for s in h.straps for k in (0, -1)]
        assert set(ends) <= {"vehicle"}
    met = {c.surface.segment for c in project.contacts if c.kind == "plane"}
    assert any(one.endswith("lower_torso") or one.endswith("foot") for one in met)


def test_the_default_sample_comes_of_its_choices() -> None:
    """Build the frontal crash: the elements of the sample, all but its studies, and the man at rest where he sits there."""
    sample = mk.sample("frontal").project
    project = mk.crash("frontal").project
    for name in LISTS:
        if name not in ("studies", "runs", "outputs"):
            ids = [{one.id for one in getattr(p, name)} for p in (sample, project)]
            assert ids[0] == ids[1], name
    places = [hips_of(p, start_pose(p), "driver_") for p in (sample, project)]
    assert np.abs(places[0] - places[1]).max() < 0.005
    assert health(project).verdict in ("balanced", "accepted")


def test_seats_follow_legs() -> None:
    """Put the small woman's seat ahead and up, the mid-size man's where it is, the large man's behind."""
    small, man, large = (
        seat_for(replace(first("frontal"), who=f"hybrid_iii_{w}")) for w in ("5f", "50m", "95m")
    )
    assert small == (0.09, 0.02)
    assert man == (0.0, 0.0)
    assert large[0] < -0.02
    assert seat_for(replace(first("frontal"), track_m=0.05))[0] == 0.05
    assert seat_for(first("aircraft")) == (0.0, 0.0)


def test_a_tilted_seat_takes_the_body_along() -> None:
    """Lean the seat back by five degrees: cushion and trunk lean by as much."""
    upright = crash(first("aircraft"), rest=False)
    leaning = crash(replace(first("aircraft"), tilt_rad=0.0873), rest=False)
    R = [start_pose(p)["occupant_lower_torso"].R_WS for p in (upright, leaning)]
    turn = np.arccos(np.clip((np.trace(R[0].T @ R[1]) - 1.0) / 2.0, -1.0, 1.0))
    assert turn == pytest.approx(0.0873, abs=1e-6)


def test_what_is_not_offered_is_said() -> None:
    """Refuse an unknown load case and an unknown choice with those that there are."""
    with pytest.raises(BodyError, match="rollover"):
        first("frontl")
    with pytest.raises(BodyError, match="belt"):
        mk.crash("frontal", belts="lap_belt")


@pytest.mark.parametrize("size", [{"weight_kg": 110.0, "height_m": 1.75}, {"percentile": 50.0}])
def test_the_car_touches_no_pedestrian_at_the_start(size: dict[str, float]) -> None:
    """Let a stout man, whose hands hang farther out, and a mid-size one stand beside it, none farther off than he must."""
    project = crash(replace(first("pedestrian"), who=human(adult_dimensions("male", **size))))
    pressed = [one for one in health(project).contacts if one.force_n > 0.0]
    assert not [one for one in pressed if one.contact.startswith("car_")]
    away = start_pose(project)["pedestrian_lower_torso"].p_W[0]
    assert 0.21 < away < 0.35
