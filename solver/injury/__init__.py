"""Injury criteria: what they are (`criteria`), of which sensors, with limits and risks (`assess`)."""

from solver.injury.assess import assess, figure_units
from solver.injury.criteria import compute
from solver.injury.figures import Assessment, Figure, Judged, Score
from solver.injury.head import gsi, hic
from solver.injury.parts import Occupant, occupants
from solver.injury.reference import Limit, Reference, RiskCurve, reference
from solver.injury.scores import G, Measure
from solver.injury.sensors import body_sensors
from solver.project.criteria import CRITERIA

__all__ = [
    "CRITERIA",
    "Assessment",
    "Figure",
    "G",
    "Judged",
    "Limit",
    "Measure",
    "Occupant",
    "Reference",
    "RiskCurve",
    "Score",
    "assess",
    "body_sensors",
    "compute",
    "figure_units",
    "gsi",
    "hic",
    "occupants",
    "reference",
]
