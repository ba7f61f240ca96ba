"""Mirror what a joint does: coordinates, stops and torques whose angle changes sign, contours, functions.

In the mirror of x and z, turns about x and z change sign and those about y do not. So does the
azimuth of a contour: the mirror image has at an azimuth what the contour has at its negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, exp, pi
from typing import Any, assert_never

import numpy as np

from solver.bodies import mirror_of
from solver.editing.naming import free_id, taken
from solver.project import Project
from solver.project.azimuths import (
    FlexureTable,
    FunctionContour,
    LibraryContour,
    PolynomialContour,
    library,
)
from solver.project.blocks import BlockLaw, HydraulicLaw
from solver.project.coordinate_forces import (
    AnyLaw,
    CoordinateForce,
    CoulombResistance,
    CrushTube,
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
    Actuator,
    AngleCoordinate,
    ComponentCoordinate,
    DistanceCoordinate,
    JointCoordinate,
    PathPoint,
    PointMove,
    Reflex,
    Sensor,
)
from solver.project.functions import (
    Constant,
    Function,
    Polynomial,
    Random,
    Sum,
    Sweep,
    Table,
    TwoRanges,
)
from solver.project.histories import curve_of
from solver.project.joint_table import TURNS_OF_BALLS, Row, contour_of, row_of, slides_of
from solver.project.joints import Axis, Spring
from solver.project.waves import Exponential, Sine

_SAME = 1e-12


def mirrored_values(joint: Any, values: Sequence[float]) -> tuple[float, ...]:
    """The coordinates of a joint's mirror image."""
    freedoms = row_of(joint).freedoms
    return tuple(one.mirrored * value + 0.0 for one, value in zip(freedoms, values, strict=True))


def sign_of_axis(joint: Any, axis: str) -> float:
    """The sign that one coordinate of a joint has in the mirror."""
    if axis in TURNS_OF_BALLS:
        return 1.0 if axis == "turn_y" else -1.0
    return next(one.mirrored for one in row_of(joint).freedoms if one.name == axis)


def mirrored_laws(project: Project, joint: Any) -> tuple[Project, Any]:
    """The project, with functions that were needed, and a joint whose laws are mirrored."""
    update: dict[str, Any] = {}
    row = row_of(joint)
    for name in _turned_round(row):
        part = getattr(joint, name)
        spring = part.spring if isinstance(part, Axis) else part
        if spring.torque is not None:
            project, torque = mirrored_function(project, spring.torque, 0.0, -1.0)
            spring = spring.model_copy(update={"torque": torque})
        if not isinstance(part, Axis):
            update[name] = spring
        elif part.spring != Spring():
            turned = 0.0 - part.centre_rad
            update[name] = part.model_copy(update={"centre_rad": turned, "spring": spring})
    for along, slide in slides_of(joint):
        if along.mirrored > 0.0:
            continue
        if slide.force is not None:
            project, force = mirrored_function(project, slide.force, 0.0, -1.0)
            slide = slide.model_copy(update={"force": force})
        below, above = slide.release_below_n, slide.release_above_n
        sides = {
            "release_below_n": None if above is None else 0.0 - above,
            "release_above_n": None if below is None else 0.0 - below,
        }
        update[along.field] = slide.model_copy(update=sides)
    stop = contour_of(joint)
    if stop is not None:
        project, contour = _mirrored_contour(project, stop.contour)
        update["globographic"] = stop.model_copy(update={"contour": contour})
    table = getattr(joint, "by_azimuth", None)
    if table is not None:
        update["by_azimuth"] = _mirrored_table(table)
    return project, joint.model_copy(update=update)


def _mirrored_table(table: FlexureTable) -> FlexureTable:
    """What resists at an azimuth the other azimuth; half a turn is its own image."""
    around = [
        one.model_copy(
            update={"azimuth_rad": -pi if one.azimuth_rad == -pi else 0.0 - one.azimuth_rad}
        )
        for one in table.around
    ]
    return FlexureTable(around=tuple(sorted(around, key=lambda one: one.azimuth_rad)))


def _turned_round(row: Row) -> tuple[str, ...]:
    """Name the springs and axes of a joint whose angle changes sign."""
    if row.acts == "ball":
        return ("torsion",)
    return tuple(turn.field for turn in row.turns if turn.field and turn.mirrored < 0.0)


def _mirrored_contour(project: Project, contour: Any) -> tuple[Project, Any]:
    match contour:
        case FunctionContour():
            project, angle = mirrored_function(project, contour.angle, 2.0 * pi, 1.0)
            return project, FunctionContour(angle=angle)
        case LibraryContour():
            old = library()[contour.name]
        case PolynomialContour():
            old = contour.coefficients
        case _:
            assert_never(contour)
    # each second coefficient is that of a sine
    new = tuple(0.0 - c if n % 2 else c for n, c in enumerate(old))
    for name, printed in library().items():
        if printed == new:
            return project, LibraryContour.model_validate({"name": name})
    return project, PolynomialContour(coefficients=new)


def mirrored_function(
    project: Project, id_: str, about: float, sign: float, *, holds_both_ways: bool = True
) -> tuple[Project, str]:
    """Give the id of a function that is `sign` times another at `about` less the argument.

    One that is there already is taken, such as that of which this one is the mirror image. Unless told
    otherwise, what says nothing of arguments below zero holds for both sides.
    """
    old = next((f for f in project.functions if f.id == id_), None)
    if old is None or (holds_both_ways and sign < 0.0 and curve_of(old).one_sided):
        return project, id_
    return with_form(project, old, reflected(old.form, about, sign))


def negative_function(project: Project, id_: str) -> tuple[Project, str]:
    """Give the id of a function that is another's negative at the same argument."""
    old = next((f for f in project.functions if f.id == id_), None)
    if old is None:
        return project, id_
    return with_form(project, old, scaled(old.form, -1.0))


def with_form(project: Project, old: Function, form: Any) -> tuple[Project, str]:
    """The id of a function of this form, one that is there already or a new one named after another."""
    for other in (old, *project.functions):
        if (other.x_unit, other.y_unit) == (old.x_unit, old.y_unit) and _same(other.form, form):
            return project, other.id
    side = other_side(old.id)
    new_id = free_id(side if side != old.id else f"{old.id}_mirrored", taken(project, "functions"))
    name = other_side_text(old.name)
    new = old.model_copy(update={"id": new_id, "name": name, "form": form})
    functions = (*project.functions, new)
    return project.model_copy(update={"functions": functions}), new_id


def scaled(form: Any, by: float) -> Any:
    """A form of a function times a number, at the same arguments."""
    if isinstance(form, Sweep):
        turned = {"amplitude": by * form.amplitude + 0.0, "mean": by * form.mean + 0.0}
        return form.model_copy(update=turned)
    if isinstance(form, Random):
        turned = {"scale": by * form.scale + 0.0, "mean": by * form.mean + 0.0}
        return form.model_copy(update=turned)
    return reflected(reflected(form, 0.0, 1.0), 0.0, by)


def reflected(form: Any, about: float, sign: float) -> Any:
    """Give `sign` times a form of a function at `about` less the argument; no signal over time is turned so."""
    if isinstance(form, Constant):
        return Constant(value=sign * form.value + 0.0)
    if isinstance(form, Table):
        x = tuple(about - value + 0.0 for value in reversed(form.x))
        y = tuple(sign * value + 0.0 for value in reversed(form.y))
        return Table(x=x, y=y, between=form.between)
    if isinstance(form, Polynomial):
        old = form.coefficients
        # (about - x)^n by the binomial series
        new = [
            sign
            * sum(old[n] * comb(n, k) * about ** (n - k) * (-1.0) ** k for n in range(k, len(old)))
            for k in range(len(old))
        ]
        low, high = about - form.x_max, about - form.x_min
        return Polynomial(coefficients=tuple(c + 0.0 for c in new), x_min=low, x_max=high)
    if isinstance(form, Sine | Exponential):
        # with x for about - x the exponent turns round, and the angle runs back from about
        size = sign * form.amplitude * exp(form.growth * about)
        ends = {"x_min": about - form.x_max, "x_max": about - form.x_min, "growth": -form.growth + 0.0}  # fmt: skip
        if isinstance(form, Sine):
            ends["phase_rad"] = -(form.phase_rad + form.omega * about) + 0.0
            size = -size
        return form.model_copy(update={**ends, "amplitude": size + 0.0})
    if isinstance(form, Sum):
        return Sum(terms=tuple(reflected(term, about, sign) for term in form.terms))
    assert isinstance(form, TwoRanges)
    first, second = (reflected(part, about, sign) for part in (form.second, form.first))
    return TwoRanges(split=about - form.split, first=first, second=second)


def _same(one: Any, other: Any) -> bool:
    """Whether two forms are the same but for what arithmetic leaves."""
    if one.kind != other.kind:
        return False
    if one.kind == "two_ranges":
        parts = _same(one.first, other.first) and _same(one.second, other.second)
        return parts and abs(one.split - other.split) < _SAME
    if isinstance(one, Sum):
        return len(one.terms) == len(other.terms) and all(map(_same, one.terms, other.terms))
    if one.kind == "table" and one.between != other.between:
        return False
    if isinstance(one, Sweep | Random):
        return bool(one == other)
    numbers = [
        np.atleast_1d(getattr(form, name))
        for form in (one, other)
        for name in type(form).model_fields
        if name not in ("kind", "csv", "between")
    ]
    half = len(numbers) // 2
    return all(
        len(a) == len(b) and bool(np.allclose(a, b, rtol=_SAME, atol=_SAME))
        for a, b in zip(numbers[:half], numbers[half:], strict=True)
    )


OTHER_SIDE = {"above": "below", "below": "above", "both": "both"}
OTHER_PULL = {"back": "on", "on": "back"}
OTHER_WAY = {"growing": "falling", "falling": "growing", "both": "both"}


def mirrored_force(project: Project, one: CoordinateForce) -> tuple[Project, CoordinateForce]:
    """The project, with functions that were needed, and the laws of a coordinate in the mirror.

    What the coordinate refers to is mirrored by others.
    """
    if isinstance(one.coordinate, DistanceCoordinate):
        project, line = _line(project, one.coordinate)
        one = one.model_copy(update={"coordinate": line})
    laws: list[AnyLaw] = []
    for law in one.laws:
        image: AnyLaw
        match law:
            case Actuator():
                project, image = _actuator(project, law, one)
            case BlockLaw() | HydraulicLaw():
                image = _diagram(project, law, _sign(project, one))
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


def _line(project: Project, line: DistanceCoordinate) -> tuple[Project, DistanceCoordinate]:
    """Turn round by what coordinates points move, and along y, and within which ranges they count."""
    joints, points = {one.id: one for one in project.joints}, list[PathPoint]()
    for point in line.points:
        moves, only = list[PointMove](), point.only
        for move in point.moves:
            at = move.coordinate
            sign, across = sign_of_axis(joints[at.joint], at.axis), -1.0 if move.axis == "y" else 1.0  # fmt: skip
            image = move.function
            if sign < 0.0:
                project, image = mirrored_function(
                    project, image, 0.0, across, holds_both_ways=False
                )
            elif across < 0.0:
                project, image = negative_function(project, image)
            moves.append(move.model_copy(update={"function": image}))
        if only is not None and sign_of_axis(joints[only.coordinate.joint], only.coordinate.axis) < 0.0:  # fmt: skip
            ends = {"lower": _negative(only.upper), "upper": _negative(only.lower)}
            only = only.model_copy(update=ends)
        points.append(point.model_copy(update={"moves": tuple(moves), "only": only}))
    a, *via, b = points
    return project, line.model_copy(update={"a": a, "b": b, "via": tuple(via)})


def _negative(value: float | None) -> float | None:
    return None if value is None else 0.0 - value


def _targets(
    project: Project, of: Actuator | Reflex, sign: float
) -> tuple[Project, dict[str, Any]]:
    """The target of what counts the other way in the mirror."""
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
    """An actuator whose load, what it senses, or both count the other way in the mirror."""
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


def _diagram(
    project: Project, law: BlockLaw | HydraulicLaw, acts: float
) -> BlockLaw | HydraulicLaw:
    """What blocks sense and give counts the other way where coordinates do; chambers change their places."""
    sensors = tuple(
        one.model_copy(update={"zero": _negative(one.zero), "scale": 0.0 - one.scale})
        if _sign(project, one) < 0.0
        else one
        for one in law.sensors
    )
    update: dict[str, Any] = {"sensors": sensors}
    if acts < 0.0:
        update["gain"] = 0.0 - law.gain
        if isinstance(law, HydraulicLaw):
            for one, other in (("area_a_m2", "area_b_m2"), ("volume_a_m3", "volume_b_m3"), ("pressure_a_pa", "pressure_b_pa")):  # fmt: skip
                update[one], update[other] = getattr(law, other), getattr(law, one)
    return law.model_copy(update=update)


def _law(project: Project, law: AnyLaw) -> tuple[Project, AnyLaw]:
    match law:
        case (
            LinearResistance() | CoulombResistance() | ViscousResistance() | Muscle() | CrushTube()
        ):
            # of the last a distance alone is allowed, which has no other side
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
                if isinstance(side, str) and law.limit_goes_by == "value":
                    project, image = mirrored_function(
                        project, side, 0.0, 1.0, holds_both_ways=False
                    )
                images_of.append(image)
            update = {"limit": images_of[0], "limit_below": images_of[1]}
            return project, law.model_copy(update=update)
        case Actuator() | BlockLaw() | HydraulicLaw():
            raise AssertionError(law)
        case other:
            assert_never(other)


def _exchanged(law: RestResistance | StopResistance) -> dict[str, str]:
    """Exchange the curves of both sides."""
    return {} if law.below is None else {"above": law.below, "below": law.above}


_SIDES: dict[str, str] = {"left": "right", "right": "left", "Left": "Right", "Right": "Left"}
_MIRRORED = "{name}, mirrored"


def other_side(id_: str) -> str:
    """Exchange left and right in an id: words, or a last r or l behind a line."""
    other = mirror_of(id_)
    if other != id_:
        return other
    head, line, last = id_.rpartition("_")
    swap = {"r": "l", "l": "r", "right": "left", "left": "right"}
    return f"{head}{line}{swap[last]}" if line and last in swap else id_


def other_side_text(name: str) -> str:
    """Exchange left and right in a name that people read."""
    for word, other in _SIDES.items():
        if word in name.replace(",", " ").split():
            return name.replace(word, other, 1)
    return _MIRRORED.format(name=name) if name else name
