"""Studies of the samples can be run, and small ones answer what other ways of reckoning give."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.base.places import samples
from solver.engine.signals import riding
from solver.project import ProjectError, load_project
from solver.project.document import Project
from solver.studies.running import prepared
from tests.studying import block
from tools.samples import seat_ride, sled

ASKED = [
    (file.stem, study["id"])
    for file in sorted(samples().glob("*.json"))
    for study in json.loads(file.read_text(encoding="utf-8")).get("studies", ())
]


def project_of(name: str) -> Project:
    return load_project(samples() / f"{name}.json")


def test_the_samples_have_studies() -> None:
    assert ASKED == [
        ("aircraft_16g", "tolerances"),
        ("frontal", "belt_and_bag"),
        ("frontal", "belt_and_bag_front"),
        ("lap_belt", "tolerances"),
        ("lap_belt", "what_decides"),
        ("padded_wall", "damping"),
        ("padded_wall", "least_hic"),
        ("seat_ride", "cushion"),
        ("seat_ride", "best_cushion"),
        ("sled", "fit"),
    ]


@pytest.mark.parametrize(("name", "study"), ASKED)
def test_a_study_of_a_sample_can_be_run(name: str, study: str) -> None:
    """Paths, ranges, quantities and figures are there, and the design as it stands is in its ranges."""
    project = project_of(name)
    asked = next(one for one in project.studies if one.id == study)
    _, layout = prepared(project, asked)
    assert asked.name
    assert asked.note
    assert asked.source
    assert all(layout.response_units)
    for one in asked.parameters:
        here = 1.0 if one.is_factor else mk.Model(project).value(one.path)
        assert one.spread.low <= here <= one.spread.high  # type: ignore[union-attr]


def kept_short(name: str, study: str, until: float, **more: Any) -> mk.Model:
    """A sample with a run as short as a response needs, and a study of few runs."""
    model = mk.Model(project_of(name))
    model = model.with_value(f"runs/{model.project.runs[0].id}/duration_s", until)
    for field, value in more.items():
        model = model.with_value(f"studies/{study}/{field}", value)
    return model


def test_the_ride_of_the_seat_is_that_of_its_transfer_function() -> None:
    """Lines of the floor, times the seat's answer to each, times Wk: root mean square over one period."""
    half = [seat_ride.CUSHION_N_PER_M / 2, seat_ride.CUSHION_N_PER_M]
    model = kept_short("seat_ride", "cushion", 12.0, levels=2, way="one_at_a_time")
    spread = {"kind": "uniform", "low": half[0], "high": half[1]}
    model = model.with_value(
        "studies/cushion/parameters",
        [{"id": "k", "path": "springs/cushion/stiffness_n_per_m", "spread": spread}],
    )
    found = mk.study(model, "cushion", workers=0)
    for _, row in found.table.iterrows():
        floor, seat = reckoned(float(row["k"]))
        assert row["floor_rms"] == pytest.approx(floor, rel=5e-3)
        assert row["seat_rms"] == pytest.approx(seat, rel=5e-3)
        assert row["seat_factor"] == row["seat_rms"] / row["floor_rms"]
        # a signal like noise: VDV over r.m.s. times the fourth root of time is near that of a normal one
        assert row["seat_vdv"] / (row["seat_rms"] * 8.0**0.25) == pytest.approx(3**0.25, rel=0.1)
    assert found.layout.response_units[:3] == ("m/s2", "m/s2", "m/s^(7/4)")


def reckoned(stiffness: float) -> tuple[float, float]:
    """Give the weighted r.m.s. of floor and seat from masses, springs and dampers alone."""
    lines = np.arange(4, 161) * 0.125
    amplitude = math.sqrt(2.0 / len(lines))
    s = 2j * math.pi * lines
    cushion = stiffness + s * seat_ride.CUSHION_NS_PER_M
    carried = seat_ride.FRAME_KG * s**2
    for _, _, mass, k, c, _ in seat_ride.MASSES:
        branch = k + s * c
        carried = carried + mass * s**2 * branch / (mass * s**2 + branch)
    answer = np.abs(cushion / (cushion + carried))
    felt = np.abs(riding.factor("Wk", lines)) * amplitude / math.sqrt(2.0)
    return float(np.sqrt((felt**2).sum())), float(np.sqrt(((felt * answer) ** 2).sum()))


def test_the_test_of_the_sled_was_made_with_the_hidden_numbers() -> None:
    """The curves in the file are those of a run with them, with noise of 2 % of each peak."""
    project = project_of("sled")
    bare = sled.without_test(project)
    run = mk.run(sled.hidden(bare))
    kept = {one.id: one.form for one in project.functions}
    for quantity, (name, _) in sled.MEASURED.items():
        form: Any = kept[name]
        clean = np.interp(form.x, run[quantity].time, run[quantity].value)
        noise = (np.array(form.y) - clean) / np.abs(run[quantity].value).max()
        assert noise.std() == pytest.approx(sled.NOISE, rel=0.25)
        assert abs(noise.mean()) < 3.0 * sled.NOISE / math.sqrt(len(noise))


@pytest.mark.slow
def test_the_fit_of_the_sled_finds_the_hidden_numbers() -> None:
    """So near that the last rounds, which the file asks for, are not needed for it."""
    model = mk.Model(project_of("sled")).with_value("studies/fit/tolerance", 0.03)
    found = mk.study(model, "fit", workers=0).answers["fit"]
    assert found["ended"] == "completed"
    for name, hidden in sled.HIDDEN.items():
        assert found["unknowns"][name]["value"] == pytest.approx(hidden, rel=0.05)


@pytest.mark.slow
def test_the_best_cushion_is_as_soft_as_it_may_be() -> None:
    """Twenty-four of its sixty runs are enough for that."""
    model = mk.Model(project_of("seat_ride"))
    model = model.with_value("studies/best_cushion/most_runs", 24)
    found = mk.study(model, "best_cushion", workers=0)
    best = found.answers["optimum"]
    assert best["responses"]["shortest"] == pytest.approx(0.39, abs=2e-4)
    assert best["responses"]["seat_factor"] < 0.52
    stiffer = found.table[found.table["stiffness"] > 1.2 * best["design"]["stiffness"]]
    assert (stiffer["seat_factor"] > best["responses"]["seat_factor"]).all()


RIDE = {"kind": "ride", "id": "felt", "quantity": "shaken_x", "weighting": "Wk"}


def shaken(*responses: dict[str, Any], **run: Any) -> mk.Model:
    """The block on its spring, with its acceleration as a channel."""
    model = block().add_output("shaken", kind="point", segment="block")
    for field, value in run.items():
        model = model.with_value(f"runs/run/{field}", value)
    mass = {"id": "m", "path": "segments/block/mass_kg", "spread": {"kind": "uniform", "low": 2.0, "high": 2.5}}  # fmt: skip
    return model.add_study("ride", kind="grid", levels=2, parameters=[mass], responses=responses)


def test_a_measure_that_a_run_does_not_have_is_told() -> None:
    """0.08 s have no second for an MTVV, and nothing after half a second."""
    found = mk.study(
        shaken(
            RIDE,
            RIDE | {"id": "most", "take": "mtvv"},
            RIDE | {"id": "late", "from_s": 0.5},
            RIDE | {"id": "crest", "take": "crest"},
            RIDE | {"id": "sick", "take": "dose"},
        ),
        "ride",
        workers=0,
    )
    row = found.table.iloc[0]
    assert row["felt"] > 0.0
    assert row["crest"] > 1.0
    assert math.isnan(row["most"])
    assert math.isnan(row["late"])
    assert "shorter than a second" in row["message"]
    assert "no samples from 0.5" in row["message"]
    assert found.layout.response_units == ("m/s2", "m/s2", "m/s2", "1", "m/s^(3/2)")


@pytest.mark.parametrize(
    ("change", "said"),
    [({"quantity": "place_x"}, "is in m"), ({"weighting": "We"}, "is for a quantity in rad/s2")],
)
def test_a_weighting_of_another_quantity_is_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(ProjectError, match=said):
        mk.study(shaken(RIDE | change), "ride", workers=0)
