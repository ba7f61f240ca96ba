"""Check resistance to flexure by azimuth, and friction by a joint's own force."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from solver.project.azimuths import AzimuthTorque, FlexureTable
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.forms import samples, value_at
from solver.project.joint_table import is_printed
from solver.project.joints import Friction
from solver.project.problems import Problem
from solver.words import Sentence


@finds(
    TOPOLOGY,
    error={"azimuth-order": "Azimuths of a resistance to flexure do not rise."},
    warning={"bearing-idle": "A joint's friction by its own force lacks coefficient or radius."},
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
    for friction, path in index.of(Friction):
        if (friction.coefficient > 0.0) != (friction.radius_m > 0.0):
            lacks = "radius_m" if friction.coefficient > 0.0 else "coefficient"
            sentence = Sentence("Friction is the product of both, and one is zero.")
            hint = Sentence("Give '{lacks}', or set the other to 0.", lacks=lacks)
            yield problem("bearing-idle", f"{path}/{lacks}", sentence, hint)


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
