"""Mirror what drivers do: coordinates that change sign in the mirror."""

from __future__ import annotations

from typing import Any, TypeVar

from app.editing.mirror_joints import sign_of_axis
from solver.project.drivers import Driver, DriverBase, FrameDriver
from solver.project.motions import ConstantHistory, History

D = TypeVar("D", bound=DriverBase)


def mirrored_frame_driver(driver: FrameDriver) -> FrameDriver:
    """Give a driver of the mirror image of a component, whose frames are mirrored by others."""
    return _turned(driver) if driver.component in ("y", "yaw", "roll") else driver


def mirrored_driver(joint: Any, driver: Driver) -> Driver:
    """Give a driver of the joint's mirror image."""
    return driver if sign_of_axis(joint, driver.axis) > 0.0 else _turned(driver)


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
