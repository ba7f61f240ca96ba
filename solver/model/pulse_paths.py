"""Give a prescribed motion's place, speed and acceleration over time, by its exact integrals."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.maths import profile
from solver.model.functions import Numbered
from solver.project.document import Project
from solver.project.drivers import Driver, FrameDriver
from solver.project.histories import position
from solver.project.joint_table import driven_axes
from solver.project.motions import History, Prescribed, PulseShape
from solver.project.pose import component_of, joint_values, start_pose


@dataclass(frozen=True, slots=True)
class PulsePath:
    """Hold times (s), and the three quantities (m or rad and seconds); a jump has its time twice."""

    time: Array
    place: Array
    speed: Array
    acceleration: Array

    def given(self, quantity: str) -> Array:
        """Give the quantity that is prescribed."""
        return {"position": self.place, "velocity": self.speed}.get(quantity, self.acceleration)


def pulse_path(project: Project, component: Prescribed, end: float, parts: int = 400) -> PulsePath:
    """Follow one coordinate from time zero to an end (s), with all breaks and their middles."""
    made = position(component, Numbered(project), _start(project, component))
    inner = [float(t) for t in made.start if 0.0 < t < end]
    edges = [0.0, *inner, end]
    middles = [0.5 * (a + b) for a, b in pairwise(edges)]
    plain = sorted({*np.linspace(0.0, end, parts + 1).tolist(), *middles, *inner})
    broken = set(inner)
    profiles = profile.joined([made])
    tiny = 1e-9 * end
    rows, times = [], []
    for t in plain:
        # a break is seen from both of its sides
        for within in (t - tiny, t + tiny) if t in broken else (t,):
            times.append(t)
            rows.append(profile.profile_at(profiles, 0, t, within))
    x, v, a = np.array(rows).T
    return PulsePath(np.array(times), x, v, a)


def _start(project: Project, component: Prescribed) -> float:
    """Give where a driven coordinate starts that does not say so itself."""
    if isinstance(component, FrameDriver):
        return component_of(start_pose(project), component)
    if not isinstance(component, Driver):
        return 0.0
    joint = next(one for one in project.joints if one.id == component.joint)
    values = joint_values(project).get(joint.id)
    return values[driven_axes(joint).index(component.axis)] if values else 0.0


def end_of(project: Project, component: Prescribed, least: float = 0.0) -> float:
    """Give a time (s) by which a pulse is over, or `least` where that is later."""
    pulse = component.pulse
    last = 0.0
    if isinstance(pulse, History):
        last = float(Numbered(project)[pulse.function].start[-1])
    elif isinstance(pulse, PulseShape):
        last = pulse.start_s + pulse.duration_s
    return max(last, least) or 0.1
