"""Commands on bodies: body."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from solver.base.words import tr
from solver.cli.common import (
    CommandError,
    Commands,
    command,
    files_of,
    opened,
    print_problems,
    writable,
)

if TYPE_CHECKING:
    from solver.bodies import Body, Place, Touch

NAMES = ("body",)


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    body = command(commands, "body", tr("Make a body, alone or in a project."), _body)
    body.add_argument("--list", action="store_true", help=tr("list bodies, poses and mass tables"))
    which = body.add_argument_group(tr("which body"))
    which.add_argument(
        "--library",
        metavar="NAME",
        help=tr("a dummy, such as hybrid_iii_50m, or a body as printed; see --list"),
    )
    which.add_argument(
        "--sex",
        choices=("male", "female"),
        help=tr("an adult, male if not given, or with --age a child"),
    )
    which.add_argument(
        "--age",
        metavar="YEARS",
        type=float,
        help=tr(
            "a child, 2 to 20 years; with --human also an adult, up to 90 years, whose joints go as far as at that age"
        ),
    )
    which.add_argument("--percentile", metavar="P", type=float, help=tr("of weight and height; 50"))
    which.add_argument("--weight", metavar="KG", type=float)
    which.add_argument("--height", metavar="M", type=float)
    which.add_argument("--weight-percentile", metavar="P", type=float)
    which.add_argument("--height-percentile", metavar="P", type=float)
    which.add_argument(
        "--dimension",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help=tr("a measured dimension, such as chest_depth_m=0.25; see --table"),
    )
    which.add_argument(
        "--method", choices=("tables", "measured", "solids"), help=tr("how it is generated")
    )
    which.add_argument(
        "--human",
        action="store_true",
        help=tr("with a flexible spine, a chest that gives way and a neck: 33 segments"),
    )
    which.add_argument(
        "--compressing",
        action="store_true",
        help=tr("with --human: lumbar discs that shorten too; a run may take half as long again"),
    )
    which.add_argument(
        "--breaking-bones",
        action="store_true",
        help=tr(
            "with --human: bones of arms and legs bend until they break, with flesh apart from them"
        ),
    )
    which.add_argument(
        "--extensors",
        action="store_true",
        help=tr(
            "with --human: muscles from chest and neck to neck and head, at rest unless told otherwise"
        ),
    )
    which.add_argument(
        "--torque-factor", metavar="X", type=float, help=tr("times all joint torques")
    )
    body.add_argument("--hands", action="store_true", help=tr("17 segments: hands on wrists"))
    body.add_argument(
        "--contours",
        metavar="JOINT",
        nargs="*",
        help=tr(
            "globographic stops on these joints, such as shoulder hip; on all ball joints if none is named"
        ),
    )
    body.add_argument("--pose", metavar="NAME", default="seated", help=tr("seated if not given"))
    body.add_argument("--table", action="store_true", help=tr("print dimensions and segments"))
    body.add_argument("--json", action="store_true", help=tr("print them as JSON"))
    into = body.add_argument_group(tr("where to"))
    into.add_argument("--into", metavar="PROJECT", help=tr("put the body into this project"))
    into.add_argument(
        "--prefix", metavar="WORD", default="", help=tr("before every id of the body")
    )
    into.add_argument(
        "--group", metavar="WORD", default="Occupant", help=tr("heading in the outline")
    )
    into.add_argument(
        "--at",
        metavar=("X", "Y", "Z"),
        nargs=3,
        type=float,
        default=[0.0] * 3,
        help=tr("place in m"),
    )
    into.add_argument(
        "--turn",
        metavar=("YAW", "PITCH", "ROLL"),
        nargs=3,
        type=float,
        default=[0.0] * 3,
        help=tr("turn of the whole body, degrees"),
    )
    into.add_argument(
        "--anchor",
        choices=("hips", "root", "lowest"),
        default="hips",
        help=tr(
            "what comes to the place: the middle of the hip joints, the lower torso's mass centre, or the lowest point in z"
        ),
    )
    into.add_argument("--relative-to", metavar="SEGMENT", default="ground")
    into.add_argument("--moves-with", metavar="SEGMENT", default="ground")
    into.add_argument(
        "--touch",
        metavar="SEGMENT=PLANE:LAW",
        action="append",
        default=[],
        help=tr("let a segment press on a plane, or on SEGMENT.SURFACE of the project"),
    )
    into.add_argument(
        "--no-own-contacts",
        action="store_true",
        help=tr("let parts of the body pass through each other"),
    )
    body.add_argument("-o", "--output", metavar="FILE", help=tr("project to write"))


def _body(arguments: argparse.Namespace) -> int:

    return _made(arguments)


def _made(arguments: argparse.Namespace) -> int:
    from solver.bodies import body_project, insert_body, pose, with_contours, with_hands
    from solver.project import save_project
    from solver.project.checks import check

    if arguments.list:
        print(_listed())
        return 0
    body = pose(_chosen(arguments), arguments.pose)
    if arguments.hands:
        body = with_hands(body)
    if arguments.contours is not None:
        body = with_contours(body, arguments.contours or None)
    if arguments.table or arguments.json:
        print(json.dumps(_figures(body), indent=2) if arguments.json else _table(body))
    if not arguments.output:
        if arguments.table or arguments.json:
            return 0
        raise CommandError("Say where to write the body: -o FILE; or ask for --list or --table.")
    if arguments.into:
        project, notes = opened(arguments.into)
        target = writable(arguments.output, "project", *files_of(project, arguments.into))
        made = insert_body(
            project,
            body,
            arguments.prefix,
            _place(arguments),
            group=arguments.group,
            touches=[_touch(text) for text in arguments.touch],
            own_contacts=not arguments.no_own_contacts,
        )
    else:
        _refuse_idle(arguments)
        target = writable(arguments.output, "project")
        made, notes = body_project(body, own_contacts=not arguments.no_own_contacts), ()
    problems = (*notes, *check(made))
    print_problems(problems)
    save_project(made, target)
    if not arguments.json:
        print(
            tr(
                "Wrote {target}: {body_title}, {mass_kg:.2f} kg, {pose}.",
                target=target,
                body_title=body.title,
                mass_kg=body.mass_kg,
                pose=body.pose,
            )
        )
    return 1 if any(p.severity == "error" for p in problems) else 0


def _chosen(arguments: argparse.Namespace) -> Body:
    from solver.bodies import library_body
    from solver.bodies.made_to_measure import CHILD_YEARS, person

    given = [
        name
        for name in ("sex", "age", "percentile", "weight", "height", "weight_percentile",
                     "height_percentile", "method")
        if getattr(arguments, name) is not None
    ]  # fmt: skip
    if arguments.library:
        if (
            given
            or arguments.dimension
            or arguments.torque_factor is not None
            or arguments.human
            or arguments.compressing
            or arguments.breaking_bones
            or arguments.extensors
        ):
            raise CommandError(
                "A body of the library is as it stands there: leave the other choices of a body away."
            )
        return library_body(arguments.library)
    if arguments.human and arguments.hands:
        raise CommandError(
            "A person with a flexible spine has hands of its own: leave '--hands' away."
        )
    if arguments.compressing and not arguments.human:
        raise CommandError(
            "Only a person with a flexible spine has discs that shorten: add '--human'."
        )
    if arguments.breaking_bones and not arguments.human:
        raise CommandError(
            "Only a person with a flexible spine has bones that bend and break: add '--human'."
        )
    if arguments.extensors and not arguments.human:
        raise CommandError(
            "Only a person with a flexible spine has extensors of the neck: add '--human'."
        )
    if arguments.age is not None and arguments.age > CHILD_YEARS and not arguments.human:
        raise CommandError(
            "The age of an adult moves how far joints of a person with a flexible spine go: add '--human'."
        )
    shares = [name for name in given if name.endswith("percentile")]
    if arguments.age is not None and arguments.age <= CHILD_YEARS and shares:
        raise CommandError(
            "A child follows from its age: leave '--{adult}' away.",
            adult=shares[0].replace("_", "-"),
        )
    return person(
        arguments.sex,
        age_years=arguments.age,
        percentile=arguments.percentile,
        weight_kg=arguments.weight,
        height_m=arguments.height,
        weight_percentile=arguments.weight_percentile,
        height_percentile=arguments.height_percentile,
        dimensions=dict(_measured(text) for text in arguments.dimension),
        flexible=arguments.human,
        compressing=arguments.compressing,
        breaking_bones=arguments.breaking_bones,
        extensors=arguments.extensors,
        method=arguments.method,
        torque_factor=arguments.torque_factor,
    )


def _measured(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError:
        raise CommandError("'{text}' is not of the form NAME=VALUE.", text=text) from None


def _refuse_idle(arguments: argparse.Namespace) -> None:
    """Refuse options that only mean something inside a project."""
    idle = {
        "--prefix": arguments.prefix,
        "--at": any(arguments.at),
        "--turn": any(arguments.turn),
        "--relative-to": arguments.relative_to != "ground",
        "--moves-with": arguments.moves_with != "ground",
        "--touch": arguments.touch,
    }
    for option, used in idle.items():
        if used:
            raise CommandError(
                "'{option}' needs a project to put the body into: --into PROJECT.", option=option
            )


def _place(arguments: argparse.Namespace) -> Place:
    from solver.bodies import Place
    from solver.bodies.body import turn_of

    x, y, z = arguments.at
    return Place(
        position_m=(x, y, z),
        orientation=turn_of(arguments.turn),
        anchor=arguments.anchor,
        relative_to=arguments.relative_to,
        moves_with=arguments.moves_with,
    )


def _touch(text: str) -> Touch:
    from solver.bodies import Touch

    segment, _, rest = text.partition("=")
    on, _, law = rest.partition(":")
    if not (segment and on and law):
        raise CommandError("'{text}' is not of the form SEGMENT=PLANE:LAW.", text=text)
    return Touch(segment=segment, on=on, law=law)


def _listed() -> str:
    from solver.bodies import DUMMIES, LIBRARY, dummy_masses, library_body, poses

    lines = [tr("Dummies and bodies as printed (--library):")]
    for name in (*DUMMIES, *LIBRARY):
        body = library_body(name)
        lines.append(
            tr(
                "  {name:<14} {body_title}, {mass_kg:.2f} kg. {source}.",
                name=name,
                body_title=body.title,
                mass_kg=body.mass_kg,
                source=body.source,
            )
        )
    lines.append(
        tr("Generated bodies: --sex with percentiles, weight or height; --age for a child.")
    )
    lines.append(tr("Poses (--pose):"))
    lines += [
        tr("  {name:<10} {note} Source: {source}.", name=p.name, note=tr(p.note), source=p.source)
        for p in poses().values()
    ]
    lines.append(tr("Tables of masses, without the rest of a body:"))
    for name, table in dummy_masses().items():
        masses = ", ".join(f"{n} {m:.3g}" for n, m in table.masses_kg.items())
        lines.append(
            tr(
                "  {name}: {table_title}, {total_kg:.4g} kg in all ({confidence}). {masses}.",
                name=name,
                table_title=table.title,
                total_kg=table.total_kg,
                confidence=table.confidence,
                masses=masses,
            )
        )
    return "\n".join(lines)


def _figures(body: Body) -> dict[str, Any]:
    return {
        "title": body.title,
        "source": body.source,
        "mass_kg": body.mass_kg,
        "dimensions": dict(body.dimensions or {}),
        "segments": {
            s.id: {
                "mass_kg": s.mass_kg,
                "inertia_kgm2": list(s.inertia_kgm2),
                "semi_axes_m": list(s.surfaces[0].semi_axes_m),
                "centre_m": list(s.surfaces[0].centre_m),
            }
            for s in body.segments
        },
    }


def _table(body: Body) -> str:
    lines = [f"{body.title}: {body.mass_kg:.3f} kg"]
    for name, value in (body.dimensions or {}).items():
        lines.append(f"  {name:<28} {value:9.4f}")
    lines.append(
        tr(
            "  {part:<18} {part_2:>8}  {part_3:<30} semi-axes, m",
            part=tr("segment"),
            part_2=tr("kg"),
            part_3=tr("inertia, kg*m2"),
        )
    )
    for s in body.segments:
        moments = " ".join(f"{v:9.6f}" for v in s.inertia_kgm2)
        axes = " ".join(f"{v:.4f}" for v in s.surfaces[0].semi_axes_m)
        lines.append(f"  {s.id:<18} {s.mass_kg:8.4f}  {moments:<30} {axes}")
    return "\n".join(lines)
