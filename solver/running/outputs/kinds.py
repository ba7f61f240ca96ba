"""All kinds of elements that have rows in the results, in the order in which these are written."""

from __future__ import annotations

from solver.outputs.airbags import Airbags
from solver.outputs.belts import Belts
from solver.outputs.constraints import Constraints, PointContacts
from solver.outputs.contacts import Contacts
from solver.outputs.coordinate_forces import Actuators, CoordinateForces
from solver.outputs.drivers import Drivers, FrameDrivers
from solver.outputs.harnesses import Harnesses, StrapPoints
from solver.outputs.holding import FlexibleElements, Symmetries
from solver.outputs.joints import Joints
from solver.outputs.kind import Kind
from solver.outputs.springs import Springs, TensionElements
from solver.outputs.winds import Winds

KINDS: tuple[type[Kind], ...] = (
    Joints,
    Constraints,
    PointContacts,
    FlexibleElements,
    Symmetries,
    Springs,
    TensionElements,
    Contacts,
    Airbags,
    Winds,
    Belts,
    Harnesses,
    StrapPoints,
    Drivers,
    FrameDrivers,
    CoordinateForces,
    Actuators,
)
