"""The command that measures quantities of a run: spectra, peaks, amplitudes, ride and vibration."""

from __future__ import annotations

import argparse
import json

from solver.base.words import tr
from solver.cli.common import (
    CommandError,
    Commands,
    command,
    writable,
    write_text,
)
from solver.cli.measuring import KINDS, Columns, asked
from solver.cli.unit_options import add_units

NAMES = ("measure",)

_BELONGS = {
    "resolution": ("psd", "h1"),
    "window": ("psd", "h1"),
    "frequencies": ("srs",),
    "damping": ("srs",),
    "residual": ("srs",),
    "cycles": ("peaks",),
    "prominence": ("peaks",),
    "bins": ("amplitudes",),
}
"""Options that say more about some measures, and mean nothing for the others."""


def add_to(commands: Commands) -> None:
    """Add this command to the parser."""
    measure = command(
        commands, "measure", tr("Measure quantities: spectra, peaks, ride and vibration."), _measure
    )
    measure.add_argument("results", metavar="OUT.h5")
    measure.add_argument(
        "names", metavar="NAME", nargs="+", help=tr("names or patterns of quantities, as 'show --quantities' lists them")
    )  # fmt: skip
    kinds = measure.add_mutually_exclusive_group(required=True)
    kinds.add_argument("--psd", action="store_true", help=tr("power spectral density (Welch)"))
    kinds.add_argument("--h1", metavar="DRIVE", help=tr("H1 and coherence over this quantity"))
    kinds.add_argument(
        "--srs", action="store_true", help=tr("shock response spectrum of an acceleration")
    )
    kinds.add_argument(
        "--peaks", action="store_true", help=tr("peaks, frequency, decrement and damping")
    )
    kinds.add_argument(
        "--amplitudes", action="store_true", help=tr("amplitude density and distribution")
    )
    kinds.add_argument(
        "--ride",
        metavar="WHAT",
        help=tr(
            "ISO 2631-1: a weighting (Wk, Wd, Wf, Wc, We, Wj) for each quantity, or a place (seat, seat-health, seat-turning, back, feet, standing) for three, x, y and z"
        ),
    )
    measure.add_argument("--from", dest="begin", metavar="S", type=float, help=tr("leave out what is before (s)"))  # fmt: skip
    measure.add_argument("--to", dest="end", metavar="S", type=float, help=tr("leave out what is after (s)"))  # fmt: skip
    measure.add_argument("--resolution", metavar="HZ", type=float, help=tr("with --psd, --h1: distance between lines; eight pieces if not given"))  # fmt: skip
    measure.add_argument("--window", choices=("hann", "none"), help=tr("with --psd, --h1: window on each piece; hann if not given"))  # fmt: skip
    measure.add_argument("--frequencies", metavar="HZ", type=float, nargs="+", help=tr("with --srs: natural frequencies; twelve in an octave if not given"))  # fmt: skip
    measure.add_argument("--damping", metavar="RATIO", type=float, help=tr("with --srs: part of critical damping; 0.05 if not given"))  # fmt: skip
    measure.add_argument("--residual", action="store_true", default=None, help=tr("with --srs: what comes after the signal counts, too"))  # fmt: skip
    measure.add_argument("--cycles", metavar="N", type=int, help=tr("with --peaks: frequency over the first N cycles; all if not given"))  # fmt: skip
    measure.add_argument("--prominence", metavar="X", type=float, help=tr("with --peaks: by how much a peak stands out; 2 %% of the range if not given"))  # fmt: skip
    measure.add_argument("--bins", metavar="N", type=int, help=tr("with --amplitudes: number of bins; 50 if not given"))  # fmt: skip
    add_units(measure, "si")
    measure.add_argument("--cfc", metavar="CLASS", type=int, choices=(60, 180, 600, 1000), help=tr("filter every quantity to this class of SAE J211: 60, 180, 600, 1000"))  # fmt: skip
    measure.add_argument(
        "-o", "--output", metavar="FILE.csv", help=tr("write the lines as a table")
    )
    measure.add_argument("--json", action="store_true", help=tr("print the numbers as JSON"))


def _measure(arguments: argparse.Namespace) -> int:
    from solver.engine.signals import SignalError
    from solver.results import ResultsError

    kind = next(k for k in KINDS if getattr(arguments, k))
    for option, kinds in _BELONGS.items():
        if getattr(arguments, option) is not None and kind not in kinds:
            raise CommandError(
                "--{option} goes with {kinds}, not with --{kind}.",
                option=option,
                kinds=" and ".join(f"--{one}" for one in kinds),
                kind=kind,
            )
    if kind == "ride" and arguments.units != "si":
        raise CommandError("ISO 2631-1 is in SI; leave out --units.")
    if arguments.output is not None and kind == "ride":
        raise CommandError("--ride gives single numbers; leave out -o, or take --json.")
    target = None
    if arguments.output is not None:
        target = writable(arguments.output, "table", arguments.results)
    try:
        lines, data, columns = KINDS[kind](arguments, asked(arguments, arguments.names))
    except (ResultsError, SignalError) as failure:
        raise CommandError(str(failure)) from None
    print(json.dumps(data, indent=2) if arguments.json else "\n".join(lines))
    if target is not None:
        write_text(target, _csv(columns))
        if not arguments.json:
            print(tr("Wrote {target}.", target=target))
    return 0


def _csv(columns: Columns) -> str:
    from solver.report.export.csv_file import columns_as_csv

    return columns_as_csv(columns)
