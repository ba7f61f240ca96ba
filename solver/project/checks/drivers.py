"""Check what drives axes of joints, and when drivers begin and end."""

from __future__ import annotations

import math
from collections.abc import Iterator

from solver.base.words import Sentence
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.checks.start_angles import flexure, relative_turn
from solver.project.drivers import Driver, DriverBase
from solver.project.forms import value_at
from solver.project.holds import Lock
from solver.project.joint_table import axes_of, driven_axes, is_free, row_of, slides_of
from solver.project.joints import Joint
from solver.project.motions import History, Trapezoid
from solver.project.pose import joint_values
from solver.project.problems import Problem, listed

NEAR = 1e-9
"""By how much (rad or m) a start that is given twice may differ."""

AT_REST = 1e-6
"""Rate (m/s or rad/s) below which a coordinate may be held, or be moved after it was held."""

FLAT = math.radians(1.0)
"""Nutation, or way of a pitch to a right angle, within which two axes of three are too much one."""


@finds(
    TOPOLOGY,
    error={
        "driver-axis": "A driver names an axis that its joint does not have, or that cannot be driven.",
        "driver-twice": "Two drivers move the same axis.",
        "driver-held": "A driven axis may be held or broken by its joint.",
        "driver-start": "The start of a driven axis is given in another way, too.",
    },
)
def drivers(index: Index) -> Iterator[Problem]:
    """Find drivers that contradict their joints, the start, or each other."""
    if not index.project.drivers:
        return
    seen: dict[tuple[str, str], str] = {}
    starts = {start.joint: (i, start) for i, start in enumerate(index.project.initial.joints)}
    attitudes = {a.segment: i for i, a in enumerate(index.project.initial.attitudes)}
    values = joint_values(index.project)
    for driver, path in index.elements("drivers"):
        joint = index.by_id["joints"].get(driver.joint)
        if joint is None:
            continue
        names = driven_axes(joint)
        if driver.axis not in names:
            yield _no_axis(driver, joint, names, path)
            continue
        first = seen.setdefault((joint.id, driver.axis), driver.id)
        if first != driver.id:
            sentence = Sentence("This axis is already moved by '{first}'.", first=first)
            yield problem("driver-twice", f"{path}/axis", sentence, "Keep one of them.")
        yield from _held(driver, joint, path)
        if joint.child in attitudes and driver.gives_start:
            sentence = Sentence(
                "'{child}' has an attitude; how it starts is for the driver '{driver}' to say.",
                child=joint.child,
                driver=driver.id,
            )
            where = f"initial/attitudes/{attitudes[joint.child]}"
            change = Sentence("Remove the attitude, or give a velocity without a start value.")
            yield problem("driver-start", where, sentence, change)
        i, start = starts.get(joint.id, (0, None))
        if start is None or not (driver.begins_at_once or driver.before == "held"):
            continue
        n = names.index(driver.axis)
        here = values[joint.id][n : n + 1] if driver.begins_at_once else ()
        for field, given, wanted in (
            ("values", start.values, here),
            ("rates", start.rates, (0.0,)),
        ):
            if len(given) > n and wanted and abs(given[n] - wanted[0]) > NEAR:
                sentence = Sentence(
                    "The driver '{driver}' already says how this axis starts.", driver=driver.id
                )
                hint = Sentence("Set it to {value:g}.", value=wanted[0])
                yield problem("driver-start", f"initial/joints/{i}/{field}/{n}", sentence, hint)


def _no_axis(driver: Driver, joint: Joint, names: tuple[str, ...], path: str) -> Problem:
    sentence = Sentence(
        "'{joint}' has no axis '{axis}' that could be driven.", joint=joint.id, axis=driver.axis
    )
    hint = Sentence("Drive the components that it leaves free by drivers of a frame on its child.")
    if names:
        hint = Sentence("It has {names}.", names=listed(names))
    elif is_free(joint):
        hint = Sentence(
            "It holds nothing: drive components of a frame on its child, seen from its parent."
        )
    elif row_of(joint).acts == "ball":
        hint = Sentence(
            "It turns as a whole: use a joint of six that holds its slides, or drive an angle of a frame on its child."
        )
    return problem("driver-axis", f"{path}/axis", sentence, hint)


def _held(driver: Driver, joint: Joint, path: str) -> Iterator[Problem]:
    if joint.breakage is not None:
        sentence = Sentence("'{joint}' may break, and is driven.", joint=joint.id)
        hint = "Remove its breakage, or the driver."
        yield problem("driver-held", f"{path}/joint", sentence, hint)
    if not driver.turns:
        slide = next(one for along, one in slides_of(joint) if along.name == driver.axis)
        again = slide.lock_force_n, slide.lock_rate_m_per_s
        holds = slide.locked or any(limit is not None for limit in again)
    else:
        lock = next(one.lock for one in axes_of(joint) if one.turn.name == driver.axis)
        again = lock.lock_torque_nm, lock.lock_rate_rad_per_s
        holds = lock.locked or any(limit is not None for limit in again)
    if holds:
        sentence = Sentence("'{joint}' may hold this axis, which is driven.", joint=joint.id)
        yield problem("driver-held", f"{path}/axis", sentence, "Remove the lock, or the driver.")


@finds(
    TOPOLOGY,
    error={
        "driver-start-unused": "A start is given that the driver does not use.",
        "driver-times": "A driver ends before it begins.",
        "driver-rest-unused": "A driver says what is before or after it, and there is no such time.",
    },
)
def driver_times(index: Index) -> Iterator[Problem]:
    """Find drivers of which some word about times is not used."""
    for driver, path in _all(index):
        yield from _unused(driver, path)
        if driver.until_s is not None and driver.until_s <= driver.from_s:
            sentence = Sentence(
                "It ends at {until_s:g} s, and begins at {from_s:g} s.",
                until_s=driver.until_s, from_s=driver.from_s,
            )  # fmt: skip
            yield problem("driver-times", f"{path}/until_s", sentence, "Let it end later.")
        if driver.begins_at_once and driver.before != "free":
            sentence = Sentence("It moves its coordinate from the start: there is nothing before.")
            yield problem("driver-rest-unused", f"{path}/before", sentence, "Set it to 'free'.")
        if driver.until_s is None and driver.after != "free":
            sentence = Sentence("It moves its coordinate to the end: there is nothing after.")
            hint = "Set it to 'free', or say until when it moves."
            yield problem("driver-rest-unused", f"{path}/after", sentence, hint)


def _all(index: Index) -> Iterator[tuple[DriverBase, str]]:
    yield from index.elements("drivers")
    yield from index.elements("frame_drivers")


def _unused(driver: DriverBase, path: str) -> Iterator[Problem]:
    if driver.start_value is not None and not driver.begins_at_once:
        sentence = Sentence(
            "The start value is not used: it begins later, from where its coordinate then stands."
        )
        yield problem("driver-start-unused", f"{path}/start_value", sentence, "Leave it out.")
    elif driver.quantity == "position" and driver.start_value is not None:
        sentence = Sentence("The start value is not used: the position is given at all times.")
        hint = "Leave it out, or add it to the function."
        yield problem("driver-start-unused", f"{path}/start_value", sentence, hint)
    if driver.quantity != "acceleration" and driver.start_rate != 0.0:
        sentence = Sentence(
            "The start rate is not used: the {quantity} is given.", quantity=driver.quantity
        )
        yield problem("driver-start-unused", f"{path}/start_rate", sentence, "Set it to 0.")


@finds(
    PHYSICS,
    error={
        "driver-jumps": "A driver would set a held coordinate in motion, or stop it, in no time.",
        "driver-flat": "An Euler joint's nutation is driven where its other axes are one.",
    },
    warning={"driver-late": "A driver begins only after the run has ended."},
)
def driver_jumps(index: Index) -> Iterator[Problem]:
    """Find drivers that hold their coordinates before or after at another rate, or begin too late."""
    for driver, path in _all(index):
        end, begins = index.longest_run_s, driver.begins_s
        if end is not None and begins is not None and driver.from_s and begins >= end:
            sentence = Sentence(
                "It begins at {begins:g} s; the longest run ends at {end:g} s.",
                begins=begins,
                end=end,
            )
            yield problem("driver-late", f"{path}/from_s", sentence, "Times are in seconds.")
        for field, rests, time, side in (
            ("before", driver.before, driver.from_s, 1.0),
            ("after", driver.after, driver.until_s, -1.0),
        ):
            if rests == "free" or time is None:
                continue
            rate = _rate(index, driver, time, side)
            if abs(rate) > AT_REST:
                sentence = Sentence(
                    "It is held there, and moves by {rate:.4g} {unit} at {time:g} s: no finite force does that.",
                    rate=rate,
                    unit="rad/s" if driver.turns else "m/s",
                    time=time,
                )
                hint = "Let the pulse be at rest at that time, or the coordinate free."
                yield problem("driver-jumps", f"{path}/{field}", sentence, hint)
    for driver, path in index.elements("drivers"):
        yield from _flat(index, driver, path)


def _rate(index: Index, driver: DriverBase, time: float, side: float) -> float:
    """Give a driver's rate at a time of its own, just behind it (side 1) or before it (-1)."""
    # the kernels are loaded only where they are needed
    from solver.engine.maths import profile
    from solver.project.histories import curve_of, position

    pulse, functions = driver.pulse, {}
    if isinstance(pulse, Trapezoid) and pulse.rise_ratio + pulse.fall_ratio > 1.0 + 1e-9:
        return 0.0
    if isinstance(pulse, History):
        if value_at(index.functions[pulse.function].form, 0.0) is None:
            return 0.0
        functions = {pulse.function: curve_of(index.functions[pulse.function])}
    made = profile.joined([position(driver, functions)])
    return profile.profile_at(made, 0, time, time + side * 1e-9)[1]


def _flat(index: Index, driver: Driver, path: str) -> Iterator[Problem]:
    """Find a nutation that is driven from where precession and spin are one, both free."""
    joint = index.by_id["joints"][driver.joint]
    if driver.axis != "nutation" or not (driver.begins_at_once or driver.before == "held"):
        return
    others = {axis.turn.name for axis in axes_of(joint) if axis.lock != Lock()}
    others |= {one.axis for one in index.project.drivers if one.joint == joint.id}
    nutation = flexure(relative_turn(index, joint))
    if len(others & {"precession", "spin"}) == 0 and math.sin(nutation) < math.sin(FLAT):
        sentence = Sentence(
            "The nutation starts at {degrees:.3g} degrees: precession and spin are one there, and both are free.",
            degrees=math.degrees(nutation),
        )
        hint = "Start away from that, drive one of them too, or use a universal joint or a joint of six."
        yield problem("driver-flat", f"{path}/axis", sentence, hint)
