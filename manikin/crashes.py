"""A new crash from a few choices."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, TypedDict, Unpack

from manikin.model import Model
from solver.analysis.crash.build import CASES, Crash, first, oddities
from solver.analysis.crash.build import crash as built
from solver.analysis.crash.cases import Case
from solver.bodies import Body, BodyError

CHOICES = tuple(name for name in Crash.__dataclass_fields__ if name != "case")


LoadCase = Literal[
    "frontal", "passenger", "rear_seat", "booster", "child_seat", "rear", "side", "pole", "far_side", "rollover", "aircraft",
    "ejection", "pedestrian", "fall",
]  # fmt: skip


def load_cases() -> Mapping[str, Case]:
    """The load cases of `mk.crash` by name, with what each offers, the first being what it begins with.

    >>> case = mk.load_cases()["frontal"]
    >>> case.title, case.postures[0], len(case.belts) > 1
    ('Frontal crash of a car', 'driving', True)
    """
    return CASES


class Choices(TypedDict, total=False):
    """What can be chosen of a crash; what is left out is as its load case has it."""

    who: str | Body
    posture: str
    seat: str
    surroundings: str
    belt: str
    bag: str
    curtain: str
    pulse: str
    track_m: float | None
    height_m: float | None
    tilt_rad: float
    duration_s: float
    speed_km_per_h: float | None
    height_of_fall_m: float | None


def crash(case: LoadCase, **choices: Unpack[Choices]) -> Model:
    """A crash that can be run, of one of the load cases.

    These are `frontal` (the driver), `passenger`, `rear_seat`, `booster` (a child on one), `child_seat` (a smaller one in a
    harness), `rear`, `side` (a barrier strikes beside the driver), `pole`, `far_side` (the other side is struck), `rollover`, `aircraft`, `ejection`, `pedestrian` and `fall`. Choices that are not made are those of the load case: `who` (a body, or by name one of the library, `man` or `woman`), `posture`,
    `seat`, `surroundings`, `belt`, `bag`, `curtain` (entries of the library, "" for none), `pulse` (which says how severe it is),
    `track_m` and `height_m` of the seat (none: as suits the legs), `tilt_rad`, `duration_s`; of a pedestrian
    `speed_km_per_h`, of a fall `height_of_fall_m`. What is not offered in this load case, lies beyond its bounds
    or changes nothing is refused by a sentence that says what may stand there. The body is at rest, the belt lies
    over it, contacts follow from the parts; where soles do not reach the floor, or more than its seat is pressed
    into at the start, a warning says so, and the model's note.

    >>> large = mk.crash("frontal", who="hybrid_iii_95m", belt="three_point_left")
    >>> large.project.title
    'Frontal crash of a car: Hybrid III, 95th percentile man'
    >>> [plane.id for plane in mk.crash("fall").project.planes]
    ['road_ground_plane']
    """
    for name in choices:
        if name not in CHOICES:
            raise BodyError("There is no choice '{name}'. There are: {known}.", name=name, known=", ".join(CHOICES))  # fmt: skip
    chosen = replace(first(case), **choices)
    project = built(chosen)
    for one in oddities(project, chosen):
        warnings.warn(str(one), stacklevel=2)
    return Model(project)


__all__ = ["CASES", "crash"]
