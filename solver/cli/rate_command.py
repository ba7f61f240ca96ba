"""The command that rates a quantity of a run against a curve of a test: rate."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from solver.base.units import pretty
from solver.base.words import tr
from solver.cli.common import CommandError, Commands, command, opened_results

if TYPE_CHECKING:
    from solver.results import Channel

NAMES = ("rate",)


def add_to(commands: Commands) -> None:
    """Add this command to the parser."""
    rate = command(
        commands, "rate", tr("Say how well a quantity agrees with a test (ISO/TS 18571)."), _rate
    )
    rate.add_argument("results", metavar="OUT.h5")
    rate.add_argument("name", metavar="NAME", help=tr("name of a quantity, as 'show --quantities' lists them"))  # fmt: skip
    rate.add_argument("test", metavar="TEST", help=tr("channel of an ISO-MME test, its header, or what ATB printed (.aou)"))  # fmt: skip
    rate.add_argument("--curve", metavar="WORDS", help=tr("words that only the wanted curve of the test has in its name"))  # fmt: skip
    rate.add_argument("--cfc", metavar="CLASS", type=int, choices=(60, 180, 600, 1000), help=tr("filter both to this class of SAE J211: 60, 180, 600, 1000"))  # fmt: skip
    rate.add_argument("--json", action="store_true", help=tr("print the numbers as JSON"))


def _rate(arguments: argparse.Namespace) -> int:
    from solver.engine.signals import SignalError, rating
    from solver.exchange.printed import PrintedError
    from solver.results import ResultsError
    from solver.results.selection import select

    try:
        found = select(
            opened_results(arguments.results), [arguments.name], units="si", cfc=arguments.cfc
        )
        if len(found) != 1:
            raise CommandError(
                "'{name}' fits {count} quantities; name one.", name=arguments.name, count=len(found)
            )
        test = _one_of(_curves(Path(arguments.test)), arguments.curve)
        if test.unit != found[0].unit:
            raise CommandError("The test is in {test}, the quantity in {unit}.", test=pretty(test.unit) or "1", unit=pretty(found[0].unit) or "1")  # fmt: skip
        if arguments.cfc:
            test = test.filtered(arguments.cfc)
        made = rating(found[0].time, found[0].value, test.time, test.value)
    except (ResultsError, SignalError, PrintedError) as failure:
        raise CommandError(str(failure)) from None
    told = {
        "rating": made.whole, "grade": made.grade, "corridor": made.corridor, "phase": made.phase,
        "magnitude": made.magnitude, "slope": made.slope, "late_ms": 1e3 * made.late_s,
    }  # fmt: skip
    if arguments.json:
        print(json.dumps({"quantity": found[0].name, "test": test.name, **told}, indent=2))
        return 0
    print(tr("{quantity} against {test}", quantity=found[0].name, test=test.name))
    for name, value in told.items():
        print(f"{name:<10} {value if isinstance(value, str) else f'{value:.3f}'}")
    return 0


def _curves(file: Path) -> list[Channel]:
    """Give the curves of a test's file."""
    import re

    from solver.exchange.endings import PRINTED
    from solver.exchange.printed import read_printed
    from solver.results.mme_reading import mme_channels, read_mme_channel

    if file.suffix.lower() in PRINTED:
        return list(read_printed(file).curves)
    if re.fullmatch(r"\.\d{3,4}", file.suffix):
        return [read_mme_channel(file)]
    return [read_mme_channel(one) for one in mme_channels(file)]


def _one_of(curves: list[Channel], words: str | None) -> Channel:
    fit = [one for one in curves if words is None or words.lower() in one.name.lower()]
    if len(fit) == 1:
        return fit[0]
    listed = "; ".join(one.name for one in (fit or curves)[:12])
    if not fit:
        raise CommandError(
            "No curve of the test has '{words}' in its name. There are: {listed}.",
            words=words,
            listed=listed,
        )
    raise CommandError(
        "{count} curves of the test fit; choose one with --curve. There are: {listed}.",
        count=len(fit),
        listed=listed,
    )
