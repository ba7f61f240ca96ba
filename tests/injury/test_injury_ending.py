"""What the end of a run leaves open: figures that still rise there, and pulses that are not over."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import manikin as mk
from solver.base.places import samples
from solver.injury import compute
from solver.injury.criteria import Signal
from solver.injury.faults import cut_off, pulse_goes_on
from solver.injury.scores import Array
from solver.project.outputs import InjuryOutput
from tests.solved import assessed

TIME = np.arange(1401) * 1e-4
END = TIME[-1]
SHAPES: dict[str, tuple[Callable[[Array], Array], bool]] = {
    "rising": (lambda t: t**2, True),
    "peak within the filter's reach": (lambda t: 1.0 - ((t - END + 0.0005) / 0.05) ** 2, True),
    "second peak above an earlier one": (
        lambda t: np.maximum(0.99 - ((t - 0.08) / 0.01) ** 2, 1.0 - ((t - END) / 0.03) ** 2),
        True,
    ),
    "over": (lambda t: np.sin(np.pi * np.minimum(t / 0.1, 1.0)), False),
    "just past": (lambda t: 1.0 - ((t - END + 0.003) / 0.05) ** 2, False),
    "fallen at once": (lambda t: np.where(t < END - 0.0005, (t / END) ** 4, 0.0), False),
    "steady": (lambda t: np.minimum(1.0 + 1e-4 * t, 1.0 + t), False),
    "crept up to": (lambda t: 1.0 - np.exp(-t / 0.02), False),
    "nothing": (lambda t: 0.0 * t, False),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_load_is_told_of_where_it_still_rises_at_the_end(shape: str) -> None:
    curve, is_cut = SHAPES[shape]
    value = np.zeros((3, len(TIME)))
    value[0] = 1000.0 * np.maximum(curve(TIME), 0.0)
    given = [Signal(TIME, value, 600)]
    options = InjuryOutput.model_construct(id="x", criterion="neck_shear", output="a")
    said = cut_off(options, given, compute(given, options, "neck_shear"))
    assert str(said) == (
        "at the end of the run, 140 ms: it may not be its largest" if is_cut else ""
    )


@pytest.mark.parametrize(
    ("criterion", "shape", "is_cut"),
    [
        ("HIC15", "rising", True), ("HIC15", "over", False), ("HIC15", "fallen at once", False), ("3ms", "rising", True),
        ("3ms", "over", False), ("CSI", "rising", False), ("DRI", "rising", True), ("BrIC", "rising", True), ("HIC36", "over", False),
    ],
)  # fmt: skip
def test_so_is_a_window_or_what_remembers(criterion: str, shape: str, is_cut: bool) -> None:
    value = np.zeros((3, len(TIME)))
    value[:] = -400.0 * np.maximum(SHAPES[shape][0](TIME), 0.0)
    given = [Signal(TIME, value, 180)]
    options = InjuryOutput.model_construct(id="x", criterion=criterion, output="a")
    assert bool(cut_off(options, given, compute(given, options, criterion))) == is_cut


def test_a_crash_that_is_cut_off_in_its_pulse_has_no_stars() -> None:
    run = mk.run(mk.crash("frontal", duration_s=0.05))
    found = run.injury
    assert found.scores == ()
    told = [str(one) for one in found.withheld]
    assert [one.split(",")[0] for one in told] == ["US NCAP", "Euro NCAP 9.3"]
    assert all("not rated: " in one for one in told)
    assert set(map(str, found.withheld)) <= {str(one) for one in found.said}
    assert "still being decelerated" in str(pulse_goes_on(run.trajectory, run.model.project))
    assert found["chest_deflection"].verdict == "open"
    assert found["chest_deflection"].share_text.endswith("until 50 ms")
    assert "at the end of the run, 50 ms" in found["HIC15"].note
    assert found["VC"].verdict == "good", "it was over"


OPEN = {
    "aircraft_14g": {"BrIC"}, "aircraft_16g": {"BrIC"}, "aircraft_dummy": {"BrIC"}, "rear_seat": {"contact_HIC36", "BrIC"},
    "sled": {"Nij", "femur_compression_left"},
}  # fmt: skip
"""Figures with limits that still rise where the run of a sample ends."""
RATED = {"frontal", "frontal_5f", "rear_seat"}


@pytest.mark.parametrize("name", sorted(one.stem for one in samples().glob("*.json")))
def test_samples_have_no_false_alarms(name: str) -> None:
    found = assessed(name)
    assert {f.name for f in found.figures if f.verdict == "open"} == OPEN.get(name, set())
    assert len(found.scores) == (2 if name in RATED else 0)
    assert found.withheld == ()
    assert not any(f.is_spoilt for f in found.figures)
