"""Steps by which a crash is put together: a vehicle, who sits in it, rest, and what is measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from solver.analysis.equilibrium.freedoms import Reach
from solver.analysis.equilibrium.settling import Settlement, settle
from solver.analysis.equilibrium.statics import SettleError
from solver.base.words import tr
from solver.bodies import Body, Place, insert_body, library_body, pose
from solver.bodies.dummies import of_size
from solver.bodies.library import entry, insert
from solver.bodies.library.replacing import replaced, segments_of
from solver.bodies.library.seating import DRIVES_WITH
from solver.bodies.made_to_measure import body_named
from solver.bodies.poses import with_clear_arms
from solver.project.checks import check
from solver.project.document import Project
from solver.project.geometry import Orientation, PointRef
from solver.project.motions import ConstantHistory, Initial, RootStart
from solver.project.outputs import ElementOutput, Output, PointOutput
from solver.project.pose import start_pose
from solver.project.references import with_led_ranges
from solver.project.runs import BogackiShampine, Run
from solver.project.segments import GROUND, Segment

Vector = tuple[float, float, float]
VEHICLE = "vehicle"
OCCUPANT = "occupant"
DOOR, PUSHED_SEAT, POLE = "door_body", "seat_body", "pole_body"
"""What moves on its own in a car that is struck on the left, and what may strike it."""

HALF_ARM_RAD = math.radians(57.0)
"""How far half arms stand ahead of hanging: 40 degrees from the torso (49 CFR 571.214, from memory), which leans back by some 17."""
KMH = 1.0 / 3.6
UNUSED = ("law-unused", "function-unused")
"""What the check says of laws and curves that stand there for nothing."""


def vehicle(title: str, note: str, source: str, duration_s: float, **more: Any) -> Project:
    """A project with a vehicle that stands at the origin."""
    car = Segment(
        id=VEHICLE,
        name="Vehicle",
        group="Vehicle",
        note="Prescribed; its mass does not matter.",
        mass_kg=1500.0,
        inertia_kgm2=(600.0, 2500.0, 2700.0),
    )
    return Project(
        title=title,
        note=note,
        source=source,
        segments=(car,),
        initial=Initial(roots=(RootStart(segment=VEHICLE),)),
        runs=(run_of(duration_s),),
        **more,
    )


def run_of(duration_s: float) -> Run:
    """A run by the pair that takes the fewest evaluations where contacts, belts and bags come and go."""
    name = f"{duration_s * 1e3:g} ms"
    return Run(id="run", name=name, duration_s=duration_s, integrator=BogackiShampine())


def struck_on_the_left(project: Project, pulse: str) -> Project:
    """Let a car be pushed to the right, its left door come in ahead of it, its seat go with the door that meets it, and a pole behind the door, where its pulse names one."""
    project = insert(project, pulse, "car", attach_to=VEHICLE)
    known = entry(pulse).in_crash
    for id_, name, mass_kg, moves in (
        (DOOR, "Door", 40.0, known.door),
        (PUSHED_SEAT, "Seat", 25.0, known.seat),
        (POLE, "Pole", 1000.0, known.pole),
    ):
        if moves is None:
            continue
        one = Segment(
            id=id_,
            name=name,
            group="Vehicle",
            note="Prescribed; its mass does not matter.",
            mass_kg=mass_kg,
            inertia_kgm2=(0.1 * mass_kg, 0.2 * mass_kg, 0.2 * mass_kg),
        )
        roots = (*project.initial.roots, RootStart(segment=id_))
        start = project.initial.model_copy(update={"roots": roots})
        project = project.model_copy(
            update={"segments": (*project.segments, one), "initial": start}
        )
        project = insert(project, moves, id_.partition("_")[0], attach_to=id_)
    return project


def aimed(project: Project, who: str, place: Vector) -> Vector:
    """From where, as far aside as a place, the pole comes that moves towards the middle of a head."""
    (motion,) = (one for one in project.motions if one.segment == POLE)
    speed = {
        one.component: one.pulse.value
        for one in motion.components
        if isinstance(one.pulse, ConstantHistory)
    }
    head = start_pose(project)[f"{who}_head"].p_W
    x = float(head[0]) - speed["x"] / speed["y"] * (float(head[1]) - place[1])
    return x, place[1], place[2]


def seated(
    project: Project,
    posture: str,
    hips: Vector,
    prefix: str = OCCUPANT,
    turned: Mapping[str, Orientation] | None = None,
    who: str | Body | None = None,
) -> Project:
    """Put a body, or one of the library by name, a printed man if none is named, into the vehicle, hips at a place of it, its arms clear of the trunk."""
    who = who or of_size("mid-size", "printed")
    body = pose(body_named(who), posture, turned)
    place = Place(position_m=hips, anchor="hips", relative_to=VEHICLE, moves_with=VEHICLE)
    return insert_body(
        project,
        body if body.is_printed else with_clear_arms(body),
        prefix,
        place,
        group="Occupant",
        sensors=True,
    )


def free_body(
    project: Project,
    posture: str,
    place: Place,
    prefix: str = OCCUPANT,
    body: Body | None = None,
    turned: Mapping[str, Orientation] | None = None,
) -> Project:
    """Put a body anywhere: a man of the library, if none is given."""
    posed = pose(body or library_body(of_size("mid-size", "printed")), posture, turned)
    return insert_body(project, posed, prefix, place, group="Occupant", sensors=True)


def settled(
    project: Project, reach: Sequence[Reach] = (), free: Sequence[str] | None = None
) -> Project:
    """The project at rest, joints locked as far as the posture needs it."""
    found = settle(project, free, reach=reach, lock=("all",))
    worst = max(s.acceleration_g for s in found.health.segments)
    if not found.balanced or worst > 0.01:
        why = found.reason or tr("{left:.3f} g are left", left=worst)
        raise SettleError("'{title}' does not come to rest: {why}", title=project.title, why=why)
    return found.project


def without_unused(project: Project) -> Project:
    """Leave out what nothing uses of a body's laws of skins, and their curves: what it meets has laws of its own."""
    kept = project
    while names := {p.path.split("/")[1] for p in check(kept) if p.code in UNUSED}:
        kept = kept.model_copy(
            update={
                "contact_laws": tuple(one for one in kept.contact_laws if one.id not in names),
                "functions": tuple(one for one in kept.functions if one.id not in names),
            }
        )
    return with_led_ranges(kept)


def following(project: Project, *outputs: Output) -> Project:
    """Add outputs: those given, and the loads of every belt, harness and bag."""
    loads: list[Output] = [
        ElementOutput(
            id=f"{element.id}_load",
            name=element.name,
            group="Restraints",
            cfc=60,
            of=kind,
            element=element.id,
        )
        for kind in ("belts", "harnesses")
        for element in getattr(project, kind)
    ]
    loads += [
        ElementOutput(
            id=f"{bag.id}_state", name=bag.name, group="Restraints", of="airbags", element=bag.id
        )
        for bag in project.airbags
    ]
    return project.model_copy(update={"outputs": (*project.outputs, *loads, *outputs)})


def in_vehicle(segment: str, name: str, quantity: Any = "position") -> PointOutput:
    """Follow a mass centre as seen from the vehicle."""
    return PointOutput(
        id=f"{segment}_{quantity}_in_{VEHICLE}",
        name=name,
        group="Occupant",
        segment=segment,
        quantity=quantity,
        relative_to=VEHICLE,
        axes="relative",
    )


def spread(elbows_rad: float) -> Mapping[str, Orientation]:
    """Spread upper arms so far that hands reach the wheel without pressing on the ribs."""
    return {
        f"{side}_upper_arm": Orientation(angles_rad=(0.0, 0.75, -sign * elbows_rad), order="zyx")
        for side, sign in (("right", 1.0), ("left", -1.0))
    }


def on_thighs(body: Body | None = None) -> Mapping[str, Orientation]:
    """Lay hands on thighs: arms turned inwards about themselves, and raised as their shapes need; a half arm has no hand and stands ahead."""
    fore = {f"{side}_forearm": pitched(1.45) for side in ("right", "left")}
    known = fore.keys() if body is None else {segment.id for segment in body.segments}
    ahead, inwards = (0.35, 0.2) if fore.keys() <= known else (HALF_ARM_RAD, 0.0)
    arms = {
        f"{side}_upper_arm": Orientation(angles_rad=(ahead, -inwards * sign, 0.0), order="yzx")
        for side, sign in (("right", 1.0), ("left", -1.0))
    }
    return arms | {id_: one for id_, one in fore.items() if id_ in known}


def on_wheel(
    prefix: str, at: Vector = (-0.06, 0.18, -0.05), wheel: str = "car_steering_wheel"
) -> list[Reach]:
    """Keep both hands at a wheel's rim, at ten and at two o'clock."""
    x, y, z = at
    return [
        Reach(
            PointRef(segment=f"{prefix}_{side}_hand", position_m=(0.0, 0.0, 0.0)),
            PointRef(segment=wheel, position_m=(x, sign * y, z)),
        )
        for side, sign in (("right", 1.0), ("left", -1.0))
    ]


def pitched(angle_rad: float) -> Orientation:
    """A turn about y."""
    return Orientation(angles_rad=(0.0, angle_rad, 0.0))


# Another body in the place of one, at rest on seat, floor and belts, with its hands where they were.

_IN_PLANE = ("y", "roll", "yaw")
_TORN_RAD = math.radians(15.0)
"""How far (rad) beyond a stop a joint of one who holds may rest; beyond that the arms are too short, assumed."""
_NEAR_M = 0.3
"""From here on a hand holds nothing: so far (m) from the middle of what it could hold."""


def reseated(
    project: Project, prefix: str, body: Body, *, cancel: Callable[[], bool] | None = None
) -> Settlement:
    """Replace an occupant and let the new one come to rest, in its plane; raises what both of these do.

    Hands that held something hold it again where arms are long enough, and shoulders bear it. Who would tip over, as a child does whose arms
    are stretched at a wheel beyond their reach, lays them on its thighs. Joints are locked if some of the old body were.
    """
    done = replaced(project, prefix, body)
    ahead = f"{prefix}_" if prefix else ""
    own = set(segments_of(project, prefix))
    locked = any(_is_locked(j) for j in project.joints if {j.parent, j.child} <= own)
    how: dict[str, Any] = {
        "hold": [f"{ahead}lower_torso.{way}" for way in _IN_PLANE],
        "lock": ("all",) if locked else (),
        "cancel": cancel,
    }
    held = _held(project, ahead, own, {s.id for s in done.segments})
    if held:
        try:
            holding = settle(done, reach=held, **how)
        except SettleError:
            pass
        else:
            if all(stop.beyond_rad < _TORN_RAD for stop in holding.health.stops):
                return holding
    try:
        return settle(done, **how)
    except SettleError:
        if not held:
            raise
    return settle(replaced(project, prefix, body, arms=on_thighs(body)), **how)


def _is_locked(joint: Any) -> bool:
    axes = [getattr(joint, name, None) for name in type(joint).model_fields]
    locks = [getattr(one, "lock", None) for one in axes] + [getattr(joint, "lock", None)]
    return any(getattr(lock, "locked", False) for lock in locks)


def _held(project: Project, ahead: str, own: set[str], new: set[str]) -> list[Reach]:
    """Say where hands stay: on what moves with no body, such as a wheel, that is near them."""
    at = start_pose(project)
    driven = {m.segment for m in project.motions} | {GROUND}
    known = [s for s in project.segments if s.id not in own and s.id not in driven and s.surfaces]
    out = []
    for side in ("right", "left"):
        hand = next(
            (h for p in DRIVES_WITH if (h := f"{ahead}{side}_{p}") in at and h in new), None
        )
        if hand is None:
            continue
        near = min(
            known, key=lambda s: float(np.linalg.norm(at[s.id].p_W - at[hand].p_W)), default=None
        )
        if near is None or float(np.linalg.norm(at[near.id].p_W - at[hand].p_W)) > _NEAR_M:
            continue
        place = at[near.id].R_WS.T @ (at[hand].p_W - at[near.id].p_W)
        x, y, z = (float(f"{v:.9g}") for v in place)
        out.append(Reach(PointRef(segment=hand), PointRef(segment=near.id, position_m=(x, y, z))))
    return out
