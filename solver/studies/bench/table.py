"""Bench tests, as the entries of dummies have them: what is done, what is asked, and by which paragraph."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, ValidationError

from solver.base.words import Refusal, msgid
from solver.bodies.dummies import DUMMIES, dummy_entry
from solver.project.fields import Part
from solver.project.problems import problems_of
from solver.project.study_parts import Asked, BenchKind


class BenchError(Refusal, ValueError):
    """Say in one sentence why there is no such test."""

    __module__ = "manikin"


TITLES: Mapping[str, str] = {
    "head_drop": msgid("Head drop"),
    "neck_flexion": msgid("Neck flexion"),
    "neck_extension": msgid("Neck extension"),
    "thorax": msgid("Thorax impact"),
    "thorax_slow": msgid("Slow thorax impact"),
    "thorax_pressed": msgid("Thorax pressed"),
    "knee": msgid("Knee impact"),
    "hip": msgid("Hip joint, femur flexion"),
    "torso_flexion": msgid("Torso flexion"),
    "head_side": msgid("Head drop on its side"),
    "neck_side": msgid("Neck bent aside"),
    "shoulder_side": msgid("Shoulder struck from the side"),
    "rib_drop": msgid("Rib, high drop"),
    "rib_drop_low": msgid("Rib, low drop"),
    "thorax_side": msgid("Thorax struck from the side"),
    "thorax_arm": msgid("Arm and thorax struck from the side"),
    "abdomen_side": msgid("Abdomen struck from the side"),
    "lumbar_side": msgid("Lumbar spine bent aside"),
    "pelvis_side": msgid("Hip struck from the side"),
    "iliac_side": msgid("Ilium struck from the side"),
}

_SIDE = msgid(
    "The dummy sits free, without weight; legs level; the probe is guided and comes from the left."
)
_FREE = msgid("The dummy sits free, without weight; arms and legs level; the probe is guided.")
CONDITIONS: Mapping[str, str] = {
    "head_drop": msgid("Steel plate, forehead; the head alone."),
    "thorax": _FREE,
    "thorax_slow": _FREE,
    "thorax_pressed": msgid("Spine held; a force on the breastbone grows by 2 kN in a second."),
    "hip": msgid("Pelvis held, weight left out, raised by 7.5 degrees a second."),
    "torso_flexion": msgid("Pelvis held, legs off; pulled within 3 s."),
    "head_side": msgid("Steel plate, the head alone, its crown 35 degrees below level."),
    "neck_side": msgid("With a headform of 3.9 kg, whose inertia is assumed."),
    "lumbar_side": msgid("With a headform of 3.9 kg, whose inertia is assumed."),
    "rib_drop": msgid("Spine held; a mass of a rig falls on the middle rib."),
    "rib_drop_low": msgid("Spine held; a mass of a rig falls on the middle rib."),
    **dict.fromkeys(
        ("shoulder_side", "thorax_side", "thorax_arm", "abdomen_side", "pelvis_side", "iliac_side"),
        _SIDE,
    ),
}
"""How tests are done, where that is not said by their paragraph."""

UNITS: Mapping[str, tuple[float, str]] = {
    "g": (9.80665, "m/s2"),
    "deg": (0.017453292519943295, "rad"),
    "ms": (1e-3, "s"),
    "mm": (1e-3, "m"),
    "N": (1.0, "N"),
    "N*m": (1.0, "N*m"),
    "%": (0.01, "1"),
    "m/s": (1.0, "m/s"),
}
"""Units of the table: size and SI unit."""


class Pulse(Part):
    """The deceleration of a pendulum (g) by time (ms), made for its speed."""

    ms: tuple[float, ...]
    g: tuple[float, ...]


class BenchTest(Part):
    """One test of one dummy."""

    kind: BenchKind
    paragraph: str
    speed: float = 0.0
    """m/s."""
    mass: float = 0.0
    """Of the probe, kg."""
    face: float = 0.0
    """Diameter of the probe's face, m."""
    face_high: float = 0.0
    """Height of a face that is not round, m; `face` is its breadth."""
    load: float = 0.0
    """Largest force (N) of a pull; it only has to go beyond what is asked."""
    drop: float = 0.0
    """Height of a drop, m."""
    cfc: int = 0
    """Channel class of the pendulum's acceleration, or of the sternum's deflection."""
    pulse: Pulse | None = None
    asked: Annotated[tuple[Asked, ...], Field(min_length=1)]


@functools.cache
def dummies() -> tuple[str, ...]:
    """Name the dummies that have tests."""
    return tuple(name for name in DUMMIES if dummy_entry(name).tests)


@functools.cache
def bench_tests(dummy: str) -> tuple[BenchTest, ...]:
    """Give the tests of a dummy in the order of its entry; raises BenchError for a field that is wrong."""
    return tuple(_test(dummy, one) for one in dummy_entry(dummy).tests)


def _test(dummy: str, data: Mapping[str, Any]) -> BenchTest:
    try:
        return BenchTest.model_validate(data)
    except ValidationError as failure:
        found = problems_of(failure, data, BenchTest)[0]
        raise BenchError("A test of the dummy '{name}': {found}", name=dummy, found=found) from None


def bench_test(dummy: str, kind: str, speed_ratio: float = 1.0) -> BenchTest:
    """One test of a dummy, at its speed or at another; raises BenchError where there is none."""
    if dummy not in dummies():
        raise BenchError(
            "'{name}' has no bench tests. These have: {known}.",
            name=dummy,
            known=", ".join(dummies()),
        )
    known: dict[str, BenchTest] = {test.kind: test for test in bench_tests(dummy)}
    found = known.get(kind)
    if found is None:
        raise BenchError(
            "'{name}' has no test '{kind}'. It has: {known}.",
            name=dummy,
            kind=kind,
            known=", ".join(known),
        )
    if speed_ratio == 1.0:
        return found
    if not (found.speed or found.drop):
        raise BenchError("'{kind}' has no speed: it is done slowly.", kind=kind)
    # who drops from four times the height comes twice as fast
    faster = {"speed": speed_ratio * found.speed, "drop": speed_ratio**2 * found.drop}
    return found.model_copy(update=faster)
