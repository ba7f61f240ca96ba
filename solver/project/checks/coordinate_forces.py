"""Check forces on coordinates: that each resists something, and by laws that act."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import assert_never

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import Array, angle_between
from solver.project.blocks import BlockLaw, HydraulicLaw, NamedSensor
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
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
    AnyCoordinate,
    ComponentCoordinate,
    Coordinate,
    DistanceCoordinate,
    JointCoordinate,
    PointMove,
    PointRange,
    Reflex,
    Sensor,
    Switch,
)
from solver.project.forms import samples
from solver.project.geometry import FrameRef, PointRef
from solver.project.joint_table import TURNS_OF_BALLS, law_axes
from solver.project.pose import turn
from solver.project.problems import Problem, listed
from solver.project.sections import is_sound as has_room

EXACT_M = 1e-6
FOLDS = math.radians(170.0)
"""Turn at the start from which a rotation vector is soon to fold (half a turn)."""
STIFF = 1e5
"""Relaxation (1/s) of a muscle that makes steps short; the kernels go no faster."""
BLEND = CoordinateForce.model_fields["blend"].default


@finds(
    TOPOLOGY,
    error={
        "coordinate-axis": "A force on a coordinate names an axis that its joint does not have.",
        "coordinate-limits": "A lower limit lies above the upper one.",
        "muscle-activation": "The activation of a muscle leaves 0 to 1.",
    },
    warning={
        "coordinate-same-segment": "A coordinate between points of one segment never changes.",
        "coordinate-nothing": "A law of a coordinate does nothing.",
    },
    note={"coordinate-unused": "A law of a coordinate has a number that is not used."},
)
def coordinate_forces(index: Index) -> Iterator[Problem]:
    """Find coordinates that are none, and laws that do nothing or leave numbers unused."""
    for at, path in _all(index):
        yield from _coordinate(index, at, path)
    for one, path in index.elements("coordinate_forces"):
        if one.side == "both" and one.blend != BLEND:
            sentence = Sentence("The blend is not used: the laws act on both sides.")
            yield problem(
                "coordinate-unused",
                f"{path}/blend",
                sentence,
                Sentence("Set it to {value:g}.", value=BLEND),
            )
        for i, law in enumerate(one.laws):
            where = f"{path}/laws/{i}"
            if not _acts(law):
                sentence = Sentence("This law resists nothing.")
                yield problem(
                    "coordinate-nothing", where, sentence, "Give it a size, or remove it."
                )
            yield from _limits(law, where)
            if isinstance(law, HillMuscle):
                yield from _activation(index, law, where)


def _all(index: Index) -> Iterator[tuple[AnyCoordinate, str]]:
    """Every coordinate that is acted on or sensed."""
    acted: Iterator[tuple[CoordinateForce | Sensor | Reflex | PointMove | PointRange, str]]
    for acted in (
        index.of(CoordinateForce),
        index.of(Sensor),
        index.of(NamedSensor),
        index.of(Reflex),
        index.of(PointMove),
        index.of(PointRange),
    ):
        for one, path in acted:
            yield one.coordinate, f"{path}/coordinate"


def _coordinate(index: Index, at: AnyCoordinate, path: str) -> Iterator[Problem]:
    match at:
        case JointCoordinate(joint=name, axis=axis):
            joint = index.by_id["joints"].get(name)
            if joint is None or axis in law_axes(joint):
                return
            sentence = Sentence("'{joint}' has no axis '{axis}'.", joint=name, axis=axis)
            names = law_axes(joint)
            hint = Sentence("It neither turns nor slides: take a distance, or a component.")
            if names:
                hint = Sentence("It has {names}.", names=listed(names))
            yield problem("coordinate-axis", f"{path}/axis", sentence, hint)
        case DistanceCoordinate(a=a) as line:
            moves = any(one.moves for one in line.points)
            if {one.segment for one in (*line.points, *line.over)} == {a.segment} and not moves:
                yield _never_changes(a.segment, path)
        case ComponentCoordinate() | AngleCoordinate() as between:
            if between.a.segment == between.b.segment:
                yield _never_changes(between.a.segment, path)
        case other:
            assert_never(other)


def _never_changes(segment: str, path: str) -> Problem:
    sentence = Sentence("Both ends are on '{segment}'; it never changes.", segment=segment)
    return problem("coordinate-same-segment", f"{path}/b/segment", sentence, "Move one end.")


def _acts(law: AnyLaw) -> bool:
    match law:
        case LinearResistance():
            return law.stiffness > 0.0
        case RestResistance() | PlasticHinge() | CrushTube() | HillMuscle():
            return True
        case StopResistance():
            return law.lower is not None or law.upper is not None
        case CoulombResistance():
            return law.size > 0.0
        case ViscousResistance():
            return law.damping > 0.0
        case RateResistance():
            return any((law.base, law.factor, law.damping))
        case OneWayDamper():
            grows = law.growth > 0.0 and (law.lower is not None or law.upper is not None)
            return law.damping > 0.0 or grows
        case Muscle():
            return law.stiffness + law.stiffness_active > 0.0 and law.activation != 0.0
        case Actuator():
            gains = law.proportional, law.derivative, law.integral
            return any((*gains, law.by_error, law.by_rate, law.switch))
        case BlockLaw():
            return law.output is not None and law.gain != 0.0
        case HydraulicLaw():
            return True
        case other:
            assert_never(other)


def _activation(index: Index, law: HillMuscle, path: str) -> Iterator[Problem]:
    """Find a muscle that is asked for more than all, for less than nothing, or for nothing."""
    asked = [law.activation]
    if isinstance(law.activation, str):
        function = index.by_id["functions"].get(law.activation)
        if function is None:
            return
        asked = [float(y) for y in samples(function.form)[1]]
    for value in (min(asked), max(asked)):
        if not 0.0 <= float(value) <= 1.0:
            sentence = Sentence("Its activation becomes {value:g}.", value=value)
            hint = "Keep it between 0, at rest, and 1, all of it."
            yield problem("muscle-activation", f"{path}/activation", sentence, hint)
            return
    if law.resting > 0.0 and law.trigger is None and law.delay_s == 0.0:
        sentence = Sentence("Its time begins with the run: what holds before is not used.")
        hint = "Give a delay or a trigger, or set it to 0."
        yield problem("coordinate-unused", f"{path}/resting", sentence, hint)


def _limits(law: AnyLaw, path: str) -> Iterator[Problem]:
    if isinstance(law, StopResistance | OneWayDamper):
        lower, upper = law.lower, law.upper
        if lower is not None and upper is not None and lower > upper:
            sentence = Sentence(
                "The lower limit {lower:g} lies above the upper one, {upper:g}.",
                lower=lower,
                upper=upper,
            )
            yield problem("coordinate-limits", f"{path}/lower", sentence, "Exchange them.")
    if isinstance(law, RateResistance) and law.gate is not None and law.factor is None:
        sentence = Sentence("The gate multiplies a factor that is not there.")
        hint = "Give the factor, or remove the gate."
        yield problem("coordinate-unused", f"{path}/gate", sentence, hint)
    if isinstance(law, StopResistance) and law.lower is None and law.below is not None:
        sentence = Sentence("There is no lower limit for it to act at.")
        yield problem("coordinate-unused", f"{path}/below", sentence, "Give a lower limit.")
    if isinstance(law, OneWayDamper):
        if law.growth > 0.0 and law.lower is None and law.upper is None:
            sentence = Sentence("Damping grows beyond limits, of which there are none.")
            yield problem("coordinate-unused", f"{path}/growth", sentence, "Give a limit.")
        if law.as_printed and (law.lower is None or law.growth == 0.0):
            sentence = Sentence("Nothing is printed otherwise without growth below a lower limit.")
            yield problem("coordinate-unused", f"{path}/as_printed", sentence, "Take it away.")


@finds(
    PHYSICS,
    error={
        "coordinate-no-direction": "Two points of a distance start in one place.",
        "hinge-limit": "The limit of a plastic hinge is not above zero, or steeper than the hinge.",
        "crush-tube-way": "A tube that is crushed acts along no distance, or only where that is longer.",
        "crush-tube-walls": "Walls of a tube that is crushed leave no room, or are too thick to fold.",
    },
    warning={
        "coordinate-folds": "An angle starts near half a turn, where it folds.",
        "muscle-stiff": "A muscle relaxes so fast that steps become short.",
        "crush-tube-thin": "Walls of a tube that is crushed are thinner or thicker than those that its force was found for.",
        "crush-tube-rates": "A tube that is crushed resists more by speed twice, or has an exponent without a constant.",
        "crush-tube-long": "The ends of a tube that is crushed meet before it is folded up.",
    },
)
def coordinate_starts(index: Index) -> Iterator[Problem]:
    """Find coordinates without direction at the start, hinges without limit, muscles without give."""
    for at, path in _all(index):
        yield from _start(index, at, path)
    for one, path in index.elements("coordinate_forces"):
        for i, law in enumerate(one.laws):
            if isinstance(law, PlasticHinge):
                yield from _hinge(index, law, f"{path}/laws/{i}")
            if isinstance(law, CrushTube):
                yield from _tube(index, one, law, f"{path}/laws/{i}")
            if isinstance(law, Muscle):
                rate = (law.stiffness + law.stiffness_active) / law.damping
                if rate > STIFF:
                    sentence = Sentence(
                        "Active, it relaxes in {time:.1g} s: steps become as short.",
                        time=1.0 / rate,
                    )
                    hint = "Raise its damping, or lower its stiffness."
                    yield problem("muscle-stiff", f"{path}/laws/{i}/damping", sentence, hint)


def _start(index: Index, at: AnyCoordinate, path: str) -> Iterator[Problem]:
    if isinstance(at, DistanceCoordinate) and _start_in_one_place(index, at):
        sentence = Sentence(
            "Two points that follow on each other start in one place: the force has no direction."
        )
        hint = "Move one, or take components."
        yield problem("coordinate-no-direction", path, sentence, hint)
    frames = _turned_frames(index, at)
    if frames is not None:
        turned = angle_between(*(_axes(index, frame) for frame in frames))
        if turned > FOLDS:
            sentence = Sentence(
                "Both frames start turned by {degrees:.0f} degrees; at 180 the angle folds.",
                degrees=math.degrees(turned),
            )
            hint = "Turn one frame so that they start alike."
            yield problem("coordinate-folds", path, sentence, hint)


def _turned_frames(index: Index, at: Coordinate) -> tuple[FrameRef, FrameRef] | None:
    """The frames whose turn a coordinate is a component of."""
    if isinstance(at, AngleCoordinate):
        return at.a, at.b
    if not isinstance(at, JointCoordinate) or at.axis not in TURNS_OF_BALLS:
        return None
    joint = index.by_id["joints"][at.joint]
    return (
        FrameRef(segment=joint.parent, frame=joint.parent_frame),
        FrameRef(segment=joint.child, frame=joint.child_frame),
    )


def _start_in_one_place(index: Index, of: DistanceCoordinate) -> bool:
    return any(
        float(np.linalg.norm(_place(index, q) - _place(index, p))) <= EXACT_M
        for p, q in pairwise(of.points)
        if p.segment != q.segment and not (p.moves or q.moves or p.only or q.only)
    )


def _place(index: Index, point: PointRef) -> Array:
    at = index.pose[point.segment]
    place: Array = at.p_W + at.R_WS @ np.array(point.position_m)
    return place


def _axes(index: Index, ref: FrameRef) -> Array:
    axes: Array = index.pose[ref.segment].R_WS @ turn(ref.frame.orientation)
    return axes


FOLDED = {"tube": (10.0, 450.0), "box": (7.5, math.inf)}
"""Widths by wall for which forces hold: round tubes that Guillow, Lu and Grzebieta crushed (Int. J. Mech. Sci. 43, 2001); thicker boxes than these stretch in place of rolling (Abramowicz and Jones)."""


def _tube(index: Index, one: CoordinateForce, law: CrushTube, path: str) -> Iterator[Problem]:
    """Find tubes that cannot fold."""
    at = one.coordinate
    if not isinstance(at, DistanceCoordinate):
        hint = "Let its coordinate be the distance of its ends."
        yield problem("crush-tube-way", path, Sentence("A tube is crushed along the line between its ends."), hint)  # fmt: skip
    elif one.side == "above":
        sentence = Sentence("It acts only where its ends are farther apart: nothing is crushed.")
        yield problem("crush-tube-way", path, sentence, "Let it act on both sides, or below.")
    elif has_room(law.section):
        ways = [_place(index, q) - _place(index, p) for p, q in pairwise((at.a, *at.via, at.b))]
        apart = sum(float(np.linalg.norm(way)) for way in ways) if one.zero is None else one.zero
        if law.part * law.length_m >= apart:
            sentence = Sentence("It folds up over {stroke:.3g} m, and its ends are {apart:.3g} m apart: they would pass each other.", stroke=law.part * law.length_m, apart=apart)  # fmt: skip
            yield problem("crush-tube-long", f"{path}/length_m", sentence, "Give the length between its ends.")  # fmt: skip
    if (
        law.rate_per_s is None
        and law.rate_exponent != CrushTube.model_fields["rate_exponent"].default
    ):
        sentence = Sentence("Without a rate constant the rate exponent does nothing.")
        yield problem("crush-tube-rates", f"{path}/rate_exponent", sentence, "Give the constant.")
    elif law.rate_per_s is not None and law.faster != 1.0:
        sentence = Sentence("Its forces are larger by {factor:g}, and by how fast it is crushed as well.", factor=law.faster)  # fmt: skip
        yield problem("crush-tube-rates", f"{path}/faster", sentence, "Set it to 1.")
    if not has_room(law.section) or law.mean_n >= law.squash_n:
        sentence = Sentence("Walls of {wall:.4g} m are too thick to fold.", wall=law.section.wall_m)
        yield problem("crush-tube-walls", f"{path}/section", sentence, "Make them thinner.")
    elif not FOLDED[law.section.kind][0] <= law.slender <= FOLDED[law.section.kind][1]:
        sentence = Sentence("It is {slender:.3g} times as wide as its wall is thick.", slender=law.slender)  # fmt: skip
        hint = "Its force is that of round tubes 10 to 450 times, of boxes more than 7.5 times as wide."
        yield problem("crush-tube-thin", f"{path}/section", sentence, hint)


def _hinge(index: Index, law: PlasticHinge, path: str) -> Iterator[Problem]:
    """Find limits that are not above zero, and such as the hinge would never reach."""
    for field, sign in (("limit", 1.0), ("limit_below", -1.0)):
        limit = getattr(law, field)
        if limit is None:
            continue
        if isinstance(limit, str):
            x, y = samples(index.functions[limit].form)
            if law.limit_goes_by == "size":
                # the last place below zero says what holds at zero
                kept = x >= max((v for v in x if v <= 0.0), default=0.0)
                x, y, sign = x[kept], y[kept], 1.0
            least = float(np.min(y)) if y.size else 0.0
            slope = float(np.max(sign * np.diff(y) / np.diff(x))) if y.size > 1 else 0.0
        else:
            least, slope = limit, 0.0
        if least <= 0.0:
            sentence = Sentence("The limit is {least:g}: a hinge gives in above zero.", least=least)
            yield problem("hinge-limit", f"{path}/{field}", sentence, "Let it stay above zero.")
        elif slope >= law.stiffness:
            sentence = Sentence(
                "The limit grows by {slope:g}, faster than the hinge below it ({stiffness:g}): it never gives in.",
                slope=slope,
                stiffness=law.stiffness,
            )
            yield problem("hinge-limit", f"{path}/{field}", sentence, "Raise the stiffness.")


# Check what goes by what it senses: actuators, their switches and sensors, and reflexes of muscles.


@finds(
    TOPOLOGY,
    error={
        "sensor-kind": "An actuator senses an angle and acts along a way, or the other way round.",
        "switch-limits": "A switch has no hysteresis, or its limits stand the wrong way round.",
    },
    warning={
        "actuator-swings": "An actuator senses so late that its damping drives.",
        "reflex-nothing": "A reflex adds nothing.",
    },
    note={"actuator-unused": "An actuator or a reflex has a number that is not used."},
)
def actuators(index: Index) -> Iterator[Problem]:
    """Find sensors of another kind, switches without end, gains that swing up, and reflexes without gain."""
    for element, where in index.elements("coordinate_forces"):
        for i, law in enumerate(element.laws):
            if isinstance(law, Actuator):
                yield from _actuator(law, element.coordinate.turns, f"{where}/laws/{i}")
    for reflex, path in index.of(Reflex):
        if reflex.proportional == 0.0 == reflex.derivative:
            sentence = Sentence("This reflex has no gain: it adds nothing.")
            yield problem("reflex-nothing", path, sentence, "Give it a gain, or remove it.")


def _actuator(law: Actuator, turns: bool, path: str) -> Iterator[Problem]:
    if law.senses is not None and law.senses.coordinate.turns != turns:
        sentence = Sentence("It senses an angle, and acts along a way.")
        if turns:
            sentence = Sentence("It senses a way, and acts about an angle.")
        hint = "Sense what is of the kind that it acts on."
        yield problem("sensor-kind", f"{path}/senses/coordinate", sentence, hint)
    if law.switch is not None:
        yield from _switch(law, law.switch, f"{path}/switch")
    p, d, late = law.proportional, law.derivative, law.reflex_s + 0.5 * law.period_s
    if isinstance(p, str) or isinstance(d, str) or law.by_rate is not None:
        return
    if late > 0.0 and d > 0.0 and p * late >= d:
        sentence = Sentence(
            "It acts {late:.3g} s late on average: P times this is {drive:.3g}, no less than D, {damping:.3g}. On its own it makes every swing grow.",
            late=late,
            drive=p * late,
            damping=d,
        )
        hint = "Raise D, lower P, or let it sense sooner."
        yield problem("actuator-swings", f"{path}/derivative", sentence, hint)


def _switch(law: Actuator, switch: Switch, path: str) -> Iterator[Problem]:
    waits = law.reflex_s > 0.0 or law.period_s > 0.0
    if switch.off > switch.on:
        sentence = Sentence("It switches off above where it switches on.")
        yield problem("switch-limits", f"{path}/off", sentence, "Let it switch off below.")
    elif switch.off < -switch.on:
        sentence = Sentence("The other side switches on before this one is off.")
        least = Sentence("Take {least:g} or more.", least=-switch.on)
        yield problem("switch-limits", f"{path}/off", sentence, least)
    elif switch.off == switch.on and not waits:
        sentence = Sentence(
            "It switches on and off at the same place, again and again without end."
        )
        hint = "Let it switch off below, or give a reflex time or a period."
        yield problem("switch-limits", f"{path}/off", sentence, hint)
    if switch.size == 0.0:
        sentence = Sentence("The switch turns on nothing.")
        yield problem("actuator-unused", path, sentence, "Give it a size, or remove it.")
