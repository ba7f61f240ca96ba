"""What studies offer to vary: numbers that are there, each with a range in which it lies, and once in a study."""

from __future__ import annotations

import pytest

from app.features.studies.making import find, kind_of, with_parameters, with_runs, with_study
from app.features.studies.offered import design_numbers, offered_words, other_assumed
from app.forms.units import Units
from solver.base.places import samples
from solver.project import Project, load_project
from solver.project.changes import value_at
from solver.project.checks import check


@pytest.fixture(scope="module")
def crash() -> Project:
    return load_project(samples() / "frontal.json")


def test_numbers_of_belt_and_bag_lie_within_their_ranges(crash: Project) -> None:
    found = design_numbers(crash)
    ends = {one.path.rpartition("straps/")[2]: one for one in found}
    assert set(ends) == {
        "functions/driver_load_limit/form/y", "belt/end_device/pretensioner/trigger/time_s",
        "belt/end_device/pretensioner/force_limit_n", "airbags/driver_bag/trigger/time_s",
        "airbags/driver_bag/vents/0/area_m2", "airbags/driver_bag/semi_axes_m", "airbags/driver_bag/inflator/pressure_pa",
    }  # fmt: skip
    for one in found:
        here = 1.0 if one.is_factor else value_at(crash, one.path)
        assert one.spread.low < here < one.spread.high, one.path
        assert one.spread.low > 0.0
    words = [offered_words(crash, one, Units("metric")) for one in found]
    assert words[0] == "Load limiter: tension › Form › Values, × 0.5 – 1.5"
    assert "Pretensioner › Trigger › Time, 8.75 – 35 ms" in words[1]
    assert len(words[1]) < 90
    others = other_assumed(crash)
    assert len(others) + len(found) >= len(crash.assumed)
    assert not {one.path for one in others} & {one.path for one in found}
    assert design_numbers(Project()) == other_assumed(Project()) == ()


def test_a_study_takes_them_once_and_as_many_runs_as_are_asked(crash: Project) -> None:
    bare = crash.model_copy(update={"studies": ()})
    made, id_ = with_study(bare, kind_of("optimum"), ())
    all_ = (*design_numbers(crash), *other_assumed(crash))
    made = with_parameters(with_parameters(made, id_, all_), id_, all_[:2])
    study = find(made, id_)
    assert [one.path for one in study.parameters] == [one.path for one in all_]
    assert [one.spread for one in study.parameters] == [one.spread for one in all_]
    about = [p for p in check(made) if p.path.startswith(f"studies/{id_}/parameters")]
    assert not about, about
    for count, first in ((200, 20), (12, 3), (2, 2)):
        study = find(with_runs(made, id_, count), id_)
        assert (study.most_runs, study.start_runs) == (count, first)
