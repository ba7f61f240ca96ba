"""Mirror forces on coordinates: where a coordinate changes its sign in the mirror, so do its laws.

A frame's mirror image has x and z in the mirror, and y turned round so that it stays right-handed: there
ways along y and turns about x and z count the other way.
"""

from __future__ import annotations

from typing import Any, assert_never

from app.editing.mirror_joints import (
    mirrored_function,
    negative_function,
    sign_of_axis,
)
from solver.project import Project
from solver.project.actuators import Actuator, Reflex, Sensor
from solver.project.coordinate_forces import (
    AnyLaw,
    CoordinateForce,
    CoulombResistance,
    HillMuscle,
    LinearResistance,
    Muscle,
    OneWayDamper,
    PlasticHinge,
    RateResistance,
    RestResistance,
    StopResistance,
    ViscousResistance,
)
from solver.project.coordinates import (
    AngleCoordinate,
    ComponentCoordinate,
    DistanceCoordinate,
    JointCoordinate,
)

OTHER_SIDE = {"above": "below", "below": "above", "both": "both"}
OTHER_PULL = {"back": "on", "on": "back"}
OTHER_WAY = {"growing": "falling", "falling": "growing", "both": "both"}


def mirrored_force(project: Project, one: CoordinateForce) -> tuple[Project, CoordinateForce]:
    """Give the project, with functions that were needed, and the laws of a coordinate in the mirror.

    What the coordinate refers to is mirrored by others.
    """
    laws: list[AnyLaw] = []
    for law in one.laws:
        image: AnyLaw
        match law:
            case Actuator():
                project, image = _actuator(project, law, one)
            case HillMuscle(reflex=Reflex() as reflex):
                project, image = _law(project, law) if _sign(project, one) < 0.0 else (project, law)
                project, senses = _reflex(project, reflex)
                image = image.model_copy(update={"reflex": senses})
            case _:
                project, image = _law(project, law) if _sign(project, one) < 0.0 else (project, law)
        laws.append(image)
    if _sign(project, one) > 0.0:
        return project, one.model_copy(update={"laws": tuple(laws)})
    update = {
        "laws": tuple(laws), "side": OTHER_SIDE[one.side], "zero": _negative(one.zero),
    }  # fmt: skip
    return project, one.model_copy(update=update)


def _sign(project: Project, one: CoordinateForce | Sensor | Reflex) -> float:
    match one.coordinate:
        case JointCoordinate(joint=name, axis=axis):
            joint = next(joint for joint in project.joints if joint.id == name)
            return sign_of_axis(joint, axis)
        case DistanceCoordinate():
            return 1.0
        case ComponentCoordinate(axis=axis):
            return -1.0 if axis == "y" else 1.0
        case AngleCoordinate(axis=axis):
            return 1.0 if axis == "y" else -1.0
        case other:
            assert_never(other)


def _negative(value: float | None) -> float | None:
    return None if value is None else 0.0 - value


def _targets(
    project: Project, of: Actuator | Reflex, sign: float
) -> tuple[Project, dict[str, Any]]:
    """Give the target of what counts the other way in the mirror."""
    if sign > 0.0:
        return project, {}
    if isinstance(of.target, str):
        project, target = negative_function(project, of.target)
        return project, {"target": target}
    return project, {"target": 0.0 - of.target}


def _reflex(project: Project, reflex: Reflex) -> tuple[Project, Reflex]:
    sign = _sign(project, reflex)
    project, update = _targets(project, reflex, sign)
    if sign < 0.0:
        update["zero"] = _negative(reflex.zero)
        update |= {name: 0.0 - getattr(reflex, name) for name in ("proportional", "derivative")}
    return project, reflex.model_copy(update=update)


def _actuator(project: Project, law: Actuator, one: CoordinateForce) -> tuple[Project, Actuator]:
    """Give an actuator whose load, what it senses, or both count the other way in the mirror."""
    acts = _sign(project, one)
    sees = acts if law.senses is None else _sign(project, law.senses)
    project, update = _targets(project, law, sees)
    if law.senses is not None and sees < 0.0:
        update["senses"] = law.senses.model_copy(update={"zero": _negative(law.senses.zero)})
    for name in ("proportional", "derivative", "integral"):
        gain = getattr(law, name)
        if not isinstance(gain, str):
            update[name] = gain if acts * sees > 0.0 else 0.0 - gain
        elif sees < 0.0:
            project, update[name] = mirrored_function(
                project, gain, 0.0, acts * sees, holds_both_ways=False
            )
        elif acts < 0.0:
            project, update[name] = negative_function(project, gain)
    for name in ("by_error", "by_rate"):
        drawn = getattr(law, name)
        if drawn is not None and sees < 0.0:
            project, update[name] = mirrored_function(
                project, drawn, 0.0, acts, holds_both_ways=False
            )
        elif drawn is not None and acts < 0.0:
            project, update[name] = negative_function(project, drawn)
    if law.switch is not None and acts * sees < 0.0:
        update["switch"] = law.switch.model_copy(update={"size": 0.0 - law.switch.size})
    return project, law.model_copy(update=update)


def _law(project: Project, law: AnyLaw) -> tuple[Project, AnyLaw]:
    match law:
        case LinearResistance() | CoulombResistance() | ViscousResistance() | Muscle():
            return project, law
        case HillMuscle():
            return project, law.model_copy(update={"pulls": OTHER_PULL[law.pulls]})
        case RestResistance():
            return project, law.model_copy(update={**_exchanged(law), "at": 0.0 - law.at})
        case StopResistance():
            limits = {"lower": _negative(law.upper), "upper": _negative(law.lower)}
            return project, law.model_copy(update={**_exchanged(law), **limits})
        case OneWayDamper():
            update = {
                "lower": _negative(law.upper), "upper": _negative(law.lower), "acts": OTHER_WAY[law.acts],
            }  # fmt: skip
            return project, law.model_copy(update=update)
        case RateResistance():
            images = {}
            # F1(d) + F2(d) F3(rate) + F4(rate) is to change its sign with both
            for name, sign in (("base", -1.0), ("factor", -1.0), ("gate", 1.0), ("damping", -1.0)):
                known = getattr(law, name)
                if known is not None:
                    project, images[name] = mirrored_function(
                        project, known, 0.0, sign, holds_both_ways=False
                    )
            return project, law.model_copy(update=images)
        case PlasticHinge():
            sides = law.limit if law.limit_below is None else law.limit_below, law.limit
            images_of: list[float | str] = []
            for side in sides:
                image: float | str = side
                if isinstance(side, str):
                    project, image = mirrored_function(
                        project, side, 0.0, 1.0, holds_both_ways=False
                    )
                images_of.append(image)
            update = {"limit": images_of[0], "limit_below": images_of[1]}
            return project, law.model_copy(update=update)
        case Actuator():
            raise AssertionError(law)
        case other:
            assert_never(other)


def _exchanged(law: RestResistance | StopResistance) -> dict[str, str]:
    """Exchange the curves of both sides."""
    return {} if law.below is None else {"above": law.below, "below": law.above}
