"""Commands that pose and move a model by the markers of a test: pose, motion."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.base.atomic import as_csv
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
    write_text,
)
from solver.exchange.endings import STORED
from solver.project import Problem, save_project

if TYPE_CHECKING:
    from solver.analysis.tracking import Ends, Followed, PoseFit, Tracks, Wanted, Weigh
    from solver.exchange.opensim import MarkerTasks
    from solver.project import Project

NAMES = ("pose", "motion")


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    pose = command(commands, "pose", tr("Pose a model by the markers of a test."), _pose)
    _add_common(pose)
    pose.add_argument("--at", metavar="S", type=float, required=True, help=tr("time of the tracks (s)"))  # fmt: skip
    pose.add_argument(
        "--over", metavar="S", type=float, default=0.0,
        help=tr("mean over so much time about it (s); 0 if not given"),
    )  # fmt: skip
    pose.add_argument("-o", "--output", metavar="OUT.json", help=tr("project in this pose"))

    motion = command(
        commands, "motion", tr("Find a model's motion from tracks of markers."), _motion
    )
    _add_common(motion)
    motion.add_argument("--from", dest="begin", metavar="S", type=float, help=tr("leave out what is before (s)"))  # fmt: skip
    motion.add_argument("--to", dest="end", metavar="S", type=float, help=tr("leave out what is after (s)"))  # fmt: skip
    motion.add_argument(
        "--fill", metavar="S", type=float, default=0.0,
        help=tr("fill gaps up to so long by straight lines (s); 0 if not given"),
    )  # fmt: skip
    motion.add_argument(
        "--low-pass", metavar="HZ", type=float,
        help=tr("take out what is faster than this, forward and backward"),
    )  # fmt: skip
    motion.add_argument(
        "-o",
        "--output",
        metavar="FILE.csv",
        help=tr("coordinates by time: a table, or a motion of OpenSim (.mot, .sto)"),
    )
    motion.add_argument(
        "--drivers", metavar="OUT.json", help=tr("project that is driven along this motion")
    )


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", metavar="PROJECT")
    parser.add_argument(
        "--from-markers", dest="markers", metavar="FILE", required=True,
        help=tr("tracks of the markers: CSV, TRC or C3D"),
    )  # fmt: skip
    parser.add_argument(
        "--unit", metavar="UNIT", help=tr("unit of lengths, in place of what the file says")
    )
    parser.add_argument(
        "--axes", metavar="'X Y Z'", default="x y z",
        help=tr("axes of the file that are the ground's x, y and z, as 'x -z y'"),
    )  # fmt: skip
    parser.add_argument(
        "--free", metavar="NAME", nargs="+", default=["all"],
        help=tr("what may move: bodies, joints, all, a root, a joint or one axis (JOINT.AXIS); all if not given"),
    )  # fmt: skip
    parser.add_argument("--hold", metavar="NAME", nargs="+", default=[], help=tr("what of that may not move after all"))  # fmt: skip
    parser.add_argument(
        "--weights", metavar="MARKER=W", nargs="+", default=[],
        help=tr("weight of a marker; 1 if not given, 0 leaves it out"),
    )  # fmt: skip
    parser.add_argument(
        "--weigh", choices=("distances", "squares"), default="distances",
        help=tr("what weights multiply: distances (a weight of 3 counts 9 times in the sum of squares), or squares (3 times, as in OpenSim)"),
    )  # fmt: skip
    parser.add_argument(
        "--setup", metavar="FILE.xml",
        help=tr("set-up of OpenSim's inverse kinematics: weights of markers (of squares), coordinates that are drawn to values, times"),
    )  # fmt: skip
    parser.add_argument("--markers", dest="marker_set", metavar="FILE.xml", help=tr("set of markers of OpenSim that stands in a file of its own"))  # fmt: skip
    parser.add_argument(
        "--ranges", metavar="FILE.osim",
        help=tr("model of OpenSim between whose clamped ranges coordinates stay; PROJECT if that is one"),
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help=tr("print the numbers as JSON"))


def _weights(words: list[str]) -> dict[str, float]:
    out = {}
    for word in words:
        name, mark, value = word.rpartition("=")
        try:
            out[name] = float(value)
        except ValueError:
            mark = ""
        if not mark:
            raise CommandError("'{word}' is not of the form MARKER=W.", word=word)
    return out


def _read(arguments: argparse.Namespace) -> tuple[Project, Tracks, Mapping[str, Ends]]:
    """Read the model, the tracks, and between which values coordinates stay."""
    from solver.analysis.tracking import read_tracks
    from solver.exchange.any_model import read_model

    ranges: Mapping[str, Ends] = {}
    if Path(arguments.project).suffix.lower() in (".osim", ".urdf"):
        made = read_model(arguments.project, markers=arguments.marker_set)
        print(*made.said, sep="\n", file=sys.stderr)
        project, notes, ranges = made.project, tuple[Problem, ...](), made.ranges
    elif arguments.marker_set is not None:
        raise CommandError("'{project}' has its markers: a set of markers goes with a model of OpenSim.", project=arguments.project)  # fmt: skip
    else:
        project, notes = opened(arguments.project)
    if arguments.ranges is not None:
        ranges = read_model(arguments.ranges).ranges
    print_problems(checked(project, notes))
    return project, read_tracks(arguments.markers, arguments.unit, arguments.axes), ranges


class Asked(NamedTuple):
    """What is asked of the markers."""

    weights: dict[str, float]
    weigh: Weigh
    wanted: Mapping[str, Wanted]
    tasks: MarkerTasks | None


def _asked(arguments: argparse.Namespace, project: Project) -> Asked:
    """Put the weights of a set-up together with those of the command, which count first."""
    own = _weights(arguments.weights)
    if arguments.setup is None:
        return Asked(own, arguments.weigh, {}, None)
    from solver.exchange.opensim import read_tasks

    tasks = read_tasks(arguments.setup)
    return Asked({**tasks.weights_of(project), **own}, "squares", tasks.wanted, tasks)


def _target(
    arguments: argparse.Namespace, project: Project, path: str | None, what: str
) -> Path | None:
    """Give a file to write, which is no input."""
    if path is None:
        return None
    return writable(path, what, arguments.markers, *files_of(project, arguments.project))


def _pose(arguments: argparse.Namespace) -> int:
    from solver.analysis.tracking import fit_pose

    project, tracks, ranges = _read(arguments)
    asked = _asked(arguments, project)
    target = _target(arguments, project, arguments.output, "project")
    seen = tracks.mean(arguments.at, arguments.over)
    found = fit_pose(project, seen, arguments.free, arguments.hold, asked.weights, weigh=asked.weigh, wanted=asked.wanted, ranges=ranges)  # fmt: skip
    print(json.dumps(_data(found), indent=2) if arguments.json else "\n".join(_lines(found)))
    if target is not None:
        _save(found.project, target, arguments)
    return 0


def _save(project: Project, target: Path, arguments: argparse.Namespace) -> None:
    save_project(project, target)
    if not arguments.json:
        print(tr("Wrote {target}.", target=target))


def _lines(found: PoseFit) -> list[str]:
    lines = []
    for name, value in found.coordinates.items():
        shown = _shown(found, name, value)
        spread = found.deviation.get(name)
        if spread is not None:
            size = _shown(found, name, spread) if math.isfinite(spread) else tr("not determined")
            shown += f" ± {size}"
        lines.append(f"{name}: {shown}")
    for name, miss in found.miss.items():
        x, y, z = (f"{1e3 * v:.4g}" for v in miss)
        far = 1e3 * math.hypot(*miss)
        lines.append(tr("marker {name}: {far:.4g} mm off ({x}, {y}, {z})", name=name, far=far, x=x, y=y, z=z))  # fmt: skip
    lines.append(
        tr(
            "r.m.s. distance {rms:.4g} mm; condition number {condition:.4g}",
            rms=1e3 * found.rms,
            condition=found.condition,
        )
    )
    for one in found.weak:
        if one.open:
            lines.append(tr("not determined: {direction}", direction=one.label))
        else:
            lines.append(
                tr(
                    "weakly determined: {direction} (a unit moves no marker by more than {moves:.3g} mm)",
                    direction=one.label,
                    moves=1e3 * one.moves,
                )
            )
    if found.not_seen:
        lines.append(tr("not seen: {names}", names=", ".join(found.not_seen)))
    if found.not_known:
        lines.append(tr("not in the model: {names}", names=", ".join(found.not_known)))
    return lines


def _shown(found: PoseFit, name: str, value: float) -> str:
    if name in found.angles:
        return f"{math.degrees(value):.4g}°"
    return f"{1e3 * value:.5g} mm"


def _data(found: PoseFit) -> dict[str, Any]:
    finite = math.isfinite
    return {
        "coordinates": dict(found.coordinates),
        "deviation": {n: v if finite(v) else None for n, v in found.deviation.items()},
        "miss_m": {name: miss.tolist() for name, miss in found.miss.items()},
        "rms_m": found.rms,
        "condition": found.condition if finite(found.condition) else None,
        "weak": [
            {"parts": dict(one.parts), "moves_m": one.moves, "determined": not one.open}
            for one in found.weak
        ],
        "not_seen": list(found.not_seen),
        "not_in_model": list(found.not_known),
    }


def _motion(arguments: argparse.Namespace) -> int:
    from solver.analysis.tracking import driven, follow

    project, tracks, ranges = _read(arguments)
    asked = _asked(arguments, project)
    if asked.tasks is not None:
        tracks = tracks.between(asked.tasks.begin_s, asked.tasks.end_s)
    table = _target(arguments, project, arguments.output, "table")
    project_file = _target(arguments, project, arguments.drivers, "project")
    begin = -math.inf if arguments.begin is None else arguments.begin
    end = math.inf if arguments.end is None else arguments.end
    used = tracks.filled(arguments.fill).between(begin, end)
    found = follow(project, used, arguments.free, arguments.hold, asked.weights, weigh=asked.weigh, wanted=asked.wanted, ranges=ranges)  # fmt: skip
    if arguments.low_pass is not None:
        found = found.smoothed(arguments.low_pass)
    made = driven(project, found) if project_file is not None else None
    if arguments.json:
        print(json.dumps(_motion_data(found), indent=2))
    else:
        _print_motion(found)
    if table is not None:
        if table.suffix.lower() in STORED:
            from solver.exchange.opensim import write_storage
            from solver.results import Channel

            write_storage(
                table,
                [Channel(name, found.time, value, unit) for name, value, unit in found.named()],
            )
        else:
            write_text(table, _table(found))
        if not arguments.json:
            print(tr("Wrote {target}.", target=table))
    if made is not None and project_file is not None:
        _save(made, project_file, arguments)
    return 0


def _print_motion(found: Followed) -> None:
    print(
        tr(
            "{count} instants from {first:g} to {last:g} s, {out} left out; r.m.s. distance {rms:.4g} mm, at worst {worst:.4g} mm",
            count=len(found.time),
            first=found.time[0],
            last=found.time[-1],
            out=found.left_out,
            rms=1e3 * found.rms,
            worst=1e3 * found.miss.max(),
        )
    )
    for name, off in found.worst.items():
        print(tr("marker {name}: r.m.s. {off:.4g} mm", name=name, off=1e3 * off))
    for c, values in zip(found.coordinates, found.value.T, strict=True):
        low, high = float(values.min()), float(values.max())
        if c.turns:
            print(f"{c.label}: {math.degrees(low):.4g} … {math.degrees(high):.4g}°")
        else:
            print(f"{c.label}: {1e3 * low:.5g} … {1e3 * high:.5g} mm")


def _motion_data(found: Followed) -> dict[str, Any]:
    return {
        "time_s": found.time.tolist(),
        "coordinates": {c.label: v.tolist() for c, v in zip(found.coordinates, found.value.T, strict=True)},
        "miss_m": found.miss.tolist(),
        "markers_rms_m": dict(found.worst),
        "left_out": found.left_out,
    }  # fmt: skip


def _table(found: Followed) -> str:
    heads = ["time [s]", *(f"{c.label} [{'rad' if c.turns else 'm'}]" for c in found.coordinates)]
    rows = (
        [float(v) for v in (t, *values, miss)]
        for t, values, miss in zip(found.time, found.value, found.miss, strict=True)
    )
    return as_csv(([*heads, "r.m.s. distance [m]"], *rows))
