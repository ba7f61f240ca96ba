"""What to try next: that it can be done on the model, speaks for a figure, and goes the way that is said."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

import manikin as mk
from solver.analysis.acting import account
from solver.analysis.acting.messages import shares_text
from solver.base.places import samples
from solver.injury import occupants
from solver.injury.assess import assess
from solver.project import Project, load_project
from solver.project.belts import LoadLimiter, TimeTrigger
from solver.project.checks import check
from solver.project.functions import Table
from solver.results import open_results
from solver.results.trajectory import Trajectory
from solver.studies import suggesting
from solver.studies.levers import belted, of_airbag, of_harness, room_left
from solver.studies.softening import FIRMER, of_contacts, scaled, slower
from solver.studies.suggesting import Suggestion, all_parts, outcome, suggestions, worst_first
from tests.solved import stored_run

NAMES = ("sled", "frontal", "rear_seat", "padded_wall", "side_impact")


@cache
def trajectory(name: str) -> Trajectory:
    """The run that comes with a sample, which is read sooner than solved."""
    return open_results(stored_run(name, Path(mkdtemp())))


@cache
def project(name: str) -> Project:
    return load_project(samples() / f"{name}.json")


@cache
def found(name: str) -> tuple[Suggestion, ...]:
    run = trajectory(name)
    return suggestions(project(name), run, assess(run, project(name)))


def table(project: Project, id_: str) -> tuple[float, ...]:
    form = next(one.form for one in project.functions if one.id == id_)
    assert isinstance(form, Table)
    return form.y


@pytest.mark.parametrize("name", NAMES)
def test_each_suggestion_can_be_run_and_speaks_for_a_figure_with_a_limit(name: str) -> None:
    made = found(name)
    assert 2 <= len(made) <= suggesting.COUNT
    judged = {one.name for one in worst_first(assess(trajectory(name), project(name)))}
    for one in made:
        assert one.figure in judged
        assert one.project != project(name)
        assert not [p for p in check(one.project) if p.severity == "error"]
        assert one.words.endswith(".")
        assert one.reason.endswith(".")
    assert len({one.title for one in made}) == len(made)


def test_what_is_suggested_is_of_what_acts_on_the_worst_figure() -> None:
    first, *_ = found("frontal")
    assert first.figure == "chest_3ms"
    assert "limiter of the belt" in first.words
    assert "belt makes 63 %" in first.reason
    assert "padded wall" in found("padded_wall")[0].words
    assert "door" in found("side_impact")[0].words
    # a cushion has nothing to do with a neck that only its joints move
    assert not any("cushion" in one.words for name in NAMES for one in found(name))


def test_a_suggestion_goes_the_way_that_is_said() -> None:
    """By really running it."""
    before = assess(trajectory("sled"), project("sled"))
    first = found("sled")[0]
    now = mk.run(mk.Model(first.project)).injury
    came = outcome(before, now, first.figure)
    assert came is not None
    assert came.helps
    assert came.figure.value == now[first.figure].value
    assert f"{first.figure}" == "chest_3ms"
    assert "before" in came.words
    assert "Nothing else became worse." in came.words
    # the other way round it is worse, and so are others
    back = outcome(now, before, first.figure)
    assert back is not None
    assert not back.helps
    assert [b.name for _, b in back.worse] == [b.name for _, b in came.better]


def test_nothing_is_suggested_where_nothing_can_be_changed() -> None:
    run = trajectory("fall")
    assert suggestions(project("fall"), run, assess(run, project("fall"))) == ()


def test_a_limiter_gives_at_less_only_where_it_gives() -> None:
    made, run = project("frontal"), trajectory("frontal")
    harness = made.harnesses[0]
    (lever,) = of_harness(made, run, harness.id, (0.075, "metric"), earlier=False)
    end = harness.straps[0].end_device
    assert end is not None
    assert end.load_limiter is not None
    curve = end.load_limiter.force
    assert table(lever.project, curve) == pytest.approx([0.8 * y for y in table(made, curve)])
    # at the start it does not give yet
    assert not list(of_harness(made, run, harness.id, (0.0, "metric"), earlier=False))


def test_a_limiter_that_is_added_gives_below_what_the_strap_pulls_with_then() -> None:
    made, run = project("rear_seat"), trajectory("rear_seat")
    harness = made.harnesses[0]
    levers = list(of_harness(made, run, harness.id, (0.09, "metric"), earlier=True))
    assert [lever.title.split(" for ")[0] for lever in levers] == ["Load limiter", "Pretensioner"]
    device = levers[0].project.harnesses[0].straps[0].end_device
    assert device is not None
    assert isinstance(device.load_limiter, LoadLimiter)
    tension = run.table("harnesses")["tension"][int(np.abs(run.time - 0.09).argmin()), 0, 1]
    level = table(levers[0].project, device.load_limiter.force)[0]
    assert level == pytest.approx(0.8 * tension, abs=51.0)
    old = harness.straps[0].end_device
    assert old is not None
    assert device.retractor == old.retractor, "what is fitted stays"


def test_a_bag_with_no_room_left_is_not_made_softer() -> None:
    """The mid-size man uses his bag to its end; with the small woman a third of it is left."""
    rooms = {}
    for name in ("frontal", "frontal_5f"):
        one = project(name)
        rooms[name] = room_left(one, trajectory(name), one.airbags[0], "driver_head")
    assert rooms["frontal"] is not None
    assert rooms["frontal"] < 0.05
    assert rooms["frontal_5f"] == pytest.approx(0.3, abs=0.1)
    made = project("frontal")
    soft, less, early = of_airbag(made, "driver_bag", hits_through=False)
    vent = made.airbags[0].vents[0].area_m2
    assert soft.project.airbags[0].vents[0].area_m2 == pytest.approx(1.3 * vent)
    trigger = early.project.airbags[0].trigger
    assert isinstance(trigger, TimeTrigger)
    assert trigger.time_s == pytest.approx(0.0125)
    assert "15 % less" in less.words
    small = next(of_airbag(made, "driver_bag", hits_through=True))
    assert small.project.airbags[0].vents[0].area_m2 == pytest.approx(0.8 * vent)


def test_what_is_struck_is_softer_for_people_alone() -> None:
    made = project("padded_wall")
    bodies = all_parts(made, occupants(made))
    contact = next(one for one in made.contacts if getattr(one, "plane", "") == "wall")
    (lever,) = of_contacts(made, [contact.id], bodies)
    old = {one.id: one for one in made.contact_laws}
    for before, now in zip(made.contacts, lever.project.contacts, strict=True):
        law = next(one for one in lever.project.contact_laws if one.id == now.law)
        if getattr(before, "plane", "") == "wall":
            assert law.force_n == pytest.approx(0.75 * old[before.law].force_n)
        else:
            assert law == old[before.law]
    (firm,) = of_contacts(made, [contact.id], bodies, FIRMER)
    assert "firmer" in firm.words
    # the pavement stays as it is
    fall = project("fall")
    on_road = [one.id for one in fall.contacts if getattr(one, "plane", "")]
    assert not list(of_contacts(fall, on_road, all_parts(fall, occupants(fall))))


def test_a_law_that_others_use_is_copied() -> None:
    made = project("sled")
    bodies = all_parts(made, occupants(made))
    (lever,) = of_contacts(made, ["head-head_pad"], bodies)
    assert len(lever.project.contact_laws) == len(made.contact_laws) + 1
    assert set(made.contact_laws) <= set(lever.project.contact_laws)
    assert set(made.functions) <= set(lever.project.functions)
    assert scaled(made, "nothing", 2.0) is None


def test_a_slower_crash_has_less_speed_and_as_much_less_of_its_pulse() -> None:
    (lever,) = slower(project("frontal"))
    (old,) = project("frontal").motions[0].components
    (new,) = lever.project.motions[0].components
    assert new.start_rate == pytest.approx(0.9 * old.start_rate)
    assert new.pulse.scale == pytest.approx(0.9 * old.pulse.scale)
    assert "51 in place of 57 km/h" in lever.words
    # one that brakes does so as before
    (lever,) = slower(project("pedestrian"))
    (new,) = lever.project.motions[0].components
    assert new.pulse == project("pedestrian").motions[0].components[0].pulse
    assert "36 in place of 40 km/h" in lever.words


def test_who_wears_no_belt_gets_one_and_who_stands_none() -> None:
    made = project("frontal")
    outputs = tuple(one for one in made.outputs if "belt" not in one.id)
    bare = made.model_copy(update={"harnesses": (), "outputs": outputs})
    (lever,) = belted(bare, occupants(bare)[0], "the driver")
    assert len(lever.project.harnesses) == 1
    assert not [one for one in check(lever.project) if one.severity == "error"]
    assert not list(belted(made, occupants(made)[0], "the driver")), "a belt is worn"
    walker = project("pedestrian")
    assert not list(belted(walker, occupants(walker)[0], "the pedestrian"))


def test_what_rests_has_no_shares() -> None:
    """A part that is not accelerated at all: nothing makes that, and nothing is divided by it."""
    run: Trajectory = trajectory("sled")
    made = account(project("sled"), run.time, run.table, ("head",))
    assert made is not None
    made.acceleration[3] = 0.0
    assert shares_text(project("sled"), made, 3) == ""
