"""Rows of numbers as arrays of a given shape, also when there are none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.forces.coordinates import arrays as kernels
from solver.engine.maths.curve import NONE
from solver.model.blocks import states_of_blocks
from solver.model.functions import Numbered, stops
from solver.project.belts import ChannelTrigger, TimeTrigger, Trigger
from solver.project.blocks import BlockLaw, Diagram, HydraulicLaw, SourceBlock
from solver.project.coordinate_forces import CoordinateForce, HillMuscle, Muscle
from solver.project.coordinates import Actuator, Reflex, Sensor
from solver.project.document import Project


def reals(rows: Iterable[Any], *shape: int) -> Array:
    """Rows of real numbers, each of a shape."""
    return np.array(list(rows), float).reshape(-1, *shape)


def wholes(rows: Iterable[Any], *shape: int) -> IntArray:
    """Rows of whole numbers, each of a shape."""
    return np.array(list(rows), np.int64).reshape(-1, *shape)


# Laws on coordinates whose time counts: muscles and actuators, their triggers, and what actuators sense.

FAR = 1e30
"""A limit that is nowhere."""

Timed = Muscle | HillMuscle | Actuator | BlockLaw | HydraulicLaw
"""Laws whose time counts; each has states, or may have."""


def timed_of(project: Project) -> list[tuple[CoordinateForce, Timed]]:
    """All muscles and actuators, in the order of their states."""
    return [
        (one, law)
        for one in project.coordinate_forces
        for law in one.laws
        if isinstance(law, Timed)
    ]


def triggers_of(project: Project) -> list[tuple[CoordinateForce, Trigger]]:
    """The triggers of muscles and actuators that have one, in their order."""
    return [(one, law.trigger) for one, law in timed_of(project) if law.trigger is not None]


def states_of(project: Project) -> int:
    """Count the states of these laws."""
    return sum(
        states_of_blocks(law) if isinstance(law, Diagram) else 1 for _, law in timed_of(project)
    )


def _goes_by(law: object) -> tuple[Sensor | Reflex, ...]:
    """What a law senses beside the coordinate that it acts on."""
    if isinstance(law, Diagram):
        return law.sensors
    sensed = law.senses if isinstance(law, Actuator) else law.reflex if isinstance(law, HillMuscle) else None  # fmt: skip
    return () if sensed is None else (sensed,)


def sensors_of(project: Project) -> list[Sensor | Reflex]:
    """What is sensed beside the coordinates of elements, in the order of their rows behind these."""
    return [sensed for _, law in timed_of(project) for sensed in _goes_by(law)]


@dataclass
class Sensing:
    """Gather what laws go by: which coordinate, how late, how often."""

    elements: int
    row: list[int] = field(default_factory=list)
    """Of each law, the coordinate that it goes by."""
    late: list[tuple[int, int, float]] = field(default_factory=list)
    """Coordinate, law and reflex time of each that senses late."""
    ticks: list[tuple[int, int, float]] = field(default_factory=list)
    """Element, law and period of each that samples."""
    stops: list[tuple[int, float]] = field(default_factory=list)
    """Law, and time after its trigger at which a step is to end."""
    sensors: int = 0

    def add(self, n: int, k: int, law: object) -> None:
        """Add law k of element n."""
        all_sensed = _goes_by(law)
        row, sensed = n, all_sensed[0] if all_sensed else None
        if sensed is not None:
            row = self.elements + self.sensors
            self.sensors += len(all_sensed)
        late = law if isinstance(law, Actuator) else sensed if isinstance(sensed, Reflex) else None
        if late is not None and late.reflex_s > 0.0:
            self.late.append((row, k, late.reflex_s))
        if isinstance(law, Actuator) and law.period_s > 0.0:
            self.ticks.append((n, k, law.period_s))
        if isinstance(law, Timed) and isinstance(law.trigger, ChannelTrigger):
            ramp = law.ramp_s if isinstance(law, Actuator) else 0.0
            self.stops += [
                (k, after) for after in sorted({law.delay_s, law.delay_s + ramp}) if after > 0.0
            ]
        self.row.append(row)

    def arrays(self) -> dict[str, Any]:
        """The parts of `Coordinates` that hold it."""
        late, tick = (np.full(len(self.row), NONE, np.int64) for _ in range(2))
        late[[k for _, k, _ in self.late]] = range(len(self.late))
        tick[[k for _, k, _ in self.ticks]] = range(len(self.ticks))
        return {
            "late": late,
            "late_row": wholes(n for n, _, _ in self.late),
            "lag": reals(lag for _, _, lag in self.late),
            "past": np.zeros((len(self.late), kernels.PAST, 3)),
            "newest": np.zeros((len(self.late), 2), np.int64),
            "senses": wholes(self.row),
            "tick": tick,
            "tick_law": wholes(k for _, k, _ in self.ticks),
            "tick_row": wholes(n for n, _, _ in self.ticks),
            "period": reals(period for _, _, period in self.ticks),
            "held": np.zeros((len(self.ticks), 4)),
            "stop_law": wholes(k for k, _ in self.stops),
            "stop_after": reals(after for _, after in self.stops),
            "wake": np.full(1, kernels.NO_TIME),
            "seen": np.zeros((self.elements + self.sensors, 5)),
        }


def of_actuator(law: Actuator, functions: Numbered) -> tuple[list[float], list[int]]:
    """Numbers and curves of an actuator."""
    number = [law.delay_s, FAR if law.limit is None else law.limit, law.ramp_s]
    if law.switch is not None:
        number += [law.switch.size, law.switch.on, law.switch.off, law.switch.lead_s]
    drawn = (law.target, law.proportional, law.derivative, law.integral, law.by_error, law.by_rate)
    return number, [functions.number(one) for one in drawn]


def bends(law: Timed, functions: Numbered) -> list[float]:
    """The times at which an activation or a target bends, where these are known ahead."""
    begins = law.delay_s
    if law.trigger is not None:
        if not isinstance(law.trigger, TimeTrigger):
            return []
        begins += law.trigger.time_s
    if isinstance(law, Diagram):
        courses = [block.value for block in law.blocks if isinstance(block, SourceBlock)]
        courses += [law.opening] if isinstance(law, HydraulicLaw) else []
    else:
        courses = [law.target if isinstance(law, Actuator) else law.activation]
    inner = [t for one in courses if isinstance(one, str) for t in stops(functions[one])]
    if isinstance(law, HillMuscle) and law.reflex is not None:
        aim = law.reflex.target
        inner = [*inner, *(stops(functions[aim]) if isinstance(aim, str) else [])]
    if isinstance(law, Actuator) and law.ramp_s > 0.0:
        inner = [*inner, law.ramp_s]
    return [begins, *(begins + t for t in inner)]
