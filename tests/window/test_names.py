"""Elements are called by words, also those that nobody has named."""

from __future__ import annotations

from typing import Any

from app.editing.making import add, maker
from app.editing.moving import moved_along
from app.elements import called, element_label, find, with_names
from solver.base.places import samples
from solver.injury.figures import short_figure
from solver.project import Project, load_project, validated
from solver.project.changes import with_value
from solver.project.posing import members, root_of
from solver.project.references import renamed
from tests.window.seated import seated


def made(project: Project, id_: str) -> tuple[Project, Any]:
    out = add(project, maker(id_))
    return out.project, find(out.project, out.path)


def test_new_elements_are_called_by_their_kind_and_counted() -> None:
    project, first = made(validated(seated()), "planes")
    project, second = made(project, "planes")
    assert (first.name, second.name) == ("Plane", "Plane (2)")
    project, joint = made(made(project, "segments")[0], "joints.pin")
    assert joint.name == "Pin joint"
    assert made(project, "outputs.point")[1].name == "Pelvis acceleration"


def test_names_stand_for_ids_with_a_colon_too() -> None:
    """As decks of other programs have them."""
    project = with_value(validated(seated()), "segments/head/name", "Skull")
    project = renamed(project, "segments/head", "R:H")
    assert (
        with_names(project, "'R:H' falls, 'R:H.x' slides.") == "‘Skull’ falls, ‘Skull, x’ slides."
    )
    assert (
        with_names(project, "It's no id, isn't it? 'none:such'")
        == "It's no id, isn't it? 'none:such'"
    )


def test_figures_are_called_as_people_do() -> None:
    project = load_project(samples() / "airbag_catch.json")
    named = with_value(project, "outputs/HIC/name", "Head, to be seen")
    assert short_figure("HIC", named) == "Head, to be seen"
    assert short_figure("HIC", with_value(project, "outputs/HIC/name", "")) == "HIC"
    assert short_figure("chest_3ms") == "Chest 3 ms"
    assert short_figure("passenger_2.HIC15") == "HIC15, Passenger 2"


def test_a_contact_without_a_name_is_called_by_what_meets() -> None:
    project, contact = made(validated(seated()), "contacts.plane")
    plane = find(project, f"planes/{contact.plane}")
    assert contact.name == ""
    assert plane is not None
    words = called(project, contact)
    assert words.startswith("Pelvis on ")
    assert contact.id not in words
    assert element_label(project, f"contacts/{contact.id}") == words
    assert with_names(project, f"Look at '{contact.id}'.") == f"Look at ‘{words}’."
    # a name of its own counts more; another name of the plane is followed
    renamed = with_value(project, f"planes/{contact.plane}/name", "B-pillar")
    assert called(renamed, contact) == "Pelvis on B-pillar"
    named = with_value(project, f"contacts/{contact.id}/name", "Sits")
    assert element_label(named, f"contacts/{contact.id}") == "Sits"


def test_two_of_one_name_are_told_apart_by_their_group() -> None:
    project, contact = made(validated(seated()), "contacts.plane")
    other = project.segments[1].id
    for field, value in (("name", project.segments[0].name), ("group", "Passenger")):
        project = with_value(project, f"segments/{other}/{field}", value)
    project = with_value(project, f"contacts/{contact.id}/surface/segment", other)
    project = with_value(
        project, f"contacts/{contact.id}/surface/surface", project.segments[1].surfaces[0].id
    )
    assert called(project, find(project, f"contacts/{contact.id}")).startswith(
        "Pelvis (Passenger) on "
    )


def test_all_that_is_joined_goes_along_and_is_counted() -> None:
    project = validated(seated())
    along = moved_along(project, "segments/head", "")
    assert set(along) == set(members(project, root_of(project, "head"))) - {"head"}
    assert moved_along(project, "planes/seat", "") == ()
    assert moved_along(project, "segments/head", "surfaces/head") == ()
