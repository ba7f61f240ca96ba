"""Make coordinate forces into arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import assert_never

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces import laws as law_kernels
from solver.engine.forces.coordinates import arrays as kernels
from solver.engine.forces.coordinates.arrays import Coordinates
from solver.engine.forces.laws import MEMORY, Laws
from solver.engine.maths.alike import dot, length
from solver.engine.maths.curve import NONE, table
from solver.engine.maths.rotation import quaternion
from solver.model.arrays import (
    FAR,
    Sensing,
    Timed,
    bends,
    of_actuator,
    reals,
    sensors_of,
    timed_of,
    wholes,
)
from solver.model.blocks import BlockRows, states_of_blocks
from solver.model.functions import Numbered, least_lost
from solver.model.paths import PathRows, length_of
from solver.model.surfaces import AT_START
from solver.model.tree import Trees, frame_on, placed, point_on, turn
from solver.project.blocks import BlockLaw, Diagram, HydraulicLaw
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
    Sided,
    StopResistance,
    ViscousResistance,
)
from solver.project.coordinates import (
    Actuator,
    AngleCoordinate,
    ComponentCoordinate,
    Coordinate,
    DistanceCoordinate,
    JointCoordinate,
    Reflex,
    Sensor,
)
from solver.project.document import Project
from solver.project.geometry import FrameRef, PointRef
from solver.project.joint_table import TURNS_OF_BALLS, carrying, is_free, law_axes, row_of
from solver.project.joints import Joint
from solver.project.pose import Placed

SIDES = {"both": kernels.BOTH, "above": kernels.ABOVE, "below": kernels.BELOW}
ACTS = {"growing": 1.0, "falling": -1.0, "both": 0.0}
KINDS: dict[type[Coordinate], int] = {
    JointCoordinate: kernels.JOINT, DistanceCoordinate: kernels.DISTANCE,
    ComponentCoordinate: kernels.COMPONENT, AngleCoordinate: kernels.ANGLE,
}  # fmt: skip

GROUND_AXES = np.eye(3).ravel()
EULER_AXES = ("precession", "nutation", "spin")


def _joint_of(project: Project, name: str) -> Joint:
    return next(one for one in project.joints if one.id == name)


def between(project: Project, at: Coordinate) -> Coordinate:
    """A coordinate that stands between frames in place of an axis of a ball or of a free joint."""
    if not isinstance(at, JointCoordinate):
        return at
    joint = _joint_of(project, at.joint)
    frame = FrameRef(segment=joint.parent, frame=joint.parent_frame)
    if at.axis in TURNS_OF_BALLS:
        child = FrameRef(segment=joint.child, frame=joint.child_frame)
        return AngleCoordinate.model_validate(
            {"kind": "angle", "a": frame, "b": child, "axis": at.axis[-1]}
        )
    if is_free(joint):
        point = PointRef(segment=joint.child, position_m=joint.child_frame.position_m)
        return ComponentCoordinate.model_validate(
            {"kind": "component", "a": frame, "b": point, "axis": at.axis}
        )
    return at


def _body_of(project: Project, trees: Trees, at: JointCoordinate) -> int:
    """Give the body of an axis in the chain of its joint; of an Euler joint that is a ball, its only one."""
    joint = next(one for one in project.joints if one.id == at.joint)
    axis, bodies = law_axes(joint).index(at.axis), trees.joints[at.joint].bodies
    return bodies[min(axis, len(bodies) - 1)]


def _entries(project: Project, trees: Trees, at: JointCoordinate) -> tuple[int, int]:
    """The entries of q and v of an axis of a joint."""
    body = _body_of(project, trees, at)
    return int(trees.tree.at_q[body]), int(trees.tree.at_v[body])


def start_of(
    project: Project,
    trees: Trees,
    one: CoordinateForce | Sensor | Reflex,
    pose: Mapping[str, Placed],
) -> float:
    """The value of a coordinate at the start."""
    match between(project, one.coordinate):
        case JointCoordinate(axis="precession" | "nutation" | "spin") as at:
            return trees.joints[at.joint].start[EULER_AXES.index(at.axis)]
        case JointCoordinate() as at:
            return float(trees.q[trees.tree.at_q[_body_of(project, trees, at)]])
        case DistanceCoordinate() as at:
            return length_of(project, at, pose)
        case ComponentCoordinate(a=a, b=b, axis=axis):
            R, origin = _frame(pose, a)
            return dot(R[:, "xyz".index(axis)], placed(pose, b) - origin)
        case AngleCoordinate(a=a, b=b, axis=axis):
            turned = quaternion(_frame(pose, a)[0].T @ _frame(pose, b)[0])
            sine = length(turned[1:])
            angle = 2.0 * math.atan2(sine, turned[0])
            return angle * turned[1 + "xyz".index(axis)] / sine if sine > 0.0 else 0.0
        case other:
            raise AssertionError(other)


def _frame(pose: Mapping[str, Placed], ref: FrameRef) -> tuple[Array, Array]:
    at = pose[ref.segment]
    R: Array = at.R_WS @ turn(ref.frame.orientation)
    origin: Array = at.p_W + at.R_WS @ np.array(ref.frame.position_m)
    return R, origin


@dataclass
class _Rows:
    """Gather laws and slots of all elements."""

    functions: Numbered
    sensing: Sensing
    clocks: int
    """Number of the next trigger of a muscle or an actuator."""
    states: int
    """Entry of z of the next of them."""
    blocks: BlockRows
    law: list[int] = field(default_factory=list)
    number: list[list[float]] = field(default_factory=list)
    curve: list[list[int]] = field(default_factory=list)
    slot: list[int] = field(default_factory=list)
    state: list[int] = field(default_factory=list)
    clock: list[int] = field(default_factory=list)
    slots: list[tuple[int, int, float, float, int, int]] = field(default_factory=list)
    """Of each: element, law, sign, place, law that remembers, whether it is told."""
    laws: list[tuple[list[int], list[float]]] = field(default_factory=list)
    """Curves and numbers of laws that remember."""

    def add(self, n: int, law: AnyLaw) -> None:
        """Add a law of element n."""
        k = len(self.law)
        self.law.append(getattr(kernels, law.law))
        self.slot.append(NONE)
        self.state.append(NONE)
        self.clock.append(NONE)
        sensed = self.sensing.elements + self.sensing.sensors
        self.sensing.add(n, k, law)
        # one that drives a coordinate by blocks has states of its own first: the pressures of its chambers
        pressures = 2 * isinstance(law, HydraulicLaw)
        self.blocks.add(k, law, sensed, self.states + pressures)
        number, curve = self._of(n, k, law)
        self.number.append([*number, *[0.0] * (kernels.NUMBERS - len(number))])
        self.curve.append([*curve, *[NONE] * (kernels.CURVES - len(curve))])

    def _of(self, n: int, k: int, law: AnyLaw) -> tuple[list[float], list[int]]:
        """Numbers and curves of a law."""
        curve = self.functions.number
        match law:
            case LinearResistance():
                return [law.stiffness], []
            case RestResistance():
                self._remember(n, k, law, law.at, law.at, told=0)
                return [], []
            case StopResistance():
                self._remember(n, k, law, law.lower, law.upper, told=1)
                return [], []
            case CoulombResistance():
                return [law.size, law.full_rate], []
            case ViscousResistance():
                return [law.damping, law.full_rate], []
            case RateResistance():
                return [], [curve(one) for one in (law.base, law.factor, law.gate, law.damping)]
            case OneWayDamper():
                lower = -FAR if law.lower is None else law.lower
                upper = FAR if law.upper is None else law.upper
                printed = float(law.as_printed)
                return [law.damping, law.growth, lower, upper, ACTS[law.acts], printed], []
            case Muscle():
                self._timed(k, law)
                numbers = [law.delay_s, law.stiffness, law.stiffness_active, law.damping]
                return numbers, [curve(law.activation)]
            case HillMuscle():
                self._timed(k, law)
                reflex = law.reflex
                gains = (0.0, 0.0) if reflex is None else (reflex.proportional, reflex.derivative)
                aim = None if reflex is None else reflex.target
                begins_at_once = law.trigger is None and law.delay_s == 0.0
                asked = self.functions.value(law.activation, 0.0) if begins_at_once else law.resting
                return [
                    law.delay_s, law.strength, law.fibre, law.stretch, law.speed_per_s, law.passive_strain,
                    law.rise_s, law.fall_s, law.resting, asked, 1.0 if law.pulls == "back" else -1.0, *gains,
                ], [curve(law.activation), curve(aim)]  # fmt: skip
            case Actuator():
                self._timed(k, law)
                if law.switch is not None:
                    self.slot[k] = len(self.slots)
                    self.slots.append((n, k, 1.0, 0.0, NONE, 0))
                return of_actuator(law, self.functions)
            case BlockLaw():
                self._timed(k, law)
                return [law.delay_s], []
            case HydraulicLaw():
                self._timed(k, law)
                flow = law.valve_flow_m3_per_s / math.sqrt(law.valve_drop_pa)
                return [
                    law.delay_s, law.supply_pa, law.return_pa, flow, law.area_a_m2, law.area_b_m2, law.volume_a_m3, law.volume_b_m3,
                    law.bulk_modulus_pa, law.leak_m3_per_pa_s, law.pressure_a_pa, law.pressure_b_pa,
                ], [curve(law.opening)]  # fmt: skip
            case PlasticHinge():
                self.slot[k] = len(self.slots)
                self.slots.append((n, k, 1.0, 0.0, NONE, 1))
                below = law.limit if law.limit_below is None else law.limit_below
                kind = self.functions.even if law.limit_goes_by == "size" else curve
                return [law.stiffness], [kind(law.limit), kind(below)]
            case CrushTube():
                self.slot[k] = len(self.slots)
                self.slots.append((n, k, 1.0, 0.0, NONE, 1))
                name = repr(law.limit)
                if not self.functions.has(name):
                    self.functions.add(name, table(*law.limit))
                numbers = [law.stiffness, law.quick_s_per_m, 1.0 / law.rate_exponent, law.limit[0][0], law.packed * law.stiffness]  # fmt: skip
                return numbers, [curve(law.squash_n if law.fixed else None), curve(name)]
            case other:
                assert_never(other)

    def _timed(self, k: int, law: Timed) -> None:
        """Give a law whose time counts its state, and the number of its trigger."""
        states = states_of_blocks(law) if isinstance(law, Diagram) else 1
        if states > 0:
            self.state[k] = self.states
        self.states += states
        if law.trigger is not None:
            self.clock[k] = self.clocks
            self.clocks += 1

    def _remember(
        self, n: int, k: int, law: Sided, lower: float | None, upper: float | None, told: int
    ) -> None:
        """Give a law with two sides its slots, above first."""
        self.slot[k] = len(self.slots)
        for sign, at, base in (
            (1.0, upper, law.above),
            (-1.0, lower, law.above if law.below is None else law.below),
        ):
            inner = NONE if at is None else self._law(base, law)
            self.slots.append((n, k, sign, at or 0.0, inner, told))

    def _law(self, base: str, law: Sided) -> int:
        """The number of a law that loads by a curve and unloads by the ratios."""
        curve, number = [NONE] * law_kernels.LAW_CURVES, [0.0] * law_kernels.LAW_NUMBERS
        curve[law_kernels.BASE] = self.functions.number(base)
        if (law.energy_ratio, law.offset_ratio) != (1.0, 0.0):
            curve[law_kernels.RETURNED] = self.functions.number(law.energy_ratio)
            curve[law_kernels.KEPT] = self.functions.number(law.offset_ratio)
            curve[law_kernels.LEAST] = curve[law_kernels.LEAST_BARE] = least_lost(
                self.functions, base, None, law.energy_ratio, law.offset_ratio
            )
        number[law_kernels.FULL_FRICTION] = 1.0
        number[law_kernels.BASE_START] = max(self.functions[base].start[0], 0.0)
        number[law_kernels.GIVES_BACK] = AT_START[law.at_start]
        self.laws.append((curve, number))
        return len(self.laws) - 1


def compile_coordinates(
    project: Project,
    trees: Trees,
    functions: Numbered,
    pose: Mapping[str, Placed],
    clock: int,
    state: int,
) -> tuple[Coordinates, list[float]]:
    """All coordinate forces, and the times at which activations and targets bend.

    `clock` is the number of the first trigger of muscles and actuators, `state` that of their first entry of z.
    """
    elements = project.coordinate_forces
    sensing = Sensing(len(elements))
    rows, first = _Rows(functions, sensing, clock, state, BlockRows(functions)), [0]
    for n, one in enumerate(elements):
        for law in one.laws:
            rows.add(n, law)
        first.append(len(rows.law))
    # what is only sensed stands behind the elements
    measured: list[CoordinateForce | Sensor | Reflex] = [*elements, *sensors_of(project)]
    at = [one.coordinate for one in measured]
    ends = [_ends(project, trees, one) for one in at]
    paths = PathRows(partial(point_on, trees), partial(_entries, project, trees), functions)
    for line in at:
        paths.add(line)
    zero = [start_of(project, trees, e, pose) if e.zero is None else e.zero for e in measured]
    count = len(rows.slots)
    laws = Laws(
        kind=np.full(len(rows.laws), law_kernels.HYSTERETIC, np.int64),
        curve=wholes((curve for curve, _ in rows.laws), law_kernels.LAW_CURVES),
        number=reals((number for _, number in rows.laws), law_kernels.LAW_NUMBERS),
    )
    made = Coordinates(
        kind=wholes(
            kernels.LINE_LENGTH
            if isinstance(one, DistanceCoordinate) and not one.is_straight
            else _kind_of(project, trees, one)
            for one in at
        ),
        body=wholes(end[0] for end in ends),
        a=wholes(end[1] for end in ends),
        b=wholes(end[2] for end in ends),
        at_a=reals((end[3] for end in ends), 3),
        at_b=reals((end[4] for end in ends), 3),
        R_A=reals((end[5] for end in ends), 9),
        R_B=reals((end[6] for end in ends), 9),
        paths=paths.arrays(),
        axis=wholes(_axis_of(project, trees, one) for one in at),
        euler=wholes(_euler_of(project, trees, one) for one in at),
        turning=np.zeros((len(at), 3)),
        turned=np.zeros((len(at), 3)),
        zero=reals(zero),
        side=wholes(SIDES[e.side] for e in elements),
        blend=reals(e.blend for e in elements),
        first=wholes(first),
        law=wholes(rows.law),
        number=reals(rows.number, kernels.NUMBERS),
        curve=wholes(rows.curve, kernels.CURVES),
        slot=wholes(rows.slot),
        state=wholes(rows.state),
        clock=wholes(rows.clock),
        laws=laws,
        row=wholes(s[0] for s in rows.slots),
        of=wholes(s[1] for s in rows.slots),
        sign=reals(s[2] for s in rows.slots),
        at=reals(s[3] for s in rows.slots),
        inner=wholes(s[4] for s in rows.slots),
        told=wholes(s[5] for s in rows.slots),
        mode=np.zeros(count, np.int64),
        memory=np.zeros((count, MEMORY)),
        blocks=rows.blocks.arrays(),
        **sensing.arrays(),
    )
    return made, [t for _, law in timed_of(project) for t in bends(law, functions)]


def _kind_of(project: Project, trees: Trees, at: Coordinate) -> int:
    if isinstance(at, JointCoordinate) and at.axis in _pins(project, trees, at.joint):
        return kernels.EULER
    return KINDS[type(between(project, at))]


def _pins(project: Project, trees: Trees, joint: str) -> tuple[str, ...]:
    """Name the three turns of a joint that may be a ball all the same."""
    if joint not in trees.joints or not trees.joints[joint].start:
        return ()
    return tuple(turn.name for turn in row_of(_joint_of(project, joint)).turns)


def _axis_of(project: Project, trees: Trees, at: Coordinate) -> int:
    axis = getattr(between(project, at), "axis", "x")
    pins = _pins(project, trees, at.joint) if isinstance(at, JointCoordinate) else ()
    return pins.index(axis) if axis in pins else "xyz".find(axis)


def _euler_of(project: Project, trees: Trees, at: Coordinate) -> int:
    """The number of the laws of three pins; none for what is no angle of theirs."""
    if not isinstance(at, JointCoordinate) or _kind_of(project, trees, at) != kernels.EULER:
        return NONE
    pinned = [one.id for one in carrying(project.joints) if trees.joints[one.id].start]
    return pinned.index(at.joint)


def _ends(project: Project, trees: Trees, at: Coordinate) -> tuple[object, ...]:
    """A joint's body, and of the others both bodies, points and axes."""
    match between(project, at):
        case JointCoordinate(joint=name) as axis:
            joint = next(joint for joint in project.joints if joint.id == name)
            body, made = _body_of(project, trees, axis), trees.joints[name]
            i, at_a, R_A = frame_on(trees, FrameRef(segment=joint.parent, frame=joint.parent_frame))
            _, at_b, R_B = frame_on(trees, FrameRef(segment=joint.child, frame=joint.child_frame))
            return body, i, made.bodies[-1], at_a, at_b, R_A.ravel(), R_B.ravel()
        case DistanceCoordinate(a=a, b=b):
            i, at_a = point_on(trees, a.segment, a.position_m)
            j, at_b = point_on(trees, b.segment, b.position_m)
            return NONE, i, j, at_a, at_b, GROUND_AXES, GROUND_AXES
        case ComponentCoordinate(a=frame, b=b):
            i, at_a, R_A = frame_on(trees, frame)
            j, at_b = point_on(trees, b.segment, b.position_m)
            return NONE, i, j, at_a, at_b, R_A.ravel(), GROUND_AXES
        case AngleCoordinate(a=frame, b=other):
            i, at_a, R_A = frame_on(trees, frame)
            j, at_b, R_B = frame_on(trees, other)
            holds = isinstance(at, JointCoordinate) and at.joint in trees.joints
            return j if holds else NONE, i, j, at_a, at_b, R_A.ravel(), R_B.ravel()
        case unknown:
            raise AssertionError(unknown)
