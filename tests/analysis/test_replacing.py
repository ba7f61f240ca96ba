"""Another body in the place of one: same hips, same posture, same contacts, belts laid again, at rest."""

from __future__ import annotations

import numpy as np
import pytest

import manikin as mk
from solver.analysis.crash.scenes import reseated
from solver.bodies import adult_dimensions, human, library_body
from solver.bodies.library import LibraryError
from solver.bodies.library.replacing import left_out, replaced, segments_of
from solver.bodies.library.seating import hips_of
from solver.project import Project
from solver.project.checks import check
from solver.project.document import LISTS
from solver.project.pose import start_pose


@pytest.fixture(scope="module")
def frontal() -> Project:
    """Give the driver of the default sample."""
    return mk.sample("frontal").project


def paths(project: Project) -> set[str]:
    """Name all elements."""
    return {f"{name}/{one.id}" for name in LISTS for one in getattr(project, name)}


def surfaces(project: Project) -> list[str]:
    """Name what the belt lies on, in order, each once."""
    points = project.harnesses[0].straps[0].points
    return list(dict.fromkeys(str(p.surface.segment) for p in points if p.kind == "surface"))


def test_the_same_body_sits_as_before(frontal: Project) -> None:
    """Put the same dummy in its own place: nothing is lost, nothing moves, the belt lies where it lay."""
    done = replaced(frontal, "driver", library_body("hybrid_iii_50m"))
    assert paths(done) == paths(frontal)
    assert {c.id: c for c in done.contacts} == {c.id: c for c in frontal.contacts}
    assert done.airbags == frontal.airbags
    before, after = start_pose(frontal), start_pose(done)
    assert max(np.abs(before[s].p_W - after[s].p_W).max() for s in before) < 1e-6
    assert surfaces(done) == surfaces(frontal)
    old, new = (p.harnesses[0].straps[0].points for p in (frontal, done))
    assert len(old) == len(new)
    way = [np.subtract(a.position_m, b.position_m) for a, b in zip(old, new, strict=True)]
    assert np.abs(way).max() < 0.03


@pytest.mark.parametrize("who", ["hybrid_iii_95m", "woman", "male-50"])
def test_another_body_keeps_hips_and_contacts(frontal: Project, who: str) -> None:
    """Replace by a taller dummy, by a woman with a spine, by a man of fifteen segments."""
    body = human(adult_dimensions("female", percentile=50)) if who == "woman" else library_body(who)
    done = replaced(frontal, "driver", body)
    assert not [p for p in check(done) if p.severity == "error"]
    own = [s for s in done.segments if s.id in segments_of(done, "driver")]
    assert sum(s.mass_kg for s in own) == pytest.approx(body.mass_kg)
    hips = [hips_of(p, start_pose(p), "driver_") for p in (frontal, done)]
    assert np.abs(hips[0] - hips[1]).max() < 1e-6
    # both soles are on the toe board again, and the head meets bag, rim and head restraint
    touched = {
        c.plane
        for c in done.contacts
        if c.kind == "plane" and c.surface.segment == "driver_right_foot"
    }
    assert touched == {c.plane for c in frontal.contacts if c.kind == "plane" and c.surface.segment == "driver_right_foot"}  # fmt: skip
    assert "driver_head" in {t.segment for t in done.airbags[0].touches}
    soles = [start_pose(p)["driver_right_foot"].p_W for p in (frontal, done)]
    assert np.abs((soles[0] - soles[1])[[0, 2]]).max() < 0.03
    over = surfaces(done)
    assert over[0] == "driver_lower_torso"
    assert any("torso" in s or "sternum" in s for s in over[1:])
    assert {o.id for o in done.outputs} >= {o.id for o in frontal.outputs}


def test_nobody_there_is_said(frontal: Project) -> None:
    """Refuse a name that nobody has, with those that there are."""
    with pytest.raises(LibraryError, match="driver"):
        replaced(frontal, "passenger", library_body("male-50"))


@pytest.mark.parametrize("who", ["hybrid_iii_5f", "hybrid_iii_50m"])
def test_what_held_an_axis_that_is_no_more_is_left_out(who: str) -> None:
    """One who walks in the plane has pins with muscles; a dummy in the same place has none of these axes."""
    project = mk.sample("variseg_occupant").project
    done = replaced(project, "walker", library_body(who))
    assert not [p.sentence for p in check(done) if p.severity == "error"]
    there = {force.id for force in done.coordinate_forces}
    assert "walker_waist_angle_held" in {force.id for force in project.coordinate_forces} - there


@pytest.mark.parametrize(("who", "holds"), [("hybrid_iii_6y", False), ("hybrid_iii_5f", True)])
def test_hands_hold_again_what_arms_reach(frontal: Project, who: str, holds: bool) -> None:
    """A small woman holds the wheel with her shoulders ahead; a child of six would have them torn out."""
    done = reseated(frontal, "driver", library_body(who))
    before, after = start_pose(frontal), start_pose(done.project)
    away = np.linalg.norm(before["driver_left_hand"].p_W - after["driver_left_hand"].p_W)
    assert (away < 1e-3) == holds
    assert all(stop.beyond_rad < np.radians(15.0) for stop in done.health.stops)


def test_what_a_new_body_has_nothing_for_is_named(frontal: Project) -> None:
    """A dummy without ribs at its sides measures none; one of another size measures as much as before."""
    side = mk.sample("side_impact").project
    small = library_body("hybrid_iii_5f")
    said = str(left_out(side, replaced(side, "driver", small), "driver"))
    gone = paths(side) - paths(replaced(side, "driver", small))
    assert "outputs/driver_left_rib_deflection" in gone
    assert next(o.name for o in side.outputs if o.id == "driver_right_rib_deflection") in said
    assert left_out(frontal, replaced(frontal, "driver", small), "driver") is None
