"""Commands on the mechanics of a model: modes, loads of joints from motions, inertial parameters."""

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
    at_start,
    command,
    files_of,
    is_results,
    opened,
    opened_results,
    solvable,
    writable,
    writing,
)

if TYPE_CHECKING:
    from solver.analysis.inverse import BaseParameters, Identified, JointLoads, Motion, Pressing
    from solver.analysis.inverse.bodies import At
    from solver.analysis.linear import Linear, Mode
    from solver.results import FileTrajectory
    from solver.running.stepper import Stepper

# Command on small motions: modes.

LEADING = 3
"""Segments of a mode that are named."""


def _add_modes(commands: Commands) -> None:
    """Add this command to the parser."""
    modes = command(
        commands, "modes", tr("Frequencies, damping and shapes of small motions."), _modes
    )
    modes.add_argument("file", metavar="PROJECT|RESULTS")
    modes.add_argument(
        "--run", metavar="ID", help=tr("which run of a project; its first if not given")
    )
    modes.add_argument(
        "--at",
        type=float,
        metavar="MS",
        help=tr("instant; the start of a project and the end of results if not given"),
    )
    modes.add_argument(
        "--settled",
        nargs="*",
        metavar="NAME",
        help=tr(
            "let the model settle first; what may move is named as in settle, whole bodies if not given"
        ),
    )
    modes.add_argument(
        "--inputs", nargs="+", default=[], metavar="NAME", help=tr("forces and torques of B")
    )
    modes.add_argument(
        "--outputs", nargs="+", default=[], metavar="NAME", help=tr("quantities of C and D")
    )
    modes.add_argument(
        "--buckling",
        nargs="+",
        metavar="LOAD",
        help=tr("by how much these loads may grow until the first frequency is zero"),
    )
    modes.add_argument(
        "--export",
        metavar="FILE",
        help=tr("write matrices and modes: .npz, .mat, or .csv with files beside it"),
    )
    modes.add_argument("--json", action="store_true", help=tr("print as JSON"))


def _modes(arguments: argparse.Namespace) -> int:
    from solver.analysis.linear import buckling, linearise_course
    from solver.analysis.linear.saving import save_linear

    if arguments.buckling and (arguments.inputs or arguments.outputs):
        raise CommandError("--buckling gives factors alone; leave out --inputs and --outputs.")
    still = arguments.settled is not None
    with writing(arguments.export):
        course, inputs = _course(arguments)
        export = None
        if arguments.export:
            export = writable(arguments.export, "linear equations", *inputs)
        if arguments.buckling:
            found = buckling(course, arguments.buckling, still=still)
            linear = found.linear
        else:
            linear = linearise_course(course, arguments.inputs, arguments.outputs, still=still)
        if arguments.json:
            print(json.dumps(_data(linear), indent=2, ensure_ascii=False))
        else:
            print(_mode_table(linear))
        if arguments.buckling and not arguments.json:
            factors = ", ".join(f"{one:.6g}" for one in found.factors[:6])
            print(
                tr(
                    "load factor  {factor:.6g}: the lowest frequency is {lowest:.3g} Hz there and {unloaded:.3g} Hz without these loads",
                    factor=found.factor,
                    lowest=found.lowest_hz,
                    unloaded=found.unloaded_hz,
                )
            )
            print(tr("all factors  {factors}", factors=factors))
        if export is not None:
            for file in save_linear(linear, export):
                if not arguments.json:
                    print(tr("wrote        {output}", output=str(file)))
    return 0


def _course(arguments: argparse.Namespace) -> tuple[Stepper, list[Path]]:
    """The run at the instant that is asked for, and the files that it came from."""
    from solver.analysis.linear.operating_point import course_of, course_of_results, settled
    from solver.project.checks import Checked

    file = Path(arguments.file)
    at = None if arguments.at is None else 1e-3 * arguments.at
    if is_results(file):
        if arguments.settled is not None or arguments.run is not None:
            raise CommandError(
                "Results are of one run that has started; leave out --settled and --run."
            )
        return course_of_results(opened_results(arguments.file), at), [file]
    if arguments.settled is not None and at is not None:
        raise CommandError("--settled is a start of its own; leave out --at.")
    project, notes = opened(arguments.file)
    ready = solvable(project, notes)
    if arguments.settled is not None:
        ready = Checked(settled(ready, arguments.settled or None))
    return course_of(ready, at or 0.0, arguments.run), files_of(project, arguments.file)


def _mode_table(linear: Linear) -> str:
    lines = [
        tr(
            "instant      {time:.6g} ms, {states} states, {modes} modes",
            time=1e3 * linear.time,
            states=len(linear.states),
            modes=len(linear.modes),
        )
    ]
    lines += [tr("note         {note}", note=note) for note in linear.notes]
    lines.append(
        tr("mode  kind             frequency      damping  what moves (part of the energy)")
    )
    for k, mode in enumerate(linear.modes):
        lines.append(
            f"{k + 1:4d}  {tr(mode.kind):<12} {mode.frequency_hz:12.6g} Hz {mode.damping:9.4f}  {_leading(linear, mode)}"
        )
    return "\n".join(lines)


def _leading(linear: Linear, mode: Mode) -> str:
    order = sorted(range(len(linear.segments)), key=lambda k: -mode.energy[k])[:LEADING]
    return ", ".join(
        f"{linear.segments[k]} {100 * mode.energy[k]:.0f} %"
        for k in order
        if mode.energy[k] >= 0.005
    )


def _data(linear: Linear) -> dict[str, Any]:
    return {
        "time_s": linear.time,
        "at_rest": linear.is_at_rest,
        "notes": [str(note) for note in linear.notes],
        "states": list(linear.states),
        "inputs": list(linear.inputs),
        "outputs": list(linear.outputs),
        "modes": [
            {
                "kind": mode.kind,
                "frequency_hz": mode.frequency_hz,
                "damped_hz": mode.damped_hz,
                "damping": mode.damping,
                "eigenvalue": [mode.eigenvalue.real, mode.eigenvalue.imag],
                "energy": dict(zip(linear.segments, mode.energy.tolist(), strict=True)),
                "effective_mass": mode.effective.tolist(),
            }
            for mode in linear.modes
        ],
    }


# Commands from motions back: loads of joints, and inertial parameters.

NAMES = ("inverse", "identify", "modes")


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    _add_modes(commands)
    inverse = command(commands, "inverse", tr("Loads that joints bear in a motion."), _inverse)
    inverse.add_argument("file", metavar="RESULTS|PROJECT")
    _of_tracks(inverse)
    inverse.add_argument(
        "--contacts", action="store_true", help=tr("take forces of the run's contacts as known: no joint bears them")
    )  # fmt: skip
    inverse.add_argument(
        "--export", metavar="FILE", help=tr("write them over time: .csv, .npz or .mat")
    )
    inverse.add_argument(
        "--by", nargs="+", metavar="SPEED", help=tr("loads along these alone, with which points of a model that bends follow tracks")
    )  # fmt: skip
    for name, label in (
        ("before", tr("with --by: time before the tracks begin (s); 0.5 if not given")),
        ("after", tr("with --by: time after they end (s); 0.5 if not given")),
        ("step", tr("with --by: time from one instant to the next (s)")),
    ):
        inverse.add_argument(f"--{name}", type=float, metavar="S", help=label)
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
    from solver.analysis.inverse import joint_loads
    from solver.analysis.inverse.saving import save_loads

    with writing(arguments.export):
        if arguments.by:
            loads, inputs = _followed(arguments)
        else:
            if any(one is not None for one in (arguments.before, arguments.after, arguments.step)):
                raise CommandError("--before, --after and --step go with --by.")
            motion, pressing, inputs = _motion(arguments)
            loads = joint_loads(motion, pressing)
        export = writable(arguments.export, "loads", *inputs) if arguments.export else None
        print(
            json.dumps(_loads(loads), indent=2, ensure_ascii=False)
            if arguments.json
            else _table(loads)
        )
        if export is not None:
            save_loads(loads, export)
            if not arguments.json:
                print(tr("wrote        {output}", output=str(export)))
    return 0


def _followed(arguments: argparse.Namespace) -> tuple[JointLoads, list[Path]]:
    """Find loads along a few speeds with which points follow tracks, and the files that these came from."""
    from solver.analysis.inverse import Times, following_loads
    from solver.analysis.inverse.saving import read_tracks

    at, run, files = _at(arguments.file)
    if (
        run is not None
        or not arguments.tracks
        or arguments.contacts
        or arguments.cutoff is not None
    ):
        raise CommandError("Loads along chosen speeds are for a project and --tracks of its points, without --cutoff and --contacts.")  # fmt: skip
    tracks = Path(arguments.tracks)
    time, ways = read_tracks(tracks, at)
    usual = Times()
    times = Times(
        usual.before_s if arguments.before is None else arguments.before,
        usual.after_s if arguments.after is None else arguments.after,
        arguments.step,
    )
    return following_loads(at, time, ways, arguments.by, times), [*files, tracks]


def _identify(arguments: argparse.Namespace) -> int:
    from solver.analysis.inverse import base_parameters, identify, motion_of_run
    from solver.analysis.inverse.identify import Rows
    from solver.analysis.inverse.motion import loads_in_run, of_joints

    rows: Rows = "reaction" if arguments.reaction else "joints"
    if arguments.reaction and arguments.measured:
        raise CommandError("The ground bears six loads together; leave out --measured.")
    at, run, _ = _at(arguments.file)
    numbers = None if arguments.reaction else of_joints(at, arguments.measured)
    if run is None:
        base = base_parameters(at, rows, arguments.segments, of=numbers)
        print(json.dumps(_base(base), indent=2) if arguments.json else _base_text(base))
        return 0
    motion = motion_of_run(at, run)
    loads = loads_in_run(motion, run, rows)
    if numbers is not None:
        loads = loads[:, numbers]
    found = identify(motion, loads, rows, arguments.segments, numbers)
    print(json.dumps(_identified(found), indent=2) if arguments.json else _list(found))
    return 0


def _at(path: str) -> tuple[At, FileTrajectory | None, list[Path]]:
    """Give a model at its start, the results if the file holds some, and the files that it came from."""
    from solver.analysis.inverse.bodies import standing
    from solver.running.simulation import Simulation

    file = Path(path)
    if is_results(file):
        run = opened_results(path)
        return at_start(run), run, [file]
    project, notes = opened(path)
    course = Simulation(solvable(project, notes)).begin()
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


def _base_text(base: BaseParameters) -> str:
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


def _identified(found: Identified) -> dict[str, Any]:
    return _base(found.base) | {
        "found": found.value.tolist(),
        "covariance": found.covariance.tolist(),
        "residual": found.residual,
        "condition": found.condition,
    }
