"""Every element is built by the public library as the schema has it."""

from __future__ import annotations

from typing import Any

import pytest

import manikin as mk
from manikin.builders import Builders
from solver.project import LISTS, validated
from tests.everything import everything
from tests.rows import rows

WORDS = {"symmetry": "symmetry", "harnesses": "harness", "studies": "study", "meshes": "mesh"}
"""Words for one element, where a list's name is not it with an s."""


def builder(list_: str) -> str:
    return f"add_{WORDS.get(list_, list_.removesuffix('s'))}"


def test_every_list_has_a_builder_and_no_builder_lacks_a_list() -> None:
    builders = {name for name in vars(Builders) if name.startswith("add_")}
    assert builders == {builder(list_) for list_ in LISTS}


@rows("list_", LISTS)
def test_elements_of_all_kinds_are_built(list_: str) -> None:
    whole = everything()
    model, wanted = mk.Model(validated({**whole, list_: []})), mk.Model(validated(whole))
    assert whole[list_]
    for element in whole[list_]:
        fields: dict[str, Any] = {name: value for name, value in element.items() if name != "id"}
        model = getattr(model, builder(list_))(element["id"], **fields)
    assert model == wanted


def test_samples_are_built_from_nothing() -> None:
    wanted = mk.sample("lap_belt").project
    model = mk.new(wanted.title).without("runs/0")
    for list_ in LISTS:
        for element in getattr(wanted, list_):
            fields = {name: getattr(element, name) for name in type(element).model_fields}
            model = getattr(model, builder(list_))(fields.pop("id"), **fields)
    for kind, start in (("roots", "root"), ("attitudes", "attitude"), ("joints", "joint")):
        for one in getattr(wanted.initial, kind):
            fields = {name: getattr(one, name) for name in type(one).model_fields}
            model = getattr(model, f"start_{start}")(
                fields.pop(start.replace("root", "segment").replace("attitude", "segment")),
                **fields,
            )
    for name in ("note", "source", "gravity_m_per_s2"):
        model = model.with_value(name, getattr(wanted, name))
    assert model.project == wanted


def test_a_start_takes_the_place_of_the_one_before() -> None:
    model = mk.sample("pendulum").start_joint("pivot", [0.3], [1.0])
    (start,) = model.project.initial.joints
    assert (start.values, start.rates) == ((0.3,), (1.0,))


def test_what_cannot_be_added_is_said_with_its_place() -> None:
    model = mk.sample("pendulum")
    with pytest.raises(mk.ProjectError, match="segments/rod: There is an element with this id"):
        model.add_segment("rod", mass_kg=1.0, inertia_kgm2=(1.0, 1.0, 1.0))
    with pytest.raises(mk.ProjectError, match=r"segments/ball/mass: .* Did you mean .mass_kg.\?"):
        model.add_segment("ball", mass=1.0, inertia_kgm2=(1.0, 1.0, 1.0))
    with pytest.raises(mk.ProjectError, match="There is no kind 'hinge' here"):
        model.add_joint("j", kind="hinge", parent="ground", child="rod")
    with pytest.raises(mk.ProjectError, match="'nobody' is not found"):
        model.without("segments/nobody")
    with pytest.raises(mk.ProjectError, match="Only an element of one of the model's lists"):
        model.without("segments/rod/mass_kg")
