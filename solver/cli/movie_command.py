"""The commands `movie` and `scene`: their words; the program with the 3D view does the work."""

from __future__ import annotations

import argparse
from pathlib import Path

from solver.base.words import tr
from solver.cli.common import CommandError, Commands, command, opened_results

_VIEWS = ("side", "front", "top", "iso")


def add_to(commands: Commands) -> None:
    """Add the commands to the parser."""
    movie = command(commands, "movie", tr("Write a movie of a run."), _without_view)
    movie.add_argument("results", metavar="OUT.h5")
    movie.add_argument(
        "-o", "--output", metavar="FILE", required=True, type=Path,
        help=tr(".mp4, .gif, or a name without ending for a folder of PNG pictures"),
    )  # fmt: skip
    movie.add_argument("--view", choices=_VIEWS, default="side", help=tr("from where it is seen"))
    movie.add_argument("--ride", metavar="SEGMENT", help=tr("let the camera go with a segment"))
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
    scene.add_argument(
        "--speed", metavar="X", type=_positive, default=0.05,
        help=tr("of time in glTF and page: 1 is real time; 0.05"),
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
