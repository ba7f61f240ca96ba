"""Command on small motions: modes."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    from solver.analysis.linear import Linear, Mode
    from solver.running.course import Course

NAMES = ("modes",)

LEADING = 3
"""Segments of a mode that are named."""


def add_to(commands: Commands) -> None:
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
    from solver.analysis.equilibrium import SettleError
    from solver.analysis.linear import LinearError, buckling, linearise_course
    from solver.analysis.linear.saving import save_linear
    from solver.model.refusal import SimulationError
    from solver.results import ResultsError

    if arguments.buckling and (arguments.inputs or arguments.outputs):
        raise CommandError("--buckling gives factors alone; leave out --inputs and --outputs.")
    still = arguments.settled is not None
    try:
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
            print(_table(linear))
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
    except (LinearError, SettleError, SimulationError, ResultsError) as failure:
        raise CommandError(str(failure)) from None
    except OSError as failure:
        raise CommandError(
            "'{file}' cannot be written: {strerror}.",
            file=arguments.export,
            strerror=failure.strerror,
        ) from None
    return 0


def _course(arguments: argparse.Namespace) -> tuple[Course, list[Path]]:
    """Give the run at the instant that is asked for, and the files that it came from."""
    from solver.analysis.linear.instants import course_of, course_of_results, settled
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
    problems = checked(project, notes)
    print_problems(problems)
    ready = Checked(project, problems)
    if arguments.settled is not None:
        ready = Checked(settled(ready, arguments.settled or None))
    return course_of(ready, at or 0.0, arguments.run), files_of(project, arguments.file)


def _table(linear: Linear) -> str:
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
