"""What of belts and bags could be otherwise, one thing at a time: a limiter, a pretensioner, vents, gas, when they fire."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from solver.analysis.acting.messages import brief
from solver.base.units import convert, display_unit, plain, pretty
from solver.base.words import tr
from solver.bodies.library import occupant
from solver.bodies.library.entries import LibraryError
from solver.bodies.library.inserting import insert
from solver.bodies.library.occupants import MAIN
from solver.bodies.library.seating import posture_of
from solver.editing.naming import free_id, taken
from solver.engine.maths.rotation import matrices
from solver.injury import Occupant
from solver.project import Project
from solver.project.airbags import Airbag, MassFlowInflator
from solver.project.belts import (
    AnchorPoint,
    Harness,
    LoadLimiter,
    Pretensioner,
    Strap,
    StrapEnd,
    SurfacePoint,
    TimeTrigger,
)
from solver.project.contact import PlaneContact
from solver.project.functions import Function, Table
from solver.project.joint_table import carrying
from solver.project.pose import start_pose, turn
from solver.project.segments import GROUND
from solver.results.trajectory import Trajectory
from solver.studies.softening import Changed, Lever, scaled, values_of

LESS = 0.8
"""Part that a change leaves of a limiter's force: enough to be seen, little enough to be built."""
EARLIER_S, SENSED_S = 0.005, 0.008
"""How much earlier a device fires, and before when no sensor has decided (s): 8 ms is the quickest of frontal sensors, *assumed*, 8 to 20 ms."""
WIDER, NARROWER = 1.3, 0.8
"""Parts of a vent's area, wider and narrower."""
SLACK_M = 0.005
"""What spare webbing is worth taking out."""
STROKE_M, STROKE_S, PULL_N, FIRES_S = 0.1, 0.008, 1800.0, 0.012
"""A pretensioner like those of the library's belts: *assumed* there."""
LEAST_N = 1000.0
"""Straps that pull with less need no limiter."""
REACHED = 0.9
"""Part of its force from which on a limiter has given."""


# Belts.


def of_harness(
    project: Project, run: Trajectory, id_: str, when: tuple[float, str], *, earlier: bool
) -> Changed:
    """What of a harness could be otherwise, by what pulls at an instant (s): its limiter, or one where it has none, its slack; what shall be held `earlier`, a pretensioner."""
    at, units = when
    harness = next(one for one in project.harnesses if one.id == id_)
    name = brief(project, f"harnesses/{id_}")
    for number, strap in enumerate(harness.straps):
        if strap.slack_m > SLACK_M:
            words = tr("Lay the {name} without its slack of {mm:.0f} mm.", name=name, mm=1e3 * strap.slack_m)  # fmt: skip
            made = _with_strap(project, harness, number, strap.model_copy(update={"slack_m": 0.0}))
            yield Lever(tr("Take the slack out of the {name}", name=name), words, made)
        if not _over(strap, "upper_torso"):
            continue
        for end in ("end_device", "start_device"):
            yield from _of_end(project, run, (harness, number, end, at), (name, units))
        if not any(_has(strap, end, "load_limiter") for end in _ENDS):
            yield from _with_limiter(project, run, (harness, number, at), (name, units))
        if earlier and not any(_has(strap, end, "pretensioner") for end in _ENDS):
            yield from _with_pretensioner(project, (harness, number), name)


_ENDS = ("start_device", "end_device")


def _over(strap: Strap, part: str) -> bool:
    """Whether a strap lies on a part of a body, or on what stands for it."""
    on = [one.surface.segment for one in strap.points if isinstance(one, SurfacePoint)]
    finer = (part, *(name for name, role in MAIN.items() if role == part))
    return any(segment.endswith(finer) for segment in on)


def _has(strap: Strap, end: str, device: str) -> bool:
    found = getattr(strap, end)
    return found is not None and (found.given or getattr(found, device) is not None)


def _with_strap(project: Project, harness: Harness, number: int, strap: Strap) -> Project:
    straps = tuple(strap if n == number else one for n, one in enumerate(harness.straps))
    made = harness.model_copy(update={"straps": straps})
    harnesses = tuple(made if one.id == harness.id else one for one in project.harnesses)
    return project.model_copy(update={"harnesses": harnesses})


def _tension(run: Trajectory, strap: str, end: str, at: float) -> float:
    """The tension at an end of a strap at an instant (N)."""
    found = run.table("harnesses").row(strap)["tension"][:, _ENDS.index(end)]
    return float(found[int(np.argmin(np.abs(run.time - at)))])


def _said(force: float, units: str) -> str:
    unit = display_unit("N", units)
    return f"{plain(convert(force, 'N', unit), 2)} {pretty(unit)}"


def _of_end(
    project: Project, run: Trajectory, where: tuple[Harness, int, str, float], said: tuple[str, str]
) -> Changed:
    """A limiter at an end of a strap that gives at less, where it gives at the instant."""
    harness, number, end, at = where
    name, units = said
    strap = harness.straps[number]
    devices: StrapEnd | None = getattr(strap, end)
    if devices is None or devices.load_limiter is None:
        return
    given = values_of(project, devices.load_limiter.force)
    made = scaled(project, devices.load_limiter.force, LESS)
    pulls = _tension(run, harness.names_in_results[number], end, at)
    if made is None or not given or pulls < REACHED * given[0]:
        return
    device = devices.model_copy(update={"load_limiter": LoadLimiter(force=made[1])})
    new = _with_strap(made[0], harness, number, strap.model_copy(update={end: device}))
    words = tr(
        "Let the limiter of the {name} give at 20 % less: {new} in place of {old}.",
        name=name, new=_said(LESS * given[0], units), old=_said(given[0], units),
    )  # fmt: skip
    yield Lever(tr("Limiter of the {name} 20 % lower", name=name), words, new)


def _free_end(strap: Strap) -> str:
    """The end at which a device can be fitted: where one is already, else the last anchor; empty for none."""
    ends = {"start_device": strap.points[0], "end_device": strap.points[-1]}
    able = [
        end
        for end, point in ends.items()
        if isinstance(point, AnchorPoint)
        and not (getattr(strap, end) is not None and getattr(strap, end).given)
    ]
    fitted = [end for end in able if getattr(strap, end) is not None]
    return (fitted or able or [""])[-1]


def _function(project: Project, id_: str, name: str, units: tuple[str, str], curve: Any) -> tuple[Project, str]:  # fmt: skip
    new = free_id(id_, taken(project, "functions"))
    source = tr("assumed: a suggestion, no measured part behind it")
    x, y = curve
    form = Table(x=x, y=y)
    made = Function.model_validate(
        {
            "id": new,
            "name": name,
            "source": source,
            "x_unit": units[0],
            "y_unit": units[1],
            "form": form,
        }
    )
    return project.model_copy(update={"functions": (*project.functions, made)}), new


def _with_limiter(
    project: Project, run: Trajectory, where: tuple[Harness, int, float], said: tuple[str, str]
) -> Changed:
    """A load limiter where there is none, below what the strap pulls with at the instant."""
    harness, number, at = where
    name, units = said
    strap = harness.straps[number]
    end = _free_end(strap)
    if not end:
        return
    pulls = _tension(run, harness.names_in_results[number], end, at)
    if pulls < LEAST_N:
        return
    level = round(LESS * pulls, -2)
    curve = ((0.0, 0.4), (level, 1.02 * level))
    words = tr("Load limiter: tension")
    made, force = _function(project, f"{harness.id}_load_limit", words, ("m", "N"), curve)
    device = (getattr(strap, end) or StrapEnd()).model_copy(
        update={"load_limiter": LoadLimiter(force=force)}
    )
    new = _with_strap(made, harness, number, strap.model_copy(update={end: device}))
    words = tr(
        "Give the {name} a load limiter at {new}; it pulls with {old} then.",
        name=name, new=_said(level, units), old=_said(pulls, units),
    )  # fmt: skip
    yield Lever(tr("Load limiter for the {name}", name=name), words, new)


def _with_pretensioner(project: Project, where: tuple[Harness, int], name: str) -> Changed:
    """A pretensioner like those of the library's belts where there is none."""
    harness, number = where
    strap = harness.straps[number]
    end = _free_end(strap)
    if not end:
        return
    curve = ((0.0, STROKE_S), (0.0, STROKE_M))
    words = tr("Pretensioner: stroke")
    made, stroke = _function(project, f"{harness.id}_pretensioner_stroke", words, ("s", "m"), curve)
    one = Pretensioner(trigger=TimeTrigger(time_s=FIRES_S), stroke=stroke, force_limit_n=PULL_N)
    device = (getattr(strap, end) or StrapEnd()).model_copy(update={"pretensioner": one})
    new = _with_strap(made, harness, number, strap.model_copy(update={end: device}))
    words = tr(
        "Give the {name} a pretensioner that fires at {ms:g} ms and pulls with {kn:g} kN.",
        name=name, ms=1e3 * FIRES_S, kn=1e-3 * PULL_N,
    )  # fmt: skip
    yield Lever(tr("Pretensioner for the {name}", name=name), words, new)


BELT = "three_point_left"


def belted(project: Project, body: Occupant, name: str) -> Changed:
    """A three-point belt of the library for somebody in a seat of a vehicle that is driven, who wears none."""
    theirs = {*body.segments.values()}
    worn = [
        point.surface.segment
        for harness in project.harnesses
        for strap in harness.straps
        for point in strap.points
        if isinstance(point, SurfacePoint)
    ]
    worn += [belt.surface.segment for belt in project.belts]
    pelvis = body.segments.get("lower_torso", "")
    carrier = next((motion.segment for motion in project.motions), "")
    if theirs & {*worn} or not pelvis.endswith("lower_torso") or not carrier:
        return
    prefix = pelvis.removesuffix("lower_torso").rstrip("_")
    who = occupant(project, prefix)
    if who is None or posture_of(project, who) not in ("seated", "driving") or not _sits_in(project, theirs, carrier):  # fmt: skip
        return
    hips = [one for one in carrying(project.joints) if one.child in {body.segments.get(leg) for leg in ("right_upper_leg", "left_upper_leg")}]  # fmt: skip
    pose = start_pose(project)
    if len(hips) != 2 or carrier not in pose:
        return
    middle = np.mean([pose[one.child].of(np.array(one.child_frame.position_m)) for one in hips], 0)
    x, y, z = map(float, pose[carrier].R_WS.T @ (middle - pose[carrier].p_W))
    for ahead in (prefix, f"{prefix}_new"):
        try:
            made = insert(project, BELT, ahead, attach_to=carrier, at=(x, y, z), on=prefix)
        except LibraryError:
            # ids that a belt of before has left are taken
            continue
        words = tr("Give {body} a three-point belt of the library, with pretensioner and load limiter.", body=name)  # fmt: skip
        yield Lever(tr("Three-point belt"), words, made)
        return


def _sits_in(project: Project, theirs: Collection[str], carrier: str) -> bool:
    """Whether somebody may touch a plane that is carried: a seat."""
    planes = {one.id for one in project.planes if one.segment == carrier}
    return any(
        isinstance(one, PlaneContact) and one.plane in planes and one.surface.segment in theirs
        for one in project.contacts
    )


# Airbags.


SPARE = 0.15
"""Part of a bag's depth that must be left for it to give way more softly: else what it holds goes through to what is behind, *assumed*, 0.1 to 0.3."""


def room_left(project: Project, run: Trajectory, bag: Airbag, segment: str) -> float | None:
    """What is left between a part that a bag holds and the bag's panel where it comes nearest, over the depth of the bag; None where no surface is a panel."""
    part = next((one for one in project.segments if one.id == segment), None)
    if not bag.panels or part is None or not part.surfaces:
        return None
    panel = bag.panels[0].segment
    way = turn(bag.orientation)[:, 0]
    held = run.segment(segment)
    if panel == GROUND:
        away = held.position @ way
    else:
        base = run.segment(panel)
        way = matrices(base.quaternion_wxyz) @ way
        away = ((held.position - base.position) * way).sum(axis=1)
    semi = getattr(part.surfaces[0], "semi_axes_m", (0.0,))
    return float(np.abs(away).min() - min(semi)) / (2.0 * bag.semi_axes_m[0])


def of_airbag(project: Project, id_: str, hits_through: bool) -> Changed:
    """What of a bag could be otherwise: vents, when it fires, how much gas; one that is gone through holds too little."""
    bag = next(one for one in project.airbags if one.id == id_)
    name = brief(project, f"airbags/{id_}")
    by, words, title = (
        (NARROWER, tr("Make the vents of the {name} 20 % smaller, so that it holds more.", name=name), tr("Vents of the {name} 20 % smaller", name=name))
        if hits_through
        else (WIDER, tr("Make the vents of the {name} 30 % larger, so that it gives way more softly.", name=name), tr("Vents of the {name} 30 % larger", name=name))
    )  # fmt: skip
    if bag.vents:
        vents = tuple(v.model_copy(update={"area_m2": by * v.area_m2}) for v in bag.vents)
        yield Lever(title, words, _with_bag(project, bag, vents=vents))
    if not hits_through:
        inflator = _less_gas(project, bag)
        if inflator is not None:
            words = tr("Let the {name} blow 15 % less gas.", name=name)
            yield Lever(tr("Gas of the {name} 15 % less", name=name), words, inflator)
    if isinstance(bag.trigger, TimeTrigger) and bag.trigger.time_s >= SENSED_S + EARLIER_S:
        at = bag.trigger.time_s
        trigger = TimeTrigger(time_s=round(at - EARLIER_S, 6))
        words = tr(
            "Fire the {name} 5 ms earlier: at {new:g} in place of {old:g} ms.",
            name=name, new=1e3 * trigger.time_s, old=1e3 * at,
        )  # fmt: skip
        made = _with_bag(project, bag, trigger=trigger)
        yield Lever(tr("Fire the {name} 5 ms earlier", name=name), words, made)


GAS = 0.85


def _less_gas(project: Project, bag: Airbag) -> Project | None:
    inflator = bag.inflator
    if isinstance(inflator, MassFlowInflator):
        made = scaled(project, inflator.flow, GAS)
        if made is None:
            return None
        return _with_bag(made[0], bag, inflator=inflator.model_copy(update={"flow": made[1]}))
    update = {"pressure_pa": GAS * inflator.pressure_pa}
    return _with_bag(project, bag, inflator=inflator.model_copy(update=update))


def _with_bag(project: Project, bag: Airbag, **fields: Any) -> Project:
    made = bag.model_copy(update=fields)
    return project.model_copy(
        update={"airbags": tuple(made if one.id == bag.id else one for one in project.airbags)}
    )
