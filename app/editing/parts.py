"""Make the parts inside elements: entries of lists, optional parts, parts of another kind."""

from __future__ import annotations

import math
from typing import Any

from annotated_types import MinLen

from app import texts
from app.editing.naming import free_id
from app.editing.shape import Shape, fields_of
from solver.base.words import tr
from solver.editing.bench import Bench, CannotMake
from solver.project import Project, ProjectError
from solver.project.azimuths import AzimuthTorque
from solver.project.blocks import BlockBase, Diagram, NamedSensor, Wire, Wired
from solver.project.changes import checked, value_at
from solver.project.coordinates import (
    unit_of,
)
from solver.project.fields import Part
from solver.project.schema import kind_words
from solver.project.segments import GROUND

_FIELD = "'{field}'"

_NUMBERS: dict[tuple[str, str], Any] = {
    ("Ellipsoid", "semi_axes_m"): (0.1, 0.1, 0.1),
    ("Hyperellipsoid", "semi_axes_m"): (0.1, 0.1, 0.1),
    ("ThreePoints", "p1_m"): (-0.5, -0.5, 0.0),
    ("ThreePoints", "p2_m"): (-0.5, 0.5, 0.0),
    ("ThreePoints", "p3_m"): (0.5, -0.5, 0.0),
    ("TankInflator", "volume_m3"): 0.005,
    ("TankInflator", "pressure_pa"): 1.0e7,
    ("TankInflator", "throat_area_m2"): 1.0e-4,
    ("MassFlowInflator", "temperature"): 600.0,
    ("Vent", "area_m2"): 0.001,
    ("Leakage", "area_m2"): 0.5,
    ("Leakage", "ratio"): 0.001,
    ("Polynomial", "coefficients"): (0.0, 1.0),
    ("PolynomialContour", "coefficients"): (0.7,),
    ("Sine", "amplitude"): 1.0,
    ("Sine", "omega"): 6.283185307179586,
    ("Exponential", "amplitude"): 1.0,
    ("Exponential", "growth"): -1.0,
    ("TransferBlock", "numerator"): (1.0,),
    ("TransferBlock", "denominator"): (0.1, 1.0),
    ("LimiterBlock", "lower"): -1.0,
    ("DeadZoneBlock", "lower"): -0.1,
    ("DeadZoneBlock", "upper"): 0.1,
    ("HydraulicLaw", "supply_pa"): 21.0e6,
    ("HydraulicLaw", "valve_flow_m3_per_s"): 0.001,
    ("HydraulicLaw", "area_a_m2"): 0.002,
    ("HydraulicLaw", "area_b_m2"): 0.002,
    ("Sweep", "duration_s"): 10.0,
    ("Sweep", "from_hz"): 1.0,
    ("Sweep", "to_hz"): 50.0,
    ("Sweep", "amplitude"): 1.0,
    ("Random", "duration_s"): 8.0,
    ("Random", "high_hz"): 50.0,
    ("Random", "line_hz"): 0.125,
    ("Bend", "linear"): ((0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 0.5)),
    ("ConvergenceTests", "magnitude"): 0.01,
    ("IndentationLaw", "loss_restitution"): 0.7,
    ("LankaraniLaw", "loss_restitution"): 0.7,
    ("HuntCrossleyLaw", "damping_s_per_m"): 0.3,
    ("ShapeNode", "shapes_m"): ((0.0, 0.0, 1.0),),
    ("GivenShapes", "modal_mass_kg"): ((1.0,),),
    ("GivenShapes", "modal_stiffness_n_per_m"): ((10_000.0,),),
    ("EllipsoidObstacle", "semi_axes_m"): (0.05, 0.05, 0.05),
    ("PanelLaw", "force_n"): 200.0,
    ("PanelLaw", "growth_per_m"): 40.0,
}
_BY_UNIT: dict[str, Any] = {
    "m": 0.1, "kg": 1.0, "s": 0.1, "N": 1000.0, "N/m": 10_000.0, "N*s/m": 100.0, "rad": 0.1,
    "N/m^n": 1.0e6, "Pa": 101_325.0, "K": 293.15, "m2": 0.01, "m3": 0.001, "kg*m2": 0.01,
}  # fmt: skip
"""What required numbers begin with: sizes of the field, not measured values."""


def new_part(bench: Bench, model: type[Part], like: Any = None, **given: Any) -> Any:
    """Make a part; what `like` has under the same names is kept where it fits."""
    values: dict[str, Any] = {}
    for shape in fields_of(model):
        required = model.model_fields[shape.name].is_required()
        if shape.name in given:
            values[shape.name] = given[shape.name]
        elif shape.name != "kind" and like is not None and shape.name in type(like).model_fields:
            values[shape.name] = getattr(like, shape.name)
        elif required:
            values[shape.name] = _required(bench, model, shape)
    try:
        return checked(model, values)
    except ProjectError:
        if like is None:
            raise
        # a field of the same name may mean something else there
        return new_part(bench, model, None, **given)


def as_kind(project: Project, path: str, models: tuple[type[Part], ...], kind: str) -> Project:
    """Turn the part at a path into another kind, keeping what the two have in common."""
    part = value_at(project, path)
    bench = Bench(project, _owner(path))
    model = next(m for m in models if kind in kind_words(m))
    given = {"kind": kind} if len(kind_words(model)) > 1 else {}
    new = new_part(bench, model, part, **given)
    return put(bench.project, path, new)


def with_entry(
    project: Project, path: str, model: type[Part], kind: str = ""
) -> tuple[Project, int]:
    """Append a new entry to a list inside an element; gives its number too."""
    items = value_at(project, path)
    bench = Bench(project, _owner(path))
    given: dict[str, Any] = {}
    if "id" in model.model_fields:
        base = kind or model.__name__.lower()
        given["id"] = free_id(base, {one.id for one in items})
    if issubclass(model, BlockBase | NamedSensor):
        # what wires call it
        law = value_at(project, path.rpartition("/")[0])
        names = {one.name for one in (*law.sensors, *law.blocks)}
        given["name"] = free_id(kind or "sensor", names)
    if model.__name__ in ("AnchorPoint", "RingPoint", "SurfacePoint", "JunctionPoint") and items:
        # between the ends of a strap, near its last point
        part = new_part(bench, model, items[-2] if len(items) > 1 else items[-1], **given)
        at = len(items) - 1 if model.__name__ != "AnchorPoint" else len(items)
        return put(bench.project, path, (*items[:at], part, *items[at:])), at
    if model.__name__ == "MotionComponent":
        free = [
            c
            for c in ("x", "y", "z", "yaw", "pitch", "roll")
            if c not in {i.component for i in items}
        ]
        if not free:
            raise CannotMake("All six components are there already.")
        given["component"] = free[0]
    if model is AzimuthTorque and items:
        # half way from the last to where the table closes
        given["azimuth_rad"] = round(0.5 * (items[-1].azimuth_rad + math.pi), 6)
        given["torque"] = items[-1].torque
    part = new_part(bench, model, **given)
    if isinstance(part, Wired):
        part = part.model_copy(update={"inputs": (Wire(of=_before(law, part.name)),)})
    return put(bench.project, path, (*items, part)), len(items)


def _before(law: Diagram, name: str) -> str:
    """What a new block is wired to: the last block, or a sensor."""
    names = [one.name for one in (*law.sensors, *law.blocks)]
    return names[-1] if names else name


def with_option(project: Project, path: str, model: type[Part]) -> Project:
    """Fit an optional part that is not there yet."""
    bench = Bench(project, _owner(path))
    part = new_part(bench, model)
    return put(bench.project, path, part)


def put(project: Project, path: str, value: Any) -> Project:
    """Set a value at a path; an element of a list too."""
    from solver.project.changes import with_value

    return with_value(project, path, value)


def _owner(path: str) -> tuple[str, ...]:
    """Select the element that a path lies in, so that a part of it refers to its segment."""
    words = path.split("/")
    return ("/".join(words[:2]),) if len(words) > 2 else ()


def _required(bench: Bench, model: type[Part], shape: Shape) -> Any:
    """What a required field begins with."""
    key = (model.__name__, shape.name)
    if key in _NUMBERS:
        return _NUMBERS[key]
    if shape.editor == "choice":
        return shape.choices[0]
    if shape.target:
        one = _reference(bench, model, shape)
        return (one,) if shape.editor == "refs" else one
    if shape.editor in ("surface", "surfaces"):
        segment, surface = bench.surface(_FIELD.format(field=shape.label))
        ref = bench.part("SurfaceRef", segment=segment.id, surface=surface.id)
        return (ref,) if shape.editor == "surfaces" else ref
    if shape.editor in ("part", "union"):
        return new_part(bench, shape.models[0])
    if key == ("FlexureTable", "around"):
        first = new_part(bench, AzimuthTorque, azimuth_rad=-math.pi)
        others = (first.model_copy(update={"azimuth_rad": 0.5 * n * math.pi}) for n in (-1, 0, 1))
        return (first, *others)
    if shape.editor == "parts":
        rules = model.model_fields[shape.name].metadata
        least = max((rule.min_length for rule in rules if isinstance(rule, MinLen)), default=1)
        return (new_part(bench, shape.models[0]),) * least
    if shape.editor == "vector":
        return (0.0, 0.0, 0.0)
    if shape.editor in ("text", "id"):
        return shape.name
    value = _BY_UNIT.get(shape.unit, 1.0)
    return (value,) if shape.editor == "numbers" else value


def _turns(bench: Bench) -> bool:
    """Whether the selected force on a coordinate is about an angle."""
    picked = bench.picked("coordinate_forces")
    return any(one.coordinate.turns for one in bench.project.coordinate_forces if one.id in picked)


def _reference(bench: Bench, model: type[Part], shape: Shape) -> str:
    if shape.target == "functions":
        x_unit, y_unit = (unit_of(unit, _turns(bench)) for unit in (shape.x_unit, shape.y_unit))
        return bench.function(x_unit or "s", y_unit or "m/s2")
    if shape.target == "contact_laws":
        return bench.law(webbing=model.__name__ in ("Belt", "Strap"))
    if shape.target == "segments":
        return next((s.id for s in bench.segments()), GROUND)
    return bench.one(
        shape.target,
        _FIELD.format(field=shape.label),
        tr("one of {what}", what=tr(texts.elements.MANY[shape.target])),
    )
