"""Commands on chains and loops by their geometry: reach."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from solver.base.words import tr
from solver.cli.common import (
    CommandError,
    Commands,
    checked,
    command,
    files_of,
    opened,
    print_problems,
    writable,
)
from solver.project import save_project

if TYPE_CHECKING:
    from solver.analysis.linkages import Envelope

NAMES = ("reach",)


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    reach = command(
        commands, "reach", tr("Find how far a point reaches: its envelope as a surface, and the volume within."), _reach
    )  # fmt: skip
    reach.add_argument("project", metavar="PROJECT")
    reach.add_argument("segment", metavar="SEGMENT", help=tr("segment that reaches, as a hand"))
    reach.add_argument(
        "--point", nargs=3, type=float, metavar=("X", "Y", "Z"),
        help=tr("which point of it (m, its axes); its end, farthest from its joint, if not given"),
    )  # fmt: skip
    reach.add_argument(
        "--joints", nargs="+", default=[], metavar="JOINT", help=tr("joints that move; those of the limb if not given")
    )  # fmt: skip
    reach.add_argument(
        "--range", nargs=3, action="append", default=[], metavar=("JOINT.AXIS", "LOW", "HIGH"),
        help=tr("ends of a coordinate (rad, m) in place of where its stop begins; of a ball JOINT.flexure and JOINT.torsion"),
    )  # fmt: skip
    reach.add_argument(
        "--cell", type=float, metavar="M", help=tr("size of the grid's cells; a 24th of what is reached if not given")
    )  # fmt: skip
    reach.add_argument(
        "-o", "--output", metavar="OUT", help=tr("project that shows the envelope (.json), or the surface alone (.stl)")
    )  # fmt: skip
    reach.add_argument("--json", action="store_true", help=tr("print the numbers as JSON"))


def _reach(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from solver.analysis.linkages import reach_envelope, tip_of, with_envelope
    from solver.exchange.shapes import write_stl
    from solver.project.geometry import PointRef

    project, notes = opened(arguments.project)
    print_problems(checked(project, notes))
    output = None
    if arguments.output:
        if Path(arguments.output).suffix.lower() not in (".json", ".stl"):
            raise CommandError("An envelope is written as .json (a project) or .stl.")
        output = writable(arguments.output, "envelope", *files_of(project, arguments.project))
    point = tip_of(project, arguments.segment)
    if arguments.point is not None:
        x, y, z = arguments.point
        point = PointRef(segment=arguments.segment, position_m=(x, y, z))
    found = reach_envelope(project, point, arguments.joints, _ranges(arguments.range), arguments.cell)  # fmt: skip
    print(_json(found) if arguments.json else _summary(found))
    if output is None:
        return 0
    if output.suffix.lower() == ".stl":
        write_stl(output, found.points, found.faces)
    else:
        done, _ = with_envelope(project, found, tr("Reach of {segment}", segment=point.segment))
        save_project(done, output)
    if not arguments.json:
        print(tr("wrote        {output}", output=str(output)))
    return 0


def _ranges(words: list[list[str]]) -> dict[str, tuple[float, float]]:
    out = {}
    for name, low, high in words:
        try:
            out[name] = float(low), float(high)
        except ValueError:
            raise CommandError("'{low}' and '{high}' are no numbers.", low=low, high=high) from None
    return out


def _json(found: Envelope) -> str:
    out: dict[str, Any] = {
        "segment": found.point.segment,
        "point_m": list(found.point.position_m),
        "seen_from": found.segment,
        "joints": list(found.joints),
        "coordinates": [
            {"name": b.label, "low": _end(b.low), "high": _end(b.high), "turns": b.turns}
            for b in found.bounds
        ],
        "volume_m3": found.volume_m3,
        "area_m2": found.area_m2,
        "furthest_m": found.furthest_m,
        "box_m": [list(one) for one in found.box_m],
        "cell_m": found.cell_m,
        "triangles": len(found.faces),
        "notes": [note.english() for note in found.notes],
    }
    return json.dumps(out, indent=2, ensure_ascii=False)


def _end(value: float) -> float | None:
    return value if abs(value) < 1e9 else None


def _summary(found: Envelope) -> str:
    low, high = found.box_m
    lines = [
        tr(
            "point        {place} of '{segment}', seen from '{base}'",
            place=", ".join(f"{v:.4g}" for v in found.point.position_m),
            segment=found.point.segment,
            base=found.segment,
        ),
        tr("joints       {joints}", joints=", ".join(found.joints)),
        tr("volume       {volume:.4g} m3", volume=found.volume_m3),
        tr("area         {area:.4g} m2", area=found.area_m2),
        tr("furthest     {far:.4g} m from the first joint", far=found.furthest_m),
    ]
    lines += [
        f"  {axis}          {a:8.3f} … {b:8.3f} m"
        for axis, a, b in zip("xyz", low, high, strict=True)
    ]
    lines += [tr("note         {note}", note=note) for note in found.notes]
    return "\n".join(lines)
