"""Commands from motions back: loads of joints, and inertial parameters."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.base.words import tr
from solver.cli.common import (
    CommandError,
    Commands,
    checked,
    command,
    files_of,
    is_results,
    opened,
    opened_results,
    print_problems,
    writable,
)

if TYPE_CHECKING:
    from solver.analysis.inverse import BaseParameters, Identified, JointLoads, Motion, Pressing
    from solver.analysis.inverse.bodies import At
    from solver.results import FileTrajectory

NAMES = ("inverse", "identify")


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    inverse = command(commands, "inverse", tr("Loads that joints bear in a motion."), _inverse)
    inverse.add_argument("file", metavar="RESULTS|PROJECT")
    _of_tracks(inverse)
    inverse.add_argument(
        "--contacts", action="store_true", help=tr("take forces of the run's contacts as known: no joint bears them")
    )  # fmt: skip
    inverse.add_argument(
        "--export", metavar="FILE", help=tr("write them over time: .csv, .npz or .mat")
    )
    inverse.add_argument("--json", action="store_true", help=tr("print as JSON"))
    identify = command(
        commands,
        "identify",
        tr("Inertial parameters from the loads in a run; of a project, what of them can be told."),
        _identify,
    )
    identify.add_argument("file", metavar="RESULTS|PROJECT")
    identify.add_argument(
        "--segments",
        nargs="+",
        default=[],
        metavar="ID",
        help=tr("whose parameters; all if none are named"),
    )
    identify.add_argument(
        "--measured",
        nargs="+",
        metavar="SPEED",
        help=tr("along which speeds loads are known; all of joints if not given"),
    )
    identify.add_argument(
        "--reaction",
        action="store_true",
        help=tr("from what the ground bears, in place of loads of joints"),
    )
    identify.add_argument("--json", action="store_true", help=tr("print as JSON"))


def _of_tracks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tracks",
        metavar="CSV",
        help=tr("coordinates over time by which the model of a project moves"),
    )
    parser.add_argument(
        "--cutoff", type=float, metavar="HZ", help=tr("low pass that tracks go through first")
    )


def _inverse(arguments: argparse.Namespace) -> int:
    from solver.analysis.inverse import InverseError, joint_loads
    from solver.analysis.inverse.saving import save_loads
    from solver.model.refusal import SimulationError

    try:
        motion, pressing, inputs = _motion(arguments)
        export = writable(arguments.export, "loads", *inputs) if arguments.export else None
        loads = joint_loads(motion, pressing)
        print(
            json.dumps(_loads(loads), indent=2, ensure_ascii=False)
            if arguments.json
            else _table(loads)
        )
        if export is not None:
            save_loads(loads, export)
            if not arguments.json:
                print(tr("wrote        {output}", output=str(export)))
    except (InverseError, SimulationError) as failure:
        raise CommandError(str(failure)) from None
    except OSError as failure:
        raise CommandError(
            "'{file}' cannot be written: {strerror}.",
            file=arguments.export,
            strerror=failure.strerror,
        ) from None
    return 0


def _identify(arguments: argparse.Namespace) -> int:
    from solver.analysis.inverse import InverseError, base_parameters, identify, motion_of_run
    from solver.analysis.inverse.identify import Rows
    from solver.analysis.inverse.motion import loads_in_run, of_joints
    from solver.model.refusal import SimulationError

    rows: Rows = "reaction" if arguments.reaction else "joints"
    if arguments.reaction and arguments.measured:
        raise CommandError("The ground bears six loads together; leave out --measured.")
    try:
        at, run, _ = _at(arguments.file)
        numbers = None if arguments.reaction else of_joints(at, arguments.measured)
        if run is None:
            base = base_parameters(at, rows, arguments.segments, of=numbers)
            print(json.dumps(_base(base), indent=2) if arguments.json else _told(base))
            return 0
        motion = motion_of_run(at, run)
        loads = loads_in_run(motion, run, rows)
        if numbers is not None:
            loads = loads[:, numbers]
        found = identify(motion, loads, rows, arguments.segments, numbers)
        print(json.dumps(_found(found), indent=2) if arguments.json else _list(found))
    except (InverseError, SimulationError) as failure:
        raise CommandError(str(failure)) from None
    return 0


def _at(path: str) -> tuple[At, FileTrajectory | None, list[Path]]:
    """Give a model at its start, the results if the file holds some, and the files that it came from."""
    from solver.analysis.inverse.bodies import standing
    from solver.project.checks import Checked
    from solver.project.checks import checked as checked_project
    from solver.project.reading import parse
    from solver.running.simulation import Simulation

    file = Path(path)
    if is_results(file):
        run = opened_results(path)
        ready = checked_project(parse(run.project_json.decode()).project)
        return standing(Simulation(ready, run.run_id or None).begin()), run, [file]
    project, notes = opened(path)
    problems = checked(project, notes)
    print_problems(problems)
    course = Simulation(Checked(project, problems)).begin()
    return standing(course), None, files_of(project, path)


def _motion(arguments: argparse.Namespace) -> tuple[Motion, Pressing | None, list[Path]]:
    from solver.analysis.inverse import motion_of_run, motion_of_tracks, pressing_in
    from solver.analysis.inverse.saving import read_tracks

    at, run, files = _at(arguments.file)
    if run is not None:
        if arguments.tracks or arguments.cutoff is not None:
            raise CommandError(
                "Results have a motion of their own; leave out --tracks and --cutoff."
            )
        motion = motion_of_run(at, run)
        return motion, pressing_in(motion.at, run) if arguments.contacts else None, files
    if arguments.contacts:
        raise CommandError("Tracks tell no forces of contacts; leave out --contacts.")
    if not arguments.tracks:
        raise CommandError("A project has no motion: give --tracks, or results.")
    tracks = Path(arguments.tracks)
    time, found = read_tracks(tracks, at)
    return motion_of_tracks(at, time, found, arguments.cutoff), None, [*files, tracks]


def _table(loads: JointLoads) -> str:
    lines = [
        tr(
            "motion       {count} instants, {start:.6g} to {end:.6g} ms",
            count=len(loads.time),
            start=1e3 * float(loads.time[0]),
            end=1e3 * float(loads.time[-1]),
        )
    ]
    for name, unit, values in zip(loads.names, loads.units, loads.values.T, strict=True):
        k = int(np.argmax(np.abs(values)))
        lines.append(
            tr(
                "  {name:<32} {value:12.6g} {unit:<4} at {time:10.4g} ms",
                name=name,
                value=float(values[k]),
                unit=unit,
                time=1e3 * float(loads.time[k]),
            )
        )
    return "\n".join(lines)


def _loads(loads: JointLoads) -> dict[str, Any]:
    return {
        "time_s": loads.time.tolist(),
        "loads": {n: v.tolist() for n, v in zip(loads.names, loads.values.T, strict=True)},
        "units": dict(zip(loads.names, loads.units, strict=True)),
    }


def _told(base: BaseParameters) -> str:
    lines = [
        tr(
            "parameters   {count} of {all} can be told",
            count=len(base),
            all=len(base.parameters),
        )
    ]
    for name, value in zip(base.names, base.values, strict=True):
        lines.append(f"  {value:14.6g}  {name}")
    if base.unseen:
        lines.append(tr("no effect    {names}", names=", ".join(base.unseen)))
    return "\n".join(lines)


def _list(found: Identified) -> str:
    lines = [
        tr(
            "parameters   {count} found, condition {condition:.3g}, {residual:.3g} N or N m left over",
            count=len(found.value),
            condition=found.condition,
            residual=found.residual,
        ),
        tr("       found        spread      in model  what"),
    ]
    for name, value, spread, model in zip(
        found.base.names, found.value, found.spread, found.base.values, strict=True
    ):
        lines.append(f"{value:12.6g}  {spread:12.3g}  {model:12.6g}  {name}")
    return "\n".join(lines)


def _base(base: BaseParameters) -> dict[str, Any]:
    return {
        "parameters": list(base.parameters),
        "combinations": [
            {
                "name": name,
                "value": float(value),
                "parts": {base.parameters[k]: float(row[k]) for k in np.flatnonzero(row)},
            }
            for name, value, row in zip(base.names, base.values, base.mixing, strict=True)
        ],
        "unseen": list(base.unseen),
    }


def _found(found: Identified) -> dict[str, Any]:
    return _base(found.base) | {
        "found": found.value.tolist(),
        "covariance": found.covariance.tolist(),
        "residual": found.residual,
        "condition": found.condition,
    }
