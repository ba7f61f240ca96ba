"""Check the start: who is placed by what, and whether a joint allows it (second and third pass)."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from solver.base.words import Sentence
from solver.engine.maths.rotation import Array, angle_between, from_angles, yaw_pitch_roll
from solver.project.angles import contour_limit, turned
from solver.project.azimuths import GlobographicStop
from solver.project.checks.drivers import angles_seen, flexure, has_stop, relative_turn
from solver.project.checks.index import Index
from solver.project.checks.registry import PHYSICS, TOPOLOGY, finds, problem
from solver.project.checks.topology import chain_text, rings
from solver.project.joint_table import contour_of, row_of
from solver.project.joints import Joint, SixJoint
from solver.project.outputs import RotationOutput
from solver.project.pose import values_needed
from solver.project.problems import Problem
from solver.project.segments import GROUND

ALLOWED_TURN = math.radians(0.1)
LEAST_COSINE = math.cos(math.radians(89.0))
"""Of a pitch, so that yaw and roll are told apart."""
TURNED_AROUND = -0.9998
"""Cosine of 178.9 degrees: beyond it an axis points the other way."""
FASTEST_M_PER_S = 1000.0
FASTEST_RAD_PER_S = 10_000.0


@finds(
    TOPOLOGY,
    error={
        "root-carried": "A root start is given to a segment that a joint carries.",
        "root-twice": "Two root starts place the same segment.",
        "attitude-twice": "Two attitudes turn the same segment.",
        "joint-start-twice": "Two starts set the same joint.",
        "attitude-and-joint": "A segment has an attitude, and its joint is set too.",
        "joint-start-count": "A joint's start has the wrong number of values or rates.",
        "start-of-driven": "A start velocity is given to a segment that moves as prescribed.",
    },
)
def starts(index: Index) -> Iterator[Problem]:
    """Find starts that contradict joints, motions or each other."""
    keep = "Keep one of them."
    seen: set[str] = set()
    for i, start in enumerate(index.project.initial.roots):
        path = f"initial/roots/{i}"
        joint = index.joint_of.get(start.segment)
        if joint is not None:
            sentence = Sentence(
                "'{segment}' is carried by the joint '{joint}'.",
                segment=start.segment,
                joint=joint.id,
            )
            hint = Sentence(
                "Place '{get}', or set the joint.",
                get=index.root_of.get(start.segment, start.segment),
            )
            if index.root_of.get(start.segment) in (GROUND, start.segment):
                hint = Sentence("Set the joint instead.")
            yield problem("root-carried", f"{path}/segment", sentence, hint)
        if start.segment in seen:
            sentence = Sentence("'{segment}' is placed more than once.", segment=start.segment)
            yield problem("root-twice", f"{path}/segment", sentence, keep)
        seen.add(start.segment)
        if start.segment in index.motion_of:
            name = "moves_with" if start.moves_with != GROUND else "velocity_m_per_s"
            if start.moves_with != GROUND or any(start.velocity_m_per_s):
                yield _driven(index, start.segment, f"{path}/{name}")
    turned: set[str] = set()
    for i, attitude in enumerate(index.project.initial.attitudes):
        path = f"initial/attitudes/{i}"
        if attitude.segment in turned:
            sentence = Sentence("'{segment}' is turned more than once.", segment=attitude.segment)
            yield problem("attitude-twice", f"{path}/segment", sentence, keep)
        turned.add(attitude.segment)
        if attitude.segment in index.motion_of and any(attitude.angular_velocity_rad_per_s):
            yield _driven(index, attitude.segment, f"{path}/angular_velocity_rad_per_s")
    yield from _joint_starts(index, turned)


def _driven(index: Index, segment: str, path: str) -> Problem:
    sentence = Sentence(
        "The motion '{motion_of}' already says how '{segment}' starts.",
        motion_of=index.motion_of[segment].id,
        segment=segment,
    )
    return problem("start-of-driven", path, sentence, "Give start values in the motion.")


def _joint_starts(index: Index, turned: set[str]) -> Iterator[Problem]:
    seen: set[str] = set()
    for i, start in enumerate(index.project.initial.joints):
        path = f"initial/joints/{i}"
        if start.joint in seen:
            sentence = Sentence("'{joint}' is set more than once.", joint=start.joint)
            yield problem("joint-start-twice", f"{path}/joint", sentence, "Keep one of them.")
        seen.add(start.joint)
        joint = index.by_id["joints"].get(start.joint)
        if joint is None:
            continue
        if joint.child in turned:
            sentence = Sentence(
                "'{child}' has an attitude already, which would win.", child=joint.child
            )
            hint = Sentence("Remove the attitude or this start.")
            yield problem("attitude-and-joint", f"{path}/joint", sentence, hint)
        needed = values_needed(joint)
        for field in ("values", "rates"):
            given = len(getattr(start, field))
            if given not in (0, needed):
                sentence = Sentence(
                    "A {joint_kind} joint takes {needed} {field}, not {given}.",
                    joint_kind=joint.kind,
                    needed=(needed or Sentence("no")),
                    field=field,
                    given=given,
                )
                hint = (
                    Sentence("Leave the list out.")
                    if needed == 0
                    else Sentence("Give {needed}, or none for zero.", needed=needed)
                )
                yield problem("joint-start-count", f"{path}/{field}", sentence, hint)


@finds(
    TOPOLOGY,
    error={
        "start-ring": "Starts count from each other in a ring.",
        "moves-with-itself": "A tree is said to share its own motion.",
        "moves-with-ring": "Trees share each other's motion in a ring.",
    },
)
def start_rings(index: Index) -> Iterator[Problem]:
    """Find starts that depend on themselves."""
    initial = index.project.initial
    attitudes = {start.segment: i for i, start in reversed(list(enumerate(initial.attitudes)))}
    roots = {start.segment: i for i, start in reversed(list(enumerate(initial.roots)))}
    turn_from: dict[str, str] = {}
    place_from: dict[str, str] = {}
    for name in index.segments:
        joint = index.joint_of.get(name)
        if name in attitudes:
            turn_from[name] = initial.attitudes[attitudes[name]].relative_to
        elif joint is not None:
            turn_from[name] = joint.parent
        if joint is not None:
            place_from[name] = joint.parent
        elif name in roots:
            place_from[name] = initial.roots[roots[name]].relative_to
    for ahead, starts_of, field in (
        (turn_from, attitudes, "attitudes"),
        (place_from, roots, "roots"),
    ):
        for ring in rings(ahead):
            numbers = [starts_of[name] for name in ring if name in starts_of]
            if field == "roots":
                numbers = [n for n in numbers if initial.roots[n].segment not in index.joint_of]
            if numbers:
                path = f"initial/{field}/{min(numbers)}/relative_to"
                sentence = Sentence(
                    "The start counts from itself: {chain_text}.", chain_text=chain_text(ring)
                )
                hint = "Let one of them count from ground."
                yield problem("start-ring", path, sentence, hint)
    yield from _shared_motion(index, roots)


def _shared_motion(index: Index, roots: dict[str, int]) -> Iterator[Problem]:
    ahead: dict[str, str] = {}
    for name, i in roots.items():
        start = index.project.initial.roots[i]
        if start.moves_with == GROUND or start.moves_with not in index.segments:
            continue
        other = index.root_of.get(start.moves_with, start.moves_with)
        if other == index.root_of.get(name, name):
            sentence = Sentence(
                "'{moves_with}' belongs to the tree of '{name}' itself.",
                moves_with=start.moves_with,
                name=name,
            )
            hint = "Name the vehicle, or ground."
            path = f"initial/roots/{i}/moves_with"
            yield problem("moves-with-itself", path, sentence, hint)
        elif other in roots:
            ahead[name] = other
    for ring in rings(ahead):
        path = f"initial/roots/{min(roots[name] for name in ring)}/moves_with"
        sentence = Sentence(
            "The trees share each other's motion: {chain_text}.", chain_text=chain_text(ring)
        )
        yield problem("moves-with-ring", path, sentence, "Give one of them its own velocity.")


@finds(
    PHYSICS,
    error={"attitude-unreachable": "A segment's attitude is one that its joint does not allow."},
)
def reachable_attitudes(index: Index) -> Iterator[Problem]:
    """Find attitudes that a locked, pin, universal or slip joint does not allow."""
    for i, start in enumerate(index.project.initial.attitudes):
        joint = index.joint_of.get(start.segment)
        if joint is None:
            continue
        off = _residual(joint, relative_turn(index, joint))
        if off > ALLOWED_TURN:
            sentence = Sentence(
                "The {joint_kind} joint '{joint}' does not allow this turn: it is {degrees:.1f} degrees off.",
                joint_kind=joint.kind,
                joint=joint.id,
                degrees=math.degrees(off),
            )
            hint = Sentence(
                "Remove the attitude and set the joint '{joint}' instead.", joint=joint.id
            )
            yield problem("attitude-unreachable", f"initial/attitudes/{i}", sentence, hint)


def _residual(joint: Joint, R: Array) -> float:
    """Measure (rad) how far a turn is from the nearest one that the joint allows."""
    order = row_of(joint).order
    if len(order) > 2:
        return 0.0
    if not order:
        return angle_between(np.eye(3), R)
    first, last = "xyz".index(order[0]), "xyz".index(order[-1])
    if first == last:
        return math.atan2(float(np.linalg.norm(np.delete(R[:, first], first))), R[first, first])
    return abs(math.asin(max(-1.0, min(1.0, R[first, last]))))


@finds(
    PHYSICS,
    error={"pitch-upright": "A joint of six starts at a pitch at which yaw and roll are one."},
)
def start_pitches(index: Index) -> Iterator[Problem]:
    """Find joints of six whose pitch starts so near to 90 degrees that yaw and roll cannot be told apart."""
    settings = {s.joint: (i, s.values) for i, s in enumerate(index.project.initial.joints)}
    for joint, path in index.of(SixJoint):
        number, values = settings.get(joint.id, (-1, ()))
        pitch = values[4] if values else turned(relative_turn(index, joint), "zyx")[1]
        if abs(math.cos(pitch)) < LEAST_COSINE:
            sentence = Sentence(
                "'{joint}' starts at a pitch of {pitch:.1f} degrees, at which yaw and roll are one.",
                joint=joint.id,
                pitch=math.degrees(pitch),
            )
            hint = "Turn its frames in parent and child alike, so that the pitch stays small."
            where = path if number < 0 else f"initial/joints/{number}/values"
            yield problem("pitch-upright", where, sentence, hint)


@finds(
    PHYSICS,
    warning={
        "start-beyond-stop": "A joint starts beyond its stop.",
        "start-beyond-contour": "A joint starts beyond its globographic stop.",
    },
)
def start_within_stops(index: Index) -> Iterator[Problem]:
    """Find joints that start beyond a stop, and say by how much."""
    settings = {s.joint: (i, s.values) for i, s in enumerate(index.project.initial.joints)}
    for joint, path in index.elements("joints"):
        number, values = settings.get(joint.id, (-1, ()))
        where = path if number < 0 else f"initial/joints/{number}/values"
        for name, spring, angle in angles_seen(index, joint, values):
            over = abs(angle) - spring.stop_rad
            if has_stop(spring) and over > ALLOWED_TURN:
                sentence = Sentence(
                    "'{joint}' starts at {degrees:.1f} degrees{name}, {degrees_2:.1f} degrees beyond its stop.",
                    joint=joint.id,
                    degrees=math.degrees(angle),
                    name=name,
                    degrees_2=math.degrees(over),
                )
                hint = "The stop pushes from the first moment on: turn it back, or move the stop."
                yield problem("start-beyond-stop", where, sentence, hint)
        contour = contour_of(joint)
        if contour is not None:
            yield from _beyond_contour(index, joint, contour, where)


def _beyond_contour(
    index: Index, joint: Joint, contour: GlobographicStop, where: str
) -> Iterator[Problem]:
    R = relative_turn(index, joint)
    over = flexure(R) - contour_limit(index.project, contour, math.atan2(R[1, 2], R[0, 2]))
    if over > ALLOWED_TURN:
        sentence = Sentence(
            "'{joint}' starts {degrees:.1f} degrees beyond its globographic stop.",
            joint=joint.id,
            degrees=math.degrees(over),
        )
        hint = "The stop pushes from the first moment on: turn it back, or widen the contour."
        yield problem("start-beyond-contour", where, sentence, hint)


@finds(PHYSICS, error={"flexible-start": "A flexible element does not start as its bends say."})
def flexible_starts(index: Index) -> Iterator[Problem]:
    """Compare the start of inner segments with equation 4.64."""
    for element, path in index.elements("flexible_elements"):
        R_W1 = index.pose[element.segments[0]].R_WS
        R_1N = R_W1.T @ index.pose[element.segments[-1]].R_WS
        ends = yaw_pitch_roll(R_1N)
        mixed = np.array([ends[1] * ends[2], ends[2] * ends[0], ends[0] * ends[1]])
        for i, (name, bend) in enumerate(zip(element.segments[1:-1], element.bends, strict=True)):
            angles = (
                np.array(bend.bias_rad)
                + np.array(bend.linear) @ ends
                + np.array(bend.interaction_per_rad) @ mixed
                + np.array(bend.quadratic_per_rad) @ ends**2
            )
            R_1n = R_W1.T @ index.pose[name].R_WS
            off = angle_between(from_angles(angles.tolist(), "zyx"), R_1n)
            if off > ALLOWED_TURN:
                sentence = Sentence(
                    "'{name}' starts {degrees:.1f} degrees away from where '{element}' holds it.",
                    name=name,
                    degrees=math.degrees(off),
                    element=element.id,
                )
                yaw, pitch, roll = np.degrees(angles)
                hint = Sentence(
                    "Turn it by yaw {yaw:.2f}, pitch {pitch:.2f}, roll {roll:.2f} degrees from '{segments}'.",
                    yaw=yaw,
                    pitch=pitch,
                    roll=roll,
                    segments=element.segments[0],
                )
                yield problem("flexible-start", f"{path}/bends/{i}", sentence, hint)


@finds(PHYSICS, warning={"start-fast": "Something starts faster than 1000 m/s or 10 000 rad/s."})
def start_speeds(index: Index) -> Iterator[Problem]:
    """Find start velocities that look like a slip of units."""
    hint = "Velocities are in m/s and rad/s."
    for i, root in enumerate(index.project.initial.roots):
        speed = math.hypot(*root.velocity_m_per_s)
        if speed > FASTEST_M_PER_S:
            path = f"initial/roots/{i}/velocity_m_per_s"
            yield problem(
                "start-fast",
                path,
                Sentence(
                    "'{segment}' starts at {speed:.4g} m/s.", segment=root.segment, speed=speed
                ),
                hint,
            )
    for i, start in enumerate(index.project.initial.attitudes):
        rate = math.hypot(*start.angular_velocity_rad_per_s)
        if rate > FASTEST_RAD_PER_S:
            path = f"initial/attitudes/{i}/angular_velocity_rad_per_s"
            sentence = Sentence(
                "'{segment}' starts turning at {rate:.4g} rad/s.", segment=start.segment, rate=rate
            )
            yield problem("start-fast", path, sentence, hint)


@finds(
    PHYSICS,
    warning={"output-axis-open": "An angle is counted about an axis that starts turned around."},
)
def open_axes(index: Index) -> Iterator[Problem]:
    """Find angles about an axis that cannot be told, as the segment holds the axis the other way round."""
    for output, path in index.elements("outputs"):
        if not isinstance(output, RotationOutput) or output.angles != "about_axis":
            continue
        if not {output.segment, output.relative_to} - {GROUND} <= index.pose.keys():
            continue
        axis = np.array(output.axis) / np.linalg.norm(output.axis)
        held = axis
        for segment, back in ((output.segment, False), (output.relative_to, True)):
            if segment != GROUND:
                R = index.pose[segment].R_WS
                held = (R.T if back else R) @ held
        if axis @ held < TURNED_AROUND:
            sentence = Sentence(
                "As seen from '{relative_to}' the axis in '{segment}' points the other way at the start: the angle about it is open.",
                relative_to=output.relative_to,
                segment=output.segment,
            )
            hint = "Count it from a segment that stands as this one does."
            yield problem("output-axis-open", f"{path}/axis", sentence, hint)
