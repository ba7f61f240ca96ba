"""Make triggers into arrays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.engine.forces.triggers import (
    ACCELERATION,
    ANGLES,
    BAG_PRESSURE,
    BELT_TENSION,
    CONTACT_FORCE,
    EULER_ANGLES,
    HARNESS_TENSION,
    NOT_FIRED,
    PLACE,
    SPIN,
    SPIN_RATE,
    VELOCITY,
    Triggers,
)
from solver.model.arrays import reals, wholes
from solver.model.points import point_on
from solver.model.refusal import SimulationError
from solver.model.tree import Trees
from solver.project.belts import ChannelTrigger, TimeTrigger
from solver.project.document import Project
from solver.project.outputs import ElementOutput, PointOutput, RotationOutput

POINT = {"position": PLACE, "velocity": VELOCITY, "acceleration": ACCELERATION}
ROTATION = {"velocity": SPIN, "acceleration": SPIN_RATE}
ELEMENT = {
    "contacts": CONTACT_FORCE,
    "belts": BELT_TENSION,
    "harnesses": HARNESS_TENSION,
    "airbags": BAG_PRESSURE,
}
COMPONENT = {"x": 0, "y": 1, "z": 2, "resultant": 3}

Row = tuple[int, int, int, int, int, Sequence[float], Sequence[float], Sequence[float], float, float, float]  # fmt: skip


def compile_triggers(
    project: Project, trees: Trees, rows: Sequence[TimeTrigger | ChannelTrigger]
) -> Triggers:
    """Give all triggers; those of a time know when they fire."""
    made = [_row(project, trees, trigger) for trigger in rows]
    times = [t.time_s if isinstance(t, TimeTrigger) else NOT_FIRED for t in rows]
    return Triggers(
        what=wholes(r[0] for r in made),
        body=wholes(r[1] for r in made),
        seen_from=wholes(r[2] for r in made),
        axes=wholes(r[3] for r in made),
        component=wholes(r[4] for r in made),
        point=reals((r[5] for r in made), 3),
        centre=reals((r[6] for r in made), 3),
        gravity=reals((r[7] for r in made), 3),
        level=reals(r[8] for r in made),
        sign=reals(r[9] for r in made),
        delay=reals(r[10] for r in made),
        fires=reals(times),
        waits=np.zeros(len(rows), np.int64),
    )


def _row(project: Project, trees: Trees, trigger: TimeTrigger | ChannelTrigger) -> Row:
    nothing = (0.0, 0.0, 0.0)
    if isinstance(trigger, TimeTrigger):
        return 0, -1, -1, -1, 0, nothing, nothing, nothing, 0.0, 1.0, 0.0
    output = next(o for o in project.outputs if o.id == trigger.output)
    component = COMPONENT[trigger.component]
    limits = (trigger.level, 1.0 if trigger.rising else -1.0, trigger.delay_s)
    if isinstance(output, PointOutput):
        body, at = point_on(trees, output.segment, output.point_m)
        other, centre = point_on(trees, output.relative_to, nothing)
        axes = body if output.axes == "segment" else other
        gravity = project.gravity_m_per_s2 if output.with_gravity else nothing
        what = POINT[output.quantity]
        return what, body, other, axes, component, at.tolist(), centre.tolist(), gravity, *limits
    if isinstance(output, ElementOutput) and output.of in ELEMENT:
        number = [e.id for e in getattr(project, output.of)].index(output.element)
        return ELEMENT[output.of], number, -1, -1, component, nothing, nothing, nothing, *limits
    turns = isinstance(output, RotationOutput) and (
        output.quantity in ROTATION or trigger.component != "resultant"
    )
    if isinstance(output, RotationOutput) and turns:
        body, _ = point_on(trees, output.segment, nothing)
        other, _ = point_on(trees, output.relative_to, nothing)
        what = EULER_ANGLES if output.angles == "euler" else ANGLES
        what = ROTATION.get(output.quantity, what)
        return what, body, other, body, component, nothing, nothing, nothing, *limits
    raise SimulationError(
        "A trigger cannot watch '{output}'. It watches the motion of a point, the turning of a segment, one of its angles, the force of a contact, the largest tension of a belt or a harness, or the pressure of an airbag; nothing was solved.",
        output=output.id,
    )
