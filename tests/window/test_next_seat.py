"""A person copied to the next seat: what belongs to it comes along, what is there touches it, nobody sits in another's lap."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import manikin as mk
from solver.editing.next_seat import CannotCopy, SeatCopy, copy_to_next_seat
from solver.editing.persons import Person, people, person_renamed
from solver.injury import occupants
from solver.project import LISTS, Project
from solver.project.checks import check
from solver.project.contact import surfaces_of
from solver.project.names import read_as_words
from solver.project.pose import start_pose
from solver.project.references import keys_in
from solver.report import report
from solver.report.explaining import happenings
from solver.report.gather import Subject
from solver.report.panels import panels
from solver.results.names import quantity_label
from solver.running.simulation import simulate


def copied(project: Project, number: int = 0) -> SeatCopy:
    return copy_to_next_seat(project, people(project)[number])


def belongs(project: Project, one: Person) -> Counter[str]:
    """Count what leads to somebody, by list."""
    mine = {("segments", s) for s in one.segments}
    return Counter(
        name for name in LISTS for item in getattr(project, name) if mine & set(keys_in(item))
    )


def touched(project: Project, one: Person) -> Counter[str]:
    """Count with what surfaces somebody may collide that are no body's."""
    ends = ([s.segment for s in surfaces_of(c)] for c in project.contacts)
    return Counter(s for pair in ends if set(pair) & set(one.segments) for s in pair)


@pytest.mark.parametrize("sample", ["sled", "braking", "fall", "variseg_occupant", "rear_seat"])
def test_all_that_belongs_to_somebody_comes_along(sample: str) -> None:
    """Bodies without a prefix, on a joint instead of free, with symmetry, belts or nothing: all can be copied."""
    project = mk.sample(sample).project
    done = copied(project)
    (first, second) = (belongs(done.project, one) for one in (people(done.project)[0], done.made))
    blocks = first - second
    # the sled's own blocks stand before its one seat only, and runs are not copied
    assert set(blocks) <= ({"contacts", "runs"} if sample == "sled" else set())
    assert done.missing == (("Dash board",) if sample == "sled" else ())
    assert all(one.prefix for one in people(done.project)), "figures tell them apart by name"
    assert not [p for p in check(done.project) if p.severity != "note"]


def test_what_is_wide_is_touched_by_the_copy_and_what_is_not_is_told() -> None:
    """The front of a car strikes both; a wheel is before the driver alone, and the sentence says so."""
    project = mk.sample("pedestrian").project
    done = copied(project)
    first = touched(done.project, people(project)[0])["car_car_front_shape"]
    assert touched(done.project, done.made)["car_car_front_shape"] == first > 0
    assert done.missing == ()
    driver = copied(mk.sample("frontal").project)
    assert driver.missing == ("Steering wheel", "Dashboard", "Driver airbag, 45 l, hot gas")
    assert "car_steering_wheel" not in touched(driver.project, driver.made)


def test_nobody_is_put_where_somebody_sits() -> None:
    """The next seat of a passenger is the driver's: a third one goes beside both."""
    done = copied(mk.sample("frontal").project)
    more = copy_to_next_seat(done.project, done.made)
    at = start_pose(more.project)
    hips = np.array([at[one.root].p_W for one in people(more.project)])
    apart = np.linalg.norm(hips[:, None] - hips, axis=2) + np.eye(len(hips))
    assert len(hips) == 3
    assert apart.min() > 0.35


def test_one_who_hangs_on_a_joint_hangs_beside_it() -> None:
    """The joint of the seat is copied as far to the side as the body."""
    project = mk.sample("braking").project
    done = copied(project)
    at = start_pose(done.project)
    away = at[done.made.root].p_W - at[people(project)[0].root].p_W
    assert away == pytest.approx((0.0, done.aside_m, 0.0), abs=1e-9)
    assert f"{done.made.prefix}_seat" in {joint.id for joint in done.project.joints}


def test_one_who_carries_something_is_told_so() -> None:
    """A root that neither starts somewhere nor is attached to a joint has no seat."""
    project = mk.sample("fall").project
    loose = project.model_copy(update={"initial": project.initial.model_copy(update={"roots": ()})})
    with pytest.raises(CannotCopy, match="nobody can be put beside"):
        copied(loose)


@pytest.mark.parametrize("sample", ["sled", "frontal", "braking"])
def test_curves_of_two_have_two_names(sample: str) -> None:
    """A legend with both heads says whose each is, and so do contacts and recorded channels."""
    project = mk.sample(sample).project
    project = project if len(people(project)) > 1 else copied(project).project
    names = [quantity_label(project, f"segments/{s.id}/position/x") for s in project.segments]
    names += [quantity_label(project, f"contacts/{c.id}/normal") for c in project.contacts]
    names += [quantity_label(project, f"{output.id}_x") for output in project.outputs]
    assert [name for name, often in Counter(names).items() if often > 1] == []
    assert any(
        name.startswith(("Head (Driver)", "Head (Occupant)", "Head (Braced)")) for name in names
    )


def test_a_report_says_whose_each_curve_is() -> None:
    """Two people have heads, belts and necks of one name: no two curves of a panel, nor two sentences, are alike."""
    project = copied(mk.sample("frontal").project).project
    run = project.runs[0].model_copy(update={"duration_s": 0.025})
    subject = Subject(simulate(project.model_copy(update={"runs": (run,)})))
    for panel in panels([subject], "metric"):
        labels = [curve.label for curve in panel.curves]
        assert len(set(labels)) == len(labels), panel.title
    told = [one.words for one in happenings(subject)]
    assert "The pretensioner of the belt (Driver) fires." in told
    assert "The pretensioner of the belt (Passenger) fires." in told
    assert len(set(told)) == len(told)
    assert not [words for words in told if "Lower torso (Driver) › Lower torso" in words]
    (log,) = [lines for title, lines in report(subject.run).content.lists if title[:3] == "Log"]
    assert "0 ms: ‘Right upper leg (Passenger) on seat cushion (2)’ touches" in log
    assert not [line for line in log if "'" in line], "ids are no names"


def test_a_name_is_told_as_it_was_written_and_no_longer_one_is_taken_along() -> None:
    """Max and Max M are two people: each has a name of its own, and renaming one leaves the other alone."""
    project = copied(mk.sample("sled").project).project
    for number, name in enumerate(("Max M", "Max", "Max M")):
        project, _ = person_renamed(project, people(project)[number % 2], name)
    assert [one.name for one in people(project)] == ["Max M", "Max"]
    project, _ = person_renamed(project, people(project)[1], "Bob")
    assert [one.name for one in people(project)] == ["Max M", "Bob"]
    assert (
        quantity_label(project, "segments/Max_M_head/position/x") == "Head (Max M) · position · x"
    )
    assert [read_as_words(body.name) for body in occupants(project)] == ["Max M", "Bob"]
    project, _ = person_renamed(project, people(project)[1], "Max M")
    assert [one.name for one in people(project)] == ["Max M", "Max M 2"]
    assert not [p for p in check(project) if p.severity != "note"]
