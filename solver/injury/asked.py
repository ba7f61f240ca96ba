"""Give the unit of what a study asks of a run, before there is one."""

from __future__ import annotations

from collections.abc import Mapping

from solver.engine.signals import WEIGHTINGS
from solver.injury.assess import figure_units
from solver.injury.sensors import body_sensors
from solver.project import Project
from solver.project.kept import kept
from solver.project.study_parts import (
    ChannelResponse,
    FigureResponse,
    FormulaResponse,
    RatingResponse,
    Response,
    RideResponse,
)
from solver.results.quantity_units import unit_named


def response_unit(project: Project, one: Response) -> str | None:
    """Give the SI unit of a response; none where no run of the project has what it asks for."""
    match one:
        case FigureResponse():
            return _figures(project).get(one.figure)
        case ChannelResponse():
            unit = unit_named(project, one.quantity, body_sensors(project))
            return None if unit is None else unit_of(unit, one)
        case RatingResponse():
            return "1"
        case RideResponse():
            return unit_felt(one)
        case FormulaResponse():
            return one.unit


@kept
def _figures(project: Project) -> Mapping[str, str]:
    return figure_units(project)


def unit_of(unit: str, one: ChannelResponse) -> str:
    """Give the unit of a number of a quantity that is in a unit."""
    if one.take in ("time_of_max", "time_of_min"):
        return "s"
    if one.take == "integral":
        return "s" if unit == "1" else f"{unit}*s"
    return unit


def unit_felt(one: RideResponse) -> str:
    """Give the unit of a measure of ride: doses have powers of a second of their own."""
    unit = WEIGHTINGS[one.weighting].unit
    match one.take:
        case "crest":
            return "1"
        case "vdv":
            return unit.replace("s2", "s^(7/4)")
        case "dose":
            return unit.replace("s2", "s^(3/2)")
        case _:
            return unit
