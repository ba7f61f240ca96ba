"""Commands on straps: route."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from solver.base.words import msgid, tr
from solver.cli.common import (
    CommandError,
    Commands,
    checked,
    command,
    opened,
    point,
    print_problems,
)
from solver.project.geometry import SurfaceRef

if TYPE_CHECKING:
    from solver.model.route import Route

NAMES = ("route",)

POINT = ("SEGMENT", "X", "Y", "Z")


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    route = command(
        commands, "route", tr("Lay a strap over surfaces, taut and in a plane."), _route
    )
    route.add_argument("project", metavar="PROJECT")
    for option, which in (("--from", msgid("first")), ("--to", msgid("last"))):
        route.add_argument(
            option,
            metavar=POINT,
            nargs=4,
            required=True,
            dest=which,
            help=tr(
                "{which} anchor, in m along the segment's axes from its mass centre",
                which=tr(which),
            ),
        )
    route.add_argument(
        "--over",
        metavar="SEGMENT.SURFACE",
        nargs="+",
        required=True,
        help=tr("surfaces that the strap may lie on, in any order"),
    )
    turn = route.add_mutually_exclusive_group()
    turn.add_argument(
        "--angle",
        metavar="DEG",
        type=float,
        default=0.0,
        help=tr(
            "turn of the plane about the line from the first anchor to the last; at 0 the plane goes through the mean of the surfaces' centres"
        ),
    )
    turn.add_argument(
        "--shortest",
        action="store_true",
        help=tr(
            "take the angle within 90 degrees at which the strap is shortest and does not slip off"
        ),
    )
    route.add_argument(
        "--spacing",
        metavar="M",
        type=float,
        default=0.05,
        help=tr("greatest distance of points along a surface; 0.05 if not given"),
    )
    route.add_argument("--json", action="store_true", help=tr("print the strap's points as JSON"))


def _route(arguments: argparse.Namespace) -> int:
    from solver.model.route import best_angle, route

    project, notes = opened(arguments.project)
    print_problems(checked(project, notes))
    start, end = point(arguments.first), point(arguments.last)
    over = [_surface(name) for name in arguments.over]
    angle = math.radians(arguments.angle)
    if arguments.shortest:
        angle = best_angle(project, start, end, over)
    found = route(project, start, end, over, angle, arguments.spacing)
    print(_as_json(found) if arguments.json else _summary(found))
    return 0


def _surface(name: str) -> SurfaceRef:
    segment, _, surface = name.partition(".")
    try:
        return SurfaceRef(segment=segment, surface=surface)
    except ValueError:
        raise CommandError("'{name}' is not of the form SEGMENT.SURFACE.", name=name) from None


def _as_json(found: Route) -> str:
    from solver.project.saving import plain

    return json.dumps([plain(point) for point in found.points()], indent=2, ensure_ascii=False)


def _summary(found: Route) -> str:
    """List the strap from one anchor to the other: straight pieces, and points on surfaces."""
    lines = [
        tr("angle   {degrees:.6g} degrees", degrees=math.degrees(found.angle_rad)),
        tr("length  {length_m:.6f} m", length_m=found.length_m),
        _row(found.start.segment, tr("anchor"), found.start.position_m),
    ]
    for free, wrap in zip(found.free_m, found.wraps, strict=False):
        where = f"{wrap.surface.segment}.{wrap.surface.surface}"
        lines += [
            tr("  straight {length:.6f} m", length=free),
            tr("  on {surface} {length:.6f} m", surface=where, length=wrap.length_m),
        ]
        lines += [_row(wrap.surface.segment, tr("surface"), p) for p in wrap.points_m]
    lines += [
        tr("  straight {length:.6f} m", length=found.free_m[-1]),
        _row(found.end.segment, tr("anchor"), found.end.position_m),
    ]
    lines += [
        tr("not touched: {surface}", surface=f"{ref.segment}.{ref.surface}")
        for ref in found.untouched
    ]
    return "\n".join(lines)


def _row(segment: str, kind: str, place: Sequence[float]) -> str:
    return f"{kind:<7} {segment} " + " ".join(f"{x:.6f}" for x in place)
