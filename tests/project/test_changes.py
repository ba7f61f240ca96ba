"""Changes of the frozen project: paths, references, removal; every untouched part is shared."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.base.places import samples
from solver.project import LISTS, ProjectError, load_project, to_json, validated
from solver.project.changes import value_at, with_value
from solver.project.checks.ids import known_references
from solver.project.checks.index import Index
from solver.project.references import keys_in, renamed, without
from tests.everything import everything
from tests.window.seated import seated

SLED = load_project(samples() / "sled.json")
EVERYTHING = validated(everything())
SEATED = validated(seated())


def test_a_value_changes_and_the_rest_is_the_same_object() -> None:
    after = with_value(SLED, "segments/head/mass_kg", 5.0)
    assert value_at(after, "segments/head/mass_kg") == 5.0
    assert after.joints is SLED.joints
    for old, new in zip(SLED.segments, after.segments, strict=True):
        assert (old is new) == (old.id != "head")
    assert to_json(with_value(after, "segments/head/mass_kg", SLED.segments[4].mass_kg)) == to_json(
        SLED
    )


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("segments/head/surfaces/0/semi_axes_m/1", 0.2),
        ("gravity_m_per_s2/2", 1.62),
        ("initial/roots/0/position_m", [1, 2, 3]),
        ("runs/0/integrator", {"kind": "rk4"}),
        ("joints/0/name", "Waist"),
        ("outputs/head_felt/cfc", 180),
        ("outputs/head_felt/cfc", None),
    ],
)
def test_every_kind_of_place_can_be_set(path: str, value: Any) -> None:
    after = with_value(SLED, path, value)
    given_ = value_at(after, path)
    shown = given_.model_dump(exclude_defaults=True) if isinstance(value, dict) else given_
    assert (list(shown) if isinstance(value, list) else shown) in (value, {})
    assert validated(json.loads(to_json(after))) == after


@pytest.mark.parametrize(
    ("path", "value", "where", "code"),
    [
        ("segments/head/mass_kg", -1.0, "segments/head/mass_kg", "field-range"),
        ("segments/head/mass_kg", "heavy", "segments/head/mass_kg", "field-type"),
        ("segments/head/surfaces/0/semi_axes_m/1", 0.0, "segments/head/surfaces/0/semi_axes_m/1", "field-range"),
        ("segments/head/id", "two words", "segments/head/id", "field-range"),
        ("segments/nobody/mass_kg", 1.0, "segments/nobody/mass_kg", "set-path"),
        ("segments/head/mass", 1.0, "segments/head/mass", "set-path"),
        ("runs/0/integrator", {"kind": "guess"}, "runs/0/integrator", "kind-unknown"),
        ("outputs/head_felt/cfc", 99, "outputs/head_felt/cfc", "field-choice"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused_at_its_place(
    path: str, value: Any, where: str, code: str
) -> None:
    with pytest.raises(ProjectError) as refused:
        with_value(SLED, path, value)
    problem = refused.value.problems[0]
    assert problem.code == code
    assert problem.path.replace("/runs/sled", "/runs/0") in (where, where.replace("0", "sled", 1))


def dangling(project: Any) -> set[str]:
    """List references that lead nowhere, as the checks find them."""
    index = Index(project)
    return {p.sentence for p in known_references(index)}


@pytest.mark.parametrize("name", LISTS)
def test_a_new_id_is_followed_everywhere(name: str) -> None:
    before = EVERYTHING
    text, loose = of_everything()
    items = getattr(before, name)
    for item in {id(one): one for one in (items[0], items[-1])}.values():
        after = renamed(before, f"{name}/{item.id}", "renamed_here")
        assert dangling(after) == loose
        assert to_json(renamed(after, f"{name}/renamed_here", item.id)) == text


@cache
def of_everything() -> tuple[str, Any]:
    """Give the text of the project with everything, and what dangles in it."""
    return to_json(EVERYTHING), dangling(EVERYTHING)


def test_surfaces_are_renamed_with_their_references() -> None:
    project = validated(seated())
    after = renamed(project, "segments/pelvis/surfaces/pelvis", "hips")
    assert after.belts[0].surface.surface == "hips"
    assert after.contacts[0].surface.surface == "hips"
    assert not dangling(after)
    with pytest.raises(ProjectError, match="taken"):
        renamed(project, "segments/pelvis", "head")
    with pytest.raises(ProjectError, match="taken"):
        renamed(project, "segments/pelvis", "ground")


@given(st.data())
@settings(max_examples=12)
def test_nothing_dangles_after_a_removal(data: Any) -> None:
    project = data.draw(st.sampled_from([SLED, EVERYTHING, SEATED]))
    paths = [f"{name}/{item.id}" for name in LISTS for item in getattr(project, name)]
    chosen = data.draw(st.lists(st.sampled_from(paths), min_size=1, max_size=3, unique=True))
    before = copy.copy(project)
    done = without(project, *chosen)
    assert project == before
    assert set(chosen) <= set(done.removed)
    left = {f"{n}/{i.id}" for n in LISTS for i in getattr(done.project, n)}
    assert left == set(paths) - set(done.removed)
    gone = {tuple(path.split("/")) for path in done.removed}
    assert not gone & set(keys_in(done.project))
    assert not dangling(done.project) - dangling(project)
    assert validated(json.loads(to_json(done.project))) == done.project


def test_a_removal_takes_only_what_cannot_be_without() -> None:
    project = validated(seated())
    done = without(project, "functions/foam")
    assert set(done.removed) == {"functions/foam", "contact_laws/seat_foam", "contacts/pelvis_seat"}
    done = without(project, "segments/head")
    assert set(done.removed) == {"segments/head", "joints/neck_top"}
    assert "head" not in {a.segment for a in done.project.initial.attitudes}
    done = without(project, "segments/pelvis/surfaces/pelvis")
    assert set(done.removed) == {
        "segments/pelvis/surfaces/pelvis",
        "belts/lap",
        "contacts/pelvis_seat",
    }
    assert done.project.segments[0].surfaces == ()
