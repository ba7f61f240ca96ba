"""Command that lets occupants hold their posture: brace."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from solver.base.words import tr
from solver.cli.common import (
    CommandError,
    Commands,
    checked,
    command,
    files_of,
    opened,
    opened_results,
    print_problems,
    writable,
)
from solver.project import save_project

if TYPE_CHECKING:
    from solver.bodies.posture import Course

NAMES = ("brace",)


def add_to(commands: Commands) -> None:
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
    for name, unit, usual, told in (
        ("frequency", "HZ", 3.0, tr("as stiff as lets what a joint carries swing so fast (Hz); 3 if not given")),
        ("damping", "RATIO", 0.7, tr("part of critical damping; 0.7 if not given")),
        ("reflex", "S", 0.0, tr("how much later it senses (s); 0 if not given")),
        ("period", "S", 0.0, tr("time from one sample to the next (s); 0, all the time, if not given")),
        ("delay", "S", 0.0, tr("how much later it begins (s); 0 if not given")),
        ("ramp", "S", 0.0, tr("time over which it comes up (s); 0 if not given")),
    ):  # fmt: skip
        brace.add_argument(f"--{name}", type=float, metavar=unit, default=usual, help=told)
    brace.add_argument(
        "--limit", type=float, metavar="RATIO",
        help=tr("most torque, in parts of what bears the weight of what a joint carries, held out level; no limit if not given"),
    )  # fmt: skip


def _brace(arguments: argparse.Namespace) -> int:
    from solver.analysis.inverse import InverseError
    from solver.bodies.body import BodyError, Holding
    from solver.bodies.posture import held
    from solver.model.refusal import SimulationError

    project, notes = opened(arguments.project)
    inputs = files_of(project, arguments.project)
    if arguments.follow:
        inputs = [*inputs, Path(arguments.follow)]
    output = writable(arguments.output, "project", *inputs)
    how = Holding(
        arguments.frequency, arguments.damping, arguments.reflex, arguments.period, arguments.delay, arguments.ramp,
        arguments.limit,
    )  # fmt: skip
    course: Course | None = None
    try:
        if arguments.follow:
            course = _course(arguments.follow)
        done = held(project, arguments.segments, how, course)
    except (BodyError, InverseError, SimulationError) as failure:
        raise CommandError(str(failure)) from None
    print_problems(checked(done, notes))
    save_project(done, output)
    count = len(done.coordinate_forces) - len(project.coordinate_forces)
    print(tr("held         {count} axes", count=count))
    print(tr("wrote        {output}", output=str(output)))
    return 0


def _course(path: str) -> Course:
    from solver.analysis.inverse import course_of_run
    from solver.analysis.inverse.bodies import standing
    from solver.project.checks import checked as checked_project
    from solver.project.reading import parse
    from solver.running.simulation import Simulation

    run = opened_results(path)
    ready = checked_project(parse(run.project_json.decode()).project)
    return course_of_run(standing(Simulation(ready, run.run_id or None).begin()), run)
