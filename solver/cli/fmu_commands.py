"""The command that writes a model as an FMU: its words; the public library does the work."""

from __future__ import annotations

import argparse

from solver.base.words import tr
from solver.cli.common import CommandError, Commands, command, opened

NAMES = ("fmu",)


def add_to(commands: Commands) -> None:
    """Add this command to the parser."""
    made = command(
        commands,
        "fmu",
        tr("Write a model as an FMU of FMI 3.0 co-simulation; where it runs it needs a Python with manikin."),
        _without_library,
    )  # fmt: skip
    made.add_argument("project", metavar="PROJECT")
    made.add_argument("-o", "--output", metavar="FILE.fmu", required=True)
    made.add_argument("--run", metavar="ID", help=tr("which of the project's runs; the first if not given"))  # fmt: skip
    made.add_argument(
        "--inputs", metavar="NAME", nargs="+", default=[],
        help=tr("numbers that the master sets at each step, as segments/head/force/x"),
    )  # fmt: skip
    made.add_argument(
        "--outputs", metavar="NAME", nargs="+",
        help=tr("quantities that it reads; the project's outputs if not given"),
    )  # fmt: skip
    made.add_argument(
        "--parameters", metavar="PATH", nargs="+", default=[],
        help=tr("numbers of the project that it sets before the start"),
    )  # fmt: skip
    made.add_argument("--every", metavar="S", type=float, help=tr("step that suits it (s); the interval of frames if not given"))  # fmt: skip


def _without_library(arguments: argparse.Namespace) -> int:
    opened(arguments.project)
    raise CommandError("This needs the public library: use the program 'manikin' itself.")
