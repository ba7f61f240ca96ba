"""Pages of plots: of each person and belt of a model, and a test's curves beside the run's with the same sense."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pytest

from app.curves.pages import (
    PlotSpec,
    counterpart,
    page_of_test,
    pages,
    pages_of_tests,
    person_names,
)
from solver.base.places import samples
from solver.editing.next_seat import copy_to_next_seat
from solver.editing.persons import people
from solver.injury.sensors import body_sensors
from solver.project import Project, load_project
from solver.project.outputs import JointOutput
from solver.results import Trajectory, open_results
from solver.results.measured import measured_channels
from solver.results.quantities import QuantityInfo, quantities
from tests.solved import stored_run

TEST = "nhtsa_10146/driver"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trajectory]:
    """Give the stored run of the driver, a Hybrid III as in the test 10146."""
    with open_results(stored_run("frontal", tmp_path_factory.mktemp("run"))) as made:
        yield made


def sensors_of(project: Project) -> Mapping[str, QuantityInfo]:
    """List what the sensors of bodies record, as results do."""
    names = []
    for one in body_sensors(project):
        is_way = isinstance(one, JointOutput) and one.quantity == "angle"
        names += [f"{one.id}_{end}" for end in (("slide",) if is_way else ("resultant", *"xyz"))]
    return {name: QuantityInfo(name, "1") for name in names}


def names(page: tuple[PlotSpec, ...]) -> list[list[str]]:
    return [[one.name for one in spec.curves] for spec in page]


def test_a_test_lies_beside_what_measures_the_same_with_its_sense(run: Trajectory) -> None:
    found = quantities(run)
    project = load_project(samples() / "frontal.json")
    page = page_of_test(project, found.infos, TEST)
    assert len(page) == 10
    for spec in page:
        (test,), (wanted,) = spec.tests, spec.curves
        channel = found(wanted.name)
        assert channel.unit == test.unit
        t = np.linspace(0.02, 0.12, 300)
        here = np.interp(t, channel.time, np.ravel(channel.value))
        there = np.interp(t, test.time, test.value)
        assert np.corrcoef(here, there)[0, 1] > 0.4, test.name
    turned = [spec.tests[0].name for spec in page if "sign turned" in spec.tests[0].name]
    assert [one.partition(",")[0] for one in turned] == ["chest deflection", "femur left force z", "femur right force z"]  # fmt: skip


def test_several_people_have_a_page_each_and_one_together() -> None:
    project = load_project(samples() / "frontal.json")
    alone = pages(project, sensors_of(project), ())
    assert names(alone["Person"])[0] == ["driver_head.acceleration_resultant"]
    assert [len(one) for one in names(alone["Person"])] == [1, 2, 1, 2]
    assert "People" not in alone
    both = copy_to_next_seat(project, people(project)[0]).project
    found = pages(both, sensors_of(both), ())
    own = [title for title in found if title.startswith("Person: ")]
    assert own == [f"Person: {one.name}" for one in people(both)]
    assert len(own) == 2
    heads = names(found["People"])[0]
    assert heads == [names(found[title])[0][0] for title in own]
    assert [len(one) for one in names(found["People"])] == [2, 2, 2, 2]
    beside = [names(page_of_test(both, sensors_of(both), TEST, n)) for n in (0, 1)]
    assert len(beside[0]) == len(beside[1]) == 10
    assert beside[0] == names(page_of_test(project, sensors_of(project), TEST))
    second = people(both)[1]
    assert not {tuple(one) for one in beside[0]} & {tuple(one) for one in beside[1]}
    assert all(one[0].startswith(second.prefix) for one in beside[1])
    assert page_of_test(both, sensors_of(both), TEST, 2) == ()
    assert person_names(both) == [one.name for one in people(both)]
    head = next(one for one in measured_channels() if (one.test, one.column) == (TEST, "head_ax_g"))
    its = [counterpart(both, sensors_of(both), head, n) for n in (0, 1)]
    assert its[0] is not None
    assert its[1] is not None
    assert its[1].quantity.startswith(second.prefix)
    assert its[0] != its[1]
    # a plot in which something of the second is drawn takes what is his
    assert counterpart(both, sensors_of(both), head, 0, beside[1][0]) == its[1]


def test_several_belts_have_a_page_each_with_pull_over_payout() -> None:
    columns = [("a.belt", "1"), ("a.belt", "2"), ("b.lap", "1")]
    infos = {
        name: QuantityInfo(name, "N", "", "harnesses", strap, column, end)
        for column in ("tension", "payout")
        for strap, end in columns
        if (name := f"harnesses/{strap}/{column}/{end}")
    }
    found = pages(Project(), infos, ())
    page = found["Belt: a"]
    assert names(page)[0] == ["harnesses/a.belt/tension/1", "harnesses/a.belt/tension/2"]
    assert page[2].across is not None
    assert page[2].across.name == "harnesses/a.belt/payout/1"
    assert names(found["Belt: b"])[1] == ["harnesses/b.lap/payout/1"]
    assert not pages_of_tests(Project(), infos), "nobody is there who measures anything"
