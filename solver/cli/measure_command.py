"""The command that measures quantities of a run: spectra, peaks, amplitudes, ride and vibration."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.base.units import pretty
from solver.base.words import tr
from solver.cli.common import (
    CommandError,
    Commands,
    add_units,
    command,
    opened_results,
    settle_units,
    writable,
    write_text,
)

if TYPE_CHECKING:
    from solver.results import Channel

# What `measure` says of quantities: one function for each measure.

Lines = list[str]
Columns = list[tuple[str, Any]]
Found = tuple[Lines, dict[str, Any], Columns]
"""What a measure says, the same as data, and columns of a table."""


def asked(arguments: argparse.Namespace, names: Sequence[str]) -> list[Channel]:
    """Choose, filter, convert and cut quantities; of a ride the weighted signal is cut, not this one."""
    from solver.results.selection import select

    run = opened_results(arguments.results)
    settle_units(arguments, run)
    begin, end = _span(arguments)
    found: dict[str, Channel] = {}
    # one after the other: of a place the axes keep the order in which they were named
    for name in names:
        for one in select(run, [name], units=arguments.units, cfc=arguments.cfc):
            if arguments.ride is None:
                kept = (one.time >= begin) & (one.time <= end)
                cut = replace(one, time=one.time[kept], value=one.value[kept], components=())
                found.setdefault(one.name, cut)
            else:
                found.setdefault(one.name, one)
    return list(found.values())


def _span(arguments: argparse.Namespace) -> tuple[float, float]:
    begin = -np.inf if arguments.begin is None else arguments.begin
    return begin, np.inf if arguments.end is None else arguments.end


def _of(unit: str) -> str:
    return f" {pretty(unit)}" if pretty(unit) else ""


def _psd(arguments: argparse.Namespace, channels: list[Channel]) -> Found:
    from solver.engine.signals import psd

    lines, data, columns = Lines(), dict[str, Any](), Columns()
    for one in channels:
        found = psd(one.time, one.value, arguments.resolution, window=arguments.window or "hann", unit=one.unit, name=one.name)  # fmt: skip
        hz, level = found.peak
        lines.append(
            tr(
                "{name}: rms about the mean {rms:.6g}{unit}, largest {level:.6g} {density} at {hz:.6g} Hz; lines {resolution:.6g} Hz apart from {pieces} pieces",
                name=one.name,
                rms=found.rms(),
                unit=_of(one.unit),
                level=level,
                density=pretty(found.unit),
                hz=hz,
                resolution=found.resolution,
                pieces=found.pieces,
            )
        )
        data[one.name] = {
            "unit": found.unit,
            "rms": found.rms(),
            "pieces": found.pieces,
            "frequency_hz": found.frequency.tolist(),
            "density": found.value.tolist(),
        }
        columns += [
            ("frequency [Hz]", found.frequency),
            (f"{one.name} [{found.unit}]", found.value),
        ]
    return lines, data, columns


def _h1(arguments: argparse.Namespace, channels: list[Channel]) -> Found:
    from solver.engine.signals import over, transfer
    from solver.results.selection import only_one

    drive = only_one(asked(arguments, [arguments.h1]), arguments.h1)
    lines, data, columns = Lines(), dict[str, Any](), Columns()
    for one in channels:
        if not np.array_equal(one.time, drive.time):
            raise CommandError(
                "'{name}' and '{drive}' have different times; record both alike.",
                name=one.name,
                drive=arguments.h1,
            )
        unit = over(one.unit, drive.unit)
        found = transfer(one.time, drive.value, one.value, arguments.resolution, window=arguments.window or "hann", unit=unit, name=one.name)  # fmt: skip
        at = int(np.nanargmax(found.magnitude))
        lines.append(
            tr(
                "{name}: largest {level:.6g}{unit} at {hz:.6g} Hz, coherence there {coherence:.4g}; {pieces} pieces",
                name=f"{one.name} / {drive.name}",
                level=found.magnitude[at],
                unit=_of(unit),
                hz=found.frequency[at],
                coherence=found.coherence[at],
                pieces=found.pieces,
            )
        )
        data[one.name] = {
            "drive": drive.name,
            "unit": unit,
            "pieces": found.pieces,
            "frequency_hz": found.frequency.tolist(),
            "magnitude": _plain(found.magnitude),
            "phase_rad": _plain(found.phase),
            "coherence": _plain(found.coherence),
        }
        columns += [
            ("frequency [Hz]", found.frequency),
            (f"{one.name} / {drive.name} [{unit}]", found.magnitude),
            ("phase [rad]", found.phase),
            ("coherence [1]", found.coherence),
        ]
    return lines, data, columns


def _plain(values: Any) -> list[float | None]:
    """Numbers for JSON, which has no word for what is not a number."""
    return [float(v) if np.isfinite(v) else None for v in values]


def _srs(arguments: argparse.Namespace, channels: list[Channel]) -> Found:
    from solver.engine.signals import shock_spectrum

    lines, data, columns = Lines(), dict[str, Any](), Columns()
    ratio = 0.05 if arguments.damping is None else arguments.damping
    for one in channels:
        found = shock_spectrum(one.time, one.value, arguments.frequencies, damping=ratio, residual=bool(arguments.residual), unit=one.unit, name=one.name)  # fmt: skip
        at = int(np.argmax(found.maximax))
        lines.append(
            tr(
                "{name}: largest {level:.6g}{unit} at {hz:.6g} Hz, damping {damping:g}",
                name=one.name,
                level=found.maximax[at],
                unit=_of(one.unit),
                hz=found.frequency[at],
                damping=ratio,
            )
        )
        data[one.name] = {
            "unit": one.unit,
            "damping": ratio,
            "frequency_hz": found.frequency.tolist(),
            "positive": found.positive.tolist(),
            "negative": found.negative.tolist(),
        }
        columns += [
            ("frequency [Hz]", found.frequency),
            (f"{one.name} positive [{one.unit}]", found.positive),
            (f"{one.name} negative [{one.unit}]", found.negative),
        ]
    return lines, data, columns


def _peaks(arguments: argparse.Namespace, channels: list[Channel]) -> Found:
    from solver.engine.signals import oscillation, peaks

    lines, data, columns = Lines(), dict[str, Any](), Columns()
    for one in channels:
        up = peaks(one.time, one.value, prominence=arguments.prominence)
        down = peaks(one.time, one.value, up=False, prominence=arguments.prominence)
        lines.append(tr("{name} [{unit}]", name=one.name, unit=pretty(one.unit) or "1"))
        for found, word in ((up, tr("peak")), (down, tr("trough"))):
            lines += [
                f"  {word} {n}: {value:.6g} {tr('at')} {1e3 * t:.6g} ms"
                for n, (t, value) in enumerate(zip(found.time, found.value, strict=True), 1)
            ]
            columns += [(f"{word} [s]", found.time), (f"{one.name} [{one.unit}]", found.value)]
        record: dict[str, Any] = {"unit": one.unit, "peaks": [up.time.tolist(), up.value.tolist()]}
        record["troughs"] = [down.time.tolist(), down.value.tolist()]
        if len(up) > 1 or arguments.cycles is not None:
            swing = oscillation(one.time, one.value, cycles=arguments.cycles, prominence=arguments.prominence)  # fmt: skip
            lines.append(
                tr("  {hz:.6g} Hz over {cycles} cycles", hz=swing.frequency, cycles=swing.cycles)
            )
            if swing.decrement is not None:
                lines.append(
                    tr(
                        "  logarithmic decrement {decrement:.4g}, damping ratio {damping:.4g}",
                        decrement=swing.decrement,
                        damping=swing.damping,
                    )
                )
            record |= {"frequency_hz": swing.frequency, "cycles": swing.cycles}
            record |= {"decrement": swing.decrement, "damping": swing.damping}
        data[one.name] = record
    return lines, data, columns


def _amplitudes(arguments: argparse.Namespace, channels: list[Channel]) -> Found:
    from solver.engine.signals import amplitudes

    lines, data, columns = Lines(), dict[str, Any](), Columns()
    bins = 50 if arguments.bins is None else arguments.bins
    for one in channels:
        found = amplitudes(one.time, one.value, bins=bins, unit=one.unit, name=one.name)
        lines.append(
            tr(
                "{name}: mean {mean:.6g}, deviation {deviation:.6g}{unit}, skewness {skewness:.4g}, kurtosis {kurtosis:.4g}, crest {crest:.4g}",
                name=one.name,
                mean=found.mean,
                deviation=found.deviation,
                unit=_of(one.unit),
                skewness=found.skewness,
                kurtosis=found.kurtosis,
                crest=found.crest,
            )
        )
        names = ("mean", "deviation", "skewness", "kurtosis", "crest", "rms")
        data[one.name] = {"unit": one.unit} | {n: getattr(found, n) for n in names}
        for n in ("edges", "density", "distribution"):
            data[one.name][n] = getattr(found, n).tolist()
        columns += [
            (f"{one.name} [{one.unit}]", found.edges),
            (f"density [1/({one.unit})]", found.density),
            ("distribution [1]", found.distribution),
        ]
    return lines, data, columns


def _ride(arguments: argparse.Namespace, channels: list[Channel]) -> Found:
    from solver.engine.signals import PLACES, Ride, ride, total_ride

    lines, data = Lines(), dict[str, Any]()
    rides: Sequence[Ride]
    span = _span(arguments)
    total = None
    if arguments.ride in PLACES:
        total = total_ride(
            arguments.ride, [(c.time, c.value, c.unit, c.name) for c in channels], span
        )
        rides = total.axes
    else:
        rides = [
            ride(c.time, c.value, arguments.ride, span, unit=c.unit, name=c.name) for c in channels
        ]
    for one in rides:
        unit = pretty(one.unit)
        mtvv = tr("no second long") if one.mtvv is None else f"{one.mtvv:.5g} {unit}"
        lines.append(
            tr(
                "{name} {weighting}: r.m.s. {rms:.5g} {unit}, MTVV {mtvv}, VDV {vdv:.5g} {unit}·s^(1/4), crest factor {crest:.4g}",
                name=one.name,
                weighting=one.weighting,
                rms=one.rms,
                unit=unit,
                mtvv=mtvv,
                vdv=one.vdv,
                crest=one.crest,
            )
        )
        if one.weighting == "Wf":
            lines.append(
                tr(
                    "  motion sickness dose value {dose:.5g} {unit}·s^(1/2)",
                    dose=one.dose,
                    unit=unit,
                )
            )
        if one.shocks:
            lines.append(
                tr("  shocks: the r.m.s. alone says too little here (ISO 2631-1, 6.2.2 and 6.3.3)")
            )
        names = ("rms", "mtvv", "vdv", "dose", "peak", "crest", "duration", "shocks")
        record = {n: getattr(one, n) for n in names}
        data[one.name] = {"weighting": one.weighting, "unit": one.unit} | record
    if total is not None:
        lines.append(
            tr(
                "{place}: total value {total:.5g} {unit}, largest axis {worst:.5g} {unit}, VDV {dose:.5g} {unit}·s^(1/4), with k = {k}",
                place=total.place,
                total=total.total,
                unit=pretty(total.axes[0].unit),
                worst=total.worst,
                dose=total.dose,
                k=", ".join(f"{k:g}" for k in total.factors),
            )
        )
        data[total.place] = {"total": total.total, "worst": total.worst, "vdv": total.dose}
        data[total.place]["k"] = list(total.factors)
    return lines, data, []


KINDS: dict[str, Callable[[argparse.Namespace, list[Any]], Found]] = {
    "psd": _psd,
    "h1": _h1,
    "srs": _srs,
    "peaks": _peaks,
    "amplitudes": _amplitudes,
    "ride": _ride,
}


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
    lines, data, columns = KINDS[kind](arguments, asked(arguments, arguments.names))
    print(json.dumps(data, indent=2) if arguments.json else "\n".join(lines))
    if target is not None:
        write_text(target, _csv(columns))
        if not arguments.json:
            print(tr("Wrote {target}.", target=target))
    return 0


def _csv(columns: Columns) -> str:
    from solver.report.export.tables import columns_as_csv

    return columns_as_csv(columns)
