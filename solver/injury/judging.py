"""What a figure is compared with: limits and risks that fit the body's size and the push on it.

What does not fit is left out, and the reason stands in the figure's note.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from solver.injury.parts import Occupant, weight
from solver.injury.reference import Limit, Risk, RiskCurve, reference, risks_at
from solver.maths.rotation import matrices
from solver.project.document import Project
from solver.project.injury import InjuryOutput
from solver.results.trajectory import Trajectory
from solver.words import NOTHING, Sentence, joined, msgid

_WHOLE = ("head", "upper_torso", "lower_torso", "left_upper_leg", "right_upper_leg")
"""Parts without which a body's mass says nothing of its size."""
PARTS = {
    "head": msgid("head"),
    "upper_torso": msgid("upper torso"),
    "lower_torso": msgid("lower torso"),
    "left_upper_leg": msgid("left upper leg"),
    "right_upper_leg": msgid("right upper leg"),
}
"""What these parts are called."""
_TRUNK = ("lower_torso", "upper_torso", "centre_torso")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Hold what a value is compared with, and why it is not compared with more."""

    limits: tuple[Limit, ...] = ()
    risks: tuple[Risk, ...] = ()
    why_not: Sentence = NOTHING


def mass_of(project: Project, body: Occupant | None) -> float | None:
    """Give the mass of a body (kg); none where too little of it is there to tell its size."""
    if body is None or not set(_WHOLE) <= set(body.segments):
        return None
    return weight(project, body)


def intercepts_for(
    options: InjuryOutput, mass: float | None, among: Mapping[str, Mapping[str, float]]
) -> str:
    """Name the dummy whose intercepts a figure takes unasked: the nearest one in mass."""
    wanted = options.compared_with
    if wanted is not None and wanted in among:
        return wanted
    return reference().nearest(mass, among) if mass else "hybrid_iii_50"


def judged(
    key: str,
    value: float,
    options: InjuryOutput,
    automatic: bool,
    body: Occupant | None,
    run: Trajectory,
    project: Project,
) -> Verdict:
    """Compare a value of a criterion with what holds for its body and for the push on it."""
    limits, curves = reference().limits.get(key, ()), reference().risks.get(key, ())
    mass = mass_of(project, body)
    size = options.compared_with or (reference().size_of(mass) if mass else "")
    fitting = tuple(one for one in limits if size in one.sizes)
    why = _wrong_size(limits, curves, size, mass, body)
    if key == "Nij" and fitting and options.neck != size:
        mine, used = _name(size), _name(options.neck)
        why = Sentence(
            "its intercepts are of a {used}, the body is compared with a {mine}; set 'neck'",
            used=used,
            mine=mine,
        )
        return Verdict(why_not=why)
    risks = risks_at(tuple(one for one in curves if size in one.sizes), value)
    pushes = {one.push for one in fitting if one.push and (automatic or not one.or_asked)}
    if pushes:
        trunk = next((body.segments[p] for p in _TRUNK if p in body.segments), "") if body else ""
        way = pushed_from(run, trunk, project.gravity_m_per_s2)
        for one in fitting:
            if one.push in pushes and one.push != way:
                holds = Sentence(
                    "its limit holds where the trunk is pushed from {push}", push=Sentence(one.push)
                )
                here = Sentence("the trunk is pushed from {way}", way=Sentence(way))
                if not way:
                    here = Sentence("nobody knows from where here")
                ask = Sentence("ask for it by an output to compare with it all the same")
                why = joined("; ", (holds, here, ask if one.or_asked else NOTHING))
        fitting = tuple(one for one in fitting if one.push in ("", way))
    return Verdict(fitting, risks, NOTHING if fitting or (risks and not limits) else why)


def _wrong_size(
    limits: Sequence[Limit],
    curves: Sequence[RiskCurve],
    size: str,
    mass: float | None,
    body: Occupant | None,
) -> Sentence:
    """Say why no limit and no risk fits a body; empty where there are none at all."""
    of = [*(one.sizes for one in limits), *(one.sizes for one in curves)]
    known = dict.fromkeys(size for sizes in of for size in sizes)
    if not known or size in known:
        return NOTHING
    held = msgid("its limits are for {bodies}") if limits else msgid("its risks are for {bodies}")
    there = Sentence(held, bodies=_listed(_name(s) for s in known))
    if size:
        return Sentence("{there}, not for {body}", there=there, body=_name(size))
    if mass:
        return Sentence("{there}; this body has {mass:.3g} kg", there=there, mass=mass)
    if body is None:
        return Sentence(
            "{there}, and this is no part of a body; an output names one by 'compared_with'",
            there=there,
        )
    lacking = _listed(Sentence(PARTS[part]) for part in _WHOLE if part not in body.segments)
    return Sentence(
        "{there}; this body has no {lacking}; an output names one by 'compared_with'",
        there=there,
        lacking=lacking,
    )


def _name(size: str) -> str:
    return reference().bodies[size].name


def _listed(words: Iterable[str | Sentence]) -> Sentence:
    *most, last = (w if isinstance(w, Sentence) else Sentence(w) for w in words)
    return Sentence("{most} and {last}", most=joined(", ", most), last=last) if most else last


Way = Literal["behind", "ahead", "side", "below", "above", ""]


def pushed_from(run: Trajectory, segment: str, gravity: tuple[float, float, float]) -> Way:
    """Say from where a segment is pushed most: by its greatest change of velocity, weight left out.

    Along the axes that the segment has at the start: x forward, y right, z down.
    """
    time = np.asarray(run.time)
    if len(time) < 2 or segment not in run.segment_ids:
        return ""
    motion = run.segment(segment)
    fallen = np.outer(time - time[0], gravity)
    change = (motion.velocity - motion.velocity[0] - fallen) @ matrices(motion.quaternion_wxyz[:1])[
        0
    ]
    greatest = change[int(np.argmax(np.linalg.norm(change, axis=1)))]
    axis = int(np.argmax(np.abs(greatest)))
    ways: tuple[tuple[Way, Way], ...] = (("behind", "ahead"), ("side", "side"), ("above", "below"))
    return ways[axis][0 if greatest[axis] > 0.0 else 1]
