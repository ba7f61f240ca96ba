"""Check what drives axes of joints, and when drivers begin and end."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from solver.base.words import NOTHING, Sentence
from solver.engine.maths.rotation import Array
from solver.project.angles import start_angles, turned
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.forms import last_argument, value_at
from solver.project.functions import Table
from solver.project.joint_table import axes_of, ball_of, driven_axes, is_free, row_of, slides_of
from solver.project.joints import Joint, Lock
from solver.project.motions import (
    ConstantHistory,
    Driver,
    DriverBase,
    FrameDriver,
    History,
    Prescribed,
    Trapezoid,
)
from solver.project.pose import (
    bent_nodes,
    component_of,
    joint_values,
    standing_frame,
    value_at_start,
)
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


# Check what drives components of frames.

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


# Check that prescribed motions move steadily (third pass).


@finds(
    PHYSICS,
    error={"motion-jumps": "A prescribed place or speed jumps while a run goes on."},
)
def steady_motions(index: Index) -> Iterator[Problem]:
    """Find motions whose place or speed jumps before the longest run ends: no finite force does that."""
    given = [
        (motion.id, component.component, f"{path}/components/{i}", component)
        for motion, path in index.elements("motions")
        for i, component in enumerate(motion.components)
    ]
    for name in ("drivers", "frame_drivers"):
        given += [(one.id, one.coordinate, path, one) for one, path in index.elements(name)]
    given = [row for row in given if _may_jump(row[-1])]
    if not index.project.runs or not given:
        return
    # the kernels are loaded only where they are needed
    from solver.project.histories import curve_of, jumps

    for name, coordinate, path, component in given:
        pulse, functions = component.pulse, {}
        if isinstance(pulse, Trapezoid) and pulse.rise_ratio + pulse.fall_ratio > 1.0 + 1e-9:
            continue
        if isinstance(pulse, History):
            if value_at(index.functions[pulse.function].form, 0.0) is None:
                continue
            functions = {pulse.function: curve_of(index.functions[pulse.function])}
        found = jumps(index.project, component, functions)
        if found:
            t, what = found[0]
            sentence = Sentence(
                "The {component} of '{motion}' jumps in {what} at {t:g} s; no finite force moves a body so.",
                component=coordinate,
                motion=name,
                what=Sentence(what),
                t=t,
            )
            yield problem("motion-jumps", f"{path}/pulse", sentence, _remedy(index, component, t))


def _may_jump(component: Prescribed) -> bool:
    return component.quantity != "acceleration" and not isinstance(component.pulse, ConstantHistory)


def _remedy(index: Index, component: Prescribed, t: float) -> Sentence:
    """Say how to move steadily instead."""
    pulse = component.pulse
    if not isinstance(pulse, History):
        if component.quantity == "velocity":
            return Sentence(
                "Let it rise and fall over a part of its duration, or give the acceleration."
            )
        return Sentence(
            "Take a haversine or a table with a spline, or give the velocity or the acceleration."
        )
    form = index.functions[pulse.function].form
    if isinstance(form, Table):
        if t >= (last_argument(form) or 0.0) * (1.0 - 1e-9) or t <= form.x[0]:
            return Sentence(
                "Beyond its ends a table stays at its end value: let it reach over the whole run, "
                "or join its points by a spline_at_rest."
            )
        if component.quantity == "position":
            return Sentence(
                "Join its points by a spline, or give the velocity or the acceleration."
            )
    return Sentence("Give a function without a jump there, or the acceleration.")


# The angles of joints at time zero, as their springs see them.


def relative_turn(index: Index, joint: Any) -> Array:
    """The turn of the child's joint frame in the parent's at time zero."""
    R_WP = index.pose[joint.parent].R_WS @ standing_frame(joint, bent_nodes(index.project))[0]
    R_WC = index.pose[joint.child].R_WS @ index.turn(joint.child_frame.orientation)
    R: Array = R_WP.T @ R_WC
    return R


def has_stop(spring: Any) -> bool:
    """Whether a spring has a stop of its own."""
    return spring.torque is None and bool(spring.quadratic_nm_per_rad2 or spring.cubic_nm_per_rad3)


def angles_seen(
    index: Index, joint: Any, values: tuple[float, ...]
) -> list[tuple[Sentence, Any, float]]:
    """List the angles (rad) at time zero that a joint's springs see, each from its centre."""
    ball, axes = ball_of(joint), axes_of(joint)
    springs = [axis.spring for axis in axes] if ball is None else [ball.flexure, ball.torsion]
    if not any(has_stop(spring) for spring in springs):
        return []
    R, row = relative_turn(index, joint), row_of(joint)
    if ball is not None:
        return [
            (Sentence(" of flexure"), ball.flexure, flexure(R)),
            (Sentence(" of torsion"), ball.torsion, _torsion(R)),
        ]
    is_turned = any(one.segment == joint.child for one in index.project.initial.attitudes)
    if row.acts == "euler":
        q = start_angles(joint, R, values, is_turned=is_turned)
    else:
        q = row.turned(values) or turned(R, row.order)
    return [
        (
            Sentence(" of {axis}", axis=axis.turn.label) if len(axes) > 1 else NOTHING,
            axis.spring,
            value - axis.centre_rad,
        )
        for axis, value in zip(axes, q, strict=True)
    ]


def flexure(R: Array) -> float:
    """The angle (rad) between the z axes."""
    return math.atan2(math.hypot(R[0, 2], R[1, 2]), R[2, 2])


def _torsion(R: Array) -> float:
    return math.atan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1])


@finds(
    TOPOLOGY,
    error={"drive-idle": "A drive's inertia is given where it cannot act."},
)
def drives(index: Index) -> Iterator[Problem]:
    """Find inertias of drives on axes that have no coordinate of their own, or are moved as prescribed."""
    driven = {(one.joint, one.axis) for one in index.project.drivers}
    for joint, path in index.elements("joints"):
        row, acting = row_of(joint), {one.turn.field: one.turn.name for one in axes_of(joint)}
        # a strut that is rigid has no length to drive
        acting |= {along.field: along.name for along, _ in slides_of(joint) if not getattr(joint, "rigid", False)}  # fmt: skip
        own = acting if row.acts == "axes" or row.slides else {}
        for field, held in (("", joint), *vars(joint).items()):
            given = getattr(held, "drive_inertia_kgm2", 0.0) or getattr(held, "drive_mass_kg", 0.0)
            if not given or (not field and row.acts == "ball"):
                # of a ball it acts on all three turns
                continue
            axes = [own[field]] if field in own else []
            if not field and row.acts == "axes":
                axes = [one.turn.name for one in axes_of(joint) if not one.part]
            name = "drive_mass_kg" if hasattr(held, "drive_mass_kg") else "drive_inertia_kgm2"
            where = "/".join(part for part in (path, field, name) if part)
            if not axes:
                sentence = Sentence(
                    "'{joint}' has no coordinate here on which a drive acts.", joint=joint.id
                )
                hint = "Set it to 0, or use a pin, a ball, a universal joint or a joint of six."
                yield problem("drive-idle", where, sentence, hint)
            elif (joint.id, axes[0]) in driven:
                sentence = Sentence(
                    "A driver moves '{axis}', and the drive's inertia would do nothing.",
                    axis=axes[0],
                )
                yield problem("drive-idle", where, sentence, "Set it to 0, or remove the driver.")
