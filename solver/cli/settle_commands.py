"""Commands on the start of a project and on who holds a posture: settle, brace."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.base.words import tr
from solver.cli.common import (
    CommandError,
    Commands,
    at_start,
    checked,
    command,
    files_of,
    opened,
    opened_results,
    point,
    print_problems,
    solvable,
    writable,
)
from solver.project import save_project

if TYPE_CHECKING:
    from solver.analysis.equilibrium import Health, Reach, Settlement
    from solver.bodies.posture import JointTargets

# Command that lets occupants hold their posture: brace.


def _add_brace(commands: Commands) -> None:
    """Add this command to the parser."""
    brace = command(
        commands, "brace", tr("Let a body hold its posture, or follow a motion: actuators at its joints."), _brace
    )  # fmt: skip
    brace.add_argument("project", metavar="PROJECT")
    brace.add_argument("-o", "--output", metavar="OUT.json", required=True, help=tr("project that holds its posture"))  # fmt: skip
    brace.add_argument(
        "--segments", nargs="+", metavar="ID", help=tr("between which joints are held; all if none are named")
    )  # fmt: skip
    brace.add_argument(
        "--follow", metavar="OUT.h5", help=tr("run of this model whose motion is followed, in place of the posture of the start")
    )  # fmt: skip
    for name, unit, usual, label in (
        ("frequency", "HZ", 3.0, tr("as stiff as lets what a joint carries swing so fast (Hz); 3 if not given")),
        ("damping", "RATIO", 0.7, tr("part of critical damping; 0.7 if not given")),
        ("reflex", "S", 0.0, tr("how much later it senses (s); 0 if not given")),
        ("period", "S", 0.0, tr("time from one sample to the next (s); 0, all the time, if not given")),
        ("delay", "S", 0.0, tr("how much later it begins (s); 0 if not given")),
        ("ramp", "S", 0.0, tr("time over which it comes up (s); 0 if not given")),
    ):  # fmt: skip
        brace.add_argument(f"--{name}", type=float, metavar=unit, default=usual, help=label)
    brace.add_argument(
        "--limit", type=float, metavar="RATIO",
        help=tr("most torque, in parts of what bears the weight of what a joint carries, held out level; no limit if not given"),
    )  # fmt: skip


def _brace(arguments: argparse.Namespace) -> int:
    from solver.bodies.body import Holding
    from solver.bodies.posture import held

    project, notes = opened(arguments.project)
    inputs = files_of(project, arguments.project)
    if arguments.follow:
        inputs = [*inputs, Path(arguments.follow)]
    output = writable(arguments.output, "project", *inputs)
    how = Holding(
        arguments.frequency, arguments.damping, arguments.reflex, arguments.period, arguments.delay, arguments.ramp,
        arguments.limit,
    )  # fmt: skip
    course: JointTargets | None = None
    if arguments.follow:
        course = _course(arguments.follow)
    done = held(project, arguments.segments, how, course)
    print_problems(checked(done, notes))
    save_project(done, output)
    count = len(done.coordinate_forces) - len(project.coordinate_forces)
    print(tr("held         {count} axes", count=count))
    print(tr("wrote        {output}", output=str(output)))
    return 0


def _course(path: str) -> JointTargets:
    from solver.analysis.inverse import course_of_run

    run = opened_results(path)
    return course_of_run(at_start(run), run)


# Command on the start of a project: settle.

NAMES = ("settle", "brace")

TARGET = ("SEGMENT", "X", "Y", "Z", "ON", "X", "Y", "Z")


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    _add_brace(commands)
    settle = command(commands, "settle", tr("Find the equilibrium start position."), _settle)
    settle.add_argument("project", metavar="PROJECT")
    settle.add_argument("-o", "--output", metavar="OUT.json", help=tr("settled project"))
    settle.add_argument(
        "--check", action="store_true", help=tr("only look at the start as it is; nothing is moved")
    )
    settle.add_argument(
        "--free",
        nargs="+",
        metavar="NAME",
        help=tr(
            "what may move: bodies (by a segment), single directions of them (SEGMENT.x, .y, .z, .roll, .pitch, .yaw), joints; or bodies, joints, all. Whole bodies if not given"
        ),
    )
    settle.add_argument(
        "--hold",
        nargs="+",
        default=[],
        metavar="NAME",
        help=tr("what of that may not move after all"),
    )
    settle.add_argument(
        "--reach",
        nargs=8,
        action="append",
        default=[],
        metavar=TARGET,
        help=tr(
            "keep a point of a segment (m, its axes) at a point of another one or of the ground; the limb follows"
        ),
    )
    settle.add_argument(
        "--webbing",
        choices=("slack", "length"),
        help=tr(
            "what belts keep: their slack, laid again over the body, or the length of their webbing; slack if not given"
        ),
    )
    settle.add_argument(
        "--tension", type=float, metavar="N", help=tr("lay belts so that they have this tension")
    )
    settle.add_argument(
        "--lock",
        nargs="*",
        metavar="JOINT",
        help=tr("lock joints (all if none is named) with what they must hold"),
    )
    settle.add_argument(
        "--opens-at",
        type=float,
        metavar="RATIO",
        help=tr(
            "a locked joint opens at this multiple of the torque that it holds at rest; 0: never; 2 if not given"
        ),
    )
    settle.add_argument(
        "--with-vehicle",
        action="store_true",
        help=tr("start what rests on a moving segment with its motion"),
    )
    settle.add_argument(
        "--nearest",
        action="store_true",
        help=tr("take the pose that accelerates least where none is at rest"),
    )
    settle.add_argument(
        "--furthest",
        type=float,
        metavar="M",
        help=tr("how far a segment may go that nothing ties to the ground; 0.5 if not given"),
    )
    settle.add_argument("--json", action="store_true", help=tr("print the start health as JSON"))


def _settle(arguments: argparse.Namespace) -> int:
    from solver.analysis.equilibrium import health, settle
    from solver.analysis.equilibrium.assembly import is_open
    from solver.analysis.equilibrium.settling import FURTHEST_M, OPENS_AT
    from solver.model.compile import compile_model
    from solver.project.checks import check
    from solver.running.warm import missing

    project, notes = opened(arguments.project)
    _refuse_contradictions(arguments)
    first = check(project) if arguments.output else ()
    # loops that start open are closed before anything settles
    ready = project if is_open(first) else solvable(project, notes)
    output = None
    if arguments.output:
        inputs = files_of(project, arguments.project)
        output = writable(arguments.output, "settled project", *inputs)
    if missing(compile_model(ready)):
        print(tr("Compiling the solver for this machine; this is done once."), file=sys.stderr)
    if output is None:
        found = health(ready)
        print(_json(found) if arguments.json else _table(found))
        return 1 if found.verdict == "unbalanced" else 0
    start = time.perf_counter()
    done = settle(
        ready,
        arguments.free,
        arguments.hold,
        [_reach(words) for words in arguments.reach],
        webbing=arguments.webbing or "slack",
        tension_n=arguments.tension,
        lock=() if arguments.lock is None else arguments.lock or ("all",),
        opens_at=OPENS_AT if arguments.opens_at is None else arguments.opens_at or None,
        with_vehicle=arguments.with_vehicle,
        nearest=arguments.nearest,
        furthest_m=FURTHEST_M if arguments.furthest is None else arguments.furthest,
    )
    wall = time.perf_counter() - start
    save_project(done.project, output)
    print(_json(done.health, done, wall) if arguments.json else _summary(done, wall, str(output)))
    return 0 if done.balanced else 1


def _refuse_contradictions(arguments: argparse.Namespace) -> None:
    """Refuse options that would have no effect."""
    given = [
        f"--{name.replace('_', '-')}"
        for name in (
            "output", "free", "hold", "reach", "webbing", "tension", "lock", "opens_at",
            "with_vehicle", "nearest", "furthest",
        )
        if getattr(arguments, name) not in (None, False, [])
        or (name == "lock" and arguments.lock is not None)
    ]  # fmt: skip
    if arguments.check and given:
        raise CommandError(
            "--check only looks; leave out {given}, or --check.", given=", ".join(given)
        )
    if not arguments.check and not arguments.output:
        raise CommandError("Give -o OUT.json for the settled project, or --check to look only.")
    if arguments.tension is not None and arguments.webbing is not None:
        raise CommandError("--tension says how belts are laid; leave out --webbing.")
    if arguments.opens_at is not None and arguments.lock is None:
        raise CommandError("--opens-at is about locked joints; give --lock too.")
    for name in ("tension", "opens_at", "furthest"):
        value = getattr(arguments, name)
        if value is not None and not (0.0 <= value < 1e15):
            raise CommandError(
                "--{name} takes a number that is not below zero.", name=name.replace("_", "-")
            )


def _reach(words: Sequence[str]) -> Reach:
    from solver.analysis.equilibrium import Reach

    return Reach(point(words[:4]), point(words[4:]))


def _json(found: Health, done: Settlement | None = None, wall: float = 0.0) -> str:
    out: dict[str, Any] = {
        "verdict": found.verdict,
        "worst_g": found.worst_g,
        "segments": [vars(s) for s in found.segments],
        "contacts": [vars(c) for c in found.contacts],
        "belts": [vars(b) for b in found.belts],
        "stops": [vars(s) for s in found.stops],
    }
    if done is not None:
        out = {
            "balanced": done.balanced,
            "reason": done.reason,
            "stable": done.stable,
            "free": list(done.free),
            "moved_m": done.moved_m,
            "moved": done.moved,
            "rounds": done.rounds,
            "evaluations": done.evaluations,
            "wall_s": round(wall, 4),
            "notes": list(done.notes),
            "health": out,
        }
    return json.dumps(out, indent=2, ensure_ascii=False)


def _summary(done: Settlement, wall: float, output: str) -> str:
    state = tr("at rest") if done.balanced else tr("not at rest")
    lines = [
        tr(
            "status       {state} after {rounds} rounds, {wall:.2f} s",
            state=state,
            rounds=done.rounds,
            wall=wall,
        ),
        tr("free         {free}", free=", ".join(done.free)),
        tr(
            "moved        '{moved}' by {moved_m:.1f} mm, the others less",
            moved=done.moved,
            moved_m=1e3 * done.moved_m,
        ),
        _table(done.health),
    ]
    if done.reason:
        lines.append(tr("reason       {reason}", reason=done.reason))
    lines += [tr("note         {note}", note=note) for note in done.notes]
    return "\n".join([*lines, tr("wrote        {output}", output=output)])


def _table(found: Health) -> str:
    """List all that the start has: accelerations, contacts, belts, stops."""
    lines = [
        tr(
            "start        {verdict}, {worst_g:.3g} g at most",
            verdict=tr(found.verdict),
            worst_g=found.worst_g,
        )
    ]
    lines += [
        tr(
            "  segment    {segment:<24} {acceleration:10.3g} g {angular:10.3g} rad/s2",
            segment=s.segment,
            acceleration=s.acceleration_g,
            angular=s.angular_rad_per_s2,
        )
        for s in found.segments
    ]
    lines += [
        tr(
            "  contact    {contact:<24} {depth:9.3f} mm {force:10.1f} N",
            contact=c.contact,
            depth=1e3 * c.penetration_m,
            force=c.force_n,
        )
        for c in found.contacts
    ]
    lines += [
        tr("  belt       {belt:<24} {tension:10.1f} N", belt=b.belt, tension=b.tension_n)
        for b in found.belts
    ]
    lines += [
        tr(
            "  stop       {joint:<24} {beyond:9.2f} degrees beyond, {what}",
            joint=s.joint,
            beyond=57.29577951308232 * s.beyond_rad,
            what=s.what,
        )
        for s in found.stops
    ]
    return "\n".join(lines)
