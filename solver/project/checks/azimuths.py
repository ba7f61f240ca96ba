"""Check resistance to flexure by azimuth, and friction of joints by their own force and with a spring in a row."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from solver.base.words import Sentence
from solver.project.azimuths import AzimuthTorque, FlexureTable
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.forms import samples, value_at
from solver.project.joint_table import is_printed
from solver.project.joints import EulerJoint, Friction
from solver.project.problems import Problem

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
