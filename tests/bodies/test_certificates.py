"""Certificates kept beside the dummies: they are those of the bench, and end where a dummy was changed."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from solver.base.places import resources, samples
from solver.bodies.certificates import FILE, certificate_of, changed, families_of
from solver.project import Project, load_project
from solver.project.changes import with_value
from solver.report import report
from solver.report.bench import certificate, in_short, left_open
from solver.report.content import Table
from solver.running.simulation import simulate
from solver.studies.bench.running import run_test
from solver.studies.bench.table import bench_tests, dummies
from tools.dummies.certify import kept
from tools.dummies.family import docs_table, walked
from tools.dummies.fit import GROUPS
from tools.dummies.fit import body as fitted_body
from tools.dummies.laws import laws


@cache
def frontal() -> Project:
    project = load_project(samples() / "frontal.json")
    short = project.runs[0].model_copy(update={"duration_s": 0.002})
    return project.model_copy(update={"runs": (short,), "studies": ()})


def dummy_table(project: Project) -> Table:
    found = report(simulate(project)).content.tables
    return next(one for one in found if one.title.startswith("Dummy"))


def test_what_is_kept_is_what_the_bench_finds() -> None:
    """Of two tests of one dummy here; test_bench.py runs them all, and asks that all of them pass."""
    name = "hybrid_iii_6y"
    file = json.loads((resources() / "dummies" / FILE).read_text(encoding="utf-8"))[name]
    some = [one for one in bench_tests(name) if one.kind in ("head_drop", "knee")]
    found: Any = kept(name, [run_test(name, one) for one in some])
    assert file["of"] == found["of"], "run python -m tools.dummies.certify"
    of = {one["title"]: one for one in file["tests"]}
    for other in found["tests"]:
        one = of[other["title"]]
        assert one.pop("margin") == pytest.approx(other.pop("margin"), abs=2e-3)
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
    assert len(table.rows) == len(bench_tests("hybrid_iii_50m"))
    assert all(row[-1].tone == "good" for row in table.rows)
    assert table.notes[0].startswith("As in the library")
    assert len(table.notes) == 1


CHANGES: list[tuple[str, Any, str]] = [
    ("segments/driver_neck_2/mass_kg", 0.5, "segments/driver_neck_2"),
    ("joints/driver_disc_1/friction/viscous_nms_per_rad", 9.0, "joints/driver_disc_1"),
    ("coordinate_forces/driver_ribs/laws/1/damping", 100.0, "coordinate_forces/driver_ribs"),
    ("functions/driver_nodding_blocks/form/first/coefficients", (0.0, 1.0), "functions/driver_nodding_blocks"),
    ("contact_laws/driver_belt_flesh/friction", 0.7, "contact_laws/driver_belt_flesh"),
    ("contact_laws/driver_belt_abdomen/friction", 0.7, "contact_laws/driver_belt_abdomen"),
    ("contact_laws/driver_limb_on_body/friction", 0.7, "contact_laws/driver_limb_on_body"),
    ("contact_laws/driver_legs_together/energy_ratio", 0.9, "contact_laws/driver_legs_together"),
    ("functions/driver_legs_together_force/form/y/1", 2.0, "functions/driver_legs_together_force"),
]  # fmt: skip
"""Path, another value, and what is told of."""


def test_a_changed_dummy_is_told_of() -> None:
    found = {path: changed(with_value(frontal(), path, value), "driver_", "hybrid_iii_50m") for path, value, _ in CHANGES}  # fmt: skip
    assert found == {path: (told,) for path, _, told in CHANGES}
    path, value, told = CHANGES[0]
    note = dummy_table(with_value(frontal(), path, value)).notes[0]
    assert f"Changed against the library: {told}" in note


def test_laws_that_nothing_uses_are_no_change() -> None:
    """Without a belt nothing needs the law of flesh under one, and a crash leaves it out."""
    project = frontal()
    names = {f"driver_{one}" for one in ("belt_flesh", "belt_abdomen", "belt_abdomen_force")}
    parts = {
        "harnesses": (),
        **{
            kind: tuple(one for one in getattr(project, kind) if one.id not in names)
            for kind in ("contact_laws", "functions")
        },
    }
    assert len(parts["functions"]) < len(project.functions)
    assert changed(project.model_copy(update=parts), "driver_", "hybrid_iii_50m") == ()


def test_a_body_without_bench_is_told_of() -> None:
    assert certificate_of("male-50") is None


@pytest.mark.parametrize("name", walked())
def test_what_a_fit_leaves_open_is_of_the_dummy_that_is_there(name: str) -> None:
    known = families_of(name)
    assert known is not None
    assert known.is_current, "run python -m tools.dummies.family"
    fitted = asdict(laws(name))
    kinds = {test.kind for test in bench_tests(name)}
    wanted = [law for tests, names in GROUPS.values() if kinds & set(tests) for law in names]
    assert [one.law for one in known.margins] == wanted
    assert all(one.value == fitted[one.law] for one in known.margins)
    assert all(one.lower.factor < 1.0 < one.upper.factor for one in known.margins)
    groups = [group for group in ("neck", "thorax") if kinds & set(GROUPS[group][0])]
    assert [one.group for one in known.families] == groups
    assert len(list(left_open(name))) == 1 + len(groups)
    for family in known.families:
        assert 0 < family.passed <= family.tried
        assert all(one.least <= one.peak <= one.largest for one in family.curves)


def test_a_margin_ends_where_a_test_fails() -> None:
    """A number passes at its end, and a little farther on the figure that is named leaves its corridor."""
    name = "hybrid_iii_6y"
    (test,) = (one for one in bench_tests(name) if one.kind == "knee")
    (margin,) = (one for one in families_of(name).margins if one.law == "knee_skin")  # type: ignore[union-attr]
    for end, farther in ((margin.lower, 1.0 / 1.1), (margin.upper, 1.1)):
        for factor, passes in ((end.factor, True), (end.factor * farther, False)):
            changed_law = replace(laws(name), knee_skin=margin.value * factor)
            found = run_test(name, test, fitted_body(name, changed_law), watched=False)
            assert found.passed == passes
        assert end.fails is not None
        assert not found.verdicts[end.fails.figure].passed


def test_a_certificate_tells_what_the_fit_leaves_open(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "hybrid_iii_6y"
    tables = list(left_open(name))
    assert len(tables) == 3
    assert len(tables[0].rows) == len(families_of(name).margins)  # type: ignore[union-attr]
    assert "40 sets pass" in tables[1].notes[0]
    assert in_short(name, "hip") == ""
    assert "1.4 times the speed" in in_short(name, "neck_extension")
    assert not any("older set" in note for table in tables for note in table.notes)
    (test,) = (one for one in bench_tests(name) if one.kind == "knee")
    content = certificate(name, [run_test(name, test)]).content
    assert [one.title for one in content.tables] == [one.title for one in tables]
    # of a dummy that was changed since it says so
    old = replace(families_of(name), is_current=False)  # type: ignore[type-var]
    monkeypatch.setattr("solver.report.bench.families_of", lambda _: old)
    assert all("older set" in table.notes[-1] for table in left_open(name))
    assert "older set" in in_short(name, "knee")


def test_the_docs_print_the_margins_that_are_kept() -> None:
    text = (Path(__file__).parent.parent.parent / "docs" / "dummies-fit.md").read_text(
        encoding="utf-8"
    )
    assert docs_table() in text, (
        "put what tools.dummies.family.docs_table gives into docs/dummies-fit.md"
    )
