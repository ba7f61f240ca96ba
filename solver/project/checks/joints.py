"""Check joint settings that contradict each other or never act (second pass)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from solver.base.words import Sentence, msgid
from solver.project.azimuths import AzimuthTorque, FlexureTable
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.forms import last_argument, samples, value_at
from solver.project.joint_table import (
    ball_of,
    is_free,
    is_printed,
    locks_of,
    row_of,
    slides_of,
)
from solver.project.joints import (
    BallJoint,
    EulerJoint,
    ExtensionalJoint,
    Friction,
    Joint,
    Lock,
    SlipJoint,
    Spring,
)
from solver.project.pose import joint_values
from solver.project.problems import Problem


@finds(
    TOPOLOGY,
    error={"spring-twice": "A joint spring has a polynomial and a torque function."},
    warning={
        "spring-stop-idle": "A joint spring has a stop that does nothing.",
        "spring-pulls": "The torque of a stop turns negative.",
    },
    note={"spring-drives": "A joint spring has a linear coefficient below zero."},
)
def joint_springs(index: Index) -> Iterator[Problem]:
    """Find joint springs of which a part is ignored."""
    for spring, path in index.of(Spring):
        stop_torque = spring.quadratic_nm_per_rad2 or spring.cubic_nm_per_rad3
        if spring.torque is not None and (spring.linear_nm_per_rad or stop_torque):
            sentence = Sentence(
                "The spring has coefficients and the function '{torque}'.", torque=spring.torque
            )
            hint = "Keep one: set the coefficients to 0, or remove the function."
            yield problem("spring-twice", f"{path}/torque", sentence, hint)
        elif spring.stop_rad > 0.0 and not stop_torque and spring.restitution is None:
            sentence = Sentence("There is a stop, but no torque and no impulse beyond it.")
            hint = "Give a quadratic or cubic coefficient, or a restitution."
            yield problem("spring-stop-idle", f"{path}/stop_rad", sentence, hint)
        if spring.linear_nm_per_rad < 0.0:
            sentence = Sentence(
                "It drives the joint away from its centre by {size:g} N*m for each radian.",
                size=-spring.linear_nm_per_rad,
            )
            hint = "Right for a joint that snaps over; else give it without its sign."
            yield problem("spring-drives", f"{path}/linear_nm_per_rad", sentence, hint)
        if spring.quadratic_nm_per_rad2 + spring.cubic_nm_per_rad3 < 0.0:
            sentence = Sentence("One radian beyond the stop its torque pulls instead of holding.")
            hint = "Make the cubic coefficient larger, or the quadratic one."
            yield problem("spring-pulls", f"{path}/cubic_nm_per_rad3", sentence, hint)


@finds(
    PHYSICS,
    error={
        "bend-one-sided": "A torque differs below zero, where a bend never is.",
    },
)
def bends(index: Index) -> Iterator[Problem]:
    """Find torques with two sides by angles that have one."""
    for joint, path in index.elements("joints"):
        ball = ball_of(joint)
        torque = None if ball is None else ball.flexure.torque
        if torque is not None and _has_two_sides(index.functions[torque].form):
            sentence = Sentence(
                "Flexure is never below zero: what '{torque}' says there never acts, and it is not the same as above.",
                torque=torque,
            )
            hint = (
                "Give the torque from zero on. Where the two ways of a bend resist differently, use a "
                "pin or universal joint, or a globographic stop, whose contour depends on the way."
            )
            yield problem("bend-one-sided", f"{path}/flexure/torque", sentence, hint)


def _has_two_sides(form: Any) -> bool:
    """Whether a torque below zero is another than that above it, the other way round."""
    x, _ = samples(form)
    if not len(x) or float(x.min()) >= 0.0:
        return False
    sizes = sorted({abs(float(v)) for v in x} | {abs(last_argument(form) or 0.0)})
    sides = [(value_at(form, -v), value_at(form, v)) for v in sizes]
    most = max((abs(v) for two in sides for v in two if v is not None), default=0.0)
    return any(a is None or b is None or abs(a + b) > 1e-9 * most for a, b in sides)


@finds(
    TOPOLOGY,
    note={
        "torque-printed": "Torsion, stop contours or flexure by azimuth act as printed, which can make energy."
    },
)
def printed(index: Index) -> Iterator[Problem]:
    """Find joints that keep to the printed form of torsion and stop contours."""
    found = [(joint, path) for joint, path in index.elements("joints") if is_printed(joint)]
    if found:
        joint, path = found[0]
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        sentence = Sentence(
            "'{joint}'{more}: torsion, stop contours and flexure by azimuth act as they are printed. That can make energy once a joint is bent.",
            joint=joint.id,
            more=more,
        )
        yield problem("torque-printed", f"{path}/torque_law", sentence, "Set it to 'conserving'.")


@finds(
    TOPOLOGY,
    error={"lock-torques": "A lock opens at a lower torque than it holds at."},
    warning={"lock-idle": "A lock has settings that never act."},
)
def locks(index: Index) -> Iterator[Problem]:
    """Find locks that cannot act or that flutter."""
    for lock, path in index.of(Lock):
        again = lock.lock_torque_nm is not None or lock.lock_rate_rad_per_s is not None
        if (
            lock.unlock_torque_nm is not None
            and lock.lock_torque_nm is not None
            and lock.lock_torque_nm >= lock.unlock_torque_nm
        ):
            sentence = Sentence(
                "It opens above {unlock_torque_nm:g} N*m and is held again below {lock_torque_nm:g} N*m.",
                unlock_torque_nm=lock.unlock_torque_nm,
                lock_torque_nm=lock.lock_torque_nm,
            )
            hint = "The lock torque must be below the unlock torque."
            yield problem("lock-torques", f"{path}/lock_torque_nm", sentence, hint)
        elif not lock.locked and lock.unlock_torque_nm is not None and not again:
            sentence = Sentence("The axis is free at the start and nothing ever holds it.")
            hint = "Set 'locked', or give a lock torque or rate."
            yield problem("lock-idle", f"{path}/unlock_torque_nm", sentence, hint)
        elif lock.locked and lock.unlock_torque_nm is None and again:
            field = "lock_torque_nm" if lock.lock_torque_nm is not None else "lock_rate_rad_per_s"
            sentence = Sentence("The axis is held from the start and nothing ever opens it.")
            yield problem("lock-idle", f"{path}/{field}", sentence, "Give an unlock torque.")


@finds(
    TOPOLOGY,
    error={
        "slip-no-effect": "A slip joint has settings for a turn that it does not allow.",
    },
)
def slip_joints(index: Index) -> Iterator[Problem]:
    """Find settings of slip joints that would be ignored."""
    default = SlipJoint.model_fields
    for joint, path in index.of(SlipJoint):
        row = row_of(joint)
        used = {turn.field for turn in row.turns} | ({"friction", "lock"} if row.turns else set())
        if row.acts == "ball":
            used |= {"flexure", "torsion", "by_azimuth"}
        for field in ("flexure", "torsion", "friction", "lock", "by_azimuth"):
            if field not in used and getattr(joint, field) != default[field].default:
                sentence = Sentence(
                    "'{field}' has no effect with rotation '{rotation}'.",
                    field=field,
                    rotation=joint.rotation,
                )
                hint = "Remove it, or choose another rotation."
                yield problem("slip-no-effect", f"{path}/{field}", sentence, hint)


@finds(
    TOPOLOGY,
    error={
        "strut-no-effect": "A strut has settings for a turn or a length that it does not change."
    },
)
def struts(index: Index) -> Iterator[Problem]:
    """Find settings of extensional joints that would be ignored."""
    default = ExtensionalJoint.model_fields
    for joint, path in index.of(ExtensionalJoint):
        used = {turn.field for turn in row_of(joint).turns}
        used |= set() if joint.rigid else {"length", "rest_length_m"}
        for field in ("at_parent", "at_child", "length", "rest_length_m"):
            if field not in used and getattr(joint, field) != default[field].default:
                sentence = Sentence("'{field}' has no effect on this strut.", field=field)
                hint = "Remove it, or choose another rotation, or let it be not rigid."
                yield problem("strut-no-effect", f"{path}/{field}", sentence, hint)


@finds(
    PHYSICS,
    error={"strut-length": "A strut has no length at the start."},
)
def strut_lengths(index: Index) -> Iterator[Problem]:
    """Find struts that start without a length, so that they have no direction."""
    values = joint_values(index.project)
    for joint, path in index.of(ExtensionalJoint):
        row, given = row_of(joint), values.get(joint.id, ())
        start = row.slid(given)[0] if len(given) == row.coordinates else 0.0
        if not start >= SHORTEST_M:
            sentence = Sentence("The strut starts {mm:g} mm long.", mm=1e3 * start)
            hint = "Set its length under initial joints."
            yield problem("strut-length", path, sentence, hint)


@finds(
    TOPOLOGY,
    error={
        "slide-release-idle": "Sliding is free, yet a release force is given.",
        "slide-release-order": "The release forces of a slide are in the wrong order.",
        "slide-lock-order": "A slide is held again by more than opens it.",
    },
    warning={"slide-lock-idle": "A held slide never opens, yet says when it is held again."},
)
def releases(index: Index) -> Iterator[Problem]:
    """Find releases of slides that never happen, or always."""
    for joint, path in index.elements("joints"):
        for along, slide in slides_of(joint):
            yield from _release(slide, f"{path}/{along.field}")


def _release(slide: Any, path: str) -> Iterator[Problem]:
    below, above = slide.release_below_n, slide.release_above_n
    again = "lock_force_n" if slide.lock_force_n is not None else "lock_rate_m_per_s"
    holds = getattr(slide, again) is not None
    if slide.locked and holds and below is None and above is None:
        sentence = Sentence(
            "Sliding is held and never released; when it is held again says nothing."
        )
        yield problem(
            "slide-lock-idle", f"{path}/{again}", sentence, "Give a release force, or remove it."
        )
    if not slide.locked and not holds and (below is not None or above is not None):
        field = "release_below_n" if below is not None else "release_above_n"
        sentence = Sentence("Sliding is free from the start; there is nothing to release.")
        yield problem(
            "slide-release-idle", f"{path}/{field}", sentence, "Set 'locked', or remove it."
        )
    elif below is not None and above is not None and below >= above:
        sentence = Sentence(
            "It opens under {below:g} N and over {above:g} N: at every force.",
            below=below,
            above=above,
        )
        hint = "The first must be less than the second."
        yield problem("slide-release-order", f"{path}/release_below_n", sentence, hint)
    opens = [abs(limit) for limit in (below, above) if limit is not None]
    if slide.lock_force_n is not None and opens and slide.lock_force_n >= min(opens):
        sentence = Sentence(
            "It opens at {opens:g} N and is held again below {holds:g} N.",
            opens=min(opens),
            holds=slide.lock_force_n,
        )
        hint = "The second must be less than the first."
        yield problem("slide-lock-order", f"{path}/lock_force_n", sentence, hint)


@finds(
    TOPOLOGY,
    error={
        "breakage-free": "A free joint is given a load at which it breaks.",
        "breakage-heals": "What breaks is to close again where it has come apart.",
        "breakage-hangs": "Parts of a joint that breaks are to stay together, and it is none that can.",
    },
    warning={"breakage-none": "A breakage has no limit."},
)
def breakages(index: Index) -> Iterator[Problem]:
    """Find breakages that never happen."""
    for joint, path in index.elements("joints"):
        if joint.breakage is None:
            continue
        if is_free(joint):
            sentence = "A free joint carries no load and cannot break."
            yield problem("breakage-free", f"{path}/breakage", sentence, "Remove it.")
        elif not any(joint.breakage.limits):
            sentence = "Neither a force nor a torque is given at which the joint breaks."
            yield problem("breakage-none", f"{path}/breakage", sentence, "Give one, or remove it.")
        yield from _hangs(joint, path)
        yield from _relocks(joint.breakage, path)
        turn = joint.breakage.heals_below_rad
        if turn is not None and joint.breakage.heals_below_m is None:
            message = Sentence("A turn is given below which it closes, but no separation.")
            yield problem("breakage-heals", f"{path}/breakage/heals_below_rad", message, _NEAR)
    for item, path in index.elements("constraints"):
        if item.breakage is None:
            continue
        if not any(getattr(item.breakage, f) for f in _LIMITS if hasattr(item.breakage, f)):
            sentence = "No load is given at which it breaks."
            yield problem("breakage-none", f"{path}/breakage", sentence, "Give one, or remove it.")
        if hasattr(item.breakage, "heals_below_m"):
            yield from _relocks(item.breakage, path)


SHORTEST_M = 1e-4
"""Length below which a strut is none (assumed)."""

_LIMITS = ("force_n", "force_x_n", "force_y_n", "force_z_n", "pull_n", "across_n")
_NEAR = msgid("Give 'heals_below_m', less than the ramp.")


def _hangs(joint: Joint, path: str) -> Iterator[Problem]:
    if joint.breakage is None or joint.breakage.hangs_nm is None:
        return
    at = f"{path}/breakage/hangs_nm"
    if not isinstance(joint, BallJoint):
        sentence = "Only parts of a ball joint stay together once it has broken."
        yield problem("breakage-hangs", at, sentence, "Make it a ball joint, or leave it away.")
    elif joint.breakage.fades or joint.friction.relaxation_s is not None:
        sentence = "Parts that stay together have no ramp, and no friction with a relaxation."
        yield problem("breakage-hangs", at, sentence, "Leave the ramp or the relaxation away.")


def _relocks(breakage: Any, path: str) -> Iterator[Problem]:
    heals, ramp = breakage.heals_below_m, breakage.ramp_m
    if heals is not None and (ramp is None or heals >= ramp):
        if ramp is None:
            sentence = Sentence("It breaks without a ramp: nothing is left that could close again.")
        else:
            sentence = Sentence(
                "It closes again below {heals:g} m, and has come apart at {ramp:g} m.",
                heals=heals,
                ramp=ramp,
            )
        yield problem("breakage-heals", f"{path}/breakage/heals_below_m", sentence, _NEAR)


@finds(
    TOPOLOGY,
    error={
        "lock-keeps": "A lock is to keep a torque that it has not, or about more than one axis.",
        "slide-keeps": "A slide is to keep a release force that would drive it.",
    },
)
def kept(index: Index) -> Iterator[Problem]:
    """Find locks and slides that cannot keep the load at which they open."""
    for joint, path in index.elements("joints"):
        for lock in locks_of(joint):
            if not lock.keeps_torque:
                continue
            if row_of(joint).acts != "axes":
                sentence = Sentence(
                    "Only single axes keep a torque: a ball and an Euler joint do not."
                )
                yield problem(
                    "lock-keeps", path, sentence, "Use friction, or a joint of single axes."
                )
            elif lock.unlock_torque_nm is None:
                sentence = Sentence("It is to keep its unlock torque, but none is given.")
                yield problem("lock-keeps", path, sentence, "Give an unlock torque.")
        for along, slide in slides_of(joint):
            below, above = slide.release_below_n, slide.release_above_n
            if not slide.keeps_force:
                continue
            if below is None and above is None:
                sentence = Sentence("It is to keep its release force, but none is given.")
            elif (below or -1.0) > 0.0 or (above or 1.0) < 0.0:
                sentence = Sentence("A force kept from there would drive the slide, not resist it.")
            else:
                continue
            hint = "Release below a force less than zero, and above one more than zero."
            yield problem("slide-keeps", f"{path}/{along.field}/keeps_force", sentence, hint)


# Check resistance to flexure by azimuth, and friction of joints by their own force and with a spring in a row.

SHORT_S = 1e-5
"""Relaxation that makes steps short: of a pure damper, what a run cannot tell from it (*assumed*)."""


@finds(
    TOPOLOGY,
    error={
        "azimuth-order": "Azimuths of a resistance to flexure do not rise.",
        "relaxation-euler": "Viscous torque of an Euler joint cannot relax.",
    },
    warning={
        "bearing-idle": "A joint's friction by its own force lacks coefficient or radius.",
        "relaxation-idle": "A relaxation has no viscous torque that relaxes.",
        "relaxation-short": "Viscous torque relaxes so fast that steps become short.",
    },
)
def azimuths(index: Index) -> Iterator[Problem]:
    """Find azimuths out of order, and friction by the joint's force that does nothing."""
    for table, path in index.of(FlexureTable):
        for n, (one, other) in enumerate(pairwise(table.around)):
            if other.azimuth_rad <= one.azimuth_rad:
                sentence = Sentence(
                    "{other:.1f} degrees follow on {one:.1f}.",
                    other=math.degrees(other.azimuth_rad),
                    one=math.degrees(one.azimuth_rad),
                )
                where = f"{path}/around/{n + 1}/azimuth_rad"
                yield problem(
                    "azimuth-order", where, sentence, "Give them from -180 degrees on, rising."
                )
                break
    eulers = {path for joint, path in index.elements("joints") if isinstance(joint, EulerJoint)}
    for friction, path in index.of(Friction):
        if (friction.coefficient > 0.0) != (friction.radius_m > 0.0):
            lacks = "radius_m" if friction.coefficient > 0.0 else "coefficient"
            sentence = Sentence("Friction is the product of both, and one is zero.")
            hint = Sentence("Give '{lacks}', or set the other to 0.", lacks=lacks)
            yield problem("bearing-idle", f"{path}/{lacks}", sentence, hint)
        if friction.relaxation_s is not None:
            of_euler = "/".join(path.split("/")[:2]) in eulers
            yield from _relaxation(friction, f"{path}/relaxation_s", of_euler=of_euler)


def _relaxation(friction: Friction, path: str, *, of_euler: bool) -> Iterator[Problem]:
    """Find a relaxation that no joint has, that does nothing, or that is as short as a damper's time."""
    if of_euler:
        sentence = Sentence(
            "The three axes of an Euler joint change places as they are held and freed."
        )
        yield problem("relaxation-euler", path, sentence, "Leave it out, or take a ball joint.")
    elif friction.viscous_nms_per_rad == 0.0:
        sentence = Sentence("There is no viscous torque here.")
        yield problem(
            "relaxation-idle", path, sentence, "Give 'viscous_nms_per_rad', or leave it out."
        )
    elif friction.relaxation_s is not None and friction.relaxation_s < SHORT_S:
        sentence = Sentence(
            "It relaxes in {time:.1g} s: steps become as short.", time=friction.relaxation_s
        )
        yield problem("relaxation-short", path, sentence, "Take a longer time, or leave it out.")


@finds(
    PHYSICS,
    error={"azimuth-negative": "A conserving resistance to flexure falls below zero."},
    warning={"azimuth-straight": "A resistance to flexure is not zero in a straight joint."},
)
def torques(index: Index) -> Iterator[Problem]:
    """Find torques by azimuth that drive the bend, or that jump where the joint is straight."""
    for joint, path in index.elements("joints"):
        table: FlexureTable | None = getattr(joint, "by_azimuth", None)
        if table is None:
            continue
        for n, one in enumerate(table.around):
            where = f"{path}/by_azimuth/around/{n}/torque"
            yield from _torque(index, one, where, conserving=not is_printed(joint))


def _torque(index: Index, one: AzimuthTorque, where: str, *, conserving: bool) -> Iterator[Problem]:
    form = index.functions[one.torque].form
    x, y = samples(form)
    least = min((float(b) for a, b in zip(x, y, strict=True) if a >= 0.0), default=0.0)
    if conserving and least < 0.0:
        sentence = Sentence("'{torque}' falls to {least:g} N*m.", torque=one.torque, least=least)
        hint = (
            "A dead band is zero here; only the printed form takes what is below zero as none, and that form "
            "has no potential."
        )
        yield problem("azimuth-negative", where, sentence, hint)
    elif (value_at(form, 0.0) or 0.0) > 0.0:
        sentence = Sentence(
            "'{torque}' begins at {start:g} N*m: in a straight joint its direction jumps.",
            torque=one.torque,
            start=value_at(form, 0.0),
        )
        yield problem("azimuth-straight", where, sentence, "Let it rise from zero.")
