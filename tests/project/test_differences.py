"""What differs between two projects: every field, once, by its path."""

from __future__ import annotations

from typing import Any

import pytest

from solver.base.places import samples
from solver.project import Project, load_project
from solver.project.changes import value_at, with_value
from solver.project.paths import Difference, differences

SLED = load_project(samples() / "sled.json")


def paths(before: Project, after: Project) -> list[str]:
    return [one.path for one in differences(before, after)]


def test_a_project_does_not_differ_from_itself() -> None:
    assert differences(SLED, SLED) == ()
    assert differences(SLED, load_project(samples() / "sled.json")) == ()


@pytest.mark.parametrize("sample", ["frontal.json", "ejection_seat.json", "pendulum.json"])
def test_every_changed_number_is_found_at_its_path(sample: str) -> None:
    project = load_project(samples() / sample)
    count = 0
    for name in ("segments", "runs"):
        for item in getattr(project, name):
            path = f"{name}/{item.id}/{'mass_kg' if name == 'segments' else 'duration_s'}"
            old = value_at(project, path)
            after = with_value(project, path, 1.5 * old)
            assert differences(project, after) == (Difference(path, old, 1.5 * old),)
            count += 1
    assert count > 1


def test_fields_inside_of_parts_and_lists_have_whole_paths() -> None:
    for path, value in (
        ("functions/rate_factor_torso/form/x_max", 77.0),
        ("runs/sled/integrator/relative_tolerance", 3e-4),
        ("runs/as_printed/integrator/tests/1/relative", 0.03),
        ("motions/sled_motion/components/0/pulse/scale", 0.5),
    ):
        assert path in _leaves(SLED)
        assert paths(SLED, with_value(SLED, path, value)) == [path]


def test_elements_that_come_and_go_are_one_difference_each() -> None:
    segments = SLED.segments
    fewer = SLED.model_copy(update={"segments": segments[1:]})
    assert differences(SLED, fewer) == (
        Difference(f"segments/{segments[0].id}", segments[0], None),
    )
    assert differences(fewer, SLED) == (
        Difference(f"segments/{segments[0].id}", None, segments[0]),
    )


def test_another_order_is_a_difference_of_the_list() -> None:
    turned = SLED.model_copy(update={"segments": SLED.segments[::-1]})
    ids = tuple(one.id for one in SLED.segments)
    assert differences(SLED, turned) == (Difference("segments", ids, ids[::-1]),)


def test_a_part_of_another_kind_is_one_difference() -> None:
    run = SLED.runs[0]
    path = f"runs/{run.id}/integrator"
    after = with_value(SLED, path, {"kind": "rk4", "step_s": 1e-4})
    assert paths(SLED, after) == [path]


def _leaves(part: Any, path: str = "") -> list[str]:
    from solver.project.fields import Part

    out = []
    if isinstance(part, Part):
        for name in type(part).model_fields:
            out += _leaves(getattr(part, name), f"{path}/{name}" if path else name)
    elif isinstance(part, tuple) and part and isinstance(part[0], Part):
        for n, one in enumerate(part):
            out += _leaves(one, f"{path}/{getattr(one, 'id', '') or n}")
    else:
        out.append(path)
    return out
