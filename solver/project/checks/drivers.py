"""Check what is driven (second pass)."""

from __future__ import annotations

from collections.abc import Iterator

from solver.project.checks.index import Index
from solver.project.checks.registry import TOPOLOGY, finds, problem
from solver.project.drivers import Driver
from solver.project.joint_table import axes_of, driven_axes, slides_of
from solver.project.joints import Joint
from solver.project.pose import joint_values
from solver.project.problems import Problem, listed
from solver.words import Sentence

NEAR = 1e-9
"""By how much (rad or m) a start that is given twice may differ."""


@finds(
    TOPOLOGY,
    error={
        "driver-axis": "A driver names an axis that its joint does not have, or that cannot be driven.",
        "driver-twice": "Two drivers move the same axis.",
        "driver-held": "A driven axis may be held or broken by its joint.",
        "driver-start": "The start of a driven axis is given in another way, too.",
        "driver-start-unused": "A start is given that the driver does not use.",
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
        yield from _unused(driver, path)
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
        if start is None:
            continue
        n = names.index(driver.axis)
        for field, given, wanted in (
            ("values", start.values, values[joint.id][n : n + 1]),
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
    hint = Sentence("Axes of pins, slip and universal joints and of joints of six can be driven.")
    if names:
        hint = Sentence("It has {names}.", names=listed(names))
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


def _unused(driver: Driver, path: str) -> Iterator[Problem]:
    if driver.quantity == "position" and driver.start_value is not None:
        sentence = Sentence("The start value is not used: the position is given at all times.")
        hint = "Leave it out, or add it to the function."
        yield problem("driver-start-unused", f"{path}/start_value", sentence, hint)
    if driver.quantity != "acceleration" and driver.start_rate != 0.0:
        sentence = Sentence(
            "The start rate is not used: the {quantity} is given.", quantity=driver.quantity
        )
        yield problem("driver-start-unused", f"{path}/start_rate", sentence, "Set it to 0.")
