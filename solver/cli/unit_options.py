"""The option --units: a system that is always there, a list of units, or a system of the project."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from solver.base.units import SYSTEMS, UnitError, given_by, is_own, spelled
from solver.base.words import tr
from solver.cli.common import CommandError

if TYPE_CHECKING:
    from solver.results import Trajectory


def add_units(parser: argparse.ArgumentParser, usual: str) -> None:
    """Add the option."""
    parser.add_argument(
        "--units",
        default=usual,
        metavar="SYSTEM",
        help=tr("{systems}, a list of units as mm,t,s, or an own system of the project; {default} if not given",
                systems=", ".join(SYSTEMS), default=usual),
    )  # fmt: skip


def settle_units(arguments: argparse.Namespace, run: Trajectory) -> None:
    """Put the list of units of an own system in the place of its name; raises CommandError."""
    told = str(arguments.units)
    try:
        if told not in SYSTEMS and not is_own(told):
            told = _of_project(told, run)
        if is_own(told):
            given_by(told)
    except UnitError as failure:
        raise CommandError(str(failure)) from None
    arguments.units = told


def _of_project(name: str, run: Trajectory) -> str:
    try:
        systems = json.loads(run.project_json).get("unit_systems", [])
        found = {one["id"]: spelled(one["units"]) for one in systems}
    except (ValueError, AttributeError, TypeError, KeyError):
        found = {}
    if name not in found:
        raise CommandError(
            "There are no units '{name}'; there are {known}, and lists of units such as mm,t,s.",
            name=name,
            known=", ".join((*SYSTEMS, *found)),
        )
    return found[name]
