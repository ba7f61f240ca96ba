"""Certificates kept beside the dummies: they are those of the bench, and end where a dummy was changed."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from solver.bench.running import run_bench
from solver.bench.table import dummies
from solver.bodies.certificates import FILE, certificate_of, changed
from solver.places import resources, samples
from solver.project import Project, load_project
from solver.project.changes import with_value
from solver.report import report
from solver.report.content import Table
from solver.simulation import simulate
from tools.dummies.certify import kept


@cache
def frontal() -> Project:
    project = load_project(samples() / "frontal.json")
    short = project.runs[0].model_copy(update={"duration_s": 0.002})
    return project.model_copy(update={"runs": (short,), "studies": ()})


def dummy_table(project: Project) -> Table:
    found = report(simulate(project)).content.tables
    return next(one for one in found if one.title.startswith("Dummy"))


@pytest.mark.parametrize("name", ["hybrid_iii_6y"])
def test_what_is_kept_is_what_the_bench_finds(name: str) -> None:
    """Of one dummy here; test_bench.py runs them all, and asks that all of them pass."""
    file = json.loads((resources() / "dummies" / FILE).read_text(encoding="utf-8"))
    found: Any = kept(name, run_bench(name))
    assert file[name]["of"] == found["of"], "run python -m tools.dummies.certify"
    for one, other in zip(file[name]["tests"], found["tests"], strict=True):
        margin = other.pop("margin")
        assert one.pop("margin") == pytest.approx(margin, abs=2e-3)
        assert one == other


@pytest.mark.parametrize("name", dummies())
def test_certificates_are_of_the_dummies_that_are_there(name: str) -> None:
    known = certificate_of(name)
    assert known is not None
    assert known.is_current, "run python -m tools.dummies.certify"
    assert known.passed == len(known.tests) > 0


def test_a_dummy_that_sits_in_a_car_is_that_of_the_library() -> None:
    assert changed(frontal(), "driver_", "hybrid_iii_50m") == ()
    table = dummy_table(frontal())
    assert "50th" in table.title
    assert len(table.rows) == 6
    assert all(row[-1].tone == "good" for row in table.rows)
    assert table.notes[0].startswith("As in the library")
    assert "Held against one whole test" in table.notes[1]


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("segments/driver_neck_2/mass_kg", 0.5, "segments/driver_neck_2"),
        ("joints/driver_disc_1/friction/viscous_nms_per_rad", 9.0, "joints/driver_disc_1"),
        ("coordinate_forces/driver_ribs/laws/1/damping", 100.0, "coordinate_forces/driver_ribs"),
        ("functions/driver_nodding_blocks/form/first/coefficients", (0.0, 1.0), "functions/driver_nodding_blocks"),
    ],
)  # fmt: skip
def test_a_changed_dummy_is_told_of(path: str, value: Any, told: str) -> None:
    project = with_value(frontal(), path, value)
    assert changed(project, "driver_", "hybrid_iii_50m") == (told,)
    assert f"Changed against the library: {told}" in dummy_table(project).notes[0]


def test_a_dummy_without_bench_is_told_of() -> None:
    assert certificate_of("hybrid_iii_95m") is None
