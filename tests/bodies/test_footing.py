"""Soles of anyone who is set into a seat with a floor of its own stand on it, or it is said that they do not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from solver.analysis.crash.build import crash, first
from solver.analysis.crash.scenes import OCCUPANT, VEHICLE, on_thighs, seated, vehicle
from solver.bodies import Body, adult_dimensions, child_dimensions, human, library_body
from solver.bodies.library import insert, occupant
from solver.bodies.library.seating import hanging
from solver.cli import main
from solver.project import save_project
from solver.project.document import Project
from solver.project.geometry import Orientation, powers_of
from solver.project.pose import start_pose, turn

FLOOR_M = 0.45


@cache
def before(who: str) -> Project:
    return seated(vehicle("t", "n", "s", 0.1), "seated", (0.0, 0.0, 0.0), OCCUPANT, on_thighs(library_body(who)), who)  # fmt: skip


def in_seat(who: str, nose_down: float = 0.0) -> Project:
    return insert(
        before(who), "aircraft_seat", "seat", attach_to=VEHICLE, on=OCCUPANT,
        turned=Orientation(angles_rad=(0.0, nose_down, 0.0)) if nose_down else None,
    )  # fmt: skip


def soles(project: Project) -> list[float]:
    """Give how far the lowest points of both feet are below the hips, from points all over their surfaces (m)."""
    at, found = start_pose(project), []
    u = np.random.default_rng(1).normal(size=(20000, 3))
    for segment in project.segments:
        if segment.id in (f"{OCCUPANT}_left_foot", f"{OCCUPANT}_right_foot"):
            (one, *_) = segment.surfaces
            p = np.array(powers_of(one))
            size = (np.abs(u) ** p).sum(axis=1)[:, None] ** (1.0 / p)
            points = turn(one.orientation) @ (u / size * np.array(one.semi_axes_m)).T
            here = at[segment.id]
            found.append(float(max(here.of(one.centre_m)[2] + (here.R_WS @ points)[2])))
    return found


@pytest.mark.parametrize("who", ["hybrid_iii_50m", "hybrid_iii_95m", "male-50", "male-95"])
def test_soles_of_long_legs_stand_level_on_the_floor(who: str) -> None:
    project = in_seat(who)
    assert min(soles(before(who))) < FLOOR_M - 0.08, "as they were, feet were in the air"
    assert soles(project) == pytest.approx([FLOOR_M, FLOOR_M], abs=1e-3)
    at = start_pose(project)
    for side in ("left", "right"):
        assert at[f"{OCCUPANT}_{side}_foot"].R_WS[2, 0] == pytest.approx(-1.0, abs=1e-6)
        assert at[f"{OCCUPANT}_{side}_lower_leg"].R_WS[0, 2] > 0.0, "shanks lean ahead"
    who_now = occupant(project, OCCUPANT)
    assert who_now is not None
    assert hanging(project, who_now) is None
    thighs = [start_pose(p)[f"{OCCUPANT}_left_upper_leg"].R_WS for p in (before(who), project)]
    assert np.allclose(*thighs), "thighs stay as they lay"


@pytest.mark.parametrize("who", ["hybrid_iii_5f", "hybrid_iii_6y"])
def test_short_legs_hang_upright_and_it_is_said_by_how_much(who: str) -> None:
    project = in_seat(who)
    low = soles(project)
    at = start_pose(project)
    knee, ankle = (library_body(who).joint(f"left_{name}") for name in ("knee", "ankle"))
    points = [at[f"{OCCUPANT}_{j.child}"].of(j.child_frame.position_m) for j in (knee, ankle)]
    assert (points[1] - points[0])[0] == pytest.approx(0.0, abs=1e-3)
    who_now = occupant(project, OCCUPANT)
    assert who_now is not None
    said = str(hanging(project, who_now))
    assert f" {1e3 * (FLOOR_M - low[0]):.0f} mm above the floor" in said
    assert "too short" in said


PEOPLE: dict[str, tuple[Body, bool]] = {
    "tall": (human(adult_dimensions("male", weight_kg=87.0, height_m=1.9)), True),
    "man": (human(adult_dimensions("male")), True),
    "small": (human(adult_dimensions("female", weight_kg=58.0, height_m=1.55)), False),
    "twelve": (human(child_dimensions(12.0)), True),
}
"""People, and whether their legs are long enough for a seat of an aircraft."""


@pytest.mark.parametrize("name", PEOPLE)
def test_people_whose_knees_bend_sideways_too_sit_there_with_bent_knees(name: str) -> None:
    """Their feet were held straight out, against the row in front: many would not come to rest."""
    body, reaches = PEOPLE[name]
    made = crash(replace(first("aircraft"), who=body))
    at = start_pose(made)
    for low, side in zip(soles(made), ("left", "right"), strict=True):
        foot, knee = (at[f"{OCCUPANT}_{side}_{part}"] for part in ("foot", "knee_block"))
        assert abs(low - FLOOR_M) < 0.02 if reaches else low < FLOOR_M - 0.02
        assert foot.p_W[0] - knee.p_W[0] < foot.p_W[2] - knee.p_W[2]
    assert ("too short for this seat" in made.note) is not reaches


def test_a_floor_that_slopes_is_stood_on_as_it_slopes() -> None:
    project = in_seat("hybrid_iii_50m", 0.1)
    foot = start_pose(project)[f"{OCCUPANT}_left_foot"].R_WS
    assert foot[:, 0] == pytest.approx([-np.sin(0.1), 0.0, -np.cos(0.1)], abs=1e-6)


def test_the_command_says_that_legs_are_too_short(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for who, says in (("hybrid_iii_5f", True), ("hybrid_iii_50m", False)):
        save_project(before(who), tmp_path / "p.json")
        main(["library", "insert", str(tmp_path / "p.json"), "aircraft_seat", "--to", VEHICLE, "--on", OCCUPANT, "-o", str(tmp_path / "q.json")])  # fmt: skip
        assert ("too short" in capsys.readouterr().out) is says


def test_a_new_crash_tells_it_in_its_note() -> None:
    for who, says in (("hybrid_iii_5f", True), ("hybrid_iii_50m", False)):
        made = crash(replace(first("aircraft"), who=who, surroundings=""), rest=False)
        assert ("too short for this seat" in made.note) is says


def test_who_lies_or_stands_is_not_said_to_hang() -> None:
    for posture in ("standing", "lying"):
        body = seated(vehicle("t", "n", "s", 0.1), posture, (0.0, 0.0, -3.0), OCCUPANT)
        project = insert(body, "pavement_plane", "road", on=OCCUPANT)
        who = occupant(project, OCCUPANT)
        assert who is not None
        assert hanging(project, who) is None
