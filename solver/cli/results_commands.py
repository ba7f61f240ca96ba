"""Commands on a results file: show, rate, movie, scene."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from solver.base.units import pretty
from solver.base.words import tr
from solver.cli.common import CommandError, Commands, command, opened_results

if TYPE_CHECKING:
    from solver.results import Channel, Trajectory

# The commands `movie` and `scene`: their words; the program with the 3D view does the work.

_VIEWS = ("side", "front", "top", "iso")


def _add_movie(commands: Commands) -> None:
    """Add the commands to the parser."""
    movie = command(commands, "movie", tr("Write a movie of a run."), _without_view)
    movie.add_argument("results", metavar="OUT.h5")
    movie.add_argument(
        "-o", "--output", metavar="FILE", required=True, type=Path,
        help=tr(".mp4, .gif, or a name without ending for a folder of PNG pictures"),
    )  # fmt: skip
    movie.add_argument("--view", choices=_VIEWS, default="side", help=tr("from where it is seen"))
    movie.add_argument("--ride", metavar="SEGMENT", help=tr("let the camera go with a segment"))
    _add_cameras(movie)
    movie.add_argument(
        "--size",
        metavar="WxH",
        type=_size,
        help=tr("pixels; 1280x720, each of a filmstrip 420x480"),
    )
    movie.add_argument(
        "--speed", metavar="X", type=_positive, default=0.02, help=tr("1 is real time; 0.02")
    )
    movie.add_argument(
        "--rate", metavar="N", type=_positive, default=30.0, help=tr("pictures a second; 30")
    )
    movie.add_argument(
        "--motion-blur", action="store_true", help=tr("what moves blurs while the shutter is open")
    )
    movie.add_argument("--from", dest="start", metavar="MS", type=float, help=tr("first instant"))
    movie.add_argument("--to", dest="end", metavar="MS", type=float, help=tr("last instant"))
    movie.add_argument("--forces", action="store_true", help=tr("arrows at the contacts"))
    movie.add_argument("--patches", action="store_true", help=tr("where surfaces touch"))
    movie.add_argument(
        "--loads", action="store_true", help=tr("webbing and bags coloured by their load")
    )
    movie.add_argument("--ghost", action="store_true", help=tr("the start pose, drawn faintly"))
    movie.add_argument("--beside", metavar="OTHER.h5", help=tr("another run, drawn faintly"))
    movie.add_argument(
        "--side-by-side", action="store_true", help=tr("the other run beside, not over this one")
    )
    movie.add_argument(
        "--trail",
        metavar="SEGMENT",
        nargs="+",
        default=[],
        help=tr("ways of segments' mass centres"),
    )
    movie.add_argument(
        "--reach",
        metavar="JOINT",
        nargs="+",
        default=[],
        help=tr("how far joints go, and where they stand"),
    )
    movie.add_argument(
        "--strip",
        metavar="N",
        type=int,
        help=tr("N instants side by side in one picture, .png or .jpg"),
    )
    movie.add_argument(
        "--still", metavar="MS", type=float, help=tr("one instant as a picture, .png or .jpg")
    )
    movie.add_argument(
        "--quality",
        choices=("draft", "fine", "print"),
        default="fine",
        help=tr("draft is quick and rough, print slow and smooth"),
    )
    movie.add_argument(
        "--backdrop",
        choices=("scene", "white", "clear"),
        default="scene",
        help=tr("behind everything: ground and sky, white, or nothing (stills, .png)"),
    )
    movie.add_argument(
        "--blur",
        choices=("none", "gentle", "strong"),
        default="none",
        help=tr("how much what is nearer and farther is out of focus"),
    )
    movie.add_argument(
        "--focus",
        metavar="SEGMENT",
        help=tr("what is in focus, with --blur; the middle if not given"),
    )
    movie.add_argument("--title", default="", help=tr("words in the corner"))

    scene = command(commands, "scene", tr("Write the moving scene for 3D programs."), _without_view)
    scene.add_argument("results", metavar="OUT.h5")
    scene.add_argument(
        "-o", "--output", metavar="FILE", required=True, type=Path,
        help=tr(".html (a page that plays in a browser), .glb or .gltf (glTF, for viewers and slides), or .vtkhdf (for ParaView)"),
    )  # fmt: skip
    scene.add_argument("--ride", metavar="SEGMENT", help=tr("as seen from a segment"))
    _add_cameras(scene)
    scene.add_argument(
        "--speed", metavar="X", type=_positive, default=0.05,
        help=tr("of time in glTF and page: 1 is real time; 0.05"),
    )  # fmt: skip


def _add_cameras(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cameras", metavar="FILE", type=Path,
        help=tr("through the cameras that the window has keyed for a project (Alt+K), or those of a cameras.json"),
    )  # fmt: skip


def _without_view(arguments: argparse.Namespace) -> int:
    opened_results(arguments.results)
    raise CommandError("This needs the 3D view: use the program 'manikin' itself.")


def _size(text: str) -> tuple[int, int]:
    width, mark, height = text.lower().partition("x")
    if not mark or not width.isdecimal() or not height.isdecimal():
        raise argparse.ArgumentTypeError(tr("'{text}' is not of the form 1280x720", text=text))
    if not (16 <= int(width) <= 7680 and 16 <= int(height) <= 4320):
        raise argparse.ArgumentTypeError(tr("a picture has 16 to 7680 by 16 to 4320 pixels"))
    return int(width), int(height)


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value <= 1e4:
        raise argparse.ArgumentTypeError(tr("'{text}' is not a number above 0", text=text))
    return value


# Commands on a results file: show, movie, scene.

NAMES = ("show", "movie", "scene", "rate")


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    _add_rate(commands)
    show = command(commands, "show", tr("Say what a results file holds."), _show)
    show.add_argument("results", metavar="OUT.h5")
    show.add_argument(
        "--quantities",
        metavar="GLOB",
        nargs="*",
        help=tr("list every quantity that can be exported and plotted, or those that fit"),
    )

    _add_movie(commands)


def _show(arguments: argparse.Namespace) -> int:
    results = opened_results(arguments.results)
    if arguments.quantities is not None:
        _list_quantities(results, arguments.quantities)
        return 0
    time = results.time
    print(
        tr("status    {status}", status=tr(results.status))
        + (f": {results.message}" if results.message else "")
    )
    span = (
        tr("{first:.3f} to {last:.3f} ms", first=1e3 * time[0], last=1e3 * time[-1])
        if len(time)
        else tr("none")
    )
    print(tr("frames    {count}, {span}", count=len(time), span=span))
    print(tr("segments  {segment_ids}", segment_ids=(", ".join(results.segment_ids) or tr("none"))))
    print(tr("channels  {count}", count=len(results.channel_names)))
    for name in results.channel_names:
        channel = results.channel(name)
        unit = f" {channel.unit}" if channel.unit not in ("", "1") else ""
        if len(channel.value):
            low, high = float(np.min(channel.value)), float(np.max(channel.value))
            print(
                tr(
                    "  {name}: {low:.4g} to {high:.4g}{unit}, {count} samples",
                    name=name,
                    low=low,
                    high=high,
                    unit=unit,
                    count=len(channel.value),
                )
            )
        else:
            print(tr("  {name}: no samples", name=name))
    return 0


def _list_quantities(results: Trajectory, patterns: Sequence[str]) -> None:
    """List what can be exported and plotted: names, SI units, meaning."""
    from solver.results import Quantities

    ask = Quantities(results)
    names = ask.matching(patterns) if patterns else tuple(ask.infos)
    infos = [ask.about(name) for name in names]
    width = max((len(info.name) for info in infos), default=0)
    for info in infos:
        print(f"{info.name:<{width}}  {pretty(info.unit) or '1':<8}  {info.meaning}".rstrip())


# The command that rates a quantity of a run against a curve of a test: rate.


def _add_rate(commands: Commands) -> None:
    """Add this command to the parser."""
    rate = command(
        commands, "rate", tr("Say how well a quantity agrees with a test (ISO/TS 18571)."), _rate
    )
    rate.add_argument("results", metavar="OUT.h5")
    rate.add_argument("name", metavar="NAME", help=tr("name of a quantity, as 'show --quantities' lists them"))  # fmt: skip
    rate.add_argument("test", metavar="TEST", help=tr("test: ISO-MME (folder, .zip, .mme, .001), NHTSA (.ev5, .uds), .c3d, table (.csv), .mot, .sto, or what ATB printed"))  # fmt: skip
    rate.add_argument("--curve", metavar="WORDS", help=tr("code of the wanted curve, or words that only its name has"))  # fmt: skip
    rate.add_argument("--cfc", metavar="CLASS", type=int, choices=(60, 180, 600, 1000), help=tr("filter both to this class of SAE J211: 60, 180, 600, 1000"))  # fmt: skip
    rate.add_argument("--json", action="store_true", help=tr("print the numbers as JSON"))


def _rate(arguments: argparse.Namespace) -> int:
    from solver.engine.signals import rating
    from solver.exchange.measured.reading import named, read_test
    from solver.results.selection import select

    found = select(
        opened_results(arguments.results), [arguments.name], units="si", cfc=arguments.cfc
    )
    if len(found) != 1:
        raise CommandError(
            "'{name}' fits {count} quantities; name one.", name=arguments.name, count=len(found)
        )
    tested = read_test(arguments.test).channels
    test = tested[_one_of(tested, arguments.curve, named)]
    if test.unit != found[0].unit:
        raise CommandError("The test is in {test}, the quantity in {unit}.", test=pretty(test.unit) or "1", unit=pretty(found[0].unit) or "1")  # fmt: skip
    if arguments.cfc:
        test = test.filtered(arguments.cfc)
    made = rating(found[0].time, found[0].value, test.time, test.value)
    record = {
        "rating": made.whole, "grade": made.grade, "corridor": made.corridor, "phase": made.phase,
        "magnitude": made.magnitude, "slope": made.slope, "late_ms": 1e3 * made.late_s,
    }  # fmt: skip
    if arguments.json:
        print(json.dumps({"quantity": found[0].name, "test": test.name, **record}, indent=2))
        return 0
    print(tr("{quantity} against {test}", quantity=found[0].name, test=test.name))
    for name, value in record.items():
        print(f"{name:<10} {value if isinstance(value, str) else f'{value:.3f}'}")
    return 0


def _one_of(curves: Sequence[Channel], words: str | None, named: Callable[..., int]) -> int:
    if words is None and len(curves) > 1:
        listed = "; ".join(one.name for one in curves[:12])
        raise CommandError("{count} curves of the test fit; choose one with --curve. There are: {listed}.", count=len(curves), listed=listed)  # fmt: skip
    return 0 if words is None else named([one.name for one in curves], [one.code for one in curves], words)  # fmt: skip
