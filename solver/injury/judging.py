"""What a figure is compared with: limits and risks that fit the body's size and the push on it.

What does not fit is left out, and the reason stands in the figure's note.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from solver.base.words import NOTHING, Sentence, joined, msgid
from solver.bodies.dummies import masses
from solver.engine.maths.rotation import matrices
from solver.injury.parts import Occupant, weight
from solver.injury.reference import Limit, Risk, RiskCurve, reference, risks_at
from solver.project.document import Project
from solver.project.outputs import InjuryOutput
from solver.results.trajectory import Trajectory

# The chest by age: a risk curve at another age, and the limit that means the same risk there.
#
# The logistic curve of US NCAP has an age in it (Laituri and others 2005): 12.597 - 0.05861 age, at 35 years the
# 10.5456 that the rating prints.

LAW = "fmvss_208"
"""The standard whose limit is carried to other ages."""


def at_age(curve: RiskCurve, age: float | None) -> RiskCurve:
    """A risk curve at an age (years); one that knows no ages, or is asked for none, as it is."""
    if age is None or not curve.per_year:
        return curve
    return replace(curve, a=curve.a - curve.per_year * (age - curve.age), age=age)


def limits_at(
    limits: Sequence[Limit], curves: Sequence[RiskCurve], age: float | None
) -> tuple[Limit, ...]:
    """Give limits at which the risk is that of the law's limit at the age that its curve is for."""
    if age is None:
        return ()
    return tuple(
        _same_risk(limit, curve, age)
        for curve in curves
        for limit in limits
        if curve.per_year and limit.standard == LAW and set(limit.sizes) & set(curve.sizes)
    )


def _same_risk(limit: Limit, curve: RiskCurve, age: float) -> Limit:
    """Solve b x^n - a = b x0^n - a0 for x: the same risk at another age."""
    x0 = (limit.limit * curve.unit_factor) ** curve.exponent
    x = x0 - curve.per_year * (age - curve.age) / curve.b
    value = max(x, 0.0) ** (1.0 / curve.exponent) / curve.unit_factor
    source = (
        f"{100.0 * curve(limit.limit):.0f} % {curve.level} at {age:g} years, as the limit of {limit.source} means at "
        f"{curve.age:g}; {curve.source}"
    )
    return replace(
        limit, limit=float(f"{value:.4g}"), source=source, standard="research", seen=curve.seen, push=(curve.push,),
    )  # fmt: skip


def of_no_age(key: str, options: InjuryOutput, size: str) -> Sentence:
    """Say that an age was given for which nothing is known of such a body."""
    if options.age_years is None or any(
        one.per_year and size in one.sizes for one in reference().risks.get(key, ())
    ):
        return NOTHING
    return Sentence("nothing is known of its risk by age for this body")


# Which limits and ratings belong to which load case: those of aircraft seats to no car, those of cars to no fall.

SAID: Mapping[str, str] = {
    "frontal": msgid("frontal crashes of cars"),
    "rear": msgid("rear impacts of cars"),
    "side": msgid("side impacts of cars"),
    "rollover": msgid("rollovers"),
    "aircraft": msgid("aircraft seats"),
    "ejection": msgid("ejection seats"),
    "pedestrian": msgid("pedestrians"),
    "fall": msgid("falls"),
    "other": msgid("another load case"),
}
"""What the load cases of projects are called."""


def cases_text(cases: Iterable[str]) -> Sentence:
    """Name load cases."""
    return joined(", ", (Sentence(SAID[one]) for one in cases))


def belongs(standard: str, case: str, asked: bool = False) -> bool:
    """Whether a standard belongs to a project's load case; `asked`: the project asks for the figure."""
    known = reference().standards.get(standard)
    if known is None or not known.cases or case in known.cases:
        return True
    return not case and (asked or not known.declared)


def not_of_this(limit: Limit, case: str, automatic: bool) -> Sentence:
    """Say that a limit belongs to another load case; empty where it belongs to this one."""
    if belongs(limit.standard, case, limit.or_asked and not automatic):
        return NOTHING
    cases = cases_text(reference().standards[limit.standard].cases)
    if case:
        return Sentence(
            "its limit is for {cases}, this project is of {case}",
            cases=cases,
            case=Sentence(SAID[case]),
        )
    return Sentence("its limit is for {cases}, and the project names no load case", cases=cases)


# Which dummy a body is, or is like: limits are chosen by that, and what they rest on is said.

WHOLE = ("head", "upper_torso", "lower_torso", "left_upper_leg", "right_upper_leg")
"""Parts without which a body's mass says nothing of its size."""
PARTS = {
    "head": msgid("head"),
    "upper_torso": msgid("upper torso"),
    "lower_torso": msgid("lower torso"),
    "left_upper_leg": msgid("left upper leg"),
    "right_upper_leg": msgid("right upper leg"),
}
"""What these parts are called."""
SAME = 1e-3
"""Part of its mass by which a part may differ and still be that of a dummy of the library."""


@dataclass(frozen=True, slots=True)
class MatchedDummy:
    """Say which dummy a body is compared with, and why.

    `how` is "dummy" where its parts weigh what those of the library's dummy do, "mass" where it is like one in
    mass alone, else empty; its size is empty then too. The mass is zero where too little of a body is there.
    """

    size: str = ""
    how: Literal["dummy", "mass", ""] = ""
    mass: float = 0.0

    @property
    def name(self) -> str:
        """Name the dummy."""
        return reference().bodies[self.size].name if self.size else ""

    @property
    def said(self) -> Sentence:
        """Say who it is."""
        if self.how == "dummy":
            return Sentence("{dummy}, a dummy of the library", dummy=self.name)
        if self.how == "mass":
            return Sentence(
                "a body of {mass:.3g} kg, compared with {dummy}, which it is like in mass alone (assumed)",
                mass=self.mass,
                dummy=self.name,
            )
        if self.mass:
            return Sentence("no limit is known for a body of {mass:.3g} kg", mass=self.mass)
        return Sentence("no limit is known for a part of a body")


def mass_of(project: Project, body: Occupant | None) -> float | None:
    """The mass of a body (kg); none where too little of it is there to tell its size."""
    if body is None or not set(WHOLE) <= set(body.segments):
        return None
    return weight(project, body)


def matched_dummy(project: Project, body: Occupant | None) -> MatchedDummy:
    """Tell which dummy a body is."""
    mass = mass_of(project, body)
    if body is None or mass is None:
        return MatchedDummy()
    own = {s.id: s.mass_kg for s in project.segments}
    for one in reference().bodies.values():
        if one.library:
            parts = masses(one.library)
            if all(abs(own[body.segments[p]] - parts[p]) <= SAME * parts[p] for p in WHOLE):
                return MatchedDummy(one.id, "dummy", mass)
    size = reference().size_of(mass) if mass > 0.0 else ""
    return MatchedDummy(size, "mass" if size else "", mass)


TRUNK = ("lower_torso", "upper_torso", "centre_torso")
"""Parts whose motion says from where a body is pushed, the first that it has."""
Way = Literal["behind", "ahead", "side", "below", "above", ""]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a value is compared with, and why it is not compared with more."""

    limits: tuple[Limit, ...] = ()
    risks: tuple[Risk, ...] = ()
    why_not: Sentence = NOTHING
    refused: tuple[tuple[str, Sentence], ...] = ()
    """Standards that limit the figure, though not here, with the reason."""


@dataclass(frozen=True, slots=True)
class Case:
    """Hold whom a figure is about, from where he is pushed, and the load case that his project names."""

    body: Occupant | None
    who: MatchedDummy
    way: Way
    load: str = ""


def intercepts_for(
    options: InjuryOutput, mass: float | None, among: Mapping[str, Mapping[str, float]]
) -> str:
    """Name the dummy whose intercepts a figure takes unasked: the nearest one in mass."""
    wanted = options.compared_with
    if wanted is not None and wanted in among:
        return wanted
    return reference().nearest(mass, among) if mass else reference().mid_size


def judged(key: str, value: float, options: InjuryOutput, automatic: bool, case: Case) -> Verdict:
    """Compare a value of a criterion with what holds for its body and for the push on it."""
    limits, known = reference().limits.get(key, ()), reference().risks.get(key, ())
    limits = (*limits, *limits_at(limits, known, options.age_years))
    curves = tuple(at_age(one, options.age_years) for one in known)
    size = options.compared_with or case.who.size
    foreign = _foreign(key, options, size)
    refused: list[tuple[str, Sentence]] = []
    fitting = tuple(one for one in limits if size in one.sizes or not one.sizes)
    wrong = _wrong_size(limits, curves, size, case)
    refused += [(one.standard, _for_others(one, case)) for one in limits if one not in fitting]
    if foreign and (fitting or curves):
        refused += [(one.standard, foreign) for one in fitting]
        return Verdict(why_not=foreign, refused=tuple(refused))
    unfit = {one: why for one in fitting if (why := _misfit(one, case, automatic))}
    refused += [(one.standard, why) for one, why in unfit.items()]
    why = refused[-1][1] if fitting and refused else wrong
    fitting = tuple(one for one in fitting if one not in unfit)
    mine = tuple(one for one in curves if size in one.sizes)
    pushed = tuple(one for one in mine if _pushed((one.push,), case.way))
    if mine and not pushed and not limits:
        why = _wrong_push((mine[0].push,), case.way, False)
    risks = risks_at(pushed, value)
    done = fitting or (risks and not limits)
    return Verdict(fitting, risks, NOTHING if done else why, tuple(refused))


def made_for_others(criterion: str, options: InjuryOutput, case: Case) -> Sentence:
    """Say that the constants of a criterion are of other bodies or pushes than those here."""
    made = reference().made_for.get(criterion)
    if made is None:
        return NOTHING
    words = []
    if (options.compared_with or case.who.size) not in made.sizes:
        words.append(Sentence("its constants are of {body}", body=made.of))
    if not _pushed(made.push, case.way):
        pushes = _listed(Sentence(_PUSHES[one]) for one in made.push)
        words.append(Sentence("it was made for pushes {push}", push=pushes))
    return joined("; ", words)


def _misfit(limit: Limit, case: Case, automatic: bool) -> Sentence:
    """Say that a limit is for another load case or another push; empty where it fits."""
    elsewhere = not_of_this(limit, case.load, automatic)
    fits = _pushed(limit.push, case.way, limit.or_asked and not automatic)
    if elsewhere and (case.load or fits):
        return elsewhere
    return NOTHING if fits else _wrong_push(limit.push, case.way, limit.or_asked)


def _pushed(push: Sequence[str], way: str, asked: bool = False) -> bool:
    """Whether what holds for some pushes holds here."""
    return not push or push == ("",) or way in push or asked


def _for_others(limit: Limit, case: Case) -> Sentence:
    """Say of a limit that it is for another body."""
    if case.who.size:
        return Sentence(
            "its limit is for {body}, not for {mine}", body=limit.body, mine=case.who.name
        )
    return Sentence("its limit is for {body}; {who}", body=limit.body, who=case.who.said)


def _wrong_push(push: Sequence[str], way: str, or_asked: bool) -> Sentence:
    """Say that a limit is for another direction."""
    held = _listed(Sentence(_PUSHES[one]) for one in push)
    holds = Sentence("its limit holds where the trunk is pushed {push}", push=held)
    here = Sentence("the trunk is pushed {way}", way=Sentence(_PUSHES[way])) if way else None
    here = here or Sentence("nobody knows from where here")
    ask = Sentence("ask for it by an output to compare with it all the same")
    return joined("; ", (holds, here, ask if or_asked else NOTHING))


_PUSHES = {
    "behind": msgid("from behind"),
    "ahead": msgid("from ahead"),
    "side": msgid("from the side"),
    "below": msgid("from below"),
    "above": msgid("from above"),
}
"""From where a trunk is pushed, in words."""


def pushed_words(way: str) -> Sentence:
    """Say from where a body is pushed."""
    if not way:
        return Sentence("nobody knows from where it is pushed")
    return Sentence("pushed {way}", way=Sentence(_PUSHES[way]))


def _foreign(key: str, options: InjuryOutput, size: str) -> Sentence:
    """Say that a figure was made with the numbers of another dummy than its body's."""
    known = reference()
    if key == "Nij" and size in known.necks and options.neck != size:
        return Sentence(
            "its intercepts are of a {used}, the body is compared with a {mine}; set 'neck'",
            used=_name(options.neck),
            mine=_name(size),
        )
    if key == "VC" and size in known.chests:
        mine = known.chests[size]
        if (options.depth_m, options.scale) != (mine["depth"], mine["scale"]):
            return Sentence(
                "depth and scale are not those of a {mine}, {depth:g} m and {scale:g}",
                mine=_name(size),
                depth=mine["depth"],
                scale=mine["scale"],
            )
    return NOTHING


def _wrong_size(
    limits: Sequence[Limit], curves: Sequence[RiskCurve], size: str, case: Case
) -> Sentence:
    """Say why no limit and no risk fits a body; empty where there are none at all."""
    of = [*(one.sizes for one in limits), *(one.sizes for one in curves)]
    known = list(dict.fromkeys(size for sizes in of for size in sizes))
    if not known or size in known:
        return NOTHING
    # those that are named alone are reported where there are no others
    known = [one for one in known if reference().bodies[one].mass_kg] or list(known)
    held = msgid("its limits are for {bodies}") if limits else msgid("its risks are for {bodies}")
    there = Sentence(held, bodies=_listed(_name(s) for s in known))
    if size:
        return Sentence("{there}, not for {body}", there=there, body=_name(size))
    if case.who.mass:
        return Sentence("{there}; this body has {mass:.3g} kg", there=there, mass=case.who.mass)
    body = case.body
    if body is None:
        return Sentence(
            "{there}, and this is no part of a body; an output names one by 'compared_with'",
            there=there,
        )
    lacking = _listed(Sentence(PARTS[part]) for part in WHOLE if part not in body.segments)
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
