"""Check what drives components of frames."""

from __future__ import annotations

import math
from collections.abc import Iterator

from solver.base.words import Sentence
from solver.project.checks.drivers import FLAT
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.drivers import FrameDriver
from solver.project.pose import component_of, value_at_start
from solver.project.problems import Problem

EXACT = 1e-6
"""By how much (m or rad) a component may start away from where its driver has it."""


@finds(
    TOPOLOGY,
    error={
        "frame-driver-same": "A driver moves a frame against one that cannot move from it.",
        "frame-driver-twice": "Two drivers move the same component.",
    },
)
def frame_drivers(index: Index) -> Iterator[Problem]:
    """Find drivers of frames that can move nothing, or say the same twice."""
    seen: dict[object, str] = {}
    for driver, path in index.elements("frame_drivers"):
        a, b = driver.seen_from.segment, driver.moved.segment
        where = f"{path}/seen_from/segment"
        if index.rigid_group.get(a, a) == index.rigid_group.get(b, b):
            sentence = Sentence("'{a}' and '{b}' do not move from each other.", a=a, b=b)
            yield problem("frame-driver-same", where, sentence, "Name another segment.")
        elif index.is_driven(a) and index.is_driven(b):
            sentence = Sentence("'{a}' and '{b}' both move as prescribed already.", a=a, b=b)
            yield problem("frame-driver-same", where, sentence, "Remove the driver, or a motion.")
        key = driver.moved, driver.seen_from, driver.component
        first = seen.setdefault(key, driver.id)
        if first != driver.id:
            sentence = Sentence("This component is already moved by '{first}'.", first=first)
            yield problem("frame-driver-twice", f"{path}/component", sentence, "Keep one of them.")


@finds(
    PHYSICS,
    error={
        "frame-driver-start": "A component does not start where its driver has it.",
        "frame-driver-flat": "An angle is driven where its axes are one.",
    },
)
def frame_driver_starts(index: Index) -> Iterator[Problem]:
    """Find drivers that do not fit the start pose."""
    for driver, path in index.elements("frame_drivers"):
        if driver.gives_start:
            yield from _start(index, driver, path)
        acts = driver.begins_at_once or driver.before == "held"
        if acts and driver.turns:
            pitch = component_of(index.pose, driver.model_copy(update={"component": "pitch"}))
            if 0.5 * math.pi - abs(pitch) < FLAT:
                sentence = Sentence(
                    "The frame starts at a pitch of {degrees:.4g} degrees: there yaw and roll are one.",
                    degrees=math.degrees(pitch),
                )
                hint = (
                    "Turn the frame that it is seen from, so that its z is not along the other's x."
                )
                yield problem("frame-driver-flat", f"{path}/seen_from/frame", sentence, hint)


def _start(index: Index, driver: FrameDriver, path: str) -> Iterator[Problem]:
    here, wanted = component_of(index.pose, driver), value_at_start(driver, index.functions)
    off = here - wanted
    if driver.component == "pitch" and math.cos(wanted) < 0.0:
        # the same turn, told from beyond 90 degrees
        off = math.pi - here - wanted
    if driver.turns:
        off = math.remainder(off, 2.0 * math.pi)
    if abs(off) > EXACT:
        unit = "rad" if driver.turns else "m"
        sentence = Sentence(
            "It starts at {here:.9g} {unit}; its driver has it at {wanted:.9g} {unit}.",
            here=here, wanted=wanted, unit=unit,
        )  # fmt: skip
        field = "start_value" if driver.start_value is not None else "pulse"
        hint = "Move what carries the frame, or give a velocity without a start value."
        yield problem("frame-driver-start", f"{path}/{field}", sentence, hint)
