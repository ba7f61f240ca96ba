"""A new crash from a few choices: load case, seat, who, restraints, pulse; all by rule, and at rest."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from solver.analysis.crash.cases import (
    AHEAD_M,
    BELOW_M,
    BOUNDS,
    CASES,
    Case,
    Crash,
    first,
    in_crash,
    look_at,
)
from solver.analysis.crash.scenes import (
    DOOR,
    KMH,
    POLE,
    PUSHED_SEAT,
    VEHICLE,
    Vector,
    aimed,
    following,
    free_body,
    in_vehicle,
    on_thighs,
    on_wheel,
    pitched,
    run_of,
    seated,
    spread,
    struck_on_the_left,
    vehicle,
    without_unused,
)
from solver.analysis.equilibrium.diagnosis import health
from solver.analysis.equilibrium.settling import settle
from solver.analysis.equilibrium.statics import SettleError, may_stop
from solver.base.words import Sentence
from solver.bodies import DUMMIES, Body, Place, library_body
from solver.bodies.dummies import dummy_entry, of_size
from solver.bodies.insert import placed_at
from solver.bodies.library import entry, insert, occupant
from solver.bodies.library.seating import hanging
from solver.bodies.made_to_measure import body_named
from solver.project.checks import check
from solver.project.document import Project
from solver.project.functions import Function, Table
from solver.project.geometry import Orientation
from solver.project.motions import HalfSine, Motion, MotionComponent
from solver.project.problems import Problem
from solver.project.studies import AssumedNumber

_BRAKING_M_PER_S2 = 8.0
_BEFORE_M, _ASIDE_M = -0.02, 0.22
_CLEAR_M, _TRIES = 0.005, 10
_HALF_TURN_S = 1.0
_ELBOWS_RAD = (0.3, 0.97)
"""How far elbows are spread as hands go to the wheel: those of a mid-size man, of a small woman."""
SEVERITY = AssumedNumber(
    id="struck_severity",
    name="How fast door, seat and car are pushed",
    group="Assumed",
    source="18 to 31 km/h, 24 in the mean: 49 side tests of the IIHS (abstract); doors of 10 and 12 m/s: Haland and Pipkorn (abstract); both to one half: assumed",
    path="functions/door_door_speed/form/y",
    along=("functions/seat_seat_speed/form/y", "motions/car_pulse/components/0/pulse/amplitude"),
    is_factor=True,
    low=0.85,
    high=1.2,
)
_STARTS, _DEEP_MM = ("start-deep", "start-behind"), 5.0
"""Findings of the check that report overlap; feet and hands at rest press in less deep than this."""


def crash(
    choices: Crash, *, rest: bool = True, cancel: Callable[[], bool] | None = None
) -> Project:
    """Build the model; without `rest` nobody is settled, and a belt lies where the body would begin.

    What moves with the vehicle is carried by it, contacts follow from what each part of the library
    presses on, the belt is laid last over the body at rest, and what stands there for nothing is left out.
    What is odd about how it starts (`oddities`) ends its note. Raises BodyError for choices that cannot be, and what
    the library, bodies and settling raise.
    """
    look_at(choices)
    with may_stop(cancel):
        one = CASES[choices.case]
        if one.moves == "falling":
            done = _fall(choices)
        elif one.moves == "braking":
            done = _struck(choices)
        else:
            done = _seated(choices, rest)
        kind = one.load_case or choices.case
        done = done.model_copy(update={"load_case": kind})
        done = without_unused(done)
        odd = oddities(done, choices, is_at_rest=rest)
    return done.model_copy(update={"note": " ".join([done.note, *map(str, odd)])})


def oddities(project: Project, c: Crash, *, is_at_rest: bool = True) -> tuple[Sentence, ...]:
    """Say where somebody's feet do not reach the floor, and what of them starts inside or behind what is around.

    Who is at rest may press into a seat, not deep into it; who is not yet may stand a little in the floor as well.
    A child's feet may hang where its own seat is raised for it.
    """
    who = c.prefix
    sits = None if in_crash(c.seat).feet_hang else occupant(project, who)
    short = hanging(project, sits) if sits else None

    def counts(one: Problem) -> bool:
        contact = one.path.partition("/")[2]
        if contact.startswith(f"{who}_") or (contact.startswith("seat_") and not is_at_rest):
            return False
        if one.code != "start-pressed":
            return one.code in _STARTS
        deep = one.what.values["depth"] > _DEEP_MM
        return is_at_rest and deep and not contact.startswith("seat_")

    through = [one.what for one in check(project) if counts(one)]
    return (*_made_for_another(c), *((short,) if short else ()), *through)


def _made_for_another(c: Crash) -> tuple[Sentence, ...]:
    """Say that a dummy is made for crashes from another side, if it is."""
    if not isinstance(c.who, str) or c.who not in DUMMIES:
        return ()
    entry_, kind = dummy_entry(c.who), CASES[c.case].load_case or c.case
    if kind == "rear" and entry_.made_for == "frontal":
        return (
            Sentence(
                "{body} is made for crashes from ahead: its spine has joints in belly and neck alone, and its neck is stiffer backwards than a person's.",
                body=entry_.name,
            ),
        )
    if kind == "side" and entry_.made_for == "frontal":
        return (
            Sentence(
                "{body} is made for crashes from ahead: its ribs, belly and pelvis do not give way to the side, and no standard limits it there.",
                body=entry_.name,
            ),
        )
    if kind in ("frontal", "rear") and entry_.made_for == "side":
        return (
            Sentence(
                "{body} is made for crashes from the side: its chest does not give way from ahead, and no standard limits it there.",
                body=entry_.name,
            ),
        )
    return ()


def _sitting(c: Crash, rest: bool, elbows_rad: float | None) -> Project:
    one, who = CASES[c.case], c.prefix
    body = body_named(c.who)
    project = vehicle(
        f"{one.title}: {body.title}",
        one.note,
        f"Body: docs/bodies.md and docs/dummies.md; parts of the library: {', '.join(_parts(c))}; what they assume stands there",
        c.duration_s,
    )
    project = _driven(project, c)
    x, y, z = one.hips_m
    track, height = seat_for(c)
    hips = (x + track, y, z - height)
    turned = dict(on_thighs(body) if elbows_rad is None else spread(elbows_rad))
    thighs = in_crash(c.seat).thighs_rad
    if thighs is not None:
        turned |= {f"{side}_upper_leg": pitched(thighs) for side in ("right", "left")}
    project = seated(project, c.posture, hips, who, turned, body)
    project = _leaning(project, who, c.tilt_rad)
    by = pitched(c.tilt_rad) if c.tilt_rad else None
    around = _around(c)
    carrier = PUSHED_SEAT if one.comes_in else VEHICLE
    project = insert(project, c.seat, "seat", attach_to=carrier, at=hips, turned=by, on=who)
    if c.surroundings:
        project = insert(project, c.surroundings, "car", attach_to=VEHICLE, at=around, on=who)
    if one.left and (one.comes_in or c.surroundings):
        side = DOOR if one.comes_in else VEHICLE
        project = insert(project, one.left, "left", attach_to=side, at=one.hips_m, on=who)
    if one.above:
        project = insert(project, one.above, "left", attach_to=VEHICLE, at=one.hips_m, on=who)
    if one.strikes:
        place = aimed(project, who, _moved(one.hips_m, in_crash(one.strikes).around_m))
        project = insert(project, one.strikes, "car", attach_to=POLE, at=place, on=who)
    if c.bag:
        ahead = _moved(around, in_crash(c.surroundings).bag_m)
        where = hips if in_crash(c.bag).in_seat else ahead
        project = insert(project, c.bag, who, attach_to=carrier, at=where, on=who)
    if c.curtain:
        project = insert(project, c.curtain, who, attach_to=VEHICLE, at=one.hips_m, on=who)
    if rest:
        wheel = any(s.id == "car_steering_wheel" for s in project.segments)
        held = on_wheel(who) if wheel and elbows_rad is not None else ()
        hold = [f"{who}_lower_torso.{way}" for way in ("y", "roll", "yaw")]
        project = settle(project, hold=hold, reach=held, lock=("all",)).project
    if c.belt:
        project = insert(project, c.belt, who, attach_to=carrier, at=hips, on=who)
        project = _limited(project, body.mass_kg / library_body(of_size("mid-size")).mass_kg)
    return following(
        project,
        in_vehicle(f"{who}_head", "Head in the vehicle"),
        in_vehicle(f"{who}_upper_torso", "Chest in the vehicle"),
        in_vehicle(f"{who}_lower_torso", "Pelvis in the vehicle"),
    )


def _limited(project: Project, heavier: float) -> Project:
    """Let load limiters give at a load that is higher by so much as who wears the belt is heavier than the mid-size man.

    So does a limiter that adapts to who sits there: at his load the heavy man goes through bag and rim.
    """
    if heavier <= 1.0:
        return project
    limits = {
        strap.end_device.load_limiter.force
        for harness in project.harnesses
        for strap in harness.straps
        if strap.end_device is not None and strap.end_device.load_limiter is not None
    }

    def raised(one: Function) -> Function:
        if one.id not in limits or not isinstance(one.form, Table):
            return one
        form = one.form.model_copy(update={"y": tuple(heavier * y for y in one.form.y)})
        source = f"{one.source}; {heavier:.2f} times that, as who wears it is heavier: assumed"
        return one.model_copy(update={"form": form, "source": source})

    return project.model_copy(update={"functions": tuple(raised(one) for one in project.functions)})


def _parts(c: Crash) -> list[str]:
    one = CASES[c.case]
    left = one.left if one.comes_in or c.surroundings else None
    parts = (
        c.seat,
        c.surroundings,
        left,
        one.above,
        one.strikes,
        c.belt,
        c.bag,
        c.curtain,
        c.pulse,
    )
    return [part for part in parts if part]


def _seated(c: Crash, rest: bool) -> Project:
    """Seat the body with its hands at the wheel, where arms reach so far; else on its thighs."""
    if c.posture == "driving" and CASES[c.case].hands_on_wheel:
        for elbows in _ELBOWS_RAD:
            try:
                done = _sitting(c, rest, elbows)
            except SettleError:
                continue
            if not rest or not health(done).stops:
                return done
    return _sitting(c, rest, None)


def seat_for(c: Crash) -> tuple[float, float]:
    """How far a seat is ahead and above its place (m): as chosen, or as suits legs of this length."""
    track, height = c.track_m, c.height_m
    share = 0.0
    if CASES[c.case].place in ("driver", "beside") and (track is None or height is None):
        share = _shorter(c.who)
    return (
        _on_track("track_m", AHEAD_M * share) if track is None else track,
        _on_track("height_m", -BELOW_M * share if share > 0.0 else 0.0)
        if height is None
        else height,
    )


def _on_track(name: str, wanted: float) -> float:
    """The place that a seat can take which is nearest to the wanted one."""
    low, high = BOUNDS[name]
    return round(min(max(wanted, low), high), 3)


def _around(c: Crash) -> Vector:
    """Give from where parts around are placed: a seat in front makes room for long legs."""
    one = CASES[c.case]
    room = AHEAD_M * max(0.0, -_shorter(c.who)) if one.place == "behind" else 0.0
    place = _moved(one.hips_m, in_crash(c.seat).around_m if c.surroundings else None)
    return _moved(_moved(place, in_crash(c.surroundings).around_m), (room, 0.0, 0.0))


def _moved(place: Vector, by: Vector | None) -> Vector:
    x, y, z = np.add(place, by or (0.0, 0.0, 0.0))
    return float(x), float(y), float(z)


def _shorter(who: str | Body) -> float:
    """By how much legs are shorter than the mid-size man's, the small woman's being shorter by 1."""
    man, small, legs = (_legs(one) for one in (of_size("mid-size"), of_size("small"), who))
    return (man - legs) / (man - small)


def _legs(who: str | Body) -> float:
    """How far a body's ankles are below its hips as it stands (m)."""
    body = body_named(who)
    at = placed_at(body, Place())
    hip, ankle = (body.joint(f"right_{name}") for name in ("hip", "ankle"))
    points = [at[j.child].of(j.child_frame.position_m) for j in (hip, ankle)]
    return float(points[1][2] - points[0][2])


def _leaning(project: Project, who: str, tilt: float) -> Project:
    """Lean the whole body back."""
    if not tilt:
        return project
    root = f"{who}_lower_torso"
    turned = tuple(
        a.model_copy(update={"orientation": Orientation(angles_rad=(a.orientation.angles_rad[0], a.orientation.angles_rad[1] + tilt, a.orientation.angles_rad[2]))})
        if a.segment == root
        else a
        for a in project.initial.attitudes
    )  # fmt: skip
    return project.model_copy(
        update={"initial": project.initial.model_copy(update={"attitudes": turned})}
    )


def _driven(project: Project, c: Crash) -> Project:
    """Let the vehicle move: by its pulse, or rolling."""
    one = CASES[c.case]
    if one.moves == "rolling":
        # a half sine of angular acceleration ends at 2 A T / pi; the rate that makes half a turn in a second
        rate, onset = math.pi / _HALF_TURN_S, 0.2
        rolling = Motion(
            id="rolling",
            name="Rolling",
            group="Vehicle",
            source="assumed",
            segment=VEHICLE,
            components=(
                MotionComponent(
                    component="roll",
                    pulse=HalfSine(amplitude=0.5 * math.pi * rate / onset, duration_s=onset),
                ),
            ),
        )
        return project.model_copy(update={"motions": (rolling,)})
    if one.comes_in:
        done = struck_on_the_left(project, c.pulse)
        return done if one.strikes else done.model_copy(update={"assumed": (SEVERITY,)})
    return insert(project, c.pulse, attach_to=VEHICLE)


def _struck(c: Crash) -> Project:
    """Let the car stand beside the pedestrian, so far off that it touches nobody yet."""
    aside = _ASIDE_M
    for _ in range(_TRIES):
        project = _beside(c, aside)
        inside = [one for one in health(project).contacts if one.contact.startswith("car_")]
        deep = max((one.penetration_m for one in inside if one.force_n > 0.0), default=0.0)
        if not deep:
            break
        aside += deep + _CLEAR_M
    return project


def _beside(c: Crash, aside_m: float) -> Project:
    one, who = CASES[c.case], c.prefix
    body = body_named(c.who, breaking_bones=one.bones_break)
    project = vehicle(f"{one.title}: {body.title}", f"{one.note} It drives at {c.speed_km_per_h:g} km/h.", "Body: docs/bodies.md; car front and pavement of the library; braking assumed", c.duration_s)  # fmt: skip
    braking = Motion(
        id="driving",
        name="Driving and braking",
        group="Vehicle",
        source="assumed",
        segment=VEHICLE,
        components=(
            MotionComponent(
                component="x",
                pulse=HalfSine(amplitude=-_BRAKING_M_PER_S2, duration_s=0.5),
                start_value=_BEFORE_M,
                start_rate=(c.speed_km_per_h or 0.0) * KMH,
            ),
        ),
    )
    project = project.model_copy(update={"motions": (braking,)})
    across = Orientation(angles_rad=(0.5 * math.pi, 0.0, 0.0))
    place = Place((aside_m, 0.0, 0.0), across, "lowest")
    project = free_body(project, c.posture, place, who, body)
    project = insert(project, c.surroundings, "car", attach_to=VEHICLE, on=who)
    return following(insert(project, "pavement_plane", "road", on=who))


def _fall(c: Crash) -> Project:
    one, who = CASES[c.case], c.prefix
    body = body_named(c.who)
    project = Project(
        title=f"{one.title}: {body.title}",
        note=f"{one.note} It falls {c.height_of_fall_m:g} m.",
        source="Body: docs/bodies.md; pavement of the library",
        runs=(run_of(c.duration_s),),
    )
    place = Place((0.0, 0.0, -(c.height_of_fall_m or 0.0)), anchor="lowest")
    project = free_body(project, c.posture, place, who, body)
    return following(insert(project, c.surroundings, "road", on=who))


def title_of(part: str) -> str:
    """What people read of a part of the library."""
    return entry(part).name


__all__ = ["BOUNDS", "CASES", "Case", "Crash", "crash", "first", "oddities", "replace", "title_of"]
