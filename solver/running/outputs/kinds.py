"""All kinds of elements that have rows in the results, in the order in which these are written."""

from __future__ import annotations

from solver.running.outputs.airbags import Airbags
from solver.running.outputs.belts import Belts
from solver.running.outputs.constraints import Constraints, PointContacts
from solver.running.outputs.contacts import Contacts
from solver.running.outputs.coordinate_forces import Actuators, CoordinateForces
from solver.running.outputs.drivers import Drivers, FrameDrivers
from solver.running.outputs.harnesses import Harnesses, StrapPoints
from solver.running.outputs.holding import FlexibleElements, Symmetries
from solver.running.outputs.joints import Joints
from solver.running.outputs.kind import Kind
from solver.running.outputs.springs import Springs, TensionElements
from solver.running.outputs.winds import Winds

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
