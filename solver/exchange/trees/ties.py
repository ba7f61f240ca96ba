"""What holds axes and bodies to each other beside the tree: into a project and back; MuJoCo's equality constraints, mimic joints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from solver.analysis.equilibrium import AssemblyError, closed
from solver.analysis.equilibrium.assembly import is_open
from solver.engine.maths.rotation import Array, matrix, quaternion
from solver.exchange.trees.bodies import Axis, Body, End, Model, ReadNotes, Tie
from solver.exchange.trees.links import with_links
from solver.exchange.trees.stopping import hold_and_stop
from solver.exchange.trees.sums import axis_of, chain
from solver.exchange.trees.taking import Taking, frame
from solver.exchange.trees.xml import Element, TreeError, escaped
from solver.project.checks import check
from solver.project.document import Project
from solver.project.reading import validated

# Into a project.

MOST_BODIES = 10_000
"""Bodies of a file that are taken."""


def project_of(model: Model, source: str, read_notes: ReadNotes) -> Project:
    """Make a project of a file's bodies; loops that start open are closed by the least movement."""
    if len(model.bodies) > MOST_BODIES:
        raise TreeError(
            "The file has {count} bodies; at most {most} are taken.",
            count=len(model.bodies),
            most=MOST_BODIES,
        )
    hold_and_stop(model.bodies, read_notes)
    _fall(model, read_notes)
    taking = Taking(model, read_notes)
    project = validated(taking.data(source))
    project = with_links(project, model, taking.of, taking.joint_of, taking.free)
    if not model.ties:
        return _determined(project, model, read_notes)
    project = _determined(_with_ties(project, model, taking, read_notes), model, read_notes)
    return _assembled(_holding(project, read_notes), read_notes)


def _fall(model: Model, read_notes: ReadNotes) -> None:
    """Say that a free model falls where nothing of the file ties anything to the ground, or lets it touch."""
    free = [one.name for one in model.bodies if one.is_free and one.mass > 0.0 and not one.lift.any()]  # fmt: skip
    held = [one.ends for one in model.links] + [one.ends for one in model.ties] + [one.ends for one in model.tensions]  # fmt: skip
    is_tied = model.touches or any(n < 0 for ends in held for n, *_ in ends)
    if free and model.gravity.any() and not is_tied:
        read_notes.say("Nothing holds '{name}' up: it falls until you let it touch something, or hold it.", name=free[0])  # fmt: skip


LACKING = {"mass-missing", "inertia-missing"}
"""Problems of a segment that nothing tells how to move."""
WATER = 1000.0
"""Density (kg/m3, assumed) of a ball that stands for a free body of which the file says no inertia."""


def _determined(project: Project, model: Model, read_notes: ReadNotes) -> Project:
    """Lock, and name, joints of bodies that no mass tells how to move; a free one becomes a ball."""
    carry = {body.parent for body in model.bodies}
    if all((body.mass > 0.0 and np.linalg.eigvalsh(body.inertia)[0] > 0.0) or n in carry for n, body in enumerate(model.bodies)):  # fmt: skip
        return project
    locked = list[str]()
    while lacking := {one.path.split("/")[1] for one in check(project) if one.code in LACKING}:
        data = project.model_dump()
        held = [one for one in data["joints"] if one["child"] in lacking and one["id"] not in locked]  # fmt: skip
        for joint in held:
            if joint["kind"] in ("slip", "pin", "ball"):
                joint["slide" if joint["kind"] == "slip" else "lock"]["locked"] = True
        free = lacking - {one["child"] for one in data["joints"]}
        for segment in (one for one in data["segments"] if one["id"] in free):
            mass = segment["mass_kg"] or 1.0
            radius = (0.75 * mass / (np.pi * WATER)) ** (1.0 / 3.0)
            segment |= {"mass_kg": mass, "inertia_kgm2": (0.4 * mass * radius**2,) * 3}
            read_notes.say("'{name}' is free, and the file gives it no inertia: it counts as a ball of water of {mass:g} kg (assumed).", name=segment["id"], mass=mass)  # fmt: skip
        if not held and not free:
            break
        locked += [one["id"] for one in held]
        project = validated(data)
    if locked:
        read_notes.say("Locked, as they carry bodies without mass or inertia that nothing determines: {names}.", names=", ".join(locked))  # fmt: skip
    if not any(one.mass_kg for one in project.segments):
        read_notes.say("No body of the file has mass: it can be posed and led through motions, but nothing moves it by itself.")  # fmt: skip
    return project


HOLDS_NOTHING = {"constraint-same-segment", "constraint-rigid", "coupling-same", "coupling-driven"}
"""Problems of a constraint that has nothing to hold."""


def _holding(project: Project, read_notes: ReadNotes) -> Project:
    """Leave out, and name, what holds a body or an axis to itself, or what cannot move anyway."""
    idle = {one.path.split("/")[1]: one.what for one in check(project) if one.code in HOLDS_NOTHING}
    for name, why in idle.items():
        read_notes.say("Constraint '{name}' is left out. {why}", name=name, why=why)
    kept = tuple(one for one in project.constraints if one.id not in idle)
    return project.model_copy(update={"constraints": kept}) if idle else project


def _with_ties(project: Project, model: Model, taking: Taking, read_notes: ReadNotes) -> Project:
    constraints, functions = list[Any](project.constraints), list[Any](project.functions)
    segments, joints, starts = list[Any](project.segments), list[Any](project.joints), list[Any](project.initial.joints)  # fmt: skip

    def point(end: End) -> dict[str, Any]:
        number, place, _ = end
        segment = "ground" if number < 0 else taking.of[number]
        off = np.zeros(3) if number < 0 else model.bodies[number].centre
        return {"segment": segment, "position_m": tuple(map(float, place - off))}

    def framed(end: End) -> dict[str, Any]:
        at = point(end)
        return {"segment": at["segment"], "frame": frame(np.array(at["position_m"]), end[2])}

    def summed(tie: Tie) -> dict[str, Any]:
        """Add a chain of links whose last one stays on a plane."""
        parts, last = chain(tie.name, list(zip(tie.axes, tie.terms, strict=True)), taking.joint_of, taking.free)  # fmt: skip
        for of, more in zip((segments, joints, constraints, starts), parts.values(), strict=True):
            of += more
        read_notes.say("Constraint '{name}' is a sum of {count} axes; links without mass that slide on each other hold it.", name=tie.name, count=len(tie.axes))  # fmt: skip
        return {"a": {"segment": "ground"}, "b": {"segment": last}}

    for tie in model.ties:
        made: dict[str, Any] = {
            "id": taking.free("constraints", tie.name, tie.kind), "name": tie.name, "kind": tie.kind,
        }  # fmt: skip
        match tie.kind:
            case "coupled":
                first, second = tie.axes
                made |= {"first": axis_of(first, taking.joint_of), "second": axis_of(second, taking.joint_of)}  # fmt: skip
                if tie.knots is None:
                    made["coefficients"] = tie.coefficients
                else:
                    made["function"] = taking.free("functions", tie.name, "course")
                    x, y = tie.knots
                    units = ["rad" if one.motion == "hinge" else "m" for one in tie.axes]
                    form = {"kind": "table", "x": x, "y": y, "between": "spline"}
                    ends = {"x_unit": units[0], "y_unit": units[1]}
                    functions.append({"id": made["function"], **ends, "form": form})
            case "sum":
                made |= summed(tie) | {"kind": "point_on_plane"}
            case "weld" | "revolute" | "prismatic" | "universal_closure":
                made |= {"a": framed(tie.ends[0]), "b": framed(tie.ends[1])}
                made |= {"axis": "z"} if tie.kind == "revolute" else {}
            case "point_on_line" | "point_on_plane":
                made |= {"a": framed(tie.ends[0]), "b": point(tie.ends[1])}
            case _:
                made |= {"a": point(tie.ends[0]), "b": point(tie.ends[1])}
                if tie.distance is not None:
                    made["distance_m"] = tie.distance
        constraints.append(made)
    initial = {**project.initial.model_dump(), "joints": starts}
    return validated({
        **project.model_dump(), "constraints": constraints, "functions": functions, "segments": segments, "joints": joints,
        "initial": initial,
    })  # fmt: skip


def _assembled(project: Project, read_notes: ReadNotes) -> Project:
    """Close what starts open, as programs of such files do; where that cannot be, say so and leave it."""
    if not is_open(check(project)):
        return project
    try:
        done = closed(project)
    except AssemblyError as failure:
        read_notes.lines.append(failure.said)
        return project
    read_notes.say("What the file holds together starts apart; it is closed by the least movement.")
    for sentence in done.sentences():
        read_notes.lines.append(sentence)
    return done.project


# MuJoCo's equality constraints.

ALONG_PIN = 0.1
"""How far apart (m) on its axis two points are written that hold a pin."""
MUJOCO_TERMS = 5
"""Coefficients of MuJoCo's polynomial."""


class Equality:
    """Read the equality constraints of a model that MuJoCo has compiled."""

    def __init__(
        self, mujoco: Any, m: Any, axes: Mapping[int, Axis], name: Callable[[str, int], str], read_notes: ReadNotes
    ) -> None:  # fmt: skip
        self.mujoco, self.m, self.axes, self.name, self.read_notes = mujoco, m, axes, name, read_notes  # fmt: skip
        self.used = set[int]()
        """Tendons that are held."""

    def ties(self) -> list[Tie]:
        """Read them; name those that are left out."""
        found, kinds = list[Tie](), self.mujoco.mjtEq
        for n in range(self.m.neq):
            name, kind = self.name("EQUALITY", n), kinds(int(self.m.eq_type[n]))
            if not self.m.eq_active0[n]:
                self.read_notes.say("Equality '{name}' is switched off in the file and left out.", name=name)  # fmt: skip
                continue
            numbers = tuple(map(float, self.m.eq_data[n]))
            made: Tie | None
            match kind:
                case kinds.mjEQ_CONNECT:
                    made = Tie(name, "zero_distance", ends=self._ends(n, numbers[:3], numbers[3:6]))
                case kinds.mjEQ_WELD:
                    # without a measure of their turning they are held by a point alone
                    ends = self._ends(n, numbers[3:6], numbers[:3], numbers[6:10])
                    made = Tie(name, "weld" if numbers[10] else "zero_distance", ends=ends)
                case kinds.mjEQ_JOINT:
                    made = self._axes(name, n, numbers[:MUJOCO_TERMS])
                case kinds.mjEQ_TENDON:
                    made = self._tendons(name, n, numbers[:MUJOCO_TERMS])
                case _:
                    what = kind.name.removeprefix("mjEQ_").lower()
                    self.read_notes.say("Equality '{name}' is left out: it is of kind {kind}.", name=name, kind=what)  # fmt: skip
                    continue
            found += [made] if made else []
            if made:
                self.read_notes.say("Equality constraints hold exactly here; in the file they may yield a little.")  # fmt: skip
        return found

    def _ends(
        self, n: int, first: tuple[float, ...], second: tuple[float, ...], turned: tuple[float, ...] = (1.0, 0.0, 0.0, 0.0)
    ) -> list[End]:  # fmt: skip
        pair = int(self.m.eq_obj1id[n]), int(self.m.eq_obj2id[n])
        if int(self.m.eq_objtype[n]) == int(self.mujoco.mjtObj.mjOBJ_SITE):
            return [self._site(one) for one in pair]
        return [(pair[0] - 1, np.array(first), matrix(np.array(turned))), (pair[1] - 1, np.array(second), np.eye(3))]  # fmt: skip

    def _site(self, n: int) -> End:
        """The body, place and axes of a site."""
        m = self.m
        return int(m.site_bodyid[n]) - 1, np.array(m.site_pos[n]), matrix(m.site_quat[n])

    def _axes(self, name: str, n: int, numbers: tuple[float, ...]) -> Tie | None:
        second, first = (self.axes.get(int(one[n])) for one in (self.m.eq_obj1id, self.m.eq_obj2id))
        assert second is not None
        if first is not None and any(numbers[1:]):
            return Tie(name, "coupled", (first, second), numbers)
        second.is_held, second.start = True, numbers[0]
        return None

    def _tendons(self, name: str, n: int, numbers: tuple[float, ...]) -> Tie | None:
        """Take equal lengths of tendons that are one or two joints, or a straight line between two sites."""
        pair = [int(one[n]) for one in (self.m.eq_obj1id, self.m.eq_obj2id) if one[n] >= 0]
        parts, made, is_held = [self._fixed(one) for one in pair], None, False
        if all(parts):
            made, is_held = _tied(name, parts[0], parts[1] if parts[1:] else [], numbers)
        elif len(pair) == 1 and len(ends := self.line(pair[0])) == 2:
            length = float(self.m.tendon_length0[pair[0]]) + numbers[0]
            if not length > 0.0:
                raise TreeError("Equality '{name}': its length is not above zero.", name=name)
            made = Tie(name, "fixed_distance", ends=ends, distance=length)
        if made is None and not is_held:
            self.read_notes.say("Equality '{name}': of tendons only fixed ones, the second in proportion or of one joint, and a straight line between two sites are held; it is left out.", name=name)  # fmt: skip
        else:
            self.used |= set(pair)
        return made

    def _wraps(self, tendon: int) -> list[tuple[int, int, float]]:
        """What a tendon goes through: kind, number, factor."""
        m, first = self.m, int(self.m.tendon_adr[tendon])
        parts = range(first, first + int(m.tendon_num[tendon]))
        return [(int(m.wrap_type[k]), int(m.wrap_objid[k]), float(m.wrap_prm[k])) for k in parts]

    def line(self, tendon: int) -> list[End]:
        """The sites of a tendon that runs straight from one to the next; none of any other."""
        wraps, site = self._wraps(tendon), int(self.mujoco.mjtWrap.mjWRAP_SITE)
        return [self._site(n) for _, n, _ in wraps] if all(k == site for k, _, _ in wraps) else []

    def _fixed(self, tendon: int) -> list[tuple[Axis, float]]:
        wraps, joint = self._wraps(tendon), int(self.mujoco.mjtWrap.mjWRAP_JOINT)
        if any(kind != joint for kind, _, _ in wraps):
            return []
        return [(self.axes[n], c) for _, n, c in wraps if c and n in self.axes]


def _tied(
    name: str,
    parts: list[tuple[Axis, float]],
    others: list[tuple[Axis, float]],
    numbers: tuple[float, ...],
) -> tuple[Tie | None, bool]:
    """The constraint c1 q1 + c2 q2 + ... = a0 + a1 l + a2 l^2 + ..., l = d1 p1 + ...; and whether a single axis is locked in its place."""
    if len(others) > 1 and any(numbers[2:]):
        return None, False
    terms: dict[int, tuple[Axis, Any]] = {}
    whole = [(axis, np.polynomial.Polynomial((0.0, c))) for axis, c in parts]
    whole += [
        (axis, np.polynomial.Polynomial((0.0, *(-a * d**k for k, a in enumerate(numbers[1:], 1)))))
        for axis, d in others
    ]
    for axis, f in whole:
        before = terms.get(id(axis), (axis, 0.0))[1]
        terms[id(axis)] = (axis, f + before)
    kept = [(axis, f) for axis, f in terms.values() if any(f.coef[1:])]
    if not kept:
        return None, False
    (axis, f), *rest = kept
    if any(f.coef[2:]):
        return None, False
    c = float(f.coef[1])
    if not rest:
        axis.is_held, axis.start = True, numbers[0] / c
        return None, True
    if len(rest) == 1:
        other, g = rest[0]
        return Tie(name, "coupled", (other, axis), tuple(map(float, (numbers[0] - g).coef / c))), False  # fmt: skip
    polynomials = [f - numbers[0], *(g for _, g in rest)]
    made = tuple(tuple(map(float, one.coef)) for one in polynomials)
    return Tie(name, "sum", tuple(one for one, _ in kept), terms=made), False


def equality_lines(ties: Sequence[Tie], bodies: Sequence[Body], read_notes: ReadNotes) -> tuple[dict[int, list[str]], list[str]]:  # fmt: skip
    """Write constraints for MuJoCo: sites by body's number, and what stands behind the bodies."""
    sites, tendons, equal = dict[int, list[str]](), list[str](), list[str]()
    R, p = list[Array](), list[Array]()
    for body in bodies:
        R_p, p_p = (R[body.parent], p[body.parent]) if body.parent >= 0 else (np.eye(3), np.zeros(3))  # fmt: skip
        R.append(R_p @ body.R)
        p.append(p_p + R_p @ body.place)
    for tie in ties:
        name = escaped(tie.name)
        if tie.kind == "sum":
            held, rows = _sum_lines(tie, read_notes)
            tendons += held
            equal += rows
            continue
        if tie.kind == "coupled":
            if len(tie.coefficients) > MUJOCO_TERMS and any(tie.coefficients[MUJOCO_TERMS:]):
                read_notes.say("Constraint '{name}': such files have polynomials of the fourth degree at most.", name=tie.name)  # fmt: skip
                continue
            first, second = tie.axes
            numbers = (*tie.coefficients, *(0.0,) * MUJOCO_TERMS)[:MUJOCO_TERMS]
            equal.append(f'    <joint name="{name}" joint1="{escaped(second.name)}" joint2="{escaped(first.name)}" polycoef="{_row(numbers)}"/>')  # fmt: skip
            continue
        for end, (at, place, turned) in zip("ab", tie.ends, strict=True):
            sites.setdefault(at, []).append(f'<site name="{name}.{end}" pos="{_row(place)}" quat="{_row(quaternion(turned))}"/>')  # fmt: skip
        between = f'site1="{name}.a" site2="{name}.b"'
        if tie.kind == "revolute":
            for end, (at, place, turned) in zip("cd", tie.ends, strict=True):
                sites[at].append(f'<site name="{name}.{end}" pos="{_row(place + ALONG_PIN * turned[:, 2])}"/>')  # fmt: skip
            equal.append(f'    <connect name="{name}.axis" site1="{name}.c" site2="{name}.d"/>')
        if tie.kind == "fixed_distance":
            a, b = (p[n] + R[n] @ place if n >= 0 else place for n, place, _ in tie.ends)
            more = float(tie.distance or 0.0) - float(np.linalg.norm(b - a))
            tendons.append(f'    <spatial name="{name}"><site site="{name}.a"/><site site="{name}.b"/></spatial>')  # fmt: skip
            equal.append(f'    <tendon name="{name}" tendon1="{name}" polycoef="{more!r} 0 0 0 0"/>')  # fmt: skip
        else:
            kind = "weld" if tie.kind == "weld" else "connect"
            equal.append(f'    <{kind} name="{name}" {between}/>')
    out = ["  <tendon>", *tendons, "  </tendon>"] if tendons else []
    return sites, out + (["  <equality>", *equal, "  </equality>"] if equal else [])


def _sum_lines(tie: Tie, read_notes: ReadNotes) -> tuple[list[str], list[str]]:
    """Write a sum as fixed tendons: of all axes that count in proportion, and of another one that need not."""
    bent = [k for k, numbers in enumerate(tie.terms) if any(numbers[2:])]
    if len(bent) > 1 or any(any(numbers[MUJOCO_TERMS:]) for numbers in tie.terms):
        read_notes.say("Constraint '{name}' is left out: in such files one axis of a sum is not in proportion at most, by a polynomial of the fourth degree.", name=tie.name)  # fmt: skip
        return [], []
    name, start = escaped(tie.name), -sum((numbers[0] for numbers in tie.terms), 0.0)
    joints = [f'<joint joint="{escaped(of.name)}" coef="{numbers[1]!r}"/>' for k, (of, numbers) in enumerate(zip(tie.axes, tie.terms, strict=True)) if k not in bent]  # fmt: skip
    tendons = [f'    <fixed name="{name}">{"".join(joints)}</fixed>']
    course, other = [start, 0.0, 0.0, 0.0, 0.0], ""
    for k in bent:
        tendons.append(f'    <fixed name="{name}.of"><joint joint="{escaped(tie.axes[k].name)}" coef="1"/></fixed>')  # fmt: skip
        other = f' tendon2="{name}.of"'
        course[1 : len(tie.terms[k])] = [-a for a in tie.terms[k][1:]]
    return tendons, [f'    <tendon name="{name}" tendon1="{name}"{other} polycoef="{_row(course)}"/>']  # fmt: skip


def _row(values: Any) -> str:
    return " ".join(repr(float(v)) for v in values)


# Mimic joints of robots.


def mimicked(joints: Sequence[Element], bodies: Sequence[Body], read_notes: ReadNotes) -> list[Tie]:
    """Read the joints that follow others; what follows a joint without an axis is held."""
    axes = {axis.name: axis for body in bodies for axis in body.joints}
    names, found = {one.given.get("name", "joint") for one in joints}, list[Tie]()
    for joint in joints:
        mimic, name = joint.first("mimic"), joint.given.get("name", "joint")
        second = axes.get(name)
        if mimic is None or second is None:
            continue
        leader = mimic.given.get("joint", "")
        (factor,), (offset,) = mimic.numbers("multiplier", 1, (1.0,)), mimic.numbers("offset", 1, (0.0,))  # fmt: skip
        if leader not in names or leader == name:
            read_notes.say("Line {line}: joint '{name}' moves by itself, as the joint that it should follow, '{leader}', is no other joint of the file.", line=mimic.line, name=name, leader=leader)  # fmt: skip
            continue
        first = axes.get(leader)
        if first is None or not factor:
            second.is_held, second.start = True, offset
        else:
            found.append(Tie(f"{name}_follows", "coupled", (first, second), (offset, factor)))
    return found


def mimic_lines(ties: Sequence[Tie], read_notes: ReadNotes) -> dict[str, str]:
    """Write straight couplings as mimic joints, by the joint that follows."""
    out = dict[str, str]()
    for tie in ties:
        numbers = (*tie.coefficients, 0.0)
        if tie.kind != "coupled" or any(numbers[2:]) or tie.axes[1].name in out:
            read_notes.say("Constraint '{name}' is left out: in such files one joint follows one other in proportion.", name=tie.name)  # fmt: skip
            continue
        first, second = tie.axes
        out[second.name] = f'    <mimic joint="{escaped(first.name)}" multiplier="{numbers[1]!r}" offset="{numbers[0]!r}"/>'  # fmt: skip
    return out
