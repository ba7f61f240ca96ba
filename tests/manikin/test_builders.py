"""Every element is built by the public library as the schema has it."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import manikin as mk
from manikin.builders import Builders
from solver.project import LISTS, validated
from solver.project.schema import models, models_of
from tests.everything import everything
from tests.rows import rows

WORDS = {
    "symmetry": "symmetry",
    "harnesses": "harness",
    "studies": "study",
    "meshes": "mesh",
    "assumed": "assumed_number",
    "modal_bodies": "modal_body",
}
"""Words for one element, where a list's name is not it with an s."""


def builder(list_: str) -> str:
    return f"add_{WORDS.get(list_, list_.removesuffix('s'))}"


def test_every_list_has_a_builder_and_no_builder_lacks_a_list() -> None:
    builders = {name for name in dir(Builders) if name.startswith("add_")}
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


def test_a_builder_shows_its_fields_with_types_units_defaults_and_help() -> None:
    plane = inspect.signature(mk.Model.add_plane).parameters
    assert plane["bounded"].default is True
    assert plane["placement"].default is inspect.Parameter.empty
    assert plane["ends"].annotation == "Literal['both', 'first', 'second']"
    assert "mass_kg: Mass (kg, ≥ 0, required): Zero for" in (mk.Model.add_segment.__doc__ or "")
    joint = inspect.signature(mk.Model.add_joint).parameters
    assert "'six'" in joint["kind"].annotation
    assert "kind='slip': Slide along" in (mk.Model.add_joint.__doc__ or "")


def test_parts_are_plain_data_and_arrays_are_taken() -> None:
    frame = mk.schema.Frame(position_m=np.array([0.0, 0.0, 0.5]))
    model = mk.sample("pendulum").add_joint(
        "j", kind="locked", parent="ground", child="rod", child_frame=frame
    )
    assert model.value("joints/j/child_frame/position_m") == (0.0, 0.0, 0.5)
    again = model.with_value("joints/j/child_frame/position_m", np.zeros(3))
    assert again.value("joints/j/child_frame/position_m") == (0.0, 0.0, 0.0)
    assert model.start_root("rod", position_m=np.ones(3)).project.initial.roots


def test_typed_data_have_the_fields_of_the_schema() -> None:
    elements = {model for list_ in LISTS for model in models_of(list_)}
    apart = {"Project", "Initial", "JointStart", "Include"}  # which no builder takes
    for model in models():
        if model.__name__ in apart:
            continue
        part = getattr(mk.schema, model.__name__)
        taken = {"id"} if model in elements else set()
        taken |= {"segment"} if model.__name__ in ("RootStart", "AttitudeStart") else set()
        types = {name: hint.__forward_arg__ for name, hint in part.__annotations__.items()}
        assert set(types) == set(model.model_fields) - taken, model
        for name, hint in types.items():
            must = model.model_fields[name].is_required() and name != "inertia_kgm2"
            assert hint.startswith("Required[") or not must, (model, name)


@rows(
    "fields, where, hint",
    [
        ({"child_frame": {"positon_m": (0.0, 0.0, 0.0)}}, "child_frame/positon_m", "Did you mean 'position_m'?"),
        ({"spring": {"stop_rad": -1.0}}, "spring/stop_rad", ""),
        ({"child_frame": {"orientation": {"order": "zxyz"}}}, "child_frame/orientation/order", "Did you mean 'zyz'?"),
    ],
)  # fmt: skip
def test_nested_data_are_refused_at_their_place(fields: Any, where: str, hint: str) -> None:
    with pytest.raises(mk.ProjectError) as refused:
        mk.sample("pendulum").add_joint("j", kind="pin", parent="ground", child="rod", **fields)
    (problem,) = refused.value.problems
    assert (problem.path, problem.hint) == (f"joints/j/{where}", hint)


A, B, C, MASS = 0.1, 0.2, 0.35, 7.0


@rows(
    "shape, inside, scale",
    [
        ({"kind": "box", "size_m": (A, B, C)}, lambda p: True, (A / 2, B / 2, C / 2)),
        ({"kind": "ellipsoid", "semi_axes_m": (A, B, C)}, lambda p: p @ p <= 1.0, (A, B, C)),
        ({"kind": "cylinder", "radius_m": A, "length_m": C, "along": "x"},
         lambda p: p[1] ** 2 + p[2] ** 2 <= 1.0, (C / 2, A, A)),
    ],
)  # fmt: skip
def test_inertia_follows_from_a_shape(shape: Any, inside: Any, scale: Any) -> None:
    model = mk.new().add_segment("a", mass_kg=MASS, shape=shape)
    grid = (np.arange(40) + 0.5) / 20.0 - 1.0
    points = np.array([p for p in np.stack(np.meshgrid(grid, grid, grid), -1).reshape(-1, 3) if inside(p)])  # fmt: skip
    x, y, z = ((points * scale) ** 2).mean(axis=0)
    assert model.value("segments/a/inertia_kgm2") == pytest.approx(
        (MASS * (y + z), MASS * (z + x), MASS * (x + y)), rel=1e-2
    )


def test_inertia_follows_from_the_largest_surface_where_nothing_else_says() -> None:
    surfaces = [
        mk.schema.Ellipsoid(id=f"e{n}", kind="ellipsoid", semi_axes_m=(size, size, size))
        for n, size in enumerate((0.1, 0.2))
    ]
    model = mk.new().add_segment("ball", mass_kg=5.0, surfaces=surfaces)
    assert model.value("segments/ball/inertia_kgm2") == pytest.approx((0.08,) * 3)
    with pytest.raises(mk.ProjectError, match="'inertia_kgm2' is missing"):
        mk.new().add_segment("ball", mass_kg=5.0)
    with pytest.raises(mk.ProjectError, match="'inertia_kgm2' is missing"):
        mk.new().add_segment("ball", mass_kg=5.0, surfaces=surfaces, products_kgm2=(0.0, 0.0, 0.1))
    box = mk.schema.BoxSolid(kind="box", size_m=(1.0, 1.0, -1.0))
    with pytest.raises(mk.ProjectError, match=r"segments/a/shape/size_m/2: .* must be above 0"):
        mk.new().add_segment("a", mass_kg=1.0, shape=box)
    with pytest.raises(mk.ProjectError, match="and also a shape"):
        mk.new().add_segment("a", mass_kg=1.0, shape=box, inertia_kgm2=(1.0, 1.0, 1.0))
    with pytest.raises(mk.ProjectError, match="and also a shape"):
        mk.new().add_segment("a", mass_kg=1.0, shape=box, products_kgm2=(0.1, 0.0, 0.0))


def test_the_old_name_of_run_many_warns() -> None:
    with pytest.warns(DeprecationWarning, match=r"manikin\.run_many"):
        assert mk.map([]) == []
