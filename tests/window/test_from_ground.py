"""What a pulse moves, and where new bodies sit: arithmetic without a window."""

from __future__ import annotations

import pytest

from app.editing.driving import carried_by
from app.editing.making import CannotMake, add, maker
from solver.editing.seating import Person, first_place, inserted, placed, sat_on
from solver.project import Project, validated
from solver.project.checks import check
from tests.window.seated import seated


def with_plane(name: str = "") -> Project:
    made = add(Project(), maker("planes")).project
    plane = made.planes[0].model_copy(update={"name": name})
    return made.model_copy(update={"planes": (plane,)})


def test_a_seated_person_goes_onto_the_plane_and_rests_there() -> None:
    project = with_plane()
    person = placed(project, Person(pose="seated"))
    assert (person.anchor, person.place_m) == ("hips", (0.0, 0.0, -0.09))
    done, _ = inserted(project, person)
    held = {c.surface.segment for c in done.contacts if c.kind == "plane"}
    assert {"man_lower_torso", "man_right_upper_leg", "man_left_foot"} <= held
    assert "man_head" not in held
    names = ("chest_skin", "belt_flesh", "belt_abdomen", "side_belly", "side_pelvis")
    skin = {f"man_{name}" for name in names}  # wait for hubs and belts
    assert {law.id for law in done.contact_laws} - skin == {c.law for c in done.contacts}
    assert not [p for p in check(done) if p.severity == "error"]
    bare, _ = inserted(project, Person(pose="seated", rests=False))
    assert {c.kind for c in bare.contacts} == {"surfaces"}, "its parts press on each other alone"


def test_who_stands_touches_the_floor_with_the_feet_alone() -> None:
    done, _ = inserted(with_plane(), first_place(with_plane()))
    held = {c.surface.segment for c in done.contacts if c.kind == "plane"}
    assert held == {"man_right_foot", "man_left_foot"}


def test_planes_behind_hold_the_trunk_and_those_ahead_nothing() -> None:
    project = validated(seated() | {"belts": [], "airbags": [], "harnesses": [], "contacts": []})
    done, _ = inserted(project, Person(on="sled", pose="seated", place_m=(0.0, 3.0, 0.0)))
    pairs = {(c.plane, c.surface.segment) for c in done.contacts if c.kind == "plane"}
    assert ("seat_back", "man_upper_torso") in pairs
    turned, _ = inserted(project, Person(on="sled", pose="seated", facing_rad=3.14159))
    assert "seat_back" not in {c.plane for c in turned.contacts if c.kind == "plane"}


def test_a_second_body_shares_the_laws_of_the_first() -> None:
    one, _ = inserted(with_plane(), Person(pose="seated"))
    two, _ = inserted(one, Person(pose="seated", place_m=(0.0, 0.6, 0.0)))
    assert len(two.contact_laws) == len(one.contact_laws) + 10, (
        "but for its own flesh, skins, ribs, bones and what lies in each other as it sits"
    )
    assert len(two.contacts) == 2 * len(one.contacts)


def test_a_seat_that_is_called_one_goes_before_the_first_plane() -> None:
    project = validated(seated())
    place = sat_on(project, "sled")
    assert place is not None
    corner = project.planes[0].placement.p1_m  # type: ignore[union-attr]
    assert corner[0] < place[0] < corner[0] + 0.4
    assert sat_on(project, "head") is None


def test_a_pulse_takes_along_what_stood_on_ground() -> None:
    project, _ = inserted(with_plane("Seat"), Person(pose="seated"))
    project = add(project, maker("belts")).project
    made = add(project, maker("motions"))
    after = made.project
    assert after.motions[0].segment == "vehicle"
    assert after.planes[0].segment == "vehicle"
    assert {after.belts[0].anchor_a.segment, after.belts[0].anchor_b.segment} == {"vehicle"}
    assert after.initial.roots[0].moves_with == "vehicle"
    assert "segments/vehicle" in made.with_it
    assert not [p for p in check(after) if p.severity == "error"]
    # nobody is pushed: a second pulse has nothing to move
    with pytest.raises(CannotMake, match="sled, a vehicle"):
        add(after, maker("motions"))


def test_what_is_selected_is_moved_whatever_it_is() -> None:
    project, root = inserted(with_plane(), Person(pose="seated"))
    after = add(project, maker("motions"), [root]).project
    assert after.motions[0].segment == "man_lower_torso"
    assert after.planes[0].segment == "ground"


def test_what_has_a_segment_of_its_own_stays_with_it() -> None:
    project = validated(seated())
    after = carried_by(project, "dash")
    assert after.planes == project.planes
    assert after.belts == project.belts
    assert {one.segment for one in after.initial.roots} == {
        one.segment for one in project.initial.roots
    }
