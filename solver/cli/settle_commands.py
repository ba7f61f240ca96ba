"""Command on the start of a project: settle."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from solver.cli.common import (
    CommandError,
    Commands,
    checked,
    command,
    files_of,
    opened,
    point,
    print_problems,
    writable,
)
from solver.project import save_project

if TYPE_CHECKING:
    from solver.equilibrium import Health, Reach, Settlement

NAMES = ("settle",)

TARGET = ("SEGMENT", "X", "Y", "Z", "ON", "X", "Y", "Z")


def add_to(commands: Commands) -> None:
    """Add this command to the parser."""
    settle = command(commands, "settle", "Find the equilibrium start position.", _settle)
    settle.add_argument("project", metavar="PROJECT")
    settle.add_argument("-o", "--output", metavar="OUT.json", help="settled project")
    settle.add_argument(
        "--check", action="store_true", help="only look at the start as it is; nothing is moved"
    )
    settle.add_argument(
        "--free",
        nargs="+",
        metavar="NAME",
        help="what may move: bodies (by a segment), single directions of them (SEGMENT.x, .y, .z, "
        ".roll, .pitch, .yaw), joints; or bodies, joints, all. Whole bodies if not given",
    )
    settle.add_argument(
        "--hold", nargs="+", default=[], metavar="NAME", help="what of that may not move after all"
    )
    settle.add_argument(
        "--reach",
        nargs=8,
        action="append",
        default=[],
        metavar=TARGET,
        help="keep a point of a segment (m, its axes) at a point of another one or of the ground; "
        "the limb follows",
    )
    settle.add_argument(
        "--webbing",
        choices=("slack", "length"),
        help="what belts keep: their slack, laid anew over the body, or the length of their webbing; "
        "slack if not given",
    )
    settle.add_argument(
        "--tension", type=float, metavar="N", help="lay belts so that they have this tension"
    )
    settle.add_argument(
        "--lock",
        nargs="*",
        metavar="JOINT",
        help="lock joints (all if none is named) with what they must hold",
    )
    settle.add_argument(
        "--opens-at",
        type=float,
        metavar="RATIO",
        help="a locked joint opens at this multiple of the torque that it holds at rest; 0: never; "
        "2 if not given",
    )
    settle.add_argument(
        "--with-vehicle",
        action="store_true",
        help="start what rests on a moving segment with its motion",
    )
    settle.add_argument(
        "--nearest",
        action="store_true",
        help="take the pose that accelerates least where none is at rest",
    )
    settle.add_argument(
        "--furthest",
        type=float,
        metavar="M",
        help="how far a segment may go; 0.5 if not given",
    )
    settle.add_argument("--json", action="store_true", help="print the start health as JSON")


def _settle(arguments: argparse.Namespace) -> int:
    from solver.equilibrium import SettleError, health, settle
    from solver.equilibrium.settling import FURTHEST_M, OPENS_AT
    from solver.maths.kernels import are_compiled
    from solver.model.refusal import SimulationError
    from solver.project.checks import Checked

    project, notes = opened(arguments.project)
    problems = checked(project, notes)
    print_problems(problems)
    ready = Checked(project, problems)
    _refuse_contradictions(arguments)
    output = None
    if arguments.output:
        inputs = files_of(project, arguments.project)
        output = writable(arguments.output, "settled project", *inputs)
    if not are_compiled():
        print("Compiling the solver for this machine; this is done once.", file=sys.stderr)
    try:
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
    except (SettleError, SimulationError) as failure:
        raise CommandError(str(failure)) from None
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
        raise CommandError(f"--check only looks; leave out {', '.join(given)}, or --check.")
    if not arguments.check and not arguments.output:
        raise CommandError("Give -o OUT.json for the settled project, or --check to look only.")
    if arguments.tension is not None and arguments.webbing is not None:
        raise CommandError("--tension says how belts are laid; leave out --webbing.")
    if arguments.opens_at is not None and arguments.lock is None:
        raise CommandError("--opens-at is about locked joints; give --lock too.")
    for name in ("tension", "opens_at", "furthest"):
        value = getattr(arguments, name)
        if value is not None and not (0.0 <= value < 1e15):
            raise CommandError(f"--{name.replace('_', '-')} takes a number that is not below zero.")


def _reach(words: Sequence[str]) -> Reach:
    from solver.equilibrium import Reach

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
    state = "at rest" if done.balanced else "not at rest"
    lines = [
        f"status       {state} after {done.rounds} rounds, {wall:.2f} s",
        f"free         {', '.join(done.free)}",
        f"moved        '{done.moved}' by {1e3 * done.moved_m:.1f} mm, the others less",
        _table(done.health),
    ]
    if done.reason:
        lines.append(f"reason       {done.reason}")
    lines += [f"note         {note}" for note in done.notes]
    return "\n".join([*lines, f"wrote        {output}"])


def _table(found: Health) -> str:
    """List all that the start has: accelerations, contacts, belts, stops."""
    lines = [f"start        {found.verdict}, {found.worst_g:.3g} g at most"]
    lines += [
        f"  segment    {s.segment:<24} {s.acceleration_g:10.3g} g {s.angular_rad_per_s2:10.3g} rad/s2"
        for s in found.segments
    ]
    lines += [
        f"  contact    {c.contact:<24} {1e3 * c.penetration_m:9.3f} mm {c.force_n:10.1f} N"
        for c in found.contacts
    ]
    lines += [f"  belt       {b.belt:<24} {b.tension_n:10.1f} N" for b in found.belts]
    lines += [
        f"  stop       {s.joint:<24} {57.29577951308232 * s.beyond_rad:9.2f} degrees beyond, {s.what}"
        for s in found.stops
    ]
    return "\n".join(lines)
