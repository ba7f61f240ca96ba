"""The command line: every command of `docs/commands.md`, without a window."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

from solver.base.boundary import Ended, ending_well, guarded
from solver.base.words import Refusal, msgid, tell_argparse, tr
from solver.cli import (
    body_commands,
    extension_commands,
    fmu_commands,
    harness_commands,
    inverse_commands,
    library_commands,
    linkage_commands,
    measure_command,
    mechanism_commands,
    output_commands,
    project_commands,
    report_commands,
    results_commands,
    settle_commands,
    store_command,
    study_commands,
    tracking_commands,
)
from solver.cli.common import Handler
from solver.project.problems import ProjectError

_GROUPS = (
    project_commands,
    output_commands,
    body_commands,
    settle_commands,
    mechanism_commands,
    tracking_commands,
    inverse_commands,
    harness_commands,
    linkage_commands,
    library_commands,
    results_commands,
    measure_command,
    report_commands,
    study_commands,
    store_command,
    fmu_commands,
    extension_commands,
)

COMMANDS: tuple[str, ...] = tuple(name for group in _GROUPS for name in group.NAMES)
"""Names that the front door passes on to `main`."""

_OF_ARGPARSE = (
    msgid("usage: "),
    msgid("options"),
    msgid("positional arguments"),
    msgid("show this help message and exit"),
    msgid("the following arguments are required: %s"),
    msgid("unrecognized arguments: %s"),
    msgid("expected one argument"),
    msgid("expected at least one argument"),
    msgid("argument %(argument_name)s: %(message)s"),
    msgid("invalid choice: %(value)r (choose from %(choices)s)"),
    msgid("invalid %(type)s value: %(value)r"),
    msgid("not allowed with argument %s"),
    msgid("one of the arguments %s is required"),
)
"""What argparse says itself, for the catalogue; it translates that by gettext."""


class _Parser(argparse.ArgumentParser):
    """Answer wrong usage with one sentence and exit code 2."""

    def error(self, message: str) -> NoReturn:
        see = tr("See '{command} --help'.", command=self.prog)
        self.exit(2, f"{self.prog}: {message}. {see}\n")


def parser() -> argparse.ArgumentParser:
    """Build the parser of all commands."""
    from solver.base.places import __version__

    top = _Parser(
        prog="manikin",
        description=tr("Model people, vehicles and restraints; solve, look and report."),
        epilog=tr("Without a command, or with a project file alone, the window opens."),
    )
    top.add_argument(
        "--version",
        action="version",
        version=f"manikin {__version__}",
        help=tr("show program's version number and exit"),
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for group in _GROUPS:
        group.add_to(commands)
    return top


def main(argv: Sequence[str] | None = None, handlers: Mapping[str, Handler] | None = None) -> int:
    """Run one command and give its exit code.

    0 done, 1 error, 2 wrong usage, 3 a fault of the program or the machine, 130 cancelled, 143 and 129 ended from
    outside (TERM, HUP). `handlers` do what needs the 3D view, which this room knows nothing of.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    tell_argparse()
    return guarded(lambda: _done(words, handlers or {}), ["manikin", *words])


def _done(words: Sequence[str], handlers: Mapping[str, Handler]) -> int:
    try:
        arguments = parser().parse_args(words)
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        with ending_well():
            return int(handlers.get(arguments.command, arguments.handler)(arguments))
    except ProjectError as failure:
        for problem in failure.problems:
            print(problem, file=sys.stderr)
        return 1
    except Refusal as failure:
        print(tr("error: {failure}", failure=failure), file=sys.stderr)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except Ended as ended:
        print(ended, file=sys.stderr)
        return ended.code
    except KeyboardInterrupt:
        print(tr("Cancelled."), file=sys.stderr)
        return 130
