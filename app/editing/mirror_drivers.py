"""Mirror what drivers do: coordinates that change sign in the mirror, and those of Euler joints.

An Euler joint's mirror image has the same nutation, with the line of nodes on the other side: its precession
and its spin are half a turn less those of the joint.
"""

from __future__ import annotations

from math import pi
from typing import Any, TypeVar, assert_never

import numpy as np

from app.editing.mirror_joints import from_behind, scaled, sign_of_axis, with_form
from app.editing.naming import free_id, taken
from solver.maths import profile
from solver.project import Project
from solver.project.drivers import Driver, DriverBase, FrameDriver
from solver.project.functions import (
    Constant,
    Function,
    Polynomial,
    Random,
    Sweep,
    Table,
    TwoRanges,
)
from solver.project.histories import shape
from solver.project.joint_table import row_of
from solver.project.motions import ConstantHistory, History, PulseShape

_POINTS = 201
"""Points of a table that stands for the shape of a pulse."""

D = TypeVar("D", bound=DriverBase)


def mirrored_frame_driver(driver: FrameDriver) -> FrameDriver:
    """Give a driver of the mirror image of a component, whose frames are mirrored by others."""
    return _turned(driver) if driver.component in ("y", "yaw", "roll") else driver


def mirrored_driver(project: Project, joint: Any, driver: Driver) -> tuple[Project, Driver]:
    """Give the project, with a function that was needed, and a driver of the joint's mirror image."""
    if row_of(joint).acts == "euler":
        return _behind(project, driver) if driver.axis != "nutation" else (project, driver)
    return project, driver if sign_of_axis(joint, driver.axis) > 0.0 else _turned(driver)


def _turned(driver: D) -> D:
    """Give a driver that moves its coordinate the other way."""
    pulse = driver.pulse
    match pulse:
        case History():
            size = "scale"
        case ConstantHistory():
            size = "value"
        case _:
            size = "amplitude"
    turned: dict[str, Any] = {
        "pulse": pulse.model_copy(update={size: 0.0 - getattr(pulse, size)}),
        "start_rate": 0.0 - driver.start_rate,
    }
    if driver.start_value is not None:
        turned["start_value"] = 0.0 - driver.start_value
    return driver.model_copy(update=turned)


def _behind(project: Project, driver: Driver) -> tuple[Project, Driver]:
    """Give a driver that has its angle at half a turn less the other's."""
    turned = _turned(driver)
    if driver.start_value is not None:
        turned = turned.model_copy(update={"start_value": from_behind(driver.start_value)})
    pulse = driver.pulse
    if driver.quantity != "position":
        return project, turned
    if isinstance(pulse, ConstantHistory):
        behind = pulse.model_copy(update={"value": from_behind(pulse.value)})
        return project, turned.model_copy(update={"pulse": behind})
    if isinstance(pulse, PulseShape):
        function = _tabled(project, driver, pulse)
        project = project.model_copy(update={"functions": (*project.functions, function)})
        return project, turned.model_copy(update={"pulse": History(function=function.id)})
    assert isinstance(pulse, History)
    old = next((one for one in project.functions if one.id == pulse.function), None)
    if old is None:
        return project, turned
    project, name = with_form(project, old, _shifted(scaled(old.form, -pulse.scale), pi))
    return project, turned.model_copy(update={"pulse": History(function=name)})


def _tabled(project: Project, driver: Driver, pulse: PulseShape) -> Function:
    """Give half a turn less a pulse as a table joined by a spline."""
    end = pulse.start_s + pulse.duration_s
    t = np.linspace(pulse.start_s, end, _POINTS)
    made = shape(pulse, {})  # type: ignore[arg-type]
    y = [pi - profile.value(made, float(time))[0] for time in t]
    form = Table(x=tuple(t.tolist()), y=tuple(y), between="spline_at_rest")
    id_ = free_id(f"{driver.id}_angle", taken(project, "functions"))
    return Function(id=id_, x_unit="s", y_unit="rad", form=form)


def _shifted(form: Any, by: float) -> Any:
    """Give a form of a function that is more by so much."""
    match form:
        case Constant():
            return form.model_copy(update={"value": form.value + by})
        case Table():
            return form.model_copy(update={"y": tuple(y + by for y in form.y)})
        case Polynomial():
            first, *rest = form.coefficients
            return form.model_copy(update={"coefficients": (first + by, *rest)})
        case TwoRanges():
            parts = {name: _shifted(getattr(form, name), by) for name in ("first", "second")}
            return form.model_copy(update=parts)
        case Sweep() | Random():
            return form.model_copy(update={"mean": form.mean + by})
        case _:
            assert_never(form)
