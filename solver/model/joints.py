"""Make what acts in joints into numbered laws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple, assert_never

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces.joints.bearings import Bearings
from solver.engine.forces.joints.contours import Azimuths, Contours
from solver.engine.forces.joints.eulers import EulerLaws
from solver.engine.forces.joints.kernels import AxisLaws, BallLaws, JointLaws
from solver.engine.forces.joints.springs import COMPONENTS, Frictions, Relaxings, Springs
from solver.engine.maths.curve import NONE
from solver.model.arrays import reals, wholes
from solver.model.functions import Numbered
from solver.model.tree import Elementary, Trees
from solver.project.azimuths import (
    FlexureTable,
    FunctionContour,
    GlobographicStop,
    LibraryContour,
    library,
)
from solver.project.document import Project
from solver.project.joint_table import (
    Acting,
    Bending,
    axes_of,
    bending_of,
    carrying,
    contour_of,
    is_printed,
    row_of,
    slides_of,
)
from solver.project.joints import ExtensionalJoint, Friction, Joint, Slide, Spring

TERMS = 20


class Form(NamedTuple):
    """Say how the angles of a joint are precession, nutation and spin: less a shift, about z, x, z of a turned frame of the child.

    A frame that turns by yaw, pitch and roll is one that turns about z, x and z: `Rz(a) Ry(b) Rx(c) Ry(90) = Rz(a + 90) Rx(b + 90) Rz(c - 90)`.
    """

    turn: Array
    shift: tuple[float, float, float]
    rest: float


PLAIN = Form(np.eye(3), (0.0, 0.0, 0.0), 0.0)
UPRIGHT = Form(
    np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]),
    (0.5 * np.pi, 0.5 * np.pi, -0.5 * np.pi),
    -0.5 * np.pi,
)
"""Of a joint of six: its turns lie in a plane at an upright pitch."""


@dataclass
class _Laws:
    """Collect laws in order."""

    functions: Numbered
    as_printed: bool = False
    """Whether all act as printed, whatever each says."""
    springs: list[tuple[float, float, float, float, float, int, int]] = field(default_factory=list)
    frictions: list[tuple[float, float, float]] = field(default_factory=list)
    axes: list[tuple[int, int, float, int, int]] = field(default_factory=list)
    balls: list[tuple[int, Array, tuple[int, int], int, int, int, bool, int]] = field(
        default_factory=list
    )
    eulers: list[
        tuple[tuple[int, ...], Array, tuple[float, ...], list[tuple[float, int, int]], Form]
    ] = field(default_factory=list)
    """Bodies, frame in the child, angles at the start, and centre, spring and friction of each axis."""
    tables: list[FlexureTable] = field(default_factory=list)
    bearings: list[tuple[int, int, int, float, float]] = field(default_factory=list)
    """Body, Euler law and its axis, coefficient by radius, rate of full friction."""
    contours: list[tuple[int, int, Array, Array, GlobographicStop, int]] = field(
        default_factory=list
    )
    number: dict[tuple[str, str], int] = field(default_factory=dict)
    """Numbers of ball laws, Euler laws and contours by kind and joint."""

    def spring(self, spring: Spring) -> int:
        """Give a spring its number; a function that says nothing of negative angles holds for both sides."""
        odd = spring.torque is not None and self.functions[spring.torque].one_sided
        self.springs.append(
            (
                spring.linear_nm_per_rad,
                spring.stop_rad,
                spring.quadratic_nm_per_rad2,
                spring.cubic_nm_per_rad3,
                spring.returned_ratio,
                self.functions.number(spring.torque),
                int(odd),
            )
        )
        return len(self.springs) - 1

    def friction(self, friction: Friction) -> int:
        """Give a friction its number."""
        # what has a spring in a row is a law by itself
        viscous = friction.viscous_nms_per_rad if friction.relaxation_s is None else 0.0
        self.frictions.append((viscous, friction.coulomb_nm, friction.full_rate_rad_per_s))
        return len(self.frictions) - 1

    def bearing(self, body: int, friction: Friction, euler: int = NONE, axis: int = NONE) -> None:
        """Let the joint's own force resist a turn."""
        ratio = friction.coefficient * friction.radius_m
        if ratio > 0.0:
            self.bearings.append((body, euler, axis, ratio, friction.full_rate_rad_per_s))

    def turn(self, body: int, last: int, centre: float, spring: Spring, friction: Friction) -> None:
        """Let a spring and a friction act on a single freedom of a joint, whose outermost body is `last`."""
        if spring != Spring() or friction != Friction():
            self.axes.append((body, last, centre, self.spring(spring), self.friction(friction)))
            self.bearing(body, friction)

    def ball(self, body: int, R_BC: Array, joint: Bending) -> None:
        """Let flexure, torsion and friction act on three turns."""
        laws = joint.flexure, joint.torsion, joint.friction, joint.by_azimuth
        hangs = None if joint.breakage is None else joint.breakage.hangs_nm
        if laws != (Spring(), Spring(), Friction(), None) or hangs is not None:
            springs = self.spring(joint.flexure), self.spring(joint.torsion)
            friction, printed = (
                self.friction(joint.friction),
                int(self.as_printed or joint.torque_law == "printed"),
            )
            table = NONE if joint.by_azimuth is None else len(self.tables)
            self.tables += () if joint.by_azimuth is None else (joint.by_azimuth,)
            strikes = any(one.restitution is not None for one in (joint.flexure, joint.torsion))
            left = NONE
            if hangs is not None:
                full = joint.friction.full_rate_rad_per_s
                left = self.friction(Friction(coulomb_nm=hangs, full_rate_rad_per_s=full))
            self.balls.append((body, R_BC, springs, friction, table, printed, strikes, left))
            self.bearing(body, joint.friction)

    def euler(self, made: Elementary, axes: tuple[Acting, ...], form: Form = PLAIN) -> None:
        """Let springs and frictions act about precession, nutation and spin."""
        all_three = made.bodies[-3:] if len(made.bodies) >= 3 else made.bodies * 3
        laws = [(a.centre_rad, self.spring(a.spring), self.friction(a.friction)) for a in axes]
        R_CF, angles = made.R_CF @ form.turn, np.array(made.start) + form.shift
        self.eulers.append((all_three, R_CF, tuple(angles), laws, form))
        for n, (body, one) in enumerate(zip(all_three, axes, strict=True)):
            self.bearing(body, one.friction, len(self.eulers) - 1, n)

    def slide(self, body: int, last: int, slide: Slide, centre: float) -> None:
        """Let a spring and a friction act along a sliding axis."""
        spring = self.spring(Spring(torque=slide.force))
        self.frictions.append((slide.viscous_ns_per_m, slide.coulomb_n, slide.full_rate_m_per_s))
        self.axes.append((body, last, centre, spring, len(self.frictions) - 1))
        if slide.coefficient > 0.0:
            self.bearings.append((body, NONE, NONE, slide.coefficient, slide.full_rate_m_per_s))


Numbers = Mapping[tuple[str, str], int]
"""Numbers of laws by kind (ball, euler, contour) and joint; only for joints that have one."""


def compile_joints(
    project: Project, trees: Trees, functions: Numbered, as_printed: bool = False
) -> tuple[JointLaws, Numbers]:
    """The laws of all joints, and the numbers by which events refer to them."""
    laws = _Laws(functions, as_printed)
    for joint in carrying(project.joints):
        made, row = trees.joints[joint.id], row_of(joint)
        body, R_BC = made.bodies[-1], made.R_CF
        for number, (_, slide) in zip(row.slid(made.bodies), slides_of(joint), strict=False):
            laws.slide(
                number, body, slide, _rest_of(joint, float(trees.q[trees.tree.at_q[number]]))
            )
        match row.acts:
            case "ball":
                laws.ball(body, R_BC, bending_of(joint))
            case "euler":
                laws.euler(made, axes_of(joint))
            case "axes" if made.start:
                laws.euler(made, axes_of(joint), UPRIGHT)
            case "axes":
                for number, axis in zip(row.turned(made.bodies), axes_of(joint), strict=True):
                    laws.turn(number, body, axis.centre_rad, axis.spring, axis.friction)
            case "nothing":
                pass
            case _:
                assert_never(row.acts)
        laws.number |= {
            ("ball", joint.id): len(laws.balls) - 1,
            ("euler", joint.id): len(laws.eulers) - 1,
            ("contour", joint.id): len(laws.contours),
        }
        contour = contour_of(joint)
        if contour is not None:
            parent = trees.body_of.get(joint.parent, -1)
            printed = int(as_printed or is_printed(joint))
            laws.contours.append((parent, body, made.R_PF, R_BC, contour, printed))
    return _arrays(laws), laws.number


def compile_relaxings(project: Project, trees: Trees, first: int) -> Relaxings:
    """The dampers that have a spring in a row; their states stand from `first` on."""
    rows = list[tuple[int, int, Friction]]()
    for joint in carrying(project.joints):
        bodies, row = trees.joints[joint.id].bodies, row_of(joint)
        if row.acts == "ball":
            rows.append((bodies[-1], 1, bending_of(joint).friction))
        elif row.acts == "axes":
            turned = zip(row.turned(bodies), axes_of(joint), strict=True)
            rows += [(body, 0, axis.friction) for body, axis in turned]
    rows = [r for r in rows if r[2].relaxation_s is not None and r[2].viscous_nms_per_rad > 0.0]
    return Relaxings(
        body=wholes(r[0] for r in rows),
        ball=wholes(r[1] for r in rows),
        damping=reals(r[2].viscous_nms_per_rad for r in rows),
        time=reals(r[2].relaxation_s or 0.0 for r in rows),
        first=first + COMPONENTS * np.arange(len(rows)),
    )


def _rest_of(joint: Joint, start: float) -> float:
    """The way at which the force along a slide is none: of a strut its rest length."""
    if not isinstance(joint, ExtensionalJoint):
        return 0.0
    return start if joint.rest_length_m is None else joint.rest_length_m


def _arrays(laws: _Laws) -> JointLaws:
    s, f, axes, balls, eulers = laws.springs, laws.frictions, laws.axes, laws.balls, laws.eulers
    springs = Springs(
        linear=reals(r[0] for r in s),
        stop=reals(r[1] for r in s),
        quadratic=reals(r[2] for r in s),
        cubic=reals(r[3] for r in s),
        returned=reals(r[4] for r in s),
        curve=wholes(r[5] for r in s),
        odd=wholes(r[6] for r in s),
    )
    frictions = Frictions(reals(r[0] for r in f), reals(r[1] for r in f), reals(r[2] for r in f))
    on_axes = AxisLaws(
        body=wholes(r[0] for r in axes),
        last=wholes(r[1] for r in axes),
        centre=reals(r[2] for r in axes),
        spring=wholes(r[3] for r in axes),
        friction=wholes(r[4] for r in axes),
    )
    on_balls = BallLaws(
        body=wholes(r[0] for r in balls),
        R_BC=reals((r[1] for r in balls), 9),
        spring=wholes((r[2] for r in balls), 2),
        friction=wholes(r[3] for r in balls),
        table=wholes(r[4] for r in balls),
        printed=wholes(r[5] for r in balls),
        strikes=wholes(r[6] for r in balls),
        left=wholes(r[7] for r in balls),
        broken=np.zeros(len(balls), np.int64),
        angle=np.zeros((len(balls), 2)),
        axes=np.zeros((2 * len(balls), 3)),
    )
    on_eulers = EulerLaws(
        body=wholes((r[0] for r in eulers), 3),
        R_BC=reals((r[1] for r in eulers), 9),
        centre=reals(([axis[0] for axis in r[3]] for r in eulers), 3),
        spring=wholes(([axis[1] for axis in r[3]] for r in eulers), 3),
        friction=wholes(([axis[2] for axis in r[3]] for r in eulers), 3),
        angle=np.zeros((len(eulers), 3)),
        seen=np.zeros((len(eulers), 6)),
        axes=np.zeros((3 * len(eulers), 3)),
        way=np.zeros((len(eulers), 3)),
        last=reals(((r[2][0] + r[2][2], r[2][0] - r[2][2], r[2][1]) for r in eulers), 3),
        led=np.zeros((len(eulers), 2)),
        shift=reals((r[4].shift for r in eulers), 3),
        rest=reals(r[4].rest for r in eulers),
    )
    return JointLaws(
        springs, frictions, on_axes, on_balls, on_eulers, _contours(laws), _azimuths(laws), _bearings(laws)
    )  # fmt: skip


def _azimuths(laws: _Laws) -> Azimuths:
    around = [table.around for table in laws.tables]
    return Azimuths(
        first=wholes(accumulate(map(len, around), initial=0)),
        at=reals(one.azimuth_rad for table in around for one in table),
        curve=wholes(laws.functions.number(one.torque) for table in around for one in table),
    )


def _bearings(laws: _Laws) -> Bearings:
    rows = laws.bearings
    return Bearings(
        body=wholes(r[0] for r in rows),
        euler=wholes(r[1] for r in rows),
        axis=wholes(r[2] for r in rows),
        ratio=reals(r[3] for r in rows),
        full_rate=reals(r[4] for r in rows),
        size=np.zeros(len(rows)),
        wanted=np.zeros(len(rows)),
        before=np.zeros(len(rows)),
        found=np.zeros(len(rows)),
        missed=np.zeros(1, np.int64),
    )


def _contours(laws: _Laws) -> Contours:
    rows = laws.contours
    coefficient = np.zeros((len(rows), 2 * TERMS))
    terms = np.zeros(len(rows), np.int64)
    angle = np.full(len(rows), NONE, np.int64)
    for k, (*_, stop, _) in enumerate(rows):
        if isinstance(stop.contour, FunctionContour):
            angle[k] = laws.functions.number(stop.contour.angle)
            continue
        given = (
            library()[stop.contour.name]
            if isinstance(stop.contour, LibraryContour)
            else stop.contour.coefficients
        )
        coefficient[k, : len(given)] = given
        terms[k] = (len(given) + 1) // 2
    return Contours(
        parent=wholes(r[0] for r in rows),
        body=wholes(r[1] for r in rows),
        R_AP=reals((r[2] for r in rows), 9),
        R_BC=reals((r[3] for r in rows), 9),
        terms=terms,
        coefficient=coefficient,
        angle=angle,
        torque=wholes(laws.functions.number(r[4].torque) for r in rows),
        returned=reals(r[4].returned_ratio for r in rows),
        printed=wholes(r[5] for r in rows),
        depth=np.full(len(rows), -1.0),
        across=np.zeros((len(rows), 3)),
    )
