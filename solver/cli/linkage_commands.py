"""Commands on chains and loops by their geometry, and on what is measured of joints and surfaces: reach, poses, sinus, hertz."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from solver.base.words import tr
from solver.cli.common import (
    CommandError,
    Commands,
    checked,
    command,
    files_of,
    opened,
    print_problems,
    writable,
)
from solver.project import save_project

if TYPE_CHECKING:
    from solver.analysis.linkages import Envelope, Goal

NAMES = ("reach", "poses", "sinus", "hertz")


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    reach = command(
        commands, "reach", tr("Find how far a point reaches: its envelope as a surface, and the volume within."), _reach
    )  # fmt: skip
    reach.add_argument("project", metavar="PROJECT")
    reach.add_argument("segment", metavar="SEGMENT", help=tr("segment that reaches, as a hand"))
    reach.add_argument(
        "--point", nargs=3, type=float, metavar=("X", "Y", "Z"),
        help=tr("which point of it (m, its axes); its end, farthest from its joint, if not given"),
    )  # fmt: skip
    reach.add_argument(
        "--joints", nargs="+", default=[], metavar="JOINT", help=tr("joints that move; those of the limb if not given")
    )  # fmt: skip
    reach.add_argument(
        "--range", nargs=3, action="append", default=[], metavar=("JOINT.AXIS", "LOW", "HIGH"),
        help=tr("ends of a coordinate (rad, m) in place of where its stop begins; of a ball JOINT.flexure and JOINT.torsion"),
    )  # fmt: skip
    reach.add_argument(
        "--cell", type=float, metavar="M", help=tr("size of the grid's cells; a 24th of what is reached if not given")
    )  # fmt: skip
    reach.add_argument(
        "-o", "--output", metavar="OUT", help=tr("project that shows the envelope (.json), or the surface alone (.stl)")
    )  # fmt: skip
    reach.add_argument("--json", action="store_true", help=tr("print the numbers as JSON"))
    _add_poses(commands)
    _add_sinus(commands)
    _add_hertz(commands)


def _reach(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from solver.analysis.linkages import reach_envelope, tip_of, with_envelope
    from solver.exchange.shapes import write_stl
    from solver.project.geometry import PointRef

    project, notes = opened(arguments.project)
    print_problems(checked(project, notes))
    output = None
    if arguments.output:
        if Path(arguments.output).suffix.lower() not in (".json", ".stl"):
            raise CommandError("An envelope is written as .json (a project) or .stl.")
        output = writable(arguments.output, "envelope", *files_of(project, arguments.project))
    point = tip_of(project, arguments.segment)
    if arguments.point is not None:
        x, y, z = arguments.point
        point = PointRef(segment=arguments.segment, position_m=(x, y, z))
    found = reach_envelope(project, point, arguments.joints, _ranges(arguments.range), arguments.cell)  # fmt: skip
    print(_json(found) if arguments.json else _summary(found))
    if output is None:
        return 0
    if output.suffix.lower() == ".stl":
        write_stl(output, found.points, found.faces)
    else:
        done, _ = with_envelope(project, found, tr("Reach of {segment}", segment=point.segment))
        save_project(done, output)
    if not arguments.json:
        print(tr("wrote        {output}", output=str(output)))
    return 0


def _ranges(words: list[list[str]]) -> dict[str, tuple[float, float]]:
    out = {}
    for name, low, high in words:
        try:
            out[name] = float(low), float(high)
        except ValueError:
            raise CommandError("'{low}' and '{high}' are no numbers.", low=low, high=high) from None
    return out


def _json(found: Envelope) -> str:
    out: dict[str, Any] = {
        "segment": found.point.segment,
        "point_m": list(found.point.position_m),
        "seen_from": found.segment,
        "joints": list(found.joints),
        "coordinates": [
            {"name": b.label, "low": _end(b.low), "high": _end(b.high), "turns": b.turns}
            for b in found.bounds
        ],
        "volume_m3": found.volume_m3,
        "area_m2": found.area_m2,
        "furthest_m": found.furthest_m,
        "box_m": [list(one) for one in found.box_m],
        "cell_m": found.cell_m,
        "triangles": len(found.faces),
        "notes": [note.english() for note in found.notes],
    }
    return json.dumps(out, indent=2, ensure_ascii=False)


def _end(value: float) -> float | None:
    return value if abs(value) < 1e9 else None


def _summary(found: Envelope) -> str:
    low, high = found.box_m
    lines = [
        tr(
            "point        {place} of '{segment}', seen from '{base}'",
            place=", ".join(f"{v:.4g}" for v in found.point.position_m),
            segment=found.point.segment,
            base=found.segment,
        ),
        tr("joints       {joints}", joints=", ".join(found.joints)),
        tr("volume       {volume:.4g} m3", volume=found.volume_m3),
        tr("area         {area:.4g} m2", area=found.area_m2),
        tr("furthest     {far:.4g} m from the first joint", far=found.furthest_m),
    ]
    lines += [
        f"  {axis}          {a:8.3f} … {b:8.3f} m"
        for axis, a, b in zip("xyz", low, high, strict=True)
    ]
    lines += [tr("note         {note}", note=note) for note in found.notes]
    return "\n".join(lines)


# Command that lists all poses in which points are where they should be: poses.


def _add_poses(commands: Commands) -> None:
    poses = command(
        commands, "poses", tr("List all poses that are found in which points are at places, and segments in attitudes."), _poses
    )  # fmt: skip
    poses.add_argument("project", metavar="PROJECT")
    poses.add_argument(
        "--at", nargs=7, action="append", default=[], metavar=("SEGMENT", "X", "Y", "Z", "X0", "Y0", "Z0"),
        help=tr("a point of a segment (m, its axes), and its place (m, ground axes)"),
    )  # fmt: skip
    poses.add_argument(
        "--turned", nargs=4, action="append", default=[], metavar=("SEGMENT", "YAW", "PITCH", "ROLL"),
        help=tr("attitude of a segment (rad)"),
    )  # fmt: skip
    poses.add_argument(
        "--hold", nargs="+", default=[], metavar="NAME",
        help=tr("joints, roots or coordinates (ROOT.yaw, JOINT.angle) that stay as they start; other roots float"),
    )  # fmt: skip
    poses.add_argument(
        "--centre", nargs=3, type=float, metavar=("X", "Y", "Z"), help=tr("where the mass centre of all segments is to be (m)")
    )  # fmt: skip
    poses.add_argument("--starts", type=int, default=512, metavar="N", help=tr("starts that are drawn; 512 if not given"))  # fmt: skip
    poses.add_argument(
        "-o", "--output", metavar="OUT.json", help=tr("project that starts in one of them")
    )
    poses.add_argument("--take", type=int, default=1, metavar="N", help=tr("which of them is written; 1 if not given"))  # fmt: skip
    poses.add_argument("--json", action="store_true", help=tr("print the numbers as JSON"))


def _poses(arguments: argparse.Namespace) -> int:
    from solver.analysis.linkages import inverse_poses

    if not 1 <= arguments.starts <= 100_000:
        raise CommandError("--starts takes a number from 1 to 100000.")
    project, notes = opened(arguments.project)
    print_problems(checked(project, notes))
    output = None
    if arguments.output:
        output = writable(arguments.output, "project", *files_of(project, arguments.project))
    centre = None if arguments.centre is None else tuple(arguments.centre)
    found = inverse_poses(project, _goals(arguments), arguments.hold, centre, arguments.starts)
    if arguments.json:
        out = {
            "starts": found.starts, "met": found.met, "unseen": found.unseen,
            "poses": [{"starts": one.starts, "coordinates": dict(one.coordinates)} for one in found.poses],
        }  # fmt: skip
        print(json.dumps(out, indent=2, ensure_ascii=False))
    else:
        print(tr("poses        {count}, to which {met} of {starts} starts came", count=len(found.poses), met=found.met, starts=found.starts))  # fmt: skip
        for n, one in enumerate(found.poses):
            values = ", ".join(f"{name} {value:.6g}" for name, value in one.coordinates.items())
            print(f"  {n + 1:3d}  {one.starts:5d}  {values}")
        print(tr("unseen       a pose that is missing draws less than {part:.2g} % of starts (95 %)", part=100.0 * found.unseen))  # fmt: skip
    if output is not None:
        if not 1 <= arguments.take <= len(found.poses):
            raise CommandError("There are {count} poses, and no number {n}.", count=len(found.poses), n=arguments.take)  # fmt: skip
        save_project(found.poses[arguments.take - 1].project, output)
    return 0


def _goals(arguments: argparse.Namespace) -> list[Goal]:
    from solver.analysis.linkages import Goal
    from solver.project.geometry import Orientation, PointRef

    goals = list[Goal]()
    for segment, *words in arguments.at:
        x, y, z, a, b, c = _numbers(words)
        goals.append(Goal(PointRef(segment=segment, position_m=(x, y, z)), (a, b, c)))
    for segment, *words in arguments.turned:
        yaw, pitch, roll = _numbers(words)
        attitude = Orientation(angles_rad=(yaw, pitch, roll))
        goals.append(Goal(PointRef(segment=segment), None, attitude))
    return goals


def _numbers(words: list[str]) -> list[float]:
    try:
        return [float(word) for word in words]
    except ValueError:
        raise CommandError("'{words}' are no numbers.", words=" ".join(words)) from None


# Commands that take over what was measured: sinus, hertz.


def _add_sinus(commands: Commands) -> None:
    sinus = command(
        commands, "sinus", tr("Fit a joint's stop contour to digitised points of its limits."), _sinus
    )  # fmt: skip
    sinus.add_argument("project", metavar="PROJECT")
    sinus.add_argument(
        "joint", metavar="JOINT", help=tr("ball or Euler joint whose contour it becomes")
    )
    sinus.add_argument(
        "points", metavar="POINTS.csv", help=tr("x, y, z (m) in the axes of the joint's frame in its parent, a line each")
    )  # fmt: skip
    sinus.add_argument("--terms", type=int, default=10, metavar="N", help=tr("coefficients of the contour; 10 if not given"))  # fmt: skip
    sinus.add_argument(
        "--centre", nargs=3, type=float, metavar=("X", "Y", "Z"), help=tr("the joint's centre (m); that of the nearest sphere if not given")
    )  # fmt: skip
    sinus.add_argument(
        "--torque", metavar="FUNCTION", help=tr("function of the torque beyond it; that of the joint's present contour if not given")
    )  # fmt: skip
    sinus.add_argument("-o", "--output", metavar="OUT.json", help=tr("project with the contour"))


def _sinus(arguments: argparse.Namespace) -> int:
    import math

    import numpy as np

    from solver.analysis.tracking import joint_sinus, with_sinus

    project, _ = opened(arguments.project)
    output = None
    if arguments.output:
        output = writable(
            arguments.output, "project", arguments.points, *files_of(project, arguments.project)
        )
    try:
        points = np.loadtxt(arguments.points, delimiter=",", ndmin=2, comments="#")
    except (OSError, ValueError) as failure:
        raise CommandError("'{file}' holds no points: {failure}", file=arguments.points, failure=str(failure)) from None  # fmt: skip
    if points.shape[1] != 3:
        raise CommandError("A line of '{file}' has {count} numbers, not x, y and z.", file=arguments.points, count=points.shape[1])  # fmt: skip
    found = joint_sinus(points, arguments.terms, arguments.centre)
    print(tr("contour      {numbers}", numbers=", ".join(f"{c:.6g}" for c in found.contour.coefficients)))  # fmt: skip
    print(tr("centre       {numbers} m, radius {radius:.5g} m", numbers=", ".join(f"{c:.5g}" for c in found.centre_m), radius=found.radius_m))  # fmt: skip
    print(tr("off by       {degrees:.3g} degrees, {mm:.3g} mm from the sphere (root mean square)", degrees=math.degrees(found.rms_rad), mm=1e3 * found.rms_m))  # fmt: skip
    if output is None:
        return 0
    done = with_sinus(project, arguments.joint, found, arguments.torque)
    print_problems(checked(done, ()))
    save_project(done, output)
    print(tr("wrote        {output}", output=str(output)))
    return 0


def _add_hertz(commands: Commands) -> None:
    hertz = command(
        commands, "hertz", tr("Give the stiffness of two elastic spheres after Hertz, and put it into a law."), _hertz
    )  # fmt: skip
    for n in ("first", "second"):
        hertz.add_argument(
            f"--{n}", nargs=3, type=float, required=True, metavar=("R", "E", "NU"),
            help=tr("radius (m; below zero a hollow, inf a plane), modulus (Pa), Poisson's ratio"),
        )  # fmt: skip
    hertz.add_argument("--project", metavar="PROJECT", help=tr("project whose law takes it"))
    hertz.add_argument(
        "--law", metavar="LAW", help=tr("law of Hunt and Crossley, or of Lankarani and Nikravesh")
    )
    hertz.add_argument(
        "-o", "--output", metavar="OUT.json", help=tr("project with the stiffness in its law")
    )


def _hertz(arguments: argparse.Namespace) -> int:
    from solver.project.hertz import Sphere, hertz_stiffness, with_hertz

    first, second = Sphere(*arguments.first), Sphere(*arguments.second)
    print(tr("stiffness    {value:.6g} N/m^1.5", value=hertz_stiffness(first, second)))
    given = [arguments.project, arguments.law, arguments.output]
    if not any(given):
        return 0
    if not all(given):
        raise CommandError("--project, --law and -o go together.")
    project, _ = opened(arguments.project)
    output = writable(arguments.output, "project", *files_of(project, arguments.project))
    save_project(with_hertz(project, arguments.law, first, second), output)
    print(tr("wrote        {output}", output=str(output)))
    return 0
