"""What printed ranges of steering column and airbag do in the default sample: their ends, and a wheel that is fixed.

BMW 760Li 2003: pins shear at 3 kN, then 3 to 7 kN over 70 mm. Volvo XC70 2009 and S60 2011: some 2 kN to begin, at most 95 mm
(makers' workshop manuals). The sample has the middle of both. NHTSA test 10146 (its data file): the column's
middle lay 2838 mm ahead of the car's rear before and 2902 mm after.

Airbag: 30 to 60 l (Autoliv), an inflator's ports of 50 to 200 mm2 (Daicel, patent), fired at 15 to 20 ms (safemotorist.com).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

import manikin as mk

WHEEL = "car_steering_wheel"
SLIDE = f"joints/{WHEEL}_mount/slide"
END = "functions/car_column_end/form/x"
MIDDLE = (4.5e3, 0.082)
ENDS = ((2e3, 0.095), (7e3, 0.07))
"""Load (N) and way (m): the softest and the stiffest of what is printed."""
FIXED = (1e9, 0.082)
MEASURED_M = 2.902 - 2.838
"""How far the column's middle has gone ahead in the test, from the rear of the car."""
BAG = "airbags/driver_bag"
FIRE = f"{BAG}/trigger/time_s"
PRETENSION = "harnesses/driver_three_point_belt/straps/belt/end_device/pretensioner/trigger/time_s"
PORTS = f"{BAG}/inflator/throat_area_m2"
SIZE = f"{BAG}/semi_axes_m"
_FULL, _OF_L = (0.148, 0.269, 0.269), 45.0
OLD_BAG = {SIZE: (0.165, 0.3, 0.3), PORTS: 4e-4, FIRE: 0.012, PRETENSION: 0.012}
"""The bag that was assumed before: 60 l, full 11 ms after it and the pretensioner had fired."""
_KNEE_LAW = tuple(f"functions/car_knee_bag_{what}/form/x" for what in ("force", "offset"))
DASH = "car_dashboard"
LOWER = f"segments/{DASH}/surfaces/lower_dash/centre_m"
PADDING = "functions/car_dash_padding_force/form/y"
_THIN = (0.0, 0.01, 0.03, 0.1, 0.13, 0.16)
"""Depths (m) of the knee bag's law when it was 38 mm thinner."""


@cache
def solved(load: float, way: float, arms: bool = True) -> mk.Run:
    """Run the sample with a column that gives at a load (N) for a way (m); the bag may leave out the arms."""
    values = {f"{SLIDE}/release_above_n": load, END: (-0.01, 0.0, way, way + 0.01)}
    project = mk.sample("frontal").with_values(values).project
    (bag,) = project.airbags
    kept = tuple(t for t in bag.touches if arms or not t.segment.endswith("_arm"))
    bags = (bag.model_copy(update={"touches": kept}),)
    return mk.run(mk.Model(project.model_copy(update={"airbags": bags})))


def way(run: mk.Run) -> float:
    """How far the wheel goes in the car (m)."""
    tr = run.trajectory
    gone = tr.segment(WHEEL).position - tr.segment("vehicle").position
    return float(np.linalg.norm(gone - gone[0], axis=1).max())


@cache
def with_bag(litres: float = _OF_L, ports_m2: float = 125e-6, fires_s: float = 0.0175) -> mk.Run:
    """Run the sample with a bag of another size and the same gas, other ports, or fired at another time with the pretensioner."""
    scale = (litres / _OF_L) ** (1.0 / 3.0)
    size = tuple(scale * axis for axis in _FULL)
    return changed({SIZE: size, PORTS: ports_m2, FIRE: fires_s, PRETENSION: fires_s})


def changed(values: Mapping[str, object]) -> mk.Run:
    """Run the sample with other values."""
    return mk.run(mk.sample("frontal").with_values(values))


def nearer(way: float, *planes: str) -> dict[str, object]:
    """The places of planes of the car that come nearer by a way (m)."""
    found: dict[str, object] = {}
    for plane in mk.sample("frontal").project.planes:
        if plane.id in planes:
            for name in ("p1_m", "p2_m", "p3_m"):
                x, y, z = getattr(plane.placement, name)
                found[f"planes/{plane.id}/placement/{name}"] = (x - way, y, z)
    return found


def as_before() -> mk.Run:
    """Run the sample as it stood before: 23.5 mm nearer, as he had slid ahead while he settled, with a knee bag 126 mm thick."""
    mount = f"joints/{WHEEL}_mount/parent_frame/position_m"
    wheel = next(j for j in mk.sample("frontal").project.joints if j.id == f"{WHEEL}_mount")
    x, y, z = wheel.parent_frame.position_m
    board = next(j for j in mk.sample("frontal").project.joints if j.id == f"{DASH}_mount")
    u, v, w = board.parent_frame.position_m
    return changed(
        {
            mount: (x - 0.0235, y, z),
            f"joints/{DASH}_mount/parent_frame/position_m": (u - 0.0235, v, w),
        }
        | nearer(0.0235, "car_header")
        | nearer(0.0235 - 0.038, "car_knee_bag")
        | dict.fromkeys(_KNEE_LAW, _THIN)
    )


def with_thin_knee_bag() -> mk.Run:
    """Run the sample with a knee bag that fills 126 mm of 166, as assumed before."""
    return changed(nearer(-0.038, "car_knee_bag") | dict.fromkeys(_KNEE_LAW, _THIN))


@cache
def without_dash() -> mk.Run:
    """Run the sample as it stood before: the knee bag holds knees and thighs, and shins meet nothing."""
    project = mk.sample("frontal").project
    kept = tuple(
        one for one in project.contacts
        if getattr(getattr(one, "second", None), "segment", "") != DASH
    )  # fmt: skip
    return mk.run(mk.Model(project.model_copy(update={"contacts": kept})))


def with_dash(lower: float = 0.0, factor: float = 1.0) -> mk.Run:
    """Run the sample with the lower dash lower by a way (m), or with a dash so many times as stiff."""
    project = mk.sample("frontal").project
    segment = next(one for one in project.segments if one.id == DASH)
    x, y, z = next(one for one in segment.surfaces if one.id == "lower_dash").centre_m
    law = next(one for one in project.functions if one.id == "car_dash_padding_force")
    return changed({LOWER: (x, y, z + lower), PADDING: tuple(factor * y for y in law.form.y)})
