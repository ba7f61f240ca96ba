"""Bands: what assumed numbers leave open, held against closed forms; that ranges go where their numbers go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.bodies.library import entries, fragment
from solver.project import ProjectError
from solver.project.changes import value_at
from solver.project.checks.varied import problems_of_assumed
from solver.project.merging import prefixed
from solver.project.references import renamed, with_led_ranges, without
from solver.report.gather import Subject
from solver.report.injury_table import injury_table
from solver.report.make import _left_open, _without_bands
from solver.studies.band import Band, band_beside, deciding, ranks
from tests.studying import STIFFNESS, block

RUNS = 64
LOW, HIGH = 0.5, 2.0
PUSH = 40.0
"""Force (N) on a mass of 2 kg: 20 m/s2 all the time."""
RANGE = {"path": "functions/push/form/y", "is_factor": True, "low": LOW, "high": HIGH, "source": "assumed range"}  # fmt: skip
NOTHING = {"path": STIFFNESS, "low": 0.5, "high": 1.5, "source": "assumed range"}


def pushed(*ranges: dict[str, Any]) -> mk.Model:
    """A block under a steady force: any 3 ms of it have the same acceleration, in proportion to the force."""
    model = (
        block(0.05)
        .with_value(STIFFNESS, 1.0)
        .add_function(
            "push",
            x_unit="s",
            y_unit="N",
            form={"kind": "table", "x": [0.0, 1.0], "y": [PUSH, PUSH]},
        )
        .add_load("push", segment="block", history="push")
        .add_output("felt", kind="point", segment="block", quantity="acceleration", cfc=None)
        .add_output("pressed", kind="injury", criterion="3ms", output="felt", cfc=0)
    )
    for n, one in enumerate(ranges):
        model = model.add_assumed_number(f"r{n}", name=f"range {n}", **one)
    return model


@pytest.fixture(scope="module")
def banded(tmp_path_factory: pytest.TempPathFactory) -> tuple[mk.Model, Band, Path]:
    model, file = pushed(NOTHING, RANGE), tmp_path_factory.mktemp("band") / "it_band.h5"
    return model, mk.band(model, file, runs=RUNS, workers=0), file


def test_a_factor_whose_logarithm_is_even_gives_the_band_of_the_closed_form(
    banded: tuple[mk.Model, Band, Path],
) -> None:
    one = banded[1].figures["pressed"]
    here = PUSH / 2.0 / 9.80665
    wide = np.log(HIGH / LOW)
    # of a Latin hypercube each percentile lies within its stratum, and one beside it
    near = wide / RUNS * 1.5
    for share, found in ((0.05, one.low), (0.5, one.middle), (0.95, one.high)):
        assert np.log(found / (here * LOW)) == pytest.approx(share * wide, abs=near)
    assert (one.runs, one.most.id, one.is_sure) == (RUNS, "r1", True)
    assert one.share > 0.99
    assert one.decided == "range 1 (100 %)"
    # a run of its own that lies outside says so
    assert one.decided_beside(one.middle) == one.decided
    assert (
        one.decided_beside(0.9 * one.low) == "range 1 (100 %); nearly all other choices give more"
    )
    assert (
        one.decided_beside(1.1 * one.high) == "range 1 (100 %); nearly all other choices give less"
    )


def test_one_seed_gives_the_same_bits_with_any_number_of_workers(
    banded: tuple[mk.Model, Band, Path],
) -> None:
    model, first, file = banded
    one, two, other = (
        mk.band(model, runs=6, workers=workers, seed=seed).study.rows
        for workers, seed in ((2, 1), (0, 1), (0, 2))
    )
    assert one.outputs.tobytes() == two.outputs.tobytes()
    assert one.inputs.tobytes() == two.inputs.tobytes()
    assert other.inputs[0, 0] != one.inputs[0, 0]
    # what was run before is found beside the results, unless model or ranges are others
    found = band_beside(file.parent, model.project)
    assert found is not None
    assert found.figures == first.figures
    wider = model.with_value("assumed/r1/high", 2.5)
    assert band_beside(file.parent, wider.project) is None
    assert band_beside(file.parent, model.with_value("segments/block/mass_kg", 3.0).project) is None
    assert band_beside(file.parent, model.with_value("assumed/r1/note", "seen").project) is not None


def test_a_report_says_what_is_left_open(banded: tuple[mk.Model, Band, Path]) -> None:
    model, band, _ = banded
    subject = Subject(mk.run(model).trajectory)
    (words,) = _left_open(subject, "")
    assert "2 numbers of this model are assumed" in words.text
    assert _without_bands([subject], [band.study]) == []
    table = injury_table([subject])
    assert table.heads[2] == "5–95 %"
    assert [cell.text for cell in table.rows[0]][2::5] == [band.figures["pressed"].text, "range 1 (100 %)"]  # fmt: skip
    assert str(band.said) in table.notes
    (words,) = _left_open(subject, "")
    assert "2 assumed numbers go through their ranges" in words.text
    # a band of another model is none of this one
    subject = Subject(mk.run(model.with_value("segments/block/mass_kg", 3.0)).trajectory)
    _without_bands([subject], [band.study])
    assert subject.band is None


def test_a_number_with_its_best_value_in_the_middle_decides_too() -> None:
    rng = np.random.default_rng(3)
    inputs = rng.random((RUNS, 12))
    which, share, is_sure = deciding(ranks(inputs), (inputs[:, 7] - 0.5) ** 2 + 0.02 * inputs[:, 2])
    assert (which, is_sure) == (7, True)
    assert share > 0.9
    sure = [deciding(ranks(inputs), rng.random(RUNS))[2] for _ in range(200)]
    # chance names a number in some 1 of 20
    assert sum(sure) < 20
    assert deciding(ranks(inputs), np.ones(RUNS)) == (0, 0.0, False)


def test_numbers_along_keep_their_proportion() -> None:
    model = pushed(RANGE | {"along": ["segments/block/mass_kg"]})
    found = mk.band(model, runs=8, workers=0)
    one = found.figures["pressed"]
    # force and mass in proportion: nothing is left open
    assert one.low == pytest.approx(one.high, rel=1e-3)
    changes = found.study.changes(0)
    assert changes["segments/block/mass_kg"] / 2.0 == pytest.approx(changes["functions/push/form/y"][0] / PUSH)  # fmt: skip


def test_what_has_no_band_is_refused() -> None:
    with pytest.raises(mk.StudyError, match="marked as assumed"):
        mk.band(pushed())
    with pytest.raises(ProjectError, match="does not hold the number itself"):
        mk.band(pushed(RANGE | {"low": 1.1}))
    with pytest.raises(ProjectError, match="not found"):
        mk.band(pushed(RANGE | {"path": "functions/psuh/form/y"}))
    taken = pushed(RANGE).add_study("band", kind="grid", parameters=[], responses=[])
    with pytest.raises(mk.StudyError, match="of its own"):
        mk.band(taken)


def test_ranges_go_where_their_numbers_go() -> None:
    project = pushed(NOTHING, RANGE).project
    assert renamed(project, "functions/push", "shove").assumed[1].path == "functions/shove/form/y"
    gone = without(project, "springs/spring")
    assert [one.id for one in gone.project.assumed] == ["r1"]
    assert "assumed/r0" in gone.removed
    assert with_led_ranges(project) is project
    bare = project.model_copy(update={"springs": ()})
    assert [one.id for one in with_led_ranges(bare).assumed] == ["r1"]


def test_every_range_of_the_library_holds_its_number() -> None:
    ranged = 0
    for one in entries():
        piece = fragment(one.id)
        if one.basis != "assumed":
            assert not piece.assumed, one.id
            continue
        # straps are laid when they are inserted; what leads to them is seen in a sample
        piece = with_led_ranges(piece)
        assert not list(problems_of_assumed(piece)), one.id
        ranged += len(piece.assumed)
        for law in (law for law in piece.contact_laws if isinstance(getattr(law, "base", None), str)):  # fmt: skip
            path = f"functions/{law.base}/form/"
            assert any(each.path.startswith(path) for each in piece.assumed), law.id
    assert ranged > 150
    led = prefixed(fragment("car_driver_10146"), "car").assumed[0]
    assert led.path == "joints/car_steering_wheel_mount/slide/release_above_n"


def test_the_default_sample_brings_ranges_of_seat_belt_bag_and_column() -> None:
    project = mk.sample("frontal").project
    assert not list(problems_of_assumed(project))
    assert all(value_at(project, one.path) is not None for one in project.assumed)
    ids = {one.id for one in project.assumed}
    assert {"car_column_load", "driver_bag_ports", "driver_belt_limit", "seat_car_cushion_soft_stiffness"} <= ids  # fmt: skip
